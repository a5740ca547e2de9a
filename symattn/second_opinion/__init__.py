"""A second opinion on a certificate: every step done again by other means, nothing of it believed.

It reads plain JSON and shares no module with the engine.  A step is re-derived when both its sides
have one normal form by laws of its own, as a definition, a fact or a derivative where it
says so, and evaluated by loops over small sizes: in fractions, or to 60 digits where functions
occur.  A certificate passes when its steps lead from the claim to 0, one from where the last ended,
all re-derived, none contradicted, and none presupposes what the claim does not.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from fractions import Fraction
from itertools import chain
from random import Random
from typing import NamedTuple

import mpmath

from .algebra import (
    BINDERS,
    F1,
    OF_MATRIX,
    ONE,
    PLAINER,
    ZERO,
    Node,
    Poly,
    Refused,
    Work,
    barred,
    delta,
    key,
    linear,
    lone,
    mask,
    seal,
    sign,
    times,
    turned,
)
from .reading import Reader, Scope, Tree, names_in, place, shape
from .scalars import Zeros
from .scopes import Case, put, same
from .values import Inexact, Point, Undefined, small

DIGITS = 60


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
        Work.spent = 0
        reader, claim = Reader(data), data["claim"]
        letters = reader.letters(claim["free"], new=False)
        tree: Tree = ["add", claim["lhs"], ["mul", "-1", claim["rhs"]]]
        given = [*reader.definitions.values(), *reader.facts]
        for node in (reader.parse(tree, letters), *(body for _, *parts in given for body in parts)):
            reader.normal(node)
        allowed = set(reader.needs)
        for step in data["steps"]:
            row, tree = Step(reader, tree, letters, step).done(allowed)
            rows.append(row)
            if row.problem:
                return Opinion(tuple(rows), f"step {len(rows)}, {row.law}: {row.problem}")
        return Opinion(tuple(rows), "" if tree == "0" else "the last expression is not 0")
    except Refused as error:
        return Opinion(tuple(rows), str(error))
    except (KeyError, TypeError, ValueError, IndexError, AttributeError, RecursionError) as error:
        return Opinion(tuple(rows), f"it cannot be read: {type(error).__name__}: {error}")


class Step:
    """A step at its place in the expression, the binders around it opened."""

    def __init__(self, reader: Reader, tree: Tree, scope: Scope, step: Tree) -> None:
        self.reader, self.tree, self.step, self.scope = reader, tree, step, dict(scope)
        for k in step["at"]:
            if tree[0] in BINDERS and k == len(tree) - 1:
                self.scope |= reader.letters(tree[-2])
            tree = tree[k]
        self.site = reader.parse(tree, self.scope)
        self.before, self.after = (reader.parse(step[k], self.scope) for k in ("before", "after"))
        self.whole = self.multiplied()

    def multiplied(self) -> Node:
        """What the step brings before to: times what is to clear it, E or a matrix."""
        if "by" in self.step:
            return ("mul", self.reader.parse(self.step["by"], self.scope), self.before)
        if "matrix" not in self.step:
            return self.before
        t, i, x = self.reader.tensors[self.step["matrix"]], self.scope[self.step["letter"]], lone(0)
        slots = (x, lone(i)) if self.step["turned"] else (lone(i), x)
        used = [self.reader.tensors[name] for name in names_in(self.before)]
        if t.shape != (i[3],) * 2 or not any(
            (u.role, u.of) == ("inverse", (t.name,)) for u in used
        ):
            raise Refused("it is not known to be an invertible matrix")
        return ("sum", (i[3],), ("mul", ("ref", t, slots), seal(self.before, {i: 0})))

    def done(self, allowed: set[str]) -> tuple[Checked, Tree]:
        """What became of the step, and the expression after it."""
        law, good, points = self.step["law"], False, 0
        if self.step.keys() - {"law", "at", "before", "after", "side"} != OWN.get(law, set()):
            raise Refused(f"a step by {law} does not say what it should")
        Work.spent = 0
        problem = self.misplaced(allowed)
        if not problem:
            try:
                good = LAWS[law](self)
                problem = "" if good else "evaluated only"
            except Refused as error:
                problem = str(error)
            if law != "fact":
                points, contradiction = self.evaluated()
                problem = contradiction or problem
        return Checked(law, good, points, problem), self.replaced(self.tree, self.step["at"])

    def replaced(self, tree: Tree, path: Sequence[int]) -> Tree:
        """The expression with what is after the step in its place."""
        if not path:
            return self.step["after"]
        return [self.replaced(x, path[1:]) if n == path[0] else x for n, x in enumerate(tree)]

    def misplaced(self, allowed: set[str]) -> str:
        """Why the step does not follow the one before, or presupposes what it does not say."""
        if self.site != self.before:
            return "it does not begin where the last one ended"
        self.reader.needs, self.reader.bases = set(), set()
        self.plain = self.sides()
        found, known = set(self.reader.needs), frozenset(self.scope.values())
        bases = {relation + shape(p, known) for relation, p in self.reader.bases}
        said = []
        for relation, pairs, base in self.step["side"]:
            scope = {**self.scope, **self.reader.letters(pairs)}
            said.append(relation + shape(self.reader.normal(self.reader.parse(base, scope)), known))
        if len(said) != len(bases) or set(said) != bases:
            return f"its side conditions are {sorted(bases)}"
        if self.step["law"] in ("derivative", "by exponentials"):
            allowed |= found  # a derivative exists where it is defined
        return "" if found <= allowed else "it presupposes more than the claim"

    def sides(self, kept: Iterable[str] | None = None) -> tuple[Poly, Poly]:
        return self.reader.normal(self.before, kept), self.reader.normal(self.after, kept)

    def equal(self) -> bool:
        """Both sides have one normal form."""
        return same(*self.plain)

    def plainer(self) -> bool:
        """A function by exponentials, sines and cosines."""
        tag, name, x = self.before
        return tag == "call" and same(PLAINER[name](self.reader.normal(x)), self.plain[1])

    def angles(self) -> bool:
        """The sine or cosine of a sum by those of its terms."""
        tag, name, x = self.before
        return tag == "call" and same(
            turned(name, self.reader.normal(x), self.plain[1]), self.plain[1]
        )

    def fractions(self) -> bool:
        """Terms over a sum with an exponential in it; denominators are cleared."""
        bases = [a[1] for m, _ in self.plain[0] for a, e in m if a[0] == "poly" and e < 0]
        return any("exp" in key(base) for base in bases) and self.equal()

    def derivative(self) -> bool:
        """∂of/∂wrt by the chain rule through all definitions opened but those of `wrt`."""
        node, kept = self.before, set[str]()
        while node[0] == "d":
            kept.add(node[2][1].name)
            node = node[1]
        for _, *sides in self.reader.facts:  # ∂/∂x says nothing where a fact ties x to other inputs
            names = names_in(tuple(sides))
            if names & kept and (names - kept) & self.reader.behind(node[1].name):
                raise Refused("a fact ties what is held fixed")
        matrices = (t.of for t in list(self.reader.tensors.values()) if t.role in OF_MATRIX)
        for self.reader.last in (True, False):
            if same(*self.sides(kept.union(*matrices))):
                return self.before[0] == "d"
        return False

    def definition(self) -> bool:
        """A defined component is its body, at slots where the letters of the body may stand."""
        self.reader.kept = None
        for (tag, t, *slots), other in zip(
            (self.before, self.after), self.plain[::-1], strict=True
        ):
            if tag == "ref" and t.name in self.reader.definitions:
                return same(self.reader.body(t.name, *slots), other)
        return False

    def fact(self) -> bool:
        """An instance of a fact: slots of outer letters in place of its letters."""
        letters, *sides = self.reader.facts[self.step["fact"]]
        said = self.step["instance"]
        given = {x: place(said[n], self.scope, self.reader) for n, x in letters.items()}
        left, right = (put(self.reader.normal(side), given) for side in sides)
        before, after = self.plain[:: -1 if self.step["backwards"] else 1]
        return same(left, before) and same(right, after)

    def denominator(self) -> bool:
        """The whole expression times its several-term denominators, none of them 0 therefore."""
        p, q = self.plain
        by = self.whole[1]
        factors = [(f[1], -f[2]) if f[0] == "pow" else (f, -F1) for f in self.factors(by)]
        inverse = times(self.reader.normal(x) ** e for x, e in factors)
        worst: dict[Node, Fraction] = {}
        for a, e in (pair for m, _ in p for pair in m if pair[1] < 0):
            worst[a] = min(e, worst.get(a, e))
        whole = {a: e for a, e in worst.items() if a[0] == "poly"}
        ((under, _),) = inverse
        fine = whole == {a: e for a, e in under if a[0] == "poly"}
        fine = fine and all(sign(a) == 2 or a in worst for a, _ in under)
        after = p * self.reader.normal(by)
        good = fine and not self.step["at"]
        return good and (same(after, q) or Zeros().vanish(after - q))

    def matrix(self) -> bool:
        """Σ_x M_ix E_x is 0 just when E is, for a matrix M with an inverse."""
        return not self.step["at"] and same(self.reader.normal(self.whole), self.plain[1])

    def factors(self, node: Node) -> Sequence[Node]:
        return node[1:] if node[0] == "mul" else (node,)

    def masks(self) -> bool:
        """[s ≥ 0] = 1 − [−s − 1 ≥ 0], or [i − j ≥ 0] = [i − j − 1 ≥ 0] + δ_ij."""
        tag, slot = self.before
        less, turned = linear((slot, 1), (ONE, -1)), linear((slot, -1), (ONE, -1))
        ways = (ONE - mask(turned), mask(less) + delta(slot))
        return tag == "mask" and any(same(p, self.plain[1]) for p in ways)

    def counting(self) -> bool:
        """Σ_j [j < i] = i and Σ_j j = n (n − 1)/2."""
        left, right = map(self.reader.counted, self.plain)
        return not self.equal() and same(left, right)  # else it is a normal form

    def exponents(self) -> bool:
        """x^{a/(1−a)} x = x^{1/(1−a)}: the exponents agree over a common denominator."""
        left, right = map(barred, self.plain)
        return not self.equal() and same(left, right)

    def cases(self) -> bool:
        """Both sides are equal whatever the signs of these are, and not by their normal forms."""
        us = [self.reader.normal(self.reader.parse(u, self.scope)) for u in self.step["cases"]]
        p, q = self.plain
        return not self.step["at"] and not same(p, q) and split(p - q, us)

    def scalars(self) -> bool:
        """0 by clearing denominators, taking angles apart and sums together."""
        with mpmath.workdps(DIGITS):
            plain = self.plain[1] or self.equal()  # where normal forms agree, it is by them
            return not plain and Zeros().vanish(self.plain[0])

    def evaluated(self) -> tuple[int, str]:
        """At how many points both sides were evaluated, and where they differ."""
        found, letters = 0, [x for x in self.scope.values() if not isinstance(x, int)]
        for k, sizes in enumerate(chain(*[small(self.reader.sizes)] * 2)):
            for exact in (True, False):
                point, draw = Point(self.reader, sizes, k, exact), Random(k)
                try:
                    with mpmath.workdps(DIGITS):
                        env = {x: draw.randrange(point.size(x[3])) for x in letters}
                        left = point.walk(self.whole, env)
                        right = point.walk(self.after, env)
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


def split(p: Poly, us: Sequence[Poly]) -> bool:
    """p is 0 where each of these is positive, negative or 0."""
    if same(p, ZERO) or not us:
        return same(p, ZERO)
    cases = (Case(us[0], sign) for sign in (1, -1, 0))
    return all(split(c.walk(p, {}), [c.walk(u, {}) for u in us[1:]]) for c in cases)


OWN = {
    "cases": {"cases"},
    "fact": {"fact", "instance", "backwards"},
    "common denominator": {"by"},
    "matrix cleared": {"matrix", "letter", "turned"},
}
LAWS: dict[str, Callable[[Step], bool]] = {
    "normal form": Step.equal,
    "by exponentials": Step.plainer,
    "angles apart": Step.angles,
    "fractions apart": Step.fractions,
    "derivative": Step.derivative,
    "definition": Step.definition,
    "fact": Step.fact,
    "common denominator": Step.denominator,
    "matrix cleared": Step.matrix,
    "masks apart": Step.masks,
    "scalars": Step.scalars,
    "counting": Step.counting,
    "exponents": Step.exponents,
    "cases": Step.cases,
}
