"""Rates that words call so: “its velocity is v(t) = …” behind x(t) = … is held against dx/dt.

A definition that is the derivative is proved, and one that a slip separates from it is refuted;
any other one stays a definition.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING

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
    r"\s*(?:(?:[,:]|(?:of\s+\w+\s+)?(?:is|are|equals?|becomes?|reads?|gives?|yields?|then|thus|by|as)|"
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
_PLACES = frozenset(["x", "y", "z", "s", "h"])
_OF_ONE = re.compile(r"\b(?:average|mean|marginal|fixed|unit|initial|relative|angular)\b", re.I)
_ARGUMENT = re.compile(r"\s*\\?[A-Za-z]+(?:_\{?\w+\}?)?\s*\(\s*\\?([A-Za-z]+)\s*\)\s*=")


def said_rate(judge: Judge, s: Statement) -> Finding | None:
    """The finding on a definition that words call a rate; None where they do not, or it is open."""
    said = _said(judge, s)
    if said is None or s.rhs is None or s.letters or s.relation not in ("=", ":="):
        return None
    for version, order in _bases(judge, s, said):
        by = _by(s, version)
        if not by:
            continue
        try:
            of = version.definition.lhs
            system, rate = judge.versions.so_far(replace(s, lhs=of, rhs=sp.S.Zero)), version.name
            for k in range(order):
                made = jacobian(system, of=rate, wrt=by).expr
                rate = f"rate_{k}_of_{version.name}"
                system = System(*system, define(rate, (), made), facts=system.facts)
            there = replace(s, kind="claim", name="", lhs=made)
            system = judge.versions.so_far(there)
            verdict = judge.prove(there, system)
        except SymattnError:
            return None
        if verdict.status == "proved" and not verdict.trivial:
            found: Finding | None = judge._proved(there, verdict, system)
        elif verdict.status == "refuted":
            found = judge.near(there, verdict, system)
        else:
            return None
        if found is None or found.verdict == report.UNPROVED:
            return None
        what = f"the {_ORDERS[order]} of {version.name} of line {version.line}"
        why = f"as {what}" if found.verdict == report.PROVED else f"{found.reason}: {what}"
        return replace(found, reason=why, kind="claim")
    return None


_ORDERS = {1: "derivative", 2: "second derivative"}


def _said(judge: Judge, s: Statement) -> re.Match[str] | None:
    """What the words right before a definition call it."""
    if s.number:
        return None
    words = judge.outline.sentence(s.line, s.column)
    found = _SAID.search(words.rsplit("…", 1)[-1] if not words.endswith("…") else words)
    return None if found is None or _OF_ONE.search(words[: found.start()][-20:]) else found


def _bases(judge: Judge, s: Statement, said: re.Match[str]) -> Iterator[tuple[Version, int]]:
    """What it may be a rate of, the likeliest alone, and how often that is derived."""
    section, place = judge.outline.section, (s.line, s.column)
    earlier = sorted(
        (v for vs in judge.versions.table.values() for v in vs
         if v.line > 0 and (v.line, v.column) < place and section(v.line) == section(s.line)
         and not v.numbers and not v.definition.indices and v.name != s.name and not v.case),
        key=lambda v: (v.line, v.column),
    )[::-1]  # fmt: skip
    for v in earlier:
        words = judge.outline.sentence(v.line, v.column).rsplit("…", 1)[-1]
        own = _SAID.search(words)
        if said["of"]:
            noun = said["of"].rstrip("s").removesuffix("ie")[:6]
            if own is None and re.search(rf"\b{noun}", words, re.I) and not _OF_ONE.search(words):
                yield v, 1
                return
        elif said["first"] or said["second"]:
            if said["second"] and own and own["first"]:
                yield v, 1
                return
            if own is None and (_MOVES.search(words) or v.name in _PLACES):
                yield v, 2 if said["second"] else 1
                return
        else:  # of the last function, which may be a derivative itself
            yield v, 2 if said["again"] and own is None else 1
            return


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
