r"""Multi-head attention, forward and backward

Every head $h$ projects the sequence $X$ to queries, keys and values of its own, and the output
projection adds the heads up.  Backward, the three paths to $X$ add up too.
"""

import symattn as sa

source = "A. Vaswani et al., Attention is all you need, NeurIPS 2017, section 3.2.2"

system = sa.read(r"""
<!-- symattn: sizes X:(n,d) W_Q:(H,d,d_k) W_K:(H,d,d_k) W_V:(H,d,d_v) W_O:(H,d_v,d_o) -->
$$ Q_{hia} = X_{id} W_{Q,hda} $$
$$ K_{hja} = X_{jd} W_{K,hda} $$
$$ V_{hjc} = X_{jd} W_{V,hdc} $$
$$ S_{hij} = \frac{1}{\sqrt{d_k}} Q_{hia} K_{hja} $$
$$ A_{hij} = \frac{\exp(S_{hij})}{\sum_l \exp(S_{hil})} $$
$$ O_{hic} = A_{hij} V_{hjc} $$
$$ Y_{ie} = O_{hic} W_{O,hce} $$
""")

results = {
    "Backward pass": sa.backward(
        system,
        output="Y",
        wrt=("W_O", "V", "S", "Q", "W_Q", "X"),
    )
}


claims = [
    (
        "Each head gets its block of the output projection",
        r"\frac{\partial L}{\partial O_{hic}} = \sum_e \frac{\partial L}{\partial Y_{ie}} W_{O,hce}",
    ),
    (
        "The output projection",
        r"\frac{\partial L}{\partial W_{O,hce}} = \sum_i O_{hic} \frac{\partial L}{\partial Y_{ie}}",
    ),
    (
        "The query projection",
        r"\frac{\partial L}{\partial W_{Q,hda}} = \sum_i X_{id} \frac{\partial L}{\partial Q_{hia}}",
    ),
    (
        "The key projection",
        r"\frac{\partial L}{\partial W_{K,hda}} = \sum_j X_{jd} \frac{\partial L}{\partial K_{hja}}",
    ),
    (
        "The value projection",
        r"\frac{\partial L}{\partial W_{V,hdc}} = \sum_j X_{jd} \frac{\partial L}{\partial V_{hjc}}",
    ),
    (
        "Three paths lead to the sequence",
        r"\frac{\partial L}{\partial X_{id}} = \sum_{ha} W_{Q,hda} \frac{\partial L}{\partial Q_{hia}} "
        r"+ \sum_{ha} W_{K,hda} \frac{\partial L}{\partial K_{hia}} + \sum_{hc} W_{V,hdc} \frac{\partial L}{\partial V_{hic}}",
    ),
    (
        "Softmax, head by head",
        r"\frac{\partial L}{\partial S_{hij}} = A_{hij} \left(\frac{\partial L}{\partial A_{hij}} - \sum_l A_{hil} \frac{\partial L}{\partial A_{hil}}\right)",
    ),
]
