"""Running sums and maxima along an axis, as text that a module brings along: see prefixes.py."""

LATER = '''

def later(x, axis, backwards=False, first=0.0):
    """x one place later along an axis, or one place earlier, with a number that comes first."""
    {moved}
'''

CUMSUM = '''

def cumsum(x, axis, backwards=False, finite=False):
    """The sums of x up to every place of an axis, or from there on, in at least float32; of x that
    is known to be finite without a look at it."""
    x = x.astype({np}.promote_types(x.dtype, {np}.float32))
    {cumulated}
'''

REFERENCE = '''

def reference(x, axis, backwards=False):
    """What sums of e^x up to every place of an axis, or from there on, are taken relative to: the
    largest x so far, or that of all places where no x is far below it."""
    {highest}
'''

FADED = '''

def faded(x, rate, axis, backwards=False, strict=False, moving=False):
    """Σ e^{{r_j - r_i}} x_j over the places j of an axis up to i, or from i on, y_i = x_i +
    e^{{r_(i-1) - r_i}} y_(i-1); without x_i where strict, with a derivative by r where moving."""
    {recurrent}
'''

RUNNING = {
    "jnp": {
        "np": "jnp",
        "moved": "config = [(0, 0, 0)] * x.ndim\n"
        "    config[axis] = (-1, 1, 0) if backwards else (1, -1, 0)\n"
        "    return jax.lax.pad(x, jnp.asarray(first, x.dtype), config)",
        "cumulated": "axis, count = axis % x.ndim, x.shape[axis]\n"
        '    if jax.default_backend() != "cpu" or not isinstance(count, int):\n'
        "        return jax.lax.cumsum(x, axis, backwards)\n"
        "    if count < 64:\n"
        "        return jax.lax.associative_scan(jnp.add, x, backwards, axis)\n"
        "    blocks, before, behind = -(-count // 32), x.shape[:axis], x.shape[axis + 1 :]\n"
        "    ones = jnp.ones((32, 32), x.dtype)\n"
        "    weights = jnp.triu(ones) if backwards else jnp.tril(ones)\n\n"
        "    def in_blocks(x):  # by a product of matrices within each, which nan would spread in\n"
        "        ends = [(0, 0)] * axis + [(0, 32 * blocks - count)] + [(0, 0)] * len(behind)\n"
        "        flat = [math.prod(behind)] * bool(behind)\n"
        "        y = jnp.pad(x, ends).reshape(*before, blocks, 32, *flat)\n"
        "        y = jnp.matmul(weights, y) if behind else jnp.matmul(y, weights.T)\n"
        "        whole = jax.lax.index_in_dim(y, 0 if backwards else 31, axis + 1, False)\n"
        "        so_far = jax.lax.cumsum(whole, axis, backwards)\n"
        "        y += jnp.expand_dims(later(so_far, axis, backwards), axis + 1)\n"
        "        y = y.reshape(*before, 32 * blocks, *behind)\n"
        "        return jax.lax.slice_in_dim(y, 0, count, axis=axis)\n\n"
        "    def one_by_one(x):\n"
        "        return jax.lax.cumsum(x, axis, backwards)\n\n"
        "    if finite:\n"
        "        return in_blocks(x)\n"
        "    return jax.lax.cond(jnp.isfinite(jnp.sum(jnp.abs(x))), in_blocks, one_by_one, x)",
        "highest": "axis %= x.ndim\n"
        "    if all(isinstance(n, int) for n in x.shape) and x.size < 2**12:  # no need to look\n"
        "        return jax.lax.associative_scan(jnp.maximum, x, backwards, axis)\n"
        "    most = jnp.max(x, axis, keepdims=True, initial=-jnp.inf)\n"
        "    least = jnp.min(x, axis, keepdims=True, initial=jnp.inf)\n"
        "    return jax.lax.cond(\n"
        "        jnp.all(most - least < 16),\n"
        "        lambda x: jnp.broadcast_to(most, x.shape),\n"
        "        lambda x: jax.lax.cummax(x, axis, backwards),\n"
        "        x,\n"
        "    )",
        "recurrent": "dtype = jnp.promote_types(jnp.result_type(x, rate), jnp.float32)\n"
        "    x, rate = x.astype(dtype), rate.astype(dtype)\n"
        "    most = jax.lax.stop_gradient(jnp.max(rate, axis, keepdims=True, initial=-jnp.inf))\n"
        "    least = jax.lax.stop_gradient(jnp.min(rate, axis, keepdims=True, initial=jnp.inf))\n\n"
        "    def left(rate):\n"
        "        last = later(rate, axis, backwards)\n"
        "        first = later(jnp.zeros_like(rate), axis, backwards, 1.0) == 1\n"
        "        return jnp.exp(jnp.where(first | (last == rate), 0, last - rate))\n\n"
        "    def even(x, rate):\n"
        "        return cumsum(jnp.broadcast_arrays(x, rate)[0], axis, backwards, True)\n\n"
        "    def alike(x, rate):  # one reference is enough where no e^rate is rounded to 0\n"
        "        grown = jnp.exp(rate - most)\n"
        "        return cumsum(x * grown, axis, backwards, True) / grown\n\n"
        "    def join(before, behind):\n"
        "        return before[0] * behind[0], before[1] * behind[0] + behind[1]\n\n"
        "    def go(so_far, one):\n"
        "        made = list(join(so_far, one))\n"
        "        return made, (so_far, made)\n\n"
        "    def few(x, rate):\n"
        "        both = tuple(jnp.broadcast_arrays(left(rate), x))\n"
        "        return jax.lax.associative_scan(join, both, backwards, axis % both[0].ndim)[1]\n\n"
        "    def apart(x, rate):  # all blocks at a time, place by place, and then block by block\n"
        "        x, _ = jnp.broadcast_arrays(x, rate)\n"
        "        both = [jnp.expand_dims(left(rate), tuple(range(x.ndim - rate.ndim))), x]\n"
        "        both = [jnp.flip(z, axis) for z in both] if backwards else both\n"
        "        both = [jnp.moveaxis(z, axis, 0) for z in both]\n"
        "        count, behind = x.shape[axis], both[1].shape[1:]\n"
        "        blocks = -(-count // 64)\n"
        "        ends = [(0, 64 * blocks - count)] + [(0, 0)] * len(behind)\n"
        "        both = [jnp.pad(z, ends).reshape(blocks, 64, *z.shape[1:]) for z in both]\n"
        "        start = [jnp.ones_like(both[0][:, 0]), jnp.zeros_like(both[1][:, 0])]\n"
        "        last, (_, own) = jax.lax.scan(go, start, [z.swapaxes(0, 1) for z in both])\n"
        "        _, ((_, before), _) = jax.lax.scan(go, [z[0] for z in start], last)\n"
        "        y = (own[1] + own[0] * before).swapaxes(0, 1).reshape(64 * blocks, *behind)\n"
        "        y = jnp.moveaxis(y[:count], 0, axis)\n"
        "        return jnp.flip(y, axis) if backwards else y\n\n"
        "    if all(isinstance(n, int) for n in x.shape) and x.size < 2**12:\n"
        "        y = few(x, rate)\n"
        "    else:\n"
        "        spread = jnp.max(most - least, initial=0)\n"
        "        near, ways = (spread < 40, alike) if moving else (spread == 0, even)\n"
        "        near &= jnp.isfinite(jnp.sum(jnp.abs(x)))\n"
        "        y = jax.lax.cond(near, ways, apart, x, rate)\n"
        "    return left(rate) * later(y, axis, backwards) if strict else y",
    },
    "np": {
        "np": "np",
        "moved": "ends = [(0, 0)] * x.ndim\n"
        "    ends[axis] = (0, 1) if backwards else (1, 0)\n"
        "    x = np.pad(x, ends, constant_values=first)\n"
        "    return np.take(x, range(backwards, x.shape[axis] - 1 + backwards), axis)",
        "cumulated": "x = np.flip(x, axis) if backwards else x\n"
        "    y = np.cumsum(x, axis)\n"
        "    return np.flip(y, axis) if backwards else y",
        "highest": "x = np.flip(x, axis) if backwards else x\n"
        "    y = np.maximum.accumulate(x, axis)\n"
        "    return np.flip(y, axis) if backwards else y",
        "recurrent": "dtype = np.promote_types(np.result_type(x, rate), np.float32)\n"
        "    x, rate = np.broadcast_arrays(np.asarray(x, dtype), np.asarray(rate, dtype))\n"
        "    last = later(rate, axis, backwards)\n"
        "    first = later(np.zeros_like(rate), axis, backwards, 1.0) == 1\n"
        "    left = np.exp(np.where(first | (last == rate), 0, last - rate))\n"
        "    y = np.moveaxis(np.array(x), axis, 0)\n"
        "    decay = np.moveaxis(left, axis, 0)\n"
        "    order = range(len(y))[::-1] if backwards else range(len(y))\n"
        "    for behind, k in itertools.pairwise(order):\n"
        "        y[k] += decay[k] * y[behind]\n"
        "    y = np.moveaxis(y, 0, axis)\n"
        "    return left * later(y, axis, backwards) if strict else y",
    },
}
