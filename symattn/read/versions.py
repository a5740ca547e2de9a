"""Several tensors of one name: which of them a name means at a place.

A name is another tensor where a section defines it with another number of indices, where
`overload` lets the number of indices tell, and from a declaration `new` on.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from .source import ReadError, Source

NUMBER = "_scalar"  # what R is called beside R_ab


@dataclass(frozen=True)
class Version:
    """Another tensor of a name: what it is called, and from where to where it is meant.

    Up to `defined`, the end of the statement that defines it, another number of indices still means
    one of the tensors before.  A rank of −1 is any, that of a tensor of its own part of the text.
    """

    name: str
    rank: int
    begin: int
    end: int
    defined: int


@dataclass
class Versions:
    """The later tensors of the names of a document; the first one has the name itself."""

    source: Source
    ranks: dict[str, int]
    table: dict[str, list[Version]] = field(default_factory=dict)
    overload: set[str] = field(default_factory=set)  # the number of indices tells apart
    near: dict[str, tuple[int, int]] = field(default_factory=dict)  # the last one with indices
    scalars: set[str] = field(default_factory=set)  # R beside R_ab is a number of its own
    strict: bool = True
    written: set[str] = field(default_factory=set)  # names as they stand in the text
    bares: dict[str, str] = field(default_factory=dict)  # x beside the vectors x_k
    totals: dict[str, dict[int, str]] = field(default_factory=dict)  # name → axes → tensor

    def styled(self, name: str, axes: int, slots: int) -> str:
        """Which tensor a name with so many indices is; `axes` are those that bold implies."""
        if not slots and not axes and name in self.bares:
            return self.bares[name]
        called, total = self.totals.get(name, {}), slots + axes
        if slots and total not in called:  # the row x_i of the x_ij
            total = next((n for n in sorted(called) if n >= total), total)
        return called.get(total, name)

    def base(self, name: str) -> str:
        """The name that stands in the text for a tensor: Q for Q_2."""
        found = [k for k, row in self.table.items() for v in row if v.name == name]
        found += [k for k, called in self.bares.items() if called == name]
        found += [k for k, called in self.totals.items() if name in called.values()]
        return found[0] if found else name

    def number(self, name: str) -> str:
        """The R of what is called R_scalar; empty for any other name."""
        stem = name.removesuffix(NUMBER)
        return stem if stem != name and stem in self.scalars else ""

    def resolve(self, name: str, rank: int, at: int, declared: bool = False) -> str:
        """What the tensor is called that a name with so many indices means at a place.

        Raises ReadError for a name without indices that may be one of several.
        """
        if not declared:
            self.written.add(name)
        if not self.table and not self.scalars:
            return name
        stem = name.rstrip("'")
        if stem in self.table and name not in self.table:  # the f' of another f
            head, *label = self.resolve(stem, rank, at, declared).split("_", 1)
            return "_".join([head + name[len(stem) :], *label])
        started = (v for v in self.table.get(name, ()) if v.begin <= at)
        versions = [v for v in started if v.rank >= 0 or at < v.end]
        inside = [v for v in versions if at < v.end]
        if name in self.scalars and not rank:
            return name + NUMBER
        local = [v for v in inside if v.rank < 0]
        if local:
            return local[-1].name
        if name in self.overload:
            return self._overloaded(name, rank, at)
        if inside:
            newest = inside[-1]
            matrix = rank or newest.rank < 3 or self.strict
            if matrix and (at >= newest.defined or rank in (0, newest.rank)):
                return newest.name
            versions.remove(newest)
            if not matrix:
                return name
        if versions and not rank:
            first = [self.ranks[name]] if name in self.ranks else []
            raise self._several(name, [*first, *(v.rank for v in versions)], at)
        return next((v.name for v in reversed(versions) if v.rank == rank), name)

    def _overloaded(self, name: str, rank: int, at: int) -> str:
        """A tensor for each number of indices; the one that is met first keeps the name."""
        versions = self.table[name]
        last = self.near.get(name)
        if rank:
            self.near[name] = (rank, at)
        elif last is not None and not self.strict:  # the one that stands nearest before
            small = [v.rank for v in versions if v.rank < 3]
            rank = small[0] if len(small) == 1 else last[0]
        if not rank and len(versions) > 1:
            raise self._several(name, [v.rank for v in versions], at)
        known = next((v.name for v in versions if v.rank == rank), None)
        if known is None and rank:
            known = self.fresh(name, at) if versions else name
            versions.append(Version(known, rank, 0, 0, 0))
        return known or name

    def _several(self, name: str, ranks: list[int], at: int) -> ReadError:
        counts = " or ".join(counted(r) for r in dict.fromkeys(ranks))
        return self.source.fail(
            at,
            f"{name} stands without indices: the one with {counts}?",
            expected=f"{name} with its indices",
            mend="write the indices, or give the tensors names of their own",
        )

    def fresh(self, name: str, at: int, more: int = 0) -> str:
        """A name for another tensor of that name: Q_2, Q_3."""
        taken = {v.name for v in self.table.get(name, ())} | {*self.totals.get(name, {}).values()}
        number = 2 + len(taken - {name}) + more
        found = f"{name}_{number}"
        while found in taken or (found in self.written and not self.strict):
            number += 1
            found = f"{name}_{number}"
        if found in self.written:
            raise self.source.fail(
                at,
                f"another {name} is called {found}, and {found} stands in the text too",
                mend="give one of the tensors another name",
            )
        return found

    def renew(self, name: str, at: int, others: Iterable[int] = ()) -> None:
        """From here on, up to the next of the other places, the name is another tensor."""
        end = min((other for other in others if other > at), default=0)
        if end:
            self.local(name, at, end)
            return
        version = Version(self.fresh(name, at), 0, at, len(self.source.text) + 1, at)
        self.table.setdefault(name, []).append(version)

    def local(self, name: str, begin: int, end: int, called: str = "") -> str:
        """The name is another tensor from `begin` to `end`, as in a worked example."""
        version = Version(called or self.fresh(name, begin), -1, begin, end, begin)
        self.table.setdefault(name, []).append(version)
        return version.name

    def forget(self, name: str) -> None:
        """Take back the last tensor of that name."""
        self.table[name].pop()
        if not self.table[name]:
            del self.table[name]

    def redefine(self, name: str, rank: int, begin: int, defined: int) -> None:
        """A section gives a name to a tensor with another number of indices.

        It holds to the section's end, and behind it where the number of indices says so.
        """
        end = self.source.section_end(begin)
        version = Version(self.fresh(name, begin), rank, begin, end, defined)
        self.table.setdefault(name, []).append(version)


def counted(rank: int) -> str:
    """3 indices, one index, no index."""
    return "no index" if not rank else "one index" if rank == 1 else f"{rank} indices"
