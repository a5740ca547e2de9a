r"""A number behind a name, \\delta 3, is no factor: it may be a label."""

import pytest

import symattn as sa


@pytest.mark.parametrize(
    "claim, shown",
    [
        (r"\delta 3 = \delta 1 + \delta 2", r"\delta 3"),
        ("y = 2 a + x 2", "x 2"),
        ("y = (x 2 + 1)", "x 2"),
    ],
)
def test_a_number_behind_a_name_is_refused_with_its_readings(claim, shown):
    row = sa.check(f"$$ {claim} $$", corrections=False).rows[-1]
    assert row.verdict == "skipped"
    assert row.reason == f"{shown}: a label, a power or a product?"
    with pytest.raises(sa.SymattnError, match=r"write .*_\{"):
        sa.read(f"$$ {claim} $$")


@pytest.mark.parametrize(
    "claim", [r"y = \frac a2", "y = a 2^{3}", r"y = 2 a + \binom n 2", "y = 2 a", r"y = a \cdot 2"]
)
def test_numbers_that_stand_elsewhere_are_read(claim):
    assert sa.check(f"$$ {claim} $$", corrections=False).rows[-1].verdict == "definition"
