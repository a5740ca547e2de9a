"""A finding made small: the shortest case near it that still shows the same."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from time import perf_counter

from .formulas import (
    ONE,
    ZERO,
    Add,
    Case,
    Def,
    Largest,
    Mul,
    Node,
    Num,
    Ref,
    Slot,
    Statement,
    Tensor,
    at,
    children,
    count,
    free,
    names_in,
    places,
    replaced,
    slots_of,
    with_slots,
)
from .values import NoValue

BUDGET = 400  # cases that are tried
SECONDS = 25.0


def simpler(node: Node, scope: tuple = ()) -> Iterator[Node]:
    """Shorter formulas near this one, over the same letters."""
    for place, part, inside in places(node, scope):
        allowed = set(inside)
        if not isinstance(part, Num):
            if count(part) > 1 or place:
                yield replaced(node, place, ONE)
            if count(part) > 1:
                yield replaced(node, place, ZERO)
        for child in children(part):
            if free(child) <= allowed:
                yield replaced(node, place, child)
        if isinstance(part, Add | Mul | Largest) and len(part.args) > 1:
            for k in range(len(part.args)):
                rest = part.args[:k] + part.args[k + 1 :]
                short = rest[0] if len(rest) == 1 else type(part)(rest)
                yield replaced(node, place, short)
        if isinstance(part, Ref) and part.slots and count(node) > 1:
            pass
        for k, slot in enumerate(slots_of(part)):
            if slot.plain is None and slot.parts:
                changed = list(slots_of(part))
                if len(slot.parts) == 1 and slot.parts[0][1] == 1:
                    changed[k] = at(slot.parts[0][0])
                    yield replaced(node, place, with_slots(part, tuple(changed)))


def smaller_cases(case: Case) -> Iterator[Case]:
    """Cases with a definition made an input, or with a shorter body."""
    for k, d in enumerate(case.defs):
        tensor = Tensor(d.name, tuple(x.size for x in d.letters))
        yield replace(
            case,
            inputs={**case.inputs, d.name: tensor},
            defs=case.defs[:k] + case.defs[k + 1 :],
        )
    for k, d in enumerate(case.defs):
        for body in simpler(d.body, d.letters):
            new = Def(d.name, d.letters, body)
            yield replace(case, defs=(*case.defs[:k], new, *case.defs[k + 1 :]))
    for k in range(len(case.facts)):
        yield replace(case, facts=case.facts[:k] + case.facts[k + 1 :])


def smaller(s: Statement) -> Iterator[Statement]:
    yield from (replace(s, case=case) for case in smaller_cases(s.case))
    yield from _both(s)
    for side in ("left", "right"):
        for node in simpler(getattr(s, side), s.letters):
            yield replace(s, **{side: node})


def _both(s: Statement) -> Iterator[Statement]:
    """The same change wherever a part that both sides have stands."""
    parts = {part for _, part, _ in places(s.left) if count(part) > 1 or isinstance(part, Ref)}
    for part in sorted(parts, key=lambda p: (-count(p), repr(p))):
        if part in {p for _, p, _ in places(s.right)}:
            for new in (ONE, *(c for c in children(part) if free(c) <= free(part))):
                if new != part:
                    yield replace(s, left=swap(s.left, part, new), right=swap(s.right, part, new))
    for k in range(4):
        pair = [
            a.args[k] for a in (s.left, s.right) if isinstance(a, Add | Mul) and len(a.args) > k
        ]
        if len(pair) == 2:
            yield replace(s, left=pair[0], right=pair[1])


def swap(node: Node, old: Node, new: Node) -> Node:
    while True:
        place = next((p for p, part, _ in places(node) if part == old), None)
        if place is None:
            return node
        if old in {part for _, part, _ in places(new)}:
            return replaced(node, place, new)
        node = replaced(node, place, new)


def weight(s: Statement) -> int:
    slots = [
        slot
        for node in (s.left, s.right, *(d.body for d in s.case.defs))
        for _, part, _ in places(node)
        for slot in slots_of(part)
    ]
    odd = sum(isinstance(x, Slot) and x.plain is None for x in slots)
    body = sum(count(d.body) + 2 for d in s.case.defs)
    return 4 * (count(s.left) + count(s.right) + body) + odd + len(slots) + 2 * len(s.letters)


def shrunk(
    s: Statement, still: Callable[[Statement], bool], tidy: Callable[[Statement], Statement]
) -> Statement:
    """The smallest statement found for which `still` holds."""
    start, tried = perf_counter(), 0
    seen: set[str] = set()
    changed = True
    while changed:
        changed = False
        for new in smaller(s):
            try:
                new = tidy(new)
                shown = repr((new.left, new.right, new.case.defs, new.case.facts))
                if weight(new) >= weight(s) or shown in seen:
                    continue
                seen.add(shown)
                tried += 1
                if tried > BUDGET or perf_counter() - start > SECONDS:
                    return s
                good = still(new)
            except (NoValue, KeyError):
                continue
            if good:
                s, changed = new, True
                break
    return s


__all__ = ["names_in", "shrunk", "simpler", "smaller_cases"]
