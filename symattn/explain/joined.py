"""Several sums as one, where the author sums several terms at once: Σ_i (a_i − c b_i)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from fractions import Fraction
from typing import Any

from ..ir import (
    ONE_TERM,
    Atom,
    Index,
    Poly,
    Rational,
    Sum,
    Term,
    inside,
    magnitude,
    rational,
    raw_add,
    raw_product,
    raw_sum,
    refs,
)
from ..model import Body
from .arrange import taken_out
from .brackets import lettered
from .views import common_powers, fresh, quotient


def summed_at_once(bodies: Iterable[Body]) -> frozenset[Any]:
    """The sizes of the letters below a Σ over several terms, and below no two Σ that are added."""
    once, apart = set(), set()
    for body in bodies:
        for node in inside(body.raw):
            if isinstance(node, Sum):
                once |= _over_several(node)
            elif isinstance(node, Poly) and len(node) > 1:
                sizes = [i.size for t, _ in node for i in {i.size: i for i in _bound(t)}.values()]
                apart |= {size for size in sizes if sizes.count(size) > 1}
    return frozenset(once - apart)


def _over_several(total: Sum) -> set[Any]:
    sizes = {i.size for i in total.bound}
    if total.body.single is None:
        return sizes
    for atom, e in total.body.single[0]:
        if e == 1 and isinstance(atom, Poly) and len(atom) > 1:
            return sizes
        if e == 1 and isinstance(atom, Sum) and (more := _over_several(atom)):
            return sizes | more
    return set()


def _bound(term: Term) -> Iterator[Index]:
    for atom, e in term:
        if isinstance(atom, Sum) and e == 1:
            yield from atom.bound
            if atom.body.single is not None:
                yield from _bound(atom.body.single[0])


def joined(poly: Poly, sizes: frozenset[Any]) -> Poly:
    """a Σ_i p_i − Σ_i q_i as Σ_i (a p_i − q_i), where i has one of the sizes; Σ_ij too."""
    found: dict[tuple[Any, ...], list[tuple[Term, Rational]]] = {}
    for term, c in poly:
        total, _ = _view(term)
        if total is not None and {i.size for i in total.bound} <= sizes:
            found.setdefault(tuple(i.size for i in _in_order(total)), []).append((term, c))
    for key in sorted(found, key=str):
        some = found[key]
        scaled = [bool(_view(t)[1].powers) for t, _ in some]
        if len(some) > 1 and not all(scaled):  # (1/a) Σ_i d_i − (1/b) Σ_i (e^{b t_i} − 1)
            rest = Poly({t: c for t, c in poly if t not in dict(some)})
            return raw_add([_one(Poly(dict(some))), rest])
    return poly


def _one(poly: Poly) -> Poly:
    common = Term(common_powers([t.powers for t, _ in poly]))
    content = taken_out([c for _, c in poly], common)
    views = [(*_view(Term(quotient(t.powers, common.powers))), c) for t, c in poly]
    letters = fresh(tuple(_in_order(views[0][0])))
    parts = []
    for total, beside, c in views:
        body = lettered(total.body, dict(zip(_in_order(total), letters, strict=True)))
        scale = rational(Fraction(c) / Fraction(content))
        if beside.powers or scale not in (1, -1):
            parts.append(raw_product([Poly({beside: scale}), body]))
        else:
            parts.append(spliced(Poly({t: rational(scale * d) for t, d in body})))
    one = shared(_facing_alike(raw_add(parts)))
    return raw_product([Poly({common: content}), raw_sum(letters, one)])


def number_out(poly: Poly) -> Poly:
    """Σ_j (2 w_ji v_ji − 2 w_ij v_ij) as 2 Σ_j (w_ji v_ji − w_ij v_ij)."""
    return raw_add(_number_out(t, c) for t, c in poly)


def _number_out(term: Term, c: Rational) -> Poly:
    for total, e in term:
        if not isinstance(total, Sum) or e != 1 or len(total.body) < 2:
            continue
        sizes = {magnitude(d) for _, d in total.body}
        if len(sizes) == 1 and (size := sizes.pop()) != 1 and size.denominator == 1:
            body = Poly({t: rational(Fraction(d) / size) for t, d in total.body})
            rest = Term({a: k for a, k in term if a is not total})
            return raw_product([Poly({rest: rational(c * size)}), raw_sum(total.bound, body)])
    return Poly({term: c})


def _facing_alike(poly: Poly) -> Poly:
    """p (b − t) + y (t − b) as y (t − b) − p (t − b), which has a factor in front."""
    seen: set[Atom] = set()
    terms = []
    for term, c in sorted(poly, key=lambda pair: pair[1] < 0):
        powers = {}
        for atom, e in term:
            back = Poly({t: -d for t, d in atom}) if isinstance(atom, Poly) and e == 1 else None
            if back is not None and back in seen:
                atom, c = back, rational(-c)
            seen |= {atom} if back is not None else set()
            powers[atom] = e
        terms.append(Poly({Term(powers): c}))
    return raw_add(terms)


def _in_order(total: Sum) -> list[Index]:
    """The letters below a Σ in the order in which they stand in its body."""
    slots = (s for r in refs(total.body) for s in r.slots if s in total.bound)
    return list(dict.fromkeys([*slots, *total.bound]))


def shared(poly: Poly) -> Poly:
    """x_i y_ij − x_i m_ij as x_i (y_ij − m_ij), k/T + k G/T² as k/T (1 + G/T), 2 a + 2 b too.

    But a/r − b/r² stays so, and so does 2 (x − a) + 4 x (x² − y), which share a number alone.
    """
    if len(poly) < 2:
        return poly
    powers = [t.powers for t, _ in poly]
    common = common_powers([dict(p) for p in powers])
    if not any(e > 0 for e in common.values()):
        common = {a: e for a, e in common.items() if all(p.get(a) == e for p in powers)}
    bracket = any(isinstance(a, Poly) for p in powers for a in p)
    front = Term(common)
    content = taken_out([c for _, c in poly], front) if common or not bracket else 1
    if (
        not common
        and content.denominator > 1
        and all(any(e < 0 for e in p.values()) for p in powers)
    ):
        content = 1  # n/(2 s) − q/(2 s²)
    if not common and content == 1:
        return poly
    rest = (Poly({Term(quotient(t.powers, common)): c}) for t, c in poly)
    scale = rational(1 / Fraction(content))
    inner = raw_add(spliced(raw_product([Poly({ONE_TERM: scale}), r])) for r in rest)
    if len(inner) == 2 and inner.terms.get(ONE_TERM) == -1:  # p² − p as −p (1 − p)
        content, inner = -content, Poly({t: -c for t, c in inner})
    return raw_product([Poly({front: content}), inner])


def spliced(raw: Poly) -> Poly:
    """A bracket that is all as its terms."""
    only = raw.single
    if only is None or only[1] not in (1, -1) or len(only[0].powers) != 1:
        return raw
    ((atom, e),) = only[0]
    if not isinstance(atom, Poly) or e != 1:
        return raw
    return Poly({t: rational(only[1] * c) for t, c in atom})


def opened(raw: Poly) -> Poly:
    """The terms of brackets beside others: (m − 1) − 1 as m − 2."""
    return raw_add(spliced(Poly({term: c})) for term, c in raw)


def steps(raw: Poly) -> bool:
    """Σ_t (x_{t+1} − x_t)² or the like is inside; Σ_t 2 x_t (x_t − x_{t+1}) is that on a circle."""
    brackets = (
        b
        for total in inside(raw)
        if isinstance(total, Sum)
        for t, _ in total.body
        for b, e in t
        if isinstance(b, Poly) and len(b) > 1 and e != 1
    )
    slots = (s for b in brackets for r in refs(b) for s in r.slots)
    return any(not isinstance(s, Index) for s in slots)


def _view(term: Term) -> tuple[Any, Term]:
    """A term as scalars · Σ; None for Σ where it is another one."""
    totals = [a for a, e in term if isinstance(a, Sum) and e == 1]
    beside = Term({a: e for a, e in term if a not in totals})
    plain = len(totals) == 1 and not any(a.free or a.height for a, _ in beside)
    return totals[0] if plain else None, beside


__all__ = ["joined", "number_out", "opened", "shared", "spliced", "steps", "summed_at_once"]
