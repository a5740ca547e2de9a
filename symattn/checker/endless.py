r"""0 · ∞ in a formula: (1 − M)·(−∞) is no number where M = 1, so nothing is masked by it."""

from __future__ import annotations

import re
from collections.abc import Iterator

import sympy as sp

from ..objects import Iverson
from . import report
from .finding import Finding
from .versions import Versions

_NAME = r"(?P<name>\\?[A-Za-z]+)(?P<scripts>(?:[_^](?:\{[^{}]*\}|\\?\w))*)"
_ENDLESS = r"(?:\\cdot|\\times|\\,|\*|\s)*(?:\(\s*-?\s*\\infty\s*\)|\\infty)"
_COMPLEMENT = re.compile(rf"(?:\\left)?\(\s*1\s*-\s*{_NAME}\s*(?:\\right)?\)\s*{_ENDLESS}")
_MASK = re.compile(rf"(?<![A-Za-z\\]){_NAME}\s*(?:\\cdot|\\times)\s*{_ENDLESS}")

_INLINE = re.compile(r"(?<![$\\])\$(?!\$)([^$\n]{1,200}\\infty[^$\n]{0,200})\$(?!\$)")


def endless(latex: str, versions: Versions) -> Finding | None:
    """The finding that 0 · ∞ stands in a formula, for a factor that the document says is 0 or 1."""
    for pattern, zero in ((_COMPLEMENT, "1"), (_MASK, "0")):
        match = pattern.search(latex)
        if match is None or not _is_mask(match["name"].lstrip("\\"), versions):
            continue
        mask = match["name"] + match["scripts"]
        reason = f"0 · ∞ where {mask} = {zero}, which is no number"
        correction = ""
        if zero == "1" and "-" in match[0].rpartition(")")[0].rpartition("(")[2]:
            side = re.split(r"=|\\leftarrow|\\gets|←", latex)[-1]
            correction = side.replace(match[0], rf"\log {mask}").strip()
        return Finding(report.MALFORMED, reason, correction=correction, kind="claim")
    return None


def inline(text: str, versions: Versions) -> Iterator[tuple[int, int, str, Finding]]:
    """Line, column, formula and finding of every inline formula in which 0 · ∞ stands."""
    for match in _INLINE.finditer(text):
        if found := endless(match[1], versions):
            line = text.count("\n", 0, match.start()) + 1
            column = match.start(1) - text.rfind("\n", 0, match.start())
            yield line, column, match[1], found


def _is_mask(name: str, versions: Versions) -> bool:
    """A definition of the name is a condition: 1 or 0."""
    known = [v.definition.expr for v in versions.table.get(name, ())]
    return any(isinstance(e, Iverson) or _product(e) for e in known)


def _product(expr: sp.Expr) -> bool:
    return isinstance(expr, sp.Mul) and all(isinstance(a, Iverson) for a in expr.args)


__all__ = ["endless", "inline"]
