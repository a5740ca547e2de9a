"""Signs that stand alone: the vector of ones, and those that mean nothing without an operand."""

from __future__ import annotations

from typing import TYPE_CHECKING

import sympy as sp

from . import brackets
from .sizes import Letter
from .terms import ONE, Number
from .tree import Scripted, Symbol
from .values import Scope, Value

if TYPE_CHECKING:
    from .elaborate import Reader

_ALONE = {
    "dots": ("entries are left out here", "write the formula for one component with its indices"),
    "infty": (
        "∞ is not a number of the index language",
        r"multiply the exponentials by the mask: [j \le i] \exp(S^{ij})",
    ),
    "set": (
        "this is a statement about sets, not an equation",
        "declare shapes with <!-- symattn: sizes … -->",
    ),
    "star": ("this star has nothing to belong to", "write A^* for a name, \\cdot for a product"),
    "int": ("an integral stands inside an index expression", "write it in an equation of its own"),
    "slot": (
        "an open slot stands alone",
        r"write the indices, or the row of a matrix: A^{i\cdot}",
    ),
}


def symbol(reader: Reader, node: Symbol, scope: Scope, whole: Scripted | None = None) -> Value:
    """A sign that stands alone."""
    if node.kind in ("ones", "zeros"):
        vector = Value(ONE if node.kind == "ones" else Number(sp.S.Zero), row=Letter("p", node.at))
        scripts = whole.scripts if whole is not None else ()
        return brackets.with_scripts(reader, vector, scripts, scope, node.at)
    if node.kind in _ALONE:
        problem, mend = _ALONE[node.kind]
        raise reader.fail(node, problem, mend=mend)
    shown = {"function": node.text, "partial": "∂", "nabla": "∇", "sum": "Σ"}.get(
        node.kind, node.kind
    )
    raise reader.fail(
        node,
        f"{shown} stands alone",
        expected=f"what {shown} is applied to",
        mend=f"write the argument behind it: {shown}(…)",
    )
