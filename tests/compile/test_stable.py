"""Sums of exponentials neither overflow nor lose their gradients."""

from __future__ import annotations

import jax
import jax.numpy as jnp
import numpy as np
import pytest
import sympy as sp
from jax.extend.core import jaxprs_in_params

import symattn.syntax as sa
from symattn.compile import compile
from symattn.derive import backward

pytestmark = pytest.mark.usefixtures("double_precision")
n, m = sa.sizes("n m")
i, k = sa.indices("i k", n)
j, l = sa.indices("j l", m)
x, s = sa.tensor("x", n), sa.tensor("s", n, m)
T = sa.tensor("T", positive=True)
LARGE = np.array([1e4, -1e4, 9999.0, 0.0, 5e3])


def pulled(f, at, bar):
    """The value of a function and its gradients under an upstream one, in one program."""

    def both(at, bar):
        value, pull = jax.vjp(f, at)
        return value, pull(bar)[0]

    return jax.jit(both)(at, bar)


def same_with_gradient(f, plain, arrays, rtol=1e-9):
    """Value and gradient agree with the plain function; in float32 they are finite too."""
    shape = jax.eval_shape(lambda kw: f(**kw), arrays).shape
    weight = np.random.default_rng(2).normal(size=shape)
    got, bars = pulled(lambda kw: f(**kw), arrays, weight)
    want, plainly = pulled(lambda kw: plain(**kw), arrays, weight)
    np.testing.assert_allclose(got, want, rtol=rtol, atol=rtol)
    for name, bar in bars.items():
        np.testing.assert_allclose(bar, plainly[name], rtol=rtol, atol=rtol)
    cast = {name: jnp.asarray(a, jnp.float32) for name, a in arrays.items()}
    got, bars = pulled(lambda kw: f(**kw), cast, jnp.asarray(weight, jnp.float32))
    assert got.dtype == jnp.float32
    assert np.isfinite(got).all()
    assert all(np.isfinite(bar).all() for bar in bars.values())


def test_softmax():
    p = sa.define("p", (i,), sp.exp(x[i]) / sa.total(sp.exp(x[k]), k))
    same_with_gradient(compile(sa.System(p), output="p"), jax.nn.softmax, {"x": LARGE})


def test_softmax_with_a_named_partition_sum():
    E = sa.define("E", (i,), sp.exp(x[i] / T))
    Z = sa.define("Z", (), sa.total(E[k], k))
    p = sa.define("p", (i,), E[i] / Z)
    same_with_gradient(
        compile(sa.System(E, Z, p), output="p"),
        lambda x, T: jax.nn.softmax(x / T),
        {"x": LARGE, "T": 0.5},
    )


def test_free_energy_and_its_derived_gradient():
    Z = sa.define("Z", (), sa.total(sp.exp(x[k] / T), k))
    F = sa.define("F", (), -T * sp.log(Z))
    system = sa.System(Z, F)

    def plain(x, T):
        return -T * jax.nn.logsumexp(x / T)

    same_with_gradient(compile(system, output="F"), plain, {"x": LARGE, "T": 0.5})
    got = compile(backward(system, output="F", wrt="x"))(x=LARGE, T=0.5, F_bar=2.0)
    np.testing.assert_allclose(
        got["x"], 2 * jax.jit(jax.grad(plain))(LARGE, 0.5), rtol=1e-12, atol=1e-300
    )


def test_log_softmax():
    p = sa.define("p", (i,), sp.exp(x[i]) / sa.total(sp.exp(x[k]), k))
    q = sa.define("q", (i,), sp.log(p[i]))
    f = compile(sa.System(p, q), output="q")
    same_with_gradient(f, jax.nn.log_softmax, {"x": LARGE})
    single = jnp.asarray(LARGE, jnp.float32)
    np.testing.assert_allclose(f(x=single), jax.nn.log_softmax(single), rtol=1e-6)


