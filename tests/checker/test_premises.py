r"""Equations under a comparison of letters: behind them, round their display, in a part."""

import pytest

import symattn as sa

HEAD = "The softmax is\n\n$$ p_i = \\frac{e^{z_i}}{\\sum_k e^{z_k}} $$\n\n"
LEFT = r"\frac{\partial p_i}{\partial z_j}"
SAME, OTHER, WRONG = "p_i (1 - p_i)", "-p_i p_j", "p_i p_j"


def verdicts(text):
    return [(r.latex, r.verdict) for r in sa.check(HEAD + text, corrections=False).rows][1:]


def of(text):
    """The verdict on the last formula, and its correction."""
    last = sa.check(HEAD + text).rows[-1]
    return last.verdict, last.correction


BEHIND = (
    r"$$ {claim}, \quad i {relation} j $$",
    r"$$ {claim}, i {relation} j $$",
    r"$$ {claim} \qquad (i {relation} j) $$",
    r"$$ {claim} \quad \text{{if }} i {relation} j $$",
    r"$$ {claim} \text{{ for }} i {relation} j. $$",
    "\\begin{{align}} {claim} && i {relation} j \\end{{align}}",
)
ROUND = (
    "If $i {relation} j$,\n\n$$ {claim} $$",
    "When \\(i {relation} j\\) we get\n\\[ {claim} \\]",
    "Case 2: $i {relation} j$.\n\n$$ {claim} $$",
    "Consider now the case where $i {relation} j$:\n\n$$ {claim} $$",
    "$$ {claim} $$\n\nfor $i {relation} j$, as one sees.",
    "Suppose that $i {relation} j$. Then $$ {claim} $$",
    "Let now $i {relation} j$. We have $$ {claim} $$",
)


@pytest.mark.parametrize("form", BEHIND + ROUND)
def test_an_equation_is_one_under_its_condition(form):
    for relation, right in (("=", SAME), (r"\neq", OTHER), (r"\ne", OTHER)):
        text = form.format(claim=f"{LEFT} = {right}", relation=relation)
        assert verdicts(text) == [(f"{LEFT} = {right}", "proved")]
    text = form.format(claim=f"{LEFT} = {SAME}", relation=r"\neq")
    assert verdicts(text)[0][1] == "refuted"
    text = form.format(claim=f"{LEFT} = {OTHER}", relation="=")
    assert verdicts(text)[0][1] == "refuted"


def test_the_correction_holds_under_the_condition():
    assert of(rf"If $i \ne j$: $$ {LEFT} = {WRONG} $$") == ("refuted", "-p_i p_j")
    assert of(rf"If $i = j$: $$ {LEFT} = p_i (1 + p_i) $$") == ("refuted", "p_i (1 - p_i)")


def test_rows_that_go_on_are_about_the_same_left_side():
    rows = rf"$$ {LEFT} &= {SAME}, \quad i = j \\ &= {{}} {OTHER}, \quad i \ne j $$"
    assert [v for _, v in verdicts(rows)] == ["proved", "proved"]
    rows = rf"$$ {LEFT} &= {SAME}, \quad i = j \\ &= {{}} {WRONG}, \quad i \ne j $$"
    assert [v for _, v in verdicts(rows)] == ["proved", "refuted"]


def test_displays_that_go_on_are_under_the_condition_too():
    text = rf"If $i = j$: $$ {LEFT} = p_i - p_i p_j $$ $$ = {SAME} $$"
    assert [v for _, v in verdicts(text)] == ["proved", "proved"]
    row = sa.check(
        HEAD + rf"If $i = j$: $$ {LEFT} = p_i - p_i p_j $$" + f"\n\n$$ = {SAME} $$"
    ).rows[-1]
    assert (row.line, row.latex) == (7, f"= {SAME}")


@pytest.mark.parametrize(
    "before",
    [
        r"In contrast to the case $i = j$ we have",
        r"Unless $i = j$,",
        r"This is not for $i = j$:",
        r"Only if $i = j$,",
        r"Now take $i = j$. Here",
        r"On those with $i = j$ this gives",
        r"The part $i = j$ is",
    ],
)
def test_words_that_deny_the_condition_or_are_not_understood_decide_nothing(before):
    assert of(f"{before}\n\n$$ {LEFT} = {SAME} $$")[0] == "unproved"


