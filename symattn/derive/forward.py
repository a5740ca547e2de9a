"""Forward mode and second order: tangents, Hessians, Hessian-vector products."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, TypeAlias, overload

from .. import normalize as nf
from ..budget import bounded
from ..errors import DefinitionError
from ..ir import (
    ZERO,
    Index,
    Poly,
    Ref,
    Tensor,
    fresh_indices,
    partial_tensor,
    raw_add,
    raw_atom,
    raw_product,
    raw_sum,
    refs,
)
from ..model import Model, evaluated
from ..syntax import System
from .jacobian import jacobian_of
from .record import Derivation, Letters, Reading, Record, in_lines, insert_rule, recognised
from .reverse import direct_derivative, through
from .rules import (
    component_derivative,
    differentiate,
    evaluate_partials,
    partial,
    split_partial,
    total_derivative,
)

FORMULA = 2  # definitions in a row that a product with a Hessian is one formula of


class Tangents(Mapping[str, Derivation]):
    """Derivations of Ẏ by the name of Y, as a forward pass gives them, the output last."""

    def __init__(
        self, system: System, output: str, wrt: Sequence[str], tangents: dict[str, Derivation]
    ) -> None:
        self.system, self.output, self.wrt = system, output, tuple(wrt)
        self.tangents = tangents

    def __getitem__(self, name: str) -> Derivation:
        if name not in self.tangents:
            raise DefinitionError(
                f"no tangent of {name!r} was derived",
                expected="one of " + ", ".join(self.tangents),
                mend="choose a definition between the inputs and the output",
            )
        return self.tangents[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self.tangents)

    def __len__(self) -> int:
        return len(self.tangents)

    def __str__(self) -> str:
        return in_lines(self)

    def latex(self) -> str:
        """All tangents in order, one aligned block each."""
        return "\n\n".join(d.latex() for d in self.tangents.values())

    def _repr_latex_(self) -> str:
        return "\n\n".join(f"$\\displaystyle {d.latex()}$" for d in self.tangents.values())


def _names(m: Model, output: str, wrt: Sequence[str] | str) -> tuple[str, ...]:
    names = (wrt,) if isinstance(wrt, str) else tuple(wrt)
    m.tensor(output)
    if output not in m.bodies:
        raise DefinitionError(
            f"the output {output} is an input of the system",
            expected="one of " + ", ".join(m.bodies),
            mend="choose a definition",
        )
    reached = m.uses(output)
    for name in names:
        m.tensor(name)
        if name not in reached:
            known = sorted(reached & {*m.bodies, *m.inputs})
            raise DefinitionError(
                f"{output} does not depend on {name}",
                expected="one of " + ", ".join(known),
                mend=f"leave {name} out of wrt",
            )
    return names


@bounded
def jvp(system: System, *, output: str, wrt: Sequence[str] | str) -> Tangents:
    """Ẏ = Σ ∂Y/∂X Ẋ for every definition between `wrt` and the output, with tangents Q_dot, ….

    The mapping has a Derivation for every such definition.  Raises DefinitionError for unknown
    names and for names the output does not depend on.
    """
    m = evaluated(system)
    names = _names(m, output, wrt)
    reached = m.uses(output) | {output}
    moving = [n for n in m.bodies if n in reached and n not in names and m.uses(n) & set(names)]
    letters = Letters(m)
    tangents: dict[str, Derivation] = {}
    for name in moving:
        tangents[name] = _tangent(m, letters, name, [*names, *moving], names, tangents)
    return Tangents(system, output, names, tangents)


def _tangent(
    m: Model,
    letters: Letters,
    name: str,
    moving: Sequence[str],
    wrt: Sequence[str],
    known: Mapping[str, Derivation],
) -> Derivation:
    body = m.bodies[name]
    component = Ref(m.tangent(body.tensor), body.indices)
    record = Record(raw_atom(component))
    sources = [n for n in moving if any(m.tensor(n) in r.tensor.named for r in refs(body.normal))]
    taken = {i.name for i in body.indices}
    chain: list[Poly] = []
    shown: list[Poly] = []
    used: dict[str, object] = {}  # a letter stands for one size in all terms
    for source in sources:
        slots = letters.outer(m.tensor(source).shape, taken)
        if any(used.get(i.name, i.size) != i.size for i in slots):
            slots = letters.outer(m.tensor(source).shape, taken | used.keys())
        used |= {i.name: i.size for i in slots}
        x = Ref(m.tensor(source), slots)
        dot = raw_atom(Ref(m.tangent(x.tensor), slots))
        local = letters.show(direct_derivative(m, body.ref, x), (*body.indices, *slots))
        chain.append(raw_sum(slots, raw_product([raw_atom(partial(body.ref, x)), dot])))
        shown.append(raw_sum(slots, raw_product([local, dot])))
    record.step("chain rule", raw_add(chain))
    record.step(insert_rule(m, record.now), raw_add(shown))
    normal = nf.normalize(record.now)
    record.step("sum over `δ`", letters.plain(normal, body.indices))
    normal = recognised(m, letters, record, normal, body.indices, name)
    given = tuple(known[n] for n in sources if n in known)

    return Derivation(
        m.system,
        component,
        normal,
        letters.show(normal, body.indices),
        tuple(record.steps),
        given,
        along=tuple(wrt),
        readings=(Reading(_moved, m.system, (name, component.tensor, tuple(moving))),),
    )


def _moved(m: Model, name: str, tangent: Tensor, moving: Sequence[str], poly: Poly) -> Poly:
    """The expression with Ẏ of the named definition along the tangents of what stands in Y."""

    def rule(atom: Any) -> Poly | None:
        if not isinstance(atom, Ref):
            return None
        if atom.tensor is tangent:
            inside = m.bodies[name].at(atom.slots)
            return differentiate(inside, lambda r: _moving(m, r, moving), frozenset())
        if atom.tensor.parts:
            return direct_derivative(m, *split_partial(atom))
        return None

    return nf.rewrite(poly, rule)


def _moving(m: Model, r: Ref, names: Sequence[str]) -> Poly:
    """Ẋ where X is among the names that move, 0 elsewhere."""
    return nf.ref(m.tangent(r.tensor), r.slots) if r.tensor.name in names else ZERO


def _total_tangent(m: Model, y: Ref, name: str) -> Poly:
    tensor = m.tensor(name)
    slots = fresh_indices(tensor.shape, y.free)
    inner = total_derivative(m, y, Ref(tensor, slots))
    return nf.sum_over(slots, nf.multiply(inner, raw_atom(Ref(m.tangent(tensor), slots))))


# ------------------------------------------------------------------------------------ second order


Blocks: TypeAlias = dict[str, dict[str, Derivation]]


@overload
def hessian(system: System, *, of: str, wrt: str) -> Derivation: ...


@overload
def hessian(system: System, *, of: str, wrt: tuple[str, ...] | list[str]) -> Blocks: ...


@bounded
def hessian(
    system: System, *, of: str, wrt: str | tuple[str, ...] | list[str]
) -> Derivation | Blocks:
    """∂²of/∂wrt∂wrt for all sizes, by differentiating the gradient.

    The result has the indices of `of`, then those of `wrt` twice.  For several names it is a dict
    of dicts with the blocks ∂²of/∂x∂y as result[x][y].  Raises DefinitionError for unknown names
    and when `of` is an input.
    """
    m = evaluated(system)
    if isinstance(wrt, str):
        (name,) = _names(m, of, wrt)
        return _block(m, of, name, name)
    names = _names(m, of, wrt)
    return {x: {y: _block(m, of, x, y) for y in names} for x in names}


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
def hvp(system: System, *, of: str, wrt: str) -> Derivation:
    """Σ_n ∂²of/∂wrt_m∂wrt_n ẇ_n with the tangent wrt_dot, never forming the Hessian.

    The result is the tangent of the gradient, (wrt_bar)_dot, with the indices of `of` followed by
    those of `wrt`.  Where a scalar is made of `wrt` through many definitions, what it is made of
    stays definitions, in `given`: their tangents, their adjoints and the tangents of these.  Raises
    DefinitionError for unknown names, for more than one, and when `of` is an input.
    """
    m = evaluated(system)
    names = _names(m, of, wrt)
    if len(names) != 1:
        raise DefinitionError(
            "hvp() takes one name",
            expected=f"one of {', '.join(names)}",
            got=str(names),
            mend=f"take the blocks of hessian(system, of={of!r}, wrt={names})",
        )
    (wrt,) = names
    letters = Letters(m)
    body = m.bodies[of]
    tensor = m.tensor(wrt)
    if not body.indices and _depth(m, of, wrt) > FORMULA:
        return _in_stages(m, letters, of, wrt)
    first, _ = _letter_pairs(m, letters, body.indices, tensor, tensor)
    gradient = jacobian_of(m, letters, body.ref, Ref(tensor, first))
    component = Ref(m.second(gradient.component.tensor, tensor), gradient.component.slots)
    return _differentiated(m, letters, gradient, component, Ref(tensor, ()), m.tangent(tensor))


def _depth(m: Model, of: str, wrt: str) -> int:
    """How many definitions the longest way from one name to the other goes through."""
    depth = {wrt: 0}
    for name, body in m.bodies.items():
        if name != wrt and wrt in m.uses(name):
            used = {t.name for r in refs(body.normal) for t in r.tensor.named}
            depth[name] = 1 + max(depth[n] for n in used if n in depth)
    return depth[of]


def _in_stages(m: Model, letters: Letters, of: str, wrt: str) -> Derivation:
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
            tangents[other] = _tangent(m, letters, other, [wrt, *moving], (wrt,), tangents)
            moved[m.tensor(other)] = tangents[other].component.tensor
            given.append(tangents[other])
        bar = gradient.component
        dot = Ref(m.second(bar.tensor, m.tensor(name)), bar.slots)
        change = _change(m, letters, gradient, dot, moved, given, wrt)
        given += [gradient, change]
        if change.normal.terms:
            moved[bar.tensor] = dot.tensor
    return change


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
        return nf.substitute(value, dict(zip(component.slots, atom.slots, strict=True)))

    return nf.rewrite(poly, rule)


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
            return _total_tangent(m, Ref(atom.tensor.of[0], atom.slots), wrt.tensor.name)
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
