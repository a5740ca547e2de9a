"""A plan for a ring of devices: rows stay, keys go around.

Every array that has a row or a key holds those of one device.  A node with both is computed for the
rows of a device and the keys that are there, in phases, for the keys of one device after the other:

    kept      summed over keys, or their maximum: merged from step to step
    carried   summed over rows: goes around with its keys, and is at home after the last step

A phase needs what earlier ones give, so softmax takes one for its maximum and one for its sums.  A
factor without keys is taken out of a sum over keys.  What is summed over rows or keys alone, or
over both, is added up over the devices.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

import sympy as sp

from ..errors import UnsupportedError
from .nodes import BOOLEAN, ENTRYWISE, Letters, Node, reachable
from .order import Symbols
from .rows import Cut, operands

LOCAL = (*ENTRYWISE, "guard", "einsum", "max")


@dataclass
class Phase:
    """What is computed while the keys go around once."""

    inside: list[Node] = field(default_factory=list)
    near: list[Node] = field(default_factory=list)  # arrays of keys, which go around
    kept: list[Node] = field(default_factory=list)
    carried: list[Node] = field(default_factory=list)

    def outside(self) -> list[Node]:
        """What it uses of what is computed before."""
        inside = {*self.inside, *self.near}
        used = dict.fromkeys(a for n in (*self.near, *self.inside) for a in n.args)
        return [a for a in used if a not in inside]


@dataclass
class Ring:
    """The plan of one device.

    Its nodes have five operations more: the `positions` of the rows of a device; a `phase`, and
    what is `merged` in one; the `columns` of an array with rows and keys; a `psum` over devices.
    """

    sizes: frozenset[sp.Expr]  # of the axes that devices share
    now: dict[Node, Node] = field(default_factory=dict)  # a node of the plan, and of this one
    places: dict[Node, dict[int, Node]] = field(default_factory=dict)
    origin: dict[Node, Node] = field(default_factory=dict)
    axes: dict[Node, int] = field(default_factory=dict)  # of inputs with rows and keys
    phases: dict[int, Phase] = field(default_factory=dict)

    def axis(self, node: Node) -> int | None:
        """The axis of an array that devices share."""
        found = [k for k, s in enumerate(node.shape) if s in self.sizes]
        return self.axes.get(node, found[0]) if found else None

    def every(self, roots: Sequence[Node]) -> list[Node]:
        """Every node, also inside of phases."""
        return [*self.order(roots), *(n for p in self.phases.values() for n in p.inside)]

    def order(self, roots: Sequence[Node]) -> Iterator[Node]:
        """Every node outside of phases, operands before what uses them."""
        yield from reachable([self.now[root] for root in roots], read=self._before)

    def _before(self, node: Node) -> Sequence[Node]:
        """What a node is computed of outside of phases."""
        merged = node.op == "merged"
        return tuple(self.phases[node.data[0]].outside()) if merged else node.args


def shared(
    made: Cut | None, roots: Sequence[Node], long: Symbols
) -> tuple[Cut, frozenset[sp.Expr]]:
    """Rows, and the sizes of rows and keys: first axes of arrays, those that are `long` if any."""
    arrays = [n for n in reachable(roots) if n.op == "input" and n.shape[1:]]
    every = list(dict.fromkeys(n.shape[0] for n in arrays))
    first = [s for s in every if s.free_symbols & long] or every
    if made is None or made.size not in first:
        others = {s for n in arrays for s in n.shape[1:]}
        chosen = sorted(first, key=lambda s: s in others)[:1]
        return Cut(sp.S.Zero, {}, set(), set()), frozenset(chosen)
    meet = [
        s for n, row in made.letters.items() for x, s in enumerate(n.sizes) if x != row and row >= 0
    ]
    keys = [s for s in (made.size, *first) if s in meet]
    return made, frozenset((made.size, *keys[:1]))


def ring(roots: Sequence[Node], made: Cut, sizes: frozenset[sp.Expr]) -> Ring:
    """The plan below the roots for one device.  Raises UnsupportedError.

    Where a result pairs rows and keys of other sizes, rows alone are shared.
    """
    try:
        return _Builder(roots, made, sizes).built()
    except UnsupportedError:
        if len(sizes) < 2:
            raise
        rows = frozenset((made.size,))
        return _Builder(roots, Cut(made.size, {}, set(), set()), rows).built()


class _Builder:
    def __init__(self, roots: Sequence[Node], made: Cut, sizes: frozenset[sp.Expr]) -> None:
        self.roots, self.letters, self.ring = roots, dict(made.letters), Ring(sizes)
        self.order = list(reachable(roots))
        self.level: dict[Node, int] = {}
        self.whole: dict[Node, Node] = {}  # a sum without the factors that were taken out of it
        self.copies: dict[tuple[int, Node], Node] = {}
        self.known: dict[tuple[object, ...], Node] = {}

    def built(self) -> Ring:
        for node in self.order:
            for arg, letters in operands(node):
                row = self._row(node)
                if arg.op == "input" and len(self._shared(arg)) > 1 and row in letters:
                    self.ring.axes.setdefault(arg, letters.index(row))
        for node in self.order:
            self._enter(node)
        for root in self.roots:
            if root not in self.ring.now:
                raise _cannot(root, "a result that pairs rows and keys")
        return self.ring

    # ------------------------------------------------------------------------------- each node

    def _shared(self, node: Node) -> list[int]:
        return [x for x, s in enumerate(node.sizes) if s in self.ring.sizes]

    def _row(self, node: Node) -> int:
        return self.letters.get(node, -1)

    def _key(self, node: Node) -> int | None:
        """The letter of keys of a node that has rows too; None for others."""
        row = self._row(node)
        if row < 0:
            return None
        found = [x for x in self._shared(node) if x != row]
        if len(found) > 1:
            raise _cannot(node, "rows that meet two axes of keys")
        return found[0] if found else None

    def _enter(self, node: Node) -> None:
        """Decide where a node is computed; its operands are decided."""
        ring, key, rank = self.ring, self._key(node), len(node.shape)
        level = max((self.level[a] for a in node.args), default=0)
        if node.op in ("input", "literal", "compare"):
            ring.now[node], self.level[node] = node, 0
        elif node.op == "range" and node.shape[0] in ring.sizes:
            ring.now[node], self.level[node] = self._positions(node.shape[0]), 0
        elif key is None:
            self._alone(node, level)
        elif key < rank and self._row(node) < rank:
            self._check(node, rank)
            self.level[node] = level
        else:
            self._summed(node, key, level)

    def _alone(self, node: Node, level: int) -> None:
        """What has rows or keys, or neither."""
        shared, rank = self._shared(node), len(node.shape)
        if len(shared) > 1:
            raise _cannot(node, "an array of all rows and all keys")
        if shared:
            self._check(node, rank)
        at = {} if not shared else {shared[0]: self._positions(node.sizes[shared[0]])}
        letter = shared[0] if shared else None
        args = [self._placed(arg, x, letter, at) for arg, x in self._with_letters(node)]
        if node.op == "gather":
            args += at.values()
        new = replace(node, args=tuple(args))
        if node.op == "gather":
            self.ring.places[new] = dict(at)
        self.ring.origin[new] = node
        if shared and shared[0] >= rank:
            new = self._over_devices(new)
        self.ring.now[node], self.level[node] = new, level

    def _over_devices(self, node: Node) -> Node:
        op = "pmax" if node.op == "max" else "psum"
        return Node(op, (node,), None, node.shape, -1, node.shape, node.hints[: len(node.shape)])

    def _placed(
        self, arg: Node, letters: Letters, letter: int | None, at: Mapping[int, Node]
    ) -> Node:
        """An operand outside of phases, of a node whose `letter` devices share."""
        if arg.op == "compare":
            return self._grid(arg, {letters.index(x): n for x, n in at.items() if x in letters})
        if arg not in self.ring.now:
            raise _cannot(arg, "an array of all rows and all keys")
        return self._read(arg, letters, letter)

    def _read(self, arg: Node, letters: Letters, letter: int | None) -> Node:
        """What a device has of an operand, where it is read place by place along `letter`, the one
        that devices share."""
        now = self.ring.now[arg]
        axis = self.ring.axis(now)
        found = [k for k, x in enumerate(letters) if x == letter]
        if found != ([] if axis is None else [axis]):
            raise _cannot(arg, "an array whose shared axis is read at other places")
        return now

    def _summed(self, node: Node, key: int, level: int) -> None:
        """What is summed over rows or over keys, or is the largest of these."""
        rank, row = len(node.shape), self._row(node)
        placed = node.op == "scatter" and min(row, key) >= rank
        if not placed and (node.op not in ("einsum", "max") or (node.op == "max" and row >= rank)):
            raise _cannot(node, f"{node.op} along an axis that devices share")
        outer: list[tuple[Node, Letters, sp.Expr]] = []
        if node.op == "einsum" and row < rank:
            node, outer = self._without_rows(node, key)
            level = max((self.level[a] for a in node.args), default=0)
        phase = self.ring.phases.setdefault(level, Phase())
        inner = self._inside(node, level)
        kind = phase.kept if key >= rank else phase.carried
        if inner not in kind:
            kind.append(inner)
        out: Node = Node("merged", (), (level, inner), node.shape, -1, node.shape, node.hints)
        out = self.known.setdefault(("merged", level, inner), out)
        if key >= rank and row >= rank:
            out = self._over_devices(out)
        original = self.whole.get(node, node)
        if outer:
            letters = tuple(range(rank))
            powers = sp.S.One, *(e for *_, e in outer)
            data = (letters, *(x for _, x, _ in outer)), (sp.S.One, powers)
            args = (out, *(self.ring.now[a] for a, *_ in outer))
            out = Node("product", args, data, node.shape, -1, node.sizes[:rank], node.hints[:rank])
        self.ring.now[original], self.level[original] = out, level + 1
        self.ring.origin[out] = original

    def _without_rows(
        self, node: Node, key: int
    ) -> tuple[Node, list[tuple[Node, Letters, sp.Expr]]]:
        """A sum over keys apart from the factors that have rows alone."""
        outer: list[tuple[Node, Letters, sp.Expr]] = []
        args, places = [], []
        rank = len(node.shape)
        for arg, letters in zip(node.args, node.data[0], strict=True):
            kept = []
            if arg.op == "product" and key in letters:
                inner, (c, powers) = arg.data
                for a, x, e in zip(arg.args, inner, powers, strict=True):
                    mine = tuple(letters[y] for y in x)
                    rows_only = (
                        a in self.ring.now and key not in mine and max(mine, default=0) < rank
                    )
                    if rows_only and a.op not in BOOLEAN:
                        outer.append((a, mine, e))
                    else:
                        kept.append((a, x, e))
                if kept and len(kept) < len(powers):
                    data = tuple(x for _, x, _ in kept), (c, tuple(e for *_, e in kept))
                    plain = (
                        len(kept) == 1
                        and c == 1
                        and kept[0][2] == 1
                        and kept[0][1] == tuple(range(len(arg.shape)))
                    )
                    if plain:
                        arg = kept[0][0]
                    else:
                        whole = self.known.get(("part", arg))
                        if whole is None:
                            whole = replace(arg, args=tuple(a for a, *_ in kept), data=data)
                            self.known["part", arg] = whole
                            self.letters[whole] = self.letters[arg]
                            self.level[whole] = max(self.level[a] for a in whole.args)
                        arg = whole
            args.append(arg)
            places.append(letters)
        if not outer:
            return node, []
        new = replace(node, args=tuple(args), data=(tuple(places), node.data[1]))
        self.letters[new], self.whole[new] = self.letters[node], node
        return new, outer

    # ------------------------------------------------------------------------------ in a phase

    def _inside(self, node: Node, level: int) -> Node:
        """A node with rows and keys, computed in a phase."""
        if (level, node) in self.copies:
            return self.copies[level, node]
        phase, row, key = self.ring.phases[level], self._row(node), self._key(node)
        assert key is not None
        rows = self._positions(node.sizes[row])
        args = []
        for arg, letters in self._with_letters(node):
            if arg.op == "compare":
                grid = {letters.index(row): rows} if row in letters else {}
                if key in letters:
                    here = self._near(self._positions(node.sizes[key]), 0, phase)
                    grid[letters.index(key)] = here
                made = self._grid(arg, grid)
                if grid and made not in phase.inside and key in letters:
                    phase.inside.append(made)
                args.append(made)
            elif arg in self.ring.now:
                args.append(self._beside(arg, letters, row, key, phase, node))
            else:
                args.append(self._inside(arg, level))
        new = replace(node, args=tuple(args))
        if node.op in ("gather", "scatter"):
            here = self._near(self._positions(node.sizes[key]), 0, phase)
            new = replace(new, args=(*new.args, rows, here))
            self.ring.places[new] = {row: rows, key: here}
        self.copies[level, node] = new
        self.ring.origin[new] = self.whole.get(node, node)
        phase.inside.append(new)
        return new

    def _beside(
        self, arg: Node, letters: Letters, row: int, key: int, phase: Phase, node: Node
    ) -> Node:
        """An operand from outside of a phase: of rows, of keys, of both or of neither."""
        now = self._read(arg, letters, row if row in letters or key not in letters else key)
        if key not in letters:
            return now
        axis = letters.index(key)
        if row not in letters:
            return self._near(now, axis, phase)
        here = self._near(self._positions(node.sizes[key]), 0, phase)
        name = ("columns", now, axis, id(phase))
        if name not in self.known:
            self.known[name] = Node(
                "columns", (now, here), axis, now.shape, -1, now.shape, now.hints
            )
            phase.inside.append(self.known[name])
        return self.known[name]

    def _near(self, node: Node, axis: int, phase: Phase) -> Node:
        name = ("near", node, id(phase))
        if name not in self.known:
            edge = Node("near", (node,), axis, node.shape, -1, node.shape, node.hints)
            self.known[name] = edge
            phase.near.append(edge)
        return self.known[name]

    def _positions(self, size: sp.Expr) -> Node:
        if ("positions", size) not in self.known:
            node = Node("positions", (), None, (size,), -1, (size,), ("i",))
            self.known["positions", size] = node
        return self.known["positions", size]

    def _grid(self, node: Node, at: Mapping[int, Node]) -> Node:
        """A comparison of given indices."""
        if not at:
            return node
        name = ("grid", node, tuple(at.items()))
        if name not in self.known:
            new = replace(node, args=tuple(at.values()))
            self.ring.places[new], self.ring.origin[new] = dict(at), node
            self.known[name] = new
        return self.known[name]

    # --------------------------------------------------------------------------------- checks

    def _with_letters(self, node: Node) -> list[tuple[Node, Letters]]:
        if node.op == "gather":
            (source,) = node.args
            if self.ring.axis(source) is not None:
                raise _cannot(source, "an array whose shared axis is read at other places")
            return [(source, ())]
        return list(operands(node))

    def _check(self, node: Node, rank: int) -> None:
        """The axis that devices share is like any other in this operation."""
        turned = node.op == "arrange" and len(node.data[0][0]) == rank
        read = node.op == "gather" and self._row(node) >= 0
        if node.op not in LOCAL and not turned and not read:
            raise _cannot(node, f"{node.op} along an axis that devices share")


def _cannot(node: Node, why: str) -> UnsupportedError:
    return UnsupportedError(
        'path="ring" cannot share this among devices',
        got=f"{why}: ({', '.join(map(str, node.shape))})",
        expected="rows that meet keys in products, sums and maxima alone",
        mend='use path="flash"',
    )


__all__ = ["Phase", "Ring", "ring", "shared"]
