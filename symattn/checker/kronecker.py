r"""Kronecker products and vec: (A ⊗ B)(C ⊗ D) = AC ⊗ BD and vec(A X B) = (Bᵀ ⊗ A) vec X.

A matrix is a sum of products w_1 ⊗ w_2 ⊗ … of words, and vec(X) is the word X, on which A ⊗ B is
X ↦ B X Aᵀ.  Both sides are equal where they are the same sum.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import sympy as sp

from ..read.tree import Node
from .matrix_trees import meant
from .operators import Foreign
from .words import Letter, Word

Terms = dict[tuple[Word, ...], sp.Expr]
MOST = 200


@dataclass(frozen=True)
class Sum:
    """A sum of products of words; `kind` is "op" for a matrix and "vec" for a stacked one."""

    terms: Terms
    kind: str = "op"


class Words:
    """What trees are as sums of products of words; `rows` where vec stacks rows."""

    def __init__(self, rows: bool = False, scalars: Iterable[str] = ()) -> None:
        self.rows, self.scalars = rows, frozenset(scalars)

    def number(self, value: Fraction) -> Sum:
        return Sum({(): sp.Rational(value)} if value else {})

    def name(self, name: str) -> Sum:
        if name in self.scalars:
            return Sum({(): sp.Symbol(name)})
        if name == "I" or name.startswith("I_"):
            return Sum({((),): sp.S.One})
        return Sum({(((name, False, False),),): sp.S.One})

    def plus(self, a: Sum, b: Sum) -> Sum:
        if a.kind != b.kind:
            raise Foreign
        return Sum(_sum([*a.terms.items(), *b.terms.items()]), a.kind)

    def times(self, a: Sum, b: Sum) -> Sum:
        if len(a.terms) * len(b.terms) > MOST:
            raise Foreign
        kind = "vec" if "vec" in (a.kind, b.kind) else "op"
        pairs = [
            (self._product(v, a.kind, w, b.kind), c * d)
            for v, c in a.terms.items()
            for w, d in b.terms.items()
        ]
        if a.kind == "row" and b.kind == "vec":  # vec(A)ᵀ vec(B)
            total: Sum = self.number(Fraction(0))
            for (word,), c in pairs:
                total = self.plus(total, Sum({(): c * _trace(word)}))
            return total
        if a.kind == "vec" and a.terms.keys() - {()} and b.terms.keys() - {()}:
            raise Foreign
        return Sum(_sum(pairs), kind if "row" not in (a.kind, b.kind) else "row")

    def _product(
        self, v: tuple[Word, ...], left: str, w: tuple[Word, ...], right: str
    ) -> tuple[Word, ...]:
        if not v or not w:
            return v or w
        if (left, right) == ("row", "vec"):
            return (_joined(_turned(v[0]), w[0]),)
        if left == "op" and right == "vec" and len(v) == 2:
            one, other = v[::-1] if not self.rows else v
            return (_joined(one, w[0], _turned(other)),)
        if left == right == "op":
            if v == ((),) or w == ((),):  # the identity, of whatever size
                return w if v == ((),) else v
            if len(v) == len(w):
                return _plain(tuple(_joined(x, y) for x, y in zip(v, w, strict=True)))
        raise Foreign

    def transposed(self, a: Sum) -> Sum:
        if a.kind == "vec":
            return Sum(a.terms, "row")
        if a.kind == "row":
            return Sum(a.terms, "vec")
        return Sum({tuple(map(_turned, w)): c for w, c in a.terms.items()})

    def inverse(self, a: Sum) -> Sum:
        if len(a.terms) != 1 or a.kind != "op":
            raise Foreign
        ((words, c),) = a.terms.items()
        back = tuple(tuple((n, not i, t) for n, i, t in reversed(w)) for w in words)
        return Sum({back: 1 / c})

    def kronecker(self, a: Sum, b: Sum) -> Sum:
        if {a.kind, b.kind} != {"op"} or () in a.terms or () in b.terms:
            raise Foreign
        pairs = ((v + w, c * d) for v, c in a.terms.items() for w, d in b.terms.items())
        return Sum(_sum(pairs))

    def vec(self, a: Sum) -> Sum:
        if a.kind != "op" or any(len(w) != 1 for w in a.terms):
            raise Foreign
        return Sum(a.terms, "vec")

    def tr(self, a: Sum) -> Sum:
        if a.kind != "op" or () in a.terms:
            raise Foreign
        values = (c * sp.Mul(*map(_trace, w)) for w, c in a.terms.items())
        return Sum(_sum(((), c) for c in values))

    def det(self, a: Sum) -> Sum:
        raise Foreign

    def blocks(self, rows: Sequence[Sequence[Any]]) -> Sum:
        raise Foreign


def _sum(terms: Iterable[tuple[tuple[Word, ...], sp.Expr]]) -> Terms:
    found: Terms = {}
    for words, c in terms:
        found[words] = sp.expand(found.get(words, sp.S.Zero) + c)
    return {w: c for w, c in found.items() if c != 0}


def _plain(words: tuple[Word, ...]) -> tuple[Word, ...]:
    """I ⊗ I is an identity."""
    return ((),) if all(not w for w in words) else words


def _joined(*words: Word) -> Word:
    found = list[Letter]()
    for name, inverted, turned in (x for w in words for x in w):
        if found and found[-1] == (name, not inverted, turned):
            found.pop()
        else:
            found.append((name, inverted, turned))
    return tuple(found)


def _turned(word: Word) -> Word:
    return tuple((n, i, not t) for n, i, t in reversed(word))


def _trace(word: Word) -> sp.Symbol:
    """The trace of a word, which is that of the word turned round and of its transpose."""
    if not word:
        raise Foreign  # how large is it?
    every = (w[k:] + w[:k] for w in (word, _turned(word)) for k in range(len(word)))
    return sp.Symbol(f"tr{min(every)}")


def same(sides: tuple[Node, Node], rows: bool, scalars: Iterable[str]) -> bool:
    """True where two sides are one sum of products of words, which is not nothing."""
    try:
        left, right = (meant(x, Words(rows, scalars)) for x in sides)
    except Foreign:
        return False
    return left == right and bool(left.terms)


__all__ = ["Words", "same"]
