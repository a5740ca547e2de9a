r"""Along the curve of an equation: dy/dx = -x/y of x² + y² = r², by implicit differentiation.

dL/dx of an L that is made of both is ∂L/∂x + ∂L/∂y dy/dx; the other names do not change.
"""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import mpmath
import sympy as sp

from ..errors import SymattnError
from ..objects import Partial
from ..syntax import System
from . import report
from .doubts import CONDITION
from .finding import Finding
from .implicit import with_the_rest_held
from .links import TOTAL
from .motion import of_both
from .statements import Statement
from .versions import closure

if TYPE_CHECKING:
    from .judge import Judge

POINTS, TRIES, NEAR = 3, 60, 1e-8
NUMBERS = (1, 2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31)  # pairwise different ones are drawn

_CONSTRAINED = re.compile(  # and not along it
    r"\b(?:constrain\w*|subject to|Lagrang\w*|multiplier\w*|(?:mini|maxi|opti)mi[sz]\w*)\b", re.I
)
_ALONG = re.compile(r"\b(?:along|implicit\w*|on (?:the|this|a|it)|substitut\w*|total)\b", re.I)


class Open(Exception):
    """Something is no number, or nothing says how it changes."""


@dataclass(frozen=True)
class Curve:
    """F(x, y) = 0 with how y changes with x along it; `line` is where it stands."""

    gap: sp.Expr
    x: sp.Symbol
    y: sp.Symbol
    line: int

    @property
    def slope(self) -> sp.Expr:
        """dy/dx = -(∂F/∂x)/(∂F/∂y)."""
        return -sp.diff(self.gap, self.x) / sp.diff(self.gap, self.y)

    def along(self, expr: sp.Expr) -> sp.Expr:
        """d/dx of what is made of numbers."""
        return sp.diff(expr, self.x) + sp.diff(expr, self.y) * self.slope


def along(s: Statement, found: Finding, judge: Judge) -> Finding:
    """The finding, or that along the curve which a section says its names are on.

    Proved where normal forms agree, or what is left holds its equation; refuted where numbers on
    it differ.
    """
    if s.rhs is None or s.relation not in ("=", ":=") or found.verdict == report.DEFINITION:
        return found
    partials = s.lhs.atoms(Partial) | s.rhs.atoms(Partial)
    if not partials or any(of_both(judge, s, p) is not None for p in partials):
        return found
    system = judge.versions.system(s)
    try:
        curve = _curve(s, partials, judge, system)
        sides = [_written(side, curve, system) for side in (s.lhs, s.rhs)]
    except Open:
        if found.verdict == report.REFUTED:
            return _moved(s, found, partials, judge, system)
        why = found.verdict == report.PROVED and with_the_rest_held(s, system, judge.versions)
        return replace(found, verdict=report.CONDITIONAL, reason=why) if why else found
    told = decided(s, curve, sides, judge)
    wrong = told is not None and told.verdict == report.REFUTED
    if wrong and found.verdict == report.PROVED and _may_hold(s, judge):
        why = f"true with {curve.y} held, which line {curve.line} ties to {curve.x}"
        return replace(found, verdict=report.CONDITIONAL, reason=why)
    return told or found


def _may_hold(s: Statement, judge: Judge) -> bool:
    """d may hold what ∂ does, where an equation is a constraint to the text."""
    constrained = _CONSTRAINED.search(judge.outline.around(s.line))
    return bool(constrained) and not _ALONG.search(judge.outline.sentence(s.line, s.column))


