"""A side of an equation of laws with what the text says of its names and functions put in."""

from __future__ import annotations

from collections.abc import Sequence

from ..read.applications import application
from ..read.outcomes import Claim, Definition
from ..read.tree import Accent, Group, Name, Node, Product, Scripted, replaced, spelled, walk
from .outcome import put

DEPTH = 4  # of definitions made of definitions


class Opened:
    """A side with what the text says of its names and functions put in, and where it says that."""

    def __init__(self, claim: Claim) -> None:
        self.claim = claim
        self.used: dict[object, str] = {}
        self.inside: set[str] = set()  # the names of what was put in

    def __call__(self, side: Node, depth: int = DEPTH) -> Node:
        def change(node: Node) -> Node:
            if isinstance(node, Product):
                return self.calls(node, depth)
            if isinstance(node, Name | Accent | Scripted) and depth:
                said = self.definition(node)
                if said is not None and not said.items:
                    return Group(node.at, "(", (self.put(said, said.right, depth),))
            return node

        found: Node = replaced(side, change)
        return found

    def hangs(self, sides: Sequence[Node]) -> bool:
        """Whether what was put in is made of names that stand in these sides themselves."""
        names = {n.text for side in sides for n in walk(side) if isinstance(n, Name)}
        return not names.isdisjoint(self.inside)

    def put(self, said: Definition, right: Node, depth: int) -> Node:
        head = {n.text for n in walk(said.head) if isinstance(n, Name)}
        self.inside |= {n.text for n in walk(right) if isinstance(n, Name)} - head
        self.used[spelled(said.head)] = f"line {said.line}"
        return self(right, depth - 1)

    def definition(self, head: Node) -> Definition | None:
        """What a name was first said to be in the section, or in all sections alike."""
        every = self.claim.said.heads.get(spelled(head), ())
        known = [d for d in every if d.at < self.claim.at]
        here = [d for d in known if d.section == self.claim.section]
        alike = len({spelled((d.items, d.right)) for d in every}) == 1
        return here[0] if here else known[0] if known and alike else None

    def calls(self, product: Product, depth: int) -> Product:
        """A product with what w(x) is said to be in place of w(x)."""
        found: list[tuple[str, Node]] = []
        k = 0
        while k < len(product.parts):
            op, part = product.parts[k]
            call = application(product.parts, k)
            if call is None:
                found.append((op, part))
                k += 1
                continue
            said = self.definition(call.name) if depth else None
            right = put(said, (*call.items, *call.given)) if said and said.items else None
            if said is not None and right is not None:
                inside: Node = Group(part.at, "(", (self.put(said, right, depth),))
                if call.scripts:
                    inside = Scripted(part.at, inside, call.scripts)
                found.append((op, inside))
            else:
                found += product.parts[k : call.after]
            k = call.after
        return Product(product.at, tuple(found)) if tuple(found) != product.parts else product


__all__ = ["Opened"]
