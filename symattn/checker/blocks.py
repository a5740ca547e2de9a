r"""Matrices of blocks: Q P = 1 for Q = P⁻¹, block by block, and det by Schur's complement.

Products of blocks are polynomials over words (words.py), which are zero or not.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import reduce
from itertools import product
from typing import Any

import sympy as sp

from ..objects import Determinant, Inverse
from ..read import Document
from ..syntax import System
from .inside import names
from .statements import Statement
from .versions import closure
from .words import FREE, Poly, Unfit, Word, Words

Block = dict[Word, sp.Expr]  # a polynomial between two ends
Grid = tuple[tuple[Any, ...], ...]  # of blocks
_ENDS = tuple((f"{FREE}{k}", False, False) for k in (0, 1))


def cells(s: Statement, document: Document) -> tuple[str, ...]:
    """The names in the matrices of blocks that a statement rests on."""
    found = []
    for name in sorted(closure(names(s.lhs) | names(s.rhs) | _inverted(s), document)):
        bases = (b for row in document.grids.get(name, ()) for b in row)
        found += [str(b.of.label if isinstance(b, Inverse) else b.label)
                  for b in bases if isinstance(b, sp.IndexedBase)]  # fmt: skip
    return tuple(found)


def proves(s: Statement, system: System, document: Document) -> bool:
    """True where a statement about matrices of blocks holds block by block."""
    try:
        return _Blocks(s, system, document.grids).hold(s.lhs, s.rhs)
    except Unfit:
        return False


def _inverted(s: Statement) -> set[str]:
    """The matrices of which an inverse or a determinant stands in a statement."""
    every = [x for e in (s.lhs, s.rhs) for x in e.atoms(Determinant, sp.IndexedBase)]
    of = (x.of if isinstance(x, Inverse) else x.args[0] for x in every if not _plain(x))
    return {x.name for x in of}


def _plain(x: Any) -> bool:
    return isinstance(x, sp.IndexedBase) and not isinstance(x, Inverse)


class _Blocks:
    """Matrices of blocks as grids of polynomials."""

    def __init__(self, s: Statement, system: System, grids: Mapping[str, Grid]) -> None:
        self.system, self.grids, self.letters = system, grids, s.letters
        every = (x for g in grids.values() for row in g for x in row)
        bases = [b for b in every if isinstance(b, sp.IndexedBase)]
        self.words = Words(system, [s.lhs, s.rhs, *map(_component, bases)])

    def hold(self, left: Any, right: Any) -> bool:
        """True where two sides are one grid, an inverse and its matrix, or a determinant."""
        if self._determinant(left, right) or self._determinant(right, left):
            return True
        for one, other in ((left, right), (right, left)):
            inverted = isinstance(getattr(one, "base", None), Inverse)
            if inverted and one.indices == self.letters:
                matrix = self.grid(one.base.of[one.indices])
                return self._unit(self._product(matrix, self.grid(other)))
        a, b = self.grid(left), self.grid(right)
        return [*map(len, a)] == [*map(len, b)] and all(
            self._same(x, y) for r, q in zip(a, b, strict=True) for x, y in zip(r, q, strict=True)
        )

    def grid(self, expr: Any) -> Grid:
        """The polynomials in the blocks of a matrix; one for what has no blocks."""
        factors = self._factors(expr)
        if factors and all(known := [self._known(x) for x in factors]):
            return reduce(self._product, map(self._cells, known))
        plain = isinstance(expr, sp.Indexed) and expr.indices == self.letters
        if plain and (rows := self._known(expr)):
            return self._cells(rows)
        return ((self._between(expr, self.letters),),)

    def _factors(self, expr: Any) -> list[sp.Indexed]:
        """The matrices of a product, in order; none for what is no product of matrices."""
        if not (isinstance(expr, sp.Sum) and isinstance(expr.function, sp.Mul)):
            return []
        left = {x.indices[0]: x for x in expr.function.args if isinstance(x, sp.Indexed)}
        found, here = list[sp.Indexed](), self.letters[0] if self.letters else None
        while here in left:
            found.append(left.pop(here))
            here = found[-1].indices[-1]
        ends = found and found[-1].indices[1:] == self.letters[1:]
        return found if ends and len(found) == len(expr.function.args) else []

    def _cells(self, rows: Grid) -> Grid:
        return tuple(tuple(map(self._cell, row)) for row in rows)

    def _known(self, x: sp.Indexed) -> Grid:
        name = x.base.name
        d = self.system.definitions.get(name)
        if d is not None and isinstance(d.expr, sp.Indexed) and d.expr.indices == d.indices:
            name = d.expr.base.name
        return self.grids.get(name, ())

    def _cell(self, base: Any) -> Block:
        """A block by words: of a vector they end in one."""
        if not isinstance(base, sp.IndexedBase):
            return {(): base} if base != 0 else {}
        x = _component(base)
        return self._between(x, x.indices)

    def _between(self, expr: Any, letters: Sequence[sp.Idx]) -> Block:
        """The words of an expression between its letters."""
        ends = [(f"{FREE}{i.name}", False, False) for i in letters]
        found = {}
        for monomial, c in self.words.poly(expr, letters).items():
            if len(ends) == 1 and len(monomial) == 1:
                (word,) = monomial
                found[(word if word[0] == ends[0] else self.words.turned(word))[1:]] = c
            elif len(ends) == 2 and len(inside := self.words.inside(monomial, *ends)) == 1:
                found[inside[0]] = c
            else:
                raise Unfit
        return found

    def _product(self, a: Grid, b: Grid) -> Grid:
        if {len(row) for row in a} != {len(b)}:
            raise Unfit
        return tuple(
            tuple(_sum(_times(a[r][k], b[k][c]) for k in range(len(b))) for c in range(len(b[0])))
            for r in range(len(a))
        )

    def _unit(self, grid: Grid) -> bool:
        square = len(grid) == len(grid[0])
        places = product(range(len(grid)), repeat=2)
        one: Block = {(): sp.S.One}
        return square and all(self._same(grid[r][c], one if r == c else {}) for r, c in places)

    def _same(self, a: Block, b: Block) -> bool:
        poly: Poly = {}
        for word, c in _sum((a, {w: -x for w, x in b.items()})).items():
            ended = word and word[-1][0].startswith("|")
            whole = (_ENDS[0], *word) if ended else (_ENDS[0], *word, _ENDS[1])
            key = (min(whole, self.words.turned(whole)),)
            poly[key] = poly.get(key, sp.S.Zero) + c
        return self.words.zero(poly)

    def _determinant(self, left: Any, right: Any) -> bool:
        """det [[A, B], [C, D]] = det D det (A − B D⁻¹ C), or det A det (D − C A⁻¹ B)."""
        if not isinstance(left, Determinant) or not isinstance(right, sp.Mul):
            return False
        grid = self._cells(self._known(_component(left.args[0])))
        found = [x for x in right.args if isinstance(x, Determinant)]
        if (
            {x.kind for x in (left, *found)} != {"det"}
            or len(found) != 2
            or len(right.args) != 2
            or [*map(len, grid)] != [2, 2]
        ):
            return False
        (a, b), (c, d) = grid
        for first, second in (found, found[::-1]):
            x, y = (self._cell(f.args[0]) for f in (first, second))
            for corner, other, u, v in ((d, a, b, c), (a, d, c, b)):
                if len(corner) == 1 and self._same(x, corner):
                    ((word, factor),) = corner.items()
                    turned = tuple((n, not i, t) for n, i, t in reversed(word))
                    schur = _times(_times(u, {turned: -1 / factor}), v)
                    if word and self._same(y, _sum((other, schur))):
                        return True
        return False


def _component(base: Any) -> sp.Indexed:
    letters = (sp.Idx(f"block{k}", size) for k, size in enumerate(base.shape))
    return base[tuple(letters)]


def _times(a: Block, b: Block) -> Block:
    if any(w and w[-1][0].startswith("|") for w in a) and set(b) - {()}:
        raise Unfit  # a vector before a matrix
    return _sum({w + v: c * d} for w, c in a.items() for v, d in b.items())


def _sum(parts: Any) -> Block:
    found: Block = {}
    for part in parts:
        for word, c in part.items():
            found[word] = found.get(word, sp.S.Zero) + c
    return found


__all__ = ["cells", "proves"]
