"""One-page derivations of many fields, all right: no alarm, and nearly everything is decided."""

from __future__ import annotations

from pathlib import Path

import pytest

from symattn.checker import check
from symattn.checker.report import SKIPPED, UNPROVED, WRONG

PAPERS = sorted((Path(__file__).parent / "papers").glob("c_*"))


@pytest.mark.parametrize("path", PAPERS, ids=lambda p: p.name)
def test_what_is_right_is_decided(path: Path) -> None:
    report = check(path, timeout=None, corrections=False)
    assert not report.of(*WRONG)
    assert len(report.rows) >= 8
    assert len(report.of(UNPROVED, SKIPPED)) <= 1, [r.latex for r in report.of(UNPROVED, SKIPPED)]
