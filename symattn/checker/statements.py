"""A document as a list of statements: one for every link of a chain, and what was not read."""

from __future__ import annotations

import re
from collections.abc import Container, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any

import sympy as sp

from ..errors import SymattnError, fault
from ..read import Document, Equation, read
from ..syntax import for_all
from .inside import names
from .links import below, link_latex, sides
from .tables import COMMENT

MAX_CHARACTERS = 1_000_000  # of one document
_ABOVE = r"(?:_\w|_\{\w+\})?\s*\^\s*\{\s*-\s*1\s*\}"  # F_X^{-1}
_APPLIED = re.compile(rf"\s*\\?([A-Za-z]+)'*(?:{_ABOVE})?\s*(?:\\left)?\(")
_INVERTED = re.compile(rf"\s*\\?[A-Za-z]+{_ABOVE}\s*(?:\\left)?\(")
_SKIP = re.compile(r"<!--\s*symattn:\s*skip\b(.*?)-->|(?<!\\)%\s*symattn:\s*skip\b([^\n]*)", re.S)
_BRACED = re.compile(r"\\left\s*[(\[]|\\right\s*[)\]]|\{[^{}]*\}|\([^()]*\)|\[[^\[\]]*\]")
_OPERATION = re.compile(r"\\(?:sum|prod|sqrt|max|min|lvert|vert)(?![a-z])|\||\S\s*[+-]")


@dataclass(frozen=True)
class Statement:
    """One link lhs relation rhs of a chain.

    `latex` is the link as it was written, `whole` the statement that it belongs to, `number` its
    place in the chain, `name` the tensor that stands alone on the left, if one does, and `head`
    what the chain begins with.
    """

    kind: str
    lhs: Any
    rhs: Any
    relation: str
    letters: tuple[sp.Idx, ...]
    latex: str
    whole: str
    line: int
    column: int
    number: int = 0
    name: str = ""
    head: Any = None
    inline: bool = False  # it stands in a sentence

    @property
    def is_of_inverse(self) -> bool:
        """f⁻¹(y) = r says what f is, and nothing of the names in it."""
        return _INVERTED.match(self.latex) is not None

    @property
    def place(self) -> tuple[int, int]:
        """The line and column of a link, that of its sign where its chain goes over several."""
        lines, right = below(self.whole, self.number)
        return (self.line + lines, right + 1) if lines else (self.line, self.column)


@dataclass(frozen=True)
class Unread:
    """A formula that was not read, and why."""

    latex: str
    line: int
    column: int
    reason: str
    kind: str = ""


@dataclass(frozen=True)
class Reading:
    """What a text says: its document, statements in order, and what was left out."""

    document: Document
    statements: tuple[Statement, ...]
    unread: tuple[Unread, ...]


def reading(text: str) -> Reading:
    """The statements of a text; never raises for a text.

    A formula under <!-- symattn: skip reason --> is left out, with its reason.
    """
    blank = Reading(Document(), (), ())
    if len(text) > MAX_CHARACTERS:
        why = f"the text is longer than {MAX_CHARACTERS} characters"
        return Reading(blank.document, (), (Unread("", 1, 1, why),))
    try:
        found = of_document(read(_without_skips(text), strict=False))
    except SymattnError as error:
        line, column = getattr(error, "line", 1) or 1, getattr(error, "column", 1) or 1
        return Reading(blank.document, (), (Unread("", line, column, error.problem),))
    except Exception as error:  # a fault of the reader must not hide the report
        why = f"the text could not be read: {fault(error)}"
        return Reading(blank.document, (), (Unread("", 1, 1, why),))
    return _left_out(found, list(_skips(text)))


def of_document(document: Document) -> Reading:
    """The statements of a document that was read."""
    return Reading(document, tuple(_statements(document)), tuple(_unread(document)))


