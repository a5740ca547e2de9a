"""Random formulas and systems: contractions, functions, masks, affine indices, common forms."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction

from .cases import grown
from .formulas import (
    ONE,
    Case,
    Def,
    Delta,
    Fun,
    Inverse,
    Largest,
    Length,
    Letter,
    Mask,
    MaxOver,
    Node,
    OfMatrix,
    Ref,
    Size,
    Slot,
    Tensor,
    Winner,
    add,
    at,
    free,
    mul,
    neg,
    number,
    over,
    power,
    ref,
    size,
    sub,
    total,
)

N, M = size("n"), size("m")
THREE = Size((), 3)
LESS = Size((("n", 1),), -1)
LETTERS = {N: "ijklpqrs", M: "abcde", THREE: "fgh", LESS: "zo"}
INPUTS = {
    t.name: t
    for t in (
        Tensor("x", (N,)),
        Tensor("y", (N,)),
        Tensor("p", (N,), positive=True),
        Tensor("u", (M,)),
        Tensor("A", (N, N)),
        Tensor("B", (N, N)),
        Tensor("Q", (N, M)),
        Tensor("K", (N, M)),
        Tensor("P", (N, M), positive=True),
        Tensor("W", (M, M)),
        Tensor("S", (N, N), symmetry="symmetric"),
        Tensor("F", (N, N), symmetry="antisymmetric"),
        Tensor("T", (N, N, M)),
        Tensor("R", (Size((("n", 2),), -1),)),
        Tensor("G", (Size((("n", 2),), -1), M)),
        Tensor("Z", (Size((("m", 1), ("n", 1)), -1),)),
        Tensor("X", (N, THREE)),
        Tensor("v", (THREE,)),
        Tensor("w"),
        Tensor("t", positive=True),
        Tensor("M", (N, N), regular=True),
        Tensor("C", (N, N), symmetry="symmetric", definite=True),
    )
}
PLAIN = (
    "x",
    "y",
    "p",
    "u",
    "A",
    "B",
    "Q",
    "K",
    "P",
    "W",
    "S",
    "F",
    "T",
    "R",
    "G",
    "Z",
    "X",
    "v",
    "w",
    "t",
)
SMOOTH = ("exp", "sin", "cos", "tanh", "sigmoid", "softplus")
Scope = tuple[Letter, ...]


@dataclass
class Grower:
    """Draws formulas over some inputs and over the definitions made so far."""

    rng: random.Random
    names: Sequence[str] = PLAIN
    kinks: bool = True
    affine: bool = True
    matrices: bool = False
    cases: bool = False
    defs: list[Def] = field(default_factory=list)

    # --------------------------------------------------------------------------------- letters

    def fresh(self, length: Size, taken: Sequence[Letter] | frozenset[str]) -> Letter:
        used = {x if isinstance(x, str) else x.name for x in taken}
        pool = [c for c in LETTERS.get(length, "vz") if c not in used]
        pool = pool[:3] or [f"{LETTERS[length][0]}{k}" for k in range(1, 40)
                            if f"{LETTERS[length][0]}{k}" not in used]  # fmt: skip
        return Letter(self.rng.choice(pool), length)

    def scoped(self, scope: Scope, length: Size) -> list[Letter]:
        return [x for x in scope if x.size == length]

    # ------------------------------------------------------------------------------ components

    def shapes(self) -> dict[str, tuple[Size, ...]]:
        found = {name: INPUTS[name].shape for name in self.names}
        return found | {d.name: tuple(x.size for x in d.letters) for d in self.defs}

    def positive_names(self) -> list[str]:
        return [name for name in self.names if INPUTS[name].positive]

    def slot(self, length: Size, scope: Scope, opened: list[Letter]) -> Slot:
        """An index for an axis: a letter in scope, a new bound one, or an affine one."""
        near = self.scoped(scope, length) + [x for x in opened if x.size == length]
        if length not in LETTERS and self.rng.random() < 0.1:
            return self.rng.choice([Slot(), Slot((), Size((), -1))])
        table = self.table_slot(length, scope, opened)
        if table is not None:
            return table
        less = [x for x in (*scope, *opened) if x.size == LESS and length == N]
        if less and self.rng.random() < 0.5:
            letter = self.rng.choice(less)
            return self.rng.choice(
                [Slot(((letter, 1),), Size((), 1)), Slot(((letter, -1),), Size((), -1))]
            )
        if near and self.rng.random() < 0.7:
            letter = self.rng.choice(near)
        else:
            letter = self.fresh(length, (*scope, *opened))
            opened.append(letter)
        if self.affine and self.rng.random() < 0.12:
            return self.rng.choice(
                [
                    Slot(),
                    Slot((), Size((), -1)),
                    Slot((), Size(length.parts, length.const - 1)),
                    Slot(((letter, 1),), Size((), -1)),
                    Slot(((letter, -1),), Size(length.parts, length.const - 1)),
                    Slot(((letter, -1),), Size((), -1)),
                    *self.turned(letter, near),
                ]
            )
        return at(letter)

    def turned(self, letter: Letter, near: list[Letter]) -> list[Slot]:
        """Indices that count modulo the axis: i + 1, i − 2, 2i, i + j, i − j − 1."""
        found = [Slot(((letter, 1),), Size((), c)) for c in (1, 2, -2)]
        found.append(Slot(((letter, 2),), Size((), self.rng.choice((0, 1)))))
        other = self.rng.choice([*near, letter])
        if other != letter:
            found.append(Slot(((letter, 1), (other, 1))))
            found.append(Slot(((letter, 1), (other, -1)), Size((), -1)))
        return found

    def table_slot(self, length: Size, scope: Scope, opened: list[Letter]) -> Slot | None:
        if length in LETTERS:
            return None
        pair = (N, N) if length.parts == (("n", 2),) else (N, M)
        found: list[Letter] = []
        for s in pair:
            near = [x for x in (*scope, *opened) if x.size == s and x not in found]
            if near and self.rng.random() < 0.7:
                found.append(self.rng.choice(near))
            else:
                letter = self.fresh(s, (*scope, *opened, *found))
                opened.append(letter)
                found.append(letter)
        i, j = found
        if pair == (N, M):
            return Slot(((i, 1), (j, 1)))
        wraps = [Slot(((i, 1), (j, -1)), Size((("n", 1),), -1)), Slot(((i, 1), (j, 1)))]
        return self.rng.choice([*wraps, Slot(((i, 1), (j, -1)))])

    def component(self, scope: Scope, opened: list[Letter], name: str = "") -> Node:
        shapes = self.shapes()
        if not name:
            own = [d.name for d in self.defs]
            name = self.rng.choice(own if own and self.rng.random() < 0.4 else sorted(shapes))
        return Ref(name, tuple(self.slot(s, scope, opened) for s in shapes[name]))

    # --------------------------------------------------------------------------------- formulas

    def formula(self, scope: Scope, depth: int) -> Node:
        """A formula whose free letters are in scope."""
        rng = self.rng
        if depth <= 0:
            return self.leaf(scope)
        if self.cases and rng.random() < 0.4:
            return grown(self, scope, depth)
        kind = rng.random()
        if kind < 0.24:
            return self.contraction(scope)
        if kind < 0.42:
            return mul(*(self.formula(scope, depth - 1) for _ in range(2)))
        if kind < 0.58:
            return add(*(self.scaled(self.formula(scope, depth - 1)) for _ in range(2)))
        if kind < 0.70:
            return self.function(scope, depth)
        if kind < 0.78:
            sizes = (N, N, M, M, THREE, LESS) if self.affine else (N, N, M, M, THREE)
            letter = self.fresh(rng.choice(sizes), scope)
            return total(self.formula((*scope, letter), depth - 1), letter)
        if kind < 0.86:
            return mul(self.condition(scope), self.formula(scope, depth - 1))
        if kind < 0.93:
            return self.common(scope, depth)
        if self.kinks:
            return self.maximum(scope, depth)
        return power(self.positive(scope, depth - 1), rng.choice((-1, -2, Fraction(1, 2))))

    def leaf(self, scope: Scope) -> Node:
        if self.matrices and self.rng.random() < 0.35:
            return self.matrix(scope)
        if self.rng.random() < 0.06:
            return self.rng.choice([Length(N), Length(M), number(2), number(Fraction(1, 3))])
        opened: list[Letter] = []
        node = self.component(scope, opened)
        return total(node, *opened)

    def matrix(self, scope: Scope) -> Node:
        name = self.rng.choice([x for x in ("M", "C") if x in self.names])
        if self.rng.random() < 0.7:
            opened: list[Letter] = []
            row, column = (self.plain_slot(N, scope, opened) for _ in range(2))
            return total(Inverse(name, row, column), *opened)
        return OfMatrix(self.rng.choice(["logdet", "det", "trace"]), name)

    def plain_slot(self, length: Size, scope: Scope, opened: list[Letter]) -> Slot:
        near = self.scoped(scope, length)
        if near and self.rng.random() < 0.7:
            return at(self.rng.choice(near))
        opened.append(self.fresh(length, (*scope, *opened)))
        return at(opened[-1])

    def contraction(self, scope: Scope) -> Node:
        """A product of components that share bound letters."""
        opened: list[Letter] = []
        parts = [self.component(scope, opened) for _ in range(self.rng.choice((2, 2, 3)))]
        while len(opened) > 3:
            gone = opened.pop()
            parts = [self.leaf(scope) if gone in free(node) else node for node in parts]
        used = frozenset().union(*map(free, parts))
        return total(mul(*parts), *(x for x in opened if x in used))

    def scaled(self, node: Node) -> Node:
        c = self.rng.choice((1, 1, -1, 2, Fraction(1, 2), -3))
        return node if c == 1 else mul(number(c), node)

    def function(self, scope: Scope, depth: int) -> Node:
        name = self.rng.choice((*SMOOTH, "log", "root", "square", "inverse", "abs"))
        if name == "log":
            return Fun("log", self.positive(scope, depth - 1))
        if name == "root":
            exponent = self.rng.choice((Fraction(1, 2), Fraction(-1, 2), Fraction(3, 2)))
            return power(self.positive(scope, depth - 1), exponent)
        if name == "square":
            return power(self.formula(scope, depth - 1), self.rng.choice((2, 2, 3)))
        if name == "inverse":
            return power(self.positive(scope, depth - 1), self.rng.choice((-1, -1, -2)))
        if name == "abs" and not self.kinks:
            name = "tanh"
        return Fun(name, self.formula(scope, depth - 1))

    def positive(self, scope: Scope, depth: int) -> Node:
        """A formula that is greater than zero."""
        rng = self.rng
        kind = rng.random()
        names = self.positive_names()
        if names and (kind < 0.4 or depth <= 0):
            opened: list[Letter] = []
            node = self.component(scope, opened, rng.choice(names))
            return total(node, *opened)
        if kind < 0.55:
            return Fun("exp", self.formula(scope, depth - 1))
        if kind < 0.7:
            letter = self.fresh(rng.choice((N, N, M, M, THREE)), scope)
            return total(Fun("exp", self.formula((*scope, letter), depth - 1)), letter)
        if kind < 0.8:
            return add(ONE, power(self.formula(scope, depth - 1), 2))
        if kind < 0.9:
            return mul(self.positive(scope, depth - 1), self.positive(scope, depth - 1))
        return add(self.positive(scope, depth - 1), self.positive(scope, depth - 1))

    def condition(self, scope: Scope) -> Node:
        """A mask or a δ of letters in scope; 1 where there are too few."""
        rng = self.rng
        pairs = [(a, b) for a in scope for b in scope if a != b and a.size == b.size]
        wide = [(a, b) for a in scope for b in scope if a.size != b.size]
        if self.affine and scope and rng.random() < 0.15:
            a = rng.choice(scope)
            end = rng.choice([Slot(), Slot((), Size(a.size.parts, a.size.const - 1))])
            return rng.choice([Mask("==", at(a), end), Mask("<", at(a), end), Delta(at(a), end)])
        if wide and (not pairs or rng.random() < 0.2):
            a, b = rng.choice(wide)
            return Mask(rng.choice(("<=", "<", "==", "!=")), at(a), at(b))
        if not pairs:
            return ONE
        a, b = rng.choice(pairs)
        kind = rng.random()
        shift = Slot(((b, 1),), Size((), rng.choice((-1, 1)))) if rng.random() < 0.3 else at(b)
        if not self.affine:
            shift = at(b)
        if kind < 0.3:
            return Delta(at(a), shift)
        if kind < 0.4 and self.affine:
            back = Slot(((b, -1),), Size(b.size.parts, b.size.const - 1))
            return Delta(at(a), back)
        return Mask(rng.choice(("<=", "<", "<=", "<", "!=", "==")), at(a), shift)

    def maximum(self, scope: Scope, depth: int) -> Node:
        rng = self.rng
        kind = rng.random()
        if kind < 0.4:
            return Largest(tuple(self.formula(scope, depth - 1) for _ in range(2)))
        if kind < 0.6:
            return Largest((number(0), self.formula(scope, depth - 1)))
        letter = self.fresh(rng.choice((N, N, M, M, THREE)), scope)
        body = self.formula((*scope, letter), depth - 1)
        if kind < 0.85 or letter not in free(body):
            return MaxOver((letter,), body)
        other = self.fresh(letter.size, (*scope, letter))
        picked = self.formula((*scope, other), 0)
        return total(mul(Winner(at(other), letter, body), picked), other)

    # ------------------------------------------------------------------------------ common forms

    def common(self, scope: Scope, depth: int) -> Node:
        """Softmax, logsumexp, means, variances, masked sums, squared distances."""
        rng = self.rng
        letter = self.fresh(rng.choice((N, N, M, M, THREE)), scope)
        inner = (*scope, letter)
        body = self.formula(inner, depth - 1)
        kind = rng.choice(
            ("softmax", "logsumexp", "mean", "variance", "prefix", "distance", "norm")
        )
        if kind == "logsumexp":
            return Fun("log", total(Fun("exp", body), letter))
        if kind == "mean":
            return over(total(body, letter), Length(letter.size))
        if kind == "variance":
            mean = over(total(body, letter), Length(letter.size))
            return sub(over(total(power(body, 2), letter), Length(letter.size)), power(mean, 2))
        if kind == "prefix" and self.scoped(scope, letter.size):
            first = rng.choice(self.scoped(scope, letter.size))
            return total(mul(Mask(rng.choice(("<=", "<")), at(letter), at(first)), body), letter)
        if kind == "norm":
            return power(add(ONE, total(power(body, 2), letter)), Fraction(1, 2))
        if kind == "distance" and self.scoped(scope, letter.size):
            first = rng.choice(self.scoped(scope, letter.size))
            other = self.renamed(body, letter, first)
            return total(power(sub(body, other), 2), letter)
        near = self.scoped(scope, letter.size)
        if near and rng.random() < 0.7:  # softmax at a letter in scope
            top = self.renamed(body, letter, rng.choice(near))
            return over(Fun("exp", top), total(Fun("exp", body), letter))
        second = self.fresh(letter.size, inner)
        weight = over(
            Fun("exp", self.renamed(body, letter, second)), total(Fun("exp", body), letter)
        )
        return total(mul(weight, self.formula((*scope, second), 0)), second)

    def renamed(self, node: Node, old: Letter, new: Letter) -> Node:
        from .formulas import substitute

        return substitute(node, {old: at(new)}, self.other)

    def other(self, letter: Letter, taken: frozenset[str]) -> Letter:
        return self.fresh(letter.size, taken)

    # ----------------------------------------------------------------------------------- systems

    def definition(self, name: str, rank: int, depth: int) -> Def:
        letters: list[Letter] = []
        for _ in range(rank):
            letters.append(self.fresh(self.rng.choice((N, N, M)), letters))
        return Def(name, tuple(letters), self.formula(tuple(letters), depth))

    def softmax(self, name: str) -> Def:
        i, j = self.fresh(N, ()), None
        j = self.fresh(self.rng.choice((N, N, M, M, THREE)), (i,))
        score = self.formula((i, j), 1)
        l = self.fresh(j.size, (i, j))
        keep = Mask("<=", at(j), at(i)) if j.size == N and self.rng.random() < 0.3 else ONE
        top = mul(keep, Fun("exp", score))
        below = self.renamed(top, j, l)
        return Def(name, (i, j), over(top, total(below, l)))

    def system(self, count: int, depth: int = 2, last: int | None = None) -> Case:
        """That many definitions; the last one has the rank `last`."""
        for k in range(count):
            rank = self.rng.choice((0, 1, 1, 2, 2))
            if k == count - 1 and last is not None:
                rank = last
            if self.rng.random() < 0.15 and not (k == count - 1 and last is not None):
                d = self.softmax(f"D{k}")
            else:
                d = self.definition(f"D{k}", rank, depth)
            self.defs.append(d)
        return self.case()

    def case(self) -> Case:
        return Case({name: INPUTS[name] for name in self.names}, tuple(self.defs))


def some_names(rng: random.Random, count: int, pool: Sequence[str] = PLAIN) -> list[str]:
    """Inputs for one case, of which one can be contracted with another."""
    return sorted(rng.sample(list(pool), min(count, len(pool))))


# names that mean something elsewhere: to derivatives, to generated code, to Python, to the printer
ODD = (
    "x_bar", "x_dot", "D0_bar", "D1_dot", "scattered", "einsum", "jnp", "rows", "dtype",
    "lambda", "part", "x~", "W_Q", "def", "solve", "inverse_M", "__class__", "L", "beta", "α",
    "x'", "zeros", "D1_bar_dot", "self", "range", "sum", "arange", "out", "E", "I", "pi",
    "inverse(M)", "∂", "1x", "i", "a", "partial", "dL/dx", "\\hat{x}", "n_k", "softmax", "exp",
)  # fmt: skip


def odd_names(case: Case, rng: random.Random) -> dict[str, str]:
    """Other names for some tensors of a case."""
    own = [*case.inputs, *(d.name for d in case.defs)]
    chosen = rng.sample(own, min(len(own), rng.choice((1, 2, 3))))
    pool = [name for name in ODD if name not in own and not (case.loss and name == "L")]
    return dict(zip(chosen, rng.sample(pool, len(chosen)), strict=True))


Sizes = Mapping[str, int]
POINTS: tuple[Sizes, ...] = (
    {"n": 2, "m": 3},
    {"n": 3, "m": 2},
    {"n": 1, "m": 2},
    {"n": 2, "m": 1},
    {"n": 3, "m": 3},
    {"n": 1, "m": 1},
)

__all__ = ["INPUTS", "POINTS", "Grower", "M", "N", "neg", "ref", "some_names"]
