"""Rules of form, each with what it prints and with the near miss that it leaves alone."""

import json

import pytest
import sympy as sp

import symattn as sa
from symattn.logistic import together
from symattn.model import model
from symattn.second_opinion import check
from symattn.shared_bars import none_left


def printed(text, of, wrt):
    d = sa.jacobian(sa.read(text), of=of, wrt=wrt)
    assert d.check_steps().ok
    return d.equation().partition(" = ")[2]


@pytest.mark.parametrize(
    ("text", "wrt", "line"),
    [
        # m x + (1 − m) y where the author has 1 − m
        (
            "L = \\sum_{ia} (m_a x_{ia} + (1 - m_a) x_{i-1,a}) h_{ia}",
            "x",
            r"h_{ia} m_a + h_{i+1,a} \left(1 - m_a\right)",
        ),
        (
            "L = \\sum_{ia} (x_{i-1,a} + m_a (x_{ia} - x_{i-1,a})) h_{ia}",
            "x",
            r"h_{i+1,a} + m_a \left(h_{ia} - h_{i+1,a}\right)",
        ),
        # d_ji = −d_ij, where d is a difference; not where it is a sum
        (
            "<!-- symattn: symmetric J -->\nd_{ij} = x_i - x_j\nL = \\sum_{ij} J_{ij} \\cos d_{ij}",
            "x",
            r"-2 \sum_{j} J_{ij} \sin(d_{ij})",
        ),
        (
            "<!-- symattn: symmetric J -->\nd_{ij} = x_i + 2 x_j\n"
            "L = \\sum_{ij} J_{ij} \\cos d_{ij}",
            "x",
            r"-\sum_{j} J_{ij} \left(\sin(d_{ij}) + 2 \sin(d_{ji})\right)",
        ),
        # d = (1 + r) (w − c), of which a factor cancels; and r + w c of which none does
        (
            "<!-- symattn: scalars b c r w -->\nd = (1 + r) (w - c)\nL = b \\log d",
            "w",
            r"\frac{b}{w - c}",
        ),
        (
            "<!-- symattn: scalars b c r w -->\nd = (1 + r) w - c\nL = b \\log d",
            "w",
            r"\frac{b \cdot \left(1 + r\right)}{d}",
        ),
        # roots of one sum over one bar; of two sums they stay apart
        (
            "<!-- symattn: scalars m v c; positive c -->\nL = \\frac{m v}{\\sqrt{c^2 - v^2}}",
            "v",
            r"\frac{m c^{2}}{\left(c^{2} - v^{2}\right)^{3/2}}",
        ),
        # an odd function is turned for its sign, an even one is not
        (
            "<!-- symattn: symmetric J -->\nL = \\sum_i x_i^2 - \\sum_{ij} J_{ij} \\cos(x_i - x_j)",
            "x",
            r"2 \left(x_i + \sum_{j} J_{ij} \sin(x_i - x_j)\right)",
        ),
        # half of all of it is no fraction of the author's below a bar; a quarter of one term is
        (
            "<!-- symattn: scalars m n s t; positive s -->\n"
            "L = \\frac{m - n}{\\sqrt{(s^2 + t^2) / 2}}",
            "s",
            r"-\frac{s L}{s^{2} + t^{2}}",
        ),
        (
            "<!-- symattn: scalars m s t -->\nL = m + \\frac{1}{s^2 + t^2 / 4}",
            "s",
            r"-\frac{2 s}{\left(s^{2} + \frac{1}{4} t^{2}\right)^{2}}",
        ),
        # a bracket of fractions of the author's
        (
            "<!-- symattn: scalars R T V B C -->\n"
            "L = R T (\\frac{1}{V} + \\frac{B}{V^2} + \\frac{C}{V^3})",
            "T",
            r"R \cdot \left(\frac{B}{V^{2}} + \frac{1}{V} + \frac{C}{V^{3}}\right)",
        ),
        # the number of values of n beside a sum over n and other letters
        (
            "<!-- symattn: scalars R -->\nL = \\sum_n ((\\sum_a x_{na} w_a)^2 - R)^2",
            "R",
            r"-2 \sum_{n} \left(\left(\sum_{a} x_{na} w_a\right)^{2} - R\right)",
        ),
        # a number that is a name too
        ("<!-- symattn: scalars \\delta c -->\nL = c \\sin \\delta", "c", r"\sin(\delta)"),
    ],
)
def test_what_is_printed(text, wrt, line):
    assert printed(text, "L", wrt) == line


