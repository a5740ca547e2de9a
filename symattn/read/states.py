r"""Functions of states as sequences: V(s_{t+1}) is V_{t+1}, where s stands nowhere else."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from itertools import pairwise

from .counted import called, stepped
from .tree import Group, Name, Node, Product, Scripted, rebuilt, spelled, walk

Call = tuple[Node, Node]  # the function with its label, and the step at which its arguments are


def as_sequences(trees: Sequence[Node]) -> list[Node]:
    """The trees with V_{t+1} for every V(s_{t+1}) and every V(s_{t+1}, a_{t+1}).

    A function that stands alone too, or of anything else, stays what it is; so does one whose
    arguments stand elsewhere, and one that has several labels.
    """
    every = [n for tree in trees for n in walk(tree)]
    uses = defaultdict[str, set[object]](set)  # how a function is spelled with its arguments
    states = defaultdict[str, set[str]](set)
    inside, alone = defaultdict[str, int](int), defaultdict[str, int](int)
    for node in every:
        for head, group in _calls(node):
            name = called(_base(head))
            uses[name].add((spelled(head), *(stepped(x)[0] for x in group.items)))
            for argument in group.items:
                states[name].add(stepped(argument)[0])
                inside[stepped(argument)[0]] += 1
            alone[name] -= 1
    for node in every:
        if isinstance(node, Name):
            alone[called(node)] += 1
    names = {name for name, found in uses.items() if len(found) == 1 and not alone[name]}
    names = {n for n in names if all(alone[s] == inside[s] for s in states[n])}
    if not names:
        return [*trees]

    def put(node: Node) -> Node:
        if not isinstance(node, Product) or not any(True for _ in _calls(node)):
            return node
        parts = list[tuple[str, Node]]()
        for op, part in node.parts:
            before = parts[-1][1] if parts else None
            own = before is not None and called(_base(before)) in names
            step = _step(part) if own and not op else None
            if step is None or before is None:
                parts.append((op, part))
            else:
                name = _base(before)
                parts[-1] = (parts[-1][0], Scripted(name.at, name, (("_", step),)))
        return parts[0][1] if len(parts) == 1 else Product(node.at, tuple(parts))

    return [rebuilt(tree, put) for tree in trees]


def _calls(node: Node) -> Iterator[tuple[Node, Group]]:
    """The functions of states in a product, with their arguments."""
    parts = node.parts if isinstance(node, Product) else ()
    for (_, head), (op, group) in pairwise(parts):
        applied = not op and called(_base(head)) and _step(group) is not None
        if applied and isinstance(group, Group):
            yield head, group


def _base(node: Node) -> Node:
    r"""V of V^\pi."""
    labelled = isinstance(node, Scripted) and all(sign == "^" for sign, _ in node.scripts)
    return node.base if labelled else node  # type: ignore[attr-defined]


def _step(node: Node) -> Node | None:
    """The step of (s_t, a_t), which is one."""
    if not isinstance(node, Group) or node.bracket != "(":
        return None
    steps = [stepped(item)[1] for item in node.items]
    if not steps or None in steps or len({spelled(s) for s in steps}) > 1:
        return None
    return steps[0]


__all__ = ["as_sequences"]
