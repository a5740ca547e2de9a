"""Functions that a text applies before it says what they are: g(u) = u s(u), with s(u) = …

Read in the order of the text s would be any function in g, and this one behind its definition.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from .applications import calls, defined
from .arguments import called
from .names import unmarked
from .source import Source
from .split import Statement


def in_order(found: Sequence[Statement], source: Source) -> list[Statement]:
    """Statements in the order in which they are read, what alone defines a function first.

    So before those of its section that apply it, and before all where a definition does: f may
    be any function in what a section before claims of it.
    """
    heads = {s: call for s in found if (call := defined(s.tree)) is not None}
    names = {s: called(call.name) for s, call in heads.items()}
    several = Counter(names.values())
    own = {name: s for s, name in names.items() if name and several[name] == 1 and not s.fact}
    applied = {s: {*_applied(s)} & own.keys() for s in found}
    made_of = set[str]().union(*(applied[s] for s in heads))
    done: dict[Statement, None] = {}
    open_: set[Statement] = set()

    def read(s: Statement) -> None:
        if s in done or s in open_:
            return
        open_.add(s)
        for name in sorted(applied[s]):
            first = own[name]
            near = source.section(first.tree.at) == source.section(s.tree.at)
            if first is not s and (near or name in made_of):
                read(first)
        open_.discard(s)
        done[s] = None

    for s in found:
        read(s)
    return [*done]


def _applied(s: Statement) -> Iterator[str]:
    """The functions that a statement applies, or derives."""
    for _, _, call in calls(s.tree):
        yield unmarked(called(call.name) or "")[0]


__all__ = ["in_order"]
