r"""The reader on its own: what is defined, what is claimed, positions, sizes, notations."""

from __future__ import annotations

import os
import subprocess
import sys
import time
import warnings
from pathlib import Path

import numpy as np
import pytest
import sympy as sp
from hypothesis import given, settings
from hypothesis import strategies as st

import symattn as sa
from symattn.convert import lower
from symattn.evaluate import Evaluator
from symattn.ir import Index
from symattn.normalize import normalize
from symattn.read import ReadError, read

ATTENTION = r"""
S^{ij} = \frac{1}{\sqrt{d_k}} Q^{ia} K^{ja}
A^{ij} = \frac{\exp(S^{ij})}{\sum_{j'=1}^{n_k} \exp(S^{ij'})}
O^{ib} = A^{ij} V^{jb}
"""


def normal(d):
    return normalize(lower(d.expr, d.indices))


def python_attention():
    n_q, n_k, d_k, d_v = sa.sizes("n_q n_k d_k d_v")
    (i,), (j, k) = sa.indices("i", n_q), sa.indices("j k", n_k)
    (a,), (b,) = sa.indices("a", d_k), sa.indices("b", d_v)
    Q, K, V = sa.tensor("Q", n_q, d_k), sa.tensor("K", n_k, d_k), sa.tensor("V", n_k, d_v)
    S = sa.define("S", (i, j), Q[i, a] * K[j, a] / sp.sqrt(d_k))
    A = sa.define("A", (i, j), sp.exp(S[i, j]) / sa.total(sp.exp(S[i, k]), k))
    return sa.System(S, A, sa.define("O", (i, b), A[i, j] * V[j, b]))


def test_three_lines_of_attention_are_the_python_definition():
    declared = "<!-- symattn: sizes Q:(n_q,d_k) K:(n_k,d_k) V:(n_k,d_v) -->\n"
    doc, system = read(declared + ATTENTION), python_attention()
    assert list(doc.definitions) == ["S", "A", "O"]
    for name in ("S", "A", "O"):
        assert normal(doc[name]) is normal(system[name])
    mine = sa.backward(doc, output="O", wrt=("Q", "K", "V"))
    theirs = sa.backward(system, output="O", wrt=("Q", "K", "V"))
    for name in ("Q", "K", "V"):
        assert mine[name].equation() == theirs[name].equation()
        assert mine[name].normal is theirs[name].normal


def test_attention_needs_no_declaration():
    doc = read(ATTENTION)
    assert doc.inputs["Q"].shape[1] == doc.inputs["K"].shape[1] != doc.inputs["V"].shape[1]
    assert doc.inputs["V"].shape[0] == sa.sizes("n_k")[0]  # from the limit of the sum
    gradients = sa.backward(doc, output="O", wrt=("Q", "V"))
    assert gradients["V"].equation() == r"\bar V^{jb} = A^{ij} \bar O^{ib}"


def test_definitions_claims_and_positions():
    doc = read(
        "# Title\n\n$$\nZ^i = \\sum_j e^{S^{ij}}, \\quad\n"
        "A^{ij} = e^{S^{ij}} / Z^i = e^{S^{ij}} (Z^i)^{-1}\n$$\ntext\n"
        "$$\\sum_j A^{ij} = 1$$\n$$Z^i = 2$$\n"
    )
    assert list(doc.definitions) == ["Z", "A"]
    assert [(q.kind, q.line, q.column) for q in doc.equations] == [
        ("definition", 4, 1),
        ("definition", 5, 1),
        ("claim", 5, 1),
        ("claim", 8, 3),
        ("claim", 9, 3),
    ]
    assert [q.latex for q in doc.claims] == [
        r"A^{ij} = e^{S^{ij}} / Z^i = e^{S^{ij}} (Z^i)^{-1}",
        r"\sum_j A^{ij} = 1",
        "Z^i = 2",
    ]
    sums = doc.claims[1]
    assert sums.rhs == 1 and [str(i) for i in sums.indices] == ["i"]
    assert sums.lhs.has(sp.Sum)


