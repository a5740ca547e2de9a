"""A limit on the time that one formula may take."""

from __future__ import annotations

import ctypes
import threading
from collections.abc import Iterator
from contextlib import contextmanager

AGAIN = 0.05  # seconds until a call that swallowed the interruption is interrupted again


class Late(BaseException):
    """The time for one formula is over.  No Exception, so that no handler takes it for its own."""


@contextmanager
def limited(seconds: float | None) -> Iterator[None]:
    """Raises Late in this thread when the block takes longer; no limit for None.

    A watching thread asks for it, so it works in every thread and on every system; it arrives
    between two instructions of Python, never inside a call of C.
    """
    if seconds is None:
        yield
        return
    target, done, lock = threading.get_ident(), threading.Event(), threading.Lock()

    def watch() -> None:
        wait = seconds
        while not done.wait(wait):
            with lock:
                if not done.is_set():
                    _interrupt(target, Late)
            wait = AGAIN

    watcher = threading.Thread(target=watch, daemon=True)
    watcher.start()
    try:
        yield
    finally:
        _finish(done, lock)
        watcher.join()


def _finish(done: threading.Event, lock: threading.Lock) -> None:
    """Ends the watch; an interruption that arrives while it ends changes nothing."""
    while not done.is_set():
        try:
            with lock:
                done.set()
                _interrupt(threading.get_ident(), None)  # none is pending from here on
        except Late:
            continue


def _interrupt(thread: int, error: type[BaseException] | None) -> None:
    """Makes the thread raise the error at its next instruction; None takes back what is pending."""
    what = None if error is None else ctypes.py_object(error)
    ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(thread), what)
