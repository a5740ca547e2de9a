"""Arrays around their own mean where a common offset cancels: f(x + c) = f(x).

What derivatives of a variance have multiplied out, Σ x² − (Σ x)²/n, is a difference of two large
numbers where x is far from 0.  The same formula in d = x − Σ x/n costs no more and keeps the
digits; Σ d stays in it, for it takes off what rounding has left of the mean.  That f does not
change with the offset is proved by normal forms.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, Any

import sympy as sp

from .. import normalize as nf
from ..ir import (
    ZERO,
    Call,
    Index,
    Poly,
    Rational,
    Ref,
    Sum,
    Tensor,
    Term,
    functions,
    inside,
    parts,
    raw_atom,
    refs,
)
from .contract import stand_in
from .entry import STAND_IN, is_number, numbered, numeric
from .logistic import exponent_of

if TYPE_CHECKING:
    from .plan import Planner

Axes = tuple[int, ...]  # of a tensor


def about_means(planner: Planner, normal: Poly) -> Poly | None:
    """The expression in arrays around their means; None where an offset would change it."""
    opened = _opened(planner, normal)
    below = _below_largest(opened)
    for tensor, kept in dict.fromkeys(_summed(opened)):
        if tensor.role == STAND_IN or tensor.symmetry or tensor in below:
            continue
        if _stays(opened, tensor, kept):
            return _around(planner, opened, tensor, kept)
    return opened if len(opened) < len(normal) else None  # what is 0 by what a mean is


def _below_largest(normal: Poly) -> set[Tensor]:
    """Arrays in log Σ e^x: the largest x is taken from them, and is as good as a mean."""
    found: set[Tensor] = set()
    for atom in inside(normal):
        if isinstance(atom, Call) and atom.name == "log":
            sums = [a for t, _ in atom.args[0] for a, _ in t if isinstance(a, Sum)]
            bodies = [t for a in sums for t, _ in a.body]
            found.update(r.tensor for t in bodies for r in refs(exponent_of(t) or ZERO))
    return found


def _opened(planner: Planner, normal: Poly) -> Poly:
    """The expression with the definitions opened that are the sum or the mean of one array."""

    def rule(atom: Any) -> Poly | None:
        if isinstance(atom, Ref) and is_mean(planner, atom.tensor):
            body = planner.entries[atom.tensor].at(atom.slots)
            return None if body is None else _opened(planner, body)
        return None

    if not any(is_mean(planner, r.tensor) for r in refs(normal)):
        return normal
    return nf.rewrite(normal, rule)


def is_mean(planner: Planner, tensor: Tensor) -> bool:
    """A definition that is the sum of one array over some axes, or a multiple of it by sizes."""
    known = planner.means.get(tensor)
    if known is None:
        planner.means[tensor] = False  # definitions have no cycles; this only ends the search
        entry = planner.entries.get(tensor)
        known = False
        if entry is not None and tensor not in planner.standing:
            only = nf.normalize(entry.poly).single
            left = [] if only is None else [*numeric(only[0])[1]]
            if len(left) == 1 and left[0][1] == 1:
                (atom, _) = left[0]
                known = _lone(atom) is not None
                known = known or (isinstance(atom, Ref) and is_mean(planner, atom.tensor))
        planner.means[tensor] = known
    return known


def _lone(atom: Any) -> Ref | None:
    """x in a sum over some axes of x, each with a letter of its own."""
    if not isinstance(atom, Sum):
        return None
    only = atom.body.single
    if only is None or only[1] != 1 or len(only[0].powers) != 1:
        return None
    ((ref, e),) = only[0]
    if not isinstance(ref, Ref) or e != 1 or not all(isinstance(s, Index) for s in ref.slots):
        return None
    return ref if len(set(ref.slots)) == len(ref.slots) and ref.slots else None


def _summed(node: Any) -> Iterator[tuple[Tensor, Axes]]:
    """Every array with letters that are summed and that nothing else has, and its other axes."""
    if isinstance(node, Sum):
        for term, _ in node.body:
            for ref, e in term:
                if not isinstance(ref, Ref) or e != 1 or len(set(ref.slots)) < len(ref.slots):
                    continue
                others = {i for atom, _ in term if atom is not ref for i in atom.free}
                own = {i for i in node.bound if i in ref.slots and i not in others}
                if own:
                    yield ref.tensor, tuple(k for k, s in enumerate(ref.slots) if s not in own)
    for part in parts(node):
        yield from _summed(part)


def _stays(normal: Poly, tensor: Tensor, kept: Axes) -> bool:
    """The value is the same when the array is moved by something with these axes."""
    return unmoved(normal, {tensor: kept}, tuple(tensor.shape[k] for k in kept))


def unmoved(normal: Poly, moved: Mapping[Tensor, Axes], shape: Sequence[sp.Expr]) -> bool:
    """The value is the same when the arrays are moved by something that has these axes of each.

    Terms with other arrays beside them cannot make up for each other, so those with the same ones
    are asked together, the fewest first; all of them where some have logarithms, out of which
    anything may come.
    """
    by = Tensor("centre", tuple(shape), role=STAND_IN)

    def rule(atom: Any) -> Poly | None:
        if isinstance(atom, Ref) and atom.tensor in moved:
            axes = moved[atom.tensor]
            return nf.add(raw_atom(atom), raw_atom(Ref(by, [atom.slots[k] for k in axes])))
        return None

    if "log" in functions(normal):
        return nf.rewrite(normal, rule) is normal
    beside: dict[frozenset[Tensor], dict[Term, Rational]] = {}
    for term, c in normal:
        own = arrays(term)
        if not own.isdisjoint(moved):
            beside.setdefault(own.difference(moved), {})[term] = c
    classes = (Poly(own) for own in sorted(beside.values(), key=len))
    return all(nf.rewrite(part, rule) is part for part in classes)


@lru_cache(maxsize=10_000)
def arrays(term: Term) -> frozenset[Tensor]:
    """What stands in a product, but for sizes, which sums make."""
    found = {r.tensor for r in refs(term)}
    return frozenset(t for t in found if t.symbol is None or not is_number(t.symbol))


def _around(planner: Planner, normal: Poly, tensor: Tensor, kept: Axes) -> Poly:
    """The expression in x − c, where c is the mean of x."""
    slots = [numbered(k, size) for k, size in enumerate(tensor.shape)]
    others = [i for k, i in enumerate(slots) if k not in kept]
    count = nf.size_poly(sp.Mul(*(i.size for i in others)))
    total = nf.sum_over(others, raw_atom(Ref(tensor, slots)))
    mean = raw_atom(stand_in(planner, nf.multiply(nf.power(count, -1), total)))
    made = stand_in(planner, nf.subtract(raw_atom(Ref(tensor, slots)), mean))
    planner.written.add(planner.standing[made.tensor].poly)
    planner.around.add(made.tensor)

    def moved(atom: Any) -> Poly | None:
        if isinstance(atom, Ref) and atom.tensor is tensor:
            at = dict(zip(slots, atom.slots, strict=True))
            return nf.substitute(raw_atom(made), dict(at))
        return None

    return nf.rewrite(normal, moved)


__all__ = ["about_means", "is_mean", "unmoved"]
