"""LaTeX reads back by the summation rule; matrix forms have the value they stand for."""

import random
import re

import numpy as np
import pytest
import sympy as sp

import symattn as sa
from symattn import normalize as nf
from symattn.convert import with_letters
from symattn.evaluate import Evaluator
from symattn.explain import definition_latex, latex, markdown, matrix_form, system_latex
from symattn.explain.arrange import factored
from symattn.explain.collect import collected
from symattn.explain.cost import cost
from symattn.explain.latex import name
from symattn.ir import Call, Poly, Sum, Term
from symattn.model import model
from symattn.read import read
from symattn.sample import size_symbols

N = sa.sizes("n")[0]
I, J, K, L = LETTERS = sa.indices("i j k l", N)
X, Y, U, V = (sa.tensor(c, N) for c in "xyuv")
A, B, C = (sa.tensor(c, N, N) for c in "ABC")
S, T = sa.tensor("s"), sa.tensor("t", positive=True)
TENSORS = dict(zip("xyuvABC", (X, Y, U, V, A, B, C), strict=True))


@pytest.mark.parametrize(
    "text, wanted",
    [
        ("Q", "Q"),
        ("O_bar", r"\bar O"),
        ("d_k", "d_k"),
        ("beta", r"\beta"),
        ("lse", r"\mathit{lse}"),
        ("Z_ij", r"Z_{\mathrm{ij}}"),
        ("lse_dot", r"\mathit{lse\_dot}"),
        ("x1", r"\mathrm{x1}"),
        ("a%b", r"\mathrm{a\%b}"),
        ("Gamma_bar", r"\bar \Gamma"),
    ],
)
def test_names(text, wanted):
    assert name(text) == wanted


FORMULAS = {  # formula, letters on the left, LaTeX of the right side
    "implicit sum": (A[I, J] * X[J], (I,), "A^{ij} x^{j}"),
    "explicit sum": (sa.total(A[I, J], J), (I,), r"\sum_{j} A^{ij}"),
    "left letters are not summed": (A[I, J] * X[J], (I, J), "A^{ij} x^{j}"),
    "sum in a function's argument": (
        sp.exp(sa.total(X[J] * Y[J], J)),
        (),
        r"\exp\left(\sum_{j} x^{j} y^{j}\right)",
    ),
    "no sum in a function's argument": (
        sa.total(X[J] * sp.exp(Y[J] * U[J]), J),
        (),
        r"\sum_{j} x^{j} \exp(u^{j} y^{j})",
    ),
    "no sum in a bracket": (
        sa.total(X[J] * sp.sqrt(1 + Y[J] * U[J]), J),
        (),
        r"\sum_{j} x^{j} \sqrt{1 + u^{j} y^{j}}",
    ),
    "fraction": (
        X[I] / sa.total(Y[J] ** 2, J),
        (I,),
        r"\frac{x^{i}}{\sum_{j} \left(y^{j}\right)^{2}}",
    ),
    "sum of fractions": (sa.total(X[J] / Y[J], J), (), r"\sum_{j} \frac{x^{j}}{y^{j}}"),
    "two sums": (
        sa.total(X[I], I) * sa.total(Y[I], I),
        (),
        r"\left(\sum_{i} x^{i}\right) \sum_{i} y^{i}",
    ),
    "delta": (sa.delta(I, J) * X[I], (I, J), r"\delta^i_j x^{i}"),
    "mask": (sa.iverson(J <= I) * X[J], (I,), None),
    "affine": (sa.tensor("R", 2 * N - 1)[I - J + N - 1] * X[J], (I,), "R^{(i-j+n - 1)} x^{j}"),
    "scalars": (2 * S * X[I] / (3 * sp.sqrt(T)), (I,), r"\frac{2 s x^{i}}{3 \sqrt{t}}"),
    "negative": (-X[I] + 1, (I,), "1 - x^{i}"),
    "function of nothing indexed": (sp.tanh(S) * X[I], (I,), None),
    "half": (X[I] * Y[I] / 2, (), r"\frac{1}{2} x^{i} y^{i}"),
    "trace": (A[I, J] * B[J, I], (), "A^{ij} B^{ji}"),
}


