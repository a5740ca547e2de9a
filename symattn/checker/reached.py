r"""What one side hangs on and the other has not: most edits leave that as it is.

Where the value of the left side changes with a name that nothing on the right reaches, an edit that
brings in no name mends nothing; where the right side hangs on one that the left has not, neither
does one more factor.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping
from itertools import islice
from typing import Any

import mpmath
import numpy as np
import sympy as sp

from ..syntax import System
from .edits import Filled
from .inside import names, partials
from .links import sides
from .second import DIGITS, FAILURES, Second, Unable, differ
from .statements import Statement
from .versions import closure

_WORD = re.compile(  # a name with its scripts
    r"(?:\\[a-zA-Z]+|[A-Za-z])'*"
    r"(?:\s*[_^]\s*(?:\{(?:[^{}]|\{[^{}]*\})*\}|\\[a-zA-Z]+|\w))*"
)
_POWER = re.compile(r"\^\s*(?:\{\s*(?:T|-?\d+|\\top|\\intercal)\s*\}|T|\d|\\top|\\intercal)|\s")


class Reached:
    """Which single edits of the right side may make it hang on what the left side hangs on."""

    def __init__(self, s: Statement, system: System, way: Second, at: Mapping[str, int]) -> None:
        self.right = sides(s.latex)[0][-1]
        self.words = _words(self.right)
        self.bare = "".join(self.right.split())
        self.system = system
        lacks, exceeds = _apart(s, system)
        self.lacks = {*_hanging(s.lhs, lacks, way, at)}
        self.exceeds = any(_hanging(s.rhs, exceeds, way, at))

    def may_agree(self, latex: str, brings: Collection[str] | None = None) -> bool:
        """False for an edit that cannot mend on which names the sides hang.

        `brings` are the names of what it puts in, where they are known.
        """
        if self.lacks and _words(latex) <= self.words:
            return False
        if brings is not None and not self.lacks <= closure(brings, self.system):
            return False
        return not (self.exceeds and self._factor(latex))

    def _factor(self, latex: str) -> bool:
        """One factor more, and nothing less."""
        if not isinstance(latex, Filled) or latex.is_term:
            return False
        return "".join("".join(latex.around).split()) == self.bare


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


def _words(latex: str) -> set[str]:
    """The names of a formula with their scripts, whatever their powers."""
    return {_POWER.sub("", m[0]) for m in _WORD.finditer(latex)}


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


__all__ = ["Reached", "out_of_reach"]
