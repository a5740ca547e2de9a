r"""The Σ that is meant of a whole sum: J = Σ_i a_i + b_i, where i stands nowhere else."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace

from .elaborate import Reader
from .names import base_name, indices, is_letter
from .tree import Addition, Chain, Group, Node, Product, Scripted, Symbol, children
from .usage import run_over


def spread(reader: Reader, tree: Chain) -> Chain:
    """The statement with each Σ before all the terms that have its letter.

    Raises ReadError for −Σ_i a_i − b_i, where the sign of b hangs on how far Σ reaches.
    """
    if not reader.names.lenient:
        return tree
    free = [_free(side, reader.here.letters) for side in tree.sides]
    sides = []
    for k, side in enumerate(tree.sides):
        elsewhere = set[str]().union(*(f for n, f in enumerate(free) if n != k))
        sides.append(_spread(reader, side, elsewhere) if free[k] - elsewhere else side)
    return replace(tree, sides=tuple(sides))


def _spread(reader: Reader, side: Node, elsewhere: set[str]) -> Node:
    if not isinstance(side, Addition):
        return side
    for k, (sign, part) in enumerate(side.parts):
        factors = part.parts if isinstance(part, Product) else ()
        place = next((n for n, (_, f) in enumerate(factors) if _bound(f)), None)
        if place is None:
            continue
        letters = _bound(factors[place][1]) - elsewhere
        later = side.parts[k + 1 :]
        having = [n for n, (_, t) in enumerate(later) if letters & _free(t, reader.here.letters)]
        if not having:
            continue
        end = having[-1] + 1
        if sign < 0 and any(s < 0 for s, _ in later[:end]):
            raise reader.fail(
                later[0][1],
                "how far does Σ reach?",
                expected=r"-\sum_i (a_i + b_i) or -\sum_i a_i - \sum_i b_i",
                mend="put brackets behind the sign of the sum",
            )
        first = Product(part.at, factors[place + 1 :])
        inner = Group(part.at, "(", (Addition(part.at, ((1, first), *later[:end])),))
        whole = Product(part.at, (*factors[: place + 1], ("", inner)))
        return replace(side, parts=(*side.parts[:k], (sign, whole), *later[end:]))
    return side


def _bound(node: Node) -> set[str]:
    """The letters that a Σ binds; none for anything else."""
    if not isinstance(node, Scripted) or not isinstance(node.base, Symbol):
        return set()
    if node.base.kind != "sum":
        return set()
    below = (script for sign, script in node.scripts if sign == "_")
    return {a.text for script in below for a in run_over(script) if is_letter(a)}


def _free(node: Node, letters: Collection[str]) -> set[str]:
    """The index letters of components that stand under no Σ over them."""
    if isinstance(node, Product):
        found: set[str] = set()
        for _, part in reversed(node.parts):
            found = (found - _bound(part)) | _free(part, letters)
        return found
    if isinstance(node, Scripted) and base_name(node.base) is not None:
        below = (a for sign, script in node.scripts for a in indices(sign, script))
        return {a.text for a in below if is_letter(a) and a.text in letters}
    if isinstance(node, Scripted) and isinstance(node.base, Symbol):
        return set()
    return set[str]().union(*(_free(child, letters) for child in children(node)))


__all__ = ["spread"]
