"""Inequalities: each lemma beside what is one slip away from it."""

from __future__ import annotations

import pytest

from symattn import read
from symattn.checker import check
from symattn.checker.inequalities import Inequality, oriented
from symattn.stated import decide, stated

HEAD = r"""
<!-- symattn: positive T q; sizes s:(n) p:(n) q:(n) x:(n) -->
<!-- symattn: sizes u:(m) v:(m) W:(r,m) B:(m,m); assume \sum_i q_i = 1 -->
$$ p_i = \frac{e^{s_i}}{\sum_j e^{s_j}} $$

$$ H = -\sum_i p_i \log p_i $$

$$ M = \sum_i p_i x_i $$

"""

PROVED = [
    r"2 a b \le a^2 + b^2",
    r"a^2 + b^2 + c^2 \ge a b + b c + c a",
    r"0 \le p_i",
    r"0 < p_i",
    r"p_i \le 1",
    r"0 \le H",
    r"H \le \log n",
    r"\sum_i p_i \log\frac{p_i}{q_i} \ge 0",
    r"M^2 \le \sum_i p_i x_i^2",
    r"e^M \le \sum_i p_i e^{x_i}",
    r"M \le \max_j x_j",
    r"\left(\sum_i u_i v_i\right)^2 \leq \left(\sum_i u_i^2\right)\left(\sum_i v_i^2\right)",
    r"\max_j x_j \le \log \sum_j e^{x_j}",
    r"\log \sum_j e^{x_j} \le \max_j x_j + \log n",
    r"M + H \le \log \sum_j e^{x_j}",
    r"1 + a \le e^a",
    r"\log T \le T - 1",
    r"3.14 < \frac{22}{7}",
    r"\sum_{abr} u_a W_{ra} W_{rb} u_b \ge 0",
    r"\sum_{ijkl} B_{ij} B_{kj} B_{kl} B_{il} \ge 0",
    r"\sum_{ij} x_i \frac{\partial p_i}{\partial s_j} x_j \ge 0",
    r"-T \log \sum_j e^{x_j / T} \le -\max_j x_j",
    r"-\max_j x_j - T \log n \le -T \log \sum_j e^{x_j / T}",
]
WRONG = [
    r"a^2 + b^2 \ge 3 a b",
    r"a^2 + b^2 + c^2 \le a b + b c + c a",
    r"2 p_i \le 1",
    r"H \ge \log n",
    r"\sum_i p_i \log p_i \ge 0",
    r"M^2 \ge \sum_i p_i x_i^2",
    r"e^M \ge \sum_i p_i e^{x_i}",
    r"M \ge \max_j x_j",
    r"\left(\sum_i u_i v_i\right)^2 \leq \sum_i u_i^2 v_i^2",
    r"\log \sum_j e^{x_j} \le \max_j x_j",
    r"\max_j x_j + \log n \le \log \sum_j e^{x_j}",
    r"1 - a \ge e^a",
    r"\pi > \frac{22}{7}",
]
NEAR = [  # in a document such a line may state a condition
    r"\sum_{abr} u_a W_{ra} W_{rb} v_b \ge 0",
    r"\sum_{ijkl} B_{ij} B_{jk} B_{kl} B_{li} \ge 0",
    r"\sum_{ij} x_i \frac{\partial p_i}{\partial s_j} q_j \ge 0",
    r"-T \log \sum_j e^{x_j / T} \ge -\max_j x_j",
    r"-\max_j x_j - T \log 2 \le -T \log \sum_j e^{x_j / T}",
]


def verdict(latex: str, behind: str = "") -> tuple[str, str]:
    row = check(f"{HEAD}$$ {latex} $$\n\n{behind}\n", timeout=None, corrections=False).rows[-1]
    return row.verdict, row.reason


@pytest.mark.parametrize("latex", PROVED)
def test_what_holds_is_proved(latex: str) -> None:
    assert verdict(latex)[0] == "proved"


@pytest.mark.parametrize("latex", WRONG)
def test_what_does_not_hold_is_refuted(latex: str) -> None:
    assert verdict(latex)[0] == "refuted"


@pytest.mark.parametrize("latex", NEAR)
def test_near_misses_are_claims_that_are_refuted(latex: str) -> None:
    (claim,) = stated(("near", latex), read(HEAD))
    assert decide(claim).status == "refuted"
    low, high, strict = oriented(claim.left, claim.right, claim.relation)
    assert Inequality(low, high, strict, claim.letters, claim.given).proof() == ""


