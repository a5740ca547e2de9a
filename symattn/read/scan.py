"""Text → where the display equations, the declarations and the macros stand.

Markdown in its dialects, TeX, reStructuredText, notebooks and plain text.  Only positions are
settled here; what stands inside a display is read by `tokens` and `grammar`.
"""

from __future__ import annotations

import json
import re
from collections.abc import Generator, Iterator
from pathlib import Path
from typing import TypeAlias

from . import inputs, macros
from .denied import denied
from .source import MAX_DISPLAY, MAX_DISPLAYS, MAX_TEXT, Display, ReadError, Source, similar
from .spoken import REACH, SENTENCE, Spoken, unsure

Found: TypeAlias = Generator[tuple[str, int, int], None, int]  # displays, then where to go on

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
    "dmath",
    "IEEEeqnarray",
)
HIDDEN = ("comment", "verbatim", "lstlisting", "minted", "tikzpicture", "filecontents")

_MARKS = re.compile(
    r"""
    (?P<fence>^[ \t]*(?:```|~~~))(?P<info>[^\n]*)
  | (?P<comment><!--)
  | (?P<declared>(?<!\\)%[ \t]*\w+[ \t]*:?[^\n]*)
  | (?P<percent>(?<!\\)%[^\n]*)
  | (?P<escape>\\\$)
  | (?P<dollars>\$\$)
  | (?P<lone>^[ \t]*(?:\$(?!\$)[^$\n]+\$|\\{1,2}\((?:(?!\\\))[^\n])+?\\{1,2}\)
        |\{math\}`[^`\n]+`)[.,;:]?[ \t]*$)
  | (?P<inline>(?<![\\$])\$(?!\$)(?:\\[^\[]|[^$\\\n]|\n(?![ \t]*\n))+\$(?!\$)
        |(?<!\\)\\\((?:[^\\\n]|\\[^)\[]|\n(?![ \t]*\n))+\\\)
        |(?::math:|\{math\})`[^`]+`)
  | (?P<escaped>\\\\\[(?![ \t]*-?[\d.]+[ \t]*[a-z]{2}\]))
  | (?P<square>(?<!\\)\\\[)
  | \\begin\{(?P<environment>(?:"""
    + "|".join(ENVIRONMENTS)
    + r""")\*?)\}(?:\{\d+\}|(?<=ray\})\{[A-Za-z+*?]+\})?
  | \\begin\{(?P<hidden>"""
    + "|".join(HIDDEN)
    + r""")\*?\}
  | (?P<iffalse>\\iffalse\b)
  | (?P<directive>^(?P<indent>[ \t]*)\.\.[ ]math::[ \t]*(?P<first>[^\n]*)\n?)
  | (?P<macro>\\(?:(?:re)?newcommand|providecommand|DeclareRobustCommand|g?def|let
        |DeclareMathOperator|DeclarePairedDelimiter)(?![A-Za-z])\*?)
  | (?P<heading>^\#{1,6}[ \t]|\\(?:chapter|(?:sub){0,2}section)\*?\{
        |^\d{1,2}(?:\.\d{1,2}){0,3}\.?[ ](?=[A-Z][^\n$.|]{2,60}$)
        |^(?=\S[^\n$|]{2,70}\n(?:={3,}|-{3,}|~{3,})[ \t]*$))
  | (?P<tick>``[^\n]*?``|`[^`\n]*`)
    """,
    re.VERBOSE | re.MULTILINE,
)
_LONE = re.compile(r"[ \t]*(?:\$|\\{1,2}\(|\{math\}`)(.*?)(?:\$|\\{1,2}\)|`)[.,;:]?[ \t]*$")
_COMMENT = re.compile(r"(?<!\\)%[^\n]*")
_CODE = re.compile(
    r"^[ \t]*(?P<mark>```|~~~)(?P<info>[^\n`]*)\n.*?^[ \t]*(?P=mark)[ \t]*$",
    re.MULTILINE | re.DOTALL,
)
_BLANK = re.compile(r"\n[ \t\r]*\n")
_WORDS = re.compile(r"(?:(?<![\\A-Za-z{])[A-Za-z]{2,}[ ,.]+){4}")
_TICKED = re.compile(r"(?<![`\\$])\$`((?:[^`$\n]|\n(?![ \t]*\n))+)`\$(?![`$])")
_MONEY = re.compile(r"(?<![\\$])\$(?!\$)")
_ROUND = re.compile(
    r"(?P<open>\\{1,2}\()(?P<inside>(?:[^\\\n]|\\[^()\[\n]|\n(?![ \t]*\n))+?)(?P<close>\\{1,2}\))"
)
_AROUND = re.compile(r"[^\s][^\n]*\Z")  # words in the line before
_QUOTED = re.compile(r"(?:^[ \t]*>.*\n?)+", re.MULTILINE)
_OPENING = re.compile(r"\$\$|\\\[|\\begin\{(?!\w*matrix|array|cases|aligned|gathered|split)")
_NEARLY = re.compile(r"\s*(\w+)(?:\s*:|\s+(?:sizes|scalars|positive|expectation)\b)")
_DECLARATION = re.compile(r"\s*symattn:\s*(.*)", re.DOTALL)
_OPTION = re.compile(r"[ \t]*:[\w-]+:[^\n]*(?:\n|$)")
_FENCED = ("math", "{math}", "latex", "tex")
_SINCE = re.compile(  # words of the text: since $\sum_j p_j = 1$
    r"\b(?:[Ss]ince|[Bb]ecause|[Ww]here|[Aa]ssuming|[Aa]ssume)\s+(?:that\s+)?"
    r"(?<!\$)\$(?!\$)(\s*\\sum[^$\n]*=[^$\n]*)\$(?!\$)"
)
_SHAPE = re.compile(  # in the words of the text: let $X \in \mathbb{R}^{n \times d}$, $x \sim p$
    r"(?<![\\$])\$(?!\$)(?P<dollars>[^$\n]*(?:\\(?:in|sim)\b|∼)[^$\n]*)(?<!\\)\$(?!\$)"
    r"|\\\((?P<brackets>(?:(?!\\[()]).)*\\(?:in|sim)\b(?:(?!\\[()]).)*)\\\)"
)
_SIM = re.compile(r"\\sim\b|∼")
_REALS = re.compile(
    r"\\mathbb\s*\{?\s*R|\\R(?![a-z])|\\reals|\\Re(?![a-z])"
    r"|\\in\s*(?:\\left\s*)?(?:\\\{|[\[(])\s*-?\d"  # {0, 1}^n, [0, 1]
)
_TEX = re.compile(r"\\documentclass|\\begin\{document\}|^\\(?:chapter|(?:sub){0,2}section)", re.M)
_MARKDOWN = re.compile(r"^(?:#{1,6} |```|---[ \t]*$|[*-] )", re.M)


