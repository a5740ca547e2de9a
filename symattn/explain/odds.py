"""p e^{−u} is 1 − p, for p = 1/(1 + e^{−u}) that is defined, also with e^{−u} in two parts."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from .. import normalize as nf
from .. import sums
from ..ir import Atom, Call, Poly, Rational, Ref, Sum, Term, rational, raw_atom
from ..logistic import logistic, of_two
from ..model import Body


def odds(bodies: Iterable[Body]) -> tuple[tuple[Body, Poly], ...]:
    """The definitions p = σ(u), however they are written, each with its u.

    But for q_ij of which q_ji is 1 − q_ij by its symmetry.
    """
    found = []
    for body in bodies:
        only = of_two(logistic(body.normal)).single
        ((atom, e),) = only[0] if only is not None and len(only[0].powers) == 1 else ((None, 0),)
        if isinstance(atom, Call) and (atom.name, e, only and only[1]) == ("sigmoid", 1, 1):
            (u,) = atom.args
            back = nf.substitute(u, dict(zip(body.indices, body.indices[::-1], strict=True)))
            if back is not nf.scale(u, -1):
                found.append((body, u))
    return tuple(found)


def by_complements(poly: Poly, own: Sequence[tuple[Body, Poly]]) -> Iterator[Poly]:
    """−a_j e^{a_j b_j} Σ_i y_i p_ij² e^{−a_j t_i} as −a_j Σ_i y_i p_ij (1 − p_ij)."""
    for body, u in own:
        after = nf.add(*(_complemented(t, c, body, u) for t, c in poly))
        if after is not poly:
            yield after


def _complemented(term: Term, c: Rational, body: Body, u: Poly) -> Poly:
    after = _once(term, body, u)
    exps: dict[Atom, Rational] = {a: e for a, e in term if isinstance(a, Call) and a.name == "exp"}
    for total, e in term if after is None else ():
        if not isinstance(total, Sum) or e != 1:
            continue
        bound, inner = sums.opened(total, {*term.free, *body.indices})
        whole = nf.multiply(nf.product(exps), inner)  # e^{a b_j} goes below the Σ for a while
        made = [(_once(t, body, u), d) for t, d in whole]
        if all(m is not None for m, _ in made):
            rest = {a: k for a, k in term if a is not total and a not in exps}
            under = nf.sum_over(bound, nf.add(*(nf.scale(m, d) for m, d in made if m is not None)))
            after = nf.multiply(nf.product(rest), under)
    return Poly({term: c}) if after is None else nf.scale(after, c)


def _once(term: Term, body: Body, u: Poly) -> Poly | None:
    """p^k e^{v − u} r as p^{k − 1} (1 − p) e^v r; None where there is no e^{−u}."""
    for name, e in term:
        if not isinstance(name, Ref) or name.tensor is not body.tensor or e < 1:
            continue
        there = nf.substitute(u, dict(zip(body.indices, name.slots, strict=True)))
        for exp, k in term:
            if not isinstance(exp, Call) or exp.name != "exp" or k != 1:
                continue
            (exponent,) = exp.args
            if any(exponent.terms.get(t) != -c for t, c in there):
                continue
            rest = {a: x for a, x in term if a is not name and a is not exp}
            rest[name] = rational(e - 1)
            one_less = nf.subtract(nf.ONE, raw_atom(name))
            left = nf.call("exp", [nf.add(exponent, there)])
            return nf.multiply(nf.product({a: x for a, x in rest.items() if x}), left, one_less)
    return None


__all__ = ["by_complements", "odds"]
