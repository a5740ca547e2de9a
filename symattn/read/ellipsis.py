r"""What dots leave out: x_1 + … + x_n is Σ_k x_k, and (x_1, …, x_n) the vector of all x_k.

The first and the last entry have to be one pattern with another number, 1 or 0 and n, and so has an
entry between them.  Dots that are nothing of the kind stay what they are.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import fields, replace
from typing import Any

from . import ordered, progressions
from .tree import (
    Addition,
    Chain,
    Given,
    Group,
    Matrix,
    Name,
    Node,
    Number,
    Product,
    Scripted,
    Stack,
    Symbol,
    rebuilt,
    renamed,
    spelled,
    walk,
)

LETTERS = ("k", "i", "j", "r", "m", "l", "s", "t", "a", "b", "k_1", "k_2", "k_3", "k_4")


def expanded(tree: Node) -> Node:
    r"""The tree with sums and stacks in place of dots, and Σ_i Σ_j for \sum_{i,j=1}^n."""
    if any(_ranges(part) for n in walk(tree) for _, part in getattr(n, "parts", ())):
        tree = rebuilt(tree, _one_by_one)
    if not any((isinstance(n, Symbol) and n.kind == "dots") or _indexed(n) for n in walk(tree)):
        return tree
    taken = {n.text for n in walk(tree) if isinstance(n, Name)}
    return rebuilt(tree, _Dots([x for x in LETTERS if x not in taken]).node)


def _ranges(sign: object) -> list[ordered.Scripts]:
    r"""The limits of i and of j in \sum_{i,j=1}^n and \sum_{1 ≤ i < j ≤ n}; none for other sums."""
    match sign:
        case Scripted(
            base=Symbol(kind="sum" | "prod"),
            scripts=(
                ("_", Group(items=(*others, Chain(sides=(Name() as last, first)) as chain))),
                above,
            ),
        ) if others and all(isinstance(x, Name) for x in others) and chain.relations[0][0] == "=":
            letters = [x for x in (*others, last) if isinstance(x, Name)]
            starts = (Chain(x.at, (x, first), chain.relations) for x in letters)
            return [(("_", start), above) for start in starts]
    return ordered.ranges(sign)


def _one_by_one(node: Node) -> Node:
    if not isinstance(node, Product):
        return node
    parts: list[tuple[str, Node]] = []
    for op, part in node.parts:
        signs = [
            replace(part, scripts=scripts)  # type: ignore[call-arg]
            for scripts in _ranges(part)
        ]
        parts += [(op if not k else "", s) for k, s in enumerate(signs)] or [(op, part)]
    return replace(node, parts=tuple(parts))


def _indexed(node: Node) -> Stack | None:
    r"""The list that \{x_i\}_{i=1}^n stands for."""
    match node:
        case Scripted(
            base=Group(bracket="\\{", items=(body,)),
            scripts=(("_", Chain(sides=(Name() as letter, first), relations=(("=", _),))), *above),
        ) if len(above) == 1 and above[0][0] == "^":
            return Stack(node.at, letter, first, above[0][1], body, "below")
    return None


class _Dots:
    """Rewrites one statement; `letters` are those that it does not use."""

    def __init__(self, letters: list[str]) -> None:
        self.letters = letters

    def node(self, node: Node) -> Node:
        """A node whose parts are rewritten, rewritten itself."""
        match node:
            case Addition():
                return self._sum(node)
            case Group(bracket="[" | "(", items=(Product() as row,)) if _plain(row):
                parts = self._list([p for _, p in row.parts], "beside")
                return parts[0] if len(parts) == 1 else node
            case Group() if len(node.items) > 2:
                items = tuple(self._list(node.items, "tuple" if node.bracket in "([" else "below"))
                return replace(node, items=items) if len(items) < len(node.items) else node
            case Given():
                items = tuple(self._list(node.items, "below"))
                return replace(node, items=items, given=tuple(self._list(node.given, "below")))
            case Matrix():
                return self._matrix(node)
        return _indexed(node) or node

    def _sum(self, node: Addition) -> Node:
        k = _place([part for _, part in node.parts])
        if k < 1:
            return node
        found = self._row([p for _, p in node.parts[:k]], [p for _, p in node.parts[k + 1 : k + 2]])
        if found is None:
            return node
        start, letter, body, first, last = found
        signs = {sign for sign, _ in node.parts[start : k + 2]}
        if len(signs) != 1:
            return node
        at = body.at
        below = Chain(at, (Name(at, letter), first), (("=", at),))
        sign = Scripted(at, Symbol(at, "sum", "sum"), (("_", below), ("^", last)))
        inside = body.parts if isinstance(body, Product) else (("", body),)
        total = Product(at, (("", sign), *inside))
        rest = (*node.parts[:start], (signs.pop(), total), *node.parts[k + 2 :])
        return replace(node, parts=rest)

    def _row(
        self, before: Sequence[Node], last: Sequence[Node]
    ) -> tuple[int, str, Node, Node, Node] | None:
        """The pattern of terms with dots behind them, and with the last one if there is one."""
        found = self._pattern(before, last[0]) if last else None
        if found is not None or not self.letters:
            return found
        letter = self.letters[0]
        row = progressions.ended(before, last[0], letter) if last else None
        row = row or (progressions.endless(before, letter) if not last else None)
        if row is None:
            return None
        self.letters.pop(0)
        start, body, end = row
        return start, letter, body, Number(body.at, "0"), end

    def _list(self, items: Sequence[Node], kind: str) -> list[Node]:
        k = _place(items)
        if not 0 < k < len(items) - 1:
            return list(items)
        found = self._pattern(items[:k], items[k + 1])
        if found is None:
            return list(items)
        start, letter, body, first, last = found
        stack = Stack(items[start].at, Name(items[start].at, letter), first, last, body, kind)
        return [*items[:start], stack, *self._list(items[k + 2 :], kind)]

    def _matrix(self, node: Matrix) -> Node:
        rows = []
        for cells in node.rows:
            if len(cells) == 1 and isinstance(cells[0], Product) and _plain(cells[0]):
                cells = tuple(p for _, p in cells[0].parts)  # [k_1 \ \dots \ k_n]
            dots = all(isinstance(c, Symbol) and c.kind == "dots" for c in cells)
            row = [cells[0]] if dots and cells else self._list(cells, "beside")
            rows.append(row)
        if not all(len(row) == 1 for row in rows):
            return node
        column = self._list([row[0] for row in rows], "below")
        return column[0] if len(column) == 1 else node

    def _pattern(
        self, before: Sequence[Node], last: Node
    ) -> tuple[int, str, Node, Node, Node] | None:
        """Where the list begins, its letter, its entry, and the first and the last number."""
        if not self.letters:
            return None
        for start in (len(before) - 2, len(before) - 3, len(before) - 1):
            pairs = _apart(before[start], last, False) if start >= 0 else None
            if not pairs or len({spelled(p) for p in pairs}) != 1:
                continue
            (first, limit) = pairs[0]
            if not isinstance(first, Number) or first.text not in ("0", "1"):
                continue
            between = before[start + 1 :]
            steps = [Number(0, str(int(first.text) + k + 1)) for k in range(len(between))]
            if not all(
                _fits(_apart(before[start], b, False), first, step)
                for b, step in zip(between, steps, strict=True)
            ):
                continue
            letter = self.letters.pop(0)
            body = _put(before[start], last, letter)
            if isinstance(body, Stack):  # its letter is another one in each row
                body = replace(body, at=before[start].at)
            return start, letter, body, first, limit
        return None


def _fits(pairs: list[tuple[Node, Node]] | None, first: Node, step: Node) -> bool:
    return bool(pairs) and all(
        spelled(a) == spelled(first) and spelled(b) == spelled(step) for a, b in pairs or ()
    )


def _plain(row: Product) -> bool:
    """True for factors without operators and with dots: a row of entries."""
    dots = [isinstance(p, Symbol) and p.kind == "dots" for _, p in row.parts]
    return any(dots) and all(not op for op, _ in row.parts)


def _place(items: Sequence[Node]) -> int:
    """The place of the first dots; -1 without."""
    dots = (k for k, n in enumerate(items) if isinstance(n, Symbol) and n.kind == "dots")
    return next(dots, -1)


def _apart(a: Node, b: Node, script: bool) -> list[tuple[Node, Node]] | None:
    """Where two trees differ, if that is in scripts and arguments alone; None elsewhere."""
    if spelled(a) == spelled(b):
        return []
    if script and isinstance(a, Number):
        return [(a, b)]
    if type(a) is not type(b):
        return None
    if isinstance(a, Stack) and isinstance(b, Stack):
        b = replace(b, body=renamed(b.body, b.letter.text, a.letter.text), letter=a.letter)
    found: list[tuple[Node, Node]] = []
    for f in fields(a):
        if f.name == "at":
            continue
        inner = script or (isinstance(a, Scripted) and f.name == "scripts")
        inner = inner or (isinstance(a, Group) and a.bracket == "(" and len(a.items) == 1)
        more = _differences(getattr(a, f.name), getattr(b, f.name), inner)
        if more is None:
            return None
        found += more
    return found


def _differences(a: Any, b: Any, script: bool) -> list[tuple[Node, Node]] | None:
    if isinstance(a, Node) and isinstance(b, Node):
        return _apart(a, b, script)
    if isinstance(a, tuple) and isinstance(b, tuple) and len(a) == len(b):
        inside = [_differences(x, y, script) for x, y in zip(a, b, strict=True)]
        return None if None in inside else [pair for row in inside for pair in row or ()]
    return [] if a == b else None


def _put(a: Any, b: Any, letter: str) -> Any:
    """The first entry with a letter where it differs from the last."""
    if isinstance(a, Stack) and isinstance(b, Stack):
        b = replace(b, body=renamed(b.body, b.letter.text, a.letter.text), letter=a.letter)
    if isinstance(a, Node) and spelled(a) == spelled(b):
        return a
    if isinstance(a, Node) and type(a) is type(b) and not isinstance(a, Number):
        parts = {f.name: getattr(a, f.name) for f in fields(a) if f.name != "at"}
        return replace(a, **{n: _put(v, getattr(b, n), letter) for n, v in parts.items()})
    if isinstance(a, Node):
        return Name(a.at, letter)
    if isinstance(a, tuple):
        return tuple(_put(x, y, letter) for x, y in zip(a, b, strict=True))
    return a
