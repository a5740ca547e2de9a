"""Chains of definitions as long as they come: planning with room for deep recursion.

A plan is made from its results down, one definition inside the other, so that a network of a
hundred layers goes thousands of calls deep.  What does not fit into the interpreter's usual bound
is done again in a thread with a larger stack.
"""

from __future__ import annotations

import gc
import sys
import threading
from collections.abc import Callable
from contextlib import suppress
from typing import Any, TypeVar

from ..errors import LimitError

CALLS = 100_000  # inside each other
STACK = 1 << 29  # bytes of the thread; what is not used is never touched
CHAIN = 24  # definitions that certainly fit into the usual bound, one inside the other

T = TypeVar("T")


def deeply(what: str, function: Callable[[], T], definitions: int = 0) -> T:
    """The value of a function that may need many calls inside each other, for so many definitions.

    Raises LimitError where even CALLS of them are not enough.
    """
    collected = gc.isenabled()
    gc.disable()  # a plan is small, and all that exists would be gone through again and again
    try:
        if definitions <= CHAIN:
            with suppress(RecursionError):
                return function()
        return _in_thread(what, function)
    finally:
        if collected:
            gc.enable()


def _in_thread(what: str, function: Callable[[], T]) -> T:
    outcome: list[Any] = []

    def work() -> None:
        try:
            outcome.extend((function(), None))
        except RecursionError:
            outcome.extend((None, _too_deep(what)))
        except BaseException as error:  # raised again where it was asked for
            outcome.extend((None, error))

    size, limit = threading.stack_size(STACK), sys.getrecursionlimit()
    try:
        sys.setrecursionlimit(max(limit, CALLS))
        thread = threading.Thread(target=work, name="symattn")
        thread.start()
        thread.join()
    finally:
        sys.setrecursionlimit(limit)
        threading.stack_size(size)
    value, error = outcome
    if error is not None:
        raise error
    result: T = value
    return result


def _too_deep(what: str) -> LimitError:
    return LimitError(
        f"{what} goes through more definitions, one inside the other, than can be planned",
        expected=f"at most {CALLS} calls inside each other",
        mend="compile it in parts: give the result of one part to the next as an array",
    )


__all__ = ["deeply"]
