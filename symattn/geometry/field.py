"""The field that components lie in: numerators over powers of known factors.

An element is top / (whole · ∏ factor^exponent).  The numerator is a polynomial in generators, with
every relation used (s² = 1 − c² for a sine and a cosine, u^q = v for a root); the factors are
polynomials without sines and roots, coprime in pairs, found where something is divided by.  So a
sum needs no greatest common divisor, an element is zero just when its numerator is, and results
stand over the factors that they were made with.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import gcd, lcm
from typing import TypeAlias

from ..errors import LimitError
from .irreducible import irreducible
from .rings import Monomial, Poly, Ring, lifted, ring

Over: TypeAlias = Mapping[int, int]  # number of a factor → its exponent
Number: TypeAlias = int | Fraction


@dataclass
class Factor:
    """A polynomial that results are divided by; `parts` once it is known to be a product."""

    poly: Poly
    irreducible: bool
    parts: tuple[int, ...] | None = None


@dataclass(frozen=True)
class Circle:
    """s² = sign · (1 − c²): a sine and its cosine (sign 1), or sinh and cosh (sign −1)."""

    sine: int
    cosine: int
    sign: int


@dataclass(frozen=True)
class Root:
    """u^degree = value."""

    generator: int
    degree: int
    value: Element


class Element:
    """top / (whole · ∏ factor^exponent), immutable; arithmetic is the field's."""

    __slots__ = ("factors", "field", "over", "size", "top", "whole")

    def __init__(self, field: Field, top: Poly, over: Over, whole: int) -> None:
        self.field, self.top, self.over, self.whole = field, top, over, whole
        self.size = field.ring.size
        self.factors: Sequence[Element] = ()  # of what was written as a product

    def __bool__(self) -> bool:
        return bool(self.top)

    def __add__(self, other: Element) -> Element:
        return self.field.total([(1, (self,)), (1, (other,))])

    def __sub__(self, other: Element) -> Element:
        return self.field.total([(1, (self,)), (-1, (other,))])

    def __neg__(self) -> Element:
        return Element(self.field, -self.field.top(self), self.over, self.whole)

    def __mul__(self, other: Element) -> Element:
        return self.field.total([(1, (self, other))])

    def __truediv__(self, other: Element) -> Element:
        return self.field.total([(1, (self, self.field.inverse(other)))])

    def __pow__(self, n: int) -> Element:
        base = self.field.inverse(self) if n < 0 else self
        return self.field.total([(1, (base,) * abs(n))])


