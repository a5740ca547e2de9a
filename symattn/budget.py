"""One budget of work for every public call, and one border past which only symattn's errors go.

A unit is one expression made, multiplied out, named or keyed by the engine for the first time.  A
call that a public call makes shares the budget of the outer one.
"""

from __future__ import annotations

import gc
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import wraps
from typing import ParamSpec, TypeVar

from .errors import LimitError, SymattnError

WORK = 400_000  # units of one public call, some seconds of work
YOUNG = 50_000  # objects made before cycles are looked for, while a call runs

P = ParamSpec("P")
R = TypeVar("R")


class _Work(threading.local):
    left: int | None = None


_work = _Work()


def spend(units: int = 1) -> None:
    """Take units from the budget of the public call; LimitError when it is used up."""
    left = _work.left
    if left is None:
        return
    _work.left = left - units
    if left < units:
        raise LimitError(
            f"the work of this call passes {WORK} steps",
            mend="name parts of the expression with define()",
        )


@contextmanager
def budget(units: int = WORK) -> Iterator[None]:
    """A budget of its own, no larger than what is left of the outer one."""
    outer = _work.left
    _work.left = units if outer is None else min(units, max(outer, 0))
    given = _work.left
    try:
        yield
    finally:
        spent = given - max(_work.left, 0)
        _work.left = None if outer is None else outer - spent


def granted() -> bool:
    """True within a public call, whose budget is shared."""
    return _work.left is not None


@contextmanager
def few_collections() -> Iterator[None]:
    """Within, cycles are looked for less often: expressions have none, and a fifth of the time goes
    into looking."""
    young, *older = gc.get_threshold()
    if not 0 < young < YOUNG:
        yield
        return
    gc.set_threshold(YOUNG, *older)
    try:
        yield
    finally:
        gc.set_threshold(young, *older)


def bounded(function: Callable[P, R]) -> Callable[P, R]:
    """A public call: with a budget of work, and with no exception that is not symattn's."""

    @wraps(function)
    def call(*args: P.args, **kwargs: P.kwargs) -> R:
        if _work.left is not None:
            return function(*args, **kwargs)
        try:
            with few_collections(), budget():
                return function(*args, **kwargs)
        except RecursionError:
            raise too_deep() from None
        except MemoryError:
            raise LimitError("there is not enough memory for this expression") from None
        except OverflowError as error:
            raise LimitError(f"a number is too large: {error}") from None

    return call


def too_deep() -> SymattnError:
    """The error for expressions and systems that are nested too deeply."""
    return LimitError(
        "the expression is nested too deeply",
        mend="name parts of the expression with define()",
    )


__all__ = ["WORK", "bounded", "budget", "few_collections", "granted", "spend", "too_deep"]
