r"""Layer norm, backward

Every row is centred and divided by its deviation.  Both take a direction away from the gradient: it is
centred, and made orthogonal to the normalised row.  The sum of what comes out is zero, and so is its
product with the row, up to $\epsilon$.
"""

import symattn as sa

source = "J. Ba, J. Kiros, G. Hinton, Layer normalization, 2016, equation 3"

TEXT = r"""
<!-- symattn: sizes x:(n,d) w:(d) b:(d); positive \epsilon -->
$$ \mu_i = \frac1d \sum_a x_{ia} $$
$$ s_i = \frac1d \sum_a (x_{ia} - \mu_i)^2 $$
$$ z_{ia} = \frac{x_{ia} - \mu_i}{\sqrt{s_i + \epsilon}} $$
$$ y_{ia} = w_a z_{ia} + b_a $$
"""
system = sa.read(TEXT)
squares = sa.read(TEXT + r"$$ r_i = \frac1d \sum_a z_{ia}^2 $$")
normal = sa.System(*(system[x] for x in ("mu", "s", "z")))

results = {"Backward pass": sa.backward(system, output="y", wrt=("w", "b", "z", "x"))}


claims = [
    (
        "Centred, and orthogonal to the normalised row",
        r"\frac{\partial L}{\partial x_{ia}} = \frac{1}{\sqrt{s_i + \epsilon}} \left(\frac{\partial L}{\partial z_{ia}} - "
        r"\frac1d \sum_c \frac{\partial L}{\partial z_{ic}} - \frac1d z_{ia} \sum_c z_{ic} \frac{\partial L}{\partial z_{ic}}\right)",
        normal,
    ),
    (
        "The gain",
        r"\frac{\partial L}{\partial w_a} = \sum_i z_{ia} \frac{\partial L}{\partial y_{ia}}",
    ),
    ("The bias", r"\frac{\partial L}{\partial b_a} = \sum_i \frac{\partial L}{\partial y_{ia}}"),
    ("A row may be shifted", r"z_{ia} = \frac{(x_{ia} + c) - (\mu_i + c)}{\sqrt{s_i + \epsilon}}"),
    ("The variance as a mean of squares", r"s_i = \frac1d \sum_a x_{ia}^2 - \mu_i^2"),
    (
        "The mean square of a normalised row is less than one by ε",
        r"r_i = \frac{s_i}{s_i + \epsilon}",
        squares,
    ),
]

refuted = [
    (
        "Mean and deviation held fixed",
        r"\frac{\partial L}{\partial x_{ia}} = \frac{1}{\sqrt{s_i + \epsilon}} \frac{\partial L}{\partial z_{ia}}",
        normal,
    ),
]
