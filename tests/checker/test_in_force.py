"""What is in force at a claim: facts, values, cases, and equations that others replaced."""

import pytest

import symattn as sa
from symattn.checker.naming import only_here


def verdicts(text, corrections=False):
    found = sa.check(text, corrections=corrections, timeout=None, jobs=1).rows
    return [r for r in found if text.splitlines()[r.line - 1].startswith("$$")]


def decided(text):
    return [r.verdict for r in verdicts(text)]


def displays(words, *claims):
    return words + "".join(f"\n\n$$ {c} $$" for c in claims) + "\n"


SINKHORN = r"""Let {} and $P_{{ij}} = u_i K_{{ij}} v_j$ with

$$ u_i = \frac{{a_i}}{{\sum_j K_{{ij}} v_j}} $$"""


@pytest.mark.parametrize(
    "facts",
    [
        r"$\sum_i a_i = \sum_j b_j = 1$",
        r"$\sum_i a_i = \sum_j b_j$ and $\sum_j b_j = 1$",
        r"$a$, $b$ satisfy $\sum_j b_j = 1$, where $\sum_i a_i = \sum_j b_j$",
        r"$\sum_i a_i = \sum_j b_j$ and $\sum_j b_j = \sum_k c_k$, $\sum_k c_k = 1$",
    ],
)
def test_facts_that_are_tied_to_facts(facts):
    _, right = decided(displays(SINKHORN.format(facts), r"\sum_{i,j} P_{ij} = 1"))
    _, wrong = decided(displays(SINKHORN.format(facts), r"\sum_{i,j} P_{ij} = 2"))
    assert (right, wrong) == ("proved", "refuted")


def test_two_facts_of_one_sentence_with_one_left_side_both_hold():
    facts = r"$\sum_j b_j = \sum_i a_i$ and $\sum_j b_j = 1$"
    assert "refuted" not in decided(displays(SINKHORN.format(facts), r"\sum_{i,j} P_{ij} = 1"))


def test_a_fact_reaches_through_what_it_is_made_of():
    words = (
        r"Let $u$ satisfy $\sum_i u_i = s$ where $s = \sum_j v_j$ with $\sum_j v_j = 2$. "
        r"Let $P_i = 3 u_i$. Then"
    )
    claims = (r"\sum_i P_i = 6", r"\sum_i P_i = 5")
    assert decided(displays(words, *claims)) == ["proved", "refuted"]


@pytest.mark.parametrize(
    ("words", "right", "wrong"),
    [
        (
            r"Let $y = A x$ where $\|y\| = 1$ and $B = A^\top A$. Put $q = c x^\top B x$.",
            "q = c",
            "q = 2 c",
        ),
        (r"Let $v = M u$ with $\sum_i v_i = 1$, and $s = 3 \sum_i (M u)_i$.", "s = 3", "s = 2"),
        (
            r"Let $v_i = 2 u_i$ with $\sum_i v_i = 1$, and $s = z \sum_i 4 u_i$.",
            "s = 2 z",
            "s = 3 z",
        ),
    ],
)
def test_what_is_asked_of_a_defined_name_is_a_condition(words, right, wrong):
    rows = sa.check(displays(words, right), corrections=False, timeout=None, jobs=1).rows
    assert not [r.latex for r in rows if r.verdict == "refuted"]
    rows = sa.check(displays(words, wrong), corrections=False, timeout=None, jobs=1).rows
    assert rows[-1].verdict != "proved"


@pytest.mark.parametrize(
    "asked", [r"where $\sum_i p_i = 2$", r"since $\sum_i p_i^2 = 1$", r"with $\sum_i p_i = -1$"]
)
def test_what_no_value_meets_is_no_condition(asked):
    text = rf"The weights $p_i = e^{{z_i}} / \sum_j e^{{z_j}}$, {asked}, are positive."
    assert sa.check(text, corrections=False, jobs=1).of("refuted")


