"""What users write: sizes, indices, tensors, definitions and systems, as SymPy objects."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property
from typing import Any

import sympy as sp

from .alphabet import (
    argmax,
    delta,
    for_all,
    indices,
    iverson,
    maximum,
    names_of,
    sizes,
    tensor,
    total,
    without_marks,
)
from .budget import bounded
from .errors import AmbiguousError, DefinitionError, FormulaError
from .objects import (
    Determinant,
    Inverse,
    Loss,
    Maximum,
    Partial,
    TensorSymbol,
    inverse_label,
)


def _matrix(function: str, of: Any) -> Any:
    """The square matrix that a tensor, a definition or a component M[a, b] names."""
    symbol = (
        of.tensor if isinstance(of, Definition) else of.base if isinstance(of, sp.Indexed) else of
    )
    if not isinstance(symbol, TensorSymbol):
        raise FormulaError(
            f"{function}() takes a matrix",
            got=str(of),
            mend="give the matrix a name with tensor() or define()",
        )
    shape = tuple(symbol.shape)
    if len(shape) != 2 or shape[0] != shape[1]:
        raise FormulaError(
            f"{symbol.label} is not a square matrix",
            formula=f"{function}({symbol.label})",
            got=f"shape ({', '.join(map(str, shape))})",
            mend="only a square matrix has one",
        )
    return symbol


def inverse(of: Any) -> Any:
    """The inverse of a square matrix of any size: M_ij M⁻¹_jk = δ_ik; inverse(M[a, b]) is M⁻¹_ab.

    `of` is a tensor or a definition with two axes of one size.  A definition that is symmetric by
    its formula has a symmetric inverse.  Raises FormulaError for anything else.

    >>> (n,) = sizes("n")
    >>> i, j = indices("i j", n)
    >>> inverse(tensor("M", n, n))[i, j]
    inverse(M)[i, j]
    """
    if isinstance(of, sp.Indexed):
        return inverse(of.base)[tuple(of.indices)]
    symbol = _matrix("inverse", of)
    if isinstance(symbol, Inverse):
        return symbol.of
    symmetry = symbol.args[2]
    return Inverse(inverse_label(symbol), symbol.shape, symmetry, symbol)


def det(of: Any) -> sp.Expr:
    """The determinant of a square matrix of any size, a tensor or a definition."""
    symbol = _matrix("det", of)
    if isinstance(symbol, Inverse):
        return 1 / Determinant(symbol.of, "det")
    return Determinant(symbol, "det")


def logdet(of: Any) -> sp.Expr:
    """log |det M| of a square matrix of any size, a tensor or a definition."""
    symbol = _matrix("logdet", of)
    if isinstance(symbol, Inverse):
        return -Determinant(symbol.of, "logdet")
    return Determinant(symbol, "logdet")


def trace(of: Any) -> sp.Expr:
    """Σ_k M_kk of a square matrix, a tensor or a definition."""
    symbol = _matrix("trace", of)
    (k,) = indices("k", symbol.shape[0])
    return total(symbol[k, k], k)


def loss(name: str, of: Any = ()) -> sp.Expr:
    """An abstract scalar: a function of the tensors in `of`, and of nothing else.

    Its derivatives ∂L/∂O by these are free, every other one follows by the chain rule; write them
    with `partial(L, Q[i, a])`.  Without `of` it is a function of all that a system ends in.  `of`
    are names, or definitions and tensors: these give a loss that stands in formulas itself,
    J = L + λ/2 Σ W².
    """
    (name,) = names_of([name])
    if isinstance(of, str):
        of = names_of(of) if of else ()
    several = [of] if isinstance(of, Definition | sp.Basic) else [*of]
    of = [t.tensor if isinstance(t, Definition) else sp.Symbol(t) if isinstance(t, str) else t
          for t in several]  # fmt: skip
    return Loss(name, of)


def partial(of: Any, wrt: Any) -> sp.Expr:
    """∂of/∂wrt of two components, not evaluated: partial(L, Q[i, a]) in a claim."""
    sides = [side.lhs if isinstance(side, Definition) else sp.sympify(side) for side in (of, wrt)]
    for side in sides:
        if not isinstance(side, sp.Indexed | sp.Symbol | Loss | Partial):
            raise FormulaError(
                f"{side} is not a component of a tensor",
                formula=f"partial({sides[0]}, {sides[1]})",
                mend="give the expression a name with define()",
            )
    return Partial(*sides)


class Definition:
    """name[indices] = expr, with every letter that is not in `indices` summed by the rule.

    It is subscripted like a tensor, and stands for its value where it has no index.
    """

    def __init__(
        self, name: str, letters: tuple[sp.Idx, ...], expr: sp.Expr, positive: bool
    ) -> None:
        self.name, self.indices, self.expr = name, letters, expr
        shape = tuple(sp.sympify(letter.upper + 1) for letter in letters)
        self.tensor = tensor(name, *shape, positive=positive)
        self.shape = shape

    @property
    def lhs(self) -> sp.Expr:
        """The left-hand side."""
        return self.tensor[self.indices] if self.indices else self.tensor

    def __getitem__(self, slots: Any) -> sp.Expr:
        if not self.indices:
            if slots == ():
                return self.tensor
            raise FormulaError(f"{self.name} has no index", formula=f"{self.name}[{slots}]")
        return self.tensor[slots]

    def _sympy_(self) -> Any:
        return self.tensor

    def __neg__(self) -> sp.Expr:
        return -sp.sympify(self)

    def __add__(self, other: Any) -> sp.Expr:
        return sp.sympify(self) + other

    def __radd__(self, other: Any) -> sp.Expr:
        return other + sp.sympify(self)

    def __sub__(self, other: Any) -> sp.Expr:
        return sp.sympify(self) - other

    def __rsub__(self, other: Any) -> sp.Expr:
        return other - sp.sympify(self)

    def __mul__(self, other: Any) -> sp.Expr:
        return sp.sympify(self) * other

    def __rmul__(self, other: Any) -> sp.Expr:
        return other * sp.sympify(self)

    def __truediv__(self, other: Any) -> sp.Expr:
        return sp.sympify(self) / other

    def __rtruediv__(self, other: Any) -> sp.Expr:
        return other / sp.sympify(self)

    def __pow__(self, other: Any) -> sp.Expr:
        return sp.sympify(self) ** other

    def __rpow__(self, other: Any) -> sp.Expr:
        return other ** sp.sympify(self)

    def __str__(self) -> str:
        return f"{self.lhs} = {self.expr}"

    def __repr__(self) -> str:
        return f"define({self})"

    def latex(self) -> str:
        """The definition as LaTeX."""
        from .explain import definition_latex

        return definition_latex(self)

    def _repr_latex_(self) -> str:
        return f"$\\displaystyle {self.latex()}$"


@bounded
def define(name: str, letters: Any, expr: Any) -> Definition:
    """The definition name[letters] = expr.

    Letters repeated in a product and not in `letters` are summed.  Raises FormulaError for a letter
    that is neither, for two sizes on one letter and for an index in the wrong slot.
    """
    from .convert import lower
    from .laws import sign_of
    from .normalize import normalize

    (name,) = names_of([name])
    letters = tuple(letters) if isinstance(letters, tuple | list | sp.Tuple) else (letters,)
    if isinstance(expr, str):
        raise FormulaError(
            f"the right side of {name} is text",
            got=repr(expr),
            mend="write it with tensors and SymPy, or read LaTeX with read()",
        )
    expr = sp.sympify(expr)

    def formula() -> str:
        return f"{name}[{', '.join(map(str, letters))}] = {expr}" if letters else f"{name} = {expr}"

    for letter in letters:
        if not isinstance(letter, sp.Idx) or letter.upper is None:
            raise FormulaError(
                f"{letter} on the left is not an index with a range",
                formula=formula(),
                mend='make it with indices("i", n)',
            )
    if len({letter.name for letter in letters}) < len(letters):
        raise FormulaError(
            "a letter stands twice on the left",
            formula=formula(),
            mend="use different letters on the left and a δ on the right",
        )
    try:
        positive = sign_of(normalize(lower(expr, letters, formula=formula))) == "+"
    except AmbiguousError:  # whoever uses the definition is told; it can be shown as SymPy has it
        positive = False
    return Definition(name, letters, expr, positive)


class System:
    """Definitions that use one another, and facts about them.

    The order in which they are given does not matter.  Raises DefinitionError for a name defined
    twice, for a cycle, and for a tensor that is used with two shapes.
    """

    def __init__(self, *definitions: Definition, facts: Iterable[sp.Eq] = ()) -> None:
        table: dict[str, Definition] = {}
        for d in definitions:
            if not isinstance(d, Definition):
                raise DefinitionError(f"{d} is not a definition", mend="make it with define()")
            if d.name in table:
                raise DefinitionError(
                    f"{d.name} is defined twice",
                    formula=str(d),
                    expected=str(table[d.name]),
                    mend="rename one of them or leave one out",
                )
            table[d.name] = d
        self.inputs: dict[str, Any] = {}
        uses = {name: self._uses(d, table) for name, d in table.items()}
        self.definitions: Mapping[str, Definition] = {n: table[n] for n in _ordered(uses, table)}
        shapes = [d.shape for d in table.values()]
        shapes += [tuple(s.shape) for s in self.inputs.values()]
        for size in {s.name for shape in shapes for n in shape for s in n.free_symbols}:
            if size in table:
                raise DefinitionError(
                    f"{size} is the size of an axis and cannot be defined",
                    formula=str(table[size]),
                    mend="give it another name",
                )
        self.facts = tuple(facts)
        for fact in self.facts:
            if not isinstance(fact, sp.Eq):
                raise DefinitionError(
                    f"the fact {fact} is not an equation", mend="write sp.Eq(lhs, rhs)"
                )

    def _uses(self, d: Definition, table: Mapping[str, Definition]) -> list[str]:
        used = []
        for symbol in sorted(_symbols(d.expr), key=str):
            if isinstance(symbol, sp.IndexedBase):
                name, shape = symbol.name, tuple(symbol.shape or ())
            else:
                name, shape = symbol.name, ()
                if name not in table:
                    continue
            known = table.get(name)
            expected = known.shape if known else tuple(self.inputs.setdefault(name, symbol).shape)
            if tuple(expected) != shape:
                raise DefinitionError(
                    f"{name} is used with two shapes",
                    formula=str(d),
                    expected=f"({', '.join(map(str, expected))})",
                    got=f"({', '.join(map(str, shape))})",
                    mend="declare the tensor once and use that object everywhere",
                )
            if known:
                used.append(name)
        return used

    def __getitem__(self, name: str) -> Definition:
        """The definition with that name; DefinitionError lists the names there are."""
        try:
            return self.definitions[name]
        except KeyError:
            known = ", ".join([*self.definitions, *self.inputs])
            raise DefinitionError(
                f"there is no definition of {name!r} in the system",
                expected=f"one of {known}",
                mend="look at the spelling, or add the definition",
            ) from None

    @cached_property
    def content(self) -> tuple[Any, ...]:
        """All that it says: systems that say the same have the same answers."""
        return (*((d.tensor, d.indices, d.expr) for d in self), *self.facts)

    def __iter__(self) -> Iterator[Definition]:
        return iter(self.definitions.values())

    def __len__(self) -> int:
        return len(self.definitions)

    def __repr__(self) -> str:
        given = [*self.inputs, *self._scalars()]
        inputs = f"; inputs {', '.join(given)}" if given else ""
        return f"System({', '.join(self.definitions)}{inputs})"

    def _scalars(self) -> list[str]:
        """The inputs that are numbers; the length of an axis is none."""
        found = {s for d in self for s in _symbols(d.expr) if s.is_Symbol and not s.is_integer}
        return sorted({s.name for s in found} - {*self.definitions})

    def extended(self, *more: Definition) -> System:
        """The system with more definitions."""
        return System(*self, *more, facts=self.facts)

    def latex(self) -> str:
        """The definitions as LaTeX, one line each."""
        from .explain import system_latex

        return system_latex(self)

    def _repr_latex_(self) -> str:
        return self.latex()


def _symbols(expr: Any) -> set[Any]:
    """The tensors and scalars in an expression: no letters of indices and no sizes of axes."""
    if isinstance(expr, sp.Idx):
        return set()
    if isinstance(expr, sp.IndexedBase | sp.Symbol):
        return {expr}
    if isinstance(expr, sp.Indexed):
        return {expr.base.of if isinstance(expr.base, Inverse) else expr.base}
    parts = (expr.function,) if isinstance(expr, sp.Sum | Maximum) else expr.args
    return set().union(*map(_symbols, parts))


def _ordered(uses: Mapping[str, list[str]], table: Mapping[str, Definition]) -> list[str]:
    """Names, each after what it uses."""
    done: list[str] = []
    path: list[str] = []

    def visit(name: str) -> None:
        if name in done:
            return
        if name in path:
            cycle = " → ".join([*path[path.index(name) :], name])
            raise DefinitionError(
                f"the definitions go in a circle: {cycle}",
                formula=str(table[name]),
                mend="give one of them without the others",
            )
        path.append(name)
        for other in uses[name]:
            visit(other)
        path.pop()
        done.append(name)

    for name in table:
        visit(name)
    return done


__all__ = [
    "Definition",
    "System",
    "argmax",
    "define",
    "delta",
    "det",
    "for_all",
    "indices",
    "inverse",
    "iverson",
    "logdet",
    "loss",
    "maximum",
    "partial",
    "sizes",
    "tensor",
    "total",
    "trace",
    "without_marks",
]
