r"""Matrices that hang on the number below them: with R_m = ((cos mθ, …), …), R_{m+n} and R_0.

The number is none of an axis, so R_{m+n} is that matrix with m + n in place of m.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from .names import atoms, base_name, is_letter, plain
from .tree import (
    Addition,
    Chain,
    Fraction,
    Group,
    Matrix,
    Name,
    Node,
    Number,
    Product,
    Put,
    Scripted,
    Symbol,
    is_equation,
    mapped,
    spelled,
    walk,
)


@dataclass(frozen=True)
class Numbered:
    """A matrix, the letter that stands below it, and where it is defined."""

    letter: Name
    body: Node
    at: int


def gather(trees: Iterable[Node]) -> dict[str, Numbered]:
    """The matrices with a letter below in whose entries that letter is a number."""
    found: dict[str, Numbered] = {}
    several = set[str]()
    for tree in trees:
        left = plain(tree.sides[0]) if is_equation(tree) and isinstance(tree, Chain) else None
        if not isinstance(left, Scripted) or len(left.scripts) != 1:
            continue
        (mark, below), name = left.scripts[0], base_name(left.base)
        if mark != "_" or not isinstance(below, Name) or not is_letter(below) or name is None:
            continue
        assert isinstance(tree, Chain)
        if name in found:
            several.add(name)
        elif any(isinstance(n, Matrix) and _counts(n, below) for n in walk(tree.sides[1])) and all(
            map(_plain, walk(tree.sides[1]))
        ):
            found[name] = Numbered(below, tree.sides[1], tree.at)
    return {name: one for name, one in found.items() if name not in several}


def put_in(tree: Any, known: dict[str, Numbered]) -> Any:
    """The tree with these matrices in place of their names, but where they are defined."""
    if not known or not isinstance(tree, Node):
        return tree
    if isinstance(tree, Chain) and any(tree.at == one.at for one in known.values()):
        return tree
    return _within(tree, known)


def _within(tree: Any, known: dict[str, Numbered]) -> Any:
    node = plain(tree) if isinstance(tree, Node) else tree
    if isinstance(node, Scripted) and (one := known.get(base_name(node.base) or "")) is not None:
        below = [s for mark, s in node.scripts if mark == "_"]
        rest = tuple((mark, s) for mark, s in node.scripts if mark != "_")
        if len(below) == 1 and _is_number(below[0]):
            given = (
                below[0] if isinstance(below[0], Name) else Group(node.at, Put("{"), (below[0],))
            )
            made = Group(node.at, "{", (_replaced(one.body, one.letter, given),))
            return Scripted(node.at, made, rest) if rest else made
    return mapped(tree, lambda n: _within(n, known))


def _is_number(below: Node) -> bool:
    """A number, a letter, or a sum of these; no list of indices."""
    kinds = (Name, Number, Addition, Product, Group, Fraction)
    plainly = all(isinstance(n, kinds) for n in walk(below))
    first, *rest = atoms(below)
    return plainly and (not rest or (isinstance(first, Number) and len(rest) == 1))  # 2m


def _counts(matrix: Matrix, letter: Name) -> bool:
    """The letter stands in the entries by itself, and below nothing."""
    inside = [n for row in matrix.rows for cell in row for n in walk(cell)]
    scripts = [s for n in inside if isinstance(n, Scripted) for mark, s in n.scripts if mark == "_"]
    below = {n.text for s in scripts for n in walk(s) if isinstance(n, Name)}
    return letter.text not in below and any(spelled(n) == spelled(letter) for n in inside)


def _replaced(node: Any, letter: Name, given: Node) -> Any:
    if spelled(node) == spelled(letter):
        return given
    found = _bracketed(node) if isinstance(node, Product) else node
    return mapped(found, lambda n: _replaced(n, letter, given))


def _bracketed(node: Product) -> Product:
    """cos(m θ) for cos m θ, of which cos (m + n) θ would be something else."""
    k = _argument(node)
    if k is None or len(node.parts) - k < 2:
        return node
    inside = Product(node.parts[k][1].at, node.parts[k:])
    return Product(node.at, (*node.parts[:k], ("", Group(inside.at, "(", (inside,)))))


def _argument(node: Product) -> int | None:
    """Where the argument of a function without brackets begins, the first in a product."""
    for k, (_, part) in enumerate(node.parts[:-1]):
        sign = part.base if isinstance(part, Scripted) else part
        bare = node.parts[k + 1][0] == "" and not isinstance(node.parts[k + 1][1], Group)
        if isinstance(sign, Symbol) and sign.kind == "function" and bare:
            return k + 1
    return None


def _plain(node: Node) -> bool:
    """What a function without brackets is of is the rest of its product: two letters at most."""
    k = _argument(node) if isinstance(node, Product) else None
    if k is None:
        return True
    assert isinstance(node, Product)
    rest = node.parts[k:]
    return len(rest) < 3 and all(op == "" and isinstance(p, Name | Number) for op, p in rest)


__all__ = ["Numbered", "gather", "put_in"]
