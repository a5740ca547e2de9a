"""Equations of matrices with two or three rows, entry by entry: σ² = I for σ = ((0, 1), (1, 0)).

L = R for an inverse L of M is M L = M R, since M is invertible where M⁻¹ is written.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import product
from math import prod

import sympy as sp

from ..errors import SymattnError
from ..objects import Inverse
from ..prove import Verdict, whether
from ..syntax import System, define
from .statements import Statement

MOST = 16  # entries
SHORT = 3  # terms of a Σ in a fact that are written out


def proof(s: Statement, system: System, seed: int) -> Verdict | None:
    """The proof of all entries together, where every axis has a length that is a number."""
    sizes = [i.upper - i.lower + 1 for i in s.letters]
    if not sizes and all(_written_out(f) is None for f in system.facts):
        return None
    if not all(n.is_Integer for n in sizes) or prod(map(int, sizes)) > MOST:
        return None
    each = (_each(one, system, seed) for one in (s, *_multiplied(s)))
    return next((found for found in each if found is not None), None)


def _each(s: Statement, system: System, seed: int) -> Verdict | None:
    names, verdicts = {*system.definitions}, list[Verdict]()
    left, right = (_fresh(name, names) for name in ("left", "right"))
    try:
        sides = define(left, s.letters, s.lhs), define(right, s.letters, s.rhs)
        more = (f for f in map(_written_out, system.facts) if f is not None)
        facts = [*system.facts, *more]
        whole = System(*system, *sides, facts=facts)
        for entry in product(*(range(int(i.upper - i.lower + 1)) for i in s.letters)):
            at = tuple(map(sp.Integer, entry))
            first, second = (
                sp.S.Zero if written == 0 else side[at] if at else side.lhs
                for side, written in zip(sides, (s.lhs, s.rhs), strict=True)
            )
            verdicts.append(whether(first, second, given=whole, seed=seed))
            if verdicts[-1].status != "proved":
                return None
    except SymattnError:
        return None
    return next((v for v in verdicts if not v.trivial), verdicts[0])


def _written_out(fact: sp.Eq) -> sp.Eq | None:
    """x_1² + x_2² = 1 for Σ_i x_i² = 1; None where no Σ counts two or three."""
    made = [side.replace(_is_short, _added) for side in fact.args]
    return None if made == [*fact.args] else sp.Eq(*made, evaluate=False)


def _is_short(expr: sp.Basic) -> bool:
    limits = expr.limits if isinstance(expr, sp.Sum) else ()
    return len(limits) == 1 and all(
        (n := last - first + 1).is_Integer and n <= SHORT for _, first, last in limits
    )


def _added(total: sp.Sum) -> sp.Expr:
    ((letter, first, last),) = total.limits
    terms = [total.function.xreplace({letter: sp.Integer(k)}) for k in range(first, last + 1)]
    return sp.Add(*terms)


def _multiplied(s: Statement) -> Iterator[Statement]:
    """Both sides times M along a free letter that M⁻¹ bears."""
    for x in sorted(s.lhs.atoms(sp.Indexed) | s.rhs.atoms(sp.Indexed), key=str):
        axes = enumerate(x.indices) if isinstance(x.base, Inverse) else ()
        for axis, letter in axes:
            if letter in s.letters:
                new = sp.Idx("r_", letter.upper + 1)
                row = x.base.of[(letter, new) if axis else (new, letter)]
                sides = (sp.Sum(row * side, (letter, 0, letter.upper)) for side in (s.lhs, s.rhs))
                left, right = sides
                letters = tuple(new if i == letter else i for i in s.letters)
                yield replace(s, lhs=left, rhs=right, letters=letters)


def _fresh(name: str, taken: set[str]) -> str:
    while name in taken:
        name += "'"
    return name


__all__ = ["proof"]
