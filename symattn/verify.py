"""Derived formulas against autodiff, against flash attention, and against finite differences.

Every reference starts from the definition, not from the derivation.  Inputs and upstream gradients
are random, sizes pairwise different, so that a flipped sign, a missing factor, a missing sum or a
transposition shows.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from .comparison import TOLERANCE, Report, Row
from .derive import Derivation, Gradients, Tangents
from .errors import UnsupportedError
from .ir import Index
from .model import is_size
from .references import References
from .shifts import Function, Loss, losses
from .syntax import Definition, System


def verify(
    what: Gradients | Tangents | Derivation | System,
    *,
    seed: int = 0,
    output: str | None = None,
    sizes: Mapping[str, int] | None = None,
    claims: Mapping[str, Definition] | None = None,
) -> Report:
    """A table of the largest errors of compiled formulas against independent references.

    Gradients are compared with `jax.vjp` of the definition, with the flash implementation where
    the system is an attention, and with central differences; Jacobians, Hessians, tangents and
    Hessian-vector products with JAX's and with differences; a System (with `output`) with its
    definition and with flash.  float64 and float32.  `claims` maps names in a Gradients to
    hand-written definitions that are compared in place of the derived ones; they may use every
    tensor, adjoint and upstream of the system.
    `sizes` fixes sizes by name; the others are small and pairwise different.
    """
    if isinstance(what, System):
        return Run(what, seed, sizes).forward(output)
    if isinstance(what, Tangents):
        reports = [verify(d, seed=seed, sizes=sizes) for d in what.values()]
        return Report(tuple(row for r in reports for row in r.rows), reports[0].sizes, seed)
    if isinstance(what, Gradients):
        return Run(what.system, seed, sizes).gradients(what, claims or {})
    if isinstance(what, Derivation):
        run = Run(what.system, seed, sizes)
        return run.adjoint(what) if what.output else run.derivative(what)
    raise UnsupportedError(
        f"{type(what).__name__} cannot be verified",
        expected="a System, a Derivation, or the gradients of a backward pass",
        mend="pass what jacobian() or backward() gave",
    )


class Run(References):
    """The rows of a table: compiled formulas beside the references of one draw."""

    def __init__(self, system: System, seed: int, sizes: Mapping[str, int] | None) -> None:
        super().__init__(system, seed, sizes)
        self.rows: list[Row] = []

    def report(self) -> Report:
        return Report(tuple(self.rows), self.sizes, self.seed)

    def compare(
        self,
        name: str,
        reference: str,
        dtype: str,
        got: Any,
        wanted: Any,
        natural: float = 0.0,
        loss: Loss | None = None,
    ) -> None:
        """Enter a row; errors are relative to the largest value, or to a `natural` one where that
        is larger, and a `loss` of digits elsewhere is an error too."""
        import numpy as np

        kind = reference.split(":")[0]
        label = {
            "autodiff": "jax autodiff",
            "flash": "flash",
            "differences": "differences",
            "definition": "definition",
            "dense": "dense",
        }[kind]
        tolerance = TOLERANCE[kind, dtype]
        got, wanted = np.asarray(got, np.float64), np.asarray(wanted, np.float64)
        if got.shape != wanted.shape:
            note = f"shape {got.shape} for {wanted.shape}"
            self.rows.append(Row(name, label, dtype, np.inf, np.inf, tolerance, note))
            return
        largest = float(np.max(np.abs(got - wanted), initial=0.0))
        scale = max(natural, float(np.max(np.abs(wanted), initial=0.0)))
        relative = largest / scale if scale else largest
        note = ""
        if loss is not None and relative <= tolerance:
            relative, note = loss.error, str(loss)
        self.rows.append(Row(name, label, dtype, largest, relative, tolerance, note))

    def forward(self, output: str | None) -> Report:
        import jax
        import numpy as np

        from .compile import compile

        name = output or list(self.model.bodies)[-1]
        wanted = self.value(name)
        function = compile(self.system, output=name)
        flash = self._flash(name)
        lost = self._lost(name, lambda given: {name: function(**given)}, function.inputs, {})
        for dtype in ("float64", "float32"):
            with jax.enable_x64(dtype == "float64"):
                given = self._inputs(function, dtype)
                loss = lost.get(name) if dtype == "float32" else None
                self.compare(name, "definition", dtype, function(**given), wanted, loss=loss)
                if flash is not None:
                    self.compare(
                        name,
                        "flash",
                        dtype,
                        function(**given),
                        np.asarray(flash(**self._inputs(flash, dtype))),
                    )
        return self.report()

    def _inputs(self, function: Any, dtype: str) -> dict[str, Any]:
        import jax.numpy as jnp

        own = {n: jnp.asarray(self.arrays[n], dtype) for n in function.inputs if n in self.arrays}
        return own | {n: self.sizes[n] for n in function.inputs.keys() - own if n in self.sizes}

    def _lost(
        self,
        output: str,
        ours: Function,
        takes: Iterable[str],
        upstream: Mapping[str, Any],
        wrt: Sequence[str] = (),
    ) -> dict[str, Loss]:
        """Digits that compiled values, or gradients in the inputs `wrt`, lose far from 0."""
        import jax
        import jax.numpy as jnp

        from .sample import symmetrized

        inputs = {n: x for n, x in self.arrays.items() if n in takes}
        free = {n: self.sizes[n] for n in takes if n not in inputs and n in self.sizes}

        @jax.jit
        def textbook(given: Mapping[str, Any]) -> Any:
            own = {n: jnp.asarray(given[n]) for n in given if n not in upstream}
            if not wrt:
                return {output: self.traced(output, own)}
            (bar,) = (given[n] for n in upstream)
            pulled = jax.vjp(lambda x: self.traced(output, {**own, **x}), {n: own[n] for n in wrt})
            slopes = pulled[1](bar)[0]
            return {n: symmetrized(self.model.inputs[n], x) for n, x in slopes.items()}

        def compiled(given: Mapping[str, Any]) -> Any:
            return ours({n: x for n, x in given.items() if n in takes} | free)

        whole = {**{n: x for n, x in self.arrays.items()}, **upstream}
        moved = (
            n
            for n in inputs
            if not (t := self.model.inputs[n]).sign and not t.symmetry and not is_size(t)
        )
        return losses(compiled, textbook, whole, moved)

    def _flash(self, output: str) -> Any:
        from .compile import compile

        try:
            return compile(self.system, output=output, path="flash")
        except UnsupportedError:
            return None

    def adjoint(self, derivation: Derivation) -> Report:
        from .derive import backward

        (name,) = (t.name for t in derivation.component.tensor.of)
        return self.gradients(backward(self.system, output=derivation.output, wrt=(name,)), {})

    def gradients(self, g: Gradients, claims: Mapping[str, Definition]) -> Report:
        import jax
        import jax.numpy as jnp
        import numpy as np

        from .compile import compile
        from .sample import draw, symmetrized

        for name in claims:
            g[name]  # an unknown name says which there are
        upstream = draw(self.model.adjoint(self.model.tensor(g.output)), self.sizes, self.rng)
        forward = {n: self.value(n) for n in (*self.model.inputs, *self.model.bodies)}
        compiled = None if claims else compile(g)
        flash = self._flash(g.output)
        wanted: dict[str, Any] = {}
        slopes: dict[str, Any] = {}
        with jax.enable_x64(True):
            pulled = self._pulled(g.output, {name: forward[name] for name in g}, upstream)
            for name in g:
                tensor, at = self.model.tensor(name), forward[name]
                wanted[name] = symmetrized(tensor, np.asarray(pulled[name]))

                def loss(points: Any, name: str = name) -> Any:
                    values = upstream * self.moved(g.output, name, points, {})
                    return values.reshape(len(points), -1).sum(axis=1)

                slopes[name] = symmetrized(tensor, self.differences(loss, at))
        lost: dict[str, Loss] = {}
        names = [n for n in g if n in self.model.inputs]
        if compiled is not None and names:
            lost = self._lost(
                g.output,
                lambda given: compiled(**given),
                compiled.inputs,
                {g.upstream: upstream},
                names,
            )
        effect = float(np.sum(np.abs(upstream * forward[g.output])))  # of all inputs on a loss
        for dtype in ("float64", "float32"):
            with jax.enable_x64(dtype == "float64"):
                if compiled is None:
                    got = self._claimed(g, claims, upstream)
                else:
                    bar = {g.upstream: jnp.asarray(upstream, dtype)}
                    got = compiled(**{**self._inputs(compiled, dtype), **bar})
                flashed = self._pullback(flash, g, upstream, dtype) if flash else {}
            for name in g:
                label = g[name].name
                natural = effect / max(float(np.max(np.abs(forward[name]), initial=0.0)), 1e-9)
                worst = lost.get(name) if dtype == "float32" else None
                self.compare(label, "autodiff", dtype, got[name], wanted[name], natural, worst)
                if name in flashed:
                    self.compare(label, "flash", dtype, got[name], flashed[name], natural)
                if dtype == "float64":
                    self.compare(label, "differences", dtype, got[name], slopes[name], natural)
            if compiled is None:
                break  # hand-written claims are evaluated in float64 only
        return self.report()

    def _claimed(
        self, g: Gradients, claims: Mapping[str, Definition], upstream: Any
    ) -> dict[str, Any]:
        """Derived adjoints from their formulas, the claimed ones in their place."""
        from .convert import lower
        from .evaluate import Evaluator

        arrays = {**self.arrays, g.upstream: upstream}
        evaluator = Evaluator(arrays, self.sizes, model=self.model)
        found: dict[str, Any] = {}
        for name, derivation in g.adjoints.items():
            if name == g.output:
                continue
            if name in claims:
                d = claims[name]
                letters = [Index(i.name, s) for i, s in zip(d.indices, d.shape, strict=True)]
                raw = lower(d.expr, d.indices, known=self.model.known)
                value = evaluator(raw, letters)
            else:
                value = evaluator(derivation.raw, derivation.indices)
            evaluator.arrays[derivation.name] = found[name] = value
        return found

    def _pullback(self, function: Any, g: Gradients, upstream: Any, dtype: str) -> dict[str, Any]:
        import jax
        import jax.numpy as jnp

        given = self._inputs(function, dtype)
        names = [n for n in g if n in given]

        @jax.jit
        def pull(xs: dict[str, Any], bar: Any) -> Any:
            return jax.vjp(lambda ys: function(**{**given, **ys}), xs)[1](bar)[0]

        pulled: dict[str, Any] = pull({n: given[n] for n in names}, jnp.asarray(upstream, dtype))
        return pulled

    def derivative(self, d: Derivation) -> Report:
        """A Jacobian, a Hessian, a tangent or a Hessian-vector product."""
        import jax
        import jax.numpy as jnp
        import numpy as np

        from .compile import compile
        from .sample import draw

        compiled = compile(d)
        known = {n: self.value(n) for n in (*self.model.inputs, *self.model.bodies)}
        at = {n: known[n] for n in d.along}
        tangents = {n: self.model.tangent(self.model.tensor(n)) for n in d.along}
        dots = {n: draw(t, self.sizes, self.rng) for n, t in tangents.items()}
        target = d.component.tensor
        if d.along:  # the tangent of a definition, or of the gradient that the product is about
            (target,) = target.of
        known |= {tangents[n].name: x for n, x in dots.items()}
        sizes = {n: self.sizes[n] for n in compiled.inputs if n in self.sizes}
        if not target.parts and not d.along and target.name not in known:
            return self._first_line(d, compiled, known, sizes)
        with jax.enable_x64(True):
            function = self._function(target)
            if d.along:
                here, there = ({n: jnp.asarray(x) for n, x in tree.items()} for tree in (at, dots))
                _, wanted = jax.jit(lambda x, dx: jax.jvp(function, (x,), (dx,)))(here, there)
            else:
                wanted = jax.jit(function)({})
            wanted = np.asarray(wanted)
        for dtype in ("float64", "float32"):
            with jax.enable_x64(dtype == "float64"):
                got = compiled(
                    **sizes,
                    **{n: jnp.asarray(known[n], dtype) for n in compiled.inputs if n in known},
                )
                self.compare(text_of(d), "autodiff", dtype, got, wanted)
            if dtype == "float64":
                from .steps import StepNumbers

                numbers = StepNumbers(d, self.seed, self)
                for n, x in dots.items():
                    numbers.values.arrays[tangents[n].name] = x
                slope = numbers.array(d.component.tensor)
                self.compare(text_of(d), "differences", dtype, got, slope)
        return self.report()

    def _first_line(
        self, d: Derivation, compiled: Any, known: Mapping[str, Any], sizes: Mapping[str, int]
    ) -> Report:
        """What nothing defines is compared with the line that it starts from, by differences."""
        import jax
        import jax.numpy as jnp

        from .steps import StepNumbers

        wanted = StepNumbers(d, self.seed, self).value(d.steps[0].raw_before)
        with jax.enable_x64(True):
            names = [n for n in compiled.inputs if n not in sizes]
            got = compiled(**sizes, **{n: jnp.asarray(known[n], "float64") for n in names})
        self.compare(text_of(d), "differences", "float64", got, wanted)
        return self.report()


def text_of(d: Derivation) -> str:
    """The name of a result in the table: dA/dS, ddL/dw/dw, O_dot."""
    return d.name.replace("∂", "d")


__all__ = ["Report", "Row", "Run", "verify"]
