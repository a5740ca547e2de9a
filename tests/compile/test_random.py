"""Random systems, compiled: values and gradients against the evaluator, whole and in blocks."""

from __future__ import annotations

from random import Random

import jax
import jax.numpy as jnp
import numpy as np
import pytest
import sympy as sp
from hypothesis import HealthCheck, given, note, settings
from hypothesis import strategies as st

import symattn.syntax as sa
from symattn.carriers import jax_arrays
from symattn.compile import compile
from symattn.derive import backward
from symattn.errors import SymattnError
from symattn.evaluate import Evaluator
from symattn.model import Model
from symattn.orders import orders

from . import drawn
from .test_rows import in_blocks

pytestmark = pytest.mark.usefixtures("double_precision")

n, m, d = sa.sizes("n m d")
POINT = {n: 5, m: 4, d: 3}
SIZES = {str(size): length for size, length in POINT.items()}
i, k, p = rows = sa.indices("i k p", n)
j, l = columns = sa.indices("j l", m)
a, b = features = sa.indices("a b", d)
X, Y, Z = sa.tensor("X", n, d), sa.tensor("Y", m, d), sa.tensor("Z", n, m)
W, R, G = sa.tensor("W", n, n), sa.tensor("R", 2 * n - 1), sa.tensor("G", 2 * n - 1, d)
u, v, w = sa.tensor("u", n), sa.tensor("v", m), sa.tensor("w", d)


@st.composite
def leaves(draw):
    x, y = draw(st.permutations(rows))[:2]
    q, f = draw(st.sampled_from(columns)), draw(st.sampled_from(features))
    return draw(
        st.sampled_from(
            [X[x, f], Y[q, f], Z[x, q], W[x, y], W[x, x], u[x], v[q], w[f],
             X[x, f] - Y[q, f], X[x, f] - X[y, f], R[x - y + n - 1], G[x - y + n - 1, f],
             sa.iverson(y <= x), sa.delta(x, y), sa.delta(x + 1, y), sa.delta(x, n - 1 - y)]
        )
    )  # fmt: skip


def grown(inner):
    pairs = st.tuples(inner, inner)
    return st.one_of(
        pairs.map(lambda e: e[0] * e[1]),
        pairs.map(lambda e: e[0] - 2 * e[1]),
        inner.map(sp.tanh),
        inner.map(lambda e: sp.exp(e / 3)),
        inner.map(lambda e: e**2),
        inner.map(lambda e: 1 / (2 + e**2)),
    )


expressions = st.recursive(leaves(), grown, max_leaves=4)
results = st.sampled_from([(), (i,), (j,), (i, a), (i, j), (i, k)])


def summed(expr, kept):
    """The sum over all letters but those that are kept."""
    gone = [x for x in (*rows, *columns, *features) if x in expr.atoms(sp.Idx) and x not in kept]
    return sa.total(expr, *gone) if gone else expr


@st.composite
def systems(draw):
    free = draw(results)
    if draw(st.booleans()):
        return sa.System(sa.define("F", free, summed(draw(expressions), free)))
    score = summed(draw(expressions), (i, k))
    P = sa.define("P", (i, k), sp.exp(score) / sa.total(sp.exp(score), k))
    weight = P[i, k] * draw(st.sampled_from([1, sa.iverson(k < i)]))
    return sa.System(P, sa.define("F", (i, a), sa.total(weight * X[k, a], k) + P[i, i]))


@settings(deadline=None, max_examples=6, derandomize=True, suppress_health_check=list(HealthCheck))
@given(systems(), st.integers(0, 2**31))
def test_random_systems(system, seed):
    note(str([row.expr for row in system]))
    model = Model(system)
    rng = np.random.default_rng(seed)
    arrays = {
        name: jnp.asarray(rng.normal(size=[int(s.subs(POINT)) for s in t.shape]))
        for name, t in model.inputs.items()
    }
    wrt = tuple(name for name, t in model.inputs.items() if t.shape)[:2]

    def value(own):
        return Evaluator(arrays | own, SIZES, jax_arrays(), model).definition("F")

    own = {name: arrays[name] for name in wrt}
    up = rng.normal(size=jax.eval_shape(value, own).shape)
    both = jax.jit(lambda own, up: (value(own), jax.vjp(value, own)[1](up)[0]))
    want, bars = both(own, jnp.asarray(up))
    try:
        f = compile(system, output="F")
        g = compile(backward(system, output="F", wrt=wrt)) if wrt else None
    except SymattnError:
        return  # a letter that nothing gives a size, say
    given = arrays | SIZES | {"F_bar": up}
    for made, expected in ((f, want), (g, bars)):
        if made is None:
            continue
        ways = [made, in_blocks(made, rows=2)] if "by_rows" in made.source else [made]
        for way in ways:
            got = way(**{name: given[name] for name in made.inputs})
            for x, y in zip(jax.tree.leaves(got), jax.tree.leaves(expected), strict=True):
                np.testing.assert_allclose(x, y, rtol=1e-8, atol=1e-8 * (1 + abs(y).max()))


WIDER = [{}, {}, {"n": 1}, {"m": 1}, {"d": 1}, {"n": 1, "m": 1, "d": 1}]


@pytest.mark.parametrize("seed", range(6, 16))
def test_wider_systems(seed):
    """Tables at affine indices, masks, sizes as numbers; values, first and second derivatives."""
    draw = Random(seed)
    system = drawn.system(draw)
    report = orders(system, seed=seed, sizes=draw.choice(WIDER))
    assert report.ok, f"{report}\n{[str(row) for row in system]}"


@pytest.mark.parametrize("seed", range(44, 50))
def test_wider_systems_with_a_leading_axis(seed):
    """One result for every slice, whole and in blocks of rows."""
    system = drawn.system(Random(seed))
    m = Model(system)
    wrt = tuple(name for name, t in m.inputs.items() if t.shape and name in m.uses("F"))[:2]
    what = {"F": system["F"]}
    if wrt:
        what["g"] = backward(system, output="F", wrt=wrt)
    one = compile(what, given=system, target="numpy")
    rng = np.random.default_rng(seed)
    sizes = {"n": 5, "m": 4, "d": 3}
    shapes = {
        name: [int(s.subs({x: sizes[x.name] for x in s.free_symbols})) for s in shape]
        for name, shape in one.inputs.items()
    }
    known = {name: sizes[name] for name in one.inputs if name in sizes}
    arrays = {name: rng.normal(size=[3, *s]) for name, s in shapes.items() if name not in known}
    arrays |= {name: np.exp(x) for name, x in arrays.items() if name == "q"}
    arrays |= {name: x[0] for name, x in arrays.items() if not shapes[name]}
    slices = [
        one(**{n: x[k] if shapes[n] else x for n, x in arrays.items()}, **known) for k in range(3)
    ]
    wanted = jax.tree.map(lambda *parts: np.stack(parts), *slices)
    many = compile(what, given=system, batch=("z",))
    ways = [many, in_blocks(many, rows=2)] if "by_rows" in many.source else [many]
    for way in ways:
        got = way(**arrays, **known, **({"z": 3} if "z" in many.inputs else {}))
        for x, y in zip(jax.tree.leaves(got), jax.tree.leaves(wanted), strict=True):
            y = np.broadcast_to(y, np.shape(x)) if np.shape(x) == np.shape(y) else y[0]
            np.testing.assert_allclose(x, y, rtol=1e-8, atol=1e-8 * (1 + abs(y).max()))
