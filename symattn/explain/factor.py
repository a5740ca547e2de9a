"""A name as a factor of what is made of the same things, ∂f/∂x = f ∂(log f)/∂x.

With the definition f = v, a term is t = f^k (t v^{-k}), which is only shorter where what stands in
v cancels, as it does in derivatives of products, powers and exponentials.
"""

from __future__ import annotations

from collections.abc import Container, Sequence
from fractions import Fraction
from functools import lru_cache
from typing import Any

from .. import normalize as nf
from ..folding import divisors
from ..ir import (
    CACHE,
    Atom,
    Call,
    Poly,
    Rational,
    Ref,
    Slot,
    Sum,
    Tensor,
    Term,
    inside,
    parts,
    rational,
    raw_atom,
    refs,
)
from ..model import Body
from .cost import cost

POWERS = (1, 2, 3, -1)  # of the name that are tried
SEVERAL = 4  # factors of a product that is shorter under its name, also beside its own root
GROWN = 2  # what a power may grow to beside a name that stands for a root


def as_factor(poly: Poly, body: Body, at: Sequence[Slot], defined: Container[Tensor] = ()) -> Poly:
    """The expression with a definition, at these indices, as a factor of some terms.

    It divides by nothing that may be 0 and that neither it nor the definition divided by before,
    but for a parameter beside a function, k/A of k = A e^{−E/(R T)}, and no name that is `defined`;
    nor by a Σ that is new.
    """
    name, value = Ref(body.tensor, at), body.at(at)
    safe = not_zero(poly, body)
    ((factors, _),) = value
    front = frozenset(a for a in _parameters(factors) if a.tensor not in defined)
    once = frozenset(a for a in front if factors.powers[a] == 1)  # K of K/D, and not s of s²/D
    root = root_of(Body(body.tensor, body.indices, body.raw, value))
    above = sum(e > 0 and isinstance(a, Ref) for a, e in factors)
    rooted = _under_his_roots(body, factors)
    made = []
    for term, c in poly:
        best = Poly({term: c})
        own_power = min(term.powers.get(name, 0), 0)  # of y^{-1} x⁷/(x + z)², with y = x/(x + z)
        plain = Term({a: rational(e - own_power * (a is name)) for a, e in term})
        for k in POWERS:
            rest = _over(plain, c, value, k)
            left = {a for t, _ in rest for a in t.powers}
            bars = {a for t, _ in rest for a, e in t if e == -1}  # f cos/sin of f = c/sin⁴
            own = [
                a
                for a, e in factors
                if k < 0 or a is root or (isinstance(a, Call) and (e > -2 or a not in bars))
            ]
            if root is not None and any(_bracket(a) for a in left):
                continue
            if name in left or not left.isdisjoint(own):
                continue  # tanh³ of y = tanh² is not y tanh, nor r/√v of y = r √v a r²/y
            after = nf.multiply(rest, nf.power(raw_atom(name), rational(k + own_power)))
            # N²/K, not U²/(N k), nor V²/(B x) of V = B x/(log x − g)
            single = len(front) == 1 and root is None and above == 1
            known = safe | front if k == 1 else safe | once if single else safe
            if root is not None and outgrown(after, Poly({term: c}), name):
                continue
            if any(e < 0 and a in rooted for t, _ in after for a, e in t):
                continue  # a v/(r (2 a − r))
            if any(e < -GROWN and term.powers.get(a, 0) >= 0 for t, _ in after for a, e in t):
                continue  # G³/v⁴
            new = _summed(after) - _summed(Poly({term: c}))
            if new or not divisors(after) - {name} <= known:
                continue
            if cost(after) < cost(best):
                best = after
        made.append(best)
    return nf.add(*made)


def _under_his_roots(body: Body, factors: Term) -> set[Atom]:
    """2 a − r of √(G (2/r − 1/a)), where the author has fractions under the root."""
    half = {a for a, e in factors if len(_terms(a)) > 1 and e > 0 and e.denominator != 1}
    brackets = (nf.normalize(n) for n in inside(body.raw) if isinstance(n, Poly)) if half else ()
    barred = (p for p in brackets if len(p) > 1 and any(e < 0 for t, _ in p for _, e in t))
    found = {a for p in barred for t, _ in nf.power(p, -1) for a, _ in t if isinstance(a, Poly)}
    return {a for a in half if a in found}


