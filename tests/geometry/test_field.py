"""The exact field: laws, zeros and near misses, derivatives, factors, both rings."""

import pytest
import sympy as sp
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from symattn.errors import SymattnError, UnsupportedError
from symattn.geometry import Scalars, canonical, is_zero, rings
from symattn.geometry.field import Field

x, y, k = sp.symbols("x y k")
p = sp.Symbol("p", positive=True)
f = sp.Function("f")
half, third = sp.Rational(1, 2), sp.Rational(1, 3)

LEFT, RIGHT = sp.sqrt(1 + x), sp.sqrt(1 + y**2)
ZEROS = [
    sp.cos(2 * x) - 1 + 2 * sp.sin(x) ** 2,
    sp.sin(3 * x) - 3 * sp.sin(x) + 4 * sp.sin(x) ** 3,
    sp.tan(x + y) - (sp.tan(x) + sp.tan(y)) / (1 - sp.tan(x) * sp.tan(y)),
    sp.sinh(2 * x) - 2 * sp.sinh(x) * sp.cosh(x),
    sp.cosh(x) ** 2 - sp.sinh(x) ** 2 - 1,
    sp.sinh(3 * x) - 3 * sp.sinh(x) - 4 * sp.sinh(x) ** 3,
    1 / sp.sinh(x) - sp.sinh(x) / (sp.cosh(x) ** 2 - 1),
    sp.exp(x + y) - sp.exp(x) * sp.exp(y),
    sp.tanh(x) - (sp.exp(2 * x) - 1) / (sp.exp(2 * x) + 1),
    (x**third + 1) * (x ** (2 * third) - x**third + 1) - x - 1,
    1 / (1 + (1 + x) ** third) - (1 - (1 + x) ** third + (1 + x) ** (2 * third)) / (2 + x),
    sp.sqrt(1 + sp.sqrt(x)) ** 4 - 1 - 2 * sp.sqrt(x) - x,
    1 / (sp.sqrt(1 + sp.sqrt(2)) - 1) - (sp.sqrt(1 + sp.sqrt(2)) + 1) / sp.sqrt(2),
    sp.sqrt(6) - sp.sqrt(2) * sp.sqrt(3),
    x**k * x ** (2 - k) - x**2,
    4**k - 2 ** (2 * k),
    6**k - 2**k * 3**k,
    sp.Rational(2, 3) ** k * 3**k - 2**k,
    sp.sqrt(sp.Rational(2, 3)) - sp.sqrt(6) / 3,
    (-4) ** k - (-1) ** k * 2 ** (2 * k),
    sp.log(6) - sp.log(2) - sp.log(3),
    sp.log(p * x**0 * 2) - sp.log(p) - sp.log(2),
    sp.diff(f(x) ** 2, x) - 2 * f(x) * f(x).diff(x),
    sp.Derivative(sp.sin(x) ** 2, x) - sp.sin(2 * x),
    1 / (LEFT + RIGHT) - (LEFT - RIGHT) / (x - y**2),  # roots of two polynomials below the bar
    (x / (LEFT + RIGHT)) ** -2 * x**2 - LEFT**2 - 2 * LEFT * RIGHT - RIGHT**2,
    sp.exp(k * sp.log(x) + x) - x**k * sp.exp(x),
    sp.sqrt(5 + 2 * sp.sqrt(6)) - sp.sqrt(2) - sp.sqrt(3),
    sp.I**2 + 1,
    (1 - sp.I) * (1 + sp.I) - 2,
    sp.sqrt(1 - 2 / x) ** 2 * x - x + 2,
    1 / sp.sqrt(1 - 2 / x) - sp.sqrt(1 - 2 / x) * x / (x - 2),
]
NEAR_MISSES = [
    sp.cos(2 * x) - 1 + 2 * sp.sin(x) ** 3,
    sp.sin(3 * x) - 3 * sp.sin(x) + 5 * sp.sin(x) ** 3,
    sp.sinh(2 * x) - 2 * sp.sinh(x) * sp.sinh(x),
    sp.exp(x + y) - sp.exp(x) - sp.exp(y),
    sp.sqrt(1 + sp.sqrt(x)) ** 4 - 1 - sp.sqrt(x) - x,
    sp.sqrt(6) - sp.sqrt(2) - sp.sqrt(3),
    x**k * x ** (3 - k) - x**2,
    sp.log(p) - sp.log(2 * p),
    sp.exp(k * sp.log(x)) - x ** (2 * k),
    1 / (LEFT + RIGHT) - (LEFT + RIGHT) / (x - y**2),
    1 / (LEFT + RIGHT) ** 2 - 1 / (x + y**2 + 2),
    sp.sqrt(5 + 2 * sp.sqrt(6)) - sp.sqrt(2) - sp.sqrt(5),
    f(x) - f(y),
    f(x).diff(x) - f(x),
    sp.I + 1,
    sp.Rational(1, 10**6) * x,
    sp.sqrt(x**2) + x,
]


