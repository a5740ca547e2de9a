"""Leading axes that only some arrays carry, against definitions with indices for these axes."""

from __future__ import annotations

import re
from types import SimpleNamespace

import numpy as np
import pytest
import sympy as sp

import symattn as sa
from symattn.compile.arrays import Arrays
from symattn.compile.function import compile
from symattn.compile.nodes import Label, View
from symattn.derive import backward, hvp, jacobian, jvp

pytestmark = pytest.mark.usefixtures("double_precision")

SIZES = {"b": 2, "h": 3, "n": 5, "m": 4, "d": 6, "c": 7}
BATCH = {"b": ("X",), "h": ("W_Q", "W_K", "W_V")}
AXES = {"X": "b", "W_Q": "h", "W_K": "h", "W_V": "h", "M": "", "T": ""}
WRT = ("X", "W_Q", "W_K", "W_V", "M", "T")


def attention(axes, letters=()):
    """A head with projections, a matrix M that all share and a scalar T; `letters` go in front of
    the indices of what has the axes."""
    n, m, d, c = sa.sizes("n m d c")
    (i, j, l), (p, q) = sa.indices("i j l", n), sa.indices("p q", m)
    (a,), (e,) = sa.indices("a", d), sa.indices("e", c)
    front = {axis: letter for axis, (letter, _) in letters}
    size = {axis: length for axis, (_, length) in letters}

    def tensor(name, *shape):
        own = [axis for axis in axes[name] if axis in front]
        made = sa.tensor(name, *(size[x] for x in own), *shape)
        if not (own or shape):
            return lambda: made
        return lambda *at: made[(*(front[x] for x in own), *at)]

    def define(name, own, indices, expr):
        first = tuple(front[x] for x in own if x in front)
        made = sa.define(name, (*first, *indices), expr)
        return made, lambda *at: made[(*first, *at)]

    X, M, T = tensor("X", n, m), tensor("M", m, m), tensor("T")
    W_Q, W_K, W_V = (tensor(w, m, d) for w in ("W_Q", "W_K", "W_V"))
    R, r = define("R", axes["M"], (p, q), sp.tanh(M(p, q)))
    Q, query = define("Q", "bh", (i, a), sa.total(X(i, p) * (r(p, q) + M(p, q)) * W_Q(q, a), p, q))
    K, key = define("K", "bh", (j, a), sa.total(X(j, p) * W_K(p, a), p))
    V, value = define("V", "bh", (j, a), sa.total(X(j, p) * W_V(p, a), p))
    S, s = define("S", "bh", (i, j), sa.total(query(i, a) * key(j, a), a) / T())
    A, w = define("A", "bh", (i, j), sp.exp(s(i, j)) / sa.total(sp.exp(s(i, l)), l))
    O, _ = define("O", "bh", (i, a), sa.total(w(i, j) * value(j, a), j))
    return SimpleNamespace(system=sa.System(R, Q, K, V, S, A, O), O=O, i=i, e=e)


def explicit(axes):
    b, h = sa.sizes("b h")
    (z,), (y,) = sa.indices("z", b), sa.indices("y", h)
    return attention(axes, [("b", (z, b)), ("h", (y, h))])


def draw(f, seed=0):
    rng = np.random.default_rng(seed)
    return {
        name: rng.normal(size=[SIZES[str(s)] for s in shape]) for name, shape in f.inputs.items()
    }


def close(got, want):
    assert got.shape == want.shape
    np.testing.assert_allclose(got, want, rtol=1e-11, atol=1e-11)


@pytest.mark.parametrize("target", ["jax", "numpy"])
@pytest.mark.parametrize(
    ("batch", "axes"),
    [
        (BATCH, AXES),
        ({"b": ("X", "M"), "h": ("W_Q", "W_K", "W_V", "T")}, AXES | {"M": "b", "T": "h"}),
        ({"b": ("X", "W_V"), "h": ("X", "W_K")}, AXES | dict(X="bh", W_Q="", W_K="h", W_V="b")),
    ],
)
def test_values_and_gradients(batch, axes, target):
    plain, full = attention(AXES), explicit(axes)
    what = {"O": plain.O, "g": backward(plain.system, output="O", wrt=WRT)}
    f = compile(what, given=plain.system, batch=batch, target=target)
    what = {"O": full.O, "g": backward(full.system, output="O", wrt=WRT)}
    reference = compile(what, given=full.system)
    assert set(f.inputs) == set(reference.inputs)
    arrays = draw(f)
    got, want = f(**arrays), reference(**arrays)
    close(got["O"], want["O"])
    for name in WRT:
        assert got["g"][name].shape == arrays[name].shape
        close(got["g"][name], want["g"][name])


