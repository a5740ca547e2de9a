"""Known metrics by name, each with the intervals where its coordinates and parameters lie.

`catalogue.metric("kerr")` makes a fresh one.  Conventions: signature −+++, units G = c = 1.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from difflib import get_close_matches
from typing import Any

import sympy as sp

from ..errors import UnsupportedError
from .families import categorical, gaussian
from .metric import Metric
from .sources import embedded

t, r, theta, phi, psi = sp.symbols("t r theta phi psi")
x, y, z, u, v = sp.symbols("x y z u v")
M, Q, a, b, k, H, ell = sp.symbols("M Q a b k H ell")
Sigma, Delta = sp.symbols("Sigma Delta")
sin, cos = sp.sin(theta), sp.cos(theta)
SPHERE = (sp.S.One, sin**2)  # dθ² + sin²θ dφ²


@dataclass(frozen=True)
class Entry:
    """One metric: what it is called, how it is made, and where numbers for it are drawn."""

    title: str
    make: Callable[[], Metric]
    domain: Mapping[str, tuple[float, float]] = field(default_factory=dict)
    source: str = ""


def metric(name: str) -> Metric:
    """A fresh metric of the catalogue.  UnsupportedError with the nearest names."""
    if name not in CATALOGUE:
        near = get_close_matches(name, CATALOGUE, n=1)
        raise UnsupportedError(
            f"there is no metric {name!r} in the catalogue",
            expected="one of " + ", ".join(CATALOGUE),
            mend=f"did you mean {near[0]}?" if near else "",
        )
    return CATALOGUE[name].make()


def static(f: sp.Expr, **options: Any) -> Metric:
    """−f dt² + dr²/f + r² dΩ²."""
    return Metric((t, r, theta, phi), sp.diag(-f, 1 / f, *(r**2 * e for e in SPHERE)), **options)


def kerr_newman(charge: sp.Expr) -> Metric:
    """Boyer–Lindquist coordinates, over Σ = r² + a² cos²θ and Δ = r² − 2Mr + a² + Q²."""
    area = r**2 + a**2
    cross = -a * (area - Delta) * sin**2 / Sigma
    matrix = sp.Matrix(
        [
            [-(Delta - a**2 * sin**2) / Sigma, 0, 0, cross],
            [0, Sigma / Delta, 0, 0],
            [0, 0, Sigma, 0],
            [cross, 0, 0, (area**2 - Delta * a**2 * sin**2) * sin**2 / Sigma],
        ]
    )
    names = {Sigma: r**2 + a**2 * cos**2, Delta: r**2 - 2 * M * r + a**2 + charge**2}
    return Metric((t, r, theta, phi), matrix, names=names)


def myers_perry() -> Metric:
    """Five dimensions, two spins: Σ = r² + a² cos²θ + b² sin²θ, Π = (r²+a²)(r²+b²) − M r²."""
    Pi = sp.Symbol("Pi")
    along = sp.Matrix([1, 0, 0, -a * sin**2, -b * cos**2])
    matrix = M / Sigma * along * along.T + sp.diag(
        -1, r**2 * Sigma / Pi, Sigma, (r**2 + a**2) * sin**2, (r**2 + b**2) * cos**2
    )
    names = {
        Sigma: r**2 + a**2 * cos**2 + b**2 * sin**2,
        Pi: (r**2 + a**2) * (r**2 + b**2) - M * r**2,
    }
    return Metric((t, r, theta, phi, psi), matrix, names=names)


def flrw() -> Metric:
    """−dt² + α(t)² (dr²/(1 − k r²) + r² dΩ²)."""
    scale = sp.Function("alpha")(t) ** 2
    space = (1 / (1 - k * r**2), *(r**2 * e for e in SPHERE))
    return Metric((t, r, theta, phi), sp.diag(-1, *(scale * e for e in space)))


def eddington_finkelstein() -> Metric:
    """−(1 − 2M/r) dv² + 2 dv dr + r² dΩ²."""
    matrix = sp.diag(0, 0, *(r**2 * e for e in SPHERE))
    matrix[0, 0], matrix[0, 1], matrix[1, 0] = -(1 - 2 * M / r), 1, 1
    return Metric((v, r, theta, phi), matrix)


def kasner() -> Metric:
    """−dt² + Σ t^{2p_i} dx_i² with Σ p_i = Σ p_i² = 1, by the parameter of Khalatnikov."""
    whole = 1 + k + k**2
    exponents = [-k / whole, (1 + k) / whole, k * (1 + k) / whole]
    return Metric((t, x, y, z), sp.diag(-1, *(t ** (2 * p) for p in exponents)))


def alcubierre() -> Metric:
    """−dt² + (dx − V f(ρ) dt)² + dy² + dz² for a bubble at ξ(t), with V = ξ'."""
    place = sp.Function("xi")(t)
    distance = sp.sqrt((x - place) ** 2 + y**2 + z**2)
    shift = -place.diff(t) * sp.Function("f")(distance)
    matrix = sp.diag(shift**2 - 1, 1, 1, 1)
    matrix[0, 1] = matrix[1, 0] = shift
    return Metric((t, x, y, z), matrix)


