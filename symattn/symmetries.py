"""Matrices that are symmetric by definition: M_ij = K_ij + σ² δ_ij with K_ij = exp(−(x_i − x_j)²).

A definition is symmetric where its body is the same with its letters exchanged, and the symmetric
definitions in it are taken as such.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from . import normalize as nf
from .ir import Poly, Ref, Tensor, determinant_tensor, inverse_tensor, refs
from .model import Body, Model


def restated(poly: Poly, symmetric: Mapping[str, Tensor]) -> Poly:
    """The expression with these matrices symmetric, and their inverses."""

    def rule(atom: Any) -> Poly | None:
        if not isinstance(atom, Ref) or not any(t.name in symmetric for t in atom.tensor.named):
            return None
        tensor = atom.tensor
        if tensor.role == "inverse":
            return nf.ref(inverse_tensor(symmetric[tensor.of[0].name]), atom.slots)
        if tensor.role in ("det", "logdet"):
            return nf.ref(determinant_tensor(symmetric[tensor.of[0].name], tensor.role), ())
        return None if tensor.parts else nf.ref(symmetric[tensor.name], atom.slots)

    return nf.rewrite(nf.normalize(poly), rule) if symmetric else poly


def symmetric_definitions(m: Model, bodies: Iterable[Body]) -> dict[Tensor, tuple[str, ...]]:
    """The symmetric ones of these and of what they use, each with what makes it so."""
    wanted = {o for b in bodies for o in (b.tensor.name, *m.uses(b.tensor.name))}
    found: dict[str, Tensor] = {}
    labels: dict[Tensor, tuple[str, ...]] = {}
    for name, body in m.bodies.items():  # in the order of use
        if name not in wanted or len(body.indices) != 2 or len({*body.tensor.shape}) > 1:
            continue
        i, j = body.indices
        normal = restated(body.normal, found)
        if nf.substitute(normal, {i: j, j: i}) is normal:
            within = {t for r in refs(body.normal) for t in r.tensor.named if t in labels}
            below = (label for t in sorted(within, key=lambda t: t.name) for label in labels[t])
            own = body.fact or f"definition of {name}"
            labels[body.tensor] = tuple(dict.fromkeys((*below, own)))
            found[name] = Tensor(name, body.tensor.shape, body.tensor.sign, "symmetric")
    return labels


__all__ = ["restated", "symmetric_definitions"]
