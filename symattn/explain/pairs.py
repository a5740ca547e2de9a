"""Σ_j [i < j] f_ij + Σ_j [j < i] f_ij as Σ_{j ≠ i} f_ij, and Σ_j f_ij − f_ii too."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from itertools import product
from typing import Any

from .. import normalize as nf
from ..distinct import below, both_ways, sides
from ..errors import UndefinedError
from ..ir import (
    ONE_TERM,
    Atom,
    Delta,
    Index,
    Mask,
    Poly,
    Rational,
    Sum,
    Tensor,
    Term,
    rational,
    raw_add,
    raw_atom,
)
from ..model import Body
from .brackets import written_out
from .views import opened


def in_pairs(poly: Poly) -> tuple[Poly, Body | None]:
    """The normal form with one W_ij for [i < j] + [j < i] where all else agrees, and what W is."""
    if not any(map(_masked, poly.terms)):
        return poly, None
    terms, found = dict(poly.terms), None
    for term, c in poly:
        if term not in terms:
            continue
        for mask, total in _masked(term):
            i, j = below(mask) or (None, None)
            if i is None or j is None or i.size != j.size:
                continue
            (other,) = sides(i, j)[1:]
            mirror = _with(term, mask, total, raw_atom(other)).single
            if mirror is None or mirror[0] is term or terms.get(mirror[0]) != c * mirror[1]:
                continue
            found = found or _body(i, j)
            del terms[term], terms[mirror[0]]
            pair = nf.ref(found.tensor, (i, j))
            terms |= nf.add(Poly(terms), nf.scale(_with(term, mask, total, pair), c)).terms
            break
    return Poly(terms), found


def off_diagonal(poly: Poly) -> tuple[Poly, dict[Any, Body]]:
    """The normal form with Σ_j W_ij f_ij for Σ_j f_ij − f_ii, below bars too, and what W_ij is."""
    found: dict[Any, Body] = {}

    def rule(node: Any) -> Poly | None:
        after = _off_diagonal(node, found) if isinstance(node, Poly) else node
        return None if after is node else after

    return _off_diagonal(nf.rewrite(poly, rule, brackets=True), found), found


def _off_diagonal(poly: Poly, found: dict[Any, Body]) -> Poly:
    """The same of the terms of one sum: what one of them is may be the diagonal of several."""
    if len(poly) < 2 or not poly.free:
        return poly
    sums = [row for term, c in poly for row in _diagonals(term, c, poly.free)]
    for term, c in poly:
        own = [row for row in sums if row.diagonal == term and row.term is not term]
        some = (
            own
            if own and sum(r.taken for r in own) == -c
            else [r for r in own if r.taken == -c][:1]
        )
        if not some or len({r.term for r in some}) < len(some):
            continue
        left = Poly({t: d for t, d in poly if t is not term and t not in {r.term for r in some}})
        return _off_diagonal(nf.add(left, *(r.without(found) for r in some)), found)
    return poly


@dataclass(frozen=True)
class _Row:
    """A term c · outer · Σ_bound body with what it takes at j = i, for two of its letters."""

    term: Term
    c: Rational
    outer: Poly
    bound: tuple[Index, ...]
    body: Poly
    i: Index
    j: Index
    diagonal: Term
    taken: Rational

    def without(self, found: dict[Any, Body]) -> Poly:
        """The term without its diagonal."""
        size = self.i.size
        if size not in found:
            found[size] = _body(self.i, self.j, different=True)
        pair = nf.ref(found[size].tensor, (self.i, self.j))
        whole = nf.sum_over(self.bound, nf.multiply(pair, self.body))
        return nf.scale(nf.multiply(self.outer, whole), self.c)


def _diagonals(term: Term, c: Rational, free: frozenset[Index]) -> Iterator[_Row]:
    for total, e in term:
        if not isinstance(total, Sum) or e != 1:
            continue
        bound, body = opened(total, free)
        outer = Poly({Term({a: k for a, k in term if a is not total}): 1})
        for j, i in product(bound, sorted(free, key=lambda x: x.sort)):
            if i.size != j.size:
                continue
            with suppress(UndefinedError):
                rest = [b for b in bound if b is not j]
                there = nf.multiply(outer, nf.sum_over(rest, nf.substitute(body, {j: i})))
                if (only := there.single) is not None:
                    yield _Row(term, c, outer, bound, body, i, j, only[0], rational(c * only[1]))


def with_pairs(raw: Poly, bodies: Iterable[Body]) -> Poly:
    """The raw expression with [i < j] + [j < i] or 1 − δ_ij for W_ij."""
    whole: Poly = written_out(raw, {b.tensor: b for b in bodies})
    return whole


def one_pair(raw: Poly) -> Poly:
    """2 ([i < j] + [j < i]) of 2 [i < j] + 2 [j < i]."""
    numbers = {c for _, c in raw}
    if len(raw) != 2 or len(numbers) > 1 or numbers == {1}:
        return raw
    whole = Poly(dict.fromkeys(raw.terms, 1))
    return Poly({Term({whole: 1}): numbers.pop()}) if both_ways(whole) else raw


def _body(i: Index, j: Index, different: bool = False) -> Body:
    name = f"[{i.size} ≠]" if different else f"[{i.size}]"
    tensor = Tensor(name, (i.size, j.size), symmetry="symmetric", role="pair")
    apart = Poly({ONE_TERM: 1, Term({Delta(i, j): 1}): -1})
    both = apart if different else raw_add(raw_atom(m) for m in sides(i, j))
    return Body(tensor, (i, j), both, both)


def _masked(term: Term) -> list[tuple[Mask, Sum | None]]:
    """The masks among the factors of a term, and of the sums in it, with their sum."""
    found: list[tuple[Mask, Sum | None]] = []
    for atom, e in term:
        if isinstance(atom, Mask):
            found.append((atom, None))
        elif isinstance(atom, Sum) and e == 1 and (only := atom.body.single) is not None:
            found += [(a, atom) for a, _ in only[0] if isinstance(a, Mask)]
    return found


def _with(term: Term, mask: Mask, total: Sum | None, other: Poly) -> Poly:
    """The term with something else in place of a mask."""

    def without(powers: Term, atom: Atom) -> Poly:
        return Poly({Term({a: e for a, e in powers if a is not atom}): 1})

    if total is None:
        return nf.multiply(without(term, mask), other)
    ((inner, c),) = total.body
    body = nf.multiply(nf.scale(without(inner, mask), c), other)
    return nf.multiply(without(term, total), nf.sum_over(total.bound, body))


__all__ = ["in_pairs", "off_diagonal", "one_pair", "with_pairs"]
