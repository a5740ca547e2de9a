r"""Functions that others give: \cot x = cos x / sin x, \operatorname{arcsec} x = arccos(1/x).

An entry is the function as a term of its argument; the names are those of LaTeX and of amsmath.
"""

from __future__ import annotations

from collections.abc import Callable

import sympy as sp

from .terms import Add, Call, Mul, Number, Pow, Term

ONE, TWO = Number(sp.S.One), Number(sp.Integer(2))


def _over(above: Term, below: Term) -> Term:
    return Mul((above, Pow(below, Number(sp.S.NegativeOne))))


def _of_inverse(name: str) -> Callable[[Term], Term]:
    """f(1/x)."""
    return lambda x: Call(name, _over(ONE, x))


COMPOSED: dict[str, Callable[[Term], Term]] = {
    "cot": lambda x: _over(Call("cos", x), Call("sin", x)),
    "sec": lambda x: _over(ONE, Call("cos", x)),
    "csc": lambda x: _over(ONE, Call("sin", x)),
    "sech": lambda x: _over(ONE, Call("cosh", x)),
    "csch": lambda x: _over(ONE, Call("sinh", x)),
    "asec": _of_inverse("acos"),
    "acsc": _of_inverse("asin"),
    "asech": _of_inverse("acosh"),
    "acsch": _of_inverse("asinh"),
    "acoth": _of_inverse("atanh"),
    "trigamma": lambda x: Call("polygamma", ONE, (x,)),
    "normcdf": lambda x: Mul(
        (
            Number(sp.S.Half),
            Add(((1, ONE), (1, Call("erf", Mul((x, Number(1 / sp.sqrt(2)))))))),
        )
    ),
    "normpdf": lambda x: Mul(
        (
            Number(1 / sp.sqrt(2 * sp.pi)),
            Call("exp", Mul((Number(-sp.S.Half), Pow(x, TWO)))),
        )
    ),
    "lg": lambda x: _over(Call("log", x), Call("log", Number(sp.Integer(10)))),
    "lb": lambda x: _over(Call("log", x), Call("log", TWO)),
    "exp2": lambda x: Pow(TWO, x),
}
SPELLED = {
    "cot": "ctg cotan",
    "csc": "cosec",
    "normcdf": "ncdf",
    "asec": "arcsec",
    "acsc": "arccsc arccosec",
    "asech": "arcsech arsech",
    "acsch": "arccsch arcsch",
    "acoth": "arccoth arcoth",
    "acot": "arccot arcctg",  # an error that names both
    "lg": "log10",
    "lb": "log2",
}
# \tan^{-1} x is the inverse function, as everybody has it, though \tan^2 x is a power
INVERSES = {
    f: f"a{f}"
    for f in (*("sin", "cos", "tan", "cot", "sec", "csc"),
              *("sinh", "cosh", "tanh", "coth", "sech", "csch"))
}  # fmt: skip


__all__ = ["COMPOSED", "INVERSES", "SPELLED"]
