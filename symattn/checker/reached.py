r"""What one side hangs on and the other has not: most edits leave that as it is.

Where the value of the left side changes with a name that nothing on the right reaches, an edit that
brings in no name mends nothing; where the right side hangs on one that the left has not, neither
does one more factor.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np

from ..syntax import System
from .edits import Filled
from .inside import names, partials
from .links import sides
from .second import FAILURES, Second, Unable, differ
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
        inputs = closure(names(s.lhs) | names(s.rhs), system) - system.definitions.keys()
        bound = {n for fact in system.facts for side in fact.args for n in names(side)}
        left, right = (closure(names(side), system) for side in (s.lhs, s.rhs))
        free = inputs - bound if names(s.rhs) else set()
        lacks, exceeds = left - right, right - left
        if partials(s.rhs):  # which hang on what they go through, too
            lacks = set()
        if partials(s.lhs):
            exceeds = set()
        self.lacks = _hangs(s.lhs, lacks & free, way, at)
        self.exceeds = _hangs(s.rhs, exceeds & free, way, at)

    def may_agree(self, latex: str) -> bool:
        """False for an edit that cannot mend on which names the sides hang."""
        if self.lacks and _words(latex) <= self.words:
            return False
        return not (self.exceeds and self._factor(latex))

    def _factor(self, latex: str) -> bool:
        """One factor more, and nothing less."""
        if not isinstance(latex, Filled) or latex.is_term:
            return False
        return "".join("".join(latex.around).split()) == self.bare


def _words(latex: str) -> set[str]:
    """The names of a formula with their scripts, whatever their powers."""
    return {_POWER.sub("", m[0]) for m in _WORD.finditer(latex)}


def _hangs(expr: Any, among: Iterable[str], way: Second, at: Mapping[str, int]) -> bool:
    """The value at a place changes with one of these names."""
    for k, name in enumerate(sorted(among)):
        try:
            value, array = way.value(expr, at), way.array(name)
            rng = np.random.default_rng([k, array.size])
            moved = array * (1 + rng.integers(1, 33, array.shape) / 64)
            other = Second(way.system, {**way.given, name: moved}, way.sizes, way.seed)
            other.shapes = way.shapes
            if differ(value, other.value(expr, at)):
                return True
        except (Unable, *FAILURES):
            continue
    return False


__all__ = ["Reached"]
