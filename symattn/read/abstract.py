"""Functions that nothing defines: L = l(o, y) is an abstract function of o and y.

Its gradients by these are free, and every other one follows by the chain rule.  What is applied to
several things has several values, which are no free numbers.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from .build import Link
from .calls import ABSTRACT, ALONE
from .names import Names, reached
from .terms import Ref


def losses(names: Names, uses: dict[str, set[str]]) -> Iterator[Link]:
    """Enter the quantities that are losses; the l of ∂l/∂o as a name of its only one."""
    several = Counter(name for name, _ in names.functions_of.values())
    for quantity, (name, of) in names.functions_of.items():
        nested = any(a in reached([b], uses) for a in of for b in of if a != b)
        nested = nested or not names.functions_of.keys().isdisjoint(of)
        whole = any(names.ranks.get(x) for x in of)
        if nested or not whole or {quantity, name} & (uses.keys() | names.lengths):
            continue
        names.losses.setdefault(quantity, of)
        for inside in uses.values():
            inside |= {*of} if quantity in inside else set()
        if several[name] > 1:
            continue
        names.tied[quantity] = ABSTRACT
        if names.tied.get(name) == ALONE and not names.ranks.get(name):
            del names.tied[name]
            uses[name] = {quantity, *of}
            at = names.places[quantity]
            yield Link("auxiliary", "=", Ref(name), Ref(quantity), (), name, at, "")


__all__ = ["losses"]
