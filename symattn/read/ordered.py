r"""Σ_{1 ≤ i < j ≤ n} as Σ_{i=1}^n Σ_{j=i+1}^n, and Σ_{0 ≤ k < n} as Σ_{k=0}^{n-1}."""

from __future__ import annotations

from .names import is_letter
from .tree import Addition, Chain, Name, Node, Number, Scripted, Symbol

Scripts = tuple[tuple[str, Node], ...]


def ranges(sign: object) -> list[Scripts]:
    """The limits of each letter of a chain of bounds; none for any other sum."""
    match sign:
        case Scripted(
            base=Symbol(kind="sum" | "prod"),
            scripts=(("_", Chain(sides=(Number() as low, *inner, high), relations=relations)),),
        ) if len(relations) > 1 and {r for r, _ in relations} <= {"<", "≤"}:
            letters = [x for x in inner if isinstance(x, Name) and is_letter(x)]
            if len(letters) < len(inner) or len({x.text for x in letters}) < len(letters):
                return []
            last = _moved(high, -1) if relations[-1][0] == "<" else high
            before = [low, *letters]
            found: list[Scripts] = []
            for letter, start, (relation, at) in zip(letters, before, relations, strict=False):
                first = _moved(start, 1) if relation == "<" else start
                found.append((("_", Chain(at, (letter, first), (("=", at),))), ("^", last)))
            return found
    return []


def _moved(node: Node, step: int) -> Node:
    if isinstance(node, Number) and node.text.isdigit():
        return Number(node.at, str(int(node.text) + step))
    return Addition(node.at, ((1, node), (step, Number(node.at, "1"))))


__all__ = ["ranges"]
