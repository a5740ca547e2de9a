r"""How far an operator reaches: the ∂/∂x and \nabla_x of x^\top A x, of \frac12 f, of f g."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from . import covariant, operators
from .applications import application
from .differentials import ratio
from .tree import Addition, Fraction, Group, Name, Node, Product, Scripted, children, sign_of, walk
from .tree import Number as NumberNode
from .values import Scope, Value

if TYPE_CHECKING:
    from .elaborate import Reader


Parts = Sequence[tuple[str, Node]]


def of_sum(reader: Reader, node: Addition) -> Node | None:
    r"""\nabla_x (f - g) for \nabla_x f - g; None for a sum that no operator begins."""
    (sign, first), *others = node.parts
    if sign != 1 or not isinstance(first, Product):
        return None
    (_, head), *rest = first.parts
    found = ratio(reader, head.top, head.bottom) if isinstance(head, Fraction) else None
    symbol = sign_of(head)
    nabla = symbol is not None and symbol.kind == "nabla"
    if not (nabla or (found is not None and not found[0])) or not rest:
        return None
    inner = Addition(rest[0][1].at, ((1, together(rest, 0, len(rest))), *others))
    return Product(first.at, (("", head), ("", Group(inner.at, "(", (inner,)))))


def target(reader: Reader, parts: Parts, k: int, scope: Scope) -> tuple[Value, int]:
    """What an operator at `k` − 1 differentiates, and the place behind it: a factor, a bracket as a
    whole, with the constants before it, and all of x^⊤ A x."""
    first = k
    while k + 1 < len(parts) and _constant(reader, parts, k):
        k += 1
    value, after, span = operators.take(reader, parts, k, scope)
    if value.col is not None and value.row is None:
        after = max(after, run(parts, k))
        if any(covariant.is_nabla(part) or (isinstance(part, Fraction) and ratio(
            reader, part.top, part.bottom)) for _, part in parts[k:after]):  # fmt: skip
            raise reader.fail(
                parts[k][1],
                "how far does ∇ reach?",
                expected=r"\nabla_x (f g)",
                mend="write brackets around what is differentiated",
            )
        span = [("", value)] * 2 if after > k + 1 else span
    if first < k or (span and len(span) > 1):
        value = reader.read(together(parts, first, max(after, k + 1)), scope)
    return value, after


def run(parts: Parts, k: int) -> int:
    """The place behind the factors that stand side by side from `k` on."""
    return next((n for n in range(k + 1, len(parts)) if parts[n][0] not in ("", "/")), len(parts))


def together(parts: Parts, k: int, after: int) -> Node:
    """These factors as one node."""
    first = parts[k][1]
    return first if after == k + 1 else Product(first.at, (("", first), *parts[k + 1 : after]))


def _constant(reader: Reader, parts: Parts, k: int) -> bool:
    """True for a number, a size, or a name that is declared as a number and not applied."""
    names = reader.names
    known = names.positive | names.constants | reader.sizes.names
    node = parts[k][1]
    atoms_ = [a for a in walk(node) if not children(a)]
    plain = isinstance(node, NumberNode | Name | Fraction | Scripted)
    return (
        plain
        and application(parts, k) is None
        and all(
            isinstance(a, NumberNode) or (isinstance(a, Name) and a.text in known) for a in atoms_
        )
        and not (isinstance(node, Fraction) and ratio(reader, node.top, node.bottom))
    )
