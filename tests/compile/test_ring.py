"""path="ring": rows and keys shared by devices of a host, in a process of its own."""

from __future__ import annotations

import os
import socket
import subprocess
import sys

import pytest

PROGRAM = """
import jax, jax.numpy as jnp, numpy as np, sympy as sp
import symattn as sa
from symattn import bench_users
from symattn.paths import along

jax.config.update("jax_enable_x64", True)
SIZES = {"n": 24, "n_q": 16, "n_k": 24, "d": 3, "d_v": 5, "g": 2, "h": 3, "m": 4}


def near(got, want):
    np.testing.assert_allclose(got, want, rtol=1e-12, atol=1e-12 * (1e-3 + np.abs(want).max()))


def agree(name, devices, curved):
    one = bench_users.USERS[name]
    system, textbook = one.make()
    mesh = jax.make_mesh((devices,), ("ring",), devices=jax.devices()[:devices])
    f = sa.compile(system, output=one.of, path="ring", mesh=mesh)
    g = sa.compile(sa.backward(system, output=one.of, wrt=one.wrt), path="ring", mesh=mesh)
    every = bench_users.drawn(one, {**f.inputs, **g.inputs}, SIZES)
    arrays = {n: every[n] for n in f.inputs}
    bar = every.get(f"{one.of}_bar", np.ones(()))

    @jax.jit
    def reference(x):
        value, pull = jax.vjp(lambda x: textbook(**x), x)
        return value, *pull(jnp.asarray(bar))

    value, want = reference(arrays)
    near(f(**arrays), value)
    got = g(**{n: every[n] for n in g.inputs})
    for n in one.wrt:
        near(got[n], want[n])
    if curved:
        dots = {n: np.cos(3 * x) for n, x in arrays.items()}

        def product(function):
            gradient = jax.grad(lambda x: jnp.vdot(bar, jnp.sin(function(**x))))
            return jax.jit(lambda x: jax.jvp(gradient, (x,), (dots,))[1])(arrays)

        jax.tree.map(near, product(f), product(textbook))
    return f, g


for devices, name, curved in (
    (2, "attention", True),
    (4, "attention with a table of distances", False),
    (4, "attention with a bias", False),
    (8, "causal attention", True),
    (8, "bodies", False),
):
    f, g = agree(name, devices, curved)
assert "ppermute" in f.source and "all_gather" not in f.source

# Positions that are an array: device k has the blocks k and 7 - k, as its share of a causal mask
# is the same as that of every other one; what a row may not see is larger by 10⁴.
n, d = sa.sizes("n d")
(i, j, l), (a,) = sa.indices("i j l", n), sa.indices("a", d)
Q, B, V, p = sa.tensor("Q", n, d), sa.tensor("B", n), sa.tensor("V", n, d), sa.tensor("p", n)
S = sa.define("S", (i, j), Q[i, a] * V[j, a] + B[j])
sees = lambda j: sa.iverson(p[j] <= p[i])
A = sa.define("A", (i, j), sees(j) * sp.exp(S[i, j]) / sa.total(sees(l) * sp.exp(S[i, l]), l))
zigzag = sa.System(S, A, sa.define("O", (i, a), A[i, j] * V[j, a]))
blocks = np.arange(24).reshape(8, 3)
order = np.concatenate([blocks[[k, 7 - k]].ravel() for k in range(4)])
draw = np.random.default_rng(0)
x = {name: draw.normal(size=(24, 3)) for name in ("Q", "V", "O_bar")} | {"B": 1e4 * np.arange(24.0)}
mesh = jax.make_mesh((4,), ("ring",), devices=jax.devices()[:4])
g = sa.compile(sa.backward(zigzag, output="O", wrt=("Q", "V")), path="ring", mesh=mesh)
got = g(**{name: y[order] for name, y in x.items()}, p=order.astype(float))


def plain(q, v):
    s = q @ v.T + x["B"]
    return jax.nn.softmax(jnp.where(jnp.tri(24, dtype=bool), s, -jnp.inf)) @ v


wanted = jax.jit(lambda q, v, bar: jax.vjp(plain, q, v)[1](bar))(x["Q"], x["V"], x["O_bar"])
for value, want in zip(got.values(), wanted):
    near(value, want[order])

mesh = jax.make_mesh((8,), ("ring",))
one = bench_users.USERS["causal attention"]
system, _ = one.make()
f = sa.compile(system, output="O", path="ring", mesh=mesh)


def text(n):
    shapes = {k: jax.ShapeDtypeStruct((n, 4), jnp.float32) for k in f.inputs}
    return jax.jit(lambda **x: f(**x)).lower(**shapes).compile()


made = text(512)
assert "all-gather" not in made.as_text() and "collective-permute" in made.as_text()
assert made.memory_analysis().temp_size_in_bytes < 512 * 512 * 4 / 6
try:
    f(**{k: np.ones((12, 4)) for k in f.inputs})
except sa.errors.ShapeError as error:
    assert error.got == "12" and "a multiple of 8" in error.expected
else:
    raise AssertionError("12 rows for 8 devices")
one = bench_users.USERS["contrastive loss"]
try:
    sa.compile(one.make()[0], output=one.of, path="ring", mesh=mesh)
except sa.errors.UnsupportedError as error:
    assert "an array of all rows and all keys" in error.got
else:
    raise AssertionError("normalised by rows and by columns")

# What devices share is read place by place, or refused: windows, an array with its own transpose,
# components, three axes of one size.
def refused(*definitions):
    system = sa.System(*definitions)
    try:
        sa.compile(system, output=definitions[-1].name, path="ring", mesh=mesh)
    except sa.errors.UnsupportedError as error:
        return error.got
    raise AssertionError(definitions[-1].name)


def soft(S):
    A = sa.define("A", (i, j), sp.exp(S[i, j]) / sa.total(sp.exp(S[i, l]), l))
    return S, A, sa.define("O", (i, a), A[i, j] * V[j, a])


k, = sa.sizes("k")
(p,), (t,), (b, c, e) = sa.indices("p", n - k + 1), sa.indices("t", k), sa.indices("b c e", n)
M, W, G = sa.tensor("M", n, n), sa.tensor("W", k, d), sa.tensor("G", n, n, n)
places = refused(sa.define("Y", (p, a), sa.total(Q[p + t, a] * W[t, a], t)))
assert places == "an array whose shared axis is read at other places: (n, d)"
assert "read at other places" in refused(*soft(sa.define("S", (i, j), M[i, j] + M[j, i])))
assert "read at other places" in refused(sa.define("Y", (a,), Q[0, a] * B[0]))
lower = sa.define("L", (b, c, e), M[b, i] * (G[c, e, i] + G[e, c, i] - G[i, c, e]))
assert "(n, n, n)" in refused(lower)

# A size that no array shows is an argument, and what `symattn verify --path ring` says is well.
x = np.arange(16.0)
scaled = sa.define("Y", (i,), d * sa.tensor("x", n)[i])
assert (sa.compile(scaled, path="ring", mesh=mesh)(x=x, d=3) == 3 * x).all()
rows, reasons = along(sa.System(scaled, zigzag["S"]), "ring")
assert len(rows) == 4 and all(row.ok for row in rows)
assert reasons[0] == ("S", "a result that pairs rows and keys: (n, n)")
print("agreed")
"""


