"""The nodes of a plan: array operations whose axes are positions, not letters.

    product   coefficient · Π x^e, broadcast; boolean operands select (0 where they are false)
    add       Σ coefficient · x, broadcast
    einsum    Σ over the letters that are not in the result
    call      a registered scalar function, elementwise
    max       the largest value over axes; FIXED: with its derivative stopped
    maximum   the largest of several arrays, broadcast; FIXED as above
    one_hot   1 at the first largest value along an axis, 0 elsewhere
    compare   [slot ≥ 0], [slot = 0 mod m] or not that over a grid of indices, boolean
    test      [x ≥ 0], [x < 0], [x ≠ 0] or [x = 0], as data (…, ">=") says, boolean; with NEAR,
              x is not far from 0, or no number
    choose    the second operand where the first, a boolean one, is true, the third elsewhere
    select    x where all masks are true, −∞ or the number in data elsewhere
    gather    x at affine indices, modulo the axis size
    scatter   sums of the entries of x that have one place: an affine index, modulo the axis size
    slide     Σ_t x[i + t] w[t] or Σ_t x[i − t] w[t]: the letters i, those of the windows t, beside
              channels that are summed, and how windows reach over the ends of x (helpers.py: edges)
    windows   Σ of a product under r = i + t: (places, (i, t, r)), see windows.py
    cumsum    Σ_j x_j over all places j of an axis up to i, or from i on; with a second operand r,
              Σ_j e^{r_j − r_i} x_j: the axis, whether it goes from the end, and whether it comes
              one place late, see prefixes.py
    ordered   Σ_j [j ≤ i] of a product and over other letters besides: data (…, (i, j, whether it
              is [j ≥ i], whether the order is strict)), see ordered.py
    cummax    the largest value up to a place of an axis, or from there on, with its derivative
              stopped; data as above
    weighed   w e^x, and 0 where w is 0, whatever x is; without w, e^x as far as numbers go
    hazard    φ(x) / Φ(x), see hazards.py
    small     log(1 + w e^x), or a derivative of it as data says, see small.py
    guard     x, and 1 where x is 0; with data FAR, and 1 where x is not far from 0: apart.py
    crop, pad  x without its ends, and with zeros at its ends: data (…, (how many before, behind))
    factor    the Cholesky factor of a positive definite matrix, its last two axes
    inverse   the inverse of a matrix; of one by its Cholesky factor with data True
    det, logdet  its determinant, and the logarithm of the magnitude of that
    solve     M⁻¹ x or, with data (…, True), M⁻ᵀ x, along the axis of x after the leading ones

Operands are (node, letters): `letters[k]` is the position, in the result's numbering, of the
operand's axis k.  Equal nodes are one object within a plan.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import count
from typing import Any

import sympy as sp

Letters = tuple[int, ...]
BOOLEAN = ("compare", "test")
ENTRYWISE = ("product", "add", "call", "maximum", "select", "choose", "test", "weighed", "hazard",
             "small")  # fmt: skip
OPPOSITE = {">=": "<", "<": ">=", ">": "<=", "<=": ">", "!=": "==", "==": "!="}  # of a test
MOVING, STRICT = "moving", "strict"  # sums under a decay, which has a derivative; without the place
FAR, NEAR = "far", "near"  # x is far from 0, and it is not: see apart.py
FIXED = "fixed"  # a reference value, whose choice does not change the result


@dataclass(frozen=True, eq=False)
class Node:
    """One array of the plan; `data` holds what the operation needs besides its operands."""

    op: str
    args: tuple[Node, ...]
    data: Any
    shape: tuple[sp.Expr, ...]
    serial: int
    sizes: tuple[sp.Expr, ...] = ()  # of every letter, the result's first
    hints: tuple[str, ...] = ()  # a name for every letter

    def __repr__(self) -> str:
        return f"{self.op}#{self.serial}{self.shape}"


_serial = count()


@dataclass(frozen=True, eq=False)
class Label:
    """A letter in one scope of the lowering; labels are ordered as they were made."""

    name: str
    size: sp.Expr
    order: int = field(default_factory=lambda: next(_serial))


@dataclass(frozen=True)
class View:
    """A node whose axes are labelled."""

    node: Node
    labels: tuple[Label, ...] = ()


def in_order(labels: Iterable[Label]) -> tuple[Label, ...]:
    """The different labels, outer scopes first."""
    return tuple(sorted(set(labels), key=lambda label: label.order))


def reachable(
    roots: Iterable[Node],
    seen: set[Node] | None = None,
    read: Callable[[Node], Sequence[Node]] = lambda node: node.args,
) -> Iterator[Node]:
    """Every node below the roots, what a node reads before it; none that was seen, nor what is
    below such a node alone."""
    seen = set() if seen is None else seen
    for root in roots:
        stack = [(root, False)]
        while stack:
            node, done = stack.pop()
            if done:
                yield node
            elif node not in seen:
                seen.add(node)
                stack.append((node, True))
                stack.extend((arg, False) for arg in reversed(read(node)))


def symbols_in(node: Node) -> set[sp.Symbol]:
    """The sizes that the code of a node mentions."""
    found: set[sp.Symbol] = set()
    if node.op in ("range", "positions"):
        found |= node.shape[0].free_symbols
    elif node.op == "literal":
        found |= node.data.free_symbols
    elif node.op == "product":
        found |= node.data[1][0].free_symbols
    elif node.op in ("compare", "gather", "arrange", "one_hot", "pad"):
        found |= {s for size in node.sizes for s in size.free_symbols}
        if node.op == "gather":
            for arg in node.args:
                found |= {s for size in arg.shape for s in size.free_symbols}
            found |= {s for _, const, m in node.data[0] for s in (const + m).free_symbols}
        if node.op == "compare":
            found |= node.data[1].free_symbols
            found |= node.data[2].free_symbols if node.data[2] is not None else set()
    elif node.op == "scatter":
        items, const, modulus = node.data[1]
        found |= {s for place, _ in items for s in node.sizes[place].free_symbols}
        found |= const.free_symbols | modulus.free_symbols
    elif node.op == "add":
        found |= {s for c in node.data[1] for s in c.free_symbols}
    elif node.op == "windows":
        found |= {s for place in node.data[1][:2] for s in node.sizes[place].free_symbols}
    elif node.op == "slide" and node.data[1][2] == "behind":
        found |= {s for place in node.data[1][0] for s in node.sizes[place].free_symbols}
    return found


@dataclass(frozen=True)
class Shift:
    """A lookup that moves an array along one axis, around its end, and may turn its axes."""

    axis: int
    distance: sp.Expr
    letters: Letters  # of the axes of the array


def shift(node: Node) -> Shift | None:
    """What a lookup moves; None for any other one."""
    slots, _ = node.data
    shape = node.args[0].shape
    plain = all(len(items) == 1 and items[0][1] == 1 for items, *_ in slots)
    if not plain or len(slots) != len(node.shape):
        return None
    letters = tuple(items[0][0] for items, *_ in slots)
    moved = [k for k, (_, const, _) in enumerate(slots) if const != 0]
    if len(set(letters)) < len(letters) or len(moved) != 1:
        return None
    for k, (x, (*_, modulus)) in enumerate(zip(letters, slots, strict=True)):
        if not modulus == shape[k] == node.shape[x]:
            return None
    return Shift(moved[0], slots[moved[0]][1], letters)


Summand = tuple[Node, Letters, sp.Expr]  # an array, the letters of its axes, a number


class Nodes:
    """Makes nodes, equal ones once."""

    def __init__(self) -> None:
        self._table: dict[tuple[Any, ...], Node] = {}

    def rewritten(
        self, roots: Iterable[Node], rule: Callable[[Node, list[Node]], Node | None]
    ) -> dict[Node, Node]:
        """What a rule makes of every node, given what its operands are now; empty if of none.

        What the rule leaves alone, with None, has the new operands.
        """
        now: dict[Node, Node] = {}
        for node in reachable(roots):
            args = [now[arg] for arg in node.args]
            now[node] = rule(node, args) or self.make(
                node.op, args, node.data, node.sizes, len(node.shape), node.hints
            )
        return {} if all(old is new for old, new in now.items()) else now

    def make(
        self,
        op: str,
        args: Iterable[Node],
        data: Any,
        sizes: Iterable[sp.Expr],
        rank: int,
        hints: Iterable[str] = (),
    ) -> Node:
        """The node with these operands; `sizes` are those of all letters, the result's first."""
        args, sizes = tuple(args), tuple(sizes)
        key = (op, args, data, sizes, rank)
        node = self._table.get(key)
        if node is None:
            node = Node(op, args, data, sizes[:rank], len(self._table), sizes, tuple(hints))
            self._table[key] = node
        return node

    def opposite(self, node: Node) -> Node:
        """The other answer of a comparison or a test."""
        if node.op == "test":
            places, kind = node.data
            data: Any = places, OPPOSITE[kind]
        else:
            items, const, modulus, *negated = node.data
            data = (items, const, modulus) if negated else (items, const, modulus, True)
        return self.make(node.op, node.args, data, node.sizes, len(node.shape), node.hints)
