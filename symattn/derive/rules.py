"""The rules of differentiation on normal expressions."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache
from itertools import permutations
from math import factorial
from typing import Any, TypeAlias

import sympy as sp

from .. import maxima, primitives, sums
from .. import normalize as nf
from ..convert import lower
from ..errors import DefinitionError, UndefinedError, UnsupportedError
from ..ir import (
    OF_MATRIX,
    ZERO,
    Argmax,
    Call,
    Delta,
    Index,
    Mask,
    Max,
    Num,
    Poly,
    Ref,
    Slot,
    Sum,
    Tensor,
    Term,
    Unknown,
    fresh_indices,
    inverse_tensor,
    partial_tensor,
    rational,
    raw_atom,
    slot_items,
)
from ..laws import at_arguments
from ..model import Model, is_number

Leaf: TypeAlias = Callable[[Ref], Poly]


def differentiate(node: Any, leaf: Leaf, around: frozenset[Index]) -> Poly:
    """The derivative of a normal expression, `leaf` giving that of a tensor component.

    `around` are the indices that `leaf` brings in; bound indices are kept apart from them.
    """
    match node:
        case Poly():
            return nf.add(*(nf.scale(differentiate(term, leaf, around), c) for term, c in node))
        case Term():
            return _product_rule(node, leaf, around)
        case Ref() if node.tensor.role in OF_MATRIX:
            return _of_matrix(node, leaf, around)
        case Ref() if node.tensor.role == "place":
            return ZERO
        case Ref():
            return leaf(node)
        case Call():
            return _chain_rule(node, leaf, around)
        case Sum():
            bound, body = sums.opened(node, node.free | around)
            return nf.sum_over(bound, differentiate(body, leaf, around))
        case Max(bound=()):
            return _of_alternatives(node.args, leaf, around)
        case Max():
            bound, (body,) = maxima.entered(node, node.free | around)
            inner = differentiate(body, leaf, around)
            (hidden,) = node.args
            hot = nf.normalize(Argmax(bound, node.bound, hidden))
            return nf.sum_over(bound, nf.multiply(hot, inner)) if inner.terms else ZERO
        case Delta() | Mask() | Argmax() | Num():
            return ZERO
    raise AssertionError(node)


def _of_alternatives(args: Sequence[Poly], leaf: Leaf, around: frozenset[Index]) -> Poly:
    """d max(x, y) = dx + [y > x] (dy − dx); where they are equal, that of the earlier one.

    0 comes first, so that the derivative of max(0, x) is that of relu.
    """
    args = sorted(args, key=lambda a: bool(a.terms))
    top, slope = args[0], differentiate(args[0], leaf, around)
    for other in args[1:]:
        switch = nf.subtract(nf.ONE, nf.call("step", [nf.subtract(top, other)]))
        change = nf.subtract(differentiate(other, leaf, around), slope)
        slope = nf.add(slope, nf.multiply(switch, change))
        top = maxima.largest((), [top, other])
    return slope


def _product_rule(term: Term, leaf: Leaf, around: frozenset[Index]) -> Poly:
    """d(f^a g) = a f^{a−1} g df + f^a dg."""
    parts = []
    for atom, e in term:
        inner = differentiate(atom, leaf, around)
        if inner.terms:
            rest = dict(term.powers)
            rest[atom] = rational(e - 1)
            parts.append(nf.scale(nf.multiply(nf.product(rest), inner), e))
    return nf.add(*parts)


def _chain_rule(node: Call, leaf: Leaf, around: frozenset[Index]) -> Poly:
    """d f(x) = f'(x) dx; of several arguments the sum of these."""
    if isinstance(node.name, Unknown):
        parts = []
        for k, argument in enumerate(node.args):
            inner = differentiate(argument, leaf, around)
            change = raw_atom(Call(node.name.derivative(k), node.args))
            parts.append(nf.multiply(change, inner) if inner.terms else ZERO)
        return nf.add(*parts)
    parts = []
    for k, argument in enumerate(node.args):
        inner = differentiate(argument, leaf, around)
        if inner.terms:
            parts.append(nf.multiply(slope(node.name, k, node.args), inner))
    return nf.add(*parts)


