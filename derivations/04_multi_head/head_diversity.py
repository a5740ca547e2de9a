r"""How different heads are

The cosine between the weights of two heads, laid out as long vectors, is one for equal heads.
Diversity is one less the mean over pairs of different heads.  The mean over pairs is a single square:
the length of the sum of all normalised heads.
"""

import symattn as sa

source = (
    "J. Li et al., Multi-head attention with disagreement regularization, EMNLP 2018, section 3.2"
)

system = sa.read(r"""
<!-- symattn: sizes S:(H,n_q,n_k) -->
$$ A_{hij} = \frac{\exp(S_{hij})}{\sum_l \exp(S_{hil})} $$
$$ N_h = \sum_{ij} A_{hij}^2 $$
$$ B_{hij} = \frac{A_{hij}}{\sqrt{N_h}} $$
$$ C_{hg} = \sum_{ij} B_{hij} B_{gij} $$
$$ M_{ij} = \sum_h B_{hij} $$
$$ D = 1 - \frac{1}{H (H - 1)} \left(\sum_{hg} C_{hg} - \sum_h C_{hh}\right) $$
""")

results = {
    "The cosine": sa.backward(
        sa.System(*(system[x] for x in "ANBC")), output="C", wrt=("B", "A", "S")
    )
}

H, n_q, n_k = sa.sizes("H n_q n_k")
(h,), (i,), (j,) = sa.indices("h", H), sa.indices("i", n_q), sa.indices("j", n_k)
own = sa.define("G", (h,), sa.total(system["B"][h, i, j] ** 2, i, j))

claims = [
    ("A head is like itself", own[h], 1, sa.System(*system, own)),
    ("The cosine is symmetric", r"C_{hg} = C_{gh}"),
    (
        "The mean over pairs from one sum over heads",
        r"D = 1 - \frac{1}{H (H - 1)} \left(\sum_{ij} M_{ij}^2 - H\right)",
    ),
]