def test_entropy():
    p = sa.define("p", (i,), sp.exp(x[i]) / sa.total(sp.exp(x[k]), k))
    H = sa.define("H", (), -sa.total(p[i] * sp.log(p[i]), i))

    def plain(x):
        return -jnp.sum(jax.nn.softmax(x) * jax.nn.log_softmax(x))

    same_with_gradient(compile(sa.System(p, H), output="H"), plain, {"x": LARGE / 100})


def test_mean_under_the_softmax_of_rows():
    mean = sa.define(
        "mean", (i,), sa.total(sp.exp(s[i, j]) * s[i, j], j) / sa.total(sp.exp(s[i, l]), l)
    )
    rows = np.random.default_rng(0).normal(size=(3, 5)) * 3e3

    def plain(s):
        return jnp.sum(jax.nn.softmax(s, axis=-1) * s, axis=-1)

    same_with_gradient(compile(mean), plain, {"s": rows})


@pytest.mark.parametrize(
    "formula, plain",
    [
        (lambda t: 1 / (1 + sp.exp(-t)), jax.nn.sigmoid),
        (lambda t: sp.exp(t) / (1 + sp.exp(t)), jax.nn.sigmoid),
        (lambda t: 1 / (1 + sp.exp(t)), lambda t: jax.nn.sigmoid(-t)),
        (
            lambda t: sp.exp(t) / (1 + sp.exp(t)) ** 2,
            lambda t: jax.nn.sigmoid(t) * jax.nn.sigmoid(-t),
        ),
        (lambda t: sp.log(1 + sp.exp(t)), jax.nn.softplus),
        (lambda t: 1 / sp.sqrt(1 + sp.exp(t)), lambda t: jnp.exp(-jax.nn.softplus(t) / 2)),
        (
            lambda t: sp.log(2 + sp.exp(t) + sp.exp(-t)),
            lambda t: jnp.logaddexp(jnp.logaddexp(t, -t), jnp.log(2.0)),
        ),
        (
            lambda t: sp.exp(t) / (3 + sp.exp(t) + sp.exp(2 * t)),
            lambda t: jax.nn.softmax(jnp.stack([jnp.log(3.0) + 0 * t, t, 2 * t]), axis=0)[1],
        ),
    ],
)
def test_alternatives(formula, plain):
    f = compile(sa.define("f", (i,), formula(x[i])))
    same_with_gradient(f, lambda x: plain(x), {"x": np.array([-1e4, -20.0, -0.3, 0.7, 30.0, 1e4])})


def test_attention_with_scores_of_ten_thousand(attention):
    rng = np.random.default_rng(5)
    big = {
        "Q": 200 * rng.normal(size=(5, 3)),
        "K": 200 * rng.normal(size=(7, 3)),
        "V": rng.normal(size=(7, 4)),
        "O_bar": rng.normal(size=(5, 4)),
    }
    cast = {name: jnp.asarray(a, jnp.float32) for name, a in big.items()}
    assert np.abs(big["Q"] @ big["K"].T / np.sqrt(3)).max() > 1e4
    g = backward(attention.system, output="O", wrt=("Q", "K", "V"))
    got = compile({"O": attention.O, "g": g}, given=attention.system)(**cast)
    assert np.isfinite(got["O"]).all()
    assert all(np.isfinite(bar).all() for bar in got["g"].values())


def causal(Q, K, V, window):
    """Attention of i to window ≤ i − j, zero where there is no such j."""
    S = Q @ K.T / np.sqrt(Q.shape[1])
    keep = np.arange(len(Q))[:, None] - np.arange(len(K)) >= window
    S = jnp.where(keep, S, -1e30)
    A = jnp.where(keep, jax.nn.softmax(S, axis=-1), 0)
    return A @ V


