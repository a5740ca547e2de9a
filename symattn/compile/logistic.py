"""σ(x) and its complement: 1 − σ(x) = σ(−x), and what stands under a fraction bar cancels.

    σ(x)^a σ(−x)^b p,  p a polynomial in σ(−x) that is 0 neither at 0 nor at 1

is what every polynomial in σ(x) and negative powers of it and of 1 − σ(x) is equal to.  So
(σ − σ²) / (1 − σ) is σ(x), also where 1 − σ(x) is rounded to 0.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from itertools import product
from math import floor
from typing import Any

from .. import normalize as nf
from ..ir import ONE_TERM, ZERO, Call, Max, Poly, Rational, Sum, Term, rational, raw_atom

CORNERS = 4  # σ of which all products are written
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


def softplus(x: Poly) -> Poly:
    return raw_atom(Call("softplus", (x,)))


def logistic(
    term: Term, roots: bool = True, grows: Callable[[Any], bool] = lambda atom: False
) -> tuple[Term, list[Poly]]:
    """e^{jx+r} (1 + e^x)^{-k} = σ(x)^j σ(−x)^{k−j} e^r, and any other power by softplus.

    So are `roots` of σ(x), for their derivatives would divide by it, and all of them where
    something beside them `grows`: e^{x/2} σ(−x) would be ∞ · 0.
    """
    exponent = exponent_of(term) or ZERO
    factors: list[Poly] = []
    rest = dict(tame(term))
    beside = any(e > 0 and logit(a) is None and grows(a) for a, e in term)
    for atom, e in term:
        if roots and isinstance(atom, Call) and atom.name == "sigmoid" and not isinstance(e, int):
            exponent = nf.subtract(exponent, nf.scale(softplus(nf.scale(atom.args[0], -1)), e))
            del rest[atom]
            continue
        x = logit(atom)
        if x is None:
            continue
        del rest[atom]
        lead, weight = next(iter(x))
        j = Fraction(exponent.terms.get(lead, 0)) / Fraction(weight)
        k = -e
        if isinstance(k, int) and k > 0 and j.denominator == 1 and not beside:
            count = min(max(int(j), 0), k)
            exponent = nf.subtract(exponent, nf.scale(x, count))
            for value, times in ((x, count), (nf.scale(x, -1), k - count)):
                if times:
                    factors.append(nf.power(raw_atom(Call("sigmoid", (value,))), times))
        else:
            exponent = nf.add(exponent, nf.scale(softplus(x), e))
    if exponent.terms:
        factors.append(nf.call("exp", [exponent]))
    return Term(rest), factors


def paired(poly: Poly) -> Poly:
    """The sum with e^p / (e^p + e^r) as σ(p − r), also where e^p has gone out of a sum."""
    made = {t: new for t, _ in poly if (new := _paired(t)) is not None}
    if not made:
        return poly
    return nf.add(*(nf.scale(made.get(t) or Poly({t: 1}), c) for t, c in poly))


def _paired(term: Term) -> Poly | None:
    """A product whose exponential is used up by what divides, in it or in a sum in it."""
    q = exponent_of(term)
    if q is None:
        return None
    found = _shares(term, q)
    for atom, e in term if found is None else ():
        if not isinstance(atom, Sum) or e != 1:
            continue
        bound, body = nf.opened(atom, term.free)
        both = nf.multiply(body, nf.call("exp", [q])).single
        inner = exponent_of(both[0]) if both else None
        inside = _shares(both[0], inner) if both and inner else None
        if both and inside:
            rest = Poly({Term({a: d for a, d in tame(term) if a is not atom}): both[1]})
            return nf.multiply(rest, nf.sum_over(bound, inside))
    return found


def _shares(term: Term, q: Poly) -> Poly | None:
    """e^{jp + kr} f / (e^p + e^r)^{j+k} as σ(p − r)^j σ(r − p)^k f."""
    for atom, e in term:
        if not isinstance(atom, Poly) or not isinstance(e, int) or e >= 0 or len(atom) != 2:
            continue
        p, r = (exponent_of(t) if len(t.powers) == 1 and c == 1 else None for t, c in atom)
        if p is None or r is None:
            continue
        for j in range(-e + 1):
            if nf.add(nf.scale(p, j), nf.scale(r, -e - j)) is q:
                x = nf.subtract(p, r)
                rest = Poly({Term({a: d for a, d in tame(term) if a is not atom}): 1})
                ways = ((x, j), (nf.scale(x, -1), -e - j))
                own = (nf.power(raw_atom(Call("sigmoid", (y,))), k) for y, k in ways)
                return nf.multiply(rest, *own)
    return None


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


def quotients(poly: Poly) -> Poly:
    """The sum with sinh(x) / cosh(x) as tanh(x) in every product."""
    made = {term: hyperbolic(term) for term, _ in poly}
    if all(term is new for term, new in made.items()):
        return poly
    return nf.add(*(Poly({made[term]: c}) for term, c in poly))


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
    terms = (nf.scale(nf.multiply(*(nf.power(atom(a), e) for a, e in term)), c) for term, c in poly)
    return law(nf.add(*terms))


def complemented(poly: Poly) -> Poly:
    """The sum with 1 − σ(x) as σ(−x), and with no power of them that cancels below the bar."""
    logits = dict.fromkeys(
        a.args[0] for t, _ in poly for a, _ in t if isinstance(a, Call) and a.name == "sigmoid"
    )
    each = [x for x in logits if nf.scale(x, -1) not in logits or _first(x)]
    poly = _by_corners(poly, each)
    for x in each:
        poly = _in_one(poly, x)
    return _between(poly)


def _between(poly: Poly) -> Poly:
    """σ(y) − σ(x) as e^r tanh((y−x)/2), r the logarithm of σ(y) σ(−x) / σ(y−x), where nothing is
    subtracted: what lies between two bounds is known where both are rounded to 1."""
    if len(poly) != 2 or sum(c for _, c in poly) != 0:
        return poly
    one, other = sorted(poly.terms, key=lambda t: -poly.terms[t])
    pairs = ((one, other), (other, one))
    own = [{a: e for a, e in t if rest.powers.get(a) != e} for t, rest in pairs]
    if any(len(x) != 1 for x in own):
        return poly
    (up, power), (down, same) = (next(iter(x.items())) for x in own)
    if not isinstance(up, Call) or not isinstance(down, Call):
        return poly
    if {up.name, down.name} != {"sigmoid"} or {power, same} != {1}:
        return poly
    y, x = up.args[0], down.args[0]
    shared = Term({a: e for a, e in one if other.powers.get(a) == e})
    difference = nf.subtract(y, x)
    half = nf.call("tanh", [nf.scale(difference, Fraction(1, 2))])
    below = nf.add(softplus(nf.scale(y, -1)), softplus(x))
    r = nf.subtract(softplus(nf.scale(difference, -1)), below)
    return nf.multiply(Poly({shared: poly.terms[one]}), nf.call("exp", [r]), half)


def _by_corners(poly: Poly, logits: Sequence[Poly]) -> Poly:
    """A polynomial in several σ, linear in each, by its values where these are 0 or 1: all of them
    positive, so that nothing cancels, as in 1 − σ(x) σ(y) = σ(−x) + σ(x) σ(−y)."""
    if not 1 < len(logits) <= CORNERS or all(c > 0 for _, c in poly):
        return poly
    ends: dict[Any, tuple[int, int]] = {}  # the letter and the value at which each σ is 1
    for k, x in enumerate(logits):
        ends |= {Call("sigmoid", (x,)): (k, 1), Call("sigmoid", (nf.scale(x, -1),)): (k, 0)}
    if any(a not in ends or e != 1 for t, _ in poly for a, e in t):
        return poly
    if sum(min(c, 0) for _, c in poly) + poly.terms.get(ONE_TERM, 0) > 0:
        return poly  # a number more than all that is subtracted
    made = []
    for corner in product((0, 1), repeat=len(logits)):
        value = sum(c for t, c in poly if all(corner[ends[a][0]] == ends[a][1] for a, _ in t))
        if value < 0:
            return poly
        if value:
            made.append(Poly({Term({a: 1 for a, (k, v) in ends.items() if corner[k] == v}): value}))
    return nf.add(*made)


def _first(x: Poly) -> bool:
    """Of x and −x, one: that whose first coefficient is positive."""
    return next(iter(x))[1] > 0


def _in_one(poly: Poly, x: Poly) -> Poly:
    """The sum with every product of powers of σ(x), σ(−x) and e^x in its shortest form."""
    y, z = Call("sigmoid", (x,)), Call("sigmoid", (nf.scale(x, -1),))
    groups: dict[Term, list[tuple[Term, Rational, tuple[int, int]]]] = {}
    for term, c in poly:
        a, b = term.powers.get(y, 0), term.powers.get(z, 0)
        j, rest = _exponential(Term({atom: e for atom, e in term if atom not in (y, z)}), x)
        whole = floor(a), floor(b)  # what is left of a root is a factor like any other
        left = {y: rational(a - whole[0]), z: rational(b - whole[1])}
        rest = Term({**rest.powers, **{atom: e for atom, e in left.items() if e}})
        groups.setdefault(rest, []).append((term, c, (whole[0] + j, whole[1] - j)))
    terms: dict[Term, Rational] = {}
    for rest, members in groups.items():
        own = {term: c for term, c, _ in members}
        made = {
            Term({**rest.powers, **{y: _sum(rest, y, a), z: _sum(rest, z, b)}}): rational(c)
            for (a, b), c in _shortest(members).items()
        }
        chosen = min((own, made), key=lambda terms: _length(terms, y, z))
        for term, c in chosen.items():
            terms[term] = rational(terms.get(term, 0) + c)
    return Poly({term: c for term, c in terms.items() if c != 0})


def _sum(rest: Term, atom: Call, e: int) -> Rational:
    """The power of an atom beside what is left of it."""
    return rational(Fraction(rest.powers.get(atom, 0)) + e)


def _exponential(term: Term, x: Poly) -> tuple[int, Term]:
    """j and the product r in e^{jx} r, where that is so for a whole number j."""
    q = exponent_of(term)
    if q is None or not x.terms:
        return 0, term
    lead, weight = next(iter(x))
    j = Fraction(q.terms.get(lead, 0)) / Fraction(weight)
    if j.denominator != 1:
        return 0, term
    ((rest, _),) = nf.multiply(
        Poly({tame(term): 1}), nf.call("exp", [nf.subtract(q, nf.scale(x, int(j)))])
    )
    return int(j), rest


def _length(terms: Mapping[Term, Rational], y: Call, z: Call) -> tuple[int, int, int]:
    """How many products there are, what is below the bar in them, and how many exponentials."""
    below = sum(max(0, -t.powers.get(s, 0)) for t in terms for s in (y, z))
    return len(terms), int(below), sum(exponent_of(t) is not None for t in terms)


def _shortest(members: Sequence[tuple[Term, Rational, tuple[int, int]]]) -> Powers:
    """A function of σ without what cancels."""
    powers = [p for *_, p in members]
    low, under = min(a for a, _ in powers), min(b for _, b in powers)
    p = _polynomial([((a - low, b - under), Fraction(c)) for _, c, (a, b) in members])
    while len(p) > 1 and p[0] == 0:
        p, under = p[1:], under + 1
    while len(p) > 1 and sum(p) == 0:
        p, low = _divided(p), low + 1
    return {(low, under + k): c for k, c in enumerate(p) if c}


def _polynomial(powers: Sequence[tuple[tuple[int, int], Fraction]]) -> list[Fraction]:
    """Σ c (1 − z)^a z^b by powers of z."""
    p = [Fraction(0)] * (1 + max(a + b for (a, b), _ in powers))
    for (a, b), c in powers:
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


__all__ = [
    "complemented",
    "everywhere",
    "exponent_of",
    "hyperbolic",
    "logistic",
    "logit",
    "paired",
    "quotients",
    "softplus",
    "tame",
]
