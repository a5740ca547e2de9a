"""Functions that a module brings along, as text."""

from __future__ import annotations

from collections.abc import Set

from .. import primitives
from .annotations import Annotations
from .convolutions import CONVOLVED, EDGES, SLIDE, SLIDING, WINDOWED
from .loops import AROUND, BY_BANDS, BY_ROWS, BY_SLICES, POSITIONS
from .names import globals_of
from .ordered import ORDERED
from .running import CUMSUM, FADED, LATER, REFERENCE, RUNNING
from .skewed import SKEWED
from .windows import IN_WINDOWS, LOOPS, WINDOW_SUMS

EINSUM = '''

def einsum(subscripts, *operands):
    """The contraction of the operands, accumulated in at least float32."""
    wide = {np}.promote_types({np}.result_type(*operands), {np}.float32)
    return {np}.einsum(subscripts, *operands, {accumulated})
'''

CONTRACTION = '''

def contraction(subscripts, *operands):
    """The contraction of several arrays, two at a time, in the order that takes least work."""
    inputs, out = subscripts.split("->")
    left = list(zip(inputs.split(","), operands))
{lengths}    path, _ = {np}.einsum_path(subscripts, *{sized}, optimize={search})
    for pair in path{skipped}:
        chosen = [left.pop(k) for k in sorted(pair, reverse=True)]  # one that is summed alone, too
        names, arrays = zip(*sorted(chosen, key=lambda one: one[0]))
        needed = out + "".join(letters for letters, _ in left)
        made = "".join(c for c in dict.fromkeys("".join(names)) if c in needed) if left else out
        product = {pairwise} if len(pair) > 1 else {np}.einsum
        left.append((made, product(f"{{','.join(names)}}->{{made}}", *arrays)))
    return left[0][1]
'''

PADDED = '''

def padded(x, *ends):
    """x with zeros at its ends: for an axis how many before it, and its length with them."""
    config = [(0, 0, 0)] * x.ndim
    for axis, before, length in ends:
        config[axis] = (before, max(length, 0) - before - x.shape[axis], 0)
    return jax.lax.pad(x, jnp.zeros((), x.dtype), config)
'''

ENTRIES = '''

def entries(x, *places):
    """x at these places, and 0 beyond its end; all are beyond that of an empty axis."""
    if x.size:
        {filled}
    return {np}.zeros({np}.broadcast_shapes(*map({np}.shape, places)), x.dtype)
'''

ROLLED = '''

def rolled(x, by, axis):
    """x moved along an axis, around its end: two parts beside zeros, no array of their own."""
    length = x.shape[axis]
    if not isinstance(length, int):  # a length without a value, of jax.export
        return jnp.roll(x, by, axis)
    by %= max(1, length)

    def part(first, last, before):
        config = [(0, 0, 0)] * x.ndim
        config[axis] = (before, length - before - (last - first), 0)
        found = jax.lax.slice_in_dim(x, first, last, axis=axis)
        return jax.lax.pad(found, jnp.zeros((), x.dtype), config)

    return part(length - by, length, 0) + part(0, length - by, by)
'''

TOTAL = '''

def total(x, axis=None):
    """The sum over axes, accumulated and given in at least float32."""
    return {np}.sum(x, axis, {np}.promote_types(x.dtype, {np}.float32))
'''

MATMUL = '''

def matmul(subscripts, x, y):
    """The contraction of two arrays as a product of matrices.

    A CPU is up to three times faster where the summed axes of the first factor are its last ones.
    So one factor is copied in that order, or the product computed transposed: whatever moves less,
    where that is little beside the other factor.
    """
    inputs, out = subscripts.split("->")
    a, b = inputs.split(",")
    size = dict(zip(a + b, x.shape + y.shape))
    known = all(isinstance(length, int) for length in size.values())
    if jax.default_backend() != "cpu" or not known or math.prod(size.values()) < 2**15:
        return einsum(subscripts, x, y)
    summed = {c for c in a if c not in out}

    def moved(letters, array):
        return 0 if set(letters[-len(summed) :]) == summed else array.size

    if moved(a, x) > moved(b, y) + math.prod(size[c] for c in out):
        a, b, x, y = b, a, y, x
    if moved(a, x) > max(2**16, y.size // 4):
        return einsum(f"{a},{b}->{out}", x, y)
    rows = sorted((c for c in out if c in a), key=lambda c: c not in b)  # axes of both come first
    first = "".join(rows + [c for c in b if c in summed])
    product = "".join(rows + [c for c in out if c not in a])
    # Without the barriers XLA would undo the transpositions.
    x = jax.lax.optimization_barrier(jnp.einsum(f"{a}->{first}", x))
    z = einsum(f"{first},{b}->{product}", x, y)
    if product == out:
        return z
    return jnp.einsum(f"{product}->{out}", jax.lax.optimization_barrier(z))
'''

