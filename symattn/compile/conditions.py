"""What stands beside exponentials and may be 0: what it leaves out of e^q may be anything.

    e^q [u ≥ 0]      e^q (1 − [u ≥ 0])      e^q w,  w an array

They are those of a sum that divides something or has a logarithm, as in a softmax.  Each condition
is an array of its own, so that no law multiplies 1 − [u ≥ 0] out; where it stands beside an
exponential, the largest exponent is taken of what it leaves, as with masks of indices.  A weight w
gets the condition [w ≠ 0], which changes no product with w, and stays where it is: it has a
derivative where it is 0.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from .. import normalize as nf
from ..ir import (
    ONE,
    Atom,
    Call,
    Delta,
    Index,
    Mask,
    Max,
    Poly,
    Ref,
    Sum,
    Tensor,
    Term,
    parts,
    rational,
    raw_atom,
)
from ..laws import sign_of
from .entry import Entry, canonical, numbered
from .logistic import exponent_of

CONDITION = "condition"  # the role of a tensor that is 1 where something holds and 0 elsewhere
Known = dict[Poly, tuple[Entry, bool]]  # u, and whether it is [u ≥ 0] or [u < 0]
Weights = dict[Poly, tuple[Entry, Entry | None]]  # w, [w ≠ 0], and what stands for a sum
WEIGHT = "weight"
Entries = Mapping[Tensor, Entry]
NOT_ZERO = "!="


def is_mask(atom: Any) -> bool:
    """A mask of indices, or a condition on arrays."""
    return isinstance(atom, Mask) or (isinstance(atom, Ref) and atom.tensor.role == CONDITION)


def with_conditions(entries: Entries) -> dict[Tensor, Entry]:
    """The entries, with conditions beside exponentials as entries of their own."""
    known: Known = {}
    weights: Weights = {}
    for term, bound in _dividing(entries):
        q = _exponent(term, entries)
        if q is None:
            continue
        for atom, e in term:
            found = _condition(atom)
            if found is not None:
                _enter(known, *found)
            elif e > 0 and _may_be_zero(atom, entries) and atom.free & bound:
                if atom.free & bound <= q:
                    _weigh(weights, atom)
    if not known and not weights:
        return dict(entries)
    made = {t: replace(e, poly=_rewritten(e.poly, known)) for t, e in entries.items()}
    if weights:
        made = {t: replace(e, poly=_weighed(e.poly, weights, made)) for t, e in made.items()}
    parts = [entry for entry, _ in known.values()]
    parts += [entry for pair in weights.values() for entry in pair if entry is not None]
    return made | {entry.tensor: entry for entry in parts}


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


def held_back(
    entries: Entries, term: Term, masks: Sequence[Atom]
) -> tuple[dict[Atom, Poly], Term]:
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


# ------------------------------------------------------------------------- what divides something


def _dividing(entries: Entries) -> Iterator[tuple[Term, set[Index]]]:
    """Every product under a sum that divides something or has a logarithm, also where definitions
    are between them, with the letters that are summed over."""
    seen: set[tuple[Tensor, frozenset[Index]]] = set()

    def products(node: Any, divides: bool, bound: set[Index]) -> Iterator[tuple[Term, set[Index]]]:
        match node:
            case Poly():
                for term, _ in node:
                    if divides and bound:
                        yield term, bound
                    for atom, e in term:  # what divides has a scope of its own
                        inside = bound if divides or e > 0 else set()
                        yield from products(atom, divides or e < 0, inside)
            case Call(name="log"):
                yield from products(node.args[0], True, set())
            case Call() | Max():
                for part in parts(node):
                    yield from products(part, False, set())
            case Sum():
                yield from products(node.body, divides, {*bound, *node.bound})
            case Ref() if divides and node.tensor in entries:
                entry = entries[node.tensor]
                pairs = zip(entry.indices, node.slots, strict=True)
                own = {i for i, s in pairs if s in bound}
                if (node.tensor, frozenset(own)) not in seen:
                    seen.add((node.tensor, frozenset(own)))
                    yield from products(entry.poly, True, own)

    for entry in entries.values():
        yield from products(entry.poly, False, set())


def _exponent(term: Term, entries: Entries) -> frozenset[Index] | None:
    """The letters of the exponent of a product, which may be that of a definition."""
    q = exponent_of(term)
    letters = [q.free] if q is not None else []
    letters += [a.free for a, _ in term if _is_exponential(a, entries)]
    return frozenset().union(*letters) if letters else None


def _is_exponential(atom: Any, entries: Entries) -> bool:
    """A definition that is the product of an exponential with others."""
    if not isinstance(atom, Ref) or atom.tensor not in entries:
        return False
    only = entries[atom.tensor].poly.single
    return only is not None and _exponent(only[0], entries) is not None


# ------------------------------------------------------------------------------------- conditions


def _condition(atom: Any) -> tuple[Poly, bool] | None:
    """u of [u ≥ 0], or of 1 − [u ≥ 0] and then False."""
    if _is_step(atom):
        return atom.args[0], True
    if isinstance(atom, Poly):
        other = nf.subtract(ONE, nf.normalize(atom)).single
        if other is not None and other[1] == 1 and list(other[0].powers.values()) == [1]:
            found = _condition(next(iter(other[0]))[0])
            return None if found is None else (found[0], not found[1])
    return None


def _enter(known: Known, u: Poly, at_least: bool) -> None:
    key, order = canonical(nf.normalize(u))
    if key not in known:
        indices = tuple(numbered(k, i.size) for k, i in enumerate(order))
        tensor = Tensor(f"~c{len(known)}", tuple(i.size for i in order), role=CONDITION)
        step = raw_atom(Call("step", (key,)))
        value = step if at_least else nf.subtract(ONE, step)
        test = key, ">=" if at_least else "<"
        known[key] = Entry(tensor, indices, value, test=test), at_least


def _rewritten(poly: Poly, known: Known) -> Poly:
    """Every [u ≥ 0] as the condition, or as 1 less it."""

    def rule(atom: Any) -> Poly | None:
        if not _is_step(atom):
            return None
        key, order = canonical(nf.normalize(atom.args[0]))
        if key not in known:
            return None
        entry, at_least = known[key]
        held = raw_atom(Ref(entry.tensor, order))
        return held if at_least else nf.subtract(ONE, held)

    return nf.rewrite(poly, rule) if any(_steps(poly)) else poly


def _is_step(atom: Any) -> bool:
    return isinstance(atom, Call) and atom.name == "step"


def _steps(node: Any) -> Iterator[bool]:
    yield _is_step(node)
    for part in parts(node):
        yield from _steps(part)


# ---------------------------------------------------------------------------------------- weights


def _may_be_zero(atom: Any, entries: Entries) -> bool:
    """An array that comes in, or is made of such entry by entry, and is not known to be positive.

    What a sum is made of is no mask, and its exponentials would not be computed once.
    """
    if is_mask(atom) or isinstance(atom, Delta) or sign_of(atom) == "+":
        return False
    return isinstance(atom, Ref | Poly) and _entrywise(atom, entries)


def _entrywise(node: Any, entries: Entries) -> bool:
    if isinstance(node, Call) and node.name == "exp":
        return False
    if isinstance(node, Ref):
        return node.tensor not in entries or _entrywise(entries[node.tensor].poly, entries)
    return not isinstance(node, Sum | Max) and all(_entrywise(p, entries) for p in parts(node))


def _weigh(weights: Weights, atom: Atom) -> None:
    key, order = canonical(nf.normalize(raw_atom(atom)))
    if key in weights:
        return
    indices = tuple(numbered(k, i.size) for k, i in enumerate(order))
    sizes = tuple(i.size for i in order)
    held: Entry | None = None
    value = key
    if not isinstance(atom, Ref):  # a sum, which nothing multiplies out
        held = Entry(Tensor(f"~w{len(weights)}", sizes, role=WEIGHT), indices, key)
        value = raw_atom(Ref(held.tensor, indices))
    tensor = Tensor(f"~n{len(weights)}", sizes, role=CONDITION)
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


def _term(term: Term, weights: Weights, entries: Entries) -> Term:
    beside = _exponent(term, entries) is not None
    powers: dict[Atom, Any] = {}
    for atom, e in term:
        found = None
        if beside and e > 0 and isinstance(atom, Ref | Poly):
            key, order = canonical(nf.normalize(raw_atom(atom)))
            found = weights.get(key)
        if found is None:
            powers[_weighed(atom, weights, entries)] = e
            continue
        condition, held = found
        powers[Ref(condition.tensor, tuple(order))] = 1
        powers[atom if held is None else Ref(held.tensor, tuple(order))] = e
    return Term(powers)


__all__ = ["CONDITION", "held_back", "is_mask", "weight_of", "with_conditions"]
