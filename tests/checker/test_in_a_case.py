"""What a case says of a name; what bends at the sign of a parameter; logarithms of multiples."""

import pytest

import symattn as sa


def rows(text):
    return sa.check(text, corrections=False, timeout=None).rows


def last(text):
    return rows(text)[-1].verdict


KNOWN = r"Put $\omega_0 = \sqrt{k/m}$ and $\zeta = \frac{c}{2\sqrt{km}}$."
CLAIM = (
    r"\zeta \omega_0 T = \frac{2 \pi \zeta}{\sqrt{1 - \zeta^2}}, \qquad T = \frac{2\pi}{\omega_d}"
)
DAMPED = r"\omega_d = \omega_0 \sqrt{1 - \zeta^2}"


def claimed(words, claim=CLAIM):
    found = rows(f"{KNOWN}\n\n{words}\n\n$$ {claim} $$\n")
    return next(r for r in found if r.latex.startswith(r"\zeta \omega_0 T"))


@pytest.mark.parametrize(
    "words",
    [
        rf"In the underdamped case we have $x(t) = A \cos(\omega_d t)$ with ${DAMPED}$.",
        rf"In this limit it is $y = \cos \omega_d t$, where ${DAMPED}$.",
        rf"It moves with ${DAMPED}$.",
    ],
)
def test_with_a_name_of_its_own_a_case_says_what_it_is(words):
    assert claimed(words).verdict == "proved"
    wrong = CLAIM.replace(r"= \frac{2 \pi \zeta}", r"= \frac{\pi \zeta}", 1)
    assert claimed(words, wrong).verdict == "refuted"


@pytest.mark.parametrize(
    "words",
    [
        rf"In the underdamped case ${DAMPED}$ is real.",
        r"In this case $\omega_{d} = \omega_0 \sqrt{1 - \zeta^2}$.",
    ],
)
def test_what_a_case_says_leaves_a_name_that_is_not_free(words):
    row = claimed(words)
    assert (row.verdict, row.reason) == ("unproved", "line 3 may say what omega_d is")


def test_a_name_that_is_said_twice_is_not_known_by_one_case():
    words = rf"In this case it is $y = \cos \omega_d t$ with ${DAMPED}$, else ${DAMPED[:-3]}^4}}$."
    assert claimed(words).verdict == "unproved"


@pytest.mark.parametrize(
    "claim",
    [
        r"|\lambda x| = \lambda |x|",
        r"\max(\lambda x, 0) = \lambda \max(x, 0)",
        r"\operatorname{sign}(z) \max(|z| - \lambda, 0) = \begin{cases} z - \lambda & z > \lambda,"
        r" \\ 0 & |z| \leq \lambda, \\ z + \lambda & z < -\lambda \end{cases}",
    ],
)
def test_a_parameter_may_have_to_be_positive(claim):
    row = rows(f"$$ {claim} $$")[-1]
    assert (row.verdict, row.reason) == ("conditional", "true where lambda > 0")


@pytest.mark.parametrize(
    "claim",
    [
        r"|\lambda x| = 2 \lambda |x|",
        r"\max(\lambda x, 0) = \lambda \max(x, 1)",
        r"|k x| = k |x|",  # of no parameter
        r"\frac{d |x|}{d x} = 1",
    ],
)
def test_what_is_wrong_for_positive_parameters_is_refuted(claim):
    assert rows(f"$$ {claim} $$")[-1].verdict == "refuted"


ENTROPY = r"$S(m) = - \frac{1 + m}{2} \ln \frac{1 + m}{2} - \frac{1 - m}{2} \ln \frac{1 - m}{2}$"


@pytest.mark.parametrize(
    ("claim", "verdict"),
    [
        (r"S'(m) = \frac12 \ln \frac{1 - m}{1 + m}", "proved"),
        (r"S'(m) = \frac12 \ln \frac{3 (1 - m)}{3 + 3 m}", "proved"),
        (r"S'(m) = \frac12 \ln \frac{1 + m}{1 - m}", "refuted"),
        (r"S'(m) = \frac12 \ln \frac{2 - m}{2 + m}", "refuted"),
        (r"S'(m) = \ln \frac{1 - m}{1 + m}", "refuted"),
    ],
)
def test_a_logarithm_of_a_multiple_says_the_sign_too(claim, verdict):
    assert rows(f"{ENTROPY}\n\n$$ {claim} $$")[-1].verdict == verdict


RESONANCE = r"""When the circuit is in resonance, the frequency is $\omega = 1/\sqrt{LC}$. In
general

$$ Z = R^2 + (\omega L - \frac{1}{\omega C})^2 $$

and then

$$ EQUATION $$
"""


