"""Derivatives by what is defined the other way round: dμ/dη where η = log μ/(1 − μ).

So is ∂ℓ/∂Λ where Λ = Σ⁻¹ and ℓ is made of Σ, which is Λ⁻¹ then.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import sympy as sp

from ..errors import SymattnError
from ..objects import Inverse, Partial, TensorSymbol
from ..syntax import System, define, inverse
from . import report
from .doubts import doubt
from .finding import Finding
from .finding import values as values_of
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
    open_ = found.verdict in (report.UNPROVED, report.SKIPPED) and UNKNOWN in (limit or "")
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
    for t in sorted(_drivers(partials, below, system)) if found.verdict == report.REFUTED else [""]:
        turned = _turned(partials, t, system)
        if turned is None or (open_ and _held(partials, judge)):
            continue
        meant = replace(s, lhs=s.lhs.xreplace(turned), rhs=s.rhs.xreplace(turned))
        try:
            verdict = judge.prove(meant, system)
        except SymattnError:
            continue
        if verdict.status == "refuted" and open_:
            return judge.near(meant, verdict, system) or found
        if verdict.status != "proved" or verdict.trivial:
            continue
        used = judge.rests_on(meant, system)
        if open_:
            assumed = ("an inverse function has a derivative", *verdict.conditions)
            return Finding(report.PROVED, assumed=assumed, used=used, proof=verdict, system=system)
        # E = a log s + b u, u = 1/s: by u, or along u
        why = f"true where {t} changes with {', '.join(below)}"
        return replace(found, verdict=report.CONDITIONAL, reason=why, used=used, correction="")
    return found


def _drivers(partials: set[Any], below: list[str], system: System) -> set[str]:
    """What moves with the names that are derived by: the inputs that they are made of."""
    return closure(below, system) - system.definitions.keys() if len(below) == 1 else set()


def _turned(partials: set[Any], driver: str, system: System) -> dict[Any, sp.Expr] | None:
    """∂y/∂x as (∂y/∂t)/(∂x/∂t) for this t, or for the one that x and y share; None for none."""
    turned: dict[Any, sp.Expr] = {}
    for p in partials:
        y, x = p.args
        name = next(iter(names(x)))
        shared = (closure([name], system) - system.definitions.keys()) & closure(names(y), system)
        if driver not in ("", *shared) or not (driver or len(shared) == 1):
            return None
        t = _shared(x, name, driver or next(iter(shared)), system)
        if t is None:
            return None
        turned[p] = (sp.S.One if y == t else Partial(y, t)) / Partial(x, t)
    return turned


def _held(partials: set[Any], judge: Judge) -> bool:
    """Another definition shares several inputs with what is derived by: ∂r/∂x where x = r cos θ and
    y = r sin θ, of which either y or θ may be held."""
    document = judge.versions.document
    for p in partials:
        tops, by = (names(x) for x in p.args)
        inputs = closure(by, document) - document.definitions.keys()
        made = closure({*tops, *by}, document)
        for name in document.definitions.keys() - made:
            own = closure([name], document)
            if len(own & inputs) > 1 and not own & by:
                return True
    return False


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
