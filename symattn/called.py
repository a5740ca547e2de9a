"""The name of what is asked for: "w", or the object that bears it."""

from __future__ import annotations

from typing import Any, TypeAlias

import sympy as sp

from .errors import DefinitionError
from .syntax import Definition

Named: TypeAlias = str | Definition | sp.Basic
SEVERAL = (tuple, list, set, frozenset, sp.Tuple)


def called(what: Any) -> str:
    """w of "w", of a tensor w, of its component w[a] and of a definition; others as text.

    Raises DefinitionError for several of them.
    """
    if isinstance(what, Definition):
        return what.name
    if isinstance(what, sp.Indexed):
        return str(what.base.label)
    if isinstance(what, SEVERAL):
        raise DefinitionError(
            f"one name is asked for here, not {len(what)}",
            got=", ".join(map(str, what)),
            mend="ask for each by itself; wrt=(…) of backward, hessian and jvp takes several",
        )
    return what if isinstance(what, str) else str(what)


def all_called(what: Any) -> tuple[str, ...]:
    """The names of one or of several; DefinitionError for none."""
    if isinstance(what, SEVERAL) and not what:
        raise DefinitionError("no name is given", mend='name what is asked for, wrt=("w",)')
    return tuple(map(called, what)) if isinstance(what, SEVERAL) else (called(what),)


__all__ = ["Named", "all_called", "called"]
