"""What a plan can compute, and small questions about expressions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from itertools import islice
from typing import Any

import sympy as sp

from .. import normalize as nf
from ..canonical import key, labellings
from ..errors import LimitError
from ..ir import (
    CACHE,
    Argmax,
    Atom,
    Call,
    Index,
    Max,
    Num,
    Poly,
    Ref,
    Slot,
    Sum,
    Tensor,
    Term,
    rational,
)
from ..places import placeable
from .nodes import Label

Env = Mapping[Index, Label]
LARGE = 1000  # a coefficient that a half-precision number may not bear
STAND_IN = "stand-in"  # the role of a tensor that a plan makes up
TIED = 24  # orders of letters that are compared
NUMBERED = -2  # the level of an index that has a number in place of a letter


def numbered(k: int, size: sp.Expr) -> Index:
    """The index with this number."""
    return Index(f"#{k}", size, NUMBERED)


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
    guard: bool | str = False  # 1 where the value is 0, for sums that nothing is left of by a mask
    shift: Shift | None = None  # the expression is read at an affine index
    adjoint: str = ""  # the tensor whose gradient this is
    test: tuple[Poly, str] | None = None  # u and ">=" for [u ≥ 0]: see the operation of a plan
    left: tuple[Poly, Index, Poly] | None = None  # q, j, g for log(1 − e^{q_j} / (g + Σ e^q))
    small: tuple[Poly, Poly] | None = None  # w, z for log(1 + w e^z)

    def at(self, slots: Sequence[Slot]) -> Poly | None:
        """The normal form at other indices; None where it would mean something else there.

        [k ≤ i] at i − 1 is no [k ≤ −1] for i = 0, as −1 is the last place.
        """
        return placed(nf.normalize(self.poly), dict(zip(self.indices, slots, strict=True)))


def placed(normal: Poly, places: Mapping[Index, Slot]) -> Poly | None:
    """The expression with others in place of letters; None where it would mean something else."""
    return nf.substitute(normal, places) if placeable(normal, places) else None


@lru_cache(maxsize=CACHE)
def settled(node: Any) -> Poly:
    """The normal form; where a δ of three letters leaves two orders of its sums, and each is the
    normal form of the other, one of these."""
    found = [nf.normalize(node)]
    while (again := nf.normalize(found[-1])) not in found:
        found.append(again)
    tied = found[found.index(again) :]
    return tied[0] if len(tied) == 1 else min(tied, key=str)  # whose content is the same


def stored(entry: Entry, order: Sequence[int], standing: Mapping[Tensor, Entry]) -> list[int]:
    """The axes of an elementwise expression in the order in which its tensors have them, so that
    none is turned; `order` where they do not agree, and for axes that they leave open."""
    tensors = None if entry.shift else _elementwise(entry.poly, standing)
    place = {i: k for k, i in enumerate(entry.indices)}
    rows = [[place[s] for s in ref.slots if isinstance(s, Index)] for ref in tensors or ()]
    left, found = list(order), list[int]()
    while left:
        free = [k for k in left if not any(k in row and row[0] != k for row in rows)]
        if not free:
            return list(order)
        found.append(free[0])
        left.remove(free[0])
        rows = [rest for row in rows if (rest := [k for k in row if k != free[0]])]
    return found


def _elementwise(poly: Poly, standing: Mapping[Tensor, Entry]) -> list[Ref] | None:
    """The tensors of an expression, also inside what stands for a part of it; None if something
    in it is summed or a maximum."""
    found: list[Ref] = []
    for term, _ in poly:
        for atom, _ in term:
            if isinstance(atom, Sum | Max | Argmax):
                return None
            if isinstance(atom, Ref) and atom.tensor in standing:
                if standing[atom.tensor].shift:
                    continue
                body = standing[atom.tensor].at(atom.slots)
                found += (_elementwise(body, standing) if body is not None else None) or ()
            elif isinstance(atom, Ref):
                found.append(atom)
            args = [atom] if isinstance(atom, Poly) else getattr(atom, "args", [])
            for arg in args:
                inner = _elementwise(arg, standing)
                if inner is None:
                    return None
                found += inner
    return found


def even(poly: Poly) -> tuple[Poly, sp.Rational]:
    """A sum p and a number c > 0 for the sum c p, where no coefficient of p is larger than 1.

    Only a sum with large coefficients is divided: 10⁶ Σ x² + n overflows before Σ x² + n/10⁶ does.
    """
    largest = max((abs(Fraction(c)) for _, c in poly), default=Fraction(1))
    if len(poly) < 2 or largest < LARGE:
        return poly, sp.S.One
    scaled = Poly({t: rational(Fraction(c) / largest) for t, c in poly})
    return scaled, sp.Rational(largest.numerator, largest.denominator)


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


@lru_cache(maxsize=10_000)
def canonical(normal: Poly) -> tuple[Poly, list[Index]]:
    """A normal expression with its free indices numbered by content, and their order."""
    free = sorted(normal.free, key=lambda i: i.sort)
    if not free:
        return normal, []
    orders = [free]
    if len(free) > 1:
        with suppress(LimitError):  # an order by letter finds fewer common parts, no wrong ones
            orders = list(islice(labellings(free, normal, {}), TIED))
    found = []
    for order in orders:  # orders are tied where only coefficients tell the letters apart
        numbers: dict[Index, Slot] = {i: numbered(k, i.size) for k, i in enumerate(order)}
        found.append((nf.substitute(normal, numbers), order))
    return found[0] if len(found) == 1 else min(found, key=lambda pair: key(pair[0]))
