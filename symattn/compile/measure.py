"""Programs timed in turns in one run: ratios of medians, and XLA's memory analysis."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from inspect import signature
from statistics import median
from typing import Any

Program = Callable[..., Any]

SAMPLE = 1e-2  # seconds that a sample of a short function takes at least
ENOUGH = 4.0  # seconds after which a row has rounds enough; what else the machine does is in spells
UNFUSED: dict[str, str | bool] = {"xla_cpu_experimental_ynn_fusion_type": ""}


def normal(**shapes: tuple[int, ...]) -> dict[str, Any]:
    """Arrays of normal random numbers, the same in every run."""
    import numpy as np

    rng = np.random.default_rng(0)
    return {name: rng.normal(size=shape) for name, shape in shapes.items()}


def row(
    case: str,
    ours: Program,
    others: Sequence[tuple[str, Program, float | None]],
    arrays: Mapping[str, Any],
    *,
    rounds: int,
    dtype: str = "float32",
    enough: float = ENOUGH,
    unfused: bool = True,
) -> list[dict[str, Any]]:
    """A row for each of `others` (name, function, what the ratio is meant to be at most).

    Each function is called with those of the arrays that it takes.

    `ms` are medians over at least `rounds` rounds in which all functions take turns, and rounds
    until `enough` seconds are over.  `MiB` is
    temporary memory as XLA reports it; on a CPU it leaves out what a library call uses inside,
    and `unfused MiB` is what the same program needs without those calls.
    """
    import jax

    with doubles(dtype == "float64"):
        given = {name: jax.numpy.asarray(x, dtype) for name, x in arrays.items()}
        functions = [ours, *(f for _, f, _ in others)]
        programs = [(jax.jit(f), {n: given[n] for n in takes(f) if n in given}) for f in functions]
        lowered = [p.lower(**own) for p, own in programs]
        repeats = [max(1, int(SAMPLE / seconds(*program, 2))) for program in programs]
        times: list[list[float]] = [[] for _ in programs]
        start = time.perf_counter()
        while len(times[0]) < rounds or time.perf_counter() - start < enough:
            for program, count, found in zip(programs, repeats, times, strict=True):
                found.append(seconds(*program, count))
        memory = [temporary(low.compile()) for low in lowered]
        alone = (
            [temporary(low.compile(compiler_options=UNFUSED)) for low in lowered]
            if unfused and jax.default_backend() == "cpu"
            else memory
        )
    ms = [1e3 * median(found) for found in times]
    rows = []
    for k, (name, _, bound) in enumerate(others, 1):
        made = {
            "case": case,
            "against": name,
            "ms": ms[0],
            "against ms": ms[k],
            "ratio": ms[0] / ms[k],
            "MiB": memory[0],
            "against MiB": memory[k],
        }
        if unfused:
            made |= {"unfused MiB": alone[0], "against unfused MiB": alone[k]}
        rows.append(made if bound is None else made | {"bound": bound})
    return rows


@contextmanager
def doubles(wanted: bool) -> Iterator[None]:
    """float64 is on or off for the whole process, as in a program that uses it.

    The context manager of JAX would add a third to the time of a call that does nothing.
    """
    import jax

    config: Any = jax.config
    before = config.jax_enable_x64
    config.update("jax_enable_x64", wanted)
    try:
        yield
    finally:
        config.update("jax_enable_x64", before)


def each(function: Program) -> Program:
    """The function for every entry of a first axis, one after another in one program."""
    import jax

    def program(**arrays: Any) -> Any:
        return jax.lax.map(lambda own: function(**own), arrays)

    program.inputs = tuple(takes(function))  # type: ignore[attr-defined]
    return program


def takes(function: Program) -> Iterable[str]:
    """The names of the arrays that a function is called with."""
    return function.inputs if hasattr(function, "inputs") else signature(function).parameters


def temporary(program: Any) -> float:
    """The temporary memory of a compiled program in MiB."""
    size: int = program.memory_analysis().temp_size_in_bytes
    return size / 2**20


def seconds(program: Program, arrays: Mapping[str, Any], repeats: int) -> float:
    """The time of one call, the mean of `repeats`; several calls are made twice, the first untimed.

    A program that took its turn before has emptied the caches, which a short one would pay for.
    """
    from jax import block_until_ready

    wait: Callable[[Any], Any] = block_until_ready
    for _ in range(repeats if repeats > 1 else 0):
        wait(program(**arrays))
    start = time.perf_counter()
    for _ in range(repeats):
        result = program(**arrays)
    wait(result)
    return (time.perf_counter() - start) / repeats
