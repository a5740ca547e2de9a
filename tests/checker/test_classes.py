r"""Numbers that hang on a class, L = -\log p_y, and letters that conditions compare."""

from __future__ import annotations

import pytest

from symattn.checker import check

LOSS = r"""
$$p_k = \frac{e^{z_k}}{\sum_j e^{z_j}}$$

$$L = -\log p_y$$
"""


def verdicts(text: str) -> list[str]:
    found = check(text, corrections=False, timeout=None)
    return [r.verdict for r in found if r.verdict != "definition"]


@pytest.mark.parametrize(
    ("claim", "verdict"),
    [
        (r"\frac{\partial L}{\partial z_k} = p_k - \mathbb{1}[k = y]", "proved"),
        (r"\frac{\partial L}{\partial z_k} = p_k - \delta_{ky}", "proved"),
        (r"\frac{\partial L}{\partial z_k} = \delta_{ky} - p_k", "refuted"),
        (r"\frac{\partial L}{\partial z_y} = p_y - 1", "proved"),
        (r"\frac{\partial L}{\partial z_y} = p_y", "refuted"),
        (r"L = -z_y + \log \sum_j e^{z_j}", "proved"),
        (r"\frac{\partial^2 L}{\partial z_k \partial z_j} = p_k (\delta_{kj} - p_j)", "proved"),
        (r"\frac{\partial^2 L}{\partial z_k \partial z_j} = p_k (\delta_{kj} - p_k)", "refuted"),
    ],
)
def test_the_loss_of_one_class(claim: str, verdict: str) -> None:
    assert verdicts(f"{LOSS}\n$${claim}$$\n") == [verdict]


@pytest.mark.parametrize(
    "text",
    [
        "$$E = p_i$$\n\n$$q = \\sum_k p_k$$",  # an index by custom
        "$$v = a_t$$\n\n$$s = \\sum_t a_t$$",  # t counts
    ],
)
def test_what_counts_is_no_class(text: str) -> None:
    assert check(text, corrections=False, timeout=None).rows[0].verdict == "skipped"


@pytest.mark.parametrize(
    "text",
    [
        "$$L = a_y$$\n\n$$s = y \\sum_k a_k$$",  # y has a value
        "$$L = a_y$$\n\n$$L_k = a_k^2$$\n\n$$s = \\sum_k a_k$$",  # L bears letters of its own
    ],
)
def test_what_may_be_a_label_is_no_class(text: str) -> None:
    slope = "$$\\frac{\\partial L}{\\partial a_k} = \\delta_{ky}$$"
    assert "proved" not in verdicts(f"{text}\n\n{slope}")


def test_two_labels_are_no_class() -> None:
    assert "proved" not in verdicts("$$d = r_w - r_l$$\n\n$$r_k = x_k^2$$\n\n$$d = r_w$$")


SLOPES = r"""
$$
p_i = \frac{e^{l_i}}{\sum_j e^{l_j}}
$$
and
$$
\frac{d}{dl_i}\left[-\ln \frac{e^{l_y}}{\sum_j e^{l_j}}\right] = -\frac{1}{p_y} \frac{d p_y}{dl_i}
$$
if $i \neq y$:
$$
-\frac{1}{p_y} \frac{d p_y}{dl_i} = FIRST
$$
if $i = y$:
$$
-\frac{1}{p_y} \frac{d p_y}{dl_i} = SECOND
$$
"""


@pytest.mark.parametrize(
    ("first", "second", "expected"),
    [
        ("p_i", "p_i - 1", ["proved"] * 3),
        ("p_i - 1", "p_i - 1", ["proved", "refuted", "proved"]),
        ("p_i", "p_i", ["proved", "proved", "refuted"]),
    ],
)
def test_a_condition_with_a_colon_is_of_what_comes(
    first: str, second: str, expected: list[str]
) -> None:
    assert verdicts(SLOPES.replace("FIRST", first).replace("SECOND", second)) == expected
