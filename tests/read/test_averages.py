r"""Expectations, variances and ⟨…⟩ as sums over a distribution that is stated."""

from __future__ import annotations

import numpy as np
import pytest
import sympy as sp

import symattn as sa
from symattn.convert import lower
from symattn.evaluate import Evaluator
from symattn.ir import Index, refs
from symattn.normalize import normalize
from symattn.read import ReadError, read

RNG = np.random.default_rng(11)
P, Q, X, Y = RNG.random(3), RNG.random(4), RNG.random(3), RNG.random(3)
A, V, B = RNG.random((2, 3)), RNG.random((3, 5)), RNG.random((3, 4))
DP = RNG.random((3, 5))
SIZES = {"n": 2, "m": 3, "k": 4, "d": 5}
SHAPES = "sizes A:(n,m) V:(m,d) B:(m,k) p:(m) q:(k) x:(m) y:(m) theta:(d)"
MEAN = P @ X


def value(latex, declared):
    """The array of the definition r."""
    doc = read(f"<!-- symattn: {SHAPES}; {declared} -->$${latex}$$")
    d = doc["r"]
    axes = [Index(i.name, sp.sympify(i.upper + 1)) for i in d.indices]
    arrays = {"A": A, "V": V, "B": B, "p": P, "q": Q, "x": X, "y": Y, "∂p/∂theta": DP}
    return Evaluator(arrays, SIZES)(lower(d.expr, d.indices), axes)


STATED = [
    (r"r = \mathbb{E}_p[x]", MEAN),
    (r"r = \mathbb{E}_{p}[x^2]", P @ X**2),
    (r"r = \mathbb{E}_p[x^i]", MEAN),
    (r"r = \mathbb{E}_{i \sim p}[x^i]", MEAN),
    (r"r = \mathbb{E}_{i \sim p^i}[x^i]", MEAN),
    (r"r = \mathbf{E}_{i \sim p}[x_i y_i]", P @ (X * Y)),
    (r"r = \operatorname{E}_{i \sim p} \left[ \log x^i \right]", P @ np.log(X)),
    (r"r^{ib} = \mathbb{E}_{j \sim A^{i\cdot}}[V^{jb}]", A @ V),
    (r"r_{ib} = \mathbb{E}_{j \sim A_{i,:}}[V_{jb}]", A @ V),
    (r"r^{ib} = \mathbb{E}_{j \sim A^i}[V^{jb}]", A @ V),
    (r"r^{ib} = \mathbb{E}_{j \sim A^{ij}}[V^{jb}]", A @ V),
    (r"r^b = \mathbb{E}_{i \sim p}[V^{ib}]", P @ V),
    (r"r = \mathbb{E}_{i \sim p}[V_i]", P @ V),
    (r"r = \mathbb{E}_{p(j)}[\log p(j)]", P @ np.log(P)),
    (r"r = \mathbb{E}_{j \sim p(j)}[x(j)]", MEAN),
    (r"r_j = \mathbb{E}_{i \sim B(\cdot | j)}[x_i]", X @ B),
    (r"r = \mathbb{E}_{i \sim p, j \sim q}[B^{ij}]", P @ B @ Q),
    (r"r = \mathbb{E}_{i \sim p}[\mathbb{E}_{j \sim q}[B^{ij}]]", P @ B @ Q),
    (r"r = \langle x \rangle_p", MEAN),
    (r"r = \langle x \rangle_p^2", MEAN**2),
    (r"r = \mathrm{Var}_p(x)", P @ X**2 - MEAN**2),
    (r"r = \operatorname{Var}_{i \sim p}[x^i]", P @ X**2 - MEAN**2),
    (r"r = \mathbb{V}_p[x]", P @ X**2 - MEAN**2),
    (r"r^b = \mathrm{Var}_{i \sim p}(V^{ib})", P @ V**2 - (P @ V) ** 2),
    (r"r = \mathrm{Cov}_p(x, y)", P @ (X * Y) - MEAN * (P @ Y)),
    (r"r^{ab} = \text{Cov}_{i \sim p}(V^{ia}, V^{ib})", (V.T * P) @ V - np.outer(P @ V, P @ V)),
]
DECLARED = [
    (r"r = \mathbb{E}[x]", MEAN),
    (r"r = \mathbb{E}[x_i y_i]", P @ (X * Y)),
    (r"r = \mathbb{E}_i[x_i y_i]", P @ (X * Y)),
    (r"r = \langle x \rangle", MEAN),
    (r"r = \langle x^2 \rangle - \langle x \rangle^2", P @ X**2 - MEAN**2),
    (r"r = \mathrm{Var}(x)", P @ X**2 - MEAN**2),
    (r"r = \mathrm{Var}(x - y)", P @ (X - Y) ** 2 - (P @ (X - Y)) ** 2),
    (r"r = -\mathbb{E}[\log p]", -P @ np.log(P)),
    (r"r^a = \mathbb{E}\left[x \frac{\partial \log p}{\partial \theta^a}\right]", X @ DP),
    (r"r = \mathbb{E}[x_i \nabla_\theta \log p(i|\theta)]", X @ DP),
    (r"r = \mathbb{E}[x \nabla_\theta \log p]", X @ DP),
    (r"r = \mathbb{E}\left[x \frac{\partial \log p}{\partial \theta}\right]", X @ DP),
    (
        r"r_{ab} = \mathbb{E}\left[\frac{\partial \log p}{\partial \theta^a}"
        r" \frac{\partial \log p}{\partial \theta^b}\right]",
        np.einsum("xa,xb,x->ab", DP, DP, 1 / P),
    ),
]