def _of_matrix(node: Ref, leaf: Leaf, around: frozenset[Index]) -> Poly:
    """d(M⁻¹)_ij = −Σ_pq M⁻¹_ip dM_pq M⁻¹_qj; d det M = det M Σ_pq M⁻¹_qp dM_pq = det M d logdet M.

    Petersen and Pedersen, The Matrix Cookbook, equations 59, 46 and 43.
    """
    (matrix,) = node.tensor.of
    p, q = fresh_indices(matrix.shape, (*around, *node.free))
    inner = differentiate(nf.ref(matrix, (p, q)), leaf, around | {p, q})
    if not inner.terms:
        return ZERO
    inverse = inverse_tensor(matrix)
    if node.tensor.role == "inverse":
        i, j = node.slots
        sides = nf.multiply(nf.ref(inverse, (i, p)), nf.ref(inverse, (q, j)))
        return nf.scale(nf.sum_over((p, q), nf.multiply(sides, inner)), -1)
    change = nf.sum_over((p, q), nf.multiply(nf.ref(inverse, (q, p)), inner))
    return change if node.tensor.role == "logdet" else nf.multiply(raw_atom(node), change)


@lru_cache(maxsize=4096)
def slope(name: str, k: int, args: tuple[Poly, ...]) -> Poly:
    """∂f/∂x_k of a function of the registry at these arguments."""
    found = primitives.derivative(name, k)
    if found is None:
        raise UnsupportedError(
            f"{name} has no derivative by argument {k + 1}",
            mend="differentiate by what stands in its other arguments only",
        )
    return at_arguments(nf.normalize(lower(found)), args)


def component_derivative(component: Ref, wrt: Ref) -> Poly:
    """∂T^{ij}/∂T^{mn} = δ^i_m δ^j_n, averaged over the declared symmetry; 0 for another tensor.

    Raises UndefinedError for a derivative that nothing determines: it is no constant.
    """
    if component.tensor is not wrt.tensor:
        named = component.tensor.named
        if component.tensor.parts and (named[0].role != "loss" or wrt.tensor in named):
            raise UndefinedError(
                f"{component.tensor.name} is not known, nor how it changes with {wrt.tensor.name}",
                mend=f"define {named[0].name}, or give the derivative a name",
            )
        return ZERO
    if not component.tensor.symmetry:
        return nf.multiply(*map(_one_place, component.slots, wrt.slots, wrt.tensor.shape))
    rank = len(wrt.slots)
    parts = []
    for order in permutations(range(rank)):
        sign = 1
        if component.tensor.symmetry == "antisymmetric":
            sign = sp.combinatorics.Permutation(order).signature()
        parts.append(
            nf.scale(
                nf.multiply(
                    *(
                        _one_place(component.slots[k], wrt.slots[p], wrt.tensor.shape[p])
                        for k, p in enumerate(order)
                    )
                ),
                sign,
            )
        )
    return nf.scale(nf.add(*parts), rational(sp.Rational(1, factorial(rank))))


def _one_place(a: Slot, b: Slot, size: sp.Expr) -> Poly:
    """[a = b] on an axis; numerals name components that there are: x_0 is not x_1."""
    if a.free or b.free or not all(slot_items(s)[1].is_nonnegative for s in (a, b)):
        return nf.congruent(a, b, size)
    return nf.delta(a, b)


def partial(of: Ref, wrt: Ref) -> Ref:
    """∂of/∂wrt as a component that is not evaluated."""
    return Ref(partial_tensor(of.tensor, wrt.tensor), of.slots + wrt.slots)


def total_derivative(m: Model, of: Ref, wrt: Ref) -> Poly:
    """∂of/∂wrt through all definitions, those recognised that can be.

    Inputs are independent of one another.  What nothing defines is a function of what it is said
    to be a function of: its derivative by these is free, every other one follows by the chain rule
    or stays as it stands.  It is never 0.  Nor is ∂x/∂u for u = 2x, where u follows from x: what
    changes with u is not said.
    """
    if upstream(m, of.tensor, wrt.tensor):
        return raw_atom(partial(of, wrt))
    return _total(m, of, wrt)


def upstream(m: Model, of: Tensor, wrt: Tensor) -> bool:
    """A definition that `of` does not use is made of the same inputs, or of it."""
    if of is wrt or of.parts or of.role or wrt.name not in m.bodies:
        return False
    uses = {of.name, *m.uses(of.name)}
    return wrt.name not in uses and not uses.isdisjoint(m.uses(wrt.name))


