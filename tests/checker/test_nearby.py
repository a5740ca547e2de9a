"""What one slip separates from an identity is refuted, and conditions are not."""

import pytest

from symattn import check

SIZES = (
    r"For $A \in \mathbb{R}^{n \times n}$, $B \in \mathbb{R}^{n \times n}$, $x \in \mathbb{R}^n$ "
    r"and $y \in \mathbb{R}^n$:"
)


def verdict(formula: str, words: str = SIZES, corrections: bool = False) -> tuple[str, str]:
    row = check(f"{words}\n\n$$ {formula} $$\n", corrections=corrections).rows[-1]
    return row.verdict, row.correction


@pytest.mark.parametrize(
    ("formula", "correction"),
    [
        (r"(A B)^\top = A^\top B^\top", r"B^\top A^\top"),
        (r"x^\top A B y = y^\top A^\top B^\top x", r"y^\top B^\top A^\top x"),
        (r"(A + B)(A - B) x = A A x + A B x + B A x - B B x", r"A A x - A B x + B A x - B B x"),
    ],
)
def test_slips(formula: str, correction: str) -> None:
    found, right = verdict(formula, corrections=True)
    assert found == "refuted"
    assert right.split() == correction.split()


@pytest.mark.parametrize(
    "formula", [r"A B = B A", r"A^2 = A", r"x^\top x = 1", r"A x = B x", r"x^\top y = y^\top y"]
)
def test_conditions(formula: str) -> None:
    assert verdict(formula)[0] in ("skipped", "unproved")


def test_a_condition_in_words_is_none_of_the_author() -> None:
    words = "If the two commute, then " + SIZES
    assert verdict(r"(A B)^\top = A^\top B^\top", words)[0] != "refuted"


def test_a_name_that_is_left_out_may_be_zero() -> None:
    """Without λ w the right side is the derivative; λ may belong to what the text says in words."""
    text = (
        "$$ L = \\sum_i (w_i - y_i)^2 $$\n\n"
        "$$ \\frac{\\partial L}{\\partial w_j} = 2 (w_j - y_j) + \\lambda w_j $$\n"
    )
    assert check(text, corrections=False).rows[-1].verdict == "unproved"


def test_what_is_said_twice_may_be_either() -> None:
    """The second L is what the derivative is of."""
    text = (
        "We maximize\n\n$$ L = \\sum_i (y_i x_i - e^{x_i}) $$\n\nThe loss is its negative\n\n"
        "$$ L = -\\sum_i (y_i x_i - e^{x_i}) $$\n\nand so\n\n"
        "$$ \\frac{\\partial L}{\\partial x_j} = -(y_j - e^{x_j}) $$\n"
    )
    assert check(text, corrections=False).rows[-1].verdict != "refuted"


def test_a_second_equation_under_a_case_is_another_definition() -> None:
    text = (
        "$$ D = \\log\\frac{b}{a} + \\frac{a^2 + m^2}{2 b^2} $$\n\nFor $b = 1$ and far away\n\n"
        "$$ D = \\frac{1}{2} (m^2 + a^2 + b^2) $$\n"
    )
    assert [r.verdict for r in check(text, corrections=False)] == ["definition", "definition"]


@pytest.mark.parametrize(
    ("formula", "expected"),
    [
        (r"\log \frac{p}{q} = \log p - \log q", "proved"),
        (r"\log \frac{p}{q} = \log p + \log q", "refuted"),
        (r"\sum_i p_i \log \frac{p_i}{q_i} = \sum_i p_i \log p_i - \sum_i p_i \log q_i", "proved"),
    ],
)
def test_what_stands_under_a_logarithm_is_positive(formula: str, expected: str) -> None:
    assert check(f"$$ {formula} $$", corrections=False).rows[-1].verdict == expected


def test_entropy() -> None:
    text = (
        "$$ h(x) = -x \\log x - (1-x) \\log(1-x) $$\n\nIts derivative is\n\n"
        "$$ h'(x) = \\log\\frac{x}{1-x} $$\n\n$$ h'(x) = \\log\\frac{1-x}{x} $$\n"
    )
    report = check(text)
    assert [r.verdict for r in report] == ["definition", "refuted", "proved"]
    assert report.rows[1].correction == r"-\log\frac{x}{1-x}"


