"""Line elements in LaTeX, in files and on the command line."""

import json
from contextlib import suppress

import pytest
import sympy as sp
from hypothesis import given, settings
from hypothesis import strategies as st

from symattn.cli import main
from symattn.errors import LimitError, SymattnError
from symattn.geometry import (
    ChristoffelDerivation,
    Metric,
    canonical,
    catalogue,
    from_line_element,
    read_metric,
)

t, r, theta, phi, x, y, M, a, k = sp.symbols("t r theta phi x y M a k")
KERR = r"""# A rotating hole

Energies $E = m$ play no role. % ds^2 = dx^2
$$
\begin{aligned}
ds^2 &= -\frac{\Delta}{\Sigma}\left(dt - a\sin^2\theta\,d\phi\right)^2
  + \frac{\sin^2\theta}{\Sigma}\Bigl[(r^2+a^2)d\phi - a\,dt\Bigr]^2
  + \frac{\Sigma}{\Delta}\,dr^2 + \Sigma\,d\theta^2, \\
\Sigma &= r^2 + a^2\cos^2\theta
\end{aligned}
$$
with $\Delta = r^2 - 2 M r + a^2$.
"""


def same(one, other):
    """The same components in the order of the second."""
    n = range(len(other.coordinates))
    order = [one.coordinates.index(s) for s in other.coordinates]
    return all(
        canonical(one.matrix[order[i], order[j]] - other.matrix[i, j]) == 0 for i in n for j in n
    )


@pytest.mark.parametrize(
    ("latex", "where", "name"),
    [
        (
            r"ds^2 = -\left(1-\frac{2M}{r}\right)dt^2 + \frac{dr^2}{1-\frac{2M}{r}}"
            r" + r^2 d\Omega^2",
            [r"d\Omega^2 = d\theta^2 + \sin^2\theta\,d\phi^2"],
            "schwarzschild",
        ),
        (
            r"\mathrm{d}s^2 = -\mathrm{d}t^2 + \alpha(t)^2 \left( \frac{\mathrm{d}r^2}{1-kr^2}"
            r" + r^2(\mathrm{d}\theta^2 + \sin^2\theta\,\mathrm{d}\phi^2)\right)",
            [],
            "flrw",
        ),
        (r"d s^{2} = \frac{dx^2 + dy^2}{y^2}.", [], "hyperbolic"),
        (r"ds^2 = H(u, x, y) du^2 + 2\,du\,dv + dx^2 + dy^2", [], "pp_wave"),
        (
            r"ds^2 = a^2\left(-(dt + e^x dy)^2 + dx^2 + \tfrac12 e^{2x} dy^2 + dz^2\right)",
            [],
            "goedel",
        ),
        (r"ds^2 = e^{2\phi(x,y,z)} (dx^2 + dy^2 + dz^2)", [], "conformally_flat"),
    ],
)
def test_line_elements_of_the_catalogue(latex, where, name):
    assert same(from_line_element(latex, where=where), catalogue.metric(name))


def test_coordinates_may_be_given_and_are_the_users_own_symbols():
    angle, height = sp.symbols("theta z", real=True)
    metric = from_line_element(r"ds^2 = dz^2 + R_0^2 d\theta^2", (angle, height))
    assert metric.coordinates == (angle, height)
    assert metric.matrix == sp.diag(sp.Symbol("R_0") ** 2, 1)
    radius = sp.Symbol("R_0", positive=True)
    metric = from_line_element(
        r"ds^2 = dz^2 + R_{0}^2 d\theta^2", (angle, height), parameters=[radius]
    )
    assert metric.matrix[0, 0] == radius**2


def test_letters_that_stand_for_expressions_print_as_themselves():
    metric = from_line_element(
        r"ds^2 = \frac{\Sigma}{r} dr^2 + \Sigma d\theta^2",
        where=r"\Sigma = r^2 + a^2\cos^2\theta",
    )
    table = metric.christoffel.latex()
    assert r"- \frac{a^{2} \sin{\left(\theta \right)} \cos{\left(\theta \right)}}{\Sigma}" in table
    assert metric.christoffel[r, r, theta].has(sp.cos(theta))


