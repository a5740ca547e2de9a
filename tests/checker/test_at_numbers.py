r"""S_{10} = 55 and S_n = 15 at n = 5, of sequences of which a text says what they are."""

from __future__ import annotations

import pytest

import symattn as sa

SUMS = r"Let $S_n = \sum_{k=1}^n k^2$. "
FORM = r"The number of pairs is $T_n = \frac{n (n + 1)}{2}$. "
RENT = r"The value is $a_n = \frac{1 - v^n}{i}$ with $v = \frac{1}{1 + i}$. "


def numbers(text: str) -> list[str]:
    found = sa.check(text, corrections=False, timeout=None, jobs=1).rows
    return [f"{r.latex}: {r.verdict}" for r in found if r.kind == "number"]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        (SUMS + "So $S_3 = 14$ and $S_5 = 56$.", ["S_3 = 14: proved", "S_5 = 56: refuted"]),
        (SUMS + "At $n = 4$ we get $S_n = 30$.", ["S_n = 30: proved"]),
        (SUMS + "For $n = 4$, $S_n = 31$.", ["S_n = 31: refuted"]),
        (SUMS + "At $m = 4$ we get $S_n = 31$.", []),
        (SUMS + "At $n = 4$ all is well. We get $S_n = 31$.", []),
        (FORM + "So $T_4 = 10$, $T_7 = 27$.", ["T_4 = 10: proved", "T_7 = 27: refuted"]),
        # what is supposed, denied, or said of another thing
        (FORM + "Suppose that $T_4 = 9$.", []),
        (FORM + "If $T_4 = 9$, something is wrong.", []),
        (FORM + "With $T_4 = 9$ instead, nothing holds.", []),
        (
            FORM + "If $n = 4$ then $T_n = 10$; if $n = 5$, $T_n = 16$.",
            ["T_n = 10: proved", "T_n = 16: refuted"],
        ),
        (FORM + "The largest is $T_4 = 9$.", []),
        (FORM + "Let now $T_n = 3^n$. So $T_2 = 9$ and $T_3 = 6$.", []),
        (r"Let $x_n = 2 y_n$. Then $x_3 = 5$.", []),
        # the digits that are printed, at the values of the sentence
        (
            RENT + "With $i = 0.05$ and $n = 10$ we find $a_n = 7.722$; at $i = 0.1$ it is "
            "$a_4 = 3.170$, and $a_5 = 3.719$.",
            ["a_n = 7.722: proved", "a_4 = 3.170: proved", "a_5 = 3.719: refuted"],
        ),
        (RENT + "With $i = 0.0333$ and $n = 7$ we find $a_n = 6.0$.", []),  # i may be rounded
        (RENT + "We find $a_7 = 6.0$.", []),
    ],
)
def test_what_sequences_are_at_numbers(text: str, found: list[str]) -> None:
    assert numbers(text) == found