@pytest.mark.parametrize(
    "instead",
    [r"Now suppose that $u^\top u = 2$ instead.", r"If $u^\top u = 2$ instead, then"],
)
def test_a_fact_in_place_of_which_words_put_another(instead):
    words = r"Let $u$ be a vector with $u^\top u = 1$ and $P = I - u u^\top$. Then"
    text = displays(words, "P u = 0") + "\n" + displays(instead, "P u = 0", "P u = -u")
    first, old, new = decided(text)
    assert first == "proved"
    assert old != "proved"
    assert new != "refuted"


WEIGHTS = r"The weights are $w_k = (1-a) a^{{k}}$. {} The sum is"


@pytest.mark.parametrize(
    "case",
    [
        r"For $a = 0$ we have $w_0 = 1$.",
        r"If $a = 0$, only the first is left.",
        r"With $a = 1/2$ they halve.",
        r"When $a = 0$ nothing is kept.",
    ],
)
def test_a_number_in_a_sentence_is_no_rule_of_sequences(case):
    claims = (r"\sum_{k=0}^{n} w_k = 1 - a^{n+1}", r"\sum_{k=0}^{n} w_k = 1 - a^{2 n + 2}")
    right, wrong = verdicts(displays(WEIGHTS.format(case), *claims))
    assert right.verdict != "refuted"
    assert wrong.verdict == "refuted"


def test_a_first_value_in_a_sentence_is_one():
    text = displays(
        r"Let $m_0 = 0$ and $m_t = b m_{t-1} + (1 - b) g$.",
        r"m_t = (1 - b^t) g",
        r"m_t = (1 - b^{t+1}) g",
    )
    assert decided(text)[0] == "proved"


@pytest.mark.parametrize("words", ["With $p = 1/2$ it is simple.", "Take $p = 1/2$."])
def test_what_holds_for_one_value_says_so(words):
    text = displays(f"{words} Let $q = 1 - p$.", "q^2 = p q", "p^2 + p q = p", "q^2 = 2 p q")
    one, every, none = verdicts(text)
    assert (one.verdict, one.reason) == ("conditional", "true with p = 1/2 (line 1)")
    assert (every.verdict, none.verdict) == ("proved", "refuted")


def test_a_correction_does_not_rest_on_one_value():
    words = r"With $p = 1/2$ it is simple. Let $0 < p < 1$ and $q = 1 - p$. Then"
    (row,) = verdicts(
        displays(words, r"\sum_{k=0}^{n} q^k = \frac{1 - q^{n}}{p}"), corrections=True
    )
    assert (row.verdict, row.correction) == ("refuted", "")


@pytest.mark.parametrize(
    "head",
    [
        r"Let $f(x) = x^2 - 3 x$. The minimum is",
        r"Let $f(x) = x^2 - 3 x$. At $x = 3/2$ the value is",
    ],
)
def test_a_value_is_no_definition(head):
    curve = r"\frac{d^2 f}{d x^2} = 2"
    text = displays(head, r"f = -\frac94") + "\n" + displays("with", curve, "f'(x) = 2 x - 3")
    assert decided(text)[1:] == ["proved", "proved"]
    assert decided(text.replace(curve, r"\frac{d^2 f}{d x^2} = 1"))[1] == "refuted"
    assert decided(text.replace("2 x - 3 $$", "3 - 2 x $$"))[2] == "refuted"


@pytest.mark.parametrize("title", ["# Only at the optimum", "## If nothing moves", "# Not a rule"])
def test_a_heading_is_no_part_of_a_sentence(title):
    text = displays(
        f"{title}\nLet $f(x, y) = x^2 + x y$. Then", r"\frac{\partial f}{\partial y} = x"
    )
    assert decided(text) == ["proved"]


def test_a_value_of_what_is_derived_refutes_nothing():
    curve = r"\frac{\partial^2 f}{\partial x \partial y} = 1"
    text = displays("The energy is $f$ and depends on $x$ and $y$. There", "f = -3", curve)
    assert decided(text)[1] == "unproved"


def test_a_value_of_a_function_is_not_what_it_comes_to():
    text = displays(
        r"Let $p(t) = a + m t + (k - m) t^3$.",
        r"p'(0) = k",
        r"p(1) = a + m",
    )
    assert decided(text)[1] == "conditional"