def _moved(
    s: Statement, found: Finding, partials: set[Any], judge: Judge, system: System
) -> Finding:
    """What ∂ holds may move in the author's mind: conditional where it is proved so."""
    xs = {p.args[1] for p in partials}
    x = next(iter(xs))
    if len(xs) != 1 or not isinstance(x, sp.Symbol) or x.name in system.definitions:
        return found
    try:
        made = closure({_top(p) for p in partials}, system)
        for gap, line in _ties(s, x, judge, system):
            for y in sorted(gap.free_symbols - {x}, key=str):
                curve = Curve(gap, x, y, line)
                sides = [_written(side, curve, system) for side in (s.lhs, s.rhs)]
                told = decided(s, curve, sides, judge) if y.name in made else None
                if told is not None and told.verdict == report.PROVED:
                    why = f"true where {y} changes with {x}, as line {line} says"
                    return replace(found, verdict=report.CONDITIONAL, reason=why, correction="")
    except Open:
        pass
    return found


def decided(s: Statement, curve: Curve, sides: list[sp.Expr], judge: Judge) -> Finding | None:
    used = (f"line {curve.line}",)
    for left, right in (sides, *_on(curve, sides)):
        try:
            verdict = judge.prove(replace(s, lhs=left, rhs=right), System())
        except SymattnError:
            continue
        if verdict.status != "proved" or verdict.trivial:
            continue
        rest = sorted(map(str, curve.gap.free_symbols - {curve.x, curve.y}))
        held = (f"{', '.join(rest)}: constant",) if rest else ()
        assumed = (f"{curve.y} is a function of {curve.x}", *held, *verdict.conditions)
        return Finding(report.PROVED, assumed=assumed, used=used, proof=verdict)
    if not _differ(curve, sides[0] - sides[1]):
        return None
    why = f"d{curve.y}/d{curve.x} is {_short(curve.slope)} by line {curve.line}"
    plain = isinstance(s.lhs, Partial) and not any("_" in x.name for x in sides[0].free_symbols)
    right = sp.latex(_short(sides[0])) if plain else ""
    return Finding(report.REFUTED, why, correction=right, used=used, kind="claim")


def _short(expr: sp.Expr) -> sp.Expr:
    """The shortest of its forms."""
    return min((expr, sp.factor(expr), sp.cancel(expr)), key=lambda e: len(str(e)))


def _on(curve: Curve, sides: list[sp.Expr]) -> Iterator[list[sp.Expr]]:
    """The sides with a name that its equation gives put in: x² + y² for the r² of a circle."""
    for v in sorted(curve.gap.free_symbols, key=str):
        try:
            terms = dict(sp.Poly(curve.gap, v).terms())
        except sp.PolynomialError:
            continue
        powers = {k for (k,) in terms} - {0}
        if len(powers) == 1:
            (k,) = powers
            value = -terms.get((0,), sp.S.Zero) / terms[k,]
            put = [side.subs(v**k, value) for side in sides]
            if not any(v in side.free_symbols for side in put):
                yield put


def _curve(s: Statement, partials: set[Any], judge: Judge, system: System) -> Curve:
    """The one equation that ties two names of which the derivatives of a statement speak."""
    by = {a for p in partials for a in [p.args[1]]}
    free = {_top(p) for p in partials} - system.definitions.keys()
    x = next(iter(by))
    total = TOTAL.search(s.latex) is not None and r"\partial" not in s.latex
    if len(by) != 1 or not isinstance(x, sp.Symbol) or x.name in system.definitions:
        raise Open
    if not total and (len(free) != 1 or not {_top(p) for p in partials} <= free):
        raise Open  # ∂L/∂x holds y, and ∂y/∂x can hold nothing else
    ties = [*_ties(s, x, judge, system)]
    if len(ties) != 1:
        raise Open
    gap, line = ties[0]
    asked = {_top(Partial(*p.args)) for t in judge.versions.statements for side in (t.lhs, t.rhs)
             if side is not None for p in side.atoms(Partial) if p.args[1] == x}  # fmt: skip
    others = sorted(gap.free_symbols - {x}, key=str)
    derived = [y for y in others if y.name in asked - system.definitions.keys()]
    made = closure({_top(p) for p in partials}, system)
    below = [y for y in others if y.name in made]
    moved = derived or below or others
    moves = {y for y in others if f"{y}_dot" in judge.versions.table}
    if len(moved) != 1 or not free <= {moved[0].name} or moves - {moved[0]}:
        raise Open
    return Curve(gap, x, moved[0], line)


