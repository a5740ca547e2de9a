"""Forward mode: tangents."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from .. import normalize as nf
from ..budget import bounded
from ..called import Named, all_called, called
from ..errors import DefinitionError
from ..ir import (
    ZERO,
    Poly,
    Ref,
    Tensor,
    fresh_indices,
    raw_add,
    raw_atom,
    raw_product,
    raw_sum,
    refs,
)
from ..model import Model, evaluated
from ..syntax import System
from .record import Derivation, Letters, Reading, Record, in_lines, insert_rule, recognised
from .reverse import direct_derivative
from .rules import (
    differentiate,
    partial,
    split_partial,
    total_derivative,
)


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

    def __repr__(self) -> str:
        return f"Tangents(of {self.output} along {', '.join(self.wrt)})"

    def latex(self) -> str:
        """All tangents in order, one aligned block each."""
        return "\n\n".join(d.latex() for d in self.tangents.values())

    def _repr_latex_(self) -> str:
        return "\n\n".join(f"$\\displaystyle {d.latex()}$" for d in self.tangents.values())


def names_of(m: Model, output: str, wrt: Sequence[Named] | Named) -> tuple[str, ...]:
    names = all_called(wrt)
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
def jvp(system: System, *, output: Named, wrt: Sequence[Named] | Named) -> Tangents:
    """Ẏ = Σ ∂Y/∂X Ẋ for every definition between `wrt` and the output, with tangents Q_dot, ….

    The mapping has a Derivation for every such definition.  Raises DefinitionError for unknown
    names and for names the output does not depend on.
    """
    m, output = evaluated(system), called(output)
    names = names_of(m, output, wrt)
    reached = m.uses(output) | {output}
    moving = [n for n in m.bodies if n in reached and n not in names and m.uses(n) & set(names)]
    letters = Letters(m)
    tangents: dict[str, Derivation] = {}
    for name in moving:
        tangents[name] = tangent(m, letters, name, [*names, *moving], names, tangents)
    return Tangents(system, output, names, tangents)


def tangent(
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


def total_tangent(m: Model, y: Ref, name: str) -> Poly:
    tensor = m.tensor(name)
    slots = fresh_indices(tensor.shape, y.free)
    inner = total_derivative(m, y, Ref(tensor, slots))
    return nf.sum_over(slots, nf.multiply(inner, raw_atom(Ref(m.tangent(tensor), slots))))
