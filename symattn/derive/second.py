"""Second order: Hessians, their blocks, and products with them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, TypeAlias, overload

from .. import normalize as nf
from ..budget import bounded
from ..called import Named, called
from ..errors import DefinitionError
from ..ir import (
    ZERO,
    Index,
    Poly,
    Ref,
    Tensor,
    extent,
    partial_tensor,
    raw_atom,
)
from ..model import Model, evaluated
from ..syntax import System
from .forward import names_of, total_tangent
from .jacobian import jacobian_of
from .record import Derivation, Letters, Reading, Record, recognised
from .rules import (
    component_derivative,
    differentiate,
    evaluate_partials,
    partial,
    split_partial,
    total_derivative,
)
from .staged import blocks_in_stages, depth, product_in_stages

FORMULA = 2  # definitions in a row that a product with a Hessian is one formula of
STAGED = 4  # the same for a block of a Hessian, which has a formula of its own for longer
LONG = 3000  # nodes of one that nobody reads, and that takes longer to plan than what it is made of

Blocks: TypeAlias = dict[str, dict[str, Derivation]]


@overload
def hessian(system: System, *, of: Named, wrt: Named) -> Derivation: ...


@overload
def hessian(system: System, *, of: Named, wrt: tuple[Named, ...] | list[Named]) -> Blocks: ...


@bounded
def hessian(
    system: System, *, of: Named, wrt: Named | tuple[Named, ...] | list[Named]
) -> Derivation | Blocks:
    """∂²of/∂wrt∂wrt for all sizes, by differentiating the gradient.

    The result has the indices of `of`, then those of `wrt` twice.  For several names it is a dict
    of dicts with the blocks ∂²of/∂x∂y as result[x][y].  Where a scalar is made of them through many
    definitions, or by a formula of thousands of factors, the derivatives of definitions stay
    definitions, in `given`.  Raises DefinitionError for unknown names and when `of` is an input.
    """
    m, of = evaluated(system), called(of)
    names = names_of(m, of, wrt)
    levels = 0 if m.bodies[of].indices else max(depth(m, of, n) for n in names)
    blocks = None if levels > STAGED else _blocks(m, of, names, LONG if levels > FORMULA else None)
    if blocks is None:
        blocks = blocks_in_stages(m, of, names)
    return blocks if isinstance(wrt, tuple | list) else blocks[names[0]][names[0]]


def _blocks(m: Model, of: str, names: Sequence[str], most: int | None) -> Blocks | None:
    """Every block by a formula of its own; None where one has more nodes than `most`."""
    blocks: Blocks = {x: {} for x in names}
    for x in names:
        for y in names:
            block = blocks[x][y] = _block(m, of, x, y)
            if most is not None and extent(block.raw) > most:
                return None
    return blocks


def _block(m: Model, of: str, x: str, y: str) -> Derivation:
    """∂²of/∂x∂y."""
    letters = Letters(m)
    body, tensor = m.bodies[of], m.tensor(y)
    first, second = _letter_pairs(m, letters, body.indices, m.tensor(x), tensor)
    gradient = jacobian_of(m, letters, body.ref, Ref(m.tensor(x), first))
    component = Ref(
        partial_tensor(gradient.component.tensor, tensor), (*gradient.component.slots, *second)
    )
    return _differentiated(m, letters, gradient, component, Ref(tensor, second), None)


@bounded
def hvp(system: System, *, of: Named, wrt: Named) -> Derivation:
    """Σ_n ∂²of/∂wrt_m∂wrt_n ẇ_n with the tangent wrt_dot, never forming the Hessian.

    The result is the tangent of the gradient, (wrt_bar)_dot, with the indices of `of` followed by
    those of `wrt`.  Where a scalar is made of `wrt` through many definitions, what it is made of
    stays definitions, in `given`: their tangents, their adjoints and the tangents of these.  Raises
    DefinitionError for unknown names, for more than one, and when `of` is an input.
    """
    m, of = evaluated(system), called(of)
    names = names_of(m, of, wrt)
    if len(names) != 1:
        raise DefinitionError(
            "hvp() takes one name",
            expected=f"one of {', '.join(names)}",
            got=str(names),
            mend=f"take the blocks of hessian(system, of={of!r}, wrt={names})",
        )
    (name,) = names
    letters = Letters(m)
    body = m.bodies[of]
    tensor = m.tensor(name)
    if not body.indices and depth(m, of, name) > FORMULA:
        return product_in_stages(m, letters, of, name)
    first, _ = _letter_pairs(m, letters, body.indices, tensor, tensor)
    gradient = jacobian_of(m, letters, body.ref, Ref(tensor, first))
    component = Ref(m.second(gradient.component.tensor, tensor), gradient.component.slots)
    return _differentiated(m, letters, gradient, component, Ref(tensor, ()), m.tangent(tensor))


def _letter_pairs(
    m: Model, letters: Letters, own: Sequence[Index], x: Tensor, y: Tensor
) -> tuple[list[Index], list[Index]]:
    """Letters for two derivatives: those that the tensors have in the definitions, and more."""
    taken = {i.name for i in own}
    first = _letters_of(m, letters, x, taken)
    taken |= {i.name for i in first}
    return first, letters.more(first, taken) if y is x else _letters_of(m, letters, y, taken)


def _letters_of(m: Model, letters: Letters, tensor: Tensor, taken: set[str]) -> list[Index]:
    found = [i for i in letters.own(tensor, m) if i.name not in taken]
    return found if len(found) == len(tensor.shape) else letters.outer(tensor.shape, taken)


def _differentiated(
    m: Model, letters: Letters, gradient: Derivation, component: Ref, wrt: Ref, dot: Tensor | None
) -> Derivation:
    """The derivative of a gradient: with respect to `wrt`, or along the tangent `dot` of it."""
    avoid = tuple(i for i in component.free)
    record = Record(raw_atom(component))

    def along(r: Ref, exact: bool) -> Poly:
        return _along(m, wrt, dot, r, exact)

    name = gradient.component.tensor
    record.step(
        f"differentiate `{name.name}`",
        letters.plain(differentiate(gradient.normal, lambda r: along(r, False), wrt.free), avoid),
    )
    normal = differentiate(gradient.normal, lambda r: along(r, True), wrt.free)
    record.step("insert the derivatives of named definitions", letters.plain(normal, avoid))
    normal = recognised(m, letters, record, normal, avoid)

    return Derivation(
        m.system,
        component,
        normal,
        letters.show(normal, avoid),
        tuple(record.steps),
        (gradient,),
        along=(wrt.tensor.name,) if dot else (),
        readings=(Reading(_twice, m.system, (component.tensor, name, wrt, dot)),),
    )


def _along(m: Model, wrt: Ref, dot: Tensor | None, r: Ref, exact: bool) -> Poly:
    """The derivative of a component: with respect to `wrt`, or along its tangent `dot`."""
    if r.tensor.parts:
        return component_derivative(r, wrt)
    depends = r.tensor is wrt.tensor or (
        r.tensor.name in m.bodies and wrt.tensor.name in m.uses(r.tensor.name)
    )
    if not depends:
        return ZERO
    if dot is None:
        return total_derivative(m, r, wrt) if exact else raw_atom(partial(r, wrt))
    if r.tensor is wrt.tensor:
        return raw_atom(Ref(dot, r.slots))
    if exact:
        return _fold_tangent(m, r, wrt.tensor)
    return raw_atom(Ref(m.tangent(r.tensor), r.slots))


def _twice(
    m: Model, second: Tensor, first: Tensor, wrt: Ref, dot: Tensor | None, poly: Poly
) -> Poly:
    """The expression with derivatives of derivatives evaluated, and those along a tangent."""

    def value(of: Ref, by: Ref) -> Poly:
        if of.tensor.parts:
            inner = total_derivative(m, *split_partial(of))
            return differentiate(m.inline(inner), lambda r: total_derivative(m, r, by), by.free)
        return total_derivative(m, of, by)

    def rule(atom: Any) -> Poly | None:
        if not isinstance(atom, Ref) or dot is None:
            return None
        if atom.tensor is second:
            inner = total_derivative(m, *split_partial(Ref(first, atom.slots)))
            return differentiate(m.inline(inner), lambda r: _along(m, wrt, dot, r, True), wrt.free)
        if atom.tensor.role == "tangent" and atom.tensor is not dot:
            return total_tangent(m, Ref(atom.tensor.of[0], atom.slots), wrt.tensor.name)
        return None

    return evaluate_partials(nf.rewrite(poly, rule), value)


def _fold_tangent(m: Model, r: Ref, wrt: Tensor) -> Poly:
    """The tangent of a definition along that of `wrt`, definitions recognised."""
    if r.tensor is wrt:
        return raw_atom(Ref(m.tangent(wrt), r.slots))
    body = m.bodies.get(r.tensor.name)
    if body is None or wrt.name not in m.uses(r.tensor.name):
        return ZERO
    inside = differentiate(body.at(r.slots), lambda x: _fold_tangent(m, x, wrt), frozenset())
    return m.fold(inside, r.tensor.name)
