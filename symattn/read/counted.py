r"""Letters that count: the t of q^t and of Σ_{i=1}^t, and the k of Σ_k k q^k."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from math import comb
from typing import Any

from .names import base_name
from .tree import (
    Accent,
    Addition,
    Chain,
    Group,
    Name,
    Node,
    Number,
    Product,
    Scripted,
    Symbol,
    children,
    rebuilt,
    walk,
)


def stepped(node: object) -> tuple[str, Node | None]:
    """x with its accents and the t + 1 of x_{t+1}, which is its only script."""
    return inside(node) if isinstance(node, Scripted) and len(node.scripts) == 1 else ("", None)


def begins(node: object) -> bool:
    """The x_0 of x_0 = c."""
    return isinstance(stepped(node)[1], Number)


def inside(node: object) -> tuple[str, Node | None]:
    """The same of x_{t+1}^2 too."""
    match node:
        case Scripted(base=base, scripts=scripts) if name := called(base):
            return next(((name, s) for sign, s in scripts if sign == "_"), ("", None))
    return "", None


def chosen(tree: Any) -> Any:
    """The tree with 10 for 5 choose 2, of numbers that are written out."""
    return rebuilt(tree, _chosen)


def _chosen(node: Any) -> Any:
    parts = node.parts if isinstance(node, Product) else ()
    for k, ((op, sign), (_, pair)) in enumerate(pairwise(parts)):
        match sign, pair:
            case Name(text="binom"), Group(items=(Number(text=n), Number(text=m))) if (
                n + m
            ).isdigit() and len(n) < 4:
                number = Number(sign.at, str(comb(int(n), int(m))))
                made = Product(node.at, (*parts[:k], (op, number), *parts[k + 2 :]))
                return _chosen(made) if len(made.parts) > 1 else number
    return node


def called(node: Node) -> str:
    """A name with the marks above it."""
    if isinstance(node, Accent):
        name = called(node.body)
        return f"{name}_{node.mark}" if name else ""
    return (base_name(node) or "") if isinstance(node, Name) else ""


def names_of(tree: Node) -> set[str]:
    r"""The names of a formula: of \tilde x that, and not x too."""
    if name := called(tree):
        return {name} - {"binom"}
    return set[str]().union(*map(names_of, children(tree)))


def counting(tree: Node) -> set[str]:
    """The letters that sums, products and maxima run over, and how far they do."""
    signs = (n for n in walk(tree) if isinstance(n, Scripted) and isinstance(n.base, Symbol))
    return {x for n in signs for _, s in n.scripts for x in names_of(s)}


def counts(tree: Node, letter: str) -> bool:
    r"""True where the letter stands elsewhere than as a step, in q^t and Σ_{i=1}^t, and for Σ^∞."""
    endless = any(isinstance(n, Symbol) and n.kind == "infty" for n in walk(tree))
    return endless or any(_stands(tree, letter)) or runs_along(tree, letter)


def is_series(tree: Chain) -> bool:
    """True for Σ_{k=1}^n k = n (n + 1) / 2, where k is a number, and for n choose k.

    In a · b = Σ_{i=1}^n a^i b^i it says which component; in Σ_k q^k = 1/(1 - q) it is a power, as
    q is added to a number.
    """
    every = [*walk(tree)]
    if any(isinstance(n, Name) and n.style == "bold" for n in every):
        return False
    if any(isinstance(n, Name) and n.text == "binom" for n in every):
        return True
    rows = [n.parts for n in every if isinstance(n, Product)]
    bodies = [(_runs(part), Product(0, row[k + 1 :])) for row in rows
              for k, (_, part) in enumerate(row) if _runs(part)]  # fmt: skip
    return any(any(_stands(body, k)) for k, body in bodies) and all(
        "number" in _stands(body, k) or _raised(body, k) <= _numbers(tree) for k, body in bodies
    )


def _runs(node: Node) -> str:
    """The k of a Σ over k = 1, …; empty for anything else."""
    match node:
        case Scripted(base=Symbol(), scripts=scripts) if len(scripts) == 2:
            own = next((s for mark, s in scripts if mark == "_"), None)
            if isinstance(own, Chain) and isinstance(own.sides[0], Name):
                return own.sides[0].text
    return ""


def _stands(tree: Node, letter: str) -> Iterator[str]:
    """Where a letter stands that is not below a name: "above" one, alone, or as a "number"."""
    match tree:
        case Name(text=text) if text == letter:
            yield "number"
        case Scripted(base=base, scripts=scripts):
            yield from _stands(base, letter)
            named = bool(called(base))
            for mark, script in scripts:
                if mark == "^" and named and script == Name(script.at, letter):
                    yield "above"
                elif not named or mark == "^":
                    yield from _stands(script, letter)
        case _:
            for child in children(tree):
                yield from _stands(child, letter)


def _raised(tree: Node, letter: str) -> set[str]:
    """The q of q^k."""
    nodes = (n for n in walk(tree) if isinstance(n, Scripted))
    return {called(n.base) for n in nodes if any(s == Name(s.at, letter) for _, s in n.scripts)}


def _numbers(tree: Node) -> set[str]:
    """The q of 1 - q."""
    sums = (n.parts for n in walk(tree) if isinstance(n, Addition))
    rows = [[p for _, p in parts] for parts in sums]
    return {called(p) for row in rows if any(isinstance(x, Number) for x in row) for p in row}


def runs_along(tree: Node, letter: str) -> bool:
    """True for Σ_k p_{t-k}."""
    steps = (s for n in walk(tree) if isinstance(s := inside(n)[1], Addition))
    return any({letter} < names_of(s) and names_of(s) - {letter} <= counting(tree) for s in steps)


__all__ = [
    "begins",
    "called",
    "counting",
    "counts",
    "inside",
    "is_series",
    "names_of",
    "runs_along",
    "stepped",
]
