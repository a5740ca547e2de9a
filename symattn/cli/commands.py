"""What each command does; each gives its exit code."""

from __future__ import annotations

import json
import sys
from argparse import Namespace
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from .. import gallery
from ..derive import Gradients, backward, jacobian
from ..errors import SymattnError, UnsupportedError
from . import SHORT, WELL, show
from .check import bench_check
from .check import check_ as check_

if TYPE_CHECKING:
    from rich.console import Console

    from ..gallery import Entry, Outcome, Result


def _console(stderr: bool = False) -> Console:
    from rich.console import Console

    console = Console(stderr=stderr, highlight=False)
    # What goes into a file or a pipe is not wrapped to the width of a terminal nobody looks at.
    return console if console.is_terminal else Console(stderr=stderr, highlight=False, width=160)


def _json(data: Any) -> None:
    print(json.dumps(data, indent=2, ensure_ascii=False))


def list_(options: Namespace) -> int:
    """The names and titles of all derivations."""
    titles = {name: gallery.title(name) for name in gallery.names()}
    if options.format == "json":
        _json([{"name": n, "title": t} for n, t in titles.items()])
    else:
        width = max(map(len, titles), default=0)
        for name, title in titles.items():
            print(f"{name:<{width}}  {title}")
    return WELL


# --------------------------------------------------------------------------- derive and compile


def _chosen(entry: Entry, options: Namespace) -> Mapping[str, Result]:
    """What the file derives, or what --of, --output and --wrt ask for."""
    wrt = [name for group in options.wrt for name in group.split(",") if name]
    if options.of and (len(wrt) != 1 or options.output):
        raise UnsupportedError(
            "a Jacobian is of one tensor with respect to one",
            mend=f"write --of {options.of} --wrt X",
        )
    if options.of:
        derivative = jacobian(entry.system, of=options.of, wrt=wrt[0])
        return {f"∂{options.of}/∂{wrt[0]}": derivative}
    if wrt:
        output = options.output or _output(entry)
        gradients = backward(entry.system, output=output, wrt=wrt)
        return {f"Gradients from {output}": gradients}
    if not entry.results:
        raise UnsupportedError(
            f"{entry.name} says nothing of what to derive",
            expected="one of " + ", ".join([*entry.system.definitions, *entry.system.inputs]),
            mend="write --wrt X for gradients, or --of Y --wrt X for a Jacobian"
            + (", or --output Y alone for the value of Y" if options.command == "compile" else ""),
        )
    return entry.results


def _output(entry: Entry) -> str:
    """The output of the file's own backward pass, or its last definition."""
    own = [r.output for r in entry.results.values() if isinstance(r, Gradients)]
    return own[0] if own else list(entry.system.definitions)[-1]


def derive_(options: Namespace) -> int:
    """Derivations with their steps."""
    if options.metric:
        return _derive_metric(options)
    entry = gallery.load(options.name)
    if options.output and not options.wrt:
        raise UnsupportedError(
            "--output says where gradients start from",
            mend=f"write --output {options.output} --wrt X",
        )
    found = gallery.derivations(_chosen(entry, options))
    match options.format:
        case "json":
            _json(show.as_data(found))
        case "latex":
            print(show.as_latex(found))
        case "markdown":
            print(show.as_markdown(entry, found))
        case _:
            print(show.as_text(entry, found))
    return WELL


def _derive_metric(options: Namespace) -> int:
    """The Christoffel symbols of the line element in a file, component by component."""
    from ..geometry.derivation import ChristoffelDerivation
    from ..geometry.files import read_metric

    if options.name != "christoffel" or options.wrt or options.of or options.output:
        raise UnsupportedError(
            "--metric says of which metric the Christoffel symbols are",
            mend=f"write symattn derive christoffel --metric {options.metric}",
        )
    derivation = ChristoffelDerivation(read_metric(options.metric))
    match options.format:
        case "json":
            _json(derivation.as_data())
        case "latex":
            print(derivation.latex())
        case "markdown":
            print(derivation.markdown(f"Christoffel symbols of {Path(options.metric).name}"))
        case _:
            print(derivation)
    return WELL


