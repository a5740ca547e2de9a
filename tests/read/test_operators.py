r"""How far ∂/∂x and ∇ reach, and which way the rows of ∂f/∂x stand."""

from __future__ import annotations

import pytest
import sympy as sp

import symattn as sa

HEAD = (
    r"Let $x, b \in \mathbb{R}^n$, $A \in \mathbb{R}^{n\times n}$ symmetric, $\lambda > 0$ "
    "a number, and $t > 0$.\n\n"
)


def verdicts(text, tmp_path):
    path = tmp_path / "text.md"
    path.write_text(text)
    return [
        (r.verdict, r.reason)
        for r in sa.check(path, corrections=False)
        if r.verdict != "definition"
    ]


@pytest.mark.parametrize(
    ("formula", "verdict"),
    [
        (r"\frac{d}{dt} t^2 e^t = 2 t e^t + t^2 e^t", "proved"),
        (r"\frac{d}{dt} t^2 e^t = 2 t e^t", "refuted"),
        (r"\frac{d}{dt} \frac12 t^2 = t", "proved"),
        (r"\frac{d}{dt} t \ln t - t = \ln t", "conditional"),
        (r"\frac{d}{dt} t \ln t - t = 1 + \ln t - t", "proved"),
        (r"\nabla_x \frac12 x^\top A x = A x", "proved"),
        (r"\nabla_x \frac12 x^\top A x = 2 A x", "refuted"),
        (r"\nabla_x \lambda \|x\|^2 = 2 \lambda x", "proved"),
        (r"\nabla_x b^\top x = b", "proved"),
        (r"\nabla_x x^\top A x - b^\top x = 2 A x - b", "proved"),
        (r"\nabla_x x^\top A x - b^\top x = 2 A x", "refuted"),
        (r"\frac{\partial}{\partial x} (A x - b)^\top (A x - b) = 2 A (A x - b)", "proved"),
    ],
)
def test_reach(formula, verdict, tmp_path):
    assert [v for v, _ in verdicts(f"{HEAD}$${formula}$$\n", tmp_path)] == [verdict]


NETWORK = (
    r"Let $h = \tanh(W x)$ with $W \in \mathbb{R}^{m\times n}$ and $x \in \mathbb{R}^n$, and "
    r"$y = V h$ with $V \in \mathbb{R}^{k\times m}$." + "\n\n"
)
ROWS = r"$$\frac{\partial h}{\partial x} = \operatorname{diag}(1 - h \odot h) W$$" + "\n\n"
COLUMNS = r"$$\frac{\partial h}{\partial x} = W^\top \operatorname{diag}(1 - h \odot h)$$" + "\n\n"


def test_shapes_say_the_layout(tmp_path):
    chain = r"$$\frac{\partial y}{\partial x} = \frac{\partial y}{\partial h}"
    chain += r"\frac{\partial h}{\partial x}$$" + "\n\n"
    back = r"$$\frac{\partial y}{\partial x} = \frac{\partial h}{\partial x}"
    back += r"\frac{\partial y}{\partial h}$$" + "\n\n"
    numerator = verdicts(NETWORK + ROWS + chain, tmp_path)
    denominator = verdicts(NETWORK + COLUMNS + back, tmp_path)
    assert [v for v, _ in numerator + denominator] == ["proved"] * 4
    assert verdicts(NETWORK + ROWS + back, tmp_path)[1][0] == "skipped"  # one layout a text


def test_square_jacobians_stand_one_way_in_a_text(tmp_path):
    head = r"Let $r = B x$ with $B \in \mathbb{R}^{n\times n}$ and $x \in \mathbb{R}^n$."
    both = r"$$\frac{\partial r}{\partial x} = B$$" + "\n\n"
    both += r"$$\frac{\partial r}{\partial x} = B^\top$$" + "\n\n"
    found = verdicts(f"{head}\n\n{both}", tmp_path)
    assert [v for v, _ in found] == ["proved", "conditional"]
    said = verdicts(f"{head} We use the numerator layout.\n\n{both}", tmp_path)
    assert [v for v, _ in said] == ["proved", "conditional"]
    wrong = r"$$\frac{\partial r}{\partial x} = 2 B^\top$$" + "\n\n"
    assert [v for v, _ in verdicts(f"{head}\n\n{wrong}", tmp_path)] == ["refuted"]


def test_a_loss_is_no_function_of_jacobians(tmp_path):
    rows = r"$$\frac{\partial y}{\partial x} = V \frac{\partial h}{\partial x}$$" + "\n\n"
    rows += r"$$\frac{\partial L}{\partial x} = \left(\frac{\partial y}{\partial x}\right)^\top "
    rows += r"\frac{\partial L}{\partial y}$$" + "\n\n"
    assert [v for v, _ in verdicts(NETWORK + rows, tmp_path)] == ["proved", "proved"]


