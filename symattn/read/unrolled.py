r"""One step of a recursion by itself: how a sum over steps hangs on what is so at one of them.

With h_t = f(h_{t-1}, x_t, W) the later terms of L = Σ_t ℓ(h_t) hang on h_t through h_{t+1} alone,
so L is ℓ(h_t) + R(h_{t+1}) with an R that may be anything.  In names of steps, h_t and h_{t+1},
that is a system like any other: ∂L/∂h_t = ∂ℓ/∂h_t + (∂h_{t+1}/∂h_t)^⊤ ∂L/∂h_{t+1} follows in it.
What is the same at every step, W, has a name of its own at each, and ∂L/∂W is the sum of ∂L/∂W_t.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any

import sympy as sp

from .sequences import Consequence
from .steps import moving, step_of
from .tree import (
    BRACKETS,
    Addition,
    Chain,
    Group,
    Name,
    Node,
    Number,
    Product,
    Scripted,
    Symbol,
    is_equation,
    replaced,
    spelled,
)

Place = tuple[int, int]
_NAMED = (sp.IndexedBase, sp.Symbol)


@dataclass(frozen=True)
class Sum:
    """A sum over steps: as far as that of the loss, and of adjoints at the step of its terms."""

    whole: bool
    aligned: bool


@dataclass(frozen=True)
class Unrolled:
    """What goes on from step to step, and the sums over steps that hang on it.

    `carried` are what the next step is made of, as they stand there; `bodies` where it is said how
    it goes on, `claims` where derivatives through the steps are spoken of: in those that are
    `summed` one is a sum over steps, those that are `far` speak of steps between which others lie,
    which hang on the `links` that are claimed between one step and the next.
    `of_loss` are claims of what goes through all that comes later.
    `here`, `later` and `earlier` are what the carried names are called there and beside it.
    With `apart` the parameters, as they are spelled, have a name of their own at each step.
    """

    letter: str
    carried: tuple[Node, ...]
    losses: Mapping[int, Node]
    bodies: frozenset[int]
    claims: frozenset[int]
    of_loss: frozenset[int]
    summed: Mapping[int, Sum]
    far: Mapping[int, tuple[tuple[int, tuple[Node, Node]], ...]]
    parameters: Mapping[object, str]
    called: Mapping[str, Node]
    rest: str
    here: frozenset[str]
    later: frozenset[str]
    earlier: frozenset[str]
    apart: bool = False

    def __call__(self, tree: Node) -> Node:
        """What a statement says of one step."""
        return _of_one_step(tree, self)

    def axes(self, ranks: Mapping[str, int]) -> dict[str, int]:
        """The axes of W_t, which has as many as W."""
        found = {}
        for key, label in self.parameters.items() if self.apart else ():
            base = key[1] if key[0] == "Name" else key[1][1]  # type: ignore[index]
            if rank := ranks.get("_".join(filter(None, (base, label)))):
                found[f"{base}_{label}{self.letter}"] = rank
        return found

    def through(self, place: Callable[[int], Place], readings: tuple[Any, ...]) -> Through:
        """Where it is spoken of, with what was read of one step."""
        far = {
            place(at): tuple(
                (place(link), Consequence(sides, self.letter, "", (), (place(link)[0],)))
                for link, sides in claims
            )
            for at, claims in self.far.items()
        }
        bodies, claims = (frozenset(map(place, x)) for x in (self.bodies, self.claims))
        summed = {place(at): how for at, how in self.summed.items()}
        losses = frozenset(map(place, self.losses))
        known = tuple(x if x is not None and bodies <= _read(x) else None for x in readings)
        whole = tuple(
            x is not None and losses <= _read(x) and self.here <= _made_of(x, self.later)
            for x in known
        )
        of_loss = frozenset(map(place, self.of_loss))
        return Through(bodies, claims, summed, far, of_loss, known, whole, self.rest, self.earlier)


def _made_of(document: Any, names: frozenset[str]) -> set[str]:
    """What the definitions of names hold, and those of what stands in them."""
    found, todo = set[str](), {*names}
    while todo:
        bodies = [document.definitions[n].expr for n in todo if n in document.definitions]
        inside = {str(getattr(x, "label", x)) for e in bodies for x in e.atoms(*_NAMED)}
        found, todo = found | inside, inside - found
    return found


def _read(document: Any) -> frozenset[Place]:
    """Where a document says or claims something that was read."""
    kinds = ("definition", "claim")
    return frozenset((e.line, e.column) for e in document.equations if e.kind in kinds)


@dataclass(frozen=True)
class Through:
    """The places of what is unrolled, and the documents that say what is so at one step.

    The second of `readings` has parameters of their own at each step; one in which nothing says
    how it goes on is None, and one that is not `whole` tells nothing `of_loss`, as it leaves out a
    part of what comes later.  What is claimed of steps that are far apart follows from a claim
    about one step and that before it.  `rest` is the function that what comes later is of the next
    state, and `earlier` are the names of the state before.
    """

    bodies: frozenset[Place]
    claims: frozenset[Place]
    summed: Mapping[Place, Sum]
    far: Mapping[Place, tuple[tuple[Place, Consequence], ...]]
    of_loss: frozenset[Place]
    readings: tuple[Any, ...]
    whole: tuple[bool, ...]
    rest: str
    earlier: frozenset[str]


def _of_one_step(tree: Node, one: Unrolled) -> Node:
    """What a statement says of one step."""
    if not isinstance(tree, Chain):
        return tree
    if (terms := one.losses.get(tree.at)) is not None:
        inside = ("", Group(tree.at, "(", one.carried))
        later = Product(tree.at, (("", Name(tree.at, one.rest)), inside))
        own = terms.parts if isinstance(terms, Addition) else ((1, terms),)
        right = Addition(tree.at, (*own, (1, later))) if own else later
        tree = Chain(tree.at, (tree.sides[0], right), tree.relations[:1])
    elif tree.at in one.summed and one.apart:
        tree = replace(tree, sides=(*(summands(s, one.letter) or s for s in tree.sides),))
    elif not is_equation(tree) or not (
        one.apart or any(m.letter == one.letter for m, _ in moving(tree))
    ):
        return tree
    tree = _with_calls(tree, one) if one.called else tree
    return _apart(tree, one) if one.apart else tree


def _with_calls(tree: Node, one: Unrolled) -> Node:
    """The statement with ℓ(o_t, y_t) for ℓ_t."""

    def change(node: Node) -> Node:
        own = [*moving(node)] if isinstance(node, Scripted) and isinstance(node.base, Name) else []
        if len(own) == 1 and own[0][0].letter == one.letter and own[0][0].name in one.called:
            return shifted(one.called[own[0][0].name], one.letter, own[0][1])
        return node

    return replaced(tree, change)


def _apart(tree: Node, one: Unrolled) -> Node:
    """The statement with W_t for W."""

    def change(node: Node) -> Node:
        if isinstance(node, Product):
            befores = [None, *(part for _, part in node.parts)]
            pairs = zip(befores, node.parts, strict=False)
            parts = tuple((op, _times(x) if known(before) else x) for before, (op, x) in pairs)
            if parts != node.parts:
                return replaced(Product(node.at, parts), change)
        if not known(node):
            return node
        assert isinstance(node, Name | Scripted)
        label = one.parameters[spelled(node)]
        own = Name(node.at, one.letter, "upright")
        both = Product(node.at, (("", Name(node.at, label, "upright")), ("", own)))
        base = node.base if isinstance(node, Scripted) else node
        return Scripted(node.at, base, (("_", both if label else own),))

    def known(node: Node | None) -> bool:
        return isinstance(node, Name | Scripted) and spelled(node) in one.parameters

    return replaced(tree, change)


def _times(node: Node) -> Node:
    """What stands in brackets behind a parameter, which is no function of it."""
    in_brackets = isinstance(node, Group) and node.bracket == "("
    return Group(node.at, "{", (node,)) if in_brackets else node


def summand(node: Node, letter: str) -> Node | None:
    """The c X_t of c Σ_t X_t."""
    while isinstance(node, Group) and len(node.items) == 1 and node.bracket in BRACKETS:
        (node,) = node.items
    if isinstance(node, Addition) and len(node.parts) == 1:
        sign, term = node.parts[0]
        inner = summand(term, letter)
        return None if inner is None else signed(sign, inner)
    if not isinstance(node, Product):
        return None
    at = [k for k, (_, part) in enumerate(node.parts) if runs(part, letter)]
    if len(at) != 1:
        return None
    rest = tuple(p for k, p in enumerate(node.parts) if k != at[0])
    return Product(node.at, (("", rest[0][1]), *rest[1:])) if len(rest) > 1 else rest[0][1]


def summands(node: Node, letter: str) -> Node | None:
    """The X_t + Y of Σ_t X_t + Y, of which Y is the same at every step."""
    if not isinstance(node, Addition):
        return summand(node, letter)
    terms = [(sign, summand(term, letter), term) for sign, term in node.parts]
    plainly = (term for _, one, term in terms if one is None)
    if any(m.letter == letter for term in plainly for m, _ in moving(term)):
        return None
    if all(one is None for _, one, _ in terms):
        return None
    return Addition(node.at, tuple((sign, one or term) for sign, one, term in terms))


def signed(sign: int, node: Node) -> Node:
    return node if sign > 0 else Addition(node.at, ((sign, node),))


def runs(node: Node, letter: str) -> bool:
    """True for Σ_t and Σ_{t=1}^T."""
    match node:
        case Scripted(base=Symbol(kind="sum"), scripts=scripts):
            below = next((s for sign, s in scripts if sign == "_"), None)
            first = below.sides[0] if isinstance(below, Chain) else below
            return isinstance(first, Name) and first.text == letter
    return False


def shifted(tree: Node, letter: str, by: int) -> Node:
    """What is said, so many steps later."""

    def change(node: Node) -> Node:
        step = step_of(node) if isinstance(node, Name | Addition) else None
        if step is None or step[0] != letter or not by:
            return node
        own = Name(node.at, letter)
        there = step[1] + by
        number = Number(node.at, str(abs(there)))
        return Addition(node.at, ((1, own), (1 if there > 0 else -1, number))) if there else own

    return replaced(tree, change)


__all__ = [
    "Place",
    "Sum",
    "Through",
    "Unrolled",
    "runs",
    "shifted",
    "signed",
    "summand",
    "summands",
]
