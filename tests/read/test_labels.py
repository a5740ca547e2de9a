"""Letters and capitals that name things: m_a and m_b, V_{in} and V_{out}, TP/(TP + FP)."""

from __future__ import annotations

import pytest

from symattn.checker import check
from symattn.read import read


def verdicts(text: str) -> list[str]:
    return [
        r.verdict
        for r in check(text, corrections=False).rows
        if r.kind not in ("shape", "definition")
    ]


def inputs(text: str) -> set[str]:
    return {m.name for m in read(text, strict=False).meanings}


CARTS = r"""Two carts stick together, $v = \frac{m_a v_a + m_b v_b}{m_a + m_b}$.

$$ \frac12 m_a v_a^2 + \frac12 m_b v_b^2 - \frac12 (m_a + m_b) v^2
   = \frac12 \frac{m_a m_b}{m_a + m_b} (v_a - v_b)^2 $$
"""


def test_terms_that_differ_in_a_letter_alone_bear_labels():
    assert verdicts(CARTS) == ["proved"]
    assert verdicts(CARTS.replace(r"= \frac12 \frac{m_a", r"= \frac13 \frac{m_a")) == ["refuted"]
    assert {"m_a", "m_b", "v_a", "v_b"} <= inputs(CARTS)


def test_before_and_after():
    text = r"""A gas expands slowly to $p_f = p_i (V_i/V_f)^\gamma$ where $V_i, V_f > 0$.

$$ \frac{p_i V_i - p_f V_f}{\gamma - 1}
   = \frac{p_i V_i}{\gamma - 1} \left(1 - \left(\frac{V_i}{V_f}\right)^{\gamma - 1}\right) $$
"""
    assert verdicts(text) == ["proved"]
    assert verdicts(text.replace(r"^{\gamma - 1}\right", r"^{\gamma + 1}\right")) == ["refuted"]


def test_a_label_that_a_ratio_bears():
    text = r"""An engine takes heat from a bath. Let $\eta = 1 - \frac{Q_c}{Q_h}$ and $Q_c = k T_c$,
$Q_h = k T_h$."""
    assert verdicts(text + "\n\n$$ \\eta T_h = T_h - T_c $$\n") == ["proved"]
    assert verdicts(text + "\n\n$$ \\eta T_c = T_c - T_h $$\n") == ["refuted"]


@pytest.mark.parametrize(
    "text, name",
    [
        (r"$$ L = \sum_a m_a v_a, \qquad F_a = m_a g $$", "m"),  # summed
        (r"$$ S_{ij} = q_a^i k_a^j, \qquad c = q_a k_a $$", "q"),  # beside others
        (r"$$ y_a = w_{a+1} x_a $$", "x"),  # counted on
        (r"$$ c = a_i b_i $$", "a"),  # one sum by custom
        (r"$$ p_c = \frac{e^{z_c}}{\sum_k e^{z_k}}, \qquad \ell = -\log p_c $$", "z"),  # p_k
    ],
)
def test_letters_that_count_stay_indices(text, name):
    assert name in inputs(text)


def test_what_sums_over_a_custom_letter_is_no_label():
    text = "$$ c = a_i b_i $$\n\n$$ \\frac{\\partial c}{\\partial a_k} = b_k $$\n"
    assert verdicts(text) == ["proved"]


def test_letters_in_a_row_that_are_a_word():
    text = r"""A divider gives $V_{out} = V_{in} \frac{R_b}{R_a + R_b}$ with current
$I = \frac{V_{in}}{R_a + R_b}$.

$$ V_{in} - V_{out} = I R_a $$
"""
    assert verdicts(text) == ["proved"]
    tensor = r"$$ A_{in} = \sum_j B_{ij} C_{jn} $$"
    assert {"B", "C"} <= inputs(tensor)


