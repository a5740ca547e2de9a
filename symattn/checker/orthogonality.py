r"""What holds for orthogonal factors only: Q of Q Λ Q^\top and of Q R, U and V of U S V^\top.

Often no word says that these are decompositions.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import combinations
from typing import Any

import sympy as sp

from ..errors import SymattnError
from ..read.traits import equations
from ..syntax import System
from .inside import names
from .statements import Statement
from .symmetries import changed, even, proved_with
from .versions import closure

MOST = 3  # matrices that may have to be orthogonal together


def orthogonal_where(s: Statement, system: System) -> str:
    """Which factors are to be orthogonal, and the one between them symmetric, for a proof."""
    reached = closure(names(s.lhs) | names(s.rhs), system)
    bound = {n for fact in system.facts for side in fact.args for n in names(side)}
    inputs = reached - system.definitions.keys()
    free = inputs - bound
    every = [x for d in system if d.name in reached for x in _split(d.expr)]
    found = [x for x in every if x[1] is None or x[1].name in inputs]  # not X (X^⊤ X)⁻¹ X^⊤
    outer = {b.name: b for several, _ in found for b in several if b.name in free}
    inner = {b.name: b for _, b in found if b is not None and b.name in free}
    for count in range(1, min(len(outer), MOST) + 1):
        for several in combinations([outer[n] for n in sorted(outer)][:MOST], count):
            for middle in ((), tuple(inner[n] for n in sorted(inner) if n not in outer)):
                if _proved(s, system, several, middle):
                    return _said(several, "orthogonal") + (
                        f", and {_said(middle, 'symmetric')}" if middle else ""
                    )
    return ""


def _split(expr: Any) -> Iterator[tuple[list[Any], Any]]:
    r"""The outer matrices of Q_ik Λ_kl Q_jl, and the inner one; the Q of Q_ik R_kj."""
    body = expr.function if isinstance(expr, sp.Sum) else expr
    bound = {v for v, *_ in expr.limits} if isinstance(expr, sp.Sum) else set()
    factors = sp.Mul.make_args(body)
    if not all(isinstance(x, sp.Indexed) and len(x.indices) == 2 for x in factors):
        return
    ends = [x.base for x in factors if x.indices[0] not in bound and x.indices[1] in bound]
    inner = [x.base for x in factors if {*x.indices} <= bound]
    if len(factors) == 3 and len(ends) == 2 and len(inner) == 1:
        yield ends, inner[0]
    elif sorted(x.base.name for x in factors) == ["Q", "R"] and len(ends) == 1:
        yield ends, None


def _said(matrices: Sequence[Any], kind: str) -> str:
    listed = list(dict.fromkeys(b.name for b in matrices))
    return f"{' and '.join(listed)} {'is' if len(listed) == 1 else 'are'} {kind}"


def _proved(
    s: Statement, system: System, orthogonal: Sequence[Any], symmetric: Sequence[Any]
) -> bool:
    square = {b.shape[1]: b.shape[0] for b in orthogonal if b.shape[1].is_Symbol}
    facts = [fact for b in orthogonal for fact in equations("orthogonal", b.xreplace(square))]
    try:
        left, right, under = changed(s, system, square)
        under = System(*under, facts=[*under.facts, *facts])
    except SymattnError:
        return False
    letters = tuple(i.xreplace(square) for i in s.letters)
    there = replace(s, lhs=left, rhs=right, letters=letters)
    return proved_with(
        there, under, even([x for b in symmetric if _is_square(x := b.xreplace(square))])
    )


def _is_square(matrix: Any) -> bool:
    return len(matrix.shape) == 2 and matrix.shape[0] == matrix.shape[1]


__all__ = ["orthogonal_where"]
