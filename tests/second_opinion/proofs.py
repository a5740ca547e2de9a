"""Certificates of proofs, as JSON."""

import json
from functools import cache

import sympy as sp

import symattn as sa
from symattn.identities import identities
from symattn.objects import Partial
from symattn.primitives import elu, gelu, relu
from symattn.primitives import step as unit_step

ALL = [i for i in identities()]


def certificate(lhs, rhs, given=None, **more):
    verdict = sa.prove(lhs, rhs, given=given, certificate=True, **more)
    assert verdict.status == "proved", str(verdict)
    return json.loads(json.dumps(verdict.certificate))


@cache
def logged(name):
    """The certificate of a proof by its name; not to be changed."""
    return certificate(*LOGGED[name])


def matrices():
    (n,) = sa.sizes("n")
    i, j, k = sa.indices("i j k", n)
    M, A = sa.tensor("M", n, n), sa.tensor("A", n, n)
    inverse = sa.inverse(M)
    D = sa.define("D", (i, j), inverse[i, j])
    ld = sa.define("ld", (), sa.logdet(M))
    tr = sa.define("tr", (), sa.total(inverse[i, j] * A[j, i], i, j))
    yield "M M⁻¹", sa.total(M[i, j] * inverse[j, k], j), sa.delta(i, k), None
    yield (
        "∂M⁻¹",
        Partial(D[i, j], M[k, k]),
        -inverse[i, k] * inverse[k, j],
        sa.System(D),
    )
    yield "∂ log det", Partial(ld.tensor, M[i, j]), inverse[j, i], sa.System(ld)
    (p, q) = sa.indices("p q", n)
    yield (
        "∂ tr(M⁻¹A)",
        Partial(tr.tensor, M[i, j]),
        -sa.total(inverse[p, i] * inverse[j, q] * A[q, p], p, q),
        sa.System(tr),
    )


def losses():
    n, m, d = sa.sizes("n m d")
    (i,), (j,), (a,) = sa.indices("i", n), sa.indices("j", m), sa.indices("a", d)
    Q, K, V = sa.tensor("Q", n, d), sa.tensor("K", m, d), sa.tensor("V", m, d)
    S = sa.define("S", (i, j), sa.total(Q[i, a] * K[j, a], a))
    O = sa.define("O", (i, a), sa.total(sp.tanh(S[i, j]) * V[j, a], j))
    L = sa.loss("L", of="O")
    yield (
        "∂L/∂V",
        sa.partial(L, V[j, a]),
        sa.total(sp.tanh(S[i, j]) * sa.partial(L, O[i, a]), i),
        sa.System(S, O),
    )
    yield (
        "∂L/∂Q",
        sa.partial(L, Q[i, a]),
        sa.total(sa.partial(L, S[i, j]) * K[j, a], j),
        sa.System(S, O),
    )
    f = sp.Function("f")
    w, x = sa.tensor("w"), sa.tensor("x", n)
    y = sa.define("y", (), sa.total(f(w * x[i]) ** 2, i))
    slope = f(w * x[i]) * sa.partial(y.tensor, w)
    other = sa.total(f(w * x[i]), i) * sa.partial(y, w)
    yield "∂f(wx)²/∂w", sa.total(slope, i), other, sa.System(y)


def orders_and_shifts():
    (n,) = sa.sizes("n")
    i, j, k = sa.indices("i j k", n)
    A, Y = sa.tensor("A", n, n), sa.tensor("Y", n, n, symmetric=True)
    x, y = sa.tensor("x", n), sa.tensor("y", n)
    below = sa.total(sa.iverson(i < j) * (A[i, j] + A[j, i]), i, j)
    trace, whole = sa.total(Y[i, i], i), sa.total(Y[i, j], i, j)
    yield "below and above", below, sa.total(A[i, j], i, j) - sa.total(A[i, i], i), None
    yield "half of it", sa.total(sa.iverson(i < j) * Y[i, j], i, j), (whole - trace) / 2, None
    yield "half and half", sa.total(sa.iverson(i <= j) * Y[i, j], i, j), (whole + trace) / 2, None
    D = sa.define("D", (i,), x[i - 1] * y[i])
    shifted = sa.delta(k, sp.Mod(i - 1, n)) * y[i]
    yield "∂ at a shifted index", sa.partial(D[i], x[k]), shifted, sa.System(D)
    L = sa.loss("L", of="D")
    chain = sa.total(sa.partial(L, D[i]) * shifted, i)
    yield "∂L at a shifted index", sa.partial(L, x[k]), chain, sa.System(D)


def layer_norm():
    (n,) = sa.sizes("n")
    i, k = sa.indices("i k", n)
    x, w = sa.tensor("x", n), sa.tensor("w", n)
    mu = sa.define("mu", (), sa.total(x[i], i) / n)
    va = sa.define("va", (), sa.total((x[i] - mu.tensor) ** 2, i) / n)
    N = sa.define("N", (i,), (x[i] - mu.tensor) / sp.sqrt(va.tensor))
    L = sa.define("L", (), sa.total(N[i] * w[i], i))
    means = sa.total(w[i], i) / n, sa.total(w[i] * N[i], i) / n
    slope = (w[k] - means[0] - N[k] * means[1]) / sp.sqrt(va.tensor)
    yield "layer norm", sa.partial(L.tensor, x[k]), slope, sa.System(mu, va, N, L)


