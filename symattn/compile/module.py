"""A program as the text of a module: imports, docstring, sizes, statements, return."""

from __future__ import annotations

import textwrap
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import sympy as sp

from .annotations import Annotations
from .comments import NOTE, Comments
from .emit import Emitter, tuple_of
from .helpers import header, helpers, spoken_for
from .layout import call_lines, comment, signature
from .names import Names, globals_of, printable, quoted
from .nodes import Node, reachable, symbols_in
from .rows import Scan, scan
from .sizes import LENGTH, Source, reading
from .text import POWER, PRODUCT

if TYPE_CHECKING:
    from .program import Program

CAREFULLY = "The same, with the largest value of every pair taken out of what it is summed in."


@dataclass(frozen=True)
class Module:
    """The text of a program: the name of its function, and the parameter of every input.

    What runs is `code`; docstring and comments are made when somebody wants to read `text`.
    """

    prog: Program
    function: str
    parameters: dict[str, str]
    before: str  # what the function needs
    head: list[str]
    body: list[str]
    notes: list[tuple[Node, str | None]]
    brought: frozenset[str]  # functions that it calls
    other: Module | None = None  # that of another plan for the same results: see apart.py

    @cached_property
    def code(self) -> str:
        """The module without a word about what it computes."""
        every = [self] if self.other is None else [self.other, self]
        return self._with([[*one.head, *one._bare()] for one in every])

    @cached_property
    def text(self) -> str:
        """The module as it is shown."""
        rows = self._shown(_docstring(self.prog, self.parameters))
        if self.other is None:
            return self._with([rows])
        return self._with([self.other._shown([CAREFULLY]), rows])

    def _bare(self) -> list[str]:
        return [row for row in self.body if not row.strip().startswith(NOTE)]

    def _shown(self, doc: Sequence[str]) -> list[str]:
        comments = Comments(self.prog.planner)
        rows = [
            *self.head,
            f'    r"""{doc[0]}',
            *(f"    {row}".rstrip() for row in doc[1:]),
            '    """',
        ]
        for row in self.body:
            bare = row.lstrip()
            if bare.startswith(NOTE):
                indent = row[: len(row) - len(bare)]
                meaning = comments.line(*self.notes[int(bare.removeprefix(NOTE))])
                rows += [indent + line for line in comment(printable(meaning), indent)]
            else:
                rows.append(row)
        return rows

    def _with(self, functions: Sequence[Sequence[str]]) -> str:
        return self.before + "\n\n" + "\n\n\n".join(map("\n".join, functions)) + "\n"

    @staticmethod
    def write(prog: Program, name: str = "") -> Module:
        """The module of a program; with a name it is the careful one beside another."""
        np = "jnp" if prog.target == "jax" else "np"
        names = Names(spoken_for(np))
        dtype = names.fresh("dtype")
        function = names.fresh(name or prog.request.name)
        other, given = None, ""
        if prog.careful is not None:
            given = names.fresh("given")
            other = Module.write(prog.careful, names.fresh(f"{prog.request.name}_carefully"))
        parameters = {name: names.fresh(name) for name in prog.inputs}
        sizes = {s: names.fresh(str(s)) for s in prog.free_sizes}
        planner = prog.planner
        named: dict[Node, str] = {}
        for tensor, (node, _) in planner.tensors.items():
            if tensor not in planner.standing:
                named.setdefault(node, tensor.name)
        roots = prog.roots
        onto = prog.ring
        scanned = None if prog.cut is None or onto else scan(roots, prog.cut, prog.band)
        now = prog.trimmed.now if prog.trimmed else {root: root for root in roots}
        used = _used_symbols([now[root] for root in roots], scanned)
        if onto:
            used = {s for n in onto.every(roots) for s in symbols_in(n)}
        sources = reading(used, prog.shapes, frozenset(sizes))
        for s in sorted(sources, key=str):
            sizes[s] = names.fresh(str(s))
        origin = prog.trimmed.origin if prog.trimmed else {}
        emitter = Emitter(np, names, named, sizes=sizes, origin=origin, long=planner.long)
        emitter.loop = "by_few_rows" if name else emitter.loop
        inputs = {
            planner.inputs[t]: parameters[n] for n, t in prog.inputs.items() if t in planner.inputs
        }
        if onto:
            emitter.run_on_ring(roots, inputs, onto, prog.axis)
        else:
            emitter.run(now, inputs, scanned)
        body = _size_lines(prog, parameters, sources, emitter)
        body += _dtype_line(prog, parameters, np, dtype)
        if other is not None:
            own = [parameters[n] for n in other.prog.shapes]
            own += [sizes[s] for s in other.prog.free_sizes]
            body += call_lines(f"{given} = {tuple_of(own)}", "    ")
        body += emitter.lines
        if other is None:
            body += call_lines(f"return {_value(prog.tree, emitter, np, dtype)}", "    ")
        else:
            results, missing = names.fresh("results"), map(emitter.__getitem__, prog.misses)
            ways = f"lambda: {results}, lambda: {other.function}(*{given})"
            body += call_lines(f"{results} = {_value(prog.tree, emitter, np, dtype)}", "    ")
            body.append(
                "# Sums over what pairs have are far from 0, or their largest terms go out."
            )
            body += call_lines(f"return jax.lax.cond({' + '.join(missing)} == 0, {ways})", "    ")
        shapes = Annotations(np, spoken_for(np))
        takes = [f"{parameters[n]}: {shapes.parameter(shape)}" for n, shape in prog.shapes.items()]
        takes += [f"{sizes[s]}: int" for s in prog.free_sizes]
        head = signature(function, takes, shapes.result(_shapes(prog.tree)))
        body = [f"    {line}".rstrip() for line in body]
        brought = frozenset(emitter.helpers | ({emitter.loop} if scanned else set()))
        every = brought if other is None else brought | other.brought
        loops = prog if other is None or scanned else other.prog
        before = helpers(np, every, loops.flash, loops.band is not None, prog.axis)
        whole = [before, *head, *body, *(() if other is None else (*other.head, *other.body))]
        before = header(np, globals_of("\n".join(whole))) + before
        parameters |= {str(s): sizes[s] for s in prog.free_sizes}
        return Module(prog, function, parameters, before, head, body, emitter.notes, brought, other)


