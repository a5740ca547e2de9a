"""Derivatives by what is defined the other way round: dμ/dη where η = log μ/(1 − μ).

So is ∂ℓ/∂Λ where Λ = Σ⁻¹ and ℓ is made of Σ, which is Λ⁻¹ then.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import sympy as sp

from ..errors import SymattnError
from ..objects import Inverse, Partial, TensorSymbol
from ..syntax import System, define, inverse
from . import report
from .coordinates import coordinates
from .doubts import doubt
from .finding import Finding
from .finding import values as values_of
from .implicit import APART
from .inside import names
from .ties import equated
from .versions import closure
from .within import besides

if TYPE_CHECKING:
    from .judge import Judge
    from .statements import Statement

UNKNOWN = "nothing defines what is derived"


def inverted(s: Statement, found: Finding, judge: Judge) -> Finding:
    """The finding, or the proof where ∂y/∂x is (∂y/∂t)/(∂x/∂t), t being all that x and y share.

    Of tensors, where x_j hangs on t_j alone.
    """
    limit = found.proof.limit if found.proof is not None else ""
    open_ = found.verdict in (report.UNPROVED, report.SKIPPED) and (
        UNKNOWN in (limit or "") or found.reason.startswith(APART)
    )
    if (
        s.rhs is None
        or s.relation not in ("=", ":=")
        or not (open_ or found.verdict == report.REFUTED)
    ):
        return found
    partials = s.lhs.atoms(Partial) | s.rhs.atoms(Partial)
    below = sorted({n for p in partials for n in names(p.args[1])})
    system = judge.versions.system(s, below)
    if found.verdict == report.REFUTED and not _through(partials, system):
        return found
    if open_ and (other := _other_way(s, below, system)) is not None:
        return _of_inverse(*other, judge) or found
    if found.verdict == report.REFUTED:
        return _driven(s, found, partials, below, judge, system) or found
    for reading in _readings(partials, s, judge, system):
        if (told := _told(s, reading, below, judge)) is not None:
            return told
    return _driven(s, found, partials, below, judge, system) or found


def _driven(
    s: Statement, found: Finding, partials: set[Any], below: list[str], judge: Judge, system: System
) -> Finding | None:
    """E = a log s + b u with u = 1/s: by u, or along u, where s changes with it.

    And dE/dp of E = γ m c² and p = γ m v, where v changes with it.
    """
    drivers = closure(below, system) - system.definitions.keys() if len(below) == 1 else set[str]()
    for t in sorted(drivers):
        if (turned := _turned(partials, t, system)) is None:
            continue
        meant = replace(s, lhs=s.lhs.xreplace(turned), rhs=s.rhs.xreplace(turned))
        try:
            verdict = judge.prove(meant, system)
        except SymattnError:
            continue
        if verdict.status == "proved" and not verdict.trivial:
            used = judge.rests_on(meant, system)
            why = f"true where {t} changes with {', '.join(below)}"
            return replace(found, verdict=report.CONDITIONAL, reason=why, used=used, correction="")
    return None


def _turned(partials: set[Any], driver: str, system: System) -> dict[Any, sp.Expr] | None:
    """∂y/∂x as (∂y/∂t)/(∂x/∂t) for this t, which x and y share; None for none."""
    turned: dict[Any, sp.Expr] = {}
    for p in partials:
        y, x = p.args
        name = next(iter(names(x)), "")
        if driver not in closure([name], system) & closure(names(y), system):
            return None
        if (t := _shared(x, name, driver, system)) is None:
            return None
        turned[p] = _slope(y, t) / Partial(x, t)
    return turned


@dataclass(frozen=True)
class _Reading:
    """What the derivatives of a statement are, and what stays where the text does not say so."""

    turned: dict[Any, sp.Expr]
    held: tuple[str, ...] = ()


def _readings(partials: set[Any], s: Statement, judge: Judge, system: System) -> Iterator[_Reading]:
    """With the other coordinates held, and with the other inputs held."""
    turned: dict[Any, sp.Expr] = {}
    other: dict[Any, sp.Expr] = {}
    places, inputs, unclear = set[str](), set[str](), False
    for p in sorted(partials, key=str):
        y, x = p.args
        if not (name := next(iter(names(x)), "")):
            return  # a size is no coordinate
        own = closure([name], system) - system.definitions.keys()
        shared = own & closure(names(y), system)
        t = _shared(x, name, next(iter(shared)), system) if len(shared) == 1 else None
        if t is not None:
            other[p] = _slope(y, t) / Partial(x, t)
        if (flow := _along(y, name, s, judge)) is not None:
            turned = {**turned, p: flow}
            continue
        if (found := coordinates(name, own, names(y), s, judge)) is None:
            turned = {**turned, p: other[p]} if t is not None else turned
            continue
        if len(found.names) > 1:
            turned[p] = found.slope(y, name, system)
        unclear = unclear or not found.told
        places, inputs = places | {*found.names} - {name}, inputs | own - shared
    if len(turned) == len(partials):
        yield _Reading(turned, tuple(sorted(places)) if unclear else ())
    if unclear and len(other) == len(partials):
        yield _Reading(other, tuple(sorted(inputs)))


def _told(s: Statement, reading: _Reading, below: list[str], judge: Judge) -> Finding | None:
    """The finding with the derivatives as they are read; None where it decides nothing."""
    turned = reading.turned
    every = {n for e in turned.values() for n in names(e)}
    system = judge.versions.system(s, sorted({*below, *every}))
    meant = replace(s, lhs=s.lhs.xreplace(turned), rhs=s.rhs.xreplace(turned))
    try:
        verdict = judge.prove(meant, system)
    except SymattnError:
        return None
    if verdict.status == "refuted" and not reading.held:
        return judge.near(meant, verdict, system)
    if verdict.status != "proved" or verdict.trivial:
        return None
    assumed = ("an inverse function has a derivative", *verdict.conditions)
    used = judge.rests_on(meant, system)
    if reading.held:  # ∂x/∂F of F = k x beside E = k x²/2: at the same k, or at the same E
        do = "do" if len(reading.held) > 1 else "does"
        why = f"true where {', '.join(reading.held)} {do} not change"
        return Finding(report.CONDITIONAL, why, used=used, proof=verdict, system=system)
    return Finding(report.PROVED, assumed=assumed, used=used, proof=verdict, system=system)


def _along(y: Any, name: str, s: Statement, judge: Judge) -> sp.Expr | None:
    """dH/dS along a flow, by the rates of both: (dH/dt)/(dS/dt)."""
    if not isinstance(y, sp.Symbol) or not {y.name, name} <= judge.versions.moving:
        return None
    rates = [judge.versions.rate(n, s) for n in (y.name, name)]
    return None if None in rates else rates[0] / rates[1]


def _slope(y: Any, t: Any) -> sp.Expr:
    """∂y/∂t, which is 1 for t."""
    return sp.S.One if y == t else Partial(y, t)


def _through(partials: set[Any], system: System) -> bool:
    """What is derived is made of the name, and besides of what the name is made of."""
    for p in partials:
        of, by = (names(x) for x in p.args)
        parts = [system.definitions[n] for n in by if n in system.definitions]
        if any(besides(of, d, system) & names(d.expr) for d in parts):
            return True
    return False


def _other_way(s: Statement, below: list[str], system: System) -> tuple[Statement, System] | None:
    """With Σ = Λ⁻¹ in place of Λ = Σ⁻¹, Λ being what is derived by; it is symmetric as Σ is."""
    d = system.definitions.get(below[0]) if len(below) == 1 else None
    base = getattr(d.expr, "base", None) if d is not None else None
    if d is None or not isinstance(base, Inverse) or d.expr.indices != d.indices:
        return None
    whole, made = base.of, d.lhs.base
    if whole.name in system.definitions or not isinstance(whole, TensorSymbol):
        return None
    even = str(whole.args[2])
    turned = TensorSymbol(made.label, made.shape, even)
    change = {whole: TensorSymbol(whole.label, whole.shape, ""), made: turned}
    rest = [define(x.name, x.indices, x.expr.xreplace(change)) for x in system if x is not d]
    own = define(whole.name, d.indices, inverse(turned)[d.indices])
    facts = [f.xreplace(change) for f in system.facts]
    there = replace(s, lhs=s.lhs.xreplace(change), rhs=s.rhs.xreplace(change))
    return there, System(own, *rest, facts=facts)


def _of_inverse(s: Statement, system: System, judge: Judge) -> Finding | None:
    """The finding on a derivative by an inverse; None where there is none."""
    try:
        verdict = judge.prove(s, system)
    except SymattnError:
        return None
    if verdict.status == "proved" and not judge._doubtful(s, verdict, system):
        return judge._proved(s, verdict, system)
    if verdict.status != "refuted":
        return None
    if even := judge._where_symmetric(s, verdict, system):
        return even
    tie = equated(s, system, judge.versions)  # that Λ = Σ⁻¹ is what Σ = Λ⁻¹ says
    by = {n for p in s.lhs.atoms(Partial) | s.rhs.atoms(Partial) for n in names(p.args[1])}
    tied = tie and not tie.endswith(tuple(by))
    if tied or doubt(s, system, judge.versions, equated):
        return None
    return Finding(
        report.REFUTED,
        min(verdict.hints, default="the sides differ at a sampled point"),
        values_of(verdict),
        used=judge.rests_on(s, system),
        proof=verdict,
        system=system,
    )


def _shared(x: Any, name: str, shared: str, system: System) -> Any:
    """What x is a function of: a number, or component by component; None for anything else."""
    d = system.definitions.get(name)
    if d is None:
        return None
    if isinstance(x, sp.Symbol):
        found = {z for d in system for z in d.expr.atoms(sp.Symbol) if z.name == shared}
        return next(iter(found), None)
    own = [z for z in d.expr.atoms(sp.Indexed) if z.base.name == shared]
    alike = own and all(z.indices == d.indices for z in own) and not d.expr.atoms(sp.Sum)
    through = names(d.expr) & system.definitions.keys()
    return own[0].base[tuple(x.indices)] if alike and not through else None


__all__ = ["inverted"]
