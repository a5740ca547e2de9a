"""What sentences say of names: facts in words, how values are drawn for them, what follows."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from random import Random
from typing import Any

import numpy as np

from .values import NoValue

Values = dict[str, Any]
Impose = Callable[[Values, "dict[str, str]", Random], None]

POOL = {
    "number": tuple("abcghrsuw"),
    "vector": tuple("xyzpqv"),
    "square": tuple("ABCMP"),
    "integer": ("m", "k", "N"),
}
KIND = {"a": "number", "b": "number", "c": "number", "x": "vector", "y": "vector", "z": "vector",
        "A": "square", "B": "square", "m": "integer"}  # fmt: skip
SPACE = {"number": r"\mathbb{R}", "vector": r"\mathbb{R}^n", "square": r"\mathbb{R}^{n \times n}",
         "integer": r"\mathbb{Z}"}  # fmt: skip


def renamed(tex: str, names: dict[str, str]) -> str:
    """The template with the names of a document in the place of its own."""
    wanted = (
        rf"(?<![A-Za-z\\])(?<!\\operatorname\{{)({'|'.join(map(re.escape, names))})(?![A-Za-z])"
    )
    return re.sub(wanted, lambda m: names[m[1]], tex) if names else tex


@dataclass(frozen=True)
class Fact:
    """A condition on the names of a template: a formula, or an adjective, and what follows."""

    formula: str
    impose: Impose
    laws: tuple[tuple[str, str], ...]
    adjective: str = ""  # of the first name

    @property
    def names(self) -> tuple[str, ...]:
        found = re.findall(r"(?<![A-Za-z\\])[abcxyzABm](?![A-Za-z])", self.formula)
        return tuple(dict.fromkeys(found))


def draw(kind: str, size: int, rng: Random) -> Any:
    """Any value of the kind; whole numbers and zeros among them."""

    def one() -> float:
        if rng.random() < 0.15:
            return float(rng.randint(-3, 3))
        return rng.gauss(0, 1) * rng.choice((0.5, 1, 2))

    if kind == "integer":
        return float(rng.randint(-4, 6))
    if kind == "number":
        return one()
    shape = (size, 1) if kind == "vector" else (size, size)
    return np.array([one() for _ in range(shape[0] * shape[1])]).reshape(shape)


def to(name: str, value: Callable[[Any], Any]) -> Impose:
    def impose(values: Values, names: dict[str, str], rng: Random) -> None:
        values[names[name]] = value(values[names[name]])

    return impose


def among(name: str, *options: float) -> Impose:
    def impose(values: Values, names: dict[str, str], rng: Random) -> None:
        values[names[name]] = rng.choice(options)

    return impose


def tied(name: str, value: Callable[..., Any], *others: str) -> Impose:
    def impose(values: Values, names: dict[str, str], rng: Random) -> None:
        values[names[name]] = value(*(values[names[o]] for o in others))

    return impose


def scaled(x: Any) -> Any:
    if abs(x.sum()) < 0.2:
        raise NoValue("sums to nothing")
    return x / x.sum()


def orthogonal(values: Values, names: dict[str, str], rng: Random) -> None:
    values[names["A"]] = np.linalg.qr(values[names["A"]] + 0.1 * np.eye(len(values[names["A"]])))[0]


def projection(values: Values, names: dict[str, str], rng: Random) -> None:
    a = values[names["A"]] + 2 * np.eye(len(values[names["A"]]))
    d = np.diag([float(k % 2) for k in range(len(a))])
    values[names["A"]] = a @ d @ np.linalg.inv(a)


def commuting(values: Values, names: dict[str, str], rng: Random) -> None:
    a = values[names["A"]]
    values[names["B"]] = rng.gauss(0, 1) * a + rng.gauss(0, 1) * a @ a + np.eye(len(a))


def perpendicular(values: Values, names: dict[str, str], rng: Random) -> None:
    x, y = values[names["x"]], values[names["y"]]
    if (x * x).sum() < 0.05:
        raise NoValue("a vector of zeros")
    values[names["y"]] = y - x * (x * y).sum() / (x * x).sum()


def killed(values: Values, names: dict[str, str], rng: Random) -> None:
    name = rng.choice(("a", "b"))
    values[names[name]] = 0.0


def rows(a: Any) -> Any:
    if (abs(a.sum(1)) < 0.2).any():
        raise NoValue("a row that sums to nothing")
    return a / a.sum(1, keepdims=True)


POSITIVE = (
    (r"\sqrt{a^2}", "a"), ("|a|", "a"), (r"\log(a^2)", r"2 \log a"), (r"\max(a, 0)", "a"),
    (r"\max(a, -a)", "a"), (r"\min(a, 0)", "0"), (r"\frac{|a|}{a}", "1"), ("|a b|", "a |b|"),
    (r"\sqrt{a^2 b^2}", "a |b|"), (r"\sqrt{a^4}", "a^2"), (r"|a|^3", "a^3"),
    (r"\max(a b, a c)", r"a \max(b, c)"), (r"\sqrt{a^3}", r"a \sqrt{a}"), (r"|a + 1|", "a + 1"),
    (r"\sqrt{4 a^2 + 4 a + 1}", "2 a + 1"),
)  # fmt: skip
FACTS = (
    Fact("a > 0", to("a", lambda a: abs(a) + 0.05), POSITIVE, "positive"),
    Fact(r"a \ge 0", to("a", abs), POSITIVE[:2] + POSITIVE[3:6] + POSITIVE[7:], "nonnegative"),
    Fact("a < 0", to("a", lambda a: -abs(a) - 0.05),
         ((r"\sqrt{a^2}", "-a"), ("|a|", "-a"), (r"\max(a, 0)", "0"), (r"\max(a, -a)", "-a"),
          ("|a b|", "-a |b|"), (r"\max(a b, a c)", r"a \min(b, c)"), (r"\frac{|a|}{a}", "-1"),
          (r"|a - 1|", "1 - a"), (r"\sqrt{a^6}", "-a^3")), "negative"),
    Fact("0 < a < 1", to("a", lambda a: 1 / (1 + np.exp(-a))),
         (("|1 - a|", "1 - a"), (r"\sqrt{(1 - a)^2}", "1 - a"), (r"\sqrt{a^2}", "a"),
          (r"\max(a, 1)", "1"), (r"\min(a, a^2)", "a^2"), (r"|\log a|", r"-\log a"),
          (r"|a - 2|", "2 - a"), (r"|a^2 - a|", "a - a^2"), (r"|a + 1|", "1 + a"))),
    Fact("a > 1", to("a", lambda a: 1.01 + abs(a)),
         (("|1 - a|", "a - 1"), (r"\sqrt{(1 - a)^2}", "a - 1"), (r"\max(a, 1)", "a"),
          (r"|\log a|", r"\log a"), (r"\min(a, a^2)", "a"), (r"|a^2 - a|", "a^2 - a"))),
    Fact("|a| < 1", to("a", np.tanh),
         (("|1 - a|", "1 - a"), (r"\sqrt{(1 + a)^2}", "1 + a"), (r"|a^2 - 1|", "1 - a^2"),
          (r"\max(a, 1)", "1"), (r"\sqrt{(1 - a^2)^2}", "1 - a^2"))),
    Fact("a > b", lambda v, n, r: v.update({n["a"]: v[n["b"]] + abs(v[n["a"]]) + 0.05}),
         ((r"\max(a, b)", "a"), ("|a - b|", "a - b"), (r"\sqrt{(b - a)^2}", "a - b"),
          (r"\min(a, b) + c", "b + c"))),
    Fact("a^2 = 4", among("a", -2.0, 2.0),
         (("a^4", "16"), ("|a|", "2"), ("a^3", "4 a"), ("(a + b)^2", "4 + 2 a b + b^2"),
          (r"\frac{1}{a}", r"\frac{a}{4}"), (r"(a - 2) (a + 2)", "0"))),
    Fact("a^2 = a", among("a", 0.0, 1.0),
         (("a^3", "a"), ("(1 - a)^2", "1 - a"), ("|a|", "a"), ("a (1 - a)", "0"),
          ("(1 + a)^2", "1 + 3 a"))),
    Fact("a^2 = b^2", lambda v, n, r: v.update({n["a"]: r.choice((-1, 1)) * v[n["b"]]}),
         (("|a|", "|b|"), ("a^4", "b^4"), ("(a - b) (a + b)", "0"), ("a^2 + c", "b^2 + c"))),
    Fact("a b = 0", killed,
         (("(a + b)^2", "a^2 + b^2"), ("(a - b)^2", "(a + b)^2"), ("a^2 b", "0"),
          ("|a + b|", "|a| + |b|"))),
    Fact("b = 2 a", tied("b", lambda a: 2 * a, "a"),
         (("a + b", "3 a"), ("b^2", "4 a^2"), ("b - 2 a", "0"), ("a b", r"\frac{b^2}{2}"),
          ("e^{b}", "e^{a} e^{a}"))),
    Fact("b = a^2", tied("b", lambda a: a * a, "a"),
         (("a b", "a^3"), (r"\sqrt{b}", "|a|"), ("|b|", "b"), ("b^2", "a^4"))),
    Fact("a = b", tied("a", lambda b: b, "b"),
         (("a - b", "0"), ("a^2 - b^2", "0"), (r"\max(a, b)", "b"), ("a + b", "2 b"),
          (r"(a + b)^2", "4 a b"))),
    Fact("a + b = 1", tied("b", lambda a: 1 - a, "a"),
         (("a^2 - b^2", "a - b"), ("a b", "a - a^2"), ("(a + b)^3", "1"), ("a c + b c", "c"),
          ("a^2 + b^2", "1 - 2 a b"))),
    Fact("a b = 1", lambda v, n, r: v.update({n["a"]: abs(v[n["a"]]) + 0.2, n["b"]:
         1 / (abs(v[n["a"]]) + 0.2)}) if r.random() < 0.5 else v.update({n["a"]:
         -abs(v[n["a"]]) - 0.2, n["b"]: -1 / (abs(v[n["a"]]) + 0.2)}),
         ((r"\frac{1}{a}", "b"), ("a^2 b", "a"), ("(a + b)^2", "a^2 + 2 + b^2"))),
    Fact(r"\sum_i x_i = 1", to("x", scaled),
         ((r"\sum_i x_i (a + y_i)", r"a + \sum_i x_i y_i"), (r"\sum_i a x_i", "a"),
          (r"(\sum_i x_i)^2", "1"), (r"\sum_i (x_i + y_i)", r"1 + \sum_i y_i"),
          (r"\sum_i \sum_j x_i x_j y_j", r"\sum_j x_j y_j"))),
    Fact(r"\sum_i x_i = 0", to("x", lambda x: x - x.mean()),
         ((r"\sum_i (x_i - a)^2", r"\sum_i x_i^2 + n a^2"), (r"\sum_i a x_i", "0"),
          (r"\sum_i x_i (y_i + a)", r"\sum_i x_i y_i"), (r"\sum_i (x_i + y_i)", r"\sum_i y_i"))),
    Fact(r"\sum_i x_i^2 = 1", to("x", lambda x: x / (np.sqrt((x * x).sum()) or 1) + 0 * x),
         ((r"\sum_i (a x_i)^2", "a^2"), (r"\sum_i (x_i - y_i)^2",
          r"1 - 2 \sum_i x_i y_i + \sum_i y_i^2"), (r"(\sum_i x_i^2)^2", "1"))),
    Fact(r"\|x\| = 1", to("x", lambda x: x / (np.sqrt((x * x).sum()) or 1)),
         ((r"x^\top x", "1"), (r"\|a x\|^2", "a^2"), (r"x^\top (x + y)", r"1 + x^\top y"))),
    Fact("x_i > 0", to("x", lambda x: abs(x) + 0.05),
         ((r"\sum_i |x_i|", r"\sum_i x_i"), (r"\sum_i \sqrt{x_i^2}", r"\sum_i x_i"),
          (r"\sum_i \max(x_i, 0)", r"\sum_i x_i"), (r"\sum_i \log(x_i^2)", r"2 \sum_i \log x_i"))),
    Fact(r"x^\top y = 0", perpendicular,
         ((r"\|x + y\|^2", r"\|x\|^2 + \|y\|^2"), (r"\|x - y\|^2", r"\|x + y\|^2"),
          (r"x^\top (x + y)", r"x^\top x"), (r"\sum_i x_i y_i", "0"))),
    Fact(r"A^\top = A", to("A", lambda a: (a + a.T) / 2),
         ((r"x^\top A y", r"y^\top A x"), (r"\sum_j A_{ji} x_j", r"\sum_j A_{ij} x_j"),
          (r"x^\top (A + A^\top) y", r"2 x^\top A y"), (r"\operatorname{tr}(A^\top B)",
          r"\operatorname{tr}(A B)"), (r"A^\top x", "A x")), "symmetric"),
    Fact(r"A^\top = -A", to("A", lambda a: (a - a.T) / 2),
         ((r"x^\top A y", r"-y^\top A x"), (r"x^\top A x", "0"), (r"\operatorname{tr}(A)", "0"),
          (r"A^\top x", "-A x")), "antisymmetric"),
    Fact(r"A^\top A = I", orthogonal,
         ((r"\|A x\|^2", r"\|x\|^2"), (r"x^\top A^\top A y", r"x^\top y"), ("A A^\\top x", "x"),
          (r"\operatorname{tr}(A^\top B A)", r"\operatorname{tr}(B)"),
          (r"A^{-1} x", r"A^\top x")), "orthogonal"),
    Fact("A^2 = A", projection,
         (("A^3 x", "A x"), (r"x^\top A A y", r"x^\top A y"), (r"A (x - A x) + y", "y"))),
    Fact("A B = B A", commuting,
         ((r"(A + B)^2 x", r"A^2 x + 2 A B x + B^2 x"), (r"A B x + y", "B A x + y"),
          (r"(A - B) (A + B) x", "A^2 x - B^2 x"), (r"x^\top A B y", r"x^\top B A y"))),
    Fact(r"\sum_j A_{ij} = 1", to("A", rows),
         ((r"\sum_i \sum_j A_{ij} x_i", r"\sum_i x_i"), (r"\sum_j a A_{ij}", "a"),
          (r"\sum_j A_{ij} (x_j + a)", r"\sum_j A_{ij} x_j + a"))),
)  # fmt: skip
WHOLE = {
    "even": (to("m", lambda m: 2 * m), (("(-1)^m", "1"), (r"\cos(\pi m)", "1"),
             ("a (-1)^{m + 1}", "-a"), (r"1 + (-1)^m", "2"), (r"\lfloor \frac{m}{2} \rfloor",
             r"\frac{m}{2}"))),
    "odd": (to("m", lambda m: 2 * m + 1), (("(-1)^m", "-1"), (r"\cos(\pi m)", "-1"),
            ("a (-1)^{m + 1}", "a"), (r"1 + (-1)^m", "0"))),
    "an integer": (lambda v, n, r: None, ((r"\cos(\pi m)", "(-1)^m"), (r"\sin(\pi m)", "0"),
                   ("(-1)^{2 m}", "1"), (r"\cos(2 \pi m) + a", "1 + a"))),
}  # fmt: skip
FACTS += tuple(Fact("m", impose, laws, kind) for kind, (impose, laws) in WHOLE.items())

# ------------------------------------------------------------------------------------ phrases

STATED = (
    "Let {f}.", "We assume that {f}.", "Assume {f}.", "Suppose that {f}.", "Here {f}.",
    "Throughout, {f}.", "In what follows {f}.", "Recall that {f}.", "By assumption {f}.",
    "It is known that {f}.", "Let us assume that {f} from now on.", "We have {f}.",
    "The setting is such that {f}.",
)  # fmt: skip
DENIED = (
    "We do not assume that {f}.", "There is no reason to assume that {f}.",
    "There is no reason to assume {f}.", "It is not assumed that {f}.", "Nothing says that {f}.",
    "Note that {f} need not hold.", "In general {f} does not hold.", "We make no assumption such as {f}.",
    "It is not true that {f} in general.", "It is not known whether {f}.", "One should not think that {f}.",
    "That {f} is not required.", "We never use {f}.", "Many authors assume {f}; we do not.",
    "Is it true that {f}? It is not.", "One cannot assume that {f}.",
    "Contrary to what is often said, {f} may fail.", "We want no assumption like {f}.",
    "It is far from clear that {f}.", "The assumption {f} is not needed.", "It would be wrong to assume {f}.",
    "Without the assumption that {f}, more care is needed.", "We do not require {f}.",
    "It would be convenient if {f}, but it is not so.", "{F} cannot be assumed.",
    "We refrain from assuming {f}.", "Rarely do we have {f}.",
    "It is tempting to assume {f}, but wrong.", "Other papers take {f}.", "We doubt that {f}.",
    "Neither {f} nor anything else is assumed.", "It is an open question whether {f}.",
)  # fmt: skip
CASES = ("If {f}, then", "For {f} we have", "When {f}, it follows that", "In the case {f},",
         "Suppose for a moment that {f}. Then", "Whenever {f},", "As long as {f},",
         "Provided that {f}, we get", "Case 1: {f}. Then")  # fmt: skip
GENERAL = ("In general,", "For any {n},", "For every {n} we have", "Without this assumption,",
           "Without any assumption on {n},", "Whatever {n} is,", "For arbitrary {n},",
           "In any case,", "We return to the general case, in which", "Otherwise,",
           "If this is not so,", "We now drop this assumption. Then")  # fmt: skip
AFTER = ("for {f}", "whenever {f}", "where {f}", "if {f}", "provided that {f}", "as long as {f}",
         "since {f}", "because {f}", "with {f}")  # fmt: skip
CONDITIONS = ("for", "whenever", "if", "provided", "as long")
DROPPED = ("From now on we no longer assume that {f}.", "We now drop the assumption that {f}.",
           "In this section {n} is arbitrary again.", "In what follows {n} may be anything.",
           "The assumption {f} is not made here.")  # fmt: skip
THEN = ("Then", "It follows that", "Hence", "So", "Therefore", "We get", "One finds", "Now",
        "A short calculation gives", "Moreover,", "", "", "Note that", "Consequently,")  # fmt: skip


def said(fact: Fact, names: dict[str, str], rng: Random) -> str:
    """The fact as it stands in a sentence: a formula between dollars, or words about a name."""
    if fact.adjective and (fact.formula == "m" or rng.random() < 0.5):
        return f"${names[fact.names[0]]}$ is {fact.adjective}"
    return f"${renamed(fact.formula, names)}$"


__all__ = ["AFTER", "CASES", "CONDITIONS", "DENIED", "DROPPED", "FACTS", "GENERAL", "KIND", "POOL", "SPACE",
           "STATED", "THEN", "Fact", "Values", "draw", "renamed", "said"]  # fmt: skip
