r"""Left sides: what an equation can define, and the statements Q ∈ ℝ^{n×d} that declare shapes."""

from __future__ import annotations

from dataclasses import replace

from .elaborate import Reader
from .names import Component, component, plain
from .tree import Accent, Addition, Chain, Fraction, Group, Name, Node, Product, Scripted, Symbol
from .usage import application


def is_shape(tree: Node) -> bool:
    match tree:
        case Chain(sides=(_, right), relations=(("∈", _),)):
            base = right.base if isinstance(right, Scripted) else right
            return isinstance(base, Symbol) and base.kind == "set" and base.text == "R"
    return False


def dimensions(node: Node) -> list[Node]:
    """The sizes in ℝ^{n×d}."""
    script = node.scripts[0][1] if isinstance(node, Scripted) else None
    match script:
        case None:
            return []
        case Product() if any(op == "·" for op, _ in script.parts):
            groups: list[list[tuple[str, Node]]] = []
            for op, part in script.parts:
                if op == "·" or not groups:
                    groups.append([])
                groups[-1].append(("", part))
            return [g[0][1] if len(g) == 1 else Product(g[0][1].at, tuple(g)) for g in groups]
        case Group(bracket="{"):
            return list(script.items)
    return [script]


def atomic(side: Node) -> bool:
    """True for a component or a derivative, whose letters are all free."""
    return isinstance(side, Fraction | Scripted | Name | Accent)


def target_of(
    reader: Reader, side: Node
) -> tuple[Component, tuple[Node, ...]] | None:
    """A name with indices, P(j), or f(x, y), with its arguments; None for anything else."""
    side = plain(side)
    if isinstance(side, Name | Accent | Scripted):
        found = component(side, reader.names, reader.here)
        if found is None or found.power is not None or found.transposed or (
                found.name in ("delta", "e") and isinstance(side, Scripted)):
            return None
        return found, ()
    call = application(side.parts, 0) if isinstance(side, Product) else None
    if call is None or not isinstance(side, Product) or call.after != len(side.parts):
        return None
    found = component(call.name, reader.names, reader.here)
    if found is None or found.slots or found.power is not None or found.transposed:
        return None
    letters, arguments = call.split(reader.here)
    if any(isinstance(a, Product | Addition) for a in arguments):
        return None
    return replace(found, slots=letters), arguments
