"""Known metrics: textbook curvature, field equations exactly 0, autodiff, other libraries."""

import numpy as np
import pytest
import sympy as sp
from hypothesis import given, settings
from hypothesis import strategies as st
from sympy.diffgeom import (
    CoordSystem,
    Manifold,
    Patch,
    TensorProduct,
    metric_to_Christoffel_2nd,
    metric_to_Riemann_components,
)

from symattn.errors import SymattnError
from symattn.geometry import Metric, canonical, catalogue, is_zero, rings

M, Q, a, b, k, H, ell = sp.symbols("M Q a b k H ell")
t, r, theta, phi, x, y, z, u, v = sp.symbols("t r theta phi x y z u v")
sin, cos = sp.sin(theta), sp.cos(theta)
alpha, wave = sp.Function("alpha")(t), sp.Function("H")(u, x, y)
NAMES = list(catalogue.CATALOGUE)
VACUUM = ["schwarzschild", "eddington_finkelstein", "kerr", "myers_perry", "kasner"]


@pytest.mark.parametrize("name", VACUUM)
def test_a_vacuum_is_recognised_as_exactly_zero(name):
    metric = catalogue.metric(name)
    assert metric.ricci.is_zero and metric.ricci.nonzero == {}
    assert metric.scalar is sp.S.Zero
    assert not metric.riemann.is_zero
    assert (metric.weyl - metric.riemann_lower).is_zero


@pytest.mark.parametrize(
    ("name", "scalar", "kretschmann"),
    [
        ("sphere", 2 / a**2, 4 / a**4),
        ("hyperbolic", -2, 4),
        ("torus", 2 * sp.cos(v) / (a * (b + a * sp.cos(v))), None),
        ("schwarzschild", 0, 48 * M**2 / r**6),
        ("eddington_finkelstein", 0, 48 * M**2 / r**6),
        ("reissner_nordstroem", 0, 8 * (6 * M**2 * r**2 - 12 * M * Q**2 * r + 7 * Q**4) / r**8),
        (
            "kerr",
            0,
            48
            * M**2
            * (r**2 - a**2 * cos**2)
            * ((r**2 + a**2 * cos**2) ** 2 - 16 * r**2 * a**2 * cos**2)
            / (r**2 + a**2 * cos**2) ** 6,
        ),
        ("kerr_newman", 0, None),
        ("flrw", 6 * (alpha.diff(t, 2) / alpha + (alpha.diff(t) ** 2 + k) / alpha**2), None),
        ("de_sitter", 12 * H**2, 24 * H**4),
        ("anti_de_sitter", -12 / ell**2, 24 / ell**4),
        ("kasner", 0, 16 * k**2 * (1 + k) ** 2 / (t**4 * (1 + k + k**2) ** 3)),
        ("goedel", -1 / a**2, 3 / a**4),
        ("pp_wave", 0, 0),
        ("gaussian", -1, 1),
        ("categorical", sp.Rational(1, 2), sp.Rational(1, 4)),
    ],
)
def test_invariants_are_those_of_the_textbooks(name, scalar, kretschmann):
    metric = catalogue.metric(name)
    assert canonical(metric.scalar - scalar) == 0
    if kretschmann is not None:
        assert canonical(metric.kretschmann - kretschmann) == 0


@pytest.mark.parametrize("name", ["de_sitter", "anti_de_sitter", "sphere", "hyperbolic"])
def test_constant_curvature(name):
    metric = catalogue.metric(name)
    n = len(metric.coordinates)
    assert (metric.ricci - metric.scalar / n * metric.tensor_g).is_zero
    assert metric.weyl.is_zero
    factor, g = metric.scalar / (n * (n - 1)), metric.matrix
    for (p, q, c, d), value in metric.riemann_lower.nonzero.items():
        at = [metric.coordinates.index(s) for s in (p, q, c, d)]
        wanted = g[at[0], at[2]] * g[at[1], at[3]] - g[at[0], at[3]] * g[at[1], at[2]]
        assert canonical(value - factor * wanted) == 0


@pytest.mark.parametrize("name", ["kerr_newman", "reissner_nordstroem"])
def test_a_charged_hole_solves_the_equations_of_einstein_and_maxwell(name):
    metric = catalogue.metric(name)
    spin = a if name == "kerr_newman" else 0
    rho = r**2 + spin**2 * cos**2
    potential = metric.tensor("_", [-Q * r / rho, 0, 0, Q * r * spin * sin**2 / rho], "A")
    slopes = potential.covariant_derivative()  # [a, b] = ∇_b A_a
    n = range(4)
    field = metric.tensor("__", [[slopes[j, i] - slopes[i, j] for j in n] for i in n], "F")
    mixed, upper = field.to("_^"), field.to("^^")
    square = sum(field[i, j] * upper[i, j] for i in n for j in n)
    stress = [
        [sum(field[i, p] * mixed[j, p] for p in n) - metric.matrix[i, j] * square / 4 for j in n]
        for i in n
    ]
    assert (metric.einstein - 2 * metric.tensor("__", stress)).is_zero
    assert upper.covariant_derivative().contracted(1, 2).is_zero
    assert not metric.einstein.is_zero