def test_a_factor_of_two_terms_is_taken_out_with_what_goes_along():
    """c p_k (y_k − q_k) of c p_k y_k − c p_k q_k, and c alone of none: c p_k − c y_k q_k."""
    text = "<!-- symattn: scalars c -->\nL = \\sum_k ({} + p_k^2 + y_k^2)"
    both = printed(text.format("c p_k r_k y_k - c p_k r_k q_k"), "L", "p")
    assert both == r"c r_k \left(y_k - q_k\right) + 2 p_k"


SIZE, _ = sa.sizes("n m")
(I,) = sa.indices("i", SIZE)
A, B, W = sa.tensor("a", SIZE), sa.tensor("b", SIZE), sa.tensor("w", SIZE)
U, V = sp.exp(A[I]), sp.exp(B[I])


@pytest.mark.parametrize(
    ("left", "right"),
    [
        (V / (U + V), 1 - U / (U + V)),
        (U**2 / V / (U + V), U / V - U / (U + V)),
        (1 / V**2 / (U + V), 1 / V**2 / U - 1 / V / U**2 + 1 / U**2 / (U + V)),
    ],
)
def test_fractions_of_two_exponentials(left, right):
    """e^v below a bar beside e^u + e^v too, under Σ, with a certificate; not with another sign."""
    verdict = sa.prove(sa.total(W[I] * left, I), sa.total(W[I] * right, I), certificate=True)
    assert verdict.status == "proved" and not verdict.trivial
    assert check(json.loads(json.dumps(verdict.certificate))).ok
    wrong = sa.prove(sa.total(W[I] * left, I), sa.total(W[I] * right.subs(U, -U), I))
    assert wrong.status == "refuted"


def test_powers_with_fractions_are_brought_together_where_they_differ_by_whole_numbers():
    x = sa.tensor("x", SIZE)
    root = 1 + x[I] ** 2

    def normal(expr):
        return model(sa.System(sa.define("y", (I,), expr))).bodies["y"].normal

    both = normal(1 / sp.sqrt(root) - x[I] ** 2 / root ** sp.Rational(3, 2))
    assert together(both) is normal(root ** sp.Rational(-3, 2)) and len(both) == 2
    apart = normal(1 / sp.sqrt(root) - x[I] ** 2 / root)
    assert len(together(apart)) == 2


def test_a_square_above_a_bar_is_not_divided_by():
    """The derivative of S = s²/D has S/D, and not S²/s²."""
    text = "<!-- symattn: scalars s a w -->\nS = \\frac{s^2}{1 - 2 a \\cos w + a^2}"
    assert printed(text, "S", "w") == r"-\frac{2 a S \sin(w)}{1 + a^{2} - 2 a \cos(w)}"


HILL = "<!-- symattn: scalars c; positive c; sizes X:(n,d) w:(d) -->\nr_i = \\sum_a X_{ia} w_a\n"
SOFT = "<!-- symattn: scalars t; positive t; sizes x:(n,d) D:(n,m) -->\nK_{ij} = \\exp(-t %s)\n"
SHARED = "<!-- symattn: scalars b r c m; positive c m -->\nQ = (1 - b) c^{1 - r} + b m^{1 - r}\n"


