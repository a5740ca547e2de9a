"""What was found out about one statement."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from ..errors import SymattnError
from ..prove import Verdict
from ..syntax import System
from . import report


@dataclass(frozen=True)
class Difference:
    """What separates an equation from the one before it for the same name.

    line   where that one stands
    by     the difference in words: a sign, the factor 2, the term b
    latex  that one as it was written
    right  this right-hand side with the one change that makes them agree, where that is known
    """

    line: int
    by: str
    latex: str
    right: str = ""

    def data(self) -> dict[str, Any]:
        """The difference for a program, with the keys that docs/check.md describes."""
        return {"line": self.line, "by": self.by, "latex": self.latex}


@dataclass(frozen=True)
class Finding:
    """A verdict with its reasons; Row without the place in a file."""

    verdict: str
    reason: str = ""
    counterexample: Mapping[str, Any] | None = None
    correction: str = ""
    assumed: tuple[str, ...] = ()
    used: tuple[str, ...] = ()
    kind: str = ""
    differs: Difference | None = None
    proof: Verdict | None = field(default=None, compare=False)
    system: System | None = field(default=None, compare=False)


def under_some(
    systems: Iterable[System], decide: Callable[[System], Finding], kind: str
) -> Finding:
    """The finding under the first choice of definitions that settles it; else under the first."""
    first: Finding | None = None
    for system in systems:
        try:
            found = decide(system)
        except SymattnError as error:
            found = Finding(report.SKIPPED, error.problem, kind=kind)
        if found.verdict in (report.PROVED, report.CONDITIONAL):
            return found
        first = first or found
    assert first is not None
    return first


def values(verdict: Verdict) -> dict[str, Any] | None:
    """The counterexample of a verdict as a row has it."""
    example = verdict.counterexample
    if example is None:
        return None
    return {
        "sizes": dict(example.sizes),
        "values": dict(example.values),
        "entry": dict(example.entry),
        "lhs": example.lhs,
        "rhs": example.rhs,
        "seed": example.seed,
    }


__all__ = ["Difference", "Finding", "under_some", "values"]
