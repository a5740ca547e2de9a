"""Formulas judged side by side: each process has a copy of one judge, made where it stands.

A verdict hangs on no other one that was asked for before it, so it does not matter who asks.
"""

from __future__ import annotations

import multiprocessing
import os
import sys
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor, as_completed
from concurrent.futures.process import BrokenProcessPool
from typing import Any, TypeVar

FEWEST = 24  # formulas for which processes are started
SHARE = 8  # formulas for each of them at least
MOST = 8  # of them, unless more are asked for: each has 60 to 80 MB of its own

Answer = TypeVar("Answer")
_work: Callable[[int], Any] | None = None  # what a process that is copied from this goes on with


def side_by_side(
    work: Callable[[int], Answer], count: int, jobs: int | None = None
) -> Iterator[tuple[int, Answer]]:
    """k and work(k) for every k below `count`, as they are done, in at most `jobs` processes.

    None for as many as `available` says, in a process of one thread.  What a process that
    ends early has not done is done here.
    """
    if jobs is None:
        jobs = available() if threading.active_count() == 1 else 1
    jobs = min(jobs, count // SHARE) if count >= FEWEST and _copied() else 1
    left = set(range(count))
    if jobs > 1:
        for k, found in _shared(work, count, jobs):
            left.discard(k)
            yield k, found
    yield from ((k, work(k)) for k in sorted(left))


def available() -> int:
    """The processors that there are for this process, up to MOST; one where it is a copy itself."""
    if not _copied() or multiprocessing.parent_process() is not None:
        return 1
    return min(len(os.sched_getaffinity(0)), MOST)


def _copied() -> bool:
    """True where a copy of this process goes on as it would: XLA has threads of its own."""
    return sys.platform.startswith("linux") and "jaxlib" not in sys.modules


def _shared(work: Callable[[int], Answer], count: int, jobs: int) -> Iterator[tuple[int, Answer]]:
    global _work
    context = multiprocessing.get_context("fork")
    before, _work = _work, work
    try:
        with ProcessPoolExecutor(jobs, mp_context=context) as pool:
            tasks = {pool.submit(_one, k): k for k in range(count)}
            try:
                for task in as_completed(tasks):
                    yield tasks[task], task.result()
            except BrokenProcessPool:
                return
            finally:
                pool.shutdown(wait=False, cancel_futures=True)
    finally:
        _work = before


def _one(k: int) -> Any:
    assert _work is not None
    return _work(k)


__all__ = ["available", "side_by_side"]