def test_a_word_below_a_vector():
    text = r"""For $\Sigma \in \mathbb{R}^{n \times n}$ and $\mathbf 1$ the ones, let
$a = \mathbf 1^\top \Sigma^{-1} \mathbf 1$ and $w_{mv} = \Sigma^{-1} \mathbf 1 / a$ with
$\Sigma$ symmetric positive definite. Then

$$ w_{mv}^\top \Sigma\, w_{mv} = \frac1a $$
"""
    assert verdicts(text) == ["proved"]
    assert verdicts(text.replace(r"\frac1a $", r"\frac{1}{a^2} $")) == ["refuted"]


def test_the_length_of_a_quadratic_form_below_a_bar_is_a_number_of_a_matrix():
    text = r"""$\Sigma$ is a symmetric matrix. The ratio is
$S = \frac{\mu^\top w}{\sqrt{w^\top \Sigma w}}$.

$$ \nabla_w S = \frac{\mu}{\sqrt{w^\top \Sigma w}}
   - \frac{\mu^\top w}{(w^\top \Sigma w)^{3/2}} \Sigma w $$
"""
    assert verdicts(text) == ["proved"]
    assert verdicts(text.replace(r"\Sigma w $", r"2 \Sigma w $")) == ["refuted"]


def test_counts_of_a_confusion_matrix():
    text = r"""From $TP$, $FP$ and $FN$ follow $P = TP/(TP + FP)$ and $R = TP/(TP + FN)$.

$$ \frac{2PR}{P + R} = \frac{2TP}{2TP + FP + FN} $$
"""
    assert verdicts(text) == ["proved"]
    assert verdicts(text.replace(r"\frac{2TP}", r"\frac{TP}")) == ["refuted"]


def test_capitals_that_are_defined_in_a_row():
    text = r"""Let $SS_r = \sum_i (y_i - x_i)^2$ and $MSE = \frac1n \sum_{i=1}^n (y_i - x_i)^2$.

$$ n\, MSE - SS_r = 0 $$
"""
    assert verdicts(text) == ["proved"]


@pytest.mark.parametrize(
    "text",
    [
        r"$$ \operatorname{tr}(AB) = \operatorname{tr}(BA) $$",
        r"For invertible $A$ and $B$: $$ (AB)^{-1} = B^{-1} A^{-1} $$",
    ],
)
def test_a_product_of_matrices_is_no_acronym(text):
    assert verdicts(text) == ["proved"]
    assert {"A", "B"} <= inputs(text)


def test_a_matrix_with_a_number_beside_its_components():
    text = r"""A weight $W_0 \in \mathbb{R}^{m \times n}$ is changed to $W = W_0 + B A$, and
$y = W x$ with $B \in \mathbb{R}^{m \times r}$. The gradient is $g = \partial L/\partial y$.

$$ \frac{\partial L}{\partial A} = B^\top g x^\top, \qquad s = \sum_{ij} W_{ij} $$
"""
    assert verdicts(text) == ["proved"]
    assert verdicts(text.replace("B^\\top g x", "2 B^\\top g x")) == ["refuted"]


def test_noise_makes_what_it_is_added_to_vectors():
    text = r"""Let $x_t = \sqrt{a_t}\, x_0 + \sqrt{1 - a_t}\, \epsilon$ where
$\epsilon \sim \mathcal N(0, I)$ and $0 < a_t < 1$.
The target is $v = \sqrt{a_t}\, \epsilon - \sqrt{1 - a_t}\, x_0$.

$$ x_0 = \sqrt{a_t}\, x_t - \sqrt{1 - a_t}\, v $$
"""
    assert verdicts(text) == ["proved"]
    assert verdicts(text.replace("x_t - ", "x_t + ")) == ["refuted"]
    shapes = {m.name: len(m.shape) for m in read(text, strict=False).meanings}
    assert shapes["x_0"] == shapes["epsilon"] == 1


