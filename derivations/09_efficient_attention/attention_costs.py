r"""What attention costs

Counts as formulas, read off the compiled functions: multiplications and additions grow as
$n_q n_k (d_k + d_v)$, the largest array is $n_q \times n_k$.  Blockwise, the same work needs arrays of one
length only.  Linear attention with $r$ features works $n\, r\, d$ and stores $r \times d$.
"""

import sympy as sp

import symattn as sa

source = "T. Dao et al., FlashAttention, NeurIPS 2022, theorem 1; A. Katharopoulos et al., ICML 2020, section 3.2"

system = sa.read(r"""
<!-- symattn: sizes Q:(n_q,d_k) K:(n_k,d_k) V:(n_k,d_v) -->
$$ S_{ij} = \frac{1}{\sqrt{d_k}} Q_{ia} K_{ja} $$
$$ A_{ij} = \frac{\exp(S_{ij})}{\sum_l \exp(S_{il})} $$
$$ O_{ib} = A_{ij} V_{jb} $$
""")
linear = sa.read(r"""
<!-- symattn: sizes P:(n_q,r) R:(n_k,r) V:(n_k,d_v); positive P R -->
$$ M_{ab} = R_{ja} V_{jb} $$
$$ z_a = \sum_j R_{ja} $$
$$ O_{ib} = \frac{P_{ia} M_{ab}}{P_{ia} z_a} $$
""")

FUNCTIONS = {
    "Attention": sa.compile(system, output="O").cost,
    "Attention, backward": sa.compile(sa.backward(system, output="O", wrt=("Q", "K", "V"))).cost,
    "Linear attention": sa.compile(linear, output="O").cost,
    "Linear attention, backward": sa.compile(
        sa.backward(linear, output="O", wrt=("P", "R", "V"))
    ).cost,
}

n_q, n_k, d_k, d_v, r = sa.sizes("n_q n_k d_k d_v r")
n, d = sp.symbols("n d", positive=True, integer=True)


def leading(name: str, degree: int) -> sp.Limit:
    """Work for two lengths n and all widths d, where n is much larger than d, and d than 1."""
    same = FUNCTIONS[name].flops.subs({n_q: n, n_k: n, d_k: d, d_v: d, r: d})
    longest = sp.Poly(sp.expand(same), n).coeff_monomial(n**degree)
    return sp.Limit(longest / d ** (3 - degree), d, sp.oo)


claims = [
    ("Attention: work per n² d", leading("Attention", 2), 4),
    ("Backward: five products in place of two, per n² d", leading("Attention, backward", 2), 10),
    ("Linear attention: work per n d²", leading("Linear attention", 1), 4),
    ("and backward", leading("Linear attention, backward", 1), 12),
]


def exhibits():
    """The counts."""
    rows = []
    for name, cost in FUNCTIONS.items():
        rows.append((f"{name}: additions and multiplications", sp.latex(sp.expand(cost.flops))))
        rows.append((f"{name}: the largest array, in numbers", sp.latex(cost.largest)))
    return rows
