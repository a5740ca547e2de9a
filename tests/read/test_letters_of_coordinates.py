"""The x of E_x = -∂φ/∂x and of B_x = b x names a direction and is no index."""

from __future__ import annotations

import pytest

import symattn as sa

SPRING = r"The energy is $U = \frac12 k (x^2 + 2 y^2)$. The force is "


@pytest.mark.parametrize(
    ("text", "verdicts"),
    [
        (SPRING + r"$$ F_x = -\frac{\partial U}{\partial x} = -k x, \qquad "
         r"F_y = -\frac{\partial U}{\partial y} = -2 k y . $$", ["proved", "proved"]),
        (SPRING + r"$$ F_x = -\frac{\partial U}{\partial x}, \qquad "
         r"F_y = -\frac{\partial U}{\partial y} . $$ Hence $$ F_x = -k x, \quad F_y = -k y . $$",
         ["proved", "refuted"]),
        (r"With $r = \sqrt{x^2 + y^2 + z^2}$ and $\phi = \frac{q}{r}$ "
         r"$$ E_x = -\frac{\partial\phi}{\partial x} = \frac{q x}{r^3} . $$", ["proved"]),
        (r"$$ B_x = b x, \quad B_y = b y, \quad B_z = -2 b z $$", []),
        (r"The levels are $E_n = h (n + \frac12)$ and $E_m = h (m + \frac12)$.", ["proved"]),
    ],
)  # fmt: skip
def test_components_by_the_name_of_a_coordinate(text: str, verdicts: list[str]) -> None:
    found = [r.verdict for r in sa.check(text, corrections=False, timeout=None, jobs=1).rows]
    assert [v for v in found if v != "definition"] == verdicts


def test_the_time_of_a_state_is_no_label() -> None:
    text = (
        r"$$ \frac{d x_t}{d t} = -k x_t $$ Let $V_t = \frac12 x_t^2$. $$ V_t = \frac{x_t x_t}{2} $$"
    )
    assert "refuted" not in [r.verdict for r in sa.check(text, timeout=None, jobs=1).rows]
