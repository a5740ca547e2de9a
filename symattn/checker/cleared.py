r"""Equations of inverses: L = R is M L = M R, for a matrix M whose inverse stands in it.

A common denominator does the same for numbers; it proves the push-through identity.  With what
defines M in its place on the other side, Woodbury's identity comes out.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import islice
from typing import Any

import sympy as sp

from ..errors import SymattnError
from ..objects import Inverse
from ..prove import Verdict, prove
from ..syntax import System
from . import entries
from .statements import Statement

MOST = 4  # products that are tried, with names and with what defines them

Product = tuple[sp.Expr, sp.Expr, System, tuple[sp.Idx, ...]]  # both sides, what is given, letters


def cleared(s: Statement, system: System, seed: int) -> Verdict | None:
    """The proof of M L = M R, or of L M = R M; None where none is found."""
    named, written = _products(s, system, False), _products(s, system, True)
    for left, right, given, letters in (*islice(named, MOST), *islice(written, MOST)):
        try:
            verdict = prove(left, right, given=given, seed=seed, over=letters)
        except SymattnError:
            continue
        if verdict:
            return verdict
        if found := entries.proof(replace(s, lhs=left, rhs=right, letters=letters), given, seed):
            return found
    return None


def _products(s: Statement, system: System, written: bool) -> Iterator[Product]:
    """Both sides times M along each free letter that its inverse bears.

    Where M is `written` out on the other side it is any matrix on this one, which proves more.
    """
    for side, other in ((s.lhs, s.rhs), (s.rhs, s.lhs)):
        for x in sorted(side.atoms(sp.Indexed), key=str):
            if not isinstance(x.base, Inverse):
                continue
            for axis, letter in enumerate(x.indices):
                if letter not in s.letters:
                    continue
                new = sp.Idx("r_", letter.upper + 1)
                slots = (letter, new) if axis else (new, letter)
                m, given, span = x.base.of[slots], system, (letter, 0, letter.upper)
                body = m
                if written:
                    found = _body(str(x.base.of.label), slots, system)
                    if found is None:
                        continue
                    body, given = found
                letters = tuple(new if x == letter else x for x in s.letters)
                yield sp.Sum(m * side, span), sp.Sum(body * other, span), given, letters


def _body(name: str, slots: tuple[Any, ...], system: System) -> tuple[sp.Expr, System] | None:
    """What defines a matrix, with other letters, and the system without it."""
    if name not in system.definitions:
        return None
    d = system.definitions[name]
    if len(d.indices) != 2:
        return None
    bound = sorted({v for e in d.expr.atoms(sp.Sum) for v, *_ in e.limits}, key=str)
    fresh = {v: sp.Idx(f"r{k}_", v.upper + 1) for k, v in enumerate(bound)}
    used = any(name in {str(b.label) for b in o.expr.atoms(sp.IndexedBase)} for o in system)
    if used:
        return None  # another definition says something of it
    rest = System(*(o for o in system if o.name != name), facts=system.facts)
    return d.expr.xreplace(fresh | dict(zip(d.indices, slots, strict=True))), rest


__all__ = ["cleared"]
