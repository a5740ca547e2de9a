r"""Low-rank adapters

A frozen matrix $W$ gets a correction $\tfrac{\alpha}{r} B A$ of rank $r$.  The gradients of $A$ and $B$ are the
gradient of the whole matrix seen through the other one: where $B = 0$, as at the start, $A$ does not move.
"""

import symattn as sa

source = "E. Hu et al., LoRA: low-rank adaptation of large language models, ICLR 2022, section 4.1, equation 3"

system = sa.read(r"""
<!-- symattn: sizes X:(n,d) W:(d,m) A:(r,m) B:(d,r); scalars alpha -->
$$ M_{ac} = W_{ac} + \frac{\alpha}{r} \sum_s B_{as} A_{sc} $$
$$ Y_{ic} = X_{ia} M_{ac} $$
""")

results = {"Backward pass": sa.backward(system, output="Y", wrt=("M", "A", "B", "X"))}

claims = [
    (
        "The first factor sees the gradient through the second",
        r"\frac{\partial L}{\partial A_{sc}} = \frac{\alpha}{r} \sum_a B_{as} \frac{\partial L}{\partial M_{ac}}",
    ),
    (
        "and the second through the first",
        r"\frac{\partial L}{\partial B_{as}} = \frac{\alpha}{r} \sum_c \frac{\partial L}{\partial M_{ac}} A_{sc}",
    ),
    (
        "The gradient of the whole matrix",
        r"\frac{\partial L}{\partial M_{ac}} = \sum_i X_{ia} \frac{\partial L}{\partial Y_{ic}}",
    ),
    (
        "No array of the size of W is needed",
        r"Y_{ic} = \sum_a X_{ia} W_{ac} + \frac{\alpha}{r} \sum_s \left(\sum_a X_{ia} B_{as}\right) A_{sc}",
    ),
    (
        "Both factors scale alike",
        r"\sum_{sc} A_{sc} \frac{\partial L}{\partial A_{sc}} = \sum_{as} B_{as} \frac{\partial L}{\partial B_{as}}",
    ),
]

refuted = [
    (
        "The scale left out",
        r"\frac{\partial L}{\partial A_{sc}} = \sum_a B_{as} \frac{\partial L}{\partial M_{ac}}",
    )
]
