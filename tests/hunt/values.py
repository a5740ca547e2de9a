"""Numbers for formulas by plain loops: floats, complex steps, or mpmath numbers."""

from __future__ import annotations

import cmath
import itertools
import math
import random
from collections.abc import Callable, Mapping
from typing import Any

import mpmath

from .formulas import (
    Add,
    Case,
    Compare,
    Def,
    Delta,
    Fun,
    Inverse,
    Largest,
    Length,
    Mask,
    MaxOver,
    Mul,
    Node,
    Num,
    OfMatrix,
    Position,
    Pow,
    Ref,
    Slope,
    Slot,
    Sum,
    Tensor,
    Winner,
)

HUGE = 1e7  # past it float64 has too few digits left to judge by


class NoValue(Exception):
    """A division by zero, a root or logarithm of something negative, a number too large."""


Table = dict[tuple[int, ...], Any]
Env = dict[str, int]


def _float(name: str) -> Callable[[Any], Any]:
    def sigmoid(x: Any) -> Any:
        return 1 / (1 + cmath.exp(-x)) if isinstance(x, complex) else 1 / (1 + math.exp(-x))

    def softplus(x: Any) -> Any:
        return cmath.log(1 + cmath.exp(x)) if isinstance(x, complex) else math.log1p(math.exp(x))

    def step(x: Any) -> Any:
        return 1.0 if real(x) >= 0 else 0.0

    def absolute(x: Any) -> Any:
        return x if real(x) >= 0 else -x

    own = {"sigmoid": sigmoid, "softplus": softplus, "step": step, "abs": absolute}
    own |= {
        "relu": lambda x: max(x, 0.0),
        "sign": lambda x: (x > 0) - (x < 0),
        "elu": lambda x: x if x > 0 else math.exp(x) - 1,
        "silu": lambda x: x * sigmoid(x),
        "hard_tanh": lambda x: max(-1.0, min(x, 1.0)),
    }
    if name in own:
        return own[name]
    plain, wide = getattr(math, name), getattr(cmath, name)
    return lambda x: wide(x) if isinstance(x, complex) else plain(x)


def _multi(name: str) -> Callable[[Any], Any]:
    own = {
        "sigmoid": lambda x: 1 / (1 + mpmath.exp(-x)),
        "softplus": lambda x: mpmath.log(1 + mpmath.exp(x)),
        "step": lambda x: mpmath.mpf(1 if x >= 0 else 0),
        "abs": abs,
    }
    return own.get(name) or getattr(mpmath, name)


def real(x: Any) -> Any:
    return x.real if isinstance(x, complex) else x


