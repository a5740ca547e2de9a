r"""A memory that forgets

With a factor $\gamma$ a step, what was seen $T - i$ steps ago counts $\gamma^{T-i}$.  As a recurrence it is
$m_t = \gamma m_{t-1} + y_t$.  Here $p$ is the time of each input, any numbers; `b` is the memory one step
before $t$, of what came before.  One step of the recurrence is proved for every $t$, so the recurrence
and the sum are the same.
"""

import symattn as sa

source = (
    "S. Morad, CISC 7026, University of Macau, lecture on attention: f(x, θ) = Σ γ^{T−i} θᵀ x̄_i"
)

T, h = sa.sizes("T h")
i, t, s = sa.indices("i t s", T)
c, e = sa.indices("c e", h)
y, g = sa.tensor("y", T, h), sa.tensor("gamma", positive=True)
p = sa.tensor("p", T)

m = sa.define("m", (t, c), sa.total(sa.iverson(i <= t) * g ** (p[t] - p[i]) * y[i, c], i))
system = sa.System(m)

# the memory one step before, seen from t: all that is before t, forgotten once less
b = sa.define("b", (t, c), sa.total(sa.iverson(i < t) * g ** (p[t] - 1 - p[i]) * y[i, c], i))
steps = system.extended(b)

results = {"In the inputs": sa.jacobian(system, of="m", wrt="y")}

claims = [
    ("One step of the recurrence", m[t, c], g * b[t, c] + y[t, c], steps),
    (
        "What is seen last counts most",
        sa.partial(m[t, c], y[s, e]),
        sa.iverson(s <= t) * g ** (p[t] - p[s]) * sa.delta(c, e),
    ),
    (
        "The factor itself: what is old moves most",
        g * sa.partial(m[t, c], g),
        sa.total(sa.iverson(i <= t) * (p[t] - p[i]) * g ** (p[t] - p[i]) * y[i, c], i),
    ),
]
refuted = [("Nothing is forgotten at the last step", m[t, c], b[t, c] + y[t, c], steps)]
