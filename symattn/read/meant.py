"""Trees with the names that a section gives anew: x_2 for the second x of a text."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from .names import atoms, base_name, plain
from .source import Source
from .tree import Accent, Group, Name, Node, Number, Scripted, mapped


def meant(tree: Node, source: Source) -> Node:
    """The tree of a statement with every name as it is meant at its place."""
    return _told(tree, source) if source.anew else tree


def _told(value: Any, source: Source) -> Any:
    named = plain(value) if isinstance(value, Accent | Scripted) else value
    if isinstance(named, Name | Accent) and base_name(named) is not None:
        return _renamed(named, base_name(named) or "", source) or value
    if isinstance(named, Scripted) and (name := base_name(named.base)) is not None:
        return _scripted(named, name, source)
    return mapped(value, lambda n: _told(n, source))


def _scripted(node: Scripted, name: str, source: Source) -> Node:
    """A name with scripts: p_2 is a name of its own, x_2 the component of a vector."""
    label = _label(node)
    rest = tuple((sign, _told(s, source) if sign == "^" else s) for sign, s in node.scripts)
    if label and (whole := _renamed(node.base, f"{name}_{label}", source)) is not None:
        kept = tuple((sign, s) for sign, s in rest if sign != "_")
        return Scripted(node.at, whole, kept) if kept else whole
    found = source.meant(name, node.at)
    if found is None or (label and not found.axes):
        return replace(node, scripts=rest)
    return Scripted(node.at, _renamed(node.base, name, source) or node.base, rest)


def _label(node: Scripted) -> str:
    """The 2 of p_2 and the Q of W_Q."""
    below = [a for sign, s in node.scripts if sign == "_" for a in atoms(s)]
    plainly = all(isinstance(a, Number) or (isinstance(a, Name) and not a.style) for a in below)
    return "".join(a.text for a in below) if plainly else ""  # type: ignore[attr-defined]


def _renamed(node: Node, name: str, source: Source) -> Node | None:
    """The name that stands for another meaning; None for the first one."""
    found = source.meant(name, node.at)
    if found is None:
        return None
    inner = node
    while isinstance(inner, Group):
        (inner,) = inner.items
    if isinstance(inner, Accent):
        stem, _, _ = name.rpartition(f"_{inner.mark}")
        return Accent(node.at, inner.mark, Name(node.at, f"{stem}_{found.number}"))
    style = inner.style if isinstance(inner, Name) else ""
    return (
        None if style.startswith("differential") else Name(node.at, f"{name}_{found.number}", style)
    )


__all__ = ["meant"]
