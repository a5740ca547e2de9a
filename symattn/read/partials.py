r"""f_x and f_{xy} of an f(x, y) that the text defines: its derivatives by x, and by x and y.

The letters of its arguments count nothing anywhere in the text, and stand below nothing else but
what is made of the same arguments.  So too of an f = … of x and y where some f_{xx} stands.
∂_β is ∂/∂β where β is a name everywhere else.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from .applications import application, defined
from .names import atoms, base_name, is_letter, plain
from .tree import (
    EQUAL,
    Chain,
    Fraction,
    Group,
    Name,
    Node,
    Number,
    Product,
    Scripted,
    Symbol,
    children,
    mapped,
    spelled,
    walk,
)

MOST = 2  # derivatives


@dataclass(frozen=True)
class Functions:
    """Functions with their arguments, and those of them that are written without."""

    table: dict[str, tuple[Name, ...]]
    plain: frozenset[str]

    def __bool__(self) -> bool:
        return bool(self.table)


def gather(trees: Iterable[Node]) -> Functions:
    """The functions of two names or more, with these, of which derivatives are written below."""
    trees = list(trees)
    found: dict[str, tuple[Name, ...]] = {}
    again = set[str]()
    for tree in trees:
        call = defined(tree)
        name = base_name(call.name) if call is not None else None
        if call is None or name is None or call.given or call.scripts or len(call.items) < 2:
            continue
        items = tuple(x for x in call.items if isinstance(x, Name) and is_letter(x))
        if len(items) < len(call.items) or len({x.text for x in items}) < len(items):
            continue
        again |= {name} if found.get(name, items) != items else set()
        found.setdefault(name, items)
    found = {n: items for n, items in found.items() if n not in again}
    below = [pair for tree in trees for pair in _below(tree)]
    plainly = {n: own for n, own in _unwritten(trees, below).items() if n not in found}
    found |= plainly
    for name in sorted(found):
        own = {x.text for x in found[name]}
        other = {n for n, letters in below if letters & own and not letters <= own}
        for n, letters in below:
            given = _given(n, found)
            alike = letters <= given if plainly else own == given
            other |= {n} if letters & own and not alike else set()
        if other or not any(n == name and letters <= own for n, letters in below):
            del found[name]
    return Functions(found, frozenset(plainly))


def _unwritten(trees: list[Node], below: list[tuple[str, set[str]]]) -> dict[str, tuple[Name, ...]]:
    """The v = … of x and t of which v_t and v_{xx} stand below, with these."""
    twice = {n for tree in trees for n in _twice(tree)}
    rights: dict[str, list[Node]] = {}
    for tree in trees if twice else ():
        if isinstance(tree, Chain) and tree.relations[0][0] in EQUAL:
            left = tree.sides[0]
            if isinstance(left, Name):
                rights.setdefault(left.text, []).append(tree.sides[1])
    by = {x for n, letters in below if n in rights for x in letters}
    found = {}
    for name in sorted(rights.keys() & twice):
        own = {n.text: n for right in rights[name][:1] for n in plain_names(right) if n.text in by}
        if len(rights[name]) == 1 and own:
            found[name] = tuple(own[x] for x in sorted(own))
    return found


def _twice(tree: Node) -> Iterable[str]:
    """The v of v_{xx}."""
    for node in walk(tree):
        if isinstance(node, Scripted) and (name := base_name(node.base)):
            for mark, script in node.scripts:
                letters = [a.text for a in atoms(script) if isinstance(a, Name) and is_letter(a)]
                if mark == "_" and len(letters) == len(atoms(script)) > len({*letters}):
                    yield name


def plain_names(node: Node) -> Iterable[Name]:
    """The letters that stand in a formula as numbers."""
    if isinstance(node, Scripted):
        yield from plain_names(node.base)
        yield from (n for mark, s in node.scripts if mark == "^" for n in plain_names(s))
    elif isinstance(node, Name):
        yield from (node,) if is_letter(node) else ()
    else:
        for child in children(node):
            yield from plain_names(child)


def _given(name: str, found: dict[str, tuple[Name, ...]]) -> set[str]:
    return {x.text for x in found.get(name, ())}


def _below(tree: Node) -> Iterable[tuple[str, set[str]]]:
    """What stands below names and signs, Σ_x and X_u, but for ∂_x."""
    for node in walk(tree):
        if isinstance(node, Scripted) and _by(node) is None:
            for mark, script in node.scripts:
                letters = {n.text for n in walk(script) if is_letter(n)}
                if mark == "_" and letters:
                    yield base_name(node.base) or "", letters


def written_out(tree: Any, known: Functions) -> Any:
    """The tree with derivatives in place of f_x."""
    if not known or not isinstance(tree, Node):
        return tree
    return _within(tree, known)


def _within(node: Any, known: Functions) -> Any:
    if isinstance(node, Product):
        parts, k = list[tuple[str, Node]](), 0
        while k < len(node.parts):
            op, part = node.parts[k]
            made, call = _derivative(part, known), application(node.parts, k)
            if made is not None and call is not None:  # f_x(x, y)
                given = known.table[base_name(plain(part).base) or ""]  # type: ignore[attr-defined]
                same = spelled(call.items) == spelled(given) and not call.scripts
                made, k = (made, call.after - 1) if same else (None, k)
            parts.append((op, made if made is not None else _within(part, known)))
            k += 1
        return parts[0][1] if len(parts) == 1 else Product(node.at, tuple(parts))
    if isinstance(node, Node) and (made := _derivative(node, known)) is not None:
        return made
    return mapped(node, lambda n: _within(n, known))


def numbers(trees: Iterable[Node]) -> set[str]:
    """The letters below ∂ and ∇ that are names elsewhere in the text and nowhere an index."""
    below, plainly, scripts = set[str](), set[str](), set[str]()

    def look(node: Any) -> None:
        if isinstance(node, Scripted):
            by = _by(node)
            below.update({by.text} if by is not None else ())
            for mark, script in node.scripts if by is None else ():
                alone = isinstance(script, Name) or mark == "_"
                found = {n.text for n in walk(script) if is_letter(n)}
                (scripts if alone else plainly).update(found)
            look(node.base)
        elif isinstance(node, Name):
            plainly.update({node.text} if is_letter(node) else ())
        else:
            for child in children(node):
                look(child)

    for tree in trees:
        look(tree)
    return below & plainly - scripts


def _by(node: Scripted) -> Name | None:
    """The β of ∂_β and ∂_β^2, and of ∇_β."""
    match node:
        case Scripted(
            base=Symbol(kind="partial" | "nabla"), scripts=(("_", Name() as by), *rest)
        ) if is_letter(by) and all(mark == "^" and isinstance(s, Number) for mark, s in rest):
            return by
    return None


def _derivative(node: Node, known: Functions) -> Node | None:
    r"""\frac{∂² f(x, y)}{∂ x ∂ y} for f_{xy}, with what else it bears."""
    node = plain(node)
    name = base_name(node.base) if isinstance(node, Scripted) else None
    if not isinstance(node, Scripted) or name not in known.table or name is None:
        return None
    below = [a for mark, s in node.scripts if mark == "_" for a in atoms(s)]
    own = {x.text for x in known.table[name]}
    by = [a for a in below if isinstance(a, Name) and a.text in own]
    if not by or len(by) < len(below) or len(by) > MOST:
        return None
    call: list[Node] = [node.base]
    call += [] if name in known.plain else [Group(node.at, "(", known.table[name])]
    made = derivative(node.at, call, by)
    rest = tuple((mark, s) for mark, s in node.scripts if mark != "_")
    return Scripted(node.at, Group(node.at, "(", (made,)), rest) if rest else made


def derivative(at: int, of: list[Node], by: list[Name]) -> Node:
    r"""\frac{∂² f(x, y)}{∂ x ∂ y} of what stands above, by two names at most."""
    sign: Node = Symbol(at, "partial")
    above = Scripted(at, sign, (("^", Number(at, str(len(by)))),)) if len(by) > 1 else sign
    top = Product(at, (("", above), *(("", part) for part in of)))
    if len(by) == 2 and by[0].text == by[1].text:
        bottom = [("", sign), ("", Scripted(at, by[0], (("^", Number(at, "2")),)))]
    else:
        bottom = [pair for a in by for pair in (("", sign), ("", a))]
    return Fraction(at, top, Product(at, tuple(bottom)))


__all__ = ["MOST", "derivative", "gather", "numbers", "plain_names", "written_out"]
