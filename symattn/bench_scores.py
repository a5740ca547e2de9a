"""Attention with the scores of practice, in blocks of rows: time, memory, and every derivative.

A score is one function of this module: what it returns ends in O.  The tests compare values,
tangents, gradients, products with Hessians and the third order with JAX on the definitions as they
are written.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import sympy as sp

from .compile import compile
from .compile.measure import row, temporary
from .derive import backward
from .syntax import System, define, indices, iverson, sizes, tensor, total

Row = dict[str, Any]
LENGTH, WIDTH, HEADS, BOUND, GROWTH = 2048, 64, 2, 1.25, 2.3

n, d, d_v, h = sizes("n d d_v h")
(i, j, l), (a, c), (b,) = indices("i j l", n), indices("a c", d), indices("b", d_v)
e, f = indices("e f", h)
Q, K, V = tensor("Q", n, d), tensor("K", n, d), tensor("V", n, d_v)
DOT = Q[i, a] * K[j, a] / sp.sqrt(d)
BEFORE = iverson(j <= i)
SCORES: dict[str, Callable[[], System]] = {}


def score(name: str) -> Callable[[Callable[[], System]], Callable[[], System]]:
    """Enters what is decorated."""

    def enter(make: Callable[[], System]) -> Callable[[], System]:
        assert name not in SCORES
        SCORES[name] = make
        return make

    return enter


def attention(scores: Any, mask: Any = 1, *before: Any, sink: Any = 0) -> System:
    """Softmax of the scores where a mask or a weight is not 0, beside a sink."""
    S = define("S", (i, j), scores)
    E = define("E", (i, j), mask * sp.exp(S[i, j]))
    A = define("A", (i, j), E[i, j] / (total(E[i, l], l) + sink))
    return System(*before, S, E, A, define("O", (i, b), A[i, j] * V[j, b]))


def weighted(weights: Any, *before: Any) -> System:
    """Weights that are divided by their sum."""
    W = define("W", (i, j), weights)
    A = define("A", (i, j), W[i, j] / total(W[i, l], l))
    return System(*before, W, A, define("O", (i, b), A[i, j] * V[j, b]))


@score("plain")
def _plain() -> System:
    return attention(DOT)


@score("causal")
def _causal() -> System:
    return attention(DOT, BEFORE)


@score("window")
def _window() -> System:
    return attention(DOT, BEFORE * iverson(i <= j + 127))


@score("documents")
def _documents() -> System:
    D = tensor("D", n)
    return attention(DOT, iverson(D[i] - D[j] >= 0) * iverson(D[j] - D[i] >= 0))


@score("padding")
def _padding() -> System:
    return attention(DOT, tensor("M", n)[j])


@score("bias")
def _bias() -> System:
    return attention(DOT + tensor("B", n, n)[i, j])


@score("bias of keys")
def _key_bias() -> System:
    return attention(DOT + tensor("B", n)[j])


@score("slopes")
def _slopes() -> System:
    t = tensor("t", n)
    return attention(DOT + tensor("s") * (t[j] - t[i]), BEFORE)


@score("table of distances")
def _table() -> System:
    return attention(DOT + tensor("R", 2 * n - 1)[i - j + n - 1])


@score("vectors of distances")
def _vectors() -> System:
    R = tensor("R", 2 * n - 1, d)
    return attention(DOT + total(Q[i, a] * R[i - j + n - 1, a], a) / sp.sqrt(d))


@score("soft cap")
def _cap() -> System:
    T = define("T", (i, j), DOT)
    return attention(30 * sp.tanh(T[i, j] / 30), 1, T)


@score("temperature")
def _temperature() -> System:
    return attention(tensor("beta") * DOT)


@score("temperature of queries")
def _temperatures() -> System:
    return attention(DOT * sp.exp(tensor("tau", n)[i]))


@score("metric")
def _metric() -> System:
    return attention(Q[i, a] * tensor("g", d, d)[a, c] * K[j, c] / sp.sqrt(d))


@score("sink")
def _sink() -> System:
    return attention(DOT, sink=sp.exp(tensor("s")))


@score("distance")
def _distance() -> System:
    return attention(-total((Q[i, a] - K[j, a]) ** 2, a) / sp.sqrt(d))


@score("cosine")
def _cosine() -> System:
    X = define("X", (i, a), Q[i, a] / sp.sqrt(total(Q[i, c] ** 2, c)))
    Y = define("Y", (j, a), K[j, a] / sp.sqrt(total(K[j, c] ** 2, c)))
    return attention(10 * X[i, a] * Y[j, a], 1, X, Y)


@score("dropout")
def _dropout() -> System:
    plain = attention(DOT)
    D, A = tensor("D", n, n), plain["A"]
    return System(plain["S"], plain["E"], A, define("O", (i, b), D[i, j] * A[i, j] * V[j, b]))


@score("gated values")
def _gated() -> System:
    U = define("U", (j, b), V[j, b] / (1 + sp.exp(-tensor("G", n, d_v)[j, b])))
    plain = attention(DOT)
    A = plain["A"]
    return System(U, plain["S"], plain["E"], A, define("O", (i, b), A[i, j] * U[j, b]))


@score("linear")
def _linear() -> System:
    X = define("X", (i, a), sp.exp(Q[i, a]))
    Y = define("Y", (j, a), sp.exp(K[j, a]))
    return weighted(X[i, a] * Y[j, a], X, Y)


@score("polynomial")
def _polynomial() -> System:
    return weighted((1 + DOT) ** 2)


@score("sigmoid")
def _sigmoid() -> System:
    T = define("T", (i, j), DOT)
    A = define("A", (i, j), 1 / (n + sp.exp(-T[i, j])))
    return System(T, A, define("O", (i, b), A[i, j] * V[j, b]))


@score("rotated")
def _rotated() -> System:
    c_, s_ = tensor("c", n, d), tensor("s", n, d)
    X, Y = tensor("X", n, d), tensor("Y", n, d)  # Q and K turned by a quarter
    q = define("q", (i, a), c_[i, a] * Q[i, a] + s_[i, a] * X[i, a])
    k = define("k", (j, a), c_[j, a] * K[j, a] + s_[j, a] * Y[j, a])
    return attention(q[i, a] * k[j, a] / sp.sqrt(d), BEFORE, q, k)


def _with_heads(key: Any, value: Any, mixed: bool = False) -> System:
    """Softmax attention of several heads."""
    Q = tensor("Q", h, n, d)
    S = define("S", (e, i, j), Q[e, i, a] * key * 1 / sp.sqrt(d))
    before = [S]
    if mixed:
        before.append(T := define("T", (e, i, j), tensor("P", h, h)[e, f] * S[f, i, j]))
        S = T
    A = define("A", (e, i, j), sp.exp(S[e, i, j]) / total(sp.exp(S[e, i, l]), l))
    return System(*before, A, define("O", (e, i, b), A[e, i, j] * value))


@score("grouped queries")
def _grouped() -> System:
    return _with_heads(K[j, a], V[j, b])


@score("talking heads")
def _talking() -> System:
    K, V = tensor("K", h, n, d), tensor("V", h, n, d_v)
    return _with_heads(K[e, j, a], V[e, j, b], mixed=True)


# ----------------------------------------------------------------------------------- what is asked


def heads(system: System) -> bool:
    """Whether there are several."""
    return h in system["O"].shape


def wrt(system: System) -> tuple[str, ...]:
    """The arrays of numbers that a score is differentiated in: not masks, and not positions."""
    inputs = compile(system, output="O").inputs
    return tuple(x for x in inputs if x not in ("D", "M", "t", "c", "s") or inputs[x] == ())


def drawn(system: System, lengths: dict[str, int]) -> dict[str, Any]:
    """Random arrays of these sizes."""
    import numpy as np

    rng = np.random.default_rng(0)
    found: dict[str, Any] = {}
    inputs = compile(system, output="O").inputs
    for name, shape in {**inputs, "O_bar": system["O"].shape}.items():
        size = [int(x.xreplace({s: lengths[str(s)] for s in x.free_symbols})) for x in shape]
        found[name] = rng.normal(size=size)
        if name in ("D", "M"):
            found[name] = np.asarray(rng.random(size) > 0.3, float)
        if name == "t":
            found[name] = np.arange(size[0]) / size[0]
    return found


def orders(function: Any, fixed: dict[str, Any], bar: Any) -> dict[str, Callable[[Any, Any], Any]]:
    """What JAX makes of a function: of arrays and their tangents."""
    import jax
    import jax.numpy as jnp

    def value(x: Any) -> Any:
        return function(**fixed, **x)

    def gradient(x: Any) -> Any:
        return jax.grad(lambda y: jnp.vdot(bar, jnp.sin(value(y))))(x)

    def along(g: Any) -> Any:
        return lambda x, dots: jax.jvp(g, (x,), (dots,))[1]

    return {
        "vjp": lambda x, dots: gradient(x),
        "jvp": along(value),
        "hvp": along(gradient),
        "third order": lambda x, dots: along(lambda y: along(gradient)(y, dots))(x, dots),
    }


def bench_scores(
    names: Sequence[str] = (), length: int = LENGTH, rounds: int = 5, enough: float = 2.0
) -> list[Row]:
    """Attention with other scores, value and all gradients with path="flash", against plain
    attention; and temporary memory at twice the length, in terms of that at the length.

    Scores of several heads stand beside plain attention of as many.
    """
    rows = []
    for name, make in SCORES.items():
        if names and not any(x in name for x in names):
            continue
        system = make()
        rows += _timed(name, system, length, rounds, enough)
        rows += _grown(name, system, length)
    return rows


def _lengths(length: int) -> dict[str, int]:
    return {"n": length, "d": WIDTH, "d_v": WIDTH, "h": HEADS}


def _both(system: System, batch: tuple[str, ...] = ()) -> Any:
    g = backward(system, output="O", wrt=wrt(system))
    return compile({"O": system["O"], "g": g}, given=system, path="flash", batch=batch)


def _timed(name: str, system: System, length: int, rounds: int, enough: float) -> list[Row]:
    """The value and the gradients beside those of plain attention."""
    import numpy as np

    arrays = drawn(system, _lengths(length))
    plain = _both(SCORES["plain"](), ("h",) if heads(system) else ())
    shape = (HEADS, length, WIDTH) if heads(system) else (length, WIDTH)
    rng = np.random.default_rng(1)
    own = {x: rng.normal(size=shape) for x in plain.inputs}

    def beside(**given: Any) -> Any:
        return plain(**{x: given[f"plain {x}"] for x in own})

    beside.inputs = [f"plain {x}" for x in own]  # type: ignore[attr-defined]
    given = arrays | {f"plain {x}": y for x, y in own.items()}
    against = [("plain", beside, BOUND)]
    case = f"{name}, value and gradients"
    return row(case, _both(system), against, given, rounds=rounds, enough=enough, unfused=False)


def _grown(name: str, system: System, length: int) -> list[Row]:
    """Temporary memory at 2 n in terms of that at n: 2 where it is linear."""
    found = [_memory(system, x) for x in (length, 2 * length)]
    return [
        {"case": f"{name}, {order}", "against": "half the length", "MiB": found[1][order],
         "against MiB": found[0][order], "ratio": found[1][order] / found[0][order],
         "bound": GROWTH}
        for order in found[0]
    ]  # fmt: skip


def _memory(system: System, length: int) -> dict[str, float]:
    """The temporary memory of every order."""
    import jax
    import jax.numpy as jnp

    f = compile(system, output="O", path="flash")
    arrays = drawn(system, _lengths(8))
    found = {}
    shapes = {**f.inputs, "O_bar": system["O"].shape}
    made: Any = jax.ShapeDtypeStruct

    def shape(name: str) -> Any:
        lengths = _lengths(length)
        size = (s.xreplace({x: lengths[str(x)] for x in s.free_symbols}) for s in shapes[name])
        return made(tuple(map(int, size)), jnp.float32)

    moved = {x: shape(x) for x in wrt(system)}
    fixed = {x: shape(x) for x in arrays if x not in moved and x != "O_bar"}
    for order in orders(f, {}, None):

        def program(fixed: Any, bar: Any, x: Any, dots: Any, order: str = order) -> Any:
            return orders(f, fixed, bar)[order](x, dots)

        lowered = jax.jit(program).lower(fixed, shape("O_bar"), moved, moved)
        found[order] = temporary(lowered.compile())
    return found