def test_the_field_equations_of_other_entries():
    flrw, goedel = catalogue.metric("flrw"), catalogue.metric("goedel")
    slope = alpha.diff(t)
    assert canonical(flrw.einstein[t, t] - 3 * (slope**2 + k) / alpha**2) == 0
    assert flrw.weyl.is_zero
    observer = goedel.tensor("^", [1 / a, 0, 0, 0])
    lowered = observer.to("_")
    dust = {(i, j): lowered[i] * lowered[j] / a**2 for i in range(4) for j in range(4)}
    assert (goedel.ricci - goedel.tensor("__", dust)).is_zero
    pp = catalogue.metric("pp_wave")
    assert set(pp.ricci.nonzero) == {(u, u)}
    assert canonical(pp.ricci[u, u] + (wave.diff(x, 2) + wave.diff(y, 2)) / 2) == 0


def test_the_warp_drive_needs_negative_energy():
    metric = catalogue.metric("alcubierre")
    place = sp.Function("xi")(t)
    speed, distance = place.diff(t), sp.sqrt((x - place) ** 2 + y**2 + z**2)
    f = sp.Function("f")
    normal = metric.tensor("^", [1, speed * f(distance), 0, 0])
    density = sum(metric.einstein[i, j] * normal[i] * normal[j] for i in range(4) for j in range(4))
    slope = f(distance).diff(y) * distance / y  # f'(ρ)
    wanted = -(speed**2) * (y**2 + z**2) * slope**2 / (4 * distance**2)
    assert is_zero(density - wanted) is True


def test_the_conformally_flat_metric():
    metric = catalogue.metric("conformally_flat")
    f = sp.Function("phi")(x, y, z)
    laplacian = sum(f.diff(s, 2) for s in (x, y, z))
    squares = sum(f.diff(s) ** 2 for s in (x, y, z))
    assert canonical(metric.scalar + sp.exp(-2 * f) * (4 * laplacian + 2 * squares)) == 0


@pytest.mark.parametrize("name", [n for n in NAMES if n not in ("alcubierre", "diagonal")])
def test_symmetries_and_identities_of_the_riemann_tensor(name):
    metric = catalogue.metric(name)
    n, lower = range(len(metric.coordinates)), metric.riemann_lower
    for p, q, c, d in np.ndindex(*(len(n),) * 4):
        assert lower[p, q, c, d] == -lower[q, p, c, d] == lower[c, d, p, q]
    for place in list(lower.nonzero)[:6]:
        p, q, c, d = place
        assert canonical(lower[p, q, c, d] + lower[p, c, d, q] + lower[p, d, q, c]) == 0
    assert metric.einstein.to("^_").covariant_derivative().contracted(0, 2).is_zero


@pytest.mark.parametrize("name", ["eddington_finkelstein", "kerr"])
def test_compiled_curvature_agrees_with_autodiff(name):
    metric, entry = catalogue.metric(name), catalogue.CATALOGUE[name]
    known = {str(s) for s in (*metric.coordinates, *metric.parameters)}
    domain = {s: interval for s, interval in entry.domain.items() if s in known}
    report = metric.verify(domain, points=5, curvature=True)
    assert report.ok, str(report)
    assert [row.name[0] for row in report.rows] == ["G", "G", "R"]


def numbers(metric, at):
    """g, ∂g and ∂∂g at a point: SymPy's diff and evaluation, nothing of the exact field."""
    xs, n = metric.coordinates, len(metric.coordinates)

    def value(expr):
        return float(expr.doit().subs(at).evalf(30))

    g = np.array([[value(metric.matrix[i, j]) for j in range(n)] for i in range(n)])
    first = np.array(
        [[[value(metric.matrix[i, j].diff(p)) for j in range(n)] for i in range(n)] for p in xs]
    )
    second = np.array(
        [
            [
                [[value(metric.matrix[i, j].diff(p, q)) for j in range(n)] for i in range(n)]
                for p in xs
            ]
            for q in xs
        ]
    )
    return g, first, second


def riemann_of(g, first, second):
    """R^a_{bcd} from numbers, by ∂Γ + ΓΓ with ∂g⁻¹ = −g⁻¹ ∂g g⁻¹."""
    inverse = np.linalg.inv(g)
    lower = 0.5 * (
        np.einsum("abd->dab", first) + np.einsum("bad->dab", first) - np.einsum("dab->dab", first)
    )
    slope = 0.5 * (
        np.einsum("eabd->edab", second)
        + np.einsum("ebad->edab", second)
        - np.einsum("edab->edab", second)
    )
    gamma = np.einsum("cd,dab->cab", inverse, lower)
    d_inverse = -np.einsum("cp,epq,qd->ecd", inverse, first, inverse)
    d_gamma = np.einsum("ecd,dab->ecab", d_inverse, lower) + np.einsum(
        "cd,edab->ecab", inverse, slope
    )
    half = np.einsum("cadb->abcd", d_gamma) + np.einsum("ace,edb->abcd", gamma, gamma)
    return gamma, half - np.swapaxes(half, 2, 3)