def scan(
    text: str, strict: bool = True, folder: Path | None = None, given: Path | None = None
) -> Source:
    """The displays, declarations and macros of a text.

    A text without any display, dollar sign or fence is one display from beginning to end.  Raises
    ReadError for a display that does not end and for one that is too long; without `strict` these
    are noted and left out.  The macros of files that an input names are taken from below `folder`,
    and those of the file `given` hold where the document defines no others.
    """
    text, lines = notebook(text)
    source = Source(_unquoted(uncommented(dollars(text))), shown=text)
    source.lines, source.strict = lines, strict
    if len(text) > MAX_TEXT:
        raise source.fail(
            MAX_TEXT,
            f"the text is longer than {MAX_TEXT} characters",
            mend="split it into several documents",
        )
    spent = [(0, 0)]  # what is a macro or a declaration, for texts that are mathematics throughout
    for kind, start, end in _Marks(source, strict, spent).found():
        if end - start > MAX_DISPLAY:
            error = source.fail(
                start,
                f"this display is longer than {MAX_DISPLAY} characters",
                mend="split it, or look for a missing delimiter",
            )
            inputs.note(source, strict, start, error)
            continue
        if len(source.displays) > MAX_DISPLAYS:
            raise source.fail(
                start,
                f"the text has more than {MAX_DISPLAYS} displays",
                mend="split it into several documents",
            )
        if kind == "display" and source.text[start:end].strip():
            source.displays.append(Display(start, end))
    source.escaped = any("\\_" in source.text[d.start : d.end] for d in source.displays)
    if given is not None:
        inputs.given(source, given)
    if folder is not None:
        inputs.inputs(source, source.text, folder.resolve(), strict, 0)
    for found in _SINCE.finditer(source.text):
        before = source.text[max(0, found.start() - REACH) : found.start()]
        behind = _BLANK.split(source.text[found.end() : found.end() + REACH])[0]
        before = SENTENCE.split(before)[-1]
        if (
            not unsure(before)
            and not denied(before, behind)
            and not any(d.start <= found.start() < d.end for d in source.displays)
        ):
            source.assumptions.append(Display(found.start(1), found.end(1)))
    for found in _SHAPE.finditer(source.text):
        start, end = found.span("dollars" if found["dollars"] else "brackets")
        inside = any(d.start <= start < d.end for d in source.displays)
        if inside:
            continue
        if _REALS.search(source.text, start, end):
            source.shapes.append(Display(start, end))
        elif _SIM.search(source.text, start, end):
            source.drawn.append(Display(start, end))
    inputs.own(source, strict)
    if not (source.displays or source.broken or "$" in source.text or "```" in text):
        return _whole(source, spent)
    return source


