"""A second equation for a name under another heading: what one slip separates from the first."""

from __future__ import annotations

import json
from functools import cache

import pytest

import symattn as sa
from symattn.checker import again
from symattn.checker.edits import tokens
from symattn.checker.formats import as_github, as_json, as_sarif
from symattn.checker.report import Report
from symattn.checker.terminal import plain

FIRST = r"""# Model

Let $W \in \mathbb{R}^{m \times d}$, $x \in \mathbb{R}^d$ and $b \in \mathbb{R}^m$.

$$ y = W x $$

$$ s_{ij} = \sum_a u_{ia} v_{ja} + \beta w_{ij} $$
"""

AGAIN = {  # what stands under another heading, and what is said of it
    r"$$ y = W x + b $$": "the term b",
    r"$$ y = -W x $$": "the factor -1",
    r"$$ y = \frac{1}{2} W x $$": "the factor 1/2",
    r"$$ s_{ij} = \sum_a u_{ia} v_{ja} - \beta w_{ij} $$": "a sign",
    r"$$ s_{ij} = \sum_a u_{ia} v_{ja} + \beta w_{ii} $$": "an index",
    r"$$ s_{ij} = \sum_a u_{ia} v_{ja} $$": r"the term \beta w_{ij}",
}


@cache
def report(end: str, corrections: bool = False) -> Report:
    return sa.check(f"{FIRST}\n# Later\n\n{end}\n", corrections=corrections)


@pytest.mark.parametrize(("latex", "by"), AGAIN.items())
def test_one_slip_is_shown(latex: str, by: str) -> None:
    found = report(latex)
    row = found.rows[-1]
    assert row.verdict == "definition" and row.differs is not None and found.ok
    assert row.differs.by == by
    assert row.differs.line == (5 if latex.startswith("$$ y") else 7)


@pytest.mark.parametrize(
    "latex",
    [
        r"$$ y = W x $$",  # the same
        r"$$ s_{kl} = \beta w_{kl} + \sum_c v_{lc} u_{kc} $$",  # the same in other words
        r"$$ s_{ij} = \sum_a \exp(u_{ia} v_{ja}) $$",  # something else
        r"If the signs are turned, $$ y = -W x $$",
    ],
)
def test_nothing_is_said_of_what_is_right_or_new(latex: str) -> None:
    assert not report(latex).differing and report(latex).ok


def test_what_is_recalled_is_a_claim() -> None:
    wrong = r"$$ s_{ij} = \sum_a u_{ia} v_{ja} - \beta w_{ij} $$"
    row = report(f"Recall that the scores are\n\n{wrong}", corrections=True).rows[-1]
    assert row.verdict == "refuted" and row.correction == r"\sum_a u_{ia} v_{ja} + \beta w_{ij}"
    other = report(f"Recall the scores, but now with another sign:\n\n{wrong}").rows[-1]
    assert other.verdict == "definition" and other.differs is not None


def test_an_equation_that_a_sentence_starts_from_is_recalled() -> None:
    row = report("From $y = -W x$:\n", corrections=True).rows[-1]
    assert (row.verdict, row.correction) == ("refuted", "W x")
    assert report("With $y = -W x$ it moves.\n").rows[-1].verdict == "definition"


NEEDED = r"""# Later

$$ y = -W x $$

The derivative is

$$ \frac{\partial y_i}{\partial x_j} = DERIVED $$
"""


@pytest.mark.parametrize(
    ("derived", "verdict"), [("W_{ij}", "refuted"), ("-W_{ij}", "definition"), ("3", "definition")]
)
def test_what_follows_tells_a_slip_from_another_definition(derived: str, verdict: str) -> None:
    rows = sa.check(FIRST + NEEDED.replace("DERIVED", derived), corrections=False).rows
    again = next(r for r in rows if r.latex == "y = -W x")
    assert again.verdict == verdict


@pytest.mark.parametrize(
    ("before", "behind"),
    [
        ("# Then\n\n", ""),  # what another section derives
        ("", "\n$$ \\frac{\\partial y_j}{\\partial x_i} = -W_{ji} $$\n"),  # both are needed
        ("$$ y = 2 W x $$\n\n", ""),  # another definition comes between
    ],
)
def test_what_follows_elsewhere_tells_nothing(before: str, behind: str) -> None:
    later = NEEDED.replace("DERIVED", "W_{ij}").replace("The derivative", f"{before}The derivative")
    rows = sa.check(FIRST + later + behind, corrections=False).rows
    again = next(r for r in rows if r.latex == "y = -W x")
    assert again.verdict == "definition"


