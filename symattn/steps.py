"""The steps of a derivation as numbers: both sides evaluated, derivatives taken by differences."""

from __future__ import annotations

from math import prod
from typing import Any

from .derive import LOSS, Derivation, Step, variables
from .ir import Poly, Tensor, refs
from .sample import shape_of
from .verify import Run

MOVES = 200  # components that are moved for one derivative; past them the sizes are smaller
SMALL = (2, 3, 1, 4)
SHIFTS = (1e-3, 1e-4, 1e-5)  # of the components that are moved
GOOD = 1e-6
DRAWS = 6  # of values at which a formula may have one
SETTLED = 1e-2  # the share by which a derivative may change with the shift
NEARER, NEAREST = 0.2, 0.03  # how much smaller values are drawn where it does not settle
ROUNDING = 4e-16  # of a value, as a share of it; a difference has that over its shift


class StepNumbers:
    """The two sides of steps as numbers, derivatives by central differences of the definitions."""

    def __init__(
        self,
        derivation: Derivation,
        seed: int = 0,
        run: Run | None = None,
        scale: float = 1.0,
        draws: int = DRAWS,
    ) -> None:
        self.derivation, self.seed, self.scale, self.draws = derivation, seed, scale, draws
        self.run = run or self._drawn(seed)
        if scale != 1:
            self.run.scale(scale)
        self.shift = SHIFTS[0]
        self.measured: list[str] = []  # what is in the arrays and depends on the shift
        self.rounding = 0.0  # of what was measured last
        self.values = self.run.evaluator()
        if derivation.output:
            from .sample import draw

            bar = self.run.model.adjoint(self.run.model.tensor(derivation.output))
            self.values.arrays[bar.name] = draw(bar, self.run.sizes, self.run.rng)

    def _drawn(self, seed: int) -> Run:
        """A draw, at smaller sizes where a derivative has many components to be moved."""
        run = Run(self.derivation.system, seed, None)
        tensors = {r.tensor for s in self.derivation.steps for r in refs(s.raw_before)}
        tensors |= {self.derivation.component.tensor}
        moved = 1
        for tensor in tensors:
            count = 1
            for wrt in variables(tensor):
                count *= prod(shape_of(wrt, run.sizes))
            moved = max(moved, count)
        if moved <= MOVES:
            return run
        return Run(self.derivation.system, seed, dict(zip(run.sizes, SMALL, strict=False)))

    def error(self, step: Step) -> float:
        """The largest difference of both sides over the largest value, at the shift that is best.

        A shift is too long where derivatives of higher order are large.  Where none is short
        enough, sin e^x far from 0, or no value is finite, other and smaller values are drawn.
        """
        import numpy as np

        found, sides = float("inf"), None
        for self.shift in SHIFTS:
            with np.errstate(all="ignore"):  # what is not finite is drawn again
                last, sides = sides, (self.value(step.raw_before), self.value(step.raw_after))
                found = min(found, self._error(*sides))
            if found < GOOD:
                return found
            for name in self.measured:
                self.values.arrays.pop(name)
            self.measured.clear()
        if found == float("inf") and self.draws and self.scale == 1:  # log s for s < 0
            return StepNumbers(self.derivation, self.seed + 1, draws=self.draws - 1).error(step)
        settled = last is None or sides is None or all(map(_near, last, sides))
        settled = settled and found < float("inf")
        if settled or self.derivation.system.facts or self.scale < NEAREST:
            return found
        return StepNumbers(self.derivation, self.seed, scale=self.scale * NEARER).error(step)

    def _error(self, before: Any, after: Any) -> float:
        """Where the first side has a value; not finite where it has none, or the second one."""
        import numpy as np

        known = np.isfinite(before)
        if before.size and not known.any():
            return float("inf")
        before, after = before[known], after[known]
        scale = max(float(np.max(np.abs(before), initial=0.0)), self.scale)
        apart = float(np.max(np.abs(before - after), initial=0.0))
        return max(apart - self.rounding, 0.0) / scale if apart == apart else float("inf")

    def value(self, side: Poly) -> Any:
        """One side of a step, with its axes in the order of the result."""
        import numpy as np

        for ref in refs(side):
            self._provide(ref.tensor)
        return np.asarray(self.values(side, self.derivation.indices), np.float64)

    def array(self, tensor: Tensor) -> Any:
        """The array of a derivative or a tangent, or of what a definition says."""
        self._provide(tensor)
        known = self.values.arrays.get(tensor.name)
        return self.values.definition(tensor.name) if known is None else known

    def _provide(self, tensor: Tensor) -> None:
        derived = tensor.role in ("partial", "adjoint", "tangent")
        if tensor.name not in self.values.arrays and derived:
            self.values.arrays[tensor.name] = self._value(tensor, {})
            given = tensor.role == "tangent" and tensor.of[0].name in self.derivation.along
            if not given:
                self.measured.append(tensor.name)

    def _value(self, tensor: Tensor, given: dict[str, Any]) -> Any:
        """The array of a tensor, of a derivative, an adjoint or a tangent, from the definitions."""
        from .sample import draw, symmetrized

        d = self.derivation
        if tensor.parts:
            of, wrt = tensor.parts
            return self._slope(of, wrt, given)
        if tensor.role == "adjoint":
            return self._slope(LOSS, tensor.of[0], given)
        if tensor.role == "tangent":
            if tensor.of[0].name in d.along:
                return symmetrized(tensor, draw(tensor, self.run.sizes, self.run.rng))
            return self._along(tensor)
        return self.run.evaluator(given).definition(tensor.name)

    def _slope(self, of: Tensor, wrt: Tensor, given: dict[str, Any]) -> Any:
        """∂of/∂wrt; direct, the other definitions held fixed, where a pass goes step by step."""
        import numpy as np

        from .sample import symmetrized

        d, known = self.derivation, self.run.model
        stepwise = d.output or (d.along and not d.component.tensor.of[0].parts)
        fixed = {
            n: self.values.definition(n)
            for n in known.bodies
            if stepwise and of is not LOSS and n != of.name
        }

        def function(points: Any) -> Any:
            points = np.stack([symmetrized(wrt, x) for x in points])
            inside = {**fixed, **given}
            if of is wrt:
                return points
            if of is LOSS:
                bar = self.values.arrays[known.adjoint(known.tensor(d.output)).name]
                value = bar * self.run.moved(d.output, wrt.name, points, inside)
                return rounded(value.reshape(len(points), -1).sum(axis=1))
            if not of.role:
                return rounded(self.run.moved(of.name, wrt.name, points, inside))
            return np.stack([self._value(of, {**inside, wrt.name: x}) for x in points])

        def rounded(values: Any) -> Any:
            self.rounding = ROUNDING * float(np.max(np.abs(values), initial=0.0))
            return values

        at = given.get(wrt.name)
        if at is None:  # what moves may be what it is made of
            at = (self.run.evaluator(given) if given else self.values).definition(wrt.name)
        found = self.run.differences(function, at, self.shift)
        self.rounding /= self.shift
        return found

    def _along(self, tensor: Tensor) -> Any:
        """The tangent of a definition, or of a gradient, along the tangents that come in."""
        import numpy as np

        d = self.derivation
        (target,) = tensor.of
        tangents = {n: self.run.model.tangent(self.run.model.tensor(n)) for n in d.along}
        for tangent in tangents.values():
            self._provide(tangent)
        at = {n: np.asarray(self.values.definition(n), np.float64) for n in d.along}
        dots = {n: self.values.arrays[t.name] for n, t in tangents.items()}

        def function(points: Any) -> Any:
            moved = ({n: x + t * dots[n] for n, x in at.items()} for t in points)
            return np.stack([self._value(target, given) for given in moved])

        found = self.run.slopes(function, 0.0, np.array([self.shift]))[0] / self.shift
        self.rounding /= self.shift
        return found


def _near(one: Any, other: Any) -> bool:
    """A derivative is the same at two shifts."""
    import numpy as np

    scale = max(float(np.max(np.abs(other), initial=0.0)), 1.0)
    return not float(np.max(np.abs(one - other), initial=0.0)) / scale > SETTLED
