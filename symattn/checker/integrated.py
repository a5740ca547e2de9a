"""Verdicts on equations with integrals: what they presuppose, and what numbers say of them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np
import sympy as sp

from ..errors import SymattnError
from ..objects import Partial
from ..prove import prove
from ..syntax import System, define
from . import report
from .antiderivatives import Unknown
from .definite import Closed, definite
from .doubts import doubt
from .finding import Finding
from .inside import names, partials
from .second import Unable, compare, differ
from .versions import closure

if TYPE_CHECKING:
    from .judge import Judge
    from .statements import Statement

POINTS, TRIES = 3, 12
CLAIMED = ("=", ":=")


def judged(s: Statement, found: Finding, judge: Judge) -> Finding:
    """The finding on a statement, with what its integrals add to it."""
    integrals = judge.versions.integrals
    if not integrals.written or s.rhs is None or found.verdict == report.DEFINITION:
        return found
    system = found.system or judge.versions.system(s)
    here = sorted(closure(names(s.lhs) | names(s.rhs), system) & integrals.written.keys())
    if not here or s.relation not in CLAIMED:
        return found
    closed = {n: integrals.value(n, s) for n in here}
    if found.verdict in (report.PROVED, report.CONDITIONAL):
        return _presupposed(found, closed)
    if found.verdict == report.REFUTED:
        return _doubted(s, found, system, judge, here)
    if found.verdict != report.UNPROVED and found.kind != "claim" and s.kind != "claim":
        return found
    if by := _under_derivative(s, system, judge, here) or _differentiated(s, system, judge, here):
        return by
    if any(c is None for c in closed.values()):
        return _measured(s, found, system, judge, here)
    return found


def _presupposed(found: Finding, closed: dict[str, Any]) -> Finding:
    """Proved under what the closed forms presuppose."""
    known = {n: c for n, c in closed.items() if c is not None}
    values = [f"{n} = {sp.sstr(c.expr)}, by an antiderivative" for n, c in known.items()]
    used = (*(u for u in found.used if not any(n in u for n in closed)), *values)
    found = replace(found, used=used)
    conditions = dict.fromkeys(c for k in known.values() for c in k.conditions)
    if not conditions:
        return found
    said = " and ".join(conditions)
    reason = f"{found.reason}, and where {said}" if found.reason else f"true where {said}"
    return replace(found, verdict=report.CONDITIONAL, reason=reason)


def _free(s: Statement, system: System, judge: Judge, here: Iterable[str]) -> bool:
    """Every name under the ∫ stands outside of it too, so that it does not hang on its variable."""
    integrals = judge.versions.integrals
    plain = _without(system, integrals.written)
    outside = closure(names(s.lhs) | names(s.rhs), plain)
    for n in here:
        written, body = integrals.written[n], integrals.bodies.get(n)
        variables = {x.name for x, _, _ in written.over}
        ends = [e for _, low, high in written.over for e in (low, high)]
        outside |= closure(set().union(*map(names, ends)), plain)
        for t in judge.versions.statements:  # what it is said to be
            if n in (sides := names(t.lhs) | names(t.rhs)):
                outside |= closure(sides, plain)
        if body is None or not closure(names(body), plain) <= outside | variables | {*here}:
            return False
    return True


def _without(system: System, gone: Iterable[str]) -> System:
    kept = (d for d in system if d.name not in {*gone})
    return System(*kept, facts=system.facts)


def _sides(
    s: Statement, system: System, judge: Judge, here: Iterable[str]
) -> list[tuple[float, float, dict[str, float]]] | None:
    """Both sides at points, integrals by quadrature; None where these cannot be had."""
    integrals = judge.versions.integrals
    try:
        plain = _without(system, integrals.written)
    except SymattnError:
        return None
    below = closure(names(s.lhs) | names(s.rhs), plain)
    for n in here:
        below |= closure(names(integrals.bodies.get(n, sp.S.Zero)), plain)
        ends = [e for _, low, high in integrals.written[n].over for e in (low, high)]
        below |= closure(set().union(*map(names, ends)), plain)
    free = sorted(below - set(plain.definitions) - {*here})
    if any(e.atoms(sp.Indexed, Partial) for e in (s.lhs, s.rhs, *(d.expr for d in plain))):
        return None
    found = []
    for k in range(TRIES):
        rng = np.random.default_rng([judge.seed, k, 13])
        drawn = rng.choice(np.arange(20, max(140, 21 + len(free))), len(free), replace=False)
        at = {n: float(sp.Rational(int(x), 64)) for n, x in zip(free, drawn, strict=True)}
        known = {d.name: v for d in plain if (v := _known(d, at, plain)) is not None}
        values = {n: integrals.number(n, s, {**known, **at}) for n in here}
        if any(v is None for v in values.values()):
            continue  # where it has no value
        try:
            arrays = {**at, **values}
            found.append((*compare(s.lhs, s.rhs, plain, arrays, {}, {}, judge.seed), at))
        except Unable:
            return None
        if len(found) == POINTS:
            return found
    return None


def _known(d: Any, at: dict[str, float], system: System) -> float | None:
    """The value of a definition without letters."""
    if d.indices:
        return None
    try:
        return compare(d.expr, d.expr, system, at, {}, {})[0]
    except Unable:
        return None


def _doubted(
    s: Statement, found: Finding, system: System, judge: Judge, here: list[str]
) -> Finding:
    """A refutation stands where quadrature shows it too, and nothing hangs on the variable."""
    slip = judge.near(s, found.proof, system) if found.proof is not None else None
    if slip is None and not _free(s, system, judge, here):
        reason = "differs where nothing under the integral hangs on its variable unsaid"
        return replace(found, verdict=report.UNPROVED, reason=reason, correction="")
    values = _sides(s, system, judge, here)
    if values is None and _come_to(s, system, judge, here):
        return found  # V' of V = π ∫_0^h x dx, by what the integral is
    if values is None or not all(differ(a, b) for a, b, _ in values):
        reason = "differs at a sampled point, which quadrature does not show"
        return replace(found, verdict=report.UNPROVED, reason=reason, correction="")
    return _shown(found, values[0])


def _come_to(s: Statement, system: System, judge: Judge, here: list[str]) -> bool:
    """Quadrature agrees with what its integrals are, which a derivative is taken of."""
    integrals = judge.versions.integrals
    closed = {n: integrals.value(n, s) for n in here}
    if any(c is None or c.conditions or integrals.written[n].letters for n, c in closed.items()):
        return False
    if not partials(s.lhs, s.rhs, *(d.expr for d in system)):
        return False
    plain = _without(system, integrals.written)
    for n, known in closed.items():
        claim = replace(s, lhs=sp.Symbol(n), rhs=known.expr, name="")  # type: ignore[union-attr]
        below = closure(names(claim.rhs) | names(integrals.bodies.get(n, sp.S.Zero)), plain)
        own = System(*(d for d in plain if d.name in below), facts=plain.facts)
        values = _sides(claim, own, judge, [n])
        if values is None or any(differ(a, b) for a, b, _ in values):
            return False
    return True


def _doubt(s: Statement, system: System, judge: Judge, here: Iterable[str]) -> str:
    """What speaks for the author, but for the integrals themselves."""
    integrals = judge.versions.integrals
    known = []
    for n in here:
        body = integrals.bodies.get(n)
        by = {x for x, _, _ in integrals.written[n].over}
        if n not in system.definitions and body is not None:
            others = sorted((x for x in body.free_symbols - by if x.is_Symbol), key=str)
            known.append(define(n, integrals.written[n].letters, sp.Add(2, *others)))
    try:
        return doubt(s, System(*system, *known, facts=system.facts), judge.versions)
    except SymattnError:
        return "its integrals have no values"


def _shown(found: Finding, point: tuple[float, float, dict[str, float]]) -> Finding:
    """With numbers at a point where the integrals have values."""
    left, right, at = point
    example = {"sizes": {}, "values": at, "entry": {}, "lhs": left, "rhs": right, "seed": 0}
    reason = found.reason
    if reason.startswith("left ") and "· right" not in reason:
        reason = f"left {left:.6g}, right {right:.6g} at a sampled point"
    return replace(found, reason=reason, counterexample=example)


def _measured(
    s: Statement, found: Finding, system: System, judge: Judge, here: list[str]
) -> Finding:
    """What quadrature says where no antiderivative is known."""
    values = _sides(s, system, judge, here)
    if values is None:
        return found
    apart = [abs(a - b) > 1e-3 * (1 + abs(a) + abs(b)) for a, b, _ in values]
    close = [abs(a - b) < 1e-6 * (1 + abs(a) + abs(b)) for a, b, _ in values]
    if all(close):
        why = "no antiderivative is known; quadrature agrees"
        return replace(found, verdict=report.UNPROVED, reason=why)
    if not all(apart) or not _free(s, system, judge, here):
        return found
    if why := _doubt(s, system, judge, here):
        return replace(found, reason=why)
    left, right, _ = values[0]
    why = f"left {left:.6g}, right {right:.6g} by quadrature"
    found = replace(found, verdict=report.REFUTED, reason=why, correction="")
    return replace(_shown(found, values[0]), reason=why)


def _under_derivative(
    s: Statement, system: System, judge: Judge, here: list[str]
) -> Finding | None:
    """Leibniz' rule for the derivative of an integral; None where there is none."""
    integrals = judge.versions.integrals
    found: dict[Any, sp.Expr] = {}
    for partial in s.lhs.atoms(Partial) | s.rhs.atoms(Partial):
        top, y = partial.args
        name = getattr(top, "name", "")
        if name not in here or not isinstance(y, sp.Symbol):
            return None
        written = integrals.written[name]
        if len(written.over) > 1 or written.over[0][1] is None:
            return None
        try:
            x, low, high = written.over[0]
            body = integrals.inlined(written.body, {x.name, y.name}, s)
            low, high = (integrals.inlined(e, {y.name}, s) for e in (low, high))
            inner = sp.diff(body, y) if y != x else sp.S.Zero
            rest = definite(inner, ((x, low, high),)) if inner != 0 else Closed(sp.S.Zero)
        except (Unknown, SymattnError):
            return None
        if rest.conditions or inner.has(sp.Derivative):
            return None
        ends = [body.xreplace({x: e}) * sp.diff(e, y) for e in (low, high)]
        if any(e.has(sp.oo, -sp.oo, sp.nan, sp.zoo) for e in (*ends, rest.expr)):
            return None
        found[partial] = ends[1] - ends[0] + rest.expr
    if not found:
        return None
    lhs, rhs = (e.xreplace(found) for e in (s.lhs, s.rhs))
    try:
        verdict = prove(lhs, rhs, given=_without(system, here), over=s.letters, seed=judge.seed)
    except SymattnError:
        return None
    if verdict.status == "proved":
        assumed = ("what stands under the integral is continuous", *verdict.conditions)
        return Finding(report.PROVED, "by Leibniz' rule", assumed=assumed)
    return None


