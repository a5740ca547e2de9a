"""Index letters in formulas of fields: which are free, and which stand twice and are summed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import pairwise

from ..read.names import atoms, is_letter
from ..read.spatial import key
from ..read.tree import (
    Accent,
    Addition,
    Chain,
    Fraction,
    Group,
    Name,
    Node,
    Number,
    Product,
    Root,
    Scripted,
    Symbol,
    walk,
)
from .field_jets import Untold

Env = Mapping[str, int]


def is_partial(node: Node) -> bool:
    match node:
        case Symbol(kind="partial"):
            return True
        case Scripted(base=Symbol(kind="partial"), scripts=(("^", Number()),)):
            return True
    return False


def is_index(node: Node) -> bool:
    return (is_letter(node) and node.text in "ijklmnpqrs") or (
        isinstance(node, Number) and node.text in ("1", "2", "3")
    )


def index(node: Node, env: Env) -> int:
    match node:
        case Number(text="1" | "2" | "3" as text):
            return int(text) - 1
        case Name(text=text) if text in env:
            return env[text]
    raise Untold


def explicit(node: Product) -> tuple[set[str], Sequence[tuple[str, Node]]]:
    r"""The letters of \sum_{i=1}^3 in front, and what stands behind."""
    letters, parts = set[str](), list(node.parts)
    while parts:
        match parts[0][1]:
            case Scripted(base=Symbol(kind="sum"), scripts=(("_", below), *_)):
                first = below.sides[0] if isinstance(below, Chain) else below
                inside = atoms(first)
                if not all(map(is_index, inside)):
                    raise Untold
                letters |= {a.text for a in inside}  # type: ignore[attr-defined]
                parts.pop(0)
            case _:
                break
    return letters, parts


def free(node: Node) -> Counter[str]:
    """The index letters of an expression that are not summed in it.  Raises Untold."""
    match node:
        case Name() | Accent() | Number() | Symbol():
            return Counter()
        case Scripted(base=base, scripts=scripts):
            found: Counter[str] = Counter() if isinstance(base, Name | Accent) else free(base)
            plainly = [s for m, s in scripts if m == "_" and all(map(is_index, atoms(s)))]
            found.update(a.text for s in plainly for a in atoms(s) if isinstance(a, Name))
            return once(found)
        case Addition(parts=parts):
            rows = [free(p) for _, p in parts if not is_nothing(p)]
            if any(row != rows[0] for row in rows):
                raise Untold
            return rows[0] if rows else Counter()
        case Product():
            counts = counted(node)
            return Counter({x: 1 for x, n in counts.items() if n == 1} if counts else {})
        case Fraction(top=top, bottom=bottom):
            return once(counted(top) + counted(bottom))
        case Group(items=items):
            return once(sum((free(x) for x in items), Counter()))
        case Root(body=body):
            return free(body)
    raise Untold


def counted(node: Node) -> Counter[str]:
    if isinstance(node, Product):
        own, rest = explicit(node)
        found = sum((free(p) for _, p in rest), Counter())
        for x in own:
            found.pop(x, None)
        if any(n > 2 for n in found.values()):
            raise Untold
        return found
    return free(node)


def bound(node: Product) -> set[str]:
    return {x for x, n in counted(node).items() if n == 2}


def twice(node: Scripted | Fraction) -> set[str]:
    """The i of T_{ii} and of ∂u_i/∂x_i."""
    if isinstance(node, Fraction):
        counts = counted(node.top) + counted(node.bottom)
    else:
        below = [a for m, s in node.scripts if m == "_" for a in atoms(s)]
        counts = Counter(a.text for a in below if isinstance(a, Name) and is_index(a))
    return {x for x, n in counts.items() if n == 2}


def once(found: Counter[str]) -> Counter[str]:
    if any(n > 2 for n in found.values()):
        raise Untold
    return Counter({x: 1 for x, n in found.items() if n == 1})


def is_nothing(node: Node) -> bool:
    return isinstance(node, Number) and node.text == "0"


def derivands(node: Node) -> Iterator[str]:
    """The names right behind ∇ and ∂."""
    for n in walk(node):
        parts = n.parts if isinstance(n, Product) else ()
        for (_, first), (_, second) in pairwise(parts):
            sign = first.base if isinstance(first, Scripted) else first
            if isinstance(sign, Symbol) and sign.kind in ("partial", "nabla"):
                found = key(second.base if isinstance(second, Scripted) else second)
                yield from [found[0]] if found is not None else []


def labelled(node: Node) -> Iterator[str]:
    """mu_0 of μ_0."""
    for n in walk(node):
        match n:
            case Scripted(base=Name(text=text, style=""), scripts=(("_", Number(text="0")), *_)):
                yield f"{text}_0"


def names_in(nodes: Iterable[Node]) -> Iterator[str]:
    """The names that formulas speak of."""
    for node in nodes:
        for n in walk(node):
            if isinstance(n, Name):
                yield n.text


__all__ = [
    "Env",
    "bound",
    "derivands",
    "explicit",
    "free",
    "index",
    "is_index",
    "is_partial",
    "labelled",
    "names_in",
    "twice",
]
