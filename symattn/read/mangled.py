r"""A chain a = b = c of which one side cannot be read: an unknown macro, a bracket left open.

The others are read as if it were not there.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from dataclasses import dataclass, replace
from itertools import pairwise

from ..errors import SymattnError
from .grammar import parse
from .lexer import Token
from .source import UNFORESEEN, Display, ReadError, Source, placed
from .split import CLOSERS, OPENERS, sides
from .tokens import tokens

_ROWS = re.compile(
    r"(?:\s|\\(?:label|tag)\{[^{}]*\})*\\begin\{(?P<name>align|aligned|alignat|gather|gathered|split|eqnarray)"
    r"(?P<star>\*?)\}(?P<rows>.*)\\end\{(?P=name)(?P=star)\}[\s.,;]*",
    re.DOTALL,
)
_BREAK = re.compile(r"\\\\(?:\[[^\]]*\])?")
_INNER = re.compile(r"\\(?:begin|end)\b")  # rows inside of rows
_GOES_ON = re.compile(r"[\s&]*(?:=|\\(?:approx|equiv|leq?|geq?|sim|propto)\b|[<>+-])")
_UNKNOWN = "the macro "  # and not an environment, which holds more than its name
_COMMAND = re.compile(r"\\[A-Za-z]+\*?")
MOST = 8  # unknown commands of one display


@dataclass
class Scanned:
    """The tokens of a display, and what is wrong in it."""

    tokens: list[Token]
    unknown: list[ReadError]  # commands that are left out of the tokens
    rows: list[tuple[int, str, ReadError]]  # rows that are left out, and where they stand
    text: str  # the text without these rows


def scanned(source: Source, display: Display) -> Scanned:
    """The tokens of a display without the commands that are not known, and without wrong rows."""
    unknown, rows, text = list[ReadError](), list[tuple[int, str, ReadError]](), source
    shown = source.text
    while True:
        try:
            return Scanned(tokens(text, display), unknown, rows, shown)
        except ReadError as error:
            command = _COMMAND.match(text.text, error.at) if _UNKNOWN in error.problem else None
            place = command.span() if command else _row(text.text, display, error.at)
            if place is None or len(unknown) + len(rows) == MOST:
                raise unknown[0] if unknown else error from None
            if command:
                unknown.append(error)
            else:
                row = source.text[slice(*place)]
                begin = place[0] + len(row) - len(row.lstrip())
                rows.append((begin, _BREAK.sub("", row).strip(), error))
                shown = blanked(shown, place)
            text = replace(text, text=blanked(text.text, place), memory={}, parsed={})


def blanked(text: str, place: tuple[int, int]) -> str:
    """The text with spaces at a place, lines as they are."""
    start, end = place
    return text[:start] + re.sub(r"[^\n]", " ", text[start:end]) + text[end:]


def _row(text: str, display: Display, at: int) -> tuple[int, int] | None:
    """The row of aligned equations round a place, which goes on with = or behind which none does.

    It begins and ends where every bracket and every environment is closed.
    """
    whole = _ROWS.fullmatch(text, display.start, display.end)
    if whole is None or not whole.start("rows") <= at < whole.end("rows"):
        return None
    edges = [whole.start("rows"), *(m.end() for m in _BREAK.finditer(text, *whole.span("rows"))),
             whole.end("rows")]  # fmt: skip
    spans = [*pairwise(edges)]
    k = next(k for k, (a, b) in enumerate(spans) if a <= at < b)
    behind = text[slice(*spans[k + 1])] if k + 1 < len(spans) else ""
    if _INNER.search(text, *whole.span("rows")) or len(spans) == 1:
        return None
    if _GOES_ON.match(behind) and not _GOES_ON.match(text, *spans[k]):
        return None
    return spans[k]


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


__all__ = ["Scanned", "blanked", "scanned", "whole_sides"]
