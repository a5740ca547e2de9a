r"""Factorisations in words: A = U S V^\top of singular values, Q Λ Q^\top of eigenvalues, Q R.

Then U and V, and the Q of A = Q R, have orthonormal columns, the Q of A = Q Λ Q^\top is orthogonal,
and what stands between is diagonal.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from .evidence import is_top
from .left import head
from .lexer import Token
from .names import base_name
from .split import Statement
from .told import shown
from .tree import Chain, Name, Node, Product, Scripted, base_of, is_equation, walk

_SINGULAR = re.compile(r"[Ss]ingular[- ][Vv]alue[- ][Dd]ecomposition|\bSVD\b|singular values")
_EIGEN = re.compile(
    r"[Ee]igen-?\s?(?:value[- ])?decomposition|[Ss]pectral (?:decomposition|theorem)"
    r"|(?:orthogonally|orthonormally) diagonali[sz]"
)
_TRIANGULAR = re.compile(r"\bQR\b|\bQ ?R[- ](?:decomposition|factori[sz])")


@dataclass
class Factored:
    """What factors are: traits by name, and where those that are diagonal stand first.

    `places` are where the factorisations stand.
    """

    traits: dict[str, str] = field(default_factory=dict)
    diagonal: dict[str, Name] = field(default_factory=dict)
    places: set[int] = field(default_factory=set)


def gather(trees: Iterable[Node], text: str) -> Factored:
    """The factors that words of a text say so of."""
    found = Factored()
    singular, eigen, triangular = (p.search(text) for p in (_SINGULAR, _EIGEN, _TRIANGULAR))
    for tree in trees if singular or eigen or triangular else ():
        if not is_equation(tree) or not isinstance(tree, Chain):
            continue
        for side in tree.sides[1:]:
            if triangular and _names(side) == ["Q", "R"]:
                found.traits["Q"] = "orthonormal"
                found.places.add(tree.at)
            if (three := _factors(side)) is None:
                continue
            left, middle, right = three
            if singular and left.text != right.text:
                found.traits |= {left.text: "orthonormal", right.text: "orthonormal"}
            elif eigen and left.text == right.text:
                found.traits[left.text] = "orthogonal"
            else:
                continue
            found.diagonal.setdefault(middle.text, middle)
            found.places.add(tree.at)
    return found


def alike(statements: Iterable[Statement], found: Factored) -> Iterator[tuple[Chain, list[Token]]]:
    """X^⊤ X / n = V Λ V^⊤ where C = X^⊤ X / n and, further on, C = V Λ V^⊤ is a factorisation.

    Its factors are new there: an equation of names that the text has before is a claim.
    """
    known = dict[str, Node]()
    seen = set[str]()
    for s in statements:
        left = head(s.tree)
        inside = {n.text for n in walk(s.tree) if isinstance(n, Name)}
        if left is not None and isinstance(s.tree, Chain):
            name, value = shown(left), s.tree.sides[1]
            factors = {n.text for n in walk(value) if isinstance(n, Name)} - {"T"}
            if s.tree.at in found.places and name in known and not factors & seen:
                yield Chain(s.tree.at, (known[name], value), s.tree.relations[:1]), s.tokens
            known.setdefault(name, value)
        seen |= inside


def _names(node: Node) -> list[str]:
    """The factors of a product of names; none of any other."""
    parts = [part for sign, part in node.parts if not sign] if isinstance(node, Product) else []
    plainly = isinstance(node, Product) and len(parts) == len(node.parts)
    return [x.text for x in parts if isinstance(x, Name)] if plainly else []


def _factors(node: Node) -> tuple[Name, Name, Name] | None:
    r"""U, S and V of U S V^\top; None for anything else."""
    match node:
        case Product(
            parts=(("", Name() as left), ("", Name() as middle), ("", Scripted() as last))
        ):
            turned = len(last.scripts) == 1 and is_top(last)
            right = base_of(last)
            if turned and isinstance(right, Name) and base_name(last.base) is not None:
                return left, middle, right
    return None


__all__ = ["Factored", "alike", "gather"]
