"""Pairs of two different indices: Σ_{j ≠ i} and Σ_{i < j} of what has no value at i = j."""

import numpy as np
import pytest
import sympy as sp

import symattn as sa
from symattn import normalize as nf
from symattn.distinct import sides
from symattn.explain.pairs import in_pairs
from symattn.ir import Index, Poly, Ref, Tensor, raw_atom, refs

DISTANCE = r"r_{ij} = \sqrt{\sum_a (x_{ia} - x_{ja})^2}" + "\n"
GAS = r"E = \frac{1}{2} \sum_i x_i^2 - \sum_{i < j} \log |x_i - x_j|"
COULOMB = DISTANCE + r"E = \frac{1}{2} \sum_{i \neq j} \frac{q_i q_j}{r_{ij}}"
LENNARD = DISTANCE + r"E = \sum_{i < j} (\frac{s^{12}}{r_{ij}^{12}} - \frac{s^6}{r_{ij}^6})"
INVERSE = r"E_i = \sum_{j \neq i} \frac{m_j}{x_i - x_j}"


@pytest.mark.parametrize(
    ("text", "wrt", "line"),
    [
        (GAS, "x", r"x_i - \sum_{j \neq i} \frac{1}{x_i - x_j}"),
        (
            COULOMB,
            "x",
            r"q_i \sum_{j \neq i} \frac{q_j}{r_{ij}^3} \left(x_{ja} - x_{ia}\right)",
        ),
        (COULOMB, "q", r"\sum_{j \neq i} \frac{q_j}{r_{ij}}"),
        (
            LENNARD,
            "x",
            r"6 s^{6} \sum_{j \neq i} \frac{1}{r_{ij}^8} \left(1 - \frac{2 s^{6}}{r_{ij}^6}\right) "
            r"\left(x_{ia} - x_{ja}\right)",
        ),
        (INVERSE, "m", r"\frac{1 - \delta_{ij}}{x_i - x_j}"),
        (
            r"L = \sum_i \log \sum_{j \neq i} e^{s_{ij}}",
            "s",
            r"\frac{e^{s_{ij}} \left(1 - \delta_{ij}\right)}{\sum_{k \neq i} e^{s_{ik}}}",
        ),
        (
            r"E = \sum_{i \neq j} s_{ij} x_i x_j^2",
            "x",
            r"\sum_{j \neq i} s_{ij} x_j^2 + 2 x_i \sum_{j \neq i} s_{ji} x_j",
        ),
        (r"L = \sum_{i < j} e^{s_{ij}} x_i", "x", r"\sum_{j > i} e^{s_{ij}}"),
    ],
)
def test_lines(text, wrt, line):
    d = sa.jacobian(sa.read(text), of=text.splitlines()[-1][0], wrt=wrt)
    assert d.equation().partition(" = ")[2] == line
    assert d.check_steps().ok


@pytest.mark.parametrize(("factor", "verdict"), [("g", "proved"), ("2 g", "refuted")])
def test_claims(factor, verdict, tmp_path):
    text = r"""$$ E = \frac{1}{2} \sum_i x_i^2 - \frac{g}{2} \sum_{i \neq j} \log |x_i - x_j| $$

$$ \frac{\partial E}{\partial x_i} = x_i - FACTOR \sum_{j \neq i} \frac{1}{x_i - x_j} $$
"""
    path = tmp_path / "gas.md"
    path.write_text(text.replace("FACTOR", factor), "utf-8")
    assert [row.verdict for row in sa.check(path)] == ["definition", verdict]


def test_gradients_are_finite():
    system = sa.read(LENNARD)
    x = np.array([[0.0, 0.3], [1.2, -0.4], [0.5, 1.9], [-1.1, 0.8]])
    found = sa.compile(sa.jacobian(system, of="E", wrt="x"))(x=x, s=1.3)
    gap = x[:, None] - x[None]
    r = np.sqrt((gap**2).sum(-1)) + np.eye(4)
    slope = 6 * 1.3**6 / r**8 * (1 - 2 * 1.3**6 / r**6) * (1 - np.eye(4))
    np.testing.assert_allclose(found, (slope[..., None] * gap).sum(1), rtol=1e-5)
    assert sa.verify(sa.jacobian(system, of="E", wrt="x")).ok


def test_other_pairs_stay_as_they_are():
    known = sa.read(r"E = \sum_{i \neq j} w_{ij} y_j").definitions["E"]
    assert "Ne(i, j)" in str(known.expr)
    apart = "<!-- symattn: sizes w:(n, m) -->\n" + r"E_i = \sum_{j \neq i} w_{ij} y_j"
    assert [str(s) for s in sa.read(apart).inputs["w"].shape] == ["n", "m"]
    plain = sa.read(r"C_{ij} = \frac{1 - \delta_{ij}}{n_i}")
    assert "delta" in sa.jacobian(plain, of="C", wrt="n").equation()


