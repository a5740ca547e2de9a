"""Numbers for SymPy trees that symattn gives back, by loops over their letters."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Mapping
from typing import Any

import sympy as sp

from symattn.objects import Iverson, Maximum, OneHot

from .values import NoValue, Table, _float, real

Env = Mapping[str, int]


class LooseLetter(Exception):
    """A letter that is neither free on the left nor under a sum."""


class Tree:
    """Evaluates SymPy trees over tables of numbers."""

    def __init__(
        self,
        tables: Mapping[str, Table],
        sizes: Mapping[str, int],
        matrix: Callable[[str, str], Table] | None = None,
    ) -> None:
        self.tables, self.sizes, self.matrix = tables, sizes, matrix

    def grid(self, expr: Any, names: list[str], lengths: list[int]) -> Table:
        """The values for all values of the letters with these names."""
        function = self.function(expr)
        try:
            return {
                entry: complex_to_real(function(dict(zip(names, entry, strict=True))))
                for entry in itertools.product(*map(range, lengths))
            }
        except (ZeroDivisionError, OverflowError, ValueError) as error:
            raise NoValue(str(error)) from error

    def integer(self, expr: Any) -> Callable[[Env], int]:
        """An index: letters, sizes and integers."""
        match expr:
            case sp.Integer():
                k = int(expr)
                return lambda env: k
            case sp.Idx():
                name = expr.name

                def letter(env: Env) -> int:
                    if name not in env:
                        raise LooseLetter(f"the letter {name} is neither free nor bound")
                    return env[name]

                return letter
            case sp.Symbol():
                length = self.sizes[expr.name]
                return lambda env: length
            case sp.Add():
                parts = [self.integer(a) for a in expr.args]
                return lambda env: sum(p(env) for p in parts)
            case sp.Mul():
                parts = [self.integer(a) for a in expr.args]

                def product(env: Env) -> int:
                    result = 1
                    for p in parts:
                        result *= p(env)
                    return result

                return product
            case sp.Mod():
                a, length = (self.integer(x) for x in expr.args)
                return lambda env: a(env) % length(env)
        raise NotImplementedError(f"an index {expr!r}")

    def length(self, letter: Any) -> int:
        return self.integer(sp.sympify(letter.upper + 1))({})

    def entry(self, table: Table, slots: list[Any]) -> Callable[[Env], Any]:
        picks = [self.integer(s) for s in slots]
        lengths = [1 + max(e[k] for e in table) for k in range(len(slots))]

        def look(env: Env) -> Any:
            place = []
            for pick, slot, length in zip(picks, slots, lengths, strict=True):
                k = pick(env)
                if not slot.atoms(sp.Idx) and not -length <= k < length:
                    raise LooseLetter(f"index {k} leaves its range 0 … {length - 1}")
                place.append(k % length)
            return table[tuple(place)]

        return look

    def loop(self, expr: Any, start: Any, combine: Any) -> Callable[[Env], Any]:
        body = self.function(expr.function)
        letters = [(limit[0].name, self.length(limit[0])) for limit in expr.limits]
        names = [name for name, _ in letters]
        grid = list(itertools.product(*(range(k) for _, k in letters)))
        repeated = 1
        for name in set(names):  # Σ_j Σ_j f, which SymPy merges: the outer one counts
            k = dict(letters)[name]
            repeated *= k ** (names.count(name) - 1)
        if repeated > 1:
            once = list(dict.fromkeys(names))
            grid = list(itertools.product(*(range(dict(letters)[x]) for x in once)))
            names = once

        def run(env: Env) -> Any:
            inner, result = dict(env), start
            for entry in grid:
                inner.update(zip(names, entry, strict=True))
                result = combine(result, body(inner))
            return result * repeated if combine is _plus else result

        return run

    def function(self, expr: Any) -> Callable[[Env], Any]:
        match expr:
            case sp.Rational() | sp.Float() | sp.NumberSymbol():
                value = float(expr)
                return lambda env: value
            case sp.Indexed():
                return self.entry(self.table(expr.base), list(expr.indices))
            case _ if type(expr).__name__ == "Determinant":
                number = self.known("det", expr)[()]
                number = math.log(abs(number)) if expr.kind == "logdet" else number
                return lambda env: number
            case sp.Idx():
                return self.integer(expr)
            case sp.Symbol():
                if expr.name in self.tables:
                    scalar = self.tables[expr.name][()]
                    return lambda env: scalar
                length = self.sizes[expr.name]
                return lambda env: length
            case sp.Add():
                parts = [self.function(a) for a in expr.args]
                return lambda env: sum(p(env) for p in parts)
            case sp.Mul():
                return self.product([self.function(a) for a in expr.args])
            case sp.Pow():
                return self.power(expr)
            case sp.Sum():
                return self.loop(expr, 0, _plus)
            case Maximum():
                return self.loop(expr, None, _larger)
            case sp.Max() | sp.Min():
                return self.extreme(expr)
            case OneHot():
                return self.one_hot(expr)
            case sp.KroneckerDelta():
                a, b = (self.integer(s) for s in expr.args[:2])
                return lambda env: 1 if a(env) == b(env) else 0
            case Iverson():
                return self.condition(expr.args[0])
            case sp.Abs():
                inner = self.function(expr.args[0])
                return lambda env: abs(inner(env))
            case sp.Function():
                inner = self.function(expr.args[0])
                name = type(expr).__name__
                outer = _float(name)

                def apply(env: Env) -> Any:
                    x = inner(env)
                    if name == "log" and real(x) <= 1e-12:
                        raise NoValue("a logarithm")
                    return outer(x)

                return apply
        raise NotImplementedError(f"{type(expr).__name__}: {expr}")

    def table(self, base: Any) -> Table:
        if type(base).__name__ == "Inverse":
            return self.known("inverse", base)
        return self.tables[str(base.label)]

    def known(self, kind: str, of: Any) -> Table:
        """The inverse or the determinant of a named matrix."""
        if self.matrix is None:
            raise NotImplementedError(kind)
        name = of.of if kind == "inverse" else of.args[0]
        return self.matrix(kind, str(name.label))

    def product(self, parts: list[Callable[[Env], Any]]) -> Callable[[Env], Any]:
        def run(env: Env) -> Any:
            result: Any = 1
            for p in parts:
                result = result * p(env)
            return result

        return run

    def power(self, expr: Any) -> Callable[[Env], Any]:
        if expr.base is sp.E:
            return self.function(sp.exp(expr.exp, evaluate=False))
        base = self.function(expr.base)
        if not expr.exp.is_Rational:
            exponent = self.function(expr.exp)
            return lambda env: base(env) ** exponent(env)
        e = int(expr.exp) if expr.exp.is_Integer else float(expr.exp)

        def run(env: Env) -> Any:
            x = base(env)
            if isinstance(e, float) and x <= 0:
                raise NoValue("a root")
            if e < 0 and abs(x) < 1e-9:
                raise NoValue("a division by zero")
            return x**e

        return run

    def extreme(self, expr: Any) -> Callable[[Env], Any]:
        parts = [self.function(a) for a in expr.args]
        choose = max if isinstance(expr, sp.Max) else min
        return lambda env: choose(p(env) for p in parts)

    def one_hot(self, expr: OneHot) -> Callable[[Env], Any]:
        at, top = expr.args
        (slot,) = (self.integer(s) for s in at)
        body = self.function(top.function)
        ((letter, _, _),) = top.limits
        length = self.length(letter)

        def run(env: Env) -> Any:
            values = [body({**env, letter.name: k}) for k in range(length)]
            return 1 if values.index(max(values)) == slot(env) % length else 0

        return run

    def condition(self, relation: Any) -> Callable[[Env], Any]:
        a, b = (self.integer(s) for s in relation.args)
        match relation:
            case sp.Eq():
                return lambda env: int(a(env) == b(env))
            case sp.Ne():
                return lambda env: int(a(env) != b(env))
            case sp.StrictLessThan():
                return lambda env: int(a(env) < b(env))
            case sp.LessThan():
                return lambda env: int(a(env) <= b(env))
            case sp.StrictGreaterThan():
                return lambda env: int(a(env) > b(env))
            case sp.GreaterThan():
                return lambda env: int(a(env) >= b(env))
        raise NotImplementedError(f"the condition {relation}")


def complex_to_real(x: Any) -> Any:
    return x.real if isinstance(x, complex) else x


def _plus(a: Any, b: Any) -> Any:
    return a + b


def _larger(a: Any, b: Any) -> Any:
    return b if a is None or b > a else a
