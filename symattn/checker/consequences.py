r"""What follows from sequences that are sums over steps: G_t = Σ_k γ^k r_{t+k} is r_t + γ G_{t+1}.

Every sequence that a rule says outright stands for what it is, at the step at which it is asked
for.  Proved where both sides then are one sum (partial_sums.py); refuted where they differ at
random numbers, endless sums over sequences that end.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from typing import Any

import sympy as sp
from sympy.core.function import AppliedUndef

from ..read.counted import inside, names_of
from ..read.sequences import BEFORE, CONSTANT, Consequence, Rule
from ..read.tree import Chain, Name, Node, Number, Scripted, replaced, walk
from .at_random import NoRange, Table, differ
from .induction import FAULTS, MAX_NODES, Outcome, alike, ambiguous
from .partial_sums import KINDS, Unable, normal, outermost, rooted, telescopes, vanishes
from .stepped import CONSTANTS, Algebra, at_first, counting, indices, over

AT, FAR = (3, 4, 6), (8, 7, 9)  # the steps at which numbers are compared, and where sums end
MANY = 6  # whole numbers of the kind that a sentence names
DRAWS = 20  # of numbers, where sums diverge
DEPTH = 6  # of sequences that are made of others
PARTED = Outcome(
    "conditional", "true where each part of the endless sum converges by itself: it telescopes"
)


def follows(claim: Consequence, number: int) -> Outcome | None:
    """What a link of a chain is; None where it holds what is not known here.

    Of whole numbers of a kind, for even n, it is wrong where it is for one of them.
    """
    sides = claim.sides[number : number + 2]
    rights = [r.right for r in claim.rules]
    trees: list[Node] = [*sides, *rights]
    nodes = [n for tree in trees for n in walk(tree)]
    if len(sides) < 2 or len(nodes) > 2 * MAX_NODES or ambiguous(trees):
        return None
    own = {r.name for r in claim.rules if r.kind != CONSTANT}
    any_number = tuple(r for r in claim.rules if r.kind != CONSTANT)  # for ρ and not for λ/μ
    general = replace(claim, rules=any_number)
    if general != claim and _wrong(general, sides) == "":
        proof = _proves(general, sides, trees, own)
        if proof is not None and not proof.reason:
            return proof
    wrong = _wrong(claim, sides)
    if wrong:
        wanted = not all(map(names_of, sides))  # S_n = 0 may be what is asked for
        free = [_of_inputs(side, claim) - indices(trees) for side in sides]
        wanted = wanted or (not claim.letter and free[0] != free[1])
        wanted = wanted and not (claim.asserted or _fixed(claim, sides))
        return None if claim.tied or wanted else Outcome("refuted", wrong)
    return _proves(claim, sides, trees, own) if wrong is not None else None


def _of_inputs(side: Node, claim: Consequence) -> set[str]:
    """The names that a side is made of, with those that rules make of them in their place."""
    rules = {r.name: names_of(r.right) - {r.letter} for r in claim.rules}
    found = names_of(side)
    while inner := found & rules.keys():
        found = (found - inner).union(*(rules.pop(n) for n in inner))
    return found - {claim.letter, *CONSTANTS}


def _wrong(claim: Consequence, sides: tuple[Node, ...]) -> str | None:
    """Where two sides are different numbers, empty where none are; None where that is not known."""
    try:
        try:
            return _differs(claim, sides)
        except NoRange:  # Π_{j=k}^t begins anywhere
            return _differs(claim, _begun(sides))
    except FAULTS:
        return None


def _fixed(claim: Consequence, sides: tuple[Node, ...]) -> bool:
    """A side with names that is one number whatever they are: Σ_k p_k = 2 asks for nothing."""
    named = [side for side in sides if names_of(side)]
    if len(named) != 1 or {*names_of(named[0])} - {r.name for r in claim.rules} - indices([*sides]):
        return False
    try:
        formula = _algebra(claim, True, sp.Integer(AT[0]), FAR[0])(named[0])
        one, other = (Table(random.Random(seed))(formula) for seed in (1, 2))
    except FAULTS:
        return False
    return not differ(one, other)


def _proves(
    claim: Consequence, sides: tuple[Node, ...], trees: list[Node], own: set[str]
) -> Outcome | None:
    """Both sides are one sum at every step; under a condition where an endless sum telescopes."""
    t = _of_kind(claim, claim.letter)
    try:
        left, right = (_algebra(claim, alike(trees, own), t)(side) for side in sides)
        gap = rooted(normal(left - right))
        if not (vanishes(gap) or _inductively(gap) or _summed(gap)):
            return None
        return PARTED if telescopes(left) or telescopes(right) else Outcome("proved")
    except FAULTS:
        return None


def _inductively(gap: Any) -> bool:
    """True for what is 0 for the first n, and for n + 1 where it is for n."""
    overs = gap.atoms(*KINDS)
    ends = {over: outermost(over)[1] for over in overs}
    for n in sorted({x for _, _, last in ends.values() for x in last.free_symbols}, key=str):
        own = [x for x in overs if x.has(n)]
        if any(ends[x][2] is sp.oo or ends[x][1].has(n) or outermost(x)[0].has(n) for x in own):
            continue
        ahead = normal(gap.subs(n, n + 1))
        step = ahead - gap
        if len(own) == 1 and gap.is_commutative:
            holder = sp.Dummy()
            line = sp.Poly(gap.xreplace({own[0]: holder}), holder)
            if line.degree() == 1:  # what it is where the gap is 0
                step = ahead.xreplace(
                    {own[0]: -line.coeff_monomial(1) / line.coeff_monomial(holder)}
                )
        begins = {ends[x][1] for x in own if not ends[x][1].is_number}  # Π_{j = k}^n
        first = begins.pop() if len(begins) == 1 else sp.Integer(1)
        if vanishes(normal(gap.subs(n, first))) and vanishes(normal(step)):
            return True
    return False


def _summed(gap: Any) -> bool:
    """True for what is 0 with the sums that SymPy knows: of binomials, and of power series.

    What holds for positive numbers holds for all, as both sides are power series.
    """

    def known(over: Any) -> Any:
        value = sp.summation(over.function, *over.limits)
        branches = value.args if isinstance(value, sp.Piecewise) else ()
        return next((x for x, where in branches if not isinstance(where, sp.Eq)), value)

    if not gap.is_commutative or gap.atoms(AppliedUndef):
        return False
    signs = {x: sp.Dummy(x.name, positive=True) for x in gap.free_symbols if not x.is_integer}
    found = gap.xreplace(signs).replace(lambda e: isinstance(e, sp.Sum), known)
    return not found.has(*KINDS) and sp.combsimp(sp.simplify(found)) == 0


def _of_kind(claim: Consequence, name: str, q: Any = None) -> Any:
    """A whole number of the kind that is said of a name: 2 q + 1 where n is odd; any q at first."""
    q = sp.Symbol(name, integer=True, nonnegative=True) if q is None else sp.Integer(q)
    return next((m * q + rest for n, m, rest in claim.kinds if n == name), q)


def _algebra(claim: Consequence, commutes: bool, at: Any, far: int = 0) -> Algebra:
    """What formulas are at a step; with `far`, where sums end is so far or further."""
    trees = [*claim.sides, *(r.right for r in claim.rules)]
    known = claim.letter, *indices(trees)
    free = sorted(counting(trees).difference(known))
    ends = {x: sp.Integer(far + k) for k, x in enumerate(free) if far}
    ends |= {n: _of_kind(claim, n, far or None) for n, _, _ in claim.kinds}
    state: dict[str, Callable[[Any], Any]] = {}
    algebra = over(trees, state, commutes, {**ends, claim.letter: at}, claim.rules)
    depth = 0

    def opened(rule: Rule) -> Callable[[Any], Any]:
        numbers = (s for n in walk(rule.right) for name, s in [inside(n)] if name == rule.name)
        begins = {s.text for s in numbers if isinstance(s, Number)}  # x_0, of which x_t is made

        goes_on = claim.floor is not None and rule.kind == BEFORE

        def value(step: Any) -> Any:
            nonlocal depth
            if goes_on and step - at <= claim.floor:
                return sp.Function(rule.name, commutative=commutes)(step)
            if str(step) in begins:
                return at_first(rule.name, step, commutes)
            if step.is_Integer and step < 0:
                raise Unable("a step before the first")
            depth += 1
            if depth > DEPTH:
                raise Unable("sequences that are made of one another")
            bound = {**ends, rule.letter: step - rule.shift}
            found = replace(algebra, bound=bound)(rule.right)
            depth -= 1
            return found

        return value

    for rule in claim.rules:
        if rule.kind != CONSTANT:
            state[rule.name] = opened(rule)
    return algebra


def at_steps(claim: Consequence) -> Algebra:
    """What formulas are whose steps are numbers, the sums in them as they stand."""
    return _algebra(claim, True, sp.S.Zero)


def _begun(sides: tuple[Node, ...]) -> tuple[Node, ...]:
    """Two sides with a number for the letter at which a product or sum begins, Π_{j=k+1}^t."""
    signs = (n for side in sides for n in walk(side) if isinstance(n, Scripted))
    starts = (s.sides[1] for n in signs for _, s in n.scripts if isinstance(s, Chain))
    letters = {n.text for start in starts for n in walk(start) if isinstance(n, Name)}

    def put(node: Node) -> Node:
        begins = isinstance(node, Name) and node.text in letters
        return Number(node.at, "2") if begins else node

    return tuple(replaced(side, put) for side in sides)


def _differs(claim: Consequence, sides: tuple[Node, ...]) -> str:
    """Where two sides are different numbers; empty where none are."""
    draw = random.Random(0)
    wrong = list[tuple[int, str]]()
    points = [*zip(AT, FAR, strict=True)]
    points += [(k, k) for k in range(1, MANY + 1)] if claim.kinds else []
    for q, far in points:
        at = _of_kind(claim, claim.letter, q)
        both = [_algebra(claim, True, at, far)(side) for side in sides]
        if differ(*_numbers(both, draw)):
            place = f"at {claim.letter} = {at}" if claim.letter else "at random numbers"
            wrong.append((int(at), f"{place} the sides differ"))
        elif not claim.kinds:
            return ""
    return min(wrong, default=(0, ""))[1]


def _numbers(both: list[Any], draw: random.Random) -> list[Any]:
    """Both at random numbers at which they are some: λ/μ may be too large for an endless sum."""
    for _ in range(DRAWS):
        number = Table(draw)
        with suppress(Unable):
            return [number(side) for side in both]
    raise Unable("no numbers were found")


__all__ = ["at_steps", "follows"]
