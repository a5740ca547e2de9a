"""The guide runs from top to bottom."""

from __future__ import annotations

import re
from pathlib import Path

PAGE = Path(__file__).parents[2] / "docs" / "compile.md"


def test_the_guide_runs(capsys):
    blocks = re.findall(r"```python\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL)
    assert len(blocks) > 4
    space: dict = {}
    for block in blocks:
        exec(block, space)
    assert "def compute_O(" in capsys.readouterr().out