@pytest.fixture(params=[0, 2])
def masked(attention, request):
    """Causal attention; with a window of 2 the first two rows have no key."""
    t = attention
    keep = lambda at: sa.iverson(at + request.param <= t.i)  # noqa: E731
    A = sa.define(
        "A",
        (t.i, t.j),
        keep(t.j) * sp.exp(t.S[t.i, t.j]) / sa.total(keep(t.l) * sp.exp(t.S[t.i, t.l]), t.l),
    )
    O = sa.define("O", (t.i, t.b), A[t.i, t.j] * t.V[t.j, t.b])
    return sa.System(t.S, A, O), request.param


def test_masked_softmax(masked, arrays):
    system, window = masked
    f = compile(system, output="O")
    weight = np.random.default_rng(2).normal(size=(5, 4))
    got, bars = pulled(lambda kw: f(**kw), arrays, weight)
    want, plainly = pulled(lambda kw: causal(**kw, window=window), arrays, weight)
    np.testing.assert_allclose(got, want, rtol=1e-12, atol=1e-12)
    assert not np.asarray(got)[:window].any()
    for name, bar in bars.items():
        np.testing.assert_allclose(bar, plainly[name], rtol=1e-12, atol=1e-12)


def test_derived_gradient_of_masked_softmax(masked, arrays, upstream):
    system, window = masked
    got = compile(backward(system, output="O", wrt=("Q", "K", "V")))(**arrays, O_bar=upstream)
    _, want = pulled(lambda kw: causal(**kw, window=window), arrays, upstream)
    for name in "QKV":
        np.testing.assert_allclose(got[name], want[name], rtol=1e-12, atol=1e-12)


def test_masked_scores_may_be_anything(masked, arrays):
    system, _ = masked
    arrays["K"][6] = 1e300  # key 6 is after every query
    f = compile(system, output="O")
    got, bar = pulled(lambda Q: f(Q=Q, K=arrays["K"], V=arrays["V"]), arrays["Q"], np.ones((5, 4)))
    assert np.isfinite(got).all()
    assert np.isfinite(bar).all()


d = sa.sizes("d")[0]
a, b = sa.indices("a b", d)
X, Y, y = sa.tensor("X", n, d), sa.tensor("Y", m, d), sa.tensor("y", m)
DISTANCE = sa.total((X[i, a] - Y[j, a]) ** 2, a) / 2


@pytest.mark.parametrize("offset", [0.0, 40.0])
def test_gradients_of_a_gaussian_kernel(offset):
    """e^{-x²/2} and e^{xy-y²/2} apart would be 0 and infinite."""
    K = sa.define("K", (i, j), sp.exp(-DISTANCE))
    f = compile(backward(sa.System(K), output="K", wrt=("X", "Y")))
    rng = np.random.default_rng(14)
    points = {"X": offset + rng.normal(size=(4, 3)), "Y": offset + rng.normal(size=(5, 3))}
    bar = rng.normal(size=(4, 5))

    def plain(X, Y):
        return jnp.exp(-((X[:, None] - Y) ** 2).sum(-1) / 2)

    _, wanted = pulled(lambda kw: plain(**kw), points, bar)
    for got, want in zip(f(**points, K_bar=bar).values(), wanted.values(), strict=True):
        np.testing.assert_allclose(got, want, rtol=1e-9, atol=1e-11)


@pytest.mark.parametrize("scale", [1.0, 60.0])
def test_gradients_of_a_mixture_of_gaussians(scale):
    """The gradient in y_j has e^{y_j - Y²/2} before a sum over i, where it would overflow."""
    mixture = sp.log(sa.total(sp.exp(y[j] - DISTANCE), j))
    system = sa.System(sa.define("L", (i,), mixture))
    f = compile(backward(system, output="L", wrt=("X", "Y", "y")))
    rng = np.random.default_rng(15)
    shapes = {"X": (4, 3), "Y": (5, 3), "y": (5,)}
    arrays = {name: scale * rng.normal(size=shape) for name, shape in shapes.items()}
    bar = rng.normal(size=4)

    def plain(X, Y, y):
        return jax.nn.logsumexp(y - ((X[:, None] - Y) ** 2).sum(-1) / 2, axis=-1)

    _, wanted = pulled(lambda kw: plain(**kw), arrays, bar)
    for got, want in zip(f(**arrays, L_bar=bar).values(), wanted.values(), strict=True):
        np.testing.assert_allclose(got, want, rtol=1e-8, atol=1e-9 * scale)


