r"""What a law says of a name at values: of $1/f = 1/a + 1/b$, with $f = 10$ and $a = 15$, $b = 30$.

A law that is of the first degree in a name has one solution for it.
"""

from __future__ import annotations

import re

import sympy as sp

from ..errors import SymattnError
from ..objects import Partial
from ..syntax import define
from .inside import names
from .outline import Outline
from .ties import EXACT
from .versions import Version, Versions

LARGEST = 60  # operations of a law
_CONCLUDES = re.compile(
    r"\b(?:so|thus|hence|therefore|then|consequently|giv(?:es?|ing)|yield\w*|solv\w+|follows|"
    r"obtain\w*|gets?|finds?|found|results?)\b",
    re.IGNORECASE,
)


def concludes(words: str) -> bool:
    """Words that bring a number as what follows, and no setting."""
    return _CONCLUDES.search(words) is not None


def solved_for(versions: Versions, outline: Outline, name: str, line: int) -> list[Version]:
    """The laws of the section of a line that have a name in them, each solved for it."""
    found = []
    for t in versions.statements:
        if t.rhs is None or t.number or t.letters or t.relation not in EXACT or t.name == name:
            continue
        inside = names(t.lhs) | names(t.rhs)
        if name not in inside or len(inside) < 2 or t.line > line:
            continue
        if outline.section(t.line) != outline.section(line):
            continue
        solution = _root(t.lhs, t.rhs, name)
        if solution is not None:
            place = (t.line, t.column)
            made = define(name, (), solution)
            found.append(Version(name, *place, made, False, outline.end(t.line), t.latex))
    return found


def _root(left: sp.Expr, right: sp.Expr, name: str) -> sp.Expr | None:
    """What solves left = right for a name; None where it is of another degree."""
    if any(e.atoms(sp.Indexed, sp.Sum, Partial) or e.count_ops() > LARGEST for e in (left, right)):
        return None
    symbol = next(x for x in left.free_symbols | right.free_symbols if str(x) == name)
    try:
        over = sp.Poly(sp.numer(sp.together(left - right)), symbol)
    except (sp.PolynomialError, SymattnError):
        return None
    if over.degree() != 1 or any(c.has(symbol) for c in over.all_coeffs()):
        return None
    slope, offset = over.all_coeffs()
    return sp.cancel(-offset / slope)


__all__ = ["concludes", "solved_for"]
