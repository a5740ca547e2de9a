"""Laws of maxima, each with its side condition.

max(c + x, c + y) = c + max(x, y)           always; max_j(c + x_j) = c + max_j x_j
max(c x, c y) = c max(x, y)                 c ≥ 0; max_j(c x_j) = c max_j x_j
max_jk(x_j + y_k) = max_j x_j + max_k y_k   always
max(x, max(y, z)) = max(x, y, z)            always
max_j(x_j + max_k y_jk) = max_jk(x_j + y_jk) always
max(x, y) = x                               x − y ≥ 0
max_j x_{j−1} = max_j x_j                     all round the axis
max_j δ_ij = 1                              i and j are letters of one range
Σ_j [j = argmax_k x_k] = 1                  always

Ranges are not empty.  What is taken out is unique: of every monomial the least coefficient, and of
the rest the greatest common factor: max(−x, 0) = max(x, 0) − x, min(x, y) = x + y − max(x, y).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction
from typing import TypeAlias

from . import laws
from . import normalize as nf
from .canonical import key, labellings
from .ir import (
    ONE,
    ONE_TERM,
    ZERO,
    Argmax,
    Delta,
    Index,
    Max,
    Poly,
    Rational,
    Slot,
    Term,
    affine,
    fresh_indices,
    rational,
    raw_atom,
    slot_items,
)
from .places import wrapping

Content: TypeAlias = tuple[Rational, Term]  # a factor: its coefficient and its product
TRIVIAL: Content = (1, ONE_TERM)

LIMIT = 64  # alternatives of one maximum that nested ones are spread to


def largest(bound: Iterable[Index], args: Iterable[Poly]) -> Poly:
    """max over the bound indices of the arguments, all normal."""
    bound = tuple(bound)
    alternatives = [a for arg in args for a in _spread(bound, arg)]
    closed = dict.fromkeys(_close(letters, body) for letters, body in alternatives)
    kept = _undominated(sorted(closed, key=key))
    if len(kept) == 1:
        return kept[0]
    least = {
        term: min(p.terms.get(term, 0) for p in kept)
        for term in dict.fromkeys(t for p in kept for t in p.terms)
    }
    shift = Poly(least)
    rest = [nf.subtract(p, shift) for p in kept]
    content = laws.common_content([x for p in rest for x in p], integer=False, squares=True)
    if content == TRIVIAL and shift is ZERO:
        return raw_atom(Max((), kept))
    # Without the common factor there may be a common summand again.
    return nf.add(shift, _times(content, largest((), [_without(content, p) for p in rest])))


def indicator(at: Sequence[Slot], bound: Sequence[Index], body: Poly) -> Poly:
    """[at = argmax over the bound indices of the body], the body normal."""
    slots = dict(zip(bound, at, strict=True))
    inside = _touching(bound, body)
    positive = frozenset("+")  # a factor that may be 0 makes every value the largest
    while inside.terms and (content := _outer_content(bound, inside, positive)) != TRIVIAL:
        inside = _touching(bound, _without(content, inside))
    texts = {}
    for order in labellings(bound, inside, {}) if len(bound) > 1 else [list(bound)]:
        names, named = _named(order, inside)
        atom = Argmax([slots[b] for b in order], names, named)
        texts[key(atom)] = atom
    return raw_atom(texts[min(texts)])


def entered(node: Max | Argmax, avoid: Iterable[Index]) -> tuple[tuple[Index, ...], list[Poly]]:
    """Fresh letters for the bound indices, and what stands in their scope with these letters."""
    letters = fresh_indices((b.size for b in node.bound), (*avoid, *node.free))
    names = dict(zip(node.bound, letters, strict=True))
    inside = node.args if isinstance(node, Max) else (node.body,)
    return tuple(letters), [nf.substitute(p, names) for p in inside]


# ----------------------------------------------------------------------------------- alternatives


def _spread(bound: tuple[Index, ...], poly: Poly) -> list[tuple[tuple[Index, ...], Poly]]:
    """The alternatives of max_bound poly, nested maxima among them."""
    pending = [(bound, poly)]
    done: list[tuple[tuple[Index, ...], Poly]] = []
    while pending:
        letters, body = pending.pop()
        found = _nested(body)
        if found is None or len(pending) + len(done) > LIMIT:
            done.append((letters, body))
            continue
        atom, cofactor = found
        new, inside = entered(atom, (*letters, *body.free))
        for value in inside:
            other = nf.multiply(cofactor, value)
            replaced = nf.subtract(body, nf.multiply(cofactor, raw_atom(atom)))
            pending.append(((*letters, *new), nf.add(replaced, other)))
    return done


def _nested(poly: Poly) -> tuple[Max, Poly] | None:
    """A maximum in a term of the expression, times what is not negative."""
    for term in sorted(poly.terms, key=key):
        c = poly.terms[term]
        for atom, e in term:
            if isinstance(atom, Max) and e == 1 and c > 0:
                rest = Term({a: k for a, k in term if a is not atom})
                if not rest.powers or laws.sign_of(rest):
                    return atom, Poly({rest: c})
    return None


def _undominated(alternatives: list[Poly]) -> list[Poly]:
    """The alternatives without those that another one is never below."""
    kept = list(alternatives)
    for p in alternatives:
        if any(q is not p and laws.sign_of(nf.subtract(q, p)) for q in kept):
            kept.remove(p)
    return kept


# ------------------------------------------------------------------------------ over an index


def _close(bound: tuple[Index, ...], poly: Poly) -> Poly:
    """max_bound poly: what touches no bound index outside, independent parts apart."""
    inside = _touching(bound, poly)
    outside = nf.subtract(poly, inside)
    groups: list[tuple[set[Index], dict[Term, Rational]]] = []
    for term, c in inside:
        touched, members = set(bound) & term.free, {term: c}
        apart = []
        for letters, terms in groups:
            if letters & touched:
                touched |= letters
                members |= terms
            else:
                apart.append((letters, terms))
        groups = [*apart, (touched, members)]
    return nf.add(outside, *(_connected(letters, Poly(terms)) for letters, terms in groups))


def _touching(bound: Iterable[Index], poly: Poly) -> Poly:
    letters = set(bound)
    return Poly({t: c for t, c in poly if letters & t.free})


def _connected(letters: set[Index], body: Poly) -> Poly:
    bound = sorted(letters, key=lambda b: b.sort)
    if (found := turn(bound, body)) is not None:
        return _close(tuple(bound), found[2])
    content = _outer_content(bound, body)
    if content != TRIVIAL:
        return _times(content, _close(tuple(bound), _without(content, body)))
    only = next(iter(body.terms))
    if body.terms == {only: 1} and _of_letters(only):
        return ONE
    order = next(labellings(bound, body, {})) if len(bound) > 1 else bound
    names, named = _named(order, body)
    return raw_atom(Max(names, [named]))


def turn(bound: Iterable[Index], body: Poly) -> tuple[Index, Slot, Poly] | None:
    """A letter j, the only slot with it, and the body with j for that all round its axis."""
    for letter in bound:
        slots = wrapping(body, letter)
        if slots is None or len(slots) != 1 or letter in slots:
            continue
        (slot,) = slots
        if slot.free <= body.free:  # with no letter that a scope inside binds
            items, const = slot_items(slot)
            c = items[letter]
            others = {i: -c * d for i, d in items.items() if i is not letter}
            back = affine({letter: c, **others}, -c * const)
            return letter, slot, nf.substitute(body, {letter: back})
    return None


def _of_letters(term: Term) -> bool:
    """δ_ij of two letters."""
    ((atom, e), *more) = term
    letters = isinstance(atom, Delta) and isinstance(atom.a, Index) and isinstance(atom.b, Index)
    return letters and not more and e == 1


def _outer_content(
    bound: Iterable[Index], body: Poly, signs: frozenset[str] = frozenset(("+", "0+"))
) -> Content:
    """The greatest factor of the body with one of these signs that touches no bound index."""
    return laws.common_content(list(body), False, frozenset(bound), signs, squares=True)


def _without(content: Content, poly: Poly) -> Poly:
    """poly / content."""
    coefficient, term = content
    return nf.scale(nf.times(poly, {a: -e for a, e in term}), rational(1 / Fraction(coefficient)))


def _times(content: Content, poly: Poly) -> Poly:
    """content · poly."""
    coefficient, term = content
    return nf.scale(nf.multiply(Poly({term: 1}), poly), coefficient)


def _named(order: Sequence[Index], body: Poly) -> tuple[list[Index], Poly]:
    names: dict[Index, Slot] = {
        b: Index(str(k), b.size, body.height + 1) for k, b in enumerate(order)
    }
    return [i for i in names.values() if isinstance(i, Index)], nf.substitute(body, names)


__all__ = ["entered", "indicator", "largest"]
