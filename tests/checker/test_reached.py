r"""Which edits can mend on what two sides hang; none is left out that may."""

from __future__ import annotations

import mpmath
import pytest

from symattn.checker import check, repair
from symattn.checker.edits import Filled
from symattn.checker.judge import Judge
from symattn.checker.outline import Outline
from symattn.checker.reached import Reached
from symattn.checker.second import DIGITS, Second
from symattn.checker.statements import reading

GIVEN = r"""
Let $S \in \mathbb{R}^{n \times m}$, $x, y \in \mathbb{R}^m$ and numbers $\beta$, $\mu$.

$$ A_{ij} = \frac{e^{\beta S_{ij}}}{\sum_l e^{\beta S_{il}}} $$

$$ z_i = \sum_j A_{ij} x_j $$

"""


def reached(claim: str) -> Reached:
    found = reading(GIVEN + f"$$ {claim} $$")
    judge, s = Judge(found, Outline(GIVEN)), found.statements[-1]
    system = judge.versions.system(s)
    way = Second(system, {}, {}, 1)
    with mpmath.workdps(DIGITS):
        way.know(s.lhs, s.rhs)
        return Reached(s, system, way, way.place({}, s.lhs, s.rhs))


def test_what_brings_in_no_name_mends_nothing_where_one_is_lacking() -> None:
    told = reached(r"\sum_j A_{ij} x_j \mu = 2 z_i")
    assert told.lacks and not told.exceeds
    assert not told.may_agree("4 z_i") and not told.may_agree("-2 z_i")
    assert told.may_agree(r"2 \mu z_i") and told.may_agree(r"2 z_j")


def test_one_factor_more_mends_nothing_where_there_is_a_name_too_many() -> None:
    told = reached(r"z_i = \mu \sum_j A_{ij} x_j")
    assert told.exceeds and not told.lacks
    assert not told.may_agree(Filled("", "2", r" \mu \sum_j A_{ij} x_j"))
    assert told.may_agree(Filled(r"\mu \sum_j A_{ij} x_j + ", r"\mu", " "))  # a term
    assert told.may_agree(r"\sum_j A_{ij} x_j")


@pytest.mark.parametrize(
    "claim",
    [
        r"1 + 0 \beta = \frac{1}{2} \sum_j A_{ij}",  # whatever it is made of
        r"z_i = 2 \sum_j A_{ij} x_j",
        r"\sum_j A_{ij} \mu = 2 \mu",
    ],
)
def test_what_is_made_of_a_name_need_not_hang_on_it(claim: str) -> None:
    told = reached(claim)
    assert not told.lacks and not told.exceeds


@pytest.mark.parametrize(
    ("claim", "right"),
    [
        (r"\sum_j A_{ij} = 2", "1"),
        (r"\mu z_i = \sum_j A_{ij} x_j", r"\mu"),
        (r"\frac{\partial z_i}{\partial x_k} = \beta A_{ik}", "A_{ik}"),
    ],
)
def test_corrections_are_found_with_it_as_without(
    claim: str, right: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    rows = [check(GIVEN + f"$$ {claim} $$", timeout=None).rows[-1]]
    monkeypatch.setattr(Reached, "may_agree", lambda self, latex, brings=None: True)
    rows.append(check(GIVEN + f"$$ {claim} $$", timeout=None).rows[-1])
    assert rows[0].correction == rows[1].correction
    assert right in rows[0].correction


def test_less_is_read_of_a_definition_by_other_names(monkeypatch: pytest.MonkeyPatch) -> None:
    text = GIVEN + r"$$ z_i = \sum_j A_{ij} y_j \mu $$"
    counts = []
    real = repair._read.__wrapped__
    for off in (False, True):
        read = set[str]()

        def counted(head, whole, read=read):
            read.add(whole)
            return real(head, whole)

        monkeypatch.setattr(repair, "_read", counted)
        if off:
            monkeypatch.setattr(Reached, "may_agree", lambda self, latex, brings=None: True)
        check(text, timeout=None)
        counts.append(len(read))
    assert counts[0] < 0.8 * counts[1]
