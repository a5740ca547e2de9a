r"""What strict reading takes from the whole of a text: axes of softmax(z), the first index."""

from __future__ import annotations

import importlib

import jax
import numpy as np
import pytest

import symattn as sa

CROSS = r"L = -\sum_k y_k \log p_k"


def gradient(text, of, wrt):
    return sa.jacobian(sa.read(text), of=of, wrt=wrt)


@pytest.mark.parametrize("inside", ["z", "-z", r"\frac{z}{\tau}", r"z / \tau"])
def test_what_softmax_is_taken_of_has_the_axes_of_its_result(inside):
    head = "<!-- symattn: scalars \\tau -->"
    text = "\n".join([head, rf"p = \operatorname{{softmax}}({inside})", CROSS])
    doc = sa.read(text)
    assert len(doc["p"].shape) == 1
    d = sa.jacobian(doc, of="L", wrt="z")
    rng = np.random.default_rng(7)
    z, y = rng.normal(size=5), rng.uniform(size=5)
    factor, tau = (-1 if inside == "-z" else 1), (1.7 if "tau" in inside else 1.0)
    e = np.exp(factor * z / tau)
    p = e / e.sum()
    given = {"z": z, "y": y} | ({"tau": tau} if "tau" in inside else {})
    with jax.enable_x64(True):
        found = np.asarray(sa.compile(d)(**given))
    np.testing.assert_allclose(found, factor / tau * (p * y.sum() - y), rtol=1e-9)


def test_rows_where_the_result_is_a_matrix():
    doc = sa.read("P = \\operatorname{softmax}(Z)\nL = -\\sum_{ik} Y_{ik} \\log P_{ik}")
    assert len(doc["P"].shape) == 2
    shown = sa.jacobian(doc, of="L", wrt="Z").equation()
    assert r"P_{pq} \sum_{k} Y_{pk} - Y_{pq}" in shown


def test_softmax_of_what_nothing_says_anything_about_is_refused():
    with pytest.raises(sa.SymattnError, match="softmax over which index"):
        sa.read(r"p = \operatorname{softmax}(z)")


def test_an_inverse_before_a_bracket_is_one_of_a_declared_matrix():
    sizes = "<!-- symattn: sizes F:(n,r) A:(r,r) B:(r,m) v:(m) -->\n"
    d = sa.backward(sa.read(sizes + "o = F A^{-1} (B v)"), output="o", wrt=("v",))["v"]
    assert d.matrix_form() == r"\bar v = B^\top A^{-\top} F^\top \bar o"
    with pytest.raises(sa.SymattnError, match="the inverse function, or one over"):
        sa.read(r"y_i = f^{-1}(x_i) + f(x_i)")


WAVE = r"e_n = y_n - a \sin(\omega n + \theta)"


def test_definitions_that_count_an_index_count_from_0():
    doc = sa.read(WAVE + "\n" + r"J = \frac{1}{2} \sum_n e_n^2")
    shown = sa.jacobian(doc, of="J", wrt="theta").equation()
    assert shown.endswith(r"-a \sum_{n} e_n \cos(\omega n + \theta)")
    lags = sa.read(r"R_k = \sum_n x_n y_{n+k}")
    shown = sa.backward(lags, output="R", wrt=("x",))["x"].equation()
    assert shown == r"\bar x_n = \sum_{k} y_{k+n} \bar R_k"


@pytest.mark.parametrize(
    "text",
    [
        "S = \\sum_{n} n x_n\nS = \\sum_n (n + 1) x_n - \\sum_n x_n",  # a claim
        r"y_i = x_2 z_i + x_i",  # a number of one component
    ],
)
def test_what_depends_on_the_first_index_is_refused(text):
    with pytest.raises(sa.SymattnError, match=r"from 0 or from 1|0 or 1"):
        sa.read(text)


@pytest.mark.parametrize(
    "text", [r"L = \sum_i d_i^2", r"L = \sum_i \max(0, 1 - d_i)", r"L = \sum_i n_i^3 x_i"]
)
def test_what_is_called_as_sizes_are_is_a_component_under_its_sum(text):
    name = "n" if "n_i" in text else "d"
    assert sa.jacobian(sa.read(text), of="L", wrt=name).indices


def test_a_size_below_a_root_stays_one():
    doc = sa.read(r"S_{ij} = \sum_k Q_{ik} K_{jk} / \sqrt{d_k}")
    with pytest.raises(sa.SymattnError):
        sa.jacobian(doc, of="S", wrt="d")


def test_the_frobenius_norm_beside_a_matrix_F():
    sizes = "<!-- symattn: sizes A:(m,k) U:(k,n) F:(m,n) g:(n,n) x:(n) -->\n"
    d = gradient(sizes + r"L = \frac{1}{2} \|A U - F\|_F^2", "L", "U")
    assert d.matrix_form().endswith(r"A^\top \left(A U - F\right)")
    metric = gradient(sizes + r"L = \frac{1}{2} \|x\|_g^2", "L", "x")
    assert "g" in metric.equation()


def test_a_shifted_sum_is_not_evaluated_round_a_circle():
    text = (
        "<!-- symattn: scalars m; indices from 1 -->\n"
        "e_t = x_{t+1} - x_t - m\nL = \\frac{1}{2} \\sum_{t=1}^T e_t^2"
    )
    assert gradient(text, "L", "m").equation().endswith(r"-\sum_{t} e_t")


MEAN = "\\mu = \\frac1d \\sum_i x_i\nz_i = x_i - \\mu"


def test_what_a_mean_is_divided_by_is_how_many_values_there_are():
    doc = sa.read(MEAN)
    assert doc.assumed["d"] == "how many values the letter of its mean has"
    d = sa.backward(doc, output="z", wrt=("x",))["x"]
    assert d.matrix_form() == r"\bar x = \bar z - \mathrm{mean}(\bar z)"


@pytest.mark.parametrize(
    ("text", "times"),
    [
        (MEAN.replace(r"\sum_i", r"\sum_{i=1}^d"), 1),
        (MEAN, 1),
        (MEAN + "\n\\sum_i z_i = 0", 2),  # a claim, of which a mean says no size
        ("z_i = x_i^2", 1),
    ],
)
def test_a_text_with_means_is_read_once_where_none_of_them_says_a_size(text, times, monkeypatch):
    read = []
    assemble = importlib.import_module("symattn.read.assemble")
    whole = assemble._assembly
    monkeypatch.setattr(assemble, "_assembly", lambda *a: read.append(a) or whole(*a))
    sa.read(text)
    assert len(read) == times


@pytest.mark.parametrize(
    "text",
    [
        "<!-- symattn: scalars d -->\n" + MEAN,
        MEAN + "\ny_i = d z_i",  # d is a number of its own
        MEAN + "\n\\sum_i z_i = 0",  # a claim, which another d would refute
        "d = 3\n" + MEAN,
    ],
)
def test_a_divisor_that_says_more_is_no_number_of_values(text):
    doc = sa.read(text)
    assert "d" not in doc.assumed
    for claim in doc.claims:
        if "z" in claim.latex:
            assert sa.prove(claim.lhs, claim.rhs, given=doc).status != "proved"
