"""Values over small sizes: loops, in fractions or to 60 digits, derivatives by differences."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from functools import partial
from itertools import permutations
from itertools import product as tuples
from math import prod
from random import Random
from typing import Any

import mpmath

from .model import BINDERS, Env, Tree, Undefined, Values
from .reading import OF_MATRIX, Given, names_in

DIGITS = 60
KEPT = (*BINDERS, "call", "pow", "d")  # whose values are remembered
FUNCTIONS: dict[str, Callable[[Any], Any]] = {
    "sigmoid": lambda x: 1 / (1 + mpmath.exp(-x)),
    "softplus": lambda x: mpmath.log(1 + mpmath.exp(x)),
    "step": lambda x: mpmath.mpf(x >= 0),
    "abs": mpmath.fabs,
}


class Inexact(Exception):
    """The value is not rational."""


class Point(Values):
    """Values by loops, inputs drawn; exact where no function or root occurs."""

    def __init__(self, given: Given, sizes: Mapping[str, int], seed: int, exact: bool) -> None:
        super().__init__(given, sizes, seed)
        self.exact = exact
        self.moved: dict[Any, Any] = {}  # components moved along a derivative
        self.known: dict[Any, Any] = {}
        self.slopes: dict[Any, Any] = {}
        self.walked: dict[Any, Any] = {}

    def walk(self, tree: Tree, env: Env) -> Any:
        """The value of an expression, found once for the same values of the letters in it."""
        if isinstance(tree, str) or tree[0] not in KEPT:
            return super().walk(tree, env)
        if id(tree) not in self.given.inside:  # a tree that is kept has a place of its own
            self.given.inside[id(tree)] = tree, sorted(names_in(tree, letters=True))
        place = (id(tree), *map(env.get, self.given.inside[id(tree)][1]))
        if place not in self.walked:
            self.walked[place] = super().walk(tree, env)
        return self.walked[place]

    def number(self, c: Fraction) -> Any:
        return c if self.exact else mpmath.mpf(c.numerator) / c.denominator

    def add(self, parts: Iterable[Any]) -> Any:
        return sum(parts, self.number(Fraction(0)))

    def times(self, parts: Iterable[Any]) -> Any:
        return prod(parts, start=self.number(Fraction(1)))

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

    def truth(self, kind: str, slot: int, n: int = 0) -> Any:
        return self.number(
            Fraction(slot >= 0 if kind == "mask" else (slot % n if n else slot) == 0)
        )

    def call(self, name: str, tree: Tree, env: Env) -> Any:
        x = self.walk(tree, env)
        return self.real(lambda: (FUNCTIONS.get(name) or getattr(mpmath, name))(x))

    def unknown(self, name: str, orders: list[int], args: list[Any]) -> Any:
        """A function that nothing defines: a sum of two exponentials drawn by its name."""
        found: Any = 0
        for m in range(2):
            draw = Random(f"{name} {m}")
            weights = [Fraction(draw.randint(1, 40), 31) for _ in args]
            turn = self.add(self.number(w) * x for w, x in zip(weights, args, strict=True))
            slope = prod((w**k for w, k in zip(weights, orders, strict=True)), start=Fraction(1))
            found = found + self.real(partial(mpmath.exp, turn)) * self.number(slope)
        return found

    def bind(self, tree: Tree, env: Env) -> Any:
        """Σ, max and argmax by loops over the ranges."""
        kind, *at, pairs, body = tree
        lengths = [self.size(n) for _, n in pairs]
        if any(k < 0 and n in self.given.ranges for k, (_, n) in zip(lengths, pairs, strict=True)):
            raise Undefined
        points = list(tuples(*map(range, lengths)))
        there = ({**env, **dict(zip((x for x, _ in pairs), p, strict=True))} for p in points)
        if kind == "sum":
            return self.add(self.walk(body, e) for e in there)
        bodies = body if kind == "max" else [body]
        found = [(self.walk(t, e), p) for e, p in zip(there, points, strict=True) for t in bodies]
        if not found:
            raise Undefined
        best = max(found, key=lambda x: x[0])
        if kind == "max":
            return best[0]
        return self.number(Fraction(best[1] == tuple(self.slot(s, env) for s in at[0])))

    def ref(self, name: str, slots: Sequence[int]) -> Any:
        """A size, a drawn number or the value of a definition; indices count from the end, too."""
        if name in self.sizes:
            return self.number(Fraction(self.sizes[name]))
        lengths = map(self.size, self.given.tensors[name]["shape"])
        if any(not -n <= s < n for s, n in zip(slots, lengths, strict=True)):
            raise Undefined
        place, turn = self.component(name, slots)
        if (name, place) not in self.known:
            self.known[name, place] = self.value(name, self.given.tensors[name], place)
        return (self.known[name, place] + self.moved.get((name, place), 0)) * turn

    def value(self, name: str, t: Any, slots: tuple[int, ...]) -> Any:
        if t["role"] == "pi":
            return self.real(lambda: +mpmath.pi)
        if name in self.given.definitions:
            letters, body = self.given.definitions[name].values()
            return self.walk(body, dict(zip((x for x, _ in letters), slots, strict=True)))
        if t["role"] in OF_MATRIX:
            n = range(self.size(self.given.tensors[t["of"][0]]["shape"][0]))
            if self.exact:
                raise Inexact
            matrix = mpmath.matrix([[self.ref(t["of"][0], (r, c)) for c in n] for r in n])
            if t["role"] == "inverse":
                return (matrix**-1)[slots]
            det = mpmath.det(matrix)
            return det if t["role"] == "det" else self.real(lambda: mpmath.log(abs(det)))
        if t["role"] == "place":
            return self.number(Fraction(slots[0]))
        if t["role"] == "loss":  # Σ w O² over all that it is a function of
            ranges = {
                o: [range(self.size(n)) for n in self.given.tensors[o]["shape"]] for o in t["of"]
            }
            parts = [(o, p) for o in t["of"] for p in tuples(*ranges[o])]
            drawn = (Random(f"{o}{p}").randint(1, 9) * self.ref(o, p) ** 2 for o, p in parts)
            return self.add(drawn)
        draw = Random(f"{self.seed} {name} {slots}")
        q = Fraction(draw.randint(1, 96), 61)
        return self.number(q if t["positive"] or draw.random() < 0.6 else -q)

    def partial(self, of: Tree, wrt: Tree, env: Env) -> Any:
        """A central difference with steps of 10^-15, good to 25 digits."""
        h = self.real(lambda: mpmath.mpf(10) ** -15)
        nested, place = ["d", of, wrt], list[Any]()
        while nested:
            name, slots = (nested[2] if nested[0] == "d" else nested)[1:]
            place += [name, *(self.slot(s, env) for s in slots)]
            nested = nested[1] if nested[0] == "d" else []
        key = tuple(place)
        if key in self.slopes and not self.moved:
            return self.slopes[key]
        _, name, slots = wrt
        at = tuple(self.slot(s, env) for s in slots)
        spot, turn = self.component(name, at)
        t = self.given.tensors[name]
        share = Fraction(turn, len(set(permutations(spot))) if t["symmetry"] else 1)
        kept, found = (self.moved, self.known, self.walked), []
        moved, known, _ = kept
        for step in (h, -h):
            self.moved = {**moved, (name, spot): moved.get((name, spot), 0) + step}
            roles = self.given.tensors
            self.known = {
                k: v for k, v in known.items()
                if roles[k[0]]["role"] == "input" and k[0] not in self.given.definitions
            }  # fmt: skip
            self.walked = {}
            found.append(self.walk(of, env))
        self.moved, self.known, self.walked = kept
        slope = (found[0] - found[1]) / (2 * h) * self.number(share)
        if not self.moved:
            self.slopes[key] = slope
        return slope


def small(names: Sequence[str]) -> Iterator[dict[str, int]]:
    """Sizes 1, sizes 2, and sizes that differ, in both orders."""
    yield dict.fromkeys(names, 1)
    yield dict.fromkeys(names, 2)
    for step in (1, -1):
        for start in (1, 2):
            yield {n: (k + start - 1) % 3 + 1 for k, n in enumerate(names[::step])}