SCATTERED = '''

def scattered(places, x, size):
    """The sums of the entries of x that have the same place, of `size` places, as the last axis.

    The places are those of the last axes of x; the sums are accumulated in at least float32.
    """
    places, x = {np}.asarray(places), {np}.asarray(x)
    shape = (*x.shape[: x.ndim - places.ndim], size)
    wide = {np}.promote_types(x.dtype, {np}.float32)
    {added}
'''

FAR = '''

def far(x):
    """Where x is far enough from 0 for its inverse, and the square of that."""
    return x > {np}.finfo(x.dtype).eps ** 2
'''

WIDE = '''

def wide(*arrays):
    """The arrays in their common dtype, at least float32."""
    dtype = {np}.promote_types({np}.result_type(*arrays), {np}.float32)
    return [{np}.asarray(x, dtype) for x in arrays]
'''

GROWN = '''

def grown(x):
    """e^x, as far as numbers go."""
    return {np}.exp({np}.minimum(x, math.log({np}.finfo({np}.result_type(x, 1.0)).max) - 9))
'''

BEYOND = '''

def beyond(x):
    """φ(x)/Φ(x) + x for x below -8, a continued fraction."""
    far = {np}.maximum(-x, 8)
    fraction = far
    for k in range(14 if x.dtype == {np}.float64 else 6, 1, -1):
        fraction = far + k / fraction
    return 1 / fraction
'''

HAZARD = '''

{by_rule}def hazard(x):
    """The slope of the logarithm of the normal distribution."""
    (x,) = wide(x)
    near = {near}
    ratio = {np}.exp(-(near**2) / 2 - {normal}(near)) / math.sqrt(2 * math.pi)
    return {np}.where(x < -8, beyond(x) - x, ratio)
'''

ABOVE = '''

def above(x):
    """How much the slope of the logarithm of the normal distribution is above -x."""
    (x,) = wide(x)
    return {np}.where(x < -8, beyond(x), hazard(x) + x)
'''

BY_SLOPE = """

hazard.defjvp(lambda at, change: (y := hazard(*at), -y * above(*at) * change[0]))
"""

WEIGHED = '''

{rule}def weighed(x, w):
    """w e^x, and 0 where w is 0, whatever x is there."""
    there = w != 0  # what is computed comes first: of an empty array JAX gives that, for its type
    return {np}.where(there, w * {np}.exp({np}.where(there, x, 0)), 0)
'''

BY_WEIGHT = """

weighed.defjvp(
    lambda at, change: (
        y := weighed(*at),
        y * change[0] + grown(at[0]) * change[1],
    )
)
"""

SMALL = '''

{by_rule}def small(w, z):
    """log(1 + w e^z) for w ≥ 0: with the digits of w e^z where that is small, whatever z is."""
    top = {fixed}({np}.maximum(z - 40, 0))  # what goes out so that nothing overflows
    u = w * {np}.exp(z - top)
    none = (u == 0) & (top > 0)
    whole = {np}.where(none, 1, {np}.exp(-top) + u)
    near = {np}.where(whole == 1, u, {np}.log(whole) * (u / {np}.where(whole == 1, 1, whole - 1)))
    return {np}.where(none, 0, {np}.where(top > 0, top + {np}.log(whole), near))
'''

SMALL_SLOPE = '''

def small_slope(w, z):
    """1 / (e^(-z) + w), the derivative of that by w."""
    top = {fixed}({np}.maximum(z - 40, 0))
    one = {np}.exp(z - top)
    below = {np}.exp(-top) + w * one
    numbers = {np}.finfo(below.dtype)
    far = below < one * numbers.tiny  # as large as a number may be
    return {np}.where(far, numbers.max, one / {np}.where(far, 1, below))
'''

SMALL_SHARE = '''

def small_share(w, z):
    """w / (e^(-z) + w), the derivative of that by z."""
    top = {fixed}({np}.maximum(z - 40, 0))
    u = w * {np}.exp(z - top)
    return {np}.where(u == 0, 0, u / {np}.where(u == 0, 1, {np}.exp(-top) + u))
'''

