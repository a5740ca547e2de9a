r"""Values that sentences give to names: let $a = 2$ and $V = a x^2$, then $V' = 4 x$."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

import sympy as sp

from ..errors import SymattnError
from ..prove import Verdict
from ..syntax import System, define
from . import report
from .discourse import Discourse
from .finding import Finding
from .frames import any_of
from .inside import names, partials
from .qualities import FORMULA
from .statements import Statement
from .subjects import goes_on, open_words
from .versions import closure

if TYPE_CHECKING:
    from .claim import Claims
    from .judge import Judge

PUT = re.compile(  # a=1/2 and a=b=-1
    r"(?P<names>(?:-?\\?[A-Za-z]+(?:_\w|_\{\w+\})?=)+)"
    r"(?P<sign>-?)(?:(?P<number>[\d.]+)(?:/(?P<below>\d+))?|"
    r"\\[td]?frac\{?(?P<over>\d+)\}?\{?(?P<under>\d+)\}?)"
)
_GIVES = re.compile(  # let … be the mass and …, with speed …, where …, … and …
    r"(?:\A\W*(?:an?|our)|\b(?:let|set|put|take|choose|fix|use|using|with|where|has|have|here|at|of|"
    r"is|are|be))\b"
    r"(?:[\s,]*(?:…|[\w-]+)){0,24}\W*\Z",
    re.IGNORECASE,
)
_OF_A_CASE = any_of(  # and not: for $a = 2$, if …, a fit gave …
    r"(?:for|if|when|while|unless|until|case|instead|could|would|might|may|not|never|fit|found|gave|"
    r"try|about|around|first|second|later|initially|but|some|special)\b",
    "suppos", "assum", "example", "except", "measur", "guess",
)  # fmt: skip


class Given(NamedTuple):
    """The definitions with the values that a text gives before a statement.

    said     the equations that give them, with their lines
    plainly  words give each name its value, and never another one: let, with, we take
    place    where the last of them is given
    """

    system: System
    said: str
    plainly: bool
    place: int


def number(put: re.Match[str]) -> sp.Rational:
    over = put["number"] or put["over"]
    return sp.Rational(over.rstrip(".")) / sp.Rational(put["below"] or put["under"] or 1)


def given(judge: Claims, s: Statement, system: System) -> Given | None:
    """What the sentences of a section put for free names, before a statement that rests on them."""
    slopes = partials(s.lhs, s.rhs)
    free = closure(names(s.lhs) | names(s.rhs), system) - {*system.definitions}
    free -= {n for p in slopes for n in names(p.args[1])}
    put: dict[str, tuple[sp.Rational, str]] = {}
    last = 0
    chosen: set[str] = set()
    outline = judge.outline
    for line, column, latex in sorted(judge.versions.document.values):
        same = outline.section(line) == outline.section(s.line)
        before = same and (line, column) < (s.line, s.column)
        value = PUT.fullmatch(re.sub(r"\s", "", latex)) if before else None
        if value is None or outline.denied(line, column, latex):
            continue
        own = -number(value) if value["sign"] else number(value)
        for written in re.findall(r"\\?[A-Za-z]+(?:_\{?\w+)?", value["names"]):
            name = judge.versions.called(written.lstrip("\\").replace("{", ""), s)
            if name in free:
                lets = _gives(judge, outline.position(line, column))
                once = put.get(name, (own,))[0] == own
                chosen = chosen | {name} if lets and once else chosen - {name}
                put[name] = (own, f"{latex.strip()} (line {line})")
                last = outline.position(line, column)
    if not put:
        return None
    values = (define(n, (), v) for n, (v, _) in put.items())
    said = f"with {' and '.join(said for _, said in put.values())}"
    return Given(System(*system, *values, facts=system.facts), said, chosen == put.keys(), last)


def _gives(judge: Claims, place: int) -> bool:
    """The words of a sentence before a formula give it for all that follows."""
    x = judge.cases.at(place)
    before = judge.outline.text[x.start : place] if x is not None else ""
    said = FORMULA.sub(" … ", re.sub(r"[\s$\\(]+\Z", " ", before))
    aside = said.count("(") > said.count(")")
    return _GIVES.search(said) is not None and not aside and not _OF_A_CASE.search(said)


def with_values(judge: Claims, s: Statement, found: Finding, system: System) -> Finding:
    """The finding, or that what is refuted is true with the a = 2 that a text gives before it."""
    at = given(judge, s, system)
    verdict = _asked(judge, s, at)
    if at is None or (verdict is not None and verdict.status == "refuted"):
        return found
    if verdict is not None and verdict.status == "proved":
        if at.plainly and not verdict.trivial:
            return judge._proved(s, verdict, at.system, (at.said,))
        why = f"true {at.said}"
        return replace(found, verdict=report.CONDITIONAL, reason=why, correction="")
    why = f"differs, and not {at.said}"
    return replace(found, verdict=report.UNPROVED, reason=why, correction="")


def status(judge: Claims, s: Statement, system: System) -> str:
    """What a statement is under these definitions, and with the values given where it differs."""
    plain = judge.prove(s, system).status
    at = _asked(judge, s, given(judge, s, system)) if plain == "refuted" else None
    return plain if at is None else at.status


def said_again(judge: Judge, s: Statement, found: Finding) -> Finding:
    """The finding, or what a second equation for a name is with the values given since the first.

    With $m = 3$ and $c = 1$, the line $y = m x + c$ is $y = 3 x + 1$.
    """
    anew = found.verdict == report.DEFINITION and found.reason.startswith("redefines")
    before = judge.versions.before(s) if anew else None
    if before is None:
        return found
    at = given(judge, s, found.system or judge.versions.system(s))
    if at is None or not at.plainly:
        return found
    verdict = _asked(judge, s, at)
    here = judge.outline.position(s.line, s.column)
    last = max(at.place, judge.outline.position(before.line, before.column))
    if verdict is None or verdict.trivial or not _goes_on(judge.cases, last, here):
        return found
    if verdict.status == "proved":
        return judge._proved(s, verdict, at.system, (at.said,))
    again = judge._claim(s, at.system)
    return again if again.verdict in report.WRONG else found


def _goes_on(cases: Discourse, place: int, here: int) -> bool:
    """No word of a claim, or since what it rests on is given, speaks of anything else.

    With a subsidy it becomes another one.
    """
    *known, own = (y for y in cases.sentences if y.start <= here)
    since = [y for y in known if y.start > place]
    met = [w for y in known if y.start <= place for w in open_words(y.words)]
    return all(goes_on(y.words, met) for y in (*since, own))


def _asked(judge: Claims, s: Statement, at: Given | None) -> Verdict | None:
    try:
        return None if at is None else judge.prove(s, at.system)
    except SymattnError:
        return None


__all__ = ["PUT", "Given", "given", "number", "said_again", "status", "with_values"]
