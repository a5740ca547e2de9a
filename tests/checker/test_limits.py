"""Limits: each rule beside what it must not prove."""

from __future__ import annotations

import pytest

from symattn.checker import check

HEAD = r"""
<!-- symattn: scalars T; positive T; sizes S:(n) E:(n) V:(n,d) -->
$$ A^j = \frac{\exp(S^{j}/T)}{\sum_k \exp(S^{k}/T)} $$

$$ O^b = A^j V^{jb} $$

$$ F = -T \log \sum_j e^{-E_j/T} $$

"""
HARD = r"\begin{cases} 1 & \text{if } j = \arg\max_k S^k \\ 0 & \text{otherwise} \end{cases}"
SOFT = r"\begin{cases} 1 & \text{if } j = \arg\min_k S^k \\ 0 & \text{otherwise} \end{cases}"

VERDICTS = [
    (r"\lim_{T \to \infty} A^j = \frac{1}{n}", "proved"),
    (r"\lim_{T \to \infty} A^j = \frac{1}{d}", "refuted"),
    (r"\lim_{T \to \infty} O^b = \frac{1}{n} \sum_j V^{jb}", "proved"),
    (r"\lim_{T \to \infty} O^b = \sum_j V^{jb}", "refuted"),
    (r"\lim_{T \to \infty} \left( - \sum_j A^j \log A^j \right) = \log n", "proved"),
    (r"\lim_{T \to \infty} \left( - \sum_j A^j \log A^j \right) = n", "refuted"),
    (rf"\lim_{{T \to 0}} A^j = {HARD}", "conditional"),
    (rf"\lim_{{T \to 0}} A^j = {SOFT}", "refuted"),
    (r"\lim_{T \to 0} \sum_j A^j A^j = 1", "conditional"),
    (r"\lim_{T \to 0} \sum_j A^j A^j = 2", "refuted"),
    (r"\lim_{T \to 0} \sum_j A^j S^j = \max_j S^j", "conditional"),
    (r"\lim_{T \to 0} \left( - \sum_j A^j \log A^j \right) = 0", "unproved"),
    (r"\lim_{T \to 0^+} F = \min_j E_j", "proved"),
    (r"\lim_{T \to 0^+} F = \max_j E_j", "refuted"),
    (r"\lim_{T \to 0} T \log \sum_j e^{S^j/T} = \max_j S^j", "proved"),
    (r"\max_j S^j = \lim_{T \to 0} T \log \sum_j e^{S^j/T}", "proved"),
    (r"\lim_{T \to 0} \left( T \log \sum_j e^{S^j/T} + T \log T \right) = \max_j S^j", "unproved"),
    (r"\lim_{T \to 0} \log \sum_j e^{S^j/T} = \max_j S^j", "unproved"),
    (r"\lim_{d \to \infty} \frac{4 d + 6}{d} = 4", "proved"),
    (r"\lim_{h \to 0} \frac{2 u h + h^2}{h} = \lim_{h \to 0} (2 u + h)", "proved"),
    (r"\lim_{h \to 0} \frac{(u + h)^2 - u^2}{h} = \lim_{g \to 0} (2 u - 3 g)", "proved"),
    (r"\lim_{h \to 0} \frac{(u + h)^2 - u^2}{h} = \lim_{h \to 0} (3 u + h)", "refuted"),
    (r"\lim_{h \to 0} \frac{\sin h}{h} = \lim_{h \to 0} \cos h", "proved"),
    (r"\lim_{h \to 0} \frac{\sin h}{h} = \lim_{h \to 1} \cos h", "refuted"),
    (r"\lim_{T \to 0} O^b = \lim_{T \to \infty} O^b", "skipped"),
    (r"\lim_{d \to \infty} \frac{4 d + 6}{d} = 5", "refuted"),
    (r"\lim_{n \to \infty} \frac1n \sum_j S^j = 0", "unproved"),
]


@pytest.mark.parametrize(("latex", "verdict"), VERDICTS)
def test_limits(latex: str, verdict: str) -> None:
    row = check(f"{HEAD}$$ {latex} $$", timeout=None, corrections=False).rows[-1]
    assert (row.kind, row.verdict) == ("limit", verdict), row.reason


QUOTIENTS = [  # of a function that nothing defines
    (r"\frac{df(x)}{dx} = \lim_{h \to 0} \frac{f(x + h) - f(x)}{h}", "proved"),
    (r"\frac{df(x)}{dx} = \lim_{h \to 0} \frac{f(x + h) - f(x - h)}{2h}", "proved"),
    (r"\frac{df(x)}{dx} = \lim_{h \to 0} \frac{f(x + h) - f(x - h)}{h}", "not proved"),
    (r"\frac{df(x)}{dx} = \lim_{h \to 0} \frac{f(x) - f(x + h)}{h}", "not proved"),
    (r"\frac{df(x)}{dx} = \lim_{h \to 0} \frac{f(x + h) - f(x)}{h^2}", "not proved"),
    (r"\frac{df(x)}{dx} = \lim_{h \to 0} \frac{f(x + h) + f(x)}{h}", "not proved"),
    (
        r"\frac{d^2f(x)}{dx^2} = \lim_{h \to 0} \frac{f(x + h) - 2 f(x) + f(x - h)}{h^2}",
        "proved",
    ),
    (
        r"\frac{d^2f(x)}{dx^2} = \lim_{h \to 0} \frac{f(x + h) - 2 f(x) + f(x - h)}{2h^2}",
        "not proved",
    ),
]