def part_of_the_sum():
    """The share that the keys before i have of a row; row 0 has none."""
    n = sa.sizes("n")[0]
    i, k, l = sa.indices("i k l", n)
    S = sa.tensor("S", n, n)
    below = sa.total(sa.iverson(k < i) * sp.exp(S[i, k]), k)
    return sa.System(sa.define("F", (i,), below / sa.total(sp.exp(S[i, l]), l)))


def test_sums_that_start_at_the_own_term():
    """log Σ_j [t_j ≥ t_i] e^{z_j} − z_i: z_i − max_j z_j is a diagonal."""
    z, t = sa.tensor("z", n), sa.tensor("t", n)
    later = sa.total(sa.iverson(t[k] >= t[i]) * sp.exp(z[k]), k)
    L = sa.define("L", (), sa.total(sp.log(later) - z[i], i))
    g = backward(sa.System(L), output="L", wrt=("z",))
    f = compile({"L": L, "g": g}, given=sa.System(L))

    def plain(z, t):
        kept = jnp.where(t >= t[:, None], z, -jnp.inf)
        return (jax.nn.logsumexp(kept, axis=1) - z).sum()

    rng = np.random.default_rng(1)
    z, t = 100 * rng.normal(size=5), rng.normal(size=5)
    got = f(z=z, t=t, L_bar=1.0)
    np.testing.assert_allclose(got["L"], plain(z, t), rtol=1e-5)
    np.testing.assert_allclose(got["g"]["z"], jax.jit(jax.grad(plain))(z, t), atol=1e-5)


def test_a_definition_without_anything_to_cancel_stays_an_array():
    """z = e^v is opened under a logarithm of a sum, and not where it is multiplied."""
    v, y = sa.tensor("v", n), sa.tensor("y", n)
    z = sa.define("z", (i,), sp.exp(v[i]) + y[i])
    L = sa.define("L", (), sa.total(sp.log(1 + sp.exp(z[i])) - y[i] * z[i], i))
    source = compile(sa.System(z, L), output="L").source
    assert source.count("jnp.exp(") == 1 and "jnp.max" not in source


@pytest.mark.parametrize("scale", [1.0, 1e4])
def test_an_empty_sum_above_the_fraction_bar_is_zero(scale):
    system = part_of_the_sum()
    scores = scale * np.random.default_rng(8).normal(size=(5, 5))
    up = np.random.default_rng(9).normal(size=5)

    def textbook(S):
        return (jax.nn.softmax(S, axis=-1) * jnp.tril(jnp.ones((5, 5)), -1)).sum(-1)

    with jax.enable_x64(True):
        value, bar = pulled(textbook, jnp.asarray(scores), up)
        f = compile(system, output="F")
        np.testing.assert_allclose(f(S=scores), value, rtol=1e-10, atol=1e-14)
        assert f(S=scores)[0] == 0
        g = compile(backward(system, output="F", wrt="S"))
        np.testing.assert_allclose(g(S=scores, F_bar=up)["S"], bar, rtol=1e-10, atol=1e-14)


def test_peaks_with_and_without_a_mask_are_two():
    """The masked one is −∞ where nothing is left, and is no scale for the whole row."""
    source = compile(part_of_the_sum(), output="F").source
    assert source.count("jnp.max(") == 2
    assert "S_max_1" in source


