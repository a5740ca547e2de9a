"""Values for the names of a statement under which the facts of its document hold."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from ..convert import lower
from ..errors import SymattnError
from ..evaluate import Evaluator
from ..facts import linked
from ..model import model
from ..refute import Counterexample, Problem
from ..sample import draw, pick_sizes, satisfying
from ..syntax import System, for_all
from .inside import names
from .second import Second, Unable, compare
from .statements import Statement
from .versions import closure

TRIES = 8
SMALL = 1e-6

Sample = tuple[Mapping[str, Any], Mapping[str, int]]  # arrays, sizes


def sample(s: Statement, system: System, seed: int) -> Sample:
    """Arrays and sizes; empty where no fact has to hold.  Raises Unable where none are found."""
    if not system.facts:
        return {}, {}
    try:
        m, facts = linked(model(system))
        sides = tuple(lower(e, s.letters, known=m.known) for e in (s.lhs, s.rhs))
        problem = Problem((sides[0], sides[1]), sides, m, facts)
        for k in range(TRIES):
            rng = np.random.default_rng([seed, k])
            sizes = pick_sizes(problem.size_names, seed=seed + k)
            values = {n: np.abs(draw(t, sizes, rng)) for n, t in problem.tensors.items()}
            met = satisfying(facts, problem.tensors, values, sizes, m)
            if met is not None:
                bodies = Evaluator(met, sizes, model=m)
                own = {n: bodies.definition(n) for n, body in m.bodies.items() if body.fact}
                return {**met, **own}, sizes
    except (SymattnError, ArithmeticError, ValueError, TypeError) as error:
        raise Unable(str(error)) from None
    raise Unable("no values satisfy the facts")


def completed(s: Statement, system: System, at: Sample) -> Sample:
    """A sample with the values of what the facts determine; raises Unable where they give none."""
    values, sizes = at
    if not system.facts:
        return at
    try:
        m, _ = linked(model(system))
        reached = closure(names(s.lhs) | names(s.rhs), system)
        given = {n: np.asarray(v, dtype=float) for n, v in values.items()}
        bodies = Evaluator(given, sizes, model=m)
        own = {n: bodies.definition(n) for n, body in m.bodies.items()
               if body.fact and n in reached and n not in given}  # fmt: skip
    except (SymattnError, ArithmeticError, LookupError, ValueError, TypeError) as error:
        raise Unable(str(error)) from None
    return {**values, **own}, sizes


def satisfiable(s: Statement, system: System, seed: int) -> bool:
    """Some values of what names are made of make an equation true, on axes of two and more."""
    fact = for_all(s.lhs, s.rhs, s.letters)
    try:
        m, facts = linked(model(System(*system, facts=(*system.facts, fact))))
        sides = tuple(lower(e, s.letters, known=m.known) for e in (s.lhs, s.rhs))
        problem = Problem((sides[0], sides[1]), sides, m, facts)
        for k in range(TRIES):
            picked = pick_sizes(problem.size_names, seed=seed + k)
            sizes = {n: v + 1 for n, v in picked.items()}
            values = {n: draw(t, sizes, np.random.default_rng([seed, k]))
                      for n, t in problem.tensors.items()}  # fmt: skip
            met = satisfying(facts, problem.tensors, values, sizes, m)
            if met is not None and not _vanishes(s, system, met, sizes, seed):
                return True
    except (SymattnError, ArithmeticError, ValueError, TypeError):
        return False
    return False


def _vanishes(
    s: Statement, system: System, met: Mapping[str, Any], sizes: Mapping[str, int], seed: int
) -> bool:
    """Both sides are next to 0, as b/e and b/e² are for small b: no values that are asked for."""
    try:
        return (
            s.rhs != 0
            and max(map(abs, compare(s.lhs, s.rhs, system, met, sizes, {}, seed))) < SMALL
        )
    except Unable:
        return False


def at_values(s: Statement, system: System, found: Sample, seed: int) -> Counterexample:
    """Both sides at these values, at the last of every free letter.  Raises Unable."""
    arrays, sizes = found
    left, right = compare(s.lhs, s.rhs, system, arrays, sizes, {}, seed)
    entry = Second(system, arrays, sizes, seed).place({}, s.lhs, s.rhs)
    shown = {n: np.asarray(a, dtype=float).tolist() for n, a in arrays.items()}
    return Counterexample(dict(sizes), shown, entry, left, right, seed)


__all__ = ["at_values", "sample", "satisfiable"]
