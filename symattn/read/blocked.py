r"""K beside its blocks K_1, …, K_T: the matrix and the matrices number j are tensors of their own.

Words say so, `K, V \in \mathbb{R}^{N \times d}` and `K_j \in \mathbb{R}^{B \times d}`, or "we
split K into blocks"; what an equation makes of K_j for each j, as S_j = Q K_j^\top, is a block too.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from collections.abc import Set as AbstractSet

from .evidence import leaves, name_of
from .left import head
from .names import Context, Names, is_letter
from .tree import Chain, Name, Node

_NAME = r"\\?[A-Za-z]+(?:_(?:[a-z]|\{[a-z]\}))?"
_SHAPES = re.compile(  # Q, K, V \in \mathbb{R}^{N \times d}
    rf"(?P<names>{_NAME}(?:\s*,(?:\s|\\[ ,;])*{_NAME})*)\s*\\in\s*\\(?:mathbb\s*\{{?\s*)?R\s*\}}?"
    r"\s*\^\s*\{(?P<sizes>[^{}\\]*(?:\{[^{}]*\}[^{}\\]*)*\\times(?:(?!\\times)[^{}])*(?:\{[^{}]*\}[^{}]*)*)\}"
)
_LISTED = re.compile(  # blocks K_1, …, K_T and V_1, …, V_T
    r"\b(?:[Bb]lock|[Tt]ile|[Cc]hunk)s?\b[^.\n]{0,24}?(?P<lists>(?:(?:\$|\\\()[^$]*?_\{?1\}?\s*,[^$]*?"
    r"\\[lc]?dots[^$]*?(?:\$|\\\))(?:\s*(?:,|and)\s*)*)+)"
)
_FIRST = re.compile(r"(?<![A-Za-z\\])(\\?[A-Za-z]+)_\{?1\}?\s*,")


def spoken(text: str) -> set[str]:
    """The names that a text gives to a matrix, and with an index to matrices; never K_ij."""
    wholes, numbered = set[str](), set[str]()
    for said in _SHAPES.finditer(text):
        for name in re.findall(_NAME, said["names"]):
            stem, _, letter = name.lstrip("\\").partition("_")
            (numbered if letter else wholes).add(stem)
    for said in _LISTED.finditer(text):
        numbered |= {m[1].lstrip("\\") for m in _FIRST.finditer(said["lists"])}
    pairs = r"(?<![A-Za-z]){}_\{{\s*[a-z]\s*,?\s*[a-z]\s*\}}"
    return {n for n in wholes & numbered if not re.search(pairs.format(n), text)}


def wholes(names: Iterable[str], text: str) -> dict[str, str]:
    """What the matrices are called beside their blocks: Q_2, where no Q_2 stands in the text."""
    found = {}
    for name in names:
        number = 2
        while re.search(rf"(?<![A-Za-z]){name}_\{{?{number}(?!\d)", text):
            number += 1
        found[name] = f"{name}_{number}"
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
