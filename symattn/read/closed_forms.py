"""Closed forms of recursions: with a_{n+1} = q a_n and a_0 = c, that a_n = c q^n."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from .names import base_name
from .steps import step_of
from .tree import Accent, Name, Node, Number, Scripted, is_equation, spelled, walk

Key = tuple[str, str]  # the name, and the letter of its step


@dataclass(frozen=True)
class ClosedForm:
    """x_t = F, with x_{t + shift} = G(x_{t + shift - 1}), and with x_first = c where that is said.

    `places` are the lines of the recursion and of the first value.
    """

    name: str
    letter: str
    form: Node
    shift: int
    goes_on: Node
    first: tuple[int, Node] | None
    places: tuple[int, ...]


def gather(trees: Iterable[Node], section: Callable[[int], int]) -> dict[int, ClosedForm]:
    """The closed forms of a text by their places, each with the one recursion of its section."""
    rules: dict[Key, list[tuple[int, Node, int]]] = {}
    starts: dict[str, list[tuple[int, Node, int]]] = {}
    forms: list[tuple[Key, Node, int]] = []
    for tree in trees:
        if not is_equation(tree) or tree.relations[0][0] not in ("=", ":="):
            continue
        name, own = stepped(tree.sides[0])
        right = tree.sides[1]
        others = (inside(n) for n in walk(right))
        steps = [step for other, step in others if other == name and step is not None]
        if isinstance(own, Number) and own.text.isdigit() and not steps:
            starts.setdefault(name, []).append((int(own.text), right, tree.at))
        where = step_of(own) if own is not None and not isinstance(own, Number) else None
        if not name or where is None:
            continue
        letter, shift = where
        before = [step_of(s) for s in steps if not isinstance(s, Number)]
        if before and len(before) == len(steps) and {*before} == {(letter, shift - 1)}:
            rules.setdefault((name, letter), []).append((shift, right, tree.at))
        elif not before and shift == 0 and _counts(right, letter):
            forms.append(((name, letter), right, tree.at))
    found: dict[int, ClosedForm] = {}
    for key, form, at in forms:
        here = [r for r in rules.get(key, ()) if section(r[2]) == section(at)]
        begun = [s for s in starts.get(key[0], ()) if section(s[2]) == section(at)]
        if len({spelled(r[1]) for r in here}) == 1 and len({spelled(s[1]) for s in begun}) < 2:
            (shift, goes_on, place), *_ = here
            first = begun[0] if begun else None
            places = (place, first[2]) if first else (place,)
            value = first[:2] if first else None
            found[at] = ClosedForm(*key, form, shift, goes_on, value, places)
    return found


def stepped(node: object) -> tuple[str, Node | None]:
    """x with its accents and the t + 1 of x_{t+1}, which is its only script."""
    return inside(node) if isinstance(node, Scripted) and len(node.scripts) == 1 else ("", None)


def inside(node: object) -> tuple[str, Node | None]:
    """The same of x_{t+1}^2 too."""
    match node:
        case Scripted(base=base, scripts=scripts) if name := called(base):
            return next(((name, s) for sign, s in scripts if sign == "_"), ("", None))
    return "", None


def called(node: Node) -> str:
    """A name with the marks above it."""
    if isinstance(node, Accent):
        name = called(node.body)
        return f"{name}_{node.mark}" if name else ""
    return (base_name(node) or "") if isinstance(node, Name) else ""


def _counts(tree: Node, letter: str) -> bool:
    """True where the letter stands elsewhere than as a step: in q^t, and in Σ_{i=1}^t."""
    scripts = (s for n in walk(tree) if (s := inside(n)[1]) is not None)
    below = {id(n) for script in scripts for n in walk(script)}
    return any(isinstance(n, Name) and n.text == letter and id(n) not in below for n in walk(tree))


__all__ = ["ClosedForm", "called", "gather", "inside", "stepped"]
