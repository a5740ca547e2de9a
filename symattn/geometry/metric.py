"""Explicit metrics: connection and curvature in components, exact, compiled and verified."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cached_property, partial
from itertools import product
from typing import TYPE_CHECKING, Any

import sympy as sp

from ..errors import FormulaError, SymattnError
from . import given
from .calculus import Calculus
from .components import Components, Place
from .curvature import Curvature
from .formula import NAME
from .points import PointFunction, check_names
from .scalars import Scalars
from .signature import signatures
from .tensors import Tensors

if TYPE_CHECKING:
    from ..comparison import Report
    from .field import Element

DOMAIN = (0.5, 1.5)  # where a symbol is drawn from that has no interval of its own


class Metric(Calculus):
    """An explicit metric: coordinates x^a and the matrix g_{ab} of plain SymPy scalars.

    All other symbols in the matrix are parameters; with `parameters` given, no others may occur.
    `names` maps symbols to expressions, such as Σ to r² + a² cos²θ: the symbols may stand in the
    matrix, and LaTeX is printed over them.  `signature` such as "-+++" is checked.  `also` holds
    expressions that fields over the metric are to have, where they use parts of its angles.

    Raises FormulaError for coordinates that are not different symbols, for a matrix of the wrong
    size, one that is not symmetric or singular, and for symbols that look like coordinates and are
    none; UnsupportedError for components that are no exact scalars.
    """

    def __init__(
        self,
        coordinates: Iterable[sp.Symbol] | sp.Symbol,
        matrix: Any,
        *,
        parameters: Iterable[sp.Symbol] | None = None,
        names: Mapping[sp.Symbol, Any] | None = None,
        signature: str | None = None,
        also: Iterable[Any] = (),
    ) -> None:
        self.coordinates = given.coordinates(coordinates)
        self._declared = None if parameters is None else tuple(parameters)
        self.names: dict[sp.Symbol, sp.Expr] = {s: sp.sympify(e) for s, e in (names or {}).items()}
        self._named = given.written_out(self.coordinates, self.names)
        self.matrix = given.matrix(self.coordinates, matrix).applyfunc(self._written_out)
        for i, j in product(range(len(self.coordinates)), repeat=2):
            self.check_symbols(self.matrix[i, j], self._label(i, j))
        found = self.matrix.free_symbols - set(self.coordinates)
        self.parameters = self._declared or tuple(sorted(found, key=lambda s: s.name))
        self._also = tuple(also)
        self.scalars = self._field(self._also)
        entries: dict[Place, Element] = {
            (i, j): self._component(i, j)
            for i, j in product(range(len(self.coordinates)), repeat=2)
        }
        self._require_symmetry(entries)
        self.curvature = Curvature(self.scalars, self.coordinates, entries)
        self._require_inverse()
        for symbol, expr in self.names.items():
            self.scalars.name(symbol, self._written_out(expr))
        for entry in dict.fromkeys(self.matrix):
            self.scalars.bracket(entry)
        if signature is not None:
            self._require_signature(signature)

    def refined(self, also: Iterable[Any]) -> Metric:
        """The same metric over a field that has more expressions, such as parts of its angles."""
        return Metric(
            self.coordinates,
            self.matrix,
            parameters=self._declared,
            names=self.names,
            also=(*self._also, *also),
        )

    # -------------------------------------------------------------------------- what is required

    def _written_out(self, expr: sp.Expr) -> sp.Expr:
        return expr.xreplace(self._named)

    def check_symbols(self, value: sp.Expr, where: str) -> None:
        """FormulaError for symbols in a component that look like coordinates, or are undeclared."""
        given.symbols(self.coordinates, value, where, self._declared)

    def _label(self, i: int, j: int) -> str:
        return f"g[{self.coordinates[i]}, {self.coordinates[j]}]"

    def _field(self, also: Iterable[Any]) -> Scalars:
        try:
            return Scalars([*self.coordinates, *self.matrix, *also, *self.names.values()])
        except SymattnError:  # say which component it is
            for i, j in product(range(len(self.coordinates)), repeat=2):
                self._located(i, j, partial(Scalars, [self.matrix[i, j]]))
            raise

    def _component(self, i: int, j: int) -> Element:
        element: Element = self._located(i, j, lambda: self.scalars.read(self.matrix[i, j]))
        return element

    def _located(self, i: int, j: int, read: Callable[[], Any]) -> Any:
        try:
            return read()
        except SymattnError as error:
            raise type(error)(
                error.problem,
                formula=f"{self._label(i, j)} = {self.matrix[i, j]}",
                expected=error.expected,
                got=error.got,
                mend=error.mend,
            ) from None

    def _require_symmetry(self, entries: Mapping[Place, Element]) -> None:
        for i, j in product(range(len(self.coordinates)), repeat=2):
            if i < j and entries[i, j] - entries[j, i]:
                raise FormulaError(
                    "the metric is not symmetric",
                    formula=str(self.matrix.tolist()),
                    expected=f"entry ({i}, {j}) equal to entry ({j}, {i}), "
                    f"{self._label(i, j)} = {self._label(j, i)}",
                    got=f"{self.matrix[i, j]} and {self.matrix[j, i]}",
                    mend="use the symmetric part (M + M.T)/2",
                )

    def _require_inverse(self) -> None:
        from .linear import blocks, determinant

        if self.curvature.determinant:
            return
        metric, field = self.curvature.metric, self.scalars.field
        inner: dict[Place, Element]
        for rows in blocks(metric, len(self.coordinates)):
            number = {k: p for p, k in enumerate(rows)}
            inner = {(number[i], number[j]): v for (i, j), v in metric.items() if i in number}
            if not determinant(field, inner, len(rows)):
                names = ", ".join(str(self.coordinates[k]) for k in rows)
                one = len(rows) == 1
                raise FormulaError(
                    "the metric is singular: its determinant is 0",
                    formula=str(self.matrix.tolist()),
                    got=f"{self._label(rows[0], rows[0])} = 0 and nothing else in its row"
                    if one
                    else f"dependent rows of {names}",
                    mend="leave out coordinates along which all distances vanish",
                )

    def _require_signature(self, wanted: str) -> None:
        if len(wanted) != len(self.coordinates) or set(wanted) - {"+", "-"}:
            raise FormulaError(
                f"{wanted!r} is no signature of {len(self.coordinates)} coordinates",
                expected="one + or - for every coordinate, such as " + self.signature,
            )
        if all(sorted(found) != sorted(wanted) for found in self._signatures):
            found = self.signature
            signs = ", ".join(f"{x} {s}" for x, s in zip(self.coordinates, found, strict=True))
            wrong = next(k for k, (a, b) in enumerate(zip(found, wanted, strict=True)) if a != b)
            raise FormulaError(
                f"the signature is {found}",
                formula=f"{self._label(wrong, wrong)} = {self.matrix[wrong, wrong]}",
                expected=wanted,
                got=signs,
                mend=f"change the sign of {self._label(wrong, wrong)}, or ask for {found}",
            )

    @cached_property
    def _signatures(self) -> list[str]:
        return signatures(self.coordinates, self.matrix)

    @property
    def signature(self) -> str:
        """The signs of g along the coordinates, such as "-+++", at most of the points drawn."""
        return self._signatures[0]

    # ---------------------------------------------------------------------------- what follows

    @property
    def inverse(self) -> sp.ImmutableMatrix:
        """The matrix g^{ab}, by numbers or by coordinates."""
        return CoordinateMatrix.of(self.coordinates, self._exact_inverse)

    @cached_property
    def _exact_inverse(self) -> list[sp.Expr]:
        n, zero = len(self.coordinates), self.scalars.field.number(0)
        return [
            self.scalars.shown(self.curvature.inverse.get(at, zero))
            for at in product(range(n), repeat=2)
        ]

    @cached_property
    def determinant(self) -> sp.Expr:
        """det g."""
        return self.scalars.shown(self.curvature.determinant)

    @cached_property
    def christoffel(self) -> Components:
        """Γ^c_{ab} as [c, a, b]: g^{cd} with the index formula at ∂g."""
        return self._made(NAME, "^__", self.curvature.second_kind)

    @cached_property
    def christoffel_first(self) -> Components:
        """Γ_{c,ab} as [c, a, b]: the Christoffel symbols of the first kind."""
        return self._made(NAME, "___", self.curvature.first_kind)

    @cached_property
    def riemann(self) -> Components:
        """R^a_{bcd} as [a, b, c, d]; `riemann_lower` has R_{abcd}."""
        signed: dict[Place, tuple[int, Element]] = {}
        for (a, b, c, d), value in self.curvature.riemann_up.items():
            signed[a, b, c, d], signed[a, b, d, c] = (1, value), (-1, value)
        return self._made("R", "^___", signed, lambda p: p[2] < p[3])

    @cached_property
    def riemann_lower(self) -> Components:
        """R_{abcd} as [a, b, c, d]."""
        return self._made("R", "____", _planes(self.curvature.riemann), _first_of_planes)

    @cached_property
    def ricci(self) -> Components:
        """R_{bd} = R^a_{bad} as [b, d]."""
        return self._made("R", "__", self.curvature.ricci, lambda p: p[0] <= p[1])

    @cached_property
    def scalar(self) -> sp.Expr:
        """R = g^{bd} R_{bd}."""
        return self.scalars.shown(self.curvature.scalar)

    @cached_property
    def einstein(self) -> Components:
        """G_{ab} = R_{ab} − ½ R g_{ab} as [a, b]."""
        return self._made("G", "__", self.curvature.einstein, lambda p: p[0] <= p[1])

    @cached_property
    def weyl(self) -> Components:
        """C_{abcd} as [a, b, c, d], the traceless part of R_{abcd}."""
        return self._made("C", "____", _planes(self.curvature.weyl), _first_of_planes)

    @cached_property
    def kretschmann(self) -> sp.Expr:
        """R_{abcd} R^{abcd}."""
        return self.scalars.shown(self.curvature.kretschmann)

    @cached_property
    def tensor_g(self) -> Components:
        """g_{ab} as a tensor [a, b]."""
        return self._made("g", "__", self.curvature.metric, lambda p: p[0] <= p[1])

    def _made(
        self,
        name: str,
        slots: str,
        values: Mapping[Place, Any],
        independent: Callable[[Place], bool] = lambda where: True,
    ) -> Components:
        return Components(
            name,
            slots,
            self.coordinates,
            values,
            self.parameters,
            metric=self,
            independent=independent,
        )

    def tensor(self, slots: str, values: Any, name: str = "T") -> Components:
        """A tensor by its components: tensor("^", [x, y]) is a vector, "_" a covector."""
        return Tensors(self).given(slots, values, name)

    def covariant_derivative(self, tensor: Components) -> Components:
        """∇_e T, the derivative's slot last."""
        return Tensors(self).covariant_derivative(tensor)

    def lie_derivative(self, vector: Any, tensor: Components | None = None) -> Components:
        """𝓛_v T, of the metric itself without a tensor."""
        v = self.as_vector(vector)
        return Tensors(self).lie_derivative(v, tensor or self.tensor_g)

    @property
    def assumed(self) -> tuple[sp.Expr, ...]:
        """Functions that the field takes as unrelated: zero is exact if they are.

        Undefined functions and their derivatives are not listed: they satisfy no relations.
        """
        return self.scalars.assumed

    # -------------------------------------------------------------------- compiled and verified

    def function(self) -> PointFunction:
        """The compiled function point ↦ g_{ab}."""
        places = product(range(len(self.coordinates)), repeat=2)
        entries = dict(zip(places, self.matrix, strict=True))
        shape = self.matrix.shape
        return PointFunction(self.coordinates, self.parameters, shape, entries)

    def verify(
        self,
        domain: Mapping[Any, tuple[float, float]] | None = None,
        *,
        seed: int = 0,
        points: int = 16,
        curvature: bool = False,
    ) -> Report:
        """The compiled Γ at random points against autodiff of the metric, in float64 and float32.

        `domain` maps symbols, or their names, to the interval that they are drawn from; the others
        are drawn from (0.5, 1.5).  With `curvature`, R^a_{bcd} is compared too, in float64.
        """
        from .verification import verified

        symbols = (*self.coordinates, *self.parameters)
        intervals = {str(k): v for k, v in (domain or {}).items()}
        check_names("the domain", intervals, [s.name for s in symbols])
        drawn = [intervals.get(s.name, DOMAIN) for s in symbols]
        return verified(self, drawn, seed, points, curvature)

    def latex(self) -> str:
        """The line element ds² = …, over the names that factors have."""
        terms: list[str] = []
        for i, j in self.curvature.pairs():
            if element := self.curvature.metric.get((i, j)):
                value = self.scalars.shown(element, named=True) * (1 if i == j else 2)
                x, y = (sp.latex(self.coordinates[k]) for k in (i, j))
                text = _factor(value) + (f"d{x}^{{2}}" if i == j else rf"d{x} \, d{y}")
                terms.append(text if text.startswith("-") or not terms else "+ " + text)
        return "ds^{2} = " + " ".join(terms)

    def _repr_latex_(self) -> str:
        return f"$\\displaystyle {self.latex()}$"

    def __repr__(self) -> str:
        return f"Metric({', '.join(map(str, self.coordinates))}; {self.matrix.tolist()})"


