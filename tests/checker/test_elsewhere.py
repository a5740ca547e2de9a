"""What a text says of one case proves nothing in another, and what it says of this one does."""

from __future__ import annotations

import pytest

from symattn.checker import check, elsewhere, other_cases
from symattn.checker.discourse import Discourse
from symattn.checker.frames import frame, sentences
from symattn.checker.outline import Outline


def last(text: str) -> str:
    return check(text, timeout=None, corrections=False).rows[-1].verdict


OF_ANOTHER = {  # each with what its rule says
    other_cases.in_another_case: (
        "Let $a = b$ in the first case. In the second, $a - b = 0$.",
        "The temperature is $T = T_0 e^{-k t}$ while cooling. "
        "While heating, $\\frac{dT}{dt} = -k T$.",
        "The tax is $T = 0.2 y$ for low incomes. For high incomes, $\\frac{dT}{dy} = 0.2$.",
        "For a competitive firm $E = a x^2$. For a monopolist $\\frac{dE}{dx} = 2 a x$.",
        "In the ground state $E = E_0$. In the excited state $E - E_0 = 0$.",
        "With the lid open the pressure is $p = p_0$. With the lid closed, $p - p_0 = 0$.",
        "Before the collision $v = u$. After the collision, $v - u = 0$.",
        "Let $f(x) = x^3$ on the left half line. On the right half line $f'(x) = 3 x^2$.",
        "The upper branch is $y = \\sqrt{x}$. On the lower branch, "
        "$\\frac{dy}{dx} = \\frac{1}{2 \\sqrt{x}}$.",
        "We have $x = 3 y$ during the first hour and $x = 4 y$ afterwards. "
        "Afterwards, $x - 3 y = 0$.",
        "\\begin{itemize}\n\\item In the vacuum, $D = \\epsilon E$.\n"
        "\\item In matter, $\\frac{dD}{dE} = \\epsilon$.\n\\end{itemize}",
    ),
    other_cases.in_another_theorem: (
        "Exercise 1. Let $a = 2 b$. Show that $a^2 = 4 b^2$.\n\nExercise 2. "
        "Show that $a - 2 b = 0$.",
        "\\begin{theorem} Let $Q$ be orthogonal. Then it is fine. \\end{theorem}\n\n"
        "\\begin{lemma} For a square $Q$ we have $\\|Q x\\| = \\|x\\|$. \\end{lemma}",
        "Conjecture. $s = t^2$. Unconditionally, $\\frac{ds}{dt} = 2 t$.",
    ),
    other_cases.given_up: (
        "Suppose, towards a contradiction, that $x = 2 y$. Then $x - 2 y = 0$, which is absurd. "
        "Now $x^2 - 4 y^2 = 0$.",
        "Pretend for now: $g = 10$. In reality $2 g = 20$.",
        "The first form is $y = x^2$. This turns out to be wrong. So $\\frac{dy}{dx} = 2 x$.",
        "Let $p = q$ hold for the moment. Later we no longer need it: $p - q = 0$.",
        "The rate was pegged, $e = 4 f$. The peg was abandoned. So $e - 4 f = 0$.",
        "If the tax is lump-sum, $c = d$. The tax is not lump-sum. So $c - d = 0$.",
    ),
    other_cases.led_elsewhere: (
        "For $n = 1$ we have $a = b$. For larger $n$, $a - b = 0$.",
        "Suppose $n$ is even, so $s = 1$. If $n$ is odd, $2 s = 2$.",
    ),
    other_cases.of_another_index: (
        "Version 1 returned $L = M/N$. Since version 2 it is not divided. In version 2, $L N = M$.",
        "Let $E = a x^2$. This is for Part I. In Part II, $\\frac{dE}{dx} = 2 a x$.",
        "In Part I, $u = 2 v$ always. We are in Part II. The sum of both is $u + v = 3 v$.",
        "Let $y = 3 x$ be the model under $H_0$. Under $H_1$, $\\frac{dy}{dx} = 3$.",
        "For $r < R$ the mass is $M = \\rho r^3$. For $r > R$, $\\frac{dM}{dr} = 3 \\rho r^2$.",
    ),
    other_cases.of_another_kind: (
        "Children pay $c = a/2$. Adults pay $2 c = a$.",
        "The unbiased estimator is $s = S/(n-1)$. "
        "The maximum likelihood estimator satisfies $s (n - 1) = S$.",
        "In Lena's model $m = p$. In Otto's model $m - p = 0$.",
        "Lena takes $E = a x^2$. Otto's energy has the slope $\\frac{dE}{dx} = 2 a x$.",
    ),
    other_cases.unnamed: (
        "The gauges show $g = 8 h$ once the valve is open. It was shut today. "
        "The gauges show that $g - 8 h = 0$.",
        "In a perfect tree of depth $d$ we have $N = 2^{d+1} - 1$. "
        "We count it. Ours are not perfect. "
        "Adding one we get $N + 1 = 2^{d+1}$.",
    ),
    other_cases.left_behind: (
        "On the first reading $b = a^2$. On the second reading it is unknown. "
        "We prefer the second one. The slope is $\\frac{db}{da} = 2 a$.",
        "In Gaussian units the force is $F = \\frac{q e}{r^2}$. We work in SI units. "
        "In our units we have $\\frac{r^2 F}{q e} = 1$.",
        "If the balls are put back, the variance is $v = s^2/n$. We draw without putting them "
        "back. For our scheme $n v = s^2$.",
        "Our original plan was to weigh both equally, $J = (a + b)/2$. The published index "
        "prefers one of them. For the published index $\\frac{dJ}{da} = \\frac{1}{2}$.",
        "Seen from the train the ball has the energy $E = m v^2/2$. We describe all of it from "
        "the platform instead. Its slope is $\\frac{dE}{dv} = m v$.",
    ),
    other_cases.unconnected: (
        "By symmetry $a = b$. The rotating one has $a - b = 0$.",
        "For monopolists $p = 2 c$. Nobody knows who pays. Competitive firms have $p - 2 c = 0$.",
    ),
    other_cases.under_another_title: (
        "Bosons: $a = b$. Fermions: the sign differs. Their sum is $a + b = 2 b$.",
        "# Laminar flow\n\nThe factor is $f = 64/R$.\n\n# Turbulent flow\n\n"
        "It is read from a chart. Multiplying by $R$, $f R = 64$.",
        "- isothermal: $T = S$;\n- isobaric: $p = q$.\n\nOn the isobaric branch $T - S = 0$.",
    ),
    other_cases.instead: (
        "Suppose $\\mathbb{E}[X] = 0$. Then it is so. Suppose instead $\\mathbb{E}[X] = 1$. "
        "Then $\\mathrm{Var}(X) = \\mathbb{E}[X^2]$.",
    ),
    other_cases.denied: (
        "Let $X$ and $Y$ be independent with zero mean. "
        "When they are dependent, $\\mathbb{E}[X Y] = 0$.",
        "# One\n\nHere $p = q$.\n\n# Two\n\nHere $p$ and $q$ differ. Then $p - q = 0$.",
    ),
    other_cases.introduced_again: (
        "Let $\\mathbb{E}[X] = 3$. From now on $X$ denotes any variable. "
        "Then $\\mathbb{E}[2 X] = 6$.",
        "Let $A$ be symmetric. Let $A$ be any matrix. Then $(A^2)^\\top = A^2$.",
        "Let $A$ be orthogonal. For a general invertible matrix $A$, $\\|A x\\| = \\|x\\|$.",
    ),
    other_cases.asserts_nothing: (
        "Perhaps $y = x^2$. The slope is $\\frac{dy}{dx} = 2 x$.",
        "My neighbour claims that $y = x^2$. So $\\frac{dy}{dx} = 2 x$.",
        "Formerly $q = 5 r$. So $q - 5 r = 0$.",
        "Perhaps $s = (2, 1, 0)$. The sum $t = \\sum_i s_i$ is $t = 3$.",
        "Nobody has shown that $y = x^2$. So $\\frac{dy}{dx} = 2 x$.",
        "Only for ideal gases is $p = c T$. So $\\frac{dp}{dT} = c$.",
        "From above it is $b = 3$, from below $b = 5$. So $2 b = 10$.",
        "Hopefully a test will confirm that $g = 2$. The anomaly $a = g - 2$ is $a = 0$.",
        "We have $x = 1$ iff $y = 2$. So $x + y = 3$.",
        "Exactly one of $x = 1$ and $y = 1$ holds. So $x + y = 2$.",
        "Up to a constant, $\\log p = -x^2/2$. Hence $p = e^{-x^2/2}$.",
        "A naive student writes $E = m c$. Therefore $E / c = m$.",
        "Some authors write $F = -k x$. With our sign, $\\frac{dF}{dx} = -k$.",
        "If there were no drag, $v = g t$ would hold. There is drag, so $\\frac{dv}{dt} = g$.",
        "By mistake the report states $E = m g h$. Therefore $\\frac{dE}{dh} = m g$.",
        "It suffices to show $a = b$. Then $a - b = 0$.",
        "Had we chosen $a = b$, it would be trivial. So $a - b = 0$.",
    ),
}
CASES = [(rule, text) for rule, texts in OF_ANOTHER.items() for text in texts]


