"""Documents: where the display equations, the declarations and the macros stand, and errors there.

Only positions are settled here; what stands inside a display is read by `tokens` and `grammar`.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from difflib import get_close_matches
from functools import cached_property

from ..errors import FormulaError

MAX_TEXT = 4_000_000  # characters of a document
MAX_DISPLAYS = 20_000  # displays of a document
MAX_DISPLAY = 250_000  # characters of one display
WIDTH = 96  # characters of the source line that an error shows


class ReadError(FormulaError):
    """Text that cannot be read as a formula; `line` and `column` count from one.

    The message holds the source line with a caret under the character.
    """

    line: int = 0
    column: int = 0


@dataclass(frozen=True)
class Display:
    """One display: the LaTeX between its delimiters, from `start` to `end` in the text."""

    start: int
    end: int


@dataclass(frozen=True)
class Macro:
    """A user command: how many arguments it takes and what it stands for."""

    arity: int
    body: str


@dataclass
class Source:
    """A text with its displays, declarations and macros."""

    text: str
    displays: list[Display] = field(default_factory=list)
    declarations: list[tuple[int, str]] = field(default_factory=list)  # position, what it says
    assumptions: list[Display] = field(default_factory=list)  # equations that are taken for true
    macros: dict[str, Macro] = field(default_factory=dict)
    headings: list[tuple[int, int]] = field(default_factory=list)  # position, level from 1
    bare: bool = False  # no display is marked: the text itself is the formula

    @cached_property
    def _line_starts(self) -> list[int]:
        return [0, *(m.end() for m in re.finditer(r"\n", self.text))]

    def place(self, position: int) -> tuple[int, int]:
        """Line and column of a character, both counted from one."""
        line = bisect_right(self._line_starts, position)
        return line, position - self._line_starts[line - 1] + 1

    def section(self, position: int) -> int:
        """The number of headings before a place."""
        return bisect_right(self.headings, (position, 99))

    def section_end(self, position: int) -> int:
        """Where the section ends that a place lies in: at a heading of its level or above."""
        k = self.section(position)
        level = self.headings[k - 1][1] if k else 0
        return next((at for at, other in self.headings[k:] if other <= level), len(self.text) + 1)

    def fail(
        self, position: int, problem: str, *, expected: str = "", got: str = "", mend: str = ""
    ) -> ReadError:
        """The error for what stands at a position."""
        position = min(position, len(self.text))
        line, column = self.place(position)
        start = self._line_starts[line - 1]
        shown = self.text[start:].split("\n", 1)[0].replace("\t", " ")
        left = max(0, column - 1 - WIDTH // 2) if len(shown) > WIDTH else 0
        shown = shown[left : left + WIDTH]
        caret = " " * (12 + column - 1 - left) + "^"
        error = ReadError(
            f"line {line}, column {column}: {problem}",
            formula=f"{shown}\n{caret}",
            expected=expected,
            got=got,
            mend=mend,
        )
        error.line, error.column = line, column
        return error


ENVIRONMENTS = (
    "equation",
    "align",
    "eqnarray",
    "gather",
    "multline",
    "displaymath",
    "alignat",
    "flalign",
    "math",
)

_MARKS = re.compile(
    r"""
    (?P<fence>^[ \t]*(?:```|~~~))(?P<info>[^\n]*)
  | (?P<comment><!--)
  | (?P<percent>(?<!\\)%[^\n]*)
  | (?P<escape>\\\$)
  | (?P<dollars>\$\$)
  | (?P<lone>^[ \t]*\$(?!\$)[^$\n]+\$[ \t]*$)
  | (?P<square>\\\[)
  | \\begin\{(?P<environment>(?:"""
    + "|".join(ENVIRONMENTS)
    + r""")\*?)\}(?:\{\d+\})?
  | (?P<macro>\\(?:re)?newcommand\*?|\\def\b|\\DeclareMathOperator\*?)
  | (?P<heading>^\#{1,6}[ \t]|\\(?:chapter|(?:sub){0,2}section)\*?\{)
  | (?P<tick>`[^`\n]*`)
    """,
    re.VERBOSE | re.MULTILINE,
)
_MACRO = re.compile(r"\s*\{?\s*\\([A-Za-z]+)\s*\}?\s*(?:\[(\d)\])?((?:#\d)*)\s*\{")
_BLANK = re.compile(r"\n[ \t\r]*\n")
_QUOTED = re.compile(r"(?:^[ \t]*>.*\n?)+", re.MULTILINE)
_OPENING = re.compile(r"\$\$|\\\[|\\begin\{")
_NEARLY = re.compile(r"\s*(\w+)(?:\s*:|\s+(?:sizes|scalars|positive|expectation)\b)")
_DECLARATION = re.compile(r"\s*symattn:\s*(.*)", re.DOTALL)


def similar(word: str, known: Iterable[str]) -> str:
    """What may be meant by a word that is not known; empty where nothing is like it."""
    close = get_close_matches(word, list(known), n=2, cutoff=0.7)
    return " or ".join(close)


def scan(text: str) -> Source:
    """The displays, declarations and macros of a Markdown or TeX text.

    A text without any display, dollar sign or fence is one display from beginning to end.
    Raises ReadError for a display that does not end and for one that is too long.
    """
    source = Source(_unquoted(text))
    if len(text) > MAX_TEXT:
        raise source.fail(
            MAX_TEXT,
            f"the text is longer than {MAX_TEXT} characters",
            mend="split it into several documents",
        )
    spent = [(0, 0)]  # what is a macro or a declaration, for texts that are mathematics throughout
    for kind, start, end in _marks(source, spent):
        if end - start > MAX_DISPLAY:
            raise source.fail(
                start,
                f"this display is longer than {MAX_DISPLAY} characters",
                mend="split it, or look for a missing delimiter",
            )
        if len(source.displays) > MAX_DISPLAYS:
            raise source.fail(
                start,
                f"the text has more than {MAX_DISPLAYS} displays",
                mend="split it into several documents",
            )
        if kind == "display":
            source.displays.append(Display(start, end))
    if not source.displays and "$" not in text and "```" not in text:
        return _whole(source, spent)
    return source


def _unquoted(text: str) -> str:
    """The text with spaces for the marks of block quotes that hold displays."""

    def blanked(quote: re.Match[str]) -> str:
        if not _OPENING.search(quote[0]):
            return quote[0]
        return re.sub(r"^[ \t]*(?:>[ \t]?)+", lambda m: " " * len(m[0]), quote[0], flags=re.M)

    return _QUOTED.sub(blanked, text)


def _whole(source: Source, spent: list[tuple[int, int]]) -> Source:
    source.bare = True
    for (_, before), (after, _) in zip(spent, [*spent[1:], (len(source.text), 0)], strict=True):
        if source.text[before:after].strip():
            if after - before > MAX_DISPLAY:
                raise source.fail(
                    before,
                    f"this formula is longer than {MAX_DISPLAY} characters",
                    mend="write displays: $$ … $$",
                )
            source.displays.append(Display(before, after))
    return source


def _marks(source: Source, spent: list[tuple[int, int]]) -> Iterator[tuple[str, int, int]]:
    text, position = source.text, 0
    while found := _MARKS.search(text, position):
        kind, position = found.lastgroup or "", found.end()
        kind = "fence" if kind == "info" else kind
        if kind == "fence":
            mark = found["fence"].strip()
            closing = re.compile(rf"^[ \t]*{re.escape(mark)}[ \t]*$", re.MULTILINE)
            end = closing.search(text, position)
            if found["info"].strip() == "math":
                yield "display", position, end.start() if end else len(text)
            position = end.end() if end else len(text)
        elif kind == "comment":
            end_at = text.find("-->", position)
            end_at = len(text) if end_at < 0 else end_at
            _declare(source, position, text[position:end_at])
            position = min(end_at + 3, len(text))
            spent.append((found.start(), position))
        elif kind == "percent":
            _declare(source, found.start() + 1, found[0][1:])
            spent.append((found.start(), position))
        elif kind == "heading":
            mark = found[0].strip()
            level = len(mark) if mark.startswith("#") else 2 + mark.count("sub") - ("chap" in mark)
            source.headings.append((found.start(), level))
        elif kind == "macro":
            position = _macro(source, found)
            spent.append((found.start(), position))
        elif kind == "lone":
            inner = found[0].strip()
            start = found.start() + found[0].index("$") + 1
            yield "display", start, start + len(inner) - 2
        elif kind in ("dollars", "square", "environment"):
            mark = {"dollars": "$$", "square": r"\]"}.get(kind, rf"\end{{{found['environment']}}}")
            end_at = text.find(mark, position)
            if end_at < 0:
                broken = (d.start - 2 for d in source.displays if _BLANK.search(text, *_ends(d)))
                raise source.fail(
                    next(broken, found.start()) if mark == "$$" else found.start(),
                    f"the display that begins here has no {mark}",
                    expected=mark,
                    mend=f"end the display with {mark}",
                )
            yield "display", position, end_at
            position = end_at + len(mark)


def _ends(display: Display) -> tuple[int, int]:
    return display.start, display.end


def _declare(source: Source, position: int, text: str) -> None:
    found = _DECLARATION.match(text)
    if found:
        source.declarations.append((position + found.start(1), found[1].strip()))
        return
    found = _NEARLY.match(text)
    if found and similar(found[1], ["symattn"]):
        raise source.fail(
            position + found.start(1),
            f"{found[0].strip()} looks like a declaration and is none",
            expected="symattn: sizes Q:(n_q,d_k)",
            mend="write symattn with a colon behind it",
        )


def _macro(source: Source, found: re.Match[str]) -> int:
    text = source.text
    head = _MACRO.match(text, found.end())
    if head is None:
        raise source.fail(
            found.start(),
            "this definition of a macro cannot be read",
            expected=r"\newcommand{\name}[arguments]{body}",
            mend=r"write \newcommand{\name}{body}",
        )
    depth, position = 1, head.end()
    while depth:
        brace = re.compile(r"(?<!\\)[{}]").search(text, position)
        if brace is None or brace.end() - head.end() > MAX_DISPLAY:
            raise source.fail(
                head.end() - 1,
                "the body of this macro does not end",
                expected="}",
                mend="close the brace",
            )
        depth += 1 if brace[0] == "{" else -1
        position = brace.end()
    body = text[head.end() : position - 1]
    if "Operator" in found[0]:
        body = rf"\operatorname{{{body}}}"
    source.macros[head[1]] = Macro(int(head[2] or len(head[3]) // 2), body)
    return position
