"""Whether an edit of a side can make it hang on what the other side hangs on."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from itertools import islice
from typing import Any

import mpmath
import numpy as np
import sympy as sp

from ..syntax import System
from .inside import names, partials
from .second import DIGITS, FAILURES, Second, Unable, differ
from .statements import Statement
from .versions import closure


def out_of_reach(s: Statement, system: System, most: int, seed: int = 0) -> bool:
    """No edit makes an identity of it that brings in no more free names and leaves out none.

    The left side hangs on more of them than the right side has, or on what stands alone there; or
    the right side hangs on one that it has once and the left side has not, which nothing cancels
    where that is no sum that is to be 0.
    """
    lacks, exceeds = _apart(s, system)
    lacks = lacks if s.name in lacks or len(lacks) > most else set()
    lacks = set() if s.name not in lacks and _made_of(lacks, s, system) else lacks
    once = {n for n in exceeds if s.lhs != 0 and _places(n, s.rhs, system) == 1}
    if not lacks and not once:
        return False
    way = Second(system, {}, {}, seed)
    with mpmath.workdps(DIGITS):
        try:
            way.know(s.lhs, s.rhs)
            at = way.place({}, s.lhs, s.rhs)
        except (Unable, *FAILURES):
            return False
        if s.name in lacks and any(_hanging(s.lhs, [s.name], way, at)):
            return True
        if any(_hanging(s.rhs, once, way, at)):
            return True
        return len([*islice(_hanging(s.lhs, lacks, way, at), most + 1)]) > most


def _made_of(lacks: set[str], s: Statement, system: System) -> bool:
    """A name that the left side rests on is made of all of these, and an edit brings in that."""
    below = closure(names(s.lhs), system) & system.definitions.keys()
    below -= closure(names(s.rhs), system) | names(s.lhs)
    return any(closure([n], system) - system.definitions.keys() == lacks for n in below)


def _apart(s: Statement, system: System) -> tuple[set[str], set[str]]:
    """The free names of the left side that the right has not, and the other way round."""
    inputs = closure(names(s.lhs) | names(s.rhs), system) - system.definitions.keys()
    bound = {n for fact in system.facts for side in fact.args for n in names(side)}
    left, right = (closure(names(side), system) for side in (s.lhs, s.rhs))
    free = inputs - bound if names(s.rhs) else set()
    # derivatives hang on what they go through, too
    lacks = set[str]() if partials(s.rhs) else left - right
    exceeds = set[str]() if partials(s.lhs) else right - left
    return lacks & free, exceeds & free


def _places(name: str, expr: Any, system: System) -> int:
    """How often what hangs on a name stands in an expression."""
    if isinstance(expr, sp.Indexed | sp.Symbol):
        return int(name in closure(names(expr), system))
    inside = (expr.function,) if isinstance(expr, sp.Sum) else expr.args
    return sum(_places(name, x, system) for x in inside)


def _hanging(expr: Any, among: Iterable[str], way: Second, at: Mapping[str, int]) -> Iterator[str]:
    """Those of these names with which the value at a place changes."""
    for k, name in enumerate(sorted(among)):
        try:
            value, array = way.value(expr, at), way.array(name)
            rng = np.random.default_rng([k, array.size])
            moved = array * (1 + rng.integers(1, 33, array.shape) / 64)
            other = Second(way.system, {**way.given, name: moved}, way.sizes, way.seed)
            other.shapes = way.shapes
            if differ(value, other.value(expr, at)):
                yield name
        except (Unable, *FAILURES):
            continue


__all__ = ["out_of_reach"]
