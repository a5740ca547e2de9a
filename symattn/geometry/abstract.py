"""The Levi-Civita connection in abstract index form, for all sizes, as derivations with steps.

The lines are written as a textbook has them, and each is re-checked by `check_steps`, symbolically
and with numbers.  The slopes of a metric are an array here: ∂_a g_{bd} is `dg[a, b, d]`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import sympy as sp

from ..syntax import Definition, System, define, indices, inverse, tensor, total
from .formula import NAME, bracket

if TYPE_CHECKING:
    from ..derive import Derivation

Lines = Sequence[tuple[sp.Expr, str]]  # an expression, and why it is equal to the one before


def levi_civita_derivation(n: Any) -> Derivation:
    """Γ^c_{ab} = ½ g^{cd} (∂_a g_{bd} + ∂_b g_{ad} − ∂_d g_{ab}), from ∇g = 0 and no torsion.

    Vanishing torsion is the symmetry of Γ^c_{ab} in a and b.  With G_{dab} = g_{de} Γ^e_{ab},
    ∇_a g_{bd} = 0 says that ∂_a g_{bd} = G_{dab} + G_{bad}.

    Source: R. M. Wald, General Relativity, 1984, theorem 3.1.1.
    """
    a, b, c, d, e = indices("a b c d e", n)
    g, h = tensor("g", n, n, symmetric=True), tensor("h", n, n, n)
    gamma = define(NAME, (c, a, b), (h[c, a, b] + h[c, b, a]) / 2)
    G = define("G", (d, a, b), total(g[d, e] * gamma[e, a, b], e))
    dg = define("dg", (a, b, d), G[d, a, b] + G[b, a, d])
    up = inverse(g)
    halves: Lines = [
        (G[d, a, b] + G[d, b, a], f"no torsion: `{NAME}` is symmetric"),
        (
            (dg[a, b, d] - G[b, a, d]) + (dg[b, a, d] - G[a, b, d]),
            "the metric is constant, in two orders of indices",
        ),
        (dg[a, b, d] + dg[b, a, d] - (G[b, d, a] + G[a, d, b]), "no torsion, twice"),
        (bracket(lambda *s: dg[s], a, b, d), "the metric is constant, in the third order"),
    ]
    lines = [
        (gamma[c, a, b], ""),
        (total(up[c, d] * G[d, a, b], d), "lower an index and raise it"),
        *((total(up[c, d] * half, d) / 2, rule) for half, rule in halves),
    ]
    return written(System(gamma, G, dg), gamma, lines, {"h": "^__"})


def transformation_law(n: Any) -> Derivation:
    """Γ^c_{ab} = ∂x^c/∂y^k (Γ̂^k_{ij} ∂_a y^i ∂_b y^j + ∂_a ∂_b y^k) in coordinates x and y(x).

    J^i_a is ∂y^i/∂x^a, H^i_{ab} its slope.  The metric is g_{ij} with slopes dg_{kij} in the
    coordinates y, and u_{ab} = g_{ij} J^i_a J^j_b with slopes du_{cab} in the coordinates x, where
    its connection is L^c_{ab}.

    Source: S. Weinberg, Gravitation and Cosmology, 1972, equation 4.5.2.
    """
    a, b, c, d, i, j, k, l = indices("a b c d i j k l", n)
    J, g = tensor("J", n, n), tensor("g", n, n, symmetric=True)
    h, q, back, up = tensor("h", n, n, n), tensor("q", n, n, n), inverse(J), inverse(g)
    H = define("H", (i, a, b), (h[i, a, b] + h[i, b, a]) / 2)
    dg = define("dg", (k, i, j), (q[k, i, j] + q[k, j, i]) / 2)

    def slope(*slots: Any) -> sp.Expr:
        return dg[slots]

    gamma = define(NAME, (k, i, j), total(up[k, l] * bracket(slope, i, j, l), l) / 2)
    u = define("u", (a, b), total(g[i, j] * J[i, a] * J[j, b], i, j))
    u_inv = define("v", (c, d), total(back[c, k] * back[d, l] * up[k, l], k, l))
    du = define(
        "du",
        (c, a, b),
        total(g[i, j] * (H[i, c, a] * J[j, b] + J[i, a] * H[j, c, b]), i, j)
        + total(dg[k, i, j] * J[k, c] * J[i, a] * J[j, b], i, j, k),
    )
    old = total(bracket(slope, i, j, k) * J[i, a] * J[j, b] * J[k, d], i, j, k) / 2
    new = total(up[k, l] * bracket(slope, i, j, l) * J[i, a] * J[j, b], i, j, l) / 2
    lines = [
        (total(u_inv[c, d] * bracket(lambda *s: du[s], a, b, d), d) / 2, ""),
        (
            total(u_inv[c, d] * (total(g[i, j] * H[i, a, b] * J[j, d], i, j) + old), d),
            "four of the six terms with `H` cancel",
        ),
        (total(back[c, k] * (H[k, a, b] + new), k), "insert `v`"),
        (
            total(back[c, k] * (total(gamma[k, i, j] * J[i, a] * J[j, b], i, j) + H[k, a, b]), k),
            f"recognise `{NAME}`",
        ),
    ]
    connection = define("L", (c, a, b), lines[0][0])
    system = System(H, dg, gamma, u, u_inv, du, connection)
    mixed = {"J": "^_", "J_inv": "^_", "H": "^__", "h": "^__", "L": "^__", "v": "^^"}
    return written(system, connection, lines, mixed)


def written(
    system: System, of: Definition, lines: Lines, places: Mapping[str, str] | None = None
) -> Derivation:
    """The derivation of a definition that goes through these expressions, printed as `placed`."""
    from ..convert import lower
    from ..derive import Derivation
    from ..derive.record import Record
    from ..ir import Index, Ref, Tensor
    from ..normalize import normalize

    free = tuple(Index(x.name, size) for x, size in zip(of.indices, of.shape, strict=True))
    record = Record(lower(lines[0][0], of.indices))
    for expr, rule in lines[1:]:
        record.step(rule, lower(expr, of.indices))
    return Derivation(
        placed(system, places),
        Ref(Tensor(of.name, tuple(of.shape), role="stand-in"), free),
        normalize(record.now),
        record.now,
        tuple(record.steps),
        settled=True,
    )


def placed(
    system: System,
    places: Mapping[str, str] | None = None,
    slopes: Mapping[str, str] | None = None,
) -> System:
    """The system, printed from here on with ^ and _ where `places` says, below for all others.

    Γ^c_{ab} and the inverse metric g^{ab} are known; dg is ∂_a g_{bc}, and `slopes` says of what
    other arrays are slopes.
    """
    from ..explain.notation import DOWN, Notation, write

    slopes = {"dg": "g", "du": "u", f"d{NAME}": NAME, **(slopes or {})}
    positions = {NAME: "^__", **(places or {})}
    return write(system, Notation(positions, usual=DOWN, metrics=frozenset({"g"}), slopes=slopes))
