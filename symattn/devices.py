"""Several devices of one host, in a process of their own: JAX counts devices once, at its start."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator, Sequence

from . import quick


def host_devices(
    module: str, arguments: Sequence[str], count: int, *, brief: bool = False
) -> Iterator[str]:
    """The lines that a module prints, run as a program where JAX has so many devices; a `brief`
    one compiles much and runs little.

    Raises CalledProcessError where it fails; what it says of that is on standard error.
    """
    flag = f"--xla_force_host_platform_device_count={count}"
    flags = " ".join((os.environ.get("XLA_FLAGS", ""), flag)).strip()
    command = [sys.executable, "-m", module, *arguments]
    own = {**os.environ, "XLA_FLAGS": flags, "JAX_PLATFORMS": "cpu"}
    if brief:
        own = quick.environment(own)
    with subprocess.Popen(command, env=own, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        yield from process.stdout
    if process.returncode:
        raise subprocess.CalledProcessError(process.returncode, command)
