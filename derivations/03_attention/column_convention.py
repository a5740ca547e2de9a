r"""The convention of columns: $V \,\mathrm{softmax}(K^\top Q)$

Some texts write positions as columns.  Then scores are $K^\top Q$, softmax runs over each column, and
the output is $V$ times it.  With transposed arrays it is the textbook form, transposed; with softmax
over rows it is something else, since the normaliser would run over queries.
"""

import symattn as sa

source = "S. Morad, CISC 7026, University of Macau, lecture on attention, which shows both forms"

system = sa.read(r"""
<!-- symattn: sizes Q:(d,n_q) K:(d,n_k) V:(d_v,n_k) -->
$$ P_{ji} = \frac{1}{\sqrt{d}} K_{aj} Q_{ai} $$
$$ B_{ji} = \frac{\exp(P_{ji})}{\sum_l \exp(P_{li})} $$
$$ Y_{bi} = V_{bj} B_{ji} $$
""")

results = {"Backward pass": sa.backward(system, output="Y", wrt=("V", "B", "P", "Q", "K"))}

textbook = sa.read(r"""
<!-- symattn: sizes Q:(d,n_q) K:(d,n_k) V:(d_v,n_k) -->
$$ P_{ji} = \frac{1}{\sqrt{d}} K_{aj} Q_{ai} $$
$$ B_{ji} = \frac{\exp(P_{ji})}{\sum_l \exp(P_{li})} $$
$$ Y_{bi} = V_{bj} B_{ji} $$
$$ q_{ia} = Q_{ai} $$
$$ k_{ja} = K_{aj} $$
$$ v_{jb} = V_{bj} $$
$$ S_{ij} = \frac{1}{\sqrt{d}} q_{ia} k_{ja} $$
$$ A_{ij} = \frac{\exp(S_{ij})}{\sum_l \exp(S_{il})} $$
$$ O_{ib} = A_{ij} v_{jb} $$
""")

claims = [
    ("Transposed it is the textbook form", r"Y_{bi} = O_{ib}", textbook),
    ("The weights are transposed too", r"B_{ji} = A_{ij}", textbook),
    ("Columns sum to one", r"\sum_j B_{ji} = 1"),
    (
        "In the values",
        r"\frac{\partial L}{\partial V_{bj}} = \sum_i \frac{\partial L}{\partial Y_{bi}} B_{ji}",
    ),
]

refuted = [
    ("Rows sum to one", r"\sum_i B_{ji} = 1"),
    (
        "Softmax over rows gives the same",
        r"B_{ji} = \frac{\exp(P_{ji})}{\sum_m \exp(P_{jm})}",
    ),
]