@pytest.mark.parametrize("case", FORMULAS)
def test_index_form(case):
    formula, left, wanted = FORMULAS[case]
    d = sa.define("D", left, formula)
    head, _, right = definition_latex(d).partition(" = ")
    assert head == ("D^{" + "".join(i.name for i in left) + "}" if left else "D")
    assert wanted is None or right == wanted


def random_formula(pick, letters, left):
    def factor():
        c = pick.choice("xyuvABCABCdepqf")
        if c in "xyuv":
            return TENSORS[c][pick.choice(letters)]
        if c in "ABC":
            return TENSORS[c][pick.choice(letters), pick.choice(letters)]
        if c == "d":
            return sa.delta(*pick.sample(letters, 2))
        if c == "e":
            return sp.exp(X[pick.choice(letters)] / 2)
        if c == "p":
            return B[pick.choice(letters), pick.choice(letters)] - U[pick.choice(letters)]
        if c == "f":
            return sp.sqrt(2 + X[pick.choice(letters)] ** 2)
        return pick.choice([S, T, sp.Rational(-1, 2), 1 / T, sp.sqrt(T)])

    formula = 0
    for _ in range(pick.choice([1, 1, 2])):
        part = sp.Mul(*(factor() for _ in range(pick.choice([1, 2, 3, 4]))))
        summed = [k for k in letters if k not in left and part.has(k)]
        if summed and pick.random() < 0.6:
            part = sa.total(part, *summed)
        formula += part
    return formula


def random_definitions(count, seed):
    pick = random.Random(seed)
    while count:
        left = pick.choice([(), (I,), (I, J)])
        formula = random_formula(pick, LETTERS[: pick.choice([2, 3, 4])], left)
        try:
            d = sa.define("W", left, formula)
            normal = model(sa.System(d)).bodies["W"].normal
        except sa.FormulaError:
            continue
        if normal.constant is None:
            count -= 1
            yield d


RNG = np.random.default_rng(4)
ARRAYS = {
    **{c: RNG.standard_normal(4) for c in "xyuv"},
    **{c: RNG.standard_normal((4, 4)) for c in "ABC"},
    "s": 1.7,
    "t": 0.6,
    "n": 4.0,
}


def shown(d):
    """The definition as written, its normal form, with common factors in front, and collected."""
    body = model(sa.System(d)).bodies["W"]
    taken = frozenset(i.name for i in body.indices)
    plain = with_letters(body.normal, {}, taken)
    return body, [body.raw, plain, factored(plain), with_letters(collected(body.normal), {}, taken)]


def test_collecting_keeps_the_normal_form():
    shorter = 0
    for d in random_definitions(300, seed=3):
        body = model(sa.System(d)).bodies["W"]
        found = collected(body.normal)
        lettered = with_letters(found, {}, frozenset(i.name for i in body.indices))
        assert cost(found) <= cost(body.normal)
        shorter += cost(found) < cost(body.normal)
        assert nf.normalize(lettered) is body.normal or np.allclose(
            Evaluator(ARRAYS, {"n": 4})(lettered, body.indices),
            Evaluator(ARRAYS, {"n": 4})(body.normal, body.indices),
        )
    assert shorter > 50


def test_latex_reads_back_to_the_same_value():
    read_back = 0
    for d in random_definitions(120, seed=1):
        body, forms = shown(d)
        wanted = Evaluator(ARRAYS, {"n": 4})(body.raw, body.indices)
        head = definition_latex(d).partition(" = ")[0]
        for form in forms:
            text = f"{head} = {latex(form, body.indices, implicit=True)}"
            try:
                system = read(text)
            except sa.SymattnError:
                continue  # a scalar before a bracket may be a function: refused, never misread
            got_body = model(system).bodies["W"]
            got = Evaluator(ARRAYS, sizes_of(got_body))(got_body.raw, got_body.indices)
            np.testing.assert_allclose(got, wanted, rtol=1e-9, atol=1e-9, err_msg=text)
            read_back += 1
    assert read_back > 250


