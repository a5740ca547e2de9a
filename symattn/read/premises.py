r"""Conditions on letters under which an equation is stated: i = j, i \ne j, j \le i.

Both sides are taken times the bracket of the condition, [i ≠ j] A = [i ≠ j] B, which is what
"A = B if i ≠ j" says.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass, replace
from itertools import pairwise

from .clauses import ATTACHED, governing
from .lexer import Token
from .source import Display, Source
from .split import CLOSERS, OPENERS, sides
from .tree import Cases, Chain, Name, Node, walk

RELATIONS = frozenset("=≠<>≤≥")
_SCRIPTS = frozenset({"UNDER", "CARET"})
_LEADING = frozenset({"IF", "FORALL", "WHERE", "LPAREN", "LSQUARE"})
_TRAILING = frozenset({"RPAREN", "RSQUARE", "COMMA", "STOP"})
_FORMULA = r"(?:(?<![\\$])\$(?!\$)(?P<dollars>[^$\n]{1,40})\$(?!\$)|\\\((?P<round>.{1,40}?)\\\))"
_SUPPOSED = r"[Cc]ase|[Ss]uppos(?:e|ing)|[Aa]ssum(?:e|ing)|[Cc]onsider(?:ing)?|[Ll]et"
_FILLING = (
    r"(?:\s+(?:\d|[ivx]{1,3}|all|any|every|each|distinct|that|now|first|next|the|case|"
    r"(?:when|where|in|of)\b))*[\s:(]*"
)
_BEFORE = re.compile(  # If $i = j$, we get \[ …
    rf"\b(?:[Ii]f|[Ww]hen|[Ff]or|[Ww]here|{_SUPPOSED}){_FILLING}{_FORMULA}[^$\\]{{0,60}}$"
)
_THEN = re.compile(  # Suppose that $i = j$. Then \[ …
    rf"\b(?:{_SUPPOSED}){_FILLING}{_FORMULA}\)?[.:;]\s+[^$\\.]{{0,60}}$"
)
_BEHIND = re.compile(  # … \] if $i \ne j$.
    r"[\s,.;]*(?:\$\$|\\\]|\\end\{\w+\*?\})[\s,]*(?:if|when|for|where)\s+" + _FORMULA + r"(?!\s*:)"
)
_SAID = re.compile(  # a condition of its sentence, and what is listed with it
    rf"(?:\b(?:[Ii]f|[Ww]hen(?:ever)?|[Ff]or|[Uu]nless|{_SUPPOSED}){_FILLING}|"
    rf"(?<=[$)])\s*(?:,|,?\s*(?:and|or))\s+(?=[$\\](?:[^$=]|\\ne)*(?:\$|\\\)))|"
    rf"(?<=[$)])\s*(?=\())\(?{_FORMULA}"
)
_COMPARED = re.compile(r"[=<>≤≥≠]|\\(?:leq?|geq?|lt|gt|neq?|in)(?![a-z])")
_INLINE = re.compile(r"(?<![\\$])\$(?!\$)[^$]*\$(?!\$)|\\\(.*?\\\)", re.DOTALL)
_INDICES = re.compile(r"[_^]\s*(?:\{([^{}]*)\}|(\w))")
_REST = re.compile(
    r"\b(?:otherwise|else|elsewhere|(?:off|on) the diagonal|"
    r"(?:the|all) (?:other|rest|remaining)\w*)\b",
    re.IGNORECASE,
)
_EDGE = re.compile(r"(?:\$|\\\()\s*$")
_JOINED = re.compile(r"^[\s,;]*(?:but|while|whereas)\b")  # of two clauses
_SENTENCE = re.compile(r"[.?!;]\s+|\n\s*\n")
_OF_NEXT = re.compile(rf"\b(?:if|when|for|where)\s+{_FORMULA}\s*:\s*\Z")  # if $i \ne j$: \[ …
_DENIED = re.compile(r"\b(?:not|unlike|except|unless|than|contrast|instead|only|but)\b[^.]*$", re.I)
_OPENER = re.compile(
    r"(?:\s|\$\$|\\\[|\\begin\{[^{}]*\}|\\label\{[^{}]*\}|>|<!--(?:(?!-->).)*-->)*\Z", re.DOTALL
)
_OF_LAST = re.compile(r"(?:\s|\$\$|\\\]|\\end\{\w+\*?\}|[,.;])*(?:if|when|for|where)\b")
_STOP = re.compile(r"\n\s*\n\s*\n|[.?!]\s+(?=[A-Z])")
REACH = 200  # characters before a display in which its condition stands


@dataclass(frozen=True)
class Premise:
    """A comparison of letters, and as it is written; `at` is its place in the words."""

    node: Node
    latex: str
    at: int = -1

    @property
    def letters(self) -> set[str]:
        """The letters that it compares."""
        return letters(self.node)


def parted(pieces: Iterable[list[Token]]) -> list[tuple[list[Token], list[Token]]]:
    r"""Each statement of a display with the comparison that stands right behind it, if one does.

    A row that goes on with = behind a condition is about the left side before: in
    a = b, \quad i = j \\ = c, \quad i \ne j the last one is a = c.
    """
    found: list[tuple[list[Token], list[Token]]] = []
    for piece in pieces:
        first = _told(piece)
        rest = [piece[:first], piece[first:]] if first else [piece]
        for part in rest:
            condition, tail = compared(part)
            if condition and found and not found[-1][1] and _is_about(found[-1][0], condition):
                before = found[-1][0]
                found[-1] = before, condition
                if tail:
                    left = [replace(t, at=tail[0].at) for t in sides(before)[0]]
                    found.append(([*left, *tail], []))
            else:
                found.append((part, []))
    return found


def limits(piece: list[Token]) -> bool:
    r"""What stands behind an equation is a condition: \text{if } x > 0, x \ge 0, (x \ne y)."""
    if not piece or piece[0].kind in ("IF", "FORALL"):
        return bool(piece)
    ends = piece[0].kind, piece[-1].kind
    depth = 1 if ends == ("LPAREN", "RPAREN") else 0
    related = [t.text for t, d in zip(piece, _depths(piece), strict=True)
               if t.kind == "REL" and d == depth]  # fmt: skip
    return bool(related) and (bool(depth) or not {*related} - {*"≠<>≤≥"})


def otherwise(found: list[Token]) -> bool:
    """The word stands outside of brackets and cases."""
    return any(t.kind == "OTHERWISE" and not d for t, d in zip(found, _depths(found), strict=True))


def _depths(piece: list[Token]) -> Iterator[int]:
    depth = 0
    for token in piece:
        depth += (token.kind in OPENERS) - (token.kind in CLOSERS)
        yield depth


def _told(piece: list[Token]) -> int:
    """The place of an "if" behind an equation, outside of brackets and cases; 0 for none."""
    pairs = enumerate(zip(piece, _depths(piece), strict=True))
    return next((k for k, (t, d) in pairs if k and not d and t.kind in ("IF", "FORALL")), 0)


def compared(piece: list[Token]) -> tuple[list[Token], list[Token]]:
    """The comparison of letters with which tokens begin, and what goes on behind it."""
    start, end = 0, len(piece)
    while start < end and piece[start].kind in _LEADING:
        start += 1
    while end > start and piece[end - 1].kind in _TRAILING:
        end -= 1
    inner = piece[start:end]
    parts = sides(inner)
    letters = [_letters(part) for part in parts]
    count = next((k for k, some in enumerate(letters) if some is None), len(parts))
    if count < 2 or sum(map(len, filter(None, letters[:2]))) < 2:
        return [], []
    count = len(parts) if count == len(parts) else 2
    length = sum(map(len, parts[:count])) + count - 1
    relations = [t for t in inner[:length] if t.kind == "REL"]
    if any(t.text not in RELATIONS for t in relations):
        return [], []
    return inner[:length], inner[length:]


def _letters(tokens: list[Token]) -> list[str] | None:
    """The letters of i, j and i - k + 1; None for anything else."""
    plain = all(t.kind in ("NAME", "NUMBER", "PLUS", "MINUS") for t in tokens)
    names = [t.text for t in tokens if t.kind == "NAME"]
    return names if plain and tokens and all(len(n) == 1 for n in names) else None


def _is_about(piece: list[Token], condition: list[Token]) -> bool:
    """An equation that has all letters of a comparison in its scripts."""
    depth, inside = 0, set[str]()
    for before, token in pairwise(piece):
        opens = token.kind == "LBRACE" and (depth or before.kind in _SCRIPTS)
        depth += 1 if opens else -1 if depth and token.kind == "RBRACE" else 0
        if token.kind == "NAME" and (depth or before.kind in _SCRIPTS):
            inside.add(token.text)
    return len(sides(piece)) > 1 and {t.text for t in condition if t.kind == "NAME"} <= inside


def said(source: Source, display: Display) -> tuple[Display | None, bool]:
    """The comparison in the words round a display, and whether they make it the condition."""
    if source.is_inline(display.start):
        return _in_a_sentence(source, display)
    last = max((d.end for d in source.displays if d.end <= display.start), default=0)
    end = last + _OPENER.search(source.text[last : display.start]).start()  # type: ignore[union-attr]
    begin = max(last, end - REACH)
    before = source.text[begin:end]
    start = max((m.end() for m in _STOP.finditer(before)), default=0)
    of_last = begin == last > 0 and _OF_LAST.match(before) and not _OF_NEXT.search(before)
    match = _BEFORE.search(before, start) if start or not of_last else None
    match = match or _THEN.search(before)
    if match:
        ahead = _STOP.split(before[: match.start()])[-1]
        return _place(match, begin), not _DENIED.search(ahead)
    if match := _BEHIND.match(source.text, display.end):
        return _place(match, 0), True
    spoken = [m for m in re.finditer(_FORMULA, before) if not (of_last and not start)]
    return (_place(spoken[-1], begin), False) if spoken else (None, False)


def _marks(source: Source, display: Display) -> tuple[int, dict[int, Display], set[int]]:
    """Where the sentence of a formula begins, its conditions, and the places of its equations."""
    text, begin = source.text, max(0, display.start - REACH)
    begin += max((m.end() for m in _SENTENCE.finditer(text[begin : display.start])), default=0)
    last = _SENTENCE.search(text, display.end)
    end = min(last.start() if last else len(text), display.end + REACH)
    said = (_place(m, 0) for m in _SAID.finditer(text, begin, end))
    conditions = {
        where.start: where
        for where in said
        if where.start != display.start and _COMPARED.search(text[where.start : where.end])
    }
    every = _INLINE.finditer(text, begin, end)
    shown = (m.start() + (1 if m[0].startswith("$") else 2) for m in every)
    known = (at for at in shown if at not in conditions)
    return begin, conditions, {at for at in known if "=" in text[at:end].split("$")[0]}


def _in_a_sentence(source: Source, display: Display) -> tuple[Display | None, bool]:
    """For $i \\ne j$ we get $…$ and $…$; and $…$ for $i \\ne j$, $…$ for $i = j$."""
    begin, conditions, equations = _marks(source, display)
    text = source.text
    attached = {x for x in conditions if ATTACHED.search(text, max(0, x - REACH), x)}
    if not (found := governing(equations, conditions, display.start, attached)):
        before = max(0, begin - REACH)
        match = _THEN.search(_EDGE.sub("", text[before : display.start]))
        return (_place(match, before), True) if match else (None, False)
    at = found[0]
    between = text[min(at, display.start) : max(at, display.end)]
    ahead = max((m.end() for m in _INLINE.finditer(text, begin, at)), default=begin)
    words = _JOINED.sub("", text[ahead:at])
    stands = len(found) == 1 and not _REST.search(between) and not _DENIED.search(words)
    return conditions[at], stands


def listed(source: Source, display: Display) -> bool:
    """The second of two cases, each with its condition behind it: a if x > 0 and b if x < 0."""
    _, conditions, equations = _marks(source, display)
    at = display.start
    before = sorted(x for x in {*conditions, *equations} if x < at)
    behind = sorted(x for x in {*conditions, *equations} if x > at)
    cases = bool(before) and before[0] not in conditions and before[-1] in conditions
    return cases and bool(behind) and behind[0] in conditions


def rules(source: Source, display: Display) -> bool:
    """A formula in a sentence is under a comparison of letters that are indices in it."""
    where, stands = _in_a_sentence(source, display)
    if where is None or not stands:
        return False
    condition = re.sub(r"\\[a-z]+|\d", " ", source.text[where.start : where.end])
    formula = source.text[display.start : display.end]
    indices = "".join(x for found in _INDICES.findall(formula) for x in found)
    letters = {*re.findall(r"[A-Za-z]", condition)}
    return len(letters) > 1 and letters <= {*indices}


def _place(match: re.Match[str], offset: int) -> Display:
    group = "dollars" if match["dollars"] is not None else "round"
    return Display(match.start(group) + offset, match.end(group) + offset)


def of(statement: Node) -> tuple[Node, ...]:
    """The conditions that an equation has in both of its sides."""
    match statement:
        case Chain(sides=(Cases(rows=((_, Node() as condition),)), *rest)) if all(
            isinstance(s, Cases) and s.rows[0][1] is condition for s in rest
        ):
            return condition, *of(bare(statement))
    return ()


def bare(statement: Node) -> Node:
    """The equation without its last condition."""
    if not isinstance(statement, Chain):
        return statement
    return replace(statement, sides=tuple(s.rows[0][0] for s in statement.sides))  # type: ignore[attr-defined]


def letters(*conditions: Node) -> set[str]:
    """The letters that conditions compare."""
    return {n.text for c in conditions for n in walk(c) if isinstance(n, Name)}


def under(tree: Node, conditions: Iterable[Premise], about: Collection[str]) -> Node:
    """[c] A = [c] B for A = B under c; as it stands where c compares what it is not about."""
    for p in conditions:
        if isinstance(tree, Chain) and p.letters <= {*about}:
            sides = tuple(Cases(side.at, ((side, p.node),)) for side in tree.sides)
            tree = replace(tree, sides=sides)
    return tree
