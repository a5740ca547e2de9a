"""What holds for symmetric matrices only: metrics, covariances and couplings are, often unsaid."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping
from dataclasses import replace
from typing import Any

import sympy as sp

from ..errors import SymattnError
from ..objects import TensorSymbol
from ..prove import whether
from ..syntax import System, define
from .inside import names, partials
from .outline import Outline
from .statements import Statement, reading
from .versions import closure

MOST = 4  # matrices that are tried


def symmetric_where(
    s: Statement, system: System, tied: Collection[str] = (), said: Collection[str] = ()
) -> Iterator[tuple[tuple[str, ...], bool]]:
    """The matrices that are to be symmetric for the statement to hold, and whether that is proved.

    Those with a proof come first, of these what is `said` to be so, then all that is, and then the
    several that something defined is made of, as a covariance is; of the others none is known but
    that numbers agree.
    `tied` are names that stand for something that was not read.
    """
    agreeing = []
    square = sorted(_square(s, system, tied), key=lambda base: base.name not in said)
    for base in square[:MOST]:
        found = status(s, system, even([base]))
        if found == "proved":
            yield (base.name,), True
        elif found == "unknown":
            agreeing.append(base.name)
    told = [base for base in square if base.name in said]
    if len(told) > 1 and proved_with(s, system, even(told)):
        yield tuple(base.name for base in told), True
    defined = (names(s.lhs) | names(s.rhs)) & system.definitions.keys()
    defined = set() if partials(s.lhs, s.rhs) else defined  # of which the layout may be another
    if defined and 1 < len(square) <= MOST and proved_with(s, system, even(square)):
        needed = square
        for base in square:
            fewer = [b for b in needed if b is not base]
            needed = fewer if len(fewer) > 1 and proved_with(s, system, even(fewer)) else needed
        yield tuple(b.name for b in needed), True
    yield from (((label,), False) for label in agreeing)


def even(matrices: Collection[Any]) -> dict[Any, Any]:
    """Matrices, each with what it is where it is symmetric."""
    return {b: TensorSymbol(b.label, b.shape, "symmetric") for b in matrices}


def status(s: Statement, system: System, change: dict[Any, Any]) -> str:
    """The status of the statement when one thing stands for another, in the definitions as well."""
    from .proofs import other as proof

    try:
        left, right, under = changed(s, system, change)
        found = whether(left, right, given=under, over=s.letters)
    except SymattnError:
        return ""
    there = replace(s, lhs=left, rhs=right)
    if found.status == "unknown" and (found.held or proof(there, under, found) is not None):
        return "proved"
    return "" if found.trivial else found.status


def held_with(s: Statement, system: System, change: dict[Any, Any]) -> str:
    """What must not depend on a parameter for this to be proved, in words."""
    left, right, under = changed(s, system, change)
    return whether(left, right, given=under, over=s.letters).held


def proved_with(s: Statement, system: System, change: dict[Any, Any]) -> bool:
    """The statement is proved when one thing stands for another, in the definitions as well."""
    return status(s, system, change) == "proved"


def changed(s: Statement, system: System, change: dict[Any, Any]) -> tuple[Any, Any, System]:
    """Both sides and the definitions with one thing in place of another.  Raises SymattnError."""
    if not change:
        return s.lhs, s.rhs, system
    other = System(
        *(
            define(d.name, [i.xreplace(change) for i in d.indices], d.expr.xreplace(change))
            for d in system
        ),
        facts=[f.xreplace(change) for f in system.facts],
    )
    return s.lhs.xreplace(change), s.rhs.xreplace(change), other


def all_symmetric(s: Statement, system: System) -> dict[Any, Any]:
    """The matrices of which nothing is said, each with what it is where it is symmetric."""
    return even(_square(s, system, ())[:MOST])


def matrices_without(s: Statement, outline: Outline) -> dict[str, Any]:
    """The matrices of the text without a statement; none where it stands otherwise there."""
    at = outline.position(s.line, s.column)
    end = at + len(s.whole)
    if outline.text[at:end] != s.whole:
        return {}
    blank = re.sub(r"[^\n]", " ", s.whole)
    document = reading(outline.text[:at] + blank + outline.text[end:]).document
    return {n: b for n, b in document.inputs.items() if len(b.shape) == 2}


def oblong(matrix: str, without: Mapping[str, Any]) -> bool:
    """One statement alone makes the matrix square: without it the text gives it two sizes."""
    stem = matrix.split("_")[0]  # W_{l+1}, of which the text has W_l besides
    alike = [b for n, b in without.items() if n.split("_")[0] == stem]
    own = [b for b in alike if b.name == matrix] or alike
    return bool(own) and all(b.shape[0] != b.shape[1] for b in own)


def _square(s: Statement, system: System, tied: Collection[str]) -> list[Any]:
    """Matrices with two equal axes of which nothing is said; none that stands for an operation."""
    reached = closure(names(s.lhs) | names(s.rhs), system) - {*system.definitions, *tied}
    exprs = [s.lhs, s.rhs, *(d.expr for d in system)]
    found = {b for e in exprs for b in e.atoms(sp.IndexedBase) if b.name in reached}
    return sorted(
        (
            b
            for b in found
            if len(b.shape) == 2
            and b.shape[0] == b.shape[1]
            and type(b) is TensorSymbol
            and not b.symmetry
        ),
        key=str,
    )


__all__ = [
    "all_symmetric",
    "changed",
    "even",
    "held_with",
    "matrices_without",
    "oblong",
    "proved_with",
    "status",
    "symmetric_where",
]
