r"""Names of sides in words: “write $K$ for the right-hand side” says what K is."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from .grammar import parse
from .lexer import Token
from .source import Display, ReadError, Source
from .split import Statement
from .tokens import tokens
from .tree import Accent, Chain, Name, Node, Scripted, is_equation
from .words import ONE, sentences

_SIDE = r"(?:the |this |its |that )(?:whole |last |above )?(?P<side>right|left)[- ]hand[- ]side"
_SAID = tuple(
    re.compile(pattern)
    for pattern in (
        rf"(?:[Ww]rite|[Ww]riting|[Uu]se) (?P<name>{ONE}) for {_SIDE}",
        rf"(?:[Dd]enot(?:e|ing)|[Cc]all(?:ing)?|[Aa]bbreviate) {_SIDE} (?:by |as )?(?P<name>{ONE})",
        rf"[Ll]et (?P<name>{ONE}) (?:be|denote|stand for) {_SIDE}",
        rf"(?P<name>{ONE}) (?:is|denotes|stands for) {_SIDE}",
    )
)


def gather(source: Source, displays: Sequence[Statement]) -> Iterator[tuple[Node, list[Token]]]:
    """K = the side that words call K, of the last display before them."""
    for words, spans in sentences(source):
        for m in (m for pattern in _SAID for m in pattern.finditer(words)):
            span = spans[int(m["name"][1:-1])]
            before = [s for s in displays if s.tokens[-1].at < span.start and not s.inline]
            last = max(before, key=lambda s: s.tokens[0].at, default=None)
            if last is None or not is_equation(last.tree):
                continue
            try:
                found = tokens(source, Display(span.start, span.end))
                name = parse(source, found)
            except ReadError:
                continue
            if isinstance(name, Name | Accent | Scripted):
                side = last.tree.sides[-1 if m["side"] == "right" else 0]
                yield Chain(name.at, (name, side), (("=", name.at),)), found


__all__ = ["gather"]