@pytest.mark.parametrize(
    ("definition", "claim", "verdict"),
    [
        (r"\sum_{k \neq i} e^{s_{ik}}", r"\sum_{j \neq i} p_{ij} = 1", "proved"),
        (r"\sum_{k \neq i} e^{s_{ik}}", r"\sum_{j \neq i} p_{ij} = 2", "refuted"),
        (r"\sum_{k \neq l} e^{s_{kl}}", r"\sum_{i \neq j} p_{ij} = 1", "proved"),
        (r"\sum_{k \neq l} e^{s_{kl}}", r"\sum_i \sum_{j \neq i} p_{ij} = 1", "proved"),
    ],
)
def test_what_leaves_one_index_out_is_a_sum_over_the_other(definition, claim, verdict, tmp_path):
    r"""\sum_{j \neq i} is over j alone, \sum_{i \neq j} over both."""
    path = tmp_path / "weights.md"
    path.write_text(f"$$ p_{{ij}} = \\frac{{e^{{s_{{ij}}}}}}{{{definition}}} $$\n\n$$ {claim} $$\n")
    assert [row.verdict for row in sa.check(path)] == ["definition", verdict]


def test_a_pair_is_one_whichever_mask_is_met_first():
    """W_ij of Σ_j ([i < j] + [j < i]) m_j is that of Σ_j ([j < i] + [i < j]) w_j."""
    n = sp.Symbol("n", integer=True, positive=True)
    i, j = Index("i", n), Index("j", n)
    low, high = sides(i, j)

    def total(mask, name):
        weight = raw_atom(Ref(Tensor(name, (n,)), (j,)))
        return nf.sum_over((j,), nf.multiply(raw_atom(mask), weight)).single

    rows = [(low, "m"), (high, "m"), (high, "w"), (low, "w")]
    once, pair = in_pairs(Poly(dict(total(*row) for row in rows)))
    assert pair is not None
    found = [r for t, _ in once for r in refs(t) if r.tensor is pair.tensor]
    assert len(found) == 2
    assert found[0] is found[1]
    others = Poly(dict(total(*row) for row in [(low, "m"), (high, "w")]))
    assert in_pairs(others) == (others, None)


@pytest.mark.parametrize(
    ("definitions", "claim", "verdict"),
    [
        (
            r"r_{ij} = \sqrt{\sum_a (x_{ia} - x_{ja})^2}",
            r"2 \sum_{j \neq i} \frac{x_{ia} - x_{ja}}{r_{ij}}",
            "proved",
        ),
        (
            r"r_{ij} = \sqrt{\sum_a (x_{ia} - x_{ja})^2}",
            r"\sum_{j \neq i} \frac{x_{ia} - x_{ja}}{r_{ij}}",
            "refuted",
        ),
        (r"r_{ij} = 2 \sum_a x_{ia} x_{ja}", r"4 \sum_{j \neq i} x_{ja}", "proved"),
        (r"r_{ij} = 2 \sum_a x_{ia} x_{ja}", r"4 \sum_j x_{ja} - 3 x_{ia}", "refuted"),
    ],
)
def test_names_of_pairs_are_looked_into(definitions, claim, verdict, tmp_path):
    """Σ_{i ≠ j} r_ij keeps its masks where r_ii has no slope, as Σ_{i ≠ j} |x_i − x_j| does."""
    path = tmp_path / "pairs.md"
    lines = [
        definitions,
        r"D = \sum_{i \neq j} r_{ij}",
        rf"\frac{{\partial D}}{{\partial x_{{ia}}}} = {claim}",
    ]
    path.write_text("\n\n".join(f"$$ {line} $$" for line in lines), "utf-8")
    assert [row.verdict for row in sa.check(path)] == ["definition", "definition", verdict]


def test_a_quotient_with_a_name_has_second_derivatives():
    """Σ_{i ≠ j} q_ij² of q_ij = 1 / (x_i − x_j): no formula of it is taken at i = j."""
    system = sa.read("q_{ij} = \\frac{1}{x_i - x_j}\nE = \\sum_{i \\neq j} q_{ij}^2")
    at, change = np.array([0.1, 0.5, 1.7, -2.0]), np.array([1.0, -2.0, 0.3, 0.7])
    space = at[:, None] - at + np.eye(4)
    want = (12 * (change[:, None] - change) / space**4).sum(1)
    found = sa.compile(sa.hvp(system, of="E", wrt="x"))(x=at, x_dot=change)
    np.testing.assert_allclose(found, want, rtol=1e-5)


@pytest.mark.parametrize("claim", ["hessian", "jacobian"])
def test_steps_about_pairs_hold_in_numbers(claim):
    """A mask leaves out what has no value at i = j, in definitions and in brackets, too."""
    named = sa.read("u_{ij} = x_i - x_j\nv_{ij} = \\log u_{ij}^2\nE = \\sum_{i \\neq j} w_i v_{ij}")
    bracket = sa.read(r"E = \sum_{i < j} w_i \log (x_i - x_j)^2")
    for system in (named, bracket):
        report = getattr(sa, claim)(system, of="E", wrt="x").check_steps()
        assert report.ok, str(report)
