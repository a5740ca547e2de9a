r"""Attention weights as a Gibbs distribution, and their free energy

At temperature $T$ the scores $S$ are negative energies, $Z$ is the partition function and $A$
the Gibbs distribution.  The free energy $F$ is the mean energy less $T$ times the entropy $H$; its
gradient gives the weights back, and its second derivative their covariance.
"""

import numpy as np
import sympy as sp

import symattn as sa
from symattn.carriers import exact
from symattn.evaluate import Evaluator
from symattn.model import model

source = "L. D. Landau and E. M. Lifshitz, Statistical Physics, part 1, sections 28 and 31"

(n,) = sa.sizes("n")
j, l, m = sa.indices("j l m", n)
S, T = sa.tensor("S", n), sa.tensor("T", positive=True)

Z = sa.define("Z", (), sa.total(sp.exp(S[j] / T), j))
F = sa.define("F", (), -T * sp.log(Z))
A = sa.define("A", (j,), sp.exp(S[j] / T) / Z)
E = sa.define("E", (), -sa.total(A[j] * S[j], j))
H = sa.define("H", (), -sa.total(A[j] * sp.log(A[j]), j))
system = sa.System(Z, F, A, E, H)

gradient = sa.jacobian(system, of="F", wrt="S")
second = sa.hessian(system, of="F", wrt="S")
results = {"Gradient": gradient, "Second derivative": second}


def at(name: str, *scores: int) -> list[sp.Expr]:
    """The exact components of a definition as functions of T, for explicit scores."""
    arrays = {"S": np.array([sp.Integer(s) for s in scores]), "T": T}
    value = Evaluator(arrays, {"n": len(scores)}, exact(), model(system)).definition(name)
    return list(np.ravel(value).tolist())


def cold(x: sp.Expr) -> sp.Limit:
    """The limit for T → 0⁺."""
    return sp.Limit(x, T, 0, "+")


def hot(x: sp.Expr) -> sp.Limit:
    """The limit for T → ∞."""
    return sp.Limit(x, T, sp.oo)


i, j = sa.indices("i j", n)
claims = [
    ("The free energy is the mean energy less T times the entropy", F, E - T * H),
    ("The gradient is −A", gradient.lhs, -A[j]),
    (
        "The second derivative is −(diag A − A Aᵀ)/T",
        second.lhs,
        -(sa.delta(i, j) * A[i] - A[i] * A[j]) / T,
    ),
    ("Cold: F of S = (0, 1, 3) is −max S", cold(at("F", 0, 1, 3)[0]), -3),
    ("Cold: the smallest score has no weight", cold(at("A", 0, 1, 3)[0]), 0),
    ("Cold: the largest score has all", cold(at("A", 0, 1, 3)[2]), 1),
    ("Cold: two largest scores share", cold(at("A", 0, 2, 2)[1]), sp.Rational(1, 2)),
    ("Cold: the entropy counts the largest scores", cold(at("H", 0, 2, 2)[0]), sp.log(2)),
    ("Hot: the smallest score has an equal weight", hot(at("A", 0, 1, 3)[0]), sp.Rational(1, 3)),
    ("Hot: the largest score has an equal weight", hot(at("A", 0, 1, 3)[2]), sp.Rational(1, 3)),
    ("Hot: the entropy is log n", hot(at("H", 0, 1)[0]), sp.log(2)),
]