@pytest.mark.parametrize("second", [r"We add a bias, $y = a x + b$.", r"Now let $y = a x + b$."])
def test_what_another_equation_took_the_place_of(second):
    text = displays(rf"Let $y = a x$. {second} Then", "y^2 = a^2 x^2", "y^2 = (a x + b)^2")
    old, new = decided(text)
    assert (old, new) == ("conditional", "proved")


@pytest.mark.parametrize(
    "case",
    [
        r"In the limit $T \to \infty$ they are $p_i = 1/n$.",
        r"For equal scores $p_i = 1/n$.",
        r"At high temperature $p_i = 1/n$.",
    ],
)
def test_what_words_say_of_a_case_is_in_force_nowhere_else(case):
    words = r"$$ p_i = \frac{e^{z_i/T}}{\sum_{j=1}^n e^{z_j/T}} $$"
    claims = (r"\frac{\partial p_i}{\partial z_j} = \frac1T p_i (\delta_{ij} - p_j)",)
    assert decided(displays(f"{words}\n\n{case} Then", *claims))[1] == "proved"


def test_a_case_in_words_proves_nothing_outside():
    text = displays(
        r"Let $p_i = e^{z_i/T} / \sum_{j=1}^n e^{z_j/T}$. In the limit $T \to \infty$ $p_i = 1/n$.",
        r"p_i = \frac1n",
    )
    assert decided(text) == ["definition"]


@pytest.mark.parametrize("asked", ["with $s = 1$", "where $s = 1$", r"such that $s = 1$"])
def test_a_number_that_is_asked_of_what_is_defined(asked):
    words = rf"Let $s = \sum_i x_i$ {asked}, and let $y_i = x_i / n$. Then"
    right, wrong = decided(displays(words, r"\sum_i y_i = \frac1n", r"\sum_i y_i = 1"))
    assert (right, wrong) == ("unproved", "refuted")


def test_what_is_put_right_before_a_claim_counts():
    text = (
        r"Let $q = 1 - p$. The weights are $w_k = p q^{k-1}$. Taking $p = 1/2$, "
        r"$\sum_{k=1}^n w_k = 1 - 2^{-n}$. In general"
    )
    claims = (r"\sum_{k=1}^n w_k = 1 - q^n", r"\sum_{k=1}^n w_k = 1 - 2^{-n}")
    rows = sa.check(displays(text, *claims), corrections=False, timeout=None, jobs=1).rows
    assert [r.verdict for r in rows][3:] == ["unproved", "proved", "refuted"]


def test_what_holds_with_the_first_of_two_alternatives():
    words = (
        r"The Gaussian kernel is $k = e^{-r^2}$. An alternative is the Laplace kernel "
        r"$k = e^{-r}$. For the Laplace kernel"
    )
    slopes = [rf"\frac{{\partial k}}{{\partial r}} = {x}" for x in ("-2 r k", "-k", "2 r k")]
    first, second, neither = decided(displays(words, *slopes))
    assert (first, second, neither) == ("conditional", "conditional", "refuted")


@pytest.mark.parametrize(
    "limit", [r"As $T \to 0$ they are one-hot,", r"When $T \rightarrow 0$ we have"]
)
def test_what_a_limit_says_is_no_fact(limit):
    text = displays(
        rf"Let $y_i = e^{{g_i/T}} / \sum_j e^{{g_j/T}}$. {limit} $\sum_i y_i^2 = 1$. Then",
        r"3 \sum_i y_i^2 = 3",
        r"3 \sum_i y_i = 3",
    )
    wrong, right = decided(text)
    assert wrong != "proved"
    assert right == "proved"


def test_an_average_of_what_is_defined_is_no_definition():
    words = (
        r"Let $X_1, X_2, \dots$ be independent with $\mathbb E[X_i] = 0$ and "
        r"$\mathbb E[X_i^2] = \sigma^2$, and let $Y = X_1 + X_2$. Then"
    )
    for average, right in ((r"\mathbb E[X_1 Y]", r"\sigma^2"), (r"\mathbb E[Y^2]", r"2 \sigma^2")):
        claims = [rf"{average} = {right}", rf"{average} = 3 {right}"]
        for several in (claims, claims[::-1]):
            text = displays(words, r"\mathbb E[Y] = 0", *several)
            assert not {"refuted", "proved"} & {*decided(text)}


