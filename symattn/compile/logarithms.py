"""Logarithms of several factors that are multiplied with each other: each is an array.

    (log e^{q_j} / Σ e^q)² = (q_j − log Σ e^q)²

As sums these would be multiplied out, q_j² − 2 q_j log Σ e^q + …, and where a weight is near 1
nothing but rounding is left.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from .. import normalize as nf
from ..ir import Call, Poly, Ref, Sum, Tensor, Term, functions, raw_atom
from .entry import Entry, canonical

Found = dict[Poly, Entry]  # what stands for each, by its normal form


def with_logarithms(entries: Mapping[Tensor, Entry]) -> dict[Tensor, Entry]:
    """The entries, with an array for every such logarithm."""
    found: Found = {}
    made = {t: replace(e, poly=_held(e.poly, found)) for t, e in entries.items()}
    if not found:
        return dict(entries)
    return made | {e.tensor: e for e in found.values()}


def _held(node: Any, found: Found, several: bool = False) -> Any:
    """The expression with arrays for logarithms in products of `several`."""
    if "log" not in functions(node):
        return node
    match node:
        case Poly():
            made = {_held(term, found, several): c for term, c in node}
            return node if made.keys() == node.terms.keys() else Poly(made)
        case Term():
            often = several or sum(_often(a, e) for a, e in node) > 1
            return Term({_held(a, found, often): e for a, e in node})
        case Sum():
            body = _held(node.body, found, several)
            return node if body is node.body else Sum(node.bound, body)
        case Call():
            if several and _falls_apart(node):
                return _array(node, found)
            args = tuple(_held(a, found) for a in node.args)
            return node if args == node.args else Call(node.name, args)
    return node


def _often(atom: Any, e: Any) -> Any:
    """How often a factor has such a logarithm as a factor, at most."""
    if not isinstance(e, int) or e < 1:
        return 0
    if isinstance(atom, Call):
        return e * _falls_apart(atom)
    terms = atom.body if isinstance(atom, Sum) else atom if isinstance(atom, Poly) else ()
    return e * max((sum(_often(a, k) for a, k in t) for t, _ in terms), default=0)


def _falls_apart(atom: Call) -> bool:
    """A logarithm that is a sum, in which exponentials stand."""
    if atom.name != "log" or not any(map(_exponential, atom.args)):
        return False
    return len(nf.normalize(raw_atom(atom))) > 1


def _exponential(node: Any) -> bool:
    return "exp" in functions(node)


def _array(atom: Call, found: Found) -> Ref:
    key, letters = canonical(nf.normalize(raw_atom(atom)))
    if key not in found:
        tensor = Tensor(f"~g{len(found)}", tuple(i.size for i in letters), role="logarithm")
        found[key] = Entry(tensor, tuple(letters), raw_atom(atom))
    return Ref(found[key].tensor, tuple(letters))


__all__ = ["with_logarithms"]