scalars = st.recursive(
    st.sampled_from([x, y, sp.S(2), sp.S(3), k]),
    lambda e: st.one_of(
        st.builds(lambda p, q: p + q, e, e),
        st.builds(lambda p, q: p * q, e, e),
        st.builds(lambda p: sp.sin(p), e),
        st.builds(lambda p: 1 / (p**2 + 1), e),
        st.builds(lambda p: sp.sqrt(p**2 + 1), e),
        st.builds(lambda p: sp.exp(p), e),
    ),
    max_leaves=4,
)


@settings(max_examples=40, deadline=None)
@given(scalars, scalars)
def test_what_sympy_prints_is_read_back(one, other):
    latex = rf"ds^2 = \left({sp.latex(one)}\right) dx^2 + 2\left({sp.latex(other)}\right) dx\,dy"
    from symattn.geometry.line_element import read_line_element

    found = read_line_element(latex + "+ dy^2", (x, y)).matrix
    assert sp.simplify(found[0, 0] - one) == 0
    assert sp.simplify(found[0, 1] - other) == 0


A, F = sp.Function("A")(r), sp.Function("F")(t, x)


@pytest.mark.parametrize(
    ("latex", "where", "entries"),
    [
        (r"-dt^2 + A^2(r) dr^2", [], (-1, A**2)),
        (r"-dt^2 + A'(r)^2 dr^2", [], (-1, A.diff(r) ** 2)),
        (r"-dt^2 + \ddot{A}(r) dr^2", [], (-1, A.diff(r, 2))),
        (
            r"-\dot F^2 dt^2 + (\partial_x F)^{2} dx^2",
            ["F = F(t, x)"],
            (-(F.diff(t) ** 2), F.diff(x) ** 2),
        ),
        (r"\partial_x F(t, x) dt^2 + dx^2", [], (F.diff(x), 1)),
        (r"-N^2 dt^2 + N^{-2} dr^2", ["N^2 = 1 - 2M/r"], (2 * M / r - 1, 1 / (1 - 2 * M / r))),
        (r"\sec^2 x\,(dx^2 + dy^2)", [], (sp.sec(x) ** 2,) * 2),
        (r"|x| dx^2 + e^{-2k|x|}dy^2", [], (sp.Abs(x), sp.exp(-2 * k * sp.Abs(x)))),
        (r"\arctan x\, dx^2 + \operatorname{sech}^2(x) dy^2", [], (sp.atan(x), sp.sech(x) ** 2)),
        (r"d\theta^2 + \sin^2\theta\,d\phi^2", [], (1, sp.sin(theta) ** 2)),
        (r"dt^2 + f(\rho) dx^2", [r"\rho \equiv 2x"], (1, sp.Function("f")(2 * x))),
        (r"h_+ dx^2 + dy^2", [], (sp.Symbol("h_+"), 1)),
        (r"d\Omega^2", [], (1, sp.sin(theta) ** 2)),
        (
            r"\tilde r^2 d\tilde r^2 + \hat{r} dx^2",
            [],
            (sp.Symbol("rtilde") ** 2, sp.Symbol("rhat")),
        ),
    ],
)
def test_functions_derivatives_and_bracketed_forms(latex, where, entries):
    metric = from_line_element("ds^2 = " + latex, where=where)
    assert metric.matrix == sp.diag(*entries)


