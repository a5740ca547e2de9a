"""What was found out about one statement."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from ..prove import Verdict
from ..syntax import System


@dataclass(frozen=True)
class Finding:
    """A verdict with its reasons; Row without the place in a file."""

    verdict: str
    reason: str = ""
    counterexample: Mapping[str, Any] | None = None
    correction: str = ""
    assumed: tuple[str, ...] = ()
    used: tuple[str, ...] = ()
    kind: str = ""
    proof: Verdict | None = field(default=None, compare=False)
    system: System | None = field(default=None, compare=False)


__all__ = ["Finding"]
