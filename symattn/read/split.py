"""Where one statement of a display ends and the next begins, and what is told of a statement."""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import pairwise
from typing import TYPE_CHECKING

from .lexer import Token
from .tree import Chain
from .vocabulary import REASONS

if TYPE_CHECKING:
    from .names import Context
    from .premises import Premise
    from .tree import Node

OPENERS = (
    "LBRACE",
    "LPAREN",
    "LSQUARE",
    "LSET",
    "LANGLE",
    "LABS",
    "LNORM",
    "BEGIN_CASES",
    "BEGIN_MATRIX",
)
CLOSERS = (
    "RBRACE",
    "RPAREN",
    "RSQUARE",
    "RSET",
    "RANGLE",
    "RABS",
    "RNORM",
    "END_CASES",
    "END_MATRIX",
)
_JOINS = frozenset(
    {"REL", "PLUS", "MINUS", "TIMES", "ODOT", "SLASH", "OTIMES", "PM", "CARET", "UNDER"}
)
_ENDS = frozenset({"COMMA", "SEMI", "IMPLIES", "WHERE", "OTHERWISE"})
_STOPS = frozenset({"QUAD", "ROW", "SEMI", "IMPLIES", "WHERE", "STOP"})  # end "for all i"
_SETS = frozenset({"SET", "LSET", "LSQUARE", "LPAREN"})  # ℝ^n, {-1, 1}, [0, 1] and (0, 1)
_NAMING = ("NAME", "PRIME", "FONT", "ACCENT", "LBRACE", "RBRACE", "UNDER", "NUMBER")
_BREAKS = frozenset({"ROW", "QUAD"})  # end a statement unless an operator stands there


def statements(found: list[Token]) -> list[list[Token]]:
    r"""The statements of a display: apart at `,` `;` `\quad` `⇔`, at rows and at lines.

    A row or line that begins with a relation or an operator continues the one before it; a line
    begins a statement when it holds a relation of its own.
    """
    parts: list[list[Token]] = [[]]
    depth = 0
    pending = ""
    related = False  # the statement has a relation
    reason: Token | None = None  # "since" before the statement that begins
    skipped = 0  # tokens before this place are the letters of "for all i"
    for position, token in enumerate(found):
        if token.kind == "FORALL" and depth == 0:
            skipped = _quantified(found, position) or skipped
        if depth == 0 and pending and _enumerated(found, position):
            skipped = _quantified(found, position - 1) or skipped
        if position < skipped:
            continue
        if depth == 0 and pending == "QUAD" and (end := _bracketed(found, position)):
            skipped = end
            continue
        if token.line_break and depth == 0 and related and _starts_equation(found, position):
            pending = pending or "LINE"
        if token.kind == "AMP" and position and found[position - 1].kind == "AMP" and not depth:
            pending = pending or "QUAD"  # another column
            continue
        if depth == 0 and (token.kind in _ENDS or token.kind in _BREAKS or token.kind == "AMP"):
            reason = token if token.kind == "WHERE" and token.text in REASONS else reason
            if token.kind in _ENDS or (token.kind in _BREAKS and pending not in _ENDS):
                pending = token.kind
            continue
        if pending:
            beside = token.kind == "PROSE" and pending != "LINE"  # a remark at the end of a row
            if parts[-1] and (pending in _ENDS or not (beside or _continues(parts[-1], token))):
                parts.append([])
                related = False
            pending = ""
            if reason is not None and not parts[-1]:
                parts[-1].append(reason)
            reason = None
        depth += (token.kind in OPENERS) - (token.kind in CLOSERS)
        related = related or (token.kind == "REL" and depth == 0)
        parts[-1].append(token)
    return [piece for part in parts if (trimmed := _trimmed(part)) for piece in _named(trimmed)]


def _named(part: list[Token]) -> list[list[Token]]:
    """a ≥ b and b =: F for a ≥ b =: F."""
    depth, links = 0, []
    for k, token in enumerate(part):
        depth += (token.kind in OPENERS) - (token.kind in CLOSERS)
        links += [k] if token.kind == "REL" and depth == 0 else []
    if len(links) < 2 or part[links[-1]].text != "=:":
        return [part]
    return [part[: links[-1]], part[links[-2] + 1 :]]


def _bracketed(found: list[Token], position: int) -> int:
    """The place behind an equation in brackets that ends a row, where the next goes on with =."""
    depth, related = 0, False
    for k in range(position, len(found) if found[position].kind == "LPAREN" else position):
        depth += (found[k].kind in OPENERS) - (found[k].kind in CLOSERS)
        related = related or (found[k].kind == "REL" and depth == 1)
        if not depth:
            after = [t.kind for t in found[k + 1 : k + 4] if t.kind != "AMP"]
            return k + 1 if related and after[:2] == ["ROW", "REL"] else 0
    return 0


def _quantified(found: list[Token], position: int) -> int:
    """The place behind "for all i, j" or "for i = 1, …, n"; 0 where a condition stands there."""
    end = position + 1
    while end < len(found) and found[end].kind in _NAMING:
        end += 1
        if found[end : end + 1] and found[end].kind == "COMMA":
            end += 1
    if end == position + 1:
        return 0
    ranged = [t.kind + t.text for t in found[end : end + 1]] == ["REL∈"] or (
        [t.kind + t.text for t in found[end : end + 1]] == ["REL="]
        and [t.kind for t in found[end + 1 : end + 2]] == ["NUMBER"]
    )
    while ranged and end < len(found) and found[end].kind not in _STOPS:
        end += 1
    return end if end == len(found) or found[end].kind in _STOPS else 0


