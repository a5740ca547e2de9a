"""Definitions written out in a result where that makes it shorter."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import product
from typing import Any

from .. import normalize as nf
from .. import sums
from ..ir import (
    ONE_TERM,
    Atom,
    Call,
    Index,
    Poly,
    Rational,
    Ref,
    Slot,
    Sum,
    Term,
    collected,
    rational,
    refs,
)
from ..logistic import together
from ..model import Body, Model
from .brackets import of_brackets
from .cost import cost
from .products import quotient
from .views import fresh


class Insertions:
    """What the definitions and the brackets of one system stand for."""

    def __init__(self, m: Model, brackets: tuple[Body, ...]) -> None:
        self.stand_ins = {b.tensor: b for b in brackets}
        self.bodies = {b.tensor: b for b in m.bodies.values()}
        self.weights = [(b, k) for b in m.bodies.values() for k in b.indices if _sums_to_one(b, k)]
        factors = (of_brackets(b, brackets) for b in m.bodies.values())
        self.factors = {b.tensor: b for b in factors if b.normal.single is not None}
        self.terms: dict[tuple[Term, Rational], Poly] = {}  # with a definition inserted

    def products(self, poly: Poly) -> Iterator[Poly]:
        """c u_i as r_i, with u_i = r_i/c in a product written out where it costs less.

        (1 + r)/d as 1/(w − c), of d = (1 + r) (w − c), too.
        """
        made = []
        for term, c in poly:
            if (term, c) not in self.terms:
                self.terms[term, c] = self._inserted(term, c)
            made.append(self.terms[term, c])
        yield nf.add(*made)

    def _inserted(self, term: Term, c: Rational, depth: int = 2) -> Poly:
        """A term with factors written out; G³ f of G = 1/√D too, with D = f g."""
        whole = Poly({term: c})
        for atom, e in term:
            value = self._one_fraction(atom) if e.denominator == 1 else None
            if value is not None:
                rest = [(a, k) for a, k in term if a is not atom]
                whole = min(whole, _in_place(rest, c, value, int(e)), key=cost)
            if not isinstance(atom, Ref) or e.denominator != 1:
                continue
            body = self.factors.get(atom.tensor)
            if body is None:
                continue
            one = 1 if e > 0 else -1
            left = {a: rational(k - one if a is atom else k) for a, k in term}
            left = {a: k for a, k in left.items() if k}
            out = nf.multiply(Poly({Term(left): c}), nf.power(body.at(atom.slots), one))
            if out.single is not None and depth:
                out = self._inserted(*out.single, depth - 1)
            whole = min(whole, out, key=cost)
        return whole

    def _one_fraction(self, atom: Any) -> Poly | None:
        """2 w/(z + w) of 1 − g, with g = (z − w)/(z + w) written out."""
        names = {r for r in refs(atom) if r.tensor in self.bodies} if isinstance(atom, Poly) else ()
        if len(names) != 1 or ONE_TERM not in atom.terms:
            return None
        (name,) = names
        value = self.bodies[name.tensor].at(name.slots)
        if all(t.powers == {name: 1} or t is ONE_TERM for t in atom.terms) and len(value) > 1:
            made = together(nf.rewrite(atom, lambda a: value if a is name else None))
            return made if made.single is not None else None
        return None

    def faced(self, poly: Poly) -> Iterator[Poly]:
        """r sign(u) as c u, with r = c |u|."""
        yield nf.add(*(self._faced(term, c) for term, c in poly))

    def _faced(self, term: Term, c: Rational) -> Poly:
        signs = [a for a, e in term if isinstance(a, Call) and (a.name, e) == ("sign", 1)]
        names = [a for a, e in term if isinstance(a, Ref) and e >= 1 and a.tensor in self.bodies]
        for sign, name in product(signs, names):
            value = self.bodies[name.tensor].at(name.slots).single
            sizes = [a for a, e in value[0] if isinstance(a, Call) and e == 1] if value else []
            for size in (a for a in sizes if a.name == "abs"):
                facing = next((k for k in (1, -1) if nf.scale(size.args[0], k) is sign.args[0]), 0)
                if value and facing:
                    left = {a: rational(e - (a in (sign, name))) for a, e in term}
                    own = {a: e for a, e in value[0] if a is not size}
                    parts = [Poly({Term({a: e for a, e in left.items() if e}): c})]
                    parts += [Poly({Term(own): value[1]}), nf.scale(size.args[0], facing)]
                    return nf.multiply(*parts)
        return Poly({term: c})

    def cancelled(self, poly: Poly) -> Iterator[Poly]:
        """(G + T S) K/T² as H K/T² with G = H − T S, the definition of a sum written out.

        A product stays below bars: (1 + a m − r)/(1 − r)² is 1/(1 − r)² with r = a m.
        """
        factors = {a: None for t, _ in poly for a, e in t if isinstance(a, Ref) and e == 1}
        for ref in factors:
            body = self.bodies.get(ref.tensor)
            if body is None or len(poly) < 2:
                continue
            value = body.at(ref.slots)

            def written(a: Any, ref: Ref = ref, value: Poly = value) -> Poly | None:
                return value if a is ref else None

            if len(value) > 1:
                made = nf.rewrite(poly, written)
            else:
                made = nf.add(*(_above(term, c, ref, value) for term, c in poly))
            if len(made) < len(poly):
                yield made

    def over_powers(self, poly: Poly) -> Iterator[Poly]:
        """V/D − S V/D² as V (D − S)/D², with the D above the bar written out.

        In one term alone too, 1/D − b/D + a b/D² = 1/D − b²/D² of D = a + b.
        """
        below: dict[Ref, int] = {}
        for term, _ in poly:
            for atom, e in term:
                if isinstance(atom, Ref) and e < 0 and e.denominator == 1:
                    below[atom] = min(int(e), below.get(atom, 0))
        for ref, least in below.items():
            body = self.stand_ins.get(ref.tensor) or self.bodies.get(ref.tensor)
            if body is None or len(body.normal) < 2:
                continue
            over: list[Poly] = []
            for term, c in poly:
                whole, e = Poly({term: c}), term.powers.get(ref, 0)
                if least < e < 0:
                    whole = nf.multiply(whole, nf.product({ref: least - e}))
                    whole = nf.multiply(whole, nf.power(body.at(ref.slots), e - least))
                over.append(whole)
            yield nf.add(*over)
            for k, (term, c) in enumerate(poly if len(poly) > 2 else ()):
                rest = Poly({t: d for t, d in poly if t is not term})
                if over[k].terms != {term: c} and len(one := nf.add(rest, over[k])) < len(poly):
                    yield one

    def divided(self, poly: Poly) -> Iterator[Poly]:
        """(v² − u²)/p as −u − v, with p = u − v: what stands over a sum is divided by it."""
        over: dict[Ref, dict[Term, Rational]] = {}
        for term, c in poly:
            for atom, e in term:
                if isinstance(atom, Ref) and e == -1 and atom.tensor in self.bodies:
                    over.setdefault(atom, {})[term] = c
        for ref, terms in over.items():
            value = self.bodies[ref.tensor].at(ref.slots)
            if len(terms) < 2 or len(value) < 2:
                continue
            made = quotient(nf.times(Poly(terms), {ref: 1}), value)
            if made is not None:
                rest = Poly({t: c for t, c in poly if t not in terms})
                yield nf.add(rest, made)

    def weighted(self, poly: Poly) -> Iterator[Poly]:
        """Σ_n x_n² + Σ_nk r_nk (m_k² − 2 x_n m_k) as Σ_nk r_nk (x_n − m_k)², as Σ_k r_nk is 1."""
        for body, letter in self.weights:
            within = [any(r.tensor is body.tensor for r in refs(t)) for t, _ in poly]
            if sum(within) < 2 or all(within):
                continue
            pairs = zip(poly, within, strict=True)
            made = [Poly(dict([p])) if own else _times(p, body, letter) for p, own in pairs]
            yield nf.add(*made)


def _in_place(rest: list[tuple[Atom, Rational]], c: Rational, value: Poly, e: int) -> Poly:
    """The power e of a fraction beside other factors, powers of equal brackets added first."""
    ((fraction, d),) = value
    powers = collected([*rest, *((a, rational(k * e)) for a, k in fraction)])
    return nf.scale(nf.product(powers), rational(Fraction(c) * Fraction(d) ** e))


def _sums_to_one(body: Body, letter: Index) -> bool:
    """Σ_k r_nk = 1 of r_nk = q_nk/Σ_l q_nl."""
    below = any(isinstance(a, Sum) and e == -1 for t, _ in body.normal for a, e in t)
    return below and nf.sum_over([letter], body.normal) is nf.ONE


def _times(term: tuple[Term, Rational], body: Body, letter: Index) -> Poly:
    """The term times Σ_k r_nk, below its Σ over n where there is one."""
    others = [i for i in body.indices if i is not letter]
    if not others:
        one = nf.sum_over([letter], nf.ref(body.tensor, body.indices))
        return nf.multiply(Poly(dict([term])), one)
    for atom, e in term[0]:
        if not isinstance(atom, Sum) or e != 1:
            continue
        bound, inside = sums.opened(atom, {*term[0].free, *body.indices})
        rest = Poly({Term({a: k for a, k in term[0] if a is not atom}): term[1]})
        at: dict[Index, Slot] = {}
        for i in others:
            free = [b for b in bound if b.size == i.size and b not in at.values()]
            at |= {i: free[0]} if len(free) == 1 else {}
        if len(at) == len(others):
            (last,) = fresh((letter,))  # the term may have the letter of the definition
            name = nf.ref(body.tensor, [{**at, letter: last}[i] for i in body.indices])
            return nf.multiply(rest, nf.sum_over((*bound, last), nf.multiply(inside, name)))
    return Poly(dict([term]))


def _above(term: Term, c: Rational, name: Ref, value: Poly) -> Poly:
    """The term with the value in place of a name that is a factor of it."""
    if term.powers.get(name) != 1:
        return Poly({term: c})
    return nf.multiply(Poly({Term({a: e for a, e in term if a is not name}): c}), value)


__all__ = ["Insertions"]
