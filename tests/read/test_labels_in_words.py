"""Letters below names that words give a meaning: the jam density k_j."""

from __future__ import annotations

import pytest

from symattn import check

TRAFFIC = (
    "Drivers keep $v(k) = v_f (1 - k/k_j)$, where $k$ is the density and $k_j$ the CALLED. "
    "So $$ v'(k) = SIDE \\frac{v_f}{k_j} . $$"
)


@pytest.mark.parametrize(
    ("called", "side", "verdict"),
    [
        ("jam density", "-", "proved"),
        ("jam density", "", "refuted"),
        ("density of a car", "", "skipped"),  # an index, as far as is known
        ("densities of the jams", "", "skipped"),  # of all of them
    ],
)
def test_a_letter_that_begins_what_words_call_a_name_is_no_index(called, side, verdict):
    text = TRAFFIC.replace("CALLED", called).replace("SIDE", side)
    assert check(text, corrections=False, jobs=1).rows[-1].verdict == verdict


def test_a_letter_that_counts_elsewhere_is_an_index_whatever_words_say():
    text = TRAFFIC.replace("CALLED", "jam density").replace("SIDE", "")
    text += " The total is $$ t = \\sum_j k_j . $$"
    assert check(text, corrections=False, jobs=1).rows[1].verdict != "refuted"


def test_e_stays_the_number_where_a_function_is_taken_at_several_values():
    text = (
        r"With $P(t) = A e^{k t}$ and $T = \frac{\ln 2}{k}$ we have $P(T) = 2 A$ and "
        r"$P(2 T) = SIDE A$."
    )
    for side, verdict in (("4", "proved"), ("3", "refuted")):
        found = check(text.replace("SIDE", side), corrections=False, jobs=1).rows[-1]
        assert found.verdict == verdict
