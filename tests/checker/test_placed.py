"""Values of functions, of series and of integrals: slips in them, and what may be meant so."""

import pytest

from symattn.checker import check

ICE = (
    "The stress in ice of thickness $H$ at the height $z$ is\n\n"
    "$$\\tau(z) = \\rho g (H - z) \\sin\\alpha.$$\n\n"
)
RUBBER = (
    "The energy is\n\n$$W(\\lambda) = \\frac{G}{2} (\\lambda^2 + \\frac{2}{\\lambda} - 3).$$\n\n"
)
DECAY = "The number is\n\n$$N(t) = N_0 e^{-\\lambda t}.$$\n\n"
MAP = "The map is\n\n$$f(x) = a x^2 + b.$$\n\n"
FLOW = (
    "In ice of thickness $H$ the velocity has $u(0) = 0$. So\n\n$$u(z) = c (H^2 - (H - z)^2).$$\n\n"
)
POISSON = "Counts have the law\n\n$$p_k = e^{-m} \\frac{m^k}{k!}.$$\n\n"
GEOMETRIC = "The law with $0 < q < 1$ is\n\n$$p_k = (1 - q) q^k.$$\n\n"
SIZED = "The law is\n\n$$p_k = c q^k.$$\n\n"
PAID = "Let $v = \\frac{1}{1 + r}$. The value is\n\n$$a_n = \\sum_{k=1}^n v^k.$$\n\n"
BID = "One pays\n\n$$m(v) = \\int_0^v 2 y^2 \\, dy.$$\n\n"


def last(text: str) -> tuple[str, str]:
    row = check(text, timeout=None).rows[-1]
    return row.verdict, row.correction


@pytest.mark.parametrize(
    ("text", "verdict"),
    [
        (ICE + "At the bed it is\n\n$$\\tau(0) = \\rho g H \\sin\\alpha.$$", "proved"),
        (ICE + "At the bed it is\n\n$$\\tau(0) = \\rho g H \\cos\\alpha.$$", "refuted"),
        (ICE + "At equilibrium\n\n$$\\tau(0) = \\rho g H \\cos\\alpha.$$", "unproved"),
        (RUBBER + "At rest\n\n$$W(1) = 0.$$", "proved"),
        (RUBBER + "At rest\n\n$$W(1) = \\frac{G}{2}.$$", "refuted"),
        (DECAY + "At the start\n\n$$N(0) = 2 N_0.$$", "refuted"),
        (DECAY + "At the start\n\n$$N(0) = M.$$", "definition"),
        (MAP + "So\n\n$$f(0) = 2 b.$$", "refuted"),
        (MAP + "At the wall\n\n$$f(0) = a.$$", "unproved"),  # a condition on a and b
        (MAP + "At the wall\n\n$$f(0) = a.$$\n\nSo\n\n$$f(0) = a.$$", "unproved"),
        (MAP + "At the wall\n\n$$f(1) = 0.$$", "skipped"),
        (FLOW + "At the surface\n\n$$u(H) = c H^2.$$", "proved"),
        (FLOW + "At the surface\n\n$$u(H) = c H^3.$$", "refuted"),
        ("The map is $f(x) = x^2$. At the fixed point\n\n$$f(y) = y.$$", "definition"),
    ],
)
def test_a_value_says_where_it_is_meant(text, verdict):
    assert last(text)[0] == verdict


@pytest.mark.parametrize(
    ("text", "verdict"),
    [
        (POISSON + "$$\\sum_{k=0}^\\infty p_k = 1.$$", "proved"),
        (POISSON + "$$\\sum_{k=0}^\\infty p_k = 2.$$", "refuted"),
        (GEOMETRIC + "$$\\sum_{k=0}^\\infty p_k = 3.$$", "refuted"),
        (GEOMETRIC + "Assume\n\n$$\\sum_{k=0}^\\infty p_k = 3.$$", "definition"),
        (GEOMETRIC + "$$\\sum_{k=1}^\\infty p_k = 1.$$", "definition"),  # it asks for a q
        (SIZED + "$$\\sum_{k=0}^\\infty p_k = 1.$$", "definition"),
    ],
)
def test_a_series_of_one_value_has_no_other(text, verdict):
    assert last(text)[0] == verdict


@pytest.mark.parametrize(
    ("claim", "verdict"),
    [
        (r"a_n = \frac{1 - v^n}{r}", "proved"),
        (r"a_n = \frac{1 + v^n}{r}", "refuted"),
        (r"(1 + r) a_n = \frac{1 - v^n}{1 - v}", "proved"),
    ],
)
def test_what_is_one_number_is_raised_to_the_step(claim, verdict):
    assert last(f"{PAID}So\n\n$${claim}.$$")[0] == verdict