@pytest.mark.parametrize(
    ("formula", "found"),
    [
        (r"(A + B D C)^{-1} = A^{-1} - A^{-1} B (D^{-1} + C A^{-1} B)^{-1} C A^{-1}", "proved"),
        (r"(A + B D C)^{-1} = A^{-1} - A^{-1} B (D + C A^{-1} B)^{-1} C A^{-1}", "refuted"),
        (r"(A + B)^{-1} = A^{-1} - A^{-1} B (A + B)^{-1}", "proved"),
        (r"(A + B)^{-1} = A^{-1} + A^{-1} B (A + B)^{-1}", "refuted"),
    ],
)
def test_inverses_of_sums(formula: str, found: str) -> None:
    assert verdict(formula, "")[0] == found


def test_a_matrix_with_two_sizes_is_not_symmetric() -> None:
    words = (
        r"For $X \in \mathbb{R}^{n \times d}$ and $W \in \mathbb{R}^{%s}$ let $$ Z = X W. $$ "
        r"With $G = \partial L/\partial Z$"
    )
    wrong = r"\frac{\partial L}{\partial X} = \frac{\partial L}{\partial Z} W"
    assert verdict(wrong, words % r"d \times m")[0] == "malformed"  # the axis has two sizes
    assert verdict(wrong, words % r"d \times d")[0] == "conditional"


def test_a_condition_beside_a_claim_counts() -> None:
    text = (
        "$$ t_k = (1 - \\epsilon) y_k + \\epsilon z_k, \\quad \\sum_k y_k = 1, "
        "\\quad \\sum_k z_k = 1 $$\n\nThen\n\n$$ \\sum_k t_k = %s $$\n"
    )
    assert check(text % "1", corrections=False).rows[-1].verdict == "proved"
    assert check(text % "2", corrections=False).rows[-1].verdict == "refuted"


def test_a_coupling_that_may_be_symmetric_refutes_nothing() -> None:
    text = (
        "$$ F = -\\frac12 \\sum_{ij} J_{ij} m_i m_j + \\sum_i \\ln \\frac{1 + m_i}{2} $$\n\n"
        "Then\n\n$$ \\frac{\\partial F}{\\partial m_i} = "
        "-\\sum_j J_{ij} m_j + \\frac{1}{1 + m_i} $$\n"
    )
    assert check(text, corrections=False).rows[-1].verdict in ("conditional", "unproved")


@pytest.mark.parametrize(
    ("formula", "found"),
    [(r"3 \lambda + 2 \mu", "conditional"), (r"3 \lambda + \mu", "refuted")],
)
def test_a_trace_in_three_dimensions(formula: str, found: str) -> None:
    text = (
        "The stress is, in three dimensions,\n\n"
        "$$ \\sigma_{ij} = \\lambda \\delta_{ij} e_{kk} + 2 \\mu e_{ij} $$\n\nIts trace is\n\n"
        f"$$ \\sigma_{{kk}} = ({formula}) e_{{kk}} $$\n"
    )
    assert check(text, corrections=False).rows[-1].verdict == found


@pytest.mark.parametrize(
    ("formula", "found"),
    [
        (r"3 \lambda + 2 \mu", "conditional"),
        (r"5 \lambda + 2 \mu", "refuted"),
        (r"3 \lambda + \mu", "refuted"),
    ],
)
def test_a_trace_in_dimensions_that_the_words_leave_out(formula: str, found: str) -> None:
    text = (
        "The stress is $\\sigma_{ij} = \\lambda \\delta_{ij} e_{kk} + 2 \\mu e_{ij}$, and its "
        f"trace is\n\n$$ \\sigma_{{kk}} = ({formula}) e_{{kk}} $$\n"
    )
    assert check(text, corrections=False).rows[-1].verdict == found


def rows(text: str, corrections: bool = False) -> list[tuple[str, str]]:
    found = check(text, corrections=corrections).rows
    return [(r.verdict, r.correction.strip()) for r in found if r.kind == "claim"]