def test_labels_in_exponents_do_not_count():
    text = r"""The rate of a reaction and of the one back is $r = k_f a - k_r b$, where
$k_f = A_f e^{-E_f/(RT)}$ and $k_r = A_r e^{-E_r/(RT)}$.

$$ \frac{k_f}{k_r} = \frac{A_f}{A_r} e^{-(E_f - E_r)/(RT)} $$
$$ r - k_f (a + b) = - (k_f + k_r) b $$
"""
    assert verdicts(text) == ["proved", "proved"]
    assert verdicts(text.replace("- (k_f + k_r)", "- (k_f - k_r)")) == ["proved", "refuted"]


def test_a_constant_before_a_squared_product_is_multiplied():
    text = r"""The populations are $p = \frac{1}{1 + e^{-\beta\omega}}$ and $q = 1 - p$.

$$ k_B (\beta\omega)^2 \frac{e^{\beta\omega}}{(1 + e^{\beta\omega})^2} = k_B (\beta\omega)^2 p q $$
"""
    assert verdicts(text) == ["proved"]
    assert verdicts(text.replace("p q", "p")) == ["refuted"]


def test_what_is_misquoted_defines_nothing():
    text = r"""Let $p = \frac{1}{1 + e^{-x}}$. It is often misquoted as $p = \frac{1}{1 - e^{-x}}$.

$$ \frac{dp}{dx} = p (1 - p) $$
"""
    assert verdicts(text) == ["proved"]


def test_a_greek_exponent_that_is_a_number_elsewhere():
    text = r"""Output per head is $y = k^\alpha$ where $0 < \alpha < 1$, and the steady state is

$$ k^* = \left(\frac{s}{d}\right)^{\frac{1}{1 - \alpha}} $$

with $y^* = (k^*)^\alpha$.

$$ s y^* = d k^* $$
"""
    assert verdicts(text) == ["proved"]
    assert verdicts(text.replace("s y^* = d", "s y^* = 2 d")) == ["refuted"]


def test_a_place_that_is_no_condition():
    text = r"""With masses at the ends the inertia of the first is $J = m r^2$.

$$ \frac{dJ}{dr} = 2 m r $$
"""
    assert verdicts(text) == ["proved"]
    assert verdicts(text.replace("= m r^2", "= m r^3")) == ["refuted"]
    ended = text.replace("With masses at the ends", "At the end")
    assert verdicts(ended.replace("= m r^2", "= m r^3")) != ["refuted"]


def test_an_adjoint_with_a_number_is_no_kronecker_symbol():
    text = r"""Layers: $a = W_1 x + b_1$, $h = \tanh(a)$, $o = W_2 h + b_2$ with
$g = \partial\ell/\partial o$.

$$ \delta_1 = \frac{\partial \ell}{\partial a} = (W_2^\top g) \odot (1 - h \odot h), \quad
   \frac{\partial \ell}{\partial b_2} = g, \quad
   \frac{\partial \ell}{\partial W_1} = \delta_1 x^\top $$
"""
    assert verdicts(text) == ["proved"] * 3
    assert verdicts(text.replace(r"\delta_1 x^\top", r"x \delta_1^\top"))[-1] == "conditional"


def test_a_power_of_what_something_is_differentiated_by():
    text = r"""The number in a system has $P_n = (1 - \rho) \rho^n$ and
mean $L = \frac{\rho}{1 - \rho}$.

$$ \frac{\partial L}{\partial \rho} = \frac{1}{(1 - \rho)^2} $$
"""
    assert verdicts(text) == ["proved"]
    assert verdicts(text.replace(r"{(1 - \rho)^2}", r"{1 - \rho}")) == ["refuted"]


def test_an_eccentricity_is_no_base_of_logarithms():
    text = r"""An orbit has $r_p = (1 - e) a$ and $r_a = (1 + e) a$, so

$$ r_a r_p = a^2 (1 - e^2) $$
"""
    assert verdicts(text) == ["proved"]
    assert verdicts(text.replace("1 - e^2", "1 + e^2")) == ["refuted"]
    assert verdicts(r"$$ e^2 e^x = e^{x + 2} $$") == ["proved"]


