"""Steps of a log along axes: the readings of axes.py and masks.py, one law at a time."""

from __future__ import annotations

from typing import Any

import sympy as sp

from . import normalize as nf
from .axes import cut, mirrored, shifted, whole
from .ir import Delta, Index, Mask, Poly, affine, slot_items
from .masks import levelled, levels, opened
from .moves import Moves
from .trees import Path, Scope, Tree, at, size_tree, slot_tree, with_letters, written


class AxisMoves(Moves):
    """What is left out of an axis, where it begins, and which way it runs."""

    def _opened_sum(self, tree: Tree, scope: Scope) -> tuple[tuple[Index, ...], Poly, Any]:
        """The letters of a Σ, its body, and their names."""
        within = self.entered(tree[1], scope)
        bound = tuple(within[x] for x, _ in tree[1])
        return bound, self.build(tree[2], within), {i: n for n, i in within.items()}

    def _axes_whole(self, tree: Tree, path: Path, scope: Scope) -> bool:
        """Σ_{p<n−1} x_{p+1} as Σ_p Σ_k δ_{k,p+1} x_k, and Σ_p δ_{k,p+1} as [k ≥ 1]."""
        if tree[0] != "sum":
            return False
        bound, body, names = self._opened_sum(tree, scope)
        for p in bound:
            found = whole(body, p, bound)
            if found is not None:
                break
        else:
            return False
        k, first, moved = found
        names = with_letters([k], names)
        letters, x = [names[b] for b in (*bound, k)], names[k]
        there = slot_tree(affine({p: 1}, first), names)
        delta = ["delta", x, there, size_tree(k.size)]
        outside = [b for b in (*bound, k) if b is not p]
        both = self._over((*bound, k), ["mul", delta, written(moved, names)], names)
        self.record("index", path, both, scope, letters=letters, letter=x, slot=there)
        inner = self._over([p], delta, names)
        after = self._over(outside, ["mul", written(moved, names), inner], names)
        self.record("sums", path, after, scope, letters=letters)
        mask = ["mask", slot_tree(affine({p: 1, k: -1}, first - 1), names)]
        value = written(nf.inside(affine({k: 1}, -first), p.size), names)
        within = {**scope, **{names[b]: b for b in outside}}
        self.record("telescope", (*path, 2, 2), value, within, whole=mask)
        return True

    def _circles_cut(self, tree: Tree, path: Path, scope: Scope) -> bool:
        """Σ_j δ_{j+1,i} [j < k] f_j at i − 1, and at n − 1 where i is 0."""
        if tree[0] != "sum":
            return False
        bound, body, names = self._opened_sum(tree, scope)
        found = cut(bound, body)
        if found is None:
            return False
        letter, slot, pieces = found
        left = [b for b in bound if b is not letter]
        after = self._over(left, ["add", *(written(p, names) for p in pieces)], names)
        more = {"letter": names[letter], "slot": slot_tree(slot, names)}
        self.record("index", path, after, scope, letters=[x for x, _ in tree[1]], **more)
        return True

    def _circles_opened(self, tree: Tree, path: Path, scope: Scope) -> bool:
        """δ_{i,j−1} modulo n as [i = j − 1] + [i = j − 1 + n], in masks."""
        only = self.build(tree, scope).single if tree[0] == "delta" else None
        atoms = list(only[0].powers) if only else []
        value = opened(atoms[0]) if len(atoms) == 1 and isinstance(atoms[0], Delta) else None
        if value is not None:
            self.record("normal form", path, self.written(value, scope), scope)
        return value is not None

    def _axes_mirrored(self, tree: Tree, path: Path, scope: Scope) -> bool:
        """Σ_k [k ≤ i] x_k for Σ_k [k ≥ n − 1 − i] x_{n−1−k}."""
        if tree[0] != "sum":
            return False
        bound, body, names = self._opened_sum(tree, scope)
        found = mirrored(bound, body)
        if found is None:
            return False
        letter, slot, value = found
        if value is nf.scale(body, -1):  # S = (S + S)/2, and one S the other way
            self.record("normal form", path, ["mul", "1/2", ["add", tree, tree]], scope)
            path = (*path, 2, 2)
        after = self._over(bound, written(value, names), names)
        more = {"letter": names[letter], "slot": slot_tree(slot, names)}
        self.record("index", path, after, scope, letters=[x for x, _ in tree[1]], **more)
        return True

    def _axes_shifted(self, tree: Tree, path: Path, scope: Scope) -> bool:
        """Σ_k [k < j] x_{k+1} as Σ_k ([1 ≤ k ≤ j] x_k + δ_{k0} [n ≤ j] x_n)."""
        if tree[0] != "sum":
            return False
        bound, body, names = self._opened_sum(tree, scope)
        found = shifted(bound, body)
        if found is None:
            return False
        letter, by, kept, ends = found
        pieces = [written(kept, names)]
        for place, end in ends:
            _, const = slot_items(place)
            new = sp.expand(const + by) - (letter.size if by > 0 else 0)
            new = new if by > 0 else sp.expand(new + letter.size)
            delta = nf.delta(letter, affine({}, new))
            pieces.append(["mul", written(delta, names), written(end, names)])
        after = self._over(bound, ["add", *pieces], names)
        more = {
            "letter": names[letter],
            "slot": slot_tree(affine({letter: 1}, sp.Integer(by)), names),
        }
        self.record("index", path, after, scope, letters=[x for x, _ in tree[1]], **more)
        return True

    def _masks_apart(self) -> None:
        """Masks as stricter ones and δ's, at the levels of all of them."""
        found: list[Mask] = []

        def collect(tree: Tree, path: Path, scope: Scope) -> bool:
            if tree[0] == "mask":
                found.append(Mask(self.slot(tree[1], scope)))
            return False

        def rule(tree: Tree, path: Path, scope: Scope) -> bool:
            if tree[0] != "mask":
                return False
            value = levelled(Mask(self.slot(tree[1], scope)), least)
            if value is not None:
                self.record("normal form", path, self.written(value, scope), scope)
            return value is not None and at(self.tree, path) != tree

        self.visit((), self.scope, collect)
        least = levels(found)
        self.everywhere(rule)


__all__ = ["AxisMoves"]
