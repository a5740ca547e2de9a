"""What is printed for the gradients of the gallery, against the textbook's lines.

open.txt names the lines that are not yet printed so; each of them must still fail, and no other.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from . import FORMS
from .printed import kinds, row

OPEN = frozenset(Path(__file__).with_name("open.txt").read_text("utf-8").splitlines())
ROWS = [(f, wrt, kind) for f in FORMS for wrt in f.results for kind in kinds(f, wrt)]
KEYS = [f"{f.name} / {wrt} / {kind}" for f, wrt, kind in ROWS]


@pytest.mark.parametrize(
    ("form", "wrt", "kind"),
    [
        pytest.param(
            *r,
            id=key,
            marks=[pytest.mark.xfail(raises=AssertionError, strict=True)] if key in OPEN else [],
        )
        for r, key in zip(ROWS, KEYS, strict=True)
    ],
)
def test_line(form, wrt, kind):
    r = row(form, wrt, kind)
    assert r.same, f"textbook: {r.line}\nprinted:  {r.printed}"


def test_open_lists_rows_of_the_gallery():
    assert not OPEN - set(KEYS), "open.txt names lines that no form has"
    assert len(set(KEYS)) == len(KEYS), "two lines have one name"


@pytest.mark.parametrize("form", FORMS, ids=lambda f: f.name)
def test_adjoints_of_lines_are_results(form):
    known = {form.of, *form.results}
    for line in form.results.values():
        used = set(re.findall(r"\\bar\{(\\?\w+)\}", line.index + line.matrix))
        assert used <= known, f"{used - known} should be results too"