@pytest.mark.parametrize(("rule", "text"), CASES)
def test_what_is_said_of_another_case_proves_nothing(rule: object, text: str) -> None:
    assert last(text) not in ("proved", "refuted")


@pytest.mark.parametrize("rule", OF_ANOTHER)
def test_every_rule_is_needed(rule: object, monkeypatch: pytest.MonkeyPatch) -> None:
    others = tuple(r for r in other_cases.RULES if r is not rule)
    monkeypatch.setattr(elsewhere, "RULES", others)
    assert any(last(text) == "proved" for text in OF_ANOTHER[rule])


def test_every_rule_has_its_texts() -> None:
    assert {*OF_ANOTHER} == {*other_cases.RULES}


@pytest.mark.parametrize(
    "text",
    [
        "On weekdays $K = b + a q^2$. On weekdays, $\\frac{dK}{dq} = 2 a q$.",
        "While cooling, $T = T_0 e^{-k t}$. So $\\frac{dT}{dt} = -k T$.",
        "While cooling, $T = T_0 e^{-k t}$. While it is cooling, $\\frac{dT}{dt} = -k T$.",
        "In the long run $C = a q^2$. In particular, $\\frac{dC}{dq} = 2 a q$.",
        "With the reduced mass $m = a b$, $E = m u^2$. With this, $\\frac{dE}{du} = 2 m u$.",
        "In general $C = a q^2$. In the short run, $\\frac{dC}{dq} = 2 a q$.",
        "Before the collision $v_1 = 2 u$. After the collision $v_2 = 3 u$. "
        "In all, $v_1 + v_2 = 5 u$.",
        "Exercise 1. Let $a = 2 b$. Show that $a^2 = 4 b^2$.",
        "Exercise 1. Let $a = 2 b$.\n\nExercise 2. As in exercise 1, show that $a - 2 b = 0$.",
        "Suppose that $x = 2 y$. Then $x - 2 y = 0$, which is no contradiction.",
        "Suppose $\\mathbb{E}[X] = 0$. Then $\\mathrm{Var}(X) = \\mathbb{E}[X^2]$.",
        "The diameter is $d = 2 r$. The circumference is $C = \\pi d$. "
        "The area of the disc in terms of it is $C^2 = 4 \\pi^2 r^2$.",
        "Let $a = 2 b$. The area of the rectangle is $a b = 2 b^2$.",
        "For $r < R$ the mass is $M = \\rho r^3$. For $r < R$, $\\frac{dM}{dr} = 3 \\rho r^2$.",
        "**Example 1.** Let $f(x) = x^2$.\n\n**Example 2.** Let $f(x) = x^3$. So $f'(x) = 3 x^2$.",
        "The kinetic energy is $T = m v^2/2$. For the total energy, $\\frac{dT}{dv} = m v$.",
        "In ice the speed is $u(z) = c (b^2 - z^2)$. At the bed, $u(0) = c b^2$.",
        "Let $A$ be symmetric. Let $B$ be any square matrix. Then $(A^2)^\\top = A^2$.",
        "Let $X$ and $Y$ be independent with zero mean. Then $\\mathbb{E}[X Y] = 0$.",
        "For a label $y$ the loss is $L = (p - y)^2$. Term by term, $\\frac{dL}{dp} = 2 (p - y)$.",
        "A coil of current $I$ has the voltage $U = R I$. In terms of the current the power "
        "$P = U I$ is $P = R I^2$.",
        "Weekly sales follow $q = 50 - b p$. Differentiating, $\\frac{dq}{dp} = -b$.",
        "Rather than learning both, we tie them, $u = v$. Then $u - v = 0$.",
        "In the treated group $d = 4$. In the control group it is unknown. "
        "For the treated group the effect is $d/2 = 2$.",
        "- isothermal: $T = S$;\n- isobaric: $p = q$.\n\nOn the isobaric branch $p - q = 0$.",
        "In SI units the force is $F = k q e/r^2$. Its sign is not our concern. In these units "
        "$r^2 F = k q e$.",
        "If we substitute the price, the profit is $P = a q - q^2$. It is not convex. The slope is "
        "$\\frac{dP}{dq} = a - 2 q$.",
        "At temperature $T$ the entropy is $S = a \\log T$. It is not negative. The slope is "
        "$\\frac{dS}{dT} = a/T$.",
        "With random draws $V_{\\text{one}} = a/n$, and not zero. The strata differ. The gap is "
        "$2 V_{\\text{one}} = 2 a/n$.",
        "In winter demand is low, but now we look at the summer, where $Q = a - 2 p$. "
        "The slope is $\\frac{dQ}{dp} = -2$.",
        "The filter was of first order. It now is $H = 1/(1 + s)^2$. Its slope is "
        "$\\frac{dH}{ds} = -2/(1 + s)^3$.",
        "With the constant $c$ the result is $L = c - x^2/2$, so $\\frac{dL}{dx} = -x$.",
    ],
)
def test_what_is_said_of_the_same_case_proves(text: str) -> None:
    assert last(text) == "proved"


