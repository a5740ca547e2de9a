"""Every registered scalar function: derivative, values in all kinds of numbers, parity, sign."""

import math

import jax
import jax.numpy as jnp
import mpmath
import numpy as np
import pytest
import scipy.special
import sympy as sp

import symattn as sa
from symattn import primitives
from symattn.carriers import exact, jax_arrays, multiprecision
from symattn.errors import SymattnError
from symattn.evaluate import Evaluator
from symattn.ir import Call, Index, Ref, Tensor, raw_atom

N = sa.sizes("n")[0]
(I,) = sa.indices("i", N)
AXIS = (Index("i", N),)
NAMES = primitives.names()
SMOOTH = [n for n in NAMES if n != "polygamma"]  # of a whole number and x
LETTERS = ("x", "y", "z")
TENSORS = [sa.tensor(letter, N) for letter in LETTERS]


def points(name, count=41):
    """Arguments of the function over its domain, those behind the first one in ascending order."""
    record = primitives.by_name(name)
    low, high = record.domain
    found = [np.linspace(low, high, count + 2)[1:-1]]
    if name == "polygamma":
        return [np.ones(count), found[0]]
    found += [low + (high - low) * share * np.ones(count) for share in (0.31, 0.77)]
    return found[: record.arity]


def applied(name, arguments, carrier=None):
    refs = [raw_atom(Ref(Tensor(x, (N,)), AXIS)) for x in LETTERS[: len(arguments)]]
    arrays = dict(zip(LETTERS, arguments, strict=False))
    return Evaluator(arrays, {"n": len(arguments[0])}, carrier)(raw_atom(Call(name, refs)), AXIS)


def variables(name):
    return primitives.VARIABLES[: primitives.by_name(name).arity]


def formula(name):
    """f of plain symbols in terms that mpmath knows."""
    value = primitives.plain(primitives.by_name(name).function(*variables(name)))
    return value if value.func.__module__.startswith("sympy") else value.rewrite(sp.exp)


def at(name, *v):
    return sp.lambdify(variables(name), formula(name), "mpmath")(*v)


@pytest.mark.parametrize("name", SMOOTH)
def test_derivative_against_differences_over_the_domain(name):
    record = primitives.by_name(name)
    args = [sa.tensor(x, N, positive=record.domain[0] > 0) for x in LETTERS[: record.arity]]
    system = sa.System(sa.define("D", (I,), record.function(*(x[I] for x in args))))
    values = points(name)
    arrays = dict(zip(LETTERS, values, strict=False)) | {"D": applied(name, values)}
    for k in range(record.arity):
        d = sa.jacobian(system, of="D", wrt=LETTERS[k])
        assert d.check_steps().ok
        slope = Evaluator(arrays, {"n": len(values[0])})(d.normal, d.indices)
        slope = np.diagonal(np.broadcast_to(slope, (len(values[0]),) * 2))
        with mpmath.workdps(40):
            h = mpmath.mpf("1e-12")
            wanted = []
            for point in zip(*values, strict=True):
                up, down = list(map(mpmath.mpf, point)), list(map(mpmath.mpf, point))
                up[k], down[k] = up[k] + h, down[k] - h
                wanted.append(float((at(name, *up) - at(name, *down)) / (2 * h)))
        np.testing.assert_allclose(slope, wanted, rtol=1e-10, atol=1e-12)


@pytest.mark.parametrize("name", NAMES)
def test_numpy_jax_and_mpmath_agree(name):
    arguments = points(name)
    record = primitives.by_name(name)
    plain = applied(name, arguments)
    with jax.enable_x64(True):
        arrays = dict(zip(LETTERS, map(jnp.asarray, arguments), strict=False))
        traced = np.asarray(applied(name, list(arrays.values()), jax_arrays()))
        source = record.jax.format(x="x", y="y", z="z")
        compiled = np.asarray(eval(source, {"jnp": jnp, "jax": jax, **arrays}))
    pattern = record.template("np").format(x="x", y="y", z="z")
    words = {"np": np, "math": math, "scipy": scipy}
    by_numpy = eval(pattern, {**words, **dict(zip(LETTERS, arguments, strict=False))})
    lifted = [np.array([mpmath.mpf(float(v)) for v in x], dtype=object) for x in arguments]
    with mpmath.workdps(30):
        many = applied(name, lifted, multiprecision())
        wanted = np.array([float(at(name, *v)) for v in zip(*arguments, strict=True)])
    for got in (plain, traced, compiled, by_numpy, many.astype(float)):
        np.testing.assert_allclose(got, wanted, rtol=1e-13, atol=1e-14)


@pytest.mark.parametrize("name", SMOOTH)
def test_exact_numbers(name):
    values = (
        [sp.Rational(1, 2), sp.Rational(3, 4)],
        [sp.Rational(1, 3)] * 2,
        [sp.Rational(5, 7)] * 2,
    )
    record = primitives.by_name(name)
    low = max(math.floor(record.domain[0]), 0)
    arguments = [np.array(v, dtype=object) + low for v in values[: record.arity]]
    got = applied(name, arguments, exact())
    wanted = [float(at(name, *map(float, v))) for v in zip(*arguments, strict=True)]
    numbers = [float(primitives._number(g, sp.Float(0))) for g in got]
    np.testing.assert_allclose(numbers, wanted, rtol=1e-13)


