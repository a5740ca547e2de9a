"""True statements in disguise and false ones one slip away, handed to the prover."""

from __future__ import annotations

import random
from dataclasses import dataclass, replace
from typing import Any

import sympy as sp

import symattn as sa

from . import windows
from .disguise import Disguise
from .facts import FACTS, NEEDS, consequence, misused
from .formulas import (
    RESULT,
    Case,
    Def,
    Letter,
    Node,
    Ref,
    Slope,
    Statement,
    at,
    bound_here,
    count,
    free,
    letters_in,
    places,
    ref,
    rename,
    renamed_case,
    renamed_node,
    replaced,
    substitute,
)
from .grow import PLAIN, THREE, Grower, M, N, odd_names, some_names
from .judge import Answer, asked, truth
from .losses import abstract, inverses, results
from .shrink import shrunk
from .slips import slipped
from .translate import Sympy
from .values import NoValue


def base(
    rng: random.Random, matrices: bool = False, cases: bool = False
) -> tuple[Grower, Case, Any, tuple[Letter, ...]]:
    """A case, and a formula over some letters in it."""
    names = some_names(rng, rng.choice((2, 3, 4, 5)))
    grower = Grower(rng, names, kinks=rng.random() < 0.4, affine=rng.random() < 0.5)
    if matrices:
        own = [*some_names(rng, 2), rng.choice(("M", "C"))]
        grower = Grower(rng, own, kinks=False, affine=False, matrices=True)
    if cases:
        grower = Grower(rng, names, kinks=True, affine=grower.affine, cases=True)
    count_ = rng.choice((1, 1, 2)) if cases else rng.choice((2, 2, 3, 3, 4, 5, 6))
    case = grower.system(count_, depth=rng.choice((1, 1, 2)))
    letters: list[Letter] = []
    for _ in range(rng.choice((0, 1, 1, 2))):
        letters.append(grower.fresh(rng.choice((N, N, M, M, THREE)), letters))
    scope = tuple(letters)
    d = rng.choice(case.defs)
    if rng.random() < 0.5:
        slots = []
        for x in d.letters:
            near = [y for y in scope if y.size == x.size]
            if not near:
                break
            slots.append(rng.choice(near))
        else:
            return grower, case, ref(d.name, *slots), scope
    return grower, case, grower.formula(scope, rng.choice((1, 2))), scope


def plain(
    rng: random.Random, matrices: bool = False, cases: bool = False
) -> tuple[Statement, Disguise] | None:
    """A statement that holds by laws."""
    grower, case, node, scope = base(rng, matrices, cases)
    if count(node) > 40:
        return None
    disguise = Disguise(rng, case, grower)
    left, how = disguise(node, scope, rng.choice((0, 1, 1, 2)))
    right, more = disguise(node, scope, rng.choice((1, 2, 3, 4)))
    s = Statement(case, scope, left, right, (*how, *more))
    return s, disguise


def by_cases(rng: random.Random) -> tuple[Statement, Disguise] | None:
    """A statement about functions with kinks, conditions on values, indices as numbers."""
    return plain(rng, cases=True)


def assumed(rng: random.Random) -> tuple[Statement, Disguise] | None:
    """A statement that holds by a fact."""
    name = rng.choice(sorted(FACTS))
    names = sorted({*NEEDS[name], *some_names(rng, 1, PLAIN)})
    fact = FACTS[name]()
    grower = Grower(rng, names, kinks=False, affine=rng.random() < 0.3)
    case = grower.system(rng.choice((1, 2, 2)), depth=1)
    case = replace(case, facts=(fact,))
    letters: list[Letter] = []
    for _ in range(rng.choice((0, 1, 1, 2))):
        letters.append(grower.fresh(rng.choice((N, N, M, M, THREE)), letters))
    left, right = consequence(name, grower, tuple(letters), rng)
    disguise = Disguise(rng, case, grower)
    left, how = disguise(left, tuple(letters), rng.choice((0, 0, 1)))
    right, more = disguise(right, tuple(letters), rng.choice((0, 1, 2)))
    return Statement(case, tuple(letters), left, right, (name, *how, *more)), disguise


MAKERS = {
    "result": results,
    "plain": plain,
    "facts": assumed,
    "cases": by_cases,
    "loss": abstract,
    "inverse": inverses,
    "windows": windows.statement,
}


def slip(s: Statement, disguise: Disguise, rng: random.Random) -> Statement | None:
    """The statement with one slip on one side."""
    if s.case.facts and rng.random() < 0.4:
        changed = misused(s.left, s.case.facts[0], rng)
        if changed is not None:
            return replace(s, left=changed, how=(*s.how, "slip: misused"))
    side = "right" if s.case.result[0] or s.case.loss else rng.choice(("left", "right"))
    found = slipped(disguise, getattr(s, side), s.letters)
    if found is None:
        return None
    return replace(s, **{side: found[0]}, how=(*s.how, found[1]))


def with_names(s: Statement, new: dict[str, str]) -> Statement:
    left, right = (renamed_node(side, new) for side in (s.left, s.right))
    return replace(s, case=renamed_case(s.case, new), left=left, right=right)


