"""Canonical form of plain SymPy scalars, as elements of a field of rational functions.

Symbols, sines and cosines, powers with symbolic or fractional exponents, irrational numbers and all
other functions are generators; the relations between them are cos² = 1 − sin², cosh² = 1 + sinh²
and r^q = u for roots.  A value is zero just when its numerator reduces to zero by the relations:
nothing is "simplified", and the work is that of polynomial arithmetic.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from operator import le
from typing import Any

import sympy as sp
from sympy.polys.fields import FracElement, FracField
from sympy.polys.orderings import lex
from sympy.polys.rings import PolyElement

from ..errors import UnsupportedError


def _one(u: sp.Expr) -> sp.Expr:
    return sp.S.One


QUOTIENTS = {
    sp.tan: (sp.sin, sp.cos),
    sp.cot: (sp.cos, sp.sin),
    sp.sec: (_one, sp.cos),
    sp.csc: (_one, sp.sin),
    sp.tanh: (sp.sinh, sp.cosh),
    sp.coth: (sp.cosh, sp.sinh),
    sp.sech: (_one, sp.cosh),
    sp.csch: (_one, sp.sinh),
}
BRACKET = 6  # how many terms a sum may have that results are divided by for printing
CIRCULAR = (sp.sin, sp.cos, sp.sinh, sp.cosh)


@dataclass(frozen=True)
class Relation:
    """generator^degree = value; the sine of a cosine is its `partner`, with s² = partner_value."""

    generator: sp.Symbol
    degree: int
    value: sp.Expr
    partner: sp.Symbol | None = None
    partner_value: sp.Expr = sp.S.Zero


class Scalars:
    """The field that some expressions lie in: `read` to an element, `reduced`, `shown` again.

    `read` takes every expression that consists of the same generators.  Zero is recognised exactly
    as long as the generators satisfy no relations but those in the module's text; the reduced form
    is unique where all roots are square roots.  Raises UnsupportedError for what is not an exact
    scalar: infinities, floats, components of tensors, quotients by 0.
    """

    def __init__(self, exprs: Iterable[Any]) -> None:
        self._units: dict[tuple[Any, sp.Expr], sp.Rational] = {}
        self._names: dict[sp.Expr, sp.Symbol] = {}
        self._relations: dict[sp.Symbol, Relation] = {}
        ready = [_prepared(e) for e in dict.fromkeys(exprs)]
        for expr in ready:
            self._measure(expr)
        for (kind, direction), unit in [*self._units.items()]:
            if kind is sp.cosh and (sp.E, direction) in self._units:  # sinh and cosh by e^u
                self._units[sp.E, direction] = unit.gcd(self._units[sp.E, direction])
        flat = [self._flat(e) for e in ready]
        self.field = FracField([*self._names.values()] or [sp.Symbol("·")], sp.ZZ, lex)
        self._back = {s: e for e, s in self._names.items()}
        self._memo: dict[FracElement, FracElement] = {}
        self._texts: dict[FracElement, sp.Expr] = {}
        self._known = self._brackets(flat)

    # ----------------------------------------------------------------------------------- reading

    def read(self, expr: Any) -> FracElement:
        """The expression as a reduced element of the field."""
        flat = self._flat(_prepared(expr))
        if not flat.free_symbols <= set(self.field.symbols):
            raise UnsupportedError(
                f"{expr} has a scalar that the field was not made for",
                mend="give every expression when the field is made",
            )
        try:
            return self.reduced(self.field.from_expr(flat))
        except ZeroDivisionError:
            raise UnsupportedError(
                f"{expr} divides by 0", mend="look at the denominators, some vanish identically"
            ) from None

    def _measure(self, expr: sp.Expr) -> None:
        """The unit of which the angles (or the exponents of one base) are multiples."""
        for atom in sorted(expr.atoms(sp.Pow, sp.exp, *CIRCULAR), key=sp.default_sort_key):
            for base, direction, amount in _multiples(atom):
                start = sp.S.One if direction == 1 else abs(amount)
                unit = self._units.get((base, direction), start)
                self._units[base, direction] = unit.gcd(abs(amount))

    def _name(self, expr: sp.Expr) -> sp.Symbol:
        return self._names.setdefault(expr, sp.Symbol(f"·{len(self._names)}"))

    def _flat(self, e: sp.Expr) -> sp.Expr:
        """The expression in the symbols of generators, all exponents whole."""
        if e.is_Rational:
            return e
        if e.is_Add or e.is_Mul:
            return e.func(*map(self._flat, e.args))
        if e is sp.I:
            return self._power(sp.S.NegativeOne, sp.S.One, sp.S.Half)
        if isinstance(e, CIRCULAR):
            return self._circular(e)
        if isinstance(e, sp.Pow | sp.exp):
            base, exponent = e.as_base_exp()
            if exponent.is_Integer:
                return self._flat(base) ** exponent
            return sp.Mul(*(self._power(*part) for part in _multiples(e)))
        if e.is_Symbol or e.is_NumberSymbol or isinstance(e, sp.Function | sp.Derivative):
            return self._name(e)
        raise UnsupportedError(
            f"{e} is not an exact scalar of plain symbols",
            got=type(e).__name__,
            expected="rational numbers, symbols, powers and functions of them",
            mend="make symbols with sp.symbols(), write 1/2 as sp.Rational(1, 2)",
        )

    def _power(self, base: sp.Expr, direction: sp.Expr, amount: sp.Rational) -> sp.Expr:
        unit = self._units.get((base, direction), abs(amount))
        generator = self._name(sp.Pow(base, unit * direction))
        if direction == 1 and generator not in self._relations:
            value = base if base.is_Rational else self._flat(base)
            self._relations[generator] = Relation(generator, int(unit.q), value)
        return generator ** (amount / unit)

    def _circular(self, e: sp.Expr) -> sp.Expr:
        ((kind, direction, amount),) = _multiples(e)
        if kind is sp.cosh and (sp.E, direction) in self._units:
            power = self._power(sp.E, direction, amount)
            return (power + (1 if isinstance(e, sp.cosh) else -1) / power) / 2
        unit = self._units.get((kind, direction), abs(amount))
        sine, cosine, sign = (sp.sin, sp.cos, -1) if kind is sp.cos else (sp.sinh, sp.cosh, 1)
        s, c = (self._name(f(unit * direction)) for f in (sine, cosine))
        self._relations.setdefault(c, Relation(c, 2, 1 + sign * s**2, s, sign * (c**2 - 1)))
        angle = sp.Dummy()
        multiple = sp.expand_trig(e.func(amount / unit * angle))
        return multiple.xreplace({sine(angle): s, cosine(angle): c})

    # ---------------------------------------------------------------------------------- reducing

    def reduced(self, element: FracElement) -> FracElement:
        """The element with all relations used, no cosine and no square root in the denominator."""
        found = self._memo.get(element)
        if found is None:
            found = element
            for relation in reversed(self._relations.values()):  # a root before what is under it
                found = self._apply(found, relation)
            self._memo[element] = found
        return found

    def _apply(self, f: FracElement, r: Relation) -> FracElement:
        top, bottom = (self._lower(p, r.generator, r.degree, r.value) for p in (f.numer, f.denom))
        k = self.field.symbols.index(r.generator)
        if r.degree == 2 and any(monomial[k] for monomial in bottom.numer):
            mirrored = bottom.numer.copy()
            for monomial, c in bottom.numer.terms():
                mirrored[monomial] = -c if monomial[k] else c
            top, bottom = (
                self._lower((x * mirrored).numer, r.generator, 2, r.value) / (x * mirrored).denom
                for x in (top, bottom)
            )
        return top / bottom

    def _lower(
        self, p: PolyElement, generator: sp.Symbol, degree: int, value: sp.Expr
    ) -> FracElement:
        """The polynomial with generator^degree = value used until no higher power is left."""
        k = self.field.symbols.index(generator)
        parts: dict[int, PolyElement] = {}
        for monomial, c in p.terms():
            whole, rest = divmod(monomial[k], degree)
            parts.setdefault(whole, p.ring.zero)[*monomial[:k], rest, *monomial[k + 1 :]] = c
        base = self.field.from_expr(value) if any(parts) else self.field.one
        return sum((self.field(part) * base**n for n, part in parts.items()), self.field.zero)

    # ----------------------------------------------------------------------------------- showing

    def shown(self, element: FracElement) -> sp.Expr:
        """The element as an expression, over the brackets that the field was made from.

        Sines are kept and squares of cosines replaced, or the other way where that is shorter.
        """
        found = self._texts.get(element)
        if found is None:
            found = self._texts[element] = self._short(element).xreplace(self._back)
        return found

    def _short(self, element: FracElement) -> sp.Expr:
        text = self._text(element)
        for r in self._relations.values():
            if r.partner is not None:
                top, bottom = (
                    self._lower(p, r.partner, 2, r.partner_value)
                    for p in (element.numer, element.denom)
                )
                other = self._text(top / bottom)
                if len(str(other)) < len(str(text)):
                    element, text = top / bottom, other
        return text

    def _text(self, f: FracElement) -> sp.Expr:
        return self._factored(f.numer) / self._factored(f.denom)

    def _factored(self, p: PolyElement) -> sp.Expr:
        content, p = p.primitive()
        if p.LC < 0:
            content, p = -content, -p
        factors = [sp.ZZ.to_sympy(content)]
        for bracket in self._known:
            while all(map(le, bracket.degrees(), p.degrees())):
                quotient, rest = p.div(bracket)
                if rest:
                    break
                factors.append(bracket.as_expr())
                p = quotient
        return sp.Mul(*factors, p.as_expr())

    def _brackets(self, flat: Iterable[sp.Expr]) -> list[PolyElement]:
        """The generators, and the sums that stand in the expressions as they were written."""
        found: dict[PolyElement, None] = {g.numer: None for g in self.field.gens}
        for expr in flat:
            for part in sp.preorder_traversal(expr):
                if part.is_Add and len(part.args) <= BRACKET:
                    f = self.field.from_expr(part)
                    for p in (f.numer, f.denom, self.reduced(f).numer):
                        if not p.is_ground:
                            found[p.primitive()[1] * (1 if p.LC > 0 else -1)] = None
        return list(found)


def canonical(expr: Any) -> sp.Expr:
    """The canonical form of a scalar expression; zero comes out as 0.

    >>> x = sp.Symbol("x")
    >>> canonical(sp.sin(2 * x) / sp.sin(x) - 2 * sp.cos(x))
    0
    """
    scalars = Scalars([expr])
    return scalars.shown(scalars.read(expr))


def _prepared(expr: Any) -> sp.Expr:
    """Quotients of sines written out; sums in angles and logarithms taken apart."""
    expr = sp.sympify(expr)
    for function, parts in QUOTIENTS.items():
        expr = expr.replace(function, lambda u, p=parts: p[0](u) / p[1](u))
    for function in CIRCULAR:
        expr = expr.replace(function, lambda u, f=function: sp.expand_trig(f(sp.expand(u))))
    return sp.expand_power_base(sp.expand_log(expr))


def _multiples(e: sp.Expr) -> Iterator[tuple[Any, sp.Expr, sp.Rational]]:
    """(kind or base, direction, amount): an angle or a part of an exponent, amount · direction."""
    if isinstance(e, CIRCULAR):
        amount, direction = e.args[0].as_coeff_Mul(rational=True)
        yield (sp.cos if isinstance(e, sp.sin | sp.cos) else sp.cosh), direction, amount
        return
    base, exponent = e.as_base_exp()
    for part in sp.Add.make_args(sp.expand(exponent)):
        amount, direction = part.as_coeff_Mul(rational=True)
        if direction == 1 and base.is_Integer:
            for prime, k in sp.factorint(base).items():
                yield sp.Integer(prime), direction, amount * k
        else:
            yield base, direction, amount
