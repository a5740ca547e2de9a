"""Sums over numbers that a formula lists, and how far indices run in words."""

import pytest

import symattn as sa


def rows(text):
    return sa.check(text, corrections=False, timeout=None).rows


def last(words, claim):
    return rows(f"{words}\n\n$$ {claim} $$\n")[-1]


@pytest.mark.parametrize(
    "right, wrong",
    [
        (r"\sum_{s = \pm 1} e^{b s} = 2 \cosh b", r"\sum_{s = \pm 1} e^{b s} = 2 \sinh b"),
        (r"\sum_{s \in \{-1, 1\}} s e^{b s} = 2 \sinh b",
         r"\sum_{s \in \{-1, 1\}} s e^{b s} = 2 \cosh b"),
        (r"\sum_{s \in \{\pm 2\}} s^2 = 8", r"\sum_{s \in \{\pm 2\}} s^2 = 0"),
        (r"\sum_{s, t = \pm 1} e^{s t b} = 4 \cosh b",
         r"\sum_{s, t = \pm 1} e^{s t b} = 2 \cosh b"),
        (r"\sum_{s_1 = \pm 1} \sum_{s_2 = \pm 1} e^{b s_1 s_2 + h (s_1 + s_2)}"
         r" = 2 e^{b} \cosh(2 h) + 2 e^{-b}",
         r"\sum_{s_1 = \pm 1} \sum_{s_2 = \pm 1} e^{b s_1 s_2 + h (s_1 + s_2)}"
         r" = 2 e^{-b} \cosh(2 h) + 2 e^{b}"),
        (r"\prod_j \sum_{h_j \in \{0, 1\}} e^{h_j c_j} = \prod_j (1 + e^{c_j})",
         r"\prod_j \sum_{h_j \in \{0, 1\}} e^{h_j c_j} = \prod_j (2 + e^{c_j})"),
        (r"\sum_{k \in \{0, 1, 2\}} x^k = 1 + x + x^2", r"\sum_{k \in \{0, 1, 2\}} x^k = x + x^2"),
        (r"\sum_{y = 0, 1} p^y (1 - p)^{1 - y} = 1", r"\sum_{y = 0, 1} p^y (1 - p)^{1 - y} = 2"),
        (r"\sum_{y \in \{0, 1\}} y\, p^y (1 - p)^{1 - y} = p",
         r"\sum_{y \in \{0, 1\}} y\, p^y (1 - p)^{1 - y} = 1 - p"),
        (r"\sum_{s = \pm 1} x^s = x + \frac{1}{x}", r"\sum_{s = \pm 1} x^s = 2 x"),
        (r"\sum_{s = \pm 1} \frac{1}{a + s x} = \frac{2 a}{a^2 - x^2}",
         r"\sum_{s = \pm 1} \frac{1}{a + s x} = \frac{2 a}{a^2 + x^2}"),
        (r"\sum_{s = \pm 1} s a + \sum_{s = \pm 1} s^2 = 2",
         r"\sum_{s = \pm 1} s a + \sum_{s = \pm 1} s^2 = 3"),
        (r"\prod_{s = \pm 1} (a + s b) = a^2 - b^2", r"\prod_{s = \pm 1} (a + s b) = a^2 + b^2"),
    ],
)  # fmt: skip
def test_a_sum_over_listed_numbers_is_written_out(right, wrong):
    assert last("Let $p > 0$.", right).verdict == "proved"
    assert last("Let $p > 0$.", wrong).verdict in ("refuted", "conditional", "unproved")
    if "prod_j" not in wrong:  # of factors that may be negative
        assert last("Let $p > 0$.", wrong).verdict == "refuted"


def test_what_a_law_is_of_is_no_number():
    given = r"$$ \sum_{y \in \{0, 1\}} p(y \mid x) = 1 $$"
    whole = r"$$ \sum_{y \in \{0, 1\}} p(y) = 1 $$"
    found = rows(rf"Let $p(y \mid x)$ be a conditional distribution." f"\n\n{given}\n\n{whole}\n")
    assert [r.verdict for r in found] == ["proved", "proved"]


