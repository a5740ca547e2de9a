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
        return "symmetric" if self.definite else self.args[2].name

    @property
    def definite(self) -> bool:
        """A positive definite matrix."""
        return bool(self.args[2].name == "definite")

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


class Inverse(TensorSymbol):
    """The inverse of a square matrix, subscripted like it."""

    def __new__(cls, label: Any, shape: Any, symmetry: Any, of: Any) -> Inverse:
        obj = super().__new__(cls, label, shape, symmetry)
        obj._args = (*obj._args, of)
        return obj

    @property
    def of(self) -> TensorSymbol:
        """The matrix that it is the inverse of."""
        return self.args[3]

    def _latex(self, printer: Any, exp: Any = None) -> str:
        return rf"{printer._print(self.of.label)}^{{-1}}"


def inverse_label(of: Any) -> sp.Symbol:
    """The label of the inverse of a matrix, for plain text."""
    return sp.Symbol(f"inverse({of.label})", real=True)


class Determinant(sp.Expr):
    """det M, or log |det M|, of a square matrix; args are the matrix and which of the two."""

    is_commutative = True
    is_real = True

    def __new__(cls, of: Any, kind: Any) -> Determinant:
        return sp.Expr.__new__(cls, of, sp.Symbol(str(kind)))

    @property
    def kind(self) -> str:
        """ "det" or "logdet"."""
        return str(self.args[1])

    def _eval_is_positive(self) -> bool | None:
        return True if self.kind == "det" and self.args[0].definite else None

    def _sympystr(self, printer: Any) -> str:
        return f"{self.kind}({self.args[0].label})"

    def _latex(self, printer: Any, exp: Any = None) -> str:
        name = r"\det" if self.kind == "det" else r"\log\det"
        text = rf"{name} {printer._print(self.args[0].label)}"
        return rf"\left({text}\right)^{{{exp}}}" if exp else text


class Loss(sp.Expr):
    """An abstract scalar function of tensors; args are its name and the names that it is of."""

    is_commutative = True
    is_real = True

    def __new__(cls, name: Any, of: Any) -> Loss:
        return sp.Expr.__new__(cls, sp.Symbol(str(name)), sp.Tuple(*of))

    def _sympystr(self, printer: Any) -> str:
        return str(self.args[0])

    def _latex(self, printer: Any, exp: Any = None) -> str:
        return str(printer._print(self.args[0]))


class FunctionDerivative(sp.Expr):
    """A derivative of an undefined function at its arguments; args are name, orders, arguments."""

    is_commutative = True
    is_real = True

    def __new__(cls, name: Any, orders: Any, arguments: Any) -> FunctionDerivative:
        return sp.Expr.__new__(cls, sp.Symbol(str(name)), sp.Tuple(*orders), sp.Tuple(*arguments))

    def _head(self, name: str) -> str:
        orders = [int(k) for k in self.args[1]]
        if len(orders) == 1:
            return name + "'" * orders[0]
        return "".join(f"d{k + 1}" * c for k, c in enumerate(orders)) + name

    def _sympystr(self, printer: Any) -> str:
        return f"{self._head(str(self.args[0]))}({', '.join(map(printer._print, self.args[2]))})"

    def _latex(self, printer: Any, exp: Any = None) -> str:
        orders = [int(k) for k in self.args[1]]
        head = printer._print(self.args[0])
        if len(orders) == 1:
            head += "'" * orders[0]
        else:
            head = "".join(rf"\partial_{k + 1} " * c for k, c in enumerate(orders)) + head
        inside = ", ".join(map(printer._print, self.args[2]))
        return rf"{head}\left({inside}\right)"


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


def over_letters(kind: Any, expr: Any, *limits: Any) -> Any:
    """kind(expr, *limits) with a Piecewise in its place: SymPy takes it out of the sums within."""
    expr = sp.sympify(expr)
    if not expr.has(sp.Piecewise):
        return kind(expr, *limits)
    made = kind(sp.S.One, *limits)
    within = expr.limits if type(expr) is kind else ()
    made._args = (expr.function if within else expr, *within, *made.limits)
    return made


class Maximum(ExprWithLimits):
    """max_j expr: the largest value over the whole range of the index letters."""

    is_commutative = True
    is_real = True
    is_number = False  # SymPy would evaluate max_j 1

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