def folded_inverses():
    n, m = sa.sizes("n m")
    (i,), (a, b) = sa.indices("i", n), sa.indices("a b", m)
    X, y, r = sa.tensor("X", n, m), sa.tensor("y", n), sa.tensor("r", positive=True)
    M = sa.define("M", (a, b), sa.total(X[i, a] * X[i, b], i) + r * sa.delta(a, b))
    inverse = sa.inverse(M)
    hat = sa.total(inverse[a, b] * sa.total(X[i, a] * X[i, b], i), a, b)
    yield "trace of the hat", hat, m - r * sa.total(inverse[a, a], a), sa.System(M)
    w = sa.define("w", (a,), sa.total(inverse[a, b] * X[i, b] * y[i], b, i))
    gap = sa.total(X[i, a] * (sa.total(X[i, b] * w[b], b) - y[i]), i)
    yield "normal equations", gap + r * w[a], 0 * r, sa.System(M, w)
    yield "a symmetric inverse", inverse[a, b], inverse[b, a], sa.System(M)


def countings():
    (n,) = sa.sizes("n")
    i, j = sa.indices("i j", n)
    y = sa.tensor("y", n)
    yield "[j < i]", sa.total(sa.iverson(j < i) * y[i], i, j), sa.total(i * y[i], i), None
    yield "[j ≥ i]", sa.total(y[i] * sa.iverson(j >= i), i, j), sa.total((n - i) * y[i], i), None
    yield "all entries", sa.total(y[i - 1] ** 2, i), sa.total(y[i] ** 2, i), None
    around = sa.maximum(y[i - 2] + y[i - 2] ** 2, i)
    yield "the largest of all", around, sa.maximum(y[i] * (1 + y[i]), i), None
    yield "Σ i²", sa.total(i**2, i), n * (n - 1) * (2 * n - 1) / 6, None


def kinks():
    x, y = sa.tensor("x"), sa.tensor("y")

    yield "a rectifier", sp.Max(0, x) * y, x * unit_step(x) * y, None
    yield "the larger by |x − y|", sp.Max(x, y), (x + y + sp.Abs(x - y)) / 2, None
    yield "an odd power", sp.Max(x**3, y**3), sp.Max(x, y) ** 3, None
    z = sa.define("z", (), x + sp.exp(y) + 1)
    yield "never above", sp.Max(x, z.tensor) * y, z.tensor * y, sa.System(z)


def exponents():
    a, k = sa.tensor("a"), sa.tensor("k")
    yield "k^{1/(1−a)}", k ** (a / (1 - a)) * k, k ** (1 / (1 - a)), None


def sizes_apart():
    n, m = sa.sizes("n m")
    (i,), (a,) = sa.indices("i", n), sa.indices("a", m)
    x, y = sa.tensor("x", n), sa.tensor("y", m)
    ends = x[0] + x[1] + sa.total(sa.iverson(i >= 2) * x[i], i)
    yield "x_0, x_1 and the others", ends, sa.total(x[i], i), None
    D, E = sa.define("D", (i,), x[i - 1]), sa.define("E", (a,), y[a - 1])
    loops = sa.total(Partial(D[i], x[i]), i) * sa.total(Partial(E[a], y[a]), a)
    one = sa.iverson(sp.Le(n, 1)) * sa.iverson(sp.Le(m, 1))
    yield "[n = 1] [m = 1]", loops, one, sa.System(D, E)


def functions():
    x, y = sa.tensor("x"), sa.tensor("y")
    yield "gelu", gelu(x) + gelu(-x), x * sp.erf(x / sp.sqrt(2)), None
    yield "elu", elu(x, y) + y * relu(-x), relu(x) + y * (sp.exp(-relu(-x)) - 1 + relu(-x)), None


def relations():
    p, q = sa.tensor("p"), sa.tensor("q")
    (n,) = sa.sizes("n")
    (i, j) = sa.indices("i j", n)
    x, y = sa.tensor("x", n), sa.tensor("y", n)

    def given(left, right):
        return sa.System(facts=[sp.Eq(left, right)])

    yield "p + q = 1", p**2 + p * q, p, given(p + q, 1)
    yield "p² + q² = 1", sp.exp(q**5), sp.exp(q * (1 - p**2) ** 2), given(p**2 + q**2, 1)
    yield "p q = 2", p / q, p**2 / 2, given(p * q, 2)
    mixed = sa.total(x[i] * y[i], i), sa.total(x[i] - x[i] ** 2, i)
    yield "x_j + y_j = 1", *mixed, given(x[j] + y[j], 1)


MORE = [
    *kinks(),
    *exponents(),
    *matrices(),
    *losses(),
    *orders_and_shifts(),
    *layer_norm(),
    *folded_inverses(),
    *countings(),
    *sizes_apart(),
    *functions(),
    *relations(),
]

SHORT = [
    "rows of A sum to 1",
    "√(x²) = |x|",
    "σ(−x) = 1 − σ(x)",
    "difference of squares cancels",
    "rows of the causal softmax sum to 1",
    "a mask and its complement",
    "∂ xᵀBx/∂x = (B + Bᵀ)x",
    "F against a symmetric tensor",
    "shifted mean under Σp = 1",
    "the value at the argmax",
    "argmax is blind to shift and scale",
    "maximum of a shift",
    "a maximum inside a maximum",
    "fractions of 1 + e^x under a sum",
    "three times an angle",
    "half an angle",
]

LOGGED = {i.name: (i.left, i.right, i.given) for i in ALL if i.name in SHORT}

LOGGED |= {
    name: sides
    for name, *sides in (*folded_inverses(), *countings(), *kinks(), *exponents(), *relations())
}
