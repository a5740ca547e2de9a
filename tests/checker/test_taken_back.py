"""Equations in sentences that hold for a while: for a case, behind a formula, until taken back."""

from __future__ import annotations

import pytest

import symattn as sa

NUMBERS = r"Let $s, u, r, h \in \mathbb{R}$."
MATRICES = (
    r"Let $a \in \mathbb{R}$ and $q \in \mathbb{R}^n$ and $C, B \in \mathbb{R}^{n \times n}$."
)


def verdicts(*paragraphs: str) -> list[str]:
    rows = sa.check("\n\n".join(paragraphs), corrections=False).rows
    return [r.verdict for r in rows if "\n" not in r.latex]


@pytest.mark.parametrize("words", ["As long as $r = h$,", "as long as $r = h$,", "If $r = h$ then"])
def test_a_case_gives_no_name_a_meaning(words):
    found = verdicts(
        NUMBERS, words, r"$$ \max(r, h) = h $$", "In general,", r"$$ \max(r, h) + u = h + u $$"
    )
    assert "proved" not in found and found[-1] in ("refuted", "skipped", "conditional", "unproved")


def test_a_case_of_matrices_is_no_claim():
    right, wrong = (rf"$$ (C + B)^2 q = C^2 q {sign} 2 C B q + B^2 q $$" for sign in "+-")
    assert verdicts(MATRICES, "For $C B = B C$ we have", right) == ["unproved"]
    assert verdicts(MATRICES, "We get", wrong) == ["refuted"]


@pytest.mark.parametrize(
    ("behind", "refuted"),
    [
        (r"whenever $B^\top = -B$.", False),
        (r"if $B^\top = -B$.", False),
        (r"as long as $B$ is antisymmetric.", False),
        ("for all $q$.", True),
        ("We go on.", True),
    ],
)
def test_a_condition_behind_a_formula(behind, refuted):
    found = verdicts(MATRICES, r"Define $$ W = B^\top q . $$", r"Then $$ W = -B q $$", behind)
    assert ("refuted" in found) == refuted


@pytest.mark.parametrize(
    "words",
    [
        "The assumption $u^2 = s^2$ is not made here.",
        "From now on we no longer assume that $u^2 = s^2$.",
    ],
)
def test_what_is_taken_back_proves_nothing(words):
    first, second = r"$$ |u| = |s| $$", r"$$ |u| + h = |s| + h $$"
    assert verdicts(NUMBERS, "Here $u^2 = s^2$.", first, second)[1:] == ["proved", "proved"]
    found = verdicts(NUMBERS, "Here $u^2 = s^2$.", first, words, second)
    assert found[1] == "proved" and found[-1] == "conditional"


@pytest.mark.parametrize(
    ("fact", "verdict"), [("Recall that $s^2 = s$.", "unproved"), ("We go on.", "refuted")]
)
def test_an_equation_that_some_numbers_solve(fact, verdict):
    assert verdicts(NUMBERS, fact, r"$$ |s| = u + s - u $$")[-1] == verdict


def test_no_correction_rests_on_what_is_taken_back():
    sums = r"Let $z, x \in \mathbb{R}^n$. The setting is such that $\sum_i z_i = 1$."
    one, two = r"$$ (\sum_i z_i)^2 = 1 $$", r"Let $$ G = (\sum_i z_i)^2 . $$ We get $$ G = 2 $$"
    back = r"We now drop the assumption that $\sum_i z_i = 1$."
    for words, mended in (("We go on.", True), (back, False)):
        row = sa.check("\n\n".join((sums, one, words, two))).rows[-1]
        assert row.verdict == "refuted" and bool(row.correction) == mended


def test_what_words_say_of_a_matrix_alone_makes_no_slip_of_its_square():
    text = r"Let $q, x \in \mathbb{R}^n$ and $B \in \mathbb{R}^{n \times n}$. SAID"
    claim = r"$$ \max(q^\top B x, 1) = \max(q^\top B B x, 1) $$"
    for said in ("We assume that $B^2 = B$.", "We go on."):
        found = sa.check(text.replace("SAID", said) + "\n\n" + claim, corrections=False).rows[-1]
        assert (found.verdict == "refuted") == (said == "We go on.")


@pytest.mark.parametrize("words", ["Case 1: $b = s$. Then", "Case (a): $b = s$. Then"])
def test_a_case_with_a_number_is_a_case(words):
    said = [r"Let $b, s, u \in \mathbb{R}$.", words, r"$$ b + s = 2 s $$"]
    found = verdicts(*said, "In general,", r"$$ \max(b - s, u) = \max(0, u) $$")
    assert found[-1] != "proved"


def test_a_name_that_may_be_anything_again_keeps_no_equation():
    claim = r"$$ \sqrt{1 + (s^3)^2} = \sqrt{1 + (4 s)^2} $$"
    known = (NUMBERS, "It is known that $s^2 = 4$.", claim)
    assert verdicts(*known)[-1] == "proved"
    assert verdicts(*known, "In what follows $s$ may be anything.", claim)[-1] != "proved"
