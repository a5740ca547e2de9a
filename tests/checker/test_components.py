r"""Components of Γ and curvature beside a line element: proved, corrected, and never by mistake."""

import pytest

import symattn as sa
from symattn.checker.components import _written_out

SPHERE = r"$$ ds^2 = d\theta^2 + \sin^2\theta\, d\phi^2 $$"
BLACK_HOLE = r"""With $f(r) = 1 - \frac{2M}{r}$
$$ ds^2 = -f(r)\,dt^2 + \frac{dr^2}{f(r)} + r^2 (d\theta^2 + \sin^2\theta\, d\phi^2) $$"""
UNIVERSE = r"$$ ds^2 = -dt^2 + a(t)^2 (dx^2 + dy^2 + dz^2) $$"


def last(*formulas, corrections=False):
    text = "\n\n".join(f if "$$" in f else f"$$ {f} $$" for f in formulas)
    return sa.check(text, corrections=corrections).rows[-1]


@pytest.mark.parametrize(
    "element, claim",
    [
        (SPHERE, r"\Gamma^\theta_{\phi\phi} = -\sin\theta\cos\theta"),
        (
            SPHERE,
            r"\Gamma^\phi_{\ \theta\phi} = \Gamma^\phi_{\phi\theta} = 1/\tan\theta",
        ),
        (SPHERE, r"\Gamma_{\phi\phi}^\theta = -\frac12 \sin 2\theta"),
        (SPHERE, r"\Gamma^\theta_{\theta\theta} = \Gamma^\theta_{\theta\phi} = 0"),
        (SPHERE, r"R_{\theta\phi\theta\phi} = \sin^2\theta"),
        (BLACK_HOLE, r"\Gamma^t_{tr} = \frac{M}{r^2 f(r)}"),
        (BLACK_HOLE, r"\Gamma^r_{rr} = -\frac{M}{r(r - 2M)}"),
        (BLACK_HOLE, r"R_{tt} = 0"),
        (UNIVERSE, r"\Gamma^t_{xx} = a \dot a"),
        (UNIVERSE, r"R_{tt} = -3 \frac{\ddot a}{a}"),
        (UNIVERSE, r"G_{tt} = 3 \left(\frac{\dot a}{a}\right)^2"),
    ],
)
def test_what_the_line_element_gives_is_proved(element, claim):
    row = last(element, claim)
    assert row.verdict == "proved" and "the metric of line" in row.used[0]


@pytest.mark.parametrize(
    "element, claim, right",
    [
        (SPHERE, r"\Gamma^\theta_{\phi\phi} = \sin\theta\cos\theta", r"- \sin"),
        (BLACK_HOLE, r"\Gamma^r_{rr} = \frac{M}{r(r - 2M)}", r"- \frac{M}{r"),
        (UNIVERSE, r"R_{tt} = -2 \frac{\ddot a}{a}", r"- \frac{3"),
    ],
)
def test_slips_are_corrected(element, claim, right):
    row = last(element, claim, corrections=True)
    assert row.verdict == "refuted" and row.correction.startswith(right)


@pytest.mark.parametrize(
    "claim, verdict",
    [
        (r"R_{\theta\theta} = -1", "conditional"),  # the sign of curvature is a convention
        (r"\Gamma^\theta_{\phi\phi} = -c \cos\theta", "definition"),  # c is not of this metric
        (r"\Gamma^\theta_{\psi\psi} = \sin\theta", "definition"),  # nor is ψ
        (r"g_{\phi\phi} = \cos^2\theta", "definition"),  # perhaps of another metric
        (r"\Gamma^\theta_{\phi\phi} \approx 0", "skipped"),
    ],
)
def test_what_may_mean_something_else_is_not_refuted(claim, verdict):
    assert last(SPHERE, claim).verdict in (verdict, "unproved", "skipped")


def test_another_section_is_refuted_only_where_the_metric_is_meant():
    wrong, right = (
        r"\Gamma^\theta_{\phi\phi} = \cos\theta",
        r"\Gamma^\phi_{\phi\theta} = 1/\tan\theta",
    )
    text = f"{SPHERE}\n\n# Later\n\n$$ {wrong} $$"
    assert sa.check(text, corrections=False).rows[-1].verdict == "unproved"
    assert sa.check(f"{text}\n\n$$ {right} $$", corrections=False).rows[-2].verdict == "refuted"
    both = f"{SPHERE}\n\n$$ ds^2 = d\\theta^2 + \\sinh^2\\theta\\, d\\phi^2 $$\n\n$$ {wrong} $$"
    assert sa.check(both, corrections=False).rows[-1].verdict == "unproved"