ARM = r"""An arm has $x = p \cos u + q \cos v$ and $y = p \sin u + q \sin v$. %s the reach is

$$ x^2 + y^2 = 2 p^2 (1 %s \cos(u - v)). $$
"""


@pytest.mark.parametrize("sign, found", [("+", "proved"), ("-", "refuted")])
def test_a_case_that_words_state_is_decided(sign: str, found: str) -> None:
    """For p = q: with that definition the formula is an identity, or one slip away from one."""
    ((verdict, correction),) = rows(ARM % ("For $p = q$", sign), corrections=True)
    assert verdict == found
    assert found == "proved" or correction == r"2 p^2 (1 + \cos(u - v))"


def test_a_case_that_is_not_one_equation_refutes_nothing() -> None:
    ((verdict, _),) = rows(ARM % ("For small $p - q$", "-"))
    assert verdict == "unproved"


@pytest.mark.parametrize(
    "text, found",
    [
        (r"Let $u = a b$. Then $\sqrt{u^2 + a^2} = a \sqrt{1 + b^2}$.", "conditional"),
        (r"Let $u = a b$. Then $\sqrt{u^2 + a^2} = -a \sqrt{1 + b^2}$.", "refuted"),
        (r"Let $u = a b$. Then $\sqrt{u^2 + a^2} = a \sqrt{1 - b^2}$.", "refuted"),
    ],
)
def test_roots_of_squares_are_of_what_is_positive(text: str, found: str) -> None:
    assert [v for v, _ in rows(text)] == [found]


@pytest.mark.parametrize(
    "text, found",
    [
        (r"We have $D = 1 + (m - 1) \rho$, so that $\rho = \frac{D - 1}{m - 1}$.", "proved"),
        (r"We have $D = 1 + (m - 1) \rho$, so that $\rho = \frac{D - 1}{m}$.", "refuted"),
        (r"Let $w = u^2/2$. The slopes are equal there, so $u = 3 w$.", "unproved"),  # a condition
        (r"Let $w = u/2$. The slopes are equal there, so $u = 3 w$.", "refuted"),  # for u = 0 only
        (r"Let $w = u^2/2$. So $u = 3 w$.", "refuted"),  # nothing else is said
    ],
)
def test_what_is_solved_for_a_name(text: str, found: str) -> None:
    assert [r.verdict for r in check(text, corrections=False).rows][-1] == found


MATRICES = r"""
$$ R = \begin{pmatrix} \cos t & -\sin t \\ \sin t & \cos t \end{pmatrix}, \qquad
A = \begin{pmatrix} a & b \\ c & d \end{pmatrix} $$

"""


@pytest.mark.parametrize(
    "true, false",
    [
        (r"R^\top R = I", r"R^\top R = R"),
        (r"R^2 = 2 \cos t\, R - I", r"R^2 = 2 \cos t\, R + I"),
        (r"A^2 = (a + d) A - (a d - b c) I", r"A^2 = (a + d) A + (a d - b c) I"),
        (
            r"A^{-1} = \frac{1}{a d - b c} \begin{pmatrix} d & -b \\ -c & a \end{pmatrix}",
            r"A^{-1} = \frac{1}{a d - b c} \begin{pmatrix} d & b \\ -c & a \end{pmatrix}",
        ),
    ],
)
def test_matrices_are_decided_entry_by_entry(true: str, false: str) -> None:
    found = check(MATRICES + f"$$ {true} $$\n\n$$ {false} $$\n", corrections=False).rows[-2:]
    assert [r.verdict for r in found] == ["proved", "refuted"]


CELL = r"""
Let $W \in \mathbb{R}^{d \times m}$, $U \in \mathbb{R}^{d \times d}$,
$x \in \mathbb{R}^m$ and $h, b \in \mathbb{R}^d$.

$$ z = \sigma(W x + U h + b), \qquad y = (1 - z) \odot h $$

For a loss $\mathcal{L}$ with $g = \partial \mathcal{L} / \partial y$ and with $p = W x + U h%s$

$$ \frac{\partial \mathcal{L}}{\partial p} = %s g \odot h \odot z \odot (1 - z). $$
"""