@pytest.mark.parametrize(("latex", "expected"), STATED, ids=[c[0] for c in STATED])
def test_a_distribution_below_the_sign(latex, expected):
    found = value(latex, "scalars T")
    assert found.shape == np.shape(expected)
    np.testing.assert_allclose(found, expected, rtol=1e-12)


@pytest.mark.parametrize(("latex", "expected"), DECLARED, ids=[c[0] for c in DECLARED])
def test_a_declared_distribution(latex, expected):
    found = value(latex, "expectation p over i")
    assert found.shape == np.shape(expected)
    np.testing.assert_allclose(found, expected, rtol=1e-12)


REFUSED = [  # text, problem, a piece of expected or mend
    (r"$$r = \mathbb{E}[x]$$", "an expectation needs a distribution", "expectation p over i"),
    (r"$$r = \mathrm{Var}(x)$$", "a variance needs a distribution", r"\mathrm{Var}_{i \sim p}"),
    (r"$$r = \langle E \rangle - T$$", "an expectation needs a distribution", "by an equation"),
    (r"$$r = \mathbb{E}_p[x]$$", "nothing under this expectation depends", "sizes x:(n)"),
    (r"$$r = \mathbb{E}_p[x^i x^i]$$", "nothing under this expectation depends", r"{i \sim p}"),
    (r"$$r = \mathbb{E}_p[x^i y^j]$$", "over which index: i or j?", "below the sign"),
    (r"$$r = \mathbb{E}_{i \sim p}[A]$$<!-- symattn: sizes A:(n,m) -->", "nothing under", "index"),
    (r"$$r = \mathbb{E}_{i \sim A}[x_i]$$<!-- symattn: sizes A:(n,m) x:(m) -->",
     "this distribution has 2 axes beside the outcome i", r"A^{j\cdot}"),
    (r"$$r = \mathbb{E}_{i \sim 3}[x_i]$$", "this distribution does not depend on the outcome i",
     "p^i"),
    (r"$$r = \mathbb{E}_{j \sim p}[v_j^\top u]$$<!-- symattn: sizes v:(n,d) u:(d) -->",
     "u stands without index in an average over j", "u^j, or a vector that is the same"),
    (r"$$r = \mathbb{E}_{x \sim \mathcal{N}(0, 1)}[x^2]$$", "no distribution over", "sums"),
    (r"$$r = \mathbb{E}_{i, j \sim p}[x_i y_j]$$", "two outcomes of one", r"\sum_{i,j}"),
    (r"$$r = \mathbb{E}_p[x | y]$$", "an expectation under a condition", "below the sign"),
    (r"$$r = \mathrm{Cov}_p(x)$$", "a covariance of 1 expressions", "two"),
    (r"$$r = E[x]$$", "E[…]: an expectation, or a product?", r"E \cdot […]"),
    (r"$$r = E_p[x]$$", "E[…]: an expectation, or a product?", r"\mathbb{E}[…]"),
    ("<!-- symattn: expectation p over i; expectation q over j -->$$r = \\mathbb{E}[x_i y_i]$$",
     "an expectation over which distribution?", r"\mathbb{E}_{p} or \mathbb{E}_{q}"),
    (r"$$r = \sum_i p(i|\theta) - \sum_i p(i|\phi)$$", "p is given something else here", "another"),
    ("<!-- symattn: expectation p x -->$$r = y$$", "this is no declaration", "expectation"),
]  # fmt: skip


