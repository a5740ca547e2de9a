"""Letters and numbers that stand for how many there are: n, C and 3 for the size of an axis."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import Any

import sympy as sp

from ..syntax import System
from .inside import names
from .statements import Statement
from .versions import closure

LETTERS = frozenset("nNmMdDkKCTpPV")
MOST = 4  # choices that are tried

Change = dict[Any, Any]


def letters(s: Statement, system: System) -> Iterator[tuple[str, Change]]:
    """n = the size of an axis, for a letter of which the document says nothing.

    Each as the condition in words, and what stands for what under it.
    """
    exprs = _reached(s, system)
    symbols = {x for e in exprs for x in e.free_symbols if isinstance(x, sp.Symbol)}
    sizes = _sizes(exprs)
    symbols -= {*sizes, *(x for e in exprs for i in e.atoms(sp.Idx) for x in i.free_symbols)}
    unsaid = [x for x in symbols if x.name in LETTERS and x.name not in system.definitions]
    if len(unsaid) == 1:
        for size in sizes[:MOST]:
            yield f"{unsaid[0]} = {size}", {unsaid[0]: size}


def numbers(s: Statement, system: System) -> Iterator[tuple[str, Change]]:
    """3 = the size of an axis, for a number, whole or below a fraction bar."""
    exprs = _reached(s, system)
    rationals = {q for e in exprs for q in e.atoms(sp.Rational)}
    for size in _sizes(exprs)[:MOST]:
        for q in sorted(rationals, key=sp.default_sort_key):
            if q.is_Integer and abs(q) > 1:
                yield f"{size} = {abs(q)}", {q: size * sp.sign(q)}
            elif abs(q.p) == 1 and q.q > 1:
                yield f"{size} = {q.q}", {q: q.p / size}


def has_trace(s: Statement) -> bool:
    """True where one letter stands twice below a name."""
    found = s.lhs.atoms(sp.Indexed) | s.rhs.atoms(sp.Indexed)
    return any(len({*x.indices}) < len(x.indices) for x in found)


def traced(s: Statement) -> Statement | None:
    """The statement with σ_kk on the left as a trace: each term that has k is summed over it."""
    twice = {
        i
        for x in s.lhs.atoms(sp.Indexed)
        for i in x.indices
        if isinstance(i, sp.Idx) and x.indices.count(i) > 1
    }
    found = sorted(twice & set(s.letters), key=str)
    if not found:
        return None
    spans = [(i, 0, i.upper) for i in found]

    def summed(side: Any) -> Any:
        terms = sp.Add.make_args(sp.expand(side))
        return sp.Add(*(sp.Sum(t, *spans) if twice & t.atoms(sp.Idx) else t for t in terms))

    rest = tuple(i for i in s.letters if i not in twice)
    return replace(s, lhs=summed(s.lhs), rhs=summed(s.rhs), letters=rest, name="")


def _reached(s: Statement, system: System) -> list[Any]:
    reached = closure(names(s.lhs) | names(s.rhs), system)
    return [s.lhs, s.rhs, *(d.expr for d in system if d.name in reached)]


def _sizes(exprs: Iterable[Any]) -> list[Any]:
    found = {i.upper + 1: None for e in exprs for i in sorted(e.atoms(sp.Idx), key=str)}
    return [n for n in found if isinstance(n, sp.Symbol)]


__all__ = ["has_trace", "letters", "numbers", "traced"]
