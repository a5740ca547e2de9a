r"""What short pages say as other people write them: scenes, places, laws that are solved."""

from __future__ import annotations

import pytest

import symattn as sa


def last(text: str) -> str:
    """The verdict on the last formula."""
    return sa.check(text, corrections=False, jobs=1).rows[-1].verdict


EXPONENTIAL = (
    r"The density is $f(x) = \lambda e^{-\lambda x}$. If a second clock rings at RATE $\mu$, the "
    "chance is\n\n$$ \\int_0^\\infty \\lambda e^{-\\lambda x} e^{-\\mu x} \\, dx = VALUE . $$\n"
)
HEAT = (
    r"Let $u(x, t) = e^{-\kappa k^2 t} \sin(k x)$. The function satisfies "
    r"$\frac{\partial u}{\partial t} = SIGN \kappa \frac{\partial^2 u}{\partial x^2}$."
)


@pytest.mark.parametrize(
    ("text", "verdict"),
    [  # what only sets the scene is no condition
        (EXPONENTIAL.replace("RATE", "rate").replace("VALUE", r"\frac{\mu}{\lambda+\mu}"),
         "refuted"),
        (EXPONENTIAL.replace("RATE", "the same rate").replace("VALUE", r"\frac{\mu}{\lambda+\mu}"),
         "unproved"),
        (r"If dividends grow at rate $g < r$ then $S = \frac{D}{r - g}$, and the sensitivity is "
         "\n\n$$ \\frac{\\partial S}{\\partial g} = -\\frac{D}{(r-g)^2} . $$", "refuted"),
        (r"If both masses are equal, then $S = a + b$ and $S^2 = 4 a^2$.", "unproved"),
        (r"If $b = 2 a$, then $S = a + b$ and $S^2 = 9 a^2$.", "proved"),
        (r"If the current $i$ is doubled, the power is $P = R i^2$, so $\frac{dP}{di} = 4 R i$.",
         "unproved"),
        # where a value is taken
        (r"The variance is $v(w) = w^2 a + (1-w)^2 b$. It vanishes at $w^* = \frac{b}{a + b}$, "
         "where\n\n$$ v(w^*) = \\frac{a + b}{a b} . $$", "refuted"),
        (r"The rate is $r(S) = \frac{V S}{K + S}$. At $S = K$ it is half of its maximum, "
         r"$r(K) = \frac{V}{2}$, and the slope at the origin is $r'(0) = \frac{K}{V}$.", "refuted"),
        (r"The rate is $r(S) = \frac{V S}{K + S}$. At $K = V$ the slope is $r'(0) = 1$.", "proved"),
        (r"The flow is $q(k) = v k - k^2/m$. It ends at $k_c = v m/2$, where the capacity is "
         r"$q(k_c) = \frac{v^2 m}{3}$.", "refuted"),
        (r"It is $q(k) = v k - k^2/m$. At a point $k = v m/2$ where the capacity is "
         r"$q(k) = \frac{v^2 m}{3}$ all is well.", "definition"),
        # numbers at a place that an equation puts
        (r"The share is $e = \frac{K}{K + S}$. At $S = K$ it is $e = 1$.", "refuted"),
        (r"The share is $e = \frac{K}{K + S}$. For $S = 2 K$ we get $e = \frac13$.", "proved"),
        (r"The share is $e = \frac{K}{K + S}$. At $S = m K$ it is $e = \frac12$.", "definition"),
        (r"The share is $e = \frac{K}{K + S}$. At $S = K$ its maximum is $e = \frac14$.",
         "definition"),
        (r"The flow is $q = v k - k^2/m$. At $k = v m/2$ it is $q = \frac{v^2 m}{3}$.", "refuted"),
        # equations that a given function satisfies
        (HEAT.replace("SIGN", "-"), "refuted"),
        (HEAT.replace("SIGN", ""), "proved"),
        (r"Choose $k$ such that $x(t) = A\cos(k t)$ satisfies $\ddot x = -k x$.", "definition"),
        # numbers
        (r"For $p = 0.6$ and $b = 1$ the optimal part $f^* = p - \frac{1-p}{b}$ is $f^* = 0.3$.",
         "refuted"),
        (r"The response is $y = x (4 - x)$. With $x = 1$ the maximal value is $y = 4$.",
         "definition"),
        (r"The period is $P = 2\pi\sqrt{\ell/g}$. With $\ell = 1$ m and $g = 9.81\,\mathrm{m/s^2}$ "
         "it is short. Its slope is\n\n$$ \\frac{dP}{d\\ell} = \\frac{2\\pi}{\\sqrt{g \\ell}} . $$",
         "refuted"),
    ],
)  # fmt: skip
def test_words_before_a_claim(text: str, verdict: str) -> None:
    assert last(text) == verdict


