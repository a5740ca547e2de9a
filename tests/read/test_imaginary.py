"""The imaginary unit is no real number: what rests on it is decided by i² = −1, and has no size."""

from __future__ import annotations

import pytest

import symattn as sa
from symattn.read.macros import package


def verdicts(text):
    return [r.verdict for r in sa.check(text, corrections=False).rows]


def display(*lines):
    return "\n\n".join(f"$$ {line} $$" for line in lines)


@pytest.mark.parametrize(
    ("lines", "last"),
    [
        ((r"z = a + i b", r"z^2 = a^2 - b^2 + 2 i a b"), "proved"),
        ((r"z = a + i b", r"z^2 = a^2 + b^2 + 2 i a b"), "refuted"),
        ((r"z = a + i b", r"|z|^2 = a^2 + b^2"), "proved"),
        ((r"z = a + i b", r"|z|^2 = a^2 - b^2"), "refuted"),
        ((r"z = a + i b", r"|z| = \sqrt{a^2 + b^2}"), "proved"),
        ((r"z = a + i b", r"|z|^2 = z^2"), "refuted"),
        ((r"z = a + i b", r"|z|^2 = z z^*"), "proved"),
        ((r"z = a + i b", r"z - \bar z = 2 i b"), "proved"),
        ((r"z = a + i b", r"z - \bar z = 2 b"), "refuted"),
        ((r"z = a + i b", r"\Re(z^2) = a^2 - b^2"), "proved"),
        ((r"z = a + i b", r"\Re z^2 = a^2"), "unproved"),  # where b = 0
        ((r"z = a + i b", r"\Re z^2 = a^2 + b^2"), "refuted"),
        ((r"z = a + i b", r"\operatorname{Im} z^3 = 3 a^2 b - b^3"), "proved"),
        ((r"z = a + i b", r"\operatorname{Im}\{z^3\} = 3 a^2 b + b^3"), "refuted"),
        ((r"z = a + i b", r"\frac{\partial |z|}{\partial a} = 2 a"), "unproved"),
        ((r"z = a + i b", r"x = |z|", r"\sqrt{x^2} = x"), "proved"),
        ((r"f(s) = \frac{1}{s + a}", r"|f(j w)| = \frac{1}{\sqrt{w^2 + a^2}}"), "proved"),
        ((r"f(s) = \frac{1}{s + a}", r"|f(j w)| = \frac{1}{w^2 + a^2}"), "refuted"),
        ((r"f(s) = \frac{s b}{1 + s b}", r"|f(j w)| = \frac{w b}{\sqrt{1 + w^2 b^2}}"), "unproved"),
        ((r"f(s) = \frac{s b}{1 + s b}", r"|f(j w)| = \frac{|w b|}{\sqrt{1 + w^2 b^2}}"), "proved"),
        ((r"f(s) = \frac{1}{s + a}", r"\Im f(j w) = -\frac{w}{w^2 + a^2}"), "proved"),
        ((r"f(s) = \frac{1}{s + a}", r"\Im f(j w) = \frac{w}{w^2 + a^2}"), "refuted"),
        ((r"z = a + i b", r"w = 2 z", r"|w|^2 = w^2"), "refuted"),
        ((r"z = a + i b", r"w = 2 z", r"\sqrt{w^2} = w"), "skipped"),
        ((r"E = E_0 e^{i \omega t}", r"|E|^2 = E_0^2"), "proved"),
        ((r"E = E_0 e^{i \omega t}", r"|E|^2 = 2 E_0^2"), "refuted"),
        ((r"f = A e^{i k x}", r"\frac{\partial^2 f}{\partial x^2} = - k^2 f"), "proved"),
        ((r"f = A e^{i k x}", r"\frac{\partial^2 f}{\partial x^2} = k^2 f"), "refuted"),
        ((r"f = A e^{i k x}", r"\frac{\partial f}{\partial x} = i k f"), "proved"),
        ((r"Y = \frac{1}{R + j \omega L}", r"Y (R + j \omega L) = 1"), "proved"),
        ((r"\cos x = \frac{e^{i x} + e^{-i x}}{2}",), "proved"),
        ((r"\sin x = \frac{e^{i x} - e^{-i x}}{2}",), "refuted"),
        ((r"e^{i x} = \cos x + i \sin x",), "proved"),
        ((r"e^{i x} = \cos x - i \sin x",), "refuted"),
        ((r"\frac{1}{a + i b} = \frac{a - i b}{a^2 + b^2}",), "proved"),
        ((r"\frac{1}{a + i b} = \frac{a + i b}{a^2 + b^2}",), "refuted"),
        ((r"a + i b = c + i d",), "unproved"),  # a condition
    ],
)
def test_what_is_made_of_it(lines, last):
    assert verdicts(display(*lines))[-1] == last


