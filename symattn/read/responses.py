r"""Capitals that are vectors: the Y of Y = X β + ε, a random vector.

Every term on the right ends in a vector behind a matrix, and nowhere does the capital stand as a
matrix does: before a factor, inverted, in a trace, with two indices.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

from .evidence import is_top, name_of, unindexed
from .names import Context, Names, is_capital
from .tree import (
    Accent,
    Addition,
    Group,
    Name,
    Node,
    Number,
    Product,
    Scripted,
    base_of,
    is_equation,
    sign_of,
    walk,
)

WHY = "a column vector, as what it is equal to is"
_OF_MATRICES = frozenset(["tr", "det", "Tr"])
Statements = list[tuple[Node, Context]]


def vectors(found: Statements, names: Names) -> set[str]:
    """The capitals that equations make column vectors."""
    turned = {x for tree, here in found for n in walk(tree) if is_top(n)
              for x in _inside(n, names, here)}  # fmt: skip
    result: set[str] = set()
    size = -1
    while len(result) != size:
        size = len(result)
        for tree, here in found:
            result |= set(_told(tree, names, here, result, turned))
    if not result:
        return result
    return result - {x for tree, here in found for x in _as_matrices(tree, names, here)}


def _told(
    tree: Node, names: Names, here: Context, known: set[str], turned: set[str]
) -> Iterator[str]:
    """The capitals that one statement says are vectors."""

    def column(node: Node) -> bool:
        """True for a bold small letter, and for what is known to be a vector."""
        return not other(node) and (_is_bold_small(node) or unindexed(node, names, here) in known)

    def other(node: Node) -> bool:
        """True for the w of w ∈ ℝ^{d×k}, which is told to be no vector."""
        name = unindexed(node, names, here) or ""
        told = names.ranks.get(name, 1) if name in names.declared else names.stated.get(name, 1)
        return told != 1 or name in names.indexed

    def image(node: Node) -> bool:
        """True for X β, Σ_b x and A (x − μ): a vector behind a matrix."""
        if not isinstance(node, Product) or any(op not in ("", "·") for op, _ in node.parts):
            return False
        *before, last = (p for _, p in node.parts)
        matrices = [n for p in before if (n := unindexed(p, names, here)) and is_capital(n)]
        light = bool({*matrices} & turned) and _is_small(last) and not other(last)
        return bool(matrices) and not is_top(last) and (column(last) or light)

    def open_(node: Node) -> str | None:
        """The name of a capital without scripts of its own."""
        name = unindexed(node, names, here) if not is_top(node) else None
        if name is None or not is_capital(name) or name.startswith("d"):
            return None
        known = (names.declared, names.stated, names.indexed, names.numbers | {"I"})
        return None if any(name in x for x in known) else name

    for node in walk(tree):  # ‖Y − X β‖
        terms = [p for _, p in node.parts] if isinstance(node, Addition) else []
        if any(map(image, terms)) and all(image(t) or column(t) or open_(t) for t in terms):
            yield from (x for t in terms if not image(t) and (x := open_(t)))
    if not is_equation(tree):
        return
    left, right = tree.sides[:2]
    terms = [p for _, p in right.parts] if isinstance(right, Addition) else [right]
    terms = [_scaled(t, names, here) for t in terms]
    images = [image(t) for t in terms]
    fits = any(images) and all(
        i or column(t) or _is_small(t) for i, t in zip(images, terms, strict=True)
    )
    if fits and (name := open_(left)):
        yield name
    for term in terms if column(left) else ():  # β = (X^⊤ X)^{-1} X^⊤ Y
        parts = term.parts if isinstance(term, Product) else ()
        behind = len(parts) > 1 and parts[-1][0] == "" and is_top(parts[-2][1])
        if behind and (name := open_(parts[-1][1])):
            yield name


def _as_matrices(tree: Node, names: Names, here: Context) -> Iterator[str]:
    """The capitals that stand as matrices do."""
    for node in walk(tree):
        for (_, before), (op, behind) in pairwise(node.parts if isinstance(node, Product) else ()):
            sign = sign_of(before)
            if sign is not None and sign.text in _OF_MATRICES:
                yield from _inside(behind, names, here)
            applied = isinstance(behind, Name | Accent | Scripted | Group)
            if op == "" and applied and not is_top(before) and not is_top(behind):
                yield unindexed(before, names, here) or ""
        if isinstance(node, Group) and node.bracket == "|" and len(node.items) == 1:
            yield unindexed(node.items[0], names, here) or ""
        if isinstance(node, Scripted):
            found = name_of(node, names, here)
            if found is not None and (len(found.slots) > 1 or found.power is not None):
                yield found.name


def _inside(node: Node, names: Names, here: Context) -> Iterator[str]:
    """The names without indices in an expression."""
    for inner in walk(node):
        if isinstance(inner, Name | Accent | Scripted) and (x := unindexed(inner, names, here)):
            yield x


def _scaled(node: Node, names: Names, here: Context) -> Node:
    """2 X β as X β."""
    parts = node.parts if isinstance(node, Product) else ()
    rest = parts[sum(isinstance(p, Number) for _, p in parts[:1]) :]
    if len(rest) == len(parts) or not rest or rest[0][0] not in ("", "·"):
        return node
    return rest[0][1] if len(rest) == 1 else Product(node.at, (("", rest[0][1]), *rest[1:]))


def _innermost(node: Node) -> Name | None:
    inner = base_of(node)
    while isinstance(inner, Accent | Group):
        inner = inner.body if isinstance(inner, Accent) else inner.items[0]
        inner = base_of(inner)
    return inner if isinstance(inner, Name) else None


def _is_small(node: Node) -> bool:
    """True for a small letter, Latin or Greek, and no power of it."""
    inner = _innermost(node) if isinstance(node, Name | Accent | Scripted) else None
    scripts = node.scripts if isinstance(node, Scripted) else ()
    plainly = inner is not None and inner.text[:1].islower() and inner.style != "upright"
    return plainly and not any(sign == "^" and isinstance(s, Number) for sign, s in scripts)


def _is_bold_small(node: Node) -> bool:
    inner = _innermost(node) if isinstance(node, Name | Accent | Scripted) else None
    return inner is not None and inner.style == "bold" and _is_small(node)


__all__ = ["WHY", "vectors"]
