"""The work of a plan as formulas in the sizes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import sympy as sp

from .nodes import Node, reachable


@dataclass(frozen=True)
class Cost:
    """Formulas in the sizes of one call.

    flops    floating-point operations, a multiplication and an addition counting as two
    bytes    what contractions and reductions read and write, in float32
    largest  the entries of the largest array between inputs and results
    """

    flops: sp.Expr
    bytes: sp.Expr
    largest: sp.Expr

    def __str__(self) -> str:
        return f"flops    {self.flops}\nbytes    {self.bytes}\nlargest  {self.largest} entries"


def entries(node: Node) -> sp.Expr:
    """How many numbers a node holds."""
    return sp.Mul(*node.shape)


def flops(node: Node) -> sp.Expr:
    """The operations of one node."""
    points = sp.Mul(*node.sizes)
    if node.op in ("input", "literal", "compare", "gather", "arrange"):
        return sp.S.Zero
    if node.op == "einsum":
        return points * (2 if len(node.args) > 1 else 1)
    if node.op == "product":
        factors = [a for a in node.args if a.op != "compare"]
        return points * max(0, len(factors) - 1 + (node.data[1][0] not in (1, -1)))
    if node.op in ("add", "maximum"):
        return points * (len(node.args) - 1)
    return points


def cost_of(results: Sequence[Node]) -> Cost:
    """The cost of everything below the results."""
    roots = set(results)
    nodes = list(reachable(results))
    heavy = [n for n in nodes if n.op in ("einsum", "max", "gather") or n in roots]
    moved = sum((entries(n) + sum(entries(a) for a in n.args) for n in heavy), sp.S.Zero)
    between = {entries(n) for n in nodes if n.op not in ("input", "compare") and n not in roots}
    return Cost(
        sp.factor_terms(sp.expand(sum((flops(n) for n in nodes), sp.S.Zero))),
        sp.factor_terms(4 * sp.expand(moved)),
        sp.Max(*between, sp.S.One),
    )
