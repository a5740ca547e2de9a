"""The order in which people write terms and factors, and the factors that all terms share."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from fractions import Fraction
from itertools import groupby
from math import gcd, lcm
from typing import Any, TypeAlias

from ..canonical import key
from ..ir import (
    ONE_TERM,
    Argmax,
    Atom,
    Call,
    Delta,
    Index,
    Mask,
    Max,
    Num,
    Poly,
    Rational,
    Ref,
    Sum,
    Term,
    rational,
    raw_atom,
    raw_product,
)
from .cost import is_size, powers_of

Before: TypeAlias = Callable[[Any, Any], int]  # −1, 0, 1 as the first is to stand before the second
MANY = 12  # factors or terms; more stand in an order that takes no comparing of pairs


def factored(poly: Poly, scalars: bool = False) -> Poly:
    """A sum of several terms as common factors times a bracket, where there are common factors.

    With `scalars`, only factors without indices come out.
    """
    terms = list(poly)
    if len(terms) < 2:
        return poly
    common: dict[Atom, Rational] = {}
    for atom, _ in terms[0][0]:
        if scalars and atom.free:
            continue
        powers = [term.powers.get(atom, 0) for term, _ in terms]
        if all(e > 0 for e in powers):
            common[atom] = min(powers)
        elif all(e < 0 for e in powers) and (not atom.free or len(set(powers)) == 1):
            common[atom] = max(powers)
    coefficient = taken_out([c for _, c in terms], Term(common))
    bracket = Poly(
        {
            Term(
                {
                    a: rational(term.powers.get(a, 0) - common.get(a, 0))
                    for a in {**term.powers, **common}
                }
            ): rational(Fraction(c) / Fraction(coefficient))
            for term, c in terms
        }
    )
    if bracket.terms.get(ONE_TERM, 0) < 0 and coefficient < 0:
        bracket = Poly({t: -c for t, c in bracket})
        coefficient = -coefficient
    front = Poly({Term(common): coefficient})
    if front.constant == 1:
        return poly
    return raw_product([front, raw_atom(bracket)])


def _leads(term: Term) -> bool:
    """A term that people write first even if that moves a sign out of the bracket."""
    return term is ONE_TERM or any(isinstance(a, Delta) for a, _ in term)


def taken_out(values: list[Rational], around: Term = ONE_TERM) -> Rational:
    """The number that people take out of a sum: 2 of 2x + 4y, 1/2 of x/2 + y/2, not of x + y/2.

    Of more fractions than whole numbers too: 1/2 of x/2 + y/2 - z, and of all that stands above a
    bar: (2 a x + b)/(2 z).
    """
    common = common_coefficient(values)
    if any(e < 0 and not is_size(a) for a, e in around):
        return common
    if common.denominator > 1 and 2 * sum(v.denominator == 1 for v in values) >= len(values):
        return rational(Fraction(common).numerator if common > 0 else -1)
    return common


def common_coefficient(values: list[Rational]) -> Rational:
    fractions = [Fraction(v) for v in values]
    common = Fraction(
        gcd(*(f.numerator for f in fractions)), lcm(*(f.denominator for f in fractions))
    )
    return rational(-common if all(f < 0 for f in fractions) else common)


def arranged(poly: Poly, before: Before | None = None) -> list[tuple[Term, Rational]]:
    """Terms in reading order: 1 and δ lead, positive ones before negative, −1 last: −a − 1.

    Then in the order of the author, and short ones before long ones.
    """
    return _in_order(
        poly,
        lambda pair: (
            not _leads(pair[0]) or pair[1] < 0,
            pair[1] < 0,
            pair[1] < 0 and pair[0] is ONE_TERM,
        ),
        lambda pair: (
            any(isinstance(a, Sum) for a, _ in pair[0]),
            len(pair[0].powers),
            key(pair[0]),
        ),
        before,
    )


def _in_order(
    pairs: Iterable[tuple[Any, Rational]],
    first: Callable[[Any], Any],
    last: Callable[[Any], Any],
    before: Before | None,
) -> list[tuple[Any, Rational]]:
    """Sorted by `first`, equals by how many others they are before, and by `last`."""
    ordered = sorted(pairs, key=lambda pair: (first(pair), last(pair)))
    if before is None:
        return ordered
    result = []
    for _, found in groupby(ordered, first):
        group = list(found)
        if 1 < len(group) <= MANY:
            ahead = {x: sum(before(x, y) for y, _ in group) for x, _ in group}
            group.sort(key=lambda pair: ahead[pair[0]])
        result += group
    return result


def factors(
    term: Term, order: Sequence[Index] = (), before: Before | None = None
) -> list[tuple[Atom, Rational]]:
    """Factors in reading order: scalars, δ, masks, tensors, derivatives, functions, brackets, sums.

    Tensors follow the letters in `order` (those of the left-hand side), so that S̄^{ij} Q^{ia}
    stands for a result with the indices j, a.
    """
    place = {index: k for k, index in enumerate(order)}
    last = len(place)
    return _in_order(
        term,
        lambda pair: (
            _rank(pair[0]),
            min((place.get(i, last) for i in pair[0].free), default=-1),
            key(pair[0]) if isinstance(pair[0], Poly) else "",
        ),
        lambda pair: _by_name(pair[0]),
        before,
    )


def _by_name(atom: Atom) -> tuple[str, str]:
    """Numbers by their names, capitals among the others: a c N, and not N a c; s̄ ∂s/∂p."""
    if isinstance(atom, Ref) and not atom.slots:
        return "~" if atom.tensor.parts else atom.tensor.name.lower(), key(atom)
    return "", key(atom)


def constant(atom: Atom) -> bool:
    """π or e."""
    symbol = atom.tensor.symbol if isinstance(atom, Ref) else None
    return symbol is not None and not symbol.is_Symbol


def _rank(atom: Atom) -> int:
    match atom:
        case Ref() if constant(atom):
            return -1  # π r h
        case Ref() if atom.tensor.role == "norm":
            return 1
        case Ref():
            return (
                0
                if not atom.slots or atom.tensor.role in ("place", "counted")
                else 4
                if atom.tensor.parts
                else 3
            )
        case Delta():
            return 1
        case Mask() | Argmax():
            return 2
        case Call(name="exp") if powers_of(atom.args[0]) is not None:
            return 4 if atom.free else 1  # t^n x_i e^{−k t}
        case Call() | Max():
            return 5
        case Poly():
            numbers = all(isinstance(a, Num) or constant(a) for t, _ in atom for a, _ in t)
            return 0 if numbers else 6  # √(2/π)
        case Sum():
            return 7
    return 0
