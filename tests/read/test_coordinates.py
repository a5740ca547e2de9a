"""x − X of two bold letters: both are places, whatever their case."""

import symattn as sa


def test_material_coordinates_are_a_vector():
    text = r"""The displacement is $\mathbf{u} = \mathbf{x} - \mathbf{X}$.

$$
u_i = x_i - X_i
$$

$$
u_i = x_i + X_i
$$
"""
    assert [r.verdict for r in sa.check(text, corrections=False).rows] == [
        "definition",
        "proved",
        "refuted",
    ]


def test_a_data_matrix_stays_one():
    text = r"""Let $\mathbf{Y} = \mathbf{X} \mathbf{w} - \mathbf{m}$ and
$\mathbf{R} = \mathbf{X} - \mathbf{m}$.

$$
\mathbf{R}_{ij} = \mathbf{X}_{ij} - \mathbf{m}_i
$$
"""
    assert sa.check(text, corrections=False).rows[-1].verdict != "refuted"
