"""Where an equation is met: at its roots, and of what is always met at none in particular."""

from __future__ import annotations

import sympy as sp

from symattn.checker import solutions


def test_what_is_always_met_has_no_solution_of_its_own() -> None:
    x, a = sp.symbols("x a")
    assert solutions._solved(x - x, x) == []
    assert solutions._solved((x + a) - a - x, x) == []
    assert solutions._solved(2 * x - 6, x) == [3]
