"""The syntax tree of a formula: what is written, before it is settled what it means."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from itertools import chain
from operator import is_
from typing import Any, TypeGuard

EQUAL = frozenset({"=", ":="})
BRACKETS = frozenset({"(", "[", "{", "\\{", "."})


class Known:
    """What has been asked of a node before: it never changes.

    None of it holds the node itself, so that a tree goes when nobody needs it any more.
    """

    __slots__ = ("applied", "below", "beside", "inside", "outline", "plain", "spelled")
    applied: tuple[Any, ...]
    below: tuple[Node, ...]
    beside: tuple[Node, ...]
    inside: tuple[Node, ...]
    outline: tuple[tuple[tuple[str, Node], ...], bool, bool, int]
    plain: Node | None
    spelled: object


@dataclass(frozen=True, slots=True)
class Node(Known):
    """Something written at `at`, a position in the text."""

    at: int


@dataclass(frozen=True, slots=True)
class Name(Node):
    r"""A letter, a Greek letter by its name, or a word; primes belong to it.

    `style` is "upright" for one letter as \mathrm{k}, a label below a name and no index, and
    "literal" for \mathit{e}, which is a name and nothing else.
    """

    text: str
    style: str = field(default="", compare=False)


@dataclass(frozen=True, slots=True)
class Number(Node):
    """A decimal number as written."""

    text: str


@dataclass(frozen=True, slots=True)
class Symbol(Node):
    """A sign with a meaning of its own: partial, nabla, sum, a function, top, star, dots, infty."""

    kind: str
    text: str = ""


@dataclass(frozen=True, slots=True)
class Accent(Node):
    """A mark over something: bar, dot, hat, tilde."""

    mark: str
    body: Node


@dataclass(frozen=True, slots=True)
class Scripted(Node):
    """A base with scripts (sign, content) in the order written."""

    base: Node
    scripts: tuple[tuple[str, Node], ...]


@dataclass(frozen=True, slots=True)
class Group(Node):
    """Something in brackets: ( [ { ‖ | ⟨; several items where commas stand."""

    bracket: str
    items: tuple[Node, ...]


@dataclass(frozen=True, slots=True)
class Given(Node):
    """p(x, y | θ): what stands before the bar, and behind it."""

    items: tuple[Node, ...]
    given: tuple[Node, ...]


@dataclass(frozen=True, slots=True)
class Fraction(Node):
    """Top over bottom with a bar."""

    top: Node
    bottom: Node


@dataclass(frozen=True, slots=True)
class Root(Node):
    """The square root, or that of another degree."""

    body: Node
    degree: Node | None


class Times(str):
    """The · of a product that is written with ×, which is another product between vectors."""


class Put(str):
    """The { of what is put in place of a parameter: the a + b of cos m θ where m = a + b."""


class Called(str):
    """The { of what a call stands for, the a + x of cos h(x) y: how far cos reaches is not said."""


class Star(str):
    """The · of a product that is written with *, which is no inner product of two vectors."""


@dataclass(frozen=True, slots=True)
class Product(Node):
    """Factors in a row; before each its operator: "" for none, · / ∘."""

    parts: tuple[tuple[str, Node], ...]


@dataclass(frozen=True, slots=True)
class Addition(Node):
    """Terms, each with its sign."""

    parts: tuple[tuple[int, Node], ...]


@dataclass(frozen=True, slots=True)
class Chain(Node):
    """a = b = c: sides, and the relations between them with their positions."""

    sides: tuple[Node, ...]
    relations: tuple[tuple[str, int], ...]


@dataclass(frozen=True, slots=True)
class Matrix(Node):
    """Rows of cells."""

    rows: tuple[tuple[Node, ...], ...]


@dataclass(frozen=True, slots=True)
class Cases(Node):
    """Values, each with its condition; None for "otherwise"."""

    rows: tuple[tuple[Node, Node | None], ...]


@dataclass(frozen=True, slots=True)
class Stack(Node):
    """The entries of a letter from first to last: "below" one another, "beside", or a "tuple".

    A tuple of numbers is a column, one of columns a matrix of them.
    """

    letter: Name
    first: Node
    last: Node
    body: Node
    kind: str


def children(node: Node) -> tuple[Node, ...]:
    """The nodes directly inside a node."""
    try:
        return node.inside
    except AttributeError:
        values = (getattr(node, name) for name in type(node).__slots__)
        object.__setattr__(node, "inside", tuple(_nodes(tuple(values))))
        return node.inside


def _nodes(value: tuple[object, ...]) -> Iterator[Node]:
    for item in value:
        if isinstance(item, Node):
            yield item
        elif type(item) is tuple:
            yield from _nodes(item)


def applied(function: str, *items: Node) -> Node:
    """A function of these: a × b and A ⊗ B are functions of the two."""
    at = items[0].at
    sign = Symbol(at, "function", function)
    return Group(at, "{", (Product(at, (("", sign), ("", Group(at, "(", items)))),))


def walk(node: Node) -> Iterator[Node]:
    """A node and all nodes inside it, in the order written."""
    try:
        below = node.below
    except AttributeError:
        todo, found = [*children(node)[::-1]], list[Node]()
        while todo:
            top = todo.pop()
            found.append(top)
            todo += children(top)[::-1]
        below = tuple(found)
        object.__setattr__(node, "below", below)
    return chain((node,), below)


def spelled(value: object) -> object:
    """The tree without positions, for comparing what is written; the letters of lists are one."""
    if not isinstance(value, Node):
        return tuple(map(spelled, value)) if isinstance(value, tuple) else value
    try:
        return value.spelled
    except AttributeError:
        object.__setattr__(value, "spelled", _spelled(value))
        return value.spelled


def _spelled(value: Node) -> object:
    if isinstance(value, Stack):
        body = renamed(value.body, value.letter.text, "")
        return "Stack", *map(spelled, (value.first, value.last, body, value.kind))
    if isinstance(value, Chain):
        return "Chain", *map(spelled, value.sides), *(r for r, _ in value.relations)
    return type(value).__name__, *(spelled(getattr(value, n)) for n in type(value).__slots__)


def mapped(node: Any, change: Callable[[Any], Any]) -> Any:
    """The node with the nodes directly inside of it changed; what stays the same is shared."""
    old = children(node)
    new = tuple(map(change, old))
    if all(map(is_, new, old)):
        return node
    put, kind = iter(new), type(node)
    return kind(node.at, *(_filled(getattr(node, n), put) for n in kind.__slots__))


def _filled(value: Any, put: Iterator[Any]) -> Any:
    """The value with what is next in place of every node; a closure were a cycle a node."""
    if type(value) is tuple:
        return tuple(_filled(x, put) for x in value)
    return next(put) if isinstance(value, Node) else value


def rebuilt(node: Any, change: Callable[[Any], Any]) -> Any:
    """The tree with every node changed, those inside of it first; what stays the same is shared."""
    return change(mapped(node, lambda n: rebuilt(n, change)))


def replaced(node: Any, change: Callable[[Any], Any]) -> Any:
    """The tree with every node changed that nothing around it has changed."""
    new = change(node)
    return mapped(node, lambda n: replaced(n, change)) if new is node else new


def renamed(value: Any, old: str, new: str) -> Any:
    """The tree with one name in place of another."""
    return rebuilt(value, lambda n: Name(n.at, new) if isinstance(n, Name) and n.text == old else n)


def factors(tree: Node) -> set[str]:
    """The letters that are multiplied, divided or added in a statement."""
    found: set[str] = set()
    for node in walk(tree):
        if isinstance(node, Product | Addition):
            found |= {p.text for _, p in node.parts if isinstance(p, Name)}
        elif isinstance(node, Fraction):
            found |= {p.text for p in (node.top, node.bottom) if isinstance(p, Name)}
    return found


def listed(node: Node) -> tuple[Node, ...]:
    """What stands in brackets, which may be several things; bars and angles are no brackets."""
    plainly = isinstance(node, Group) and node.bracket in BRACKETS
    return node.items if plainly else (node,)  # type: ignore[attr-defined]


def is_equation(tree: Node | None) -> TypeGuard[Chain]:
    """True for a = b and a := b, however it goes on."""
    return isinstance(tree, Chain) and tree.relations[0][0] in EQUAL


def condition_of(node: Node) -> Chain | None:
    r"""x > 0 of 1_{x > 0} and \mathbf{1}_{x > 0}; None for anything else."""
    match node:
        case Scripted(base=Number(text="1") | Symbol(kind="ones"), scripts=(("_", below),)):
            while isinstance(below, Group) and len(below.items) == 1:
                (below,) = below.items
            return below if isinstance(below, Chain) else None
    return None


def is_nabla(node: Node) -> bool:
    """True for ∇, with or without scripts."""
    sign = sign_of(node)
    return sign is not None and sign.kind == "nabla"


def base_of(node: Node) -> Node:
    """The x of x_i^2; any other node as it is."""
    return node.base if isinstance(node, Scripted) else node


def sign_of(node: Node) -> Symbol | None:
    """The sign that a factor is, with or without scripts."""
    node = base_of(node)
    return node if isinstance(node, Symbol) else None


def dimensions(node: Node) -> list[Node]:
    """The sizes in ℝ^{n×d}; none in ℝ, ℝ^+ and ℝ_{>0}."""
    scripts = node.scripts if isinstance(node, Scripted) else ()
    script = next((s for sign, s in scripts if sign == "^"), None)
    if script is None or (
        isinstance(script, Symbol) and script.kind in ("operator", "star", "dagger")
    ):
        return []
    return lengths(script)


def lengths(script: Node) -> list[Node]:
    """The sizes in n × d."""
    match script:
        case Product() if any(op == "·" for op, _ in script.parts):
            groups: list[list[tuple[str, Node]]] = []
            for op, part in script.parts:
                if op == "·" or not groups:
                    groups.append([])
                groups[-1].append(("", part))
            sizes = [g[0][1] if len(g) == 1 else Product(g[0][1].at, tuple(g)) for g in groups]
            column = len(sizes) == 2 and sizes[1] == Number(sizes[1].at, "1")
            return sizes[:1] if column else sizes  # n × 1 is a vector
        case Group(bracket="{"):
            return list(script.items)
    return [script]
