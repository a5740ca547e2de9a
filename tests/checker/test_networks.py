"""Networks as texts write them: layers, a loss that is a function of the output, activations."""

import pytest

from symattn import check

LAYERS = r"""
In layer $l$

$$\mathbf{z}^{(l)} = \mathbf{W}^{(l)} \mathbf{a}^{(l-1)} + \mathbf{b}^{(l)}$$
$$\mathbf{a}^{(l)} = \tanh(\mathbf{z}^{(l)})$$

With $\boldsymbol{\delta}^{(l)} = \frac{\partial \mathcal{L}}{\partial \mathbf{z}^{(l)}}$

"""
LIGHT = LAYERS.replace(r"\mathbf", "").replace(r"\boldsymbol", "")
UPPER = r"""
The activation of the $l$-th layer is
$$a^l_j = \sigma\left( \sum_k w^l_{jk} a^{l-1}_k + b^l_j \right)$$
of $z^l \equiv w^l a^{l-1} + b^l$, and of the last layer $z^L$. Let
$$\delta^l_j \equiv \frac{\partial C}{\partial z^l_j}$$
$$\frac{\partial C}{\partial b^{l+1}_j} = \frac{\partial C}{\partial z^{l+1}_j}$$

"""
HIDDEN = r"""
Let $x \in \mathbb{R}^d$, $W_1 \in \mathbb{R}^{m \times d}$ and $W_2 \in \mathbb{R}^{q \times m}$.

$$z = W_1 x, \qquad h = \phi(z), \qquad o = W_2 h$$

with an activation function $\phi$, and the objective is

$$J = \ell(o, y) + \frac{\lambda}{2} (\|W_1\|_F^2 + \|W_2\|_F^2)$$

"""
FUNCTIONS = r"""
## One

$$f(\mathbf{x}) = \mathbf{x}^\top \mathbf{x}$$
$$\nabla f(\mathbf{x}) = 2 \mathbf{x}$$

## Two

Consider another function,
$$f(x, y) = x^2 y$$
"""


def last(text: str):
    """What is said of the last equation of a text."""
    return check(text, corrections=False).rows[-1]


CLAIMS = {
    LAYERS: [
        (
            r"\boldsymbol{\delta}^{(l)} = ({\mathbf{W}^{(l+1)}}^\top \boldsymbol{\delta}^{(l+1)}) "
            r"\odot \tanh'(\mathbf{z}^{(l)})",
            "proved",
        ),
        (
            r"\frac{\partial \mathcal{L}}{\partial \mathbf{W}^{(l)}} = "
            r"\boldsymbol{\delta}^{(l)} (\mathbf{a}^{(l-1)})^\top",
            "proved",
        ),
        (
            r"\frac{\partial \mathcal{L}}{\partial \mathbf{W}^{(l)}} = "
            r"\boldsymbol{\delta}^{(l)} (\mathbf{a}^{(l)})^\top",
            "refuted",
        ),
    ],
    LIGHT: [
        (r"\delta^{(l)} = (W^{(l+1)})^\top \delta^{(l+1)} \odot \tanh'(z^{(l)})", "proved"),
        (r"\frac{\partial \mathcal{L}}{\partial b^{(l)}} = -\delta^{(l)}", "refuted"),
    ],
    UPPER: [
        (r"\delta^l = ((w^{l+1})^T \delta^{l+1}) \odot \sigma'(z^l)", "proved"),
        (r"\frac{\partial C}{\partial w^l_{jk}} = a^{l-1}_k \delta^l_j", "proved"),
        (r"\frac{\partial C}{\partial w^l_{jk}} = a^{l}_k \delta^l_j", "refuted"),
        (r"\delta^L = \nabla_a C \odot \sigma'(z^L)", "proved"),
    ],
    HIDDEN: [
        (r"\frac{\partial J}{\partial h} = W_2^\top \frac{\partial J}{\partial o}", "proved"),
        (
            r"\frac{\partial J}{\partial z} = \frac{\partial J}{\partial h} \odot \phi'(z)",
            "proved",
        ),
        (
            r"\frac{\partial J}{\partial W_1} = \frac{\partial J}{\partial z} x^\top + \lambda W_1",
            "proved",
        ),
        (
            r"\frac{\partial J}{\partial W_1} = \frac{\partial J}{\partial z} x^\top - \lambda W_1",
            "refuted",
        ),
        (r"\frac{\partial J}{\partial o} = \frac{\partial \ell}{\partial o}", "proved"),
        (r"\frac{\partial J}{\partial z} = 2 \frac{\partial J}{\partial h}", "refuted"),
        (r"\frac{\partial J}{\partial o} = o - y", "unproved"),  # for some ℓ
        (r"\frac{\partial J}{\partial y} = 0", "skipped"),
    ],
    FUNCTIONS: [
        (r"\frac{\partial f}{\partial x} = 2 x y", "proved"),
        (r"\frac{\partial f}{\partial y} = x y", "refuted"),
    ],
}


