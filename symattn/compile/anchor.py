"""Exponentials that are held below their peaks: e^{q−m} as one array, which no law takes apart."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from typing import TYPE_CHECKING, Any

from .. import normalize as nf
from ..canonical import key
from ..ir import ZERO, Atom, Call, Poly, Ref, Sum, Term, functions, inside, raw_atom, refs
from .conditions import is_mask
from .contract import stand_in
from .entry import STAND_IN
from .logistic import exponent_of, tame
from .weights import held_back

if TYPE_CHECKING:
    from .plan import Planner

PASSES = 4  # through an expression, for exponents that meet when they leave a sum


def anchored(planner: Planner, poly: Poly) -> Poly | None:
    """The expression with every e^{q−m} as a component of its own, which no law takes apart.

    Sums over fewer indices would else make e^q e^{−m} of it, and e^q overflows.  None where an
    exponential stays or a mask may be what keeps one finite.
    """
    if not _loose(poly):
        return None if _split(poly) else poly
    poly = nf.add(*(nf.scale(_inward(planner, term), c) for term, c in poly))
    poly = _with_masks(planner, poly)
    for _ in range(PASSES):
        steps = 0

        def rule(atom: Any) -> Poly | None:
            nonlocal steps
            if not (isinstance(atom, Call) and atom.name == "exp"):
                return None
            held, q = below_peaks(planner, atom.args[0])
            steps += bool(held)
            factors = (raw_atom(stand_in(planner, nf.call("exp", [p]))) for p in held)
            return nf.multiply(*factors, nf.call("exp", [q]))

        poly = nf.rewrite(poly, rule)
        if not steps:
            break
    return None if _loose(poly) or _split(poly) else poly


def _split(poly: Poly) -> bool:
    """A mask and what stands for an exponential are apart."""
    return _masked(poly) and any(r.tensor.role == STAND_IN for r in refs(poly))


def _with_masks(planner: Planner, poly: Poly) -> Poly:
    """The expression with e^{q−m} [slot ≥ 0] as one array, where the peak m is the largest q that
    the mask leaves: without it q − m may be anything."""

    def rule(atom: Any) -> Poly | None:
        if not isinstance(atom, Sum) or not _masked(atom.body):
            return None
        bound, body = nf.opened(atom, atom.free)
        return nf.sum_over(bound, _with_masks(planner, body))

    made = []
    for term, c in poly:
        q, masks = exponent_of(term), [a for a, _ in term if is_mask(a)]
        held: list[Poly] = []
        others = tame(term)
        for peak in [r for r in refs(q or ZERO) if r.tensor in planner.peaks and masks]:
            found = _below(planner, q or ZERO, peak)
            if found is None or len(found[0]) > 1:
                continue
            (part,), left = found
            own = _own_masks(planner, peak, part)
            if own and own <= set(masks):
                beside, others = held_back(planner.entries, others, sorted(own, key=key))
                held.append(nf.multiply(nf.call("exp", [part]), *beside.values()))
                q, masks = left, [m for m in masks if m not in own]
        if not held:
            made.append(nf.rewrite(Poly({term: c}), rule) if _masked(term) else Poly({term: c}))
            continue
        rest = Term({a: e for a, e in others if not is_mask(a) or a in masks})
        stands = (raw_atom(stand_in(planner, nf.normalize(p))) for p in held)
        exponential = nf.call("exp", [q or ZERO])
        made.append(nf.multiply(*stands, exponential, nf.rewrite(Poly({rest: c}), rule)))
    return nf.add(*made)


def _own_masks(planner: Planner, ref: Ref, part: Poly) -> set[Atom]:
    """The masks of the peak that is taken from an exponent."""
    peak = planner.peaks[ref.tensor]
    at = dict(zip(peak.indices, ref.slots, strict=True))
    letters = [
        [i for i in sorted(part.free, key=lambda i: i.sort) if i.size == b.size] for b in peak.bound
    ]
    for chosen in product(*letters):
        place = at | dict(zip(peak.bound, chosen, strict=True))
        if nf.subtract(nf.substitute(peak.exponents[0], place), raw_atom(ref)) is part:
            found = (nf.substitute(m, place).single for m in peak.masks)
            return {a for x in found if x for a, _ in x[0] if is_mask(a)}
    return set()


def _inward(planner: Planner, term: Term) -> Poly:
    """e^q Σ f e^r as Σ f e^{q+r}, where q + r is below its peaks and q is not: e^q overflows."""
    q = exponent_of(term)
    if q is None or not below_peaks(planner, q)[1].terms:
        return Poly({term: 1})
    for atom, e in term:
        if not isinstance(atom, Sum) or e != 1 or len(atom.body) != 1:
            continue
        bound, body = nf.opened(atom, term.free)
        ((product, c),) = body
        held, left = below_peaks(planner, nf.add(q, exponent_of(product) or ZERO))
        if held and not left.terms:
            factors = (raw_atom(stand_in(planner, nf.call("exp", [p]))) for p in held)
            inside = nf.multiply(*factors, Poly({tame(product): c}))
            outside = tame(Term({a: d for a, d in term if a is not atom}))
            return nf.multiply(Poly({outside: 1}), nf.sum_over(bound, inside))
    return Poly({term: 1})


def _loose(node: Any) -> bool:
    """There is an exponential."""
    return "exp" in functions(node)


def _masked(node: Any) -> bool:
    """There is a mask."""
    return any(map(is_mask, inside(node)))


def below_peaks(planner: Planner, q: Poly) -> tuple[list[Poly], Poly]:
    """Exponents of the form p − max p that q is a sum of, and what is left of it."""
    held: list[Poly] = []
    for peak in [r for r in refs(q) if r.tensor in planner.peaks]:
        while (found := _below(planner, q, peak)) is not None:
            held, q = [*held, *found[0]], found[1]
    return held, q


def _below(planner: Planner, q: Poly, ref: Ref) -> tuple[list[Poly], Poly] | None:
    """p − max p for one peak, with what is below the peaks in p, and what is left of q."""
    peak = planner.peaks[ref.tensor]
    if len(peak.exponents) > 1:
        return None
    at = dict(zip(peak.indices, ref.slots, strict=True))
    letters = [
        [i for i in sorted(q.free, key=lambda i: i.sort) if i.size == b.size] for b in peak.bound
    ]
    for chosen in product(*letters):
        below = nf.substitute(peak.exponents[0], at | dict(zip(peak.bound, chosen, strict=True)))
        part = nf.subtract(below, raw_atom(ref))
        absent = [t for t, c in part if Fraction(q.terms.get(t, 0)) / Fraction(c) < 1]
        inner = [r for t in absent for r in refs(t) if r.tensor in planner.peaks and r is not ref]
        inner = [r for r in inner if Term({r: 1}) in absent]
        if not part.terms or len(inner) < len(absent):
            continue
        held, rest = [part], nf.subtract(q, part)
        for other in inner:
            found = _below(planner, rest, other)
            if found is not None:  # else e^{-max} stays, to meet its exponent outside of the sum
                held, rest = [*held, *found[0]], found[1]
        return held, rest
    return None
