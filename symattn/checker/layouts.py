"""∂L/∂A of a number by a matrix, where L and A are written without indices.

It has the shape of A in denominator layout, as ∇_A L has, and that of A⊤ in numerator layout.
What the words of a text say holds; else its other derivatives by matrices tell.  Where neither do,
a claim that is right in numerator layout is no error.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from itertools import islice

import sympy as sp

from ..objects import Partial
from ..read.layouts import DENOMINATOR, NUMERATOR, Layouts
from ..syntax import System
from .edits import tokens
from .links import sides
from .outline import Outline
from .repair import proves
from .statements import Statement
from .versions import Versions

WHY = "true in numerator layout, where a derivative by a matrix has the shape of its transpose"
SAID = "true in numerator layout, as the text says"
MOST = 8  # derivatives of the text that are asked


def by_matrix(s: Statement) -> bool:
    """The left side is ∂L/∂A, without indices, of a number L by a matrix A."""
    left = sides(s.latex)[0][0]
    return (
        isinstance(s.lhs, Partial)
        and isinstance(s.lhs.args[1], sp.Indexed)
        and len(s.letters) == 2 == len(s.lhs.args[1].indices)
        and set(s.lhs.args[1].indices) == set(s.letters)
        and not s.lhs.args[0].atoms(sp.Idx) & set(s.letters)
        and not {x.name for x in s.letters} & set(tokens(left))
        and r"\nabla" not in left
    )


def turned(s: Statement) -> Statement:
    """The statement with the right side transposed."""
    p, q = s.letters
    return replace(s, rhs=s.rhs.xreplace({p: q, q: p}))


def numerator(s: Statement, system: System, versions: Versions, outline: Outline) -> str:
    """Why a derivative by a matrix that is wrong as it is read is none of the author's errors.

    Empty where its transpose is not right either, and where the text has the other layout.
    """
    if not by_matrix(s) or not proves(turned(s), system):
        return ""
    return said(s, versions, outline)


def said(s: Statement, versions: Versions, outline: Outline) -> str:
    """Why the derivative may be meant in numerator layout; empty where the text says otherwise."""
    layouts = Layouts()
    layouts.told(outline.text)
    if layouts.said == NUMERATOR:
        return SAID
    others = (t for t in versions.statements if t != s and t.kind == "claim" and by_matrix(t))
    if layouts.said == DENOMINATOR or any(_tells(t, versions.system) for t in islice(others, MOST)):
        return ""
    return WHY


def _tells(t: Statement, system: Callable[[Statement], System]) -> bool:
    """The derivative is right as it stands, and its transpose is not."""
    return proves(t, system(t)) and not proves(turned(t), system(t))


__all__ = ["by_matrix", "numerator", "said", "turned"]
