"""The signs that logarithms and roots say.

Where log σ or 1/√σ stands σ > 0, and where √σ stands σ ≥ 0: of a component at the free letters just
of that one, and under a sum over a whole axis of all of that axis.  What a mask, a δ or a step
multiplies says nothing.  A sign that both sides of an equation say is no condition, and log σ² is
2 log σ under one, for the left side has values at negative σ.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Any, TypeAlias

from . import normalize as nf
from .convert import text
from .ir import (
    Argmax,
    Call,
    Delta,
    Index,
    Mask,
    Max,
    Poly,
    Ref,
    Slot,
    Sum,
    Tensor,
    Term,
    parts,
    raw_atom,
    refs,
)
from .laws import sign_of

Where: TypeAlias = "tuple[Slot | None, ...]"  # None: every component along that axis


@dataclass(frozen=True)
class Sign:
    """These components of a tensor have one sign, 1 or −1, or may be 0 as well."""

    tensor: Tensor
    where: Where
    sign: int
    strict: bool

    def __str__(self) -> str:
        slots = [w for w in self.where if w is not None]
        one = slots and len(slots) == len(self.where)
        shown = text(raw_atom(Ref(self.tensor, slots))) if one else self.tensor.name
        return f"{shown} {'><'[self.sign < 0] if self.strict else '≥≤'[self.sign < 0]} 0"

    def holds_at(self, r: Ref) -> bool:
        """True for a component that it is about."""
        pairs = zip(self.where, r.slots, strict=True)
        return r.tensor is self.tensor and all(w is None or w is s for w, s in pairs)

    def stand_in(self, k: int) -> Tensor:
        """A tensor of its own, number k, for these components less their sign."""
        name, sign = f"{self.tensor.name} {k}", "+" if self.strict else "0+"
        return Tensor(name, self.tensor.shape, sign, role="stand-in", of=(self.tensor,))


def signs_declared(sides: Iterable[Poly]) -> list[Sign]:
    """The signs of tensors that are declared to be negative, or not positive."""
    found = {r.tensor for side in sides for r in refs(side) if r.tensor.sign in ("-", "0-")}
    every = sorted(found, key=lambda t: t.name)
    return [Sign(t, (None,) * len(t.shape), -1, t.sign == "-") for t in every]


def signs_said(sides: Iterable[Poly]) -> list[Sign]:
    """The signs that logarithms and roots in normal expressions presuppose."""
    found: dict[tuple[Tensor, Where], Sign] = {}
    for side in sides:
        for sign in _signs(side, frozenset(), set()):
            place = (sign.tensor, sign.where)
            known = found.setdefault(place, sign)
            if sign.strict and not known.strict:
                found[place] = sign
    positive, negative = ({s.tensor for s in found.values() if s.sign == k} for k in (1, -1))
    return [s for s in found.values() if s.tensor not in positive & negative]


def in_both(left: Iterable[Sign], right: Iterable[Sign]) -> list[Sign]:
    """The signs that both sides say, as strictly as both do."""
    other = {(s.tensor, s.where, s.sign): s for s in right}
    return [
        replace(s, strict=s.strict and same.strict)
        for s in left
        if (same := other.get((s.tensor, s.where, s.sign)))
    ]


def _signs(
    node: Any, bound: frozenset[Index], seen: set[tuple[Any, frozenset[Index]]]
) -> Iterator[Sign]:
    """What a part says under these letters, once for equal parts."""
    bound &= node.free
    if (node, bound) in seen:
        return
    seen.add((node, bound))
    match node:
        case Delta() | Mask() | Argmax():
            return
        case Term():
            if any(isinstance(a, Delta | Mask | Argmax) or _is_step(a) for a, _ in node):
                return
            for atom, e in node:
                if not isinstance(e, int):
                    base = atom if isinstance(atom, Poly) else raw_atom(atom)
                    yield from _sign(base, bound, e < 0)
        case Call(name="log"):
            yield from _sign(node.args[0], bound, True)
        case Sum() | Max():
            if not all((b.size - 1).is_nonnegative for b in node.bound):
                return  # nothing may be summed
            bound = bound.union(node.bound)
    for part in parts(node):
        yield from _signs(part, bound, seen)


def _is_step(atom: Any) -> bool:
    return isinstance(atom, Call) and atom.name in ("step", "sign", "relu")


def _sign(poly: Poly, bound: frozenset[Index], strict: bool) -> Iterator[Sign]:
    """The sign of the one component that may be negative, where the expression may not be."""
    inner = poly.single
    if not inner:
        return
    term, c = inner
    odd = [(a, e) for a, e in term if isinstance(e, int) and e % 2 and not sign_of(a)]
    if len(odd) != 1 or not (strict or all(sign_of(a) == "+" for a, e in term if (a, e) != odd[0])):
        return
    ((atom, e),) = odd
    if not isinstance(atom, Ref) or atom.tensor.role or atom.tensor.sign in ("-", "0-"):
        return
    where: list[Slot | None] = []
    for slot, size in zip(atom.slots, atom.tensor.shape, strict=True):
        if slot in bound and slot.size == size and atom.slots.count(slot) == 1:
            where.append(None)
        elif all(i.level <= 0 and i not in bound for i in slot.free):
            where.append(slot)
        else:
            return
    yield Sign(atom.tensor, tuple(where), 1 if c > 0 else -1, strict or e < 0)


def with_signs(poly: Poly, signs: list[Sign]) -> Poly:
    """The expression with stand-ins of known sign for the components that `signs` are about."""

    def rule(atom: Any) -> Poly | None:
        if isinstance(atom, Ref):
            for k, sign in enumerate(signs):
                if sign.holds_at(atom):
                    return nf.scale(raw_atom(Ref(sign.stand_in(k), atom.slots)), sign.sign)
        return None

    return nf.rewrite(poly, rule)


__all__ = ["Sign", "in_both", "signs_said", "with_signs"]
