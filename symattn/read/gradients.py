r"""Transposed gradients: \nabla f(x)^\top h is (\nabla f(x))^\top h, for nobody turns f(x)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from .tree import Accent, Group, Name, Node, Product, Scripted, Symbol, is_nabla, mapped

Parts = tuple[tuple[str, Node], ...]


def turned(node: Any) -> Any:
    """The tree with the transpose around ∇ and what it is applied to."""
    node = mapped(node, turned)
    if isinstance(node, Product) and any(is_nabla(part) for _, part in node.parts):
        parts = tuple(_grouped(node.parts))
        return Product(node.at, parts) if len(parts) > 1 or parts[0][0] else parts[0][1]
    return node


def _grouped(parts: Parts) -> Iterator[tuple[str, Node]]:
    k = 0
    while k < len(parts):
        operator, part = parts[k]
        end = _end(parts, k) if is_nabla(part) else None
        if end is None:
            yield operator, part
            k += 1
            continue
        last = parts[end][1]
        assert isinstance(last, Scripted)
        rest = tuple(s for s in last.scripts if not _is_top(s))
        bare = Scripted(last.at, last.base, rest) if rest else last.base
        inner = Product(part.at, (("", part), *parts[k + 1 : end], ("", bare)))
        above = tuple(s for s in last.scripts if _is_top(s))
        yield operator, Scripted(part.at, Group(part.at, "(", (inner,)), above)
        k = end + 1


def _end(parts: Parts, k: int) -> int | None:
    r"""The place of the (x)^\top of \nabla_x f(x)^\top, and of the f^\top of \nabla f^\top.

    The \nabla_x x^\top A x of a plain name is the gradient of a product.
    """
    if k + 1 == len(parts) or parts[k + 1][0] != "":
        return None
    head = parts[k + 1][1]
    if not isinstance(parts[k][1], Scripted) and _turned(head, Name | Accent):
        return k + 1
    called = isinstance(head, Scripted) and not any(map(_is_top, head.scripts))
    if not (called or isinstance(head, Name | Accent)) or k + 2 == len(parts):
        return None
    operator, arguments = parts[k + 2]
    return k + 2 if operator == "" and _turned(arguments, Group) else None


def _turned(node: Node, kind: Any) -> bool:
    """True for a base of this kind under a transpose."""
    if not isinstance(node, Scripted) or sum(map(_is_top, node.scripts)) != 1:
        return False
    round_ = not isinstance(node.base, Group) or node.base.bracket == "("
    base = node.base.base if isinstance(node.base, Scripted) else node.base
    return round_ and isinstance(base, kind)


def _is_top(script: tuple[str, Node]) -> bool:
    sign, above = script
    return sign == "^" and above in (Symbol(above.at, "top"), Name(above.at, "T"))


__all__ = ["turned"]