@pytest.mark.parametrize(
    ("latex", "words"),
    [
        (r"ds^2 = dx^2 + dy", ["not quadratic", "two differentials"]),
        (r"ds^2 = dx^3", ["not quadratic"]),
        (r"ds^2 = 1 + dx^2", ["not quadratic"]),
        (r"ds^2 = dx^2 + @", ["no meaning", "'@'"]),
        (r"ds^2 = \sin x y\,dx^2", [r"what \sin is of", "parentheses"]),
        (r"ds^2 = \sin^{-1}(x) dx^2", ["may be an inverse function"]),
        (r"ds^2 = x^10 dx^2", ["only the first digit", "^{…}"]),
        (r"ds^2 = x^{2 dx^2", ["something is missing", "}"]),
        (r"ds^2 = (x dx^2", ["something is missing", ")"]),
        (r"ds^2 = dx^2)", ["does not belong here", "')'"]),
        (r"dx^2 + dy^2", ["no equation with two sides"]),
        (r"d\tau^2 = dt^2", ["no line element", "ds^2 on the left"]),
        (r"ds^2 = d + x", ["d stands alone"]),
        (r"ds^2 = \frac dx^2", [r"\frac has no argument"]),
        (r"ds^2 = dx^2 / ", ["something is missing", "the end"]),
        (r"ds^2 = f(b) dx^2", ["whether f is a function of b or times it", "where=['b = …']"]),
        (r"ds^2 = dt^2 + d\mathbf{x}^2", ["a vector has several coordinates"]),
        (r"ds^2 = \pm dx^2", [r"\pm has no meaning here"]),
        (r"ds^2 = \sum_i dx_i^2", [r"\sum has no meaning here"]),
        (r"ds^2 = \dot a\,dx^2", ["what a is a function of", "a(t)"]),
        (r"ds^2 = \partial R(x) dx^2", ["by what is differentiated"]),
        (r"ds^2 = F'(x, y) dx^2 + dy^2", ["by what is differentiated"]),
        (r"ds^2 = F_{,x} dx^2", ["a comma as a derivative"]),
        (r"ds^2 = dx^2 + r^2 d\Omega_3^2", ["which sphere", "where="]),
        (r"ds^2 = d\theta^2 + \sin^2\theta\,d\Omega^2", ["which sphere"]),
        (r"ds^2 = a(t) dt^2 + a\,dx^2", ["with and without arguments", "a = a(t)"]),
        (r"ds^2 = \sin x (1 + y) dx^2", [r"what \sin is of"]),
    ],
)
def test_nothing_is_guessed(latex, words):
    with pytest.raises(SymattnError) as caught:
        from_line_element(latex)
    for word in words:
        assert word in str(caught.value), str(caught.value)


def test_a_differential_of_no_coordinate_is_named():
    with pytest.raises(SymattnError, match=r"Omega is not a coordinate"):
        from_line_element(r"ds^2 = dr^2 + r^2 d\Omega^2", (r,))


@pytest.mark.parametrize(
    "latex",
    [
        "(" * 200 + "x" + ")" * 200 + "dx^2",
        "x+" * 4000 + "dx^2",
        "9^{9^{9^9}} dx^2",
        "x^{101} dx^2",
        r"\sqrt[1000]{x} dx^2",
        "(x+1)^{-300} dx^2",
        "((x^{90})^{90})^{90} dx^2",
        "(((9^{90})^{90})^{90})^{90} dx^2",
        "9" * 60 + "dx^2",
    ],
)
def test_size_and_depth_are_bounded(latex):
    with pytest.raises(LimitError):
        from_line_element("ds^2 = " + latex)


@settings(max_examples=60, deadline=None)
@given(st.text(alphabet=r"\{}()[]^_+-*/=,.dsxyt2 fracsinqe'", max_size=40))
def test_any_text_is_read_or_refused(text):
    with suppress(SymattnError):
        assert isinstance(from_line_element("ds^2 = " + text), Metric)


# ------------------------------------------------------------------------------------------- files


def test_a_file_with_a_line_element(tmp_path):
    path = tmp_path / "kerr.md"
    path.write_text(KERR, "utf-8")
    metric = read_metric(path)
    assert metric.coordinates == (t, phi, r, theta) and metric.ricci.is_zero
    assert same(metric, catalogue.metric("kerr"))
    derivation = ChristoffelDerivation(metric)
    assert derivation.check_steps()
    assert {step.place for step in derivation.steps} >= {
        (c, i, j) for c, i, j in metric.christoffel._given if i <= j
    }
    assert r"\frac{\Delta r}{\Sigma}" in derivation.latex()


