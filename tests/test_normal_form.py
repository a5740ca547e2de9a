"""The laws of the normal form, on randomly generated expressions."""

from fractions import Fraction

import numpy as np
import sympy as sp
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

import symattn as sa
from symattn import normalize as nf
from symattn.convert import lower, raise_, with_letters
from symattn.errors import FormulaError, LimitError, UnsupportedError
from symattn.evaluate import Evaluator
from symattn.ir import (
    Argmax,
    Call,
    Delta,
    Index,
    Mask,
    Max,
    Poly,
    Ref,
    Sum,
    Tensor,
    Term,
    affine,
    number,
    parts,
    raw_add,
    raw_atom,
    raw_product,
)
from symattn.places import apart
from symattn.sample import draw, leaves

N, M = sa.sizes("n m")
SIZES = {"n": 3, "m": 2}
LETTERS = {N: [Index(c, N) for c in "ijkl"], M: [Index(c, M) for c in "ab"]}
VECTORS = [Tensor("x", (N,)), Tensor("p", (N,), sign="+"), Tensor("u", (M,))]
MATRICES = [
    Tensor("A", (N, N)),
    Tensor("B", (N, M)),
    Tensor("G", (N, N), symmetry="symmetric"),
    Tensor("F", (N, N), symmetry="antisymmetric"),
]
SCALARS = [
    Tensor("s", symbol=sp.Symbol("s", real=True)),
    Tensor("t", (), "+", symbol=sp.Symbol("t", positive=True)),
]

laws = settings(
    max_examples=40,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much],
)


@st.composite
def atoms(pick):
    tensor = pick(st.sampled_from([*VECTORS, *MATRICES, *SCALARS]))
    return raw_atom(Ref(tensor, [pick(st.sampled_from(LETTERS[s])) for s in tensor.shape]))


@st.composite
def deltas(pick):
    size = pick(st.sampled_from([N, M]))
    a, b = (pick(st.sampled_from(LETTERS[size])) for _ in range(2))
    if pick(st.booleans()):
        return raw_atom(Delta(a, b))
    return raw_atom(
        Mask(
            affine({a: 1, b: -1}, sp.Integer(pick(st.integers(-1, 0))))
            if a is not b
            else affine({}, sp.S.Zero)
        )
    )


def extended(inner):
    return st.one_of(
        st.lists(inner, min_size=2, max_size=3).map(raw_product),
        st.lists(inner, min_size=2, max_size=2).map(raw_add),
        st.tuples(inner, st.sampled_from([Fraction(-2), 3, Fraction(1, 2)])).map(
            lambda pair: raw_product([number(pair[1]), pair[0]])
        ),
        inner.map(lambda x: raw_atom(x, 2)),
        st.tuples(st.sampled_from("ijkl"), inner).map(
            lambda pair: raw_atom(Sum([Index(pair[0], N)], pair[1]))
        ),
        st.tuples(st.sampled_from("ab"), inner).map(
            lambda pair: raw_atom(Sum([Index(pair[0], M)], pair[1]))
        ),
        inner.map(lambda x: raw_atom(Call("exp", [raw_product([number(Fraction(1, 4)), x])]))),
        inner.map(lambda x: raw_atom(Call("tanh", [x]))),
        inner.map(lambda x: raw_atom(raw_add([number(1), raw_atom(Call("exp", [x]))]), -1)),
        inner.map(lambda x: raw_atom(Call("log", [raw_add([number(2), raw_atom(x, 2)])]))),
        inner.map(lambda x: raw_atom(Sum([Index("k", N)], raw_atom(Call("exp", [x]))), -1)),
        st.lists(inner, min_size=2, max_size=3).map(lambda args: raw_atom(Max((), args))),
        st.tuples(st.sampled_from("ijk"), inner).map(
            lambda pair: raw_atom(Max([Index(pair[0], N)], [pair[1]]))
        ),
        st.tuples(st.sampled_from("ab"), inner).map(
            lambda pair: raw_atom(Max([Index(pair[0], M)], [pair[1]]))
        ),
        st.tuples(st.sampled_from("ijl"), inner).map(
            lambda pair: raw_atom(Argmax([Index(pair[0], N)], [Index("k", N)], pair[1]))
        ),
    )


expressions = st.recursive(st.one_of(atoms(), deltas()), extended, max_leaves=7)


def normal(raw):
    try:
        return nf.normalize(raw)
    except (LimitError, UnsupportedError):
        assume(False)


def value(poly, axes, seed=3):
    rng = np.random.default_rng(seed)
    arrays = {n: draw(t, SIZES, rng) for n, t in sorted(leaves([poly]).items()) if n not in SIZES}
    return arrays, Evaluator(arrays, SIZES)


def close(left, right):
    finite = np.isfinite(left) & np.isfinite(right)
    scale = 1 + np.max(np.abs(left[finite]), initial=0.0)
    return np.all(np.abs(left - right)[finite] <= 1e-9 * scale)


@laws
@given(expressions)
def test_idempotent(raw):
    once = normal(raw)
    assert nf.normalize(once) is once


@st.composite
def slots(pick):
    """A letter, or a sum of two with signs, and a constant."""
    a, b = pick(st.permutations(LETTERS[N]))[:2]
    if pick(st.booleans()):
        return a
    items = {a: pick(st.sampled_from([1, -1])), b: pick(st.sampled_from([0, 1, -1]))}
    return affine(items, pick(st.sampled_from([sp.S.Zero, sp.S.One, N - 1, -sp.Integer(2)])))