def test_gradients_of_definitions():
    """Q has both axes, R none."""
    plain, full = attention(AXES), explicit(AXES)
    g = backward(plain.system, output="O", wrt=("R", "M", "Q"))
    f = compile({"g": g, "again": {"M": g["M"], "R": g["R"]}}, batch=BATCH)
    reference = compile(backward(full.system, output="O", wrt=("R", "M", "Q")))
    arrays = draw(f)
    got, want = f(**arrays), reference(**arrays)
    for name in ("R", "M", "Q"):
        close(got["g"][name], want[name])
    for name in ("R", "M"):
        close(got["again"][name], want[name])


def test_a_gradient_is_summed_inside_its_contraction():
    plain = attention(AXES)
    f = compile(backward(plain.system, output="O", wrt=("W_V",)), batch=BATCH)
    body = f.source.split('"""')[-1]
    (line,) = re.findall("W_V_bar = (.*)", body)
    assert re.fullmatch(r'matmul\("bhia,bip->hpa", \w+, X\)', line)
    assert body.count("total(") == 1  # the normaliser of the softmax


def test_tangents():
    plain, full = attention(AXES), explicit(AXES)
    f = compile(jvp(plain.system, output="O", wrt=("X", "W_Q", "M"))["O"], batch=BATCH)
    reference = compile(jvp(full.system, output="O", wrt=("X", "W_Q", "M"))["O"])
    arrays = draw(f)
    assert set(f.inputs) == set(reference.inputs)
    close(f(**arrays), reference(**arrays))


def test_jacobians_keep_every_axis():
    plain = attention(AXES)
    f = compile(jacobian(plain.system, of="O", wrt="M"), batch=BATCH)
    arrays = draw(f)
    for z in range(SIZES["b"]):
        for y in range(SIZES["h"]):
            at = {"b": z, "h": y}
            one = {n: x[tuple(at[a] for a in AXES[n])] for n, x in arrays.items()}
            want = compile(jacobian(plain.system, of="O", wrt="M"))(**one)
            close(f(**arrays)[z, y], want)


def test_what_does_not_depend_on_an_axis():
    """d(|w|² + Σ x)/dw is 2 w for each of the three x; the upstream gradient has their axis."""
    (n,) = sa.sizes("n")
    (i, j) = sa.indices("i j", n)
    w, x = sa.tensor("w", n), sa.tensor("x", n)
    L = sa.define("L", (), sa.total(w[i] ** 2, i) + sa.total(x[j], j))
    f = compile({"L": L, "g": backward(sa.System(L), output="L", wrt="w")}, batch={"h": "x"})
    arrays = draw(f)
    got = f(**arrays)
    close(got["L"], (arrays["w"] ** 2).sum() + arrays["x"].sum(axis=1))
    close(got["g"]["w"], 2 * arrays["w"] * arrays["L_bar"].sum())


def test_products_with_a_hessian():
    (n,) = sa.sizes("n")
    (i,) = sa.indices("i", n)
    w, x = sa.tensor("w", n), sa.tensor("x", n)
    L = sa.define("L", (), sa.total(sp.exp(w[i] * x[i]), i))
    f = compile(hvp(sa.System(L), of="L", wrt="w"), batch={"h": ("x", "w")})
    arrays = draw(f)
    want = np.exp(arrays["w"] * arrays["x"]) * arrays["x"] ** 2 * arrays["w_dot"]
    close(f(**arrays), want)
    shared = compile(hvp(sa.System(L), of="L", wrt="w"), batch={"h": ("x",)})
    arrays |= {name: arrays[name][0] for name in ("w", "w_dot")}
    close(shared(**arrays), np.exp(arrays["w"] * arrays["x"]) * arrays["x"] ** 2 * arrays["w_dot"])


@pytest.mark.parametrize(
    ("batch", "said"),
    [
        ({"b": ("Y",)}, "'Y' is not an array that can carry the leading axis 'b'"),
        ({"b": ("W_KV",)}, "did you mean W_V?"),
        ({"b": ("O",)}, "it has the axes of what it is made of"),
        ({"b": ("X", "O_bar")}, "it has the axes of what it is made of"),
        ({"b": ("X",), "h": ()}, "no array carries the leading axis 'h'"),
    ],
)
def test_mistakes(batch, said):
    plain = attention(AXES)
    with pytest.raises(sa.DefinitionError) as error:
        compile(backward(plain.system, output="O", wrt=("X",)), batch=batch)
    assert said in str(error.value)


def test_an_axis_of_arrays_that_are_not_used():
    plain = attention(AXES)
    with pytest.raises(sa.DefinitionError, match="no array carries the leading axis 'h'"):
        compile(plain.system, output="R", batch={"b": ("M",), "h": ("W_V",)})
    assert compile(plain.system, output="R", batch={"b": ("M", "X")}).inputs.keys() == {"M"}


