"""What a check gives: one row for every formula, and how they are counted."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .finding import Difference

DEFINITION = "definition"
PROVED = "proved"
REFUTED = "refuted"
CONDITIONAL = "conditional"
MALFORMED = "malformed"
UNPROVED = "unproved"
SKIPPED = "skipped"

VERDICTS = (DEFINITION, PROVED, REFUTED, CONDITIONAL, MALFORMED, UNPROVED, SKIPPED)
WRONG = frozenset({REFUTED, MALFORMED})  # what makes a check fail
DECIDED = frozenset({DEFINITION, PROVED, REFUTED, CONDITIONAL, MALFORMED})


_ONE = re.compile(r"\\[dt]?frac\s*(?:\{1\}|1)\s*(?:\{1\}|1)\s*(?=[A-Za-z\\({])")


def tidied(latex: str) -> str:
    r"""A correction without the \frac11 and the gaps that one edit leaves."""
    return re.sub(r"(?<!\\) {2,}", " ", _ONE.sub("", latex))


@dataclass(frozen=True)
class Row:
    """The verdict on one formula.

    file, line, column  where it stands; lines and columns count from one
    latex               as the author wrote it
    kind                what it is: definition, claim, number, relation, limit, shape, …
    verdict             one of VERDICTS
    reason              why, in one sentence
    counterexample      sizes, values and both sides, for what was refuted with values
    correction          the right-hand side as it should be, as LaTeX; empty where none was found
    assumed             what was taken for granted: conventions, conditions, versions of names
    used                the definitions and facts that the verdict rests on
    differs             the one slip that separates it from the equation before it for its name
    """

    file: str
    line: int
    column: int
    latex: str
    kind: str
    verdict: str
    reason: str = ""
    counterexample: Mapping[str, Any] | None = None
    correction: str = ""
    assumed: tuple[str, ...] = ()
    used: tuple[str, ...] = ()
    differs: Difference | None = None

    def __str__(self) -> str:
        why = f" ({self.reason})" if self.reason else ""
        correct = f"; correct: {self.correction}" if self.correction else ""
        place = f"{self.file or 'text'}:{self.line}:{self.column}"
        return f"{place}: {self.verdict}: {self.latex}{why}{correct}"

    def data(self) -> dict[str, Any]:
        """The row for a program, with the keys that docs/check.md describes."""
        return {
            "file": self.file,
            "line": self.line,
            "column": self.column,
            "latex": self.latex,
            "kind": self.kind,
            "verdict": self.verdict,
            "reason": self.reason,
            "counterexample": dict(self.counterexample) if self.counterexample else None,
            "correction": self.correction or None,
            "assumed": list(self.assumed),
            "used": list(self.used),
            "differs": self.differs.data() if self.differs else None,
        }


@dataclass(frozen=True, repr=False)
class Report:
    """The rows of one or more documents, in the order of their text.

    `texts` holds the documents by name, for excerpts, and `read` what their names were taken for;
    `seed` is that of every random draw.
    """

    rows: tuple[Row, ...]
    texts: Mapping[str, str] = field(default_factory=dict, repr=False)
    seed: int = 0
    read: Mapping[str, str] = field(default_factory=dict, repr=False)

    @property
    def ok(self) -> bool:
        """True when nothing was refuted and nothing is malformed."""
        return not any(r.verdict in WRONG for r in self.rows)

    @property
    def differing(self) -> tuple[Row, ...]:
        """The rows that one slip separates from the equation before them for the same name."""
        return tuple(r for r in self.rows if r.differs is not None)

    @property
    def counts(self) -> dict[str, int]:
        """How many formulas have each verdict, in the order of VERDICTS."""
        found = Counter(r.verdict for r in self.rows)
        return {v: found[v] for v in VERDICTS if found[v]}

    @property
    def decided(self) -> int:
        """How many formulas have a verdict other than unproved and skipped."""
        return sum(r.verdict in DECIDED for r in self.rows)

    def of(self, *verdicts: str) -> tuple[Row, ...]:
        """The rows with one of these verdicts."""
        return tuple(r for r in self.rows if r.verdict in verdicts)

    def at(self, line: int, file: str = "") -> tuple[Row, ...]:
        """The rows of the formulas that a line belongs to."""
        return tuple(r for r in self.rows if r.file in (file or r.file) and _covers(r, line))

    def summary(self) -> str:
        """How many of all formulas were decided, and how."""
        total = len(self.rows)
        if not total:
            return "no formula was found"
        parts = ", ".join(f"{n} {verdict}" for verdict, n in self.counts.items())
        return f"{self.decided} of {total} formulas decided: {parts}"

    def data(self) -> dict[str, Any]:
        """The report for a program."""
        return {
            "version": 1,
            "seed": self.seed,
            "formulas": len(self.rows),
            "decided": self.decided,
            "counts": self.counts,
            "rows": [r.data() for r in self.rows],
        }

    def __iter__(self) -> Iterator[Row]:
        return iter(self.rows)

    def __len__(self) -> int:
        return len(self.rows)

    def __bool__(self) -> bool:
        return self.ok

    def __repr__(self) -> str:
        return f"Report({self.summary()})"

    def __str__(self) -> str:
        from .terminal import brief

        return brief(self)


def merged(reports: Iterable[Report]) -> Report:
    """Several reports as one."""
    found = list(reports)
    texts = {name: text for r in found for name, text in r.texts.items()}
    read = {name: said for r in found for name, said in r.read.items()}
    rows = tuple(row for r in found for row in r.rows)
    return Report(rows, texts, found[0].seed if found else 0, read)


def _covers(row: Row, line: int) -> bool:
    return row.line <= line <= row.line + row.latex.count("\n")
