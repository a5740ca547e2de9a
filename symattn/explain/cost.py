"""What an expression costs a reader: the measure by which a form of a result is chosen.

The cost counts what is printed:

    a name 2 (a scalar or a number under a root 1), and 1 more for each index that is not a letter
    δ 2, a mask 3, a function 2 and its argument
    a sum 2 and one for every further letter below it, and its body
    a bracket 1 and what stands in it, an exponent 2, one over 2 costs 3, a root 2, a fraction 1
    every term after the first 1, a coefficient other than 1 one, a fraction two
    a sign in front 1, and 3 where every term of several has one

Names are cheaper than what they stand for, so definitions are recognised; brackets cost less than
what is repeated without them, so common factors come out.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from ..ir import (
    CACHE,
    Affine,
    Argmax,
    Call,
    Delta,
    Index,
    Mask,
    Max,
    Num,
    Poly,
    Rational,
    Ref,
    Sum,
    Term,
    magnitude,
)
from .notation import position


@lru_cache(maxsize=CACHE)
def cost(node: Any) -> int:
    """The cost of an expression, raw or normal."""
    match node:
        case Ref():
            indices = sum(not isinstance(s, Index) for s in node.slots)
            partial = 3 if node.tensor.parts else 0
            return (2 if node.slots else 1) + indices + partial
        case Delta():
            return 2 + isinstance(node.a, Affine) + isinstance(node.b, Affine)
        case Mask():
            return 3
        case Num():
            return 1
        case Call():
            return 2 + sum(map(cost, node.args))
        case Sum() if position(node):
            return 1
        case Sum():
            return 1 + len(node.bound) + cost(node.body)
        case Max() | Argmax():
            inside = node.args if isinstance(node, Max) else (node.body,)
            return 2 + len(node.bound) + sum(map(cost, inside)) + isinstance(node, Argmax)
        case Term():
            bar = any(e < 0 for _, e in node)
            return bar + sum(_power(a, e) for a, e in node)
        case Poly():
            if not node.terms:
                return 1
            terms = sum(cost(t) + _coefficient(c, bool(t.powers)) for t, c in node)
            lead = (1 if len(node.terms) == 1 else 3) * (not any(c > 0 for _, c in node))
            return terms + len(node.terms) - 1 + lead
    raise AssertionError(node)


def _power(atom: Any, e: Rational) -> int:
    e = magnitude(e)
    root = 0 if isinstance(e, int) else 2
    exponent = min(int(e), 3) if e > 1 and not root else int(e.numerator != 1)
    return cost(atom) + root + exponent + isinstance(atom, Poly)


def _coefficient(c: Rational, factors: bool) -> int:
    c = magnitude(c)
    if not factors:
        return 1 + (c.denominator != 1)
    return (c != 1) + (c.denominator != 1)
