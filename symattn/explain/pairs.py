"""Σ_j [i < j] f_ij + Σ_j [j < i] f_ij as Σ_{j ≠ i} f_ij."""

from __future__ import annotations

from .. import normalize as nf
from ..distinct import below, both_ways, sides
from ..ir import Atom, Index, Mask, Poly, Sum, Tensor, Term, raw_add, raw_atom
from ..model import Body
from .brackets import written_out


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


def with_pairs(raw: Poly, body: Body) -> Poly:
    """The raw expression with [i < j] + [j < i] for W_ij."""
    whole: Poly = written_out(raw, {body.tensor: body})
    return whole


def one_pair(raw: Poly) -> Poly:
    """2 ([i < j] + [j < i]) of 2 [i < j] + 2 [j < i]."""
    numbers = {c for _, c in raw}
    if len(raw) != 2 or len(numbers) > 1 or numbers == {1}:
        return raw
    whole = Poly(dict.fromkeys(raw.terms, 1))
    return Poly({Term({whole: 1}): numbers.pop()}) if both_ways(whole) else raw


def _body(i: Index, j: Index) -> Body:
    tensor = Tensor(f"[{i.size}]", (i.size, j.size), "symmetric", role="pair")
    both = raw_add(raw_atom(m) for m in sides(i, j))
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


__all__ = ["in_pairs", "one_pair", "with_pairs"]
