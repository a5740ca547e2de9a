"""Sums under a mask of order are prefix sums: what one place has is used for the next.

    Σ_j [j ≤ i] w_j                the cumulative sum; [j < i] begins one place later, and sums
                                   over i instead of j go from the end
    Σ_j [j ≤ i] e^{q_j − m_i} w_j  = y_i = e^{m_{i−1} − m_i} y_{i−1} + e^{q_i − m_i} w_i
    Σ_i [j ≤ i] e^{q_j − m_i} w_i  = e^{q_j − m_j} z_j, z_j = w_j + e^{m_j − m_{j+1}} z_{j+1}
    Σ_j [j ≤ i] e^{u_j + v_i} w_j  = y_i = e^{v_i − v_{i−1}} y_{i−1} + e^{u_i + v_i} w_i

with m_i = max_{j ≤ i} q_j the running maximum.  No exponential of a difference to it is above 1,
that of u_i + v_i is a weight of the sum itself, and no sum is a difference of others, so all keep
their digits.  It is done where the sum is no larger an array than one of its factors:
Σ_j [j ≤ i] k_ja v_jb q_ia goes chunk by chunk, see ordered.py.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import sympy as sp

from .. import normalize as nf
from ..ir import Call, Delta, Index, Mask, Poly, Ref, Term, raw_atom, refs, slot_items
from .contract import stand_in
from .cumulative import cumsum, largest_so_far
from .nodes import FIXED, MOVING, STRICT, Label, View

if TYPE_CHECKING:
    from .contract import Scope, Unit
    from .entry import Env
    from .peaks import Peak
    from .plan import Planner

LOWEST = sp.Integer(-3 * 10**38)  # of a reference that is subtracted: −∞ − (−∞) would be no number


@dataclass(frozen=True)
class Order:
    """[earlier ≤ later], or [earlier < later] where it is strict."""

    earlier: Index
    later: Index
    strict: bool

    def other(self, letter: Index) -> Index:
        """The other one of the two letters."""
        return self.later if letter is self.earlier else self.earlier


@dataclass(frozen=True)
class Kernel:
    """e^{k (q_a − m_b)} where an order of a and b holds, m_b the largest of these q_a; e^{u + v}
    with u of the one and v of the other letter; or only that order."""

    order: Order
    q: Poly | None = None
    place: Index | None = None  # a
    k: sp.Rational = sp.S.One
    decay: dict[Index, Poly] | None = None  # the part of the exponent that has each letter


def order_of(mask: Mask) -> Order | None:
    """The order of two letters that a mask says."""
    items, const = slot_items(mask.slot)
    if const not in (0, -1) or sorted(items.values()) != [-1, 1]:
        return None
    earlier, later = sorted(items, key=lambda i: items[i])
    return Order(earlier, later, const == -1) if earlier.size == later.size else None


# ------------------------------------------------------------------------------------ which sums


def prefixes(planner: Planner, units: list[Unit], scope: Scope) -> View | list[Unit]:
    """The product with its prefix sums as factors, summed if it is one alone."""
    again = True
    while again:
        again = False
        for unit in units:
            found = _sum(planner, unit, units, scope)
            if found is None:
                continue
            kernel, letter, group, rest = found
            if not rest:
                view = _made(planner, kernel, letter, group, scope)
                gone = {scope.env[b] for b in scope.bound}
                return planner.summed(view, gone & set(view.labels))
            part = nf.multiply(*(nf.power(raw_atom(a), e) for a, e in (unit, *group)))
            over = {letter} | _inner(group, letter, rest, scope)
            units, again = [*rest, (stand_in(planner, nf.sum_over(over, part)), 1)], True
            break
    return units


Found = tuple[Kernel, Index, list["Unit"], list["Unit"]]


def _sum(planner: Planner, unit: Unit, units: list[Unit], scope: Scope) -> Found | None:
    """A kernel, the letter that is summed, what is multiplied along it, and all the rest."""
    kernel = _kernel(planner, *unit)
    if kernel is None:
        return None
    others = [u for u in units if u is not unit]
    for letter in (kernel.order.earlier, kernel.order.later):
        other = kernel.order.other(letter)
        group = [u for u in others if letter in u[0].free]
        if letter not in scope.bound or any(other in u[0].free for u in group):
            continue
        if not all(_plain(atom) for atom, _ in group):
            continue
        rest = [u for u in others if u not in group]
        inner = _inner(group, letter, rest, scope)
        kept = {i for atom, _ in group for i in atom.free} - inner
        arrays = [atom for atom, _ in group if not isinstance(atom, Mask)]
        if group and not any(kept <= atom.free for atom in arrays or (a for a, _ in group)):
            continue
        if inner & unit[0].free:
            continue
        return kernel, letter, group, rest
    return None


def _plain(atom: Any) -> bool:
    if isinstance(atom, Delta):
        return len(atom.free) < 2
    return not isinstance(atom, Ref) or all(isinstance(s, Index) for s in atom.slots)


def _inner(group: list[Unit], letter: Index, rest: list[Unit], scope: Scope) -> set[Index]:
    """What is summed inside of a prefix sum."""
    outside = {i for atom, _ in rest for i in atom.free}
    return {i for atom, _ in group for i in atom.free & scope.bound} - outside - {letter}


def _kernel(planner: Planner, atom: Any, e: Any) -> Kernel | None:
    if isinstance(atom, Mask):
        order = order_of(atom)
        return None if order is None else Kernel(order)
    entry = planner.standing.get(atom.tensor) if isinstance(atom, Ref) else None
    if entry is None or entry.shift or entry.test or entry.guard or entry.left or entry.small:
        return None
    if not any(isinstance(a, Mask) for term, _ in entry.poly for a, _ in term):
        return None
    body = entry.at(atom.slots)
    only = None if body is None else body.single
    if only is None or only[1] != 1 or len(only[0].powers) != 2 or e != int(e) or e < 1:
        return None
    masks = [a for a, _ in only[0] if isinstance(a, Mask)]
    exps = [a for a, d in only[0] if isinstance(a, Call) and a.name == "exp" and d == 1]
    order = order_of(masks[0]) if len(masks) == len(exps) == 1 else None
    if order is None:
        return None
    exponent = exps[0].args[0]
    for ref in refs(exponent):
        peak, c = planner.peaks.get(ref.tensor), exponent.terms.get(Term({ref: 1}), 0)
        if peak is None or c >= 0 or len(peak.exponents) != 1 or len(peak.bound) != 1:
            continue
        for place in (order.earlier, order.later):
            if _of(peak, ref, place, masks[0], exponent, -sp.Rational(c)):
                q = _at(peak.exponents[0], peak, ref, place)
                return Kernel(order, q, place, -sp.Rational(c) * e)
    if any(
        _may_be_empty(planner.peaks[r.tensor]) for r in refs(exponent) if r.tensor in planner.peaks
    ):
        return None  # −∞ at a place is no part of what goes from one place to the next
    return _decay(nf.scale(exponent, int(e)), order)


def _may_be_empty(peak: Peak) -> bool:
    """A maximum under masks that may leave nothing: all but [j ≤ i]."""
    orders = [order_of(m) if isinstance(m, Mask) else None for m in peak.masks]
    return any(order is None or order.strict for order in orders)


def _decay(exponent: Poly, order: Order) -> Kernel | None:
    """e^{u_j + v_i} under an order of i and j."""
    both = {order.earlier, order.later}
    if any(both <= t.free for t, _ in exponent):
        return None
    parts = {i: Poly({t: c for t, c in exponent if i in t.free}) for i in both}
    other = Poly({t: c for t, c in exponent if both.isdisjoint(t.free)})
    if not all(p.terms for p in parts.values()):
        return None
    parts[order.earlier] = nf.add(parts[order.earlier], other)
    return Kernel(order, decay=parts)


def _at(what: Any, peak: Peak, ref: Ref, place: Index) -> Poly:
    return nf.substitute(what, {**dict(zip(peak.indices, ref.slots, strict=True)),
                                peak.bound[0]: place})  # fmt: skip


def _of(peak: Peak, ref: Ref, place: Index, mask: Mask, exponent: Poly, k: sp.Rational) -> bool:
    """The exponent is k times that of a peak at some place, less the largest of these."""
    if len(peak.masks) != 1 or not all(isinstance(s, Index) for s in ref.slots):
        return False
    if place in ref.free or _at(peak.masks[0], peak, ref, place) is not raw_atom(mask):
        return False
    q = _at(peak.exponents[0], peak, ref, place)
    alone = not q.free & mask.free - {place}
    return alone and exponent is nf.scale(nf.subtract(q, raw_atom(ref)), k)


# -------------------------------------------------------------------------------- as operations


def _made(planner: Planner, kernel: Kernel, letter: Index, group: list[Unit], scope: Scope) -> View:
    """The sum over a letter, for every place of the other one.

    What is summed has the other letter from the start, so that no axis is turned for it.
    """
    order, label = kernel.order, scope.env[kernel.order.other(letter)]
    env, backwards = {**scope.env, letter: label}, letter is order.later
    factors = []
    if group:
        product = nf.multiply(*(nf.power(raw_atom(atom), e) for atom, e in group))
        own = nf.sum_over(_inner(group, letter, [], scope) - {order.other(letter)}, product)
        factors.append((planner.lower(own, env), sp.S.One))
    late = "after" if order.strict else ""
    if kernel.decay is not None:
        return _decayed(planner, kernel, letter, factors, env, label)
    if kernel.q is None or kernel.place is None:
        return cumsum(planner, planner.multiply(factors, sp.S.One), label, backwards, late)
    q = planner.lower(kernel.q, env)
    top = largest_so_far(planner, q, label, kernel.place is order.later)
    both = [(v.node, v.labels) for v in (top, View(planner.literal(LOWEST)))]
    reference = planner.node("maximum", both, top.labels, FIXED)
    exponent = planner.multiply([(planner.minus(q, reference), sp.S.One)], kernel.k)
    power = planner.node("call", [(exponent.node, exponent.labels)], exponent.labels, "exp")
    if letter is kernel.place:
        x = planner.multiply([*factors, (power, sp.S.One)], sp.S.One)
        rate = planner.multiply([(reference, sp.S.One)], kernel.k)
        return cumsum(planner, x, label, backwards, late, rate)
    x = planner.multiply(factors, sp.S.One)
    rate = planner.multiply([(reference, sp.S.One)], -kernel.k)
    late = "before" if order.strict else ""
    y = cumsum(planner, x, label, backwards, late, rate)
    return planner.multiply([(power, sp.S.One), (y, sp.S.One)], sp.S.One)


def _decayed(
    planner: Planner,
    kernel: Kernel,
    letter: Index,
    factors: list[tuple[View, sp.Rational]],
    env: dict[Index, Label],
    label: Label,
) -> View:
    """Σ_j [j ≤ i] e^{u_j + v_i} w_j, where i and j have the same label."""
    order, parts = kernel.order, kernel.decay
    assert parts is not None
    other = order.other(letter)
    here = nf.add(nf.substitute(parts[letter], {letter: other}), parts[other])
    if here.terms:
        factors = [*factors, (planner.lower(nf.call("exp", [here]), env), sp.S.One)]
    rate = planner.lower(nf.scale(parts[other], -1), env)
    x = planner.multiply(factors, sp.S.One)
    late = STRICT if order.strict else MOVING
    return cumsum(planner, x, label, letter is order.later, late, rate)


def renamed(view: View, old: Label, new: Label) -> View:
    """The view with another letter for an axis."""
    return View(view.node, tuple(new if label is old else label for label in view.labels))


def running_peak(planner: Planner, peak: Peak, env: Env) -> View | None:
    """max_j q_j where [j ≤ i]; None for any other peak."""
    if len(peak.masks) != 1 or len(peak.bound) != 1 or not isinstance(peak.masks[0], Mask):
        return None
    order, (exponent,), (b,) = order_of(peak.masks[0]), peak.exponents, peak.bound
    if order is None or b not in exponent.free:
        return None
    other = order.other(b)
    if other in exponent.free or b not in (order.earlier, order.later):
        return None
    q = planner.lower(exponent, env)
    late = "after" if order.strict else ""
    top = largest_so_far(planner, q, env[b], b is order.later, late)
    return renamed(top, env[b], env[other])


__all__ = ["order_of", "prefixes", "running_peak"]
