"""Canonical names for bound indices: content keys, colour refinement, search inside tied classes.

A key is a string that depends on content only, never on `id`, `hash` or the letters of bound
indices, so every order derived from it is the same in every process.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from hashlib import blake2b
from typing import Any

from .budget import spend
from .errors import LimitError
from .ir import (
    Affine,
    Argmax,
    Call,
    Delta,
    Index,
    Mask,
    Max,
    Node,
    Num,
    Poly,
    Ref,
    Slot,
    Sum,
    Term,
    size_text,
)

LEAF_LIMIT = 240  # leaves of the search for one sum; past it the answer is "unknown"
LONG = 2000  # letters of a key, whose end is a digest then: equal parts are one, and texts are not
WORK_LIMIT = 2400  # leaves × bound indices, so that sums over many indices end in time too

Names = Mapping[Index, str]


def key(node: Any, names: Names | None = None) -> str:
    """The content of a node as text, with `names` in place of the indices that have one."""
    if not names:
        return _key(node, ())
    relevant = tuple(
        sorted(((i.sort, i, names[i]) for i in node.free if i in names), key=lambda entry: entry[0])
    )
    return _key(node, tuple((i, name) for _, i, name in relevant))


@lru_cache(maxsize=1 << 17)
def _key(node: Node, pairs: tuple[tuple[Index, str], ...]) -> str:
    spend()
    text = _text(node, dict(pairs))
    if len(text) <= LONG:
        return text
    return text[: LONG // 8] + blake2b(text.encode(), digest_size=16).hexdigest()


def _text(node: Node, names: Names) -> str:
    match node:
        case Index():
            return names.get(node) or f"{node.level}:{node.name}"
        case Affine():
            inner = sorted(f"{c}{key(i, names)}" for i, c in node.items)
            return f"<{'+'.join(inner)}+{node.const}>"
        case Ref():
            slots = [key(s, names) for s in node.slots]
            if node.tensor.symmetry:
                slots.sort()
            return f"{node.tensor.name}{node.tensor.role}[{','.join(slots)}]"
        case Delta(a=Index() as a, b=Affine() as b) | Delta(a=Affine() as b, b=Index() as a):
            return f"d[{size_text(a.size)}:{_compared(a, b, names)}]"
        case Delta():
            return "d[" + ",".join(sorted((key(node.a, names), key(node.b, names)))) + "]"
        case Mask():
            return f"m[{key(node.slot, names)}]"
        case Call():
            return f"{node.name}({';'.join(key(a, names) for a in node.args)})"
        case Num():
            return f"#{node.prime}"
        case Max(bound=()):
            return f"max({';'.join(sorted(key(a, names) for a in node.args))})"
        case Sum():
            return "S" + min(_scopes(node, node.body, (), names))
        case Max():
            return "max" + min(_scopes(node, node.args[0], (), names))
        case Argmax():
            return "argmax" + min(_scopes(node, node.body, node.at, names))
        case Term():
            names = _merge_delta_classes(node, names)
            return "*".join(sorted(f"{key(a, names)}^{e}" for a, e in node))
        case Poly():
            return "+".join(sorted(f"{key(t, names)}~{c}" for t, c in node)) or "0"
    raise AssertionError(node)


def _compared(a: Index, b: Affine, names: Names) -> str:
    """What δ_{ab} says is 0 modulo a range, whichever letter is alone: i + j = k is k − j = i."""
    items: dict[Index, int] = {a: -1}
    for i, c in b.items:
        items[i] = items.get(i, 0) + c
    both = (sorted(f"{sign * c}{key(i, names)}" for i, c in items.items()) for sign in (1, -1))
    consts = b.const, -b.const
    return min(f"{'+'.join(text)}+{const}" for text, const in zip(both, consts, strict=True))


def _scopes(
    node: Sum | Max | Argmax, body: Poly, at: Sequence[Slot], names: Names
) -> Iterator[str]:
    """The text of a scope, for every canonical order of its bound indices that it needs."""
    orders = labellings(node.bound, body, names) if len(node.bound) > 1 else iter([node.bound])
    for order in orders:
        inside = dict(names) | {b: f"^{node.height}.{k}" for k, b in enumerate(order)}
        sizes = ",".join(size_text(b.size) for b in order)
        placed = dict(zip(node.bound, at, strict=False))
        slots = ",".join(key(placed[b], names) for b in order if placed)
        yield f"{{{sizes}}}[{slots}]({key(body, inside)})"
        if not at:  # all orders give the same text
            return


def _merge_delta_classes(term: Term, names: Names) -> Names:
    # δ_{ij} x_i and δ_{ij} x_j are the same: both letters get the name of their class.
    classes = delta_classes(term)
    if not classes:
        return names
    merged = dict(names)
    for members in classes:
        shared = "{" + ",".join(sorted(key(i, names) for i in members)) + "}"
        merged.update(dict.fromkeys(members, shared))
    return merged


def delta_classes(term: Term) -> list[list[Index]]:
    """The sets of indices that the δ factors of a term identify, each sorted."""
    classes: list[set[Index]] = []
    for atom, _ in term:
        if isinstance(atom, Delta) and isinstance(atom.a, Index) and isinstance(atom.b, Index):
            joined = {atom.a, atom.b}
            apart = []
            for members in classes:
                if members & joined:
                    joined |= members
                else:
                    apart.append(members)
            classes = [*apart, joined]
    return [sorted(members, key=lambda i: i.sort) for members in classes]


def labellings(bound: Sequence[Index], body: Poly | Term, names: Names) -> Iterator[list[Index]]:
    """The canonical orders of the bound indices of a sum, the least key first.

    More than one order comes out where the body has symmetries; all of them give the same key.
    Raises LimitError when the search inside tied classes passes LEAF_LIMIT leaves.
    """
    terms = [body] if isinstance(body, Term) else list(body.terms)
    start = {b: size_text(b.size) for b in bound}
    best: list[list[Index]] = []
    best_key = ""
    limit = min(LEAF_LIMIT, WORK_LIMIT // max(len(bound), 1))
    for leaves, order in enumerate(_leaves(_refine(start, terms, names), terms, names)):
        if leaves >= limit:
            raise LimitError(
                f"the symmetric sum over {len(bound)} indices needs more than {limit} "
                "orderings to be named canonically",
                mend="name parts of the expression with define(), so that fewer indices are tied",
            )
        inside = dict(names) | {b: f"^{k:03d}" for k, b in enumerate(order)}
        leaf_key = "+".join(sorted(key(t, inside) for t in terms))
        if not best or leaf_key < best_key:
            best, best_key = [order], leaf_key
        elif leaf_key == best_key:
            best.append(order)
    yield from best


def _leaves(
    colours: dict[Index, str], terms: Sequence[Term], names: Names
) -> Iterator[list[Index]]:
    tied = _first_tie(colours)
    if tied is None:
        yield sorted(colours, key=lambda b: colours[b])
        return
    for chosen in tied:
        split = dict(colours)
        for other in tied:
            split[other] += "a" if other is chosen else "b"
        yield from _leaves(_refine(split, terms, names), terms, names)


def _first_tie(colours: Mapping[Index, str]) -> list[Index] | None:
    classes: dict[str, list[Index]] = {}
    for index, colour in colours.items():
        classes.setdefault(colour, []).append(index)
    tied = [name for name, members in classes.items() if len(members) > 1]
    return classes[min(tied)] if tied else None


def _refine(colours: Mapping[Index, str], terms: Sequence[Term], names: Names) -> dict[Index, str]:
    """Split classes by how their members occur in the terms, until nothing splits."""
    count = 0
    current = dict(colours)
    while True:
        ordered = sorted(set(current.values()))
        rank = {colour: f"~{position:03d}" for position, colour in enumerate(ordered)}
        current = {b: rank[c] for b, c in current.items()}
        if len(ordered) in (count, len(current)):
            return current
        count = len(ordered)
        view = dict(names) | current
        for b in list(current):
            seen = sorted(
                f"{key(atom, view | {b: '*'})}^{e}"
                for term in terms
                for atom, e in term
                if b in atom.free
            )
            current[b] += "|" + "|".join(seen)
