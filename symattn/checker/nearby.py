"""A statement that one slip of the pen separates from an identity.

Where names have no meaning of their own an equation may be a condition on them: A B = B A.  It is
hardly one if a sign, a factor or a transposition makes an identity of it that holds whatever the
names stand for: then the author meant the identity.  What lacks a factor or a term of an identity
is true where that is 1 or 0, which the author may have said.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from ..errors import SymattnError
from ..objects import Inverse, Partial
from ..prove import Verdict, whether
from ..read.imaginary import WHY as IMAGINARY
from ..syntax import System
from . import report
from .edits import Filled, added, inserted, renamed, tokens
from .effort import LACKING, effort
from .finding import Finding, values
from .inside import names
from .links import bracketed, sides, tidy
from .missing import completed, places, separated
from .numbers import decimals
from .repair import BATCHES, edits, proved_edits
from .statements import Statement
from .versions import closure

if TYPE_CHECKING:
    from .disputed import Disputed

FEW = 1  # names that an edit may bring in
RENAMED = 40  # sides with one name for another


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
    the right side what the left is, x² = x is a condition, or that brings the left side's own name
    in: u = 3 w is one on u, whatever w is.
    """
    if s.relation not in ("=", ":=") or decimals(s.latex) or not (names(s.lhs) or s.lhs.is_number):
        return ""
    tried = [c for batch in edits(s, verdict, system) for c in batch][: BATCHES[2]]
    left, *others = sides(s.latex)[0]
    if not s.letters and len(others) == 1:
        tried += [*renamed(others[0])][:RENAMED]
    for latex, wanted, under in proved_edits(s, verdict, system, declarations, [tried]):
        same = wanted == s.lhs and _written(left) <= _written(latex)  # w(L) is what w(x) makes it
        same = (same and not averaged) or _bare(latex) == _bare(left)
        if (
            same
            or not _rest(wanted, under) >= _rest(s.rhs, system)
            or not _beside(s, wanted, under)
        ):
            continue
        if apart or _differs(s.rhs, wanted, under):
            return latex
    return ""


def shortened(
    judge: Disputed, s: Statement, verdict: Verdict, system: System, apart: bool, averaged: bool
) -> Finding | None:
    """The finding on what lacks a factor or a term of an identity: true where it is 1 or 0."""
    head, document = judge.head(s, system), judge.versions.document
    unresolved = getattr(document, "unresolved", {})
    if any(unresolved.get(n) == IMAGINARY for n in names(s.lhs) | names(s.rhs)):
        return None  # i² = 1 never holds
    with effort(LACKING):
        condition, right = _lacking(s, verdict, system, head, document, apart, averaged)
    if not right:
        return None
    if {t.lstrip("\\") for t in _written(condition) - _NUMBERS} <= _derived_by(s):
        condition = ""  # a slope that is a function of k is not meant at k = 1
    why = f"true only if {condition}" if condition else "one slip away from an identity"
    kind = report.CONDITIONAL if condition else report.REFUTED
    used = judge.rests_on(s, system)
    return Finding(kind, why, values(verdict), right, used=used, proof=verdict, system=system)


def _derived_by(s: Statement) -> set[str]:
    """What the left side is derived by and the right side is made of."""
    return {n for p in s.lhs.atoms(Partial) for n in names(p.args[1])} & names(s.rhs)


def _lacking(
    s: Statement,
    verdict: Verdict,
    system: System,
    declarations: str,
    document: System,
    apart: bool,
    averaged: bool,
) -> tuple[str, str]:
    """The condition under which what lacks a factor or a term of an identity is true, and that one.

    The condition is empty where it lacks a number: then it is true under none.  `apart` says that
    the sides are known to have different values.
    """
    parts, _ = sides(s.latex)
    if s.relation not in ("=", ":=") or decimals(s.latex) or len(parts) != 2:
        return "", ""
    if not (names(s.lhs) or s.lhs.is_number):
        return "", ""
    left, right = parts
    found = [*_completions(s, right, system, document)]
    conditions = {bracketed(tidy(latex)): condition for condition, latex in reversed(found)}
    tried = [latex for _, latex in found]
    for latex, wanted, under in proved_edits(s, verdict, system, declarations, [tried]):
        more = (averaged or wanted != s.lhs) and _bare(latex) != _bare(
            left
        )  # A A, where A is to be A^2
        if not more or latex not in conditions or not _rest(wanted, under) >= _rest(s.rhs, system):
            continue
        if conditions[latex] or apart or _differs(s.rhs, wanted, under):
            return conditions[latex], latex
    return "", ""


def _completions(
    s: Statement, right: str, system: System, document: System
) -> Iterator[tuple[str, str]]:
    """What a side becomes with a piece more, and the condition that the piece is 0 or 1."""
    signs = tokens(right)
    yield from (("", longer) for longer in added(signs, ("1", "2")))
    doubled = inserted(signs, ("2", r"\frac{1}{2}"), places(right))
    yield from (("", longer) for longer in doubled)
    for latex in completed(s, system, document):
        if isinstance(latex, Filled):
            yield f"{latex.piece} = 1", latex
    for term, longer in separated(s, system, document):
        plain = term.removeprefix("-").strip()
        yield (f"{plain} = 0" if _written(plain) - _NUMBERS else ""), longer


_NUMBERS = frozenset([r"\frac", r"\sqrt", r"\pi", r"\log", r"\cdot"])  # beside digits


def _rest(side: Any, system: System) -> set[str]:
    """The names of a side, and of what is inverted in it, which is called otherwise elsewhere."""
    inverted = {b.of.name for b in side.atoms(Inverse)} & set(system.definitions)
    made = {n for n in names(side) if n.removeprefix("inverse(").removesuffix(")") in inverted}
    bodies = (names(system.definitions[n].expr) for n in inverted)
    return (names(side) - made).union(*bodies)


def _beside(s: Statement, wanted: Any, system: System) -> bool:
    """The edit brings in a name or none, and not the one that stands alone on the left."""
    more = closure(names(wanted), system) - closure(names(s.rhs), system)
    return s.name not in more and len(more - set(system.definitions)) <= FEW


def _written(latex: str) -> set[str]:
    """The letters and commands of a formula."""
    marked = {t.rstrip("'") for t in tokens(latex)}
    return {t for t in marked if t[-1:].isalpha() and t not in (r"\left", r"\right")}


def _bare(latex: str) -> str:
    return re.sub(r"\\left|\\right|\\[,;:!]|[\s{}()\[\]]", "", latex)


def _differs(right: Any, wanted: Any, system: System) -> bool:
    try:
        return whether(right, wanted, given=system).status == "refuted"
    except SymattnError:
        return False


__all__ = ["FEW", "RENAMED", "identity", "shortened"]
