"""The number of values of a letter under its sum: n − 2 Σ_i 1/u_i = Σ_i (u_i − 2)/u_i."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from .. import normalize as nf
from ..ir import Index, Poly, Ref, Sum, Term, raw_atom, raw_product, raw_sum
from ..logistic import together
from .cost import is_size, unnamed
from .groups import common_powers, fresh, opened, quotient


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


__all__ = ["of_ones"]