def test_symmetry_of_a_case_where_the_matrix_is_derived_by():
    text = displays(
        r"Let $A \in \mathbb R^{n \times n}$. Then",
        r"\operatorname{tr}(A^2) = \sum_{i,j} A_{ij}^2",
        r"\frac{\partial}{\partial A} \operatorname{tr}(A^2) = 2 A",
        r"\frac{\partial}{\partial A} \operatorname{tr}(A^2) = 2 A^\top",
    )
    even = text + "\nFor symmetric $A$ all of them agree.\n"
    assert decided(even) == ["conditional", "conditional", "proved"]


def test_a_limit_of_what_goes_to_it_through_a_name():
    words = r"Put $z = h \lambda$ and $S(z) = \frac{1 + z/2}{1 - z/2}$."
    limits = [rf"\lim_{{z \to \infty}} S(z) = {x}" for x in (-1, 0)]
    right, wrong = verdicts(displays(words, *limits), corrections=True)
    assert (right.verdict, wrong.verdict, wrong.correction) == ("proved", "refuted", "-1")
    beside = words.replace("1 + z/2", "h + z/2")
    assert [r.verdict for r in verdicts(displays(beside, *limits))] == ["unproved", "unproved"]


def test_what_lacks_a_number_is_true_under_no_condition():
    words = r"Let $F = \frac95 C + 32$. Then"
    row = verdicts(displays(words, r"C = \frac59 F - 32"))[0]
    assert row.verdict == "refuted"


def test_a_correction_is_none_of_another_case():
    score = r"The score is $\tilde\epsilon = (1 + w) \epsilon_c - w \epsilon_u$. Then"
    text = displays(score, r"\tilde\epsilon - \epsilon_u = w (\epsilon_c - \epsilon_u)")
    text += "\nFor $w = 0$ it is the conditional score, $\\tilde\\epsilon = \\epsilon_c$.\n"
    (row,) = verdicts(text, corrections=True)
    assert (row.verdict, row.correction) == ("refuted", "")


def test_a_correction_has_the_names_of_the_text():
    assert only_here(r"\frac{n_N}{K} K", "N K")
    assert only_here(r"\frac{n_{\mathrm{i}}}{n}", "n and $x_i$")
    assert only_here(r"\mathrm{integral}_2^2 a", "a")
    assert only_here(r"\mathrm{mean}_{\mathrm{mu}}", r"\mu")
    assert not only_here(r"\frac{n_{\mathrm{k}}}{n} x_{\mathrm{star}}", "let $n_k$ be")


def test_what_is_called_symmetric_together_is_so_together():
    r"""Also where ∂q/∂A makes A no symmetric tensor; and a V ∈ ℝ^{m×n} of the list is none."""
    head = (
        r"With symmetric $A \in \mathbb{R}^{m \times m}$ and $B \in \mathbb{R}^{n \times n}$ and "
        r"$V \in \mathbb{R}^{m \times n}$ let $q = \frac12 \operatorname{tr}(V^\top A V B)$."
        + "\n\n"
    )
    slopes = r"\frac{\partial q}{\partial A} = \frac12 V B V^\top", r"\frac{\partial q}{\partial V}"
    text = f"{head}\n\n$$ {slopes[0]} $$\n\n$$ {slopes[1]} = A V B $$\n"
    found = sa.check(text, corrections=False, timeout=None, jobs=1)
    assert [r.verdict for r in found] == ["definition", "proved", "proved"]
    found = sa.check(text.replace("= A V", "= 2 A V"), corrections=False, timeout=None, jobs=1)
    assert [r.verdict for r in found] == ["definition", "proved", "refuted"]


def test_a_ratio_that_is_said_of_numbers_is_put_in():
    text = (
        r"A pump takes $a$ at $u$ and gives off $b$ at $v$, where $b/a = v/u$. The work is "
        r"$w = a - b$ and the yield $y = w/a$, therefore" + "\n\n$$ y = SIDE . $$\n"
    )
    assert decided(text.replace("SIDE", r"1 - \frac{v}{u}")) == ["proved"]
    assert decided(text.replace("SIDE", r"1 - \frac{u}{v}")) != ["proved"]