@pytest.mark.parametrize(("latex", "verdict"), QUOTIENTS)
def test_quotients_of_differences(latex: str, verdict: str) -> None:
    row = check(f"$$ {latex} $$", timeout=None, corrections=False).rows[-1]
    assert row.kind == "limit"
    assert (row.verdict == "proved") == (verdict == "proved"), row.reason


@pytest.mark.parametrize(
    ("latex", "proved"),
    [
        (r"\lim_{u \to 0} \frac{\log(1 + a_i u)}{u} = a_i", True),
        (r"\lim_{u \to 0} \frac{\log(1 + a_i u)}{u} = 2 a_i", False),
        (r"\lim_{u \to 0} \frac{e^{a_i u} - 1 - a_i u}{u^2} = \frac{a_i^2}{2}", True),
        (r"\lim_{u \to 0} \frac{e^{a_i u} - 1 - a_i u}{u^2} = a_i^2", False),
        (r"\lim_{u \to 1} \frac{e^{a_i u} - e^{a_i}}{u - 1} = a_i e^{a_i}", True),
        (r"\lim_{u \to 1} \frac{e^{a_i u} - e^{a_i}}{u - 1} = e^{a_i}", False),
        (r"\lim_{u \to 0} \frac{|a_i + u| - |a_i|}{u} = 1", False),
        (r"\lim_{u \to 0} \frac{\max(0, u a_i)}{u} = 0", False),
    ],
)
def test_quotients_of_components(latex: str, proved: bool) -> None:
    head = "<!-- symattn: scalars u; sizes a:(n) -->\n"
    row = check(f"{head}$$ {latex} $$", timeout=None, corrections=False).rows[-1]
    assert (row.verdict == "proved") is proved, row.reason


def test_the_condition_is_said() -> None:
    row = check(f"{HEAD}$$ \\lim_{{T \\to 0}} A^j = {HARD} $$", corrections=False).rows[-1]
    assert row.reason == "true only if the largest value is unique"


def test_a_jump_at_the_end_is_not_continuous() -> None:
    text = "<!-- symattn: scalars T a; positive T -->\n\n$$ \\lim_{T \\to 0} \\max(T, a - a) = 1 $$"
    assert check(text, corrections=False).rows[-1].verdict != "proved"


def test_the_words_before_are_not_the_formulas_before() -> None:
    """The end of a formula far above is no sentence, though it holds the word if."""
    filler = f"$$ \\lim_{{T \\to 0}} A^j = {HARD} $$\n\n" * 4
    text = f"{HEAD}{filler}$$ \\lim_{{T \\to 0^+}} F = \\max_j E_j $$"
    assert check(text, timeout=None, corrections=False).rows[-1].verdict == "refuted"


def test_an_index_goes_to_no_limit() -> None:
    text = "Let $q \\in \\mathbb{R}^m$.\n\n"
    text += "$$ \\lim_{n\\to\\infty} \\left(1 + \\frac{q}{n}\\right)^n = 1 $$"
    assert check(text, corrections=False).rows[-1].verdict == "skipped"


@pytest.mark.parametrize(
    ("limit", "verdict"),
    [
        (r"\lim_{x \to 0} \frac{|x|}{x} = 1", "conditional"),
        (r"\lim_{x \to 0^+} \frac{|x|}{x} = 1", "proved"),
        (r"\lim_{x \to 0^-} \frac{|x|}{x} = -1", "proved"),
        (r"\lim_{x \to 0^-} \frac{|x|}{x} = 1", "refuted"),
        (r"\lim_{x \to 0} \tanh(1/x) = 1", "conditional"),
        (r"\lim_{x \to 0} e^{-1/x} = 0", "conditional"),
        (r"\lim_{x \to 0} e^{-1/x^2} = 0", "proved"),
        (r"\lim_{x \to 0} \frac{\max(x, 0)}{x} = 1", "conditional"),
        (r"\lim_{x \to 0} x \log x = 0", "proved"),  # which has one side only
    ],
)
def test_a_limit_is_one_from_either_side(limit, verdict):
    found = check(f"$$ {limit} $$", corrections=False).rows[0]
    assert found.verdict == verdict
    assert verdict != "conditional" or found.reason == "true only if x > 0"


@pytest.mark.parametrize(
    ("words", "body", "expected"),
    [
        (r"For $n \to \infty$ we find", r"\frac{n}{2} \sin\frac{1}{n} = 2", "refuted"),
        (r"In the limit $n \to \infty$ it becomes", r"\frac{n}{2} \sin\frac{1}{n} = 2", "refuted"),
        (r"For $a \to 0$ we find", r"\frac{n}{2 + a} \sin\frac{1}{n} = \frac12", "skipped"),
        (r"For $n \to 0$ we find", r"\frac{n}{2} \sin\frac{1}{n} = 2", "unproved"),
    ],
)
def test_words_that_say_what_the_limit_says_state_no_condition(words, body, expected):
    (row,) = check(f"{words}\n\n$$ \\lim_{{n\\to\\infty}} {body} . $$\n", corrections=False).rows
    assert row.verdict == expected
