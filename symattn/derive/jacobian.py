"""Jacobians of named definitions by the chain rule."""

from __future__ import annotations

from .. import normalize as nf
from ..budget import bounded
from ..called import Named, called
from ..errors import DefinitionError
from ..ir import ONE, ZERO, Poly, Ref, raw_atom, refs
from ..model import Model, evaluated
from ..syntax import System
from .record import Derivation, Letters, Reading, Record, insert_partials, insert_rule, recognised
from .rules import (
    component_derivative,
    differentiate,
    evaluate_partials,
    partial,
    total_derivative,
    upstream,
)


@bounded
def jacobian(system: System, *, of: Named, wrt: Named) -> Derivation:
    """∂of/∂wrt for all sizes, by the chain rule through the named definitions.

    The result has the indices of `of` followed by those of `wrt`, which are names or the objects
    that bear them.  Raises DefinitionError for unknown names.
    """
    m, of, wrt = evaluated(system), called(of), called(wrt)
    target, variable = m.tensor(of), m.tensor(wrt)
    if of not in m.bodies:
        raise DefinitionError(
            f"{of} is an input and has no definition to differentiate",
            expected="one of " + ", ".join(m.bodies),
            mend="choose a definition",
        )
    if upstream(m, target, variable):
        raise DefinitionError(
            f"{of} does not depend on {wrt}: both follow from the same inputs",
            mend=f"write {of} with {wrt} in its definition, or differentiate by an input",
        )
    letters = Letters(m)
    own = m.bodies[of].indices
    slots = letters.beside(variable, own, m)
    return jacobian_of(m, letters, Ref(target, own), Ref(variable, slots))


def jacobian_of(
    m: Model, letters: Letters, of: Ref, wrt: Ref, known: dict[str, Derivation] | None = None
) -> Derivation:
    """The derivation of ∂of/∂wrt with the letters of both components.

    `known` holds the derivations of definitions on the way, each made once.
    """
    name = of.tensor.name
    body = m.bodies[name]
    avoid = (*of.free, *wrt.free)
    record = Record(raw_atom(partial(of, wrt)))

    def unevaluated(r: Ref) -> Poly:
        if r.tensor.parts:
            return component_derivative(r, wrt)
        if r is wrt and not wrt.slots:
            return ONE
        known = m.bodies.get(r.tensor.name)
        depends = r.tensor is wrt.tensor or (known and wrt.tensor.name in m.uses(r.tensor.name))
        return raw_atom(partial(r, wrt)) if depends else ZERO

    if of.tensor is wrt.tensor:
        opaque = component_derivative(of, wrt)
        record.step("a component by itself", opaque)
    else:
        opaque = differentiate(body.at(of.slots), unevaluated, wrt.free)
        record.step(f"differentiate the definition of `{name}`", letters.plain(opaque, avoid))
    inserted = insert_partials(
        record.now, lambda r, inner: letters.show(total_derivative(m, r, wrt), (*avoid, *inner))
    )
    record.step(insert_rule(m, record.now), inserted)
    expanded = nf.normalize(inserted)
    record.step("sum over `δ`", letters.plain(expanded, avoid))
    normal = recognised(m, letters, record, expanded, avoid, name)
    known = {} if known is None else known
    given = []
    for tensor in dict.fromkeys(r.tensor for r in refs(opaque) if r.tensor.parts):
        inner = tensor.parts[0] if tensor.parts else wrt.tensor
        if inner is not wrt.tensor and inner.name in m.bodies:
            if inner.name not in known:
                component = Ref(inner, letters.apart(m.bodies[inner.name].indices, wrt.free))
                known[inner.name] = jacobian_of(m, letters, component, wrt, known)
            given.append(known[inner.name])
    component = partial(of, wrt)

    return Derivation(
        m.system,
        component,
        normal,
        letters.show(normal, avoid),
        tuple(record.steps),
        tuple(given),
        readings=(Reading(_totally, m.system),),
    )


def _totally(m: Model, poly: Poly) -> Poly:
    return evaluate_partials(poly, lambda r, w: total_derivative(m, r, w))
