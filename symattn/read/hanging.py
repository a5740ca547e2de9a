r"""Numbers that hang on a letter which they do not show: L = -\log p_y of a class y.

The letter counts nothing in the text and is no index by custom; L is L_y then, wherever it stands.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from . import summation
from .labels import CUSTOM
from .names import atoms, base_name, is_letter
from .split import Statement
from .tree import EQUAL, Chain, Name, Node, Scripted, Symbol, mapped, walk

_ONE_OF = re.compile(  # the positive example $k$, one of all that k could be
    r"\b(?:class|label|examples?|positive|negative|target|token|index|sample|state|action|node|"
    r"word|category|answer|item|entry)\s+\$\s*([a-z])\s*\$"
)


def letters(statements: Sequence[Statement], text: str = "") -> dict[str, str]:
    """The names of such numbers, each with its letter; by custom no index, or one of a text."""
    custom = CUSTOM - {*_ONE_OF.findall(text)}
    trees = [s.tree for s in statements]
    counted = {x for s in statements for x in s.here.summed}
    bearing = {base_name(n.base) for tree in trees for n in walk(tree) if isinstance(n, Scripted)}
    bare = {x for tree in trees for x in _values(tree)}
    others: dict[str, set[str]] = {}  # name → the letters below it
    for tree in trees:
        for name, x in _below(tree):
            others.setdefault(name, set()).add(x)
    found: dict[str, str] = {}
    for s in statements:
        name = _defined(s.tree)
        if not name or name in bearing:
            continue
        assert isinstance(s.tree, Chain)
        pairs = _below(s.tree.sides[1])
        open_ = {x for _, x in pairs if x not in s.here.summed}
        whole = {x for n, x in pairs if others[n] & (counted | CUSTOM)}  # p_y of the p_k
        open_ -= summation.contracted(s.tree.sides[1], s.here)  # ψ = log Σ_i exp(θ_a T_ia)
        if len(open_) == 1 and open_ <= whole - counted - custom - bare:
            found.setdefault(name, *open_)
    return found


def shown(tree: Node, found: dict[str, str]) -> Node:
    """The tree with L_y for L."""

    def change(node: Any) -> Any:
        if isinstance(node, Name) and not node.style and node.text in found:
            letter = Name(node.at, found[node.text])
            return Scripted(node.at, node, (("_", letter),))
        if isinstance(node, Scripted):  # not in scripts
            return replace(node, base=change(node.base))
        return mapped(node, change)

    result: Node = change(tree)
    return result


def _defined(tree: Node) -> str:
    """The L of L = …, a name by itself."""
    if not isinstance(tree, Chain) or tree.relations[0][0] not in EQUAL:
        return ""
    left = tree.sides[0]
    return left.text if isinstance(left, Name) else ""


def _below(tree: Node) -> list[tuple[str, str]]:
    """Names, each with a letter that stands below it."""
    return [
        (name, a.text)
        for n in walk(tree)
        if isinstance(n, Scripted) and (name := base_name(n.base)) is not None
        for mark, script in n.scripts
        if mark == "_"
        for a in atoms(script)
        if is_letter(a)
    ]


def _values(tree: Node) -> set[str]:
    """The letters that stand for values: neither in scripts nor compared with another letter."""
    match tree:
        case Scripted(base=Symbol()):
            return set()
        case Scripted():
            return _values(tree.base)
        case Name():
            return {tree.text}
        case Chain(sides=sides) if all(map(is_letter, sides)):
            return set()
    found: set[str] = set()

    def visit(node: Any) -> Any:
        found.update(_values(node))
        return node

    mapped(tree, visit)
    return found


__all__ = ["letters", "shown"]
