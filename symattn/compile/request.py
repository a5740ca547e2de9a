"""What was asked for, in the IR: results by name, and what they are computed from."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import sympy as sp

from ..convert import definition_letters, lower, raise_
from ..derive import Derivation, Gradients
from ..errors import DefinitionError, UnsupportedError
from ..ir import Index, Poly, Ref, Tensor, raw_atom, refs
from ..model import evaluated, model, tensor_of
from ..normalize import rewrite
from ..syntax import Definition, System
from .entry import Entry

Results = dict[str, "Entry | Results"]  # a tree of what is returned, by name


@dataclass(frozen=True)
class Formula:
    """left = right as it is computed, and the definition or the derivative that it is of."""

    left: Ref
    letters: tuple[Index, ...]
    right: Poly
    of: Definition | Derivation = field(compare=False)
    system: System = field(compare=False)

    def __str__(self) -> str:
        from ..explain import formula_latex

        return formula_latex(self.left, self.letters, self.right)

    def shown(self) -> str:
        """The formula as it is printed, in the author's notation."""
        from ..explain import stated_latex

        if isinstance(self.of, Derivation):
            return self.of.equation()
        return stated_latex(self.of, self.system)


@dataclass(frozen=True)
class Request:
    """The results by name, what they are computed from, and the formulas."""

    results: Results | Entry
    entries: dict[Tensor, Entry]
    letters: dict[sp.Expr, list[str]]
    formulas: tuple[Formula, ...]
    name: str
    derived: dict[Tensor, Derivation]  # entries that are derivatives
    own: list[str]  # the inputs of the systems in order of use; upstream gradients are others
    spare: dict[str, tuple[sp.Expr, ...]]  # what may come in: these, tangents, upstream gradients
    units: frozenset[str]  # the upstream gradients of numbers, 1 where they are left out

    def leaves(self) -> list[Entry]:
        """Every result, in order."""
        return _leaves(self.results)

    def printed(self) -> list[str]:
        """The formulas as LaTeX."""
        return list(dict.fromkeys(map(str, self.formulas)))

    def shown(self) -> list[str]:
        """The formulas as they are printed, in the author's notation."""
        return list(dict.fromkeys(f.shown() for f in self.formulas))


def _leaves(tree: Any) -> list[Entry]:
    return [tree] if isinstance(tree, Entry) else [e for t in tree.values() for e in _leaves(t)]


def request(what: Any, output: str | None, given: System | None) -> Request:
    """What `compile` is asked for, in the IR.

    Raises UnsupportedError for other objects, DefinitionError for names that nothing defines.
    """
    entries: dict[Tensor, Entry] = {}
    formulas: list[Formula] = []
    systems: list[System] = []
    derived: dict[Tensor, Derivation] = {}
    if given is not None:
        _enter_system(given, entries, systems)
    coming = _coming(what)
    results, name = _read(what, output, given, entries, formulas, systems, derived, coming)
    letters = definition_letters(d for s in systems for d in s)
    own = list(dict.fromkeys(n for s in systems for n in _input_order(s)))
    spare = {t.name: t.shape for s in systems for t in evaluated(s).inputs.values()}
    spare |= {t.name: t.shape for t in coming}
    stated = tuple(dict.fromkeys(formulas))
    units = frozenset(t.name for t in coming if t.role == "adjoint" and not t.shape)
    return Request(results, entries, letters, stated, name, derived, own, spare, units)


def _enter_system(system: System, entries: dict[Tensor, Entry], systems: list[System]) -> None:
    for body in evaluated(system).bodies.values():
        entries[body.tensor] = Entry(body.tensor, body.indices, body.raw)
    if system not in systems:
        systems.append(system)


