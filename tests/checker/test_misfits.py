"""A letter that dangles is malformed where an equation before it says what the left side is."""

import symattn as sa

CLASS = r"Loss of a class: $L = -\log p_y$ hangs on y."


def test_what_stands_below_says_nothing_of_it():
    below = r"$$ L = \sum_t \ell(h_t) $$ beside $$ z = 2 $$ and $$ p_k = \frac{q_k}{\sum_j q_j} $$"
    rows = sa.check(f"{CLASS}\n\n{below}\n", timeout=None).rows
    assert {r.verdict for r in rows} <= {"definition", "skipped", "unproved"}


def test_what_stands_before_it_does():
    before = r"$$ s = \sum_k w_k x_k $$" + "\n\nso that\n\n"
    rows = sa.check(f"{before}$$ s = w_k x_j $$\n", timeout=None).rows
    assert rows[-1].verdict == "malformed" and rows[-1].correction