LAYOUTS = [
    "$$ {0} $$\n$$ {1} $$",
    r"\[ {0} \]" + "\n" + r"\[ {1} \]",
    r"\begin{{equation}} {0} \label{{e1}} \end{{equation}} \begin{{equation*}} {1} "
    r"\end{{equation*}}",
    r"\begin{{align}} {0} \tag{{3}} \\ {1} \nonumber \end{{align}}",
    r"$$\begin{{aligned}} {0}, \\ {1}. \end{{aligned}}$$",
    r"\begin{{gather*}} {0} \\[2pt] {1} \end{{gather*}}",
    "$$ {0} \\quad (1) $$\n$$ {1}. $$",
    r"$${0}, \qquad \text{{where}} \quad {1}$$",
    r"$${0} \quad \Leftrightarrow \quad {1}$$",
    "{0}\n{1}",
    "text\n\n  ${0}$\n\n  ${1}$\n",
    "```\n$$ x = $$\n```\n$$ {0} $$ `$$` $$ {1} $$",
    "% comment $$ \n$${0}$$<!-- $$ y = $$ -->$$ {1} $$",
    "> words\n> $$\n>  {0}\n> $$\n\n- item\n  $$ {1} $$\n",
    "```math\n{0}\n```\n~~~python\n$$ x =\n~~~\n$$\r\n\t{1}\r\n$$",
    r"$${0} \quad \text{{for all }} i$$ $$\boxed{{ {1} }}$$",
    r"$${0}, \quad i = 1, \dots, n$$ $${1} \qquad \forall i \in I$$",
    r"\begin{{align}} {0} \intertext{{and with $x$ as before}} {1} \end{{align}}",
]


@pytest.mark.parametrize("layout", LAYOUTS)
def test_layouts(layout):
    doc = read(layout.format(r"x^i = \bigl( B^{ij} \, y_j \bigr)", r"z = \left\| x \right\|^2"))
    assert list(doc.definitions) == ["x", "z"]
    n_i, n_j = doc.inputs["B"].shape
    (i,), (j,) = sa.indices("i", n_i), sa.indices("j", n_j)
    B, y, x = sa.tensor("B", n_i, n_j), sa.tensor("y", n_j), sa.tensor("x", n_i)
    assert normal(doc["x"]) is normalize(lower(sa.total(B[i, j] * y[j], j), (i,)))
    assert normal(doc["z"]) is normalize(lower(sa.total(x[i] ** 2, i)))


def test_rows_of_an_alignment_continue_the_equation():
    doc = read(
        r"\begin{align} x^i &= B^{ij} y_j \\ &\quad + c^i \\"
        r"&= c^i + y_j B^{ij} \end{align}"
    )
    assert list(doc.definitions) == ["x"] and len(doc.claims) == 1
    (claim,) = doc.claims
    assert normalize(lower(claim.lhs, claim.indices)) is normalize(lower(claim.rhs, claim.indices))


def value(latex, sizes, declared="", **arrays):
    """The array of the definition r."""
    whole = latex if latex.startswith(("r =", "r^", "r_")) else f"r = {latex}"
    doc = read(f"<!-- symattn: {declared} -->$${whole}$$")
    d = doc["r"]
    axes = [Index(i.name, sp.sympify(i.upper + 1)) for i in d.indices]
    return Evaluator(arrays, sizes)(lower(d.expr, d.indices), axes)


