"""Printed definitions are read back to the same expression, whatever their names and letters."""

from __future__ import annotations

import random

import pytest
import sympy as sp

import symattn as sa
from symattn.convert import lower
from symattn.explain import definition_latex, system_latex
from symattn.explain.latex import name
from symattn.ir import Index
from symattn.normalize import normalize, substitute
from symattn.primitives import commands, sigmoid
from symattn.read import ReadError, read
from symattn.read.vocabulary import CONDITIONS, OTHERWISE, SEPARATORS, WORDS


def _words(row):
    return row.split()


N, M = sa.sizes("n m")
NAMES = _words(
    "A B x w x1 x_1 W_Q theta theta_1 theta1 x' x_bar lse Z_ij d e E I T i j k pi delta "
    "Delta_x x_k g L Q_2 alpha_i sigma d_k x_dot phi_bar_2 nabla_v W_inv S beta2 X_x step tr "
    "l p q Var dA x_star A_1_2 h_t det ell x_ AB varphi x_bar_hat x_max log exp Delta so "
    "where"
)


def declared(tensors, shape):
    rows = [f"{t}:({','.join(map(str, s))})" for t, s in (*tensors.items(), ("result", shape))]
    return f"<!-- symattn: sizes {' '.join(rows)}; metric none; indices from 0 -->\n"


def shapes_in(definition):
    found = {str(b.label): b.shape for b in definition.expr.atoms(sp.IndexedBase)}
    scalars = {s.name for s in definition.expr.atoms(sp.Symbol) if s.name and not s.is_integer}
    return {**{s: () for s in scalars}, **found}


def same_after_reading(definition):
    sizes = [i.upper + 1 for i in definition.indices]
    text = declared({**shapes_in(definition), "axis_n": (N,), "axis_m": (M,)}, sizes)
    printed = definition_latex(definition)
    found = read(f"{text}$$ {printed} $$")["result"]
    letters = [
        [Index(i.name, sp.sympify(i.upper + 1)) for i in d.indices] for d in (found, definition)
    ]
    got = substitute(normalize(lower(found.expr, found.indices)), dict(zip(*letters, strict=True)))
    assert got is normalize(lower(definition.expr, definition.indices)), printed


A, B = sa.tensor("A", N, N), sa.tensor("B", N, M)
X, Y, V = sa.tensor("x", N), sa.tensor("y", N), sa.tensor("v", M)
W, R = sa.tensor("w"), sa.tensor("R", 2 * N - 1)
I, J, K = sa.indices("i j k", N)
(C,) = sa.indices("c", M)
FORMULAS = {
    "diagonal under a square": sa.total(A[I, I] ** 2, I),
    "diagonal under a root": sa.total(sp.sqrt(A[I, I]), I),
    "diagonal in a function": sa.total(sp.exp(A[I, I]), I),
    "squares of two factors": sa.total(X[I] ** 2 * Y[I] ** 2, I),
    "square of an inner product": sa.total(X[I] * Y[I], I) ** 2,
    "cube of a square": sa.total(X[I] ** 2, I) ** 3,
    "power of a product beside a sum": (W * sa.total(X[I] * Y[I], I) + 1) ** -2,
    "sum of nothing": sa.total(W, I),
    "sum over a condition": sa.total(sa.iverson(J <= I), J, I),
    "maximum over a condition": sa.total(X[I] * sa.maximum(sa.iverson(J <= I), J), I),
    "sum in a sum": sa.total(X[I] * sa.total(B[I, C] * V[C] ** 2, C), I),
    "shifted": sa.total(X[I - 1] * Y[I], I),
    "difference of letters": sa.total(R[I - J + N - 1] * X[I] * Y[J], I, J),
    "δ of a diagonal": sa.total(sa.delta(I, J) * A[I, J] ** 2, I, J),
    "a function beside a bracket": sigmoid(W) * (1 - sigmoid(W)) * (W + 1),
    "a function before a power of a number": sigmoid(W) * sp.Integer(2) ** sp.Rational(1, 3),
    "the first component": X[0] * A[2, I] * X[I],
    "the last component": sa.total(X[N - 1] * A[I, N - 1], I),
    "δ at a place": sa.total(sa.delta(I, N - 1) * X[I], I),
    "a condition at a place": sa.total(sa.iverson(I <= 2) * X[I] ** 2, I),
    "a name before a bracket": W * (W + sa.total(X[I], I)),
    "a name before a condition": sa.total(W * sa.iverson(I <= J) * X[I] * Y[J], I, J),
    "largest of a diagonal": sa.maximum(A[I, I], I) ** 2,
    "argmax": sa.total(sa.argmax(I, X[J] ** 2, J) * Y[I] ** 2, I),
}


