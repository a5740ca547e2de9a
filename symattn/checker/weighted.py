"""What holds for weights that sum to one: p − y is the gradient of −Σ_k y_k log p_k for such y."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

import sympy as sp

from ..errors import SymattnError
from ..prove import whether
from ..syntax import System, for_all, indices, total
from .inside import names
from .statements import Statement
from .versions import closure


def summing_to_one(s: Statement, system: System, bodies: Iterable[Any]) -> str:
    """The condition, in words, under which the statement is proved; empty for none.

    Weights are inputs that logarithms are multiplied by in the bodies of definitions, as a
    cross-entropy has them.
    """
    for base in _weights(s, system, bodies):
        *rest, last = (indices([f"w{k}"], n)[0] for k, n in enumerate(base.shape))
        fact = for_all(total(base[(*rest, last)], last), 1, rest)
        under = System(*system, facts=(*system.facts, fact))
        try:
            found = whether(s.lhs, s.rhs, given=under, over=s.letters)
        except SymattnError:
            continue
        if found.status == "proved" and not found.trivial:
            rows = f"the rows of {base.label} sum" if len(base.shape) == 2 else f"{base.label} sums"
            return f"{rows} to one"
    return ""


def _weights(s: Statement, system: System, bodies: Iterable[Any]) -> Iterator[Any]:
    reached = closure(names(s.lhs) | names(s.rhs), system)
    exprs = [s.lhs, s.rhs, *bodies]
    found = {
        x.base
        for e in exprs
        for product in e.atoms(sp.Mul)
        if any(a.has(sp.log) for a in product.args)
        for x in product.args
        if isinstance(x, sp.Indexed)
    }
    known = {n for f in system.facts for n in names(f.lhs) | names(f.rhs)}  # it says what is so
    free = (b for b in found if b.name in reached - {*system.definitions} - known)
    yield from sorted(free, key=str)


__all__ = ["summing_to_one"]
