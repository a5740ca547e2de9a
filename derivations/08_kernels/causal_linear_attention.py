r"""Causal linear attention is a running sum

With a causal mask the sums over keys become prefix sums $M_i = \sum_{j \le i} \phi(k_j) v_j^\top$: a state
that grows by one outer product a step.  The prefix sums, put in, give the masked form; and the state
at $i$ less what $i$ itself adds is the state before it.  In the gradients the sums run the other way.
"""

import symattn as sa

source = "A. Katharopoulos et al., Transformers are RNNs, ICML 2020, section 3.3, equations 9 to 12 and 18 to 20"

system = sa.read(r"""
<!-- symattn: sizes P:(n,r) R:(n,r) V:(n,d) M:(n,r,d) z:(n,r); positive P R -->
$$ M_{iab} = \sum_j [j \le i] R_{ja} V_{jb} $$
$$ z_{ia} = \sum_j [j \le i] R_{ja} $$
$$ O_{ib} = \frac{P_{ia} M_{iab}}{P_{ia} z_{ia}} $$
""")
masked = sa.read(r"""
<!-- symattn: sizes P:(n,r) R:(n,r) V:(n,d) M:(n,r,d) N:(n,r,d) z:(n,r); positive P R -->
$$ M_{iab} = \sum_j [j \le i] R_{ja} V_{jb} $$
$$ N_{iab} = \sum_j [j < i] R_{ja} V_{jb} $$
$$ z_{ia} = \sum_j [j \le i] R_{ja} $$
$$ O_{ib} = \frac{P_{ia} M_{iab}}{P_{ia} z_{ia}} $$
$$ A_{ij} = \frac{[j \le i] P_{ia} R_{ja}}{\sum_l [l \le i] P_{ia} R_{la}} $$
""")
numerator = sa.read(r"""
<!-- symattn: sizes P:(n,r) R:(n,r) V:(n,d) M:(n,r,d) -->
$$ M_{iab} = \sum_j [j \le i] R_{ja} V_{jb} $$
$$ Y_{ib} = P_{ia} M_{iab} $$
""")

results = {"Backward pass": sa.backward(numerator, output="Y", wrt=("M", "P", "R", "V"))}

claims = [
    ("One step of the recurrence", r"M_{iab} = N_{iab} + R_{ia} V_{ib}", masked),
    ("It is masked attention", r"O_{ib} = \sum_j A_{ij} V_{jb}", masked),
    ("Weights sum to one", r"\sum_j A_{ij} = 1", masked),
    (
        "Gradients of values: a sum over what comes after",
        r"\frac{\partial L}{\partial V_{jb}} = \sum_{ia} [j \le i] R_{ja} P_{ia} \frac{\partial L}{\partial Y_{ib}}",
        numerator,
    ),
    (
        "Gradients of keys: a sum over what comes after",
        r"\frac{\partial L}{\partial R_{ja}} = \sum_b V_{jb} \sum_i [j \le i] P_{ia} \frac{\partial L}{\partial Y_{ib}}",
        numerator,
    ),
]

refuted = [
    (
        "Gradients of values: a sum over what came before",
        r"\frac{\partial L}{\partial V_{jb}} = \sum_{ia} [i \le j] R_{ja} P_{ia} \frac{\partial L}{\partial Y_{ib}}",
        numerator,
    ),
]
