"""Chains of bounds are conditions: none of their links is a fault of symattn."""

import pytest

import symattn as sa


@pytest.mark.parametrize(
    "chain", [r"-1 \le u \le 1", r"0 < \alpha < 1", r"a \le b = c \le d", r"1 \ge x > 0 \ge y"]
)
def test_a_chain_of_bounds(chain):
    rows = sa.check(f"Text.\n\n$$ {chain} $$\n", corrections=False).rows
    assert rows and all("fault" not in r.reason for r in rows)
    assert {r.verdict for r in rows} <= {"skipped", "definition", "unproved"}