def test_a_label_of_one_name_that_is_an_index_of_another():
    text = r"""A loop oscillates with $\omega_n = \sqrt{k/\tau}$ and
damping $z = \frac{b}{2\tau\omega_n}$,
and a step is $x_{n+1} = x_n + h u_n$, where $k, \tau > 0$.

$$ 2 z \omega_n \tau = b, \qquad \omega_n^2 \tau = k $$
"""
    assert [v for v in verdicts(text) if v != "skipped"] == ["proved", "proved"]
    assert "proved" not in verdicts(text.replace("= b, ", "= 2 b, "))[:-1]
    indexed = r"$$ x_{n+1} = x_n + h u_n, \qquad v_n = x_n u_n, \qquad s = \sum_n v_n $$"
    assert {"x", "u", "v"} <= inputs(indexed)


def test_latin_exponents_that_are_numbers_elsewhere():
    text = r"""A consumer has utility $u(x, y) = x^a y^b$ with $a + b = 1$, and $x, y > 0$.

$$ \frac{\partial u}{\partial x} = a x^{a-1} y^b, \qquad
   \frac{\partial u}{\partial y} = b x^a y^{b-1} $$
"""
    assert verdicts(text)[-2:] == ["proved", "proved"]
    assert verdicts(text.replace("b x^a", "a x^a"))[-1] == "refuted"
    tensor = r"$$ w^a = M^{ab} v_b, \qquad s = v_a w^a, \qquad t = a + b $$"
    assert {"M", "v"} <= inputs(tensor)


def test_nothing_is_a_function_of_itself():
    text = r"""Growth has the solution $n(t) = \frac{K}{1 + A e^{-rt}}$.

$$ \frac{dn}{dt} = r n (1 - n/K) $$
"""
    assert verdicts(text) == ["proved"]
    assert verdicts(text.replace("r n (1 - n/K)", "r n (1 + n/K)")) == ["refuted"]
    nested = r"$$ f(x) = x^2 + 1, \qquad f(f(x)) - 1 = (x^2 + 1)^2 $$"
    assert verdicts(nested) == ["proved"]


def test_another_number_of_things_is_another_case():
    text = r"""With one server the load is $u = a/b$. With two servers, $u = \frac{a}{2b}$.

$$ a - b u = 0 $$
"""
    assert "refuted" not in verdicts(text)


def test_numbers_before_brackets_are_multiplied():
    text = r"""A Cauchy density has $f = -\log(\pi (1 + (x - m)^2))$.

$$ \frac{df}{dx} = -\frac{2 (x - m)}{1 + (x - m)^2} $$

$$ \sum_{k=1}^n n (a - b_k) = n^2 a - n \sum_{k=1}^n b_k $$
"""
    assert verdicts(text) == ["proved", "proved"]
    assert verdicts(text.replace("n^2 a", "n a")) == ["proved", "refuted"]


GENES = r"""$$ m = p^2 w_{AA} + 2 p q w_{Aa} + q^2 w_{aa} $$

$$ w_A = p w_{AA} + q w_{Aa}, \qquad w_a = p w_{Aa} + q w_{aa} $$

$$ m = p w_A + q w_a $$
"""


def test_letters_that_differ_as_capitals_alone():
    assert verdicts(GENES) == ["proved"]
    assert verdicts(GENES.replace("p w_A + q w_a", "p w_a + q w_A")) == ["refuted"]
    assert {"w_AA", "w_aa", "w_A", "w_a"} <= inputs(GENES)
    indices = GENES + "\n\n$$ s = \\sum_a w_a $$\n"  # a counts, and is no allele
    assert "w_aa" not in inputs(indices)


