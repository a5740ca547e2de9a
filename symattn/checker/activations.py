"""What is refuted of σ(…) where a text does not say which function that is.

It is taken for the logistic one. A difference counts where other activations show one, too.
"""

from __future__ import annotations

import re
from typing import Any

import sympy as sp

from ..functions import sigmoid, softplus
from ..prove import prove
from ..read.activations import CONVENTION, SHOWN
from ..syntax import Definition, System
from .inside import names
from .statements import Statement
from .versions import Versions, closure

OTHERS = (sp.tanh, softplus, sp.erf)
_BENT = re.compile(r"\\sigma\s*(?:''|\^\s*\{?\s*\\prime\s*\\prime)")


def stands(s: Statement, system: System) -> bool:
    """True where σ is in a statement, or in what that rests on."""
    reached = closure(names(s.lhs) | names(s.rhs), system)
    exprs = (s.lhs, s.rhs, *(d.expr for d in system if d.name in reached))
    return any(e is not None and e.has(sigmoid) for e in exprs)


def unsaid(s: Statement, system: System, versions: Versions) -> str:
    """σ may be another function than the logistic one, under which the two sides may be equal."""
    if SHOWN not in versions.document.assumed or not stands(s, system):
        return ""
    if not _BENT.search(s.latex) and all(_differs(s, system, other) for other in OTHERS):
        return ""
    return f"{SHOWN} is {CONVENTION}, and may be another function"


def _differs(s: Statement, system: System, other: Any) -> bool:
    """True where the sides differ with another function in its place."""

    def put(expr: Any) -> Any:
        slopes = expr.replace(sp.Mul, lambda *factors: _slopes(factors, other))
        return slopes.replace(sigmoid, other)

    changed = (Definition(d.name, d.indices, put(d.expr), d.tensor.is_positive) for d in system)
    under = System(*changed, facts=[*map(put, system.facts)])
    return prove(put(s.lhs), put(s.rhs), given=under).status == "refuted"


def _slopes(factors: tuple[Any, ...], other: Any) -> sp.Expr:
    """σ'(u), which is read as σ(u) (1 - σ(u)), as the slope of another function."""
    left = [*factors]
    for u in [f.args[0] for f in factors if isinstance(f, sigmoid)]:
        pair = sigmoid(u), 1 - sigmoid(u)
        if all(f in left for f in pair):
            x = sp.Dummy(real=True)
            left = [f for f in left if f not in pair] + [sp.diff(other(x), x).subs(x, u)]
    return sp.Mul(*left)


__all__ = ["stands", "unsaid"]
