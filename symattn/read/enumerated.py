r"""Sums over numbers that a formula lists: Σ_{s = ±1} f(s) or Σ_{s ∈ {-1, 1}} f(s) is f(-1) + f(1).

A product over them is one of what bears the letter.  The letter may have an index, Σ_{h_j ∈ {0,1}}.
Where it is an index itself, or what a law is of, the sum stays as it is.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import pairwise
from operator import is_

from .lexer import Token
from .tree import (
    Accent,
    Addition,
    Chain,
    Given,
    Group,
    Name,
    Node,
    Number,
    Product,
    Scripted,
    Symbol,
    children,
    rebuilt,
    spelled,
    walk,
)

MOST = 8  # numbers that are written out
_SUMS = ("sum", "prod")


def listed(statement: Sequence[Token]) -> list[Token]:
    r"""The tokens with s \in \{-1, 1\} for the s = \pm 1 and the s = -1, 1 below a sum."""
    found: list[Token] = []
    k = 0
    while k < len(statement):
        if not (_sum(statement[k]) and [t.text for t in statement[k + 1 : k + 3]] == ["_", "{"]):
            found.append(statement[k])
            k += 1
            continue
        end = _closed(statement, k + 2)
        found += [*statement[k : k + 3], *_below(statement[k + 3 : end])]
        k = end
    return found


def _sum(token: Token) -> bool:
    return token.kind == "SIGN" and token.text in _SUMS


def _closed(statement: Sequence[Token], start: int) -> int:
    depth = 0
    for k in range(start, len(statement)):
        depth += {"LBRACE": 1, "RBRACE": -1}.get(statement[k].kind, 0)
        if not depth:
            return k
    return len(statement)


def _below(inside: Sequence[Token]) -> list[Token]:
    at = next((k for k, t in enumerate(inside) if t.kind == "REL"), None)
    if at is None or inside[at].text not in ("=", "∈"):
        return [*inside]
    sign, right = inside[at], [*inside[at + 1 :]]
    kinds = [t.kind for t in right]
    braced = kinds[:1] == ["LSET"] and kinds[-1:] == ["RSET"]
    if (sign.text == "∈") != braced:
        return [*inside]
    right = right[1:-1] if braced else right
    kinds = [t.kind for t in right]
    if kinds[:1] == ["PM"] and kinds[1:] in ([], ["NUMBER"]):
        number = right[1] if len(right) > 1 else replace(right[0], kind="NUMBER", text="1")
        minus, comma = (
            replace(right[0], kind=kind, text=text)
            for kind, text in (("MINUS", "-"), ("COMMA", ","))
        )
        right = [minus, number, comma, number]
    elif braced or "COMMA" not in kinds or not {*kinds} <= {"NUMBER", "COMMA", "MINUS", "PLUS"}:
        return [*inside]
    left, close = (replace(sign, kind=k, text=t) for k, t in (("LSET", r"\{"), ("RSET", r"\}")))
    return [*inside[:at], replace(sign, text="∈"), left, *right, close]


def written_out(tree: Node) -> Node:
    """The tree with sums and products over listed numbers term by term."""
    if not any(isinstance(n, Symbol) and n.kind in _SUMS for n in walk(tree)):
        return tree
    far = [*map(spelled, _far(tree))]

    def change(node: Node) -> Node:
        return _changed(node, far) if isinstance(node, Product) else node

    found: Node = rebuilt(tree, change)
    return found


def _far(tree: Node) -> Iterator[Node]:
    """The s of Σ_s s x - s: is all of it below the sum?"""
    for node in walk(tree):
        terms = [part for _, part in node.parts] if isinstance(node, Addition) else []
        for k, term in enumerate(terms):
            bound = [spelled(x) for later in terms[k + 1 :] for x in _letters(later)]
            for letter in _letters(term):
                free = spelled(letter) not in bound
                if free and any(_bears(later, letter) for later in terms[k + 1 :]):
                    yield letter


def _letters(tree: Node) -> Iterator[Node]:
    """What sums and products over listed numbers run over."""
    for node in walk(tree):
        for _, part in _apart("", node):
            if (found := _listed(part)) is not None:
                yield found[1]


def _listed(node: Node) -> tuple[str, Node, tuple[Node, ...]] | None:
    """Whether it is a sum or a product over listed numbers, with its letter and with these."""
    match node:
        case Scripted(base=Symbol(kind="sum" | "prod" as kind), scripts=(("_", Chain() as below),)):
            match below:
                case Chain(
                    sides=(Name() | Scripted() as letter, Group(bracket="\\{", items=items)),
                    relations=(("∈", _),),
                ) if 1 < len(items) <= MOST:
                    return kind, letter, items
    return None


def _changed(node: Product, far: Sequence[object]) -> Node:
    parts = tuple(pair for op, part in node.parts for pair in _apart(op, part))
    for k in reversed(range(len(parts) - 1)):
        if (found := _listed(parts[k][1])) is None:
            continue
        kind, letter, items = found
        values = [v for item in items if (v := _value(item)) is not None]
        rest = parts[k + 1 :]
        number = len(values) == len(items) and spelled(letter) not in far
        if not number or not _plain(Product(node.at, rest), letter):
            return node
        if kind == "prod" and not all(_bears(part, letter) for _, part in rest):
            return node  # ∏_s s a: is a a factor for each s?
        parts = (*parts[:k], *_terms(kind, rest, letter, values))
    if len(parts) == len(node.parts) and all(map(is_, parts, node.parts)):
        return node
    return parts[0][1] if len(parts) == 1 else Product(node.at, parts)


def _apart(op: str, part: Node) -> Iterator[tuple[str, Node]]:
    """Σ_s and Σ_t for a Σ over s, t ∈ {-1, 1}."""
    match part:
        case Scripted(
            base=Symbol(kind="sum" | "prod"),
            scripts=(("_", Group(bracket="{", items=(*first, Chain() as last))),),
        ) if all(isinstance(x, Name | Scripted) for x in first):
            chains = [replace(last, sides=(x, *last.sides[1:])) for x in first]
            signs = (replace(part, scripts=(("_", c),)) for c in (*chains, last))
            yield from zip((op, *("" for _ in chains)), signs, strict=True)
        case _:
            yield op, part


def _terms(
    kind: str, rest: tuple[tuple[str, Node], ...], letter: Node, values: list[Node]
) -> Iterator[tuple[str, Node]]:
    at = rest[0][1].at
    terms = [Product(at, tuple((op, _put(p, letter, v)) for op, p in rest)) for v in values]
    if kind == "sum":
        yield "", Group(at, "(", (Addition(at, tuple((1, term) for term in terms)),))
    else:
        yield from (("", Group(at, "(", (term,))) for term in terms)


def _value(node: Node) -> Node | None:
    match node:
        case Number():
            return node
        case Addition(parts=((sign, Number()),)):
            return Group(node.at, "(", (node,)) if sign < 0 else node.parts[0][1]
    return None


def _bears(node: Node, letter: Node) -> bool:
    return any(spelled(n) == spelled(letter) for n in walk(node))


def _plain(node: Node, letter: Node) -> bool:
    """The letter is a number wherever it stands: no index, and nothing that a law is of."""
    if not _bears(node, letter) or spelled(node) == spelled(letter):
        return True
    match node:
        case Given():
            return False
        case Product():
            pairs = pairwise(part for _, part in node.parts)
            if any(_named(f) and _of(g, letter) for f, g in pairs):
                return False
        case Scripted():
            below = [x for sign, x in node.scripts if sign == "_"]
            whole = isinstance(node.base, Group) or not _bears(node.base, letter)
            if any(_bears(x, letter) for x in below) or (below and not whole):
                return False
    return all(_plain(x, letter) for x in children(node))


def _named(node: Node) -> bool:
    return isinstance(node.base if isinstance(node, Scripted) else node, Name | Accent)


def _of(node: Node, letter: Node) -> bool:
    """(s) or (s, x) behind a name."""
    if not isinstance(node, Group) or node.bracket != "(":
        return False
    return any(spelled(x) == spelled(letter) for x in node.items)


def _put(node: Node, letter: Node, value: Node) -> Node:
    def change(n: Node) -> Node:
        if spelled(n) == spelled(letter):
            return value
        if isinstance(n, Product):  # b s, which is b · (-1) and no b(-1)
            return Product(n.at, tuple((op or "·" if p is value else op, p) for op, p in n.parts))
        return n

    found: Node = rebuilt(node, change)
    return found


__all__ = ["listed", "written_out"]
