"""Random sizes and arrays that respect what is declared: shape, sign, symmetry.

Sizes are pairwise different, so that a transposition cannot hide.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from itertools import permutations
from typing import Any

import numpy as np
import sympy as sp

from .errors import ShapeError
from .ir import Node, Tensor, refs

SIZES = (3, 5, 4, 2, 6, 7, 8, 9, 10, 11, 12, 13)


def size_symbols(sizes: Iterable[sp.Expr]) -> list[str]:
    """The names of the symbols that sizes are made of, in alphabetical order."""
    return sorted({s.name for size in sizes for s in sp.sympify(size).free_symbols})


def pick_sizes(
    names: Iterable[str], given: Mapping[str, int] | None = None, seed: int | None = None
) -> dict[str, int]:
    """A small number for every size symbol, pairwise different; shuffled when a seed is given."""
    pool = [n for n in SIZES if n not in (given or {}).values()]
    names = [n for n in names if n not in (given or {})]
    if len(names) > len(pool):
        pool = list(range(2, len(names) + 2))
    if seed is not None:
        head = pool[: max(len(names), 4)]
        np.random.default_rng(seed).shuffle(head)
        pool = head
    return {**(given or {}), **dict(zip(names, pool, strict=False))}


def shape_of(tensor: Tensor, sizes: Mapping[str, int]) -> tuple[int, ...]:
    """The shape of a tensor at these sizes."""
    shape = []
    for size in tensor.shape:
        value = size.xreplace({s: sp.Integer(sizes[s.name]) for s in size.free_symbols})
        if not value.is_Integer or value < 0:
            raise ShapeError(
                f"the size {size} of {tensor.name} is {value} at {dict(sizes)}",
                expected="a positive integer",
                mend="choose other sizes",
            )
        shape.append(int(value))
    return tuple(shape)


def draw(tensor: Tensor, sizes: Mapping[str, int], rng: np.random.Generator) -> Any:
    """A float64 array for a tensor (a float for a scalar)."""
    shape = shape_of(tensor, sizes)
    integer = tensor.symbol is not None and tensor.symbol.is_integer
    if integer:
        return int(rng.integers(1, 6)) if tensor.positive else int(rng.integers(-4, 5))
    array = rng.standard_normal(shape)
    if tensor.positive:
        array = np.exp(0.5 * array)
    array = symmetrized(tensor, array)
    return array if shape else float(array)


def symmetrized(tensor: Tensor, array: Any) -> Any:
    """The part of an array with the declared symmetry of a tensor."""
    if not tensor.symmetry:
        return array
    total = 0
    rank = len(tensor.shape)
    orders = list(permutations(range(rank)))
    for order in orders:
        odd = sum(order[i] > order[j] for i in range(rank) for j in range(i + 1, rank)) % 2
        sign = -1 if odd and tensor.symmetry == "antisymmetric" else 1
        total = total + sign * array.transpose(order)
    return total / len(orders)


def mirrored(tensor: Tensor, array: Any) -> Any:
    """An array with the declared symmetry whose entries at ascending indices are those given."""
    if not tensor.symmetry:
        return array
    grid = np.indices(array.shape).reshape(array.ndim, -1)
    ascending = np.sort(grid, axis=0)
    values = array[tuple(ascending)]
    if tensor.symmetry == "antisymmetric":
        for p in range(array.ndim):
            for q in range(p):
                values = values * np.sign(grid[p] - grid[q])
    return values.reshape(array.shape)


def leaves(nodes: Iterable[Node]) -> dict[str, Tensor]:
    """The tensors that occur in expressions, sizes among them, by name."""
    return {r.tensor.name: r.tensor for node in nodes for r in refs(node)}
