"""The text of functions that go through blocks of rows, slices, and the devices of a ring."""

from __future__ import annotations

BY_ROWS = '''

def by_rows(body, arrays, axes, out_axes, width):
    """The rows that body gives for all rows of the arrays, and the sums that it gives, added up.

    Blocks of rows go through one after the other; `width` is how many entries the large arrays
    inside have in one row.  {few}
    """
    count = arrays[0].shape[axes[0]]
    if not isinstance(count, int):  # a length without a value, of jax.export
        return body(*arrays)
{block}    if count < {least} * block:
        return body(*arrays)
    # What is left over takes a second body: better a shorter block that leaves nothing.
    block = next((k for k in range(block, block // 2, -1) if count % k == 0), block)

    def part(start, length):
        slices = zip(arrays, axes)
        return body(*(jax.lax.dynamic_slice_in_dim(x, start, length, k) for x, k in slices))

    def step(sums, start):
        rows, more = part(start, block)
        return tuple(x + y for x, y in zip(sums, more)), rows

    first = count % block  # what is left over comes first, be it nothing
    rows, sums = part(0, first)
    sums = tuple(x.astype(jnp.promote_types(x.dtype, jnp.float32)) for x in sums)
    step = jax.checkpoint(step, prevent_cse=False)  # a derivative computes a block again
    sums, others = jax.lax.scan(step, sums, jnp.arange(first, count, block))

    def joined(x, blocks, axis):
        shape = (*x.shape[:axis], count - first, *x.shape[axis + 1 :])
        return jnp.concatenate([x, jnp.moveaxis(blocks, 0, axis).reshape(shape)], axis)

    return tuple(joined(*pair) for pair in zip(rows, others, out_axes)), sums
'''

BY_BANDS = '''

def by_rows(
    body, arrays, axes, out_axes, width, *, near, near_axes, sum_axes, below, above
):
    """The rows that body gives for all rows of the arrays, and the sums that it gives, added up.

    Blocks of rows go through one after the other; `width` is how many entries the large arrays
    inside have in one row.  {few}
    A block of the rows a, …, b needs the keys a - below, …, b + above alone (None: all on that
    side), along the near_axes of what is near and the sum_axes of sums.
    """
    count, keys = arrays[0].shape[axes[0]], near[0].shape[near_axes[0]]
    if not isinstance(count, int):  # a length without a value, of jax.export
        return body(*arrays, *near)
{block}    if count < {least} * block:
        return body(*arrays, *near)
    # What is left over takes a second body: better a shorter block that leaves nothing.
    block = next((k for k in range(block, block // 2, -1) if count % k == 0), block)

    def part(start, length, first, span):
        rows = (jax.lax.dynamic_slice_in_dim(x, start, length, k) for x, k in zip(arrays, axes))
        seen = (jax.lax.dynamic_slice_in_dim(x, first, span, k) for x, k in zip(near, near_axes))
        return body(*rows, *seen)

    def put(x, more, first, axis):
        if axis is None:
            return x + more
        old = jax.lax.dynamic_slice_in_dim(x, first, more.shape[axis], axis)
        return jax.lax.dynamic_update_slice_in_dim(x, old + more, first, axis)

    def reach(begin, end):
        """The first key that rows from begin to end need, and the one after the last."""
        low = 0 if below is None else min(max(begin - below, 0), keys - 1)
        high = keys if above is None else min(end + above, keys)
        return low, max(high, low + 1)

    def through(sums, begin, end):
        """Blocks of rows from begin to end, which differ in their keys if these are few."""
        low, high = reach(begin, end)
        span = high - low
        if below is not None and above is not None:
            span = min(span, max(block + below + above, 1))

        def step(sums, start):
            first = low if span == high - low else jnp.clip(start - below, low, high - span)
            rows, more = part(start, block, first, span)
            return tuple(put(x, y, first, k) for x, y, k in zip(sums, more, sum_axes)), rows

        step = jax.checkpoint(step, prevent_cse=False)  # a derivative computes a block again
        return jax.lax.scan(step, sums, jnp.arange(begin, end, block))

    def merged(blocks, axis):
        x = jnp.moveaxis(blocks, 0, axis)
        return x.reshape(*x.shape[:axis], -1, *x.shape[axis + 2 :])

    first = count % block  # what is left over comes first, be it nothing
    low, high = reach(0, first)
    rows, more = part(0, first, low, high - low)
    sums = []
    for x, k in zip(more, sum_axes):
        shape = x.shape if k is None else (*x.shape[:k], keys, *x.shape[k + 1 :])
        wide = jnp.promote_types(x.dtype, jnp.float32)
        sums.append(put(jnp.zeros(shape, wide), x.astype(wide), low, k))
    sums, parts = tuple(sums), [rows]
    blocks = (count - first) // block
    turns = 1 if below is not None and above is not None else min({turns}, blocks)
    for turn in range(turns):  # with keys on one side, the number of keys grows from turn to turn
        begin, end = (first + blocks * k // turns * block for k in (turn, turn + 1))
        sums, rows = through(sums, begin, end)
        parts.append([merged(x, k) for x, k in zip(rows, out_axes)])
    return tuple(jnp.concatenate(x, k) for x, k in zip(zip(*parts), out_axes)), sums
'''

