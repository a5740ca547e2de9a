"""The letters of formulas: sizes, indices, tensors, and what is summed, compared or largest."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any

import sympy as sp

from .errors import FormulaError, SymattnError
from .ir import SIGNS
from .objects import (
    Iverson,
    KroneckerDelta,
    Maximum,
    OneHot,
    TensorSymbol,
    over_letters,
)


def names_of(text: str | Iterable[str]) -> list[str]:
    names = text.replace(",", " ").split() if isinstance(text, str) else list(_listed(text))
    if not names:
        raise FormulaError("no name was given", mend='write the names in one string: "i j k"')
    for name in names:
        if not isinstance(name, str) or not re.fullmatch(r"\S+", name):
            raise FormulaError(f"{name!r} is not a name", mend="use letters, digits, _ and '")
    return names


def _listed(names: Any) -> Iterable[Any]:
    if isinstance(names, Iterable):
        return names
    raise FormulaError(f"{names!r} is not a name", mend='write the names in one string: "i j k"')


def sizes(names: str | Iterable[str]) -> tuple[sp.Symbol, ...]:
    """Positive integer symbols n_1, n_2, … for the ranges of indices.

    >>> sizes("n_q n_k")
    (n_q, n_k)
    """
    return tuple(sp.Symbol(name, positive=True, integer=True) for name in names_of(names))


def indices(names: str | Iterable[str], size: Any) -> tuple[sp.Idx, ...]:
    """Index letters that run over 0 … size−1; always a tuple, also for one letter.

    `size` is a positive integer or an expression of sizes.  Raises FormulaError otherwise.
    """
    size = sp.sympify(size)
    if not size.is_integer or size.is_positive is False:
        raise FormulaError(
            f"the size {size} of the indices {names} is not a positive integer",
            mend='declare it with sizes("n") or give a number',
        )
    return tuple(sp.Idx(sp.Symbol(name, integer=True), size) for name in names_of(names))


def tensor(
    name: str,
    *shape: Any,
    symmetric: bool = False,
    antisymmetric: bool = False,
    positive: bool = False,
    positive_definite: bool = False,
    nonnegative: bool = False,
    negative: bool = False,
    nonpositive: bool = False,
    nonzero: bool = False,
) -> Any:
    """A tensor symbol name[i, …] with the given sizes; without sizes a scalar symbol.

    Real unless said otherwise.  `symmetric` and `antisymmetric` hold in all slots, so all sizes
    must be equal; `positive`, `negative`, `nonnegative`, `nonpositive` and `nonzero` say of every
    component what sign it has, `positive_definite` that x_i M_ij x_j > 0 for every x but 0, for a
    symmetric matrix.
    """
    (name,) = names_of([name])
    if (symmetric or positive_definite) and antisymmetric:
        raise FormulaError(f"{name} cannot be both symmetric and antisymmetric")
    if positive_definite and len(shape) != 2:
        raise FormulaError(
            f"{name} with {len(shape)} axes cannot be positive definite",
            mend="only a matrix is positive definite",
        )
    given = (positive, nonnegative, negative, nonpositive, nonzero)
    signs = [kind for kind, said in zip(SIGNS.values(), given, strict=True) if said]
    if len(signs) > 1:
        raise FormulaError(
            f"{name} cannot be both {' and '.join(signs)}", mend="say one sign, the narrowest"
        )
    label = sp.Symbol(name, **{(*signs, "real")[0]: True})
    if not shape:
        return label
    sized = tuple(s if isinstance(s, str) else sp.sympify(s) for s in shape)
    for size in sized:
        if isinstance(size, str):
            raise FormulaError(
                f"{name} with an axis of size {size!r}, which is text",
                expected="a whole number, or a size such as n + 1",
                mend=f'make sizes with sizes("{size}")',
            )
        if size.is_integer is False or size.is_negative or size.atoms(sp.Idx):
            raise FormulaError(
                f"{name} with an axis of size {size}",
                expected="a whole number, or a size such as n + 1",
                mend='make sizes with sizes("n m")',
            )
    if (symmetric or antisymmetric or positive_definite) and (
        len(set(sized)) > 1 or len(sized) < 2
    ):
        raise FormulaError(
            f"{name} with shape ({', '.join(map(str, sized))}) cannot be symmetric",
            mend="a symmetric tensor needs two or more axes of the same size",
        )
    kinds = {"definite": positive_definite, "symmetric": symmetric, "antisymmetric": antisymmetric}
    return TensorSymbol(label, sized, next((kind for kind, holds in kinds.items() if holds), ""))


def total(expr: Any, *letters: Any) -> sp.Expr:
    """Σ_letters expr, as a SymPy Sum over the whole range of each index."""
    return over_letters(sp.Sum, expr, *_ranges("total", expr, letters))


def maximum(expr: Any, *letters: Any) -> sp.Expr:
    """max_letters expr, the largest value over the whole range of each index.

    The largest of several expressions is `sympy.Max`, the smallest `sympy.Min`.
    """
    return over_letters(Maximum, expr, *_ranges("maximum", expr, letters))


def argmax(at: Any, expr: Any, letter: Any) -> sp.Expr:
    """[at = argmax_letter expr]: 1 at the first index where expr is largest, 0 elsewhere.

    >>> (i,), (j, k) = indices("i", 3), indices("j k", 4)
    >>> argmax(j, tensor("S", 3, 4)[i, k], k)
    argmax(j, S[i, k], k)
    """
    return OneHot(sp.Tuple(sp.sympify(at)), maximum(expr, letter))


def _ranges(function: str, expr: Any, letters: tuple[Any, ...]) -> list[tuple[Any, ...]]:
    if not letters:
        raise FormulaError(
            f"{function}() needs the indices that it runs over",
            formula=f"{function}({expr})",
            mend=f"write {function}(expr, j)",
        )
    for letter in letters:
        if not isinstance(letter, sp.Idx) or letter.upper is None:
            raise FormulaError(
                f"{letter} is not an index with a range",
                formula=f"{function}({expr}, {letter})",
                mend='make it with indices("j", n)',
            )
    return [(letter, letter.lower, letter.upper) for letter in letters]


def iverson(condition: Any) -> sp.Expr:
    """The Iverson bracket [condition], 1 where it holds and 0 elsewhere.

    A condition compares indices, j <= i, or values, x[i] > 0; And, Or and Not join conditions.
    Raises FormulaError when it is not a comparison.
    """
    condition = sp.sympify(condition)
    if not isinstance(condition, sp.logic.boolalg.Boolean):
        raise FormulaError(
            f"{condition} is not a comparison",
            formula=f"iverson({condition})",
            mend="write iverson(j <= i); products of brackets are 'and'",
        )
    return Iverson(condition)


def delta(i: Any, j: Any) -> sp.Expr:
    """The Kronecker delta δ_{ij}."""
    return KroneckerDelta(i, j)


def for_all(lhs: Any, rhs: Any, letters: Iterable[sp.Idx]) -> sp.Eq:
    """lhs = rhs for every value of the letters, also of one that the rule would sum.

    u_ia u_ia = 1 alone is Σ_i u_ia u_ia = 1.  Beside Σ_k δ_ik, which is 1, the letter i is free.

    >>> (i,) = indices("i", 3)
    >>> for_all(tensor("x", 3)[i] ** 2, 1, [i])
    Eq(x[i]**2, Sum(KroneckerDelta(i, i_), (i_, 0, 2)))
    """
    from .convert import lower_equation

    try:
        free = {i.name for side in lower_equation(lhs, rhs) for i in side.free}
    except SymattnError:
        free = set()
    for letter in (i for i in letters if i.name not in free):
        (other,) = indices([f"{letter.name}_"], letter.upper + 1)
        rhs = rhs - 1 + total(delta(letter, other), other)
    return sp.Eq(lhs, rhs, evaluate=False)


def without_marks(fact: sp.Eq) -> sp.Eq:
    """The equation that for_all was given."""
    ones = {x: 1 for x in fact.rhs.atoms(sp.Sum) if isinstance(x.function, KroneckerDelta)}
    return sp.Eq(fact.lhs, fact.rhs.xreplace(ones), evaluate=False)


__all__ = [
    "argmax",
    "delta",
    "for_all",
    "indices",
    "iverson",
    "maximum",
    "names_of",
    "sizes",
    "tensor",
    "total",
    "without_marks",
]
