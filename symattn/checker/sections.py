"""The sections of a text, and what it says as a whole of names, sizes and ranges."""

from __future__ import annotations

import re
from bisect import bisect_right
from dataclasses import dataclass
from functools import cached_property

from ..read.scan import dollars, uncommented
from . import qualities
from .qualities import FORMULA, INLINE, Relation

HEADING = re.compile(
    r"^(?:(?P<marks>\#{1,6})[ \t]+\S"  # Markdown
    r"|\\(?P<tex>part|chapter|section|subsection|subsubsection|paragraph)\*?\{"  # TeX
    r"|(?P<number>\d+(?:\.\d+)*)\.?[ \t]+[A-Z][^\n$.|]{2,80}$"  # 3.1 Words, as in converted PDFs
    r"|[^\n]{2,80}\n(?P<under>={3,}|-{3,}|~{3,}|\^{3,})[ \t]*$"  # underlined
    r"|(?P<word>Appendix|Chapter|Part)\b[^\n$.|]{0,80}$)",
    re.MULTILINE,
)
_BOLD = re.compile(  # alone on a line, or as the name of what a paragraph is of
    r"^[ \t]*(?:\*\*|__)(?:[^*\n]{2,80}(?:\*\*|__)[ \t]*[.:]?[ \t]*$|"
    r"(?!(?:step|proof|note|remark|claim|lemma|theorem|result|solution|conclusion)\b)"
    r"[^*\n]{2,80}(?:[.:](?:\*\*|__)|(?:\*\*|__)[.:])[ \t])",
    re.MULTILINE | re.IGNORECASE,
)
_TEX = {
    "part": 0,
    "chapter": 0,
    "section": 1,
    "subsection": 2,
    "subsubsection": 3,
    "paragraph": 4,
}
_UNDER = {"=": 1, "-": 2, "~": 3, "^": 4}
_RANGE = re.compile(  # a, b > 0 and p \in [0, 1]
    r"(?P<names>[A-Za-z\\,\s_{}\d]+?)\s*(?P<range>(?:[<>≤≥]|\\(?:leq?|geq?|neq?|leqslant|geqslant|in)"
    r"(?![a-zA-Z])).*)",
    re.DOTALL,
)
_ABOVE = re.compile(  # zero is left out: nothing turns round there
    r"(?:[>≥]|\\geq?(?:slant)?)\s*0\s*|\\in\s*\\(?:mathbb|R)\s*\{?R?\}?_\{?(?:\+|>\s*0)\}?\s*"
)
_TWO_SIZES = re.compile(  # A, B \in \mathbb{R}^{n \times d}
    r"(?P<names>[A-Za-z\\,\s_{}\d]+?)\s*\\in\s*\\[A-Za-z]+\s*(?:\{?[A-Z]\}?)?\s*\^\s*"
    r"\{(?P<rows>[^{}$]+?)\\times(?P<columns>[^{}$]+?)\}"
)
_ONE_SIZE = re.compile(  # x, y \in \mathbb{R}^n
    r"(?P<names>[A-Za-z\\,\s{}]+?)\s*\\in\s*\\[A-Za-z]+\s*(?:\{?[A-Z]\}?)?\s*\^\s*"
    r"(?:\{\s*\w+\s*\}|\w)"
)
_MARKED = re.compile(
    r"\\(?:(?:wide)?(?:hat|tilde)|bar|d*dot|overline)\s*\{?\s*\\?[A-Za-z]+\s*\}?|"
    r"\\?[A-Za-z]+\s*\}?\s*\^\s*\{?\s*(?:\*|\\star|\\ast)"
)
_BELOW = re.compile(r"(?:\\[A-Za-z]+|[A-Za-z])\s*_\s*(?:\w|\{[^{}]*\})")
_LETTER = re.compile(r"(?<=\\)[A-Za-z]+|[A-Za-z]")
_COUNTS = {"two": 2, "three": 3, "four": 4}
_DIMENSIONS = re.compile(  # three dimensions, R^3, i = 1, 2, 3
    r"\b(?P<word>two|three|four|[2-4])(?:-|\s|~)*(?:dimension|D\b|space)|"
    r"\\mathbb\s*\{?R\}?\s*\^\s*\{?(?P<power>[2-4])\b|=\s*1,\s*(?:2,\s*)?(?P<last>[23])\b",
    re.IGNORECASE,
)
_FONT = re.compile(r"\\(?:math\w+|boldsymbol|bm|bs|text\w*|quad|qquad)|[\\\s{}]")
STOP = re.compile(  # where a sentence ends, or a heading is
    r"[.!?:](?=(?:\*\*?|__?)?\s)|\n[ \t]*\n|\n[ \t]*(?:[-*+]|\d+\.)[ \t]|^\#.*$|"
    r"\\(?:chapter|(?:sub)*section|(?:sub)?paragraph)\*?\s*\{[^{}]*\}",
    re.MULTILINE,
)
REACH = 400  # characters before a formula that may belong to its sentence