PROFIT = r"The profit is $p(q) = (a - b q) q - c q$, so $p'(q) = a - c - 2 b q$. "


@pytest.mark.parametrize(
    ("text", "verdicts"),
    [
        (r"The block obeys $m a = m g \sin\theta - \mu m g \cos\theta$, so that "
         r"$a = g (\sin\theta + \mu\cos\theta)$.", ["definition", "refuted"]),
        (r"The block obeys $m a = m g \sin\theta - \mu m g \cos\theta$, so that "
         r"$a = g (\sin\theta - \mu\cos\theta)$.", ["proved", "definition"]),
        (r"Energy conservation gives $\frac12 m v^2 = m g h$. Therefore $v = \sqrt{g h}$.",
         ["definition", "refuted"]),
        (r"The points satisfy $x^2 = 4 a$. Therefore $x = -2 \sqrt{a}$.",
         ["proved", "definition"]),  # the other root
        (r"The points satisfy $x^2 = 4 a$. Therefore $x = 4 \sqrt{a}$.",
         ["definition", "refuted"]),
        (r"The flow is still where $p x^2 = q x$. Therefore $x = \frac{p}{q}$.",
         ["definition", "refuted"]),
        (r"The balance of the forces is $m a = F - k v$. Without friction this gives $a = F/m$.",
         ["skipped"]),
        (r"The population follows $\dot N = r N (1 - N/K) - h N$. At equilibrium we find "
         r"$N = K (1 + h/r)$.", ["definition", "refuted"]),
        (r"The amount obeys $\frac{dI}{dt} = k_1 A - (k_2 + k_3) I$. In the steady state "
         r"$I = \frac{k_1 A}{k_2 + k_3}$.", ["unproved", "conditional"]),
        (r"A falling body obeys $m v' = m g - c v$. In the steady state $v = \frac{m g}{c}$.",
         ["skipped", "definition"]),
        (r"Two resistors in parallel satisfy $\frac1R = \frac1a + \frac1b$, hence "
         r"$R = \frac{a + b}{a b}$.", ["definition", "refuted"]),
        (r"A falling body obeys $m \frac{dv}{dt} = m g - k v^2$. At terminal speed "
         r"we have $v = \sqrt{\frac{k}{m g}}$.", ["definition", "refuted"]),
        (r"Let $L = \frac{a}{b - a}$. By the law $L = a W$, so that $W = \frac{1}{b + a}$.",
         ["definition", "definition", "refuted"]),
        (r"Let $L = \frac{a}{b - a}$. By the law $L = a W$, so that $W = \frac{1}{b - a}$.",
         ["definition", "proved", "definition"]),
        (r"Let $L = a W$. The mean time that is left in the system is then $W = \frac{1}{b - a}$.",
         ["definition", "definition"]),  # which may be of another thing
        (r"Solving $m = \frac{x}{1 + x}$ for $x$ yields $x = \frac{m}{1 + m}$.",
         ["definition", "refuted"]),
        (r"Solving $m = \frac{x}{1 + x}$ for $x$ yields $x = \frac{m}{1 - m}$.",
         ["definition", "proved"]),
        (r"The energy is $T = \frac12 m v^2$, and so the speed is $v = \sqrt{2 g h}$.",
         ["definition", "definition"]),
        (PROFIT + r"Setting this to zero, the best amount is $q^* = \frac{a + c}{2 b}$.",
         ["definition", "proved", "refuted"]),
        (PROFIT + r"Setting the derivative to zero gives $q = \frac{a - c}{2 b}$.",
         ["definition", "proved", "conditional"]),
        (PROFIT + r"Setting this to zero with a tax $t$, the best is $q^* = \frac{a + c}{2 b}$.",
         ["definition", "proved", "definition"]),
        (PROFIT + r"Setting the tax to zero, the best price is $q^* = \frac{a + c}{2 b}$.",
         ["definition", "proved", "definition"]),
    ],
)  # fmt: skip
def test_a_law_that_is_solved(text: str, verdicts: list[str]) -> None:
    assert [r.verdict for r in sa.check(text, corrections=False, jobs=1).rows] == verdicts


