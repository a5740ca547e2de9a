r"""Δθ, one name, where no equation says what Δ is.

Behind `\Delta = D - A` the product of Δ and X is meant, of a Laplacian, a discriminant or a gap.
"""

from __future__ import annotations

import re
from typing import Any

from .tree import Name, Node, Product, Scripted, base_of, mapped

ITSELF = re.compile(  # Δ = …, Δ ∈ …, a pressure drop Δ, or a declaration
    r"\\Delta\s*&?\s*(?::?=|\\(?:coloneqq|equiv|in)\b)|symattn:[^\n]*?(?<![\\\w])Delta(?!\w)|"
    r"(?<!\$)\$\s*\\Delta\s*\$(?!\s*(?:denotes|means|stands|is|marks|indicates|for)\b)"
)


def increments(node: Any) -> Any:
    r"""The tree in which a name behind \Delta is one with it."""
    node = mapped(node, increments)
    if not isinstance(node, Product):
        return node
    parts: list[tuple[str, Node]] = []
    for operator, part in node.parts:
        if operator == "" and parts and _is_delta(parts[-1][1]) and isinstance(base_of(part), Name):
            operator, part = parts.pop()[0], _named(part)
        parts.append((operator, part))
    if len(parts) == len(node.parts):
        return node
    return parts[0][1] if len(parts) == 1 and parts[0][0] == "" else Product(node.at, tuple(parts))


def _is_delta(node: Node) -> bool:
    return isinstance(node, Name) and node.text == "Delta"


def _named(node: Node) -> Node:
    if isinstance(node, Scripted):
        return Scripted(node.at, _named(node.base), node.scripts)
    assert isinstance(node, Name)
    return Name(node.at, f"Delta_{node.text}")


__all__ = ["ITSELF", "increments"]