RNG = np.random.default_rng(3)
A, B, X, Y = RNG.random((2, 3)), RNG.random((3, 4)), RNG.random((2, 3)), RNG.random((5, 3))
G, P, U, W = RNG.random((3, 3)), RNG.random(3), RNG.random(2), RNG.random(3)
SIZES = {"n": 2, "m": 3, "k": 4, "l": 5}
SHAPES = (
    "sizes A:(n,m) B:(m,k) X:(n,m) Y:(l,m) G:(m,m) p:(m) u:(n) w:(m) v:(3) H:(3,3); "
    "scalars beta; positive p; indices from 1"
)
NOTATIONS = [
    (r"A B", A @ B),
    (r"A^\top X", A.T @ X),
    (r"A Y^T", A @ Y.T),
    (r"A \odot X", A * X),
    (r"A \circ X + X", A * X + X),
    (r"u^\top A p", U @ A @ P),
    (r"p p^\top", np.outer(P, P)),
    (r"\mathrm{diag}(p) - p p^\top", np.diag(P) - np.outer(P, P)),
    (r"\mathrm{tr}(A^\top X)", np.trace(A.T @ X)),
    (r"\text{rowsum}(A)", A.sum(1)),
    (r"\|p\|^2", P @ P),
    (r"\| A \|", np.sqrt((A**2).sum())),
    (r"\langle p, w \rangle", P @ W),
    (r"p \cdot w", P @ W),
    (r"A^{\circ 2}", A**2),
    (r"\mathbf{1}^\top u", U.sum()),
    (r"\text{softmax}(A)", np.exp(A) / np.exp(A).sum(1, keepdims=True)),
    (r"\operatorname{softmax}(\beta G p)", np.exp(0.7 * G @ P) / np.exp(0.7 * G @ P).sum()),
    (r"\mathrm{lse}(p)", np.log(np.exp(P).sum())),
    (r"\tanh(A)^\top u", np.tanh(A).T @ U),
    (r"\frac{A G}{\sqrt{m}}", A @ G / np.sqrt(3)),
    (r"I^\top + G", np.eye(3) + G),
    (r"G^{-1} p", np.linalg.inv(G) @ P),
    (r"A - \text{rowsum}(A)", A - A.sum(1, keepdims=True)),
    (
        r"\begin{pmatrix} 1 & 2 & 3 \\ 4 & 5 & 6 \end{pmatrix} v",
        np.array([[1, 2, 3], [4, 5, 6]]) @ W,
    ),
    (r"r_i = A_{i,j} p_j", A @ P),
    (r"r_i = A_{[i,j]} p_j", A @ P),
    (r"r^a = \sum_b G_{ab}", G.sum(1)),
    (r"r_k = B^j{}_k p_j", B.T @ P),
    (r"r = \frac{1}{m} \sum_{i=1}^m p_i", P.mean()),
    (r"r = \sum_{i,j} A^{ij}", A.sum()),
    (r"r^i = \sum_{j \le i} G^{ij}", np.tril(G).sum(1)),
    (r"r^i = \sum_{j \ne i} G^{ij}", G.sum(1) - np.diag(G)),
    (r"r = G^i_i", np.trace(G)),
    (r"r^{ij} = [j \le i] G^{ij}", np.tril(G)),
    (r"r^{ij} = G^{ij} \delta^{i}_j", np.diag(np.diag(G))),
    (
        r"r^{ij} = \begin{cases} G^{ij} & \text{if } i < j \\ w^i & i = j \\ 0 & \text{otherwise}"
        r" \end{cases}",
        np.triu(G, 1) + np.diag(W),
    ),
    (r"r_i = A_{i2}", A[:, 1]),
    (r"r^i = \frac{1}{A^{ij} A^{ij}}", 1 / (A**2).sum(1)),
    (r"r^i = \log \sum_j e^{A^{ij}}", np.log(np.exp(A).sum(1))),
    (r"r = \sqrt{p^i p^i}", np.sqrt(P @ P)),
    (r"r^i = \sigma(A^{ij} p_j)", 1 / (1 + np.exp(-A @ P))),
    (r"r = \sqrt[3]{p^i w^i}", (P @ W) ** (1 / 3)),
    (r"r = |p^i w_i|", P @ W),
    (r"r^i = \tanh^2 (p^i)", np.tanh(P) ** 2),
    (r"r^i = \frac12 p^i + 3 \cdot w^i / 2", P / 2 + 1.5 * W),
    (r"r = \log_2(p^i w^i)", np.log2(P @ W)),
    (r"r^{i'} = G^{i' i} p^i", G @ P),
    (r"r_{ij} = A[i,j]", A),
    (r"r_i = \sum_{j=1}^{i} w_j - w_i", np.cumsum(W) - W),
    (r"r_i = \sum_{j=1}^{i-1} w_j + w_i", np.cumsum(W)),
    (r"r_i = \sum_{j=i+1}^{m} w_j + w_i", W.sum() - np.cumsum(W) + W),
    (r"r = \sum_{j=2}^{m} w_j", W[1:].sum()),
    (r"r = \sum_{j=2}^{m} (w_j - w_{j-1})^2", ((W[1:] - W[:-1]) ** 2).sum()),
    (r"r_i = \sum_{j \in \mathcal{G}_i} w_j", G @ W),
    (r"r = \sum_{i=1}^m i w_i", W @ np.arange(1, 4)),
    (r"r = \sum_{i=1}^m \beta^{m-i} w_i", W @ 0.7 ** np.array([2, 1, 0])),
    (r"r_i = w_i / i", W / np.arange(1, 4)),
    (r"r = \prod_{i=1}^{3} v_i", W.prod()),
    (r"r = \prod_i p_i", P.prod()),
    (r"r_i = \prod_{j \ne i} p_j + 0 w_i", P.prod() / P),
    (r"r_j = \prod_{i=1}^{n} e^{A_{ij}}", np.exp(A.sum(0))),
    (r"r_i = \prod_j p_j^{A_{ij}}", (P**A).prod(1)),
    (r"r = \det\begin{pmatrix} 1 & 2 & 3 \\ 0 & \beta & 5 \\ 2 & 1 & 4 \end{pmatrix}",
     np.linalg.det([[1, 2, 3], [0, 0.7, 5], [2, 1, 4]])),
    (r"r = \begin{vmatrix} \beta & 1 \\ 3 & 2 \end{vmatrix}", 1.4 - 3),
    (r"r = \det H", np.linalg.det(G)),
    (r"r = \log \det(H^\top H)", np.log(np.linalg.det(G) ** 2)),
    (r"r = \|w\|_1", W.sum()),
    (r"r = ||w||^2", W @ W),
    (r"r = \|G\|_F^2", (G**2).sum()),
    (r"G^{-\top} p", np.linalg.inv(G).T @ P),
    (r"r_{ij} = \mathrm{diag}(p)_{ij}", np.diag(P)),
    (r"r_i = A_{i:}^\top p", A @ P),
    (r"r_i = \mathrm{LSE}_j(A_{ij})", np.log(np.exp(A).sum(1))),
    (r"r_{ij} = \mathop{\mathrm{softmax}}_j A_{ij}", np.exp(A) / np.exp(A).sum(1)[:, None]),
    (r"r_{ij} = \mathbb{1}[j \le i] G_{ij}", np.tril(G)),
    (r"r_{ij} = \mathbf{1}_{\{j \le i\}} G_{ij}", np.tril(G)),
    (r"r^{ij} = \begin{dcases} 1, & \text{for } j \le i, \\ 0, & \text{when $j > i$}. \end{dcases}"
     r" G^{ij}", np.tril(G)),
    (r"r^{ij} = \left\{ \begin{array}{ll} G^{ij} & j \le i \\ 0 & \text{else} \end{array} \right.",
     np.tril(G)),
    (r"r_{i_1 i_2} = G_{i_1 i_2}", G),
    (r"r = \mathbf{w}^{\mathsf T} \mathbf p", P @ W),
    (r"r = \underbrace{w^i w^i}_{\text{the square of } w} + 1", W @ W + 1),
    (r"r^i ≔ β G^{ij} w^j", 0.7 * G @ W),
    (r"r = \langle w | p \rangle", P @ W),
    (r"r = \sum_i w(i)^2", W @ W),
]  # fmt: skip


