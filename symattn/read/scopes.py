"""Names that a part of a document gives to other tensors: worked examples, other models.

Where a section defines a name and its statements do not fit what the name is elsewhere, it is
another tensor from the section's beginning to its end.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from .evidence import leaves, name_of
from .names import Context, Names, base_name, plain
from .source import Source
from .tree import Chain, Matrix, Node, Number, Scripted

Place = tuple[Node, Context, int]  # a statement and where it begins


def local(
    failed: Sequence[Place], accepted: Iterable[Place], names: Names, ahead: bool = False
) -> set[tuple[int, int]]:
    """Make other tensors of names that failed statements define; the regions concerned.

    With `ahead` nothing is read yet, and what stands behind the definition belongs to it.
    """
    used: dict[str, list[int]] = {}
    for tree, here, at in accepted:
        for name in _names(tree, here, names):
            used.setdefault(name, []).append(at)
    regions: set[tuple[int, int]] = set()
    made: dict[str, list[tuple[int, int]]] = {}
    for tree, here, at in failed:
        left = _defined(tree, here, names)
        name = left or ""
        if name not in used or any(a <= at < b for a, b in made.get(name, ())):
            continue
        for begin, end in _enclosing(names.source, at):
            if not any(begin <= place < (at if ahead else end) for place in used[name]):
                names.versions.local(name, begin, end)
                made.setdefault(name, []).append((begin, end))
                regions.add((begin, end))
                break
    return regions


def bare(tree: Node, here: Context, names: Names) -> set[str]:
    """The names with indices elsewhere that stand in a statement without."""
    found = (name_of(n, names, here) for n in leaves(tree))
    known = names.declared | names.assumed.keys()
    open_ = {x.name for x in found if x is not None and not x.slots} - known
    return {name for name in open_ if names.ranks.get(name)}


def is_example(tree: Node) -> bool:
    """True for Q = …, where one of the sides is a matrix of numbers."""
    sides = tree.sides[1:] if isinstance(tree, Chain) else ()
    return any(
        isinstance(side, Matrix)
        and all(isinstance(c, Number) for row in side.rows for c in row)
        and len(side.rows) * len(side.rows[0]) > 1
        for side in sides
    )


def _enclosing(source: Source, at: int) -> list[tuple[int, int]]:
    """The sections around a place, the widest first."""
    found: list[tuple[int, int]] = []
    level = 99
    for position, own in reversed([h for h in source.headings if h[0] <= at]):
        if own < level:
            level = own
            found.append((position, source.section_end(position)))
    return found[::-1]


def _names(tree: Node, here: Context, names: Names) -> set[str]:
    return {_written(n, here, names) for n in leaves(tree)}


def _written(node: Node, here: Context, names: Names) -> str:
    """The name as it stands in the text, also where it may be one of several tensors."""
    found = name_of(node, names, here)
    return found.written if found is not None else base_name(_stem(node)) or ""


def _stem(node: Node) -> Node:
    return node.base if isinstance(node, Scripted) else node


def _defined(tree: Node, here: Context, names: Names) -> str | None:
    """The name that stands alone on the left."""
    if not isinstance(tree, Chain) or tree.relations[0][0] not in ("=", ":=", "≈", "∈"):
        return None
    left = plain(tree.sides[0])
    if base_name(_stem(left)) is None:
        return None
    found = name_of(left, names, here)
    if found is not None and (found.power is not None or found.transposed):
        return None
    return _written(left, here, names)
