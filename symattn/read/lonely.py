"""Formulas that alone make a matrix square: X X^T beside X^T, of an X that is n × p elsewhere.

A slip of the author would make X square in the whole text, and (Xᵀ X)⁻¹ Xᵀ its inverse.  Such a
formula is read last, when sizes are known: with another X, or not at all.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Set

from .build import Link
from .sizes import Size, Sizes
from .terms import refs

MOST = 2_000_000  # unions times formulas that are looked at
USES = 2  # formulas with the matrix beside the one that makes it square


def formulas(sizes: Sizes, links: Iterable[Link], inverted: Set[str]) -> dict[int, str]:
    """The places of formulas without which a matrix of others would have two sizes, and which.

    Of matrices in products that are inverted: the size of others is no matter for what is proved.
    """
    unions = [*sizes.unions]
    uses: dict[str, set[int]] = {}
    for link in links:
        for term in (link.lhs, link.rhs):
            for ref in refs(term) if term is not None and link.at in sizes.read else ():
                uses.setdefault(ref.name, set()).add(link.at)
    places = {place for *_, place in unions}
    if len(unions) * len(places) > MOST:
        return {}
    found: dict[int, str] = {}
    for (name, k), first in sizes.slots.items():
        second = sizes.slots.get((name, 1)) if k == 0 and name in inverted else None
        if second is None or first.root() is not second.root() or (name, 2) in sizes.slots:
            continue
        if first.root().value is not None:
            continue
        for place in sorted(uses.get(name, ())):
            others = uses[name] - {place}
            if len(others) < USES or min(others) > place:  # what comes first says what it is
                continue
            if place in places and not _joined(first, second, unions, place):
                found.setdefault(place, name)
    return found


def _joined(
    first: Size, second: Size, unions: Iterable[tuple[Size, Size, int]], without: int
) -> bool:
    """Whether two sizes are one by the other formulas."""
    near: dict[int, list[Size]] = {}
    for a, b, place in unions:
        if place != without:
            near.setdefault(id(a), []).append(b)
            near.setdefault(id(b), []).append(a)
    return id(second) in {id(x) for x in _reached(first, near)}


def _reached(start: Size, near: dict[int, list[Size]]) -> Iterator[Size]:
    seen, todo = {id(start)}, [start]
    while todo:
        size = todo.pop()
        yield size
        more = [x for x in near.get(id(size), ()) if id(x) not in seen]
        seen |= {id(x) for x in more}
        todo += more


__all__ = ["formulas"]
