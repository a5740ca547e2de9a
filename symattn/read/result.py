"""What reading gives: a System with the equations and positions of its document."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

import sympy as sp

from ..syntax import Definition, System
from .integrals import Integral
from .source import ReadError
from .summary import Meaning, table

if TYPE_CHECKING:
    from . import outcomes, spatial
    from .ranges import Range
    from .sequences import Claim, Rule
    from .unrolled import Through


@dataclass(frozen=True)
class Equation:
    """One link of a chain as it stands in the document.

    `kind` is "definition", "claim", "numeric" (≈), "recursion" (x_{t+1} = … x_t), "relation" (∝, ←,
    ≤), "expression" (no relation at all), "shape", "law" or "fact" (in a sentence that takes it for
    true); `indices` are the free letters, in order.
    `rhs` is None for an expression.
    """

    kind: str
    lhs: sp.Expr
    rhs: sp.Expr | None
    relation: str
    indices: tuple[sp.Idx, ...]
    latex: str
    line: int
    column: int
    inline: bool = False  # it stands in a sentence

    def __str__(self) -> str:
        return f"line {self.line}: {self.kind}: {self.latex}"


@dataclass(frozen=True)
class Refused:
    """A display, or a statement of it, that was not read, and why."""

    latex: str
    line: int
    column: int
    reason: ReadError
    inline: bool = False  # it stands in a sentence


class Document(System):
    """A System read from text.

    `equations` holds everything that was read in order, `claims` those that state an equality,
    `refused` what was not read (only with strict=False).  `unresolved` names what is tied by an
    equation that defines nothing, a recursion or a differential, so that random values would
    refute what is true; `assumed` what the names of conventional shapes were taken for; `wanted`
    what the document asks to be derived, by what; `values` are the x = 2 of sentences, each with
    its line and column; `origin` is the number of the first index; `implicit` says whether
    the text leaves its Σ out; `symmetric` the matrices that its words call that, those included by
    which it differentiates, which are no symmetric tensors, `equated` the places where A = A^⊤
    alone says so; `weakly` what is not negative,
    `ranges` between which numbers names lie;
    `jacobians` which names
    stand for derivatives of vectors by vectors, and whether each may be meant in the other layout;
    `parts` what names are parts
    of, in words: ("rows", "Q") for the q of q_i; `moments` what is random in averages over what is
    not stated: ("X", "Y") for cov_X_Y; `grids` the tensors and numbers in matrices of blocks;
    `integrals` what quantities are the integral of; `parameters`
    what the laws of random things are made of; `where` under what equations are meant, by their
    places: "W does not vary"; `namings` the places of sentences whose "if" names
    something; `premises` the places of those under a comparison of letters, i = j,
    which is in both sides as a bracket, `limited` of those with another condition beside them;
    `loose` what may be random in the averages of an equation;
    `sequences` what is said and claimed of x_t for every t, by places; `outcomes` what is
    claimed of laws and averages, by places;
    `lonely` the places of formulas that alone make a matrix square, and which, `square` the
    document where they do;
    `gradients` the mark of gradients and what they are of: ("\\bar", "L") where \\bar X is ∂L/∂X.
    """

    def __init__(
        self,
        *definitions: Definition,
        facts: Iterable[sp.Eq] = (),
        equations: Iterable[Equation] = (),
        refused: Iterable[Refused] = (),
        unresolved: Mapping[str, str] = MappingProxyType({}),
        assumed: Mapping[str, str] = MappingProxyType({}),
        wanted: Mapping[str, tuple[str, ...]] = MappingProxyType({}),
        meanings: Iterable[Meaning] = (),
        values: Iterable[tuple[int, int, str]] = (),
        origin: int = 0,
        implicit: bool = True,
        symmetric: Iterable[str] = (),
        weakly: Iterable[str] = (),
        ranges: Mapping[str, tuple[Range, ...]] = MappingProxyType({}),
        jacobians: Mapping[str, bool] = MappingProxyType({}),
        parameters: Iterable[str] = (),
        sets: Iterable[str] = (),
        equated: Iterable[tuple[int, int]] = (),
        where: Mapping[tuple[int, int], str] = MappingProxyType({}),
        loose: Mapping[tuple[int, int], tuple[str, ...]] = MappingProxyType({}),
        premises: Mapping[tuple[int, int], str] = MappingProxyType({}),
        namings: Iterable[tuple[int, int]] = (),
        limited: Mapping[tuple[int, int], str] = MappingProxyType({}),
        gradients: tuple[str, str] | None = None,
        parts: Mapping[str, tuple[str, str]] = MappingProxyType({}),
        moments: Mapping[str, tuple[str, ...]] = MappingProxyType({}),
        grids: Mapping[str, tuple[tuple[Any, ...], ...]] = MappingProxyType({}),
        integrals: Mapping[str, Integral] = MappingProxyType({}),
        sequences: Mapping[tuple[int, int], Claim | Rule] = MappingProxyType({}),
        outcomes: Mapping[tuple[int, int], outcomes.Claim] = MappingProxyType({}),
        spatial: Mapping[tuple[int, int], spatial.Claim] = MappingProxyType({}),
    ) -> None:
        super().__init__(*definitions, facts=facts)
        self.lonely: dict[tuple[int, int], str] = {}
        self.square: Document | None = None
        self.through: tuple[Through, ...] = ()
        self.equations = tuple(equations)
        self.refused = tuple(refused)
        self.unresolved = dict(unresolved)
        self.assumed = dict(assumed)
        self.wanted = dict(wanted)
        self.meanings = tuple(meanings)
        self.values = tuple(values)
        self.origin = origin
        self.implicit = implicit
        self.symmetric = frozenset(symmetric)
        self.weakly = frozenset(weakly)
        self.ranges = dict(ranges)
        self.jacobians = dict(jacobians)
        self.parameters = frozenset(parameters)
        self.sets = frozenset(sets)
        self.equated = frozenset(equated)
        self.where = dict(where)
        self.loose = dict(loose)
        self.premises = dict(premises)
        self.namings = tuple(namings)
        self.limited = dict(limited)
        self.gradients = gradients
        self.parts = dict(parts)
        self.moments = dict(moments)
        self.grids = dict(grids)
        self.integrals = dict(integrals)
        self.sequences = dict(sequences)
        self.outcomes = dict(outcomes)
        self.spatial = dict(spatial)

    @property
    def skipped(self) -> tuple[Refused, ...]:
        """What was not read: line, column, latex, reason."""
        return self.refused

    def summary(self) -> str:
        """What every name was taken for, its shape, and on which evidence: one line each."""
        return table(self.meanings)

    @property
    def claims(self) -> tuple[Equation, ...]:
        """The equalities that the document states about what it defines."""
        return tuple(e for e in self.equations if e.kind == "claim")
