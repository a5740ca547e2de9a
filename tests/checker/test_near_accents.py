r"""An accent that is defined for one name says what it may be of another, and refutes nothing."""

import pytest

import symattn as sa

UNIT = r"""For normalised embeddings $\hat z = z / \|z\|$ the squared distance is

$$ {} $$
"""


@pytest.mark.parametrize(
    ("claim", "wrong"),
    [
        (r"\|\hat z - \hat w\|^2 = 2 - 2 \hat z^\top \hat w", False),
        (r"\hat z^\top \hat z = 1", False),
        (r"\hat z^\top \hat z = 2", True),
        (r"\|\hat z - w\|^2 = \|w\|^2 - 2 \hat z^\top w", True),
    ],
)
def test_another_name_under_the_accent(claim: str, wrong: bool) -> None:
    row = sa.check(UNIT.replace("{}", claim), corrections=False).rows[-1]
    assert (row.verdict == "refuted") == wrong
