"""Documents with known answers, by fixed seeds; and that their reader and judge can say no."""

from __future__ import annotations

import math
import warnings

import numpy as np
import pytest

from . import documents, runner
from .by_names import along, outright
from .chapters import fitted
from .documents import Claim, Definition, Part
from .tex import Misfit, side
from .values import NoValue

DOCUMENTS, CHUNK = 16, 2


@pytest.mark.parametrize("kind", runner.PAGES)
@pytest.mark.parametrize("first", range(0, DOCUMENTS, CHUNK))
def test_no_wrong_verdict(first: int, kind: str) -> None:
    seeds = range(documents.EACH * first, documents.EACH * (first + CHUNK))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        asked = [runner.ask(f"{kind} {x}", s, False, True) for s in seeds for x in TRUTHS]
    found = [o for o in asked if o is not None]
    bad = [o for o in found if o.wrong or o.broken]
    assert len(found) >= CHUNK and not bad, "\n\n".join(map(str, bad))


TRUTHS = ("true", "false")
A, X = np.array([[1.0, 2.0], [3.0, 5.0]]), np.array([[2.0], [-1.0]])
VALUES = {"A": A, "x": X, "a": 3.0, "b": -2.0, "n": 2.0, "I": np.eye(2), "i": 1, "t": 2,
          "law": [(0.25, {"X": 1.0, "Y": 1.0 / 4}), (0.75, {"X": 0.0, "Y": 9.0 / 4})],
          "sizes": {"i": 2, "j": 2}, "s": {(0,): 1.0, (2,): 4.0, (3,): 9.0}}  # fmt: skip
READ = [
    (r"\frac{a}{2} - b^2", -2.5), (r"2 |b| + |a - |b||", 5.0), (r"x^\top A x", -1.0),
    (r"\sum_j A_{ij} x_j", 0.0), (r"\sum_{i} \sum_j [i < j] x_i x_j", -2.0), ("x_2", -1.0),
    (r"\sum_{k = \pm 1} (a + k b)^2", 26.0), (r"\sum_{k=1}^{n} k a", 9.0), (r"s_{t+1} - s_0", 8.0),
    (r"\|A x\|^2", 1.0), (r"\operatorname{tr}(A^\top A)", 39.0), (r"\max_i x_i + a", 5.0),
    (r"\int_0^a t^2 \, dt", 9.0), (r"e^{-a} \sqrt{4}", 2 * math.exp(-3)),
    (r"\lfloor a / 2 \rfloor", 1.0),
    (r"\mathbb{E}[a X + Y]", 2.5), (r"\operatorname{Var}(X)", 0.1875),
    (r"\operatorname{Cov}(X, Y)", -0.375), (r"\mathbb{E}[X]^2", 0.0625),
    (r"\lim_{t \to 0} \frac{\sin(a t)}{t}", 3.0),
    (r"\lim_{t \to \infty} \frac{a t + 1}{t - 1}", 3.0),
    (r"\sum_{i=1}^{n} \sum_{j=i}^{n-1} 1", 1.0), (r"\sum_{k=n+1}^{n} a", 0.0),
    (r"\det A", -1.0), (r"(A^{-1} A x)^\top x", 5.0), (r"\cos(\pi a)", -1.0),
]  # fmt: skip


@pytest.mark.parametrize(("tex", "value"), READ)
def test_the_reader_of_documents(tex: str, value: float) -> None:
    read, _ = side(tex, {"i": "n", "j": "n", "t": "t"})
    assert float(np.squeeze(read(VALUES))) == pytest.approx(value, abs=1e-9)


def test_shapes_are_minded() -> None:
    read, _ = side("A + a", {})
    with pytest.raises(Misfit):
        read(VALUES)


def part() -> Part:
    made = Part({"a": "number", "x": "vector"})
    made.definitions.append(Definition("F", r"\sum_i a x_i^2"))
    return made


def test_what_is_so_and_what_is_not() -> None:
    slope = r"\frac{\partial F}{\partial x_j}"
    assert part().truth(Claim(0, slope, "2 a x_j"), "") is True
    assert part().truth(Claim(0, slope, "a x_j"), "") is False
    assert part().truth(Claim(0, "F", r"|a| \sum_i x_i^2"), "") is False
    positive = part()
    positive.imposed.append(lambda v, rng: v.update(a=abs(v["a"])))
    assert positive.truth(Claim(0, "F", r"|a| \sum_i x_i^2"), "") is True
    assert positive.truth(Claim(0, "F", "0", r"\ge"), "") is True
    assert part().truth(Claim(0, "F", "0", r"\ge"), "") is False


class Row:
    """What symattn might say."""

    def __init__(self, verdict: str, correction: str = "") -> None:
        self.verdict, self.correction, self.reason = verdict, correction, ""


@pytest.mark.parametrize(
    ("row", "holds", "said"),
    [
        (Row("proved"), False, "proved a false one"),
        (Row("refuted"), True, "refuted a true one"),
        (Row("malformed"), True, "refuted a true one"),
        (Row("refuted", r"a \sum_i x_i^2"), False, "refuted"),
        (Row("refuted", r"2 \sum_i x_i^2"), False, "a wrong correction"),
        (Row("conditional"), False, "unknown"),
        (Row("proved"), True, "proved"),
    ],
)
def test_every_wrong_verdict_is_seen(row: Row, holds: bool, said: str) -> None:
    claim = Claim(0, "F", r"a \sum_i x_i^2")
    assert documents.judged(part(), claim, holds, row, "")[0] == said


def test_what_is_meant_in_several_ways_is_open_where_they_differ() -> None:
    made = Part({"s": "number", "b": "number"})
    made.imposed.append(lambda v, rng: v.update(s=abs(v["s"]) + 0.3))
    made.definitions += [Definition("u", "s^2"), Definition("E", "b s + u")]
    ways = along("E", "u", "s"), outright("E", "u")
    sides = {r"1 + \frac{b}{2 s}": (True, None), "1": (False, None), "2": (False, False)}
    for right, (first, both) in sides.items():
        claim = Claim(0, r"\frac{\partial E}{\partial u}", right, meant=ways[:1])
        assert made.truth(claim, "") is first
        assert made.truth(Claim(0, claim.left, right, meant=ways), "") is both


def test_a_limit_from_two_sides_has_no_value() -> None:
    read, _ = side(r"\lim_{t \to 0} \frac{|t|}{t}", {})
    with pytest.raises(NoValue):
        read(VALUES)


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (lambda n: n * (n + 1) // 2, r"\frac{ n^2}{2} + \frac{ n}{2}"),
        (lambda n: 3 - n, "-n + 3"),
        (lambda n: 0, "0"),
        (lambda n: 2**n, None),
    ],
)
def test_the_polynomial_of_a_sum(value, text) -> None:  # type: ignore[no-untyped-def]
    assert fitted(value) == text
