"""Sums over pairs of different points, which have no value where both are one."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import sympy as sp

from ..syntax import Definition, System, define, delta, indices, sizes, tensor, total
from .record import grow, user

n, d = sizes("n d")
(i, j), (a,) = indices("i j", n), indices("a", d)
x, q, X = tensor("x", n), tensor("q", n), tensor("X", n, d)
POINTS = grow("n d", (128, 3), (512, 3), (1536, 3))


def _distance() -> Definition:
    return define("r", (i, j), sp.sqrt(total((X[i, a] - X[j, a]) ** 2, a)))


def _different(body: Any, *letters: Any) -> Any:
    return total((1 - delta(i, j)) * body, *letters)


def _elsewhere(f: Callable[[Any], Any], gaps: Any) -> Any:
    """f of what stands beside the diagonal, and 0 on it; 1 is put in there, for the gradients."""
    import jax.numpy as jnp

    one = jnp.eye(len(gaps), dtype=bool)
    return jnp.where(one, 0, f(jnp.where(one, 1, gaps)))


def _squares(X: Any) -> Any:
    return ((X[:, None] - X) ** 2).sum(-1)


@user("Lennard-Jones energy", "vjp", "E", "X", sizes=POINTS)
def _lennard_jones() -> Any:
    r = _distance()
    u = define("u", (i, j), r[i, j] ** -12 - r[i, j] ** -6)
    E = define("E", (), _different(u[i, j], i, j))
    return System(r, u, E), lambda X: _elsewhere(lambda s: s**-6 - s**-3, _squares(X)).sum()


@user("Coulomb energy", "vjp", "E", "X q", sizes=POINTS)
def _coulomb() -> Any:
    r = _distance()
    E = define("E", (), _different(q[i] * q[j] / r[i, j], i, j))

    def textbook(X: Any, q: Any) -> Any:
        return q @ _elsewhere(lambda s: s**-0.5, _squares(X)) @ q

    return System(r, E), textbook


@user("nearest neighbours", "vjp", "L", "X", sizes=POINTS)
def _neighbours() -> Any:
    r = _distance()
    L = define("L", (), total(sp.log(_different(sp.exp(-r[i, j]), j)), i))

    def textbook(X: Any) -> Any:
        import jax.numpy as jnp

        return jnp.log(_elsewhere(lambda s: jnp.exp(-(s**0.5)), _squares(X)).sum(1)).sum()

    return System(r, L), textbook


@user("logarithmic gas", "vjp", "E", "x", sizes=grow("n", (128,), (512,), (1536,)))
def _gas() -> Any:
    u = define("u", (i, j), x[i] - x[j])
    E = define("E", (), -_different(sp.log(u[i, j] ** 2), i, j) / 2)

    def textbook(x: Any) -> Any:
        import jax.numpy as jnp

        return -_elsewhere(lambda u: jnp.log(abs(u)), x[:, None] - x).sum()

    return System(u, E), textbook
