"""The shapes in a signature, as jaxtyping reads them."""

from __future__ import annotations

import ast
from typing import get_type_hints

import jax.numpy as jnp
import numpy as np
import pytest
import sympy as sp
from jaxtyping import jaxtyped

import symattn.syntax as sa
from symattn.compile import cases, compile
from symattn.derive import backward, hessian

(n, m, d), (one,) = sa.sizes("n m d"), sa.sizes("class")
(i, j), (a,) = sa.indices("i j", n), sa.indices("a", d)


def attention():
    system, O = cases.attention()
    return {"O": O, "g": backward(system, output="O", wrt=("Q", "K"))}, system


def hinted(f):
    """The annotations as types, the imports for tools carried out."""
    space: dict = {}
    exec(f.source.replace("if TYPE_CHECKING:", "if True:"), space)
    hints = get_type_hints(space[f.name])
    return hints, hints.pop("return")


def annotations(f):
    """The annotations as they are written."""
    tree = ast.parse(f.source)
    (head,) = (x for x in tree.body if isinstance(x, ast.FunctionDef) and x.name == f.name)
    return [ast.unparse(x.annotation) for x in head.args.args], ast.unparse(head.returns)


def draw(f, point, make):
    shapes = {name: [int(sp.sympify(e).subs(point)) for e in s] for name, s in f.inputs.items()}
    return {name: make(np.ones(shape, np.float32)) for name, shape in shapes.items()}


@pytest.mark.parametrize("batch", [(), ("b", "h")])
@pytest.mark.parametrize("target, make", [("jax", jnp.asarray), ("numpy", np.asarray)])
def test_arrays_fit(target, make, batch):
    what, system = attention()
    f = compile(what["O"], given=system, batch=batch, target=target)
    hints, result = hinted(f)
    sizes = dict(zip(("n_q", "n_k", "d_k", "d_v", "b", "h"), (2, 3, 4, 5, 6, 7), strict=True))
    arrays = draw(f, {s: sizes[str(s)] for shape in f.inputs.values() for s in shape}, make)
    assert list(hints) == ["Q", "K", "V"]
    with jaxtyped("context"):
        assert all(isinstance(arrays[name], hint) for name, hint in hints.items())
        value = f(**arrays)
        assert isinstance(value, result)
        assert not isinstance(make(np.swapaxes(value, -1, -2)), result)
    with jaxtyped("context"):
        assert isinstance(arrays["Q"], hints["Q"])
        assert not isinstance(arrays["V"], hints["K"])
        assert not isinstance(make(np.ones(arrays["Q"].shape, int)), hints["Q"])


def test_what_is_written():
    what, system = attention()
    assert annotations(compile(what, given=system, batch=("z",))) == (
        [f"Float[Array, 'z {axes}']" for axes in ("n_q d_k", "n_k d_k", "n_k d_v", "n_q d_v")],
        "dict[str, Float[Array, 'z n_q d_v'] | dict[str, Float[Array, ' ...']]]",
    )


def test_scalars_and_single_axes():
    beta, x = sa.tensor("beta"), sa.tensor("x", n)
    f = compile(sa.define("F", (), sp.log(sa.total(sp.exp(beta * x[i]), i)) / beta))
    assert annotations(f) == (
        ["Float[Array, ''] | float", "Float[Array, ' n']"],
        "Float[Array, '']",
    )
    (number, _), result = hinted(f)[0].values(), hinted(f)[1]
    assert isinstance(jnp.float32(2.0), number)
    assert isinstance(2.0, number)
    assert isinstance(f(beta=2.0, x=jnp.ones(3)), result)


def test_sizes_that_are_expressions():
    R, X = sa.tensor("R", 2 * n - 1, d), sa.tensor("X", n, d)
    f = compile(sa.define("Y", (i, j), R[i - j + n - 1, a] * X[i, a]))
    assert annotations(f) == (["Float[Array, '_ d']", "Float[Array, 'n d']"], "Float[Array, 'n n']")
    X, R = sa.tensor("X", n), sa.tensor("R", 2 * n - 1)
    z = sa.define("z", (i,), sp.tanh(X[i]))
    f = compile(sa.define("Y", (i, j), z[i] + R[i - j + n - 1]), given=sa.System(z))
    assert annotations(f)[0] == ["Float[Array, ' n']", "Float[Array, ' 2*n-1']"]
    hints, _ = hinted(f)
    with jaxtyped("context"):
        assert isinstance(jnp.ones(4), hints["X"])
        assert isinstance(jnp.ones(7), hints["R"])
        assert not isinstance(jnp.ones(8), hints["R"])


def test_sizes_that_no_array_shows():
    f = compile(hessian(cases.factorisation(), of="L", wrt="U"))
    takes, gives = annotations(f)
    assert takes == ["Float[Array, 'm r']", "int"]
    assert gives == "Float[Array, 'n r n r']"


def test_sizes_with_names_that_python_keeps():
    x = sa.tensor("Float", one, m)
    k, l = sa.indices("k", one)[0], sa.indices("l", m)[0]
    f = compile(sa.define("y", (k,), sa.total(x[k, l] ** 2, l)))
    takes, gives = annotations(f)
    assert (takes, gives) == (["Float[Array, 'class_ m']"], "Float[Array, ' class_']")
