r"""Windows, strides, blocks and global positions

Sparse patterns as brackets of indices: a causal window of $w$ positions is
$[j \le i]\,[i < j + w]$, a window to both sides is $[i \le j + w]\,[j \le i + w]$.  The union of two
patterns is $M + N - M N$, the positions that a row may see are counted by a sum, and a row that sees
what another pattern sees too has the larger pattern's weights, cut off and normalised again.
"""

import symattn as sa

source = (
    "R. Child et al., Generating long sequences with sparse transformers, 2019, section 4; "
    "I. Beltagy, M. Peters, A. Cohan, Longformer, 2020, section 3.1"
)

system = sa.read(r"""
<!-- symattn: sizes S:(n,n) V:(n,d) -->
$$ W_{ij} = [j \le i] [i < j + 3] $$
$$ A_{ij} = \frac{W_{ij} \exp(S_{ij})}{\sum_l W_{il} \exp(S_{il})} $$
$$ O_{ib} = A_{ij} V_{jb} $$
""")
both = sa.read(r"""
<!-- symattn: sizes S:(n,n); indices from 0 -->
$$ W_{ij} = [i \le j + 2] [j \le i + 2] $$
$$ G_{ij} = [i = 0] + [j = 0] - [i = 0] [j = 0] $$
$$ U_{ij} = W_{ij} + G_{ij} - W_{ij} G_{ij} $$
$$ C_{ij} = [j \le i] $$
$$ A_{ij} = \frac{W_{ij} \exp(S_{ij})}{\sum_l W_{il} \exp(S_{il})} $$
$$ B_{ij} = \frac{C_{ij} W_{ij} \exp(S_{ij})}{\sum_l C_{il} W_{il} \exp(S_{il})} $$
""")

results = {"Backward pass": sa.backward(system, output="O", wrt=("V", "A", "S"))}

claims = [
    ("Rows sum to one", r"\sum_j A_{ij} = 1"),
    ("A mask is its own square", r"W_{ij} = W_{ij} W_{ij}", both),
    ("A union holds both", r"W_{ij} = U_{ij} W_{ij}", both),
    ("and is a mask", r"U_{ij} = U_{ij} U_{ij}", both),
    ("A window to both sides is symmetric", r"W_{ij} = W_{ji}", both),
    (
        "The causal half of a window from the window's weights",
        r"B_{ij} = \frac{C_{ij} A_{ij}}{\sum_l C_{il} A_{il}}",
        both,
    ),
]
