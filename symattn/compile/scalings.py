"""Factors that normalise weights in turn, u K v: v_j = 1 / Σ_i u_i K_ij, u_i = 1 / Σ_l K_il.

All weights of a column may be rounded to 0, and v_j is no number then, though u_i K_ij v_j is one.
What such a factor is multiplied with is written out in exponentials, and so is the factor:
e^{−m_j} / Σ_i e^{q_ij − m_j} with the largest value m_j, the sum as one array.  So a chain of them,
each made of the one before, is opened one step at a time.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from .. import normalize as nf
from ..ir import Poly, Rational, Ref, Sum, Tensor, Term, functions, raw_atom, refs
from .contract import stand_in
from .logistic import everywhere, exponent_of, tame

if TYPE_CHECKING:
    from .plan import Planner

Steady = Callable[[Term], Poly]  # a product with the largest value out of every sum


def unlimited(planner: Planner, tensor: Tensor) -> bool:
    """A definition that divides by such a sum of weights and has no such weight as a factor."""
    return _power(planner, tensor) < 0


def outweighed(planner: Planner, term: Term) -> bool:
    """A product divides by such sums more often than weights are a factor of it."""
    above: Any = 0
    below: Any = 0
    for atom, e in term:
        power = _power(planner, atom.tensor) * e if isinstance(atom, Ref) else 0
        below -= min(power, 0)
        above += max(power, 0) if isinstance(atom, Ref) else max(e, 0) * _may_fade(planner, atom)
    return bool(below > above)


def _may_fade(planner: Planner, atom: Any) -> bool:
    return bool(_tensors(atom)) or any(_power(planner, r.tensor) > 0 for r in refs(atom))


def _power(planner: Planner, tensor: Tensor) -> Rational:
    """1 for a definition that is such a sum of weights, −k for one that divides by its k-th power;
    otherwise 0."""
    known = planner.scalings.get(tensor)
    if known is None:
        planner.scalings[tensor] = known = 0  # definitions have no cycles; this ends the search
        if _exponential(planner, tensor):
            only = nf.normalize(planner.entries[tensor].poly).single
            whole = None if only is None else _written(planner, Poly({only[0]: 1})).single
            known = 0 if whole is None else _scale(whole[0])
        planner.scalings[tensor] = known
    return known


def scaled(planner: Planner, poly: Poly, steady: Steady) -> Poly:
    """The expression with products that have such a factor written out in exponentials."""

    def law(poly: Poly) -> Poly:
        return nf.add(*(nf.scale(product(t), c) for t, c in poly))

    def product(term: Term) -> Poly:
        powers = ((_power(planner, a.tensor), e) for a, e in term if isinstance(a, Ref))
        own = any(p * e < 0 or (p and not isinstance(e, int)) for p, e in powers)
        return _written(planner, Poly({term: 1}), steady) if own else Poly({term: 1})

    if not any(_power(planner, r.tensor) for r in refs(poly)):
        return poly
    return everywhere(poly, law)


def _written(planner: Planner, poly: Poly, steady: Steady | None = None) -> Poly:
    """The expression with every definition with exponentials that is one product opened."""

    def rule(atom: Any) -> Poly | None:
        if not isinstance(atom, Ref) or not _exponential(planner, atom.tensor):
            return None
        body = planner.entries[atom.tensor].at(atom.slots)
        if body is None or body.single is None:
            return None
        opened = nf.rewrite(body, rule)
        if steady is None or not _power(planner, atom.tensor) or opened.single is None:
            return opened
        term, c = opened.single
        only = None if exponent_of(term) else steady(term).single
        if only is None:
            return opened
        held = raw_atom(stand_in(planner, Poly({tame(only[0]): only[1]})))
        q = exponent_of(only[0])
        return nf.scale(held if q is None else nf.multiply(held, nf.call("exp", [q])), c)

    return nf.rewrite(poly, rule)


def _scale(term: Term) -> Rational:
    """1 for a product like e^q / Σ e^q that may be 0, −k for one that may be infinite for that."""
    own = [(a, e) for a, e in term if _tensors(a)]
    if any(e > 0 for _, e in own) and any(e < 0 for _, e in own):
        return 1
    for atom, e in own:
        if isinstance(atom, Sum) and any(_across(t, {*atom.bound}) for t, _ in atom.body):
            return min(e, 1)
    return 0


def _across(term: Term, bound: set[Any]) -> bool:
    """The weights e^q / Σ_l e^{q_l}, with letters l that are not summed over."""
    q = exponent_of(term)
    below = [a.free for a, e in term if e < 0 and "exp" in functions(a)]
    letters = frozenset[Any]().union(*below)
    return q is not None and bool(below) and not q.free - letters <= bound


def _tensors(node: Any) -> frozenset[Tensor]:
    return frozenset(r.tensor for r in refs(node)) if "exp" in functions(node) else frozenset()


def _exponential(planner: Planner, tensor: Tensor) -> bool:
    """A definition with exponentials, also in what it is made of."""
    entry = planner.entries.get(tensor)
    if entry is None or tensor in planner.standing:
        return False
    if tensor not in planner.exponential:
        planner.exponential[tensor] = False
        planner.exponential[tensor] = "exp" in functions(entry.poly) or any(
            _exponential(planner, r.tensor) for r in refs(entry.poly)
        )
    return planner.exponential[tensor]


__all__ = ["outweighed", "scaled", "unlimited"]
