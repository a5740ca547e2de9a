"""Between which numbers names and sums of them lie."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from .terms import Add, Number, Ref, Term

NEAR = 4  # lines behind a sentence on a case, in which it speaks of the case


@dataclass(frozen=True)
class Range:
    """Between two numbers, either of which may be infinite; the ends may be values.

    `case` is the line and the column of a sentence that says it of what stands there: for x < 1 we
    have; (0, 0) where it is said of all.
    """

    low: float = -math.inf
    high: float = math.inf
    said: str = ""
    case: tuple[int, int] = (0, 0)

    def __and__(self, other: Range) -> Range:
        said = " and ".join(dict.fromkeys(x for x in (self.said, other.said) if x))
        low, high = max(self.low, other.low), min(self.high, other.high)
        return Range(low, high, said, max(self.case, other.case))


Ranges = dict[str, tuple[Range, ...]]  # of every name what is said of all, and of each case


def in_force(
    several: Sequence[Range], place: tuple[int, int], own: Callable[[Range], bool] = lambda r: False
) -> list[Range]:
    """What may be meant at a line and a column: the case right before it, else any.

    Else those under which what stands there is defined (`own`).  None where several contradict
    each other, as of a name that means two things.
    """
    always = Range()
    for one in several:
        always = always if one.case[0] else always & one
    cases = [one for one in several if one.case[0]]
    before = [c for c in cases if near(c, place)][-1:] or [c for c in cases if own(c)]
    meant = [always & c for c in before or cases] or [always]
    return [r for r in meant if r.low < r.high]


def near(case: Range, place: tuple[int, int]) -> bool:
    """A place is right behind the sentence on a case."""
    return case.case <= place and place[0] - case.case[0] <= NEAR


def derived(definitions: Sequence[tuple[str, Term]], ranges: Ranges) -> Ranges:
    """The ranges of what is defined once by names of which ranges are known: 1 − β of β < 1."""
    found = dict(ranges)
    often = Counter(name for name, _ in definitions)
    for name, body in definitions:
        made = of_term(body, found) if often[name] == 1 and name not in found else None
        found |= {name: (made,)} if made is not None else {}
    return found


def of_term(term: Term, ranges: Ranges) -> Range | None:
    """Between which numbers a sum of names and numbers lies in all cases."""
    match term:
        case Number(value=value) if value.is_real:
            return Range(float(value), float(value))
        case Ref(name=name):
            always = [r for r in ranges.get(name, ()) if not r.case[0]]
            return next(iter(in_force(always, (0, 0))), None) if always else None
        case Add(parts=parts):
            several = [(sign, of_term(x, ranges)) for sign, x in parts]
            known = [(sign, r) for sign, r in several if r is not None]
            if len(known) < len(several):
                return None
            ends = [(r.low, r.high) if sign > 0 else (-r.high, -r.low) for sign, r in known]
            said = " and ".join(dict.fromkeys(r.said for _, r in known if r.said))
            low, high = (sum(e[k] for e in ends) for k in (0, 1))
            bounded = low < high and (low, high) != (-math.inf, math.inf)
            return Range(low, high, said) if bounded else None
    return None


__all__ = ["Range", "Ranges", "derived", "in_force", "near", "of_term"]