def sizes_of(body):
    """4 for every size that reading found a name for."""
    sizes = [*body.tensor.shape, *(i.size for i in body.raw.free), *bound_sizes(body.raw)]
    return dict.fromkeys([*size_symbols(sizes), "n"], 4)


def bound_sizes(node):
    if isinstance(node, Sum):
        yield from (b.size for b in node.bound)
        yield from bound_sizes(node.body)
    elif isinstance(node, Poly | Term):
        for child, _ in node:
            yield from bound_sizes(child)
    elif isinstance(node, Call):
        yield from bound_sizes(node.args[0])


# ------------------------------------------------------------------------------------ matrix form

TOKEN = re.compile(r"\\[A-Za-z]+|\\[,|]|[A-Za-z]+|\d+|[-+^_{}()/]")


class Matrices:
    """The value of a matrix form; a row vector is a 1 × n matrix, a column has one axis."""

    def __init__(self, text, arrays):
        self.tokens = TOKEN.findall(text.replace(r"\left", "").replace(r"\right", ""))
        self.arrays = arrays

    def peek(self):
        return self.tokens[0] if self.tokens else None

    def take(self, wanted=None):
        token = self.tokens.pop(0)
        assert wanted in (None, token), (wanted, token)
        return token

    def group(self, opening):
        self.take(opening)
        value = self.sum()
        self.take({"(": ")", "{": "}"}[opening])
        return value

    def sum(self):
        negative = self.peek() == "-" and self.take()
        value = self.hadamard()
        value = -value if negative else value
        while self.peek() in ("+", "-"):
            value = broadcast(np.add if self.take() == "+" else np.subtract, value, self.hadamard())
        return value

    def hadamard(self):
        value = self.product()
        while self.peek() == r"\circ":
            self.take()
            value = broadcast(np.multiply, value, self.product())
        return value

    def product(self):
        value = self.factor()
        while self.peek() not in (None, "+", "-", ")", "}", r"\circ"):
            if self.peek() == r"\,":  # what follows is a product of its own
                self.take()
                other = self.product()
            else:
                other = self.factor()
            value = times(value, other)
        return value

    def factor(self):
        value = self.atom()
        while self.peek() == "^":
            self.take()
            if self.peek() == "{":
                self.take()
                digits = ""
                while self.peek() != "}":
                    digits += self.take().replace(r"\circ", "")
                self.take()
                top, _, bottom = digits.partition("/")
                value = value ** (float(top) / float(bottom or 1))
            else:
                if self.peek() == "2":  # of a norm
                    self.take()
                    value = value**2
                    continue
                self.take(r"\top")
                value = value[None, :] if np.ndim(value) == 1 else value.T
        return value

    def atom(self):
        token = self.peek()
        if token == "(":
            return self.group("(")
        self.take()
        if token in (r"\tfrac", r"\frac"):
            return self.group("{") / self.group("{")
        if token == r"\sqrt":
            return np.sqrt(self.group("{"))
        if token == r"\exp":
            return np.exp(self.group("("))
        if token == r"\mathbf":
            self.group("{")
            return np.ones(4)
        if token == r"\mathrm":
            self.take("{")
            function = {
                "rowsum": lambda m: m.sum(1) if len(m) > 1 else m.sum(),
                "colsum": lambda m: m.sum(0),
                "mean": np.mean,
                "diag": np.diag,
                "tr": np.trace,
            }[self.take()]
            self.take("}")
            return function(self.group("("))
        if token == "I":
            return np.eye(4)
        if token == r"\|":
            value = self.factor()
            for part in (r"\|", "_", "F"):  # the power is taken by `factor`
                self.take(part)
            return np.linalg.norm(value)
        return np.float64(token) if token.isdigit() else np.asarray(self.arrays[token])


