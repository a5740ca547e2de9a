r"""Matrix identities as words: P (Q P + λ 1)⁻¹ = (P Q + λ 1)⁻¹ P, Woodbury, inverses of blocks.

A product of matrices and vectors is a word over letters M, Mᵀ, M⁻¹, M⁻ᵀ, and a sum of products is
a polynomial over words that do not commute.  Beside N⁻¹ the longest word of what defines N is
written by N: from N = A − B D⁻¹ C follows B D⁻¹ C → A − N, and N N⁻¹ is 1.  A polynomial is zero
just when N times it is, for an N whose inverse it begins or ends with.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import sympy as sp

from ..objects import Inverse, TensorSymbol
from ..syntax import System, without_marks
from .inside import names
from .statements import Statement, alone
from .versions import closure

MOST = 400  # words of a polynomial
DEPTH = 4  # matrices that a polynomial is multiplied by
FREE, VECTOR = "@", "|"  # how the names of ends begin: free letters, and vectors

Letter = tuple[str, bool, bool]  # the name of a matrix, inverted, transposed
Word = tuple[Letter, ...]
Monomial = tuple[Word, ...]
Poly = dict[Monomial, sp.Expr]
Part = tuple[str, bool, tuple[Any, ...]]  # a name, inverted, with its letters


class Unfit(Exception):
    """What is no polynomial over words."""


@dataclass(frozen=True)
class Rule:
    """A word, and what stands in its place beside the inverse of the matrix `of`."""

    of: str
    word: Word
    instead: Poly


class Words:
    """Polynomials over words, under the definitions of a system."""

    def __init__(self, system: System, exprs: Iterable[Any]) -> None:
        """Beside the inverses in the expressions, and in what they rest on."""
        self.system, self._count = system, 0
        every = [*exprs]
        reached = closure(set().union(*map(names, every)), system)
        every += [d.expr for d in system if d.name in reached]
        bases = {b for e in every for b in e.atoms(sp.IndexedBase)}
        self.kept = {b.of.name for b in bases if isinstance(b, Inverse)}
        self.symmetric = {
            b.name for b in bases if isinstance(b, TensorSymbol) and b.symmetry == "symmetric"
        }
        self.bodies: dict[str, list[Poly]] = {}
        while True:  # a matrix is symmetric where its words are, and that may make another one so
            known = len(self.symmetric)
            for name in sorted(self.kept):
                self.bodies[name] = [self._body(*d) for d in self._defined(name)]
                if any(map(self._alike, self.bodies[name])):
                    self.symmetric.add(name)
            if len(self.symmetric) == known:
                break
        self.products: dict[str, tuple[sp.Expr, Word]] = {}
        for name in sorted(self.kept):
            self._product(name, ())
        for name in sorted(self.kept - self.products.keys()):
            self._product(name, self._beside({name}))
        self.rules = self._beside(set())

    def poly(self, expr: Any, free: Sequence[sp.Idx]) -> Poly:
        """The polynomial of an expression with free letters.  Raises Unfit where it has none."""
        return self._plain((self._monomial(f, free), c) for c, f in self._terms(sp.sympify(expr)))

    def zero(self, poly: Poly, written: frozenset[str] = frozenset()) -> bool:
        """True where a polynomial is zero, also times matrices whose inverses stand at its ends."""
        poly = self._reduced(poly, [r for r in self.rules if r.of not in written])
        if not poly or len(written) >= DEPTH:
            return not poly
        groups: dict[Any, Poly] = {}
        for monomial, c in poly.items():
            groups.setdefault(sorted((w[0], w[-1]) for w in monomial).__repr__(), {})[monomial] = c
        return all(
            any(
                self.zero(self._times(part, inverse, end), written | {inverse[0]})
                for inverse, end in sorted(self._at_ends(part))
                if self.bodies.get(inverse[0]) and inverse[0] not in written
            )
            for part in groups.values()
        )

    def _defined(self, name: str) -> Iterator[tuple[tuple[sp.Idx, ...], sp.Expr]]:
        """Letters and right side of what says what a matrix is: its definition, and facts."""
        if name in self.system.definitions:
            d = self.system.definitions[name]
            yield d.indices, d.expr
        for fact in map(without_marks, self.system.facts):
            for left, right in (fact.args, fact.args[::-1]):
                if alone(left) == name and name not in names(right):
                    yield left.indices, right

    def _alike(self, body: Poly) -> bool:
        """A body that is its own transpose."""
        return body == self._plain((self._transposed(m), c) for m, c in body.items())

    def _beside(self, but: set[str]) -> list[Rule]:
        """The rules of the matrices that are no products, but for some."""
        every = sorted(self.kept - self.products.keys() - but)
        return [r for name in every for body in self.bodies[name] for r in self._rules(name, body)]

    def _product(self, name: str, rules: Sequence[Rule]) -> None:
        """N = L Lᵀ, where L⁻¹ stands there too: N⁻¹ is L⁻ᵀ L⁻¹."""
        for body in self.bodies[name]:
            inside = self._plain(
                (m, c) for monomial, a in body.items() for m, c in self._ended(monomial, a, rules)
            )
            if len(inside) == 1:
                ((monomial, c),) = inside.items()
                if len(monomial) == 1 and monomial[0] and {x[0] for x in monomial[0]} <= self.kept:
                    self.products[name] = c, monomial[0]
                    return

    def _ended(
        self, monomial: Monomial, c: sp.Expr, rules: Sequence[Rule]
    ) -> Iterator[tuple[Monomial, sp.Expr]]:
        """What stands between two ends, reduced."""
        first, last = ((f"{FREE}{k}", False, False) for k in (0, 1))
        whole = self._joined((), (first,), monomial, (last,))
        for m, a in self._reduced({whole: c}, rules).items():
            yield self.inside(m, first, last), a

    def _body(self, letters: Sequence[sp.Idx], expr: sp.Expr) -> Poly:
        """What defines a matrix, by words between its two letters."""
        if len(letters) != 2:
            raise Unfit
        ends = [(f"{FREE}{x.name}", False, False) for x in letters]
        return {self.inside(m, *ends): c for m, c in self.poly(expr, letters).items()}

    def inside(self, monomial: Monomial, first: Letter, last: Letter) -> Monomial:
        """What stands between two ends: one word, or two of which vectors are the other ends."""
        words = [w if w[0] == first or w[-1] == last else self.turned(w) for w in monomial]
        words.sort(key=lambda w: w[0] != first)
        if len(words) > 2 or words[0][0] != first or words[-1][-1] != last:
            raise Unfit
        return (words[0][1:-1],) if len(words) == 1 else (words[0][1:], words[1][:-1])

    def _rules(self, name: str, body: Poly) -> Iterator[Rule]:
        """The longest word of what defines a matrix, by the matrix and the rest; and transposed."""

        def length(m: Monomial) -> tuple[int, int, Monomial]:
            return len(m[0]), sum(x[0] not in self.kept for x in m[0]), m

        long = max((m for m in body if len(m) == 1), key=length, default=((),))
        if not long[0]:
            return
        instead = {m: -c / body[long] for m, c in body.items() if m != long}
        instead[(((name, False, False),),)] = 1 / body[long]
        yield Rule(name, long[0], instead)
        turned = self.turned(long[0])
        if turned != long[0]:
            yield Rule(name, turned, {self._transposed(m): c for m, c in instead.items()})

    def _terms(self, expr: sp.Expr) -> list[tuple[sp.Expr, tuple[Any, ...]]]:
        """Coefficients, each with factors that bear letters; sums have letters of their own."""
        d = self.system.definitions.get(expr.name) if isinstance(expr, sp.Symbol) else None
        if d is not None:
            return self._terms(d.expr)
        numbers = names(expr) & self.system.definitions.keys()
        if not expr.atoms(sp.Indexed, sp.KroneckerDelta) and not numbers:
            if expr.atoms(sp.Idx):
                raise Unfit
            return [(expr, ())]
        if isinstance(expr, sp.Add):
            return [t for a in expr.args for t in self._terms(a)]
        if isinstance(expr, sp.Mul):
            found: list[tuple[sp.Expr, tuple[Any, ...]]] = [(sp.S.One, ())]
            for a in expr.args:
                found = [(c * d, f + g) for c, f in found for d, g in self._terms(a)]
                if len(found) > MOST:
                    raise Unfit
            return found
        if isinstance(expr, sp.Sum):
            return self._terms(expr.function.xreplace(self._fresh(v for v, *_ in expr.limits)))
        if isinstance(expr, sp.Pow) and expr.exp == 2:
            return self._terms(sp.Mul(expr.base, expr.base, evaluate=False))
        if isinstance(expr, sp.KroneckerDelta):
            return [(sp.S.One, (expr,))]
        if not isinstance(expr, sp.Indexed):
            raise Unfit
        d = self.system.definitions.get(expr.base.name)
        if d is None or d.name in self.kept:
            return [(sp.S.One, (expr,))]
        bound = self._fresh({v for e in d.expr.atoms(sp.Sum) for v, *_ in e.limits})
        slots = dict(zip(d.indices, expr.indices, strict=True))
        return self._terms(d.expr.xreplace(bound).xreplace(slots))

    def _fresh(self, letters: Iterable[sp.Idx]) -> dict[sp.Idx, sp.Idx]:
        self._count += 1
        return {
            v: sp.Idx(f"w{self._count}_{k}", v.upper + 1)
            for k, v in enumerate(sorted(letters, key=str))
        }

    def _monomial(self, factors: Sequence[Any], free: Sequence[sp.Idx]) -> Monomial:
        """The words that factors make: a letter joins two of them, or is the end of a word."""
        parts: list[Part] = [(f"{FREE}{x.name}", False, (x,)) for x in free]
        for f in factors:
            if isinstance(f, sp.KroneckerDelta):
                parts.append(("", False, f.args))
                continue
            inverted = isinstance(f.base, Inverse)
            name = str(f.base.of.label if inverted else f.base.label)
            parts.append((name if len(f.indices) == 2 else VECTOR + name, inverted, f.indices))
        places: dict[Any, list[tuple[int, int]]] = {}
        for k, (_, _, slots) in enumerate(parts):
            for n, x in enumerate(slots):
                places.setdefault(x, []).append((k, n))
        fits = all(len(p[2]) in (1, 2) and all(isinstance(x, sp.Idx) for x in p[2]) for p in parts)
        if not fits or any(len(at) != 2 for at in places.values()):
            raise Unfit
        words: list[Word] = []
        seen: set[int] = set()
        for start, (_, _, slots) in enumerate(parts):
            if len(slots) == 1 and start not in seen:
                words.append(self._word(parts, places, start, seen))
        if len(seen) != len(parts):
            raise Unfit  # a trace
        return tuple(sorted(words))

    def _word(
        self,
        parts: Sequence[Part],
        places: Mapping[Any, list[tuple[int, int]]],
        start: int,
        seen: set[int],
    ) -> Word:
        """The word that begins with a vector or a free letter."""
        word: list[Letter] = []
        k, entered = start, 0
        while True:
            name, inverted, slots = parts[k]
            seen.add(k)
            turned = len(slots) == 2 and entered == 1 and name not in self.symmetric
            word += [(name, inverted, turned)] * bool(name)
            if len(slots) == 1 and k != start:
                return self._least(tuple(word))
            at = 0 if len(slots) == 1 else 1 - entered
            k, entered = next(p for p in places[slots[at]] if p != (k, at))

    def turned(self, word: Word) -> Word:
        """The transpose of a word."""
        return tuple(
            x if x[0] in self.symmetric or x[0].startswith((FREE, VECTOR)) else (*x[:2], not x[2])
            for x in reversed(word)
        )

    def _transposed(self, monomial: Monomial) -> Monomial:
        """The transpose of what stands between two ends."""
        return tuple(self.turned(w) for w in reversed(monomial))

    def _least(self, word: Word) -> Word:
        return min(word, self.turned(word))

    def _plain(self, terms: Iterable[tuple[Monomial, sp.Expr]]) -> Poly:
        """The sum of terms, without those that vanish."""
        found: Poly = {}
        for monomial, c in terms:
            found[monomial] = found.get(monomial, sp.S.Zero) + c
            if len(found) > MOST:
                raise Unfit
        return {m: c for m, c in found.items() if c != 0 and sp.cancel(sp.expand(c)) != 0}

    def _reduced(self, poly: Poly, rules: Sequence[Rule]) -> Poly:
        """The polynomial where no word of a rule, and no N N⁻¹, is left."""
        done: list[tuple[Monomial, sp.Expr]] = []
        todo = list(poly.items())
        for _ in range(20 * MOST):
            if not todo:
                return self._plain(done)
            monomial, c = todo.pop()
            new = self._step(monomial, rules)
            if new is None:
                done.append((monomial, c))
            else:
                todo += [(m, c * a) for m, a in new]
        raise Unfit

    def _step(
        self, monomial: Monomial, rules: Sequence[Rule]
    ) -> list[tuple[Monomial, sp.Expr]] | None:
        """One word of a monomial rewritten once; None where nothing is left to do."""
        for n, word in enumerate(monomial):
            rest = (*monomial[:n], *monomial[n + 1 :])
            for k, (name, inverted, turned) in enumerate(word):
                if name in self.products:
                    c, inner = self.products[name]
                    if inverted:
                        inner = tuple((a, not x, s) for a, x, s in reversed(inner))
                    inner = self.turned(inner) if turned else inner
                    new = self._joined(rest, word[:k], (inner,), word[k + 1 :])
                    return [(new, 1 / c if inverted else c)]
            for k in range(1, len(word) - 2):
                (a, x, s), (b, y, t) = word[k : k + 2]
                if (a, s) == (b, t) and x != y:
                    return [(self._joined(rest, word[:k], ((),), word[k + 2 :]), sp.S.One)]
            for rule in rules:
                size = len(rule.word)
                for k in range(1, len(word) - size):
                    if word[k : k + size] == rule.word:
                        return [
                            (self._joined(rest, word[:k], m, word[k + size :]), a)
                            for m, a in rule.instead.items()
                        ]
        return None

    def _joined(self, rest: Monomial, before: Word, inside: Monomial, behind: Word) -> Monomial:
        """The monomial with what stands between the two parts of a word."""
        first, *others = inside
        words = [before + first + behind] if not others else [before + first, others[0] + behind]
        return tuple(sorted((*rest, *map(self._least, words))))

    def _at_ends(self, poly: Poly) -> set[tuple[Letter, Letter]]:
        """The inverses beside the ends of words, each with its end."""
        both = (w for m in poly for word in m for w in (word, self.turned(word)))
        return {(w[1], w[0]) for w in both if w[1][1]}

    def _times(self, poly: Poly, inverse: Letter, end: Letter) -> Poly:
        """The polynomial times N at a free letter: N N⁻¹ is 1, elsewhere N is written out."""
        name, _, turned = inverse
        body = self.bodies[name][0]
        if turned:
            body = {self._transposed(m): c for m, c in body.items()}
        found: list[tuple[Monomial, sp.Expr]] = []
        for monomial, c in poly.items():
            n = next(k for k, w in enumerate(monomial) if end in (w[0], w[-1]))
            word = monomial[n] if monomial[n][0] == end else self.turned(monomial[n])
            rest = (*monomial[:n], *monomial[n + 1 :])
            if word[1] == inverse:
                found.append((self._joined(rest, (end,), ((),), word[2:]), c))
            else:
                found += [(self._joined(rest, (end,), m, word[1:]), c * a) for m, a in body.items()]
        return self._plain(found)


def proves(s: Statement, system: System) -> bool:
    """True where the two sides of a statement are one polynomial over words, and not zero."""
    try:
        words = Words(system, (s.lhs, s.rhs))
        left, right = (words.poly(side, s.letters) for side in (s.lhs, s.rhs))
        apart = words.poly(s.lhs - s.rhs, s.letters)
        vacuous = words.zero(left) or words.zero(right)
        return bool(words.kept) and words.zero(apart) and not vacuous
    except Unfit:
        return False


__all__ = ["FREE", "Poly", "Unfit", "Word", "Words", "proves"]