def test_exponents_with_sums_of_exponentials_inside():
    """Every layer has its own peak, and planning ends."""
    n, d = sa.sizes("n d")
    i, k, l = sa.indices("i k l", n)
    (a,) = sa.indices("a", d)
    X = sa.tensor("X", n, d)

    def score(k):
        return sa.total(1 / (sp.exp(X[k, a] - X[i, a]) + 2), a)

    P = sa.define("P", (i, k), sp.exp(score(k)) / sa.total(sp.exp(score(l)), l))
    x = 300 * np.random.default_rng(8).normal(size=(5, 3))
    with jax.enable_x64(True):
        got = compile(P)(X=x)
        inner = (1 / (np.exp(np.minimum(x[None] - x[:, None], 700)) + 2)).sum(-1)
        np.testing.assert_allclose(got, jax.nn.softmax(jnp.asarray(inner), axis=-1), rtol=1e-10)


def test_a_factor_that_turns_out_to_be_constant_is_counted():
    """Σ_k e^{Σ_p δ_kp} is n e."""
    n = sa.sizes("n")[0]
    k, p = sa.indices("k p", n)
    e = sp.exp(sa.total(sa.delta(k, p), p))
    f = compile(sa.define("F", (k,), e / sa.total(e, k)))
    np.testing.assert_allclose(f(n=4), np.full(4, 0.25), rtol=1e-6)


def test_peaks_keep_their_letters_where_plans_are_tried():
    """Two orders of the sum are tried, and each makes the peak of 2 + e^w under its own letter."""
    n, d = sa.sizes("n d")
    i, k, p = sa.indices("i k p", n)
    (b,) = sa.indices("b", d)
    t, w = sa.tensor("t", 2 * n - 1), sa.tensor("w", d)
    both = sp.tanh(sa.delta(n - p - 1, p)) + t[n - i + p - 1] * t[n - k + p - 1]
    F = sa.define("F", (), sa.total(both / (sp.exp(2 * w[b] / 3) + 2), i, k, p, b))
    rng = np.random.default_rng(8)
    x, y = rng.normal(size=9), rng.normal(size=3)
    place = np.arange(5)[:, None] - np.arange(5) + 4

    def textbook(t, w):
        middle = 25 * jnp.tanh(1.0)  # p = n − 1 − p once, for every i and k
        pairs = (t[place].sum(1) ** 2).sum()
        return (middle + pairs) * (1 / (jnp.exp(2 * w / 3) + 2)).sum()

    got = compile(backward(sa.System(F), output="F", wrt=("t", "w")))(t=x, w=y, F_bar=np.ones(()))
    for name, want in zip("tw", jax.jit(jax.grad(textbook, (0, 1)))(x, y), strict=True):
        np.testing.assert_allclose(got[name], want, rtol=1e-10)


h, W = sa.tensor("h", n), sa.tensor("W", n, n)
p, q = sa.indices("p q", n)


def later(h):
    """log Σ_{q ≥ p} e^{h_q}."""
    return jax.nn.logsumexp(jnp.where(jnp.tri(len(h)).T > 0, h, -jnp.inf), axis=1)


def lags(n):
    return jnp.maximum(jnp.arange(n)[:, None] - jnp.arange(n), 0)


LOSSES = {
    "a peak without the letter of the exponent": (
        sa.total(W[p, p] * sp.log(sa.total(sa.iverson(q >= p) * sp.exp(h[q]), q)), p),
        lambda h, W: (jnp.diag(W) * later(h)).sum(),
    ),
    "pairs": (
        sa.total(W[p, q] * sp.log(1 + sp.exp(h[q] - h[p])), p, q),
        lambda h, W: (W * jax.nn.softplus(h - h[:, None])).sum(),
    ),
    "no peak": (
        sa.total(sa.iverson(q <= p) * sp.exp(-(h[q] ** 2) * (p - q)) * W[p, q], p, q),
        lambda h, W: (jnp.tril(W) * jnp.exp(-(h**2) * lags(len(h)))).sum(),
    ),
}


