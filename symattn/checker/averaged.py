"""Verdicts on equations of laws and averages, by sums over outcomes (densities.py)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from ..errors import SymattnError
from ..prove import Verdict, prove
from ..read.applications import application, whole
from ..read.names import base_name
from ..read.outcomes import Claim, Definition, Said
from ..read.tree import Accent, Name, Node, Product, Scripted, base_of, replaced, spelled, walk
from ..syntax import System, indices, sizes
from . import report
from .densities import Densities, Untold
from .finding import Finding
from .outcome import variable

if TYPE_CHECKING:
    from .judge import Judge

MAX_NODES = 600  # of a side with what stands for its names
DEPTH = 4  # of definitions made of definitions
FAULTS = (SymattnError, Untold, ValueError, TypeError, RecursionError, IndexError, AttributeError)


def of_outcomes(judge: Judge, line: int, column: int, number: int | None = None) -> Finding | None:
    """The verdict on a link of a chain; of no link on a formula that was not read, the whole."""
    claim = getattr(judge.versions.document, "outcomes", {}).get((line, column))
    if claim is None:
        return None
    if number is not None:
        return _link(judge, claim, number)
    links = [_link(judge, claim, k) for k in range(len(claim.sides) - 1)]
    if not all(links):
        return None
    return next((x for x in links if x is not None and x.verdict != report.DEFINITION), links[0])


def _link(judge: Judge, claim: Claim, number: int) -> Finding | None:
    sides = claim.sides[number : number + 2]
    if len(sides) < 2 or (number == 0 and defines(claim)):
        return None
    tried = [[_opened(side, claim) for side in sides], [*sides]]
    for both in tried if spelled(tuple(tried[0])) != spelled(tuple(tried[1])) else tried[1:]:
        verdict = decided(claim.said, both)
        if verdict is not None and verdict.status == "proved" and not verdict.trivial:
            assumed = "averages, integrals and their slopes are finite"
            return Finding(
                report.PROVED, assumed=(assumed, *verdict.conditions), kind="claim", proof=verdict
            )
    return None


def decided(said: Said, sides: Sequence[Node]) -> Verdict | None:
    """What the prover says of two sides; None where something in them is not known here."""
    if sum(1 for side in sides for _ in walk(side)) > MAX_NODES:
        return None
    try:
        model = Densities(said, sides)
        left, right = (model.read(side, {}) for side in sides)
        empty = next((x for x in (right, left) if not x.rank and x.at() == 0), None)
        shown = right if empty is left else left
        if empty is None and (left.axes, left.turned) != (right.axes, right.turned):
            raise Untold("two shapes")
        over = [indices(f"a{k}", sizes(f"n_{x}")[0])[0] for k, x in enumerate(shown.axes)]
        ends = [side.at(*over) if side.rank else side.at() for side in (left, right)]
        letters = [*over, *model.free.values(), *model.index.values()]
        free = [x for x in letters if any(e.has(x) for e in ends)]
        return prove(*ends, given=System(*model.definitions), over=free)
    except FAULTS:
        return None


def defines(claim: Claim) -> bool:
    """True for the equation that says first what its left side is."""
    head = _head(claim.sides[0])
    known = claim.said.heads.get(spelled(head), ()) if head is not None else ()
    return bool(known) and min(d.at for d in known) == claim.at


def _head(side: Node) -> Node | None:
    call = whole(side)
    if call is not None:
        return call.name
    plain = side.parts[0][1] if isinstance(side, Product) and len(side.parts) == 1 else side
    return plain if isinstance(plain, Name | Accent | Scripted) else None


def _definition(head: Node, claim: Claim) -> Definition | None:
    """What a name was first said to be, before the claim."""
    known = [d for d in claim.said.heads.get(spelled(head), ()) if d.at < claim.at]
    return min(known, key=lambda d: d.at) if known else None


def _opened(side: Node, claim: Claim, depth: int = DEPTH) -> Node:
    """The side with what the text says of its names and functions put in."""
    from ..read.tree import Group

    def change(node: Node) -> Node:
        if isinstance(node, Product):
            return _calls(node, claim, depth)
        if isinstance(node, Name | Accent | Scripted):
            said = _definition(node, claim) if depth else None
            if said is not None and not said.items:
                return Group(node.at, "(", (_opened(said.right, claim, depth - 1),))
        return node

    return replaced(side, change)  # type: ignore[no-any-return]


def _calls(product: Product, claim: Claim, depth: int) -> Product:
    """A product with w(x) as what w(x) is said to be."""
    from ..read.tree import Group

    found: list[tuple[str, Node]] = []
    k = 0
    while k < len(product.parts):
        op, part = product.parts[k]
        call = application(product.parts, k)
        said = _definition(call.name, claim) if call is not None and depth else None
        if call is not None and said is not None:
            right = _put(said, (*call.items, *call.given)) if said.items else None
            if right is not None:
                inside: Node = Group(part.at, "(", (_opened(right, claim, depth - 1),))
                if call.scripts:
                    inside = Scripted(part.at, inside, call.scripts)
                found.append((op, inside))
                k = call.after
                continue
        if call is not None and base_name(base_of(call.name)) is not None:
            found += product.parts[k : call.after]
            k = call.after
            continue
        found.append((op, part))
        k += 1
    return Product(product.at, tuple(found)) if tuple(found) != product.parts else product


def _put(said: Definition, items: Sequence[Node]) -> Node | None:
    """The right side with other arguments; None where these are no names."""
    if spelled(tuple(items)) == spelled(said.items):
        return said.right
    if len(items) != len(said.items) or any(variable(n) is None for n in (*items, *said.items)):
        return None
    new = {spelled(a): b for a, b in zip(said.items, items, strict=True)}
    if any(spelled(n) in {spelled(i) for i in items} for n in walk(said.right)):
        return None
    return replaced(said.right, lambda n: new.get(spelled(n), n))  # type: ignore[no-any-return]


__all__ = ["decided", "defines", "of_outcomes"]
