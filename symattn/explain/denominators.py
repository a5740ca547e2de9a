"""What stands below a bar, or under a root, as the author has it there.

1 − q/s, and not s − q beside an s; √(Σ_a x_a²/d), and not √(Σ_a x_a²) beside √d.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from fractions import Fraction
from typing import NamedTuple

from .. import normalize as nf
from ..folding import match
from ..ir import (
    ONE_TERM,
    Atom,
    Call,
    Index,
    Poly,
    Rational,
    Ref,
    Sum,
    Term,
    inside,
    rational,
    raw_add,
    raw_atom,
    raw_product,
)
from ..model import Body
from .brackets import lettered
from .cost import cost, is_size
from .joined import opened

DEARER = 4  # what the author's denominator may cost more than another one


class Bar(NamedTuple):
    """A sum with fractions that the author divides by, which is `times` this `whole` one."""

    written: Poly
    whole: Poly
    times: Poly
    letters: tuple[Index, ...]


def own_bars(bodies: Iterable[Body]) -> list[Bar]:
    """The sums with fractions in them below the bars of these definitions."""
    found: dict[Poly, Bar] = {}
    for term in (n for b in bodies for n in inside(b.raw) if isinstance(n, Term)):
        for bar in (a for a, e in term if e < 0 and isinstance(a, Poly) and _fractions(a)):
            over, c = nf.power(nf.normalize(bar), -1).single or (Term({}), 1)
            wholes = [a for a, e in over if isinstance(a, Poly) and e == -1]
            if len(wholes) == 1 and len(over.powers) > 1:
                rest = {a: e for a, e in over if a is not wholes[0]}
                times = nf.power(nf.scale(nf.product(rest), c), -1)
                letters = tuple(sorted(wholes[0].free, key=lambda i: i.sort))
                found.setdefault(wholes[0], Bar(bar, wholes[0], times, letters))
    return list(found.values())


def _fractions(poly: Poly) -> bool:
    """1 − q/s and log(b/a)/k + 1/(h b) of names and functions, and not 1 + (r/c)²."""
    powers = [pair for t in poly.terms for pair in t]
    names = all(isinstance(a, Ref | Call) for a, _ in powers)
    return len(poly) > 1 and names and any(e < 0 for _, e in powers)


def bars_as_written(poly: Poly, own: Sequence[Bar]) -> Poly:
    """m S³/(S² + I (K + S))² as m S³/(I² (K + S + S²/I)²), where the author divides by that."""
    return raw_add(_as_written(t, c, own) for t, c in poly) if own else poly


def _as_written(term: Term, c: Rational, own: Sequence[Bar]) -> Poly:
    for atom, e in term:
        if not isinstance(atom, Poly) or e >= 0 or e.denominator != 1:
            continue
        normal = nf.normalize(atom)
        for bar in own:
            for sign in (1, -1):
                found = match(bar.whole, nf.scale(normal, sign), bar.letters)
                if found is None or not set(found) >= set(bar.letters):
                    continue
                rest = Poly({Term({a: k for a, k in term if a is not atom}): c})
                if len(normal) == 2:  # s − q, beside 1 − q/s
                    ((_, size),) = bar.times
                    back = raw_atom(Poly({t: -d for t, d in atom}), e)
                    turned = raw_product([nf.scale(rest, (-1) ** int(e)), back])
                    return turned if size * sign < 0 else Poly({term: c})
                times = nf.power(nf.scale(nf.substitute(bar.times, found), sign), -e)
                power = raw_atom(lettered(bar.written, found), e)
                whole = raw_product([rest, times, power])
                if whole.single and cost(whole) <= cost(Poly({term: c})) + DEARER:
                    return whole
    return Poly({term: rational(c)})


def numbers_in(poly: Poly) -> Poly:
    """½ (2 b + Σ_j g_j) as b + ½ Σ_j g_j, (1/(2 m)) (2 a − k/m) as (1/m) (a − k/(2 m)).

    Behind the number stands a bracket with a multiple of it in some terms, and in the others a Σ or
    a bar, which have a fraction in front as well.
    """
    return raw_add(_numbers_in(t, c) for t, c in poly)


def _numbers_in(term: Term, c: Rational) -> Poly:
    below = c.denominator
    brackets = [a for a, e in term if isinstance(a, Poly) and e == 1 and len(a) > 1]
    if below == 1 or len(brackets) != 1:
        return Poly({term: c})
    (bracket,) = brackets
    others = [t for t, d in bracket if d.denominator > 1 or d.numerator % below]
    if len(others) == len(bracket) or any(d.denominator > 1 for _, d in bracket):
        return Poly({term: c})
    if not all(any(isinstance(a, Sum) or e < 0 for a, e in t) for t in others):
        return Poly({term: c})
    inner = opened(Poly({t: rational(Fraction(d) / below) for t, d in bracket}))
    rest = Poly({Term({a: e for a, e in term if a is not bracket}): rational(c.numerator)})
    if rest.constant in (1, -1):
        return nf.scale(inner, rest.constant)
    return raw_product([rest, raw_atom(inner)])


def number_apart(poly: Poly, written: Callable[[Poly], bool]) -> Poly:
    """2 (λ c_j − q_j Σ_i e_ij) as 2 λ c_j − 2 q_j Σ_i e_ij: a fit and a penalty with its weight.

    And 2 (x_i − y_i + μ Σ_j d_ij) as 2 (x_i − y_i) + 2 μ Σ_j d_ij, where he has x_i − y_i.  But
    2 (Σ_j R_ij u_j + Σ_j B_ji z_j) stays, and so does 2 (λ x_i − y_i) with a name in it.
    """
    if poly.single is None:
        return poly
    term, c = poly.single
    ((bracket, e),) = term if len(term.powers) == 1 else ((None, 0),)
    if not isinstance(bracket, Poly) or (e, c.denominator) != (1, 1) or abs(c) == 1:
        return poly
    weighted = {any(isinstance(a, Ref) and not a.slots for a in t.powers) for t in bracket.terms}
    if len(weighted) < 2 or any(d.denominator != 1 or not t.free for t, d in bracket):
        return poly
    names = Poly({t: d for t, d in bracket if not _long(t)})
    left = Poly({t: d for t, d in bracket if t not in names.terms})
    if not names.terms:
        return nf.scale(bracket, c)
    if len(names) != 2 or not (written(names) or written(nf.scale(names, -1))):
        return poly
    return raw_add([raw_product([Poly({ONE_TERM: c}), raw_atom(names)]), nf.scale(left, c)])


def _long(term: Term) -> bool:
    """λ c_j, Σ_i x_i, or with a bracket, and no name by itself."""
    first = next(iter(term.powers), None)
    return len(term.powers) > 1 or isinstance(first, Sum | Poly)


def taken_in(poly: Poly) -> Poly:
    """r²/(c³ (1 + r²/c²)) as r²/(c (c² + r²)): a bracket takes in what is beside it below a bar.

    That too where c³ stands before the Σ of r²/(1 + r²/c²).
    """
    return raw_add(Poly({_with_its_bar(t): c}) for t, c in poly)


def _with_its_bar(term: Term) -> Term:
    for atom, e in term:
        made: dict[Atom, Rational] | None = None
        if isinstance(atom, Sum) and e == 1 and atom.body.single is not None:
            ((inner, c),) = atom.body
            for bracket, k in inner:
                rest = {a: x for a, x in term if a is not atom}
                found = _below_one_bar(bracket, k, [dict(inner), rest])
                if found is not None:
                    made = {**found[1], Sum(atom.bound, Poly({Term(found[0]): c})): rational(1)}
                    break
        elif (found := _below_one_bar(atom, e, [dict(term)])) is not None:
            (made,) = found
        if made is not None:
            return _with_its_bar(Term(made))
    return term


def _below_one_bar(
    bracket: Atom, e: Rational, beside: list[dict[Atom, Rational]]
) -> list[dict[Atom, Rational]] | None:
    """The factors once a bracket of two terms has taken in what it is divided by, if all is there.

    The bracket is in the first of the groups of factors `beside` it.
    """
    if not isinstance(bracket, Poly) or len(bracket) != 2 or e >= 0 or e.denominator != 1:
        return None
    over: dict[Atom, Rational] = {}
    for term, _ in bracket:
        for atom, k in term:
            if k < 0 and isinstance(atom, Ref):
                over[atom] = max(rational(-k), over.get(atom, rational(0)))
    left = [dict(group) for group in beside]
    del left[0][bracket]
    for atom, k in over.items():
        need = rational(-e * k)
        for group in left:
            taken = min(need, max(rational(0), rational(-group.get(atom, 0))))
            if taken:
                group[atom] = rational(group[atom] + taken)
                need = rational(need - taken)
        if need:
            return None
    whole = raw_add(raw_product([Poly({t: c}), Poly({Term(over): 1})]) for t, c in bracket)
    left[0][whole] = rational(left[0].get(whole, 0) + e)
    return [{a: k for a, k in group.items() if k} for group in left] if over else None


def no_bar_below_a_bar(poly: Poly) -> Poly:
    """1/(a (1/a + 1/b)) as b/(a + b), where that is shorter; but s²/n + u²/m stays."""
    return raw_add(_cleared(t, c) for t, c in poly)


def _cleared(term: Term, c: Rational) -> Poly:
    own = Poly({term: c})
    for bracket, e in term:
        if not isinstance(bracket, Poly) or e >= 0 or e.denominator != 1 or len(bracket) < 2:
            continue
        over: dict[Atom, Rational] = {}
        for inner, _ in bracket:
            for atom, k in inner:
                over[atom] = max(rational(-k), over.get(atom, rational(0)))
        if all(inner.powers and all(k < 0 for _, k in inner) for inner, _ in bracket):
            whole = nf.times(nf.normalize(bracket), over)
            rest = {a: k for a, k in term if a is not bracket}
            above = Poly({Term({a: rational(-k * e) for a, k in over.items()}): c})
            made = raw_product([Poly({Term(rest): 1}), above, raw_atom(whole, e)])
            if cost(made) < cost(own):
                return made
    return own


def deviation(poly: Poly) -> Poly:
    """y_i/m_i² − 1/m_i as (y_i − m_i)/m_i²: what is seen less what is predicted, over one bar."""
    pairs = [*poly] if len(poly) == 2 else []
    for (seen, c), (one, d) in (pairs, pairs[::-1]) if pairs else ():
        for name, e in one:
            below = seen.powers.get(name, rational(0))
            if c != -d or not isinstance(name, Ref) or not name.slots or e >= 0 or below != e - 1:
                continue
            rest = {a: k for a, k in one if a is not name}
            more = {a: k for a, k in seen if a is not name and rest.get(a) != k}
            ((other, k),) = more.items() if len(more) == 1 else ((None, 0),)
            once = len(seen.powers) == len(one.powers) + 1 and k == 1
            if once and isinstance(other, Ref) and other.slots == name.slots:
                sign = 1 if c > 0 else -1
                bracket = Poly({Term({other: 1}): sign, Term({name: 1}): -sign})
                front = Poly({Term({**rest, name: below}): rational(sign * c)})
                return raw_product([front, raw_atom(bracket)])
    return poly


def over_its_bar(poly: Poly, written: Callable[[Poly], bool]) -> Poly:
    """r/d − 1 as (r − d)/d, where the author has this difference or d − r.

    And v − x/t as −(x − v t)/t, where he has x − v t.
    """
    barred = [(t, c) for t, c in poly if any(e < 0 for _, e in t)]
    if len(poly) != 2 or len(barred) != 1:
        return poly
    below = {a: e for a, e in barred[0][0] if e < 0}
    if not all(isinstance(a, Ref) and e in (1, -1) for a, e in barred[0][0]) or len(below) > 1:
        return poly
    over = Term({a: rational(-e) for a, e in below.items()})
    bracket = raw_add(raw_product([Poly({t: c}), Poly({over: 1})]) for t, c in poly)
    back, front = nf.scale(bracket, -1), Poly({Term(below): rational(1)})
    if ONE_TERM not in poly.terms and written(back):
        return raw_product([nf.scale(front, -1), raw_atom(back)])
    own = written(bracket) or (ONE_TERM in poly.terms and written(back))
    return raw_product([front, raw_atom(bracket)]) if own else poly


def halves_out(poly: Poly) -> Poly:
    """√d ȳ − (1/√d) Σ_b ȳ_b as √d (ȳ − (1/d) Σ_b ȳ_b), so that means are left."""
    for length in {a: None for t, _ in poly for a, e in t if is_size(a)} if len(poly) > 1 else ():
        powers = [t.powers.get(length, 0) for t, _ in poly]
        if all(e and e.denominator == 2 for e in powers) and min(powers) < 0 < max(powers):
            front = Poly({Term({length: max(powers)}): 1})
            rest = Poly({Term(_less(t, length, max(powers))): c for t, c in poly})
            return raw_product([front, raw_atom(rest)])
    return poly


def _less(term: Term, length: Atom, power: Rational) -> dict[Atom, Rational]:
    left = {**term.powers, length: rational(term.powers[length] - power)}
    return {a: e for a, e in left.items() if e}


def roots_as_written(poly: Poly, lengths: frozenset[str]) -> Poly:
    """√d/√(Σ_a x_a²) as 1/√(Σ_a x_a²/d), where the author has such a mean under a root.

    √d before a Σ with the root in it too; `lengths` are the names of his d.
    """
    if not lengths:
        return poly
    return raw_add(Poly({_under_a_root(t, lengths): c}) for t, c in poly)


def _under_a_root(term: Term, lengths: frozenset[str]) -> Term:
    halves = [
        (a, e)
        for a, e in term
        if isinstance(a, Ref) and e.denominator == 2 and a.tensor.name in lengths
    ]
    whole: dict[Atom, Rational]
    for d, k in halves:
        rest = {a: e for a, e in term if a is not d}
        for total, e in rest.items():
            if not isinstance(total, Sum):
                continue
            if e.denominator == 2:
                whole = {Poly({Term({total: 1, d: -1}): rational(1)}): e, d: rational(k + e)}
            elif e == 1 and total.body.single is not None:
                ((inner, c),) = total.body
                made = _under_a_root(Term({**inner.powers, d: k}), lengths)
                if made.powers.get(d, rational(0)).denominator != 1:
                    continue
                whole = {Sum(total.bound, Poly({made: c})): rational(1)}
            else:
                continue
            left = {a: x for a, x in rest.items() if a is not total}
            return Term({a: x for a, x in {**left, **whole}.items() if x})
    return term


__all__ = [
    "Bar",
    "bars_as_written",
    "deviation",
    "halves_out",
    "no_bar_below_a_bar",
    "number_apart",
    "numbers_in",
    "over_its_bar",
    "own_bars",
    "roots_as_written",
    "taken_in",
]
