"""Formulas as items of pytest."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from . import report, tables
from .documents import decided, source
from .judge import Judge
from .outline import Outline
from .report import Row
from .statements import Statement, Unread, reading
from .terminal import entry


class DocumentFile(pytest.File):
    """A document: an item for every formula."""

    def collect(self) -> Iterator[pytest.Item]:
        """The formulas in the order of the text."""
        _, text = source(Path(self.path))
        found = reading(text)
        outline = Outline(text)
        judge = Judge(found, outline)
        known: dict[str, int] = {}
        every: list[Statement | Unread | Row] = [
            *found.statements,
            *found.unread,
            *tables.rows(self.path.name, text),
        ]
        for s in sorted(every, key=lambda s: (s.line, s.column)):
            name = f"line {s.line}"
            known[name] = known.get(name, 0) + 1
            if known[name] > 1:
                name = f"{name}, {known[name]}"
            yield Formula.from_parent(self, name=name, statement=s, judge=judge, text=text)


class Wrong(Exception):
    """A formula that is refuted or malformed; the message is its row of the report."""


class Differs(UserWarning):
    """An equation is one slip away from an earlier one for the same name."""


class Formula(pytest.Item):
    """One formula: fails when it is refuted or malformed, is skipped when it was not decided."""

    def __init__(
        self, *, statement: Statement | Unread | Row, judge: Judge, text: str, **kwargs: Any
    ) -> None:
        super().__init__(**kwargs)
        self.statement, self.judge, self.text = statement, judge, text

    def runtest(self) -> None:
        """Decide the formula."""
        row = self._row(corrected=False)
        strict = self.config.getini("symattn_strict")
        doubtful = row.differs or row.verdict in (report.CONDITIONAL, report.UNPROVED)
        if row.verdict in report.WRONG or (strict and doubtful):
            raise Wrong(self._said(self._row(corrected=True)))
        if row.differs:
            warnings.warn_explicit(self._said(row), Differs, str(self.path), row.line)
        if row.verdict not in (report.PROVED, report.DEFINITION):
            pytest.skip(f"{row.verdict}: {row.reason}")

    def _row(self, corrected: bool) -> Row:
        """The row of the report; a correction is sought for what fails alone."""
        from .documents import row_of, unread_row

        name, asked = self.path.name, self.statement
        timeout = float(self.config.getini("symattn_timeout")) or None
        if isinstance(asked, Row):
            return asked
        self.judge.corrects = corrected
        if isinstance(asked, Unread):
            return unread_row(name, asked, self.judge, timeout)
        self.judge.forget(asked)
        return row_of(name, asked, decided(self.judge, asked, timeout))

    def _said(self, row: Row) -> str:
        return "\n".join(line.plain for line in entry(row, self.text))

    def repr_failure(self, excinfo: Any, style: Any = None) -> Any:
        """The row of the report, without a traceback."""
        if isinstance(excinfo.value, Wrong):
            return str(excinfo.value)
        return super().repr_failure(excinfo, style)

    def reportinfo(self) -> tuple[Path, int, str]:
        """Where the formula stands."""
        return self.path, self.statement.line - 1, self.name
