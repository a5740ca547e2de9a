"""What a formula of laws may be a misprint of: single changes of what is written."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import chain, combinations, islice

from ..read.applications import applied
from ..read.names import base_name
from ..read.outcomes import Said, divergence
from ..read.tree import (
    Addition,
    Fraction,
    Given,
    Group,
    Node,
    Number,
    Product,
    Scripted,
    Symbol,
    base_of,
    rebuilt,
    replaced,
    sign_of,
    spelled,
    walk,
)

MAX_CHANGES = 32  # of one side
_LOG = Symbol(0, "function", "log")


@dataclass(frozen=True)
class Change:
    """A side after one change; `law` where another law or another order of outcomes is meant."""

    words: str
    side: Node
    law: bool = False


def changed(side: Node, sides: Sequence[Node], said: Said) -> Iterator[Change]:
    """The single changes of a side, a bounded number of them."""
    plain = ((n, new, words, False) for n, new, words in _changes(side))
    exchanged = ((side, new, "two laws exchanged", True) for new in _swapped(side, said))
    laws = ((n, new, words, True) for n, new, words in _of_laws(side, sides, said))
    for node, new, words, law in islice(chain(plain, exchanged, laws), MAX_CHANGES):
        yield Change(words, _put(side, node, new), law)


def _put(side: Node, old: Node, new: Node) -> Node:
    """The side with one node in place of another."""
    found: Node = replaced(side, lambda n: new if n is old else n)
    return found


def _changes(side: Node) -> Iterator[tuple[Node, Node, str]]:
    for node in walk(side):
        match node:
            case Addition(parts=terms):
                for k, (sign, term) in enumerate(terms):
                    parts = (*terms[:k], (-sign, term), *terms[k + 1 :])
                    new = Addition(node.at, parts) if parts != ((1, term),) else term
                    yield node, new, "the other sign of a term"
            case Product(parts=parts):
                yield from _of_factors(node, parts, side)
            case Number() if node is side:
                yield from ((node, x, "another number") for x in _near(node, least=0))
            case Fraction():
                yield node, Fraction(node.at, node.bottom, node.top), "the other way up"
    if not isinstance(side, Addition):
        yield side, Addition(side.at, ((-1, side),)), "the other sign"


def _of_factors(
    node: Product, parts: tuple[tuple[str, Node], ...], side: Node
) -> Iterator[tuple[Node, Node, str]]:
    for k, (_, part) in enumerate(parts):
        if divergence(parts, k) is not None:
            group = next(p for _, p in parts[k:] if isinstance(p, Group))
            yield group, _exchanged(group), "the two laws exchanged"
        sign = sign_of(part)
        if sign is not None and sign.kind == "nabla" and k + 1 < len(parts):
            behind = sign_of(parts[k + 1][1])
            if behind is not None and behind.text == "log":
                without = (*parts[: k + 1], ("", parts[k + 2][1]), *parts[k + 3 :])
                yield node, Product(node.at, without), "no logarithm"
            elif behind is None:
                more = (*parts[: k + 1], ("", _LOG), *parts[k + 1 :])
                yield node, Product(node.at, more), "a logarithm"
        plain = isinstance(part, Number) or (
            isinstance(part, Fraction)
            and isinstance(part.top, Number)
            and isinstance(part.bottom, Number)
        )
        if plain and len(parts) > 1:
            rest = [*parts[:k], *parts[k + 1 :]]
            kept = Product(node.at, (("", rest[0][1]), *rest[1:]))
            yield node, kept, "without a factor"
    for k, (op, part) in enumerate(parts):
        if isinstance(part, Number):
            least = 0 if node is side else 1  # where it is all of a side
            yield from ((part, x, "another number") for x in _near(part, least))
        if isinstance(part, Scripted) and part.scripts == (("^", Number(part.at, "2")),):
            power = (*parts[:k], (op, part.base), *parts[k + 1 :])
            yield node, Product(node.at, power), "no square"
        elif isinstance(part, Scripted) and len(part.scripts) == 1:
            ((mark, script),) = part.scripts
            for x in _near(script, least=2) if mark == "^" else ():
                yield part, Scripted(part.at, part.base, ((mark, x),)), "another power"
        elif isinstance(part, Group) and part.bracket == "(" and k:
            square = Scripted(part.at, part, (("^", Number(part.at, "2")),))
            power = (*parts[:k], (op, square), *parts[k + 1 :])
            yield node, Product(node.at, power), "a square"


def _near(node: Node, least: int) -> Iterator[Number]:
    """The whole numbers beside a small one."""
    n = int(node.text) if isinstance(node, Number) and node.text.isdigit() else 0
    if 0 < n < 10:
        yield from (Number(node.at, str(m)) for m in (n - 1, n + 1) if m >= least)
    elif isinstance(node, Number) and node.text == "0" and not least:
        yield Number(node.at, "1")


def _turned(group: Group) -> Group | None:
    """p(z | x) for p(x | z), H(Y | X) for H(X | Y)."""
    match group.items:
        case (Given(at=at, items=items, given=given),):
            return Group(group.at, group.bracket, (Given(at, given, items),))
    return None


def _exchanged(group: Group) -> Group:
    match group.items:
        case (Given(at=at, items=(one,), given=(other,)),):
            return Group(group.at, group.bracket, (Given(at, (other,), (one,)),))
        case (one, other):
            return Group(group.at, group.bracket, (other, one))
    return group


Parts = tuple[tuple[str, Node], ...]


def _calls(sides: Sequence[Node], said: Said) -> dict[object, Parts]:
    """The laws of a formula, p(x) and p(y | x), as they are written."""
    return {
        spelled((c.name, c.items, c.given)): p.parts[k : c.after]
        for s in sides
        for p in walk(s)
        if isinstance(p, Product)
        for k, c in applied(p)
        if base_name(base_of(c.name)) in said.laws
    }


def _swapped(side: Node, said: Said) -> Iterator[Node]:
    """The side with two of its laws in each other's places."""
    for one, other in combinations(_calls([side], said).items(), 2):
        instead = {one[0]: other[1], other[0]: one[1]}

        def change(node: Node, instead: dict[object, Parts] = instead) -> Node:
            if not isinstance(node, Product):
                return node
            parts: list[tuple[str, Node]] = []
            behind = 0
            for k, call in applied(node):
                new = instead.get(spelled((call.name, call.items, call.given)))
                if new is not None:
                    parts += node.parts[behind:k]
                    parts += [(node.parts[k][0], new[0][1]), *new[1:]]
                    behind = call.after
            return Product(node.at, (*parts, *node.parts[behind:])) if behind else node

        found: Node = rebuilt(side, change)
        yield found


def _of_laws(side: Node, sides: Sequence[Node], said: Said) -> Iterator[tuple[Node, Node, str]]:
    """Another law of the formula in place of one, by its name and by all of it."""
    calls = _calls(sides, said)
    for node in walk(side):
        if not isinstance(node, Product):
            continue
        for k, (_, part) in enumerate(node.parts):
            if isinstance(part, Group) and k and (turned := _turned(part)) is not None:
                yield part, turned, "what is given exchanged"
        for k, call in applied(node):
            own = spelled((call.name, call.items, call.given))
            for key, parts in calls.items():
                if own in calls and key != own:
                    new = (*node.parts[:k], *parts, *node.parts[call.after :])
                    new = ((node.parts[k][0], new[0][1]), *new[1:]) if k else new
                    yield node, Product(node.at, new), "another law"


__all__ = ["changed"]