@pytest.mark.parametrize("formula", list(FORMULAS))
def test_formulas(formula):
    same_after_reading(sa.define("result", (), FORMULAS[formula]))


@pytest.mark.parametrize("text", [*NAMES, "a%b", "naïve", "Ω", "x'_1", "for", "k_k_k"])
def test_a_name_is_read_as_itself(text):
    t, scalar, v = sa.tensor(text, N, N), sa.tensor(text), sa.tensor("u", N)
    for d in (
        sa.define("result", (I,), t[I, J] * v[J] + sa.total(t[J, J] ** 2, J)),
        sa.define("result", (I,), scalar**2 * (scalar + v[I]) / (1 + scalar)),
    ):
        rows = definition_latex(d)
        shapes = shapes_in(d)
        if all(part.isidentifier() and part.isascii() for part in text.split("'")):
            same_after_reading(d)
        else:  # no declaration can name it
            kept = {n: s for n, s in shapes.items() if n != text}
            if d.expr.atoms(sp.IndexedBase) and text in shapes and shapes[text]:
                found = read(f"{declared(kept, (N,))}$$ {rows} $$")["result"]
                assert text in {str(b.label) for b in found.expr.atoms(sp.IndexedBase)}


LETTERS = ["x", "w", "e", "d", "n", "i1", "i_2", "row", "N", "alpha", "b'"]


@pytest.mark.parametrize("letter", LETTERS)
def test_letters_that_names_have_too(letter):
    (z,) = sa.indices(letter, N)
    w, x = sa.tensor("w"), sa.tensor("x", N)
    same_after_reading(sa.define("result", (z,), w * x[z] + sa.total(x[I] * A[z, I], I) / N))
    same_after_reading(sa.define("result", (), sa.total(w * x[z] ** 2 * sp.exp(x[z]) / N, z)))


def test_reserved_words_of_the_reader_are_printed_as_names():
    for text in (*WORDS, *commands(), *CONDITIONS, *SEPARATORS, *OTHERWISE):
        assert name(text) in (text, rf"\mathit{{{text}}}"), text


def drawn(rng):
    """A random definition: repeated letters under powers, roots, functions, conditions, maxima."""
    names = rng.sample(NAMES, 6)
    shapes = [(N,), (N, N), (N, M), (M,), (), (2 * N - 1,)]
    tensors = [sa.tensor(a, *s) for a, s in zip(names, shapes, strict=True)]
    pools = {
        N: sa.indices(" ".join(rng.sample(["i", "j", "k", "p", "x", "d", "e", "t", "i1"], 4)), N),
        M: sa.indices("a b c", M),
    }
    free = [*rng.sample(pools[N], rng.choice([0, 1, 2])), *rng.sample(pools[M], rng.choice([0, 1]))]

    def atom(scope):
        while True:
            k = rng.randrange(6)
            choices = [[x for x in scope if x.upper + 1 == s] for s in shapes[k]]
            if k == 4:
                return tensors[k]
            if k == 5:
                of = [x for x in scope if x in pools[N]]
                if len(of) > 1:
                    return tensors[k][of[0] - of[1] + N - 1]
            elif all(choices):
                return tensors[k][tuple(map(rng.choice, choices))]

    def grown(depth, scope):
        if not depth:
            return atom(scope) if rng.random() < 0.8 else sp.Rational(rng.randint(1, 5), 3)
        kind = rng.randrange(9)
        if kind < 2:
            return grown(depth - 1, scope) + grown(depth - 1, scope)
        if kind < 4:
            return grown(depth - 1, scope) * grown(depth - 1, scope)
        if kind == 4:
            return grown(depth - 1, scope) ** rng.choice([2, 3, -1, sp.Rational(1, 2)])
        if kind == 5:
            return rng.choice([sp.tanh, sp.sin, sigmoid])(grown(depth - 1, scope))
        (bound, *_) = rng.sample([x for p in pools.values() for x in p if x not in scope], 1)
        body = grown(depth - 1, [*scope, bound])
        return sa.maximum(body, bound) if kind == 6 else sa.total(body, bound)

    return sa.define("result", free, grown(3, free))


