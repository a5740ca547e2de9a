"""A statement that one slip of the pen separates from an identity.

Where names have no meaning of their own an equation may be a condition on them: A B = B A.  It is
hardly one if a sign, a factor or a transposition makes an identity of it that holds whatever the
names stand for: then the author meant the identity.
"""

from __future__ import annotations

import re
from typing import Any

from ..errors import SymattnError
from ..prove import Verdict, prove
from ..syntax import System
from .links import sides
from .numbers import decimals
from .repair import BATCHES, edits, proved_edits
from .statements import Statement
from .versions import closure, names

FEW = 1  # names that only one side may have


def identity(
    s: Statement,
    verdict: Verdict,
    system: System,
    declarations: str,
    apart: bool,
    averaged: bool = False,
) -> str:
    """The right side, after one edit, of the identity that is meant; empty for none.

    `apart` says that the sides are known to have different values, `averaged` that averages stand
    in them, which are multiplied out wherever they stand.

    An edit that leaves out a name is none: what it stands for may be 0.  Neither is one that makes
    the right side what the left is: x² = x is a condition.
    """
    if s.relation not in ("=", ":=") or decimals(s.latex) or not _alike(s, system):
        return ""
    tried = [c for batch in edits(s, verdict, system) for c in batch][: BATCHES[2]]
    for latex, wanted, under in proved_edits(s, verdict, system, declarations, [tried]):
        same = wanted == s.lhs if not averaged else _bare(latex) == _bare(sides(s.latex)[0][0])
        if same or not names(wanted) >= names(s.rhs):
            continue
        if apart or _differs(s.rhs, wanted, under):
            return latex
    return ""


def _alike(s: Statement, system: System) -> bool:
    """Both sides speak of the same, and the left is no name that the right is without."""
    if s.name and not s.number and s.name not in closure(names(s.rhs), system):
        return False
    left, right = (closure(names(x), system) - set(system.definitions) for x in (s.lhs, s.rhs))
    return bool(left) and len(left ^ right) <= FEW


def _bare(latex: str) -> str:
    return re.sub(r"\\left|\\right|[\s{}()\[\]]", "", latex)


def _differs(right: Any, wanted: Any, system: System) -> bool:
    try:
        return prove(right, wanted, given=system).status == "refuted"
    except SymattnError:
        return False


__all__ = ["identity"]
