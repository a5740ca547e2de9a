"""Weights beside exponentials, which may be 0: what they leave out of e^q may be anything.

    w e^q / Σ w e^q,  log(1 + w e^q),  w an array that comes in

A weight gets a condition, [w ≠ 0], which changes no product with w: the largest exponent is taken
of what it leaves, and w e^{q − max q} is one array.  The weight stays where it is, for it has a
derivative where it is 0: e^{q − max q} without w, as far as numbers go.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Any

from .. import normalize as nf
from ..distinct import different
from ..ir import (
    ONE,
    ONE_TERM,
    Atom,
    Call,
    Delta,
    Index,
    Max,
    Poly,
    Ref,
    Sum,
    Tensor,
    Term,
    extent,
    parts,
    rational,
    raw_atom,
)
from ..laws import sign_of
from .conditions import CONDITION, dividing, exponentials, is_mask, is_sigmoid, letters_of_exponent
from .entry import Entry, canonical, numbered

WEIGHT = "weight"  # the role of a tensor that stands for a sum, as 1 − w is
NOT_ZERO = "!="
Entries = Mapping[Tensor, Entry]
Arrays = dict[Tensor, bool]  # which tensors are arrays, or made of such entry by entry
# w, [w ≠ 0] but for x_i − y_j, which is 0 where they happen to agree, and what stands for a sum
Weights = dict[Poly, tuple[Entry | None, Entry | None]]


def with_weights(entries: Entries) -> dict[Tensor, Entry]:
    """The entries, with a condition beside every weight of an exponential."""
    weights: Weights = {}
    arrays: Arrays = {}
    entries = {
        t: replace(e, poly=nf.normalize(e.poly)) if _in_brackets(e.poly, entries, arrays) else e
        for t, e in entries.items()
    }
    for term, bound, several in dividing(entries):
        letters = letters_of_exponent(term, entries)
        beside = exponentials(term, entries)
        for atom, e in term if letters is not None else ():
            own = atom.free & bound if bound or not several else atom.free
            if not beside and is_sigmoid(atom, e, entries):
                continue
            if e > 0 and own and own <= (letters or set()) and _may_be_zero(atom, entries, arrays):
                _enter(weights, atom)
    if not weights:
        return dict(entries)
    whole = {t: _rejoined(e.poly, weights) for t, e in entries.items()}
    made = {t: replace(e, poly=_weighed(whole[t], weights, entries)) for t, e in entries.items()}
    return made | {e.tensor: e for pair in weights.values() for e in pair if e is not None}


def _in_brackets(node: Any, entries: Entries, arrays: Arrays) -> bool:
    """There is a weight times a sum with exponentials in it, as w (e^q + 1)."""
    if isinstance(node, Term):
        for atom, e in node:
            sums = atom if isinstance(atom, Poly) and e > 0 else ()
            if any(letters_of_exponent(t, entries) is not None for t, _ in sums) and any(
                _may_be_zero(a, entries, arrays) for a, d in node if d > 0
            ):
                return True
    return any(_in_brackets(part, entries, arrays) for part in parts(node))


def weight_of(entries: Entries, condition: Atom) -> Atom | None:
    """w for the condition [w ≠ 0]; None for any other one."""
    entry = entries.get(condition.tensor) if isinstance(condition, Ref) else None
    if entry is None or entry.test is None or entry.test[1] != NOT_ZERO:
        return None
    assert isinstance(condition, Ref)
    places = dict(zip(entry.indices, condition.slots, strict=True))
    ((term, _),) = nf.substitute(entry.test[0], places)
    ((atom, _),) = term
    return atom


def held_back(entries: Entries, term: Term, masks: Sequence[Atom]) -> tuple[dict[Atom, Poly], Term]:
    """What each mask is one array with, itself and its weight, and the other factors of a product.

    w e^q is one array where w is 0, whatever q is there.
    """
    left = {a: e for a, e in term if a not in masks}
    held: dict[Atom, Poly] = {}
    for mask in masks:
        held[mask] = raw_atom(mask)
        weight = weight_of(entries, mask)
        if weight is not None and left.get(weight, 0) >= 1:
            left[weight] = rational(left[weight] - 1)
            held[mask] = nf.multiply(raw_atom(mask), raw_atom(weight))
    return held, Term({a: e for a, e in left.items() if e})


def _may_be_zero(atom: Any, entries: Entries, arrays: Arrays) -> bool:
    """An array that comes in, or is made of such entry by entry, and is not known to be positive.

    What a sum is made of is no mask, and its exponentials would not be computed once.
    """
    if is_mask(atom) or isinstance(atom, Delta) or sign_of(atom) == "+":
        return False
    return isinstance(atom, Ref | Poly) and _entrywise(atom, entries, arrays)


def _entrywise(node: Any, entries: Entries, arrays: Arrays) -> bool:
    if isinstance(node, Call) and node.name == "exp":
        return False
    if isinstance(node, Ref):
        if node.tensor not in arrays:
            entry = entries.get(node.tensor)
            arrays[node.tensor] = entry is None or _entrywise(entry.poly, entries, arrays)
        return arrays[node.tensor]
    if isinstance(node, Sum | Max):
        return False
    return all(_entrywise(p, entries, arrays) for p in parts(node))


def _enter(weights: Weights, atom: Atom) -> None:
    key, order = canonical(nf.normalize(raw_atom(atom)))
    if key in weights:
        return
    indices = tuple(numbered(k, i.size) for k, i in enumerate(order))
    sizes = tuple(i.size for i in order)
    tensor = Tensor(f"~n{len(weights)}", sizes, role=CONDITION)
    held: Entry | None = None
    value = key
    if different(key) is not None:  # a mask by itself, with no derivative
        weights[key] = Entry(tensor, indices, key), None
        return
    if not isinstance(atom, Ref):  # a sum, which nothing multiplies out
        held = Entry(Tensor(f"~w{len(weights)}", sizes, role=WEIGHT), indices, key)
        value = raw_atom(Ref(held.tensor, indices))
        if isinstance(atom, Poly) and not any(t.free == atom.free for t, _ in atom):
            # of pairs: what they have in common, features, comes last
            common = frozenset.intersection(*(t.free for t, _ in key))
            places = sorted(indices, key=lambda i: i in common)
            tensor = Tensor(held.tensor.name, tuple(i.size for i in places), role=WEIGHT)
            weights[key] = None, Entry(tensor, tuple(places), key)
            return
    # [w ≠ 0] w is w, so as a factor it is 1
    weights[key] = Entry(tensor, indices, ONE, test=(value, NOT_ZERO)), held


def _weighed(node: Any, weights: Weights, entries: Entries) -> Any:
    """The expression with the condition of every weight that stands beside an exponential."""
    match node:
        case Poly():
            made = {_term(term, weights, entries): c for term, c in node}
            return node if made.keys() == node.terms.keys() else Poly(made)
        case Sum():
            body = _weighed(node.body, weights, entries)
            return node if body is node.body else Sum(node.bound, body)
        case Call():
            args = tuple(_weighed(a, weights, entries) for a in node.args)
            return node if args == node.args else Call(node.name, args)
    return node


def _rejoined(poly: Poly, weights: Weights) -> Poly:
    """The expression with u − c in place of w, for a weight u = c + w that derivatives have
    multiplied out; as it was where that is no shorter."""

    def rule(atom: Any) -> Poly | None:
        for key, (_, held) in weights.items():
            own = [(a, e, k) for t, k in key for a, e in t]
            if held is None or len(own) != 1 or not isinstance(atom, Ref):
                continue
            ((of, e, k),) = own
            if not isinstance(of, Ref) or e != 1:
                continue
            if of.tensor is atom.tensor and all(isinstance(x, Index) for x in of.slots):
                at = dict(zip(of.slots, atom.slots, strict=True))
                u = raw_atom(Ref(held.tensor, tuple(at[x] for x in held.indices)))
                rest = nf.subtract(u, Poly({ONE_TERM: key.terms.get(ONE_TERM, 0)}))
                return nf.scale(rest, rational(1 / Fraction(k)))
        return None

    if all(held is None for _, held in weights.values()):
        return poly
    normal = nf.normalize(poly)
    whole = nf.rewrite(normal, rule)
    return whole if extent(whole) < extent(normal) else poly


def _term(term: Term, weights: Weights, entries: Entries) -> Term:
    beside = letters_of_exponent(term, entries) is not None
    powers: dict[Atom, Any] = {}
    for atom, e in term:
        found = None
        if beside and e > 0 and isinstance(atom, Ref | Poly):
            if isinstance(atom, Ref) and atom.tensor.role == WEIGHT:
                places = atom.slots
                found = next(
                    pair for pair in weights.values() if pair[1] and pair[1].tensor is atom.tensor
                )
            else:
                key, order = canonical(nf.normalize(raw_atom(atom)))
                found, places = weights.get(key), tuple(order)
                if found is not None and found[0] is None and found[1] is not None:
                    at = {numbered(k, i.size): i for k, i in enumerate(order)}
                    places = tuple(at[x] for x in found[1].indices)
        if found is None:
            powers[_weighed(atom, weights, entries)] = e
            continue
        condition, held = found
        if condition is not None:
            powers[Ref(condition.tensor, places)] = 1
        if condition is None or condition.test is not None:
            powers[atom if held is None else Ref(held.tensor, places)] = e
    return Term(powers)


__all__ = ["held_back", "weight_of", "with_weights"]
