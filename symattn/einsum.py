"""Einsum strings and index notation: each as the other, and what each letter does.

C_ik = Σ_j A_ij B_jk is "ij,jk->ik": the letters of every factor, an arrow, the letters of the
result.  A letter that does not reach the result is summed.
"""

from __future__ import annotations

import re
from typing import Any, NamedTuple

import sympy as sp

from .errors import FormulaError, ShapeError, UnsupportedError
from .syntax import Definition, define, indices, total


class Letter(NamedTuple):
    """What one letter does: it is free or summed, and runs along axes (operand, axis)."""

    letter: str
    free: bool
    axes: tuple[tuple[int, int], ...]

    def __str__(self) -> str:
        said = ", ".join(f"axis {axis + 1} of factor {factor + 1}" for factor, axis in self.axes)
        what = "is kept" if self.free else "is summed"
        return f"{self.letter} {what}: {said}"


def parse(text: str) -> tuple[tuple[str, ...], str]:
    """The letters of every factor, and those of the result.

    Without an arrow the result has the letters that occur once, in the order of the alphabet, as
    NumPy has it.

    >>> parse("ij,jk->ik")
    (('ij', 'jk'), 'ik')
    >>> parse("ij,jk")
    (('ij', 'jk'), 'ik')

    Raises FormulaError for anything else.
    """
    found = re.fullmatch(r"([A-Za-z]*(?:,[A-Za-z]*)*)(?:->([A-Za-z]*))?", text.replace(" ", ""))
    if not found:
        raise FormulaError(f"{text!r} is no einsum string", mend='write "ij,jk->ik"')
    factors, result = tuple(found[1].split(",")), found[2]
    letters = "".join(factors)
    if result is None:
        result = "".join(sorted(x for x in set(letters) if letters.count(x) == 1))
    for x in result:
        if result.count(x) > 1 or x not in letters:
            raise FormulaError(
                f"{x} cannot be a letter of the result of {text!r}",
                expected="every letter of the result once there, and in a factor",
            )
    return factors, result


def explain(text: str) -> tuple[Letter, ...]:
    """What every letter does, in order of appearance.

    >>> print(*explain("ia,ja->ij"), sep="; ")
    i is kept: axis 1 of factor 1; a is summed: axis 2 of factor 1, axis 2 of factor 2; ...
    """
    factors, result = parse(text)
    axes: dict[str, list[tuple[int, int]]] = {}
    for k, letters in enumerate(factors):
        for axis, x in enumerate(letters):
            axes.setdefault(x, []).append((k, axis))
    return tuple(Letter(x, x in result, tuple(found)) for x, found in axes.items())


def contraction(name: str, text: str, *tensors: Any) -> Definition:
    """name[result] = Σ of the product of the tensors, each with its letters.

    >>> from symattn import sizes, tensor
    >>> n, m, k = sizes("n m k")
    >>> print(contraction("C", "ij,jk->ik", tensor("A", n, m), tensor("B", m, k)))
    C[i, k] = Sum(A[i, j]*B[j, k], (j, 0, m - 1))

    Raises ShapeError where the tensors do not fit the string.
    """
    factors, result = parse(text)
    if len(factors) != len(tensors):
        raise ShapeError(f"{text!r} is of {len(factors)} factors", got=f"{len(tensors)} tensors")
    size: dict[str, Any] = {}
    for letters, t in zip(factors, tensors, strict=True):
        shape = tuple(getattr(t, "shape", ()))
        if len(shape) != len(letters):
            raise ShapeError(f"{t} has {len(shape)} axes", expected=f"{len(letters)}: {letters!r}")
        for x, s in zip(letters, shape, strict=True):
            if size.setdefault(x, s) != s:
                raise ShapeError(f"{x} of {text!r} is {size[x]} and {s}")
    index = {x: indices(x, s)[0] for x, s in size.items()}
    product = sp.Mul(
        *(
            t[tuple(index[x] for x in letters)] if letters else sp.sympify(t)
            for letters, t in zip(factors, tensors, strict=True)
        ),
        evaluate=False,
    )
    summed = [index[x] for x in size if x not in result]
    return define(
        name, tuple(index[x] for x in result), total(product, *summed) if summed else product
    )


def subscripts(definition: Definition) -> tuple[str, tuple[str, ...]]:
    """The einsum string of a definition that is one product of tensors, and the tensors' names.

    >>> from symattn import sizes, tensor
    >>> (n,) = sizes("n")
    >>> subscripts(contraction("y", "ij,j->i", tensor("A", n, n), tensor("x", n)))
    ('ij,j->i', ('A', 'x'))

    Raises UnsupportedError for anything else.
    """
    body = definition.expr
    while isinstance(body, sp.Sum):
        body = body.function
    factors = []
    for factor in sp.Mul.make_args(body):
        base, power = factor.as_base_exp()
        if not (base.is_Indexed or base.is_Symbol) or not (power.is_Integer and power > 0):
            raise UnsupportedError(
                f"{definition.name} is no einsum",
                formula=str(factor),
                expected="one product of tensors, each letter an index by itself",
            )
        factors += [base] * int(power)
    rows = [
        ("".join(str(x) for x in f.indices) if f.is_Indexed else "", str(getattr(f, "base", f)))
        for f in factors
    ]
    result = "".join(str(x) for x in definition.indices)
    letters = ",".join(letters for letters, _ in rows)
    return f"{letters}->{result}", tuple(name for _, name in rows)
