"""A report for people: an excerpt with a caret for what is wrong, and a summary."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from . import report
from .report import Report, Row

if TYPE_CHECKING:
    from rich.text import Text

COLOURS = {
    report.PROVED: "green",
    report.DEFINITION: "dim",
    report.REFUTED: "bold red",
    report.MALFORMED: "bold red",
    report.CONDITIONAL: "yellow",
    report.UNPROVED: "yellow",
    report.SKIPPED: "dim",
}
SHOWN = (report.REFUTED, report.MALFORMED, report.CONDITIONAL, report.UNPROVED)
WIDTH = 96  # characters of the author's line in an excerpt
SEVERAL = 8  # reasons of skipped formulas that a summary names


def plain(found: Report, verbose: bool = False) -> str:
    """The report as text without colours."""
    return "\n".join(line.plain for line in lines(found, verbose))


def brief(found: Report) -> str:
    """What `print` shows of a report: what is wrong, place, line and correction, and a summary.

    What counterexamples are, and the reasons of skipped formulas, `symattn check` says.
    """
    rows = [r for r in found.rows if r.verdict in SHOWN or r.differs]
    shown = [line for r in rows for line in entry(r, found.texts.get(r.file, ""), short=True)]
    return "\n".join([*(line.plain for line in shown), found.summary()])


def lines(found: Report, verbose: bool = False) -> Iterator[Text]:
    """The report line by line: what is wrong or in doubt; with `verbose` every row."""
    from rich.text import Text

    for name, said in found.read.items() if verbose else ():
        if said:
            yield Text(f"{name or 'text'} is read with", "bold")
            yield from (Text(f"  {line}", "dim") for line in said.split("\n"))
            yield Text("")
    for row in found.rows:
        if verbose or row.verdict in SHOWN or row.differs:
            yield from entry(row, found.texts.get(row.file, ""))
            yield Text("")
    anew = [r for r in found.of(report.DEFINITION) if r.reason.startswith("redefines")]
    anew = [r for r in anew if r.differs is None]
    if anew and not verbose:
        yield Text("defined anew:", "dim")
        for row in anew:
            yield Text(f"  {row.file or 'text'}:{row.line}: {row.reason}", "dim")
        yield Text("")
    skipped = Counter(r.reason for r in found.of(report.SKIPPED))
    if skipped and not verbose:
        yield Text("not checked:", "dim")
        first = {r.reason: r for r in reversed(found.of(report.SKIPPED))}
        for reason, n in skipped.most_common(SEVERAL):
            at = first[reason]
            place = f"{at.file or 'text'}:{at.line}"
            yield Text(f"  {n:>4} × {reason} ({'first ' if n > 1 else ''}{place})", "dim")
        if len(skipped) > SEVERAL:
            rest = sum(n for _, n in skipped.most_common()[SEVERAL:])
            yield Text(f"  {rest:>4} × other reasons, which -v shows", "dim")
        yield Text("")
    if found.differing:
        n = len(found.differing)
        said = "equation differs" if n == 1 else "equations differ"
        yield Text(f"{n} {said} by one slip from an earlier one for the same name", "yellow")
    yield Text(found.summary(), "bold" if found.ok else "bold red")


def entry(row: Row, text: str, short: bool = False) -> Iterator[Text]:
    """One row: place and verdict, the author's line with a caret, why, and what would be right.

    With `short` no counterexample and nothing of what was used.
    """
    from rich.text import Text

    head = Text()
    head.append(f"{row.file or 'text'}:{row.line}:{row.column}: ", "bold")
    colour = "yellow" if row.differs else COLOURS[row.verdict]
    head.append(row.verdict, colour)
    if row.reason:
        head.append(f": {row.reason}")
    yield head
    shown, caret = excerpt(text, row)
    yield Text(f"    {shown}")
    if caret and (row.verdict in SHOWN or row.differs):
        yield Text(f"    {caret}", colour)
    if " ".join(row.latex.split()) not in " ".join(shown.split()):
        yield Text("    reads:   " + " ".join(row.latex.split()), "dim")
    if row.differs:
        before = f"    line {row.differs.line}: "
        yield Text(before).append(" ".join(row.differs.latex.split()), "green")
    if row.correction:
        yield Text("    correct: ").append(row.correction, "green")
    if short:
        return
    if row.counterexample and row.verdict in (report.REFUTED, report.CONDITIONAL):
        for line in example(row.counterexample):
            yield Text("    " + line, "dim")
    if row.used:
        yield Text("    by:      " + ", ".join(row.used), "dim")
    if row.assumed:
        yield Text("    assumed: " + "; ".join(row.assumed), "dim")


def excerpt(text: str, row: Row) -> tuple[str, str]:
    """The author's line around a formula, and a caret under the formula."""
    rows = text.split("\n")
    if not text or row.line > len(rows):
        return " ".join(row.latex.split())[:WIDTH], ""
    line = rows[row.line - 1].replace("\t", " ")
    left = max(0, row.column - 1 - WIDTH // 3) if len(line) > WIDTH else 0
    start = len(line[left:]) - len(line[left:].lstrip()) if not left else 0
    shown = line[left + start : left + start + WIDTH]
    at = row.column - 1 - left - start
    length = min(len(row.latex.split("\n")[0]), len(shown) - at)
    return shown, " " * max(0, at) + "^" * max(1, length)


def example(values: Any) -> list[str]:
    """A counterexample in a few short lines."""
    found = []
    if values.get("sizes"):
        found.append("at " + ", ".join(f"{k} = {v}" for k, v in values["sizes"].items()))
    for name, value in (values.get("values") or {}).items():
        said = str(value)
        found.append(f"{name} = {said if len(said) <= 80 else said[:77] + '…'}")
    entry = values.get("entry")
    at = ""
    if isinstance(entry, dict) and entry:
        at = " for " + ", ".join(f"{k} = {v}" for k, v in entry.items())
    elif isinstance(entry, list) and entry:
        at = " in entry " + ", ".join(str(k + 1) for k in entry)
    found.append(f"left {values['lhs']:.6g}, right {values['rhs']:.6g}{at}")
    return found
