"""The signs of a metric along its coordinates, from values at points drawn at random."""

from __future__ import annotations

from collections.abc import Sequence

import sympy as sp
from sympy.core.function import AppliedUndef

from ..errors import UnsupportedError

DRAWS = 8
POINT = [sp.Rational(k, 97) for k in (53, 61, 71, 83, 101, 107, 113, 127, 131, 137, 139)]


def signature(coordinates: Sequence[sp.Symbol], matrix: sp.ImmutableMatrix) -> str:
    """One sign for every coordinate: those of the pivots of g, first pivots on the diagonal.

    Counts are the same at every point that is reached without det g = 0; of several points, what
    most of them have is taken.
    """
    functions = sorted(matrix.atoms(AppliedUndef), key=str)
    symbols = sorted(matrix.free_symbols | set(coordinates), key=lambda s: (s.name, hash(s)))
    counts: dict[str, int] = {}
    for draw in range(DRAWS):
        values = {
            f: sp.Symbol(f"{f.func}", positive=True) for f in functions
        }
        plain = matrix.xreplace(values)
        chosen = [*symbols, *values.values()]
        at = {s: POINT[(draw * 5 + 3 * k) % len(POINT)] + draw * (k + 1) % 3 for k, s in
              enumerate(chosen)}
        found = _signs(plain.subs(at))
        if found:
            counts[found] = counts.get(found, 0) + 1
    if not counts:
        raise UnsupportedError(
            "the signature is not found: the metric has no real values at the points drawn",
            formula=str(matrix.tolist()),
        )
    return max(counts, key=lambda s: counts[s])


def _signs(matrix: sp.ImmutableMatrix) -> str:
    """The signs of pivots, the largest diagonal entry first; empty where they are not real."""
    n = matrix.shape[0]
    try:
        work = [[complex(sp.N(matrix[i, j], 30)) for j in range(n)] for i in range(n)]
    except TypeError:
        return ""
    if any(abs(z.imag) > 1e-12 or z != z for row in work for z in row):
        return ""
    import numpy as np

    rest, left = np.array(work).real, list(range(n))
    signs = ["?"] * n
    while left:
        pivot = max(left, key=lambda k: abs(rest[k, k]))
        i, j = max(((p, q) for p in left for q in left), key=lambda at: abs(rest[at]))
        if abs(rest[pivot, pivot]) < 1e-3 * abs(rest[i, j]):  # a null pair is one of each sign
            block = rest[np.ix_([i, j], [i, j])]
            if abs(np.linalg.det(block)) < 1e-12:
                return ""
            signs[i], signs[j] = ("-", "+") if np.linalg.det(block) < 0 else ("", "")
            used = [i, j]
        else:
            used = [pivot]
            signs[pivot] = "+" if rest[pivot, pivot] > 0 else "-"
        inverse = np.linalg.inv(rest[np.ix_(used, used)])
        rest = rest - rest[:, used] @ inverse @ rest[used, :]
        left = [k for k in left if k not in used]
    return "".join(signs)