def test_every_report_shows_it() -> None:
    found = report(r"$$ y = W x + b $$")
    row = json.loads(as_json(found))["rows"][-1]
    assert row["differs"] == {"line": 5, "by": "the term b", "latex": "y = W x"}
    assert "line 5: y = W x" in plain(found)
    assert "title=differs" in as_github(found)
    assert [r["ruleId"] for r in json.loads(as_sarif(found))["runs"][0]["results"]] == ["differs"]


SECOND = {  # another form of a name in one section: true, and one slip from it
    "$$ p = \\log(s/k) + r, \\qquad q = p - v^2 $$\n\nwhere $s$ is a price.\n\n"
    "$$ q = \\log(s/k) + (r - FACTOR v^2) $$": ("1", "2"),
    "$v = \\sum_i w_i^2$ with $w_i = u_i / T$. Its value is $v = FACTOR \\sum_i u_i^2 / T^2$.": (
        "1",
        "2",
    ),
    "We have\n\n$$\\begin{aligned} H &= \\frac12 m u^2 + k z \\\\ "
    "H &= \\frac{m u^2 FACTOR}{2} \\end{aligned}$$": (
        "+ 2 k z",
        "",
    ),
}


@pytest.mark.parametrize("text", SECOND)
def test_another_form_of_a_name_in_its_section_is_a_claim(text: str) -> None:
    right, wrong = (
        sa.check(text.replace("FACTOR", x) + "\n", corrections=False).rows[-1] for x in SECOND[text]
    )
    assert (right.verdict, wrong.verdict) == ("proved", "refuted")


def test_a_setting_in_another_section_is_none() -> None:
    text = (
        "# A\n\nHere $k = 2 m + 1$ and $p = k - 1$.\n\n# B\n\nIt is given by $k$ and $p = k + 1$.\n"
    )
    assert sa.check(text, corrections=False).ok


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("a + b", "a - b", "a sign"),
        (r"A^\top B", "A B", "a transposition"),
        ("x^2 y", "x y", "a power"),
        ("2 x", "3 x", "a number"),
        ("x_{ij} y", "x_{ik} y", "an index"),
        ("i x", "j x", "one factor"),  # a letter, but no index
        (r"\beta x_i y", "x_j y", "one edit"),
    ],
)
def test_what_one_edit_changed(old: str, new: str, said: str) -> None:
    assert again._kind(tokens(old), tokens(new)) == said


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        (r"\sum_a u_{ia} v_a", r"\sum_a u_{ia}", "the factor v_a"),
        ("a x u + b y + c z", "a x u + c z", "the term by"),
        ("a x u + b y - c z", "a x u + b y", "the term -cz"),
        ("a x + b y + c z", "a x - b y + c z", "a sign"),
        ("a x + b y + c z", "a x + b w + c z", ""),  # another name
        ("a x + b y + c z", "a w + b y - c z", ""),  # two places
        (r"\sum_a u_{ia}", r"\sum_a u_{ia} v_a", "the factor v_a"),
        ("a b c", "a b c d", ""),  # too short to tell
        ("a b c d e f g", "a b c d e f g + h i j k l m n", ""),  # too much
        ("a x + b y + c z", "p", ""),  # nothing alike
    ],
)
def test_the_one_place_at_which_texts_differ(old: str, new: str, said: str) -> None:
    assert again._replaced(tokens(old), tokens(new)) == said


@pytest.mark.parametrize(
    ("factor", "said"),
    [
        ("1/2", "2"),
        ("-1", "-1"),
        ("2 · sqrt(d)", "1/2 · 1/sqrt(d)"),
        ("-1/3", "-3"),
        ("2/3", "3/2"),
    ],
)
def test_the_factor_the_other_way_round(factor: str, said: str) -> None:
    assert again._inverse(factor) == said


COST = r"""With $Q \in \mathbb{R}^{n \times n}$, $R \in \mathbb{R}^{m \times m}$ and
$K \in \mathbb{R}^{m \times n}$ the cost of $x \in \mathbb{R}^n$ and $u \in \mathbb{R}^m$ is

$$ J = x^\top Q x + u^\top R u $$

"""
ENERGY = r"""The energy is

$$ E = m g h + \frac12 m v^2 $$

"""


