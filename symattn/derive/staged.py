"""Second order in stages: what a function is made of stays definitions, and so do the derivatives.

Written out, a second derivative is a sum over all ways through the definitions.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from .. import normalize as nf
from ..ir import (
    ZERO,
    Index,
    Poly,
    Ref,
    Tensor,
    partial_tensor,
    raw_atom,
    refs,
)
from ..model import Model
from .forward import tangent
from .record import Derivation, Letters, Reading, Record, recognised
from .reverse import through
from .rules import (
    component_derivative,
    differentiate,
    partial,
)


def depth(m: Model, of: str, wrt: str) -> int:
    """How many definitions the longest way from one name to the other goes through."""
    depth = {wrt: 0}
    for name, body in m.bodies.items():
        if name != wrt and wrt in m.uses(name):
            used = {t.name for r in refs(body.normal) for t in r.tensor.named}
            depth[name] = 1 + max(depth[n] for n in used if n in depth)
    return depth[of]


def product_in_stages(m: Model, letters: Letters, of: str, wrt: str) -> Derivation:
    """The tangent of every adjoint of a backward pass, each from those before it.

    Tangents go forward, adjoints backward, and tangents of adjoints after them; written out they
    would be sums over all ways through the definitions.
    """
    moving = [n for n in m.bodies if n != wrt and wrt in m.uses(n)]
    path = [n for n in moving if n == of or n in m.uses(of)]
    y = m.bodies[of].ref
    tangents: dict[str, Derivation] = {}
    moved = {m.tensor(wrt): m.tangent(m.tensor(wrt))}
    given: list[Derivation] = []
    for name in [*path[-2::-1], wrt]:
        users = [n for n in path[::-1] if _stands_in(m, m.tensor(name), n)]
        gradient = _gradient(m, letters, y, m.tensor(name), users, given)
        # what is recognised in a gradient may be a definition that the output is not made of
        named = {t.name for r in refs(gradient.normal) for t in r.tensor.named}
        needed = named.union(*(m.uses(n) for n in named if n in m.bodies))
        for other in (n for n in moving if n in needed and n not in tangents):
            tangents[other] = tangent(m, letters, other, [wrt, *moving], (wrt,), tangents)
            moved[m.tensor(other)] = tangents[other].component.tensor
            given.append(tangents[other])
        bar = gradient.component
        dot = Ref(m.second(bar.tensor, m.tensor(name)), bar.slots)
        change = _change(m, letters, gradient, dot, moved, given, wrt)
        given += [gradient, change]
        if change.normal.terms:
            moved[bar.tensor] = dot.tensor
    return change


def blocks_in_stages(m: Model, of: str, names: Sequence[str]) -> dict[str, dict[str, Derivation]]:
    """∂²of/∂x∂y of a scalar for all x and y: ∂u/∂y go forward through the definitions u, ∂of/∂u
    backward, and ∂²of/∂u∂y after them."""
    letters = Letters(m)
    path = [
        n for n in m.bodies
        if (n == of or n in m.uses(of)) and not m.uses(n).isdisjoint(names)
    ]  # fmt: skip
    gradients: list[Derivation] = []
    for name in [*path[-2::-1], *(n for n in names if n not in path)]:
        users = [n for n in path[::-1] if _stands_in(m, m.tensor(name), n)]
        made = _gradient(m, letters, m.bodies[of].ref, m.tensor(name), users, gradients)
        gradients.append(made)
    columns = {y: _column(m, letters, gradients, y) for y in names}
    return {x: {y: columns[y][m.tensor(x)] for y in names} for x in names}


def _column(
    m: Model, letters: Letters, gradients: Sequence[Derivation], y: str
) -> dict[Tensor, Derivation]:
    """∂/∂y of all gradients, by what these are with respect to."""
    tensor = m.tensor(y)
    taken = {i.name for g in gradients for i in g.component.free}
    at = Ref(tensor, letters.outer(tensor.shape, taken))
    known: dict[Tensor, Derivation] = {}  # what changes with y, and how

    def along(r: Ref) -> Poly:
        if r.tensor is tensor:
            return component_derivative(r, at)
        made = known.get(r.tensor)
        if made is None:
            return ZERO
        return nf.ref(partial_tensor(r.tensor, tensor), (*r.slots, *at.slots))

    def derived(what: str, component: Ref, poly: Poly, name: str = "") -> Derivation:
        record = Record(raw_atom(component))
        normal = differentiate(poly, along, at.free)
        record.step(f"differentiate {what}", letters.plain(normal, component.free))
        whole = recognised(m, letters, record, normal, component.free, name)
        return Derivation(
            m.system,
            component,
            whole,
            letters.show(whole, component.free),
            tuple(record.steps),
            _named_in(whole, list(known.values())),
            readings=(Reading(_written_out, m.system, (component, normal)),),
        )

    named = {t.name for g in gradients for r in refs(g.normal) for t in r.tensor.named}
    needed = named.union(*(m.uses(n) for n in named if n in m.bodies))
    for name, body in m.bodies.items():
        if name in needed and name != y and y in m.uses(name):
            what = f"the definition of `{name}`"
            known[body.tensor] = derived(what, partial(body.ref, at), body.normal, name)
    found: dict[Tensor, Derivation] = {}
    for gradient in gradients:
        first = gradient.component
        component = Ref(partial_tensor(first.tensor, tensor), (*first.slots, *at.slots))
        ((held,),) = (term.powers for term, _ in nf.ref(component.tensor, component.slots))
        assert isinstance(held, Ref)
        for of_both in dict.fromkeys((held, component)):  # derivatives commute: by their names
            made = derived(f"`{gradient.name}`", of_both, gradient.normal)
            named_there = _named_in(made.normal, [*gradients, *known.values()])
            made = replace(made, given=(gradient, *named_there))
            if of_both is held and made.normal.terms:
                known[first.tensor] = made
        found[first.tensor.of[1]] = made
    return found


def _stands_in(m: Model, x: Tensor, name: str) -> bool:
    return any(x in r.tensor.named for r in refs(m.bodies[name].normal))


def _named_in(poly: Poly, known: Sequence[Derivation]) -> tuple[Derivation, ...]:
    used = {r.tensor for r in refs(poly)}
    return tuple(d for d in known if d.component.tensor in used)


def _gradient(
    m: Model, letters: Letters, y: Ref, x: Tensor, users: Sequence[str], known: list[Derivation]
) -> Derivation:
    """∂y/∂x from ∂y/∂u of the definitions u that x stands in."""
    at = Ref(x, letters.own(x, m))
    component = partial(y, at)

    def bar(u: Ref) -> Poly:
        return nf.ONE if u.tensor is y.tensor else raw_atom(partial(y, u))

    record = Record(raw_atom(component))
    record.step("chain rule", through(m, letters, at, users, bar)[1])
    expanded = nf.normalize(record.now)
    record.step("sum over `δ`", letters.plain(expanded, at.free))
    normal = recognised(m, letters, record, expanded, at.free)
    return Derivation(
        m.system,
        component,
        normal,
        letters.show(normal, at.free),
        tuple(record.steps),
        _named_in(normal, known),
        readings=(Reading(_written_out, m.system, (component, expanded)),),
    )


def _change(
    m: Model,
    letters: Letters,
    gradient: Derivation,
    dot: Ref,
    moved: Mapping[Tensor, Tensor],
    known: Sequence[Derivation],
    wrt: str,
) -> Derivation:
    """The tangent of a gradient along those of all that stands in it."""

    def along(r: Ref) -> Poly:
        return nf.ref(moved[r.tensor], r.slots) if r.tensor in moved else ZERO

    record = Record(raw_atom(dot))
    normal = differentiate(gradient.normal, along, frozenset())
    record.step(f"differentiate `{gradient.name}`", letters.plain(normal, dot.free))
    return Derivation(
        m.system,
        dot,
        normal,
        letters.show(normal, dot.free),
        tuple(record.steps),
        _named_in(normal, known),
        along=(wrt,),
        readings=(Reading(_written_out, m.system, (dot, normal)),),
    )


def _written_out(m: Model, component: Ref, value: Poly, poly: Poly) -> Poly:
    """The expression with the value of a component in its place."""

    def rule(atom: Any) -> Poly | None:
        if not isinstance(atom, Ref) or atom.tensor is not component.tensor:
            return None
        letters = (i for i in component.slots if isinstance(i, Index))
        return nf.substitute(value, dict(zip(letters, atom.slots, strict=True)))

    return nf.rewrite(poly, rule)
