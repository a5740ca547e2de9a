r"""What follows from equations between matrices: A⁻¹ = A of A² = I, (A + B)⁻¹ by A⁻¹ and B⁻¹.

Both sides are sums of words (words.py).  N N⁻¹ = 1 = N⁻¹ N, what defines an N that is inverted, and
facts are equations between words; what follows from them by adding and multiplying holds
for all matrices that satisfy them, of whatever sizes fit.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import Any

import sympy as sp

from ..objects import TensorSymbol
from ..syntax import System, without_marks
from .completion import Completion, Exhausted, Sum, Word, divisors, is_unit
from .statements import Statement
from .words import FREE, Letter, Monomial, Unfit, Words

MOST_LETTERS = 16


def proves(s: Statement, system: System) -> bool:
    """True where the difference of the sides follows from facts and definitions, and neither is 0.

    One that is written as 0 may be.
    """
    try:
        found = Equations(s, system)
        left, right = (found.sum_of(x, s.letters) for x in (s.lhs, s.rhs))
        apart = found.sum_of(s.lhs - s.rhs, s.letters)
        if not found.follows(apart):
            return False
        plain = (x for x, side in ((left, s.lhs), (right, s.rhs)) if side != 0)
        return all(found.completion.reduced(found.in_field(x)) for x in plain)
    except (Unfit, Exhausted):
        return False


class Equations:
    """The equations between words that a system gives beside a statement."""

    def __init__(self, s: Statement, system: System) -> None:
        self._facts = [f for f in map(without_marks, system.facts) if isinstance(f, sp.Eq)]
        self._exprs = [s.lhs, s.rhs, *(x for f in self._facts for x in f.args)]
        self.words = Words(system, self._exprs)
        self._raw = list(self._equations())

    @cached_property
    def completion(self) -> Completion:
        """The equations, with those of transposes where any is transposed."""
        equations = [self.in_field(e) for e in self._raw]
        if self._turning:
            equations += [self.in_field(self._turned(e)) for e in self._raw]
        return Completion(equations, self._is_number)

    def follows(self, claimed: dict[Word, Any]) -> bool:
        """True where a sum of words is 0 by the equations."""
        self._claimed = claimed
        every = [*self._raw, claimed]
        self._turning = any(x[2] for e in every for w in e for x in w)
        if len({x for e in every for w in e for x in w}) > MOST_LETTERS:
            return False
        symbols = {x for e in every for c in e.values() for x in sp.sympify(c).free_symbols}
        plain = sp.QQ_I
        self._divided = divisors(c for e in every for c in e.values())
        self.field = plain.frac_field(*sorted(symbols, key=str)) if symbols else plain
        return self.completion.follows(self.in_field(claimed))

    def sum_of(self, expr: Any, letters: Sequence[sp.Idx]) -> dict[Word, Any]:
        """An expression as a sum of words between its letters.  Raises Unfit where it is none."""
        found: dict[Word, Any] = {}
        for monomial, c in self.words.poly(expr, letters).items():
            word = self._word(monomial, letters)
            for w in (word,) if letters else (word, self._back(word)):  # a number is its transpose
                found[w] = found.get(w, sp.S.Zero) + (c if letters else c / 2)
        return {w: c for w, c in found.items() if c != 0}

    def _word(self, monomial: Monomial, letters: Sequence[sp.Idx]) -> Word:
        ends = [(f"{FREE}{x.name}", False, False) for x in letters]
        if not ends:
            if len(monomial) > 1:
                raise Unfit
            word = monomial[0] if monomial else ()
        elif len(ends) == 1:
            if len(monomial) != 1:
                raise Unfit
            (word,) = monomial
            word = (word if word[0] == ends[0] else self.words.turned(word))[1:]
        elif len(ends) == 2:
            parts = self.words.inside(monomial, *ends)
            word = tuple(x for part in parts for x in part)
            if len(parts) == 2:
                column = len(parts[0])
                return (*word[:column], *_row(word[column:]))
            return word
        else:
            raise Unfit
        return word if ends else _row(word)

    def _back(self, word: Word) -> Word:
        """The transpose of a word."""
        turned = (
            x if x[0] in self.words.symmetric else (x[0], x[1], not x[2]) for x in reversed(word)
        )
        return tuple(turned)

    def _turned(self, poly: dict[Word, Any]) -> dict[Word, Any]:
        return {self._back(w): c for w, c in poly.items()}

    def _equations(self) -> Iterator[dict[Word, Any]]:
        """N N⁻¹ = 1, N = …, facts, and what words say of transposes."""
        one = sp.S.One
        for name in sorted(self.words.kept):
            plain, inverse = (name, False, False), (name, True, False)
            yield {(plain, inverse): one, (): -one}
            yield {(inverse, plain): one, (): -one}
            for body in self.words.bodies[name]:
                if all(len(m) == 1 for m in body):
                    yield {(plain,): -one, **{m[0]: c for m, c in body.items()}}
        for fact in self._facts:
            letters = sorted((x for x in _free(fact)), key=str)
            try:
                if found := self.sum_of(fact.lhs - fact.rhs, letters):
                    yield found
            except Unfit:
                continue
        bases = {b for e in self._exprs for b in e.atoms(TensorSymbol)}
        for b in sorted(bases, key=str):
            if b.symmetry == "antisymmetric":
                name = str(b.label)
                yield {((name, False, True),): one, ((name, False, False),): one}

    def in_field(self, poly: dict[Word, Any]) -> Sum:
        """A sum with its numbers in the field of the equations.  Raises Unfit where one is none."""
        try:
            return {w: c for w, x in poly.items() if (c := self.field.from_sympy(sp.sympify(x)))}
        except (sp.CoercionFailed, ValueError, NotImplementedError):
            raise Unfit from None

    def _is_number(self, c: Any) -> bool:
        return is_unit(self.field.to_sympy(c), self._divided)


def _free(fact: sp.Eq) -> set[sp.Idx]:
    return {x for x in fact.free_symbols if isinstance(x, sp.Idx)}


def _row(word: Sequence[Letter]) -> Word:
    """The word that begins with a vector, as a row."""
    return tuple(
        (name, inverted, turned or not k) for k, (name, inverted, turned) in enumerate(word)
    )


__all__ = ["Equations", "proves"]