@pytest.mark.parametrize("seed", range(12))
def test_random_definitions(seed):
    rng, count = random.Random(seed), 0
    while count < 10:
        try:
            d = drawn(rng)
            normalize(lower(d.expr, d.indices))
        except (sa.SymattnError, RecursionError):
            continue
        count += 1
        same_after_reading(d)


def test_a_system_is_read_back_as_one():
    i, j = I, J
    first = sa.define("x1", (i,), X[i] ** 2)
    second = sa.define("x_1", (i,), first[i] * W)
    third = sa.define("lse", (), sa.total(sp.exp(second[j]) * first[j] ** 2, j))
    system = sa.System(first, second, third)
    doc = read(f"{declared({'x': (N,), 'w': ()}, ())}$${system_latex(system)}$$")
    assert list(doc.definitions) == ["x1", "x_1", "lse"]
    for d in system:
        mine = doc[d.name]
        assert normalize(lower(mine.expr, mine.indices)) is normalize(lower(d.expr, d.indices))


@pytest.mark.parametrize(
    "formula",
    [
        r"(x_i y_i)^2",
        r"(A_{ii} x_j x_j)^2",
        r"(x_i^2)^3",
        r"\left(2 x_i y_i\right)^{-1}",
        r"(-x_i y_i)^2",
        r"[x_i y_i]^2",
        r"\left(\frac{x_i y_i}{2}\right)^{3/2}",
        r"((x_i y_i))^2",
    ],
)
def test_a_repeated_letter_in_a_bracket_under_a_power_has_two_readings(formula):
    with pytest.raises(ReadError, match="the index i is repeated in a bracket under a power") as e:
        read(rf"<!-- symattn: sizes x:(n) y:(n) A:(n,n) --> $$ r = {formula} $$")
    assert r"write \sum_i inside of the bracket" in str(e.value)


@pytest.mark.parametrize(
    ("formula", "same"),
    [
        (r"\left(\sum_i x_i y_i\right)^2", sa.total(X[I] * Y[I], I) ** 2),
        (r"\sum_i (x_i y_i)^2", sa.total(X[I] ** 2 * Y[I] ** 2, I)),
        (r"x_i^2 y_i^2", sa.total(X[I] ** 2 * Y[I] ** 2, I)),
        (r"x_i^2", sa.total(X[I] ** 2, I)),
        (r"(x_i y_i + 1)^2", (sa.total(X[I] * Y[I], I) + 1) ** 2),
        (r"\sqrt{x_i y_i}", sp.sqrt(sa.total(X[I] * Y[I], I))),
        (r"(x_i y_i)^1", sa.total(X[I] * Y[I], I)),
        (r"A_{ii}^2", sa.total(A[I, I], I) ** 2),
        (r"(A_{ii})^2", sa.total(A[I, I], I) ** 2),
        (r"\sum_i A_{ii}^2", sa.total(A[I, I] ** 2, I)),
        (r"A_{ij}^2", sa.total(A[I, J] ** 2, I, J)),
    ],
)
def test_powers_with_one_reading(formula, same):
    d = read(f"<!-- symattn: sizes x:(n) y:(n) A:(n,n) -->$$ r = {formula} $$")["r"]
    assert normalize(lower(d.expr)) is normalize(lower(same))
