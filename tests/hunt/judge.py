"""What is so and what symattn says: statements judged by numbers, verdicts asked for in time."""

from __future__ import annotations

import random
import signal
import threading
import traceback
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from time import process_time
from typing import Any

from symattn.errors import SymattnError

from .formulas import RESULT, Statement
from .grow import POINTS
from .values import NoValue, Numbers, draws

SLOW = 5.0  # seconds of the processor past which a call is reported
LIMIT = 30  # those after which it is given up
SAME, APART = 1e-7, 1e-4  # relative gaps: equal below the first, different above the second


TRIED = [(sizes, False) for sizes in POINTS] + [(POINTS[0], True), (POINTS[1], True)]


class TooLong(BaseException):
    """A call was given up; no handler of ordinary exceptions stops it."""


@contextmanager
def patience(seconds: int = LIMIT) -> Iterator[None]:
    """Raises TooLong where the block takes longer (in the main thread)."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return

    def ring(*_: Any) -> None:
        raise TooLong

    before = signal.signal(signal.SIGPROF, ring)
    signal.setitimer(signal.ITIMER_PROF, seconds, 1.0)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)


@dataclass(frozen=True)
class Answer:
    """What a call gave: its value, or the error, or that it was given up."""

    value: Any = None
    error: str = ""  # of symattn's own kind
    crash: str = ""  # any other exception
    late: bool = False
    seconds: float = 0.0


def asked(call: Callable[[], Any], limit: int = LIMIT) -> Answer:
    start = process_time()
    try:
        with patience(limit):
            value = call()
    except SymattnError as error:
        return Answer(error=f"{type(error).__name__}: {error}", seconds=process_time() - start)
    except TooLong:
        return Answer(late=True, seconds=process_time() - start)
    except NoValue:
        raise
    except Exception as error:
        place = traceback.extract_tb(error.__traceback__)[-1]
        where = f"{place.filename.rsplit('/', 1)[-1]}:{place.name}"
        shown = f"{type(error).__name__} in {where}: {error}"
        return Answer(crash=shown[:300], seconds=process_time() - start)
    return Answer(value, seconds=process_time() - start)


def gap(left: dict, right: dict) -> float:
    """The largest difference of two tables relative to their values."""
    worst = 0.0
    for e, a in left.items():
        b = right[e]
        worst = max(worst, float(abs(a - b) / (1 + abs(a) + abs(b))))
    return worst


def truth(s: Statement, seed: int, least: int = 4) -> bool | None:
    """Whether the statement holds at every point that was tried; None where that is not clear.

    Nor is it clear where both sides are zero everywhere: that says nothing of what they are of.
    """
    seen, largest = 0, 0.0
    for k, (sizes, coarse) in enumerate(TRIED):
        rng = random.Random(f"{seed} {k}")
        try:
            numbers = Numbers(s.case, sizes, draws(s.case, sizes, rng, coarse))
            if s.case.loss:
                from .losses import slopes

                numbers.slopes = slopes(s, numbers, rng)
            if s.case.result[0]:
                from .slopes import jacobian

                inputs = {n: numbers.table(n) for n in s.case.inputs}
                numbers.tables[RESULT] = jacobian(s.case, sizes, inputs, *s.case.result)
            left, right = numbers.grid(s.left, s.letters), numbers.grid(s.right, s.letters)
        except NoValue:
            continue
        found = gap(left, right)
        if found > APART:
            return False
        if found > SAME:
            return None
        seen += not coarse
        largest = max(largest, *(abs(x) for x in left.values()))
    return True if seen >= least and largest > SAME else None
