"""Powers of a product or quotient that stay whole under Σ: Σ_i (t_i/c)^k, not c^{−k} Σ_i t_i^k."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any, NamedTuple

from .. import normalize as nf
from ..folding import match
from ..ir import Call, Index, Poly, Sum, Term, inside, raw_add
from ..model import Body
from .brackets import lettered
from .cost import powers_of


class Whole(NamedTuple):
    """A power of the author's, e^{k log(t_i/c)}, its base as a normal form and its letters."""

    call: Call
    base: Poly
    letters: tuple[Index, ...]


def whole_powers(bodies: Iterable[Body]) -> list[Whole]:
    """The powers of products with names with and without letters in these definitions."""
    found: dict[Poly, Whole] = {}
    for call in (n for b in bodies for n in inside(b.raw) if isinstance(n, Call)):
        pair = _power(call)
        only = pair[0].single if pair else None
        if only is not None and len({bool(a.free) for a in only[0].powers}) == 2:
            base = nf.normalize(pair[0]) if pair else nf.ONE
            letters = tuple(sorted(base.free, key=lambda i: i.sort))
            found.setdefault(base, Whole(call, base, letters))
    return list(found.values())


def _power(atom: Any) -> tuple[Poly, Poly] | None:
    """The base and the exponent of a single power."""
    pairs = powers_of(atom.args[0]) if isinstance(atom, Call) and atom.name == "exp" else None
    return pairs[0] if pairs and len(pairs) == 1 else None


def whole_under_sums(poly: Poly, own: Sequence[Whole]) -> Poly:
    """(1/c)^k Σ_i t_i^k as Σ_i (t_i/c)^k, where the author has that power; c^{−k} t_i^k too."""
    return raw_add(_of_term(t, c, own) for t, c in poly) if own else poly


def _of_term(term: Term, c: Any, own: Sequence[Whole]) -> Poly:
    for atom, e in term:
        front = _power(atom) if e == 1 else None
        left = Term({a: k for a, k in term if a is not atom})
        if front and (whole := _taken_in(left, front, own)):  # s^{−k} t_i^k as (t_i/s)^k
            return _of_term(whole, c, own)
        for total, k in term if front else ():
            if isinstance(total, Sum) and k == 1 and front:
                parts = [_taken_in(t, front, own) for t, _ in total.body]
                if all(p is not None for p in parts):
                    counts = [d for _, d in total.body]
                    body = Poly({p: d for p, d in zip(parts, counts, strict=True) if p})
                    rest = {a: x for a, x in term if a is not atom and a is not total}
                    return _of_term(Term({**rest, Sum(total.bound, body): 1}), c, own)
    return Poly({term: c})


def _taken_in(term: Term, front: tuple[Poly, Poly], own: Sequence[Whole]) -> Term | None:
    """A term under the Σ with the power before the Σ in it."""
    for atom, e in term:
        within = _power(atom) if e == 1 else None
        if within is None:
            continue
        before, exponents = nf.normalize(front[0]), [nf.normalize(x) for _, x in (front, within)]
        if nf.add(*exponents).terms == {}:  # s^{−k} t_i^k
            before = nf.power(before, -1)
        elif exponents[0] is not exponents[1]:
            continue
        base = nf.multiply(before, nf.normalize(within[0]))
        for made in _named(base, within[1], own):
            return Term({**{a: k for a, k in term if a is not atom}, made: 1})
    return None


def _named(base: Poly, exponent: Poly, own: Sequence[Whole]) -> Iterator[Call]:
    for call, pattern, letters in own:
        found = match(pattern, base, letters)
        if found is not None and set(found) >= set(letters):
            pair = _power(lettered(call, found))
            if pair and nf.normalize(pair[1]) is nf.normalize(exponent):
                yield lettered(call, found)


__all__ = ["Whole", "whole_powers", "whole_under_sums"]
