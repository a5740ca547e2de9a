"""A second way to both sides of an equation: plain loops, and differences for derivatives.

Nothing of the engine is used: no IR, no law, no derivative.  A loss that nothing defines is given a
value, a random quadratic of the last definitions; a derivative by a definition is a difference of
what rests on it.  What cannot be evaluated so raises Unable.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import cache
from itertools import product
from math import prod
from typing import Any

import mpmath
import numpy as np
import sympy as sp
from sympy.core.function import AppliedUndef
from sympy.functions.elementary.trigonometric import TrigonometricFunction

from ..objects import (
    Determinant,
    FunctionDerivative,
    Inverse,
    Iverson,
    Loss,
    Maximum,
    OneHot,
    Partial,
    TensorSymbol,
)
from ..syntax import Definition, System
from .inside import bases, names, partials
from .versions import closure

SIZES = (2, 3, 4, 5)  # for sizes that are not given, pairwise different while there are enough
STEPS = 100_000  # values that one comparison may compute
DIGITS = 30
STEP = 9  # differences are taken at 10^-STEP, so they are good to 2·STEP digits
AGREE = 1e-9


Table = tuple[tuple[str, ...], dict[tuple[int, ...], Any]]  # letters, and a value at each place

FAILURES = (
    ArithmeticError,
    ValueError,
    TypeError,
    KeyError,
    IndexError,
    AttributeError,
    RecursionError,
    StopIteration,
)


FAR = mpmath.mpf(10) ** (DIGITS - 8)  # behind it the digits of a number say nothing of its phase
NEAR = mpmath.mpf(10) ** (8 - DIGITS)  # 6 · 3⁻¹, which is rounded, is no less than 2
ROUNDED: Mapping[str, Callable[[Any], Any]] = {
    "floor": lambda x: mpmath.floor(x + NEAR),
    "ceil": lambda x: mpmath.ceil(x - NEAR),
    "ceiling": lambda x: mpmath.ceil(x - NEAR),
}


class Unable(Exception):
    """This way cannot evaluate the expression."""


class Second:
    """Values of expressions at given arrays and sizes."""

    def __init__(
        self, system: System, arrays: Mapping[str, Any], sizes: Mapping[str, int], seed: int = 0
    ) -> None:
        self.system, self.sizes, self.seed = system, dict(sizes), seed
        self.given = {n: _numbers(a) for n, a in arrays.items()}
        self.cache: dict[str, Any] = {}
        self.inverses: dict[str, Any] = {}
        self.slopes: dict[Any, Any] = {}
        self.shapes: dict[str, sp.IndexedBase] = {}
        self.extents: dict[Any, int] = {}  # the values of sizes, once known
        self.steps = 0

    def know(self, *exprs: Any) -> None:
        """Take note of the shapes in expressions, so that what is not given can be drawn."""
        for expr in (*exprs, *(d.expr for d in self.system)):
            for base in bases(expr):
                self.shapes.setdefault(base.name, base)

    def value(self, expr: Any, at: Mapping[str, int]) -> Any:
        """The value of an expression, its free letters at these places."""
        self.steps += 1
        if self.steps > STEPS:
            raise Unable("too many values")
        match expr:
            case sp.Idx():
                return mpmath.mpf(at[expr.name])
            case sp.Number() | sp.NumberSymbol():
                return _number(expr)
            case sp.Symbol():
                return self._scalar(expr)
            case sp.Indexed():
                array = self.tensor(expr.base)
                slots = zip(expr.indices, array.shape, strict=True)
                return self._entry(expr.base, tuple(self._place(i, at, n) for i, n in slots))
            case sp.Add():
                return mpmath.fsum(self.value(a, at) for a in expr.args)
            case sp.Mul():
                return self._product(expr.args, at)
            case sp.Pow():
                return mpmath.power(self.value(expr.base, at), self.value(expr.exp, at))
            case sp.Sum():
                return self._sum(expr, at)
            case Maximum():
                return max(self.value(expr.function, x) for x in self._over(expr, at))
            case sp.Max():
                return max(self.value(a, at) for a in expr.args)
            case sp.Min():
                return min(self.value(a, at) for a in expr.args)
            case OneHot():
                (place,), top = expr.args
                values = [self.value(top.function, x) for x in self._over(top, at)]
                return mpmath.mpf(values.index(max(values)) == int(self.value(place, at)))
            case sp.KroneckerDelta():
                a, b = (self.value(x, at) for x in expr.args)
                return mpmath.mpf(a == b)
            case Iverson():
                condition = expr.args[0]
                a, b = (self.value(x, at) for x in (condition.lhs, condition.rhs))
                return mpmath.mpf(bool(condition.func(sp.Integer(int(a)), sp.Integer(int(b)))))
            case Partial():
                key = (expr, *(at[i.name] for i in sorted(expr.atoms(sp.Idx), key=str)))
                if key not in self.slopes:
                    self.slopes[key] = self._partial(expr, at)
                return self.slopes[key]
            case Determinant():
                det = mpmath.det(mpmath.matrix(self.tensor(expr.args[0]).tolist()))
                return det if str(expr.args[1]) == "det" else mpmath.log(abs(det))
            case Loss():
                return self._quadratic(map(str, expr.args[1]))
            case AppliedUndef() if expr.func.__name__ in ROUNDED and len(expr.args) == 1:
                return ROUNDED[expr.func.__name__](self.value(expr.args[0], at))
            case AppliedUndef():
                return self._wave(expr.func.__name__, (0,) * len(expr.args), expr.args, at)
            case FunctionDerivative():
                name, orders, arguments = expr.args
                return self._wave(str(name), tuple(map(int, orders)), arguments, at)
            case sp.Function():
                return self._function(expr, at)
        raise Unable(type(expr).__name__)

    def _product(self, factors: Any, at: Mapping[str, int]) -> Any:
        """The product, conditions first and derivatives last: a zero saves what costs most.

        A component outside of its axis is not asked for where a condition leaves it out.
        """
        found = mpmath.mpf(1)
        for factor in sorted(factors, key=_late):
            found *= self.value(factor, at)
            if found == 0:
                break
        return found

    def _sum(self, expr: Any, at: Mapping[str, int]) -> Any:
        """The sum, letter by letter: only the factors that bear a letter are multiplied for it."""
        factors = _factors(expr)
        if factors is None:
            return mpmath.fsum(self.value(expr.function, x) for x in self._over(expr, at))
        ranges = {i.name: range(self.length(a), self.length(b) + 1) for i, a, b in expr.limits}
        tables: list[Table] = []
        for factor, letters in factors:
            values = {
                place: self.value(factor, {**at, **dict(zip(letters, place, strict=True))})
                for place in product(*(ranges[n] for n in letters))
            }
            if not any(values.values()):
                return mpmath.mpf(0)
            tables.append((letters, values))
        while any(letters for letters, _ in tables):
            tables = self._eliminated(tables, ranges)
        return mpmath.fprod(values[()] for _, values in tables)

    def _eliminated(self, tables: list[Table], ranges: Mapping[str, range]) -> list[Table]:
        """The factors after the sum over the letter that costs least."""

        def joined(name: str) -> tuple[str, ...]:
            return tuple(dict.fromkeys(n for t in tables if name in t[0] for n in t[0]))

        def cost(name: str) -> int:
            return prod(len(ranges[n]) for n in joined(name))

        name = min(dict.fromkeys(n for letters, _ in tables for n in letters), key=cost)
        own = [t for t in tables if name in t[0]]
        self.steps += cost(name)
        if self.steps > STEPS:
            raise Unable("too many values")
        rest = tuple(n for n in joined(name) if n != name)
        found = {}
        for place in product(*(ranges[n] for n in rest)):
            at = dict(zip(rest, place, strict=True))
            terms = []
            for k in ranges[name]:
                at[name] = k
                terms.append(mpmath.fprod(v[tuple(at[n] for n in ls)] for ls, v in own))
            found[place] = mpmath.fsum(terms)
        return [*(t for t in tables if name not in t[0]), (rest, found)]

    def place(self, at: Mapping[str, int], *exprs: Any) -> dict[str, int]:
        """The free letters at these places, those that are not given at the last of their range."""
        found = dict(at)
        for i in sorted({i for e in exprs for i in e.atoms(sp.Idx)}, key=str):
            if i.name not in found:
                found[i.name] = self.length(i.upper)
        return found

    def tensor(self, base: Any) -> Any:
        """The array of a tensor; that of an inverse by elimination."""
        name = base.name
        if not isinstance(base, Inverse) or name in self.given:
            return self.array(name)
        if name not in self.inverses:
            matrix = mpmath.matrix(self.tensor(base.of).tolist())
            found = mpmath.inverse(matrix)
            if max(map(abs, matrix)) * max(map(abs, found)) > mpmath.mpf(10) ** (
                mpmath.mp.dps // 2
            ):
                raise Unable(f"{base.of.name} is singular")  # but for rounding
            self.inverses[name] = np.array(found.tolist(), dtype=object)
        return self.inverses[name]

    def _entry(self, base: Any, place: tuple[int, ...]) -> Any:
        return self.tensor(base)[place]

    def array(self, name: str) -> Any:
        """The array of a name: given, or computed from its definition."""
        if name in self.given:
            return self.given[name]
        if name not in self.cache:
            d = self.system.definitions.get(name)
            if d is None:
                self.given[name] = self._drawn(name)
                return self.given[name]
            self.cache[name] = self._computed(d)
        return self.cache[name]

    def _drawn(self, name: str) -> Any:
        """Random numbers for a name that nothing gives: positive ones, so that all is defined."""
        base = self.shapes.get(name)
        shape = tuple(self.length(n) for n in base.shape) if base is not None else ()
        rng = np.random.default_rng([self.seed, *name.encode()])
        array = rng.integers(1, 33, shape) / 16
        if isinstance(base, TensorSymbol) and base.symmetry:
            if base.symmetry != "symmetric" or len(shape) != 2:
                raise Unable(f"{name} is {base.symmetry}")
            array = array + array.T + (2 * len(array) * np.eye(len(array)) if base.definite else 0)
        return _numbers(array)

    def _computed(self, d: Definition) -> Any:
        shape = tuple(self.length(n) for n in d.shape)
        array = np.empty(shape, dtype=object)
        for place in np.ndindex(shape):
            letters = {i.name: k for i, k in zip(d.indices, place, strict=True)}
            array[place] = self.value(d.expr, letters)
        return array

    def _scalar(self, symbol: sp.Symbol) -> Any:
        if symbol.name in self.sizes or (symbol.is_integer and symbol.is_positive):
            self.length(symbol)
            return mpmath.mpf(self.sizes[symbol.name])
        return self.array(symbol.name)[()]

    def length(self, size: Any) -> int:
        """The value of a size."""
        if size not in self.extents:
            self.extents[size] = self._extent(size)
        return self.extents[size]

    def _extent(self, size: Any) -> int:
        for symbol in sorted(sp.sympify(size).free_symbols, key=str):
            if symbol.name not in self.sizes:
                free = [n for n in SIZES if n not in self.sizes.values()]
                self.sizes[symbol.name] = free[0] if free else 2
        return int(
            sp.sympify(size).subs(
                {s: self.sizes[s.name] for s in size.free_symbols if s.name in self.sizes}
            )
        )

    def _place(self, slot: Any, at: Mapping[str, int], length: int) -> int:
        if isinstance(slot, sp.Idx):
            return at[slot.name]
        letters = {i: at[i.name] for i in slot.atoms(sp.Idx)}
        place = self.length(slot.xreplace(letters))
        if not -length <= place < length:
            raise Unable("an index leaves its range")
        return place

    def _over(self, expr: Any, at: Mapping[str, int]) -> Any:
        ranges = [
            (i.name, range(self.length(low), self.length(high) + 1)) for i, low, high in expr.limits
        ]
        for places in product(*(r for _, r in ranges)):
            yield {**at, **{n: k for (n, _), k in zip(ranges, places, strict=True)}}

    def _function(self, expr: Any, at: Mapping[str, int]) -> Any:
        values = [self.value(argument, at) for argument in expr.args]
        if isinstance(expr, TrigonometricFunction) and abs(values[0]) > FAR:
            raise Unable("the phase of a wave is rounded away")
        return function(expr.func, len(values))(*values)

    # ------------------------------------------------------------------------------- derivatives

    def _partial(self, expr: Partial, at: Mapping[str, int]) -> Any:
        """The central difference of the numerator as the denominator moves."""
        top, bottom = expr.args
        name = next(iter(names(bottom)), "")
        if isinstance(bottom, sp.Indexed):
            moved = self.array(name)
            place = tuple(
                self._place(i, at, n) for i, n in zip(bottom.indices, moved.shape, strict=True)
            )
        else:
            moved, place = self.array(name), ()
        whole = next(iter(names(top)), "")
        if isinstance(top, sp.Indexed) and whole in self.system.definitions:
            key = (whole, name, place)
            if key not in self.slopes:  # all components of a tensor move together
                self.slopes[key] = self._slope(name, moved, place, top, at)
            return self.slopes[key][
                tuple(
                    self._place(i, at, n)
                    for i, n in zip(top.indices, self.slopes[key].shape, strict=True)
                )
            ]
        return self._slope(name, moved, place, top, at)

    def _slope(
        self, name: str, moved: Any, place: tuple[int, ...], top: Any, at: Mapping[str, int]
    ) -> Any:
        """The central difference of the numerator; of the whole array where it is a definition."""
        step = mpmath.mpf(10) ** -STEP
        ends = []
        for sign in (1, -1):
            other = np.array(moved, dtype=object)
            other[place] = other[place] + sign * step
            ends.append(self._moved(name, other, top, at))
        return (ends[0] - ends[1]) / (2 * step)

    def _moved(self, name: str, array: Any, top: Any, at: Mapping[str, int]) -> Any:
        """The numerator with another array for a name; what does not rest on it is kept."""
        there = type(self)(self.system, {}, self.sizes, self.seed)
        there.shapes, there.sizes, there.extents = self.shapes, self.sizes, self.extents
        there.given = {**self.given, name: array}
        there.cache = {
            n: a
            for n, a in self.cache.items()
            if n != name and name not in closure([n], self.system)
        }
        there.steps = self.steps
        whole = next(iter(names(top)), "")
        if (
            isinstance(top, sp.Symbol)
            and whole not in there.given
            and (whole not in self.system.definitions)
        ):
            found = there._loss(name)
        elif isinstance(top, sp.Indexed) and whole in self.system.definitions:
            found = there.array(whole)
        else:
            found = there.value(top, at)
        self.given.update(
            {n: a for n, a in there.given.items() if n not in self.given and n != name}
        )
        self.steps = there.steps
        return found

    def _loss(self, moved: str) -> Any:
        """A quadratic of all definitions that nothing else uses, with fixed random weights.

        Of these only what rests on the name that moves, since the rest drops out of a difference.
        """
        slopes = {d.name for d in self.system if d.expr.atoms(Partial)}
        plain = [d for d in self.system if not slopes & closure([d.name], self.system)]
        used = {n for d in plain for n in names(d.expr)}
        return self._quadratic(
            d.name for d in plain if d.name not in used and moved in closure([d.name], self.system)
        )

    def _quadratic(self, tensors: Iterable[str]) -> Any:
        """A quadratic of these, with fixed random weights."""
        total = mpmath.mpf(0)
        for name in tensors:
            rng = np.random.default_rng([self.seed + 17, *name.encode()])
            for x in np.ravel(self.array(name)):
                a, b = rng.integers(1, 9, 2)
                total += mpmath.mpf(int(a)) / 4 * x + mpmath.mpf(int(b)) / 8 * x * x
        return total

    def _wave(
        self, name: str, orders: tuple[int, ...], arguments: Any, at: Mapping[str, int]
    ) -> Any:
        """A derivative of sin(c + Σ a x), which stands for a function that nothing defines."""
        rng = np.random.default_rng([self.seed + 23, *name.encode()])
        c, *weights = (mpmath.mpf(int(k)) / 8 for k in rng.integers(1, 12, len(orders) + 1))
        phase = c + mpmath.fsum(
            a * self.value(x, at) for a, x in zip(weights, arguments, strict=True)
        )
        scale = mpmath.fprod(a**n for a, n in zip(weights, orders, strict=True))
        return scale * mpmath.sin(phase + sum(orders) * mpmath.pi / 2)


def _late(factor: Any) -> int:
    return 2 if isinstance(factor, Partial) else not isinstance(factor, Iverson)


@cache
def _factors(expr: Any) -> list[tuple[Any, tuple[str, ...]]] | None:
    """The factors under a sum, derivatives last, with the bound letters each bears.

    None where it is as well to go through all places one after the other.
    """
    bound = [i.name for i, _, _ in expr.limits]
    ends = [end for _, low, high in expr.limits for end in (low, high)]
    if len(bound) < 2 or any(end.atoms(sp.Idx) for end in ends):
        return None
    found = []
    for factor in sp.Mul.make_args(expr.function):
        here = {i.name for i in factor.atoms(sp.Idx)}
        found.append((factor, tuple(n for n in bound if n in here)))
    if len({letters for _, letters in found}) < 2:
        return None
    return sorted(found, key=lambda pair: isinstance(pair[0], Partial))


@cache
def _number(expr: Any) -> Any:
    return mpmath.mpmathify(sp.N(expr, DIGITS + 10))


@cache
def function(kind: Any, arity: int) -> Callable[..., Any]:
    """A scalar kind of so many mpmath numbers."""
    from .. import primitives

    known = {
        sp.exp: mpmath.exp,
        sp.log: mpmath.log,
        sp.tanh: mpmath.tanh,
    }
    if kind in known:
        return known[kind]
    if kind.__module__ is None:
        raise Unable(f"nothing defines {kind}")
    arguments = primitives.VARIABLES[:arity]
    value = kind(*arguments)
    if not kind.__module__.startswith("sympy"):
        value = value.rewrite(sp.exp)
    found: Callable[..., Any] = sp.lambdify(arguments, value, "mpmath")
    return found


def _numbers(array: Any) -> Any:
    lift = np.frompyfunc(lambda x: mpmath.mpf(float(x)), 1, 1)
    return np.asarray(lift(np.asarray(array, dtype=float)), dtype=object)


def compare(
    lhs: Any,
    rhs: Any,
    system: System,
    arrays: Mapping[str, Any],
    sizes: Mapping[str, int],
    at: Mapping[str, int],
    seed: int = 0,
    kind: type[Second] = Second,
) -> tuple[float, float]:
    """Both sides at one place.  Raises Unable where this way has no answer."""
    with mpmath.workdps(DIGITS + STEP * max(0, max(order(x, system) for x in (lhs, rhs)) - 2)):
        way = kind(system, arrays, sizes, seed)
        way.know(lhs, rhs)
        at = way.place(at, lhs, rhs)
        try:
            left, right = (way.value(sp.sympify(side), at) for side in (lhs, rhs))
        except FAILURES as e:
            raise Unable(str(e)) from None
        if any(isinstance(x, mpmath.mpc) or not mpmath.isfinite(x) for x in (left, right)):
            raise Unable("not a real number")
        return float(left), float(right)


def order(expr: Any, system: System) -> int:
    """How many derivatives are taken of one another, each of which loses STEP digits."""
    known: dict[str, int] = {}

    def of(expr: Any) -> int:
        inside = max((own(n) for n in names(expr)), default=0)
        nested = (1 + of(p.args[0]) for p in partials(expr))
        return max(inside, max(nested, default=0))

    def own(name: str) -> int:
        if name not in known:
            known[name] = 0
            d = system.definitions.get(name)
            known[name] = of(d.expr) if d is not None else 0
        return known[name]

    return of(expr)


def differ(left: float, right: float) -> bool:
    """Two values differ by more than the differences that gave them are off."""
    return abs(left - right) > AGREE * (1 + abs(left) + abs(right))
