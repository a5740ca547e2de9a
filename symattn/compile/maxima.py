"""The largest of several values, and where it is."""

from __future__ import annotations

from typing import TYPE_CHECKING

import sympy as sp

from ..ir import Argmax, Max, slot_items
from .entry import Env
from .nodes import View, in_order

if TYPE_CHECKING:
    from .plan import Planner


def largest(planner: Planner, atom: Max, env: Env) -> View:
    """The largest of the arguments, each over the bound indices that it has."""
    inner = planner.scope(env, atom.bound)
    over = {inner[b] for b in atom.bound}
    views = []
    for arg in atom.args:
        view = planner.lower(arg, inner)
        kept = tuple(x for x in view.labels if x not in over)
        if len(kept) < len(view.labels):
            view = planner.node("max", [(view.node, view.labels)], kept, None)
        views.append(view)
    out = in_order(x for v in views for x in v.labels)
    if len(views) == 1:
        return views[0]
    return planner.node("maximum", [(v.node, v.labels) for v in views], out, None)


def one_hot(planner: Planner, atom: Argmax, env: Env) -> View:
    """1 at the first place where the body is largest, put at the slots that are asked about."""
    inner = planner.scope(env, atom.bound)
    slots = {inner[b]: s for b, s in zip(atom.bound, atom.at, strict=True)}
    body = planner.lower(atom.body, inner)
    over = [x for x in slots if x in body.labels]
    # Where nothing depends on an index, the first one is the largest.
    factors = [
        (planner.compare(*slot_items(slots[x]), x.size, env), sp.S.One)
        for x in slots
        if x not in over
    ]
    for x in reversed(over):  # the first row with the largest entry, and its place in that row
        hot = planner.node("one_hot", [(body.node, body.labels)], body.labels, body.labels.index(x))
        placed = planner.place(hot.node, [slots.get(y, y) for y in hot.labels], env)
        factors.insert(0, (placed, sp.S.One))
        kept = tuple(y for y in body.labels if y is not x)
        body = planner.node("max", [(body.node, body.labels)], kept, None)
    return planner.multiply(factors, sp.S.One)


__all__ = ["largest", "one_hot"]