@pytest.mark.parametrize(("text", "problem", "piece"), REFUSED, ids=[c[0] for c in REFUSED])
def test_what_is_not_stated_is_refused(text, problem, piece):
    with pytest.raises(ReadError) as caught:
        read(text)
    assert problem in caught.value.problem
    assert piece in str(caught.value)


def test_an_average_that_the_document_defines_is_a_name():
    doc = read(
        r"$$F = \langle E \rangle - T H$$ $$\langle E \rangle = \sum_i p_i E_i$$"
        r"$$\mathbb{E}[x^a] = B^{ai} p^i$$ $$y = \mathbb{E}[x^a] z^a$$"
    )
    assert list(doc.definitions) == ["mean_E", "F", "mean_x", "y"]
    assert str(doc["F"].expr) == "-H*T + mean_E"
    assert str(doc["mean_E"].expr) == "Sum(E[i]*p[i], (i, 0, n_i - 1))"
    assert [str(i) for i in doc["mean_x"].indices] == ["a"]


def test_a_product_with_a_declared_E_stays_a_product():
    assert str(read("<!-- symattn: scalars E -->$$r = E[x]$$")["r"].expr) == "E*x"


def test_the_distribution_of_a_document_keeps_its_identities():
    doc = read(
        "<!-- symattn: expectation p over i; positive T -->"
        r"$$Z = \sum_i e^{-E_i/T}, \quad p_i = e^{-E_i/T} / Z, \quad F = -T \log Z$$"
        r"$$H = -\mathbb{E}[\log p_i]$$ $$F = \langle E \rangle - T H$$"
        r"$$\mathrm{Var}(E) = \mathbb{E}[(E_i - \langle E \rangle)^2]$$"
        r"$$F = \langle E \rangle + T H$$"
    )
    verdicts = [sa.prove(c.lhs, c.rhs, given=doc).status for c in doc.claims]
    assert verdicts == ["proved", "proved", "refuted"]


def test_a_declared_distribution_sums_to_one():
    text = (
        r"$$v = \mathrm{Var}(x), \quad \mathrm{Var}(x) = \mathbb{E}[(x_i - \langle x \rangle)^2]$$"
    )
    sizes = "<!-- symattn: sizes x:(n) -->"
    doc = read(f"<!-- symattn: expectation p over i -->{sizes}{text}")
    assert [str(f) for f in doc.facts] == ["Eq(Sum(p[i], (i, 0, n - 1)), 1)"]
    (claim,) = doc.claims
    assert sa.prove(claim.lhs, claim.rhs, given=doc).status == "proved"
    defined = "$$p_i = e^{x_i} / Z$$"
    assert not read(f"<!-- symattn: expectation p over i -->{sizes}{defined}{text}").facts


def test_the_parameters_of_a_distribution_are_not_lost():
    doc = read(
        "<!-- symattn: expectation p over x -->"
        r"$$F_{ij} = \mathbb{E}\left[\frac{\partial \log p(x|\theta)}{\partial \theta^i}"
        r" \frac{\partial \log p(x|\theta)}{\partial \theta^j}\right]$$"
    )
    body = normalize(lower(doc["F"].expr, doc["F"].indices))
    assert {r.tensor.name for r in refs(body)} == {"p", "∂p/∂theta"}
