r"""Inverse functions: f^{-1}(y) = r is r = x at y = f(x), where x lies."""

import pytest

import symattn as sa


def last(text: str):
    return sa.check(text + "\n").rows[-1]


def of_inverse(f: str, inverse: str, where: str = "") -> str:
    return last(f"Let $h(x) = {f}$ {where}. Its inverse is\n\n$$h^{{-1}}(y) = {inverse}.$$").verdict


@pytest.mark.parametrize(
    ("f", "right", "wrong"),
    [
        (r"\arctan x", r"\tan y", r"\tan y + 1"),  # its values lie between -π/2 and π/2
        (r"\arccos x", r"\cos y", r"\sin y"),
        (r"\sqrt{x}", "y^2", "y^2 + 1"),
        (r"x^3", r"\sqrt[3]{y}", r"\sqrt[3]{y} + 1"),
        (r"x^5 + 1", r"\sqrt[5]{y - 1}", r"\sqrt[5]{y} - 1"),
        (r"a x + b", r"\frac{y - b}{a}", r"\frac{y + b}{a}"),
        (r"\frac{x + 1}{x - 2}", r"\frac{2 y + 1}{y - 1}", r"\frac{2 y - 1}{y - 1}"),
        (r"\sinh x", r"\log(y + \sqrt{1 + y^2})", r"-\log(y + \sqrt{1 + y^2})"),
        (r"\log(1 + e^x)", r"\log(e^y - 1)", r"\log(e^y + 1)"),
        (r"\frac{x}{\sqrt{1 + x^2}}", r"\frac{y}{\sqrt{1 - y^2}}", r"\frac{y}{\sqrt{1 + y^2}}"),
    ],
)
def test_inverse_functions(f: str, right: str, wrong: str) -> None:
    assert of_inverse(f, right) == "proved"
    assert of_inverse(f, wrong) == "refuted"


@pytest.mark.parametrize(
    ("f", "where", "right", "wrong"),
    [
        ("x^2", "for $x > 0$", r"\sqrt{y}", r"-\sqrt{y}"),
        ("x^2", "for $x < 0$", r"-\sqrt{y}", r"\sqrt{y}"),
        ("x^2", r"for $x \le 0$", r"-\sqrt{y}", r"\sqrt{y}"),
        ("x^2", r"for $x \in (-\infty, 0]$", r"-\sqrt{y}", r"\sqrt{y}"),
        ("x^2", "for negative $x$", r"-\sqrt{y}", r"\sqrt{y}"),
        ("x^2 + 2 x", "for $x > 0$", r"\sqrt{y + 1} - 1", r"-\sqrt{y + 1} - 1"),
        (r"\sin x", r"on $(-\pi/2, \pi/2)$", r"\arcsin y", r"\pi - \arcsin y"),
        (r"\cos x", r"for $0 \le x \le \pi$", r"\arccos y", r"-\arccos y"),
        ("1 - e^{-x^2}", "for $x > 0$", r"\sqrt{-\log(1 - y)}", r"-\sqrt{-\log(1 - y)}"),
    ],
)
def test_the_branch_is_that_of_where_x_lies(f: str, where: str, right: str, wrong: str) -> None:
    assert of_inverse(f, right, where) == "proved"
    assert of_inverse(f, wrong, where) == "refuted"
    unsaid = {of_inverse(f, right), of_inverse(f, wrong)}
    assert unsaid == {"conditional"}


def test_a_map_says_where_its_argument_lies() -> None:
    text = (
        "Let $h: (-\\infty, 0] \\to [0, \\infty)$, $h(x) = x^2$. Its inverse is $h^{-1}(y) = {}$."
    )
    assert last(text.replace("{}", "-\\sqrt{y}")).verdict == "proved"
    assert last(text.replace("{}", "\\sqrt{y}")).verdict == "refuted"


@pytest.mark.parametrize(
    ("text", "verdict", "why"),
    [
        ("Let $h(x) = x + 1$. The inverse gives $h^{-1}(3) = 2$.", "proved", ""),
        ("Let $h(x) = x^3 + x$. The inverse gives $h^{-1}(2) = 1$.", "proved", ""),
        ("Let $h(x) = x^2$ for $x > 0$. The inverse gives $h^{-1}(4) = 2$.", "proved", ""),
        (
            "Let $h(x) = x^2$ for $x > 0$. The inverse gives $h^{-1}(4) = -2$.",
            "refuted",
            "-2 is not where x lies: x > 0",
        ),
        (
            "Let $h(x) = x^2$. The inverse gives $h^{-1}(4) = -2$.",
            "conditional",
            "true on one branch of the inverse of h: say where x lies",
        ),
        (
            "Let $h(x) = x^2$ for $x > 0$. The inverse gives $h^{-1}(a^2) = a$.",
            "conditional",
            "true where a is where x lies: x > 0",
        ),
        (
            "Let $h(x) = x^3 - x$. The inverse gives $h^{-1}(0) = 1$.",
            "conditional",
            "true on one branch of the inverse of h: say where x lies",
        ),
    ],
)
def test_values_of_inverse_functions(text: str, verdict: str, why: str) -> None:
    row = last(text)
    assert (row.verdict, row.reason) == (verdict, why)


def test_the_number_on_the_other_side_corrects_no_value_of_an_inverse() -> None:
    row = last("Let $h(x) = x + 1$. The inverse gives $h^{-1}(3) = 4$.")
    assert row.verdict == "refuted"
    assert row.correction == ""


