r"""A law or a curve of a name that is defined: what stands behind it is not of what it was."""

from __future__ import annotations

import pytest

import symattn as sa

FIRST = r"First order: $\frac{dA}{dt} = -k A$ gives $A(t) = A_0 e^{-k t}$." + "\n\n"
SECOND = r"Second order: $\frac{dA}{dt} = -k A^2$ gives" + "\n"
CUBE = "Let $y = x^3$. "
CURVE = "The curve $x^2 + x y + 3 y^2 = 7$ has\n"


def rows(text: str) -> list[tuple[str, str]]:
    found = sa.check(text, corrections=False, timeout=None, jobs=1).rows
    return [(r.verdict, r.reason) for r in found]


@pytest.mark.parametrize(
    ("text", "verdict", "said"),
    [
        (CUBE + CURVE + r"$$ \frac{dy}{dx} = -\frac{2 x + y}{x + 6 y} $$", "unproved", "line 1"),
        # near misses: nothing says otherwise of y, or of what y is derived by
        (CUBE + r"It has $$ \frac{dy}{dx} = -\frac{2 x + y}{x + 6 y} $$", "refuted", ""),
        (
            CUBE + r"Also $x^2 + z^2 = 7$. It has $$ \frac{dy}{dx} = -\frac{2 x + y}{x + 6 y} $$",
            "refuted",
            "",
        ),
        (FIRST + SECOND + r"$$ \frac{1}{A(t)} = \frac{1}{A_0} + k t $$", "unproved", "line 3"),
        (FIRST + SECOND + r"$$ A(t) = A_0 e^{-k t} $$", "conditional", "line 3 says otherwise"),
        (FIRST + r"Again, $$ A(t) = A_0 e^{-k t} $$", "proved", ""),
        # a slope that nothing comes out of is a claim
        (FIRST + r"Then $\frac{dA}{dt} = -k A^2$.", "refuted", ""),
        (FIRST + r"Then $\frac{dA}{dt} = k A$. Also $$ 2 A(t) = 3 A_0 e^{-k t} $$", "refuted", ""),
        (FIRST + r"Second order: $\frac{dA}{dt} = -k A^2$ gives a tail.", "unproved", "line 3"),
    ],
)
def test_what_stands_behind_another_law_is_not_of_the_name_before(text, verdict, said):
    found, reason = rows(text)[-1]
    assert found == verdict, reason
    assert said in reason
