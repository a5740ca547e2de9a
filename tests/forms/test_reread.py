"""Printed results are read back as what they are; `python tests/forms reread` looks at all."""

from __future__ import annotations

import pytest

from symattn.derive.record import Derivation

from . import FORMS
from .reread import misread

SOME = ("unit vector", "softmax", "gain of an amplifier with feedback")


@pytest.mark.parametrize("name", SOME)
@pytest.mark.parametrize("spelling", (0, 1))
def test_results_are_read_back(name, spelling):
    form = next(f for f in FORMS if f.name == name)
    assert misread(form, spelling) == []


def test_another_formula_is_not_read_back(monkeypatch):
    form = next(f for f in FORMS if f.name == "unit vector")
    found = Derivation.equation
    monkeypatch.setattr(
        Derivation, "equation", lambda d, **how: found(d, **how).replace(" - ", " + ")
    )
    (line,) = misread(form, 0)
    assert "is read as" in line
