"""Principal values: arcsin(sin x) = x for |x| ≤ π/2, arccos(cos x) = x for 0 ≤ x ≤ π."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import sympy as sp

from ..errors import SymattnError
from ..read.ranges import Range
from . import report
from .finding import Finding
from .finding import values as values_of
from .inside import names
from .repair import proves
from .symmetries import changed
from .versions import closure

if TYPE_CHECKING:
    from .judge import Judge
    from .statements import Statement

_UNDONE = {sp.asin: sp.sin, sp.acos: sp.cos, sp.atan: sp.tan}
_BETWEEN = {
    sp.asin: (-math.pi / 2, math.pi / 2, "-π/2 ≤ {} ≤ π/2"),
    sp.acos: (0.0, math.pi, "0 ≤ {} ≤ π"),
    sp.atan: (-math.pi / 2, math.pi / 2, "-π/2 < {} < π/2"),
}


def principal(s: Statement, found: Finding, judge: Judge) -> Finding:
    """The finding where what is under these functions has its principal values."""
    system = found.system
    if found.verdict not in (report.REFUTED, report.UNPROVED) or system is None or s.rhs is None:
        return found
    reached = closure(names(s.lhs) | names(s.rhs), system)
    exprs = [s.lhs, s.rhs, *(d.expr for d in system if d.name in reached)]
    undone = {u: u.args[0].args[0] for e in exprs for u in e.atoms(*_UNDONE) if _is_undone(u)}
    if not undone:
        return found
    try:
        left, right, other = changed(s, system, undone)
        other_s = replace(s, lhs=left, rhs=right)
        if not proves(other_s, other):
            return found
    except SymattnError:
        return found
    said = judge.said_of(s, system)
    where, proof = [], judge.prove(other_s, other)
    for u, x in sorted(undone.items(), key=str):
        low, high, words = _BETWEEN[u.func]
        known = _ranges(x, said)
        if not known or not all(low <= one and other <= high for one, other in known):
            where.append(words.format(x))
    if not where:
        free = sorted({str(y) for x in undone.values() for y in x.free_symbols})
        used = tuple(dict.fromkeys(r.said for n in free for r in said[n] if r.said))
        return Finding(report.PROVED, used=used, proof=proof, system=other)
    why = f"true where {' and '.join(dict.fromkeys(where))}"
    values = values_of(found.proof) if found.proof is not None else None
    if any(_ranges(x, said) for x in undone.values()) and found.verdict == report.REFUTED:
        return found  # where the text says it lies, it differs
    return Finding(report.CONDITIONAL, why, values, proof=proof, system=other)


def _ranges(x: Any, said: Mapping[str, list[Range]]) -> list[tuple[float, float]]:
    """Between which numbers x, or a x + b, lies; nothing where the text does not say it."""
    free = [*x.free_symbols]
    if len(free) != 1 or not (slope := sp.diff(x, free[0])).is_number:
        return []
    at_0 = float(x.subs(free[0], 0))
    pairs = ([at_0 + float(slope) * e for e in (r.low, r.high)] for r in said.get(str(free[0]), []))
    return [(min(pair), max(pair)) for pair in pairs]


def _is_undone(u: Any) -> bool:
    return isinstance(u.args[0], _UNDONE[u.func])


__all__ = ["principal"]
