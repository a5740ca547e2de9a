"""Explicit metrics: Christoffel symbols in components, exact, compiled and verified."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import cached_property
from itertools import product
from typing import TYPE_CHECKING, Any

import sympy as sp
from sympy.core.function import AppliedUndef

from ..errors import FormulaError, SymattnError
from ..syntax import System, sizes
from .components import Components, PointFunction, check_names
from .formula import NAME, levi_civita
from .scalars import Scalars

if TYPE_CHECKING:
    from ..verify import Report

DOMAIN = (0.5, 1.5)  # where a symbol is drawn from that has no interval of its own


class Metric:
    """An explicit metric: coordinates x^a and the matrix g_{ab} of plain SymPy scalars.

    All other symbols in the matrix are parameters.  Raises FormulaError for coordinates that are
    not different symbols, for a matrix of the wrong size, one that is not symmetric or singular,
    and for symbols that look like coordinates and are none.
    """

    def __init__(self, coordinates: Iterable[sp.Symbol] | sp.Symbol, matrix: Any) -> None:
        self.coordinates = _coordinates(coordinates)
        self.matrix = _matrix(self.coordinates, matrix)
        found = self.matrix.free_symbols - set(self.coordinates)
        self.parameters = tuple(sorted(found, key=lambda s: s.name))
        entries = list(self.matrix)
        slopes = [sp.diff(e, x) for x in self.coordinates for e in entries]
        self._scalars = Scalars([*self.coordinates, *entries, *slopes])
        n, element = len(self.coordinates), {e: self._scalars.read(e) for e in (*entries, *slopes)}
        self._g = _array((n, n), [element[e] for e in entries])
        self._dg = _array((n, n, n), [element[e] for e in slopes])
        self._g_inv = self._inverse()

    def _inverse(self) -> Any:
        """g^{-1}, after looking that g is symmetric and that there is one."""
        from sympy.polys.matrices import DomainMatrix
        from sympy.polys.matrices.exceptions import DMNonInvertibleMatrixError

        n, field = len(self.coordinates), self._scalars.field.to_domain()
        for i, j in product(range(n), repeat=2):
            if self._scalars.reduced(self._g[i, j] - self._g[j, i]):
                raise FormulaError(
                    "the metric is not symmetric",
                    formula=str(self.matrix.tolist()),
                    expected=f"entry ({i}, {j}) equal to entry ({j}, {i})",
                    got=f"{self.matrix[i, j]} and {self.matrix[j, i]}",
                    mend="use the symmetric part (M + M.T)/2",
                )
        try:  # a determinant that is 0 by cos² = 1 − sin² only is met as a divisor
            rows = DomainMatrix([list(row) for row in self._g], (n, n), field).to_sparse().inv()
            return _array((n, n), [self._scalars.reduced(e) for row in rows.to_list() for e in row])
        except (DMNonInvertibleMatrixError, ZeroDivisionError):
            raise FormulaError(
                "the metric is singular: its determinant is 0",
                formula=str(self.matrix.tolist()),
                mend="leave out coordinates along which all distances vanish",
            ) from None

    @property
    def inverse(self) -> sp.ImmutableMatrix:
        """The matrix g^{ab}."""
        n = len(self.coordinates)
        return sp.ImmutableMatrix(n, n, [self._scalars.shown(e) for e in self._g_inv.flat])

    @cached_property
    def christoffel(self) -> Components:
        """Γ^c_{ab} as [c, a, b]: the index formula evaluated at the components of g^{-1} and ∂g."""
        import numpy as np

        from ..evaluate import Carrier, Evaluator
        from ..model import model

        (n,), field = sizes("n"), self._scalars.field
        exact = Carrier("field", lambda q: field((q.numerator, q.denominator)), _none, np)
        values = Evaluator(
            {"g_inv": self._g_inv, "dg": self._dg},
            {"n": len(self.coordinates)},
            exact,
            model(System(levi_civita(n))),
        ).definition(NAME)
        shown = {
            where: self._scalars.shown(self._scalars.reduced(v))
            for where, v in np.ndenumerate(values)
        }
        return Components(NAME, "^__", self.coordinates, shown, self.parameters)

    def function(self) -> PointFunction:
        """The compiled function point ↦ g_{ab}."""
        places = product(range(len(self.coordinates)), repeat=2)
        entries = dict(zip(places, self.matrix, strict=True))
        return Components("g", "__", self.coordinates, entries, self.parameters).function()

    def verify(
        self,
        domain: Mapping[Any, tuple[float, float]] | None = None,
        *,
        seed: int = 0,
        points: int = 16,
    ) -> Report:
        """The compiled Γ at random points against autodiff of the metric, in float64 and float32.

        `domain` maps symbols, or their names, to the interval that they are drawn from; the others
        are drawn from (0.5, 1.5).
        """
        import jax
        import numpy as np

        from ..verify import TOLERANCE, Report, Row

        symbols = (*self.coordinates, *self.parameters)
        given = {str(k): v for k, v in (domain or {}).items()}
        check_names("the domain", given, [s.name for s in symbols])
        low, high = np.transpose([given.get(s.name, DOMAIN) for s in symbols])
        draws = np.random.default_rng(seed).uniform(low, high, (points, len(symbols)))
        n, g, gamma = len(self.coordinates), self.function(), self.christoffel.function()

        def evaluated(f: Callable[..., Any], dtype: str) -> Any:
            def at(draw: Any) -> Any:
                return f(draw[:n], **{s.name: draw[n + k] for k, s in enumerate(self.parameters)})

            with jax.enable_x64(dtype == "float64"):
                values = jax.jit(jax.vmap(at))(jax.numpy.asarray(draws, dtype))
            return np.asarray(values, np.float64)

        wanted = evaluated(lambda x, /, **fixed: by_autodiff(lambda y: g(y, **fixed), x), "float64")
        rows, name = [], f"{NAME}({', '.join(map(str, self.coordinates))})"
        for dtype in ("float64", "float32"):
            got = evaluated(gamma, dtype)
            error, scale = float(np.max(np.abs(got - wanted))), float(np.max(np.abs(wanted)))
            rows.append(
                Row(
                    name,
                    "jax autodiff",
                    dtype,
                    error,
                    error / scale if scale else error,
                    TOLERANCE["autodiff", dtype],
                )
            )
        return Report(tuple(rows), {"n": n, "points": points}, seed)

    def _repr_latex_(self) -> str:
        return f"$\\displaystyle {sp.latex(self.matrix)}$"

    def __repr__(self) -> str:
        return f"Metric({', '.join(map(str, self.coordinates))}; {self.matrix.tolist()})"


def by_autodiff(g: Callable[[Any], Any], point: Any) -> Any:
    """Γ^c_{ab} at a point from a JAX function of the metric, without the index formula.

    Γ^c_{ab} v^a v^b = g^{-1} (d/dt(g v) − ½ ∂(v·g v)) is what the Euler–Lagrange equations of
    ½ v·g v leave beside the acceleration; Γ is half its Hessian in the velocity v.
    """
    import jax
    import jax.numpy as jnp

    slope, inverse = jax.jacfwd(g)(point), jnp.linalg.inv(g(point))

    def force(v: Any) -> Any:
        return inverse @ ((slope @ v) @ v - (v @ (jnp.moveaxis(slope, -1, 0) @ v).T) / 2)

    return jax.hessian(force)(jnp.zeros_like(point)) / 2


# --------------------------------------------------------------------------------- what is given


def _coordinates(given: Any) -> tuple[sp.Symbol, ...]:
    found = tuple(given) if isinstance(given, Iterable) and not isinstance(given, str) else (given,)
    for x in found:
        if not isinstance(x, sp.Symbol):
            raise FormulaError(
                f"the coordinate {x} is not a symbol",
                got=type(x).__name__,
                expected="SymPy symbols",
                mend='make them with sp.symbols("theta phi")',
            )
    if not found or len({x.name for x in found}) < len(found):
        raise FormulaError(
            "the coordinates are not different symbols",
            got=", ".join(map(str, found)) or "none",
            mend="name each one once",
        )
    return found


def _matrix(coordinates: tuple[sp.Symbol, ...], given: Any) -> sp.ImmutableMatrix:
    n, names = len(coordinates), {x.name: x for x in coordinates}
    try:
        matrix = sp.ImmutableMatrix(given)
    except (TypeError, ValueError) as error:
        raise FormulaError(
            f"the metric is not a matrix: {error}",
            got=type(given).__name__,
            mend="write sp.Matrix([[…], […]])",
        ) from None
    if matrix.shape != (n, n):
        raise FormulaError(
            f"the metric does not fit the coordinates {', '.join(names)}",
            expected=f"a matrix of shape ({n}, {n})",
            got=f"shape {matrix.shape}",
            mend="give one row and one column for every coordinate",
        )
    for part in sorted(matrix.atoms(sp.Indexed), key=str):
        raise FormulaError(
            f"{part} in the metric is a component of a tensor",
            formula=str(matrix.tolist()),
            expected="plain symbols, made with sp.symbols()",
            mend="for a metric in index notation use symattn.geometry.christoffel(g, x)",
        )
    for s in sorted(matrix.free_symbols - set(coordinates), key=str):
        if getattr(s, "name", None) in names:
            raise FormulaError(
                f"{s} in the metric is not the coordinate {s}",
                formula=str(matrix.tolist()),
                expected=f"the symbol with {_assumptions(names[s.name])}",
                got=f"one with {_assumptions(s)}",
                mend="make the symbol once and use that object everywhere",
            )
    for f in sorted(matrix.atoms(AppliedUndef), key=str):
        if not f.free_symbols & set(coordinates):
            raise FormulaError(
                f"{f} does not depend on a coordinate",
                formula=str(matrix.tolist()),
                expected=f"a function of some of {', '.join(names)}",
                mend=f"declare {', '.join(map(str, f.args))} as a coordinate, or write a symbol "
                f"in place of {f}",
            )
    return matrix


def _assumptions(symbol: sp.Symbol) -> str:
    given = [k if v else f"not {k}" for k, v in sorted(symbol._assumptions_orig.items())]
    return f"the assumptions {', '.join(given)}" if given else "no assumptions"


def _array(shape: tuple[int, ...], entries: Iterable[Any]) -> Any:
    import numpy as np

    found = list(entries)
    array = np.empty(len(found), dtype=object)
    array[:] = found
    return array.reshape(shape)


def _none(name: str) -> Callable[[Any], Any]:
    raise SymattnError(f"the index formula of Γ has no {name}")
