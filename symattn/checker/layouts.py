"""∂L/∂A of a number by a matrix, where L and A are written without indices.

It has the shape of A in denominator layout, as ∇_A L has, and that of A⊤ in numerator layout.
What the words of a text say holds; else its other derivatives by matrices tell.  Where neither do,
a claim that is right in numerator layout is no error.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
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


def odd(s: Statement, versions: Versions) -> str:
    """Why a claim about a Jacobian is true in a layout that the text has nowhere else.

    Of two layouts the one of fewer claims is odd, or else that of the later ones.
    """
    if not (own := _layout(s, versions)):
        return ""
    found = [*_elsewhere(s, versions), (s.line, own)]
    if (usual := _usual(found)) == own:
        return ""
    line = min(line for line, x in found if x == usual)
    return f"true in {own} layout, and line {line} has the other one"


def meant(s: Statement, versions: Versions, systems: list[System]) -> list[System]:
    """The systems in which Jacobians stand as other claims of the text have them."""
    turned = [*versions.in_other_layout(s)]
    usual = _usual([*_elsewhere(s, versions)]) if turned else ""
    if not usual:
        return systems
    other = {_letters(x, versions) for x in turned}
    return (
        turned
        if usual == DENOMINATOR
        else [x for x in systems if _letters(x, versions) not in other]
    )


def _letters(system: System, versions: Versions) -> tuple[tuple[object, ...], ...]:
    """How the Jacobians of a system stand."""
    return tuple((d.name, *d.indices) for d in system if d.name in versions.document.jacobians)


def _elsewhere(s: Statement, versions: Versions) -> Iterator[tuple[int, str]]:
    """The lines of other claims about Jacobians, each with its layout."""
    claims = (t for t in versions.statements if t.kind == "claim" and t.rhs is not None and t != s)
    for t in islice((t for t in claims if any(True for _ in versions.in_other_layout(t))), MOST):
        if layout := _layout(t, versions):
            yield t.line, layout


def _usual(found: list[tuple[int, str]]) -> str:
    """The layout of most claims, or else of the first of them."""
    lines = {x: [line for line, y in found if y == x] for _, x in found}
    return max(lines, key=lambda x: (len(lines[x]), -min(lines[x])), default="")


def _layout(s: Statement, versions: Versions) -> str:
    """The layout in which alone a claim is true; empty where both or none will do."""
    other = next(versions.in_other_layout(s), None)
    if other is None:
        return ""
    as_read, turned_ = proves(s, versions.system(s)), proves(s, other)
    if as_read == turned_:
        return ""
    return NUMERATOR if as_read else DENOMINATOR


def _tells(t: Statement, system: Callable[[Statement], System]) -> bool:
    """The derivative is right as it stands, and its transpose is not."""
    return proves(t, system(t)) and not proves(turned(t), system(t))


__all__ = ["by_matrix", "meant", "numerator", "odd", "said", "turned"]
