"""Which of several arrays are contracted first, decided at plausible sizes."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import Any

import numpy as np
import sympy as sp
from opt_einsum import get_symbol, paths

from .nodes import Label, Node, in_order

Shape = tuple[Label, ...]
MOST = 5  # operands of which every order is tried; of more, those without outer products


@lru_cache(maxsize=256)
def scenarios(symbols: frozenset[sp.Symbol]) -> tuple[dict[sp.Symbol, int], ...]:
    """Plausible sizes: all alike, and each in turn small or large against the others."""
    ordered = sorted(symbols, key=str)
    base = {s: 256 + k for k, s in enumerate(ordered)}
    turns = [base | {s: v} for s in ordered for v in (24, 3072)]
    return (base, *turns)


@lru_cache(maxsize=4096)
def lengths(size: sp.Expr, symbols: frozenset[sp.Symbol]) -> Any:
    """The values of a size in every scenario."""
    return np.array([max(1.0, float(size.subs(s))) for s in scenarios(symbols)])


def symbols_of(sizes: Iterable[sp.Expr]) -> frozenset[sp.Symbol]:
    return frozenset(s for size in sizes for s in size.free_symbols)


def points(sizes: Iterable[sp.Expr], symbols: frozenset[sp.Symbol]) -> Any:
    """The product of sizes in every scenario."""
    result = np.ones(len(scenarios(symbols)))
    for size in sizes:
        result = result * lengths(size, symbols)
    return result


def work(nodes: Iterable[Node]) -> float:
    """The geometric mean, over plausible sizes, of the operations in these nodes."""
    nodes = list(nodes)
    if not nodes:
        return 0.0
    symbols = symbols_of(size for n in nodes for size in n.sizes)
    total = sum(points(n.sizes, symbols) * max(1, len(n.args)) for n in nodes)
    return float(np.exp(np.log(total).mean()))


def first_pair(shapes: Sequence[Shape], out: Shape) -> tuple[int, int]:
    """The two of at least three operands to contract first.

    Of the orders that are best at one set of plausible sizes, the one with the least work over
    all; of equal ones that with the first operands, so that a symmetric result is not turned.
    """
    labels = in_order(x for shape in shapes for x in shape)
    symbols = symbols_of(x.size for x in labels)
    letter = {x: get_symbol(k) for k, x in enumerate(labels)}  # the same ones in every process
    start = [frozenset(letter[x] for x in shape) for shape in shapes]
    kept = frozenset(letter[x] for x in out)
    size = {letter[x]: lengths(x.size, symbols) for x in labels}
    method = paths.optimal if len(shapes) <= MOST else paths.DynamicProgramming()

    def cost(left: list[frozenset[str]], path: Sequence[Sequence[int]]) -> float:
        spent = np.zeros(len(scenarios(symbols)))
        for pair in path:
            union = sorted(frozenset().union(*(left[k] for k in pair)))
            left = [x for k, x in enumerate(left) if k not in pair]
            made = kept.union(*left).intersection(union)
            spent = spent + np.prod([size[x] for x in union], axis=0) * (
                1 + (len(made) < len(union))
            )
            left.append(made)
        return round(float(np.log(spent).sum()), 6)

    found: dict[tuple[int, ...], float] = {}
    # The search keeps the first order it meets: small operands first finds others of equal work.
    for order in (range(len(start)), sorted(range(len(start)), key=lambda k: len(start[k]))):
        left = [start[k] for k in order]
        tried = set()
        for case in range(len(scenarios(symbols))):
            path = method(left, kept, {x: int(n[case]) for x, n in size.items()})
            if (key := tuple(map(tuple, path))) not in tried:
                tried.add(key)
                pair = tuple(sorted(order[k] for k in path[0]))
                found[pair] = min(cost(left, path), found.get(pair, np.inf))
    first, second = min(found, key=lambda pair: (found[pair], pair))
    return first, second


__all__ = ["first_pair", "lengths", "symbols_of", "work"]