def notebook(text: str) -> tuple[str, list[int] | None]:
    """The Markdown cells of a notebook, each line with its line in the file; or the text."""
    if not text.lstrip().startswith("{") or '"cells"' not in text:
        return text, None
    try:
        cells = json.loads(text)["cells"]
        rows = [
            "".join(c["source"]) if isinstance(c["source"], list) else str(c["source"])
            for c in cells
            if c["cell_type"] == "markdown"
        ]
    except (ValueError, KeyError, TypeError, RecursionError):
        return text, None
    place, lines, result = 0, [], "\n\n".join(rows)
    for row in result.split("\n"):
        coded = json.dumps(row, ensure_ascii=False)[1:-1]
        ascii_ = json.dumps(row)[1:-1]
        found = max(text.find('"' + coded, place), text.find('"' + ascii_, place)) if row else -1
        place = found if found >= 0 else place
        lines.append(text.count("\n", 0, place) + 1)
    return result, lines


def uncommented(text: str) -> str:
    """A text with spaces in its comments, which are no words of it; declarations stay.

    In TeX and in fenced code, of which a comment is no heading.
    """

    def blanked(comment: re.Match[str]) -> str:
        word = re.match(r"%\s*(\w+)", comment[0])
        declared = word is not None and similar(word[1], ["symattn"])
        return comment[0] if declared else "%".ljust(len(comment[0]))

    def uncoded(block: re.Match[str]) -> str:
        shown = block["info"].strip().split(" ")[0] in _FENCED
        return block[0] if shown else re.sub(r"^#", " ", block[0], flags=re.MULTILINE)

    text = _CODE.sub(uncoded, text) if "\n#" in text else text
    return _COMMENT.sub(blanked, text) if _TEX.search(text) else text


def dollars(text: str) -> str:
    r"""The text with $ x $ for the $`x`$ of GitHub and for \(x\), and for \\(x\\) in Markdown.

    And with $$ for $` where it fills lines of its own.  Where $ stands for money \( stays.
    """

    def plain(found: re.Match[str]) -> str:
        if "\n" in found[1] and not _AROUND.search(text[: found.start()]):
            behind = text[found.end() : found.end() + 80].split("\n")[0]
            if not behind.strip():
                return f"$${found[1]}$$"
        return f"$ {found[1]} $"

    text = _TICKED.sub(plain, text) if "$`" in text else text
    if "\\(" not in text or _MONEY.search(text):
        return text
    return _ROUND.sub(_as_long, text)


def _as_long(found: re.Match[str]) -> str:
    """A formula in dollars that is as long as it was: what stands behind it keeps its place."""
    return "$".ljust(len(found["open"])) + found["inside"] + "$".rjust(len(found["close"]))


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


