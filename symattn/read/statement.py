"""One statement of a display: its tokens, its tree, and what is told of its letters."""

from __future__ import annotations

from dataclasses import dataclass

from .lexer import Token
from .names import Context
from .split import CLOSERS, OPENERS
from .tree import Node


@dataclass(eq=False)
class Statement:
    tree: Node
    tokens: list[Token]
    latex: str
    here: Context
    fact: bool = False  # taken for true
    reason: bool = False  # stands behind "since": taken for true where it defines nothing


def without_words(piece: list[Token]) -> list[list[Token]]:
    """The formulas between words; a shape behind an equation, A = B ∈ ℝ^n, is left out."""
    depth = 0
    parts: list[list[Token]] = [[]]
    for k, token in enumerate(piece):
        depth += (token.kind in OPENERS) - (token.kind in CLOSERS)
        if token.kind == "PROSE" and not depth:
            parts.append([])
            continue
        if token.kind == "REL" and token.text == "∈" and not depth:
            typed = any(t.kind == "REL" for t in parts[-1])
            if typed and k + 1 < len(piece) and piece[k + 1].kind == "SET":
                break
        parts[-1].append(token)
    return [p for p in parts if p]


def implied(piece: list[Token]) -> list[list[Token]]:
    """The equations on both sides of an arrow that says that one follows from the other."""
    depth, related = 0, False
    for k, token in enumerate(piece):
        depth += (token.kind in OPENERS) - (token.kind in CLOSERS)
        if token.kind != "REL" or depth:
            continue
        rest = piece[k + 1 :]
        if token.text == "→" and related and any(t.kind == "REL" for t in rest):
            return [piece[:k], *implied(rest)]
        related = True
    return [piece]


def last_side(piece: list[Token]) -> list[Token]:
    """What stands behind the last relation of a statement."""
    depth, cut = 0, 0
    for k, token in enumerate(piece):
        depth += (token.kind in OPENERS) - (token.kind in CLOSERS)
        if token.kind == "REL" and not depth:
            cut = k + 1
    return piece[cut:]
