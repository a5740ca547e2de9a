"""Letters for bound indices: those that the definitions use, none that is taken."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import count
from typing import Any

import sympy as sp

from .ir import (
    Call,
    Delta,
    Index,
    Mask,
    Num,
    Poly,
    Ref,
    Slot,
    Sum,
    Term,
    affine,
)
from .syntax import Definition

Letters = Mapping[sp.Expr, Sequence[str]]  # size → the letters preferred for it
FALLBACK = "ijklmnpqrstuvwxyz"


def definition_letters(definitions: Iterable[Definition]) -> dict[sp.Expr, list[str]]:
    """The letters that the definitions use, by size, in order of appearance."""
    pool: dict[sp.Expr, list[str]] = {}
    for d in definitions:
        inside = sorted(d.expr.atoms(sp.Idx), key=lambda i: i.name)
        for idx in (*d.indices, *inside):
            names = pool.setdefault(sp.sympify(idx.upper + 1), [])
            if idx.name not in names:
                names.append(idx.name)
    return pool


def fresh_letter(size: sp.Expr, taken: Iterable[str], letters: Letters) -> str:
    """A letter for that size that is not taken: a preferred one, else a letter of no other size."""
    taken = set(taken)
    for name in letters.get(size, ()):
        if name not in taken:
            return name
    others = {name for names in letters.values() for name in names}
    for name in FALLBACK:
        if name not in taken and name not in others:
            return name
    stem = next(iter(letters.get(size, ())), "i").rstrip("'")
    return next(name for k in count(1) if (name := stem + "'" * k) not in taken)


def with_letters(node: Any, letters: Letters, taken: frozenset[str] = frozenset()) -> Any:
    """The raw expression with a letter in place of every canonical bound index."""
    return _letter(node, letters, taken | {i.name for i in node.free}, {})


def _letter(node: Any, letters: Letters, taken: frozenset[str], names: dict[Index, Index]) -> Any:
    def slot(s: Slot) -> Slot:
        if isinstance(s, Index):
            return names.get(s, s)
        return affine({names.get(i, i): c for i, c in s.items}, s.const)

    def go(child: Any) -> Any:
        return _letter(child, letters, taken, names)

    match node:
        case Ref():
            return Ref(node.tensor, [slot(s) for s in node.slots])
        case Delta():
            return Delta(slot(node.a), slot(node.b))
        case Mask():
            return Mask(slot(node.slot))
        case Call():
            return Call(node.name, [go(a) for a in node.args])
        case Num():
            return node
        case Term():
            return Term({go(a): e for a, e in node})
        case Poly():
            return Poly({go(t): c for t, c in node})
        case Sum():
            inner = dict(names)
            used = set(taken)
            for b in node.bound:
                name = fresh_letter(b.size, used, letters) if b.level else b.name
                used.add(name)
                inner[b] = Index(name, b.size)
            body = _letter(node.body, letters, frozenset(used), inner)
            return Sum([inner[b] for b in node.bound], body)
    raise AssertionError(node)
