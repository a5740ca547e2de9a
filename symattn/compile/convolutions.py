"""The text of sums over windows: convolutions, and step by step through the windows."""

from __future__ import annotations

SLIDE = '''

def slide(subscripts, spatial, windows, x, w, reach="inside", places=()):
    """Σ x[…, i + t, …] w[…, t, …], the letters i in spatial and the letters t in windows.

    Axes are named by the letters of subscripts; for reach and places see `edges`.
    """
    inputs, out = subscripts.split("->")
    a, b = inputs.split(",")
    wide = {np}.promote_types({np}.result_type(x, w), {np}.float32)
    if reach == "full" and w.shape[b.index(windows[0])] > x.shape[a.index(spatial[0])]:
        swap = str.maketrans(spatial + windows, windows + spatial)  # the shorter one is the window
        a, b, x, w = b.translate(swap), a.translate(swap), w, x
{few}    batch = [c for c in a if c in out and c not in spatial]
    features = [c for c in b if c in out]
    channels = [c for c in a if c in b]
    size = dict(zip(b, w.shape)) | dict(zip(a, x.shape))
    x, w = (array.astype({np}.result_type(x, w)) for array in (x, w))

    def grouped(array, letters, *groups):
        array = {np}.transpose(array, [letters.index(c) for group in groups for c in group])
        return array.reshape([math.prod(size[c] for c in group) for group in groups])

    x = grouped(x, a, batch, *spatial, channels)  # channels last, as XLA has them on a CPU
    w = grouped(w, b, *windows, channels, features)
    if reach in ("full", "before"):
        w = {np}.flip(w, range(len(windows)))
    ends = edges(reach, places, [size[i] for i in spatial], [size[t] for t in windows])
    {slid}
    y = y.reshape(*(size[c] for c in batch), *y.shape[1:-1], *(size[c] for c in features))
    made = [*batch, *spatial, *features]
    return {np}.transpose(y, [made.index(c) for c in out])
'''

EDGES = '''

def edges(reach, places, lengths, widths):
    """How many zeros are before and behind x along the axes through which windows go.

    inside  every window is in x: Σ x[i + t] w[t]
    full    Σ x[i - t] w[t] wherever it is not empty
    before  Σ x[i - t] w[t] at the places of x
    behind  Σ x[i + t] w[t] at so many places
    """
    if reach == "behind":
        triples = zip(places, lengths, widths)
        return [(0, count + width - 1 - length) for count, length, width in triples]
    first, last = reach in ("full", "before"), reach == "full"
    return [((width - 1) * first, (width - 1) * last) for width in widths]
'''

WINDOWED = '''

def windowed(subscripts, spatial, windows, x, w, reach="inside", places=()):
    """What slide computes, where both arrays go along with the result: a step at a time through
    the windows, or through the places if these are fewer."""
    inputs, out = subscripts.split("->")
    a, b = inputs.split(",")
    if reach == "full" and w.shape[b.index(windows[0])] > x.shape[a.index(spatial[0])]:
        swap = str.maketrans(spatial + windows, windows + spatial)  # the shorter one is the window
        a, b, x, w = b.translate(swap), a.translate(swap), w, x
    at, over = [a.index(c) for c in spatial], [b.index(c) for c in windows]
    lengths, widths = [x.shape[k] for k in at], [w.shape[k] for k in over]
    ends = edges(reach, places, lengths, widths)
    counts = [n + sum(end) - width + 1 for n, end, width in zip(lengths, ends, widths)]
    size = dict(zip(b, w.shape)) | dict(zip(a, x.shape)) | dict(zip(spatial, counts))
    if not math.prod(widths) or not math.prod(size[c] for c in out):
        wide = {np}.promote_types({np}.result_type(x, w), {np}.float32)
        return {np}.zeros([size[c] for c in out], wide)
    x = {np}.pad(x, [ends[at.index(k)] if k in at else (0, 0) for k in range(len(a))])
    if reach in ("full", "before"):
        w = {np}.flip(w, over)
    through, spans = widths, counts
    if math.prod(counts) < math.prod(widths):
        through, spans = counts, widths

    def part(array, axes, starts, spans):
        for k, start, span in zip(axes, starts, spans):
            {sliced}
        return array

    whole = through is counts  # a window for every place, or a place of all windows
    inner = a.translate(str.maketrans(spatial, windows))
    kept = "".join(c for c in out if c not in spatial)
    fixed = "".join(c for c in b if c not in windows)

    def step(*starts):
        own = part(x, at, starts, spans)
        if whole:
            return einsum(f"{{inner}},{{b}}->{{kept}}", own, w)
        one = part(w, over, starts, [1] * len(over)).squeeze(tuple(over))
        return einsum(f"{{a}},{{fixed}}->{{out}}", own, one)

    starts = list(itertools.product(*map(range, through)))
    if not whole:
        return {summed}
    y = {stacked}
    made = [*spatial, *kept]
    return {np}.transpose(y.reshape(*counts, *y.shape[1:]), [made.index(c) for c in out])
'''