@pytest.mark.parametrize(
    "behind",
    [
        "This is unlike the closed case. There $u = v$.",
        "(Compare the vacuum. It has $u = v$.)",
    ],
)
def test_a_tie_behind_a_claim_proves_it_only_where_words_bring_it(behind: str) -> None:
    claim = "In the plasma we have $u - v = 0$."
    rows = check(f"{claim} {behind}", timeout=None, corrections=False).rows
    assert rows[0].verdict != "proved"
    rows = check(f"{claim} Here $u = v$.", timeout=None, corrections=False).rows
    assert rows[0].verdict in ("proved", "conditional")


def test_what_is_wrong_with_another_case_alone_is_not_refuted() -> None:
    text = "On weekdays, the cost is $K = b + a q^2$. On {}, $\\frac{{dK}}{{dq}} = 3 a q$."
    assert last(text.format("weekends")) != "refuted"
    assert last(text.format("weekdays")) == "refuted"


def test_what_is_replaced_refutes_nothing() -> None:
    text = (
        "- 2.0: the gain $G$ is computed from $H > 0$ as $G = 2 H$.\n"
        "- 2.1: replaced by $G = 3 H$.\n\nUsers of 2.1 can rely on $G^2 = 9 H^2$."
    )
    assert last(text) != "refuted"


