"""The statements of displays, and of the formulas in sentences, as trees."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, field, replace

from ..errors import SymattnError
from . import covariant, examples, premises
from .applications import whole
from .ellipsis import expanded
from .equations import Equations
from .grammar import parse
from .left import is_shape
from .lexer import Token
from .names import base_name, plain
from .premises import Premise
from .result import Refused
from .source import UNFORESEEN, Display, ReadError, placed
from .split import Statement, implied, last_side, statements, without_words
from .tokens import tokens
from .tree import Addition, Chain, Fraction, Group, Node, Product
from .usage import context
from .vocabulary import REASONS


@dataclass(frozen=True)
class Round:
    """What is said round a display: its condition, and one of which that is not understood."""

    stated: Premise | None = None
    spoken: Premise | None = None
    rest: str = ""  # what the display says of all its statements


@dataclass
class Displays(Equations):
    """The statements of a text as they are parsed, and what could not be read."""

    refused: list[tuple[int, Refused]] = field(default_factory=list)

    def _end(self, last: Token) -> int:
        """Where a token ends in the text."""
        return last.at + len(self.source.written(last.at, last.text))

    def refuse(self, at: int, latex: str, error: ReadError) -> None:
        """Raise the error, or note it where the reading is not strict."""
        if self.strict:
            raise error
        line, column = self.source.place(at)
        self.refused.append((at, Refused(latex, line, column, error, self.source.is_inline(at))))

    def _written(self, display: Display, piece: list[Token]) -> str:
        """What stands in the text for the tokens."""
        end = min(self._end(piece[-1]), display.end)
        return self.source.text[piece[0].at : end].strip()

    def _tree(self, piece: list[Token]) -> Node:
        tree = covariant.expanded(expanded(parse(self.source, piece)))
        return examples.listed(tree if self.strict else _turned(tree))

    def displayed(self) -> Iterator[list[Statement]]:
        """The statements of each display, in order."""
        last: list[Token] = []
        sign: Token | None = None  # with which the display before ends
        around: Premise | None = None
        inline = self.source.inline
        taken = [(d, True) for d in self.source.assumptions if d.start not in inline]
        for display, fact in [*((d, False) for d in self.source.displays), *taken]:
            try:
                found = tokens(self.source, display)
                pieces = statements(found)
            except ReadError as error:
                whole = self.source.text[display.start : display.end].strip()
                self.refuse(display.start, whole, error)
                continue
            said = Round() if self.strict else self._round(display, found)
            goes_on = bool(pieces and last) and (pieces[0][0].kind == "REL" or sign is not None)
            if goes_on:  # with =
                at = pieces[0][0].at
                between = [] if pieces[0][0].kind == "REL" else [sign]
                before = [replace(t, at=at) for t in (*last_side(last), *filter(None, between))]
                pieces[0] = [*before, *pieces[0]]
            sign = None
            if not self.strict and pieces and len(pieces[-1]) > 1 and pieces[-1][-1].kind == "REL":
                sign = pieces[-1][-1]
                pieces[-1] = pieces[-1][:-1]
            around = said.stated or (around if goes_on else None)  # under the condition before
            last = pieces[-1] if pieces else last
            yield [*self._apart(display, pieces, replace(said, stated=around), fact)]

    def _apart(
        self, display: Display, pieces: list[list[Token]], said: Round, fact: bool
    ) -> Iterator[Statement]:
        """The statements of one display."""
        if not self.strict:
            pieces = [p for piece in pieces for p in without_words(piece)]
            pieces = [p for piece in pieces for p in implied(piece)]
        pairs: list[tuple[list[Token], list[Token]]] = [(p, []) for p in pieces]
        pairs = pairs if self.strict else premises.parted(pieces)
        several = len(pieces) > 1
        for k, (piece, condition) in enumerate(pairs):
            after = pairs[k + 1][0] if k + 1 < len(pairs) else []
            reason = piece[0].kind == "WHERE" and piece[0].text in REASONS
            piece = piece[1:] if reason else piece
            latex, begin = self._written(display, piece), piece[0].at
            if not (several or condition):
                latex = self.source.text[display.start : display.end].strip()
                begin = self.source.text.index(latex, display.start)
            limit = self._written(display, after) if premises.limits(after) else said.rest
            try:
                tree = self._tree(piece)
                own = (
                    Premise(parse(self.source, condition), self._written(display, condition))
                    if condition
                    else None
                )
                yield self._under(
                    Statement(
                        tree,
                        piece,
                        latex,
                        context(tree, self.names),
                        fact,
                        reason,
                        parsed=tree,
                        limit=limit,
                        begin=begin,
                    ),
                    own,
                    said,
                )
            except (SymattnError, *UNFORESEEN) as error:
                at = piece[0].at
                self.refuse(at, latex, placed(self.source, at, error))

    def _under(self, s: Statement, own: Premise | None, said: Round) -> Statement:
        """The statement under the conditions that are stated of its letters."""
        letters = s.here.letters.keys()
        stated = tuple(p for p in (own, said.stated) if p is not None and p.letters & letters)
        if said.stated in stated and said.stated is said.spoken:
            self.source.inline.pop(said.stated.at, None)  # it says where, and nothing else
        open_ = said.spoken is not None and not stated and said.spoken.letters <= letters
        limit = s.limit or (said.spoken.latex if open_ and said.spoken else "")
        if not stated:
            return replace(s, limit=limit)
        tree = premises.under(s.tree, stated, letters)
        here = context(tree, self.names)
        return replace(s, tree=tree, parsed=tree, here=here, premises=stated, limit=limit)

    def _round(self, display: Display, found: list[Token]) -> Round:
        """What is said round a display."""
        rest = "otherwise" if premises.otherwise(found) else ""
        told, stands = premises.said(self.source, display)
        with suppress(SymattnError, *UNFORESEEN):
            inner, more = premises.compared(tokens(self.source, told)) if told else ([], [])
            if told is not None and inner and not more:
                latex = self.source.text[told.start : told.end].strip()
                spoken = Premise(parse(self.source, inner), latex, told.start)
                return Round(spoken if stands else None, spoken, rest)
        return Round(rest=rest)

    def spoken(self, display: Display) -> Iterator[Statement]:
        """The equations in a formula of the words; what the words give is taken for true."""
        given = display.start in self.source.given
        try:
            pieces = statements(tokens(self.source, display))
        except ReadError as error:
            self.refuse(display.start, self.source.text[display.start : display.end], error)
            return
        for piece in pieces:
            latex = self._written(display, piece)
            try:
                tree = self._tree(piece)
                if isinstance(tree, Chain) and not is_shape(tree):
                    here = context(tree, self.names)
                    yield Statement(
                        tree, piece, latex, here, reason=given, inline=True, parsed=tree
                    )
            except (SymattnError, *UNFORESEEN) as error:
                self.refuse(piece[0].at, latex, placed(self.source, piece[0].at, error))


def _turned(tree: Node) -> Node:
    r"""A = I + X X^\top for I + X X^\top \triangleq A, where the name stands on the right."""
    match tree:
        case Chain(sides=(left, right), relations=((":=", at),)) if (
            base_name(plain(right)) is not None
            and isinstance(plain(left), Addition | Product | Fraction | Group)
            and whole(left) is None
        ):
            return replace(tree, sides=(right, left), relations=(("=", at),))
    return tree
