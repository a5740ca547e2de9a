"""sa.check: a path or a text goes in, a verdict for every formula comes out."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

from ..budget import few_collections
from ..errors import FormulaError, fault
from ..read.at_numbers import AtNumber
from ..read.result import Document
from ..read.retried import ELSEWHERE
from ..read.scan import notebook
from . import report, tables
from .averaged import of_outcomes
from .deadline import Late, within
from .endless import endless, inline
from .finding import Finding
from .inside import names
from .judge import Judge
from .misfits import misfit
from .naming import worded
from .outline import Outline
from .report import Report, Row, tidied
from .sequences import of_steps
from .spatial import of_fields
from .statements import MAX_CHARACTERS, Reading, Statement, Unread, of_document, reading
from .theorems import of_matrices
from .unrolled import of_recursion
from .workers import side_by_side

TIMEOUT = 5.0  # seconds for one formula
DECIDED = (report.PROVED, report.CONDITIONAL, report.REFUTED)
READING = 6  # times that for reading a text, and as often again for every PAGE characters
PAGE = 20_000
_ROLE = re.compile(  # in a sentence: no code, and no line of its own
    r"(?<![\w`])(?:(?!(?<=\n):math:`[^`\n]+`[ \t]*$):math:|\{math\})`([^`$]+)`(?!`)", re.MULTILINE
)
SUFFIXES = frozenset(
    {".md", ".markdown", ".mdx", ".qmd", ".rmd", ".tex", ".rst", ".txt", ".ipynb", ".py"}
)

Progress = Callable[[int, int], None]


def check(
    document: str | Path,
    *,
    timeout: float | None = TIMEOUT,
    seed: int = 0,
    corrections: bool = True,
    progress: Progress | None = None,
    jobs: int | None = None,
) -> Report:
    """The verdict on every formula of a document: a path, or the text itself.

    `corrections` are what takes longest, and no verdict hangs on them.  `timeout` is in seconds and
    for each formula, None for no limit; `progress` is called with the number of formulas done and
    their number.  At most `jobs` processes judge the formulas of a long text side by side, on Linux
    and where JAX is not loaded; None for one a processor, up to eight, in a process of one thread.
    A text never raises: what cannot be read is a row of its own.  Raises FormulaError for a file
    that is no text, OSError for one that cannot be opened.
    """
    name, text = source(document)
    return check_text(
        text,
        name,
        timeout=timeout,
        seed=seed,
        corrections=corrections,
        progress=progress,
        jobs=jobs,
    )


def source(document: str | Path) -> tuple[str, str]:
    """The name and the text of a document given as a path or as text."""
    if isinstance(document, str) and not _is_path(document):
        return "", document
    path = Path(document)
    if path.is_dir():
        raise FormulaError(
            f"{document} is a folder", expected="a document", mend="name the documents in it"
        )
    with path.open("rb") as file:
        return decoded(str(document), file.read(4 * MAX_CHARACTERS + 1))


def decoded(name: str, data: bytes) -> tuple[str, str]:
    """The name and the text of a document given as bytes.  Raises FormulaError for no text."""
    try:
        return name, data.decode("utf-8-sig").replace("\r\n", "\n")
    except UnicodeDecodeError as error:
        if len(data) > 4 * MAX_CHARACTERS and error.start > len(data) - 5:  # cut inside a letter
            return name, data[: error.start].decode("utf-8-sig")
        raise FormulaError(
            f"{name} is no text: byte {error.start} is not UTF-8", mend="save it as UTF-8"
        ) from None


def plain(text: str) -> str:
    """The text that is checked: of a notebook the Markdown, at its lines in the file.

    Of one that is one line of JSON the lines of the Markdown are counted.
    """
    text = text.replace("\r\n", "\n")
    rows, lines = notebook(text)
    if lines is None:
        return text
    found: list[str] = []
    for row, line in zip(rows.split("\n"), lines, strict=True):
        found += [""] * (line - 1 - len(found))
        found.append(row)
    return "\n".join(found)


def with_dollars(text: str) -> str:
    """The text with $x$ for the roles of reStructuredText and MyST, each sign at its place."""
    return text if "$" in text else _ROLE.sub(r"      $\1$", text)


def _is_path(document: str) -> bool:
    """One line that names a file that is there, or that ends as a document does."""
    if "\n" in document or len(document) > 1000 or not document.strip():
        return False
    plain = not set(document) & set("$\\{}=^")
    try:
        return Path(document).is_file() or (plain and Path(document).suffix.lower() in SUFFIXES)
    except (OSError, ValueError):
        return False


@few_collections()
def check_text(
    text: str,
    name: str = "",
    *,
    timeout: float | None = TIMEOUT,
    seed: int = 0,
    corrections: bool = True,
    progress: Progress | None = None,
    jobs: int | None = None,
) -> Report:
    """The verdict on every formula of a text."""
    written = plain(text)
    text = with_dollars(written)
    try:
        found = within(_to_read(text, timeout), lambda: reading(text))
    except Late:
        late = Row(name, 1, 1, "", "text", report.SKIPPED, "time: the text takes too long to read")
        return Report((late,), {name: written}, seed)
    outline = Outline(text)
    judge = Judge(found, outline, seed)
    judge.corrects = corrections
    every: tuple[Unread | Statement, ...] = (*found.unread, *found.statements)

    def row(k: int) -> Row:
        one = every[k]
        if isinstance(one, Unread):
            return unread_row(name, one, judge, timeout)
        return row_of(name, one, decided(judge, one, timeout))

    judged: dict[int, Row] = {}
    for k, answer in side_by_side(row, len(every), jobs):
        judged[k] = answer
        if progress is not None:
            progress(len(judged), len(every))
    unread = len(found.unread)
    rows = [judged[k] for k in range(unread)] + tables.rows(name, text)
    for line, column, latex, f in inline(text, judge.versions):
        if not any((r.line, r.latex) == (line, latex) for r in rows):
            rows.append(
                Row(name, line, column, latex, f.kind, f.verdict, f.reason, None, f.correction)
            )
    read_there = {(s.line, s.column) for s in found.statements}
    for place, s in judge.worked.claims.items():
        if place in read_there:
            continue
        of_numbers = decided(judge, s, timeout)
        if of_numbers.kind == "number" and of_numbers.verdict in DECIDED:
            rows = [r for r in rows if (r.line, r.column) != place]
            rows.append(row_of(name, s, of_numbers))
    read_there |= {(u.line, u.column) for u in found.unread}
    rows += [*_at_numbers(name, judge, {*found.document.values}, read_there)]
    rows += [judged[k] for k in range(unread, len(every))]
    rows = squared(rows, found.document, judge, timeout)
    rows.sort(key=lambda r: (r.line, r.column))
    return Report(tuple(rows), {name: written}, seed, {name: found.document.summary()})


def _at_numbers(
    name: str, judge: Judge, values: set[tuple[int, int, str]], but: set[tuple[int, int]]
) -> Iterator[Row]:
    """The rows of numbers that sequences are said to be, S_{10} = 55, which no others speak of."""
    for line, column, latex in sorted(values):
        claim = judge.versions.document.sequences.get((line, column))
        if isinstance(claim, AtNumber) and (line, column) not in but:
            f = of_steps(judge, line, column, latex)
            if f is not None:
                why, right = worded(f.reason), tidied(f.correction)
                yield Row(name, line, column, latex, f.kind, f.verdict, why, None, right)


def _to_read(text: str, timeout: float | None) -> float | None:
    """The seconds that there are for reading a text."""
    return timeout and READING * max(TIMEOUT, timeout) * (1 + len(text) // PAGE)


def decided(judge: Judge, s: Statement, timeout: float | None) -> Finding:
    """The finding on a statement within the time there is; never raises for what was read."""
    try:
        return within(
            timeout,
            lambda: _of_space(judge, s) or _as_meant(judge, s, judge(s)),
        )
    except Late:
        late = Finding(report.SKIPPED, f"time: no verdict within {timeout:g} s")
        return judge.reached.get(s, late)
    except Exception as error:  # a fault of the checker must not hide the report
        said = getattr(error, "problem", "") or fault(error)
        return Finding(report.SKIPPED, f"not decided: {said}")


def _of_space(judge: Judge, s: Statement) -> Finding | None:
    """The finding on an equation of fields; None where it is known to say what something is."""
    found = of_fields(judge, s.line, s.column, s.number)
    if found is not None and found.verdict == report.SKIPPED:
        own = judge(s)
        return own if own.verdict == report.DEFINITION else found
    return found


def _as_meant(judge: Judge, s: Statement, found: Finding) -> Finding:
    """The finding, or that a transposition is missing where the names have other shapes here.

    A formula that does not fit is read with another α than elsewhere, of which nothing is known.
    """
    if found.verdict in (report.PROVED, *report.WRONG) or s.number or s.relation != "=":
        return found
    told = judge.versions.document.unresolved
    another = (told.get(n, "") for n in sorted(names(s.lhs) | names(s.rhs)))
    if not any(why.startswith("another ") and why.endswith(ELSEWHERE) for why in another):
        return found
    said = "the two sides have different shapes"
    return misfit(Unread(s.latex, s.line, s.column, said), judge) or found


def squared(rows: list[Row], document: Document, other: Judge, timeout: float | None) -> list[Row]:
    """The rows with those of formulas that alone make a matrix square as they are where it is.

    What is wrong of a square one is wrong; what is true of it is true where it is square.
    """
    if document.square is None:
        return rows
    judge = Judge(of_document(document.square), other.outline, other.seed)
    judge.corrects = other.corrects
    for place, matrix in document.lonely.items():
        own = [r for r in rows if (r.line, r.column) == place]
        again = [s for s in judge.versions.statements if (s.line, s.column) == place]
        if not own or any(r.verdict in report.WRONG for r in own):
            continue
        found = [row_of(own[0].file, s, decided(judge, s, timeout)) for s in again]
        wrong = any(r.verdict in report.WRONG for r in found)
        true = all(r.verdict == report.PROVED for r in found)
        if wrong or (true and found and all(r.verdict == report.SKIPPED for r in own)):
            why = f"true where {matrix} is square"
            found = [
                replace(r, verdict=report.CONDITIONAL, reason=why)
                if r.verdict == report.PROVED
                else r
                for r in found
            ]
            rows = [r for r in rows if r not in own] + found
    return rows


def unread_row(name: str, u: Unread, judge: Judge, timeout: float | None) -> Row:
    """The row of a formula that was not read."""
    if u.kind == "author":
        why = f"as asked: {u.reason}"
        return Row(name, u.line, u.column, u.latex, "claim", report.SKIPPED, why)
    try:
        found = endless(u.latex, judge.versions) or within(
            timeout,
            lambda: (
                judge.versions.components.finding(u.latex, u.line, u.column)
                or of_recursion(judge, u.line, u.column, u.latex)
                or of_outcomes(judge, u.line, u.column, u.latex)
                or of_fields(judge, u.line, u.column)
                or judge.commutators.finding(u.line, u.column)
                or of_matrices(judge, u.line, u.column)
                or misfit(u, judge)
            ),
        )
    except (Late, Exception):  # what was not read stays what it is
        found = None
    if found is None and judge.worked.gives(u.line, u.column):
        found = Finding(report.DEFINITION, "numbers of an example", kind="number")
    if found is None:
        return Row(name, u.line, u.column, u.latex, "unread", report.SKIPPED, u.reason)
    return Row(
        name,
        u.line,
        u.column,
        u.latex,
        found.kind,
        found.verdict,
        worded(found.reason),
        found.counterexample,
        tidied(found.correction),
        found.assumed,
        found.used,
    )


def row_of(name: str, s: Statement, f: Finding) -> Row:
    """The row of a statement that was judged, at its own line where it stands in a chain."""
    return Row(
        name,
        *s.place,
        s.latex,
        f.kind or s.kind,
        f.verdict,
        worded(f.reason),
        f.counterexample,
        tidied(f.correction),
        f.assumed,
        f.used,
        f.differs,
    )


__all__ = ["Reading", "check", "check_text", "source"]
