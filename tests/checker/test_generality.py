"""What is said of some A, or in a case, proves nothing of any A, and nothing elsewhere."""

from __future__ import annotations

import pytest

import symattn as sa


def last(*parts: str) -> str:
    return sa.check("\n\n".join(parts), corrections=False).rows[-1].verdict


@pytest.mark.parametrize(
    ("some", "any_", "claim"),
    [
        ("For symmetric $A$, this is short.", "For any $A$,", r"x_i A_{ij} y_j = x_i A_{ji} y_j"),
        ("For a symmetric matrix $A$ this is short.", "For any square matrix $A$,",
         r"x_i A_{ij} y_j = x_i A_{ji} y_j"),
        ("Symmetric matrices $A$ are easy.", "For all real matrices $A$ we have",
         r"x_i A_{ij} y_j = x_i A_{ji} y_j"),
        ("It is easy for orthogonal matrices $D$.", "In general,",
         r"D_{ij} D_{ik} = \delta_{jk}"),
        (r"Let $|b| < 1$.", "For every $b$,", r"\sqrt{(1 - b)^2} = 1 - b"),
    ],
)  # fmt: skip
def test_words_that_speak_of_any_are_not_proved_by_those_that_speak_of_some(
    some: str, any_: str, claim: str
) -> None:
    assert last(some, f"{any_}\n\n$$ {claim} $$") == "conditional"
    assert last(some, f"Then\n\n$$ {claim} $$") == "proved"


@pytest.mark.parametrize(
    ("said", "claim"),
    [
        (r"Let $q$ be a vector, where $\sum_i q_i = 1$. For all $z$,", r"\sum_i q_i z = z"),
        (r"Let $q$ be a vector, where $\sum_i q_i = 1$. In general,", r"\sum_i q_i z = z"),
        (r"Let $A$ be symmetric. For any such $A$,", r"x_i A_{ij} y_j = x_i A_{ji} y_j"),
        (r"It is easy for symmetric $A$. For any symmetric $A$,",
         r"x_i A_{ij} y_j = x_i A_{ji} y_j"),
        (r"Let $A$ be symmetric. For any $A$,", r"(x_i + y_i) A_{ij} = x_i A_{ij} + y_i A_{ij}"),
    ],
)  # fmt: skip
def test_what_is_said_throughout_proves_what_is_said_of_others(said: str, claim: str) -> None:
    assert last(said, f"$$ {claim} $$") == "proved"


def test_a_fact_in_a_case_counts_right_behind_it() -> None:
    case = r"Let $p$ be a vector. For $g < 1$, where $\sum_i p_i = 1$, it is short:"
    claim = r"$$ \sum_i p_i y = y $$"
    far = ["The text goes on.", "And on.", "And on."]
    assert last(case, claim) == "proved"
    assert last(case, *far, claim) != "proved"
    assert last(case.replace("For $g < 1$, where", "Here"), *far, claim) != "refuted"
    throughout = case.replace("For $g < 1$, where", "For short we scale it, so that")
    assert last(throughout.replace("so that", "where"), *far, claim) == "proved"


def test_what_is_said_for_some_counts_near_it() -> None:
    claim = r"$$ x_i A_{ij} y_j = x_i A_{ji} y_j $$"
    far = ["The text goes on.", "And on.", "And on."]
    assert last("For symmetric $A$ it is short.", *far, claim) == "conditional"
    assert last("For symmetric $A$ it is short.", claim) == "proved"
    assert last("Let $A$ be symmetric. For symmetric $A$ it is short.", *far, claim) == "proved"
    assert last("Let $A$ be a symmetric matrix.", *far, claim) == "proved"


