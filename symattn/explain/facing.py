"""Which way a bracket faces: c (y − x) for −c (x − y), (v − b)² where the author has it so."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from fractions import Fraction
from typing import Any, TypeGuard

from .. import primitives
from ..canonical import key
from ..ir import (
    ONE_TERM,
    Atom,
    Call,
    Poly,
    Rational,
    Ref,
    Sum,
    Term,
    collected,
    inside,
    rational,
    raw_add,
)
from .arrange import arranged
from .cost import cases_of
from .naming import GREEK


def deviations(node: Any) -> Any:
    """1 + β (U − E_i) as 1 − β (E_i − U): what is counted from a number stands first."""
    match node:
        case Poly():
            found: list[tuple[Term, Rational]] = []
            positive = sum(c > 0 for _, c in node)
            for term, c in node:
                term = deviations(term)
                back = next((a for a, e in term if e == 1 and _deviation(a)), None)
                if back is not None and c > 0 and positive > 1:
                    positive, c = positive - 1, -c
                    other = Poly({t: -d for t, d in back})
                    term = Term(collected((other if a is back else a, e) for a, e in term))
                found.append((term, c))
            return Poly(collected(found))
        case Term():
            return Term(
                collected((deviations(a) if isinstance(a, Poly) else a, e) for a, e in node)
            )
    return node


def _deviation(bracket: Any) -> bool:
    """U − E_i, with a name without indices first."""
    if not isinstance(bracket, Poly) or not _names_apart(bracket):
        return False
    first = {c: next(iter(t.powers)) for t, c in bracket}
    return not first[1].free and bool(first[-1].free)


def data_first(u: Poly) -> Poly:
    """x − μ for μ − x: of two names, the parameter is subtracted, θ_i − μ."""
    names = [next(iter(t.powers)) for t, _ in u if len(t.powers) == 1]
    if len(u) != 2 or len(names) != 2:
        return u
    greek = [isinstance(a, Ref) and a.tensor.name.split("_")[0] in GREEK for a in names]
    if len(set(greek)) == 1:
        greek = [isinstance(a, Ref) and not a.slots for a in names]
    positive = [c > 0 for _, c in u]
    return Poly({t: -c for t, c in u}) if greek == positive and len(set(greek)) == 2 else u


def facing(poly: Poly) -> Poly:
    """sin(μ − x_i) as −sin(x_i − μ), for an odd function of a number and a parameter."""
    return raw_add(_facing(t, c) for t, c in poly)


def _facing(term: Term, c: Rational) -> Poly:
    powers: dict[Atom, Rational] = {}
    for atom, e in term:
        if isinstance(atom, Sum):
            body, only = facing(atom.body), atom.body.single
            if only and e == 1 and body.single and body.single[1] != only[1]:
                body, c = Poly({t: -d for t, d in body}), rational(-c)
            atom = Sum(atom.bound, body)
        elif isinstance(atom, Poly):
            atom = facing(atom)
        elif _odd(atom) and e == 1 and _names_apart(atom.args[0]):
            turned = data_first(atom.args[0])
            c = rational(c if turned is atom.args[0] else -c)
            atom = Call(atom.name, [turned])
        powers[atom] = e
    return Poly({Term(powers): c})


def _odd(atom: Atom) -> TypeGuard[Call]:
    return isinstance(atom, Call) and primitives.by_name(atom.name).parity == -1


def as_written(
    poly: Poly,
    written: Callable[[Poly], bool],
    kept: frozenset[Poly] = frozenset(),
    scale: Callable[[Poly], Fraction] = lambda poly: Fraction(1),
) -> Poly:
    """−a/(1 − e^u) as a/(e^u − 1), and (b − v)² as (v − b)², where the author has it so.

    `scale` says how many times a bracket of the author's a bracket below a bar is.
    And (1 − n)/a² as −(n − 1)/a² where n − 1 is one of those `kept`; 2 (1/2 + a) as 1 + 2 a.
    """
    return raw_add(_as_written(t, c, written, kept, scale) for t, c in poly)


def _as_written(
    term: Term,
    c: Rational,
    written: Callable[[Poly], bool],
    kept: frozenset[Poly],
    scale: Callable[[Poly], Fraction],
) -> Poly:
    powers: list[tuple[Atom, Rational]] = []
    for atom, e in _into_brackets(term):
        if isinstance(atom, Sum):
            atom = Sum(atom.bound, as_written(atom.body, written, kept, scale))
        elif isinstance(atom, Poly):
            atom = as_written(atom, written, kept, scale)
            odd = e % 2 == 1
            size = scale(atom) if e < 0 and e.denominator == 1 else 1
            if size != 1:  # 4 (E − M)² + G² below a bar as (E − M)² + G²/4
                atom = Poly({t: rational(Fraction(d) / size) for t, d in atom})
                c = rational(Fraction(c) * Fraction(size) ** int(e))
            half = max(d.denominator for _, d in atom) if e == 1 else 1
            others = {d.denominator for t, d in atom if t is not ONE_TERM}
            whole = others <= {1} or {d.denominator for _, d in atom} == {half}
            if whole and c.denominator == 1 and c % half == 0:  # 2 (m/2 − 1/2) as m − 1
                atom = Poly({t: rational(d * half) for t, d in atom})
                c = rational(Fraction(c) / half)
            back = Poly({t: -d for t, d in atom})
            own = ONE_TERM in atom.terms and back in kept
            may = e.denominator == 1 and len(atom) > 1 and (c < 0 or e < 0 or not odd or own)
            if may and (own or written(back)) and not written(atom):
                atom, c = back, rational(-c if odd else c)
            elif not odd and e.denominator == 1 and _one_last(atom) and not written(atom):
                atom = back  # (1 − u)²
        powers.append((atom, e))
    return Poly({Term(collected(powers)): c})


def _into_brackets(term: Term) -> Term:
    """θ (d + 1/θ) as θ d + 1."""
    for bracket, e in term:
        if not isinstance(bracket, Poly) or e != 1:
            continue
        for name, k in term:
            over = [t.powers.get(name, 0) for t, _ in bracket] if name is not bracket else []
            if isinstance(name, Ref) and k >= 1 and -1 in over and min(over) == -1:
                inside = Poly({Term(collected([*t, (name, rational(1))])): c for t, c in bracket})
                rest = {a: (x - 1 if a is name else x) for a, x in term if a is not bracket}
                return _into_brackets(Term(collected([*rest.items(), (inside, rational(1))])))
    return term


def _one_last(bracket: Poly) -> bool:
    return len(bracket) == 2 and bracket.terms.get(ONE_TERM, 0) < 0


def turned(poly: Poly, kept: frozenset[Poly] = frozenset()) -> Poly:
    """−c (x − y) as c (y − x) for a difference of two names; brackets that are terms opened.

    a − (x + y) is a − x − y; but −(log p + 1) stays as it is, and so does −c (E − μ) where E − μ is
    one of those `kept`.  A difference with a sum in it is turned
    beside other terms: a − Σ_i x_i (y_i − Σ_b x_b w_b) as a + Σ_i x_i (Σ_b x_b w_b − y_i).
    """
    only = poly.single
    if only is not None:
        only = Term(collected((_predicted_in(a), e) for a, e in only[0])), only[1]
        poly = Poly(dict([only]))
    if only is None:
        poly = Poly(dict(_predicted(t, c) for t, c in poly))
        if all(c < 0 for _, c in poly):  # −2 (y − x) − z as 2 (x − y) − z
            lead = next((t for t, _ in arranged(poly) if _turned(t, kept)), None)
            turn = _turned(lead, kept) if lead else None
            poly = Poly(
                {turn if t is lead and turn else t: -c if t is lead else c for t, c in poly}
            )
    if only is None or only[1] > 0:
        return raw_add(_opened(t, c, alone=False) for t, c in poly)
    opened = _opened(*only)
    if opened.single is None:
        return opened
    inside = _turned(only[0], kept)
    return poly if inside is None else Poly({inside: -only[1]})


def _predicted_in(atom: Atom) -> Atom:
    """A bracket with its terms as they stand beside others."""
    if not isinstance(atom, Poly) or len(atom) < 2:
        return atom
    return Poly(dict(_predicted(t, c) for t, c in atom))


def _predicted(term: Term, c: Rational) -> tuple[Term, Rational]:
    """−c (y − Σ_a x_a w_a) as c (Σ_a x_a w_a − y): what is predicted stands before what is seen."""
    inside = _turned(term, frozenset(), sums=True) if c < 0 else None
    return (term, c) if inside is None else (inside, -c)


def _opened(term: Term, c: Rational, alone: bool = True) -> Poly:
    """−(x + y) as −x − y, a bracket with an indicator in it and 1 − y as they stand.

    And 1 + log y, where it is not beside other terms.
    """
    bracket = next(iter(term.powers), None)
    if not isinstance(bracket, Poly) or term.powers != {bracket: 1} or c not in (1, -1):
        return Poly({term: c})
    if cases_of(bracket) is not None:
        return Poly({term: c})
    if ONE_TERM in bracket.terms and (
        any(d < 0 for _, d in bracket) or (alone and any(map(_logarithm, bracket.terms)))
    ):
        return Poly({term: c})
    return Poly({t: rational(c * d) for t, d in bracket})


def _logarithm(term: Term) -> bool:
    ((atom, e), *more) = term.powers.items() or ((None, 0),)
    return isinstance(atom, Call) and (atom.name, e, more) == ("log", 1, [])


def _turned(
    term: Term, kept: frozenset[Poly], sums: bool = False, odd: bool = False
) -> Term | None:
    """The factor with a difference in it turned round; with `sums` only one that has a sum.

    With `odd` only the argument of an odd function.  Both differences of Σ_ab u_a A_ab u_b face
    one way, and so do those of (s − t) (1 − tanh²((s − t)/c)).
    """
    if not kept.isdisjoint(term.powers):
        return None
    kinds = Counter(_names_in(a) for a in term.powers)
    for atom, e in sorted(term, key=lambda pair: key(pair[0])):
        names = _names_in(atom)
        if e != 1 or (names and (kinds[names] > 1 or _argument_too(atom, term))):
            continue
        back = _back(atom, kept, sums) if not odd or _odd(atom) else None
        if back is not None:
            return Term(collected((back if a is atom else a, k) for a, k in term))
        if isinstance(atom, Sum) and atom.body.single is not None:
            inside, c = atom.body.single
            made = _turned(inside, kept, sums, odd)
            if made is not None:
                total = Sum(atom.bound, Poly({made: c}))
                return Term(collected((total if a is atom else a, k) for a, k in term))
    return None


def _argument_too(bracket: Any, term: Term) -> bool:
    """A function has the difference, over or times something, as its argument."""
    calls = (n for n in inside(term) if isinstance(n, Call) and n.name != "exp")
    arguments = (u.single for call in calls for u in call.args)
    factors = (pair for only in arguments if only is not None for pair in only[0])
    return any(e == 1 and _names_in(a) == _names_in(bracket) for a, e in factors)


def _names_in(bracket: Atom) -> frozenset[tuple[Any, Rational]]:
    """The names of which a bracket is a sum, with their coefficients; nothing of another factor."""
    if not isinstance(bracket, Poly) or not all(len(t.powers) == 1 for t in bracket.terms):
        return frozenset()
    names = (next(iter(t.powers)) for t in bracket.terms)
    signs = zip(names, (c for _, c in bracket), strict=True)
    return frozenset((a.tensor, c) for a, c in signs if isinstance(a, Ref))


def _back(atom: Atom, kept: frozenset[Poly], sums: bool) -> Atom | None:
    """y − x of x − y, and sign(y − x) of sign(x − y), as for any odd function.

    And log(b/a) of log(a/b), a sign(y − x) − b of a sign(x − y) + b, z − x + s (h − x) of
    x − z + s (x − h).
    """
    if isinstance(atom, Poly) and (_with_a_sum(atom) if sums else _names_apart(atom)):
        return Poly({t: -c for t, c in atom})
    if isinstance(atom, Poly) and len(atom) == 3 and sum(c < 0 for _, c in atom) == 1:
        terms = [(t, _turned(t, kept) if c > 0 else None, c) for t, c in atom]
        if sum(made is not None for _, made, _ in terms) == 1:
            return Poly({made or t: c if made else -c for t, made, c in terms})
    if isinstance(atom, Poly) and len(atom) > 1 and all(c > 0 for _, c in atom):
        turns = ((t, _turned(t, kept, sums, odd=True)) for t, _ in atom)
        for term, made in turns:
            if made is not None:
                return Poly({made if t is term else t: c if t is term else -c for t, c in atom})
    if isinstance(atom, Call) and atom.name == "log" and not sums:
        only = atom.args[0].single
        if only is None or only[1] != 1 or len({e > 0 for _, e in only[0]}) < 2:
            return None
        return Call("log", [Poly({Term({a: -e for a, e in only[0]}): 1})])
    if _odd(atom) and _names_apart(atom.args[0]):
        back = Poly({t: -c for t, c in atom.args[0]})
        return Call(atom.name, [back]) if data_first(back) is back else None
    return None


def _names_apart(bracket: Poly) -> bool:
    """A difference of two names."""
    return _apart(bracket, Ref)


def _with_a_sum(bracket: Poly) -> bool:
    """A name from which a sum is taken, y − Σ_a x_a w_a."""
    return _apart(bracket, Ref | Sum) and any(
        isinstance(a, Sum) for t, c in bracket if c < 0 for a, _ in t
    )


def _apart(bracket: Poly, kinds: Any) -> bool:
    """A difference of two factors of these kinds."""
    plain = all(len(t.powers) == 1 and isinstance(next(iter(t.powers)), kinds) for t, _ in bracket)
    return plain and sorted(c for _, c in bracket) == [-1, 1]
