"""Weights of pairs that fall apart under an order are opened where they are summed.

    A_ij = [j ≤ i] f_i g_j:   Σ_j A_ij x_j = f_i Σ_j [j ≤ i] g_j x_j
                              Σ_i A_ij y_i = g_j Σ_i [j ≤ i] f_i y_i

As an array A has an entry for every pair; opened, what it weighs is a prefix sum.  What stands
beside such an order and falls apart as well, as Ā_ij = Σ_c Ō_ic V_jc does, is opened with it.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import replace
from itertools import combinations
from typing import Any

from .. import normalize as nf
from ..ir import Call, Index, Mask, Poly, Ref, Sum, Tensor, Term, inside, raw_atom, refs
from .entry import Entry
from .prefixes import Order, order_of

Entries = Mapping[Tensor, Entry]
MOST = 16  # terms of what is opened


def without_pairs(entries: Entries, kept: Collection[Tensor]) -> dict[Tensor, Entry] | None:
    """The entries with weights of pairs opened where they are used; None where there are none.

    `kept` are returned, and arrays in any case.
    """
    weights: dict[Tensor, Entry] = {}
    made: dict[Tensor, Entry] = {}
    for tensor, entry in entries.items():
        if weights and any(r.tensor in weights for r in refs(entry.poly)):
            entry = replace(entry, poly=_opened(entry.poly, weights))
        made[tensor] = entry
        if tensor not in kept and _is_weight(entry):
            weights[tensor] = entry
    if not weights:
        return None
    parts = {t: e for t, e in made.items() if t not in weights and _plain(e) and _apart_by_some(e)}
    return {
        t: replace(e, poly=_beside_orders(nf.normalize(e.poly), parts)) if _has_order(e) else e
        for t, e in made.items()
    }


def _plain(entry: Entry) -> bool:
    """A definition by an expression alone."""
    return not (entry.test or entry.shift or entry.left or entry.guard or entry.small)


def _is_weight(entry: Entry) -> bool:
    """[j ≤ i] f_i g_j, or a sum of such."""
    if not _plain(entry) or not _has_order(entry):
        return False
    normal = nf.normalize(entry.poly)
    return 0 < len(normal) <= MOST and any(
        all(any({o.earlier, o.later} == {i, j} for o in _orders(t)) for t, _ in normal)
        and _apart(normal, i, j)
        for i, j in _pairs(entry)
    )


def _apart_by_some(entry: Entry) -> bool:
    """It falls apart by two of its letters."""
    normal = nf.normalize(entry.poly)
    return len(normal) <= MOST and any(_apart(normal, i, j) for i, j in _pairs(entry))


def _pairs(entry: Entry) -> Iterator[tuple[Index, Index]]:
    """Two letters that run over the same axis."""
    for i, j in combinations(entry.indices, 2):
        if i.size == j.size:
            yield i, j


def _has_order(entry: Entry) -> bool:
    """There is an order of two letters somewhere."""
    return any(isinstance(x, Mask) and order_of(x) is not None for x in inside(entry.poly))


def _orders(term: Term) -> list[Order]:
    """The orders of two letters among the factors of a product."""
    found = (order_of(a) for a, _ in term if isinstance(a, Mask))
    return [o for o in found if o is not None]


def _apart(poly: Poly, i: Index, j: Index) -> bool:
    """Every term is an order of i and j times what has one of them at most."""
    return all(_one_each(a, e, i, j) for t, _ in poly for a, e in t)


def _one_each(atom: Any, e: Any, i: Index, j: Index) -> bool:
    if not {i, j} <= atom.free:
        return True
    match atom:
        case Mask():
            return order_of(atom) is not None
        case Call(name="exp"):
            return all(not {i, j} <= t.free for t, _ in atom.args[0])
        case Sum():
            return e == 1 and _apart(atom.body, i, j)
    return False


def _opened(poly: Poly, known: Entries) -> Poly:
    """The expression with these definitions opened."""

    def rule(atom: Any) -> Poly | None:
        if not isinstance(atom, Ref) or atom.tensor not in known:
            return None
        return known[atom.tensor].at(atom.slots)

    return nf.rewrite(poly, rule)


def _beside_orders(poly: Poly, parts: Entries) -> Poly:
    """The expression with what falls apart opened where an order of its letters is beside it."""
    made = []
    for term, c in poly:
        orders = _orders(term)
        factors = []
        for atom, e in term:
            if isinstance(atom, Sum):
                bound, body = nf.opened(atom, term.free)
                inner = _beside_orders(body, parts)
                whole = raw_atom(atom) if inner is body else nf.sum_over(bound, inner)
                factors.append(nf.power(whole, e))
                continue
            opened = _by_orders(atom, orders, parts) if e == 1 and isinstance(atom, Ref) else None
            factors.append(nf.power(raw_atom(atom), e) if opened is None else opened)
        made.append(nf.scale(nf.multiply(*factors), c))
    return nf.add(*made)


def _by_orders(ref: Ref, orders: list[Order], parts: Entries) -> Poly | None:
    """What falls apart by the letters of one of the orders, opened."""
    opened = parts[ref.tensor].at(ref.slots) if ref.tensor in parts else None
    if opened is None:
        return None
    pairs = ((o.earlier, o.later) for o in orders if {o.earlier, o.later} <= {*ref.slots})
    return opened if any(_apart(opened, i, j) for i, j in pairs) else None


__all__ = ["without_pairs"]