def test_an_index_is_no_number():
    assert last("", r"\sum_{y \in \{0, 1\}} p_y = 1").verdict == "definition"


@pytest.mark.parametrize(
    "claim", [r"\sum_{s = \pm 1} s^2 a - s = 2 a", r"\sum_{s, t = \pm 1} s t a + t = 0"]
)
def test_a_letter_behind_the_sum_may_be_below_it(claim):
    assert last("", claim).verdict == "skipped"


def test_a_factor_without_the_letter_may_stand_behind_a_product():
    row = last("", r"\prod_{s \in \{1, 2, 3\}} s a = 6 a^3")
    assert row.verdict == "skipped"  # or 6 a


SHAPES = r"$$ \sigma_{ij} = \lambda\, e_{kk} \delta_{ij} + 2 \mu\, e_{ij} $$"


@pytest.mark.parametrize(
    "words",
    [
        "All indices run from 1 to 3.",
        "Latin indices run from $1$ to $3$.",
        "Indices run over $1, 2, 3$.",
        "Repeated indices are summed over 1, 2 and 3.",
        r"The indices $i$, $j$ and $k$ take the values $1, \dots, 3$.",
        "Greek indices run from 0 to 3, Latin ones from 1 to 3.",
        r"The indices $i, j, k$ run from $0$ to $2$.",
    ],
)
def test_words_say_how_far_indices_run(words):
    right, wrong = (rf"\sigma_{{kk}} = ({n} \lambda + 2 \mu) e_{{kk}}" for n in (3, 2))
    assert last(f"{words}\n\n{SHAPES}", right).verdict == "proved"
    assert last(f"{words}\n\n{SHAPES}", wrong).verdict == "refuted"


@pytest.mark.parametrize(
    "words",
    [
        "",
        "Greek indices run from 1 to 3.",
        "The pages from 1 to 3 are on this.",
        "The indices $a$ and $b$ run from 1 to 3.",
        "Latin indices run from 1 to 3 here, the indices $i, j, k$ from 1 to 4.",
        "We count the ones from 1 to 3.",
    ],
)
def test_what_is_said_of_other_indices_says_nothing_of_these(words):
    right = r"\sigma_{kk} = (3 \lambda + 2 \mu) e_{kk}"
    assert last(f"{words}\n\n{SHAPES}", right).verdict == "conditional"


def test_a_number_times_the_square_of_a_trace_is_no_function_of_it():
    text = r"""
The matrix $e_{ij}$ is symmetric.

$$ \sigma_{ij} = \lambda\, e_{kk} \delta_{ij} + 2 \mu\, e_{ij} $$

$$ W = \tfrac12 \sigma_{ij} e_{ij} = \tfrac12 \lambda\, (e_{kk})^2 + \mu\, e_{ij} e_{ij} $$

$$ W = \tfrac12 \lambda\, (e_{kk})^2 + 3 \mu\, e_{ij} e_{ij} $$
"""
    assert [r.verdict for r in rows(text)[1:]] == ["definition", "proved", "refuted"]


@pytest.mark.parametrize("claim", ["2 p - p = p", "p^2 + p (1 - p) = p", "p = p^2 + p (1 - p)"])
def test_a_side_that_is_a_name_once_it_is_worked_out_is_claimed(claim):
    assert last("The number $p$ is positive.", claim).verdict == "proved"


def test_a_recursion_stays_one():
    assert last("The number $p$ is positive.", "p = 2 p - 1").verdict == "skipped"
    assert last("The number $p$ is positive.", "2 p - p = 1 - p").verdict == "refuted"


@pytest.mark.parametrize(
    ("said", "verdict"),
    [
        (r"q \in [0, 1]^n", "proved"),
        (r"q \in (0, 1)^n", "proved"),
        (r"q \in \mathbb{R}_{>0}^n", "proved"),
        (r"q \in (-\infty, 0]^n", "refuted"),
        (r"q \in [-1, 1]^n", "refuted"),
    ],
)
def test_a_set_of_a_display_says_the_sign_of_its_entries(said, verdict):
    found = rows(f"$$ {said} $$\n\nWe have\n\n$$ |q_i| = q_i $$\n")
    assert [r.verdict for r in found] == ["definition", verdict]
