"""Definitions that come out symmetric: S_ij = S_ji, d_ij = −d_ji, P_ij = 1 − P_ji."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import combinations
from typing import Any

from .. import normalize as nf
from ..folding import divisors
from ..ir import (
    ZERO,
    Atom,
    Call,
    Index,
    Poly,
    Ref,
    Tensor,
    Term,
    collected,
    inverse_tensor,
    raw_atom,
    refs,
)
from ..logistic import is_one
from ..model import Body, Model
from .notation import symmetric


class Symmetries:
    """The symmetries of the definitions of one system."""

    def __init__(self, m: Model, brackets: Iterable[Body] = ()) -> None:
        """`brackets` are those of the author, x_ia − x_ja."""
        names, bodies, brackets = symmetric(m), list(m.bodies.values()), tuple(brackets)
        self.symmetric = {b.tensor for b in bodies if b.tensor.name in names}
        self.symmetric |= {b.tensor for b in brackets if self._comes_out_symmetric(b)}
        brackets = [b for b in brackets if _alike(b, m)]
        turned = ((b.tensor, _turned(b)) for b in (*bodies, *brackets))
        self.antisymmetric = {tensor: pair for tensor, pair in turned if pair is not None}
        self.brackets = {b.tensor for b in brackets}
        self.complementary = {b.tensor: (0, 1) for b in bodies if _complementary(b)}

    def _comes_out_symmetric(self, bracket: Body) -> bool:
        """r_ij − L of a symmetric r."""
        if len(bracket.indices) != 2 or len({i.size for i in bracket.indices}) > 1:
            return False
        i, j = bracket.indices
        turned = nf.substitute(bracket.normal, {i: j, j: i})
        return self.in_order(turned) is self.in_order(bracket.normal)

    def forms(self, poly: Poly, calls: set[Any]) -> Iterator[Poly]:
        """The forms that they allow; `calls` are the functions in the expression."""
        if self.symmetric:
            yield self.in_order(poly)
        if self.antisymmetric:
            yield self.forwards(poly)
        if self.complementary or "sigmoid" in calls:
            yield from self.complements(poly)

    def settled(self, poly: Poly) -> Poly:
        """The form that is searched: with inverses in order, and names of which one is divided by.

        Terms with q_ij/(1 − q_ji) meet others then.
        """
        poly = self.inverses(poly)
        below = {r.tensor for a in divisors(poly) for r in refs(a)} if self.symmetric else set()
        pairs = {t: (0, 1) for t in self.symmetric & below}
        made = self._turned(poly, pairs, lambda p: p) if pairs else poly
        return made if len(made) < len(poly) else poly

    def in_order(self, poly: Poly) -> Poly:
        """S_ji as S_ij for a definition that comes out symmetric."""

        def rule(node: Any) -> Poly | None:
            if not isinstance(node, Ref) or node.tensor not in self.symmetric:
                return None
            a, b = node.slots
            if not isinstance(a, Index) or not isinstance(b, Index) or a.sort <= b.sort:
                return None
            return raw_atom(Ref(node.tensor, (b, a)))

        return nf.rewrite(poly, rule)

    def merged(self, raw: Poly) -> Poly:
        """q_ij + q_ji of a symmetric q as 2 q_ij."""
        if not self.symmetric or len(raw) < 2:
            return raw
        first: dict[Term, Term] = {}
        found = []
        for term, c in raw:
            own = Term(collected((self._sorted(a), e) for a, e in term))
            found.append((first.setdefault(own, term), c))
        return Poly(collected(found)) if len(first) < len(raw) else raw

    def _sorted(self, atom: Atom) -> Atom:
        if not isinstance(atom, Ref) or atom.tensor not in self.symmetric:
            return atom
        return Ref(atom.tensor, sorted(atom.slots, key=str))

    def forwards(self, poly: Poly) -> Poly:
        """d_ji as −d_ij for a definition with d_ij + d_ji = 0, where i is free and j is not.

        So of a bracket x_i − x_j that stands both ways.
        """
        faces: dict[Tensor, set[int]] = {}
        for ref in refs(poly):
            if ref.tensor in self.brackets and ref.tensor in self.antisymmetric:
                one, two = (ref.slots[k] in poly.free for k in self.antisymmetric[ref.tensor])
                faces.setdefault(ref.tensor, set()).update({one - two} - {0})
        single = {t for t in self.brackets if len(faces.get(t, ())) < 2}
        known = {t: pair for t, pair in self.antisymmetric.items() if t not in single}
        return self._turned(poly, known, lambda p: nf.scale(p, -1))

    def _turned(
        self, poly: Poly, known: Mapping[Tensor, tuple[int, int]], by: Callable[[Poly], Poly]
    ) -> Poly:
        """The expression with components of these definitions at (j, i) by those at (i, j)."""

        def rule(node: Any) -> Poly | None:
            if not isinstance(node, Ref) or node.tensor not in known:
                return None
            slots = list(node.slots)
            one, two = known[node.tensor]
            a, b = slots[one], slots[two]
            if not isinstance(a, Index) or not isinstance(b, Index):
                return None
            if (a not in poly.free, a.sort) <= (b not in poly.free, b.sort):
                return None
            slots[one], slots[two] = b, a
            return by(nf.ref(node.tensor, slots))

        return nf.rewrite(poly, rule)

    def inverses(self, poly: Poly) -> Poly:
        """S⁻¹_ji as S⁻¹_ij for a definition that comes out symmetric."""

        def rule(node: Any) -> Poly | None:
            if not isinstance(node, Ref) or node.tensor.role != "inverse" or node.tensor.symmetry:
                return None
            (own,) = node.tensor.of
            inverse = inverse_tensor(own, "symmetric")
            return nf.ref(inverse, node.slots) if own in self.symmetric else None

        return nf.rewrite(poly, rule) if self.symmetric else poly

    def complements(self, poly: Poly) -> Iterator[Poly]:
        """P_ij as 1 − P_ji for a definition with P_ij + P_ji = 1, everywhere or where it cancels.

        And P_ji alone, where i is free and j is not; the same of σ(u) and σ(−u), where it cancels.
        """

        def rule(node: Any) -> Poly | None:
            if isinstance(node, Ref) and node.tensor in self.complementary:
                return nf.subtract(nf.ONE, nf.ref(node.tensor, node.slots[::-1]))
            if isinstance(node, Call) and node.name == "sigmoid":
                other = nf.call("sigmoid", [nf.scale(node.args[0], -1)])
                return nf.subtract(nf.ONE, other)
            return None

        if self.complementary:
            yield nf.rewrite(poly, rule)
            yield self._turned(poly, self.complementary, lambda p: nf.subtract(nf.ONE, p))
        here = poly
        for term, c in poly:
            own = Poly({term: c})
            other = nf.rewrite(own, rule)
            if other is not own:
                after = nf.add(nf.subtract(here, own), other)
                here = after if len(after) < len(here) else here
        yield here


def _complementary(body: Body) -> bool:
    """P_ij + P_ji = 1, as for P_ij = σ(s_i − s_j)."""
    if len(body.indices) != 2 or body.indices[0].size != body.indices[1].size:
        return False
    a, b = body.indices
    return is_one(nf.add(body.normal, nf.substitute(body.normal, {a: b, b: a})))


def _alike(bracket: Body, m: Model) -> bool:
    """x_i − x_j of Σ_ij, and not of y_i = Σ_j f(x_j − x_i), where i and j are no two of a kind."""
    pair = _turned(bracket)
    own = {i for t in bracket.tensor.of if t.name in m.bodies for i in m.bodies[t.name].indices}
    return pair is not None and len({bracket.indices[k] in own for k in pair}) == 1


def _turned(body: Body) -> tuple[int, int] | None:
    """The places of i and j where d_ij + d_ji = 0, as for d_ij = x_i − x_j and x_ia − x_ja."""
    for one, two in combinations(range(len(body.indices)), 2):
        a, b = body.indices[one], body.indices[two]
        if a.size == b.size:
            other = nf.substitute(body.normal, {a: b, b: a})
            if nf.add(body.normal, other) is ZERO:
                return one, two
    return None


__all__ = ["Symmetries"]
