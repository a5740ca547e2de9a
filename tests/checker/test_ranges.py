r"""Sums that end before their axis, last components, sets of neighbours, stated averages."""

import pytest

from symattn.checker import check

VECTOR = r"Let $x \in \mathbb{R}^n$." + "\n\n"


def verdicts(text: str) -> list[str]:
    return [row.verdict for row in check(text, corrections=False).rows]


def verdict(formula: str, before: str = VECTOR) -> str:
    return verdicts(f"{before}$$ {formula} $$\n")[-1]


@pytest.mark.parametrize(
    "formula",
    [
        r"\sum_{k=1}^{n-1} x_{k+1} = \sum_{k=2}^n x_k",
        r"\sum_{k=1}^{n-1} x_k = \sum_{k=1}^n x_k - x_n",
        r"\sum_{k=1}^{n-1} (x_{k+1} - x_k)^2 = 2 \sum_k x_k^2 - x_1^2 - x_n^2 "
        r"- 2 \sum_{k=1}^{n-1} x_k x_{k+1}",
    ],
)
def test_a_sum_that_ends_before_its_axis(formula: str) -> None:
    assert verdict(formula) == "proved"
    assert verdict(formula.replace("n-1}", "n}", 1)) != "proved"
    assert verdict(formula.replace(" = ", " = x_n + ")) == "refuted"


def test_nothing_says_how_long_the_axis_is() -> None:
    parts = (
        r"\sum_{k=1}^{n-1} a_k (b_{k+1} - b_k) = a_n b_n - a_1 b_1 "
        r"- \sum_{k=2}^{n} b_{} (a_k - a_{{k-1}})"
    )
    assert verdict(parts.replace("b_{}", "b_k").replace("{{k-1}}", "{k-1}"), "") == "proved"
    assert verdict(parts.replace("b_{}", "b_{k-1}").replace("{{k-1}}", "{k-1}"), "") == "refuted"


def test_two_lengths_that_nobody_can_compare_are_an_error() -> None:
    row = check(VECTOR + r"$$ s = \sum_{k=1}^{m} x_k $$" + "\n", corrections=False).rows[-1]
    assert row.verdict == "skipped" and "two sizes, n and m" in row.reason


def test_a_loss_is_called_what_is_nothing_else() -> None:
    text = (
        "The backward pass. Let $Q, K \\in \\mathbb{R}^{n \\times d}$, "
        "$V \\in \\mathbb{R}^{n \\times e}$ and $S = Q K^\\top$.\n\n"
        "$$ P_{ij} = \\frac{e^{S_{ij}}}{L_i}, \\quad L_i = \\sum_j e^{S_{ij}}, "
        "\\quad O_i = \\sum_j P_{ij} V_j $$\n\n"
        "Given $dO \\in \\mathbb{R}^{n \\times e}$, the gradients are\n\n"
        "$$ dV_j = \\sum_i P_{ij} dO_i, \\quad dP_{ij} = dO_i^\\top V_j $$\n"
        "$$ dS_{ij} = P_{ij} (dP_{ij} - D_i), \\quad D_i = \\sum_j P_{ij} dP_{ij} $$\n"
    )
    assert verdicts(text)[-4:] == ["proved", "proved", "proved", "definition"]


@pytest.mark.parametrize(
    ("right", "expected"),
    [
        (r"\alpha_{ij} (\delta_{jk} - \alpha_{ik})", "unproved"),  # where k is in N(i)
        (r"\alpha_{ij} (\delta_{jk} + \alpha_{ik})", "refuted"),
    ],
)
def test_what_is_meant_of_neighbours(right: str, expected: str) -> None:
    text = (
        r"$$ \alpha_{ij} = \frac{\exp(e_{ij})}{\sum_{k \in \mathcal{N}(i)} \exp(e_{ik})} $$"
        + "\n\n"
    )
    formula = r"\frac{\partial \alpha_{ij}}{\partial e_{ik}} = " + right
    assert verdict(formula, text) == expected


AVERAGE = (
    "Let $p_i = e^{-\\beta E_i}/Z$ and $Z = \\sum_j e^{-\\beta E_j}$.\n\n"
    "$$ \\langle E \\rangle = \\sum_i p_i E_i $$\n\n"
)


@pytest.mark.parametrize(
    "heading", ["", "# Entropy\n\n$$ H = -\\sum_i p_i \\log p_i $$\n\n# Gibbs\n\n"]
)
def test_an_average_that_is_stated_is_meant_by_the_others(heading: str) -> None:
    left = r"\frac{\partial \langle E \rangle}{\partial \beta}"
    right = r"-\left( \langle E^2 \rangle - \langle E \rangle^2 \right)"
    assert verdict(f"{left} = {right}", heading + AVERAGE) == "proved"
    assert verdict(f"{left} = {right[1:]}", heading + AVERAGE) == "refuted"


def test_an_average_over_two_distributions_is_not_inferred() -> None:
    text = AVERAGE + "$$ \\langle v \\rangle = \\sum_i q_i v_i $$\n\n"
    formula = r"\langle E^2 \rangle = \sum_i p_i E_i^2"
    assert verdict(formula, AVERAGE) == "proved"
    assert verdict(formula, text) not in ("proved", "refuted")


def test_recursions_one_step_back() -> None:
    text = (
        "The iteration $v_{t+1} = \\mu v_t - \\eta g_t$, $x_{t+1} = x_t + v_{t+1}$ gives\n\n"
        "$$ x_{t+1} = x_t + \\mu (x_t - x_{t-1}) SIGN \\eta g_t $$\n"
    )
    assert verdicts(text.replace("SIGN", "-"))[-1] == "proved"
    assert verdicts(text.replace("SIGN", "+"))[-1] == "refuted"


def test_to_first_order_and_in_some_dimensions() -> None:
    text = (
        "With $g_{\\mu\\nu} = \\eta_{\\mu\\nu} + h_{\\mu\\nu}$ the inverse is, to first order, "
        "$g^{\\mu\\nu} = \\eta^{\\mu\\nu} - h^{\\mu\\nu}$.\n\n"
        "$$ g^{\\mu\\lambda} g_{\\lambda\\nu} = \\delta^\\mu_\\nu $$\n"
        "$$ g^{\\mu\\nu} g_{\\mu\\nu} = 4 $$\n$$ g^{\\mu\\nu} g_{\\mu\\nu} = 15 $$\n"
    )
    assert verdicts(text)[1:] == ["unproved", "proved", "conditional", "refuted"]
