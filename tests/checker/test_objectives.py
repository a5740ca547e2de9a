r"""Losses written for one output, gradients of networks, and products by a star."""

import re

import pytest

from symattn.checker import check

NET = r"""# A network

$$h = \tanh(U x + c)$$
$$z = W h + b$$
$$\hat{y} = a = \sigma(z)$$
$$L = -y \log \hat{y} - (1-y) \log(1 - \hat{y})$$

so that
"""


def verdicts(head: str, *formulas: str) -> list[str]:
    text = head + "".join(f"\n$$\n{f}\n$$\n" for f in formulas)
    found = check(text, corrections=False, timeout=None).rows
    return [row.verdict for row in found[-len(formulas) :]]


RIGHT = (
    r"\frac{\partial L}{\partial z} = \hat{y} - y",
    r"\frac{\partial L}{\partial z} = a - y",
    r"\frac{\partial L}{\partial W} = (\hat{y} - y) h^T",
    r"\frac{\partial L}{\partial b} = \hat{y} - y",
    r"\frac{\partial L}{\partial h} = W^T (a - y)",
    r"\frac{\partial L}{\partial U} = (W^T (\hat{y} - y) \odot (1 - h^2)) x^T",
    r"\frac{\partial L}{\partial c} = W^T (\hat{y} - y) * (1 - h^2)",
)
WRONG = (
    r"\frac{\partial L}{\partial z} = y - \hat{y}",
    r"\frac{\partial L}{\partial W} = (\hat{y} + y) h^T",
    r"\frac{\partial L}{\partial b} = (\hat{y} - y) \odot \hat{y}",
    r"\frac{\partial L}{\partial h} = 2 W^T (a - y)",
    r"\frac{\partial L}{\partial U} = (W^T (\hat{y} - y) \odot (1 - h)) x^T",
    r"\frac{\partial L}{\partial c} = W^T (\hat{y} - y) * (1 + h^2)",
)


def test_a_loss_of_one_output_is_the_sum_of_the_entries():
    assert verdicts(NET, *RIGHT) == ["proved"] * len(RIGHT)
    assert verdicts(NET, *WRONG) == ["refuted"] * len(WRONG)


def test_the_sum_is_said():
    rows = check(NET + "\n$$" + RIGHT[0] + "$$\n", timeout=None, corrections=False).rows
    assert any("the sum of its entries" in str(a) for row in rows for a in row.assumed)


def test_names_of_gradients_in_words_behind_what_they_are():
    r"""“where $dz$ stands for ∂L/∂z”, after dz = a - y; the middle of ŷ = a = σ(z) is defined."""
    words = NET + "\nhere $dz$ stands for $\\frac{\\partial L}{\\partial z}$ and so on\n"
    right = "dz = a - y", "dW = dz h^T", "db = dz", "dc = W^T dz * (1 - h^2)"
    assert verdicts(words, *right) == ["proved"] * 4
    wrong = "dz = y - a", "dW = dz h^T * 2", "dc = W^T dz * (1 - h)"
    assert verdicts(words, *wrong) == ["refuted"] * 3


SQUARES = r"""Let $W \in \mathbb{R}^{m \times n}$ and $x \in \mathbb{R}^n$, and $y = \tanh(W x)$.

$$L = \frac12 \sum_i (y_i - t_i)^2$$
"""


@pytest.mark.parametrize(
    ("formula", "verdict"),
    [
        (r"\frac{\partial L}{\partial x} = W^T ((y - t) * (1 - y * y))", "proved"),
        (r"\frac{\partial L}{\partial W} = (y - t) * (1 - y^2) x^T", "proved"),
        (r"\frac{\partial L}{\partial x} = W^T ((y - t) * (1 - y))", "refuted"),
    ],
)
def test_a_star_is_a_product_of_entries(formula, verdict):
    assert verdicts(SQUARES, formula) == [verdict]


def test_a_vector_of_other_letters_is_no_loss():
    r"""What is no loss by name stays a vector, and its derivative a Jacobian."""
    head = "A network with $u = W x$.\n\n$$s = \\tanh(u)$$\n"
    right = r"\frac{\partial s}{\partial u} = \mathrm{diag}(1 - s^2)"
    wrong = r"\frac{\partial s}{\partial u} = \mathrm{diag}(1 - s)"
    assert verdicts(head, right, wrong) == ["proved", "refuted"]


LAYERS = r"""# Backpropagation

The forward pass of layer $l$ is

$$z_j^{[l]} = \sum_k W_{jk}^{[l]} a_k^{[l-1]} + b_j^{[l]}$$
$$a_j^{[l]} = g(z_j^{[l]})$$

and the error of unit $j$ in layer $l$ is $\delta_j^{[l]} = \frac{\partial J}{\partial z_j^{[l]}}$.
In the last layer $J = \frac{1}{2} \sum_j (a_j^{[L]} - y_j)^2$.
"""


