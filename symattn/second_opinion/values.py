"""Values for the second opinion: loops over small sizes, no law and no normal form."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import permutations
from itertools import product as tuples
from math import prod
from random import Random
from typing import Any

import mpmath

from .algebra import (
    BINDERS,
    F1,
    OF_MATRIX,
    PI,
    Node,
    Poly,
    Tensor,
    Work,
    parity,
)
from .reading import Reader
from .scopes import Normal, below

KEPT = (*BINDERS, "call", "d", "pow")  # whose values are remembered
FUNCTIONS: dict[str, Callable[[Any], Any]] = {
    "sigmoid": lambda x: 1 / (1 + mpmath.exp(-x)),
    "softplus": lambda x: mpmath.log(1 + mpmath.exp(x)),
    "step": lambda x: mpmath.mpf(x >= 0),
    "abs": mpmath.fabs,
}


class Undefined(Exception):
    """No value here: a division by 0, a root of a negative number, an index out of range."""


class Inexact(Exception):
    """The value is not rational."""


class Point(Normal):
    """Values by loops: sizes given, inputs drawn, exact where no function or root occurs."""

    def __init__(self, reader: Reader, sizes: Mapping[str, int], seed: int, exact: bool) -> None:
        self.reader, self.sizes, self.seed, self.exact = reader, sizes, seed, exact
        self.moved: dict[Any, Any] = {}  # components moved along a derivative
        self.known: dict[Any, Any] = {}
        self.inside = reader.inside
        self.walked: dict[Any, Any] = {}

    def walk(self, node: Node, env: Mapping[Node, Any]) -> Any:
        """The value of an expression, found once for the same values of the letters in it."""
        if isinstance(node, tuple) and node[0] not in KEPT:
            return super().walk(node, env)
        if id(node) not in self.inside:
            self.inside[id(node)] = node, tuple(loose(node))
        place = (id(node), *[env[x] for x in self.inside[id(node)][1]])
        if place not in self.walked:
            self.walked[place] = super().walk(node, env)
        return self.walked[place]

    def number(self, c: Fraction) -> Any:
        return Fraction(c) if self.exact else mpmath.mpf(c.numerator) / c.denominator

    def size(self, p: Poly) -> int:
        return int(sum(c * prod(self.sizes[a[1].name] ** int(e) for a, e in m) for m, c in p))

    def slot(self, slot: Node, env: Mapping[Node, int]) -> int:
        return int(sum(c * env[x] for x, c in slot[0])) + self.size(slot[1])

    def add(self, parts: Iterable[Any]) -> Any:
        return sum(parts, self.number(Fraction(0)))

    def times(self, parts: Iterable[Any]) -> Any:
        return prod(parts, start=self.number(F1))

    def power(self, x: Any, e: Fraction) -> Any:
        if x == 0 and e < 0:
            raise Undefined
        return x ** int(e) if e.denominator == 1 else self.real(lambda: x ** self.number(e))

    def real(self, f: Callable[[], Any]) -> Any:
        """A finite real value by mpmath."""
        if self.exact:
            raise Inexact
        x = f()
        if not isinstance(x, mpmath.mpf) or not mpmath.isfinite(x):
            raise Undefined
        return x

    def delta(self, slot: int, modulus: Poly) -> Any:
        return self.number(Fraction((slot % self.size(modulus) if modulus else slot) == 0))

    def mask(self, slot: int) -> Any:
        return self.number(Fraction(slot >= 0))

    def call(self, name: str, x: Any) -> Any:
        return self.real(lambda: (FUNCTIONS.get(name) or getattr(mpmath, name))(x))

    def unknown(self, name: str, orders: Node, args: list[Any]) -> Any:
        """A function that nothing defines: a sum of two exponentials drawn by its name."""
        found: Any = 0
        for m in range(2):
            draw = Random(f"{name} {m}")
            weights = [Fraction(draw.randint(1, 40), 31) for _ in args]
            turn = self.add(self.number(w) * x for w, x in zip(weights, args, strict=True))
            slope = prod((w ** int(k) for w, k in zip(weights, orders, strict=True)), start=F1)
            found = found + self.call("exp", turn) * self.number(slope)
        return found

    def bind(self, node: Node, env: Mapping[Node, int]) -> Any:
        """Σ, max and argmax by loops over the ranges."""
        lengths = {n: self.size(n) for n in node[-2]}
        if any(length < 0 and n in Work.ranges for n, length in lengths.items()):
            raise Undefined
        points = list(tuples(*(range(lengths[n]) for n in node[-2])))
        if node[0] == "sum":
            return self.add(self.walk(node[-1], below(env, p)) for p in points)
        bodies = node[-1] if node[0] == "max" else [node[-1]]
        found = [(self.walk(b, below(env, p)), p) for p in points for b in bodies]
        if not found:
            raise Undefined
        best = max(found, key=lambda x: x[0])
        if node[0] == "max":
            return best[0]
        return self.number(Fraction(best[1] == tuple(self.slot(s, env) for s in node[1])))

    def ref(self, t: Tensor, slots: Any) -> Any:
        """A size, a drawn number or the value of a definition; indices count from the end, too."""
        if t.role == "size":
            return self.number(Fraction(self.sizes[t.name]))
        lengths, turn = [self.size(n) for n in t.shape], 1
        if any(not -n <= s < n for s, n in zip(slots, lengths, strict=True)):
            raise Undefined
        slots = tuple(s % n for s, n in zip(slots, lengths, strict=True))
        if t.symmetry:
            order = sorted(range(len(slots)), key=lambda k: slots[k])
            if t.symmetry == "antisymmetric":
                turn = parity(order) if len(set(slots)) == len(slots) else 0
            slots = tuple(sorted(slots))
        if (t, slots) not in self.known:
            self.known[t, slots] = self.value(t, slots)
        return (self.known[t, slots] + self.moved.get((t, slots), 0)) * turn

    def value(self, t: Tensor, slots: tuple[int, ...]) -> Any:
        if t is PI:
            return self.real(lambda: +mpmath.pi)
        if t.name in self.reader.definitions:
            letters, body = self.reader.definitions[t.name]
            return self.walk(body, dict(zip(letters.values(), slots, strict=True)))
        if t.role in OF_MATRIX:
            m = t.all[t.of[0]]
            n = range(self.size(m.shape[0]))
            if self.exact:
                raise Inexact
            matrix = mpmath.matrix([[self.ref(m, (r, c)) for c in n] for r in n])
            if t.role == "inverse":
                return (matrix**-1)[slots]
            det = mpmath.det(matrix)
            return det if t.role == "det" else self.real(lambda: mpmath.log(abs(det)))
        if t.role == "place":
            return self.number(Fraction(slots[0]))
        if t.role == "loss":  # Σ w O² over all that it is a function of
            shapes = {t.all[o]: [range(self.size(n)) for n in t.all[o].shape] for o in t.of}
            parts = [(o, p) for o, ranges in shapes.items() for p in tuples(*ranges)]
            drawn = (Random(f"{o.name}{p}").randint(1, 9) * self.ref(o, p) ** 2 for o, p in parts)
            return self.add(drawn)
        draw = Random(f"{self.seed} {t.name} {slots}")
        q = Fraction(draw.randint(1, 96), 61)
        return self.number(q if t.positive or draw.random() < 0.6 else -q)

    def partial(self, of: Node, t: Tensor, at: Any, env: Mapping[Node, Any]) -> Any:
        """A central difference with steps of 10^-15, good to 25 digits."""
        h = self.real(lambda: mpmath.mpf(10) ** -15)
        spot, share = at, Fraction(1)
        if t.symmetry:
            order = sorted(range(len(at)), key=lambda k: at[k])
            odd = t.symmetry == "antisymmetric"
            turn = (parity(order) if len(set(at)) == len(at) else 0) if odd else 1
            spot, share = tuple(sorted(at)), Fraction(turn, len(set(permutations(at))))
        moved, known, walked, found = dict(self.moved), self.known, self.walked, []
        for step in (h, -h):
            self.moved = {**moved, (t, spot): moved.get((t, spot), 0) + step}
            self.known = {k: v for k, v in known.items() if k[0].role == "input"}
            self.walked = {}
            found.append(self.walk(of, env))
        self.moved, self.known, self.walked = moved, known, walked
        return (found[0] - found[1]) / (2 * h) * self.number(share)


def loose(node: Node, depth: int = 0) -> set[Node]:
    """The letters, and the indices of binders around it, that occur in a node."""
    if isinstance(node, int):
        return {node - depth} if node >= depth else set()
    if not isinstance(node, tuple | frozenset) or not node:
        return set()
    if isinstance(node, tuple) and node[0] == "i":
        return {node}
    if isinstance(node, tuple) and node[0] in BINDERS:
        *head, body = node
        inner = loose(body, depth + len(head[-1]))
        return inner.union(*(loose(x, depth) for x in head))
    return set().union(*(loose(x, depth) for x in node))


def small(names: Sequence[str]) -> Iterator[dict[str, int]]:
    """Sizes 1, sizes 2, and sizes that differ, in both orders."""
    yield dict.fromkeys(names, 1)
    yield dict.fromkeys(names, 2)
    for step in (1, -1):
        for start in (1, 2):
            yield {n: (k + start - 1) % 3 + 1 for k, n in enumerate(names[::step])}
