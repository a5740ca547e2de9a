r"""Where formulas stand in a text: the ticks of GitHub, dollars inside of words."""

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
    return [(r.line, r.verdict) for r in check(text).rows]


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
$$ V = W $$
"""


def test_what_a_sentence_sets_to_zero_refutes_nothing():
    assert rows(MEAN)[-1][1] == "definition"
    other = MEAN.replace(r", so we set $\nu = 0$", "")
    assert rows(other)[-1][1] == "refuted"
