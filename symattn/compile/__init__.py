"""Formulas to JAX functions: IR → plan → source.

`compile(system, output="O")` gives a function of keyword arrays, `lambdify` one of positional ones.
"""

from __future__ import annotations

from .function import CompiledFunction, compile
from .lambdify import lambdify

__all__ = ["CompiledFunction", "compile", "lambdify"]
