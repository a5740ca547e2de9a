"""What an expression costs a reader: the measure by which a form of a result is chosen.

The cost counts what is printed:

    a name 2 (a scalar or a number under a root 1), an inverse 3, a δ or a mask 2, the length of an
    axis to which the author gave no name 4
    a function 2 and its argument, a maximum too, and one for every letter below it
    a sum 2 and one for every further letter below it, and its body
    a bracket 1 and what stands in it, an exponent 2, one over 2 costs 3, a root 2, a fraction 1
    every term after the first 1, a coefficient other than 1 one, a fraction two
    a sign in front 1, and 3 where every term of several has one

Names are cheaper than what they stand for, so definitions are recognised; brackets cost less than
what is repeated without them, so common factors come out.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from typing import Any, TypeGuard

from ..ir import (
    CACHE,
    ONE_TERM,
    ZERO,
    Argmax,
    Atom,
    Call,
    Delta,
    Mask,
    Max,
    Num,
    Poly,
    Rational,
    Ref,
    Sum,
    Term,
    magnitude,
    rational,
    raw_add,
)
from .notation import position

LONG = 12  # a number above that is no coefficient that one expects


def complement(poly: Poly) -> Poly | None:
    """u where the sum is 1 − step(u) = [u < 0], None for anything else."""
    if len(poly) != 2 or poly.terms.get(ONE_TERM) != 1:
        return None
    ((term, c),) = ((t, c) for t, c in poly if t is not ONE_TERM)
    ((atom, e),) = term if len(term.powers) == 1 else ((None, 0),)
    return atom.args[0] if isinstance(atom, Call) and (atom.name, e, c) == ("step", 1, -1) else None


def powers_of(argument: Poly) -> list[tuple[Poly, Poly]] | None:
    """(γ, i − j) of the exponent log(γ) i − log(γ) j: e to it is γ^{i − j}; None for others."""
    found: dict[Poly, dict[Term, Rational]] = {}
    for term, c in argument:
        logs = [a for a, e in term if isinstance(a, Call) and a.name == "log" and e == 1]
        if len(logs) != 1:
            return None
        rest = Term({a: e for a, e in term if a is not logs[0]})
        found.setdefault(logs[0].args[0], {})[rest] = c
    return [(base, Poly(terms)) for base, terms in found.items()] or None


def _powers_apart(term: Term) -> Term:
    """e^{k log x − u} as x^k e^{−u}."""
    powers = dict(term.powers)
    for atom, e in term:
        if isinstance(atom, Call) and atom.name == "exp" and e == 1:
            logs = {t: c for t, c in atom.args[0] if powers_of(Poly({t: c})) is not None}
            if 0 < len(logs) < len(atom.args[0]):
                del powers[atom]
                rest = {t: c for t, c in atom.args[0] if t not in logs}
                for made in (Call("exp", [Poly(logs)]), Call("exp", [Poly(rest)])):
                    powers[made] = rational(powers.get(made, 0) + 1)
    return Term(powers)


def _under_sum(term: Term) -> Term:
    """Σ_i c_i x^{−i} / x as Σ_i (c_i x^{−i} / x), where the powers of x are one."""
    for total, e in term:
        if not isinstance(total, Sum) or e != 1 or total.body.single is None:
            continue
        inner, c = total.body.single
        for exp in (a for a, _ in inner if isinstance(a, Call) and a.name == "exp"):
            for base, _ in powers_of(exp.args[0]) or []:
                name = only_name(base)
                if name in term.powers and name.free.isdisjoint(total.bound):
                    left = {a: k for a, k in term if a is not total and a is not name}
                    k = rational(inner.powers.get(name, 0) + term.powers[name])
                    body = Poly({Term({**inner.powers, name: k}): c})
                    return Term({**left, Sum(total.bound, body): 1})
    return term


def one_power(term: Term) -> Term:
    """x^ρ / x as x^{ρ − 1}, also where x^ρ stands in an exponent, e^{ρ log x − u}, or in a sum."""
    term = _under_sum(_powers_apart(term))
    for atom, e in term:
        if not isinstance(atom, Call) or atom.name != "exp" or e != 1:
            continue
        for base, _ in powers_of(atom.args[0]) or []:
            only = base.single
            name = next(iter(only[0].powers), base) if only else base
            k, log = term.powers.get(name, 0), Term({Call("log", [base]): 1})
            plain = only is None or (only[1] == 1 and only[0].powers == {name: 1})
            if not k or k.denominator != 1 or not plain or log in atom.args[0].terms:
                continue
            left = {a: n for a, n in term if a not in (atom, name)}
            whole = Call("exp", [raw_add([atom.args[0], Poly({log: k})])])
            return one_power(Term({**left, whole: 1}))
    return term


def smallest(term: Term, c: Rational, minima: bool = False) -> tuple[Atom, Atom] | None:
    """max(0, −u) and min(0, u) in −max(0, −u) = min(0, u), None where that is no factor.

    And −max(−u, −v) = min(u, v) of names u and v, under a sum too; where the author writes minima
    with a plus, too: 1 − min(u, v).
    """
    for atom, e in term:
        turned = minima and isinstance(atom, Max) and ZERO not in atom.args
        if e != 1 or (c >= 0 and not turned):
            continue
        if isinstance(atom, Max) and not atom.bound:
            zero, *others = sorted(atom.args, key=len)
            if zero.terms:
                others = [zero, *others]
            if all(u.single is not None and u.single[1] < 0 for u in others):
                args = [Poly({t: -d for t, d in u}) for u in others]
                if zero.terms or len(others) == 1:
                    return atom, Call("min", args if zero.terms else [zero, *args])
        elif isinstance(atom, Sum) and (only := atom.body.single) is not None and only[1] > 0:
            found = smallest(only[0], -1)
            largest = found[0] if found else atom
            least = not isinstance(largest, Sum) and ZERO in getattr(largest, "args", ())
            if found and (minima or not least):
                inside = {found[1] if a is found[0] else a: k for a, k in only[0]}
                return atom, Sum(atom.bound, Poly({Term(inside): only[1]}))
    return None


def cases_of(poly: Poly) -> tuple[Poly, Poly, Poly] | None:
    """f, u, g where the sum is f [u < 0] + g [u ≥ 0], None for anything else."""
    if len(poly) != 2:
        return None
    found: dict[bool, tuple[Poly, Poly]] = {}
    for term, c in poly:
        for atom, e in term:
            u = complement(atom) if isinstance(atom, Poly) else None
            own = isinstance(atom, Call) and atom.name == "step"
            if (u is None and not own) or e != 1:
                continue
            rest = Term({a: k for a, k in term if a is not atom})
            only = next(iter(rest.powers)) if len(rest.powers) == 1 and c == 1 else None
            whole = isinstance(only, Poly) and rest.powers[only] == 1
            value = only if whole and isinstance(only, Poly) else Poly({rest: c})
            found[own] = (value, atom.args[0] if isinstance(atom, Call) else u or poly)
    if len(found) < 2 or found[False][1] is not found[True][1]:
        return None
    return found[False][0], found[True][1], found[True][0]


@lru_cache(maxsize=CACHE)
def cost(node: Any) -> int:
    """The cost of an expression, raw or normal."""
    match node:
        case Ref():
            bracket = 3 if node.tensor.role == "stand-in" else 0
            inverse = node.tensor.role == "inverse"
            return (2 if node.slots else 1) + inverse + bracket + 3 * unnamed(node)
        case Delta() | Mask():
            return 2
        case Num():
            return 1
        case Call(name="exp") if (powers := powers_of(node.args[0])) is not None:
            return sum(cost(base) + 1 + cost(exponent) for base, exponent in powers)
        case Call():
            return 2 + sum(map(cost, node.args))
        case Sum() if position(node):
            return 1
        case Sum():
            return 1 + len(node.bound) + cost(node.body)
        case Max() | Argmax():
            inside = node.args if isinstance(node, Max) else (node.body,)
            inside = tuple(p for p in inside if p.terms)
            return 2 + len(node.bound) + sum(map(cost, inside))
        case Term():
            node = one_power(node)
            bar = any(e < 0 for _, e in node)
            twice = _divided_twice(node)
            above = {e for _, e in node if e > 1} if bar else ()
            alike = sum(-e in above for _, e in node)  # r²/c² is read as the square of r/c
            return bar + sum(_power(a, e) for a, e in node) + twice - alike
        case Poly() if (found := cases_of(node)) is not None:
            return sum(map(cost, found)) + 3
        case Poly():
            if not node.terms:
                return 1
            terms = sum(cost(t) + _coefficient(c, t) for t, c in node)
            terms -= 3 * sum(smallest(t, c) is not None for t, c in node)
            lead = (1 if len(node.terms) == 1 or _turns(node) else 3) * (
                not any(c > 0 for _, c in node)
            )
            return terms + len(node.terms) - 1 + lead + 4 * _square_apart(node)
    raise AssertionError(node)


def _square_apart(poly: Poly) -> bool:
    """1 − u (u + v) of a function u, which is read as 1 − u² − u v; a − u (a u + v) too."""

    def apart(term: Term) -> bool:
        whole = [a for a, e in term if isinstance(a, Poly) and e == 1]
        calls = [a for a, e in term if isinstance(a, Call) and e == 1]
        fronts = [t for t in poly.terms if t is not term] if whole and calls else []
        times = (Term({**f.powers, u: 1}) for u in calls for f in fronts if u not in f.powers)
        return any(u in bracket.terms for u in times for bracket in whole)

    return len(poly) > 1 and any(apart(t) for t, _ in poly)


def _turns(poly: Poly) -> bool:
    """A difference that the author wrote is a factor, which is turned round."""
    own = (a for t, _ in poly for a, e in t if isinstance(a, Ref) and e == 1)
    return any(a.tensor.role == "stand-in" for a in own)


def _power(atom: Any, e: Rational) -> int:
    e = magnitude(e)
    if isinstance(atom, Poly) and e == 1 and (u := complement(atom)) is not None:
        return 2 + cost(u)
    root = 0 if isinstance(e, int) else 2
    exponent = min(int(e), 3) if e > 1 and not root else 0
    return cost(atom) + root + exponent + (_bracket(atom) if isinstance(atom, Poly) else 0)


def _bracket(poly: Poly) -> int:
    """1; nothing for 1 − s and 1 + log s, which are read as one, 2 more for x/s − 1 behind 1/s."""
    one = poly.terms.get(ONE_TERM)
    others = [t for t in poly.terms if t.powers]
    if len(poly) == 2 and one in (1, -1) and poly.terms[others[0]] == -one:
        ((atom, e), *more) = others[0]
        if isinstance(atom, Call) and (atom.name, e, more) == ("sigmoid", 1, []):
            return -1  # σ(−u)
    if one == 1 and len(poly) == 2 and poly.terms[others[0]] == 1:
        ((atom, e), *more) = others[0]
        return 1 - (isinstance(atom, Call) and (atom.name, e, more) == ("log", 1, []))
    if one == 1 and len(poly) == 2 and poly.terms[others[0]] in (-1, -2):
        return 1 - all(isinstance(a, Ref) and e == 1 for a, e in others[0])
    return 1


def _divided_twice(term: Term) -> int:
    """1/s (x/s − 1), for which people write x/s² − 1/s; (1 − p)^γ (1/p − γ/(1 − p)) too.

    And 1/x (p − q x^p), for which they write p/x − q x^{p − 1}; 1/(a + b) (c/(a + d) − 1).
    But u_t/v_t (r_t/v_t − 1) of a row of numbers u_t.  And |u|^b/u, which is |u|^{b − 1} sign u.
    """
    sizes = [only_name(base) for base, _ in _powers_in(term)]
    under = {a for a, e in term if e < 0} if sizes else ()
    if any(isinstance(a, Call) and a.name == "abs" and a.args[0] in under for a in sizes):
        return 4
    if any(isinstance(a, Ref) and a.slots and e > 0 for a, e in term):
        return 0
    for bracket, e in term:
        terms = bracket.terms if isinstance(bracket, Poly) and e == 1 else ()
        if any(k < 0 and a in _bases(terms) for a, k in term):
            return 4
        under = {a for t in terms for a, k in t if k < 0}
        if not under:
            continue
        if any(map(_is_sum, under)) and any(k < 0 and _is_sum(a) for a, k in term):
            return 4
        twice = any(k < 0 and a in under for a, k in term) and any(map(_scalars, terms))
        if twice or any(only_name(base) in under for base, _ in _powers_in(term)):
            return 4
    return 0


def _is_sum(atom: Atom) -> bool:
    """a + b of names."""
    if not isinstance(atom, Poly) or len(atom) < 2:
        return False
    return all(isinstance(a, Ref) for t in atom.terms for a in t.powers)


def _bases(terms: Iterable[Term]) -> set[Atom]:
    """x of x^p, in a term or another."""
    return {only_name(base) for t in terms for base, _ in _powers_in(t)}


def _powers_in(term: Term) -> list[tuple[Poly, Poly]]:
    """The powers with exponents that are no numbers: (base, exponent)."""
    exps = [a.args[0] for a, e in term if isinstance(a, Call) and a.name == "exp" and e == 1]
    return [pair for x in exps for pair in powers_of(x) or []]


def only_name(base: Poly) -> Atom:
    """x of a base that is a name, a bracket as it is."""
    only = base.single
    return next(iter(only[0].powers)) if only and len(only[0].powers) == 1 else base


def is_size(node: Any) -> TypeGuard[Ref]:
    """True for n, the number of values along an axis."""
    symbol = node.tensor.symbol if isinstance(node, Ref) else None
    return bool(symbol is not None and symbol.is_integer and symbol.is_positive)


def unnamed(node: Any) -> TypeGuard[Ref]:
    """True for n_i, the length of an axis to which the author gave no name."""
    return is_size(node) and node.tensor.name.startswith("n_")


def _scalars(term: Term) -> bool:
    """A product of scalars and nothing below a bar."""
    return all(isinstance(a, Ref) and not a.slots and e > 0 for a, e in term)


def _coefficient(c: Rational, term: Term) -> int:
    c = magnitude(c)
    if not term.powers:
        return 1 + (c.denominator != 1)
    long = c.numerator > LONG
    if any(e < 0 for _, e in term):
        return (c.numerator != 1) + (c.denominator != 1) + long  # 1/(2 x) has one bar
    return (c != 1) + (c.denominator != 1) + long
