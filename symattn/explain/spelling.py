"""What is spelled otherwise than it stands: 1 − [u ≥ 0], i − 1, √(2π)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from fractions import Fraction
from math import prod

import sympy as sp

from .. import normalize as nf
from ..ir import (
    ONE_TERM,
    Atom,
    Call,
    Num,
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
)
from .arrange import constant
from .author import Pairs
from .cost import only_name, powers_of

_HALF = rational(sp.Rational(1, 2))


def complemented(poly: Poly) -> Poly:
    """f − f step(u) as f (1 − step(u))."""
    terms = dict(poly.terms)
    for term, c in list(terms.items()):
        for atom, e in term:
            rest = Term({a: k for a, k in term if a is not atom})
            step = isinstance(atom, Call) and atom.name == "step" and e == 1
            if step and term in terms and terms.get(rest, 0) == -c:
                del terms[term], terms[rest]
                gate = Poly({ONE_TERM: 1, Term({atom: 1}): -1})
                terms[Term({**rest.powers, gate: 1})] = -c
                break
    return Poly(terms)


def counted(poly: Poly, origin: int) -> Poly:
    """The numbers of indices as the author counts: i − 1 where ours is i, m i − m of m (i − 1)."""
    parts = []
    for term, c in poly:
        term, c = _merged(term, c, origin)
        found = [(a, e) for a, e in term if isinstance(a, Ref) and a.tensor.role == "place"]
        rest = Term({a: e for a, e in term if (a, e) not in found})
        made = Poly({rest: c})
        for atom, e in found:
            own = Ref(Tensor(atom.tensor.name, atom.tensor.shape, role="counted"), atom.slots)
            gap = Poly({Term({own: 1}): 1, ONE_TERM: -origin})
            if e == 1:
                made = raw_add(
                    Poly({Term(collected([*t, *u])): d * f}) for t, d in made for u, f in gap
                )
            else:
                made = Poly({Term(collected([*t, (gap, e)])): d for t, d in made})
        parts.append(made)
    return raw_add(parts)


def _merged(term: Term, c: Rational, origin: int) -> tuple[Term, Rational]:
    """θ (i + 1) as θ i where that is one product as the author counts."""
    for atom, e in term:
        only = counted(atom, origin).single if isinstance(atom, Poly) and e == 1 else None
        if only is not None:
            inside, d = only
            rest = [(a, k) for a, k in term if a is not atom]
            return Term(collected([*rest, *inside])), rational(c * d)
    return term, c


def over_a_number(poly: Poly) -> tuple[Poly, int]:
    """p − q and 2 of p/2 − q/2; 1 of sums, of what has other bars, or no one number below all."""
    k = max((c.denominator for _, c in poly), default=1)
    plain = all(e > 0 and not isinstance(a, Sum) for t, _ in poly for a, e in t)
    one = len(poly) > 1 and all(c.denominator == k for _, c in poly)
    if not (plain and one and any(c > 0 for _, c in poly)):
        return poly, 1
    return Poly({t: c.numerator for t, c in poly}), k


def of_powers(term: Term, pairs: Pairs) -> Term:
    """s⁶/r⁷ as (s/r)⁶/r, K²L² as (K L)², v^{b−1}/c^b as (v/c)^{b−1}/c, of pairs of the author.

    And s^{5/3}/r^{8/3} as (s/r)^{5/3}/r, a²J²/m² as (a J/m)².
    """
    powers = dict(term.powers)
    for several in (p for p in pairs if len(p) > 2):
        powers = _of_several(powers, several)
    for pair in (p for p in pairs if len(p) == 2):
        (top, _), (bottom, sign) = sorted(pair, key=lambda side: (-side[1], side[0]))
        above, below = ([a for a in powers if _called(a, n)] for n in (top, bottom))
        for a, b in zip(above, below, strict=False):
            e, f = powers[a], rational(sign * powers[b])
            k: Rational = e if e == f else rational(0)
            if sign < 0 and e != f:
                k = e if e < f else f
            whole = k.denominator == 1 and k * k > 1
            third = k.denominator > 2 and (f - k).denominator == 1 and (e - k).denominator == 1
            if (whole or third) and (sign > 0 or k > 0):
                powers[a], powers[b] = rational(e - k), rational(sign * (f - k))
                powers[Poly({Term({a: 1, b: sign}): 1})] = k
        powers = dict(_of_power(Term({a: e for a, e in powers.items() if e}), top, bottom, sign))
    return Term(powers)


def _of_several(
    powers: dict[Atom, Rational], names: frozenset[tuple[str, int]]
) -> dict[Atom, Rational]:
    """a³J²/m² as a (a J/m)²."""
    found = {a: sign for n, sign in names for a in powers if _called(a, n)}
    over = {a: rational(sign * powers[a]) for a, sign in found.items()}
    k = min((e for e in over.values() if e.denominator == 1), default=rational(0))
    if len(found) < len(names) or k < 2 or any(e.denominator != 1 for e in over.values()):
        return powers
    left = {a: rational(e - k * found.get(a, 0)) for a, e in powers.items()}
    return {**{a: e for a, e in left.items() if e}, Poly({Term(found): 1}): k}


def _of_power(term: Term, top: str, bottom: str, sign: int) -> Term:
    """v^{b−1} c^{−b} as (v/c)^{b−1}/c, where the exponents are no numbers."""
    for call, pairs in _raised(term):
        found = {only: k for only, k in ((only_name(base), k) for base, k in pairs)}
        one, other = ([a for a in found if _called(a, n)] for n in (top, bottom))
        if len(one) != 1 or len(other) != 1:
            continue
        (a,), (b,) = one, other
        left = raw_add([found[b], nf.scale(found[a], -sign)]).constant
        if left is None or left.denominator != 1:
            continue
        whole = Poly({Term({a: 1, b: sign}): 1})
        kept = [(base, k) for base, k in pairs if only_name(base) not in (a, b)]
        rest = [(x, e) for x, e in term if x is not call]
        return Term(collected([*rest, (_exponential([*kept, (whole, found[a])]), 1), (b, left)]))
    return term


def under_a_bar(term: Term) -> Term:
    """N^{−a−1} as 1/N^{a+1}, as an author has it who writes no such exponents."""
    powers = list(term)
    for call, pairs in _raised(term):
        below = [(base, k) for base, k in pairs if all(c < 0 for _, c in k)]
        above = [pair for pair in pairs if pair not in below]
        powers.remove((call, 1))
        powers += [(_exponential(above), 1)] if above else []
        turned = (Poly({t: -c for t, c in k}) for _, k in below)
        powers += [(_exponential([(b, k)]), -1) for (b, _), k in zip(below, turned, strict=True)]
    return Term(collected(powers))


def _raised(term: Term) -> Iterator[tuple[Call, list[tuple[Poly, Poly]]]]:
    """The powers with exponents that are no numbers."""
    for atom, e in term:
        pairs = powers_of(atom.args[0]) if isinstance(atom, Call) and atom.name == "exp" else None
        if pairs is not None and e == 1:
            yield atom, pairs  # type: ignore[misc]


def _exponential(pairs: Iterable[tuple[Poly, Poly]]) -> Call:
    logs = (nf.multiply(raw_atom(Call("log", [base])), k) for base, k in pairs)
    return Call("exp", [raw_add(logs)])


def of_roots(term: Term, roots: Pairs) -> Term:
    """√K/√m as √(K/m), √2 √g √h as √(2 g h), where the author has them under one root.

    And √K/m^{3/2} as 1/m √(K/m).
    """
    powers = dict(term.powers)
    for root in roots:
        halves = [a for a, e in powers.items() if e.denominator == 2]
        named = {n: [a for a in halves if _called(a, n)] for n, _ in root}
        found: dict[Atom, int] = {named[n][0]: k for n, k in root if len(named[n]) == 1}
        if len(found) < len(root):
            found = {a: k for a, k in found.items() if abs(powers[a]) == _HALF}
        if len(found) < 2 or not any(isinstance(a, Ref) and not constant(a) for a in found):
            continue
        signs = {a: 1 if powers[a] > 0 else -1 for a in found}
        below = all(s < 0 for s in signs.values()) or all(signs[a] != k for a, k in found.items())
        half = -_HALF if below else _HALF
        for a, sign in signs.items():
            powers[a] = rational(powers[a] - sign * _HALF)
        inside = {a: -s if below else s for a, s in signs.items()}
        c = prod(Fraction(a.prime) ** k for a, k in inside.items() if isinstance(a, Num))
        names = Term({a: k for a, k in inside.items() if not isinstance(a, Num)})
        powers = {a: e for a, e in powers.items() if e}
        powers[Poly({names: rational(c)})] = half
    return Term(powers)


def of_norms(term: Term, norms: frozenset[str]) -> Term:
    """(Σ_i x_i²)^k as ‖x‖^{2 k}, where the author has the norm of x."""
    powers: dict[Atom, Rational] = {}
    for atom, e in term:
        only = atom.body.single if norms and isinstance(atom, Sum) else None
        ((x, k),) = only[0] if only and only[1] == 1 and len(only[0].powers) == 1 else ((None, 0),)
        if isinstance(x, Ref) and k == 2 and x.slots == atom.bound and x.tensor.name in norms:  # type: ignore[union-attr]
            atom, e = Ref(Tensor(x.tensor.name, (), role="norm"), ()), rational(2 * e)
        powers[atom] = e
    return Term(powers)


def of_base(term: Term) -> Term:
    """(a h)^n/h as a (a h)^{n−1}, of a base that is a product of names."""
    for call, pairs in _raised(term):
        for k, (base, exponent) in enumerate(pairs):
            only = base.single
            if only is None or only[1] != 1 or len(only[0].powers) < 2:
                continue
            if any(e != 1 for _, e in only[0]) or all(term.powers.get(a) != -1 for a, _ in only[0]):
                continue
            less = raw_add([exponent, Poly({ONE_TERM: -1})])
            made = _exponential([*pairs[:k], (base, less), *pairs[k + 1 :]])
            return Term(collected([*(x for x in term if x[0] is not call), *only[0], (made, 1)]))
    return term


def _called(atom: Atom, name: str) -> bool:
    if isinstance(atom, Num):
        return str(atom.prime) == name
    return isinstance(atom, Ref) and atom.tensor.name == name and not atom.tensor.role


def one_root(term: Term, c: Rational) -> tuple[Term, Rational]:
    r"""Numbers under one root: \sqrt2 / (2 \sqrt\pi) as 1/\sqrt{2 \pi}."""
    powers = dict(term.powers)
    for atom, e in term:
        n = atom.prime if isinstance(atom, Num) else getattr(atom, "constant", None)  # 2 as written
        if n and e == _HALF and n.denominator == 1 and n > 1 and c.denominator % n == 0:
            root = Num(n) if sp.isprime(n) else atom
            del powers[atom]
            powers[root], c = rational(powers.get(root, 0) - _HALF), rational(c * n)
    roots: dict[Atom, Rational] = {
        a: e for a, e in powers.items() if abs(e) == _HALF and _number(a)
    }
    if {e > 0 for e in roots.values()} == {True, False}:  # \sqrt{\frac{2}{\pi}}
        inside: dict[Atom, Rational] = {
            a: 2 * e for a, e in roots.items() if not isinstance(a, Num)
        }
        d = prod(Fraction(a.prime) ** int(2 * e) for a, e in roots.items() if isinstance(a, Num))
        powers = {a: e for a, e in powers.items() if a not in roots}
        powers[Poly({Term(inside): rational(Fraction(d))})] = _HALF
    return Term(powers), c


def under_one_root(parts: list[tuple[Atom, Rational]]) -> list[tuple[Atom, Rational]]:
    r"""The roots of numbers and constants as one: \sqrt{2 \pi}."""
    roots = [a for a, e in parts if e == _HALF and _number(a)]
    if len(roots) < 2:
        return parts
    c = 1
    rest: dict[Atom, Rational] = {}
    for atom in roots:
        if isinstance(atom, Num):
            c *= atom.prime
        else:
            rest[atom] = 1
    whole: Atom = Poly({Term(rest): c})
    left = [pair for pair in parts if pair[0] not in roots]
    return [(whole, _HALF), *left]


def _number(atom: Atom) -> bool:
    """A prime, π or e."""
    return isinstance(atom, Num) or constant(atom)
