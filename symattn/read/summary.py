"""What a reader took each name for: its kind, its shape, and the evidence for it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ..syntax import Definition
    from .names import Names
    from .sizes import Sizes


@dataclass(frozen=True)
class Meaning:
    """A name as it was understood.

    `kind` is number, vector, matrix, tensor, function or size; `shape` its sizes as they are
    printed; `evidence` says why, and where.
    """

    name: str
    kind: str
    shape: tuple[str, ...]
    evidence: str


KINDS = ("number", "vector", "matrix")


def meanings(
    names: Names, sizes: Sizes, definitions: Mapping[str, Definition], guessed: Mapping[str, str]
) -> Iterator[Meaning]:
    """The names of a document in alphabetical order."""
    known = {*names.ranks, *names.bare, *definitions, *names.unknown, *names.tied}
    for name in sorted(known):
        rank = names.ranks.get(name, 0)
        shape = tuple(str(sizes.value(sizes.slot(name, k, 0))) for k in range(rank))
        kind = KINDS[rank] if rank < len(KINDS) else "tensor"
        if name in names.unknown:
            kind = "function"
        elif not rank and name in sizes.names:
            kind = "size"
        yield Meaning(name, kind, shape, _evidence(name, names, definitions, guessed))


def _evidence(
    name: str, names: Names, definitions: Mapping[str, Definition], guessed: Mapping[str, str]
) -> str:
    if name in names.declared:
        said = "declared" + _place(name, names)
    elif name in names.auxiliary.values() and name in definitions:
        said = "an expression that has no name in the text"
    elif name in definitions:
        said = "defined by an equation" + _place(name, names)
    elif name in names.tied:
        said = names.tied[name]
    elif name in names.assumed:
        said = f"by convention: {names.assumed[name]}"
    elif name in names.unknown:
        said = "stands before brackets, and nothing defines it"
    elif names.ranks.get(name):
        said = "by its indices" + _place(name, names)
    else:
        said = "stands without indices"
    return f"{said}; {guessed[name]}" if name in guessed else said


def _place(name: str, names: Names) -> str:
    at = names.places.get(name, 0)
    return f", line {names.source.place(at)[0]}" if at else ""


def table(rows: Iterable[Meaning]) -> str:
    """The meanings as lines of text with columns."""
    cells = [(m.name, m.kind, " × ".join(m.shape), m.evidence) for m in rows]
    widths = [max((len(row[k]) for row in cells), default=0) for k in range(3)]
    lines = ("  ".join(c.ljust(w) for c, w in zip(row, (*widths, 0), strict=True)) for row in cells)
    return "\n".join(line.rstrip() for line in lines)