def _shapes(tree: Any) -> Any:
    if isinstance(tree, Node):
        return tree.shape
    return {name: _shapes(part) for name, part in tree.items()}


def _used_symbols(roots: Sequence[Node], scanned: Scan | None) -> set[sp.Symbol]:
    found: set[sp.Symbol] = set()
    if scanned is not None:
        roots, found = list(scanned.now.values()), set(scanned.width.free_symbols)
        if scanned.band is not None:
            ends = (scanned.band.below, scanned.band.above)
            found |= {s for end in ends if end is not None for s in end.free_symbols}
    return found.union(*(symbols_in(n) for n in reachable(roots)))


def _size_lines(
    prog: Program,
    parameters: Mapping[str, str],
    sources: Mapping[sp.Symbol, Source],
    emitter: Emitter,
) -> list[str]:
    """Sizes that are whole axes, those of one array on one line, then those computed from axes."""
    lines = []
    sizes = emitter.sizes
    left = dict.fromkeys(s for s, source in sources.items() if source.value is LENGTH)
    for name, shape in prog.shapes.items():
        here = [s for s in left if sources[s].array == name]
        if len(here) == len(shape) > 0:
            targets = [sizes[s] for s in shape]
            left_side = tuple_of(targets) if len(targets) == 1 else ", ".join(targets)
            lines.append(f"{left_side} = {parameters[name]}.shape")
        else:
            lines += [
                f"{sizes[s]} = {parameters[name]}.shape[{sources[s].axis}]"
                for s in sorted(here, key=lambda s: sources[s].axis)
            ]
    for symbol, source in sources.items():
        if symbol in left:
            array = prog.planner.inputs.get(prog.inputs[source.array])
            if prog.ring and array and prog.ring.axis(array) == source.axis:  # of one device
                lines.append(f'{sizes[symbol]} *= jax.lax.axis_size("{prog.axis}")')
            continue
        sizes[LENGTH] = f"{parameters[source.array]}.shape[{source.axis}]"
        top, bottom = map(emitter.number, sp.fraction(sp.together(source.value)))
        code = f"{top.inside(PRODUCT)} // {bottom.inside(POWER)}"
        lines.append(f"{sizes[symbol]} = {top.code if bottom.code == '1' else code}")
    return lines


def _dtype_line(prog: Program, parameters: Mapping[str, str], np: str, dtype: str) -> list[str]:
    arrays = [parameters[n] for n, t in prog.inputs.items() if t.shape]
    arrays = arrays or [parameters[n] for n in prog.inputs]
    inside = ", ".join(arrays) or "float"
    return call_lines(f"{dtype} = {np}.result_type({inside})", "    ")


def _value(tree: Any, emitter: Emitter, np: str, dtype: str) -> str:
    """The results, in the dtype of what comes in."""

    def value(tree: Any) -> str:
        if isinstance(tree, Node):
            code = emitter[tree]
            whole = not any(n.op == "input" for n in reachable([tree]))  # made of sizes alone
            if whole or (np == "np" and not tree.shape):  # a number has no astype
                return f"{np}.asarray({code}, {dtype})"
            simple = code.isidentifier() or (code.endswith(")") and not code.startswith("("))
            return (
                f"{code}.astype({dtype})"
                if simple and emitter.closed(tree)
                else (f"({code}).astype({dtype})")
            )
        inner = ", ".join(f"{quoted(k)}: {value(v)}" for k, v in tree.items())
        return "{" + inner + "}"

    return value(tree)


def _docstring(prog: Program, parameters: Mapping[str, str]) -> list[str]:
    rows = [printable(f) for f in prog.request.printed()]
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
