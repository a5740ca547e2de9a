r"""The d of c + d p beside a - b p: a coefficient like the letters before it, and no differential.

An equation between differentials has one in each of its terms.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import pairwise

from .names import base_name, is_letter, letters_of, plain
from .partials import plain_names
from .rewrite import counts
from .tree import Addition, Name, Node, Number, Product, Scripted, Symbol, is_equation, walk
from .variations import KIND, degrees_of

BEFORE = ("a", "b", "c")


def is_coefficient(trees: Iterable[Node]) -> bool:
    """d stands for a number by itself, or a, b and c do and one of them is before what d is."""
    trees = list(trees)
    letters = {n.text for tree in trees for n in plain_names(tree)}
    if not {*BEFORE[:2]} <= letters:
        return False
    if any(map(counts, trees)):
        return True
    behind = {x: {b.text for a, b in _pairs(trees) if a.text == x} for x in (*BEFORE, "d")}
    alike = set[str]().union(*(behind[x] for x in BEFORE))
    return {*BEFORE} <= letters and bool(behind["d"]) and behind["d"] <= alike


def reckoned(tree: Node) -> str | None:
    """The v of v = 1/(1 + y) and v = 0.9, made of numbers, light names and a sum with a number."""
    if not is_equation(tree):
        return None
    inside = [n for side in tree.sides[1:] for n in walk(side)]
    plainly = not any(
        (isinstance(n, Name) and n.style)
        or (isinstance(n, Symbol) and n.kind in ("top", "sum"))
        or (isinstance(n, Scripted) and letters_of([s for _, s in n.scripts]))
        for n in inside
    )
    sums = (isinstance(p, Number) for n in inside if isinstance(n, Addition) for _, p in n.parts)
    alone = any(isinstance(plain(side), Number) for side in tree.sides[1:])
    return base_name(plain(tree.sides[0])) if plainly and (alone or any(sums)) else None


def _pairs(trees: Iterable[Node]) -> Iterable[tuple[Name, Name]]:
    """The letters of a text that stand before others as factors."""
    for tree in trees:
        for node in walk(tree):
            if isinstance(node, Product):
                for (_, a), (op, b) in pairwise(node.parts):
                    a, b = plain(a), plain(b)
                    if op == "" and is_letter(a) and is_letter(b):
                        yield a, b


def mixed(joined: Node) -> bool:
    """A sum has a term d p of numbers beside terms without a differential: no law of these."""
    for node in walk(joined):
        if isinstance(node, Addition):
            terms = [part for _, part in node.parts if not isinstance(part, Number)]
            own = [degrees_of(part) for part in terms]
            small = all(
                len(n.text) == 2 and n.text.islower()
                for n in walk(node)
                if isinstance(n, Name) and n.style.startswith(KIND)
            )
            if small and {0} in own and any(d == {1} for d in own):
                return True
    return False


__all__ = ["is_coefficient", "mixed", "reckoned"]
