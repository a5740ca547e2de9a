"""What a plan can compute, and small questions about expressions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

import sympy as sp

from .. import normalize as nf
from ..canonical import labellings
from ..errors import LimitError
from ..ir import Atom, Call, Index, Num, Poly, Ref, Slot, Tensor, Term
from .nodes import Label

Env = Mapping[Index, Label]


@dataclass(frozen=True)
class Shift:
    """index := position mod modulus, 0 where that is past the end."""

    index: Index
    position: Slot
    modulus: sp.Expr


@dataclass(frozen=True)
class Entry:
    """tensor[indices] = poly, something that the plan can compute."""

    tensor: Tensor
    indices: tuple[Index, ...]
    poly: Poly
    guard: bool = False  # 1 where the value is 0, for sums that nothing is left of by a mask
    shift: Shift | None = None  # the expression is read at an affine index

    def at(self, slots: Sequence[Slot]) -> Poly:
        """The normal form at other indices."""
        return nf.substitute(nf.normalize(self.poly), dict(zip(self.indices, slots, strict=True)))


def has_log(term: Term) -> bool:
    return any(isinstance(a, Call) and a.name == "log" for a, _ in term)


def is_number(symbol: sp.Expr) -> bool:
    """True for sizes and for constants such as π, which need no array."""
    if symbol.is_Symbol:
        return bool(symbol.is_integer and symbol.is_positive)
    return True


def numeric(term: Term) -> tuple[sp.Expr, Term]:
    """The factors of a term that are sizes and numbers, and the others."""
    value = sp.S.One
    left: dict[Atom, Any] = {}
    for atom, e in term:
        if isinstance(atom, Num):
            value *= sp.Integer(atom.prime) ** sp.Rational(e)
        elif (
            isinstance(atom, Ref)
            and atom.tensor.symbol is not None
            and is_number(atom.tensor.symbol)
        ):
            value *= atom.tensor.symbol ** sp.Rational(e)
        else:
            left[atom] = e
    return value, Term(left) if len(left) < len(term.powers) else term


def labelled(
    items: Mapping[Index, int], const: sp.Expr, env: Env
) -> tuple[dict[Label, int], sp.Expr]:
    found: dict[Label, int] = {}
    for index, c in items.items():
        if c:
            label = env[index]
            found[label] = found.get(label, 0) + c
    return found, const


def canonical(normal: Poly) -> tuple[Poly, list[Index]]:
    """A normal expression with its free indices numbered by content, and their order."""
    free = sorted(normal.free, key=lambda i: i.sort)
    if not free:
        return normal, []
    order = free
    if len(free) > 1:
        with suppress(LimitError):  # an order by letter finds fewer common parts, no wrong ones
            order = next(labellings(free, normal, {}))
    numbered = {i: Index(f"#{k}", i.size) for k, i in enumerate(order)}
    return nf.substitute(normal, dict(numbered)), order
