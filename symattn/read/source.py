"""A text with its displays, declarations and macros, the places in it, and errors there."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace
from difflib import get_close_matches
from functools import cached_property
from typing import Any

from ..errors import FormulaError, SymattnError, fault
from . import units
from .increments import ITSELF
from .macros import Macros

MAX_TEXT = 4_000_000  # characters of a document
MAX_DISPLAYS = 20_000  # displays of a document
MAX_DISPLAY = 250_000  # characters of one display
WIDTH = 96  # characters of the source line that an error shows


_MACRO = re.compile(r"\\(?:[A-Za-z]+(?:\{[^{}]*\})*|.)")
_DERIVED_UNIT = re.compile(
    r"\\[dt]?frac\s*\{\s*(?:\\mathrm\s*\{?\s*d\}?|\\partial|d)\s*I\s*\}|\\dot\s*\{?I\b"
)
_QUANTITY = re.compile(  # with the words round it
    r"[^$.\n]{0,40}(?<![\\$])\$\s*\\?(?P<name>[A-Za-z]+)(?:_(?P<label>\{[^{}$]*\}|\w))?\s*\$(?!\$)"
    r"[^$.\n]{0,30}"
)
_PRIMED = re.compile(  # X'X, also of bold letters
    r"(?<![A-Za-z\\])(?P<name>[A-Z]|\\(?:math(?:bf|bb|cal)|boldsymbol|bm)\s*\{\\?[A-Za-z]+\})"
    r"\s*(?:'|\^\s*\{?\s*\\prime\s*\}?)\s*(?P=name)(?![\d_'])"
)
_MAPS = re.compile(r"[Ff]unction|[Oo]perator|[Mm]ap|[Dd]istribut|[Dd]ensit|[Nn]etwork")
_BACKWARD = re.compile(r"[Gg]radient|[Bb]ackward|[Bb]ack-?prop|[Aa]djoint|[Cc]otangent|[Uu]pstream")
_LINEAR = re.compile(  # what physics and statistics without matrices do without
    r"\\top|\\intercal|\\dagger|(?<!_\w)(?<!\d\})\^\{?T\b|\\math(?:bf|sf)|\\boldsymbol|\\bm\b|\\vec\b|mathbb\s*\{?R\}?\s*\^"
    r"|[Mm]atri|[Nn]euron|[Ll]ayer|[Vv]ector|[Tt]ensor|[Ll]inear algebra|softmax"
    r"|\\(?:det|tr|odot|otimes|softmax|diag)\b|\{\s*diag\s*\}"
    r"|[A-Z]\s*\^\s*\{?\s*\[\s*[lL1-9]"  # W^{[l]}
)


class ReadError(FormulaError):
    """Text that cannot be read as a formula; `line` and `column` count from one.

    The message holds the source line with a caret under the character.
    """

    line: int = 0
    column: int = 0
    at: int = 0  # the position in the text


@dataclass(frozen=True)
class Display:
    """One display: the LaTeX between its delimiters, from `start` to `end` in the text."""

    start: int
    end: int


@dataclass(frozen=True)
class Renewal:
    """From `begin` to `end` a name is another one, called x_2; `axes` says whether it has any.

    With `doubt` it may be the first one all the same; what is `tried` mends what cannot be read.
    """

    begin: int
    end: int
    number: int
    axes: bool = False
    doubt: str = ""
    tried: bool = False


_OF_A_PROBABILITY = r"(?:\\(?:log|ln)\s*(?:\\left\s*)?\(?|\b1\s*-)\s*"
_LAW = r"\\Phi\s*(?:\\left\s*)?\("  # Φ(
_NAMED = re.compile(
    rf"(\\?[A-Za-z]+)\s*(?:_\s*(?:\w|\{{[^{{}}]*\}}))?\s*=\s*(?={_LAW})"
)  # p_i = Φ(


_CHANCE = re.compile(
    r"\b(?:expect(?:ed|ation)\w*|random|probabilit\w*|variances?|distribut\w+|moments?|iid|"
    r"i\.i\.d)\b",
    re.IGNORECASE,
)
_LONE_E = re.compile(r"(?<![A-Za-z\\{])E(?![A-Za-z])")
_AVERAGED = re.compile(r"(?:_\{?[\w\\]+\}?)?\s*(?:\\(?:left|[bB]igg?l?)\s*)?[\[(]")


@dataclass
class Source:
    """A text with its displays, declarations and macros."""

    text: str
    displays: list[Display] = field(default_factory=list)
    declarations: list[tuple[int, str]] = field(default_factory=list)  # position, what it says
    assumptions: list[Display] = field(default_factory=list)  # equations that are taken for true
    shapes: list[Display] = field(default_factory=list)  # X ∈ ℝ^{n×d} in the words of the text
    inline: dict[int, Display] = field(default_factory=dict)  # equations in sentences, by place
    joined: dict[int, Display] = field(default_factory=dict)  # what is equal to the one before it
    values: list[Display] = field(default_factory=list)  # x = 2 in sentences
    supposed: set[int] = field(default_factory=set)  # of these what stands behind if, for
    given: set[int] = field(default_factory=set)  # those that the words take for true
    namings: list[int] = field(default_factory=list)  # sentences whose if gives a name
    memory: dict[object, Any] = field(default_factory=dict)  # of what is asked for often
    parsed: dict[object, Any] = field(default_factory=dict)  # tokens and trees, of every reading
    macros: Macros = field(default_factory=Macros)
    broken: list[tuple[int, ReadError]] = field(default_factory=list)  # what is no display
    spoilt: dict[int, str] = field(default_factory=dict)  # formulas that are set aside, by place
    lines: list[int] | None = None  # the line in its file of each line, for a notebook
    headings: list[tuple[int, int]] = field(default_factory=list)  # position, level from 1
    drawn: list[Display] = field(default_factory=list)  # x ∼ N(μ, Σ) in the words of the text
    strict: bool = True  # what has two readings is an error
    escaped: bool = False  # signs of formulas are escaped as in Markdown: \\_
    guessed: dict[str, str] = field(default_factory=dict)  # macros that nothing defines
    bare: bool = False  # no display is marked: the text itself is the formula
    anew: dict[str, list[Renewal]] = field(default_factory=dict)  # names with several meanings
    steps: frozenset[str] = frozenset()  # the k of x_{k+1}, which counts steps
    unrolled: Callable[[Any], Any] | None = None  # what statements say of one step
    unconditioned: Callable[[Any], Any] | None = (
        None  # statements whose averages are all given one thing
    )
    late: frozenset[int] = frozenset()  # formulas that are read when all sizes are known
    apart: frozenset[int] = frozenset()  # recursions of which only what comes of them is read
    before: dict[str, int] = field(default_factory=dict)  # the axes of names without steps
    shown: str = ""  # the text as its author wrote it, as long as it is here
    marks: frozenset[tuple[str, str]] = frozenset()  # the x, q of x_q, where q is no index

    def without(
        self, displays: Iterable[Display], broken: Iterable[tuple[int, ReadError]]
    ) -> Source:
        """The source as if these formulas were no part of it, with what is said of them."""
        gone = set(displays)
        return replace(
            self,
            displays=[d for d in self.displays if d not in gone],
            inline={at: d for at, d in self.inline.items() if d not in gone},
            memory={},
            broken=[*broken],
            spoilt={d.start: self.text[d.start : d.end].strip() for d in gone},
        )

    @cached_property
    def units(self) -> dict[int, int]:
        """Where units behind numbers begin and end, which are no names: 9.81 m/s²."""
        return {} if self.strict else units.plain(self.text)

    @cached_property
    def expects(self) -> bool:
        """True where E[X] is an average: a text on chance in which E stands in no other way."""
        if self.strict or not _CHANCE.search(self.text):
            return False
        return all(_AVERAGED.match(self.text, m.end()) for m in _LONE_E.finditer(self.text))

    @cached_property
    def called(self) -> dict[str, str]:
        """What the later meanings of names are called, with the doubts about them."""
        every = ((n, r) for n, given in self.anew.items() for r in given if r.number)
        return {f"{name}_{r.number}": r.doubt for name, r in every}

    def meant(self, name: str, at: int) -> Renewal | None:
        """The later meaning that a name has at a place; None for the first one."""
        inside = (r for r in self.anew.get(name, ()) if r.begin <= at < r.end)
        found = max(inside, key=lambda r: r.begin, default=None)
        return found if found is not None and found.number else None

    @cached_property
    def _line_starts(self) -> list[int]:
        return [0, *(m.end() for m in re.finditer(r"\n", self.text))]

    def place(self, position: int) -> tuple[int, int]:
        """Line and column of a character, both counted from one."""
        line = bisect_right(self._line_starts, position)
        column = position - self._line_starts[line - 1] + 1
        if self.lines is not None and line <= len(self.lines):
            return self.lines[line - 1], column
        return line, column

    @cached_property
    def fields(self) -> bool:
        """True for a text on fields and forces, where bold capitals are vectors."""
        signs = r"\\nabla\s*\\(?:cdot|times)|\\vec\b|[Mm]agnetic|[Tt]orque"
        signs += r"|\\times\s*\\(?:mathbf|boldsymbol|bm)\b"
        field = re.search(signs, self.text)
        return field is not None and re.search(r"[Mm]atri|[Nn]eural|[Rr]egress", self.text) is None

    @cached_property
    def delta(self) -> bool:
        """True where an equation says what Δ is, which is no increment then."""
        return ITSELF.search(self.text) is not None

    @cached_property
    def spatial(self) -> bool:
        """True for a text on vectors in space, of which there are cross products."""
        words = r"[Cc]ross[- ]product|[Vv]ector product|[Tt]hree[- ]dimension|\b3[- ]?D\b"
        words += r"|\\mathbb\s*\{?R\}?\^\{?3|[Tt]orque|[Aa]ngular|[Mm]agnetic|\\vec\b"
        words += r"|[Tt]riple product|[Ff]orce|[Vv]elocit|[Rr]igid body|[Ii]nertia|\bin space\b"
        return re.search(words, self.text) is not None

    @cached_property
    def elementwise(self) -> bool:
        """True for a text whose functions and powers of vectors are those of their components."""
        words = r"\\odot|[Ee]lement-?wise|[Hh]adamard|[Nn]eural|[Ll]ayer|\bAdam\b|\bRNN\b|\bSGD\b"
        words += r"|[Rr]ecurrent|[Aa]ctivation function|\\tanh\b"
        words += r"|diag\}?\s*(?:\\left\s*)?\([^()^]{1,24}\^\s*\{?2"
        return re.search(words, self.text) is not None

    @cached_property
    def averaged(self) -> bool:
        """True for a text on random variables."""
        return (
            re.search(r"[Ee]xpect(?:ation|ed)|[Rr]andom variable|[Vv]ariance", self.text)
            is not None
        )

    @cached_property
    def gaussian(self) -> bool:
        """True for a text whose Φ is the distribution function of the standard normal law.

        Formulas without words say so where Φ is a probability, log Φ(u) or 1 - Φ(u), also under a
        name, p = Φ(u), or where Φ and φ are taken of one thing.
        """
        words = r"[Nn]ormal|[Gg]auss\w*", r"[Dd]istribution function|CDF|\bcdf\b|[Cc]umulative"
        told = all(re.search(word, self.text) for word in words)
        return told or (self.bare and (self._probable or self.paired))

    @property
    def _probable(self) -> bool:
        """Φ(u), or what is defined as Φ(u), is logged or subtracted from 1."""
        named = "|".join(rf"{re.escape(m[1])}(?![A-Za-z])" for m in _NAMED.finditer(self.text))
        one_of = rf"{_LAW}|{named}" if named else _LAW
        return re.search(rf"{_OF_A_PROBABILITY}(?:{one_of})", self.text) is not None

    @cached_property
    def paired(self) -> bool:
        """True for a text that has Φ(u) or Φ(−u) beside φ(u), and no word of what φ is."""
        law, density = (
            set(re.findall(rf"\\{name}\s*(?:\\left\s*)?\(\s*-?\s*([^()]*)", self.text))
            for name in ("Phi", "(?:var)?phi")
        )
        spans = [(d.start, d.end) for d in self.displays if d not in self.inline.values()]
        named = (m.start() for m in re.finditer(r"\\(?:var)?phi(?![A-Za-z])", self.text))
        spoken = any(not any(a <= at < b for a, b in spans) for at in named)
        return bool(law & density) and (self.bare or not spoken)

    @cached_property
    def dense(self) -> bool:
        """True for a text that speaks of densities."""
        return re.search(r"\b[Dd]ensit(?:y|ies)\b|\b[Pp][Dd][Ff]\b|PDF", self.text) is not None

    @cached_property
    def normal(self) -> bool:
        """True for a text whose N may be the normal distribution."""
        return re.search(r"\\mathcal\s*\{?\s*N|\b[Nn]ormal|[Gg]auss", self.text) is not None

    @cached_property
    def precise(self) -> bool:
        """True for a text that speaks of precisions or standard deviations."""
        return re.search(r"[Pp]recision|[Ss]tandard[- ]deviation", self.text) is not None

    @cached_property
    def hessian(self) -> bool:
        """True where ∇² is a matrix of second derivatives, and no Laplacian."""
        return re.search(r"[Ll]aplac|wave|[Hh]eat|Poisson", self.text) is None

    @cached_property
    def inverse(self) -> bool:
        """True for a text that inverts or transposes what capitals name, or says P² = P of one."""
        found = r"[A-Z]\}?\s*\^\s*\{\s*-\s*1\s*\}|\\top\b|\\intercal\b|\\(?:det|tr|Tr)\b"
        found += r"|(?<![A-Za-z\\])([A-Z])\s*\^\s*\{?[2-9]\}?\s*=\s*(?:\1|I|0)(?![A-Za-z\d_^])"
        found += r"|\b(?:idempotent|nilpotent|involutor|projector|[Pp]rojection (?:matri|operat))"
        return re.search(found, self.text) is not None

    @cached_property
    def quantities(self) -> frozenset[str]:
        """The names that sentences give to quantities: the current $I_s$, and no function $f$.

        And I where dI/dt stands, which is of no unit matrix.
        """
        said = (m for m in _QUANTITY.finditer(self.text) if not _MAPS.search(m[0]))
        labels = ((m["name"], re.sub(r"\\[a-z]+|[{}\s]", "", m["label"] or "")) for m in said)
        derived = ["I"] if _DERIVED_UNIT.search(self.text) else []
        return frozenset([*derived, *("_".join(filter(None, pair)) for pair in labels)])

    @cached_property
    def primed(self) -> bool:
        """True where X' is the transpose of X, as econometrics has it: some X'X, and no X^T."""
        return _PRIMED.search(self.text) is not None and not re.search(
            r"\\top\b|\\intercal\b|\^\s*\{?\s*(?:\\mathsf\s*\{?\s*)?T\b", self.text
        )

    @cached_property
    def linear(self) -> bool:
        """True where a text speaks of vectors or matrices, or is a formula and no more."""
        words = re.search(r"[A-Za-z]{3,} [a-z]{2,} [a-z]{2,}", self.text)
        return not words or (
            not self.fields and (self.primed or _LINEAR.search(self.text) is not None)
        )

    @cached_property
    def variances(self) -> bool:
        """True where a text writes variances: 𝔼[x²] is Var(x) + 𝔼[x]² then."""
        return re.search(r"Var\b|\\var\b|\\V\b", self.text) is not None

    @cached_property
    def backward(self) -> bool:
        """True where a text speaks of gradients, so that dX may be one."""
        return _BACKWARD.search(self.text) is not None

    def is_inline(self, position: int) -> bool:
        """True for a place in an equation that stands in a sentence."""
        k = bisect_right(self._inline_starts, position)
        found = self.inline.get(self._inline_starts[k - 1]) if k else None  # or a condition by now
        return found is not None and position < found.end

    @cached_property
    def _inline_starts(self) -> list[int]:
        return sorted(self.inline)

    def written(self, position: int, token: str) -> str:
        """A token as it is written: \\cdot rather than cdot, and the macro that it comes from."""
        command = "\\" + token
        if self.text.startswith(command, position):
            return command
        macro = _MACRO.match(self.text, position)
        return str(token) if macro is None else macro[0]

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
        start = self._line_starts[bisect_right(self._line_starts, position) - 1]
        shown = (self.shown or self.text)[start:].split("\n", 1)[0].replace("\t", " ")
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
        error.line, error.column, error.at = line, column, position
        return error


UNFORESEEN = (
    ArithmeticError,
    AssertionError,
    AttributeError,
    LookupError,
    RecursionError,
    TypeError,
    ValueError,
)


def placed(source: Source, at: int, error: Exception) -> ReadError:
    """Any error of a statement as one with its place."""
    if isinstance(error, ReadError):
        return error
    if isinstance(error, SymattnError):
        parts = {"expected": error.expected, "got": error.got, "mend": error.mend}
        return source.fail(at, error.problem, **parts)
    return source.fail(
        at,
        f"this statement cannot be read: {fault(error)}",
        got=f"{type(error).__name__}: {error}"[:200],
        mend="write it in smaller parts, with names for them",
    )


def similar(word: str, known: Iterable[str]) -> str:
    """What may be meant by a word that is not known; empty where nothing is like it."""
    close = get_close_matches(word, list(known), n=2, cutoff=0.7)
    return " or ".join(close)
