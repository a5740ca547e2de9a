r"""Functions that others give: \cot x = cos x / sin x, inverses of hyperbolic ones as logarithms.

An entry is the function as a term of its argument; the names are those of LaTeX and of amsmath.
"""

from __future__ import annotations

from collections.abc import Callable

import sympy as sp

from .terms import Add, Call, Mul, Number, Pow, Term

ONE, TWO = Number(sp.S.One), Number(sp.Integer(2))


def _over(above: Term, below: Term) -> Term:
    return Mul((above, Pow(below, Number(sp.S.NegativeOne))))


def _root(x: Term, sign: int) -> Term:
    """√(x² ± 1)."""
    return Pow(Add(((1, Pow(x, TWO)), (sign, ONE))), Number(sp.S.Half))


COMPOSED: dict[str, Callable[[Term], Term]] = {
    "cot": lambda x: _over(Call("cos", x), Call("sin", x)),
    "sec": lambda x: _over(ONE, Call("cos", x)),
    "csc": lambda x: _over(ONE, Call("sin", x)),
    "sech": lambda x: _over(ONE, Call("cosh", x)),
    "csch": lambda x: _over(ONE, Call("sinh", x)),
    "acosh": lambda x: Call("log", Add(((1, x), (1, _root(x, -1))))),
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
}
SPELLED = {
    "cot": "ctg cotan",
    "csc": "cosec",
    "normcdf": "ncdf",
    "acosh": "arccosh arcosh",
}


__all__ = ["COMPOSED", "SPELLED"]
