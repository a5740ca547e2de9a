r"""A score is a bilinear form

A bilinear form takes two vectors and is linear in each while the other is kept.  With components it
is $B(u, v) = u^a M_{ab} v^b$ for one matrix $M$, and that matrix is its derivative in both.  The
score of a query and a key is one.  Additive attention, $w^c \tanh(W_{ca} u^a + U_{cb} v^b)$, is not:
the hyperbolic tangent of a sum is no sum, and the counterexample below is one of many.
"""

import symattn as sa

source = (
    "S. Roman, Advanced Linear Algebra, chapter 11; for additive attention, D. Bahdanau, K. Cho, "
    "Y. Bengio, Neural machine translation by jointly learning to align and translate, ICLR 2015"
)

system = sa.read(r"""
<!-- symattn: sizes u:(n) x:(n) M:(n,m) v:(m) W:(p,n) U:(p,m) w:(p); scalars alpha beta -->
$$ B = u_a M_{ab} v_b $$
$$ D = w_c \tanh\left(\sum_a W_{ca} u_a + \sum_b U_{cb} v_b\right) $$
""")

results = {
    "In the first argument": sa.jacobian(system, of="B", wrt="u"),
    "In the matrix": sa.jacobian(system, of="B", wrt="M"),
}

claims = [
    (
        "Linear in the first argument",
        r"(\alpha u_a + \beta x_a) M_{ab} v_b = \alpha B + \beta x_a M_{ab} v_b",
    ),
    ("The derivative in u", r"\frac{\partial B}{\partial u_a} = M_{ab} v_b"),
    ("The derivative in v", r"\frac{\partial B}{\partial v_b} = u_a M_{ab}"),
    ("The derivative in M", r"\frac{\partial B}{\partial M_{ab}} = u_a v_b"),
    ("Euler's relation: of degree one in each", r"u_a \frac{\partial B}{\partial u_a} = B"),
    (
        "The derivative of additive attention in u still knows u",
        r"\frac{\partial D}{\partial u_a} = \sum_c w_c W_{ca} \left(1 - "
        r"\tanh\left(\sum_e W_{ce} u_e + \sum_b U_{cb} v_b\right)^2\right)",
    ),
]

refuted = [
    (
        "Additive attention is homogeneous in the query",
        r"w_c \tanh\left(\sum_a \alpha W_{ca} u_a + \sum_b U_{cb} v_b\right) = \alpha D",
    ),
    ("Additive attention fulfils Euler's relation", r"u_a \frac{\partial D}{\partial u_a} = D"),
]