class Field:
    """Rational functions of generators, which may become more, modulo circles and roots."""

    def __init__(self, flint: bool | None = None) -> None:
        self._flint = flint
        self.ring: Ring = ring(0, flint)
        self.factors: list[Factor] = []
        self.relations: list[Circle | Root] = []
        self._powers: dict[tuple[int, int], Poly] = {}
        self.work: int | None = None  # products of terms that are left, where they are bounded

    # ------------------------------------------------------------------------------- generators

    def grow(self, size: int) -> None:
        """Makes room for more generators; elements are lifted when they are used next."""
        if size > self.ring.size:
            old, self.ring = self.ring, ring(size, self._flint)
            for factor in self.factors:
                factor.poly = lifted(old, self.ring, factor.poly)
            self._powers.clear()

    def top(self, e: Element) -> Poly:
        """The numerator as a polynomial of the present ring."""
        if e.size != self.ring.size:
            e.top, e.size = lifted(ring(e.size, self._flint), self.ring, e.top), self.ring.size
        return e.top

    def relate(self, relation: Circle | Root) -> None:
        """Uses a relation from here on; roots come after what is under them."""
        self.relations.append(relation)
        if isinstance(relation, Circle):  # sin² is their product, and both are irreducible
            cosine = self._monomial({relation.cosine: 1})
            for p in (cosine - self.ring.one, cosine + self.ring.one):
                self.factors.append(Factor(p, True))

    def algebraic(self) -> set[int]:
        """The generators that are sines or roots of others."""
        return {r.sine if isinstance(r, Circle) else r.generator for r in self.relations}

    def generator(self, k: int) -> Element:
        """The generator of that number."""
        return Element(self, self._monomial({k: 1}), {}, 1)

    def number(self, value: Number) -> Element:
        """A rational number."""
        return Element(
            self,
            self.ring.one * value.numerator if value else self.ring.zero,
            {},
            value.denominator,
        )

    def _monomial(self, exponents: Mapping[int, int]) -> Poly:
        return self.ring.make({tuple(exponents.get(k, 0) for k in range(self.ring.size)): 1})

    # -------------------------------------------------------------------------------- arithmetic

    def total(self, products: Iterable[tuple[Number, Sequence[Element]]]) -> Element:
        """Σ coefficient · product of elements, over one denominator and cancelled."""
        groups: dict[tuple[tuple[int, int], ...], list[tuple[int, int, Poly]]] = {}
        for coefficient, elements in products:
            if not coefficient or not all(elements):
                continue
            over: dict[int, int] = {}
            top, whole = None, coefficient.denominator
            for e in elements:
                poly = self.top(e)
                top = poly if top is None else self._product(top, poly)
                whole *= e.whole
                for k, n in self.known(e.over).items():
                    over[k] = over.get(k, 0) + n
            key = tuple(sorted(over.items()))
            groups.setdefault(key, []).append(
                (coefficient.numerator, whole, self.ring.one if top is None else top)
            )
        common: dict[int, int] = {}
        for key in groups:
            for k, n in key:
                common[k] = max(n, common.get(k, 0))
        denominator = lcm(1, *(w for parts in groups.values() for _, w, _ in parts))
        result = self.ring.zero
        for key, parts in groups.items():
            summed = self.ring.zero
            for c, w, top in parts:
                n = c * (denominator // w)
                summed = summed + (top if n == 1 else top * n)
            missing = dict(key)
            for k, n in common.items():
                if n > missing.get(k, 0) and summed:
                    summed = summed * self._power(k, n - missing.get(k, 0))
            result = result + summed
        return self._cancelled(result, common, denominator)

    def _product(self, one: Poly, other: Poly) -> Poly:
        if self.work is not None:
            self.work -= len(one) * len(other)
            if self.work < 0:
                raise LimitError(
                    "the products of polynomials in an expression are too large",
                    mend="name parts of the expression by symbols",
                )
        return one * other

    def known(self, over: Over) -> Over:
        """The exponents with products among the factors taken apart."""
        if not any(self.factors[k].parts for k in over):
            return over
        found: dict[int, int] = {}
        for k, n in over.items():
            for part in self._parts(k):
                found[part] = found.get(part, 0) + n
        return found

    def _parts(self, k: int) -> Iterable[int]:
        parts = self.factors[k].parts
        return (k,) if parts is None else [p for part in parts for p in self._parts(part)]

    def _power(self, k: int, n: int) -> Poly:
        found = self._powers.get((k, n))
        if found is None:
            found = self._powers[k, n] = self.factors[k].poly ** n
        return found

    def _cancelled(self, top: Poly, over: Over, whole: int) -> Element:
        """top / (whole · over) with relations used and factors cancelled."""
        if top:
            top, over, whole = self._reduced(top, over, whole)
        if not top:
            return Element(self, self.ring.zero, {}, 1)
        left: dict[int, int] = {}
        for k, n in over.items():
            while n and (quotient := self.ring.divide(top, self.factors[k].poly)) is not None:
                top, n = quotient, n - 1
            if n:
                left[k] = n
        if whole != 1:
            common = gcd(self.ring.content(top), whole)
            if common != 1:
                top, whole = self.ring.shrink(top, common), whole // common
        return Element(self, top, left, whole)

    def _reduced(self, top: Poly, over: Over, whole: int) -> tuple[Poly, Over, int]:
        """The numerator with all relations used, roots before what is under them."""
        for relation in reversed(self.relations):
            if isinstance(relation, Circle):
                top = self._on_circle(top, relation)
            else:
                top, over, whole = self._under_root(top, over, whole, relation)
        return top, over, whole

    def _on_circle(self, p: Poly, circle: Circle) -> Poly:
        parts = self.by_degree(p, circle.sine, 2)
        if len(parts) <= 1 and not any(parts):
            return p
        square = (self.ring.one - self._monomial({circle.cosine: 2})) * circle.sign
        return self.horner(parts, square)

    def _under_root(self, p: Poly, over: Over, whole: int, root: Root) -> tuple[Poly, Over, int]:
        parts = self.by_degree(p, root.generator, root.degree)
        if len(parts) <= 1 and not any(parts):
            return p, over, whole
        value, most = root.value, max(parts)
        below, more = self.ring.one * value.whole, dict(self.known(over))
        for k, n in self.known(value.over).items():
            below = below * self._power(k, n)
            more[k] = more.get(k, 0) + n * most
        scaled = {n: part * below ** (most - n) for n, part in parts.items()}
        return self.horner(scaled, self.top(value)), more, whole * value.whole**most

    def by_degree(self, p: Poly, k: int, degree: int) -> dict[int, Poly]:
        """n ↦ what stands at generator^(n·degree), the rest of the power left in it."""
        terms: dict[int, dict[Monomial, int]] = {}
        for m, c in self.ring.terms(p):
            n, rest = divmod(m[k], degree)
            terms.setdefault(n, {})[(*m[:k], rest, *m[k + 1 :]) if n else m] = c
        return {n: self.ring.make(part) for n, part in terms.items()}

    def horner(self, parts: Mapping[int, Poly], at: Poly) -> Poly:
        """Σ parts[n] · at^n."""
        result = self.ring.zero
        for n in range(max(parts), -1, -1):
            result = result * at + parts.get(n, self.ring.zero)
        return result

    # ---------------------------------------------------------------------------------- division

    def inverse(self, e: Element) -> Element:
        """1/e.  ZeroDivisionError where e is 0, or divides 0."""
        if not e:
            raise ZeroDivisionError
        if e.factors and len(self._branches()) > 1:
            known = {id(factor): self.inverse(factor) for factor in e.factors}
            return self.total([(1, [known[id(factor)] for factor in e.factors])])
        top, over = self.top(e), self.known(e.over)
        content = self.ring.content(top)
        low = [min(powers) for powers in zip(*(m for m, _ in self.ring.terms(top)), strict=True)]
        monomial = self._monomial(dict(enumerate(low)))
        rest = self.ring.divide(top, monomial * content)
        assert rest is not None
        numerator = self.ring.one * e.whole
        for k, n in over.items():
            numerator = numerator * self._power(k, n)
        parts = [Element(self, numerator, {}, content)]
        for k, n in enumerate(low):
            if n:
                parts += [self._inverse_generator(k)] * n
        parts.append(self._inverse_sum(rest))
        return self.total([(1, parts)])

    def _inverse_generator(self, k: int) -> Element:
        for relation in self.relations:
            if isinstance(relation, Circle) and relation.sine == k:
                square = (self.ring.one - self._monomial({relation.cosine: 2})) * relation.sign
                return self.total([(1, (self.generator(k), self._inverse_sum(square)))])
            if isinstance(relation, Root) and relation.generator == k:
                power = Element(self, self._monomial({k: relation.degree - 1}), {}, 1)
                return self.total([(1, (power, self.inverse(relation.value)))])
        return Element(self, self.ring.one, {self._admitted(self._monomial({k: 1}), True): 1}, 1)

    def _inverse_sum(self, p: Poly) -> Element:
        """1/p: the highest sine or root is taken out of the denominator first.

        Where roots of several polynomials meet, p stays below the bar: it is too long without them.
        """
        degrees = self.ring.degrees(p)
        if sum(bool(degrees[k]) for k in self._branches()) > 1:
            content = self.ring.content(p)
            sign, rest = self._sign(p), self.ring.shrink(p, content)
            k = self._admitted(rest * sign, False)
            return Element(self, self.ring.one * sign, {k: 1}, content)
        for relation in reversed(self.relations):
            k = relation.sine if isinstance(relation, Circle) else relation.generator
            if degrees[k]:
                degree = 2 if isinstance(relation, Circle) else relation.degree
                return self._rationalised(p, k, degree)
        sign = self._sign(p)
        over, rest = self._decomposed(p * sign)
        return Element(self, self.ring.one * sign, over, rest)

    def _branches(self) -> list[int]:
        """The generators that are roots of what is no number."""
        return [
            r.generator
            for r in self.relations
            if isinstance(r, Root)
            and not (self._is_constant(self.top(r.value)) and not r.value.over)
        ]

    def _sign(self, p: Poly) -> int:
        """The sign of the leading coefficient."""
        return 1 if max(self.ring.terms(p))[1] > 0 else -1

    def _rationalised(self, p: Poly, k: int, degree: int) -> Element:
        """1/p with conjugates: p · cofactor is free of the generator k, the norm."""
        if degree == 2:
            mirrored = self.ring.make({m: -c if m[k] else c for m, c in self.ring.terms(p)})
            cofactor = Element(self, mirrored, {}, 1)
        else:
            cofactor = self._cofactor(p, k, degree)
        norm = self.total([(1, (Element(self, p, {}, 1), cofactor))])
        return self.total([(1, (cofactor, self.inverse(norm)))])

    def _cofactor(self, p: Poly, k: int, degree: int) -> Element:
        """What p times makes free of u: solves p · Σ x_j u^j = 1 for the powers of a root u."""
        u = self.generator(k)
        columns = [self.total([(1, (Element(self, p, {}, 1), *[u] * j))]) for j in range(degree)]
        rows = [[self._at_power(c, k, i) for c in columns] for i in range(degree)]
        solved = self.solve(rows, [self.number(int(i == 0)) for i in range(degree)])
        return self.total([(1, (x, *[u] * j)) for j, x in enumerate(solved)])

    def _at_power(self, e: Element, k: int, n: int) -> Element:
        terms = {(*m[:k], 0, *m[k + 1 :]): c for m, c in self.ring.terms(self.top(e)) if m[k] == n}
        return Element(self, self.ring.make(terms), e.over, e.whole)

    def solve(self, rows: list[list[Element]], right: list[Element]) -> list[Element]:
        """x with rows · x = right, by elimination.  ZeroDivisionError where rows are singular."""
        size = len(rows)
        work = [[*row, value] for row, value in zip(rows, right, strict=True)]
        for j in range(size):
            pivot = min((i for i in range(j, size) if work[i][j]), default=None)
            if pivot is None:
                raise ZeroDivisionError
            work[j], work[pivot] = work[pivot], work[j]
            scale = self.inverse(work[j][j])
            work[j] = [e * scale if e else e for e in work[j]]
            for i in range(size):
                if i != j and work[i][j]:
                    times = work[i][j]
                    work[i] = [
                        self.total([(1, (a,)), (-1, (times, b))])
                        for a, b in zip(work[i], work[j], strict=True)
                    ]
        return [row[-1] for row in work]

    # ----------------------------------------------------------------------------------- factors

    def active(self) -> list[int]:
        """The numbers of the factors that are no products of others."""
        return [k for k, f in enumerate(self.factors) if f.parts is None]

    def factor(self, p: Poly) -> tuple[dict[int, int], Poly]:
        """The exponents of known factors in p, and what is left."""
        found: dict[int, int] = {}
        for k in self.active():
            poly = self.factors[k].poly
            while (quotient := self.ring.divide(p, poly)) is not None:
                p = quotient
                found[k] = found.get(k, 0) + 1
        return found, p

    def _is_constant(self, p: Poly) -> bool:
        return not p or not any(self.ring.degrees(p))

    def _decomposed(self, p: Poly) -> tuple[dict[int, int], int]:
        """p > 0 as powers of factors, new ones where it has to be, and a whole number."""
        found, p = self.factor(p)
        content = self.ring.content(p)
        p = self.ring.shrink(p, content)
        if self._is_constant(p):
            return found, content
        for part, exponent in self._square_free(p):
            for k in self._coprime(part):
                found[k] = found.get(k, 0) + exponent
        return found, content

    def _square_free(self, p: Poly) -> list[tuple[Poly, int]]:
        """p as powers of square-free polynomials, coprime in pairs (D. Y. Y. Yun, 1976)."""
        if irreducible(self.ring, p):
            return [(p, 1)]
        k = next(k for k, n in enumerate(self.ring.degrees(p)) if n)
        common = self.positive(self.ring.gcd(p, self.ring.derivative(p, k)))
        simple = self.positive(self._quotient(p, common))
        found: dict[int, Poly] = {}
        n, rest = 1, common
        while not self._is_constant(simple):
            shared = self.positive(self.ring.gcd(simple, rest))
            part = self._quotient(simple, shared)
            if not self._is_constant(part):
                found[n] = self.positive(part)
            simple, rest, n = shared, self._quotient(rest, shared), n + 1
        parts = [(part, n) for n, part in found.items()]
        if not self._is_constant(rest):  # what does not depend on the generator k
            parts += self._square_free(self.positive(rest))
        return parts

    def _quotient(self, p: Poly, q: Poly) -> Poly:
        quotient = self.ring.divide(p, q)
        assert quotient is not None
        return quotient

    def positive(self, p: Poly) -> Poly:
        """The primitive part with a leading coefficient above 0."""
        p = self.ring.shrink(p, self.ring.content(p))
        return p * self._sign(p)

    def _coprime(self, p: Poly) -> list[int]:
        """Factors with the product p, which is square-free; factors are split to stay coprime."""
        sure = irreducible(self.ring, p)
        for k in self.active():
            known = self.factors[k]
            quotient = self.ring.divide(p, known.poly)
            if quotient is not None:
                rest = self.positive(quotient)
                return [k] if self._is_constant(rest) else [k, *self._coprime(rest)]
            if known.irreducible:  # and it does not divide p
                continue
            shared = self.ring.gcd(p, known.poly)
            if not self._is_constant(shared):
                self.split(k, shared)
                return self._coprime(p)
        return [self._admitted(p, sure)]

    def split(self, k: int, divisor: Poly) -> None:
        """Factor k as a product of a divisor and the rest."""
        divisor = self.positive(divisor)
        rest = self.positive(self._quotient(self.factors[k].poly, divisor))
        parts = [len(self.factors), len(self.factors) + 1]
        for part in (divisor, rest):
            self.factors.append(Factor(part, irreducible(self.ring, part)))
        self.factors[k].parts = tuple(parts)

    def _admitted(self, p: Poly, sure: bool) -> int:
        for k in self.active():
            if self.factors[k].poly == p:
                return k
        self.factors.append(Factor(p, sure))
        return len(self.factors) - 1

    def normal(self, e: Element) -> Element:
        """The element in lowest terms, also where a factor is a product not known as one."""
        e = Element(self, self.top(e), self.known(e.over), e.whole)
        for k in e.over:
            if not self.factors[k].irreducible:
                shared = self.ring.gcd(e.top, self.factors[k].poly)
                if not self._is_constant(shared):
                    self.split(k, shared)
                    return self.normal(self._cancelled(e.top, self.known(e.over), e.whole))
        return e
