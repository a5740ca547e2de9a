"""Derivatives by what a proved claim is written in, and places at which slopes vanish."""

from __future__ import annotations

import pytest

from symattn.checker import check

SHARE = r"""There are $k$ groups with $n$ values each, $y_{ij}$. Let
$$ S = n \sum_{i=1}^k m_i^2, \qquad T = \sum_{i=1}^k \sum_{j=1}^n y_{ij}^2, \qquad E = T - S. $$
The share is $\eta = S / T$ and the statistic $F = a S / E$. In terms of the share,
$$ F = \frac{a \eta}{1 - \eta}, $$
and
$$ \frac{\partial F}{\partial \eta} = %s. $$
"""


def last(text: str) -> str:
    return check(text, timeout=None, corrections=False).rows[-1].verdict


def test_a_statistic_in_terms_of_a_share() -> None:
    assert last(SHARE % r"\frac{a}{(1 - \eta)^2}") == "proved"
    assert last(SHARE % r"\frac{a}{1 - \eta}") == "refuted"
    apart = (SHARE % r"\frac{a}{(1 - \eta)^2}").replace(
        "F = \\frac{a \\eta}{1 - \\eta}", "F = a S / E"
    )
    assert last(apart) not in ("proved", "refuted")


@pytest.mark.parametrize(
    ("text", "wrong"),
    [
        (r"The resistance is $$ r(b) = \frac{\ln(b/a)}{2 \lambda} + \frac{1}{2 h b} $$ and its "
         r"slope $$ r'(b) = \frac{1}{2 \lambda b} - \frac{1}{2 h b^2}. $$ It vanishes at the "
         r"critical radius $$ b_c = \frac{%s}{%s}. $$", (r"\lambda", "h")),
        (r"For the catch $H = c E - d E^2$ we have $$ \frac{\partial H}{\partial E} = c - 2 d E, "
         r"$$ so the greatest catch needs the effort $$ E_m = \frac{%s}{2 %s}. $$", ("c", "d")),
        (r"The squares are $$ S = \frac12 \sum_{i=1}^n \omega_i (y_i - w x_i)^2 $$ with "
         r"$$ \frac{\partial S}{\partial w} = -\sum_{i=1}^n \omega_i x_i (y_i - w x_i). $$ "
         r"The minimum lies at $$ \hat w = \frac{\sum_i \omega_i x_i %s}"
         r"{\sum_i \omega_i x_i %s}. $$",
         ("y_i", "x_i")),
    ],
)  # fmt: skip
def test_where_a_slope_that_is_written_vanishes(text: str, wrong: tuple[str, str]) -> None:
    assert last(text % wrong) in ("conditional", "definition")
    assert last(text % wrong[::-1]) == "refuted"


def test_the_share_is_is_another_form_of_the_same() -> None:
    text = r"The share $S(a) = \frac12 (a + 1/a) - 1$ is $$ S(a) = \frac{(a - 1)^2}{%s}. $$"
    assert last(text % "2 a") == "proved"
    assert last(text % "a") == "refuted"
    two = r"One has $S(a) = \frac12 (a + 1/a) - 1$ there. Here $$ S(a) = \frac{(a - 1)^2}{a}. $$"
    assert last(two) == "definition"


def test_a_drop_that_words_introduce_is_a_name() -> None:
    text = r"Under a pressure drop $\Delta$ the speed is $$ u(r) = \Delta (R^2 - r^2). $$ So "
    assert last(text + r"$$ u'(r) = -2 \Delta r. $$") == "proved"
    assert last(text + r"$$ u'(r) = -\Delta r. $$") == "refuted"
    assert (
        last(r"$\Delta$ denotes a change. $$ y = \Delta x $$ $$ y^2 = (\Delta x)^2 $$") == "proved"
    )


def test_what_follows_from_a_definition_says_nothing_of_a_name() -> None:
    text = r"""A barge displaces $V = L B d$. Its weight is $W = \rho V$, so that the draught is
$$ d = \frac{W}{\rho L B}. $$
The radius is $r = B^3 L / V$, hence
$$ r = \frac{%s B^2}{d}. $$
"""
    assert last(text % "") == "proved"
    assert last(text % "2") == "refuted"


def test_what_solves_an_equation_is_of_a_case() -> None:
    text = r"""Here $\phi = c \cos(\omega t)$ solves it if $\omega^2 = a$. A weight heels it to
$$ \tan\phi = \frac{w y}{W m}. $$
"""
    assert check(text, timeout=None, corrections=False).ok
    plain = text.replace("solves it if $\\omega^2 = a$", "at all times")
    assert last(plain) != "proved"


def test_powers_below_an_endless_sum() -> None:
    text = r"""With $v = \frac{1}{1 + r}$ and $p = 1 - q$ it costs
$$ A = \sum_{k=1}^\infty p^k v^k = \frac{p v}{1 - p v}. $$
Written with the rates,
$$ A = \frac{1 - q}{r %s q}. $$
"""
    assert last(text % "+") in ("proved", "conditional")
    assert last(text % "-") == "refuted"


def test_definitions_and_facts_that_turn_round_end() -> None:
    text = "In Europe, $p = 2 q$. In America, $p = 3 q$. European prices satisfy $p - 3 q = 0$."
    assert check(text, timeout=20, corrections=False).rows[-1].verdict != "proved"
