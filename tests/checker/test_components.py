r"""Components of Γ and curvature beside a line element: proved, corrected, and never by mistake."""

import pytest

import symattn as sa

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
    assert row.verdict == "proved" and "the line element of line" in row.used[0]


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
