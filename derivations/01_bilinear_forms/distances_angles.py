r"""Distances, angles, and why a dot product is a similarity

With a metric, $|u|^2 = u^a g_{ab} u^b$, and the distance of two points and the inner product say the
same once lengths are known.  In attention the length of the query does not matter, since it is the
same for all keys; so if all keys are of one length, softmax over scores is softmax over
$-\tfrac{1}{2}$ distance$^2$, a Gaussian kernel.
"""

import symattn as sa

source = (
    "R. M. Wald, General Relativity, 1984, section 2.3; for the Gaussian kernel, "
    "Y.-H. H. Tsai et al., Transformer dissection, EMNLP 2019, section 3.1"
)

system = sa.read(r"""
<!-- symattn: sizes u:(d) v:(d) g:(d,d) q:(d) K:(n,d); symmetric g -->
$$ d_2 = (u_a - v_a) g_{ab} (u_b - v_b) $$
$$ p = u_a g_{ab} v_b $$
$$ N = u_a g_{ab} u_b $$
$$ M = v_a g_{ab} v_b $$
$$ B_j = -\frac12 (q_a - K_{ja}) g_{ab} (q_b - K_{jb}) $$
$$ A_j = \frac{\exp(B_j)}{\sum_l \exp(B_l)} $$
""")

results = {"The distance": sa.jacobian(system, of="d_2", wrt="u")}

claims = [
    ("Polarisation", r"d_2 = N + M - 2 p"),
    (
        "The law of the parallelogram",
        r"(u_a + v_a) g_{ab} (u_b + v_b) + d_2 = 2 N + 2 M",
    ),
    (
        "The law of cosines",
        r"d_2 = N + M - 2 \sqrt{N} \sqrt{M} \frac{p}{\sqrt{N} \sqrt{M}}",
    ),
    ("The gradient of the distance", r"\frac{\partial d_2}{\partial u_a} = 2 g_{ab} (u_b - v_b)"),
    (
        "A Gaussian kernel is a softmax of scores, less half the length of each key",
        r"A_j = \frac{\exp\left(q_a g_{ab} K_{jb} - \frac12 K_{ja} g_{ab} K_{jb}\right)}"
        r"{\sum_l \exp\left(q_a g_{ab} K_{lb} - \frac12 K_{la} g_{ab} K_{lb}\right)}",
    ),
]

refuted = [
    (
        "A Gaussian kernel is a softmax of scores, whatever the lengths of keys",
        r"A_j = \frac{\exp\left(q_a g_{ab} K_{jb}\right)}{\sum_l \exp\left(q_a g_{ab} K_{lb}\right)}",
    ),
]
