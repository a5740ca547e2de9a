r"""Where formulas stand in a text: the ticks of GitHub, dollars inside of words."""

import pytest

import symattn as sa
from symattn.checker import check
from symattn.read import read

TICKED = """Let $`a = b + c`$ be given, and `$`5 or `$`6 the price.

$`
d = 2 a
`$
where $` e = 3 b `$ and

$`f = 2 b + 2 c`$

```math
d = 2 b + 2 c
```
"""


def rows(text):
    return [(r.line, r.verdict) for r in check(text, corrections=False).rows]


def test_formulas_in_ticks_and_dollars():
    want = [(1, "definition"), (4, "definition"), (6, "definition"), (8, "definition")]
    assert rows(TICKED) == [*want, (11, "proved")]
    inline = [e.inline for e in read(TICKED, strict=False).equations]
    assert inline == [True, False, True, False, False]


def test_code_with_a_dollar_is_no_formula():
    assert rows("Type `$`x = 2 y`$` or ``$`x = y`$`` to see it.") == []


def test_a_display_in_ticks_that_is_wrong_is_found():
    assert rows(TICKED.replace("d = 2 b + 2 c", "d = 2 b + c"))[-1] == (11, "refuted")


MEAN = r"""The average is $\nu = \frac{1}{M} \sum_{i=1}^M z_i$, and the spread
$$ V = \frac{1}{M} \sum_{i=1}^M (z_i - \nu) (z_i - \nu)^\top $$

The data are centered, so we set $\nu = 0$. Say
$$ W = \frac{1}{M} \sum_{i=1}^M z_i z_i^\top $$

Both are one thing:
$$ 2 V + W = 3 W $$
"""


def test_what_a_sentence_sets_to_zero_refutes_nothing():
    assert rows(MEAN)[-1][1] == "unproved"
    other = MEAN.replace(r", so we set $\nu = 0$", "")
    assert rows(other)[-1][1] == "refuted"


REMARKS = r"""Let $A \in \mathbb{R}^{n \times m}$, $B \in \mathbb{R}^{m \times p}$ and $w = B v$.

$$
\begin{align}
u & = A w. \qquad \text{(definition of $u$)} \\
 & = A B v \qquad \text{(by what $\mathbf{w}$ is, see $w = B v$)} \\
 & = C v \qquad (C = A B) \\
 & = A A v \mbox{ (a slip, since $A$ is not square)}
\end{align}
$$
"""


def test_remarks_with_formulas_at_the_end_of_rows():
    found = [
        r
        for r in check(REMARKS.replace(r" & = A A v", r" & = 2 C v"), corrections=False).rows
        if r.line > 2
    ]
    assert [(r.line, r.verdict) for r in found] == [
        (5, "definition"),
        (6, "proved"),
        (7, "definition"),
        (8, "refuted"),
    ]
    assert [r.latex for r in found] == ["u = A w", "A w = A B v", "A B v = C v", "C v = 2 C v"]


def test_words_that_state_a_condition_are_heard():
    rows_ = rows(r"$$ x^2 = 4 y^2 \text{ if $x = 2 y$} $$" + "\n\n" + r"$$ z = 3 y $$")
    assert rows_[-1] == (3, "definition")
    assert (1, "refuted") not in rows_
    text = r"$$ m = q \text{ (the part of $q$)} + 2 q \text{ (the rest)} $$"
    assert rows(text + "\n\n" + r"$$ m = 3 q $$") == [(1, "definition"), (3, "proved")]
    apart = r"$$ m = 2 q \text{ so that we have } -m = -2 q \text{ and finally } m = 3 q $$"
    assert rows(apart) == [(1, "definition"), (1, "proved"), (1, "refuted")]


def test_a_function_in_words_is_no_remark():
    assert rows(r"$$ y = 2 x \text{mean($z$)} $$") == [(1, "skipped")]


def test_rows_of_a_chain_without_a_link():
    text = r"""
$$
\begin{aligned}
p_k &= q_k + r_k \\
 &= \left( q_k + r_k \right) / s t \\
 &= r_k + q_k
\end{aligned}
$$
"""
    found = [(r.verdict, r.latex) for r in check(text, corrections=False).rows]
    assert found[0] == ("definition", "p_k = q_k + r_k")
    assert found[1][0] == "skipped"  # each at its own row
    assert found[2] == ("proved", "q_k + r_k = r_k + q_k")


def test_connectives_are_words():
    text = r"""
$$
\begin{aligned}
a_k &= b_k + c_k \\
\therefore 2 a_k &= 2 b_k + 2 c_k \\
∴ a_k &= b_k
\end{aligned}
$$

$$ g = 3 h \because h = g / 3 $$

$$ \exists u, v : p = u v + 1 $$
"""
    found = rows(text)
    assert found[:3] == [(4, "definition"), (5, "proved"), (6, "refuted")]
    assert (10, "definition") in found
    assert found[-1] == (12, "skipped")


@pytest.mark.parametrize("edges", [("$", "$"), (r"\(", r"\)")])
def test_formulas_of_sentences_in_other_brackets(edges):
    left, right = edges
    text = f"""Let {left}X \\in \\mathbb R^{{n \\times d}}{right} hold {left}n{right} rows and let
{left}q \\in \\mathbb R^d{right} be given. The scores are {left}z = X q{right}, the weights
{left}a = \\operatorname{{softmax}}(z){right}, and then
{left}\\frac{{\\partial a}}{{\\partial q}} = (\\operatorname{{diag}}(a) - a a^\\top) X{right}.
For {left}n < 2{right} it is {left}a_1 = 1{right}."""
    report = sa.check(text, corrections=False)
    assert [r.verdict for r in report.rows][:3] == ["definition", "definition", "proved"]
    assert not report.of("refuted", "malformed")
    wrong = sa.check(text.replace("- a a", "+ a a"), corrections=False)
    row = next(r for r in wrong.rows if r.verdict == "refuted")
    assert text.split("\n")[row.line - 1][row.column - 1 :].startswith(r"\frac{\partial a}")


def test_money_is_no_formula():
    text = r"It costs $5 where \(x = a + b\) and \(\frac{\partial x}{\partial a} = 1\)."
    assert [r.verdict for r in sa.check(text).rows] == ["definition", "proved"]


def test_a_shape_alone_on_a_line_of_a_sentence():
    text = r"""Let the cost be $J = u^\top R u$ with a symmetric
$R \in \mathbb{R}^{m \times m}$
and then

$$ \frac{\partial J}{\partial u} = 2 R u $$
"""
    assert [r.verdict for r in sa.check(text).rows] == ["definition", "proved"]
    assert sa.check(text.replace("a symmetric", "some")).rows[-1].verdict == "conditional"
