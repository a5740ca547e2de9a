"""The passes of the compiler, in their order: equations to equations, then the plan.

    deltas    a definition that is δ times something is that where it is used       definitions
    small     log(1 + w e^z) is one function of w and z
    open      weights of pairs that fall apart under an order are opened where summed
    means     an array whose common offset cancels is taken around its mean          expressions
    covary    covariances under weights are taken around a mean
    quotients those of one denominator, where all but one product cancels
    centre    arrays whose differences alone matter are taken around a common one
    squares   squares of differences that were multiplied out
    steady    the largest term goes out of sums of exponentials
    anchor    e^{q − max q} becomes an array that no law takes apart
    gather    what derivatives multiplied out is put back together
    branches  cases of a condition, where one of them may be no number
    slide     a sum over windows is a convolution                                    contractions
    windows   a sum of what is read at i + t goes step by step through the windows
    prefix    a sum under a mask of order is a cumulative one, or a recurrence under a decay
    ordered   where that would be a large array, it goes chunk by chunk
    affine    an array at affine indices is read after it is summed
    contract  pairs of arrays in the order that takes least work
    accumulate  derivatives through the definitions as written, where that is cheaper    plans
    turn      arrays of pairs lie in the order in which they are read
    spared    what a mask leaves out wherever it is used is computed as that of 1
    rescaled  exponentials of one array with largest values taken out in turn are one
    apart     sums of what pairs have are products of matrices, beside the plan of the others
    rows      blocks of the rows that the largest arrays share
    bands     of their keys those that a mask leaves
    ends      shifts beside masks of single places are slices
    ring      rows and keys of one device, and the phases in which keys go around

Those over expressions rewrite them: `rewritten` applies one of them and records it.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ..ir import Poly, refs
from .anchor import anchored
from .centre import centred
from .covariance import covariances
from .gather import gathered
from .means import about_means
from .quotients import quotients_joined
from .squares import squares
from .stable import steady

if TYPE_CHECKING:
    from .plan import Planner
    from .program import Program

Law = Callable[["Planner", Poly], Poly | None]
PASSES: tuple[tuple[str, Law], ...] = (
    ("means", about_means),
    ("covary", covariances),
    ("quotients", lambda planner, poly: quotients_joined(poly)),
    ("centre", centred),
    ("squares", lambda planner, poly: squares(poly)),
    ("steady", steady),
    ("anchor", anchored),
    ("gather", lambda planner, poly: gathered(poly, planner.long)),
)
LAWS = dict(PASSES)


@dataclass(frozen=True)
class Change:
    """What a pass made of an expression."""

    name: str
    before: Poly
    after: Poly

    def __str__(self) -> str:
        return f"{self.name:<10}{self.before}\n{'':<8}= {self.after}"


def rewritten(planner: Planner, name: str, poly: Poly) -> Poly | None:
    """What a pass makes of an expression; None where it changes nothing or has to leave it."""
    after = LAWS[name](planner, poly)
    if after is not None and after is not poly:
        planner.changes.append(Change(name, poly, after))
    return after


def walk(prog: Program) -> str:
    """What every pass did for a program, as text."""
    planner = prog.planner
    lines = list(dict.fromkeys(map(str, planner.changes)))
    mentioned = {r.tensor for c in planner.changes for r in (*refs(c.after), *refs(c.before))}
    stands = {t: e for t, e in planner.standing.items() if t in mentioned}
    peaks = {
        t: p for t, p in planner.peaks.items() if any(t.name in str(e) for e in stands.values())
    }
    for tensor, peak in peaks.items():
        indices = ", ".join(i.name for i in peak.indices)
        over = ", ".join(i.name for i in peak.bound)
        masks = "".join(f", where {m}" for m in peak.masks)
        exponents = ", ".join(map(str, peak.exponents))
        lines.append(f"{'where':<10}{tensor.name}[{indices}] = max_{over} {exponents}{masks}")
    for entry in stands.values():
        indices = ", ".join(i.name for i in entry.indices)
        lines.append(f"{'where':<10}{entry.tensor.name}[{indices}] = {entry.poly}")
    if prog.careful is not None:
        lines.append(f"{'apart':<10}largest values of two parts each, where sums stay far from 0")
    if prog.opened:
        lines.append(f"{'open':<10}weights of pairs are opened where they are summed")
    if prog.accumulated:
        lines.append(f"{'accumulate':<10}derivatives go through the definitions as written")
    if prog.cut is not None and prog.ring is None:
        lines.append(f"{'rows':<10}blocks of {prog.cut.size}")
    if prog.band is not None and prog.ring is None:
        ends = (prog.band.below, prog.band.above)
        before, behind = ("all" if end is None else str(end) for end in ends)
        lines.append(f"{'bands':<10}{before} keys before a block and {behind} after it")
    if prog.trimmed is not None:
        lines.append(f"{'ends':<10}what masks leave out of an axis is not computed")
    if prog.ring is not None:
        shared = ", ".join(sorted(map(str, prog.ring.sizes)))
        lines.append(f"{'ring':<10}{shared} shared, keys go around {len(prog.ring.phases)} times")
    return "\n".join(lines)


__all__ = ["PASSES", "Change", "rewritten", "walk"]
