"""What is known about an equation: proved, refuted with a counterexample, malformed, or unknown."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import sympy as sp

from .ir import Poly

if TYPE_CHECKING:
    from .refute import Counterexample

PROVED, REFUTED, MALFORMED, UNKNOWN = "proved", "refuted", "malformed", "unknown"


@dataclass(frozen=True)
class Verdict:
    """What is known about lhs = rhs.

    status          "proved" (for all sizes and values), "refuted", "malformed" (the sides have
                    different free letters) or "unknown"
    over            the letters that are free, so that lhs = rhs holds for each of their values
    summed          the letters that the rule sums on the left and on the right
    trivial         proved, and both sides vanish: 0 = 0 says nothing of what they are made of
    used            the definitions, facts and readings that the proof used
    assumed         what was taken for granted beside them, such as what an abstract loss is of
    conditions      where both sides are defined: what is divided by or rooted and not known to be
                    non-zero or positive, and ranges that must not be negative
    counterexample  sizes, values and both sides, for "refuted"
    hints           how the sides differ, or when they agree
    residual        lhs − rhs as far as it was simplified, for "unknown"
    held            with what it is proved, for "unknown": "y does not depend on theta"
    limit           why there is no answer, for "unknown" and "malformed"
    written         both sides as they were given in LaTeX
    certificate     the log of the proof as plain JSON, where it was asked for
    """

    status: str
    lhs: sp.Expr
    rhs: sp.Expr
    used: tuple[str, ...] = ()
    conditions: tuple[str, ...] = ()
    counterexample: Counterexample | None = None
    hints: tuple[str, ...] = ()
    residual: sp.Expr | None = None
    held: str = ""
    limit: str = ""
    over: tuple[str, ...] = ()
    summed: tuple[tuple[str, ...], tuple[str, ...]] = ((), ())
    trivial: bool = False
    assumed: tuple[str, ...] = ()
    written: tuple[str, str] | None = None
    normal: Poly | None = field(default=None, repr=False, compare=False)
    certificate: dict[str, Any] | None = field(default=None, repr=False, compare=False)

    def __bool__(self) -> bool:
        return self.status == PROVED and not self.trivial

    def __repr__(self) -> str:  # what pytest shows for assert prove(…)
        return "; ".join(row.strip() for row in str(self).split("\n"))

    def __str__(self) -> str:
        trivial = " (trivially: both sides vanish)" if self.trivial else ""
        left, right = self.written or (self.lhs, self.rhs)
        rows = [f"{self.status}{trivial}: {left} = {right}"]
        for side, letters in zip(("left", "right"), self.summed, strict=True):
            if letters:
                rows.append(f"  summed over {', '.join(letters)} on the {side}, by the rule")
        if self.used:
            rows.append("  used: " + "; ".join(self.used))
        if self.assumed:
            rows.append("  assumed: " + "; ".join(self.assumed))
        if self.conditions:
            rows.append("  where " + ", ".join(self.conditions))
        if self.counterexample:
            rows += [f"  {row}" for row in self.counterexample.in_short()]
        rows += [f"  {hint}" for hint in self.hints]
        if self.residual is not None:
            rows.append(f"  left over: {self.residual} = 0 ?")
        if self.limit:
            rows.append(f"  {self.limit}")
        return "\n".join(rows)


__all__ = ["MALFORMED", "PROVED", "REFUTED", "UNKNOWN", "Verdict"]