SQUARE = r"$$ds^2 = -f(r) dt^2 + \Sigma\,dr^2 + N^2 d\theta^2, \qquad "


@pytest.mark.parametrize(
    "rest",
    [
        r"\Sigma = r^2 + a^2, \quad f(r) = 1 - \frac{2M}{r}, N^2 = r + a$$",
        r"\Sigma \equiv r^2 + a^2 \text{ and } f(r) := 1 - 2M/r$$ with $N^2 = r + a$.",
        r"\Sigma = r^2 + a^2$$ and, again, $\Sigma = r^2 + a^2$, $f(r) = 1 - 2M/r; N^2 = a + r$",
    ],
)
def test_all_that_a_file_says_of_letters_is_used(rest, tmp_path):
    file = tmp_path / "file.md"
    file.write_text(SQUARE + rest)
    metric = read_metric(file)
    assert set(metric.parameters) == {M, a}
    wanted = sp.diag(2 * M / r - 1, r**2 + a**2, r + a)
    assert (metric.matrix - wanted).applyfunc(canonical) == sp.zeros(3)


@pytest.mark.parametrize(
    ("rest", "words"),
    [
        (r"\Sigma = \rho^2 = r^2$$", [r"what \Sigma in the line element is", "one ="]),
        (r"\Sigma = r^2$$ and $\Sigma = r^3$", [r"what \Sigma", "too", "one equation"]),
        (r"f(t) = 1$$", ["f is not of these arguments", "f(t)"]),
    ],
)
def test_what_a_file_says_in_two_ways_is_refused(rest, words, tmp_path):
    file = tmp_path / "file.md"
    file.write_text(SQUARE + rest)
    with pytest.raises(SymattnError) as caught:
        read_metric(file)
    for word in words:
        assert word in str(caught.value), str(caught.value)


def test_a_wrong_derivation_is_seen():
    derivation = ChristoffelDerivation(Metric((x, y), sp.diag(1 + y**2, 1 + x)))
    assert derivation.check_steps()
    step = derivation.steps[0]
    wrong = type(step)(step.place, step.products, step.values, step.result + 1)
    derivation.__dict__["steps"] = (wrong, *derivation.steps[1:])
    assert not derivation.check_steps()


def test_derive_christoffel_of_a_file(tmp_path, capsys):
    path = tmp_path / "sphere.tex"
    path.write_text(r"\[ ds^2 = R^2 (d\theta^2 + \sin^2\theta\,d\phi^2) \]", "utf-8")
    command = ["derive", "christoffel", "--metric", str(path)]
    assert main(command) == 0
    out = capsys.readouterr().out
    assert "Gamma[phi, theta, phi]\n    + 1/2 g^[phi, phi] ∂_theta g[phi, phi]" in out
    assert "    = cos(theta)/sin(theta)" in out
    assert main([*command, "--format", "json"]) == 0
    data = json.loads(capsys.readouterr().out)
    assert data["coordinates"] == ["theta", "phi"]
    assert data["christoffel"][0] == {
        "indices": ["theta", "phi", "phi"],
        "value": "-sin(theta)*cos(theta)",
    }
    for kind, words in (("latex", r"\partial_{\theta} g_{\phi \phi}"), ("markdown", "## Ricci")):
        assert main([*command, "--format", kind]) == 0
        assert words in capsys.readouterr().out


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["christoffel", "--metric", "gone.tex"], "there is no file 'gone.tex'"),
        (["softmax_jacobian", "--metric", "gone.tex"], "derive christoffel --metric gone.tex"),
        (["christoffel", "--metric", "gone.tex", "--wrt", "x"], "--metric says of which metric"),
    ],
)
def test_a_metric_that_cannot_be_read_is_said(arguments, said, capsys):
    assert main(["derive", *arguments]) == 2
    assert said in capsys.readouterr().err


def test_a_file_without_a_line_element(tmp_path):
    path = tmp_path / "empty.md"
    path.write_text("$E = m$", "utf-8")
    with pytest.raises(SymattnError, match="no line element"):
        read_metric(path)
