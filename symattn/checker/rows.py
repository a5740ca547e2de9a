"""What holds if small letters are rows or columns of their capital: x_i of X, often unsaid."""

from __future__ import annotations

from collections.abc import Iterator

import sympy as sp

from ..errors import SymattnError
from ..prove import whether
from ..syntax import System, define, indices
from .inside import names
from .statements import Statement
from .versions import closure


def stacked(s: Statement, system: System) -> Iterator[tuple[str, str, str]]:
    """Capitals, what small letters may be of them, and the status of the statement if they are.

    x_{ia} = X_{ia} where the shapes are those of rows, x_{ia} = X_{ai} where they are of columns;
    "" where the shapes are of neither.
    """
    reached = closure(names(s.lhs) | names(s.rhs), system) - set(system.definitions)
    here = {b.name: b for side in (s.lhs, s.rhs) for b in side.atoms(sp.IndexedBase)}
    every = {n: x for n, x in {**here, **system.inputs}.items() if n in reached}
    matrices = {n: x for n, x in every.items() if len(x.shape) == 2}
    for small in sorted(n for n in matrices if n.split("_")[0].islower()):
        for capital in sorted(n for n in matrices if n.split("_")[0].isupper()):
            if small.split("_")[0] == capital.split("_")[0].lower():
                yield from _as_one(s, system, matrices[small], matrices[capital])


def _as_one(
    s: Statement, system: System, x: sp.IndexedBase, whole: sp.IndexedBase
) -> Iterator[tuple[str, str, str]]:
    small, capital = x.name, whole.name
    letters = [indices([f"row{k}"], size)[0] for k, size in enumerate(x.shape)]
    found = False
    for said, order in (("rows", letters), ("columns", letters[::-1])):
        if tuple(whole.shape) == tuple(i.upper + 1 for i in order):
            found = True
            one = System(
                define(small, tuple(letters), whole[tuple(order)]), *system, facts=system.facts
            )
            try:
                status = whether(s.lhs, s.rhs, given=one, over=s.letters).status
            except SymattnError:
                status = ""
            yield capital, f"the {said} of {capital} are {small}", status
    if not found:
        yield capital, f"{small} is of {capital}", ""


__all__ = ["stacked"]
