r"""K beside its blocks K_1, …, K_T: the matrix and the matrices number j are tensors of their own.

Words say so, `K, V \in \mathbb{R}^{N \times d}` and `K_j \in \mathbb{R}^{B \times d}`, or "we
split K into blocks"; what an equation makes of K_j for each j, as S_j = Q K_j^\top, is a block too.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from collections.abc import Set as AbstractSet
from typing import TYPE_CHECKING

from .evidence import leaves, name_of
from .left import head
from .names import Context, Names, is_letter
from .tree import Chain, Name, Node

if TYPE_CHECKING:
    from .said import Said

_LISTED = re.compile(  # blocks K_1, …, K_T and V_1, …, V_T
    r"\b(?:[Bb]lock|[Tt]ile|[Cc]hunk)s?\b[^.\n]{0,24}?(?P<lists>(?:(?:\$|\\\()[^$]*?_\{?1\}?\s*,[^$]*?"
    r"\\[lc]?dots[^$]*?(?:\$|\\\))(?:\s*(?:,|and)\s*)*)+)"
)
_FIRST = re.compile(r"(?<![A-Za-z\\])(\\?[A-Za-z]+)_\{?1\}?\s*,")


def spoken(every: Iterable[Said], text: str) -> set[str]:
    """The names that words give to a matrix, and with an index to matrices."""
    ranks: dict[str, set[tuple[int, int | None]]] = {}
    for one in every:
        ranks.setdefault(one.found.name, set()).add((len(one.found.slots), one.rank))
    found = {name for name, known in ranks.items() if {(0, 2), (1, 3)} <= known}
    for said in _LISTED.finditer(text):
        listed = {m[1].lstrip("\\") for m in _FIRST.finditer(said["lists"])}
        found |= {n for n in listed if (0, 2) in ranks.get(n, ())}
    return found


def gather(
    statements: Sequence[tuple[Node, Context]], names: Names, known: AbstractSet[str]
) -> set[str]:
    """These names, and those of what equations make of them for every index."""
    every = (name_of(n, names, here) for tree, here in statements for n in leaves(tree))
    entries = {x.name for x in every if x is not None and len(x.slots) > 1}  # K_ij
    found = {*known} - entries
    made = [one for tree, here in statements if (one := _made(tree, here, names)) is not None]
    while True:
        more = {name for name, inside in made if inside & found} - found - entries
        if not more:
            return found
        found |= more


def _made(tree: Node, here: Context, names: Names) -> tuple[str, set[str]] | None:
    """The S of S_j = Q K_j^⊤, and the names that bear the j on its right."""
    left = head(tree)
    own = name_of(left, names, here) if left is not None else None
    if own is None or len(own.slots) != 1 or not is_letter(own.slots[0]):
        return None
    assert isinstance(tree, Chain)
    letter = own.slots[0].text
    inside = (name_of(n, names, here) for side in tree.sides[1:] for n in leaves(side))
    return own.name, {
        x.name
        for x in inside
        if x is not None and [s.text for s in x.slots if isinstance(s, Name)] == [letter]
    }


__all__ = ["gather", "spoken"]
