"""The derivative of the text as it stands: brackets, sums and factors of the author stay in place.

A result is derived from normal forms, in which everything is multiplied out, and collected anew.
Here the product and the chain rule go through the definition as it is written,

    d/dx of k T/p (1/(4 (1 − x)²) − 1/4 + x)  =  k T/p (1/(2 (1 − x)³) + 1),

and nothing is rearranged but for δ's under a Σ.  Definitions with functions in them are
differentiated by the rules, under their own names.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence, Set
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from .. import normalize as nf
from ..derive.rules import component_derivative, differentiate, slope, split_partial
from ..errors import SymattnError
from ..folding import fold, has_exponential, pivot
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
    Tensor,
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
from .brackets import lettered, primitive
from .collect import one_bar
from .cost import powers_of, unnamed
from .final import bar_in_front, in_brackets
from .joined import shared, spliced
from .polynomials import is_polynomial
from .units import less_unit, summed_delta
from .views import fresh

if TYPE_CHECKING:
    from ..derive.record import Derivation


ONE = Poly({ONE_TERM: 1})


class _NotAsWritten(Exception):
    """There is no such form, or none that is worth a look."""


def as_in_the_text(d: Derivation, m: Model, written: Collection[Tensor] = ()) -> Iterator[Poly]:
    """The derivative over the definitions as they stand: with names of functions, and without.

    ∂y/∂x goes through the definition of y, x̄ is Σ_Y Ȳ ∂Y/∂x over those that x stands in; Ȳ is the
    same sum in its turn where it is `written` out.
    """
    component = d.component
    if d.along:
        return
    weights = [b for b in m.bodies.values() if pivot(b) is not None and not _of_a_power(b)]
    fronted = any(map(_has_front, m.bodies.values()))
    units, seen = [*less_unit(m)], set()
    for own in (False, True)[: 1 + fronted]:
        try:
            if component.tensor.role == "adjoint":
                x = Ref(component.tensor.of[0], component.slots)
                found = _pulled_back(x, m, own, m.uses(d.output) | {d.output}, written)
            elif component.tensor.parts:
                found = _forward(*split_partial(component), m, own)
            else:
                return
            found = one_bar(_joined(spliced(_with_weights(found, weights))))
            found = in_brackets(found, bar_in_front)
        except (_NotAsWritten, SymattnError):
            return
        if found not in seen and not summed_delta(found, units):
            seen.add(found)
            yield found


def _of_a_power(body: Body) -> bool:
    """(1 − p)^g log p, which is no weight e^u/Σ e^u."""
    ((term, _),) = body.normal
    calls = (a for a in term.powers if isinstance(a, Call) and a.name == "exp")
    return any(powers_of(a.args[0]) is not None for a in calls)


def _has_front(body: Body) -> bool:
    """c tanh(u), and neither tanh(u) nor a sum."""
    only = body.raw.single
    calls = [a for a, e in only[0] if isinstance(a, Call)] if only is not None else []
    return len(calls) == 1 and only is not None and (len(only[0].powers) > 1 or only[1] != 1)


def _forward(of: Ref, wrt: Ref, m: Model, own: bool) -> Poly:
    """∂y/∂x through all definitions; of a derivative that is one, the derivative of that."""
    if wrt.tensor.symmetry:
        raise _NotAsWritten
    through = frozenset(n for n in m.bodies if wrt.tensor.name in m.uses(n))
    rules = _Rules(m, wrt, through, own)
    if not of.tensor.parts:
        return rules.named(of)
    first = _joined(spliced(_forward(*split_partial(of), m, own)))
    return rules.of(first)


def _pulled_back(
    x: Ref, m: Model, own: bool, reached: Set[str], written: Collection[Tensor]
) -> Poly:
    """x̄ = Σ_Y Ȳ ∂Y/∂x, ∂Y/∂x of the definition of Y alone."""
    if x.tensor.symmetry:
        raise _NotAsWritten
    rules, parts = _Rules(m, x, frozenset(), own), []
    for name, body in m.bodies.items():
        if name not in reached or all(x.tensor not in r.tensor.named for r in refs(body.raw)):
            continue
        slots = fresh(body.indices)
        y = Ref(body.tensor, slots)
        bar = raw_atom(Ref(m.adjoint(body.tensor), y.slots))
        if m.adjoint(body.tensor) in written:
            bar = spliced(_pulled_back(y, m, own, reached, written))
        parts.append(rules.over(slots, raw_product([bar, spliced(rules.named(y))])))
    return _joined(_once(raw_add(map(spliced, parts))))


class _Rules:
    """The rules of differentiation by one component, through the definitions of these names.

    With `own`, y = c f(u) has c f′(u) in terms of y: (1 − y²/c²) u′ of y = c tanh(u).
    """

    def __init__(self, m: Model, wrt: Ref, through: frozenset[str], own: bool) -> None:
        self.model, self.wrt, self.through, self.own = m, wrt, through, own

    def named(self, ref: Ref) -> Poly:
        """The derivative of what is defined: of functions under its own name."""
        body = self.model.bodies[ref.tensor.name]
        if pivot(body) is not None and not _of_a_power(body):
            plain = differentiate(body.at(ref.slots), self._total, self.wrt.free)
            if (found := fold(plain, body)) is not plain:
                return found
        raw = _at(body, ref.slots)
        only = raw.single
        if only is None:
            return self.of(raw)
        atoms = [(a, e) for a, e in only[0] if self._depends(a)]
        if len(atoms) != 1:
            return self.of(raw)
        ((atom, e),) = atoms
        rest = Poly({Term({a: k for a, k in only[0] if a is not atom}): only[1]})
        if not (self.own or rest is ONE):
            return self.of(raw)
        if isinstance(atom, Call) and isinstance(atom.name, str) and len(atom.args) == e == 1:
            if ref.free - rest.free <= atom.free:  # y_ai = e^{x_a} has a letter of its own
                value = nf.multiply(raw_atom(ref), nf.power(nf.normalize(rest), -1))
                normal = _normal(atom)
                slope_ = nf.rewrite(
                    _slope(atom), lambda a: value if a is normal else None, around=value.free
                )
                return raw_product([rest, shared(slope_), shared(self.of(atom.args[0]))])
        elif rest is ONE and e.denominator == 2 and e.numerator == 1:
            return raw_product([Poly({Term({ref: -1}): rational(e)}), self._factor(atom)])
        return self.of(raw)

    def _total(self, ref: Ref) -> Poly:
        """The same as a normal form."""
        if ref.tensor.name not in self.through:
            return component_derivative(ref, self.wrt)
        body = self.model.bodies[ref.tensor.name]
        return differentiate(body.at(ref.slots), self._total, self.wrt.free)

    def of(self, raw: Poly) -> Poly:
        """The derivative of an expression, term by term."""
        return _once(raw_add(_times(c, self._product(t)) for t, c in raw))

    def _product(self, term: Term) -> Poly:
        parts = []
        term, number = _primitive(term)
        for atom, e in term:
            inner = self._factor(atom)
            if inner.terms:
                powers = {a: (rational(k - 1) if a is atom else k) for a, k in term}
                rest = Poly({Term(powers): e})
                parts.append(inner if rest is ONE else raw_product([rest, shared(inner)]))
        return raw_product([Poly({ONE_TERM: number}), _once(raw_add(parts))])

    def _factor(self, atom: Any) -> Poly:
        if isinstance(atom, Delta | Mask | Num) or not self._depends(atom):
            return ZERO
        match atom:
            case Poly():
                return self.of(atom)
            case Ref() if atom.tensor is self.wrt.tensor:
                return component_derivative(atom, self.wrt)
            case Ref() if atom.tensor.name in self.through and atom.tensor.role not in OF_MATRIX:
                return self.named(atom)
            case Call(name="exp") if (powers := powers_of(atom.args[0])) is not None:
                return self._of_powers(atom, powers)
            case Call(name="exp"):
                return raw_product([raw_atom(atom), self.of(atom.args[0])])
            case Call(name="log"):
                return raw_product([_reciprocal(atom.args[0]), self.of(atom.args[0])])
            case Call(name=str()) if len(atom.args) == 1:
                return raw_product([shared(_slope(atom)), shared(self.of(atom.args[0]))])
            case Sum():
                return self._summed(atom)
        raise _NotAsWritten

    def _of_powers(self, atom: Call, powers: Sequence[tuple[Poly, Poly]]) -> Poly:
        """d (u/v)^b = b (u/v)^{b − 1} d(u/v) + (u/v)^b log(u/v) db."""
        parts = []
        for base, exponent in powers:
            log = raw_atom(Call("log", [base]))
            one_less = raw_add([atom.args[0], raw_product([Poly({ONE_TERM: -1}), log])])
            inner, change = self.of(base), self.of(exponent)
            parts.append(raw_product([exponent, raw_atom(Call("exp", [one_less])), inner]))
            parts.append(raw_product([raw_atom(atom), log, change]))
        return raw_add(p for p in parts if p.terms)

    def _summed(self, total: Sum) -> Poly:
        bound = fresh(total.bound)
        inner = self.of(lettered(total.body, dict(zip(total.bound, bound, strict=True))))
        return self.over(bound, inner)

    def over(self, bound: Sequence[Index], inner: Poly) -> Poly:
        """Σ of what was differentiated, the δ's of it put in."""
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
        return _once(raw_add(parts))

    def _depends(self, node: Any) -> bool:
        return any(
            t is self.wrt.tensor or t.name in self.through
            for r in (node, *refs(node))
            if isinstance(r, Ref)
            for t in r.tensor.named
        )