@pytest.mark.parametrize(
    "equation, verdict",
    [
        (r"\frac{\partial Z}{\partial L} = 2\omega(\omega L - \frac{1}{\omega C})", "proved"),
        (r"\frac{\partial Z}{\partial L} = \omega(\omega L - \frac{1}{\omega C})", "refuted"),
        (r"Z = R^2", "conditional"),  # in resonance
        (r"Z = 2 R^2", "definition"),  # of another one
    ],
)
@pytest.mark.parametrize("state", ["When the circuit is in resonance,", "In resonance"])
def test_a_case_ends_where_words_speak_in_general(state, equation, verdict):
    text = RESONANCE.replace("When the circuit is in resonance,", state)
    assert last(text.replace("EQUATION", equation)) == verdict


def test_what_follows_a_situation_is_of_it():
    text = r"""When the firms choose $q$ and $r$, the price is $p = a - q - r$. The profit is
$\pi = p q$ and
$$ \frac{\partial\pi}{\partial q} = a - 2q - r $$
"""
    assert last(text) == "proved"
    assert last(text.replace("- 2q", "- q")) == "refuted"


def test_another_case_that_is_not_read():
    text = r"""When the variances are equal, $t = \frac{x - y}{\sqrt{s/n + s/m}}$. When they are
not, $t = \frac{x - y}{\sqrt{a/n + b/m}}$. The squared statistic is
$t^2 = \frac{(x - y)^2}{a/n + b/m}$."""
    assert last(text) not in ("refuted", "malformed")
    joined = " ".join(text.split())  # one line
    assert last(joined) not in ("refuted", "malformed")


ESCAPE = r"""It escapes if $\frac12 m v^2 = \frac{G M m}{r}$, that is with $v = \sqrt{2 G M/r}$. On
a circular orbit $\frac{m v^2}{r} = \frac{G M m}{r^2}$, so $v = \sqrt{G M/r}$."""


def test_one_case_says_nothing_against_another():
    assert not [r for r in rows(ESCAPE) if r.verdict in ("refuted", "malformed")]
    plain = r"The escape velocity is $v = \sqrt{2 G M/r}$. On a circular orbit $v = \sqrt{G M/r}$."
    assert not [r for r in rows(plain) if r.verdict in ("refuted", "malformed")]


def test_a_limit_of_low_values_is_a_case():
    text = r"""The rate is $v = \frac{V S}{K + S}$. At low concentrations it is
$v = \frac{V}{K} S$. The slope is $\frac{dv}{dS} = \frac{V K}{(K + S)^2}$."""
    assert last(text) == "conditional"  # another is said since
    assert last(text.replace("{V K}", "{V S}")) == "refuted"


@pytest.mark.parametrize(
    "text",
    [
        "For a square, $b = a$ and the area is $A = a b = a^2$. For a rectangle the area is "
        "$A = a b = a^2$.",
        r"Suppose first that $u = v$. Then $u^2 + v^2 = 2 u v$. Now let $u \ne v$. Then "
        "$u^2 + v^2 = 2 u v$.",
        r"Let $f = x^2 + y^2$. On the line $y = x$ it is $f = 2x^2$. Off the line "
        r"$\frac{\partial f}{\partial x} = 4x$.",
        r"For large $n$, $s = n^2/2$ and exactly $s = \frac{n (n + 1)}{2}$. Also $2 s = n^2$.",
        "If $y = e^{x}$ then $y' = y$. If $y = e^{2x}$ then $y' = y$.",
        r"In case $A$ is symmetric, $\nabla(x^\top A x) = 2 A x$. Let $A$ be any matrix. Then "
        r"$\nabla(x^\top A x) = 2 A x$.",
    ],
)
def test_what_holds_in_one_case_is_not_proved_in_another(text):
    assert last(text) in ("conditional", "definition")


def test_within_its_case_it_is_proved():
    text = "For a square, $b = a$ and the area is $A = a b = a^2$. Its diagonal obeys $d^2 = 2 a b$"
    assert last(f"{text} and $2 a b = 2 a^2$.") == "proved"
    text = r"Suppose that $u = v$. Then $u^2 + v^2 = 2 u v$ and $(u - v)^2 = 0$."
    assert last(text) in ("proved", "conditional")


def test_another_kind_has_another_law():
    text = r"""For the first reaction we have $a = c e^{-k t}$ and $b = c - a$. For the reverse
reaction with rate $l$ as well, $\dot a = -k a + l b$."""
    assert last(text) not in ("refuted", "malformed")
    same = r"For the first reaction we have $a = c e^{-k t}$ and $\dot a = -2 k a$."
    assert last(same) == "refuted"


def test_another_regime_is_not_the_first():
    text = r"""Let $$ H = a (1 - e^{-b x}) $$ At high load $$ H = a x + b $$
The slope is $$ \frac{\partial H}{\partial x} = a b e^{-b x} $$"""
    assert last(text) != "proved"
    assert last(text.replace("a b e^{-b x}", "a")) not in ("refuted", "malformed")


POWERS = r"Let $p = \sigma(x)$ and $F = -(1 - p)^g \log p$." + "\n\n"
SLOPE = r"\frac{\partial F}{\partial x} = (1 - p)^2 (2 p \log p + p - 1)"


