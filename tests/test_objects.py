"""What a user meets: printed in a few lines, explained by help, pickled; how arrays are taken."""

import io
import pickle
from contextlib import redirect_stdout

import numpy as np
import pytest

import symattn as sa
from symattn.errors import ShapeError

TEXT = r"""<!-- symattn: scalars beta -->
S_{ij} = \beta \sum_a Q_{ia} K_{ja}
A_{ij} = \frac{e^{S_{ij}}}{\sum_l e^{S_{il}}}
O_{ib} = \sum_j A_{ij} V_{jb}"""
SYSTEM = sa.read(TEXT)
G = sa.backward(SYSTEM, output="O", wrt=("Q", "K", "V"))
F = sa.compile(SYSTEM, output="S")
ARRAYS = {"Q": (2, 3), "K": (4, 3), "V": (4, 5)}


def arrays(seed=0):
    draw = np.random.default_rng(seed)
    return {n: draw.normal(size=shape) for n, shape in ARRAYS.items()}


OBJECTS = {
    "gradients": G,
    "derivation": G["Q"],
    "steps": G["Q"].check_steps(),
    "written out": G["Q"].inline("S"),
    "Jacobian": sa.jacobian(SYSTEM, of="A", wrt="S"),
    "tangents": sa.jvp(SYSTEM, output="O", wrt=("Q", "V")),
    "second": sa.hvp(sa.read("L = \\sum_i x_i^4"), of="L", wrt="x"),
    "system": SYSTEM,
    "compiled": F,
    "verdict": sa.prove(G["Q"], G["Q"]),
    "refuted": sa.prove(r"\sum_j A_{ij}", 2, given=SYSTEM),
    "equation": SYSTEM.equations[0],
    "row of a report": sa.check("$$ L = \\sum_i x_i^2 $$").rows[0],
}


@pytest.mark.parametrize("name", OBJECTS)
def test_a_few_lines_and_pickles(name):
    it = OBJECTS[name]
    assert 1 <= len(str(it).splitlines()) <= 5
    assert "object at 0x" not in str(it)
    assert str(pickle.loads(pickle.dumps(it))) == str(it)


def test_steps_hold_after_pickling():
    for name in ("derivation", "written out", "Jacobian", "second"):
        assert pickle.loads(pickle.dumps(OBJECTS[name])).check_steps().ok
    tangent = pickle.loads(pickle.dumps(OBJECTS["tangents"]))["A"]
    assert tangent.check_steps().ok


def test_a_step_that_does_not_hold_is_named():
    (first, *rest) = OBJECTS["steps"]
    off = type(first)(first.step, False, 1.0)
    text = str(type(OBJECTS["steps"])([off, *rest]))
    assert text.startswith(f"{len(rest)} of {len(rest) + 1} steps hold")
    assert "not proved" in text and "chain rule" in text


def test_help_has_signature_shapes_and_formulas():
    said = io.StringIO()
    with redirect_stdout(said):
        help(F)
    formula = r"S_{ij} = \beta \sum_{a} Q_{ia} K_{ja}"  # as the document writes it
    for part in ("compute_S(*, Q, K, beta)", "(n_i, n_a)", formula):
        assert part.replace(" ", "") in said.getvalue().replace(" ", ""), said.getvalue()


def test_help_has_derivatives_as_they_are_printed():
    doc = sa.read(r"L = \sum_i (\sum_a X_{ia} w_a - y_i)^2")
    printed = r"2 \sum_{i} X_{ia} \left(\sum_{j} X_{ij} w_j - y_i\right)"
    said = sa.compile(sa.jacobian(doc, of="L", wrt="w")).__doc__
    assert said is not None and printed in said.splitlines()[-1], said
    assert (sa.compile(doc, output="L").__class__.__doc__ or "").startswith("A function of keyword")


def test_arrays_that_a_result_does_not_depend_on_are_taken():
    given = arrays()
    expected = 2.0 * given["Q"] @ given["K"].T
    assert np.allclose(F(beta=2.0, **given), expected)
    with pytest.raises(ShapeError, match="'W' is not an input"):
        F(beta=2.0, **given, W=given["V"])
    with pytest.raises(ShapeError, match="'K' is missing"):
        F(beta=2.0, Q=given["Q"], V=given["V"])


def test_scalars_are_python_numbers_also_under_jit():
    import jax

    given = arrays()
    expected = 2.0 * given["Q"] @ given["K"].T
    assert np.allclose(F(beta=2, **given), expected)
    assert np.allclose(jax.jit(F)(beta=2, **given), expected, rtol=1e-5)
    assert np.allclose(jax.jit(F)(beta=np.int32(2), **given), expected, rtol=1e-5)
    with pytest.raises(ShapeError, match="floats are needed"):
        F(beta=2, **{**given, "Q": np.ones((2, 3), int)})
    again = pickle.loads(pickle.dumps(F))  # after it has run
    assert np.allclose(again(beta=2, **given), expected)


def test_sides_in_latex_are_proved_and_shown_as_they_were_written():
    assert sa.prove(r"\sum_j A_{ij}", 1, given=SYSTEM)
    assert sa.prove(r"\frac{\partial L}{\partial x_i}", "2 x_i", given=r"L = \sum_i x_i^2")
    verdict = sa.prove(r"\sum_j A_{ij}", "2", given=SYSTEM)
    assert not verdict and str(verdict).startswith(r"refuted: \sum_j A_{ij} = 2")
    with pytest.raises(sa.FormulaError, match="one side is LaTeX"):
        sa.prove(r"\sum_j A_{ij}", SYSTEM["A"], given=SYSTEM)
    with pytest.raises(sa.FormulaError, match="more than one equation"):
        sa.prove(r"\sum_j A_{ij} = 1", "2", given=SYSTEM)
