"""Increasing functions of maxima.

max_j f(x_j) = f(max_j x_j) and [i = argmax_j f(x_j)] = [i = argmax_j x_j], for an f that increases
wherever it is defined: e^x, log x, tanh x, odd powers, powers where no x is negative, and −f(−x)
where f increases.  Which functions do is in their records.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from functools import reduce
from math import gcd
from typing import Any, NamedTuple

from . import normalize as nf
from . import primitives
from .ir import ONE, ZERO, Argmax, Call, Max, Poly, Rational, Term, rational
from .laws import sign_of
from .maxima import entered, indicator, largest


class Layer(NamedTuple):
    """s f(s x) for s = ±1 and a function or a power f, with the x of every alternative."""

    sign: int
    function: str
    exponent: Rational
    args: list[Poly]

    def of(self, x: Poly) -> Poly:
        """The value at x."""
        x = nf.scale(x, self.sign)
        value = nf.call(self.function, [x]) if self.function else nf.power(x, self.exponent)
        return nf.scale(value, self.sign)

    def tree(self) -> Any:
        """The same of "x", as certificates write it."""
        turned = ["mul", "-1", "x"] if self.sign < 0 else "x"
        value = ["call", self.function, turned]
        if not self.function:
            value = ["pow", turned, str(Fraction(self.exponent))]
        return ["mul", "-1", value] if self.sign < 0 else value


def out_of_maxima(poly: Poly) -> Poly:
    """increasing functions of maxima."""
    return nf.rewrite(poly, moved_out)


def moved_out(atom: Any) -> Poly | None:
    """f(max x) for max f(x), the argmax of x for that of f(x); None where there is no f."""
    if not isinstance(atom, Max | Argmax):
        return None
    letters, args = entered(atom, atom.free)
    layers: list[Layer] = []
    while layer := outermost(args):
        layers.append(layer)
        args = layer.args
    if not layers:
        return None
    if isinstance(atom, Argmax):
        return indicator(atom.at, letters, args[0])
    value = largest(letters, args)
    for layer in reversed(layers):
        value = layer.of(value)
    return value


def placed_in(tree: Any, x: Any) -> Any:
    """A function of "x" as certificates write it, at another argument."""
    if isinstance(tree, list):
        return [placed_in(part, x) for part in tree]
    return x if tree == "x" else tree


def outermost(args: Sequence[Poly]) -> Layer | None:
    """The increasing function that all of these are values of."""
    return _function(args) or _power(args)


def _function(args: Sequence[Poly]) -> Layer | None:
    """s f(s x); a positive number beside exponentials is one."""
    layers = set[tuple[int, str]]()
    found: list[Poly] = []
    for arg in args:
        only = arg.single
        if only is None or abs(only[1]) != 1:
            return None
        ((atom, e), *more) = tuple(only[0]) or ((None, 0),)
        if arg is ONE:
            layers.add((1, "exp"))
            found.append(ZERO)
        elif isinstance(atom, Call) and e == 1 and not more and _increases(atom.name):
            sign = int(only[1])
            layers.add((sign, str(atom.name)))
            found.append(nf.scale(atom.args[0], sign))
        else:
            return None
    if len(layers) != 1 or all(arg is ONE for arg in args):
        return None
    ((sign, name),) = layers
    return Layer(sign, name, 1, found)


def _increases(name: Any) -> bool:
    return isinstance(name, str) and primitives.by_name(name).increasing


def _power(args: Sequence[Poly]) -> Layer | None:
    """x^g for an odd g, or for x that are not negative where the power is defined."""
    exponents = [abs(Fraction(e)) for arg in args for term, _ in arg for _, e in term]
    g = reduce(_common, exponents, Fraction(0))
    if g in (0, 1):
        return None
    roots = [_root(arg, g) for arg in args]
    if any(root is None for root in roots):
        return None
    return Layer(1, "", rational(g), [root for root in roots if root is not None])


def _common(a: Fraction, b: Fraction) -> Fraction:
    """The largest number of which both are whole multiples."""
    shared = gcd(a.numerator * b.denominator, b.numerator * a.denominator)
    return Fraction(shared, a.denominator * b.denominator)


def _root(arg: Poly, g: Fraction) -> Poly | None:
    """The x with x^g = arg; one that is not negative unless g is odd."""
    if arg is ZERO:
        return ZERO
    if arg.single is None or abs(arg.single[1]) != 1:
        return None
    term, c = arg.single
    odd = g.denominator == 1 and g.numerator % 2 == 1
    known = all(sign_of(a) or Fraction(e).denominator > 1 for a, e in term)
    if not odd and (c < 0 or not known):
        return None
    return Poly({Term({a: rational(Fraction(e) / g) for a, e in term}): c})


__all__ = ["Layer", "moved_out", "out_of_maxima", "outermost", "placed_in"]