@pytest.mark.parametrize(
    "more, sign, found",
    [
        (" + b", "-", "proved"),
        (" + b", "", "refuted"),
        ("", "-", "proved"),  # some of the terms
        (" - b", "-", "unproved"),  # nothing holds p
    ],
)
def test_derivatives_by_what_other_definitions_hold(more: str, sign: str, found: str) -> None:
    """∂z/∂p of z = σ(W x + U h + b), where p names that argument only afterwards."""
    assert check(CELL % (more, sign), corrections=False).rows[-1].verdict == found


def test_what_holds_for_positive_values_only_is_said_so() -> None:
    text = r"""
Let $d_i = \sum_j A_{ij}$ and $N_{ij} = \delta_{ij} - \frac{A_{ij}}{\sqrt{d_i d_j}}$
with $\sum_i A_{ij} = d_j$.

$$ \sum_j N_{ij} \sqrt{d_j} = 0 $$
"""
    row = check(text, corrections=False).rows[-1]
    assert (row.verdict, row.reason) == ("conditional", "true where A > 0")


def test_a_square_that_is_given_is_a_fact() -> None:
    text = r"""Spins $s_i$ with $s_i^2 = 1$ in a field have $E = -\sum_i h_i s_i$.

$$ \sum_i h_i s_i^2 = \sum_i h_i $$

$$ \sum_i h_i s_i = \sum_i h_i $$
"""
    assert [r.verdict for r in check(text, corrections=False).rows][-2:] == ["proved", "unproved"]


def test_roots_that_may_be_of_what_is_positive_refute_nothing() -> None:
    """E = √(p² c² + m² c⁴) holds for c, m > 0, which is not proved."""
    text = r"""With $\gamma = \frac{1}{\sqrt{1 - v^2/c^2}}$ let $E = \gamma m c^2$
and $p = \gamma m v$. Hence

$$ E = \sqrt{p^2 c^2 + m^2 c^4}. $$

$$ E = \sqrt{p^2 c^2 - m^2 c^4}. $$
"""
    assert [r.verdict for r in check(text, corrections=False).rows][-2:] == ["unproved", "refuted"]


def test_residuals_are_no_powers() -> None:
    text = r"""Errors $e_i = y_i - z_i$ give $L = \frac12 \sum_i e_i^2$ and $w = e^{-L}$. Then

$$ \frac{\partial w}{\partial z_i} = w e_i $$

$$ \frac{\partial w}{\partial z_i} = -w e_i $$
"""
    assert [r.verdict for r in check(text, corrections=False).rows][-2:] == ["proved", "refuted"]


@pytest.mark.parametrize("sign, found", [("-", "proved"), ("+", "definition")])
def test_what_follows_from_what_is_given_is_proved(sign: str, found: str) -> None:
    """x'' + 2 γ x' + ω₀² x = 0 stands behind *with*, and is no assumption where it follows."""
    text = rf"""An oscillator $x(t) = e^{{-\gamma t}} \cos \omega t$
with $\omega^2 = \omega_0^2 {sign} \gamma^2$
satisfies $x''(t) + 2 \gamma x'(t) + \omega_0^2 x(t) = 0$.
"""
    assert check(text, corrections=False).rows[-1].verdict == found


MEAN = (
    "The mean is $m = \\frac{1}{n} \\sum_i x_i$ and the variance\n\n"
    "$$ v = \\frac{1}{n} \\sum_i (x_i - m)^2 . $$\n\n"
)
LENS = "The disparity is $p = \\frac{f B}{Z}$. "
STATES = "With $Z = e^a + e^b$ the weights $p = e^a/Z$ and $q = e^b/Z$ satisfy\n\n"


@pytest.mark.parametrize(
    ("text", "right"),
    [
        (LENS + "Then\n\n$$ Z = 2 \\frac{f B}{p} $$\n", r"\frac{fB}{p}"),
        (STATES + "$$ p + q = 2 $$\n", "1"),
        ("For two elements\n\n$$ (1 + \\cos t)^2 + \\sin^2 t = 5 \\cos^2\\frac{t}{2} $$\n",
         r"4\cos^2\frac{t}{2}"),
        ("With $w(x) = \\frac{F}{6 E} (3 L x^2 - x^3)$ its end is at\n\n"
         "$$ w(L) = \\frac{F L^3}{3} $$\n", r"\frac{1}{E}\frac{FL^3}{3}"),
        (MEAN + "$$ v = \\frac{2}{n} \\sum_i x_i^2 - m^2 $$\n", r"\frac{1}{n}\sum_ix_i^2-m^2"),
    ],
)  # fmt: skip
def test_one_slip_beside_what_is_defined(text: str, right: str) -> None:
    row = check(text).rows[-1]
    assert row.verdict == "refuted"
    assert "".join(row.correction.split()) == right


