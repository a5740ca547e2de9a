"""Bounds between averages: log p(x) ≥ L where log p(x) − L is KL(q ‖ p(z | x)), never negative."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import product

from ..prove import Verdict
from ..read.applications import Application, applied
from ..read.names import base_name
from ..read.outcomes import Said, divergence
from ..read.tree import (
    Addition,
    Given,
    Group,
    Name,
    Node,
    Product,
    Scripted,
    base_of,
    sign_of,
    spelled,
    walk,
)
from . import report
from .finding import Finding
from .outcome import Law, Under

MAX_GAPS = 12  # divergences that are tried
KIND = "inequality"
Proves = Callable[[Sequence[Node]], Verdict | None]


def gap(two: Sequence[Node], sign: str, said: Said, proves: Proves, loose: bool) -> Finding | None:
    """Proved where the larger side is the other one and a divergence, refuted the other way.

    Where the text is `loose`, and may speak of laws at which the divergence is 0, nothing is wrong.
    """
    larger, smaller = two if sign == "≥" else two[::-1]
    for right, (more, less) in ((True, (larger, smaller)), (False, (smaller, larger))):
        for one in _divergences(two, said):
            whole = Addition(less.at, ((1, less), (1, one)))
            found = proves([more, whole])
            if found is None or found.status != "proved" or found.trivial:
                continue
            why = "the right side differs from the left by a divergence, which is not negative"
            if right:
                return Finding(report.PROVED, "", assumed=(why,), kind=KIND, proof=found)
            if not loose:
                return Finding(report.REFUTED, f"{why}: the other way round", kind=KIND)
    return None


def _divergences(sides: Sequence[Node], said: Said) -> Iterator[Node]:
    """The KL(q ‖ p) that stand in the sides, and KL(q ‖ p(z | x)) for what is averaged by q."""
    every: dict[object, Node] = {}
    for side in sides:
        for node in walk(side):
            parts = node.parts if isinstance(node, Product) else ()
            for k in range(len(parts)):
                if (pair := divergence(parts, k)) is not None:
                    every.setdefault(spelled(pair[:2]), _of(*pair[:2]))
    for (name, items, given), call in product(_averaging(sides, said), _laws(sides, said)):
        if spelled(call.name) == spelled(name):
            continue
        own = {spelled(x) for x in items}
        rest = tuple(x for x in (*call.items, *call.given) if spelled(x) not in own)
        if len(rest) + len(items) == len(call.items) + len(call.given):
            other = _applied(call.name, items, rest)
            every.setdefault(spelled(other), _of(_applied(name, items, given), other))
    yield from [*every.values()][:MAX_GAPS]


def _averaging(sides: Sequence[Node], said: Said) -> Iterator[Law]:
    """The single laws below signs of averages."""
    found: dict[object, Law] = {}
    for node in (n for side in sides for n in walk(side)):
        sign = sign_of(node) if isinstance(node, Scripted) else None
        if isinstance(node, Scripted) and sign is not None and sign.text == "E":
            under = Under.of(node.scripts[0][1], said, sides)
            if under is not None and len(under.laws) == 1:
                found.setdefault(spelled(under.laws[0]), under.laws[0])
    yield from found.values()


def _laws(sides: Sequence[Node], said: Said) -> Iterator[Application]:
    """The laws as they are applied in the sides."""
    for node in (n for side in sides for n in walk(side) if isinstance(n, Product)):
        for _, call in applied(node):
            if base_name(base_of(call.name)) in said.laws:
                yield call


def _applied(name: Node, items: tuple[Node, ...], given: tuple[Node, ...]) -> Node:
    inside = (Given(name.at, items, given),) if given else items
    return Product(name.at, (("", name), ("", Group(name.at, "(", inside))))


def _of(one: Node, other: Node) -> Node:
    """KL(one ‖ other)."""
    pair = Group(one.at, "(", (Given(one.at, (one,), (other,)),))
    return Product(one.at, (("", Name(one.at, "KL", "upright")), ("", pair)))


__all__ = ["gap"]