@pytest.mark.parametrize(
    ("text", "verdict"),
    [
        (r"The series is $$ \sum_{n=1}^\infty q^{n-1} s^n = \frac{s}{1 + q s}.$$", "refuted"),
        (r"The mean is $$ \sum_{n=1}^\infty n q^{n-1} p = \frac{p}{(1-q)^2} . $$", "proved"),
        (r"Find $q$ such that $$ \sum_{k=0}^\infty q^k = \frac{1}{a} .$$", "definition"),
        (r"At the rate $i$, with $v = 1/(1+i)$, a perpetuity is worth "
         r"$$ \sum_{k=1}^\infty v^k = \frac{1}{i} .$$", "proved"),
        (r"We have $$G(s) = \sum_{n=1}^\infty q^{n-1} p\, s^n = \frac{p s}{1 - q s}.$$ "
         r"Then $$G'(s) = \frac{p}{(1 - q s)^2}.$$", "proved"),
        (r"We have $$G(s) = \sum_{n=1}^\infty q^{n-1} p\, s^n = \frac{p s}{1 - q s}.$$ "
         r"Then $$G'(s) = \frac{p s}{(1 - q s)^2}.$$", "refuted"),
    ],
)  # fmt: skip
def test_endless_sums(text: str, verdict: str) -> None:
    assert last(text) == verdict


GATE = (
    r"Let $g(u) = u\,s(u)$ with $s(u) = \frac{1}{1 + e^{-u}}$. Its derivative is"
    "\n\n$$ g'(u) = s(u) + u\\,s(u)(1 - s(u)) , $$\n\nwhich is the same as $g(u) + s(u)(1 - g(u))$."
)


def test_a_function_may_be_said_behind_what_is_made_of_it() -> None:
    def verdicts(text: str) -> list[str]:
        return [r.verdict for r in sa.check(text, corrections=False, jobs=1).rows]

    assert verdicts(GATE) == ["definition", "definition", "proved", "proved"]
    slip = GATE.replace("(1 - g(u))$", "(1 + g(u))$")
    assert verdicts(slip) == ["definition", "definition", "proved", "refuted"]
    later = "# Gate\n\n$$ g(u) = u\\,s(u) $$\n\n# One\n\n$$ s(u) = u^2 $$\n\n$$ g'(u) = 3 s(u) $$"
    assert verdicts(later) == ["definition", "definition", "proved"]


@pytest.mark.parametrize(
    ("text", "verdict"),
    [
        (r"The area is $A = a (b + c)$, which equals $a b + c$.", "refuted"),
        (r"The cost is $C = 2 n^3$ steps, which is equal to $O(n^3)$.", "definition"),
        ("The solid has volume\n\n$$ V(h) = \\pi \\int_0^h x \\, dx , $$\n\nso $V'(h) = 2\\pi h$.",
         "refuted"),
        ("An expansion from $V_1$ to $V_2$ takes\n\n"
         "$$ W = \\int_{V_1}^{V_2} \\frac{n R T}{V} \\, dV = n R T \\ln\\frac{V_1}{V_2} . $$",
         "refuted"),
        (r"The impedance is $Z = R + j\omega L + \frac{1}{j \omega C}$. Collecting real and "
         r"imaginary parts one obtains $$Z = R + j\left(\omega L + \frac{1}{\omega C}\right) .$$",
         "refuted"),
        (r"The admittance is $Y = \frac{1}{R} + j\left(\omega C - \frac{1}{\omega L}\right)$. So "
         r"$$|Y|^2 = \frac{1}{R^2} + \left(\omega C - \frac{1}{\omega L}\right)^2 .$$", "proved"),
        (r"The bob hangs at $x = \ell \sin\phi$ and $y = -\ell\cos\phi$, so $x^2 + y^2 = \ell$.",
         "refuted"),
    ],
)  # fmt: skip
def test_other_forms_of_what_is_said(text: str, verdict: str) -> None:
    assert last(text) == verdict