@pytest.mark.parametrize(
    "words, claim, wanted",
    [
        ("With $g = 2$ this is", SLOPE, "proved"),
        ("For $g = 2$ we get", SLOPE.replace("p - 1)", "p + 1)"), "refuted"),
        ("At $g = 2$:", SLOPE, "proved"),
        ("At $g = 4$:", SLOPE, "unproved"),  # more than one edit away
        ("For $g = 1$ it is", r"F = -(1 - p) \log p", "proved"),
        ("For $g = 1$ it is", r"F = -(1 + p) \log p", "refuted"),
        ("In another model with $g = 1$ it is", r"F = -(1 + p) \log p", "definition"),
        (
            "With $g = 2$, when the loss is clipped, it is",
            SLOPE.replace("- 1)", "+ 1)"),
            "unproved",
        ),
        ("With $a = 2$ this is", SLOPE.replace("p - 1)", "p + 1)"), "unproved"),
    ],
)
def test_a_number_that_words_put_is_put_in(words, claim, wanted):
    assert last(f"{POWERS}{words}\n\n$$ {claim} $$\n") == wanted


@pytest.mark.parametrize(
    "words, claim, wanted",
    [
        ("At $s = h$ it is", r"D = \frac{h}{2}", "proved"),
        ("At $s = h$ it is", r"D = \frac{h}{3}", "refuted"),
        ("At $s = h$ the other lens has", r"D = \frac{h}{3}", "definition"),
        ("At $s = h$ and $t = h$ it is", r"D = \frac{h}{3}", "definition"),
    ],
)
def test_a_name_that_words_put_is_put_in(words, claim, wanted):
    rest = "\n\n$$ 2 D = \\frac{2 s h}{h + s} $$\n"
    found = rows(f"Let $D = \\frac{{s h}}{{h + s}}$.\n\n{words}\n\n$$ {claim} $$\n{rest}")
    assert found[1].verdict == wanted


@pytest.mark.parametrize(
    "words, claim, wanted",
    [
        ("At $x = 2$ the slope is", r"\frac{d f}{d x} = 10", "proved"),
        ("At $x = 2$ the slope is", r"\frac{d f}{d x} = 12", "refuted"),
        (r"At $x = \frac12$ the slope is", r"\frac{d f}{d x} = -\frac54", "proved"),
        (r"At $x = \frac12$ another curve has", r"\frac{d f}{d x} = \frac54", "unproved"),
    ],
)
def test_a_derivative_is_taken_before_a_number_is_put_in(words, claim, wanted):
    text = f"Let $f(x) = x^3 - 2 x$.\n\n{words}\n\n$$ {claim} $$\n\n# Next\n\n"
    found = rows(text + "$$ \\frac{d f}{d x} = 3 x^2 - 2 $$\n")
    assert [r.verdict for r in found[-2:]] == [wanted, "proved"]


@pytest.mark.parametrize("place", ["we have $M M = M$", "it is\n\n$$ M M = M $$"])
def test_any_equation_behind_at_is_a_condition(place):
    head = r"Let $B \in \mathbb{R}^{k \times d}$ and $M = B^\top B$."
    assert last(f"{head} At $B B^\\top = I$ {place}\n") == "unproved"
    assert last(f"{head} At once {place}\n") == "refuted"


@pytest.mark.parametrize("words", ["For", "At"])
def test_letters_are_equated_in_their_sentence_alone(words):
    text = (
        f"Let $w = u v$. {words} $u = v$ we find $w = v^2$.\n\nThe square is\n\n$$ w^2 = v^4 $$\n"
    )
    assert [r.verdict for r in rows(text)][-2:] == ["proved", "conditional"]


RATE = r"The rate is $v(S) = \frac{V S}{K + S}$. "


@pytest.mark.parametrize(
    ("words", "claim", "verdict"),
    [
        ("At $S = 3 K$ it is", r"v = \frac{3}{4} V", "proved"),
        ("At $S = 3 K$ it is", r"v = \frac{2}{3} V", "refuted"),
        ("At $S = -2 K$ it is", "v = 2 V", "proved"),
        (r"At $S = K$ it is $v = \frac{V}{2}$, at $S = 3 K$ it is", r"v = \frac{3}{4} V", "proved"),
        (
            r"At $S = K$ it is $v = \frac{V}{2}$; at $S = 3 K$ it is",
            r"v = \frac{2}{3} V",
            "refuted",
        ),
        # several values for one formula, and another thing
        (r"At $S = K$, at $U = 3 K$ and so on it is", r"v = \frac{3}{4} V", "definition"),
        ("With another enzyme, at $S = 3 K$ it is", r"v = \frac{2}{3} V", "definition"),
    ],
)
def test_multiples_are_put_in_too(words: str, claim: str, verdict: str) -> None:
    assert sa.check(f"{RATE}{words} ${claim}$.").rows[-1].verdict == verdict
