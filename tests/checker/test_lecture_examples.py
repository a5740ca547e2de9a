r"""Examples of a lecture: one name is another function in each, with its own derivative."""

from __future__ import annotations

import pytest

import symattn as sa


def verdicts(text: str) -> list[str]:
    return [r.verdict for r in sa.check(text, corrections=False).rows]


EXAMPLES = r"""
**Example 1.** Let $f(x) = x^2 \sin x$. By the product rule $f'(x) = 2x \sin x + x^2 \cos x$.

**Example 2.** Let $f(x) = \frac{x}{1 + x^2}$. By the quotient rule

$$f'(x) = \frac{1 - x^2}{(1 + x^2)^2}.$$

**Example 3.** If $f(x) = \ln(1 + e^x)$ then $f'(x) = \frac{e^x}{1 + e^x}$.
"""
SEVERAL = r"""
**Example 4.** Let $f(x, y) = e^{xy}$. Then it is no function of $x$ alone.
"""


def test_each_example_has_its_own_function() -> None:
    assert verdicts(EXAMPLES)[1::2][:3] == ["proved"] * 3
    wrong = EXAMPLES.replace(r"(1 + x^2)^2", r"1 + x^2").replace(r"2x \sin x +", r"2x \cos x +")
    assert verdicts(wrong)[1::2][:3] == ["refuted", "refuted", "proved"]
    assert "refuted" not in verdicts(EXAMPLES + SEVERAL)


def test_every_if_of_a_list_gives_a_function_of_its_own() -> None:
    text = (
        "- If $y = x^3$, then $\\frac{dy}{dx} = 3x^2$.\n"
        "- If $y = \\sin(2x)$, then $\\frac{dy}{dx} = 2\\cos(2x)$.\n"
        "- If $y = e^{-x^2}$, then $\\frac{dy}{dx} = 2x y$.\n"
    )
    assert verdicts(text)[1::2] == ["proved", "proved", "refuted"]
    applied = (
        "If $f(x) = x^n$ then $f'(x) = n x^{n-1}$. If $f(x) = \\sin x$ then $f'(x) = \\cos x$. "
        "If $f(x) = e^{kx}$ then $f'(x) = e^{kx}$."
    )
    assert verdicts(applied)[1::2] == ["proved", "proved", "refuted"]


def test_an_if_that_gives_no_derivative_is_a_condition() -> None:
    text = "The loss is $L = a x^2$. If $L = a x$ then $x = 1$ and $\\frac{dL}{dx} = a$."
    assert "proved" not in verdicts(text)


@pytest.mark.parametrize(
    ("text", "right"),
    [
        (r"Let $y = x^x$ and $u = a^x$. Then $\frac{dy}{dx} = x^x SLOPE$.", r"(1 + \ln x)"),
        (r"Let $y = x^{\sin x}$. Then $\frac{dy}{dx} = SLOPE$.",
         r"y (\cos x \ln x + \frac{\sin x}{x})"),
        (r"For $f(x) = b^x$ and $g(x) = \log_b x$ we have $g'(x) = SLOPE$.", r"\frac{1}{x \ln b}"),
        (r"For $u(c) = \ln c$ we have $\frac{c u''(c)}{u'(c)} = SLOPE$.", "-1"),
    ],
)  # fmt: skip
def test_powers_of_letters_and_logarithms_to_a_letter(text: str, right: str) -> None:
    assert verdicts(text.replace("SLOPE", right))[-1] == "proved"
    assert verdicts(text.replace("SLOPE", f"2 {right.replace('-', '+')}"))[-1] == "refuted"


def test_a_letter_above_another_one_is_an_index_still() -> None:
    text = (
        "<!-- symattn: sizes x:(n) A:(n,n) -->\n$$ y^i = A^{ij} x^j $$\n\n$$ y^i = x^j A^{ij} $$\n"
    )
    assert verdicts(text) == ["definition", "proved"]


FIRST = r"Let $A = \begin{pmatrix} 1 & 2 \\ 3 & 4 \end{pmatrix}$. Then $\det A = -2$."
TURNED = r"\begin{pmatrix} \cos\theta & -\sin\theta \\ \sin\theta & \cos\theta \end{pmatrix}"


def test_values_end_where_a_name_is_given_anew() -> None:
    behind = rf"Let $A = {TURNED}$. Then $A^\top A = I$."
    assert verdicts(f"{FIRST}\n\n{behind}") == ["definition", "proved", "definition", "proved"]
    wrong = behind.replace(r"A^\top A", "A A")
    assert verdicts(f"{FIRST}\n\n{wrong}")[-1] != "proved"


def test_a_name_that_words_take_for_any_of_a_kind_is_not_what_it_was() -> None:
    orthogonal = r"Let $A$ be orthogonal. Then $A^\top A = I$."
    assert verdicts(f"{FIRST}\n\n{orthogonal}")[-1] not in ("proved", "refuted")
    gram = r"Let $A = B^\top B$. Then $A^\top = A$."
    assert verdicts(gram)[-1] == "proved"
    for words, verdict in (
        ("Let $A$ be a square matrix. Then", "skipped"),
        ("For any matrix $A$ we have $2 A = A + A$ and", "skipped"),
        ("Let $A$ be the matrix above. Then", "proved"),
    ):
        assert verdicts(rf"{gram} {words} $A = A^\top$.")[-1] == verdict


