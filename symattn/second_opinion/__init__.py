"""A second opinion on a certificate: every step done again by other means, nothing of it believed.

It reads plain JSON and shares no module with the engine.  A certificate passes when its steps lead
from the claim to 0, one from where the last ended, all of them re-derived, none contradicted over
small sizes, and none presupposes what the claim does not.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import chain
from random import Random
from typing import Any, NamedTuple

import mpmath

from .laws import OWN, Law, Sizes
from .model import BASE, BINDERS, FAR, PRIMES, Field, Refused, Tree, Undefined
from .reading import Given
from .values import DIGITS, Inexact, Point, small

LAWS = OWN
PART = {"pow": 1, "call": 2, "sum": 2, "max": 2, "argmax": 3, "unknown": 3}  # with expressions
PART |= dict.fromkeys(("ref", "d", "delta", "mask", "affine"), 0)


class Checked(NamedTuple):
    """What became of a step."""

    law: str
    rederived: bool
    points: int  # where both sides were evaluated
    problem: str = ""


class Opinion(NamedTuple):
    """What became of a certificate: its steps so far, and what is wrong with it."""

    steps: tuple[Checked, ...]
    problem: str = ""

    @property
    def ok(self) -> bool:
        """The claim leads to 0 by steps that are all re-derived, none contradicted."""
        return not self.problem


def check(data: Tree) -> Opinion:
    """The certificate done again, step by step; it ends at the first that is not right."""
    rows: list[Checked] = []
    try:
        checker = Checker(data)
        for step in data["steps"]:
            row = checker.step(step)
            rows.append(row)
            if row.problem:
                return Opinion(tuple(rows), f"step {len(rows)}, {row.law}: {row.problem}")
        return Opinion(tuple(rows), "" if checker.tree == "0" else "the last expression is not 0")
    except Refused as error:
        return Opinion(tuple(rows), str(error))
    except (KeyError, TypeError, ValueError, IndexError, AttributeError, RecursionError) as error:
        return Opinion(tuple(rows), f"it cannot be read: {type(error).__name__}: {error}")


def nameless(tree: Tree, bound: tuple[str, ...] = ()) -> Tree:
    """The tree with de Bruijn indices for its bound letters."""
    if isinstance(tree, str):
        return bound.index(tree) if tree in bound else tree
    if tree and tree[0] in BINDERS:
        *head, pairs, body = tree
        inner = (*(x for x, _ in pairs), *bound)
        sizes = [size for _, size in pairs]
        return [*(nameless(x, bound) for x in head), sizes, nameless(body, inner)]
    found = [nameless(x, bound) for x in tree]
    return ["affine", sorted(found[1], key=str), found[2]] if found[:1] == ["affine"] else found


class Checker:
    """An expression on its way to 0, and what may be presupposed."""

    def __init__(self, data: Tree) -> None:
        self.given, claim = Given(data), data["claim"]
        self.free: Sizes = dict(claim["free"])
        self.tree: Tree = ["add", claim["lhs"], ["mul", "-1", claim["rhs"]]]
        self.allowed: set[Any] = set()
        self.points: dict[Any, Point] = {}
        parts = [(self.tree, self.free)]
        for scoped in (*self.given.definitions.values(), *self.given.facts):
            letters = dict(scoped["letters"])
            parts += [(scoped[k], letters) for k in ("body", "lhs", "rhs") if k in scoped]
        for name, t in self.given.tensors.items():
            if t["role"] == "inverse" and t["symmetry"] and not self.symmetric(t):
                raise Refused(f"{name} is not known to be {t['symmetry']}")
        for tree, letters in parts:
            self.allowed |= self.needs(tree, letters)

    def symmetric(self, t: Any) -> bool:
        """The matrix that it is the inverse of has that symmetry, as declared or by its body."""
        name, n = t["of"][0], t["shape"][0]
        pair = [["ref", name, s] for s in (["@1", "@2"], ["@2", "@1"])]
        if t["symmetry"] == self.given.tensors[name]["symmetry"]:
            return True
        if name not in self.given.definitions or t["symmetry"] != "symmetric":
            return False
        law = Law(self.given, {"before": "", "after": ""}, {"@1": n, "@2": n})
        return law.same(*(self.given.body(name, p[2]) for p in pair))

    def step(self, step: Tree) -> Checked:
        """What became of a step; the expression is the one after it."""
        name, points, good = step["law"], 0, False
        law, own = OWN[name]
        if step.keys() - {"law", "at", "before", "after", "side"} != own:
            raise Refused(f"a step by {name} does not say what it should")
        site, scope = self.tree, dict(self.free)
        for k in step["at"]:
            kind = site[0] if isinstance(site[0], str) else ""  # arguments are a list of their own
            if (kind in ("add", "mul") and k < 1) or PART.get(kind, k) != k:
                raise Refused("no expression stands at that place")
            if site[0] in BINDERS and k == len(site) - 1:
                if scope.keys() & dict(site[-2]).keys():
                    raise Refused("a letter is bound twice")
                scope |= dict(site[-2])
            site = site[k]
        self.tree, problem = replaced(self.tree, step["at"], step["after"]), ""
        if nameless(site) != nameless(step["before"]):
            return Checked(name, False, 0, "it does not begin where the last one ended")
        problem = self.presupposed(step, scope)
        try:
            good = not problem and self.derived(law, step, scope)
            problem = problem or ("" if good else "evaluated only")
        except Refused as error:
            problem = str(error)
        if name != "fact":
            points, contradiction = self.evaluated(step, scope)
            problem = contradiction or problem
        return Checked(name, good, points, problem)

    def derived(self, law: Any, step: Tree, scope: Sizes) -> bool:
        """The law holds from before to after, or the other way round."""
        problem = None
        for turned in (False, True):
            try:
                if law(Law(self.given, step, scope, turned)):
                    return True
            except (Refused, LookupError, ValueError, TypeError) as error:
                problem = problem or (None if turned else str(error))
        if problem:
            raise Refused(problem)
        return False

    # --------------------------------------------------------------------- where it is defined

    def needs(self, tree: Tree, scope: Sizes) -> set[Any]:
        """Where an expression is defined: what is not 0, not < 0, or > 0."""
        return {
            k
            for relation, base, letters in bases(tree, scope)
            for k in self.keys(relation, base, letters)
        }

    def keys(self, relation: str, base: Tree, scope: Sizes) -> Iterator[Any]:
        known = self.given.sign(base)
        if known == 2 or (known and relation == "≥ 0"):
            return
        match base:
            case ["mul", *parts]:
                left = [
                    t
                    for t in parts
                    if relation == "≠ 0" or self.given.sign(t) + (relation == "≥ 0") < 2
                ]
                if relation == "≠ 0" or len(left) == 1:
                    for part in left:
                        yield from self.keys(relation, part, scope)
                    return
            case ["pow", inner, _] if relation == "≠ 0":
                yield from self.keys(relation, inner, scope)
                return
            case str() if Fraction(base) and relation == "≠ 0":
                return
        first, *others = self.trace(base, scope)  # up to a factor that is a number
        shape = tuple(x * pow(first, -1, PRIMES[BASE]) % PRIMES[BASE] for x in others)
        yield relation, shape, relation != "≠ 0" and pow(first, PRIMES[BASE] // 2, PRIMES[BASE])

    def whole(self, relation: str, base: Tree, scope: Sizes) -> Any:
        return relation, *self.trace(base, scope)

    def trace(self, base: Tree, scope: Sizes) -> list[int]:
        """An expression by its values in some fields, its letters named as they occur."""
        found: list[int] = []
        order = [x for x in letters_of(base) if x in scope]
        for seed in range(1, 400):
            field = Field(
                self.given,
                {s: 10**5 + 7 * k + seed for k, s in enumerate(self.given.sizes)},
                f"at {seed}",
            )
            env = {x: (k + 1) * FAR * 1009 for k, x in enumerate(order)}
            try:
                found.append(field.walk(base, env))
            except (Undefined, ValueError):
                continue
            if len(found) == 3:
                break
        if len(found) < 3 or 0 in found:
            raise Refused("a division by 0, or a root or logarithm of what has none")
        return found

    def presupposed(self, step: Tree, scope: Sizes) -> str:
        """Why the step presupposes what it does not say, or what the claim does not."""
        parts = [row for t in (step["before"], step["after"]) for row in bases(t, scope)]
        found = {k for row in parts for k in self.keys(*row)}
        open_ = {self.whole(*row) for row in parts if set(self.keys(*row))}
        said = {self.whole(r, base, {**scope, **dict(pairs)}) for r, pairs, base in step["side"]}
        if said != open_:
            return "its side conditions are others"
        if "by" in step:
            found |= set(self.keys("≠ 0", step["by"], scope))
        if step["law"] == "derivative":
            self.allowed |= found  # a derivative exists where it is defined
        return "" if found <= self.allowed else "it presupposes more than the claim"

    # ------------------------------------------------------------------------------ evaluation

    def evaluated(self, step: Tree, scope: Sizes) -> tuple[int, str]:
        """At how many points both sides were evaluated, and where they differ."""
        found, before = 0, Law(self.given, step, scope).whole()
        for k, sizes in enumerate(chain(*[small(self.given.sizes)] * 2)):
            for exact in (True, False):
                point, draw = self.points.get((k, exact)), Random(k)
                point = self.points.setdefault(
                    (k, exact), point or Point(self.given, sizes, k, exact)
                )
                try:
                    with mpmath.workdps(DIGITS):
                        env = {x: draw.randrange(point.size(n)) for x, n in scope.items()}
                        left, right = point.walk(before, env), point.walk(step["after"], env)
                        gap, scale = abs(left - right), abs(left) + abs(right) + 1
                except (Undefined, ValueError, ZeroDivisionError):
                    break  # an empty range, or no value here
                except Inexact:
                    continue
                if gap > (0 if exact else scale / 10**12):
                    return found, f"the sides differ at {sizes}, {[*env.values()]}"
                found += 1
                break
        return found, ""


def replaced(tree: Tree, path: Any, part: Tree) -> Tree:
    """The tree with another part at a path."""
    if not path:
        return part
    return [replaced(x, path[1:], part) if n == path[0] else x for n, x in enumerate(tree)]


def letters_of(tree: Tree) -> list[str]:
    """The letters in the order in which they occur."""
    if isinstance(tree, str):
        return [tree] if tree[:1] in "@∂" else []
    return list(dict.fromkeys(x for part in tree for x in letters_of(part)))


def bases(tree: Tree, scope: Sizes) -> Iterator[tuple[str, Tree, Sizes]]:
    """What is divided by, rooted or logged."""
    if isinstance(tree, str) or not tree:
        return
    if tree[0] == "pow":
        e = Fraction(tree[2])
        yield from [("≠ 0", tree[1], scope)] * (e < 0) + [("≥ 0", tree[1], scope)] * (
            e.denominator > 1
        )
    if tree[:2] == ["call", "log"]:
        yield "> 0", tree[2], scope
    if tree[:2] == ["call", "tan"]:
        yield "≠ 0", ["call", "cos", tree[2]], scope
    if tree[0] in BINDERS:
        scope = {**scope, **dict(tree[-2])}
    for part in tree:
        if isinstance(part, list):
            yield from bases(part, scope)
