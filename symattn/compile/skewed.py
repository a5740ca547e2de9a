"""Lookups that move with the rows of an array, without indices.

    y_ij = x_{i(i−j+c)}     what every query gives for every distance, read for its keys
    y_ik = x_{i(i−k+c)}     and back: what every key has, at its distance, and 0 elsewhere

Rows of one entry more, laid out one after the other, begin one place later every time: both are
zeros behind the rows, and another length of a row.
"""

from __future__ import annotations

from dataclasses import dataclass

import sympy as sp

from .nodes import Letters, Node

Slot = tuple[tuple[tuple[int, int], ...], sp.Expr, sp.Expr]


@dataclass(frozen=True)
class Skew:
    """The lookup of x[…, i, …, ±i ± j + const, …] for all i and j, letters of the result.

    axis    the axis of x that is read at another place
    letters those of the axes of x, j in place of what is read there
    signs   of i and of j
    """

    axis: int
    letters: Letters
    i: int
    j: int
    signs: tuple[int, int]
    const: sp.Expr

    def first(self, spread: bool) -> tuple[int, int, sp.Expr]:
        """r, s and c: the entry j of a row i of x goes to c + r i + s j of the result where it is
        spread, and comes from there otherwise."""
        a, b = self.signs
        return (-a * b, b, -b * self.const) if spread else (a, b, self.const)


def affine_axis(node: Node) -> tuple[int, Slot] | None:
    """The one axis that a lookup reads at other places than its own, and at which."""
    if node.op != "gather":
        return None
    plain = [_letter(node, slot) for slot in node.data[0]]
    return (k := plain.index(-1), node.data[0][k]) if plain.count(-1) == 1 else None


def skew(node: Node) -> Skew | None:
    """What a lookup moves with its rows; None for any other, and where it goes around the axis."""
    found = affine_axis(node)
    if found is None:
        return None
    axis, (items, const, modulus) = found
    plain = [_letter(node, slot) for slot in node.data[0]]
    if len(items) != 2 or any(abs(c) != 1 for _, c in items) or len(set(plain)) < len(plain):
        return None
    (i, a), (j, b) = items if items[0][0] in plain else reversed(items)
    if i not in plain or j in plain or len(plain) != len(node.shape):
        return None
    letters = tuple(j if x < 0 else x for x in plain)
    made = Skew(axis, letters, i, j, (a, b), const)
    fill, length = node.data[1], node.args[0].shape[axis]
    r, s, c = made.first(fill)
    across = length if fill else node.sizes[j]  # of what is read, of what it is read at
    least, most = c, c
    for sign, size in ((r, node.sizes[i]), (s, across)):
        least, most = least + min(sign, 0) * (size - 1), most + max(sign, 0) * (size - 1)
    inside = sp.expand(least).is_nonnegative and sp.expand(modulus - 1 - most).is_nonnegative
    return made if inside and modulus == (node.sizes[j] if fill else length) else None


def _letter(node: Node, slot: Slot) -> int:
    """The letter that goes through a whole axis; −1 for another place."""
    items, const, modulus = slot
    letter, c = items[0] if len(items) == 1 else (-1, 0)
    return letter if c == 1 and const == 0 and modulus == node.sizes[letter] else -1


SKEWED = '''

def skewed(x, row, axis, first, signs, length, spread=False):
    """x with the entry first ± i ± j of its row i at j, or with j at that entry if it is spread.

    `signs` are those of i and j, `length` is how many entries a row of the result has.
    """
    x = jnp.moveaxis(x, (row, axis), (-2, -1))
    up, across = ([k] if sign < 0 else [] for k, sign in zip((-2, -1), signs))
    before, rows, width = x.shape[:-2], x.shape[-2], x.shape[-1] if spread else length
    first = first - bool(up) * (rows - 1) - bool(across) * (width - 1)
    most, ends = max(rows + width - 1, 0), [(0, 0)] * len(before)
    if spread:
        x = jnp.pad(jnp.flip(x, up + across), [*ends, (0, 0), (0, rows)]).reshape(*before, -1)
        x = jnp.flip(x[..., : rows * most].reshape(*before, rows, most), up)
        zeros = jnp.zeros((*before, rows, length), x.dtype)
        x = jax.lax.dynamic_update_slice_in_dim(zeros, x[..., :length], first, len(before) + 1)
    else:
        x = jax.lax.dynamic_slice_in_dim(x, first, most, len(before) + 1)
        x = jnp.pad(jnp.flip(x, up).reshape(*before, rows * most), [*ends, (0, rows)])
        x = jnp.flip(x.reshape(*before, rows, rows + width)[..., :width], up + across)
    return jnp.moveaxis(x, (-2, -1), (row, axis))
'''

__all__ = ["SKEWED", "Skew", "affine_axis", "skew"]
