"""log(1 + w e^z) for w ≥ 0 as one function of w and z, so that small w e^z have their digits.

The normal form takes e^z out, z + log(e^{−z} + w), as for a Student t with a scale of its own,
log(1 + r² e^{−2s}/ν) = log(ν e^{2s} + r²) − 2s − log ν: where r² e^{−2s} is small nothing but
rounding is left, times what stands before, as e^t in the kernel (1 + r² e^{−2s−t}/2)^{−e^t}.

    y = log(1 + w e^z)     ∂y/∂w = s = 1/(e^{−z} + w)     ∂y/∂z = w s     1 − w s = e^{−y}

Derivatives go through the definitions as they are written, for their formulas have no such y.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from .. import normalize as nf
from ..ir import ONE_TERM, Call, Poly, Ref, Sum, Tensor, Term, functions, raw_atom
from ..laws import sign_of
from .entry import Entry, canonical
from .logistic import exponent_of, tame

SMALL, SLOPE, SHARE = "small", "small_slope", "small_share"  # y, s, and w s
Entries = Mapping[Tensor, Entry]
Found = dict[Poly, Entry]  # what stands for each, by its normal form


def with_small(entries: Entries) -> dict[Tensor, Entry]:
    """The entries, with an array for every such logarithm that is written in them."""
    found: Found = {}
    made = {t: replace(e, poly=_held(e.poly, found, entries)) for t, e in entries.items()}
    return made | {e.tensor: e for e in found.values()} if found else dict(entries)


def _held(node: Any, found: Found, entries: Entries) -> Any:
    """The expression with these arrays."""
    if "log" not in functions(node):
        return node
    match node:
        case Poly():
            made = {_held(term, found, entries): c for term, c in node}
            return node if made.keys() == node.terms.keys() else Poly(made)
        case Term():
            return Term({_held(a, found, entries): e for a, e in node})
        case Sum():
            body = _held(node.body, found, entries)
            return node if body is node.body else Sum(node.bound, body)
        case Call():
            pair = _pair(node, entries)
            if pair is not None:
                return _array(node, pair, found)
            args = tuple(_held(a, found, entries) for a in node.args)
            return node if args == node.args else Call(node.name, args)
    return node


def _pair(atom: Call, entries: Entries) -> tuple[Poly, Poly] | None:
    """w and z of log(1 + w e^z), with something in w."""
    if atom.name != "log" or atom.args[0].terms.get(ONE_TERM) != 1 or len(atom.args[0]) != 2:
        return None
    only = nf.normalize(nf.subtract(atom.args[0], Poly({ONE_TERM: 1}))).single
    z = exponent_of(only[0]) if only else None
    if only is None or z is None:
        return None
    w = Poly({tame(only[0]): only[1]})
    if w.constant is not None or not functions(w).isdisjoint(("exp", "sigmoid", "tanh")):
        return None
    return (w, z) if _not_negative(w, entries) else None


def _not_negative(poly: Poly, entries: Entries) -> bool:
    """What is never below 0, seen through the names of sums of squares."""
    return all(
        c > 0
        and all(
            sign_of(Term({a: e})) or (isinstance(a, Ref) and _named(a.tensor, entries))
            for a, e in t
        )
        for t, c in poly
    )


def _named(tensor: Tensor, entries: Entries) -> bool:
    entry = entries.get(tensor)
    return entry is not None and bool(sign_of(entry.poly) or _not_negative(entry.poly, entries))


def _array(atom: Call, pair: tuple[Poly, Poly], found: Found) -> Ref:
    key, letters = canonical(nf.normalize(raw_atom(atom)))
    if key not in found:
        tensor = Tensor(f"~l{len(found)}", tuple(i.size for i in letters), "0+", role="logarithm")
        found[key] = Entry(tensor, tuple(letters), raw_atom(atom), small=pair)
    return Ref(found[key].tensor, tuple(letters))


__all__ = ["SHARE", "SLOPE", "SMALL", "with_small"]
