"""Sums of exponentials with their largest term taken out: Σ e^q = e^m Σ e^{q−m}, m = max q.

The law is applied to expressions, before anything is an array: e^{p} (Σ e^q)^{-1} becomes
e^{p−m} (Σ e^{q−m})^{-1}, log Σ e^q becomes m + log Σ e^{q−m}, and the peaks m of a numerator and
a denominator cancel as ordinary exponents.  Softmax, logsumexp, log-softmax and Gibbs averages
are cases of it.  With two alternatives, 1 + e^x, the same is softplus and sigmoid.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from typing import TYPE_CHECKING, Any

from .. import normalize as nf
from ..ir import (
    ONE_TERM,
    ZERO,
    Atom,
    Call,
    Index,
    Mask,
    Poly,
    Ref,
    Sum,
    Tensor,
    Term,
    raw_atom,
    refs,
)
from .entry import canonical

if TYPE_CHECKING:
    from .plan import Planner


@dataclass(frozen=True)
class Peak:
    """max over `bound` of one exponent, where all masks hold, or the maximum of several."""

    indices: tuple[Index, ...]
    bound: tuple[Index, ...]
    exponents: tuple[Poly, ...]
    masks: tuple[Mask, ...] = ()


def steady(planner: Planner, normal: Poly) -> Poly | None:
    """A normal expression with no exponential that overflows by itself; None if it is one."""
    opened = _opened(planner, normal)
    if not _critical(opened):
        return None
    result = _poly(planner, opened)
    return anchored(planner, result) or result


# ------------------------------------------------------------------------- where there is a danger


def _exponent(term: Term) -> Poly | None:
    return next((a.args[0] for a, _ in term if isinstance(a, Call) and a.name == "exp"), None)


def _grows(atom: Atom) -> bool:
    """A sum with exponentials in it."""
    match atom:
        case Sum():
            return any(_exponent(t) is not None for t, _ in atom.body)
        case Poly():
            return any(_exponent(t) is not None or any(_grows(a) for a, _ in t) for t, _ in atom)
    return False


def _critical(node: Any) -> bool:
    """An exponential sum stands under a fraction bar, a root or a logarithm."""
    match node:
        case Poly():
            return any(_critical(t) for t, _ in node)
        case Term():
            return any(
                (_grows(a) and (e < 0 or not isinstance(e, int))) or _critical(a) for a, e in node
            )
        case Sum():
            return _critical(node.body)
        case Call(name="log"):
            return _grows(node.args[0]) or any(_grows(a) for t, _ in node.args[0] for a, _ in t)
        case Call():
            return any(_critical(a) for a in node.args)
    return False


def _wild(planner: Planner, tensor: Tensor) -> bool:
    """A definition whose value is an exponential that nothing divides, or the inverse of one."""
    entry = planner.entries.get(tensor)
    if entry is None or tensor in planner.standing:
        return False
    known = planner.wild.get(tensor)
    if known is None:
        planner.wild[tensor] = False  # definitions have no cycles; this only ends the search
        known = any(_unbalanced(t) for t, _ in _opened(planner, nf.normalize(entry.poly)))
        planner.wild[tensor] = known
    return known


def _unbalanced(term: Term) -> bool:
    above = below = False
    for atom, e in term:
        grows = _grows(atom) or (isinstance(atom, Call) and atom.name == "exp")
        above, below = above or (grows and e > 0), below or (grows and e < 0)
    return above != below


def _opened(planner: Planner, poly: Poly) -> Poly:
    """The expression with wild definitions replaced, and all exponential ones under a log."""

    def rule(atom: Any) -> Poly | None:
        if isinstance(atom, Ref) and _wild(planner, atom.tensor):
            return _opened(planner, planner.entries[atom.tensor].at(atom.slots))
        if isinstance(atom, Call) and atom.name == "log":
            return nf.call("log", [nf.rewrite(atom.args[0], under_log)])
        return None

    def under_log(atom: Any) -> Poly | None:
        entry = planner.entries.get(atom.tensor) if isinstance(atom, Ref) else None
        if entry is None or atom.tensor in planner.standing:
            return None
        body = entry.at(atom.slots)
        only = body.single
        if only is None or not any(
            _grows(a)
            or (isinstance(a, Call) and a.name == "exp")
            or (isinstance(a, Ref) and a.tensor in planner.entries)
            for a, _ in only[0]
        ):
            return None
        return nf.rewrite(body, under_log)

    if not any(r.tensor in planner.entries for r in refs(poly)):
        return poly
    return nf.rewrite(poly, rule)


# --------------------------------------------------------------------------------- taking peaks out


def _poly(planner: Planner, poly: Poly) -> Poly:
    return nf.add(*(nf.scale(_term(planner, term), c) for term, c in poly))


def _term(planner: Planner, term: Term) -> Poly:
    """A product with every exponential sum scaled, its logistic factors recognised."""
    term, factors = _logistic(term)
    for atom, e in term:
        match atom:
            case Sum():
                factors.append(nf.power(_sum(planner, atom), e))
            case Poly() if _grows(atom):
                factors.append(nf.power(_alternatives(planner, atom), e))
            case Poly():
                factors.append(nf.power(_poly(planner, atom), e))
            case Call(name="log"):
                factors.append(nf.power(_log(planner, atom.args[0]), e))
            case Call():
                inner = [_poly(planner, a) for a in atom.args]
                factors.append(nf.power(nf.call(atom.name, inner), e))
            case _:
                factors.append(nf.power(raw_atom(atom), e))
    return nf.multiply(*factors)


def _log(planner: Planner, argument: Poly) -> Poly:
    x = _logit(argument)
    if x is not None:
        return raw_atom(Call("softplus", (_poly(planner, x),)))
    if len(argument) > 1 and _grows(argument):
        return nf.call("log", [_alternatives(planner, argument)])
    return nf.call("log", [_poly(planner, argument)])


def _logit(poly: Poly) -> Poly | None:
    """x for 1 + e^x."""
    if len(poly) != 2 or poly.terms.get(ONE_TERM) != 1:
        return None
    ((term, c),) = ((t, c) for t, c in poly if t is not ONE_TERM)
    return _exponent(term) if c == 1 and len(term.powers) == 1 else None


def _logistic(term: Term) -> tuple[Term, list[Poly]]:
    """e^{jx+r} (1 + e^x)^{-k} = σ(x)^j σ(−x)^{k−j} e^r, and any other power by softplus."""
    exponent = _exponent(term) or ZERO
    factors: list[Poly] = []
    rest = {a: e for a, e in term if not (isinstance(a, Call) and a.name == "exp")}
    for atom, e in term:
        x = _logit(atom) if isinstance(atom, Poly) else None
        if x is None:
            continue
        del rest[atom]
        lead, weight = next(iter(x))
        j = Fraction(exponent.terms.get(lead, 0)) / Fraction(weight)
        k = -e
        if isinstance(k, int) and k > 0 and j.denominator == 1:
            count = min(max(int(j), 0), k)
            exponent = nf.subtract(exponent, nf.scale(x, count))
            for value, times in ((x, count), (nf.scale(x, -1), k - count)):
                if times:
                    factors.append(nf.power(raw_atom(Call("sigmoid", (value,))), times))
        else:
            exponent = nf.add(exponent, nf.scale(raw_atom(Call("softplus", (x,))), e))
    if exponent.terms:
        factors.append(nf.call("exp", [exponent]))
    return Term(rest), factors


def _sum(planner: Planner, node: Sum) -> Poly:
    """Σ f e^q = e^m Σ f e^{q−m}."""
    bound, body = nf.opened(node, node.free)
    ((term, c),) = body
    if _critical(term):  # softmax inside: its own peaks are the right ones
        return nf.sum_over(bound, nf.scale(_term(planner, term), c))
    q = _exponent(term)
    if q is None:
        return raw_atom(node)
    masks = [raw_atom(a) for a, _ in term if isinstance(a, Mask) and a.free & set(bound)]
    peak = _peak(planner, bound, q, masks)
    if peak is None:
        return raw_atom(node)
    shifted = nf.multiply(nf.call("exp", [nf.subtract(q, peak)]), *masks)
    scaled = _opaque(planner, shifted)
    factors = {
        a: e
        for a, e in term
        if not (isinstance(a, Mask) and raw_atom(a) in masks)
        and not (isinstance(a, Call) and a.name == "exp")
    }
    total = nf.scale(nf.sum_over(bound, nf.multiply(raw_atom(scaled), Poly({Term(factors): 1}))), c)
    if masks and not factors:
        total = raw_atom(_opaque(planner, total, guard=True))
    return nf.multiply(nf.call("exp", [peak]), total)


def _peak(planner: Planner, bound: tuple[Index, ...], q: Poly, masks: list[Poly]) -> Poly | None:
    """max_bound q as a component of a tensor of its own; None where the sum falls apart."""
    core = nf.sum_over(bound, nf.multiply(nf.call("exp", [q]), *masks))
    key, order = canonical(core)
    only = key.single
    if only is None or only[1] != 1 or len(only[0].powers) != 1:
        return None
    ((atom, e),) = only[0]
    if e != 1 or not isinstance(atom, Sum):
        return None
    inner, body = nf.opened(atom, atom.free)
    ((term, _),) = body
    exponent = _exponent(term)
    if exponent is None:
        return None
    indices = tuple(Index(f"#{k}", i.size) for k, i in enumerate(order))
    hold = tuple(a for a, _ in term if isinstance(a, Mask))
    peak = Peak(indices, inner, (exponent,), hold)
    return raw_atom(Ref(_peak_tensor(planner, peak), order))


def _peak_tensor(planner: Planner, peak: Peak) -> Tensor:
    for tensor, known in planner.peaks.items():
        if known == peak:
            return tensor
    stems = dict.fromkeys(r.tensor.name for p in peak.exponents for r in refs(p))
    stem = "_".join([s for s in stems if "~" not in s][:2]) or "exponent"
    name = f"{stem}_max"
    taken = {t.name for t in planner.peaks}
    name = next(n for k in range(len(taken) + 1) if (n := name + f"_{k}" * (k > 0)) not in taken)
    tensor = Tensor(f"~{name}", tuple(i.size for i in peak.indices))
    planner.peaks[tensor] = peak
    return tensor


def _alternatives(planner: Planner, poly: Poly) -> Poly:
    """Σ_k c_k e^{q_k} = e^m Σ_k c_k e^{q_k−m}, m the largest of the q_k."""
    scaled = _poly(planner, poly)
    exponents = tuple(dict.fromkeys(_exponent(t) or ZERO for t, _ in scaled))
    if len(exponents) < 2:
        return scaled
    order = sorted(scaled.free, key=lambda i: i.sort)
    peak = raw_atom(Ref(_peak_tensor(planner, Peak(tuple(order), (), exponents)), order))
    inner = nf.multiply(scaled, nf.call("exp", [nf.scale(peak, -1)]))
    return nf.multiply(nf.call("exp", [peak]), raw_atom(_opaque(planner, inner)))


def _opaque(planner: Planner, poly: Poly, guard: bool = False) -> Ref:
    """A component that stands for the expression, so that no law takes it apart again."""
    from .contract import stand_in

    ref = stand_in(planner, poly, guard)
    return ref


# ------------------------------------------------------------------------------------- holding fast


def anchored(planner: Planner, poly: Poly) -> Poly | None:
    """The expression with every e^{q−m} as a component of its own, which no law takes apart.

    Sums over fewer indices would else make e^q e^{−m} of it, and e^q overflows.  None where an
    exponential stays or a mask is what keeps it finite.
    """
    loose = False

    def rule(atom: Any) -> Poly | None:
        nonlocal loose
        if isinstance(atom, Mask):
            loose = True
        if not (isinstance(atom, Call) and atom.name == "exp"):
            return None
        parts, q = _below_peaks(planner, atom.args[0])
        loose = loose or bool(q.terms)
        return nf.multiply(*(raw_atom(_opaque(planner, nf.call("exp", [p]))) for p in parts))

    result = nf.rewrite(poly, rule)
    return None if loose else result


def _below_peaks(planner: Planner, q: Poly) -> tuple[list[Poly], Poly]:
    """Exponents of the form p − max p that q is a sum of, and what is left of it."""
    parts = []
    for peak_ref in [r for r in refs(q) if r.tensor in planner.peaks]:
        peak = planner.peaks[peak_ref.tensor]
        at = dict(zip(peak.indices, peak_ref.slots, strict=True))
        letters = [
            [i for i in sorted(q.free, key=lambda i: i.sort) if i.size == b.size]
            for b in peak.bound
        ]
        for chosen in product(*letters) if len(peak.exponents) == 1 else ():
            below = nf.substitute(
                peak.exponents[0], at | dict(zip(peak.bound, chosen, strict=True))
            )
            part = nf.subtract(below, raw_atom(peak_ref))
            while part.terms and all(
                Fraction(q.terms.get(t, 0)) / Fraction(c) >= 1 for t, c in part
            ):
                parts.append(part)
                q = nf.subtract(q, part)
    return parts, q
