r"""Equations with the imaginary unit, by i² = −1: e^{iθ} = cos θ + i sin θ, z² of z = x + i y.

All other names are taken for real numbers.  What agrees at numbers of thirty digits, and whose real
and imaginary parts have normal forms that vanish, is proved; what differs at all of them is refuted
where both sides are made of the same names, so that no value of these is asked for.
"""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import sympy as sp

from ..errors import SymattnError
from ..objects import Partial
from ..prove import whether
from ..read.imaginary import UNITS, WHY
from ..syntax import System
from . import report
from .doubts import OTHERWISE
from .finding import Finding
from .inside import names
from .statements import Statement
from .ties import EXACT
from .versions import closure

if TYPE_CHECKING:
    from .judge import Judge

POINTS, DIGITS = 4, 30
LARGEST = 400  # nodes of an expression
_PART = re.compile(r"\b(?:real|imaginary|physical|observable|conjugate|phasor)", re.IGNORECASE)
_ASKED = re.compile(r"true only if (?:-?[ij]\b|[ij]\^)")
_KNOWN = (sp.exp, sp.log, sp.sin, sp.cos, sp.tan, sp.sinh, sp.cosh, sp.tanh)


def settled(judge: Judge, s: Statement, found: Finding) -> Finding:
    """The finding, or what i² = −1 says of a statement that nothing but i leaves open."""
    open_ = found.verdict == report.UNPROVED
    again = found.verdict == report.DEFINITION and judge.outline.infers(s.line, s.column)
    tied_by = (open_ or again) and found.reason.endswith(WHY)
    if not (tied_by or _ASKED.match(found.reason)) or s.relation not in EXACT:
        return found
    if _PART.search(judge.outline.sentence(s.line, s.column)):
        return found
    tied = getattr(judge.versions.document, "unresolved", {})
    system = judge.versions.system(s)
    reached = closure(names(s.lhs) | names(s.rhs), system)
    units = {n for n in reached if n in UNITS and tied.get(n) == WHY}
    if not units or any(tied.get(n, WHY) != WHY for n in reached):
        return found
    try:
        sides = [_written(side, system) for side in (s.lhs, s.rhs)]
    except (SymattnError, ValueError):
        return found
    free = [{str(x) for x in side.free_symbols} - units for side in sides]
    put = {x: sp.I if str(x) in units else sp.Symbol(str(x), real=True)
           for side in sides for x in side.free_symbols}  # fmt: skip
    left, right = (side.xreplace(put) for side in sides)
    points = [*_values(left, right, judge.seed)]
    if not points:
        return found
    if all(abs(a - b) < 10 ** (-DIGITS // 2) * (1 + abs(a)) for a, b in points):
        back = {y: x for x, y in put.items() if y != sp.I}
        parts = [part.xreplace(back) for part in sp.expand_complex(left - right).as_real_imag()]
        if not all(_vanishes(part, judge.seed) for part in parts):
            return found
        return replace(
            found, verdict=report.PROVED, reason=f"with {min(units)}² = −1", kind="claim"
        )
    if any(abs(a - b) < 10**-6 * (abs(a) + abs(b)) for a, b in points) or free[0] != free[1]:
        return found
    if any(d(s, system, judge.versions) for d in OTHERWISE) or not judge.supposes(s, system):
        return found
    a, b = points[0]
    why = f"left {_shown(a)}, right {_shown(b)} at a sampled point"
    return replace(found, verdict=report.REFUTED, reason=why, kind="claim", system=system)


def _written(side: Any, system: System) -> Any:
    """A side by what nothing defines.  Raises ValueError where that is no plain function of it."""
    for _ in range(len(system.definitions) + 1):
        slopes = {p: _slope(p, system) for p in side.atoms(Partial)}
        made = {n: d.expr for n, d in system.definitions.items() if not d.indices}
        free = side.xreplace(slopes).free_symbols
        known = {x: made[x.name] for x in free if isinstance(x, sp.Symbol) and x.name in made}
        if not slopes and not known:
            break
        side = side.xreplace(slopes).xreplace(known)
        if sum(1 for _ in sp.preorder_traversal(side)) > LARGEST:
            raise ValueError("it is too large")
    plain = all(isinstance(f, _KNOWN) for f in side.atoms(sp.Function))
    if not plain or side.atoms(sp.Indexed, sp.Idx, sp.Sum, sp.Integral, sp.Limit, Partial):
        raise ValueError("it is no plain function")
    return side


def _slope(p: Any, system: System) -> Any:
    top, by = p.args
    if not isinstance(by, sp.Symbol) or by.name in system.definitions:
        raise ValueError("it is no derivative by a number that is free")
    return sp.diff(_written(top, system), by)


def _vanishes(part: Any, seed: int) -> bool:
    """The normal form of a real or an imaginary part is 0."""
    try:
        return part == 0 or whether(part, sp.S.Zero, seed=seed).status == "proved"
    except SymattnError:
        return False


def _values(left: Any, right: Any, seed: int) -> Iterator[tuple[complex, complex]]:
    """Both sides at random real numbers of both signs, beyond π."""
    draw = random.Random(seed)
    free = sorted(left.free_symbols | right.free_symbols, key=str)
    for _ in range(POINTS):
        at = {x: draw.choice((-1, 1)) * sp.Rational(draw.randint(20, 320), 64) for x in free}
        found = [sp.N(side.xreplace(at), DIGITS) for side in (left, right)]
        if not all(x.is_number and x.is_finite for x in found):
            return
        yield complex(found[0]), complex(found[1])


def _shown(x: complex) -> str:
    return f"{x.real:.6g} {'-' if x.imag < 0 else '+'} {abs(x.imag):.6g} i"


__all__ = ["settled"]
