"""Sums over windows: an array read at i + t, or spread to i + t, is a convolution and no lookup.

    Σ_t x_{i+t} w_t                      inside: the window is in the array wherever it begins
    Σ_it x_i w_t δ_{j(i+t)}              full: = Σ_t x_{j−t} w_t, where x is 0 outside
    Σ_t x_{i−t} w_t [t ≤ i]              before: x is 0 before its beginning
    Σ_t x_{i+t} w_t [i + t ≤ n − 1]      behind: x is 0 past its end
    Σ_i x_{i−t} w_i [t ≤ i]              = Σ_i w_{t+i} x_i, where w is 0 past its end
    Σ_it x_i w_t δ_{j(i−t)} [t ≤ i]      = Σ_t x_{j+t} w_t, where x is 0 past its end

Along several axes at once, and beside letters that both arrays have and that are summed (channels)
or not, or that one of them has and the result.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import TYPE_CHECKING

import sympy as sp

from .. import normalize as nf
from ..ir import Affine, Delta, Index, Mask, Ref, raw_atom, slot_items
from .nodes import Label, View
from .windows import in_windows, sum_along

if TYPE_CHECKING:
    from .contract import Scope, Unit
    from .plan import Planner


def slide(planner: Planner, units: list[Unit], scope: Scope) -> View | None:
    """The sum over windows of a product; None for any other product."""
    masks = [atom for atom, _ in units if isinstance(atom, Mask)]
    if masks:
        return _over_an_end(planner, masks[0], units, scope) if len(masks) == 1 else None
    read = [u for u in units if not _plain(u[0])]
    deltas = [atom for atom, _ in units if isinstance(atom, Delta)]
    rest = [u for u in units if u not in read and not isinstance(u[0], Delta)]
    view = None
    if len(read) == 1 and not deltas and read[0][1] == 1:
        view = _read(planner, read[0][0], rest, scope)  # type: ignore[arg-type]
    if deltas and not read:
        view = _spread(planner, deltas, rest, scope)
    return view or in_windows(planner, units, scope)


def _plain(atom: object) -> bool:
    return not isinstance(atom, Ref) or all(isinstance(s, Index) for s in atom.slots)


def _read(planner: Planner, ref: Ref, rest: list[Unit], scope: Scope) -> View | None:
    spatial, windows, slots = [], [], []
    for slot, size in zip(ref.slots, ref.tensor.shape, strict=True):
        if isinstance(slot, Index):
            slots.append(slot)
            continue
        pair = sum_along(slot, size)
        if pair is None or sum(x in scope.bound for x in pair) != 1:
            return None
        i, t = sorted(pair, key=lambda x: x in scope.bound)
        spatial.append(i)
        windows.append(t)
        slots.append(i)
    w = _together(planner, rest, scope)
    if w is None or len(set(slots)) < len(slots):
        return None
    node, axes = planner.tensor(ref.tensor)
    labels = tuple(scope.env[slots[x]] if isinstance(x, int) else x for x in axes)
    return _made(planner, View(node, labels), w, spatial, windows, scope, "inside")


def _spread(
    planner: Planner, deltas: Iterable[Delta], rest: list[Unit], scope: Scope
) -> View | None:
    spatial, windows, starts = [], [], []
    for delta in deltas:
        j, slot = (delta.a, delta.b) if isinstance(delta.a, Index) else (delta.b, delta.a)
        if not isinstance(j, Index) or j in scope.bound:
            return None
        pair = sum_along(slot, j.size)
        if pair is None or not set(pair) <= scope.bound:
            return None
        spatial.append(j)
        starts.append(pair)
    first = rest[0][0].free if rest else frozenset()
    ours = [x for pair in starts for x in pair if x in first]
    if len(ours) != len(starts) or len(set(spatial)) < len(spatial):
        return None
    windows = [next(x for x in pair if x not in first) for pair in starts]
    groups = [[u for u in rest if u[0].free & set(letters)] for letters in (ours, windows)]
    x, w = (_together(planner, group, scope) for group in groups)
    if x is None or w is None or len(groups[0]) + len(groups[1]) != len(rest):
        return None
    moved = {scope.env[i]: scope.env[j] for i, j in zip(ours, spatial, strict=True)}
    x = View(x.node, tuple(moved.get(label, label) for label in x.labels))
    scope = replace(scope, bound=scope.bound - set(ours))
    return _made(planner, x, w, spatial, windows, scope, "full")


def _over_an_end(planner: Planner, mask: Mask, units: list[Unit], scope: Scope) -> View | None:
    """The sum over windows that a mask keeps from going around one axis."""
    rest = [u for u in units if not isinstance(u[0], Mask)]
    at = [k for k, (atom, _) in enumerate(rest) if isinstance(atom, Delta) or not _plain(atom)]
    if len(at) != 1 or rest[at[0]][1] != 1:
        return None
    atom, _ = rest.pop(at[0])
    if isinstance(atom, Delta):
        return _spread_over(planner, atom, mask, rest, scope)
    assert isinstance(atom, Ref)
    pairs = zip(atom.slots, atom.tensor.shape, strict=True)
    slots = [(slot, size) for slot, size in pairs if isinstance(slot, Affine)]
    if len(slots) != 1:
        return None
    return _read_over(planner, atom, *slots[0], mask, rest, scope)


def _spread_over(
    planner: Planner, delta: Delta, mask: Mask, rest: list[Unit], scope: Scope
) -> View | None:
    """x_i w_t at j = i ± t."""
    j, slot = (delta.a, delta.b) if isinstance(delta.a, Index) else (delta.b, delta.a)
    if not isinstance(j, Index) or j in scope.bound:
        return None
    ends = _ends(slot, j.size, mask)
    if ends is None or not set(ends[:2]) <= scope.bound:
        return None
    i, t, before = ends
    groups = [[u for u in rest if letter in u[0].free] for letter in (i, t)]
    x, w = (_together(planner, group, scope) for group in groups)
    if x is None or w is None or sum(map(len, groups)) != len(rest):
        return None
    scope = replace(scope, bound=scope.bound - {i})
    x = _moved(x, i, j, scope)
    return _made(planner, x, w, [j], [t], scope, "behind" if before else "before")


def _read_over(
    planner: Planner,
    ref: Ref,
    slot: Affine,
    size: sp.Expr,
    mask: Mask,
    rest: list[Unit],
    scope: Scope,
) -> View | None:
    """x_{i±t} w, where i or t is summed."""
    ends = _ends(slot, size, mask)
    other = _together(planner, rest, scope)
    if ends is None or other is None:
        return None
    i, t, before = ends
    slots = [s if isinstance(s, Index) else i for s in ref.slots]
    if len(set(slots)) < len(slots) or len({i, t} & scope.bound) != 1:
        return None
    node, axes = planner.tensor(ref.tensor)
    x = View(node, tuple(scope.env[slots[k]] if isinstance(k, int) else k for k in axes))
    if t in scope.bound:
        return _made(planner, x, other, [i], [t], scope, "before" if before else "behind")
    if before:  # Σ_i x_{i−t} w_i = Σ_i w_{t+i} x_i
        return _made(planner, _moved(other, i, t, scope), x, [t], [i], scope, "behind")
    return _made(planner, _moved(x, i, t, scope), other, [t], [i], scope, "behind")


def _moved(view: View, old: Index, new: Index, scope: Scope) -> View:
    """The view with another letter for an axis."""
    a, b = scope.env[old], scope.env[new]
    return View(view.node, tuple(b if label is a else label for label in view.labels))


def _ends(slot: object, size: sp.Expr, mask: Mask) -> tuple[Index, Index, bool] | None:
    """i and t of i − t under [t ≤ i], and True, or of i + t under [i + t ≤ n − 1], and False, where
    i goes through all of an axis of this size."""
    if not isinstance(slot, Affine):
        return None
    items, const = slot_items(slot)
    letters = sorted(items, key=lambda y: y.size != size)
    if const != 0 or len(letters) != 2 or letters[0].size != size or items[letters[0]] != 1:
        return None
    i, t = letters
    inside, least = slot_items(mask.slot)
    if items[t] == -1:
        return (i, t, True) if (inside, least) == (items, 0) else None
    if items[t] != 1 or inside != {i: -1, t: -1} or sp.expand(least - (size - 1)) != 0:
        return None
    return i, t, False


def _together(planner: Planner, units: list[Unit], scope: Scope) -> View | None:
    """A product of arrays one of which has all letters."""
    from .contract import stand_in

    if not units or not all(_plain(a) for a, _ in units):
        return None
    every = frozenset(i for atom, _ in units for i in atom.free)
    if not any(atom.free == every for atom, _ in units):
        return None
    if len(units) == 1 and units[0][1] == 1:
        return planner.atom(units[0][0], scope.env)
    product = nf.multiply(*(nf.power(raw_atom(atom), e) for atom, e in units))
    return planner.atom(stand_in(planner, product), scope.env)


def _made(
    planner: Planner,
    x: View,
    w: View,
    spatial: list[Index],
    windows: list[Index],
    scope: Scope,
    reach: str,
) -> View | None:
    along = [scope.env[i] for i in spatial]
    over = [scope.env[t] for t in windows]
    bound = {scope.env[b] for b in scope.bound}
    own, other = set(x.labels) - set(along), set(w.labels) - set(over)
    apart = own ^ other  # what one of them has is not summed
    if any(len(set(y.labels)) < len(y.labels) for y in (x, w)) or not set(over) <= set(w.labels):
        return None
    if set(along) & other or apart & bound:
        return None
    if not set(along) <= set(x.labels):
        return None
    same = bound - {*x.labels, *w.labels}  # both arrays are the same along these, so lack the axes
    out: list[Label] = sorted((own | other | set(along)) - bound, key=lambda label: label.order)
    letters = [*out, *(y for y in dict.fromkeys((*x.labels, *w.labels)) if y not in out)]
    data = tuple(map(letters.index, along)), tuple(map(letters.index, over)), reach
    view = planner.node("slide", [(x.node, x.labels), (w.node, w.labels)], out, data)
    return planner.multiply([(view, sp.S.One)], sp.Mul(*(label.size for label in same)))


__all__ = ["slide"]