def labelled(*formulas: str) -> tuple[str, tuple[str, ...]]:
    def change(text: str) -> str:
        return re.sub(r"\[([lL](?:[-+]1)?)\]", r"(\1)", text)

    return change(LAYERS), tuple(map(change, formulas))


LAYERED = (
    r"\frac{\partial J}{\partial W_{jk}^{[l]}} = \delta_j^{[l]} a_k^{[l-1]}",
    r"\frac{\partial J}{\partial b_j^{[l]}} = \delta_j^{[l]}",
    r"\delta_j^{[l]} = g'(z_j^{[l]}) \sum_k W_{kj}^{[l+1]} \delta_k^{[l+1]}",
    r"\delta^{[l]} = (W^{[l+1]})^T \delta^{[l+1]} \odot g'(z^{[l]})",
    r"\delta_j^{[L]} = (a_j^{[L]} - y_j) g'(z_j^{[L]})",
)
SLIPS = (
    r"\frac{\partial J}{\partial W_{jk}^{[l]}} = \delta_j^{[l]} a_k^{[l]}",
    r"\frac{\partial J}{\partial b_j^{[l]}} = 2 \delta_j^{[l]}",
    r"\delta_j^{[l]} = g'(z_j^{[l]}) \sum_k W_{jk}^{[l+1]} \delta_k^{[l+1]}",
    r"\delta^{[l]} = (W^{[l+1]})^T \delta^{[l+1]} \odot g'(z^{[l+1]})",
    r"\delta_j^{[L]} = (y_j - a_j^{[L]}) g'(z_j^{[L]})",
)


@pytest.mark.parametrize("brackets", ["[]", "()"])
def test_layers_of_components_and_the_last_one(brackets):
    r"""δ_j^{[l]} of a sentence, through a loss of the last layer; a^{[l]} as a^{(l)}."""
    head, right, wrong = LAYERS, LAYERED, SLIPS
    if brackets == "()":
        (head, right), (_, wrong) = labelled(*LAYERED), labelled(*SLIPS)
    assert verdicts(head, *right) == ["proved"] * len(right)
    for slip in wrong:
        assert verdicts(head, slip) == ["refuted"], slip


ANY = r"""# One example

For $l = 1, \dots, L$ with $a^{[0]} = x$

$$z^{[l]} = W^{[l]} a^{[l-1]} + b^{[l]}, \qquad a^{[l]} = g^{[l]}(z^{[l]})$$

The loss is $\mathcal{L}(a^{[L]}, y)$. With
$dz^{[l]} = \frac{\partial \mathcal{L}}{\partial z^{[l]}}$ and the like,
"""


@pytest.mark.parametrize("slope", [r"g^{[l]}{}'", r"g^{[l]\prime}", r"{g^{[l]}}'", r"(g^{[l]})'"])
def test_activations_with_labels_and_primes(slope):
    right = (
        rf"dz^{{[l]}} = da^{{[l]}} * {slope}(z^{{[l]}})",
        r"dW^{[l]} = dz^{[l]} a^{[l-1]T}",
        rf"dz^{{[l]}} = W^{{[l+1]T}} dz^{{[l+1]}} * {slope}(z^{{[l]}})",
    )
    assert verdicts(ANY, *right) == ["proved"] * 3


@pytest.mark.parametrize(
    "formula",
    [
        r"dW^{[l]} = dz^{[l]} a^{[l]T}",  # of whatever activation
        r"dz^{[l]} = da^{[l]}",
        r"db^{[l]} = -dz^{[l]}",
        r"da^{[l-1]} = W^{[l]} dz^{[l]}",
    ],
)
def test_slips_beside_any_activation(formula):
    slope = r"dz^{[l]} = W^{[l+1]T} dz^{[l+1]} * g^{[l]}{}'(z^{[l]})"  # so it acts on entries
    assert verdicts(ANY, slope, formula) == ["proved", "refuted"]


def test_a_number_beside_a_vector_is_no_entry_of_it():
    r"""The σ(-u^⊤ n_k) of a number n_k is a vector, and \log σ(u^⊤ v) is none."""
    negative = r"\sum_{k=1}^{K} \log \sigma(-u^\top n_k)"
    loss = f"The loss is\n\n$$ L = -\\log \\sigma(u^\\top v) - {negative} $$\n"
    slope = r"\frac{\partial L}{\partial v} = (\sigma(u^\top v) - 1) u"
    assert verdicts(loss, slope)[-1] not in ("refuted", "malformed")
    loss = loss.replace("n_k", "x_k").replace("K", "m")
    assert verdicts(loss, slope, slope.replace("- 1", "+ 1")) == ["proved", "refuted"]
