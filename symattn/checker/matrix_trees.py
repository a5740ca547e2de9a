"""Trees of formulas between matrices, walked once for whatever a sum, a product, … is there."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any, Protocol

from ..read.tree import (
    Accent,
    Addition,
    Group,
    Matrix,
    Name,
    Node,
    Number,
    Product,
    Scripted,
    Symbol,
)
from ..read.tree import Fraction as FractionNode
from .operators import Foreign, key

MOST_POWER = 6
_FUNCTIONS = frozenset(["tr", "det"])


class Meaning(Protocol):
    """What sums, products, … are."""

    def number(self, value: Fraction) -> Any: ...
    def name(self, name: str) -> Any: ...
    def plus(self, a: Any, b: Any) -> Any: ...
    def times(self, a: Any, b: Any) -> Any: ...
    def transposed(self, a: Any) -> Any: ...
    def inverse(self, a: Any) -> Any: ...
    def kronecker(self, a: Any, b: Any) -> Any: ...
    def vec(self, a: Any) -> Any: ...
    def tr(self, a: Any) -> Any: ...
    def det(self, a: Any) -> Any: ...
    def blocks(self, rows: Sequence[Sequence[Any]]) -> Any: ...


def meant(node: Node, by: Meaning) -> Any:
    """What a tree is.  Raises Foreign for one with anything else in it."""
    match node:
        case Number(text=text):
            return by.number(Fraction(text))
        case Name() | Accent():
            return by.name(key(node))
        case Scripted(base=base, scripts=scripts):
            return _scripted(node, base, scripts, by)
        case Addition(parts=parts):
            total = None
            for sign, part in parts:
                value = meant(part, by)
                value = value if sign == 1 else by.times(by.number(Fraction(-1)), value)
                total = value if total is None else by.plus(total, value)
            return total
        case Product(parts=parts):
            return _product(parts, by)
        case FractionNode(top=top, bottom=bottom):
            return by.times(meant(top, by), by.inverse(meant(bottom, by)))
        case Matrix(rows=rows):
            return by.blocks([[meant(x, by) for x in row] for row in rows])
        case Group(bracket="(" | "[" | "{", items=(inner,)):
            return meant(inner, by)
    raise Foreign


def _scripted(
    node: Scripted, base: Node, scripts: tuple[tuple[str, Node], ...], by: Meaning
) -> Any:
    below = tuple(s for s in scripts if s[0] == "_")
    value = by.name(key(Scripted(node.at, base, below))) if below else meant(base, by)
    for sign, script in scripts:
        if sign == "^":
            value = _raised(value, script, by)
    return value


def _raised(value: Any, script: Node, by: Meaning) -> Any:
    turned = (Symbol(script.at, "top"), Name(script.at, "T"))
    if script in turned:
        return by.transposed(value)
    match script:
        case Number(text=text) if text.isdigit() and 1 <= int(text) <= MOST_POWER:
            power = value
            for _ in range(int(text) - 1):
                power = by.times(power, value)
            return power
        case Addition(parts=((-1, Number(text="1")),)):
            return by.inverse(value)
        case Addition(parts=((-1, x),)) if x in (Symbol(x.at, "top"), Name(x.at, "T")):
            return by.transposed(by.inverse(value))
    raise Foreign


def _product(parts: Sequence[tuple[str, Node]], by: Meaning) -> Any:
    total, k = None, 0
    while k < len(parts):
        op, part = parts[k]
        if op not in ("", "·"):
            raise Foreign
        if (sign := _function(part)) is None:
            value = meant(part, by)
        else:
            k += 1
            if k == len(parts):
                raise Foreign
            value = _applied(sign, parts[k][1], by)
            bare = not isinstance(_inside(parts[k][1]), Group | Matrix)
            if bare and k + 1 < len(parts) and _function(parts[k + 1][1]) is None:
                raise Foreign  # tr A B
        total = value if total is None else by.times(total, value)
        k += 1
    return total


def _inside(node: Node) -> Node:
    return node.base if isinstance(node, Scripted) else node


def _function(node: Node) -> str | None:
    match node:
        case Symbol(kind="function", text="tr" | "det" | "otimes" as text):
            return text
        case Name(text="vec"):
            return "vec"
    return None


def _applied(sign: str, argument: Node, by: Meaning) -> Any:
    if sign == "otimes":
        if not isinstance(argument, Group) or len(argument.items) < 2:
            raise Foreign
        first, *others = (meant(x, by) for x in argument.items)
        for x in others:
            first = by.kronecker(first, x)
        return first
    inner, scripts = argument, tuple[tuple[str, Node], ...]()
    if isinstance(argument, Scripted) and isinstance(argument.base, Group | Matrix):
        inner, scripts = argument.base, argument.scripts  # tr(A)^2
    value = meant(inner, by)
    value = by.vec(value) if sign == "vec" else by.tr(value) if sign == "tr" else by.det(value)
    for mark, script in scripts:
        if mark != "^":
            raise Foreign
        value = _raised(value, script, by)
    return value


__all__ = ["Meaning", "meant"]
