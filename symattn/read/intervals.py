r"""Intervals of numbers, and functions on them: $h: [0, 1] \to \mathbb{R}$, $x^2$ on $(0, 1)$."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from .applications import defined, whole
from .names import base_name
from .positive import negated
from .said import trees_of
from .source import Source
from .tree import (
    EQUAL,
    Addition,
    Chain,
    Fraction,
    Group,
    Name,
    Node,
    Number,
    Product,
    Symbol,
    walk,
)
from .words import ONE, sentences

Ends = tuple[float, float]
_KIND = r"(?: (?:open|closed|half-open|unit|domain|interval|range))*"
_ON = re.compile(  # f(x) = sin x, with x, on the interval (0, 1)
    rf"({ONE})(?:,? (?:for|with)(?: {ONE})?)?,? (?:restricted to|(?:defined )?(?:on|over))"
    rf"(?: the)?{_KIND} ({ONE})"
)
_IN = re.compile(  # x be a real number in [0, 1]
    rf"({ONE})(?: be)?(?: an?)?(?: (?:real|number|value|point|variable))* in(?: the)?{_KIND} "
    rf"({ONE})"
)


def number(node: Node) -> float | None:
    r"""3, −1/2, π/2, \infty as a number; None for anything else."""
    match node:
        case Number(text=text):
            return float(text)
        case Name(text="pi"):
            return math.pi
        case Symbol(kind="infty"):
            return math.inf
        case Fraction(top=top, bottom=bottom):
            a, b = number(top), number(bottom)
            return None if a is None or not b else a / b
        case Addition(parts=parts):
            terms = [(sign, number(x)) for sign, x in parts]
            known = [sign * x for sign, x in terms if x is not None]
            return sum(known) if len(known) == len(terms) else None
        case Product(parts=parts):
            found = 1.0
            for sign, x in parts:
                value = number(x)
                if value is None or (sign == "/" and not value):
                    return None
                found = found / value if sign == "/" else found * value
            return found
        case Group(bracket="(" | "{", items=(inner,)):
            return number(inner)
    return None


def interval(node: Node) -> Ends | None:
    """The ends of [0, 1), (-1, 1) and [0, ∞)."""
    if not isinstance(node, Group) or node.bracket not in "[(]" or len(node.items) != 2:
        return None
    low, high = map(number, node.items)
    return (low, high) if low is not None and high is not None and low < high else None


@dataclass(frozen=True)
class Domain:
    """A name in an interval, what says so, and where what it is said of stands.

    As a `clause` it is said of one equation: |x| = x on [0, 1].
    """

    node: Node
    ends: Ends
    said: str
    at: int
    clause: bool = False


def domains(source: Source, shown: Iterable[Node]) -> Iterator[Domain]:
    """Names that lie in an interval since a function or a sentence puts them there."""
    mapped: dict[str | None, tuple[Ends, str]] = {}
    heads: list[Node] = [tree for tree in shown if isinstance(tree, Chain)]
    for words, spans in sentences(source):
        for span in spans:
            said = source.text[span.start : span.end].strip()
            for tree in trees_of(source, span):
                heads += [tree] if isinstance(tree, Chain) else []
                if (found := _map(tree)) is not None:
                    mapped[found[0]] = found[1], said
        for match in (*_ON.finditer(words), *_IN.finditer(words)):
            if negated(words[: match.start()], words[match.end() :]):
                continue
            one, other = (spans[int(match[k][1:-1])] for k in (1, 2))
            ends = [e for t in trees_of(source, other) if (e := interval(t)) is not None]
            said = source.text[other.start : other.end].strip()
            for tree in trees_of(source, one) if len(ends) == 1 else ():
                name = tree if match.re is _IN and isinstance(tree, Name) else None
                name = _parameter(tree) if match.re is _ON else name
                sole = _sole(tree) if match.re is _ON and name is None else None
                if (node := name or sole) is not None:
                    yield Domain(node, ends[0], said, other.start, sole is not None)
    for tree in heads:
        call, node = defined(tree), _parameter(tree)
        known = mapped.get(base_name(call.name)) if call is not None else None
        if node is not None and known is not None:
            yield Domain(node, *known, tree.at)


def _sole(tree: Node) -> Name | None:
    """The one name of an equation."""
    if not isinstance(tree, Chain) or any(sign not in EQUAL for sign, _ in tree.relations):
        return None
    found = {n.text: n for n in walk(tree) if isinstance(n, Name) and n.text not in ("e", "pi")}
    return next(iter(found.values())) if len(found) == 1 else None


def _map(tree: Node) -> tuple[str | None, Ends] | None:
    """The h of h: [0, 1] → ℝ, and its interval."""
    if not isinstance(tree, Chain) or len(tree.sides) < 3:
        return None
    signs, ends = [sign for sign, _ in tree.relations[:2]], interval(tree.sides[1])
    return (base_name(tree.sides[0]), ends) if signs == [":", "→"] and ends is not None else None


def _parameter(tree: Node) -> Name | None:
    """The x of f(x) = … and of f(x)."""
    call = defined(tree) if isinstance(tree, Chain) else whole(tree)
    one = call.items if call is not None and not call.given else ()
    return one[0] if len(one) == 1 and isinstance(one[0], Name) else None


__all__ = ["Domain", "domains", "interval", "number"]
