"""Definitions written out in a result where that makes it shorter."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from .. import normalize as nf
from ..ir import Poly, Rational, Ref, Term, rational
from ..model import Body, Model
from .brackets import of_brackets
from .cost import cost


class Insertions:
    """What the definitions and the brackets of one system stand for."""

    def __init__(self, m: Model, brackets: tuple[Body, ...]) -> None:
        self.stand_ins = {b.tensor: b for b in brackets}
        self.bodies = {b.tensor: b for b in m.bodies.values()}
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
            if not isinstance(atom, Ref) or e.denominator != 1:
                continue
            body = self.factors.get(atom.tensor)
            if body is None:
                continue
            one = 1 if e > 0 else -1
            rest = {a: rational(k - one if a is atom else k) for a, k in term}
            rest = {a: k for a, k in rest.items() if k}
            out = nf.multiply(Poly({Term(rest): c}), nf.power(body.at(atom.slots), one))
            if out.single is not None and depth:
                out = self._inserted(*out.single, depth - 1)
            whole = min(whole, out, key=cost)
        return whole

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


def _above(term: Term, c: Rational, name: Ref, value: Poly) -> Poly:
    """The term with the value in place of a name that is a factor of it."""
    if term.powers.get(name) != 1:
        return Poly({term: c})
    return nf.multiply(Poly({Term({a: e for a, e in term if a is not name}): c}), value)


__all__ = ["Insertions"]
