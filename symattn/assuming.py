r"""What sentences of a document say of sums of its inputs: targets "with $\sum_i t_i = 1$"."""

from __future__ import annotations

from copy import copy
from typing import TYPE_CHECKING, TypeVar

import sympy as sp

from .alphabet import for_all, without_marks
from .convert import lower_equation
from .errors import SymattnError
from .explain.plain import plain
from .ir import refs
from .model import evaluated
from .syntax import System

if TYPE_CHECKING:
    from .read.result import Document

Known = TypeVar("Known", bound="Document")


def assuming(document: Known) -> Known:
    """The document with such sentences as facts, which results may use."""
    defined = evaluated(document).bodies.keys()
    facts = []
    for said in document.equations:
        if said.kind != "fact" or not said.inline or not isinstance(said.lhs, sp.Sum):
            continue
        try:
            sides = lower_equation(said.lhs, said.rhs)
        except SymattnError:
            continue
        if not defined & {r.tensor.name for side in sides for r in refs(side)}:
            facts.append(for_all(said.lhs, said.rhs, said.indices))
    if not facts:
        return document
    made = copy(document)
    for made_before in ("content", "_model", "_evaluated", "_notation"):
        vars(made).pop(made_before, None)
    made.facts = (*document.facts, *facts)
    return made


def assumptions(system: System) -> list[str]:
    """The facts of a system in plain text."""
    sides = (lower_equation(f.lhs, f.rhs) for f in map(without_marks, system.facts))
    return [f"{plain(left)} = {plain(right)}" for left, right in sides]


__all__ = ["assuming", "assumptions"]
