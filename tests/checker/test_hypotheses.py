"""What a sentence supposes is true of what it concludes, and of nothing else."""

from __future__ import annotations

import pytest

import symattn as sa

NAMES = (
    r"Let $A, B \in \mathbb{R}^{n \times n}$ and $x, y \in \mathbb{R}^n$, and let $a$, $b$ and $c$ "
    "be real numbers."
)


def rows(*sentences):
    text = "\n\n".join([NAMES, *sentences])
    return [r for r in sa.check(text, corrections=False, timeout=None).rows if r.line > 1]


def verdicts(*sentences):
    return [r.verdict for r in rows(*sentences)]


@pytest.mark.parametrize(
    ("sentence", "verdict"),
    [
        (r"If $A B = B A$, then $(A + B)^2 = A^2 + 2 A B + B^2$.", "proved"),
        (r"If $A B = B A$, then $(A + B)^2 = A^2 + A B + B^2$.", "refuted"),
        (r"If $A^\top A = I$, we have $\|A x\|^2 = \|x\|^2$.", "proved"),
        (r"If $A^\top A = I$, we have $\|A x\|^2 = 2 \|x\|^2$.", "refuted"),
        (r"$\|x + y\|^2 = \|x\|^2 + \|y\|^2$ whenever $x^\top y = 0$.", "proved"),
        (r"$\|x + y\|^2 = \|x\|^2 - \|y\|^2$ whenever $x^\top y = 0$.", "refuted"),
        ("If $a + b + c = 0$, then clearly\n\n$$ a^3 + b^3 + c^3 = 3 a b c. $$", "proved"),
        ("If $a + b + c = 0$, then clearly\n\n$$ a^3 + b^3 + c^3 = 2 a b c. $$", "refuted"),
        ("If $a = 2 b$ and $b = 3 c$, then $a c = 6 c^2$.", "proved"),
        ("If $a = 2 b$ and $b = 3 c$, then $a c = 5 c^2$.", "refuted"),
        (r"As long as $\sum_i x_i = 1$, it follows that $\sum_{i j} x_i x_j = 1$.", "proved"),
        (r"As long as $\sum_i x_i = 1$, it follows that $x^\top x = 1$.", "refuted"),
        ("If $a = 2 b$, then $a c = 6 b$, where $c = 3$.", "proved"),
        (r"Moreover, if $\sum_i x_i = \sum_i y_i$, then $\sum_i (x_i - y_i) = 0$.", "proved"),
    ],
)
def test_what_follows_is_proved_and_what_does_not_is_refuted(sentence, verdict):
    assert verdicts(sentence) == [verdict]


def test_what_is_supposed_is_shown():
    found = rows("If $a b = 1$, then $a b c = c$.")[-1]
    assert found.assumed[0] == "what its sentence supposes: a b = 1"


@pytest.mark.parametrize(
    "sentence",
    [
        "If $a = 2 b$ or $c = 0$, then $a c = 2 b c$.",  # one of them
        "We have $a c = 3 b c$ if $a = 2 b$ or if $c = 0$.",
        "We have $a c = 2 b c$ only if $a = 2 b$.",
        "Unless $a = 2 b$, we have $a c = 2 b c$.",
        "If $a = 2 b$, then $a c = 3 b c$ has the solution $c = 0$.",  # which nobody claims
        "If $a = 2 b$, then $a c = 3 b c$ and $c = 0$ are equivalent.",
        "If $a = 2 b$, $a c = 3 b c$ and $b = 1$, then $c^2 = 0$.",  # is supposed as well
        "If $a = 2 b$ and the load is small, then $a c = 3 b c$.",
        "If $a = 2 b$, then $a c = 3 d$.",  # of a d that nothing says anything of
        "If $3 a = b$, then $a c = 0.33 b c$.",  # a rounded number
        "For small $b$ we have $a c = 3 b c$ if $a = 2 b$.",  # and under what is said before
        "If $a <= 2 b$, then $a c = 2 b c$.",
        "If $2 a <= b$, then $2 a c = 3 b c$.",
        r"If $A - B$ and $A + B$ commute, then $A B = B A$.",  # which are no names
        r"If $A + I$ is symmetric, then $A x = A^\top x$.",
        r"If $x^\top y = 0$, then $a^2 + b^2 = 2 a b$.",  # of something else
        "If $a = 2 b$ and $g(c) = 1$, then $a c = 3 b c$.",  # of which one is not read
    ],
)
def test_what_supposes_more_or_less_is_left_open(sentence):
    assert {"proved", "refuted"}.isdisjoint(verdicts(sentence))


