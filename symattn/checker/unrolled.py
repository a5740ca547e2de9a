r"""Derivatives through a recursion, decided in what the text says of one step of it.

∂L/∂h_t goes through every later step, so a text with h_t = f(h_{t-1}) and L = Σ_t ℓ(h_t) is read
once more, step by step (read/unrolled.py): there L is ℓ(h_t) + R(h_{t+1}) for any R, and
∂L/∂W = Σ_t X_t is ∂L/∂W_t = X_t.  What is true for any R is true; what differs there is wrong where
the claim speaks of this step, the one before and the next, and of nothing further away.
"""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from ..objects import Partial
from ..read.calls import ABSTRACT
from ..read.sequences import Consequence
from ..read.steps import AFTER, STEPS
from ..read.tree import spelled
from ..read.unrolled import Place, Through
from ..syntax import System
from . import report
from .consequences import follows
from .finding import Finding
from .inside import names
from .naming import worded
from .sequences import of_steps
from .statements import Statement, of_document
from .versions import closure

if TYPE_CHECKING:
    from .judge import Judge

_OPEN = Finding(
    report.UNPROVED,
    "it goes through all steps of a recursion, and one of them does not decide it",
    kind="claim",
)

_WHOLE = "true where the sum runs over all steps that there are"


def unrolled(judge: Judge, line: int, column: int, number: int | None = None) -> Finding | None:
    """The finding on a derivative through a recursion; None for any other formula."""
    place = line, column
    every = judge.versions.document.through
    through = next((x for x in every if place in x.claims | x.bodies), None)
    if through is None:
        return None
    if place in through.far:
        far = (_far(judge, through, *claim) for claim in through.far[place])
        return next((f for f in far if f), _OPEN)
    found = _near(judge, through, place, number)
    given = bool(found) and all(f.verdict == report.DEFINITION and not f.reason for f in found)
    if given or place in through.bodies:
        return found[0] if given else None
    wrong = next((f for f in found if f.verdict in report.WRONG), None)
    right = all(f.verdict in (report.PROVED, report.CONDITIONAL) for f in found)
    return wrong or (found[0] if found and right else _OPEN)


def of_recursion(judge: Judge, line: int, column: int, latex: str) -> Finding | None:
    """The finding of one step, or that of a sequence where one step does not decide it."""
    found = unrolled(judge, line, column)
    if found is not None and found.verdict != report.UNPROVED:
        return found
    return of_steps(judge, line, column, latex) or found


def _near(judge: Judge, through: Through, place: Place, number: int | None) -> list[Finding]:
    """What is found of a formula in the reading of one step; what is wrong is so nearby only."""
    which = int(place in through.summed)
    if which >= len(through.readings) or through.readings[which] is None:
        return []
    if place in through.of_loss and not through.whole[which]:
        return []
    inner, free = _judge(judge, through, which)
    own = [s for s in inner.versions.statements if (s.line, s.column) == place]
    own = [s for s in own if number is None or s.number == number]
    run = through.summed.get(place)
    found = []
    for s in own:
        f = inner(s)
        other = f.verdict == report.CONDITIONAL and f.reason.startswith(f"the {s.name} of line")
        anew = other or (f.verdict == report.DEFINITION and f.reason)
        if anew and _is_said_before(s, inner):
            f = inner(replace(s, kind="claim", name=""))  # λ_t = … of λ_t = ∂L/∂h_t
            f = f if f.verdict in report.WRONG or not _by_itself(s, f, inner) else _OPEN
        aligned = run is None or run.aligned
        if f.verdict in report.WRONG and not (aligned and _sure(s, inner, free)):
            f = _OPEN
        elif f.verdict == report.PROVED and run is not None and not run.whole:
            f = replace(f, verdict=report.CONDITIONAL, reason=_WHOLE)
        found.append(_told(f, through.rest))
    return found


def _far(judge: Judge, through: Through, place: Place, claim: Consequence) -> Finding | None:
    """What is claimed of ∂h_t/∂h_k, by the derivative from one step to the next."""
    link = _near(judge, through, place, None)
    if not link or any(f.verdict != report.PROVED for f in link):
        return None
    left, right = claim.sides
    said = "with line {}".format(*claim.places)
    if spelled(left) == spelled(right):
        order = ("the factors of later steps stand on the left",)
        return Finding(report.PROVED, said, assumed=order, kind="claim")
    outcome = follows(claim, 0)
    if outcome is None or not outcome.verdict:
        return None
    return Finding(outcome.verdict, outcome.reason or said, kind="claim")


def _judge(judge: Judge, through: Through, which: int) -> tuple[Judge, set[str]]:
    """The judge of one step, made when it is asked for.

    What comes later is any function of the next state, and so is a loss that nothing defines.
    """
    document = through.readings[which]
    if document not in judge.of_one_step:
        free = {n for n, why in document.unresolved.items() if why == ABSTRACT}
        # the state before is made of no parameter of this step, and may be any
        loose = free | through.earlier if which else free
        document.unresolved = {n: w for n, w in document.unresolved.items() if n not in loose}
        made = type(judge)(of_document(document), judge.outline, judge.seed)
        made.corrects = False  # which would be of one step, and in other names
        own = {n for n in free if not n.startswith(through.rest)}
        judge.of_one_step[document] = made, own
    return judge.of_one_step[document]


def _is_said_before(s: Statement, inner: Judge) -> bool:
    """What the name is was said before it in its section."""
    before, section = inner.versions.before(s), inner.outline.section
    return before is not None and before.line > 0 and section(before.line) == section(s.line)


def _by_itself(s: Statement, found: Finding, inner: Judge) -> bool:
    """A finding that rests on what the statement says itself."""
    own = (
        v for v in inner.versions.table.get(s.name, ()) if (v.line, v.column) == (s.line, s.column)
    )
    return found.system is None or any(v.definition in tuple(found.system) for v in own)


def _sure(s: Statement, inner: Judge, free: set[str]) -> bool:
    """Whether what differs is wrong.

    It speaks of this step and the two beside it, and on both sides of a loss if on one: of a loss
    that nothing defines p - y may be the derivative.
    """
    far = [after for after, step in STEPS.items() if abs(step) > 1]
    inside = names(s.lhs) | names(s.rhs)
    if any(name.endswith((*far,)) or any(f"{x}_" in name for x in far) for name in inside):
        return False
    system = inner.versions.system(s)
    left, right = (_derived(side, system) for side in (s.lhs, s.rhs))
    return left == right or free.isdisjoint(closure(inside, system))


def _derived(side: Any, system: System) -> bool:
    """Whether derivatives stand in a side, or what they define."""
    bodies = [d.expr for d in system if d.name in closure(names(side), system)]
    return any(expr.atoms(Partial) for expr in (side, *bodies))


def _told(found: Finding, rest: str) -> Finding:
    """A finding in the author's names."""
    inner = [after for after in AFTER.values() if after]
    said = tuple(x for x in found.assumed if not any(a in x for a in inner))
    values = found.counterexample
    if values is not None:
        named = {_called(n, rest): v for n, v in values["values"].items()}
        values = {**values, "values": named}
    used = tuple(map(worded, found.used))
    return replace(
        found, assumed=said, used=used, correction="", counterexample=values, kind="claim"
    )


def _called(name: str, rest: str) -> str:
    """What a value is called: of what comes later the derivative."""
    later = re.sub(rf"^∂{rest}_\w+/∂", "∂(what comes later)/∂", name)
    return worded(later)


__all__ = ["of_recursion", "unrolled"]
