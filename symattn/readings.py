"""Other readings of an expression, each equal to it: tried when normal forms do not agree yet."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from functools import lru_cache
from itertools import product
from math import prod
from typing import Any, TypeAlias

import sympy as sp

from . import kinks, primitives, sums
from . import normalize as nf
from .axes import axes_mirrored, axes_shifted, axes_turned, axes_whole, circles_cut
from .canonical import key
from .convert import lower
from .determinants import by_logarithms
from .exponents import over_one_bar, over_one_of_them, quotients_upright, squares_apart
from .ir import (
    CACHE,
    ONE,
    ZERO,
    Argmax,
    Call,
    Delta,
    Index,
    Mask,
    Max,
    Poly,
    Rational,
    Sum,
    Term,
    affine,
    parts,
    place,
    rational,
    raw_atom,
    slot_items,
)
from .laws import at_arguments
from .logistic import fractions_apart
from .masks import MOST_PLACES, circles_opened, masks_apart
from .maxima import entered, largest
from .monotone import out_of_maxima
from .places import lasting, slot_range
from .scalars import vanishes
from .shared_bars import sums_joined

ROUNDS = 8  # how often denominators are cleared before giving up


def clear_denominators(poly: Poly) -> Poly:
    """The numerator over a common denominator of several-term bases.

    Terms with other δ's and masks rarely cancel, so what vanishes with the same ones goes first.
    """
    groups: dict[frozenset[Any], dict[Term, Rational]] = {}
    for term, c in poly:
        cases = frozenset(a for a, _ in term if isinstance(a, Delta | Mask | Argmax))
        groups.setdefault(cases, {})[term] = c
    if len(groups) > 1:
        apart = [Poly(group) for group in groups.values()]
        poly = nf.add(*(part for part in apart if _numerator(part).terms))
    return _numerator(poly)


def _numerator(poly: Poly) -> Poly:
    for _ in range(ROUNDS):
        worst: dict[Poly, Rational] = {}
        for term, _c in poly:
            for atom, e in term:
                if isinstance(atom, Poly) and e < 0:
                    worst[atom] = min(e, worst.get(atom, 0))
        if not worst:
            return poly
        poly = nf.times(poly, {base: -e for base, e in worst.items()})
    return poly


def by_definition(poly: Poly) -> Poly:
    """functions written by exponentials."""

    def rule(atom: Any) -> Poly | None:
        if isinstance(atom, Call) and primitives.by_name(atom.name).definition is not None:
            args = (nf.rewrite(a, rule) for a in atom.args)
            return at_arguments(template(atom.name), args)
        return None

    return nf.rewrite(poly, rule)


@lru_cache(maxsize=256)
def template(name: str) -> Poly:
    record = primitives.by_name(name)
    assert record.definition is not None
    places = primitives.VARIABLES[: record.arity]
    return by_definition(nf.normalize(lower(record.definition(*places))))


def angles_apart(poly: Poly) -> Poly:
    """sines and cosines of sums by the addition theorems."""
    units = units_of(poly)

    def rule(atom: Any) -> Poly | None:
        if isinstance(atom, Call) and atom.name in ANGLES:
            return of_angle(str(atom.name), nf.rewrite(atom.args[0], rule), units)
        return None

    return nf.rewrite(poly, rule)


def units_of(poly: Poly) -> Units:
    """For each product in the angles the largest one of which all its angles are multiples."""
    units: Units = {}
    for x in _angles(poly):
        for term, c in x:
            units[term] = _common(units.get(term, Fraction(0)), abs(Fraction(c)))
    return units


@lru_cache(maxsize=CACHE)
def _angles(node: Any) -> tuple[Poly, ...]:
    """The arguments of all sines and cosines."""
    own = node.args if isinstance(node, Call) and node.name in ANGLES else ()
    return tuple(dict.fromkeys([*own, *(x for part in parts(node) for x in _angles(part))]))


def _common(a: Fraction, b: Fraction) -> Fraction:
    """The largest number of which both are whole multiples."""
    while b:
        a, b = b, a % b
    return a


Units: TypeAlias = dict[Term, Fraction]
ANGLES, MOST_TURNS, MOST_PIECES = ("sin", "cos"), 8, 10  # sin(9 x) stays


def of_angle(name: str, x: Poly, units: Units) -> Poly:
    """sin(p + q) = sin p cos q + cos p sin q, cos(p + q) = cos p cos q − sin p sin q."""
    pieces = [piece for term, c in x for piece in _pieces(term, c, units)]
    if not 1 < len(pieces) <= MOST_PIECES:
        return nf.call(name, [x])
    sin, cos = ZERO, ONE
    for p in pieces:
        sin_p, cos_p = nf.call("sin", [p]), nf.call("cos", [p])
        sin, cos = (
            nf.add(nf.multiply(sin, cos_p), nf.multiply(cos, sin_p)),
            nf.subtract(nf.multiply(cos, cos_p), nf.multiply(sin, sin_p)),
        )
    return sin if name == "sin" else cos


def _pieces(term: Term, c: Rational, units: Units) -> list[Poly]:
    """An angle as the sum of equal ones of which others are multiples."""
    turns = abs(Fraction(c)) / units.get(term, Fraction(1))  # bound letters have other names there
    if turns.denominator != 1 or turns > MOST_TURNS:
        turns = Fraction(1)
    return [Poly({term: rational(Fraction(c) / turns)})] * int(turns)


def components_apart(poly: Poly) -> Poly:
    """Σ_i f_i as f_0 + f_1 + f_2 where i takes three values."""

    def rule(atom: Any) -> Poly | None:
        letters = numbered(atom.bound) if isinstance(atom, Sum) else []
        if not letters:
            return None
        new, body = sums.opened(atom, atom.free)
        each = [places_of(x) for x in numbered(new)]
        return nf.sum_over(new, nf.multiply(body, *each))

    return nf.rewrite(poly, rule)


def maxima_of_few(poly: Poly) -> Poly:
    """max_i f_i as max(f_0, f_1, f_2) where i takes three values."""

    def rule(atom: Any) -> Poly | None:
        few = numbered(atom.bound) if isinstance(atom, Max) else []
        if not few:
            return None
        letters, args = entered(atom, atom.free)
        inner = [x for x, b in zip(letters, atom.bound, strict=True) if b in few]
        places = [[affine({}, sp.Integer(c)) for c in range(int(x.size))] for x in inner]
        each = [dict(zip(inner, at, strict=True)) for at in product(*places)]
        if not all(lasting(arg, at) for arg in args for at in each):
            return None
        values = [nf.rewrite(nf.substitute(arg, at), rule) for at in each for arg in args]
        return largest([x for x in letters if x not in inner], values)

    return nf.rewrite(poly, rule)


def numbered(bound: Iterable[Index]) -> list[Index]:
    """The letters that take few values, while all of them together do so."""
    found: list[Index] = []
    for letter in bound:
        if letter.size.is_Integer and prod(int(x.size) for x in (*found, letter)) <= MOST_PLACES:
            found.append(letter)
    return found


def places_of(letter: Index) -> Poly:
    """1 = Σ_c δ_{ic} over the numbers that a letter is."""
    return nf.add(*(nf.delta(letter, affine({}, sp.Integer(c))) for c in range(int(letter.size))))


def masks_in_order(poly: Poly) -> Poly:
    """one of Σ [i < j] f_ij and Σ [j < i] f_ij by the other: Σ f_ij = Σ_i f_ii + these two."""

    def rule(atom: Any) -> Poly | None:
        return _by_the_other(atom) if isinstance(atom, Sum) else None

    return nf.rewrite(poly, rule)


def _by_the_other(atom: Sum) -> Poly | None:
    """Σ [a < b] f_ab as Σ f_ab − Σ f_aa − Σ [a < b] f_ba, where the last comes first in order."""
    bound, body = sums.opened(atom, atom.free)
    if body.single is None:
        return None
    term, c = body.single
    for mask, _ in term:
        pair = _compared(mask, bound)
        if pair is None:
            continue
        assert isinstance(mask, Mask)
        a, b = pair
        rest = Poly({Term({f: e for f, e in term if f is not mask}): c})
        turned = nf.substitute(rest, {a: b, b: a})
        strict = nf.mask(affine({b: 1, a: -1}, sp.S.NegativeOne))
        here = nf.sum_over(bound, nf.multiply(strict, rest))
        there = nf.sum_over(bound, nf.multiply(strict, turned))
        whole = nf.subtract(
            nf.sum_over(bound, rest),
            nf.sum_over([i for i in bound if i is not b], nf.substitute(rest, {b: a})),
        )
        equal = slot_items(mask.slot)[1] == 0  # [a ≤ b]
        if here is there:
            found = nf.scale(whole, rational(Fraction(1, 2)))
        elif key(there) < key(here):
            found = nf.subtract(whole, there)
        elif equal:
            found = here
        else:
            continue
        if equal:
            diagonal = [i for i in bound if i is not b]
            found = nf.add(found, nf.sum_over(diagonal, nf.substitute(rest, {b: a})))
        return found
    return None


def _compared(mask: Any, bound: tuple[Index, ...]) -> tuple[Index, Index] | None:
    """The letters of [a < b] or [a ≤ b] where both are bound and of one size."""
    if not isinstance(mask, Mask):
        return None
    items, const = slot_items(mask.slot)
    if const not in (0, -1) or sorted(items.values()) != [-1, 1]:
        return None
    b, a = sorted(items, key=lambda i: -items[i])
    return (a, b) if a.size == b.size and {a, b} <= set(bound) else None


def counted(poly: Poly) -> Poly:
    """Σ_j [j < i] = i and Σ_i i = n (n − 1)/2, indices as numbers."""

    def rule(atom: Any) -> Poly | None:
        if not isinstance(atom, Sum):
            return None
        bound, body = sums.opened(atom, atom.free)
        if body.single is None:
            return None
        term, c = body.single
        for letter in bound:
            touched = [(a, e) for a, e in term if letter in a.free]
            value = _count(*touched[0], letter) if len(touched) == 1 else None
            if value is not None:
                rest = Poly({Term({a: e for a, e in term if letter not in a.free}): c})
                left = [i for i in bound if i is not letter]
                return counted(nf.sum_over(left, nf.multiply(rest, value)))
        return None

    return nf.rewrite(poly, rule)


def _count(atom: Any, e: Rational, letter: Index) -> Poly | None:
    """Σ_j [j ≤ r] = r + 1 and Σ_j [j ≥ r] = n − r, for 0 ≤ Σ ≤ n; sums of whole powers of j."""
    size = nf.size_poly(letter.size)
    if atom is place(letter) and e in POWER_SUMS:
        return nf.add(*(nf.scale(nf.power(size, k), rational(c)) for k, c in POWER_SUMS[e].items()))
    if not isinstance(atom, Mask):
        return None
    items, const = slot_items(atom.slot)
    turn = items.pop(letter)
    const = const + (1 if turn < 0 else letter.size)
    low, high = slot_range(affine(items, const))
    if abs(turn) != 1 or not low.is_nonnegative:
        return None
    if not sp.expand(letter.size - high).is_nonnegative:
        return None
    return nf.add(nf.size_poly(const), *(nf.scale(raw_atom(place(i)), k) for i, k in items.items()))


POWER_SUMS: dict[Rational, dict[int, Fraction]] = {  # Σ_{j<n} j^e as coefficients of powers of n
    1: {2: Fraction(1, 2), 1: Fraction(-1, 2)},
    2: {3: Fraction(1, 3), 2: Fraction(-1, 2), 1: Fraction(1, 6)},
    3: {4: Fraction(1, 4), 3: Fraction(-1, 2), 2: Fraction(1, 4)},
}


def partial_fractions(poly: Poly) -> Poly:
    """fractions of 1 + e^u apart."""
    return fractions_apart(by_definition(poly))


def by_cases(poly: Poly) -> Poly:
    """what is above, at and below each kink."""
    plain = by_definition(poly)
    after = kinks.apart(plain, lambda case: fractions_apart(clear_denominators(case)))
    return poly if after is plain else after


def scalars_in_the_field(poly: Poly) -> Poly:
    """0 where the exact field of geometry says so, under sums too."""
    return ZERO if vanishes(by_definition(poly)) else poly


# Masks once more: δ's put outer letters where bound ones were, in masks of sums further in.
READINGS = (
    by_logarithms,
    sums_joined,
    maxima_of_few,
    quotients_upright,
    squares_apart,
    out_of_maxima,
    by_definition,
    out_of_maxima,
    scalars_in_the_field,
    partial_fractions,
    by_cases,
    components_apart,
    axes_whole,
    circles_cut,
    axes_mirrored,
    axes_whole,
    axes_shifted,
    masks_apart,
    circles_cut,
    masks_in_order,
    masks_apart,
    counted,
    axes_mirrored,
    masks_apart,
    angles_apart,
    scalars_in_the_field,
    axes_turned,
    over_one_bar,
    over_one_of_them,
    circles_opened,
    counted,
)

__all__ = ["READINGS", "clear_denominators"]
