"""Definitions that are δ times something, as ∂H_{ib}/∂X_{jp} = δ_{ij} B_{ibp} in a Hessian.

What uses such a definition is made of δ and B, so that the δ goes away under its sums; as an array
it would be zeros for the most part.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from .. import normalize as nf
from ..ir import Affine, Delta, Index, Poly, Ref, Tensor, Term, refs
from .entry import STAND_IN, Entry

Pairs = tuple[tuple[int, int], ...]  # the slots that a δ makes equal, the one that stays first


def sifted(entries: Mapping[Tensor, Entry]) -> dict[Tensor, Entry]:
    """The entries, those that are used and have a δ in every term as δ and a block of their own."""
    used = {r.tensor for e in entries.values() for r in refs(e.poly)}
    blocks: dict[Tensor, tuple[Pairs, Tensor]] = {}
    found: dict[Tensor, Entry] = {}

    def rule(atom: Any) -> Poly | None:
        if not isinstance(atom, Ref) or atom.tensor not in blocks:
            return None
        pairs, block = blocks[atom.tensor]
        if any(isinstance(atom.slots[k], Affine) for pair in pairs for k in pair):
            return None
        gone = {second for _, second in pairs}
        left = [s for k, s in enumerate(atom.slots) if k not in gone]
        equal = (nf.delta(atom.slots[a], atom.slots[b]) for a, b in pairs)
        return nf.multiply(*equal, nf.ref(block, left))

    for tensor, entry in entries.items():
        if blocks and any(r.tensor in blocks for r in refs(entry.poly)):
            entry = replace(entry, poly=nf.rewrite(entry.poly, rule))
        if tensor in used and (made := _apart(entry)) is not None:
            pairs, block = made
            found[block.tensor] = block
            blocks[tensor] = pairs, block.tensor
        found[tensor] = entry
    return found


def _apart(entry: Entry) -> tuple[Pairs, Entry] | None:
    """The slots that a δ in every term makes equal, and what is there; None where there is none."""
    normal = nf.normalize(entry.poly)
    place = {i: k for k, i in enumerate(entry.indices)}
    common: set[Delta] | None = None
    for term, _ in normal:
        own = {
            a for a, e in term if isinstance(a, Delta) and e == 1 and a.a in place and a.b in place
        }
        common = own if common is None else common & own
    if not common:
        return None
    pairs = []
    for d in common:
        a, b = sorted(k for i, k in place.items() if i is d.a or i is d.b)
        pairs.append((a, b))
    pairs.sort()
    gone = [second for _, second in pairs]
    if len(set(gone)) < len(gone) or {first for first, _ in pairs} & set(gone):
        return None
    letters: dict[Index, Any] = {entry.indices[b]: entry.indices[a] for a, b in pairs}
    rest = Poly({Term({a: e for a, e in t if a not in common}): c for t, c in normal})
    indices = tuple(i for i in entry.indices if i not in letters)
    shape = tuple(i.size for i in indices)
    tensor = Tensor(f"{entry.tensor.name} block", shape, role=STAND_IN, of=(entry.tensor,))
    return tuple(pairs), Entry(tensor, indices, nf.substitute(rest, letters))


__all__ = ["sifted"]
