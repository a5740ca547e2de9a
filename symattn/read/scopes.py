"""Names that a part of a document gives to other tensors: worked examples, other models.

Where a section defines a name and its statements do not fit what the name is elsewhere, it is
another tensor from the section's beginning to its end.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from itertools import pairwise
from types import MappingProxyType

from . import conventions, evidence
from .applications import whole
from .evidence import leaves, name_of
from .left import head
from .names import Context, Names, base_name, is_capital, plain, stem
from .scripts import Component
from .source import ReadError, Source
from .tree import Chain, Node
from .usage import collect

NOTHING: Mapping[str, int] = MappingProxyType({})
Place = tuple[Node, Context, int]  # a statement and where it begins


def local(
    failed: Sequence[Place], accepted: Iterable[Place], names: Names, ahead: bool = False
) -> set[tuple[int, int]]:
    """Make other tensors of names that failed statements define; the regions concerned.

    With `ahead` nothing is read yet, and what stands behind the definition belongs to it.
    """
    used: dict[str, list[int]] = {}
    for tree, here, at in accepted:
        for name in _names(tree, here, names):
            used.setdefault(name, []).append(at)
    regions: set[tuple[int, int]] = set()
    made: dict[str, list[tuple[int, int]]] = {}
    for tree, here, at in failed:
        left = _defined(tree, here, names)
        name = left or ""
        if name not in used or any(a <= at < b for a, b in made.get(name, ())):
            continue
        for begin, end in _enclosing(names.source, at):
            if not any(begin <= place < (at if ahead else end) for place in used[name]):
                names.versions.local(name, begin, end)
                made.setdefault(name, []).append((begin, end))
                regions.add((begin, end))
                break
    return regions


def apart(statements: Sequence[Place], names: Names) -> None:
    """Names that chapters use with different numbers of indices are different tensors."""
    known: dict[str, tuple[int, bool]] = {}
    for begin, end in chapters(names.source):
        inside = [(tree, here) for tree, here, at in statements if begin <= at < end]
        plainly = ranks(inside, names)
        told = ranks(inside, names, names.stated) if names.stated else plainly
        for name, use in sorted(plainly.items()):
            if name in names.stated or not use[0]:  # words say it, or it is made of what they say
                use = told.get(name, use)
            before = known.setdefault(name, use)
            if before == (0, True):  # D = diag(W 1) tells nothing
                known[name] = use
                continue
            if name in names.declared | names.versions.overload:
                continue
            vector = use == (1, True) and before == (2, False) and name.islower()  # x, and x_ik
            if not vector and (_agree(use, before) or use[1]):
                continue  # by convention alone Z U may be numbers, as they are defined elsewhere
            if name != "delta":
                other = names.versions.local(name, begin, end)
                names.tied[other] = (
                    f"the name of another tensor in another part of the text, {name}"
                )


def _agree(use: tuple[int, bool], before: tuple[int, bool]) -> bool:
    """True for ranks that one tensor may have: A_i is a row of A_ij, M_k one of the matrices M."""
    (rank, assumed), (other, known) = use, before
    if rank == other or (rank, other) == (1, 2):
        return True
    return (known and 0 < rank < other) or (assumed and 0 < other < rank)


def chapters(source: Source) -> list[tuple[int, int]]:
    """The parts between the highest headings of which there are several."""
    levels = sorted({level for _, level in source.headings})
    for level in levels:
        starts = [at for at, own in source.headings if own <= level]
        if len(starts) > 2 or (len(starts) == 2 and level == levels[-1]):
            edges = [0, *starts, len(source.text) + 1]
            return [(a, b) for a, b in pairwise(edges) if a < b]
    return []


def differing(place: Place, names: Names) -> dict[str, int]:
    """The names of a statement that bear other axes in it than elsewhere, with these axes."""
    tree, here, _ = place
    alone = _alone(names, [(tree, here)])
    alone.versions.totals, alone.versions.table = names.versions.totals, names.versions.table
    evidence.gather([(tree, here)], alone)
    conventions.assume([(tree, here)], alone)
    with suppress(ReadError):
        collect(tree, alone, here)
    found = [x for n in leaves(tree) if (x := name_of(n, alone, here)) is not None]
    numbers = not names.source.linear or not any(
        alone.ranks.get(x.name, 0) > len(x.slots) for x in found
    )
    written = {x.written: x.name for x in found if x.name not in names.declared}
    axes = {w: alone.ranks.get(n, 0) for w, n in written.items() if n != "delta"}
    return {
        w: r
        for w, r in axes.items()
        if r != names.ranks.get(written[w], 0) and (r or numbers or not is_capital(w))
    }


def written(tree: Node, here: Context, names: Names) -> dict[str, str]:
    """The names of a statement, as they are written and as they are called."""
    found = (name_of(n, names, here) for n in leaves(tree))
    return {x.written: x.name for x in found if x is not None and x.name not in names.declared}


def parameters(tree: Node, here: Context, names: Names) -> set[str]:
    """The x and y of f(x, y) = …."""
    call = whole(tree.sides[0]) if isinstance(tree, Chain) else None
    found = (name_of(n, names, here) for n in (*call.items, *call.given)) if call else ()
    return {x.written for x in found if x is not None and not x.slots}


def _alone(names: Names, statements: Iterable[tuple[Node, Context]]) -> Names:
    """What is declared of names, and of the samples x_i of which these statements speak."""
    alone = Names(names.source)
    alone.versions.strict = names.versions.strict
    alone.declared, alone.scalars = set(names.declared), set(names.scalars)
    alone.ranks.update({n: r for n, r in names.ranks.items() if n in names.declared})
    alone.parts = names.parts
    return alone


def ranks(
    statements: Sequence[tuple[Node, Context]], names: Names, stated: Mapping[str, int] = NOTHING
) -> dict[str, tuple[int, bool]]:
    """The indices of names as far as a part of the text tells by itself, and whether by convention.

    `stated` is what its words say.  A name whose numbers are labels there, β_1, is none that bears
    indices.
    """
    alone = _alone(names, statements)
    alone.stated.update(stated)
    evidence.gather(statements, alone)
    conventions.assume(statements, alone)
    torn: set[str] = set()
    for tree, here in statements:
        try:
            collect(tree, alone, here)
        except ReadError:
            torn |= {x.name for n in leaves(tree) if (x := name_of(n, alone, here)) is not None}
    made = {x.name for tree, here in statements if (x := _made(tree, here, alone)) is not None}
    numbers = {n for n in alone.numbers & alone.bare if not alone.ranks.get(n)}
    labelled = {n.rpartition("_")[0] for n in alone.labels} - alone.ranks.keys() - alone.indexed
    found = {**alone.ranks, **dict.fromkeys(numbers | labelled, 0)}
    open_ = {*alone.assumed, *(made - alone.indexed)}
    return {n: (rank, n in open_) for n, rank in found.items() if n not in torn}


def _made(tree: Node, here: Context, names: Names) -> Component | None:
    """What an equation makes of others, L = D − W: a name without indices that may have any."""
    left = head(tree)
    right = tree.sides[1] if isinstance(tree, Chain) else None
    found = name_of(left, names, here) if left is not None and right is not None else None
    if found is None or found.slots or right is None:
        return None
    inside = (name_of(n, names, here) for n in leaves(right))
    return found if any(x is not None and names.ranks.get(x.name) for x in inside) else None


def _enclosing(source: Source, at: int) -> list[tuple[int, int]]:
    """The sections around a place, the widest first."""
    found: list[tuple[int, int]] = []
    level = 99
    for position, own in reversed([h for h in source.headings if h[0] <= at]):
        if own < level:
            level = own
            found.append((position, source.section_end(position)))
    return found[::-1]


def _names(tree: Node, here: Context, names: Names) -> set[str]:
    return {_written(n, here, names) for n in leaves(tree)}


def _written(node: Node, here: Context, names: Names) -> str:
    """The name as it stands in the text, also where it may be one of several tensors."""
    found = name_of(node, names, here)
    return found.written if found is not None else base_name(stem(node)) or ""


def _defined(tree: Node, here: Context, names: Names) -> str | None:
    """The name that stands alone on the left."""
    if not isinstance(tree, Chain) or tree.relations[0][0] not in ("=", ":=", "≈", "∈"):
        return None
    left = plain(tree.sides[0])
    if base_name(stem(left)) is None:
        return None
    found = name_of(left, names, here)
    if found is not None and (found.power is not None or found.transposed):
        return None
    return _written(left, here, names)
