r"""Shapes that σ(…) and ⊙ carry on: f = σ(W x + b) is a vector as W x is, and so is c in f ⊙ c."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from .evidence import bare, name_of
from .left import head
from .names import Context, Names, is_capital, plain
from .tree import Addition, Chain, Group, Name, Node, Number, Product, Scripted, sign_of, walk

Axes = Callable[[Node], int | None]  # of an expression whose shape is known


def carried(tree: Node, names: Names, here: Context, axes: Axes) -> Iterator[tuple[Node, int]]:
    """Names, and how many axes they have beside their indices, since others have them."""
    left = head(tree)
    if left is not None and isinstance(tree, Chain) and not isinstance(tree.sides[0], Product):
        rank = next((r for side in tree.sides[1:] if (r := of(side, axes)) is not None), None)
        for side in (left, *tree.sides[1:-1]):  # ŷ and a of ŷ = a = σ(z)
            found = name_of(side, names, here) if side is left or _is_name(side) else None
            if found is not None and rank is not None:
                yield side, rank
    for node in walk(tree):
        if not isinstance(node, Product) or not any(op == "∘" for op, _ in node.parts):
            continue
        known = {a for factor in _factors(node) for a in _ranks(factor, axes)}
        if len(known) == 1 and 0 not in known:
            (rank,) = known
            for factor in _factors(node):
                for name in _terms(factor):
                    x = bare(name, names, here)
                    y = name_of(name, names, here) if isinstance(plain(name), Scripted) else None
                    shown = x or (y.name if y is not None and y.slots else "")
                    if shown and is_capital(shown) is (rank == 2):
                        yield name, rank


def of(node: Node, axes: Axes) -> int | None:
    """The axes of an expression, also behind a function of components and in products by ⊙."""
    if isinstance(node, Product) and any(op == "∘" for op, _ in node.parts):
        known = {a for factor in _factors(node) for a in _ranks(factor, axes)}
        return next(iter(known)) if len(known) == 1 else None
    if isinstance(node, Addition):
        known = {a for _, part in node.parts if (a := of(part, axes)) is not None}
        return next(iter(known)) if len(known) == 1 else None
    if isinstance(node, Group) and len(node.items) == 1:
        return of(node.items[0], axes)
    if isinstance(node, Product) and len(node.parts) == 2:
        (_, before), (op, inside) = node.parts
        sign = sign_of(before)
        scalar = sign is not None and sign.kind == "function" and sign.text in _COMPONENTS
        named = bool(getattr(before, "text", "") == "sigma")
        if op == "" and isinstance(inside, Group) and (scalar or named):
            return of(inside, axes)
    return axes(node)


def _is_name(node: Node) -> bool:
    return isinstance(plain(node), Name | Scripted) and not isinstance(node, Group)


_COMPONENTS = frozenset(["tanh", "sigmoid", "relu", "exp", "log", "softplus"])


def _factors(node: Product) -> list[Node]:
    """The factors between ⊙; a chain of matrices is one."""
    groups: list[list[tuple[str, Node]]] = [[]]
    for op, part in node.parts:
        if op == "∘":
            groups.append([])
        groups[-1].append(("" if op == "∘" else op, part))
    made = [g[0][1] if len(g) == 1 else Product(g[0][1].at, tuple(g)) for g in groups if g]
    return made


def _ranks(factor: Node, axes: Axes) -> Iterator[int]:
    rank = of(factor, axes)
    if rank is not None:
        yield rank


def _terms(factor: Node) -> Iterator[Node]:
    """c of ⊙ c, and z of ⊙ (1 − z)."""
    inner = factor.items[0] if isinstance(factor, Group) and len(factor.items) == 1 else factor
    for part in (p for _, p in inner.parts) if isinstance(inner, Addition) else (inner,):
        if not isinstance(part, Number | Group | Product):
            yield part


__all__ = ["carried", "of"]
