r"""Heat capacity

The mean energy changes with temperature by $C = \mathrm{Var}(E)/T^2$, and so does entropy, by $C/T$:
both are variances and never negative.  For attention it says at which temperature a row decides:
where its heat capacity peaks.
"""

import symattn as sa

source = "L. D. Landau and E. M. Lifshitz, Statistical Physics, part 1, section 112, equation 112.6"

system = sa.read(r"""
<!-- symattn: sizes E:(n); positive T -->
$$ Z = \sum_j \exp(-E_j / T) $$
$$ A_j = \frac{\exp(-E_j / T)}{Z} $$
$$ U = A_j E_j $$
$$ H = -\sum_j A_j \log(A_j) $$
$$ F = -T \log(Z) $$
$$ C = \frac{1}{T^2} \sum_j A_j (E_j - U)^2 $$
""")

results = {
    "Heat capacity": sa.jacobian(system, of="U", wrt="T"),
    "Free energy": sa.jacobian(system, of="F", wrt="T"),
}

claims = [
    ("The mean energy grows by the heat capacity", r"\frac{\partial U}{\partial T} = C"),
    ("Entropy grows by the heat capacity over T", r"\frac{\partial H}{\partial T} = \frac{C}{T}"),
    ("Entropy is minus the slope of the free energy", r"\frac{\partial F}{\partial T} = -H"),
    (
        "The second derivative of the free energy",
        r"\frac{\partial^2 F}{\partial T \partial T} = -\frac{C}{T}",
    ),
    ("Legendre: F = U − T H", r"F = U - T H"),
    ("Gibbs and Helmholtz", r"U = F - T \frac{\partial F}{\partial T}"),
]

refuted = [("The variance over T", r"\frac{\partial U}{\partial T} = T C")]
