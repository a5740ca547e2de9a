"""Sums in which an array is read at i + t, or spread to i + t, beside arrays of i and t.

    S_it = Σ_a Q_ia K_{(i+t)a}           scores of a window at every place
    O_ib = Σ_t A_it V_{(i+t)b}           weights that differ from place to place
    K̄_ja = Σ_it S̄_it Q_ia δ_{j(i+t)}     what comes back to what was read
    y_i = Σ_t x_{i+t}                    sums over windows, ȳ_i likewise

All are one: Σ of a product under r = i + t, where i + t goes through the axis r just once, and
the result has r or one factor has.  The derivative by a factor is such a sum, too.  Step by step
through the windows no array has i, t and what is summed.  Where weights are the same everywhere it
is a convolution (slides.py), which comes first.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import sympy as sp

from ..ir import Affine, Delta, Index, Ref, slot_items
from .nodes import Label, Node, View

if TYPE_CHECKING:
    from .arrays import Arrays
    from .contract import Scope, Unit
    from .plan import Planner


def sum_along(slot: object, size: sp.Expr) -> tuple[Index, Index] | None:
    """The letters of i + t, which goes through an axis of this size just once."""
    if not isinstance(slot, Affine):
        return None
    items, const = slot_items(slot)
    if const != 0 or sorted(items.values()) != [1, 1]:
        return None
    i, t = items
    return (i, t) if sp.expand(i.size + t.size - 1 - size) == 0 else None


def in_windows(planner: Planner, units: Sequence[Unit], scope: Scope) -> View | None:
    """The sum of a product with one r = i + t in it; None for any other, and where the windows
    are as long as the array, which is better multiplied."""
    parts = [(atom, e, _read(atom)) for atom, e in units]
    read = [(atom, found) for atom, e, found in parts if found is not None and e == 1]
    others = [(atom, e) for atom, e, found in parts if found is None]
    if len(read) != 1 or not all(isinstance(a, Ref) and _plain(a) for a, _ in others):
        return None
    (atom, (i, t, size)) = read[0]
    if i.size == t.size:
        return None
    if isinstance(atom, Delta):
        r = atom.a if isinstance(atom.a, Index) else atom.b
        assert isinstance(r, Index)
        if r in scope.bound or not {i, t} <= scope.bound or any(r in a.free for a, _ in others):
            return None
        views, along = [], scope.env[r]
    else:
        assert isinstance(atom, Ref)
        along = Label(i.name, size)
        node, axes = planner.tensor(atom.tensor)
        slots = [along if isinstance(s, Affine) else scope.env[s] for s in atom.slots]
        views = [View(node, tuple(slots[x] if isinstance(x, int) else x for x in axes))]
    for other, e in others:
        views.append(planner.multiply([(planner.atom(other, scope.env), sp.Rational(e))], sp.S.One))
    if any(len(set(v.labels)) < len(v.labels) for v in views):
        return None
    bound = {scope.env[b] for b in scope.bound}
    place, window = scope.env[i], scope.env[t]
    every = {x for v in views for x in v.labels} | {place, window, along}
    inner = along if isinstance(atom, Ref) else None
    out = sorted(every - bound - {inner}, key=lambda label: label.order)
    numbers = [(v, sp.S.One) for v in views if not v.labels]
    view = made(planner, [v for v in views if v.labels], out, (place, window, along))
    constant = {scope.env[b] for a, _ in units for b in a.free & scope.bound} - every  # 1 for all j
    return planner.multiply([(view, sp.S.One), *numbers], sp.Mul(*(x.size for x in constant)))


def made(
    arrays: Arrays, views: Sequence[View], out: Sequence[Label], along: tuple[Label, Label, Label]
) -> View:
    """Σ Π views over what is not in `out`, where the letters (i, t, r) fulfil r = i + t."""
    i, t, r = along
    if r in out and not any({i, t} & set(v.labels) for v in views):  # how many there are for r
        views = [*views, arrays.arrange(View(arrays.literal(sp.S.One)), [i])]
    letters = list(dict.fromkeys((*out, *(x for v in views for x in v.labels), *along)))
    places = tuple(tuple(map(letters.index, v.labels)) for v in views)
    node = arrays.nodes.make(
        "windows",
        [v.node for v in views],
        (places, tuple(map(letters.index, along))),
        [x.size for x in letters],
        len(out),
        [x.name for x in letters],
    )
    return View(node, tuple(out))


def turned(
    arrays: Arrays, node: Node, k: int, bar: View, views: Sequence[View], letters: Sequence[Label]
) -> View:
    """What comes back to operand k: the same sum with ȳ in its place."""
    i, t, r = (letters[x] for x in node.data[1])
    others = [bar, *(v for n, v in enumerate(views) if n != k)]
    there = {i, t, r, *(x for v in others for x in v.labels)}
    out = [letters[x] for x in node.data[0][k] if letters[x] in there]
    return made(arrays, others, out, (i, t, r))


def _read(atom: object) -> tuple[Index, Index, sp.Expr] | None:
    """The letters i and t of what is read at i + t or spread to it, and the length of that axis."""
    if isinstance(atom, Delta):
        for j, slot in ((atom.a, atom.b), (atom.b, atom.a)):
            pair = sum_along(slot, j.size) if isinstance(j, Index) else None
            if pair is not None:
                return (*pair, j.size)  # type: ignore[union-attr]
        return None
    if not isinstance(atom, Ref):
        return None
    found = [
        (slot, size)
        for slot, size in zip(atom.slots, atom.tensor.shape, strict=True)
        if not isinstance(slot, Index)
    ]
    pair = sum_along(*found[0]) if len(found) == 1 else None
    plain = [s for s in atom.slots if isinstance(s, Index)]
    if pair is None or len(set(plain)) < len(plain) or set(pair) & set(plain):
        return None
    return (*pair, found[0][1])


def _plain(atom: object) -> bool:
    return isinstance(atom, Ref) and all(isinstance(s, Index) for s in atom.slots)


IN_WINDOWS = '''

def in_windows(subscripts, letters, sizes, *operands):
    """The contraction of the operands for all i and t, of these sizes, under r = i + t.

    `letters` are i, t and r; r is an axis of one operand, or of the result.  It goes step by step
    through the shorter one of i and t.
    """
    inputs, out = subscripts.split("->")
    inputs, (i, t, r), (n, s) = inputs.split(","), letters, sizes
    operands = [{np}.asarray(x) for x in operands]  # an upstream number is one
{unknown}    if i not in subscripts or (t in subscripts and s > n):
        i, t, n, s = t, i, s, n
    wide = {np}.promote_types({np}.result_type(*operands), {np}.float32)
    lengths = dict(zip("".join(inputs), (k for x in operands for k in x.shape)))
    lengths |= {{i: n, t: s, r: n + s - 1}}
    if not (n and s):
        return {np}.zeros([max(lengths[c], 0) for c in out], wide)
    axis, inner, kept = out.find(r), [x.replace(r, i) for x in inputs], out.replace(r, i)

    def product(names, arrays, made):
        if len(names) == 2 and set(names[0]) | set(names[1]) in map(set, names):
            few, many = sorted(zip(names, arrays), key=lambda pair: len(pair[0]))
            order = [c for c in many[0] if c in few[0]]
            first = {np}.transpose(few[1].astype(wide), [few[0].index(c) for c in order])
            first = first.reshape([lengths[c] if c in order else 1 for c in many[0]])
            left = [c for c in many[0] if c in made]
            gone = tuple(k for k, c in enumerate(many[0]) if c not in made)
            y = {np}.sum(first * many[1], gone, wide) if gone else first * many[1]
            return {np}.transpose(y, [left.index(c) for c in made])
        return einsum(f"{{','.join(names)}}->{{made}}", *arrays)

    if t not in subscripts:  # everything is the same in all places of a window
        arrays = [
            window_sums(x, names.index(r), s) if r in names else x
            for names, x in zip(inputs, operands)
        ]
        y = product(inner, arrays, kept)
        if axis < 0:
            return y
        around = [(s - 1, s - 1) if k == axis else (0, 0) for k in range(y.ndim)]
        return window_sums({np}.pad(y, around), axis, s)

{ready}    def part(names, x, k):
        if {moves}:
            x = {cut}
        if t in names:
            x = {taken}
        return x

    here = [names.replace(t, "") for names in inner]

    def step(k):
        arrays = [part(*pair, k) for pair in zip(inputs, operands)]
        return product(here, arrays, kept.replace(t, ""))

{steps}
'''

WINDOW_SUMS = '''

def window_sums(x, axis, width):
    """The sums of so many entries from every place on, by sums of 1, 2, 4, … entries."""
    x = {np}.moveaxis(x, axis, -1).astype({np}.promote_types(x.dtype, {np}.float32))
    count, length, done, found = x.shape[-1] - width + 1, 1, 0, 0
    while True:
        if width & length:
            found = found + x[..., done : done + count]
            done += length
        if 2 * length > width:
            return {np}.moveaxis(found, -1, axis)
        x = x[..., :-length] + x[..., length:]
        length *= 2
'''

LOOPS = {
    "jnp": {
        "unknown": """    if not (isinstance(n, int) and isinstance(s, int)):  # of jax.export
        at, kept = jnp.arange(n)[:, None] + jnp.arange(s), out.replace(r, "")
        arrays = [
            jnp.take(x, at, names.index(r)) if r in names else x
            for names, x in zip(inputs, operands)
        ]
        names = ",".join([*(x.replace(r, i + t) for x in inputs), i, t])
        arrays += [jnp.ones(n), jnp.ones(s)]
        if r not in out:
            return einsum(f"{names}->{out}", *arrays)
        y = einsum(f"{names}->{kept}{i}{t}", *arrays)
        y = jnp.zeros((*y.shape[:-2], n + s - 1), y.dtype).at[..., at].add(y)
        return jnp.moveaxis(y, -1, out.index(r))
