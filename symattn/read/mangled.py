r"""A chain a = b = c of which one side cannot be read: an unknown macro, a bracket left open.

The others are read as if it were not there.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from dataclasses import replace

from ..errors import SymattnError
from .grammar import parse
from .lexer import Token
from .source import UNFORESEEN, Display, ReadError, Source, placed
from .split import CLOSERS, OPENERS, sides
from .tokens import tokens

_COMMAND = re.compile(r"\\[A-Za-z]+\*?")
MOST = 8  # unknown commands of one display


def scanned(source: Source, display: Display) -> tuple[list[Token], list[ReadError]]:
    """The tokens of a display without the commands that are not known, and what those are."""
    unknown: list[ReadError] = []
    text = source
    while True:
        try:
            return tokens(text, display), unknown
        except ReadError as error:
            command = _COMMAND.match(source.text, error.at)
            if command is None or "is not known" not in error.problem or len(unknown) == MOST:
                raise unknown[0] if unknown else error from None
            unknown.append(error)
            start, end = command.span()
            blank = source.text[:start] + " " * (end - start) + source.text[end:]
            text = replace(text, text=blank, memory={})
            source = text


def whole_sides(
    source: Source, piece: list[Token], unknown: list[ReadError]
) -> tuple[list[Token], dict[int, ReadError]]:
    """The tokens with a name for each side that cannot be read, and the errors of these sides.

    Empty where the first cannot be read, where fewer than two are left, or in no chain of =.
    """
    depth, signs = 0, list[Token]()
    for token in piece:
        depth += (token.kind in OPENERS) - (token.kind in CLOSERS)
        if token.kind == "REL" and not depth:
            signs.append(token)
    parts = sides(piece)
    if depth or len(signs) < 2 or {t.text for t in signs} != {"="} or not all(parts):
        return piece, {}
    bad = {bisect_right([t.at for t in signs], e.at): e for e in reversed(unknown)}
    for k, part in enumerate(parts):
        if k not in bad:
            try:
                parse(source, part)
            except (SymattnError, *UNFORESEEN) as error:
                bad[k] = placed(source, part[0].at, error)
    if not bad or 0 in bad or len(parts) - len(bad) < 2:
        return piece, {}
    mended = [*parts[0]]
    for k, (sign, part) in enumerate(zip(signs, parts[1:], strict=True), 1):
        mended += [sign, *([Token("NAME", "x", part[0].at)] if k in bad else part)]
    return mended, bad


__all__ = ["scanned", "whole_sides"]