@pytest.mark.parametrize("text", list(CLAIMS))
def test_gradients_of_networks(text):
    claims = CLAIMS[text]
    rows = check(text + "\n".join(f"$$ {claim} $$" for claim, _ in claims), corrections=False).rows[
        -len(claims) :
    ]
    assert [(r.latex, r.verdict) for r in rows] == claims


def test_the_function_of_the_first_section_is_its_own():
    assert [r.verdict for r in check(FUNCTIONS, corrections=False)] == [
        "definition",
        "proved",
        "definition",
    ]


def test_a_side_that_cannot_be_read_leaves_the_others():
    text = r"""
    Let $A \in \mathbb{R}^{m \times n}$ and $f = \|A x\|^2$ with $y = A x$.

    $$\frac{\partial f}{\partial A}
    = \frac{\partial f}{\partial y}\frac{\partial y}{\partial A} = %s$$
    """
    for right, verdict in ((r"2 y x^\top", "proved"), (r"y x^\top", "refuted")):
        found = {r.verdict for r in check(text % right, corrections=False)}
        assert found == {"definition", verdict, "skipped"}


def test_an_unknown_function_between_two_sides_is_the_first_of_them():
    text = r"""
    $$y = A x, \qquad f = y^\top y$$
    $$\frac{\partial f}{\partial x}
    = \mathrm{prod}(\frac{\partial f}{\partial y}, \frac{\partial y}{\partial x}) = %s$$
    """
    assert last(text % r"2 A^\top y").verdict == "proved"
    assert last(text % r"A^\top y").verdict == "refuted"


def test_other_numbers_are_another_example():
    text = r"""
    For instance the matrix
    $$B = \begin{bmatrix} 2 & -1 \\ 4 & -2 \end{bmatrix}$$
    is singular. %s
    $$B = \begin{bmatrix} 2 & 4 \\ -1 & -2 \end{bmatrix}$$
    """
    assert last(text % "As a second example, the matrix").verdict == "definition"
    assert last(text % "Therefore").verdict == "refuted"


def test_a_function_of_one_side_alone_refutes_nothing():
    text = r"Let $Y = f(X)$ and $Z = g(Y)$." + "\n\n"
    claim = (
        r"\frac{\partial Z}{\partial X} = "
        r"\mathrm{prod}(\frac{\partial Z}{\partial Y}, \frac{\partial Y}{\partial X})"
    )
    assert last(f"{text}$$ {claim} $$").verdict == "unproved"


@pytest.mark.parametrize(
    ("words", "verdict"),
    [
        (r"Let \(g\) be applied elementwise", "proved"),
        ("Here $g$ is a nonlinear function", "unproved"),
    ],
)
def test_functions_of_components_in_words(words, verdict):
    text = f"{words}, and $h = g(A x)$ with $A \\in \\mathbb{{R}}^{{m \\times n}}$.\n\n"
    claim = r"\frac{\partial h_i}{\partial x_j} = g'((A x)_i) A_{ij}"
    assert last(f"{text}$$ {claim} $$").verdict == verdict


def test_what_is_denoted_as_dy_is_the_gradient_by_y():
    text = r"""
    The output is $y_j = \gamma_j h_j + \beta_j$ with $h_j = x_j / s$, and we are given
    \(\frac{dL}{dy_j}\) (denoted as \(dy_j\)). Then
    $$d\gamma_j = dy_j h_j$$
    $$dx_j = dy_j \gamma_j / s$$
    $$ds = -\sum_j dy_j \gamma_j h_j$$
    """
    assert [r.verdict for r in check(text, corrections=False)][-3:] == [
        "proved",
        "proved",
        "refuted",
    ]


def test_marked_names_and_squares_have_gradients_that_equations_show():
    text = r"""
    The gradients of $\hat{x}_i = (x_i - \mu) / \sqrt{\sigma^2 + \varepsilon}$ and of
    $$y_i = \gamma_i \hat{x}_i$$
    by the chain rule are
    $$\frac{\partial L}{\partial \gamma_i} = \frac{\partial L}{\partial y_i} \hat{x}_i
    = dy_i \hat{x}_i$$
    $$d\hat{x}_i = dy_i \gamma_i$$
    $$d\sigma^2 = -\frac{1}{2 (\sigma^2 + \varepsilon)} \sum_i d\hat{x}_i \hat{x}_i$$
    $$d\sigma^2 = -\frac{1}{\sigma^2 + \varepsilon} \sum_i d\hat{x}_i \hat{x}_i$$
    """
    assert [r.verdict for r in check(text, corrections=False)][-3:] == [
        "proved",
        "proved",
        "refuted",
    ]