def compile_(options: Namespace) -> int:
    """The source of a module that needs JAX (or NumPy) and nothing else."""
    from ..compile import compile

    entry = gallery.load(options.name)
    if options.output and not options.wrt:
        function = compile(
            entry.system, output=options.output, path=options.path, target=options.target
        )
    elif options.path != "dense":
        raise UnsupportedError(
            f"the path {options.path} computes an output",
            mend=f"write --output Y --path {options.path}",
        )
    else:
        results = _chosen(entry, options)
        only = next(iter(results.values())) if len(results) == 1 else dict(results)
        function = compile(only, target=options.target)
    if not options.file:
        print(function.source, end="")
        return WELL
    Path(options.file).write_text(function.source, "utf-8")
    print(f"{options.file}: {function!r}")
    return WELL


# ----------------------------------------------------------------------------- verify and build


def verify_(options: Namespace) -> int:
    """Every step, claim and number of the derivations named, or of all."""
    if options.certificates:
        return _certificates(options)
    entries = [gallery.load(name) for name in options.names or gallery.names()]
    found = _examine(entries, options.seed)
    if options.format == "json":
        _json([_data(e, o) for e, o in found])
    else:
        for entry, outcome in found:
            if isinstance(outcome, gallery.Outcome):
                _print_outcome(outcome)
            else:
                print(f"{entry.name}\n  could not be checked: {outcome}\n")
        _summary(found)
    return WELL if all(_ok(o) for _, o in found) else SHORT


def _certificates(options: Namespace) -> int:
    """The log of every proof, checked by the second opinion."""
    from .certificates import printed, rows

    found = []
    for row in rows(options.names):
        found.append(row)
        for line in row.failures:
            print(f"{row.name}: {line}", file=sys.stderr)
    if options.format == "json":
        _json([row.data() for row in found])
    else:
        _console().print(printed(found))
    return SHORT if any(row.failures for row in found) else WELL


def build_(options: Namespace) -> int:
    """The pages of all derivations, and a table of what was checked."""
    from .pages import index, page

    found = _examine([gallery.load(name) for name in gallery.names()], seed=0)
    folder = Path(options.folder)
    pages = {f"{e.name}.md": page(o) for e, o in found if isinstance(o, gallery.Outcome)}
    pages["index.md"] = index(e for e, _ in found)
    stale = sorted(_differ(folder, pages))
    if not options.check:
        folder.mkdir(parents=True, exist_ok=True)
        for name, text in pages.items():
            (folder / name).write_text(text, "utf-8", newline="\n")
    if options.format == "json":
        _json({"pages": sorted(pages), "differ": stale, "checked": [_data(e, o) for e, o in found]})
    else:
        _summary(found)
        if not options.check:
            print(f"{len(pages)} pages in {folder}, {len(stale)} of them changed")
        elif stale:
            print(f"pages in {folder} differ from what `symattn build` writes: {', '.join(stale)}")
        else:
            print(f"the {len(pages)} pages in {folder} are up to date")
    good = all(_ok(o) for _, o in found) and not (options.check and stale)
    return WELL if good else SHORT


def _differ(folder: Path, pages: Mapping[str, str]) -> set[str]:
    """The names of pages that are missing or not as they would be written, or not written."""
    there = {p.name: p.read_bytes() for p in folder.glob("*.md")} if folder.is_dir() else {}
    wanted = {name: text.encode() for name, text in pages.items()}
    return {name for name in there.keys() | wanted if there.get(name) != wanted.get(name)}


Found = list[tuple["Entry", "Outcome | SymattnError"]]


def _ok(outcome: Outcome | SymattnError) -> bool:
    return isinstance(outcome, gallery.Outcome) and outcome.ok


def _examine(entries: Iterable[Entry], seed: int) -> Found:
    """Each entry with what examining it found, or why it could not be examined."""
    found = Found()
    for entry in _watched(list(entries)):
        try:
            found.append((entry, gallery.examine(entry, seed)))
        except SymattnError as error:
            found.append((entry, error))
    return found


