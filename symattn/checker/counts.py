"""Letters and numbers that stand for how many there are: n, C and 3 for the size of an axis."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from itertools import product
from typing import Any

import sympy as sp

from ..syntax import System
from . import inside
from .inside import names, symbols
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
    numbers = {x for e in exprs for x in symbols(e) if isinstance(x, sp.Symbol)}
    sizes = _sizes(exprs)
    numbers -= {*sizes, *(x for e in exprs for i in e.atoms(sp.Idx) for x in i.free_symbols)}
    numbers -= {b.label for e in exprs for b in e.atoms(sp.IndexedBase)}  # a matrix K
    unsaid = [x for x in numbers if x.name in LETTERS and x.name not in system.definitions]
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


def units(s: Statement, system: System) -> Iterator[tuple[str, Change]]:
    """The size of an identity matrix beside nothing is that of another matrix: |λ I| of n × n."""
    loose = open_sizes(s, system)
    known = [n for n in _sizes(_reached(s, system)) if n not in loose]
    for sizes in product(known[:MOST], repeat=len(loose)) if 0 < len(loose) < 3 else ():
        shown = " and ".join(_like(n, system) for n in dict.fromkeys(sizes))
        yield f"the I that stands alone is {shown}", dict(zip(loose, sizes, strict=True))


def both(s: Statement, system: System) -> Iterator[tuple[str, Change]]:
    """The size of such an I, and n = the size of an axis, together."""
    for (one, first), (other, second) in product(units(s, system), letters(s, system)):
        if not {*first} & {*second.values()}:
            yield f"{other}, and {one}", first | second


def _like(size: sp.Symbol, system: System) -> str:
    """n × n, and which matrix is so."""
    shapes = {d.name: d.shape for d in system} | {n: t.shape for n, t in system.inputs.items()}
    named = [n for n, shape in shapes.items() if {*shape} == {size} and not n.startswith("M_")]
    return f"{size} × {size}" + (f", as {named[0]} is" if named else "")


def open_sizes(s: Statement, system: System) -> list[sp.Symbol]:
    """The sizes of identity matrices of which nothing else tells how large they are."""
    exprs, reached = _reached(s, system), closure(names(s.lhs) | names(s.rhs), system)
    deltas = {x for e in exprs for d in e.atoms(sp.KroneckerDelta) for x in _lengths(d)}
    bases = {b for e in exprs for b in e.atoms(sp.IndexedBase)}
    inputs = {x for b in bases if b.name not in system.definitions for x in b.shape}
    own = {x for d in system if d.name in reached for x in d.shape}
    shapes = {x for b in bases for x in b.shape}
    found = (deltas & own & shapes) - inputs
    return sorted((x for x in found if isinstance(x, sp.Symbol)), key=str)


def _lengths(expr: Any) -> set[Any]:
    return {i.upper + 1 for i in expr.atoms(sp.Idx)}


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
    found = {i.upper + 1: None for e in exprs for i in sorted(inside.letters(e), key=str)}
    return [n for n in found if isinstance(n, sp.Symbol)]


__all__ = ["both", "has_trace", "letters", "numbers", "open_sizes", "traced", "units"]
