"""Weights that may be rounded to 0, under a fraction bar: they are opened where they cancel.

A weight P = e^q / Σ e^q or σ(x) is 0 in floating point where its logarithm is a large negative
number.  The gradient of −Σ Y log P by P is −Y / P then, which no product with P mends.  So what
divides by a weight is opened in what uses it: P (−Y / P) is −Y before anything is an array.
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from itertools import combinations, permutations
from typing import TYPE_CHECKING, Any

from .. import normalize as nf
from ..ir import ONE, Call, Index, Poly, Ref, Sum, Tensor, Term, functions, raw_atom, refs
from ..laws import sign_of
from .contract import stand_in
from .logistic import complemented, everywhere, exponent_of, hyperbolic, logistic
from .scalings import outweighed, unlimited

if TYPE_CHECKING:
    from .plan import Planner

DEEPEST = 16  # definitions between a quotient and the weight that it is made of


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
                any(_weight(planner, a) and e > 0 for a, e in t) for t in terms
            )
        planner.fading[tensor] = known
    return known


def _weight(planner: Planner, atom: Any) -> bool:
    match atom:
        case Call():
            return atom.name in ("exp", "sigmoid")
        case Ref():
            return fades(planner, atom.tensor)
        case Sum():
            return _mixed(planner, atom)
    return False


def _is_mixed(planner: Planner, atom: Any) -> bool:
    """Such a sum, or a definition that is one."""
    body = _body(planner, atom)
    if body is not None:
        only = written_out(planner, body).single
        return only is not None and any(_is_mixed(planner, a) for a, _ in only[0])
    return isinstance(atom, Sum) and _mixed(planner, atom)


def _body(planner: Planner, atom: Any) -> Poly | None:
    """What a definition that fades is at these places; None for anything else."""
    if not isinstance(atom, Ref) or not fades(planner, atom.tensor):
        return None
    body = planner.entries[atom.tensor].at(atom.slots)
    if body is None or not (_explicit(body) or any(_is_sigma(planner, r) for r in refs(body))):
        return body
    return written_out(planner, body)


def _mixed(planner: Planner, atom: Sum) -> bool:
    """Σ P R, a sum of products of several weights, one of which has a name: all may be 0.  So may
    a sum of σ, and of the products of weights with an array that picks some, Σ_j P_ij Y_ij."""
    bound = {*atom.bound}
    for term, _ in atom.body:
        weights = [a for a, e in term if e > 0 and not isinstance(a, Sum) and _weight(planner, a)]
        named = [a for a in weights if isinstance(a, Ref)]
        letters = frozenset().union(*(a.free for a in named))
        others = [a for a, e in term if e > 0 and a not in weights and sign_of(a) != "+"]
        picked = any(a.free & bound and a.free <= letters for a in others)
        if any(_named(a, "sigmoid") or _is_sigma(planner, a) for a in weights):
            return True
        if named and (len(weights) > 1 or picked):
            return True
        if len(named) == 1 and _across(planner, named[0], bound):
            return True
    return False


def _across(planner: Planner, weight: Any, bound: Collection[Index]) -> bool:
    """All of the weights that a sum goes over may be small, as in Σ_i P_ij for the weights
    P_ij = e^{q_ij} / Σ_l e^{q_il}; not so in Σ_j P_ij."""
    body = _body(planner, weight)
    only = None if body is None else body.single
    if only is None:
        return False
    below = [a.free for a, e in only[0] if e < 0 and _exponential(planner, a)]
    return bool(below) and frozenset().union(*below).issuperset(bound)


def _across_below(planner: Planner, term: Term) -> list[tuple[set[Tensor], Any]]:
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


def _outweighed(planner: Planner, term: Term) -> bool:
    """Such a sum divides more often than one of its weights is a factor: P_ij / Σ_i P_ij is at
    most 1, and 1 / Σ_i P_ij is not."""
    return any(
        sum(e for a, e in term if e > 0 and any(r.tensor in weights for r in refs(a))) < often
        for weights, often in _across_below(planner, term)
    )


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
            known = any(_quotient(planner, t) or outweighed(planner, t) for t, _ in left)
            if not known and not any(r.tensor in planner.outweighed for r in refs(normal)):
                known = any(_outweighed(planner, t) for t, _ in normal)
                planner.outweighed |= {tensor} if known else set()
        planner.dividing[tensor] = known
    return known


def _quotient(planner: Planner, term: Term) -> bool:
    return any(e < 0 and _under(planner, a) for a, e in term) or any(
        _quotient(planner, t) for a, _ in term if isinstance(a, Sum) for t, _ in a.body
    )


def _under(planner: Planner, atom: Any) -> bool:
    """A weight, a sum such as 1 − σ that is one, or a mixture."""
    if isinstance(atom, Poly):
        whole = written_out(planner, atom)
        only = whole.single
        if only is None:
            return mixture(planner, atom) or mixture(planner, whole, written=True)
        return any(_weight(planner, a) for a, _ in only[0])
    return _weight(planner, atom)


def mixture(planner: Planner, poly: Poly, written: bool = False, named: bool = False) -> bool:
    """A sum of weights, p + r, all of which may be rounded to 0; it is `named`, or one of them has
    a logarithm.  With `written` others may be as they are written, e^q / Σ e^q."""
    weights = [
        [a for a, e in t if e > 0 and (_weighs(planner, a) or (written and _weight(planner, a)))]
        for t, _ in poly
    ]
    named = named or any(_has_logarithm(planner, a) for own in weights for a in own)
    return len(poly) > 1 and named and all(weights)


def _has_logarithm(planner: Planner, atom: Any) -> bool:
    """A weight with a name, σ, or e^{log P} with an array for log P."""
    if not _named(atom, "exp"):
        return isinstance(atom, Ref) or _named(atom, "sigmoid")
    only = atom.args[0].single
    return only is not None and any(
        isinstance(a, Ref) and a.tensor in planner.standing for a, _ in only[0]
    )


def _weighs(planner: Planner, atom: Any) -> bool:
    """A weight with a name, or a sum of weights."""
    if isinstance(atom, Sum):
        return all(any(e > 0 and _weight(planner, a) for a, e in t) for t, _ in atom.body)
    return isinstance(atom, Ref) and fades(planner, atom.tensor)


def _by_logarithms(planner: Planner, poly: Poly) -> Poly:
    """The sum with e^{log p} for the weights p beside a mixture that divides: of p / (p + r) the
    larger one of log p and log r is taken out then, as of any sum of exponentials."""

    def logarithm(atom: Any) -> Poly | None:
        body = _body(planner, atom)
        if body is None or is_logistic(planner, atom.tensor):
            return body
        if sign_of(body) != "+":  # a sum of any sign has exponents all the same
            return _written(planner, body) if body.single else None
        if mixture(planner, body, written=True, named=True):
            return nf.rewrite(body, logarithm)
        return nf.call("exp", [raw_atom(stand_in(planner, nf.call("log", [body])))])

    made = []
    for term, c in _divided(planner, poly):
        below = [(a, _mixed_body(planner, a)) for a, e in term if e < 0]
        if not any(body for _, body in below):
            made.append(Poly({term: c}))
            continue
        factors = [nf.power(dict(below).get(a) or raw_atom(a), e) for a, e in term]
        made.append(nf.scale(nf.multiply(*(nf.rewrite(f, logarithm) for f in factors)), c))
    return nf.add(*made)


def _divided(planner: Planner, poly: Poly) -> Poly:
    """The sum with q in place of q p / (p + r) + q r / (p + r)."""
    for atom in {a: None for t, _ in poly for a, e in t if e == -1}:
        body = _mixed_body(planner, atom)
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


def _mixed_body(planner: Planner, atom: Any) -> Poly | None:
    """A mixture, or that which a definition is."""
    named = not isinstance(atom, Poly)
    body = _body(planner, atom) if named else atom
    return body if body is not None and mixture(planner, body, True, named) else None


def written_out(planner: Planner, poly: Poly) -> Poly:
    """The expression with the definitions of σ opened and 1 − σ(x) as σ(−x)."""

    def rule(atom: Any) -> Poly | None:
        if isinstance(atom, Ref) and is_logistic(planner, atom.tensor):
            body = planner.entries[atom.tensor].at(atom.slots)
            return None if body is None else written_out(planner, body)
        return None

    if any(is_logistic(planner, r.tensor) for r in refs(poly)):
        poly = nf.rewrite(poly, rule)
    return everywhere(poly, _complement)


def _complement(poly: Poly) -> Poly:
    """Every quotient (1 + e^x)^{-k} as σ(−x)^k, then 1 − σ(x) as σ(−x)."""
    if any(isinstance(a, Poly) or _named(a, "cosh") for t, _ in poly for a, _ in t):
        terms = []
        for term, c in poly:
            rest, factors = logistic(hyperbolic(term), roots=False)
            terms.append(nf.scale(nf.multiply(Poly({rest: 1}), *factors), c))
        poly = nf.add(*terms)
    poly = complemented(_in_one_sum(poly))
    if len(poly) > 1 and any(_has_tanh(a) for t, _ in poly for a, _ in t):
        whole = complemented(_without_tanh(poly))
        return whole if len(whole) < len(poly) else poly
    return poly


def _in_one_sum(poly: Poly) -> Poly:
    """The sum with Σ f σ(x) − Σ f σ(x)², which derivatives multiply out, as Σ f σ(x) σ(−x)."""
    sums = [(t, a) for t, _ in poly for a, e in t if isinstance(a, Sum) and e == 1]
    if len(sums) < 2 or functions(poly).isdisjoint(("sigmoid", "tanh")):
        return poly
    for (term, one), (other, two) in combinations(sums, 2):
        outside = Term({a: e for a, e in term if a is not one})
        if len(one.bound) != len(two.bound) or outside is not Term(
            {a: e for a, e in other if a is not two}
        ):
            continue
        bound, first = nf.opened(one, poly.free)
        inner, second = nf.opened(two, {*poly.free, *bound})
        for letters in permutations(bound):
            if any(x.size != y.size for x, y in zip(inner, letters, strict=True)):
                continue
            same = nf.substitute(second, dict(zip(inner, letters, strict=True)))
            both = nf.add(nf.scale(first, poly.terms[term]), nf.scale(same, poly.terms[other]))
            joined = complemented(_without_tanh(both))
            if joined.single:
                rest = Poly({t: c for t, c in poly if t is not term and t is not other})
                made = nf.multiply(Poly({outside: 1}), nf.sum_over(bound, joined))
                return _in_one_sum(nf.add(rest, made))
    return poly


def _has_tanh(atom: Any) -> bool:
    """tanh(x), or a sum of products with it."""
    inside = (a for t, _ in atom.body for a, _ in t) if isinstance(atom, Sum) else ()
    return _named(atom, "tanh") or any(map(_has_tanh, inside))


def _without_tanh(poly: Poly) -> Poly:
    """The sum with tanh(x) as 2 σ(2x) − 1, where it is a factor, also under a sum."""
    made = []
    for term, c in poly:
        factors = []
        for atom, e in term:
            value = raw_atom(atom)
            if isinstance(atom, Call) and atom.name == "tanh" and isinstance(e, int) and e > 0:
                twice = raw_atom(Call("sigmoid", (nf.scale(atom.args[0], 2),)))
                value = nf.subtract(nf.scale(twice, 2), ONE)
            elif isinstance(atom, Sum) and _has_tanh(atom):
                bound, body = nf.opened(atom, term.free)
                value = nf.sum_over(bound, _without_tanh(body))
            factors.append(nf.power(value, e))
        made.append(nf.scale(nf.multiply(*factors), c))
    return nf.add(*made)


def _named(atom: Any, *names: str) -> bool:
    return isinstance(atom, Call) and atom.name in names


def _is_sigma(planner: Planner, atom: Any) -> bool:
    return isinstance(atom, Ref) and is_logistic(planner, atom.tensor)


def is_logistic(planner: Planner, tensor: Tensor) -> bool:
    """A definition that is a product of powers of σ, times a number."""
    known = planner.logistic.get(tensor)
    if known is None:
        planner.logistic[tensor] = False
        entry = planner.entries.get(tensor)
        known = False
        if entry is not None and tensor not in planner.standing:
            only = written_out(planner, nf.normalize(entry.poly)).single
            known = only is not None and {_named(a, "sigmoid") for a, _ in only[0]} == {True}
        planner.logistic[tensor] = known
    return known


# ------------------------------------------------------------------------------------- cancelling


def cancelled(planner: Planner, normal: Poly) -> Poly:
    """An equal expression in which no weight divides that a factor beside it cancels."""
    if not any(_concerned(planner, r.tensor) for r in refs(normal)) and not _explicit(normal):
        return normal
    opened = _opened(planner, everywhere(normal, lambda poly: _without_roots(planner, poly)))
    if _hidden(planner, opened):
        opened = written_out(planner, opened)
    result = everywhere(opened, lambda poly: _without_quotients(planner, poly))
    result = everywhere(result, lambda poly: _by_logarithms(planner, poly))
    return normal if result is normal else result


def _without_roots(planner: Planner, poly: Poly) -> Poly:
    """The sum with √P as e^{q/2} / √Σ e^q: a root has no derivative where P is rounded to 0; and
    √σ(x) − σ(x)^{3/2} as √σ(x) σ(−x)."""

    def written(atom: Any, e: Any) -> Poly | None:
        only = atom.single if isinstance(atom, Poly) else None  # of a sign that nobody knows
        if only is not None and only[1] == 1 and list(only[0].powers.values()) == [1]:
            atom = next(iter(only[0].powers))
        if e > 0 and not isinstance(e, int) and isinstance(atom, Sum) and _mixed(planner, atom):
            return _written(planner, raw_atom(atom))
        body = None if e < 0 or isinstance(e, int) else _body(planner, atom)
        if body is None:
            return None
        body = written_out(planner, body)
        if all(any(_is_mixed(planner, a) for a, _ in t) for t, _ in body):
            return _written(planner, body)
        return body if sign_of(body) == "+" else None

    found = {(a, e): written(a, e) for t, _ in poly for a, e in t}
    if any(found.values()):
        made = []
        for term, c in poly:
            factors = (nf.power(found[a, e] or raw_atom(a), e) for a, e in term)
            made.append(nf.scale(nf.multiply(*factors), c))
        poly = nf.add(*made)
    roots = any(_named(a, "sigmoid") and not isinstance(e, int) for t, _ in poly for a, e in t)
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
        body = _body(planner, atom)
        return body is not None and any(_named(a, "sigmoid") for t, _ in body for a, _ in t)
    return _named(atom, "cosh", "sigmoid") or (isinstance(atom, Poly) and _under(planner, atom))


def _concerned(planner: Planner, tensor: Tensor) -> bool:
    return divides(planner, tensor) or fades(planner, tensor) or unlimited(planner, tensor)


def _explicit(node: Any) -> bool:
    """There is a logistic or a hyperbolic function."""
    return not functions(node).isdisjoint(("sigmoid", "cosh", "tanh"))


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
        if isinstance(a, Sum) and not _quotient(planner, Term({a: 1}))
        if all(exponent_of(t) is None for t, _ in a.body)
    }
    several = any(e < 0 and _mixed(planner, a) for a, e in sums.items())
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
    if any(e < 0 and _is_mixed(planner, a) for a, e in term):
        return _written(planner, Poly({term: 1}))
    for atom, e in term:
        if e >= 0 or not isinstance(atom, Ref) or not fades(planner, atom.tensor):
            continue
        others = [a for a, _ in term if a is not atom]
        if not any(_exponential(planner, a) for a in others):
            continue
        opened: Poly = raw_atom(atom)
        for _ in range(DEEPEST):
            inside = [r for r in refs(opened) if fades(planner, r.tensor)]
            if not inside:
                break
            opened = nf.rewrite(opened, _opener(planner, inside))
            rest = Poly({Term({a: d for a, d in term if a is not atom}): 1})
            product = everywhere(nf.multiply(rest, nf.power(opened, e)), _complement)
            if _count(planner, product) < _count(planner, Poly({term: 1})):
                return _without_quotients(planner, product)
    if not any(e < 0 and _weight(planner, a) for a, e in term):
        return Poly({term: 1})
    for atom, e in term:  # a factor in whose terms the weight is, as in its tangent
        body = _body(planner, atom) if e == 1 else None
        if body is not None:
            opened = written_out(planner, body)
            rest = Poly({Term({a: d for a, d in term if a is not atom}): 1})
            product = everywhere(nf.multiply(rest, opened), _complement)
            fewer = _count(planner, product) < _count(planner, Poly({term: 1}))
            if fewer or not any(_quotient(planner, t) for t, _ in product):
                return _without_quotients(planner, product)
    return Poly({term: 1})


def _written(planner: Planner, poly: Poly) -> Poly:
    """The expression with every weight that is one product as it is written; one that divides by
    a mixture as e^{log P}, so that weights which are normalised in turn are opened once each."""

    def rule(atom: Any) -> Poly | None:
        body = _body(planner, atom)
        if body is None or not body.single:
            return None
        if _in_turn(planner, body):
            return nf.call("exp", [raw_atom(stand_in(planner, nf.call("log", [raw_atom(atom)])))])
        return nf.rewrite(body, rule)

    return nf.rewrite(poly, rule)


def _in_turn(planner: Planner, body: Poly) -> bool:
    """Weights that are normalised along one axis after the other: they are divided by a sum that
    may be 0."""
    return sign_of(body) == "+" and any(_across_below(planner, t) for t, _ in body)


def in_turn(planner: Planner, atom: Any) -> Poly | None:
    """What such a weight is, with those that it is made of as e^{log P}."""
    body = _body(planner, atom)
    return _written(planner, body) if body and _in_turn(planner, body) else None


def _opener(planner: Planner, chosen: Collection[Ref]) -> Callable[[Any], Poly | None]:
    return lambda a: planner.entries[a.tensor].at(a.slots) if a in chosen else None


def _exponential(planner: Planner, atom: Any) -> bool:
    """A weight, or a sum with exponentials in it."""
    if isinstance(atom, Sum):
        return any(_exponential(planner, a) for t, _ in atom.body for a, _ in t)
    return _weight(planner, atom)


def _count(planner: Planner, poly: Poly) -> int:
    """How many factors of the products are exponential."""
    return max((sum(_exponential(planner, a) for a, _ in t) for t, _ in poly), default=0)


__all__ = ["cancelled", "divides", "fades", "in_turn", "is_logistic", "written_out"]
