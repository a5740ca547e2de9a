"""Statements with x_{i-1} hold where that is a component: before the first x there is none.

The engine counts modulo the axis.  A proof that rests on it, as of Σ_k x_{k+1} = Σ_k x_k, speaks of
a circle, which an author has to mean.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from itertools import islice, product
from typing import Any

import mpmath
import numpy as np
import sympy as sp

from ..syntax import Definition, System, iverson
from .inside import names
from .samples import sample
from .second import DIGITS, FAILURES, Second, Unable, differ
from .statements import Statement
from .versions import closure

ENTRIES = 60  # at which the two sides are compared


def inside(s: Statement) -> tuple[Statement, str] | None:
    """The statement where all its shifted indices are within their ranges, and where that is.

    None for one without a letter that is free and shifted.
    """
    first: dict[sp.Idx, int] = {}
    last: dict[sp.Idx, int] = {}
    for x in s.lhs.atoms(sp.Indexed) | s.rhs.atoms(sp.Indexed):
        for slot in x.indices:
            shift, letter = sp.sympify(slot).as_coeff_Add()
            if letter in s.letters and shift.is_Integer and shift:
                bound = first if shift < 0 else last
                bound[letter] = max(bound.get(letter, 0), abs(int(shift)))
    masks = [iverson(i >= c) for i, c in first.items()]
    masks += [iverson(i <= i.upper - c) for i, c in last.items()]
    if not masks:
        return None
    within = sp.Mul(*masks)
    early = [f"{i} > {c}" if c > 1 else f"{i} is not the first" for i, c in first.items()]
    late = [f"{i} is not the last" if c == 1 else f"{c} more follow {i}" for i, c in last.items()]
    return replace(s, lhs=within * s.lhs, rhs=within * s.rhs), " and ".join([*early, *late])


class Within(Second):
    """Values of what stays on its axes: there is no x_0 where a text begins with x_1."""

    def place(self, at: Mapping[str, int], *exprs: Any) -> dict[str, int]:
        """The free letters at these places, those that are not given at one that the seed says."""
        last = super().place(at, *exprs)
        return {n: at.get(n, self.seed % (k + 1)) for n, k in last.items()}

    def _place(self, slot: Any, at: Mapping[str, int], length: int) -> int:
        place = super()._place(slot, at, length)
        if place < 0 and slot.atoms(sp.Idx):
            raise Unable("an index leaves its range")
        return place

    def _computed(self, d: Definition) -> Any:
        """The components that there are; None elsewhere, as for the last x_{i+1} − x_i."""
        array = np.empty(tuple(self.length(n) for n in d.shape), dtype=object)
        for place in np.ndindex(array.shape):
            letters = {i.name: k for i, k in zip(d.indices, place, strict=True)}
            try:
                array[place] = self.value(d.expr, letters)
            except Unable:
                array[place] = None
        return array

    def _entry(self, base: Any, place: tuple[int, ...]) -> Any:
        value = super()._entry(base, place)
        if value is None:
            raise Unable("an index leaves its range")
        return value


class Beyond(Second):
    """Values where a component outside of an axis is a number of its own, and no other component.

    Of what is defined it is the body at that index.
    """

    def _place(self, slot: Any, at: Mapping[str, int], length: int) -> int:
        letters = {i: sp.Integer(at[i.name]) for i in slot.atoms(sp.Idx)}
        return self.length(slot.xreplace(letters))

    def _entry(self, base: Any, place: tuple[int, ...]) -> Any:
        array, name = self.tensor(base), base.name
        if all(0 <= k < n for k, n in zip(place, array.shape, strict=True)):
            return array[place]
        d = self.system.definitions.get(name)
        if d is not None and name not in self.given:
            letters = {i.name: k for i, k in zip(d.indices, place, strict=True)}
            return self.value(d.expr, letters)
        rng = np.random.default_rng([self.seed, *name.encode(), *(k % 2**32 for k in place)])
        return mpmath.mpf(int(rng.integers(33, 65))) / 16


def round_the_axis(s: Statement, system: System, seed: int) -> bool:
    """The two sides are equal only where a component past the end is one from the beginning."""
    reached = closure(names(s.lhs) | names(s.rhs), system)
    sides = (s.lhs, s.rhs)
    exprs = (*sides, *(d.expr for d in system if d.name in reached))
    if not any(_shifted(x) for e in exprs for x in e.atoms(sp.Indexed)):
        return False
    with mpmath.workdps(DIGITS):
        try:
            way = Beyond(system, *sample(s, system, seed), seed)
            way.know(*sides)
            letters = sorted({i for e in sides for i in e.free_symbols & e.atoms(sp.Idx)}, key=str)
            ranges = [range(way.length(i.upper) + 1) for i in letters]
            for place in islice(product(*ranges), ENTRIES):
                at = {i.name: k for i, k in zip(letters, place, strict=True)}
                if differ(*(float(way.value(sp.sympify(side), at)) for side in sides)):
                    return True
        except (Unable, *FAILURES):
            return False
    return False


def _shifted(x: sp.Indexed) -> bool:
    return any(not isinstance(k, sp.Idx) and k.atoms(sp.Idx) for k in map(sp.sympify, x.indices))


__all__ = ["Within", "inside", "round_the_axis"]