POLAR = r"$$ g_{rr} = 1, \qquad g_{\theta\theta} = r^2 $$"
MATRIX = r"""$$ \begin{pmatrix} g_{rr} & g_{r\theta} \\ g_{\theta r} & g_{\theta\theta}
\end{pmatrix} = \begin{pmatrix} 1 & 0 \\ 0 & r^2 \end{pmatrix} $$"""


@pytest.mark.parametrize("metric", [POLAR, MATRIX])
def test_components_give_a_metric_as_a_line_element_does(metric):
    assert last(metric).verdict == "definition" and last(metric).reason.startswith("a metric in")
    for claim, verdict in (
        (r"g^{\theta\theta} = r^{-2}", "proved"),
        (r"\Gamma^\theta_{r\theta} = \frac12 g^{\theta\theta} g_{\theta\theta, r}", "proved"),
        (r"\Gamma^\theta_{r\theta} = g^{\theta\theta} \partial_r g_{\theta\theta}", "refuted"),
        (r"\Gamma^r_{\theta\theta} = r", "refuted"),
    ):
        assert last(metric, claim).verdict == verdict, claim


def test_no_metric_is_made_of_what_has_no_coordinates():
    numbers = "$$ g_{11} = 1, g_{22} = 4 $$"
    assert last(numbers, r"\Gamma^1_{22} = 3").verdict not in ("proved", "refuted")
    assert last(r"$$ g_{aa} = 2, g_{bb} = c $$", r"\Gamma^a_{bb} = 1").verdict not in (
        "proved",
        "refuted",
    )


def test_a_chain_is_held_against_its_first_component_side_by_side():
    chain = r"\Gamma^\phi_{\theta\phi} = \frac{2\sin\theta\cos\theta}{2 \sin^2\theta} = \tan\theta"
    rows = sa.check(f"{SPHERE}\n\n$$ {chain} $$", corrections=False).rows
    assert [r.verdict for r in rows][-2:] == ["proved", "refuted"]


def test_a_sign_that_other_components_have_is_no_convention():
    right = r"R^\theta_{\phi\theta\phi} = \sin^2\theta"
    wrong = r"R^\phi_{\theta\theta\phi} = 1"
    assert last(SPHERE, wrong).verdict == "conditional"
    assert last(SPHERE, right, wrong).verdict == "refuted"


def test_the_ricci_scalar_is_what_the_words_call_so():
    assert (
        sa.check("\n\n".join([SPHERE, "The Ricci scalar is", "$$R = 2$$"])).rows[-1].verdict
        == "proved"
    )
    assert last(SPHERE, "R = 2").verdict == "definition"


BLOCK = r"$$ g_{tt} = -\left(1 - \frac{2M}{r}\right), g_{rr} = \frac{1}{1 - 2M/r} $$"


def test_components_one_by_one_may_leave_coordinates_out():
    assert last(BLOCK, r"\Gamma^t_{tr} = \frac{M}{r(r - 2M)}").verdict == "proved"
    assert last(BLOCK, "R_{tt} = 0").verdict not in ("proved", "refuted")  # of four coordinates
    flat = r"$$ g_{rr} = 1, g_{\theta\theta} = r^2 $$"
    assert last(flat, r"R_{r\theta} = 0").verdict != "proved"


def test_a_component_off_the_diagonal_stands_for_both():
    mixed = r"$$ g_{tt} = -1, g_{t\phi} = \omega r^2, g_{rr} = 1, g_{\phi\phi} = r^2 $$"
    assert last(mixed, r"\Gamma^r_{t\phi} = -\omega r").verdict == "proved"
    assert last(mixed, r"\Gamma^r_{t\phi} = -\frac12 \omega r").verdict == "refuted"


def test_two_values_of_a_component_make_no_metric():
    assert last(POLAR, r"g_{\theta\theta} = r^3", r"\Gamma^r_{\theta\theta} = -r").verdict not in (
        "proved",
        "refuted",
    )


TWICE = r"""
The metric is $ds^2 = a^2\,d\theta^2 + a^2\sin^2\theta\,d\phi^2$, so $g_{\theta\theta} = a^2$ and
$g_{\phi\phi} = %s$.

$$ \Gamma^\theta_{\phi\phi} = -\sin\theta\cos\theta $$

$$ \Gamma^\phi_{\theta\phi} = 2 \cot\theta $$
"""


def test_a_metric_that_is_said_twice_is_one():
    found = sa.check(TWICE % r"a^2\sin^2\theta", corrections=False).rows
    assert [r.verdict for r in found[-2:]] == ["proved", "refuted"]
    another = sa.check(TWICE % r"a^2\cos^2\theta", corrections=False).rows
    assert another[-1].verdict == "unproved"  # of which of the two it is said is not clear