def _ties(s: Statement, x: sp.Symbol, judge: Judge, system: System) -> list[tuple[sp.Expr, int]]:
    """The equations of a section that define nothing and hold x, as what is 0."""
    section = judge.outline.section
    found: dict[sp.Expr, int] = {}
    for t in judge.versions.statements:
        if t.rhs is None or t.relation not in ("=", ":=") or section(t.line) != section(s.line):
            continue
        if t.whole == s.whole or t.lhs.atoms(Partial) or t.rhs.atoms(Partial) or not t.line:
            continue
        if judge.outline.at_a_value(t.line, t.column):
            continue
        known = [v for v in judge.versions.table.get(t.name, ())
                 if (v.line, v.column) != (t.line, t.column)
                 and section(v.line) == section(t.line)]  # fmt: skip
        level = isinstance(t.rhs, sp.Symbol) and t.rhs.name not in system.definitions
        if t.name and not (known and level):
            continue
        left = known[0].definition.expr if t.name else t.lhs
        there = judge.versions.system(t)
        gap = sp.expand(inlined(left, there) - inlined(t.rhs, there))
        if gap != 0 and x in gap.free_symbols and (t.name or _is_condition(t, judge)):
            found.setdefault(gap, t.place[0])
    return [*found.items()]


def _is_condition(t: Statement, judge: Judge) -> bool:
    """It is no claim: the text takes it for true, or it settles nothing."""
    found = judge.plain(t)
    return found.kind == "fact" or (
        found.verdict == report.SKIPPED and found.reason.startswith(CONDITION)
    )


def _top(p: Any) -> str:
    """The name that is derived, however often."""
    while isinstance(p, Partial):
        p = p.args[0]
    if not isinstance(p, sp.Symbol):
        raise Open
    return p.name


def _written(side: Any, curve: Curve, system: System) -> sp.Expr:
    """A side with its derivatives along the curve."""
    if isinstance(side, Partial):
        return curve.along(_written(side.args[0], curve, system))
    if not side.args:
        return inlined(side, system)
    return side.func(*(_written(a, curve, system) for a in side.args))


def inlined(expr: Any, system: System) -> sp.Expr:
    """A formula of numbers with its definitions put in; raises Open for any other."""
    if expr.atoms(sp.Indexed, sp.Sum, Partial):
        raise Open
    own = {z: system.definitions[z.name] for z in expr.free_symbols if z.name in system.definitions}
    if any(d.indices for d in own.values()):
        raise Open
    return expr.xreplace({z: inlined(d.expr, system) for z, d in own.items()})


def _differ(curve: Curve, gap: sp.Expr) -> bool:
    """The two sides are different numbers at points of the curve."""
    draw = random.Random(0)
    rest = sorted((gap.free_symbols | curve.gap.free_symbols) - {curve.y}, key=str)
    try:
        both = sp.lambdify([curve.y, *rest], [curve.gap, gap], "mpmath")
    except NotImplementedError:  # a determinant
        return False
    apart = 0
    for _ in range(TRIES if len(rest) < len(NUMBERS) else 0):
        begin, *values = (mpmath.mpf(k) / 16 for k in draw.sample(NUMBERS, len(rest) + 1))
        try:
            y = mpmath.findroot(lambda v: both(v, *values)[0], begin)  # noqa: B023
            here = both(y, *values)[1]
        except (ValueError, ZeroDivisionError, TypeError, OverflowError, NameError):
            continue
        if not mpmath.isfinite(here) or mpmath.im(here) or mpmath.im(y):
            continue
        if abs(here) < NEAR:
            return False
        apart += 1
    return apart >= POINTS


__all__ = ["Curve", "Open", "along", "decided", "inlined"]
