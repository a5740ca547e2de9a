"""The laws of the steps: before = after by values in fields, at places that the step names."""

from __future__ import annotations

from collections.abc import Callable
from itertools import chain
from random import Random
from typing import Any, TypeAlias

from .fields import Env, Field, Refused, Tree, Undefined, letters_of, negative, nodes
from .given import Given, names_in

Sizes: TypeAlias = dict[str, Tree]  # letters and their ranges
Value: TypeAlias = Callable[[Field, Env], int]
TRIES, FEW, MANY = 900, 8, 72  # fields that are tried, and that have to agree
BENT = {"delta", "mask", "affine", "abs", "max", "argmax", "step"}  # whose values vary by case


def drawn(given: Given, scope: Sizes, slots: Tree, k: int) -> tuple[Field, dict[str, int]]:
    """Sizes and components large and small; letters equal, at the ends of ranges, and where one
    of the slots changes its sign."""
    draw, most = Random(k), (12, 10**6, 10**6, 3, 10**6, 10**6)[k % 6]
    said = [abs(int(c)) for c in chain(*slots) if isinstance(c, str) and c.lstrip("-").isdigit()]
    sizes = dict[str, int]()
    for s in given.sizes:
        near = draw.choice([*sizes.values(), *said, 0]) + draw.randint(-2, 2)
        sizes[s] = max(1, near) if draw.random() < 0.3 else draw.randint(1, most)
    field, far = Field(given, sizes, k), draw.randint(0, most)
    env = dict[str, int]()
    for x, size in scope.items():
        n = field.size(size)
        if n < 1:
            raise Undefined  # an empty range
        ends = [
            -int(c) * field.slot(slot, {**dict.fromkeys(scope, 0), **env, x: 0})
            for slot in slots
            for y, c in slot[1]
            if y == x and c in ("1", "-1") and scope.keys() >= dict(slot[1]).keys()
        ]
        other = draw.choice([*env.values(), *ends, far, 0, n - 1])
        env[x] = (other + draw.choice((0, 0, 0, 1, -1))) % n
    return field, env


def agree(given: Given, scope: Sizes, left: Value, right: Value, *trees: Tree) -> bool:
    """Both values are the same in every field, whatever the cases that occur in these trees."""
    parts = [t for tree in trees for t in nodes(tree)]
    kinds = {t[1] if t[0] == "call" else t[0] for t in parts}
    steps = {f"step {t[2]}" for t in parts if t[:2] == ["call", "step"]}
    slots = [t for t in parts if t[0] == "affine"]
    alike = len({repr(n) for n in scope.values()}) < len(scope)  # letters that may be equal
    found, enough = 0, MANY if kinds & BENT else FEW * (1 + alike)
    for k in range(TRIES):
        try:
            field, env = drawn(given, scope, slots, k)
            if (left(field, env) - right(field, env)) % field.p:
                return False
        except (Undefined, ValueError):  # an empty range or a division by 0
            continue
        found, steps = found + 1, steps - field.zeros
        if found >= enough and not steps:
            return True
    raise Refused("it is defined nowhere, or a step has no point where it begins")


def opened(tree: Tree, known: set[str]) -> Sizes:
    """The ranges of the letters whose Σ is opened, one Σ of a letter in every product."""
    match tree:
        case ["add", *parts]:
            found = [opened(t, known) for t in parts]
        case ["mul", *parts]:
            found = [opened(t, known) for t in parts]
            if len(set(chain(*found))) < sum(map(len, found)):
                raise Refused("a letter is bound twice")
        case ["sum", pairs, body] if dict(pairs).keys() <= known:
            found = [dict(pairs), opened(body, known)]
            if found[0].keys() & found[1].keys():
                raise Refused("a letter is bound twice")
        case _:
            found = []
    return joined(*found)


def joined(*parts: Sizes) -> Sizes:
    """Letters of the same ranges."""
    found: Sizes = {}
    for letters in parts:
        if any(found.get(x, n) != n for x, n in letters.items()):
            raise Refused("a letter has two ranges")
        found |= letters
    return found


