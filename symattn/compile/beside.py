"""What stands beside the logarithm of a mixture goes into it, and what may overflow beside a σ.

    log(1 + e^{x+y}) − x = log(e^{−x} + e^y)        e^q σ(−e^q) = e^{q − log(1 + e^{e^q})}

The normal form takes common exponents out of a sum; where x is large it is all of both parts then,
as in log(π + (1 − π) e^{−λ}) with a large λ.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from itertools import permutations
from typing import TYPE_CHECKING, Any, TypeGuard

from .. import normalize as nf
from ..ir import Call, Mask, Poly, Rational, Sum, Term, functions, rational, raw_atom, refs
from .contract import stand_in
from .logistic import complemented, exponent_of, softplus, tame

if TYPE_CHECKING:
    from .plan import Planner

Log = Callable[[Poly], Poly]  # the logarithm of alternatives, with the largest of them taken out


def together(planner: Planner, poly: Poly, log: Log) -> Poly:
    """The sum with log(e^{−x} + e^y) in place of log(1 + e^{x+y}) − x: x may be all of both."""
    for term, k in poly:
        atom = next((a for a, e in term if e == 1 and _is_log(a) and len(a.args[0]) > 1), None)
        if atom is None:
            continue
        exponents = [q for t, _ in atom.args[0] if (q := exponent_of(t)) is not None]
        factor = Term({a: e for a, e in term if a is not atom})
        part, beside = Poly({}), Poly({})
        for t, c in poly:
            x, ratio = _without(t, factor), Fraction(c) / Fraction(k)
            if any(q.terms.get(x) == -ratio for q in exponents):
                part = nf.add(part, Poly({t: c}))
                beside = nf.add(beside, Poly({x: rational(ratio)}))
        if not part.terms:
            continue
        inside = nf.multiply(atom.args[0], nf.call("exp", [beside]))
        whole = log(inside)
        rest = nf.subtract(poly, nf.add(part, Poly({term: k})))
        return together(planner, nf.add(rest, nf.multiply(Poly({factor: k}), whole)), log)
    return poly


def summed_together(planner: Planner, poly: Poly, log: Log) -> Poly:
    """The same where Σ_i of such a logarithm and Σ_i of what goes into it are sums of their own."""
    sums = [(t, c, next((a for a, e in t if e == 1 and isinstance(a, Sum)), None)) for t, c in poly]
    for term, k, one in sums:
        if one is None or not _exponents(one.body):
            continue
        factor = Term({a: e for a, e in term if a is not one})
        named = {r.tensor for r in refs(one.body)}
        bound, body = nf.opened(one, poly.free)
        parts: list[tuple[Term, Rational, Poly]] = []
        for t, c, other in sums:
            others = {a: e for a, e in t if a is not other}
            if other is one or other is None or others != dict(factor.powers):
                continue
            if not named.issuperset(r.tensor for r in refs(other.body)):
                continue
            for letters in permutations(other.bound):
                if [x.size for x in letters] == [x.size for x in bound]:
                    at = nf.substitute(other.body, dict(zip(letters, bound, strict=True)))
                    part = nf.scale(at, rational(Fraction(c) / Fraction(k)))
                    both = nf.add(body, part)
                    if together(planner, both, log) is not both:
                        parts.append((t, c, part))
                        break
        if parts:
            masks, made = _masks_apart(nf.add(body, *(p for *_, p in parts)))
            whole = raw_atom(stand_in(planner, together(planner, made, log)))
            inside = nf.multiply(Poly({masks: 1}), whole)
            total = nf.multiply(Poly({factor: k}), nf.sum_over(bound, inside))
            rest = nf.subtract(poly, Poly({term: k, **{t: c for t, c, _ in parts}}))
            return summed_together(planner, nf.add(rest, total), log)
    return poly


def _masks_apart(poly: Poly) -> tuple[Term, Poly]:
    """The masks that every term has, and what is left: an array with them would be one of pairs."""
    first = next(iter(poly))[0]
    common = {a for a, _ in first if isinstance(a, Mask) and all(a in t.powers for t, _ in poly)}
    left = {Term({a: e for a, e in t if a not in common}): c for t, c in poly}
    return Term(dict.fromkeys(common, 1)), Poly(left)


def _exponents(body: Poly) -> list[Poly]:
    """The exponents under the logarithms of mixtures."""
    logs = (a for t, _ in body for a, e in t if e == 1 and _is_log(a) and len(a.args[0]) > 1)
    found = (exponent_of(t) for a in logs for t, _ in a.args[0])
    return [q for q in found if q is not None]


def _without(term: Term, factor: Term) -> Term:
    """The product divided by some of its factors."""
    return Term({a: d for a, e in term if (d := rational(e - factor.powers.get(a, 0)))})


def bounded(poly: Poly) -> Poly:
    """The sum with f σ(x) − f as −f σ(−x), and e^q σ(−e^q) as e^{q − log(1 + e^{e^q})}: e^q may
    overflow where σ is 0."""
    doubly = {a for t, _ in poly for a, _ in t if _is_sigmoid(a) and "exp" in functions(a.args[0])}
    if not doubly:
        return poly
    made = []
    for term, c in complemented(poly):
        q = exponent_of(term)
        own = [(a, e) for a, e in term if _is_sigmoid(a) and "exp" in functions(a)]
        if q is not None and own:
            logs = (nf.scale(nf.scale(softplus(nf.scale(a.args[0], -1)), -1), e) for a, e in own)
            rest = Term({a: e for a, e in tame(term) if (a, e) not in own})
            made.append(nf.multiply(Poly({rest: c}), nf.call("exp", [nf.add(q, *logs)])))
        else:
            made.append(Poly({term: c}))
    return nf.add(*made)


def _is_sigmoid(atom: Any) -> TypeGuard[Call]:
    return isinstance(atom, Call) and atom.name == "sigmoid"


def _is_log(atom: Any) -> TypeGuard[Call]:
    return isinstance(atom, Call) and atom.name == "log"


__all__ = ["bounded", "summed_together", "together"]