def outgrown(after: Poly, before: Poly, name: Atom) -> bool:
    """k² M/(d⁶ s) for k M/(d³ √(M² + T²)), with the name s in place of a root; but c² p/E.

    What comes below a bar with the name comes there once: not G³/k² for k/(1 + x²)^{3/2}; nor
    does the name have such a power, 2 p a³/K² for 2 p a/(K (K + 4 p)) of a = √(K/(K + 4 p)).
    """

    def highest(poly: Poly, atom: Atom, sign: int) -> Rational:
        return max((sign * t.powers.get(atom, 0) for t, _ in poly), default=0)

    if highest(after, name, 1) > max(highest(before, name, 1), GROWN):
        return True
    for atom in {a for t, _ in after for a in t.powers if a is not name}:
        above, below = (highest(before, atom, sign) for sign in (1, -1))
        if highest(after, atom, 1) > max(above, GROWN):
            return True
        if highest(after, atom, -1) > max(below, GROWN if below > 0 else 1):
            return True
    return False


def _summed(poly: Poly) -> set[Atom]:
    """The sums below a bar."""
    return {a for t, _ in poly for a, e in t if e < 0 and isinstance(a, Sum)}


def _bracket(atom: Atom) -> bool:
    """A bracket of the author, under the name that stands for it."""
    return isinstance(atom, Ref) and atom.tensor.role == "stand-in"


def root_of(body: Body) -> Atom | None:
    """r² + z² of G M/√(r² + z²), which does not stand beside a name that is made of it alone.

    It does beside the name of a long product, c K/(1 − c²).
    """
    factors = body.normal.single[0].powers if body.normal.single else {}
    brackets = [(a, e) for a, e in factors.items() if len(_terms(a)) > 1]
    if not body.indices:  # G M/‖x‖
        brackets += [(a, e) for a, e in factors.items() if isinstance(a, Sum)]
    if len(factors) > SEVERAL:
        return None
    ((atom, e),) = brackets if len(brackets) == 1 and len(factors) > 1 else ((None, 1),)
    terms = _terms(atom.body if isinstance(atom, Sum) else atom)
    plain = atom is not None and all(k > 0 for t in terms for _, k in t)
    return atom if plain and e.denominator != 1 else None


def _over(term: Term, c: Rational, value: Poly, k: int) -> Poly:
    """A term over a power of a product, without multiplying out the sums in either."""
    ((factors, d),) = value
    exps = {a: -k * e for a, e in factors if isinstance(a, Call) and a.name == "exp"}
    powers = dict(term.powers)
    for atom, e in factors:
        if atom not in exps:
            powers[atom] = rational(powers.get(atom, 0) - k * e)
    squares = {a: e for a, e in powers.items() if e.denominator == 1 and _all_factors(a)}
    rest = nf.product({a: e for a, e in powers.items() if e and a not in squares})
    opened = (nf.power(a, e) for a, e in squares.items() if isinstance(a, Poly))
    rest = nf.multiply(rest, *opened)  # √u √u = u
    scale = rational(Fraction(c) / Fraction(d) ** k)
    return nf.scale(nf.multiply(rest, *(nf.power(raw_atom(a), e) for a, e in exps.items())), scale)


def not_zero(poly: Poly, body: Body) -> frozenset[Atom]:
    """What the expression or the definition divides by, or takes the logarithm of."""
    below = divisors(poly) | divisors(body.raw) | _logged(body.raw)
    return below | {a for root in below for a in _all_factors(root)}


def _parameters(factors: Term) -> frozenset[Ref]:
    """The parameters that a product may be divided by: A of A e^u or A √(u + v), T of R T log u.

    Nobody divides a sin u by a.
    """
    names = {a for a in factors.powers if isinstance(a, Ref) and not a.slots}
    functions = [a for a in factors.powers if isinstance(a, Call) or len(_terms(a)) > 1]
    plain = all(not isinstance(a, Call) or a.name == "exp" for a in functions)
    within = {r for a in functions for r in refs(a)}
    return frozenset(names - within if functions and (plain or len(names) > 1) else ())


def _terms(atom: Any) -> Sequence[Term]:
    return list(atom.terms) if isinstance(atom, Poly) else ()


def _all_factors(atom: Any) -> frozenset[Atom]:
    """The factors of a product in brackets, none of which is 0 where it is not."""
    return (
        frozenset(atom.single[0].powers) if isinstance(atom, Poly) and atom.single else frozenset()
    )


@lru_cache(maxsize=CACHE)
def _logged(node: Any) -> frozenset[Atom]:
    """The names under a logarithm, which are not 0."""
    own: list[Atom] = []
    if isinstance(node, Call) and node.name == "log" and (only := node.args[0].single):
        own = list(only[0].powers)
    return frozenset(own).union(*map(_logged, parts(node)))


__all__ = ["as_factor", "not_zero", "outgrown", "root_of"]
