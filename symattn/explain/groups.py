"""Common factors: every way to take what several terms share out of them, also out of sums."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from fractions import Fraction
from typing import Any

from .. import normalize as nf
from ..canonical import key
from ..folding import unify
from ..ir import (
    ONE_TERM,
    Atom,
    Call,
    Index,
    Num,
    Poly,
    Rational,
    Ref,
    Sum,
    Term,
    inside,
    rational,
    raw_atom,
    raw_product,
    raw_sum,
)
from .arrange import taken_out
from .centred import from_the_mean
from .cost import cost
from .joins import differences, joined_sums, predictions
from .products import product
from .recognised import tensors_in
from .views import Collect, Group, View, common_powers, opened, quotient


def groups(poly: Poly, collect: Collect) -> Iterator[Group]:
    """Every way to take one factor, with all that goes along, out of some of the terms."""
    terms = sorted(poly, key=lambda pair: key(pair[0]))
    views = {term: list(_views(term, c, poly.free)) for term, c in terms}
    seen: set[tuple[frozenset[Term], Any]] = set()
    indexed = any(a.free or a.height for t, _ in terms for a, _ in t)
    for term, _ in terms:
        for view in views[term]:
            for atom in view.inner if view.bound else view.outer:
                e = (view.inner if view.bound else view.outer)[atom]
                group = _sharing(view, atom, e, views)
                if len(group) < 2:
                    continue
                scalar = not atom.free and isinstance(atom, Ref | Num)
                some = len(group) < len(poly) - (ONE_TERM in poly.terms)
                if indexed and scalar and some and len(group) < 3 and not _opposed(group, atom):
                    continue  # a scalar comes out of all terms but a number, of many, or of none
                several = len({v.outer.get(atom) for v in group}) > 1
                if isinstance(atom, Ref | Num) and several and len(group) < len(poly):
                    continue  # a m + b m³ − h stays a polynomial in m
                at = _opened_at(group)
                if not poly.free and _of_inverses(atom, group):
                    continue
                mark = (frozenset(v.term for v in group), atom if at is None else at)
                if mark in seen:
                    continue
                seen.add(mark)
                made = _factored(group, poly, collect)
                if made is not None:
                    yield made
    yield from joined_sums(poly, views, collect)
    yield from differences(views)
    yield from predictions(views)


def _opened_at(group: list[View]) -> frozenset[Term] | None:
    """What is below the Σ's of a group, in whose letters Σ_ij P_ij (x_i r_j + x_j r_i) may be
    Σ_ij x_i (P_ij + P_ji) r_j."""
    return frozenset(Term(v.inner) for v in group) if group[0].bound else None


def _of_inverses(atom: Atom, group: list[View]) -> bool:
    """½ tr(C⁻¹ (K C⁻¹ y y^⊤ − K)), for which people write ½ y^⊤ C⁻¹ K C⁻¹ y − ½ tr(C⁻¹ K)."""
    own = atom.tensor if isinstance(atom, Ref) and atom.tensor.role == "inverse" else None
    inverses = [[a for a in v.inner if isinstance(a, Ref) and a.tensor is own] for v in group]
    return own is not None and {len(found) for found in inverses} > {1}


def _opposed(group: list[View], atom: Atom) -> bool:
    """n ψ(a) − n ψ(b): a number times a difference of two of a kind; α − α y_i, of 1 and a name.

    And T log p + T, of 1 + log p; a p_i − a b_i, of two components, and a p_i (q − b_i), where a
    number is not all they share; J S_{i−1} + J S_{i+1}, of two of one name; y_i/s − m/s of names.
    """
    rests = [quotient(v.outer, {atom: v.outer.get(atom, 0)}) for v in group]
    if len(group) == 2 and sum(v.c for v in group) == 0 and ({} in rests or _components(rests)):
        return True
    over = all(v.outer.get(atom) == -1 for v in group)
    if len(group) == 2 and over and sum(v.c for v in group) == 0 and all(map(_name, rests)):
        return True
    if len(group) == 2 and group[0].c == group[1].c and _neighbours(rests):
        return True
    if len(group) == 2 and {} in rests and group[0].c == group[1].c:
        ((only, e), *more) = next((r for r in rests if r), {atom: 1}).items()
        return isinstance(only, Call) and (only.name, e, more) == ("log", 1, [])
    kinds = [
        Counter(a.tensor if isinstance(a, Ref) else getattr(a, "name", type(a)) for a in v.outer)
        for v in group
    ]
    if len(group) != 2 or sum(v.c for v in group) != 0:
        return False
    if any(a.free for a in common_powers([v.outer for v in group])):
        return True
    return kinds[0] == kinds[1] or _residual([v.outer for v in group])


def _name(rest: dict[Atom, Rational]) -> bool:
    """A name by itself."""
    return len(rest) == 1 and all(isinstance(a, Ref) and e == 1 for a, e in rest.items())


def _components(rests: list[dict[Atom, Rational]]) -> bool:
    """p_ik and b_ik."""
    only = [next(iter(r.items())) for r in rests if len(r) == 1]
    slots = [a.slots for a, e in only if isinstance(a, Ref) and e == 1]
    return len(slots) == 2 and bool(slots[0]) and slots[0] == slots[1]


def _neighbours(rests: list[dict[Atom, Rational]]) -> bool:
    """S_{i−1} and S_{i+1}."""
    only = [next(iter(r.items())) for r in rests if len(r) == 1]
    return len(only) == 2 and len({a.tensor for a, e in only if isinstance(a, Ref) and e == 1}) == 1


def _residual(parts: list[Mapping[Atom, Rational]]) -> bool:
    """s p_j Σ_k y_k − s y_j: of y, what is predicted and what is seen."""
    common = common_powers(parts)
    seen, predicted = sorted((quotient(p, common) for p in parts), key=len)
    if len(seen) != 1 or len(predicted) != 2:
        return False
    return not tensors_in(Term(seen)).isdisjoint(tensors_in(Term(predicted)))


def _views(term: Term, c: Rational, around: frozenset[Index]) -> Iterator[View]:
    yield View(term, c, term.powers, (), {})
    for atom, e in term:
        if isinstance(atom, Sum) and e == 1:
            bound, body = opened(atom, around)
            only = body.single
            if only is not None:
                outer = {a: k for a, k in term if a is not atom}
                yield View(term, rational(c * only[1]), outer, bound, only[0].powers)


def _sharing(first: View, atom: Atom, e: Rational, views: Mapping[Term, list[View]]) -> list[View]:
    """The views, in the letters of `first`, of all terms that have the factor too."""
    group = [first]
    for term, others in views.items():
        if term is first.term:
            continue
        for view in others:
            if bool(view.bound) != bool(first.bound):
                continue
            if not first.bound:
                k = view.outer.get(atom, 0)
                if k and (k > 0) == (e > 0):
                    group.append(view)
                    break
                continue
            renamed = next(_aligned(first, atom, e, view), None)
            if renamed is not None:
                group.append(renamed)
                break
    return group


def _aligned(first: View, atom: Atom, e: Rational, view: View) -> Iterator[View]:
    """The view with its bound letters renamed so that it has the factor `atom` of `first` too."""
    for other, k in view.inner.items():
        if (k > 0) != (e > 0) or type(other) is not type(atom):
            continue
        for found in unify(other, atom, view.bound, {}):
            targets = list(found.values())
            if any(
                not isinstance(t, Index) or t not in first.bound or t.size != i.size
                for i, t in found.items()
            ) or len(set(targets)) < len(targets):
                continue
            found = _extended(found, first, view)
            body = nf.substitute(Poly({Term(view.inner): 1}), found)
            only = body.single
            if only is None or only[0].powers.get(atom) != k:
                continue
            bound = tuple(t if isinstance(t := found.get(b, b), Index) else b for b in view.bound)
            yield View(view.term, rational(view.c * only[1]), view.outer, bound, only[0].powers)


def _extended(found: dict[Index, Any], first: View, view: View) -> dict[Index, Any]:
    """More letters of the view put for those of `first`, where further factors then agree."""
    for other, k in view.inner.items():
        left = [b for b in view.bound if b not in found and b in other.free]
        if not left:
            continue
        for mine, e in first.inner.items():
            if e != k or type(mine) is not type(other):
                continue
            for more in unify(other, mine, view.bound, dict(found)):
                new = {i: t for i, t in more.items() if i not in found}
                targets = list(more.values())
                if (
                    new
                    and len(set(targets)) == len(targets)
                    and all(t in first.bound and t.size == i.size for i, t in new.items())
                    and nf.substitute(other, more) is raw_atom(mine)
                ):
                    found = more
                    break
    return found


def _factored(group: list[View], poly: Poly, collect: Collect) -> Group | None:
    """outer · Σ inner · (bracket) for the terms of a group, None where nothing is saved."""
    first = group[0]
    outer = common_powers([v.outer for v in group])
    inner: dict[Atom, Rational] = {}
    bound: list[Index] = []
    if first.bound:
        shared = set(first.bound).intersection(*(v.bound for v in group))
        inner = {
            a: e
            for a, e in common_powers([v.inner for v in group]).items()
            if not a.free.isdisjoint(shared) and a.free.isdisjoint(_apart(group, shared))
        }
        bound = [b for b in first.bound if any(b in a.free for a in inner)]
        if not bound:
            return None
    rests = []
    moved = False
    for view in group:
        moved |= bool(bound) and any(a.free for a in quotient(view.outer, outer))
        left = quotient(view.inner, inner)
        over = [b for b in view.bound if b not in bound]
        rest = nf.sum_over(over, nf.product(left)) if left or over else nf.ONE
        rest = nf.multiply(nf.product(quotient(view.outer, outer)), rest)
        rests.append(nf.scale(rest, view.c))
    content = taken_out([c for r in rests for _, c in r], Term(outer))
    bracket = nf.scale(nf.add(*rests), rational(1 / Fraction(content)))
    if not bracket.terms:
        return None
    apart = moved and not _difference(rests) and not from_the_mean(rests, inner)
    if apart and not _one_product(bracket, collect):
        return None  # Σ_j a_j + y_i Σ_j a_j b_j stays two sums, each of which is done once

    def around(inside: Poly) -> Poly:
        sign = 1
        whole = all(e > 0 for t, _ in inside for _, e in t)  # x/m − 1 stays so
        most = 2 * sum(c < 0 for _, c in inside) >= len(inside)  # a + b − 1 stays so, too
        if whole and inside.terms.get(ONE_TERM, 0) < 0 and len(inside) > 1 and most:
            sign, inside = -1, Poly({t: -c for t, c in inside})
        last = raw_atom(inside) if len(inside) > 1 else inside
        under = raw_sum(bound, raw_product([Poly({Term(inner): 1}), last]))
        return raw_product([Poly({Term(outer): rational(sign * content)}), under])

    whole = around(bracket)
    terms = frozenset(v.term for v in group)
    before = cost(Poly({t: c for t, c in poly if t in terms}))
    return Group(terms, whole, before - cost(whole), around, bracket)


def _one_product(bracket: Poly, collect: Collect) -> bool:
    """(1 − s/r_j) (x_i − x_j), of four terms, or one of two that becomes a product."""
    if len(bracket) <= 2:
        return len(collect(bracket)) == 1
    made = product(bracket, collect)
    only = made.single if made is not None else None
    return only is not None and sum(isinstance(a, Poly) for a in only[0].powers) > 1


def _difference(rests: list[Poly]) -> bool:
    """x_i − x_j, or x_i − 1, which is read as one thing: Σ_j a_ij x_i − Σ_j a_ij x_j is one sum.

    And p_ik Σ_l y_il − y_ik, of y what is predicted and what is seen.
    """
    if len(rests) != 2 or any(len(r) != 1 for r in rests):
        return False
    (first,), (second,) = rests
    if first[1] * second[1] > 0:
        return False
    return not any(map(_has_sum, rests)) or _residual([first[0].powers, second[0].powers])


def _has_sum(node: Any) -> bool:
    return any(isinstance(part, Sum) for part in inside(node))


def _apart(group: list[View], shared: set[Index]) -> set[Index]:
    return {b for v in group for b in v.bound} - shared
