r"""Sequences at steps that are numbers: m_1 = (1 - β) g_1 where m_0 = 0 and m_t goes on.

Each name is what its rule makes of the step before it, down to the first value, whatever other
names these are made of.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import Any

import sympy as sp

from ..read.sequences import CONSTANT, ClosedForm, Rule, Values
from ..read.tree import Node, walk
from .at_random import Table, differ
from .induction import FAULTS, MAX_NODES, Outcome, alike, ambiguous, decide
from .partial_sums import Unable, normal, vanishes
from .stepped import Algebra, at_first, over

TRIES = 3


def reached(claim: Values) -> Outcome | None:
    """Whether all sides are one; None where a formula holds what is not known here."""
    trees = [*claim.sides, *claim.said]
    if sum(1 for tree in trees for _ in walk(tree)) > 2 * MAX_NODES or ambiguous(trees):
        return None
    commutes = alike(trees, [r.name for r in claim.rules])
    try:
        algebra = _algebra(claim, trees, commutes)
        first, *others = [normal(algebra(side)) for side in claim.sides]
        apart = [gap for x in others if not vanishes(gap := normal(first - x))]
        if not apart:
            return Outcome("proved", "step by step")
        if claim.tied or not commutes:
            return None
        draw = random.Random(0)
        numbers = [Table(draw) for _ in range(TRIES)]
        wrong = any(all(differ(number(gap), sp.S.Zero) for number in numbers) for gap in apart)
    except FAULTS:
        return None
    return Outcome("refuted", "it is not what the recursion gives") if wrong else None


def open_still(claim: ClosedForm | Values) -> bool:
    """True where recursions say what a name is and do not prove that it is this."""
    outcome = decide(claim) if isinstance(claim, ClosedForm) else reached(claim)
    proved = outcome is not None and outcome.verdict == "proved"
    return not proved and not (isinstance(claim, Values) and claim.tied)


def _algebra(claim: Values, trees: list[Node], commutes: bool) -> Algebra:
    state: dict[str, Callable[[Any], Any]] = {}
    algebra = over(trees, state, commutes, {}, claim.rules)
    known: dict[tuple[str, int], Any] = {}
    begins = {name: number for name, number in claim.firsts}

    def value(rule: Rule, step: Any) -> Any:
        if not step.is_Integer or step < begins.get(rule.name, 0):
            raise Unable("a step that is no number, or before the first")
        at = rule.name, int(step)
        if at not in known:
            known[at] = normal(_made(rule, at))
        return known[at]

    def _made(rule: Rule, at: tuple[str, int]) -> Any:
        first = claim.firsts.get(at)
        if first is not None:
            return algebra(first)
        if at in claim.firsts:
            return at_first(rule.name, at[1], commutes)
        bound = {rule.letter: sp.Integer(at[1] - rule.shift)}
        return replace(algebra, bound=bound)(rule.right)

    for rule in claim.rules:
        if rule.kind != CONSTANT:
            state[rule.name] = partial(value, rule)
    return algebra


__all__ = ["open_still", "reached"]
