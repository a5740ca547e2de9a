"""Formulas to JAX functions: IR → plan → source.

`compile(system, output="O")` gives a function of keyword arrays, `lambdify` one of positional ones.
"""

from __future__ import annotations

import sys
from types import ModuleType
from typing import Any

from .function import CompiledFunction, compile
from .lambdify import lambdify

__all__ = ["CompiledFunction", "compile", "lambdify"]


class _CallableModule(ModuleType):
    # Importing this package binds it to the name `compile` in symattn, where the function of the
    # same name is meant to be; calling either does the same.
    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        return compile(*args, **kwargs)


sys.modules[__name__].__class__ = _CallableModule
