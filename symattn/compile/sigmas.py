"""What is made of σ under other names: definitions of it, 1 − σ(x), (1 + e^x)^{-1} and tanh."""

from __future__ import annotations

from itertools import combinations, permutations
from typing import TYPE_CHECKING, Any

from .. import normalize as nf
from ..ir import ONE, Call, Poly, Ref, Sum, Tensor, Term, functions, raw_atom, refs
from .logistic import complemented, everywhere, hyperbolic, logistic

if TYPE_CHECKING:
    from .plan import Planner


def written_out(planner: Planner, poly: Poly) -> Poly:
    """The expression with the definitions of σ opened and 1 − σ(x) as σ(−x)."""

    def rule(atom: Any) -> Poly | None:
        if isinstance(atom, Ref) and is_logistic(planner, atom.tensor):
            body = planner.entries[atom.tensor].at(atom.slots)
            return None if body is None else written_out(planner, body)
        return None

    if any(is_logistic(planner, r.tensor) for r in refs(poly)):
        poly = nf.rewrite(poly, rule)
    return everywhere(poly, complement)


def complement(poly: Poly) -> Poly:
    """Every quotient (1 + e^x)^{-k} as σ(−x)^k, then 1 − σ(x) as σ(−x)."""
    if any(isinstance(a, Poly) or is_call(a, "cosh") for t, _ in poly for a, _ in t):
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
    return is_call(atom, "tanh") or any(map(_has_tanh, inside))


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


def is_call(atom: Any, *names: str) -> bool:
    return isinstance(atom, Call) and atom.name in names


def is_sigma(planner: Planner, atom: Any) -> bool:
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
            known = only is not None and {is_call(a, "sigmoid") for a, _ in only[0]} == {True}
        planner.logistic[tensor] = known
    return known


def is_explicit(node: Any) -> bool:
    """There is a logistic or a hyperbolic function."""
    return not functions(node).isdisjoint(("sigmoid", "cosh", "tanh"))
