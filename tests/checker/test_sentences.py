"""Equations in sentences: they define, they state, they are checked; and they spoil nothing."""

from __future__ import annotations

import pytest

from symattn.checker import Report, check


def rows(text: str) -> list[tuple[int, str]]:
    """Line and verdict of every formula."""
    return [(r.line, r.verdict) for r in check(text, corrections=False)]


def last(text: str) -> str:
    return check(text, corrections=False).rows[-1].verdict


FREE = r"""The sum is $$ Z = \sum_n e^{-\beta E_n} $$ and the weights are
$$ p_n = \frac{e^{-\beta E_n}}{Z}, \qquad U = \sum_n p_n E_n. $$
The free energy is $F = -\frac{1}{\beta} \ln Z$ and the entropy $S = -\sum_n p_n \ln p_n$, hence
"""


def test_a_sentence_defines_and_no_later_display_proves_itself() -> None:
    assert last(FREE + r"$$ F = U - \frac{1}{\beta} S. $$") == "proved"
    wrong = check(FREE + r"$$ F = U + \frac{1}{\beta} S. $$").rows[-1]
    assert wrong.verdict == "refuted"
    assert wrong.correction


@pytest.mark.parametrize(
    ("given", "verdict"), [(r"with $\sum_k p_k = 1$", "proved"), ("with any $p$", "refuted")]
)
def test_what_the_words_give_is_taken_for_true(given: str, verdict: str) -> None:
    claim = (
        r"$$ \sum_k p_k \left(x_k - \sum_j p_j x_j\right)^2 = "
        r"\sum_k p_k x_k^2 - \left(\sum_k p_k x_k\right)^2 $$"
    )
    assert last(f"For numbers {given},\n{claim}\n") == verdict


def test_a_fact_that_definitions_refute_is_no_fact() -> None:
    text = r"""$$ A_{ij} = \frac{e^{S_{ij}}}{\sum_k e^{S_{ik}}} $$ with $\sum_j A_{ij} = 2$ and so
$$ \sum_{j} A_{ij} = 4 - 2. $$"""
    assert [v for _, v in rows(text)] == ["definition", "refuted", "refuted"]


def test_numbers_in_sentences() -> None:
    found = check(r"The rest is $2.718/11.107 \approx 0.245$ and $1/11.107 \approx 0.080$.")
    assert [r.verdict for r in found] == ["proved", "refuted"]
    assert found.rows[1].correction == "0.090"


@pytest.mark.parametrize(
    "words",
    [
        "If $x_i = y_i$ then nothing moves.",
        "Set $n = 4$, for $i = 1, \\dots, n$.",
        "It costs $5 and then $6, and a = b.",
        "```\n$x = y$\n```",
        "<!-- $x = y + 1$ -->",
    ],
)
def test_what_is_no_claim(words: str) -> None:
    assert not rows(words)


def test_a_formula_in_words_spoils_no_display() -> None:
    text = "$$ y_i = \\sum_j W_{ij} x_j $$ where $W = 3 x_i$ and $y = [1, 2$."
    assert rows(text)[0] == (1, "definition")


def counted(size: str) -> Report:
    return check(
        r"With $\tilde y_k = (1-\epsilon) y_k + \epsilon / " + size + r"$ and $\sum_k y_k = 1$,"
        "\n" + r"$$ \sum_k \tilde y_k = 1. $$",
        corrections=False,
    )


def test_a_letter_for_the_number_of_values() -> None:
    found = counted("C").rows[-1]
    assert found.verdict == "conditional" and "C = n_k" in found.reason
    assert counted("2").rows[-1].verdict == "refuted"


def test_an_inverse_is_that_of_its_matrix() -> None:
    given = r"Let $U\in\mathbb{R}^{n\times k}$ and $V\in\mathbb{R}^{k\times n}$." + "\n"
    right = r"$$ (I + UV)^{-1}U = U(I + VU)^{-1} $$"
    assert last(given + right) == "proved"
    for wrong in ("U = -U", "U = 2U"):
        assert last(given + right.replace("U = U", wrong)) not in ("proved", "definition")


