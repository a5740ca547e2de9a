"""Components of tensors in coordinates: looked up by name, printed, and compiled."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any, TypeAlias

import sympy as sp

from ..errors import FormulaError
from .field import Element

if TYPE_CHECKING:
    from .metric import Metric
    from .points import PointFunction

Place: TypeAlias = tuple[int, ...]


class Components:
    """The components of a tensor in coordinates, such as Γ^c_{ab}: [c, a, b] by symbol or number.

    `slots` has ^ or _ for every index; `nonzero` maps coordinates to the components that are not 0.
    A component is an expression, or an exact element that is written out when it is looked at.
    """

    def __init__(
        self,
        name: str,
        slots: str,
        coordinates: Sequence[sp.Symbol],
        values: Mapping[Place, Any],
        parameters: Sequence[sp.Symbol] = (),
        *,
        metric: Metric | None = None,
        latex_name: str = "",
        independent: Callable[[Place], bool] = lambda where: True,
    ) -> None:
        self.name, self.slots, self.metric = name, slots, metric
        self.coordinates, self.parameters = tuple(coordinates), tuple(parameters)
        self._latex_name, self._independent = latex_name, independent
        self._given = {k: v for k, v in sorted(values.items()) if not _vanishes(v)}
        self._shown: dict[tuple[int, bool], tuple[Any, sp.Expr]] = {}

    @property
    def rank(self) -> int:
        """How many indices there are."""
        return len(self.slots)

    def __getitem__(self, where: Any) -> sp.Expr:
        return self._expr(self._place(where))

    def _place(self, where: Any) -> Place:
        where = where if isinstance(where, tuple) else (where,)
        n = len(self.coordinates)
        known = {**dict(zip(self.coordinates, range(n), strict=True)), **{k: k for k in range(n)}}
        if len(where) != len(self.slots) or any(w not in known for w in where):
            raise FormulaError(
                f"{self.name}[{', '.join(map(str, where))}] is not a component",
                expected=f"{len(self.slots)} of {', '.join(map(str, self.coordinates))}, "
                f"or of the numbers 0 … {n - 1}",
                mend="name a coordinate for every slot",
            )
        return tuple(known[w] for w in where)

    def _expr(self, place: Place, named: bool = False) -> sp.Expr:
        """The component as an expression, made once for all places that share it."""
        given = self._given.get(place, sp.S.Zero)
        if isinstance(given, sp.Basic):
            return given
        sign, element = given if isinstance(given, tuple) else (1, given)
        found = self._shown.get((id(element), named))
        if found is None:  # the element is kept, so that its number stays its own
            assert self.metric
            shown = self.metric.scalars.shown(element, named=named)
            found = self._shown[id(element), named] = (element, shown)
        return sign * found[1]

    @property
    def is_zero(self) -> bool:
        """Whether every component is exactly 0."""
        return not self._given

    @cached_property
    def _values(self) -> dict[Place, sp.Expr]:
        return {place: self._expr(place) for place in self._given}

    @property
    def exact(self) -> dict[Place, Element]:
        """The components that are not 0 as elements of the metric's field."""
        found = {}
        for place, given in self._given.items():
            if isinstance(given, tuple):
                sign, element = given
                found[place] = element if sign == 1 else -element
            elif isinstance(given, Element):
                found[place] = given
            else:
                assert self.metric
                found[place] = self.metric.scalars.read(given)
        return found

    @property
    def nonzero(self) -> dict[tuple[sp.Symbol, ...], sp.Expr]:
        """The components that are not 0, by coordinates, in order."""
        return {tuple(self.coordinates[k] for k in where): v for where, v in self._values.items()}

    # ----------------------------------------------------------------------------------- algebra

    def to(self, slots: str) -> Components:
        """The same tensor with other indices raised or lowered: riemann.to("____")."""
        return self._of_metric().moved(self, slots)

    def contracted(self, one: int, other: int) -> Components:
        """The sum over a pair of slots, with the metric where both are up or both down."""
        return self._of_metric().contracted(self, one, other)

    def covariant_derivative(self) -> Components:
        """∇_e T: the derivative's slot, lower, is the last."""
        return self._of_metric().covariant_derivative(self)

    def __add__(self, other: Components) -> Components:
        return self._of_metric().combined([(1, self), (1, other)])

    def __sub__(self, other: Components) -> Components:
        return self._of_metric().combined([(1, self), (-1, other)])

    def __neg__(self) -> Components:
        return self._of_metric().combined([(-1, self)])

    def __rmul__(self, factor: Any) -> Components:
        return self._of_metric().combined([(factor, self)])

    def __mul__(self, other: Any) -> Components:
        """T ⊗ S, or a multiple."""
        if isinstance(other, Components):
            return self._of_metric().product(self, other)
        return other * self

    def _of_metric(self) -> Any:
        if self.metric is None:
            raise FormulaError(
                f"{self.name} has no metric",
                mend="make the tensor with metric.tensor(slots, values)",
            )
        from .tensors import Tensors

        return Tensors(self.metric)

    # ---------------------------------------------------------------------------------- printing

    def latex(self) -> str:
        """What is not 0 as an aligned block, components equal by symmetry in one line.

        Of components that antisymmetry or a symmetry in pairs relates, the first stands for all.
        Names given to the metric, such as Σ, stand for the factors that they name.
        """
        rows: dict[Any, list[str]] = {}
        for where in self._given:
            if not self._independent(where):
                continue
            value = self._expr(where, named=True)
            upper = tuple(k for k, s in zip(where, self.slots, strict=True) if s == "^")
            lower = sorted(k for k, s in zip(where, self.slots, strict=True) if s == "_")
            rows.setdefault((upper, *lower, value), []).append(self._label(where))
        lines = [f"{' = '.join(labels)} &= {sp.latex(key[-1])}" for key, labels in rows.items()]
        lines = lines or [f"{self._label(None)} &= 0"]
        return "\\begin{aligned}\n" + " \\\\\n".join(lines) + "\n\\end{aligned}"

    def _label(self, where: Place | None) -> str:
        from ..explain.latex import name

        shown = [sp.latex(self.coordinates[k]) for k in where] if where else "cabdefgh"
        text = self._latex_name or name(self.name)
        for k, slot in enumerate(self.slots):
            if k == 0 or slot != self.slots[k - 1]:
                text += f"{'}{}' if k else ''}{slot}{{{shown[k]}"
            else:
                text += f" {shown[k]}"
        return text + "}" if self.slots else text

    def function(self) -> PointFunction:
        """The compiled JAX function point ↦ array of all components."""
        from .points import PointFunction

        shape, known = (len(self.coordinates),) * len(self.slots), self._values
        found = set().union(*(e.free_symbols for e in known.values()))
        more = found - {*self.coordinates, *self.parameters}  # those of a tensor over the metric
        parameters = (*self.parameters, *sorted(more, key=lambda s: s.name))
        return PointFunction(self.coordinates, parameters, shape, known)

    def _repr_latex_(self) -> str:
        return f"$\\displaystyle {self.latex()}$"

    def __str__(self) -> str:
        rows = [
            f"{self.name}[{', '.join(map(str, where))}] = {value}"
            for where, value in self.nonzero.items()
        ]
        return "\n".join(rows) or f"{self.name} = 0"

    __repr__ = __str__


def _vanishes(value: Any) -> bool:
    if isinstance(value, tuple):
        return not value[0] or not value[1]
    return not value if isinstance(value, Element) else bool(value == 0)
