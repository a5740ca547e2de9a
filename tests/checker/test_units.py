r"""Numbers in other units, $m = 500$ g and $500\,\mathrm{g}$, are compared in those of the SI."""

from fractions import Fraction

import pytest

from symattn.checker import check
from symattn.read.units import inside

ENERGY = r"The kinetic energy is $E = \frac12 m v^2$. "
PERIOD = r"The period is $T = 1/f$. "


@pytest.mark.parametrize(
    ("text", "verdict"),
    [
        (ENERGY + "For $m = 500$ g and $v = 4$ m/s we get $E = 4$ J.", "proved"),
        (ENERGY + "For $m = 500$ g and $v = 4$ m/s we get $E = 8$ J.", "refuted"),
        (ENERGY + "For $m = 2.5$ kg and $v = 3.2$ m/s we get $E = 12.8$ J.", "proved"),
        (ENERGY + "For $m = 2.5$ kg and $v = 3.2$ m/s we get $E = 15.8$ J.", "refuted"),
        (ENERGY + r"For $m = 0.37$ g and $v = 4$ m/s we get $E \approx 2.96$ mJ.", "proved"),
        (ENERGY + r"For $m = 0.37$ g and $v = 4$ m/s we get $E \approx 3.96$ mJ.", "refuted"),
        (
            ENERGY
            + r"For $m = 2.5\,\mathrm{kg}$ and $v = 3.2\,\mathrm{m\,s^{-1}}$ we get "
            + r"$E = 12.8\,\text{J}$.",
            "proved",
        ),
        (ENERGY + r"For $m = 500\,\mathrm{g}$ and $v = 4$ m/s, $E = 5\,\text{J}$.", "refuted"),
        (ENERGY + r"For $m = \SI{500}{g}$ and $v = \SI{4}{m/s}$ it is $E = \SI{4}{J}$.", "proved"),
        (PERIOD + "At $f = 50$ Hz the period is $T = 20$ ms.", "proved"),
        (PERIOD + "At $f = 50$ Hz the period is $T = 0.02$ s.", "proved"),
        (r"The speed is $v = d/t$. With $d = 36$ km and $t = 1$ h, $v = 10$ m/s.", "proved"),
        (r"The speed is $v = d/t$. With $d = 36$ km and $t = 1$ h, $v = 36$ km/h.", "proved"),
        (r"The speed is $v = d/t$. With $d = 36$ km and $t = 1$ h, $v = 36$.", "proved"),
        # of what bears no unit, or one of no known scale, nothing is refuted
        (
            r"The speed is $v = d/t$. With $d = 36$ km and $t = 2$ we get $v = 36$ m/s.",
            "definition",
        ),
        (
            r"The rent is $z = K r$. With $K = 7$ thousand and $r = 2$ years we get $z = 13$.",
            "definition",
        ),
    ],
)
def test_numbers_are_compared_in_their_units(text, verdict):
    assert check(text, corrections=False).rows[-1].verdict == verdict


@pytest.mark.parametrize(
    ("latex", "bare", "factor"),
    [
        (r"a = 9.81\,\text{m/s}^2", "a = 9.81", 1),
        (r"v = 90~\mathrm{km}/\mathrm{h}", "v = 90", Fraction(5, 18)),
        (r"p = 5\%", "p = 5", Fraction(1, 100)),
        (r"R = 8.314\,\mathrm{J/(mol\,K)}", "R = 8.314", 1),
        (r"x = 2\,\mathrm{A}\,\mathrm{x}", r"x = 2\,\mathrm{A}\,\mathrm{x}", 1),
        (r"x = 0.5 \text{ if } m", r"x = 0.5 \text{ if } m", 1),
    ],
)
def test_units_at_the_end_of_a_formula(latex, bare, factor):
    found, unit = inside(latex)
    assert (found, unit.factor) == (bare, factor)


@pytest.mark.parametrize(
    ("formula", "verdict"),
    [
        (r"F = 2 \cdot 9.81\,\mathrm{N} = 19.62\,\mathrm{N}", "proved"),
        (r"F = 2 \cdot 9.81\,\mathrm{N} = 18.62\,\mathrm{N}", "refuted"),
        (r"P = 230\,\mathrm{V} \cdot 2\,\mathrm{A} = 460\,\mathrm{W}", "proved"),
        (r"E = \frac12 \cdot 3\,\text{kg} \cdot (4\,\text{m/s})^2 = 48\,\text{J}", "refuted"),
        (r"d = 5\,\text{km} = 5000\,\text{m}", "definition"),
        (r"s = 3\,\mathrm{A} + \mathrm{A} = 5\,\mathrm{A}", "refuted"),
    ],
)
def test_units_within_a_formula(formula, verdict):
    assert check(f"$$ {formula} $$", corrections=False).rows[-1].verdict == verdict


@pytest.mark.parametrize(
    ("energy", "verdicts"),
    [("4$ J", ["proved"]), ("4000$", ["proved"]), ("4000$ J", []), ("5$ J", ["refuted"])],
)
def test_a_number_that_agrees_without_its_unit_is_open(energy: str, verdicts: list[str]) -> None:
    text = "With $E = \\frac{1}{2} m v^2$, $m = 500$ g and $v = 4$ m/s we get $E = " + energy + "."
    assert [r.verdict for r in check(text, corrections=False).rows][1:] == verdicts
