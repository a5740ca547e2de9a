"""Lines of Python as `ruff format` breaks them at 100 characters."""

from __future__ import annotations

import textwrap

WIDTH = 100
INDENT = "    "
OPEN, CLOSE = "([{", ")]}"


def assignment(name: str, code: str) -> list[str]:
    """name = code, one level deep."""
    return call_lines(f"{name} = {code}", INDENT)


def comment(text: str) -> list[str]:
    """The text as comment lines in the body of a function."""
    return textwrap.wrap(text, WIDTH - len(INDENT), initial_indent="# ", subsequent_indent="#   ",
                         break_long_words=False, break_on_hyphens=False)


def call_lines(line: str, indent: str) -> list[str]:
    """A line without its indent; one that is too long is broken at its last bracket."""
    if len(indent) + len(line) <= WIDTH or line[-1] not in CLOSE:
        return [line]
    start = _opening(line)
    head, inside, tail = line[: start + 1], line[start + 1 : -1], line[-1]
    if len(indent) + len(INDENT) + len(inside) <= WIDTH:
        return [head, INDENT + inside, tail]
    rows: list[str] = []
    for part in _parts(inside):
        rows += [INDENT + row for row in call_lines(part + ",", indent + INDENT)]
    return [head, *rows, tail]


def _opening(line: str) -> int:
    """Where the bracket opens that the last character closes."""
    depth = 0
    for place in range(len(line) - 1, -1, -1):
        depth += (line[place] in CLOSE) - (line[place] in OPEN)
        if depth == 0:
            return place
    return 0


def _parts(inside: str) -> list[str]:
    """The text between top-level commas."""
    parts, depth, start, quoted = [], 0, 0, False
    for place, letter in enumerate(inside):
        if letter == '"':
            quoted = not quoted
        if quoted:
            continue
        depth += (letter in OPEN) - (letter in CLOSE)
        if letter == "," and depth == 0:
            parts.append(inside[start:place].strip())
            start = place + 1
    return [p for p in [*parts, inside[start:].strip()] if p]
