"""The work of a plan as formulas in the sizes."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any

import numpy as np
import sympy as sp

from .inverse import MATRIX
from .nodes import BOOLEAN, ENTRYWISE, Node, reachable, shift
from .order import Symbols, least, lengths, points, symbols_of
from .ordered import CHUNK, axes_in_order
from .rows import Cut


@dataclass(frozen=True)
class Cost:
    """Formulas in the sizes of one call.

    flops    floating-point operations, a multiplication and an addition counting as two
    bytes    what contractions and reductions read and write, in float32
    largest  the entries of the largest array between inputs and results
    blocks   the same where the axis that `largest` grows along goes through in blocks of so many
             `rows`; None for a function without blocks
    """

    flops: sp.Expr
    bytes: sp.Expr
    largest: sp.Expr
    blocks: sp.Expr | None = None

    def __str__(self) -> str:
        text = f"flops    {self.flops}\nbytes    {self.bytes}\nlargest  {self.largest} entries"
        return text if self.blocks is None else f"{text}\nblocks   {self.blocks} entries"


def entries(node: Node) -> sp.Expr:
    """How many numbers a node holds."""
    return sp.Mul(*node.shape)


def flops(node: Node) -> sp.Expr:
    """The operations of one node."""
    if node.op == "scatter":  # an addition for every entry
        return entries(node.args[0])
    if node.op == "windows":
        points = sp.Mul(*_in_windows(node))
        return points * len(node.args)
    points = sp.Mul(*node.sizes)
    if node.op == "slide":
        return 2 * points
    if node.op == "ordered":
        before, pairs = _chunked(node)
        return 2 * (before + CHUNK * pairs)
    if node.op in MATRIX:
        return _factored(node)
    if node.op in (
        "input",
        "literal",
        "compare",
        "gather",
        "arrange",
        "select",
        "choose",
        "crop",
        "pad",
    ):
        return sp.S.Zero
    if node.op == "einsum":
        return _contracted(node) if len(node.args) > 2 else points * len(node.args)
    if node.op == "product":
        factors = [a for a in node.args if a.op not in BOOLEAN]
        return points * max(0, len(factors) - 1 + (node.data[1][0] not in (1, -1)))
    if node.op in ("add", "maximum"):
        return points * (len(node.args) - 1)
    return points


def _chunked(node: Node) -> tuple[sp.Expr, sp.Expr]:
    """The multiplications of a contraction under an order: those with what is before a chunk, and
    those of one place with one other."""
    i, j = axes_in_order(node)
    own = [{i}.union(place) - {j} for place in node.data[0] if j in place]
    pairs = sum(sp.Mul(*(node.sizes[x] for x in part)) for part in own)
    return 2 * sp.Mul(*(node.sizes[x] for x in {i}.union(*own))), pairs


def _contracted(node: Node) -> sp.Expr:
    """The work of a contraction of several arrays in the order that is best where sizes are alike;
    it is chosen when they are known."""
    shapes, rank = [set(place) for place in node.data[0]], len(node.shape)
    out, work = set(range(rank)), sp.S.Zero
    while len(shapes) > 1:
        found = []
        for pair in combinations(range(len(shapes)), 2):
            union = shapes[pair[0]] | shapes[pair[1]]
            rest = [x for k, x in enumerate(shapes) if k not in pair]
            made = union & set().union(out, *rest)
            found.append((len(union), len(made), pair, union, made))
        _, _, pair, union, made = min(found, key=lambda f: f[:3])
        work += 2 * sp.Mul(*(node.sizes[x] for x in union))
        shapes = [x for k, x in enumerate(shapes) if k not in pair] + [made]
    return work


def _factored(node: Node) -> sp.Expr:
    """2n³/3 for an elimination, half of it for a Cholesky factor, and what is solved with it."""
    matrix = node.args[0]
    n = matrix.shape[-1]
    known = matrix.op == "factor"
    work = (
        sp.S.Zero
        if known
        else sp.Rational(1 if node.op == "factor" else 2, 3) * entries(matrix) * n
    )
    if node.op == "inverse":
        work += sp.Rational(4, 3) * entries(matrix) * n
    if node.op == "solve":
        work += 2 * n * entries(node)
    return work


def _in_windows(node: Node) -> tuple[sp.Expr, ...]:
    """The sizes of what a sum under r = i + t goes through."""
    along = node.data[1][2]
    return tuple(s for k, s in enumerate(node.sizes) if k != along)


REDUCING = ("einsum", "windows", "ordered", "max", "gather", "scatter", "cumsum", "cummax")
ROWS = sp.Symbol("rows", positive=True, integer=True)


def cost_of(results: Sequence[Node], cut: Cut | None = None) -> Cost:
    """The cost of everything below the results, computed at once or along a cut."""
    roots = set(results)
    nodes = list(reachable(results))
    heavy = [n for n in nodes if n.op in (*REDUCING, *MATRIX) or n in roots]
    moved = sum((entries(n) + sum(entries(a) for a in n.args) for n in heavy), sp.S.Zero)
    between = [n for n in nodes if n.op not in ("input", "compare") and n not in roots]
    blocks = None if cut is None else sp.Max(*(_held(n, cut.rows) for n in between), sp.S.One)
    return Cost(
        sp.factor_terms(sp.expand(sum((flops(n) for n in nodes), sp.S.Zero))),
        sp.factor_terms(4 * sp.expand(moved)),
        sp.Max(*map(entries, between), sp.S.One),
        blocks,
    )


def _held(node: Node, rows: Mapping[Node, int]) -> sp.Expr:
    """The entries that exist at a time."""
    return sp.Mul(*(ROWS if rows.get(node) == k else s for k, s in enumerate(node.shape)))


# ------------------------------------------------------------------------------ at plausible sizes

MATMUL = 1 / 16  # of the time that an entry of an array takes, for a point of a product of matrices
TURNED = 2.0  # of that time, for an entry of an array whose axes are in another order
TIMES = {"call": 4.0, "gather": 3.0, "scatter": 8.0, "max": 2.0, "one_hot": 2.0,
         "cumsum": 4.0, "cummax": 4.0}  # fmt: skip


def price(roots: Sequence[Node], long: Symbols) -> float:
    """The time of a plan in entries of arrays, the geometric mean over plausible sizes."""
    return spent(reachable(roots), long)


def spent(nodes: Iterable[Node], long: Symbols) -> float:
    """The same of these nodes."""
    nodes = [n for n in nodes if n.op not in ("input", "literal", "compare", "range")]
    symbols = symbols_of(s for n in nodes for s in n.sizes)
    total = sum((_time(n, symbols, long) for n in nodes), np.ones(1))
    return float(np.exp(np.log(total).mean()))


def _time(node: Node, symbols: Symbols, long: Symbols) -> Any:
    sizes = node.args[0].shape if node.op == "scatter" else node.sizes
    if node.op == "windows":
        sizes = _in_windows(node)
    every = points(sizes, symbols, long)
    if node.op == "gather" and shift(node) is not None:
        return every
    if node.op in MATRIX:
        return every * points(node.args[0].shape[-1:], symbols, long) / 4
    if node.op == "einsum" and len(node.args) > 2:
        shapes = [frozenset(map(str, place)) for place in node.data[0]]
        out = frozenset(map(str, range(len(node.shape))))
        size = {str(k): lengths(s, symbols, long) for k, s in enumerate(node.sizes)}
        moved = sum(points(arg.shape, symbols, long) for arg in node.args)
        return MATMUL * least(shapes, out, size) + moved + points(node.shape, symbols, long)
    if node.op == "ordered":
        moved = sum(points(arg.shape, symbols, long) for arg in node.args)
        before, pairs = (points([x], symbols, long) for x in _chunked(node))
        count = points([node.sizes[axes_in_order(node)[0]]], symbols, long)
        work = np.minimum(before + CHUNK * pairs, count * pairs)
        return MATMUL * work + moved + points(node.shape, symbols, long)
    if node.op == "slide":
        moved = sum(points(arg.shape, symbols, long) for arg in node.args)
        return MATMUL * every + moved + points(node.shape, symbols, long)
    if node.op == "einsum" and len(node.args) == 2:
        a, b = (set(place) for place in node.data[0])
        rank = len(node.shape)
        if a - b and b - a and any(x >= rank for x in a & b):
            moved = sum(points(arg.shape, symbols, long) for arg in node.args)
            return MATMUL * every + moved + points(node.shape, symbols, long)
    turned = [arg.shape for arg, place in _operands(node) if list(place) != sorted(place)]
    moved = TURNED * sum(points(shape, symbols, long) for shape in turned)
    return every * TIMES.get(node.op, 1.0) + moved


def _operands(node: Node) -> Iterable[tuple[Node, tuple[int, ...]]]:
    """What is computed entry by entry, with the letters of its axes."""
    return zip(node.args, node.data[0], strict=True) if node.op in ENTRYWISE else ()
