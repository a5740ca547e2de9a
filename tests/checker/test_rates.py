"""Equations of motion: rates as Leibniz writes them, and what hangs on the time unsaid."""

from __future__ import annotations

import pytest

from symattn.checker import check

DECAY = r"""
$$ \frac{du}{dt} = -k u, \qquad c = b u $$

$$ \frac{dw}{dt} = k u $$

"""
BULB = r"""
For a light bulb $a(t) = a_0 e^{-q t}$.

"""  # with which t is a name of the text
CLAIMS = [
    (r"\frac{d}{dt}(u + w) = 0", "proved"),
    (r"\frac{d}{dt}(u - w) = 0", "open"),
    (r"\frac{du}{dt} + \frac{dw}{dt} = 0", "proved"),
    (r"\frac{dc}{dt} = -k c", "conditional"),
    (r"\frac{dc}{dt} = k c", "refuted"),
    (r"\frac{dc}{dt} = 0", "open"),
]


@pytest.mark.parametrize("more", ["", BULB])
@pytest.mark.parametrize(("latex", "verdict"), CLAIMS)
def test_rates_that_a_text_states(more: str, latex: str, verdict: str) -> None:
    rows = check(f"{more}{DECAY}$$ {latex} $$", timeout=None, corrections=False).rows
    assert [r.verdict for r in rows[:-1]] == ["definition"] * (len(rows) - 1)
    if verdict == "open":
        assert rows[-1].verdict not in ("proved", "refuted", "conditional"), rows[-1].reason
    else:
        assert rows[-1].verdict == verdict, rows[-1].reason


def test_a_solution_is_no_name_of_a_rate() -> None:
    text = r"""
$$ \frac{da}{dt} = -q a $$

$$ \frac{da}{dt} = q a $$

is solved by $a(t) = a_0 e^{-q t}$."""
    assert [r.verdict for r in check(text).rows] == ["proved", "refuted", "definition"]


def test_a_law_of_the_second_order() -> None:
    text = r"""
$$ m \frac{d^2 x}{dt^2} = -k x $$

With $E = \frac{m}{2} \left( \frac{dx}{dt} \right)^2 + \frac{k}{2} x^2$ we have

$$ \frac{dE}{dt} = 0 $$

$$ \frac{dE}{dt} = m \left( \frac{dx}{dt} \right)^2 $$
"""
    found = [r.verdict for r in check(text).rows]
    assert found[-2] in ("proved", "conditional")
    assert found[-1] not in ("proved", "conditional")


def test_rates_by_number() -> None:
    text = r"""
With the rate constants $k_1$ and $k_{-1}$ and $r = k_1 u - k_{-1} w$

$$ \frac{\partial r}{\partial w} = -k_{-1} $$

$$ \frac{\partial r}{\partial w} = k_{-1} $$"""
    found = check(text).rows
    assert [r.verdict for r in found] == ["definition", "proved", "refuted"]
    assert found[-1].correction == "-k_{-1}"
