"""Definitions that are the same at every place of a letter, wherever that letter is used."""

import jax
import numpy as np
import pytest
import sympy as sp

import symattn as sa

N, M = sa.sizes("n m")
(i, j, k), (a, b) = sa.indices("i j k", N), sa.indices("a b", M)
W, u, X, Z = sa.tensor("W", M, M), sa.tensor("u", N), sa.tensor("X", N, M), sa.tensor("Z", N, N)
trace = sa.total(W[a, a], a)
# D_j = tr W, and D_ij = u_i tr W, u_j tr W, tr W
ALONG = {"j": ((j,), trace)}
BETWEEN = {
    "rows": ((i, j), u[i] * trace),
    "columns": ((i, j), sp.tanh(u[j]) * trace),
    "none": ((i, j), trace),
}
upto, before, behind = sa.iverson(j <= i), sa.iverson(j < i), sa.iverson(j > i)
ONE = {
    "up to": lambda D: 1 / sa.total(upto * sp.exp(D[j]), j),
    "before": lambda D: sp.log(1 + sa.total(before * sp.exp(D[j]), j)),
    "behind": lambda D: (
        sa.total(behind * sp.exp(D[j]) * u[j], j) / (1 + sa.total(behind * sp.exp(D[j]), j))
    ),
    "decay": lambda D: sa.total(upto * sp.exp(u[j] - D[i]) * u[j], j),
    "strict decay": lambda D: sa.total(before * sp.exp(D[j] - u[i]), j),
    "cumulated": lambda D: sa.total(upto * D[j], j),
    "softmax": lambda D: u[i] * sp.exp(D[i]) / sa.total(sp.exp(D[j]), j),
    "others": lambda D: sp.log(1 - sp.exp(D[i]) / (1 + sa.total(sp.exp(D[j]), j))),
    "spread": lambda D: D[i] + sa.total((D[j] - sa.total(D[k], k) / N) ** 2, j),
    "largest": lambda D: sa.maximum(D[j], j) * u[i],
    "next": lambda D: u[i] * D[i + 1] - D[i - 1],
    "band": lambda D: sa.total(upto * sa.iverson(i <= j + 2) * sp.exp(D[j]) * u[j], j),
    "pairs": lambda D: sa.total(upto * u[j] * D[j] * X[j, a] * X[i, a], j, a),
    "filter": lambda D: sa.total(upto * D[i - j] * u[j], j),
    "positive": lambda D: u[i] * sa.total(sa.iverson(D[j] > 0) * sp.exp(u[j]), j),
}
TWO = {
    "causal": lambda D: (
        sa.total(upto * sp.exp(D[i, j]) * u[j], j) / sa.total(upto * sp.exp(D[i, j]), j)
    ),
    "columns": lambda D: sa.total(sp.exp(D[i, j]) / sa.total(sp.exp(D[k, j]), k) * u[j], j),
    "others": lambda D: sa.total(
        Z[i, j] * sp.log(1 - sp.exp(D[i, j]) / (1 + sa.total(sp.exp(D[i, k]), k))), j
    ),
    "diagonal": lambda D: D[i, i] * u[i] + sa.total(D[i, j] * D[j, k] * u[k], j, k),
    "skew": lambda D: sa.total(D[i, i + j] * u[j], j),
    "relative": lambda D: sa.total(sp.exp(D[i, j] - D[j, j]) * Z[i, j], j),
}
CASES = [(ALONG, "j", name) for name in ONE] + [
    (BETWEEN, by, name) for by in BETWEEN for name in TWO
]


def drawn(n, batch):
    rng, leading = np.random.default_rng(n), (2,) * batch
    shapes = {"W": (3, 3), "u": (n,), "X": (n, 3), "Z": (n, n)}
    return {name: rng.normal(size=(*leading, *shape)) for name, shape in shapes.items()}


def written(use, array):
    F = sa.define("F", (i,), use(array))
    return F, sa.define("L", (), sa.total(sp.tanh(F[i]) * u[i], i))


@pytest.mark.parametrize(("kinds", "by", "name"), CASES, ids=lambda x: x if type(x) is str else "")
@pytest.mark.parametrize("batch", [(), ("z",)], ids=["alone", "batch"])
def test_what_is_the_same_at_every_place_is_what_the_repeated_array_gives(kinds, by, name, batch):
    letters, body = kinds[by]
    use = (ONE if kinds is ALONG else TWO)[name]
    D = sa.define("D", letters, body)
    F, L = written(use, D)
    E = sa.tensor("D", *(N for _ in letters))
    whole = sa.System(*written(use, E))
    own = sa.compile({"F": F, "L": L}, given=sa.System(D, F, L), batch=batch, target="numpy")
    given = sa.backward(sa.System(D, F, L), output="L", wrt="W")["W"]
    bar = sa.compile(given, batch=batch, target="numpy")
    reference = sa.compile(
        {"F": whole["F"], "L": whole["L"]}, given=whole, batch=batch, target="numpy"
    )
    repeated = sa.compile(D, batch=batch, target="numpy")

    def run(f, arrays, n):
        known = {**arrays, "n": n, "m": 3, "z": 2, "L_bar": 1.0}
        return f(**{x: v for x, v in known.items() if x in f.inputs})

    for n in (5, 1):
        arrays = drawn(n, len(batch))

        def expected(arrays, n=n):
            return run(reference, {**arrays, "D": run(repeated, arrays, n)}, n)

        got, want = run(own, arrays, n), expected(arrays)
        np.testing.assert_allclose(got["F"], want["F"], 1e-12, 1e-12)
        np.testing.assert_allclose(got["L"], want["L"], 1e-12, 1e-12)
        step = np.random.default_rng(1).normal(size=arrays["W"].shape)
        ends = [expected({**arrays, "W": arrays["W"] + h * step})["L"] for h in (1e-5, -1e-5)]
        slope = (run(bar, arrays, n) * step).sum((-2, -1))
        np.testing.assert_allclose(slope, (ends[0] - ends[1]) / 2e-5, 1e-6, 1e-7)


def test_running_sums_of_a_constant_in_jax():
    D = sa.define("D", (j,), trace)
    F = sa.define("F", (i,), ONE["up to"](D))
    f = sa.compile(F, given=sa.System(D), batch=("z",))
    with jax.enable_x64(True):
        w = drawn(4, 1)["W"]
        sums = np.exp(np.trace(w, axis1=1, axis2=2))[:, None] * np.arange(1, 5)
        np.testing.assert_allclose(f(W=w, n=4), 1 / sums, 1e-12)
