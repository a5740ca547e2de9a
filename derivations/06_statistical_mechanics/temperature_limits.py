r"""Cold and hot attention

As $T \to 0^+$ all weight goes to the largest score, and where several are largest they share it; as
$T \to \infty$ all weights become equal.  Below, $m$ is the largest score of three and the others are
$a$ and $b$ below it, for all positive $a$ and $b$: the limit does not depend on them.  The free energy
tends to $-m$, and to $-T \log 3$ less the mean score.  For every number of scores the limits are
proved where the largest is unique, and the free energy is within $T \log n$ of minus the largest.
"""

import sympy as sp

import symattn as sa

source = "B. Gao and L. Pavel, On the properties of the softmax function, 2017, section III"

system = sa.read(r"""
<!-- symattn: sizes S:(n); positive T -->
$$ A_j = \frac{\exp(S_j / T)}{\sum_l \exp(S_l / T)} $$
$$ B_j = \frac{\exp((S_j - c) / T)}{\sum_l \exp((S_l - c) / T)} $$
$$ H = -\sum_j A_j \log A_j $$
$$ U = -\sum_j A_j S_j $$
$$ F = -T \log \sum_j \exp(S_j / T) $$
""")

results = {"Towards other temperatures": sa.jacobian(system, of="A", wrt="T")}

T, a, b = sp.symbols("T a b", positive=True)
m = sp.Symbol("m", real=True)


def weight(gaps: list[sp.Expr], k: int) -> sp.Expr:
    """The weight of the score that is gaps[k] below the largest one."""
    return sp.exp(-gaps[k] / T) / sp.Add(*(sp.exp(-gap / T) for gap in gaps))


def free_energy(gaps: list[sp.Expr]) -> sp.Expr:
    """−T log Z with the largest score taken out."""
    return -m - T * sp.log(sp.Add(*(sp.exp(-gap / T) for gap in gaps)))


alone, tied = [sp.S.Zero, a, b], [sp.S.Zero, sp.S.Zero, a]
claims = [
    ("Hot: weights are equal", r"\lim_{T \to \infty} A_j = \frac1n"),
    ("Hot: entropy is largest", r"\lim_{T \to \infty} H = \log n"),
    ("Hot: the mean energy", r"\lim_{T \to \infty} U = -\frac1n \sum_j S_j"),
    ("Cold: the largest score", r"\lim_{T \to 0^+} A_j = [j = \operatorname{argmax}_k S_k]"),
    ("Cold: the mean energy", r"\lim_{T \to 0^+} U = -\max_j S_j"),
    ("Cold: the free energy, also with ties", r"\lim_{T \to 0^+} F = -\max_j S_j"),
    ("At any temperature", r"-\max_j S_j - T \log n \le F \le -\max_j S_j"),
    ("The largest score may be taken out", r"A_j = B_j"),
    ("Cold: the largest score has all weight", sp.Limit(weight(alone, 0), T, 0, "+"), 1),
    ("Cold: another has none", sp.Limit(weight(alone, 1), T, 0, "+"), 0),
    ("Cold: two largest share", sp.Limit(weight(tied, 0), T, 0, "+"), sp.Rational(1, 2)),
    ("Cold: a third has none", sp.Limit(weight(tied, 2), T, 0, "+"), 0),
    (
        "Cold: the free energy is minus the largest score",
        sp.Limit(free_energy(alone), T, 0, "+"),
        -m,
    ),
    ("Hot: all are equal", sp.Limit(weight(alone, 0), T, sp.oo), sp.Rational(1, 3)),
    ("Hot: the smaller ones too", sp.Limit(weight(alone, 2), T, sp.oo), sp.Rational(1, 3)),
    (
        "Hot: the free energy is the mean of energies, less T log 3",
        sp.Limit(free_energy(alone) + T * sp.log(3), T, sp.oo),
        -m + (a + b) / 3,
    ),
]
refuted = [
    ("Cold: the free energy is the mean score", r"\lim_{T \to 0^+} F = -\frac1n \sum_j S_j"),
    ("Cold: two largest have all weight each", sp.Limit(weight(tied, 0), T, 0, "+"), 1),
]


def draw_weights(axes):
    """The weights of S = (2, 1, 0)."""
    import numpy as np

    t = np.geomspace(0.1, 20, 200)
    scores = np.array([2.0, 1.0, 0.0])
    w = np.exp(scores[:, None] / t)
    w /= w.sum(axis=0)
    for score, row in zip(scores, w, strict=True):
        axes.semilogx(t, row, label=f"S = {score:.0f}")
    axes.set(xlabel="temperature T", ylabel="weight", ylim=(0, 1))
    axes.legend(frameon=False)


def draw_thermodynamics(axes):
    """Entropy, free energy and heat capacity of S = (2, 1, 0)."""
    import numpy as np

    t = np.geomspace(0.1, 20, 200)
    energies = -np.array([2.0, 1.0, 0.0])[:, None]
    z = np.exp(-energies / t).sum(axis=0)
    w = np.exp(-energies / t) / z
    mean = (w * energies).sum(axis=0)
    variance = (w * energies**2).sum(axis=0) - mean**2
    axes.semilogx(t, -(w * np.log(w)).sum(axis=0), label="entropy H")
    axes.semilogx(t, variance / t**2, label="heat capacity C")
    axes.semilogx(t, np.maximum(-t * np.log(z), -5), label="free energy F")
    axes.set(xlabel="temperature T", ylim=(-5, 1.5))
    axes.legend(frameon=False)


plots = {
    "Weights against temperature": draw_weights,
    "Entropy, heat capacity and free energy": draw_thermodynamics,
}
