"""The statements of displays, and of the formulas in sentences, as trees."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, field, replace

from ..errors import SymattnError
from . import covariant, examples, mangled, premises, remarks
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

WORDS = frozenset({"PROSE", "IF", "WHERE", "FORALL", "OTHERWISE"})


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

    def _written(self, display: Display, piece: list[Token], text: str = "") -> str:
        """What stands in the text for the tokens."""
        end = min(self._end(piece[-1]), display.end)
        return (text or self.source.text)[piece[0].at : end].strip()

    def _tree(self, piece: list[Token]) -> Node:
        tree = covariant.expanded(expanded(parse(self.source, piece)))
        return examples.listed(_turned(tree, self.strict))

    def displayed(self) -> Iterator[list[Statement]]:
        """The statements of each display, in order."""
        last: list[Token] = []
        sign: Token | None = None  # with which the display before ends
        around: Premise | None = None
        inline = self.source.inline
        taken = [(d, True) for d in self.source.assumptions if d.start not in inline]
        for display, fact in [*((d, False) for d in self.source.displays), *taken]:
            try:
                scanned = self._scanned(display)
                found, beside = remarks.apart(scanned.tokens)
                for remark in beside:
                    place = remark[0].at, self._end(remark[-1])
                    scanned = replace(scanned, text=mangled.blanked(scanned.text, place))
                pieces = statements(found)
            except ReadError as error:
                whole = self.source.text[display.start : display.end].strip()
                self.refuse(display.start, whole, error)
                continue
            said = Round() if self.strict else self._round(display, found)
            goes_on = bool(pieces and last) and (pieces[0][0].kind == "REL" or sign is not None)
            if goes_on:  # with =
                at = pieces[0][0].at
                before = last_side(last)
                if sign is not None and pieces[0][0].kind != "REL":
                    before = [*before, sign]
                pieces[0] = [*(replace(t, at=at) for t in before), *pieces[0]]
            sign = None
            if not self.strict and pieces and len(pieces[-1]) > 1 and pieces[-1][-1].kind == "REL":
                sign = pieces[-1][-1]
                pieces[-1] = pieces[-1][:-1]
            around = said.stated or (around if goes_on else None)  # under the condition before
            last = pieces[-1] if pieces else last
            said = replace(said, stated=around)
            pieces += [piece for remark in beside for piece in statements(remark)]
            yield [*self._apart(display, pieces, said, fact, scanned)]

    def _scanned(self, display: Display) -> mangled.Scanned:
        if self.strict:
            return mangled.Scanned(tokens(self.source, display), [], [], self.source.text)
        found = mangled.scanned(self.source, display)
        wrong = [*found.unknown, *(error for *_, error in found.rows)]
        if wrong and any(t.kind in WORDS for t in found.tokens):  # it may be part of a condition
            raise wrong[0]
        for row in found.rows:
            self.refuse(*row)
        return found

    def _apart(
        self,
        display: Display,
        pieces: list[list[Token]],
        said: Round,
        fact: bool,
        scanned: mangled.Scanned,
    ) -> Iterator[Statement]:
        """The statements of one display; a side that cannot be read is left out of its chain."""
        if not self.strict:
            pieces = [p for piece in pieces for p in without_words(piece)]
            pieces = [p for piece in pieces for p in implied(piece)]

        def aside(piece: list[Token]) -> bool:
            """In a remark, which the text of the rows is without."""
            return scanned.text[piece[0].at].isspace()

        pieces = [p for p in pieces if not aside(p) or any(t.kind == "REL" for t in p)]
        pairs: list[tuple[list[Token], list[Token]]] = [(p, []) for p in pieces]
        pairs = pairs if self.strict else premises.parted(pieces)
        several = len(pieces) > 1
        edges = [display.start, *(self._end(p[-1]) for p, _ in pairs)]
        for k, (piece, condition) in enumerate(pairs):
            after = pairs[k + 1][0] if k + 1 < len(pairs) else []
            reason = piece[0].kind == "WHERE" and piece[0].text in REASONS
            piece = piece[1:] if reason else piece
            begin = piece[0].at
            latex = self._written(display, piece, "" if aside(piece) else scanned.text)
            if not (several or condition):
                latex = scanned.text[display.start : display.end].strip()
                begin = scanned.text.index(latex, display.start)
            limit = self._written(display, after) if premises.limits(after) else said.rest
            out = dict[int, ReadError]()
            try:
                until = pairs[k + 1][0][0].at if after else display.end
                gone = [e for e in scanned.unknown if edges[k] <= e.at < until]
                tree, out = self._read_tree(piece, gone)
                own = (
                    Premise(parse(self.source, condition), self._written(display, condition))
                    if condition
                    else None
                )
                s = Statement(
                    tree,
                    piece,
                    latex,
                    context(tree, self.names),
                    fact,
                    reason,
                    parsed=tree,
                    limit=limit,
                    begin=begin,
                )
                yield self._under(self._shorter(s, out), own, said)
            except (SymattnError, *UNFORESEEN) as error:
                at = piece[0].at
                self.refuse(at, latex, placed(self.source, at, error))

    def _read_tree(
        self, piece: list[Token], unknown: list[ReadError]
    ) -> tuple[Node, dict[int, ReadError]]:
        """The tree of a statement, and the sides of it that cannot be read, each with its error."""
        failure: Exception | None = unknown[0] if unknown else None
        if failure is None:
            try:
                return self._tree(piece), {}
            except (SymattnError, *UNFORESEEN) as error:
                failure = error
        mended, out = ([], {}) if self.strict else mangled.whole_sides(self.source, piece, unknown)
        if not out:
            raise failure
        return self._tree(mended), out

    def _shorter(self, s: Statement, out: dict[int, ReadError]) -> Statement:
        """The statement without sides that cannot be read, which are refused by themselves."""
        if not out or not isinstance(s.tree, Chain):
            return s
        starts = [at for _, at in s.tree.relations]
        ends = [*starts[1:], self._end(s.tokens[-1])]
        for k, error in out.items():
            self.refuse(starts[k - 1], self.source.text[starts[k - 1] : ends[k - 1]].strip(), error)
        short = s.without((*out,))
        here = context(short.tree, self.names)
        return replace(short, parsed=short.tree, here=here)

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
            every = tokens(self.source, display)
            pieces = statements(every)
            if (before := self.source.joined.get(display.start)) is not None and pieces:
                pieces = [self._going_on(before, pieces[0]), *pieces[1:]]
        except ReadError as error:
            self.refuse(display.start, self.source.text[display.start : display.end], error)
            return
        said = Round() if self.strict else self._round(display, every)
        for piece in pieces:
            latex = self._written(display, piece)
            latex = f"= {latex}" if display.start in self.source.joined else latex
            try:
                tree = self._tree(piece)
                if isinstance(tree, Chain) and not is_shape(tree):
                    here = context(tree, self.names)
                    s = Statement(tree, piece, latex, here, reason=given, inline=True, parsed=tree)
                    yield self._under(s, None, said)
            except (SymattnError, *UNFORESEEN) as error:
                self.refuse(piece[0].at, latex, placed(self.source, piece[0].at, error))

    def _going_on(self, before: Display, piece: list[Token]) -> list[Token]:
        """What a formula is said to be equal to, = and the formula."""
        at = piece[0].at
        side = last_side(statements(tokens(self.source, before))[-1])
        return [*(replace(t, at=at) for t in side), Token("REL", "=", at), *piece]


def _turned(tree: Node, strict: bool) -> Node:
    r"""A = I + X X^\top for I + X X^\top \triangleq A, where the name stands on the right."""
    match tree:
        case Chain(sides=(left, right), relations=(("=:", at),)):
            return replace(tree, sides=(right, left), relations=((":=", at),))
        case Chain(sides=(left, right), relations=((":=", at),)) if (
            not strict
            and base_name(plain(right)) is not None
            and isinstance(plain(left), Addition | Product | Fraction | Group)
            and whole(left) is None
        ):
            return replace(tree, sides=(right, left), relations=(("=", at),))
    return tree
