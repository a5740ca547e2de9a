"""Contractions under an order, chunk by chunk, where a cumulative sum would be too large an array.

    y_ic = Σ_ja [j ≤ i] q_ia k_ja v_jc = Σ_a q_ia h_ac + Σ_ja [j ≤ i] q_ia k_ja v_jc
                                                         (j in the chunk of i)

where h_ac = Σ_j k_ja v_jc is summed over all chunks before that of i.  Pairs are formed within a
chunk alone, so it takes O(n) time and memory, as causal linear attention does by a scan.
Derivatives are contractions of the same kind: that of an array with j goes from the other end.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import sympy as sp

from .. import normalize as nf
from ..ir import Index, Mask, raw_atom
from .nodes import BOOLEAN, Label, Node, View, in_order

if TYPE_CHECKING:
    from .contract import Scope, Unit
    from .plan import Planner
    from .prefixes import Order

CHUNK = 64  # places of an axis of which pairs are formed

ORDERED = f'''

def ordered(subscripts, pair, *operands, backwards=False, strict=False):
    """The contraction of arrays where j ≤ i (j ≥ i), for the two letters i and j of the pair.

    Pairs are formed within chunks of {CHUNK} places; what is before a chunk is summed without them.
    """
    (i, j), (inputs, out) = pair, subscripts.split("->")
    inputs = inputs.split(",")
    length = {{c: n for names, x in zip(inputs, operands) for c, n in zip(names, x.shape)}}
    count = length.setdefault(i, length[j])
    if cut := all(isinstance(n, int) for n in length.values()) and count > {2 * CHUNK}:
        own = [{{i}}.union(names) - {{j}} for names in inputs if j in names]
        pairs = sum(math.prod(length[c] for c in names) for names in own)
        before = 2 * math.prod(length[c] for c in {{i}}.union(*own))
        cut = before + {CHUNK} * pairs < count * pairs
    size = {CHUNK} if cut else count
    chunks = -(-count // size) if cut else 1
    chunk = next(c for c in map(chr, range(65, 91)) if c not in subscripts)

    def apart(names, x):
        """The array with an axis of chunks before that of its places."""
        axis = max(names.find(i), names.find(j))
        if axis < 0 or not cut:
            return names, x
        ends = [(0, 0)] * x.ndim
        ends[axis] = (0, chunks * size - count)
        x = jnp.pad(x, ends).reshape(*x.shape[:axis], chunks, size, *x.shape[axis + 1 :])
        return names[:axis] + chunk + names[axis:], x

    def contracted(parts, names):
        return contraction(",".join(n for n, _ in parts) + "->" + names, *(x for _, x in parts))

    parts = [apart(names, x) for names, x in zip(inputs, operands)]
    behind = [part for part in parts if j in part[0]]
    seen = jnp.tri(size, k=-strict, dtype=jnp.float32)
    seen = (i + j, seen.T if backwards else seen)
    whole = out.replace(i, chunk + i) if cut else out
    y = contracted([*parts, seen], whole)
    if not cut:
        return y
    here = [part for part in parts if j not in part[0]]
    if not any(i in names for names, _ in here):
        here.append((chunk + i, jnp.ones((chunks, size), jnp.float32)))
    beside = "".join(names for names, _ in here) + out
    kept = "".join(c for c in dict.fromkeys("".join(n for n, _ in behind)) if c in beside)
    kept = chunk + kept.replace(chunk, "")
    sums = contracted(behind, kept)
    so_far = later(cumsum(sums, 0, backwards), 0, backwards)
    y += contracted([*here, (kept, so_far)], whole)
    axis = whole.index(chunk)
    y = y.reshape(*y.shape[:axis], chunks * size, *y.shape[axis + 2 :])
    return jax.lax.slice_in_dim(y, 0, count, axis=axis)
'''


def in_chunks(
    planner: Planner, mask: Mask, order: Order, units: Sequence[Unit], scope: Scope
) -> View | None:
    """The sum over the earlier or the later letter of an order, and over all that is bound besides;
    None where the other letter is bound, too, or nothing is gained."""
    if not planner.chunked:
        return None
    rest = [u for u in units if u[0] is not mask]
    for letter in (order.earlier, order.later):
        other = order.other(letter)
        group = [u for u in rest if letter in u[0].free]
        beside = [u for u in rest if u not in group]
        if letter not in scope.bound or other in scope.bound:
            continue
        if any(other in a.free for a, _ in group) or not all(
            set(getattr(a, "slots", ())) <= a.free and len(getattr(a, "slots", ())) == len(a.free)
            for a, _ in rest
        ):
            continue
        own = {i for a, _ in group for i in a.free} - {letter}
        if not own & {i for a, _ in beside for i in a.free if other in a.free}:
            continue
        if any(i.size == letter.size for a, _ in rest for i in a.free - {letter, other}):
            continue  # what is before a chunk would be as large as all pairs
        return _made(planner, order, letter, units, mask, scope)
    return None


def _made(
    planner: Planner,
    order: Order,
    letter: Index,
    units: Sequence[Unit],
    mask: Mask,
    scope: Scope,
) -> View | None:
    views = []
    for atom, e in units:
        if atom is not mask:
            one = raw_atom(atom) if e == 1 else nf.power(raw_atom(atom), e)
            views.append(planner.lower(one, scope.env))
    i, j = scope.env[order.other(letter)], scope.env[letter]
    bound = {scope.env[b] for b in scope.bound}
    if any(v.node.op in BOOLEAN for v in views) or not any(j in v.labels for v in views):
        return None
    if any({i, j} <= set(v.labels) for v in views):
        return None
    out = in_order([*(x for v in views for x in v.labels if x not in bound), i])
    lost = [scope.env[b] for b in scope.bound]
    lost = [x for x in lost if not any(x in v.labels for v in views)]
    view = ordered(planner, views, i, j, out, letter is order.later, order.strict)
    return planner.multiply([(view, sp.S.One)], sp.Mul(*(x.size for x in lost)))


def ordered(
    planner: Planner,
    views: Sequence[View],
    i: Label,
    j: Label,
    out: Sequence[Label],
    backwards: bool,
    strict: bool,
) -> View:
    """Σ_j [j ≤ i] of a product, and over what is not in `out` besides."""
    letters = list(out)
    for v in views:
        letters += [x for x in v.labels if x not in letters]
    data = letters.index(i), letters.index(j), backwards, strict
    return planner.node("ordered", [(v.node, v.labels) for v in views], out, data)


def axes_in_order(node: Node) -> tuple[int, int]:
    """The two letters between which there is the order."""
    i, j, _, _ = node.data[1]
    return i, j


def turned(
    planner: Planner, node: Node, k: int, bar: View, views: Sequence[View], letters: Sequence[Label]
) -> View | None:
    """The derivative by operand k, under the letters of the node; None where it is of another kind.

    q̄_ia = Σ_jc [j ≤ i] ȳ_ic k_ja v_jc,   k̄_ja = Σ_ic [j ≤ i] q_ia ȳ_ic v_jc
    """
    at, over, backwards, strict = node.data[1]
    i, j, own = letters[at], letters[over], views[k].labels
    parts = [bar, *(v for n, v in enumerate(views) if n != k)]
    if i not in bar.labels or not set(own) <= {x for v in parts for x in v.labels} | {i, j}:
        return None
    if i in own and any(j in v.labels for v in parts):
        return ordered(planner, parts, i, j, own, backwards, strict)
    return ordered(planner, parts, j, i, own, not backwards, strict) if j in own else None


__all__ = ["CHUNK", "ORDERED", "axes_in_order", "in_chunks", "ordered", "turned"]
