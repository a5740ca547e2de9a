"""Reports for programs: JSON, annotations of GitHub, SARIF."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from . import report
from .report import Report, Row

DIFFERS = "differs"  # a rule of its own, beside the verdicts
LEVELS = {
    report.REFUTED: "error",
    report.MALFORMED: "error",
    report.CONDITIONAL: "warning",
    report.UNPROVED: "notice",
    DIFFERS: "warning",
}
RULES = {
    report.REFUTED: "The two sides of an equation differ",
    report.MALFORMED: "Indices or shapes of an equation do not fit",
    report.CONDITIONAL: "An equation holds under a condition that is not stated",
    report.UNPROVED: "An equation was not decided",
    DIFFERS: "An equation differs by one slip from an earlier one for the same name",
}
SARIF = "https://json.schemastore.org/sarif-2.1.0.json"


def as_json(found: Report) -> str:
    """The report with the keys that docs/check.md describes."""
    return json.dumps(found.data(), indent=2, ensure_ascii=False, default=float)


def as_github(found: Report) -> str:
    """Workflow commands that GitHub shows beside the lines of a pull request."""
    rows = []
    for row, rule in _shown(found):
        place = {"file": row.file, "line": row.line, "col": row.column, "title": rule}
        where = ",".join(f"{k}={_escaped(str(v), True)}" for k, v in place.items() if v != "")
        rows.append(f"::{LEVELS[rule]} {where}::{_escaped(_message(row))}")
    rows.append(f"::notice::{_escaped(found.summary())}")
    return "\n".join(rows)


def _shown(found: Report) -> Iterator[tuple[Row, str]]:
    """What is wrong or in doubt, each row with its rule."""
    for row in found.rows:
        if row.verdict in LEVELS:
            yield row, row.verdict
        elif row.differs:
            yield row, DIFFERS


def _message(row: Row) -> str:
    parts = [row.latex, row.reason]
    if row.differs:
        parts.append(f"line {row.differs.line}: {row.differs.latex}")
    if row.correction:
        parts.append(f"correct: {row.correction}")
    return "\n".join(p for p in parts if p)


def _escaped(text: str, value: bool = False) -> str:
    for mark in "%\r\n" + ":," * value:
        text = text.replace(mark, f"%{ord(mark):02X}")
    return text


def as_sarif(found: Report) -> str:
    """SARIF 2.1.0, one result for every row that is wrong or in doubt."""
    results = []
    for row, rule in _shown(found):
        region: dict[str, Any] = {"startLine": row.line, "startColumn": row.column}
        results.append(
            {
                "ruleId": rule,
                "level": {"notice": "note"}.get(LEVELS[rule], LEVELS[rule]),
                "message": {"text": _message(row)},
                "locations": [
                    {
                        "physicalLocation": {
                            "artifactLocation": {"uri": row.file},
                            "region": region,
                        }
                    }
                ],
            }
        )
    rules = [{"id": k, "shortDescription": {"text": text}} for k, text in RULES.items()]
    run = {
        "tool": {"driver": {"name": "symattn", "version": _version(), "rules": rules}},
        "results": results,
        "columnKind": "unicodeCodePoints",
    }
    return json.dumps(
        {"$schema": SARIF, "version": "2.1.0", "runs": [run]}, indent=2, ensure_ascii=False
    )


def _version() -> str:
    from .. import __version__

    return __version__


FORMATS: Mapping[str, Callable[[Report], str]] = {
    "json": as_json,
    "github": as_github,
    "sarif": as_sarif,
}
