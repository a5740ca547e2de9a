"""Derivatives by central differences of the definitions: the second opinion on the rules.

∂Y/∂X is measured by moving one component of X at a time, everything else that is given held fixed,
and evaluating the definition of Y anew.  An abstract loss L is Σ ∂L/∂O O near the values of what it
is a function of.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

import numpy as np

from .derive import outputs_of
from .errors import FormulaError
from .evaluate import Evaluator, Labelled
from .ir import Ref, Tensor
from .sample import symmetrized


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
            def value(x: Any) -> Any:
                return self._value_of(tensor, {wrt.name: symmetrized(wrt, x)})

            return self._moved(value, at)

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
        exact = at.dtype == object
        step: Any = self.carrier.number(Fraction(1, 10**15)) if exact else 1e-5
        columns = []
        for k in range(at.size):
            ends = []
            for sign in (1, -1):
                moved = at.astype(object if exact else float).reshape(-1).copy()
                moved[k] = moved[k] + sign * step
                ends.append(np.asarray(function(moved.reshape(at.shape))))
            columns.append(np.asarray((ends[0] - ends[1]) / (2 * step)))
        return np.stack(columns, axis=-1).reshape((*columns[0].shape, *at.shape)) if columns else at

    def _value_of(self, of: Tensor, moved: dict[str, Any]) -> Any:
        """The array of a tensor or of a derivative after a move."""
        inside = Differences({**self.given, **moved}, self.sizes, self.carrier, self.model)
        return inside.slope(of) if of.parts else inside.definition(of.name)


__all__ = ["Differences"]
