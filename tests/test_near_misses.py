"""False identities made by mutating true ones: none of them is ever proved.

Whether a mutant is false is decided by the evaluator alone, at random sizes and values, so that a
fault of the prover cannot hide behind itself.
"""

import random
from fractions import Fraction

import numpy as np
import pytest

from symattn.convert import lower_equation
from symattn.errors import UndefinedError
from symattn.facts import linked
from symattn.identities import identities
from symattn.ir import Argmax, Call, Delta, Index, Mask, Max, Poly, Ref, Sum, Term, refs
from symattn.model import model
from symattn.refute import Problem
from symattn.sample import pick_sizes
from symattn.stages import decide, differentiated
from symattn.syntax import System


def mutants(node, rng):
    """Every expression that differs from a raw one in one place."""
    match node:
        case Poly():
            for term, c in node:
                rest = {t: d for t, d in node if t is not term}
                for factor in (-1, 2, Fraction(1, 2)):
                    yield Poly({**rest, term: c * factor})
                if len(node) > 1:
                    yield Poly(rest)
                for other in mutants(term, rng):
                    if other not in rest:
                        yield Poly({**rest, other: c})
        case Term():
            for atom, e in node:
                rest = {a: k for a, k in node if a is not atom}
                yield Term(rest)
                if not isinstance(atom, Delta | Mask):
                    yield Term({**rest, atom: -e})
                    yield Term({**rest, atom: 2 * e})
                for other in mutants(atom, rng):
                    if other not in rest:
                        yield Term({**rest, other: e})
        case Ref():
            for k, slot in enumerate(node.slots):
                for other in node.slots[k + 1 :]:
                    if (
                        isinstance(slot, Index)
                        and isinstance(other, Index)
                        and slot.size == other.size
                    ):
                        swap = {slot: other, other: slot}
                        yield Ref(node.tensor, [swap.get(s, s) for s in node.slots])
        case Call():
            for (arg,) in [node.args]:
                yield from (Call(node.name, [other]) for other in mutants(arg, rng))
        case Sum():
            yield from (Sum(node.bound, other) for other in mutants(node.body, rng))
        case Max():
            for k, arg in enumerate(node.args):
                others = node.args[:k], node.args[k + 1 :]
                yield from (
                    Max(node.bound, [*others[0], new, *others[1]]) for new in mutants(arg, rng)
                )
        case Argmax():
            yield from (Argmax(node.at, node.bound, other) for other in mutants(node.body, rng))


def is_false(sides, m):
    """True when both sides differ at a sample, far beyond rounding."""
    m, facts = linked(m)
    problem = Problem(sides, [differentiated(side, m) for side in sides], m, facts)
    for seed in range(4):
        sizes = pick_sizes(problem.size_names, seed=seed)
        arrays = problem.draw(seed, sizes, positive=seed % 2 == 0)
        if arrays is None:
            continue
        try:
            left, right = problem.values(arrays, sizes)
        except UndefinedError:  # a matrix that has no inverse
            continue
        with np.errstate(all="ignore"):
            gap = np.abs(left - right) / (1 + np.abs(left) + np.abs(right))
        if gap.size and np.nanmax(np.where(np.isfinite(gap), gap, 0), initial=0) > 1e-6:
            return True
    return False


def near_misses():
    rng = random.Random(7)
    for identity in identities():
        m = model(System() if identity.given is None else identity.given)
        left, right = lower_equation(identity.left, identity.right)
        if any(r.tensor.parts for side in (left, right) for r in refs(side)):
            continue  # derivatives have wrong siblings of their own
        changed = [(left, side) for side in mutants(right, rng)]
        changed += [(side, right) for side in mutants(left, rng)]
        rng.shuffle(changed)
        for sides in changed[:9]:
            yield identity, m, sides


@pytest.fixture(scope="module")
def false_statements():
    found = []
    for identity, m, sides in near_misses():
        if is_false(sides, m):
            found.append((identity, m, sides))
    return found


def test_there_are_enough_of_them(false_statements):
    assert len(false_statements) >= 200


def test_none_is_proved(false_statements):
    proved = [(identity.name, sides) for identity, m, sides in false_statements if decide(sides, m)]
    assert proved == []
