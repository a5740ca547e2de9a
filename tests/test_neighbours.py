"""Every proof has neighbours that fail: one side doubled, negated, or with two letters exchanged.

`pytest -m ""` walks every identity, every claim of derivations/ and every text, not a sample of
them, and `python tests/test_neighbours.py FILE…` other texts.
"""

import sys
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from itertools import combinations, islice
from pathlib import Path

import pytest
import sympy as sp

import symattn as sa
from symattn import gallery
from symattn.checker import judge
from symattn.checker.claim import UPSTREAM
from symattn.checker.statements import Statement
from symattn.cli.certificates import claims
from symattn.identities import identities
from symattn.prove import Verdict

EXCHANGES = 4  # of one side

ROOT = Path(gallery.folder()).parent
HERE = Path(__file__).parent
TEXTS = {
    x.relative_to(ROOT if "docs" in x.parts else HERE).as_posix(): x
    for folder in (ROOT / "docs", HERE / "checker" / "documents", HERE / "checker" / "papers")
    for x in sorted(folder.iterdir())
    if x.is_file()
}
# Neighbours of which no values are found: weights tied to be orthonormal.
OPEN = {"checker/papers/principal_axes.md": 2}


@pytest.mark.parametrize("identity", identities(), ids=lambda x: x.name)
def test_neighbours_of_an_identity_are_refuted(identity):
    assert_alone(identity.left, identity.right, identity.given)


@pytest.mark.parametrize("name", gallery.names())
def test_neighbours_of_claims_are_refuted(name):
    for _, left, right, given in claims(gallery.load(name)):
        assert_alone(left, right, given)


@pytest.mark.parametrize("name", TEXTS)
def test_neighbours_of_what_a_text_proves_are_refuted(name):
    asked = [x for _, x in neighbours(TEXTS[name])]
    wrong = [x for x in asked if x.status == "proved"]
    assert not wrong, "\n".join(map(str, wrong))
    left = [x for x in asked if x.status == "unknown" and not x.limit.endswith(UPSTREAM)]
    assert len(left) == OPEN.get(name, 0), "\n".join(map(str, left))


def test_texts_have_proofs():
    name = "checker/documents/losses.tex"
    found = [(k, v.status) for k, v in neighbours(TEXTS[name])]
    assert found.count(("2", "refuted")) == found.count(("-1", "refuted")) == 7


def neighbours(path: Path) -> Iterator[tuple[str, Verdict]]:
    """What a check of a text says of the neighbours of what it proves.

    It may prove under other definitions than stand there, and for values in ranges.  An exchange
    of letters is left out where a second way to every value finds none that it changes.
    """
    proved: dict[tuple, tuple[judge.Judge, Statement, sa.System]] = {}

    def prove(self, s, system):
        verdict = own(self, s, system)
        if verdict and not isinstance(s.rhs, sp.MatrixBase):
            proved.setdefault((s.lhs, s.rhs, s.line), (self, s, system))
        return verdict

    own = judge.Judge.prove
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(judge.Judge, "prove", prove)
        sa.check(path, corrections=False)
    for decides, s, system in proved.values():
        for factor in (2, -1) if s.rhs != 0 else ():
            yield str(factor), own(decides, replace(s, rhs=factor * s.rhs), system)
        if s.rhs == 0:
            yield "1", own(decides, replace(s, rhs=sp.Integer(1)), system)
        for other in islice(exchanged(s.rhs), EXCHANGES):
            turned = replace(s, rhs=other)
            verdict = own(decides, turned, system)
            if verdict.status != "proved" or not decides._agrees(turned, system):
                yield "exchanged", verdict


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


if __name__ == "__main__":
    for file in sys.argv[1:]:
        found = [*neighbours(Path(file))]
        print(file, *Counter(f"{k} {v.status}" for k, v in found).items())
        print(*(v for _, v in found if v.status in ("proved", "unknown")), sep="\n")