@pytest.mark.parametrize(("latex", "expected"), NOTATIONS, ids=[n[0] for n in NOTATIONS])
def test_notation_by_value(latex, expected):
    found = value(
        latex,
        SIZES,
        SHAPES,
        A=A,
        B=B,
        X=X,
        Y=Y,
        G=G,
        p=P,
        u=U,
        w=W,
        v=W,
        H=G,
        beta=0.7,
        G_inv=np.linalg.inv(G),
    )
    np.testing.assert_allclose(found, expected, rtol=1e-12)
    assert found.shape == np.shape(expected)


def test_the_limits_of_a_sum_are_the_size_of_its_index():
    doc = read(
        r"$$a = \sum_{j=1}^{n} x_j$$ $$b = \sum_{j=0}^{m-1} y_j$$ $$c = \sum_{j=0}^{m} z_j$$"
        r"$$s = \sum_{j=1}^{2k} w_j$$"
    )
    assert {n: str(t.shape[0]) for n, t in doc.inputs.items() if t.shape} == {
        "x": "n",
        "y": "m",
        "z": "m + 1",
        "w": "2*k",
    }
    shifted = read(r"<!-- symattn: indices from 0 -->$$a = \sum_{j=1}^{n-1} x_j$$")
    assert str(shifted["a"].expr) == "Sum(Iverson(1 <= j)*x[j], (j, 0, n - 1))"


def test_conditional_distributions_are_components():
    doc = read(
        r"$$p(j|i) = \frac{e^{S_{ij}}}{\sum_k e^{S_{ik}}}$$"
        r"$$q(j|\theta) = \frac{e^{\theta_j}}{\sum_k e^{\theta_k}}$$"
        r"$$D(p \| q) = \sum_j p_{ji} \log \frac{p_{ji}}{q_j}$$"
    )
    assert [str(i) for i in doc["p"].indices] == ["j", "i"]
    assert str(doc["q"].expr) == "exp(theta[j])/Sum(exp(theta[k]), (k, 0, n_k - 1))"


