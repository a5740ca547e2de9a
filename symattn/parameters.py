"""Derivatives by a parameter that the system is without: ∂ℓ/∂θ through K(θ), with data y held.

Where the system does not have θ, all of its inputs may depend on it.  A statement that derives some
names of the system by θ, as tr((α αᵀ − K⁻¹) ∂K/∂θ)/2 does, says through which of them θ enters:
∂K/∂θ stands for itself then, and what K is not made of is held.
"""

from __future__ import annotations

from copy import copy
from typing import Any

from . import normalize as nf
from .derive.rules import outside
from .ir import Poly, Ref, Tensor, raw_atom, refs
from .model import Model, is_size


def entered(sides: tuple[Poly, Poly], m: Model) -> tuple[Model, str] | None:
    """The model where θ enters through the names that both sides derive last, and what is held.

    None where nothing is held: a statement on ∂K/∂θ alone says nothing of what K is made of.
    """
    tops, by = set[str](), set[str]()
    for tensor in {r.tensor for side in sides for r in refs(side) if r.tensor.parts}:
        of, *wrt = tensor.named
        if of.role:
            continue
        if not all(outside(m, t) for t in wrt):
            return None
        tops.add(of.name)
        by |= {t.name for t in wrt}
    last = {t for t in tops if not any(o != t and o in m.uses(t) for o in tops)}
    if last == tops or len(by) != 1:
        return None
    reached = {n for t in tops for n in (t, *m.uses(t))}
    moved = {n for t in last for n in (t, *m.uses(t))}
    numbers = {n for n, t in m.inputs.items() if is_size(t)}
    held = sorted((reached - moved) & m.inputs.keys() - numbers)
    if not held:
        return None
    other = copy(m)
    other.through, other.totals = frozenset(last), {}
    verb = "does" if len(held) == 1 else "do"
    return other, f"{', '.join(held)} {verb} not depend on {min(by)}"


def freed(side: Poly) -> Poly | None:
    """The side with a tensor of its own in place of every ∂K/∂θ; None where θ stands in it too."""
    by = {t for r in refs(side) if r.tensor.parts for t in r.tensor.named[1:]}
    if any(r.tensor in by for r in refs(side)) or any(t.shape for t in by):
        return None

    def rule(node: Any) -> Poly | None:
        if not isinstance(node, Ref) or not node.tensor.parts:
            return None
        of, *wrt = node.tensor.named
        name = "_".join(["partial", of.name, *(t.name for t in wrt)])
        symmetry = "symmetric" if of.definite else of.symmetry
        return raw_atom(Ref(Tensor(name, of.shape, symmetry=symmetry), node.slots))

    return nf.rewrite(nf.normalize(side), rule)


__all__ = ["entered", "freed"]