def _total(m: Model, of: Ref, wrt: Ref) -> Poly:
    """∂of/∂wrt where everything that does not use wrt is held fixed."""
    if of.tensor is wrt.tensor:
        return component_derivative(of, wrt)
    if of.tensor.parts:  # a derivative of higher order, from the inside out
        inner = _total(m, *split_partial(of))
        if inner is raw_atom(of):
            opaque = of.tensor.named[0].role != "loss"
            return nf.normalize(partial(of, wrt)) if opaque else _by_chain(m, of, wrt)
        return differentiate(inner, lambda r: _total(m, r, wrt), wrt.free)
    if of.tensor.role == "loss":
        return _by_chain(m, of, wrt)
    if of.tensor.role in OF_MATRIX:
        return differentiate(of, lambda r: _total(m, r, wrt), wrt.free)
    body = m.bodies.get(of.tensor.name)
    apart = outside(m, wrt.tensor)
    if apart and of.tensor.name in m.through:
        return raw_atom(partial(of, wrt))
    if body is None and not is_number(of.tensor):
        if apart and m.through:
            return ZERO
        own = of.tensor.name in m.known or of.tensor.role in ("adjoint", "tangent", "stand-in")
        return ZERO if own and not apart else raw_atom(partial(of, wrt))
    if body is None or not (apart or wrt.tensor.name in m.uses(of.tensor.name)):
        return ZERO
    if (of, wrt) not in m.totals:  # definitions are reached by many paths, each is done once
        inside = differentiate(body.at(of.slots), lambda r: _total(m, r, wrt), wrt.free)
        m.totals[of, wrt] = m.fold(inside, of.tensor.name)
    return m.totals[of, wrt]


def outside(m: Model, wrt: Tensor) -> bool:
    """Every input may depend on it: the system does not have it, or differentiates by it alone."""
    return wrt.name not in m.known or wrt.name in m.coordinates


def _by_chain(m: Model, of: Ref, wrt: Ref) -> Poly:
    """∂L/∂X = Σ_O Σ ∂L/∂O ∂O/∂X over the tensors O that L is a function of."""
    through = [t for t in outputs_of(m, of.tensor) if wrt.tensor.name in {t.name, *m.uses(t.name)}]
    if not through and not outside(m, wrt.tensor) and outputs_of(m, of.tensor):
        return ZERO  # L is a function of what does not depend on X
    if not through or wrt.tensor in through:
        return nf.normalize(partial(of, wrt))
    chain = []
    for tensor in through:
        slots = fresh_indices(tensor.shape, (*of.free, *wrt.free))
        output = Ref(tensor, slots)
        local = total_derivative(m, output, wrt)
        chain.append(nf.sum_over(slots, nf.multiply(nf.normalize(partial(of, output)), local)))
    return nf.add(*chain)


def outputs_of(m: Model, tensor: Tensor) -> tuple[Tensor, ...]:
    """The tensors that an abstract loss, or a derivative of one, is a function of.

    Raises DefinitionError where one of them is used by another: its derivative would be two things.
    """
    while tensor.parts:
        tensor = tensor.parts[0]
    outputs = m.losses.get(tensor.name) or tensor.of or m.outputs
    for t in outputs:
        for other in outputs:
            if other is not t and t.name in m.uses(other.name):
                raise DefinitionError(
                    f"{tensor.name} is a function of {t.name} and of {other.name}, which uses it",
                    mend="name the last of them only",
                )
    return outputs


def variables(tensor: Tensor) -> tuple[Tensor, ...]:
    """What is differentiated by in ∂of/∂wrt, and in the tangent of such a derivative."""
    if tensor.role == "tangent":
        return variables(tensor.of[0])
    return (*variables(tensor.parts[0]), tensor.parts[1]) if tensor.parts else ()


def split_partial(r: Ref) -> tuple[Ref, Ref]:
    """The two components of ∂of/∂wrt."""
    assert r.tensor.parts
    of, wrt = r.tensor.parts
    rank = len(of.shape)
    return Ref(of, r.slots[:rank]), Ref(wrt, r.slots[rank:])


def evaluate_partials(poly: Poly, value: Callable[[Ref, Ref], Poly]) -> Poly:
    """The expression with value(of, wrt) in place of every ∂of/∂wrt."""

    def rule(atom: Any) -> Poly | None:
        if isinstance(atom, Ref) and atom.tensor.parts:
            return value(*split_partial(atom))
        return None

    return nf.rewrite(poly, rule)
