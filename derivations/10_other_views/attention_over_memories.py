r"""Attention over memories: a finite span

Gates that are free may all be one, and then everything is remembered.  Normalised by softmax they sum to
one, so attention to one memory is taken from another: raising one score lowers all other weights.  A
query and keys in place of one vector make it dot-product attention with one query.
"""

import symattn as sa

source = "S. Morad, CISC 7026, University of Macau, lecture on attention"

system = sa.read(r"""
<!-- symattn: sizes X:(T,d) w:(d) V:(d,h) -->
$$ s_i = w_a X_{ia} $$
$$ \lambda_i = \frac{\exp(s_i)}{\sum_j \exp(s_j)} $$
$$ f_c = \sum_{ia} \lambda_i X_{ia} V_{ac} $$
""")
query = sa.read(r"""
<!-- symattn: sizes X:(T,d) W_Q:(d,m) W_K:(d,m) V:(d,h) x:(d) -->
$$ q_b = x_a W_{Q,ab} $$
$$ k_{ib} = X_{ia} W_{K,ab} $$
$$ w_a = W_{K,ab} q_b $$
$$ s_i = w_a X_{ia} $$
$$ \lambda_i = \frac{\exp(s_i)}{\sum_j \exp(s_j)} $$
$$ p_i = \frac{\exp(q_b k_{ib})}{\sum_j \exp(q_b k_{jb})} $$
""")

results = {"Backward pass": sa.backward(system, output="f", wrt=("lambda", "s", "w", "X", "V"))}

claims = [
    ("The span is finite", r"\sum_i \lambda_i = 1"),
    (
        "Attention to one memory is taken from the others",
        r"\frac{\partial \lambda_i}{\partial s_j} = \lambda_i (\delta_{ij} - \lambda_j)",
    ),
    ("The memory is of the mean input", r"f_c = \sum_a V_{ac} \sum_i \lambda_i X_{ia}"),
    ("A query and keys make the vector", r"\lambda_i = p_i", query),
]

refuted = [
    (
        "A gate of its own for each",
        r"\frac{\partial \lambda_i}{\partial s_j} = \delta_{ij} \lambda_i (1 - \lambda_i)",
    )
]