def _with_weights(raw: Poly, weights: Sequence[Body]) -> Poly:
    """e^{u_i}/Σ_j e^{u_j} under the name that it has in the text."""
    return raw_add(_weighed(t, c, weights) for t, c in raw) if weights else raw


def _weighed(term: Term, c: Rational, weights: Sequence[Body]) -> Poly:
    made = [(_within(a, weights), e) for a, e in term]
    term = Term(collected(made))
    some = {a: e for a, e in term if has_exponential(a) or e < 0}
    rest = Poly({Term({a: e for a, e in term if a not in some}): c})
    for body in weights if any(map(has_exponential, some)) else ():
        before = nf.normalize(Poly({Term(some): 1}))
        after = fold(before, body)
        if after is not before and after.single and not any(map(_brackets, some)):
            return raw_product([rest, after])
    for total in (a for a, e in some.items() if isinstance(a, Sum) and e == 1):
        others = Poly({Term({a: e for a, e in some.items() if a is not total}): 1})
        if others is not ONE:
            whole = raw_add(raw_product([others, Poly({t: d})]) for t, d in total.body)
            found = _with_weights(whole, weights)
            if found is not whole:
                return raw_product([rest, raw_sum(total.bound, found)])
    return Poly({term: c})


def _within(atom: Any, weights: Sequence[Body]) -> Any:
    if isinstance(atom, Sum):
        return Sum(atom.bound, _with_weights(atom.body, weights))
    return _with_weights(atom, weights) if isinstance(atom, Poly) else atom


