"""What symattn prints is read back to an equal expression: same normal form."""

from __future__ import annotations

import pytest
import sympy as sp
from hypothesis import given, settings
from hypothesis import strategies as st

import symattn as sa
from symattn import gallery
from symattn.convert import lower
from symattn.display import raise_
from symattn.explain import latex
from symattn.explain.latex import slots as latex_slots
from symattn.explain.matrix import matrix_form
from symattn.ir import Index, refs
from symattn.normalize import normalize
from symattn.read import read


def declaration(poly, free):
    """A comment that declares every name of an expression with its shape."""
    tensors = {}
    for ref in refs(poly):
        for t in ref.tensor.parts or (ref.tensor,):
            t = t.of[0] if t.role == "inverse" else t
            tensors[t.name] = t
    shapes, scalars, positive, symmetric = [], [], [], []
    for t in tensors.values():
        if t.shape:
            shapes.append(f"{t.name}:({','.join(map(str, t.shape))})")
        elif t.symbol is None or (t.symbol.is_Symbol and not t.symbol.is_integer):
            scalars.append(t.name)
        if t.positive and not (t.symbol is not None and t.symbol.is_integer):
            positive.append(t.name)
        if t.symmetry == "symmetric":
            symmetric.append(t.name)
    shapes.append(f"result:({','.join(str(i.size) for i in free)})")
    numbers = [t.name for t in tensors.values() if t.symbol is not None and t.symbol.is_integer]
    shapes += [f"axis_{n}:({n})" for n in numbers]
    rows = ["sizes " + " ".join(shapes), "metric none", "indices from 0"]
    rows += [
        f"{kind} {' '.join(names)}"
        for kind, names in (("scalars", scalars), ("positive", positive), ("symmetric", symmetric))
        if names
    ]
    return f"<!-- symattn: {'; '.join(rows)} -->\n"


def plain(poly, free):
    """The normal form by names alone: text does not say that S_bar is the adjoint of S."""
    letters = tuple(sp.Idx(sp.Symbol(i.name, integer=True), i.size) for i in free)
    return normalize(lower(raise_(poly), letters))


def reread(text, poly, free, indexed=True):
    """The normal form of `text` read as the right side of a definition with the letters `free`."""
    left = rf"\mathrm{{result}}^{{{latex_slots(free)}}}" if free and indexed else r"\mathrm{result}"
    doc = read(f"{declaration(poly, free)}$${left} = {text}$$")
    d = doc["result"]
    found = normalize(lower(d.expr, d.indices))
    if [i.name for i in d.indices] != [i.name for i in free]:
        from symattn.normalize import substitute

        mine = [Index(i.name, sp.sympify(i.upper + 1)) for i in d.indices]
        found = substitute(found, dict(zip(mine, free, strict=True)))
    return found


def of_entry(entry):
    rows = []
    for label, d in entry.derivations():
        label = f"{entry.name}: {label}"
        rows.append((label, latex(d.raw, d.indices, implicit=True), d.raw, d.indices, True))
        for k, step in enumerate(d.steps):
            rows.append(
                (
                    f"{label}, step {k}",
                    latex(step.raw_after, d.indices, implicit=True),
                    step.raw_after,
                    d.indices,
                    True,
                )
            )
        matrix = matrix_form(d.raw, d.indices)
        if matrix is not None:
            rows.append((f"{label}, matrix form", matrix, d.raw, d.indices, False))
    return rows


N, M, D = sa.sizes("n m d")
(I_, P), (J, L), (A,) = sa.indices("i p", N), sa.indices("j l", M), sa.indices("a", D)
X, Y, W = sa.tensor("X", N, M), sa.tensor("Y", N, M), sa.tensor("W_Q", M, D)
V, U = sa.tensor("v", M), sa.tensor("u_bar", N)
BETA, TEMPERATURE = sa.tensor("beta"), sa.tensor("T", positive=True)


def systems():
    i, j, l, a = I_, J, L, A
    scores = sa.define("S", (i, j), X[i, j] * BETA + sa.total(W[j, a] * W[l, a] * X[i, l], a, l))
    weights = sa.define("A", (i, j), sp.exp(scores[i, j]) / sa.total(sp.exp(scores[i, l]), l))
    causal = sa.define("C", (i, j), sa.iverson(j <= i) * weights[i, j] * Y[i, j])
    loss = sa.define("E", (), sa.total(sp.log(weights[i, j]) * Y[i, j], i, j) / TEMPERATURE)
    mean = sa.define("mu", (i,), sa.total(X[i, j], j) / M)
    spread = sa.define("s", (i,), sp.sqrt(sa.total((X[i, j] - mean[i]) ** 2, j) / M))
    normed = sa.define("Z", (i, j), (X[i, j] - mean[i]) / spread[i])
    top = sa.define("m_X", (i,), sa.maximum(X[i, j], j))
    below = sa.define("B", (i, j), sp.Max(0, X[i, j] - top[i] + BETA) * Y[i, j])
    gate = sa.define("G", (i, a), sp.tanh(X[i, j] * W[j, a]))
    return {
        "softmax": (sa.System(scores, weights), "A", ("X", "W_Q")),
        "causal": (sa.System(scores, weights, causal), "C", ("X", "Y")),
        "entropy": (sa.System(scores, weights, loss), "E", ("X",)),
        "layer norm": (sa.System(mean, spread, normed), "Z", ("X",)),
        "maxima": (sa.System(top, below), "B", ("X", "Y")),
        "gate": (sa.System(gate), "G", ("X", "W_Q")),
    }


