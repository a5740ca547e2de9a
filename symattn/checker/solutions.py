"""A law that is solved: behind m a = m g sin θ − F, *so the acceleration is* a = g sin θ − F/m.

What says first what a name is follows there from an earlier equation that has the name in it, and
a slip in it is refuted as one; the law is none.  Of a square either root solves it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import sympy as sp

from ..errors import SymattnError
from ..objects import Partial
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
_STEADY = re.compile(
    r"\b(?:(?:in|at) (?:the |an? )?)?(?:steady[- ]states?|equilibri(?:um|a)|stationary "
    r"(?:states?|points?)|fixed points?)\b",
    re.IGNORECASE,
)
_PLAIN = re.compile(  # what says that a law holds
    rf"\bsetting (?:the|its|this|each)\b[^…]{{0,40}}\bto zero\b|{_STEADY.pattern}", re.IGNORECASE
)
LARGEST = 60  # nodes of a law


def solved_law(judge: Judge, s: Statement) -> Finding | None:
    """What an earlier law says of a definition: a slip is refuted, a steady state is that."""
    place, outline = (s.line, s.column), judge.outline
    loose = outline.condition(*place, _PLAIN) or outline.behind(*place, s.whole)
    words = outline.sentence(*place)
    follows = _CONCLUDES.search(words) or _STEADY.search(words)
    if loose or outline.varies(*place) or not follows:
        return None
    wrong: Finding | None = None
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
            if not _is_rate(law, s.name):
                return None  # the law is proved
            found = judge._proved(there, verdict, system)
            why = f"true with what line {law.place[0]} says"
            return replace(found, verdict=report.CONDITIONAL, reason=why, kind="claim", used=())
        if verdict.status != "refuted":
            continue
        near = judge.near(there, verdict, system, supposed=True)
        if wrong is None and near is not None and near.verdict == report.REFUTED:
            why = f"{near.reason}: line {law.place[0]} solved for {s.name}"
            wrong = replace(near, reason=why, kind="claim", used=())
    return wrong


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
    """The last equation before that has the name in it, with all that it may make the name."""
    if s.rhs is None or s.letters or s.number or not s.name or s.relation not in ("=", ":="):
        return
    section = judge.outline.section
    steady = _STEADY.search(judge.outline.sentence(s.line, s.column))
    every = dict.fromkeys((*judge.versions.statements, *judge.versions.given))
    for t in sorted(every, key=lambda t: (t.line, t.column), reverse=True):
        if (t.line, t.column) >= (s.line, s.column) or section(t.line) != section(s.line):
            continue
        if t.rhs is None or s.name not in names(t.lhs) | names(t.rhs) or t.relation not in EXACT:
            continue
        still = steady is not None and _is_rate(t, s.name)
        plain = t.kind in ("claim", "fact") and not (t.letters or t.name)
        if still or plain:
            gap = t.rhs if still else t.lhs - t.rhs
            yield from ((t, solution) for solution in _solved(gap, s.lhs))
        return


def _is_rate(t: Statement, name: str) -> bool:
    """dI/dt = … and \\dot N = …, which is 0 in a steady state."""
    if t.name:
        return t.name == f"{name}_dot"
    return isinstance(t.lhs, Partial) and names(t.lhs.args[0]) == {name}


def _solved(gap: Any, x: Any) -> list[Any]:
    """The x at which a difference vanishes: of the first degree in it, in its square or its log."""
    if isinstance(x, sp.Symbol) and gap.has(sp.log(x)):
        y = sp.Dummy(x.name)
        found = _solved(gap.xreplace({sp.log(x): y}), y)
        return [sp.exp(z) for z in found if not z.has(x)]
    plain = sp.Symbol | sp.Number | sp.Add | sp.Mul | sp.Pow | sp.NumberSymbol
    functions = sp.sin | sp.cos | sp.tan | sp.exp | sp.log
    nodes = [*sp.preorder_traversal(gap)]
    if not isinstance(x, sp.Symbol) or len(nodes) > LARGEST:
        return []
    if not all(isinstance(n, plain | functions) for n in nodes):
        return []
    if not gap.is_polynomial(x):
        return _of_powers(gap, x)
    of, zero = sp.Poly(gap, x), list[Any]()
    if of.degree() > 1 and of.coeff_monomial(1) == 0:
        of, zero = sp.Poly(sp.cancel(gap / x), x), [sp.S.Zero]
    rest = of.coeff_monomial(1)
    if of.degree() == 1:
        return [sp.cancel(-rest / of.coeff_monomial(x)), *zero]
    if of.degree() == 2 and of.coeff_monomial(x) == 0:
        root = sp.sqrt(sp.cancel(-rest / of.coeff_monomial(x**2)))
        return [root, -root, *zero]
    return []


def _of_powers(gap: Any, x: Any) -> list[Any]:
    """The x above 0 at which two powers of it balance: s k^α = δ k."""
    terms = [t.as_independent(x, as_Add=False) for t in sp.Add.make_args(sp.expand(gap))]
    powers = [p.as_base_exp() for _, p in terms]
    if len(terms) != 2 or any(b not in (x, 1) or e.has(x) for b, e in powers):
        return []
    (one, _), (other, _) = terms
    first, second = (e if b == x else sp.S.Zero for b, e in powers)
    return [(-other / one) ** (1 / (first - second))] if first != second else []


__all__ = ["is_solved", "solved_law"]