def test_what_is_said_under_words_that_are_not_understood_defines_nothing_anew():
    text = "Now take $i > j$. Here $$ M_{ij} = a_i $$"
    head = "Let $a \\in \\mathbb{R}^n$. $$ M_{ij} = a_i + a_j $$"
    for claim in ("a_i", "a_i - a_j"):
        rows = sa.check(head + text.replace("= a_i", f"= {claim}")).rows
        assert [r.verdict for r in rows] == ["definition", "unproved"]


def test_the_part_behind_a_condition_is_not_refuted_without_it():
    text = rf"If $i \ne j$: $$ {LEFT} = {OTHER} $$ This is small: $$ {LEFT} = -p_j p_i $$"
    assert [v for _, v in verdicts(text)] == ["proved", "unproved"]
    text += "\n\n# All of them\n\n$$ " + LEFT + r" = -p_j p_i $$"
    assert verdicts(text)[-1][1] == "refuted"


def test_orders_are_conditions_too():
    head = "Let $x \\in \\mathbb{R}^n$ and $$ M_{ij} = x_i + x_i x_j [j \\le i] $$\n\n"
    rows = sa.check(head + "If $i < j$, $$ M_{ij} = x_i $$ If $j \\le i$, $$ M_{ij} = x_i $$").rows
    assert [r.verdict for r in rows[1:]] == ["proved", "refuted"]


def test_what_defines_something_under_a_condition_is_no_definition():
    row = sa.check(r"Let $a \in \mathbb{R}^n$. $$ W_{ij} = a_i a_j, \quad i \ne j $$").rows[-1]
    assert (row.verdict, row.reason) == ("skipped", "this equation is stated under a condition")


def test_equations_behind_a_comma_are_equations():
    text = r"$$ a_i = 2 b_i, \quad c_j = a_j + b_j $$ $$ c_i = 3 b_i $$"
    assert [r.verdict for r in sa.check(text).rows] == ["definition", "definition", "proved"]
    text = r"$$ y = b + c, \quad d = b - c $$ $$ y + d = 2 b $$"
    assert [r.verdict for r in sa.check(text).rows] == ["definition", "definition", "proved"]


@pytest.mark.parametrize(
    "behind",
    [
        r"\quad \text{for } x \ge 0",
        r"\text{ when } x > 0",
        r", \quad x \ge 0",
        r"\qquad (x > 0)",
        r"\quad \text{if } x y = \sqrt{x^2} y",
        r"\quad \text{otherwise}",
    ],
)
def test_a_condition_on_values_behind_it_keeps_an_equation_from_being_refuted(behind):
    head = "Let $x, y \\in \\mathbb{R}$.\n\n"
    claim = r"|x| y = x y"
    assert sa.check(f"{head}$$ {claim} $$", corrections=False).rows[0].verdict == "refuted"
    found = sa.check(f"{head}$$ {claim} {behind} $$", corrections=False).rows[0]
    if behind.startswith(","):  # a range of the display, in which it holds
        assert (found.verdict, found.used) == ("proved", (r"x \ge 0",))
    else:
        assert found.verdict == "unproved"
        assert found.reason.startswith("a condition stands beside it: ")
    true = sa.check(f"{head}$$ |x| |y| = |x y| {behind} $$", corrections=False).rows[0]
    assert true.verdict == "proved"


def test_what_stands_behind_an_equation_and_limits_nothing():
    head = "Let $x, y \\in \\mathbb{R}$.\n\n"
    for behind in (r"\quad \text{for all } x, y", ", \\quad z = x + y", r"\quad (1)"):
        assert (
            sa.check(f"{head}$$ |x| y = x y {behind} $$", corrections=False).rows[0].verdict
            == "refuted"
        )


def test_a_display_without_a_statement_is_read():
    assert sa.check("$$ & , \\\\ $$", corrections=False).rows == ()
