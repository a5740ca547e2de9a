r"""What a sentence is about: competitive firms, version 2, the third lecture, a perfect tree.

An equation of a sentence whose subject is a kind of thing, *orthogonal vectors satisfy*, *in a
perfect tree one has*, is so of that kind.  Two sentences are about different things where their
subjects share no word, or where one speaks of version 1 and the other of version 2.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

from ..read.vocabulary import words

_WORD = re.compile(r"[A-Za-z][\w'-]*")
_CLOSED = words(  # words of every claim
    """then thus hence so therefore we have has get find obtain it follows that and also this gives
    give implies imply yields yield is are be means which i e in particular moreover consequently
    now as from by the of both sides side equation equations substituting again can written one
    holds hold true since because here our their its a an let with where set put define write
    denote suppose assume given take choose consider for to all any every each case see know show
    must will becomes become equals equal read reads form result identity using use used not into
    on at or but if when these those above below line lines note notice observe recall clearly
    obviously indeed finally first second was were been being had do does did will would can could
    may might also only very more most than some there"""
)
_SAYS = words(  # words of what goes on
    "for then thus hence so therefore now and consequently we have has get gets find obtain that "
    "this these those it is are becomes become the its our a an gives give yields yield reads read "
    "as of by with let where set put take use using insert inserting substituting substitute "
    "values value numbers equals equal follows from all written write which means i e"
)
_DETERMINED = re.compile(
    r"(?:the|our|its|this|these|that|those|both|all|each|every|any|his|her|their|my|your|it|they|he|"
    r"she|there|which|what|such|neither|either)\b",
    re.IGNORECASE,
)
_OPENS = re.compile(
    r"^\W*(?:(?:then|thus|hence|so|therefore|now|and|but|again|also|likewise|similarly|however|here)"
    r"\b,?\s*)*",
    re.IGNORECASE,
)
_COPULA = words(
    "is are be equals equal was were becomes become reads read being as by to that means gives "
    "give yields yield implies imply obtain obtains find finds get gets called denoted defined "
    "written"
)
_SUBJECT = re.compile(  # competitive firms have, adults pay
    r"^(?!(?:in|for|with|on|under|at|inside|outside|of|when|before|after|from|by|during|while|if|"
    r"as|to|since|because|without|within|near|over|above|below|let|suppose|assume)\b)"
    r"(?P<subject>[A-Za-z][\w'-]*"
    r"(?:\s+(?!(?:in|with|for|on|at|by|from|to|that)\b)[\w'-]+){0,4}?)"
    r"\s+(?:then |thus |therefore |also |always |all )?"
    r"(?P<verb>[a-z]+)(?:\s+that)?\s*$",
    re.IGNORECASE,
)
_VERB = re.compile(  # has, satisfies; and of several things have, pay, sell
    r"[a-z]+[^s]s|have|pay|sell|earn|satisfy|obey|follow|fulfill?|carry|share|use|cost|move|need|keep|"
    r"show|display|exhibit|possess|require|weigh|measure|travel|meet|behave|face|grow|admit",
    re.IGNORECASE,
)
_PERSON = re.compile(r"(?:we|i|one|you)\b", re.IGNORECASE)
_OF_A_KIND = re.compile(  # in a perfect tree one has, for ideal gases
    r"\b(?P<way>in|for|on|under|at|inside|of)\s+(?P<kind>(?:an?\s+)?(?!the\b|our\b|this\b|"
    r"these\b|that\b|both\b|all\b|each\b|every\b|any\b|its\b|their\b)[\w-]+(?:\s+[\w-]+){0,2}?)"
    r"(?=\s*(?:,|$|\b(?:of(?! …)|with|one|we|the|is|are|has|have|holds?)\b))",
    re.IGNORECASE,
)
_IF = re.compile(  # if the curve is linear, unless the loop is closed
    r"\b(?:if|when|whenever|once|while|unless|provided(?: that)?|as long as|until|in case|"
    r"before|after)\s+(?!(?:the|a) times? …)(?P<said>[^,;…]*)",
    re.IGNORECASE,
)
_WORKED = re.compile(  # if you substitute this into that: no case
    r"\W*(?:we|you|one|I)(?: now| then)? (?:substitut|insert|plug|put|us|writ|defin|set|let|tak|"
    r"differentiat|expand|multipl|divid|add|subtract|combin|look|denot|rewrit|rearrang|simplif|"
    r"solv|integrat|appl|introduc|compar|comput|calculat|evaluat|collect|sum)",
    re.IGNORECASE,
)
_WHOSE = re.compile(  # Ann assumes …, in Bob's model
    r"\b(?P<owner>[A-Z][a-zé]+)(?:'s\b|(?=\s+(?:assumes?|writes?|uses?|says?|takes?|proposes?|defines?|"
    r"sets?|puts?|counts?|has)\b))"
)
_NOBODY = words("The This That It He She We One Let If In For With Suppose")
_OTHER = re.compile(r"\b(?:other|another|different|remaining|opposite|latter)\b", re.IGNORECASE)
_DESIGNATED = re.compile(  # version 2, Part II, option A; and no figure, equation or step
    r"\b(?P<noun>(?i:version|part|option|lecture|model|case|scenario|variant|method|plan|phase|stage|"
    r"group|edition|release|experiment|day|week|year|exam|setting|setup|regime|design|protocol|"
    r"species|treatment|round|period|region|zone|type|kind|class|player|agent|firm|country|chapter|"
    r"course|volume|problem|question|exercise|example|mode|branch|sample|cohort|arm))s?\s+"
    r"(?P<mark>\d+(?:\.\d+)*|[IVX]+|[A-Z])\b(?!\s*(?:is|of)\b)",
)


def open_words(said: str) -> list[str]:
    """The words that tell what a sentence is about."""
    return [w for w in map(str.lower, _WORD.findall(said)) if w not in _CLOSED]


def kin(one: Iterable[str], other: Iterable[str]) -> bool:
    """Some word of the one is one of the other, or begins as it does: competitive, competition."""
    stems = {w.rstrip("s")[:6] for w in other}
    return any(w.rstrip("s")[:6] in stems for w in one)


def goes_on(said: str, met: Iterable[str]) -> bool:
    """No word of a sentence speaks of anything but what was met, and of what follows from it."""
    known = [*met]
    return all(w in _SAYS or kin((w,), known) for w in map(str.lower, _WORD.findall(said)))


@dataclass(frozen=True)
class Subject:
    """What a clause is about; a kind of thing, where no *the* says which one."""

    words: tuple[str, ...]
    kind: bool

    @property
    def marks(self) -> tuple[str, ...]:
        """What tells this kind from others: the perfect of a perfect tree."""
        return self.words[:-1] or self.words


NOTHING = Subject((), False)


def place(clause: str) -> Subject:
    """The kind of thing in which, or for which, a clause says its formula: in a perfect tree."""
    before = _OPENS.sub("", clause.split("…")[0])
    for m in _OF_A_KIND.finditer(before):
        told, article = open_words(m["kind"]), re.match(r"an?\b", m["kind"], re.IGNORECASE)
        if article and not before[m.end() :].strip():
            continue  # for a label y
        if told and (article or m["kind"].endswith("s")) and len(told) > (m["way"] == "of"):
            return Subject((*told,), True)
    return NOTHING


def subject(clause: str) -> Subject:
    """What a clause with a formula, …, says its formula of."""
    before = _OPENS.sub("", clause.split("…")[0])
    m = _SUBJECT.match(before)
    if m is not None and m["verb"].lower() not in _COPULA and _VERB.fullmatch(m["verb"]):
        told = open_words(m["subject"])
        if told and not _PERSON.match(m["subject"]):
            return Subject((*told,), not _DETERMINED.match(m["subject"]))
    return place(clause)


def supposed(said: str) -> list[str]:
    """The words of what a sentence makes a condition of: if the curve is linear."""
    cases = (m["said"] for m in _IF.finditer(said) if not _WORKED.match(m["said"]))
    return [w for case in cases for w in open_words(case)]


def owners(said: str) -> set[str]:
    """Whose model, view or version a sentence speaks of."""
    return {m["owner"] for m in _WHOSE.finditer(said)} - _NOBODY


def another(said: str) -> bool:
    """A clause is about the other one."""
    return _OTHER.search(said.split("…")[0]) is not None


def designated(said: str) -> dict[str, set[str]]:
    """The marks of what is numbered, by what it is: version, {1, 2}."""
    found: dict[str, set[str]] = {}
    for m in _DESIGNATED.finditer(said):
        found.setdefault(m["noun"].lower(), set()).add(m["mark"])
    return found


__all__ = [
    "NOTHING",
    "Subject",
    "another",
    "designated",
    "kin",
    "open_words",
    "owners",
    "place",
    "subject",
    "supposed",
]