def times(a, b):
    if np.ndim(a) == 0 or np.ndim(b) == 0:
        return a * b
    if np.ndim(a) == 1:
        return a[:, None] * b if np.shape(b)[0] == 1 else a @ b
    value = a @ b
    return value[0] if np.ndim(b) == 1 and len(a) == 1 else value


def broadcast(function, a, b):
    if np.ndim(a) == 2 and np.ndim(b) == 1:
        b = b[:, None]
    elif np.ndim(b) == 2 and np.ndim(a) == 1:
        a = a[:, None]
    return function(a, b)


def test_matrix_forms_have_the_value_they_stand_for():
    checked = 0
    for d in random_definitions(500, seed=2):
        body, forms = shown(d)
        wanted = Evaluator(ARRAYS, {"n": 4})(body.raw, body.indices)
        for form in forms:
            text = matrix_form(form, body.indices)
            if text is None:
                continue
            reader = Matrices(text, ARRAYS)
            try:
                got = np.asarray(reader.sum())
            except ValueError as error:
                raise AssertionError(text) from error
            assert not reader.tokens, text
            if got.ndim < wanted.ndim:  # a vector or a number in every column
                got = np.broadcast_to(got[:, None] if got.ndim else got, wanted.shape)
            np.testing.assert_allclose(np.squeeze(got), wanted, rtol=1e-9, atol=1e-9, err_msg=text)
            checked += 1
    assert checked > 200


@pytest.mark.parametrize(
    "formula, left, wanted",
    [
        (A[I, J] * X[J], (I,), "A x"),
        (A[J, I] * X[J], (I,), r"A^\top x"),
        (A[I, K] * B[K, J], (I, J), "A B"),
        (A[K, I] * B[J, K], (I, J), r"A^\top B^\top"),
        (X[I] * Y[J], (I, J), r"x y^\top"),
        (X[I] * Y[I], (), r"x^\top y"),
        (X[I] * A[I, J], (I, J), r"\mathrm{diag}(x) A"),
        (sa.delta(I, J) * X[J], (I, J), r"\mathrm{diag}(x)"),
        (X[I] * sa.total(A[K, J] * Y[K], K), (I, J), r"x y^\top A"),
        (X[I] / sa.total(Y[J], J), (I,), r"\frac{x}{\mathbf{1}^\top y}"),
        (2 * X[I] / sa.total(Y[J] ** 2, J) ** 2, (I,), r"\frac{2 x}{\left(y^\top y\right)^{2}}"),
        (X[I] * sp.sqrt(sa.total(Y[J] ** 2, J)), (I,), r"\sqrt{y^\top y} \, x"),
        (A[K, I] * B[K, J] * B[J, K], (I, J), r"A^\top \left(B \circ B^\top\right)^\top"),
        (sa.delta(I, J) * X[I] - X[I] * X[J], (I, J), r"\mathrm{diag}(x) - x x^\top"),
        (A[I, J] * B[J, K] * C[K, I], (), r"\mathrm{tr}(A B C)"),
        (sa.total(A[I, J] * B[I, J], J), (I,), r"\mathrm{rowsum}(A \circ B)"),
        (A[I, K] * B[I, L] * C[K, L] * X[K], (I,), r"\left(A \circ \left(B C^\top\right)\right) x"),
    ],
)
def test_matrix_form(formula, left, wanted):
    body = model(sa.System(sa.define("D", left, formula))).bodies["D"]
    got = matrix_form(with_letters(body.normal, {}), body.indices)
    assert got == wanted


@pytest.mark.parametrize(
    "formula",
    [sa.iverson(I <= J) * X[J], sa.tensor("H", N, N, N)[I, J, J]],
)
def test_what_has_no_matrix_form(formula):
    body = model(sa.System(sa.define("D", (I,), formula))).bodies["D"]
    assert matrix_form(with_letters(body.normal, {}), body.indices) is None


