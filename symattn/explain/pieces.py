"""Parts of a formula in matrix notation: matrices, vectors and scalars as text with their axes."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from ..ir import Index

ATOM, PRODUCT, SUM = 2, 1, 0  # how tightly a piece of text binds


TOP = r"\top"
ROWSUM, ROWMAX, MAX, ONES = r"\mathrm{rowsum}", r"\mathrm{rowmax}", r"\max", r"\mathbf{1}"


class NoForm(Exception):
    """The expression has no matrix form."""


@dataclass(frozen=True)
class Piece:
    """A matrix, a vector or a scalar: its text, how tightly it binds, and its axes.

    `turned` is the transpose where that has a text of its own; `factors` are those of a product
    entry by entry.
    """

    text: str
    bind: int
    axes: tuple[Index, ...]
    turned: Piece | None = None
    factors: tuple[Piece, ...] = ()
    last: int = 1  # in an inner product: definitions 0, inputs 1, adjoints 2
    chain: bool = False  # a product of matrices, which needs no bracket in another one

    def tight(self, needed: int) -> str:
        return self.text if self.bind >= needed else rf"\left({self.text}\right)"

    def along(self, axes: tuple[Index, ...]) -> Piece:
        """The piece with its axes in this order, transposed if need be."""
        if self.axes == axes:
            return self
        if self.axes != axes[::-1] or len(axes) != 2:
            raise NoForm
        if self.turned is not None:
            return self.turned
        if self.text == "I":
            return Piece("I", ATOM, axes)
        if self.bind == ATOM and self.text.endswith(r"^\top"):
            return Piece(self.text.removesuffix(r"^\top"), ATOM, axes)
        if self.bind == ATOM and self.text.endswith("^{-1}"):
            return Piece(self.text.removesuffix("^{-1}") + r"^{-\top}", ATOM, axes)
        return Piece(raised(self, TOP), ATOM, axes)


def raised(piece: Piece, script: str) -> str:
    """A piece with something above it, in a bracket where something is there already."""
    base = piece.tight(ATOM)
    taken = re.search(r"\^(\\top|\{[^{}]*\})$", base)
    return rf"\left({base}\right)^{script}" if taken else f"{base}^{script}"


def entrywise(pieces: Sequence[Piece], axes: tuple[Index, ...]) -> Piece:
    """X ∘ Y ∘ … of pieces with the same axes."""
    flat = [f for p in pieces for f in (p.factors or (p,))]
    if len(flat) == 1:
        return flat[0]
    text = r" \circ ".join(p.tight(ATOM) for p in flat)
    return Piece(text, PRODUCT, axes, factors=tuple(flat))


def turns(text: str) -> int:
    """How many transposes stand in a text."""
    return text.count(TOP)