HESSIAN = (
    r"Let $J(\beta) = \|y - X\beta\|^2 + \lambda \|\beta\|^2$ with "
    r"$X \in \mathbb{R}^{n\times p}$ and $y \in \mathbb{R}^n$. The Hessian is"
    "\n\n$$ \\nabla^2 J(\\beta) = GRAM + 2\\lambda I . $$"
)
POSITIVE = (
    "The loss for the EXAMPLE is\n\n$$ L = -s_k + \\log\\sum_j \\exp(s_j) . $$\n\nWe have\n\n"
    "$$ \\frac{\\partial L}{\\partial s_i} = w_i + \\delta_{ik} $$\n\n"
    "with $w_i = \\exp(s_i) / \\sum_j \\exp(s_j)$."
)


def test_shapes_and_letters_that_words_tell() -> None:
    assert last(HESSIAN.replace("GRAM", r"2 X X^\top")) == "malformed"
    assert last(HESSIAN.replace("GRAM", r"2 X^\top X")) == "proved"
    for example, verdict in (("positive example $k$", "refuted"), ("example", "unproved")):
        rows = sa.check(POSITIVE.replace("EXAMPLE", example), corrections=False, jobs=1).rows
        assert rows[1].verdict == verdict
    markov = r"The transition matrix $P \in \mathbb{R}^{3 \times 3}$ has $p = (a, b, c)^\top$. "
    assert "malformed" not in last(markov + "Then $$ p P = p . $$")
    number = r"With $S_n = \sum_{k=1}^n k$ the mean is $$ m = \frac{S_n}{n} = \frac{n+1}{2} . $$"
    assert {r.verdict for r in sa.check(number, jobs=1).rows}.isdisjoint({"malformed", "refuted"})


WAVES = (
    "## Mass\n\nTry $x(t) = e^{-g t}\\cos(w t)$.\n\n## Heat\n\n"
    "The function $u(x, t) = e^{-a k^2 t} \\sin(k x)$ satisfies\n\n"
    "$$ \\frac{\\partial u}{\\partial t} = a \\frac{\\partial^2 u}{\\partial x^2} . $$\n"
)
AREA = (
    "Title\n=====\n\nThe area between :math:`y = x` and :math:`y = x^2` is\n\n.. math::\n\n"
    "   \\int_0^1 (x - x^2)\\, dx = \\frac16 .\n"
)


def test_right_claims_that_were_refuted() -> None:
    assert last(WAVES) == "proved"
    assert last(WAVES.replace("= a \\frac", "= -a \\frac")) == "refuted"
    rows = sa.check(AREA, corrections=False, jobs=1).rows
    assert [r.verdict for r in rows] == ["definition", "definition", "proved"]
    assert [(r.line, r.column) for r in rows] == [(4, 25), (4, 43), (8, 4)]


@pytest.mark.parametrize(
    ("text", "verdicts"),
    [
        (r"With $g = 0.02$, $r = 0.07$ the value is $V = 21.0$.", ["refuted"]),
        (r"With $g = 0.02$, $r = 0.07$ the value is $V = 20.0$.", ["proved"]),
        (r"With $g = 0.02$, $r = 0.071$ the value is $V = 19.8$.", []),  # both may be rounded
        (r"With $g = 0.02$, $r = 0.07$ the range is $V = 51.2$.", ["refuted"]),
        (r"With $g = 0.02$, $r = 0.07$ values range up to $V = 51.2$.", []),
    ],
)
def test_numbers_of_one_digit_are_exact(text: str, verdicts: list[str]) -> None:
    rows = sa.check(rf"The value is $V = \frac{{1}}{{r - g}}$. {text}", jobs=1).rows
    assert [r.verdict for r in rows] == ["definition", *verdicts]


