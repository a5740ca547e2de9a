r"""Strides and blocks

Attention over every $s$-th key, and attention within blocks.  A position is numbered by two letters,
$i = (t, p)$: block $t$ and place $p$ within.  Then a block pattern is $\delta_{t u}$, a stride
is $\delta_{p q}$, and both are attention with one letter more: no weight is computed that would be
masked.
"""

import symattn as sa

source = "R. Child et al., Generating long sequences with sparse transformers, 2019, section 4.2"

system = sa.read(r"""
<!-- symattn: sizes Q:(T,s,d) K:(T,s,d) V:(T,s,c) -->
$$ S_{tpuq} = Q_{tpa} K_{uqa} $$
$$ A_{tpuq} = \frac{\delta_{tu} \exp(S_{tpuq})}{\sum_{vr} \delta_{tv} \exp(S_{tpvr})} $$
$$ B_{tpuq} = \frac{\delta_{pq} \exp(S_{tpuq})}{\sum_{vr} \delta_{pr} \exp(S_{tpvr})} $$
$$ O_{tpb} = \sum_{uq} A_{tpuq} V_{uqb} $$
$$ Y_{tpb} = \sum_{uq} B_{tpuq} V_{uqb} $$
""")

within = sa.read(r"""
<!-- symattn: sizes Q:(T,s,d) K:(T,s,d) V:(T,s,c) -->
$$ S_{tpq} = Q_{tpa} K_{tqa} $$
$$ A_{tpq} = \frac{\exp(S_{tpq})}{\sum_r \exp(S_{tpr})} $$
$$ O_{tpb} = A_{tpq} V_{tqb} $$
""")

results = {"Within blocks": sa.backward(within, output="O", wrt=("V", "K"))}


claims = [
    (
        "Within a block: attention of block t to itself",
        r"O_{tpb} = \frac{\sum_q \exp\left(\sum_a Q_{tpa} K_{tqa}\right) V_{tqb}}{\sum_q \exp\left(\sum_a Q_{tpa} K_{tqa}\right)}",
    ),
    (
        "Along a stride: attention to the same place of every block",
        r"Y_{tpb} = \frac{\sum_u \exp\left(\sum_a Q_{tpa} K_{upa}\right) V_{upb}}{\sum_u \exp\left(\sum_a Q_{tpa} K_{upa}\right)}",
    ),
    ("Both are normalised", r"\sum_{uq} A_{tpuq} = 1"),
    ("A stride is normalised too", r"\sum_{uq} B_{tpuq} = 1"),
]

refuted = [
    ("Blocks and strides are the same", r"O_{tpb} = Y_{tpb}"),
]
