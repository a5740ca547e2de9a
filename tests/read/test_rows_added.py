"""A vector that is added to a matrix is a row of it where only so its size fits."""

from __future__ import annotations

from symattn.checker import check

SIZES = r"Let $X \in \mathbb{R}^{N\times D}$, $W \in \mathbb{R}^{D\times M}$, $b\in\mathbb{R}^M$."


def verdicts(*rows):
    return [
        r.verdict
        for r in check("\n\n".join([SIZES, *(f"$$ {r} $$" for r in rows)]), corrections=False).rows
    ]


def test_a_bias_is_added_to_every_row():
    found = verdicts(
        "Y = X W + b",
        r"Y_{ij} = \sum_k X_{ik} W_{kj} + b_j",
        r"Y_{ij} = \sum_k X_{ik} W_{kj} - b_j",
        r"Y_{ij} = \sum_k X_{ik} W_{kj} + b_i",
    )
    assert found[-4:] == ["definition", "proved", "refuted", "malformed"]


def test_its_gradient_is_a_sum_over_the_rows():
    found = verdicts(
        "Y = X W + b",
        r"\frac{\partial L}{\partial W} = X^\top \frac{\partial L}{\partial Y}",
        r"\frac{\partial L}{\partial b_j} = \sum_i \frac{\partial L}{\partial Y_{ij}}",
        r"\frac{\partial L}{\partial b_j} = 2 \sum_i \frac{\partial L}{\partial Y_{ij}}",
    )
    assert found[-4:] == ["definition", "proved", "proved", "refuted"]


def test_means_of_columns():
    found = verdicts(
        r"\mu_j = \frac{1}{N} \sum_i X_{ij}",
        r"Z = X - \mu",
        r"\sum_i Z_{ij} = 0",
        r"\sum_j Z_{ij} = 0",
    )
    assert found[-4:-1] == ["definition", "definition", "proved"]
    assert found[-1] != "proved"


def test_a_column_that_fits_is_one():
    text = r"Let $A \in \mathbb{R}^{n\times m}$ and $c\in\mathbb{R}^n$."
    rows = [r"$$ B = A + c $$", r"$$ B_{ij} = A_{ij} + c_i $$"]
    assert [r.verdict for r in check("\n\n".join([text, *rows]), corrections=False).rows][
        -1
    ] == "proved"
