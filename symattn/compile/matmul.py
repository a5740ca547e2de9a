"""Contractions as products of matrices in the layout that is fast on a CPU."""

from __future__ import annotations

from collections.abc import Sequence

from .nodes import Letters, Node

MATMUL = '''

def matmul(subscripts, x, y):
    """The contraction of two arrays as a product of matrices.

    A CPU is up to three times faster where the summed axes of the first factor are its last ones.
    So one factor is copied in that order, or the product computed transposed: whatever moves less.
    """
    inputs, out = subscripts.split("->")
    a, b = inputs.split(",")
    size = dict(zip(a + b, x.shape + y.shape))
    if jax.default_backend() != "cpu" or math.prod(size.values()) < 2**15:
        return einsum(subscripts, x, y)
    summed = {c for c in a if c not in out}

    def moved(letters, array):
        return 0 if set(letters[-len(summed) :]) == summed else array.size

    if moved(a, x) > moved(b, y) + math.prod(size[c] for c in out):
        a, b, x, y = b, a, y, x
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


def leading(node: Node) -> tuple[int, int] | None:
    """The order of the two operands of a product of matrices, the leading one first, where that
    one is not stored with its summed axes last; None for other contractions.

    The leading operand has the first axis of the result that is not in both.
    """
    places: Sequence[Letters] = node.data[0]
    rank = len(node.shape)
    if len(places) != 2 or any(len(set(p)) < len(p) for p in places):
        return None
    a, b = map(set, places)
    summed = {x for x in a if x >= rank}
    if not summed or summed != {x for x in b if x >= rank} or not a - b or not b - a:
        return None
    order = (0, 1) if min(a ^ b) in a else (1, 0)
    last = places[order[0]][-len(summed) :]
    return None if set(last) == summed else order


__all__ = ["MATMUL", "leading"]
