"""The derivative of the text as it stands: brackets, sums and factors of the author stay in place.

A result is derived from normal forms, in which everything is multiplied out, and collected anew.
Here the product and the chain rule go through the definition as it is written,

    d/dx of k T/p (1/(4 (1 − x)²) − 1/4 + x)  =  k T/p (1/(2 (1 − x)³) + 1),

and nothing is rearranged but for δ's under a Σ.  Definitions with functions in them are
differentiated by the rules, under their own names.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from .. import normalize as nf
from ..derive.rules import component_derivative, differentiate, slope, split_partial
from ..errors import SymattnError
from ..folding import fold, pivot
from ..ir import (
    OF_MATRIX,
    ONE_TERM,
    ZERO,
    Call,
    Delta,
    Index,
    Mask,
    Num,
    Poly,
    Rational,
    Ref,
    Sum,
    Term,
    collected,
    inside,
    rational,
    raw_add,
    raw_atom,
    raw_product,
    raw_sum,
    refs,
)
from ..model import Body, Model
from .brackets import lettered
from .collect import is_polynomial, one_bar
from .cost import powers_of, unnamed
from .groups import fresh
from .joined import shared, spliced

if TYPE_CHECKING:
    from ..derive.record import Derivation


class _NotAsWritten(Exception):
    """There is no such form, or none that is worth a look."""


def as_in_the_text(d: Derivation, m: Model) -> Poly | None:
    """∂y/∂x over the definition of y as it stands; None where it has no such form."""
    component = d.component
    if not component.tensor.parts or d.along:
        return None
    of, wrt = split_partial(component)
    if of.tensor.parts or wrt.tensor.symmetry or wrt.tensor.name not in m.inputs:
        return None
    try:
        found = spliced(_Rules(m, wrt).named(of))
        return one_bar(_joined(found))
    except (_NotAsWritten, SymattnError):
        return None


class _Rules:
    """The rules of differentiation by one component."""

    def __init__(self, m: Model, wrt: Ref) -> None:
        self.model, self.wrt = m, wrt

    def named(self, ref: Ref) -> Poly:
        """The derivative of what is defined: of functions under its own name."""
        body = self.model.bodies[ref.tensor.name]
        if pivot(body) is not None:
            return fold(differentiate(body.at(ref.slots), self._total, self.wrt.free), body)
        raw, name = _at(body, ref.slots), raw_atom(ref)
        only = raw.single
        if only is None or only[1] != 1 or len(only[0].powers) != 1:
            return self._of(raw)
        ((atom, e),) = only[0]
        whole = ref.free <= atom.free  # y_ai = e^{x_a} has a letter of its own
        if (
            whole
            and isinstance(atom, Call)
            and isinstance(atom.name, str)
            and len(atom.args) == e == 1
        ):
            inner = self._of(atom.args[0])
            own = nf.rewrite(_slope(atom), lambda a: name if a is _normal(atom) else None)
            return raw_product([own, inner])
        if e.denominator == 2 and e.numerator == 1:
            return raw_product([Poly({Term({ref: -1}): rational(e)}), self._factor(atom)])
        return self._of(raw)

    def _total(self, ref: Ref) -> Poly:
        """The same as a normal form."""
        if ref.tensor is self.wrt.tensor:
            return component_derivative(ref, self.wrt)
        if not self._depends(ref):
            return ZERO
        body = self.model.bodies[ref.tensor.name]
        return differentiate(body.at(ref.slots), self._total, self.wrt.free)

    def _of(self, raw: Poly) -> Poly:
        return raw_add(
            spliced(raw_product([Poly({ONE_TERM: c}), self._product(t)])) for t, c in raw
        )

    def _product(self, term: Term) -> Poly:
        parts = []
        term = Term(collected((_alone(a), e) for a, e in term))
        for atom, e in term:
            inner = self._factor(atom)
            if inner.terms:
                rest = {a: (rational(k - 1) if a is atom else k) for a, k in term}
                parts.append(raw_product([Poly({Term(rest): e}), inner]))
        return raw_add(parts)

    def _factor(self, atom: Any) -> Poly:
        if isinstance(atom, Delta | Mask | Num) or not self._depends(atom):
            return ZERO
        match atom:
            case Poly():
                return self._of(atom)
            case Ref() if atom.tensor is self.wrt.tensor:
                return component_derivative(atom, self.wrt)
            case Ref() if atom.tensor.role not in OF_MATRIX and not atom.tensor.parts:
                return self.named(atom)
            case Call(name="exp") if powers_of(atom.args[0]) is not None:
                raise _NotAsWritten  # (v/c)^b, of which b (v/c)^{b − 1}/c is read
            case Call(name="exp"):
                return raw_product([raw_atom(atom), self._of(atom.args[0])])
            case Call(name="log"):
                return raw_product([_reciprocal(atom.args[0]), self._of(atom.args[0])])
            case Call(name=str()) if len(atom.args) == 1:
                return raw_product([_slope(atom), self._of(atom.args[0])])
            case Sum():
                return self._summed(atom)
        raise _NotAsWritten

    def _summed(self, total: Sum) -> Poly:
        bound = fresh(total.bound)
        inner = self._of(lettered(total.body, dict(zip(total.bound, bound, strict=True))))
        found: dict[tuple[Index, ...], list[Poly]] = {}  # by the letters that are left
        for term, c in _distributed(inner, set(bound), self.wrt.free):
            put, rest = _put(term, set(bound), self.wrt.free)
            there = spliced(lettered(Poly({rest: c}), put) if put else Poly({rest: c}))
            found.setdefault(tuple(b for b in bound if b not in put), []).append(there)
        parts = []
        for left, terms in found.items():
            plain = raw_add(terms)
            counted = Poly({t: c for t, c in plain if t.free.isdisjoint(left)} if left else {})
            number = nf.sum_over(left, nf.normalize(counted))
            if any(map(unnamed, inside(number))):
                number = ZERO  # Σ_i (x_i/m − 1), and x/m − n where the author has n
            else:
                plain = Poly({t: c for t, c in plain if t not in counted.terms})
            if plain.terms and any(b not in plain.free for b in left):
                raise _NotAsWritten
            parts += [raw_sum(left, _joined(plain)), number] if plain.terms else [number]
        return raw_add(parts)

    def _depends(self, node: Any) -> bool:
        name, m = self.wrt.tensor.name, self.model
        return any(
            t is self.wrt.tensor or (t.name in m.bodies and name in m.uses(t.name))
            for r in (node, *refs(node))
            if isinstance(r, Ref)
            for t in r.tensor.named
        )


def _joined(raw: Poly) -> Poly:
    """With common factors taken out, but for a polynomial, which stays one."""
    return raw if is_polynomial(raw) else shared(raw)


def _at(body: Body, slots: Sequence[Any]) -> Poly:
    if not all(isinstance(s, Index) for s in slots) or len(set(slots)) < len(slots):
        raise _NotAsWritten
    raw: Poly = lettered(body.raw, dict(zip(body.indices, slots, strict=True)))
    return raw


def _normal(call: Call) -> Any:
    """The call with its argument multiplied out; None where it is another expression."""
    only = nf.normalize(raw_atom(call)).single
    return next(iter(only[0].powers)) if only and len(only[0].powers) == 1 else None


def _slope(call: Call) -> Poly:
    return slope(call.name, 0, (nf.normalize(call.args[0]),))


def _reciprocal(raw: Poly) -> Poly:
    only = raw.single
    if only is None:
        return raw_atom(raw, -1)
    return Poly({Term({a: -e for a, e in only[0]}): rational(1 / rational(only[1]))})


def _alone(atom: Any) -> Any:
    """The name in √(x), which is a bracket."""
    only = atom.single if isinstance(atom, Poly) else None
    ((inside, e),) = only[0] if only and only[1] == 1 and len(only[0].powers) == 1 else ((atom, 1),)
    return inside if e == 1 else atom


def _distributed(
    poly: Poly, bound: set[Index], by: frozenset[Index]
) -> Iterator[tuple[Term, Rational]]:
    """The terms, brackets with δ's of bound letters in them multiplied out."""
    for term, c in poly:
        for bracket, e in term:
            if (
                isinstance(bracket, Poly)
                and e == 1
                and any(_deltas(t, bound, by) for t, _ in bracket)
            ):
                rest = Poly({Term({a: k for a, k in term if a is not bracket}): c})
                parts = (raw_product([rest, Poly({t: d})]) for t, d in bracket)
                yield from _distributed(raw_add(parts), bound, by)
                break
        else:
            yield term, c


def _deltas(term: Term, bound: set[Index], by: frozenset[Index]) -> list[Delta]:
    found = [a for a, e in term if isinstance(a, Delta) and e == 1]
    return [a for a in found if not a.free.isdisjoint(bound) and not a.free.isdisjoint(by)]


def _put(term: Term, bound: set[Index], by: frozenset[Index]) -> tuple[dict[Index, Any], Term]:
    """What δ's say of bound letters, and the term without these δ's."""
    put: dict[Index, Any] = {}
    found = _deltas(term, bound, by)
    for delta in found:
        a, b = (put.get(s, s) if isinstance(s, Index) else s for s in (delta.a, delta.b))
        if not isinstance(a, Index) or not isinstance(b, Index):
            raise _NotAsWritten
        letter, other = (a, b) if a in bound else (b, a)
        if letter not in bound or letter is other:
            raise _NotAsWritten
        put = {k: other if v is letter else v for k, v in put.items()} | {letter: other}
    return put, Term({a: e for a, e in term if a not in found})


__all__ = ["as_in_the_text"]
