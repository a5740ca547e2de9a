"""The number of values of a letter under its sum: n − 2 Σ_i 1/u_i = Σ_i (u_i − 2)/u_i."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from .. import normalize as nf
from ..ir import (
    ONE_TERM,
    Index,
    Poly,
    Ref,
    Sum,
    Term,
    rational,
    raw_add,
    raw_atom,
    raw_product,
    raw_sum,
)
from ..logistic import together
from .cost import cost, is_size, unnamed
from .views import common_powers, fresh, opened, quotient


def of_ones(poly: Poly, collected: Callable[[Poly], Poly]) -> Iterator[Poly]:
    """A number of values and sums over them as one sum, n + Σ_i f_i = Σ_i (1 + f_i).

    Where the author gave that number a name, it stays.
    """
    if not 2 <= len(poly) <= 4 or not any(unnamed(a) for t, _ in poly for a, _ in t):
        return
    common = common_powers([t.powers for t, _ in poly])
    rests = [(Term(quotient(t.powers, common)), c) for t, c in poly]
    sizes: set[Ref] = {a for t, _ in rests for a, e in t if unnamed(a) and e == 1}
    for size in sorted(sizes, key=lambda a: a.tensor.name):
        (letter,) = fresh((Index("i", size.tensor.symbol),))
        inside = [_inside(t, letter) for t, _ in rests]
        if any(part is None for part in inside):
            continue
        body = nf.add(*(nf.scale(p, c) for p, (_, c) in zip(inside, rests, strict=True) if p))
        for whole in (together(body), body):
            made = collected(whole)
            under = raw_sum((letter,), made if made.single else raw_atom(made))
            yield raw_product([Poly({Term(common): 1}), under])


def rest_of_ones(poly: Poly) -> Poly:
    """(1 + k) Σ_i 1/(1 + u_i) − k n as n − (1 + k) Σ_i u_i/(1 + u_i), where n costs no more."""
    for whole, c in poly:
        for total, e in whole:
            share = _complement(total) if isinstance(total, Sum) and e == 1 else None
            if share is None or not isinstance(total, Sum):
                continue
            front = Poly({Term({a: k for a, k in whole if a is not total}): c})
            for term, d in poly:
                left = [(a, k) for a, k in term if not _counts(a, total)]
                if len(left) == len(term.powers) or any(a.free for a, _ in left):
                    continue
                (size,) = (a for a in term.powers if _counts(a, total))
                own = nf.normalize(Poly({Term(dict(left)): d}))
                count = nf.add(own, nf.normalize(front))
                before, after = cost(own), cost(count) if count.terms else 0
                if after > before or (after == before and d > 0):
                    continue
                others = Poly({t: x for t, x in poly if t not in (whole, term)})
                rest = raw_product([nf.scale(front, -1), raw_atom(share)])
                shown = count if len(count) < 2 else raw_atom(count)
                return raw_add([others, raw_product([shown, raw_atom(size)]), rest])
    return poly


def _counts(atom: object, total: Sum) -> bool:
    """n, the number of values of the letter below a Σ."""
    sizes = [b.size for b in total.bound]
    return isinstance(atom, Ref) and is_size(atom) and sizes == [atom.tensor.symbol]


def _complement(total: Sum) -> Sum | None:
    """Σ_i u_i/(1 + u_i) of Σ_i 1/(1 + u_i)."""
    (term, c) = total.body.single or (ONE_TERM, 0)
    ((bar, e),) = term if c == len(term.powers) == 1 else ((None, 0),)
    if e != -1 or not isinstance(bar, Poly) or len(bar) != 2 or bar.terms.get(ONE_TERM) != 1:
        return None
    other = Poly({t: k for t, k in bar if t is not ONE_TERM})
    return Sum(total.bound, raw_product([other, raw_atom(bar, rational(-1))]))


def _inside(term: Term, letter: Index) -> Poly | None:
    """f_i of Σ_i f_i and 1 of n; None of any other term."""
    for atom, e in term:
        rest = nf.product({a: k for a, k in term if a is not atom})
        if is_size(atom) and e == 1 and atom.tensor.symbol == letter.size:
            return rest
        if isinstance(atom, Sum) and e == 1 and [b.size for b in atom.bound] == [letter.size]:
            bound, body = opened(atom, term.free)
            return nf.multiply(rest, nf.substitute(body, {bound[0]: letter}))
    return None


__all__ = ["of_ones", "rest_of_ones"]