@pytest.mark.parametrize(
    "text",
    [
        LENS + "In pairs\n\n$$ Z = 2 \\frac{f B}{p} $$\n",
        "With $Z = e^a + e^b$ and $p = e^a/Z$ the numbers $p$ and $r$ satisfy\n\n$$ p + r = 2 $$\n",
        "Let $w = \\frac{u^2}{2}$. Then\n\n$$ u = 3 w $$\n",
        "The energies are $T = \\frac{1}{2} m v^2$ and $V = m g h$. At the top of the loop\n\n"
        "$$ T + V = \\frac{5}{2} m g h $$\n",
        MEAN + "The unbiased estimator is\n\n$$ v = \\frac{1}{n - 1} (\\sum_i x_i^2 - n m^2) $$\n",
        MEAN + "A better one is\n\n$$ v = \\frac{2}{n} (\\sum_i x_i^2 - n m^2) $$\n",
        MEAN + "Without centring\n\n$$ v = \\frac{1}{n} \\sum_i x_i^2 $$\n",
    ],
)
def test_another_thing_or_a_condition_is_no_slip(text: str) -> None:
    assert check(text, corrections=False).rows[-1].verdict not in ("refuted", "malformed")


def test_a_correction_that_is_the_left_side_under_other_letters_is_none() -> None:
    """q is a letter of the one reading, and a vector of the text in the other."""
    words = r"For $R \in \mathbb{R}^{n \times n}$ and $u \in \mathbb{R}^n$:"
    text = f"{words}\n\n$$ R u = u $$\n\n$$ q = (\\cos t, \\sin t) $$\n"
    assert [r.verdict for r in check(text, corrections=False)] == ["skipped", "definition"]


@pytest.mark.parametrize(
    ("text", "verdict"),
    [  # a slip on the left side of a number
        (r"We use $\cosh^2 t + \sinh^2 t = 1$.", "refuted"),
        (r"With $s(z) = \frac{1}{1 + e^{-z}}$ we have $$ s(z) - s(-z) = 1 . $$", "refuted"),
        (r"Solve $\cos^2 t - \sin^2 t = 1$ for $t$.", "skipped"),
        (r"The equation $\cos^2 t - \sin^2 t = 1$ has two solutions.", "skipped"),
        (r"Let $p + q = 1$. Then $p - q = 1$.", "skipped"),
        (r"On this curve $x^2 - y^2 = 1$.", "skipped"),
        # one name for another
        (r"Let $K = \frac{h b}{a}$ and $c = a + b$. Then $a = \frac{K c}{K + h}$.", "refuted"),
        (r"Let $K = \frac{h b}{a}$ and $c = a + b$. Then $a = \frac{h c}{K + h}$.", "proved"),
        (r"We have $x y = x z$.", "skipped"),
    ],
)
def test_slips_in_what_may_be_a_condition(text, verdict):
    assert check(text, corrections=False, jobs=1).rows[-1].verdict == verdict


def test_what_one_slip_makes_an_identity_holds_nothing_else_open():
    text = (
        r"Let $g(z) = \log(1 + e^z)$ and $s(z) = 1/(1 + e^{-z})$. Then $g''(z) = SIDE$, and "
        r"$$ s(z) SIGN s(-z) = 1 . $$"
    )
    for side, sign, verdict in (
        ("s(z)^2", "-", "refuted"),
        ("s(z) s(-z)", "-", "proved"),
        ("s(z)^2", "+", "refuted"),
    ):
        found = check(text.replace("SIDE", side).replace("SIGN", sign), corrections=False, jobs=1)
        assert found.rows[2].verdict == verdict
