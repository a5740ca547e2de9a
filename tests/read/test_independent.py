r"""What words say of independence: everywhere, in one sentence alone, or not at all."""

from __future__ import annotations

import pytest

import symattn as sa

SUM = r"$$ \operatorname{Var}(X + Y) = \operatorname{Var}(X) + \operatorname{Var}(Y) $$"
THIRD = r"$$ \mathbb{E}[X^2 Y] = \mathbb{E}[X^2] \mathbb{E}[Y] $$"
SAID = [
    "$X$ and $Y$ are independent.",
    "Let $X, Y$ be independent random variables.",
    "$X$ is independent of $Y$.",
    "Let $S = X + Y$ where $X$ and $Y$ are independent.",
]
UNSAID = [
    "We do not assume that $X$ and $Y$ are independent.",
    "If $X$ and $Y$ are independent, much is simpler.",
    "$X$ and $Y$ may or may not be independent.",
    "Suppose for a moment that $X$ and $Y$ are independent.",
    "$X$ and $Y$ are far from independent.",
    "Unless $X$ and $Y$ are independent, more is needed.",
    "$X$ and $Y$ are hardly ever independent.",
    "$X$ and $Y$ are conditionally independent given $Z$.",
    "$X$ and $Y$ are independent given $Z$.",
    "Nobody said that $X$ is independent of $Y$.",
    "The variables $X$ and $Y$ would be independent in an ideal world.",
    "$X$ and $Y$ are both independent of $Z$.",
    "Were $X$ and $Y$ independent, things would be easy.",
]


def verdicts(text: str) -> list[str]:
    rows = sa.check(text, corrections=False).rows
    return [r.verdict for r in rows if "operatorname" in r.latex or "mathbb" in r.latex]


@pytest.mark.parametrize("words", SAID)
def test_what_is_said_to_be_independent(words):
    assert verdicts(f"{words}\n\n{SUM}\n\n{THIRD}") == ["proved", "proved"]


@pytest.mark.parametrize("words", UNSAID)
def test_what_is_not_said_to_be_independent(words):
    assert verdicts(f"{words}\n\n{SUM}\n\n{THIRD}") == ["unproved", "unproved"]


def test_uncorrelated_things_have_no_covariance_and_nothing_more():
    assert verdicts(f"$X$ and $Y$ are uncorrelated.\n\n{SUM}\n\n{THIRD}") == ["proved", "unproved"]


def test_what_is_supposed_holds_in_its_sentence():
    text = (
        f"If $X$ and $Y$ are independent, then\n\n{SUM}\n\nIn general nothing is said.\n\n{THIRD}"
    )
    assert verdicts(text) == ["proved", "unproved"]


def sections(first: str, second: str) -> str:
    return f"# One\n\n{first}\n\n{SUM}\n\n# Two\n\n{second}\n\n{THIRD}\n"


@pytest.mark.parametrize(
    ("first", "second", "said"),
    [
        ("$X$ and $Y$ are independent.", "We go on.", ["proved", "proved"]),
        ("$X$ and $Y$ are independent.", "Let $X$ and $Y$ be random.", ["proved", "unproved"]),
        (
            "$X$ and $Y$ need not be independent.",
            "$X$ and $Y$ are independent.",
            ["unproved", "proved"],
        ),
    ],
)
def test_independence_is_that_of_its_section(first, second, said):
    assert verdicts(sections(first, second)) == said


def test_what_an_equation_claims_of_averages_is_no_definition():
    text = rf"""$X$ and $Y$ are random variables.

$$ \mathbb{{E}}[X Y] = \mathbb{{E}}[X] \mathbb{{E}}[Y] $$

{SUM}
"""
    rows = sa.check(text, corrections=False).rows
    assert [r.verdict for r in rows] == ["unproved", "conditional"]
    assert rows[1].reason == "true with what line 3 says"
