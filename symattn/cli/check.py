"""`symattn check`: documents in, verdicts out."""

from __future__ import annotations

import gc
import json
import sys
import threading
from argparse import Namespace
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from ..checker import Report, formats
from ..checker.documents import SUFFIXES, check_text, decoded, source
from ..checker.explain import explained
from ..checker.report import CONDITIONAL, UNPROVED, merged
from ..checker.terminal import lines
from ..checker.workers import available
from ..errors import UnsupportedError
from . import SHORT, WELL

DOCUMENTS = SUFFIXES - {".py", ".txt"}  # what is taken of a folder
RARELY = 50_000  # objects until garbage is looked for: little of what is made here is in cycles
PATIENCE = 1.0  # seconds until a progress bar is shown


def check_(options: Namespace) -> int:
    """The verdict on every formula of the files; 1 when one is refuted or malformed."""
    timeout = options.timeout or None
    gc.set_threshold(max(RARELY, gc.get_threshold()[0]), 50, 50)
    documents = [source for name in options.files for source in _sources(name)]
    if options.explain is not None:
        return _explain(options, documents, timeout)
    jobs = options.jobs or available()
    with _progress() as step:
        found = merged(
            check_text(
                text, name, timeout=timeout, seed=options.seed, progress=step(name), jobs=jobs
            )
            for name, text in documents
        )
    if options.format == "text":
        _print(found, options.verbose)
    else:
        print(formats.FORMATS[options.format](found))
    doubtful = found.differing or found.of(CONDITIONAL, UNPROVED)
    return SHORT if not found.ok or (options.strict and doubtful) else WELL


def _sources(name: str) -> Iterator[tuple[str, str]]:
    """Names and texts: of a file, of every document below a folder, of the input for -."""
    if name == "-":
        yield decoded("<stdin>", sys.stdin.buffer.read())
        return
    path = Path(name)
    if not path.is_dir():
        yield source(path)
        return
    found = sorted(f for f in path.rglob("*") if f.suffix.lower() in DOCUMENTS and f.is_file())
    if not found:
        raise UnsupportedError(
            f"there is no document in {name}",
            expected=", ".join(sorted(DOCUMENTS)),
            mend="name a file, or a folder that holds one",
        )
    for file in found:
        yield source(file)


def _explain(options: Namespace, documents: list[tuple[str, str]], timeout: float | None) -> int:
    ok = True
    for name, text in documents:
        for line, good in explained(text, name, options.explain, timeout, options.seed):
            print(line)
            ok = ok and good
    return WELL if ok else SHORT


def _print(found: Report, verbose: bool) -> None:
    from rich.console import Console

    # A caret stands under what it means, so lines are never wrapped.
    console = Console(highlight=False, soft_wrap=True)
    for line in lines(found, verbose):
        console.print(line)
    files = len({row.file for row in found.rows})
    if files > 1:
        print(f"in {files} documents; random draws with seed {found.seed}")


def bench_check(options: Namespace) -> int:
    """Slips injected into the equations of the files that are proved; 1 for a false alarm."""
    from .. import bench
    from ..checker.bench import bench as inject

    files = options.tables[1:]
    if not files:
        raise UnsupportedError(
            "there is no document to inject slips into", mend="write symattn bench check FILE…"
        )
    with _progress() as step:
        outcome = inject(
            files,
            count=options.count,
            seed=options.seed,
            progress=lambda name, done, total: step(name)(done, total),
        )
    rows = outcome.rows()
    if options.format == "json":
        print(json.dumps(rows, indent=2))
    else:
        from rich.console import Console

        Console(highlight=False).print(bench.render(rows), "")
        if outcome.formulas:
            per = 300 / outcome.formulas
            print(f"{outcome.formulas} formulas as they stand; of the processor 300 take "
                  f"{per * outcome.reading:.1f} s to read and {per * outcome.deciding:.1f} s "
                  "to decide and correct")  # fmt: skip
        for s in (x for x in outcome.slips if x.missed):
            print(f"{s.file}:{s.line}: {s.kind}, {s.verdict} ({s.reason}): {s.wrong}")
        for s in (x for x in outcome.slips if x.undetermined):
            print(f"{s.file}:{s.line}: {s.kind}, undetermined (nothing before it speaks of what it "
                  f"defines): {s.wrong}")  # fmt: skip
        for alarm in outcome.alarms:
            print(f"false alarm: {alarm}")
    return SHORT if outcome.alarms or any(r["proved"] for r in rows) else WELL


Step = Callable[[str], Callable[[int, int], None]]


@contextmanager
def _progress() -> Iterator[Step]:
    """A progress bar where somebody looks and it takes longer than a second, reading included."""
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn

    console = Console(stderr=True)
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn())
    bar = Progress(*columns, console=console, transient=True)
    task = bar.add_task("", total=None)
    shown = threading.Timer(PATIENCE, bar.start)
    shown.daemon = True

    def step(name: str) -> Callable[[int, int], None]:
        def done(number: int, total: int) -> None:
            bar.update(task, description=name, completed=number, total=total or None)

        bar.update(task, description=f"reading {name}".rstrip(), completed=0, total=None)
        return done

    if console.is_terminal:
        shown.start()
    try:
        yield step
    finally:
        if console.is_terminal:
            shown.cancel()
            shown.join()
        if bar.live.is_started:
            bar.stop()


def bench_clothes(options: Namespace) -> int:
    """The files in other clothes, and the verdicts that differ; 1 where a proof and an error do."""
    from .. import bench
    from ..checker.clothes import bench as dress

    files = options.tables[1:]
    if not files:
        raise UnsupportedError(
            "there is no document to write in another way",
            mend="write symattn bench clothes FILE…",
        )
    with _progress() as step:
        rows, found = dress(
            files, seed=options.seed, progress=lambda name, done, total: step(name)(done, total)
        )
    if options.format == "json":
        print(json.dumps({"rows": rows, "changes": [vars(x) for x in found]}, indent=2))
    else:
        from rich.console import Console

        Console(highlight=False).print(bench.render(rows), "")
        for x in found:
            print(f"{x.file}:{x.line}: {x.clothes}, {x.before} → {x.after}: {x.latex}")
    return SHORT if any(x.against for x in found) else WELL