class Numbers:
    """The values of a case at one point: sizes, arrays of its inputs, whatever is overridden.

    `given` overrides definitions too: what is in it is not computed.
    """

    def __init__(
        self,
        case: Case,
        sizes: Mapping[str, int],
        given: Mapping[str, Table],
        multi: bool = False,
        slopes: Mapping[str, Table] | None = None,
        ties: bool = True,
    ) -> None:
        # without ties, values that are equal under a maximum are no value at all; with them, those
        # that are nearly equal are none, since rounding decides which is larger
        self.ties = ties
        self.case, self.sizes, self.multi = case, sizes, multi
        self.tables: dict[str, Table] = dict(given)
        self.slopes = dict(slopes or {})
        self.known: dict[Any, Any] = {}

    # ---------------------------------------------------------------------------------- tables

    def table(self, name: str) -> Table:
        """The entries of a tensor by their indices."""
        if name not in self.tables:
            d = self.case.definition(name)
            if d is None:
                raise KeyError(name)
            self.tables[name] = self.grid(d.body, d.letters)
        return self.tables[name]

    def shape(self, name: str) -> tuple[int, ...]:
        return tuple(s.value(self.sizes) for s in self.case.shape(name))

    def grid(self, node: Node, letters: tuple[Any, ...]) -> Table:
        """The values of a formula for all values of its letters."""
        ranges = [range(letter.size.value(self.sizes)) for letter in letters]
        function, names = self.function(node), [letter.name for letter in letters]
        try:
            return {
                entry: self.checked(function(dict(zip(names, entry, strict=True))))
                for entry in itertools.product(*ranges)
            }
        except (ZeroDivisionError, OverflowError, ValueError) as error:
            raise NoValue(str(error)) from error

    def checked(self, x: Any) -> Any:
        if not self.multi and not abs(x) < HUGE:
            raise NoValue("huge")
        return x

    # ------------------------------------------------------------------------------- functions

    def index(self, slot: Slot) -> Callable[[Env], int]:
        const = slot.const.value(self.sizes)
        parts = [(letter.name, c) for letter, c in slot.parts]
        if len(parts) == 1 and parts[0][1] == 1 and not const:
            name = parts[0][0]
            return lambda env: env[name]
        return lambda env: const + sum(c * env[name] for name, c in parts)

    def entry(self, table: Table, slots: tuple[Slot, ...], shape: tuple[int, ...]) -> Any:
        picks = [self.index(slot) for slot in slots]
        if all(slot.plain for slot in slots):
            if len(picks) == 1:
                (one,) = picks
                return lambda env: table[(one(env),)]
            return lambda env: table[tuple(p(env) for p in picks)]

        def wrapped(env: Env) -> Any:
            place = []
            for pick, slot, length in zip(picks, slots, shape, strict=True):
                k = pick(env)
                if not length or (not slot.parts and not -length <= k < length):
                    raise NoValue("an index leaves its range")
                place.append(k % length)
            return table[tuple(place)]

        return wrapped

    def function(self, node: Node) -> Callable[[Env], Any]:
        """The formula as a function of the values of its letters."""
        match node:
            case Num(value):
                x = mpmath.mpf(value.numerator) / value.denominator if self.multi else float(value)
                return lambda env: x
            case Length(size):
                length = size.value(self.sizes)
                return lambda env: length
            case Ref(name, slots):
                return self.entry(self.table(name), slots, self.shape(name))
            case Slope(name, slots):
                return self.entry(self.slopes[name], slots, self.shape(name))
            case Add(args):
                parts = [self.function(a) for a in args]
                return lambda env: sum(p(env) for p in parts)
            case Mul(args):
                return self.product([self.function(a) for a in args])
            case Pow(base, exponent):
                return self.power(self.function(base), exponent)
            case Fun(name, arg):
                inner = self.function(arg)
                outer = (_multi if self.multi else _float)(name)
                if name in ("abs", "step", "sign", "relu", "elu", "hard_tanh"):
                    outer = self.apart(outer)
                return self.guarded(inner, outer, name == "log")
            case Sum(letters, body):
                return self.loop(self.function(body), letters, 0, lambda a, b: a + b)
            case MaxOver(letters, body):
                return self.loop(self.function(body), letters, None, self.larger)
            case Largest(args):
                parts = [self.function(a) for a in args]

                def largest(env: Env) -> Any:
                    best = None
                    for p in parts:
                        best = self.larger(best, p(env))
                    return best

                return largest
            case Winner(slot, letter, body):
                return self.winner(self.index(slot), letter, self.function(body))
            case Position(slot):
                return self.index(slot)
            case Compare(op, a, b):
                left, right = self.function(a), self.function(b)
                return lambda env: 1 if self.holds(op, left(env), right(env)) else 0
            case Delta(a, b, modulo):
                x, y = self.index(a), self.index(b)
                if modulo is not None:
                    length = modulo.value(self.sizes)
                    return lambda env: 0 if (x(env) - y(env)) % length else 1
                return lambda env: 1 if x(env) == y(env) else 0
            case Mask(op, a, b):
                x, y = self.index(a), self.index(b)
                return {
                    "<=": lambda env: 1 if x(env) <= y(env) else 0,
                    "<": lambda env: 1 if x(env) < y(env) else 0,
                    "==": lambda env: 1 if x(env) == y(env) else 0,
                    "!=": lambda env: 1 if x(env) != y(env) else 0,
                }[op]
            case Inverse(name, row, column):
                shape = self.shape(name)
                return self.entry(self.matrix("inverse", name), (row, column), shape)
            case OfMatrix(kind, name):
                value = self.matrix(kind, name)[()]
                return lambda env: value
        raise AssertionError(node)

    def product(self, parts: list[Callable[[Env], Any]]) -> Callable[[Env], Any]:
        def run(env: Env) -> Any:
            result: Any = 1
            for p in parts:
                result = result * p(env)
            return self.checked(result)

        return run

    def power(self, base: Callable[[Env], Any], exponent: Any) -> Callable[[Env], Any]:
        whole = exponent.denominator == 1
        e = int(exponent) if whole else float(exponent)
        if self.multi and not whole:
            e = mpmath.mpf(exponent.numerator) / exponent.denominator

        def run(env: Env) -> Any:
            x = base(env)
            if not whole and real(x) <= 0:
                raise NoValue("a root of something negative")
            if e < 0 and abs(x) < 1e-9:
                raise NoValue("a division by zero")
            return self.checked(x**e)

        return run

    def guarded(self, inner: Any, outer: Any, positive: bool) -> Callable[[Env], Any]:
        def run(env: Env) -> Any:
            x = inner(env)
            if positive and real(x) <= 1e-12:
                raise NoValue("a logarithm of something negative")
            return self.checked(outer(x))

        return run

    def loop(
        self, body: Any, letters: Any, start: Any, combine: Callable[[Any, Any], Any]
    ) -> Callable[[Env], Any]:
        names = [letter.name for letter in letters]
        grid = list(
            itertools.product(*(range(letter.size.value(self.sizes)) for letter in letters))
        )

        def run(env: Env) -> Any:
            inner, result = dict(env), start
            for entry in grid:
                inner.update(zip(names, entry, strict=True))
                result = combine(result, body(inner))
            return result

        return run

    def winner(self, slot: Any, letter: Any, body: Any) -> Callable[[Env], Any]:
        length, name = letter.size.value(self.sizes), letter.name

        def run(env: Env) -> Any:
            values = [real(body({**env, name: k})) for k in range(length)]
            if length > 1:
                first, second = sorted(values)[-2:]
                self.larger(first, second)
            return 1 if values.index(max(values)) == slot(env) else 0

        return run

    def larger(self, a: Any, b: Any) -> Any:
        if a is not None and abs(real(a) - real(b)) < 1e-6 and (not self.ties or a != b):
            raise NoValue("equal values under a maximum")
        return b if a is None or real(b) > real(a) else a

    def holds(self, op: str, a: Any, b: Any) -> bool:
        """Whether a op b; values that differ by rounding alone are none."""
        if 0 < abs(a - b) < 1e-9 * (1 + abs(a)):
            raise NoValue("values that may be equal")
        self.larger(a, b)
        return {"=": a == b, ">": a > b, ">=": a >= b, "<": a < b, "<=": a <= b}[op]

    def apart(self, outer: Callable[[Any], Any]) -> Callable[[Any], Any]:
        def run(x: Any) -> Any:
            if abs(real(x)) < 1e-6 and (not self.ties or x != 0):
                raise NoValue("a kink")
            return outer(x)

        return run

    # -------------------------------------------------------------------------------- matrices

    def matrix(self, kind: str, name: str) -> Table:
        if (kind, name) not in self.known:
            table, (n, _) = self.table(name), self.shape(name)
            rows = [[table[i, j] for j in range(n)] for i in range(n)]
            if kind == "trace":
                self.known[kind, name] = {(): sum(rows[i][i] for i in range(n))}
            else:
                inverse, determinant = gauss(rows)
                self.known["inverse", name] = {
                    (i, j): inverse[i][j] for i in range(n) for j in range(n)
                }
                self.known["det", name] = {(): determinant}
                if kind == "logdet":  # log |det M|
                    log = (_multi if self.multi else _float)("log")
                    size = determinant if real(determinant) > 0 else -determinant
                    self.known["logdet", name] = {(): log(size)}
        return self.known[kind, name]


