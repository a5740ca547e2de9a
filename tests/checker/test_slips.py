"""Slips that are injected, and verdicts that keep to their own statement."""

from __future__ import annotations

from pathlib import Path

import pytest

from symattn.checker.bench import bench
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


def test_what_leaves_no_formula_is_no_slip() -> None:
    matrix = r"\begin{pmatrix} 1 & d \\ -1/f & 1 - d/f \end{pmatrix}"
    assert all(changed.count("/f") == 2 for _, changed in slips(matrix, "c"))
    assert all("( )" not in changed for _, changed in slips(r"-\sigma(-\Delta)", "c"))
    assert ("wrong power", r"k \sigma T") in list(slips(r"k \sigma\sqrt{T}", "c"))
    assert list(slips(r"\int f(x) \, dx", "c")) == []


ENERGY = """# A spring

$$ E = \\frac12 k q^2 + \\frac12 m v^2 $$

With $p = m v$ it is

$$ E = \\frac{k q^2}{2} + \\frac{p^2}{2 m} $$

$$ x_i = 2 q_i, \\qquad q_i = \\frac{x_i}{2} $$
"""


def test_what_nothing_determines_is_counted_apart(tmp_path: Path) -> None:
    file = tmp_path / "spring.md"
    file.write_text(ENERGY)
    outcome = bench([file])
    (row,) = (r for r in outcome.rows() if r["slip"] == "all")
    assert not outcome.alarms and row["proved"] == 0
    assert row["injected"] == len([s for s in outcome.slips if not (s.harmless or s.undetermined)])
    assert all(s.verdict == "definition" for s in outcome.slips if s.undetermined)
    assert all(s.found for s in outcome.slips if s.line == 7 and s.kind in ("factor", "sign"))


def test_several_entries_tell_whether_a_slip_is_one(tmp_path: Path) -> None:
    text = r"""With $Q \in \mathbb{R}^{n \times d}$ and $K \in \mathbb{R}^{n \times d}$ let

$$ S_{ij} = \sum_a Q_{ia} K_{ja} $$

so that

$$ S_{ij} = \sum_a K_{ja} Q_{ia} $$
"""
    file = tmp_path / "scores.md"
    file.write_text(text)
    swapped = [s for s in bench([file]).slips if s.kind == "index swap"]
    assert swapped and not any(s.harmless for s in swapped)