@pytest.mark.parametrize("expr", ZEROS, ids=str)
def test_zero_is_decided(expr):
    assert canonical(expr) is sp.S.Zero
    assert is_zero(expr) is True
    assert is_zero(expr + sp.Rational(1, 1000)) is False


@pytest.mark.parametrize("expr", NEAR_MISSES, ids=str)
def test_what_is_not_zero_has_a_value(expr):
    assert canonical(expr) != 0
    assert is_zero(expr) is False


@pytest.mark.parametrize(
    "expr",
    [
        sp.asin(x) + sp.acos(x) - sp.pi / 2,
        sp.sqrt(p**2 + 2 * p + 1) - p - 1,
        sp.cos(sp.pi / 7) - sp.cos(2 * sp.pi / 7) + sp.cos(3 * sp.pi / 7) - half,
    ],
    ids=str,
)
def test_a_relation_that_is_not_known_is_no_verdict(expr):
    assert is_zero(expr) is None


@pytest.mark.parametrize("wrong", [0.5 * x, sp.zoo, sp.nan, sp.Matrix([x]), x < y], ids=str)
def test_what_is_no_exact_scalar_is_refused(wrong):
    with pytest.raises(SymattnError, match="not an exact scalar"):
        is_zero(wrong)


leaves = st.sampled_from(
    [
        *(x, y, sp.S(2), sp.S(-1), f(x)),
        *(sp.sin(x), sp.cos(x), 1 / sp.sin(x) ** 2, sp.sinh(x), 1 / sp.sinh(x) ** 2),
        *(sp.exp(y), sp.sqrt(y), sp.sqrt(1 + x**2)),
    ]
)
expressions = st.recursive(
    leaves,
    lambda e: st.one_of(
        st.builds(lambda a, b: a + b, e, e),
        st.builds(lambda a, b: a * b, e, e),
        st.builds(lambda a: a**2, e),
        st.builds(lambda a: 1 / (3 + a**2), e),
    ),
    max_leaves=5,
)
AT = {x: sp.Rational(3, 7), y: sp.Rational(5, 4)}


def value(expr):
    """A number, with a polynomial for f."""
    return sp.N(expr.subs(f, sp.Lambda(x, x**3 + x + 2)).doit().subs(AT), 30)


@settings(max_examples=40, deadline=None)
@given(expressions)
def test_the_canonical_form_has_the_same_value(expr):
    assert abs(value(canonical(expr) - expr)) < 1e-20 * (1 + abs(value(expr)))


@settings(max_examples=40, deadline=None)
@given(expressions, expressions, expressions)
def test_the_laws_of_a_field(a, b, c):
    scalars = Scalars([a, b, c])
    one, two, three = map(scalars.read, (a, b, c))
    assert not (one * (two + three) - (one * two + one * three))
    assert not (one + two - two - one)
    if two:
        assert not (one / two * two - one)


@settings(max_examples=40, deadline=None)
@given(expressions, st.sampled_from([x, y]))
def test_derivatives_are_those_of_sympy(expr, by):
    scalars = Scalars([expr])
    element = scalars.derivative(scalars.read(expr), by)
    assert not element - scalars.read(sp.diff(expr, by))


@settings(max_examples=25, deadline=None)
@given(expressions, expressions)
def test_both_rings_agree(a, b):
    pytest.importorskip("flint")
    shown = []
    for flint in (True, False):
        scalars = Scalars([a, b], flint)
        one, other = scalars.read(a), scalars.read(b)
        shown.append(scalars.shown(one / other if other else one))
    assert shown[0] == shown[1]


