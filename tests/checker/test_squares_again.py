"""What a square is said to be, a second time and in other words."""

import pytest

import symattn as sa

SPREAD = (
    "Let $\\mu = \\frac1d\\sum_{i=1}^d x_i$ and $s^2 = \\frac1d\\sum_{i=1}^d (x_i - \\mu)^2$. "
    "Expanding the square,\n\n$$ s^2 = \\frac1d\\sum_{i=1}^d x_i^2 SIGN \\mu^2 . $$\n"
)
LAWS = (
    "# One\n\nThe variance is $\\sigma^2 = p (1 - p)$.\n\n"
    "# Other\n\nThe variance is\n\n$$ CLAIM $$\n"
)


def rows(text, corrections=False):
    return sa.check(text, corrections=corrections, jobs=1).rows


@pytest.mark.parametrize(("sign", "verdict"), [("-", "proved"), ("+", "refuted")])
def test_a_sentence_says_what_a_square_is_and_a_display_claims_it(sign, verdict):
    *_, first, again = rows(SPREAD.replace("SIGN", sign), corrections=True)
    assert (first.verdict, again.verdict) == ("definition", verdict)
    right = r"\frac1d\sum_{i=1}^d x_i^2 - \mu^2"
    assert again.correction in ("", right) and bool(again.correction) == (sign == "+")


@pytest.mark.parametrize("claim", [r"\sigma^2 = \lambda p", r"\sigma^2 = (1 - p)/p^2"])
@pytest.mark.parametrize("shown", [False, True])
def test_another_square_is_another_definition(claim, shown):
    text = LAWS.replace("CLAIM", claim)
    text = text.replace("$\\sigma^2 = p (1 - p)$.", "$$\\sigma^2 = p (1 - p)$$") if shown else text
    assert [r.verdict for r in rows(text)] == ["definition", "definition"]


@pytest.mark.parametrize(("sign", "verdict"), [("-", "proved"), ("+", "refuted")])
def test_a_square_of_what_is_inside_of_its_other_side_is_claimed(sign, verdict):
    text = (
        "The ellipse has $y(t) = b \\sin t$. With $c = \\sqrt{a^2 - b^2}$ and $q = c/a$ it follows "
    )
    found = rows(f"{text} that\n\n$$ b^2 = a^2 (1 {sign} q^2) . $$\n\n$$ y'(t) = b \\cos t $$\n")
    assert [r.verdict for r in found][-2:] == [verdict, "proved"]
