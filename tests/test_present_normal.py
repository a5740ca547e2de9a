"""Φ and φ in what is printed, where the text writes Φ of the standard normal law."""

import pytest

import symattn as sa

CDF = r"Here $\Phi$ is the cumulative distribution function of the standard normal distribution."
BOTH = r"Here $\Phi$ is the cdf of the standard normal distribution and $\phi$ its density."


def document(words, *formulas):
    return "\n\n".join([words, *(f"$$ {f} $$" for f in formulas)]) + "\n"


OPTION = document(
    CDF,
    r"d = \frac{\log(S / K) + (r + \frac{1}{2} s^2) T}{s \sqrt{T}}",
    r"C = S \Phi(d) - K e^{-r T} \Phi(d - s \sqrt{T})",
)
PROBIT = document(
    CDF,
    r"z_i = \sum_a X_{ia} w_a",
    r"L = \sum_i (y_i \log \Phi(z_i) + (1 - y_i) \log(1 - \Phi(z_i)))",
)
IMPROVED = document(BOTH, r"z = \frac{m - f}{s}", r"E = (m - f) \Phi(z) + s \phi(z)")
STEEP = document(CDF, r"L = \sum_i c_i \Phi(3 x_i)^2")
LINES = [
    (OPTION, "C", "S", r"\Phi(d)"),
    (OPTION, "C", "r", r"K T e^{-r T} \Phi(d - s \sqrt{T})"),
    (OPTION, "C", "s", r"\sqrt{T} S \phi(d)"),
    (
        PROBIT,
        "L",
        "w",
        r"\sum_{i} X_{ia} \phi(z_i) \left(\frac{y_i}{\Phi(z_i)} - "
        r"\frac{1 - y_i}{1 - \Phi(z_i)}\right)",
    ),
    (IMPROVED, "E", "m", r"\Phi(z)"),
    (IMPROVED, "E", "s", r"\phi(z)"),
    (STEEP, "L", "x", r"6 c_i \Phi(3 x_i) \phi(3 x_i)"),
]


@pytest.mark.parametrize(("text", "of", "wrt", "line"), LINES)
def test_lines(text, of, wrt, line):
    d = sa.jacobian(sa.read(text), of=of, wrt=wrt)
    assert d.equation().partition(" = ")[2] == line
    assert d.check_steps().ok


@pytest.mark.parametrize(("text", "of", "wrt", "line"), LINES[:3] + LINES[4:])
def test_lines_are_read_back(text, of, wrt, line, tmp_path):
    """What is printed is proved in the document itself."""
    assert (
        verdict(text, sa.jacobian(sa.read(text), of=of, wrt=wrt).equation(), tmp_path) == "proved"
    )


@pytest.mark.parametrize(
    ("text", "line"),
    [
        (r"L = \sum_i y_i \log \Phi(z_i)", r"\frac{y_i \phi(z_i)}{\Phi(z_i)}"),
        (
            r"L = \sum_i (1 - \Phi(z_i)) (z_i + 1)",
            r"\left(1 - \Phi(z_i)\right) - \phi(z_i) \left(1 + z_i\right)",
        ),
        (
            r"p_i = \Phi(z_i)" + "\n" + r"L = \sum_i y_i \log p_i",
            r"\frac{y_i \phi(z_i)}{p_i}",
        ),
        (r"E_i = m \Phi(z_i) + s \phi(z_i)", r"\delta_{in} \phi(z_i) \left(m - s z_i\right)"),
    ],
)
def test_a_probability_in_formulas_alone(text, line):
    """log Φ, 1 − Φ, and Φ and φ of one thing: no words are needed."""
    d = sa.jacobian(sa.read(text), of=text.splitlines()[-1][0], wrt="z")
    assert d.equation().partition(" = ")[2] == line


