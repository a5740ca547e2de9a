r"""The imaginary unit: the i of e^{i x}, a number that no sum binds and no sentence compares or
calls a rate.

Nothing is known of its values, so what rests on it is never refuted.  Identities of all numbers i
hold of this one too, but for sizes, and for what has several values: roots, logarithms, powers that
are not whole, arguments, bounds and extrema of what it is in are not read.  |z|, Re z, Im z and the
conjugate are functions of their own (PARTS), of which nothing is known but by i² = −1; but for the
conjugate they are real, and so is what is made of them.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Set
from dataclasses import replace

from .applications import calls
from .left import head
from .names import Context, Names, base_name, plain, stem
from .source import Source
from .tree import (
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
    base_of,
    children,
    replaced,
    walk,
)
from .vocabulary import PARTS

UNITS = ("i", "j")
WHY = "being the imaginary unit"
_QUANTITY = re.compile(
    r"\b(?:rates?|currents?|interest|inflation|inclination|incidence|intensity|investments?|income|"
    r"angles?|returns?|yields?)\s+(?:be\s+|is\s+|of\s+)?(?:\$|\\\()\s*([ij])\s*(?:\$|\\\))|"
    r"(?:\$|\\\()\s*([ij])\s*(?:\$|\\\))\s+(?:is|be|denotes?|for)\s+(?:an?|the|its)\s+"
    r"(?!imaginary|complex|square|root)|"
    r"(?:\$|\\\()\s*([ij])\s*=\s*\d*\.\d",  # $i = 0.05$, which no index is
)
_MONEY = re.compile(
    r"\b(?:annuit|discount|payment|premium|loan|mortgage|insur|invest)", re.IGNORECASE
)
_COMPARED = re.compile(  # i ≥ j, i ≠ j and i = 1, …, n, which number something; and i = \\sqrt{-1}
    r"(?<![\w\\_^{])([ij])(?=\s*(?:[<>≤≥≠∈]|\\(?:leq?|geq?|lt|gt|neq?|in)(?![a-z])))|"
    r"(?<![\w\\_^{])([ij])(?=\s*=\s*[\w\\](?!sqrt))|"
    r"(?:[<>≤≥≠]|\\(?:leq?|geq?|lt|gt|neq?)(?![a-z]))\s*([ij])(?![\w_^])"
)
_SPOKEN = re.compile(
    r"\b(?:complex|imaginary|impedances?|admittances?|phasors?|reactances?|susceptances?|transfer "
    r"functions?)\b",
    re.IGNORECASE,
)
_GROWTH = re.compile(r"\b1\s*\+\s*([ij])\s*[})]")  # 1/(1 + i) and (1 + i)^n, of an interest rate
_WHOLE = frozenset(["k", "l", "m", "n", "K", "L", "M", "N"])  # as a rule: (e^{i x})^n
_SIZES = frozenset(["max", "min", "argmax", "argmin", "sign", "sgn", "arg"])
MODULUS, REAL, IMAGINARY, CONJUGATE = PARTS
_REAL = {"abs": MODULUS, "Re": REAL, "Im": IMAGINARY}
_REAL |= {part: part for part in (MODULUS, REAL, IMAGINARY)}


def gather(statements: Iterable[tuple[Node, Context]], source: Source, names: Names) -> None:
    """Enter which letter is the imaginary unit, and which names are made of it."""
    found = list(statements)
    real = {x for m in _QUANTITY.finditer(source.text) for x in m.groups() if x}
    if _MONEY.search(source.text):
        real |= {m[1] for m in _GROWTH.finditer(source.text)}
    real |= {x for m in _COMPARED.finditer(source.text) for x in m.groups() if x}
    defined = (tree for tree, _ in found if squared(tree) is None)
    lefts = {base_name(stem(left)) for tree in defined if (left := head(tree)) is not None}
    letters = {*UNITS} - real - lefts - names.declared - names.limits
    units = {
        n.text
        for tree, here in found
        for n in _numbers(tree, parts=True)
        if n.text in letters and not here.letters[n.text] and n.text not in here.bound
    }
    if _SPOKEN.search(source.text):  # R + j (ω L - 1/(ω C)), where nothing else has a j
        called = {base_name(call.name) for tree, _ in found for _, _, call in calls(tree)}
        indices = {x for tree, here in found for x in here.bound}
        units |= {x for x in called & letters - indices if x}
    units = units if len(units) == 1 else set()  # of two letters the text says which
    if _SPOKEN.search(source.text):
        names.numbers |= units
        names.alone |= units
    names.imaginary = units
    names.tied.update(dict.fromkeys(units, WHY))
    size = 0
    while units and len(names.imaginary) != size:
        size = len(names.imaginary)
        for tree, _ in found:
            left = head(tree)
            if left is not None and isinstance(tree, Chain):
                made = any(_holds(side, names.imaginary) for side in tree.sides[1:])
                names.imaginary = names.imaginary | (
                    {base_name(stem(left)) or ""} if made else set()
                )


def squared(tree: Node) -> Node | None:
    r"""i^2 = -1 where that is said, or i = \sqrt{-1}, which gives i no other meaning; else None."""
    match tree:
        case Chain(sides=(Name(text=name) as unit, Root(body=body))) if name in UNITS:
            square = Scripted(unit.at, unit, (("^", Number(unit.at, "2")),))
            return replace(tree, sides=(square, body)) if _is_minus_one(body) else None
        case Chain(
            sides=(Scripted(base=Name(text=name), scripts=(("^", Number(text="2")),)), right)
        ) if name in UNITS and _is_minus_one(right):
            return tree
    return None


def _is_minus_one(node: Node) -> bool:
    parts = node.parts if isinstance(node, Addition) else ()
    return [(s, p.text) for s, p in parts if isinstance(p, Number)] == [(-1, "1")]


def opened(tree: Node, known: Set[str]) -> Node:
    """The tree with |z|, Re z, Im z, z^* and z-bar as functions of what is made of the unit."""

    def part(node: Node, name: str, inside: Node) -> Node:
        items = inside.items if isinstance(inside, Group) and inside.bracket != "|" else (inside,)
        inner = tuple(replaced(i, change) for i in items)
        made = (("", Name(node.at, name)), ("", Group(node.at, "(", inner)))
        return Group(node.at, "(", (Product(node.at, made),))

    def change(node: Node) -> Node:
        match node:
            case Group(bracket="|", items=(inside,)) if _holds(inside, known):
                return part(node, MODULUS, inside)
            case Accent(mark="bar", body=Name(text=name)) if name in known and name not in UNITS:
                return part(node, CONJUGATE, node.body)
            case Scripted(base=base, scripts=(("^", Symbol(kind="star")),)) if base_name(
                base
            ) not in UNITS and _holds(base, known):
                return part(node, CONJUGATE, base)
            case Product(parts=parts) if any(_sign(p) in _REAL for _, p in parts):
                found: list[tuple[str, Node]] = []
                rest = [*parts]
                while rest:
                    operator, sign = rest.pop(0)
                    name = _REAL.get(_sign(sign), "")
                    if not (name and rest and isinstance(rest[0][1], Group) and not rest[0][0]):
                        found.append((operator, replaced(sign, change)))
                        continue
                    _, inside = rest.pop(0)
                    holds = _holds(inside, known)
                    kept = Product(node.at, (("", sign), ("", inside)))
                    made = part(node, name, inside) if holds else kept
                    found.append((operator, made))
                return Product(node.at, tuple(found))
        return node

    return replaced(tree, change) if known else tree


def is_sized(tree: Node, known: Set[str]) -> bool:
    """True for √z, log z, z^a, arg z, z < w and max z of what is made of the imaginary unit."""
    if not known:
        return False
    if isinstance(tree, Chain) and any(r in "<>≤≥" for r, _ in tree.relations):
        return _holds(tree, known)
    for node in walk(tree):
        norm = isinstance(node, Group) and node.bracket in "|‖"
        if norm and any(_holds(inside, known) for inside in node.items):  # type: ignore[attr-defined]
            return True
        sized = isinstance(node, Root) or (isinstance(node, Scripted) and _is_broken(node))
        if sized and _holds(node.base if isinstance(node, Scripted) else node, known):
            return True
        if isinstance(node, Product):
            logs = [k for k, (_, part) in enumerate(node.parts) if _sign(part) in ("log", "ln")]
            if any(_holds(part, known) for k in logs[:1] for _, part in node.parts[k + 1 :]):
                return True
            signs = [_sign(part) in _SIZES for _, part in node.parts]
            if any(signs) and _holds(node, known):
                return True
    return False


def _is_broken(node: Scripted) -> bool:
    """True for z^{1/2} and z^a, and for no e^z."""
    above = [s for sign, s in node.scripts if sign == "^"]
    if base_name(node.base) == "e" or not above or isinstance(base_of(node.base), Symbol):
        return False
    for script in above:
        for n in walk(script):
            if isinstance(n, Fraction) or (isinstance(n, Number) and not n.text.isdecimal()):
                return True
            if isinstance(n, Product) and any(op == "/" for op, _ in n.parts):
                return True
            if isinstance(n, Name) and n.text not in _WHOLE and n.text not in ("T", "H"):
                return True
    return False


def _sign(node: Node) -> str:
    base = plain(node)
    base = base_of(base)
    return base.text if isinstance(base, Symbol | Name) else ""


def _holds(tree: Node, known: Set[str]) -> bool:
    """True where one of these names stands in an expression, not as an index."""
    return any(n.text in known for n in _numbers(tree))


def _numbers(node: Node, *, parts: bool = False) -> Iterator[Name]:
    """The names of an expression but for indices: the i of e^{i x} and i^2, and the z of z_k.

    What |z|, Re z and Im z are of is none of them, as these are real, but with `parts`.
    """
    if isinstance(node, Group) and node.bracket == "|" and not parts:
        return
    node = plain(node)
    if isinstance(node, Name):
        yield node
    elif isinstance(node, Product):
        rest = [*node.parts]
        while rest:
            _, part = rest.pop(0)
            if not parts and _sign(part) in _REAL and rest and isinstance(rest[0][1], Group):
                rest.pop(0)
            else:
                yield from _numbers(part, parts=parts)
    elif isinstance(node, Scripted) and (name := base_name(node.base)) is not None:
        above = [s for sign, s in node.scripts if sign == "^"]
        below = any(sign == "_" for sign, _ in node.scripts)
        powers = all(isinstance(s, Number) for s in above)
        if name not in UNITS or (powers and not below):
            yield Name(node.at, name)
        for script in above:
            if name == "e" or isinstance(script, Addition | Fraction):
                yield from _numbers(script, parts=parts)
    else:
        for child in children(node):
            yield from _numbers(child, parts=parts)


__all__ = ["WHY", "gather", "is_sized", "opened", "squared"]