@pytest.mark.parametrize(
    ("text", "verdict"),
    [
        ("Frequent mistakes are\n\n1. to write $u = 2 v$,\n2. to forget $w$.\n\n"
         "For the pair $u - 2 v = 0$.", "conditional"),
        ("Let\n\n1. $u = 2 v$,\n2. $w = v$.\n\nSo $u - 2 v = 0$.", "proved"),
        ("The densities are tied by $u = 2 v$.[^1]\n\nThe densities on the right have "
         "$u - 2 v = 0$.\n\n[^1]: On the left only.", "conditional"),
        ("The densities are tied by $u = 2 v$.[^1]\n\nThe densities on the right have "
         "$u - 2 v = 0$.\n\n[^1]: As measured by Ada.", "proved"),
        ("Each spring has $F = k s$, except the fourth. For the fourth spring "
         "$\\frac{dF}{ds} = k$.", "conditional"),
    ],
)  # fmt: skip
def test_what_stands_around_a_sentence_is_part_of_it(text: str, verdict: str) -> None:
    assert last(text) == verdict


def test_a_number_that_holds_in_another_case_has_a_row() -> None:
    text = (
        "With the flag the tolerance is $\\tau = 1/100$. None of our runs used it. The number of "
        "steps is $n = 1/\\tau$. For our runs this gives $n = 100$."
    )
    rows = check(text, timeout=None, corrections=False).rows
    assert [(r.latex, r.verdict) for r in rows if "100" in r.latex][-1] == (
        "n = 100",
        "conditional",
    )


def test_the_reason_names_the_case_and_its_line() -> None:
    text = "On weekdays $K = b + a q^2$.\n\nOn weekends, $\\frac{dK}{dq} = 2 a q$."
    row = check(text, timeout=None, corrections=False).rows[-1]
    assert row.verdict == "conditional"
    assert row.reason == "true with what is said on weekdays (line 1)"


