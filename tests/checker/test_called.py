r"""Names that sentences give to sides, and what they call a name without saying it in a formula."""

from symattn.checker import check

HEAD = r"""Let $\mu, \sigma \in \mathbb{R}^d$.

$$
D = \frac12 \sum_{j=1}^d \left( \mu_j^2 + \sigma_j^2 - 1 - \log \sigma_j^2 \right)
$$

%s

$$
%s
$$
"""
RIGHT = r"\frac{\partial K}{\partial \mu_j} = \mu_j"
WRONG = r"\frac{\partial K}{\partial \mu_j} = 2 \mu_j"
SAID = (
    "Write $K$ for the right-hand side.",
    "Denote the right-hand side by $K$.",
    "Let $K$ be the right-hand side.",
    "We call this right-hand side $K$.",
)


def verdict(words: str, formula: str) -> str:
    return check(HEAD % (words, formula), corrections=False, timeout=None).rows[-1].verdict


def test_the_name_of_a_side():
    for words in SAID:
        assert verdict(words, RIGHT) == "proved", words
        assert verdict(words, WRONG) == "refuted", words


def test_what_a_sentence_calls_something_is_not_any_loss():
    for words in (
        "We call this quantity $K$.",
        "This is denoted $K$ below.",
        "We write $K$ for it.",
    ):
        assert verdict(words, RIGHT) in ("proved", "conditional", "unproved", "skipped"), words
        assert verdict(words, WRONG) in ("refuted", "unproved", "skipped"), words
