r"""Losses are numbers: L = -y \log ŷ - (1 - y) \log(1 - ŷ) of vectors is the sum of its entries.

What a text takes gradients of has one value.  Where it is written as if there were one output, and
the outputs are vectors, the equation is meant of every entry, and the loss is their sum; for one
output both are the same.  A ŷ that is a vector has a y beside it that is one too.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace

from .adjoints import gradient
from .left import head
from .names import Names, atoms, base_name, is_letter
from .terms import Add, Total, refs
from .tree import Accent, Name, Node, Scripted, is_equation, walk
from .values import Value, letters_in

WHY = "the sum of its entries, as a loss is a number"
LETTERS = frozenset(["L", "J", "E", "C", "ell", "l", "loss"])
_WORDS = re.compile(
    r"\b(?:[Ll]oss|[Cc]ost|[Oo]bjective|[Cc]riterion|[Ee]rror|[Ll]ikelihood|[Ee]ntropy|[Bb]ack-?prop)"
)


def gather(trees: Iterable[Node], names: Names) -> set[str]:
    """What a text takes gradients of, where words speak of losses or of networks."""
    every = [*trees]
    spoken = names.source.elementwise or _WORDS.search(names.source.text) is not None
    if not names.lenient or not spoken:
        return set()
    indexed = {base_name(n.base) for t in every for n in walk(t) if isinstance(n, Scripted)}
    found = {pair[0].text for t in every for n in walk(t) if (pair := gradient(n)) is not None}
    lefts = {left.text for t in every if is_equation(t) and isinstance(left := head(t), Name)}
    return {n for n in found & lefts & LETTERS - indexed if not names.stated.get(n)}


def beside(tree: Node, ranks: Mapping[str, int], names: Names) -> Iterator[tuple[str, int]]:
    """The y beside a vector ŷ in the body of a loss, and its axes."""
    left = head(tree)
    if not isinstance(left, Name) or left.text not in names.objectives:
        return
    nodes = [*walk(tree.sides[1])]  # type: ignore[attr-defined]
    under = {n.body: n.mark for n in nodes if isinstance(n, Accent) and isinstance(n.body, Name)}
    hats = {body.text: f"{body.text}_{mark}" for body, mark in under.items()}
    for node in nodes:
        if isinstance(node, Name) and node.text not in names.declared | names.indexed:
            rank = ranks.get(hats.get(node.text, ""))
            yield from [(node.text, rank)] if rank else ()


def partly(tree: Node, names: Names) -> bool:
    """True for Σ_a π_a r_a where π has another axis: it is a row there, or another π."""
    for node in walk(tree):
        if isinstance(node, Scripted) and (base := base_name(node.base)) is not None:
            below = [a for mark, s in node.scripts if mark == "_" for a in atoms(s)]
            plain = bool(below) and len(node.scripts) == 1  # no layer a^{[l]}_j
            if plain and all(map(is_letter, below)) and len(below) < names.ranks.get(base, 0):
                return True
    return False


def mixed(value: Value) -> bool:
    """A number that is made of names stands beside entries: it is no addend of each of them."""
    addends = [part for _, part in value.term.parts] if isinstance(value.term, Add) else []
    whole = [{x.real() for r in refs(part) for x in letters_in(r.slots)} for part in addends]
    axes = {x.real() for x in value.axes}
    return any(own and not axes <= own for own in whole)


def total(value: Value) -> Value:
    """The sum of the entries."""
    return replace(value, term=Total(value.axes, value.term), row=None, col=None)
