"""Arrays centred where only their differences matter: f(x + c, y + c) = f(x, y).

Multiplied out, Σ_a (x_ia − y_ja)² is Σ x² − 2 Σ x y + Σ y², one contraction, and large numbers
near each other where x and y are far from 0.  The same formula in x − c and y − c, with c a mean
of y, costs no more and keeps the digits.  The law is proved by normal forms for a c of its own.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from functools import lru_cache
from itertools import combinations, combinations_with_replacement
from typing import TYPE_CHECKING, Any

import sympy as sp

from .. import normalize as nf
from ..ir import (
    ZERO,
    Call,
    Delta,
    Index,
    Num,
    Poly,
    Rational,
    Ref,
    Sum,
    Tensor,
    Term,
    inside,
    parts,
    raw_atom,
    refs,
)
from .contract import stand_in
from .entry import is_number, numbered
from .means import Axes, about_means, unmoved

if TYPE_CHECKING:
    from .plan import Planner

# the arrays that are moved together, and the axis that c has of each, none where c is a number
Group = Mapping[Tensor, Axes]
Pairs = frozenset[frozenset[Tensor]]
MOST = 3  # arrays in a group


def centred(planner: Planner, normal: Poly) -> Poly | None:
    """The expression in arrays around a mean; None where that changes it or gains nothing."""
    own = about_means(planner, normal)
    if own is not None and own is not normal:
        return own
    found, moved = None, set[Tensor]()
    while (group := _movable(planner, normal, moved)) is not None:
        normal = found = _around(planner, normal, group)
        moved.update(group)
    return found


def _movable(planner: Planner, normal: Poly, moved: set[Tensor]) -> Group | None:
    """Arrays whose differences alone matter, none of which has been moved."""
    pairs = _pairs(normal)
    numbers = frozenset(
        p
        for atom in inside(normal)
        if isinstance(atom, Call) and atom.name == "exp"
        for p in _pairs(atom.args[0], exponent=True)
    )
    alone: dict[tuple[Tensor, Axes], bool] = {}
    for group in _groups(planner, normal, pairs, numbers) if pairs or numbers else ():
        if not moved.isdisjoint(group) or not _balanced(normal, group):
            continue
        # an array that may be moved alone has nothing to do with the others
        for t, x in group.items() if len(group) > 1 else ():
            if (t, x) not in alone:
                alone[t, x] = _stays(normal, {t: x})
            if alone[t, x]:
                break
        else:
            if _stays(normal, group):
                return group
    return None


def _groups(planner: Planner, normal: Poly, pairs: Pairs, numbers: Pairs) -> Iterator[Group]:
    """Arrays that come in and have an axis of the same size, one of the pairs among them; then
    those that may be moved by a number."""
    axes: dict[sp.Expr, dict[Tensor, set[int]]] = {}
    for ref in refs(normal):
        t = ref.tensor
        known = t in planner.entries or t in planner.peaks
        if not (known or t.sign or t.symmetry):
            for axis, slot in enumerate(ref.slots):
                if isinstance(slot, Index):
                    axes.setdefault(slot.size, {}).setdefault(t, set()).add(axis)
    for found in axes.values():
        single = {t: next(iter(own)) for t, own in found.items() if len(own) == 1}
        place = {t: k for k, t in enumerate(single)}
        two = [p for p in pairs if len(p) == 2 and p <= single.keys()]
        for chosen in (t for t in single if frozenset([t]) in pairs):
            yield {chosen: (single[chosen],)}
        for count in range(MOST - 1):
            larger = {p.union(more) for p in two for more in combinations(single.keys() - p, count)}
            for group in sorted(sorted(place[t] for t in g) for g in larger):
                yield {t: (single[t],) for t in map([*single].__getitem__, group)}
    inputs = {t for own in axes.values() for t in own}
    for pair in sorted(numbers, key=lambda pair: sorted(t.name for t in pair)):
        if pair <= inputs:
            yield dict.fromkeys(sorted(pair, key=lambda t: t.name), ())


def _balanced(normal: Poly, group: Group) -> bool:
    """What the first order of c is multiplied with adds up to 0, as far as that is seen without
    letters: what a group must have that may be moved, and quick to find."""
    slopes = [_slopes(normal).get(t) for t in group]
    if any(slope is None for slope in slopes):
        return True  # in a function, or beside a size, which a sum of c may give as well
    return all(
        sum(slope.get(rest, 0) for slope in slopes if slope) == 0
        for own in slopes
        for rest in own or ()
    )


@lru_cache(maxsize=1000)
def _slopes(normal: Poly) -> dict[Tensor, dict[Any, Rational] | None]:
    """The terms by the arrays in them, without one of these: what it is multiplied with, and how
    often; None for arrays that have other places or stand beside sizes."""
    found: dict[Tensor, dict[Any, Rational] | None] = {}
    for term, c in normal:
        content = _content(term)
        others = [x for x in content if not isinstance(x, Tensor)]
        unclear = any(x[0] is Delta for x in others) or any(
            r.tensor.symbol is not None and is_number(r.tensor.symbol) for r in refs(term)
        )
        for tensor in {r.tensor for r in refs(term)}:
            slope = found.setdefault(tensor, {})
            if unclear or slope is None or any(tensor in x[-1] for x in others):
                found[tensor] = None
            else:
                rest = frozenset((content - Counter([tensor])).items())
                slope[rest] = slope.get(rest, 0) + content[tensor] * c
    return found


@lru_cache(maxsize=10_000)
def _pairs(node: Any, exponent: bool = False) -> Pairs:
    """{x, y} for terms x f − y f, one of them summed, as x · y − y · y in a squared distance; in an
    exponent, which leaves a sum in parts, neither of them has to be.

    Letters are not looked at: it is what a difference must have, and quick to find.
    """
    found = {p for part in parts(node) for p in _pairs(part)}
    if isinstance(node, Poly) and len(node) > 1:
        beside: dict[Any, dict[Tensor, list[tuple[Term, Rational]]]] = {}
        for term, c in node:
            content = _content(term)
            for x, count in content.items():
                if isinstance(x, Tensor):
                    rest = frozenset((content - Counter([x])).items())
                    beside.setdefault(rest, {}).setdefault(x, []).append((term, count * c))
        for own in beside.values():
            for x, y in combinations_with_replacement(own, 2):
                terms = {*own[x], *own[y]}
                if (
                    sum(c for _, c in terms) == 0
                    and len({t for t, _ in terms}) > 1
                    and (exponent or any(isinstance(a, Sum) for t, _ in terms for a, _ in t))
                ):
                    found.add(frozenset((x, y)))
    return frozenset(found)


@lru_cache(maxsize=10_000)
def _content(term: Term) -> Counter[Any]:
    """The factors of a product, sums opened, without their letters."""
    found: Counter[Any] = Counter()
    for atom, e in term:
        if isinstance(atom, Sum) and len(atom.body) == 1 and e == 1:
            ((inner, _),) = atom.body
            found += _content(inner)
        elif isinstance(atom, Ref) and isinstance(e, int) and e > 0:
            found[atom.tensor] += e
        elif not isinstance(atom, Num):
            found[type(atom), e, frozenset(r.tensor for r in refs(atom))] += 1
    return found


def _stays(normal: Poly, group: Group) -> bool:
    """The value is the same when the group is moved."""
    tensor, axes = next(iter(group.items()))
    return unmoved(normal, group, [tensor.shape[k] for k in axes])


def _around(planner: Planner, normal: Poly, group: Group) -> Poly:
    """The expression in x − c, where c is the mean of the smallest of the arrays."""
    anchor = min(group, key=lambda t: (len(t.shape), len(planner.long & {*t.shape}), t.name))
    slots = [numbered(k, size) for k, size in enumerate(anchor.shape)]
    own = [slots[k] for k in group[anchor]]
    others = [i for i in slots if i not in own]
    count = nf.size_poly(sp.Mul(*(i.size for i in others)))
    mean = nf.multiply(nf.power(count, -1), nf.sum_over(others, raw_atom(Ref(anchor, slots))))
    if others:
        mean = raw_atom(stand_in(planner, mean))

    def rule(atom: Any) -> Poly | None:
        if isinstance(atom, Poly):  # what stays by itself has, or had, its own turn
            return atom if _stays(atom, group) else None
        if not isinstance(atom, Ref) or atom.tensor not in group:
            return None
        at = [atom.slots[k] for k in group[atom.tensor]]
        centre = nf.substitute(mean, dict(zip(own, at, strict=True)))
        difference = nf.subtract(raw_atom(atom), centre)
        if difference is ZERO:
            return ZERO
        ref = stand_in(planner, difference)
        planner.written.add(planner.standing[ref.tensor].poly)
        return raw_atom(ref)

    return nf.rewrite(normal, rule, brackets=True)