@pytest.mark.parametrize(
    ("text", "verdicts"),
    [
        ("If $D(p) = k p^{-n}$ is the demand, then\n\n$$ D'(p) = n \\frac{D(p)}{p} . $$",
         ["definition", "refuted"]),
        ("**1. Demand.** If $D(p) = k p^{-n}$ then $D'(p) = n \\frac{D(p)}{p}$.",
         ["definition", "refuted"]),
        ("**1. Equal laws.** If $a = b$ then $a^2 - b^2 = c$.", ["skipped"]),
        ("Let $S = a - b$. If $a = b$ then\n\n$$ S = 0 . $$", ["definition", "proved"]),
    ],
)  # fmt: skip
def test_an_if_that_names_a_function(text: str, verdicts: list[str]) -> None:
    rows = sa.check(text, corrections=False, jobs=1).rows
    assert [r.verdict for r in rows] == verdicts


@pytest.mark.parametrize(
    ("text", "verdict"),
    [
        (r"Let $Z = R + j x$. The admittance $Y = 1/Z$ is $$ Y = \frac{R + j x}{R^2 + x^2} . $$",
         "refuted"),
        (r"Let $Z = R + j x$. The admittance $Y = 1/Z$ is $$ Y = \frac{R - j x}{R^2 + x^2} . $$",
         "proved"),
        (r"Let $Z = R + j x$. The admittance is $Y = 1/Z$. Another coil has "
         r"$$ Y = \frac{R + j x}{R^2 + x^2} . $$", "definition"),
        (r"Let $H(\omega) = \frac{1}{1 + j\omega R C}$. At the corner frequency "
         r"$\omega_c = \frac{1}{RC}$ this becomes $|H(\omega_c)|^2 = \frac14$.", "refuted"),
    ],
)  # fmt: skip
def test_complex_numbers_said_again(text: str, verdict: str) -> None:
    assert last(text) == verdict


@pytest.mark.parametrize(
    ("claim", "verdict"),
    [("f(0) = A", "proved"), ("f(0) = 2 A", "refuted"),
     (r"f(t + s) = A \cos(\omega t + \omega s)", "proved")],
)  # fmt: skip
def test_what_is_put_into_an_angle_stays_in_it(claim: str, verdict: str) -> None:
    assert last(rf"Let $f(t) = A \cos\omega t$. Then ${claim}$.") == verdict


MOTION = r"The displacement is $q(t) = a e^{-b t} \cos c t$. "


