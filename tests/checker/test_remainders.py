"""What is said of even n, of odd n and of whole numbers is decided at these."""

from __future__ import annotations

import pytest

import symattn as sa

B = r"Let $b_n = \frac{1 - (-1)^n}{n}$. "
S = r"Let $S_n = \sum_{k=1}^n (-1)^k k$. "


def said(text):
    rows = sa.check(text, corrections=False, timeout=None).rows
    return [r.verdict for r in rows if r.verdict != "definition"]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (r"For even $n$ we have $\sum_{k=1}^n (-1)^k = 0$.", ["proved"]),
        (r"For odd $n$ we have $\sum_{k=1}^n (-1)^k = 0$.", ["refuted"]),
        (r"If $n$ is even, then $(-1)^n = 1$.", ["proved"]),
        (r"If $n$ is odd, then $(-1)^n = 1$.", ["refuted"]),
        (r"Let $n$ be even. Then $(-1)^n = 1$. Now let $n$ be odd. Then $(-1)^{n+1} = 1$.",
         ["proved", "proved"]),
        (r"Let $n$ be even. Then $(-1)^n = 1$. Now let $n$ be odd. Then $(-1)^n = 1$.",
         ["proved", "refuted"]),
        (r"For even $n$, $\cos n \pi = 1$.", ["proved"]),
        (r"If $n$ is a multiple of 4, then $\cos\frac{n \pi}{2} = 1$.", ["proved"]),
        (r"If $n$ is divisible by 2, then $\cos\frac{n \pi}{2} = 1$.", ["refuted"]),
        (r"For odd $n$, $\lfloor n/2 \rfloor = \frac{n - 1}{2}$.", ["proved"]),
        (r"For odd $n$, $\lfloor n/2 \rfloor = \frac{n}{2}$.", ["refuted"]),
        # what is raised to a whole number is a number, and may be below zero
        (r"For $|x| < 1$ and $n$ even, $|x^n| = x^n$.", ["proved"]),
        (r"For odd $n$ we have $(-x)^n = -x^n$ and $|x^n| = x^n$.", ["proved", "conditional"]),
        (r"For even $n$ we have $(-x)^n = x^n$.", ["proved"]),
        (r"For even $n$ we have $(-x)^n = -x^n$.", ["unproved"]),
        (r"Let $n$ be an integer. Then $$ (x y)^n = x^n y^n. $$", ["proved"]),
        (r"Let $n$ be an integer and $x > 0$. Then $$ \sqrt{x^{2 n}} = x^n. $$", ["proved"]),
        (r"Let $n$ be an integer. Then $$ \sqrt{x^{2 n}} = x^n. $$", ["unproved"]),
        # whole numbers, of which anything else may be a condition
        (r"For integer $n$, $\cos(n \pi) = (-1)^n$.", ["proved"]),
        (r"Let $n \in \mathbb{Z}$. Then $\cos(\pi n + x) = (-1)^n \cos x$.", ["proved"]),
        (r"Let $n \in \mathbb{Z}$. Then $\cos(\pi n + x) = \cos x$.", ["skipped"]),
        (r"For integer $n$, $\cos(n \pi) = 1$.", ["skipped"]),
        # no kind is said of the n of a sum, nor denied
        (r"The sum over even $n$ is $(-1)^n = 1$.", ["unproved"]),
        (r"Except for even $n$, $(-1)^n = -1$.", ["skipped"]),
        (r"For $n$ even or odd, $(-1)^n = 1$.", ["unproved"]),
        (r"For odd $n$, $(-1)^n = -1$, respectively $(-1)^n = 1$ for even $n$.",
         ["proved", "unproved"]),
        (r"Suppose that $n$ is not even. Then $\cos(n \pi) = 1$.", ["skipped"]),
    ],
)  # fmt: skip
def test_numbers(text, expected):
    assert said(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (B + r"For odd $n$ we have $b_n = \frac{2}{n}$, and for even $n$ we have $b_n = 0$.",
         ["proved", "proved"]),
        (B + r"For even $n$ we have $b_n = \frac{2}{n}$, and for odd $n$ we have $b_n = 0$.",
         ["refuted", "refuted"]),
        (B + r"Then $b_n = \frac{2}{n}$ for odd $n$ and $b_n = 0$ for even $n$.",
         ["proved", "proved"]),
        (B + r"Then $b_n = \frac{2}{n}$ if $n$ is even, while $b_n = 0$ if $n$ is odd.",
         ["refuted", "refuted"]),
        (B + r"If $n$ is even, $b_n = 1$.", ["refuted"]),
        (S + r"For even $n$, $$ S_n = \frac{n}{2}. $$ For odd $n$, $$ S_n = -\frac{n + 1}{2}. $$",
         ["proved", "proved"]),
        (S + r"For even $n$, $$ S_n = -\frac{n}{2}. $$ For odd $n$, $$ S_n = -\frac{n}{2}. $$",
         ["refuted", "refuted"]),
    ],
)  # fmt: skip
def test_sequences(text, expected):
    assert said(text) == expected


def test_the_smallest_number_at_which_it_is_wrong_is_shown():
    (row,) = sa.check(r"If $n$ is odd, then $(-1)^n = 1$.", corrections=False).rows
    assert row.reason == "at n = 3 the sides differ"


def test_a_counterexample_is_a_whole_number():
    """A real number refutes nothing that is said of whole ones."""
    text = r"Let $n$ be an integer. Then $$ n (n + 1) (n - 1)^2 = n^2 (n + 1) (n - 1). $$"
    (row,) = sa.check(text, corrections=False).rows
    assert row.verdict == "refuted"
    assert row.counterexample is None or all(
        float(v) == round(float(v)) for v in row.counterexample.values.values()
    )
