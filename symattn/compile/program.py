"""What was asked for → plan → module text."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import sympy as sp

from ..convert import definition_letters, lower, raise_
from ..derive import Derivation, Gradients
from ..errors import DefinitionError, UnsupportedError
from ..ir import Index, Tensor, refs
from ..model import model, tensor_of
from ..syntax import Definition, System
from .bands import Band, band
from .choice import accumulate
from .cost import Cost, cost_of
from .entry import Entry
from .leading import Axes, Leading, check_names
from .module import Module
from .names import printable
from .nodes import Label, Node, View, reachable, symbols_in
from .plan import Planner
from .ring import Ring, ring, shared
from .rows import Cut, cut, left_whole
from .sizes import asked_for
from .textbook import accumulated

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
    for body in model(system).bodies.values():
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
            last = [t.name for t in model(what).outputs]
            if len(last) != 1:
                raise DefinitionError(
                    "a system has many definitions: which one is the output?",
                    expected="one of " + ", ".join(what.definitions),
                    mend='write compile(system, output="…")',
                )
            (output,) = last
        _enter_system(what, entries, systems)
        definition = what[output]
        used = model(what).uses(output) | {output}
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
    found: list[Derivation] = []
    for part in derivation.given:
        found += [*_given(part), part]
    return found


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


# ------------------------------------------------------------------------------------ the program


@dataclass(frozen=True)
class Program:
    """A plan with its inputs and its results."""

    request: Request
    planner: Planner
    tree: Any  # of (node with its axes in order, entry)
    inputs: dict[str, Tensor]
    shapes: dict[str, tuple[sp.Expr, ...]]  # of the inputs, batch axes included
    free_sizes: tuple[sp.Symbol, ...]  # sizes that no input shows
    target: str
    flash: bool = False  # blocks of rows wherever there is more than one
    accumulated: bool = False  # derivatives go through the definitions as they are written
    axis: str = ""  # the axis of a mesh along which devices are a ring

    def cost(self) -> Cost:
        """FLOPs, bytes and the largest intermediate."""
        return cost_of(self.roots, self.cut)

    @property
    def roots(self) -> list[Node]:
        """The nodes that are returned."""
        return _roots(self.tree)

    @cached_property
    def cut(self) -> Cut | None:
        """Where the plan runs over blocks of rows."""
        if self.target != "jax":
            return None
        roots, long = self.roots, self.planner.long
        found = cut(roots, long)
        return cut(roots, long, every=True) if found is None and self.flash else found

    @cached_property
    def band(self) -> Band | None:
        """What masks leave of a block of rows."""
        if self.cut is None:
            return None
        return band(list(reachable(self.roots)), self.cut, self.roots)

    @cached_property
    def ring(self) -> Ring | None:
        """The plan for one device of a ring; None for one device.  Raises UnsupportedError."""
        if not self.axis:
            return None
        return ring(self.roots, *shared(self.cut, self.roots, self.planner.long))

    @property
    def whole(self) -> list[Node]:
        """Large arrays that the cut leaves at full length."""
        roots, long = self.roots, self.planner.long
        return left_whole(roots, self.cut, long) or left_whole(
            roots, self.cut, long, every=self.cut is None
        )

    @cached_property
    def module(self) -> Module:
        """The source text and what its parameters are called."""
        return Module.write(self)


def _roots(tree: Any) -> list[Node]:
    return [tree] if isinstance(tree, Node) else [n for t in tree.values() for n in _roots(t)]


def program(
    req: Request,
    batch: Axes,
    target: str,
    order: Sequence[Tensor] | None = None,
    flash: bool = False,
    axis: str = "",
) -> Program:
    """The plan of a request; `order` fixes the inputs and their order.  With `flash` every large
    array goes through in blocks of rows, and UnsupportedError says which one cannot.

    Where derivatives are asked for, their formulas and accumulation through the definitions are
    two plans, and the cheaper one is taken.
    """
    entries = {t: e for t, e in req.entries.items() if order is None or t not in order}
    entries |= {leaf.tensor: leaf for leaf in req.leaves()}
    check_names(batch, entries)
    carried = Leading(batch, entries) if isinstance(batch, Mapping) else None
    planner = Planner(entries, tuple(batch), req.letters, carried)
    for leaf in req.leaves():
        planner.add(leaf)
    tree = _arranged(planner, req.results)
    used = set(planner.inputs)
    if order is None:
        found = {t.name: t for t in _first_use(planner, req.own)}
    else:
        found = {t.name: t for t in order}
        extra = sorted(t.name for t in used if t not in order)
        if extra:
            raise DefinitionError(
                f"the expression depends on {extra[0]}, which is no argument",
                expected=", ".join(found),
                mend=f"add {extra[0]} to args",
            )
    if carried is not None:
        carried.check(req.own, found)
    needed = {s for n in reachable(_roots(tree)) for s in symbols_in(n)}
    shapes = _shapes(planner, found)
    free = asked_for(needed, shapes)
    made = Program(req, planner, tree, found, shapes, free, target, flash, axis=axis)
    other = _accumulated(made, entries, carried)
    if axis:
        return _on_ring(made, other)
    if flash:
        return _in_blocks(made, other)
    return other if other is not None and _cheaper(other, made) else made


def _cheaper(one: Program, other: Program) -> bool:
    return accumulate(other.roots, one.roots, one.planner.long, one.planner.guarded)


def _on_ring(made: Program, other: Program | None) -> Program:
    """The cheaper one of the plans that devices can share.  Raises UnsupportedError."""
    plans, reasons = [], []
    for one in (made, other):
        try:
            if one is not None and one.ring is not None:
                plans.append(one)
        except UnsupportedError as reason:
            reasons.append(reason)
    if not plans:
        raise reasons[0]
    return plans[-1] if len(plans) == 2 and _cheaper(plans[1], plans[0]) else plans[0]


def _in_blocks(made: Program, other: Program | None) -> Program:
    """The cheaper one of the plans in which no large array is whole."""
    plans = [one for one in (made, other) if one is not None and one.cut and not one.whole]
    if len(plans) == 2:
        return plans[_cheaper(plans[1], plans[0])]
    if plans:
        return plans[0]
    whole = made.whole
    raise UnsupportedError(
        'path="flash" finds no axis to cut into blocks',
        formula=printable(made.request.formulas[-1])[:200],
        expected="an axis that all large arrays share, along which there are only sums",
        got=f"an array ({', '.join(map(str, whole[0].shape))}) that is needed as a whole"
        if whole
        else "no array of several axes",
        mend='use path="dense"',
    )


def _accumulated(
    made: Program, entries: Mapping[Tensor, Entry], carried: Leading | None
) -> Program | None:
    """The same results from the definitions as they are written, where that is possible."""
    req = made.request
    if not req.derived:
        return None
    known = {t: e for t, e in entries.items() if t not in req.derived}
    batch = tuple(b.name for b in made.planner.batch)
    planner = Planner(known, batch, req.letters, carried)
    planner.long = made.planner.long
    if not accumulated(planner, req.leaves(), req.derived):
        return None
    tree = _arranged(planner, req.results)
    roots = _roots(tree)
    inputs = {n.data for n in reachable(roots) if n.op == "input"}
    needed = {s for n in reachable(roots) for s in symbols_in(n)}
    if not inputs <= set(made.inputs.values()) or any(
        s not in made.free_sizes for s in asked_for(needed, made.shapes)
    ):
        return None
    return replace(made, planner=planner, tree=tree, accumulated=True)


def _shapes(planner: Planner, inputs: Mapping[str, Tensor]) -> dict[str, tuple[sp.Expr, ...]]:
    """The symbolic shape of every input, batch axes included."""
    return {n: (*(b.size for b in planner.leading(t)), *t.shape) for n, t in inputs.items()}


def _first_use(planner: Planner, own: Sequence[str]) -> list[Tensor]:
    """Inputs as the definitions use them, upstream gradients last."""
    live = [t for t, node in planner.inputs.items() if node in planner.live]
    rank = {name: k for k, name in enumerate(own)}
    return sorted(live, key=lambda t: rank.get(t.name, len(rank)))


def _input_order(system: System) -> list[str]:
    """Inputs in the order of the definitions, within one in the order of its letters."""
    m = model(system)
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


def _arranged(planner: Planner, tree: Any) -> Any:
    if not isinstance(tree, Entry):
        return {name: _arranged(planner, part) for name, part in tree.items()}
    node, places = planner.tensors[tree.tensor]
    labels = tuple(Label(i.name, i.size) for i in tree.indices)
    view = View(node, tuple(labels[x] if isinstance(x, int) else x for x in places))
    if tree.adjoint:  # everything else is done: other results may need the node as it is
        view = planner.summed(view, set(planner.batch) - set(planner.among(tree.adjoint)))
        planner.replace(tree.tensor, view, labels)
    # A result has the leading axes of its inputs, whether or not it depends on them.
    out = (*planner.among(tree.tensor.name), *labels)
    if view.labels == out:
        return view.node
    return planner.arrange(view, out).node
