r"""What follows for matrices of given kinds: Pᵀ A P Pᵀ = Pᵀ A of an orthogonal P.

Sides are sums of words with numbers before them, tr and det among these.  What words and equations
say of names are equations between words (completion.py); a trace is that of the least word to
which it can be turned, and det(A B) = det A det B.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from typing import Any

import sympy as sp

from .completion import Completion, Exhausted, Sum, divisors, is_unit
from .matrix_kinds import Letter, Word
from .operators import Foreign

Poly = dict[Word, sp.Expr]
MOST = 200
MOST_LETTERS = 12
MOST_TURNS = 12  # of a trace
_SIZE = sp.Symbol("size of all")


class Sums:
    """What trees are: numbers, and sums of words."""

    def __init__(self, numbers: Iterable[str]) -> None:
        self.numbers = frozenset(numbers)
        self.inverses: dict[Letter, Poly] = {}
        self.kept: dict[sp.Symbol, tuple[str, Poly]] = {}  # traces and determinants

    def number(self, value: Fraction) -> sp.Expr:
        return sp.Rational(value)

    def name(self, name: str) -> Any:
        if name in self.numbers:
            return sp.Symbol(name)
        if name == "I" or name.startswith("I_"):
            return {(): sp.S.One}
        return {((name, "", False),): sp.S.One}

    def plus(self, a: Any, b: Any) -> Any:
        if isinstance(a, dict) and isinstance(b, dict):
            return added([(a, 1), (b, 1)])
        if isinstance(a, dict) or isinstance(b, dict):
            whole, c = (a, b) if isinstance(a, dict) else (b, a)
            if c != 0:
                raise Foreign  # 1 + A
            return whole
        return a + b

    def times(self, a: Any, b: Any) -> Any:
        if not isinstance(a, dict) and not isinstance(b, dict):
            return a * b
        if not isinstance(a, dict) or not isinstance(b, dict):
            whole, c = (a, b) if isinstance(a, dict) else (b, a)
            return {w: x * c for w, x in whole.items() if c != 0}
        return products(a, b)

    def transposed(self, a: Any) -> Any:
        return turned(a) if isinstance(a, dict) else a

    def inverse(self, a: Any) -> Any:
        if not isinstance(a, dict):
            if a == 0:
                raise Foreign
            return 1 / a
        if not a:
            raise Foreign
        if len(a) == 1:
            ((word, c),) = a.items()
            if len(word) == 1 and not word[0][1]:
                ((name, _, back),) = word
                self.inverses[name, "inverse", False] = {((name, "", False),): sp.S.One}
                return {((name, "inverse", back),): 1 / c}
        name = repr(sorted(a.items(), key=repr))
        self.inverses[name, "inverse", False] = a
        return {((name, "inverse", False),): sp.S.One}

    def tr(self, a: Any) -> sp.Expr:
        return self._kept("tr", a)

    def det(self, a: Any) -> sp.Expr:
        return self._kept("det", a)

    def _kept(self, what: str, a: Any) -> sp.Expr:
        if not isinstance(a, dict):
            raise Foreign
        symbol = sp.Dummy(what)
        self.kept[symbol] = what, a
        return symbol

    def within(self, a: Any) -> Poly:
        """A number as a multiple of the identity, and a sum as it is."""
        return a if isinstance(a, dict) else {(): a} if a != 0 else {}

    def kronecker(self, a: Any, b: Any) -> Any:
        raise Foreign

    def vec(self, a: Any) -> Any:
        raise Foreign

    def blocks(self, rows: Sequence[Sequence[Any]]) -> Any:
        raise Foreign


def added(parts: Iterable[tuple[Poly, int]]) -> Poly:
    """A sum of sums."""
    found: Poly = {}
    for poly, sign in parts:
        for word, c in poly.items():
            found[word] = sp.expand(found.get(word, sp.S.Zero) + sign * c)
    return {w: c for w, c in found.items() if c != 0}


def products(a: Poly, b: Poly) -> Poly:
    """The product of sums."""
    if len(a) * len(b) > MOST:
        raise Foreign
    return added(({v + w: c * d}, 1) for v, c in a.items() for w, d in b.items())


def turned(poly: Mapping[Word, Any]) -> dict[Word, Any]:
    """The transpose."""
    return {tuple((n, i, not t) for n, i, t in reversed(w)): c for w, c in poly.items()}


class Consequences:
    """What follows from equations between sums of words."""

    def __init__(self, sums: Sums, facts: Iterable[Poly], claimed: Iterable[Poly]) -> None:
        equations = [f for f in facts if f]
        one: Poly = {(): sp.S.One}
        for letter, of in sums.inverses.items():
            inverse: Poly = {(letter,): sp.S.One}
            equations += [
                added([(products(*both), 1), (one, -1)]) for both in ((of, inverse), (inverse, of))
            ]
        every = [*equations, *claimed, *(p for _, p in sums.kept.values())]
        letters = {x for p in every for w in p for x in w}
        if len(letters) > MOST_LETTERS:
            raise Foreign
        if any(t for _, _, t in letters):
            equations += [turned(p) for p in equations]
        numbers = {x for p in every for c in p.values() for x in c.free_symbols} - sums.kept.keys()
        symbols = sorted(numbers, key=str)
        self.domain = sp.QQ.frac_field(*symbols) if symbols else sp.QQ
        known = divisors(c for p in every for c in p.values())
        self.completion = Completion(
            [self._within(e) for e in equations],
            lambda c: is_unit(self.domain.to_sympy(c), known),
        )
        self._sums = sums

    def _within(self, poly: Poly) -> Sum:
        try:
            return {w: c for w, x in poly.items() if (c := self.domain.from_sympy(x))}
        except (sp.CoercionFailed, ValueError, NotImplementedError):
            raise Foreign from None

    def same(self, left: Any, right: Any) -> bool:
        """True where two sides are found to be equal.  Raises Foreign for a matrix and a number."""
        if isinstance(left, dict) != isinstance(right, dict):
            left, right = ({} if x == 0 else x for x in (left, right))
            if not (isinstance(left, dict) and isinstance(right, dict)):
                raise Foreign
        self.completion.follows({(("", "", False),): self.domain.one})  # every consequence there is
        if self.completion.contradicts:
            return False
        try:
            values = {s: self._number(*self._sums.kept[s]) for s in self._sums.kept}
            if not isinstance(left, dict):
                return bool(sp.expand(sp.cancel((left - right).xreplace(values))) == 0)
            apart = {
                w: sp.expand(c.xreplace(values)) for w, c in added([(left, 1), (right, -1)]).items()
            }
            return not self.completion.reduced(self._within(apart))
        except Exhausted:
            return False

    def _number(self, what: str, poly: Poly) -> sp.Expr:
        least = self.completion.reduced(self._within(poly))
        if what == "tr":
            return sp.Add(*(self.domain.to_sympy(c) * self._trace(w) for w, c in least.items()))
        if len(least) != 1:
            other = self.completion.reduced(turned(least))
            least = min(least, other, key=lambda p: repr(sorted(p.items(), key=repr)))
            return sp.Symbol(f"det {sorted(least.items(), key=repr)}")
        ((word, c),) = least.items()
        factors = (sp.Symbol(f"det {n}") ** (-1 if i else 1) for n, i, _ in word)
        return sp.Mul(self.domain.to_sympy(c) ** _SIZE if c != 1 else sp.S.One, *factors)

    def _trace(self, word: Word, depth: int = 0) -> sp.Expr:
        """That of the least of the words to which it can be turned."""
        if not word:
            return _SIZE
        if depth > MOST_TURNS:
            raise Foreign
        signs, todo = {word: self.domain.one}, [word]
        while todo:
            one = todo.pop()
            back = next(iter(turned({one: 1})))
            for way in {w[k:] + w[:k] for w in (one, back) for k in range(len(one))}:
                least = self.completion.reduced({way: signs[one]})
                other = next(iter(least)) if len(least) == 1 else ()
                if len(other) != len(word):
                    every = [(self.domain.to_sympy(c), w) for w, c in least.items()]
                    return sp.Add(*(c * self._trace(w, depth + 1) for c, w in every))
                if other not in signs:
                    signs[other] = least[other]
                    todo.append(other)
                elif signs[other] != least[other]:  # what is its own negative
                    return sp.S.Zero
        first = min(signs)
        return self.domain.to_sympy(1 / signs[first]) * sp.Symbol(f"tr {first}")


__all__ = ["Consequences", "Poly", "Sums", "added", "products", "turned"]
