"""A program as the text of a module: imports, docstring, sizes, statements, return."""

from __future__ import annotations

import textwrap
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import sympy as sp

from .comments import Comments
from .emit import Emitter
from .layout import call_lines
from .names import Names, printable
from .nodes import Node, reachable, symbols_in

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
                named.setdefault(node, tensor.name.strip("~").removesuffix("~out"))
        roots = prog.roots
        used = _used_symbols(roots)
        symbols = [s for s in used if s not in sizes]
        for s in symbols:
            sizes[s] = names.fresh(str(s))
        emitter = Emitter(np, names, named, Comments(planner), sizes)
        emitter.run(
            roots,
            {
                planner.inputs[t]: parameters[n]
                for n, t in prog.inputs.items()
                if t in planner.inputs
            },
        )
        body = _size_lines(prog, parameters, {s: sizes[s] for s in symbols})
        body += _dtype_line(prog, parameters, np)
        body += emitter.lines
        body += _return_lines(prog, emitter, np)
        text = _header(np, emitter.einsums) + _definition(
            function,
            [*parameters.values(), *(sizes[s] for s in prog.free_sizes)],
            _docstring(prog, parameters),
            body,
        )
        return Module(text, function, parameters | {str(s): sizes[s] for s in prog.free_sizes})


def _used_symbols(roots: Sequence[Node]) -> list[sp.Symbol]:
    return sorted({s for n in reachable(roots) for s in symbols_in(n)}, key=str)


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


def _header(np: str, einsums: bool) -> str:
    if np == "jnp":
        text = '"""Written by symattn; it needs JAX and nothing else."""\n\n'
        text += "import jax\nimport jax.numpy as jnp\n"
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
        dims = ", ".join(
            map(str, (*(b.size for b in prog.planner.batch), *(i.size for i in entry.indices)))
        )
        name = entry.tensor.name.removesuffix("~out")
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