def gauss(rows: list[list[Any]]) -> tuple[list[list[Any]], Any]:
    """Inverse and determinant by elimination with the largest pivot of each column."""
    n, determinant = len(rows), 1
    work = [list(row) + [1.0 if i == j else 0.0 for j in range(n)] for i, row in enumerate(rows)]
    for k in range(n):
        pivot = max(range(k, n), key=lambda r: abs(work[r][k]))
        if abs(work[pivot][k]) < 1e-6:
            raise NoValue("a singular matrix")
        if pivot != k:
            work[k], work[pivot] = work[pivot], work[k]
            determinant = -determinant
        determinant = determinant * work[k][k]
        work[k] = [x / work[k][k] for x in work[k]]
        for r in range(n):
            if r != k:
                factor = work[r][k]
                work[r] = [x - factor * y for x, y in zip(work[r], work[k], strict=True)]
    return [row[n:] for row in work], determinant


# ----------------------------------------------------------------------------------------- draws


def entries(shape: tuple[int, ...]) -> Any:
    return itertools.product(*map(range, shape))


def draw(
    tensor: Tensor, sizes: Mapping[str, int], rng: random.Random, coarse: bool = False
) -> Table:
    """Values between 0.3 and 1.3 in size, of either sign unless declared positive.

    Coarse ones are -1, 0 and 1 (1 and 2 where positive): zeros, and values that are equal.
    """
    shape = tuple(s.value(sizes) for s in tensor.shape)

    def value() -> float:
        if coarse:
            return float(rng.choice((1, 2) if tensor.positive else (-1, 0, 0, 1)))
        return rng.uniform(0.3, 1.3) * (1 if tensor.positive else rng.choice((-1, 1)))

    table = {e: value() for e in entries(shape)}
    if tensor.symmetry:
        sign = -1 if tensor.symmetry == "antisymmetric" else 1
        for i, j in entries(shape):
            if i > j:
                table[i, j] = sign * table[j, i]
            elif i == j and sign < 0:
                table[i, j] = 0.0
    if tensor.definite:
        n = shape[0]
        table = {
            (i, j): sum(table[i, k] * table[j, k] for k in range(n)) + (0.5 + n / 4) * (i == j)
            for i, j in entries(shape)
        }
    elif len(shape) == 2 and shape[0] == shape[1] and tensor.regular:
        for i in range(shape[0]):  # matrices that are inverted: far from singular
            table[i, i] += 2.5
    return table


def draws(
    case: Case, sizes: Mapping[str, int], rng: random.Random, coarse: bool = False
) -> dict[str, Table]:
    """Values of all inputs, which satisfy the facts."""
    tables = {name: draw(t, sizes, rng, coarse) for name, t in sorted(case.inputs.items())}
    for fact in case.facts:
        from .facts import satisfy

        satisfy(fact, tables, sizes, case)
    for fact in case.facts:  # one may spoil another: then the draw is of no use
        numbers = Numbers(case, sizes, tables)
        letters = tuple(sorted_free(fact.left, fact.right))
        left, right = numbers.grid(fact.left, letters), numbers.grid(fact.right, letters)
        if any(abs(left[e] - right[e]) > 1e-9 for e in left):
            raise NoValue("the facts could not be met")
    return tables


def sorted_free(*nodes: Node) -> list[Any]:
    from .formulas import free

    return sorted(frozenset().union(*map(free, nodes)), key=lambda letter: letter.name)


__all__ = ["Def", "NoValue", "Numbers", "Table", "draw", "draws", "entries", "gauss", "real"]