def test_what_is_supposed_before_a_display_is_no_conclusion():
    for first in ("$a = 2 b$, $a c = 3 b c$", "$a = 2 b$, $b c = 0$ and $c a = 3 b$"):
        found = rows(f"If {first},\n\n$$ b c^2 = 0. $$")
        assert {"proved", "refuted"}.isdisjoint(r.verdict for r in found if r.latex != "b c^2 = 0")


def test_it_holds_in_its_sentence_alone():
    found = verdicts("If $a = 2 b$, then $a^2 = 4 b^2$.", "$(a + b)^2 = 9 b^2$ whenever $b c = 1$.")
    assert found[0] == "proved" and found[1] != "proved"
    found = verdicts(r"We have $A^\top = A$ if $B = I$.", r"Hence $x^\top A y = y^\top A x$.")
    assert found[1] == "conditional"
    found = verdicts(
        r"If $a = 2 b$, then $a b c = 3 a c$, where $\sum_i x_i = 1$.",
        r"We have $\sum_{i j} x_i x_j = 1$.",
    )
    assert found[-1] not in ("proved", "refuted")
    found = verdicts(
        "If $A B = B A$, then $A - A^2 = 0$, where $A^2 = A$.",
        "$(I - A)^2 = I - A$ whenever the matrix $A$ is antisymmetric.",
    )
    assert found[0] == "proved" and found[-1] not in ("proved", "refuted")
    found = verdicts(r"$x^\top y = 1$ if $a = 2 b$.", r"Here $2 x^\top y = 2$.")
    assert found[-1] == "conditional"


@pytest.mark.parametrize(
    ("text", "verdict"),
    [
        ("Let $y = 3 x$. If $y = x^2$, then $y z = x^2 z$.", "proved"),
        ("Let $y = 3 x$. If $y = 6$, then $x z = 3 z$.", "refuted"),
        (r"Let $s = \sum_i w_i$. If $s = 1$, then $\sum_i 2 w_i = 3$.", "refuted"),
    ],
)
def test_what_is_supposed_of_what_is_defined(text, verdict):
    assert sa.check(text, corrections=False).rows[-1].verdict == verdict


def test_what_is_supposed_of_one_component_proves_nothing_of_all():
    text = "Let $L_i = y_i x_i$. If $y_i = 1$, then "
    said = [sa.check(f"{text}${c}$.").rows[-1].verdict for c in (r"L_i = x_i", r"L_i = 2 x_i")]
    assert said[0] != "proved" and said[1] == "refuted"


def test_a_slope_at_a_place_is_not_one_of_a_fixed_point():
    text = r"Let $f = x^2 + x y$. If {}, then $\frac{{\partial f}}{{\partial x}} = {}$."
    for supposed, slope, proved in (
        ("$x = 3$", "6 + y", True), ("$x = 3$", "0", False), ("$x = y$", "4 x", False),
        ("$x = y$", "3 x", False),
    ):  # fmt: skip
        found = sa.check(text.format(supposed, slope), corrections=False).rows[-1].verdict
        assert (found == "proved") == proved and found != "refuted"


def test_a_counterexample_satisfies_what_is_supposed():
    found = rows("If $a = b$, then $a^2 - b^2 = 1$.")[-1]
    assert (found.verdict, found.reason) == ("refuted", "left 0, right 1 at a sampled point")


def test_zero_is_zero_proves_nothing():
    found = rows("We have $2 b c = b^2 c$ if $b = 0$.")[-1]
    assert (found.verdict, found.reason) == ("unproved", "with what is supposed it is 0 = 0")


