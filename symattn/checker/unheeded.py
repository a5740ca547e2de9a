"""What words say of the names of a claim, and its proof has not heeded.

A proof of columns says nothing of *row vectors*, one that holds $m$ nothing of *a
velocity-dependent mass* $m$, and the derivative of a sine nothing of an angle *in degrees*.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

import sympy as sp

from ..syntax import System
from .inside import names, partials
from .outline import Outline
from .qualities import NAMES
from .statements import Statement
from .versions import closure

_ONE = r"(?<![\\$])\$([^$=]{1,40})\$"
_LIST = rf"{_ONE}(?:(?:,|,? and) {_ONE})?(?:,? and {_ONE})?"
_BE = r"(?:be|is|are|as|denotes?)"
_ROWS = tuple(
    re.compile(pattern)
    for pattern in (
        rf"\brow[- ]vectors? {_LIST}",
        rf"{_LIST}(?: \\in \S+)? {_BE} (?:[a-z]+ ){{0,3}}row[- ]vectors?\b",
        rf"{_LIST} \((?:a |two |both )?row[- ]vectors?\)",
    )
)
_TURNED = re.compile(r"\\top|\^\s*\{?\s*T\b|\\intercal|\\mathsf\{T\}")
_CHANGES = r"(?:depends?|var(?:y|ies)|changes?|grows?|shrinks?|decreases?|increases?)"
_HOW = r"(?:on|with|in|over|along|as)"
_VARIES = tuple(
    re.compile(pattern)
    for pattern in (
        rf"\b[a-z]+[- ](?:dependent|varying) (?:[a-z]+ ){{0,2}}{_ONE}",
        rf"{_ONE},? (?:(?:which|that) )?(?:{_BE} )?(?:an? )?[a-z]+[- ](?:dependent|varying)\b",
        rf"{_ONE},? (?:(?:which|that|itself|also) )*{_CHANGES} {_HOW} (?:(?:the|its|our) )?[a-z]+",
        rf"{_ONE} is (?:not|no longer|never) (?:held )?constant\b",
    )
)
_NOUN_VARIES = re.compile(
    rf"\b[Tt]he (?P<noun>[a-z]+) (?:is (?:[a-z]+[- ](?:dependent|varying)|"
    r"(?:not|no longer) constant)|"
    rf"{_CHANGES} {_HOW} (?:the|its|our|time|temperature)\b)"
)
_CALLED = (r"\b[Tt]he {} {}", r"{1} (?:is|be|denotes?|for|as) (?:the|its|a) {0}\b",
           r"\bby {1} the {0}\b")  # fmt: skip
_DEGREES = re.compile(rf"{_ONE}[^.$]{{0,40}}\bin degrees\b|\bin degrees\b[^.$]{{0,20}}{_ONE}")


def unheeded(s: Statement, system: System, outline: Outline) -> str:
    """Where a proof holds, for the words of a text say another thing of its names; else empty."""
    text = " ".join(outline.text.split())
    reached = closure(names(s.lhs) | names(s.rhs), system)
    stems = {n.split("_")[0]: n for n in sorted(reached)}
    lying = {x for p in _ROWS for m in p.finditer(text) for x in _heads(m)} & stems.keys()
    if lying and _TURNED.search(s.whole):
        return f"{min(lying)} is a column, and the text calls it a row"
    slopes = partials(s.lhs, s.rhs)
    if not slopes:
        return ""
    free, by = reached - {*system.definitions}, {n for p in slopes for n in names(p.args[1])}
    tops = closure({n for p in slopes for n in names(p.args[0])}, system)
    held = {n.split("_")[0] for n in (free & tops) - by}
    if moving := held & {*_varying(text, held)}:
        return f"{min(moving)} does not change with what it is derived by"
    angles = {x for m in _DEGREES.finditer(text) for x in _heads(m)} & stems.keys()
    turns = any(side.atoms(sp.sin, sp.cos, sp.tan) for side in (s.lhs, s.rhs) if side is not None)
    return f"{min(angles)} is in radians" if angles and turns else ""


def _heads(m: re.Match[str]) -> Iterator[str]:
    """The names of the formulas of a phrase."""
    for formula in filter(None, m.groups()):
        found = NAMES.search(formula)
        if found is not None and found.start() <= formula.find("\\") + 1:
            yield found[0]


def _varying(text: str, held: set[str]) -> Iterator[str]:
    for pattern in _VARIES:
        for m in pattern.finditer(text):
            yield from _heads(m)
    for noun in {m["noun"] for m in _NOUN_VARIES.finditer(text)}:
        for name in held:
            written = rf"\$\\?{re.escape(name)}\$"
            if any(re.search(p.format(noun, written), text) for p in _CALLED):
                yield name


__all__ = ["unheeded"]
