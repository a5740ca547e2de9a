"""What lacks a factor or a term of an identity, and second equations of fields, laws and rates."""

import pytest

from symattn import check


def last(text: str, corrections: bool = False) -> tuple[str, str, str]:
    row = check(text, corrections=corrections).rows[-1]
    return row.verdict, row.reason, row.correction


PENDULUM = "The potential energy is $V(\\theta) = m g \\ell (1 - \\cos\\theta)$, so\n\n$$ %s $$\n"


def test_a_factor_that_is_lacking_may_be_one() -> None:
    formula = r"V(\theta) = 2 g \ell \sin^2\frac{\theta}{2}"
    verdict, reason, correction = last(PENDULUM % formula, corrections=True)
    assert (verdict, reason) == ("conditional", "the V of line 1 only if m = 1")
    assert "".join(correction.split()) == r"2mg\ell\sin^2\frac{\theta}{2}"


def test_a_term_that_is_lacking_may_be_zero() -> None:
    formula = r"\Big\| \frac{a}{\|a\|} - \frac{b}{\|b\|} \Big\|^2 = 2"
    verdict, reason, _ = last(f"For $a, b \\in \\mathbb{{R}}^d$:\n\n$$ {formula} $$\n")
    assert verdict == "conditional"
    assert reason.startswith("true only if") and reason.endswith("= 0")


OTTO = r"""An ideal gas obeys $C_p - C_V = n R$ and $\gamma = C_p / C_V$, so

$$ C_V = \frac{n R}{\gamma - 1} $$

An engine has the efficiency $\eta = 1 - r^{1 - \gamma}$, thus

$$ \frac{\partial \eta}{\partial r} = %s r^{-\gamma} $$
"""


def test_a_number_that_is_lacking_is_no_condition() -> None:
    """γ is tied, and no γ makes γ of γ − 1."""
    assert last(OTTO % r"(\gamma - 1)")[0] == "proved"
    assert last(OTTO % r"(\gamma)")[:2] == ("refuted", "one slip away from an identity")


@pytest.mark.parametrize(
    "formula",
    [
        r"A^2 = A",  # A A is what stands on the left
        r"x^\top y = 1",
        r"r x y = r x y + x",
        r"x^\top A x = x^\top x",
    ],
)
def test_a_condition_lacks_nothing(formula: str) -> None:
    words = (
        r"For $A \in \mathbb{R}^{n \times n}$, $x \in \mathbb{R}^n$ and $y \in \mathbb{R}^n$ "
        r"with a number $r$:"
    )
    assert last(f"{words}\n\n$$ {formula} $$\n")[0] in ("skipped", "unproved")


HOOKE = r"""The strain is $e_{ij} = \tfrac12(\partial_i u_j + \partial_j u_i)$ and the stress
$s_{ij} = a\,e_{kk}\,\delta_{ij} + 2 b\,e_{ij}$ with $i, j, k = 1, 2, 3$. %s

$$ %s $$
"""


@pytest.mark.parametrize(
    ("words", "formula", "verdict"),
    [
        ("So", r"s_{kk} = (3 a + 2 b)\,e_{kk}", "proved"),
        ("So", r"s_{kk} = (3 a + b)\,e_{kk}", "refuted"),
        ("So", r"s_{ij} = s_{ji}", "proved"),
        ("So", r"s_{ij} = -s_{ji}", "refuted"),
        ("In a fluid instead", r"s_{ij} = -p\,\delta_{ij} + 2 b\,e_{ij}", "definition"),
        ("The inverse relation is", r"e_{ij} = \frac{1}{2 b} s_{ij} - "
         r"\frac{a}{2 b (3 a + 2 b)} s_{kk} \delta_{ij}", "proved"),
        ("The inverse relation is", r"e_{ij} = \frac{1}{2 b} s_{ij} - "
         r"\frac{a}{2 b (4 a + 2 b)} s_{kk} \delta_{ij}", "refuted"),
        ("The inverse relation is", r"e_{ij} = \frac{1}{2 b} s_{ij} - c\, s_{kk} \delta_{ij}",
         "definition"),
    ],
)  # fmt: skip
def test_fields_have_any_derivatives(words: str, formula: str, verdict: str) -> None:
    assert last(HOOKE % (words, formula))[0] == verdict


@pytest.mark.parametrize(
    ("between", "formula", "verdict"),
    [
        ("of the particle is", r"\frac{e^2 B}{2 m} r^2", "proved"),
        ("of the particle is", r"-\frac{e^2 B}{2 m} r^2", "refuted"),
        ("of the particle is", r"\frac{e^2 B}{2 m} r^3", "refuted"),
        ("changes sign for electrons:", r"-\frac{e^2 B}{2 m} r^2", "definition"),
    ],
)
def test_a_sentence_that_says_that_two_are_one(between: str, formula: str, verdict: str) -> None:
    text = (
        "With the gyroradius $r = \\frac{m v}{e B}$ the magnetic moment "
        f"$M = \\frac{{m v^2}}{{2 B}}$ {between}\n\n$$ M = {formula} $$\n"
    )
    assert last(text)[0] == verdict