class CoordinateMatrix(sp.ImmutableMatrix):
    """A matrix whose entries are found by coordinates, too."""

    @classmethod
    def of(cls, coordinates: Sequence[sp.Symbol], entries: Sequence[sp.Expr]) -> CoordinateMatrix:
        """The square matrix with these entries."""
        n = len(coordinates)
        made: CoordinateMatrix = cls(n, n, list(entries))
        made.coordinates = tuple(coordinates)
        return made

    def __getitem__(self, key: Any) -> Any:
        if isinstance(key, tuple) and any(isinstance(k, sp.Symbol) for k in key):
            known = {x: k for k, x in enumerate(getattr(self, "coordinates", ()))}
            if len(key) != 2 or any(k not in known for k in key if isinstance(k, sp.Symbol)):
                raise FormulaError(
                    f"[{', '.join(map(str, key))}] is not an entry of the matrix",
                    expected=f"two of {', '.join(map(str, known))}",
                )
            key = tuple(known.get(k, k) for k in key)
        return super().__getitem__(key)


def _factor(value: sp.Expr) -> str:
    """A factor before a differential."""
    if value in (1, -1):
        return "" if value == 1 else "- "
    text = sp.latex(value)
    return rf"\left({text}\right) \, " if value.is_Add else rf"{text} \, "


def _planes(values: Mapping[Place, Element]) -> dict[Place, tuple[int, Element]]:
    """All places of a tensor with the symmetries of R_{abcd}, from its independent ones."""
    found: dict[Place, tuple[int, Element]] = {}
    for (a, b, c, d), value in values.items():
        for (p, q), (r, s) in (((a, b), (c, d)), ((c, d), (a, b))):
            found[p, q, r, s] = found[q, p, s, r] = (1, value)
            found[q, p, r, s] = found[p, q, s, r] = (-1, value)
    return found


def _first_of_planes(place: Place) -> bool:
    a, b, c, d = place
    return a < b and c < d and (a, b) <= (c, d)
