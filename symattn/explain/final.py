"""What is done last to a form that is printed: x (x y)^{-3/2} as 1/(y √(x y))."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from .. import primitives
from ..ir import (
    ONE_TERM,
    Call,
    Poly,
    Rational,
    Ref,
    Sum,
    Tensor,
    Term,
    collected,
    inside,
    rational,
    raw_add,
    raw_atom,
    raw_product,
)
from ..model import Body


def odd_as_even(poly: Poly) -> Poly:
    """|u| sign(−u) as −|u| sign(u), where u is a difference: it faces one way in a term."""
    return raw_add(_odd_as_even(t, c) for t, c in poly)


def _odd_as_even(term: Term, c: Rational) -> Poly:
    calls = [n for n in inside(term) if isinstance(n, Call) and len(n.args) == 1]
    even = {n.args[0] for n in calls if primitives.by_name(n.name).parity == 1}
    powers: list[tuple[Any, Rational]] = []
    for atom, e in term:
        if isinstance(atom, Call) and primitives.by_name(atom.name).parity == -1 and e == 1:
            back = Poly({t: -d for t, d in atom.args[0]})
            if len(back) > 1 and back in even:
                atom, c = Call(atom.name, [back]), rational(-c)
        powers.append((atom, e))
    return Poly({Term(collected(powers)): c})


def in_brackets(poly: Poly, rule: Callable[[Poly], Poly]) -> Poly:
    """The expression with a rule applied to it and to the brackets and sums that are factors."""
    return rule(raw_add(_in_factors(t, c, rule) for t, c in poly))


def _in_factors(term: Term, c: Rational, rule: Callable[[Poly], Poly]) -> Poly:
    made = [Poly({ONE_TERM: c})]
    for atom, e in term:
        if isinstance(atom, Poly) and e == 1:
            inner = in_brackets(atom, rule)
            made.append(inner if inner.single else raw_atom(inner))
        elif isinstance(atom, Sum) and e == 1:
            made.append(raw_atom(Sum(atom.bound, in_brackets(atom.body, rule))))
        else:
            made.append(raw_atom(atom, e))
    return raw_product(made)


def share_less_its_complement(poly: Poly) -> Poly:
    """2x/(x + y) − 1 as (x − y)/(x + y)."""
    one = poly.terms.get(ONE_TERM, 0)
    if len(poly) != 2 or one not in (1, -1):
        return poly
    ((term, c),) = ((t, c) for t, c in poly if t is not ONE_TERM)
    bars = [(a, e) for a, e in term if isinstance(a, Poly) and e == -1 and len(a) == 2]
    if len(bars) != 1 or c != -2 * one:
        return poly
    ((bar, _),) = bars
    own = Term({a: e for a, e in term if a is not bar})
    if any(d != 1 for _, d in bar) or own not in bar.terms:
        return poly
    above = Poly({t: rational(-one if t is own else one) for t, _ in bar})
    return raw_product([raw_atom(above), raw_atom(bar, rational(-1))])


def product_less_one(poly: Poly, written: Callable[[Poly], bool]) -> Poly:
    """−x (1 − z y) as x (z y − 1), also under Σ, where the author has no 1 − z y."""
    if poly.single is None or poly.single[1] > 0:
        return poly
    term, c = poly.single
    for atom, e in term:
        made = None
        if isinstance(atom, Poly) and e == 1 and _less_product(atom) and not written(atom):
            made = raw_atom(Poly({t: -d for t, d in atom}))
        elif isinstance(atom, Sum) and e == 1:
            body = Poly({t: -d for t, d in atom.body})
            inside = product_less_one(body, written)
            made = raw_atom(Sum(atom.bound, inside)) if inside is not body else None
        if made is not None:
            rest = Term({a: k for a, k in term if a is not atom})
            return raw_product([Poly({rest: rational(-c)}), made])
    return poly


def _less_product(bracket: Poly) -> bool:
    """1 − z y, and neither 1 − z nor 1 − z²."""
    others = [(t, c) for t, c in bracket if t is not ONE_TERM]
    own = bracket.terms.get(ONE_TERM) == 1 and len(others) == 1
    return own and others[0][1] == -1 and len(others[0][0].powers) > 1


def rest_of_share(
    poly: Poly, written: Callable[[Poly], bool], bodies: Mapping[Tensor, Body]
) -> Poly:
    """1 − a/v as u/v, where v is a + u or defined so, and the author has no such complement."""
    shares = [(t, c) for t, c in poly if t is not ONE_TERM]
    if len(poly) != 2 or poly.terms.get(ONE_TERM) != 1 or len(shares) != 1 or written(poly):
        return poly
    ((term, c),) = shares
    bars = [a for a, e in term if e == -1]
    if c != -1 or len(bars) != 1 or any(e < 0 for a, e in term if a is not bars[0]):
        return poly
    (bar,) = bars
    body = bodies.get(bar.tensor) if isinstance(bar, Ref) else None
    whole = body.at(bar.slots) if body is not None and isinstance(bar, Ref) else bar
    own = Term({a: e for a, e in term if a is not bar})
    if not isinstance(whole, Poly) or len(whole) != 2 or whole.terms.get(own) != 1:
        return poly
    return raw_product([Poly({t: d for t, d in whole if t is not own}), raw_atom(bar, -1)])


def one_over_sine(poly: Poly) -> Poly:
    """1 + 1/tan² a as 1/sin² a."""
    others = [t for t, c in poly if t is not ONE_TERM and c == 1]
    if len(poly) != 2 or poly.terms.get(ONE_TERM) != 1 or len(others) != 1:
        return poly
    ((atom, e), *more) = others[0]
    if more or e != -2 or not isinstance(atom, Call) or atom.name != "tan":
        return poly
    return raw_atom(Call("sin", atom.args), -2)


def complement_as_written(poly: Poly, kept: frozenset[Poly]) -> Poly:
    """c m − c as −c (1 − m), where the author has the bracket 1 − m; √m − 1/√m too."""
    if len(poly) != 2:
        return poly
    for (term, c), (other, d) in (tuple(poly), tuple(poly)[::-1]):
        over = dict(term.powers)
        rest = {a: rational(e - other.powers.get(a, 0)) for a, e in over.items()}
        rest = {a: e for a, e in rest.items() if e}
        if c != -d or not other.powers or not set(other.powers) <= set(over) or len(rest) != 1:
            continue
        bracket = Poly({ONE_TERM: 1, Term(rest): -1})
        if bracket in kept:
            return raw_product([Poly({other: d}), raw_atom(bracket)])
    return poly


def cancelled(poly: Poly) -> Poly:
    """x (x y)^{-3/2} as 1/(y √(x y)): what stands below a root of a product too goes out of it."""
    return raw_add(Poly({t: rational(c * d) for t, d in _cancelled(term)}) for term, c in poly)


def _cancelled(term: Term) -> Poly:
    powers: dict[Any, Rational] = dict(term.powers)
    for root, e in term:
        only = root.single if isinstance(root, Poly) else None
        if only is None or only[1] != 1 or e > -1 or e.denominator != 2 or len(only[0].powers) < 2:
            continue
        shared = [a for a, k in only[0] if k == 1 and powers.get(a, 0) >= 1]
        if not shared:
            continue
        powers[root] = rational(e + 1)
        for atom, k in only[0]:
            powers[atom] = rational(powers.get(atom, 0) - k)
    return raw_product([raw_atom(a, e) for a, e in powers.items() if e])


__all__ = [
    "cancelled",
    "complement_as_written",
    "in_brackets",
    "odd_as_even",
    "one_over_sine",
    "product_less_one",
    "rest_of_share",
    "share_less_its_complement",
]