def test_the_radius_of_a_channel_beside_sums_over_layers():
    text = r"""$$ R_h = \frac{b y}{b + 2 y}, \qquad q = b y R_h^{2/3} $$

$$ K_h = \frac{\sum_i d_i K_i}{\sum_i d_i}, \qquad K_v = \frac{\sum_i d_i}{\sum_i d_i / K_i} $$

$$ \frac{q}{R_h^{2/3}} = b y $$

$$ K_h \sum_i d_i = \sum_i d_i K_i $$
"""
    assert verdicts(text) == ["proved", "proved"]
    assert verdicts(text.replace("= b y $$", "= b y^2 $$")) == ["refuted", "proved"]
    assert {"R_h", "K_h", "K_v", "K"} <= inputs(text)


def test_constants_beside_each_other_of_letters_that_count_elsewhere():
    text = r"""$$ v = \frac{V s}{K_m + s} $$

$$ K_m' = K_m (1 + c / K_i), \qquad u = \frac{V s}{K_m' + s} $$

$$ \frac{v}{u} = \frac{K_m' + s}{K_m + s} $$
"""
    assert verdicts(text) == ["proved"]
    assert verdicts(text.replace(r"K_m' + s}{K_m + s} $$", r"K_m + s}{K_m' + s} $$")) == ["refuted"]
    assert "x" in inputs(r"$$ L = \frac1n \sum_i x_j $$ $$ y_i = x_i $$")


LOGIT = r"$$ p_j = \frac{1}{1 + e^{-a_j (t - b_j)}} $$"


@pytest.mark.parametrize(
    ("claim", "verdict"),
    [
        (r"\log \frac{p_j}{1 - p_j} = a_j (t - b_j)", "proved"),
        (r"\log \frac{p_j}{1 - p_j} = a_j (t + b_j)", "refuted"),
        (r"\log (p_j / (1 - p_j)) = a_j (t - b_j)", "proved"),
        (r"\sqrt{p_j (1 - p_j)} = \sqrt{p_j - p_j^2}", "proved"),
        (r"\sqrt{p_j^2 a_j} = p_j \sqrt{a_j}", "proved"),  # true of every j, not of sums
        (r"\log \frac{p_j}{p_k} = \log p_j - \log p_k", "proved"),
    ],
)
def test_a_letter_above_and_below_one_bar_is_not_summed(claim, verdict):
    assert verdicts(f"{LOGIT}\n\n$$ {claim} $$") == [verdict]


def test_a_sum_of_products_stays_one():
    text = (
        "$$ x_i x_i = r^2, \\qquad s = x_i y_i $$\n\n$$ \\frac{\\partial s}{\\partial x_i} = A $$"
    )
    assert verdicts(text.replace("A", "y_i"))[-1] == "proved"
    assert verdicts(text.replace("A", "x_i"))[-1] in ("refuted", "conditional")


def test_a_greek_exponent_of_a_quotient():
    text = r"""$$ h = T (u / v)^{\kappa} $$

$$ \frac{\partial \ln h}{\partial v} = - \frac{\kappa}{v} $$
"""
    assert verdicts(text) == ["proved"]
    assert verdicts(text.replace("- \\frac", "\\frac")) == ["refuted"]


@pytest.mark.parametrize(
    ("given", "right", "wrong"),
    [  # a constant that bears the letter of the parameter is none of its components
        (r"R(z) = z (1 + (z_R / z)^2)", r"R(z_R) = 2 z_R", r"R(z_R) = 3 z_R"),
        (r"f(x) = (x - x_0)^2 + c", r"f(2 x_0) = x_0^2 + c", r"f(2 x_0) = 2 x_0^2 + c"),
        (r"w(z) = u \sqrt{1 + (z/z_R)^2}", r"w(z_R)^2 = 2 u^2", r"w(z_R)^2 = u^2"),
        (r"v(s) = \frac{V s}{s_h + s}", r"v(s_h) = \frac{V}{2}", r"v(s_h) = \frac{V}{3}"),
        (r"P(t) = \frac{K}{1 + e^{-r (t - t_m)}}", r"P(t_m) = \frac{K}{2}", r"P(t_m) = K"),
        (r"f(x) = x_1^2 + x_2", r"f(y) = y_1^2 + y_2", r"f(y) = y_1^2 - y_2"),  # components
    ],
)
def test_a_function_at_a_constant_of_its_own_letter(given, right, wrong):
    assert verdicts(f"$$ {given} $$\n\n$$ {right} $$") == ["proved"]
    assert verdicts(f"$$ {given} $$\n\n$$ {wrong} $$") == ["refuted"]


