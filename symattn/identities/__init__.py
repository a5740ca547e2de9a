"""The identities that the prover is held to, each with wrong siblings that it must refute.

One line a statement, in a room for each field: `add(name, left, right, wrong, …)`.  Sizes are
symbolic throughout; `given` names the system of definitions and facts that a statement is about.
"""

from __future__ import annotations

from functools import cache

from .identity import Identity


@cache
def identities() -> tuple[Identity, ...]:
    """All identities, in the order of the table that `symattn bench prove` prints."""
    from . import algebra, attention, ensembles, largest, layers, masks, powers

    rooms = (attention, ensembles, powers, masks, algebra, layers, largest)
    return tuple(identity for room in rooms for identity in room.IDENTITIES)


__all__ = ["Identity", "identities"]