@dataclass
class Sections:
    """Where the sections of a text begin and how deep they are."""

    text: str

    @cached_property
    def headings(self) -> list[tuple[int, int]]:
        """Line and level of every heading, in order."""
        found = []
        for match in HEADING.finditer(self.text):
            if match["marks"]:
                level = len(match["marks"])
            elif match["tex"]:
                level = _TEX[match["tex"]]
            elif match["number"]:
                level = match["number"].count(".") + 1
            elif match["under"]:
                level = _UNDER[match["under"][0]]
            else:
                level = 1
            found.append((self.text.count("\n", 0, match.start()) + 1, level))
        return found

    @cached_property
    def parts(self) -> tuple[tuple[frozenset[str], frozenset[str]], ...]:
        """The names that words call rows, columns or entries, and those that they are of."""
        return (*qualities.parts(self.text),)

    @cached_property
    def _qualities(self) -> dict[str, dict[tuple[str, str], None]]:
        """Scripts and words that are said of the values of names."""
        found: dict[str, dict[tuple[str, str], None]] = {}
        for sentence in STOP.split(self.text):
            for name, script, word in qualities.told(sentence):
                found.setdefault(name, {})[script, word] = None
        for line, _ in self.headings:
            for name, script, word in qualities.titled(self.around(line)):
                found.setdefault(name, {})[script, word] = None
        return found

    def qualities(self, name: str) -> list[str]:
        """What words say of the values of a name: centred, the Hessian; of W_o not of W_k."""
        stem, *labels = name.split("_")
        said = self._qualities.get(name) or self._qualities.get(stem, {})
        below = {"", *labels, "".join(labels)}  # s_{xy} is s_x_y
        own = (word for script, word in said if not labels or script in below)
        return list(dict.fromkeys(own))

    @cached_property
    def relations(self) -> tuple[Relation, ...]:
        """Names that formulas of sentences put in an order, or that are at right angles."""
        return (*qualities.relations(self.text),)

    @cached_property
    def orders(self) -> tuple[str, ...]:
        """The formulas of sentences that say what is larger than what."""
        found = ((m[1] or m[2]).strip() for m in INLINE.finditer(self.text))
        return (*dict.fromkeys(x for x in found if qualities.ordered(x)[1]),)

    @cached_property
    def plain(self) -> frozenset[str]:
        """The letters that stand somewhere in a formula without an accent or a star."""
        bare = (_MARKED.sub(" ", m[0]) for m in FORMULA.finditer(self.text))
        return frozenset(x for formula in bare for x in _LETTER.findall(formula))

    @cached_property
    def moving(self) -> frozenset[str]:
        """Those of them below which nothing stands somewhere: no m of m_0 and m_p."""
        bare = (_MARKED.sub(" ", m[0]) for m in FORMULA.finditer(self.text))
        return frozenset(x for f in bare for x in _LETTER.findall(_BELOW.sub(" ", f)))

    def section(self, line: int) -> int:
        """The number of headings up to a line."""
        return bisect_right(self.headings, (line, 99))

    @cached_property
    def _titles(self) -> list[int]:
        """The lines of headings, and of bold words that head an example or a paragraph."""
        bold = (self.text.count("\n", 0, m.start()) + 1 for m in _BOLD.finditer(self.text))
        return sorted({*bold, *(line for line, _ in self.headings)})

    def part(self, line: int) -> int:
        """The number of headings and titles up to a line."""
        return bisect_right(self._titles, line)

    def end(self, line: int) -> int:
        """The line at which the section of a line ends: a heading of its level or above."""
        k = self.section(line)
        level = self.headings[k - 1][1] if k else -1
        return next((at for at, other in self.headings[k:] if other <= level), 1 << 62)

    def around(self, line: int) -> str:
        """The text of the section of a line, without the sections below it."""
        k = self.section(line)
        first = self.headings[k - 1][0] if k else 1
        last = self.headings[k][0] if k < len(self.headings) else len(self._starts) + 1
        return "\n".join(self.text.split("\n")[first - 1 : last - 1])

    def ahead(self, line: int) -> str:
        """The text of the section of a line that stands before the line."""
        k = self.section(line)
        first = self.headings[k - 1][0] if k else 1
        return "\n".join(self.text.split("\n")[first - 1 : line - 1])

    @cached_property
    def _starts(self) -> list[int]:
        return [0, *(m.end() for m in re.finditer("\n", self.text))]

    def position(self, line: int, column: int) -> int:
        """The place of a line and a column in the text."""
        return self._starts[min(line, len(self._starts)) - 1] + column - 1

    def place(self, position: int) -> tuple[int, int]:
        """The line and the column of a place in the text."""
        line = bisect_right(self._starts, position)
        return line, position - self._starts[line - 1] + 1

    def ranges(self, line: int, column: int) -> tuple[set[str], set[str]]:
        """Names that the words around a formula say to be positive, and those with other ranges.

        What the section says before the formula counts, and a little behind it.
        """
        end = self.position(line, column)
        first = self.headings[self.section(line) - 1][0] if self.section(line) else 1
        text = self.text[self.position(first, 1) : end + REACH]
        positive: set[str] = set()
        other: set[str] = set()
        for formula in INLINE.findall(text):
            if found := _RANGE.fullmatch(formula[0] or formula[1]):
                listed = (re.sub(r"[\\\s{}]", "", x) for x in found["names"].split(","))
                (positive if _ABOVE.fullmatch(found["range"]) else other).update(listed)
        return positive, other

    @cached_property
    def dimensions(self) -> frozenset[int]:
        """How many dimensions the text says there are."""
        found = set()
        for match in _DIMENSIONS.finditer(self.text):
            word = (match["word"] or "").lower()
            found.add(_COUNTS.get(word) or int(match["power"] or match["last"] or word or 0))
        return frozenset(found)

    @cached_property
    def _sized(self) -> dict[str, set[bool]]:
        """Names of matrices that the text gives two sizes, and whether it writes them the same."""
        said: dict[str, set[bool]] = {}
        for found in _TWO_SIZES.finditer(self.text):
            square = "".join(found["rows"].split()) == "".join(found["columns"].split())
            for name in found["names"].split(","):
                said.setdefault(_FONT.sub("", name), set()).add(square)
        return said

    @cached_property
    def vectors(self) -> frozenset[str]:
        """Names, without scripts, that the text gives one size: k of k ∈ ℝⁿ."""
        listed = (m["names"].split(",") for m in _ONE_SIZE.finditer(self.text))
        return frozenset(_FONT.sub("", name) for names in listed for name in names)

    @property
    def matrices(self) -> frozenset[str]:
        """Names of matrices that the text gives two sizes."""
        return frozenset(self._sized)

    @property
    def rectangular(self) -> frozenset[str]:
        """Names of matrices that the text gives two sizes, which it writes as different."""
        return frozenset(n for n, squares in self._sized.items() if squares == {False})

    def __post_init__(self) -> None:
        self.text = uncommented(dollars(self.text))


__all__ = ["HEADING", "REACH", "STOP", "Sections"]
