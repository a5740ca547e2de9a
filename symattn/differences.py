"""Derivatives by central differences of the definitions: the second opinion on the rules.

∂Y/∂X is measured by moving one component of X at a time, everything else that is given held fixed,
and evaluating the definition of Y anew.  An abstract loss L is Σ ∂L/∂O O near the values of what it
is a function of.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from fractions import Fraction
from typing import Any

import numpy as np

from .derive import outputs_of
from .errors import FormulaError, LimitError
from .evaluate import Evaluator, Labelled
from .ir import OF_MATRIX, Ref, Tensor
from .sample import symmetrized


class OneByOne(Exception):
    """What has derivatives inside is not evaluated for many cases at once."""


class Differences(Evaluator):
    """An evaluator that needs no rule of differentiation."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.given = dict(self.arrays)  # without what is computed from them later

    def _ref(self, node: Ref) -> Labelled:
        tensor = node.tensor
        if not tensor.parts:
            return super()._ref(node)
        if tensor.name not in self.arrays:
            if self.stacked:
                raise OneByOne
            self.arrays[tensor.name] = self.slope(tensor)
        array = np.asarray(self.arrays[tensor.name])
        if not node.slots:
            return Labelled(array, ())
        return self._at(array, node.slots, map(self.size, tensor.shape), tensor.name)

    def slope(self, tensor: Tensor) -> Any:
        """The array of ∂of/∂wrt."""
        assert tensor.parts and self.model
        of, wrt = tensor.parts
        if of.parts and tensor.named[0].role == "loss":
            raise FormulaError(f"{of.name} is free: how it changes is not known")
        if of.role == "loss" and wrt in outputs_of(self.model, of):
            raise FormulaError(f"{tensor.name} is free and was not given")
        if wrt.name not in self.model.bodies and wrt.name not in self.given:
            raise FormulaError(f"nothing is known to depend on {wrt.name}")
        at = np.asarray(self.definition(wrt.name))

        def slope(tensor: Tensor) -> Any:
            def values(points: Any) -> Any:
                return self._values_of(tensor, wrt.name, [symmetrized(wrt, x) for x in points])

            return self._moved(values, at)

        if of.role != "loss":
            return slope(of)
        # entry by entry: what does not move cancels before anything is added to it
        total: Any = np.full(at.shape, self.carrier.number(0))
        for output in outputs_of(self.model, of):
            weight = self.given.get(f"∂{of.name}/∂{output.name}")
            if weight is not None:
                weight = np.asarray(weight)
                axes = tuple(range(weight.ndim))
                wide = weight.reshape(weight.shape + (1,) * at.ndim)
                total = total + np.sum(wide * slope(output), axis=axes)
        return total

    def _moved(self, function: Callable[[Any], Any], at: Any) -> Any:
        """∂function/∂at, the axes of `at` last; the function takes many points at once."""
        exact = at.dtype == object
        step: Any = self.carrier.number(Fraction(1, 10**15)) if exact else 1e-5
        if not at.size:
            return at
        zero: Any = self.carrier.number(0)
        shifts = np.full((at.size, at.size), zero, dtype=object if exact else float)
        np.fill_diagonal(shifts, step)
        shifts = shifts.reshape(at.size, *at.shape)
        ends = np.asarray(function(np.concatenate([at + shifts, at - shifts])))
        slopes = np.moveaxis((ends[: at.size] - ends[at.size :]) / (2 * step), 0, -1)
        return slopes.reshape((*slopes.shape[:-1], *at.shape))

    def _values_of(self, of: Tensor, moved: str, points: list[Any]) -> Any:
        """The array of a tensor or of a derivative at each of the values of a tensor."""
        if of.parts:
            return np.stack([self._after({moved: x}).slope(of) for x in points])
        try:
            if of.role in OF_MATRIX:
                raise OneByOne
            inside = self._after({moved: np.stack(points)}, (moved,))
            return inside.cases(of.name, len(points))
        except (LimitError, OneByOne):
            return np.stack([self._after({moved: x}).whole(of) for x in points])

    def _after(self, moved: dict[str, Any], stacked: Iterable[str] = ()) -> Differences:
        arrays = {**self.given, **moved}
        return Differences(arrays, self.sizes, self.carrier, self.model, stacked)


__all__ = ["Differences"]
