"""Tables of numbers, with a comment that says the columns and without one."""

from __future__ import annotations

import json

import numpy as np
import pytest

from symattn.checker import Report, check
from symattn.checker.arithmetic import value
from symattn.errors import FormulaError

COMMENT = "<!-- symattn: table S=[2,1,0]; T -> softmax(S/T), entropy(softmax(S/T)) -->\n\n"
ROWS = [
    ("0.5", "[0.867, 0.117, 0.016]", "0.44"),
    ("1", "[0.665, 0.245, 0.090]", "0.80"),
    ("2", "[0.506, 0.307, 0.186]", "1.02"),
    ("∞", "[0.333, 0.333, 0.333]", "1.10"),
]
MARKDOWN = "| T | Weights | Entropy |\n|---|---|---|\n" + "\n".join(
    f"| {' | '.join(r)} |" for r in ROWS
)
TABS = "T\tWeights\tEntropy\n" + "\n".join("\t".join(r) for r in ROWS)


def verdicts(text: str) -> list[tuple[int, str]]:
    return [(r.line, r.verdict) for r in check(text) if r.kind == "table"]


def table(report: Report) -> list[str]:
    return [r.correction for r in report if r.kind == "table"]


@pytest.mark.parametrize(("text", "first"), [(MARKDOWN, 5), (TABS, 4)])
def test_rows_are_decided(text: str, first: int) -> None:
    found = verdicts(COMMENT + text + "\n")
    assert found == [
        (first, "proved"),
        (first + 1, "refuted"),
        (first + 2, "proved"),
        (first + 3, "proved"),
    ]


def test_the_correction_is_the_row_as_it_should_be() -> None:
    assert table(check(COMMENT + MARKDOWN))[1] == "| 1 | [0.665, 0.245, 0.090] | 0.83 |"
    assert table(check(COMMENT + TABS))[1] == "1\t[0.665, 0.245, 0.090]\t0.83"


def test_plain_headings_need_the_scores_and_a_row_that_comes_out() -> None:
    told = "For scores $S = [2, 1, 0]$:\n\n" + MARKDOWN
    assert [v for _, v in verdicts(told)] == ["proved", "refuted", "proved", "proved"]
    assert verdicts(MARKDOWN) == []  # nothing says what is weighed
    assert verdicts(told.replace("[2, 1, 0]", "[5, 1, 3]")) != []  # ∞ comes out all the same
    other = told.replace("[2, 1, 0]", "[5, 1, 3]").replace("∞", "4")
    assert verdicts(other) == []  # no row comes out, so the columns are something else


def test_tabular() -> None:
    text = (
        "% symattn: table x -> x^2, sqrt(x)\n\\begin{tabular}{ccc}\n\\hline\n"
        "$x$ & $x^2$ & root \\\\ \\hline\n2 & 4 & 1.41 \\\\\n3 & 8 & 1.73 \\\\\n\\end{tabular}\n"
    )
    assert verdicts(text) == [(5, "proved"), (6, "refuted")]


def test_notebook() -> None:
    cell = {"cell_type": "markdown", "metadata": {}, "source": [COMMENT, "| T | W | H |\n"]}
    cell["source"] += [f"| {' | '.join(r)} |\n" for r in ROWS[:2]]
    book = {"cells": [cell], "metadata": {}, "nbformat": 4, "nbformat_minor": 5}
    assert [v for _, v in verdicts(json.dumps(book, indent=1))] == ["proved", "refuted"]


@pytest.mark.parametrize(
    ("comment", "reason"),
    [
        ("table T", "the comment says no columns"),
        ("table T -> foo(T), T", "foo is not known"),
        ("table T -> softmax(T, T", "3 cells, and 2 columns are said"),
        ("table S=[2; T -> T, T", "] is missing"),
        ("table T -> T, T, T, T", "3 cells, and 5 columns are said"),
        ("table T -> __import__(T), T", "__import__ is not known"),
        ("table S=[2,1]; T -> softmax(S/T), T", "has no value like"),
    ],
)
def test_what_cannot_be_checked_is_said(comment: str, reason: str) -> None:
    found = [r for r in check(f"<!-- symattn: {comment} -->\n\n{MARKDOWN}") if r.kind == "table"]
    assert found
    assert all(r.verdict == "skipped" and reason in r.reason for r in found), found


def test_arithmetic_against_numpy() -> None:
    s = np.array([0.3, -1.2, 2.0, 0.5])
    p = np.exp(s) / np.exp(s).sum()
    known = {"S": s, "T": 0.7, "q": np.full(4, 0.25)}
    for formula, wanted in [
        ("2 + 3*4 - 6/4", 12.5),
        ("-2^2", -4.0),
        ("2^-1", 0.5),
        ("(1 + 2) * (T - 1)", -0.9),
        ("[1, 2, 3] / 2", [0.5, 1.0, 1.5]),
        ("softmax(S)", p),
        ("entropy(softmax(S))", -(p * np.log(p)).sum()),
        ("kl(softmax(S), q)", (p * np.log(p / 0.25)).sum()),
        ("lse(S/T)*T", 0.7 * np.log(np.exp(s / 0.7).sum())),
        ("norm(S)", np.linalg.norm(s)),
        ("dot(S, q)", s.mean()),
    ]:
        np.testing.assert_allclose(value(formula, known), wanted, rtol=1e-12)


@pytest.mark.parametrize("formula", ["(" * 50 + "1", "1 +", "1 2", "x", "S.T", "softmax(1, 2)"])
def test_arithmetic_refuses_the_rest(formula: str) -> None:
    with pytest.raises(FormulaError):
        value(formula, {})


def test_nothing_times_infinity() -> None:
    mask = (
        "$$ M^{ij} = \\begin{cases} 1 & \\text{if } j \\le i \\\\ 0 & \\text{otherwise}"
        " \\end{cases} $$\n\n"
    )
    claim = "$$ S^{ij} \\leftarrow S^{ij} + (1 - M^{ij}) \\cdot (-\\infty) $$"
    row = check(mask + claim).rows[-1]
    assert (row.verdict, row.correction) == ("malformed", r"S^{ij} + \log M^{ij}")
    assert check(claim).rows[-1].verdict == "skipped"  # nothing says that M is a mask