""",
        "ready": """    if t in out and s <= 32:
        at = jnp.arange(n)[:, None] + jnp.arange(s)
        arrays = [
            jnp.take(x, at, names.index(r), mode="clip") if r in names else x
            for names, x in zip(inputs, operands)
        ]
        return einsum(f"{','.join(x.replace(r, i + t) for x in inputs)}->{out}", *arrays)
    spread = axis >= 0  # what comes to r is read at r - t, from zeros where that is outside
    if spread:
        ends = [[(s - 1, s - 1) if c == i else (0, 0) for c in names] for names in inputs]
        operands = [jnp.pad(x, around) for x, around in zip(operands, ends)]
        lengths[i] = lengths[r]

""",
        "moves": "r in names or (spread and i in names)",
        "cut": "jax.lax.dynamic_slice_in_dim(x, k, lengths[i], names.replace(r, i).index(i))",
        "taken": "jax.lax.dynamic_index_in_dim("
        "x, s - 1 - k if spread else k, names.index(t), keepdims=False)",
        "steps": """    if t in out:
        return jnp.moveaxis(jax.lax.map(step, jnp.arange(s)), 0, out.index(t))
    if s <= 32:
        return sum((step(k) for k in range(1, s)), step(0))
    return jax.lax.scan(lambda y, k: (y + step(k), None), step(0), jnp.arange(1, s))[0]""",
    },
    "np": {
        "unknown": "",
        "ready": "",
        "moves": "r in names",
        "cut": "np.take(x, range(k, k + n), names.index(r))",
        "taken": "np.take(x, k, names.index(t))",
        "steps": """    if t in out:
        return np.moveaxis(np.stack([step(k) for k in range(s)]), 0, out.index(t))
    if axis < 0:
        return sum((step(k) for k in range(1, s)), step(0))
    y = np.zeros([lengths[c] for c in out], wide)
    for k in range(s):
        np.moveaxis(y, axis, 0)[k : k + n] += np.moveaxis(step(k), axis, 0)
    return y""",
    },
}

__all__ = ["IN_WINDOWS", "LOOPS", "WINDOW_SUMS", "in_windows", "made", "sum_along", "turned"]
