"""E(x) = an expression in x is a function that is called E, and no average."""

import pytest

import symattn as sa


def verdicts(text):
    return [r.verdict for r in sa.check(text, corrections=False).rows]


@pytest.mark.parametrize("sign", [r"\operatorname{E}", r"\mathrm{E}"])
def test_an_energy_is_not_linear(sign):
    text = rf"""The energy of a spring is

$$
{sign}(x) = \frac12 k x^2
$$

and so

$$
\operatorname{{E}}(3 x) = 3 \operatorname{{E}}(x)
$$

$$
\operatorname{{E}}(3 x) = 9 \operatorname{{E}}(x)
$$
"""
    assert verdicts(text) == ["definition", "refuted", "proved"]


def test_an_energy_of_a_vector_is_no_average_either():
    text = r"""The energy is

$$
\operatorname{E}(\mathbf{s}) = \frac12 \mathbf{s}^\top \mathbf{s}
$$

$$
\operatorname{E}(2\mathbf{s}) = 2 \operatorname{E}(\mathbf{s})
$$
"""
    assert "proved" not in verdicts(text)


def test_averages_stay_averages():
    text = r"""For a random variable $X$ with $\mathbb{E}(X) = \mu$ and a constant $c$,

$$
\mathbb{E}(c X) = c \mu
$$

$$
\mathbb{E}(c) = c
$$
"""
    found = sa.check(text, corrections=False).rows
    assert [r.verdict for r in found][1] == "proved"
    assert found[0].reason == "says how it is distributed"


@pytest.mark.parametrize(
    ("given", "claim"),
    [
        (r"$\operatorname{E}(Y) = \mu_Y$", r"\operatorname{E}(3 Y + 1) = 3 \mu_Y + 1"),
        (
            r"$\operatorname{Var}(Y) = E(Y^2) - E(Y)^2$",
            r"\operatorname{Var}(2 Y) = 4 \operatorname{Var}(Y)",
        ),
        (r"$\operatorname{E}(y) = \sum_y y p_y$", r"\operatorname{E}(2 y) = 2 \operatorname{E}(y)"),
    ],
)
def test_what_says_how_a_variable_is_distributed_defines_no_function(given, claim):
    row = sa.check(f"For a random variable, {given}.\n\n$$ {claim} $$\n", corrections=False).rows[
        -1
    ]
    assert row.verdict == "proved"
