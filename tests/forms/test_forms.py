"""What is printed for the gradients of the gallery, against the textbook's lines.

open.txt names the lines that are not yet printed so; each of them must still fail, and no other.
One test derives a system once and compares all its lines.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from . import FORMS
from .printed import kinds, row

OPEN = frozenset(Path(__file__).with_name("open.txt").read_text("utf-8").splitlines())


@pytest.mark.parametrize("form", FORMS, ids=lambda f: f.name)
def test_lines(form):
    rows = [row(form, wrt, kind) for wrt in form.results for kind in kinds(form, wrt)]
    wrong = [r for r in rows if not r.same and r.key not in OPEN]
    shown = "\n".join(f"{r.key}\n    {r.line}\n    {r.printed}" for r in wrong)
    assert not wrong, f"not the textbook's line, which is above what is printed:\n{shown}"
    mended = [r.key for r in rows if r.same and r.key in OPEN]
    assert not mended, "no longer open; `python tests/forms open` writes open.txt anew: " + str(
        mended
    )


def test_names_of_lines():
    keys = [f"{f.name} / {w} / {k}" for f in FORMS for w in f.results for k in kinds(f, w)]
    assert not OPEN - set(keys), "open.txt names lines that no form has"
    assert len(set(keys)) == len(keys), "two lines have one name"


def test_adjoints_of_lines_are_results():
    for form in FORMS:
        known = {form.of, *form.results}
        for line in (*form.results.values(), *form.again.values()):
            used = set(re.findall(r"\\bar\{(\\?\w+)\}", line.index + line.matrix))
            assert used <= known, f"{form.name}: {used - known} should be results too"
