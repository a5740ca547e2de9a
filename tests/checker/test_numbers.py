"""Claims between numbers are held to the digits that are printed."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from symattn.checker import check
from symattn.checker.numbers import decimals, shown


def verdicts(text: str) -> list[tuple[str, str]]:
    return [(r.verdict, r.correction) for r in check(text)]


@pytest.mark.parametrize(
    ("claim", "verdict", "correction"),
    [
        (r"\sqrt{2} \approx 1.41", "proved", ""),
        (r"\sqrt{2} \approx 1.414", "proved", ""),
        (r"\sqrt{2} \approx 1.42", "refuted", "1.41"),
        (r"\sqrt{2} = 1.414214", "proved", ""),
        (r"\sqrt{2} = 1.414213", "refuted", "1.414214"),
        (r"\frac{1}{3} = 0.33", "proved", ""),
        (r"\frac{1}{3} = 0.34", "refuted", "0.33"),
        (r"\frac{2}{3} = 0.66", "refuted", "0.67"),
        (r"2 \cdot 3 = 6", "proved", ""),
        (r"2 \cdot 3 = 7", "refuted", "6"),
        (r"2^{10} = 1024", "proved", ""),
        (r"2^{10} = 1000", "refuted", "1024"),
        (r"0.5 \cdot 0.5 = 0.25", "proved", ""),
        (r"\log 2 + \log 3 = \log 6", "proved", ""),
        (r"\log 2 + \log 3 = \log 5", "refuted", "1.7918"),
        (r"e^{0.5} \approx 1.65", "proved", ""),
        (r"e^{0.5} \approx 1.95", "refuted", "1.65"),
        (r"\pi \approx 3.14", "proved", ""),
        (r"\pi \approx 3.15", "refuted", "3.14"),
        # the inputs may be rounded as well
        (r"0.33 + 0.33 + 0.33 = 1.00", "unproved", ""),
        (r"0.33 + 0.33 + 0.33 = 1.10", "refuted", "0.99"),
        # whole numbers are rounded behind ≈, and behind = where many digits are printed
        (r"3000 \log 10 \approx 6908", "proved", ""),
        (r"3000 \log 10 \approx 6900", "proved", ""),
        (r"2 \log 10 \approx 5", "proved", ""),
        (r"3 \log 50 \approx 10", "unproved", ""),
        (r"3000 \log 10 = 6908", "unproved", ""),
        (r"3000 \log 10 \approx 6909", "refuted", "6907.7553"),
        (r"3000 \log 10 \approx 6800", "refuted", "6907.7553"),
        (r"3000 \log 10 = 6900", "refuted", "6907.7553"),
        (r"\sqrt{2} + \sqrt{3} = 3", "refuted", "3.1463"),
        (r"7 / 2 = 4", "refuted", r"\frac{7}{2}"),
        (r"\sqrt{5} \cdot 10^3 \approx 2300", "refuted", "2236.0680"),
        (r"2^5 \approx 33", "refuted", "32"),
    ],
)
def test_one_claim(claim: str, verdict: str, correction: str) -> None:
    assert verdicts(f"$$ {claim} $$") == [(verdict, correction)]


def test_a_chain_is_a_row_for_every_link() -> None:
    rows = verdicts(r"$$ \frac{1}{8} = 0.125 \approx 0.13 = 0.11 $$")
    assert [v for v, _ in rows] == ["proved", "proved", "refuted"]


def test_matrices_entry_by_entry() -> None:
    text = r"$$ \begin{pmatrix} 1 & 2 \\ 3 & 4 \end{pmatrix} "
    text += r"\begin{pmatrix} 0.5 \\ 0.25 \end{pmatrix} = "
    good = text + r"\begin{pmatrix} 1.0 \\ 2.5 \end{pmatrix} $$"
    bad = text + r"\begin{pmatrix} 1.0 \\ 3.5 \end{pmatrix} $$"
    assert verdicts(good) == [("proved", "")]
    ((verdict, correction),) = verdicts(bad)
    assert verdict == "refuted"
    assert correction == r"\begin{pmatrix} 1.0 \\ 2.5 \end{pmatrix}"


def test_definitions_give_numbers() -> None:
    text = "$$ T = 2 $$\n\n$$ p = e^{-1/T} $$\n\n"
    assert verdicts(text + r"$$ p \approx 0.607 $$")[-1][0] == "proved"
    assert verdicts(text + r"$$ p \approx 0.670 $$")[-1] == ("refuted", "0.607")


def test_decimals_with_half_a_unit_of_the_last_digit() -> None:
    found = decimals(r"a_{1.5} + 0.40 \cdot 2.125 - 7")
    assert {float(k): float(v) for k, v in found.items()} == {1.5: 0.05, 0.4: 0.005, 2.125: 0.0005}


@settings(deadline=None, max_examples=25)
@given(st.integers(1, 999), st.integers(1, 99), st.integers(1, 4))
def test_rounded_quotients(a: int, b: int, digits: int) -> None:
    """a/b rounded is proved, and two units in the last place off is refuted."""
    right = f"{a / b:.{digits}f}"
    off = f"{float(right) + 2 * 10**-digits:.{digits}f}"
    assert verdicts(rf"$$ \frac{{{a}}}{{{b}}} \approx {right} $$")[0][0] == "proved"
    assert verdicts(rf"$$ \frac{{{a}}}{{{b}}} \approx {off} $$")[0][0] == "refuted"


def test_numbers_are_shown_as_the_author_writes_them() -> None:
    import mpmath

    assert shown(mpmath.mpf("0.12345"), "0.99") == "0.12"
    assert shown(mpmath.mpf(7), "6") == "7"
    assert shown([mpmath.mpf(1), mpmath.mpf("0.5")], "[0.3, 0.7]") == "[1.0, 0.5]"


@pytest.mark.parametrize(
    ("formula", "verdict"),
    [
        (r"\binom{6}{3} = 20", "proved"),
        (r"\binom{6}{3} = 18", "refuted"),
        (r"\binom{5}{2} + 1 = 11", "proved"),
        (r"\binom{5}{2} + 1 = 21", "refuted"),
    ],
)
def test_how_many_may_be_chosen_is_a_number(formula, verdict):
    text = rf"$$ \binom{{6}}{{3}} = 20 $$ $$ {formula} $$"
    assert check(text, corrections=False).rows[-1].verdict == verdict


@pytest.mark.parametrize(
    ("formula", "verdict"),
    [
        (r"\frac{\pi}{4} \cdot 20^2 = 314", "unproved"),  # which is rounded
        (r"\frac{\pi}{4} \cdot 20^2 = 315", "refuted"),
        (r"\frac{5}{4} \cdot 20^2 = 501", "refuted"),
    ],
)
def test_a_whole_number_may_be_a_rounded_irrational_one(formula, verdict):
    assert check(f"$$ {formula} $$", corrections=False).rows[-1].verdict == verdict
