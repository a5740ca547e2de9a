"""From g_{ab} to curvature, on demand, in the exact field; independent components only.

Conventions are those of C. W. Misner, K. S. Thorne and J. A. Wheeler, Gravitation, 1973: the
2-sphere has positive curvature, R^a_{bcd} = ∂_c Γ^a_{db} − …, and R_{bd} = R^a_{bad}.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from functools import cached_property
from itertools import combinations, combinations_with_replacement, product
from typing import TypeAlias

import sympy as sp

from . import formula
from .field import Element
from .linear import determinant, inverse
from .scalars import Scalars

Place: TypeAlias = tuple[int, ...]
Values: TypeAlias = dict[Place, Element]  # the components that are not 0
Products: TypeAlias = dict[Place, list[tuple[int | Fraction, Sequence[Element]]]]
Pair: TypeAlias = tuple[int, int]


class Curvature:
    """All that follows from a metric in coordinates; what is not needed is not computed."""

    def __init__(
        self, scalars: Scalars, coordinates: Sequence[sp.Symbol], metric: Mapping[Place, Element]
    ) -> None:
        self.scalars, self.field = scalars, scalars.field
        self.coordinates, self.n = tuple(coordinates), len(coordinates)
        self.metric: Values = {k: v for k, v in metric.items() if v}
        self.zero = self.field.number(0)

    def pairs(self) -> list[Pair]:
        """(a, b) with a ≤ b, the independent places of a symmetric tensor."""
        return list(combinations_with_replacement(range(self.n), 2))

    @cached_property
    def determinant(self) -> Element:
        """det g."""
        return determinant(self.field, self.metric, self.n)

    @cached_property
    def inverse(self) -> Values:
        """g^{ab}.  ZeroDivisionError for a singular metric."""
        return inverse(self.field, self.metric, self.n)

    @cached_property
    def slopes(self) -> Values:
        """∂_k g_{ab} as (k, a, b)."""
        return self._differentiated(self.metric)

    @cached_property
    def second_slopes(self) -> Values:
        """∂_l ∂_k g_{ab} as (l, k, a, b) with l ≤ k and a ≤ b."""
        found: Values = {}
        for (k, a, b), value in self.slopes.items():
            if a <= b:
                for l in range(k + 1):
                    if slope := self.scalars.derivative(value, self.coordinates[l]):
                        found[l, k, a, b] = slope
        return found

    def _differentiated(self, symmetric: Values) -> Values:
        found: Values = {}
        for (a, b), value in symmetric.items():
            if a <= b:
                for k, x in enumerate(self.coordinates):
                    if slope := self.scalars.derivative(value, x):
                        found[k, a, b] = found[k, b, a] = slope
        return found

    # -------------------------------------------------------------------------------- connection

    @cached_property
    def first_kind(self) -> Values:
        """Γ_{c,ab} as (c, a, b), symmetric in a and b."""
        found: Values = {}
        for a, b in self.pairs():
            for c in range(self.n):
                bracket = formula.bracket(lambda *at: Slopes({at: 1}), a, b, c)
                products = [
                    (Fraction(n, 2), (self.slopes[at],))
                    for at, n in bracket.items()
                    if at in self.slopes
                ]
                if products and (value := self.field.total(products)):
                    found[c, a, b] = found[c, b, a] = value
        return found

    @cached_property
    def second_kind(self) -> Values:
        """Γ^c_{ab} = g^{cd} Γ_{d,ab} as (c, a, b), symmetric in a and b."""
        found: Values = {}
        for (c, a, b), value in self.raised(self.first_kind, 0, half=(1, 2)).items():
            found[c, a, b] = found[c, b, a] = value
        return found

    def raised(self, values: Values, slot: int, half: tuple[int, int] | None = None) -> Values:
        """The index of a slot raised; `half` are slots of which ordered places are enough."""
        return self.contracted(values, slot, self.inverse, half)

    def lowered(self, values: Values, slot: int) -> Values:
        """The index of a slot lowered."""
        return self.contracted(values, slot, self.metric, None)

    def contracted(
        self, values: Values, slot: int, by: Values, half: tuple[int, int] | None
    ) -> Values:
        """Σ_d by_{cd} T_{… d …}."""
        columns: dict[int, list[tuple[int, Element]]] = {}
        for (c, d), factor in by.items():
            columns.setdefault(d, []).append((c, factor))
        products = Products()
        for place, value in values.items():
            if half is None or place[half[0]] <= place[half[1]]:
                for c, factor in columns.get(place[slot], ()):
                    at = (*place[:slot], c, *place[slot + 1 :])
                    products.setdefault(at, []).append((1, (factor, value)))
        return self.totals(products)

    def totals(
        self, products: Mapping[Place, Iterable[tuple[int | Fraction, Sequence[Element]]]]
    ) -> Values:
        """The sums that are not 0, in the order of their places."""
        found = {at: self.field.total(terms) for at, terms in sorted(products.items())}
        return {at: value for at, value in found.items() if value}

    # --------------------------------------------------------------------------------- curvature

    @cached_property
    def planes(self) -> list[Pair]:
        """(a, b) with a < b, the independent places of an antisymmetric pair."""
        return list(combinations(range(self.n), 2))

    @cached_property
    def riemann(self) -> Values:
        """R_{abcd} at its independent places: a < b, c < d, (a, b) ≤ (c, d).

        R_{abcd} = ½ (∂_b ∂_c g_{ad} + ∂_a ∂_d g_{bc} − ∂_a ∂_c g_{bd} − ∂_b ∂_d g_{ac})
        + Γ^e_{bc} Γ_{e,ad} − Γ^e_{bd} Γ_{e,ac}.  Of three places that the cyclic identity relates,
        the third is had from the others.
        """
        found: Values = {}
        for (a, b), (c, d) in combinations_with_replacement(self.planes, 2):
            if len({a, b, c, d}) == 4 and a < c < b < d:  # R_acbd = R_abcd + R_adbc, by name
                continue
            if value := self.field.total(self._riemann_terms(a, b, c, d)):
                found[a, b, c, d] = value
        for a, b, c, d in combinations(range(self.n), 4):
            first = found.get((a, b, c, d), self.zero)
            if value := first + found.get((a, d, b, c), self.zero):
                found[a, c, b, d] = value
        return dict(sorted(found.items()))

    def _riemann_terms(
        self, a: int, b: int, c: int, d: int
    ) -> Iterator[tuple[int | Fraction, tuple[Element, ...]]]:
        half = Fraction(1, 2)
        for sign, k, l, p, q in (
            (1, b, c, a, d),
            (1, a, d, b, c),
            (-1, a, c, b, d),
            (-1, b, d, a, c),
        ):
            at = (min(k, l), max(k, l), min(p, q), max(p, q))
            if value := self.second_slopes.get(at):
                yield sign * half, (value,)
        for sign, (p, q), (k, l) in ((1, (b, c), (a, d)), (-1, (b, d), (a, c))):
            for e in range(self.n):
                up, down = self.second_kind.get((e, p, q)), self.first_kind.get((e, k, l))
                if up and down:
                    yield sign, (up, down)

    def riemann_at(self, a: int, b: int, c: int, d: int) -> tuple[int, Element]:
        """R_{abcd} at any place, as a sign and the independent component."""
        if a == b or c == d:
            return 0, self.zero
        sign = (1 if a < b else -1) * (1 if c < d else -1)
        one, other = sorted(((min(a, b), max(a, b)), (min(c, d), max(c, d))))
        return sign, self.riemann.get((*one, *other), self.zero)

    @cached_property
    def riemann_up(self) -> Values:
        """R^a_{bcd} with c < d."""
        products = Products()
        for (a, e), factor in self.inverse.items():
            for b, (c, d) in product(range(self.n), self.planes):
                sign, value = self.riemann_at(e, b, c, d)
                if sign and value:
                    products.setdefault((a, b, c, d), []).append((sign, (factor, value)))
        return self.totals(products)

    @cached_property
    def ricci(self) -> Values:
        """R_{bd} = g^{ac} R_{abcd}."""
        products = Products()
        for (a, c), factor in self.inverse.items():
            for b, d in self.pairs():
                sign, value = self.riemann_at(a, b, c, d)
                if sign and value:
                    products.setdefault((b, d), []).append((sign, (factor, value)))
        return self.symmetric(self.totals(products))

    def symmetric(self, values: Values) -> Values:
        """Values at (a, b) with a ≤ b, and the same at (b, a)."""
        both = Values(values)
        for (a, b), value in values.items():
            both[b, a] = value
        return dict(sorted(both.items()))

    @cached_property
    def scalar(self) -> Element:
        """R = g^{bd} R_{bd}."""
        return self.trace(self.ricci)

    def trace(self, values: Values) -> Element:
        """g^{ab} T_{ab}."""
        return self.field.total(
            [(1, (factor, values[at])) for at, factor in self.inverse.items() if at in values]
        )

    @cached_property
    def einstein(self) -> Values:
        """G_{ab} = R_{ab} − ½ R g_{ab}."""
        return self.symmetric(self._with_metric(self.ricci, Fraction(-1, 2)))

    @cached_property
    def traceless(self) -> Values:
        """S_{ab} = R_{ab} − R g_{ab}/n."""
        return self.symmetric(self._with_metric(self.ricci, Fraction(-1, self.n)))

    def _with_metric(self, values: Values, times: Fraction) -> Values:
        products = Products()
        for at in self.pairs():
            products[at] = [(1, (values[at],))] if at in values else []
            if at in self.metric:
                products[at].append((times, (self.scalar, self.metric[at])))
        return self.totals(products)

    @cached_property
    def weyl(self) -> Values:
        """C_{abcd} at its independent places; 0 in fewer than four dimensions."""
        if self.n < 4:
            return {}
        n, products = self.n, Products()
        part = Fraction(1, n - 2)
        whole = Fraction(1, (n - 1) * (n - 2))
        for (a, b), (c, d) in combinations_with_replacement(self.planes, 2):
            _, value = self.riemann_at(a, b, c, d)
            terms: list[tuple[int | Fraction, Sequence[Element]]] = [(1, (value,))]
            for sign, p, q in ((-1, (a, c), (b, d)), (1, (a, d), (b, c))):
                for one, other in ((p, q), (q, p)):
                    if one in self.metric and other in self.ricci:
                        terms.append((sign * part, (self.metric[one], self.ricci[other])))
                if p in self.metric and q in self.metric:
                    both = (self.scalar, self.metric[p], self.metric[q])
                    terms.append((-sign * whole, both))
            products[a, b, c, d] = terms
        return self.totals(products)

    @cached_property
    def kretschmann(self) -> Element:
        """R_{abcd} R^{abcd} = 4 Σ R^A_B R^B_A over planes A and B."""
        mixed = self._mixed()
        return self.field.total(
            [
                (4, (value, mixed[other, one]))
                for (one, other), value in mixed.items()
                if (other, one) in mixed
            ]
        )

    def _mixed(self) -> dict[tuple[Pair, Pair], Element]:
        """R^{ab}_{cd} for planes (a, b) and (c, d)."""
        found = {}
        for (a, b), (c, d) in product(self.planes, repeat=2):
            terms = []
            for f in range(self.n):
                factor = self.inverse.get((b, f))
                if factor:
                    ordered, sign = ((c, d), 1)
                    value = self.riemann_up.get((a, f, *ordered))
                    if value:
                        terms.append((sign, (factor, value)))
            if terms and (value := self.field.total(terms)):
                found[(a, b), (c, d)] = value
        return found


class Slopes(dict[Place, int]):
    """A sum of ∂_k g_{ab} with numbers, places ↦ numbers: what the index formula is read with."""

    def __add__(self, other: Slopes) -> Slopes:
        return Slopes({at: self.get(at, 0) + other.get(at, 0) for at in {**self, **other}})

    def __sub__(self, other: Slopes) -> Slopes:
        return self + -1 * other

    def __rmul__(self, times: int) -> Slopes:
        return Slopes({at: times * n for at, n in self.items()})