@pytest.mark.parametrize("loss", LOSSES)
def test_gradients_keep_exponents_together(loss):
    formula, plain = LOSSES[loss]
    system = sa.System(sa.define("L", (), formula))
    f = compile(backward(system, output="L", wrt=("h",)))
    x = np.append(LARGE, 30.0)
    arrays = {"h": x, "W": np.random.default_rng(0).normal(size=(6, 6))}
    want = jax.jit(jax.grad(plain))(x, arrays["W"])
    np.testing.assert_allclose(f(**arrays, L_bar=1.0)["h"], want, rtol=1e-9, atol=1e-9)
    same_with_gradient(compile(system, output="L"), plain, arrays)


def test_squares_of_differences_under_a_condition_keep_their_digits():
    apart = sa.total((s[p, j] - s[q, j]) ** 2, j)
    system = sa.System(sa.define("L", (), sa.total((1 - sa.delta(p, q)) / (1 + apart), p, q)))
    f = compile(system, output="L")
    x = np.float32([[1e4, 0.0], [1e4, 0.5], [-1e4, 3.0]])
    np.testing.assert_allclose(f(s=x), 2 / 1.25, rtol=1e-6)


def computed(jaxpr):
    """The operations of a program that compute, calls included."""
    for eqn in jaxpr.eqns:
        for inner in jaxprs_in_params(eqn.params):
            yield from computed(inner)
        if eqn.primitive.name in ("add", "sub", "mul", "div", "exp", "reduce_sum", "dot_general"):
            yield eqn.outvars[0].aval.dtype


def test_half_precision_is_rounded_at_the_end():
    y = sa.tensor("y", n, m)
    far = sa.define("D", (p,), sa.total((s[p, j] - y[p, j]) ** 2 * x[p], j))
    system = sa.System(far, sa.define("L", (), sa.total(far[p] * sp.exp(x[p]), p)))
    f = compile(backward(system, output="L", wrt=("x", "y")))
    half = {"s": (3, 4), "y": (3, 4), "x": (3,)}
    given = {name: jnp.ones(shape, jnp.bfloat16) for name, shape in half.items()}
    program = jax.make_jaxpr(lambda given: f(**given, L_bar=1.0))(given)
    assert set(computed(program.jaxpr)) == {jnp.dtype("float32")}
    assert all(x.dtype == jnp.bfloat16 for x in f(**given, L_bar=1.0).values())


def test_what_is_below_its_peak_is_computed_once():
    """In log Σ e^z − z it is the array that e^{z − max z} is made of, and digits stay."""
    n, k = sa.sizes("n k")
    (i,), (c, e) = sa.indices("i", n), sa.indices("c e", k)
    Z, Y = sa.tensor("Z", n, k), sa.tensor("Y", n, k)
    lost = sp.log(sa.total(sp.exp(Z[i, e]), e)) - Z[i, c]
    f = compile(sa.System(sa.define("L", (i,), sa.total(Y[i, c] * lost, c))), output="L")
    assert f.source.count("- Z_max") == 1
    rng = np.random.default_rng(0)
    z = np.float32(rng.normal(size=(3, 5)) + 3000)
    y = np.float32(rng.uniform(size=(3, 5)))
    wide = np.float64(z) - 3000
    wanted = (y * (np.log(np.exp(wide).sum(1, keepdims=True)) - wide)).sum(1)
    np.testing.assert_allclose(f(Z=z, Y=y), wanted, rtol=1e-5)


