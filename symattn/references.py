"""One draw of sizes and arrays for a system, and what its formulas are compared with: values,
derivatives by JAX and by finite differences, all of them straight from the definitions.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from .errors import LimitError, SymattnError
from .ir import Argmax, Delta, Mask, Node, Ref, Slot, Tensor, parts, slot_items
from .model import Model, evaluated, is_size
from .syntax import System

if TYPE_CHECKING:
    import sympy as sp

    from .evaluate import Evaluator

SHORTER, BEND = (1.0, 1 / 8, 1 / 64), 1e-3  # shares of a shift, until far − 2 near is small
LESS = 8  # times less a function bends in an eighth of a shift (64 times where it is smooth)
DRAWS = 12  # of arrays, until every definition is finite


class References:
    """One draw of sizes and arrays for a system, and the references computed from it."""

    def __init__(self, system: System, seed: int, sizes: Mapping[str, int] | None) -> None:
        import numpy as np

        from .facts import facts_of
        from .sample import draw, pick_sizes, satisfying, size_symbols

        self.model: Model = evaluated(system)
        self.system, self.seed = system, seed
        tensors = [*self.model.inputs.values(), *(b.tensor for b in self.model.bodies.values())]
        shapes = [s for t in tensors for s in t.shape]
        inside = [size for b in self.model.bodies.values() for size in sizes_in(b.raw)]
        self.sizes = pick_sizes(size_symbols([*shapes, *inside]), sizes)
        self.rng = np.random.default_rng(seed)
        self._evaluated: tuple[dict[str, Any], dict[str, Any]] | None = None
        self.arrays = {n: draw(t, self.sizes, self.rng) for n, t in self.model.inputs.items()}
        for attempt in range(DRAWS):
            if self._defined():
                break
            self.arrays = self._drawn_again(attempt)
        if system.facts:  # values that satisfy what is assumed, where they are found
            known = satisfying(
                facts_of(self.model), self.model.inputs, self.arrays, self.sizes, self.model
            )
            self.arrays = known or self.arrays

    def _defined(self) -> bool:
        """Every definition is finite at the arrays that were drawn."""
        import numpy as np

        with np.errstate(all="ignore"):
            return all(np.all(np.isfinite(self.value(n))) for n in self.model.bodies)

    def _drawn_again(self, attempt: int) -> dict[str, Any]:
        """Positive values for roots and logarithms, small ones for exponentials, then any."""
        import numpy as np

        inputs = self.model.inputs
        if attempt == 0:  # what is declared stays: signs of pairs, squares that are positive
            kept = {n for n, t in inputs.items() if t.symmetry == "antisymmetric" or t.definite}
            kept |= {n for n, t in inputs.items() if is_size(t)}
            return {n: x if n in kept else np.abs(x) + 0.1 for n, x in self.arrays.items()}
        scales = {n: 0.2 if attempt == 1 else 10.0 ** self.rng.uniform(-1, 1) for n in self.arrays}
        return {n: x if is_size(inputs[n]) else scales[n] * x for n, x in self.arrays.items()}

    def scale(self, factor: float) -> None:
        """Smaller values of the inputs."""
        self.arrays = {
            n: x if is_size(self.model.inputs[n]) else factor * x for n, x in self.arrays.items()
        }
        self._evaluated = None

    # --------------------------------------------------------------------------------------- values

    def evaluator(
        self, given: Mapping[str, Any] | None = None, stacked: Iterable[str] = ()
    ) -> Evaluator:
        """The definitions in float64 by NumPy, some tensors overridden, or by stacks of values.

        What rests on none of these is taken from one evaluation: differences need it often.
        """
        from .evaluate import Evaluator

        given = given or {}
        kept = {
            n: x
            for n, x in (self._steady if given else {}).items()
            if given.keys().isdisjoint((n, *self.model.uses(n)))
        }
        arrays = {**self.arrays, **kept, **given}
        return Evaluator(arrays, self.sizes, model=self.model, stacked=stacked)

    @property
    def _steady(self) -> dict[str, Any]:
        """The definitions that have values at the arrays in force."""
        if self._evaluated is None or self._evaluated[0] is not self.arrays:
            values = self.evaluator()
            for name in self.model.bodies:
                with suppress(SymattnError, ArithmeticError):
                    values.definition(name)
            found = {n: values.arrays[n] for n in self.model.bodies if n in values.arrays}
            self._evaluated = (self.arrays, found)
        return self._evaluated[1]

    def traced(self, name: str, given: Mapping[str, Any]) -> Any:
        """The value of a definition by JAX, straight from the formula."""
        from .carriers import jax_arrays
        from .evaluate import Evaluator

        arrays = {**self.arrays, **given}
        return Evaluator(arrays, self.sizes, jax_arrays(), self.model).definition(name)

    def value(self, name: str) -> Any:
        return self.evaluator().definition(name)

    def moved(self, name: str, wrt: str, points: Any, given: Mapping[str, Any]) -> Any:
        """The values of a definition where a tensor has each of the values `points`."""
        import numpy as np

        try:
            values = self.evaluator({**given, wrt: points}, stacked=(wrt,))
            return values.cases(name, len(points))
        except LimitError:
            if len(points) == 1:
                raise
            halves = np.array_split(points, 2)
            return np.concatenate([self.moved(name, wrt, half, given) for half in halves])

    # ---------------------------------------------------------------------------------- derivatives

    def differences(self, function: Any, at: Any, step: float = 1e-3) -> Any:
        """∂function/∂at by five-point central differences; the axes of `at` come last.

        A component is moved by `step`, one larger than 1 by that share of it.
        `function` takes many points at once, and gives as many values.
        """
        import numpy as np

        at = np.asarray(at, np.float64)
        steps = step * np.maximum(1.0, np.abs(at)).ravel()  # 10¹⁰ + 10⁻³ is rounded
        shifts = np.diag(steps).reshape(at.size, *at.shape)
        value = np.moveaxis(self.slopes(function, at, shifts), 0, -1) / steps
        return value.reshape(value.shape[:-1] + at.shape)

    @staticmethod
    def slopes(function: Any, at: Any, shifts: Any) -> Any:
        """The derivatives of function along each of the shifts, with errors of the fourth order.

        A shift is made shorter where the function bends within it, as near a singular matrix, and
        the bend shrinks with it, which what rounding leaves does not.
        """
        import numpy as np

        found: Any = None
        bent = np.full(len(shifts), 1e200)
        left = np.arange(len(shifts))
        for part in SHORTER:
            moves = part * shifts[left]
            ends = function(np.concatenate([at + k * moves for k in (1, -1, 2, -2)]))
            ends = np.asarray(ends).reshape(4, len(left), *np.shape(ends)[1:])
            near, far = ends[0] - ends[1], ends[2] - ends[3]
            slopes = (8 * near - far) / (12 * part)
            if found is None:
                found = slopes
            every = tuple(range(1, near.ndim))
            bend, size = (
                np.max(np.abs(x), axis=every, initial=0.0) for x in (far - 2 * near, near)
            )
            better = bend * LESS <= bent[left] * size
            found[left[better]] = slopes[better]
            bent[left] = bend / np.where(size > 0, size, 1)
            left = left[better & (bend > BEND * size)]
            if not left.size:
                break
        return found

    def _pulled(self, output: str, at: Mapping[str, Any], upstream: Any) -> dict[str, Any]:
        """The adjoint of each tensor in `at` by JAX, which sees the formula of the output."""
        import jax
        import jax.numpy as jnp

        def along(name: str, x: Any, bar: Any) -> Any:
            return jax.vjp(lambda y: self.traced(output, {name: y}), x)[1](bar)[0]

        # compiled as a whole: operation by operation takes many times longer
        pull = jax.jit(lambda xs, bar: {name: along(name, x, bar) for name, x in xs.items()})
        found: dict[str, Any] = pull({n: jnp.asarray(x) for n, x in at.items()}, upstream)
        return found

    def _function(self, target: Tensor) -> Any:
        """Values of a tensor, or of a derivative, by JAX, as a function of overridden tensors."""
        import jax
        import jax.numpy as jnp

        from .sample import symmetrized

        if not target.parts:
            return lambda given: self.traced(target.name, given)
        of, wrt = target.parts
        inner = self._function(of)

        def slope(given: Mapping[str, Any]) -> Any:
            at = given.get(wrt.name, self.value(wrt.name))
            return jax.jacfwd(lambda x: inner({**given, wrt.name: symmetrized(wrt, x)}))(
                jnp.asarray(at)
            )

        return slope


def sizes_in(node: Node) -> set[sp.Expr]:
    """The sizes of all letters in an expression, and those that are numbers in it."""
    found = {i.size for i in node.free}
    for part in (*parts(node), *getattr(node, "bound", ())):
        found |= sizes_in(part)
    if isinstance(node, Ref) and is_size(node.tensor):
        found.add(node.tensor.symbol)
    slots: tuple[Slot, ...] = ()
    match node:
        case Ref():
            slots = node.slots
        case Delta():
            slots = (node.a, node.b)
        case Mask():
            slots = (node.slot,)
        case Argmax():
            slots = node.at
    return found.union(slot_items(slot)[1] for slot in slots)


__all__ = ["References"]
