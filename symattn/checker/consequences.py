r"""What follows from sequences that are sums over steps: G_t = Σ_k γ^k r_{t+k} is r_t + γ G_{t+1}.

Every sequence that a rule says outright stands for what it is, at the step at which it is asked
for.  Proved where both sides then are one sum (partial_sums.py); refuted where they differ at
random numbers, endless sums over sequences that end.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

import sympy as sp

from ..read.sequences import CONSTANT, Consequence, Rule, called, inside
from ..read.tree import Node, Number, walk
from .at_random import Table, differ
from .induction import FAULTS, MAX_NODES, Outcome, alike, ambiguous
from .partial_sums import KINDS, Unable, normal, vanishes
from .stepped import Algebra, counting, indices

AT, FAR = (3, 4, 6), (8, 7, 9)  # the steps at which numbers are compared, and where sums end
DEPTH = 6  # of sequences that are made of others


def follows(claim: Consequence, number: int) -> Outcome | None:
    """What a link of a chain is; None where it holds what is not known here."""
    sides = claim.sides[number : number + 2]
    rights = [r.right for r in claim.rules]
    trees = [*sides, *rights]
    nodes = [n for tree in trees for n in walk(tree)]
    if len(sides) < 2 or len(nodes) > 2 * MAX_NODES or ambiguous(trees):
        return None
    own = {r.name for r in claim.rules if r.kind != CONSTANT}
    try:
        wrong = _differs(claim, sides)
        if wrong:
            wanted = not all(map(_names, sides))  # S_n = 0 may be what is asked for
            return None if claim.tied or wanted else Outcome("refuted", wrong)
        t = sp.Symbol(claim.letter, integer=True, nonnegative=True)
        left, right = (_algebra(claim, alike(trees, own), t)(side) for side in sides)
        gap = normal(left - right)
        return Outcome("proved") if vanishes(gap) or _inductively(gap) else None
    except FAULTS:
        return None


def _names(side: Node) -> set[str]:
    return {name for n in walk(side) if (name := called(n))}


def _inductively(gap: Any) -> bool:
    """True for what is 0 for n = 1 and does not change from n to n + 1."""
    ends = {x for over in gap.atoms(*KINDS) for x in over.limits[0][2].free_symbols}
    for n in sorted(ends, key=str):
        if any(
            over.limits[0][2] is sp.oo or over.limits[0][1].has(n) for over in gap.atoms(*KINDS)
        ):
            continue
        begins, ahead = gap.subs(n, 1), gap.subs(n, n + 1)
        if vanishes(normal(begins)) and vanishes(normal(ahead - gap)):
            return True
    return False


def _algebra(claim: Consequence, commutes: bool, at: Any, far: int = 0) -> Algebra:
    """What formulas are at a step; with `far`, where sums end is so far or further."""
    trees = [*claim.sides, *(r.right for r in claim.rules)]
    counted = counting(trees)
    known = claim.letter, *indices(trees)
    ends = {x: sp.Integer(far + k) for k, x in enumerate(sorted(counted.difference(known))) if far}
    pairs = (inside(n) for tree in trees for n in walk(tree))
    moving = frozenset(x for x, script in pairs if script and not isinstance(script, Number))
    constants = {r.name: r.right for r in claim.rules if r.kind == CONSTANT}
    state: dict[str, Callable[[Any], Any]] = {}
    depth = 0

    def opened(rule: Rule) -> Callable[[Any], Any]:
        numbers = (s for n in walk(rule.right) for name, s in [inside(n)] if name == rule.name)
        begins = {s.text for s in numbers if isinstance(s, Number)}  # x_0, of which x_t is made

        def value(step: Any) -> Any:
            nonlocal depth
            if str(step) in begins:
                symbol = f"{rule.name}_{step}"
                return (
                    sp.Symbol(symbol, nonzero=True)
                    if commutes
                    else sp.Symbol(symbol, commutative=False)
                )
            if step.is_Integer and step < 0:
                raise Unable("a step before the first")
            depth += 1
            if depth > DEPTH:
                raise Unable("sequences that are made of one another")
            bound = {**ends, rule.letter: step - rule.shift}
            found = Algebra(state, commutes, moving, counted, bound, constants)(rule.right)
            depth -= 1
            return found

        return value

    for rule in claim.rules:
        if rule.kind != CONSTANT:
            state[rule.name] = opened(rule)
    return Algebra(state, commutes, moving, counted, {**ends, claim.letter: at}, constants)


def _differs(claim: Consequence, sides: tuple[Node, ...]) -> str:
    """Where two sides are different numbers; empty where none are."""
    draw = random.Random(0)
    wrong = set[str]()
    for at, far in zip(AT, FAR, strict=True):
        number = Table(draw)
        left, right = (_algebra(claim, True, sp.Integer(at), far)(side) for side in sides)
        if not differ(number(left), number(right)):
            return ""
        wrong.add(f"at {claim.letter} = {at} the sides differ")
    return min(wrong)


__all__ = ["follows"]
