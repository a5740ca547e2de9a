"""Expressions as plain JSON, as certificates have them, and back.

number  "3/2"                     ["add", t, …]  ["mul", t, …]  ["pow", t, "1/2"]
tensor  ["ref", "A", [slot, …]]   ["d", of, wrt]: ∂of/∂wrt, not evaluated
scopes  ["sum", [["@j", size]], t]  ["max", [["@j", size]], [t, …]]
        ["argmax", [slot, …], [["@j", size]], t]
others  ["call", "exp", t, …]  ["unknown", "f", [order, …], [t, …]]  ["mask", slot]
        ["delta", slot, slot]  ["delta", slot, slot, size], modulo the size
slot    "@i"                      ["affine", [["@i", "1"], …], constant]
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import count
from typing import Any, TypeAlias

import sympy as sp

from . import maxima
from . import normalize as nf
from .canonical import key
from .derive import partial, split_partial
from .ir import (
    OPENED,
    USER,
    Argmax,
    Call,
    Delta,
    Index,
    Mask,
    Max,
    Num,
    Poly,
    Rational,
    Ref,
    Slot,
    Sum,
    Tensor,
    Term,
    Unknown,
    affine,
    number,
    rational,
    scalar,
    slot_items,
)

Tree: TypeAlias = Any
Path: TypeAlias = "tuple[int, ...]"
Names: TypeAlias = Mapping[Index, str]
Scope: TypeAlias = Mapping[str, Index]
Child: TypeAlias = Callable[[Path, Scope], Poly]

BINDERS = ("sum", "max", "argmax")


# ----------------------------------------------------------------------------------- IR → JSON


def written(node: Any, names: Names) -> Tree:
    """The tree of an expression, `names` saying how its free letters are called."""
    match node:
        case Poly():
            terms = sorted(node, key=lambda pair: key(pair[0]))
            return collected("add", [product_tree(term, c, names) for term, c in terms], "0")
        case Ref() if node.tensor.parts:
            return ["d", *(written(side, names) for side in split_partial(node))]
        case Ref():
            return ["ref", node.tensor.name, [slot_tree(s, names) for s in node.slots]]
        case Delta():
            sizes = [size_tree(s.size) for s in (node.a, node.b) if isinstance(s, Index)]
            sides = [slot_tree(s, names) for s in (node.a, node.b)]
            return ["delta", *sides, *(sizes if len(sizes) == 1 else ())]
        case Mask():
            return ["mask", slot_tree(node.slot, names)]
        case Call(name=Unknown() as f):
            orders, args = [str(k) for k in f.orders], [written(a, names) for a in node.args]
            return ["unknown", f.name, orders, args]
        case Call():
            return ["call", node.name, *(written(a, names) for a in node.args)]
        case Num():
            return str(node.prime)
        case Sum() | Max() | Argmax():
            inner = with_letters(node.bound, names)
            pairs = [[inner[b], size_tree(b.size)] for b in node.bound]
            if isinstance(node, Max):
                return ["max", pairs, [written(a, inner) for a in sorted(node.args, key=key)]]
            slots = [[slot_tree(s, names) for s in node.at]] if isinstance(node, Argmax) else []
            return [type(node).__name__.lower(), *slots, pairs, written(node.body, inner)]
    raise AssertionError(node)


def product_tree(term: Term, c: Rational, names: Names) -> Tree:
    """The tree of c times a product."""
    factors = [
        written(a, names) if e == 1 else ["pow", written(a, names), str(Fraction(e))]
        for a, e in sorted(term, key=lambda pair: key(pair[0]))
    ]
    return collected("mul", [str(Fraction(c))] * (c != 1) + factors, "1")


def collected(tag: str, items: list[Tree], empty: str) -> Tree:
    """A sum or a product of the items, without brackets around one."""
    return [tag, *items] if len(items) > 1 else items[0] if items else empty


def with_letters(bound: Sequence[Index], names: Names) -> dict[Index, str]:
    """The names, with some for bound letters that nothing in scope has."""
    inner = dict(names)
    for b in bound:
        taken = set(inner.values())
        wanted = [f"@{b.name}"] if b.level == USER else []
        numbered = (f"@{k}" for k in count(1))
        inner[b] = next(n for source in (wanted, numbered) for n in source if n not in taken)
    return inner


def slot_tree(slot: Slot, names: Names) -> Tree:
    """A letter, or an affine index."""
    if isinstance(slot, Index):
        return names[slot]
    items, const = slot_items(slot)
    return ["affine", [[names[i], str(c)] for i, c in items.items()], size_tree(const)]


def size_tree(size: sp.Expr) -> Tree:
    """A size as a tree."""
    if size.is_Rational:
        return str(Fraction(int(size.p), int(size.q)))
    if size.is_Symbol:
        return ["ref", size.name, []]
    if size.is_Pow:
        return ["pow", size_tree(size.base), size_tree(size.exp)]
    ordered = sorted(size.args, key=sp.default_sort_key)
    return ["add" if size.is_Add else "mul", *map(size_tree, ordered)]


# ----------------------------------------------------------------------------------- JSON → IR


class Builder:
    """Normal forms of trees, made by the engine."""

    def __init__(self) -> None:
        self.tensors: dict[str, Tensor] = {}
        self._fresh = count(10_000)
        self._letters: dict[Any, Index] = {}

    def entered(self, pairs: Tree, scope: Scope) -> Scope:
        """The scope with letters of its own for these binders, the same ones each time."""
        for x, size in pairs:
            if (place := (x, repr(size), scope.get(x))) not in self._letters:
                new = Index(str(next(self._fresh)), self.size(size), OPENED)
                self._letters[place] = new
            scope = {**scope, x: self._letters[place]}
        return scope

    def size(self, tree: Tree) -> sp.Expr:
        """A size from its tree."""
        match tree:
            case str():
                return sp.Rational(tree)
            case ["ref", name, _]:
                return sp.Symbol(name, integer=True, positive=True)
            case ["pow", base, e]:
                return self.size(base) ** sp.Rational(e)
            case ["add", *items]:
                return sp.Add(*map(self.size, items))
        return sp.Mul(*map(self.size, tree[1:]))

    def slot(self, tree: Tree, scope: Scope) -> Slot:
        """A slot from its tree."""
        if isinstance(tree, str):
            return scope[tree]
        return affine({scope[x]: int(c) for x, c in tree[1]}, self.size(tree[2]))

    def ref(self, tree: Tree, scope: Scope) -> Ref:
        """A component or an unevaluated derivative from its tree."""
        if tree[0] == "d":
            of, wrt = (self.ref(side, scope) for side in tree[1:])
            return partial(of, wrt)
        tensor = self.tensors.get(tree[1]) or scalar(self.size(tree)).tensor
        return Ref(tensor, [self.slot(s, scope) for s in tree[2]])

    def build(self, tree: Tree, scope: Scope) -> Poly:
        """The normal form of a tree."""
        return self.made(tree, scope, lambda path, within: self.build(at(tree, path), within))

    def made(self, tree: Tree, scope: Scope, child: Child) -> Poly:
        """A node from the normal forms of its parts, which `child` gives by path and scope."""
        places = list(self.parts(tree, scope))
        values = [child(path, within) for path, within in places]
        if isinstance(tree, list) and tree[0] in BINDERS:
            within = places[0][1]
            return self.bound(tree, [within[x] for x, _ in tree[-2]], values, scope)
        match tree:
            case str():
                return number(rational(Fraction(tree)))
            case ["add", *_]:
                return nf.add(*values)
            case ["mul", *_]:
                return nf.multiply(*values)
            case ["pow", _, e]:
                return nf.power(values[0], rational(Fraction(e)))
            case ["ref" | "d", *_]:
                r = self.ref(tree, scope)
                return nf.ref(r.tensor, r.slots)
            case ["delta", a, b, *size]:
                sides = self.slot(a, scope), self.slot(b, scope)
                return nf.congruent(*sides, self.size(size[0])) if size else nf.delta(*sides)
            case ["mask", slot]:
                return nf.mask(self.slot(slot, scope))
            case ["call", name, *_]:
                return nf.call(name, values)
            case ["unknown", name, orders, _]:
                return nf.call(Unknown(name, tuple(map(int, orders))), values)
        raise AssertionError(tree)

    def bound(self, tree: Tree, bound: list[Index], values: list[Poly], scope: Scope) -> Poly:
        """A Σ, a maximum or an indicator over letters."""
        if tree[0] == "sum":
            return nf.sum_over(bound, values[0])
        if tree[0] == "max":
            return maxima.largest(bound, values)
        return maxima.indicator([self.slot(s, scope) for s in tree[1]], bound, values[0])

    def parts(self, tree: Tree, scope: Scope) -> Iterator[tuple[Path, Scope]]:
        """Where the parts of a node stand, each with its scope."""
        match tree:
            case ["add" | "mul", *items]:
                yield from (((k + 1,), scope) for k in range(len(items)))
            case ["pow", *_]:
                yield (1,), scope
            case ["call", _, *items]:
                yield from (((k + 2,), scope) for k in range(len(items)))
            case ["unknown", _, _, args]:
                yield from (((3, k), scope) for k in range(len(args)))
            case ["max", pairs, args]:
                within = self.entered(pairs, scope)
                yield from (((2, k), within) for k in range(len(args)))
            case ["sum" | "argmax", *_, pairs, _]:
                yield (len(tree) - 1,), self.entered(pairs, scope)


# ----------------------------------------------------------------------------------------- trees


def placed(tree: Tree, slots: Mapping[str, Tree], taken: Iterable[str]) -> Tree:
    """The tree with slots in place of letters; its bound letters are none of those taken."""
    if isinstance(tree, str):
        return slots.get(tree, tree)
    if tree and tree[0] == "affine":
        items: dict[str, int] = {}
        const = tree[2]
        for x, c in tree[1]:
            slot = slots.get(x, x)
            single = isinstance(slot, str)
            for y, d in [[slot, "1"]] if single else slot[1]:
                items[y] = items.get(y, 0) + int(c) * int(d)
            if not single and slot[2] != "0":
                const = ["add", const, ["mul", c, slot[2]]]
        return ["affine", [[x, str(c)] for x, c in items.items() if c], const]
    if tree and tree[0] in BINDERS:
        *head, pairs, body = tree
        names, avoid = dict(slots), {*taken}
        for x, _ in pairs:
            fine = x not in avoid and x.startswith("@")
            names[x] = x if fine else next(n for n in map("@{}".format, count(1)) if n not in avoid)
            avoid.add(names[x])
        new = [[names[x], size] for x, size in pairs]
        return [*(placed(t, slots, taken) for t in head), new, placed(body, names, avoid)]
    return [placed(t, slots, taken) for t in tree]


def nameless(tree: Tree, bound: tuple[str, ...] = ()) -> Tree:
    """The tree with its bound letters numbered from the inside out."""
    if isinstance(tree, str):
        return bound.index(tree) if tree in bound else tree
    if tree and tree[0] in BINDERS:
        *head, pairs, body = tree
        letters = (*(letter for letter, _ in pairs), *bound)
        sizes = [size for _, size in pairs]
        return [*(nameless(x, bound) for x in head), sizes, nameless(body, letters)]
    if tree and tree[0] == "affine":
        items = sorted(([nameless(x, bound), c] for x, c in tree[1]), key=str)
        return ["affine", items, tree[2]]
    return [nameless(x, bound) for x in tree]


def expanded(tree: Tree, taken: set[str]) -> Tree:
    """The tree with the slots of every ["let", [[letter, size, slot], …], body] put in."""
    if isinstance(tree, str):
        return tree
    if tree[:1] == ["let"]:
        slots = {x: slot for x, _, slot in tree[1]}
        return placed(expanded(tree[2], taken), slots, taken)
    return [expanded(t, taken) for t in tree]


def pruned(tree: Tree) -> Tree:
    """The tree without factors and terms that are written as 0."""
    match tree:
        case ["mul" | "add", *parts]:
            found = [pruned(t) for t in parts]
            if tree[0] == "mul":
                return "0" if "0" in found else ["mul", *found]
            return collected("add", [t for t in found if t != "0"], "0")
        case ["sum", pairs, body]:
            inside = pruned(body)
            return "0" if inside == "0" else ["sum", pairs, inside]
    return tree


def at(tree: Tree, path: Sequence[int]) -> Tree:
    """The part of a tree at a path."""
    for k in path:
        tree = tree[k]
    return tree


def replaced(tree: Tree, path: Sequence[int], part: Tree) -> Tree:
    """The tree with another part at a path."""
    if not path:
        return part
    return [replaced(x, path[1:], part) if n == path[0] else x for n, x in enumerate(tree)]


def scalars(tree: Tree) -> Iterator[str]:
    """The names without slots in a tree."""
    for part in tree.values() if isinstance(tree, dict) else tree:
        if isinstance(part, dict | list):
            yield from scalars(part)
    if isinstance(tree, list) and tree[:1] == ["ref"] and not tree[2]:
        yield tree[1]


def calls(tree: Tree) -> set[str]:
    """The scalar functions in a tree."""
    parts = tree.values() if isinstance(tree, dict) else tree
    found = {tree[1]} if isinstance(tree, list) and tree[:1] == ["call"] else set[str]()
    return found.union(*(calls(part) for part in parts if isinstance(part, dict | list)))


__all__ = ["Builder", "at", "nameless", "replaced", "scalars", "written"]
