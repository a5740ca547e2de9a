"""Whole documents with the verdict that every formula must get, half of the claims wrong."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path

import pytest

from symattn.checker import check
from symattn.checker.report import MALFORMED, PROVED, REFUTED, WRONG, Report, Row
from symattn.prove import prove

FOLDER = Path(__file__).parent / "documents"
DOCUMENTS = sorted(p.name for p in FOLDER.iterdir() if p.is_file())
EXPECT = re.compile(r"(?:<!--|%) expect: ([\w ]+?)(?:; correct: (.*?))?\s*(?:-->|$)", re.MULTILINE)


def expected(text: str) -> list[tuple[int, list[str], str | None]]:
    """Line, verdicts of the chain behind it, and the correction that must be found."""
    return [(text.count("\n", 0, m.start()) + 1, m[1].split(), m[2]) for m in EXPECT.finditer(text)]


def matched(report: Report, text: str) -> list[tuple[Row, str, str | None]]:
    """Every row with what was expected of it; a formula without expectation fails the test."""
    found, rows = [], list(report.rows)
    marks = expected(text)
    ends = [line for line, _, _ in marks[1:]] + [1 << 30]
    for (line, verdicts, correction), end in zip(marks, ends, strict=True):
        here = [r for r in rows if line < r.line < end]
        assert len(here) == len(verdicts), (line, [r.latex for r in here])
        found += [(r, v, correction) for r, v in zip(here, verdicts, strict=True)]
    assert len(found) == len(rows)
    return found


@pytest.mark.parametrize("name", DOCUMENTS)
def test_every_verdict_and_correction(name: str) -> None:
    """The verdicts, the corrections that are expected, one for nearly all that is wrong, and
    counterexamples that show a difference."""
    report, text = check(FOLDER / name, timeout=None), (FOLDER / name).read_text()
    wrong = [
        f"{r.line}: {r.verdict} ({r.reason}), expected {verdict}: {r.latex}"
        for r, verdict, _ in matched(report, text)
        if r.verdict != verdict
    ]
    assert not wrong, "\n".join(wrong)
    rows = [(r, c) for r, v, c in matched(report, text) if v in WRONG]
    for row, correction in rows:
        if correction is not None:
            assert row.correction.replace(" ", "") == correction.replace(" ", ""), row.latex
    bounds = ("<", ">", r"\le", r"\ge")  # which have no other right side
    rows = [(r, c) for r, c in rows if not any(b in r.latex.replace(r"\left", "") for b in bounds)]
    without = [f"{r.line}: {r.latex}" for r, _ in rows if not r.correction]
    assert len(without) <= len(rows) // 10, "\n".join(without)
    for row in report.of(REFUTED):
        assert row.counterexample is not None
        assert row.counterexample["lhs"] != row.counterexample["rhs"]


def test_the_set_is_large_and_half_of_it_is_wrong() -> None:
    counts = Counter(
        v for n in DOCUMENTS for _, vs, _ in expected((FOLDER / n).read_text()) for v in vs
    )
    assert sum(counts.values()) >= 100
    assert len(DOCUMENTS) >= 5
    claims = counts[PROVED] + counts[REFUTED] + counts[MALFORMED]
    assert 0.4 <= (counts[REFUTED] + counts[MALFORMED]) / claims <= 0.6


def test_an_engine_that_proves_everything_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    """Differences of numbers veto a proof of a derivative."""
    from symattn.checker import asked

    real = prove

    def gullible(*args: object, **kwargs: object) -> object:
        from dataclasses import replace

        return replace(real(*args, **kwargs), status="proved", counterexample=None)  # type: ignore[arg-type]

    monkeypatch.setattr(asked, "prove", gullible)
    text = (
        "$$ g = \\sum_i x_i^2 $$\n\n"
        "$$ \\frac{\\partial g}{\\partial x_k} = 3 \\sum_i \\delta_{ik} x_i $$\n"
    )
    assert [r.verdict for r in check(text)] == ["definition", "unproved"]
