"""The text of compiled functions: it stands alone, is formatted, and is safe for any name."""

from __future__ import annotations

import ast
import subprocess
import sys

import jax.numpy as jnp
import numpy as np
import pytest
import sympy as sp

import symattn.syntax as sa
from symattn.compile import compile
from symattn.compile.names import Names, identifier
from symattn.derive import backward, jacobian

pytestmark = pytest.mark.usefixtures("double_precision")

UNSAFE = [
    "class",
    "Q-bar",
    r"\xi",
    "__import__",
    "ξ",
    "jnp",
    "dtype",
    'a"""b',
    "1st",
    "print",
    "x;import",
    r"\bar{Q}",
    "einsum",
    "_",
    "é",
    "jax",
    "Ω\u2028",
    "n",
]


def everything(attention):
    g = backward(attention.system, output="O", wrt=("Q", "K", "V"))
    yield compile(attention.system, output="O")
    yield compile({"O": attention.O, "g": g}, given=attention.system)
    yield compile({"O": attention.O, "g": g}, given=attention.system, target="numpy")
    yield compile(g, batch=("z", "h"))
    for of, wrt in (("A", "S"), ("O", "K"), ("O", "V")):
        yield compile(jacobian(attention.system, of=of, wrt=wrt))
    n, m = sa.sizes("n m")
    (i, k), (j,) = sa.indices("i k", n), sa.indices("j", m)
    x, y, beta = sa.tensor("x", n), sa.tensor("y", m), sa.tensor("beta")
    table = sa.tensor("table", 2 * n - 1)
    P = sa.define("P", (i, j), sp.tanh(beta * (x[i] - y[j])))
    yield compile(sa.define("F", (), sp.log(sa.total(sp.exp(beta * x[i]), i)) / beta))
    yield compile({"mean": sa.define("p", (i,), sa.total(P[i, j] * y[j], j))}, given=sa.System(P))
    many = {f"moment_{k}": sa.total(P[i, j] ** k * y[j], i, j) for k in range(1, 14)}
    moments = {name: sa.define(name, (), value) for name, value in many.items()}
    yield compile(moments, given=sa.System(P))
    S = sa.define("S", (i, k), sp.exp(sa.iverson(k <= i) * x[i] * x[k] + table[i - k + n - 1]))
    yield compile(sa.define("y", (i,), sa.total(S[i, k] * x[k], k)), given=sa.System(S))


def test_imports(attention):
    for f in everything(attention):
        tree = ast.parse(f.source)
        modules = {n.name for x in ast.walk(tree) if isinstance(x, ast.Import) for n in x.names}
        assert modules - {"math"} in ({"jax", "jax.numpy"}, {"numpy"})
        *run, shapes = (x for x in ast.walk(tree) if isinstance(x, ast.ImportFrom))
        assert {x.module for x in run} == {"__future__", "typing"}
        assert shapes.module == "jaxtyping"
        assert "if TYPE_CHECKING:\n    from jaxtyping import" in f.source


def test_formatted_as_ruff_does(attention, tmp_path):
    for k, f in enumerate(everything(attention)):
        (tmp_path / f"f{k}.py").write_text(f.source)
    for command in (
        ["format", "--diff", "--line-length", "100", "--isolated"],
        ["check", "--isolated", "--ignore", "F401,E741"],
    ):
        done = subprocess.run(
            [sys.executable, "-m", "ruff", *command, str(tmp_path)], capture_output=True, text=True
        )
        assert done.returncode == 0, done.stdout


def test_documented(attention):
    text = compile(attention.system, output="O").source
    assert r"O^{ib} = A^{ij} V^{jb}" in text
    assert "Shapes: Q (n_q, d_k); K (n_k, d_k); V (n_k, d_v)" in text
    assert "-> O (n_q, d_v)." in text
    assert r"# S^{ij} = \frac{1}{\sqrt{d_k}} Q^{ia} K^{ja}" in text
    assert 'S = einsum("ia,ja->ij", Q, K) / jnp.sqrt(d_k)' in text


def test_runs_without_symattn(attention, arrays, tmp_path):
    f = compile(attention.system, output="O")
    (tmp_path / "alone.py").write_text(f.source)
    np.savez(tmp_path / "arrays.npz", **arrays)
    script = (
        "import sys; sys.modules['symattn'] = sys.modules['jaxtyping'] = None\n"
        "import jax, numpy as np; jax.config.update('jax_enable_x64', True)\n"
        "from alone import compute_O\n"
        "np.save('out.npy', compute_O(**np.load('arrays.npz')))"
    )
    subprocess.run([sys.executable, "-c", script], cwd=tmp_path, check=True)
    np.testing.assert_allclose(np.load(tmp_path / "out.npy"), f(**arrays), rtol=1e-12)


