r"""The temperature table of $S = (2, 1, 0)$

Weights and entropy at $T = 0.25, 0.5, 1, 2$ and $\infty$, exact and rounded.  With $x = e^{-1/T}$ the weights
are $(1, x, x^2)/(1 + x + x^2)$.  The rows that the source prints for $T = 0.25$, $0.5$ and $2$ are not these,
rounded, and are refuted.
"""

import sympy as sp

import symattn as sa
from symattn.carriers import exact
from symattn.evaluate import Evaluator
from symattn.model import model

source = "attention as a bilinear form, worked example 2: scores (2, 1, 0) at several temperatures"

system = sa.read(r"""
<!-- symattn: sizes S:(n); positive T -->
$$ A_j = \frac{\exp(S_j / T)}{\sum_l \exp(S_l / T)} $$
$$ H = -\sum_j A_j \log(A_j) $$
""")

TEMPERATURES = [sp.Rational(1, 4), sp.Rational(1, 2), sp.Integer(1), sp.Integer(2), sp.oo]
T = sp.Symbol("T", positive=True)
x = sp.exp(-1 / T)
weights = sp.Matrix([1, x, x**2]) / (1 + x + x**2)


def at(name, t):
    """The exact value of a definition; for T = ∞ the limit."""
    import numpy as np

    if t is sp.oo:
        found = np.ravel(at(name, T))
        return sp.Matrix([sp.limit(entry, T, sp.oo) for entry in found])
    arrays = {"S": np.array([sp.Integer(s) for s in (2, 1, 0)]), "T": t}
    found = Evaluator(arrays, {"n": 3}, exact(), model(system)).definition(name)
    return sp.Matrix(list(np.ravel(found).tolist()))


claims = [
    *((f"Weights at T = {t}", at("A", t), weights.subs(T, t)) for t in TEMPERATURES[:-1]),
    (
        "The weights at T = 1, in thousandths",
        at("A", 1).applyfunc(lambda w: sp.floor(1000 * w + sp.Rational(1, 2))),
        sp.Matrix([665, 245, 90]),
    ),
    ("Weights at T = ∞", at("A", sp.oo), sp.ones(3, 1) / 3),
    ("Entropy at T = ∞", at("H", sp.oo), sp.Matrix([sp.log(3)])),
]


def rounded(entry, digits):
    """A number with so many digits behind the point."""
    return f"{float(entry):.{digits}f}"


PRINTED = {"1/4": (997, 3, 0), "1/2": (876, 118, 6), "2": (474, 316, 211)}
refuted = [
    (
        f"The printed weights at T = {t}, in thousandths",
        at("A", sp.Rational(t)).applyfunc(lambda w: sp.floor(1000 * w + sp.Rational(1, 2))),
        sp.Matrix(row),
    )
    for t, row in PRINTED.items()
]


def exhibits():
    """The table, rounded."""
    rows = []
    for t in TEMPERATURES:
        cells = [rounded(w, 3) for w in at("A", t)] + [rounded(at("H", t)[0], 3)]
        rows.append(" & ".join([sp.latex(t), *cells]))
    body = r" \\ ".join(rows)
    table = rf"\begin{{array}}{{c|ccc|c}} T & A_1 & A_2 & A_3 & H \\ \hline {body} \end{{array}}"
    return [("Weights and entropy", table)]
