"""Lines of Python as `ruff format` breaks them at 100 characters."""

from __future__ import annotations

import textwrap
from collections.abc import Sequence

WIDTH = 100
INDENT = "    "
OPEN, CLOSE = "([{", ")]}"


def assignment(name: str, code: str, indent: str = INDENT) -> list[str]:
    """name = code; a long sum or product stands in brackets, one operand a line if need be."""
    line = f"{name} = {code}"
    if len(indent) + len(line) <= WIDTH:
        return [line]
    operands = _operands(code)
    if len(operands) > 2 or (len(operands) == 2 and line[-1] not in CLOSE):
        if len(indent) + len(INDENT) + len(code) <= WIDTH:
            return [f"{name} = (", INDENT + code, ")"]
        rows = [row for part in operands for row in call_lines(part, indent + INDENT)]
        return [f"{name} = (", *(INDENT + row for row in rows), ")"]
    return call_lines(line, indent)


def _operands(code: str) -> list[str]:
    """The operands of the operators that bind least, each with its operator in front."""
    for operators in ((" + ", " - "), (" * ", " / ")):
        depth, starts = 0, [0]
        for place, letter in enumerate(code):
            depth += (letter in OPEN) - (letter in CLOSE)
            if depth == 0 and code[place : place + 3] in operators:
                starts.append(place + 1)
        if len(starts) > 1:
            return [code[a:b].strip() for a, b in zip(starts, [*starts[1:], None], strict=True)]
    return [code]


def comment(text: str, indent: str = INDENT) -> list[str]:
    """The text as comment lines in the body of a function."""
    return textwrap.wrap(
        text,
        WIDTH - len(indent),
        initial_indent="# ",
        subsequent_indent="#   ",
        break_long_words=False,
        break_on_hyphens=False,
    )


def unpacking(targets: Sequence[str], code: str) -> list[str]:
    """targets = code, on lines of their own where they leave no room for the call's bracket."""
    left = ", ".join(targets)
    if len(INDENT) + len(left) + len(" = ") + code.index("(") + 1 <= WIDTH:
        return call_lines(f"{left} = {code}", INDENT)
    rows = _broken(f"({left})", INDENT)
    return [*rows[:-1], f"{rows[-1]} = {code}"]


def signature(name: str, parameters: Sequence[str], returns: str) -> list[str]:
    """def name(parameters) -> returns: with the parameters on lines of their own if need be."""
    line = f"def {name}({', '.join(parameters)})"
    end = f" -> {returns}:"
    if len(line + end) <= WIDTH or not parameters:
        return [line + end]
    rows = _broken(line, "")
    return [*rows[:-1], rows[-1] + end]


def call_lines(line: str, indent: str) -> list[str]:
    """A line without its indent; one that is too long is broken at its last bracket."""
    if line.endswith(",") and len(indent) + len(line) > WIDTH:
        rows = _broken(line[:-1], indent)
        return [*rows[:-1], rows[-1] + ","]
    return [line] if len(indent) + len(line) <= WIDTH else _broken(line, indent)


def _broken(line: str, indent: str) -> list[str]:
    """A line without its indent, broken at its last bracket."""
    if line[-1] not in CLOSE:
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
