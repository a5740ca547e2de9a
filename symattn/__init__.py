"""Attention and tensor calculus in index notation: derivatives, proofs, LaTeX and JAX functions.

Importing the package costs SymPy's import and little more.  What needs the engine, JAX or the
reader is imported when its name is first used.
"""

from __future__ import annotations

import sys
from importlib import import_module
from types import ModuleType
from typing import TYPE_CHECKING, Any

from .errors import (
    DefinitionError,
    FormulaError,
    LimitError,
    ShapeError,
    SymattnError,
    UndefinedError,
    UnsupportedError,
)
from .syntax import (
    System,
    argmax,
    define,
    delta,
    det,
    indices,
    inverse,
    iverson,
    logdet,
    loss,
    maximum,
    partial,
    sizes,
    tensor,
    total,
    trace,
)

if TYPE_CHECKING:
    from .checker import check
    from .compile import compile
    from .compile.lambdify import lambdify
    from .derive import backward, hessian, hvp, jvp
    from .derive.jacobian import jacobian
    from .prove import prove
    from .read import read
    from .verify import verify

__version__ = "0.1.0"

__all__ = [
    "DefinitionError",
    "FormulaError",
    "LimitError",
    "ShapeError",
    "SymattnError",
    "System",
    "UndefinedError",
    "UnsupportedError",
    "argmax",
    "backward",
    "check",
    "compile",
    "define",
    "delta",
    "det",
    "hessian",
    "hvp",
    "indices",
    "inverse",
    "iverson",
    "jacobian",
    "jvp",
    "lambdify",
    "logdet",
    "loss",
    "maximum",
    "partial",
    "prove",
    "read",
    "sizes",
    "tensor",
    "total",
    "trace",
    "verify",
]

_HOME = {  # the module that each name is imported from on first use
    "backward": "derive",
    "check": "checker",
    "compile": "compile",
    "hessian": "derive",
    "hvp": "derive",
    "jacobian": "derive",
    "jvp": "derive",
    "lambdify": "compile",
    "prove": "prove",
    "read": "read",
    "verify": "verify",
}


_MODULES = frozenset({"geometry", "primitives", "testing"})  # reached as symattn.geometry, …


def __getattr__(name: str) -> Any:
    if name in _MODULES:
        return import_module(f".{name}", __name__)
    if name not in _HOME:
        raise AttributeError(f"module 'symattn' has no attribute {name!r}{_meant(name)}")
    value = getattr(import_module(f".{_HOME[name]}", __name__), name)
    globals()[name] = value
    return value


_ELSEWHERE = {  # what other libraries call them
    **dict.fromkeys(("grad", "gradient", "vjp", "value_and_grad"), "backward"),
    **dict.fromkeys(("mask", "where", "indicator"), "iverson"),
    **dict.fromkeys(("sum", "Sum"), "total"),
    **dict.fromkeys(("max", "amax"), "maximum"),
    **dict.fromkeys(("eye", "identity", "kronecker"), "delta"),
    "inv": "inverse",
    **dict.fromkeys(("diff", "derivative"), "jacobian"),
    "slogdet": "logdet",
    "jit": "compile",
    "parse": "read",
}


def _meant(name: str) -> str:
    """Where else the name is: a scalar function, or a name of the package that is spelled so."""
    from difflib import get_close_matches

    import sympy as sp

    from . import primitives

    if name in primitives.__all__ and issubclass(type(vars(primitives)[name]), type(sp.sin)):
        return f": it is symattn.primitives.{name}"
    close = [_ELSEWHERE[name]] if name in _ELSEWHERE else []
    close = close or get_close_matches(name.lower(), [*__all__, *_MODULES], 1)
    return f"; did you mean {close[0]}?" if close and not name.startswith("_") else ""


def __dir__() -> list[str]:
    return sorted({*__all__, *_MODULES, "__version__"})


class _Package(ModuleType):
    # The import system binds every submodule to its name in the package, the first time anything
    # imports it.  Where a public function has that name too (compile, prove, read, …), the function
    # is bound in its place, so `symattn.compile` is the function whatever was imported before.
    # Everything in the module is reached by `from symattn.compile import …`, which does not look
    # at this binding.
    def __setattr__(self, name: str, value: Any) -> None:
        if name in _HOME and isinstance(value, ModuleType):
            value = getattr(value, name)
        super().__setattr__(name, value)


sys.modules[__name__].__class__ = _Package
