r"""Factorisations in words: X = U S V^\top of singular values, A = Q Λ Q^\top of eigenvalues.

Then U and V have orthonormal columns, Q is orthogonal, and what stands between is diagonal.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field

from .evidence import is_top
from .names import base_name
from .tree import Chain, Name, Node, Product, Scripted, base_of, is_equation

_SINGULAR = re.compile(r"[Ss]ingular[- ][Vv]alue[- ][Dd]ecomposition|\bSVD\b|singular values")
_EIGEN = re.compile(
    r"[Ee]igen-?\s?(?:value[- ])?decomposition|[Ss]pectral (?:decomposition|theorem)"
    r"|(?:orthogonally|orthonormally) diagonali[sz]"
)


@dataclass
class Factored:
    """What factors are: traits by name, and where those that are diagonal stand first."""

    traits: dict[str, str] = field(default_factory=dict)
    diagonal: dict[str, Name] = field(default_factory=dict)


def gather(trees: Iterable[Node], text: str) -> Factored:
    """The factors that words of a text say so of."""
    found = Factored()
    singular, eigen = _SINGULAR.search(text), _EIGEN.search(text)
    for tree in trees if singular or eigen else ():
        if not is_equation(tree) or not isinstance(tree, Chain):
            continue
        for side in tree.sides[1:]:
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
    return found


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


__all__ = ["Factored", "gather"]
