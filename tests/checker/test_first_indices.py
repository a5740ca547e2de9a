r"""Sums from 0 and from 1 in one formula, and sums in sums: what is right beside one slip away."""

from __future__ import annotations

import pytest

import symattn as sa

RIGHT_AND_WRONG = [
    (r"\sum_{i=0}^{n-1} \sum_{j=1}^{i} 1", r"\frac{n (n - 1)}{2}", r"\frac{n (n + 1)}{2}"),
    (r"\sum_{i=1}^{n} \sum_{j=0}^{i-1} 1", r"\frac{n (n + 1)}{2}", r"\frac{n (n - 1)}{2}"),
    (r"\sum_{i=1}^{n} \sum_{j=0}^{i} 1", r"\frac{n (n + 3)}{2}", r"\frac{n (n + 1)}{2}"),
    (r"\sum_{i=0}^{n-1} \sum_{j=i+1}^{n-1} 1", r"\frac{n (n - 1)}{2}", r"\frac{n (n + 1)}{2}"),
    (r"\sum_{i=0}^{n-1} \sum_{j=i}^{n-1} 1", r"\frac{n (n + 1)}{2}", r"\frac{n (n - 1)}{2}"),
    (r"\sum_{i=0}^{n} \sum_{j=i+1}^{n} x", r"\frac{x n (n + 1)}{2}", r"\frac{x n (n - 1)}{2}"),
    (r"\sum_{i=2}^{n} \sum_{j=1}^{i-1} 1", r"\frac{n (n - 1)}{2}", r"\frac{n (n + 1)}{2}"),
    (r"\sum_{i=1}^{n} \sum_{j=0}^{n} [j < i]", r"\frac{n (n + 1)}{2}", r"\frac{n (n - 1)}{2}"),
    (r"\sum_{i=1}^{n} \sum_{j=0}^{n-1} [j = i]", "n - 1", "n"),
    (r"\sum_{i=1}^{n} \sum_{j=0}^{n-1} [j \ne i]", "n^2 - n + 1", "n^2 - n"),
    (r"\sum_{i=1}^{n} \sum_{j=0}^{n-1} (i - j)", "n^2", "0"),
    (r"\sum_{i=1}^{n} \sum_{j=0}^{n-1} (i - j - 1)", "0", "n"),
    (r"\sum_{i=1}^{n} \sum_{j=1}^{n} (i + j)", "n^2 (n + 1)", "n (n + 1)"),
    (r"\sum_{i=1}^{n} \sum_{j=1}^{i} (i + j)", r"\frac{n (n + 1)^2}{2}", r"\frac{n^2 (n + 1)}{2}"),
    (r"\sum_{k=0}^{n} \sum_{l=0}^{n-k} 1", r"\frac{(n + 1) (n + 2)}{2}", r"\frac{n (n + 1)}{2}"),
    (
        r"\sum_{i=1}^{n} \sum_{j=0}^{i-1} x_j",
        r"\sum_{j=0}^{n-1} (n - j) x_j",
        r"\sum_{j=0}^{n-1} (n - j - 1) x_j",
    ),
    (r"\sum_{i=1}^{n} i", r"\sum_{i=0}^{n-1} (i + 1)", r"\sum_{i=0}^{n-1} i"),
    (
        r"\sum_{1 \le i < j \le n} x_i x_j",
        r"\frac{1}{2} (\sum_{i=1}^n x_i)^2 - \frac{1}{2} \sum_{i=1}^n x_i^2",
        r"(\sum_{i=1}^n x_i)^2 - \sum_{i=1}^n x_i^2",
    ),
    (r"\sum_{1 \le i \le j \le n} 1", r"\frac{n (n + 1)}{2}", r"\frac{n (n - 1)}{2}"),
    (r"\sum_{0 \le i < j < n} 1", r"\frac{n (n - 1)}{2}", r"\frac{n (n + 1)}{2}"),
    (r"\sum_{1 \le k < n} k", r"\frac{n (n - 1)}{2}", r"\frac{n (n + 1)}{2}"),
    (r"\sum_{k=n}^{2 n} a", "(n + 1) a", "n a"),
    (r"\sum_{k=n+1}^{2 n} a", "n a", "(n + 1) a"),
    (
        r"\sum_{i=1}^{n} \sum_{j=1}^{n-i} x_i",
        r"\sum_{i=1}^{n} (n - i) x_i",
        r"\sum_{i=1}^{n} (n - i + 1) x_i",
    ),
    (
        r"\sum_{i=0}^{n} \sum_{j=0}^{m} a^i b^j",
        r"\frac{(1 - a^{n+1}) (1 - b^{m+1})}{(1 - a) (1 - b)}",
        r"\frac{(1 - a^{n+1}) (1 - b^{m})}{(1 - a) (1 - b)}",
    ),
]


@pytest.mark.parametrize(("left", "right", "wrong"), RIGHT_AND_WRONG)
def test_letters_are_compared_as_their_author_counts_them(left, right, wrong):
    found = [
        sa.check(f"$$ {left} = {side} $$", corrections=False).rows[0] for side in (right, wrong)
    ]
    assert [r.verdict for r in found] == ["proved", "refuted"]


@pytest.mark.parametrize("right", [r"\sum_{i=0}^{n-1} x_i", r"\sum_{i=0}^{n-1} x_{i+1}"])
def test_an_array_that_is_counted_from_0_and_from_1_is_not_taken_for_one(right):
    assert (
        sa.check(rf"$$ \sum_{{i=1}}^{{n}} x_i = {right} $$", corrections=False).rows[0].verdict
        == "skipped"
    )


@pytest.mark.parametrize(
    ("left", "right", "verdict"),
    [
        (
            r"\sum_{i=1}^{n} \sum_{j=i-1}^{n} \tanh(x_i)",
            r"\sum_{i=1}^{n} (n - i + 2) \tanh(x_i)",
            "skipped",
        ),
        (
            r"\sum_{i=1}^{n} \sum_{j=1}^{n-i} \tanh(x_i)",
            r"\sum_{i=1}^{n} (n - i) \tanh(x_i)",
            "unproved",
        ),
        (
            r"\sum_{i=1}^{n} \sum_{j=i+1}^{n} \tanh(x_i)",
            r"\sum_{i=1}^{n} (n - i) \tanh(x_i)",
            "proved",
        ),
        (
            r"\sum_{i=1}^{n} \sum_{j=1}^{i+1} \tanh(x_i)",
            r"\sum_{i=1}^{n} (i + 1) \tanh(x_i)",
            "proved",
        ),
    ],
)
def test_what_runs_out_of_an_axis_refutes_nothing(left, right, verdict):
    assert sa.check(f"$$ {left} = {right} $$", corrections=False).rows[0].verdict == verdict


def test_a_sum_in_two_parts_is_not_malformed():
    parts = r"$$ \sum_{i=1}^{n} x_i = \sum_{i=1}^{m} x_i + \sum_{i=m+1}^{n} x_i $$"
    assert sa.check(parts, corrections=False).rows[0].verdict == "skipped"
    two = r"Let $x \in \mathbb{R}^n$. $$ \sum_{i=1}^{n} x_i^2 = \sum_{j=1}^{m} x_j^2 $$"
    assert sa.check(two, corrections=False).rows[0].verdict == "malformed"
