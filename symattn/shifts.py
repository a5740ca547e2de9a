"""Single precision far from 0: compiled formulas against the textbook evaluation of definitions.

A formula that is right in exact numbers may lose its digits where an array has an offset or is
large: Σ x² − (Σ x)²/n does, Σ (x − m)² does not.  So inputs are moved and scaled, and the error in
float32 is compared with that of JAX on the definitions as they are written, in float32 too.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

SHIFTS = ((1.0, 1e2), (1.0, 3e3), (1.0, 1e4), (100.0, 0.0), (0.01, 1.0))  # factor, offset
TIMES = 12  # the textbook's error; of few random entries one error may be 4 times another
ENOUGH = 2e-5  # a relative error that is none
HOPELESS = 1e-2  # an error of the textbook from which on nothing is compared

Arrays = Mapping[str, Any]
Function = Callable[[Arrays], Mapping[str, Any]]  # arrays of one dtype → results by name


@dataclass(frozen=True)
class Loss:
    """Digits that a result loses and the textbook keeps."""

    where: str
    error: float
    textbook: float

    def __str__(self) -> str:
        return f"WRONG at {self.where}, where the textbook is off by {self.textbook:.0e}"


def losses(
    ours: Function, textbook: Function, arrays: Arrays, moved: Iterator[str]
) -> dict[str, Loss]:
    """The worst loss of digits of every result, for those that have one."""
    import jax
    import numpy as np

    found: dict[str, Loss] = {}
    for name in moved:
        for factor, offset in SHIFTS:
            given = {n: np.asarray(x, "float32") for n, x in arrays.items()}
            given[name] = np.asarray(factor * np.asarray(arrays[name]) + offset, "float32")
            where = f"{factor:g} {name} + {offset:g}"
            with jax.enable_x64(True), np.errstate(all="ignore"):
                exact = textbook({n: np.asarray(x, "float64") for n, x in given.items()})
            with jax.enable_x64(False):
                got, plain = ours(given), textbook(given)
            for result, value in exact.items():
                error, known = _off(got[result], value), _off(plain[result], value)
                if not known <= HOPELESS or error <= max(TIMES * known, ENOUGH):
                    continue
                if result not in found or not error <= found[result].error:
                    found[result] = Loss(where, error, known)
    return found


def _off(got: Any, exact: Any) -> float:
    """The largest error over the largest value."""
    import numpy as np

    got, exact = np.asarray(got, np.float64), np.asarray(exact, np.float64)
    with np.errstate(all="ignore"):  # values that are not finite have no error
        scale = np.max(np.abs(exact), initial=0.0)
        return float(np.max(np.abs(got - exact), initial=0.0) / scale) if scale else 0.0


__all__ = ["Loss", "losses"]
