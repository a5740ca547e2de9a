"""Cumulative sums as nodes of a plan, and their derivatives, which are such sums again.

y_i = Σ_j [j ≤ i] e^{r_j − r_i} x_j       x̄_j = Σ_i [j ≤ i] e^{r_j − r_i} ȳ_i
                                          r̄_i = x_i x̄_i − y_i ȳ_i
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

import sympy as sp

from .nodes import MOVING, STRICT, Label, Node, View, in_order

if TYPE_CHECKING:
    from .plan import Planner


def cumsum(
    planner: Planner, x: View, along: Label, backwards: bool, late: str, rate: View | None = None
) -> View:
    """Σ e^{r_j − r_i} x_j over all j up to i, or from i on; r does not fall on the way.

    `late` leaves out the place itself: the sum "after" one place is that of the next, or what is
    "before" it, x, is moved.
    """
    if rate is not None and along not in rate.labels:  # e^{r_j − r_i} is 1
        rate, late = None, {STRICT: "after", MOVING: ""}.get(late, late)
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
    one = View(planner.literal(sp.S.One))
    return planner.plus([(View(places, (along,)), sign), (one, first - int(strict))])


def largest_so_far(
    planner: Planner, q: View, along: Label, backwards: bool, late: str = ""
) -> View:
    """The running maximum, a reference; −∞ where nothing is before."""
    if along not in q.labels:
        q = planner.arrange(q, in_order((*q.labels, along)))
    data = q.labels.index(along), backwards, late
    return planner.node("cummax", [(q.node, q.labels)], q.labels, data)


# ------------------------------------------------------------------------------------ derivatives


def turned(planner: Planner, data: tuple[int, bool, str], bar: View, letters: Sequence[Label],
           rate: View | None) -> View:  # fmt: skip
    """x̄_j = Σ_i e^{r_j − r_i} ȳ_i for y_i = Σ_j e^{r_j − r_i} x_j: the same from the other end."""
    axis, backwards, late = data
    late = {"before": "after", "after": "before"}.get(late, late)
    if rate is not None:
        rate = planner.multiply([(rate, sp.S.One)], -sp.S.One)
    return cumsum(planner, bar, letters[axis], not backwards, late, rate)


def turned_rate(
    planner: Planner, node: Node, bar: View, views: Sequence[View], letters: Sequence[Label]
) -> View | None:
    """r̄_i = x_i x̄_i − y_i ȳ_i for y_i = Σ_j e^{r_j − r_i} x_j; None where r is a reference."""
    if node.data[1][2] not in (MOVING, STRICT):
        return None
    x, rate = views
    first = turned(planner, node.data[1], bar, letters, rate)
    own = View(node, tuple(letters[: len(node.shape)]))
    products = [planner.multiply([(a, sp.S.One), (b, sp.S.One)], sp.S.One)
                for a, b in ((x, first), (own, bar))]  # fmt: skip
    return planner.minus(*products)


def moved(
    planner: Planner,
    node: Node,
    dots: Mapping[int, View],
    views: Sequence[View],
    letters: Sequence[Label],
) -> View:
    """ẏ_i = Σ_j e^{r_j − r_i} (ẋ_j + x_j ṙ_j) − ṙ_i y_i; `dots` are those of x and of r."""
    axis, backwards, late = node.data[1]
    rate = views[1] if len(views) > 1 else None
    inside = [dots[0]] if 0 in dots else []
    if 1 in dots:
        inside.append(planner.multiply([(views[0], sp.S.One), (dots[1], sp.S.One)], sp.S.One))
    x = inside[0]
    if len(inside) > 1:
        x = planner.plus((v, sp.S.One) for v in inside)
    dot = cumsum(planner, x, letters[axis], backwards, late, rate)
    if 1 not in dots:
        return dot
    own = View(node, tuple(letters[: len(node.shape)]))
    gone = planner.multiply([(dots[1], sp.S.One), (own, sp.S.One)], sp.S.One)
    return planner.minus(dot, gone)


__all__ = ["cumsum", "largest_so_far", "moved", "turned", "turned_rate"]
