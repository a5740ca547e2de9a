"""What equations between steps say of other steps: with e_k = x_k - y_k, what e_{k+1} is."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass

from .layers import LAST
from .left import head
from .names import base_name
from .steps import AFTER, REACH, Moving, goes_on, made_of, moving, step_of, steps_of
from .tree import Chain, Name, Node, Number, Scripted, is_equation, rebuilt, replaced, spelled, walk

ELSEWHEN = "what it was at another step"  # ties a name


@dataclass(frozen=True)
class Instances:
    """What equations between steps say of the steps that others speak of.

    Open is what goes on from step to step, where nothing says what it was before, and what several
    equations say: which of them holds at another step is not known.
    """

    given: dict[int, list[Node]]  # by the number of the equation
    open: set[str]
    same: dict[Moving, set[str]]  # what one thing is called at several steps
    driven: set[str]  # of the open ones those in which every step puts something new

    def axes(self, ranks: Mapping[str, int]) -> dict[str, int]:
        """The axes of names, where each has so many indices with that of its step."""
        found = ((names, ranks.get(own.plain, 0) - 1) for own, names in self.same.items()
                 if len(own.offsets) == 1)  # fmt: skip
        return {name: rank for names, rank in found for name in sorted(names) if rank > 0}


@dataclass(frozen=True)
class _Body:
    """The first equation of a thing: its number, the step of its left side, and what it says."""

    number: int
    step: int
    tree: Chain


def instances(
    trees: Sequence[Node], found: Collection[str], section: Callable[[int], int]
) -> Instances:
    """The equations at other steps, of trees in the order of the text."""
    rows: dict[Moving, list[_Body]] = defaultdict(list)
    used: set[tuple[Moving, int]] = set()
    for number, tree in enumerate(trees):
        used |= {*_labelled(tree, found)}
        left = head(tree) if is_equation(tree) else None
        for own, step in [*_labelled(left, found)][:1] if left is not None else ():
            assert isinstance(tree, Chain)
            body = Chain(tree.at, tree.sides[:2], tree.relations[:1])
            rows[own].append(_Body(number, step, body))
    bodies = {own: row[0] for own, row in rows.items()}
    inside = {own: [*_labelled(b.tree.sides[1], found)] for own, b in bodies.items()}
    links = {own: {m for m, _ in row} for own, row in inside.items()}
    states = {own for own in links if own in made_of(own, links)}
    way = _way({c - bodies[own].step for own in states for _, c in inside[own]})
    stepped = {own.name for own, _ in used}  # P = … beside P_k: a P of some step
    apart = {own for own, row in rows.items() if len({section(b.tree.at) for b in row}) > 1}
    unclear = {own for own, row in rows.items() if _several(row)}
    unclear |= {own for own in links if unclear & made_of(own, links)}
    given: dict[int, list[Node]] = defaultdict(list)
    todo, done = sorted(used), set[tuple[Moving, int]]()
    while todo:
        one = own, step = todo.pop()
        if one in done or own not in bodies or own in apart:
            continue
        begin = bodies[own]
        moved = _moved(begin.tree, own.letter, step - begin.step)
        ahead = own not in states or (step - begin.step) * way > 0
        ahead = ahead or used.issuperset(_labelled(moved, found))
        if step == begin.step or not ahead or _plain_names(begin.tree, found) & stepped:
            continue  # what was before hangs on what was before it, and so on
        done.add(one)
        given[begin.number].append(moved)
        new = {u for u in _labelled(moved, found) if abs(u[1]) <= REACH} - used
        used |= new
        todo += sorted(new)
    same: dict[Moving, set[str]] = defaultdict(set)
    for own, step in used:
        same[own].add(own.called(step))
    for number, tree in _of_last(trees, bodies, found):
        given[number].append(tree)
    loose = {own.called(step) for own, step in used if own in bodies and step != bodies[own].step
             if (own, step) not in done or own in unclear}  # fmt: skip
    new_at = {own for own in links if made_of(own, links) - bodies.keys()}  # W_l, b_l
    driven = {own.called(step) for own, step in used if own in new_at} & loose
    return Instances(given, loose, same, driven)


def _of_last(
    trees: Sequence[Node], bodies: Mapping[Moving, _Body], found: Collection[str]
) -> Iterator[tuple[int, Node]]:
    """What the equations for layer l say of the last layer, L, where the text speaks of it."""
    scripted = [n for t in trees for n in walk(t) if isinstance(n, Scripted)]
    spoken = {base_name(n.base) for n in scripted
              if any(isinstance(s, Name) and s.text == LAST for _, s in n.scripts)}  # fmt: skip
    defined = {own.name for own in bodies}
    for own, body in bodies.items():
        if own.letter in found and spoken & defined:
            yield body.number, _moved(body.tree, own.letter, -body.step, LAST)


def _several(row: Sequence[_Body]) -> bool:
    """True for two recursions of one thing, or two formulas; a recursion beside one is a claim."""
    first, *rest = row
    others = (b for b in rest if spelled(b.tree) != spelled(first.tree))
    return any(goes_on(first.tree) or not goes_on(b.tree) for b in others)


def _plain_names(tree: Node, found: Collection[str]) -> set[str]:
    """The names that stand without a step."""

    def hidden(node: Node) -> Node:
        scripts = node.scripts if isinstance(node, Scripted) else ()
        steps = (step for pair in scripts for step in steps_of(*pair))
        return Number(node.at, "0") if any(letter in found for letter, _ in steps) else node

    return {base_name(n) or "" for n in walk(replaced(tree, hidden))}


def _way(steps: set[int]) -> int:
    """1 where what is now is made of what was before, -1 of what comes, 0 of both."""
    before, later = min(steps, default=0) < 0, max(steps, default=0) > 0
    return 0 if before and later else 1 if before else -1


def _labelled(tree: Node, found: Collection[str]) -> Iterator[tuple[Moving, int]]:
    """What moves in a statement with its labels."""
    return ((m, step) for m, step in moving(tree) if m.letter in found)


def _moved(tree: Node, letter: str, steps: int, called: str = "") -> Node:
    """What a statement says so many steps later, or where its letter is called otherwise."""

    def change(node: Node) -> Node:
        step = step_of(node) if isinstance(node, Name) and node.style == "upright" else None
        if step is None or step[0] != letter:
            return node
        return Name(node.at, (called or letter) + AFTER[step[1] + steps], "upright")

    return rebuilt(tree, change)


__all__ = ["ELSEWHEN", "Instances", "instances"]
