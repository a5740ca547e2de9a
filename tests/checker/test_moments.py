"""Expectations and variances of what nothing specifies: identities, and slips in them."""

from __future__ import annotations

import pytest

from symattn.checker import check
from symattn.checker.report import Row

HEAD = "Let $X$ and $Y$ be random variables, $a$ and $b$ numbers.\n\n"


def row(latex: str, head: str = HEAD, corrections: bool = False) -> Row:
    return check(f"{head}$$ {latex} $$\n", corrections=corrections).rows[-1]


@pytest.mark.parametrize(
    "latex",
    [
        r"\mathbb{E}[a X + b] = a \mathbb{E}[X] + b",
        r"\mathrm{Var}(X) = \mathbb{E}[X^2] - \mathbb{E}[X]^2",
        r"\operatorname{Var}(a X + b) = a^2 \operatorname{Var}(X)",
        r"\mathrm{Var}(X - Y) = \mathrm{Var}(X) + \mathrm{Var}(Y) - 2 \mathrm{Cov}(X, Y)",
        r"\mathrm{Cov}(X, Y) = \mathbb{E}\left[(X - \mathbb{E}[X]) (Y - \mathbb{E}[Y])\right]",
    ],
)
def test_identities_of_any_random_variables_are_proved(latex: str) -> None:
    found = row(latex)
    assert found.verdict == "proved"


@pytest.mark.parametrize(
    ("latex", "right"),
    [
        (r"\mathbb{E}[a X + b] = a \mathbb{E}[X] - b", r"a \mathbb{E}[X] + b"),
        (r"\mathrm{Var}(a X + b) = a \mathrm{Var}(X)", r"a^2 \mathrm{Var}(X)"),
        (
            r"\mathrm{Var}(X - Y) = \mathrm{Var}(X) + \mathrm{Var}(Y) - \mathrm{Cov}(X, Y)",
            r"\mathrm{Var}(X) + \mathrm{Var}(Y) - 2 \mathrm{Cov}(X, Y)",
        ),
        (
            r"\mathrm{Cov}(X, Y) = \mathbb{E}[X Y] + \mathbb{E}[X] \mathbb{E}[Y]",
            r"\mathbb{E}[X Y] - \mathbb{E}[X] \mathbb{E}[Y]",
        ),
    ],
)
def test_a_slip_is_refuted_by_a_distribution_that_breaks_it(latex: str, right: str) -> None:
    found = row(latex, corrections=True)
    assert (found.verdict, found.correction) == ("refuted", right)


@pytest.mark.parametrize(
    "latex",
    [
        r"\mathbb{E}[X] = 0",
        r"\mathrm{Var}(X) = 1",
        r"\mathbb{E}[X Y] = \mathbb{E}[X] \mathbb{E}[Y]",  # independent
        r"\mathrm{Var}(X + Y) = \mathrm{Var}(X) + \mathrm{Var}(Y)",
        r"\mathbb{E}[f(X)] = f(\mathbb{E}[X])",  # of linear ones
        r"\mathbb{E}_q[a X] = a \mathbb{E}_p[X]",
        r"\mathbb{E}[X \mid Y] = \mathbb{E}[X]",
        r"\mu = \mathbb{E}[X]",
        r"\mathbb{E}[X Y] = X \mathbb{E}[Y]",  # one is random, and one is not
        r"\mathrm{Var}(X Y) = X^2 \mathrm{Var}(Y)",
    ],
)
def test_conditions_and_definitions_are_neither_proved_nor_refuted(latex: str) -> None:
    assert row(latex).verdict not in ("proved", "refuted", "malformed")


def test_what_independence_may_excuse_is_not_refuted() -> None:
    latex = r"\mathrm{Cov}(X, Y) = \mathbb{E}[X Y] + \mathbb{E}[X] \mathbb{E}[Y]"
    assert row(latex, "Let $X$ and $Y$ be independent.\n\n").verdict != "refuted"


@pytest.mark.parametrize("words", ["For random variables $x$ and $y$,", "Let $x$ be random."])
def test_what_words_call_random_is_no_number(words: str) -> None:
    latex = r"\mathbb{E}[x y] = x \mathbb{E}[y]"
    assert row(latex, f"{words}\n\n").verdict != "proved"
    said = row(latex, "Let $y$ be random and $x$ a number.\n\n")
    assert said.verdict == "proved" and "x: constant" in said.assumed


def test_what_is_made_of_a_random_name_is_put_into_averages() -> None:
    text = r"""Let $f$ and $g$ be random variables, $c$ a constant and $h = f - c g$.

$$ \mathrm{Var}(h) = \mathrm{Var}(f) + 2 c\, \mathrm{Cov}(f, g) + c^2 \mathrm{Var}(g) $$

$$ \mathrm{Var}(k) = 2 \mathrm{Var}(f) $$
"""
    made, free = [r for r in check(text, corrections=False) if "Var" in r.latex]
    assert made.verdict == "refuted"  # - 2 c Cov(f, g)
    assert free.verdict == "definition"


