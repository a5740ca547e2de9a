"""The laws of the steps: before = after by values in fields, at places that the step names."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction
from itertools import count, islice, permutations
from itertools import product as tuples
from math import prod
from random import Random
from typing import Any, TypeAlias

from .model import Field, Refused, Tree, Undefined, negative
from .reading import Given, names_in

Sizes: TypeAlias = dict[str, Tree]  # letters and their ranges
Terms: TypeAlias = list[tuple[Sizes, Tree]]  # what is summed over, and what is below the sums
Value: TypeAlias = Callable[[Field, dict[str, int]], int]
TRIES, FEW, MANY = 900, 8, 72  # fields that are tried, and that have to agree
TERMS = 2000  # of a sum that are taken apart
BENT = {"delta", "mask", "affine", "abs", "max", "argmax", "step"}  # whose values vary by case


def fields(given: Given, scope: Sizes, slots: Terms) -> Iterator[tuple[Field, dict[str, int]]]:
    """Sizes and components large and small; letters equal, at the ends of ranges, and where one
    of the slots changes its sign."""
    numbers = [int(t) for _, const in slots for t in numerals(const)]
    for k in count():
        draw, most = Random(k), (12, 10**6, 10**6, 3, 10**6, 10**6)[k % 6]
        sizes = dict[str, int]()
        for s in given.sizes:
            other = draw.choice([*sizes.values(), *map(abs, numbers), 0])
            near = max(1, other + draw.randint(-2, 2))
            sizes[s] = near if draw.random() < 0.3 else draw.randint(1, most)
        field, env = Field(given, sizes, k), dict[str, int]()
        far = draw.randint(0, most)
        for x, size in scope.items():
            n = field.size(size)
            if n < 1:
                break  # an empty range
            other = draw.choice([*env.values(), *zeros_at(field, slots, x, env), far, 0, n - 1])
            env[x] = (other + draw.choice((0, 0, 0, 1, -1))) % n
        else:
            yield field, env


def zeros_at(field: Field, slots: Terms, x: str, env: dict[str, int]) -> Iterator[int]:
    """Where slots with ±x are 0, the letters that are known being where they are."""
    for items, const in slots:
        c = abs(items.get(x, 0)) == 1 and items[x]
        if c and items.keys() - {x} <= env.keys():
            others = sum(d * env[y] for y, d in items.items() if y != x)
            yield -c * (field.size(const) + others)


def numerals(tree: Tree) -> Iterator[str]:
    """The whole numbers in a size."""
    for t in [tree] if isinstance(tree, str) else tree[1:]:
        if isinstance(t, list):
            yield from numerals(t)
        elif t.lstrip("-").isdigit():
            yield t


def slots_in(tree: Any) -> Iterator[tuple[dict[str, int], Tree]]:
    """The affine indices in an expression: coefficients by letter, and the constant."""
    if isinstance(tree, list) and tree[:1] == ["affine"]:
        yield {x: int(c) for x, c in tree[1]}, tree[2]
    elif isinstance(tree, list):
        for part in tree:
            yield from slots_in(part)


def agree(given: Given, scope: Sizes, left: Value, right: Value, *trees: Tree) -> bool:
    """Both values are the same in every field, whatever the cases that occur in these trees."""
    kinds, zeros = set[str](), set[str]()
    for tree in trees:
        kinds |= set(tags(tree))
    alike = len({repr(n) for n in scope.values()}) < len(scope)  # letters that may be equal
    found, enough = 0, MANY if kinds & BENT else FEW * (1 + alike)
    slots = [slot for tree in trees for slot in slots_in(tree)]
    for field, env in fields(given, scope, slots):
        try:
            same = (left(field, env) - right(field, env)) % field.p == 0
        except (Undefined, ValueError):  # a division by 0
            if field.seed > TRIES:
                raise Refused("it is defined nowhere") from None
            continue
        if not same:
            return False
        found += 1
        zeros |= field.zeros
        if found >= enough and {k for k in kinds if k.startswith("step ")} <= zeros:
            return True
        if field.seed > TRIES:
            raise Refused("a step has no point where it begins")
    return False


def tags(tree: Any) -> Iterator[str]:
    """The kinds of nodes and functions in a tree; each step function with what it is of."""
    if isinstance(tree, list):
        if tree and isinstance(tree[0], str):
            yield str(tree[1]) if tree[0] == "call" else tree[0]
        if tree[:2] == ["call", "step"]:
            yield f"step {tree[2]}"
        for part in tree:
            yield from tags(part)


def terms_of(tree: Tree, known: set[str]) -> Iterator[tuple[Sizes, Tree]]:
    """The terms of an expression, sums over known letters opened."""
    match tree:
        case ["add", *parts]:
            for part in parts:
                yield from terms_of(part, known)
        case ["sum", pairs, body] if {x for x, _ in pairs} <= known:
            for letters, inner in terms_of(body, known):
                yield joined(dict(pairs), letters), inner
        case ["mul", *parts]:
            for ways in tuples(*(list(terms_of(t, known)) for t in parts)):
                yield joined(*(w[0] for w in ways)), ["mul", *(w[1] for w in ways)]
        case _:
            yield {}, tree


def joined(*letters: Sizes) -> Sizes:
    found = {x: n for part in letters for x, n in part.items()}
    if len(found) < sum(map(len, letters)):
        raise Refused("a letter is bound twice")
    return found


class Law:
    """One step: the part of an expression before and after, and the letters around it."""

    def __init__(self, given: Given, step: Tree, scope: Sizes, turned: bool = False) -> None:
        self.given, self.step, self.scope = given, step, scope
        self.before, self.after = (
            step[k] for k in (("after", "before") if turned else ("before", "after"))
        )

    def same(self, left: Tree, right: Tree) -> bool:
        """Two expressions are equal in all fields."""
        walks = (lambda field, env, t=t: field.walk(t, env) for t in (left, right))
        return agree(self.given, self.scope, *walks, left, right)

    def normal(self) -> bool:
        return self.same(self.before, self.after)

    # ------------------------------------------------------------------------------------- sums

    def summed(
        self,
        left: Tree,
        right: Tree,
        place: Any = None,
        lost: str = "",
        back: str = "",
        exact: bool = True,
    ) -> bool:
        """Two sums are equal below their Σ; `place` is where a letter is put that may be lost."""
        known = set(self.step["letters"])
        if known & self.scope.keys():
            raise Refused("a letter is bound twice")
        rows = [list(islice(terms_of(t, known), TERMS)) for t in (left, right)]
        if max(map(len, rows)) == TERMS:
            raise Refused("a sum has too many terms")
        letters: Sizes = {}
        for own, _ in rows[0] + rows[1]:
            for x, n in own.items():
                if letters.get(x, n) != n or (
                    self.given.least(n) < 0 and n not in self.given.ranges
                ):
                    raise Refused("a range may be less than empty")
            letters |= own
        if exact and letters.keys() != known:
            raise Refused("other letters are summed over")
        kept = {x: n for x, n in letters.items() if x != lost}

        def value(field: Field, env: dict[str, int], terms: Terms, over: Sizes) -> int:
            found = 0
            for own, inner in terms:
                if not own.keys() <= over.keys():
                    raise Refused("a letter is summed over that is gone")
                share = prod(field.size(n) for x, n in over.items() if x not in own)
                there = {x: i for x, i in env.items() if x in own or x in self.scope}
                found += field.walk(inner, there) * pow(share, -1, field.p)
            return found

        def moved(field: Field, env: dict[str, int], x: str) -> dict[str, int]:
            return {**env, x: field.slot(place, env) % field.size(letters[x])} if x else env

        every = {**self.scope, **letters}
        return agree(
            self.given, every,
            lambda f, e: value(f, moved(f, e, lost), rows[0], letters),
            lambda f, e: value(f, moved(f, e, back), rows[1], kept),
            left, right,
        ) and (not lost or agree(
            self.given, every,
            lambda f, e: value(f, e, rows[0], letters) if e != moved(f, e, lost) else 0,
            lambda f, e: 0,
            left, ["mask"],
        ))  # fmt: skip

    def sums(self) -> bool:
        """Σ of sums and products: terms apart and together, what shares no letters, Σ_j 1 = n."""
        return self.summed(self.before, self.after)

    def delta(self) -> bool:
        """Σ_j f_j = f_s, where f_j = 0 for all other j."""
        if self.step["letter"] in names_in(self.step["slot"], letters=True):
            raise Refused("the letter occurs in its own place")
        return self.summed(self.before, self.after, self.step["slot"], lost=self.step["letter"])

    def turned(self) -> bool:
        """Σ_j f(s_j) = Σ_j f(j) for s_j = ±j + …, which is every index once, modulo the range."""
        x, slot = self.step["letter"], self.step["slot"]
        if [abs(int(c)) for y, c in slot[1] if y == x] != [1]:
            raise Refused("it is no index that takes every value once")
        return self.summed(self.before, self.after, slot, back=x)

    def inverse(self) -> bool:
        """Σ_j M_ij M⁻¹_jk = δ_ik and Σ_j M⁻¹_ij M_jk = δ_ik."""
        name, x, (a, b), rest = (self.step[k] for k in ("matrix", "letter", "ends", "rest"))
        t = self.given.tensors[name]
        if t["role"] != "inverse":
            raise Refused(f"{name} is no inverse")
        matrix, n = self.given.tensors[t["of"][0]], t["shape"][0]
        if (
            matrix["shape"] != [n, n]
            or dict(self.before[1])[x] != n
            or x in names_in(rest, letters=True) | names_in([a, b], letters=True)
        ):
            raise Refused("the letter occurs elsewhere")
        one, two = (["ref", m, s] for m, s in ((name, [a, x]), (t["of"][0], [x, b])))
        if not self.below(["mul", one, two, *rest]):
            one, two = ["ref", name, [x, a]], ["ref", t["of"][0], [b, x]]
        gap = ["mul", ["delta", a, b, n], *rest]
        pairs = [[y, m] for y, m in self.before[1] if y != x]
        return self.below(["mul", one, two, *rest]) and self.summed(
            self.after, ["sum", pairs, gap], exact=False
        )

    def below(self, body: Tree) -> bool:
        return self.summed(self.before, ["sum", self.before[1], body])

    def selected(self) -> bool:
        """Σ_j [j = argmax_k x_k] = 1 and Σ_j [j = argmax_k x_k] x_j = max_k x_k."""
        hot, rest = self.step["indicator"], self.step["rest"]
        _, slots, pairs, body = hot
        gone = names_in(rest, letters=True) & set(slots)
        if (
            hot[0] != "argmax"
            or len(set(slots)) < len(slots)
            or gone
            or not set(slots) <= dict(self.before[1]).keys()
        ):
            raise Refused("it is not summed over the places of the largest value")
        if any(
            dict(self.before[1])[s] != n or self.given.least(n) < 1
            for s, (_, n) in zip(slots, pairs, strict=True)
        ):
            raise Refused("a range may be empty")
        outer = [[y, m] for y, m in self.before[1] if y not in slots]
        here = ["let", [[x, n, s] for s, (x, n) in zip(slots, pairs, strict=True)], body]
        for value, top in (([], []), ([here], [["max", pairs, [body]]])):
            if self.below(["mul", hot, *value, *rest]):
                return self.summed(self.after, ["sum", outer, ["mul", *top, *rest]], exact=False)
        return False

    def counted(self) -> bool:
        """Σ_j [j ≤ r] = r + 1 between 0 and n, Σ_j j = n (n − 1)/2."""
        x, pairs, body = self.step["letter"], self.before[1], self.before[2]
        parts = body[1:] if body[0] == "mul" else [body]
        (one,) = (t for t in parts if x in names_in(t, letters=True))
        outer = [[y, n] for y, n in pairs if y != x]
        rest = [t for t in parts if t is not one]
        whole = ["mul", ["count", x, dict(pairs)[x], one], *rest]
        if set(self.step["letters"]) != dict(pairs).keys():
            raise Refused("other letters are summed over")
        return self.summed(self.after, ["sum", outer, whole], exact=False)

    def choices(self, tree: Tree) -> list[tuple[Sizes, Tree]]:
        """What an expression is the largest of: sums and multiples ≥ 0 of maxima opened."""
        match tree:
            case ["max", pairs, args]:
                rows = [row for t in args for row in self.choices(t)]
                return [(joined(dict(pairs), own), t) for own, t in rows]
            case ["add" | "mul", *parts]:
                ways = [self.choices(t) for t in parts]
                plain = [t for t, w in zip(parts, ways, strict=True) if w == [({}, t)]]
                if tree[0] == "add" or (
                    len(plain) == len(parts) - 1 and all(map(self.given.sign, plain))
                ):
                    return [
                        (joined(*(w[0] for w in way)), [tree[0], *(w[1] for w in way)])
                        for way in tuples(*ways)
                    ]
        return [({}, tree)]

    def largest(self) -> bool:
        """Each choice of one side is one of the other, or below one by what is ≥ 0."""
        sides = [self.choices(t) for t in (self.before, self.after)]
        if any(self.given.least(n) < 1 for side in sides for own, _ in side for n in own.values()):
            raise Refused("a range may be empty")
        gaps = ["0", *(g for g in self.step["gaps"] if self.given.sign(g))]

        def under(one: tuple[Sizes, Tree], other: tuple[Sizes, Tree]) -> bool:
            law = Law(self.given, self.step, joined(self.scope, one[0]))
            for way in permutations(one[0], len(other[0])):
                pairs = [[x, n, y] for (x, n), y in zip(other[0].items(), way, strict=True)]
                there = ["let", pairs, other[1]]
                fits = all(one[0][y] == n for _, n, y in pairs)
                if fits and any(law.same(["add", one[1], g], there) for g in gaps):
                    return True
            return False

        return all(any(under(x, y) for y in b) for a, b in (sides, sides[::-1]) for x in a)

    def blind(self) -> bool:
        """[j = argmax_k c x_k + r] = [j = argmax_k x_k] for c > 0."""
        (_, slots, pairs, body), (_, others, again, inner) = self.before, self.after
        c, r = self.step["factor"], self.step["rest"]
        fine = [slots, pairs] == [others, again] and self.given.sign(c) == 2
        inside = Law(self.given, self.step, {**self.scope, **joined(self.scope, dict(pairs))})
        fine = fine and not names_in([c, r], letters=True) & dict(pairs).keys()
        return fine and inside.same(body, ["add", ["mul", c, inner], r])

    # ----------------------------------------------------------------------- what is declared

    def definition(self) -> bool:
        """A defined component is its body."""
        tag, name, slots = self.before
        return tag == "ref" and self.same(self.given.body(name, slots), self.after)

    def fact(self) -> bool:
        """An instance of a fact: indices of letters outside, in range, for its letters."""
        fact, said = self.given.facts[self.step["fact"]], self.step["instance"]
        pairs = [[x, n, said[x]] for x, n in fact["letters"]]
        if said.keys() != dict(fact["letters"]).keys():
            raise Refused("it is no instance")
        sides = [["let", pairs, fact[k]] for k in ("lhs", "rhs")]
        left, right = sides[:: -1 if self.step["backwards"] else 1]
        return self.same(left, self.before) and self.same(right, self.after)

    def derivative(self) -> bool:
        """∂of/∂wrt by the chain rule, the definition of `of` opened."""
        of, wrt = self.before[1:]
        base = of
        while base[0] == "d":
            base = base[1]
        for fact in self.given.facts:  # ∂/∂x says nothing where a fact ties x to other inputs
            names = names_in([fact["lhs"], fact["rhs"]])
            if wrt[1] in names and (names - {wrt[1]}) & self.given.behind(base[1]):
                raise Refused("a fact ties what is held fixed")
        said = self.step["body"]
        if said:
            body = self.given.definitions[base[1]]
            if not Law(self.given, self.step, dict(body["letters"])).same(body["body"], said):
                raise Refused("the definition is another one")
        value = self.given.derivative(of, wrt, said)
        return self.before[0] == "d" and self.same(value, self.after)

    # ------------------------------------------------------------------------------- the whole

    def denominator(self) -> bool:
        """The whole expression times the sums that it is divided by, none of them 0 therefore."""
        worst: dict[str, Fraction] = {}
        for base, e in powers(self.before):
            worst[repr(base)] = min(e, worst.get(repr(base), e))
        by = {repr(base): -e for base, e in powers(self.step["by"])}
        sums = {k: e for k, e in worst.items() if k.startswith("['add'") and e < 0}
        fine = sums.items() <= by.items() <= worst.items() and max(by.values()) < 0
        return fine and not self.step["at"] and self.same(self.whole(), self.after)

    def matrix(self) -> bool:
        """Σ_x M_ix E_x is 0 just when E is, for a matrix M with an inverse."""
        name, x = self.step["matrix"], self.step["letter"]
        t, n = self.given.tensors[name], self.scope[x]
        roles = [self.given.tensors[u] for u in names_in(self.before) & self.given.tensors.keys()]
        if t["shape"] != [n, n] or not any(
            (u["role"], u["of"]) == ("inverse", [name]) for u in roles
        ):
            raise Refused("it is not known to be an invertible matrix")
        return not self.step["at"] and self.same(self.whole(), self.after)

    def whole(self) -> Tree:
        """What a step brings before to: the whole times what is to clear it, E or a matrix."""
        if self.step["law"] == "common denominator":
            return ["mul", self.step["by"], self.before]
        if self.step["law"] != "matrix cleared":
            return self.before
        x = self.step["letter"]
        slots = ["∂x", x] if self.step["turned"] else [x, "∂x"]
        moved = ["let", [[x, self.scope[x], "∂x"]], self.before]
        row = ["mul", ["ref", self.step["matrix"], slots], moved]
        return ["sum", [["∂x", self.scope[x]]], row]

    def angles(self) -> bool:
        """sin(p + q) = sin p cos q + cos p sin q, cos(p + q) = cos p cos q − sin p sin q."""
        terms = self.step["terms"]
        re: Tree = "1"
        im: Tree = "0"
        for t in terms:
            sin, cos = ["call", "sin", t], ["call", "cos", t]
            re, im = (
                ["add", ["mul", re, cos], negative(["mul", im, sin])],
                ["add", ["mul", re, sin], ["mul", im, cos]],
            )
        found = {"sin": im, "cos": re}[self.before[1]] if len(terms) <= 10 else ""
        return self.same(self.before[2], ["add", *terms]) and self.same(found, self.after)


def powers(tree: Tree) -> Iterator[tuple[Tree, Fraction]]:
    """The factors of the terms of an expression, with their exponents."""
    if tree[0] in ("add", "mul"):
        for part in tree[1:]:
            yield from powers(part)
    else:
        yield (tree[1], Fraction(tree[2])) if tree[0] == "pow" else (tree, Fraction(1))


OWN: dict[str, tuple[Callable[[Law], bool], set[str]]] = {
    "normal form": (Law.normal, set()),
    "sums": (Law.sums, {"letters"}),
    "delta": (Law.delta, {"letters", "letter", "slot"}),
    "turned": (Law.turned, {"letters", "letter", "slot"}),
    "inverse": (Law.inverse, {"letters", "letter", "matrix", "ends", "rest"}),
    "counting": (Law.counted, {"letters", "letter"}),
    "argmax": (Law.selected, {"letters", "indicator", "rest"}),
    "argmax of the same": (Law.blind, {"factor", "rest"}),
    "largest": (Law.largest, {"gaps"}),
    "definition": (Law.definition, set()),
    "fact": (Law.fact, {"fact", "instance", "backwards"}),
    "derivative": (Law.derivative, {"body"}),
    "common denominator": (Law.denominator, {"by"}),
    "matrix cleared": (Law.matrix, {"matrix", "letter", "turned"}),
    "angles apart": (Law.angles, {"terms"}),
}