def _brackets(node: Any) -> bool:
    return any(isinstance(n, Poly) and len(n) > 1 for n in inside(node))


def _once(raw: Poly) -> Poly:
    """Λ_ij x_j + Λ_ji x_j of a symmetric Λ, and sums with different letters, as one term."""
    found: dict[Poly, list[tuple[Term, Rational]]] = {}
    for term, c in raw:
        found.setdefault(nf.normalize(Poly({term: 1})), []).append((term, c))
    if len(found) == len(raw):
        return raw
    return raw_add(Poly({ts[0][0]: rational(sum(c for _, c in ts))}) for ts in found.values())


def _times(c: Rational, raw: Poly) -> Poly:
    """c times what stands there, a fraction in the bracket: φ g J/K − φ g²/2."""
    if c.denominator == 1:
        return spliced(raw_product([Poly({ONE_TERM: c}), _joined(raw)]))
    return spliced(_joined(Poly({t: rational(c * d) for t, d in spliced(raw)})))


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


def _primitive(term: Term) -> tuple[Term, Rational]:
    """1/(2 − 2 r²) as ½ · 1/(1 − r²), and √(x) without a bracket."""
    number, powers = Fraction(1), []
    for atom, e in term:
        if isinstance(atom, Poly) and len(atom) > 1 and isinstance(e, int):
            (first, *_) = atom.terms
            whole = primitive(atom)
            times = abs(Fraction(atom.terms[first]) / Fraction(whole.terms[first]))
            number *= times**e
            scale = rational(1 / times)
            atom = Poly({t: rational(scale * c) for t, c in atom})
        powers.append((_alone(atom), e))
    return Term(collected(powers)), rational(number)


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
    """What δ's say of bound letters, and the term without these δ's.

    Of δ_ai δ_aj, which comes of a diagonal C_aa, δ_ij is left.
    """
    put: dict[Index, Any] = {}
    found = _deltas(term, bound, by)
    left = []
    for delta in found:
        a, b = (put.get(s, s) if isinstance(s, Index) else s for s in (delta.a, delta.b))
        if not isinstance(a, Index) or not isinstance(b, Index):
            raise _NotAsWritten
        letter, other = (a, b) if a in bound else (b, a)
        if letter is other:
            continue
        if letter not in bound:
            left.append((Delta(letter, other), rational(1)))
            continue
        put = {k: other if v is letter else v for k, v in put.items()} | {letter: other}
    rest = [(a, e) for a, e in term if a not in found]
    return put, Term(collected([*rest, *left]))


__all__ = ["as_in_the_text"]