BY_SHARE = """

small.defjvp(
    lambda at, change: (
        small(*at),
        small_slope(*at) * change[0] + small_share(*at) * change[1],
    )
)
"""

CHOLESKY = '''

def cholesky(matrix):
    """The lower triangular L with L Lᵀ = matrix."""
    return {np}.linalg.cholesky(*wide(matrix))
'''

SOLVE = '''

def solve(matrix, x, factored=False):
    """matrix⁻¹ x along the axis of x that follows the leading axes of the matrix.

    With `factored` the matrix is given by its Cholesky factor.
    """
    matrix, x = wide(matrix, x)
    columns = x.reshape(*matrix.shape[:-1], math.prod(x.shape[matrix.ndim - 1 :]))
    if factored:
        {by_factor}
    return {np}.linalg.solve(matrix, columns).reshape(x.shape)
'''

INVERSE = '''

def inverse(matrix, factored=False):
    """The inverse of a matrix, or of that with this Cholesky factor."""
    (matrix,) = wide(matrix)
    if factored:
        {root}
        return {np}.swapaxes(root, -1, -2) @ root
    return {np}.linalg.inv(matrix)
'''

DETERMINANT = '''

def determinant(matrix, factored=False):
    """The determinant of a matrix, or of that with this Cholesky factor."""
    value = {np}.linalg.det(*wide(matrix))
    return value**2 if factored else value
'''

LOGDET = '''

def logdet(matrix, factored=False):
    """log |determinant| of a matrix, or of that with this Cholesky factor."""
    (matrix,) = wide(matrix)
    if factored:
        return 2 * {np}.sum({np}.log({np}.diagonal(matrix, axis1=-2, axis2=-1)), axis=-1)
    return {np}.linalg.slogdet(matrix)[1]
'''

WORDS = {
    "jnp": {
        "np": "jnp",
        "search": '"dp"',
        "sized": "map(sized, operands)",
        "lengths": "\n    def sized(x):  # a length without a value, of jax.export, counts as 64\n"
        "        lengths = [n if isinstance(n, int) else 64 for n in x.shape]\n"
        "        return jax.ShapeDtypeStruct(lengths, x.dtype)\n\n",
        "skipped": "",
        "pairwise": "matmul",
        "accumulated": "preferred_element_type=wide",
        "by_factor": "return jax.scipy.linalg.cho_solve((matrix, True), columns).reshape(x.shape)",
        "normal": "jax.scipy.special.log_ndtr",
        "by_rule": "@jax.custom_jvp\n",
        "fixed": "jax.lax.stop_gradient",
        "near": "x  # the logarithm is there once where a value needs it, too",
        "root": "one = jnp.zeros_like(matrix) + jnp.eye(matrix.shape[-1], dtype=matrix.dtype)\n"
        "        root = jax.scipy.linalg.solve_triangular(matrix, one, lower=True)",
        "rule": "@jax.custom_jvp  # where w is 0 there is a derivative by w\n",
        "filled": 'return x.at[places].get(mode="fill", fill_value=0)',
        "added": "return jnp.zeros(shape, wide).at[..., places].add(x.astype(wide))",
    },
    "np": {
        "np": "np",
        "search": '"optimal"',
        "sized": "operands",
        "lengths": "",
        "skipped": "[1:]",
        "pairwise": "einsum",
        "accumulated": "dtype=wide, optimize=True",
        "by_factor": "half = np.linalg.solve(matrix, columns)\n"
        "        return np.linalg.solve(np.swapaxes(matrix, -1, -2), half).reshape(x.shape)",
        "normal": "scipy.special.log_ndtr",
        "by_rule": "",
        "fixed": "",
        "near": "np.maximum(x, -8)",
        "root": "root = np.linalg.inv(matrix)",
        "rule": "",
        "filled": "beyond = [p >= n for p, n in zip(places, x.shape)]\n"
        "        at = tuple(p % n for p, n in zip(places, x.shape))\n"
        "        return np.where(np.any(np.broadcast_arrays(*beyond), axis=0), 0, x[at])",
        "added": "sums = np.zeros(shape, wide)\n"
        "    np.add.at(sums, (..., places), x)\n"
        "    return sums",
    },
}


WHERE_FASTER = {
    "turns": "4",
    "few": "Fewer than four blocks are not worth it.",
    "least": "4",
    "block": '    entries = 2**21 if jax.default_backend() == "cpu" else 2**27'
    "  # in a cache; enough to be busy\n"
    "    block = 128 * max(1, entries // (128 * max(1, width)))\n",
}
ALWAYS = {
    "turns": "8",
    "few": "A block has at most 128 rows, so memory is linear in their number.",
    "least": "2",
    "block": "    block = min(128, max(1, count // 2))\n",
}


