r"""Primes: X' is a transpose in some texts, and \hat{x}' a name as x' is in others."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

from .tree import Accent, Addition, Group, Name, Node, Product, Scripted, Symbol, mapped

_TOP = "^", Symbol(0, "top")


def _turned(pair: tuple[str, Node]) -> tuple[str, Node]:
    return _TOP if isinstance(pair[1], Symbol) and pair[1].kind == "prime" else pair


def _applies(before: tuple[str, Node], after: tuple[str, Node]) -> bool:
    """True for u'(c) and f'(x, y)."""
    match before[1], after:
        case Name(text=text), ("", Group(bracket="(", items=items)):
            return text[:1].islower() and not any(isinstance(i, Addition) for i in items)
    return False


def transposed(node: Any) -> Any:
    """The tree with X^⊤ for X', where that is no function: u'(c), and not X'(y - X b)."""
    match node:
        case Name(text=text) if text[-1:] == "'" and text[-2:] != "''":
            return Scripted(node.at, Name(node.at, text[:-1], node.style), (_TOP,))
        case Scripted(base=Name(text=text) as base) if text[-1:] == "'" and text[-2:] != "''":
            bare = Name(base.at, text[:-1], base.style)
            return Scripted(node.at, bare, (*map(_turned, node.scripts), _TOP))
        case Scripted():
            return Scripted(node.at, transposed(node.base), tuple(map(_turned, node.scripts)))
        case Product(parts=parts):
            called = {k for k, pair in enumerate(pairwise(parts)) if _applies(*pair)}
            rest = ((op, p if k in called else transposed(p)) for k, (op, p) in enumerate(parts))
            return Product(node.at, tuple(rest))
    return mapped(node, transposed)


def named(node: Any) -> Any:
    r"""The tree with x' under the hat of \hat{x}'_k, but for what may be applied: \hat{f}'(x)."""
    match node:
        case Scripted(base=Accent() as base, scripts=scripts) if any(map(_is_prime, scripts)):
            rest = tuple((sign, named(s)) for sign, s in scripts if not _is_prime((sign, s)))
            marks = "".join(s.text for _, s in filter(_is_prime, scripts))  # type: ignore[attr-defined]
            marked = _marked(base, marks)
            if marked is not None:
                return Scripted(node.at, marked, rest) if rest else marked
        case Product(parts=parts):
            called = {k for k, (_, after) in enumerate(pairwise(parts)) if _may_take(after)}
            pairs = ((op, p if k in called else named(p)) for k, (op, p) in enumerate(parts))
            return Product(node.at, tuple(pairs))
    return mapped(node, named)


def _is_prime(script: tuple[str, Node]) -> bool:
    return isinstance(script[1], Symbol) and script[1].kind == "prime"


def _marked(node: Node, marks: str) -> Node | None:
    """The accents with the primes on the letter below them."""
    if isinstance(node, Accent):
        body = _marked(node.body, marks)
        return Accent(node.at, node.mark, body) if body is not None else None
    return Name(node.at, node.text + marks, node.style) if isinstance(node, Name) else None


def _may_take(after: tuple[str, Node]) -> bool:
    return after[0] == "" and isinstance(after[1], Group) and after[1].bracket == "("


__all__ = ["named", "transposed"]
