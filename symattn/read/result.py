"""What reading gives: a System with the equations and positions of its document."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import sympy as sp

from ..syntax import Definition, System
from .source import ReadError


@dataclass(frozen=True)
class Equation:
    """One link of a chain as it stands in the document.

    `kind` is "definition", "claim", "relation" (∝, ←, ≤), "expression" (no relation at all) or
    "shape"; `indices` are the free letters, in order.  `rhs` is None for an expression.
    """

    kind: str
    lhs: sp.Expr
    rhs: sp.Expr | None
    relation: str
    indices: tuple[sp.Idx, ...]
    latex: str
    line: int
    column: int


@dataclass(frozen=True)
class Refused:
    """A display, or a statement of it, that was not read, and why."""

    latex: str
    line: int
    column: int
    reason: ReadError


class Document(System):
    """A System read from text.

    `equations` holds everything that was read in order, `claims` those that state an equality,
    `refused` what was not read (only with strict=False).
    """

    def __init__(
        self,
        *definitions: Definition,
        facts: Iterable[sp.Eq] = (),
        equations: Iterable[Equation] = (),
        refused: Iterable[Refused] = (),
    ) -> None:
        super().__init__(*definitions, facts=facts)
        self.equations = tuple(equations)
        self.refused = tuple(refused)

    @property
    def claims(self) -> tuple[Equation, ...]:
        """The equalities that the document states about what it defines."""
        return tuple(e for e in self.equations if e.kind == "claim")
