"""Verdicts on what is said of x_t for every t: by induction, and by what rules say outright."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING

from ..read.counted import names_of
from ..read.imaginary import WHY
from ..read.sequences import (
    CONSTANT,
    OUTRIGHT,
    AtNumber,
    Claim,
    ClosedForm,
    Consequence,
    Rule,
    Values,
    named,
)
from ..read.tree import Group, Node, Scripted, Symbol, walk
from . import report
from .at_numbers import at_number
from .consequences import follows
from .finding import Finding
from .induction import Outcome, decide
from .outline import ASKED
from .qualities import FORMULA
from .scopes import remainders
from .stepping import reached
from .wording import altering
from .worked import of_another

if TYPE_CHECKING:
    from .judge import Judge

_FIRST = re.compile(r"_\{?\d+\}?=")
_GOES_ON = re.compile(r"\b(?:satisf\w*|obey\w*|recurs\w*|unroll\w*|telescop\w*|incremental\w*)\b")


def of_steps(
    judge: Judge, line: int, column: int, latex: str, number: int | None = None
) -> Finding | None:
    """The verdict on a link of a chain; of no link on a formula that was not read, the whole."""
    claim = judge.versions.document.sequences.get((line, column))
    if isinstance(claim, Rule):
        return _given(claim) if number is None else None
    if claim is None or (number == 0 and getattr(claim, "defines", False)):
        return None
    if any(judge.versions.document.unresolved.get(name) == WHY for name in named(claim)):
        return None  # names are real numbers here, and the i of e^{-i k x} is none
    if isinstance(claim, AtNumber):
        found = at_number(claim, latex)
        refuted = found is not None and found.verdict == report.REFUTED
        return None if refuted and _of_another(judge, line, column, latex) else found
    if isinstance(claim, Consequence):
        claim = _of_kinds(judge, claim, (line, column))
        plain = not claim.own and claim.letter and all(r.kind == CONSTANT for r in claim.rules)
        if plain and not (claim.asserted or any(map(_turns, claim.sides))):
            return None  # wholes.py
    if isinstance(claim, ClosedForm):
        outcome = None if number else decide(claim)
    elif isinstance(claim, Values):
        outcome = reached(claim if number is None else link(claim, number))
    elif number is not None:
        outcome = follows(claim, number)
    else:
        outcome = _whole(claim)
    if outcome is None and getattr(claim, "again", False) and not number:
        return Finding(report.DEFINITION, "a recursion", kind="definition")
    if outcome is None and isinstance(claim, Values) and not claim.tied:
        return Finding(report.UNPROVED, "the recursion says what it is", kind="claim")
    if outcome is None:
        return None
    if outcome.verdict == report.REFUTED and _otherwise(judge, claim, line, column, latex, number):
        return None
    if outcome.first:
        return Finding(report.CONDITIONAL, f"true where {outcome.first}, by induction")
    lines = " and ".join(f"line {number}" for number in sorted({*claim.places}))
    how = "by induction, with " if isinstance(claim, ClosedForm) else "with " if lines else ""
    said = outcome.reason or how + lines
    return Finding(outcome.verdict, said, kind="claim") if outcome.verdict else None


def _turns(side: Node) -> bool:
    """True for what holds cos(π n) or (-1)^n."""
    powers = (isinstance(n, Scripted) and isinstance(n.base, Group) for n in walk(side))
    return any(powers) or any(isinstance(n, Symbol) and n.kind == "function" for n in walk(side))


def _of_kinds(judge: Judge, claim: Consequence, place: tuple[int, int]) -> Consequence:
    """The claim for the whole numbers of which its sentence speaks: for even n."""
    every = {n for side in claim.sides for n in names_of(side)} | {claim.letter}
    said = ((n, remainders(n, place, judge.versions)) for n in sorted(every))
    known = {n: r for n, r in said if r is not None}
    asserted = any(stated and modulus > 1 for modulus, _, stated in known.values())
    kinds = tuple((n, modulus, rest) for n, (modulus, rest, _) in known.items())
    return replace(claim, kinds=kinds, asserted=asserted)


def link(claim: Values, number: int) -> Values:
    """One equality of several."""
    return replace(claim, sides=claim.sides[number : number + 2])


def _given(rule: Rule) -> Finding:
    """How a sequence goes on, or what it is."""
    why = "" if rule.kind == OUTRIGHT else "a recursion"
    return Finding(report.DEFINITION, why, kind="definition")


def _whole(claim: Consequence) -> Outcome | None:
    """What all links of a chain are: what one is that is not proved, refuted before conditional."""
    links = [follows(claim, k) for k in range(len(claim.sides) - 1)]
    wrong = next((x for x in links if x is not None and x.verdict == report.REFUTED), None)
    parted = next((x for x in links if x is not None and x.verdict == report.CONDITIONAL), None)
    return wrong or ((parted or links[0]) if all(links) else None)


def _of_another(judge: Judge, line: int, column: int, latex: str) -> bool:
    """Whether words say that a number is no value of the rule, or of another thing."""
    outline = judge.outline
    start = outline.position(line, column) + len(latex)
    behind = re.match(r"[^.\n]{0,60}", outline.text[start:])
    words = f"{outline.sentence(line, column)} {FORMULA.sub(' ', behind[0]) if behind else ''}"
    denied = outline.denied(line, column, latex) or outline.varies(line, column)
    return denied or of_another(words) is not None


def _otherwise(
    judge: Judge,
    claim: Claim,
    line: int,
    column: int,
    latex: str,
    number: int | None,
) -> bool:
    """Whether words say that what differs holds under a condition, or is said of something else."""
    outline = judge.outline
    before = outline.condition(line, column, ASKED if isinstance(claim, Consequence) else None)
    before = "" if getattr(claim, "asserted", False) else before
    begun = isinstance(claim, Values) or (isinstance(claim, ClosedForm) and claim.first)
    if begun and _FIRST.search("".join(outline.supposed(line, column))):
        before = ""  # with a_0 = c
    if before or outline.behind(line, column, latex):
        return True
    if not isinstance(claim, Consequence):
        return False
    if claim.own:
        if outline.varies(line, column):
            return True
    elif altering(outline.sentence(line, column)):
        return True  # and not the series is Σ_n q^n = 1/(1 - q), a sum that is written out
    said = outline.follows(line, column)
    again = (
        bool(claim.own) and not claim.asserted and not number and said is False
    )  # x_t = …, and no later link
    return again and not _GOES_ON.search(outline.sentence(line, column))


__all__ = ["of_steps"]
