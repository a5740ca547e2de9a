"""A statement with wrong siblings, and the list of a room."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from ..syntax import System


@dataclass(frozen=True)
class Identity:
    """left = right holds for all sizes; none of `wrong` may stand in place of `right`."""

    name: str
    left: Any
    right: Any
    wrong: tuple[Any, ...]
    given: System | None


class Identities(list[Identity]):
    """The identities of one room, in order."""

    def add(
        self, name: str, left: Any, right: Any, *wrong: Any, given: System | None = None
    ) -> None:
        """One more: left = right, and what may not stand in place of the right-hand side."""
        self.append(Identity(name, left, right, wrong, given))


__all__ = ["Identities", "Identity"]
