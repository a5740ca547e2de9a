"""What an exponential has of the normal distribution far out: e^{−x²/2} / Φ(x), by no exponential.

    e^{−x²/2 − log Φ(x) + r}    is    √(2π) h(x) e^r        h = φ/Φ, the slope of log Φ

At −10⁴ both exponents are 5·10⁷ and differ by 10, which single precision does not see.  So are the
powers of it, e^{x²} erfc(x) with −√2 x for x among them.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import sympy as sp

from .nodes import Letters, Node, Nodes, reachable

Term = tuple[Node, Letters, sp.Expr]  # of a sum: an array, the letters of its axes, a number


def with_hazards(roots: Iterable[Node], nodes: Nodes) -> dict[Node, Node]:
    """The plan with such exponentials written so, node by node; empty where there are none."""
    now: dict[Node, Node] = {}
    for node in reachable(roots):
        args = [now[arg] for arg in node.args]
        made = None
        if node.op == "call" and node.data[1] == "exp" and args[0].op == "add":
            made = _without_tail(node, args[0], nodes)
        now[node] = made or nodes.make(
            node.op, args, node.data, node.sizes, len(node.shape), node.hints
        )
    return {} if all(old is new for old, new in now.items()) else now


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


def _square(term: Term, base: Node, letters: Letters) -> sp.Expr | None:
    """c of a term c y²."""
    x, _, c = term
    if x.op == "product" and x.args == (base,) and x.data[0] == (letters,):
        factor, powers = x.data[1]
        return c * factor if powers == (2,) else None
    return None


def _product(
    node: Node, tail: Node, place: Letters, e: sp.Expr, rest: Sequence[Term], nodes: Nodes
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


__all__ = ["with_hazards"]
