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
    assert verdicts(text.replace(" for", "\nfor"))[1] != "proved"
    assert verdicts(text.replace(" for $0 \\le x \\le 3$", ""))[1] == "proved"


@pytest.mark.parametrize("anew", [r"$x \in \mathbb{R}$", "$x$ be any real number"])
def test_what_is_let_be_any_number_again(anew: str) -> None:
    text = f"# A\n\nLet $x > 0$. Then $|x| = x$.\n\n# B\n\nLet {anew}. Then $|x| = x$.\n"
    assert verdicts(text) == ["proved", "refuted"]


def test_numbers_that_are_real_and_then_positive() -> None:
    text = "Let $a, b \\in \\mathbb{R}$ with $a > 0$. Then $\\sqrt{a^2 b^4} = a b^2$.\n"
    assert verdicts(text) == ["proved"]
    assert verdicts(text.replace("a b^2", "b a^2")) == ["refuted"]


def test_an_equation_on_an_interval() -> None:
    text = "We have $|x - 1| = 1 - x$ on $[0, 1]$ and $|x - 1| = x - 1$ on $[1, 2]$.\n"
    assert verdicts(text) == ["proved", "proved"]
    assert verdicts("We have $|x - 1| = x - 1$ on $[0, 1]$.") == ["refuted"]
    assert verdicts("We have $|x| = x$ on $[0, 1]$.\n\nThen $|x| + 1 = x + 1$.")[1] != "proved"


def test_a_sign_in_words_is_of_the_formula_beside_it() -> None:
    text = "We have $\\max(x, 0) = x$ for $y$ negative and $x$ positive."
    assert verdicts(text) == ["proved"]


@pytest.mark.parametrize(
    "words", ["When $x$ is small,", "Unless $x > 1$,", "If $x < 1$ or $x > 2$,"]
)
def test_conditions_that_are_no_bounds(words: str) -> None:
    assert verdicts(f"{words} $|x - 1| = 1 - x$.")[0] in ("unproved", "conditional")


@pytest.mark.parametrize(
    ("sentence", "right", "wrong"),
    [
        ("We have $|b| = {}$ if $b > 0$ and $|b| = {}$ if $b < 0$.", 2, 2),
        ("We have $|b| = {}$ on $[0, 1]$ and $|b| = {}$ on $[-1, 0]$.", 2, 2),
        ("If $b > 0$, then $|b| = {}$, and if $b < 0$, then $|b| = {}$.", 2, 1),
        ("For $b > 0$ we have $|b| = {}$ and for $b < 0$ we have $|b| = {}$.", 2, 1),
    ],
)
def test_each_equation_of_a_sentence_has_its_own_case(sentence, right, wrong) -> None:
    """`right` rows are proved, `wrong` ones refuted at least, where the two are exchanged."""
    first, second = sentence.replace("{}", "b", 1), sentence.replace("{}", "-b", 1)
    assert verdicts(first.replace("{}", "-b")) == ["proved"] * right
    exchanged = verdicts(second.replace("{}", "b"))
    assert "proved" not in exchanged and exchanged.count("refuted") >= wrong


def test_what_is_supposed_behind_what_is_let_may_hold_on() -> None:
    text = "Let $s, h \\in \\mathbb{R}$.\n\nSuppose that $s$ is negative.\n\n" + "Words.\n\n" * 3
    assert verdicts(text + "We have $\\max(s, -s) = -s$.") == ["unproved"]
    assert verdicts(text + "We have $\\max(s, -s) = -2 s$.") == ["refuted"]


def test_two_equations_under_one_case() -> None:
    for text in (
        "For $b < 0$ we have $|b| = -b$ and $2 |b| = -2 b$.",
        "We have $|b| = -b$ and $2 |b| = -2 b$ for $b < 0$.",
    ):
        assert verdicts(text) == ["proved", "proved"]


def test_one_bound_or_another() -> None:
    assert verdicts("If $x > 0$ or $x < 1$, then $|x - x^2| = x - x^2$.") == ["unproved"]


def test_what_is_so_in_one_of_several_cases() -> None:
    text = "For $x > 2$ we have $|x| = x$. For $0 < x < 1$ we have $|x| = x$.\n\n"
    row = sa.check(text + "We have $|x - 1| + x = 2 x - 1$.\n", corrections=False).rows[2]
    why = "no proof was found: no sample with x > 2 tells the sides apart"
    assert (row.verdict, row.reason) == ("unproved", why)
    assert verdicts(text + "We have $|x - 1| + x = 3 x + 1$.")[2] == "refuted"


def test_two_bounds_of_one_case() -> None:
    assert verdicts("If $x > 0$ and $x < 1$, then $|x - x^2| = x - x^2$.") == ["proved"]


def test_definitions_for_one_case_each() -> None:
    text = "Let $g = x^2$ for $x < 0$, and $h = 2 x$ for $x > 0$. "
    text += "Then $\\sqrt{g} = {}$ and $|h| = {}$."
    right = text.replace("{}", "-x", 1).replace("{}", "h")
    wrong = text.replace("{}", "x", 1).replace("{}", "-h")
    assert verdicts(right)[2:] == ["proved", "proved"]
    assert verdicts(wrong)[2:] == ["refuted", "refuted"]


@pytest.mark.parametrize(
    "case",
    [
        "We have $|x| = x$ if $x > 0$.",
        "For $x \\in (0, 1)$ we have $|x| = x$.",
        "In the case $x \\in (0, 1)$, we get\n\n$$|x| = x.$$",
    ],
)
def test_a_sign_of_one_case_is_none_of_the_text(case: str) -> None:
    found = verdicts(f"We have $\\sqrt{{x^6}} = x^3$.\n\n{case}")
    assert found[0] in ("conditional", "unproved") and found[1] == "proved"
    assert verdicts(f"Let $x \\in \\mathbb{{R}}$. Then $|x| = x$.\n\n{case}")[0] == "refuted"


def test_a_case_below_zero_of_what_is_positive_else() -> None:
    text = "Here $x > 1$.\n\nThen $\\frac{|x|}{x} + x = 1 + x$ whenever $x \\in (-\\infty, 0)$.\n"
    assert verdicts(text) == ["refuted"]
    assert verdicts("Here $x > 1$.\n\nThen $\\frac{|x|}{x} + x = 1 + x$.") == ["proved"]


def test_a_bound_that_is_not_assumed_leaves_a_sign_open() -> None:
    text = "Consider $a \\in \\mathbb{R}$. Neither $0 < a < 1$ nor anything else is assumed.\n\n"
    assert verdicts(text + "$$|a + 1| + a = 1 + 2 a$$")[-1] == "unproved"


def test_an_equation_for_all_numbers_is_of_no_case_before_it() -> None:
    text = "If $x \\in (0, 1)$, then\n\n$$|x| = x.$$\n\n"
    found = verdicts(text + "For $x \\in \\mathbb{R}$ we have $3 |x| = 3 x$.\n")
    assert found[0] == "proved" and found[1] != "proved"
