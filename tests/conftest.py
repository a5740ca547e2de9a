"""What several tests use: the command in this process, and a folder of derivations."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from symattn.cli import main

ROOT = Path(__file__).parent.parent

SMALL = '''r"""The gradient of a square

Of the sum of the squares of a vector $x$.
"""

import symattn as sa

source = "any first course"

(n,) = sa.sizes("n")
i, j = sa.indices("i j", n)
x = sa.tensor("x", n)
y = sa.define("y", (), sa.total(x[i] * x[i], i))
system = sa.System(y)

results = {"Gradient": sa.jacobian(system, of="y", wrt="x")}
claims = [("Twice the square", 2 * y, sa.total(2 * x[j] ** 2, j))]
'''


@pytest.fixture
def symattn(capsys: pytest.CaptureFixture[str]) -> Callable[..., tuple[int, str, str]]:
    """Runs a command: its exit code, what it printed, and what it said on stderr."""

    def run(*args: str) -> tuple[int, str, str]:
        capsys.readouterr()
        try:
            code = main(args)
        except SystemExit as stop:  # argparse ends --help and usage errors this way
            code = stop.code if isinstance(stop.code, int) else 1
        out, err = capsys.readouterr()
        return code, out, err

    return run


@pytest.fixture
def small(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder of derivations with one file, small.py, in place of the real one."""
    folder = tmp_path / "derivations"
    folder.mkdir()
    (folder / "small.py").write_text(SMALL, "utf-8")
    monkeypatch.setattr("symattn.gallery.folder", lambda: folder)
    monkeypatch.chdir(tmp_path)  # `symattn build` keeps its records where it runs
    return folder


@pytest.fixture(scope="session")
def root() -> Path:
    """The checkout."""
    return ROOT
