r"""How far an operator reaches: \frac{d}{dx} x \ln x - x may be of all of the sum behind it."""

from __future__ import annotations

import re
from dataclasses import replace

from ..prove import Verdict
from ..syntax import System
from . import repair
from .links import sides
from .statements import Statement

_D = r"(?:\\partial|d|\\d|\\(?:mathrm|operatorname|mathop)\s*\{\s*d\s*\})"
_OPERATOR = re.compile(
    rf"\s*(?P<operator>\\[dt]?frac\s*\{{\s*{_D}(?:\s*\^\s*\d)?\s*\}}"
    r"\s*\{(?:[^{}]|\{[^{}]*\})*\}|\\nabla(?:\s*_\s*(?:\{[^{}]*\}|\\?\w+))?)(?P<rest>.*)",
    re.DOTALL,
)


def of_sum(s: Statement, verdict: Verdict, system: System, declarations: str) -> str:
    """The operator that the left side begins with, where the statement is proved when it is of all
    of that side; empty elsewhere."""
    parts, relations = sides(s.latex)
    found = _OPERATOR.fullmatch(parts[0]) if len(parts) == 2 else None
    if found is None or not re.search(r"[+-]", found["rest"]):
        return ""
    wider = rf"{found['operator']} \left({found['rest'].strip()}\right)"
    turned = replace(
        s, lhs=s.rhs, rhs=s.lhs, latex=f"{parts[1]} {relations[0]} {parts[0]}", name=""
    )
    proved = repair.proved_edits(turned, verdict, system, declarations, [[wider]])
    return found["operator"].strip() if next(proved, None) else ""
