"""What is left out at sight is what disagrees when it is read."""

from __future__ import annotations

import mpmath
import pytest

from symattn.checker import borders, check, repair
from symattn.checker.at_sight import AtSight
from symattn.checker.declarations import mini
from symattn.checker.edits import candidates
from symattn.checker.judge import Judge
from symattn.checker.links import sides
from symattn.checker.outline import Outline
from symattn.checker.reread import relettered
from symattn.checker.second import DIGITS
from symattn.checker.statements import reading

SOFTMAX = r"""
Let $S \in \mathbb{R}^{n \times m}$, $x \in \mathbb{R}^m$ and a number $\beta$.

$$ Z_i = \sum_j \exp(\beta S_{ij}) $$

$$ p_{ij} = \exp(\beta S_{ij}) / Z_i $$

"""
SLOPE = SOFTMAX + r"$$ \frac{\partial p_{ij}}{\partial \beta} = p_{ij} (S_{ij} - p_{ik} S_{ik}) $$"
QUOTIENT = SOFTMAX + r"$$ \frac{\partial \log Z_i}{\partial S_{ik}} = \exp(S_{ik}) / Z_i $$"
MATRICES = r"""
Let $X \in \mathbb{R}^{n \times d}$, $w \in \mathbb{R}^d$, $y \in \mathbb{R}^n$ and a number $\mu$.

$$ L = \|X w - y\|^2 + \mu \|w\|^2 $$

$$ \nabla_w L = X^\top (X w - y) + 2 w $$
"""
INVERSES = r"""
Let $A \in \mathbb{R}^{n \times n}$ be invertible, $b \in \mathbb{R}^n$ and $x = A^{-1} b$.

$$ b^\top x = 2 b^\top A^{-1} b + \operatorname{tr}(A) $$
"""
NUMBERS = r"""
Let $E = \frac12 m v^2 + e^{-v/\tau} \sin^2 \omega$ and $R_{\mathrm{h}} = \sqrt{m v}$.

$$
\frac{\partial E}{\partial v}
= 2 m v - \frac{1}{\tau} e^{-v/\tau} \sin^2 \omega \cdot \log m / R_{\mathrm{h}}
$$
"""
SUMS = r"""
Let $x \in \mathbb{R}^n$ and $w \in \mathbb{R}^n$, and $m = \frac{1}{w_1} \sum_{i=1}^n w_i x_i$.

$$ \frac{\partial m}{\partial w_j} = \frac{x_j}{w_1} - \frac{1}{w_1} \sum_{i=1}^n w_i x_i $$
"""
PIECES = [
    "2",
    r"\frac{1}{2}",
    r"\beta",
    r"\frac{1}{\sqrt{\beta}}",
    r"\mu",
    "S_{ik}",
    "X^\\top",
    "m",
]


def last(text):
    """The last statement, what its document says, a way to its values, and those."""
    found = reading(text)
    judge, s = Judge(found, Outline(text)), found.statements[-1]
    system = judge.versions.system(s)
    way = borders.Within(system, {}, {}, 1)
    way.know(s.lhs, s.rhs)
    spots = [*repair._spots(way.place({}, s.lhs, s.rhs), s, way)]
    return s, system, mini(system, judge.head(s, system), [], s), way, spots


@pytest.mark.parametrize(
    ("text", "least"),
    [(SLOPE, 50), (QUOTIENT, 30), (MATRICES, 20), (INVERSES, 25), (NUMBERS, 50), (SUMS, 30)],
    ids=["letters", "/", "matrices", "inverses", "numbers", "sums"],
)
def test_what_is_seen_is_what_is_read(text, least):
    s, system, head, way, spots = last(text)
    (left, right), (relation,) = sides(s.latex)
    seen = 0
    with mpmath.workdps(DIGITS):
        sight = AtSight(head, s, system, way, spots)
        assert sight.trusts(right, repair._values(way, s.rhs, spots))
        for latex in candidates(right, PIECES, ("i", "k"), PIECES, PIECES):
            if not (values := sight.values(latex)):
                continue
            seen += 1
            read = repair._readings(head, left, relation, [latex], s.name)
            for _, e, more in read if seen % 3 == 0 else ():
                wanted = repair._values(way, relettered(e, s), spots) if not more else None
                assert wanted is None or values == pytest.approx(wanted), latex
    assert seen >= least


def test_another_value_of_the_side_of_its_author_is_not_trusted():
    s, system, head, way, spots = last(MATRICES)
    with mpmath.workdps(DIGITS):
        values = repair._values(way, s.rhs, spots)
        sight = AtSight(head, s, system, way, spots)
        right = sides(s.latex)[0][1]
        assert sight.trusts(right, values)
        assert not sight.trusts(right, [2 * x for x in values])
        assert not sight.trusts(right, values[:1])
        assert not sight.trusts(r"\operatorname{softmax}(w)", values)


NAMED = r"""
Let $e = x^2 + \frac{1}{x}$.

$$ \frac{\partial e}{\partial x} = 2 x + e^2 $$
"""


