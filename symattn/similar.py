"""M = Q B Q⊤ for an orthogonal Q, as Q X Q⊤ + c = Q (X + c) Q⊤: M⁻¹ = Q B⁻¹ Q⊤, det M = det B."""

from __future__ import annotations

from collections.abc import Container
from typing import NamedTuple

from . import normalize as nf
from . import sums
from .ir import Delta, Index, Poly, Ref, Sum, Tensor, Term, fresh_indices


class Similar(NamedTuple):
    """M_ij = Σ_ab Q_ia B_ab Q_jb, or Σ_ab Q_ai B_ab Q_bj where `turned`."""

    matrix: Tensor
    turned: bool
    ends: tuple[Index, Index]
    inner: Poly

    @property
    def diagonal(self) -> Poly | None:
        """β_a of B_ab = β_a δ_ab; None for a B that is not diagonal."""
        a, b = self.ends
        delta = nf.delta(a, b)
        found = Poly({})
        for term, c in self.inner:
            rest = Poly({Term({x: e for x, e in term if not _is_delta(x, a, b)}): c})
            if nf.multiply(rest, delta) is not Poly({term: c}):
                return None
            found = nf.add(found, nf.substitute(rest, {b: a}))
        return found

    def around(self, inner: Poly, ends: tuple[Index, ...]) -> Poly:
        """Σ_ab Q_ia X_ab Q_jb for another X, with the letters `ends`."""
        letters = fresh_indices([i.size for i in self.ends], inner.free | {*ends})
        inner = nf.substitute(inner, dict(zip(self.ends, letters, strict=True)))
        for i, x in zip(ends, letters, strict=True):
            inner = nf.multiply(inner, nf.ref(self.matrix, (x, i) if self.turned else (i, x)))
        return nf.sum_over(letters, inner)


def similar(
    ends: tuple[Index, ...], written: Poly, orthogonal: Container[Tensor]
) -> Similar | None:
    """An expression with the letters `ends` as Q B Q⊤; None for what is no such product."""
    first = next(
        (found for term, _ in written if (found := _of_term(ends, term, orthogonal))), None
    )
    if first is None:
        return None
    inner = Poly({})
    for term, c in written:
        found = _of_term(ends, term, orthogonal)
        if found is not None and (found.matrix, found.turned) == first[:2]:
            part = nf.substitute(found.inner, dict(zip(found.ends, first.ends, strict=True)))
        elif (rest := _of_unit(ends, term)) is not None:
            part = nf.multiply(rest, nf.delta(*first.ends))
        else:
            return None
        inner = nf.add(inner, nf.scale(part, c))
    return first._replace(inner=inner)


def _of_unit(ends: tuple[Index, ...], term: Term) -> Poly | None:
    """c of c δ_ij."""
    kept = Term({x: e for x, e in term if not _is_delta(x, *ends)})
    rest = Poly({kept: 1})
    return rest if len(kept.powers) < len(term.powers) and not rest.free else None


def _of_term(ends: tuple[Index, ...], term: Term, orthogonal: Container[Tensor]) -> Similar | None:
    """A term Σ_ab Q_ia R_ab Q_jb, of which R may be Σ_a δ_ab."""
    touched = [(x, e) for x, e in term if not x.free.isdisjoint(ends)]
    if len(touched) != 1 or touched[0][1] != 1 or not isinstance(touched[0][0], Sum):
        return None
    atom = touched[0][0]
    outside = Poly({Term({x: e for x, e in term if x is not atom}): 1})
    bound, body = sums.opened(atom, term.free)
    if body.single is None:
        return None
    inside, c = body.single
    outer = [x for x, e in inside if not x.free.isdisjoint(ends)]
    if len(outer) != 2 or any(inside.powers[x] != 1 for x in outer):
        return None
    i, j = ends
    one, two = outer if i in outer[0].free else outer[::-1]
    if not (isinstance(one, Ref) and isinstance(two, Ref) and one.tensor is two.tensor):
        return None
    turned = len(one.slots) == 2 and one.slots[1] is i
    own, far = (1, 0) if turned else (0, 1)
    if one.tensor not in orthogonal or one.slots[own] is not i or two.slots[own] is not j:
        return None
    a, b = one.slots[far], two.slots[far]
    if not (isinstance(a, Index) and isinstance(b, Index) and {a, b} <= {*bound}):
        return None
    rest = Poly({Term({x: e for x, e in inside if x not in (one, two)}): c})
    if a is b:
        (b,) = fresh_indices([a.size], term.free | {*bound})
        rest = nf.multiply(rest, nf.delta(a, b))
    rest = nf.sum_over([x for x in bound if x not in (a, b)], rest)
    return Similar(one.tensor, turned, (a, b), nf.multiply(outside, rest))


def _is_delta(atom: object, a: Index, b: Index) -> bool:
    return isinstance(atom, Delta) and {atom.a, atom.b} == {a, b}


__all__ = ["Similar", "similar"]
