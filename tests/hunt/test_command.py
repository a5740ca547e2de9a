"""`symattn bench hunt`: a table by kind, an exit code, and what it says where the hunter is not."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from symattn import bench_hunt, checkout
from symattn.cli import main
from symattn.errors import UnsupportedError


def test_a_table_by_kind(capsys: pytest.CaptureFixture[str]) -> None:
    asked = ["--count", "4", "--seed", "3", "--kind", "true", "--kind", "printed"]
    assert main(["bench", "hunt", *asked, "--format", "json"]) == 0
    rows = json.loads(capsys.readouterr().out)["hunt"]
    assert [row["kind"] for row in rows] == ["true", "printed"]
    assert all(row["asked"] == 4 and row["wrong"] == 0 for row in rows)


def test_what_is_wrong_falls_short(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    outcome = {"said": "wrong value", "seconds": 0.1, "good": False, "wrong": True,
               "broken": False, "slow": False, "text": "how to see it"}  # fmt: skip
    monkeypatch.setattr(bench_hunt, "_asked", lambda job: [outcome])
    assert main(["bench", "hunt", "--count", "1", "--kind", "compiled"]) == 1
    assert "how to see it" in capsys.readouterr().err


def test_no_hunter_in_an_installed_package(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(checkout, "TESTS", tmp_path)
    assert main(["bench", "hunt", "--count", "1"]) == 2
    assert "not of the installed package" in capsys.readouterr().err


def test_an_unknown_kind_is_named() -> None:
    with pytest.raises(UnsupportedError, match="there is no kind 'lies'"):
        bench_hunt.bench_hunt(1, kinds=["lies"])