def test_same_text_in_every_process():
    """Of a function as a whole and of one in blocks of rows, whatever the order of sets."""
    script = (
        "import symattn.syntax as sa, sympy as sp\n"
        "from symattn.compile import cases, compile\n"
        "from symattn.derive import backward\n"
        "n, m = sa.sizes('n m'); (i, k), (j,) = sa.indices('i k', n), sa.indices('j', m)\n"
        "x, y = sa.tensor('x', n, m), sa.tensor('y', m)\n"
        "e = sp.exp(x[i, j]) * y[j] * x[k, j]\n"
        "D = sa.define('D', (i, k), x[i, j] * y[j] * x[k, j] + e)\n"
        "print(compile(D).source)\n"
        "system, Y = cases.layer()\n"
        "g = backward(system, output='Y', wrt=('W_Q', 'W_V'))\n"
        "print(compile({'Y': Y, 'g': g}, given=system).source)"
    )
    texts = {
        subprocess.run(
            [sys.executable, "-c", script],
            capture_output=True,
            text=True,
            check=True,
            env={"PYTHONHASHSEED": str(seed), "PYTHONPATH": "."},
        ).stdout
        for seed in (1, 2)
    }
    assert len(texts) == 1
    text = texts.pop()
    assert "def compute_D" in text and "by_rows(" in text


@pytest.mark.parametrize("name", UNSAFE)
def test_any_name(name):
    (n,) = sa.sizes("n")
    (i,) = sa.indices("i", n)
    x = sp.IndexedBase(sp.Symbol(name, real=True), (n,))
    f = compile(sa.define("y", (i,), 3 * x[i] + sp.exp(x[i])))
    x = np.array([0.5, -1.0])
    np.testing.assert_allclose(f(**{name: x}), 3 * x + np.exp(x))
    ast.parse(f.source)


def test_hostile_text_stays_text():
    (n,) = sa.sizes("n")
    (i,) = sa.indices("i", n)
    label = 'x"""\nraise SystemExit\nr"""'
    f = compile(sa.define("y", (i,), 2 * sp.IndexedBase(sp.Symbol(label, real=True), (n,))[i]))
    np.testing.assert_array_equal(f(**{label: np.ones(2)}), [2, 2])
    assert not any(isinstance(node, ast.Raise) for node in ast.walk(ast.parse(f.source)))


def test_names_that_become_alike_stay_apart():
    (n,) = sa.sizes("n")
    (i,) = sa.indices("i", n)
    a, b = sa.tensor("x-y", n), sa.tensor("x+y", n)
    f = compile(sa.define("x_y", (i,), a[i] - 2 * b[i]))
    got = f(**{"x-y": np.array([5.0, 6.0]), "x+y": np.array([1.0, 2.0])})
    np.testing.assert_array_equal(got, [3, 2])


@pytest.mark.parametrize(
    "name, expected",
    [
        ("class", "class_"),
        ("Q-bar", "Q_bar"),
        (r"\xi", "xi"),
        ("ξ", "xi"),
        ("__import__", "import_"),
        ("∂A/∂S", "dA_dS"),
        ("1st", "x_1st"),
        ("+", "x"),
        ("Ω", "Omega"),
    ],
)
def test_identifier(name, expected):
    assert identifier(name) == expected


def test_names_are_unique():
    names = Names()
    assert [names.fresh(n) for n in ("S", "S", "S_2", "print")] == ["S", "S_2", "S_2_2", "print_"]


def test_powers_and_numbers():
    (n,) = sa.sizes("n")
    (i,) = sa.indices("i", n)
    x, c = sa.tensor("x", n, positive=True), sa.tensor("c")
    formula = (
        sp.Rational(2, 3) * x[i] ** 3 / sp.sqrt(n + 1)
        - sp.pi * sp.sqrt(x[i]) / 7
        + x[i] ** sp.Rational(-2, 3)
        + sp.sqrt(2) * c
        + sp.sqrt(6) * n**2
        - sp.tanh(x[i]) ** 2
    )
    f = compile(sa.define("y", (i,), formula))
    x = np.array([0.3, 2.0, 1.1])
    want = (
        2 / 3 * x**3 / 2
        - np.pi * np.sqrt(x) / 7
        + x ** (-2 / 3)
        + 2**0.5 * 0.7
        + 6**0.5 * 9
        - np.tanh(x) ** 2
    )
    np.testing.assert_allclose(f(x=x, c=0.7), want, rtol=1e-14)
    assert f(x=jnp.asarray(x, jnp.float32), c=0.7).dtype == jnp.float32
