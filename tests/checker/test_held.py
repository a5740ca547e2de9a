r"""d beside ∂: dz/dx = ∂z/∂x + ∂z/∂y dy/dx, where ∂z/∂x holds y."""

import pytest

import symattn as sa

NUMBERS = r"""Let $y = x^2$ and $z = x y$.  By the chain rule

$$ \frac{d z}{d x} = SIDE $$
"""
ROWS = r"""Let $y_i = x_i^2$ and $z = \sum_i x_i y_i$.  Then

$$ \frac{\mathrm{d} z}{\mathrm{d} x_i} = SIDE $$
"""


X, Y = r"\frac{\partial z}{\partial x}", r"\frac{\partial z}{\partial y} \frac{dy}{dx}"
X_I = r"\frac{\partial z}{\partial x_i}"
Y_I = r"\frac{\partial z}{\partial y_i} \frac{\mathrm{d} y_i}{\mathrm{d} x_i}"


@pytest.mark.parametrize(
    ("text", "side", "verdicts"),
    [
        (NUMBERS, f"{X} + {Y}", ["proved"]),
        (NUMBERS, f"{X} - {Y}", ["refuted"]),
        (NUMBERS, Y, ["refuted"]),
        (NUMBERS, X, ["conditional"]),  # where ∂ goes through y as well
        (NUMBERS, f"{X} + {Y} = y + 2 x^2", ["proved", "proved"]),
        (NUMBERS, f"{X} + {Y} = 2 y + 2 x^2", ["proved", "refuted"]),
        (ROWS, f"{X_I} + {Y_I}", ["proved"]),
        (ROWS, f"{X_I} + 2 {Y_I}", ["refuted"]),
        (NUMBERS, "3 x^2", ["proved"]),  # no ∂ stands beside it
    ],
)
def test_what_is_written_with_d_goes_through_and_what_is_written_with_a_round_d_holds_the_rest(
    text, side, verdicts
):
    rows = sa.check(text.replace("SIDE", side), corrections=False, timeout=None).rows
    assert [r.verdict for r in rows[2:]] == verdicts


def test_what_is_held_is_not_what_another_thing_of_that_name_is():
    text = (
        r"A cone has $V = \frac{\pi}{3} r^2 h$, with $\frac{\partial V}{\partial r} = "
        r"\frac{2\pi}{3} r h$." + "\n\n"
        r"A cylinder of volume $V = \pi r^2 h$ has the surface $S(r) = 2 \pi r^2 + \frac{2 V}{r}$. "
        r"So $S'(r) = 4 \pi r - \frac{2 V}{r^2}$."
    )
    assert sa.check(text, corrections=False, jobs=1).rows[-1].verdict == "conditional"