polynomials = st.dictionaries(
    st.tuples(st.integers(0, 2), st.integers(0, 2), st.integers(0, 1)),
    st.integers(-3, 3).filter(bool),
    min_size=1,
    max_size=4,
)


@settings(max_examples=60, deadline=None)
@given(polynomials, polynomials, polynomials)
def test_exact_division(one, other, third):
    ring = rings.SympyRing(3)
    a, b, c = map(ring.make, (one, other, third))
    assume(a and b)
    assert ring.divide(a * b, b) == a
    assert ring.divide(a - a, b) == a - a
    quotient = ring.divide(a * b + c, b)
    if quotient is not None:
        assert quotient * b == a * b + c
    elif c:
        _, rest = (a * b + c).div(b)
        assert rest


def test_a_factor_found_to_be_a_product_is_split():
    scalars = Scalars([x, y])
    product = scalars.read(1 / (x**2 - y**2))
    part = scalars.read(1 / (x - y))
    both = scalars.field.total([(1, (product,)), (1, (part,))])
    assert canonical(scalars.shown(both) - (1 + x + y) / (x**2 - y**2)) == 0
    assert scalars.shown(scalars.read((x + y) / (x**2 - y**2))) == 1 / (x - y)
    assert scalars.shown(scalars.read(1 / (x**2 - y**2)) * scalars.read(x - y)) == 1 / (x + y)


def test_powers_of_sums_are_seen_as_powers():
    scalars = Scalars([x, y])
    square = scalars.read(1 / sp.expand((x + 2 * y) ** 3 * (x - 1)))
    assert sorted(square.over.values()) == [1, 3]
    assert len(scalars.field.active()) == 2


def test_new_generators_may_come_later_but_no_parts_of_known_ones():
    scalars = Scalars([sp.sin(x)])
    before = scalars.read(sp.sin(x) ** 2)
    later = scalars.read(sp.exp(y) * f(x, y) + sp.sin(2 * x))
    assert scalars.shown(before + later) == canonical(
        sp.sin(x) ** 2 + sp.exp(y) * f(x, y) + sp.sin(2 * x)
    )
    for finer in (sp.sin(x / 2), sp.exp(y / 3)):
        with pytest.raises(UnsupportedError, match="is a part of what the field was made with"):
            scalars.read(finer)
    with pytest.raises(UnsupportedError, match="is a part of"):
        Scalars([x]).read(sp.sqrt(x))


def test_division_by_zero_is_seen():
    with pytest.raises(ZeroDivisionError):
        Field().inverse(Field().number(0))
    with pytest.raises(SymattnError, match="divides by 0"):
        canonical(1 / (sp.cos(2 * x) - 1 + 2 * sp.sin(x) ** 2))
    with pytest.raises(SymattnError, match="divides by 0"):  # √(x²) − x may be 0
        canonical(1 / (sp.sqrt(x**2) - x))


def test_factors_print_as_the_names_they_have():
    Sigma = sp.Symbol("Sigma")
    scalars = Scalars([x, y])
    scalars.name(Sigma, x**2 + y**2)
    element = scalars.read(y / (x**2 + y**2) ** 2)
    assert scalars.shown(element, named=True) == y / Sigma**2
    assert scalars.shown(element) == y / (x**2 + y**2) ** 2


def test_the_work_on_one_zero_is_bounded():
    power = (1 + x + y + k) ** 400
    assert is_zero(power * (x - x**2 + 1) - power) is False
    assert is_zero((1 + x + y + k + p) ** 90 * (1 - x) - (1 + x + y + k + p) ** 90) in (False, None)


def test_assumed_functions_are_told():
    assert Scalars([sp.erf(x), sp.log(y), f(x), sp.sin(x)]).assumed == (sp.erf(x), sp.log(y))


@pytest.mark.parametrize(
    ("kind", "verdict"),
    [
        ({"negative": True}, False),
        ({"odd": True}, False),
        ({"imaginary": True}, None),
        ({"prime": True, "even": True}, None),
        ({"integer": True, "nonpositive": True}, False),
    ],
    ids=str,
)
def test_values_are_drawn_as_assumed_or_not_at_all(kind, verdict):
    s = sp.Symbol("s", **kind)
    assert is_zero(sp.erf(s) - sp.sin(s)) is verdict
