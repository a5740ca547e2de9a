r"""What the words of a text call its names: an $n \times d$ matrix $Q$, vectors of length $n$.

Only phrases are found here; `said` reads the formulas in them.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from .source import Display, Source

AXES = {"scalar": 0, "number": 0, "constant": 0, "vector": 1, "matrix": 2, "matrice": 2}
SYMMETRIC = re.compile(r"symmetric|covariance|(?:semi-?)?definite|\bGram\b", re.I)
UNLIKE = re.compile(r"(?:anti|skew|non|un|a)-?symmetric|\bnot\b|cross-", re.I)

_MATH = re.compile(r"(?<![\\$])\$(?!\$)([^$]{1,90})(?<!\\)\$(?!\$)|\\\((.{1,90}?)\\\)")
_ONE = r"\N{LEFT WHITE SQUARE BRACKET}\d+\N{RIGHT WHITE SQUARE BRACKET}"
_LIST = rf"(?P<names>{_ONE}(?:(?:,| and|, and) {_ONE}){{0,9}})"
_NOUN = (
    r"(?P<noun>(?:column )?(?:vector|scalar|number|constant|matrix|matrice|distribution))(?P<many>s?)"
    r"(?![\w-]| (?:valued|field|space|bundle|product|norm|multipl|calculus|notation|algebra))"
)
_SIZE = rf"(?:(?P<size>{_ONE})(?:-| )?(?:dimensional )?)?"
_WORDS = r"(?:(?!is |are |and |of |the number )[A-Za-z-]+,? ){0,4}?"
_LONG = rf"(?P<tail>(?: in| with| of| and)?(?: positive \w+| (?:length|dimension|size|order) (?P<length>{_ONE}))?)"
_PHRASES = (
    rf"{_LIST}(?P<verb> be| is| are| denotes?| as|,|(?= an? )) (?P<words>{_WORDS}{_SIZE}{_WORDS}){_NOUN}(?! {_ONE}){_LONG}",
    rf"(?P<words>{_WORDS}{_SIZE}{_WORDS}){_NOUN} {_LIST}{_LONG}",
    rf"(?P<words>){_NOUN} {_LIST}(?: is| are|,)?(?: of size)? (?P<size>{_ONE})(?P<tail>)(?P<length>)",
)
_PATTERNS = tuple(map(re.compile, _PHRASES))
_STOP = re.compile(r"(?<=[.;:])\s+(?=[A-Z\N{LEFT WHITE SQUARE BRACKET}])|\n\s*\n|\n\s*[*\d-]")
_TIMES = re.compile(r"\\times|\\by\b")


@dataclass(frozen=True)
class Phrase:
    """Names in a formula, how many axes words give them, and the sizes where they are said."""

    names: Display
    axes: int | None  # None for a distribution, of which only the traits are said
    size: Display | None
    traits: frozenset[str]  # symmetric, positive, normalised


def phrases(source: Source) -> Iterator[Phrase]:
    """Every phrase of the text that says what a name is."""
    hidden = sorted((d.start, d.end) for d in source.displays)
    place = 0
    for stop in [*_STOP.finditer(source.text), None]:
        end = stop.start() if stop else len(source.text)
        yield from _sentence(source.text, place, end, hidden)
        place = end


def _sentence(
    text: str, start: int, end: int, hidden: Iterable[tuple[int, int]]
) -> Iterator[Phrase]:
    part = text[start:end]
    if "$" not in part and "\\(" not in part:
        return
    spans: list[Display] = []

    def token(found: re.Match[str]) -> str:
        group = 1 if found[1] is not None else 2
        spans.append(Display(start + found.start(group), start + found.end(group)))
        return f"\N{LEFT WHITE SQUARE BRACKET}{len(spans) - 1}\N{RIGHT WHITE SQUARE BRACKET}"

    words = " ".join(_MATH.sub(token, part).split())
    if any(a < end and start < b for a, b in hidden):
        spans = [s if not any(a <= s.start < b for a, b in hidden) else Display(0, 0) for s in spans]
    for pattern in _PATTERNS:
        for found in pattern.finditer(words):
            yield from _phrase(text, found, words, spans)


def _phrase(
    text: str, found: re.Match[str], words: str, spans: list[Display]
) -> Iterator[Phrase]:
    first = found.start("names")
    if found.re is _PATTERNS[0] and re.search(r"\b(?:of|in|by|from|on) $", words[:first]):
        return  # the rows of A are vectors
    noun = found["noun"].removeprefix("column ")
    shown = found["size"] or found["length"]
    size = spans[int(shown[1:-1])] if shown else None
    square = size is not None and bool(_TIMES.search(text, size.start, size.end))
    if found.re is _PATTERNS[2] and not square:
        return
    if size is not None and square != noun.startswith("matri"):
        size = None
    around = words[max(0, found.start() - 40) : found.end()]
    traits = set()
    if noun.startswith("matri") and SYMMETRIC.search(around) and not UNLIKE.search(around):
        traits.add("symmetric")
    if noun == "distribution" or (noun == "vector" and "probability" in found["words"]):
        traits.add("normalised")
    if "positive" in (found["tail"] or "") or (
        noun in ("scalar", "number", "constant") and "positive" in around
    ):
        traits.add("positive")
    listed = re.findall(r"\d+", found["names"])
    for k in listed[-1:] if found.groupdict().get("verb") == " is" else listed:
        span = spans[int(k)]
        if span.end and "\\in" not in text[span.start : span.end]:
            yield Phrase(spans[int(k)], AXES.get(noun), size, frozenset(traits))


__all__ = ["Phrase", "phrases"]
