"""Equations that took a name for a number before another equation gave it axes."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from .build import Link
from .terms import Derivative, Determinant, Ref, Term, parts


def outgrown(link: Link, ranks: Mapping[str, int]) -> str | None:
    """A name that stands without slots in a link, and that has axes."""
    sides = (t for t in (link.lhs, link.rhs) if hasattr(t, "__dataclass_fields__"))
    bare = (r.name for t in sides for r in _numbers(t))
    return next((name for name in bare if ranks.get(name)), None)


def _numbers(term: Term) -> Iterator[Ref]:
    """What stands in a term without slots; of det A no number is taken."""
    if isinstance(term, Ref) and not term.slots:
        yield term
    if isinstance(term, Derivative):
        yield from (*_numbers(term.top), *_numbers(term.bottom))
    for part in () if isinstance(term, Determinant) else parts(term):
        yield from _numbers(part)


__all__ = ["outgrown"]