@pytest.mark.parametrize("scale", [1.0, 900.0])
def test_exponents_that_cancel_across_a_sum(scale):
    """Σ_j e^{S_ij − h_i} f has e^{−h_i} in front in its normal form, and both may overflow."""
    n, m, d = sa.sizes("n m d")
    (i,), (j,), (b,) = sa.indices("i", n), sa.indices("j", m), sa.indices("b", d)
    S, V, h = sa.tensor("S", n, m), sa.tensor("V", m, d), sa.tensor("h", n)
    O = sa.define("O", (i, b), sa.total(sp.exp(S[i, j] - h[i]) * V[j, b], j))
    g = backward(sa.System(O), output="O", wrt=("S", "V", "h"))
    f = compile({"O": O, "g": g}, given=sa.System(O), target="numpy")
    own = np.random.default_rng(4)
    x = {"S": own.normal(size=(5, 4)) + scale, "h": own.normal(size=5) + scale}
    x |= {"V": own.normal(size=(4, 3)), "O_bar": own.normal(size=(5, 3))}
    got = f(**{k: v.astype("float32") for k, v in x.items()})
    P = np.exp(x["S"] - x["h"][:, None])
    S_bar = P * (x["O_bar"] @ x["V"].T)
    right = {"S": S_bar, "V": P.T @ x["O_bar"], "h": -S_bar.sum(1)}
    for name, value in right.items():
        np.testing.assert_allclose(got["g"][name], value, rtol=2e-3, atol=2e-3)
    np.testing.assert_allclose(got["O"], P @ x["V"], rtol=2e-3, atol=2e-3)


def test_a_kernel_of_exponentials_is_a_product_of_matrices():
    """Σ_a e^{x_ia + y_ja} beside its sum over j: largest values of each factor, not of every pair;
    under a logarithm, where what is rounded to 0 counts, those of every pair."""
    n, d, m = sa.sizes("n d m")
    (i,), (j, l), (a,), (b,) = (
        sa.indices("i", n),
        sa.indices("j l", n),
        sa.indices("a", d),
        sa.indices("b", m),
    )
    x, y, v = sa.tensor("x", n, d), sa.tensor("y", n, d), sa.tensor("v", n, m)
    X, Y = sa.define("X", (i, a), sp.exp(x[i, a])), sa.define("Y", (j, a), sp.exp(y[j, a]))
    W = sa.define("W", (i, j), sa.total(X[i, a] * Y[j, a], a))
    A = sa.define("A", (i, j), W[i, j] / sa.total(W[i, l], l))
    O = sa.define("O", (i, b), A[i, j] * v[j, b])
    L = sa.define("L", (i, j), sp.log(A[i, j]))
    system = sa.System(X, Y, W, A, O)
    rng = np.random.default_rng(5)
    arrays = {"x": rng.normal(size=(5, 3)), "y": rng.normal(size=(5, 3))}
    arrays["x"][[1, 3]] += [[600.0], [-900.0]]
    arrays["y"][[2, 4]] += [[-800.0], [30.0]]
    arrays["v"], bar = rng.normal(size=(5, 4)), rng.normal(size=(5, 4))

    def logs(x, y):
        pairs = x[:, None] + y
        return jax.nn.logsumexp(pairs, 2) - jax.nn.logsumexp(pairs, (1, 2))[:, None]

    def plain(x, y, v):
        return jnp.exp(logs(x, y)) @ v

    g = backward(system, output="O", wrt=("x", "y", "v"))
    f = compile({"O": O, "g": g}, given=system)
    assert f.cost.largest.subs({n: 99, d: 9, m: 9}) == 99**2
    with jax.enable_x64(True):
        got = f(**arrays, O_bar=bar)
        want, pull = jax.vjp(plain, *(jnp.asarray(arrays[name]) for name in "xyv"))
        np.testing.assert_allclose(got["O"], want, rtol=1e-12)
        for name, value in zip("xyv", pull(jnp.asarray(bar)), strict=True):
            np.testing.assert_allclose(got["g"][name], value, rtol=1e-9, atol=1e-13)
        rest = {name: arrays[name] for name in "xy"}
        log = compile(L, given=sa.System(X, Y, W, A))(**rest)
        np.testing.assert_allclose(log, logs(**rest), rtol=1e-12, atol=1e-12)
