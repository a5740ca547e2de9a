r"""y' and y'' of a y = … of x that the text defines: its derivatives by x.

So where y'' stands in it or it speaks of a differential equation, or of derivatives and y' is not
made of y: y' = y + 1 is another quantity, and beside x' it is a coordinate.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from .names import is_letter
from .partials import MOST, derivative, plain_names
from .tree import EQUAL, Chain, Group, Name, Node, Product, Scripted, mapped, walk

DERIVED = ("deriv", "differentia", "slope", "tangent")
VARIABLES = ("x", "t")  # which of several letters is derived by; else the only one


def gather(trees: Iterable[Node], text: str) -> dict[str, Name]:
    """The names that stand with primes and without arguments, with what these derive by."""
    trees = list(trees)
    names = [n.text for tree in trees for n in walk(tree) if isinstance(n, Name)]
    marked = {n for n in names if n.endswith("'")}
    if not marked:
        return {}
    applied = {n.text for tree in trees for n in _applied(tree)}
    sloped = any(word in text.lower() for word in DERIVED)
    said = "differential eq" in text.lower() or any(n.endswith("''") for n in marked)
    rights, anew = _definitions(trees), _made_anew(trees)
    found = {}
    for name in sorted({n.rstrip("'") for n in marked} & rights.keys()):
        own = {n.text: n for n in _made_of(name, rights)}
        by = [own[v] for v in VARIABLES if v in own] or [*own.values()]
        orders = {n.count("'") for n in marked if n.rstrip("'") == name}
        plain = not any(n.rstrip("'") == name for n in applied) and max(orders) <= MOST
        sure = said or (sloped and name not in anew)
        if sure and len(by) == 1 and plain and not any(n.rstrip("'") == by[0].text for n in marked):
            found[name] = by[0]
    return found


def _definitions(trees: Iterable[Node]) -> dict[str, list[Node]]:
    """The right sides of y = …, of each y of a text."""
    rights: dict[str, list[Node]] = {}
    for tree in trees:
        if isinstance(tree, Chain) and tree.relations[0][0] in EQUAL:
            left = tree.sides[0]
            if isinstance(left, Name) and is_letter(left):
                rights.setdefault(left.text, []).append(tree.sides[1])
    return rights


def _made_anew(trees: Iterable[Node]) -> set[str]:
    """The y of y' = … y …."""
    found = set()
    for tree in trees:
        if isinstance(tree, Chain) and isinstance(left := tree.sides[0], Name):
            own = left.text.rstrip("'")
            inside = (n for side in tree.sides[1:] for n in plain_names(side))
            found |= {own} if own != left.text and own in {n.text for n in inside} else set()
    return found


def _made_of(name: str, rights: dict[str, list[Node]]) -> Iterable[Name]:
    """The letters without a definition of which a name is made."""
    known, open_ = {name}, [name]
    while open_:
        for letter in (x for side in rights[open_.pop()] for x in plain_names(side)):
            if letter.text not in rights:
                yield letter
            elif letter.text not in known:
                known.add(letter.text)
                open_.append(letter.text)


def _applied(node: Any) -> Iterable[Name]:
    """The names before brackets: y'(x)."""
    for part in walk(node):
        if isinstance(part, Product):
            for (_, one), (op, other) in zip(part.parts, part.parts[1:], strict=False):
                if isinstance(one, Name) and not op and isinstance(other, Group):
                    yield one


def written_out(tree: Any, known: dict[str, Name]) -> Any:
    """The tree with derivatives in place of y' and y''."""
    match tree:
        case Name(text=text) if text.endswith("'") and text.rstrip("'") in known:
            base = text.rstrip("'")
            by = [known[base]] * (len(text) - len(base))
            return derivative(tree.at, [Name(tree.at, base, tree.style)], by)
        case Scripted(base=Name() as base) if (made := written_out(base, known)) is not base:
            scripts = tuple((mark, written_out(s, known)) for mark, s in tree.scripts)
            return Scripted(tree.at, Group(tree.at, "(", (made,)), scripts)
    return mapped(tree, lambda n: written_out(n, known)) if isinstance(tree, Node) else tree


__all__ = ["gather", "written_out"]
