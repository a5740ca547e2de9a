"""σ and tanh in exponentials: e^u/(1 + e^u) = σ(u), 1/(1 + e^u) = 1 − σ(u)."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from functools import lru_cache
from math import floor
from typing import Any, TypeAlias

from . import normalize as nf
from . import sums
from .canonical import key
from .ir import CACHE, ONE_TERM, Call, Index, Poly, Rational, Sum, Term, inside, parts, rational

Sigma: TypeAlias = Callable[[Poly], Poly]
Law: TypeAlias = Callable[[Term, tuple[Index, ...]], Poly]  # of a term under a sum over letters
Holds: TypeAlias = Callable[[Any, Rational], bool]  # of a factor and its exponent


@lru_cache(maxsize=CACHE)
def logistic(poly: Poly) -> Poly:
    """fractions of 1 + e^u apart: each as powers of e^u or of σ(u), never of both.

    With E = e^u and σ = E/(1 + E) the laws are Eσ = E − σ and σ/E = 1 − σ; what is equal as a
    rational function of E becomes the same polynomial in E, 1/E and σ (partial fractions).
    """
    return _everywhere(poly, _over_one, lambda term, _: _apart(term, named))


@lru_cache(maxsize=CACHE)
def fractions_apart(poly: Poly) -> Poly:
    """`logistic` with σ(u) written as 1 − 1/(1 + e^u); e^v/(e^u + e^v) = 1 − e^u/(e^u + e^v)."""
    poly = _everywhere(poly, _over_one, lambda term, _: _apart(term, written))
    return _everywhere(poly, _over_two_exponentials, _second_out)


@lru_cache(maxsize=CACHE)
def of_two(poly: Poly) -> Poly:
    """e^u/(e^u + e^v) = σ(u − v), and 1/(e^u + e^v) = e^{−u} σ(u − v) with the u that cancels."""
    return _everywhere(poly, _over_two_exponentials, _of_two)


def terms_apart(poly: Poly, bound: tuple[Index, ...] = ()) -> Poly:
    """`fractions_apart` of the terms of a sum, nothing inside of their factors.

    Below Σ over the letters `bound`.
    """
    one = nf.add(*(nf.scale(_apart(term, written), c) for term, c in poly))
    return nf.add(*(nf.scale(_second_out(term, bound), c) for term, c in one))


def named(u: Poly) -> Poly:
    """σ(u)."""
    return nf.call("sigmoid", [u])


def written(u: Poly) -> Poly:
    """1 − 1/(1 + e^u)."""
    return nf.subtract(nf.ONE, nf.power(nf.add(nf.ONE, nf.call("exp", [u])), -1))


def _everywhere(poly: Poly, holds: Holds, law: Law, bound: tuple[Index, ...] = ()) -> Poly:
    """The law for every term with such a factor, inside of sums too."""
    if not _any_term(poly, holds):
        return poly

    def rule(node: Any) -> Poly | None:
        if isinstance(node, Sum):
            own, body = sums.opened(node, (*node.free, *bound))
            after = _everywhere(body, holds, law, own)
            return None if after is body else nf.sum_over(own, after)
        return None

    inside = nf.rewrite(poly, rule)
    return nf.add(*(nf.scale(law(term, bound), c) for term, c in inside))


def hyperbolic(poly: Poly) -> Poly:
    """σ(2u) = (1 + tanh u)/2, where half of the argument has whole coefficients."""

    def rule(node: Any) -> Poly | None:
        if not isinstance(node, Call) or node.name != "sigmoid":
            return None
        half = nf.scale(node.args[0], Fraction(1, 2))
        if any(Fraction(c).denominator != 1 for _, c in half):
            return None
        return nf.scale(nf.add(nf.ONE, nf.call("tanh", [half])), Fraction(1, 2))

    return nf.rewrite(poly, rule)


def one_way(poly: Poly) -> Poly:
    """σ(−u) as 1 − σ(u), of u and −u the one whose first term has a plus."""

    def rule(node: Any) -> Poly | None:
        if not isinstance(node, Call) or node.name != "sigmoid" or not node.args[0].terms:
            return None
        (u,) = node.args
        turned = u.terms[min(u.terms, key=key)] < 0
        return nf.subtract(nf.ONE, named(nf.scale(u, -1))) if turned else None

    return nf.rewrite(poly, rule)


def apart(poly: Poly, which: int = 0) -> Poly:
    """x/(a + b x) = (1 − a/(a + b x))/b: fractions of a sum of two terms in partial fractions.

    Where either term may be x, `which` says whether it is the first or the last in order.
    """
    if not _any_term(poly, _over_two_terms):
        return poly

    def rule(node: Any) -> Poly | None:
        if not isinstance(node, Sum):
            return None
        bound, body = sums.opened(node, node.free)
        after = apart(body, which)
        return None if after is body else nf.sum_over(bound, after)

    inside = nf.rewrite(poly, rule) if any(map(_has_sum, parts(poly))) else poly
    return nf.add(*(nf.scale(_divided(term, which), c) for term, c in inside))


def together(poly: Poly) -> Poly:
    """a/b + c/d = (ad + bc)/(bd), where there is a sum below one of the bars."""
    powers = _below(poly)
    if len(poly) < 2 or not any(isinstance(base, Poly) for base in powers):
        return poly
    return nf.multiply(_above(poly, powers), nf.product(powers))


def is_one(poly: Poly) -> bool:
    """True where the sum is 1 once its fractions are brought together."""

    def rule(node: Any) -> Poly | None:
        sigma = isinstance(node, Call) and node.name == "sigmoid"
        return written(node.args[0]) if sigma else None

    poly = nf.rewrite(poly, rule)
    powers = _below(poly)
    return not _above(nf.subtract(poly, nf.ONE), powers).terms


def _below(poly: Poly) -> dict[Any, Rational]:
    """The least common denominator, as factors with negative exponents; of √u and u^{3/2} too."""
    powers: dict[Any, Rational] = {}
    for term, _ in poly:
        for base, e in term:
            others = (t.powers.get(base, 0) - e for t, _ in poly)
            if e < 0 and (e.denominator == 1 or all(d.denominator == 1 for d in others)):
                powers[base] = min(e, powers.get(base, 0))
    return powers


def _above(poly: Poly, below: dict[Any, Rational]) -> Poly:
    """The expression times a common denominator."""
    return nf.add(
        *(
            nf.scale(
                nf.product(
                    {a: t.powers.get(a, 0) - below.get(a, 0) for a in {**t.powers, **below}}
                ),
                c,
            )
            for t, c in poly
        )
    )


def _divided(term: Term, which: int) -> Poly:
    for base, e in term:
        if not isinstance(base, Poly) or len(base) != 2 or not isinstance(e, int) or e >= 0:
            continue
        leads = sorted((t for t, _ in base if _linear(t)), key=key)
        if not leads:
            continue
        lead = leads[-which]
        (x,) = lead.powers
        if term.powers.get(x, 0) < 1:
            continue
        rest = {**term.powers, x: term.powers[x] - 1}
        other = Poly({t: c for t, c in base if t is not lead})
        whole = nf.product({**rest, base: e + 1})
        made = nf.subtract(whole, nf.multiply(other, nf.product(rest)))
        found = nf.add(*(nf.scale(_divided(t, which), c) for t, c in made))
        return nf.scale(found, rational(1 / Fraction(base.terms[lead])))
    return Poly({term: 1})


def _linear(term: Term) -> bool:
    """One factor to the first power that is no exponential."""
    atom = next(iter(term.powers), None)
    exponential = isinstance(atom, Call) and atom.name == "exp"
    return atom is not None and term.powers == {atom: 1} and not exponential


def quotients(poly: Poly) -> Poly:
    """sin u/cos u = tan u and sinh u/cosh u = tanh u, wherever both stand in a product."""
    named = {("sin", "cos"): "tan", ("sinh", "cosh"): "tanh"}
    if not _any_term(poly, _over_a_cosine):
        return poly

    def rule(node: Any) -> Poly | None:
        if not isinstance(node, Sum):
            return None
        bound, body = sums.opened(node, node.free)
        after = quotients(body)
        return None if after is body else nf.sum_over(bound, after)

    def shown(term: Term) -> Poly:
        for below, e in term:
            if not isinstance(below, Call) or not isinstance(e, int) or e >= 0:
                continue
            for (top, bottom), name in named.items():
                above = Call(top, below.args)
                if below.name == bottom and term.powers.get(above, 0) > 0:
                    k = min(-e, floor(term.powers[above]))
                    rest = {**term.powers, above: term.powers[above] - k, below: e + k}
                    return nf.multiply(nf.product(rest), nf.power(nf.call(name, below.args), k))
        return Poly({term: 1})

    inside = nf.rewrite(poly, rule) if any(map(_has_sum, parts(poly))) else poly
    return nf.add(*(nf.scale(shown(term), c) for term, c in inside))


def _any_term(node: Any, holds: Holds) -> bool:
    """True where a factor of a term, somewhere inside, is of that kind with its exponent."""
    return any(holds(a, e) for t in inside(node) if isinstance(t, Term) for a, e in t)


def _over_two_terms(atom: Any, e: Rational) -> bool:
    return e < 0 and isinstance(atom, Poly) and len(atom) == 2


def _over_a_cosine(atom: Any, e: Rational) -> bool:
    return e < 0 and isinstance(atom, Call) and atom.name in ("cos", "cosh")


def _has_sum(node: Any) -> bool:
    return any(isinstance(part, Sum) for part in inside(node))


def _over_one(atom: Any, e: Rational) -> bool:
    return e < 0 and _argument(atom) is not None


def _over_two_exponentials(atom: Any, e: Rational) -> bool:
    return e < 0 and _exponents(atom) is not None


def _exponents(atom: Any, bound: tuple[Index, ...] = ()) -> tuple[Poly, Poly, Rational] | None:
    """u, v and c where the atom is c (e^u + e^v), None for any other atom.

    What does not hang on the letters of the sum is u: e^u stands outside, where e^v does not.
    """
    if not isinstance(atom, Poly) or len(atom) != 2 or len({c for _, c in atom}) != 1:
        return None
    found = [
        a
        for t, _ in atom
        for a in t.powers
        if isinstance(a, Call) and a.name == "exp" and t.powers == {a: 1}
    ]
    if len(found) != 2:
        return None
    u, v = (a.args[0] for a in sorted(found, key=lambda a: (bool(a.free & set(bound)), key(a))))
    return None if set(u.terms) & set(v.terms) else (u, v, next(c for _, c in atom))


def _second_out(term: Term, bound: tuple[Index, ...]) -> Poly:
    """e^v/(e^u + e^v) = 1 − e^u/(e^u + e^v), until no e^v stands above; below the bar neither.

    1/(e^v (e^u + e^v)) = e^{−u} (e^{−v} − 1/(e^u + e^v)).
    """
    for atom, e in term:
        found = _exponents(atom, bound) if e < 0 and isinstance(e, int) else None
        if found is None or not isinstance(atom, Poly):
            continue
        u, v, c = found
        exponent = nf.add(
            *(nf.scale(a.args[0], k) for a, k in term if isinstance(a, Call) and _is_exp(a))
        )
        times = [Fraction(exponent.terms.get(t, 0)) / Fraction(d) for t, d in v]
        if not (min(times) >= 1 or max(times) <= -1):
            continue
        above, other = (v, u) if min(times) >= 1 else (u, v)
        rest = {a: k for a, k in term if a is not atom and not _is_exp(a)}
        front = nf.multiply(nf.product(rest), nf.call("exp", [nf.subtract(exponent, above)]))
        whole = nf.scale(nf.multiply(front, nf.power(atom, e + 1)), rational(1 / Fraction(c)))
        left = nf.multiply(front, nf.call("exp", [other]), nf.power(atom, e))
        made = nf.subtract(whole, left)
        return nf.add(*(nf.scale(_second_out(t, bound), d) for t, d in made))
    return Poly({term: 1})


def _of_two(term: Term, bound: tuple[Index, ...]) -> Poly:
    left, shares = dict(term.powers), []
    for atom, e in term:
        found = _exponents(atom, bound) if e < 0 and isinstance(e, int) else None
        if found is None:
            continue
        del left[atom]
        u, v, c = found
        above = nf.add(
            *(nf.scale(a.args[0], k) for a, k in term if isinstance(a, Call) and _is_exp(a))
        )
        if above.terms and nf.subtract(above, v).constant == 0:
            u, v = v, u
        share = nf.multiply(nf.call("exp", [nf.scale(u, -1)]), named(nf.subtract(u, v)))
        share = nf.scale(share, rational(1 / Fraction(c)))
        shares.append(nf.power(share, -e))
    return nf.multiply(nf.product(left), *shares) if shares else Poly({term: 1})


def _argument(atom: Any) -> tuple[Poly, Rational] | None:
    """u and c where the atom is c (1 + e^u), None for any other atom."""
    if not isinstance(atom, Poly) or len(atom) != 2 or ONE_TERM not in atom.terms:
        return None
    (other,) = (t for t in atom.terms if t is not ONE_TERM)
    c = atom.terms[ONE_TERM]
    if atom.terms[other] != c or len(other.powers) != 1:
        return None
    ((base, e),) = other
    if not isinstance(base, Call) or base.name != "exp":
        return None
    return nf.scale(base.args[0], e), c


def _apart(term: Term, sigma: Sigma) -> Poly:
    """One term in partial fractions with respect to each 1 + e^u below its bar."""
    for atom, e in term:
        found = _argument(atom)
        if found is None or e >= 0 or not isinstance(e, int):
            continue
        u, c = found
        exponent = nf.add(
            *(nf.scale(a.args[0], k) for a, k in term if isinstance(a, Call) and _is_exp(a))
        )
        k = _multiple(exponent, u)
        if k == 0 and sigma is written:
            continue  # 1/(1 + e^u)^m stands as it is
        rest = {a: n for a, n in term if a is not atom and not _is_exp(a)}
        front = nf.multiply(
            nf.product(rest), nf.call("exp", [nf.subtract(exponent, nf.scale(u, k))])
        )
        made = nf.multiply(front, _powers(u, k, -e, sigma))
        return nf.scale(
            nf.add(*(nf.scale(_apart(t, sigma), d) for t, d in made)), rational(Fraction(c) ** e)
        )
    return Poly({term: 1})


@lru_cache(maxsize=4096)
def _powers(u: Poly, k: int, m: int, sigma: Sigma) -> Poly:
    """e^{ku}/(1 + e^u)^m as a polynomial in e^{±u} and σ(u)."""
    on = sigma(u)
    if 0 <= k <= m:
        return nf.multiply(nf.power(on, k), nf.power(nf.subtract(nf.ONE, on), m - k))
    if m == 0:
        return nf.call("exp", [nf.scale(u, k)])
    if k > m:  # E/(1 + E) = 1 − 1/(1 + E)
        return nf.subtract(_powers(u, k - 1, m - 1, sigma), _powers(u, k - 1, m, sigma))
    # 1/E(1 + E) = 1/E − 1/(1 + E)
    return nf.subtract(_powers(u, k, m - 1, sigma), _powers(u, k + 1, m, sigma))


def _is_exp(atom: Any) -> bool:
    return isinstance(atom, Call) and atom.name == "exp"


def _multiple(exponent: Poly, u: Poly) -> int:
    """How often u is a part of the exponent, as a whole number nearest to 0."""
    term, c = min(u, key=lambda pair: key(pair[0]))
    return int(Fraction(exponent.terms.get(term, 0)) / Fraction(c))


__all__ = [
    "apart",
    "fractions_apart",
    "hyperbolic",
    "logistic",
    "one_way",
    "quotients",
    "terms_apart",
]
