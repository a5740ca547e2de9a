"""Formulas along axes: windows, running sums, decays, δ's on a circle, gathers and ranks."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass, replace

from .disguise import Disguise
from .formulas import (
    ONE,
    Case,
    Compare,
    Delta,
    Fun,
    Letter,
    Mask,
    MaxOver,
    Mul,
    Node,
    Position,
    Ref,
    Scope,
    Size,
    Slot,
    Statement,
    Sum,
    Winner,
    add,
    at,
    count,
    free,
    mul,
    number,
    ref,
    substitute,
    total,
)
from .grow import Grower, M, N, some_names

TABLES = ("A", "B", "Q", "K", "u", "R")


@dataclass
class Along(Grower):
    """Formulas in which indices are compared, counted and added."""

    def formula(self, scope: Scope, depth: int) -> Node:
        if depth <= 0 or self.rng.random() < 0.45:
            return super().formula(scope, depth)
        forms = (running, decaying, window, behind, near, circle, smooth, gathered, ranked, counted)
        return self.rng.choice(forms)(self, scope) or super().formula(scope, depth)


def slot(*parts: tuple[Letter, int], const: int = 0, sized: int = 0) -> Slot:
    """Σ c · letter + const + sized · n."""
    return Slot(parts, Size((("n", sized),) * bool(sized), const))


def one(g: Along, scope: Scope) -> Letter | None:
    own = g.scoped(scope, N)
    return g.rng.choice(own) if own else None


def order(g: Along, later: Letter, earlier: Letter) -> Node:
    """[earlier ≤ later], by one more or one less, and the same from behind."""
    sides = at(earlier), slot((later, 1), const=g.rng.choice((0, 0, 0, -1, 1)))
    return Mask(g.rng.choice(("<=", "<")), *(sides if g.rng.random() < 0.7 else sides[::-1]))


def running(g: Along, scope: Scope) -> Node | None:
    """Σ_j [j ≤ i] f_j."""
    if (i := one(g, scope)) is None:
        return None
    j = g.fresh(N, scope)
    return total(mul(order(g, i, j), g.leaf((*scope, j))), j)


def decaying(g: Along, scope: Scope) -> Node | None:
    """Σ_j [j ≤ i] e^{−(i − j) t} f_j."""
    if (i := one(g, scope)) is None:
        return None
    j = g.fresh(N, scope)
    gap = mul(number(-1), Position(slot((i, 1), (j, -1))), ref("t"))
    return total(mul(order(g, i, j), Fun("exp", gap), g.leaf((*scope, j))), j)


def window(g: Along, scope: Scope) -> Node | None:
    """Σ_a Z_{i+a} f_a, or the largest."""
    if (i := one(g, scope)) is None:
        return None
    a = g.fresh(M, scope)
    table = Ref("Z", (slot((i, 1), (a, 1)),))
    if g.rng.random() < 0.25:
        return MaxOver((a,), table)
    return total(mul(table, g.leaf((*scope, a))), a)


def behind(g: Along, scope: Scope) -> Node | None:
    """Σ_a [a ≤ i] x_{i−a} f_a, also where the mask is left out and the index goes round."""
    if (i := one(g, scope)) is None:
        return None
    a = g.fresh(M, scope)
    held = Mask("<=", at(a), at(i)) if g.rng.random() < 0.7 else ONE
    name = g.rng.choice(("x", "y"))
    return total(mul(held, Ref(name, (slot((i, 1), (a, -1)),)), g.leaf((*scope, a))), a)


def near(g: Along, scope: Scope) -> Node | None:
    """Σ_j [i − 1 ≤ j] [j ≤ i + 1] f_j."""
    if (i := one(g, scope)) is None:
        return None
    j = g.fresh(N, scope)
    both = Mask("<=", slot((i, 1), const=-1), at(j)), Mask("<=", at(j), slot((i, 1), const=1))
    return total(mul(*both, g.leaf((*scope, j))), j)


def circle(g: Along, scope: Scope) -> Node | None:
    """Σ_jk δ_{i, j±k+c} f_j g_k, where indices count modulo n."""
    i = one(g, scope)
    j = g.fresh(N, scope)
    k = g.fresh(N, (*scope, j))
    bound = (j, k)
    if i is None:
        i = g.fresh(N, (*scope, j, k))
        bound = (i, j, k)
    side = slot((j, 1), (k, g.rng.choice((1, -1))), const=g.rng.choice((0, 0, 1, -1)))
    inside = mul(g.leaf((*scope, j)), g.leaf((*scope, g.rng.choice((i, k)), k)))
    held = order(g, j, k) if g.rng.random() < 0.3 else ONE
    return total(mul(Delta(at(i), side, N), held, inside), *bound)


def smooth(g: Along, scope: Scope) -> Node | None:
    """log Σ_j [j ≤ i] e^{f_j}, which has a value where something is summed."""
    if (i := one(g, scope)) is None:
        return None
    j = g.fresh(N, scope)
    body = g.leaf((*scope, j))
    return Fun("log", total(mul(Mask("<=", at(j), at(i)), Fun("exp", body)), j))


def gathered(g: Along, scope: Scope) -> Node | None:
    """Σ_j [j = argmax_k f_k] g_j."""
    j = g.fresh(N, scope)
    k = g.fresh(N, (*scope, j))
    score = add(ref(g.rng.choice(("x", "y")), k), g.leaf(scope))
    return total(mul(Winner(at(j), k, score), g.leaf((*scope, j))), j)


def ranked(g: Along, scope: Scope) -> Node | None:
    """Σ_j [fewer than two of f are above f_j] g_j."""
    j = g.fresh(N, scope)
    k = g.fresh(N, (*scope, j))
    name = g.rng.choice(("x", "y"))
    above = total(Compare(">", ref(name, k), ref(name, j)), k)
    return total(mul(Compare("<", above, number(2)), g.leaf((*scope, j))), j)


def counted(g: Along, scope: Scope) -> Node | None:
    """Σ_j [2j ≤ n − 1] f_j, and x_{n−1−j} and x_{2j} under it."""
    j = g.fresh(N, scope)
    held = Mask("<=", slot((j, 2)), slot(const=-1, sized=1))
    place = g.rng.choice((slot((j, 2)), slot((j, -1), const=-1, sized=1), slot((j, 1))))
    return total(mul(held, Ref(g.rng.choice(("x", "y")), (place,)), g.leaf((*scope, j))), j)


# -------------------------------------------------------------------------------------- the laws


def parted(d: Disguise, node: Node, scope: Scope) -> Node | None:
    """Σ_j f = Σ_j [j ≤ i] f + Σ_j [j > i] f."""
    if not isinstance(node, Sum) or len(node.letters) != 1:
        return None
    (j,) = node.letters
    others = [x for x in scope if x.size == j.size and x != j]
    if not others:
        return None
    i = d.rng.choice(others)
    parts = (mul(m, node.body) for m in (Mask("<=", at(j), at(i)), Mask("<", at(i), at(j))))
    return add(*(Sum(node.letters, part) for part in parts))


def turned_round(d: Disguise, node: Node, scope: Scope) -> Node | None:
    """Σ_j f_j = Σ_j f_{n−1−j}."""
    if not isinstance(node, Sum) or len(node.letters) != 1:
        return None
    (j,) = node.letters
    back = Slot(((j, -1),), Size(j.size.parts, j.size.const - 1))
    return Sum(node.letters, substitute(node.body, {j: back}, d.other))


def other_letter(d: Disguise, node: Node, scope: Scope) -> Node | None:
    """δ_{i, j+k} = δ_{j, i−k}, modulo n."""
    if not isinstance(node, Delta) or node.modulo is None or node.a.plain is None:
        return None
    i, own = node.a.plain, [(x, c) for x, c in node.b.parts if abs(c) == 1]
    if not own:
        return None
    x, c = d.rng.choice(own)
    rest = [(y, -c * e) for y, e in node.b.parts if y != x]
    const = node.b.const
    moved = Size(tuple((n, -c * e) for n, e in const.parts), -c * const.const)
    return Delta(at(x), Slot(((i, c), *rest), moved), node.modulo) if i != x else None


def along_delta(d: Disguise, node: Node, scope: Scope) -> Node | None:
    """δ_{i, j+k} x_i = δ_{i, j+k} x_{j+k}, where the axis of x has n entries."""
    if not isinstance(node, Mul):
        return None
    turns = [a for a in node.args if isinstance(a, Delta) and a.modulo and a.a.plain]
    if not turns:
        return None
    turn = d.rng.choice(turns)
    i = turn.a.plain

    def moved(part: Node) -> Node:
        if not isinstance(part, Ref):
            return part
        shape = d.case.shape(part.name)
        slots = (turn.b if s == at(i) and n == turn.modulo else s
                 for s, n in zip(part.slots, shape, strict=True))  # fmt: skip
        return replace(part, slots=tuple(slots))

    return mul(*map(moved, node.args))


LAWS: tuple[Callable[[Disguise, Node, Scope], Node | None], ...] = (
    parted, turned_round, other_letter, along_delta)  # fmt: skip


def system(rng: random.Random, count_: int, last: int | None = None) -> tuple[Along, Case]:
    """Definitions along axes, over inputs that they may read."""
    names = sorted({"x", "y", "Z", "t", *some_names(rng, 3, TABLES)})
    grower = Along(rng, names, kinks=rng.random() < 0.3, affine=rng.random() < 0.5)
    return grower, grower.system(count_, depth=rng.choice((1, 2)), last=last)


def statement(rng: random.Random) -> tuple[Statement, Disguise] | None:
    """A statement about sums along axes that holds by laws."""
    grower, case = system(rng, rng.choice((1, 2)))
    scope: Scope = tuple(Letter(x, N) for x in "ij"[: rng.choice((1, 1, 2))])
    node = grower.formula(scope, rng.choice((1, 2)))
    if count(node) > 40 or not free(node) <= set(scope):
        return None
    disguise = Disguise(rng, case, grower, LAWS)
    left, how = disguise(node, scope, rng.choice((0, 1)))
    right, more = disguise(node, scope, rng.choice((1, 2, 3, 4)))
    return Statement(case, scope, left, right, (*how, *more)), disguise


__all__ = ["LAWS", "Along", "statement", "system"]