@pytest.mark.parametrize("exponential", [r"e^{-r (t - s)}", r"\exp(-r (t - s))"])
def test_a_rate_before_a_difference_in_an_exponent(exponential):
    text = rf"$$ y = {exponential} $$" + "\n\n$$ \\frac{\\partial y}{\\partial t} = - r y $$"
    assert verdicts(text) == ["proved"]
    assert verdicts(text.replace("= - r y", "= r y")) == ["refuted"]
    assert "unread" in [r.kind for r in check("$$ y = r (t - s) $$", corrections=False).rows]


def test_matrices_that_differ_in_a_label():
    text = r"""$$ \sigma_x = \begin{pmatrix} 0 & 1 \\ 1 & 0 \end{pmatrix}, \quad
\sigma_z = \begin{pmatrix} 1 & 0 \\ 0 & -1 \end{pmatrix} $$

$$ \sigma_x \sigma_z + \sigma_z \sigma_x = 0 $$
"""
    assert verdicts(text) == ["proved"]
    assert verdicts(text.replace("x \\sigma_z +", "x \\sigma_z -")) == ["refuted"]


def test_marks_of_plus_and_minus_are_names():
    text = r"$$ Q_+ = a + b, \quad Q_- = a - b $$" + "\n\n$$ Q_+ Q_- = a^2 - b^2 $$"
    assert verdicts(text) == ["proved"]
    assert verdicts(text.replace("a^2 - b^2", "a^2 + b^2")) == ["refuted"]
    update = "$$ P^+ = (I - K H) P $$\n\n$$ P^+ - P = - K H P $$"
    assert verdicts(update) == ["proved"]
    words = "The prior covariance $P$ becomes the posterior\n\n" + update.replace("P^+", "M")
    assert verdicts(words) == ["unproved"]  # I may be the unit matrix


def test_what_stands_under_squares_alone_is_defined_by_its_square():
    text = r"$$ e^2 = \frac{a^2 - b^2}{a^2}, \quad f = (a - b)/a $$" + "\n\n$$ e^2 = 2 f - f^2 $$"
    assert verdicts(text) == ["proved"]
    assert verdicts(text.replace("2 f - f^2", "f - f^2")) == ["refuted"]
    assert verdicts("$$ v^2 = 2 g h $$\n\n$$ v = \\sqrt{2 g h} $$")[0] != "definition"
    product = "Let $A \\in \\mathbb{R}^{n \\times n}$.\n\n$$ R^2 = A A^\\top $$"
    assert [r.kind for r in check(product, corrections=False).rows][-1] == "unread"


QUERY = r"""
$$ k_j = W_K^\top x_j, \quad W_K \in \mathbb{R}^{d \times h} $$
Now a query from some $x_q$:
$$ q = W_Q^\top x_q, \quad W_Q \in \mathbb{R}^{d \times h} $$
"""


@pytest.mark.parametrize("claim, verdict", [
    (r"q^\top k_i = (W_Q^\top x_q)^\top W_K^\top x_i", "proved"),
    (r"q^\top k_i = (W_K^\top x_q)^\top W_K^\top x_i", None),
    (r"q^\top k_i = q^\top W_K^\top x_q", None),
])  # fmt: skip
def test_a_letter_that_can_be_no_index_is_a_label(claim, verdict):
    found = check(f"{QUERY}$$ {claim} $$", corrections=False).rows
    assert [r.verdict for r in found if r.line == 4] == ["definition", "definition"]
    assert found[-1].verdict == verdict or (verdict is None and found[-1].verdict != "proved")