FEW = {  # for what is computed where another plan cannot be: the least memory
    **ALWAYS,
    "few": "A block has at most 32 rows, so memory is linear in their number.",
    "block": "    block = min(32, max(1, count // 2))\n",
}


def texts(np: str, flash: bool = False, banded: bool = False, axis: str = "") -> dict[str, str]:
    """The text of every function by name, in an order in which they may call each other."""
    by_rows = BY_BANDS if banded else BY_ROWS
    words, running, sliding = WORDS[np], RUNNING[np], SLIDING[np]
    return {
        "einsum": EINSUM.format(**words),
        "padded": PADDED,
        "entries": ENTRIES.format(**words),
        "rolled": ROLLED,
        **({"skewed": SKEWED} if np == "jnp" else {}),
        "total": TOTAL.format(**words),
        "matmul": MATMUL,
        "contraction": CONTRACTION.format(**words),
        "edges": EDGES,
        "windowed": WINDOWED.format(**sliding),
        **({"convolved": CONVOLVED} if np == "jnp" else {}),
        "slide": SLIDE.format(**sliding),
        "window_sums": WINDOW_SUMS.format(np=np),
        "in_windows": IN_WINDOWS.format(np=np, **LOOPS[np]),
        "scattered": SCATTERED.format(**words),
        "wide": WIDE.format(**words),
        "far": FAR.format(**words),
        "grown": GROWN.format(**words),
        "beyond": BEYOND.format(**words),
        "hazard": HAZARD.format(**words),
        "small_slope": SMALL_SLOPE.format(**words),
        "small_share": SMALL_SHARE.format(**words),
        "small": SMALL.format(**words) + (BY_SHARE if np == "jnp" else ""),
        "above": ABOVE.format(**words) + (BY_SLOPE if np == "jnp" else ""),
        "weighed": WEIGHED.format(**words) + (BY_WEIGHT if np == "jnp" else ""),
        "later": LATER.format(**running),
        "cumsum": CUMSUM.format(**running),
        **({"ordered": ORDERED} if np == "jnp" else {}),
        "reference": REFERENCE.format(**running),
        "faded": FADED.format(**running),
        "cholesky": CHOLESKY.format(**words),
        "solve": SOLVE.format(**words),
        "inverse": INVERSE.format(**words),
        "determinant": DETERMINANT.format(**words),
        "logdet": LOGDET.format(**words),
        "by_slices": BY_SLICES.format(few_slices=4),
        "positions": POSITIONS.format(axis=repr(axis)),
        "around": AROUND.format(axis=repr(axis)),
        "by_rows": by_rows.format(**(ALWAYS if flash else WHERE_FASTER)),
        "by_few_rows": by_rows.format(**FEW).replace("by_rows", "by_few_rows"),
    }


def helpers(
    np: str, used: Set[str], flash: bool = False, banded: bool = False, axis: str = ""
) -> str:
    """The text of the functions that are used; blocks of rows are short with `flash`."""
    return "".join(text for name, text in texts(np, flash, banded, axis).items() if name in used)


def spoken_for(np: str) -> frozenset[str]:
    """What the text of a module defines, imports or reads, whatever it computes."""
    templates = [(p.jax, p.numpy) for p in map(primitives.by_name, primitives.names())]
    calls = [
        f"lambda x, y, z: {text.format(x='x', y='y', z='z')}"
        for pair in templates
        for text in pair
        if text
    ]
    return globals_of("\n".join([header(np), *texts(np).values(), *calls]))


def header(np: str, used: Set[str] = frozenset(("itertools", "math"))) -> str:
    """The docstring and the imports; `used` are names that the module reads."""
    needs, modules = "JAX", "import jax\nimport jax.numpy as jnp"
    if np == "np":
        needs, modules = (
            "NumPy",
            "import numpy as np" + "\nimport scipy.special" * ("scipy" in used),
        )
    text = f'"""Written by symattn; it needs {needs} and nothing else."""\n\n'
    text += "from __future__ import annotations\n\n" + "import itertools\n" * ("itertools" in used)
    text += "import math\n" * ("math" in used)
    text += "from typing import TYPE_CHECKING\n\n"
    return text + f"{modules}\n\n{Annotations.imports(np)}"
