"""The verdict on a limit: a rule proves it, numbers settle elsewhere, or neither."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import sympy as sp

from ..errors import SymattnError
from ..prove import whether
from ..syntax import System
from . import counts, report
from .derived import printed
from .doubts import doubt
from .finding import Finding, under_some
from .inside import names
from .limits import Limiting, Settled
from .statements import Statement
from .versions import closure

if TYPE_CHECKING:
    from .judge import Judge

KIND = "limit"


def limit(s: Statement, judge: Judge) -> Finding:
    """The finding on lim f = g, or g = lim f, under every choice of definitions."""
    left, right = (s.lhs, s.rhs) if isinstance(s.lhs, sp.Limit) else (s.rhs, s.lhs)
    if s.relation not in ("=", ":=", "≈") or right is None:
        return Finding(report.SKIPPED, "a limit in a relation that is no equation", kind=KIND)
    if isinstance(left, sp.Limit) and isinstance(right, sp.Limit):
        return _two(s, left, right, judge)
    if right.atoms(sp.Limit):
        return Finding(report.SKIPPED, "a limit that is compared with another", kind=KIND)
    if counts := _counts(left):
        why = f"{counts} goes to its limit, and is read as an index"
        return Finding(report.SKIPPED, why, kind=KIND)
    if right in (sp.oo, -sp.oo):
        return Finding(report.SKIPPED, "a limit that is not finite", kind=KIND)
    systems = (judge.versions.system(s), *judge.versions.others(s))
    return under_some(systems, lambda system: _under(s, left, right, system, judge), KIND)


def _counts(limit: sp.Limit) -> str:
    """The n of lim_{n → ∞} x^n, where x has components; empty for none."""
    body, variable, *_ = limit.args
    letters = {str(x).rstrip("'") for x in body.atoms(sp.Idx)}
    return str(variable) if str(variable) in letters else ""


def _two(s: Statement, left: sp.Limit, right: sp.Limit, judge: Judge) -> Finding:
    """lim f = lim g: f = g on the way, or both limits are known."""
    system = judge.versions.system(s)
    body, variable, *end = left.args
    other, own, *where = right.args
    if end == where:
        with suppress(SymattnError):
            same = whether(body, other.subs(own, variable), given=system, over=s.letters)
            if same.status == "proved":
                used = judge.rests_on(s, system)
                return Finding(report.PROVED, "the same before the limit", kind=KIND, used=used)
    value = Limiting(right, sp.S.Zero, s.letters, system).number()
    if value is None:
        reason = "a limit that is compared with another, of which the value is not known"
        return Finding(report.SKIPPED, reason, kind=KIND)
    return limit(replace(s, lhs=left, rhs=value), judge)


def _under(s: Statement, left: Any, right: Any, system: System, judge: Judge) -> Finding:
    whole = system
    system, beside = _varied(left, whole)
    if beside:
        reason = f"{left.args[1]} is made of {beside}, and so is what it is the limit of"
        return Finding(report.UNPROVED, reason, kind=KIND)
    asked = Limiting(left, right, s.letters, system)
    if not asked.depends:
        body = ", ".join(sorted(names(left.args[0]))) or "it"
        reason = f"nothing in the document says how {body} depends on {left.args[1]}"
        return Finding(report.UNPROVED, reason, kind=KIND)
    used = judge.rests_on(s, system)
    proof = asked.proof()
    if proof is not None and proof.condition:
        reason = f"true only if {proof.condition}"
        return Finding(report.CONDITIONAL, reason, kind=KIND, used=used)
    if proof is not None:
        return Finding(report.PROVED, f"by {proof.rule}", kind=KIND, used=used)
    numbers = asked.sampled(judge.seed)
    if numbers is None:
        reason = "no rule for limits reaches it, and numbers do not settle it"
        return Finding(report.UNPROVED, reason, kind=KIND)
    if not numbers.refuted:
        reason = "no rule for limits reaches it; numbers near the limit agree"
        return Finding(report.UNPROVED, reason, kind=KIND)
    turned = not isinstance(s.lhs, sp.Limit)
    values = _values(numbers, turned)
    told = right + left.args[1]  # what it is the limit of may have the variable
    plain = replace(s, lhs=left.args[0], rhs=told, relation="=", name="")
    why = doubt(plain, whole, judge.versions)
    if why:
        verdict = report.SKIPPED if why.startswith("it may be a condition") else report.UNPROVED
        return Finding(verdict, why, values, kind=KIND)
    for condition, meant in counts.numbers(replace(s, lhs=left.args[0], rhs=right), system):
        if Limiting(left, right.xreplace(meant), s.letters, system).proof() is not None:
            return Finding(report.CONDITIONAL, f"true if {condition}", kind=KIND, used=used)
    reason = f"near the limit it is {numbers.found:.6g}, not {numbers.claimed:.6g}"
    value = asked.value()
    right_side = printed(*value, judge.versions.document) if value else ""
    return Finding(report.REFUTED, reason, values, right_side, kind=KIND, used=used)


def _varied(limit: sp.Limit, system: System) -> tuple[System, str]:
    """The system with what goes to its limit free, z = h λ; and a name that is beside it then."""
    body, variable, *_ = limit.args
    own = system.definitions.get(str(variable))
    if own is None:
        return system, ""
    free = System(*(d for d in system if d.name != own.name), facts=system.facts)
    shared = closure(names(own.expr), free) & closure(names(body) - {own.name}, free)
    return free, min(shared, default="")


def _values(found: Settled, turned: bool) -> dict[str, Any]:
    values = {n: v.tolist() if hasattr(v, "tolist") else v for n, v in (found.values or {}).items()}
    sides = (found.claimed, found.found) if turned else (found.found, found.claimed)
    return {
        "sizes": dict(found.sizes or {}),
        "values": values,
        "entry": dict(found.entry or {}),
        "lhs": sides[0],
        "rhs": sides[1],
    }


__all__ = ["limit"]