def test_what_a_thing_comes_to_is_a_name() -> None:
    text = (
        "The temperature is $T = T_\\infty + (T_0 - T_\\infty) e^{-k t}$, so\n\n"
        "$$ \\frac{dT}{dt} = -k (T - T_\\infty) $$\n\n$$ \\frac{dT}{dt} = -k (T - T_0) $$\n"
    )
    assert verdicts(text) == ["definition", "proved", "refuted"]
    (row,) = (r for r in sa.check(text).rows if r.verdict == "refuted")
    shown = row.correction.replace(r"T_{\infty}", r"T_\infty")
    assert shown in (r"-k (T - T_\infty)", r"-k e^{-k t} \left(T_0 - T_\infty\right)")


def test_a_primed_name_is_of_what_was_said_before_it() -> None:
    text = "Let $y = x^{2}$. Then $y' = 2x$. Let $y = x^3$. Then $y' = 2x$."
    assert verdicts(text)[-1] == "conditional"
    assert verdicts(text.replace("$y = x^3$", "$u = x^3$"))[-1] == "proved"


@pytest.mark.parametrize(
    ("words", "given", "slope"),
    [
        ("Now let", ["definition", "proved"], "3 x^2"),
        ("**Example 2.** Let", ["definition", "refuted"], "x^2"),
        ("Next take the cubic, whose slope is simple:", ["definition", "proved"], "3 x^2"),
        ("As another example, consider the function", ["definition", "refuted"], "x^2"),
        ("So we have", ["definition", "conditional"], "3 x^2"),
        ("Take the root of both sides:", ["refuted", "refuted"], "x^2"),
        ("Consider the form", ["refuted", "refuted"], "x^2"),
        ("Let $b > 0$. This is", ["refuted", "refuted"], "x^2"),
        ("Let $b > 0$, so that", ["refuted", "refuted"], "x^2"),
        ("Let $b = 2$ and let", ["definition", "refuted"], "x^2"),
    ],
)
def test_words_that_give_a_name_to_another_function(words, given, slope) -> None:
    first = "Consider\n\n$$f(x) = x^2 + a.$$\n\n"
    second = f"{words}\n\n$$f(x) = x^3 + a.$$\n\nThen $f'(x) = {slope}$.\n"
    assert verdicts(first + second)[1:] == given


def test_a_function_of_a_display_and_of_a_sentence() -> None:
    text = (
        "We begin with\n\n$$h(x) = \\arctan x.$$\n\n"
        "Its derivative is\n\n$$h'(x) = \\frac{1}{1 + x^2}.$$\n\n"
        "Consider $h(x) = x^x$. Then\n\n$$\\frac{dh}{dx} = x^x (\\log x + 1).$$\n"
    )
    assert verdicts(text) == ["definition", "proved", "definition", "proved"]
    wrong = text.replace("+ 1)", "- 1)")
    assert verdicts(wrong) == ["definition", "proved", "definition", "refuted"]


def test_a_primed_name_is_another_one_behind_another_of_what_it_derives() -> None:
    text = "Let $y = x^2$. Then $y' = 2 x$. Let $y = x^3$. Then $y' = 3 x^2$."
    assert verdicts(text) == ["definition"] * 4
    sloped = text.replace("Then", "Then the slope is")
    assert verdicts(sloped) == ["definition", "proved"] * 2
    assert verdicts(sloped.replace("3 x^2", "3 x"))[-1] == "refuted"


def test_a_value_is_of_the_last_function_given() -> None:
    text = (
        "Let $h(x) = \\cos(x^2 + 1)$. Then $h'(x) = -2 x \\sin(x^2 + 1)$.\n\n"
        "Consider $h(x) = e^{-a x} \\sin x$. In particular, $h'(0) = 1$ and "
        "$h(1) = e^{-a} \\sin 1$.\n"
    )
    assert verdicts(text) == ["definition", "proved", "definition", "proved", "proved"]
    wrong = text.replace("h'(0) = 1", "h'(0) = 0").replace("e^{-a} \\sin 1", "e^{-2 a} \\sin 1")
    assert verdicts(wrong)[3:] == ["refuted", "refuted"]


def test_displays_put_into_the_last_function_announced() -> None:
    text = (
        "Let\n\n$$F(x) = e^{-2 x}.$$\n\nThen\n\n$$F'(x) = -2 e^{-2 x}.$$\n\n"
        "Example 2: take\n\n$$F(x) = e^{-4 x} \\sin x.$$\n\n"
        "Thus\n\n$$F(x^2) = e^{-4 x^2} \\sin x^2.$$\n\n"
        "In particular,\n\n$$F'(2) = e^{-8} (\\cos 2 - 4 \\sin 2).$$\n"
    )
    right = ["definition", "proved"]
    assert verdicts(text) == [*right, "definition", "proved", "proved"]
    wrong = text.replace("e^{-4 x^2}", "e^{-2 x^2}").replace("4 \\sin 2", "2 \\sin 2")
    assert verdicts(wrong) == [*right, "definition", "refuted", "refuted"]