def _formulas(system: System, output: str = "") -> list[Formula]:
    """The definitions as they are written, of an output those that it uses."""
    bodies = list(model(system).bodies.values())
    if output in system.definitions:
        used = evaluated(system).uses(output) | {output}
        bodies = [b for b in bodies if b.tensor.name in used]
    return [
        Formula(
            Ref(Tensor(b.tensor.name, b.tensor.shape), b.indices),
            b.indices,
            b.raw,
            system[b.tensor.name],
            system,
        )
        for b in bodies
    ]


def _read(
    what: Any,
    output: str | None,
    given: System | None,
    entries: dict[Tensor, Entry],
    formulas: list[Formula],
    systems: list[System],
    derived: dict[Tensor, Derivation],
    coming: frozenset[Tensor],
) -> tuple[Results | Entry, str]:
    if isinstance(what, Mapping) and not isinstance(what, Gradients):
        tree: Results = {}
        for key, part in what.items():
            tree[str(key)] = _read(
                part, output, given, entries, formulas, systems, derived, coming
            )[0]
        return tree, "compute_" + "_and_".join(tree)
    if isinstance(what, list | tuple):
        named = {getattr(part, "name", f"result_{k}"): part for k, part in enumerate(what)}
        if len(named) < len(what):
            raise DefinitionError(
                "two results have the same name", mend="give a dict with a name for each"
            )
        return _read(named, output, given, entries, formulas, systems, derived, coming)
    if isinstance(what, System):
        if output is None:
            last = [t.name for t in evaluated(what).outputs]
            if len(last) != 1:
                raise DefinitionError(
                    "a system has many definitions: which one is the output?",
                    expected="one of " + ", ".join(what.definitions),
                    mend='write compile(system, output="…")',
                )
            (output,) = last
        _enter_system(what, entries, systems)
        definition = what[output]
        formulas += _formulas(what, output)
        return entries[tensor_of(definition.tensor)], f"compute_{definition.name}"
    if isinstance(what, Definition):
        if given is not None:
            formulas += _formulas(given)
        known = {} if given is None else model(given).known
        raw = lower(what.expr, what.indices, formula=what.__str__, known=known)
        letters = tuple(Index(i.name, n) for i, n in zip(what.indices, what.shape, strict=True))
        tensor = tensor_of(what.tensor)
        entries[tensor] = Entry(tensor, letters, raw)
        whole = given or System()
        if what.name not in whole.definitions:
            whole = whole.extended(what)
        systems.append(whole)
        left = Ref(Tensor(what.name, what.shape), letters)
        formulas.append(Formula(left, letters, raw, what, whole))
        return entries[tensor], f"compute_{what.name}"
    names: dict[Tensor, Tensor] = {}
    if isinstance(what, Gradients):
        _enter_system(what.system, entries, systems)
        formulas += _formulas(what.system, what.output)
        for adjoint in what.adjoints.values():
            if adjoint.recorded:
                _enter(adjoint, names, coming, entries, formulas, derived)
        return {
            name: _enter(what[name], names, coming, entries, formulas, derived) for name in what
        }, (f"backward_{what.output}")
    if isinstance(what, Derivation):
        _enter_system(what.system, entries, systems)
        formulas += _formulas(what.system)
        for part in _given(what):
            _enter(part, names, coming, entries, formulas, derived)
        return _enter(what, names, coming, entries, formulas, derived), f"compute_{what.name}"
    raise UnsupportedError(
        f"compile() takes no {type(what).__name__}",
        got=repr(what)[:200],
        expected="a System, a Definition, a Derivation, the result of backward(), or a list or "
        "dict of these",
        mend="wrap an expression: define('D', (i,), expression)",
    )


def _given(derivation: Derivation) -> list[Derivation]:
    """What stands in a derivation by name, each once and after what stands in it."""
    found: dict[Derivation, None] = {}
    left = [(part, False) for part in reversed(derivation.given)]
    while left:
        part, done = left.pop()
        if done:
            found[part] = None
        elif part not in found:
            left += [(part, True), *((inner, False) for inner in reversed(part.given))]
    return list(found)


