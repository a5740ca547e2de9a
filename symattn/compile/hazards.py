"""What an exponential has of the normal distribution far out: e^{−x²/2} / Φ(x), by no exponential.

    e^{−x²/2 − log Φ(x) + r}    is    √(2π) h(x) e^r        h = φ/Φ, the slope of log Φ

    h(x)² + x h(x)              is    h(x) (h(x) + x)     which derivatives of h multiply out

At −10⁴ both exponents are 5·10⁷ and differ by 10, and h is −x but for 10⁻⁴, neither of which single
precision sees.  So are the powers of h, e^{x²} erfc(x) with −√2 x for x among them.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import permutations

import sympy as sp

from .nodes import Letters, Node, Nodes, Summand, reachable

Factors = dict[tuple[Node, Letters], sp.Expr]  # of a product: arrays with letters, and their powers
ABOVE = "above"  # h(x) + x


def with_hazards(roots: Iterable[Node], nodes: Nodes) -> dict[Node, Node]:
    """The plan with such exponentials written so, node by node; empty where there are none."""

    def without(node: Node, args: list[Node]) -> Node | None:
        if node.op == "call" and node.data[1] == "exp" and args[0].op == "add":
            return _without_tail(node, args[0], nodes)
        if node.op == "add":
            return _by_what_is_above(node, [*zip(args, *node.data, strict=True)], nodes)
        return None

    roots = list(roots)
    tails = any(n.op == "call" and n.data[1] == "log_ndtr" for n in reachable(roots))
    return nodes.rewritten(roots, without) if tails else {}


def _without_tail(node: Node, exponent: Node, nodes: Nodes) -> Node | None:
    """The exponential with the first log Φ(x) of its exponent that x²/2 is beside taken out."""
    terms = [*zip(exponent.args, *exponent.data, strict=True)]
    for one in terms:
        tail, place, c = one
        if tail.op != "call" or tail.data[1] != "log_ndtr":
            continue
        k, base, letters = _multiple(tail.args[0])
        for other in terms:
            if other[1] == place and _square(other, base, letters) == c * k**2 / 2:
                rest = [term for term in terms if term is not one and term is not other]
                return _product(node, tail, place, -c, rest, nodes)
    return None


def _multiple(x: Node) -> tuple[sp.Expr, Node, Letters]:
    """k and y of an array k y, and the letters of y."""
    if x.op == "product" and x.data[1][1] == (1,):
        return x.data[1][0], x.args[0], x.data[0][0]
    return sp.S.One, x, tuple(range(len(x.shape)))


def _square(term: Summand, base: Node, letters: Letters) -> sp.Expr | None:
    """c of a term c y²."""
    x, _, c = term
    if x.op == "product" and x.args == (base,) and x.data[0] == (letters,):
        factor, powers = x.data[1]
        return c * factor if powers == (2,) else None
    return None


def _product(
    node: Node, tail: Node, place: Letters, e: sp.Expr, rest: Sequence[Summand], nodes: Nodes
) -> Node:
    """(√(2π) h)^e, and e to what is left in the exponent."""
    rank, hints, shape = len(node.shape), node.hints, node.shape
    whole = node.data[0][0]
    size, own = len(tail.shape), tail.hints
    hazard = nodes.make("hazard", tail.args, (tail.data[0], None), tail.sizes, size, own)
    factors, places, powers = [hazard], [tuple(whole[x] for x in place)], [sp.sympify(e)]
    if rest:
        letters = sorted({x for _, part, _ in rest for x in part})
        number = {x: k for k, x in enumerate(letters)}
        parts = tuple(tuple(number[x] for x in part) for _, part, _ in rest)
        sizes = [shape[whole.index(x)] if x in whole else shape[x] for x in letters]
        made = nodes.make(
            "add", [x for x, _, _ in rest], (parts, tuple(c for *_, c in rest)),
            sizes, len(sizes), [hints[x] for x in letters],
        )  # fmt: skip
        every = (tuple(range(len(sizes))),)
        factors.append(nodes.make("call", (made,), (every, "exp"), sizes, len(sizes), made.hints))
        places.append(tuple(whole[x] for x in letters))
        powers.append(sp.S.One)
    data = (tuple(places), ((2 * sp.pi) ** (sp.sympify(e) / 2), tuple(powers)))
    return nodes.make("product", factors, data, shape, rank, hints)


def _by_what_is_above(node: Node, terms: list[Summand], nodes: Nodes) -> Node | None:
    """The sum with c r h(x)² + c r x h(x) as c r h(x) (h(x) + x)."""
    products = [(term, *_factors(term)) for term in terms]
    for (one, c, factors), (other, d, others) in permutations(products, 2):
        for (hazard, place), e in factors.items():
            if hazard.op != "hazard" or hazard.data[1] == ABOVE or not e > 1:
                continue
            k, base, letters = _multiple(hazard.args[0])
            inside = base, tuple(place[x] for x in letters)
            lower = factors | {(hazard, place): e - 1}
            if d == c * k and others == lower | {inside: lower.get(inside, 0) + 1}:
                data = (hazard.data[0], ABOVE)
                rank, hints = len(hazard.shape), hazard.hints
                above = nodes.make("hazard", hazard.args, data, hazard.sizes, rank, hints)
                joined = _of_factors(node, c, lower | {(above, place): sp.S.One}, nodes)
                rest = [term for term in terms if term is not one and term is not other]
                return _sum(node, [*rest, joined], nodes)
    return None


def _factors(term: Summand) -> tuple[sp.Expr, Factors]:
    """The number of a product, and its factors with the letters that a sum has for them."""
    x, place, c = term
    if x.op != "product":
        return c, {(x, place): sp.S.One}
    number, powers = x.data[1]
    found = Factors()
    for y, part, e in zip(x.args, x.data[0], powers, strict=True):
        own, factors = _factors((y, tuple(place[k] for k in part), sp.S.One))
        number *= own**e
        for key, power in factors.items():
            found[key] = found.get(key, sp.S.Zero) + power * e
    return c * number, found


def _of_factors(node: Node, c: sp.Expr, factors: Factors, nodes: Nodes) -> Summand:
    letters = sorted({x for _, place in factors for x in place})
    number = {x: k for k, x in enumerate(letters)}
    places = tuple(tuple(number[x] for x in place) for _, place in factors)
    data = places, (c, tuple(factors.values()))
    sizes, hints = [node.sizes[x] for x in letters], [node.hints[x] for x in letters]
    made = nodes.make("product", [x for x, _ in factors], data, sizes, len(letters), hints)
    return made, tuple(letters), sp.S.One


def _sum(node: Node, terms: Sequence[Summand], nodes: Nodes) -> Node:
    rank = len(node.shape)
    if len(terms) == 1 and terms[0][1] == tuple(range(rank)):
        return terms[0][0]
    data = tuple(place for _, place, _ in terms), tuple(c for *_, c in terms)
    return nodes.make("add", [x for x, *_ in terms], data, node.sizes, rank, node.hints)


__all__ = ["ABOVE", "with_hazards"]