@pytest.mark.parametrize(
    ("before", "lines", "last"),
    [  # an interest rate, a letter of a sum, what an equation defines, an index
        ("At an interest rate $i$", (r"v = p (1 + i)", r"v / p = 1 - i"), "refuted"),
        ("At an interest rate $i$", (r"V = P (1 + i)", r"|V|^2 = V^2"), "proved"),
        ("", (r"\sum_{i=1}^n i = \frac{n (n - 1)}{2}",), "refuted"),
        ("Put $i = 0.05$.", (r"v = p (1 + i)", r"v / p = 1 - i"), "refuted"),
        ("", (r"i = u / r", r"p = u i", r"p = u^2 r"), "refuted"),
        ("", (r"y_i = x_i^2", r"|y_i| = 2 x_i^2"), "refuted"),
    ],
)
def test_other_uses_of_the_letter(before, lines, last):
    assert verdicts(f"{before}\n\n{display(*lines)}")[-1] == last


def test_real_parts_are_other_quantities():
    text = r"Let $E = a e^{i x}$. %s $E = a \cos x$."
    found = [verdicts(text % words)[-1] for words in ("Its real part is", "It follows that")]
    assert found[0] == "definition" and found[1] == "refuted"


COMPLEX = r"""With real $\theta$, $x$, $y$ we have

$$ e^{i \theta} = \cos\theta + i \sin\theta $$

and

$$ FORMULA $$
"""


@pytest.mark.parametrize(
    ("formula", "verdict"),
    [
        (r"(x + i y)^2 = x^2 - y^2 + 2 i x y", "proved"),
        (r"(\cos\theta + i \sin\theta)^3 = \cos 3\theta + i \sin 3\theta", "proved"),
        (r"\frac{1}{x + i y} = \frac{x + i y}{x^2 + y^2}", "refuted"),
        (r"(e^{i \theta})^{1/2} = e^{i \theta / 2}", "skipped"),  # not beyond π
        (r"e^{i \theta x} = (e^{i \theta})^x", "skipped"),
        (r"\log((x + i y)^2) = 2 \log(x + i y)", "skipped"),
        (r"\ln e^{i \theta} = i \theta", "skipped"),
        (r"e^{i \theta} \ln(x^2) = 2 e^{i \theta} \ln x", "proved"),
    ],
)
def test_what_has_several_values_is_not_proved(formula: str, verdict: str) -> None:
    assert verdicts(COMPLEX.replace("FORMULA", formula))[-1] == verdict


@pytest.mark.parametrize(
    ("words", "last"),
    [
        ("The amplitude $A$ of the field is complex.", "unproved"),
        ("Its complex conjugate is not needed for $u = 3$.", "proved"),
        ("The field is real for $t = 0$.", "proved"),
    ],
)
def test_what_words_call_complex_is_no_real_number(words, last):
    lines = display(r"E = A e^{i \omega t}", "|E|^2 = A^2")
    assert verdicts(f"{words}\n\n{lines}")[-1] == last


@pytest.mark.parametrize(
    ("said", "last"), [("with $0 < b < 1$ and $a > 0$", "proved"), ("", "unproved")]
)
def test_the_size_at_numbers_that_are_in_the_ranges_of_the_text(said, last):
    text = rf"The plant is $G(s) = \frac{{a^2}}{{s^2 + 2 b a s + a^2}}$ {said}. Then"
    assert verdicts(rf"{text} $$ |G(j a)| = \frac{{1}}{{2 b}} $$")[-1] == last
    assert verdicts(rf"{text} $$ |G(j a)| = \frac{{1}}{{3 b}} $$")[-1] == "refuted"


def test_reals_and_real_parts_are_told_apart():
    found = sa.read(r"Let $x \in \Re^n$. $$ y = x^\top x $$", strict=False)
    assert "x" in {x.name for d in found.definitions.values() for x in d.expr.free_symbols} or found
    assert verdicts(r"$$ z = x + i y $$ $$ \Re z = x $$ $$ \Re (2 z) = x $$")[1:] == [
        "proved",
        "refuted",
    ]


