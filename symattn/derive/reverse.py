"""Reverse mode: adjoints of named definitions, one derivation each."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace

from .. import normalize as nf
from ..budget import bounded
from ..called import Named, all_called, called
from ..errors import DefinitionError
from ..explain.cost import cost
from ..ir import Poly, Ref, Tensor, fresh_indices, raw_add, raw_atom, raw_product, raw_sum, refs
from ..model import Model, evaluated, is_number
from ..syntax import System
from .record import Derivation, Letters, Reading, Record, in_lines, insert_rule, recognised
from .rules import component_derivative, differentiate, evaluate_partials, partial

LOSS = Tensor(
    "𝓛", role="loss"
)  # the scalar that an upstream gradient is the gradient of; users' own is L


class Gradients(Mapping[str, Derivation]):
    """Derivations by the name of the tensor, as a backward pass gives them.

    `adjoints` holds every adjoint on the way, in the order in which they are computed; `upstream`
    is the name of the array that comes in.
    """

    def __init__(
        self,
        system: System,
        output: str,
        wrt: Sequence[str],
        upstream: str,
        adjoints: dict[str, Derivation],
    ) -> None:
        self.system, self.output, self.upstream = system, output, upstream
        self.wrt, self.adjoints = tuple(wrt), adjoints

    def __getitem__(self, name: str) -> Derivation:
        if name not in self.wrt:
            raise DefinitionError(
                f"no gradient with respect to {name!r} was derived",
                expected="one of " + ", ".join(self.wrt),
                mend=f'name it in wrt=(…, "{name}")',
            )
        return self.adjoints[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self.wrt)

    def __len__(self) -> int:
        return len(self.wrt)

    def __str__(self) -> str:
        return in_lines(self)

    def __repr__(self) -> str:
        return f"Gradients(of {self.output} by {', '.join(self.wrt)})"

    def latex(self) -> str:
        """All adjoints in the order of the backward pass, one aligned block each."""
        return "\n\n".join(d.latex() for d in self.adjoints.values() if d.recorded)

    def _repr_latex_(self) -> str:
        return "\n\n".join(
            f"$\\displaystyle {d.latex()}$" for d in self.adjoints.values() if d.recorded
        )


@bounded
def backward(
    system: System, *, output: Named, wrt: Sequence[Named] | Named | None = None
) -> Gradients:
    """X̄ = Σ Ȳ ∂Y/∂X for every X in `wrt`, with the upstream gradient `output`_bar.

    Where `wrt` is left out, by every input that the output is made of.

    The mapping has a Derivation for every name in `wrt`, input or intermediate.  The gradient
    with respect to a tensor declared symmetric is that of its independent part, symmetrised.
    Raises DefinitionError for unknown names and for names the output does not depend on.
    """
    m, output = evaluated(system), called(output)
    if output not in m.bodies:
        m.tensor(output)
        raise DefinitionError(
            f"the output {output} is an input of the system",
            expected="one of " + ", ".join(m.bodies),
            mend="choose a definition",
        )
    reached = m.uses(output) | {output}
    inputs = [n for n, t in m.inputs.items() if n in reached and not is_number(t)]
    names = tuple(inputs) if wrt is None else all_called(wrt)
    for name in names:
        m.tensor(name)
        if name not in reached:
            raise DefinitionError(
                f"{output} does not depend on {name}",
                expected="one of " + ", ".join(sorted(reached & {*m.bodies, *m.inputs})),
                mend=f"leave {name} out of wrt",
            )
    order = [n for n in reversed(m.bodies) if n in reached]
    order += [n for n in names if n not in m.bodies]
    asked = frozenset(names)
    needed = [n for n in order if n in asked or (n in m.bodies and not asked.isdisjoint(m.uses(n)))]
    users: dict[Tensor, list[str]] = {}
    for user in (n for n in needed if n in m.bodies):
        for tensor in dict.fromkeys(t for r in refs(m.bodies[user].normal) for t in r.tensor.named):
            users.setdefault(tensor, []).append(user)
    letters = Letters(m)
    adjoints: dict[str, Derivation] = {}
    upstream = m.adjoint(m.tensor(output))
    for name in needed:
        adjoints[name] = _adjoint(m, letters, name, output, adjoints, users, asked)
    for name, others in _beside([adjoints[n] for n in names if n not in m.bodies]).items():
        adjoints[name] = replace(adjoints[name], beside=others)
    return Gradients(system, output, names, upstream.name, adjoints)


def _beside(inputs: Sequence[Derivation]) -> dict[str, tuple[Derivation, ...]]:
    """For every adjoint of an input shorter ones of no more axes, b̄ in W̄ = b̄ u^⊤."""
    ranked = sorted(inputs, key=lambda d: cost(d.normal))
    return {
        d.component.tensor.of[0].name: tuple(
            o
            for o in ranked[:k]
            if 0 < len(o.indices) <= len(d.indices) and cost(o.normal) < cost(d.normal)
        )
        for k, d in enumerate(ranked)
    }


def _adjoint(
    m: Model,
    letters: Letters,
    name: str,
    output: str,
    adjoints: Mapping[str, Derivation],
    uses: Mapping[Tensor, Sequence[str]],
    asked: frozenset[str],
) -> Derivation:
    tensor = m.tensor(name)
    x = Ref(tensor, letters.own(tensor, m))
    component = Ref(m.adjoint(tensor), x.slots)
    if name == output:
        upstream = raw_atom(component)
        return Derivation(m.system, component, upstream, upstream, (), output=output)
    users = [n for n in uses.get(tensor, ()) if n in adjoints]
    record = Record(raw_atom(partial(Ref(LOSS), x)))
    chain, shown = through(
        m, letters, x, users, lambda y: raw_atom(Ref(m.adjoint(y.tensor), y.slots))
    )
    record.step("chain rule", chain)
    record.step(insert_rule(m, record.now), shown)
    normal = nf.normalize(record.now)
    record.step("sum over `δ`", letters.plain(normal, x.free))
    normal = recognised(m, letters, record, normal, tuple(x.free))

    given = tuple(adjoints[u] for u in users if adjoints[u].recorded)
    return Derivation(
        m.system,
        component,
        normal,
        letters.show(normal, x.free),
        tuple(record.steps),
        given,
        output,
        readings=(Reading(_locally, m.system, (output,)),),
        asked=asked,
    )


def through(
    m: Model, letters: Letters, x: Ref, users: Sequence[str], bar: Callable[[Ref], Poly]
) -> tuple[Poly, Poly]:
    """Σ_Y Ȳ ∂Y/∂x over the definitions that x stands in, as it is and with ∂Y/∂x evaluated."""
    chain: list[Poly] = []
    shown: list[Poly] = []
    taken = {i.name for i in x.free}
    used: dict[str, object] = {}  # a letter stands for one size in all terms
    for user in users:
        slots = letters.outer(m.tensor(user).shape, taken)
        if any(used.get(i.name, i.size) != i.size for i in slots):
            slots = letters.outer(m.tensor(user).shape, taken | used.keys())
        used |= {i.name: i.size for i in slots}
        y = Ref(m.tensor(user), slots)
        local = letters.show(direct_derivative(m, y, x), (*x.free, *y.free))
        for factor, parts in ((raw_atom(partial(y, x)), chain), (local, shown)):
            parts.append(raw_sum(slots, raw_product([bar(y), factor])))
    return raw_add(chain), raw_add(shown)


def _locally(m: Model, output: str, poly: Poly) -> Poly:
    return evaluate_partials(
        poly,
        lambda of, wrt: (
            pulled_back(m, wrt, output) if of.tensor is LOSS else direct_derivative(m, of, wrt)
        ),
    )


def direct_derivative(m: Model, of: Ref, wrt: Ref) -> Poly:
    """∂of/∂wrt where only the definition of `of` itself is differentiated."""
    body = m.bodies[of.tensor.name]
    value = concerned(body.at(of.slots), wrt.tensor)
    inside = differentiate(value, lambda r: component_derivative(r, wrt), wrt.free)
    return m.fold(inside, of.tensor.name)


def concerned(poly: Poly, wrt: Tensor) -> Poly:
    """The terms whose derivative by a tensor may be other than 0, or is not known."""
    return Poly(
        {t: c for t, c in poly if any(r.tensor.parts or wrt in r.tensor.named for r in refs(t))}
    )


def pulled_back(m: Model, x: Ref, output: str) -> Poly:
    """∂/∂x of Σ_Y Ȳ Y over the definitions Y in which x stands, everything else held fixed."""
    reached = m.uses(output) | {output}
    parts = []
    for name, body in m.bodies.items():
        if name not in reached or all(x.tensor not in r.tensor.named for r in refs(body.raw)):
            continue
        slots = fresh_indices(body.tensor.shape, x.free)
        local = differentiate(body.at(slots), lambda r: component_derivative(r, x), x.free)
        bar = nf.ref(m.adjoint(body.tensor), slots)
        parts.append(nf.sum_over(slots, nf.multiply(bar, local)))
    return nf.add(*parts)
