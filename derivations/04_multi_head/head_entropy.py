r"""The entropy of every head

The mean entropy of a head's rows says how widely it looks.  Its gradient in the scores pulls a
weight up where its surprise $-\log A$ is above the row's mean, which is the entropy.
"""

import symattn as sa

source = "J. Vig and Y. Belinkov, Analyzing the structure of attention in a transformer language model, BlackboxNLP 2019, section 5"

system = sa.read(r"""
<!-- symattn: sizes S:(H,n_q,n_k) -->
$$ A_{hij} = \frac{\exp(S_{hij})}{\sum_l \exp(S_{hil})} $$
$$ E_{hi} = -\sum_j A_{hij} \log(A_{hij}) $$
$$ M_h = \frac{1}{n_q} \sum_i E_{hi} $$
""")

results = {"Backward pass": sa.backward(system, output="M", wrt=("E", "S"))}

claims = [
    (
        "The gradient: weights that are rarer than the entropy says",
        r"\frac{\partial E_{hi}}{\partial S_{gmn}} = -\delta_{hg} \delta_{im} A_{hin} (\log(A_{hin}) + E_{hi})",
    ),
    (
        "It is logsumexp less the mean score",
        r"E_{hi} = \log \sum_j \exp(S_{hij}) - \sum_j A_{hij} S_{hij}",
    ),
]
