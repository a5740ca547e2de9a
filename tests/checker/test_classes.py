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
        "$$E = p_i$$\n\n$$E = 2 p_i$$\n\n$$q = \\sum_i p_i$$",  # an index by custom
        "$$v = a_t$$\n\n$$s = \\sum_t a_t$$\n\n$$s = v$$",  # t counts
        "$$v = v_e + t$$\n\n$$v_e = 2 t$$",  # v bears letters of its own
        "$$d = r_w - r_l$$\n\n$$r_k = x_k^2$$\n\n$$d = r_w$$",  # two labels
    ],
)
def test_what_counts_is_no_class(text: str) -> None:
    assert "proved" not in verdicts(text)


SLOPES = r"""
$$
p_i = \frac{e^{l_i}}{\sum_j e^{l_j}}
$$
and
$$
\frac{d}{dl_i}[-\ln p_y] = -\frac{1}{p_y} \frac{d p_y}{dl_i}
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
