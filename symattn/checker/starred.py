"""What a star marks is taken at one point: behind y = k^α and k^* = … it is y^* = (k^*)^α.

That is no more than a custom, and a y^* may be another thing: a conjugate, a dual.  Where one slip
separates what a text says of y^* from that value, the value is meant.
"""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING

from ..errors import SymattnError
from ..syntax import System, define
from . import report
from .finding import Finding
from .inside import names
from .statements import Statement

if TYPE_CHECKING:
    from .judge import Judge

STAR = "_star"
_POINT = re.compile(
    r"\b(?:optim|best|maxim|minim|equilib|stead|station|critical|fixed point|profit|golden|extrem)",
    re.IGNORECASE,
)
_OTHER = re.compile(r"\b(?:conjugat|dual|adjoint|Legendre|polar|revers)", re.IGNORECASE)


def at_the_star(judge: Judge, s: Statement) -> Finding | None:
    """The refutation of what one slip makes of the value of a name where another one has a star."""
    plain = s.name.removesuffix(STAR)
    if plain == s.name or s.letters or s.rhs is None or s.relation != "=" or s.number:
        return None
    versions, outline = judge.versions, judge.outline
    table = versions.table
    if _OTHER.search(outline.text):
        return None
    own = [v for v in table.get(plain, ()) if not v.numbers]
    if len(own) != 1 or own[0].definition.indices or len(table.get(s.name, ())) > 1:
        return None
    body = own[0].definition.expr
    put = {}
    for x in sorted(body.free_symbols, key=str):
        marked = [v for v in table.get(f"{x}{STAR}", ()) if (v.line, v.column) < (s.line, s.column)]
        said = [v for v in marked if _POINT.search(outline.sentence(v.line, v.column))]
        if len(marked) == len(said) == 1 and not marked[0].definition.indices:
            put[x] = marked[0].definition.tensor
    if not put:
        return None
    try:
        rest = [d for d in versions.system(s) if d.name != s.name]
        known = {d.name for d in rest}
        more = [table[str(x)][0].definition for x in put.values() if str(x) not in known]
        system = System(*rest, *more, define(s.name, (), body.xreplace(put)))
        claim = replace(s, kind="claim")
        verdict = judge.prove(claim, system)
    except SymattnError:
        return None
    if verdict.status != "refuted" or not names(s.rhs):
        return None
    found = judge.near(claim, verdict, system)
    if found is None or found.verdict != report.REFUTED:
        return None
    why = f"one slip away from {plain} of line {own[0].line} at the star"
    return replace(found, reason=why)


__all__ = ["at_the_star"]
