"""Conditions on arrays beside exponentials are masks: what they leave out of e^q may be anything.

    e^q [u ≥ 0]      e^q (1 − [u ≥ 0])      w e^q = w [w ≠ 0] e^q

They are those of a sum that divides something or has a logarithm, as in a softmax.  Each condition
is an array of its own, so that no law multiplies 1 − [u ≥ 0] out; where it stands beside an
exponential, the largest exponent is taken of what it leaves, as with masks of indices.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from .. import normalize as nf
from ..ir import ONE, Call, Mask, Poly, Ref, Sum, Tensor, Term, parts, raw_atom
from .entry import Entry, canonical, numbered
from .logistic import exponent_of

CONDITION = "condition"  # the role of a tensor that is 1 where something holds and 0 elsewhere
Known = dict[Poly, tuple[Entry, bool]]  # u, and whether it is [u ≥ 0] or [u < 0]


def is_mask(atom: Any) -> bool:
    """A mask of indices, or a condition on arrays."""
    return isinstance(atom, Mask) or (isinstance(atom, Ref) and atom.tensor.role == CONDITION)


def with_conditions(entries: Mapping[Tensor, Entry]) -> dict[Tensor, Entry]:
    """The entries, with conditions beside exponentials as entries of their own."""
    known: Known = {}
    for entry in entries.values():
        for term, divides in _products(entry.poly):
            if not divides or exponent_of(term) is None:
                continue
            for atom, e in term:
                found = _condition(atom)
                if found is not None:
                    _enter(known, *found)
                elif e == 1 and isinstance(atom, Ref) and _weight(atom, entries):
                    _enter(known, _size(atom), False)
    if not known:
        return dict(entries)
    made = {
        tensor: Entry(
            tensor, e.indices, _weighed(_rewritten(e.poly, known), known), e.guard, e.shift,
            e.adjoint,
        )
        for tensor, e in entries.items()
    }  # fmt: skip
    return made | {entry.tensor: entry for entry, _ in known.values()}


def _products(node: Any, divides: bool = False) -> Iterator[tuple[Term, bool]]:
    """Every product, and whether it is under a sum that divides something or has a logarithm."""
    match node:
        case Poly():
            for term, _ in node:
                yield term, divides
                for atom, e in term:
                    inside = isinstance(atom, Sum) and (e < 0 or divides)
                    yield from _products(atom, inside or (isinstance(atom, Poly) and e < 0))
        case Call(name="log"):
            yield from _products(node.args[0], True)
        case Sum():
            yield from _products(node.body, divides)
        case _:
            for part in parts(node):
                yield from _products(part)


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


def _weight(ref: Ref, entries: Mapping[Tensor, Entry]) -> bool:
    """An array that comes in and may be 0."""
    tensor = ref.tensor
    return bool(ref.slots) and not (tensor in entries or tensor.positive or tensor.role)


def _size(weight: Ref) -> Poly:
    """−|w|, which is below 0 where w ≠ 0."""
    return nf.scale(nf.call("abs", [raw_atom(weight)]), -1)


def _enter(known: Known, u: Poly, at_least: bool) -> None:
    key, order = canonical(nf.normalize(u))
    if key not in known:
        indices = tuple(numbered(k, i.size) for k, i in enumerate(order))
        tensor = Tensor(f"~c{len(known)}", tuple(i.size for i in order), role=CONDITION)
        step = raw_atom(Call("step", (key,)))
        value = step if at_least else nf.subtract(ONE, step)
        known[key] = Entry(tensor, indices, value, test=(key, at_least)), at_least


def _held(known: Known, u: Poly) -> tuple[Poly, bool] | None:
    """The condition on u, and whether it is [u ≥ 0]; None where there is none."""
    key, order = canonical(nf.normalize(u))
    if key not in known:
        return None
    entry, at_least = known[key]
    return raw_atom(Ref(entry.tensor, order)), at_least


def _rewritten(poly: Poly, known: Known) -> Poly:
    """Every [u ≥ 0] as the condition, or as 1 less it."""

    def rule(atom: Any) -> Poly | None:
        found = _held(known, atom.args[0]) if _is_step(atom) else None
        return found and (found[0] if found[1] else nf.subtract(ONE, found[0]))

    return nf.rewrite(poly, rule) if any(_steps(poly)) else poly


def _is_step(atom: Any) -> bool:
    return isinstance(atom, Call) and atom.name == "step"


def _steps(node: Any) -> Iterator[bool]:
    yield _is_step(node)
    for part in parts(node):
        yield from _steps(part)


def _weighed(poly: Poly, known: Known) -> Poly:
    """Every w e^q as w [w ≠ 0] e^q."""

    def rule(atom: Any) -> Poly | None:
        if not isinstance(atom, Sum):
            return None
        bound, body = nf.opened(atom, atom.free)
        return nf.sum_over(bound, _weighed(body, known))

    made = []
    for term, c in nf.rewrite(poly, rule):
        beside = [a for a, _ in term if isinstance(a, Ref)] if exponent_of(term) else []
        held = [found[0] for a in beside if (found := _held(known, _size(a)))]
        made.append(nf.multiply(Poly({term: c}), *held))
    return nf.add(*made)