def pp_wave() -> Metric:
    """H(u, x, y) du² + 2 du dv + dx² + dy²."""
    matrix = sp.diag(sp.Function("H")(u, x, y), 0, 1, 1)
    matrix[0, 1] = matrix[1, 0] = 1
    return Metric((u, v, x, y), matrix)


def goedel() -> Metric:
    """a² (−(dt + e^x dy)² + dx² + e^{2x} dy²/2 + dz²)."""
    matrix = sp.diag(-1, 1, -sp.exp(2 * x) / 2, 1)
    matrix[0, 2] = matrix[2, 0] = -sp.exp(x)
    return Metric((t, x, y, z), a**2 * matrix)


def diagonal() -> Metric:
    """A(x, y, z) dx² + B(x, y, z) dy² + C(x, y, z) dz²."""
    return Metric((x, y, z), sp.diag(*(sp.Function(n)(x, y, z) for n in "ABC")))


def conformally_flat() -> Metric:
    """e^{2φ(x, y, z)} (dx² + dy² + dz²)."""
    return Metric((x, y, z), sp.exp(2 * sp.Function("phi")(x, y, z)) * sp.eye(3))


def torus() -> Metric:
    """The torus of radii b > a in space, pulled back."""
    around = b + a * sp.cos(v)
    return embedded((u, v), [around * sp.cos(u), around * sp.sin(u), a * sp.sin(v)])


OUTSIDE = {"r": (3.0, 6.0), "theta": (0.4, 1.2), "a": (0.2, 0.6), "b": (0.2, 0.6), "Q": (0.1, 0.4)}
CATALOGUE: dict[str, Entry] = {
    "sphere": Entry(
        "2-sphere",
        lambda: Metric((theta, phi), sp.diag(*(a**2 * e for e in SPHERE))),
        {"theta": (0.4, 1.2)},
    ),
    "hyperbolic": Entry(
        "Hyperbolic plane", lambda: Metric((x, y), sp.eye(2) / y**2), {"y": (0.5, 2.0)}
    ),
    "torus": Entry("Torus", torus, {"b": (2.0, 3.0)}),
    "schwarzschild": Entry("Schwarzschild", lambda: static(1 - 2 * M / r), OUTSIDE),
    "reissner_nordstroem": Entry(
        "Reissner–Nordström", lambda: static(1 - 2 * M / r + Q**2 / r**2), OUTSIDE
    ),
    "eddington_finkelstein": Entry("Eddington–Finkelstein", eddington_finkelstein, OUTSIDE),
    "kerr": Entry("Kerr", lambda: kerr_newman(sp.S.Zero), OUTSIDE),
    "kerr_newman": Entry("Kerr–Newman", lambda: kerr_newman(Q), OUTSIDE),
    "myers_perry": Entry("Myers–Perry, five dimensions, two spins", myers_perry, OUTSIDE),
    "flrw": Entry("FLRW", flrw),
    "de_sitter": Entry(
        "de Sitter", lambda: static(1 - H**2 * r**2), {"r": (0.1, 0.6), "theta": (0.4, 1.2)}
    ),
    "anti_de_sitter": Entry(
        "Anti-de Sitter", lambda: static(1 + r**2 / ell**2), {"theta": (0.4, 1.2)}
    ),
    "kasner": Entry("Kasner", kasner),
    "goedel": Entry("Gödel", goedel),
    "pp_wave": Entry("pp-wave", pp_wave),
    "alcubierre": Entry("Alcubierre", alcubierre),
    "diagonal": Entry("Generic diagonal metric of space", diagonal),
    "conformally_flat": Entry("Conformally flat metric of space", conformally_flat),
    "gaussian": Entry("Gaussian family", lambda: gaussian(sp.symbols("mu sigma")).metric),
    "categorical": Entry(
        "Categorical family, three outcomes",
        lambda: categorical(sp.symbols("p q")).metric,
        {"p": (0.1, 0.4), "q": (0.1, 0.4)},
    ),
}
