"""Compiled functions along a path beside the dense ones, of everything that a system ends in.

In float64, at sizes that make several blocks of rows or fill several devices:

    value   Y
    jvp     Ẏ, as JAX differentiates the function of the value
    vjp     X̄ = Σ Ȳ ∂Y/∂X by its formula, for every input X
    hvp     the tangent of X̄, as JAX differentiates the function of the gradients

`symattn verify` compares the dense functions with automatic differentiation and with differences.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from math import prod
from typing import Any

import sympy as sp

from .comparison import Row
from .errors import UnsupportedError
from .model import Model, evaluated
from .orders import is_whole, largest, outputs
from .sample import shape_of, size_symbols
from .syntax import System
from .verify import Run

DEVICES = 4  # of a ring
BLOCKS = 260, 258, 263  # rows, where blocks have at most 128, for each size that is cut
SHARES = 2, 3, 4, 1, 5  # rows of a device, for each size that devices share
MOST = 2**25  # entries of an array

Reasons = list[tuple[str, str]]


def along(system: System, path: str, *, seed: int = 0) -> tuple[list[Row], Reasons]:
    """Comparisons of what has the path, and of everything else why it has not."""
    from .compile import compile
    from .derive import backward

    mesh = None
    if path == "ring":
        import jax

        mesh = jax.make_mesh((DEVICES,), ("ring",), devices=jax.devices()[:DEVICES])
    rows: list[Row] = []
    reasons: Reasons = []
    model = evaluated(system)
    for output in outputs(model):
        used = model.uses(output)
        part = System(*(d for d in system if d.name in used | {output}), facts=system.facts)
        wrt = tuple(n for n, t in model.inputs.items() if n in used and not is_whole(t))
        asked: dict[str, Any] = {output: part[output]}
        if wrt:
            asked[f"gradients of {output}"] = backward(part, output=output, wrt=wrt)
        for name, what in asked.items():
            try:
                function = compile(what, given=part, path=path, mesh=mesh)
            except UnsupportedError as error:
                reasons.append((name, error.got))
                continue
            sizes = lengths(path, function.shared)
            if large := too_large(evaluated(part), sizes):
                reasons.append((name, large))
                continue
            beside = _Beside(part, output, seed, sizes)
            rows += beside.compared(function, compile(what, given=part), wrt)
    return rows, reasons


def too_large(m: Model, sizes: Mapping[str, int]) -> str:
    """Which array of a system is too large to be drawn or computed at these sizes, and ""."""
    for tensor in (*m.inputs.values(), *(b.tensor for b in m.bodies.values())):
        symbols = size_symbols(tensor.shape)
        shape = shape_of(tensor, {n: sizes.get(n, 1) for n in symbols})
        if prod(shape) > MOST:
            at = ", ".join(f"{n} = {sizes[n]}" for n in symbols if n in sizes)
            letters = ", ".join(map(str, tensor.shape))
            return f"an array ({letters}) is too large at {at}, where rows are several blocks"
    return ""


def lengths(path: str, shared: Collection[sp.Expr]) -> dict[str, int]:
    """Sizes at which blocks are several, or that devices can share."""
    ring = path == "ring"
    names = [sorted(x.name for x in size.free_symbols) for size in sorted(shared, key=str)]
    long = dict.fromkeys(n for some in names for n in (some if ring else some[:1]))
    found = [DEVICES * n for n in SHARES] if ring else BLOCKS
    return dict(zip(long, found, strict=False))


class _Beside(Run):
    """An output and its derivatives, at arrays for which its dense function is finite."""

    def __init__(self, system: System, output: str, seed: int, sizes: Mapping[str, int]) -> None:
        from .compile import compile

        self.output, self.dense = output, compile(system, output=output)
        super().__init__(system, seed, sizes)

    def compared(self, function: Any, dense: Any, wrt: tuple[str, ...]) -> list[Row]:
        """The results of a function and their tangents beside those of the dense one."""
        import numpy as np

        from .sample import draw, symmetrized

        m = self.model
        bar = m.adjoint(m.tensor(self.output))
        dots = {n: draw(m.tangent(m.inputs[n]), self.sizes, self.rng) for n in wrt}
        known = self.arrays | {bar.name: draw(bar, self.sizes, self.rng)}
        natural = float(np.sum(np.abs(known[bar.name] * self.value(self.output))))
        (got, moved), (wanted, bent) = (
            self._with_tangents(f, known, dots) for f in (function, dense)
        )
        if not isinstance(wanted, Mapping):
            self.compare(f"{self.output}: value", "dense", "float64", got, wanted)
            self.compare(f"{self.output}: jvp", "dense", "float64", moved, bent)
            return self.rows
        for n in wanted:
            scale = natural / largest(known[n])
            for order, ours, theirs in (("vjp", got, wanted), ("hvp", moved, bent)):
                one, other = (symmetrized(m.inputs[n], np.asarray(x[n])) for x in (ours, theirs))
                self.compare(f"{self.output}: {order}, {n}", "dense", "float64", one, other, scale)
                scale *= largest(dots[n]) / largest(known[n])
        return self.rows

    def value(self, name: str) -> Any:
        """The output by its dense function, which needs no array over all letters."""
        import jax
        import numpy as np

        assert name == self.output
        with jax.enable_x64(True):
            return np.asarray(self.dense(**self._taken(self.dense, self.arrays)))

    def _taken(self, function: Any, known: Mapping[str, Any]) -> dict[str, Any]:
        return {n: known[n] if n in known else self.sizes[n] for n in function.inputs}

    def _with_tangents(
        self, function: Any, known: Mapping[str, Any], dots: Mapping[str, Any]
    ) -> tuple[Any, Any]:
        """What a function gives, and its tangent."""
        import jax

        sizes = {n: self.sizes[n] for n in function.inputs if n not in known}
        arrays = {n: x for n, x in known.items() if n in function.inputs}
        moving = {n: x for n, x in arrays.items() if n in dots}

        def both(arrays: Any, moving: Any, dots: Any) -> Any:
            return jax.jvp(lambda x: function(**{**arrays, **x}, **sizes), (moving,), (dots,))

        with jax.enable_x64(True):
            return jax.jit(both)(arrays, moving, {n: dots[n] for n in moving})

    def _defined(self) -> bool:
        import numpy as np

        return bool(np.all(np.isfinite(self.value(self.output))))


__all__ = ["DEVICES", "along"]
