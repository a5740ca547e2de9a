"""How a definition that is solved is recognised in an expression: its factor, product, power.

A solution is put in for what it is solved for, wherever that stands, and what cancels is left out.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from typing import Any

from .. import normalize as nf
from .. import sums
from ..folding import divisors, match, matches, unify
from ..ir import (
    CACHE,
    Atom,
    Call,
    Index,
    Poly,
    Rational,
    Ref,
    Slot,
    Sum,
    Tensor,
    Term,
    magnitude,
    parts,
    rational,
    raw_atom,
)
from ..laws import sign_of
from ..model import Body
from ..places import placeable
from .cost import cost, is_size


class _TermByTerm:
    """What is put in for a part of a term, in all terms, those of sums inside too."""

    body: Body

    def _applied(self, poly: Poly) -> Poly:
        def rule(atom: Any) -> Poly | None:
            if not isinstance(atom, Sum):
                return None
            bound, body = sums.opened(atom, {*atom.free, *self.body.indices})
            after = self._applied(body)
            return raw_atom(atom) if after is body else nf.sum_over(bound, after)

        inside = nf.rewrite(poly, rule)
        return nf.add(*(nf.scale(self._named(term), c) for term, c in inside))

    def _named(self, term: Term) -> Poly:
        raise NotImplementedError


@dataclass(frozen=True)
class Product(_TermByTerm):
    """A definition that is one product, name = c · term, recognised where all of it stands.

    But for the length of an axis, by which anything may be divided: q/s = y/√d of y = √d q/s.
    """

    body: Body
    term: Term
    c: Rational

    @property
    def tensors(self) -> frozenset[Tensor]:
        """What has to stand in an expression for the definition to be recognised in it."""
        return tensors_in(self.term)

    def forms(self, poly: Poly) -> Iterator[Poly]:
        """The expression with the name in place of the product, once and twice: q_i q_j/r.

        The second time below a Σ too: (w_k/v_k) Σ_l (x_l/v_l)/S as (w_k/v_k) Σ_l w_l x_l of
        w_k = (1/v_k)/S.
        """
        names = (a for a in self.term.powers if a.free or not isinstance(a, Ref))
        if not all(_occurs(a, poly) for a in names):
            return
        once = self._applied(poly)
        yield once
        twice = self._applied(once) if once is not poly else once
        if twice is not once:
            yield twice
            yield nf.add(*(nf.scale(self._below_a_sum(t), c) for t, c in once))

    def _named(self, term: Term) -> Poly:
        named = self._in(term)
        return self._below_a_sum(term) if named is None else named

    def _below_a_sum(self, term: Term) -> Poly:
        for total, e in term:
            if isinstance(total, Sum) and e in (2, 3):  # (Σ_l e^{S_l} x_l)²/Z²
                below = {a: rational(k / e) for a, k in term if k < 0 and k % e == 0}
                part = Term({total: rational(1), **below})
                made = self._named(part)
                if made.single is not None and part not in made.terms:
                    rest = {a: k for a, k in term if a is not total and a not in below}
                    return nf.multiply(nf.power(made, e), nf.product(rest))
            if not isinstance(total, Sum) or e != 1:
                continue
            bound, body = sums.opened(total, {*term.free, *self.body.indices})
            if body.single is None:
                continue
            inner, c = body.single
            outer = {a: k for a, k in term if a is not total}
            if any(a in outer for a in inner.powers):
                continue
            whole = nf.multiply(nf.product(outer), nf.product(inner.powers)).single
            named = whole and self._in(whole[0], Term(outer))
            if named is not None:  # Z_i^{-1} Σ_l e^{S_il} x_l = Σ_l A_il x_l
                return nf.scale(nf.sum_over(bound, named), c)
        return Poly({term: 1})

    def _in(self, term: Term, outer: Term | None = None) -> Poly | None:
        """The term with the name in it; one factor at least not from `outer`, where it is given."""
        letters = self.body.indices
        lengths = {a: e for a, e in self.term if is_size(a) and a not in term.powers}
        own = Term({a: e for a, e in self.term if a not in lengths})
        for found in contained(list(own), term, letters, {}):
            if not set(found) >= set(letters) or not placeable(self.body.normal, found):
                continue
            there = nf.substitute(Poly({own: 1}), found).single
            if there is None or there[1] != 1:
                continue
            rest = {a: rational(e - there[0].powers.get(a, 0)) for a, e in term}
            if any(rest.get(a) is None or rest[a] * e < 0 for a, e in there[0]):
                continue
            if outer is not None and all(a in outer.powers for a in there[0].powers):
                continue
            rest |= {a: rational(-e) for a, e in lengths.items()}
            name = nf.ref(self.body.tensor, [found[i] for i in letters])
            return nf.scale(nf.multiply(name, nf.product(rest)), rational(1 / Fraction(self.c)))
        return None


def contained(
    pattern: list[tuple[Atom, Rational]], term: Term, letters: tuple[Index, ...], found: Any
) -> Iterator[dict[Index, Slot]]:
    """The letters for which the product stands in the term, maybe beside more of the same."""
    if not pattern:
        yield found
        return
    (atom, e), *rest = pattern
    for factor, k in term:
        if (k > 0) == (e > 0) and magnitude(k) >= magnitude(e):
            left = Term({a: x for a, x in term if a is not factor})
            for more in unify(atom, factor, letters, found):
                yield from contained(rest, left, letters, more)


@dataclass(frozen=True)
class Power(_TermByTerm):
    """atom^e = value, from a definition solved for a power: v² = c² (1 − b) of b = 1 − v²/c²."""

    body: Body
    atom: Atom
    e: int
    value: Poly

    @property
    def tensors(self) -> frozenset[Tensor]:
        """What has to stand in an expression for the definition to be recognised in it."""
        return tensors_in(self.atom)

    def forms(self, poly: Poly) -> Iterator[Poly]:
        """The expression with the value in place of every e-th power."""
        if not _occurs(self.atom, poly):
            return
        made = self._applied(poly)
        yield made if name_of(self.body) is self.body.tensor else _plain(made)

    def _named(self, term: Term) -> Poly:
        letters = self.body.indices
        for factor, k in term:
            short = k == self.e - 1 > 1 and sign_of(factor) == "+"  # r⁵ as r⁶/r
            times = int(k // self.e) if k > 0 else 0
            times = 1 if short else times
            found = match(self.atom, factor, letters) if times and k.denominator == 1 else None
            if found is None or not set(found) >= set(letters):
                continue
            if not placeable(self.value, found):
                continue
            rest = {a: rational(x - self.e * times if a is factor else x) for a, x in term}
            value = nf.power(nf.substitute(self.value, found), times)
            return nf.multiply(nf.product({a: x for a, x in rest.items() if x}), value)
        return Poly({term: 1})


@dataclass(frozen=True)
class Solution:
    """atom = value, from a definition solved for one of its factors; `letters` stand for any.

    A letter that the factor does not determine may be any letter that is free in the expression,
    y_ja = x_ia − r_ija.  `over` says that the value divides by what may be 0, Σ_j R_ij k_j = v_i/β:
    it is put in where that cancels.
    """

    body: Body
    atom: Atom
    value: Poly
    letters: tuple[Index, ...]
    over: bool = False

    @property
    def tensors(self) -> frozenset[Tensor]:
        """What has to stand in an expression for the definition to be recognised in it."""
        return tensors_in(self.atom)

    def forms(self, poly: Poly) -> Iterator[Poly]:
        """The expression with the value put in, for every choice of letters left open."""
        if not _occurs(self.atom, poly):
            return
        open_ = [i for i in self.letters if i not in self.atom.free]
        if not open_:
            yield self._either(poly)
            return
        for index in sorted(poly.free, key=lambda i: i.sort):
            if index.size == open_[0].size:
                value = nf.substitute(self.value, {open_[0]: index})
                letters = tuple(i for i in self.letters if i not in open_)
                yield Solution(self.body, self.atom, value, letters)._applied(poly)

    def _either(self, poly: Poly) -> Poly:
        """The value put in; where the factor is symmetric, e^x_i + e^x_j, as suits each term."""
        if self.over:
            pairs = [(Poly({term: c}), self._applied(Poly({term: c}))) for term, c in poly]
            return nf.add(*(b if divisors(b) <= divisors(a) else a for a, b in pairs))
        whole = self._applied(poly)
        if len(self.letters) != 2 or self.letters[0].size != self.letters[1].size:
            return whole
        i, j = self.letters
        there = {i: j, j: i}
        own = self.atom if isinstance(self.atom, Poly) else raw_atom(self.atom)
        if nf.substitute(own, there) is not own:
            return whole
        other = Solution(self.body, self.atom, nf.substitute(self.value, there), self.letters)
        single = [(Poly({term: 1}), c) for term, c in poly]
        made = [(min(self._applied(t), other._applied(t), key=cost), c) for t, c in single]
        return nf.add(*(nf.scale(form, c) for form, c in made))

    def _applied(self, poly: Poly) -> Poly:
        kept = self._kept()
        needed = self.tensors

        def rule(atom: Any) -> Poly | None:
            if isinstance(atom, Sum | Call) and not needed <= tensors_in(atom):
                return raw_atom(atom)
            if type(atom) is Sum and any(match(k, atom, self.letters) for k in kept):
                return raw_atom(atom)
            if type(atom) is not type(self.atom):
                return None
            found = match(self.atom, atom, self.letters)
            if found is None:
                return self._inside(atom) if isinstance(atom, Sum) else None
            return self._at(found)

        made = nf.rewrite(poly, rule, brackets=isinstance(self.atom, Poly))
        return made if made is poly or name_of(self.body) is self.body.tensor else _plain(made)

    def _at(self, found: Mapping[Index, Slot]) -> Poly | None:
        """The value at other indices, None where that is not known to mean the same."""
        if not set(found) >= set(self.letters) or not placeable(self.value, found):
            return None
        return nf.substitute(self.value, found)

    def _inside(self, atom: Sum) -> Poly | None:
        """The sum with the value in place of a part of it: Σ_ab x_a y_a z_b with z = Σ_b z_b."""
        assert isinstance(self.atom, Sum)
        inner, pattern = sums.opened(self.atom, {*atom.free, *self.letters})
        bound, body = sums.opened(atom, {*atom.free, *self.letters, *inner})
        if pattern.single is None or body.single is None or len(inner) >= len(bound):
            return None
        (shape, c), (term, d) = pattern.single, body.single
        for found in unify(shape, term, (*self.letters, *inner), {}):
            over = [found.get(b) for b in inner]
            if len(set(over)) < len(over) or not set(over) <= set(bound):
                continue
            if any(b.size != s.size for b, s in zip(inner, over, strict=True)):  # type: ignore[union-attr]
                continue
            covered = nf.substitute(Poly({shape: 1}), found).single
            if covered is None or covered[1] != 1:
                continue
            left = dict(term.powers)
            if any(left.get(a) != e for a, e in covered[0]):
                continue
            rest = {a: e for a, e in left.items() if a not in covered[0].powers}
            if any(not a.free.isdisjoint(over) for a in rest):
                continue
            letters = {i: s for i, s in found.items() if i in self.letters}
            value = self._at(letters)
            if value is None or any(not s.free.isdisjoint(over) for s in letters.values()):
                continue
            outer = [b for b in bound if b not in over]
            value = nf.scale(value, rational(Fraction(d) / Fraction(c)))
            return nf.sum_over(outer, nf.multiply(self._applied(nf.product(rest)), value))
        return None

    def _kept(self) -> list[Sum]:
        """Sums in the value in which the factor stands itself: they are not to be taken apart."""
        return [
            a
            for a in atoms_in(self.value)
            if isinstance(a, Sum) and not self.tensors.isdisjoint(tensors_in(a))
        ]


@dataclass(frozen=True)
class Complement:
    """e^u = 1 − p from p = 1 − e^u, also where e^u stands in e^{u + v}."""

    body: Body
    exponent: Poly

    @property
    def tensors(self) -> frozenset[Tensor]:
        """What has to stand in an expression for the definition to be recognised in it."""
        return tensors_in(self.exponent)

    def forms(self, poly: Poly) -> Iterator[Poly]:
        """The expression with 1 − p in place of every e^u."""
        yield nf.rewrite(poly, self._named)

    def _named(self, atom: Any) -> Poly | None:
        letters = self.body.indices
        if not isinstance(atom, Call) or atom.name != "exp":
            return None
        for found, k in matches(self.exponent, atom.args[0], letters):
            whole = k.denominator == 1 and set(found) >= set(letters)
            if not whole or not placeable(self.exponent, found):
                continue
            own = nf.scale(nf.substitute(self.exponent, found), k)
            name = nf.ref(self.body.tensor, [found[i] for i in letters])
            value = nf.power(nf.subtract(nf.ONE, name), k)
            return nf.multiply(nf.call("exp", [nf.subtract(atom.args[0], own)]), value)
        return None


@dataclass(frozen=True)
class Masked(_TermByTerm):
    """A σ(u) = A² and A σ(−u) = A (1 − A) from A = m σ(u), where m is an indicator: m² = m."""

    body: Body
    argument: Poly

    @property
    def tensors(self) -> frozenset[Tensor]:
        """What has to stand in an expression for the definition to be recognised in it."""
        return tensors_in(self.argument)

    def forms(self, poly: Poly) -> Iterator[Poly]:
        """The expression with A in place of σ(u) wherever A is beside it."""
        yield self._applied(poly)

    def _named(self, term: Term) -> Poly:
        letters = self.body.indices
        for sign in (1, -1):
            pattern = Call("sigmoid", [nf.scale(self.argument, sign)])
            for factor, e in term:
                found = match(pattern, factor, letters) if e == 1 else None
                if found is None or not set(found) >= set(letters):
                    continue
                own = Ref(self.body.tensor, [found[i] for i in letters])
                if term.powers.get(own, 0) >= 1 and placeable(self.argument, found):
                    rest = nf.product({a: k for a, k in term if a is not factor})
                    name = raw_atom(own)
                    value = name if sign > 0 else nf.subtract(nf.ONE, name)
                    return nf.multiply(rest, value)
        return Poly({term: 1})


def atoms_in(node: Any) -> Iterator[Atom]:
    for part in parts(node):
        if not isinstance(part, Poly | Term):
            yield part  # type: ignore[misc]
        yield from atoms_in(part)


def stands(atom: Atom, other: Atom, letters: tuple[Index, ...]) -> bool:
    return type(atom) is type(other) and match(atom, other, letters) is not None


def _occurs(pattern: Atom, node: Any) -> bool:
    """True where something stands in an expression that the pattern may match."""
    if not tensors_in(pattern) <= tensors_in(node):
        return False
    if isinstance(pattern, Ref):
        here = isinstance(node, Ref) and node.tensor is pattern.tensor
    else:
        here = type(node) is type(pattern) and not (isinstance(node, Poly) and len(node) < 2)
    return here or any(_occurs(pattern, part) for part in parts(node))


@lru_cache(maxsize=CACHE)
def tensors_in(node: Any) -> frozenset[Tensor]:
    """The tensors that an expression is made of."""
    own = (node.tensor,) if isinstance(node, Ref) else ()
    return frozenset(own).union(*map(tensors_in, parts(node)))


def name_of(body: Body) -> Tensor:
    """The tensor of a definition; √(σ²) = σ for σ = √v, so one without negative values as such."""
    tensor = body.tensor
    if not sign_of(body.normal) or tensor.positive:
        return tensor
    return Tensor(tensor.name, tensor.shape, "+", role="stand-in", of=(tensor,))


def _plain(poly: Poly) -> Poly:
    def rule(node: Any) -> Poly | None:
        if isinstance(node, Ref) and node.tensor.role == "stand-in" and node.tensor.positive:
            return nf.ref(node.tensor.of[0], node.slots)
        return None

    return nf.rewrite(poly, rule)


__all__ = [
    "Complement",
    "Masked",
    "Power",
    "Product",
    "Solution",
    "atoms_in",
    "contained",
    "name_of",
    "stands",
    "tensors_in",
]
