"""The SymPy classes of symattn: tensors with a shape, masks, δ's that wait, ∂'s not evaluated."""

from __future__ import annotations

from typing import Any

import sympy as sp
from sympy.concrete.expr_with_limits import ExprWithLimits

from .errors import FormulaError


class TensorSymbol(sp.IndexedBase):
    """A tensor as a SymPy IndexedBase that knows its shape and its symmetry."""

    def __new__(cls, label: Any, shape: Any, symmetry: Any = "") -> TensorSymbol:
        if isinstance(label, str):
            label = sp.Symbol(label, real=True)
        obj = super().__new__(cls, label, shape)
        obj._args = (*obj._args[:2], sp.Symbol(str(symmetry)))
        return obj

    @property
    def symmetry(self) -> str:
        """ "symmetric", "antisymmetric" or ""."""
        return str(self.args[2])

    def __getitem__(self, slots: Any, **_: Any) -> sp.Indexed:
        slots = tuple(slots) if isinstance(slots, tuple | list | sp.Tuple) else (slots,)
        if len(slots) != len(self.shape):
            raise FormulaError(
                f"{self.label} takes {len(self.shape)} indices, {len(slots)} were given",
                formula=f"{self.label}[{', '.join(map(str, slots))}]",
                expected=f"{self.label} with shape ({', '.join(map(str, self.shape))})",
                mend="give one index for every axis",
            )
        return sp.Indexed(self, *slots)


class Iverson(sp.Function):
    """[condition]: 1 where it holds, 0 elsewhere."""

    is_real = True
    is_nonnegative = True

    @classmethod
    def eval(cls, condition: Any) -> Any:
        if condition == True:  # noqa: E712  SymPy's true is not Python's
            return sp.S.One
        if condition == False:  # noqa: E712
            return sp.S.Zero
        return None

    def _latex(self, printer: Any, exp: Any = None) -> str:
        return rf"\left[{printer._print(self.args[0])}\right]"


class KroneckerDelta(sp.KroneckerDelta):
    """δ_{ij} that waits: SymPy's own is 1 for δ_{ii} and δ_{ij} for δ_{ij}δ_{ij}.

    Both are n by the summation rule, which needs to see every letter.  Equal to SymPy's elsewhere.
    """

    @classmethod
    def eval(cls, i: Any, j: Any, delta_range: Any = None) -> Any:
        return cls(j, i) if sp.default_sort_key(j) < sp.default_sort_key(i) else None

    def _eval_power(self, exponent: Any) -> None:
        return None

    def __eq__(self, other: Any) -> bool:
        return isinstance(other, sp.KroneckerDelta) and bool(self.args == other.args)

    __hash__ = sp.KroneckerDelta.__hash__


class Maximum(ExprWithLimits):
    """max_j expr: the largest value over the whole range of the index letters."""

    is_commutative = True
    is_real = True

    def _latex(self, printer: Any, exp: Any = None) -> str:
        letters = ", ".join(printer._print(limit[0]) for limit in self.limits)
        return rf"\max_{{{letters}}} \left({printer._print(self.function)}\right)"

    def _sympystr(self, printer: Any) -> str:
        letters = ", ".join(printer._print(limit[0]) for limit in self.limits)
        return f"maximum({printer._print(self.function)}, {letters})"


class OneHot(sp.Expr):
    """[j = argmax_k expr]: 1 where expr is largest, 0 elsewhere; args are (j, …) and a Maximum."""

    is_commutative = True
    is_real = True
    is_nonnegative = True

    def __new__(cls, at: Any, maximum: Any) -> OneHot:
        return sp.Expr.__new__(cls, at, maximum)

    def _shown(self, printer: Any) -> tuple[str, str, str]:
        at, maximum = self.args
        return (
            ", ".join(map(printer._print, at)),
            ", ".join(printer._print(limit[0]) for limit in maximum.limits),
            printer._print(maximum.function),
        )

    def _latex(self, printer: Any, exp: Any = None) -> str:
        at, letters, body = self._shown(printer)
        return rf"\left[{at} = \arg\max_{{{letters}}} \left({body}\right)\right]"

    def _sympystr(self, printer: Any) -> str:
        at, letters, body = self._shown(printer)
        return f"argmax({at}, {body}, {letters})"


class Partial(sp.Expr):
    """∂numerator/∂denominator, not evaluated, as steps of a derivation show it."""

    is_commutative = True
    is_real = True

    def __new__(cls, numerator: Any, denominator: Any) -> Partial:
        return sp.Expr.__new__(cls, numerator, denominator)

    def _latex(self, printer: Any, exp: Any = None) -> str:
        top, bottom = (printer._print(a) for a in self.args)
        return rf"\frac{{\partial {top}}}{{\partial {bottom}}}"

    def _sympystr(self, printer: Any) -> str:
        top, bottom = (printer._print(a) for a in self.args)
        return f"d{top}/d{bottom}"
