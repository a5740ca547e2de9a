"""Names of endless sums, and what a text says such a sum is."""

from __future__ import annotations

import pytest

import symattn as sa

GEOMETRIC = (
    r"The probabilities are $p_n = (1-\rho)\rho^n$. Let $$ L = \sum_{n=0}^\infty n p_n . $$ Hence"
)
QUEUE = r"With $\rho = \lambda/\mu$ the probabilities are $p_n = (1-\rho)\rho^n$. We have"
BEFORE = QUEUE.replace(" We have", r" Let $$ L = \sum_{n=0}^\infty n p_n . $$ We have")


def verdicts(text: str, *claims: str) -> list[str]:
    whole = "\n\n".join([text, *(f"$$ {c} $$" for c in claims)])
    rows = sa.check(whole, corrections=False, timeout=None, jobs=1).rows
    return [r.verdict for r in rows][-len(claims) :]


@pytest.mark.parametrize(
    ("text", "claim", "verdict"),
    [
        (GEOMETRIC, r"L = \frac{\rho}{1-\rho}", "proved"),
        (GEOMETRIC, r"L = \frac{1}{1-\rho}", "refuted"),
        (GEOMETRIC, r"L^2 = \frac{\rho^2}{(1-\rho)^2}", "proved"),
        (QUEUE, r"\sum_{n=0}^\infty n p_n = \frac{\lambda}{\mu-\lambda}", "proved"),
        (QUEUE, r"\sum_{n=0}^\infty n p_n = \frac{\lambda}{\mu+\lambda}", "refuted"),
        (QUEUE, r"\sum_{n=0}^\infty p_n = 1", "proved"),
    ],
)
def test_what_an_endless_sum_comes_to(text: str, claim: str, verdict: str) -> None:
    assert verdicts(text, claim) == [verdict]


def test_a_wrong_value_is_the_definition_of_nothing_behind_it() -> None:
    wrong = (r"L = \frac{1}{1-\rho}", r"L = \frac{\rho}{1-\rho}")
    assert verdicts(GEOMETRIC, *wrong) == ["refuted", "proved"]
    value = r"\frac{\lambda}{\mu+\lambda}"
    claims = (rf"\sum_{{n=0}}^\infty n p_n = {value}", rf"L = {value}")
    assert verdicts(BEFORE, *claims) == ["refuted", "refuted"]


def test_what_is_made_of_one() -> None:
    made = r"$$ W = L/\lambda $$"
    for claim, verdict in ((r"\mu - \lambda", "proved"), (r"\mu + \lambda", "refuted")):
        assert verdicts(BEFORE + " " + made, rf"W = \frac{{1}}{{{claim}}}") == [verdict]


def test_a_value_that_is_not_known_defines_nothing() -> None:
    """Σ_n c/n has none."""
    text = r"Let $p_n = \frac{c}{n^2}$ and $$ L = \sum_{n=1}^\infty n p_n . $$ We have"
    claims = (r"\sum_{n=1}^\infty n p_n = 2 c", "L = 2 c")
    assert "proved" not in verdicts(text, *claims)
