"""The table of docs/audit.md: `python tests/checker/audit.py FILE…`.

For every document how many formulas there are, are read and are decided, how many claims there are
and are decided, and the verdicts.  Behind the table, everything that is refuted or malformed.
"""

from __future__ import annotations

import sys
from collections import Counter
from pathlib import Path

from symattn.checker import Report, check
from symattn.checker.report import VERDICTS, WRONG

DECIDED = ("proved", "refuted", "conditional", "malformed")
COLUMNS = ("formulas", "read", "decided", "claims", "claims decided", *VERDICTS)


def numbers(report: Report) -> list[int]:
    """What stands in one row of the table."""
    counts = Counter(r.verdict for r in report)
    decided = sum(counts[v] for v in DECIDED)
    read = sum(r.kind != "unread" for r in report)
    claims = decided + counts["unproved"]
    return [len(report), read, report.decided, claims, decided, *(counts[v] for v in VERDICTS)]


def main(files: list[str]) -> None:
    """Print the table and the alarms."""
    total, alarms = [0] * len(COLUMNS), []
    print("| document |", " | ".join(COLUMNS), "|")
    print("|---" * (len(COLUMNS) + 1) + "|")
    for file in files:
        report = check(file)
        row = numbers(report)
        total = [a + b for a, b in zip(total, row, strict=True)]
        print("|", Path(file).name, "|", " | ".join(map(str, row)), "|", flush=True)
        alarms += report.of(*WRONG)
    print("| all |", " | ".join(map(str, total)), "|")
    for r in alarms:
        print(f"\n{Path(r.file).name}:{r.line} {r.verdict}: {r.reason}\n  {r.latex}")
        print(f"  → {r.correction}")


if __name__ == "__main__":
    main(sys.argv[1:])
