r"""A size N beside the N_k of a text, and a recursion for every chapter."""

from __future__ import annotations

import pytest

from symattn import check

MIXTURE = r"""
There are $M$ coins $c_m \in \mathbb{R}^{D}$ with weights $w_{mb}$, where $\sum_b w_{mb} = 1$.

$$ M_b = \sum_{m=1}^M w_{mb} $$

$$ v_b = \frac{1}{M_b} \sum_{m=1}^M w_{mb} c_m $$

$$ %s $$
"""
BODY = r"""
A body has parts of mass $M_a$ at places $z_a$.

$$ \sum_a M_a = M $$

$$ c = \frac{1}{M} \sum_a M_a z_a $$

$$ %s $$
"""
CHAPTERS = r"""
# Scalars

$$ s_t = \tanh(a s_{t-1} + b x_t) $$

$$ L = \sum_{t=1}^T \frac12 (s_t - y_t)^2 $$

$$ \frac{\partial L}{\partial b} = %s $$

# Vectors

$$ \mathbf{s}_t = \mathbf{A} \mathbf{s}_{t-1} + \mathbf{B} \mathbf{x}_t $$

$$ L = \sum_{t=1}^T \ell(\mathbf{s}_t, \mathbf{y}_t) $$

$$ \frac{\partial L}{\partial \mathbf{B}} = %s $$
"""
SCALARS = r"\sum_{t=1}^T \frac{\partial L}{\partial s_t} (1 - s_t^2) x_t"
VECTORS = r"\sum_{t=1}^T \frac{\partial L}{\partial \mathbf{s}_t} \mathbf{x}_t^\top"


@pytest.mark.parametrize(
    ("claim", "wrong"),
    [
        (r"\sum_b M_b = M", r"\sum_b M_b = 2 M"),
        (r"\sum_b \frac{M_b}{M} = 1", r"\sum_b \frac{M_b}{M} = M"),
        (r"\sum_b M_b v_b = \sum_m c_m", r"\sum_b M v_b = \sum_m c_m"),
    ],
)
def test_how_many_there_are_beside_how_many_of_each(claim: str, wrong: str) -> None:
    assert check(MIXTURE % claim, corrections=False).rows[-1].verdict == "proved"
    assert check(MIXTURE % wrong, corrections=False).rows[-1].verdict == "refuted"


def test_a_total_is_no_size() -> None:
    """No sum ends at M there: it is a number that an equation is a condition on."""
    true = check(BODY % r"\sum_a M_a (z_a - c) = 0", corrections=False).rows[-1]
    false = check(BODY % r"\sum_a M_a (z_a + c) = 0", corrections=False).rows[-1]
    assert (true.verdict, true.reason) == ("conditional", "true with what line 4 says")
    assert (false.verdict, false.reason[:26]) == ("skipped", "it may be a condition on M")


@pytest.mark.parametrize(
    ("sides", "verdicts"),
    [
        ((SCALARS, VECTORS), ["proved", "proved"]),
        ((SCALARS.replace("(1 - ", "(1 + "), VECTORS), ["refuted", "proved"]),
        ((SCALARS, VECTORS.replace("x}_t", "x}_t \\mathbf{x}_t^\\top \\mathbf{x}")), None),
    ],
)
def test_a_chapter_has_a_recursion_of_its_own(sides, verdicts) -> None:
    rows = check(CHAPTERS % sides, corrections=False).rows
    found = [r.verdict for r in rows if r.latex.startswith(r"\frac{\partial L")]
    assert found == verdicts if verdicts else "proved" not in found[1:]
