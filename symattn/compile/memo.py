"""What a plan has computed already, under any letters."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations
from typing import Any

import sympy as sp

from .. import normalize as nf
from ..ir import CACHE, Index, Poly, Tensor, refs
from .entry import Env, canonical
from .nodes import Label, Node, View


@dataclass(frozen=True)
class Known:
    """A normal expression and its value, with the labels of its free indices."""

    normal: Poly
    view: View
    labels: dict[Index, Label]

    def at(self, normal: Poly, env: Env) -> View | None:
        """The value with the labels of an expression that differs in its letters only; None for
        any other expression."""
        if normal is self.normal:
            label = {x: env[i] for i, x in self.labels.items()}
        else:
            (content, order), (own, places) = canonical(normal), canonical(self.normal)
            if content is not own:
                return None
            label = {self.labels[i]: env[j] for i, j in zip(places, order, strict=True)}
        return View(self.view.node, tuple(label.get(x, x) for x in self.view.labels))


@dataclass(frozen=True)
class Meaning:
    """What a node computes: an expression, and the names of its letters in their order."""

    poly: Poly
    normal: Poly
    names: Mapping[Index, str]

    @property
    def letters(self) -> tuple[Index, ...]:
        """The letters that it is shown with."""
        return tuple(Index(name, i.size) for i, name in self.names.items())

    @property
    def shown(self) -> Poly:
        """The expression in these letters."""
        if all(i.name == name and not i.level for i, name in self.names.items()):
            return self.poly
        return nf.substitute(self.normal, dict(zip(self.names, self.letters, strict=True)))


class Memo(dict[Any, tuple[Known, ...]]):
    """Views by normal expression.  Canonical letters are looked for only where something has the
    same tensors and sizes: they take long for large expressions, which hardly occur twice."""

    def __init__(self) -> None:
        super().__init__()
        self.subjects: set[frozenset[Tensor]] = set()  # what an expression may be known of

    def find(self, normal: Poly, env: Env) -> View | None:
        """The value of an expression, if it is known under some letters."""
        found = (known.at(normal, env) for known in self.get(_signature(normal), ()))
        return next((view for view in found if view is not None), None)

    def keep(self, normal: Poly, view: View, env: Env) -> None:
        """Remember a value."""
        known = Known(normal, view, {i: env[i] for i in normal.free})
        key = _signature(normal)
        self[key] = (*self.get(key, ()), known)
        self.subjects.add(key[-1])


Parts = Sequence[tuple[View, sp.Expr]]  # the terms of a sum of arrays, with numbers in front


class Differences(dict[Node, list[tuple[View, Parts]]]):
    """q − max q as it is computed, by the largest values: where it is a part of a sum, as in
    log Σ e^q − q, it is the array that the exponential is made of."""

    def keep(self, made: View, parts: Parts) -> None:
        """Remember a sum, if it is such a difference."""
        peaks = [v.node for v, _ in parts if v.node.op in ("max", "maximum", "cummax")]
        if len(parts) == 2 and len(peaks) == 1:
            self.setdefault(peaks[0], []).append((made, parts))

    def within(self, parts: Parts) -> Parts:
        """The terms with a known difference, or less it, in place of its own."""
        for view, _ in parts if len(parts) > 2 else ():
            for made, own in self.get(view.node, ()):
                found = _among(parts, made, own)
                if found is not None:
                    return found
        return parts


def _among(parts: Parts, made: View, own: Parts) -> Parts | None:
    there = []
    for view, _ in own:
        same = [part for part in parts if part[0].node is view.node]
        if len(same) != 1:
            return None
        there += same
    ratios = {c / d for (_, c), (_, d) in zip(there, own, strict=True)}
    pairs = [
        pair
        for (new, _), (old, _) in zip(there, own, strict=True)
        for pair in zip(old.labels, new.labels, strict=True)
    ]
    labels = dict(pairs)
    if ratios not in ({sp.S.One}, {sp.S.NegativeOne}) or any(labels[x] != y for x, y in pairs):
        return None
    if len(set(labels.values())) < len(labels):  # a diagonal of the difference
        return None
    (ratio,) = ratios
    held = View(made.node, tuple(labels[x] for x in made.labels)), ratio
    return [held, *(part for part in parts if part not in there)]


def without_centres(parts: Parts) -> Parts:
    """(x − m) − (y − m) as x − y, among the terms of a sum."""
    for (view, c), (other, d) in combinations(parts, 2):
        one, two = _difference(view), _difference(other)
        if c + d == 0 and one and two and one[1] == two[1]:
            left = [part for part in parts if part[0] not in (view, other)]
            return without_centres([(one[0], c), (two[0], d), *left])
    return parts


def _difference(view: View) -> tuple[View, View] | None:
    """x and y of the array x − y."""
    if view.node.op != "add" or view.node.data[1] != (sp.S.One, sp.S.NegativeOne):
        return None
    x, y = (
        View(node, tuple(view.labels[k] for k in place))
        for node, place in zip(view.node.args, view.node.data[0], strict=True)
    )
    return x, y


@lru_cache(maxsize=CACHE)
def _signature(normal: Poly) -> Any:
    sizes = sorted(i.sort[-1] for i in normal.free)
    return len(normal), tuple(sizes), frozenset(ref.tensor for ref in refs(normal))


__all__ = ["Differences", "Meaning", "Memo", "without_centres"]