STATIC = r"""De Sitter space in static coordinates has the metric

$$ ds^2 = -(1 - H^2 r^2) dt^2 + \frac{dr^2}{1 - H^2 r^2}
 + r^2 (d\theta^2 + \sin^2\theta\, d\phi^2) $$

and the horizon at $r = 1/H$. Orbits are in the plane $\theta = \pi/2$.

The last of them has $r = 3 H^2$. Then

$$ R_{\mu\nu} = S_{\mu\nu} $$

$$ {} $$
"""


@pytest.mark.parametrize(
    ("claim", "found"),
    [
        (r"\Gamma^r_{\theta\theta} = -r (1 - H^2 r^2)", "proved"),
        (r"\Gamma^r_{\theta\theta} = r (1 - H^2 r^2)", "refuted"),
        (r"R_{\mu\nu} = 3 H^2 g_{\mu\nu}", "proved"),
        (r"R_{\mu\nu} = 4 H^2 g_{\mu\nu}", "definition"),  # a field equation may say so
        (r"G_{ab} + 3 H^2 g_{ab} = 0", "proved"),
        (r"R_{abcd} = H^2 (g_{ac} g_{bd} - g_{ad} g_{bc})", "proved"),
        (r"C_{abcd} = 0", "proved"),
        (r"R = 12 H^2", "proved"),
        (r"R = 6 H^2", "definition"),  # it may be a radius
        (r"R_{abcd} R^{abcd} = 24 H^4", "proved"),
        (r"R_{abcd} R^{abcd} = 12 H^4", "refuted"),
        (r"K = R_{\mu\nu\rho\sigma} R^{\mu\nu\rho\sigma} = 24 H^4", "proved"),
        (r"\Gamma^a_{bc} = \Gamma^a_{cb}", "proved"),
    ],
)
def test_every_component(claim: str, found: str) -> None:
    assert sa.check(STATIC.replace("{}", claim), corrections=False).rows[-1].verdict == found


@pytest.mark.parametrize(
    "claim", [r"g^{ab} R_{ab} = 0", r"R_{ab} g_{ab} = 0", r"g_{ab} g^{ab} = 1"]
)
def test_sums_are_no_components(claim: str) -> None:
    assert not [*_written_out(claim, ["t", "r"])]
    assert len([*_written_out(r"R_{ab} = 3 H^2 g_{ab}", ["t", "r"])]) == 4


UNITS = r"""In units where $c = G = 1$ and with $f(r) = 1 - \frac{r_s}{r}$
$$ ds^2 = -\left(1 - \frac{r_s}{r}\right) c^2 dt^2 + \frac{dr^2}{1 - r_s/r} $$"""
DIAGONAL = r"""In coordinates $(\theta, \phi)$ we have
$$ g_{ab} = \mathrm{diag}(a^2, a^2 \sin^2\theta) $$"""


@pytest.mark.parametrize(
    "element, claim, verdict",
    [
        (UNITS, r"\Gamma^r_{tt} = \frac{r_s (r - r_s)}{2 r^3}", "proved"),
        (UNITS, r"\Gamma^r_{tt} = \frac{c^2 r_s (r - r_s)}{2 r^3}", "proved"),
        (UNITS, r"\Gamma^r_{tt} = \frac12 f f'", "proved"),
        (UNITS, r"\Gamma^r_{tt} = f f'", "refuted"),
        (UNITS, r"\Gamma^r_{rr} = \frac{f'}{2f}", "refuted"),
        (UNITS.replace("c = G", "G = M"), r"\Gamma^r_{tt} = \frac12 f f'", "refuted"),
        (DIAGONAL, r"\Gamma^\theta_{\phi\phi} = -\sin\theta\cos\theta", "proved"),
        (DIAGONAL, r"\Gamma^\theta_{\phi\phi} = -a \sin\theta\cos\theta", "refuted"),
        (UNIVERSE, r"\Gamma^t_{ij} = a \dot a \delta_{ij}", "proved"),
        (UNIVERSE, r"\Gamma^t_{ij} = a \ddot a \delta_{ij}", "refuted"),
        (UNIVERSE, r"\Gamma^i_{tj} = \frac{\dot a}{a} \delta^i_j", "proved"),
        (UNIVERSE, r"R_{ij} = (a \ddot a + 2 \dot a^2) \delta_{ij}", "proved"),
        (UNIVERSE, r"R_{ij} = (a \ddot a + \dot a^2) \delta_{ij}", "definition"),
        (UNIVERSE, r"\Gamma^t_{\mu\nu} = a \dot a \delta_{\mu\nu}", "definition"),  # not of space
    ],
)
def test_units_functions_and_indices_of_space(element, claim, verdict):
    assert last(element, claim).verdict == verdict


def test_a_diagonal_is_compared_with_the_line_element():
    row = last(BLACK_HOLE, r"g_{ab} = \mathrm{diag}(-f, 1/f, r^2, r^2 \sin^2\theta)")
    assert row.reason == "a metric in t, r, theta, phi"