def compared(metric, at):
    """The exact components at a point against those from numbers."""
    gamma, riemann = riemann_of(*numbers(metric, at))
    n = len(metric.coordinates)
    for components, wanted in ((metric.christoffel, gamma), (metric.riemann, riemann)):
        got = np.zeros((n,) * components.rank)
        for place, value in components._values.items():
            got[place] = float(value.evalf(30, subs=at))
        np.testing.assert_allclose(got, wanted, rtol=1e-10, atol=1e-11 * (1 + np.abs(wanted).max()))


UNLISTED = [
    Metric((x, y), [[1 + x**2, sp.sin(x * y)], [sp.sin(x * y), 2 + sp.cos(y) ** 2]]),
    Metric((x, y, z), [[2, x, 0], [x, 1 + y**2 + x**2, sp.exp(y)], [0, sp.exp(y), 3 + x**2]]),
    Metric((r, theta), sp.diag(sp.sqrt(1 - 2 * M / r), r ** sp.Rational(4, 3))),
    Metric((x, y), sp.diag(sp.log(2 + x), sp.atan(y) + sp.erf(x) + 2)),
    Metric((x, y), sp.diag(x**k, 1 + sp.sqrt(1 + sp.sqrt(x) + y))),
    Metric((x, y, z), sp.diag(sp.cosh(x + y), sp.exp(x) + sp.sinh(x) ** 2, 1 / sp.cos(z) ** 2)),
    Metric((x, y), sp.diag(sp.tan(x / 2) ** 2 + 1, sp.sin(3 * x) ** 2 + sp.cos(x / 3))),
    Metric(
        (x, y),
        sp.diag((1 + x) ** sp.Rational(2, 3) + 1, 1 / (1 + (1 + x * y) ** sp.Rational(1, 3))),
    ),
]


@pytest.mark.parametrize("metric", UNLISTED, ids=str)
def test_metrics_that_nobody_listed(metric):
    at = {x: 0.7, y: 0.4, z: 0.3, r: 3.1, theta: 1.1, M: 0.6, k: 1.7}
    compared(metric, {s: sp.Rational(str(value)) for s, value in at.items()})


PARTS = [x, y**2, sp.sin(x), sp.cos(y), sp.exp(x - y), x * y, sp.sqrt(1 + z**2), 1 / (3 + x)]
entries = st.builds(
    lambda c, n, e: c + sp.Rational(n, 4) * e,
    st.integers(2, 4),
    st.sampled_from([-1, 1]),
    st.sampled_from(PARTS),
)


@settings(max_examples=8, deadline=None)
@given(st.lists(entries, min_size=2, max_size=3), st.lists(entries, min_size=1, max_size=1))
def test_random_metrics(diagonal, corner):
    matrix = sp.diag(*diagonal)
    if len(diagonal) == 2:
        matrix[0, 1] = matrix[1, 0] = (corner[0] - 2) / 8
    metric = Metric((x, y, z)[: len(diagonal)], matrix)
    at = {x: sp.Rational(2, 7), y: sp.Rational(-3, 11), z: sp.Rational(1, 3)}
    compared(metric, at)


@pytest.mark.parametrize(
    "matrix",
    [
        sp.diag(1, sp.sin(x) ** 2),
        sp.Matrix([[1 + y**2, x], [x, 2 + x**2]]),
        sp.exp(2 * sp.Function("f")(x, y)) * sp.eye(2),
    ],
    ids=str,
)
def test_the_same_components_as_diffgeom(matrix):
    chart = CoordSystem("chart", Patch("patch", Manifold("manifold", 2)), [x, y])
    functions, forms = chart.base_scalars(), chart.base_oneforms()
    known = dict(zip((x, y), functions, strict=True))
    metric = sum(
        matrix[i, j].xreplace(known) * TensorProduct(forms[i], forms[j])
        for i in range(2)
        for j in range(2)
    )
    back = {f: s for s, f in known.items()}
    ours = Metric((x, y), matrix)
    gamma, riemann = metric_to_Christoffel_2nd(metric), metric_to_Riemann_components(metric)
    for components, theirs in ((ours.christoffel, gamma), (ours.riemann, riemann)):
        for place in np.ndindex(*theirs.shape):
            wanted = theirs[place].doit().xreplace(back)
            assert canonical(components[place] - wanted) == 0


# ----------------------------------------------------------------------------------- both rings


@pytest.mark.parametrize("name", ["kerr", "categorical", "flrw"])
def test_both_rings_print_the_same(name, monkeypatch):
    flint = pytest.importorskip("flint")
    assert flint
    shown = []
    for has in (True, False):
        monkeypatch.setattr(rings, "HAS_FLINT", has)
        metric = catalogue.metric(name)
        shown.append(f"{metric.christoffel}\n{metric.riemann_lower}\n{metric.kretschmann}")
    assert shown[0] == shown[1]


def test_an_unknown_name_names_the_nearest():
    with pytest.raises(SymattnError, match="did you mean schwarzschild"):
        catalogue.metric("schwarzshild")