def test_devices_of_a_host():
    """Values, gradients and products with Hessians; no array is gathered, memory is shared."""
    flags = f"{os.environ.get('XLA_FLAGS', '')} --xla_force_host_platform_device_count=8"
    env = os.environ | {"XLA_FLAGS": flags, "JAX_PLATFORMS": "cpu"}
    done = subprocess.run([sys.executable, "-c", PROGRAM], env=env, capture_output=True, text=True)
    assert done.returncode == 0 and done.stdout == "agreed\n", done.stderr[-3000:]


PROCESS = """
import sys
import jax, jax.numpy as jnp, numpy as np

port, rank = sys.argv[1:]
jax.distributed.initialize(f"127.0.0.1:{port}", 2, int(rank))
import symattn as sa
from symattn import bench_users
from jax.sharding import NamedSharding, PartitionSpec

one = bench_users.USERS["causal attention"]
system, textbook = one.make()
mesh = jax.make_mesh((2,), ("ring",))
g = sa.compile(sa.backward(system, output=one.of, wrt=one.wrt), path="ring", mesh=mesh)
arrays = bench_users.drawn(one, g.inputs, {"n": 14, "d": 3, "d_v": 5})
rows = NamedSharding(mesh, PartitionSpec("ring"))


def shared(x):
    return jax.make_array_from_callback(x.shape, rows, lambda at: np.float32(x[at]))


got = jax.jit(lambda **x: g(**x))(**{k: shared(x) for k, x in arrays.items()})
_, pull = jax.vjp(lambda *x: textbook(*x), *(jnp.float32(arrays[k]) for k in one.wrt))
for name, want in zip(one.wrt, pull(jnp.float32(arrays["O_bar"]))):
    (mine,) = got[name].addressable_shards
    np.testing.assert_allclose(mine.data, np.asarray(want)[mine.index], rtol=1e-4, atol=1e-5)
print("agreed")
"""


def test_two_processes():
    """Keys go around between processes that share nothing but a socket of the loopback address."""
    try:
        with socket.create_server(("127.0.0.1", 0)) as server:
            port = server.getsockname()[1]
    except OSError as reason:
        pytest.skip(f"no socket on the loopback address: {reason}")
    started = [
        subprocess.Popen(
            [sys.executable, "-c", PROCESS, str(port), str(rank)],
            env=os.environ | {"JAX_PLATFORMS": "cpu"},
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
        )
        for rank in range(2)
    ]  # fmt: skip
    try:
        for process in started:
            out, err = process.communicate(timeout=120)
            assert process.returncode == 0 and out.endswith("agreed\n"), err[-3000:]
    finally:
        for process in started:
            process.kill()