@pytest.mark.parametrize(
    ("said", "claim", "assumed"),
    [
        (r"$z = \sqrt{x} + i y$", "|z|^2 = x + y^2", ("x: real", "y: real", "x ≥ 0")),
        ("$x > 0$ and $z = i x$", "|z| = x", ("x: real", "x > 0")),
        ("$x < 0$ and $z = i x$", "|z| = -x", ("x: real", "x < 0")),
        ("$z = i x$", "|z| = x", None),  # of either sign
        (r"$x > 0$ and $z = \sqrt{-x - 1} + i$", "|z|^2 = -x", None),  # of which there is none
        (
            "$z = x + i y$ and $f = 2 |z|$",
            r"\frac{\partial f}{\partial z} = 2 \frac{\partial |z|}{\partial z}",
            None,  # which there is none
        ),
    ],
)
def test_what_the_size_of_a_number_rests_on(said, claim, assumed) -> None:
    row = sa.check(f"Let {said}. Then $$ {claim} $$\n", corrections=False).rows[-1]
    assert row.verdict == ("unproved" if assumed is None else "proved")
    assert row.assumed == (assumed or ())


@pytest.mark.parametrize("behind", [r" \times \Re", r" \to \Re", "^n", "", " ,"])
def test_sets_of_real_numbers_are_no_real_parts(behind: str) -> None:
    assert package("Re", behind) != package("Re", " z")
    assert package("Re", r"\{z\}") == package("Re", "(z)") == package("Re", " z")


@pytest.mark.parametrize(
    ("text", "last"),
    [
        (r"With $i = \sqrt{-1}$ we have $$ (1 + i)^2 = 2 i. $$", "proved"),
        (r"With $i = \sqrt{-1}$ we have $$ (1 + i)^2 = 3 i. $$", "refuted"),
        (r"Let $j = \sqrt{-1}$ and $z = 1 + j$. Then $$ z^2 = 2 j. $$", "proved"),
        (r"where $i^2 = -1$. Then $$ (1 + i)^2 = 2 i + 1. $$", "refuted"),
        (r"We have $$ (1 + i)^2 = 2 i, \quad i^2 = -1. $$", "definition"),
        # of i beside j the text does not say which, and what is compared counts something
        (r"We have $$ e^{i x} e^{j x} = e^{(i + j) x}, \quad e^{i j x} = e^{-x}. $$", "skipped"),
        (r"For $i \ge 1$ we have $$ i^2 + i = i (i + 1), \quad |i + 1| = i + 1. $$", "proved"),
        (r"For $i \ne 0$ we have $$ \frac{i^2}{i} = i, \quad \frac{1}{i} = -i. $$", "skipped"),
    ],
)
def test_which_letter_is_the_unit(text: str, last: str) -> None:
    assert verdicts(text)[-1] == last


def test_a_row_says_that_i_is_the_unit() -> None:
    text = r"With $i = \sqrt{-1}$ we have $$ (1 + i)^2 = 2 i. $$"
    row = sa.check(text, corrections=False).rows[0]
    assert (row.verdict, row.reason) == ("definition", "says that i is the imaginary unit")


LOW = "The filter has $F(\\omega) = \\frac{1}{1 + i \\omega R}$ with $R > 0$. "


@pytest.mark.parametrize(
    ("claim", "verdict"),
    [
        (r"Then $$ |F(\omega)|^2 = \frac{1}{1 + \omega^2 R^2} . $$", "proved"),
        (r"Then $$ |F(\omega)|^2 = \frac{1}{1 + \omega^2 R} . $$", "refuted"),
        (r"At $\omega = 1/R$ it is $|F|^2 = \frac12$.", "proved"),
        (r"At $\omega = 1/R$ it is $|F|^2 = \frac14$.", "refuted"),
        (r"At $\omega = 1/R$ it is $|F|^2 = \frac14$ if $R = 3$.", "unproved"),
        (r"At $\omega = 2/k$ it is $|F|^2 = \frac14$.", "unproved"),
    ],
)
def test_sizes_of_names_of_one_sign_and_at_a_place(claim: str, verdict: str) -> None:
    assert sa.check(LOW + claim, corrections=False, jobs=1).rows[-1].verdict == verdict
