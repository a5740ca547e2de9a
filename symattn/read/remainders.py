r"""Whole numbers of which sentences speak: even $n$, where $k$ is odd, $m \in \mathbb{Z}$."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from .source import Source
from .vocabulary import IF
from .words import ONE, sentences, token

_KIND = (
    r"(?P<kind>(?:even|odd)(?: (?:and|or) (?:even|odd))?|(?:integer|natural|whole)(?: numbers?|s)?)"
)
_MORE = r"(?:(?:positive|negative|non-?negative|nonzero|fixed|arbitrary|any|given|some|all) )*"
_OF = r"(?: (?:integers?|numbers?|values? of|indices|index))*"
_SAID = (
    re.compile(rf"\b(?i:{_KIND}){_OF} (?P<name>{ONE})"),
    re.compile(
        rf"(?P<name>{ONE}),? (?:(?:is|are|be|being) )?(?:an? )?{_MORE}{_KIND}\b"
        r"(?! (?:if|when|though|for|in|function|part|permutation|symmetry|multiple))"
    ),
    re.compile(
        rf"(?P<name>{ONE}) (?:is|be|being) (?:divisible by|a multiple of) "
        rf"(?:(?P<of>\d{{1,2}})(?!\d)|(?P<number>{ONE}))"
    ),
)
_BEFORE = re.compile(  # for even $n$ we have, if $n$ is odd, then
    rf"\b(?i:for|{IF})\s+(?:[a-z]+\s+){{0,2}}"
    r"(?:(?:even|odd)\s[^$.;]{0,20}\$[^$=]*\$|\$[^$=]*\$\s+(?:is\s+)?(?:even|odd)\b)"
    r"[\s,]*(?:(?:then|we|one|it|have|has|gets?|that|holds|find|is)[\s,:]*)*$"
)
_BEHIND = re.compile(  # … for even $n$, … if $n$ is odd
    rf"[\s,]*(?:for|{IF})\s+(?:[a-z]+\s+){{0,2}}"
    r"(?:(?:even|odd)\s[^$.;]{0,20}\$|\$[^$=]*\$\s+(?:is\s+)?(?:even|odd)\b)"
)
_LEFT_OUT = re.compile(  # except for even n
    r"\b(?:except|other than|but for|apart from|aside from|besides|excluding|some)\b[^,;]{0,20}$",
    re.I,
)
_CLAUSE = re.compile(r",? (?:we|one|it|this|they|there|the|then)\b")  # but for even n we have
_SET = re.compile(r"\s*(?P<name>\\?[A-Za-z]+)\s*\\in\s*\\math(?:bb|bf|cal)?\s*\{?\s*[NZ]\s*\}?.*")
_LIST = re.compile(
    r"\s*(?P<name>\\?[A-Za-z]+)\s*=\s*-?\d+\s*,\s*-?\d+\s*(?:,\s*-?\d+\s*)*,\s*\\[lc]?dots.*"
)


def said(words: str, formulas: Sequence[str]) -> Iterator[tuple[int, int, int, bool]]:
    """The place of a name in a sentence, its modulus and remainder, and whether it is so called.

    Even numbers have the modulus 2 and the remainder 0, whole numbers the modulus 1.  What an even
    number is called may be one of a sum: over even $n$.
    """
    for pattern in _SAID:
        for m in pattern.finditer(words):
            k = next(k for k in range(len(formulas)) if token(k) == m["name"])
            kind = (m.groupdict().get("kind") or "").lower()
            out = _LEFT_OUT.search(words, 0, m.start())
            if out and not (out[0].startswith("but for") and _CLAUSE.match(words, m.end())):
                continue
            modulus = 2 if kind in ("even", "odd") else 1
            if not kind:
                shown = m["of"] or formulas[int(re.sub(r"\D", "", m["number"]))]
                modulus = int(shown) if re.fullmatch(r"\s*\d{1,2}\s*", shown) else 0
            if modulus and re.fullmatch(r"\s*\\?[A-Za-z]+\s*", formulas[k]):
                yield k, modulus, int(kind == "odd"), pattern is _SAID[0]
    for k, formula in enumerate(formulas):
        if _SET.fullmatch(formula) or _LIST.fullmatch(formula):
            yield k, 1, 0, False


def beside(words: str, behind: str) -> bool:
    """The words right before a formula, or behind it, say that it is of even or of odd numbers."""
    return bool(_BEFORE.search(words) or _BEHIND.match(behind))


def called(formula: str) -> str:
    """The name that a formula begins with."""
    found = re.match(r"\s*\\?([A-Za-z]+)", formula)
    return found[1] if found else ""


def names(source: Source) -> set[str]:
    """The names of which the text speaks as of whole numbers somewhere."""
    found = set[str]()
    for words, spans in sentences(source):
        formulas = [source.text[span.start : span.end] for span in spans]
        found |= {called(formulas[k]) for k, *_ in said(words, formulas)}
    return found


__all__ = ["beside", "called", "names", "said"]
