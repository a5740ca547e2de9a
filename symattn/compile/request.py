"""What was asked for, in the IR: results by name, and what they are computed from."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import sympy as sp

from ..convert import definition_letters, lower, raise_
from ..derive import Derivation, Gradients
from ..errors import DefinitionError, UnsupportedError
from ..ir import Index, Tensor, refs
from ..model import evaluated, tensor_of
from ..syntax import Definition, System
from .entry import Entry

Results = dict[str, "Entry | Results"]  # a tree of what is returned, by name


@dataclass(frozen=True)
class Request:
    """The results by name, what they are computed from, and the text of the formulas."""

    results: Results | Entry
    entries: dict[Tensor, Entry]
    letters: dict[sp.Expr, list[str]]
    formulas: tuple[str, ...]
    name: str
    derived: dict[Tensor, Derivation]  # entries that are derivatives
    own: list[str]  # the inputs of the systems in order of use; upstream gradients are others

    def leaves(self) -> list[Entry]:
        """Every result, in order."""
        return _leaves(self.results)


def _leaves(tree: Any) -> list[Entry]:
    return [tree] if isinstance(tree, Entry) else [e for t in tree.values() for e in _leaves(t)]


def request(what: Any, output: str | None, given: System | None) -> Request:
    """What `compile` is asked for, in the IR.

    Raises UnsupportedError for other objects, DefinitionError for names that nothing defines.
    """
    entries: dict[Tensor, Entry] = {}
    formulas: list[str] = []
    systems: list[System] = []
    derived: dict[Tensor, Derivation] = {}
    if given is not None:
        _enter_system(given, entries, systems)
    results, name = _read(what, output, given, entries, formulas, systems, derived)
    letters = definition_letters(d for s in systems for d in s)
    own = list(dict.fromkeys(n for s in systems for n in _input_order(s)))
    return Request(results, entries, letters, tuple(dict.fromkeys(formulas)), name, derived, own)


def _enter_system(system: System, entries: dict[Tensor, Entry], systems: list[System]) -> None:
    for body in evaluated(system).bodies.values():
        entries[body.tensor] = Entry(body.tensor, body.indices, body.raw)
    if system not in systems:
        systems.append(system)


def _read(
    what: Any,
    output: str | None,
    given: System | None,
    entries: dict[Tensor, Entry],
    formulas: list[str],
    systems: list[System],
    derived: dict[Tensor, Derivation],
) -> tuple[Results | Entry, str]:
    from ..explain import definition_latex

    if isinstance(what, Mapping) and not isinstance(what, Gradients):
        tree: Results = {}
        for key, part in what.items():
            tree[str(key)] = _read(part, output, given, entries, formulas, systems, derived)[0]
        return tree, "compute_" + "_and_".join(tree)
    if isinstance(what, list | tuple):
        named = {getattr(part, "name", f"result_{k}"): part for k, part in enumerate(what)}
        if len(named) < len(what):
            raise DefinitionError(
                "two results have the same name", mend="give a dict with a name for each"
            )
        return _read(named, output, given, entries, formulas, systems, derived)
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
        used = evaluated(what).uses(output) | {output}
        formulas += [definition_latex(d) for d in what if d.name in used]
        return entries[tensor_of(definition.tensor)], f"compute_{definition.name}"
    if isinstance(what, Definition):
        if given is not None:
            formulas += [definition_latex(d) for d in given]
        raw = lower(what.expr, what.indices, formula=str(what))
        letters = tuple(Index(i.name, n) for i, n in zip(what.indices, what.shape, strict=True))
        tensor = tensor_of(what.tensor)
        entries[tensor] = Entry(tensor, letters, raw)
        formulas.append(definition_latex(what))
        if given is None:
            systems.append(System(what))
        else:
            systems.append(given.extended(what) if what.name not in given.definitions else given)
        return entries[tensor], f"compute_{what.name}"
    if isinstance(what, Gradients):
        _enter_system(what.system, entries, systems)
        formulas += [definition_latex(d) for d in what.system]
        for adjoint in what.adjoints.values():
            if adjoint.recorded:
                _enter(adjoint, entries, formulas, derived)
        return {name: _enter(what[name], entries, formulas, derived) for name in what}, (
            f"backward_{what.output}"
        )
    if isinstance(what, Derivation):
        _enter_system(what.system, entries, systems)
        formulas += [definition_latex(d) for d in what.system]
        for part in _given(what):
            _enter(part, entries, formulas, derived)
        return _enter(what, entries, formulas, derived), f"compute_{what.name}"
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
    entries: dict[Tensor, Entry],
    formulas: list[str],
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
    adjoint = component.tensor.of[0].name if component.tensor.role == "adjoint" else ""
    entry = Entry(component.tensor, tuple(indices), derivation.raw, adjoint=adjoint)
    entries[component.tensor] = entry
    derived[component.tensor] = derivation
    from ..explain import derived_latex

    formulas.append(derived_latex(derivation))
    return entry


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
