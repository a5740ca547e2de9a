r"""The gradients of the worked example, by hand

The two queries and three keys of the worked example, with the upstream gradient $\bar O$ that is one in the
first component of the first output.  With $e = e^{1/\sqrt 2}$ and $Z = 1 + 2e$ everything is a fraction in $e$.
"""

import numpy as np
import sympy as sp

import symattn as sa
from symattn.carriers import exact
from symattn.evaluate import Evaluator
from symattn.model import model

source = "attention as a bilinear form, worked example 1, and its complete backward pass"

TEXT = r"""
<!-- symattn: sizes Q:(n_q,d) K:(n_k,d) V:(n_k,d_v) G:(n_q,d_v) -->
$$ S_{ij} = \frac{1}{\sqrt{d}} Q_{ia} K_{ja} $$
$$ A_{ij} = \frac{\exp(S_{ij})}{\sum_l \exp(S_{il})} $$
"""
system = sa.read(TEXT + r"$$ O_{ib} = A_{ij} V_{jb} $$")
# the five steps, written as definitions: from the upstream gradient G
steps = sa.read(
    TEXT
    + r"""
$$ B_{jb} = A_{ij} G_{ib} $$
$$ C_{ij} = G_{ib} V_{jb} $$
$$ D_{ij} = A_{ij} \left(C_{ij} - \sum_l A_{il} C_{il}\right) $$
$$ E_{ia} = \frac{1}{\sqrt{d}} D_{ij} K_{ja} $$
$$ F_{ja} = \frac{1}{\sqrt{d}} D_{ij} Q_{ia} $$
"""
)

results = {"Backward pass": sa.backward(system, output="O", wrt=("V", "A", "S", "Q", "K"))}

given = {
    "Q": [[1, 0], [0, 1]],
    "K": [[1, 0], [0, 1], [1, 1]],
    "V": [[2, 0], [0, 2], [1, 1]],
    "G": [[1, 0], [0, 0]],
}


def value(name):
    """The exact value of a step at the given numbers."""
    arrays = {n: np.array(sp.Matrix(rows).tolist()) for n, rows in given.items()}
    sizes = {"n_q": 2, "n_k": 3, "d": 2, "d_v": 2}
    found = Evaluator(arrays, sizes, exact(), model(steps)).definition(name)
    return sp.Matrix(found).applyfunc(sp.simplify)


e = sp.exp(1 / sp.sqrt(2))
Z = 1 + 2 * e
D = sp.Matrix([[e * (2 + e), -3 * e, e * (1 - e)], [0, 0, 0]]) / Z**2
by_hand = {
    "B": sp.Matrix([[e, 0], [1, 0], [e, 0]]) / Z,
    "C": sp.Matrix([[2, 0, 1], [0, 0, 0]]),
    "D": D,
    "E": D * sp.Matrix(given["K"]) / sp.sqrt(2),
    "F": D.T * sp.Matrix(given["Q"]) / sp.sqrt(2),
}
LABELS = {"B": "values", "C": "weights", "D": "scores", "E": "queries", "F": "keys"}
claims = [
    (f"The gradient of the {LABELS[n]}", value(n), matrix.applyfunc(sp.simplify))
    for n, matrix in by_hand.items()
]


def exhibits():
    """The gradients to three digits."""
    return [(f"Of the {LABELS[n]}", rf"{n} \approx {decimals(value(n))}") for n in by_hand]


def decimals(matrix):
    """A matrix with three digits behind the point, as LaTeX."""
    body = r" \\ ".join(" & ".join(f"{float(x):.3f}" for x in row) for row in matrix.tolist())
    return rf"\begin{{bmatrix}} {body} \end{{bmatrix}}"
