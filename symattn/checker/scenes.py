"""Conditions in words that ask nothing of values: a sentence that sets the scene of a claim.

*If a second clock rings at rate $\\mu$* brings a name, and what *if* a sentence says before a
definition it says of what follows from that as well.  Any other condition may be what makes a
claim true.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from ..read.vocabulary import IF
from ..syntax import System
from .inside import names
from .placed import spelled
from .qualities import FORMULA
from .statements import Statement
from .versions import closure

if TYPE_CHECKING:
    from .versions import Versions

_PLAIN = re.compile(  # that say for what, and not how nearly
    rf"\b(?:{IF}|suppos\w+)\b|"
    r"\b(?:for|at|with) (?:[a-z-]+ ){0,3}(?:…|\$[^$]*\$)",
    re.IGNORECASE,
)
_ASKS = re.compile(  # of values, in words
    r"\b(?:equal\w*|same|identical\w*|alike|both|opposite|reverse\w*|twice|half|halv\w*|doubl\w*|"
    r"no|not|none|never|without|neither|only|zero|vanish\w*|fair|symmetric\w*|balanced?|uniform\w*|"
    r"independent\w*|negligib\w*|ignor\w*|small|large|weak|strong|slow|fast|light|heavy|ideal|"
    r"perfect\w*|[a-z]+less|optim\w*|critical|stationary|equilibrium|unit|normali[sz]ed)\b",
    re.IGNORECASE,
)
_LETTER = re.compile(r"\\?[A-Za-z]+(?:_(?:\{[^{}]*\}|\w))?")
_EQUATION = re.compile(r"=|\\equiv")


def sets(s: Statement, system: System, versions: Versions) -> bool:
    """The condition before a statement is no more than the scene of what it speaks about."""
    plain = _is_plain(s, versions) and _is_of_what_it_is_made_of(s, system, versions)
    return plain or brings(s, system, versions)


def _is_plain(s: Statement, versions: Versions) -> bool:
    """The words before a statement say for what it holds, and nothing of values."""
    place, outline = (s.line, s.column), versions.outline
    return not (outline.condition(*place, _PLAIN) or _ASKS.search(outline.sentence(*place)))


def _is_of_what_it_is_made_of(s: Statement, system: System, versions: Versions) -> bool:
    """All that a statement names and that is defined is so behind the condition, in its sentence.

    No equation of the condition ties names that the statement hangs on.
    """
    outline, place = versions.outline, (s.line, s.column)
    here = (names(s.lhs) | names(s.rhs)) & {*system.definitions}
    used = [v for n in here for v in versions.table.get(n, ()) if v.definition in tuple(system)]
    if not used or any(outline.goes_on((v.line, v.column), place) is None for v in used):
        return False
    first = min((v.line, v.column) for v in used)
    reached = {spelled(n) for n in closure(here | names(s.lhs) | names(s.rhs), system)}
    said = (f for f in _formulas(outline.leading(*first)) if _EQUATION.search(f))
    return all(_names(f) - reached for f in said)


def brings(s: Statement, system: System, versions: Versions) -> bool:
    """Its formulas are names that stand nowhere before, and that the left side hangs on."""
    outline = versions.outline
    leading = outline.leading(s.line, s.column)
    start = outline.position(s.line, s.column)
    begun = outline.text.rfind(leading.strip(), 0, start)
    said = _formulas(leading)
    before = {n for f in FORMULA.finditer(outline.text, 0, max(begun, 0)) for n in _names(f[0])}
    new = set[str]().union(*map(_names, said)) if said else set()
    alone = _is_plain(s, versions) and all(_LETTER.fullmatch(f.strip("$ ")) for f in said)
    spoken = {spelled(n) for n in closure(names(s.lhs), system)}
    return begun >= 0 and bool(new & spoken) and alone and not new & before


def _formulas(words: str) -> list[str]:
    return [m[0] for m in FORMULA.finditer(words)]


def _names(latex: str) -> set[str]:
    return {spelled(n) for n in _LETTER.findall(latex)}


__all__ = ["brings", "sets"]