@pytest.mark.parametrize("name", [n for n in NAMES if primitives.by_name(n).arity == 1])
def test_sign_and_parity_are_true(name):
    record, (x,) = primitives.by_name(name), points(name)
    values = applied(name, [x])
    assert not record.sign or np.all(values > 0 if record.sign == "+" else values >= 0)
    if record.parity:
        np.testing.assert_allclose(applied(name, [-x]), record.parity * values, rtol=1e-13)
    elif -record.domain[0] == record.domain[1]:
        assert not np.allclose(np.abs(applied(name, [-x])), np.abs(values))


@pytest.mark.parametrize("name", [n for n in NAMES if primitives.by_name(n).definition])
def test_the_definition_by_simpler_functions_is_true(name):
    definition = primitives.plain(primitives.by_name(name).definition(*variables(name)))
    f = sp.lambdify(variables(name), definition, ["scipy", "numpy"])
    np.testing.assert_allclose(f(*points(name)), applied(name, points(name)), rtol=1e-12)


@pytest.mark.parametrize("name", SMOOTH)
def test_what_is_printed_is_read_back(name):
    record = primitives.by_name(name)
    value = record.function(*(x[I] for x in TENSORS[: record.arity]))
    body = sa.define("D", (I,), value * sa.tensor("c"))._repr_latex_().split("=", 1)[1]
    shown = body.rstrip("$").strip()
    sizes = " ".join(f"{x}:(n)" for x in LETTERS[: record.arity])
    text = f"<!-- symattn: scalars c; sizes {sizes} -->\n$$ D^i = {shown} $$"
    verdict = sa.prove(sa.read(text)["D"].expr, value * sa.tensor("c"))
    assert verdict.status == "proved" and not verdict.used


@pytest.mark.parametrize(
    "word, name",
    [(w, n) for n in NAMES for w in primitives.spellings(primitives.by_name(n)) if n != "abs"],
)
def test_every_spelling_is_read(word, name):
    record = primitives.by_name(name)
    given = ", ".join(f"{x}^i" for x in LETTERS[: record.arity])
    command = word if word.startswith("\\") else rf"\mathrm{{{word}}}"
    wanted = record.function(*(x[I] for x in TENSORS[: record.arity]))
    got = sa.read(f"$$ D^i = {command}({given}) $$")["D"].expr
    assert str(got) == str(wanted)


def test_a_taken_name_is_refused():
    with pytest.raises(SymattnError, match="'tanh' is registered already") as error:
        primitives.register(primitives.Primitive("tanh", sp.tanh, r"\tanh", "jnp.tanh({x})"))
    assert "another name" in str(error.value)


def test_a_taken_spelling_is_refused():
    class swish2(sp.Function):
        def fdiff(self, argindex=1):
            return sp.S.One

    record = primitives.Primitive("swish2", swish2, r"\swish", "{x}", words="swish")
    with pytest.raises(SymattnError, match="swish is how 'silu' is written"):
        primitives.register(record)


def test_a_function_without_a_derivative_is_refused():
    class rough(sp.Function):
        pass

    with pytest.raises(SymattnError, match="derivative of 'rough'") as error:
        primitives.register(primitives.Primitive("rough", rough, r"\rough", "rough({x})"))
    assert "fdiff" in str(error.value) and "rough" not in primitives.names()


def record(**changes):
    class bump(primitives.Defined):
        @staticmethod
        def formula(x):
            return 1 / (1 + x**2)

    said = {
        "name": "bump",
        "function": bump,
        "latex": r"\operatorname{bump}",
        "jax": "1 / (1 + ({x}) ** 2)",
        "definition": bump.formula,
        "sign": "+",
        "parity": 1,
        "words": "Bump",
    }
    return primitives.Primitive(**{**said, **changes})


@pytest.mark.parametrize(
    "changes, problem",
    [
        ({"jax": "1 / (2 + ({x}) ** 2)", "numpy": "1 / (1 + ({x}) ** 2)"}, "JAX expression of"),
        ({"numpy": "1 / (1 + ({x}))"}, "NumPy expression of 'bump' is another function"),
        ({"jax": "jnp.bump({x})"}, "JAX expression of 'bump' does not run"),
        ({"definition": lambda x: 1 / (1 + x**4)}, "definition of 'bump' is another function"),
        ({"increasing": True}, "'bump' does not increase in its domain"),
    ],
)
def test_a_record_that_contradicts_itself_is_refused(changes, problem):
    with pytest.raises(SymattnError, match=problem):
        primitives.register(record(**changes))
    assert "bump" not in primitives.names()


@pytest.fixture
def bump():
    own = primitives.register(record())
    yield own
    del primitives._BY_NAME["bump"], primitives._BY_CLASS[own.function]
    primitives._forget()


def test_a_record_of_ones_own_is_read_derived_printed_and_compiled(bump):
    system = sa.read("<!-- symattn: sizes x:(n) -->\n$$ y^i = \\mathrm{Bump}(2 x^i) $$")
    g = sa.backward(system, output="y", wrt=("x",))
    assert g["x"].check_steps().ok
    assert r"\operatorname{bump}(2 x^{i})" in system["y"]._repr_latex_()
    x = sa.tensor("x", N)
    assert sa.prove(system["y"].expr, 1 / (1 + 4 * x[I] ** 2)).status == "proved"
    assert sa.prove(system["y"].expr, 1 / (1 + 2 * x[I] ** 2)).status == "refuted"
    report = sa.verify(g, seed=3)
    assert report.ok, str(report)
