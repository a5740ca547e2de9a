r"""Names that change with others: where $m$ depends on $v$, or where m(v) stands, m is m(v).

So dE/dv of E = m v^2/2 goes through m, and the m of what follows from E = m(v) v^2/2 is no other
one.  Only where something is derived by v, and nothing says what m is.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from collections.abc import Set as AbstractSet
from dataclasses import replace
from itertools import takewhile
from typing import Any

from .applications import application, calls, whole
from .evidence import varied
from .left import head
from .names import base_name
from .source import Display, Source
from .tree import (
    Accent,
    Fraction,
    Group,
    Name,
    Node,
    Number,
    Product,
    Scripted,
    is_equation,
    mapped,
    rebuilt,
    walk,
)
from .words import LIST, ONE, sentences, unsaid

_THE = r"(?:(?:the|its|their|a|an) )?(?:[a-z]+ ){0,2}?"
_ON = rf"(?P<on>{ONE}(?:(?:,| and|, and)(?: of| on)? {_THE}{ONE}){{0,5}})"
_DEPENDS = tuple(
    re.compile(pattern)
    for pattern in (
        rf"{LIST},? (?:which |that )?(?:itself |themselves |may |can |also |both |in turn )*"
        rf"(?:depends?|varies|vary|changes?)(?: [a-z]+ly)? (?:on|with|upon) {_THE}{_ON}",
        rf"{LIST},?(?: is| are| be| being| as)? (?:an? |some |any )?(?:[a-z]+ ){{0,2}}?"
        rf"functions? of {_THE}{_ON}",
        rf"(?P<on>{ONE})[- ]dependent (?:[a-z]+ ){{0,2}}?(?P<names>{ONE})",
    )
)
_NAME = re.compile(r"\s*\\?([A-Za-z]+)\s*")


def gather(
    trees: Iterable[Node], source: Source, declared: AbstractSet[str]
) -> dict[str, tuple[Node, ...]]:
    """The names that depend on others, each with what it is a function of; none `declared`."""
    trees = list(trees)
    by = {x for tree in trees for x in (*varied(tree), *_of_slopes(tree))}
    if not by:
        return {}
    found = dict[str, tuple[Node, ...]]()
    other = set[str]()  # of several things, or of something that is no name
    for name, items in (*_applied(trees), *_spoken(source)):
        inside = _texts(items)
        same = name not in found or inside == _texts(found[name])
        if not items or len(inside) < len(items) or name in inside or not same:
            other.add(name)
        else:
            found.setdefault(name, items)
    made = {base_name(h) for t in trees if not _restates(t) and (h := head(t)) is not None}
    marked = {x for t in trees for n in walk(t) if (x := _marked(n))}
    of_others = {x for items in found.values() for x in _texts(items)}
    spared = other | made | marked | of_others | by | declared | {"d", "e", "i", "I"}
    kept = {
        name: items for name, items in found.items() if name not in spared and by & {*_texts(items)}
    }
    for name, on in (pair for tree in trees for pair in _rates(tree)):  # dv/dt beside an m of t
        if name not in spared and any(_texts(items) == [on.text] for items in kept.values()):
            kept.setdefault(name, (on,))
    return kept


def _texts(items: Iterable[Node]) -> list[str]:
    return [x.text for x in items if isinstance(x, Name)]


def _of_slopes(tree: Node) -> Iterator[str]:
    """The x of g'(x)."""
    for _, _, call in calls(tree):
        if isinstance(call.name, Name) and call.name.text.endswith("'"):
            yield from _texts(call.items)


def _rates(tree: Node) -> Iterator[tuple[str, Name]]:
    """The v and t of dv/dt."""
    for node in walk(tree):
        match node:
            case Fraction(
                top=Product(parts=((_, Name(text="d")), (_, Name() as of))),
                bottom=Product(parts=((_, Name(text="d")), (_, Name() as on))),
            ):
                yield of.text, on


def _applied(trees: Iterable[Node]) -> Iterator[tuple[str, tuple[Node, ...]]]:
    for tree in trees:
        for _, _, call in calls(tree):
            if isinstance(call.name, Name) and not call.name.style and call.name.text[-1:] != "'":
                yield call.name.text, call.items if not call.given else ()


def _spoken(source: Source) -> Iterator[tuple[str, tuple[Node, ...]]]:
    for words, spans in sentences(source):
        for found in (m for pattern in _DEPENDS for m in pattern.finditer(words)):
            if unsaid(words[: found.start()], words[found.end() :]):
                continue
            names, on = (
                [spans[int(k[1:-1])] for k in re.findall(ONE, found[g])] for g in ("names", "on")
            )
            every = (Name(d.start, _named(source.text, d)) for d in on)
            items = (*takewhile(lambda x: x.text, every),)  # of v, and E = m v^2/2
            for name in (_named(source.text, d) for d in names):
                if name and items:
                    yield name, items


def _named(text: str, span: Display) -> str:
    found = _NAME.fullmatch(text, span.start, span.end)
    return found[1] if found else ""


def _marked(node: Node) -> str:
    r"""The name that has an index, or is under an accent: \dot m is its rate."""
    if isinstance(node, Accent):
        return base_name(node.body) or ""
    below = isinstance(node, Scripted) and any(sign == "_" for sign, _ in node.scripts)
    return (base_name(node.base) or "") if below and isinstance(node, Scripted) else ""


def _restates(tree: Node) -> bool:
    """m = m(v), which says of what m is a function."""
    if not is_equation(tree) or len(tree.sides) != 2 or not isinstance(tree.sides[0], Name):
        return False
    call = whole(tree.sides[1])
    return call is not None and base_name(call.name) == tree.sides[0].text


def written_out(tree: Node, known: Mapping[str, tuple[Node, ...]]) -> Node:
    """The tree with m(v) for m, and m'(v) for m'."""
    if not known or _restates(tree):
        return tree

    def applied(node: Node) -> list[tuple[str, Node]] | None:
        base = node.base if isinstance(node, Scripted) else node
        name = base.text.rstrip("'") if isinstance(base, Name) and not base.style else ""
        if name not in known:
            return None
        group: Node = Group(node.at, "(", known[name])
        if isinstance(node, Scripted):
            if not all(sign == "^" and isinstance(s, Number) for sign, s in node.scripts):
                return None
            group = Scripted(node.at, group, node.scripts)
        return [("", base), ("", group)]

    def change(node: Any) -> Any:
        if not isinstance(node, Product):
            return node
        parts = list[tuple[str, Node]]()
        for k, (op, part) in enumerate(node.parts):
            pair = None if application(node.parts, k) is not None else applied(part)
            parts += [(op, part)] if pair is None else [(op, pair[0][1]), pair[1]]
        return Product(node.at, tuple(parts)) if len(parts) > len(node.parts) else node

    def single(node: Node) -> Node:
        pair = applied(node)
        return Product(node.at, tuple(pair)) if pair else node

    def alone(node: Any) -> Any:
        """What is no factor becomes a product of its own; e^m is e^{m(v)}."""
        if isinstance(node, Scripted):
            above = tuple((sign, single(s) if sign == "^" else s) for sign, s in node.scripts)
            return node if above == node.scripts else replace(node, scripts=above)
        return node if isinstance(node, Product | Accent) else mapped(node, single)

    return rebuilt(tree, lambda n: alone(change(n)))


__all__ = ["gather", "written_out"]
