"""Derivatives of functions without arguments: with f(x, y) = … before it, ∂f/∂x is ∂f(x, y)/∂x.

Where several equations define an f, it is the one before it in the same display.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from .applications import defined
from .names import base_name, stem
from .source import Display
from .tree import (
    Fraction,
    Group,
    Name,
    Node,
    Number,
    Product,
    Scripted,
    Symbol,
    rebuilt,
)


def _order(node: Node) -> int:
    """1 for ∂ and d, 2 for d²; 0 for anything else."""
    match node:
        case Symbol(kind="partial") | Name(text="d"):
            return 1
        case Scripted(base=base, scripts=(("^", Number(text=n)),)) if n in ("2", "3", "4"):
            return int(n) if _order(base) else 0
    return 0


@dataclass(frozen=True)
class Head:
    """A function that an equation at `at`, in a display of its own, defines with arguments."""

    name: Node
    arguments: tuple[Node, ...]
    at: int
    display: int


def heads(trees: Iterable[Node], displays: Sequence[Display]) -> dict[str, list[Head]]:
    """The functions f(x, y) = … of plain arguments by their letters, in order; f_c is an f too."""
    found: dict[str, list[Head]] = {}
    for tree in sorted(trees, key=lambda t: t.at):
        call = defined(tree)
        if call is None or call.given or call.scripts:
            continue
        name = base_name(stem(call.name))
        if name and all(base_name(a) for a in call.items):
            display = _display(tree.at, displays)
            found.setdefault(name, []).append(Head(call.name, call.items, tree.at, display))
    return found


def _display(at: int, displays: Sequence[Display]) -> int:
    return next((k for k, d in enumerate(displays) if d.start <= at < d.end), -1)


def written(tree: Node, known: dict[str, list[Head]], displays: Sequence[Display]) -> Node:
    """The tree with f(x, y) for f in ∂f/∂x."""

    def applied(node: Node) -> Node:
        match node:
            case Fraction(
                top=Product(parts=((_, sign), (_, of))), bottom=Product(parts=((_, d), *by))
            ) if _order(sign) and _order(d):
                head = _meant(of, known, displays)
                below = {base_name(stem(part)) for _, part in by}
                if head is not None and below & {base_name(a) for a in head.arguments}:
                    call = (("", head.name), ("", Group(of.at, "(", head.arguments)))
                    return replace(node, top=Product(sign.at, (("", sign), *call)))
        return node

    return rebuilt(tree, applied) if known else tree


def _meant(of: Node, known: dict[str, list[Head]], displays: Sequence[Display]) -> Head | None:
    """The function that stands before a place, and could not be another one."""
    name = base_name(stem(of))
    listed = known.get(name or "", [])
    before = [h for h in listed if h.at < of.at]
    if not before or isinstance(of, Scripted):
        return None
    last = before[-1]
    if len(listed) > 1 and last.display != _display(of.at, displays):
        return None
    return last


__all__ = ["Head", "heads", "written"]
