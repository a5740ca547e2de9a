"""Sizes from the shapes of arrays: which of them a plan can read off, and where."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Set
from dataclasses import dataclass

import sympy as sp

from .shapes import Shape

LENGTH = sp.Dummy("length", positive=True, integer=True)  # of the axis that a size is read from


@dataclass(frozen=True)
class Source:
    """An axis, and the size as an expression of its LENGTH and of sizes that come before."""

    array: str
    axis: int
    value: sp.Expr

    @property
    def before(self) -> set[sp.Symbol]:
        """The sizes that are needed first."""
        found: set[sp.Symbol] = self.value.free_symbols - {LENGTH}
        return found


def shown(
    shapes: Mapping[str, Shape], known: Set[sp.Symbol] = frozenset()
) -> dict[sp.Symbol, Source]:
    """Every size that the shapes determine beside the known ones, in an order of reading."""
    axes = [(n, k, size) for n, shape in shapes.items() for k, size in enumerate(shape)]
    found: dict[sp.Symbol, Source] = {}
    for name, axis, size in axes:
        if size.is_Symbol and size not in known:
            found.setdefault(size, Source(name, axis, LENGTH))
    again = True
    while again:
        again = False
        for name, axis, size in axes:
            unknown = size.free_symbols - found.keys() - known
            if len(unknown) != 1:
                continue
            (symbol,) = unknown
            slope = sp.expand(size).coeff(symbol, 1)
            rest = sp.expand(size - slope * symbol)
            if slope != 0 and symbol not in slope.free_symbols | rest.free_symbols:
                found[symbol] = Source(name, axis, (LENGTH - rest) / slope)
                again = True
    return found


def asked_for(needed: Iterable[sp.Symbol], shapes: Mapping[str, Shape]) -> tuple[sp.Symbol, ...]:
    """The sizes of those needed that have to be given beside the arrays."""
    asked: list[sp.Symbol] = []
    for symbol in sorted(needed, key=str):
        if symbol not in shown(shapes, frozenset(asked)) and symbol not in asked:
            asked.append(symbol)
    return tuple(asked)


def reading(
    needed: Set[sp.Symbol], shapes: Mapping[str, Shape], known: Set[sp.Symbol]
) -> dict[sp.Symbol, Source]:
    """Where the needed sizes are read, those first that others are computed from."""
    every = shown(shapes, known)
    wanted = {s for s in needed if s in every}
    for symbol in reversed(every):
        if symbol in wanted:
            wanted |= every[symbol].before & every.keys()
    return {s: source for s, source in every.items() if s in wanted}


__all__ = ["LENGTH", "Source", "asked_for", "reading", "shown"]
