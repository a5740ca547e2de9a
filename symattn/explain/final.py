"""What is done last to a form that is printed: x (x y)^{-3/2} as 1/(y √(x y))."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from fractions import Fraction
from typing import Any

from .. import normalize as nf
from ..ir import (
    ONE_TERM,
    Atom,
    Call,
    Delta,
    Poly,
    Rational,
    Ref,
    Sum,
    Tensor,
    Term,
    collected,
    rational,
    raw_add,
    raw_atom,
    raw_product,
)
from ..model import Body
from .arrange import taken_out
from .cost import cost
from .joined import opened
from .shares import shared
from .views import common_powers, quotient

PRODUCT = 2  # what one fraction may cost more than two
PLUS = 3  # what (k/T) (1 + G/(R T)) may cost more than k/T + G k/(R T²)
NESTED = 3  # what one bar may cost more than a bar above another one
BOUNDED = frozenset({"tanh", "sin", "cos"})


def in_brackets(poly: Poly, rule: Callable[[Poly], Poly]) -> Poly:
    """The expression with a rule applied to it and to the brackets and sums that are factors."""
    made = {t: new for t, _ in poly if (new := _in_factors(t, rule)) is not None}
    if made:
        poly = raw_add(
            raw_product([Poly({ONE_TERM: c}), made[t]]) if t in made else Poly({t: c})
            for t, c in poly
        )
    return rule(poly)


def _in_factors(term: Term, rule: Callable[[Poly], Poly]) -> Poly | None:
    """A product with the rule applied to its brackets and sums; None where it changes nothing."""
    made: dict[Atom, Poly] = {}
    for atom, e in term:
        if isinstance(atom, Poly) and e == 1:
            inner = in_brackets(atom, rule)
            if inner is not atom or inner.single:
                made[atom] = inner if inner.single else raw_atom(inner)
        elif isinstance(atom, Sum) and e == 1:
            body = in_brackets(atom.body, rule)
            if body is not atom.body:
                made[atom] = raw_atom(Sum(atom.bound, body))
    return raw_product(made[a] if a in made else raw_atom(a, e) for a, e in term) if made else None


def less_one(
    poly: Poly, written: Callable[[Poly], bool], bounded: frozenset[Tensor] = frozenset()
) -> Poly:
    """−x (1 − z y) as x (z y − 1), also under Σ, where he has no 1 − z y; so of 1 − e^{a x}.

    And x (v²/c² − 1) as −x (1 − v²/c²), where he has no v²/c² − 1; x (t² − 1) too, where t is the
    name of a function with values between −1 and 1.  And (−a − b)/c as −(a + b)/c.
    """
    if poly.single is None:
        return poly
    term, c = poly.single
    for atom, e in term:
        made = None
        if (
            isinstance(atom, Poly)
            and e == 1
            and (_turned(atom) or (not written(atom) and _faces(atom, bounded) == (c > 0)))
        ):
            made = raw_atom(Poly({t: -d for t, d in atom}))
        elif isinstance(atom, Sum) and e == 1 and c < 0:
            body = Poly({t: -d for t, d in atom.body})
            inside = less_one(body, written, bounded)
            made = raw_atom(Sum(atom.bound, inside)) if inside is not body else None
        if made is not None:
            rest = Term({a: k for a, k in term if a is not atom})
            return raw_product([Poly({rest: rational(-c)}), made])
    return poly


def _turned(bracket: Poly) -> bool:
    """−a − b."""
    return len(bracket) > 1 and all(c < 0 for _, c in bracket)


def bounded(bodies: Iterable[Body]) -> frozenset[Tensor]:
    """The names of tanh u, sin u and cos u."""
    found = set()
    for body in bodies:
        only = body.raw.single
        ((atom, e),) = only[0] if only and len(only[0].powers) == 1 else ((None, 0),)
        if only and abs(only[1]) == e == 1 and isinstance(atom, Call) and atom.name in BOUNDED:
            found.add(body.tensor)
    return frozenset(found)


def _faces(bracket: Poly, bounded: frozenset[Tensor]) -> bool | None:
    """False of 1 − z y, True of v²/c² − 1 and tanh² u − 1; None of 1 − z and of anything else."""
    one = bracket.terms.get(ONE_TERM)
    others = [(t, c) for t, c in bracket if t is not ONE_TERM]
    if len(others) != 1 or one not in (1, -1) or others[0][1] != -one:
        return None
    square = all(e % 2 == 0 for _, e in others[0][0])
    square &= any(
        e < 0 or isinstance(a, Call) or (isinstance(a, Ref) and a.tensor in bounded)
        for a, e in others[0][0]
    )
    product = len(others[0][0].powers) > 1 and all(e > 0 for _, e in others[0][0])
    product |= any(_grows(a) for a in others[0][0].powers)
    return True if one < 0 and square else False if one > 0 and product and not square else None


def _grows(atom: Any) -> bool:
    """e^{a x}, and not e^{−k t}."""
    return isinstance(atom, Call) and atom.name == "exp" and all(c > 0 for _, c in atom.args[0])


def one_fraction(poly: Poly, written: Callable[[Poly], bool]) -> Poly:
    """1/(λ (N + D)) − 1/(λ N) as −D/(λ N (N + D)), where one term is left above the bar.

    Where the author does not have the two, that may be a product: 1/m − 1/(m − b t).
    """
    below = [{a: e for a, e in t if e < 0} for t, _ in poly]
    brackets = {a for b in below for a in b if isinstance(a, Poly)}
    if len(poly) != 2 or len(brackets) != 1 or not all(below):
        return poly
    over: dict[Any, Rational] = {}
    for powers in below:
        for atom, e in powers.items():
            over[atom] = max(rational(-e), over.get(atom, 0))
    times = Poly({Term(over): 1})  # brackets as they face here, and cancel
    above = nf.normalize(raw_add(raw_product([Poly({t: c}), times]) for t, c in poly))
    if above.single is None:  # log(b/a), which is two terms in a normal form
        above = opened(raw_add(opened(raw_product([Poly({t: c}), times])) for t, c in poly))
    if above.single is None:
        return poly
    whole = raw_product([above, *(raw_atom(a, rational(-e)) for a, e in over.items())])
    more = 0 if written(poly) or written(nf.scale(poly, -1)) else PRODUCT
    return whole if cost(whole) <= cost(poly) + more else poly


def of_a_function(poly: Poly, bodies: Mapping[Tensor, Body]) -> Poly:
    """1 − y/c as 1 − σ(u), where y is c σ(u)."""
    only = [(t, c) for t, c in poly if t is not ONE_TERM]
    if len(poly) != 2 or poly.terms.get(ONE_TERM) != 1 or only[0][1] != -1:
        return poly
    ((term, _),) = only
    for name in (a for a, e in term if isinstance(a, Ref) and e == 1 and a.tensor in bodies):
        rest = Poly({Term({a: e for a, e in term if a is not name}): 1})
        value = nf.multiply(bodies[name.tensor].at(name.slots), rest)
        made = value.single
        if made is None or made[1] != 1 or len(made[0].powers) != 1:
            continue
        ((atom, e),) = made[0]
        if isinstance(atom, Call) and e == 1 and cost(value) <= cost(Poly({term: 1})):
            return Poly({ONE_TERM: 1, made[0]: -1})
    return poly


def rest_of_share(
    poly: Poly, written: Callable[[Poly], bool], bodies: Mapping[Tensor, Body]
) -> Poly:
    """1 − a/v as u/v, and 1 − 2 a/v as (u − a)/v, where v is a + u or defined so.

    The first where u is one term and the author has no such complement; 1 + e^u/(1 − e^u) always.
    And 1/(1 + u) − 1 as −u/(1 + u).
    """
    one = poly.terms.get(ONE_TERM, 0)
    if len(poly) != 2 or one not in (1, -1):
        return poly
    ((term, c),) = ((t, c) for t, c in poly if t is not ONE_TERM)
    bars = [a for a, e in term if e == -1 and isinstance(a, Poly | Ref)]
    if one < 0 and c == 1 and len(bars) == len(term.powers) and isinstance(bars[0], Poly):
        rest = {t: d for t, d in bars[0] if t is not ONE_TERM}
        if len(rest) == 1 and len(bars[0]) == 2 and bars[0].terms[ONE_TERM] == 1:
            return raw_product([Poly(rest), Poly({Term({bars[0]: -1}): -1})])
    for less in (b for b in bars if isinstance(b, Poly) and len(b) == 2 and c == one):
        own = Term({a: e for a, e in term if a is not less})
        if less is Poly({ONE_TERM: 1, own: -1}):
            return raw_product([Poly({ONE_TERM: one}), raw_atom(less, -1)])
    for bar in bars if c * one < 0 else ():
        body = bodies.get(bar.tensor) if isinstance(bar, Ref) else None
        whole = body.at(bar.slots) if body is not None and isinstance(bar, Ref) else bar
        if body is not None and len(body.raw) == 2 and not body.indices:
            whole = body.raw  # 1 + (x − y)²/m²
        own = Term({a: e for a, e in term if a is not bar})
        if not isinstance(whole, Poly) or len(whole) < 2 or whole.terms.get(own) != 1:
            continue
        twice = c == -2 * one and all(d == 1 for _, d in whole)
        if twice or (c == -1 == -one and len(whole) == 2 and not written(poly)):
            above = Poly({t: rational(one * (d + (c / one if t is own else 0))) for t, d in whole})
            return raw_product([raw_atom(above) if twice else above, raw_atom(bar, -1)])
    return poly


def rest_over_its_bar(poly: Poly) -> Poly:
    """H/v (1 − s/v) as H (H − f)/v² of v = H + s − f: what is left of v stands over it."""
    return raw_add(Poly({_rest_over(t): c}) for t, c in poly)


def _rest_over(term: Term) -> Term:
    below = [a for a, e in term if e < 0 and isinstance(a, Poly)]
    for bracket, e in term:
        if not isinstance(bracket, Poly) or e != 1 or bracket.terms.get(ONE_TERM) != 1:
            continue
        others = [(t, c) for t, c in bracket if t is not ONE_TERM]
        for bar in below if len(others) == 1 and others[0][1] == -1 else ():
            own = Term({a: k for a, k in others[0][0] if a is not bar})
            if others[0][0].powers.get(bar) == -1 and bar.terms.get(own) == 1:
                rest = Poly({t: c for t, c in bar if t is not own})
                powers = {a: k for a, k in term if a is not bracket}
                return Term(collected([*powers.items(), (rest, 1), (bar, rational(-1))]))
    return term


def no_bar_above_a_bar(poly: Poly) -> Poly:
    """f (y/p − 1)/(1 − p) as f (y − p)/(p (1 − p)), where that is hardly longer.

    The p is a function or a name, of which 1 − p stands below the bar.
    """
    return raw_add(_one_bar(t, c) for t, c in poly)


def _one_bar(term: Term, c: Rational) -> Poly:
    below = {a for a, e in term if e < 0}
    barred = any(k < 0 for a in below if isinstance(a, Poly) for t, _ in a for _, k in t)
    nested = not barred and any(isinstance(a, Poly | Call) for a in below)
    for bracket, e in term if nested else ():
        if not isinstance(bracket, Poly) or e != 1 or len(bracket) != 2:
            continue
        bars = {a: rational(-k) for t, _ in bracket for a, k in t if k < 0}
        if len(bars) != 1 or not below.isdisjoint(bars):
            continue
        names = [a for a in bars if isinstance(a, Ref)]
        if any(Poly({ONE_TERM: 1, Term({a: 1}): -1}) not in below for a in names):
            continue
        rest = Poly({Term({a: k for a, k in term if a is not bracket}): c})
        above = nf.times(nf.normalize(bracket), bars)
        made = [rest, raw_atom(above), *(raw_atom(a, rational(-k)) for a, k in bars.items())]
        whole = raw_product(made)
        if len(above) == 2 and cost(whole) <= cost(Poly({term: c})) + NESTED:
            return whole
    return Poly({term: c})


def as_part(poly: Poly, holds: Callable[[Poly], bool]) -> Poly:
    """−B (1 + g − log x) as B (log x − g − 1), where the author has log x − g."""
    made = []
    for term, c in poly:
        for atom, e in term if c < 0 else ():
            if not isinstance(atom, Poly) or len(atom) < 3 or e != 1:
                continue
            back = Poly({t: -d for t, d in atom})
            if holds(back) and not holds(atom):
                term = Term(collected((back if a is atom else a, k) for a, k in term))
                c = rational(-c)
                break
        made.append(Poly({term: c}))
    return raw_add(made)


def output_in_front(poly: Poly, output: Tensor) -> Poly:
    """u x²/(4 D t²) − u/(2 t) as u (x²/(4 D t²) − 1/(2 t)), for an output u of one component."""
    names = [[a for a in t.powers if isinstance(a, Ref) and a.tensor is output] for t, _ in poly]
    if len(poly) < 2 or not all(names) or len({n[0] for n in names}) > 1:
        return poly
    name = names[0][0]
    if any(t.powers[name] != 1 for t, _ in poly):
        return poly
    for front in (Term(common_powers([t.powers for t, _ in poly])), Term({name: 1})):
        rest = Poly({Term(quotient(t.powers, front.powers)): c for t, c in poly})
        if len(front.powers) > 1 and rest.terms.get(ONE_TERM) not in (1, -1):
            continue  # (k/T) (1 + G/(R T)), and not u/t (x²/(4 D t) − ½)
        content = taken_out([c for _, c in rest])
        content = content if content.denominator == 1 else rational(1)
        rest = Poly({t: rational(Fraction(c) / Fraction(content)) for t, c in rest})
        whole = raw_product([Poly({front: content}), raw_atom(rest)])
        plus = len(front.powers) > 1 and all(c > 0 for _, c in rest)
        more = PLUS if plus else 0
        if cost(whole) <= cost(poly) + more:
            return whole
    return poly


def output_at_its_letters(poly: Poly, output: Ref) -> Poly:
    """b_l P_l (P_k − δ_kl) as b_l P_k (P_l − δ_kl), for the output P_k: beside δ_kl it is P_l."""
    return raw_add(_at_its_letters(t, c, output) for t, c in poly)


def _at_its_letters(term: Term, c: Rational, output: Ref) -> Poly:
    for bracket, e in term:
        if not isinstance(bracket, Poly) or e != 1 or len(bracket) != 2:
            continue
        alone = [next(iter(t.powers)) for t in bracket.terms if [*t.powers.values()] == [1]]
        pair = next((a for a in alone if isinstance(a, Delta)), None)
        if pair is None or output not in alone:
            continue
        there = {pair.a: pair.b, pair.b: pair.a}
        other = Ref(output.tensor, [there.get(s, s) for s in output.slots])
        if other is not output and term.powers.get(other) == 1:
            inside = {
                Term({other if a is output else a: 1}): bracket.terms[Term({a: 1})] for a in alone
            }
            rest = [(a, k) for a, k in term if a is not bracket and a is not other]
            return Poly({Term(collected([*rest, (output, 1), (Poly(inside), 1)])): c})
    return Poly({term: c})


def bar_in_front(poly: Poly) -> Poly:
    """k a/t + b/t as (k a + b)/t, where that goes on outside of the bracket."""
    powers = [t.powers for t, _ in poly]
    common = {a: e for a, e in powers[0].items() if e < 0} if len(poly) > 1 else {}
    common = {a: e for a, e in common.items() if all(p.get(a) == e for p in powers)}
    if not common:
        return poly
    rest = Poly({Term({a: e for a, e in t if a not in common}): c for t, c in poly})
    return raw_product([Poly({Term(common): 1}), raw_atom(rest)])


def own_divisor(poly: Poly) -> Poly:
    """D − F²/D as D (1 − F²/D²), a name and what is divided by it."""
    if len(poly) != 2:
        return poly
    for (name, c), (term, d) in (tuple(poly), tuple(poly)[::-1]):
        ((atom, e),) = name if len(name.powers) == 1 else ((None, 0),)
        if not isinstance(atom, Ref) or (c, e) != (1, 1) or d != -1:
            continue
        below = [a for a, k in term if k < 0]
        above = [k for _, k in term if k > 0]
        if below == [atom] and above and min(above) >= 2:
            rest = Term(collected([*term, (atom, rational(-1))]))
            return raw_product([raw_atom(atom), raw_atom(Poly({ONE_TERM: 1, rest: -1}))])
    return poly


def one_over_sine(poly: Poly) -> Poly:
    """1 + 1/tan² a and 1 + cos² a/sin² a as 1/sin² a, 1 − cosh² a/sinh² a as −1/sinh² a."""
    one = poly.terms.get(ONE_TERM, 0)
    for term, c in poly if one else ():
        sine, sign = _cotangent(term)
        if sine is not None and c == sign * one:
            rest = Poly({t: d for t, d in poly if t is not term and t is not ONE_TERM})
            return raw_add([rest, Poly({Term({sine: rational(-2)}): c})])
    return poly


def _cotangent(term: Term) -> tuple[Call | None, int]:
    """sin a of cot² a with 1, sinh a of coth² a with −1."""
    powers = {(a.name, e): a for a, e in term if isinstance(a, Call)}
    for sine, cosine, tangent, sign in (("sin", "cos", "tan", 1), ("sinh", "cosh", "tanh", -1)):
        one, above, below = (powers.get(x) for x in ((tangent, -2), (cosine, 2), (sine, -2)))
        if len(term.powers) == 1 and one is not None:
            return Call(sine, one.args), sign
        if len(term.powers) == 2 and above and below and above.args == below.args:
            return below, sign
    return None, 0


def slope_of_tanh(poly: Poly) -> Poly:
    """k b tanh² u − k b − c as −k b (1 − tanh² u) − c."""
    for term, c in poly if len(poly) > 2 else ():
        squares = [a for a, e in term if isinstance(a, Call) and (a.name, e) == ("tanh", 2)]
        for square in squares:
            front = Term({a: e for a, e in term if a is not square})
            if poly.terms.get(front) == -c:
                rest = Poly({t: d for t, d in poly if t is not term and t is not front})
                slope = raw_atom(Poly({ONE_TERM: 1, Term({square: rational(2)}): -1}))
                return raw_add([raw_product([Poly({front: rational(-c)}), slope]), rest])
    return poly


def complement_as_written(
    poly: Poly, kept: frozenset[Poly], shares: frozenset[Ref] = frozenset()
) -> Poly:
    """c m − c as −c (1 − m), where the author has the bracket 1 − m or m is a share; √m − 1/√m."""
    if len(poly) != 2:
        return poly
    for (term, c), (other, d) in (tuple(poly), tuple(poly)[::-1]):
        over = dict(term.powers)
        rest = {a: rational(e - other.powers.get(a, 0)) for a, e in over.items()}
        rest = {a: e for a, e in rest.items() if e}
        if c != -d or not other.powers or not set(other.powers) <= set(over) or len(rest) != 1:
            continue
        bracket = Poly({ONE_TERM: 1, Term(rest): -1})
        name = next(iter(rest))
        share = rest[name] == 1 and isinstance(name, Ref) and shared(name, shares)
        if bracket in kept or (share and c > 0):
            return raw_product([Poly({other: d}), raw_atom(bracket)])
    return poly


def cancelled(poly: Poly) -> Poly:
    """x (x y)^{-3/2} as 1/(y √(x y)): what stands below a root of a product too goes out of it."""
    return raw_add(Poly({t: rational(c * d) for t, d in _cancelled(term)}) for term, c in poly)


def _cancelled(term: Term) -> Poly:
    powers: dict[Any, Rational] = dict(term.powers)
    for root, e in term:
        only = root.single if isinstance(root, Poly) else None
        if only is None or only[1] != 1 or e > -1 or e.denominator != 2 or len(only[0].powers) < 2:
            continue
        shared = [a for a, k in only[0] if k == 1 and powers.get(a, 0) >= 1]
        if not shared:
            continue
        powers[root] = rational(e + 1)
        for atom, k in only[0]:
            powers[atom] = rational(powers.get(atom, 0) - k)
    return raw_product([raw_atom(a, e) for a, e in powers.items() if e])


__all__ = [
    "as_part",
    "bar_in_front",
    "bounded",
    "cancelled",
    "complement_as_written",
    "in_brackets",
    "less_one",
    "no_bar_above_a_bar",
    "of_a_function",
    "one_fraction",
    "one_over_sine",
    "output_at_its_letters",
    "output_in_front",
    "own_divisor",
    "rest_of_share",
    "rest_over_its_bar",
    "slope_of_tanh",
]
