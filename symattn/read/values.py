"""Values that the reader works with, and the scopes and functions they are read in."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from .names import Context
from .sizes import Letter
from .terms import Slot, Term
from .tree import Node

Counts = dict[Letter, tuple[int, int]]  # how often a letter occurs above and below a fraction bar


@dataclass(frozen=True)
class Value:
    """A term, the letters free in it, its unnamed axes, and letters summed inside brackets."""

    term: Term
    free: Counts = field(default_factory=dict)
    row: Letter | None = None
    col: Letter | None = None
    hidden: frozenset[str] = frozenset()
    summed: frozenset[str] = frozenset()

    @property
    def axes(self) -> tuple[Letter, ...]:
        """The unnamed axes."""
        return tuple(x for x in (self.row, self.col) if x is not None)


def once(counts: Counts) -> Counts:
    """Every letter as if it occurred once."""
    return dict.fromkeys(counts, (1, 0))


def letters_in(slots: Iterable[Slot]) -> list[Letter]:
    """The letters of index expressions."""
    return [
        x
        for slot in slots
        for x in ([slot] if isinstance(slot, Letter) else [y for y, _ in slot.items])
    ]


def count(counts: Counts, slot: Slot) -> None:
    """Note the letters of an index expression."""
    for letter in letters_in([slot]):
        up, down = counts.get(letter, (0, 0))
        counts[letter] = (up + 1, down)


@dataclass
class Scope:
    """The letters that a part of a formula can see."""

    letters: dict[str, Letter]
    fixed: frozenset[Letter]  # on the left or under a Σ
    root: dict[str, Letter]
    under: bool = False  # a Σ, beside which x_i^2 sums nothing

    def inner(self, bound: Iterable[Letter]) -> Scope:
        """The scope under a Σ."""
        bound = tuple(bound)
        return Scope(
            {**self.letters, **{x.name: x for x in bound}},
            self.fixed | frozenset(bound),
            self.root,
            True,
        )


@dataclass
class Conventions:
    """What a document declares about its notation."""

    softmax_rows: bool = True
    coordinates: str = "x"
    implicit: bool | None = None  # the text leaves its Σ out
    origin: int | None = None  # the number of the first index


@dataclass(frozen=True)
class Function:
    """f(parameters) = body as the document defines it; slots are its index letters."""

    parameters: tuple[Node, ...]
    slots: tuple[str, ...]
    body: Node
    here: Context