@pytest.mark.parametrize(
    ("text", "latex"),
    [
        (SLOPE, r"p_{ij} p_{ik} (x_k + S_{ik})"),
        (SLOPE, r"p_{ij} \sum_k p_{ik} (x_k + S_{ik})"),
        (SLOPE, r"p_{ij} (x_k + S_{ik}) (x_k - S_{ik})"),
        (SLOPE, r"p_{ij} \log(p_{ik} p_{ik})"),
        (INVERSES, r"b \cdot x"),
        (INVERSES, r"b^\top A^{-2} b"),
        (INVERSES, r"\|x\| \operatorname{tr}(A A)"),
        (INVERSES, r"(b^\top x)^{3/2} \sqrt{b^\top b}"),
        (NUMBERS, r"\frac{2}{3} \sqrt[3]{m} \, v / \tau"),
        (NUMBERS, r"|m - v| \cos(\omega)"),
        (NAMED, r"x e^3"),
    ],
)
def test_what_a_formula_comes_to(text, latex):
    s, system, head, way, spots = last(text)
    (left, _), (relation,) = sides(s.latex)
    with mpmath.workdps(DIGITS):
        values = AtSight(head, s, system, way, spots).values(latex)
        ((_, e, _),) = repair._readings(head, left, relation, [latex], s.name)
        assert values == pytest.approx(repair._values(way, relettered(e, s), spots))


def test_arrays_of_one_component_are_numbers_where_numbers_are_asked_for():
    s, system, head, *_ = last(INVERSES)
    way = borders.Within(system, {"A": [[0.5]], "b": [3.0]}, {"n": 1})
    way.know(s.lhs, s.rhs)
    with mpmath.workdps(DIGITS):
        sight = AtSight(head, s, system, way, [{}])
        for latex, value in (
            (r"2 b^\top A^{-1} b + \operatorname{tr}(A)", 36.5),
            (r"(b^\top x)^{1/2} + 1", 18**0.5 + 1),
            (r"(A x + b)^\top b", 18),
        ):
            assert sight.values(latex) == pytest.approx([value])


@pytest.mark.parametrize(
    ("text", "latex", "expected"),
    [
        (SLOPE, r"p_{ij} S_{il}", []),  # nothing counts l
        (SLOPE, r"p_{ij} (", []),
        (SLOPE, r"p_{ij}^\top", []),
        (SLOPE, r"\sqrt{-Z_i}", []),
        (SLOPE, r"Z_i / 0", []),
        (SLOPE, r"\gamma p_{ij}", None),  # which may be anything
        (SLOPE, r"\operatorname{softmax}(\beta S)_{ij}", None),
        (SLOPE, r"\sum_{k=1}^j p_{ik}", None),
        (SLOPE, r"x_1", None),  # the first or the second
        (NUMBERS, r"\log m v", None),  # of m alone?
        (NUMBERS, r"\log (m)^2", None),
        (NUMBERS, r"\sin^{-1} \omega", None),
        (INVERSES, r"b \times x", None),
        (INVERSES, r"b * x", None),
        (MATRICES, r"X w", []),  # has other components
        (MATRICES, r"X^\top y + w^\top", []),
        (MATRICES, r"w + 1", None),  # 1 of every component, for some
        (MATRICES, r"w w", None),
        (MATRICES, r"\log w", None),
    ],
)
def test_what_has_no_value_and_what_is_not_seen(text, latex, expected):
    s, system, head, way, spots = last(text)
    with mpmath.workdps(DIGITS):
        assert AtSight(head, s, system, way, spots).values(latex) == expected


@pytest.mark.parametrize(
    ("text", "right"),
    [
        (MATRICES.replace(r"= X^\top", r"= 2 X^\top"), r"\mu"),
        (SOFTMAX + r"$$ \sum_j p_{ij} = 2 $$", "1"),
        (SOFTMAX + r"Let $z = p x$. $$ \mu z_i = \sum_j p_{ij} x_j $$", r"\mu"),
    ],
)
def test_corrections_are_the_same_and_less_is_read(text, right, monkeypatch):
    counts, reports = [], []
    real = repair._read.__wrapped__
    for off in (False, True):
        read = []

        def counted(head, whole, read=read):
            read.append(whole)
            return real(head, whole)

        monkeypatch.setattr(repair, "_read", counted)
        if off:
            monkeypatch.setattr(AtSight, "trusts", lambda *_: False)
        reports.append([(r.latex, r.verdict, r.correction) for r in check(text, timeout=None)])
        counts.append(len(set(read)))
    assert reports[0] == reports[1]
    assert right in reports[0][-1][2]
    assert counts[0] <= 0.5 * counts[1]


def test_what_differs_in_spaces_alone_is_read_once():
    head, one = "<!-- symattn: sizes A:(n,n) B:(n,n) -->", repair._whole("A B", "=", "2  B A", "")
    repair._read.cache_clear()
    found = [[*repair._readings(head, "A B", "=", [c], "")] for c in ("2 B A", " 2  B\tA ", "2B A")]
    assert repair._read.cache_info().misses == 2 and all(len(row) == 1 for row in found)
    assert found[0][0][1] is found[1][0][1] and one == "A B = 2 B A"
    assert repair._whole("A", "=", "B % a slip\n + C", "") == "A = B % a slip\n + C"
