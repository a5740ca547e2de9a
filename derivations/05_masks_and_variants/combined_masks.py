r"""Masks together: causal and padded

Two masks are one, by their product: what either hides is hidden.  Applying them one after the other,
each time cut off and normalised again, comes to the same in any order.  A mask from lengths is
$[j < \ell_b]$; here it is any array of weights that are not negative, so that its derivative may be
asked for, too.
"""

import symattn as sa

source = "A. Vaswani et al., Attention is all you need, NeurIPS 2017, section 3.2.3"

TEXT = r"""
<!-- symattn: sizes S:(B,n,n) P:(B,n) V:(B,n,d) A:(B,n,n) D:(B,n,n) E:(B,n,n); positive P -->
$$ A_{bij} = \frac{[j \le i] P_{bj} \exp(S_{bij})}{\sum_l [l \le i] P_{bl} \exp(S_{bil})} $$
"""
system = sa.read(TEXT + r"$$ O_{bic} = A_{bij} V_{bjc} $$")
apart = sa.read(
    TEXT
    + r"""
$$ D_{bij} = \frac{P_{bj} \exp(S_{bij})}{\sum_l P_{bl} \exp(S_{bil})} $$
$$ E_{bij} = \frac{[j \le i] \exp(S_{bij})}{\sum_l [l \le i] \exp(S_{bil})} $$
"""
)

results = {"Backward pass": sa.backward(system, output="O", wrt=("V", "S"))}

claims = [
    (
        "Padding first, then causal",
        r"A_{bij} = \frac{[j \le i] D_{bij}}{\sum_l [l \le i] D_{bil}}",
        apart,
    ),
    (
        "Causal first, then padding",
        r"A_{bij} = \frac{P_{bj} E_{bij}}{\sum_l P_{bl} E_{bil}}",
        apart,
    ),
    ("Rows sum to one", r"\sum_j A_{bij} = 1"),
]

refuted = [
    ("Products of weights are enough", r"A_{bij} = D_{bij} E_{bij}", apart),
]


def heat_map(name):
    """Draws the weights of one fixed array of scores under a mask."""

    def draw(axes):
        import numpy as np

        n = 16
        i, j = np.indices((n, n))
        mask = {
            "causal": j <= i,
            "window": (j <= i) & (i - j < 4),
            "stride": (j <= i) & ((i - j) % 4 == 0),
            "global": (np.abs(i - j) < 3) | (i == 0) | (j == 0),
        }[name]
        scores = np.random.default_rng(0).normal(0, 1.5, (n, n))
        weights = np.where(mask, np.exp(scores), 0)
        weights /= weights.sum(axis=1, keepdims=True)
        shown = axes.imshow(weights, cmap="viridis", vmin=0, vmax=1)
        axes.set(xlabel="key j", ylabel="query i")
        axes.figure.colorbar(shown, ax=axes, label="weight")

    return draw


plots = {
    "Causal": heat_map("causal"),
    "A causal window": heat_map("window"),
    "A causal stride": heat_map("stride"),
    "Local and global": heat_map("global"),
}
