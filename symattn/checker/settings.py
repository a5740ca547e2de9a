r"""What ties a sentence to a setting, and what says that another one is in force.

*In Gaussian units*, *while the switch is closed*, *if the units are drawn with replacement*, *the
first version used*: an equation of such a sentence is so in that setting.  A later sentence leaves
it that speaks of another one, *in SI units*, *past the yield point*, *the second version*, or says
that something is otherwise: *instead*, *not*, *whereas*, *is recycled*.
"""

from __future__ import annotations

import re

from .frames import Sentence, any_of
from .subjects import kin, open_words, supposed

_LED = re.compile(  # seen from the train, computing modulo five, in Gaussian units
    r"\W*(?P<lead>(?:[A-Z][a-z]+(?:ing|ed|n) (?:from|over|by|in|on|at|as|with|to|modulo|per|under|"
    r"without|against)\b|As an?\b)[^,…]*|In [\w-]+ (?:units|notation|coordinates|conventions?)\b)",
)
_SYSTEM = re.compile(  # in SI units, and in Gaussian units
    r"\bin (?P<which>(?!the\b|our\b|these\b|those\b|other\b|units\b)[\w-]+) "
    r"(?:units|notation|coordinates|conventions?)\b",
    re.IGNORECASE,
)
_BEFORE = any_of(  # of two versions, the one that is no longer meant, and the one that is
    "first", "original", "initial", "earlier", "previous", "former", "old", "planned", "intended"
)
_SINCE = any_of(
    "second", "final", "later", "latter", "new", "current", "published", "corrected", "actual",
    "real", "measured", "present", "true",
)  # fmt: skip
_PAST = re.compile(
    r"\b(?:was|were|had|stood|took|began|gave|wrote|meant|chose|(?<!is )(?<!are )(?<!be )(?:used|"
    r"called|defined|scored|started|assumed|treated|applied|denoted|planned|intended))\b[^…]*…",
    re.IGNORECASE,
)
_IN_FORCE = any_of("now", "here", "new", "we consider", r"we (?:work|use|look)\b")
_OTHERWISE = any_of(
    r"instead\b", r"however\b", r"whereas\b", r"on the other hand\b", r"in contrast\b",
    r"in (?:fact|reality|truth)\b", r"actually\b", r"not\b", r"no\b", r"without\b",
    r"n't\b", r"none\b", r"latter\b", r"recycled\b",
    r"(?:re)?placed\b", r"changed?\b", r"misprint\b", r"mistake\b", r"beyond\b", r"past\b",
    r"from (?:here|now|then|this \w+|\w+ \w+) on(?:wards)?\b", r"in the (?:rest|remainder)\b",
    r"turn to\b", r"this time\b",
    r"(?:this|these|the present|the current) (?:problem|section|chapter|book|lectures?|text|paper|"
    r"exercise|example|report|notes?|notebook|copy|post|design|case|version|day|run|sample)\b",
    r"our\b",
)  # fmt: skip


def tied(said: str, x: Sentence) -> list[str]:
    """The words of the setting that a clause of a sentence speaks of; none where of none."""
    if _IN_FORCE.search(said):
        return []
    led = _LED.match(x.words)
    told = [*supposed(said), *(open_words(led["lead"]) if led else ())]
    if x.frame is not None and not re.search(r"\bbut\b[^…]*…", x.words):  # in winter …, but we
        told += open_words(x.frame.said)
    return told or (open_words(said.split("…")[0]) if _PAST.search(said) else [])


def leaves(y: Sentence, x: Sentence, own: bool = False) -> bool:
    """A later sentence speaks of another setting than one before it; its `own` words alone do.

    Then it is no *not* that tells, and no other preposition: at temperature $T$, for the Jacobian.
    """
    if y.frame is not None and x.frame is not None and y.frame.differs(x.frame):
        return not own or y.frame.way == x.frame.way or y.frame.way in ("past", "beyond", "outside")
    if _BEFORE.search(x.words) and _SINCE.search(y.words):
        return True
    one, other = ({m["which"].lower() for m in _SYSTEM.finditer(z.words)} for z in (x, y))
    if one and other and one.isdisjoint(other):
        return True
    return not own and _OTHERWISE.search(y.words) is not None


def _taken_up(said: str) -> list[str]:
    """The units of in these units."""
    return re.findall(r"\b(?:this|these|that|those|such|same)\s+([a-z]+)", said, re.IGNORECASE)


def left_behind(x: Sentence, clauses: list[str], since: list[Sentence]) -> bool:
    """The setting of what a sentence says is left by later ones, and none comes back to it."""
    *between, here = since
    of_a_name = x.frame is not None and f"{x.frame.said} …" in x.words  # at temperature $T$
    gone = [y for y in between if leaves(y, x, of_a_name)]
    if not gone and not leaves(here, x, own=True):
        return False
    met = [w for y in between if y not in gone for w in open_words(y.words)]
    own = open_words(here.words)
    for told in (tied(said, x) for said in clauses):
        back = (
            kin(told[:-1] or told, own)
            or kin(told, _taken_up(here.words))
            or all(kin((w,), [*met, *own]) for w in told)
        )
        if told and not back:
            return True
    return False


__all__ = ["leaves", "left_behind", "tied"]
