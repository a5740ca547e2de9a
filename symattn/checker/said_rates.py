"""Rates that words call so: “its velocity is v(t) = …” behind x(t) = … is held against dx/dt.

A definition that is the derivative is proved, and one that a slip separates from it is refuted;
any other one stays a definition.
"""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import sympy as sp

from ..derive import jacobian
from ..errors import SymattnError
from ..syntax import System, define
from . import report
from .finding import Finding
from .inside import names
from .statements import Statement
from .versions import Version

if TYPE_CHECKING:
    from .judge import Judge

_VERB = (
    r"\s*(?:(?:[,:]|(?:of(?:\s+(?:the|an?|this|its))?\s+\w+\s+)?(?:is|are|equals?|becomes?|reads?|gives?|yields?|then|thus|by|as)|"
    r"at\s+time|…|will\s+be)\s*)*$"
)
_SAID = re.compile(
    r"\b(?:(?P<second>acceleration)|(?P<first>velocity|velocities|speed)|"
    r"marginal\s+(?P<of>costs?|revenues?|profits?|utility|utilities|benefits?|products?)|"
    r"(?P<again>second\s+derivative|differentiating\s+(?:twice|again)(?:\s+\w+){0,2})|"
    r"(?P<slope>derivative|slope|(?:differentiating|differentiation|taking\s+the\s+derivative)"
    r"(?:\s+(?:this|it|once))?))" + _VERB,
    re.IGNORECASE,
)
_MOVES = re.compile(
    r"\b(?:position|displacement|height|distance|location|coordinates?|elongation|path|trajectory|"
    r"altitude|deflection|moves?|elevation)\b",
    re.IGNORECASE,
)
_LEADS = re.compile(  # nothing that makes another thing of it: half the derivative, a truck has
    r"\W*(?:(?:its|the|their|whose|then|thus|so|hence|and|with|therefore|now|we|this|is|which|has|have|that|"
    r"resulting|corresponding|instantaneous|first|find|obtain|get|as|where|consequently|it|follows|also|"
    r"particle|body|stone|ball|object|car|point|mass)(?:'s)?\W+)*",
    re.IGNORECASE,
)
_BEHIND = re.compile(
    r"\b(?:of\s+the\s+(?:other|second|new)|another|not|if|would|different)\b", re.I
)
_PLACES = frozenset(["x", "y", "z", "s", "h"])
_OF_ONE = re.compile(r"\b(?:average|mean|marginal|fixed|unit|initial|relative|angular)\b", re.I)
_ARGUMENT = re.compile(r"\s*\\?[A-Za-z]+(?:_\{?\w+\}?)?\s*\(\s*\\?([A-Za-z]+)\s*\)\s*=")


def said_rate(judge: Judge, s: Statement) -> Finding | None:
    """The finding on a definition that words call a rate; None where they do not, or it is open.

    What may be the rate of several things is refuted as that of none.
    """
    said = _said(judge, s)
    if said is None or s.rhs is None or s.letters or s.relation not in ("=", ":="):
        return None
    bases = [(v, order, by) for v, order in _bases(judge, s, said) if (by := _by(s, v))]
    refuted: Finding | None = None
    for version, order, by in bases:
        try:
            there = replace(s, kind="claim", name="", lhs=_rate(judge, s, version, order, by))
            system = judge.versions.so_far(there)
            verdict = judge.prove(there, system)
        except SymattnError:
            return None
        what = f"the {_ORDERS[order]} of {version.name} of line {version.line}"
        if verdict.status == "proved" and not verdict.trivial:
            found = judge._proved(there, verdict, system)
            return replace(found, reason=f"as {what}", kind="claim")
        size = said["first"] and said["first"].lower() == "speed"  # which has no sign
        if (
            verdict.status == "refuted"
            and len(bases) == 1
            and not (
                size and judge.prove(replace(there, lhs=-there.lhs), system).status == "proved"
            )
        ):
            near = judge.near(there, verdict, system)
            if near is not None and near.verdict != report.UNPROVED:
                refuted = replace(near, reason=f"{near.reason}: {what}", kind="claim")
    return refuted


def _rate(judge: Judge, s: Statement, version: Version, order: int, by: str) -> Any:
    of = replace(s, lhs=version.definition.lhs, rhs=sp.S.Zero)
    system, name = judge.versions.so_far(of), version.name
    for k in range(order):
        made = jacobian(system, of=name, wrt=by).expr
        name = f"rate_{k}_of_{version.name}"
        system = System(*system, define(name, (), made), facts=system.facts)
    return made


_ORDERS = {1: "derivative", 2: "second derivative"}


def _said(judge: Judge, s: Statement) -> re.Match[str] | None:
    """What the words right before a definition call it."""
    if s.number:
        return None
    words = judge.outline.sentence(s.line, s.column)
    clause = words.rsplit("…", 1)[-1] if not words.endswith("…") else words
    found = _SAID.search(clause)
    if found is None or not _LEADS.fullmatch(clause, 0, found.start()):
        return None
    if _BEHIND.search(found[0]):
        return None
    if found["slope"] and " of " in found[0]:  # of which curve?
        return None
    return found


def _bases(judge: Judge, s: Statement, said: re.Match[str]) -> list[tuple[Version, int]]:
    """What it may be a rate of, and how often that is derived."""
    section = judge.outline.section
    known = [v for several in judge.versions.table.values() for v in several
             if (0, 0) < (v.line, v.column) < (s.line, s.column) and v.name != s.name
             and section(v.line) == section(s.line)
             and not (v.numbers or v.definition.indices or v.case)]  # fmt: skip
    known = sorted(known, key=lambda v: (v.line, v.column))
    words = {v: judge.outline.sentence(v.line, v.column).rsplit("…", 1)[-1] for v in known}
    rates = {v: _SAID.search(words[v]) for v in known}
    if said["of"]:
        noun = re.compile(rf"\b{said['of'][:6].rstrip('s')}", re.IGNORECASE)
        called = [v for v in known if noun.search(words[v]) and not _OF_ONE.search(words[v])]
        return [(v, 1) for v in called]
    if said["first"] or said["second"]:
        fast = [v for v in known if (m := rates[v]) and m["first"]]
        placed = [v for v in known if v.name in _PLACES or _MOVES.search(words[v])]
        if said["second"] and fast:
            return [(v, 1) for v in fast]
        return [(v, 2 if said["second"] else 1) for v in placed if not rates[v]]
    if not known:
        return []
    return [(known[-1], 2 if said["again"] and not rates[known[-1]] else 1)]


def _by(s: Statement, version: Version) -> str:
    """What both are functions of: their argument as it is written, the time, or all there is."""
    one, other = _ARGUMENT.match(s.latex), _ARGUMENT.match(version.latex)
    inside = names(version.definition.expr)
    if one and other:
        return one[1] if one[1] == other[1] and one[1] in inside else ""
    if one is None and other and other[1] in names(s.rhs):
        return other[1]
    return ""


__all__ = ["said_rate"]
