"""Formulas that were not read because their indices do not fit: whose fault is it?

A letter that dangles and a letter of two sizes may come of a notation that the reader takes wrong.
It is the author's slip where the left side is known, by a definition or as a derivative of one, and
what is right can be shown: one other letter and the formula is proved, or the left side derived.
"""

from __future__ import annotations

import re

from ..errors import SymattnError
from ..objects import Partial
from ..prove import prove
from ..read import read
from . import report
from .doubts import doubt
from .judge import Finding, Judge
from .links import sides
from .repair import derived, edited, shapes
from .statements import Statement, Unread, alone
from .versions import names

DANGLING = re.compile(r"the index \S+ occurs once")
SIZES = re.compile(r"(?:the index \S+ in slot \d+ of \S+|δ of \S+ and \S+) has two sizes")


def misfit(u: Unread, judge: Judge) -> Finding | None:
    """The finding that the formula is malformed, with what would be right; None for no finding."""
    dangling = DANGLING.match(u.reason)
    if not dangling and not SIZES.match(u.reason):
        return None
    parts, relations = sides(u.latex)
    if len(parts) != 2 or relations != ["="]:
        return None
    try:
        s = _left(u, parts[0], judge)
        if s is None:
            return None
        system = judge.versions.system(s)
        if isinstance(s.lhs, Partial) and not names(s.lhs.args[0]) & set(system.definitions):
            system = judge.versions.document  # a loss is a function of whatever it defines
        if doubt(s, system, judge.versions):
            return None
        verdict = prove(s.lhs, s.rhs, given=system, seed=judge.seed)
        right = edited(s, verdict, system, judge.declarations)
        if not right and dangling:
            right = derived(s, system)
    except (SymattnError, RecursionError):
        return None
    if not right:
        return None
    return Finding(report.MALFORMED, u.reason, correction=right, system=system, kind="claim")


def _left(u: Unread, left: str, judge: Judge) -> Statement | None:
    """The statement left = 0 in the place of the formula, where its left side is known."""
    document, versions = judge.versions.document, judge.versions
    text = f"{judge.declarations}\n{shapes(document)}\n\n$$ {left} = 0 $$\n"
    found = [e for e in read(text, strict=False).equations if e.rhs is not None]
    if len(found) != 1 or found[0].rhs != 0:
        return None
    e = found[0]
    name = alone(e.lhs)
    s = Statement(
        "claim", e.lhs, e.rhs, "=", e.indices, u.latex, u.latex, u.line, u.column, 0, name
    )
    if name:
        before = versions.before(s)
        section = versions.outline.section
        known = before is not None and section(before.line) == section(u.line)
    else:
        known = isinstance(e.lhs, Partial)
    return s if known else None
