r"""Rows by a letter: O_i = \sum_j P_{ij} V_j beside O = P V says so of the rows of O and V.

A capital that is a matrix where it stands alone, and of which one letter picks what is weighted and
added elsewhere, is a matrix with that letter for its rows.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import pairwise

from .evidence import is_top
from .names import atoms, is_letter
from .tree import (
    Addition,
    Fraction,
    Group,
    Name,
    Node,
    Product,
    Scripted,
    is_equation,
    walk,
)


def gather(trees: Iterable[Node]) -> dict[str, int]:
    """The matrices of which rows are written with one letter, each with two axes."""
    every = [*trees]
    wholes = {x for t in every for n in walk(t) for x in _wholes(n)}
    picked = Counter(x for t in every for n in walk(t) if (x := _row(n)) is not None)
    found: Counter[str] = Counter()
    for tree in every:
        left = tree.sides[0] if is_equation(tree) else None
        own = _row(left) if left is not None else None
        if own is None or len(tree.sides) != 2:  # type: ignore[attr-defined]
            continue
        rows = [*_weighted(tree.sides[1])]  # type: ignore[attr-defined]
        if rows and None not in rows:
            found.update([own, *(x for x in rows if x is not None)])
    return {x: 2 for x in sorted(found) if x in wholes and found[x] == picked[x]}


def _row(node: Node) -> str | None:
    """The V of V_j."""
    match node:
        case Scripted(base=Name(text=text), scripts=(("_", script),)):
            inside = atoms(script)
            capital = len(text) == 1 and text.isupper()
            return text if capital and len(inside) == 1 and is_letter(inside[0]) else None
    return None


def _wholes(node: Node) -> Iterator[str]:
    """The names of matrices: V of V^\\top, O, P and V of P V."""
    match node:
        case Scripted(base=Name(text=text), scripts=(_,)) if is_top(node):
            yield text
        case Product(parts=parts):
            for (_, one), (op, other) in pairwise(parts):
                if op == "" and isinstance(one, Name) and isinstance(other, Name):
                    both = one.text, other.text
                    yield from both if all(len(x) == 1 and x.isupper() for x in both) else ()
    if is_equation(node) and isinstance(node.sides[0], Name) and [*_wholes(node.sides[1])]:
        yield node.sides[0].text


def _weighted(node: Node) -> Iterator[str | None]:
    """The V of each V_j that is added with weights; None for a term that is anything else."""
    match node:
        case Group(bracket="(" | "{" | "[", items=(inner,)):
            yield from _weighted(inner)
        case Addition(parts=parts):
            for _, part in parts:
                yield from _weighted(part)
        case Product(parts=parts):
            *before, (op, last) = parts
            plainly = op in ("", "·") and all(_is_weight(p) for _, p in before)
            if plainly and isinstance(last, Group | Addition):
                yield from _weighted(last)
            else:
                yield _row(last) if plainly else None
        case Fraction(top=top, bottom=bottom) if _is_weight(bottom):
            yield from _weighted(top)
        case _:
            yield _row(node)


def _is_weight(node: Node) -> bool:
    """True for what has no capital but with two indices: e^{S_ij - m_i}, 1/ℓ_i, Σ_j, α_ij."""
    scripted = [n for n in walk(node) if isinstance(n, Scripted) and isinstance(n.base, Name)]
    below = (
        len([a for mark, s in n.scripts if mark == "_" for a in atoms(s)])
        for n in scripted
        if n.base.text.isupper()  # type: ignore[attr-defined]
    )
    if any(count < 2 for count in below):
        return False
    inside = {n.base.at for n in walk(node) if isinstance(n, Scripted)}
    return not any(isinstance(n, Name) and n.text.isupper() and n.at not in inside
                   for n in walk(node))  # fmt: skip


__all__ = ["gather"]