def test_what_follows_from_an_open_claim_is_conditional():
    text = r"Let $A$ be symmetric. It follows that $x^\top A x = x^\top A^2 x$. "
    found = sa.check(text + r"We have $x^\top A x = \|A x\|^2$.", corrections=False).rows
    assert [r.verdict for r in found] == ["skipped", "conditional"]


def test_a_sentence_that_begins_with_what_it_takes_for_true_says_nothing_before_it():
    found = verdicts(
        "$A = A^3$ if $a b = 1$, and also if $a c = 1$.", "With $A^2 = I$ we have $A^4 = I$."
    )
    assert found[0] != "proved"


def test_what_is_supposed_is_made_of_what_is_defined():
    text = "Let $b = 2 c$. If $a = b$, then "
    said = [sa.check(f"{text}${c}$.").rows[-1].verdict for c in ("a c = 2 c^2", "a c = 3 c^2")]
    assert said == ["proved", "refuted"]


@pytest.mark.parametrize(
    "text",
    [
        r"Consider the QR decomposition. If $A = Q R$, then $A^\top A = R^\top R$.",
        r"The columns of $U$ are orthonormal. If $A = U B$, then $A^\top A = B^\top B$.",
        r"If $A = U \Sigma V^\top$, then $A^\top A = V \Sigma^2 V^\top$.",
    ],
)
def test_factors_that_a_sentence_brings_in_may_be_of_any_kind(text):
    assert sa.check(text, corrections=False).rows[-1].verdict == "skipped"


CASES = r"Let $q, z \in \mathbb{R}^n$. Define $K = \|q + z\|^2$." + "\n\n"


@pytest.mark.parametrize("head", ["Case 1: ", "**Case 1.** ", "Case A. "])
def test_a_numbered_case_supposes_what_it_begins_with(head):
    case = CASES + head + r"$q^\top z = 0$. Then $K = {}\|q\|^2 + \|z\|^2$."
    said = [sa.check(case.replace("{}", k), corrections=False).rows[-1] for k in ("", "2 ")]
    assert [r.verdict for r in said] == ["proved", "refuted"]


def test_every_case_has_what_is_said_before_them():
    first = "Case 1: $q^\\top z = 0$. Then\n\n$$ K = \\|q\\|^2 + \\|z\\|^2 $$\n\n"
    said = [
        sa.check(CASES + first + f"Case 2: $q = z$. Then $K = {k} \\|q\\|^2$.", corrections=False)
        for k in (4, 3)
    ]
    right, wrong = ([r.verdict for r in found.rows[1:]] for found in said)
    assert right == ["proved", "proved"] and wrong[1] != "proved"
    text = "**Case I.** $x = 3$. Then $x^2 = 9$.\n\n**Case II.** $x = 4$. Then $x^2 = 9$."
    assert "proved" not in [r.verdict for r in sa.check(text, corrections=False).rows]


def test_what_another_case_says_proves_nothing_and_an_unread_one_refutes_nothing():
    first = "Case 1: $q^\\top z = 0$. Then\n\n$$ K = 2\\|q\\|^2 + \\|z\\|^2 $$\n\n"
    text = CASES + first + "Case 2: $q = z$. Then\n\n$$ K = 3 \\|q\\|^2 $$"
    assert sa.check(text, corrections=False).rows[-1].verdict not in ("proved", "refuted")
    text = CASES + r"Case 1: $q$ is small. Then $K = \|z\|^2$."
    assert sa.check(text, corrections=False).rows[-1].verdict not in ("proved", "refuted")


def test_a_name_of_another_section_is_another_one():
    text = "## One\n\nLet $x \\in \\mathbb{R}^n$ and $a = x^\\top x$.\n\n## Two\n\n"
    text += "Now $x$ and $y$ are numbers. If $y = 2 x$, then $x y = 2 x^2$."
    assert sa.check(text, corrections=False).rows[-1].verdict != "refuted"
