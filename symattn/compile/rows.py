"""Which axis of a plan its large arrays can be cut along, and the plan cut there.

An array is large if it pairs two sizes that no input and no result has together, as the scores
S_ij of attention pair n_q and n_k.  Blocks of rows i need memory for a few rows of S at a time:

    rows     computed for these rows from these rows: S_ij, O_ib = Σ_j A_ij V_jb
    sums     add up over blocks: K̄_ja = Σ_i S̄_ij Q_ia, and multiples of such sums
    after    whatever needs all rows at once, or a sum

A plan is cut only where nothing is left whole that grows with the size like what is cut.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import combinations
from typing import TYPE_CHECKING

import numpy as np
import sympy as sp

from .inverse import axes_of_matrix
from .nodes import BOOLEAN, Letters, Node, reachable, shift
from .order import Symbols, points, symbols_of
from .ordered import axes_in_order
from .slices import in_slices

if TYPE_CHECKING:
    from .bands import Band

Pair = tuple[sp.Expr, sp.Expr]


@dataclass(frozen=True)
class Cut:
    """What becomes of the nodes; those that are not mentioned come before."""

    size: sp.Expr
    letters: dict[Node, int]  # the row letter of every node that is rows or sums
    sums: set[Node]
    after: set[Node]

    @property
    def rows(self) -> dict[Node, int]:
        """The row axis of every node that is computed row by row."""
        return {n: x for n, x in self.letters.items() if n not in self.sums}


def operands(node: Node) -> Iterator[tuple[Node, Letters]]:
    """The operands of a node with the letters of their axes; −1 where any entry may be read."""
    if node.op == "gather":
        (source,), (slots, _) = node.args, node.data
        yield source, tuple(_plain(node, *slot) for slot in slots)
    elif node.op not in ("input", "literal", "compare"):
        whole = axes_of_matrix(node)
        for arg, letters in zip(node.args, node.data[0], strict=True):
            yield arg, tuple(-1 if x in whole else x for x in letters)


def _plain(node: Node, items: Sequence[tuple[int, int]], const: sp.Expr, modulus: sp.Expr) -> int:
    """The letter that an affine index is."""
    letter, c = items[0] if len(items) == 1 else (-1, 0)
    return letter if c == 1 and const == 0 and modulus == node.sizes[letter] else -1


# ------------------------------------------------------------------------------------ which axis


def cut(roots: Sequence[Node], long: Symbols = frozenset(), every: bool = False) -> Cut | None:
    """The cut along the axis that fewest nodes have, and fewest sums, of those that leave nothing
    larger than what they cut, and of these along one by which matrices that come in are cut into
    rows, not columns; None if nothing is gained.  With `every` arrays of sizes that come together
    in an input count as large too.
    """
    order = list(reachable(roots))
    large = _large(order, roots, every)
    symbols = symbols_of(s for n in large for s in n.shape)
    bulk = {n: _bulk(n, symbols, long) for n in large}
    found: list[tuple[bool, int, int, int, Cut]] = []
    for size in dict.fromkeys(s for pairs in large.values() for p in pairs for s in p):
        if not size.free_symbols:
            continue
        power = max(_power(n, size) for n in large)
        top = [n for n in large if _power(n, size) == power]
        seed = next((n for n in top if size in n.shape), top[0])
        for axis in (k for k, s in enumerate(seed.shape) if s == size):
            made = _complete(order, {seed: axis}, size, set(top))
            if made is None:
                continue
            whole = [n for n in _whole(order, roots, made) if _computed(n)]
            if not any(n in top for n in whole):
                larger = any(bulk[n] > max(bulk[t] for t in top) for n in whole if n in bulk)
                columns = _columns(made, top)
                found.append((larger, columns, len(made.letters), len(made.sums), made))
    return min(found, key=lambda c: c[:4])[4] if found else None


def saves(roots: Sequence[Node], made: Cut, long: Symbols) -> bool:
    """Whether blocks need less memory than the function all at once: the results that are put
    together from blocks are few beside the arrays of that size that a block has.

    A result is written twice, once for its block; an array that is in a block alone stays in a
    cache.  What goes through slice by slice is no array.  Where no sum goes over the rows, results
    are computed at once as they are.  An array that comes in is copied for its block, so none may
    be larger than those of the block are.
    """
    order = list(reachable(roots))
    _, sliced = in_slices(order, set(roots), long)
    rows = [n for n in made.rows if n.shape and n not in sliced]
    symbols = symbols_of(s for n in order for s in n.shape)
    bulk = {n: _bulk(n, symbols, long) for n in rows}
    largest = max((size for n, size in bulk.items() if n not in roots), default=(0, 0.0))
    joined = sum(n in roots and size >= largest for n, size in bulk.items())
    inside = sum(n not in roots and size == largest for n, size in bulk.items())
    taken = {
        arg for n in rows for arg, x in operands(n) if arg.op == "input" and made.letters[n] in x
    }
    copied = any(_bulk(arg, symbols, long) > largest for arg in taken)
    return bool(made.sums) and inside >= 2 * joined + 2 and not copied


def _columns(made: Cut, top: Sequence[Node]) -> int:
    """How many arrays that come in, and are as large as what is cut, are cut into columns."""
    sizes = {tuple(sorted(map(str, n.shape))) for n in top}
    taken = {
        (arg, x.index(row))
        for n, row in made.letters.items()
        for arg, x in operands(n)
        if arg.op == "input" and row in x and tuple(sorted(map(str, arg.shape))) in sizes
    }
    return sum(axis > 0 for _, axis in taken)


def left_whole(
    roots: Sequence[Node], made: Cut | None, long: Symbols = frozenset(), every: bool = False
) -> list[Node]:
    """The large arrays that exist at full length and are as large as what is cut."""
    order = list(reachable(roots))
    large = _large(order, roots, every)
    if made is None:
        return list(large)
    symbols = symbols_of(s for n in large for s in n.shape)
    top = max((_bulk(n, symbols, long) for n in made.rows if n in large), default=(0, 0.0))
    whole = (n for n in _whole(order, roots, made) if n in large and n not in roots)
    return [n for n in whole if _bulk(n, symbols, long) >= top]


def _large(
    order: Sequence[Node], roots: Sequence[Node], every: bool = False
) -> dict[Node, list[Pair]]:
    """The arrays that pair sizes which no input and no result has together, with these pairs;
    with `every` all arrays of several axes that are no results."""
    seen = {p for n in order if n.op == "input" or n in roots for p in _pairs(n)}
    if every:
        return {
            n: list(_pairs(n)) for n in order if _computed(n) and n not in roots and n.shape[1:]
        }
    return {
        n: new for n in order if _computed(n) and (new := [p for p in _pairs(n) if p not in seen])
    }


def _bulk(node: Node, symbols: Symbols, long: Symbols) -> tuple[int, float]:
    """How large an array is: the highest power of a size, then the entries at plausible sizes."""
    power = max(_power(node, size) for size in node.shape)
    return power, round(float(np.log(points(node.shape, symbols, long)).mean()), 1)


def _power(node: Node, size: sp.Expr) -> int:
    """How the entries grow with the size, all else being fixed."""
    return sum(not s.free_symbols.isdisjoint(size.free_symbols) for s in node.shape)


def _computed(node: Node) -> bool:
    return node.op not in ("input", "literal", "compare")


def _pairs(node: Node) -> Iterator[Pair]:
    yield from combinations(sorted(node.shape, key=str), 2)


def _whole(order: Sequence[Node], roots: Sequence[Node], made: Cut) -> Iterator[Node]:
    """What exists at full length."""
    rows = made.rows
    used = {arg for n in made.after for arg in n.args}
    for node in order:
        if node not in rows or node in used or node in roots:
            yield node


def _complete(
    order: Sequence[Node], seeds: Mapping[Node, int], size: sp.Expr, top: set[Node]
) -> Cut | None:
    """The cut along the axes of the seeds, and along one of everything in `top` that has nothing
    to do with them; None where that does not work."""
    made = _spread(order, seeds, size, top)
    if made is None:
        return None
    for node in order:
        if node in top and node not in made.letters and node not in made.after:
            for axis in (k for k, s in enumerate(node.shape) if s == size):
                wider = _spread(order, {**made.rows, node: axis}, size, top)
                if wider is not None:
                    made = wider
                    break
            else:
                return made
    return made


def _spread(
    order: Sequence[Node], seeds: Mapping[Node, int], size: sp.Expr, top: set[Node]
) -> Cut | None:
    """The cut in which the axes of the seeds are the rows; None where that does not work.

    Rows go up to every user that keeps the letter, and down to operands that are in `top`.
    """
    rows = dict(seeds)
    while True:
        made = Cut(size, dict(rows), set(), set())
        for node in order:
            if not _place(node, made, top):
                return None
        if made.rows == rows:
            return made
        rows = made.rows


def _place(node: Node, made: Cut, top: set[Node]) -> bool:
    """Enter one node whose operands are entered; False where it cannot be rows and has to be."""
    letters, forced = made.letters, node in made.letters
    if any(arg in made.after or arg in made.sums for arg in node.args):
        if _multiple(node) and node.args[0] in made.sums:
            made.sums.add(node)
            letters[node] = -1
        else:
            made.after.add(node)
        return not forced
    rows = {x[letters[arg]] for arg, x in operands(node) if arg in letters}
    rows |= {letters[node]} if forced else set()
    if not rows:
        return True
    if node.op == "arrange" or not _fits(node, rows, letters):
        made.after.add(node)
        return not forced
    (row,) = rows
    if row >= len(node.shape):
        if node.op not in ("einsum", "scatter"):
            made.after.add(node)
            return True
        made.sums.add(node)
    letters[node] = row
    for arg, x in operands(node):
        if row in x and arg in top:
            letters.setdefault(arg, x.index(row))
    return True


def _multiple(node: Node) -> bool:
    """A number times the one operand."""
    return node.op == "product" and node.data[1][1] == (1,) and node.args[0].op not in BOOLEAN


def _fits(node: Node, rows: set[int], letters: dict[Node, int]) -> bool:
    """One letter of the node is the rows, and every operand has it as its rows; once, if it is not
    read at indices."""
    row = min(rows)
    if len(rows) > 1 or row < 0 or row in axes_of_matrix(node):
        return False
    if node.op == "one_hot" and row == node.data[1]:
        return False
    if node.op in ("cumsum", "cummax") and row == node.data[1][0]:
        return False
    if node.op == "ordered" and row in axes_in_order(node):
        return False
    return all(
        (x.count(row) <= 1 or node.op == "gather")
        and (arg not in letters or (row in x and x[letters[arg]] == row))
        for arg, x in operands(node)
    )


# ---------------------------------------------------------------------------------- the plan, cut


@dataclass
class Scan:
    """A plan with a part that runs over blocks of rows.

    Its nodes have four operations more: `rows` of an array (data: the axis) and, with a band,
    the keys that are `near` them are what the part takes, rows `joined` (data: the axis) and sums
    `added` (data: the axis of keys or None) are what it gives; `range` are the indices of all rows
    or keys.
    """

    width: sp.Expr  # entries in one row of the largest arrays inside, all together
    band: Band | None = None
    inside: list[Node] = field(default_factory=list)
    taken: list[Node] = field(default_factory=list)
    near: list[Node] = field(default_factory=list)
    joined: list[Node] = field(default_factory=list)
    added: list[Node] = field(default_factory=list)
    # the indices of the letters of a grid that are rows or keys
    places: dict[Node, dict[int, Node]] = field(default_factory=dict)
    local: dict[Node, int] = field(default_factory=dict)  # the row axis of what is looked up
    # the axis of it that is near the rows, and the indices there
    near_axis: dict[Node, tuple[int, Node]] = field(default_factory=dict)
    origin: dict[Node, Node] = field(default_factory=dict)  # a node of the plan without a cut
    now: dict[Node, Node] = field(default_factory=dict)  # and back: what stands for it outside

    def whole(self) -> set[Node]:
        """Nodes from outside that the part uses as they are."""
        inside = {*self.inside, *self.taken, *self.near}
        return {arg for n in self.inside for arg in n.args if arg not in inside}

    def named(self) -> set[Node]:
        """Nodes that are written under a name: what goes in, and what comes out."""
        used = self.whole() | {n.args[0] for n in (*self.taken, *self.near)}
        given = {n.args[0] for n in (*self.joined, *self.added)}
        return {n for n in used if n.op not in ("literal", "compare", "range")} | given


def scan(roots: Sequence[Node], made: Cut, band: Band | None = None) -> Scan:
    """The plan below the roots, cut; for the keys of a band alone where there is one."""
    order = list(reachable(roots))
    rows = made.rows
    keys = {} if band is None else band.letters
    widths = [sp.Mul(*(s for k, s in enumerate(n.shape) if k != x)) for n, x in rows.items()]
    largest = max(widths, key=lambda width: (len(sp.Mul.make_args(width)), str(width)))
    result = Scan(widths.count(largest) * largest, band)
    inner: dict[Node, Node] = {}
    known: dict[tuple[Node, str, int], Node] = {}
    indices = {"rows": _range(*next(iter(made.rows.items())))}
    if keys:
        indices["near"] = _range(*next(iter(keys.items())))

    def once(node: Node, op: str, axis: int, kind: list[Node]) -> Node:
        if (node, op, axis) not in known:
            known[node, op, axis] = _edge(op, node, axis)
            kind.append(known[node, op, axis])
        return known[node, op, axis]

    def take(node: Node, axis: int, op: str = "rows") -> Node:
        return once(node, op, axis, result.taken if op == "rows" else result.near)

    def grid(node: Node, letters: Mapping[str, int]) -> Node:
        """A node made of indices, those of rows and of keys given as its last operands."""
        at = {x: take(indices[op], 0, op) for op, x in letters.items()}
        used = [*at.values()]
        near = {
            arg: keys[arg] for arg in node.args if keys.get(arg, len(arg.shape)) < len(arg.shape)
        }
        if near and "near" not in letters:
            used.append(take(indices["near"], 0, "near"))
        new = replace(node, args=(*(inner.get(arg, arg) for arg in node.args), *used))
        result.places[new], result.origin[new] = at, node
        for arg in node.args:
            if arg in inner:
                result.local[new] = rows[arg]
            if arg in near:
                result.near_axis[new] = near[arg], take(indices["near"], 0, "near")
        return new

    def operand(arg: Node, x: Letters, own: Mapping[str, int]) -> Node:
        if arg in inner:
            return inner[arg]
        mine = {op: x.index(letter) for op, letter in own.items() if letter in x}
        if arg.op == "compare" and mine:
            name = " ".join(f"{op} {k}" for op, k in mine.items())
            if (arg, name, 0) not in known:
                known[arg, name, 0] = grid(arg, mine)
                result.inside.append(known[arg, name, 0])
            return known[arg, name, 0]
        for op, axis in mine.items():
            arg = take(arg, axis, op)
        return arg

    def outside(node: Node) -> Node:
        if node in made.sums:
            key = keys.get(node, -1)
            return once(inner[node], "added", key if key < len(node.shape) else -1, result.added)
        if node in rows:
            return once(inner[node], "joined", rows[node], result.joined)
        return result.now.get(node, node)

    for node in order:
        if node in made.letters:
            own = {"rows": made.letters[node]} | ({"near": keys[node]} if node in keys else {})
            if node.op == "gather" and "near" not in own and (axis := _within(node, rows)) >= 0:
                (arg,) = node.args
                rows_of = inner[arg] if arg in inner else take(arg, axis)
                inner[node] = replace(node, args=(rows_of,))
                result.local[inner[node]] = axis
            elif node.op == "gather":
                inner[node] = grid(node, own)
            else:
                args = [operand(arg, x, own) for arg, x in operands(node)]
                if node.op == "scatter":  # its places are those of the rows
                    args.append(take(indices["rows"], 0))
                inner[node] = replace(node, args=tuple(args))
                if node.op == "scatter":
                    result.places[inner[node]] = {own["rows"]: args[-1]}
            result.origin[inner[node]] = node
            result.inside.append(inner[node])
        elif node in made.after:
            result.now[node] = new = replace(node, args=tuple(map(outside, node.args)))
            result.origin[new] = node
    for root in roots:
        result.now[root] = outside(root)
    return result


def _within(node: Node, rows: Mapping[Node, int]) -> int:
    """The row axis of what a lookup moves along another one, so that rows need no others; or −1."""
    moved = shift(node)
    if moved is None or node not in rows or rows[node] not in moved.letters:
        return -1
    axis = moved.letters.index(rows[node])
    return axis if axis != moved.axis and rows.get(node.args[0], axis) == axis else -1


def _edge(op: str, node: Node, axis: int) -> Node:
    return Node(op, (node,), axis, node.shape, -1, node.shape, node.hints[: len(node.shape)])


def _range(node: Node, letter: int) -> Node:
    """The indices of one letter of a node, called as it is."""
    size = node.sizes[letter]
    return Node("range", (), None, (size,), -1, (size,), (node.hints[letter],))


__all__ = ["Cut", "Scan", "cut", "left_whole", "scan"]
