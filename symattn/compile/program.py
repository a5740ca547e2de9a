"""What was asked for → plan → module text."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import sympy as sp

from ..convert import definition_letters, lower, raise_
from ..derive import Derivation, Gradients
from ..errors import DefinitionError, UnsupportedError
from ..ir import Index, Tensor, refs
from ..model import model, tensor_of
from ..syntax import Definition, System
from .comments import Comments
from .cost import Cost, cost_of
from .emit import Emitter
from .layout import call_lines
from .names import Names, printable
from .nodes import Label, Node, View
from .plan import Entry, Planner

Results = dict[str, "Entry | Results"]  # a tree of what is returned, by name


@dataclass(frozen=True)
class Request:
    """The results by name, what they are computed from, and the text of the formulas."""

    results: Results | Entry
    entries: dict[Tensor, Entry]
    letters: dict[sp.Expr, list[str]]
    formulas: tuple[str, ...]
    name: str
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
    if given is not None:
        _enter_system(given, entries, systems)
    results, name = _read(what, output, given, entries, formulas, systems)
    letters = definition_letters(d for s in systems for d in s)
    own = list(dict.fromkeys(n for s in systems for n in _input_order(s)))
    return Request(results, entries, letters, tuple(dict.fromkeys(formulas)), name, own)


def _enter_system(
    system: System, entries: dict[Tensor, Entry], systems: list[System]
) -> None:
    for body in model(system).bodies.values():
        entries[body.tensor] = Entry(body.tensor, body.indices, body.raw)
    if system not in systems:
        systems.append(system)


def _read(
    what: Any, output: str | None, given: System | None, entries: dict[Tensor, Entry],
    formulas: list[str], systems: list[System],
) -> tuple[Results | Entry, str]:
    from ..explain import definition_latex

    if isinstance(what, Mapping) and not isinstance(what, Gradients):
        tree: Results = {}
        for key, part in what.items():
            tree[str(key)] = _read(part, output, given, entries, formulas, systems)[0]
        return tree, "compute_" + "_and_".join(tree)
    if isinstance(what, list | tuple):
        named = {getattr(part, "name", f"result_{k}"): part for k, part in enumerate(what)}
        if len(named) < len(what):
            raise DefinitionError("two results have the same name",
                                  mend="give a dict with a name for each")
        return _read(named, output, given, entries, formulas, systems)
    if isinstance(what, System):
        if output is None:
            raise DefinitionError("a system has many definitions: which one is the output?",
                                  expected="one of " + ", ".join(what.definitions),
                                  mend='write compile(system, output="…")')
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
            if adjoint.steps:
                _enter(adjoint, entries, formulas)
        return {name: _enter(what[name], entries, formulas) for name in what}, (
            f"backward_{what.output}")
    if isinstance(what, Derivation):
        _enter_system(what.system, entries, systems)
        formulas += [definition_latex(d) for d in what.system]
        for part in _given(what):
            _enter(part, entries, formulas)
        return _enter(what, entries, formulas), f"compute_{what.name}"
    raise UnsupportedError(
        f"compile() takes no {type(what).__name__}", got=repr(what)[:200],
        expected="a System, a Definition, a Derivation, the result of backward(), or a list or "
                 "dict of these",
        mend="wrap an expression: define('D', (i,), expression)",
    )


def _given(derivation: Derivation) -> list[Derivation]:
    found: list[Derivation] = []
    for part in derivation.given:
        found += [*_given(part), part]
    return found


def _enter(derivation: Derivation, entries: dict[Tensor, Entry], formulas: list[str]) -> Entry:
    component = derivation.component
    if not derivation.steps and derivation.raw.single and component in dict(
            derivation.raw.single[0]):
        # the upstream gradient itself
        return Entry(Tensor(component.tensor.name + "~out", component.tensor.shape),
                     derivation.indices, derivation.raw)
    indices: list[Index] = []
    for slot in component.slots:
        if not isinstance(slot, Index) or slot in indices:
            raise UnsupportedError(f"{component} is not a tensor with one letter for each axis",
                                   got=str(raise_(derivation.raw)))
        indices.append(slot)
    entry = Entry(component.tensor, tuple(indices), derivation.raw)
    entries[component.tensor] = entry
    formulas.append(derivation.equation())
    return entry


# ------------------------------------------------------------------------------------ the program

@dataclass(frozen=True)
class Program:
    """A plan with its inputs and its results."""

    request: Request
    planner: Planner
    tree: Any  # of (node with its axes in order, entry)
    inputs: dict[str, Tensor]
    free_sizes: tuple[sp.Symbol, ...]  # sizes that no input shows
    target: str

    @property
    def shapes(self) -> dict[str, tuple[sp.Expr, ...]]:
        """The symbolic shape of every input, batch axes included."""
        batch = tuple(b.size for b in self.planner.batch)
        return {name: (*batch, *t.shape) if t.shape else () for name, t in self.inputs.items()}

    def cost(self) -> Cost:
        """FLOPs, bytes and the largest intermediate."""
        return cost_of(self.roots)

    @property
    def roots(self) -> list[Node]:
        """The nodes that are returned."""
        return _roots(self.tree)

    @cached_property
    def module(self) -> Module:
        """The source text and what its parameters are called."""
        return Module.write(self)


def _roots(tree: Any) -> list[Node]:
    return [tree] if isinstance(tree, Node) else [n for t in tree.values() for n in _roots(t)]


def program(
    req: Request, batch: Sequence[str], target: str, order: Sequence[Tensor] | None = None
) -> Program:
    """The plan of a request; `order` fixes the inputs and their order."""
    entries = {t: e for t, e in req.entries.items() if order is None or t not in order}
    planner = Planner(entries, batch, req.letters)
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
            raise DefinitionError(f"the expression depends on {extra[0]}, which is no argument",
                                  expected=", ".join(found), mend=f"add {extra[0]} to args")
    shown = {s for t in found.values() for size in t.shape for s in size.free_symbols}
    from .nodes import reachable

    needed = {s for n in reachable(_roots(tree)) for s in node_symbols(n)}
    free = tuple(sorted(needed - shown - {b.size for b in planner.batch}, key=str))
    return Program(req, planner, tree, found, free, target)


def node_symbols(node: Node) -> set[sp.Symbol]:
    """The sizes that the code of a node mentions."""
    found: set[sp.Symbol] = set()
    if node.op == "literal":
        found |= node.data.free_symbols
    elif node.op == "product":
        found |= node.data[1][0].free_symbols
    elif node.op in ("compare", "gather", "arrange"):
        found |= {s for size in node.sizes for s in size.free_symbols}
        if node.op == "gather":
            for arg in node.args:
                found |= {s for size in arg.shape for s in size.free_symbols}
            found |= {s for _, const, m in node.data[0] for s in (const + m).free_symbols}
        if node.op == "compare":
            found |= node.data[1].free_symbols
            found |= node.data[2].free_symbols if node.data[2] is not None else set()
    elif node.op == "add":
        found |= {s for c in node.data[1] for s in c.free_symbols}
    return found


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
        used = sorted(refs(body.raw), key=lambda r: min(
            (place.get(i, len(place)) for i in r.free), default=len(place)))
        found.update((r.tensor.name, None) for r in used if r.tensor.name in m.inputs)
    return list(found)


def _arranged(planner: Planner, tree: Any) -> Any:
    if not isinstance(tree, Entry):
        return {name: _arranged(planner, part) for name, part in tree.items()}
    node, places = planner.tensors[tree.tensor]
    labels = tuple(Label(i.name, i.size) for i in tree.indices)
    own = tuple(labels[x] if isinstance(x, int) else x for x in places)
    # A result has the batch axes of the inputs, whether or not it depends on them.
    out = (*planner.batch, *labels)
    if own == out:
        return node
    return planner.arrange(View(node, own), out).node


@dataclass(frozen=True)
class Module:
    """Source text, the name of its function, and the parameter of every input."""

    text: str
    function: str
    parameters: dict[str, str]

    @staticmethod
    def write(prog: Program) -> Module:
        """The module text of a program."""
        np = "jnp" if prog.target == "jax" else "np"
        names = Names()
        function = names.fresh(prog.request.name)
        parameters = {name: names.fresh(name) for name in prog.inputs}
        sizes = {s: names.fresh(str(s)) for s in prog.free_sizes}
        planner = prog.planner
        named = {}
        for tensor, (node, _) in planner.tensors.items():
            if tensor not in planner.standing:
                named.setdefault(node, tensor.name.strip("~").removesuffix("~out"))
        roots = prog.roots
        used = _used_symbols(roots)
        symbols = [s for s in used if s not in sizes]
        for s in symbols:
            sizes[s] = names.fresh(str(s))
        emitter = Emitter(np, names, named, Comments(planner), sizes)
        emitter.run(roots, {planner.inputs[t]: parameters[n] for n, t in prog.inputs.items()
                            if t in planner.inputs})
        body = _size_lines(prog, parameters, {s: sizes[s] for s in symbols})
        body += _dtype_line(prog, parameters, np)
        body += emitter.lines
        body += _return_lines(prog, emitter, np)
        text = _header(np, emitter.einsums) + _definition(
            function, [*parameters.values(), *(sizes[s] for s in prog.free_sizes)],
            _docstring(prog, parameters), body)
        return Module(text, function, parameters | {str(s): sizes[s] for s in prog.free_sizes})


def _used_symbols(roots: Sequence[Node]) -> list[sp.Symbol]:
    from .nodes import reachable

    return sorted({s for n in reachable(roots) for s in node_symbols(n)}, key=str)


def _size_lines(
    prog: Program, parameters: Mapping[str, str], sizes: Mapping[sp.Symbol, str]
) -> list[str]:
    lines = []
    left = dict(sizes)
    for name, shape in prog.shapes.items():
        hits = [k for k, s in enumerate(shape) if s in left]
        if not hits:
            continue
        if len(shape) == len(hits) and len({*shape}) == len(shape):
            targets = ", ".join(left.pop(s) for s in shape) + "," * (len(shape) == 1)
            lines.append(f"{targets} = {parameters[name]}.shape")
            continue
        for k in hits:
            if shape[k] in left:
                lines.append(f"{left.pop(shape[k])} = {parameters[name]}.shape[{k}]")
    for symbol, target in list(left.items()):
        for name, shape in prog.shapes.items():
            found = next((k for k, s in enumerate(shape) if symbol in s.free_symbols), None)
            if found is not None and symbol in left:
                length = sp.Symbol("length")
                (root,) = sp.solve(shape[found] - length, symbol)
                others = {s: sp.Symbol(sizes.get(s, str(s))) for s in root.free_symbols
                          if s != length}
                top, bottom = sp.fraction(sp.together(root.subs(others)))
                code = str(top).replace("length", f"{parameters[name]}.shape[{found}]")
                code = f"({code})" if " " in code else code
                lines.append(f"{target} = {code} // {bottom}" if bottom != 1 else
                             f"{target} = {code.strip('()')}")
                left.pop(symbol)
    return lines


def _dtype_line(prog: Program, parameters: Mapping[str, str], np: str) -> list[str]:
    arrays = [parameters[n] for n, t in prog.inputs.items() if t.shape]
    arrays = arrays or [parameters[n] for n in prog.inputs]
    inside = ", ".join(arrays) or "float"
    return call_lines(f"dtype = {np}.result_type({inside})", "    ")


def _return_lines(prog: Program, emitter: Emitter, np: str) -> list[str]:
    def value(tree: Any) -> str:
        if isinstance(tree, Node):
            code = emitter[tree]
            if tree.op == "literal":
                return f"{np}.asarray({code}, dtype)"
            simple = code.isidentifier() or code.endswith(")") and not code.startswith("(")
            return f"{code}.astype(dtype)" if simple and emitter.closed(tree) else (
                f"({code}).astype(dtype)")
        inner = ", ".join(f'"{_quoted(k)}": {value(v)}' for k, v in tree.items())
        return "{" + inner + "}"

    return call_lines(f"return {value(prog.tree)}", "    ")


def _quoted(text: str) -> str:
    return repr(text)[1:-1].replace('"', '\\"').replace("\\'", "'")


def _header(np: str, einsums: bool) -> str:
    if np == "jnp":
        text = '"""Written by symattn; it needs JAX and nothing else."""\n\nimport jax\nimport jax.numpy as jnp\n'
        helper = '''

def einsum(subscripts, *operands):
    """The contraction of the operands, accumulated in at least float32."""
    wide = jnp.promote_types(jnp.result_type(*operands), jnp.float32)
    return jnp.einsum(subscripts, *operands, preferred_element_type=wide)
'''
    else:
        text = '"""Written by symattn; it needs NumPy and nothing else."""\n\nimport numpy as np\n'
        helper = '''

def einsum(subscripts, *operands):
    """The contraction of the operands, accumulated in at least float32."""
    wide = np.promote_types(np.result_type(*operands), np.float32)
    return np.einsum(subscripts, *operands, dtype=wide, optimize=True)
'''
    return text + (helper if einsums else "")


def _docstring(prog: Program, parameters: Mapping[str, str]) -> list[str]:
    rows = [printable(f) for f in prog.request.formulas]
    shapes = []
    for name, shape in prog.shapes.items():
        dims = ", ".join(map(str, shape)) + "," * (len(shape) == 1)
        called = f"{parameters[name]} ({dims})"
        shapes.append(called if parameters[name] == name else f"{called} is {name}")
    shapes += [f"{s} is a whole number" for s in prog.free_sizes]
    results = []
    for entry in prog.request.leaves():
        dims = ", ".join(map(str, (*(b.size for b in prog.planner.batch),
                                   *(i.size for i in entry.indices))))
        results.append(f"{entry.tensor.name.removesuffix('~out')} ({dims}{',' * (len(entry.indices) == 1)})")
    first = rows[-1] if len(rows) == 1 else f"The results of these formulas."
    lines = [first, ""]
    if len(rows) > 1:
        lines += [*(f"    {row}" for row in rows), ""]
    lines += [f"Shapes: {printable('; '.join(shapes))}", f"-> {printable('; '.join(results))}."]
    if prog.planner.batch:
        axes = ", ".join(b.name for b in prog.planner.batch)
        lines.append(f"Every array with an index carries the leading axes ({axes}).")
    return lines


def _definition(
    name: str, parameters: Sequence[str], doc: Sequence[str], body: Sequence[str]
) -> str:
    head = call_lines(f"def {name}({', '.join(parameters)})", "")
    head[-1] += ":"
    rows = [*head, f'    r"""{doc[0]}', *(f"    {row}".rstrip() for row in doc[1:]), '    """']
    return "\n\n" + "\n".join([*rows, *(f"    {line}" for line in body)]) + "\n"


__all__ = ["Module", "Program", "Request", "program", "request"]
