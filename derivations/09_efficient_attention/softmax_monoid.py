r"""Partial softmaxes form a monoid

What is kept of a block is a triple: a reference $m$, a normaliser $\ell$ below it, and an unnormalised
sum $o$.  Two triples merge by moving both to a common reference.  Merging is associative and
commutative up to the reference, which drops out of $\ell e^m$ and $o/\ell$; the empty block, with
$\ell = 0$ and $o = 0$, changes nothing.  So blocks may be worked off in any order, and in parallel.
"""

import symattn as sa

source = "M. Milakov and N. Gimelshein, Online normalizer calculation for softmax, 2018, section 3.1, equation 4"

system = sa.read(r"""
<!-- symattn: scalars m n; positive p q; sizes o:(d) u:(d) -->
$$ r = \max(m, n) $$
$$ s = p \exp(m - r) + q \exp(n - r) $$
$$ w_a = o_a \exp(m - r) + u_a \exp(n - r) $$
$$ y_a = \frac{w_a}{s} $$
""")
three = sa.read(r"""
<!-- symattn: scalars m n k; positive p q l; sizes o:(d) u:(d) v:(d) -->
$$ r = \max(m, n) $$
$$ s = p \exp(m - r) + q \exp(n - r) $$
$$ w_a = o_a \exp(m - r) + u_a \exp(n - r) $$
$$ f = \max(r, k) $$
$$ g = s \exp(r - f) + l \exp(k - f) $$
$$ h_a = w_a \exp(r - f) + v_a \exp(k - f) $$
$$ R = \max(n, k) $$
$$ S = q \exp(n - R) + l \exp(k - R) $$
$$ W_a = u_a \exp(n - R) + v_a \exp(k - R) $$
$$ F = \max(m, R) $$
$$ G = p \exp(m - F) + S \exp(R - F) $$
$$ H_a = o_a \exp(m - F) + W_a \exp(R - F) $$
""")

results = {
    "Backward pass": sa.backward(
        sa.System(system["r"], system["s"], system["w"], system["y"]),
        output="y",
        wrt=("w", "s", "o", "p"),
    )
}


claims = [
    ("The reference drops out of the normaliser", r"s \exp(r) = p \exp(m) + q \exp(n)"),
    ("and of the mean", r"y_a = \frac{o_a \exp(m) + u_a \exp(n)}{p \exp(m) + q \exp(n)}"),
    ("Associative: the reference", r"f = F", three),
    ("Associative: the normaliser", r"g = G", three),
    ("Associative: the sum", r"h_a = H_a", three),
    (
        "No gradient through the reference",
        r"\frac{\partial y_a}{\partial o_b} = \delta_{ab} \frac{\exp(m)}{p \exp(m) + q \exp(n)}",
    ),
]

refuted = [
    ("Normalisers may be added as they are", r"s \exp(r) = (p + q) \exp(r)"),
]


def draw_running_state(axes):
    """Reference, logarithm of the normaliser, and mean, one score after the other."""
    import numpy as np

    rng = np.random.default_rng(3)
    scores, values = rng.normal(0, 2, 40), np.sin(np.arange(40) / 6)
    m, l, o, rows = -np.inf, 0.0, 0.0, []
    for x, v in zip(scores, values, strict=True):
        new = max(m, x)
        l = l * np.exp(m - new) + np.exp(x - new)
        o = o * np.exp(m - new) + v * np.exp(x - new)
        m = new
        rows.append((m, m + np.log(l), o / l))
    steps = np.arange(1, 41)
    axes.plot(steps, scores, ".", color="0.7", label="scores")
    for row, label in zip(np.array(rows).T, ("reference m", "m + log ℓ", "mean o/ℓ"), strict=True):
        axes.step(steps, row, where="mid", label=label)
    axes.set(xlabel="scores seen")
    axes.legend(frameon=False, ncols=2)


plots = {"The running state": draw_running_state}
