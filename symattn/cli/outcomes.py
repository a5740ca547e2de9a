"""What was found of a derivation, as data and as text for a terminal."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any

from .. import gallery
from ..errors import SymattnError
from . import show
from .pages import page, symbols

if TYPE_CHECKING:
    from rich.console import Console

    from ..gallery import Entry, Outcome

Record = dict[str, Any]  # what was found of one derivation, as JSON


def record(entry: Entry, seed: int = 0) -> Record:
    """Everything that pages and tables say of a derivation, or why it could not be examined."""
    try:
        outcome = gallery.examine(entry, seed)
    except SymattnError as error:
        return {"name": entry.name, "title": entry.title, "ok": False, "error": str(error)}
    return _data(entry, outcome) | {
        "symbols": symbols(entry),
        "plots": list(entry.plots),
        "page": page(outcome),
    }


def public(found: Record) -> Record:
    """A record as a program may read it, without the texts of pages."""
    return {k: v for k, v in found.items() if k not in ("page", "symbols", "seconds")}


def _data(entry: Entry, outcome: Outcome) -> Record:
    return {
        "name": entry.name,
        "title": entry.title,
        "ok": outcome.ok,
        "steps": [
            {"label": label, "rule": c.step.rule.replace("`", ""), "ok": c.ok}
            for label, report in outcome.steps
            for c in report
        ],
        "claims": [
            {
                "label": label,
                "status": v.status,
                "ok": bool(v),
                "used": list(v.used),
                "conditions": list(v.conditions),
            }
            for label, v in outcome.verdicts
        ],
        "refuted": [
            {"label": label, "status": v.status, "ok": v.status == "refuted"}
            for label, v in outcome.wrong
        ],
        "numbers": [show.row_data(r) for r in outcome.rows],
        "failures": outcome.failures(),
        "seconds": outcome.seconds,
    }


# ------------------------------------------------------------------------------------ on a terminal


def console(stderr: bool = False, width: int = 160) -> Console:
    """A terminal, or a file that is not wrapped to the width of a terminal nobody looks at."""
    from rich.console import Console

    found = Console(stderr=stderr, highlight=False)
    return found if found.is_terminal else Console(stderr=stderr, highlight=False, width=width)


def watched(made: Iterable[Record], count: int) -> Iterator[Record]:
    """The records, under a progress bar where somebody looks."""
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

    where = console(stderr=True)
    if not count or not where.is_terminal:
        yield from made
        return
    bar = Progress(
        BarColumn(),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
        TextColumn("{task.description}"),
        console=where,
        transient=True,
    )
    with bar:
        task = bar.add_task("", total=count)
        for found in made:
            bar.update(task, advance=1, description=found["name"])
            yield found


def print_outcome(found: Record) -> None:
    """One line for every step, claim and number."""
    print(found["name"])
    if "error" in found:
        print(f"  could not be checked: {found['error']}\n")
        return
    for step in found["steps"]:
        print(f"  {_mark(step['ok'])} {step['label']}: {step['rule']}")
    for claim in (*found["claims"], *found["refuted"]):
        print(f"  {_mark(claim['ok'])} {claim['status']}: {claim['label']}")
    for r in found["numbers"]:
        print(
            f"  {_mark(r['ok'])} {r['name']} against {r['reference']}, {r['dtype']}: "
            f"{r['max_rel']:.1e} (at most {r['tolerance']:.0e})"
        )
    print()


def _mark(good: bool) -> str:
    return "ok   " if good else "WRONG"


def summary(records: Iterable[Record]) -> None:
    """One row for every derivation, and what fell short in words."""
    from rich.table import Table

    table = Table("derivation", title_justify="left", box=None, pad_edge=False)
    for head in ("steps", "claims", "numbers", "worst float64", "worst float32", "seconds"):
        table.add_column(head, justify="right")
    table.add_column("")
    records = list(records)
    for r in records:
        if "error" in r:
            table.add_row(r["name"], *[""] * 6, "[red]could not be checked[/red]")
            continue
        table.add_row(
            r["name"],
            _score(r["steps"]),
            _score([*r["claims"], *r["refuted"]]),
            _score(r["numbers"]),
            show.worst(r["numbers"], "float64"),
            show.worst(r["numbers"], "float32"),
            f"{r['seconds']:.1f}",
            "[green]ok[/green]" if r["ok"] else "[red]fell short[/red]",
        )
    console().print(table)
    for r in records:
        for line in r.get("failures", [r.get("error")]):
            print(f"{r['name']}: {line}", file=sys.stderr)


def _score(found: list[Record]) -> str:
    return f"{sum(f['ok'] for f in found)}/{len(found)}" if found else "–"
