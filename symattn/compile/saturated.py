"""What vanishes where σ or tanh reaches a limit: a product with what is left of it there.

    1 − σ(x) = σ(−x)        1 − tanh² x = 4 σ(2x) σ(−2x)

A polynomial in one of them that is 0 at a limit is a power of these times one that is not.  So are
derivatives of it, which have their digits then where the function is rounded to its limit.  It may
have a name, and the polynomial any factor.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from .. import normalize as nf
from ..ir import Call, Poly, Ref, Term, rational, raw_atom
from .sigmas import written_out

if TYPE_CHECKING:
    from .plan import Planner

LIMITS = {"sigmoid": (1,), "tanh": (1, -1)}  # and 0, where σ itself is what is left
HIGHEST = 8  # power of the function


@dataclass(frozen=True)
class Bounded:
    """f(x)."""

    name: str
    x: Poly

    def left(self, limit: int) -> Poly:
        """1 − limit · f(x), where nothing is subtracted."""
        if self.name == "sigmoid":
            return nf.call("sigmoid", [nf.scale(self.x, -1)])
        return nf.scale(nf.call("sigmoid", [nf.scale(self.x, -2 * limit)]), 2)


@dataclass(frozen=True)
class Product:
    """What is left of functions at limits, with what it is times."""

    left: Poly
    times: Poly


def saturated(planner: Planner, poly: Poly) -> tuple[list[Product], Poly] | None:
    """The products, and the terms that are in none of them; None where there are none."""
    if len(poly) < 2:
        return None
    atoms = dict.fromkeys(a for t, _ in poly for a, _ in t if isinstance(a, Call | Ref))
    known = {a: f for a in atoms if (f := _bounded(planner, a)) is not None}
    rest, made = {t: Fraction(c) for t, c in poly}, dict[Poly, list[Poly]]()
    for f in dict.fromkeys(known.values()):
        own = {a for a, g in known.items() if g == f}
        shown = raw_atom(next(a for a in atoms if a in own))
        groups: dict[Term, dict[int, Term]] = {}
        for term in rest:
            k = sum(e for a, e in term if a in own)
            if isinstance(k, int) and 0 <= k <= HIGHEST:
                beside = Term({a: e for a, e in term if a not in own})
                groups.setdefault(beside, {})[k] = term
        for beside, terms in groups.items():
            p = [rest[terms[k]] if k in terms else Fraction(0) for k in range(max(terms) + 1)]
            p, roots = _divided(p, LIMITS[f.name])
            if roots:
                for term in terms.values():
                    del rest[term]
                value = (nf.scale(nf.power(shown, k), rational(c)) for k, c in enumerate(p))
                left = nf.multiply(*(nf.power(f.left(limit), k) for limit, k in roots.items()))
                own_terms = nf.multiply(Poly({beside: 1}), nf.add(*value))
                made.setdefault(left, []).append(own_terms)
    if not made:
        return None
    products = [Product(left, nf.add(*times)) for left, times in made.items()]
    return products, Poly({t: rational(c) for t, c in rest.items()})


def _divided(p: list[Fraction], limits: Sequence[int]) -> tuple[list[Fraction], dict[int, int]]:
    """r(f) and the powers k in p(f) = Π (1 − limit · f)^k r(f)."""
    roots: dict[int, int] = {}
    for limit in limits:
        while len(p) > 1 and sum(c * limit**k for k, c in enumerate(p)) == 0:
            q = [p[0]]  # p = (1 − l f) q, so p_k = q_k − l q_{k−1}
            for c in p[1:-1]:
                q.append(c + limit * q[-1])
            p, roots[limit] = q, roots.get(limit, 0) + 1
    return p, roots


def _bounded(planner: Planner, atom: Any) -> Bounded | None:
    """σ(x) or tanh(x), by its name or by that of a definition."""
    if isinstance(atom, Call):
        return Bounded(str(atom.name), atom.args[0]) if atom.name in LIMITS else None
    entry = planner.entries.get(atom.tensor)
    if entry is None or atom.tensor in planner.standing:
        return None
    if atom.tensor not in planner.bounded:
        only = nf.normalize(entry.poly).single
        known = only is not None and only[1] == 1 and len(only[0].powers) <= 2
        planner.bounded[atom.tensor] = known and _call(planner, entry.poly) is not None
    if not planner.bounded[atom.tensor]:
        return None
    body = entry.at(atom.slots)
    call = None if body is None else _call(planner, body)
    return None if call is None else Bounded(str(call.name), call.args[0])


def _call(planner: Planner, poly: Poly) -> Call | None:
    """The function that an expression is."""
    only = written_out(planner, nf.normalize(poly)).single
    if only is None or only[1] != 1 or len(only[0].powers) != 1:
        return None
    ((atom, e),) = only[0]
    return atom if e == 1 and isinstance(atom, Call) and atom.name in LIMITS else None