@pytest.mark.parametrize(
    ("words", "proved"),
    [
        (r"We do not assume $\sum_i w_i = 1$.", False),
        (r"If we assume $\sum_i w_i = 1$, more can be said.", False),
        (r"There is no reason to assume $\sum_i w_i = 1$.", False),
        (r"We assume $\sum_i w_i = 1$.", True),
        (r"The scale does not matter, since $\sum_i w_i = 1$.", True),
    ],
)
def test_what_is_not_assumed_is_no_fact(words: str, proved: bool) -> None:
    found = last(rf"Let $w \in \mathbb{{R}}^n$. {words}", r"$$ t \sum_j w_j = t $$")
    assert (found == "proved") == proved


SIGNED = r"$$ F = \sqrt{a^2} + b . $$"


@pytest.mark.parametrize(
    ("words", "verdict"),
    [
        ("For any $a$,", "conditional"),
        ("We return to the general case, in which", "conditional"),
        ("Without any assumption on $a$,", "conditional"),
        ("We now drop this assumption. Then", "conditional"),
        ("In what follows $a$ may be anything. Then", "conditional"),
        ("For all $a > 0$ we have", "proved"),
        ("We now drop the index $t$. Then", "proved"),
        ("For any $b$,", "proved"),
    ],
)
def test_a_sign_in_a_case_proves_nothing_of_any(words: str, verdict: str) -> None:
    said = "For $a > 0$ we have"
    assert last(SIGNED, said, "$$ F = a + b $$", words, "$$ F = a + b $$") == verdict


def test_what_needs_no_sign_is_proved_of_any() -> None:
    said = "For $a > 0$ this is short. For any $a$,"
    assert last(r"$$ F = (a + b)^2 . $$", said, "$$ F = a^2 + 2 a b + b^2 $$") == "proved"


def test_what_a_proof_rests_on_needs_no_more_than_it_says() -> None:
    case = r"If $\sum_i x_i = 1$, then"
    parts = [r"$$ F = \sum_i a x_i . $$", case, "$$ F = a $$", "In general,", "$$ F^2 = a^2 $$"]
    assert last(*parts) == "conditional"
    here = r"Here $\sum_i x_i = 1$ holds, and"
    parts[1:2], parts[3:4] = [here.replace("Here", "Recall that")], ["Then"]
    assert last(*parts) == "proved"


def test_a_condition_behind_a_claim_is_none_that_it_goes_on_from() -> None:
    first, claim, said = r"$$ T = r g^3 . $$", "$$ T = r g $$", "$$ g (1 - g) = 0 $$"
    rows = sa.check("\n\n".join([first, "Then", claim, "Now", said]), corrections=False).rows
    assert rows[1].verdict != "proved"
    rows = sa.check("\n\n".join([said, first, "Then", claim]), corrections=False).rows
    assert rows[2].verdict == "proved" and rows[2].assumed == ("with what line 1 says",)


SQUARE, TURNED = r"Let $A \in \mathbb{R}^{n \times n}$", r"x^\top A y = y^\top A x"


@pytest.mark.parametrize(
    ("first", "second", "claim", "verdict"),
    [
        (rf"{SQUARE} be symmetric.", rf"{SQUARE} be any matrix.", TURNED, "conditional"),
        (rf"{SQUARE} be symmetric.", rf"{SQUARE} be symmetric, too.", TURNED, "proved"),
        (rf"{SQUARE} be symmetric.", "We go on.", TURNED, "proved"),
        (r"Let $\lambda > 0$.", r"Let $\lambda$ be an eigenvalue, possibly negative.",
         r"\sqrt{\lambda^2} = \lambda", "conditional"),
        (r"Let $\lambda > 0$.", r"Let $\lambda > 1$.", r"\sqrt{\lambda^2} = \lambda", "proved"),
    ],
)  # fmt: skip
def test_a_name_that_a_section_introduces_again_is_free_there(first, second, claim, verdict):
    text = f"# One\n\n{first}\n\n$$ {claim} $$\n\n# Two\n\n{second}\n\n$$ {claim} $$\n"
    rows = sa.check(text, corrections=False).rows
    assert [r.verdict for r in rows if "top" in r.latex or "sqrt" in r.latex] == ["proved", verdict]
