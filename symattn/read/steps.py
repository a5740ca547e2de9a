r"""Letters that count steps: the k of P_{k+1} = A P_k A^\top + Q_k, over which nothing is summed.

What such equations say of one step they say of every one.  So P_k and P_{k+1} are two names, P_k
and P_k_next: P_k may be inverted, and what stands on a left side is defined by what was before.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from .left import head
from .names import atoms, base_name, is_letter, letters_of, plain
from .tree import (
    Addition,
    Chain,
    Given,
    Group,
    Name,
    Node,
    Number,
    Product,
    Scripted,
    Symbol,
    base_of,
    children,
    mapped,
    sign_of,
    walk,
)

REACH = 9  # steps from one name to another
AFTER = {c: f"_{abs(c)}_{'later' if c > 0 else 'before'}" for c in range(-3 * REACH, 3 * REACH)}
AFTER |= {-1: "_before", 0: "", 1: "_next"}
STEPS = {after: c for c, after in AFTER.items()}


@dataclass(frozen=True, order=True)
class Moving:
    """What is another thing at every step: x_k, and P_{t|t-1} with 0 and -1 from the first.

    `labels` are the other things beside the name, "" where a step stands: "", "a" of u_k^{(a)}.
    """

    name: str
    letter: str
    offsets: tuple[int, ...]
    labels: tuple[str, ...]

    def called(self, step: int) -> str:
        """What it is called some steps later, marks behind: x_k_next_hat."""
        steps = iter(self.offsets)
        shown = (x or f"{self.letter}{AFTER[step + next(steps)]}" for x in self.labels)
        return self._joined(shown)

    @property
    def plain(self) -> str:
        """What it is called where the step is an index."""
        return self._joined(x for x in self.labels if x)

    def _joined(self, labels: Iterable[str]) -> str:
        stem, mark, accents = self.name.partition("_")
        return "_".join([stem, *labels]) + mark + accents


@dataclass
class _Use:
    """How a text uses a letter."""

    steps: set[int] = field(default_factory=set)
    links: dict[Moving, set[Moving]] = field(default_factory=lambda: defaultdict(set))
    inverted: bool = False
    loose: bool = False  # it counts, or is summed over


def letters(trees: Iterable[Node]) -> frozenset[str]:
    """The letters of a text that count steps, where that is of use.

    So is what goes from one step to the next, or inverts a matrix of some step.
    """
    uses: dict[str, _Use] = defaultdict(_Use)
    every = [*trees]
    for tree in every:
        inside, free = [*moving(tree)], loose(tree)
        for letter in {m.letter for m, _ in inside} | free:
            if letter not in free:
                _enter(uses[letter], tree, letter)
            elif not _is_apart(tree, letter, every):
                uses[letter].loose = True
        for letter in _inverted(tree) - free:
            uses[letter].inverted = True
        for letter in _rivals(tree):  # the i and j of x_i and x_j
            uses[letter].loose = True
    return frozenset(x for x, use in uses.items() if not use.loose and _serves(use))


def _rivals(tree: Node) -> set[str]:
    """Letters that stand below one name, each by itself."""
    found: dict[str, set[str]] = defaultdict(set)
    for node in map(plain, walk(tree)):
        below = [s for sign, s in getattr(node, "scripts", ()) if sign == "_"]
        steps = steps_of("_", below[0]) if len(below) == 1 else []
        if isinstance(node, Scripted) and len(steps) == 1 == len(_listed("_", below[0])):
            found[base_name(node.base) or ""].add(steps[0][0])
    return {x for name, row in found.items() if name and len(row) > 1 for x in row}


def _serves(use: _Use) -> bool:
    return use.inverted or (
        len(use.steps) > 1 and any(m in made_of(m, use.links) for m in use.links)
    )


def made_of(name: Any, links: Mapping[Any, Collection[Any]]) -> set[Any]:
    """All that a thing hangs on."""
    found, todo = set[Any](), [*links.get(name, ())]
    while todo:
        if (other := todo.pop()) not in found:
            found.add(other)
            todo += links.get(other, ())
    return found


def _enter(use: _Use, tree: Node, letter: str) -> None:
    """Enter what one statement makes of a letter."""
    sides = tree.sides if isinstance(tree, Chain) else (tree,)
    rows = [[m for m in moving(side) if m[0].letter == letter] for side in sides]
    use.steps |= {step + c for row in rows for m, step in row for c in m.offsets}
    if head(tree) is not None and rows[0]:
        use.links[rows[0][0][0]] |= {m for row in rows[1:] for m, _ in row}
    if any(rows) and not rows[0]:
        use.loose |= all(_contracts(s, letter) for s, own in zip(sides, rows, strict=True) if own)


def _contracts(node: Node, letter: str) -> bool:
    """True for a_k b_k, and not for a_k + b_k c_k: nothing is summed in a_k."""
    match node:
        case Addition(parts=rows) | Product(parts=rows):
            inside = [n for _, n in rows if any(m.letter == letter for m, _ in moving(n))]
            inside = [n for n in inside if sign_of(n) is None]
            if isinstance(node, Product) and len(inside) > 1:
                return True
            return bool(inside) and all(_contracts(n, letter) for n in inside)
        case Group(items=(inner,)):
            return _contracts(inner, letter)
    return False


def _is_apart(tree: Node, letter: str, every: Iterable[Node]) -> bool:
    """True for J = Σ_k c_k where nothing else speaks of J, and no equation defines the c_k."""
    own = _about(tree)
    signs = (n for n in walk(tree) if isinstance(n, Scripted) and isinstance(n.base, Symbol))
    summed = any(n.base.kind in ("sum", "prod") and letter in loose(n) for n in signs)  # type: ignore[attr-defined]
    if not summed or not own or not isinstance(tree, Chain) or len(tree.sides) > 2:
        return False
    others = [t for t in every if t is not tree]
    terms = {m.name for m, _ in moving(tree) if m.letter == letter}
    lefts = (left for t in others if not goes_on(t) and (left := head(t)) is not None)
    defined = {m.name for left in lefts for m, _ in moving(left)}
    return not terms & defined and all(base_name(n) != own for t in others for n in walk(t))


def _about(tree: Node) -> str:
    """The name that an equation is about, without its scripts."""
    left = head(tree)
    return base_name(base_of(left)) or "" if left else ""


def moving(tree: Node) -> Iterator[tuple[Moving, int]]:
    """The names of a tree with a letter that may count steps, as (x_k, 1) for x_{k+1}."""
    for node in walk(tree):
        node = plain(node)
        if isinstance(node, Scripted) and (name := _stem(node)):
            inside = [
                (_label_of(sign, a), step_of(a))
                for sign, s in node.scripts
                for a in _listed(sign, s)
            ]
            for letter in dict.fromkeys(step[0] for _, step in inside if step):
                steps = [step[1] for _, step in inside if step and step[0] == letter]
                shown = (("" if step and step[0] == letter else x) for x, step in inside)
                labels = tuple(x for x in shown if x is not None)
                offsets = tuple(c - steps[0] for c in steps)
                yield Moving(name, letter, offsets, labels), steps[0]


def _label_of(sign: str, node: Node) -> str | None:
    """What a script adds to a name; None for an index."""
    plainly = isinstance(node, Name) and (sign == "^" or not is_letter(node))
    return node.text if plainly or isinstance(node, Number) else None  # type: ignore[attr-defined]


def _listed(sign: str, script: Node) -> list[Node]:
    """What stands in a script; above a name, in brackets, x^{(k)}."""
    if sign == "_":
        return [*script.items, *script.given] if isinstance(script, Given) else atoms(script)
    match atoms(script):
        case [Group(bracket="(" | "[", items=(one,))]:
            return [one]
    return []


def _stem(node: Scripted) -> str:
    """The name that bears scripts; none for δ_{ij} and ε_{ijk}, unlike δ^{(l)}_j."""
    name = base_name(node.base) or ""
    indices = (s for sign, s in node.scripts if sign == "_" or not _listed(sign, s))
    letters = sum(len(letters_of(atoms(s))) for s in indices)
    return "" if letters >= {"delta": 2, "epsilon": 3}.get(name, 99) else name


def steps_of(sign: str, script: Node) -> list[tuple[str, int]]:
    """The steps that a script names; empty for another one."""
    return [step for a in _listed(sign, script) if (step := step_of(a)) is not None]


def step_of(node: Node) -> tuple[str, int] | None:
    """The letter of k + 1 and how far it is from there, as written or as a label."""
    match node:
        case Name(style="upright", text=text):
            letter, mark, after = text.partition("_")
            step = STEPS.get(mark + after)
            return None if step is None or not is_letter(Name(0, letter)) else (letter, step)
        case Name() if is_letter(node) and len(node.text) == 1:
            return node.text, 0
        case Addition(parts=((1, Name() as letter), (sign, Number(text=text)))) if (
            is_letter(letter) and text.isdigit() and int(text) <= REACH
        ):
            return letter.text, sign * int(text)
    return None


def loose(tree: Node) -> set[str]:
    """The names that stand elsewhere than in scripts of names; not the k of k = 0, 1, …"""
    sides = tree.sides if isinstance(tree, Chain) else (tree,)
    sides = sides[1:] if isinstance(sides[0], Name) else sides
    return {x for side in sides for x in _bare(side)}


def _bare(node: Node) -> Iterator[str]:
    node = plain(node)
    if isinstance(node, Scripted) and _stem(node):
        yield from _bare(node.base)
        for sign, script in node.scripts:
            named = bool(steps_of(sign, script))
            for atom in _listed(sign, script) if named else [script]:
                yield from () if step_of(atom) else _bare(atom)
        return
    if isinstance(node, Name):
        yield node.text
    for child in children(node):
        yield from _bare(child)


def _inverted(tree: Node) -> set[str]:
    """The k of S_k^{-1} and (A + B_k)^{-1}, and not of x_k^{-1} nor of A_{ij}^{-1}."""
    found: set[str] = set()
    for node in map(plain, walk(tree)):
        match node:
            case Scripted(
                base=base, scripts=(*_, ("^", Addition(parts=((-1, Number(text="1")),))))
            ):
                name = base_name(base) or ""
                of = node if name[:1].isupper() else base if isinstance(base, Group) else None
                inside = moving(of) if of is not None else ()
                marks = [m for m, _ in inside if m.name[:1].isupper()]
                alone = len({m.letter for m in marks}) == 1
                found |= {m.letter for m in marks if alone}
    return found


def goes_on(tree: Node) -> bool:
    """True for e_{k+1} = A e_k, which says nothing of the first e."""
    left = head(tree)
    own = base_name(left.base) if isinstance(left, Scripted) else None
    sides = tree.sides[1:] if isinstance(tree, Chain) else ()
    inside = (n for side in sides for n in map(plain, walk(side)) if isinstance(n, Scripted))
    return own is not None and any(base_name(n.base) == own for n in inside)


def named(tree: Node, found: Collection[str]) -> Node:
    """The statement with x_k and x_{k+1} as names, said of the step of its left side."""
    found = {*found} - loose(tree) if found else found
    if not found:
        return tree
    left = head(tree)
    begin = {m.letter: step for m, step in moving(left)} if left is not None else {}

    def told(value: Any) -> Any:
        node = plain(value) if isinstance(value, Node) else value
        if isinstance(node, Scripted) and _stem(node):
            scripts = tuple(label(sign, script) for sign, script in node.scripts)
            return Scripted(node.at, told(node.base), scripts)
        return mapped(value, told)

    def label(sign: str, script: Node) -> tuple[str, Node]:
        if not any(letter in found for letter, _ in steps_of(sign, script)):
            return sign, told(script)
        parts = []
        for atom in _listed(sign, script):
            letter, step = step_of(atom) or ("", 0)
            text = letter + AFTER[step - begin.get(letter, 0)]
            parts.append(Name(atom.at, text, "upright") if letter in found else atom)
        whole = Product(script.at, tuple(("", p) for p in parts))
        return "_", parts[0] if len(parts) == 1 else whole

    return told(tree)


__all__ = [
    "AFTER",
    "REACH",
    "Moving",
    "goes_on",
    "letters",
    "loose",
    "made_of",
    "moving",
    "named",
    "step_of",
    "steps_of",
]
