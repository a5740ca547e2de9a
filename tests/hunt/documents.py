"""Short documents with claims in them, what is so of each, and what symattn says of it.

A part of a document says which names there are and what they are, states, denies or cases a fact in
words, and claims what follows from it, in disguise or one slip away.  What is so is found by
evaluating the text itself (tex.py) at values that satisfy what the text says at that place.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from functools import lru_cache
from random import Random
from typing import Any

import numpy as np

import symattn as sa

from .judge import Answer, asked
from .prose import Values, draw
from .tex import Misfit, Unreadable, scalar, side
from .values import NoValue

SAME, APART = 1e-7, 1e-5
DRAWS, ENOUGH = 24, 6
SIZES = (2, 3, 4)
EACH = 3  # questions of either kind a document
RELATIONS: dict[str, Callable[[Any, Any], Any]] = {
    r"\le": lambda a, b: a <= b + 1e-9,
    r"\ge": lambda a, b: a >= b - 1e-9,
    "<": lambda a, b: a < b,
    ">": lambda a, b: a > b,
}


@dataclass(frozen=True)
class Definition:
    """A name that a part defines: its letters, and LaTeX or a function of the values before it."""

    name: str
    tex: str | Callable[[Values], Any]
    letters: tuple[str, ...] = ()
    argument: str = ""  # f(t)


@dataclass(frozen=True)
class Claim:
    """left relation right, in the paragraph with this number; `under` is said for it alone.

    `meant` is what the left side is, in each way that it may be meant; a `loose` one is so only as
    the words before it have it, and neither to be proved nor to be refuted.
    """

    paragraph: int
    left: str
    right: str
    relation: str = "="
    under: tuple[Callable[[Values, Random], None], ...] = ()
    meant: tuple[Callable[[Values], Any], ...] = ()
    loose: bool = False


@dataclass
class Part:
    """Paragraphs on names of their own."""

    inputs: dict[str, str] = field(default_factory=dict)  # name → kind
    letters: dict[str, str] = field(default_factory=lambda: {"i": "n", "j": "n"})
    imposed: list[Callable[[Values, Random], None]] = field(default_factory=list)
    definitions: list[Definition] = field(default_factory=list)
    paragraphs: list[str] = field(default_factory=list)
    claims: list[Claim] = field(default_factory=list)

    def say(self, text: str) -> int:
        self.paragraphs.append(text)
        return len(self.paragraphs) - 1

    def show(self, left: str, right: str, relation: str = "=", tail: str = "", **more: Any) -> None:
        """A display that claims something."""
        shown = f"$$ {left} {relation} {right}{tail} $$"
        self.claims.append(Claim(self.say(shown), left, right, relation, **more))

    # -------------------------------------------------------------------------- values

    def values(self, rng: Random, size: int, under: tuple[Any, ...] = ()) -> Values:
        drawn: Values = {name: draw(kind, size, rng) for name, kind in self.inputs.items()}
        for impose in (*self.imposed, *under):
            impose(drawn, rng)
        return self.filled(drawn, size)

    def filled(self, drawn: Values, size: int) -> Values:
        sizes = {x: 3 if n == "t" else size for x, n in self.letters.items() if n != "function"}
        e: Values = {"n": float(size), "I": np.eye(size), **drawn, "sizes": sizes}
        e["again"] = lambda name, value: self.filled({**drawn, name: value}, size)
        e["here"] = lambda now: {k: v for k, v in now.items() if isinstance(v, int)}
        for d in self.definitions:
            if d.name in drawn:
                continue
            if callable(d.tex):
                e[d.name] = d.tex(e)
                continue
            read, _ = side(d.tex, self.letters)
            if d.argument:
                e[d.name] = lambda x, read=read, d=d, e=e: read({**e, d.argument: x})
            elif d.letters:
                array = np.zeros((size,) * len(d.letters))
                for place in np.ndindex(*array.shape):
                    at = dict(zip(d.letters, (p + 1 for p in place), strict=True))
                    array[place] = scalar(read({**e, **at}))
                e[d.name] = array.reshape(size, -1)
            else:
                e[d.name] = read(e)
        return e

    def truth(self, claim: Claim, seed: str) -> bool | None:
        """Whether the claim holds at all values that its part allows; None where that is open."""
        ways = [self._way(claim, seed, left) for left in claim.meant or (None,)]
        return ways[0] if len({*ways}) == 1 else None

    def _way(self, claim: Claim, seed: str, meant: Callable[[Values], Any] | None) -> bool | None:
        try:
            return True if claim.loose else self._truth(claim, seed, meant)
        except Misfit:
            return None

    def _truth(self, claim: Claim, seed: str, meant: Callable[[Values], Any] | None) -> bool | None:
        left, below = (meant, set[str]()) if meant else side(claim.left, self.letters)
        right, beside = side(claim.right, self.letters)
        letters = sorted(below | beside)
        seen, biggest = 0, 0.0
        for k in range(DRAWS):
            rng = Random(f"{seed} {k}")
            try:
                e = self.values(rng, SIZES[k % len(SIZES)], claim.under)
                for place in np.ndindex(*(e["sizes"][x] for x in letters)):
                    at = {x: p + 1 for x, p in zip(letters, place, strict=True)}
                    a, b = scalar(left({**e, **at})), scalar(right({**e, **at}))
                    if claim.relation in RELATIONS:
                        if not RELATIONS[claim.relation](a, b):
                            return False
                        continue
                    if np.shape(a) != np.shape(b):
                        return None
                    gap = float(np.max(abs(a - b) / (1 + abs(a) + abs(b))))
                    if gap > APART:
                        return False
                    biggest = max(biggest, gap)
                    if not np.isfinite(gap):
                        raise NoValue("too large")
            except (NoValue, OverflowError, np.linalg.LinAlgError, ZeroDivisionError):
                continue
            seen += 1
        return True if seen >= ENOUGH and biggest < SAME else None


@dataclass(frozen=True)
class Question:
    """One claim of a document, what is so of it, and what was said."""

    parts: list[Part]
    part: int
    claim: Claim
    holds: bool
    said: str
    detail: str = ""
    seconds: float = 0.0


def text_of(parts: list[Part], keep: Callable[[int, int], bool] = lambda p, k: True) -> tuple[
    str, dict[tuple[int, int], int]
]:  # fmt: skip
    """The document, and the line of each paragraph of each part."""
    lines: list[str] = []
    places: dict[tuple[int, int], int] = {}
    for p, part in enumerate(parts):
        if len(parts) > 1:
            lines += [f"## Section {p + 1}", ""]
        for k, paragraph in enumerate(part.paragraphs):
            if keep(p, k):
                places[p, k] = len(lines) + 1
                lines += [paragraph, ""]
    return "\n".join(lines), places


@lru_cache(maxsize=64)
def document(
    seed: int, kind: str = "documents"
) -> tuple[list[Part], str, list[tuple[int, Claim, bool, int]]]:
    """The parts of a document, its text, and the claims with part, truth and line."""
    from .chapters import CHAPTERS
    from .scenes import SCENES, drawn
    from .variants import CASED

    rng = Random(f"{kind.removesuffix('s')} {seed}")
    parts = drawn(rng, {"documents": SCENES, "chapters": CHAPTERS, "variants": CASED}[kind])
    text, places = text_of(parts)
    found = []
    for p, part in enumerate(parts):
        for k, claim in enumerate(part.claims):
            holds = part.truth(claim, f"{seed} {p} {k}")
            if holds is not None:
                found.append((p, claim, holds, places[p, claim.paragraph]))
    rng.shuffle(found)
    return parts, text, found


@lru_cache(maxsize=64)
def answers(seed: int, kind: str, corrections: bool) -> Answer:
    """The rows of a document."""
    text = document(seed, kind)[1]
    return asked(lambda: sa.check(text, corrections=corrections, timeout=None, jobs=1).rows)


def asked_of(seed: int, holds: bool, quick: bool, kind: str = "documents") -> Question | None:
    """A claim of a document that is so, or is not; every document has some for several seeds."""
    number, k = divmod(seed, EACH)
    parts, _, found = document(number, kind)
    some = [x for x in found if x[2] == holds]
    if k >= len(some):
        return None
    p, claim, _, line = some[k]
    answer = answers(number, kind, not quick and number % 2 == 0)
    seconds = answer.seconds if not k else 0.0
    if answer.value is None:
        said = "late" if answer.late else "crash" if answer.crash else "error"
        return Question(parts, p, claim, holds, said, answer.crash or answer.error, seconds)
    row = verdict(claim, line, answer.value)
    said, why = judged(parts[p], claim, holds, row, f"{seed}")
    wrong = ("proved a false one", "refuted a true one", "a wrong correction")
    if said in wrong and (told := taken_from(row, found, answer.value)):
        said, why = "unknown", f"with line {told}, which is taken for a definition"
    return Question(parts, p, claim, holds, said, why, seconds)


def taken_from(row: Any, found: list[Any], rows: Any) -> int:
    """The line of a false claim that is a definition or a condition for symattn."""
    told = " ".join((*row.used, *row.assumed))
    used = {int(n) for n in re.findall(r"\blines? (\d+)", told)}
    false = {line for _, _, holds, line in found if not holds}
    lines = (r.line for r in rows if r.verdict in ("definition", "skipped"))
    return next((n for n in lines if n in used & false), 0)


def snippet(q: Question, shorten: bool) -> str:
    """The claim and the text in which something wrong is said of it, of one part if that does."""
    shown = f"{q.claim.left} {q.claim.relation} {q.claim.right}"
    text, _ = text_of(q.parts)
    if shorten and len(q.parts) > 1:
        alone, places = text_of([q.parts[q.part]])
        rows = sa.check(alone, timeout=None, jobs=1).rows
        row = verdict(q.claim, places[0, q.claim.paragraph], rows)
        if judged(q.parts[q.part], q.claim, q.holds, row, "short")[0] == q.said:
            text = alone
    return f"{shown}  ({q.detail})\n\n{text}"


def bare(tex: str) -> str:
    return re.sub(r"\s|\\[,;:! ]|[.,]$", "", tex)


def verdict(claim: Claim, line: int, rows: Any) -> Any:
    """The row of a claim."""
    here = [r for r in rows if r.line == line]
    wanted = bare(claim.left + claim.relation + claim.right)
    same = [r for r in here if bare(r.latex) == wanted]
    return same[0] if same else None


def judged(part: Part, claim: Claim, holds: bool, row: Any, seed: str) -> tuple[str, str]:
    """What was said in a word, and the reason."""
    if row is None:
        return "unknown", "no row"
    if row.verdict == "proved":
        right = holds and not claim.loose
        return ("proved" if right else "proved a false one"), row.reason
    if row.verdict in ("refuted", "malformed"):
        if holds:
            return "refuted a true one", row.reason
        if row.correction:
            try:
                corrected = replace(claim, right=row.correction)
                if part.truth(corrected, seed) is False:
                    return "a wrong correction", row.correction
            except (Unreadable, KeyError, ValueError, TypeError, IndexError) as error:
                return "refuted", f"the correction was not read: {row.correction}: {error}"
        return "refuted", row.reason
    return "unknown", f"{row.verdict}: {row.reason}"


__all__ = ["Claim", "Definition", "Part", "Question", "Values", "asked_of", "document", "snippet"]
