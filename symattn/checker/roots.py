"""ω² = k/m leaves ω two roots: what holds with both is proved, what differs with both is refuted.

What holds with the positive one alone is conditional.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import product
from typing import TYPE_CHECKING

import sympy as sp

from ..errors import SymattnError
from ..prove import Verdict
from ..read.solved import TWO_ROOTS
from ..syntax import System, define
from . import report
from .doubts import doubt
from .finding import Finding
from .inside import names
from .statements import Statement
from .versions import closure

if TYPE_CHECKING:
    from .judge import Judge

MOST = 3  # names with two roots


def says(judge: Judge, s: Statement) -> str:
    """The name of which a statement is the first to say what its square is; else empty."""
    name = _squared(s)
    tied = judge.versions.document.unresolved.get(name, "")
    first = next((t for t in judge.versions.statements if _squared(t) == name), None)
    return name if name and tied == TWO_ROOTS and first is s else ""


def rooted(judge: Judge, s: Statement) -> Finding | None:
    """The finding with roots put in; None where no name has two, or they settle nothing."""
    if s.rhs is None or says(judge, s):
        return None
    found = list(_systems(judge, s))
    if len(found) < 2:
        return None
    try:
        verdicts = [judge.prove(s, system) for _, system in found]
    except SymattnError:
        return None
    (listed, first), verdict = found[0], verdicts[0]
    are = f"{' and '.join(listed)} {'are' if len(listed) > 1 else 'is'} not negative"
    if _holds(judge, s, verdict, first):
        proof = judge._proved(s, verdict, first)
        if all(_holds(judge, s, v, x) for v, (_, x) in zip(verdicts, found, strict=True)):
            return proof
        return Finding(
            report.CONDITIONAL, f"true where {are}", used=proof.used, proof=verdict, system=first
        )
    signs = judge._where_positive(s, verdict, first)
    if signs is not None and signs.verdict == report.CONDITIONAL:
        return replace(signs, reason=f"{signs.reason}, and where {are}")
    differs = all(v.status == "refuted" for v in verdicts)
    if differs and not any(doubt(s, x, judge.versions) for _, x in found):
        before = judge.versions.before(s) if s.name and not s.number else None
        return judge._refuted(s, verdict, first, before)
    return None


def _holds(judge: Judge, s: Statement, verdict: Verdict, system: System) -> bool:
    return verdict.status == "proved" and not judge._doubtful(s, verdict, system)


def _systems(judge: Judge, s: Statement) -> Iterator[tuple[list[str], System]]:
    """The definitions with the roots of squares, the positive ones first."""
    tied = judge.versions.document.unresolved
    squares = {n: t for t in judge.versions.statements if tied.get(n := _squared(t)) == TWO_ROOTS}
    squares = {n: next(t for t in judge.versions.statements if _squared(t) == n) for n in squares}
    system = judge.versions.system(s)
    roots: dict[str, sp.Expr] = {}
    while True:
        told = set().union(*map(names, roots.values()))
        here = closure(names(s.lhs) | names(s.rhs) | told, system)
        new = (here & squares.keys()) - roots.keys() - system.definitions.keys()
        if not new:
            break
        for name in sorted(new):
            roots[name] = squares[name].rhs
        more = sorted(set().union(*map(names, roots.values())))
        system = judge.versions.system(s, more)
    if not roots or len(roots) > MOST:
        return
    said = {(t.lhs, t.rhs) for n in roots for t in [squares[n]]}
    facts = [f for f in system.facts if (f.lhs, f.rhs) not in said]
    for signs in product((1, -1), repeat=len(roots)):
        made = [
            define(n, (), k * sp.sqrt(x)) for k, (n, x) in zip(signs, roots.items(), strict=True)
        ]
        try:
            yield [*roots], System(*made, *system, facts=facts)
        except SymattnError:
            return


def _squared(s: Statement) -> str:
    """The ω of ω² = …."""
    match s.lhs:
        case sp.Pow(base=sp.Symbol(name=name), exp=sp.Integer(p=2)) if s.rhs is not None:
            return "" if name in names(s.rhs) or s.relation not in ("=", ":=") else name
    return ""


__all__ = ["rooted", "says"]