def test_an_integral_up_to_what_another_runs_over_is_no_constant():
    claim = "On average\n\n$$\\int_0^1 m(v) \\, dv = \\frac{1}{6}.$$"
    assert last(BID + claim)[0] == "proved"
    assert last(BID + claim.replace("6", "3"))[0] == "refuted"
    open_ = BID.replace("2 y^2", "(n - 1) y^{n - 1}")  # a closed form under conditions
    assert last(open_ + claim.replace("1}{6", "n - 1}{n (n + 1)"))[0] in ("proved", "unproved")


def test_a_function_of_two_laws_has_no_letter_of_theirs():
    text = (
        "Let $D(p \\| q) = \\sum_y p(y) \\log \\frac{p(y)}{q(y)}$ and\n\n"
        "$$I(X; Y) = \\sum_{x, y} p(x, y) \\log \\frac{p(x, y)}{p(x) p(y)}.$$\n\n"
        "So\n\n$$I(X; Y) = \\sum_x p(x) D(p(y \\mid x) \\| p(y)).$$\n"
    )
    assert last(text)[0] == "skipped"


CHANNEL = (
    "Let $p(x)$ be a law, $p(y \\mid x)$ a channel and $p(y) = \\sum_x p(x) p(y \\mid x)$. So\n\n"
)


@pytest.mark.parametrize(
    ("claim", "verdict", "correction"),
    [
        (r"p(x \mid y) = \frac{p(y \mid x) p(x)}{p(y)}", "proved", ""),
        (
            r"p(x \mid y) = \frac{p(y \mid x) p(y)}{p(x)}",
            "refuted",
            r"\frac{p(y \mid x) p(x)}{p(y)}",
        ),
        (r"p(x \mid y) = p(y \mid x)", "definition", ""),  # a condition on the law
    ],
)
def test_two_laws_may_stand_in_the_places_of_each_other(claim, verdict, correction):
    assert last(f"{CHANNEL}$${claim}.$$") == (verdict, correction)


@pytest.mark.parametrize(
    ("words", "verdict"),
    [("the discount factor", "refuted"), ("a complex number", "proved")],
)
def test_what_payments_grow_by_is_no_imaginary_unit(words, verdict):
    text = f"Let $v = \\frac{{1}}{{1 + i}}$ be {words}. So\n\n"
    assert last(f"{text}$$1 - v = i v.$$")[0] == "proved"
    assert last(f"{text}$$1 - v = v / i.$$")[0] == "refuted"
    assert last(f"{text}$$1 - v = -v / i.$$")[0] == verdict


@pytest.mark.parametrize(
    ("words", "verdict"),
    [("So", "refuted"), ("In short,", "refuted"), ("Another is", "definition"),
     ("It is even, so we take another one,", "definition")],
)  # fmt: skip
def test_a_function_is_said_again_where_words_conclude_it(words, verdict):
    text = "The map is\n\n$$f(x) = x^2 (1 - x) + x^3.$$\n\n"
    assert last(f"{text}{words}\n\n$$f(x) = x^2.$$")[0] == "proved"
    assert last(f"{text}{words}\n\n$$f(x) = x^3.$$")[0] == verdict


def test_half_a_turn_is_a_value():
    text = "It is $F(\\phi) = \\frac{a}{1 + b \\sin^2(\\phi / 2)}$ with a peak at $F(0) = a$.\n\n"
    assert last(f"{text}$$F(\\pi) = \\frac{{a}}{{1 + b}}$$")[0] == "proved"
    assert last(f"{text}$$F(\\pi) = \\frac{{a}}{{1 - b}}$$")[0] == "refuted"


@pytest.mark.parametrize(
    ("words", "claim", "verdict"),
    [
        ("At $x = 2$ we have", "f'(2) = b (1 + \\tanh^2(2 b))", "refuted"),
        ("So at the point $x = 2$,", "f(2) = \\tanh(b)", "refuted"),
        ("At $x = 2$ we have", "f'(2) = b (1 - \\tanh^2(2 b))", "proved"),
        ("So at this point", "f'(2) = b (1 - \\tanh^2(2 b))", "proved"),
        ("So at this point", "f'(2) = b (1 + \\tanh^2(2 b))", "refuted"),
        ("At $x = 3$ we have", "f(2) = \\tanh(b)", "unproved"),
        ("At $x = 2$ and $b = 1$ we have", "f(2) = \\tanh(b)", "unproved"),
        ("At the minimum $x = 2$ we have", "f(2) = \\tanh(b)", "unproved"),
    ],
)
def test_the_place_of_a_value_is_no_condition(words, claim, verdict):
    assert last(f"Let $f(x) = \\tanh(b x)$.\n\n{words} ${claim}$.\n")[0] == verdict
