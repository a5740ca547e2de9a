"""The largest exponents of sums: m = max_j q_ij, and the larger one of alternatives.

A peak is a tensor of its own, a reference value whose choice changes no result.  It is taken of the
part of an exponent that the sum is over, once for all sums that have it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import product
from typing import TYPE_CHECKING

from .. import normalize as nf
from ..ir import (
    ONE,
    ZERO,
    Atom,
    Index,
    Poly,
    Ref,
    Sum,
    Tensor,
    Term,
    raw_atom,
    refs,
)
from .anchor import below_peaks
from .conditions import is_mask
from .contract import stand_in
from .entry import STAND_IN, canonical, numbered
from .logistic import (
    exponent_of,
)

if TYPE_CHECKING:
    from .plan import Planner


@dataclass(frozen=True)
class Peak:
    """max over `bound` of one exponent, where all masks hold, or the maximum of several."""

    indices: tuple[Index, ...]
    bound: tuple[Index, ...]
    exponents: tuple[Poly, ...]
    masks: tuple[Atom, ...] = ()


def largest(
    planner: Planner,
    bound: set[Index],
    q: Poly,
    held: dict[Atom, Poly],
    pairs: list[Poly] | None = None,
) -> tuple[list[Poly], Poly] | None:
    """Factors e^{p−max p} of e^q, and the exponent that is left; None where the sum falls apart.

    Where an index is in a part of the exponent with fewer letters, that part goes first: in
    Σ_ja e^{x_ia+y_ja} it is y_ja − max_j y_ja, then x_ia + max_j y_ja − max_a (…).  So the
    exponential of a sum stays a product of smaller arrays.  `held` are masks, with their weights.
    `pairs` is given exponents such as x_ic + y_cp, which a planner may take apart: see apart.py.
    """
    scaled: list[Poly] = []
    masks = list(held)
    while bound := {b for b in bound if any(b in x.free for x in (q, *masks))}:
        parts: list[Poly | Atom] = [*(Poly({t: c}) for t, c in q), *masks]
        reach = {b: {i for x in parts if b in x.free for i in x.free} for b in bound}
        first = min(bound, key=lambda b: (len(reach[b]), b.sort))
        group = {b for b in bound if reach[b] <= reach[first]}
        own = nf.add(*(x for x in parts if isinstance(x, Poly) and x.free & group))
        hold = [m for m in masks if m.free & group]
        q = nf.subtract(q, own)
        own_parts = separate(own) if pairs is not None and not hold else [own]
        if pairs is not None and len(own_parts) > 1:
            pairs.append(own)
        for part in own_parts if planner.apart else [own]:
            over = (b for b in group if b in part.free or part is own)
            peak = _peak(planner, tuple(sorted(over, key=lambda b: b.sort)), part, hold)
            if peak is None:
                return None
            exponential = nf.call("exp", [nf.subtract(part, peak)])
            factor = nf.multiply(exponential, *(held[m] for m in hold))
            scaled.append(raw_atom(stand_in(planner, factor)))
            q = nf.add(q, peak)
        masks = [m for m in masks if m not in hold]
    return scaled, q


def separate(q: Poly) -> list[Poly]:
    """Parts of an exponent none of which has all of its letters; itself where one has."""
    terms = [(t, c, t.free) for t, c in q]
    most = [free for _, _, free in terms if not any(free < other for _, _, other in terms)]
    letters = list(dict.fromkeys(most))
    if len(letters) < 2:
        return [q]
    homes = [next(x for x in letters if free <= x) for _, _, free in terms]
    return [
        Poly({t: c for (t, c, _), own in zip(terms, homes, strict=True) if own is home})
        for home in letters
    ]


def _peak(planner: Planner, bound: tuple[Index, ...], q: Poly, masks: list[Atom]) -> Poly | None:
    """max_bound q as a component of a tensor of its own; None where the sum falls apart."""
    core = nf.sum_over(bound, nf.multiply(nf.call("exp", [q]), *map(raw_atom, masks)))
    key, order = canonical(core)
    only = key.single
    if only is None or only[1] != 1 or len(only[0].powers) != 1:
        return None
    ((atom, e),) = only[0]
    if e != 1 or not isinstance(atom, Sum):
        return None
    inner, body = nf.opened(atom, atom.free)
    ((term, _),) = body
    exponent = exponent_of(term)
    if exponent is None:
        return None
    indices = tuple(numbered(k, i.size) for k, i in enumerate(order))
    hold = tuple(a for a, _ in term if is_mask(a))
    peak = Peak(indices, inner, (exponent,), hold)
    return raw_atom(Ref(of_peak(planner, peak), order))


def of_peak(planner: Planner, peak: Peak) -> Tensor:
    for tensor, known in planner.peaks.items():
        if known == peak:
            return tensor
    inside = dict.fromkeys(r.tensor for p in peak.exponents for r in refs(p))
    stem = "_".join([t.name for t in inside if t.role != STAND_IN][:2]) or "exponent"
    name = f"{stem}_max"
    taken = {t.name for t in planner.peaks}
    name = next(n for k in range(len(taken) + 1) if (n := name + f"_{k}" * (k > 0)) not in taken)
    tensor = Tensor(name, tuple(i.size for i in peak.indices), role=STAND_IN)
    planner.peaks[tensor] = peak
    return tensor


def highest(planner: Planner, peak: Poly, terms: Sequence[Term]) -> bool:
    """The exponents of these terms are among those that the peak is the largest of, or sums of such
    with others."""
    for term in terms:
        q = exponent_of(term) or ZERO
        held, left = below_peaks(planner, nf.subtract(q, peak))
        tops = [r for r in refs(peak) if r.tensor in planner.peaks]
        if not held or left.terms or not all(_seen(planner, r, q, term) for r in tops):
            return False
    return True


def _seen(planner: Planner, ref: Ref, q: Poly, term: Term) -> bool:
    """The masks of a peak leave the place of an exponent: max_{j<i} x_j may be far below x_i."""
    peak = planner.peaks[ref.tensor]
    letters = [[i for i in q.free if i.size == b.size] for b in peak.bound]
    for at in product(*letters) if peak.masks else ():
        place = dict(zip((*peak.indices, *peak.bound), (*ref.slots, *at), strict=True))
        if all(t in q.terms for p in peak.exponents for t, _ in nf.substitute(p, place)):
            masks = (nf.substitute(m, place) for m in peak.masks)
            if all(
                m is ONE or (m.single and set(m.single[0].powers) <= set(term.powers))
                for m in masks
            ):
                return True
    return not peak.masks
