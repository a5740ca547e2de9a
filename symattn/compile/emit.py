"""Plan → source text: one line a named array, with the mathematics above it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

import sympy as sp

from .comments import NOTE
from .layout import INDENT, assignment, call_lines, comment, unpacking
from .names import Names
from .nodes import BOOLEAN, Node, reachable
from .operations import Operations, summed_at_once
from .ring import Phase, Ring
from .rows import Scan
from .slices import Slices, in_slices
from .text import Text

SUFFIX = {
    "einsum": "sum",
    "slide": "sum",
    "windows": "sum",
    "cumsum": "cumsum",
    "ordered": "sum",
    "cummax": "cummax",
    "max": "max",
    "maximum": "max",
    "one_hot": "argmax",
    "gather": "at",
    "scatter": "sum",
    "factor": "factor",
    "inverse": "inverse",
    "solve": "solved",
    "det": "det",
    "logdet": "logdet",
}
# operations that give entries as they are
KEEPING = ("arrange", "gather", "select", "max", "maximum", "choose", "guard", "crop", "pad")
LONG = 60  # characters; a longer part of an expression gets a name


@dataclass
class Emitter(Operations):
    """Writes the body of one function."""

    np: str
    names: Names
    named: Mapping[Node, str]  # what definitions call their nodes
    origin: Mapping[Node, Node] = field(default_factory=dict)  # what a node was in the plan
    notes: list[tuple[Node, str | None]] = field(default_factory=list)  # lines to explain
    sizes: dict[sp.Symbol, str] = field(default_factory=dict)
    lines: list[str] = field(default_factory=list)
    indent: str = INDENT
    helpers: set[str] = field(default_factory=set)  # functions that the module brings along
    loop: str = "by_rows"  # the one that goes through blocks of rows
    _scan: Scan | None = None
    _ring: Ring | None = None
    _code: dict[Node, Text] = field(default_factory=dict)
    _places: dict[str, str] = field(default_factory=dict)
    _at: dict[Node, dict[int, Node]] = field(default_factory=dict)
    _local: dict[Node, int] = field(default_factory=dict)
    _near_axis: dict[Node, tuple[int, Node]] = field(default_factory=dict)
    _axis: str = ""
    long: frozenset[sp.Symbol] = frozenset()  # sizes that are long as a rule
    _slices: dict[Node, Slices] = field(default_factory=dict)
    _in_slices: set[Node] = field(default_factory=set)
    _forced: set[Node] = field(default_factory=set)  # nodes that get a name in any case
    _uses: Counter[Node] = field(default_factory=Counter)
    _users: dict[Node, list[Node]] = field(default_factory=dict)

    # ------------------------------------------------------------------------------ statements

    def run(
        self, now: Mapping[Node, Node], inputs: Mapping[Node, str], scan: Scan | None = None
    ) -> None:
        """Statements for everything below the roots, as they are `now`, with a function for the
        rows of a scan."""
        self._enter(inputs, list(now.values()))
        now = now if scan is None else scan.now
        roots = list(now.values())
        order = list(reachable(roots))
        self._uses.update(arg for node in order for arg in node.args)
        self._uses.update(roots)
        for node in order:
            for arg in node.args:
                self._users.setdefault(arg, []).append(node)
        self._forced = set() if scan is None else scan.named()
        if self.np == "jnp":
            kept = {*roots, *self._forced, *(scan.now.values() if scan else ())}
            self._slices, self._in_slices = in_slices(order, kept, self.long)
        if scan is None:
            self._all(order)
            self._code |= {old: self._code[new] for old, new in now.items()}
            return
        self._scan, self._at, self._local = scan, scan.places, scan.local
        self._near_axis = scan.near_axis
        within, late = {*scan.inside, *scan.taken, *scan.near}, set[Node]()
        for node in order:
            if node not in within and any(arg in within or arg in late for arg in node.args):
                late.add(node)
        self._all(node for node in order if node not in within and node not in late)
        self._block(scan)
        self._all(node for node in order if node in late)
        for old, new in scan.now.items():
            self._code[old] = self._code[new]

    def _enter(self, inputs: Mapping[Node, str], roots: Sequence[Node]) -> None:
        """The names of the arrays that come in; those that are computed with before anything is
        summed go into at least float32 first, as x * y of half precision would be rounded."""
        short, wide = set[Node](), set[Node]()
        for node in reachable(roots):
            arrays = [a for a in node.args if a.op not in ("literal", *BOOLEAN)]
            if node.op in ("input", "range") or (node.op in KEEPING and short.issuperset(arrays)):
                short.add(node)
            factors = node.op == "product" or (node.op == "einsum" and summed_at_once(node))
            few = [a for a in arrays if a in short]
            every = len(few) == len(arrays) and (factors or node.op in ("add", "call"))
            if every or (factors and len(few) > 1):
                found = {n for n in reachable(few) if n.op == "input" and n.shape}
                wide |= found
                if every and not found:  # of numbers and places alone
                    short.add(node)
        for node, name in inputs.items():
            self._code[node] = Text(name)
        names = [name for node, name in inputs.items() if node in wide]
        if names:
            self.helpers.add("wide")
            left = tuple_of(names) if len(names) == 1 else ", ".join(names)
            self.lines += assignment(left, f"wide({', '.join(names)})", self.indent)

    def run_on_ring(
        self, roots: Sequence[Node], inputs: Mapping[Node, str], ring: Ring, axis: str
    ) -> None:
        """Statements for one device of a ring, with a function for every phase."""
        self._ring, self._at, self._axis = ring, ring.places, axis
        order = list(ring.order(roots))
        self._enter(inputs, roots)
        every = [*order, *(n for p in ring.phases.values() for n in (*p.near, *p.inside))]
        self._uses.update(arg for node in every for arg in node.args)
        self._uses.update(ring.now[root] for root in roots)
        for node in every:
            for arg in node.args:
                self._users.setdefault(arg, []).append(node)
        self._forced = {n for p in ring.phases.values() for n in (*p.kept, *p.carried)}
        # A parameter may have the name of an array that other expressions are made of.
        self._forced |= {n for p in ring.phases.values() for n in p.outside()}
        done: set[int] = set()
        for node in order:
            if node.op == "merged" and node.data[0] not in done:
                done.add(node.data[0])
                self._phase(ring.phases[node.data[0]])
            if node.op == "merged":
                self._code[node] = self._code[node.data[1]]
            elif node not in self._code:
                self._define(node)
        for root in roots:
            self._code[root] = self._code[ring.now[root]]

    def _phase(self, phase: Phase) -> None:
        """The function of what is computed with the keys of one device, and its turn around."""
        body, lines = self.names.fresh("keys"), self.lines
        outside, places = dict(self._code), dict(self._places)
        sources = [self._code[n.args[0]].code for n in phase.near]
        taken = {self._code[a].code for n in phase.inside for a in n.args if a in outside}
        parameters = []
        for node, name in zip(phase.near, sources, strict=True):
            if name in taken or not name.isidentifier():
                name = self.names.fresh(f"{name}_near" if name.isidentifier() else "near")
            parameters.append(name)
            self._code[node] = Text(name)
        self.lines, self.indent = [], 2 * INDENT
        self._all(phase.inside)
        kept, carried = ([self[n] for n in kind] for kind in (phase.kept, phase.carried))
        inside = self.lines + call_lines(
            f"return {tuple_of(kept)}, {tuple_of(carried)}", self.indent
        )
        self._code, self._places, self.lines, self.indent = outside, places, lines, INDENT
        for node, name in zip([*phase.kept, *phase.carried], kept + carried, strict=True):
            self._code[node] = Text(name)
        merges = tuple_of(
            f"{self.np}.maximum" if n.op == "max" else f"{self.np}.add" for n in phase.kept
        )
        head = call_lines(f"def {body}({', '.join(parameters)})", INDENT)
        head = [*comment("With the keys of one device."), *head[:-1], head[-1] + ":"]
        call = f"around({body}, {tuple_of(sources)}, {merges})"
        self.helpers.add("around")
        call_text = unpacking([tuple_of(kept), tuple_of(carried)], call)
        self.lines += ["", *head, *(INDENT + line for line in inside), "", *call_text]

    def _positions(self, node: Node) -> Text:
        self.helpers.add("positions")
        return Text(f"positions({self.number(node.shape[0]).code})")

    def _columns(self, node: Node) -> Text:
        whole, here = (self[arg] for arg in node.args)
        arguments = f"{whole}, {here}[0], {here}.size, {node.data}"
        return Text(f"jax.lax.dynamic_slice_in_dim({arguments})")

    def _psum(self, node: Node) -> Text:
        return Text(f'jax.lax.psum({self[node.args[0]]}, "{self._axis}")')

    def _pmax(self, node: Node) -> Text:
        largest = f"jax.lax.stop_gradient({self[node.args[0]]})"
        return Text(f'jax.lax.pmax({largest}, "{self._axis}")')

    def _all(self, nodes: Iterable[Node]) -> None:
        for node in nodes:
            if node not in self._code and node not in self._in_slices:
                self._define(node)

    def _define(self, node: Node) -> None:
        if node in self._slices:
            text = self._slice_by_slice(self._slices[node])
        else:
            text = getattr(self, f"_{node.op}")(node)
        part = self._scan or self._ring or self
        origin = part.origin.get(node, node)
        name = self.named.get(origin)
        if node.op == "literal" or (name is None and not self._deserves_name(node, text)):
            self._code[node] = text
            return
        chosen = self.names.fresh(name or self._suggest(node))
        self.lines.append(f"{NOTE}{len(self.notes)}")
        self.notes.append((origin, name))
        self.lines += assignment(chosen, text.code, self.indent)
        self._code[node] = Text(chosen)

    def _slice_by_slice(self, made: Slices) -> Text:
        """The function of one slice, and the call that goes through them."""
        body, lines, indent = self.names.fresh("one"), self.lines, self.indent
        outside, places = dict(self._code), dict(self._places)
        sources = [self[n.args[0]] for n in made.taken]
        whole = {outside[a].code for n in made.inside for a in n.args if a in outside}
        for node, name in zip(made.taken, sources, strict=True):
            if name in whole or not name.isidentifier():
                name = self.names.fresh(f"{name}_one" if name.isidentifier() else "slice")
            whole.add(name)
            self._code[node] = Text(name)
        self._users[made.result] = []
        for node in made.inside:
            self._uses.update(node.args)
            for arg in node.args:
                self._users.setdefault(arg, []).append(node)
        parameters = ", ".join(self[n] for n in made.taken)
        self.lines, self.indent = [], indent + INDENT
        self._all(made.inside)
        inner = self.lines + call_lines(f"return {self[made.result]}", self.indent)
        self._code, self._places, self.lines, self.indent = outside, places, lines, indent
        head = call_lines(f"def {body}({parameters})", indent)
        self.lines += ["", *head[:-1], head[-1] + ":", *(INDENT + line for line in inner), ""]
        axes = tuple_of(str(n.data) for n in made.taken)
        self.helpers |= {"by_slices", "total"}
        return Text(f"by_slices({body}, {tuple_of(sources)}, {axes}, {made.axis})")

    def _block(self, scan: Scan) -> None:
        """The function of a block of rows, and what it gives for all of them."""
        body, lines = self.names.fresh("rows"), self.lines
        outside, places = dict(self._code), dict(self._places)
        self.lines, self.indent = [], 2 * INDENT
        head = call_lines(f"def {body}({', '.join(self._parameters(scan))})", INDENT)
        self._all(scan.inside)
        rows, sums = ([self[n.args[0]] for n in kind] for kind in (scan.joined, scan.added))
        inside = self.lines + call_lines(f"return {tuple_of(rows)}, {tuple_of(sums)}", self.indent)
        self._code, self._places, self.lines, self.indent = outside, places, lines, INDENT
        for node, name in zip([*scan.joined, *scan.added], rows + sums, strict=True):
            self._code[node] = Text(name)
        about = [f"rows of {_listed(rows)}"] * bool(rows)
        about += [f"what rows add to {_listed(sums)}"] * bool(sums)
        head = [*comment(_sentence(about)), *head[:-1], head[-1] + ":"]
        given = ", ".join(
            [
                body,
                tuple_of(self[n.args[0]] for n in scan.taken),
                tuple_of(str(n.data) for n in scan.taken),
                tuple_of(str(n.data) for n in scan.joined),
                self.number(scan.width).code,
                *self._banded(scan),
            ]
        )
        call = unpacking([tuple_of(rows), tuple_of(sums)], f"{self.loop}({given})")
        self.lines += ["", *head, *(INDENT + line for line in inside), "", *call]

    def _banded(self, scan: Scan) -> list[str]:
        """The keys that rows are near, and how far these reach."""
        if scan.band is None:
            return []
        axes = [str(n.data) if n.data >= 0 else "None" for n in scan.added]
        ends = [
            "None" if end is None else self.number(end).code
            for end in (scan.band.below, scan.band.above)
        ]
        return [
            f"near={tuple_of(self[n.args[0]] for n in scan.near)}",
            f"near_axes={tuple_of(str(n.data) for n in scan.near)}",
            f"sum_axes={tuple_of(axes)}",
            f"below={ends[0]}",
            f"above={ends[1]}",
        ]

    def _parameters(self, scan: Scan) -> list[str]:
        """The rows of an array have its name, unless the whole array is needed beside them."""
        taken = [self[n] for n in scan.whole()]
        parameters: list[str] = []
        for node in (*scan.taken, *scan.near):
            (array,) = node.args
            name = array.hints[0] if array.op == "range" else self[array]
            if array.op == "range" or name in taken:
                name = self.names.fresh(name if name not in taken else f"{name}_{node.op}")
            taken.append(name)
            parameters.append(name)
            self._code[node] = Text(name)
        return parameters

    def _deserves_name(self, node: Node, text: Text) -> bool:
        if node in self._forced:
            return True
        if node.op == "einsum" and self._only_scaled(node):
            return False
        if node.op in (*SUFFIX, "guard"):
            return True
        return self._uses[node] > 1 or len(text.code) > LONG

    def _only_scaled(self, node: Node) -> bool:
        """The one use of the node is a multiple of it."""
        users = self._users[node]
        return len(users) == 1 and users[0].op == "product" and len(users[0].args) == 1

    def _suggest(self, node: Node) -> str:
        operands = 1 if node.op in ("gather", "scatter") else 3  # the others are indices
        stems = [self._stem(arg) for arg in node.args[:operands]]
        suffix = "mean" if _is_mean(node) else SUFFIX.get(node.op)
        if node.op == "call":
            return f"{node.data[1]}_{stems[0]}"
        if node.op == "add":
            return stems[0] or "part"
        if node.op in BOOLEAN:
            return "mask"
        if node.op == "guard":
            return f"{stems[0]}_safe"
        parts = [s for s in stems if s] + ([suffix] if suffix else [])
        name = "_".join(parts) or "part"
        return name if len(name) <= 24 else "part"

    def _stem(self, node: Node) -> str:
        text = self._code.get(node)  # None for what exists in slices alone
        if text is not None and text.code.isidentifier():
            return text.code
        inner = [self._stem(arg) for arg in node.args[: 1 if node.op == "add" else 2]]
        return "_".join(s for s in inner if s)


def _is_mean(node: Node) -> bool:
    """Σ x / n over all entries of some axes."""
    if node.op != "product" or len(node.args) > 1 or node.args[0].op != "einsum":
        return False
    total, (coefficient, powers) = node.args[0], node.data[1]
    summed = sp.Mul(*total.sizes[len(total.shape) :])
    return bool(powers == (1,) and coefficient * summed == 1 and summed != 1)


def tuple_of(parts: Iterable[str]) -> str:
    """The parts as a tuple."""
    parts = list(parts)
    return f"({', '.join(parts)}{',' * (len(parts) == 1)})"


def _listed(names: Sequence[str]) -> str:
    return " and ".join([", ".join(names[:-1]), names[-1]] if len(names) > 1 else names)


def _sentence(parts: Sequence[str]) -> str:
    text = ", and ".join(parts)
    return f"{text[0].upper()}{text[1:]}."
