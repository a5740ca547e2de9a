"""`symattn verify --path`: compiled functions along a path, beside the dense ones."""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

from .. import gallery
from ..devices import host_devices
from ..errors import SymattnError
from ..paths import DEVICES, along
from . import show
from .outcomes import Record

if TYPE_CHECKING:
    from rich.table import Table


def records(names: Sequence[str], path: str, seed: int) -> Iterator[Record]:
    """What was found of every derivation, in a process of its own, which compiles much and runs
    little; that of a ring has several devices.

    `numbers` are comparisons, `refused` what has no such path, with the reason of the compiler.
    """
    files = [str(gallery.load(name).path) for name in names] or map(str, gallery.paths().values())
    count = DEVICES if path == "ring" else 1
    yield from map(json.loads, host_devices(__name__, [path, str(seed), *files], count, brief=True))


def record(name: str, path: str, seed: int) -> Record:
    """The comparisons of one derivation."""
    start = time.perf_counter()
    entry = gallery.load(name)
    found: Record = {"name": entry.name, "title": entry.title, "path": path}
    try:
        rows, reasons = along(entry.system, path, seed=seed)
    except SymattnError as error:
        return found | {"ok": False, "error": str(error)}
    return found | {
        "ok": all(r.ok for r in rows),
        "numbers": [show.row_data(r) for r in rows],
        "refused": [{"name": name, "reason": reason} for name, reason in reasons],
        "seconds": time.perf_counter() - start,
    }


def printed(found: Iterable[Record]) -> Table:
    """The table of the command: what passed, and why the others do not qualify."""
    from rich.table import Table

    table = Table("derivation", title_justify="left", box=None, pad_edge=False)
    for head in ("numbers", "worst float64", "seconds"):
        table.add_column(head, justify="right")
    table.add_column("")
    table.add_column("what does not qualify")
    for r in found:
        if "error" in r:
            table.add_row(r["name"], "", "", "", "[red]could not be checked[/red]", r["error"])
            continue
        passed = sum(n["ok"] for n in r["numbers"])
        said = "[green]passed[/green]" if r["numbers"] else "does not qualify"
        reasons: dict[str, list[str]] = {}
        for refused in r["refused"]:
            reasons.setdefault(refused["reason"], []).append(refused["name"])
        table.add_row(
            r["name"],
            f"{passed}/{len(r['numbers'])}" if r["numbers"] else "",
            show.worst(r["numbers"], "float64"),
            f"{r['seconds']:.1f}",
            said if r["ok"] else "[red]fell short[/red]",
            "; ".join(f"{', '.join(of)}: {why}" for why, of in reasons.items()),
        )
    return table


def failures(found: Record) -> list[str]:
    """One line for everything that fell short."""
    return [found["error"]] if "error" in found else [
        f"{n['name']} differs from the dense path by {n['max_rel']:.1e}, more than "
        f"{n['tolerance']:.0e}"
        for n in found["numbers"]
        if not n["ok"]
    ]  # fmt: skip


if __name__ == "__main__":
    for each in sys.argv[3:]:
        print(json.dumps(record(each, sys.argv[1], int(sys.argv[2]))), flush=True)
