r"""One piece put into a side at many places: what becomes of a side is read once for each place.

A side with \Upsilon, a number, where the piece stands is read once, and each piece once; what the
two make together tells the value of the side with the piece.  It leaves out what cannot agree, and
what may is read by itself: nothing rests on a side that was not.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from typing import Any

import sympy as sp

from ..read import Equation
from ..syntax import Definition
from .edits import Filled, one_term
from .inside import names, symbols
from .links import sides
from .reread import relettered
from .second import FAILURES
from .statements import Statement

HOLE = r"\Upsilon"
NAME = "Upsilon"
_ONE = re.compile(  # what stands behind a / as one factor
    r"\\frac\{[^{}]*\}\{(?:[^{}]|\{[^{}]*\})*\}|\\sqrt\{[^{}]*\}|\d+"
    r"|(?:\\[a-zA-Z]+|[A-Za-z])(?:[_^](?:\{[^{}]*\}|\w))*"
)
_RATIO = re.compile(r"(\d+)|\\frac\{(\d+)\}\{([1-9]\d*)\}")
FEWEST = 3  # pieces at one place that are worth a reading of it

Reading = tuple[str, Equation, tuple[Definition, ...]]  # with what it defines besides
Readings = Callable[[str, str, str, str], Iterator[Reading]]  # of a head, two sides and a name


class Fillings:
    """The sides that pieces make, as far as that can be told without reading them."""

    def __init__(self, head: str, left: str, s: Statement, read: Readings) -> None:
        self.plain, self.head = head, f"{head}\n<!-- symattn: scalars {NAME} -->\n"
        self.left, self.statement, self.read = left, s, read
        self.known: dict[tuple[str, str], Any] = {}
        self.unread: set[tuple[str, str]] = set()
        self.counts: Counter[tuple[str, str]] = Counter()
        lists = re.findall(r"symattn: scalars ([^>]*?)-->", head)
        self.declared = {name for listed in lists for name in listed.split()}
        self.declared |= {*re.findall(r"(\w+):\(", head)}
        self.taken = any(HOLE in x for x in (head, left)) or NAME in head

    def count(self, tried: Iterable[str]) -> None:
        """Take note of the candidates among which some share a place."""
        self.counts = Counter(x.around for x in tried if isinstance(x, Filled))

    def readings(self, latex: str) -> Iterator[Reading]:
        """What a candidate is where it is read by itself."""
        return self.read(self.plain, self.left, latex, self.statement.name)

    def unreadable(self, latex: str) -> bool:
        """True for a number or a term put in where the author's own side cannot be read."""
        if self.taken or not isinstance(latex, Filled) or HOLE in latex:
            return False
        own = self.left, sides(self.statement.latex)[0][-1]
        self._side(self.plain, *own)
        if own not in self.unread:
            return False
        return latex.is_term or self._number(latex.piece) is not None

    def brings(self, latex: str) -> set[str] | None:
        """The names of what is put in, where that is read by itself; None where it is not."""
        if self.taken or not isinstance(latex, Filled) or HOLE in latex:
            return None
        piece = self._piece(latex.piece)
        return None if piece is None else names(piece)

    def __call__(self, latex: str) -> Any:
        """The side that a candidate is; None where it is to be read by itself."""
        if self.taken or not isinstance(latex, Filled) or self.counts[latex.around] < FEWEST:
            return None
        before, after = latex.around
        alone = _ONE.fullmatch(latex.piece) or ("/" not in before and one_term(latex.piece))
        if not alone or HOLE in latex:
            return None
        place = self._side(self.head, self.left, f"{before}{HOLE} {after}")
        holes = {x for x in symbols(place) if x.name == NAME} if place is not None else set()
        piece = self._piece(latex.piece) if len(holes) == 1 else None
        with suppress(*FAILURES):
            return place.xreplace(dict.fromkeys(holes, piece)) if piece is not None else None
        return None

    def _piece(self, latex: str) -> Any:
        """A number, or a component with letters of the left side, which are summed nowhere."""
        if (number := self._number(latex)) is not None:
            return number if self._known(number) else None
        letters = {*self.statement.letters}
        entry = self._side(self.plain, self.left, latex) if letters else None
        if entry is None or entry.atoms(sp.Sum) or not entry.atoms(sp.Idx) <= letters:
            return None
        return entry if self._known(entry) else None

    def _number(self, latex: str) -> Any:
        if ratio := _RATIO.fullmatch(latex):  # which needs no document
            return sp.Rational(*(int(x) for x in ratio.groups() if x))
        number = self._side(self.head, HOLE, latex)
        plain = number is not None and not number.atoms(sp.Idx, sp.IndexedBase)
        return number if plain else None

    def _known(self, piece: Any) -> bool:
        """True where all of its names are declared, so that nothing beside them tells of them."""
        return names(piece) <= self.declared

    def _side(self, head: str, left: str, right: str) -> Any:
        """The right side of an equation that makes nothing besides, in letters of the statement."""
        key = left, right
        if key not in self.known:
            own, name = left == HOLE, self.statement.name
            found = [*self.read(head, left, right, NAME if own else name)]
            self.known[key] = None
            self.unread |= {key} if not found else set()
            if len(found) == 1 and not found[0][2]:
                _, e, _ = found[0]
                self.known[key] = e.rhs if own else relettered(e, self.statement)
        return self.known[key]


__all__ = ["Fillings", "Reading"]
