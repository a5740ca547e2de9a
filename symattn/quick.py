"""Processes that compile much and run each function once or twice: what makes compiling cheap."""

from __future__ import annotations

import gc
import os
from collections.abc import Mapping

OPTIONS: dict[str, bool | int] = {
    "xla_cpu_use_fusion_emitters": False,
    "xla_cpu_parallel_codegen_split_count": 1,
}


def flags() -> str:
    """The flags of XLA with which compiling takes a fraction of its time, where it has them.

    XLA ends a process that is given a flag it does not know, so each is tried as an option first.
    """
    import jax

    found = []
    for option, value in OPTIONS.items():
        try:
            jax.jit(lambda x: x, compiler_options={option: value})(0.0)
            found.append(f"--{option}={value}".lower())
        except (RuntimeError, TypeError):
            continue
    return " ".join(found)


def environment(given: Mapping[str, str], found: str | None = None) -> dict[str, str]:
    """The variables of a process that computes so, with those flags or the ones that XLA has."""
    found = flags() if found is None else found
    return {
        **given,
        "JAX_DISABLE_MOST_OPTIMIZATIONS": "1",
        "XLA_FLAGS": f"{found} {given.get('XLA_FLAGS', '')}".strip(),
    }


def settle(found: str = "") -> None:
    """For this process before JAX computes in it, and for those that it starts."""
    os.environ.update(environment(os.environ, found))
    gc.set_threshold(1_000_000, 50, 50)  # little of what is made here is in cycles
