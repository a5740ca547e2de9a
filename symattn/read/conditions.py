"""Conditions on indices: cases, Iverson brackets, and an index as a number."""

from __future__ import annotations

from typing import TYPE_CHECKING

from . import maxima
from .sizes import Letter
from .terms import ONE, ZERO, Add, Compare, Mul, Slot, Term, Total
from .tree import Cases, Chain, Group, Node, Scripted, Symbol, walk
from .values import Counts, Scope, Value, count, once

if TYPE_CHECKING:
    from .elaborate import Reader


def cases(reader: Reader, node: Cases, scope: Scope) -> Value:
    """Σ value·[condition], each row where no row before it holds."""
    rest: list[Term] = []
    parts: list[tuple[int, Term]] = []
    free: Counts = {}
    for value, condition in node.rows:
        read = reader.read(value, scope)
        factors = [read.term, *rest]
        if condition is not None:
            said = mask(reader, condition, scope)
            factors.append(said.term)
            rest.append(Add(((1, ONE), (-1, said.term))))
            free |= once(said.free)
        free |= once(read.free)
        if read.axes:
            raise reader.fail(value, "a case is a matrix", mend="write its indices")
        if read.term != ZERO:
            parts.append((1, Mul(tuple(factors))))
    return Value(Add(tuple(parts)) if parts else ZERO, free)


def mask(reader: Reader, node: Node, scope: Scope) -> Value:
    """[a ≤ b]: comparisons of indices; chains and commas are "and"."""
    if isinstance(node, Group) and len(node.items) == 1:
        node = node.items[0]
    if not isinstance(node, Chain):
        raise reader.fail(
            node,
            "a condition compares two indices",
            expected=r"j \le i",
            mend="write a comparison such as j \\le i",
        )
    factors: list[Term] = []
    counts: Counts = {}
    for k, (relation, at) in enumerate(node.relations):
        if relation not in ("=", "≤", "<", "≥", ">", "≠"):
            raise reader.fail(
                at,
                f"{relation} is not a comparison of indices",
                expected=r"=, \ne, <, \le, > or \ge",
                mend="compare indices",
            )
        hot = maxima.one_hot(reader, node.sides[k], node.sides[k + 1], scope)
        if hot is not None and relation == "=":
            factors.append(hot.term)
            for letter, (up, down) in hot.free.items():
                old = counts.get(letter, (0, 0))
                counts[letter] = (up + old[0], down + old[1])
            continue
        sides = [_compared(reader, side, scope) for side in node.sides[k : k + 2]]
        a, b = sides
        if relation == "=" and isinstance(a, Letter) and isinstance(b, Letter):
            reader.sizes.unite(a.size, b.size, at, f"the comparison of {a.name} and {b.name}")
        factors.append(Compare(relation, a, b))
        for slot in sides:
            count(counts, slot)
    return Value(Mul(tuple(factors)) if len(factors) > 1 else factors[0], counts)


def _compared(reader: Reader, node: Node, scope: Scope) -> Slot:
    for inner in walk(node):
        if isinstance(inner, Symbol | Scripted):
            raise reader.fail(
                inner,
                "this condition does not compare indices",
                expected="letters and whole numbers",
                mend="symattn's conditions compare indices only",
            )
    return reader.slot(node, scope)


def number(reader: Reader, letter: Letter, at: int) -> Value:
    """The number of an index: how many indices there are up to it, Σ_k [k ≤ i]."""
    k = Letter("k", at)
    reader.sizes.unite(k.size, letter.size, at, f"the index {letter.name} as a number")
    relation = "≤" if reader.conventions.origin else "<"
    return Value(Total((k,), Compare(relation, k, letter)), {letter: (1, 0)})
