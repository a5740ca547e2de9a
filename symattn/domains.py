"""Signs that a claim presupposes: log x and √x say that x > 0 or x ≥ 0 where they are defined.

A component in free letters is positive as it stands there; one in bound letters, each over all of
its axis, makes every component of its tensor so.  What is ≥ 0 counts as positive where nothing in
the expressions jumps: both sides are continuous then, and agree at 0 as well.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import sympy as sp

from . import normalize as nf
from . import primitives
from .ir import (
    Argmax,
    Call,
    Index,
    Max,
    Poly,
    Ref,
    Sum,
    Tensor,
    Term,
    parts,
    raw_atom,
    refs,
    scalar,
)
from .laws import sign_of
from .model import Model


def presupposed(sides: Sequence[Poly], m: Model) -> tuple[tuple[Poly, Poly], list[str]] | None:
    """The sides written out with what has to be positive as such, and what that is."""
    names = {t.name for side in sides for r in refs(side) for t in r.tensor.named}
    names |= {other for name in names for other in m.uses(name)}
    if any(map(_may_be_empty, [*sides, *(m.bodies[n].raw for n in names & m.bodies.keys())])):
        return None  # nothing is presupposed by a sum over nothing
    whole = [m.inline(nf.normalize(side)) for side in sides]
    signs = _Signs(not any(map(_jumps, whole)))
    for side in whole:
        signs.read(side, frozenset())
    if not signs.components and not signs.tensors:
        return None
    left, right = (nf.rewrite(side, signs.put) for side in whole)
    return (left, right), [f"{about} > 0 where both sides are defined" for about in signs.names()]


@dataclass
class _Signs:
    """What is known to be positive."""

    continuous: bool
    components: dict[Ref, None] = field(default_factory=dict)
    tensors: dict[Tensor, None] = field(default_factory=dict)

    def names(self) -> list[str]:
        return [str(x) for x in self.components] + [t.name for t in self.tensors]

    def put(self, atom: Any) -> Poly | None:
        if not isinstance(atom, Ref) or not (
            atom in self.components or atom.tensor in self.tensors
        ):
            return None
        t = atom.tensor
        if t.symbol is not None:
            return raw_atom(scalar(sp.Symbol(t.name, positive=True)))
        return nf.ref(Tensor(t.name, t.shape, positive=True, symmetry=t.symmetry), atom.slots)

    def read(self, node: Any, bound: frozenset[Index]) -> None:
        """The signs that an expression presupposes, its scope being over these letters."""
        match node:
            case Term():
                for atom, e in node:
                    if not isinstance(e, int) and (e < 0 or self.continuous):
                        self.positive(atom, bound)
            case Call(name="log"):
                self.positive(node.args[0], bound)
            case Sum() | Max() | Argmax():
                bound = bound | set(node.bound)
        for part in parts(node):
            self.read(part, bound)

    def positive(self, node: Any, bound: frozenset[Index]) -> None:
        """x > 0 where x is the only factor of a product whose sign is not known."""
        only = node.single if isinstance(node, Poly) else (Term({node: 1}), 1)
        if only is None or only[1] < 0:
            return
        open_ = [(a, e) for a, e in only[0] if sign_of(a) != "+"]
        if len(open_) != 1 or not isinstance(open_[0][1], int) or open_[0][1] % 2 == 0:
            return
        ((atom, _),) = open_
        if not isinstance(atom, Ref) or atom.tensor.role or atom.tensor.symmetry == "antisymmetric":
            return
        if atom.free.isdisjoint(bound):
            self.components[atom] = None
        elif set(atom.slots) <= bound and len(set(atom.slots)) == len(atom.slots):
            letters = [s.size for s in atom.slots if isinstance(s, Index)]
            if letters == list(atom.tensor.shape):
                self.tensors[atom.tensor] = None


def _may_be_empty(node: Any) -> bool:
    bound = getattr(node, "bound", ())
    return not all((b.size - 1).is_nonnegative for b in bound) or any(
        map(_may_be_empty, parts(node))
    )


def _jumps(node: Any) -> bool:
    if isinstance(node, Call) and isinstance(node.name, str):
        kinked = node.name not in CONTINUOUS and primitives.kinked(node.name)
    else:
        kinked = isinstance(node, Argmax)
    return kinked or any(map(_jumps, parts(node)))


CONTINUOUS = ("abs", "relu")

__all__ = ["presupposed"]