def test_another_form_with_a_slip_is_refuted_where_a_name_is_lost() -> None:
    row = sa.check(COST + "With $u = -K x$ it is\n\n$$ J = x^\\top (Q + K^\\top K) x $$\n").rows[-1]
    assert row.verdict == "refuted"
    assert row.correction == r"x^\top (Q + K^\top R K) x"


@pytest.mark.parametrize(
    ("text", "verdict"),
    [
        (COST + "Without a price it is\n\n$$ J = x^\\top Q x $$\n", "definition"),  # a term less
        (COST + "Now it is\n\n$$ J = u^\\top u + x^\\top Q x $$\n", "definition"),  # as it was
        (ENERGY + "Then it is\n\n$$ E = -m (g h + \\frac12 v^2) $$\n", "definition"),  # a scale
        (ENERGY + "Of a unit mass it is\n\n$$ E = g h + \\frac12 v^2 $$\n", "conditional"),
    ],
)
def test_another_meaning_is_no_slip_in_another_form(text: str, verdict: str) -> None:
    assert sa.check(text, corrections=False).rows[-1].verdict == verdict


SHORTER = {  # another form of what stands before it in its section, without a term
    ENERGY + "On the ground it is\n\n$$ E = \\frac{m v^2}{2} $$\n": ("m g h = 0"),
    "The shares $g_e = e^{s_e} / Z$ with $Z = \\sum_e e^{s_e}$ have the entropy\n\n"
    "$$ H = -\\sum_e g_e \\log g_e . $$\n\nFor the scores it has\n\n$$ H = \\log Z . $$\n": (
        r"\frac{\sum_{i} g_i s_i}{\sum_{i} g_i} = 0"
    ),
}


@pytest.mark.parametrize(("text", "why"), SHORTER.items())
def test_another_form_without_a_term_is_true_where_that_is_zero(text: str, why: str) -> None:
    row = sa.check(text, corrections=False).rows[-1]
    assert row.verdict == "conditional" and row.reason.endswith(f" only if {why}")
    elsewhere = text.replace("On the ground", "# Ground\n\nOn the ground")
    elsewhere = elsewhere.replace("For the scores", "# Scores\n\nFor the scores")
    assert sa.check(elsewhere, corrections=False).rows[-1].verdict == "definition"


def test_a_term_and_a_scale_are_none_of_it() -> None:
    text = ENERGY + "On the ground it is\n\n$$ E = RIGHT $$\n"
    for right in (r"\frac{m v^3}{2}", r"\frac{m v^2}{3}", r"\frac{m v^2}{2} + \frac{m g h}{2} + v"):
        assert sa.check(text.replace("RIGHT", right), corrections=False).rows[-1].verdict in (
            "definition",
            "refuted",
        )


def test_two_that_speak_against_each_other_name_each_other() -> None:
    text = r"""$$ L = \sum_{n=0}^{\infty} n p_n $$

$$ L = -\frac{\lambda}{\mu - \lambda} $$

$$ L = \lambda W $$

$$ W = \frac{1}{\mu - \lambda} $$
"""
    rows = sa.check(text, corrections=False).of("refuted")
    assert [(r.line, "line 3" in r.reason, "line 5" in r.reason) for r in rows] == [
        (3, False, True),
        (5, True, False),
    ]


@pytest.mark.parametrize(("number", "verdict"), [("2", "proved"), ("3", "refuted")])
def test_what_rests_on_a_definition_that_differs_names_it(number: str, verdict: str) -> None:
    text = rf"""# Half

$$ k = 2n + 1 $$

# Transposed

A convolution described by

$$ k = {number}n + 1, \quad n \in \mathbb{{N}} $$

and $p = \lfloor k / 2 \rfloor = n$ has the size $q = k - 1$.
"""
    rows = sa.check(text, corrections=False).rows
    row = next(r for r in rows if r.latex.endswith("= n"))
    assert row.verdict == verdict
    said = "line 9, which it rests on, differs from one before it" in row.reason
    assert said == (verdict == "refuted")


def test_a_correction_has_the_names_of_its_document() -> None:
    text = r"""Let $\bar x = \frac1n \sum_i x_i$, $\bar y = \frac1n \sum_{i=1}^n y_i$ and

$$ S_{xx} = \sum_i x_i^2 - n \bar x^2 $$

$$ S_{yy} = \sum_i y_i^2 - n \bar y^2 $$

$$ S_{xy} = \sum_i x_i y_i - n \bar x \bar y $$

$$ Q = S_{yy} - \frac{S_{xy}^2}{S_{xx}} $$

The share is $r = S_{xy}^2 / (S_{xx} S_{yy})$. Then

$$ Q = S_{yy} (1 + r) $$
"""
    row = sa.check(text).rows[-1]
    assert (row.verdict, row.correction) == ("refuted", "S_{yy} (1 - r)")


