r"""Attention of two queries to three keys, by hand

The queries are the unit vectors, so the scores are the entries of $K$ over $\sqrt 2$, and every
weight is a fraction in $e^{1/\sqrt 2}$.  All values are exact; decimals are rounded at the end.
"""

import numpy as np
import sympy as sp

import symattn as sa
from symattn.carriers import exact
from symattn.evaluate import Evaluator
from symattn.model import model

source = "attention as a bilinear form, worked example 1: two queries and three keys"

n_q, n_k, d_k, d_v = sa.sizes("n_q n_k d_k d_v")
(i,), (j, l) = sa.indices("i", n_q), sa.indices("j l", n_k)
(a,), (b,) = sa.indices("a", d_k), sa.indices("b", d_v)
Q, K, V = sa.tensor("Q", n_q, d_k), sa.tensor("K", n_k, d_k), sa.tensor("V", n_k, d_v)

S = sa.define("S", (i, j), Q[i, a] * K[j, a] / sp.sqrt(d_k))
A = sa.define("A", (i, j), sp.exp(S[i, j]) / sa.total(sp.exp(S[i, l]), l))
O = sa.define("O", (i, b), A[i, j] * V[j, b])
system = sa.System(S, A, O)

given = {
    "Q": [[1, 0], [0, 1]],
    "K": [[1, 0], [0, 1], [1, 1]],
    "V": [[2, 0], [0, 2], [1, 1]],
}


def value(name: str) -> sp.Matrix:
    """The exact value of a tensor at the given numbers."""
    arrays = {n: np.array(sp.Matrix(rows).tolist()) for n, rows in given.items()}
    sizes = {"n_q": 2, "n_k": 3, "d_k": 2, "d_v": 2}
    found = Evaluator(arrays, sizes, exact(), model(system)).definition(name)
    return sp.Matrix(found).applyfunc(sp.simplify)


e = sp.exp(1 / sp.sqrt(2))
by_hand = {
    "S": sp.Matrix([[1, 0, 1], [0, 1, 1]]) / sp.sqrt(2),
    "A": sp.Matrix([[e, 1, e], [1, e, e]]) / (1 + 2 * e),
    "O": sp.Matrix([[3 * e, 2 + e], [2 + e, 3 * e]]) / (1 + 2 * e),
}
claims = [(name, value(name), matrix) for name, matrix in by_hand.items()]


def exhibits() -> list[tuple[str, str]]:
    """The given arrays, and the values of S, A and O to three digits."""
    rows = [(name, f"{name} = {sp.latex(sp.Matrix(m))}") for name, m in given.items()]
    return rows + [(f"{n}, rounded", f"{n} \\approx {decimals(value(n))}") for n in by_hand]


def decimals(matrix: sp.Matrix) -> str:
    """A matrix with three digits behind the point, as LaTeX."""
    body = r" \\ ".join(" & ".join(f"{float(x):.3f}" for x in row) for row in matrix.tolist())
    return rf"\begin{{bmatrix}} {body} \end{{bmatrix}}"
