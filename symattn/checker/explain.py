"""Why a verdict is what it is: the definitions, both sides, the proof or the counterexample."""

from __future__ import annotations

from collections.abc import Iterator

from . import report, tables
from .documents import decided, unread_row
from .finding import Finding
from .inside import names
from .judge import Judge
from .outline import Outline
from .statements import Statement, reading
from .terminal import entry, example
from .versions import closure


def explained(
    text: str, name: str, line: int, timeout: float | None, seed: int = 0
) -> Iterator[tuple[str, bool]]:
    """The explanation of every formula on a line, and whether each is well."""
    found = reading(text)
    outline = Outline(text)
    judge = Judge(found, outline, seed)
    here = [s for s in found.statements if s.line <= line <= s.line + s.whole.count("\n")]
    lost = [u for u in found.unread if u.line <= line <= u.line + u.latex.count("\n")]
    for u in lost:
        row = unread_row(name, u, judge, timeout)
        yield "\n".join(line.plain for line in entry(row, text)), row.verdict not in report.WRONG
    for s in here:
        f = decided(judge, s, timeout)
        yield "\n".join(_explanation(name, s, f)), f.verdict not in report.WRONG
    cells = [row for row in tables.rows(name, text) if row.line == line]
    for row in cells:
        yield "\n".join(line.plain for line in entry(row, text)), row.verdict not in report.WRONG
    if not here and not lost and not cells:
        places = sorted({s.line for s in found.statements} | {u.line for u in found.unread})
        near = min(places, key=lambda at: abs(at - line), default=0)
        yield (
            f"{name}:{line}: there is no formula on this line"
            + (f"; the nearest begins on line {near}" if near else ""),
            True,
        )


def _explanation(name: str, s: Statement, f: Finding) -> Iterator[str]:
    yield f"{name}:{s.line}:{s.column}: {f.verdict}" + (f": {f.reason}" if f.reason else "")
    yield f"    {' '.join(s.latex.split())}"
    yield f"  read as {s.lhs}" + ("" if s.rhs is None else f" {s.relation} {s.rhs}")
    if f.system is not None:
        reached = closure(names(s.lhs) | names(s.rhs), f.system)
        rows = [d for d in f.system if d.name in reached]
        if rows:
            yield "  where"
            yield from (f"    {d}" for d in rows)
        free = sorted(reached - {d.name for d in rows})
        if free:
            yield f"  for any {', '.join(free)}"
    if f.proof is not None and f.verdict == report.PROVED:
        yield "  proof: both sides have the same normal form" + "".join(
            f"\n    by {u}" for u in f.proof.used
        )
    if f.counterexample:
        yield "  counterexample"
        yield from (f"    {row}" for row in example(f.counterexample))
    if f.correction:
        yield f"  correct: {f.correction}"
    if f.assumed:
        yield "  assumed: " + "; ".join(f.assumed)
