"""Whether the summation rule reads a sum back where its Σ is left out."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

from ..ir import (
    Argmax,
    Atom,
    Call,
    Index,
    Max,
    Poly,
    Rational,
    Ref,
    Sum,
    Term,
)
from ..ir import parts as ir_parts
from .naming import (
    sized,
)


def reads_back(parts: list[tuple[Atom, Rational]], order: Sequence[Index]) -> bool:
    """True when the summation rule, applied to the product, sums just the bound letters."""
    free = {i.name for i in order}
    total = next(a for a, _ in parts if isinstance(a, Sum))
    only = total.body.single
    if only is None or only[1] != 1 or dict(parts)[total] != 1 or any(e < 0 for _, e in only[0]):
        return False
    if any(isinstance(a, Sum) for a, _ in only[0]) or any(e.denominator != 1 for _, e in only[0]):
        return False
    seen: Counter[str] = Counter()
    for atom, e in [*parts, *only[0]]:
        if atom is not total:
            for index in atom.free:
                seen[index.name] += _occurrences(atom, index) * int(e)
    bound = {b.name for b in total.bound}
    if any(
        (isinstance(a, Call | Max | Argmax | Poly) or e != 1) and _repeats(a, b)
        for a, e in only[0]
        for b in total.bound
    ):
        return False
    if not all(sized(total.body, b) for b in total.bound):
        return False
    if bound & free or any(seen[b] < 2 for b in bound):
        return False
    if bound & {i.name for a, _ in parts if a is not total for i in a.free}:
        return False
    return all(n < 2 or x in bound or x in free for x, n in seen.items())


def _occurrences(atom: Atom, index: Index) -> int:
    if isinstance(atom, Ref):
        return sum(index in s.free for s in atom.slots)
    return 1


def _repeats(node: Any, index: Index) -> bool:
    """True where a letter stands twice or more, so that the rule may sum it inside a bracket."""

    def seen(inside: Any) -> int:
        match inside:
            case Poly():
                return max((seen(t) for t, _ in inside), default=0)
            case Term():
                return sum(seen(a) * (1 if e == 1 else 2) for a, e in inside)
            case Call() | Max() | Argmax() | Sum():
                return max(map(seen, ir_parts(inside)))
        return _occurrences(inside, index) if index in inside.free else 0

    return seen(node) > 1


__all__ = ["reads_back"]
