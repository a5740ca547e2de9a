"""Plain SymPy scalars as elements of a field of rational functions, and back.

Symbols, sines and cosines, powers with symbolic or fractional exponents, irrational numbers and all
other functions and their derivatives are generators; the relations between them are
sin² = 1 − cos², sinh² = cosh² − 1 and u^q = v for roots.  Nothing is "simplified": a value is zero
just when its numerator reduces to zero by the relations.
"""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import suppress
from fractions import Fraction
from typing import Any

import sympy as sp
from sympy.core.function import AppliedUndef

from ..errors import LimitError, UnsupportedError
from .field import Circle, Element, Field, Root
from .preparing import CIRCULAR, multiples, prepared, slope
from .printing import shown

WORK = 3_000_000  # products of terms in deciding one zero
BRACKET = 4  # terms of a sum that numerators are divided by for printing


class FinerError(UnsupportedError):
    """An angle, a root or an exponent that is a part of one that the field was made with."""


class Scalars:
    """The differential field that some expressions lie in: `read`, `derivative`, `shown` again.

    Zero is recognised exactly as long as the generators satisfy no relations but those in the
    module's text; the form is unique then.  Expressions with new generators may be read later,
    but for parts of known angles and exponents: FinerError asks for a field made with both.
    Raises UnsupportedError for what is not an exact scalar: infinities, floats, components of
    tensors, quotients by 0.
    """

    def __init__(self, exprs: Iterable[Any] = (), flint: bool | None = None) -> None:
        self.field = Field(flint)
        self.exprs: list[sp.Expr] = []  # what the generators stand for
        self.names: dict[int, tuple[sp.Symbol, int]] = {}  # factors that print as ± a symbol
        self.brackets: list[Element] = []  # sums that numerators are printed over
        self._numbers: dict[sp.Expr, int] = {}
        self._units: dict[tuple[Any, sp.Expr], sp.Rational] = {}
        self._related: set[int] = set()
        self._read: dict[sp.Expr, Element] = {}
        self._slopes: dict[tuple[int, sp.Symbol], Element] = {}
        self._factor_slopes: dict[tuple[int, sp.Symbol], Element] = {}
        self._prepare([prepared(e) for e in dict.fromkeys(exprs)])

    # ----------------------------------------------------------------------------------- reading

    def read(self, expr: Any) -> Element:
        """The expression as an element of the field."""
        ready = prepared(expr)
        found = self._read.get(ready)
        if found is None:
            self._prepare([ready])
            try:
                found = self._read[ready] = self._element(ready)
            except ZeroDivisionError:
                raise UnsupportedError(
                    f"{expr} divides by 0", mend="look at the denominators, some vanish identically"
                ) from None
        return found

    def name(self, symbol: sp.Symbol, expr: Any) -> None:
        """Prints the factor that an expression is as a symbol, such as Σ."""
        element = self.read(expr)
        self.field.inverse(element)
        powers, rest = self.field.factor(self.field.top(element))
        if list(powers.values()) == [1] and not element.over and element.whole == 1:
            sign = [c for _, c in self.field.ring.terms(rest)]
            if len(sign) == 1 and abs(sign[0]) == 1 and not any(self.field.ring.degrees(rest)):
                self.names[next(iter(powers))] = symbol, int(sign[0])

    def bracket(self, expr: sp.Expr) -> None:
        """Prints numerators over the short sums that stand in an expression, such as r² + a²."""
        field = self.field
        for part in sp.preorder_traversal(expr):
            if part.is_Add and len(part.args) <= BRACKET:
                _, p = field.factor(field.top(self.read(part)))
                degrees = field.ring.degrees(p) if p else ()
                related = any(degrees[k] for k in field.algebraic()) if p else True
                if not related and BRACKET >= len(list(field.ring.terms(p))) > 1:
                    e = Element(field, field.positive(p), {}, 1)
                    if all(e - known for known in self.brackets):
                        self.brackets.append(e)

    def _prepare(self, ready: Iterable[sp.Expr]) -> None:
        """Units of angles and exponents, and room for all generators at once."""
        ready = list(ready)
        for expr in ready:
            self._measure(expr)
        for (kind, direction), unit in [*self._units.items()]:
            if kind is sp.cosh and (sp.E, direction) in self._units:  # sinh and cosh by e^u
                self._set_unit((sp.E, direction), unit.gcd(self._units[sp.E, direction]))
        for expr in ready:
            self._collect(expr)
        self.field.grow(len(self.exprs))

    def _measure(self, expr: sp.Expr) -> None:
        """The unit of which the angles (or the exponents of one base) are multiples."""
        for atom in sorted(expr.atoms(sp.Pow, sp.exp, *CIRCULAR), key=sp.default_sort_key):
            if isinstance(atom, sp.Pow) and atom.exp.is_Integer:
                continue
            for base, direction, amount in multiples(atom):
                start = sp.S.One if direction == 1 else abs(amount)
                unit = self._units.get((base, direction), start)
                self._set_unit((base, direction), unit.gcd(abs(amount)))

    def _set_unit(self, key: tuple[Any, sp.Expr], unit: sp.Rational) -> None:
        base, direction = key
        generator = (sp.cos if base is sp.cos else sp.cosh)(unit * direction)
        known = sp.Pow(*key) if base not in (sp.cos, sp.cosh) else generator
        before = self._units.setdefault(key, unit)
        if before != unit:
            used = (base if direction == 1 else known) if base not in CIRCULAR else None
            if self._taken(key, before) or (used is not None and used in self._numbers):
                raise FinerError(
                    f"{generator if used is None else sp.Pow(base, unit * direction)} is a part "
                    "of what the field was made with",
                    mend="give it when the field is made: Metric(…, also=[…])",
                )
            self._units[key] = unit

    def _taken(self, key: tuple[Any, sp.Expr], unit: sp.Rational) -> bool:
        base, direction = key
        if base in (sp.cos, sp.cosh):
            return base(unit * direction) in self._numbers
        return sp.Pow(base, unit * direction) in self._numbers

    def _collect(self, e: sp.Expr) -> None:
        """Numbers for the generators of an expression."""
        if e.is_Rational:
            return
        if e.is_Add or e.is_Mul:
            for part in e.args:
                self._collect(part)
        elif e is sp.I:
            self._collect_power(sp.S.NegativeOne, sp.S.One, sp.S.Half)
        elif isinstance(e, CIRCULAR):
            self._pair(e)
        elif isinstance(e, sp.Pow | sp.exp):
            base, exponent = e.as_base_exp()
            if exponent.is_Integer:
                self._collect(base)
            else:
                for part in multiples(e):
                    self._collect_power(*part)
        elif e.is_Symbol or e.is_NumberSymbol:
            self._collect_power(e, sp.S.One, sp.S.One)
        elif isinstance(e, sp.Function | sp.Derivative | sp.Subs):
            self._number(e)
        else:
            raise UnsupportedError(
                f"{e} is not an exact scalar of plain symbols",
                got=type(e).__name__,
                expected="rational numbers, symbols, powers and functions of them",
                mend="make symbols with sp.symbols(), write 1/2 as sp.Rational(1, 2)",
            )

    def _collect_power(self, base: sp.Expr, direction: sp.Expr, amount: sp.Rational) -> None:
        unit = self._units.setdefault(
            (base, direction), sp.S.One if direction == 1 and amount.q == 1 else abs(amount)
        )
        if direction == 1 and not _free(base):
            self._collect(base)
        self._number(sp.Pow(base, unit * direction))

    def _number(self, expr: sp.Expr) -> int:
        found = self._numbers.get(expr)
        if found is None:
            found = self._numbers[expr] = len(self.exprs)
            self.exprs.append(expr)
        return found

    def _pair(self, e: sp.Expr) -> tuple[int, int, int] | None:
        """The sine and cosine of the unit, and the multiple of it; None where e^u stands for it."""
        ((kind, direction, amount),) = multiples(e)
        if kind is sp.cosh and (sp.E, direction) in self._units:
            self._collect_power(sp.E, direction, amount)
            return None
        unit = self._units[kind, direction]
        sine = sp.sin if kind is sp.cos else sp.sinh
        s, c = (self._number(f(unit * direction)) for f in (sine, kind))
        return s, c, int(amount / unit)

    # ---------------------------------------------------------------------------------- elements

    def _element(self, e: sp.Expr) -> Element:
        found = self._read.get(e)
        if found is None:
            found = self._read[e] = self._fresh(e)
        return found

    def _fresh(self, e: sp.Expr) -> Element:
        field = self.field
        if e.is_Rational:
            return field.number(Fraction(int(e.p), int(e.q)))
        if e.is_Add:
            return field.total([(1, (self._element(part),)) for part in e.args])
        if e.is_Mul:
            return self._product([self._element(part) for part in e.args])
        if e is sp.I:
            return self._power(sp.S.NegativeOne, sp.S.One, sp.S.Half)
        if isinstance(e, CIRCULAR):
            return self._circular(e)
        if isinstance(e, sp.Pow | sp.exp):
            base, exponent = e.as_base_exp()
            if exponent.is_Integer and exponent > 0:
                return self._product([self._element(base)] * int(exponent))
            if exponent.is_Integer:
                return self._element(base) ** int(exponent)
            return field.total([(1, [self._power(*part) for part in multiples(e)])])
        if e.is_Symbol or e.is_NumberSymbol:
            return self._power(e, sp.S.One, sp.S.One)
        return field.generator(self._numbers[e])

    def _product(self, factors: list[Element]) -> Element:
        """The product, which remembers its factors."""
        found = self.field.total([(1, factors)])
        found.factors = factors
        return found

    def _power(self, base: sp.Expr, direction: sp.Expr, amount: sp.Rational) -> Element:
        unit = self._units[base, direction]
        k = self._numbers[sp.Pow(base, unit * direction)]
        if direction == 1 and not _free(base) and k not in self._related:
            value = self._element(base)
            self._related.add(k)
            self.field.relate(Root(k, int(unit.q), value))
        return self.field.generator(k) ** int(amount / unit)

    def _circular(self, e: sp.Expr) -> Element:
        pair = self._pair(e)
        if pair is None:
            ((_, direction, amount),) = multiples(e)
            power = self._power(sp.E, direction, amount)
            sign = 1 if isinstance(e, sp.cosh) else -1
            half = Fraction(1, 2)
            return self.field.total([(half, (power,)), (sign * half, (power**-1,))])
        s, c, times = pair
        sign = 1 if isinstance(e, sp.sin | sp.cos) else -1
        if c not in self._related:
            self._related.add(c)
            self.field.relate(Circle(s, c, sign))
        sine, cosine = self.field.generator(s), self.field.generator(c)
        a, b = self.field.number(0), self.field.number(1)  # sine and cosine of 0, 1, … units
        for _ in range(abs(times)):
            a, b = (
                self.field.total([(1, (a, cosine)), (1, (b, sine))]),
                self.field.total([(1, (b, cosine)), (-sign, (a, sine))]),
            )
        if isinstance(e, sp.cos | sp.cosh):
            return b
        return a if times > 0 else -a

    @property
    def assumed(self) -> tuple[sp.Expr, ...]:
        """Generators that are functions with values of their own, taken as unrelated."""
        return tuple(
            e
            for e in self.exprs
            if isinstance(e, sp.Function) and not isinstance(e, (AppliedUndef, *CIRCULAR, sp.exp))
        )

    # ------------------------------------------------------------------------------- derivatives

    def derivative(self, e: Element, x: sp.Symbol) -> Element:
        """∂e/∂x by the chain rule over the generators and the factors of the denominator."""
        field = self.field
        top, over = field.top(e), field.known(e.over)
        below = Element(field, field.ring.one, over, e.whole)
        products = self._chain(top, x, [below])
        if products is None:  # a generator is new, the ring has grown
            return self.derivative(e, x)
        whole = Element(field, top, over, e.whole)
        for k, n in over.items():
            slope = self._factor_slope(k, x)
            if slope:
                once = Element(field, field.ring.one, {k: 1}, 1)
                products.append((-n, [whole, slope, once]))
        return field.total(products)

    def _chain(
        self, top: Any, x: sp.Symbol, others: list[Element]
    ) -> list[tuple[int, list[Element]]] | None:
        field, size, products = self.field, self.field.ring.size, []
        for k, degree in enumerate(field.ring.degrees(top) if top else ()):
            if degree and (slope := self._slope(k, x)):
                if field.ring.size != size:
                    return None
                partial = Element(field, field.ring.derivative(top, k), {}, 1)
                products.append((1, [partial, slope, *others]))
        return products

    def _factor_slope(self, k: int, x: sp.Symbol) -> Element:
        found = self._factor_slopes.get((k, x))
        if found is None:
            one = Element(self.field, self.field.factors[k].poly, {}, 1)
            found = self._factor_slopes[k, x] = self.derivative(one, x)
        return found

    def _slope(self, k: int, x: sp.Symbol) -> Element:
        """∂/∂x of a generator."""
        found = self._slopes.get((k, x))
        if found is None:
            found = self._slopes[k, x] = self._fresh_slope(self.exprs[k], x)
        return found

    def _fresh_slope(self, e: sp.Expr, x: sp.Symbol) -> Element:
        if x not in e.free_symbols:
            return self.field.number(0)
        if e == x:
            return self.field.number(1)
        if isinstance(e, CIRCULAR):
            other = {sp.sin: sp.cos, sp.cos: sp.sin, sp.sinh: sp.cosh, sp.cosh: sp.sinh}[e.func]
            partner = self.field.generator(self._numbers[other(e.args[0])])
            inner = self.read(slope(e.args[0], x))
            return self.field.total([(-1 if isinstance(e, sp.cos) else 1, (partner, inner))])
        if isinstance(e, sp.Pow | sp.exp):
            base, exponent = e.as_base_exp()
            if x not in exponent.free_symbols:  # (u^q)' = q u^q u'/u
                parts = [e, 1 / base, slope(base, x), exponent]
                return self.field.total([(1, [self.read(part) for part in parts])])
        return self.read(slope(e, x))

    # ----------------------------------------------------------------------------------- showing

    def shown(self, element: Element, *, named: bool = False) -> sp.Expr:
        """The element as an expression, over the factors that the field has met.

        Sines stand for squares of cosines where that is not longer; with `named`, factors that
        have a name print as it.
        """
        return shown(self, element, named)


