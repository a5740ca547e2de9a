r"""Expressions at a point: \left. E \right|_{x = a} and E \Big|_{x = a} with a in place of x.

A derivative by x in E is taken first.  Where x has axes and E derives by it, a is another name.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from . import laws, opaque
from .names import reached
from .scripts import component
from .sizes import Letter
from .source import ReadError
from .terms import Derivative, Ref, Slope, Term, refs
from .tree import (
    Addition,
    Chain,
    Fraction,
    Group,
    Name,
    Node,
    Product,
    Scripted,
    mapped,
    rebuilt,
    walk,
)
from .values import Scope, Value, letters_in, once

if TYPE_CHECKING:
    from .elaborate import Reader

Pair = tuple[str, Node]


def widened(node: Any) -> Any:
    r"""The tree with (d/dt f)_{t = 0} for \frac{d}{dt}\Big|_{t = 0} f, and with (F)_{x = b} -
    (F)_{x = a} for the [F]_a^b of ∫ f dx = [F]_a^b."""
    node = mapped(node, widened)
    if isinstance(node, Chain):
        variables = {v.text for side in node.sides if (v := _integrated(side)) is not None}
        return _between(node, *variables) if len(variables) == 1 else node
    if not isinstance(node, Product):
        return node
    parts = tuple(_parts(node.parts))
    return node if parts == node.parts else Product(node.at, parts)


def _parts(parts: tuple[Pair, ...]) -> Iterator[Pair]:
    for k, (op, part) in enumerate(parts):
        match part:
            case Scripted(
                base=Group(bracket=".", items=(Fraction(top=top, bottom=Product()) as sign,)),
                scripts=(("_", Chain()),) as where,
            ) if k + 1 < len(parts) and parts[k + 1][0] == "" and _is_d(top):
                inside = Product(part.at, (("", sign), *_parts(parts[k + 1 :])))
                yield op, Scripted(part.at, Group(part.at, "(", (inside,)), where)
                return
        yield op, part


def _integrated(side: Node) -> Name | None:
    """The x of ∫ … dx."""
    match side:
        case Product(parts=((_, sign), *_, (_, Name(text="d")), (_, Name() as x))):
            base = sign.base if isinstance(sign, Scripted) else sign
            return x if getattr(base, "kind", "") == "int" else None
    return None


def _between(tree: Chain, variable: str) -> Node:
    def change(node: Any) -> Any:
        match node:
            case Scripted(
                base=Group(bracket="(" | "[" | ".", items=(inside,)) as base, scripts=scripts
            ):
                ends = dict(scripts)
                x = next((n for n in walk(inside) if n == Name(n.at, variable)), None)
                if x is None or len(scripts) != 2 or ends.keys() != {"_", "^"}:
                    return node
                terms = tuple(
                    (sign, Scripted(node.at, base, (("_", _point(x, ends[mark])),)))
                    for sign, mark in ((1, "^"), (-1, "_"))
                )
                return Group(node.at, "(", (Addition(node.at, terms),))
        return node

    return rebuilt(tree, change)


def _point(x: Node, a: Node) -> Chain:
    return Chain(a.at, (x, a), (("=", a.at),))


def _is_d(node: Node) -> bool:
    base = node.base if isinstance(node, Scripted) else node
    return getattr(base, "kind", "") == "partial" or base == Name(base.at, "d")


def at_point(reader: Reader, node: Scripted, scope: Scope) -> Value | None:
    """The value of (E)_{x = a}; None for anything else, and where E is not all said in x."""
    match node:
        case Scripted(
            base=Group(bracket="(" | "[" | ".", items=(inside,)),
            scripts=(("_", Chain(sides=(x, a), relations=(("=", _),))),),
        ):
            found = component(x, reader.names, reader.here)
            if found is None or found.slots or found.power is not None or found.transposed:
                return None
            made, rest = len(reader.made), dict(reader.names.auxiliary)
            with suppress(ReadError):
                return _put_in(reader, inside, found.name, a, scope)
            del reader.made[made:]
            reader.names.auxiliary = rest
    return None


def _put_in(reader: Reader, inside: Node, name: str, a: Node, scope: Scope) -> Value:
    vector = bool(reader.names.ranks.get(name))
    value = (_of_vector if vector else _of_number)(reader, inside, name, a, scope)
    body = value.term.body if isinstance(value.term, Slope) else value.term
    left = _below(reader, body) | {r.name for r in refs(body)}
    if left & {name} or (not vector and _below(reader, body) & {_fresh(name)}):
        raise reader.fail(a, f"something here hangs on {name} without saying so")
    return value


def _fresh(name: str) -> str:
    return f"{name}_point"


def _of_number(reader: Reader, inside: Node, name: str, a: Node, scope: Scope) -> Value:
    """E in a number of its own, at a."""
    argument = reader.read(a, scope)
    if argument.axes:
        raise reader.fail(a, f"{name} is a number, and this has axes")
    fresh = _fresh(name)
    bound = Name(a.at, fresh, "literal"), scope, reader
    points = {**reader.points, fresh: name}
    inner = replace(reader, bindings={**reader.bindings, name: bound}, points=points)
    value = inner.read(inside, scope)
    term = Slope(opened(inner, value.term, name, fresh, a.at), fresh, 0, argument.term)
    return replace(value, term=term, free={**value.free, **once(argument.free)})


def _of_vector(reader: Reader, inside: Node, name: str, a: Node, scope: Scope) -> Value:
    """E in a, which is a name where E derives by x."""
    other = component(a, reader.names, reader.here)
    if other is None or other.slots or other.power is not None or other.transposed:
        inner = replace(reader, bindings={**reader.bindings, name: (a, scope, reader)})
        return inner.read(inside, scope)
    value = reader.read(inside, scope)
    if other.name in _below(reader, value.term) | {r.name for r in refs(value.term)}:
        raise reader.fail(a, f"{other.name} stands here already")
    for k in range(reader.names.ranks[name]):
        mine, own = (reader.sizes.slot(n, k, a.at) for n in (name, other.name))
        reader.sizes.unite(mine, own, a.at, f"the axes of {name} and {other.name}")
    return replace(value, term=opened(reader, value.term, name, other.name, a.at))


def opened(reader: Reader, term: Any, name: str, other: str, at: int) -> Any:
    """The term with one name for another, also in what is defined by it, which is written out."""
    if isinstance(term, Ref):
        if term.name == name:
            return Ref(other, term.slots)
        body = laws.body(reader, term) if name in _below(reader, term) else None
        return opened(reader, body, name, other, at) if body is not None else term
    if isinstance(term, tuple):
        return tuple(opened(reader, t, name, other, at) for t in term)
    if isinstance(term, Letter) or not hasattr(term, "__dataclass_fields__"):
        return term
    fields = {
        f: opened(reader, getattr(term, f), name, other, at) for f in term.__dataclass_fields__
    }
    if isinstance(term, Derivative) and not isinstance(fields["top"], Ref | Derivative):
        free = once({x: (1, 0) for r in refs(term.top) for x in letters_in(r.slots)})
        fields["top"] = opaque.defined(reader, "D", Value(fields["top"], free), at).term
    return replace(term, **fields)


def _below(reader: Reader, term: Term) -> set[str]:
    """What the names of a term are made of."""
    made = {name: {r.name for r in refs(inside)} for name, _, inside in reader.made}
    uses = {**reader.uses, **made}
    inside = reached({r.name for r in refs(term)}, uses)
    return {n for name in inside for n in uses.get(name, ())}


__all__ = ["at_point", "opened", "widened"]
