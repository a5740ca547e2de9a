r"""ŷ = w x + b beside ŷ_i: what is predicted of any one sample is so of sample i.

Only of names under a hat: of data (x_i, y_i) the line y = w x + b says nothing.  The body has one
value, of numbers or as w^\top x, so that i counts samples and no components.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from .names import atoms, is_letter, plain
from .tree import (
    Accent,
    Addition,
    Chain,
    Fraction,
    Group,
    Name,
    Node,
    Number,
    Product,
    Root,
    Scripted,
    Symbol,
    replaced,
    spelled,
    walk,
)

HATS = frozenset(["hat", "widehat"])
_FUNCTIONS = frozenset(["exp", "log", "ln", "tanh", "sin", "cos", "sigmoid"])


@dataclass
class Predicted:
    """The equations for samples, by the number of the one they come of; names of numbers."""

    given: dict[int, Node] = field(default_factory=dict)
    numbers: set[Name | Accent] = field(default_factory=set)


def gather(trees: Iterable[Node]) -> Predicted:
    """What equations for any one sample say of sample i."""
    every = [*trees]
    bodies: dict[object, list[tuple[int, Chain]]] = {}
    for k, tree in enumerate(every):
        if isinstance(tree, Chain) and tree.relations[0][0] in ("=", ":="):
            bodies.setdefault(spelled(tree.sides[0]), []).append((k, tree))
    letters: dict[object, set[str]] = {}
    for node in (n for tree in every for n in walk(tree)):
        if (own := _sample(node)) is not None:
            letters.setdefault(own[0], set()).add(own[1])
    found = Predicted()
    lefts = (t.sides[0] for t in every if isinstance(t, Chain))
    told = {own[0] for left in lefts if (own := _sample(left)) is not None}  # ŷ_i = … is said
    bodies = {n: said for n, said in bodies.items() if n not in told}
    todo = [b[0] for b in bodies.values() if _is_predicted(b[0][1].sides[0]) and _alike(b)]
    counted = {x for _, t in todo for x in letters.get(spelled(t.sides[0]), ())}
    while todo:
        k, tree = todo.pop()
        left, right = tree.sides[:2]
        used = letters.get(spelled(left), set()) or counted
        inside = {spelled(n): n for n in walk(right) if isinstance(n, Name | Accent)}
        made = {n for n in inside if n in bodies and _alike(bodies[n]) and n not in letters}
        samples = {n for n in inside if letters.get(n, set()) & used}
        if k in found.given or not used or not (made or samples) or not _is_number(right):
            continue
        below = {n for n in made if _reaches(n, bodies, letters, used)}
        if not samples | below:
            continue
        letter = min(used)
        known = samples | below | {spelled(left)}
        found.given[k] = Chain(
            tree.at, tuple(_of(s, known, letter) for s in (left, right)), tree.relations[:1]
        )
        found.numbers |= {left} if isinstance(left, Name | Accent) else set()
        if not any(_is_turned(n) for n in walk(right)):
            found.numbers |= {inside[n] for n in samples}
        todo += [bodies[n][0] for n in below]
    return found


def _is_predicted(left: Node) -> bool:
    return isinstance(left, Accent) and left.mark in HATS and isinstance(left.body, Name)


def _alike(said: list[tuple[int, Chain]]) -> bool:
    """One equation for the name, or the same one again."""
    return len({spelled(t.sides[1]) for _, t in said}) == 1


def _sample(node: Node) -> tuple[object, str] | None:
    """The ŷ and i of ŷ_i, the x and i of x_i and x_{ij}."""
    match plain(node):
        case Scripted(base=Name() | Accent() as base, scripts=(("_", script), *_)):
            first = atoms(script)[0]
            return (spelled(base), first.text) if is_letter(first) else None
    return None


def _reaches(
    name: object,
    bodies: dict[object, list[tuple[int, Chain]]],
    letters: dict[object, set[str]],
    used: set[str],
    depth: int = 4,
) -> bool:
    """The z of ŷ = σ(z) with z = w x + b, where x is a sample."""
    right = bodies[name][0][1].sides[1]
    if not depth or not _is_number(right):
        return False
    inside = {spelled(n) for n in walk(right) if isinstance(n, Name | Accent)} - {name}
    deeper = (n for n in inside if n in bodies and n not in letters and _alike(bodies[n]))
    return any(letters.get(n, set()) & used for n in inside) or any(
        _reaches(n, bodies, letters, used, depth - 1) for n in deeper
    )


def _is_number(node: Node) -> bool:
    """Sums, products and functions of small light letters, and w^\top x."""
    match node:
        case Number():
            return True
        case Name():
            return not node.style and not (len(node.text) == 1 and node.text.isupper())
        case Accent():
            return _is_number(node.body)
        case Symbol(kind="function", text=text):
            return text in _FUNCTIONS
        case Product():
            return all(op in ("", "·", "/") and _is_number(p) for op, p in node.parts)
        case Addition():
            return all(_is_number(p) for _, p in node.parts)
        case Fraction():
            return _is_number(node.top) and _is_number(node.bottom)
        case Group(bracket="(" | "[" | "{", items=(inner,)):
            return _is_number(inner)
        case Root():
            return _is_number(node.body)
        case Scripted(base=base, scripts=(("^", above),)):
            return _is_number(base) and (_is_turned(node) or _is_number(above))
        case Scripted(base=Name(), scripts=(("_", Number()),)):
            return True
    return False


def _is_turned(node: Node) -> bool:
    above = [s for mark, s in node.scripts if mark == "^"] if isinstance(node, Scripted) else []
    return any(s in (Symbol(s.at, "top"), Name(s.at, "T")) for s in above)


def _of(node: Node, samples: set[object], letter: str) -> Node:
    """What is said, of sample i."""

    def change(n: Node) -> Node:
        if isinstance(n, Name | Accent) and spelled(n) in samples:
            return Scripted(n.at, n, (("_", Name(n.at, letter)),))
        return n

    found: Node = replaced(node, change)
    return found


__all__ = ["Predicted", "gather"]
