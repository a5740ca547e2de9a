r"""What stands on the two sides of ⇒: a condition, and what follows from it.

f'(x) = 0 \Rightarrow x = a/2 says neither that f' is 0 nor that x is a/2 by itself.
"""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING

from ..syntax import for_all
from . import report
from .finding import Finding
from .hypotheses import concluded
from .inside import names

if TYPE_CHECKING:
    from .judge import Judge
    from .statements import Statement

_ARROW = r"(?:\\(?:(?:Long)?(?:[Ll]eft)?[Rr]ightarrow|implies|iff)(?![A-Za-z])|⇒|⟹|⇔|⟺)"
_GAP = r"(?:\\(?:q?quad|text\s*\{[^{}]*\}|[,;:! \\])|[\s&,;.$]|\\\[|\\\]|\\[()])*"
_BEHIND = re.compile(rf"{_GAP}{_ARROW}")
_BEFORE = re.compile(rf"{_ARROW}{_GAP}$")
WHY = "a condition, from which something is said to follow"
_REACH = 80  # characters in which the arrow is looked for


def implied(s: Statement, found: Finding, judge: Judge) -> Finding:
    """The finding; of a condition before ⇒, and of what follows from one, no alarm."""
    if found.verdict not in report.WRONG:
        return found
    text, at = judge.outline.text, judge.outline.position(s.line, s.column)
    if _BEHIND.match(text, at + len(s.whole), at + len(s.whole) + _REACH):
        return replace(found, verdict=report.SKIPPED, reason=WHY, correction="")
    if not _BEFORE.search(text[max(0, at - _REACH) : at]):
        return found
    earlier = [t for t in judge.versions.statements if (t.line, t.column) < (s.line, s.column)]
    if not earlier or earlier[-1].kind not in ("claim", "fact") or earlier[-1].rhs is None:
        return found
    premise = earlier[-1]
    if judge.plain(premise).verdict in (report.PROVED, report.DEFINITION, report.CONDITIONAL):
        return found
    fact = for_all(premise.lhs, premise.rhs, premise.letters)
    follows = concluded(judge, s, judge.versions.system(s), [fact])
    about = names(s.lhs) | names(s.rhs) | names(fact)
    rest = [t for t in earlier[:-1] if t.rhs is not None and t.kind != "definition"]
    alone = not any(about & (names(t.lhs) | names(t.rhs)) for t in rest)
    decided = (report.PROVED, report.REFUTED) if alone else (report.PROVED,)
    if follows is not None and follows.verdict in decided:
        said = f"line {premise.line}: {premise.latex.strip()}"
        return replace(follows, assumed=(said, *follows.assumed))
    why = f"it is said to follow from line {premise.line}, which is a condition"
    return replace(found, verdict=report.UNPROVED, reason=why, correction="")


__all__ = ["implied"]
