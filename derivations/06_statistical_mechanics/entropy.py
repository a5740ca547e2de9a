r"""Entropy of attention, and what it is per key

$H = -\sum_j A_j \log A_j$ measures how widely a row looks.  It is $\log Z$ less the mean score over $T$;
divided by $\log n$ it is normalised, and $e^H$ is the perplexity, an effective number of keys: $n$ for
equal weights.
"""

import symattn as sa

source = "C. Shannon, A mathematical theory of communication, 1948, section 6"

system = sa.read(r"""
<!-- symattn: sizes S:(n); positive T -->
$$ A_j = \frac{\exp(S_j / T)}{\sum_l \exp(S_l / T)} $$
$$ H = -\sum_j A_j \log(A_j) $$
$$ N = \exp(H) $$
$$ h = \frac{H}{\log(n)} $$
""")
uniform = sa.read(r"""
<!-- symattn: sizes S:(n); scalars c; positive T -->
$$ u_j = c + 0 S_j $$
$$ B_j = \frac{\exp(u_j / T)}{\sum_l \exp(u_l / T)} $$
$$ G = -\sum_j B_j \log(B_j) $$
""")

results = {
    "Gradient": sa.backward(sa.System(system["A"], system["H"]), output="H", wrt=("A", "S", "T"))
}

claims = [
    ("From log Z", r"H = \log \sum_j \exp(S_j / T) - \frac{1}{T} \sum_j A_j S_j"),
    ("In a weight, freely", r"\frac{\partial H}{\partial A_j} = -\log(A_j) - 1"),
    ("In a score", r"\frac{\partial H}{\partial S_j} = -\frac1T A_j (\log(A_j) + H)"),
    (
        "In the temperature: never negative",
        r"\frac{\partial H}{\partial T} = \frac{1}{T^3} \left(\sum_j A_j S_j^2 - \left(\sum_j A_j S_j\right)^2\right)",
    ),
    ("Perplexity", r"\frac{\partial N}{\partial S_j} = N \frac{\partial H}{\partial S_j}"),
    ("Equal scores: the entropy is log n", r"G = \log(n)", uniform),
]

refuted = [
    (
        "In a score, with the mean forgotten",
        r"\frac{\partial H}{\partial S_j} = -\frac1T A_j \log(A_j)",
    ),
]
