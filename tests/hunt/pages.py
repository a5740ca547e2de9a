"""Pages with claims that are so or are not, and what is said of each claim."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from random import Random
from typing import Any

import symattn as sa

from .documents import bare
from .judge import Answer, asked


@dataclass(frozen=True)
class Claim:
    """An equation of a page with its line, and whether it is so."""

    line: int
    latex: str
    holds: bool


def claimed(
    rng: Random, first: str, right: Sequence[str], wrong: Sequence[str], many: Sequence[int]
) -> tuple[str, tuple[Claim, ...]]:
    """A page that begins with a sentence and claims what is right or wrong, each once."""
    lines, claims = [first, ""], list[Claim]()
    for _ in range(rng.choice(many)):
        so = bool(right) and (rng.random() < 0.5 or not wrong)
        latex = rng.choice(right if so else wrong)
        if latex in {c.latex for c in claims}:
            continue
        word = rng.choice(("Then ", "We have ", "Therefore ", "It follows that "))
        shown = f"{word}${latex}$." if rng.random() < 0.5 else f"{word}\n$$ {latex}. $$"
        lines += [*shown.split("\n"), ""]
        claims.append(Claim(len(lines) - 1, latex, so))
    return "\n".join(lines), tuple(claims)


@dataclass(frozen=True)
class Question:
    """A claim of a page, and what was said of it."""

    text: str
    claim: Claim
    said: str
    detail: str = ""
    seconds: float = 0.0


@dataclass(frozen=True)
class Pages:
    """Questions on pages that are drawn, `each` of either kind a page.

    `corrects` says of which pages corrections are asked, `mended` whether one is right; None where
    that is open.
    """

    drawn: Callable[[int], tuple[str, Sequence[Any]]]
    each: int
    corrects: Callable[[int], bool] = lambda number: False
    mended: Callable[[str, Any], bool | None] = lambda latex, claim: None

    def __call__(self, seed: int, holds: bool) -> Question | None:
        """A claim that is so, or is not; every page has some for several seeds."""
        number, k = divmod(seed, self.each)
        text, claims = self.drawn(number)
        some = [one for one in claims if one.holds == holds]
        if k >= len(some):
            return None
        claim, answer = some[k], _answer(text, self.corrects(number))
        seconds = answer.seconds if not k else 0.0
        if answer.value is None:
            word = "late" if answer.late else "crash" if answer.crash else "error"
            return Question(text, claim, word, answer.crash or answer.error, seconds)
        rows = (r for r in answer.value if r.line == claim.line)
        row = next((r for r in rows if bare(r.latex) == bare(claim.latex)), None)
        word, why = self._said(row, claim)
        return Question(text, claim, word, why, seconds)

    def _said(self, row: Any, claim: Any) -> tuple[str, str]:
        """What was said in a word, and the reason."""
        if row is None:
            return "unknown", "no row"
        if row.verdict == "proved":
            return ("proved" if claim.holds else "proved a false one"), row.reason
        if row.verdict in ("refuted", "malformed"):
            if not claim.holds and row.correction and self.mended(row.correction, claim) is False:
                return "a wrong correction", row.correction
            return ("refuted a true one" if claim.holds else "refuted"), row.reason
        return "unknown", f"{row.verdict}: {row.reason}"


@lru_cache(maxsize=64)
def _answer(text: str, corrections: bool) -> Answer:
    return asked(lambda: sa.check(text, corrections=corrections, timeout=None, jobs=1).rows)


__all__ = ["Claim", "Pages", "Question", "claimed"]
