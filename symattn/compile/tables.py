"""What is known of a plan while it is made: its inputs, its arrays, what stands for what."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

import sympy as sp

from ..convert import fresh_letter
from ..ir import Index, Poly, Rational, Sum, Tensor, refs
from . import complements
from .arrays import Arrays
from .entry import Entry, Env
from .leading import Leading
from .memo import Differences, Meaning, Memo
from .nodes import Label, Node, View
from .order import Symbols, lengthy
from .passes import Change
from .peaks import Peak

Placed = tuple[Node, tuple[int | Label, ...]]  # a node, and the slot or batch axis of each axis
Stands = tuple[
    Poly, bool | str, frozenset[Index]
]  # an expression, whether it is guarded, its letters


class Tables(Arrays):
    """Arrays over `entries`; a tensor that has no entry is an input.

    `batch` are leading axes; every input with at least one slot carries them, or those do that
    `carried` says, by name.
    """

    def __init__(
        self,
        entries: Mapping[Tensor, Entry],
        batch: Sequence[str] = (),
        letters: Mapping[sp.Expr, Sequence[str]] | None = None,
        carried: Leading | None = None,
    ) -> None:
        super().__init__()
        self.letters = letters or {}
        self.entries = dict(entries)
        self.batch = tuple(Label(b, sp.Symbol(b, positive=True, integer=True)) for b in batch)
        self.carried = carried
        used = dict.fromkeys(r.tensor for e in entries.values() for r in refs(e.poly))
        self.long: Symbols = lengthy(t.shape for t in used if t not in entries)  # sizes, as a rule
        self.inputs: dict[Tensor, Node] = {}
        self.tensors: dict[Tensor, Placed] = {}  # entries and peaks that are lowered
        self.placed: dict[Tensor, Node] = {}  # what stands for a node for a while
        self.memo = Memo()
        self.meaning: dict[Node, Meaning] = {}  # what a node computes
        self.peaks: dict[Tensor, Peak] = {}  # maxima taken out of exponentials
        self.peak_letters: dict[Tensor, dict[Index, Index]] = {}
        self.wild: dict[Tensor, Entry | None] = {}  # definitions that may overflow, opened
        self.fading: dict[Tensor, bool] = {}  # definitions that may be rounded to 0
        self.dividing: dict[Tensor, bool] = {}  # definitions that divide by one of these
        self.outweighed: set[Tensor] = set()  # those that divide by a sum of these
        self.scalings: dict[Tensor, Rational] = {}  # those that are such a sum, or its inverse
        self.exponential: dict[Tensor, bool] = {}  # those with exponentials in them
        # definitions that are polynomials in one weight
        self.polynomials: dict[Tensor, complements.Polynomial | None] = {}
        self.means: dict[Tensor, bool] = {}  # definitions that are the mean of an array
        self.around: set[Tensor] = set()  # arrays around a mean, of which differences alone matter
        self.logistic: dict[Tensor, bool] = {}  # definitions that are a power of σ
        self.tailed: dict[Tensor, bool] = {}  # those with what is left of erf or e^q at a limit
        # entries for parts of a contraction, and for conditions
        self.standing = {
            t: e for t, e in entries.items() if e.test is not None or e.small is not None
        }
        self.stands: dict[Stands, Tensor] = {}  # which of them stands for an expression
        self.written: set[Poly | Sum] = set()  # gathered, to be computed as they stand
        self.roots: set[Node] = set()  # nodes that are returned
        self.live: set[Node] = set()  # nodes that the plan needs so far
        self.chunked = False  # sums under an order may go chunk by chunk
        self.guarded = False  # something is computed under a condition
        self.apart = False  # largest values of pairs are taken of their parts: see apart.py
        self.pairs = False  # there were such
        self.small = False  # there is log(1 + w e^z)
        self.differences = Differences()
        self.changes: list[Change] = []  # what the passes over expressions did

    def replace(self, tensor: Tensor, view: View, labels: Sequence[Label]) -> None:
        """Take a view for a tensor in place of what it was; `labels` are those of its slots."""
        old, _ = self.tensors[tensor]
        places = tuple(labels.index(x) if x in labels else x for x in view.labels)
        self.tensors[tensor] = view.node, places
        if old in self.meaning:
            self.meaning[view.node] = self.meaning[old]

    @contextmanager
    def standing_for(self, nodes: Mapping[Tensor, Node]) -> Iterator[None]:
        """Tensors mean nodes; what is lowered in the meantime has no other meaning."""
        memo, meaning = dict(self.memo), dict(self.meaning)
        self.placed.update(nodes)
        try:
            yield
        finally:
            self.placed.clear()
            self.memo.clear()
            self.memo.update(memo)
            self.meaning = meaning

    def snapshot(self) -> tuple[dict[Any, Any], ...]:
        """The state, for a trial."""
        return tuple(dict(table) for table in self._tables())

    def restore(self, state: tuple[dict[Any, Any], ...]) -> None:
        """The state of a snapshot."""
        for table, saved in zip(self._tables(), state, strict=True):
            table.clear()
            table.update(saved)

    def _tables(self) -> tuple[dict[Any, Any], ...]:
        return (
            self.entries,
            self.inputs,
            self.tensors,
            self.memo,
            self.meaning,
            self.peaks,
            self.peak_letters,
            self.standing,
            self.stands,
        )

    def leading(self, tensor: Tensor) -> tuple[Label, ...]:
        """The leading axes of an array that comes in."""
        if self.carried is None:
            return self.batch if tensor.shape else ()
        return self.among(tensor.name)

    def among(self, name: str) -> tuple[Label, ...]:
        """The leading axes that a tensor of that name carries; all where every array does."""
        if self.carried is None:
            return self.batch
        return tuple(b for b in self.batch if b.name in self.carried(name))

    def _input(self, tensor: Tensor) -> Placed:
        batch = self.leading(tensor)
        node = self.inputs.get(tensor)
        if node is None:
            shape = (*(b.size for b in batch), *tensor.shape)
            node = self.nodes.make("input", (), tensor, shape, len(shape))
            self.inputs[tensor] = node
        return node, (*batch, *range(len(tensor.shape)))

    def scope(self, env: Env, bound: Iterable[Index]) -> dict[Index, Label]:
        """The labels inside a sum; indices without a letter of their own get one."""
        inner = dict(env)
        taken = {label.name for label in env.values()}
        for b in bound:
            made = b.level
            name = fresh_letter(b.size, taken, self.letters) if made else b.name
            taken.add(name)
            inner[b] = Label(name, b.size)
        return inner

    def _explain(self, node: Node, poly: Poly, normal: Poly, env: Env) -> None:
        """Keep what a node computes, for the comments."""
        if node in self.meaning or node.op == "input":
            return
        order = sorted(normal.free, key=lambda i: env[i].order)
        self.meaning[node] = Meaning(poly, normal, {i: env[i].name for i in order})