def test_features_are_no_density():
    """Φ(w·φ(x)): the φ of the text is another function, so the density is Φ′."""
    text = document(CDF, r"z_i = \sum_a w_a \phi(x_{ia})", r"L = \sum_i y_i \log \Phi(z_i)")
    d = sa.jacobian(sa.read(text), of="L", wrt="w")
    assert d.equation().partition(" = ")[2] == (
        r"\sum_{i} \frac{y_i \phi(x_{ia}) \Phi'(z_i)}{\Phi(z_i)}"
    )


def test_squares_of_erf_are_spelled_too():
    d = sa.jacobian(sa.read(PROBIT), of="L", wrt="z")
    assert "erf" not in d.equation()


def test_twice_a_line_is_refuted(tmp_path):
    equation = r"\frac{\partial E}{\partial s} = 2 \phi(z)"
    assert verdict(IMPROVED, equation, tmp_path) == "refuted"


def verdict(text, equation, folder):
    path = folder / "paper.md"
    path.write_text(f"{text}\n\n$$ {equation} $$\n", "utf-8")
    return list(sa.check(path))[-1].verdict


def test_erf_stays_where_the_text_has_no_distribution_function():
    d = sa.jacobian(sa.read(r"y = x (1 + \operatorname{erf}(x / \sqrt{2})) / 2"), of="y", wrt="x")
    assert r"\Phi" not in d.equation() and "erf" in d.equation()


def test_a_function_that_nothing_defines_has_its_name_with_a_prime():
    d = sa.jacobian(sa.read("<!-- symattn: scalars x -->\n" r"y = \Phi(x)^2"), of="y", wrt="x")
    assert d.equation().partition(" = ")[2] == r"2 \Phi'(x) \Phi(x)"


def test_a_matrix_of_features_is_no_distribution_function():
    text = r"""The features $\Phi$ of normal data, of which the cdf is plotted:

$$ p_i = \frac{1}{2} (1 + \operatorname{erf}(\sum_a \Phi_{ia} w_a)) $$
"""
    d = sa.jacobian(sa.read(text), of="p", wrt="w")
    assert r"\Phi(" not in d.equation() and r"\Phi_{" in d.equation()


def test_the_upper_tail_is_as_the_text_has_it():
    text = "<!-- symattn: sizes X:(n,p) w:(p) y:(n) -->\nz_i = \\sum_a X_{ia} w_a\n"
    one, other = (
        text + r"L = \sum_i (y_i \log \Phi(z_i) + (1 - y_i) \log " + tail + ")"
        for tail in (r"(1 - \Phi(z_i))", r"\Phi(-z_i)")
    )
    lines = [sa.jacobian(sa.read(t), of="L", wrt="z").equation() for t in (one, other)]
    assert r"1 - \Phi(z_i)" in lines[0] and r"\Phi(-" not in lines[0]
    assert r"\Phi(-z_i)" in lines[1] and "1 - " not in lines[1].replace("1 - y_i", "")


def test_a_density_beside_another_exponential_is_one():
    text = "<!-- symattn: scalars r T d -->\n" r"P = e^{-r T} (1 - \Phi(d))"
    d = sa.jacobian(sa.read(text), of="P", wrt="d")
    assert d.equation().partition(" = ")[2] == r"-e^{-r T} \phi(d)"
    text = "<!-- symattn: scalars r T d -->\n" r"P = e^{-r^2 / 2} (1 - \Phi(d))"
    assert r"\phi" not in sa.jacobian(sa.read(text), of="P", wrt="d").equation()


def test_lower_tails_are_read_beside_their_density():
    text = "<!-- symattn: scalars z -->\n" r"l = \log \Phi(-z)"
    lines = {r"-\frac{\phi(z)}{\Phi(-z)}": "proved", r"\frac{\phi(z)}{\Phi(-z)}": "refuted"}
    for line, status in lines.items():
        doc = sa.read(text + "\n" + r"\frac{\partial l}{\partial z} = " + line)
        (claim,) = doc.claims
        assert sa.prove(claim.lhs, claim.rhs, given=doc).status == status