GIBBS = r"""Let $p_\theta(x)$ be a family of densities. With an energy $E_\theta(x)$

$$ \mathbb{E}_{x \sim p_\theta}[\nabla_\theta \log p_\theta(x)] = 0, $$

and the partition function and the density are

$$ Z_\theta = \int \exp(-E_\theta(x))\, dx $$

$$ p_\theta(x) = \frac{\exp(-E_\theta(x))}{Z_\theta} $$

%s

$$ \nabla_\theta \log p_\theta(x) = -\nabla_\theta E_\theta(x) %s \nabla_\theta \log Z_\theta $$
"""


@pytest.mark.parametrize(
    ("words", "sign", "verdict"),
    [
        ("Then", "-", "proved"),
        ("Then", "+", "refuted"),
        ("Suppose that the energy is stationary. Then", "+", "unproved"),
    ],
)
def test_laws_with_formulas(words: str, sign: str, verdict: str) -> None:
    found = last(GIBBS % (words, sign), corrections=True)
    assert found[0] == verdict
    if verdict == "refuted":
        assert found[2].endswith(r"- \nabla_\theta \log Z_\theta")


@pytest.mark.parametrize(
    ("words", "verdict"),
    [
        ("With the friction factor $f = 8 w / h$", "refuted"),
        ("Up to a constant factor", "definition"),
        ("For Newton's fluid", "unproved"),  # a case of its own
        ("For a new fluid", "definition"),
        ("Twice of it is", "definition"),
    ],
)
def test_words_that_change_what_was_said(words: str, verdict: str) -> None:
    text = f"""In a pipe $u(r) = \\frac{{G}}{{4 a}} (R^2 - r^2)$ and $v = u(0)$.

{words}

$$ v = \\frac{{G R^2}}{{2 a}} $$
"""
    assert last(text)[0] == verdict


@pytest.mark.parametrize(
    ("between", "verdict"),
    [("", "refuted"), ("Positive feedback gives", "definition")],
)
def test_displays_with_no_word_between_them(between: str, verdict: str) -> None:
    """They say the same where the words before both say that they follow."""
    text = f"""Behind a shield $I = c e^{{-m x}}$ and $h = \\frac{{\\log 2}}{{m}}$ gives

$$ I = c 2^{{-x/h}} $$

{between}

$$ I = c 2^{{-x h}} $$
"""
    assert last(text)[0] == verdict


@pytest.mark.parametrize(
    ("words", "verdicts"),
    [
        ("Without the constraint the slope of", ["definition", "proved"]),
        ("We go on without", ["skipped"]),
        ("We go on without assuming the equality", ["skipped"]),
    ],
)
def test_what_stands_without_something(words: str, verdicts: list[str]) -> None:
    text = (
        "Let $X \\in \\mathbb{R}^{n \\times d}$ and $Y \\in \\mathbb{R}^{n \\times m}$. "
        f"{words} $J = \\|X W - Y\\|_F^2$ is\n\n"
        "$$ \\frac{\\partial J}{\\partial W} = 2 X^\\top (X W - Y) $$\n"
    )
    assert [r.verdict for r in check(text, corrections=False).rows] == verdicts


CLOUD = r"""# Centres

The centre is $m_k = \sum_i w_i x_{ik}$ with $\sum_i w_i = 1$, and

$$ \sum_i w_i (x_{ik} - m_k) = 0 $$

# A robust distance

The residual is $r = a^\top x - b$ and the loss $L = \log(1 + r^2 / s^2)$. Then

$$ \frac{\partial L}{\partial x} = \frac{%s r}{s^2 + r^2} a $$
"""


def test_a_small_letter_with_two_indices_is_no_vector_of_another_part() -> None:
    assert last(CLOUD % "2")[0] == "proved"
    assert last(CLOUD % "")[0] != "proved"


ROTATED = (
    "Given $X \\in \\mathbb{R}^{n \\times d}$ and $Y \\in \\mathbb{R}^{n \\times d}$ %s, "
    "$J = \\|X W - Y\\|_F^2$ has the slope\n\n"
    "$$ \\frac{\\partial J}{\\partial W} = %s X^\\top (X W - Y) $$\n"
)


def test_an_adjective_before_one_name_is_of_that_name() -> None:
    """Of an orthogonal R nothing follows for X; of orthogonal X and Y it does."""
    for words, verdict in (
        (r"we look for an orthogonal $R$", "refuted"),
        ("which are orthogonal", "unproved"),
    ):
        assert last(ROTATED % (words, "2"))[0] == "proved"
        assert last(ROTATED % (words, ""))[0] == verdict


def test_examples_with_no_word_between_them() -> None:
    text = "Examples of such functions are\n\n$$ f(x) = a x^2 + 1 $$\n\n$$ f(x) = a x^3 + 1 $$\n"
    assert last(text)[0] == "definition"


def test_a_candidate_of_another_shape_is_none() -> None:
    text = "Let $A$, $B$ be $n \\times n$ matrices. Then"
    claim = "$$ (A^{-1} + B^{-1})^{-1} = A (A + B)^{-1} SIDE $$"
    for side, verdict in (("B", "proved"), ("2 B", "refuted")):
        row = check(f"{text}\n\n{claim.replace('SIDE', side)}\n", corrections=False).rows[-1]
        assert row.verdict == verdict
