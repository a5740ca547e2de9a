"""The signs of a metric along its coordinates, from values at points drawn at random."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Sequence

import sympy as sp
from sympy.core.function import AppliedUndef

from ..errors import UnsupportedError

DRAWS, SEED = 24, 0


def signatures(coordinates: Sequence[sp.Symbol], matrix: sp.ImmutableMatrix) -> list[str]:
    """Signs of pivots of g at the points drawn, one for every coordinate, the commonest first.

    Undefined functions and their derivatives are drawn like symbols, from positive numbers.
    """
    unknown = matrix.atoms(AppliedUndef, sp.Derivative, sp.Subs)
    stand_ins = {e: sp.Dummy(positive=True) for e in sorted(unknown, key=sp.default_sort_key)}
    plain = matrix.xreplace(stand_ins)
    symbols = sorted(plain.free_symbols - set(stand_ins.values()), key=lambda s: s.name)
    draw, counts = random.Random(SEED), Counter[str]()
    for k in range(DRAWS):
        scale = (50, 1000)[k % 2]  # of order one, and small
        at = {
            s: sp.Integer(draw.randint(1, 6))
            if s.is_integer
            else sp.Rational(draw.randint(10, 200), scale)
            for s in (*symbols, *stand_ins.values())
        }
        if found := _signs(plain.subs(at)):
            counts[found] += 1
    if not counts:
        raise UnsupportedError(
            "the signature is not found: the metric has no real values at the points drawn",
            formula=str(matrix.tolist()),
        )
    kinds = Counter[str]()
    for found, n in counts.items():
        kinds["".join(sorted(found))] += n
    return sorted(counts, key=lambda s: (-kinds["".join(sorted(s))], -counts[s], s))


def _signs(matrix: sp.ImmutableMatrix) -> str:
    """The signs of pivots, the largest diagonal entry first; empty where they are not real."""
    import numpy as np

    n = matrix.shape[0]
    try:
        values = np.array([[complex(sp.N(matrix[i, j])) for j in range(n)] for i in range(n)])
    except TypeError:
        return ""
    scale = np.max(np.abs(values))
    if not np.isfinite(scale) or np.max(np.abs(values.imag)) > 1e-9 * scale:
        return ""
    rest, left, signs = values.real, list(range(n)), ["?"] * n
    while left:
        pivot = max(left, key=lambda k: abs(rest[k, k]))
        i, j = max(((p, q) for p in left for q in left), key=lambda at: abs(rest[at]))
        null = abs(rest[pivot, pivot]) < 1e-3 * abs(rest[i, j])
        used = [i, j] if null else [pivot]
        block = rest[np.ix_(used, used)]
        if abs(np.linalg.det(block)) < 1e-12 * scale ** len(used):
            return ""
        if null:  # two directions that are nearly null: one of each sign
            signs[i], signs[j] = "-", "+"
        else:
            signs[pivot] = "+" if rest[pivot, pivot] > 0 else "-"
        rest = rest - rest[:, used] @ np.linalg.inv(block) @ rest[used, :]
        left = [k for k in left if k not in used]
    return "".join(signs)