def tidy(s: Statement) -> Statement:
    """Only what the sides need; letters that neither side has are left out."""
    used = free(s.left) | free(s.right)
    return replace(
        s,
        case=s.case.used(s.left, s.right),
        letters=tuple(x for x in s.letters if x in used),
    )


def plain_left(s: Statement) -> bool:
    """Of a gradient formula: every free letter stands once on the left, which makes it free."""
    if s.case.result[0]:
        return s.left == ref(RESULT, *s.letters)
    if not s.case.loss or not s.letters:
        return True
    own = isinstance(s.left, Slope) and s.left.slots == tuple(map(at, s.letters))
    return own and free(s.right) == set(s.letters)  # other letters on the right are malformed


def in_letters(s: Statement, found: Any) -> Node:
    """The right side in the letters of a derivation."""
    own = [Letter(i.name, x.size) for i, x in zip(found.indices, s.letters, strict=True)]
    taken = {x.name for x in own} | letters_in(s.right) | {x.name for x in s.letters}
    moved, apart = s.right, []

    def other(letter: Letter, avoid: frozenset[str]) -> Letter:
        return Grower(random.Random(0)).fresh(letter.size, frozenset(taken | avoid))

    while True:  # a letter of the derivation may bind nothing else in the formula
        clash = next(
            ((place, part) for place, part, _ in places(moved)
             if {b.name for b in bound_here(part)} & {x.name for x in own}), None)  # fmt: skip
        if clash is None:
            break
        place, part = clash
        renamed = {}
        for b in bound_here(part):
            renamed[b] = other(b, letters_in(part))
            taken.add(renamed[b].name)
        moved = replaced(moved, place, rename(part, renamed, other))
    for x in s.letters:  # by way of letters that nothing has
        fresh = other(x, frozenset())
        taken.add(fresh.name)
        apart.append(fresh)
    moved = substitute(moved, dict(zip(s.letters, map(at, apart), strict=True)), other)
    return substitute(moved, dict(zip(apart, map(at, own), strict=True)), other)


def cancelled(s: Statement) -> bool:
    """SymPy cancels a free letter of the right side, which is malformed and rightly so."""
    found = {idx.name for idx in sp.sympify(Sympy(s.case)(s.right)).atoms(sp.Idx)}
    return bool(s.case.loss) and any(x.name not in found for x in s.letters)


def verdict(s: Statement) -> Any:
    """What `sa.prove` says; each side is a definition of its own, so that its letters are free."""
    to = Sympy(s.case)
    if s.case.result[0]:
        of, wrt = s.case.result
        found = sa.jacobian(to.system(), of=of, wrt=wrt)
        return sa.prove(found, to.formula(in_letters(s, found)), given=to.system())
    if not s.letters or s.case.loss:
        return sa.prove(to.formula(s.left), to.formula(s.right), given=to.system())
    left, right = (
        to.define(Def(n, s.letters, x)) for n, x in (("left", s.left), ("right", s.right))
    )
    slots = tuple(map(to.letter, s.letters))
    return sa.prove(left[slots], right[slots], given=to.system(left, right))


@dataclass(frozen=True)
class Question:
    """A statement, whether it holds, and what symattn said."""

    statement: Statement
    holds: bool
    answer: Answer

    @property
    def said(self) -> str:
        a = self.answer
        if a.crash:
            return "crash"
        if a.error:
            return "error"
        if a.late:
            return "late"
        vetoed = "a fault of symattn" in a.value.limit  # the normal forms were wrong
        return "vetoed" if vetoed else str(a.value.status)

    @property
    def wrong(self) -> bool:
        bad = "refuted" if self.holds else "proved"
        return self.said in (bad, "vetoed", "crash", "late")


def question(kind: str, seed: int, holds: bool) -> Question | None:
    """One random question; None where the seed gives none that numbers decide."""
    rng = random.Random(f"{kind} {seed} {holds}")
    made = MAKERS[kind]
    for _ in range(12):
        try:
            found = made(rng)
            if found is None:
                continue
            s, disguise = found
            if not holds:
                wrong = slip(s, disguise, rng)
                if wrong is None:
                    continue
                s = wrong
            s = tidy(replace(s, case=replace(s.case, implicit=seed % 3 == 0)))
            if seed % 4 == 1:
                s = with_names(s, odd_names(s.case, rng))
            if s.left == s.right or count(s.left) + count(s.right) > 90 or not plain_left(s):
                continue
            if truth(s, seed) is holds:
                q = Question(s, holds, asked(lambda s=s: verdict(s)))
                if q.said == "malformed" and (s.case.result[0] or cancelled(s)):
                    continue  # one side does not depend on a letter of the other: rightly so
                return q
        except NoValue:
            continue
    return None


def small(q: Question, seed: int) -> Question:
    """The question made short, with the same wrong answer."""
    last = [q]

    def still(s: Statement) -> bool:
        if s.left == s.right or not plain_left(s) or truth(s, seed) is not q.holds:
            return False
        new = Question(s, q.holds, asked(lambda: verdict(s), 10))
        if new.said != q.said:
            return False
        last[0] = new
        return True

    shrunk(q.statement, still, tidy)
    return last[0]


__all__ = ["Question", "Ref", "question", "tidy", "verdict"]