BY_SLICES = '''

def by_slices(body, arrays, axes, out_axis):
    """What body gives for slices of the arrays along axes: added up, or along out_axis.

    On a CPU slices go through one after the other, {few_slices} of what is summed at a time.
    """
    count = arrays[0].shape[axes[0]]
    if jax.default_backend() != "cpu" or not isinstance(count, int) or count < 2:
        every = jax.vmap(body, axes, -1 if out_axis is None else out_axis)(*arrays)
        return total(every, axis=-1) if out_axis is None else every
    slices = [jnp.moveaxis(x, axis, 0) for x, axis in zip(arrays, axes)]
    body = jax.checkpoint(body, prevent_cse=False)  # a derivative computes a slice again
    if count <= {few_slices}:
        every = [body(*(x[k] for x in slices)) for k in range(count)]
        return sum(every) if out_axis is None else jnp.stack(every, out_axis)
    if out_axis is not None:
        return jnp.moveaxis(jax.lax.map(lambda one: body(*one), slices), 0, out_axis)
    first = (count - 1) % {few_slices} + 1  # what is left over comes first

    def added(rows):
        return sum(body(*one) for one in zip(*rows))

    # Slices that are taken from one array in a turn would be read entry by entry.
    rest = [[x[first + k :: {few_slices}] for k in range({few_slices})] for x in slices]
    sums = added([x[:first] for x in slices])
    return jax.lax.scan(lambda sums, rows: (sums + added(rows), None), sums, rest)[0]
'''

POSITIONS = '''

def positions(size):
    """The indices of the rows, or of the keys, that this device has."""
    length = size // jax.lax.axis_size({axis})
    return jax.lax.axis_index({axis}) * length + jnp.arange(length)
'''

AROUND = '''

def around(body, near, merges):
    """What body gives for the keys of all devices: merged, and the sums that go with the keys.

    The keys go around the ring once, a step for every device; a derivative computes a step again.
    """
    size = jax.lax.axis_size({axis})
    onward = [(k, (k + 1) % size) for k in range(size)]
    body = jax.checkpoint(body, prevent_cse=False)

    def moved(*arrays):
        return jax.tree.map(lambda x: jax.lax.ppermute(x, {axis}, onward), arrays)

    def step(state, _):
        kept, near, carried = state
        near, carried = moved(near, carried)
        more, sums = body(*near)
        kept = tuple(merge(x, y) for merge, x, y in zip(merges, kept, more))
        return (kept, near, tuple(x + y for x, y in zip(carried, sums))), None

    kept, carried = body(*near)
    state, _ = jax.lax.scan(step, (kept, near, carried), None, length=size - 1)
    return state[0], moved(*state[2])
'''
