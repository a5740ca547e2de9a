"""Tables of numbers, row by row: Markdown, columns between tabs, and tabular.

What the columns are is said by a comment before the table,

    <!-- symattn: table S=[2,1,0]; T -> softmax(S/T), entropy(softmax(S/T)) -->

or by plain headings, T | Weights | Entropy, below words that give the scores; these count only
where one row at least comes out right in every column.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ..errors import SymattnError
from . import report
from .arithmetic import value
from .report import Row

COMMENT = re.compile(
    r"<!--\s*symattn:\s*table\b(?P<html>.*?)-->|(?<!\\)%\s*symattn:\s*table\b(?P<tex>[^\n]*)",
    re.DOTALL,
)
MAX_ROWS = 1000
_GIVEN = re.compile(
    r"\$?\b(?P<name>[A-Za-z])\s*=\s*[\[(](?P<list>\s*-?[\d.]+(?:\s*,\s*-?[\d.]+)+\s*)[\])]\$?"
)
_NUMBER = re.compile(r"-?\d+(?:\.(\d+))?(?:[eE]-?\d+)?")
_RATIO = re.compile(r"(-?\d+)\s*/\s*(\d+)|(-?)\\[dt]?frac\{(\d+)\}\{(\d+)\}")
_ENDLESS = frozenset({"∞", r"\infty", "inf", "infinity"})
_NOTEBOOK = re.compile(r'\s*"((?:[^"\\]|\\[^n])*)(?:\\n)?",?')
_RULE = re.compile(r"^[\s|:\-]+$")
_LATEX = re.compile(
    r"\\(?:hline|toprule|midrule|bottomrule|centering|,|;|!|quad)\b|[$*`~≈]|\\approx"
)
_HEADINGS = {
    "temperature": "T",
    "t": "T",
    "weights": "softmax({0}/T)",
    "attention weights": "softmax({0}/T)",
    "probabilities": "softmax({0}/T)",
    "softmax": "softmax({0}/T)",
    "entropy": "entropy(softmax({0}/T))",
}
NEAR = 600  # characters before a table in which its scores are given


@dataclass(frozen=True)
class Line:
    """A row of a table in the text."""

    number: int
    column: int
    text: str
    cells: tuple[str, ...]


@dataclass(frozen=True)
class Cell:
    """What a cell says: numbers, each with half a unit of its last digit."""

    values: Any
    slack: Any
    decimals: tuple[int, ...]


def rows(name: str, text: str) -> list[Row]:
    """The rows of every table whose columns are known."""
    found: list[Row] = []
    claimed: set[int] = set()
    for match in COMMENT.finditer(text):
        table = _below(text, match.end())
        claimed |= {line.number for line in table}
        said = (match["html"] or match["tex"] or "").strip()
        number = text.count("\n", 0, match.start()) + 1
        found += _declared(name, said, table, number)
    for heading, table, before in _plain(text):
        if table[0].number not in claimed:
            found += _obvious(name, heading, table, before)
    return found


def _declared(name: str, said: str, table: Sequence[Line], number: int) -> Iterator[Row]:
    *given, columns = [part.strip() for part in said.split(";")]
    first, arrow, rest = columns.partition("->")
    if not arrow or not table:
        why = "no table follows" if arrow else "the comment says no columns: T -> f(T), g(T)"
        yield Row(name, number, 1, said, "table", report.SKIPPED, why)
        return
    try:
        known: dict[str, Any] = {}
        for part in given:
            left, _, right = part.partition("=")
            known[left.strip()] = value(right, known)
    except SymattnError as error:
        yield Row(name, number, 1, said, "table", report.SKIPPED, error.problem)
        return
    formulas = [first.strip(), *_split(rest)]
    for line in table:
        if (row := _row(name, line, formulas, known, table)) is not None:
            yield row


def _obvious(name: str, heading: Line, table: Sequence[Line], before: str) -> Iterator[Row]:
    """A table of softmax weights and entropies by temperature, if one row shows that it is one."""
    given = list(_GIVEN.finditer(before))
    words = [_LATEX.sub("", c).strip().lower() for c in heading.cells]
    if not given or any(w not in _HEADINGS for w in words) or _HEADINGS[words[0]] != "T":
        return
    label = given[-1]["name"]
    formulas = [_HEADINGS[w].format(label) for w in words]
    known = {label: np.array([float(x) for x in given[-1]["list"].split(",")])}
    found = [_row(name, line, formulas, known, table) for line in table]
    right = [_right(line, formulas, known, table) for line in table]
    if len(words) > 1 and all(map(any, zip(*(r for r in right if r), strict=True))):
        yield from (row for row in found if row is not None)


def _split(columns: str) -> list[str]:
    """Columns between commas that stand in no bracket."""
    found, depth, start = [], 0, 0
    for k, c in enumerate(columns):
        depth += (c in "([") - (c in ")]")
        if c == "," and depth == 0:
            found.append(columns[start:k])
            start = k + 1
    return [x.strip() for x in (*found, columns[start:])]


def _right(line: Line, formulas: Sequence[str], known: Any, table: Any) -> list[bool]:
    """Which columns behind the first come out as printed; empty where they cannot be read."""
    try:
        return [_agrees(printed, wanted) for printed, wanted in _both(line, formulas, known, table)]
    except SymattnError:
        return []


def _both(
    line: Line, formulas: Sequence[str], known: Any, table: Sequence[Line]
) -> list[tuple[Cell, Any]]:
    """What is printed and what is right in every column behind the first."""
    cells = [_cell(c) for c in line.cells]
    here = {**known, formulas[0]: cells[0].values}
    found = []
    for k, formula in enumerate(formulas[1:], 1):
        wanted = np.asarray(value(formula, here), dtype=float)
        if wanted.shape != cells[k].values.shape or not np.isfinite(wanted).all():
            raise SymattnError(f"{formula} has no value like {line.cells[k].strip()}")
        found.append((_with_slack(cells[k], table, k), wanted))
    return found


def _row(
    name: str, line: Line, formulas: Sequence[str], known: Any, table: Sequence[Line]
) -> Row | None:
    """The verdict on a row; None for a heading."""
    if len(line.cells) != len(formulas):
        why = f"{len(line.cells)} cells, and {len(formulas)} columns are said"
        return Row(name, line.number, line.column, line.text, "table", report.SKIPPED, why)
    if line is table[0] and not any(_is_cell(c) for c in line.cells):
        return None
    try:
        both = _both(line, formulas, known, table)
    except SymattnError as error:
        why = error.problem
        return Row(name, line.number, line.column, line.text, "table", report.SKIPPED, why)
    wrong = [k for k, (printed, wanted) in enumerate(both, 1) if not _agrees(printed, wanted)]
    if not wrong:
        said = "agrees to the digits printed"
        return Row(name, line.number, line.column, line.text, "table", report.PROVED, said)
    cells = list(line.cells)
    for k in wrong:
        cells[k] = _written(cells[k], both[k - 1])
    printed, wanted = both[wrong[0] - 1]
    place = int(np.argmax(np.abs(printed.values - wanted)))
    reason = "; ".join(f"{formulas[k]} is {cells[k].strip()}" for k in wrong)
    example = {
        "sizes": {},
        "values": {formulas[0]: line.cells[0].strip()},
        "entry": [place] if wanted.shape else [],
        "lhs": float(np.ravel(wanted)[place]),
        "rhs": float(np.ravel(printed.values)[place]),
    }
    return Row(
        name,
        line.number,
        line.column,
        line.text,
        "table",
        report.REFUTED,
        reason,
        example,
        _joined(line, cells),
    )


def _agrees(printed: Cell, wanted: Any) -> bool:
    return bool(np.all(np.abs(printed.values - wanted) <= printed.slack * (1 + 1e-6) + 1e-9))


def _with_slack(cell: Cell, table: Sequence[Line], k: int) -> Cell:
    """Whole numbers in a column of decimals are rounded like their neighbours."""
    if np.all(cell.slack > 0):
        return cell
    others = [
        _cell(line.cells[k]) for line in table if k < len(line.cells) and _is_cell(line.cells[k])
    ]
    slack = max((float(np.max(c.slack)) for c in others), default=0.0)
    return Cell(cell.values, np.where(cell.slack > 0, cell.slack, slack), cell.decimals)


def _written(cell: str, both: tuple[Cell, Any]) -> str:
    """The cell with the right numbers in the place of those printed."""
    printed, wanted = both
    places = max((*printed.decimals, 0))
    numbers = iter(np.ravel(wanted))
    return _NUMBER.sub(lambda m: f"{next(numbers, 0.0):.{places}f}", cell)


def _joined(line: Line, cells: Sequence[str]) -> str:
    if "|" in line.text:
        return "|" + "|".join(cells) + "|"
    return ("\t" if "\t" in line.text else " & ").join(cells)


def _is_cell(text: str) -> bool:
    try:
        _cell(text)
    except SymattnError:
        return False
    return True


def _cell(text: str) -> Cell:
    """The number or the list in a cell.  Raises SymattnError for anything else."""
    plain = _LATEX.sub("", text).replace(r"\left", "").replace(r"\right", "").strip()
    listed = re.fullmatch(r"[\[(](.*)[\])]", plain)
    parts = [p.strip() for p in (listed[1] if listed else plain).split(",")]
    values, slack, decimals = [], [], []
    for part in parts:
        number, ratio = _NUMBER.fullmatch(part), _RATIO.fullmatch(part)
        if part in _ENDLESS:
            values.append(np.inf)
        elif number:
            values.append(float(part))
        elif ratio:
            top, bottom = ratio[1] or f"{ratio[3]}{ratio[4]}", ratio[2] or ratio[5]
            if not int(bottom):
                raise SymattnError(f"{part} divides by zero")
            values.append(int(top) / int(bottom))
        else:
            raise SymattnError(f"{text.strip()[:40]!r} is no number and no list of numbers")
        digits = len(number[1] or "") if number else 0
        decimals.append(digits)
        slack.append(0.5 * 10.0**-digits if digits else 0.0)
    if listed:
        return Cell(np.array(values), np.array(slack), tuple(decimals))
    if len(values) != 1:
        raise SymattnError(f"{text.strip()[:40]!r} is a list without brackets")
    return Cell(np.array(values)[0], np.array(slack)[0], tuple(decimals))


# ------------------------------------------------------------------------------ where they stand


def _below(text: str, at: int) -> list[Line]:
    """The rows of the table that follows a place, a heading without numbers among them."""
    start = text.count("\n", 0, at)
    every = text.split("\n")
    first = next(
        (k for k in range(start + 1, min(start + 8, len(every))) if _cells(every[k])), None
    )
    if first is None:
        return []
    return _table(every, first)


def _table(every: Sequence[str], first: int) -> list[Line]:
    found = []
    for k in range(first, min(first + MAX_ROWS, len(every))):
        line = every[k]
        if (_RULE.match(line) and "|" in line) or (
            re.match(r"\s*\\(?:h|top|mid|bottom)(?:line|rule)\s*$", line)
        ):
            continue
        cells = _cells(line)
        if not cells:
            break
        column = len(line) - len(line.lstrip()) + 1
        found.append(Line(k + 1, column, line.strip(), tuple(cells)))
    return found


def _cells(line: str) -> list[str]:
    """The cells of a line of a table; empty for any other line."""
    cell = _NOTEBOOK.fullmatch(line)
    if cell:
        return _cells(cell[1])
    if line.strip().startswith("|") or line.count("|") > 1:
        return line.strip().strip("|").split("|")
    if "\t" in line.strip():
        return line.strip().split("\t")
    body = re.sub(
        r"\\\\(?:\[[^\]]*\])?\s*(?:\\(?:h|mid|bottom)(?:line|rule))?\s*$", "", line.strip()
    )
    body = re.sub(r"^(?:\\(?:h|top|mid)(?:line|rule)\s*)+", "", body)
    return body.split("&") if "&" in body and "\\begin" not in body else []


def _plain(text: str) -> Iterator[tuple[Line, list[Line], str]]:
    """Tables below a heading, with the words before them."""
    every, k = text.split("\n"), 0
    while k < len(every):
        if not _cells(every[k]):
            k += 1
            continue
        table = _table(every, k)
        if len(table) > 1:
            before = "\n".join(every[max(0, k - 12) : k])
            yield table[0], table[1:], before[-NEAR:]
        k = max(k, table[-1].number - 1 if table else k) + 1


__all__ = ["COMMENT", "rows"]
