r"""Shapes that functions of arrays hand on: with p = softmax(z) and p_k, z is a vector."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from .applications import calls, defined
from .evidence import bare, name_of, unindexed
from .names import Context, Names, base_name, is_capital, plain
from .tree import (
    Addition,
    Chain,
    Fraction,
    Group,
    Node,
    Product,
    Scripted,
    is_equation,
    sign_of,
    walk,
)

_COMPONENTS = frozenset(["softmax", "tanh", "sigmoid", "relu", "softplus", "silu", "gelu", "exp"])


def of_indexed(found: list[tuple[Node, Context]], names: Names) -> Iterator[tuple[str, int]]:
    """Names in f(…) of an equation p = f(…), and how many indices p bears elsewhere.

    Of a softmax too where the text is read leniently, of functions of components only otherwise.
    """
    used = _slots(found, names)
    for tree, here in found:
        if not is_equation(tree):
            continue
        left, right = tree.sides[:2]
        name = unindexed(left, names, here)
        ranks = used.get(name or "", set())
        inside = _argument(right, names.lenient)
        if inside is None or len(ranks) != 1 or 0 in ranks:
            continue
        for part in _terms(inside):
            if x := bare(part, names, here):
                yield x, next(iter(ranks))


def of_parameters(
    found: list[tuple[Node, Context]], names: Names, ranks: Mapping[str, int]
) -> Iterator[tuple[str, int]]:
    """The y of f(y) and of E|_{x = y}, where f(x) = … and x is a vector: as many axes as x has."""

    def axes(node: Node, here: Context) -> int:
        name = bare(node, names, here) or ""
        return ranks.get(name) or (names.ranks.get(name, 0) if name in names.declared else 0)

    heads: dict[str, tuple[int, ...]] = {}
    for tree, here in found:
        if (head := defined(tree)) is not None and (name := base_name(head.name)):
            heads.setdefault(name, tuple(axes(p, here) for p in head.items))
    for tree, here in found:
        pairs = [
            (a, rank)
            for _, _, call in calls(tree)
            for a, rank in zip(call.items, heads.get(base_name(call.name) or "", ()), strict=False)
        ]
        for node in walk(tree):
            match node:
                case Scripted(base=Group(), scripts=(("_", Chain(sides=(x, a))),)):
                    pairs.append((a, axes(x, here)))
        for a, rank in pairs:
            for part in (_matrix(p, names, here) if rank == 2 else p for p in _terms(a) if rank):
                if (name := bare(part, names, here)) and name not in names.numbers:
                    yield name, rank


def _matrix(node: Node, names: Names, here: Context) -> Node:
    """The H of t H."""
    parts = [p for _, p in node.parts] if isinstance(node, Product) else [node]
    capitals = [p for p in parts if is_capital(bare(p, names, here) or "")]
    return capitals[0] if len(capitals) == 1 else node


def _slots(found: list[tuple[Node, Context]], names: Names) -> dict[str, set[int]]:
    """How many indices names bear, where they bear some."""
    used: dict[str, set[int]] = {}
    for tree, here in found:
        for node in walk(tree):
            if isinstance(plain(node), Scripted):
                name = name_of(node, names, here)
                if name is not None and name.slots:
                    used.setdefault(name.name, set()).add(len(name.slots))
    return used


def _argument(node: Node, lenient: bool) -> Node | None:
    """What stands in f(…)."""
    if not isinstance(node, Product) or len(node.parts) != 2:
        return None
    (_, before), (op, inside) = node.parts
    sign = sign_of(before)
    text = "" if sign is None else sign.text
    named = getattr(before, "text", "") == "sigma" and not lenient
    known = text == "softmax" or (not lenient and text in _COMPONENTS)
    if op or not isinstance(inside, Group) or len(inside.items) != 1 or not (known or named):
        return None
    return inside.items[0]


def _terms(node: Node) -> Iterator[Node]:
    """The z of z, of −z and of z/τ, the u and v of u + v."""
    match node:
        case Addition():
            for _, part in node.parts:
                yield from _terms(part)
        case Fraction():
            yield from _terms(node.top)
        case Group(items=(inner,)):
            yield from _terms(inner)
        case Product() if node.parts[-1][0] == "/":
            yield from _terms(node.parts[0][1])
        case _:
            yield node


__all__ = ["of_indexed", "of_parameters"]