CHOSEN = (
    "A spring has $$E = \\frac{1}{2} k q^2 .$$ Two of them in a row have $$E = k q^2 .$$",
    "Forward Euler takes $$u' = u + h f .$$ Backward in time, $$u' = u - h f .$$",
    "One writes $$s = x^2 + y^2 - c^2 t^2 ,$$ others take $$s = c^2 t^2 - x^2 - y^2 .$$",
    "A loop has $$H = \\frac{K}{s + a + K} .$$ Positive feedback: $$H = \\frac{K}{s + a - K} .$$",
)


@pytest.mark.parametrize("text", CHOSEN)
def test_the_same_form_with_one_change_is_a_choice_where_no_word_says_that_it_follows(
    text: str,
) -> None:
    last = sa.check(f"# Title\n\n{text}\n", corrections=False).rows[-1]
    assert last.verdict == "definition"
    assert last.differs is not None


def test_an_equation_that_follows_is_no_choice() -> None:
    text = "A spring has $$E = \\frac{1}{2} k q^2 .$$ Hence $$E = k q^2 .$$\n"
    assert sa.check(text, corrections=False).rows[-1].verdict == "refuted"


def test_a_sign_of_definition_claims_nothing_of_what_is_said_once():
    text = "$$ P = M R M^\\top $$\n\n$$ \\operatorname{tr}(P) := g(x) $$"
    found = sa.check(text).rows[-1]
    assert (found.verdict, found.reason) == ("definition", "says what its left side is")
    assert sa.check(text.replace(":=", "=")).rows[-1].verdict == "unproved"
    assert sa.check("$$ a = 2 b $$\n\n$$ a^2 := 5 b^2 $$").rows[-1].verdict == "refuted"


def test_an_equation_that_says_what_a_name_is_is_said_again():
    text = "# A\nWith $i_1 = i_2 = i$ and $o = i$.\n# B\nAgain $i_1 = i_2 = i$."
    assert sa.check(text).rows[-1].verdict in ("definition", "proved")


SHOWN = r"""
The haversine $h = \sin^2 \frac{u}{2}$ of the angle is

$$ h = \frac{1 - \cos u}{2} $$ WORDS

$$ h = \frac{1 + \cos u}{2} $$
"""


@pytest.mark.parametrize(
    ("words", "verdict"),
    [
        ("", "refuted"),
        ("\n\nOf the complement it is", "definition"),
        ("\n\nElsewhere", "definition"),
    ],
)
def test_right_behind_an_equation_that_is_proved_nothing_is_chosen(
    words: str, verdict: str
) -> None:
    rows = sa.check(SHOWN.replace("WORDS", words), corrections=False).rows
    assert [r.verdict for r in rows[1:]] == ["proved", verdict]


def test_nor_is_it_behind_words_that_lead_to_the_first() -> None:
    text = r"""
\section{Distances}
The haversine $h = \sin^2 \frac{u}{2}$ of the central angle is
\begin{equation} h = \frac{1 - \cos u}{2} \end{equation}
\begin{equation} h = \frac{1 + \cos u}{2} \end{equation}
"""
    rows = sa.check(text, corrections=False).rows
    assert [r.verdict for r in rows] == ["definition", "proved", "refuted"]


@pytest.mark.parametrize("first", ["$f(x) = x^2 + a$ with", "\n\n$$ f(x) = x^2 + a $$\n\nwith"])
def test_what_goes_on_with_a_second_equation_needs_it(first: str) -> None:
    """A slip is made once; who derives from what he says anew means it."""

    def verdicts(slope: str) -> list[str]:
        text = (
            f"Consider {first}\n\n$$ f'(x) = 2 x. $$\n\nThe cubic is treated in the same way:\n\n"
            f"$$ f(x) = x^3 + a, \\qquad f'(x) = {slope}. $$\n"
        )
        return [r.verdict for r in sa.check(text, corrections=False).rows]

    found = verdicts("3 x^2")
    assert found[:3] == ["definition", "proved", "definition"]
    assert found[3] in ("proved", "conditional")
    assert verdicts("2 x")[2] == "refuted"