def canonical(expr: Any) -> sp.Expr:
    """The canonical form of a scalar expression; zero comes out as 0.

    >>> x = sp.Symbol("x")
    >>> canonical(sp.sin(2 * x) / sp.sin(x) - 2 * sp.cos(x))
    0
    """
    scalars = Scalars([expr])
    return scalars.shown(scalars.read(expr))


def is_zero(expr: Any) -> bool | None:
    """Whether a scalar expression is 0 wherever it is defined: True and False are certain.

    True is decided by the relations of the field; False by a value that differs from 0.  None
    where neither is found: relations between other functions are not known, and work is bounded.

    >>> x = sp.Symbol("x")
    >>> is_zero(sp.cos(2 * x) - 1 + 2 * sp.sin(x) ** 2), is_zero(sp.cos(x) - sp.sin(x))
    (True, False)
    """
    expr = sp.sympify(expr)
    scalars = Scalars([expr])
    scalars.field.work = WORK
    with suppress(LimitError):
        if not scalars.read(expr):
            return True
    return False if _has_a_value(expr) else None


def _has_a_value(expr: sp.Expr) -> bool:
    """Some point where the value is certainly not 0."""
    functions = sorted({f.func for f in expr.atoms(AppliedUndef)}, key=str)
    if any(f.is_positive or f.is_negative or f.is_integer for f in expr.atoms(AppliedUndef)):
        return False
    for k, function in enumerate(functions):
        expr = expr.replace(
            function, lambda *u, k=k: sum((j + k + 2) * v**3 + v for j, v in enumerate(u)) + k + 3
        )
    expr = expr.doit()
    symbols = sorted(expr.free_symbols, key=lambda s: (s.name, str(s.assumptions0)))
    for shift in range(4):
        at = {s: _drawn(s, k, shift) for k, s in enumerate(symbols)}
        if None in at.values():
            return False
        value = expr.subs(at).evalf(30)
        if value.is_number and value.is_finite and abs(value) > sp.Rational(1, 10**12):
            return True
    return False


def _drawn(s: sp.Symbol, k: int, shift: int) -> sp.Expr | None:
    """A value that a symbol may have; None for what it is not clear of."""
    value = sp.Rational(7 + 5 * k + shift, 11 + 2 * shift)
    if s.is_integer:
        value = sp.Integer(3 + k + shift)
        if s.is_even or s.is_odd:
            value = 2 * value + (1 if s.is_odd else 0)
    if s.is_negative or s.is_nonpositive:
        value = -value
    known = {name: fact for name, fact in s._assumptions_orig.items() if fact is not None}
    fits = all(getattr(value, f"is_{name}", None) == fact for name, fact in known.items())
    return value if fits else None


def _free(base: sp.Expr) -> bool:
    """Whether a root of the base is a generator without a relation: the base is its power."""
    return bool(base.is_Symbol or base.is_NumberSymbol)
