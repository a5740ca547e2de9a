"""Laws that keep the value of a formula, each applied at a random place."""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import Any

from .algebra import ALGEBRA
from .arrays import ARRAYS
from .cases import CASE_LAWS
from .formulas import Case, Letter, Node, Ref, Scope, Size, at, letters_in, places, replaced
from .grow import Grower
from .sums import SUMS

LAWS = [*SUMS, *ALGEBRA, *ARRAYS]
BIGGEST = 60  # nodes of a formula past which laws that make it longer are left alone


class Disguise:
    """Applies laws at random places of a formula."""

    def __init__(
        self, rng: random.Random, case: Case, grower: Grower, more: Sequence[Any] = ()
    ) -> None:
        self.rng, self.case, self.grower, self.more = rng, case, grower, more

    def __call__(self, node: Node, scope: Scope, steps: int) -> tuple[Node, list[str]]:
        how: list[str] = []
        for _ in range(steps):
            for _ in range(12):
                changed = self.once(node, scope)
                if changed is not None:
                    node, name = changed
                    how.append(name)
                    break
        return node, how

    def once(self, node: Node, scope: Scope) -> tuple[Node, str] | None:
        """A law drawn first, then a place where it says something: rare ones have their turn."""
        found = list(places(node, scope))
        if len(found) + 8 > BIGGEST:
            return None
        laws = self.more if self.more and self.rng.random() < 0.4 else LAWS
        rule = self.rng.choice(CASE_LAWS if self.cased() else laws)
        for place, part, inner in self.rng.sample(found, min(len(found), 12)):
            new = rule(self, part, inner)
            if new is not None and new != part:
                return replaced(node, place, new), rule.__name__
        return None

    def cased(self) -> bool:
        return self.grower.cases and self.rng.random() < 0.6

    def plain_axes(self, parts: tuple[Node, ...], letter: Letter) -> bool:
        """Where the letter stands alone, the axis is as long as its range."""
        return all(
            n == letter.size
            for part in parts
            if isinstance(part, Ref)
            for s, n in zip(part.slots, self.case.shape(part.name), strict=True)
            if s == at(letter)
        )

    def other(self, letter: Letter, taken: frozenset[str]) -> Letter:
        return self.grower.fresh(letter.size, taken)

    def new(self, length: Size, scope: Scope, *nodes: Node) -> Letter:
        taken = {x.name for x in scope}.union(*map(letters_in, nodes))
        return self.grower.fresh(length, frozenset(taken))

    def small(self, scope: Scope) -> Node:
        """A short formula that may stand here, apart from bound letters that stand around."""
        grower = self.grower
        kinks, grower.kinks = grower.kinks, False
        try:
            return grower.formula(scope, self.rng.choice((0, 0, 1)))
        finally:
            grower.kinks = kinks
