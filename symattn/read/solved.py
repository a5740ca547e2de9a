r"""What an equation defines whose left side is a function of a name: σ² = …, 1/τ = …, log r = …"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from collections.abc import Set as AbstractSet
from dataclasses import replace

import sympy as sp

from .elaborate import Reader
from .names import base_name, plain, reached, size_name
from .scripts import Component, component
from .terms import Number as NumberTerm
from .terms import Pow
from .tree import (
    EQUAL,
    Accent,
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
    children,
    spelled,
    walk,
)
from .values import Value, once

TWO_ROOTS = "what its square is, which leaves two roots"
Way = Callable[[Reader, Value], Value]


def _power(exponent: sp.Expr) -> Way:
    def way(_: Reader, value: Value) -> Value:
        return replace(value, term=Pow(value.term, NumberTerm(exponent)), free=once(value.free))

    return way


def _exp(reader: Reader, value: Value) -> Value:
    return reader.function("exp", value)


_ROOT, _SQUARE, _RECIPROCAL = map(_power, (sp.S.Half, sp.Integer(2), sp.S.NegativeOne))


def solved(
    reader: Reader, tree: Chain, defined: AbstractSet[str]
) -> tuple[Component, tuple[Way, ...]] | None:
    r"""The name of σ² = …, 1/τ = …, \sqrt q = … and log r = …, and what makes it of the right side.

    Raises ReadError where σ is neither declared positive nor defined by another equation.
    """
    names = reader.names
    inside, ways = _under(tree.sides[0])
    if not ways or not isinstance(inside, Name | Accent | Scripted):
        return None
    found = component(inside, names, reader.here)
    if found is None or found.power is not None or tree.relations[0][0] not in EQUAL:
        return None
    name = found.name
    anew = _ROOT in ways and name in names.assumed and _said_elsewhere(reader, tree)
    if (name in defined and not anew) or name in names.declared:
        return None
    if name in reader.sizes.names or size_name(name):
        return None
    squared = _ROOT in ways
    below = {n for x in tree.sides[1:] for node in walk(x) if (n := base_name(node)) is not None}
    if squared and name not in below and name in reached(below, reader.uses):
        return None  # b² = a² (1 − e²), where e is made of b
    again = [spelled(plain(n)) == spelled(inside) for x in tree.sides[1:] for n in walk(x)]
    if ways == (_SQUARE, _ROOT) and any(again):
        return None  # sqrt(x^2) = x
    if not squared and not any(isinstance(n, Name) for n in walk(tree.sides[1])):
        return None  # a value
    if squared and name in names.positive:
        return found, ways
    if not names.lenient:
        if not squared:
            return None
        raise reader.fail(
            tree.sides[0],
            f"{found.written}^2 = …: does it define {found.written}, or is it a claim?",
            expected=f"{found.written} as the positive root, or a {found.written} given elsewhere",
            mend=f"declare <!-- symattn: positive {found.written} --> where it is the root, and "
            f"<!-- symattn: sizes {found.written}:(…) --> where it is given",
        )
    spread = name.split("_")[0] in ("sigma", "s", "S")  # a deviation is never negative, a spin is
    spread = spread and not isinstance(tree.sides[1], Number)
    if squared and not spread and name not in names.squares:
        names.tied.setdefault(name, TWO_ROOTS)
        return None
    if isinstance(inside, Scripted) and any(again):
        return None  # S_ii² = S_ii S_ii
    if squared:
        names.assumed.setdefault(name, "the positive root of what its square is")
    return found, ways


def _said_elsewhere(reader: Reader, tree: Chain) -> bool:
    """Another equation says what the same left side is: σ² = p (1 − p), and σ² = λ."""
    source = reader.source

    def left(start: int) -> str:
        return re.sub(r"[\s{}&$]|\\\[", "", source.text[start:].partition("=")[0])

    own, shown = left(tree.at), (*source.displays, *source.inline.values())
    return any(not d.start <= tree.at < d.end and left(d.start) == own for d in shown)


def _under(side: Node, ways: tuple[Way, ...] = ()) -> tuple[Node, tuple[Way, ...]]:
    """What a side is a function of, and what leads back, the outermost first."""
    match side:
        case Group(bracket="(" | "{", items=(inner,)) if ways:
            return _under(inner, ways)
        case (
            Fraction(top=Number(text="1"), bottom=inner)
            | Product(parts=(("", Number(text="1")), ("/", inner)))
        ):
            return _under(inner, (*ways, _RECIPROCAL))
        case Root(body=inner, degree=None):
            return _under(inner, (*ways, _SQUARE))
        case Product(parts=(("", Symbol(kind="function", text="log")), ("", inner))):
            return _under(inner, (*ways, _exp))
        case Scripted() if (below := _under_square(side)) is not None:
            return _under(below, (*ways, _ROOT))
    return plain(side), ways


def squares(trees: Iterable[Node]) -> set[str]:
    """The R of R^2 and R^4 that stands nowhere else, so that its sign does not matter."""
    even: set[str] = set()
    others: set[str] = set()
    todo = list(trees)
    while todo:
        node = plain(todo.pop())
        name = base_name(node)
        if name is not None:
            others.add(name)
        elif isinstance(node, Scripted) and (name := base_name(node.base)) is not None:
            powers = (n.text for mark, n in node.scripts if mark == "^" and isinstance(n, Number))
            squared = any(n.isdigit() and not int(n) % 2 for n in powers)
            (even if squared else others).add(name)
            todo += [script for _, script in node.scripts]
        else:
            todo += children(node)
    return even - others


def _under_square(left: Scripted) -> Node | None:
    """σ of σ^2, σ_i of σ_i^2 and σ^2_i, σ^i of (σ^i)^2; None for anything else."""
    scripts = tuple(s for s in left.scripts if s != ("^", Number(s[1].at, "2")))
    if len(scripts) != len(left.scripts) - 1:
        return None
    return Scripted(left.at, left.base, scripts) if scripts else left.base