def test_gradients_in_which_nothing_is_left_that_carries_the_axis():
    """x̄_l = Σ_i W_il ȳ_i: the upstream gradient has the axis of x."""
    n, m = sa.sizes("n m")
    (i,), (j,) = sa.indices("i", n), sa.indices("j", m)
    W, x = sa.tensor("W", n, m), sa.tensor("x", m)
    linear = sa.System(sa.define("y", (i,), sa.total(W[i, j] * x[j], j)))
    f = compile(backward(linear, output="y", wrt="x"), batch={"z": ("x",)})
    rng = np.random.default_rng(0)
    w, v, bar = rng.normal(size=(2, 3)), rng.normal(size=(4, 3)), rng.normal(size=(4, 2))
    np.testing.assert_allclose(f(W=w, x=v, y_bar=bar)["x"], bar @ w, rtol=1e-12)


@pytest.mark.parametrize("batch", [("n",), {"n": ("X",)}])
def test_an_axis_is_not_called_as_a_size(batch):
    with pytest.raises(sa.DefinitionError, match="the leading axis 'n' has the name of a size"):
        compile(attention(AXES).system, output="O", batch=batch)


def test_arrays_that_do_not_fit():
    f = compile(attention(AXES).system, output="O", batch=BATCH)
    arrays = draw(f)
    with pytest.raises(sa.ShapeError, match="axis 0 of W_V has 4 entries and h is 3"):
        f(**arrays | {"W_V": np.ones((4, 4, 6))})
    with pytest.raises(sa.ShapeError, match="X has 2 axes and needs 3"):
        f(**arrays | {"X": arrays["X"][0]})


def test_the_source_says_the_shapes():
    g = backward(attention(AXES).system, output="O", wrt=("X", "W_V"))
    source = " ".join(compile(g, batch=BATCH).source.split())
    assert "Shapes: M (m, m); X (b, n, m); W_Q (h, m, d)" in source
    assert "O_bar (b, h, n, d)" in source
    assert "-> X_bar (b, n, m); W_V_bar (h, m, d)." in source
    assert "Every array" not in source


def value(node, arrays):
    """A node of products, sums and contractions by NumPy."""
    if node.op == "input":
        return arrays[node.data]
    places, data = node.data
    rank = len(node.shape)
    spread = []
    for arg, place in zip(node.args, places, strict=True):
        shape = [SIZES[str(s)] for s in node.sizes]
        x = np.moveaxis(value(arg, arrays), np.argsort(place), range(len(place)))
        index = [slice(None) if k in place else None for k in range(len(shape))]
        spread.append(np.broadcast_to(x[tuple(index)], shape))
    if node.op == "add":
        return sum(float(c) * x for c, x in zip(data, spread, strict=True))
    coefficient, powers = data or (1, [1] * len(spread))
    product = float(coefficient) * np.prod(
        [x ** float(e) for x, e in zip(spread, powers, strict=True)], axis=0
    )
    return product.sum(axis=tuple(range(rank, product.ndim)))


def test_sums_over_labels():
    made, one = Arrays(), sp.S.One
    b, n, m = (Label(s, sp.Symbol(s)) for s in "bnm")
    shapes = {"x": (b, n), "y": (m, b), "w": (n, m), "u": (n,)}
    x, y, w, u = (
        View(made.nodes.make("input", (), s, [k.size for k in labels], len(labels)), labels)
        for s, labels in shapes.items()
    )
    contraction = made.einsum([x, w], (b, m))
    product = made.multiply([(contraction, one), (u, one)], sp.Integer(3))
    every = made.node("add", [(v.node, v.labels) for v in (product, y)], (b, n, m), (one, -2 * one))
    some = made.node("add", [(v.node, v.labels) for v in (product, w)], (b, n, m), (one, 2 * one))
    square = made.multiply([(contraction, 2 * one), (u, one)], one)
    both = made.multiply([(x, one), (y, one)], one)
    rng = np.random.default_rng(0)
    arrays = {s: rng.normal(size=[SIZES[k.name] for k in at]) for s, at in shapes.items()}
    for view in (x, y, contraction, product, every, some, square, both):
        got = made.summed(view, {b})
        assert set(got.labels) == set(view.labels) - {b}
        whole = np.moveaxis(value(view.node, arrays), view.labels.index(b), 0).sum(axis=0)
        kept = [k for k in view.labels if k is not b]
        ours = np.transpose(value(got.node, arrays), [got.labels.index(k) for k in kept])
        close(ours, whole)
    assert made.summed(product, {b}).node.op == "product"
    assert made.summed(every, {b}).node.op == "add"
    assert made.summed(u, {b}) is u
