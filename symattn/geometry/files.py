r"""Metrics in Markdown and TeX files: a line element ds^2 = … and what its letters stand for."""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path

from ..errors import FormulaError, LimitError, UnsupportedError
from .metric import Metric
from .sources import from_line_element

MAX_SIZE = 200_000  # characters of a file
BLOCKS = re.compile(
    r"\$\$(?P<dollars>.+?)\$\$|\\\[(?P<bracket>.+?)\\\]"
    r"|\\begin\{(?P<name>equation|align|gather|multline)(?P<star>\*?)\}(?P<body>.+?)"
    r"\\end\{(?P=name)(?P=star)\}|(?<!\$)\$(?P<inline>[^$]+)\$(?!\$)",
    re.S,
)
INNER = re.compile(
    r"\\(?:begin|end)\{(?:aligned|split|gathered|array)\}(?:\{[^}]*\})?|\\label\{[^}]*\}"
)
NAME = r"\\?[A-Za-z]+(?:_(?:\w|\{\w+\}))?(?:\^\{?2\}?)?"  # what an equation may be about
APART = re.compile(  # between equations
    r"\\\\(?:\[[^\]]*\])?|\n\s*\n|\\q?quad|\\(?:text|mbox|textrm)\{[^{}]*\}"
    rf"|[,;](?=\s*{NAME}\s*(?:\([^()]*\)\s*)?=)"
)
SQUARE = re.compile(r"^\s*(?:d|\\(?:mathrm|text)\s*\{d\})\s*s\s*\^\s*(?:2|\{2\})\s*(?:&\s*)?=")


def read_metric(path: str | Path) -> Metric:
    """The metric of the first line element in a file, with the file's equations for its letters.

    UnsupportedError where there is no file or no line element in it.
    """
    path = Path(path)
    if not path.is_file():
        raise UnsupportedError(f"there is no file {str(path)!r}", mend="look at the path")
    try:
        text = path.read_text("utf-8")
    except UnicodeDecodeError as error:
        raise UnsupportedError(f"{path} is not text in UTF-8: {error}") from None
    if len(text) > MAX_SIZE:
        raise LimitError(f"{path} has more than {MAX_SIZE} characters")
    statements = list(_statements(text))
    elements = [s for s in statements if SQUARE.match(s)]
    if not elements:
        raise UnsupportedError(
            f"there is no line element in {path}",
            expected=r"an equation ds^2 = …, in $$…$$, \[…\], or alone in the file",
        )
    return metric_of(elements[0], statements)


COORDINATE = re.compile(r"(?:\\mathrm\{d\}|(?<![A-Za-z\\])d)\s*(\\[A-Za-z]+|[A-Za-z])")


def metric_of(element: str, statements: Iterable[str], more: Iterable[str] = ()) -> Metric:
    """The metric of a line element, with those equations beside it that explain its letters.

    What a coordinate is said to be, r = 6 M of an orbit and θ = π/2, explains nothing. Of what
    stands in `more` the metric has the letters, too.
    """
    letters = set(re.findall(r"\\?[A-Za-z]+", element)) - set(COORDINATE.findall(element))
    where = [s for s in statements if s is not element and _explains(s, letters)]
    where += [s for s in more if s not in where]
    said: dict[str, str] = {}
    for statement in where:
        left, *right = (part.strip() for part in statement.split("="))
        if len(right) > 1 or said.setdefault(left, right[0]) != right[0]:
            raise FormulaError(
                f"it is not clear what {left} in the line element is",
                formula=statement,
                expected="one equation with one =",
                got=f"{left} = {said[left]}, too" if left in said else "",
                mend="write one equation for each letter",
            )
    where = [f"{left} = {right}" for left, right in said.items()]
    return from_line_element(element, where=where)


def _statements(text: str) -> list[str]:
    text = re.sub(r"(?<!\\)%.*", "", text)
    text = re.sub(r"\\equiv\b|\\coloneqq\b|:=", "=", text)
    bodies = [
        next(part for key, part in m.groupdict().items() if part and key not in ("name", "star"))
        for m in BLOCKS.finditer(text)
    ] or [text]
    found = []
    for body in bodies:
        plain = INNER.sub(" ", body).replace("&", " ")
        found += [s.strip().rstrip(".,;") for s in APART.split(plain)]
    return [s for s in found if "=" in s]


def _explains(statement: str, letters: set[str]) -> bool:
    """Whether an equation says what a letter of the line element is, or a square such as dΩ²."""
    left = statement.split("=")[0].strip()
    if re.fullmatch(r"(?:d|\\mathrm\{d\})\s*\\[A-Za-z]+\s*\^\s*(?:2|\{2\})", left):
        return True
    return bool(re.fullmatch(rf"{NAME}(?:\s*\([^()]*\))?", left)) and bool(
        set(re.findall(r"\\?[A-Za-z]+", left)[:1]) & letters
    )
