"""The verdict on an inequality: a proof, values that break it, or neither."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import sympy as sp

from ..syntax import System
from . import counts, logarithms, report
from .doubts import CONDITION, doubt
from .finding import Finding, under_some
from .inequalities import RELATIONS, Broken, Inequality, oriented
from .inside import names
from .numbers import decimals, is_numeric
from .second import Unable, compare
from .statements import Statement
from .versions import closure

if TYPE_CHECKING:
    from .judge import Judge


KIND = "inequality"


def bound(s: Statement, judge: Judge) -> Finding:
    """The finding on left ≤ right, under every choice of definitions that may be meant."""
    if s.relation not in RELATIONS:
        return Finding(report.SKIPPED, f"{s.relation} states no equality", kind="relation")
    systems = (judge.versions.system(s), *judge.versions.others(s))
    return under_some(systems, lambda system: _under(s, system, judge), KIND)


def _under(s: Statement, system: System, judge: Judge) -> Finding:
    positive, limited = judge.outline.ranges(s.line, s.column)
    reached = closure(names(s.lhs) | names(s.rhs), system) - set(system.definitions)
    if reached & positive:
        exprs = [s.lhs, s.rhs, *(d.expr for d in system)]
        s, system = logarithms.positive(s, system, reached & positive, exprs)
    found = _sampled(s, system, judge)
    if found.verdict == report.REFUTED and reached & limited:
        why = f"the text says where {min(reached & limited)} lies"
        return Finding(report.UNPROVED, why, found.counterexample, kind=KIND)
    if found.verdict == report.REFUTED and (below := (_rooted(s) & reached) - positive):
        why = f"it may be meant for positive {', '.join(sorted(below))}, of which it takes a root"
        return Finding(report.UNPROVED, why, found.counterexample, kind=KIND)
    return found


def _rooted(s: Statement) -> set[str]:
    """The factors of products under roots: √(a b) is mostly meant of two positive numbers."""
    powers = {x for e in (s.lhs, s.rhs) for x in e.atoms(sp.Pow) if not x.exp.is_integer}
    return {n for x in powers if isinstance(x.base, sp.Mul) for n in names(x.base)}


def _sampled(s: Statement, system: System, judge: Judge) -> Finding:
    left, right, strict = oriented(s.lhs, s.rhs, s.relation)
    asked = Inequality(left, right, strict, s.letters, system)
    if is_numeric(s, system) and not _sizes(s, system):
        return _numbers(s, asked)
    used = judge.rests_on(s, system)
    broken = asked.counterexample(judge.seed)
    lemma = asked.proof() if broken is None else ""
    if lemma:
        by = "" if lemma == "signs" else f"by {lemma}"
        return Finding(report.PROVED, by, kind=KIND, used=used)
    if condition := _counted(s, system, judge):
        said = f"true if {condition}, the number of values that are summed"
        return Finding(report.CONDITIONAL, said, kind=KIND, used=used)
    if broken is None:
        return _silent(s, system)
    values = _values(broken, s.lhs is not left)
    if broken.lhs == broken.rhs:
        weak = Inequality(left, right, False, s.letters, system)
        if weak.counterexample(judge.seed) is None and weak.proof():
            why = "true where the two sides differ: it is proved with equality allowed"
            return Finding(report.CONDITIONAL, why, values, kind=KIND, used=used)
        why = "the sides are equal at a sampled point, and otherwise nothing speaks against it"
        return Finding(report.UNPROVED, why, values, kind=KIND)
    why = doubt(replace(s, relation="="), system, judge.versions)
    behind = judge.outline.behind(s.line, s.column, s.whole)
    why = why or (f"the words behind it may state a condition: “{behind}”" if behind else "")
    if why:
        verdict = report.SKIPPED if why.startswith(CONDITION) else report.UNPROVED
        return Finding(verdict, why, values, kind=KIND)
    other = Inequality(right, left, False, s.letters, system)
    turned = "; the other way round it is proved" if other.proof() else ""
    return Finding(
        report.REFUTED,
        f"left {values['lhs']:.6g}, right {values['rhs']:.6g} at a sampled point{turned}",
        values,
        kind=KIND,
        used=used,
    )


def _counted(s: Statement, system: System, judge: Judge) -> str:
    """n = the size under which it is proved, for an n of which the document says nothing."""
    left, right, strict = oriented(s.lhs, s.rhs, s.relation)
    for condition, meant in counts.letters(s, system):
        other = Inequality(left.xreplace(meant), right.xreplace(meant), strict, s.letters, system)
        if other.counterexample(judge.seed) is None and other.proof():
            return condition
    return ""


def _sizes(s: Statement, system: System) -> bool:
    """Sizes stand in it, or in what it rests on, so it is not about numbers alone."""
    reached = closure(names(s.lhs) | names(s.rhs), system)
    exprs = [s.lhs, s.rhs, *(d.expr for d in system if d.name in reached)]
    return any(x.is_integer and x.is_positive for e in exprs for x in e.atoms(sp.Symbol))


def _numbers(s: Statement, asked: Inequality) -> Finding:
    """The finding on two numbers."""
    try:
        low, high = compare(asked.left, asked.right, asked.system, {}, {}, {})
    except Unable as why:
        return Finding(report.SKIPPED, f"not decided: {why}", kind="number")
    if not asked.breaks(low, high):
        return Finding(report.PROVED, kind="number")
    slack = max(decimals(s.whole).values(), default=0)
    if low - high <= 2 * float(slack):
        return Finding(report.UNPROVED, "the numbers may be rounded", kind="number")
    values = _values(Broken({}, {}, {}, low, high), s.lhs is not asked.left)
    reason = f"the sides are {low:.6g} and {high:.6g}"
    return Finding(report.REFUTED, reason, values, kind="number")


def _silent(s: Statement, system: System) -> Finding:
    """Neither a proof nor a counterexample: a condition where nothing in it is defined."""
    here = names(s.lhs) | names(s.rhs)
    if not here & set(system.definitions) and (names(s.lhs) != names(s.rhs) or not here):
        sizes = {x.name for e in (s.lhs, s.rhs) for x in e.atoms(sp.Symbol) if x.is_integer}
        listed = ", ".join(sorted(here or sizes)[:3])
        return Finding(report.SKIPPED, f"{CONDITION} on {listed}", kind=KIND)
    reason = "holds at every sampled point, and no proof was found"
    return Finding(report.UNPROVED, reason, kind=KIND)


def _values(found: Broken, turned: bool) -> dict[str, Any]:
    """The counterexample with the sides as the author has them."""
    low, high = found.lhs, found.rhs
    return {
        "sizes": dict(found.sizes),
        "values": {n: _plain(v) for n, v in found.values.items()},
        "entry": dict(found.entry),
        "lhs": high if turned else low,
        "rhs": low if turned else high,
    }


def _plain(value: Any) -> Any:
    return value.tolist() if hasattr(value, "tolist") else float(value)


__all__ = ["bound"]