@pytest.mark.parametrize(
    ("text", "of", "wrt", "line"),
    [
        # two sums over one bar, whose definition is written out under one Σ; r³ leaves a bracket
        (
            HILL + "q_i = c + r_i^2\nL = \\sum_i \\frac{r_i^2}{2 q_i}",
            "L",
            "w",
            r"\sum_{i} \frac{c X_{ia} r_i}{q_i^2}",
        ),
        (
            HILL + "q_i = c + r_i^2\nL = \\sum_i \\frac{r_i^3}{q_i}",
            "L",
            "w",
            r"\sum_{i} \frac{X_{ia} r_i^2}{q_i^2} \left(3 c + r_i^2\right)",
        ),
        # a product of brackets is a factor of its own derivative; nothing new is divided by
        (
            "<!-- symattn: scalars F r h R T -->\nP = F e^{-r T} (R + (1 - R) e^{-h T})",
            "P",
            "r",
            "-T P",
        ),
        (
            "<!-- symattn: scalars F r h R T -->\nP = F e^{-r T} (R + (1 - R) e^{-h T})",
            "P",
            "F",
            r"e^{-r T} \left(R + e^{-h T} \left(1 - R\right)\right)",
        ),
        # D is no logarithm of K, where nobody has log K
        (
            SOFT % "\\sum_a (x_{ia} - x_{ja})^2" + "L = \\log \\sum_{ij} K_{ij}",
            "L",
            "t",
            r"-\frac{\sum_{i, j} K_{ij} \sum_{a} \left(x_{ia} - x_{ja}\right)^{2}}"
            r"{\sum_{i, j} K_{ij}}",
        ),
        # a power of V and not V beside the Q that it is a power of
        (SHARED + "V = Q^{1 / (1 - r)}", "V", "m", r"b V^{r} m^{-r}"),
        (SHARED + "V = 2 Q + m", "V", "m", r"1 + 2 b m^{-r} \left(1 - r\right)"),
        # nor of x where x is given
        (
            "<!-- symattn: scalars a s k; positive k -->\ny = k^a\nV = s y - k",
            "V",
            "k",
            r"\frac{s y a}{k} - 1",
        ),
        # the number of values under its Σ, but where a formula has it
        (
            "<!-- symattn: scalars a b; positive a b; sizes t:(n) c:(n) -->\n"
            "L = \\sum_i c_i b t_i - \\frac{a}{b} \\sum_i (e^{b t_i} - 1)",
            "L",
            "b",
            r"\sum_{i} t_i \left(c_i - \frac{a e^{b t_i}}{b}\right) + \frac{a}{b^{2}} \sum_{i} "
            r"\left(e^{b t_i} - 1\right)",
        ),
        (
            "<!-- symattn: scalars b; positive b; sizes x:(n) -->\n"
            "L = n \\log b - \\sum_i (e^{b x_i} - 1)",
            "L",
            "b",
            r"\frac{n}{b} - \sum_{i} x_i e^{b x_i}",
        ),
        # a product of brackets in some terms only
        (
            "<!-- symattn: scalars r h; positive r h -->\nS = 3 r (r + \\sqrt{r^2 + h^2})",
            "S",
            "r",
            r"3 \left(\sqrt{r^{2} + h^{2}} + 2 r + \frac{r^{2}}{\sqrt{r^{2} + h^{2}}}\right)",
        ),
    ],
)
def test_names_in_results(text, of, wrt, line):
    assert printed(text, of, wrt) == line


def test_an_adjoint_with_shifted_letters_keeps_its_line():
    """z̄_i = Σ_jb [i = j + b] v_b ȳ_j of Σ_b v_b z_{j+b} is not written out; a plain one is."""
    text = "<!-- symattn: indices from 0; sizes x:(n) u:(k) v:(m) -->\nz_i = \\sum_a u_a x_{i+a}\n"
    u = sa.backward(sa.read(text + "y_i = \\sum_b v_b z_{i+b}"), output="y", wrt=("u",))["u"]
    assert u.equation().endswith(r"\sum_{i} x_{a+i} \bar z_i") and u.check_steps().ok
    u = sa.backward(sa.read(text + "y_i = z_i^2"), output="y", wrt=("u",))["u"]
    assert u.equation().endswith(r"2 \sum_{i} x_{a+i} z_i \bar y_i")


@pytest.mark.parametrize(("c", "gone"), [(1, True), (2, False)])
def test_sums_are_joined_under_one_sum_only_where_they_agree(c, gone):
    """Σ w/q − Σ w a²/q² = b Σ w/q² for q = b + a², and not 2 b Σ w/q²."""
    q, b = A[I] ** 2 + sa.tensor("k"), sa.tensor("k")
    sides = sa.total(W[I] / q, I) - sa.total(W[I] * A[I] ** 2 / q**2, I)
    whole = model(sa.System(sa.define("y", (), sides - c * b * sa.total(W[I] / q**2, I))))
    assert none_left(whole.bodies["y"].normal, lambda p: p) is gone