def _enter(
    derivation: Derivation,
    names: dict[Tensor, Tensor],
    coming: frozenset[Tensor],
    entries: dict[Tensor, Entry],
    formulas: list[Formula],
    derived: dict[Tensor, Derivation],
) -> Entry:
    component = derivation.component
    if (
        not derivation.recorded
        and derivation.raw.single
        and component in dict(derivation.raw.single[0])
    ):
        # the upstream gradient itself
        return Entry(
            Tensor(component.tensor.name, component.tensor.shape, role="stand-in"),
            derivation.indices,
            derivation.raw,
        )
    indices: list[Index] = []
    for slot in component.slots:
        if not isinstance(slot, Index) or slot in indices:
            raise UnsupportedError(
                f"{component} is not a tensor with one letter for each axis",
                got=str(raise_(derivation.raw)),
            )
        indices.append(slot)
    tensor, raw = _apart(derivation, names, derived, coming)
    adjoint = tensor.of[0].name if tensor.role == "adjoint" else ""
    entry = Entry(tensor, tuple(indices), raw, adjoint=adjoint)
    entries[tensor] = entry
    derived[tensor] = derivation
    formulas.append(
        Formula(component, derivation.indices, derivation.raw, derivation, derivation.system)
    )
    return entry


def _apart(
    derivation: Derivation,
    names: dict[Tensor, Tensor],
    derived: Mapping[Tensor, Derivation],
    coming: frozenset[Tensor],
) -> tuple[Tensor, Poly]:
    """The tensor of a derivative, and its expression, under names that no other derivative has.

    The tangent of a definition is another one along another input, and so are adjoints of
    different outputs; what is derived here may come in there.  `names` are the tensors of what
    goes together, `coming` the tangents and upstream gradients that come in.
    """
    tensor, raw = derivation.component.tensor, derivation.raw
    if any(names.get(r.tensor, r.tensor) is not r.tensor for r in refs(raw)):

        def rule(atom: Any) -> Poly | None:
            if isinstance(atom, Ref) and atom.tensor in names:
                return raw_atom(Ref(names[atom.tensor], atom.slots))
            return None

        raw = rewrite(raw, rule)
    if tensor not in names:
        known, k = tensor, 1
        while known in coming or (
            known in derived
            and (derived[known].normal is not derivation.normal or raw is not derivation.raw)
        ):
            k += 1
            name = f"{tensor.name}_{k}"
            symbol = None if tensor.shape else sp.Symbol(name, real=True)
            known = Tensor(
                name,
                tensor.shape,
                symmetry=tensor.symmetry,
                symbol=symbol,
                role=tensor.role,
                of=tensor.of,
            )
        names[tensor] = known
    return names[tensor], raw


def _coming(what: Any) -> frozenset[Tensor]:
    """The upstream gradients and the tangents that come in."""
    if isinstance(what, Mapping) and not isinstance(what, Gradients):
        return frozenset().union(*map(_coming, what.values()))
    if isinstance(what, list | tuple):
        return frozenset().union(*map(_coming, what))
    if not isinstance(what, Gradients | Derivation):
        return frozenset()
    m = evaluated(what.system)
    along = what.along if isinstance(what, Derivation) else ()
    upstream = [m.adjoint(m.tensor(what.output))] if what.output else []
    return frozenset([*upstream, *(m.tangent(m.tensor(n)) for n in along)])


def _input_order(system: System) -> list[str]:
    """Inputs in the order of the definitions, within one in the order of its letters."""
    m = evaluated(system)
    found: dict[str, None] = {}
    for body in m.bodies.values():
        place = {i: k for k, i in enumerate(body.indices)}
        used = sorted(
            refs(body.raw),
            key=lambda r: min((place.get(i, len(place)) for i in r.free), default=len(place)),
        )
        names = (t.name for r in used for t in r.tensor.named)
        found.update((name, None) for name in names if name in m.inputs)
    return list(found)


__all__ = ["Request", "Results", "request"]
