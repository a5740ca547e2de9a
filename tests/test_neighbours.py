"""Every proof has neighbours that fail: one side doubled, negated, or with two letters exchanged.

`pytest -m ""` walks every identity and every claim of derivations/, not a sample of them.
"""

from collections.abc import Iterator
from itertools import combinations, islice
from pathlib import Path

import pytest
import sympy as sp

import symattn as sa
from symattn import gallery
from symattn.checker import judge
from symattn.cli.certificates import claims
from symattn.identities import identities

EXCHANGES = 4  # of one side

PARTS = 4  # of the formulas of a guide


@pytest.mark.parametrize("identity", identities(), ids=lambda x: x.name)
def test_neighbours_of_an_identity_are_refuted(identity):
    assert_alone(identity.left, identity.right, identity.given)


@pytest.mark.parametrize("name", gallery.names())
def test_neighbours_of_claims_are_refuted(name):
    for _, left, right, given in claims(gallery.load(name)):
        assert_alone(left, right, given)


@pytest.mark.parametrize("part", range(PARTS))
def test_neighbours_of_formulas_in_the_guides_are_refuted(part, monkeypatch):
    """What a check of a document proves, which may be under other definitions than stand there."""
    proved = {}

    def prove(self, s, system):
        verdict = own(self, s, system)
        if verdict and not isinstance(s.rhs, sp.MatrixBase):
            proved[s.lhs, s.rhs] = system, s.letters
        return verdict

    own = judge.Judge.prove
    monkeypatch.setattr(judge.Judge, "prove", prove)
    root = Path(gallery.folder()).parent
    sa.check(root / "docs" / "notation.md", corrections=False)
    monkeypatch.undo()
    assert len(proved) > 2
    for (left, right), (system, letters) in islice(proved.items(), part, None, PARTS):
        assert_alone(left, right, system, letters)


def assert_alone(left, right, given, over=()):
    """Twice the right side, minus it and it with letters exchanged are not what the left is."""

    def decide(other):
        return sa.prove(left, other, given=given, over=over)

    verdict = decide(right)
    assert verdict.status == "proved" and not verdict.trivial, str(verdict)
    if right == 0:
        assert decide(sp.Integer(1)).status == "refuted"
        return
    for factor in (2, -1):
        assert decide(factor * right).status == "refuted" or left == 0
    for other in islice(exchanged(right), EXCHANGES):  # where that changes nothing, it is proved
        assert decide(other).status in ("refuted", "malformed", "proved"), (left, other)


def exchanged(side: sp.Basic) -> Iterator[sp.Basic]:
    """The side with two letters of one range exchanged, in one component and throughout."""
    side = sp.sympify(side)
    found = {side: None}
    for component in sorted(side.atoms(sp.Indexed), key=str):
        for x, y in pairs(component.indices):
            turned = component.func(component.base, *(swap(z, x, y) for z in component.indices))
            found[side.xreplace({component: turned})] = None
    for x, y in pairs(sorted(side.free_symbols & side.atoms(sp.Idx), key=str)):
        found[side.xreplace({x: y, y: x})] = None
    yield from list(found)[1:]


def pairs(slots) -> Iterator[tuple[sp.Idx, sp.Idx]]:
    letters = dict.fromkeys(x for x in slots if isinstance(x, sp.Idx))
    yield from ((x, y) for x, y in combinations(letters, 2) if x.upper == y.upper)


def swap(z, x, y):
    return {x: y, y: x}.get(z, z)


def test_letters_are_exchanged():
    n, m = sa.sizes("n m")
    (i, j), (a,) = sa.indices("i j", n), sa.indices("a", m)
    A, B = sa.tensor("A", n, n), sa.tensor("B", n, m)
    assert list(exchanged(A[i, j] * B[j, a])) == [A[j, i] * B[j, a], A[j, i] * B[i, a]]
