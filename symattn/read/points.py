r"""Derivatives of functions without their arguments, and at a point.

With V(r) = …, \left. dV/dr \right|_{r = r_0} is V'(r_0).  With f(x, y) = … before it, ∂f/∂x is
∂f(x, y)/∂x; where several equations define an f, the one before it in the same display.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from .applications import defined
from .names import base_name, stem
from .source import Display
from .tree import (
    Chain,
    Fraction,
    Group,
    Name,
    Node,
    Number,
    Product,
    Scripted,
    Symbol,
    base_of,
    rebuilt,
)


def parameters(trees: Iterable[Node]) -> dict[str, str]:
    """The functions of one name that equations define, with that name."""
    found: dict[str, set[str]] = {}
    for tree in trees:
        if (call := defined(tree)) is None:
            continue
        name = base_name(call.name)
        one = len(call.items) == 1 and not call.given and not call.scripts
        shown = base_name(call.items[0]) if one else None
        if name and shown:
            found.setdefault(name, set()).add(shown)
    return {n: next(iter(xs)) for n, xs in found.items() if len(xs) == 1}


def taken(tree: Node, known: dict[str, str]) -> Node:
    """The tree with V'(r_0) for derivatives at a point."""
    return rebuilt(tree, lambda n: _slope(n, known)) if known else tree


def _slope(node: Node, known: dict[str, str]) -> Node:
    match node:
        case Scripted(
            base=Group(bracket="(", items=(Fraction() as inner,)),
            scripts=(("_", Chain(sides=(Name() as by, point), relations=(("=", _),))),),
        ):
            found = _derivative(inner)
            if found is None or found[1] != by.text or known.get(found[0]) != by.text:
                return node
            primed = Name(node.at, found[0] + "'" * found[2])
            return Product(node.at, (("", primed), ("", Group(node.at, "(", (point,)))))
    return node


def _derivative(node: Fraction) -> tuple[str, str, int] | None:
    """V, r and 2 for d²V/dr², also d²V(r)/dr²."""
    match node.top, node.bottom:
        case Product(parts=((_, above), (_, Name() as of), *call)), Product(
            parts=((_, below), (_, variable))
        ) if len(call) < 2:
            order = _order(above)
            by = base_of(variable)
            power = variable.scripts if isinstance(variable, Scripted) else ()
            counted = [s.text for mark, s in power if mark == "^" and isinstance(s, Number)]
            fits = counted == ([str(order)] if order > 1 else []) and len(power) == len(counted)
            if not order or not _order(below) or not isinstance(by, Name) or not fits:
                return None
            return of.text, by.text, order
    return None


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


__all__ = ["Head", "heads", "parameters", "taken", "written"]