def _differentiated(s: Statement, system: System, judge: Judge, here: list[str]) -> Finding | None:
    """Whether the derivative of what is claimed to be an antiderivative is the integrand."""
    integrals = judge.versions.integrals
    open_ = [n for n in here if integrals.written[n].over[0][1] is None]
    if not open_ or any(len(integrals.written[n].over) > 1 for n in open_):
        return None
    by = {integrals.written[n].over[0][0] for n in open_}
    if len(by) > 1 or not {*open_} & (names(s.lhs) | names(s.rhs)):
        return None
    (x,) = by
    try:
        plain = _without(system, open_)
        sides = [integrals.inlined(e, {x.name}, s, False) for e in (s.lhs, s.rhs)]
        bodies = {n: integrals.inlined(integrals.written[n].body, {x.name}, s) for n in open_}
    except (Unknown, SymattnError):
        return None
    if any(e.atoms(sp.Indexed, sp.Sum) for e in (*sides, *bodies.values())):
        return None
    primitives = {integrals.written[n].symbol: sp.Function(f"I_{n}")(x) for n in open_}
    if not any(e.has(x) for e in sides):
        return None  # limits that nobody writes
    slopes = []
    for side in sides:
        slope = sp.diff(side.xreplace(primitives), x)
        for symbol, f in primitives.items():
            slope = slope.xreplace({sp.Derivative(f, x): bodies[symbol.name]})
        if slope.has(*primitives.values(), sp.Derivative):
            return None
        slopes.append(slope)
    try:
        verdict = prove(slopes[0], slopes[1], given=plain, seed=judge.seed)
    except SymattnError:
        return None
    if verdict.status == "proved":
        assumed = ("up to a constant", *verdict.conditions)
        return Finding(report.PROVED, "its derivative is the integrand", assumed=assumed)
    meant = replace(s, lhs=slopes[0], rhs=slopes[1], name="")
    free = _free(s, system, judge, open_) and not _doubt(meant, plain, judge, ())
    if verdict.status == "refuted" and free:
        return Finding(report.REFUTED, "its derivative is not the integrand", proof=verdict)
    return None


__all__ = ["judged"]
