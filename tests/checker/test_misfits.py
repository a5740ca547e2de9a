"""A letter that dangles is malformed where an equation before it says what the left side is."""

import symattn as sa


def test_what_stands_before_it_does():
    before = r"$$ s = \sum_k w_k x_k $$" + "\n\nso that\n\n"
    rows = sa.check(f"{before}$$ s = w_k x_j $$\n", timeout=None).rows
    assert rows[-1].verdict == "malformed" and rows[-1].correction