def _enumerated(found: list[Token], position: int) -> bool:
    """True for i = 1, …, n, which says how far an equation holds."""
    kinds = [t.kind for t in found[position : position + 5]]
    if kinds[:3] != ["NAME", "REL", "NUMBER"] or found[position + 1].text != "=":
        return False
    rest = found[position + 3 : position + 8]
    return any(t.kind == "SIGN" and t.text == "dots" for t in rest) and kinds[3:4] == ["COMMA"]


def _continues(before: list[Token], token: Token) -> bool:
    return token.kind in _JOINS or before[-1].kind in _JOINS


def _starts_equation(found: list[Token], position: int) -> bool:
    if found[position].kind in _JOINS or found[position - 1].kind in _JOINS:
        return False
    depth = 0
    for step in range(position, len(found)):
        token = found[step]
        if token.line_break and step > position and depth == 0:
            return False
        if token.kind == "REL" and depth == 0:
            return True
        depth += (token.kind in OPENERS) - (token.kind in CLOSERS)
    return False


def _trimmed(part: list[Token]) -> list[Token]:
    """A statement without full stops at its end; a number (12) alone is the equation's number."""
    while part and part[-1].kind == "STOP":
        part = part[:-1]
    if [t.kind for t in part] == ["LPAREN", "NUMBER", "RPAREN"]:
        return []
    return part


@dataclass(eq=False)
class Statement:
    tree: Node
    tokens: list[Token]
    latex: str
    here: Context
    fact: bool = False  # taken for true
    reason: bool = False  # stands behind "since": taken for true where it defines nothing
    inline: bool = False  # stands in a sentence
    parsed: Node | None = None  # as the grammar has it
    called: Node | None = None  # without the bodies of the functions that are called in it
    value: bool = False  # says what f(0) is, of an f that is defined
    instance: bool = False  # of an equation between steps, at another step
    premises: tuple[Premise, ...] = ()  # comparisons of letters under which it is stated
    limit: str = ""  # another condition that stands beside it
    begin: int | None = None  # where its LaTeX begins in the text, if not at its first token

    def without(self, out: tuple[int, ...]) -> Statement:
        """The chain without some of its sides; its LaTeX is without them, and as long in lines."""
        tree = self.tree
        start = self.tokens[0].at if self.begin is None else self.begin
        assert isinstance(tree, Chain)
        kept = [k for k in range(len(tree.sides)) if k not in out]
        edges = [start, *(at for _, at in tree.relations), start + len(self.latex)]
        parts = [self.latex[a - start : b - start] for a, b in pairwise(edges)]
        lines = [p if k in kept else "\n" * p.count("\n") + p.rpartition("\n")[2] * ("\n" in p)
                 for k, p in enumerate(parts)]  # fmt: skip
        latex = "".join(lines)
        relations = tuple(tree.relations[k - 1] for k in kept[1:])
        short = replace(tree, sides=tuple(tree.sides[k] for k in kept), relations=relations)
        return replace(self, tree=short, latex=latex)


def without_words(piece: list[Token]) -> list[list[Token]]:
    """The formulas between words; a set behind an equation, A = B ∈ ℝ^n, is left out.

    What goes on behind words, a = b (by this) = c, is one formula.
    """
    depth = 0
    parts: list[list[Token]] = [[]]
    for k, token in enumerate(piece):
        depth += (token.kind in OPENERS) - (token.kind in CLOSERS)
        if token.kind == "PROSE" and not depth:
            parts[-1] = _trimmed(parts[-1])
            if not (parts[-1] and _goes_on(piece[k + 1 :])):
                parts.append([])
            continue
        if token.kind == "REL" and token.text == "∈" and not depth:
            typed = any(t.kind == "REL" for t in parts[-1])
            if typed and k + 1 < len(piece) and piece[k + 1].kind in _SETS:
                break
        parts[-1].append(token)
    return [p for p in parts if p]


def _goes_on(rest: list[Token]) -> bool:
    """True for = c and + c, and for - c unless it is the left side of an equation."""
    depth, first = 0, rest[0].kind if rest else ""
    for token in rest if first == "MINUS" else ():
        depth += (token.kind in OPENERS) - (token.kind in CLOSERS)
        if token.kind in ("REL", "PROSE") and not depth:
            return token.kind == "PROSE"
    return first in ("REL", "PLUS", "MINUS")


def implied(piece: list[Token]) -> list[list[Token]]:
    """The equations on both sides of an arrow that says that one follows from the other."""
    depth, related = 0, False
    for k, token in enumerate(piece):
        depth += (token.kind in OPENERS) - (token.kind in CLOSERS)
        if token.kind != "REL" or depth:
            continue
        rest = piece[k + 1 :]
        if token.text == "→" and related and any(t.kind == "REL" for t in rest):
            return [piece[:k], *implied(rest)]
        related = True
    return [piece]


def last_side(piece: list[Token]) -> list[Token]:
    """What stands behind the last relation of a statement."""
    return sides(piece)[-1]


def sides(piece: list[Token]) -> list[list[Token]]:
    """What stands between the relations of a statement."""
    depth = 0
    found: list[list[Token]] = [[]]
    for token in piece:
        depth += (token.kind in OPENERS) - (token.kind in CLOSERS)
        if token.kind == "REL" and not depth:
            found.append([])
        else:
            found[-1].append(token)
    return found
