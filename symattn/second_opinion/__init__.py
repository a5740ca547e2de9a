"""A second opinion on a certificate: every step done again by other means, nothing of it believed.

It reads plain JSON and shares no module with the engine.  A certificate passes when its steps lead
from the claim to 0, one from where the last ended, all of them re-derived, none contradicted over
small sizes, and none presupposes what the claim does not.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from random import Random
from typing import Any, NamedTuple

from .cases import cases
from .fields import (
    BASE,
    BINDERS,
    FAR,
    PRIMES,
    Field,
    Refused,
    Tree,
    Undefined,
    letters_of,
    nodes,
    number,
)
from .given import OF_MATRIX, Given, names_in
from .laws import OWN, Law, Sizes

LAWS = OWN
PARTS = {"pow": 1, "call": 2, "sum": 2, "max": 2, "argmax": 3, "unknown": 3}  # with expressions
PARTS |= dict.fromkeys(("ref", "d", "delta", "mask", "affine"), 0)
# What values in a field do not know:
SAID = ("fact", "inverse", "larger", "increasing", "angles apart")
SEEDS = 12  # of drawn components at small sizes

UNREADABLE = (KeyError, TypeError, ValueError, IndexError, AttributeError, RecursionError)
STEPS = 8000  # a log that takes minutes and not hours


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
        problem = followed(data, rows)
        return Opinion(tuple(rows), problem)
    except Refused as error:
        return Opinion(tuple(rows), str(error))
    except UNREADABLE as error:
        return Opinion(tuple(rows), f"it cannot be read: {type(error).__name__}: {error}")


def followed(data: Tree, rows: list[Checked]) -> str:
    """What is wrong with a certificate, its steps so far in `rows`."""
    if "cases" in data:
        return next(filter(None, (followed(case, rows) for case in cases(data))), "")
    checker, count = Checker(data), len(rows) + len(data["steps"])
    checker.scopes(data["steps"])
    if count > STEPS:
        raise Refused(f"its log has {count} steps, {STEPS} at most are done again")
    for step in data["steps"]:
        row = checker.step(step)
        rows.append(row)
        if row.problem:
            return f"step {len(rows)}, {row.law}: {row.problem}"
    return "" if checker.tree == "0" else "the last expression is not 0"


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


def replaced(tree: Tree, path: Any, part: Tree) -> Tree:
    """The tree with another part at a path."""
    if not path:
        return part
    return [replaced(x, path[1:], part) if n == path[0] else x for n, x in enumerate(tree)]


def divided(tree: Tree) -> Iterator[tuple[str, Tree]]:
    """What a power or a function asks of what it is of: not 0, not < 0, or > 0."""
    match tree:
        case ["pow", base, e]:
            yield from [("≠ 0", base)] * (number(e) < 0)
            yield from [("≥ 0", base)] * (number(e).denominator > 1)
        case ["call", "log", x]:
            yield "> 0", x


def bases(tree: Tree, scope: Sizes) -> Iterator[tuple[str, Tree, Sizes]]:
    """What is divided by, rooted or logged in an expression."""
    yield from ((*row, scope) for row in divided(tree))
    if isinstance(tree, list) and tree:
        inner = scope | dict(tree[-2]) if tree[0] in BINDERS else scope
        for part in tree:
            yield from bases(part, inner)


class Checker:
    """An expression on its way to 0, and what may be presupposed."""

    def __init__(self, data: Tree) -> None:
        self.given, claim = Given(data), data["claim"]
        self.free: Sizes = dict(claim["free"])
        self.tree: Tree = ["add", claim["lhs"], ["mul", "-1", claim["rhs"]]]
        self.allowed: set[Any] = {("≠ 0", (1, 1), False)}  # numbers
        self.seen: dict[str, Checked] = {}  # steps, with the letters around them
        parts = [(self.free, self.tree)]
        for scoped in (*self.given.definitions.values(), *data["facts"]):
            letters = dict(scoped["letters"])
            parts += [(letters, scoped[k]) for k in ("body", "lhs", "rhs") if k in scoped]
        stated = [claim, data["definitions"], data["facts"]]
        self.scopes(stated, *([*letters.items()] for letters, _ in parts))
        for letters, tree in parts:
            if set(letters_of(nameless(tree))) - letters.keys():
                raise Refused("a letter stands for nothing")
            self.allowed |= self.needs(tree, letters)
        for fact in data["facts"]:  # what is equal to a number that is not 0 is not 0 either
            for one, other in ((fact["lhs"], fact["rhs"]), (fact["rhs"], fact["lhs"])):
                if isinstance(one, str) and number(one):
                    self.allowed |= set(self.keys("≠ 0", other, dict(fact["letters"])))
        tensors = self.given.tensors
        said = names_in(stated) & tensors.keys()
        regular = [tensors[n]["of"] for n in said if tensors[n]["role"] in OF_MATRIX]
        for name, t in tensors.items():
            if t["role"] == "inverse" and t["of"] not in regular:
                raise Refused(f"nothing says that there is {name}")
            if t["role"] == "inverse" and t["symmetry"] and not self.symmetric(t):
                raise Refused(f"{name} is not known to be {t['symmetry']}")

    def scopes(self, tree: Tree, *others: Tree) -> None:
        """Refuses what binds a letter twice or may be the maximum of nothing."""
        scopes = [*others]
        for t in nodes(tree):
            if t[0] in BINDERS:
                scopes.append(t[-2])
                if t[0] != "sum" and any(self.given.least(n) < 1 for _, n in t[-2]):
                    raise Refused("a range may be empty")
        for pairs in scopes:
            if any(x[:1] != "@" for x, _ in pairs) or len(dict(pairs)) < len(pairs):
                raise Refused("a letter is bound twice or is no letter")

    def symmetric(self, t: Any) -> bool:
        """The matrix that it is the inverse of has that symmetry, as declared or by its body."""
        name, n = t["of"][0], t["shape"][0]
        if t["symmetry"] == self.given.tensors[name]["symmetry"]:
            return True
        if name not in self.given.definitions or t["symmetry"] != "symmetric":
            return False
        (x, _), (y, _) = self.given.definitions[name]["letters"]
        body = self.given.inlined(self.given.definitions[name]["body"])
        law = Law(self.given, {"before": "", "after": ""}, {x: n, y: n})
        return law.same(body, ["let", [[x, n, y], [y, n, x]], body])

    def step(self, step: Tree) -> Checked:
        """What became of a step; the expression is the one after it."""
        site, scope, around = self.tree, self.free, list[Any]()
        for n, k in enumerate(step["at"]):
            kind = site[0] if isinstance(site[0], str) else ""  # arguments are a list of their own
            if (kind in ("add", "mul") and k < 1) or PARTS.get(kind, k) != k:
                raise Refused("no expression stands at that place")
            if kind in ("pow", "call"):  # equal to what the claim divides by already
                around.append((replaced(site, step["at"][n:], step["after"]), scope))
            if kind in BINDERS and k == len(site) - 1:
                if scope.keys() & dict(site[-2]).keys():
                    raise Refused("a letter is bound twice")
                scope = scope | dict(site[-2])
            site = site[k]
        if nameless(site) != nameless(step["before"]):
            return Checked(step["law"], False, 0, "it does not begin where the last one ended")
        self.tree = replaced(self.tree, step["at"], step["after"])
        text = repr({**step, "at": []})
        key = text, *(x for x in scope.items() if repr(x[0]) in text)  # the same elsewhere
        if repr(key) not in self.seen:
            self.seen[repr(key)] = self.judged(step, scope)
        for tree, letters in around if self.seen[repr(key)].rederived else ():
            for row in divided(tree):
                with suppress(Refused):  # too many roots for their values
                    self.allowed |= set(self.keys(*row, letters))
        return self.seen[repr(key)]

    def judged(self, step: Tree, scope: Sizes) -> Checked:
        """What is to be said of a step where it stands."""
        name, points, contradiction = step["law"], 0, ""
        law, own = OWN[name]
        if step.keys() - {"law", "at", "before", "after", "side"} != own:
            raise Refused(f"a step by {name} does not say what it should")
        problem = self.presupposed(step, scope) or self.derived(law, step, scope)
        if name not in SAID:
            points, contradiction = self.evaluated(step, scope)
        return Checked(name, not problem, points, contradiction or problem)

    def derived(self, law: Any, step: Tree, scope: Sizes) -> str:
        """Why the law does not hold, neither from before to after nor the other way round."""
        problem = ""
        for turned in (False, True):
            try:
                if law(Law(self.given, step, scope, turned)):
                    return ""
            except (Refused, LookupError, ValueError, TypeError) as error:
                problem = problem or ("" if turned else str(error))
        return problem or "evaluated only"

    # --------------------------------------------------------------------- where it is defined

    def bases(self, tree: Tree, scope: Sizes) -> Iterator[tuple[str, Tree, Sizes]]:
        """What is divided by, rooted or logged, functions being written out."""
        return bases(self.given.plain(tree), scope)

    def needs(self, tree: Tree, scope: Sizes) -> set[Any]:
        """Where an expression is defined: what is not 0, not < 0, or > 0."""
        return {key for row in self.bases(tree, scope) for key in self.keys(*row)}

    def keys(self, relation: str, base: Tree, scope: Sizes) -> Iterator[Any]:
        """The factors of a base that are not known to be as they must, by their values."""
        enough = {"≠ 0": 2, "≥ 0": 1, "> 0": 2}[relation]
        if self.given.sign(base) >= enough:
            return
        match base:
            case ["max", pairs, args] if relation != "≠ 0":
                for part in args:
                    yield from self.keys(relation, part, scope | dict(pairs))
                return
            case ["mul", *parts]:
                if relation != "≠ 0":
                    parts = [t for t in parts if self.given.sign(t) < enough]
                if relation == "≠ 0" or len(parts) == 1:
                    for part in parts:
                        yield from self.keys(relation, part, scope)
                    return
            case ["call", "abs", inner] if relation == "> 0":
                yield from self.keys("≠ 0", inner, scope)
                return
            case ["pow", inner, e] if relation == "> 0" and number(e) % 2 == 0:
                yield from self.keys("≠ 0", inner, scope)
                return
            case ["pow", inner, _] if relation == "≠ 0":
                yield from self.keys(relation, inner, scope)
                return
        p = PRIMES[BASE]
        first, *others = self.trace(base, scope)  # up to a factor that is a number
        shape = tuple(x * pow(first, -1, p) % p for x in others)
        yield relation, shape, relation != "≠ 0" and pow(first, p // 2, p)

    def trace(self, base: Tree, scope: Sizes) -> list[int]:
        """An expression by its values in some fields, its letters named as they occur."""
        found: list[int] = []
        env = {x: (k + 1) * FAR * 1009 for k, x in enumerate(letters_of(base)) if x in scope}
        for seed in range(1, 400):
            sizes = {s: 10**5 + 7 * k + seed for k, s in enumerate(self.given.sizes)}
            try:
                found.append(Field(self.given, sizes, 4 * seed).walk(base, env))
            except (Undefined, ValueError):
                continue
            if len(found) == 3:
                break
        if len(found) < 3 or 0 in found:
            raise Refused("a division by 0, or a root or logarithm of what has none")
        return found

    def presupposed(self, step: Tree, scope: Sizes) -> str:
        """Why the step presupposes what it does not say, or what the claim does not."""
        rows = [row for t in (step["before"], step["after"]) for row in self.bases(t, scope)]
        found = {key for row in rows for key in self.keys(*row)}
        open_ = {(r, *self.trace(*row)) for r, *row in rows if {*self.keys(r, *row)}}
        said = {(r, *self.trace(base, scope | dict(pairs))) for r, pairs, base in step["side"]}
        if said != open_:
            return "its side conditions are others"
        if step["law"] == "derivative":
            self.allowed |= found  # a derivative exists where it is defined
        return "" if found <= self.allowed else "it presupposes more than the claim"

    # ------------------------------------------------------------------------------ evaluation

    def evaluated(self, step: Tree, scope: Sizes) -> tuple[int, str]:
        """At how many points both sides were evaluated over small sizes, and where they differ."""
        found, before, after = 0, step["before"], step["after"]
        if step["law"] == "derivative":
            before = self.given.derivative(before[1], before[2], step["body"])
        for k, sizes in enumerate(2 * [*small(self.given.sizes)]):
            for seed in range(SEEDS):
                field, draw = Field(self.given, sizes, k + 100 * seed, small=True), Random(k)
                try:
                    if any(field.size(n) < 0 for n in self.given.ranges):
                        break
                    env = {x: draw.randrange(field.size(n)) for x, n in scope.items()}
                    if field.walk(before, env) != field.walk(after, env):
                        if field.doubt:
                            continue
                        return found, f"the sides differ at {sizes}, {[*env.values()]}"
                except (Undefined, ValueError):
                    continue  # an empty range, or no value here
                found += 1
                break
        return found, ""


def small(names: list[str]) -> Iterator[dict[str, int]]:
    """Sizes 1, sizes 2, and sizes that differ, in both orders."""
    yield dict.fromkeys(names, 1)
    yield dict.fromkeys(names, 2)
    for step in (1, -1):
        for start in (1, 2):
            yield {n: (k + start - 1) % 3 + 1 for k, n in enumerate(names[::step])}