def softmax():
    p = sa.define("P", (I,), sp.exp(X[I]) / sa.total(sp.exp(X[J]), J))
    return sa.System(p, sa.define("E", (), p[I] * Y[I]))


def test_a_derivation_is_an_aligned_block_with_reasons():
    d = sa.backward(softmax(), output="E", wrt="x")["x"]
    lines = d.latex().splitlines()
    assert lines[0] == r"\begin{aligned}" and lines[-1] == r"\end{aligned}"
    body = lines[1:-1]
    assert body[0].startswith(r"\bar x^{i} &= \frac{\partial \mathcal{L}}{\partial x^{i}}")
    assert all(line.endswith(r" \\") for line in body[:-1]) and r"\\" not in body[-1]
    for step in d.steps:
        first = re.split("`", step.rule)[0].strip()
        assert sum(rf"\text{{{first}" in line for line in body) >= 1
    assert d._repr_latex_() == f"$\\displaystyle {d.latex()}$"


def test_a_loss_of_the_users_own_is_told_from_the_scalar_that_is_differentiated():
    system = sa.System(sa.define("L", (), X[I] ** 2 * Y[I]))
    text = sa.backward(system, output="L", wrt="x")["x"].latex()
    assert r"\frac{\partial \mathcal{L}}{\partial x^{i}}" in text
    assert r"\bar L \frac{\partial L}{\partial x^{i}}" in text


def test_braces_and_brackets_match():
    for d in random_definitions(150, seed=3):
        for text in (definition_latex(d), sa.System(d)._repr_latex_()):
            for opening, closing in ("{}", (r"\left", r"\right")):
                assert text.count(opening) == text.count(closing)
            assert "None" not in text and "Piecewise" not in text and "mathrel" not in text


def test_markdown_and_system():
    d = sa.jacobian(softmax(), of="P", wrt="x")
    text = markdown(d, "Softmax")
    assert text.startswith("### Softmax\n\n$$\n" + d.equation() + "\n$$")
    assert d.latex() in text and "In matrix form:" in text
    assert system_latex(softmax()).count("&=") == 2


def test_results_are_printed_in_lines_of_text():
    doc = sa.read(
        r"""A_{ij} = \frac{e^{S_{ij}}}{\sum_k e^{S_{ik}}}
O_{ic} = \sum_j A_{ij} V_{jc}"""
    )
    g = sa.backward(doc, output="O", wrt=("S", "V"))
    assert str(g).split("\n") == [
        "S_bar[i,j] = A[i,j] (A_bar[i,j] - Σ_k A[i,k] A_bar[i,k])",
        "V_bar[j,c] = Σ_i A[i,j] O_bar[i,c]",
    ]
    assert repr(g) == "Gradients(of O by S, V)"
    assert repr(sa.jvp(doc, output="O", wrt="S")) == "Tangents(of O along S)"
    assert str(g["V"].steps[0]) == ("∂𝓛/∂V[j,c] = Σ_m,n O_bar[m,n] ∂O[m,n]/∂V[j,c]    (chain rule)")


def test_no_letter_stands_for_two_sizes():
    """Σ_j Q_jb and Σ_j e^{S_kj} beside each other, j of one size here and of another there."""
    m, n = sa.sizes("m n")
    b, c = sa.indices("b c", m)
    i, k = sa.indices("i k", n)
    q, w = sa.tensor("Q", n, m), sa.tensor("W", m, m)
    diagonal = sa.define("d", (c,), w[c, c])
    score = sa.define("S", (i, b), sa.total(diagonal.tensor[b] * q[k, b], k))
    most = sa.define("y", (i, k), sp.log(sa.total(sp.exp(score.tensor[k, c]), c)))
    result = sa.jacobian(sa.System(diagonal, score, most), of="y", wrt="W")
    sizes = {}
    for letter in result.expr.atoms(sp.Idx):
        assert sizes.setdefault(letter.name, letter.upper + 1) == letter.upper + 1
    assert len(sizes) == 5
    assert sa.prove(result, result.expr, given=sa.System(diagonal, score, most))
