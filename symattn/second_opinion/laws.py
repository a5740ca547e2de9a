"""The laws of the steps: before = after by values in fields, at places that the step names."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from re import findall
from typing import Any, TypeAlias

from .fields import Env, Field, Refused, Tree, Undefined, letters_of, nodes, number, put
from .given import Given, names_in

Sizes: TypeAlias = dict[str, Tree]  # letters and their ranges
Value: TypeAlias = Callable[[Field, Env], int]
TRIES, FEW, MANY = 900, 8, 72  # fields that are tried, and that have to agree
RISING = {"exp", "log", "sinh", "tanh", "sigmoid", "softplus", "erf", "asin", "atan"}
BENT = {"delta", "mask", "affine", "abs", "max", "argmax", "step"}  # whose values vary by case


def drawn(given: Given, scope: Sizes, slots: Tree, k: int) -> tuple[Field, dict[str, int]]:
    """Sizes and components large and small; letters equal, at the ends of ranges, and where one
    of the slots changes its sign."""
    draw, most = Random(k), (12, 10**6, 10**6, 3, 10**6, 10**6)[k % 6]
    said = [*map(int, findall(r"\b\d+\b", repr(slots)))]
    sizes = dict[str, int]()
    for s in given.sizes:
        near = draw.choice([*sizes.values(), *said, 0]) + draw.randint(-2, 2)
        sizes[s] = max(1, near) if draw.random() < 0.3 else draw.randint(1, most)
    field, far, env = Field(given, sizes, k), draw.randint(0, most), dict[str, int]()
    for x, size in scope.items():
        n, known = field.size(size), {**dict.fromkeys(scope, 0), **env, x: 0}
        if n < 1:
            raise Undefined  # an empty range
        ends = [
            -int(c) * field.slot(slot, known)
            for slot in slots
            for y, c in slot[1]
            if y == x and scope.keys() >= dict(slot[1]).keys()
        ]
        other = draw.choice([*env.values(), *ends, far, 0, n - 1])
        env[x] = (other + draw.choice((0, 0, 0, 1, -1))) % n
    return field, env


def opened(tree: Tree, known: set[str]) -> Sizes:
    """The ranges of the letters whose Σ is opened, one Σ of a letter in every product."""
    match tree:
        case ["add", *parts]:
            return joined(*(opened(t, known) for t in parts))
        case ["mul", *parts]:
            return joined(*(opened(t, known) for t in parts), apart=True)
        case ["sum", pairs, body] if dict(pairs).keys() <= known:
            return joined(dict(pairs), opened(body, known), apart=True)
    return {}


def joined(*parts: Sizes, apart: bool = False) -> Sizes:
    """Letters of the same ranges."""
    found: Sizes = {}
    for letters in parts:
        if any(apart or found[x] != letters[x] for x in found.keys() & letters.keys()):
            raise Refused("a letter is bound twice")
        found |= letters
    return found


class Law:
    """One step: the part of an expression before and after, and the letters around it."""

    def __init__(self, given: Given, step: Tree, scope: Sizes, turned: bool = False) -> None:
        self.given, self.step, self.scope = given, step, scope
        sides = step["before"], step["after"]
        self.before, self.after = sides[::-1] if turned else sides

    def agree(self, left: Value, right: Value, trees: Tree, letters: Sizes) -> bool:
        """Both values are the same in every field, whatever the cases that occur in these trees;
        more letters stand around them."""
        if self.scope.keys() & letters.keys():
            raise Refused("a letter is bound twice")
        scope, parts = self.scope | letters, list(nodes(self.given.plain(trees)))
        kinds = {t[1] if t[0] == "call" else t[0] for t in parts}
        steps = {f"step {t[2]}" for t in parts if t[:2] == ["call", "step"]}
        slots = [t for t in parts if t[0] == "affine"]
        alike = len({repr(n) for n in scope.values()}) < len(scope)  # letters that may be equal
        found, enough = 0, MANY if kinds & BENT else FEW * (1 + alike)
        for k in range(TRIES):
            try:
                field, env = drawn(self.given, scope, slots, k)
                if steps and found >= enough:  # what else is to be seen
                    field.begins = sorted(steps)[k % len(steps)]
                    left(field, env), right(field, env)
                    field.begins = ""
                if (left(field, env) - right(field, env)) % field.p:
                    return False
            except (Undefined, ValueError):  # an empty range or a division by 0
                continue
            found, steps = found + 1, steps - field.zeros
            if found >= enough and not steps:
                return True
        raise Refused("it is defined nowhere, or a step has no point where it begins")

    def same(self, left: Tree, right: Tree, *pairs: Tree) -> bool:
        """Two expressions are equal in all fields."""
        one, two = (lambda field, env, t=t: field.walk(t, env) for t in (left, right))
        return self.agree(one, two, [left, right], dict(pairs))

    def normal(self) -> bool:
        """By the laws of fields, roots, exponentials, logarithms, maxima."""
        return self.same(self.before, self.after)

    def sums(self) -> bool:
        """Σ of sums and products: terms apart and together, what shares no letters, Σ_j 1 = n;
        Σ_j f_j = f_s where f_j = 0 for all other j; Σ_j f(s_j) = Σ_j f(j) for s_j = ±j + …."""
        x, slot = (self.step.get(k, "") for k in ("letter", "slot"))
        known = set(self.step["letters"])
        letters = joined(*(opened(t, known) for t in (self.before, self.after)))
        if letters.keys() != known:
            raise Refused("other letters are summed over")
        for n in letters.values():
            if self.given.least(n) < 0 and n not in self.given.ranges:
                raise Refused("a range may be less than empty")
        turns = [abs(int(c)) for y, c in (slot[1] if slot[:1] == ["affine"] else []) if y == x]
        if x in letters_of(slot) and turns != [1]:
            raise Refused("it is no index that takes every value once")

        lost, kept = x not in letters_of(slot), letters.keys() - {x}

        def share(tree: Tree, at: Tree) -> Value:
            def value(field: Field, env: Env) -> int:
                there = {y: env[y] for y in kept}
                if at:
                    there[x] = field.slot(at, env) % field.size(letters[x])
                return field.walk(tree, {y: env[y] for y in self.scope}, there)

            return value

        def put(field: Field, env: Env) -> int:
            there = field.equal(env[x] - field.slot(slot, env), field.size(letters[x]))
            return there * share(["mul", letters[x], self.after], "")(field, env)

        right = put if x and lost else share(self.after, slot)
        trees = [self.before, self.after, slot]
        return self.agree(share(self.before, x), right, trees, letters)

    def telescope(self) -> bool:
        """Σ_j (f_{j+1} − f_j) = f_n − f_0 for masks and numbers f."""
        f, ((x, n),) = self.step["whole"], self.before[1]
        kinds = {t[0] for t in nodes(f) if t[0][:1] != "@"}
        roles = {self.given.tensors[t]["role"] for t in names_in(f) - {*self.given.sizes}}
        plain = kinds <= {"affine", "mask", "add", "mul", "pow", "ref"} and roles <= {"place"}
        if not plain or self.given.least(n) < 0:
            raise Refused("it is no sum of differences")

        def gap(field: Field, env: Env, first: int, last: int) -> int:
            return field.walk(f, {**env, x: last}) - field.walk(f, {**env, x: first})

        ends = [self.after, ["mask", x]]
        for _, items, const in (t for t in nodes(f) if t[0] == "affine"):  # at 0 and at n
            others, c = [[y, d] for y, d in items if y != x], dict(items).get(x, "0")
            ends += [["affine", others, const], ["affine", others, ["add", const, ["mul", c, n]]]]
        return self.agree(
            lambda field, env: field.walk(self.before[2], env),
            lambda field, env: gap(field, env, env[x], env[x] + 1),
            [f, self.before[2], ["mask", x]], {x: n},
        ) and self.agree(
            lambda field, env: field.walk(self.after, env),
            lambda field, env: gap(field, env, 0, field.size(n)), ends, {},
        )  # fmt: skip

    def attained(self) -> bool:
        """Σ_j [j = argmax_k x_k] = 1 and Σ_j [j = argmax_k x_k] x_j = max_k x_k."""
        hot, (_, pairs, summed) = self.step["indicator"], self.before
        kind, slots, inner, body = hot
        ranges = [[s, n] for s, (_, n) in zip(slots, inner, strict=True)]
        if kind != "argmax" or ranges != pairs or {*slots} & {*letters_of(body)}:
            raise Refused("it is not summed over the places of the largest value")
        here = ["let", [[x, n, s] for s, (x, n) in zip(slots, inner, strict=True)], body]
        if self.same(summed, hot, *pairs):
            return self.same(self.after, "1")
        top = ["max", inner, [body]]
        return self.same(summed, ["mul", hot, here], *pairs) and self.same(self.after, top)

    def turned(self) -> bool:
        """max_j f(s_j) = max_j f(j), for an s_j = ±j + … that takes every value once."""
        (kind, pairs, [body]), (same, others, [after]) = self.before, self.after
        x, slot = self.step["letter"], self.step["slot"]
        own = [abs(int(c)) for y, c in (slot[1] if slot[:1] == ["affine"] else []) if y == x]
        if kind != "max" or [kind, pairs] != [same, others] or own != [1]:
            raise Refused("it is no index that takes every value once")
        there = [[y, n, slot] for y, n in pairs if y == x]
        return len(there) == 1 and self.same(body, ["let", there, after], *pairs)

    def larger(self) -> bool:
        """max(x, …, x + g, …) = max(…, x + g, …) for g ≥ 0."""
        (_, pairs, [low, *others]), gap = self.before, self.step["gap"]
        above = self.given.sign(gap) and any(self.same(t, ["add", low, gap]) for t in others)
        return bool(above) and not pairs and self.same(self.after, ["max", [], others])

    def increasing(self) -> bool:
        """max f(x) = f(max x), and the argmax of f(x) is that of x, for an increasing f."""
        f, args, (kind, *at, pairs, body) = self.step["whole"], self.step["terms"], self.before
        bodies = body if kind == "max" else [body]
        if kind not in ("max", "argmax") or self.rises(f, args) != 1:
            raise Refused("it is no increasing function of what is compared")
        top = ["max", pairs, args] if kind == "max" else [kind, *at, pairs, *args]
        each = zip(bodies, args, strict=True)
        fine = self.same(put(f, top) if kind == "max" else top, self.after)
        return fine and all(self.same(put(f, x), t, *pairs) for t, x in each)

    def rises(self, f: Tree, args: Tree) -> int:
        """1 where f(x) increases with x wherever it is defined, −1 where it falls, 0 if unknown;
        `args` are the values of x that occur."""
        match f:
            case "x":
                return 1
            case ["mul", str(c), g] if c != "x":
                return self.rises(g, args) * ((number(c) > 0) - (number(c) < 0))
            case ["call", name, g] if name in RISING:
                return self.rises(g, args)
            case ["pow", g, e] if number(e) > 0:
                odd = number(e).denominator == 1 and number(e) % 2 == 1
                above = number(e).denominator > 1 or all(self.given.sign(put(g, x)) for x in args)
                return self.rises(g, args) if odd or above else 0
        return 0

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
        for (law, _), fact in self.given.facts.items():
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
        up, right, above, far = (["call", f, t] for t in (p, q) for f in ("sin", "cos"))
        one, two = (["mul", up, far], ["mul", right, above])
        if name == "cos":
            one, two = (["mul", right, far], ["mul", "-1", up, above])
        fine = name in ("sin", "cos") and self.same(self.before[2], ["add", p, q])
        return fine and self.same(["add", one, two], self.after)


OWN: dict[str, tuple[Any, set[str]]] = {
    "normal form": (Law.normal, set()),
    "sums": (Law.sums, {"letters"}),
    "index": (Law.sums, {"letters", "letter", "slot"}),
    "telescope": (Law.telescope, {"whole"}),
    "argmax": (Law.attained, {"indicator"}),
    "larger": (Law.larger, {"gap"}),
    "turn": (Law.turned, {"letter", "slot"}),
    "increasing": (Law.increasing, {"whole", "terms"}),
    "definition": (Law.fact, {"of", "instance"}),
    "fact": (Law.fact, {"of", "instance"}),
    "inverse": (Law.fact, {"of", "instance"}),
    "derivative": (Law.derivative, {"body"}),
    "angles apart": (Law.angles, {"terms"}),
}
