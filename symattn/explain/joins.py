"""Several sums as one: of a product, of a difference, of what is seen and what is predicted."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from fractions import Fraction
from itertools import combinations, permutations
from typing import Any

from .. import normalize as nf
from ..ir import (
    ONE_TERM,
    Atom,
    Index,
    Poly,
    Rational,
    Ref,
    Term,
    rational,
    raw_add,
    raw_atom,
    raw_product,
    raw_sum,
)
from .arrange import taken_out
from .cost import cost
from .products import product
from .views import Collect, Group, View, common_powers, quotient


def joined_sums(poly: Poly, views: Mapping[Term, list[View]], collect: Collect) -> Iterator[Group]:
    """Several sums as one, of a product or of a difference of the same tensors,

    Σ_a x_a² − 2 Σ_a x_a y_a + Σ_a y_a² = Σ_a (x_a − y_a)²,  Σ_j a_ji b_ij − Σ_j a_ij b_ji.
    """
    over: dict[Any, list[View]] = {}
    for others in views.values():
        for view in [v for v in others if len(v.bound) == 1][:1]:
            over.setdefault(view.bound[0].size, []).append(view)
    for group in over.values():
        if not 2 <= len(group) <= 6:
            continue
        (letter,) = group[0].bound
        outer = common_powers([v.outer for v in group])
        inside = nf.add(
            *(
                nf.scale(
                    nf.multiply(
                        nf.product(quotient(v.outer, outer)),
                        nf.substitute(Poly({Term(v.inner): 1}), {v.bound[0]: letter}),
                    ),
                    v.c,
                )
                for v in group
            )
        )
        made = product(inside, collect)
        if made is None and all(v.outer == outer for v in group):
            made = _flux(inside)
        if made is None and len(poly) == 2 and all(v.outer == outer for v in group):
            made = _balance(inside, letter, collect)
        if made is not None:
            made = _facing(made, letter)
            whole = raw_product([Poly({Term(outer): 1}), raw_sum((letter,), made)])
            terms = frozenset(v.term for v in group)
            before = cost(Poly({t: c for t, c in poly if t in terms}))
            yield Group(terms, whole, before - cost(whole))


def differences(views: Mapping[Term, list[View]]) -> Iterator[Group]:
    """Σ_ij (p_ij − y_ij) of Σ_ij p_ij − Σ_ij y_ij, of two components at the same letters."""
    own = [v for vs in views.values() for v in vs if v.bound and _component(v) is not None]
    for first, second in combinations(own, 2):
        a, b = _component(first), _component(second)
        if first.c != -second.c or first.outer != second.outer or a is None or b is None:
            continue
        there = dict(zip(b.slots, a.slots, strict=False))
        if len(a.slots) != len(b.slots) or {there.get(i) for i in second.bound} != {*first.bound}:
            continue
        if any(i is not j for i, j in there.items() if i not in second.bound):
            continue
        inside = Poly({Term({a: 1}): 1, Term({Ref(b.tensor, a.slots): 1}): -1})
        under = raw_sum(first.bound, raw_atom(inside))
        whole = raw_product([Poly({Term(first.outer): first.c}), under])
        before = cost(Poly({first.term: first.c, second.term: second.c}))
        yield Group(frozenset((first.term, second.term)), whole, before - cost(whole))


def predictions(views: Mapping[Term, list[View]]) -> Iterator[Group]:
    """Σ_i (y_ij − p_ij Σ_k y_ik) of Σ_i y_ij − Σ_ik p_ij y_ik: seen less predicted."""
    own = [v for vs in views.values() for v in vs if v.bound]
    for seen, other in permutations(own, 2):
        name, pair = _component(seen), list(other.inner.items())
        same = seen.c == -other.c and seen.outer == other.outer
        if name is None or not same or len(pair) != 2 or any(e != 1 for _, e in pair):
            continue
        for (share, _), (total, _) in permutations(pair):
            left = [k for k in other.bound if k not in share.free]
            if not isinstance(total, Ref) or total.tensor is not name.tensor or len(left) != 1:
                continue
            slots = zip(name.slots, total.slots, strict=True)
            at = {b: a for a, b in slots if a is not b and isinstance(b, Index)}
            own_letter = at.pop(left[0], None)
            if own_letter in seen.bound or {*at} | {*left} != {*other.bound}:
                continue
            if {*at.values()} != {*seen.bound}:
                continue
            rest = raw_product([nf.substitute(share, at), raw_sum(left, nf.substitute(total, at))])
            inside = raw_add([raw_atom(name), raw_product([Poly({ONE_TERM: -1}), rest])])
            under = raw_sum(seen.bound, raw_atom(inside))
            whole = raw_product([Poly({Term(seen.outer): seen.c}), under])
            before = cost(Poly({seen.term: seen.c, other.term: other.c}))
            yield Group(frozenset((seen.term, other.term)), whole, before - cost(whole))


def _component(view: View) -> Ref | None:
    """p_ik of Σ_i p_ik."""
    ((only, e), *more) = view.inner.items()
    return only if isinstance(only, Ref) and (e, more) == (1, []) else None


def _facing(product: Poly, letter: Index) -> Poly:
    """c (x_j − x_i) under Σ_j as −c (x_i − x_j)."""
    if product.single is None:
        return product
    term, c = product.single
    factors: dict[Atom, Rational] = {}
    for atom, e in term:
        if isinstance(atom, Poly) and len(atom) == 2 and e == 1:
            signs = {d: t for t, d in atom}
            if set(signs) == {1, -1} and letter in signs[1].free - signs[-1].free:
                atom, c = Poly({t: -d for t, d in atom}), -c
        factors[atom] = e
    return Poly({Term(factors): c})


def _flux(poly: Poly) -> Poly | None:
    """a_ji b_ij − a_ij b_ji, a difference of products of the same tensors; None for others."""
    if len(poly) != 2 or sum(c for _, c in poly) != 0:
        return None
    first, second = (Counter(r.tensor for r, _ in t if isinstance(r, Ref)) for t, _ in poly)
    plain = all(isinstance(r, Ref) for t, _ in poly for r, _ in t)
    return poly if plain and first == second and len(first) > 1 else None


def _balance(poly: Poly, letter: Index, collect: Collect) -> Poly | None:
    """k_i − m_i s_i of Σ_i k_i − Σ_i m_i s_i, where nothing but i varies."""
    if poly.free != {letter} or sorted(c > 0 for _, c in poly) != [False, True]:
        return None
    content = taken_out([c for _, c in poly])
    inside = collect(nf.scale(poly, rational(1 / Fraction(content))))
    return raw_product([Poly({ONE_TERM: content}), inside if inside.single else raw_atom(inside)])


__all__ = ["differences", "joined_sums", "predictions"]