@pytest.mark.parametrize("label", list(systems()))
def test_backward_passes_and_their_steps_are_read_back(label):
    system, output, wrt = systems()[label]
    gradients = sa.backward(system, output=output, wrt=wrt)
    seen = 0
    for name in wrt:
        d = gradients[name]
        for poly in (d.raw, *(s.raw_after for s in d.steps)):
            seen += 1
            text = latex(poly, d.indices, implicit=True)
            assert reread(text, poly, d.indices) is plain(poly, d.indices), text
        matrix = matrix_form(d.raw, d.indices)
        if matrix is not None:
            assert reread(matrix, d.raw, d.indices, indexed=False) is plain(d.raw, d.indices), (
                matrix
            )
    assert seen >= len(wrt)


@pytest.mark.parametrize("label", list(systems()))
def test_definitions_printed_as_a_block_are_the_same_system(label):
    system, _, _ = systems()[label]
    shapes = " ".join(
        f"{n}:({','.join(map(str, t.shape))})" for n, t in (("X", X), ("Y", Y), ("W_Q", W))
    )
    from symattn.explain import system_latex

    doc = read(f"<!-- symattn: sizes {shapes}; positive T -->\n$${system_latex(system)}$$")
    assert list(doc.definitions) == list(system.definitions)
    for name, d in system.definitions.items():
        mine = normalize(lower(doc[name].expr, doc[name].indices))
        assert mine is normalize(lower(d.expr, d.indices))


# the axis H·d_v of concatenated heads is no size that a declaration can name
READ_BACK = [n for n in gallery.names()[2::3] if n != "concatenated_heads"]


@pytest.mark.parametrize("name", READ_BACK)
def test_every_derivation_is_read_back(name):
    rows = of_entry(gallery.load(name))
    for label, text, poly, free, indexed in rows:
        assert reread(text, poly, free, indexed) is plain(poly, free), f"{label}: {text}"


scalars = st.sampled_from([BETA, TEMPERATURE, sp.Integer(2), sp.Rational(-3, 4), D])
matrices = st.sampled_from([X[I_, J], Y[I_, J], sa.iverson(J <= I_ + 1), X[I_, J] ** 2])
vectors = st.sampled_from(
    [
        U[I_],
        V[J],
        sa.delta(I_, P) * U[P],
        sa.total(X[I_, L] * V[L], L),
        sa.total(X[P, J] * U[P], P),
        sa.total(W[J, A] ** 2, A),
    ]
)


def grown(inner):
    pairs = st.tuples(inner, inner)
    return st.one_of(
        pairs.map(lambda p: p[0] + p[1]),
        pairs.map(lambda p: p[0] * p[1]),
        pairs.map(lambda p: p[0] - 2 * p[1]),
        inner.map(sp.tanh),
        inner.map(lambda e: sp.exp(-e / TEMPERATURE)),
        inner.map(lambda e: 1 / (3 + e**2)),
        inner.map(lambda e: sp.sqrt(sp.exp(e))),
        pairs.map(lambda p: sp.Max(*p, evaluate=False)),
        # V[J] says how long the maximum is; a condition alone does not
        inner.map(lambda e: sa.maximum(e + V[J], J) if J in e.free_symbols else e),
        inner.map(lambda e: sa.argmax(L, e, J) * V[L] if J in e.free_symbols else e),
    )


@settings(deadline=None, max_examples=40)
@given(st.recursive(st.one_of(scalars, matrices, vectors), grown, max_leaves=6))
def test_generated_expressions_are_read_back(expr):
    free = tuple(Index(x.name, sp.sympify(x.upper + 1)) for x in (I_, J))
    poly = (
        lower(sa.define("e", (I_, J, P), expr).expr, (I_, J, P))
        if P in expr.atoms(sp.Idx)
        else lower(expr, (I_, J))
    )
    if P in expr.atoms(sp.Idx):
        free = (*free, Index("p", N))
    for implicit in (False, True):
        text = latex(poly, free, implicit=implicit)
        assert reread(text, poly, free) is plain(poly, free), text


def test_a_size_in_an_index_is_no_letter():
    text = r"""<!-- symattn: sizes G:(r,m) V:(n,n); indices from 0 -->

$$ V^{ik} = \frac{\sum_{l \in [n]} G^{(k-l+n-1)a} b_a}
{\sum_{l \in [n]} \sum_{j \in [n]} G^{(j-l+n-1)a} b_a} $$
"""
    assert [d.name for d in read(text)] == ["V"]
    other = r"$$ V = \frac{a_t}{1 - a_t} $$ $$ a_t = b a_{t-1} $$"
    with pytest.raises(sa.SymattnError, match="another number for every t"):
        read(other)