def _left_out(found: Reading, skips: Sequence[tuple[int, str]]) -> Reading:
    """The reading without the first formula behind each skip, which is listed with its reason."""
    places = [(s.line, s.column, s.whole) for s in found.statements]
    places += [(u.line, u.column, u.latex) for u in found.unread]
    gone: dict[tuple[int, int], Unread] = {}
    for after, reason in skips:
        first = min((p for p in places if p[0] >= after), default=None)
        if first is not None:
            line, column, latex = first
            gone[line, column] = Unread(latex, line, column, reason, "author")
    statements = tuple(s for s in found.statements if (s.line, s.column) not in gone)
    unread = [u for u in found.unread if (u.line, u.column) not in gone] + list(gone.values())
    return Reading(found.document, statements, tuple(sorted(unread, key=_place)))


def _place(u: Unread) -> tuple[int, int]:
    return u.line, u.column


def _skips(text: str) -> Iterator[tuple[int, str]]:
    for match in _SKIP.finditer(text):
        said = " ".join((match[1] or match[2] or "").split())
        yield text.count("\n", 0, match.end()) + 1, said or "the author asks for it"


def _without_skips(text: str) -> str:
    """The text with blanks for the comments that are for the checker, places as they were."""
    for comment in (_SKIP, COMMENT):
        text = comment.sub(lambda m: re.sub(r"[^\n]", " ", m[0]), text)
    return text


def _statements(document: Document) -> Iterator[Statement]:
    equations: Sequence[Equation] = document.equations
    said = ((alone(e.lhs), (e.line, e.column)) for e in equations if e.kind == "definition")
    first = {name: place for name, place in sorted(said, reverse=True)}
    for (line, column, latex), links in groupby(equations, lambda e: (e.line, e.column, e.latex)):
        chain = list(links)
        shown = link_latex(latex, len(chain))
        for number, (e, own) in enumerate(zip(chain, shown, strict=True)):
            name = alone(e.lhs)
            begun = {n for n, place in first.items() if place < (line, column)}
            if e.kind == "claim" and (_of_another(own, name, begun) or _computed(e, own)):
                name = ""
            yield Statement(
                e.kind,
                e.lhs,
                e.rhs,
                e.relation,
                e.indices,
                own,
                latex,
                line,
                column,
                number,
                "" if name in document.jacobians else name,
                chain[0].lhs,
                e.inline,
            )


def _of_another(latex: str, name: str, defined: Container[str]) -> bool:
    """f(0) = …, which is b: a function at a place, of which the name is another."""
    written = _APPLIED.match(sides(latex)[0][0])
    return bool(name) and written is not None and written[1] in defined and written[1] != name


def alone(lhs: Any) -> str:
    """The name of a tensor that stands with different letters, or of a scalar; else empty."""
    if isinstance(lhs, sp.Indexed):
        letters = lhs.indices
        plain = all(isinstance(x, sp.Idx) for x in letters) and len(set(letters)) == len(letters)
        return lhs.base.name if plain else ""
    return lhs.name if isinstance(lhs, sp.Symbol) else ""


def _computed(e: Equation, latex: str) -> bool:
    """2p - p = p and Σ_{y ∈ {0,1}} y p = p: a side that is a name once it is worked out."""
    if e.rhs is None or alone(e.lhs) not in names(e.rhs):
        return False
    left = sides(latex)[0][0]
    while (inner := _BRACED.sub("", left)) != left:
        left = inner
    return _OPERATION.search(left.strip()) is not None


def _unread(document: Document) -> Iterator[Unread]:
    for r in getattr(document, "skipped", None) or document.refused:
        error = r.reason
        reason = getattr(error, "problem", str(error))
        reason = re.sub(r"^line \d+, column \d+: ", "", reason)
        yield Unread(r.latex, r.line, r.column, reason, getattr(error, "kind", ""))


def as_fact(s: Statement) -> sp.Eq:
    """A statement as a fact: p/q = r/t of numbers as p = q r/t, which is a rule for p.

    ω² = k/m stays what it is, of two roots.
    """
    above, below = sp.fraction(s.lhs)
    scalar = isinstance(above, sp.Symbol) and not s.lhs.atoms(sp.Indexed, sp.Function)
    if scalar and below != 1 and above not in below.free_symbols | s.rhs.free_symbols:
        return for_all(above, s.rhs * below, s.letters)
    return for_all(s.lhs, s.rhs, s.letters)
