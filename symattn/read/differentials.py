r"""The two halves of \frac{\partial^2 L}{\partial x \partial y}: what is derived, and by what."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from .tree import (
    Fraction,
    Group,
    Name,
    Node,
    Product,
    Scripted,
    Symbol,
    base_of,
)
from .tree import Number as NumberNode

if TYPE_CHECKING:
    from .elaborate import Reader


@dataclass(frozen=True)
class _Differential:
    """What stands behind each ∂ (or d) of a product, and the order written on the first."""

    operands: tuple[Node, ...]
    order: int


def _order(part: Node, d: bool) -> int:
    """1 for ∂, n for ∂^n, 0 for anything else; with `d` the same of the letter d."""
    base = base_of(part)
    scripts = part.scripts if isinstance(part, Scripted) else ()
    if base != (Name(base.at, "d") if d else Symbol(base.at, "partial")):
        return 0
    match scripts:
        case ():
            return 1
        case (("^", NumberNode() as n),) if n.text.isdigit():
            return int(n.text)
    return 0


def _differential(node: Node, d: bool) -> _Differential | None:
    """∂x ∂y as [x, y], ∂²L as [L], ∂ alone as []; None where there is no ∂ in front."""
    parts = node.parts if isinstance(node, Product) else (("", node),)
    found: list[list[tuple[str, Node]]] = []
    order = _order(parts[0][1], d)
    if any(op == "/" and _order(part, d) for op, part in parts):
        return None  # ∂u/∂x, a ratio by itself
    for k, (op, part) in enumerate(parts):
        last = k + 1 == len(parts) or _order(parts[k + 1][1], d)
        if _order(part, d) and not (d and found and not found[-1] and last):  # \frac{d d}{dp}
            found.append([])
        elif not found or op not in ("", "·"):
            return None
        else:
            found[-1].append(("" if not found[-1] else op, part))
    operands = (Product(f[0][1].at, tuple(f)) if len(f) > 1 else f[0][1] for f in found if f)
    return _Differential(tuple(operands), order) if found else None


def ratio(reader: Reader, top: Node, bottom: Node) -> tuple[tuple[Node, ...], list[Node]] | None:
    r"""What \frac{∂ top}{∂ bottom} differentiates, and by what; None where it is no derivative."""
    for d in (False, True):
        above, below = _differential(top, d), _differential(bottom, d)
        if above is None or below is None or not below.operands:
            continue
        number = reader.names.declared | reader.names.ranks.keys() | reader.sizes.names
        if d and "d" in number and not reader.names.lenient:  # a number would cancel
            raise reader.fail(
                top,
                "d above and below: a derivative, or the number d that is declared?",
                expected=r"\frac{\partial L}{\partial x}, or the fraction without d",
                mend=r"write \partial",
            )
        variables = list(below.operands)
        if above.order > 1 and len(variables) == 1:
            variables = _repeated(variables[0], above.order)
        if len(variables) != above.order:
            raise reader.fail(
                bottom,
                f"a derivative of order {above.order} by {len(variables)} variables",
                expected=r"\frac{\partial^2 L}{\partial x \partial y} or \frac{\partial^2 L}"
                r"{\partial x^2}",
                mend="write as many variables as the order says",
            )
        return above.operands, variables
    return None


def halves(node: Node) -> tuple[tuple[Node, ...], list[Node], bool] | None:
    """What a fraction differentiates, by what, and whether with d; None for any other one."""
    for d in (False, True):
        above = _differential(node.top, d) if isinstance(node, Fraction) else None
        below = _differential(node.bottom, d) if isinstance(node, Fraction) else None
        if above is None or below is None or not below.operands:
            continue
        variables = list(below.operands)
        if above.order > 1 and len(variables) == 1:
            variables = _repeated(variables[0], above.order)
        return (above.operands, variables, d) if len(variables) == above.order else None
    return None


def _repeated(variable: Node, order: int) -> list[Node]:
    """x² below ∂² is x twice."""
    if isinstance(variable, Scripted):
        *scripts, (mark, last) = variable.scripts
        if mark == "^" and isinstance(last, NumberNode) and last.text == str(order):
            base = (
                Scripted(variable.at, variable.base, tuple(scripts)) if scripts else (variable.base)
            )
            if isinstance(base, Group) and len(base.items) == 1:
                base = base.items[0]
            return [base] * order
    return [variable]
