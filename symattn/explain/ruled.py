"""The derivative as the rules give it: brackets of the author are differentiated as names are.

A result is derived from normal forms, in which everything is multiplied out; here a bracket that
the author wrote stands for itself, and the derivative is what the product and the chain rule make
of it:  ∂/∂t of (1 − t)² p + 2 t (1 − t) q is 2 (1 − t) (q − p) − 2 t q.  It is a form where the
search for the shortest one starts anew.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from functools import partial
from typing import TYPE_CHECKING, Any

from .. import normalize as nf
from ..derive.rules import component_derivative, differentiate, split_partial
from ..distinct import both_ways
from ..folding import fold, match, pivot, speaks
from ..ir import (
    ONE_TERM,
    ZERO,
    Atom,
    Call,
    Index,
    Poly,
    Ref,
    Slot,
    Sum,
    Tensor,
    Term,
    fresh_indices,
    rational,
    raw_add,
    raw_atom,
    raw_product,
    refs,
)
from ..model import Body, Model
from .brackets import primitive
from .cost import powers_of
from .recognised import tensors_in

if TYPE_CHECKING:
    from ..derive.record import Derivation

TERMS = 8  # a form of more terms than this is not looked at


class Ruled:
    """The definitions of one system over the brackets in them."""

    def __init__(self, m: Model, brackets: Iterable[Body]) -> None:
        self.model = m
        self.names: dict[Poly, Body] = {b.normal: b for b in (*brackets, *m.bodies.values())}
        self.stand_ins: dict[Tensor, Body] = {}  # also those of brackets that are not looked for
        self.over: dict[Tensor, Body] = {}  # the brackets, over the brackets in them
        self.bodies = {
            name: replace(b, normal=nf.normalize(self._poly(b.raw))) for name, b in m.bodies.items()
        }
        self.weights = [b for b in self.bodies.values() if pivot(b) is not None]
        self.plain = not any(r.tensor.parts for b in m.bodies.values() for r in refs(b.raw))

    def derivative(self, d: Derivation) -> Poly | None:
        """The result over the brackets; None where none of them is left, and of other results."""
        if not self.over or not self.plain or d.along:
            return None
        component = d.component
        if component.tensor.role == "adjoint":
            found = self._pulled_back(Ref(component.tensor.of[0], component.slots), d.output)
        elif component.tensor.parts:
            of, wrt = split_partial(component)
            found = self._total(of, wrt)
        else:
            return None
        for body in self.weights:
            found = fold(found, body)
        named = any(r.tensor in self.over for r in refs(found))
        return found if named and len(found) <= TERMS else None

    def powers(self) -> Iterator[Body]:
        """v = q^{1/(1 − r)} of the bracket q."""
        for body in self.bodies.values():
            weight = pivot(body)
            if weight is None or len(next(iter(body.normal.terms)).powers) > 1:
                continue
            named = any(t in self.over for t in tensors_in(weight))
            if named and powers_of(weight.args[0]) is not None:
                yield body

    def quotients(self) -> Iterator[Body]:
        """y = √d q/√(Σ_b q_b²) of the bracket q = x − (1/d) Σ_b x_b, one product over brackets."""
        for name, body in self.bodies.items():
            only, whole = body.normal.single, self.model.bodies[name].normal
            below = [a for a, e in only[0] if isinstance(a, Sum) and e < 0] if only else []
            if any(t in self.over for a in below for t in tensors_in(a)) and len(whole) > 1:
                yield body

    def _total(self, of: Ref, wrt: Ref) -> Poly:
        """∂of/∂wrt through all definitions and brackets."""
        leaf = partial(self._total, wrt=wrt)
        if of.tensor is wrt.tensor:
            return component_derivative(of, wrt)
        if of.tensor.parts:
            return differentiate(self._total(*split_partial(of)), leaf, wrt.free)
        if of.tensor in self.over:
            return differentiate(self.over[of.tensor].at(of.slots), leaf, wrt.free)
        body = self.bodies.get(of.tensor.name)
        if body is None or wrt.tensor.name not in self.model.uses(of.tensor.name):
            return ZERO
        return _recognised(differentiate(body.at(of.slots), leaf, wrt.free), body)

    def _pulled_back(self, x: Ref, output: str) -> Poly:
        """Σ_Y Ȳ ∂Y/∂x over the definitions Y in which x stands."""
        m, parts = self.model, []
        reached = m.uses(output) | {output}

        def leaf(r: Ref) -> Poly:
            own = self.over.get(r.tensor)
            if own is not None:
                return differentiate(own.at(r.slots), leaf, x.free)
            return component_derivative(r, x)

        for name, body in self.bodies.items():
            if name not in reached or all(x.tensor not in r.tensor.named for r in refs(body.raw)):
                continue
            slots = fresh_indices(body.tensor.shape, x.free)
            local = _recognised(differentiate(body.at(slots), leaf, x.free), body)
            bar = nf.ref(m.adjoint(body.tensor), slots)
            parts.append(nf.sum_over(slots, nf.multiply(bar, local)))
        return nf.add(*parts)

    def _poly(self, raw: Poly) -> Poly:
        return raw_add(
            raw_product([Poly({ONE_TERM: c}), *(raw_atom(self._atom(a), e) for a, e in term)])
            for term, c in raw
        )

    def _atom(self, atom: Any) -> Any:
        match atom:
            case Poly() if len(atom) > 1:
                return self._named(atom)
            case Poly():
                return self._poly(atom)
            case Sum():
                return Sum(atom.bound, self._poly(atom.body))
            case Call(name="exp"):  # a weight is known by what its exponent adds up
                return Call("exp", [self._exponent(a) for a in atom.args])
            case Call():
                return Call(atom.name, [self._poly(raw_atom(a)) for a in atom.args])
        return atom

    def _exponent(self, raw: Poly) -> Poly:
        """(1 − r) log q of a power, where the bracket is q alone."""

        def factor(term: Term, atom: Any) -> Any:
            power = any(isinstance(a, Call) and a.name == "log" for a, _ in term)
            return atom if power and isinstance(atom, Poly) else self._atom(atom)

        return raw_add(
            raw_product([Poly({ONE_TERM: c}), *(raw_atom(factor(t, a), e) for a, e in t)])
            for t, c in raw
        )

    def _named(self, bracket: Poly) -> Atom:
        """The name of a bracket."""
        whole = primitive(bracket)
        normal = nf.normalize(whole)
        if normal.constant is not None or len(normal) < 2 or both_ways(bracket) is not None:
            return self._poly(bracket)
        letters = tuple(sorted(bracket.free, key=lambda i: i.sort))
        body, at = self._known(normal, letters)
        if body is None:
            tensor = Tensor(f"[{len(self.over)}]", tuple(i.size for i in letters), role="stand-in")
            body, at = Body(tensor, letters, whole, normal), {i: i for i in letters}
            self.names[normal] = body
        if {at[i] for i in body.indices} != set(letters):
            return self._poly(bracket)
        if body.tensor.role == "stand-in" and body.tensor not in self.over:
            self.stand_ins[body.tensor] = body
            self.over[body.tensor] = replace(body, normal=nf.normalize(self._poly(whole)))
        name = Ref(body.tensor, [at[i] for i in body.indices])
        ((term, c), *_) = bracket
        times = rational(Fraction(c) / Fraction(whole.terms[term]))
        return name if times == 1 else nf.scale(raw_atom(name), times)

    def _known(
        self, normal: Poly, letters: Sequence[Index]
    ) -> tuple[Body | None, Mapping[Index, Slot]]:
        """The first bracket that is this one, and its letters: θ − t_j is θ − t_i at j."""
        for body in self.names.values():
            if body.tensor.role != "stand-in" or len(body.normal) != len(normal):
                continue
            found = match(body.normal, normal, body.indices)
            if found is not None and {*found.values()} == {*letters} and len(found) == len(letters):
                return body, found
        own = self.names.get(normal)
        return own, {i: i for i in own.indices} if own is not None else {}


def _recognised(derivative: Poly, body: Body) -> Poly:
    after = fold(derivative, body)
    return after if speaks(body, after) else derivative


__all__ = ["Ruled"]
