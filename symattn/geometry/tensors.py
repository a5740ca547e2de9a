"""Tensors of any rank over a metric: derivatives, contractions, raising and lowering."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import product
from typing import TYPE_CHECKING, Any

import sympy as sp

from ..errors import FormulaError, ShapeError
from .components import Components, Place
from .curvature import Products
from .field import Element

if TYPE_CHECKING:
    from .metric import Metric


class Tensors:
    """What tensors over one metric do, in its exact field."""

    def __init__(self, metric: Metric) -> None:
        self.metric, self.curvature, self.scalars = metric, metric.curvature, metric.scalars
        self.coordinates, self.n = metric.coordinates, len(metric.coordinates)

    def made(self, name: str, slots: str, values: Mapping[Place, Any], latex: str) -> Components:
        """Components over this metric."""
        return Components(
            name,
            slots,
            self.coordinates,
            values,
            self.metric.parameters,
            metric=self.metric,
            latex_name=latex,
        )

    def given(self, slots: str, values: Any, name: str) -> Components:
        """A tensor by its components: nested lists, an array, or a dict of what is not 0."""
        if set(slots) - {"^", "_"}:
            raise FormulaError(
                f"{slots!r} does not say which indices are up",
                expected="one ^ or _ for every index",
                mend='write "^" for a vector, "_" for a gradient, "__" for a metric',
            )
        places = dict(self._listed(slots, values, name))
        for value in places.values():
            self.metric.check_symbols(value, name)
        return self.made(name, slots, {p: self.scalars.read(v) for p, v in places.items()}, "")

    def _listed(self, slots: str, values: Any, name: str) -> Iterable[tuple[Place, Any]]:
        if isinstance(values, Mapping):
            shape = Components(name, slots, self.coordinates, {})
            return [(shape._place(where), value) for where, value in values.items()]
        if not slots:
            return [((), values)]
        rank, array = len(slots), values
        if not isinstance(array, sp.NDimArray):
            try:
                array = sp.ImmutableDenseNDimArray(values)
            except (TypeError, ValueError) as error:
                raise FormulaError(
                    f"{name} is no table of components: {error}", got=type(values).__name__
                ) from None
        if rank == 1 and array.shape in ((self.n, 1), (1, self.n)):
            array = array.reshape(self.n)
        if array.shape != (self.n,) * rank:
            raise ShapeError(
                f"{name} does not fit the coordinates {', '.join(map(str, self.coordinates))}",
                expected=f"shape {(self.n,) * rank} for the slots {slots}",
                got=f"shape {array.shape}",
                mend="give one entry for every coordinate in every slot",
            )
        return [(p, array[p]) for p in product(range(self.n), repeat=rank)]

    def combined(self, terms: Sequence[tuple[Any, Components]]) -> Components:
        """Σ factor · tensor, all of one kind."""
        first = terms[0][1]
        products: Products = {}
        for factor, tensor in terms:
            if not isinstance(tensor, Components) or tensor.slots != first.slots:
                raise FormulaError(
                    f"{first.name} and {getattr(tensor, 'name', tensor)} are not of one kind",
                    expected=f"slots {first.slots}",
                    got=f"slots {getattr(tensor, 'slots', 'none')}",
                    mend="raise or lower indices with .to(slots)",
                )
            scale = self.scalars.read(factor)
            for place, value in tensor.exact.items():
                products.setdefault(place, []).append((1, (scale, value)))
        name = first.name if len(terms) == 1 else "T"
        return self.made(name, first.slots, self.curvature.totals(products), "")

    def moved(self, tensor: Components, slots: str) -> Components:
        """The tensor with its indices where `slots` has them."""
        if len(slots) != len(tensor.slots) or set(slots) - {"^", "_"}:
            raise FormulaError(
                f"{tensor.name} with slots {tensor.slots} has no form {slots!r}",
                expected=f"{len(tensor.slots)} of ^ and _",
            )
        values = tensor.exact
        for k, (old, new) in enumerate(zip(tensor.slots, slots, strict=True)):
            if old != new:
                move = self.curvature.raised if new == "^" else self.curvature.lowered
                values = move(values, k)
        return self.made(tensor.name, slots, values, tensor._latex_name)

    def contracted(self, tensor: Components, one: int, other: int) -> Components:
        """T with the slots `one` and `other` summed over."""
        rank = len(tensor.slots)
        if not (0 <= one < rank and 0 <= other < rank and one != other):
            raise FormulaError(
                f"{tensor.name} has no slots {one} and {other} to contract",
                expected=f"two different numbers below {rank}",
            )
        if tensor.slots[one] == tensor.slots[other]:
            flipped = "^" if tensor.slots[one] == "_" else "_"
            tensor = self.moved(tensor, tensor.slots[:one] + flipped + tensor.slots[one + 1 :])
        products: Products = {}
        for place, value in tensor.exact.items():
            if place[one] == place[other]:
                rest = tuple(p for k, p in enumerate(place) if k not in (one, other))
                products.setdefault(rest, []).append((1, (value,)))
        slots = "".join(s for k, s in enumerate(tensor.slots) if k not in (one, other))
        return self.made(tensor.name, slots, self.curvature.totals(products), tensor._latex_name)

    def covariant_derivative(self, tensor: Components) -> Components:
        """∇_e T^a_b = ∂_e T^a_b + Γ^a_{ef} T^f_b − Γ^f_{eb} T^a_f, with e the last slot."""
        gamma, products = self.curvature.second_kind, Products()
        columns: dict[tuple[str, int], list[tuple[int, int, Element]]] = {}
        for (c, a, b), value in gamma.items():
            columns.setdefault(("^", b), []).append((a, c, value))  # Γ^c_{ab} T^b adds to T^c
            columns.setdefault(("_", c), []).append((a, b, value))  # Γ^c_{ab} T_c leaves T_b
        for place, value in tensor.exact.items():
            for e, x in enumerate(self.coordinates):
                if slope := self.scalars.derivative(value, x):
                    products.setdefault((*place, e), []).append((1, (slope,)))
            for k, slot in enumerate(tensor.slots):
                for e, to, factor in columns.get((slot, place[k]), ()):
                    at = (*place[:k], to, *place[k + 1 :], e)
                    sign = 1 if slot == "^" else -1
                    products.setdefault(at, []).append((sign, (factor, value)))
        return self.made(
            f"nabla_{tensor.name}",
            tensor.slots + "_",
            self.curvature.totals(products),
            rf"\nabla {tensor._label(None).split('^')[0].split('_{')[0]}",
        )

    def lie_derivative(self, vector: Components, tensor: Components) -> Components:
        """𝓛_v T^a_b = v^c ∂_c T^a_b − T^c_b ∂_c v^a + T^a_c ∂_b v^c."""
        products, v = Products(), self.moved(vector, "^").exact
        slopes = {
            (c, a): slope
            for (a,), value in v.items()
            for c, x in enumerate(self.coordinates)
            if (slope := self.scalars.derivative(value, x))
        }
        for place, value in tensor.exact.items():
            for (c,), along in v.items():
                if slope := self.scalars.derivative(value, self.coordinates[c]):
                    products.setdefault(place, []).append((1, (along, slope)))
            for k, slot in enumerate(tensor.slots):
                for (c, a), slope in slopes.items():
                    old, new, sign = (c, a, -1) if slot == "^" else (a, c, 1)
                    if place[k] == old:
                        at = (*place[:k], new, *place[k + 1 :])
                        products.setdefault(at, []).append((sign, (slope, value)))
        return self.made(
            f"lie_{tensor.name}",
            tensor.slots,
            self.curvature.totals(products),
            rf"\mathcal{{L}} {tensor.name}",
        )

    def product(self, one: Components, other: Components) -> Components:
        """T ⊗ S."""
        values = {
            (*p, *q): self.scalars.field.total([(1, (a, b))])
            for p, a in one.exact.items()
            for q, b in other.exact.items()
        }
        return self.made(f"{one.name}{other.name}", one.slots + other.slots, values, "")