class _Marks:
    """Goes through a text from mark to mark."""

    def __init__(self, source: Source, strict: bool, spent: list[tuple[int, int]]) -> None:
        self.source, self.strict, self.spent = source, strict, spent
        self.text = source.text
        self.tex = bool(_TEX.search(self.text)) or not _MARKDOWN.search(self.text)
        edges = dict(self._shortened())
        begins, ends = ("|".join(n for n, e in edges.items() if e == k) for k in ("begin", "end"))
        self.short = re.compile(rf"\\(?:{begins})(?![A-Za-z}}])") if begins and ends else None
        self.spoken = Spoken(source, strict)
        self.short_end = re.compile(rf"\\(?:{ends})(?![A-Za-z])")

    def _shortened(self) -> Iterator[tuple[str, str]]:
        r"""\be and \ee for the edges of a display."""
        for _, said in macros.definitions(self.text):
            edge = re.fullmatch(r"\s*\\(begin|end)\{(\w+\*?)\}\s*", said[1].body) if said else None
            if said and edge and edge[2].rstrip("*") in ENVIRONMENTS:
                yield said[0], edge[1]

    def _next(self, position: int) -> re.Match[str] | None:
        """The next mark, or the next command that a document has made one of."""
        found = _MARKS.search(self.text, position)
        short = self.short.search(self.text, position) if self.short else None
        if found is None or (short and short.start() < found.start()):
            return short
        return found

    def found(self) -> Iterator[tuple[str, int, int]]:
        """What the text holds, display by display; comments and code are left out."""
        position = 0
        while found := self._next(position):
            position = found.end()
            if found.re is not _MARKS:
                position = yield from self._display(found, "short")
                continue
            kind = next(
                k
                for k in (
                    "dollars", "fence", "comment", "declared", "percent", "escape", "lone",
                    "inline", "escaped", "square", "environment", "hidden", "iffalse", "directive",
                    "macro", "heading", "tick",
                )
                if found[k] is not None
            )  # fmt: skip
            match kind:
                case "fence":
                    position = yield from self._fence(found)
                case "comment":
                    end = self.text.find("-->", position)
                    end = len(self.text) if end < 0 else end
                    self._declare(position, self.text[position:end])
                    position = min(end + 3, len(self.text))
                    self.spent.append((found.start(), position))
                case "declared" | "percent":
                    position = self._percent(found)
                case "heading":
                    mark = found[0].strip()
                    level = 2 + mark.count("sub") - ("chap" in mark)
                    level = len(mark) if mark.startswith("#") else level
                    if mark[:1].isdigit():
                        level = 1 + mark.rstrip(".").count(".")
                    elif not mark:
                        underline = self.text[self.text.index("\n", found.start()) + 1]
                        level = 1 + "=-~".index(underline)
                        position = self.text.index("\n", found.start())
                    self.source.headings.append((found.start(), level))
                case "macro":
                    position = self._macro(found)
                case "lone":
                    inner = _LONE.match(found[0])
                    assert inner is not None
                    if "=" not in inner[1] and self._in_words(found):
                        continue  # a shape that a broken line of a sentence says
                    yield "display", found.start() + inner.start(1), found.start() + inner.end(1)
                case "inline":
                    position = self._inline(found)
                case "hidden" | "iffalse":
                    mark = rf"\end{{{found['hidden']}" if kind == "hidden" else r"\fi"
                    end = self.text.find(mark, position)
                    position = len(self.text) if end < 0 else end + len(mark)
                case "directive":
                    position = yield from self._directive(found)
                case "dollars" | "square" | "escaped" | "environment":
                    position = yield from self._display(found, kind)

    def _in_words(self, found: re.Match[str]) -> bool:
        """The lines around a line are words of the same sentence."""
        before = self.text[: found.start()].rstrip("\n \t").rsplit("\n", 1)[-1]
        gap = self.text[: found.start()].rstrip(" \t").endswith("\n\n")
        behind = self.text[found.end() :].split("\n")[1:2]
        ends = re.search(r"[A-Za-z]{2,}[ \t]*$", before) is not None and not gap
        return ends and bool(behind) and re.match(r"[ \t]*[a-z]{2,}", behind[0]) is not None

    def _inline(self, found: re.Match[str]) -> int:
        """A formula in a sentence, kept where it is an equation; a $ before words is a sign."""
        edge = re.match(r"\$|\\\(|[:{]math[:}]`", found[0])
        assert edge is not None
        start, end = found.start() + edge.end(), found.end() - (2 if edge[0] == r"\(" else 1)
        formula = self.text[start:end]
        if edge[0] == "$" and (_WORDS.search(formula) or _OPENING.search(formula)):
            return found.start() + 1
        self.spoken.take(start, end, found.span())
        return found.end()

    def _percent(self, found: re.Match[str]) -> int:
        """A comment of TeX, or a declaration in one; in Markdown % is a sign like others."""
        declared = _DECLARATION.match(found[0][1:]) is not None
        if self.tex or declared:
            self._declare(found.start() + 1, found[0][1:])
            self.spent.append((found.start(), found.end()))
            return found.end()
        return found.start() + 1

    def _fence(self, found: re.Match[str]) -> Found:
        mark, info = found["fence"].strip(), found["info"].strip()
        closing = re.compile(rf"^[ \t]*{re.escape(mark)}[ \t]*$", re.MULTILINE)
        end = closing.search(self.text, found.end())
        stop = end.start() if end else len(self.text)
        if info.split(" ")[0] in _FENCED:
            start = found.end() + 1
            while option := _OPTION.match(self.text, start, stop):
                start = option.end()
            yield "display", min(start, stop), stop
        return end.end() if end else len(self.text)

    def _directive(self, found: re.Match[str]) -> Found:
        """.. math:: with the lines below it that stand further in; a blank line parts formulas."""
        if found["first"].strip():
            yield "display", found.start("first"), found.end("first")
        deeper = re.compile(rf"(?:[ \t]*\n|{found['indent']}[ \t]+[^\n]*(?:\n|$))*")
        block = deeper.match(self.text, found.end())
        assert block is not None
        start = found.end()
        while option := _OPTION.match(self.text, start, block.end()):
            start = option.end()
        for part in re.finditer(r"(?:[^\n]*\S[^\n]*(?:\n|$))+", self.text[start : block.end()]):
            yield "display", start + part.start(), start + part.end()
        return block.end()

    def _display(self, found: re.Match[str], kind: str) -> Found:
        mark = self._end_mark(found, kind)
        start, end = found.end(), self.text.find(mark, found.end())
        if start == end:
            return end + len(mark)
        stray = kind == "dollars" and end >= 0 and self._prose(start, end)
        if end >= 0 and not (stray and not self.strict):
            yield "display", start, end
            return end + len(mark)
        error = self._unended(found, mark, kind)
        inputs.note(self.source, self.strict, found.start(), error)
        if kind != "environment":
            return start
        blank = _BLANK.search(self.text, start)
        return blank.start() if blank else len(self.text)

    def _end_mark(self, found: re.Match[str], kind: str) -> str:
        """What ends the display that begins here."""
        if kind == "short":
            end = self.short_end.search(self.text, found.end())
            return end[0] if end else "\\end"
        if kind == "environment":
            return rf"\end{{{found['environment']}}}"
        return {"dollars": "$$", "square": r"\]", "escaped": r"\\]"}[kind]

    def _prose(self, start: int, end: int) -> bool:
        """True where a paragraph of words stands between two $$, which belong to others then."""
        return bool(_BLANK.search(self.text, start, end) and _WORDS.search(self.text, start, end))

    def _unended(self, found: re.Match[str], mark: str, kind: str) -> ReadError:
        displays = self.source.displays
        broken = (d.start - 2 for d in displays if _BLANK.search(self.text, d.start, d.end))
        at = next(broken, found.start()) if kind == "dollars" and self.strict else found.start()
        return self.source.fail(
            at,
            f"the display that begins here has no {mark}",
            expected=mark,
            mend=f"end the display with {mark}",
        )

    def _macro(self, found: re.Match[str]) -> int:
        definition = macros.DEFINES.match(self.text, found.start())
        said = macros.definition(self.text, definition) if definition else None
        end = said[2] if said else found.end()
        self.spent.append((found.start(), end))
        return end

    def _declare(self, position: int, text: str) -> None:
        found = _DECLARATION.match(text)
        if found:
            self.source.declarations.append((position + found.start(1), found[1].strip()))
            return
        found = _NEARLY.match(text)
        if found and similar(found[1], ["symattn"]):
            error = self.source.fail(
                position + found.start(1),
                f"{found[0].strip()} looks like a declaration and is none",
                expected="symattn: sizes Q:(n_q,d_k)",
                mend="write symattn with a colon behind it",
            )
            inputs.note(self.source, self.strict, position, error)
