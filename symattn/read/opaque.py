"""Quantities that the engine has no form for: f(x) of vectors, 𝔼[x] without a distribution, ∫.

Each becomes a name of its own with the letters that are free in it, equal to itself alone, and is
listed as tied, so that no values drawn for it refute anything.  What has a form but no name, the
expression under a derivative, becomes a name with a definition.
"""

from __future__ import annotations

from itertools import chain, count
from typing import TYPE_CHECKING

from .sizes import Letter
from .terms import Ref, Term, outline
from .values import Value

if TYPE_CHECKING:
    from collections.abc import Sequence

    from .elaborate import Reader


def value(
    reader: Reader,
    stem: str,
    inside: Sequence[Value],
    at: int,
    why: str,
    axes: tuple[Letter | None, Letter | None] = (None, None),
    said: object = (),
) -> Value:
    """The quantity `stem` of values, with the letters free in them, and `axes` of its own.

    Two are one where `stem`, `said` and the values are the same but for their letters.
    """
    free = tuple(dict.fromkeys(x.real() for v in inside for x in v.free))
    own = tuple(x for x in axes if x is not None)
    name = _named(reader, stem, inside, (*free, *own), at, said)
    reader.names.tied[name] = why
    reader.names.opaque.add(name)
    return Value(Ref(name, (*free, *own)), dict.fromkeys(free, (1, 0)), *axes)


def defined(reader: Reader, stem: str, inside: Value, at: int) -> Value:
    """The value under a name of its own, which is defined by it."""
    stem = "matrix" if stem in reader.names.versions.written else stem  # the author's M, M_2
    free = tuple(dict.fromkeys(x.real() for x in inside.free))
    letters = (*free, *inside.axes)
    known = len(reader.names.auxiliary)
    name = _named(reader, stem, (inside,), letters, at, ())
    if len(reader.names.auxiliary) > known:
        reader.made.append((name, letters, inside.term))
    return Value(Ref(name, letters), dict(inside.free), inside.row, inside.col)


def _named(
    reader: Reader,
    stem: str,
    inside: Sequence[Value],
    letters: tuple[Letter, ...],
    at: int,
    said: object,
) -> str:
    names = reader.names
    terms: tuple[Term, ...] = tuple(v.term for v in inside)
    key = (stem, said, len(letters), outline(terms, letters))
    if key not in names.auxiliary:
        taken = {*names.ranks, *names.versions.written, *names.auxiliary.values()}
        spoken = _spoken(stem, terms)
        if spoken in names.declared and names.ranks[spoken] == len(letters):
            taken -= {spoken} - {*names.auxiliary.values()}  # declared for what is read here
        candidates = chain([spoken], (f"{stem}_{k}" for k in count(1)))
        names.auxiliary[key] = next(c for c in candidates if c and c not in taken)
    name = names.auxiliary[key]
    names.ranks[name], names.places[name] = len(letters), at
    for position, letter in enumerate(letters):
        slot = reader.sizes.slot(name, position, at)
        reader.sizes.unite(slot, letter.size, at, f"an axis of {name}")
    return name


def _spoken(stem: str, terms: tuple[Term, ...]) -> str:
    """f_x for f(x), where the arguments are plain names."""
    plain = [t.name for t in terms if isinstance(t, Ref)]
    shown = [name for name in plain if name]
    return "_".join([stem, *shown]) if len(plain) == len(terms) and 0 < len(shown) < 4 else ""
