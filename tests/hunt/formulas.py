"""The hunter's own syntax: numbers, components, sums, functions, masks; cases made of them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import Any


@dataclass(frozen=True)
class Size:
    """A length: Σ coefficient · name + constant."""

    parts: tuple[tuple[str, int], ...] = ()
    const: int = 0

    def value(self, sizes: Mapping[str, int]) -> int:
        return sum(c * sizes[name] for name, c in self.parts) + self.const

    def __str__(self) -> str:
        text = " + ".join(name if c == 1 else f"{c}*{name}" for name, c in self.parts)
        if not self.parts:
            return str(self.const)
        return text if not self.const else f"{text} {'+-'[self.const < 0]} {abs(self.const)}"


def size(name: str) -> Size:
    return Size(((name, 1),))


@dataclass(frozen=True)
class Letter:
    """An index letter and its range 0 … size − 1."""

    name: str
    size: Size


Scope = tuple[Letter, ...]


@dataclass(frozen=True)
class Slot:
    """An affine index Σ coefficient · letter + constant."""

    parts: tuple[tuple[Letter, int], ...] = ()
    const: Size = Size()

    @property
    def plain(self) -> Letter | None:
        """The letter where the slot is nothing else."""
        only = len(self.parts) == 1 and self.parts[0][1] == 1 and self.const == Size()
        return self.parts[0][0] if only else None


def at(letter: Letter) -> Slot:
    return Slot(((letter, 1),))


class Node:
    """Anything with a value."""


@dataclass(frozen=True)
class Num(Node):
    value: Fraction


@dataclass(frozen=True)
class Length(Node):
    """A size as a number."""

    size: Size


@dataclass(frozen=True)
class Ref(Node):
    """A component of an input or of a definition; without slots a scalar."""

    name: str
    slots: tuple[Slot, ...] = ()


@dataclass(frozen=True)
class Add(Node):
    args: tuple[Node, ...]


@dataclass(frozen=True)
class Mul(Node):
    args: tuple[Node, ...]


@dataclass(frozen=True)
class Pow(Node):
    base: Node
    exponent: Fraction


@dataclass(frozen=True)
class Sum(Node):
    letters: tuple[Letter, ...]
    body: Node


@dataclass(frozen=True)
class Fun(Node):
    name: str
    arg: Node


@dataclass(frozen=True)
class Largest(Node):
    """max(a, b, …)."""

    args: tuple[Node, ...]


@dataclass(frozen=True)
class MaxOver(Node):
    letters: tuple[Letter, ...]
    body: Node


@dataclass(frozen=True)
class Winner(Node):
    """[slot = argmax over the letter of the body]."""

    slot: Slot
    letter: Letter
    body: Node


@dataclass(frozen=True)
class Delta(Node):
    """δ of two indices, as integers or modulo the length of an axis."""

    a: Slot
    b: Slot
    modulo: Size | None = None


@dataclass(frozen=True)
class Mask(Node):
    """[a op b] with op one of <= < == !=."""

    op: str
    a: Slot
    b: Slot


@dataclass(frozen=True)
class Compare(Node):
    """[a op b] of two values with op one of > >= < <= =."""

    op: str
    a: Node
    b: Node


@dataclass(frozen=True)
class Position(Node):
    """An index as a number, counted from 0."""

    slot: Slot


@dataclass(frozen=True)
class Inverse(Node):
    """A component of the inverse of a named matrix."""

    name: str
    row: Slot
    column: Slot


@dataclass(frozen=True)
class OfMatrix(Node):
    """A number made of a named matrix: logdet, det or trace."""

    kind: str
    name: str


@dataclass(frozen=True)
class Slope(Node):
    """The derivative of the abstract loss by a component."""

    name: str
    slots: tuple[Slot, ...] = ()


ZERO, ONE = Num(Fraction(0)), Num(Fraction(1))


def number(value: int | Fraction) -> Num:
    return Num(Fraction(value))


def add(*args: Node) -> Node:
    flat = [b for a in args for b in (a.args if isinstance(a, Add) else (a,))]
    return flat[0] if len(flat) == 1 else Add(tuple(flat)) if flat else ZERO


def mul(*args: Node) -> Node:
    flat = [b for a in args for b in (a.args if isinstance(a, Mul) else (a,)) if b != ONE]
    return flat[0] if len(flat) == 1 else Mul(tuple(flat)) if flat else ONE


def neg(node: Node) -> Node:
    return mul(number(-1), node)


def sub(a: Node, b: Node) -> Node:
    return add(a, neg(b))


def power(base: Node, exponent: int | Fraction) -> Node:
    return base if exponent == 1 else Pow(base, Fraction(exponent))


def over(a: Node, b: Node) -> Node:
    return mul(a, power(b, -1))


def total(body: Node, *letters: Letter) -> Node:
    return Sum(tuple(letters), body) if letters else body


def ref(name: str, *letters: Letter) -> Ref:
    return Ref(name, tuple(map(at, letters)))


# ------------------------------------------------------------------------------------- traversal


def children(node: Node) -> tuple[Node, ...]:
    match node:
        case Add(args) | Mul(args) | Largest(args):
            return args
        case Pow(base, _):
            return (base,)
        case Sum(_, body) | MaxOver(_, body) | Winner(_, _, body):
            return (body,)
        case Fun(_, arg):
            return (arg,)
        case Compare(_, a, b):
            return (a, b)
    return ()


def with_children(node: Node, parts: tuple[Node, ...]) -> Node:
    match node:
        case Add() | Mul() | Largest():
            return replace(node, args=parts)
        case Pow(_, e):
            return Pow(parts[0], e)
        case Sum() | MaxOver() | Winner():
            return replace(node, body=parts[0])
        case Fun(name, _):
            return Fun(name, parts[0])
        case Compare(op, _, _):
            return Compare(op, *parts)
    return node


def bound_here(node: Node) -> tuple[Letter, ...]:
    match node:
        case Sum(letters, _) | MaxOver(letters, _):
            return letters
        case Winner(_, letter, _):
            return (letter,)
    return ()


def slots_of(node: Node) -> tuple[Slot, ...]:
    """The slots of the node itself."""
    match node:
        case Ref(_, slots) | Slope(_, slots):
            return slots
        case Delta(a, b, _) | Mask(_, a, b):
            return (a, b)
        case Inverse(_, row, column):
            return (row, column)
        case Winner(slot, _, _) | Position(slot):
            return (slot,)
    return ()


def with_slots(node: Node, slots: tuple[Slot, ...]) -> Node:
    match node:
        case Ref() | Slope():
            return replace(node, slots=slots)
        case Delta() | Mask():
            return replace(node, a=slots[0], b=slots[1])
        case Inverse():
            return replace(node, row=slots[0], column=slots[1])
        case Winner() | Position():
            return replace(node, slot=slots[0])
    return node


def free(node: Node) -> frozenset[Letter]:
    """The letters that nothing in the node binds."""
    own = {letter for slot in slots_of(node) for letter, _ in slot.parts}
    inside = {letter for child in children(node) for letter in free(child)}
    return frozenset(own | (inside - set(bound_here(node))))


def letters_in(node: Node) -> frozenset[str]:
    """The names of all letters, free and bound."""
    own = {letter.name for slot in slots_of(node) for letter, _ in slot.parts}
    own |= {letter.name for letter in bound_here(node)}
    return frozenset(own.union(*map(letters_in, children(node))))


def names_in(node: Node) -> frozenset[str]:
    """The names of the tensors, inputs and definitions."""
    own = {node.name} if isinstance(node, Ref | Inverse | OfMatrix | Slope) else set()
    return frozenset(own.union(*map(names_in, children(node))))


def kinds_in(node: Node) -> frozenset[type]:
    return frozenset({type(node)}.union(*map(kinds_in, children(node))))


def count(node: Node) -> int:
    return 1 + sum(map(count, children(node)))


Place = tuple[int, ...]


def places(node: Node, scope: tuple[Letter, ...] = ()) -> Iterator[tuple[Place, Node, tuple]]:
    """Every node with the way to it and the letters that may stand there."""
    yield (), node, scope
    inner = (*scope, *bound_here(node))
    for k, child in enumerate(children(node)):
        for place, found, inside in places(child, inner):
            yield (k, *place), found, inside


def replaced(node: Node, place: Place, new: Node) -> Node:
    """The formula with another node at a place."""
    if not place:
        return new
    parts = list(children(node))
    parts[place[0]] = replaced(parts[place[0]], place[1:], new)
    rebuilt = with_children(node, tuple(parts))
    if isinstance(rebuilt, Add | Mul):  # flat, as SymPy has it
        return (add if isinstance(rebuilt, Add) else mul)(*rebuilt.args)
    return rebuilt


def substitute(node: Node, to: Mapping[Letter, Slot], fresh: Callable[[Letter, frozenset], Letter]):
    """The node with slots in place of free letters; bound letters in the way are renamed."""
    to = {k: v for k, v in to.items() if k in free(node)}
    if not to:
        return node
    bound = bound_here(node)
    if bound:
        coming = {letter.name for slot in to.values() for letter, _ in slot.parts}
        renamed = {}
        for letter in bound:
            if letter.name in coming:
                taken = frozenset(coming | letters_in(node))
                renamed[letter] = fresh(letter, taken | {r.name for r in renamed.values()})
        if renamed:
            node = rename(node, renamed, fresh)
    slots = tuple(put(slot, to) for slot in slots_of(node))
    node = with_slots(node, slots) if slots else node
    inner = {k: v for k, v in to.items() if k not in bound_here(node)}
    parts = tuple(substitute(child, inner, fresh) for child in children(node))
    return with_children(node, parts) if parts else node


def rename(node: Node, renamed: Mapping[Letter, Letter], fresh: Any) -> Node:
    """The node with other letters for those that it binds itself."""
    inner = {old: at(new) for old, new in renamed.items()}
    parts = tuple(substitute(child, inner, fresh) for child in children(node))
    letters = tuple(renamed.get(letter, letter) for letter in bound_here(node))
    node = with_children(node, parts)
    return (
        replace(node, letter=letters[0])
        if isinstance(node, Winner)
        else replace(node, letters=letters)
    )


def put(slot: Slot, to: Mapping[Letter, Slot]) -> Slot:
    """An affine index with affine indices in place of letters."""
    items: dict[Letter, int] = {}
    const: dict[str, int] = {}
    offset = 0

    def take(part: Slot, factor: int) -> None:
        nonlocal offset
        for letter, c in part.parts:
            items[letter] = items.get(letter, 0) + factor * c
        for name, c in part.const.parts:
            const[name] = const.get(name, 0) + factor * c
        offset += factor * part.const.const

    for letter, c in slot.parts:
        take(to.get(letter, at(letter)), c)
    take(Slot((), slot.const), 1)
    return Slot(
        tuple((k, c) for k, c in items.items() if c),
        Size(tuple(sorted((k, c) for k, c in const.items() if c)), offset),
    )


# ----------------------------------------------------------------------------------------- cases


@dataclass(frozen=True)
class Tensor:
    """An input: its shape, and what is declared of it."""

    name: str
    shape: tuple[Size, ...] = ()
    positive: bool = False
    symmetry: str = ""
    definite: bool = False  # drawn positive definite
    regular: bool = False  # drawn far from singular


@dataclass(frozen=True)
class Def:
    """name[letters] = body."""

    name: str
    letters: tuple[Letter, ...]
    body: Node


@dataclass(frozen=True)
class Fact:
    """left = right, and the name of the way to draw values that satisfy it."""

    left: Node
    right: Node
    draw: str
    tensors: tuple[str, ...]


RESULT = "result"  # the name under which a derived Jacobian stands in a statement


@dataclass(frozen=True)
class Case:
    """A system: inputs, definitions in order, facts."""

    inputs: Mapping[str, Tensor]
    defs: tuple[Def, ...] = ()
    facts: tuple[Fact, ...] = ()
    loss: str = ""  # the output of which an abstract loss is a function
    result: tuple[str, str] = ("", "")  # of, wrt: the left side is a Jacobian that is derived
    implicit: bool = False  # handed over without the Σ of letters that are repeated

    def shape(self, name: str) -> tuple[Size, ...]:
        if name == RESULT:
            return tuple(s for part in self.result for s in self.shape(part))
        for d in self.defs:
            if d.name == name:
                return tuple(letter.size for letter in d.letters)
        return self.inputs[name].shape

    def definition(self, name: str) -> Def | None:
        return next((d for d in self.defs if d.name == name), None)

    def used(self, *nodes: Node) -> Case:
        """What the formulas, the facts and the loss need of the case, and nothing else."""
        need = set().union(*map(names_in, nodes), {self.loss, *self.result} - {""})
        for fact in self.facts:
            need |= names_in(fact.left) | names_in(fact.right)
        kept = []
        for d in reversed(self.defs):
            if d.name in need:
                kept.append(d)
                need |= names_in(d.body)
        inputs = {n: t for n, t in self.inputs.items() if n in need}
        return replace(self, inputs=inputs, defs=tuple(reversed(kept)))


def renamed_node(node: Node, new: Mapping[str, str]) -> Node:
    """The formula with other names for tensors."""
    if isinstance(node, Ref | Inverse | OfMatrix | Slope) and node.name in new:
        node = replace(node, name=new[node.name])
    parts = tuple(renamed_node(c, new) for c in children(node))
    return with_children(node, parts) if parts else node


def renamed_case(case: Case, new: Mapping[str, str]) -> Case:
    """The case with other names for inputs and definitions."""

    def name(old: str) -> str:
        return new.get(old, old)

    return replace(
        case,
        inputs={name(n): replace(t, name=name(n)) for n, t in case.inputs.items()},
        defs=tuple(
            replace(d, name=name(d.name), body=renamed_node(d.body, new)) for d in case.defs
        ),
        facts=tuple(
            Fact(
                renamed_node(f.left, new),
                renamed_node(f.right, new),
                f.draw,
                tuple(map(name, f.tensors)),
            )
            for f in case.facts
        ),
        loss=name(case.loss),
        result=(name(case.result[0]), name(case.result[1])),
    )


@dataclass(frozen=True)
class Statement:
    """left = right for all values of the letters, in a case."""

    case: Case
    letters: tuple[Letter, ...]
    left: Node
    right: Node
    how: tuple[str, ...] = field(default=(), compare=False)


__all__ = [name for name in dir() if not name.startswith("_") and name not in {"fields"}]
