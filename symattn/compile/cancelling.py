"""What divides by a weight that may be rounded to 0 is opened where it cancels.

P (−Y / P) is −Y before anything is an array; `fading` says what such a weight is.
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from typing import TYPE_CHECKING, Any

from .. import normalize as nf
from ..ir import Poly, Ref, Sum, Tensor, Term, raw_atom, refs
from ..laws import sign_of
from .contract import stand_in
from .fading import (
    across_below,
    body_of,
    fades,
    has_quotient,
    is_exponential,
    is_mixed,
    is_under,
    is_weight,
    mixed_body,
    mixes,
    mixture,
    too_often,
)
from .logistic import complemented, everywhere, exponent_of
from .scalings import outweighed, unlimited
from .sigmas import complement, is_call, is_explicit, is_logistic, written_out

if TYPE_CHECKING:
    from .plan import Planner

DEEPEST = 16  # definitions between a quotient and the weight that it is made of


def divides(planner: Planner, tensor: Tensor) -> bool:
    """A definition with a weight under a fraction bar."""
    known = planner.dividing.get(tensor)
    if known is None:
        planner.dividing[tensor] = False
        entry = planner.entries.get(tensor)
        known = False
        if entry is not None and tensor not in planner.standing:
            normal = nf.normalize(entry.poly)
            left = cancelled(planner, normal)
            known = any(has_quotient(planner, t) or outweighed(planner, t) for t, _ in left)
            if not known and not any(r.tensor in planner.outweighed for r in refs(normal)):
                known = any(too_often(planner, t) for t, _ in normal)
                planner.outweighed |= {tensor} if known else set()
        planner.dividing[tensor] = known
    return known


def cancelled(planner: Planner, normal: Poly) -> Poly:
    """An equal expression in which no weight divides that a factor beside it cancels."""
    if not any(_concerned(planner, r.tensor) for r in refs(normal)) and not is_explicit(normal):
        return normal
    opened = _opened(planner, everywhere(normal, lambda poly: _without_roots(planner, poly)))
    if _hidden(planner, opened):
        opened = written_out(planner, opened)
    result = everywhere(opened, lambda poly: _without_quotients(planner, poly))
    result = everywhere(result, lambda poly: _by_logarithms(planner, poly))
    return normal if result is normal else result


def _by_logarithms(planner: Planner, poly: Poly) -> Poly:
    """The sum with e^{log p} for the weights p beside a mixture that divides: of p / (p + r) the
    larger one of log p and log r is taken out then, as of any sum of exponentials."""

    def logarithm(atom: Any) -> Poly | None:
        body = body_of(planner, atom)
        if body is None or is_logistic(planner, atom.tensor):
            return body
        if sign_of(body) != "+":  # a sum of any sign has exponents all the same
            return _written(planner, body) if body.single else None
        if mixture(planner, body, written=True, named=True):
            return nf.rewrite(body, logarithm)
        return nf.call("exp", [raw_atom(stand_in(planner, nf.call("log", [body])))])

    made = []
    for term, c in _divided(planner, poly):
        below = [(a, mixed_body(planner, a)) for a, e in term if e < 0]
        if not any(body for _, body in below):
            made.append(Poly({term: c}))
            continue
        factors = [nf.power(dict(below).get(a) or raw_atom(a), e) for a, e in term]
        made.append(nf.scale(nf.multiply(*(nf.rewrite(f, logarithm) for f in factors)), c))
    return nf.add(*made)


def _divided(planner: Planner, poly: Poly) -> Poly:
    """The sum with q in place of q p / (p + r) + q r / (p + r)."""
    for atom in {a: None for t, _ in poly for a, e in t if e == -1}:
        body = mixed_body(planner, atom)
        if body is None:
            continue
        first, weight = next(iter(body))
        for term, c in poly:
            if term.powers.get(atom) != -1:
                continue
            one = nf.multiply(Poly({term: c}), nf.power(raw_atom(atom), 1))
            quotient = nf.multiply(one, nf.power(Poly({first: weight}), -1))
            whole = nf.multiply(quotient, body, nf.power(raw_atom(atom), -1))
            if len(whole) == len(body) and all(poly.terms.get(t) == k for t, k in whole):
                return _divided(planner, nf.add(nf.subtract(poly, whole), quotient))
    return poly


def _without_roots(planner: Planner, poly: Poly) -> Poly:
    """The sum with √P as e^{q/2} / √Σ e^q: a root has no derivative where P is rounded to 0; and
    √σ(x) − σ(x)^{3/2} as √σ(x) σ(−x)."""

    def written(atom: Any, e: Any) -> Poly | None:
        only = atom.single if isinstance(atom, Poly) else None  # of a sign that nobody knows
        if only is not None and only[1] == 1 and list(only[0].powers.values()) == [1]:
            atom = next(iter(only[0].powers))
        if e > 0 and not isinstance(e, int) and isinstance(atom, Sum) and mixes(planner, atom):
            return _written(planner, raw_atom(atom))
        body = None if e < 0 or isinstance(e, int) else body_of(planner, atom)
        if body is None:
            return None
        body = written_out(planner, body)
        if all(any(is_mixed(planner, a) for a, _ in t) for t, _ in body):
            return _written(planner, body)
        return body if sign_of(body) == "+" else None

    found = {(a, e): written(a, e) for t, _ in poly for a, e in t}
    if any(found.values()):
        made = []
        for term, c in poly:
            factors = (nf.power(found[a, e] or raw_atom(a), e) for a, e in term)
            made.append(nf.scale(nf.multiply(*factors), c))
        poly = nf.add(*made)
    roots = any(is_call(a, "sigmoid") and not isinstance(e, int) for t, _ in poly for a, e in t)
    return complemented(poly) if roots and len(poly) > 1 else poly


def _hidden(planner: Planner, poly: Poly) -> bool:
    """Something divides that is a weight once it is written out, here or under a sum."""
    return any(
        (e < 0 and _unwritten(planner, a)) or (isinstance(a, Sum) and _hidden(planner, a.body))
        for t, _ in poly
        for a, e in t
    )


def _unwritten(planner: Planner, atom: Any) -> bool:
    """A product or a mixture with σ under another name, or what cosh and sinh have in common."""
    if isinstance(atom, Ref):
        body = body_of(planner, atom)
        return body is not None and any(is_call(a, "sigmoid") for t, _ in body for a, _ in t)
    return is_call(atom, "cosh", "sigmoid") or (isinstance(atom, Poly) and is_under(planner, atom))


def _concerned(planner: Planner, tensor: Tensor) -> bool:
    return divides(planner, tensor) or fades(planner, tensor) or unlimited(planner, tensor)


def _opened(planner: Planner, poly: Poly) -> Poly:
    """The expression with the definitions replaced that divide by a weight.

    What the weight is beside stays one array each, so that nothing is multiplied out.
    """

    def rule(atom: Any) -> Poly | None:
        if not isinstance(atom, Ref) or not divides(planner, atom.tensor):
            return None
        if unlimited(planner, atom.tensor):  # what is beside it is opened, too
            return None
        found = planner.entries[atom.tensor].at(atom.slots)
        if found is None:
            return None
        return _opened(planner, nf.add(*(nf.scale(_held(planner, t), c) for t, c in found)))

    if not any(divides(planner, r.tensor) for r in refs(poly)):
        return poly
    return nf.rewrite(poly, rule)


def _held(planner: Planner, term: Term) -> Poly:
    """A product whose sums are one array, but for those of exponentials, which would overflow."""
    sums = {
        a: e
        for a, e in term
        if isinstance(a, Sum) and not has_quotient(planner, Term({a: 1}))
        if all(exponent_of(t) is None for t, _ in a.body)
    }
    several = any(e < 0 and mixes(planner, a) for a, e in sums.items())
    if not sums or several or outweighed(planner, term):
        return Poly({term: 1})  # what it divides by is scaled, and so is what is beside it
    others = Term({a: e for a, e in term if a not in sums})
    arrays = (nf.power(raw_atom(stand_in(planner, raw_atom(a))), e) for a, e in sums.items())
    return nf.multiply(Poly({others: 1}), *arrays)


def _without_quotients(planner: Planner, poly: Poly) -> Poly:
    terms = [nf.scale(_without_quotient(planner, term), c) for term, c in poly]
    made = nf.add(*terms)
    return poly if made is poly else made


def _without_quotient(planner: Planner, term: Term) -> Poly:
    """The product with a weight that divides opened, where something in it then cancels."""
    if any(e < 0 and is_mixed(planner, a) for a, e in term):
        return _written(planner, Poly({term: 1}))
    for atom, e in term:
        if e >= 0 or not isinstance(atom, Ref) or not fades(planner, atom.tensor):
            continue
        others = [a for a, _ in term if a is not atom]
        if not any(is_exponential(planner, a) for a in others):
            continue
        opened: Poly = raw_atom(atom)
        for _ in range(DEEPEST):
            inside = [r for r in refs(opened) if fades(planner, r.tensor)]
            if not inside:
                break
            opened = nf.rewrite(opened, _opener(planner, inside))
            rest = Poly({Term({a: d for a, d in term if a is not atom}): 1})
            product = everywhere(nf.multiply(rest, nf.power(opened, e)), complement)
            if _count(planner, product) < _count(planner, Poly({term: 1})):
                return _without_quotients(planner, product)
    if not any(e < 0 and is_weight(planner, a) for a, e in term):
        return Poly({term: 1})
    for atom, e in term:  # a factor in whose terms the weight is, as in its tangent
        body = body_of(planner, atom) if e == 1 else None
        if body is not None:
            opened = written_out(planner, body)
            rest = Poly({Term({a: d for a, d in term if a is not atom}): 1})
            product = everywhere(nf.multiply(rest, opened), complement)
            fewer = _count(planner, product) < _count(planner, Poly({term: 1}))
            if fewer or not any(has_quotient(planner, t) for t, _ in product):
                return _without_quotients(planner, product)
    return Poly({term: 1})


def _written(planner: Planner, poly: Poly) -> Poly:
    """The expression with every weight that is one product as it is written; one that divides by
    a mixture as e^{log P}, so that weights which are normalised in turn are opened once each."""

    def rule(atom: Any) -> Poly | None:
        body = body_of(planner, atom)
        if body is None or not body.single:
            return None
        if _in_turn(planner, body):
            return nf.call("exp", [raw_atom(stand_in(planner, nf.call("log", [raw_atom(atom)])))])
        return nf.rewrite(body, rule)

    return nf.rewrite(poly, rule)


def _in_turn(planner: Planner, body: Poly) -> bool:
    """Weights that are normalised along one axis after the other: they are divided by a sum that
    may be 0."""
    return sign_of(body) == "+" and any(across_below(planner, t) for t, _ in body)


def in_turn(planner: Planner, atom: Any) -> Poly | None:
    """What such a weight is, with those that it is made of as e^{log P}."""
    body = body_of(planner, atom)
    return _written(planner, body) if body and _in_turn(planner, body) else None


def _opener(planner: Planner, chosen: Collection[Ref]) -> Callable[[Any], Poly | None]:
    return lambda a: planner.entries[a.tensor].at(a.slots) if a in chosen else None


def _count(planner: Planner, poly: Poly) -> int:
    """How many factors of the products are exponential."""
    return max((sum(is_exponential(planner, a) for a, _ in t) for t, _ in poly), default=0)
