r"""Jets of fields in space: components and their derivatives at a point, as symbols of their own.

A value is a number, the three components of a vector, or the gradient of one.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import sympy as sp

from ..read.spatial import Said
from ..read.tree import Times

TIME = 3
Vector = tuple[Any, Any, Any]


class Untold(Exception):
    """What has no meaning here, or more than one."""


@dataclass(frozen=True)
class Gradient:
    """∂_k B_i, by k and i."""

    rows: tuple[Any, ...]


class Norm:
    """|A|, of which the square is known."""

    def __init__(self, value: Vector) -> None:
        self.value = value

    def __pow__(self, power: Any) -> Any:
        if power % 2:
            raise Untold
        return dot(self.value, self.value) ** (power / 2)


@dataclass
class Jets:
    """Fields at a point; `constants` do not vary."""

    said: Said
    constants: frozenset[str] = frozenset()
    jets: dict[Any, tuple[str, tuple[int, ...], tuple[int, ...]]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.place = tuple(sp.Symbol(f"place_{k}") for k in range(3))
        self.radius = sp.Symbol("radius", positive=True)
        self.time = sp.Symbol("time")

    def jet(self, name: str, at: tuple[int, ...], orders: tuple[int, ...] = (0, 0, 0, 0)) -> Any:
        """A component of a field, derived so often by x, y, z and t."""
        if name in self.said.symmetric:
            at = tuple(sorted(at))
        shown = "".join(map(str, at)) + "|" + "".join(map(str, orders))
        found = sp.Symbol(f"{name}|{shown}")
        self.jets[found] = name, at, orders
        return found

    def derived(self, value: Any, axis: int) -> Any:
        """The derivative of an expression of jets."""
        found = sp.S.Zero
        for x in value.free_symbols:
            if x in self.place:
                slope: Any = sp.Integer(int(self.place.index(x) == axis))
            elif x == self.time:
                slope = sp.Integer(int(axis == TIME))
            elif x == self.radius:
                slope = self.place[axis] / x if axis < TIME else sp.S.Zero
            elif x in self.jets and self.jets[x][0] not in self.constants:
                name, at, orders = self.jets[x]
                more = tuple(n + (k == axis) for k, n in enumerate(orders))
                slope = self.jet(name, at, more)
            else:
                continue
            if slope != 0:
                found += sp.diff(value, x) * slope
        return found

    def varies(self, value: Any) -> bool:
        """Whether an expression is made of fields, and not of numbers and constants alone."""
        inside = (self.jets[x][0] for x in value.free_symbols if x in self.jets)
        return any(name not in self.constants for name in inside)

    def is_zero(self, value: Any) -> bool:
        """Whether an expression of jets vanishes identically."""
        top, _ = sp.fraction(sp.together(sp.expand(value, power_exp=True)))
        top = sp.expand(top, power_exp=True)
        powers = [p for p in top.atoms(sp.Pow) if p.base == self.radius and not p.exp.is_Integer]
        top = top.xreplace({p: sp.Dummy() for p in powers})
        if top.has(self.radius):
            square = sum(x**2 for x in self.place)
            top = sp.rem(sp.Poly(top, self.radius), sp.Poly(self.radius**2 - square, self.radius))
            top = sp.expand(top.as_expr())
        return bool(top == 0)

    def along(self, value: Any, axis: int) -> Any:
        if isinstance(value, tuple):
            return tuple(self.derived(x, axis) for x in value)
        return self.derived(number(value), axis)

    def gradient(self, value: Any) -> Any:
        if isinstance(value, tuple):
            return Gradient(tuple(tuple(self.derived(x, k) for x in value) for k in range(3)))
        return tuple(self.derived(number(value), k) for k in range(3))

    def laplacian(self, value: Any) -> Any:
        if isinstance(value, tuple):
            return tuple(map(self.laplacian, value))
        value = number(value)
        return sum(self.derived(self.derived(value, k), k) for k in range(3))

    def curl(self, value: Vector) -> Any:
        d = self.derived
        turns = ((1, 2), (2, 0), (0, 1))
        return tuple(d(value[j], i) - d(value[i], j) for i, j in turns)

    def directed(self, direction: Vector, value: Any) -> Any:
        if isinstance(value, tuple):
            return tuple(self.directed(direction, x) for x in value)
        return sum(a * self.derived(number(value), k) for k, a in enumerate(direction))


def number(value: Any) -> Any:
    if isinstance(value, tuple | Gradient | Norm):
        raise Untold
    return value


def plus(one: Any, other: Any) -> Any:
    if isinstance(one, tuple) and isinstance(other, tuple):
        return tuple(a + b for a, b in zip(one, other, strict=True))
    if isinstance(one, tuple) and other == 0:
        return one
    if isinstance(other, tuple) and one == 0:
        return other
    return number(one) + number(other)


def times(factor: Any, value: Any) -> Any:
    if isinstance(value, tuple):
        return tuple(factor * x for x in value)
    return factor * number(value)


def dot(one: Any, other: Any) -> Any:
    return sum(a * b for a, b in zip(one, other, strict=True))


def cross(one: Any, other: Any) -> Any:
    if not (isinstance(one, tuple) and isinstance(other, tuple)):
        raise Untold
    turns = ((1, 2), (2, 0), (0, 1))
    return tuple(one[i] * other[j] - one[j] * other[i] for i, j in turns)


def joined(one: Any, op: str, other: Any) -> Any:
    if isinstance(op, Times) and isinstance(one, tuple) and isinstance(other, tuple):
        return cross(one, other)
    if op == "/":
        return times(1 / number(other), one)
    if op == "·" and isinstance(one, tuple) and isinstance(other, tuple):
        return dot(one, other)
    if op == "·" and isinstance(one, tuple) and isinstance(other, Gradient):
        return tuple(sum(one[k] * other.rows[k][i] for k in range(3)) for i in range(3))
    if op not in ("", "·") or (isinstance(one, tuple) and isinstance(other, tuple)):
        raise Untold
    if isinstance(one, tuple):
        return times(number(other), one)
    return times(number(one), other)


__all__ = [
    "TIME",
    "Gradient",
    "Jets",
    "Norm",
    "Untold",
    "Vector",
    "cross",
    "dot",
    "joined",
    "number",
    "plus",
    "times",
]
