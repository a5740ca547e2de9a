"""Sums under a mask of order are prefix sums: what one place has is used for the next.

    Σ_j [j ≤ i] w_j                the cumulative sum; [j < i] begins one place later, and sums
                                   over i instead of j go from the end
    Σ_j [j ≤ i] e^{q_j − m_i} w_j  = y_i = e^{m_{i−1} − m_i} y_{i−1} + e^{q_i − m_i} w_i
    Σ_i [j ≤ i] e^{q_j − m_i} w_i  = e^{q_j − m_j} z_j, z_j = w_j + e^{m_j − m_{j+1}} z_{j+1}

with m_i = max_{j ≤ i} q_j the running maximum.  No exponential here is above 1, and no sum is a
difference of others, so all keep their digits.  It is done where the sum is no larger an array than
one of its factors: Σ_j [j ≤ i] k_ja v_jb q_ia, say, is left to blocks of rows.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import sympy as sp

from .. import normalize as nf
from ..ir import Call, Delta, Index, Mask, Poly, Ref, Term, raw_atom, refs, slot_items
from .contract import stand_in
from .nodes import FIXED, Label, View, in_order

if TYPE_CHECKING:
    from .contract import Scope, Unit
    from .entry import Env
    from .plan import Planner
    from .stable import Peak

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
    """e^{k (q_a − m_b)} where an order of a and b holds, m_b the largest of these q_a; or only
    that order, without q."""

    order: Order
    q: Poly | None = None
    place: Index | None = None  # a
    k: sp.Rational = sp.S.One


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
        if group and not any(kept <= atom.free for atom, _ in group):
            continue
        if inner & unit[0].free:
            continue
        return kernel, letter, group, rest
    return None


def _plain(atom: Any) -> bool:
    if isinstance(atom, Mask | Delta):
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
    if entry is None or entry.shift or entry.test or entry.guard or entry.left:
        return None
    if not any(isinstance(a, Mask) for term, _ in entry.poly for a, _ in term):
        return None
    only = entry.at(atom.slots).single
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
    return None


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
    if kernel.q is None or kernel.place is None:
        return cumsum(planner, planner.multiply(factors, sp.S.One), label, backwards, late)
    q = planner.lower(kernel.q, env)
    top = largest_so_far(planner, q, label, kernel.place is order.later)
    both = [(v.node, v.labels) for v in (top, View(planner.literal(LOWEST)))]
    reference = planner.node("maximum", both, top.labels, FIXED)
    both = [(v.node, v.labels) for v in (q, reference)]
    difference = planner.node("add", both, q.labels, (sp.S.One, -sp.S.One))
    exponent = planner.multiply([(difference, sp.S.One)], kernel.k)
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


def renamed(view: View, old: Label, new: Label) -> View:
    """The view with another letter for an axis."""
    return View(view.node, tuple(new if label is old else label for label in view.labels))


def cumsum(
    planner: Planner, x: View, along: Label, backwards: bool, late: str, rate: View | None = None
) -> View:
    """Σ e^{r_j − r_i} x_j over all j up to i, or from i on; r does not fall on the way.

    `late` leaves out the place itself: the sum "after" one place is that of the next, or what is
    "before" it, x, is moved.
    """
    if along not in x.labels and rate is None:
        counted = _counted(planner, along, backwards, bool(late))
        if x.node is planner.literal(sp.S.One):
            return counted
        return planner.multiply([(x, sp.S.One), (counted, sp.S.One)], sp.S.One)
    if along not in x.labels:
        x = planner.arrange(x, in_order((*x.labels, along)))
    views = [x] if rate is None else [x, rate]
    more = {label for v in views for label in v.labels} - {*x.labels}
    out = in_order((*x.labels, *more)) if more else x.labels
    data = out.index(along), backwards, late
    return planner.node("cumsum", [(v.node, v.labels) for v in views], out, data)


def _counted(planner: Planner, along: Label, backwards: bool, strict: bool) -> View:
    """How many places there are up to each, or from it on: i + 1 and n − i, one less if strict."""
    places = planner.nodes.make("range", (), ((), None), [along.size], 1, ["k"])
    first = along.size if backwards else sp.S.One
    sign = -sp.S.One if backwards else sp.S.One
    terms = [(places, (along,)), (planner.literal(sp.S.One), ())]
    return planner.node("add", terms, (along,), (sign, first - int(strict)))


def largest_so_far(
    planner: Planner, q: View, along: Label, backwards: bool, late: str = ""
) -> View:
    """The running maximum, a reference; −∞ where nothing is before."""
    data = q.labels.index(along), backwards, late
    return planner.node("cummax", [(q.node, q.labels)], q.labels, data)


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


# ------------------------------------------------------------------------------------ derivatives


def turned(planner: Planner, data: tuple[int, bool, str], bar: View, letters: Sequence[Label],
           rate: View | None) -> View:  # fmt: skip
    """x̄_j = Σ_i e^{r_j − r_i} ȳ_i for y_i = Σ_j e^{r_j − r_i} x_j: the same from the other end."""
    axis, backwards, late = data
    late = {"before": "after", "after": "before", "": ""}[late]
    if rate is not None:
        rate = planner.multiply([(rate, sp.S.One)], -sp.S.One)
    return cumsum(planner, bar, letters[axis], not backwards, late, rate)


__all__ = ["cumsum", "prefixes", "running_peak", "turned"]