def test_derivatives_keep_their_letters():
    doc = read(
        r"$$\frac{\partial^2 L}{\partial x^i \partial x^j} = H^{ij}$$"
        r"$$\frac{\partial \log p}{\partial \theta^i} = u^i$$"
        r"$$\partial L / \partial B = C$$<!-- symattn: sizes B:(n,m) C:(n,m) -->"
        r"$$\nabla_x f = y$$<!-- symattn: sizes x:(k) y:(k) -->"
    )
    assert [str(q.lhs) for q in doc.equations] == [
        "ddL/dx[i]/dx[j]",
        "dp/dtheta[i]/p",
        "dL/dB[p, q]",
        "df/dx[p]",
    ]


def test_macros_accents_and_names():
    doc = read(
        r"\newcommand{\att}[2]{\mathrm{softmax}_{#2}(#1^{i#2})}"
        "\n$$\\bar O^{ij} = \\att{S}{j}$$ $$W_Q^{hb} = d_k \\bar{W}_Q^{hb} x_{\\text{new}}$$"
        "$$\\boldsymbol{\\xi}^{\\text{new}}_i = \\Delta\\theta^i$$"
    )
    assert list(doc.definitions) == ["O_bar", "W_Q", "xi_new"]
    assert str(doc["W_Q"].expr) == "d_k*x_new*W_Q_bar[h, b]"
    assert str(doc["xi_new"].expr) == "Delta_theta[i]"


def test_sizes_are_united_over_equations():
    doc = read(r"$$y^i = W^{ij} x^j$$ $$z^k = U^{kl} y^l$$ $$L = \sum_{m=1}^{d} z^m$$")
    assert doc.inputs["U"].shape[1] == doc.inputs["W"].shape[0]
    assert doc.inputs["U"].shape[0] == sa.sizes("d")[0]


def test_a_function_is_put_in_where_it_is_used():
    doc = read(
        r"$$f(u, c) = c \tanh(u^a w^a)$$ $$y^i = f(x_i, 2)$$"
        "<!-- symattn: sizes x:(n,d) -->"
    )
    x, w = RNG.random((2, 3)), RNG.random(3)
    d = doc["y"]
    found = Evaluator({"x": x, "w": w}, {"n": 2, "d": 3})(
        lower(d.expr, d.indices), [Index("i", sa.sizes("n")[0])]
    )
    np.testing.assert_allclose(found, 2 * np.tanh(x @ w))


def test_not_strict_lists_what_was_not_read():
    doc = read("$$a = b$$\n$$f: X \\to Y$$\n$$c = \\foo$$", strict=False)
    assert list(doc.definitions) == ["a"]
    assert [(r.line, r.latex) for r in doc.refused] == [(3, r"c = \foo")]
    assert "is not known" in str(doc.refused[0].reason)
    assert [q.kind for q in doc.equations] == ["definition", "notation"]
    with pytest.raises(ReadError, match="states a type"):
        read("$$a = b$$\n$$f: X \\to Y$$")


def test_the_scalar_reader_mends_logarithms_equations_and_state():
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        pytest.importorskip("latex2sympy2")
    doc = read(r"$$\gamma(s) = \int_0^\infty t^{s-1} e^{-t} dt$$ $$c = \int_0^1 \log(1 + x) dx$$")
    first, second = doc.claims
    (s,) = first.rhs.free_symbols
    assert sp.N(first.rhs.subs(s, sp.Rational(5, 2)).doit() - sp.gamma(sp.Rational(5, 2))) == 0
    assert abs(sp.N(second.rhs.doit()) - (2 * np.log(2) - 1)) < 1e-12


SCALARS = [
    r"\frac{1}{2} x^2 + \sin(x)",
    r"e^{-x} \cos(y)",
    r"\sqrt{x^2 + y^2}",
    r"\ln(x) - 3 y^3",
    r"\frac{x - y}{1 + x y}",
    r"\tanh(x) \cdot y",
]


@pytest.mark.parametrize("latex", SCALARS)
def test_latex2sympy2_reads_scalars_to_the_same_value(latex):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        other = pytest.importorskip("latex2sympy2").latex2sympy(latex)
    mine = read(f"$$r = {latex}$$")["r"].expr
    point = {"x": 0.7, "y": 1.3}
    a, b = (f.subs({s: point[s.name] for s in f.free_symbols}).evalf() for f in (mine, other))
    assert abs(a - b) < 1e-12