def _watched(entries: Sequence[Entry]) -> Iterator[Entry]:
    """The entries, under a progress bar where somebody looks."""
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

    console = _console(stderr=True)
    if not console.is_terminal:
        yield from entries
        return
    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
    )
    with Progress(*columns, console=console, transient=True) as bar:
        task = bar.add_task("", total=len(entries))
        for entry in entries:
            bar.update(task, description=entry.name)
            yield entry
            bar.advance(task)


def _print_outcome(outcome: Outcome) -> None:
    print(outcome.entry.name)
    for label, report in outcome.steps:
        for check in report:
            print(f"  {_mark(check.ok)} {label}: {check.step.rule.replace('`', '')}")
    for label, verdict in outcome.verdicts:
        print(f"  {_mark(bool(verdict))} {verdict.status}: {label}")
    for r in outcome.rows:
        print(
            f"  {_mark(r.ok)} {r.name} against {r.reference}, {r.dtype}: "
            f"{r.max_rel:.1e} (at most {r.tolerance:.0e})"
        )
    print()


def _mark(good: bool) -> str:
    return "ok   " if good else "WRONG"


def _summary(found: Found) -> None:
    """One row for every derivation, and what fell short in words."""
    from rich.table import Table

    table = Table("derivation", title_justify="left", box=None, pad_edge=False)
    for head in ("steps", "claims", "numbers", "worst float64", "worst float32", "seconds"):
        table.add_column(head, justify="right")
    table.add_column("")
    for entry, outcome in found:
        if not isinstance(outcome, gallery.Outcome):
            table.add_row(entry.name, *[""] * 6, "[red]could not be checked[/red]")
            continue
        steps = [check.ok for _, report in outcome.steps for check in report]
        table.add_row(
            entry.name,
            _score(steps),
            _score([bool(v) for _, v in outcome.verdicts]),
            _score([r.ok for r in outcome.rows]),
            show.worst(outcome.rows, "float64"),
            show.worst(outcome.rows, "float32"),
            f"{outcome.seconds:.1f}",
            "[green]ok[/green]" if outcome.ok else "[red]fell short[/red]",
        )
    _console().print(table)
    for entry, outcome in found:
        lines = outcome.failures() if isinstance(outcome, gallery.Outcome) else [str(outcome)]
        for line in lines:
            print(f"{entry.name}: {line}", file=sys.stderr)


def _score(good: list[bool]) -> str:
    return f"{sum(good)}/{len(good)}" if good else "–"


def _data(entry: Entry, outcome: Outcome | SymattnError) -> dict[str, Any]:
    if not isinstance(outcome, gallery.Outcome):
        return {"name": entry.name, "ok": False, "error": str(outcome)}
    return {
        "name": entry.name,
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
                "used": list(v.used),
                "conditions": list(v.conditions),
            }
            for label, v in outcome.verdicts
        ],
        "numbers": [show.row_data(r) for r in outcome.rows],
        "failures": outcome.failures(),
    }


# ----------------------------------------------------------------------------------------- bench


def _hunt(options: Namespace) -> list[dict[str, Any]]:
    from ..bench_hunt import bench_hunt

    return bench_hunt(options.count, options.seed, options.kind, options.processes)


def bench_(options: Namespace) -> int:
    """Tables of measurements."""
    from .. import bench

    if options.tables[:1] == ["check"]:
        return bench_check(options)
    names = options.tables or list(bench.TABLES)
    unknown = [name for name in names if name not in (*bench.TABLES, "hunt")]
    for name in unknown:
        bench.table(name)  # says which there are, before anything is measured
    found = {}
    for name in names:
        found[name] = _hunt(options) if name == "hunt" else bench.table(name)
        if options.format == "text":
            if name != "hunt":
                print(f"{name}: {bench.caption(name)}\n")
            _console().print(bench.render(found[name]), "")
    if options.format == "json":
        _json(found)
    short = any(bench.fell_short(row) for rows in found.values() for row in rows)
    return SHORT if short else WELL
