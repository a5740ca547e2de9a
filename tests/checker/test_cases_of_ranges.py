"""Where bounds are in force: in a sentence, behind it, and till something else is let."""

import pytest

import symattn as sa


def verdicts(text: str) -> list[str]:
    return [r.verdict for r in sa.check(text + "\n", corrections=False).rows]


CLAUSES = [
    "We have {} if $x < 1$.", "Clearly {} whenever $x < 1$.", "Here {} when $x < 1$.",
    "{} provided that $x < 1$.", "{} as long as $x < 1$.", "{} for $x < 1$.",
    "If $x < 1$, then {}.", "When $x < 1$, {}.", "In the case $x < 1$, we get {}.",
    "{}, since $x < 1$.",
]  # fmt: skip


@pytest.mark.parametrize("sentence", CLAUSES)
def test_a_condition_in_the_sentence(sentence: str) -> None:
    said = sentence.replace("{}", "${}$")
    assert verdicts(said.replace("{}", "|x - 1| = 1 - x")) == ["proved"]
    assert verdicts(said.replace("{}", r"\min(x, 1) = x")) == ["proved"]
    assert verdicts(said.replace("{}", "|x - 1| = x - 1"))[0] in ("refuted", "unproved")


def test_a_clause_is_of_its_sentence_alone() -> None:
    first = "We have $|x - 1| = 1 - x$ if $x < 1$.\n\n"
    assert verdicts(first + "We have $2 |x - 1| = 2 - 2 x$.")[-1] != "proved"
    assert verdicts("For $x < 1$ we have\n\n$$|x - 1| = 1 - x.$$") == ["proved"]


def test_a_bound_that_is_let_anew() -> None:
    text = "Let $x > 0$. We have $|x| = x$.\n\nNow let $x < 0$. We have $|x| = -x$ and $|x| = x$.\n"
    assert verdicts(text) == ["proved", "proved", "refuted"]


def test_a_bound_says_nothing_of_what_stands_before_it() -> None:
    text = "We have $\\frac{|x|}{x} + x = x - 1$.\n\nNow let $x < 0$. Then $|x| + x = 0$.\n"
    assert verdicts(text)[0] != "proved"
    assert verdicts(text)[1] == "proved"


def test_the_case_of_a_sentence_against_what_was_said_before() -> None:
    text = "Here $-1 < x < 0$.\n\nThen $|x^2 - 1| = x^2 - 1$ whenever $x \\le -2$.\n"
    assert verdicts(text) == ["proved"]
    words = "Now take $x \\in (0, 1)$.\n\nClearly $\\max(x, 0) + x = x$ if $x$ is negative.\n"
    assert verdicts(words) == ["proved"]


def test_what_is_wrong_is_no_condition_of_what_follows() -> None:
    text = "Clearly $3 x = -3 x$.\n\nWe have $\\sqrt{1 - 2 x + x^2} = 1 - x$ for $-2 < x < 3$.\n"
    assert verdicts(text) == ["refuted", "refuted"]


def test_what_is_noted_of_some_values_is_no_fact() -> None:
    text = "Note that $\\max(x, 0) = 0$ for $0 \\le x \\le 3$.\n\nThen $2 \\max(x, 0) = 0$.\n"
    assert verdicts(text)[1] != "proved"
    assert verdicts(text.replace(" for $0 \\le x \\le 3$", ""))[1] == "proved"
