"""Where a function that a text gives is smallest or largest: its slope is zero there.

*The best weight is w = b/(a + b)* and *setting V'(w) = 0 gives* speak of the one function V(w) of
their section.  Words of a slope, or of an interval, may mean another place.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import sympy as sp

from ..derive import jacobian
from ..errors import SymattnError
from ..objects import Partial
from ..prove import whether
from ..syntax import System, define
from . import placed
from .curves import Open, inlined
from .statements import Statement

if TYPE_CHECKING:
    from .judge import Judge

MARK = re.compile(r"_(?:star|hat|opt|max|min|c|crit|m|0)$")  # q* of q
_EXTREMUM = re.compile(  # of the function that is spoken of
    r"\b(?:minimi[sz]\w+|maximi[sz]\w+|(?:mini|maxi)m(?:um|a|al point)|optimum|"
    r"extremum|vertex|(?:best|optimal) [a-z]+(?: [a-z]+)? is|stationary point|"
    r"first[- ]order condition|"
    r"(?:derivative|gradient) (?:equal )?to zero)\b",
    re.IGNORECASE,
)
_SUPERLATIVE = re.compile(  # the cost is smallest, where the function is called a cost
    r"\b(?P<of>it|which|(?:the|this|its) (?P<noun>[a-z]+)) (?:is|becomes) (?:then )?"
    r"(?:minimal|maximal|optimal|(?:small|larg|great|high|low)est)\b",
    re.IGNORECASE,
)
_OTHER = re.compile(  # of another function, or at an end
    r"\b(?:slope|rate|speed|velocity|steep\w*|curvature|inflection|subject|constrain\w*|interval|"
    r"among|boundary|largest possible|smallest possible|at most|at least|instead|but|except|ratio|"
    r"difference|product|total|sum|average|marginal|(?:second|third) derivative|"
    r"setting (?!(?:the |its )?(?:first )?(?:derivative|gradient)\b|this\b|it\b)[a-z ]+ to)\b",
    re.IGNORECASE,
)
_SET = re.compile(
    r"\b(?:setting|putting|from|with|solv\w+|so|since)\s+…\s*(?:to zero|and\b)?", re.I
)


def is_extremum(judge: Judge, s: Statement) -> bool:
    """The words before a statement speak of where a function is extreme."""
    words = judge.outline.sentence(s.line, s.column)
    said = bool(_EXTREMUM.search(words) or _SUPERLATIVE.search(words))
    said = said or (_SET.search(words) is not None and slope_set(judge, s) != "")
    return said and _OTHER.search(words) is None


def _is_called(judge: Judge, s: Statement, t: Statement) -> bool:
    """What words say is largest is what the words before a function call it."""
    words = judge.outline.sentence(s.line, s.column)
    noun = m["noun"] if (m := _SUPERLATIVE.search(words)) else None
    said = judge.outline.sentence(t.line, t.column).lower()
    return noun is None or re.search(rf"\b{re.escape(noun.lower())}\b", said) is not None


def slope_set(judge: Judge, s: Statement) -> str:
    """The f of an f'(x) = 0 that the words before a statement set."""
    for latex in judge.outline.supposed(s.line, s.column):
        slope, _, right = latex.rpartition("=")
        primed = re.fullmatch(r"([^'()]+)'(?:\(.*\))?", slope)
        of = primed or re.fullmatch(
            r"\\frac\{(?:d|\\partial)([^{}]+)\}\{(?:d|\\partial)[^{}]+\}", slope
        )
        if right == "0" and of is not None:
            return placed.spelled(of[1])
    return ""


def extrema(judge: Judge, s: Statement) -> Iterator[tuple[Statement, Any, Any]]:
    """The one function of its section of what a statement names, with that and with its slope."""
    if s.rhs is None or s.letters or s.number or not s.name or not is_extremum(judge, s):
        return
    name, section, here = MARK.sub("", s.name), judge.outline.section, (s.line, s.column)
    found: dict[str, Statement] = {}
    for t in judge.versions.statements:
        if (t.line, t.column) >= here or section(t.line) != section(s.line) or t.rhs is None:
            continue
        f, argument = placed.written(t)
        if argument == name and "'" not in f and t.relation in ("=", ":=") and not t.number:
            found.setdefault(f, t)
    wanted = slope_set(judge, s)
    found = {f: t for f, t in found.items() if not wanted or f == wanted}
    if not found and not wanted:
        yield from _of_slope(judge, s, name)
    if len(found) != 1:
        return
    ((_, t),) = found.items()
    if not _is_called(judge, s, t):
        return
    rest = [d for d in judge.versions.system(t) if d.name not in (name, s.name, t.name)]
    try:
        body = inlined(t.rhs, System(*rest))
    except Open:
        yield from _of_sums(t, name, System(*rest, define(t.name, (), t.rhs)))
        return
    by = next((x for x in body.free_symbols if x.name == name), None)
    if by is not None:
        slope = sp.factor(sp.together(sp.diff(body, by)))
        yield from ((t, by, f) for f in sp.Mul.make_args(slope) if f.has(by) and not _is_exp(f))


def _of_slope(judge: Judge, s: Statement, name: str) -> Iterator[tuple[Statement, Any, Any]]:
    """The one sum of its section that the text derives by what a statement names: ∂S/∂w of S."""
    section, here = judge.outline.section, (s.line, s.column)
    derived = {
        t.lhs.args[0].name
        for t in judge.versions.statements
        if (t.line, t.column) < here and section(t.line) == section(s.line)
        if isinstance(t.lhs, Partial) and all(isinstance(x, sp.Symbol) for x in t.lhs.args)
        if t.lhs.args[1].name == name
    }
    known = [(n, v) for n in derived if (v := judge.versions.before(s, n)) is not None]
    if len(known) != len(derived) or len(known) != 1 or MARK.sub("", s.name) == s.name:
        return
    ((top, version),) = known
    said = (t for t in judge.versions.stated.get(top, ())
            if (t.line, t.column) == (version.line, version.column))  # fmt: skip
    t = next(said, None)
    if t is not None and t.rhs is not None and _is_called(judge, s, t):
        rest = [d for d in judge.versions.system(t) if d.name not in (name, s.name, top)]
        yield from _of_sums(t, name, System(*rest, define(top, (), t.rhs)))


def _of_sums(t: Statement, name: str, system: System) -> Iterator[tuple[Statement, Any, Any]]:
    """The slope of Σ_i (x_i − μ)² by μ as a + b μ, where it is of the first degree."""
    try:
        slope = jacobian(system, of=t.name, wrt=name).expr
        by = next((x for x in slope.free_symbols if x.name == name), None)
        at = [slope.xreplace({by: sp.Integer(k)}) for k in range(3)]
        line = whether(at[2] - at[1], at[1] - at[0], given=system)
    except SymattnError:
        return
    if isinstance(by, sp.Symbol) and line.status == "proved":
        yield t, by, at[0] + by * (at[1] - at[0])


def _is_exp(factor: Any) -> bool:
    """What is never zero."""
    return isinstance(factor, sp.exp) or (factor.is_Pow and factor.exp.is_negative is True)


__all__ = ["MARK", "extrema", "is_extremum", "slope_set"]
