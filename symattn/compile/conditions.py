"""Conditions on arrays beside exponentials are masks: what they leave out of e^q may be anything.

    e^q [u ≥ 0]      e^q (1 − [u ≥ 0])

They are those of a sum that divides something or has a logarithm, as in a softmax.  Each condition
is an array of its own, so that no law multiplies 1 − [u ≥ 0] out; where it stands beside an
exponential, the largest exponent is taken of what it leaves, as with masks of indices.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

from .. import normalize as nf
from ..ir import ONE, Call, Index, Mask, Max, Poly, Ref, Sum, Tensor, Term, parts, raw_atom
from .entry import Entry, canonical, numbered
from .logistic import exponent_of, logit

CONDITION = "condition"  # the role of a tensor that is 1 where something holds and 0 elsewhere
Known = dict[Poly, tuple[Entry, bool]]  # u, and whether it is [u ≥ 0] or [u < 0]
Entries = Mapping[Tensor, Entry]
Found = tuple[Term, set[Index], bool]


def is_mask(atom: Any) -> bool:
    """A mask of indices, or a condition on arrays."""
    return isinstance(atom, Mask) or (isinstance(atom, Ref) and atom.tensor.role == CONDITION)


def with_conditions(entries: Entries) -> dict[Tensor, Entry]:
    """The entries, with conditions beside exponentials as entries of their own."""
    known: Known = {}
    for term, _, _ in dividing(entries):
        if letters_of_exponent(term, entries) is not None:
            for found in map(_condition, term.powers):
                if found is not None:
                    _enter(known, *found)
    if not known:
        return dict(entries)
    made = {t: replace(e, poly=_rewritten(e.poly, known)) for t, e in entries.items()}
    return made | {entry.tensor: entry for entry, _ in known.values()}


def failing(poly: Poly) -> Poly | None:
    """u of 1 − [u ≥ 0]."""
    found = _condition(poly) if len(poly) == 2 else None
    return None if found is None else found[0]


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
    key, order = canonical(_reduced(u))
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
        key, order = canonical(_reduced(atom.args[0]))
        if key not in known:
            return None
        entry, at_least = known[key]
        held = raw_atom(Ref(entry.tensor, order))
        return held if at_least else nf.subtract(ONE, held)

    return nf.rewrite(poly, rule) if any(_steps(poly)) else poly


def _reduced(u: Poly) -> Poly:
    """u without a positive factor, as the normal form of [u ≥ 0] has it: [4u ≥ 0] is [u ≥ 0]."""
    only = nf.normalize(raw_atom(Call("step", (u,)))).single
    atom: Any = next(iter(only[0]))[0] if only is not None and len(only[0].powers) == 1 else None
    return atom.args[0] if _is_step(atom) else nf.normalize(u)


def _is_step(atom: Any) -> bool:
    return isinstance(atom, Call) and atom.name == "step"


def _steps(node: Any) -> Iterator[bool]:
    yield _is_step(node)
    for part in parts(node):
        yield from _steps(part)


# ------------------------------------------------------------------------- what divides something


def dividing(entries: Entries) -> Iterator[Found]:
    """Every product under a sum that divides something or has a logarithm, also where definitions
    are between them, with the letters that are summed over and whether it is one of several."""
    seen: set[tuple[Tensor, frozenset[Index]]] = set()

    def products(node: Any, divides: bool, bound: set[Index]) -> Iterator[Found]:
        match node:
            case Poly():
                for term, _ in node:
                    if divides:
                        yield term, bound, len(node) > 1
                    for atom, e in term:  # what divides, or has a root, has a scope of its own
                        here = e < 0 or not isinstance(e, int)
                        inside = bound if divides or not here else set()
                        yield from products(atom, divides or here, inside)
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


def letters_of_exponent(term: Term, entries: Entries) -> frozenset[Index] | None:
    """The letters of the exponent of a product, which may be that of a definition; where there is
    none, those of weights σ."""
    letters = exponentials(term, entries)
    letters = letters or [a.free for a, e in term if is_sigmoid(a, e, entries)]
    return frozenset().union(*letters) if letters else None


def exponentials(term: Term, entries: Entries) -> list[frozenset[Index]]:
    """The letters of each exponential in a product."""
    q = exponent_of(term)
    letters = [q.free] if q is not None else []
    return letters + [a.free for a, _ in term if _is_exponential(a, entries)]


def is_sigmoid(atom: Any, e: Any, entries: Entries) -> bool:
    """σ(x), also as a definition or as it is written."""
    if isinstance(atom, Ref) and atom.tensor in entries:
        only = entries[atom.tensor].poly.single
        return e > 0 and only is not None and any(is_sigmoid(*f, entries) for f in only[0])
    written = e < 0 and logit(atom) is not None
    return written or (e > 0 and isinstance(atom, Call) and atom.name == "sigmoid")


def _is_exponential(atom: Any, entries: Entries) -> bool:
    """A definition that is the product of an exponential with others."""
    if not isinstance(atom, Ref) or atom.tensor not in entries:
        return False
    only = entries[atom.tensor].poly.single
    return only is not None and bool(exponentials(only[0], entries))


__all__ = [
    "CONDITION",
    "dividing",
    "exponentials",
    "failing",
    "is_mask",
    "is_sigmoid",
    "letters_of_exponent",
    "with_conditions",
]