def test_what_an_if_in_the_past_supposes_is_another_world() -> None:
    text = "We count from zero, so that $S = \\sum_{k=0}^{n-1} k$. IF, then $2 S = n (n - 1)$."
    assert last(text.replace("IF", "If we counted from one")) == "conditional"
    assert last(text.replace("IF, then", "Then")) == "proved"


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ("In the second experiment, …", "In the second experiment"),
        ("Let … in the first case", "in the first case"),
        ("and at rest …", "at rest"),
        ("Ideally, …", "Ideally"),
        ("Outside of the sphere we have …", "Outside of the sphere"),
        ("In particular, …", None),
        ("In matrix notation, …", None),
        ("In the old notation …", "In the old notation"),
        ("In this case …", None),
        ("For the derivative we get …", None),
        ("Then …", None),
        ("For … we get …", None),
        ("For a batch of … samples the loss is …", None),
        ("For a batch of sequences …", "For a batch of sequences"),
    ],
)
def test_the_case_of_a_sentence(words: str, said: str | None) -> None:
    found = frame(words)
    assert (found and found.said) == said


def test_a_case_goes_on_in_what_follows_and_no_further() -> None:
    text = "On the left, it rests. So $u = 0$. The weight is $w$.\n\nThus $v = 1$."
    assert [x.frame and x.frame.said for x in sentences(text)] == [
        "On the left", "On the left", None, None,
    ]  # fmt: skip
    clauses = "At rest $v = 0$, and in motion $v = 1$. So $w = 2$."
    assert [x.frame and x.frame.said for x in sentences(clauses)] == ["At rest", "in motion", None]


def test_blanked_formulas_keep_their_places() -> None:
    e = Discourse(Outline("Let $a = b$ and $A$ be symmetric.\n\n$$ x = y $$\n"))
    text = e.blanked(e.sentences)
    assert len(text) == len(e.text) and text.count("\n") == e.text.count("\n")
    assert "=" not in text and "symmetric" not in text and "$A$" in text


def test_a_long_text_is_read_in_time() -> None:
    one = "Let it be $C_{%d} = a q + %d$. On weekdays it is paid. So $\\frac{d C_{%d}}{dq} = a$."
    text = "\n\n".join(one % (k, k, k) for k in range(40))
    cases = Discourse(Outline(text))
    asked: list[str] = []
    rules = (lambda c, x, here: asked.append(x.words) or "",)
    here = cases.sentences[-1]
    assert not [*cases.foreign(here, rules, (), lambda x: x.words.startswith("Let"))]
    assert len(asked) == 40  # and no other sentence is looked at


def test_a_long_text_is_not_read_once_more(monkeypatch: pytest.MonkeyPatch) -> None:
    many = "\n\n".join(f"Let $u_{{{k}}} = {k} w$." for k in range(elsewhere.MOST))
    text = "Let $a = b$ in the first case. In the second, $a - b = 0$."
    assert last(text) == "conditional"
    monkeypatch.setattr(elsewhere, "_without", lambda *_: pytest.fail("it was read once more"))
    found = check(f"{many}\n\n{text}", corrections=False, timeout=None, jobs=1).rows[-1]
    assert found.verdict == "conditional" and "the first case" in found.reason


def test_a_fact_of_one_experiment_is_none_of_another() -> None:
    text = r"Let $X$ and $Y$ be random variables. In the first experiment they satisfy "
    text += r"$\mathbb{E}[X Y] = \mathbb{E}[X] \mathbb{E}[Y]$. In the %s, "
    claim = r"$\operatorname{Cov}(X, Y) = 0$."
    assert last(text % "second experiment" + claim) == "conditional"
    assert last(text % "first experiment" + claim) == "proved"


def test_a_long_text_is_not_read_again_for_what_a_proof_does_not_need(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    lines = "\n".join(f"Line {k}: $c_{{{k}}} = {k} + u$." for k in range(8))
    text = f"Let $u = 2 v$.\n{lines}\nNow $u^2 - 4 v^2 = 0$.\n\nThe tank has $v = 3 w$.\n"
    monkeypatch.setattr(elsewhere, "MOST", 5)

    def claim() -> str:
        rows = check(text, timeout=None, corrections=False).rows
        return next(r.verdict for r in rows if r.latex.startswith("u^2"))

    assert claim() == "proved"
    monkeypatch.setattr(elsewhere, "_by_the_rest", lambda *_: False)
    assert claim() == "conditional"


def test_a_comment_is_no_word_of_a_sentence() -> None:
    text = (
        "Let $u = 2 v$.\n\n<!-- this should be read as correct -->\n\n$$ u = 3 v $$\n\n"
        "<!-- correct: 2 -->\n\nSo $u - 2 v = 1$."
    )
    assert all("correct" not in x.words for x in sentences(text))