def test_a_letter_that_is_summed_is_none():
    text = QUERY + r"$$ s = \sum_q x_q^\top x_q $$"
    assert "skipped" in {r.verdict for r in check(text, corrections=False).rows if r.line == 4}


def test_a_wrong_index_beside_one_on_the_left_is_no_label():
    text = r"""$$ p_i = \frac{e^{x_i}}{\sum_j e^{x_j}} $$
$$ u_i = p_i - x_r $$"""
    assert check(text, corrections=False).rows[-1].verdict == "skipped"


def test_what_leaves_one_out_is_a_name_of_its_own():
    text = (
        "Let $X \\in \\mathbb{R}^{n \\times p}$, $y \\in \\mathbb{R}^n$.\n\n"
        "$$ \\hat\\beta = (X^\\top X)^{-1} X^\\top y $$\n\n"
        "$$ h_i = x_i^\\top (X^\\top X)^{-1} x_i $$\n\n"
        "$$ \\hat\\beta_{(-i)} = \\hat\\beta"
        " - \\frac{(X^\\top X)^{-1} x_i (y_i - x_i^\\top \\hat\\beta)}{1 - h_i} $$\n\n"
        "where $x_i$ is row $i$ of $X$. Then\n\n"
        "$$ y_i - x_i^\\top \\hat\\beta_{(-i)} = \\frac{y_i - x_i^\\top \\hat\\beta}{1 - h_i} $$\n"
    )
    assert check(text, corrections=False).rows[-1].verdict == "proved"
    slip = text.replace("\\hat\\beta}{1 - h_i} $$\n", "\\hat\\beta}{1 + h_i} $$\n")
    assert check(slip, corrections=False).rows[-1].verdict == "refuted"


@pytest.mark.parametrize("sign", ["=:", r"\eqqcolon"])
def test_a_name_on_the_right_is_defined(sign):
    text = (
        rf"$$ \ell \ge \sum_k q_k \log\frac{{p_k}}{{q_k}} {sign} F $$"
        "\n\n$$ F = \\sum_k q_k \\log p_k SIGN \\sum_k q_k \\log q_k $$"
    )
    rows = check(text.replace("SIGN", "-"), corrections=False).rows
    assert [r.verdict for r in rows[1:]] == ["definition", "proved"]
    rows = check(text.replace("SIGN", "+"), corrections=False).rows
    assert rows[-1].verdict == "refuted"


BLOCKS = (
    "Let $x \\sim \\mathcal{N}(\\mu, \\Sigma)$.\n\n"
    "$$ \\mathbb{E}[x^\\top B x] = \\operatorname{tr}(B \\Sigma) SIGN \\mu^\\top B \\mu $$\n\n"
    "$$ \\mu_{a|b} = \\mu_a + \\Sigma_{ab} \\Sigma_{bb}^{-1} (x_b - \\mu_b) $$\n\n"
    "$$ \\Sigma_{a|b} = \\Sigma_{aa} - \\Sigma_{ab} \\Sigma_{bb}^{-1} \\Sigma_{ba} $$\n\n"
    "With $\\Lambda = \\Sigma^{-1}$,\n\n"
    "$$ \\mu_{a|b} = \\mu_a - \\Lambda_{aa}^{-1} \\Lambda_{ab} (x_b - \\mu_b) $$\n"
)


def test_letters_of_blocks_are_labels_and_blocks_of_an_inverse_are_tied():
    rows = check(BLOCKS.replace("SIGN", "+"), corrections=False).rows
    assert [r.verdict for r in rows] == ["proved", *["definition"] * 4]
    assert rows[-1].reason.endswith("is tied by a block of Lambda")
    rows = check(BLOCKS.replace("SIGN", "-"), corrections=False).rows
    assert rows[0].verdict == "refuted"


