r"""What a sentence supposes is true in it: if $A B = B A$, then $(A + B)^2 = A^2 + 2 A B + B^2$.

The equations behind its if, and the kinds of matrices and vectors there, are facts for what it
concludes from them, and for nothing else.  What it supposes in other words leaves it undecided.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import TYPE_CHECKING

import sympy as sp
from sympy.core.function import AppliedUndef

from ..errors import SymattnError
from ..objects import Partial
from ..read import Equation
from ..read.vocabulary import IF
from ..syntax import System, for_all
from . import proofs, report
from .conditions import THEN, conditional, in_a_numbered_case
from .declarations import mini
from .doubts import DOUBTS, stated, undefined
from .finding import Finding
from .inside import names
from .kinds import SEVERAL, equations
from .qualities import FORMULA
from .repair import read_alone
from .reread import alike
from .statements import Statement
from .ties import EXACT
from .versions import closure
from .within import folded

if TYPE_CHECKING:
    from .disputed import Disputed

_AND = r"(?:and|so|hence|thus|therefore|and (?:so|hence|thus|therefore)|that is|i\.e\.)"
_LEAD = (
    r"\W*(?:(?:and|but|so|now|also|hence|thus|then|conversely|moreover|similarly|finally|clearly|"
    r"indeed|here|in particular|for example|for instance|note that|observe that|recall that),?\s+)?"
)
_CONDITION = (
    rf"(?!iff\b){IF}\s+(?:(?:(?:we (?:have|assume|suppose)|it holds)(?: that)?|the identity)\s+)?"
)
_BEFORE = re.compile(  # if … and …, then … and
    rf"{_LEAD}{_CONDITION}(?P<supposed>{SEVERAL})(?:\s+holds?)?(?P<then>{THEN})"
    rf"(?P<more>…(?:[\s,]+{_AND}[\s,]+(?:(?:also|then)\s+)?…)*[\s,]+{_AND}[\s,]*(?:(?:also|then)\s+)?)?",
    re.IGNORECASE,
)
_BEHIND = re.compile(rf"[\s,]*{_CONDITION}(?P<supposed>{SEVERAL})\s*(?:[.;]|\Z)", re.IGNORECASE)
_ENDS = re.compile(rf"(?:[\s,]*(?:{_AND}[\s,]+)?…)*[\s,]*(?:[.;:]|\Z)", re.IGNORECASE)
_BESIDES = re.compile(  # if …, then … provided that …, where …
    rf"[\s,]*(?:{_CONDITION}|where\s+|with\s+|for\s+)(?P<supposed>{SEVERAL})\s*(?:[.;]|\Z)",
    re.IGNORECASE,
)
_OF_A_MATRIX = re.compile(  # if $A^2 = A$ for a square matrix $A$
    r" for (?:an?|any|every|some|two|the) (?:(?:square|real|invertible) )*matri(?:x|ces) \$[^$]*\$"
)
_CASE = re.compile(rf"[^:.,]*[:.,]\**\s*(?:{_CONDITION})?(?P<supposed>{SEVERAL})\s*[.;]")
_CLOSES = re.compile(r"\s*(?:\$\$?|\\[\])]|\\end\{\w+\*?\})\s*")
_STOPS = re.compile(r"\s*[.;]?")
_VERB = re.compile(r"[a-z]", re.IGNORECASE)
_WRAPS = re.compile(
    r"^\s*(?:\$\$?|\\[\[(]|\\begin\{\w+\*?\})|(?:\$\$?|\\[\])]|\\end\{\w+\*?\})\s*$"
)
_REACH = 300  # characters behind a formula in which its sentence ends


def hypothetical(judge: Disputed, s: Statement, system: System) -> Finding | None:
    """The finding with what the sentence supposes; None where it supposes nothing, or more."""
    if s.rhs is None or s.relation not in EXACT or (s.line, s.column) in judge.outline.premised:
        return None
    if not (supposed := _supposed(judge, s)):
        return None
    below = closure(names(s.lhs) | names(s.rhs), system)
    facts = [f for latex in supposed for f in _facts(judge, s, system, latex)]
    about = {n for f in facts for n in names(f.lhs) | names(f.rhs)}
    world = judge.versions.system(s, about)
    if len(facts) < len(supposed) or not closure(about, world) & below:
        return None
    found = concluded(judge, s, folded(s, world), facts)
    if found is None or (found.verdict == report.PROVED and _of_some(s, supposed, facts)):
        return None
    if found.verdict == report.REFUTED and _unintroduced(judge, s, facts):
        return None
    said = " and ".join(supposed)
    return replace(found, assumed=(f"what its sentence supposes: {said}", *found.assumed))


def _unintroduced(judge: Disputed, s: Statement, facts: Iterable[sp.Eq]) -> bool:
    """A matrix is first named in what is supposed: of A = Q R more is meant than is written."""
    outline, place = judge.outline, (s.line, s.column)
    before = outline.text[: outline.position(*place)]
    before = before[: before.rfind(outline.leading(*place))]
    every = {b for f in facts for b in f.atoms(sp.IndexedBase) if len(b.shape) > 1}
    return any(
        re.search(rf"(?<![A-Za-z]){re.escape(b.name.split('_')[0])}(?![A-Za-z])", before) is None
        for b in every
    )


def concluded(
    judge: Disputed, s: Statement, system: System, facts: Iterable[sp.Eq]
) -> Finding | None:
    """The proof or refutation of what follows from facts; None where there is neither."""
    facts = [*facts]
    try:
        world = System(*system, facts=(*system.facts, *facts))
        verdict = judge.prove(s, world)
    except SymattnError:
        return None
    if verdict.status == "unknown":
        verdict = proofs.other(s, world, verdict, judge.seed) or verdict
    if verdict.status == "proved" and verdict.trivial:
        return Finding(report.UNPROVED, "with what is supposed it is 0 = 0", proof=verdict)
    if verdict.status == "proved":
        doubtful = judge._doubtful(s, verdict, world)
        return None if doubtful else judge._proved(s, verdict, world)
    if verdict.status != "refuted" or _tied(judge, s, world, facts):
        return None
    found = judge.confirmed(s, verdict, world)
    return found if found.verdict == report.REFUTED else None


def _of_some(s: Statement, supposed: Iterable[str], facts: Iterable[sp.Eq]) -> bool:
    """What is supposed of x_i, for the i of what follows, is taken here for every i."""
    own = {x.name for x in s.letters}
    letters = {i.name for f in facts for i in f.atoms(sp.Idx)} & own
    return any(re.search(rf"(?<![A-Za-z\\]){x}(?![A-Za-z])", t) for x in letters for t in supposed)


def _tied(judge: Disputed, s: Statement, world: System, facts: Iterable[sp.Eq]) -> bool:
    """A difference refutes nothing, for other reasons than what is supposed."""
    if any(x.atoms(Partial, sp.Integral) for x in (s.lhs, s.rhs, *facts)):
        return True
    others = (d for d in DOUBTS if d not in (conditional, in_a_numbered_case, stated, undefined))
    if any(d(s, world, judge.versions) for d in others):
        return True
    known = {n for f in facts for n in closure(names(f.lhs) | names(f.rhs), world)}
    left, right = (closure(names(x), world) - {*world.definitions} for x in (s.lhs, s.rhs))
    return not (left ^ right) <= known


def _supposed(judge: Disputed, s: Statement) -> list[str]:
    """The equations that the sentence of a statement supposes, as LaTeX."""
    outline, place = judge.outline, (s.line, s.column)
    begins = outline.begins(*place)
    leading = "" if begins else _OF_A_MATRIX.sub("", outline.leading(*place))
    said = _BEFORE.fullmatch(FORMULA.sub("…", leading))
    end = outline.position(*place) + len(s.whole)
    closes = _CLOSES.match(outline.text, end)
    rest = outline.text[closes.end() if closes else end :][:_REACH]
    rest = re.split(r"(?<=[.;])\s|\n[ \t]*\n", rest)[0]
    words = FORMULA.sub("…", rest)
    if said is None:
        also = None if not begins and outline.condition(*place) else _BEHIND.fullmatch(words)
        if also is None:
            return _of_the_case(judge, s, begins)
    else:
        also, ends = _BESIDES.fullmatch(words), _ENDS.fullmatch(words)
        if also is None and ends is None:
            return []
        told = _VERB.search(said["then"]) or said["more"]
        if not (also or told or _STOPS.fullmatch(words)):
            return []  # if $a = b$, $c = d$, and what follows then stands in a display
    found = [_told(m["supposed"], text) for m, text in ((said, leading), (also, rest)) if m]
    return [] if None in found else [x for several in found for x in several or ()]


def _of_the_case(judge: Disputed, s: Statement, begins: bool) -> list[str]:
    """What the numbered case supposes that a statement stands in: Case 2: $q = z$. Then …"""
    outline, place = judge.outline, (s.line, s.column)
    case = outline.numbered_case(*place)
    if not case or (not begins and outline.condition(*place)):
        return []
    said = _CASE.match(FORMULA.sub("…", case))
    return (_told(said["supposed"], case) or []) if said else []


def _told(words: str, text: str) -> list[str] | None:
    """What clauses say as equations, with the formulas of the text that they begin."""
    shown = (_WRAPS.sub("", _WRAPS.sub("", m[0])) for m in FORMULA.finditer(text))
    return equations(words, [x.strip().rstrip(".,; ") for x in shown])


def _facts(judge: Disputed, s: Statement, system: System, latex: str) -> Iterator[sp.Eq]:
    """An equation that is read by itself, in the names of the statement; none if it is none."""
    section = judge.outline.section
    near = (t for t in judge.versions.statements if section(t.line) == section(s.line))
    if (e := stated_alone(judge, s, near, latex)) is None:
        return
    left, right = (alike(x, s, system) for x in (e.lhs, e.rhs))
    about = names(left) | names(right)
    here = closure(names(s.lhs) | names(s.rhs), system)
    again = {n for n in here - about if n.partition("_")[0] in about}  # the x_2 of another section
    if not again:
        yield for_all(left, right, e.indices)


def stated_alone(
    judge: Disputed, s: Statement, beside: Iterable[Statement], latex: str
) -> Equation | None:
    """An equation that is read with the names of a statement and of others; None for no other."""
    sides = (x for t in beside if t is not s and t.rhs is not None for x in (t.lhs, t.rhs))
    told = replace(s, lhs=sp.Tuple(s.lhs, s.rhs), rhs=sp.Tuple(*sides))
    read = read_alone(mini(judge.versions.system(s), judge.declarations, [], told), latex)
    if len(read) != 1 or read[0].kind not in _STATED:
        return None
    e = read[0]
    opaque = e.rhs is None or e.lhs.atoms(*_OPAQUE) or e.rhs.atoms(*_OPAQUE)
    return None if opaque else e


_OPAQUE = (AppliedUndef, Partial, sp.Integral)
_STATED = ("claim", "definition", "fact")


__all__ = ["concluded", "hypothetical", "stated_alone"]
