"""How much is read in search of a correction: signs of LaTeX, so that nothing hangs on a clock.

What is found is found early: of the slips of docs/audit.md within 1 300 signs, and in equations of
three hundred signs within 45 000.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager

WRONG = 48_000  # signs that are read for what is refuted or malformed
OTHER = 8_000  # for what may be right, and for what was not read
IDENTITY = 2_000  # for what is a condition on its names unless a slip separates it from an identity
LACKING = 3_000  # for the factor or the term of an identity that it may lack


class _Effort(threading.local):
    left: int | None = None


_effort = _Effort()


@contextmanager
def effort(signs: int) -> Iterator[None]:
    """Within, so many signs are read of candidates, and no more than the outer one has left."""
    outer = _effort.left
    _effort.left = granted = signs if outer is None else min(signs, outer)
    try:
        yield
    finally:
        _effort.left = None if outer is None else outer - (granted - max(_effort.left, 0))


def affords(signs: int) -> bool:
    """True where so many signs may be read; what was read before counts as well."""
    if _effort.left is None:
        return True
    _effort.left -= signs
    return _effort.left >= 0


__all__ = ["IDENTITY", "LACKING", "OTHER", "WRONG", "affords", "effort"]
