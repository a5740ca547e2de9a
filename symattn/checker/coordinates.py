"""Derivatives by coordinates: with x = r cos θ and y = r sin θ, ∂r/∂x = cos θ, where y stays.

As many numbers as there are inputs that these are made of are coordinates where the words of the
section say so; elsewhere k of F = k x may stay as well as E = k x²/2.
"""

from __future__ import annotations

import re
from collections.abc import Set
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import sympy as sp

from ..objects import Partial
from ..syntax import System
from .statements import Statement
from .versions import closure

if TYPE_CHECKING:
    from .judge import Judge

MOST = 3
_TOLD = re.compile(
    r"\b(?:coordinates?|polar|spherical|cylindrical|jacobian|chang(?:es?|ing) (?:of )?variables?|"
    r"(?:co-?ordinate|variable) transform\w*|transformation|new variables)\b",
    re.IGNORECASE,
)


@dataclass(frozen=True)
class Coordinates:
    """Numbers with what they are made of, as many of either; `told` where words say so."""

    names: tuple[str, ...]
    inputs: tuple[str, ...]
    told: bool

    def slope(self, y: Any, name: str, system: System) -> sp.Expr:
        """∂y/∂x where the other coordinates stay: Σ_k ∂y/∂q_k (J⁻¹)_kx, J = ∂(x, …)/∂(q, …)."""
        known = {z.name: z for d in system for z in d.expr.free_symbols if isinstance(z, sp.Symbol)}
        q = [known.get(n, sp.Symbol(n, real=True)) for n in self.inputs]
        rows = [[Partial(known.get(n, sp.Symbol(n, real=True)), z) for z in q] for n in self.names]
        jacobian = sp.Matrix(rows)
        column = (jacobian.adjugate() / jacobian.det())[:, self.names.index(name)]
        if y in q:
            return column[q.index(y)]
        return sp.Add(*(Partial(y, z) * c for z, c in zip(q, column, strict=True)))


def coordinates(
    name: str, inputs: Set[str], of: Set[str], s: Statement, judge: Judge
) -> Coordinates | None:
    """The coordinates of which a name is one, those nearest to it; None where there are none.

    The name alone where others are made of the same inputs, and are too many or too few.
    """
    document, section = judge.versions.document, judge.outline.section
    places = {v.definition: (v.line, v.column) for versions in judge.versions.table.values()
              for v in versions if not v.definition.indices}  # fmt: skip
    here = {d.name: places[d] for d in document
            if d in places and section(places[d][0]) == section(s.line)}  # fmt: skip
    if name not in here or not 1 < len(inputs) <= MOST:
        return None
    line, column = here.pop(name)
    found, every = [name], {*inputs}
    near = sorted(here, key=lambda n: (abs(here[n][0] - line), abs(here[n][1] - column)))
    for other in near:
        whole = closure([other], document)
        own = whole - document.definitions.keys()
        if len(found) < len(every) and len(own & inputs) > 1 and name not in whole | of:
            found.append(other)
            every |= own
    if len(found) == 1 or of & {*found}:
        return None
    if not len(found) == len(every) <= MOST:
        if not judge.versions.differentiated & (inputs - of):
            return None  # what no derivative is of or by is a constant
        found = [name]
    told = len(found) > 1 and _TOLD.search(judge.outline.around(s.line)) is not None
    return Coordinates(tuple(found), tuple(sorted(every)), told)


__all__ = ["Coordinates", "coordinates"]