def test_what_is_derived_by_may_be_symmetric(tmp_path):
    head = r"Let $S$ be a symmetric positive definite $n \times n$ matrix, $x \in \mathbb{R}^n$ and"
    head += r" $f = x^\top S^{-1} x + \log\det S$." + "\n\n"
    rows = r"$$\frac{\partial f}{\partial x} = 2 S^{-1} x$$" + "\n\n"
    rows += r"$$\frac{\partial f}{\partial S} = S^{-1} - S^{-1} x x^\top S^{-1}$$" + "\n\n"
    assert [v for v, _ in verdicts(head + rows, tmp_path)] == ["proved", "proved"]


@pytest.mark.parametrize(
    ("text", "verdict"),
    [
        (r"The profit is $\pi(q) = p q - c q^2$. $$\pi'(q) = p - 2 c q$$", "proved"),
        (r"The area is $A = \pi r^2$. $$\pi (r + h)^2 - \pi r^2 = \pi h (2 r + h)$$", "proved"),
    ],
)
def test_pi_is_a_function_where_a_text_defines_one(text, verdict, tmp_path):
    assert [v for v, _ in verdicts(text, tmp_path)] == [verdict]


@pytest.mark.parametrize(
    ("formula", "verdict"),
    [
        # f^{-1} of a function of angles is its inverse, and f^{2} a power
        (r"\frac{d}{dx} \tan^{-1} x = \frac{1}{1 + x^2}", "proved"),
        (r"\frac{d}{dx} \sin^{-1}(x) = \frac{1}{\sqrt{1 - x^2}}", "proved"),
        (r"\frac{d}{dx} \cosh^{-1} x = \frac{1}{\sqrt{x^2 - 1}}", "proved"),
        (r"\frac{d}{dx} \tan^{-1} x = -\frac{1}{\sin^2 x}", "refuted"),
        (r"\sin^{2} x + \cos^{2} x = 1", "proved"),
        (r"(\tan x)^{-1} = \cot x", "proved"),
        # an operator is applied to what stands behind it
        (r"\frac{d}{dx} \operatorname{sinc} x = \frac{\cos x}{x} - \frac{\sin x}{x^2}", "proved"),
        (r"\frac{d}{dx} \operatorname{sinc} 2 x = \frac{\cos 2 x}{x}", "refuted"),
        (r"\frac{d}{dx} \mathrm{logit}\, x = \frac{1}{x (1 - x)}", "proved"),
        (r"\frac{d}{dx} \operatorname{artanh} x = \frac{1}{1 + x^2}", "refuted"),
        (r"\frac{d}{dx} \operatorname{arcsec} x = \frac{1}{|x| \sqrt{x^2 - 1}}", "conditional"),
        (r"\frac{d}{dx} \operatorname{arcoth} x = \frac{1}{1 - x^2}", "proved"),
        (r"\frac{\partial}{\partial y} \operatorname{atan2}(y, x) = \frac{x}{x^2 + y^2}", "proved"),
        (
            r"\frac{\partial}{\partial y} \operatorname{atan2}(x, y) = \frac{x}{x^2 + y^2}",
            "refuted",
        ),
        (r"\frac{d}{dx} \operatorname{cbrt}(x) = \frac{1}{3 \operatorname{cbrt}(x)^2}", "proved"),
        (r"\frac{d}{dx} \operatorname{Ei}(x) = \frac{e^x}{x}", "proved"),
        (r"\frac{d}{dx} \operatorname{versin} x = \sin x", "unproved"),  # no function known here
        # the positive part
        (r"[x]_+ - [-x]_+ = x", "proved"),
        (r"(x)^+ = \max(x, 0)", "proved"),
        (r"[x]_+ = |x|", "refuted"),
        (r"\max\{0, x\}^2 = x [x]_+", "proved"),
    ],
)
def test_functions_by_the_name_that_people_write(formula, verdict, tmp_path):
    found = verdicts(f"$$ {formula} $$\n", tmp_path)
    assert [v for v, _ in found] == [verdict]


@pytest.mark.parametrize("base", ["2", "10", "(1 + a)", "a"])
def test_indices_in_an_exponent_are_those_of_a_name(base):
    (y,) = sa.read(rf"y_i = {base}^{{-x_i / 20}}")
    (i,) = y.indices
    assert [x.indices[0] for x in y.expr.atoms(sp.Indexed)] == [i]


def test_the_inverse_cotangent_has_two_meanings_and_a_matrix_no_positive_part():
    for text in (r"y = \operatorname{arccot} x", r"y = \cot^{-1} x"):
        with pytest.raises(sa.SymattnError, match="arccot"):
            sa.read(text)
    with pytest.raises(sa.SymattnError):
        sa.read(r"B = (A^\top A)^+")
    with pytest.raises(sa.SymattnError):
        sa.read(r"B = [A^\top A]_+")
