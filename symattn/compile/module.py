"""A program as the text of a module: imports, docstring, sizes, statements, return."""

from __future__ import annotations

import textwrap
from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import sympy as sp

from .annotations import Annotations
from .comments import Comments
from .emit import Emitter, tuple_of
from .helpers import helpers
from .layout import call_lines, signature
from .names import Names, printable
from .nodes import Node, reachable, symbols_in
from .rows import Scan, scan

if TYPE_CHECKING:
    from .program import Program


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
        named: dict[Node, str] = {}
        for tensor, (node, _) in planner.tensors.items():
            if tensor not in planner.standing:
                named.setdefault(node, tensor.name.strip("~"))
        roots = prog.roots
        scanned = None if prog.cut is None else scan(roots, prog.cut)
        used = _used_symbols(roots, scanned)
        symbols = [s for s in used if s not in sizes]
        for s in symbols:
            sizes[s] = names.fresh(str(s))
        emitter = Emitter(np, names, named, Comments(planner), sizes)
        inputs = {
            planner.inputs[t]: parameters[n] for n, t in prog.inputs.items() if t in planner.inputs
        }
        emitter.run(roots, inputs, scanned)
        body = _size_lines(prog, parameters, {s: sizes[s] for s in symbols})
        body += _dtype_line(prog, parameters, np)
        body += emitter.lines
        body += _return_lines(prog, emitter, np)
        shapes = Annotations(np)
        takes = [f"{parameters[n]}: {shapes.parameter(shape)}" for n, shape in prog.shapes.items()]
        takes += [f"{sizes[s]}: int" for s in prog.free_sizes]
        head = signature(function, takes, shapes.result(_shapes(prog.tree)))
        text = _header(np, emitter.helpers | ({"by_rows"} if scanned else set()))
        text += _definition(head, _docstring(prog, parameters), body)
        return Module(text, function, parameters | {str(s): sizes[s] for s in prog.free_sizes})


def _shapes(tree: Any) -> Any:
    if isinstance(tree, Node):
        return tree.shape
    return {name: _shapes(part) for name, part in tree.items()}


def _used_symbols(roots: Sequence[Node], scanned: Scan | None) -> list[sp.Symbol]:
    found: set[sp.Symbol] = set()
    if scanned is not None:
        roots, found = list(scanned.now.values()), set(scanned.width.free_symbols)
    return sorted(found.union(*(symbols_in(n) for n in reachable(roots))), key=str)


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
            names = [left.pop(s) for s in shape]
            targets = tuple_of(names) if len(names) == 1 else ", ".join(names)
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
                others = {
                    s: sp.Symbol(sizes.get(s, str(s))) for s in root.free_symbols if s != length
                }
                top, bottom = sp.fraction(sp.together(root.subs(others)))
                code = str(top).replace("length", f"{parameters[name]}.shape[{found}]")
                code = f"({code})" if " " in code else code
                lines.append(
                    f"{target} = {code} // {bottom}"
                    if bottom != 1
                    else f"{target} = {code.strip('()')}"
                )
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
            simple = code.isidentifier() or (code.endswith(")") and not code.startswith("("))
            return (
                f"{code}.astype(dtype)"
                if simple and emitter.closed(tree)
                else (f"({code}).astype(dtype)")
            )
        inner = ", ".join(f'"{_quoted(k)}": {value(v)}' for k, v in tree.items())
        return "{" + inner + "}"

    return call_lines(f"return {value(prog.tree)}", "    ")


def _quoted(text: str) -> str:
    return repr(text)[1:-1].replace('"', '\\"').replace("\\'", "'")


def _header(np: str, used: Set[str]) -> str:
    needs, modules = "JAX", "import jax\nimport jax.numpy as jnp"
    if np == "np":
        needs, modules = "NumPy", "import numpy as np"
    text = f'"""Written by symattn; it needs {needs} and nothing else."""\n\n'
    text += "from __future__ import annotations\n\n" + "import math\n" * ("matmul" in used)
    text += "from typing import TYPE_CHECKING\n\n"
    return text + f"{modules}\n\n{Annotations.imports(np)}{helpers(np, used)}"


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
        leading = [b.size for b in prog.planner.among(entry.tensor.name)]
        dims = ", ".join(map(str, [*leading, *(i.size for i in entry.indices)]))
        name = entry.tensor.name
        results.append(f"{name} ({dims}{',' * (len(entry.indices) == 1)})")
    first = rows[-1] if len(rows) == 1 else "The results of these formulas."
    lines = [first, ""]
    if len(rows) > 1:
        lines += [
            line
            for row in rows
            for line in textwrap.wrap(
                row,
                88,
                initial_indent="    ",
                subsequent_indent="        ",
                break_long_words=False,
                break_on_hyphens=False,
            )
        ]
        lines.append("")
    lines += [f"Shapes: {printable('; '.join(shapes))}", f"-> {printable('; '.join(results))}."]
    if prog.planner.batch and prog.planner.carried is None:
        axes = ", ".join(b.name for b in prog.planner.batch)
        lines.append(f"Every array with an index carries the leading axes ({axes}).")
    return lines


def _definition(head: Sequence[str], doc: Sequence[str], body: Sequence[str]) -> str:
    rows = [*head, f'    r"""{doc[0]}', *(f"    {row}".rstrip() for row in doc[1:]), '    """']
    return "\n\n" + "\n".join([*rows, *(f"    {line}".rstrip() for line in body)]) + "\n"
