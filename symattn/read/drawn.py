r"""What x ∼ \mathcal{N}(μ, Σ) says: x and μ are vectors where Σ is a matrix, positive definite."""

from __future__ import annotations

from collections.abc import Iterator

from .averages import average
from .names import NORMAL, base_name, is_capital, plain, stem
from .tree import Accent, Chain, Given, Group, Name, Node, Product, Scripted, Symbol, spelled, walk


def normal(tree: Node, linear: bool) -> Iterator[tuple[Node, int]]:
    """Names, each with the axes of one draw: 1 for what is drawn and its mean, 2 for Σ."""
    for node in walk(tree):
        outcome: tuple[Node, ...] = ()
        if isinstance(node, Chain) and [r for r, _ in node.relations] == ["∼"]:
            left, node = node.sides
            outcome = left.items if isinstance(left, Given | Group) else (left,)
        match node:
            case Product(parts=((_, Name(text=text)), ("", Group(bracket="(", items=items)))) if (
                text in NORMAL
            ):
                inside = [x for i in items for x in _listed(i)]
                vectors = [n for n in (*outcome, *inside[:-1]) if _is_name(n)]
                if len(inside) > 1:
                    yield from _of(inside[-1], vectors, linear)


def covariance(tree: Node) -> Iterator[tuple[Node, int]]:
    r"""The same of Cov(x) = Σ and E[x x^\top] = R, which are matrices where x is a vector."""
    if not isinstance(tree, Chain) or [r for r, _ in tree.relations] != ["="]:
        return
    found = average(tree.sides[0])
    items = found.items if found is not None else ()
    match items:
        case (Product(parts=((_, one), ("", Scripted(base=other, scripts=(("^", mark),))))),):
            turned = mark in (Symbol(mark.at, "top"), Name(mark.at, "T"))
            items = (one, other) if turned else ()
    signs = {"Cov": (1, 2), "E": (2,)}
    known = found is not None and len(items) in signs.get(found.sign, ())
    if known and len({*map(spelled, items)}) == 1:
        yield from _of(tree.sides[1], [n for n in items[:1] if _is_name(n)], True)


def _listed(item: Node) -> tuple[Node, ...]:
    """x, μ and Σ of x | μ, Σ."""
    return (*item.items, *item.given) if isinstance(item, Given) else (item,)


def _of(spread: Node, vectors: list[Node], linear: bool) -> Iterator[tuple[Node, int]]:
    bold = any(_style(v) == "bold" for v in vectors)
    matrix = _matrix(spread)
    identity = any(_style(n) == "ones" or base_name(n) == "I" for n in walk(spread))
    if matrix is not None:
        shown = base_name(stem(matrix)) or ""
        if len(shown) == 1 and not (linear or bold):
            return
        yield matrix, 2
    elif not identity and not any(n == Symbol(n.at, "top") for n in walk(spread)):
        return
    for vector in vectors:
        if not is_capital(base_name(stem(vector)) or ""):
            yield vector, 1


def _is_name(node: Node) -> bool:
    return isinstance(plain(node), Name | Accent | Scripted) and bool(base_name(stem(node)))


def _style(node: Node) -> str:
    inner = stem(node)
    while isinstance(inner, Accent):
        inner = inner.body
    if isinstance(inner, Symbol):
        return inner.kind
    return inner.style if isinstance(inner, Name) else ""


def _matrix(node: Node) -> Node | None:
    """The Σ of Σ and of Σ^{-1}; None for what is more than a capital."""
    shown = plain(node)
    if isinstance(shown, Scripted):
        below = tuple(pair for pair in shown.scripts if pair[0] == "_")
        shown = Scripted(shown.at, shown.base, below) if below else shown.base
    name = base_name(stem(shown)) if _is_name(shown) else None
    return shown if name and name != "I" and is_capital(name) else None


__all__ = ["covariance", "normal"]