class Law:
    """One step: the part of an expression before and after, and the letters around it."""

    def __init__(self, given: Given, step: Tree, scope: Sizes, turned: bool = False) -> None:
        self.given, self.step, self.scope = given, step, scope
        sides = step["before"], step["after"]
        self.before, self.after = sides[::-1] if turned else sides

    def same(self, left: Tree, right: Tree, *pairs: Tree) -> bool:
        """Two expressions are equal in all fields, with these letters around them, too."""
        if self.scope.keys() & dict(pairs).keys():
            raise Refused("a letter is bound twice")
        walks = (lambda field, env, t=t: field.walk(t, env) for t in (left, right))
        return agree(self.given, self.scope | dict(pairs), *walks, left, right)

    def normal(self) -> bool:
        return self.same(self.before, self.after)

    def sums(self, x: str = "", slot: Tree = "") -> bool:
        """Σ of sums and products: terms apart and together, what shares no letters, Σ_j 1 = n."""
        known = set(self.step["letters"])
        letters = joined(*(opened(t, known) for t in (self.before, self.after)))
        if letters.keys() != known or known & self.scope.keys():
            raise Refused("other letters are summed over")
        for n in letters.values():
            if self.given.least(n) < 0 and n not in self.given.ranges:
                raise Refused("a range may be less than empty")
        lost = bool(x) and x not in letters_of(slot)

        def at(field: Field, env: Env, there: bool) -> Env:
            share = {y: env[y] for y in letters}
            return {**share, x: field.slot(slot, env) % field.size(letters[x])} if there else share

        def side(field: Field, env: Env, tree: Tree, there: bool) -> int:
            outer = {y: env[y] for y in self.scope}
            return field.walk(tree, outer, at(field, env, there))

        def left(field: Field, env: Env) -> int:
            return side(field, env, self.before, lost)

        def right(field: Field, env: Env) -> int:
            share = field.size(letters[x]) if lost else 1
            return share * side(field, env, self.after, bool(x) and not lost)

        def elsewhere(field: Field, env: Env) -> int:
            there = at(field, env, True)[x] == env[x]
            return 0 if there else side(field, env, self.before, False)

        scope, trees = self.scope | letters, [self.before, self.after, *[["mask", slot]] * lost]
        return agree(self.given, scope, left, right, *trees) and (
            not lost or agree(self.given, scope, elsewhere, lambda field, env: 0, *trees)
        )

    def index(self) -> bool:
        """Σ_j f_j = f_s where f_j = 0 for all other j; Σ_j f(s_j) = Σ_j f(j) for s_j = ±j + …."""
        x, slot = self.step["letter"], self.step["slot"]
        turns = [slot] * 2 if slot == x else slot[1] if slot[0] == "affine" else []
        if x in letters_of(slot) and [abs(int(c)) for y, c in turns if y == x] != [1]:
            raise Refused("it is no index that takes every value once")
        return self.sums(x, slot)

    def telescope(self) -> bool:
        """Σ_j (f_{j+1} − f_j) = f_n − f_0 for masks and numbers f."""
        f, ((x, n),) = self.step["whole"], self.before[1]
        kinds = {t[0] for t in nodes(f) if t[0][:1] != "@"}
        roles = {self.given.tensors[t]["role"] for t in names_in(f) - {*self.given.sizes}}
        plain = kinds <= {"affine", "mask", "add", "mul", "pow", "ref"} and roles <= {"place"}
        if not plain or self.given.least(n) < 0:
            raise Refused("it is no sum of differences")
        inner, trees = self.scope | {x: n}, [f, self.before[2], ["mask", x]]
        ends = [self.after, ["mask", x]]
        for _, items, const in (t for t in nodes(f) if t[0] == "affine"):  # at 0 and at n
            others, c = [[y, d] for y, d in items if y != x], dict(items).get(x, "0")
            ends += [["affine", others, const], ["affine", others, ["add", const, ["mul", c, n]]]]

        def gap(field: Field, env: Env, first: int, last: int) -> int:
            return field.walk(f, {**env, x: last}) - field.walk(f, {**env, x: first})

        return agree(
            self.given, inner,
            lambda field, env: field.walk(self.before[2], env),
            lambda field, env: gap(field, env, env[x], env[x] + 1), *trees,
        ) and agree(
            self.given, self.scope,
            lambda field, env: field.walk(self.after, env),
            lambda field, env: gap(field, env, 0, field.size(n)), *ends,
        )  # fmt: skip

    def attained(self) -> bool:
        """Σ_j [j = argmax_k x_k] = 1 and Σ_j [j = argmax_k x_k] x_j = max_k x_k."""
        kind, slots, inner, body = self.step["indicator"]
        _, pairs, summed = self.before
        ranges = [[s, n] for s, (_, n) in zip(slots, inner, strict=True)]
        if kind != "argmax" or ranges != pairs or {*slots} & {*letters_of(body)}:
            raise Refused("it is not summed over the places of the largest value")
        here = ["let", [[x, n, s] for s, (x, n) in zip(slots, inner, strict=True)], body]
        hot, top = self.step["indicator"], ["max", inner, [body]]
        if self.same(summed, hot, *pairs):
            return self.same(self.after, "1")
        return self.same(summed, ["mul", hot, here], *pairs) and self.same(self.after, top)

    def larger(self) -> bool:
        """max(x, x + g, …) = max(x + g, …) for g ≥ 0."""
        (_, pairs, [low, *others]), gap = self.before, self.step["gap"]
        return (
            self.given.sign(gap) > 0
            and self.same(others[0], ["add", low, gap], *pairs)
            and self.same(self.after, ["max", pairs, others])
        )

    def fact(self) -> bool:
        """An instance of a fact or a definition: its letters at indices from outside."""
        fact, said = self.given.facts[self.step["law"], self.step["of"]], self.step["instance"]
        if said.keys() != dict(fact["letters"]).keys():
            raise Refused("it is no instance")
        pairs = [[x, n, said[x]] for x, n in fact["letters"]]
        left, right = (["let", pairs, fact[k]] for k in ("lhs", "rhs"))
        return self.same(left, self.before) and self.same(right, self.after)

    def derivative(self) -> bool:
        """∂of/∂wrt by the chain rule, the definition of `of` opened."""
        kind, of, wrt = self.before
        base, said = of, self.step["body"]
        while base[0] == "d":
            base = base[1]
        for (law, _), fact in self.given.facts.items():  # ∂/∂x where a fact ties x to other inputs
            names = names_in([fact["lhs"], fact["rhs"]])
            ties = (names - {wrt[1]}) & self.given.behind(base[1])
            if law == "fact" and wrt[1] in names and ties:
                raise Refused("a fact ties what is held fixed")
        if said:
            body = self.given.definitions[base[1]]
            if not Law(self.given, self.step, dict(body["letters"])).same(body["body"], said):
                raise Refused("the definition is another one")
        return kind == "d" and self.same(self.given.derivative(of, wrt, said), self.after)

    def angles(self) -> bool:
        """sin(p + q) = sin p cos q + cos p sin q, cos(p + q) = cos p cos q − sin p sin q."""
        name, (p, q) = self.before[1], self.step["terms"]
        sp, cp, sq, cq = (["call", f, t] for t in (p, q) for f in ("sin", "cos"))
        found = {
            "sin": ["add", ["mul", sp, cq], ["mul", cp, sq]],
            "cos": ["add", ["mul", cp, cq], negative(["mul", sp, sq])],
        }
        return self.same(self.before[2], ["add", p, q]) and self.same(found[name], self.after)


OWN: dict[str, tuple[Any, set[str]]] = {
    "normal form": (Law.normal, set()),
    "sums": (Law.sums, {"letters"}),
    "index": (Law.index, {"letters", "letter", "slot"}),
    "telescope": (Law.telescope, {"whole"}),
    "argmax": (Law.attained, {"indicator"}),
    "larger": (Law.larger, {"gap"}),
    "definition": (Law.fact, {"of", "instance"}),
    "fact": (Law.fact, {"of", "instance"}),
    "inverse": (Law.fact, {"of", "instance"}),
    "derivative": (Law.derivative, {"body"}),
    "angles apart": (Law.angles, {"terms"}),
}