@settings(deadline=None, max_examples=60)
@given(
    st.lists(
        st.sampled_from(
            [
                "x",
                "^",
                "_",
                "{",
                "}",
                "(",
                ")",
                r"\frac",
                r"\sum",
                "=",
                "i",
                "j",
                "+",
                "-",
                r"\partial",
                "2",
                r"\log",
                ",",
                "&",
                r"\\",
                r"\text{if}",
                "'",
                "|",
                r"\left",
                "[",
                "]",
                r"\sqrt",
                "T",
                "/",
            ]
        ),
        max_size=14,
    )
)
def test_any_text_is_read_or_refused_with_its_place(pieces):
    text = "$$" + " ".join(pieces) + "$$"
    try:
        read(text)
    except ReadError as error:
        assert error.line == 1 and 1 <= error.column <= len(text) + 1
        assert "^" in str(error).splitlines()[2]


def test_reading_is_fast_and_linear():
    one = (
        r"$$N^{ij} = \frac{1}{\sqrt{d_k}} Q^{ia} K^{ja} + \tanh(B^{ij})$$"
        r"$$\frac{\partial L}{\partial S^{mn}} = A^{mn} \left( "
        r"\frac{\partial L}{\partial A^{mn}}"
        r" - \sum_j A^{mj} \frac{\partial L}{\partial A^{mj}} \right)$$"
    )
    read(one)

    def seconds(copies):
        text = "\n".join(one.replace("N^", rf"\mathrm{{N{k}}}^") for k in range(copies))
        start = time.process_time()
        assert len(read(text).equations) == 2 * copies
        return time.process_time() - start

    small, large = seconds(20), seconds(80)
    assert large < 8 * small


def test_import_brings_neither_jax_nor_latex2sympy():
    code = (
        "import sys; from symattn.read import read; read('$$a = b$$'); "
        "print([m for m in ('jax', 'latex2sympy2', 'antlr4') if m in sys.modules])"
    )
    root = str(Path(sa.__file__).parents[1])
    done = subprocess.run(
        [sys.executable, "-c", code],
        capture_output=True,
        text=True,
        check=True,
        env={**os.environ, "PYTHONPATH": root},
    )
    assert done.stdout.strip() == "[]"


NUMBERS = "<!-- symattn: scalars m q x -->\n"


@pytest.mark.parametrize(
    "text, names",
    [
        (r"n_i = z_i h_i", {"n": 1, "z": 1, "h": 1}),  # a state n, no size
        (r"L = \sum_i d_i (y_i - x_i)^2", {"d": 1, "y": 1, "x": 1}),
        (r"L = \sum_i \left(\sum_a C_{ia} x_a - d_i\right)^2", {"C": 2, "x": 1, "d": 1}),
        (r"L = \sum_k (Q_k / \sqrt{d_k})^2", {"Q": 1}),
        (r"S_{ij} = \sum_k \frac{Q_{ik} K_{jk}}{d_k}", {"Q": 2, "K": 2}),  # a size
        (r"L = \sum_i (y_i \log p_i + (n_i - y_i) \log(1 - p_i))", {"n": 1, "y": 1, "p": 1}),
        (r"S_{ij} = \sum_k Q_{ik} K_{jk} / \sqrt{d_k}", {"Q": 2, "K": 2}),
        (r"Y = A K^\alpha L^{1 - \alpha}", {}),
        (r"C = (\sum_i a_i x_i^\rho)^{1/\rho}", {"a": 1, "x": 1}),
        (r"y_i = \sum_\alpha x_i^\alpha z_\alpha", {"x": 2, "z": 1}),
        (r"L = (1 - p)^\gamma \log p", {}),
        (r"L = \frac{1}{p} \sum_i |x_i|^p", {"x": 1}),
        (NUMBERS + r"L = q \max(0, x)^m + |x|^m - [x]_+^m + (\log x)^m", {"m": None, "x": None}),
    ],
)
def test_sizes_and_powers_by_what_stands_beside_them(text, names):
    doc = sa.read(text)
    inputs = {n: len(getattr(t, "shape", ())) for n, t in doc.inputs.items()}
    ranks = {d.name: len(d.shape) for d in doc} | inputs
    assert {n: ranks.get(n) for n in names} == names


@pytest.mark.parametrize("text", [r"y_i = (a + b)^i x_i", r"y_i = \sum_\mu x_i^\mu z_\mu + \mu"])
def test_an_index_is_no_power(text):
    with pytest.raises(sa.SymattnError):
        sa.read(text)