def test_what_is_undecided_proves_nothing_without_a_word() -> None:
    product = "\\mathbb{E}[X Y] = \\mathbb{E}[X] \\mathbb{E}[Y]"
    variance = "\\operatorname{Var}(X + Y) = \\operatorname{Var}(X) + \\operatorname{Var}(Y)"
    text = f"Let $X$ and $Y$ be random.\n\n$$ {product} $$\n\n$$ {variance} $$"
    row = check(text, corrections=False).rows[-1]
    assert (row.verdict, row.reason) == ("conditional", "true with what line 3 says")
    free = text.replace("be random", "be independent")
    assert check(free, corrections=False).rows[-1].verdict == "proved"


def test_a_claim_on_the_average_of_what_is_defined_defines_nothing():
    text = r"""Let $X_1, \dots, X_n$ be i.i.d. with mean $\mu$ and variance $\sigma^2$, and
$\bar X = \frac1n \sum_{i=1}^n X_i$.

$$ \mathrm{Var}(\bar X) = FIRST $$

$$ \mathrm{Var}(\bar X) = SECOND $$
"""
    one, other = r"\frac{\sigma^2}{n}", r"\frac{\sigma^2}{n^2}"
    for first, second in ((one, other), (other, one)):
        shown = text.replace("FIRST", first).replace("SECOND", second)
        said = {r.latex: r.verdict for r in check(shown, corrections=False).rows}
        assert said[rf"\mathrm{{Var}}(\bar X) = {one}"] == "proved"
        assert said[rf"\mathrm{{Var}}(\bar X) = {other}"] == "refuted"
        free = shown.replace("be i.i.d. with mean", "have the mean")
        said = {r.verdict for r in check(free, corrections=False).rows if "Var" in r.latex}
        assert said <= {"unproved", "skipped"}


def test_what_is_claimed_of_a_moment_is_no_definition_of_it():
    rows = check(
        r"""Let $X \sim \mathcal{N}(\mu, \sigma^2)$.

$$ \mathbb{E}[X^3] = \mu^3 $$

$$ \mathbb{E}[X^3] = \mu^3 + 3 \mu \sigma^2 $$

$$ 2 \mathbb{E}[X^3] = 2 \mu^3 $$
""",
        corrections=False,
    ).rows
    assert [r.verdict for r in rows] == ["refuted", "proved", "refuted"]
    assert [r.used for r in rows if "line 3" in " ".join(r.used)] == []


@pytest.mark.parametrize(
    ("law", "mean", "spread"),
    [
        (
            r"$X_1, \dots, X_n$ be independent with mean $\mu$ and variance $\sigma^2$",
            "proved",
            "proved",
        ),
        (r"$X_1, X_2, \ldots, X_n$ have mean $\mu$ and variance $\sigma^2$", "proved", "skipped"),
        (r"$X_1, \dots, X_n \sim \mathcal{N}(\mu, \sigma^2)$ be independent", "proved", "proved"),
        (
            r"$X_1, \dots, X_n$ be independent with means $\mu_1, \dots, \mu_n$",
            "unproved",
            "unproved",
        ),
    ],
)
def test_what_is_listed_with_dots_has_the_law_of_each(law: str, mean: str, spread: str) -> None:
    text = rf"""Let {law}, and $S = \sum_{{i=1}}^n X_i$.

$$ \mathbb{{E}}[S] = n \mu $$

$$ \mathrm{{Var}}(S) = n \sigma^2 $$
"""
    said = {r.latex: r.verdict for r in check(text, corrections=False).rows}
    assert said[r"\mathbb{E}[S] = n \mu"] == mean
    assert said[r"\mathrm{Var}(S) = n \sigma^2"] == spread


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        ("be independent", "refuted"),
        ("be independent with the same mean", "unproved"),
        ("be independent, each symmetric about zero", "unproved"),
        ("be uncorrelated and centred", "unproved"),
    ],
)
def test_a_slip_in_averages_of_one_thing_each(words: str, expected: str) -> None:
    found = row(
        r"\mathbb{E}[X - Y] = \mathbb{E}[X] + \mathbb{E}[Y]", f"Let $X$ and $Y$ {words}.\n\n"
    )
    assert found.verdict == expected


def test_what_a_text_has_of_an_average_further_down_proves_nothing_before() -> None:
    text = r"The random variables $X$ and $Y$ are independent. "
    claim = r"We have $\operatorname{Cov}(X, Y) = E[X^2 Y]$."
    rows = check(f"{text}{claim} We have $E[Y] = 0$.", corrections=False).rows
    assert rows[0].verdict == "conditional"
    rows = check(f"{text}Let $E[Y] = 0$. {claim}", corrections=False).rows
    assert rows[-1].verdict == "proved"
