"""Sums of normal terms: δ's eliminated, split into connected sums, inner sums recognised, named."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import lru_cache
from itertools import combinations

import sympy as sp

from . import laws, maxima
from . import normalize as nf
from .budget import spend
from .canonical import key, labellings
from .ir import (
    CACHE,
    ONE,
    ZERO,
    Affine,
    Argmax,
    Atom,
    Call,
    Delta,
    Index,
    Poly,
    Rational,
    Ref,
    Slot,
    Sum,
    Term,
    affine,
    fresh_indices,
    rational,
    slot_items,
)
from .places import placeable, slot_range, wrapping


def sum_over(bound: Iterable[Index], poly: Poly) -> Poly:
    """Σ_bound p.  The bound indices must not be those of an enclosing scope."""
    ordered = tuple(sorted(set(bound), key=lambda b: b.sort))
    if not ordered:
        return poly
    terms: dict[Term, Rational] = {}
    for term, c in laws.cancel_common_denominators(poly, ordered):
        for result, d in _close(ordered, term):
            terms[result] = rational(terms.get(result, 0) + c * d)
    return Poly(terms)


@lru_cache(maxsize=CACHE)
def _close(bound: tuple[Index, ...], term: Term) -> Poly:
    spend()
    used = tuple(b for b in bound if b in term.free)
    if len(used) < len(bound):  # Σ_j 1 = n
        sizes = nf.multiply(*(nf.size_poly(b.size) for b in bound if b not in term.free))
        return nf.multiply(sizes, _close(used, term) if used else Poly({term: 1}))
    inside = set(bound)
    for atom, _ in term:
        if isinstance(atom, Delta):
            eliminated = _eliminate(atom, bound, term)
            if eliminated is not None:
                return eliminated
    inverted = _inverted(bound, term)
    if inverted is not None:
        return inverted
    flat = _flatten(bound, term)
    if flat is not None:
        return flat
    parts = components(inside, term)
    if len(parts) > 1 or not parts[0][0]:
        return nf.multiply(
            *(
                _close(tuple(b for b in bound if b in touched), part)
                if touched
                else Poly({part: 1})
                for touched, part in parts
            )
        )
    for law in (_selected, _turned, _cancel_inner):
        value = law(bound, term)
        if value is not None:  # 0 is a value
            return value
    return _name(bound, term)


def _selected(bound: tuple[Index, ...], term: Term) -> Poly | None:
    """Σ_j [j = argmax_k x_k] = 1 and Σ_j [j = argmax_k x_k] x_j = max_k x_k."""
    found = at_the_largest(bound, term)
    if found is None:
        return None
    atom, here, rest, c = found
    value = ONE
    if here:
        letters, body = maxima.entered(atom, term.free)
        value = nf.scale(maxima.largest(letters, body), c)
    left = tuple(b for b in bound if b not in atom.at)
    return sum_over(left, nf.multiply(value, Poly({rest: 1})))


def at_the_largest(
    bound: tuple[Index, ...], term: Term
) -> tuple[Argmax, bool, Term, Rational] | None:
    """[j = argmax_k x_k], whether x_j is beside it and with which factor, and the other factors."""
    for atom, _ in term:
        if not isinstance(atom, Argmax) or not atom.body.free.isdisjoint(atom.at):
            continue
        if len(set(atom.at)) < len(atom.at) or not set(atom.at) <= set(bound):
            continue
        others = {a: e for a, e in term if a is not atom}
        here = {a: e for a, e in others.items() if not a.free.isdisjoint(atom.at)}
        there = Term({a: e for a, e in others.items() if a not in here})
        value = nf.substitute(atom.body, dict(zip(atom.bound, atom.at, strict=True))).single
        if not here:
            return atom, False, there, 1
        if value is not None and value[0] is Term(here):
            return atom, True, there, value[1]
    return None


def _turned(bound: tuple[Index, ...], term: Term) -> Poly | None:
    """Σ_j f(x_{j−1}) = Σ_j f(x_j) and Σ_j f(x_{i−j}) = Σ_j f(x_j): all entries, once each."""
    found = turn(bound, term)
    return found and sum_over(bound, found[2])


def turn(
    bound: tuple[Index, ...], term: Term, several: bool = False
) -> tuple[Index, Slot, Poly] | None:
    """A letter, a slot in which it stands, which has every value once, and the term with the letter
    there: j for j − 1 where it stands in no other slot.

    With `several` x_j x_{j+1} for x_{j−1} x_j as well, which differences would not survive.
    """
    for letter in bound:
        slots = wrapping(term, letter)
        if not slots or slots == {letter} or (len(slots) > 1 and not several):
            continue
        if any(not slot.free <= term.free for slot in slots):
            continue  # a shift by a letter that a scope inside binds is another one for each of it
        turns = [(slot, _put(term, letter, slot)) for slot in slots if slot is not letter]
        if len(slots) == 1:
            return letter, *turns[0]
        slot, least = min(turns, key=lambda found: _order(bound, found[1]))
        if _order(bound, least) < _order(bound, Poly({term: 1})):
            return letter, slot, least
    return None


def _put(term: Term, letter: Index, slot: Slot) -> Poly:
    """The term with a letter in place of ±letter + …, all around its axis."""
    items, const = slot_items(slot)
    c = items[letter]
    others = {i: -c * d for i, d in items.items() if i is not letter}
    return nf.substitute(Poly({term: 1}), {letter: affine({letter: c, **others}, -c * const)})


def _order(bound: tuple[Index, ...], poly: Poly) -> tuple[int, str]:
    """Later components come before earlier ones; then by content, whatever the letters."""
    found = key(poly, dict.fromkeys(bound, "*"))
    return found.count("+-"), found


def _flatten(bound: tuple[Index, ...], term: Term) -> Poly | None:
    """Σ_j f_j (Σ_k g_{jk}) = Σ_{jk} f_j g_{jk}."""
    inside = set(bound)
    for atom, e in term:
        if isinstance(atom, Sum) and e >= 1 and atom.free & inside:
            new, body = opened(atom, term.free | inside)
            rest = dict(term.powers)
            rest[atom] = rational(e - 1)
            return sum_over((*bound, *new), nf.multiply(Poly({Term(rest): 1}), body))
    return None


def _eliminate(atom: Delta, bound: tuple[Index, ...], term: Term) -> Poly | None:
    """Σ_j δ_{jk} f_j = f_k, where f_k means the same as f_j at j = k; Σ_j δ_{c−j,k} = 1."""
    rest = Term({a: e for a, e in term if a is not atom})
    found = solution(atom, bound, rest)
    if found is None:
        return None
    gone, kept = found
    left = tuple(b for b in bound if b is not gone)
    return sum_over(left, nf.substitute(Poly({rest: 1}), {gone: kept}))


def solution(atom: Delta, bound: tuple[Index, ...], rest: Term) -> tuple[Index, Slot] | None:
    """The bound letter that δ fixes, and what may stand in its place beside the δ."""
    sides = ((atom.b, atom.a), (atom.a, atom.b))
    for side, letter in sides:
        if _once(side, letter, bound) and side.free.isdisjoint(rest.free):
            items, const = slot_items(side)
            ((index, c),) = items.items()
            others, shift = slot_items(letter)
            return index, affine({i: c * d for i, d in others.items()}, c * (shift - const))
    solved = [pair for a, b in sides if isinstance(a, Affine) for pair in _solved(a, b, bound)]
    for gone, kept in (*sides, *solved):
        if not isinstance(gone, Index) or gone not in bound or gone in kept.free:
            continue
        if placeable(rest, {gone: kept}):
            return gone, kept
    return None


def _once(side: Slot, letter: Slot, bound: tuple[Index, ...]) -> bool:
    """Σ_i δ_{c−i,k} = 1: c − i has every value once, modulo the range of both."""
    items, _ = slot_items(side)
    if len(items) != 1 or not isinstance(letter, Index) or letter in items:
        return False
    ((index, c),) = items.items()
    return abs(c) == 1 and index in bound and index.size == letter.size


def _solved(side: Affine, letter: Slot, bound: tuple[Index, ...]) -> Iterator[tuple[Index, Slot]]:
    """i and j − 1 of i + 1 = j modulo the range of both, for −n ≤ j − 1 < n."""
    items, const = slot_items(side)
    if len(items) != 1:
        return  # Σ_ik [j = i + k] f_ik has an entry for every pair
    ((index, c),) = items.items()
    if c != 1 or index not in bound or not isinstance(letter, Index):
        return
    slot = affine({letter: 1}, -const)
    low, high = slot_range(slot)
    within = (low + index.size).is_nonnegative and sp.expand(index.size - 1 - high).is_nonnegative
    if index.size == letter.size and index is not letter and within:
        yield index, slot


def _inverted(bound: tuple[Index, ...], term: Term) -> Poly | None:
    """Σ_j M_ij M⁻¹_jk = δ_ik and Σ_j M⁻¹_ij M_jk = δ_ik."""
    found = contraction(bound, term)
    if found is None:
        return None
    letter, ends, rest, sign = found
    left = tuple(b for b in bound if b is not letter)
    return nf.scale(sum_over(left, nf.multiply(nf.delta(*ends), Poly({rest: 1}))), sign)


def contraction(
    bound: tuple[Index, ...], term: Term
) -> tuple[Index, tuple[Slot, Slot], Term, int] | None:
    """The letter over which a matrix meets its inverse, their other slots, the rest, the sign."""
    inverses = [a for a, e in term if e == 1 and isinstance(a, Ref) and a.tensor.role == "inverse"]
    for inverse in inverses:
        for k, letter in enumerate(inverse.slots):
            if not isinstance(letter, Index) or letter not in bound:
                continue
            touched = [(a, e) for a, e in term if letter in a.free and a is not inverse]
            if letter in inverse.slots[1 - k].free or len(touched) != 1:
                continue
            ((matrix, e),) = touched
            sign = _contracts(inverse, k, matrix, letter) if e == 1 else 0
            if not sign:
                continue
            assert isinstance(matrix, Ref)
            other = matrix.slots[1 - matrix.slots.index(letter)]
            ends = (inverse.slots[1 - k], other)
            if not any(isinstance(end, Index) for end in ends):
                continue  # two affine indices would be compared as integers
            rest = Term({a: e for a, e in term if a is not inverse and a is not matrix})
            return letter, ends, rest, sign
    return None


def _contracts(inverse: Ref, k: int, matrix: Atom, letter: Index) -> int:
    """1 or −1 where `letter` in slot k of M⁻¹ meets M so that the product is ±δ; 0 elsewhere."""
    if not isinstance(matrix, Ref) or matrix.tensor is not inverse.tensor.of[0]:
        return 0
    places = [p for p, slot in enumerate(matrix.slots) if letter in slot.free]
    if len(places) != 1 or matrix.slots[places[0]] is not letter:
        return 0
    if places[0] == 1 - k:
        return 1
    return {"symmetric": 1, "antisymmetric": -1}.get(inverse.tensor.symmetry, 0)


def split_exponentials(term: Term) -> list[tuple[Atom, Rational]]:
    """The factors of a term, exp(p + q) as the two factors exp(p) and exp(q)."""
    pieces: list[tuple[Atom, Rational]] = []
    for atom, e in term:
        if isinstance(atom, Call) and atom.name == "exp":
            pieces += [(Call("exp", (Poly({t: rational(c * e)}),)), 1) for t, c in atom.args[0]]
        else:
            pieces.append((atom, e))
    return pieces


def join(pieces: Iterable[tuple[Atom, Rational]]) -> Term:
    """The term of these factors, its exponentials as one (their exponents hold no logarithm)."""
    powers: dict[Atom, Rational] = {}
    exponents: list[Poly] = []
    for atom, e in pieces:
        if isinstance(atom, Call) and atom.name == "exp":
            exponents.append(nf.scale(atom.args[0], e))
        else:
            powers[atom] = rational(powers.get(atom, 0) + e)
    if exponents:
        powers[Call("exp", (nf.add(*exponents),))] = 1
    return Term(powers)


def components(inside: set[Index], term: Term) -> list[tuple[set[Index], Term]]:
    """The factors grouped by the bound indices they share; what touches none comes first."""
    outside: list[tuple[Atom, Rational]] = []
    groups: list[tuple[set[Index], list[tuple[Atom, Rational]]]] = []
    for piece in split_exponentials(term):
        touched = inside & piece[0].free
        if not touched:
            outside.append(piece)
            continue
        members = [piece]
        apart = []
        for indices, pieces in groups:
            if indices & touched:
                touched |= indices
                members = pieces + members
            else:
                apart.append((indices, pieces))
        groups = [*apart, (touched, members)]
    parts = [(touched, join(pieces)) for touched, pieces in groups]
    return [(set(), join(outside)), *parts] if outside else parts


def _cancel_inner(bound: tuple[Index, ...], term: Term) -> Poly | None:
    """Σ_i f_i Z_i^{-1} Σ_j z_{ij} = Σ_i f_i for Z_i = Σ_j z_{ij}."""
    inner = inner_sum(bound, term)
    split = split_sum(inner, term) if inner else None
    if split is None:
        return None
    left = tuple(b for b in bound if b not in inner)
    return sum_over(left, nf.multiply(split[0], Poly({split[1]: 1})))


def inner_sum(bound: tuple[Index, ...], term: Term) -> tuple[Index, ...]:
    """The letters over which the sum is one that the term is divided by."""
    inverses = [a for a, e in term if isinstance(a, Sum) and e < 0]
    tried: set[tuple[Index, ...]] = set()
    for inverse in inverses:
        width = len(inverse.bound)
        if width >= len(bound) or len(bound) > 8:
            continue
        for inner in combinations(bound, width):
            if inner in tried:
                continue
            tried.add(inner)
            split = split_sum(inner, term)
            if split is None:
                continue
            only = split[0].single
            if only and any(a in inverses and e > 0 for a, e in only[0] if isinstance(a, Sum)):
                return inner
    return ()


def split_sum(inner: tuple[Index, ...], term: Term) -> tuple[Poly, Term] | None:
    """Σ_inner over the factors that touch it, and the other factors."""
    touching: list[tuple[Atom, Rational]] = []
    rest: list[tuple[Atom, Rational]] = []
    for piece in split_exponentials(term):
        (touching if piece[0].free & set(inner) else rest).append(piece)
    return (_close(inner, join(touching)), join(rest)) if touching else None


def _name(bound: tuple[Index, ...], term: Term) -> Poly:
    """A connected sum with its bound indices named canonically.

    Beside a δ of several letters their names say which of them stands in the other factors, and
    these say what the letters are called: what comes of it again and again, the least of it.
    """
    forms = [_named(bound, term)]
    while any(isinstance(a, Delta) and _several(a) for a, _ in term):
        closed = [(a, c) for t, c in forms[-1] for a in t.powers if isinstance(a, Sum)]
        scopes = [(opened(a, term.free), c) for a, c in closed]
        if len(scopes) != 1 or not (left := scopes[0][0][1].single):
            break
        (bound, _), c = scopes[0]
        term = left[0]
        if _falls_apart(bound, term):
            break
        again = nf.scale(_named(bound, term), rational(left[1] * c))
        if again in forms:
            return min(forms[forms.index(again) :], key=_spelled)
        forms.append(again)
    else:
        return forms[-1]
    return nf.add(*(nf.scale(sum_over(letters, body), c) for (letters, body), c in scopes))


def _spelled(form: Poly) -> tuple[str, list[str]]:
    """The content of a form of one sum, and what its bound letters are called."""
    found = (key(a.body) for t, _ in form for a in t.powers if isinstance(a, Sum))
    return key(form), sorted(found)


def _several(atom: Delta) -> bool:
    """A δ of letters of which one is made of the others."""
    return isinstance(atom.a, Affine) or isinstance(atom.b, Affine)


def _falls_apart(bound: tuple[Index, ...], term: Term) -> bool:
    """There are fewer letters, or several sums."""
    if len(components(set(bound), term)) > 1:
        return True
    return any(isinstance(a, Delta) and _eliminate(a, bound, term) for a, _ in term)


def _named(bound: tuple[Index, ...], term: Term) -> Poly:
    level = term.height + 1
    result: Poly | None = None
    for order in labellings(bound, term, {}) if len(bound) > 1 else (list(bound),):
        names: dict[Index, Slot] = {b: Index(str(k), b.size, level) for k, b in enumerate(order)}
        body = nf.substitute(Poly({term: 1}), names)
        named = Poly(
            {
                Term({Sum([i for i in names.values() if isinstance(i, Index)], Poly({t: 1})): 1}): c
                for t, c in body
            }
        )
        if result is not None and named is nf.scale(result, -1):
            return ZERO  # a relabelling changes the sign: an antisymmetric sum
        result = result or named
    assert result is not None
    return result


def opened(node: Sum, avoid: Iterable[Index]) -> tuple[tuple[Index, ...], Poly]:
    """The body of a sum with fresh letters for its bound indices."""
    letters = fresh_indices((b.size for b in node.bound), (*avoid, *node.free))
    return tuple(letters), nf.substitute(node.body, dict(zip(node.bound, letters, strict=True)))
