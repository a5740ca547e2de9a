"""What words call the velocity, the slope or the marginal cost of a function is its derivative."""

import pytest

import symattn as sa

FALL = r"The height is $y(t) = h - \frac{1}{2} g t^2$. "
COST = r"Total cost is $C(q) = 50 + 10 q + \frac12 q^2$. "
CUBE = r"Let $f(x) = x^3 + a x$. "
TWO = r"One position is $x(t) = t^2$, the position of a dog $y(t) = 3 t^2$. "


@pytest.mark.parametrize(
    ("text", "verdict"),
    [
        (FALL + "Its velocity is $v(t) = -g t$.", "proved"),
        (FALL + "Its velocity is $v(t) = g t$.", "refuted"),
        (FALL + "Its velocity is $v(t) = -g t$ and its acceleration is $a(t) = -g$.", "proved"),
        (FALL + "Its velocity is $v(t) = -g t$ and its acceleration is $a(t) = g$.", "refuted"),
        (FALL + "Its acceleration is $a(t) = -g$.", "proved"),
        (FALL + r"Its velocity is $v(t) = -\frac12 g t$.", "refuted"),
        (COST + "Then marginal cost is $MC(q) = 10 + q$.", "proved"),
        (COST + "Then marginal cost is $MC(q) = 10 + 2 q$.", "refuted"),
        (CUBE + "Differentiating gives $g(x) = 3 x^2 + a$.", "proved"),
        (CUBE + "Differentiating gives $g(x) = 3 x^2 + a x$.", "refuted"),
        (CUBE + "Differentiating twice gives $g(x) = 6 x$.", "proved"),
        (TWO + "The velocity of the dog is $v(t) = 6 t$.", "proved"),
    ],
)
def test_what_words_call_a_rate_is_held_against_it(text, verdict):
    assert sa.check(text, corrections=False).rows[-1].verdict == verdict


@pytest.mark.parametrize(
    "text",
    [
        FALL + "The velocity of another stone is $v(t) = g t$.",
        FALL + "The mean velocity is $v(t) = -g t/2$.",
        FALL + r"Its velocity with drag is $v(t) = -\sqrt{b} \tanh t$.",
        FALL + "A wave has the speed $v(k) = -g k$.",
        FALL + r"Its kinetic energy is $E(t) = \frac12 m g t$.",
        COST + "Then marginal revenue is $R(q) = 10 + 2 q$.",
        COST + "Then average cost is $A(q) = 10 + 2 q$.",
        TWO + "Its velocity is $v(t) = 3 t$.",
        CUBE + "The slope of the line is $g(x) = 3 x + a$.",
        CUBE + "Its negative derivative is $g(x) = -3 x^2 - a$.",
        CUBE + "Half the derivative is $g(x) = \\frac12 (3 x^2 + a)$.",
        FALL + "Its speed is $v(t) = g t$.",
        FALL + "A second stone has the velocity $v(t) = -2 g t$.",
    ],
)
def test_another_quantity_stays_a_definition(text):
    assert sa.check(text, corrections=False).rows[-1].verdict == "definition"


@pytest.mark.parametrize(
    ("text", "verdicts"),
    [
        (
            r"The vertex is at $x_0 = -\frac{b}{2a}$, where $f(x_0) = c - \frac{b^2}{4 a}$.",
            "proved",
        ),
        (
            r"The vertex is at $x_0 = -\frac{b}{2a}$, where $f(x_0) = c - \frac{b^2}{2 a}$.",
            "refuted",
        ),
        (r"At the start $f(0) = c$.", "proved"),
        (r"At the start $f(0) = 2 c$.", "refuted"),
        (r"At the point where $f(w) = b$ it turns.", None),
    ],
)
def test_where_something_is_is_no_condition(text, verdicts):
    rows = sa.check(r"Let $f(x) = a x^2 + b x + c$. " + text, corrections=False).rows
    assert (rows[-1].verdict if len(rows) > 1 else None) == verdicts


def test_numbers_where_they_are_taken_for_true_are_decided():
    text = "The cost is $A(q) = 50/q + 10 + q/2$. The least is at $q = 10$, where $A(10) = {}$."
    found = [sa.check(text.format(n), corrections=False).rows[-1].verdict for n in (20, 25)]
    assert found == ["proved", "refuted"]
