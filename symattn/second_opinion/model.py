"""Expressions as numbers: a walk through their trees, and values in finite fields.

Two expressions are equal by the laws of fields, roots, exponentials and logarithms when they agree
in `Field`s, whose sizes and indices are whole numbers, whose components are drawn from a field of
p elements, and where a Σ, a maximum or any other function is as good as drawn by its content: a
bound letter is a formal index, numbered by how many scopes it has inside.  In a field of p
elements, p = 2q + 1, squares are the positive numbers, e^x is 4^x with x among the q elements of
the next field, and log goes back; so e^{x + y} = e^x e^y, log xy = log x + log y, √x √y = √xy and
|x| |y| = |xy| hold there as they do for real numbers, and nothing holds by accident twice.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from functools import cache
from hashlib import blake2b
from itertools import chain, combinations, permutations, product
from math import factorial, prod
from random import Random
from typing import Any, TypeAlias

Tree: TypeAlias = Any  # JSON
Env: TypeAlias = Mapping[str, int]  # letters and the indices that they stand for

BINDERS = ("sum", "max", "argmax")
PRIMES = (71850239, 35925119, 17962559, 8981279, 4490639, 2245319, 1122659)  # p = 2q + 1, …
POWERS, WAYS = 64, 150  # of naming the letters of one scope that are gone through
BASE, FAR = 3, 1 << 40  # the field of an expression; multiples of FAR are formal indices
ODD = ("sin", "tan", "erf", "asin", "atan")


class Refused(Exception):
    """What the checker does not accept, in words."""


class Undefined(Exception):
    """No value here."""


class Values:
    """Values of trees: sizes are given, letters stand for indices."""

    def __init__(self, given: Any, sizes: Mapping[str, int], seed: Any) -> None:
        self.given, self.sizes, self.seed = given, sizes, seed

    def size(self, tree: Tree) -> int:
        """A size as a whole number."""
        match tree:
            case str():
                return int(tree)
            case ["ref", name, []]:
                return self.sizes[name]
            case ["pow", base, e]:
                return self.size(base) ** int(e)
            case ["add" | "mul", *parts]:
                found = map(self.fraction, parts)
                return int(sum(found) if tree[0] == "add" else prod(found))
        raise Refused(f"no size: {tree!r}")

    def fraction(self, tree: Tree) -> Any:
        return Fraction(tree) if isinstance(tree, str) else self.size(tree)

    def slot(self, slot: Tree, env: Env) -> int:
        """A letter, or ["affine", [[letter, coefficient], …], constant]."""
        if isinstance(slot, str):
            return env[slot]
        _, items, const = slot
        return sum(int(c) * env[x] for x, c in items) + self.size(const)

    def walk(self: Any, tree: Tree, env: Env) -> Any:
        """The value of an expression."""
        match tree:
            case str():
                return self.number(Fraction(tree))
            case ["add", *parts]:
                return self.add(self.walk(t, env) for t in parts)
            case ["mul", *parts]:
                return self.times(self.walk(t, env) for t in parts)
            case ["pow", base, e]:
                if abs(Fraction(e)) > POWERS:
                    raise Refused("a power is too large")
                return self.power(self.walk(base, env), Fraction(e))
            case ["ref", name, slots]:
                return self.ref(name, [self.slot(s, env) for s in slots])
            case ["d", of, wrt]:
                return self.partial(of, wrt, env)
            case ["delta", a, b, *n]:
                return self.truth(
                    "delta", self.slot(a, env) - self.slot(b, env), *map(self.size, n)
                )
            case ["mask", slot]:
                return self.truth("mask", self.slot(slot, env))
            case ["call", name, x]:
                return self.call(name, x, env)
            case ["unknown", name, orders, args]:
                return self.unknown(name, [*map(int, orders)], [self.walk(t, env) for t in args])
            case ["let", pairs, body]:  # the body of a definition at slots
                there = {x: self.wrapped(self.slot(s, env), self.size(n)) for x, n, s in pairs}
                return self.walk(body, {**env, **there})
            case ["sum" | "max" | "argmax", *_]:
                return self.bind(tree, env)
        raise Refused(f"no expression: {tree!r}")

    def component(self, name: str, slots: Sequence[int]) -> tuple[tuple[int, ...], int]:
        """The slots in range, in the order of a symmetry, and the sign of that order."""
        t = self.given.tensors[name]
        if len(slots) != len(t["shape"]):
            raise Refused(f"{name} has {len(t['shape'])} slots")
        found = [self.wrapped(s, self.size(n)) for s, n in zip(slots, t["shape"], strict=True)]
        if not t["symmetry"]:
            return tuple(found), 1
        odd = t["symmetry"] == "antisymmetric"
        return tuple(sorted(found)), parity(found) if odd else 1

    def wrapped(self, slot: int, n: int) -> int:
        """Indices count from the end, too."""
        near = (slot + FAR // 2) % FAR - FAR // 2
        return slot - near + near % n if n > 0 else slot


def parity(slots: Sequence[int]) -> int:
    """The sign of the order of slots, 0 where two are equal."""
    return prod((x < y) - (x > y) for x, y in combinations(slots, 2))


class Field(Values):
    """A generic instance, its components from a finite field."""

    level = BASE

    def __init__(self, given: Any, sizes: Mapping[str, int], seed: Any) -> None:
        super().__init__(given, sizes, seed)
        self.zeros: set[str] = set()  # where a step function begins

    @property
    def p(self) -> int:
        return PRIMES[self.level]

    def drawn(self, *content: Any, positive: bool = False) -> int:
        """An element by its content, a square where it is positive."""
        text = repr((self.seed, self.level, content)).encode()
        x = int.from_bytes(blake2b(text, digest_size=8).digest())
        x = x % (self.p - 1) + 1
        return x * x % self.p if positive else x

    def number(self, c: Fraction) -> int:
        return c.numerator * pow(c.denominator, -1, self.p) % self.p

    def add(self, parts: Iterable[int]) -> int:
        return sum(parts) % self.p

    def times(self, parts: Iterable[int]) -> int:
        found = 1
        for x in parts:
            found = found * x % self.p
        return found

    def square(self, x: int) -> bool:
        return pow(x, self.p // 2, self.p) == 1

    def power(self, x: int, e: Fraction) -> int:
        """x^e; a root of a square is a square."""
        if (not x and e < 0) or (x and e.denominator > 1 and not self.square(x)):
            raise Undefined
        q = self.p // 2
        k = int(e) if e.denominator == 1 else e.numerator * pow(e.denominator, -1, q) % q
        return pow(x, k, self.p)

    def at_level(self, by: int, tree: Tree, env: Env) -> int:
        """The value in the next field, or the one before."""
        self.level += by
        try:
            return int(self.walk(tree, env))
        finally:
            self.level -= by

    def call(self, name: str, tree: Tree, env: Env) -> int:
        if name == "exp" and self.level < len(PRIMES) - 1:
            return pow(4, self.at_level(1, tree, env), self.p)
        if name == "log" and self.level > 0:
            return logarithm(PRIMES[self.level - 1], self.at_level(-1, tree, env))
        if name in PLAINER:
            return self.walk(PLAINER[name](tree), env)
        x = self.walk(tree, env)
        if name in ("sin", "cos"):  # of the angle whose half has the tangent t, odd in x
            t = self.odd("angle", x)
            return self.times([2 * t if name == "sin" else 1 - t * t, pow(1 + t * t, -1, self.p)])
        if name == "step":
            self.zeros |= {f"step {tree}"} if not x else set()
            return int(not x or self.above(tree, env))
        if name == "abs":
            return x if self.above(tree, env) else -x % self.p
        return self.odd(name, x) if name in ODD else self.drawn(name, x)

    def odd(self, name: str, x: int) -> int:
        y = self.drawn(name, min(x, self.p - x)) if x else 0
        return y if x <= self.p - x else -y % self.p

    def unknown(self, name: str, orders: list[int], args: list[int]) -> int:
        return self.drawn("unknown", name, orders, args)

    def truth(self, kind: str, slot: int, n: int = 0) -> int:
        """[slot = 0], modulo n where it is given, or [slot ≥ 0]."""
        slot = self.wrapped(slot, n) if n and kind == "delta" else slot
        near = (slot + FAR // 2) % FAR - FAR // 2
        if near != slot:  # an index is formal
            return self.drawn(kind, n, min(slot, -slot) if kind == "delta" and not n else slot)
        return int(slot == 0 if kind == "delta" else slot >= 0)

    def ref(self, name: str, slots: list[int]) -> int:
        if name in self.sizes:
            return self.sizes[name] % self.p
        t = self.given.tensors[name]
        if t["role"] == "place":
            return slots[0] % self.p
        found, turn = self.component(name, slots)
        if t["role"] == "det":
            self.level += 1
            exponent, self.level = self.drawn(f"logdet({t['of'][0]})", ()), self.level - 1
            return pow(4, exponent, self.p)
        if (
            isinstance(self.seed, int) and self.seed % 4 == 3
        ):  # a small number, the same in all fields
            few = int(
                Random(f"{self.seed} {name} {found}").choice("123" if t["positive"] else "012")
            )
            return turn * (few if t["positive"] else few - 1) % self.p
        return turn * self.drawn(name, found, positive=t["positive"] or t["role"] == "pi") % self.p

    def partial(self, of: Tree, wrt: Tree, env: Env) -> int:
        """∂of/∂wrt as it stands; ∂²L/∂y∂x = ∂²L/∂x∂y."""
        parts = [wrt]
        while of[0] == "d":
            of, wrt = of[1:]
            parts.append(wrt)
        found, turn = [], 1
        for _, name, slots in (of, *parts):
            place, side = self.component(name, [self.slot(s, env) for s in slots])
            found.append((name, place))
            turn *= side
        return turn * self.drawn("d", found[0], sorted(found[1:])) % self.p

    def bind(self, tree: Tree, env: Env) -> int:
        """A Σ, a maximum or an indicator by its content, whatever the order of its letters."""
        kind, *at, pairs, body = tree
        if kind == "max" and not pairs:
            return self.larger(body, env)
        ranges, depth = [repr(n) for _, n in pairs], height(tree)
        order = sorted(range(len(pairs)), key=lambda k: ranges[k])
        ways = [order]
        if kind != "argmax" and prod(factorial(ranges.count(n)) for n in set(ranges)) <= WAYS:
            every = product(
                *(
                    {*permutations([k for k in order if ranges[k] == n])}
                    for n in sorted(set(ranges))
                )
            )
            ways = [[*chain.from_iterable(way)] for way in every]
        lengths = [self.size(pairs[k][1]) for k in order]
        inner = [self.drawn("formal", depth, k) * FAR for k in range(len(pairs))]
        bodies = body if kind == "max" else [body]
        found = []
        for way in ways:
            there = {**env, **{pairs[k][0]: i for k, i in zip(way, inner, strict=True)}}
            found.append([self.walk(t, there) for t in bodies])
        slots = [self.slot(at[0][k], env) for k in order] if at else []
        if kind != "sum":
            return self.drawn(kind, slots, lengths, sorted(map(sorted, found)))
        whole = self.add(x for (x,) in found)
        return self.odd(f"sum {lengths}", whole)

    def walk(self, tree: Tree, env: Env) -> int:
        return self.count(tree, env) if tree[0] == "count" else int(super().walk(tree, env))

    def count(self, tree: Tree, env: Env) -> int:
        """Σ over a letter of a mask with ±1 of it, or of a power of it as a number."""
        _, x, size, one = tree
        n = self.size(size)
        match one:
            case ["mask", ["affine", items, _] as slot] if [
                abs(int(d)) for y, d in items if y == x
            ] == [1]:
                first = self.slot(slot, {**env, x: 0})
                up = dict(items)[x] == "1"
                return n - min(max(-first, 0), n) if up else min(max(first + 1, 0), n)
            case ["ref", name, _]:
                one = ["pow", one, "1"]
        sums = {
            "1": n * (n - 1) // 2,
            "2": n * (n - 1) * (2 * n - 1) // 6,
            "3": (n * (n - 1) // 2) ** 2,
        }
        kind, [_, name, slots], e = one
        if kind != "pow" or self.given.tensors[name]["role"] != "place" or slots != [x]:
            raise Refused("it is not known how many these are")
        return sums[e] % self.p

    def above(self, tree: Tree, env: Env) -> bool:
        """x > 0: in the field of an expression it is a square, wherever it is asked for."""
        self.level, level = BASE, self.level
        try:
            return self.square(int(self.walk(tree, env)))
        finally:
            self.level = level

    def larger(self, parts: list[Tree], env: Env) -> int:
        """max(x, y) = y + (x − y) where x − y > 0."""
        args = [int(self.walk(t, env)) for t in parts]
        if len(args) != 2:
            return self.drawn("larger", sorted(set(args))) if len(set(args)) > 1 else args[0]
        return args[not self.above(["add", parts[0], negative(parts[1])], env)]


@cache
def powers(p: int) -> dict[int, int]:
    """4^k for k below √q, by value."""
    found, x = {}, 1
    for k in range(int((p // 2) ** 0.5) + 1):
        found[x] = k
        x = 4 * x % p
    return found


@cache
def logarithm(p: int, x: int) -> int:
    """k with 4^k = x."""
    table = powers(p)
    if not x or pow(x, p // 2, p) != 1:
        raise Undefined
    step = pow(4, -len(table), p)
    for k in range(len(table) + 1):
        if x in table:
            return (k * len(table) + table[x]) % (p // 2)
        x = x * step % p
    raise Undefined


def height(tree: Tree) -> int:
    """How many scopes are one in another."""
    if not isinstance(tree, list) or not tree:
        return 0
    return max(map(height, tree)) + (tree[0] in BINDERS)


def negative(x: Tree) -> Tree:
    return ["mul", "-1", x]


def exp(x: Tree) -> Tree:
    return ["call", "exp", x]


def over(x: Tree, y: Tree) -> Tree:
    return ["mul", x, ["pow", y, "-1"]]


PLAINER: dict[str, Any] = {
    "tan": lambda x: over(["call", "sin", x], ["call", "cos", x]),
    "sinh": lambda x: ["mul", "1/2", ["add", exp(x), negative(exp(negative(x)))]],
    "cosh": lambda x: ["mul", "1/2", ["add", exp(x), exp(negative(x))]],
    "tanh": lambda x: over(["add", exp(["mul", "2", x]), "-1"], ["add", exp(["mul", "2", x]), "1"]),
    "sigmoid": lambda x: ["pow", ["add", "1", exp(negative(x))], "-1"],
    "softplus": lambda x: ["call", "log", ["add", "1", exp(x)]],
}
