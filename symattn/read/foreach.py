"""Letters that are neither labels nor sums: R = a_t / (1 - a_t) is another R for every t."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator

from . import summation
from .labels import CUSTOM, marked, varies
from .names import Context, Names, atoms, base_name, is_letter, letters_of, plain
from .tree import (
    Addition,
    Chain,
    Fraction,
    Name,
    Node,
    Number,
    Product,
    Scripted,
    children,
    is_equation,
    walk,
)


def divided(tree: Node, here: Context) -> set[str]:
    """The j of p_j / (1 - p_j): nobody sums a letter above a bar with itself below it.

    Above and below it may be summed each by itself, as the b of w_b T_ib.
    """
    found = set[str]()
    for pair in _quotients(tree):
        top, bottom = ({m[1] for n in walk(x) if (m := marked(n))} for x in pair)
        summed = set.intersection(*(summation.contracted(x, here) for x in pair))
        found |= top & bottom - summed
    return {x for x in found - here.summed if here.has_index(x)}


def loose(tree: Node, here: Context, names: Names, stepping: Iterable[str]) -> set[str]:
    """The letters of an expression for each of which it is another one.

    The t of a_t / (1 - a_t) stands once above a bar and below it too; in x_i y_i / x_i x_i there
    are two sums.  A letter that counts steps, the t of a_{t-1}, is summed under a Σ alone.
    """
    marks = [m for n in walk(tree) if (m := marked(n)) and not names.is_label(*m)]
    known = {x for base, x in marks if names.ranks.get(base)}

    def indices(node: Node) -> Counter[str]:
        pairs = (pair for n in walk(node) for pair in _each(n))
        count = (x for b, x in pairs if not names.is_label(b, x) and (len(x) == 1 or x in CUSTOM))
        own = (x for x in count if not names.ranks.get(x))  # S_{xy} is of the vectors x and y
        return Counter(x for x in own if x in known or here.has_index(x))

    found = {x for x, c in Counter(x for _, x in marks).items() if c > 1 and x in stepping}
    for top, bottom in _quotients(tree):
        above, below = indices(top), indices(bottom)
        found |= {x for x in above.keys() & below if above[x] % 2 or below[x] % 2}
    return found - here.summed - _raised(tree)


def stepping(trees: Iterable[Node]) -> frozenset[str]:
    """The t of a_{t-1}: letters that go on by a number."""
    names = (n for tree in trees for n in walk(tree)
             if isinstance(n, Scripted) and base_name(n.base) is not None)  # fmt: skip
    below = (a for n in names for sign, s in n.scripts if sign == "_" for a in atoms(s))
    found = set[str]()
    for slot in below:
        match slot:
            case Addition(parts=((_, letter), (_, Number()))) if is_letter(letter):
                found.add(letter.text)
    return frozenset(found)


def numbered(trees: Iterable[Node]) -> frozenset[str]:
    """The j of θ_j = b^{-2j/d}, a number: nobody leaves the Σ over it out."""
    found = set[str]()
    for tree in trees:
        own = marked(tree.sides[0]) if isinstance(tree, Chain) and is_equation(tree) else None
        if own is not None and isinstance(tree, Chain):
            found |= {own[1]} & {x for side in tree.sides[1:] for x in _by_itself(side)}
    return frozenset(found)


def each(tree: Node, here: Context, numbers: Iterable[str]) -> set[str]:
    """The j of λ_j θ_j = 2π beside that: it is said of every j."""
    marks = [m[1] for n in walk(tree) if (m := marked(n))]
    return {x for x in numbers if marks.count(x) > 1} - here.summed


def _by_itself(node: Node) -> Iterator[str]:
    """The letters that stand below nothing."""
    if isinstance(node, Name):
        yield node.text
    inside = children(node)
    if isinstance(node, Scripted):
        inside = (node.base, *(s for sign, s in node.scripts if sign == "^"))
    for n in inside:
        yield from _by_itself(n)


def _quotients(tree: Node) -> Iterator[tuple[Node, Node]]:
    """What stands above and below every bar, also of a b / c."""
    for node in walk(tree):
        if isinstance(node, Fraction) and not varies(node.bottom):
            yield node.top, node.bottom
        parts = node.parts if isinstance(node, Product) else ()
        for k, (op, part) in enumerate(parts):
            if op == "/" and k:
                yield Product(node.at, parts[:k]), part


def _raised(tree: Node) -> set[str]:
    """The b of v^b, alone above a name: a power, or an upper index beside a lower one."""
    scripts = (s for n in walk(tree) if isinstance(n, Scripted) for sign, s in n.scripts
               if sign == "^")  # fmt: skip
    return {s.text for s in scripts if is_letter(s)}


def _each(node: Node) -> Iterator[tuple[str, str]]:
    """k and i, k and b of k_{ib}: the letters below and above a name, each with it."""
    node = plain(node)
    base = base_name(node.base) if isinstance(node, Scripted) else None
    if base not in (None, "e") and isinstance(node, Scripted):
        assert base is not None
        found = (a for _, s in node.scripts for a in atoms(s))
        yield from ((base, x) for x in letters_of(found))


__all__ = ["divided", "each", "loose", "numbered", "stepping"]
