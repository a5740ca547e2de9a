"""S_{10} = 55, by the rule that says what S_n is: computed, and compared to the digits printed."""

from __future__ import annotations

import random
from fractions import Fraction
from typing import Any

import sympy as sp

from ..read.at_numbers import AtNumber
from ..read.sequences import CONSTANT, Consequence, Rule
from ..read.tree import Node, Number, walk
from . import report
from .at_random import Table
from .consequences import at_steps
from .finding import Finding
from .induction import FAULTS
from .numbers import decimals

FINEST = 20  # a number is exact where so many of it are whole: 0.05


def at_number(claim: AtNumber, latex: str) -> Finding | None:
    """Proved where both agree to the digits printed, refuted where no rounding makes them."""
    found = {_values(claim, form) for form in claim.forms}
    if len(found) != 1 or None in found:  # two equations say two things of it
        return None
    ((left, right),) = found  # type: ignore[misc]
    half = _half(latex)
    gap, within = abs(left - right), sp.Rational(half)
    if gap <= within:
        why = "agrees to the digits printed" if half else ""
        return Finding(report.PROVED, why, kind="number")
    exact = all(map(_exact, (value for _, value in claim.given)))
    rounded = not half and right.is_Integer and not left.is_Integer and gap < 1
    if claim.tied or not exact or rounded or gap <= 2 * within:
        return None
    why = f"the numbers differ by more than rounding: the left side is {_shown(left, half)}"
    correction = _shown(left, half) if half or left.is_Integer else sp.latex(left)
    return Finding(report.REFUTED, why, kind="number", correction=correction)


def _values(claim: AtNumber, form: Rule) -> tuple[Any, Any] | None:
    """Both sides, where one of its equations says what it is; None for no numbers."""
    given = tuple(Rule(name, "", 0, value, CONSTANT, 0) for name, value in claim.given)
    others = (r for r in claim.rules if r.name != form.name)
    own = Consequence(claim.sides, "", "", (form, *others, *given), claim.places)
    table = Table(random.Random(0))
    try:
        left, right = (table(at_steps(own)(side)) for side in claim.sides)
    except FAULTS:
        return None
    return None if table.known else (left, right)  # a name of which nothing says what it is


def _half(latex: str) -> Fraction:
    """Half a unit of the last digit of the number behind =, and 0 of one without a point."""
    found = decimals(latex.rpartition("=")[2])
    return max(found.values(), default=Fraction(0))


def _exact(value: Node) -> bool:
    numbers = (Fraction(n.text) for n in walk(value) if isinstance(n, Number))
    return all((FINEST * x).denominator == 1 for x in numbers)


def _shown(x: Any, half: Fraction) -> str:
    """A number with as many digits as the other one has, or in full."""
    if not half:
        return str(x) if x.is_Rational else f"{float(x):.6g}"
    digits = 0
    while Fraction(1, 2 * 10**digits) > half:
        digits += 1
    return f"{float(x):.{digits}f}"


__all__ = ["at_number"]
