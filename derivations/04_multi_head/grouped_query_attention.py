r"""Grouped queries: several heads share keys and values

With $G$ heads of queries to each of $H$ heads of keys and values, heads are numbered by two letters,
$h$ for the pair of keys and values and $g$ within the group.  The shared gradients are sums over
the group.  One group for all is multi-query attention, one query in each is multi-head attention.
"""

import symattn as sa

source = "J. Ainslie et al., GQA: training generalized multi-query transformer models, EMNLP 2023, section 2.2"

system = sa.read(r"""
<!-- symattn: sizes Q:(H,G,n_q,d_k) K:(H,n_k,d_k) V:(H,n_k,d_v) -->
$$ S_{hgij} = \frac{1}{\sqrt{d_k}} Q_{hgia} K_{hja} $$
$$ A_{hgij} = \frac{\exp(S_{hgij})}{\sum_l \exp(S_{hgil})} $$
$$ O_{hgib} = A_{hgij} V_{hjb} $$
""")

results = {"Backward pass": sa.backward(system, output="O", wrt=("V", "K", "Q"))}


claims = [
    (
        "Values: a sum over the group",
        r"\frac{\partial L}{\partial V_{hjb}} = \sum_{gi} A_{hgij} \frac{\partial L}{\partial O_{hgib}}",
    ),
    (
        "Keys: a sum over the group",
        r"\frac{\partial L}{\partial K_{hja}} = \frac{1}{\sqrt{d_k}} \sum_{gi} \frac{\partial L}{\partial S_{hgij}} Q_{hgia}",
    ),
    (
        "Queries: each for itself",
        r"\frac{\partial L}{\partial Q_{hgia}} = \frac{1}{\sqrt{d_k}} \sum_j \frac{\partial L}{\partial S_{hgij}} K_{hja}",
    ),
    (
        "What scales scores up scales them in queries and keys alike",
        r"\sum_{hgia} Q_{hgia} \frac{\partial L}{\partial Q_{hgia}} = \sum_{hja} K_{hja} \frac{\partial L}{\partial K_{hja}}",
    ),
]

refuted = [
    (
        "Values: the mean over the group",
        r"\frac{\partial L}{\partial V_{hjb}} = \frac{1}{G} \sum_{gi} A_{hgij} \frac{\partial L}{\partial O_{hgib}}",
        sa.System(system["O"]),
    ),
]
