"""Between which numbers names lie, differences and sums of them, and remainders."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import reduce

from .terms import Add, Number, Ref, Term

NEAR = 4  # lines behind a sentence on a case, in which it speaks of the case


Place = tuple[int, int]  # a line and a column


@dataclass(frozen=True)
class Range:
    """Between two numbers, either of which may be infinite; the ends may be values.

    `case` is where a sentence says it of what stands there: for x < 1 we have; (0, 0) where it is
    said of all.  As a `clause` it is of that sentence alone: we have … if x < 1.  `begin` is where
    a sentence says it of all that follows: now let x < 1.
    """

    low: float = -math.inf
    high: float = math.inf
    said: str = ""
    case: Place = (0, 0)
    clause: bool = False
    begin: Place = (0, 0)

    def __and__(self, other: Range) -> Range:
        said = " and ".join(dict.fromkeys(x for x in (self.said, other.said) if x))
        low, high = max(self.low, other.low), min(self.high, other.high)
        case, begin = max(self.case, other.case), max(self.begin, other.begin)
        return Range(low, high, said, case, self.clause or other.clause, begin)

    @property
    def is_empty(self) -> bool:
        """No numbers lie in it."""
        return self.low >= self.high

    @property
    def is_below(self) -> bool:
        """Some numbers in it are below zero, and its name is said to reach there."""
        return self.high <= 0 or -math.inf < self.low < 0

    @property
    def is_all(self) -> bool:
        """Every number lies in it: let x ∈ ℝ, which ends what was let before."""
        return (self.low, self.high) == (-math.inf, math.inf)


Ranges = dict[str, tuple[Range, ...]]  # of names, differences, remainders: of all, and of cases
_MINUS, _MOD = " - ", " mod "


def difference(one: str, other: str) -> tuple[str, int]:
    """What two names are less one another is called in Ranges, and its sign: b − a is −(a − b)."""
    first, second = sorted((one, other))
    return f"{first}{_MINUS}{second}", 1 if first == one else -1


def remainder(name: str, modulus: int, rest: int, r: Range) -> tuple[str, Range]:
    """What a name is called in Ranges with its modulus, and where the remainder lies: of even n."""
    return f"{name}{_MOD}{modulus}", replace(r, low=rest - 0.5, high=rest + 0.5)


def rest_of(r: Range) -> int:
    """The remainder of a range of remainders."""
    return round((r.low + r.high) / 2)


def modulus_of(key: str) -> int:
    """The modulus of a remainder of which Ranges says something; 0 of anything else."""
    return int(key.partition(_MOD)[2] or 0)


def names_of(key: str) -> list[str]:
    """The name, or the two names of a difference, of which Ranges says something."""
    return key.partition(_MOD)[0].split(_MINUS)


def _never(case: Range) -> bool:
    return False


@dataclass(frozen=True)
class Scope:
    """A place, the cases that stand in its sentence (`beside`), and those of what it is made of."""

    place: Place
    beside: Callable[[Range], bool] = _never
    own: Callable[[Range], bool] = _never
    foreign: Callable[[Range], bool] = _never  # of what else is defined where they stand
    general: bool = False  # its sentence speaks in general

    def near(self, r: Range) -> bool:
        """A sentence on a case stands right before the place."""
        behind = r.case <= self.place and self.place[0] - r.case[0] <= NEAR
        return behind and not r.clause and not self.foreign(r)

    def covers(self, r: Range) -> bool:
        """What is said of a case is meant here."""
        return not r.case[0] or self.near(r) or self.beside(r) or self.own(r)


def in_force(several: Sequence[Range], scope: Scope) -> list[Range]:
    """What may be meant at a place: the case of its sentence, the one right before it, else any.

    Else those under which what stands there is defined.  None where several contradict each other,
    as of a name that means two things; what is said anew replaces what it contradicts, and before
    that it is a case among others.
    """
    always = Range()
    for r in several:
        always = always if r.case[0] or r.begin[0] else always & r
    if always.is_empty:
        return []
    begun = sorted((r for r in several if r.begin[0]), key=lambda r: r.begin)
    current = Range()
    for r in reversed([r for r in begun if r.begin <= scope.place]):
        if r.is_all or (current & r).is_empty:
            break
        current &= r
    always = current if (always & current).is_empty else always & current
    ends = [r.begin for r in begun if r.is_all and r.begin <= scope.place]
    cases = [r for r in several if r.case[0] and not any(r.case < end for end in ends)]
    mine = [c for c in cases if scope.beside(c)]
    if mine:  # 0 < x and x < 1
        both = reduce(Range.__and__, mine)
        chosen = [both] if not both.is_empty else mine
    else:
        chosen = [c for c in cases if scope.near(c)][-1:]
    chosen = chosen or [c for c in cases if scope.own(c)]
    if chosen:
        return [c if (always & c).is_empty else always & c for c in chosen]
    later = [replace(r, case=r.begin, clause=True) for r in begun if r.begin > scope.place]
    if last := max((r.begin for r in begun if r.begin <= scope.place), default=None):
        open_ = [c for c in cases if not c.clause and last < c.case < scope.place]
        supposed = [always & c for c in open_]  # let x be real; suppose x < 0: how long is it so?
        return [r for r in supposed if not r.is_empty] or [always]
    others = [always & c for c in (*cases, *(later if always == Range() else ()))]
    return [r for r in others if not r.is_empty] or [always]


def is_ended(several: Sequence[Range]) -> bool:
    """A name that was let lie somewhere is let be any number behind that, or lies there in cases.

    Those are of sentences alone, or of what is any number else.
    """
    last = max((r.begin for r in several if r.is_all), default=(0, 0))
    said = [r for r in several if not r.is_all]
    before = any(r.begin[0] and r.begin < last for r in said)
    cased = bool(said) and all(r.case[0] if last[0] else r.clause for r in said)
    return before or cased


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
            return next(iter(in_force(always, Scope((0, 0)))), None) if always else None
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


__all__ = [
    "Place",
    "Range",
    "Ranges",
    "Scope",
    "derived",
    "difference",
    "in_force",
    "is_ended",
    "modulus_of",
    "names_of",
    "of_term",
    "remainder",
    "rest_of",
]