def test_candidates_are_read_in_the_notation_of_the_document() -> None:
    text = r"""Let $Q\in\mathbb{R}^{n\times d}$, $K\in\mathbb{R}^{m\times d}$ and
$$ S = \frac{QK^\top}{\sqrt{d}}. $$
$$ \frac{\partial \mathcal{L}}{\partial Q} = \frac{\partial \mathcal{L}}{\partial S} K $$"""
    found = check(text).rows[-1]
    assert found.verdict == "refuted"
    assert found.correction == (r"\frac{1}{\sqrt{d}} \frac{\partial \mathcal{L}}{\partial S} K")


HAT = r"""Let $X \in \mathbb{R}^{n\times p}$ and $\lambda > 0$ in
$H = X (X^\top X + \lambda I)^{-1} X^\top$.
"""


@pytest.mark.parametrize(
    ("words", "verdict"),
    [
        (r"One might think that $$ H^2 = H. $$", "skipped"),
        (r"It is wrong that $$ H = H^\top. $$", "unproved"),
        (r"Thus $$ H^2 = H. $$", "refuted"),
    ],
)
def test_what_the_words_deny_is_no_alarm(words: str, verdict: str) -> None:
    found = check(HAT + words, corrections=False).rows[-1]
    assert found.verdict == verdict
    assert ("the words deny it" in found.reason) == (verdict != "refuted")


def test_what_a_sentence_denies_is_not_asked() -> None:
    for words in (r"Here $H^2 = H$ is false.", r"Then $H^2 = H$ does not hold."):
        rows = check(HAT + words, corrections=False).rows
        assert [r.verdict for r in rows] == ["definition"]
    assert check(HAT + r"Then $H^2 = H$.", corrections=False).rows[-1].verdict == "refuted"


def test_what_something_satisfies_is_claimed_and_what_is_to_satisfy_is_a_condition() -> None:
    wrong = "\n$$ H X = X - X H. $$\n"
    square = HAT.replace("n\\times p", "n\\times n")
    assert last(square + "The matrix satisfies" + wrong) == "refuted"
    assert last(square + "We look for a matrix that satisfies" + wrong) == "unproved"


@pytest.mark.parametrize(
    ("words", "alarm"),
    [
        ("in parallel", False),
        ("in parallel $S = 1$, hence", False),
        ("otherwise", False),
        ("in vacuum", False),
        ("in other words", True),
        ("in components", True),
        ("so that", True),
    ],
)
def test_words_between_two_equations_may_speak_of_another_thing(words: str, alarm: bool) -> None:
    text = rf"Resistors in series have $R = a + b$, {words} $R^2 = a^2 + b^2$."
    assert (last(text) == "refuted") is alarm
    assert last(text.replace("a^2 + b^2", "(a + b)^2")) in ("proved", "definition")


def test_what_is_wrong_to_write_is_what_comes_next() -> None:
    text = """
$$ y_i = 2 x_i $$

$$ \\sum_i y_i = 2 \\sum_i x_i $$

It is wrong to write

$$ \\sum_i y_i = 3 \\sum_i x_i $$
"""
    assert [verdict for _, verdict in rows(text)] == ["definition", "proved", "unproved"]


def test_at_a_temperature_that_is_made_of_others() -> None:
    text = r"""
Levels $E_i$ at inverse temperature $\beta = 1/(k T)$ have

$$ Z = \sum_i e^{-\beta E_i} $$

$$ F = -k T \log Z $$

$$ F = -\frac{1}{\beta} \log Z $$
"""
    assert [verdict for _, verdict in rows(text)][-1] == "proved"
    assert [v for _, v in rows(text.replace("(k T)", "(2 k T)"))][-1] != "proved"
    point = text.replace(r"$\beta = 1/(k T)$", r"$\beta = \beta_c$")  # one value of many
    assert [verdict for _, verdict in rows(point)][-1] != "proved"
