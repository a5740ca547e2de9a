r"""Functions of names that stay the same: with L(w) = …, and L and ∂L/∂w elsewhere, L(w) is L.

`Names.arguments` keeps what each is a function of, so that ∇L is by w.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from .. import primitives
from .applications import application, calls, whole
from .names import DISTRIBUTIONS, PARAMETERS, Names, atoms, base_name, is_letter, unmarked
from .tree import (
    Accent,
    Name,
    Node,
    Product,
    Scripted,
    Symbol,
    base_of,
    is_equation,
    is_nabla,
    mapped,
    spelled,
    walk,
)


def gather(trees: Iterable[Node], names: Names) -> None:
    """Enter the functions that are defined and always have the same plain arguments."""
    trees = list(trees)
    names.of_numbers = _of_numbers(trees)
    defined: dict[str, tuple[Node, ...]] = {}
    places: dict[str, int] = {}
    own: set[tuple[str, str]] = set()
    for tree in trees:
        if is_equation(tree):
            found = _call(tree.sides[0])
            if found is not None and not unmarked(found[0])[1]:
                defined.setdefault(*found)
                places.setdefault(found[0], tree.at)
                call = whole(tree.sides[0])
                own.add(_labelled(call.name) if call is not None else ("", ""))
    if not defined:
        return
    names.labelled_functions = {(base, x) for base, x in own if x and (base, "") in own}
    every = [(unmarked(name)[0], given, tree.at) for tree in trees for name, given in uses(tree)]
    pairs = [(name, given) for name, given, _ in every]
    alone = {n for n, given, at in every if given is None and at >= places.get(n, 0)}
    indices = {a.text for tree in trees for a in _below(tree) if isinstance(a, Name)}
    written = [n for tree in trees for n in walk(tree) if isinstance(n, Name)]
    bold, light = ({n.text for n in written if (n.style == "bold") is b} for b in (True, False))
    for name, given in defined.items():
        if name in bold & light:  # m(x) beside a vector that is bold
            continue
        same = all(g is None or spelled(g) == spelled(given) for n, g in pairs if n == name)
        letters = indices - PARAMETERS  # the θ of π_θ is a label
        numbered = any(isinstance(a, Name) and a.text in letters for a in given)
        if name in alone and same and not numbered:
            names.arguments[name] = given


def without(tree: Any, names: Names) -> Any:
    """The tree with L in place of L(w)."""
    match tree:
        case Product() if names.arguments:
            parts: list[tuple[str, Node]] = []
            k = 0
            while k < len(tree.parts):
                op, part = tree.parts[k]
                call = application(tree.parts, k)
                known = call is not None and _stem(call.name) in names.arguments
                if call is not None and known and not _is_another(call.name, names):
                    part = Scripted(part.at, part, call.scripts) if call.scripts else part
                    k = call.after - 1
                parts.append((op, without(part, names)))
                k += 1
            return parts[0][1] if len(parts) == 1 else Product(tree.at, tuple(parts))
        case Node() if names.arguments:
            return mapped(tree, lambda n: without(n, names))
    return tree


def _call(side: Node) -> tuple[str, tuple[Node, ...]] | None:
    """The name and the arguments of L(w), where these are names and no more."""
    call = whole(side)
    if call is None or call.scripts:
        return None
    name, items = called(call.name), call.items + call.given
    if name is None or name in primitives.names() or not all(map(_plain, items)):
        return None
    if call.given and name.split("_")[0] in DISTRIBUTIONS:
        return None
    return name, items


def called(node: Node) -> str | None:
    r"""The name of a function: a base, or one with a label below, D_{KL}; None for x_i."""
    if (name := base_name(node)) is not None or not isinstance(node, Scripted):
        return name
    match node.scripts:
        case (("_", below),):
            label = [a for part in atoms(below) for a in atoms(part)]
            words = [a.text for a in label if isinstance(a, Name)]
            stem = base_name(node.base)
            apart = all(len(w) > 1 or w.isupper() for w in words)
            indexed = len(words) == len(label) and all(map(is_letter, label))
            if stem and indexed and not {*words} & PARAMETERS:
                return stem
            return f"{stem}_{''.join(words)}" if stem and words and apart else None
    return None


def _stem(node: Node) -> str:
    return unmarked(called(node) or "")[0]


def _is_another(name: Node, names: Names) -> bool:
    """The ω_d(k) of a text that gives ω(k) as well."""
    return _labelled(name) in names.labelled_functions


def _labelled(name: Node) -> tuple[str, str]:
    """ω and d of ω_d and of its slope ω_d', ω and nothing of ω."""
    base, letter = base_of(name), ""
    match name:
        case Scripted(scripts=(("_", Name() as below), *_)):
            letter = below.text
    return unmarked(base_name(base) or "")[0].rstrip("'"), letter


def _plain(node: Node) -> bool:
    inner = base_of(node)
    return base_name(inner) is not None


def uses(tree: Node) -> Iterator[tuple[str, tuple[Node, ...] | None]]:
    """Every name with its arguments, or with none where it stands alone or behind ∇."""
    inside: set[int] = set()
    for product, k, call in calls(tree):
        name = called(call.name)
        if name is None or not call.items:
            continue
        inside |= {id(n) for n in walk(call.name)}
        yield name, call.items + call.given
        if k and is_nabla(product.parts[k - 1][1]):
            yield name, None
    for node in walk(tree):
        if isinstance(node, Name | Accent | Scripted) and id(node) not in inside:
            name = called(node)
            if name is not None:
                yield name, None


def _of_numbers(trees: Iterable[Node]) -> set[tuple[str, int]]:
    """Functions and the places of their arguments that are numbers, no indices: R, 0 of R(m)."""
    bodies = [(*call, tree.sides[1:]) for tree in trees if is_equation(tree)
              if (call := _call(tree.sides[0])) is not None]  # fmt: skip
    found = set[tuple[str, int]]()
    while True:  # q(m) = r(m) + 1, where r(m) = cos m θ
        more = {
            (name, k)
            for name, given, sides in bodies
            for k, a in enumerate(given)
            if isinstance(a, Name) and a.text in _numbers(sides, found)
        }
        if more <= found:
            return found
        found |= more


def _numbers(sides: Iterable[Node], known: set[tuple[str, int]]) -> set[str]:
    """The letters that stand by themselves, as the m of cos m, and below or above nothing.

    Where a sum ends and what another name is given, the i of N(i), says nothing of a letter.
    """
    stand, below = set[str](), set[str]()
    for side in sides:
        silent = {id(n) for _, _, call in calls(side) for k, a in enumerate(call.items)
                  if (called(call.name), k) not in known for n in walk(a)}  # fmt: skip
        for node in walk(side):
            if isinstance(node, Scripted):
                inner = [n for _, script in node.scripts for n in walk(script)]
                if isinstance(node.base, Symbol):
                    silent |= {id(n) for n in inner}
                elif node.base != Name(node.base.at, "e"):  # the m of e^{i m θ}
                    below |= {n.text for n in inner if isinstance(n, Name)}
        stand |= {n.text for n in walk(side) if isinstance(n, Name) and id(n) not in silent}
    return stand - below


def _below(tree: Node) -> Iterator[Node]:
    """Everything that stands in a script, but for what a ∇ is by."""
    for node in walk(tree):
        if isinstance(node, Scripted) and not isinstance(node.base, Symbol):
            yield from (a for _, script in node.scripts for a in atoms(script))


__all__ = ["gather", "uses", "without"]
