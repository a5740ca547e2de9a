r"""Numbers that a text gives to vectors and matrices: x = (1, 2)^\top, A = [[1, 2], [3, 4]]."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import replace
from itertools import pairwise
from typing import Any

from .tree import (
    EQUAL,
    Accent,
    Addition,
    Chain,
    Fraction,
    Given,
    Group,
    Matrix,
    Name,
    Node,
    Number,
    Product,
    Root,
    Scripted,
    Stack,
    Symbol,
    mapped,
    walk,
)

_PRIOR = re.compile(r"\\pi\s*=\s*(?!3(?:\.1|\s*$))(?:\d+\.?\d*|\.\d+)(?![\d\s]*[\w\\^(])")
_OPENING = r"(?:\$|\\\[|\\\(|\\\\|^)\s*&?\s*"
_LETTER = re.compile(rf"{_OPENING}\\pi\s*&?\s*:?=\s*(?P<right>[^$=\n]*)", re.MULTILINE)
_MENTION = re.compile(r"\$\s*\\pi\s*\$|\\\(\s*\\pi\s*\\\)")
_BOUND = re.compile(r"\\(?:sum|prod|lim)\s*_\s*\{?\s*([a-zA-Z])|(?<![a-zA-Z\\])d\s?([a-z])\b")
_GREEK = re.compile(  # the θ of softmax(θ); ζ and γ are numbers and functions too
    r"\\(alpha|beta|delta|eta|theta|kappa|lambda|mu|nu|xi|rho|phi|varphi|psi|omega)\b"
)
_FUNCTION = re.compile(  # $π(q) = …$
    rf"{_OPENING}\\pi\s*\(\s*\\?\w+(?:\s*,\s*\\?\w+)*\s*\)\s*&?\s*:?=", re.MULTILINE
)
CIRCLE = "π"  # 3.14…, where the letter is something else
_ARITHMETIC = (Number, Fraction, Root, Addition, Product)


def prior(text: str) -> bool:
    """True where a text gives π another value than 3.14…, and so it is a name there."""
    if _PRIOR.search(text):
        return True
    for found in _LETTER.finditer(text):
        before = _MENTION.sub("", text[: found.start()])
        if _names(found["right"]) and r"\pi" not in before:
            return True
    return False


def _names(right: str) -> bool:
    r"""A letter stands there that nothing binds, p of p q - c; not the k of 4 \sum_k (-1)^k."""
    letters = set(re.findall(r"(?<![\\a-zA-Z])[a-zA-Z](?![a-zA-Z])", right))
    greek = {x for x in _GREEK.findall(right) if not re.search(rf"\bd\s*\\{x}\b", right)}
    bound = {x for pair in _BOUND.findall(right) for x in pair}
    return bool(greek or letters - bound - {"e", "i", "d"})


def function(text: str) -> bool:
    """True where a text defines π(q), so that π is the name of a function."""
    return _FUNCTION.search(text) is not None


def circles(trees: Iterable[Node], normal: bool) -> bool:
    """True where π is a tensor or a function of a text, as a policy is, and a number beside 2.

    So too in a `normal` text, whose densities hold the number.
    """
    signs = [*trees]
    named = any(map(_has_scripts_or_arguments, (n for tree in signs for n in walk(tree))))
    return named and (normal or any(_beside_number(n) for tree in signs for n in walk(tree)))


def number(tree: Any) -> Any:
    r"""The tree with 3.14… for the π of 2π, \sqrt{2\pi} and (2π)^{d/2}."""
    if isinstance(tree, Product) and (at := _beside_number(tree)):
        sign, pi = tree.parts[at]
        parts = (*tree.parts[:at], (sign, Name(pi.at, CIRCLE)), *tree.parts[at + 1 :])
        tree = Product(tree.at, parts)
    return mapped(tree, number) if isinstance(tree, Node) else tree


def _has_scripts_or_arguments(node: Node) -> bool:
    match node:
        case Scripted(base=Name(text="pi"), scripts=scripts):
            return any(mark == "_" for mark, _ in scripts)
        case Product(parts=parts):
            return any(
                one == Name(one.at, "pi") and isinstance(other, Group) and other.bracket == "("
                for (_, one), (sign, other) in pairwise(parts)
                if sign == ""
            )
    return False


def _beside_number(node: Node) -> int:
    """Where in a product a π stands behind a number, and before no bracket; 0 for nowhere."""
    parts = node.parts if isinstance(node, Product) else ()
    for k, ((_, two), (sign, pi)) in enumerate(pairwise(parts), 1):
        behind = parts[k + 1] if k + 1 < len(parts) else ("·", pi)
        applied = behind[0] == "" and isinstance(behind[1], Group)
        if isinstance(two, Number) and sign in ("", "·") and pi == Name(pi.at, "pi"):
            return 0 if applied else k
    return 0


def listed(tree: Node) -> Node:
    """The tree with a matrix for every list of numbers that is said to equal something.

    And for (a cos t, a sin t, b t), but not for the pair (x, y) and the interval (a - b, a + b).
    """
    if not isinstance(tree, Chain) or any(sign not in EQUAL for sign, _ in tree.relations):
        return tree
    found = (tree.sides[0], *(_matrix(x) or _vector(x) or _times(x) for x in tree.sides[1:]))
    return tree if found == tree.sides else replace(tree, sides=found)


def is_example(tree: Node) -> bool:
    """True for Q = …, where one of the sides is a matrix of numbers."""
    sides = tree.sides[1:] if isinstance(tree, Chain) else ()
    return any(
        isinstance(side, Matrix)
        and all(_numeric(c) for row in side.rows for c in row)
        and len(side.rows) * len(side.rows[0]) > 1
        for side in sides
    )


def _matrix(node: Node) -> Matrix | None:
    """The matrix that rows of numbers in brackets are; a list is a column, also one that stands."""
    match node:
        case Scripted(base=Group() | Matrix() as base, scripts=(("^", sign),)):
            inner = base if isinstance(base, Matrix) else _matrix(base)
            top = sign in (Symbol(sign.at, "top"), Name(sign.at, "T"))
            if inner is None or not top or not all(_numeric(c) for r in inner.rows for c in r):
                return None
            if len(inner.rows) == 1:
                return Matrix(inner.at, tuple((cell,) for cell in inner.rows[0]))
            return inner if len(inner.rows[0]) == 1 and isinstance(base, Group) else None
        case Group(bracket="(" | "[") if len(node.items) > 1 or _is_row(node.items[0]):
            rows = [x.items if isinstance(x, Group) and x.bracket in "([" else (x,)
                    for x in node.items]  # fmt: skip
            whole = len({len(row) for row in rows}) == 1
            if whole and all(_numeric(cell) for row in rows for cell in row):
                return Matrix(node.at, tuple(rows))
    return None


def _vector(node: Node) -> Matrix | None:
    """The column that formulas in brackets are: three, or two of which one is sin t, or (…)^⊤."""
    turned = False
    if isinstance(node, Scripted) and isinstance(node.base, Group) and len(node.scripts) == 1:
        sign, above = node.scripts[0]
        turned = sign == "^" and above in (Symbol(above.at, "top"), Name(above.at, "T"))
        node = node.base if turned else node
    if not isinstance(node, Group) or node.bracket != "(" or len(node.items) < 2:
        return None
    inside = [n for item in node.items for n in walk(item)]
    formulas = any(not isinstance(item, Name | Accent | Number) and not _marked(item)
                   for item in node.items)  # fmt: skip
    odd = any(
        isinstance(n, Chain | Given | Matrix | Stack)
        or (isinstance(n, Symbol) and n.kind in ("dots", "infty"))
        for n in inside
    )
    functions = any(isinstance(n, Symbol) and n.kind == "function" for n in inside)
    if odd or not formulas or not (turned or functions or len(node.items) > 2):
        return None
    return Matrix(node.at, tuple((cell,) for cell in node.items))


def _marked(node: Node) -> bool:
    """True for x_1 and x^*, and not for x^2."""
    return isinstance(node, Scripted) and not any(
        sign == "^" and isinstance(s, Number) for sign, s in node.scripts
    )


def _times(node: Node) -> Node:
    """l q (cos q, sin q)^⊤ with the column in it."""
    if not isinstance(node, Product) or not isinstance(node.parts[-1][1], Scripted):
        return node
    op, last = node.parts[-1]
    column = _vector(last) if op in ("", "·") else None
    return replace(node, parts=(*node.parts[:-1], (op, column))) if column else node


def _is_row(node: Node) -> bool:
    return isinstance(node, Group) and node.bracket in "([" and len(node.items) > 1


def _numeric(node: Node) -> bool:
    return all(isinstance(n, _ARITHMETIC) for n in walk(node))


__all__ = ["is_example", "listed", "prior"]
