"""A limit on the time that one formula may take."""

from __future__ import annotations

import ctypes
import sys
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from typing import Any, TypeVar

PATIENCE = 20  # times the limit that may pass where others have the processor
SLICE = 0.02  # seconds between two looks at the clock
AGAIN = 0.25  # seconds until what swallowed an interruption is interrupted again

Answer = TypeVar("Answer")


class Late(BaseException):
    """The time for one formula is over.  No Exception, so that no handler takes it for its own."""


def within(seconds: float | None, work: Callable[[], Answer]) -> Answer:
    """What `work` returns; raises Late in this thread when it takes longer.  None: no limit.

    Seconds of the processor count, so that a verdict does not hang on what else a machine does.
    A watching thread asks for it, so it works in every thread and on every system; it arrives
    between two instructions of Python, never inside a call of C.
    """
    if seconds is None:
        return work()
    watch = _Watch(threading.get_ident(), seconds)
    shown, sys.unraisablehook = sys.unraisablehook, _quietly(sys.unraisablehook)
    try:
        try:
            watch.start()
            return work()
        finally:
            watch.stop()
    finally:
        watch.stop()  # the first may have been interrupted itself
        sys.unraisablehook = shown


def _quietly(hook: Callable[[Any], object]) -> Callable[[Any], object]:
    """Without a word on an interruption that met a destructor, which is asked again anyway."""

    def show(about: Any) -> None:
        if about.exc_type is not Late:
            hook(about)

    return show


class _Watch(threading.Thread):
    """Interrupts a thread when its time is over, until it is stopped."""

    def __init__(self, target: int, seconds: float) -> None:
        super().__init__(daemon=True)
        self.watched, self.seconds, self.begun = target, seconds, time.monotonic()
        self.done, self.lock, self.sent = threading.Event(), threading.Lock(), False

    def run(self) -> None:
        begun, wait = time.process_time(), self.seconds
        while not self.done.wait(wait):
            left = self.seconds - (time.process_time() - begun)
            waited = time.monotonic() - self.begun
            if left > 0 and waited < PATIENCE * self.seconds:
                wait = max(left, SLICE)
                continue
            with self.lock:
                if not self.done.is_set():
                    self.sent = True
                    _interrupt(self.watched, Late)
            wait = AGAIN

    def stop(self) -> None:
        """End the watch; nothing is pending from here on.

        An interruption is never taken back, only met: a thread that is traced (a profiler,
        coverage) never goes on behind one that was taken back (CPython 3.11).
        """
        with self.lock:
            self.done.set()
        if self.sent:
            with suppress(Late):
                _interrupt(self.watched, Late)  # in place of one that is pending
                while True:
                    pass


def _interrupt(thread: int, error: type[BaseException]) -> None:
    """Makes the thread raise the error at its next instruction."""
    ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(thread), ctypes.py_object(error))
