"""Powers, roots and comparisons that stay as the author has them, each with its near miss."""

import pytest

import symattn as sa

COIL = r"z/\sqrt{z^2 + R^2} + (c - z)/\sqrt{(c - z)^2 + R^2}"


@pytest.mark.parametrize(
    ("text", "of", "wrt", "line"),
    [
        # (1 − p)/p beside a power of 1 − p; p − 1 is no fraction
        (
            "<!-- symattn: scalars p g; positive p -->\nL = -(1 - p)^g \\log p",
            "L",
            "p",
            r"g \cdot \left(1 - p\right)^{g - 1} \log(p) - \frac{\left(1 - p\right)^{g}}{p}",
        ),
        (
            "<!-- symattn: scalars p g; positive p -->\nL = -(1 - p)^g p",
            "L",
            "p",
            r"L \cdot \left(\frac{1}{p} - \frac{g}{1 - p}\right)",
        ),
        # two roots, each with one fraction over it; and one that keeps two
        (
            f"<!-- symattn: scalars z R c; positive R -->\nB = {COIL}",
            "B",
            "z",
            r"R^{2} \left(\frac{1}{\left(z^{2} + R^{2}\right)^{3/2}} - "
            r"\frac{1}{\left(\left(c - z\right)^{2} + R^{2}\right)^{3/2}}\right)",
        ),
        # e^{a x} − 1, and 1 − e^{−a x}
        (
            "<!-- symattn: scalars a -->\nL = \\sum_i (e^{a x_i} - a x_i)",
            "L",
            "a",
            r"\sum_{i} x_i \left(e^{a x_i} - 1\right)",
        ),
        (
            "<!-- symattn: scalars a -->\nL = \\sum_i (e^{-a x_i} + a x_i)",
            "L",
            "a",
            r"\sum_{i} x_i \left(1 - e^{-a x_i}\right)",
        ),
        # powers of one quotient in their bracket, but not powers of r, nor where x is divided by
        (
            "<!-- symattn: scalars k s r; positive r -->\nV = k ((s/r)^4 - (s/r)^2)",
            "V",
            "r",
            r"\frac{2 k}{r} \left(\left(\frac{s}{r}\right)^{2} - "
            r"2 \left(\frac{s}{r}\right)^{4}\right)",
        ),
        (
            "<!-- symattn: scalars k b r; positive r -->\nV = k (1/r^2 - b/r)",
            "V",
            "r",
            r"k \left(\frac{b}{r^{2}} - \frac{2}{r^{3}}\right)",
        ),
        (
            "<!-- symattn: scalars k x r; positive r -->\nV = k (x^2/r^2 - x/r)",
            "V",
            "x",
            r"k \left(\frac{2 x}{r^{2}} - \frac{1}{r}\right)",
        ),
        # what is compared stands as in the author's minimum
        (
            "<!-- symattn: scalars c -->\nJ = \\sum_t \\min(r_t A_t, c A_t)",
            "J",
            "r",
            r"A_t \mathbf{1}[c A_t > r_t A_t]",
        ),
        # a minimum with 0 under Σ, and a maximum of his own
        (
            "J = \\sum_i c_i^2 \\min(0, x_i)",
            "J",
            "c",
            r"2 c_i \min\left(0, x_i\right)",
        ),
        (
            "J = -\\sum_i c_i^2 \\max(0, -x_i)",
            "J",
            "c",
            r"2 c_i \min\left(0, x_i\right)",
        ),
    ],
)
def test_lines(text, of, wrt, line):
    d = sa.jacobian(sa.read(text), of=of, wrt=wrt)
    assert d.equation().partition(" = ")[2] == line
    assert d.check_steps().ok


def test_residuals_stand_beside_the_exponential():
    """e_i is a residual, and e^{a e_i} the exponential of one."""
    text = "<!-- symattn: scalars a -->\ne_i = y_i - f_i\nL = \\sum_i e^{a e_i}"
    d = sa.jacobian(sa.read(text), of="L", wrt="e")
    assert d.equation().partition(" = ")[2] == r"a \exp(a e_i)"


def test_a_symmetric_matrix_is_square():
    text = "<!-- symattn: symmetric S -->\n" + r"D = \mathrm{tr}(P S)"
    d = sa.jacobian(sa.read(text), of="D", wrt="P")
    assert len({str(n) for n in sa.read(text).inputs["S"].shape}) == 1
    assert d.equation().partition(" = ")[2] == r"S_{pq}"
    with pytest.raises(sa.SymattnError, match="cannot be symmetric"):
        sa.read("<!-- symattn: symmetric S; sizes S:(n, m) -->\n" + r"D = \sum_{ij} S_{ij}")


def test_derivatives_of_digamma_have_primes(tmp_path):
    """ψ′ of ψ, which is read back; where ψ is a name, the function has its own."""
    text = r"L = \sum_i \log \Gamma(a_i) - \log \Gamma(\sum_k a_k)"
    found = sa.hessian(sa.read(text), of="L", wrt="a").equation()
    assert found.endswith(r"\delta_{ik} \psi'(a_i) - \psi'\left(\sum_{j} a_j\right)")
    d = sa.jacobian(sa.read(r"y_i = \psi(x_i)^2"), of="y", wrt="x")
    assert d.equation().endswith(r"2 \delta_{im} \psi(x_i) \psi'(x_i)")
    path = tmp_path / "gamma.md"
    text = r"""$$ L = \log \Gamma(x) $$

$$ \frac{\partial^2 L}{\partial x^2} = \psi'(x) $$

$$ \frac{\partial^2 L}{\partial x^2} = \psi''(x) $$
"""
    path.write_text(text, "utf-8")
    assert [row.verdict for row in sa.check(path)] == ["definition", "proved", "refuted"]
    named = "<!-- symattn: scalars x psi -->\n" + r"y = \psi \log \Gamma(x)"
    assert r"\psi'" not in sa.jacobian(sa.read(named), of="y", wrt="x").equation()
