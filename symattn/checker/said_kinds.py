r"""Sentences that say of which kind matrices and vectors are, as facts: let A and B commute.

They are what the text gives from there on, to where a sentence brings one of the names anew.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from .hypotheses import stated_alone
from .inside import bases
from .kinds import SEVERAL, equations
from .qualities import FORMULA
from .statements import Statement

if TYPE_CHECKING:
    from .disputed import Disputed

_LEAD = r"\W*(?:(?:now|next|further|moreover|also|here|in addition),?\s+)?"
_GIVES = rf"{_LEAD}(?:let|(?:we\s+)?(?:suppose|assume)(?:\s+that)?)"
_SAID = re.compile(rf"{_GIVES}\s+(?P<supposed>{SEVERAL})\s*[.;]?", re.IGNORECASE)
_BRINGS = re.compile(rf"{_GIVES}\b|{_LEAD}(?:consider|take|for)\b", re.IGNORECASE)
_ENDS = re.compile(r"(?<=[.;])\s+|\n[ \t]*\n")
_SPACE = re.compile(r"\s*\\in\s*\\math\w+.*", re.DOTALL)  # A ∈ ℝ^{n×n}


def facts(judge: Disputed) -> Iterator[tuple[Statement, tuple[int, int]]]:
    """Each equation, as a fact at its place, and the place from which on it may hold no more."""
    sentences = [*_sentences(judge.outline.text)]
    read = [t for t in judge.versions.statements if t.rhs is not None]
    for k, (at, sentence) in enumerate(sentences):
        named = [_names(m[0]) for m in FORMULA.finditer(sentence)]
        each = iter(named)
        words = FORMULA.sub(lambda m: " and ".join("…" for _ in next(each)), sentence)  # noqa: B023
        said = _SAID.fullmatch(words)
        if said is None or re.fullmatch(r"(?:…|[\s,]|and)*", said["supposed"]):
            continue  # equations alone are read as such
        told = equations(said["supposed"], [x for some in named for x in some]) or []
        own = {x for latex in told for x in re.findall(r"[A-Za-z]+", latex)} - {"top", "I"}
        end = next((a for a, other in sentences[k + 1 :] if _brings(other, own)), None)
        place = _place(judge.outline.text, at)
        for latex in told:
            if read and (e := stated_alone(judge, read[0], read, latex)) is not None:
                known = {b for t in read for x in (t.lhs, t.rhs) for b in bases(x)}
                if {b for x in (e.lhs, e.rhs) for b in bases(x)} <= known:
                    fact = Statement(
                        "fact", e.lhs, e.rhs, "=", e.indices, latex, latex, *place, inline=True
                    )
                    yield fact, _place(judge.outline.text, end) if end else (1 << 62, 0)


def _sentences(text: str) -> Iterator[tuple[int, str]]:
    start = 0
    for stop in (*_ENDS.finditer(text), None):
        end = stop.start() if stop else len(text)
        yield start, text[start:end]
        start = stop.end() if stop else end


def _names(formula: str) -> list[str]:
    """A and B of A, B ∈ ℝ^{n×n}; a formula that lists no names as it is."""
    bare = _SPACE.sub("", formula.strip("$\\() "))
    return [x.strip() for x in bare.split(",")] if "=" not in bare else [bare]


def _brings(sentence: str, own: set[str]) -> bool:
    """A sentence begins with what gives a name its meaning."""
    named = {x for m in FORMULA.finditer(sentence) for x in re.findall(r"[A-Za-z]+", m[0])}
    return bool(named & own) and _BRINGS.match(sentence) is not None


def _place(text: str, at: int) -> tuple[int, int]:
    return text.count("\n", 0, at) + 1, at - text.rfind("\n", 0, at)


__all__ = ["facts"]
