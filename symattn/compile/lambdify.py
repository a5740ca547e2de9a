"""`lambdify` with SymPy's calling convention."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import count
from typing import Any

import sympy as sp

from ..errors import ShapeError, UnsupportedError
from ..ir import Tensor
from ..model import tensor_of
from ..syntax import Definition, System, define
from .depth import deeply
from .function import CompiledFunction
from .program import program
from .request import request

ARRAYS = (list, tuple, sp.MatrixBase, sp.NDimArray)


def lambdify(
    args: Any, expr: Any, *, given: System | None = None, modules: str = "jax"
) -> Callable[..., Any]:
    """The function args ↦ expr of positional arrays, as `sympy.lambdify` calls it.

    `args` are tensors, definitions (which are then given and not computed) and scalar symbols;
    `expr` is a definition, an expression without free indices, or a matrix or list of component
    expressions in plain symbols.  With `modules="jax"` the function goes through jax.jit.

    Raises ShapeError for arrays that do not fit, UnsupportedError for other kinds of arguments and
    DefinitionError for a tensor that `expr` depends on and `args` has not.
    """
    if modules not in ("jax", "numpy"):
        raise UnsupportedError(
            f"there are no modules {modules!r}", expected="jax or numpy", mend='use modules="jax"'
        )
    names = list(args) if isinstance(args, list | tuple | sp.Tuple) else [args]
    if isinstance(expr, ARRAYS) and not _tensors(expr):
        function: Callable[..., Any] = sp.lambdify(names, expr, modules=modules, cse=True)
        return function
    if not isinstance(expr, Definition):
        used = {str(x) for x in sp.sympify(expr).atoms(sp.IndexedBase, sp.Symbol)}
        name = next(n for k in count() if (n := "value" + "_" * k) not in used)
        expr = define(name, (), expr)
    order = [_argument(a) for a in names]
    result = expr

    def planned() -> Positional:
        prog = program(request(result, None, given), (), modules, order)
        return Positional(prog, [t.name for t in order])

    return deeply(f"the definition {result.name}", planned)


def _tensors(expr: Any) -> bool:
    parts = list(expr) if isinstance(expr, list | tuple) else [expr]
    return any(
        isinstance(p, Definition) or getattr(p, "has", lambda *_: False)(sp.Indexed) for p in parts
    )


def _argument(arg: Any) -> Tensor:
    if isinstance(arg, Definition):
        return tensor_of(arg.tensor)
    if isinstance(arg, sp.IndexedBase | sp.Symbol):
        return tensor_of(arg)
    raise UnsupportedError(
        f"{arg} is not a tensor, a definition or a scalar symbol",
        got=type(arg).__name__,
        mend="give the tensor without its indices",
    )


class Positional(CompiledFunction):
    """A compiled function of positional arrays, in the order of `inputs`."""

    def __init__(self, prog: Any, order: Sequence[str]) -> None:
        super().__init__(prog)
        self._order = tuple(order)

    def __call__(self, /, *args: Any, **arrays: Any) -> Any:
        if len(args) != len(self._order) or arrays:
            raise ShapeError(
                f"{self.name} takes {len(self._order)} arrays by position",
                expected=", ".join(self._order),
                got=f"{len(args)} by position"
                + (f" and {', '.join(arrays)} by name" if arrays else ""),
                mend="give one array for every argument of lambdify",
            )
        return self._checked(dict(zip(self._order, args, strict=True)))
