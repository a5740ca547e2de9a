"""Weights that may be rounded to 0, and what divides by them.

A weight P = e^q / Σ e^q or σ(x) is 0 in floating point where its logarithm is a large negative
number.  The gradient of −Σ Y log P by P is −Y / P then, which no product with P mends: what
divides so is opened in `cancelling`.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import TYPE_CHECKING, Any

from .. import normalize as nf
from ..ir import Call, Index, Poly, Ref, Sum, Tensor, Term, refs
from ..laws import sign_of
from .sigmas import is_call, is_explicit, is_sigma, written_out

if TYPE_CHECKING:
    from .plan import Planner


def fades(planner: Planner, tensor: Tensor) -> bool:
    """A definition with a weight in every term: e^q, σ(x) or a weight defined before."""
    known = planner.fading.get(tensor)
    if known is None:
        planner.fading[tensor] = False  # definitions have no cycles; this only ends the search
        entry = planner.entries.get(tensor)
        known = False
        if entry is not None and tensor not in planner.standing:
            terms = [t for t, _ in written_out(planner, nf.normalize(entry.poly))]
            known = bool(terms) and all(
                any(is_weight(planner, a) and e > 0 for a, e in t) for t in terms
            )
        planner.fading[tensor] = known
    return known


def is_weight(planner: Planner, atom: Any) -> bool:
    match atom:
        case Call():
            return atom.name in ("exp", "sigmoid")
        case Ref():
            return fades(planner, atom.tensor)
        case Sum():
            return mixes(planner, atom)
    return False


def is_mixed(planner: Planner, atom: Any) -> bool:
    """Such a sum, or a definition that is one."""
    body = body_of(planner, atom)
    if body is not None:
        only = written_out(planner, body).single
        return only is not None and any(is_mixed(planner, a) for a, _ in only[0])
    return isinstance(atom, Sum) and mixes(planner, atom)


def body_of(planner: Planner, atom: Any) -> Poly | None:
    """What a definition that fades is at these places; None for anything else."""
    if not isinstance(atom, Ref) or not fades(planner, atom.tensor):
        return None
    body = planner.entries[atom.tensor].at(atom.slots)
    if body is None or not (is_explicit(body) or any(is_sigma(planner, r) for r in refs(body))):
        return body
    return written_out(planner, body)


def mixes(planner: Planner, atom: Sum) -> bool:
    """Σ P R, a sum of products of several weights, one of which has a name: all may be 0.  So may
    a sum of σ, and of the products of weights with an array that picks some, Σ_j P_ij Y_ij."""
    bound = {*atom.bound}
    for term, _ in atom.body:
        weights = [a for a, e in term if e > 0 and not isinstance(a, Sum) and is_weight(planner, a)]
        named = [a for a in weights if isinstance(a, Ref)]
        letters = frozenset().union(*(a.free for a in named))
        others = [a for a, e in term if e > 0 and a not in weights and sign_of(a) != "+"]
        picked = any(a.free & bound and a.free <= letters for a in others)
        if any(is_call(a, "sigmoid") or is_sigma(planner, a) for a in weights):
            return True
        if named and (len(weights) > 1 or picked):
            return True
        if len(named) == 1 and _across(planner, named[0], bound):
            return True
    return False


def _across(planner: Planner, weight: Any, bound: Collection[Index]) -> bool:
    """All of the weights that a sum goes over may be small, as in Σ_i P_ij for the weights
    P_ij = e^{q_ij} / Σ_l e^{q_il}; not so in Σ_j P_ij."""
    body = body_of(planner, weight)
    only = None if body is None else body.single
    if only is None:
        return False
    below = [a.free for a, e in only[0] if e < 0 and is_exponential(planner, a)]
    return bool(below) and frozenset().union(*below).issuperset(bound)


def across_below(planner: Planner, term: Term) -> list[tuple[set[Tensor], Any]]:
    """The weights of each such sum that divides, and how often it does."""
    found = list[tuple[set[Tensor], Any]]()
    for atom, e in term:
        if e < 0 and isinstance(atom, Sum):
            factors = [a for t, _ in atom.body for a, d in t if d > 0 and isinstance(a, Ref)]
            across = {a.tensor for a in factors if _across(planner, a, atom.bound)}
            found += [(across, -e)] * bool(across)
            for inner, _ in atom.body:  # Σ P R, which may be 0 where one of them is not
                named = [a.tensor for a, d in inner if d > 0 and isinstance(a, Ref)]
                own = [{t} for t in named if fades(planner, t)]
                found += [(one, -e) for one in own] * (len(own) > 1)
    return found


def too_often(planner: Planner, term: Term) -> bool:
    """Such a sum divides more often than one of its weights is a factor: P_ij / Σ_i P_ij is at
    most 1, and 1 / Σ_i P_ij is not."""
    return any(
        sum(e for a, e in term if e > 0 and any(r.tensor in weights for r in refs(a))) < often
        for weights, often in across_below(planner, term)
    )


def has_quotient(planner: Planner, term: Term) -> bool:
    return any(e < 0 and is_under(planner, a) for a, e in term) or any(
        has_quotient(planner, t) for a, _ in term if isinstance(a, Sum) for t, _ in a.body
    )


def is_under(planner: Planner, atom: Any) -> bool:
    """A weight, a sum such as 1 − σ that is one, or a mixture."""
    if isinstance(atom, Poly):
        whole = written_out(planner, atom)
        only = whole.single
        if only is None:
            return mixture(planner, atom) or mixture(planner, whole, written=True)
        return any(is_weight(planner, a) for a, _ in only[0])
    return is_weight(planner, atom)


def mixture(planner: Planner, poly: Poly, written: bool = False, named: bool = False) -> bool:
    """A sum of weights, p + r, all of which may be rounded to 0; it is `named`, or one of them has
    a logarithm.  With `written` others may be as they are written, e^q / Σ e^q."""
    weights = [
        [a for a, e in t if e > 0 and (_weighs(planner, a) or (written and is_weight(planner, a)))]
        for t, _ in poly
    ]
    named = named or any(_has_logarithm(planner, a) for own in weights for a in own)
    return len(poly) > 1 and named and all(weights)


def _has_logarithm(planner: Planner, atom: Any) -> bool:
    """A weight with a name, σ, or e^{log P} with an array for log P."""
    if not is_call(atom, "exp"):
        return isinstance(atom, Ref) or is_call(atom, "sigmoid")
    only = atom.args[0].single
    return only is not None and any(
        isinstance(a, Ref) and a.tensor in planner.standing for a, _ in only[0]
    )


def _weighs(planner: Planner, atom: Any) -> bool:
    """A weight with a name, or a sum of weights."""
    if isinstance(atom, Sum):
        return all(any(e > 0 and is_weight(planner, a) for a, e in t) for t, _ in atom.body)
    return isinstance(atom, Ref) and fades(planner, atom.tensor)


def mixed_body(planner: Planner, atom: Any) -> Poly | None:
    """A mixture, or that which a definition is."""
    named = not isinstance(atom, Poly)
    body = body_of(planner, atom) if named else atom
    return body if body is not None and mixture(planner, body, True, named) else None


def is_exponential(planner: Planner, atom: Any) -> bool:
    """A weight, or a sum with exponentials in it."""
    if isinstance(atom, Sum):
        return any(is_exponential(planner, a) for t, _ in atom.body for a, _ in t)
    return is_weight(planner, atom)
