"""What users write: sizes, indices, tensors, definitions and systems, as SymPy objects."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property
from typing import Any

import sympy as sp

from .budget import bounded
from .errors import AmbiguousError, DefinitionError, FormulaError, SymattnError
from .ir import SIGNS
from .objects import (
    Determinant,
    Inverse,
    Iverson,
    KroneckerDelta,
    Loss,
    Maximum,
    OneHot,
    Partial,
    TensorSymbol,
    inverse_label,
    over_letters,
)


def _names(text: str | Iterable[str]) -> list[str]:
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
    return tuple(sp.Symbol(name, positive=True, integer=True) for name in _names(names))


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
    return tuple(sp.Idx(sp.Symbol(name, integer=True), size) for name in _names(names))


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
    (name,) = _names([name])
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
    (name,) = _names([name])
    if isinstance(of, str):
        of = _names(of) if of else ()
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

    (name,) = _names([name])
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
