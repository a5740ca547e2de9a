"""What weights leave, 1 − P, under a logarithm, a root or a fraction bar: as a product.

    p(P) = (1 − P)^k r(P),   r(1) ≠ 0        log p = k log(1 − P) + log r

is what every polynomial in one weight is equal to.  1 − σ(x) is σ(−x), and of a softmax it is the
sum of the other exponentials:

    1 − e^{q_j} / Σ e^q = Σ_{l≠j} e^{q_l} / Σ e^q

or with something more beside both sums, as in e^{q_j} / (1 + Σ e^q).  Where one q_j is the largest
that is a sum of its own, below the largest of the others; any other weight is at most ½, and
nothing is lost in 1 − P.  So P may be rounded to 1.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import sympy as sp

from .. import normalize as nf
from ..ir import ONE, ZERO, Call, Index, Poly, Rational, Ref, Slot, Sum, Term, rational, raw_atom
from ..laws import primitive_part, sign_of
from .contract import stand_in
from .entry import Env, placed
from .logistic import everywhere, exponent_of, hyperbolic, logistic, softplus, tame
from .nodes import FIXED, View, in_order

if TYPE_CHECKING:
    from .plan import Planner

HIGHEST = 8  # power of a weight


@dataclass(frozen=True)
class Weight:
    """A weight by a definition or as it is written, and the letter along which weights add up to 1,
    or the x of σ(x)."""

    written: Poly
    letter: Index | None = None
    x: Poly | None = None
    beside: Poly = ZERO  # what is not a weight of these in e^{q_j} / (1 + Σ e^q)

    def at(self, places: Mapping[Index, Slot]) -> Weight | None:
        """The weight with other letters."""
        letter = None if self.letter is None else places[self.letter]
        if letter is not None and not isinstance(letter, Index):
            return None
        x = None if self.x is None else nf.substitute(self.x, places)
        written = placed(self.written, places)
        beside = nf.substitute(self.beside, places)
        return None if written is None else Weight(written, letter, x, beside)


@dataclass(frozen=True)
class Polynomial:
    """Σ c_k w^k of one weight w, which may have a name; of none where it is a number."""

    coefficients: tuple[Fraction, ...]
    weight: Weight | None = None
    shown: Poly | None = None

    def times(self, other: Polynomial) -> Polynomial | None:
        degree = len(self.coefficients) + len(other.coefficients) - 1
        found = [Fraction(0)] * degree
        for i, a in enumerate(self.coefficients):
            for j, b in enumerate(other.coefficients):
                found[i + j] += a * b
        return self._with(other, found)

    def plus(self, other: Polynomial) -> Polynomial | None:
        found = [Fraction(0)] * max(len(self.coefficients), len(other.coefficients))
        for p in (self, other):
            for k, c in enumerate(p.coefficients):
                found[k] += c
        return self._with(other, found)

    def _with(self, other: Polynomial, found: list[Fraction]) -> Polynomial | None:
        if self.weight and other.weight and self.weight != other.weight:
            return None
        one = self if self.weight else other
        return Polynomial(tuple(found), one.weight, one.shown)

    def roots(self) -> tuple[int, int, Polynomial]:
        """j and k in w^j (1 − w)^k r(w), and r."""
        p, low, high = list(self.coefficients), 0, 0
        while len(p) > 1 and p[-1] == 0:
            p.pop()
        while len(p) > 1 and p[0] == 0:
            p, low = p[1:], low + 1
        while len(p) > 1 and sum(p) == 0:
            p, high = [sum(p[: k + 1], Fraction(0)) for k in range(len(p) - 1)], high + 1
        return low, high, replace(self, coefficients=tuple(p))

    def value(self) -> Poly:
        """The expression."""
        powers = (nf.power(self.shown or ONE, k) for k in range(len(self.coefficients)))
        pairs = zip(powers, self.coefficients, strict=True)
        return nf.add(*(nf.scale(w, rational(c)) for w, c in pairs))


NUMBER = Polynomial((Fraction(1),))


def complements(planner: Planner, poly: Poly) -> Poly:
    """The expression with every such polynomial as a product, and logarithms of products of them
    as sums."""
    return everywhere(poly, lambda p: _products(planner, p)) if _concerned(poly) else poly


def _concerned(node: Any) -> bool:
    """There is a logarithm, a root or a fraction bar."""
    match node:
        case Poly():
            return any(_concerned(t) for t, _ in node)
        case Term():
            return any(_divides(e) or _concerned(a) for a, e in node)
        case Sum():
            return _concerned(node.body)
        case Call():
            return node.name == "log" or any(map(_concerned, node.args))
    return False


def _divides(e: Rational) -> bool:
    return e < 0 or not isinstance(e, int)


def _products(planner: Planner, poly: Poly) -> Poly:
    made, changed = [], False
    for term, c in poly:
        factors = []
        for atom, e in term:
            value = None
            if isinstance(atom, Call) and atom.name == "log":
                value = _logarithm(planner, atom.args[0])
                value = None if value is None else nf.power(value, e)
            elif _divides(e) and isinstance(atom, Ref | Poly):
                value = _power(planner, raw_atom(atom), e)
            changed |= value is not None
            factors.append(nf.power(raw_atom(atom), e) if value is None else value)
        made.append(nf.scale(nf.multiply(*factors), c))
    return nf.add(*made) if changed else poly


def _logarithm(planner: Planner, argument: Poly) -> Poly | None:
    """log p by the factors of p that are weights and what these leave."""
    logs, rest = _parts(planner, argument)
    return nf.add(*logs, nf.call("log", [rest])) if logs else None


def _power(planner: Planner, base: Poly, e: Rational) -> Poly | None:
    """p^e by the factors of p."""
    logs, rest = _parts(planner, base)
    if not logs:
        return None
    return nf.multiply(*(nf.call("exp", [nf.scale(x, e)]) for x in logs), nf.power(rest, e))


def _parts(planner: Planner, whole: Poly) -> tuple[list[Poly], Poly]:
    """The logarithms of the factors that are weights or what these leave, and the other factors."""
    number, shared, left = primitive_part(whole, integer=True)
    logs, rest = list[Poly](), nf.scale(ONE, number)
    for base, e in [*((raw_atom(a), e) for a, e in shared), (left, 1)]:
        found = _factored(planner, base)
        if found is None:
            rest = nf.multiply(rest, nf.power(base, e))
            continue
        logs += [nf.scale(log, rational(Fraction(k) * e)) for log, k in found[0]]
        rest = nf.multiply(rest, nf.power(found[1], e))
    return logs, rest


def _factored(planner: Planner, base: Poly) -> tuple[list[tuple[Poly, int]], Poly] | None:
    """The logarithms of the weights that are factors, with their powers, and the other factor."""
    p = _polynomial(planner, base)
    if p is None or p.weight is None:
        return _without_one(planner, base)
    low, high, rest = p.roots()
    w = p.weight
    if w.x is not None and (low or high):
        sides = ((w.x, high), (nf.scale(w.x, -1), low))
        return [(nf.scale(softplus(x), -1), k) for x, k in sides if k], rest.value()
    if w.letter is None or not high:
        return None
    return [(_held(planner, w), high)], nf.multiply(nf.power(p.shown or ONE, low), rest.value())


def _without_one(planner: Planner, poly: Poly) -> tuple[list[tuple[Poly, int]], Poly] | None:
    """The same for g + Σ e^q − e^{q_j}, which is (1 − w) (g + Σ e^q)."""
    one = [t for t, c in poly if c == -1]
    if len(one) != 1:
        return None
    every = nf.add(poly, Poly({one[0]: 1}))
    only = nf.multiply(Poly({one[0]: 1}), nf.power(every, -1)).single
    w = _softmax(only[0]) if only is not None and only[1] == 1 else None
    return None if w is None else ([(_held(planner, w), 1)], every)


# ------------------------------------------------------------------------------- what is one


def _polynomial(planner: Planner, poly: Poly) -> Polynomial | None:
    """The polynomial in one weight that an expression is, definitions opened."""
    total: Polynomial | None = None
    for term, c in poly:
        found = _of_term(planner, term)
        if found is None:
            return None
        scaled = found.times(Polynomial((Fraction(c),)))
        total = scaled if total is None or scaled is None else total.plus(scaled)
        if total is None:
            return None
    return total


def _of_term(planner: Planner, term: Term) -> Polynomial | None:
    weight = _softmax(term)
    if weight is not None:
        return Polynomial((Fraction(0), Fraction(1)), weight, weight.written)
    if any(e < 0 for _, e in term):
        rest, factors = logistic(hyperbolic(term), roots=False)
        whole = nf.multiply(Poly({rest: 1}), *factors).single
        if whole is None or whole[1] != 1 or any(e < 0 for _, e in whole[0]):
            return None
        term = whole[0]
    total: Polynomial | None = NUMBER
    for atom, e in term:
        found = _of_atom(planner, atom) if isinstance(e, int) and 0 < e <= HIGHEST else None
        for _ in range(int(e) if found else 0):
            total = total.times(found) if total and found else None
        if found is None or total is None or len(total.coefficients) > HIGHEST + 1:
            return None
    return total


def _of_atom(planner: Planner, atom: Any) -> Polynomial | None:
    match atom:
        case Ref():
            return _of_definition(planner, atom)
        case Poly():
            return _polynomial(planner, atom)
        case Call(name="sigmoid"):
            return _sigmoid(atom.args[0])
        case Call(name="tanh"):
            return _sigmoid(nf.scale(atom.args[0], 2), Fraction(2), Fraction(-1))
    return None


def _sigmoid(x: Poly, a: Fraction = Fraction(1), b: Fraction = Fraction(0)) -> Polynomial:
    """a σ(x) + b, by σ(−x) where the first coefficient of x is negative."""
    first = next(iter(x))[1] > 0
    y = x if first else nf.scale(x, -1)
    written = raw_atom(Call("sigmoid", (y,)))
    line = (b, a) if first else (a + b, -a)
    return Polynomial(line, Weight(written, x=y), written)


def _of_definition(planner: Planner, ref: Ref) -> Polynomial | None:
    entry = planner.entries.get(ref.tensor)
    if entry is None or ref.tensor in planner.standing:
        return None
    if ref.tensor not in planner.polynomials:
        planner.polynomials[ref.tensor] = None  # definitions have no cycles; this ends the search
        found = _polynomial(planner, nf.normalize(entry.poly))
        own = raw_atom(Ref(ref.tensor, entry.indices))
        if found and list(found.coefficients) == [0, 1]:  # the name of the weight itself
            found = replace(found, shown=own)
        planner.polynomials[ref.tensor] = found
    known = planner.polynomials[ref.tensor]
    if known is None or known.weight is None:
        return known
    places: dict[Index, Slot] = dict(zip(entry.indices, ref.slots, strict=True))
    weight = known.weight.at(places)
    shown = placed(known.shown or ONE, places)
    return Polynomial(known.coefficients, weight, shown) if weight and shown else None


def _softmax(term: Term) -> Weight | None:
    """f_j e^{q_j} / (g + Σ f e^q) with f > 0, and g > 0 or nothing."""
    sums = [a for a, e in term if isinstance(a, Sum | Poly) and e == -1]
    if len(sums) != 1 or exponent_of(term) is None:
        return None
    above = Term({a: e for a, e in term if a is not sums[0]})
    if any(e < 0 for _, e in above) or sign_of(Poly({tame(above): 1})) != "+":
        return None
    below = sums[0] if isinstance(sums[0], Poly) else raw_atom(sums[0])
    for letter in sorted(above.free - below.free, key=lambda i: i.sort):
        beside = nf.subtract(below, nf.sum_over((letter,), Poly({above: 1})))
        if len(beside) == len(below) - 1 and (not beside.terms or sign_of(beside) == "+"):
            return Weight(Poly({term: 1}), letter, beside=beside)
    return None


# ----------------------------------------------------------------------------------- as an array


def _held(planner: Planner, weight: Weight) -> Poly:
    """log(1 − w) as an array of its own."""
    ref = stand_in(planner, nf.call("log", [nf.subtract(ONE, weight.written)]))
    entry = planner.standing[ref.tensor]
    if entry.left is None:
        pairs = zip(ref.slots, entry.indices, strict=True)
        own = weight.at({x: y for x, y in pairs if isinstance(x, Index)})
        assert own is not None and own.letter is not None
        ((term, _),) = own.written
        above = Term({a: e for a, e in term if e > 0})
        q = nf.add(exponent_of(above) or ZERO, nf.call("log", [Poly({tame(above): 1})]))
        entry = replace(entry, left=(q, own.letter, own.beside))
        planner.entries[ref.tensor] = planner.standing[ref.tensor] = entry
    return raw_atom(ref)


def log_of_others(planner: Planner, q: Poly, letter: Index, beside: Poly, env: Env) -> View:
    """log(1 − e^{q_j} / (g + Σ e^q)): below its largest value of the others where q_j is the
    largest."""

    def made(op: str, views: Iterable[View], out: Any, data: Any) -> View:
        return planner.node(op, [(v.node, v.labels) for v in views], out, data)

    def called(name: str, x: View) -> View:
        return made("call", [x], x.labels, name)

    less = planner.minus

    def larger(x: View, y: View | None) -> View:
        return x if y is None else made("maximum", [x, y], out, FIXED)

    def summed(x: View, y: View | None) -> View:
        total = planner.einsum([called("exp", x)], out)
        return total if y is None else made("add", [total, called("exp", y)], out, (sp.S.One,) * 2)

    def number(test: View) -> View:
        return planner.multiply([(test, sp.S.One)], sp.S.One)

    own, at = planner.lower(q, env), env[letter]
    every = in_order((*own.labels, at))
    own = planner.arrange(own, every)
    out = tuple(x for x in every if x is not at)
    more = planner.lower(nf.call("log", [beside]), env) if beside.terms else None  # log g
    if more is not None:
        more = planner.arrange(more, out)
    top = larger(made("max", [own], out, FIXED), more)
    below, more = less(own, top), None if more is None else less(more, top)
    exponential, total = called("exp", below), summed(below, more)
    first = made("test", [below], every, ">=")
    two = View(planner.literal(sp.Integer(2)))
    several = made("test", [less(planner.einsum([number(first)], out), two)], out, ">=")
    largest = made("test", [less(below, number(several))], every, ">=")  # where one alone is
    other = View(planner.nodes.opposite(largest.node), every)
    others = larger(made("max", [made("select", [below, other], every, None)], out, FIXED), more)
    rest = made("select", [less(below, others), other], every, None)
    left = called("log", summed(rest, None if more is None else less(more, others)))
    near = planner.plus([(others, sp.S.One), (left, sp.S.One), (called("log", total), -sp.S.One)])
    factors = [(exponential, sp.S.One), (total, -sp.S.One), (other, sp.S.One)]
    small = planner.multiply(factors, -sp.S.One)
    return made("choose", [largest, near, called("log1p", small)], every, None)


__all__ = ["complements", "log_of_others"]