@pytest.mark.parametrize(
    ("text", "verdict"),
    [
        (MOTION + r"At $t = 0$ we have $\dot q(0) = -a b$.", "proved"),
        (MOTION + r"At $t = 0$ we have $\dot q(0) = -a c$.", "refuted"),
        (MOTION + r"It is known that $\dot q(0) = -a c$.", "unproved"),
        (MOTION + r"It is required that $\dot q(0) = -a c$.", "unproved"),
        (r"Let $f(x) = a x (1 - x)$. At the fixed point $x^* = 1 - \frac1a$ one checks that "
         r"$f(x^*) = 1 + \frac1a$.", "refuted"),
        (r"The voltage $v(t) = V e^{-t/r}$ falls to half of it at $t_{1/2} = r \ln 2$, since "
         r"$v(t_{1/2}) = \frac{V}{4}$.", "refuted"),
        (r"Let $M(x) = w L x - w x^2$. Then $$V(x) = M'(x) = w L - 2 w x ,$$ zero at the middle, "
         r"$V(L/2) = w L$.", "refuted"),
        (r"The output satisfies $y = A (x - b y)$, so that $y = \frac{A}{1 - A b} x$.", "refuted"),
        (r"The form is $p(x) = x^3 k$ with $p'(x) = 2 k x^2$.", "refuted"),
        (r"The form is $p(x) = x^3 k$ with $p'(x) = c x^2$.", "definition"),
        (r"Let $p(x) = x^3 k$ with $p'(x) = 2 k x^2$.", "definition"),
        (r"For odd $n$ we have $\sum_{k=1}^n (-1)^k = -1$ but for even $n$ we have "
         r"$\sum_{k=1}^n (-1)^k = (-1)^n$.", "conditional"),
        (r"An arm has its tip at $x = a \cos c + b \cos d$, $y = a \sin c + b \sin d$. It is "
         r"$$ x^2 + y^2 = a^2 + b^2 - 2 a b \cos(c - d) . $$", "refuted"),
        (r"The curve $f(x) = a x^2 - b x$ has its minimum at $x = \frac{b}{2 a}$. Its slope is "
         r"$$ f'(x) = 2 a x - b . $$", "proved"),
        (r"With $a = \frac{m}{2 q}$ it is $v = \frac{1}{\sqrt a}$, i.e. $v = \sqrt{\frac{q}{m}}$.",
         "refuted"),
        (r"With $R = \begin{pmatrix} \cos a & -\sin a \\ \sin a & \cos a \end{pmatrix}$ "
         r"we have $\det R = 0$.", "refuted"),
        (r"With $R = \begin{pmatrix} \cos a & -\sin a \\ \sin a & b \end{pmatrix}$ "
         r"we have $\det R = 0$.", "skipped"),
        (r"Let $v_i = x_i - \frac1d \sum_{j=1}^d x_j$. The values $v_i$ satisfy "
         r"$$\sum_{i=1}^d v_i = d .$$", "refuted"),
        (r"Let $p_i = e^{-E_i}/Z$. The weights $p_i$ satisfy $$\sum_i p_i = 1 .$$", "unproved"),
        (r"Let $v_i = x_i - y_i$. The values $v_i$ that satisfy $$\sum_{i=1}^d v_i = d$$ are used.",
         "unproved"),
    ],
)  # fmt: skip
def test_values_and_facts_of_what_is_given(text: str, verdict: str) -> None:
    assert last(text) == verdict


@pytest.mark.parametrize(
    ("text", "verdicts"),
    [
        (r"For $z = \ln(x^2 + y^2)$, $$ \frac{\partial z}{\partial x} = \frac{2 x}{x^2 + y^2} . $$"
         "\n\nThe function $y(x) = C e^{-2x} + 3$ solves $y' + 2 y = 6$.",
         ["definition", "proved", "definition", "proved"]),
        (r"For $z = \ln(x^2 + y^2)$, $$ \frac{\partial z}{\partial x} = \frac{x}{x^2 + y^2} . $$"
         "\n\nThe function $y(x) = C e^{-2x} + 3$ solves $y' + 2 y = 6$.",
         ["definition", "refuted", "definition", "proved"]),
        ("The plant is $\\dot x = a x + b u$.\n\n**Steps.** With step $h$ the method is "
         "$x_{n+1} = (1 + a h) x_n$, so after $n$ steps $x_n = (1 + a h)^n x_0$.\n\n"
         "**Lyapunov.** For $V = x^2 + y^2$ we go along $\\dot x = -x + y$.",
         ["definition", "definition", "proved", "definition", "definition"]),
        ("The lens equation is $\\frac1f = \\frac1g + \\frac1b$. Solving for $b$ gives\n\n"
         "$$ b = \\frac{f g}{g - f} . $$\n\nIt is $M = b/g$, therefore\n\n"
         "$$ M = \\frac{g}{g - f} . $$",
         ["proved", "definition", "definition", "definition"]),
    ],
)  # fmt: skip
def test_what_is_said_further_on(text: str, verdicts: list[str]) -> None:
    rows = sa.check(text, corrections=False, jobs=1).rows
    assert [r.verdict for r in rows] == verdicts


def test_another_form_of_a_function_in_a_directive():
    text = (
        "A code fails with :math:`f(p) = 3 p^2 (1 - p) + p^3`, i.e.\n\n.. math::\n\n"
        "   f(p) = 3 p^2 - NUMBER p^3 .\n"
    )
    assert last(text.replace("NUMBER", "2")) == "proved"
    assert last(text.replace("NUMBER", "")) == "refuted"
