"""Exponentials that stay whole under a sum: Σ e^{−(x − m)²} and not e^{−m²} Σ e^{2 m x − x²}.

The normal form takes out of a sum what no bound letter is in.  Where the exponent is one that the
author wrote, over brackets of his, it is put back as he has it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import partial
from itertools import combinations
from typing import Any

from .. import normalize as nf
from .. import sums
from ..canonical import key
from ..folding import has_exponential, matches
from ..ir import Atom, Call, Index, Poly, Rational, Sum, Term, inside, raw_atom, refs
from ..model import Body, Model
from ..places import placeable
from .cost import cost, powers_of
from .exponentials import is_exponential

SEVERAL = 6  # exponentials of one expression that are compared


class Exponents:
    """The exponents of one system that have several terms, with its brackets in place of them."""

    def __init__(self, m: Model, brackets: tuple[Body, ...]) -> None:
        self.model = m
        known = {b.normal: nf.ref(b.tensor, b.indices) for b in brackets}
        calls = (n for b in m.bodies.values() for n in inside(b.raw) if is_exponential(n))
        found = dict.fromkeys(nf.normalize(n.args[0]) for n in calls)
        self.own = [u for u in found if powers_of(u) is None]
        self.known: list[tuple[Poly, Poly, tuple[Index, ...]]] = []
        for body in m.bodies.values():
            for node in inside(body.raw):
                if isinstance(node, Call) and node.name in ("exp", "erf", "erfc"):
                    normal = nf.normalize(node.args[0])
                    named = nf.normalize(_named(node.args[0], known))
                    if node.name != "exp":  # e^{−u²} of erf(u)
                        normal, named = (nf.scale(nf.power(u, 2), -1) for u in (normal, named))
                    letters = tuple(sorted(normal.free, key=lambda i: i.sort))
                    entry = (normal, named, letters)
                    if len(normal) > 1 and len(named) == 1 and letters and entry not in self.known:
                        self.known.append(entry)

    def whole(self, poly: Poly) -> Iterator[Poly]:
        """e^u Σ_i e^v as Σ_i e^w with w = u + v as the author has it."""
        for normal, named, letters in self.known:
            made = [nf.scale(_whole(t, normal, named, letters), c) for t, c in poly]
            yield nf.add(*made)

    def of_one_kind(self, poly: Poly, opened: Callable[[Poly], Poly]) -> Poly:
        """K e^{−(d − s √T)²/2 − r T} as S e^{−d²/2}, which it is with log S/K of d written out.

        Exponents that differ by logarithms once the definitions are written out are one.
        """
        found = {a for t, _ in poly for a, e in t if e == 1 and is_exponential(a)}
        if not 2 <= len(found) <= SEVERAL:
            return poly
        m = self.model
        ranked = sorted(found, key=lambda a: (cost(a), key(a)))
        for first, other in combinations(ranked, 2):
            apart = opened(nf.subtract(other.args[0], first.args[0]))
            if not any(r.tensor.name in m.bodies for r in refs(apart)):
                continue
            ratio = nf.call("exp", [m.inline(apart)])
            if ratio.single is not None and not has_exponential(ratio):
                whole = nf.multiply(ratio, raw_atom(first))
                own = partial(_put, {other: whole})
                poly = nf.rewrite(poly, own)
        return poly


def _put(values: Mapping[Any, Poly], node: Any) -> Poly | None:
    return values.get(node) if isinstance(node, Call) else None


def _whole(term: Term, normal: Poly, named: Poly, letters: tuple[Index, ...]) -> Poly:
    before: dict[Atom, Rational] = {
        a: e for a, e in term if isinstance(a, Call) and a.name == "exp" and e == 1
    }
    for total, e in term if before else ():
        if not isinstance(total, Sum) or e != 1 or total.body.single is None:
            continue
        bound, body = sums.opened(total, {*term.free, *letters})
        whole = nf.multiply(nf.product(before), body)
        (only, c) = whole.single or (Term({}), 0)
        exps = [a for a, k in only if isinstance(a, Call) and a.name == "exp" and k == 1]
        for atom in exps:
            for found, k in matches(normal, atom.args[0], letters):
                if set(found) < set(letters) or not placeable(normal, found):
                    continue
                rest = nf.subtract(atom.args[0], nf.scale(nf.substitute(normal, found), k))
                kept = nf.product({a: p for a, p in only if a is not atom})
                own = nf.scale(nf.substitute(named, found), k)
                inner = nf.multiply(kept, nf.call("exp", [rest]), nf.call("exp", [own]))
                outer = {a: p for a, p in term if a is not total and a not in before}
                return nf.scale(nf.multiply(nf.product(outer), nf.sum_over(bound, inner)), c)
    return Poly({term: 1})


def _named(node: Any, known: dict[Poly, Poly]) -> Any:
    """The raw expression with the names of brackets in place of them."""
    match node:
        case Poly():
            made = Poly({})
            for term, c in node:
                made = nf.add(made, nf.scale(_product(term, known), c))
            return known.get(nf.normalize(node), made)
    return node


def _product(term: Term, known: dict[Poly, Poly]) -> Poly:
    factors = []
    for atom, e in term:
        inner = known.get(nf.normalize(raw_atom(atom))) if isinstance(atom, Poly) else None
        factors.append(nf.power(inner or nf.normalize(raw_atom(atom)), e))
    return nf.multiply(*factors) if factors else nf.ONE


__all__ = ["Exponents"]
