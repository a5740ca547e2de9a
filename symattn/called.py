"""The name of what is asked for: "w", or the object that bears it."""

from __future__ import annotations

from typing import Any, TypeAlias

import sympy as sp

from .syntax import Definition

Named: TypeAlias = str | Definition | sp.Basic


def called(what: Any) -> str:
    """w of "w", of a tensor w, of its component w[a] and of a definition; others as text."""
    if isinstance(what, Definition):
        return what.name
    if isinstance(what, sp.Indexed):
        return str(what.base.label)
    return what if isinstance(what, str) else str(what)


def all_called(what: Any) -> tuple[str, ...]:
    """The names of one or of several."""
    several = isinstance(what, tuple | list | set | frozenset | sp.Tuple)
    return tuple(map(called, what)) if several else (called(what),)


__all__ = ["Named", "all_called", "called"]
