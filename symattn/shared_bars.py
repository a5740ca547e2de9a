"""Sums over one denominator u = x + y: Σ x/u + Σ y/u = Σ 1, and Σ 1/u − Σ x/u² = Σ y/u²."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import lru_cache
from typing import Any, NamedTuple, TypeGuard

from . import normalize as nf
from . import sums
from .ir import ONE_TERM, ZERO, Index, Poly, Ref, Sum, Tensor, Term, fresh_indices, refs
from .logistic import together


class Shared(NamedTuple):
    """c Σ_x f_x for every c and f of the `bodies`, each times `rest`; their sum, and Σ of it."""

    rest: Term
    letter: Index
    terms: Poly
    bodies: list[tuple[Poly, Poly]]
    body: Poly
    together: Poly


def sums_joined(poly: Poly) -> Poly:
    """sums over one denominator together, where that is shorter."""
    while found := shared(poly):
        value = nf.multiply(Poly({found.rest: 1}), found.together)
        poly = nf.add(nf.subtract(poly, found.terms), value)
    return poly


def shared(poly: Poly) -> Shared | None:
    """Sums of which fewer are left where they are added under one Σ."""
    groups: dict[tuple[Term, Index], list[tuple[Term, Poly, Poly]]] = {}
    letters: dict[object, Index] = {}
    for term, c in poly:
        for atom, rest in _sums(term):
            (bound,), body = sums.opened(atom, poly.free)
            letter = letters.setdefault(bound.size, fresh_indices([bound.size], poly.free)[0])
            row = term, Poly({ONE_TERM: c}), nf.substitute(body, {bound: letter})
            groups.setdefault((rest, letter), []).append(row)
    for (rest, letter), rows in [*groups.items()]:  # μ Σ 1/u + Σ x/u
        if rest is not ONE_TERM:
            beside = [(t, nf.multiply(c, Poly({rest: 1})), body) for t, c, body in rows]
            groups.setdefault((ONE_TERM, letter), []).extend(beside)
    for (rest, letter), rows in groups.items():
        for bar in dict.fromkeys(bar for *_, body in rows for bar in _bars(body)):
            own = {t: (c, body) for t, c, body in rows if bar in _bars(body)}
            bodies = [*own.values()]
            whole = _over(bar, [nf.multiply(c, f) for c, f in bodies])
            together = nf.sum_over([letter], whole)
            if len(together.terms) < len(own):
                terms = Poly({t: poly.terms[t] for t in own})
                return Shared(rest, letter, terms, bodies, whole, together)
    return None


def _over(bar: Poly, parts: list[Poly]) -> Poly:
    """The sum of the parts over the lowest power of the denominator that is in one of them."""
    least = min(t.powers.get(bar, 0) for part in parts for t, _ in part)
    if least.denominator != 1:
        return nf.add(*parts)
    above = nf.add(*(nf.multiply(part, nf.power(bar, -least)) for part in parts))
    return nf.multiply(above, nf.power(bar, least))


def none_left(poly: Poly, opened: Callable[[Poly], Poly]) -> bool:
    """Σ_i r_i/q_i − Σ_i r_i³/q_i² − c Σ_i r_i/q_i² for q = c + r²: 0 under one Σ, over one bar."""
    joined = under_one_sum(poly, lambda whole: [together(opened(whole))])
    return any(not made.terms for made in joined)


def below_pairs(poly: Poly) -> Poly | None:
    """f_ij + g_ij of Σ_ij f_ij + Σ_ji g_ij: what vanishes has a Σ that does.

    The letters are those of a name that all terms have, w_ij; None where there is none.
    """
    opened = []
    for term, c in poly:
        own = [a for a, e in term if isinstance(a, Sum) and e == 1 and len(a.bound) > 1]
        if len(own) != 1:
            return None
        bound, body = sums.opened(own[0], term.free)
        rest = nf.product({a: e for a, e in term if a is not own[0]})
        opened.append((bound, nf.scale(nf.multiply(rest, body), c)))
    for name in dict.fromkeys(r.tensor for r in refs(opened[0][1])) if opened else ():
        slots = [_whole(name, bound, body) for bound, body in opened]
        first = slots[0]
        if first is None or any(s is None or len({*s}) < len(s) for s in slots):
            continue
        there = (dict(zip(s, first, strict=True)) for s in slots if s is not None)
        return nf.add(*(nf.substitute(b, at) for (_, b), at in zip(opened, there, strict=True)))
    return None


def _whole(name: Tensor, bound: tuple[Index, ...], body: Poly) -> tuple[Index, ...] | None:
    """The letters of w_ij, where these are all that are bound."""
    slots = (r.slots for r in refs(body) if r.tensor is name)
    found = (tuple(s for s in own if isinstance(s, Index)) for own in slots)
    return next((s for s in found if {*s} == {*bound} and len(s) == len(bound)), None)


def under_one_sum(
    poly: Poly, rule: Callable[[Poly], Iterable[Poly]], least: int = 2
) -> Iterator[Poly]:
    """What a rule makes of Σ_i f_i + Σ_j g_j = Σ_i (f_i + g_i), of so many sums at least."""
    for several, letter, whole, rest in _under_sums(poly):
        for made in rule(whole) if several >= least else ():
            if made is not whole:
                yield nf.add(rest, nf.sum_over((letter,), made))


@lru_cache(maxsize=1024)
def _under_sums(poly: Poly) -> tuple[tuple[int, Index, Poly, Poly], ...]:
    """For every axis that is summed over: how many sums, their letter, what they sum, the rest."""
    sums = [a for t, _ in poly for a, _ in t if _single(a)]
    found = []
    for size in dict.fromkeys(b.size for a in sums for b in a.bound):
        (letter,) = fresh_indices([size], poly.free)
        inside = {t: _opened(t, letter) for t, _ in poly}
        parts = [nf.scale(inside[t], c) for t, c in poly if inside[t].terms]
        rest = Poly({t: c for t, c in poly if not inside[t].terms})
        found.append((len(parts), letter, nf.add(*parts), rest))
    return tuple(found)


def _single(atom: Any) -> TypeGuard[Sum]:
    return isinstance(atom, Sum) and atom.body.single is not None


def _opened(term: Term, letter: Index) -> Poly:
    """a f_i of a Σ_i f_i, and a of a n for the number n of values of i; 0 of any other term.

    Of Σ_ij f_ij it is Σ_j f_ij, where j runs through another axis.
    """
    for atom, e in term:
        if e != 1:
            continue
        if _single(atom) and sum(b.size == letter.size for b in atom.bound) == 1:
            bound, inner = sums.opened(atom, {*term.free, letter})
            (own,) = (b for b in bound if b.size == letter.size)
            rest = [b for b in bound if b is not own]
            body = nf.sum_over(rest, nf.substitute(inner, {own: letter}))
        elif isinstance(atom, Ref) and atom.tensor.symbol == letter.size:
            body = nf.ONE
        else:
            continue
        return nf.multiply(nf.product({a: k for a, k in term if a is not atom}), body)
    return ZERO


def _sums(term: Term) -> Iterator[tuple[Sum, Term]]:
    """A Σ over one letter with a denominator, and what stands beside it."""
    for atom, e in term:
        if isinstance(atom, Sum) and e == 1 and len(atom.bound) == 1 and _bars(atom.body):
            yield atom, Term({a: k for a, k in term if a is not atom})


def _bars(body: Poly) -> list[Poly]:
    """The sums of several terms that are divided by."""
    return [a for term, _ in body for a, e in term if isinstance(a, Poly) and e < 0]


__all__ = ["Shared", "below_pairs", "none_left", "shared", "sums_joined", "under_one_sum"]
