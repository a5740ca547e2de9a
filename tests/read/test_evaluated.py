r"""Bars behind expressions: E \Big|_{x = a}, [F]_a^b behind an integral, d/dt|_{t = 0} f."""

from __future__ import annotations

import pytest

from symattn.checker import check

FORM = r"Let $f(x) = \frac12 x^T A x$ with $A$ symmetric."


def last(text: str, latex: str) -> str:
    return check(f"{text}\n\n$$ {latex} $$\n", corrections=False).rows[-1].verdict


@pytest.mark.parametrize(
    "latex",
    [
        r"f'(x)|_{x = 2} = NUMBER + a",
        r"\frac{df}{dx}\Big|_{x = 2} = NUMBER + a",
        r"\left. \frac{df}{dx} \right|_{x = 2} = NUMBER + a",
        r"\frac{\partial f(x)}{\partial x}\rvert_{x = 2} = NUMBER + a",
        r"\frac{d}{dt} f(2 + t)\bigg|_{t = 0} = NUMBER + a",
        r"\frac{d}{dt}\Bigr|_{t = 0} f(2 + t) = NUMBER + a",
        r"\left[ \frac{d}{dt} f(2 + t) \right]_{t = 0} = NUMBER + a",
        r"2 \frac{d^2 f}{dx^2}\Big|_{x = 1} + a = NUMBER + a",
        r"x^3\vert_{x = 2} + 4 + a = NUMBER + a",
    ],
)
def test_numbers_at_a_point(latex: str) -> None:
    text = r"Let $f(x) = x^3 + a x$ for a number $x$."
    assert last(text, latex.replace("NUMBER", "12")) == "proved"
    assert last(text, latex.replace("NUMBER", "13")) in ("refuted", "conditional")


@pytest.mark.parametrize(
    "latex, found",
    [
        (r"t \frac{dy}{dx}\Big|_{x = 3} = 6 t", "proved"),  # through the definition of y
        (r"x \frac{dy}{dx}\Big|_{x = 3} = 6 x", "proved"),  # the bar is of the derivative alone
        (r"x \frac{dy}{dx}\Big|_{x = 3} = 18 + 0 x", "skipped"),
        (r"\frac{dy}{dx}\Big|_{x = 3} = 0", "refuted"),
        (r"y|_{x = t} = t^2", "proved"),
        (r"y|_{x = t} = x^2", "skipped"),
        (r"\frac{dv}{dx}\Big|_{x = 0} = 0", "unproved"),  # nothing says what v is
    ],
)
def test_what_hangs_on_the_variable_is_put_in_too(latex: str, found: str) -> None:
    assert last(r"Let $y = x^2$ and $t > 0$.", latex) == found


@pytest.mark.parametrize(
    "latex, found",
    [
        (r"\nabla f(x)\Big|_{x = x_0} = A x_0", "proved"),
        (r"\frac{\partial f}{\partial x}\Big|_{x = y} = y^T A", "proved"),
        (r"\frac{\partial}{\partial x} (x^T B x)\Big|_{x = y} = (B + B^T) y", "proved"),
        (r"\frac{\partial}{\partial x} (x^T B x)\Big|_{x = y} = 2 B y", "conditional"),
        (r"\frac{\partial}{\partial x} (x^T y)\Big|_{x = y} = 2 y", "skipped"),  # it is y
        (r"f(x)|_{x = 2 y} = 4 f(y)", "proved"),
        (r"f(x)|_{x = 2 y} = 2 f(y)", "refuted"),
        (r"\frac{d}{dt} f(x + t h)\Big|_{t = 0} = h^T A x", "proved"),
        (r"\frac{d}{dt} f(x + t h)\Big|_{t = 0} = x^T A x", "skipped"),
        (r"\frac{d}{dt} f(x + t h)\Big|_{t = 1} = h^T A x", "refuted"),
        (r"\frac{d^2}{dt^2} f(x + t h)\Big|_{t = 0} = 2 h^T A h", "refuted"),
    ],
)
def test_vectors_and_directions(latex: str, found: str) -> None:
    assert last(FORM, latex) == found


@pytest.mark.parametrize(
    "latex, found",
    [
        (r"\int_0^2 x^2 \, dx = \left[ \frac{x^3}{3} \right]_0^2", "proved"),
        (r"\int_0^2 x^2 \, dx = \left[ \frac{x^3}{2} \right]_0^2", "refuted"),
        (r"\int_0^2 x^2 \, dx = \frac{x^3}{3} \Big|_0^2", "proved"),
        (r"\int_a^b 2 x \, dx = x^2 \Big|_a^b = b^2 - a^2", "proved"),
        (r"\int_a^b 2 x \, dx = x^2 \Big|_a^b = a^2 - b^2", "refuted"),
    ],
)
def test_between_the_ends_of_an_integral(latex: str, found: str) -> None:
    assert last("Some integrals follow.", latex) == found


@pytest.mark.parametrize("latex", [r"2 g(0) = 1", r"\frac{d}{dx} (x g(x))\Big|_{x = 0} = 0"])
def test_functions_that_nothing_defines_are_no_numbers(latex: str) -> None:
    assert last(r"Let $u = g(x)$ for a function $g$.", latex) == "unproved"


def test_unknown_functions_at_a_point() -> None:
    text = r"Let $u = g(x)$ for a function $g$."
    assert last(text, r"\frac{d}{dx} (x g(x))\Big|_{x = 0} = g(0)") == "proved"
    assert last(text, r"\frac{d}{dx} g(x^2)\Big|_{x = 1} = 2 g'(1)") == "proved"
    assert last(text, r"\frac{d}{dx} g(x^2)\Big|_{x = 1} = g'(1)") != "proved"
