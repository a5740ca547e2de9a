r"""What sentences say is positive: with $\beta > 0$, for $a, b > 0$, $0 < p < 1$, $R \succ 0$."""

from __future__ import annotations

import re
from collections.abc import Iterable

from .names import Context, Names
from .said import named, trees_of
from .source import Source
from .tree import Chain, Node, Number
from .words import UNSAID, sentences, token


def gather(
    source: Source, names: Names, contexts: Iterable[Context]
) -> tuple[set[str], set[str], dict[str, bool], set[str]]:
    r"""The names that sentences say are positive and nowhere below zero, those that they say are
    not negative, the matrices, and the names that they say are below zero somewhere.

    What is denied behind the formula, x > 0 need not hold, is not said.  A matrix of $R \succ 0$
    or $Q \succeq 0$ is symmetric; True stands for the first.
    """
    letters = {x for here in contexts for x in here.bound | here.lower}
    above: set[str] = set()
    below: set[str] = set()
    weakly: set[str] = set()
    matrices: dict[str, bool] = {}
    for words, spans in sentences(source):
        for k, span in enumerate(spans):
            trees = trees_of(source, span)
            before, _, after = words.partition(token(k)) if trees else ("", "", "")
            denied = bool(_DENIED.match(after))
            for tree in trees if not _IF.search(before) and not denied else ():
                match tree:
                    case Chain(
                        sides=(node, Number(text="0")), relations=(("≻" | "⪰" as order, _),)
                    ):
                        if (found := named(node, names, letters)) is not None:
                            matrices[found.name] = matrices.get(found.name, False) or order == "≻"
            bounds = [t for t in trees if isinstance(t, Chain) and _ordered(t)]
            if not bounds or bounds != trees[-len(bounds) :]:
                continue
            listed = trees[: -len(bounds)]  # the a of a, b > 0
            pairs = [(node, bounds[0]) for node in listed]
            pairs += [(side, bound) for bound in bounds for side in bound.sides]
            for node, bound in pairs:
                shown = bound if node in bound.sides else _first(bound, node)
                found = named(node, names, letters)
                if found is None:
                    continue
                sign, plain = _sign(shown, node), not _IF.search(before) and not denied
                if sign is None:
                    weakly |= {found.name} if plain and _from_0(shown, node) else set()
                    continue
                said = sign and plain and not UNSAID.search(before[-40:])
                (above if said else below).update(() if sign and not said else [found.name])
    return above - below, weakly - below, matrices, below


_DENIED = re.compile(
    r"\s*(?:(?:is|are|was|need|needs|does|do|may|might|can|could|must|should|will|would)\s*"
    r"(?:not|n't)\b|cannot\b|never\b|not\b|fails?\b|(?:may|might|can|could)\s+(?:well\s+)?(?:fail|be\s+violated)|"
    r"(?:is|are)\s+(?:violated|superfluous|unnecessary|optional|irrelevant|wrong|false))"
)
_IF = re.compile(r"\b(?:if|when|whenever|unless|until|while|once|cases?|iff)\b[^,;:]*$", re.I)


def _ordered(tree: Chain) -> bool:
    return all(r in ("<", ">", "≤", "≥") for r, _ in tree.relations)


def _first(bound: Chain, node: Node) -> Chain:
    """a > 0 of a, b > 0."""
    return Chain(bound.at, (node, *bound.sides[1:]), bound.relations)


def _sign(bound: Chain, node: Node) -> bool | None:
    """True where the bound says that it is positive, False where it may be negative."""
    k = bound.sides.index(node)
    for j, step in ((k - 1, -1), (k + 1, 1)):
        if not 0 <= j < len(bound.sides) or not isinstance(bound.sides[j], Number):
            continue
        relation = bound.relations[min(j, k)][0]
        lower = relation in ("<", "≤") if step < 0 else relation in (">", "≥")
        strict = relation in "<>"
        value = float(bound.sides[j].text)  # type: ignore[attr-defined]
        if lower and (value > 0 or (strict and value == 0)):
            return True
        if not lower and value == 0:
            return False
    return None


def _from_0(bound: Chain, node: Node) -> bool:
    """The bound says that it is not negative."""
    k = bound.sides.index(node)
    ahead = [(bound.sides[k - 1], bound.relations[k - 1][0], "≤")] if k else []
    behind = [
        (x, r, "≥") for x, (r, _) in zip(bound.sides[k + 1 :], bound.relations[k:], strict=True)
    ]
    return any(x == Number(x.at, "0") and r == way for x, r, way in (*ahead, *behind[:1]))


__all__ = ["gather"]
