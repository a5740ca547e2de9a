"""Random systems: contractions, functions, tables at affine indices, masks, sizes as numbers."""

from __future__ import annotations

from random import Random
from typing import Any

import sympy as sp

import symattn.syntax as sa
from symattn.primitives import sigmoid, softplus

n, m, d = sa.sizes("n m d")
ROWS, COLUMNS, FEATURES = sa.indices("i k p", n), sa.indices("j l", m), sa.indices("a b", d)
LETTERS = (*ROWS, *COLUMNS, *FEATURES)
X, Y, Z = sa.tensor("X", n, d), sa.tensor("Y", m, d), sa.tensor("Z", n, m)
W, R, G = sa.tensor("W", n, n), sa.tensor("R", 2 * n - 1), sa.tensor("G", 2 * n - 1, d)
H, E = sa.tensor("H", n + m), sa.tensor("E", n + m, d)
u, v, w, s = sa.tensor("u", n), sa.tensor("v", m), sa.tensor("w", d), sa.tensor("s")
positive = sa.tensor("q", n, m, positive=True)
RESULTS = [(), ROWS[:1], COLUMNS[:1], (ROWS[0], FEATURES[0]), (ROWS[0], COLUMNS[0]), ROWS[:2]]


def leaf(draw: Random) -> Any:
    x, y = draw.sample(ROWS, 2)
    q, f = draw.choice(COLUMNS), draw.choice(FEATURES)
    return draw.choice(
        [X[x, f], Y[q, f], Z[x, q], W[x, y], W[x, x], u[x], v[q], w[f], s, positive[x, q],
         X[x, f] - Y[q, f], X[x, f] - X[y, f], R[x - y + n - 1], G[x - y + n - 1, f],
         R[x + n - 1], R[n - 1 - x], R[n - 1], H[x + q], H[q + n], E[q + n, f], u[n - 1 - x],
         sa.iverson(y <= x), sa.iverson(q <= x), sa.iverson(q + 1 <= x), sa.iverson(x + q < n),
         sa.delta(x, y), sa.delta(x + 1, y), sa.delta(x, n - 1 - y), n, 1 / sp.sqrt(m),
         sp.Integer(2)]
    )  # fmt: skip


def expression(draw: Random, depth: int = 2) -> Any:
    if depth == 0 or draw.random() < 0.2:
        return leaf(draw)
    e = expression(draw, depth - 1)
    match draw.randrange(10):
        case 0 | 1 | 2:
            return e * expression(draw, depth - 1)
        case 3 | 4:
            return e - 2 * expression(draw, depth - 1)
        case 5:
            return draw.choice([sp.tanh, sigmoid, softplus, sp.cos])(e)
        case 6:
            return sp.exp(e / 3)
        case 7:
            return e**2
        case 8:
            return 1 / (2 + e**2)
    gone = [x for x in LETTERS if x in e.atoms(sp.Idx)]
    return sa.total(e, *draw.sample(gone, min(len(gone), draw.choice([1, 2])))) if gone else e


def summed(expr: Any, kept: Any) -> Any:
    """The sum over all letters but those that are kept."""
    expr = sp.sympify(expr)
    gone = [x for x in LETTERS if x in expr.atoms(sp.Idx) and x not in kept]
    bound = {x for total in expr.atoms(sp.Sum) for x, *_ in total.limits}
    gone = [x for x in gone if x not in bound]
    return sa.total(expr, *gone) if gone else expr


def system(draw: Random) -> sa.System:
    """One to three definitions, the last of which is F."""
    (i, k, _), (j, l), (a, _) = ROWS, COLUMNS, FEATURES
    free = draw.choice(RESULTS)
    kind = draw.randrange(5)
    if kind == 0:
        return sa.System(sa.define("F", free, summed(expression(draw, 3), free)))
    if kind == 1:  # a weighted mean of rows, masks in the weights or behind them
        score = summed(expression(draw), (i, k))
        hold = draw.choice([1, 1, sa.iverson(k <= i), sa.iverson(k < i), sa.iverson(k + j <= i)])
        body = hold * sp.exp(score + (v[j] if sp.sympify(hold).has(j) else 0))
        over = (k, j) if sp.sympify(body).has(j) else (k,)
        P = sa.define("P", (i, *over), body / (sa.total(body, *over) + draw.choice([0, 0, 1])))
        last = sa.total(P[(i, *over)] * X[k, a], *over)
        return sa.System(P, sa.define("F", (i, a), last + draw.choice([0, X[i, a], n * w[a]])))
    if kind == 2:  # the logarithm of a sum of exponentials
        score, hold = summed(expression(draw), (i, j)), draw.choice([1, sa.iverson(j <= i)])
        Lz = sa.define("L", (i,), sp.log(sa.total(hold * sp.exp(score), j)))
        return sa.System(
            Lz, sa.define("F", (i, j), sp.exp(score - Lz[i]) * draw.choice([1, Z[i, j]]))
        )
    first = sa.define("D", (i, j), summed(expression(draw), (i, j)))
    D = first.__getitem__
    body = draw.choice(
        [
            D((i, l)) * expression(draw, 1),
            sp.tanh(D((i, j))) * expression(draw, 1),
            D((i, j)) ** 2 + expression(draw, 1),
            D((i, j)) - D((k, j)),
        ]
    )
    return sa.System(first, sa.define("F", free, summed(body, free)))
