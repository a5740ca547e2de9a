r"""|C_k| of a set over which the text sums: how many there are in it, Σ_{i ∈ C_k} 1.

A sum over those with a property, Σ_{i : y_i = c} x_i, is Σ_i [y_i = c] x_i.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from .names import base_name, is_letter
from .tree import Chain, Group, Name, Node, Number, Product, Scripted, Symbol, rebuilt, walk


def gather(trees: Iterable[Node]) -> dict[str, str]:
    """The sets with an index that sums run over, each with the letter of one of them."""
    return {name: letter for tree in trees for name, letter in _sets(tree)}


def _sets(tree: Node) -> Iterator[tuple[str, str]]:
    for node in walk(tree):
        match node:
            case Scripted(base=Symbol(kind="sum"), scripts=(("_", below), *_)):
                match below:
                    case Chain(sides=(Name(text=letter), right), relations=(("∈", _),)):
                        if (name := _named(right)) and is_letter(below.sides[0]):
                            yield name, letter


def _named(node: Node) -> str:
    """The C of C_k and of C(k); empty for anything else."""
    match node:
        case Scripted(base=Name() as base, scripts=(("_", Name() as k),)) if is_letter(k):
            return base_name(base) or ""
        case Product(parts=((_, Name() as base), ("", Group(bracket="(", items=(Name() as k,))))):
            return (base_name(base) or "") if is_letter(k) else ""
    return ""


def written_out(tree: Node, known: dict[str, str]) -> Node:
    """The tree with a sum in place of |C_k|, and factors [y_i = c] behind Σ_i."""

    def change(node: Node) -> Node:
        if isinstance(node, Product):
            parts = tuple(pair for op, part in node.parts for pair in _with_property(op, part))
            return node if len(parts) == len(node.parts) else Product(node.at, parts)
        if not isinstance(node, Group) or node.bracket != "|" or len(node.items) != 1:
            return node
        (inside,) = node.items
        letter = known.get(_named(inside))
        if letter is None:
            return node
        at = node.at
        own = Name(at, f"{letter}'")  # which stands nowhere else
        sign = Symbol(at, "sum", "sum")
        over = Scripted(at, sign, (("_", Chain(at, (own, inside), (("∈", at),))),))
        return Group(at, "(", (Product(at, (("", over), ("", Number(at, "1")))),))

    bars = known and any(isinstance(n, Group) and n.bracket == "|" for n in walk(tree))
    said = any(isinstance(n, Chain) and n.relations[0][0] == ":" for n in walk(tree))
    found: Node = rebuilt(tree, change) if bars or said else tree
    return found


def _with_property(op: str, part: Node) -> Iterator[tuple[str, Node]]:
    """Σ_i and [y_i = c] for Σ_{i : y_i = c}; any other factor as it is."""
    match part:
        case Scripted(
            base=Symbol(kind="sum"),
            scripts=(("_", Chain(sides=(first, *sides), relations=((":", _), *relations))),),
        ) if is_letter(first) and relations:
            yield op, Scripted(part.at, part.base, (("_", first),))
            said = Chain(first.at, tuple(sides), tuple(relations))
            yield "", Scripted(first.at, Number(first.at, "1"), (("_", said),))
        case _:
            yield op, part


__all__ = ["gather", "written_out"]
