"""Sums of words that do not commute, modulo equations between them: Buchberger's way, bounded.

Of every equation the greatest word is written by the rest.  Where two such words overlap, A B and
B C in A B C, both ways of writing it are equal, which is another equation.  A sum that comes out
as 0 follows from the equations, whatever the letters are; where no overlap is left, one that does
not is none of their consequences.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from heapq import heappop, heappush
from typing import Any

import sympy as sp

MOST_RULES = 80
MOST_OVERLAPS = 1_500
MOST_STEPS = 20_000  # words that are rewritten
LONGEST = 9  # letters of a word in which two overlap

Word = tuple[Any, ...]
Sum = dict[Word, Any]  # coefficients in a field


class Exhausted(Exception):
    """More is rewritten than the bounds allow."""


class Completion:
    """Equations that imply each other's consequences, more of them with every overlap."""

    def __init__(self, equations: Iterable[Mapping[Word, Any]], constant: Callable[[Any], bool]):
        """Of equations `sum = 0`; `constant` tells a coefficient that is a number, and not 0."""
        self.rules: dict[Word, Sum] = {}
        self.whole = True  # every overlap was looked at, and every equation made a rule
        self._constant, self._steps = constant, 0
        self._overlaps: list[tuple[int, int, Word, Word, int]] = []
        self._count = 0
        self._todo = [dict(e) for e in equations]

    @property
    def contradicts(self) -> bool:
        """The equations make 1 = 0."""
        return () in self.rules

    def follows(self, claimed: Mapping[Word, Any]) -> bool:
        """True where a sum is found to be 0.  False says nothing unless `whole` is true."""
        try:
            left = self.reduced(claimed)
            for _ in self._consequences():
                if self.contradicts:
                    return False
                left = self.reduced(left)
                if not left:
                    return True
            return not left and not self.contradicts
        except Exhausted:
            self.whole = False
            return False

    def reduced(self, poly: Mapping[Word, Any]) -> Sum:
        """The sum with no word in it that a rule writes otherwise.  Raises Exhausted."""
        todo, done = dict(poly), Sum()
        while todo:
            word = max(todo, key=_order)
            c = todo.pop(word)
            if (found := self._rule_in(word)) is None:
                done[word] = c
                continue
            self._steps += 1
            if self._steps > MOST_STEPS:
                raise Exhausted
            k, lead = found
            for other, a in self.rules[lead].items():
                _add(todo, (*word[:k], *other, *word[k + len(lead) :]), c * a)
        return done

    def _rule_in(self, word: Word) -> tuple[int, Word] | None:
        spans = ((k, word[k:n]) for k in range(len(word) + 1) for n in range(k, len(word) + 1))
        return next((x for x in spans if x[1] in self.rules), None)

    def _consequences(self) -> Iterator[None]:
        """Makes rules, and stops after each."""
        for looked_at in range(MOST_OVERLAPS):
            while self._todo:
                self._todo.sort(key=lambda e: max(map(_order, e), default=(0, ())))
                if self._take(self.reduced(self._todo.pop(0))):
                    yield
            if not self._overlaps:
                return
            if len(self.rules) > MOST_RULES or looked_at == MOST_OVERLAPS - 1:
                break
            *_, first, second, shared = heappop(self._overlaps)
            if first in self.rules and second in self.rules:
                self._todo.append(self._both_ways(first, second, shared))
        self.whole = False

    def _take(self, equation: Sum) -> bool:
        """Make a rule of an equation; False where it says nothing, or none can be made of it."""
        if not equation:
            return False
        lead = max(equation, key=_order)
        if not self._constant(equation[lead]):  # it may be 0
            self.whole = False
            return False
        rest = {w: -c / equation[lead] for w, c in equation.items() if w != lead}
        one = equation[lead] / equation[lead]
        for old in [w for w in self.rules if _inside(lead, w)]:
            self._todo.append({old: one, **{w: -c for w, c in self.rules.pop(old).items()}})
        self.rules[lead] = rest
        for other in list(self.rules):
            for pair in {(lead, other), (other, lead)}:
                self._note(*pair)
        return True

    def _note(self, first: Word, second: Word) -> None:
        for shared in range(1, min(len(first), len(second))):
            size = len(first) + len(second) - shared
            if first[-shared:] != second[:shared]:
                continue
            if size > LONGEST:
                self.whole = False
                continue
            self._count += 1
            heappush(self._overlaps, (size, self._count, first, second, shared))

    def _both_ways(self, first: Word, second: Word, shared: int) -> Sum:
        """A B C by what A B is, less A B C by what B C is."""
        found = Sum()
        for word, c in self.rules[first].items():
            _add(found, (*word, *second[shared:]), c)
        for word, c in self.rules[second].items():
            _add(found, (*first[:-shared], *word), -c)
        return found


def divisors(coefficients: Iterable[Any]) -> set[sp.Symbol]:
    """The names by which coefficients divide, which are not 0 where these are anything."""
    below = (sp.fraction(sp.together(sp.sympify(c)))[1] for c in coefficients)
    powers = (x.as_base_exp()[0] for d in below for x in sp.Mul.make_args(d))
    return {x for x in powers if isinstance(x, sp.Symbol)}


def is_unit(c: sp.Expr, known: set[sp.Symbol]) -> bool:
    """A number that is not 0, times powers of names that are none and over anything."""
    factors = sp.Mul.make_args(sp.fraction(c)[0])
    return c != 0 and all(x.is_number or x.as_base_exp()[0] in known for x in factors)


def _order(word: Word) -> tuple[int, Word]:
    return len(word), word


def _inside(part: Word, word: Word) -> bool:
    size = len(part)
    return any(word[k : k + size] == part for k in range(len(word) - size + 1))


def _add(poly: Sum, word: Word, c: Any) -> None:
    total = poly[word] + c if word in poly else c
    if total:
        poly[word] = total
    else:
        poly.pop(word, None)


__all__ = ["Completion", "Exhausted", "Sum", "Word", "divisors", "is_unit"]