def test_another_formula_for_the_inverse_of_a_name_itself() -> None:
    assert of_inverse("x", "y") == "proved"
    assert of_inverse("x", "y^2") == "refuted"


def test_quantile_functions_with_labels() -> None:
    text = "Let $F_X(t) = 1 - e^{-\\lambda t}$. The quantile function is $F_X^{-1}(u) = {}$."
    assert last(text.replace("{}", "-\\frac{1}{\\lambda} \\log(1 - u)")).verdict == "proved"
    assert last(text.replace("{}", "-\\lambda \\log(1 - u)")).verdict == "refuted"


def test_an_inverse_ties_no_names() -> None:
    text = (
        "Consider\n\n$$h(x) = (a + x)^3.$$\n\nThe second derivative is\n\n"
        "$$\\frac{d^2 h}{dx^2} = 6 (a + x).$$\n\nIts inverse is\n\n$$h^{-1}(y) = \\sqrt[3]{y}.$$\n"
    )
    found = sa.check(text, corrections=False).rows
    assert [r.verdict for r in found] == ["definition", "proved", "refuted"]


@pytest.mark.parametrize(
    ("where", "claim", "verdict"),
    [
        ("", r"\arctan(\tan x) = x", "conditional"),
        ("", r"\arctan(\tan x) = 2 x", "refuted"),
        ("", r"\arccos(\cos(2 x)) = 2 x", "conditional"),
        (r"For $-\pi/2 < x < \pi/2$: ", r"\arctan(\tan x) = x", "proved"),
        (r"For $0 < x < \pi$: ", r"\arctan(\tan x) = x", "refuted"),
        (r"For $0 < x < \pi$: ", r"\arccos(\cos x) = x", "proved"),
        (r"For $0 < x < \pi/2$: ", r"\arcsin(\sin x) = x", "proved"),
    ],
)
def test_principal_values(where: str, claim: str, verdict: str) -> None:
    row = last(f"{where}We have ${claim}$.")
    assert row.verdict == verdict
    if verdict == "conditional":
        between = {"tan": "-π/2 < x < π/2", "cos": "0 ≤ 2*x ≤ π"}
        assert row.reason == f"true where {between[claim[4:7]]}"


@pytest.mark.parametrize("said", ["$x < 0$", r"$x \in [-1, 0]$", "$x$ be a number in $[-1, 0]$",
                                  "$x$ be negative", "$x$ be nonpositive"])  # fmt: skip
def test_a_name_below_zero_is_positive_under_no_condition(said: str) -> None:
    assert last(f"Let {said}. Then $\\sqrt{{x^2}} = -x$.").verdict == "proved"
    assert last(f"Let {said}. Then $\\sqrt{{x^2}} = x$.").verdict == "refuted"


@pytest.mark.parametrize("said", ["$f(x)$ in $[0, 1]$", "$x$ not in $[0, 1]$", "$x$ in $[0, n]$"])
def test_what_says_nothing_of_where_x_lies(said: str) -> None:
    text = f"Let {said}. We have $\\sqrt{{x^2}} = x$."
    assert last(text).verdict == "conditional"


def test_what_a_word_and_a_range_leave_together() -> None:
    text = "The number $a < 0$. The vector $u$ is unit-norm. Let $f = |a| u_k u_k$.\n\n"
    assert last(text + "$$2 f = -2 a$$").verdict == "unproved"
    assert last(text + "$$2 f = 2 a$$").verdict == "refuted"
    assert last(text + "$$2 f = -3 a$$").verdict == "refuted"
    text = "Let $0 < b < 1$. The vector $u$ has zero mean. Let $f = |1 - b| + \\sum_i u_i$.\n\n"
    assert last(text + "$$2 f = 2 - 2 b$$").verdict == "unproved"
    assert last(text + "$$2 f = 2 - 3 b$$").verdict == "refuted"


@pytest.mark.parametrize(
    ("claim", "where"),
    [
        (r"\sinh(\log(y - \sqrt{1 + y^2})) = y", "y - sqrt(y**2 + 1) > 0"),
        (r"\log((-x^2 - 1)^2) = 2 \log(-x^2 - 1)", "-x**2 - 1 > 0"),
    ],
)
def test_a_proof_under_a_condition_that_nothing_meets(claim: str, where: str) -> None:
    row = last(f"We have ${claim}$.")
    assert (row.verdict, row.reason) == ("unproved", f"proved where {where}, which is nowhere")


def test_one_formula_of_a_one_to_one_function_that_has_no_values() -> None:
    assert of_inverse(r"\sinh x", r"\log(y - \sqrt{1 + y^2})") == "unproved"


def test_a_pole_makes_two_branches_of_what_rises() -> None:
    f = r"x - 5 - \frac{1}{x - 5}"
    assert of_inverse(f, r"5 + \frac{y - \sqrt{y^2 + 4}}{2}") in ("conditional", "unproved")


@pytest.mark.parametrize(
    ("f", "inverse"),
    [(r"\sin(x/3)", r"3 \arcsin y"), (r"\tan(x/3)", r"3 \arctan y")],  # that rises, piece by piece
)
def test_what_has_its_values_at_several_places(f: str, inverse: str) -> None:
    assert of_inverse(f, inverse) == "conditional"
    assert of_inverse(f, inverse, r"for $-1 < x < 1$") == "proved"
