r"""Keys, queries, and how sharp retrieval is

A lecture's example: one query meets keys with scores 100 (a musician and a musician), $-50$ and 90.  In
softmax only differences count: 100 against 90 is $e^{10}$ to one, so nearly all weight is with the best
match, and a difference of 150 is beyond any number a computer holds.  Dividing by $\sqrt{d}$ brings
scores of this size back to where several keys are heard.
"""

import sympy as sp

import symattn as sa

source = "S. Morad, CISC 7026, University of Macau, lecture on attention, keys and queries"

system = sa.read(r"""
<!-- symattn: sizes q:(d) K:(n,d) -->
$$ s_i = q_a K_{ia} $$
$$ p_i = \frac{\exp(s_i)}{\sum_j \exp(s_j)} $$
$$ r_{ij} = \log(p_i / p_j) $$
""")

results = {"Weights": sa.jacobian(system, of="p", wrt="q")}

e = sp.exp
scores = sp.Matrix([100, -50, 90])
weights = scores.applyfunc(e) / sum(scores.applyfunc(e))

claims = [
    ("Odds know the difference of scores alone", r"r_{ij} = s_i - s_j"),
    (
        "In the query: towards the best keys, away from the mean",
        r"\frac{\partial p_i}{\partial q_a} = p_i \left(K_{ia} - \sum_j p_j K_{ja}\right)",
    ),
    (
        "The weights of the example",
        weights.applyfunc(sp.simplify),
        (sp.Matrix([1, e(-150), e(-10)]) / (1 + e(-150) + e(-10))).applyfunc(sp.simplify),
    ),
]
refuted = [("Odds know the ratio of scores", r"r_{ij} = \log(s_i^2 / s_j^2) / 2")]


def exhibits():
    """The weights, as they are and divided by √d for d = 64."""
    milder = (scores / 8).applyfunc(e) / sum((scores / 8).applyfunc(e))
    return [
        ("Scores 100, −50, 90", rf"p \approx {_decimals(weights)}"),
        ("The same over 8", rf"p \approx {_decimals(milder)}"),
    ]


def _decimals(column):
    return r"\left(" + r",\ ".join(f"{float(x):.6f}" for x in column) + r"\right)"
