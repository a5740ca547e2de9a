"""Components past the ends of an axis: sums of x_{k+1} − x_k, the last component x_n."""

from __future__ import annotations

import pytest
import sympy as sp

import symattn as sa
from symattn.checker import check

HEAD = r"Let $x, w \in \mathbb{R}^n$ and $d_i = x_{i+1} - x_i$ for $i = 1, \dots, n$." + "\n\n"
ROUND = "true where an index past the last one is the first again"


def verdict(formula: str, head: str = HEAD) -> tuple[str, str]:
    """The verdict on the last formula of a text, and its reason."""
    row = check(
        f"{head}$$ \\sum_{{i=1}}^n w_i = \\sum_i w_i $$\n\n$$ {formula} $$\n", corrections=False
    ).rows[-1]
    return row.verdict, row.reason


@pytest.mark.parametrize(
    "formula",
    [
        r"\sum_{k=1}^{n} (x_{k+1} - x_k) = 0",
        r"\sum_k x_{k-1} = \sum_k x_k",
        r"\sum_k (x_k - x_{k-1})^2 = 2 \sum_k x_k^2 - 2 \sum_k x_k x_{k-1}",
        r"\sum_i d_i = 0",
        r"\frac{\partial}{\partial x_j} \sum_{i=1}^n x_{i+1} = 1",
    ],
)
def test_what_holds_on_a_circle_alone_says_so(formula: str) -> None:
    said, why = verdict(formula)
    assert said in ("conditional", "unproved")
    assert why == ROUND or said == "unproved"
    assert verdict(formula, "All indices are periodic. " + HEAD)[0] in ("proved", said)


def test_a_circle_that_the_text_speaks_of_is_meant() -> None:
    text = "With periodic indices let " + HEAD[4:]
    row = check(text + "$$ \\sum_{k=1}^n x_{k+1} = \\sum_{k=1}^n x_k $$\n", corrections=False).rows[
        -1
    ]
    assert row.verdict == "proved"
    assert "an index past the last one is the first again" in row.assumed


@pytest.mark.parametrize(
    "formula",
    [
        r"\sum_{k=2}^{n} (x_k - x_{k-1}) = x_n - x_1",
        r"\sum_{i=2}^{n} x_{i-1} = \sum_i x_i - x_n",
        r"d_i^2 = x_{i+1}^2 - 2 x_i x_{i+1} + x_i^2",
        r"\sum_i x_i \delta_{in} = x_n",
    ],
)
def test_what_stays_on_the_axis_is_proved(formula: str) -> None:
    assert verdict(formula) == ("proved", "")


@pytest.mark.parametrize(
    "formula",
    [
        r"\sum_{k=2}^{n} (x_k - x_{k-1}) = x_n - 2 x_1",
        r"\sum_{i=2}^{n} x_{i-1} = \sum_i x_i - x_1",
        r"d_i^2 = x_{i+1}^2 - x_i x_{i+1} + x_i^2",
    ],
)
def test_what_stays_on_the_axis_is_refuted(formula: str) -> None:
    assert verdict(formula)[0] == "refuted"


def test_a_letter_that_counts_components_stands_for_the_last() -> None:
    head = r"Let $A \in \mathbb{R}^{n\times n}$ and $x \in \mathbb{R}^n$." + "\n\n"
    row = check(head + r"$$ \sum_{j=1}^{n} A_{nj} x_j = (A x)_n $$" + "\n", corrections=False).rows[
        -1
    ]
    assert row.verdict == "proved"
    row = check(
        head + r"$$ \sum_{j=1}^{n} A_{nj} x_j = 2 (A x)_n $$" + "\n", corrections=False
    ).rows[-1]
    assert row.verdict == "refuted"  # at the last one as well


def test_no_counterexample_rests_on_the_way_round() -> None:
    text = (
        "Let $w, x \\in \\mathbb{R}^n$ and $c_i = \\sum_j w_j x_{i-j}$.\n\n"
        "$$ \\sum_i c_i = \\sum_j w_j \\sum_i x_i $$\n"
    )
    assert check(text, corrections=False).rows[-1].verdict != "refuted"


def test_every_shift_sums_all_of_an_axis() -> None:
    (n,) = sa.sizes("n")
    i, k = sa.indices("i k", n)
    x, y = sa.tensor("x", n), sa.tensor("y", n)
    for shifted in (x[k + 1], x[k - 3], x[i - k], x[2 + i + k]):
        found = sa.prove(sa.total(sp.tanh(shifted), k), sa.total(sp.tanh(x[k]), k))
        assert found.status == "proved"
    assert sa.prove(sa.total(x[2 * k], k), sa.total(x[k], k)).status != "proved"
    mixed = sa.total(x[k + 1] * y[k], k)
    assert sa.prove(mixed, sa.total(x[k] * y[k], k)).status == "refuted"


def test_a_number_before_the_last_counts_from_the_end() -> None:
    r"""x_{n-1} beside x_n of n components is no x_{n-1} of an index n."""
    head = r"Let $x \in \mathbb{R}^n$ and $f = \sum_{k=2}^{n} (x_k - x_{k-1})^2$." + "\n\n"
    right = verdict(r"\frac{\partial f}{\partial x_n} = 2 (x_n - x_{n-1})", head)
    assert right[0] in ("proved", "conditional", "unproved")
    wrong = verdict(r"\frac{\partial f}{\partial x_n} = 3 (x_n - x_{n-1})", head)
    assert wrong[0] in ("refuted", "unproved")
    sums = r"$$ \sum_{i=1}^n w_i = \sum_i w_i $$" + "\n\n"
    found = sa.read(
        head + sums + r"$$ \frac{\partial f}{\partial x_n} = x_n - x_{n-1} $$", strict=False
    )
    assert str(found.equations[-1].rhs) == "x[n - 1] - x[n - 2]"
