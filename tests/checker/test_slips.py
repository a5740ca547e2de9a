"""Slips that are injected, and verdicts that keep to their own statement."""

from __future__ import annotations

import pytest

from symattn.checker.deadline import Late
from symattn.checker.documents import decided
from symattn.checker.judge import Judge
from symattn.checker.outline import Outline
from symattn.checker.report import REFUTED
from symattn.checker.slips import slips
from symattn.checker.statements import reading


@pytest.mark.parametrize(
    ("side", "left", "wrong"),
    [
        ("0", "x", "-0"),
        ("|D| | A - B |", "d", "|D| | A  "),
        (r"x_{z \sim q}", "y_{zm}", r"x_{z \snm q}"),
    ],
)
def test_what_is_no_formula_or_no_change_is_no_slip(side: str, left: str, wrong: str) -> None:
    made = [changed for _, changed in slips(side, left)]
    assert wrong not in made
    assert all(changed.count("|") % 2 == 0 for changed in made)


def test_a_sum_still_loses_a_term() -> None:
    assert ("dropped term", "a  ") in list(slips("a + b", "c"))


def test_time_that_runs_out_behind_a_refutation_leaves_its_own_verdict(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    text = "$$ (a + b)^2 = a^2 + b^2 + a b $$\n\n$$ (c - d)^2 = c^2 - d^2 + 3 c d $$\n"
    found = reading(text)
    first, second = found.statements
    judge = Judge(found, Outline(text))

    def late(self: Judge, s: object, system: object) -> object:
        self.plain(second)
        raise Late

    monkeypatch.setattr(Judge, "_below", late)
    kept = decided(judge, first, 60.0)
    assert kept.verdict == REFUTED
    assert "2 a b" in " ".join(kept.correction.split())


@pytest.mark.parametrize("side", [r"(1 - \frac{1}{N}) r", r"\frac{1}{n} \cdot 2 r", r"\frac{1}{2}"])
def test_a_scale_that_is_no_factor_before_another_is_not_left_out(side: str) -> None:
    assert "missing scale" not in [kind for kind, _ in slips(side, "c")]


def test_a_scale_is_left_out_before_a_sum_and_a_bracket() -> None:
    assert ("missing scale", r"\sum_i x_i") in list(slips(r"\frac{1}{n} \sum_i x_i", "c"))
    assert ("missing scale", r"\left( a + b \right)") in list(
        slips(r"\frac{1}{\sqrt{d}} \left( a + b \right)", "c")
    )
