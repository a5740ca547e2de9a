r"""Names under averages that the text defines: Var(Z) is Var(X + Y) where $Z = X + Y$.

An average is of what is drawn, and nothing is drawn for a name by itself; so the statement is read
again with what the name is made of.
"""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING

from . import report
from .finding import Finding
from .links import sides
from .statements import Statement

if TYPE_CHECKING:
    from .judge import Judge

NOT_PUT = "is defined, and what it is made of is not put into averages"
_TIED = re.compile(r"is tied by (?:an expectation|a variance|a covariance)\b")
_SIGN = (
    r"(?:\\operatorname\*?\s*\{\s*(?:Var|Cov|E)\s*\}|\\(?:mathrm|text|mathbb|mathbf)\s*\{\s*"
    r"(?:Var|Cov|E)\s*\}|\\(?:Var|Cov|E|Expect)(?![A-Za-z])|\bVar\b|\bCov\b)"
)
_AVERAGE = re.compile(
    rf"({_SIGN}\s*(?:\\left|\\[Bb]igg?l?)?\s*[(\[])((?:[^()\[\]]|\([^()\[\]]*\))*)([)\]]|\\right)"
)
MOST = 4  # names that are put in


def in_averages(judge: Judge, s: Statement, found: Finding) -> Finding:
    """The finding, or that on the statement with what stands under its averages written out."""
    open_ = found.verdict in (report.UNPROVED, report.SKIPPED)
    why = found.reason.endswith(NOT_PUT) or _TIED.search(found.reason) is not None
    if not (open_ and why) or s.latex != s.whole.rstrip(" .,;") or "\n" in s.latex:
        return found
    latex, used = s.latex, list[str]()
    for _ in range(MOST):
        for name, right, line in _defined(judge, s):
            token = re.compile(rf"(?<![A-Za-z\\]){re.escape(name)}(?![A-Za-z_])")
            new = _written(latex, token, right)
            if new != latex:
                latex, used = new, [*used, f"{name} (line {line})"]
    again = judge.rewritten(s, latex)
    decided = (report.PROVED, report.CONDITIONAL, report.REFUTED)
    if again is None or again.verdict not in decided:
        return found
    return replace(
        again, used=(*dict.fromkeys(used), *again.used), kind="claim", correction="",
        proof=None, system=None,
    )  # fmt: skip


def _written(latex: str, token: re.Pattern[str], right: str) -> str:
    """The formula with a right side in place of a name under its averages."""

    def inside(m: re.Match[str]) -> str:
        return m[1] + token.sub(lambda _: f"({right})", m[2]) + m[3]

    return _AVERAGE.sub(inside, latex)


def _defined(judge: Judge, s: Statement) -> list[tuple[str, str, int]]:
    """The names that its section defines before a statement, with what they are and where."""
    found = list[tuple[str, str, int]]()
    section, here = judge.outline.section, (s.line, s.column)
    for name, versions in judge.versions.table.items():
        before = [v for v in versions if (v.line, v.column) < here and v.line]
        if len(before) != 1 or before[0].numbers or before[0].definition.indices[2:]:
            continue
        (v,) = before
        parts, relations = sides(v.latex)
        plain = len(parts) == 2 and relations[0] in ("=", ":=") and parts[0].strip() == name
        if plain and section(v.line) == section(s.line):
            found.append((name, parts[1].strip().rstrip(".,;"), v.line))
    return found


__all__ = ["NOT_PUT", "in_averages"]
