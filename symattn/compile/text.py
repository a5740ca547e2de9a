"""Expressions as Python text, with brackets where they are needed."""

from __future__ import annotations

from dataclasses import dataclass

ATOM, POWER, PRODUCT, SUM, TEST = 4, 3, 2, 1, 0  # how tightly the outermost operator binds


@dataclass
class Text:
    """An expression and how tightly its outermost operator binds."""

    code: str
    binds: int = ATOM

    def inside(self, least: int) -> str:
        """The code, in brackets where its operator binds less than `least`."""
        return self.code if self.binds >= least else f"({self.code})"
