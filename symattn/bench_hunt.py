"""The long run of the hunter in tests/hunt: random questions with known answers, by kind."""

from __future__ import annotations

import multiprocessing
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any, TypeAlias

from .checkout import from_tests
from .errors import UnsupportedError

Row: TypeAlias = dict[str, Any]
Job: TypeAlias = tuple[str, int, int]  # kind, first seed, number of seeds
CHUNK = 50


def hunter() -> Any:
    """The module `runner` of the hunter."""
    return from_tests("hunt", "runner")


def bench_hunt(
    count: int = 300, seed: int = 0, kinds: Sequence[str] = (), processes: int = 1
) -> list[Row]:
    """Random questions with known answers: a row a kind, wrong answers must be none."""
    known = hunter().available()
    for kind in kinds:
        if kind not in known:
            raise UnsupportedError(f"there is no kind {kind!r}", expected=", ".join(known))
    rows = []
    for kind in kinds or known:
        jobs = [
            (kind, first, min(CHUNK, seed + count - first))
            for first in range(seed, seed + count, CHUNK)
        ]
        outcomes = [o for found in _ran(jobs, processes) for o in _shown(found)]
        rows.append(_row(kind, outcomes))
    return rows


def _ran(jobs: Sequence[Job], processes: int) -> Iterator[list[Any]]:
    if processes <= 1:
        yield from map(_asked, jobs)
        return
    context = multiprocessing.get_context("spawn")
    with context.Pool(processes, maxtasksperchild=4) as pool:  # what is interned goes with it
        yield from pool.imap(_asked, jobs)


def _asked(job: Job) -> list[dict[str, Any]]:
    kind, first, number = job
    runner = hunter()
    outcomes = [runner.ask(kind, seed) for seed in range(first, first + number)]
    return [
        {"said": o.said, "seconds": o.seconds, "good": o.good, "wrong": o.wrong,
         "broken": o.broken, "slow": o.slow, "text": str(o) if o.snippet else ""}
        for o in outcomes if o is not None
    ]  # fmt: skip


def _shown(found: list[dict[str, Any]]) -> list[dict[str, Any]]:
    for o in found:
        if o["text"]:
            print(o["text"], file=sys.stderr, flush=True)
    return found


def _row(kind: str, outcomes: Sequence[dict[str, Any]]) -> Row:
    said = Counter(o["said"] for o in outcomes)
    asked = len(outcomes)
    wrong = sum(o["wrong"] for o in outcomes)
    return {
        "kind": kind,
        "asked": asked,
        "wrong": wrong,
        "crash or no end": sum(o["broken"] for o in outcomes),
        "over 5 s": sum(o["slow"] for o in outcomes),
        "worst s": max((o["seconds"] for o in outcomes), default=0.0),
        "proved or right %": 100 * sum(o["good"] for o in outcomes) / max(asked, 1),
        "said": ", ".join(f"{text} {n}" for text, n in said.most_common()),
        "ratio": wrong,
        "bound": 0,
    }