CONVOLVED = '''

def convolved(x, w, ends):
    """Σ_t x[i + t] w[t] of arrays (batch, *places, channels) and (*windows, channels, features),
    with so many zeros at the ends.

    XLA on a CPU computes few features no faster than sixteen.  So of one channel, and few features,
    eight places are one, with eight times the features: windows that begin one place later each;
    not for windows that are longer than there are places, which would be copied eight times.
    """
    channels, features = w.shape[-2:]
    count = x.shape[-2] + sum(ends[-1]) - w.shape[-3] + 1
    several, steps = 1, [1] * len(ends)
    known = all(isinstance(k, int) for k in (*x.shape, *w.shape))
    few = known and channels == 1 and features <= 16 and count >= max(64, w.shape[-3])
    if few and jax.default_backend() == "cpu":
        several = steps[-1] = 8
        begins = [
            jnp.pad(w, [(0, 0)] * (w.ndim - 3) + [(k, 7 - k), (0, 0), (0, 0)]) for k in range(8)
        ]
        w = jnp.moveaxis(jnp.stack(begins), 0, -2)
        w = w.reshape(*w.shape[:-2], 8 * features)
        ends = [*ends[:-1], (ends[-1][0], ends[-1][1] + -count % 8)]
    if not known:  # lengths without a value, of jax.export
        x, ends = jnp.pad(x, [(0, 0), *ends, (0, 0)]), [(0, 0)] * len(ends)
    axes = "".join(map(str, range(len(ends))))
    y = jax.lax.conv_general_dilated(
        x,
        w,
        steps,
        ends,
        dimension_numbers=(f"N{axes}C", f"{axes}IO", f"N{axes}C"),
        preferred_element_type=jnp.promote_types(x.dtype, jnp.float32),
    )
    if several == 1:
        return y
    return y.reshape(*y.shape[:-2], y.shape[-2] * 8, features)[..., :count, :]
'''

SLIDING = {
    "jnp": {
        "np": "jnp",
        # XLA has no fast convolution of one channel, and none of few windows
        "few": "    channels = set(a) & set(b)\n"
        "    steps = [math.prod(w.shape[b.index(t)] for t in windows), math.prod(w.shape)]\n"
        "    known = all(isinstance(k, int) for k in (*x.shape, *w.shape))\n"
        '    if known and jax.default_backend() == "cpu" and not channels and max(steps) <= 32:\n'
        '        return windowed(f"{a},{b}->{out}", spatial, windows, x, w, reach, places)\n',
        "slid": "y = convolved(x, w, ends)",
        "sliced": "array = jax.lax.dynamic_slice_in_dim(array, start, span, k)",
        # many steps are a loop of the program
        "summed": "(\n"
        "            sum(step(*start) for start in starts)\n"
        "            if len(starts) <= 64\n"
        "            else jax.lax.fori_loop(\n"
        "                1,\n"
        "                len(starts),\n"
        "                lambda k, y: y + step(*jnp.array(starts)[k]),\n"
        "                step(*starts[0]),\n"
        "            )\n"
        "        )",
        "stacked": "(\n"
        "        jnp.stack([step(*start) for start in starts])\n"
        "        if len(starts) <= 64\n"
        "        else jax.lax.map(lambda start: step(*start), jnp.array(starts))\n"
        "    )",
    },
    "np": {
        "np": "np",
        "few": "",
        "slid": "x = np.pad(x, [(0, 0), *ends, (0, 0)])\n"
        "    x = np.lib.stride_tricks.sliding_window_view(\n"
        "        x, w.shape[:-2], tuple(range(1, x.ndim - 1))\n"
        "    )\n"
        "    summed = [*range(2 + len(windows), x.ndim), 1 + len(windows)]\n"
        "    y = np.tensordot(x.astype(wide), w, (summed, range(w.ndim - 1)))",
        "sliced": "array = np.take(array, range(start, start + span), k)",
        "summed": "sum(step(*start) for start in starts)",
        "stacked": "np.stack([step(*start) for start in starts])",
    },
}

__all__ = ["CONVOLVED", "EDGES", "SLIDE", "SLIDING", "WINDOWED"]
