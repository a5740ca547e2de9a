"""A side with one piece more is what its place and the piece make it: nothing is left out by it."""

from __future__ import annotations

import pytest

from symattn.checker import check, fillings, repair
from symattn.checker.declarations import mini
from symattn.checker.edits import Filled, candidates
from symattn.checker.fillings import Fillings
from symattn.checker.judge import Judge
from symattn.checker.links import sides
from symattn.checker.outline import Outline
from symattn.checker.reread import relettered
from symattn.checker.statements import reading
from symattn.prove import whether

SOFTMAX = r"""
Let $S \in \mathbb{R}^{n \times m}$, $x \in \mathbb{R}^m$ and a number $\beta$.

$$ Z_i = \sum_j \exp(\beta S_{ij}) $$

$$ p_{ij} = \exp(\beta S_{ij}) / Z_i $$

"""
DERIVATIVE = (
    SOFTMAX + r"$$ \frac{\partial p_{ij}}{\partial S_{ik}} = p_{ij} (\delta_{jk} - p_{ik}) $$"
)
QUOTIENT = SOFTMAX + r"$$ \frac{\partial \log Z_i}{\partial S_{ik}} = \exp(S_{ik}) / Z_i $$"
MATRICES = r"""
Let $X \in \mathbb{R}^{n \times d}$, $w \in \mathbb{R}^d$, $y \in \mathbb{R}^n$ and a number $\mu$.

$$ L = \|X w - y\|^2 + \mu \|w\|^2 $$

$$ \nabla_w L = X^\top (X w - y) + 2 w $$
"""
PIECES = [
    "2",
    r"\frac{1}{2}",
    r"\beta",
    r"\frac{1}{\sqrt{\beta}}",
    r"\mu",
    r"\sqrt{\mu}",
    "n",
    "S_{ik}",
]


def last(text):
    """The last statement, what its pieces make of it, and the definitions that it is under."""
    found = reading(text)
    judge, s = Judge(found, Outline(text)), found.statements[-1]
    system = judge.versions.system(s)
    parts, (relation,) = sides(s.latex)

    def read(head, left, right, name):
        return repair._readings(head, left, relation, [right], name)

    head = mini(system, judge.head(s, system), [], s)
    return s, Fillings(head, parts[0], s, read), parts[1], system


@pytest.mark.parametrize(
    ("text", "least"),
    [(DERIVATIVE, 40), (QUOTIENT, 20), (MATRICES, 20)],
    ids=["δ", "/", "matrices"],
)
def test_what_is_told_is_what_is_read(text, least):
    s, told, right, system = last(text)
    pieces = [p for p in PIECES if p != "n" or "w" not in right]  # n beside vectors may be one
    tried = [c for c in candidates(right, pieces, (), pieces, pieces) if isinstance(c, Filled)]
    told.count(tried)
    pairs = [(c, side) for c in tried if (side := told(c)) is not None]
    assert len(pairs) >= least
    for latex, side in pairs:
        for _, e, _ in told.readings(latex):
            same = whether(side, relettered(e, s), given=system, over=s.letters)
            assert same.status == "proved", latex


@pytest.mark.parametrize(
    ("text", "piece"),
    [
        (QUOTIENT, r"\beta \mu"),  # what stands behind / is one factor
        (QUOTIENT, r"\beta + 2"),
        (MATRICES, r"\beta"),  # of which nothing is said: beside vectors it is one
        (DERIVATIVE, "S_{il}"),  # which may be summed
        (DERIVATIVE, "x"),
        (MATRICES, "X"),
        (MATRICES, "-2"),
        (MATRICES, r"\frac{1}{0}"),
    ],
)
def test_what_may_become_another_thing_is_not_told(text, piece):
    _, told, right, _ = last(text)
    before, bar, after = right.partition("/")
    rest = (before + bar + " ", f" {after}") if bar else ("", f" {right}")
    candidate, number = (Filled(rest[0], x, rest[1]) for x in (piece, "2"))
    told.counts[candidate.around] = fillings.FEWEST
    assert told(candidate) is None
    assert bar or told(number) is not None


def test_corrections_are_the_same_and_less_is_read(monkeypatch):
    text = MATRICES.replace(r"= X^\top", r"= 2 X^\top")
    counts, reports = [], []
    real = repair._read.__wrapped__
    for off in (False, True):
        read = []

        def counted(head, whole, read=read):
            read.append(whole)
            return real(head, whole)

        monkeypatch.setattr(repair, "_read", counted)
        if off:
            monkeypatch.setattr(Fillings, "__call__", lambda self, latex: None)
        reports.append([(r.latex, r.verdict, r.correction) for r in check(text, timeout=None)])
        counts.append(len(set(read)))
    assert reports[0] == reports[1]
    assert counts[0] < 0.9 * counts[1]  # what lacks a name is left out in both ways


def test_what_differs_in_spaces_alone_is_read_once():
    head, one = "<!-- symattn: sizes A:(n,n) B:(n,n) -->", repair._whole("A B", "=", "2  B A", "")
    repair._read.cache_clear()
    found = [[*repair._readings(head, "A B", "=", [c], "")] for c in ("2 B A", " 2  B\tA ", "2B A")]
    assert repair._read.cache_info().misses == 2 and all(len(row) == 1 for row in found)
    assert found[0][0][1] is found[1][0][1] and one == "A B = 2 B A"
    assert repair._whole("A", "=", "B % a slip\n + C", "") == "A = B % a slip\n + C"