@st.composite
def shifted(pick):
    """A product of δ of several letters, masks and components at affine slots, under a Σ."""
    factors = [
        raw_atom(Ref(VECTORS[0], [pick(slots())])),
        raw_atom(Ref(MATRICES[0], [pick(slots()), pick(slots())])),
    ]
    for letter in pick(st.lists(st.sampled_from(LETTERS[N]), min_size=1, max_size=2)):
        other = pick(slots().filter(lambda s, own=letter: own not in s.free))
        factors.append(raw_atom(Delta(letter, other)))
    one, two = pick(slots()), pick(slots())
    factors.append(raw_atom(Mask(difference(one, two))))
    product = raw_product(pick(st.permutations(factors))[: pick(st.integers(2, len(factors)))])
    bound = pick(st.lists(st.sampled_from(LETTERS[N]), min_size=2, max_size=3, unique=True))
    return raw_atom(Sum(bound, product))


def difference(one, two):
    """The slot one − two."""
    items, const = apart(one, two)
    return affine(items, const)


@settings(laws, max_examples=150)
@given(shifted())
def test_idempotent_beside_deltas_of_several_letters(raw):
    """δ_{i,j+k} of bound letters: what the others are written in does not hang on their names."""
    once = normal(raw)
    assert nf.normalize(once) is once


@settings(laws, max_examples=60)
@given(shifted())
def test_the_value_beside_deltas_of_several_letters(raw):
    result = normal(raw)
    axes = sorted(raw.free | result.free, key=lambda i: i.sort)
    _, evaluator = value(raw, axes)
    try:
        found = evaluator(result, axes)
    except FormulaError as error:  # Σ_j δ leaves A[l - 2, n - 4], which is none where n is 3
        assert "leaves its range" in str(error)
        assume(False)
    np.testing.assert_allclose(evaluator(raw, axes), found, atol=1e-9)


@laws
@given(expressions)
def test_numerically_equal_to_the_input(raw):
    result = normal(raw)
    axes = sorted(raw.free | result.free, key=lambda i: i.sort)
    assume(len(axes) <= 4)
    rng = np.random.default_rng(3)
    arrays = {n: draw(t, SIZES, rng) for n, t in sorted(leaves([raw]).items())}
    evaluator = Evaluator(arrays, SIZES)
    with np.errstate(all="ignore"):
        left, right = evaluator(raw, axes), evaluator(result, axes)
    assume(np.all(np.abs(left) < 1e12))
    assert close(left, right)


def renamed(node, names):
    """The same expression with other letters for bound indices."""
    match node:
        case Poly() | Term():
            return type(node)({renamed(child, names): e for child, e in node})
        case Ref():
            return Ref(node.tensor, [names.get(s, s) for s in node.slots])
        case Delta():
            return Delta(names.get(node.a, node.a), names.get(node.b, node.b))
        case Mask():
            items = getattr(node.slot, "items", ((node.slot, 1),))
            const = getattr(node.slot, "const", sp.S.Zero)
            return Mask(affine({names.get(i, i): c for i, c in items}, const))
        case Call():
            return Call(node.name, [renamed(a, names) for a in node.args])
        case Sum() | Max() | Argmax():
            new = {b: Index(b.name + "z" * (1 + len(names)), b.size) for b in node.bound}
            bound, inside = (
                tuple(new.values())[::-1],
                [renamed(p, {**names, **new}) for p in parts(node)],
            )
            if isinstance(node, Argmax):
                return Argmax([names.get(s, s) for s in node.at][::-1], bound, inside[0])
            return Max(bound, inside[::-1]) if isinstance(node, Max) else Sum(bound, inside[0])
    return node


@laws
@given(expressions)
def test_independent_of_letters(raw):
    assert normal(renamed(raw, {})) is normal(raw)


@laws
@given(st.lists(expressions, min_size=3, max_size=3))
def test_independent_of_association_and_order(parts):
    x, y, z = (normal(p) for p in parts)
    try:
        assert nf.multiply(x, nf.multiply(y, z)) is nf.multiply(nf.multiply(z, x), y)
        assert nf.multiply(x, nf.add(y, z)) is nf.add(nf.multiply(z, x), nf.multiply(y, x))
    except (LimitError, UnsupportedError):
        assume(False)


@laws
@given(expressions)
def test_independent_of_the_order_of_rules(raw):
    """Sums over one index at a time, in either order, and over both at once, normal or raw."""
    i, j = (Index(c, N, -1) for c in ("0", "1"))
    body = normal(raw)
    try:
        opened = nf.substitute(body, {LETTERS[N][0]: i, LETTERS[N][1]: j})
        both = nf.sum_over([i, j], opened)
        assert nf.sum_over([i], nf.sum_over([j], opened)) is both
        assert nf.sum_over([j], nf.sum_over([i], opened)) is both
        assert nf.normalize(raw_atom(Sum(LETTERS[N][:2], raw))) is both
    except (LimitError, UnsupportedError):
        assume(False)


@laws
@given(expressions)
def test_raise_and_lower_come_back(raw):
    result = normal(raw)
    assume(result.terms)
    back = nf.normalize(
        lower(
            raise_(result),
            [
                sp.Idx(sp.Symbol(i.name, integer=True), i.size)
                for i in sorted(result.free, key=lambda i: i.sort)
            ],
        )
    )
    assert back is result


@laws
@given(expressions)
def test_letters_do_not_change_the_value(raw):
    result = normal(raw)
    assert nf.normalize(with_letters(result, {})) is result