def test_an_average_is_judged_by_its_law_where_its_covariance_is_derived_by():
    text = (
        "Let $x \\sim \\mathcal{N}(\\mu, \\Sigma)$.\n\n"
        "$$ \\mathbb{E}[x^\\top B x] = \\operatorname{tr}(B \\Sigma) + \\mu^\\top B \\mu $$\n\n"
        "$$ f = \\log |\\Sigma| $$\n\n$$ \\frac{\\partial f}{\\partial \\Sigma} = \\Sigma^{-1} $$\n"
    )
    assert check(text, corrections=False).rows[0].verdict == "proved"
    slip = text.replace("tr}(B \\Sigma)", "tr}(B) \\Sigma_{11}")
    assert check(slip, corrections=False).rows[0].verdict != "proved"


def test_a_letter_with_two_ranks_in_one_section_is_not_refuted_for_it():
    text = (
        "With $\\pi(a|s) = \\frac{e^{\\theta_{sa}}}{\\sum_b e^{\\theta_{sb}}}$ we get\n\n"
        "$$ \\frac{\\partial \\log \\pi(a|s)}{\\partial \\theta_{sb}}"
        " = \\mathbb 1[a = b] - \\pi(b|s) $$\n\n"
        "The gradient of the reward $J = \\sum_a \\pi_a r_a$, where"
        " $\\pi = \\mathrm{softmax}(\\theta)$, is\n\n"
        "$$ \\frac{\\partial J}{\\partial \\theta_a} = \\pi_a (r_a - J) $$\n\n"
        "For the entropy $H = -\\sum_a \\pi_a \\log \\pi_a$,\n\n"
        "$$ \\frac{\\partial H}{\\partial \\theta_a} = -\\pi_a (\\log \\pi_a + H) $$\n"
    )
    assert not {r.verdict for r in check(text, corrections=False).rows} & {"refuted", "malformed"}


def test_the_m_of_one_constant_is_a_label_as_the_a_of_another_is():
    text = (
        "# Acids\n$$ K_a = \\frac{u}{1 - u} $$\n\n$$ y = K_a + x $$\n# Enzymes\n"
        "With $v = \\frac{V S}{K_m + S}$ we have"
        " $$ \\frac{1}{v} = \\frac{K_m}{V S} + \\frac{1}{V} $$\n"
    )
    assert check(text, corrections=False).rows[-1].verdict == "proved"
    summed = text.replace("K_a + x", "x \\sum_m K_m")  # an index of K
    assert check(summed, corrections=False).rows[-1].verdict != "proved"


def test_a_number_hangs_on_no_letter_that_is_summed():
    text = (
        "Let $\\psi = \\log \\sum_i e^{w_a T_{ia}}$."
        " $$ \\frac{\\partial \\psi}{\\partial w_a} = SIDE $$"
    )
    right = "\\frac{\\sum_i T_{ia} e^{w_b T_{ib}}}{\\sum_i e^{w_b T_{ib}}}"
    assert check(text.replace("SIDE", right), corrections=False).rows[-1].verdict == "proved"
    wrong = "\\frac{\\sum_i T_{ia} e^{w_a T_{ia}}}{\\sum_i e^{w_b T_{ib}}}"
    assert check(text.replace("SIDE", wrong), corrections=False).rows[-1].verdict != "proved"
    loss = (
        "Let $p_k = \\frac{e^{z_k}}{\\sum_j e^{z_j}}$ and $L = -(1 - p_y)^2 \\log p_y$."
        " $$ \\frac{\\partial L}{\\partial p_y} = 2 (1 - p_y) \\log p_y"
        r" - \frac{(1 - p_y)^2}{p_y} $$"
    )
    assert check(loss, corrections=False).rows[-1].verdict == "proved"
