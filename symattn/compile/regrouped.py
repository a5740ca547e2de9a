"""Sums of sums that are there as one are taken from that.

    w + w (x − a) − w (y − b)  is  w (1 + s),  where s = x − y + b − a is there

as in the gradient of Σ P (log P − log R), where log P and log R are a score and its normaliser.
Only whole operands are put together, so every array keeps what was taken out of it.
"""

from __future__ import annotations

from collections.abc import Iterable

import sympy as sp

from .nodes import Letters, Node, Nodes, Summand
from .rescaled import Exponent, summands

Factor = tuple[Node, Letters]


def regrouped(roots: Iterable[Node], nodes: Nodes) -> dict[Node, Node]:
    """The plan with such sums, node by node; empty where there are none."""
    known: dict[frozenset[tuple[Factor, sp.Expr]], Node] = {}

    def rule(node: Node, args: list[Node]) -> Node | None:
        if node.op != "add" or len(node.shape) < 2:
            return None
        terms: list[Summand] = list(zip(args, *node.data, strict=True))
        made = _regrouped(terms, known, node, nodes)
        if made is None:
            axes = tuple(range(len(node.shape)))
            made = nodes.make("add", args, node.data, node.sizes, len(axes), node.hints)
            known.setdefault(frozenset(_form([(made, axes, sp.S.One)]).items()), made)
        return made

    return nodes.rewritten(roots, rule)


def _regrouped(
    terms: list[Summand],
    known: dict[frozenset[tuple[Factor, sp.Expr]], Node],
    node: Node,
    nodes: Nodes,
) -> Node | None:
    """f (c + s) and what else is added, where s is there."""
    axes, sizes = tuple(range(len(node.shape))), node.sizes
    for factor in dict.fromkeys(f for term in terms for f in _factors(term)):
        quotients = [_over(term, factor) for term in terms]
        inside = [q for q in quotients if q is not None and q[0] is not None]
        form = _form([(x, place, c) for x, place, c in inside if x is not None])
        if len(inside) < 2 or not form:
            continue
        c = next(iter(form.values()))
        whole = known.get(frozenset((key, e / c) for key, e in form.items()))
        if whole is None:
            continue
        numbers = [q[2] for q in quotients if q is not None and q[0] is None]
        one = nodes.make("literal", (), sp.S.One, (), 0)
        sums: list[Summand] = [(one, (), n) for n in numbers] + [(whole, axes, c)]
        beside = _sum(sums, node, nodes)
        data = (factor[1], axes), (sp.S.One, (sp.S.One, sp.S.One))
        held = nodes.make("product", (factor[0], beside), data, sizes, len(axes), node.hints)
        rest = [t for t, q in zip(terms, quotients, strict=True) if q is None]
        return _sum([(held, axes, sp.S.One), *rest], node, nodes)
    return None


def _sum(terms: list[Summand], like: Node, nodes: Nodes) -> Node:
    axes = tuple(range(len(like.shape)))
    if len(terms) == 1 and terms[0][1:] == (axes, 1):
        return terms[0][0]
    data = tuple(place for _, place, _ in terms), tuple(c for *_, c in terms)
    args = [x for x, *_ in terms]
    return nodes.make("add", args, data, like.sizes, len(axes), like.hints)


def _form(terms: Iterable[Summand]) -> Exponent:
    found: Exponent = {}
    for x, place, c in terms:
        summands(found, x, place, c)
    return found


def _factors(term: Summand) -> list[Factor]:
    """What a product has as a factor, with the letters that it has in the sum."""
    x, place, _ = term
    if x.op != "product":
        return []
    pairs = zip(x.args, x.data[0], x.data[1][1], strict=True)
    return [(y, tuple(place[k] for k in own)) for y, own, e in pairs if e == 1]


def _over(term: Summand, factor: Factor) -> tuple[Node | None, Letters, sp.Expr] | None:
    """The term without the factor: one array, or a number; None where it is neither."""
    x, place, c = term
    if (x, place) == factor:
        return None, (), c
    factors = _factors(term)
    if factor not in factors or len(factors) != len(x.args) or len(factors) > 2:
        return None
    left = [f for f in factors if f != factor]
    coefficient = c * x.data[1][0]
    if not left:
        return (None, (), coefficient) if len(factors) == 1 else None
    return (*left[0], coefficient)


__all__ = ["regrouped"]
