"""A letter that dangles is malformed where an equation before it says what the left side is."""

import symattn as sa


def test_what_stands_before_it_does():
    before = r"$$ s = \sum_k w_k x_k $$" + "\n\nso that\n\n"
    rows = sa.check(f"{before}$$ s = w_k x_j $$\n", timeout=None).rows
    assert rows[-1].verdict == "malformed" and rows[-1].correction


def test_what_ties_values_elsewhere_says_nothing_of_shapes():
    text = r"""
# Least squares
Let $A \in \mathbb{R}^{m \times n}$ and $b \in \mathbb{R}^m$ in $J(x) = \|A x - b\|^2$.
Then $$ \nabla J(x) = SIDE $$

# Weights
With a diagonal $W$ the solution solves $A^\top W A x = A^\top W b$.
"""
    wrong = sa.check(text.replace("SIDE", "2 A (A x - b)"), timeout=None).rows[1]
    assert (wrong.verdict, wrong.correction) == ("malformed", r"2 A^\top (A x - b)")
    right = sa.check(text.replace("SIDE", r"2 A^\top (A x - b)"), timeout=None).rows[1]
    assert right.verdict == "proved"


def test_what_words_call_symmetric_is_so_in_what_would_be_right():
    r"""Also of a K that the text derives by, which is no symmetric tensor."""
    text = r"""Let $K \in \mathbb{R}^{n \times n}$ be symmetric, $y \in \mathbb{R}^n$ and

$$ C = K + s I $$

$$ \ell = -\tfrac12 y^\top C^{-1} y . $$

With $a = C^{-1} y$,

$$ \frac{\partial \ell}{\partial s} = \tfrac12 a a . $$

$$ \frac{\partial \ell}{\partial K} = \tfrac12 a a^\top . $$
"""
    wrong, right = sa.check(text, timeout=None).rows[-2:]
    assert (wrong.verdict, wrong.correction) == ("malformed", r"\tfrac12 a^\top a")
    assert right.verdict == "proved"


def test_a_name_of_the_formula_itself_is_no_other_one_of_its_section():
    r"""w x_n is read with a number w, which nothing else of the text is."""
    text = r"""Let $w \in \mathbb{R}^d$ and $x_n \in \mathbb{R}^d$ be vectors in

$$ \ell(w) = \sum_n \left( y_n w^\top x_n - e^{w^\top x_n} \right) . $$

$$ \frac{\partial \ell}{\partial w} = \sum_n \left(y_n - e^{w x_n}\right) x_n $$
"""
    row = sa.check(text, timeout=None).rows[-1]
    right = r"\sum_n \left(y_n - e^{w^\top x_n}\right) x_n"
    assert (row.verdict, row.correction.replace(" }", "}")) == ("malformed", right)
    assert sa.check(text.replace("w x_n", r"w^\top x_n")).rows[-1].verdict == "proved"
