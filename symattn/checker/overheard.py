r"""Equations of sentences that are no statements: *all we use is that $x^\top y = 0$*.

What is refuted, and true where such an equation holds, is open: it may be meant as a condition.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING

from ..read.denied import denied
from . import report
from .finding import Finding
from .qualities import INLINE, letters
from .statements import Statement

if TYPE_CHECKING:
    from .judge import Judge

MOST = 3  # equations that are tried
LONGEST = 60  # statements of a text that is read once more

_SUPPOSED = re.compile(r"\b(?:suppose|assume|assuming|given|let)(?: (?:that|now))*\s*\Z", re.I)
_EQUATION = re.compile(r"[^=<>≤≥]+=[^=<>≤≥]+")


def overheard(judge: Judge, s: Statement, found: Finding) -> Finding:
    """The finding, or that it is open where an equation in words before it would make it true."""
    if found.verdict not in report.WRONG or s.rhs is None:
        return found
    if len(judge.versions.statements) > LONGEST:
        return found
    text, here = judge.outline.text, judge.outline.position(s.line, s.column)
    for at, latex, chain in list(_in_words(judge, s))[-MOST:]:
        begin = text.rfind("\n\n", 0, here) + 2 if "\n\n" in text[:here] else 0
        other = f"{text[:begin]}Suppose that ${latex}$.\n\n{text[begin:]}"
        again = judge.in_text(other, s, lower=2)
        supposed = chain and _SUPPOSED.search(text[max(0, at - 30) : at])
        true = again is not None and again.verdict in (report.PROVED, report.CONDITIONAL)
        if true or (supposed and again is not None and again.verdict not in report.WRONG):
            why = f"line {judge.outline.place(at)[0]} may be a condition on it"
            return replace(found, verdict=report.UNPROVED, reason=why, correction="")
    return found


def _in_words(judge: Judge, s: Statement) -> Iterator[tuple[int, str, bool]]:
    """The equations of sentences up to a statement, of names of it, that no statement is.

    Of a chain that was not read it is the last link; which of them are is said as well.
    """
    outline, here = judge.outline, judge.outline.position(s.line, s.column)
    said = (t for t in judge.versions.statements if t.rhs is not None)
    read = {outline.position(t.line, t.column) for t in said}
    read |= {outline.position(line, column) for line, column, _ in judge.versions.document.values}
    read |= {outline.position(*place) for place in judge.worked.claims}
    for m in INLINE.finditer(outline.text, 0, here):
        latex = "=".join((m[1] or m[2]).split("=")[-2:]).strip()
        line, _ = outline.place(m.start())
        known = any(m.start() <= at < m.end() for at in read) or not _EQUATION.fullmatch(latex)
        apart = outline.section(line) != outline.section(s.line)
        if known or apart or letters(s.whole).isdisjoint(letters(latex)):
            continue
        x = judge.cases.at(m.start())
        begin, end = (x.start, x.end) if x is not None else m.span()
        if not denied(outline.text[begin : m.start()], outline.text[m.end() : end]):
            yield m.start(), latex, (m[1] or m[2]).count("=") > 1


__all__ = ["overheard"]
