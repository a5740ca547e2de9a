"""Expressions as numbers of finite fields, at sizes that stand for all and at small ones.

Two expressions are equal by the laws of fields, roots, exponentials, logarithms and maxima when
they agree in drawn `Field`s.  A component is an element of a field of p elements, drawn by its name
and indices; a Σ or a function by its content, a bound letter being a formal index.  With p = 2q + 1
squares are the positive numbers, and e^x is 4^x with x among the q elements of the next field.  At
small sizes a Σ is a loop, a maximum what no other value is above, a definition its body.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from fractions import Fraction
from functools import cache, lru_cache
from hashlib import blake2b
from itertools import chain, combinations, groupby, permutations, product
from math import factorial, prod
from typing import Any, TypeAlias

Tree: TypeAlias = Any  # JSON
Env: TypeAlias = Mapping[str, int]  # letters and the indices that they stand for

BINDERS = ("sum", "max", "argmax")
PRIMES = (71850239, 35925119, 17962559, 8981279, 4490639, 2245319, 1122659)  # p = 2q + 1, …
POWERS, WAYS = 64, 150  # exponents; orders of the letters of one scope that are gone through
BASE, FAR = 3, 1 << 40  # the field of an expression; multiples of FAR are formal indices
ODD = ("erf", "asin", "atan")


number = lru_cache(1 << 12)(Fraction)  # as it is written


class Refused(Exception):
    """What the checker does not accept, in words."""


class Undefined(Exception):
    """No value here."""


class Field:
    """Values of trees: sizes are given, letters stand for indices, components are drawn."""

    def __init__(self, given: Any, sizes: Mapping[str, int], seed: int, small: bool = False):
        self.given, self.sizes, self.seed, self.small = given, sizes, seed, small
        self.level, self.p = BASE, PRIMES[BASE]
        self.zeros: set[str] = set()  # where a step function begins
        self.begins = ""  # a step function that is to be met where it begins
        self.asked: dict[str, bool] = {}  # what is drawn, and whether it is positive
        self.chosen: dict[str, int] = {}  # what is not drawn
        self.known: dict[Any, int] = {}  # components of definitions
        self.doubt = False  # whether what is positive is no square

    @contextmanager
    def at(self, level: int) -> Iterator[None]:
        """Values in another field."""
        back = self.level
        self.level, self.p = level, PRIMES[level]
        try:
            yield
        finally:
            self.level, self.p = back, PRIMES[back]

    def drawn(self, *content: Any, positive: bool = False) -> int:
        """An element by its content, a square where it is positive."""
        text = repr((self.seed, self.level, content))
        if self.level == BASE:
            self.asked[text] = positive
            if text in self.chosen:
                return self.chosen[text]
        x = int.from_bytes(blake2b(text.encode(), digest_size=8).digest()) % (self.p - 1) + 1
        return x * x % self.p if positive else x

    def vanish(self, tree: Tree, env: Env) -> None:
        """A drawn element so chosen that an expression is 0, where it is linear in one."""
        with self.at(BASE):
            self.asked.clear()
            if not self.walk(tree, env):
                return
            for text, positive in [*self.asked.items()]:
                with suppress(Undefined, ValueError):  # no value, or no slope
                    at_0, at_1 = (self.walk_with(text, x, tree, env) for x in (0, 1))
                    root = -at_0 * pow(at_1 - at_0, -1, self.p) % self.p
                    fine = self.square(root) or not positive
                    if fine and not self.walk_with(text, root, tree, env):
                        return
                del self.chosen[text]

    def walk_with(self, text: str, x: int, tree: Tree, env: Env) -> int:
        """The value of an expression where something drawn has that value."""
        self.chosen[text] = x
        return self.walk(tree, env)

    # ----------------------------------------------------------------------- sizes and indices

    def size(self, tree: Tree) -> int:
        """A size as a whole number."""
        found = self.ratio(tree)
        if found.denominator != 1:
            raise Undefined
        return int(found)

    def ratio(self, tree: Tree) -> Fraction | int:
        match tree:
            case str():
                return number(tree)
            case ["ref", name, []]:
                return self.sizes[name]
            case ["pow", base, e]:
                return Fraction(self.ratio(base)) ** int(e)
            case ["add", *parts]:
                return sum(map(self.ratio, parts))
            case ["mul", *parts]:
                return prod(map(self.ratio, parts))
        raise Refused(f"no size: {tree!r}")

    def slot(self, slot: Tree, env: Env) -> int:
        """A letter, or ["affine", [[letter, coefficient], …], constant]."""
        if isinstance(slot, str):
            return env[slot]
        _, items, const = slot
        return sum(int(c) * env[x] for x, c in items) + self.size(const)

    def wrapped(self, slot: int, n: int) -> int:
        """Indices count from the end, too."""
        near = (slot + FAR // 2) % FAR - FAR // 2
        return slot - near + near % n if n > 0 else slot

    def component(self, ref: Tree, env: Env) -> tuple[str, tuple[int, ...], int]:
        """A name, its slots in range, in the order of a symmetry, and the sign of that order."""
        _, name, slots = ref
        t = self.given.tensors[name]
        if len(slots) != len(t["shape"]):
            raise Refused(f"{name} has {len(t['shape'])} slots")
        pairs = zip(slots, t["shape"], strict=True)
        found = [self.wrapped(self.slot(s, env), self.size(n)) for s, n in pairs]
        if not t["symmetry"]:
            return name, tuple(found), 1
        return name, tuple(sorted(found)), parity(found) if t["symmetry"][:1] == "a" else 1

    # ------------------------------------------------------------------------------ expressions

    def walk(self, tree: Tree, env: Env, opened: Env | None = None) -> int:
        """The value of an expression; letters that are opened have an index each, where the
        expression is linear in their Σ, and the value is then the share of these indices."""
        match tree:
            case str():
                c = number(tree)
                return c.numerator * pow(c.denominator, -1, self.p) % self.p
            case ["add", *parts]:
                return sum(self.walk(t, env, opened) for t in parts) % self.p
            case ["mul", *parts]:
                found = 1
                for t in parts:
                    found = found * self.walk(t, env, opened) % self.p
                return found
            case ["sum", pairs, body] if opened and opened.keys() >= dict(pairs).keys():
                there = {**env, **{x: opened[x] for x, _ in pairs}}
                share = prod(self.size(n) for _, n in pairs)
                return share * self.walk(body, there, opened) % self.p
            case ["sum" | "max" | "argmax", *_]:
                return self.loop(tree, env) if self.small else self.bound(tree, env)
            case ["pow", base, e]:
                return self.power(self.walk(base, env), number(e))
            case ["ref", *_]:
                return self.ref(tree, env)
            case ["d", *_]:
                return self.partial(tree, env)
            case ["delta", a, b, *n]:
                return self.equal(self.slot(a, env) - self.slot(b, env), *map(self.size, n))
            case ["mask", slot]:
                x = self.slot(slot, env)
                return int(x >= 0) if abs(x) < FAR // 2 else self.drawn("mask", x)
            case ["call", name, *args]:
                return self.call(name, args, env)
            case ["unknown", name, orders, args]:
                return self.drawn(name, [*map(int, orders)], [self.walk(t, env) for t in args])
            case ["let", pairs, body]:  # a body at slots
                there = {x: self.wrapped(self.slot(s, env), self.size(n)) for x, n, s in pairs}
                return self.walk(body, {**env, **there})
        raise Refused(f"no expression: {tree!r}")

    def square(self, x: int) -> bool:
        return pow(x, self.p // 2, self.p) == 1

    def power(self, x: int, e: Fraction) -> int:
        """x^e; a root of a square is a square."""
        if abs(e) > POWERS:
            raise Refused("a power is too large")
        if (not x and e < 0) or (x and e.denominator > 1 and not self.square(x)):
            raise Undefined
        q = self.p // 2
        k = int(e) if e.denominator == 1 else e.numerator * pow(e.denominator, -1, q) % q
        return pow(x, k, self.p)

    def equal(self, slot: int, n: int = 0) -> int:
        """[slot = 0], modulo n where it is given."""
        slot = self.wrapped(slot, n)
        if abs(slot) < FAR // 2:
            return int(slot == 0)
        return self.drawn("delta", n, min(slot, self.wrapped(-slot, n)))  # an index is formal

    def ref(self, tree: Tree, env: Env) -> int:
        _, name, slots = tree
        if name in self.sizes:
            return self.sizes[name] % self.p
        t = self.given.tensors[name]
        if t["role"] == "place" and isinstance(slots[0], str):
            return self.slot(slots[0], env) % self.p
        _, place, turn = self.component(tree, env)
        if self.small and name in self.given.definitions:
            letters, body = (self.given.definitions[name][k] for k in ("letters", "body"))
            key = name, place, self.level
            if key not in self.known:
                self.known[key] = self.walk(body, dict(zip(dict(letters), place, strict=True)))
            return turn * self.known[key] % self.p
        if t["role"] == "det":
            with self.at(self.level + 1):
                exponent = self.drawn(f"logdet({t['of'][0]})", ())
            return pow(4, exponent, self.p) * (-1) ** self.drawn(name)
        sign = "+" if t["role"] == "pi" else t["sign"]
        turn *= -1 if sign in ("-", "0-") else 1
        if self.seed % 4 == 3:  # a small number, the same in all fields
            with self.at(BASE):
                few = self.drawn(name, place) % 3
            least = {"": -1, "≠": -1, "0+": 0, "0-": 0}.get(sign, 1)
            return turn * (few + least or sign == "≠") % self.p
        return turn * self.drawn(name, place, positive=sign not in ("", "≠")) % self.p

    def partial(self, tree: Tree, env: Env) -> int:
        """∂of/∂wrt as it stands; ∂²L/∂y∂x = ∂²L/∂x∂y."""
        parts = []
        while tree[0] == "d":
            tree, wrt = tree[1:]
            parts.append(wrt)
        (*of, turn), *found = (self.component(t, env) for t in (tree, *parts))
        turn *= prod(side for *_, side in found)
        return turn * self.drawn("d", of, sorted(x[:2] for x in found)) % self.p

    # -------------------------------------------------------------------------------- functions

    def call(self, name: str, args: Sequence[Tree], env: Env) -> int:
        level, p, (tree, *others) = self.level, self.p, args
        if name == "exp" and level < len(PRIMES) - 1:
            with self.at(level + 1):
                return pow(4, self.walk(tree, env), p)
        if name == "log" and level > 0:
            with self.at(level - 1):
                return logarithm(self.p, self.walk(tree, env))
        if (plainer := self.given.written_out(name, args)) is not None:
            return self.walk(plainer, env)
        x = self.walk(tree, env)
        if name in ("sin", "cos"):  # of the angle whose half has the tangent t, odd in x
            t = self.odd("angle", x)
            return (2 * t if name == "sin" else 1 - t * t) * pow(1 + t * t, -1, p) % p
        if name == "step":
            text = f"step {self.given.plain(tree)}"
            if text == self.begins:
                self.vanish(tree, env)
            with self.at(BASE):
                x = self.walk(tree, env)
            self.zeros |= {text} if not x else set()
            return int(not x or self.above(tree, env))
        if name == "abs":
            return x if self.above(tree, env) else -x % p
        if name in ODD:
            return self.odd(name, x)
        return self.drawn(name, x, *(self.walk(t, env) for t in others))

    def odd(self, name: str, x: int) -> int:
        y = self.drawn(name, min(x, self.p - x)) if x else 0
        return y if x <= self.p - x else -y % self.p

    def above(self, tree: Tree, env: Env) -> bool:
        """x > 0: in the field of an expression it is a square, wherever it is asked for."""
        with self.at(BASE):
            return self.square(self.walk(tree, env))

    # ----------------------------------------------------------------------------------- scopes

    def bound(self, tree: Tree, env: Env) -> int:
        """A Σ, a maximum or an indicator; by its content, whatever the order of its letters."""
        kind, *at, pairs, body = tree
        if kind == "max":
            rows = list(flat(tree))
            if len(rows) > 1 or not rows[0][0]:
                tops = [["max", own, [t]] if own else t for own, t in rows]
                return self.walk(*self.largest([(t, env) for t in tops]))
            ((pairs, body),) = rows
        order = sorted(pairs, key=lambda pair: repr(pair[1]))
        alike = [list(group) for _, group in groupby(order, key=lambda pair: repr(pair[1]))]
        ways = [order]
        if kind != "argmax" and prod(factorial(len(group)) for group in alike) <= WAYS:
            ways = [[*chain(*way)] for way in product(*map(permutations, alike))]
        depth, lengths = height(body, {x for x, _ in order}), [self.size(n) for _, n in order]

        def values(point: int) -> list[int]:
            inner = [self.drawn("formal", depth, point, k) * FAR for k in range(len(order))]
            names = ([x for x, _ in way] for way in ways)
            return [self.walk(body, {**env, **dict(zip(x, inner, strict=True))}) for x in names]

        found = values(0)
        if kind == "sum":
            x = self.odd(f"sum {lengths}", sum(found) % self.p)
            return -x % self.p if self.given.sign(tree) == 2 and not self.square(x) else x
        # by its shape: max(c x + r) = c max x + r for c ≥ 0
        share = pow(len(ways), -1, self.p)
        start, unit = sum(found) * share, (sum(values(1)) - sum(found)) * share % self.p
        with self.at(BASE):
            unit *= 1 if self.square(sum(values(1)) - sum(values(0))) else -1
        shape = sorted((x - start) * pow(unit, -1, self.p) % self.p for x in values(2) if unit)
        if kind == "max":
            return (start + unit * self.drawn("max", lengths, shape)) % self.p
        slots = {x: self.slot(s, env) for (x, _), s in zip(pairs, at[0], strict=True)}
        return self.drawn("argmax", [slots[x] for x, _ in order], lengths, shape)

    def loop(self, tree: Tree, env: Env) -> int:
        """The same at small sizes."""
        kind, *at, pairs, body = tree
        names = list(dict(pairs))
        points = product(*(range(self.size(n)) for _, n in pairs))
        scopes = [{**env, **dict(zip(names, point, strict=True))} for point in points]
        if kind == "sum":
            x = sum(self.walk(body, there) for there in scopes) % self.p
            self.doubt |= self.given.sign(tree) > 0 and not self.square(x) and x > 0
            return x
        best, there = self.largest(
            [(t, there) for there in scopes for t in (body if kind == "max" else [body])]
        )
        if kind == "max":
            return self.walk(best, there)
        return int([there[x] for x in names] == [self.slot(s, env) for s in at[0]])

    def largest(self, rows: Sequence[tuple[Tree, Env]]) -> tuple[Tree, Env]:
        """What is above all others, if anything is."""
        with self.at(BASE):
            values = [self.walk(*row) for row in rows]
            for (tree, _), x in zip(rows, values, strict=True):
                if x and not self.square(x) and self.given.sign(tree):
                    raise Undefined  # sums of squares that are none
            for row, x in zip(rows, values, strict=True):
                if all(x == y or self.square(x - y) for y in values):
                    return row
        raise Undefined


def flat(tree: Tree) -> Iterator[tuple[Tree, Tree]]:
    """What a maximum is the largest of, those in it opened, with the letters that occur."""
    _, pairs, args = tree
    for t in args:
        for inner, body in flat(t) if t[0] == "max" else [([], t)]:
            letters = {**dict(pairs), **dict(inner)}
            used = letters_of(body)
            yield [[x, n] for x, n in letters.items() if x in used], body


def nodes(tree: Any) -> Iterator[Tree]:
    """The lists in a tree that begin with a name."""
    if isinstance(tree, list) and tree and isinstance(tree[0], str):
        yield tree
    if isinstance(tree, list | dict):
        for part in tree.values() if isinstance(tree, dict) else tree:
            yield from nodes(part)


def letters_of(tree: Tree) -> list[str]:
    """The letters of a tree in the order in which they occur."""
    if not isinstance(tree, list):
        return [tree] if isinstance(tree, str) and tree[:1] == "@" else []
    return list(dict.fromkeys(x for part in tree for x in letters_of(part)))


def height(tree: Tree, letters: set[str]) -> int:
    """How many scopes that letters occur in are one in another."""
    if not isinstance(tree, list) or not tree:
        return 0
    found = max(height(t, letters) for t in tree)
    if tree[0] in BINDERS and not letters.isdisjoint(letters_of(tree)):
        found = max(found, 1 + height(tree[-1], {x for x, _ in tree[-2]}))
    return found


def parity(slots: Sequence[int]) -> int:
    """The sign of the order of slots, 0 where two are equal."""
    return prod((x < y) - (x > y) for x, y in combinations(slots, 2))


@cache
def powers(p: int) -> dict[int, int]:
    """4^k for k below √q, by value."""
    return {pow(4, k, p): k for k in range(int((p // 2) ** 0.5) + 1)}


@cache
def logarithm(p: int, x: int) -> int:
    """k with 4^k = x."""
    table = powers(p)
    step = pow(4, -len(table), p)
    for k in range(len(table) + 1):
        if x in table:
            return (k * len(table) + table[x]) % (p // 2)
        x = x * step % p
    raise Undefined


def put(tree: Tree, *args: Tree) -> Tree:
    """The tree with expressions in place of x, y, z."""
    if isinstance(tree, str):
        return dict(zip("xyz", args, strict=False)).get(tree, tree)
    return [put(t, *args) for t in tree]


UP, DOWN = ["call", "exp", "x"], ["call", "exp", ["mul", "-1", "x"]]
PLAINER: dict[str, Tree] = {
    "tan": ["mul", ["call", "sin", "x"], ["pow", ["call", "cos", "x"], "-1"]],
    "sinh": ["mul", "1/2", ["add", UP, ["mul", "-1", DOWN]]],
    "cosh": ["mul", "1/2", ["add", UP, DOWN]],
    "tanh": ["add", "1", ["mul", "-2", ["pow", ["add", "1", ["pow", UP, "2"]], "-1"]]],
    "sigmoid": ["pow", ["add", "1", DOWN], "-1"],
    "softplus": ["call", "log", ["add", "1", UP]],
}