def test_values_that_break_it_are_those_of_the_authors_sides() -> None:
    row = check(f"{HEAD}$$ M^2 \\ge \\sum_i p_i x_i^2 $$", corrections=False).rows[-1]
    assert row.counterexample is not None
    assert row.counterexample["lhs"] < row.counterexample["rhs"]
    assert "the other way round it is proved" in row.reason


@pytest.mark.parametrize("latex", [r"\eta \le \frac{1}{L}", r"n \ge 2", r"a \le b"])
def test_a_condition_is_no_claim(latex: str) -> None:
    found, reason = verdict(latex)
    assert found == "skipped"
    assert reason.startswith("it may be a condition")


def test_equality_at_a_point_refutes_nothing() -> None:
    found, reason = verdict(r"1 + a < e^a")
    assert found == "conditional"
    assert reason == "true where the two sides differ: it is proved with equality allowed"


def test_two_lemmas_together() -> None:
    text = r"""
<!-- symattn: sizes x:(d) y:(d) s:(n) r:(n); positive beta -->
$$ p_j = \frac{e^{s_j}}{\sum_l e^{s_l}} $$
$$ h = \log \sum_l e^{r_l} - \sum_j p_j r_j + \sum_j p_j \log p_j $$
$$ f = h + 2 \sum_a (x_a^2 + y_a^2 + 2 x_a y_a) $$
$$ g = f - 3 \sum_a (x_a + y_a)^2 $$

$$ f \ge 0 $$

$$ g \ge 0 $$
"""
    rows = [r for r in check(text, corrections=False) if r.kind != "definition"]
    assert [r.verdict for r in rows] == ["proved", "refuted"]
    assert rows[0].reason == "by Gibbs and squares"


@pytest.mark.parametrize("behind", ["for $a b \\le 0$.", "where $a$ and $b$ differ in sign."])
def test_words_behind_it_may_be_a_condition(behind: str) -> None:
    latex = r"(a + b)^2 \le a^2 + b^2"
    assert verdict(latex)[0] == "refuted"
    assert verdict(latex, behind)[0] == "unproved"


def test_an_unknown_number_of_values_is_a_condition() -> None:
    assert verdict(r"\log \sum_j e^{x_j} \le \max_j x_j + \log N") == (
        "conditional",
        "true if N = n, the number of values that are summed",
    )
    assert verdict(r"\log \sum_j e^{x_j} \le \max_j x_j - \log N")[0] != "conditional"


def test_weights_that_do_not_sum_to_one_have_no_lemma() -> None:
    """Without Σ w = 1 a mean may pass the maximum."""
    text = "<!-- symattn: positive w; sizes w:(n) x:(n) -->\n\n"
    assert (
        check(text + r"$$ \sum_i w_i x_i \le \max_j x_j $$", corrections=False).rows[-1].verdict
        != "proved"
    )
    assumed = text.replace(" -->", r"; assume \sum_i w_i = 1 -->")
    assert (
        check(assumed + r"$$ \sum_i w_i x_i \le \max_j x_j $$", corrections=False).rows[-1].verdict
        == "proved"
    )


def test_samples_veto_a_lemma(monkeypatch: pytest.MonkeyPatch) -> None:
    """A lemma that is wrong proves nothing that numbers break."""
    monkeypatch.setattr(Inequality, "proof", lambda self: "a wrong lemma")
    assert verdict(r"M^2 \ge \sum_i p_i x_i^2")[0] == "refuted"


@pytest.mark.parametrize("latex", [r"x_n \sim \frac{1}{n}", r"a \ll b", r"y \propto a"])
def test_other_relations_are_refused_with_words(latex: str) -> None:
    found, reason = verdict(latex)
    assert found == "skipped"
    assert reason


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (r"For $a, b > 0$ $$ a b + 1 \ge 1 $$", "proved"),
        (r"The means of $a, b > 0$ obey $$ \sqrt{a b} \le \frac{a + b}{2} $$", "unproved"),
        (r"The means of $a, b > 0$ obey $$ \sqrt{a b} \le \frac{a + b}{8} $$", "refuted"),
        (r"For $p \in [0, 1]$ $$ p^2 \le p $$", "unproved"),
        (r"$$ \sqrt{a b} \le \frac{a + b}{2} $$", "unproved"),
        (r"$$ a b \le \frac{a + b}{2} $$", "refuted"),
    ],
)
def test_ranges_that_the_words_give(text: str, expected: str) -> None:
    assert check(text, corrections=False).rows[-1].verdict == expected
