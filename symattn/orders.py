"""Values, first and second derivatives of everything a system ends in, compiled, against autodiff.

For an output Y with the upstream gradient Ȳ the three are Y itself, X̄ = Σ Ȳ ∂Y/∂X for every input
X, and the tangent of X̄ along Ẋ: the second derivative of Σ Ȳ Y times a vector.  JAX has them from
the definition alone, by reverse mode and by forward over reverse.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from itertools import count
from typing import Any

import sympy as sp

from .comparison import Report
from .derive import backward, hvp
from .ir import Tensor
from .model import Model
from .syntax import Definition, System, define, indices, tensor, total
from .verify import Run

LOSS, UPSTREAM = "weighted", "upstream"


def orders(
    system: System,
    *,
    seed: int = 0,
    sizes: Mapping[str, int] | None = None,
) -> Report:
    """A table of the largest errors in float64 of all outputs of a system and their derivatives.

    Outputs are the definitions that no other one uses; derivatives are taken in every real input.
    """
    run = Run(system, seed, sizes)
    for output in outputs(run.model):
        _compare(run, output)
    return run.report()


def outputs(m: Model) -> list[str]:
    """The definitions that no other definition uses."""
    used = {other for name in m.bodies for other in m.uses(name)}
    return [name for name in m.bodies if name not in used]


def _compare(run: Run, output: str) -> None:
    import jax
    import jax.numpy as jnp
    import numpy as np

    from .compile import compile
    from .sample import draw, symmetrized

    m = run.model
    wrt = [n for n, t in m.inputs.items() if n in m.uses(output) and not is_whole(t)]
    bar, dots = m.adjoint(m.tensor(output)), {n: m.tangent(m.inputs[n]) for n in wrt}
    arrays = {t.name: draw(t, run.sizes, run.rng) for t in (bar, *dots.values())} | run.arrays
    # names that nothing in the system has, for the loss and the upstream gradient as its input
    loss, weights = (unused(stem, [*m.known, *arrays]) for stem in (LOSS, UPSTREAM))
    arrays[weights] = arrays[bar.name]
    loss_of = weighted(run.system[output], loss, weights)
    extended = System(*run.system, loss_of, facts=run.system.facts)
    wanted = {"value": run.value(output)}
    asked: dict[str, Any] = {"value": run.system[output]}
    if wrt:
        asked["first"] = backward(run.system, output=output, wrt=tuple(wrt))
        asked["second"] = {n: hvp(extended, of=loss, wrt=n) for n in wrt}
    compiled = compile(asked, given=extended)
    with jax.enable_x64(True):

        def value(given: Mapping[str, Any]) -> Any:
            even = {n: symmetrized(m.inputs[n], x) for n, x in given.items()}
            return jnp.sum(arrays[bar.name] * run.traced(output, even))

        def both(given: Mapping[str, Any]) -> Any:
            gradient = jax.grad(value)
            changes = {}
            for n in wrt:
                along = {k: jnp.zeros_like(x) for k, x in given.items()}
                along[n] = jnp.asarray(arrays[dots[n].name])
                changes[n] = jax.jvp(gradient, (given,), (along,))[1][n]
            return gradient(given), changes

        at = {n: jnp.asarray(arrays[n], jnp.float64) for n in wrt}
        if wrt:
            wanted["first"], wanted["second"] = jax.jit(both)(at)
        free = {n: run.sizes[n] for n in compiled.inputs if n in run.sizes}
        got = compiled(
            **free, **{n: jnp.asarray(arrays[n]) for n in compiled.inputs if n not in free}
        )
        run.compare(output, "definition", "float64", got["value"], wanted["value"])
        # what rounding leaves of a derivative that is 0 is compared with what it might be
        along = {"first": lambda n: 1.0, "second": lambda n: largest(arrays[dots[n].name])}
        for n in wrt:
            natural = float(np.sum(np.abs(arrays[bar.name] * wanted["value"])))
            for order, label in (("first", f"{n}_bar"), ("second", f"{n}_bar_dot")):
                ours, theirs = np.asarray(got[order][n]), np.asarray(wanted[order][n])
                natural *= along[order](n) / largest(arrays[n])
                run.compare(f"{output}: {label}", "autodiff", "float64", ours, theirs, natural)


def largest(array: Any) -> float:
    """The largest magnitude of an entry."""
    import numpy as np

    return max(float(np.max(np.abs(array), initial=0.0)), 1e-9)


def unused(stem: str, names: Collection[str]) -> str:
    """A name that is not among the names."""
    return next(n for k in count() if (n := f"{stem}{k or ''}") not in names)


def weighted(d: Definition, name: str, upstream: str) -> Definition:
    """Σ Ȳ Y, a scalar whose gradient is what a backward pass from Y gives."""
    bar = tensor(upstream, *d.shape)
    letters = [indices([f"{LOSS}_{k}"], size)[0] for k, size in enumerate(d.shape)]
    if not letters:
        return define(name, (), bar * sp.sympify(d))
    return define(name, (), total(bar[tuple(letters)] * d[tuple(letters)], *letters))


def is_whole(t: Tensor) -> bool:
    """True for a number that counts, which nothing is differentiated by."""
    return t.symbol is not None and bool(t.symbol.is_integer)
