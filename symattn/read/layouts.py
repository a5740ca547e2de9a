"""Layouts of ∂f/∂x for vectors: a row for each component of f (numerator), or a column for each.

What the words of a text say holds; else shapes decide, where they can, and the layout of the others
is open: they are read in numerator layout, and a claim about them may hold in either.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field

from ..errors import SymattnError
from .sizes import Sizes

NUMERATOR, DENOMINATOR = "numerator", "denominator"
_SAID = re.compile(rf"\b({NUMERATOR}|{DENOMINATOR})[\s-]+layout\b", re.IGNORECASE)


@dataclass
class Layouts:
    """The layout of a document, empty where nothing says it, and those of its Jacobians by name."""

    said: str = ""
    used: dict[str, str] = field(default_factory=dict)
    asked: list[str] = field(default_factory=list)  # the Jacobians read, in order

    def told(self, text: str) -> None:
        """What the words of a text say, unless they name both layouts."""
        found = {m[1].lower() for m in _SAID.finditer(text)}
        self.said = found.pop() if len(found) == 1 else ""

    def make(self, name: str, layout: str) -> None:
        """A Jacobian under this name was read in that layout."""
        self.used[name] = layout
        self.asked.append(name)

    def read(self, once: Callable[[], None], sizes: Sizes, ranks: dict[str, int]) -> None:
        """Reads a statement, in the layout that its shapes ask for where nothing says one."""
        known = len(self.asked)
        try:
            once()
        except SymattnError:
            if self.said or len(self.asked) == known:
                raise
            self.said = DENOMINATOR
            try:
                once()
            except SymattnError:
                self.said = ""
            else:
                return
            raise
        if not self.said and any(_oblong(n, ranks[n], sizes) for n in self.asked[known:]):
            self.said = NUMERATOR

    @property
    def open(self) -> frozenset[str]:
        """The Jacobians that may have been meant in the other layout."""
        return frozenset(name for name, layout in self.used.items() if layout != self.said)


def _oblong(name: str, rank: int, sizes: Sizes) -> bool:
    """The two axes of a Jacobian are known to have different sizes."""
    rows, columns = (sizes.slots[name, rank - k].root().value for k in (2, 1))
    return rows is not None and columns is not None and rows != columns
