"""Components of tensors in coordinates: looked up by name, printed, and compiled."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cached_property
from typing import Any

import sympy as sp
from sympy.core.function import AppliedUndef

from ..errors import FormulaError, ShapeError, UnsupportedError


class Components:
    """The components of a tensor in coordinates, such as Γ^c_{ab}: [c, a, b] by symbol or number.

    `slots` has ^ or _ for every index; `nonzero` maps coordinates to the components that are not 0.
    """

    def __init__(
        self,
        name: str,
        slots: str,
        coordinates: Sequence[sp.Symbol],
        values: Mapping[tuple[int, ...], sp.Expr],
        parameters: Sequence[sp.Symbol] = (),
    ) -> None:
        self.name, self.slots = name, slots
        self.coordinates, self.parameters = tuple(coordinates), tuple(parameters)
        self._values = {k: v for k, v in sorted(values.items()) if v != 0}

    def __getitem__(self, where: Any) -> sp.Expr:
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
        return self._values.get(tuple(known[w] for w in where), sp.S.Zero)

    @property
    def nonzero(self) -> dict[tuple[sp.Symbol, ...], sp.Expr]:
        """The components that are not 0, by coordinates, in order."""
        return {tuple(self.coordinates[k] for k in where): v for where, v in self._values.items()}

    def latex(self) -> str:
        """What is not 0 as an aligned block, components equal by symmetry in one line."""
        rows: dict[Any, list[str]] = {}
        for where, value in self._values.items():
            upper = tuple(k for k, s in zip(where, self.slots, strict=True) if s == "^")
            lower = sorted(k for k, s in zip(where, self.slots, strict=True) if s == "_")
            rows.setdefault((upper, *lower, value), []).append(self._label(where))
        lines = [f"{' = '.join(labels)} &= {sp.latex(key[-1])}" for key, labels in rows.items()]
        lines = lines or [f"{self._label(None)} &= 0"]
        return "\\begin{aligned}\n" + " \\\\\n".join(lines) + "\n\\end{aligned}"

    def _label(self, where: tuple[int, ...] | None) -> str:
        from ..explain.latex import name

        shown = [sp.latex(self.coordinates[k]) for k in where] if where else "cabdefgh"
        text = name(self.name)
        for k, slot in enumerate(self.slots):
            if k == 0 or slot != self.slots[k - 1]:
                text += f"{'}{}' if k else ''}{slot}{{{shown[k]}"
            else:
                text += f" {shown[k]}"
        return text + "}"

    def function(self) -> PointFunction:
        """The compiled JAX function point ↦ array of all components."""
        return PointFunction(self)

    def _repr_latex_(self) -> str:
        return f"$\\displaystyle {self.latex()}$"

    def __str__(self) -> str:
        rows = [
            f"{self.name}[{', '.join(map(str, where))}] = {value}"
            for where, value in self.nonzero.items()
        ]
        return "\n".join(rows) or f"{self.name} = 0"

    __repr__ = __str__


class PointFunction:
    """f(point, **parameters): all components as one array, with the values' common parts shared.

    `point` is a float array of shape (n,) in the order of `coordinates`, `parameters` are scalars
    by name.  It goes through jax.jit, jax.vmap and jax.grad; under vmap, bind parameters first:
    jax.vmap(lambda x: f(x, R=2.0))(points).

    Raises ShapeError for a point of another shape and for names that are missing or unknown,
    UnsupportedError where a component has a function without a value, such as a(t).
    """

    def __init__(self, components: Components) -> None:
        import numpy as np

        self.coordinates, self.parameters = components.coordinates, components.parameters
        values = components._values
        distinct = list(dict.fromkeys(values.values()))
        functions = sorted(map(str, set().union(*(v.atoms(AppliedUndef) for v in distinct))))
        if functions:
            raise UnsupportedError(
                f"{', '.join(functions)} has no value",
                mend="put a formula in its place in the matrix of the metric",
            )
        self._where = np.zeros((len(self.coordinates),) * len(components.slots), np.int32)
        for where, value in values.items():
            self._where[where] = distinct.index(value) + 1
        self._needed = [s.name for s in self.parameters if any(v.has(s) for v in distinct)]
        self._values = sp.lambdify((*self.coordinates, *self.parameters), distinct, "jax", cse=True)

    def __call__(self, point: Any, /, **parameters: Any) -> Any:
        import jax.numpy as jnp

        point, n = jnp.asarray(point), len(self.coordinates)
        if point.shape != (n,):
            raise ShapeError(
                "the point does not fit the coordinates",
                got=f"shape {point.shape}",
                expected=f"shape ({n},) for {', '.join(map(str, self.coordinates))}",
                mend="use jax.vmap for many points",
            )
        check_names("the function", parameters, [s.name for s in self.parameters], self._needed)
        return self._run(point * 1.0, *(parameters.get(s.name, 0.0) for s in self.parameters))

    @cached_property
    def _run(self) -> Callable[..., Any]:
        import jax
        import jax.numpy as jnp

        def table(point: Any, *parameters: Any) -> Any:
            return jnp.array([0.0, *self._values(*point, *parameters)], point.dtype)[self._where]

        jitted: Callable[..., Any] = jax.jit(table)
        return jitted


def check_names(
    what: str, given: Iterable[str], known: Sequence[str], needed: Sequence[str] = ()
) -> None:
    """ShapeError for names in `given` that are not known and for needed ones that it lacks."""
    wrong = [f"{n} is unknown" for n in given if n not in known]
    wrong += [f"{n} is missing" for n in needed if n not in given]
    if wrong:
        raise ShapeError(
            f"{what} has wrong names: {'; '.join(wrong)}",
            expected=", ".join(known) or "none",
            mend=f"give a value for {', '.join(needed)}" if needed else "",
        )
