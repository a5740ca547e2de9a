"""The shapes of arrays as annotations that jaxtyping reads."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import sympy as sp

from .names import Names

Shape = Sequence[sp.Expr]


class Annotations:
    """Writes annotations for a function's parameters in order, then for what it returns.

    An axis whose size is an expression is written as one where all its sizes are known by then,
    as in `2*n-1` after an axis `n`, and as `_` before.
    """

    def __init__(self, np: str, taken: Iterable[str] = ()) -> None:
        self._array = "Array" if np == "jnp" else "np.ndarray"
        self._names = Names(taken)
        self._sizes: dict[sp.Symbol, sp.Symbol] = {}
        self._axes: dict[sp.Expr, str] = {}

    @staticmethod
    def imports(np: str) -> str:
        """The import, for tools that look at types; nothing is imported when the module runs."""
        names = "Array, Float" if np == "jnp" else "Float"
        return f"if TYPE_CHECKING:\n    from jaxtyping import {names}\n"

    def parameter(self, shape: Shape) -> str:
        """An array, or for a scalar also a number."""
        return self.array(shape) if shape else f"{self.array(shape)} | float"

    def array(self, shape: Shape) -> str:
        """Float[Array, "n d"]."""
        return self._float(" ".join(self._axis(size) for size in shape))

    def result(self, tree: Any) -> str:
        """One array, or a dict of arrays and dicts, whose shapes are left open if they differ."""
        if not isinstance(tree, Mapping):
            return self.array(tree)
        shapes = {tuple(v) for v in tree.values() if not isinstance(v, Mapping)}
        parts = [self.array(*shapes) if len(shapes) == 1 else self._float("...")] * bool(shapes)
        parts += [self.result(v) for v in tree.values() if isinstance(v, Mapping)]
        return f"dict[str, {' | '.join(dict.fromkeys(parts))}]"

    def _float(self, axes: str) -> str:
        # A blank in front of a single word says that it is not the name of a type.
        return f'Float[{self._array}, "{" " if axes and " " not in axes else ""}{axes}"]'

    def _axis(self, size: sp.Expr) -> str:
        if size not in self._axes:
            self._axes[size] = self._written(size)
        return self._axes[size]

    def _written(self, size: sp.Expr) -> str:
        if size.is_Symbol and size not in self._sizes:
            self._sizes[size] = sp.Symbol(self._names.fresh(str(size)))
        known = size.free_symbols <= self._sizes.keys() and size.is_polynomial()
        return str(size.subs(self._sizes, simultaneous=True)).replace(" ", "") if known else "_"


__all__ = ["Annotations"]
