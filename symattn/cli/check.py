"""`symattn check`: documents in, verdicts out."""

from __future__ import annotations

import sys
import time
from argparse import Namespace
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from ..checker import Report, formats
from ..checker.documents import check, source
from ..checker.explain import explained
from ..checker.report import merged
from ..checker.terminal import lines
from . import SHORT, WELL

PATIENCE = 1.0  # seconds until a progress bar is shown


def check_(options: Namespace) -> int:
    """The verdict on every formula of the files; 1 when one is refuted or malformed."""
    timeout = options.timeout or None
    if options.explain is not None:
        return _explain(options, timeout)
    reports = []
    with _progress() as step:
        for name in options.files:
            reports.append(check(name, timeout=timeout, seed=options.seed, progress=step(name)))
    found = merged(reports)
    if options.format == "text":
        _print(found, options.verbose)
    else:
        print(formats.FORMATS[options.format](found))
    return WELL if found.ok else SHORT


def _explain(options: Namespace, timeout: float | None) -> int:
    ok = True
    for file in options.files:
        name, text = source(file)
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


Step = Callable[[str], Callable[[int, int], None]]


@contextmanager
def _progress() -> Iterator[Step]:
    """A progress bar where somebody looks and it takes longer than a second."""
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn

    console = Console(stderr=True)
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn())
    bar = Progress(*columns, console=console, transient=True)
    begun, shown = time.monotonic(), False
    task = bar.add_task("", total=None)

    def step(name: str) -> Callable[[int, int], None]:
        def done(number: int, total: int) -> None:
            nonlocal shown
            if not console.is_terminal:
                return
            if not shown and time.monotonic() - begun > PATIENCE:
                shown = True
                bar.start()
            bar.update(task, description=name, completed=number, total=total)

        return done

    try:
        yield step
    finally:
        bar.stop()
        sys.stderr.flush()
