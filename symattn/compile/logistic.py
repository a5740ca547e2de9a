"""σ(x) and its complement: 1 − σ(x) = σ(−x), and what stands under a fraction bar cancels.

    σ(x)^a σ(−x)^b p,  p a polynomial in σ(−x) that is 0 neither at 0 nor at 1

is what every polynomial in σ(x) and negative powers of it and of 1 − σ(x) is equal to.  So
(σ − σ²) / (1 − σ) is σ(x), also where 1 − σ(x) is rounded to 0.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

from .. import normalize as nf
from ..ir import ONE_TERM, ZERO, Atom, Call, Index, Max, Poly, Rational, Sum, Term, rational, raw_atom

Powers = dict[tuple[int, int], Fraction]  # coefficients by the powers of σ(x) and of σ(−x)


def exponent_of(term: Term) -> Poly | None:
    """q in a product with e^q."""
    return next((a.args[0] for a, _ in term if isinstance(a, Call) and a.name == "exp"), None)


def tame(term: Term) -> Term:
    """The factors without the exponential."""
    return Term({a: e for a, e in term if not (isinstance(a, Call) and a.name == "exp")})


def logit(poly: Any) -> Poly | None:
    """x for 1 + e^x."""
    if not isinstance(poly, Poly) or len(poly) != 2 or poly.terms.get(ONE_TERM) != 1:
        return None
    ((term, c),) = ((t, c) for t, c in poly if t is not ONE_TERM)
    return exponent_of(term) if c == 1 and len(term.powers) == 1 else None


def logistic(term: Term) -> tuple[Term, list[Poly]]:
    """e^{jx+r} (1 + e^x)^{-k} = σ(x)^j σ(−x)^{k−j} e^r, and any other power by softplus."""
    exponent = exponent_of(term) or ZERO
    factors: list[Poly] = []
    rest = dict(tame(term))
    for atom, e in term:
        x = logit(atom)
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


def hyperbolic(term: Term) -> Term:
    """The product with sinh(x) / cosh(x) as tanh(x)."""
    powers = dict(term)
    for atom, e in term:
        if isinstance(atom, Call) and atom.name == "cosh" and e < 0:
            sinh, tanh = Call("sinh", atom.args), Call("tanh", atom.args)
            count = min(int(-e), int(powers.get(sinh, 0)))
            if count > 0:
                powers[atom] = rational(e + count)
                powers[sinh] = rational(powers[sinh] - count)
                powers[tanh] = rational(powers.get(tanh, 0) + count)
    return Term(powers)


def everywhere(poly: Poly, law: Callable[[Poly], Poly]) -> Poly:
    """The expression with a law applied to every sum in it, inner ones first."""

    def atom(node: Any) -> Poly:
        match node:
            case Poly():
                return everywhere(node, law)
            case Call():
                return nf.call(node.name, [everywhere(a, law) for a in node.args])
            case Sum():
                bound, body = nf.opened(node, node.free)
                return nf.sum_over(bound, everywhere(body, law))
            case Max():
                return raw_atom(node)
        return raw_atom(node)

    if not any(isinstance(a, Poly | Call | Sum) for t, _ in poly for a, _ in t):
        return law(poly)
    terms = (
        nf.scale(nf.multiply(*(nf.power(atom(a), e) for a, e in term)), c) for term, c in poly
    )
    return law(nf.add(*terms))


def complemented(poly: Poly) -> Poly:
    """The sum with 1 − σ(x) as σ(−x), and with no power of them that cancels below the bar."""
    logits = dict.fromkeys(
        a.args[0] for t, _ in poly for a, _ in t if isinstance(a, Call) and a.name == "sigmoid"
    )
    for x in logits:
        if nf.scale(x, -1) not in logits or _first(x):
            poly = _in_one(poly, x)
    return poly


def _first(x: Poly) -> bool:
    """Of x and −x, one: that whose first coefficient is positive."""
    return next(iter(x))[1] > 0


def _in_one(poly: Poly, x: Poly) -> Poly:
    y, z = Call("sigmoid", (x,)), Call("sigmoid", (nf.scale(x, -1),))
    groups: dict[Term, Powers] = {}
    for term, c in poly:
        a, b = term.powers.get(y, 0), term.powers.get(z, 0)
        if not isinstance(a, int) or not isinstance(b, int):
            return poly
        rest = Term({atom: e for atom, e in term if atom not in (y, z)})
        groups.setdefault(rest, {})[a, b] = Fraction(c)
    terms: dict[Term, Rational] = {}
    for rest, powers in groups.items():
        for (a, b), c in _shortest(powers).items():
            term = Term({**rest.powers, y: a, z: b})
            terms[term] = rational(terms.get(term, 0) + c)
    return Poly(terms)


def _shortest(powers: Powers) -> Powers:
    """The same function of σ with the fewest terms below the bar; of equal ones it as it is."""
    low, under = min(a for a, _ in powers), min(b for _, b in powers)
    p = _polynomial({(a - low, b - under): c for (a, b), c in powers.items()})
    while len(p) > 1 and p[0] == 0:
        p, under = p[1:], under + 1
    while len(p) > 1 and sum(p) == 0:
        p, low = _divided(p), low + 1
    made = {(low, under + k): c for k, c in enumerate(p) if c}
    better = len(made) < len(powers) or _below(made) < _below(powers)
    return made if better else powers


def _below(powers: Powers) -> int:
    return sum(max(0, -a) + max(0, -b) for a, b in powers)


def _polynomial(powers: Powers) -> list[Fraction]:
    """Σ c (1 − z)^a z^b by powers of z."""
    p = [Fraction(0)] * (1 + max(a + b for a, b in powers))
    for (a, b), c in powers.items():
        binomial = 1
        for k in range(a + 1):
            p[b + k] += c * binomial * (-1) ** k
            binomial = binomial * (a - k) // (k + 1)
    while len(p) > 1 and p[-1] == 0:
        p.pop()
    return p


def _divided(p: list[Fraction]) -> list[Fraction]:
    """p / (1 − z) for a polynomial that is 0 at 1: its sums of the first coefficients."""
    sums, total = [], Fraction(0)
    for c in p[:-1]:
        total += c
        sums.append(total)
    return sums


__all__ = ["complemented", "everywhere", "exponent_of", "hyperbolic", "logistic", "logit", "tame"]
