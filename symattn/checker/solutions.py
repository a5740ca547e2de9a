"""A law that is solved: behind m a = m g sin θ − F, *so the acceleration is* a = g sin θ − F/m.

What says first what a name is follows there from an earlier equation that has the name in it, and
a slip in it is refuted as one; the law is none.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import sympy as sp

from ..errors import SymattnError
from ..syntax import System, define
from . import report
from .finding import Finding
from .inside import names
from .statements import Statement
from .ties import EXACT

if TYPE_CHECKING:
    from .judge import Judge

_CONCLUDES = re.compile(
    r"\b(?:so|thus|hence|therefore|then|consequently|solv\w+|rearrang\w+|isolat\w+|divid\w+|"
    r"cancel\w*|solution|giv(?:es?|ing)|yield\w*|impl(?:y|ies)|follows|obtain\w*|gets?|finds?|"
    r"leads?|arrive|conclude|means)\b",
    re.IGNORECASE,
)
_ZERO = re.compile(r"\bsetting (?:the|its|this|each)\b[^…]{0,40}\bto zero\b", re.IGNORECASE)
LARGEST = 60  # nodes of a law


def solved_law(judge: Judge, s: Statement) -> Finding | None:
    """The refutation of a definition that a slip separates from what an earlier law says."""
    place, outline = (s.line, s.column), judge.outline
    loose = (
        outline.condition(*place, _ZERO)
        or outline.behind(*place, s.whole)
        or outline.varies(*place)
    )
    if loose or not _CONCLUDES.search(outline.sentence(*place)):
        return None
    for law, solution in _laws(judge, s):
        there = replace(s, kind="claim")
        try:
            known = judge.versions.so_far(replace(there, name="", lhs=solution))
            own = define(s.name, (), solution)
            rest = (d for d in known if d.name != s.name)
            system = System(*rest, own, facts=known.facts)
            verdict = judge.prove(there, system)
        except SymattnError:
            return None
        if verdict.status == "proved":
            return None
        if verdict.status != "refuted":
            continue
        near = judge.near(there, verdict, system, supposed=True)
        if near is not None and near.verdict == report.REFUTED:
            why = f"{near.reason}: line {law.place[0]} solved for {s.name}"
            return replace(near, reason=why, kind="claim", used=())
    return None


def is_solved(judge: Judge, law: Statement) -> Statement | None:
    """The statement that solves a law and is refuted by it; None for none."""
    later = (t for t in judge.versions.statements if t.kind == "definition" and t.name)
    for t in later:
        behind = (t.line, t.column) > (law.line, law.column)
        if (
            behind
            and t.name in names(law.lhs) | names(law.rhs)
            and any(x is law for x, _ in _laws(judge, t))
        ):
            return t if judge(t).verdict == report.REFUTED else None
    return None


def _laws(judge: Judge, s: Statement) -> Iterator[tuple[Statement, Any]]:
    """The last equation before that has the name in it, and what that makes the name."""
    if s.rhs is None or s.letters or s.number or not s.name or s.relation not in ("=", ":="):
        return
    section = judge.outline.section
    for t in reversed(judge.versions.statements):
        if (t.line, t.column) >= (s.line, s.column) or section(t.line) != section(s.line):
            continue
        if t.rhs is None or s.name not in names(t.lhs) | names(t.rhs):
            continue
        plain = t.kind == "claim" and t.relation in EXACT and not (t.letters or t.name)
        if plain and (solution := _solved(t.lhs - t.rhs, s.lhs)) is not None:
            yield t, solution
        return


def _solved(gap: Any, x: Any) -> Any:
    """The x at which a difference vanishes: of the first degree in it, or in its square."""
    plain = sp.Symbol | sp.Number | sp.Add | sp.Mul | sp.Pow | sp.NumberSymbol
    functions = sp.sin | sp.cos | sp.tan | sp.exp | sp.log
    nodes = [*sp.preorder_traversal(gap)]
    if not isinstance(x, sp.Symbol) or len(nodes) > LARGEST:
        return None
    if not all(isinstance(n, plain | functions) for n in nodes) or not gap.is_polynomial(x):
        return None
    of = sp.Poly(gap, x)
    rest = of.coeff_monomial(1)
    if of.degree() == 1:
        return sp.cancel(-rest / of.coeff_monomial(x))
    if of.degree() == 2 and of.coeff_monomial(x) == 0:
        return sp.sqrt(sp.cancel(-rest / of.coeff_monomial(x**2)))
    return None


__all__ = ["is_solved", "solved_law"]
