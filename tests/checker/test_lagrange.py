"""Equations of motion follow from a Lagrangian; one slip away they are refuted."""

import pytest

import symattn as sa

SPRING = r"""The Lagrangian is

$$ L = \frac12 m \dot x^2 - \frac12 k x^2 $$

WORDS

$$ CLAIM $$
"""
CART = r"""The Lagrangian of a pendulum on a cart is

$$ L = \frac12 (M + m) \dot x^2 + m \ell \dot x \dot\theta \cos\theta
+ \frac12 m \ell^2 \dot\theta^2 + m g \ell \cos\theta $$

The equations of motion are

$$ CLAIM $$
"""


def last(text, claim, words=""):
    text = text.replace("CLAIM", claim).replace("WORDS", words)
    return sa.check(text, corrections=False, timeout=None).rows[-1]


@pytest.mark.parametrize(
    "text, claim, verdict",
    [
        (SPRING, r"m \ddot x + k x = 0", "proved"),
        (SPRING, r"\ddot x = -\frac{k}{m} x", "proved"),
        (SPRING, r"m \ddot x - k x = 0", "refuted"),
        (SPRING, r"m \ddot x + 2 k x = 0", "refuted"),
        (SPRING, r"m \ddot x + k x + c \dot x = 0", "skipped"),
        (CART, r"\ell \ddot\theta + \ddot x \cos\theta + g \sin\theta = 0", "proved"),
        (CART, r"\ell \ddot\theta - \ddot x \cos\theta + g \sin\theta = 0", "refuted"),
        (CART, r"(M + m) \ddot x + m \ell \ddot\theta \cos\theta"
               r" - m \ell \dot\theta^2 \sin\theta = 0", "proved"),
    ],
)  # fmt: skip
def test_equations_of_motion(text, claim, verdict):
    assert last(text, claim, "so that").verdict == verdict


@pytest.mark.parametrize(
    "words", ["With a force against it,", "A second system obeys", "For small $x$ this gives"]
)
def test_another_system_is_not_refuted(words):
    assert last(SPRING, r"m \ddot x + 2 k x = 0", words).verdict != "refuted"


def test_the_law_itself_and_the_correction():
    law = r"\frac{d}{dt} \frac{\partial L}{\partial \dot x} - \frac{\partial L}{\partial x} = 0"
    assert last(SPRING, law).reason == "the Euler–Lagrange equation, a law"
    assert last(SPRING, law.replace("- ", "+ ")).verdict != "proved"
    row = last(SPRING, r"m \ddot x - k x = 0", "so that")
    assert row.correction == r"\ddot{x} = - \frac{k x}{m}"
    assert row.used == ("the Euler–Lagrange equation of L (line 3)",)
