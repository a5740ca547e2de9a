"""One side of an equation as a tree, without a document around it."""

from __future__ import annotations

from dataclasses import replace

from ..errors import SymattnError
from .grammar import parse
from .scan import scan
from .source import UNFORESEEN, Display, Source
from .split import statements
from .tokens import tokens
from .tree import Node


class Sides:
    """The sides that stand behind the macros and declarations of a head."""

    def __init__(self, head: str) -> None:
        self.source = scan(f"{head}\n$$ 0 $$\n", strict=False)
        self.trees: dict[str, Node | None] = {}

    def tree(self, latex: str) -> Node | None:
        """The tree of a side; None for what is no formula, or several."""
        if latex not in self.trees:
            self.trees[latex] = self._tree(latex)
        return self.trees[latex]

    def _tree(self, latex: str) -> Node | None:
        place = Display(len(self.source.text), len(self.source.text) + len(latex))
        source: Source = replace(
            self.source, text=self.source.text + latex, displays=[place], memory={}, parsed={}
        )
        try:
            pieces = statements(tokens(source, place))
            return parse(source, pieces[0]) if len(pieces) == 1 else None
        except (SymattnError, *UNFORESEEN):
            return None


__all__ = ["Sides"]
