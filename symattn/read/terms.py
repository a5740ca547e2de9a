"""What a formula means, with every sum explicit, before the sizes are known; then as SymPy.

Letters are objects here, so scopes cannot mix.  `Builder` makes SymPy objects once all equations
have been read and all sizes united.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import sympy as sp

from .. import primitives
from ..convert import Partial
from ..errors import FormulaError
from ..syntax import Definition, delta, indices, iverson, tensor, total
from .names import Names, size_name
from .sizes import Letter, Sizes


@dataclass(frozen=True, slots=True)
class Affine:
    """Σ c·letter + constant, as an index."""

    items: tuple[tuple[Letter, int], ...]
    constant: Term | None = None


Slot = Letter | Affine


@dataclass(frozen=True, slots=True)
class Number:
    """A number or a mathematical constant."""

    value: sp.Expr


@dataclass(frozen=True, slots=True)
class Ref:
    """A component name[slots], or a scalar name."""

    name: str
    slots: tuple[Slot, ...] = ()


@dataclass(frozen=True, slots=True)
class Add:
    """A sum of terms with signs."""

    parts: tuple[tuple[int, Term], ...]


@dataclass(frozen=True, slots=True)
class Mul:
    """A product."""

    parts: tuple[Term, ...]


@dataclass(frozen=True, slots=True)
class Pow:
    """base^exponent."""

    base: Term
    exponent: Term


@dataclass(frozen=True, slots=True)
class Call:
    """A registered scalar function."""

    name: str
    argument: Term


@dataclass(frozen=True, slots=True)
class Total:
    """Σ over letters."""

    letters: tuple[Letter, ...]
    body: Term


@dataclass(frozen=True, slots=True)
class Compare:
    """[a R b]: the Kronecker δ for "=", an Iverson bracket otherwise."""

    relation: str
    a: Slot
    b: Slot


@dataclass(frozen=True, slots=True)
class Derivative:
    """∂top/∂bottom of two components."""

    top: Ref | Derivative
    bottom: Ref


@dataclass(frozen=True, slots=True)
class Limit:
    """The limit of an expression as a scalar goes to a value."""

    body: Term
    variable: str
    to: sp.Expr
    side: str = "+"


@dataclass(frozen=True, slots=True)
class ProductOver:
    """Π over letters of a body, where the conditions hold; `at` is its place in the text."""

    letters: tuple[Letter, ...]
    conditions: tuple[Term, ...]
    body: Term
    at: int


Term = Number | Ref | Add | Mul | Pow | Call | Total | Compare | Derivative | Limit | ProductOver
MAX_EXPONENT = 1000
MAX_TERMS = 60_000  # parts of one statement, copies included
MAX_COPIES = 5_000  # parts of a product or a determinant that is written out
ONE, ZERO = Number(sp.S.One), Number(sp.S.Zero)


def parts(term: Term) -> Iterator[Term]:
    """The terms directly inside a term."""
    match term:
        case Add():
            yield from (part for _, part in term.parts)
        case Mul():
            yield from term.parts
        case Pow():
            yield from (term.base, term.exponent)
        case Call():
            yield term.argument
        case Total() | Limit():
            yield term.body
        case ProductOver():
            yield from (*term.conditions, term.body)


def refs(term: Term) -> Iterator[Ref]:
    """All components in a term."""
    match term:
        case Ref():
            yield term
        case Derivative():
            yield from refs(term.top)
            yield term.bottom
    for part in parts(term):
        yield from refs(part)


def has_limit(term: Term) -> bool:
    """True where a limit stands in the term."""
    return isinstance(term, Limit) or any(map(has_limit, parts(term)))


def copies(term: Term, number: int) -> bool:
    """True where so many copies of a term are few enough to be written out."""
    todo, size = [term], 0
    while todo and size * number <= MAX_COPIES:
        size += 1
        todo += parts(todo.pop())
    return size * number <= MAX_COPIES


def at_index(term: Term, letter: Letter, number: int) -> Term:
    """The term with a number, counted from zero, in place of a letter."""
    letter = letter.real()

    def slot(s: Slot) -> Slot:
        items = s.items if isinstance(s, Affine) else ((s, 1),)
        constant = s.constant if isinstance(s, Affine) else None
        kept = tuple((x, c) for x, c in items if x.real() is not letter)
        if len(kept) == len(items):
            return s
        shift = sum(c for x, c in items if x.real() is letter) * number
        if isinstance(constant, Number):
            return Affine(kept, Number(constant.value + shift))
        parts = ((1, Number(sp.Integer(shift))), *(((1, constant),) if constant else ()))
        return Affine(kept, Add(parts) if constant else Number(sp.Integer(shift)))

    def put(t: Any) -> Any:
        return at_index(t, letter, number)

    match term:
        case Ref():
            return Ref(term.name, tuple(map(slot, term.slots)))
        case Add():
            added = tuple((sign, p) for sign, part in term.parts if (p := put(part)) != ZERO)
            return Add(added) if added else ZERO
        case Mul():
            factors = tuple(p for part in term.parts if (p := put(part)) != ONE)
            return ZERO if ZERO in factors else Mul(factors) if factors else ONE
        case Pow():
            return Pow(put(term.base), put(term.exponent))
        case Call():
            return Call(term.name, put(term.argument))
        case Total():
            return Total(term.letters, put(term.body))
        case ProductOver():
            conditions = tuple(map(put, term.conditions))
            return ProductOver(term.letters, conditions, put(term.body), term.at)
        case Compare():
            a, b = slot(term.a), slot(term.b)
            match a, b:
                case Affine((), Number() as one), Affine((), Number() as two):
                    return ONE if _holds(term.relation, one.value, two.value) else ZERO
            return Compare(term.relation, a, b)
        case Derivative():
            return Derivative(put(term.top), put(term.bottom))
        case Limit():
            return Limit(put(term.body), term.variable, term.to, term.side)
    return term


def _holds(relation: str, a: sp.Expr, b: sp.Expr) -> bool:
    return bool(
        {
            "=": a == b,
            "≠": a != b,
            "≤": a <= b,
            "<": a < b,
            "≥": a >= b,
            ">": a > b,
        }[relation]
    )


@dataclass
class Builder:
    """Makes the SymPy expression of a term; `definitions` gives the tensors that have one."""

    sizes: Sizes
    definitions: dict[str, Definition]
    names: Names
    _letters: dict[Letter, sp.Idx] = field(default_factory=dict)
    _spoken: dict[str, sp.Expr] = field(default_factory=dict)  # letter name → its size here
    _tensors: dict[str, Any] = field(default_factory=dict)
    _steps: int = 0

    def statement(self) -> None:
        """Forget the letters of the statement before."""
        self._letters, self._spoken, self._steps = {}, {}, 0

    def letter(self, letter: Letter) -> sp.Idx:
        """The Idx of a letter; a prime is added where the name is in use for another letter."""
        letter = letter.real()
        if letter not in self._letters:
            size = self.sizes.value(letter.size)
            name = letter.name
            taken = {i.name for i in self._letters.values()}
            while name in taken or self._spoken.get(name, size) != size:
                name += "'"
            self._spoken[name] = size
            self._letters[letter] = indices([name], size)[0]
        return self._letters[letter]

    def slot(self, slot: Slot) -> Any:
        """An index expression."""
        if isinstance(slot, Letter):
            return self.letter(slot)
        constant = self(slot.constant) if slot.constant is not None else sp.S.Zero
        return sp.Add(*(c * self.letter(x) for x, c in slot.items), constant)

    def name(self, name: str) -> Any:
        """The tensor or scalar with that name."""
        if name in self.definitions:
            return self.definitions[name].tensor
        if name not in self._tensors:
            rank = self.names.ranks.get(name, 0)
            shape = [self.sizes.value(self.sizes.slot(name, k, 0)) for k in range(rank)]
            if not rank and name in self.sizes.names:
                self._tensors[name] = sp.Symbol(name, positive=True, integer=True)
            else:
                self._tensors[name] = tensor(
                    name,
                    *shape,
                    symmetric=rank > 1 and name in self.names.symmetric,
                    positive=name in self.names.positive or (not rank and size_name(name)),
                )
        return self._tensors[name]

    def __call__(self, term: Term) -> sp.Expr:
        self._steps += 1
        if self._steps > MAX_TERMS:
            raise FormulaError(
                "this formula is too large with all functions put in",
                mend="give parts of the formula names of their own",
            )
        match term:
            case Number():
                return term.value
            case Ref():
                symbol = self.name(term.name)
                return symbol[tuple(self.slot(s) for s in term.slots)] if term.slots else symbol
            case Add():
                return sp.Add(*(sign * self(part) for sign, part in term.parts))
            case Mul():
                return sp.Mul(*(self(part) for part in term.parts))
            case Pow():
                base, exponent = self(term.base), self(term.exponent)
                if exponent.is_number and not abs(exponent) <= MAX_EXPONENT:
                    raise FormulaError(
                        f"an exponent is larger than {MAX_EXPONENT}", mend="give the number a name"
                    )
                return sp.Pow(base, exponent)
            case Call():
                argument = self(term.argument)
                function = primitives.by_name(term.name).function
                return function(argument)
            case Total():
                letters = [self.letter(x) for x in term.letters]
                summed = total(self(term.body), *letters)
                for x in term.letters:  # the name is free again outside
                    self._letters.pop(x.real(), None)
                return summed
            case Compare():
                return self._compare(term)
            case Derivative():
                return Partial(self(term.top), self(term.bottom))
            case Limit():
                return sp.Limit(self(term.body), self.name(term.variable), term.to, term.side)
            case ProductOver():
                return self._product(term)
        raise AssertionError(term)

    def _product(self, term: ProductOver) -> sp.Expr:
        """exp Σ log, where every factor is known to be positive.  Raises ReadError elsewhere."""
        letters = [self.letter(x) for x in term.letters]
        doubtful = self.doubtful(term.body)
        if doubtful is not None:
            shown = doubtful.name if isinstance(doubtful, Ref) else "the factor"
            raise self.names.source.fail(
                term.at,
                f"a product over an index needs positive factors, and {shown} may be negative",
                expected=r"factors greater than zero, since \prod_j x^j is read as exp Σ_j log x^j",
                mend=f"declare <!-- symattn: positive {shown} -->"
                if isinstance(doubtful, Ref)
                else r"give the limits as numbers, \prod_{j=1}^{3}, or name the factor and declare "
                "it positive",
            )
        masks = [self(condition) for condition in term.conditions]
        exponent = total(sp.Mul(*masks, sp.log(self(term.body))), *letters)
        for x in term.letters:
            self._letters.pop(x.real(), None)
        return sp.exp(exponent)

    def doubtful(self, term: Term) -> Term | None:
        """A part of the term that keeps it from being known as positive; None where it is."""
        match term:
            case Number():
                return None if term.value.is_positive else term
            case Ref():
                symbol = self.name(term.name)
                label = getattr(symbol, "label", symbol)
                return None if label.is_positive else term
            case Add():
                if any(sign < 0 for sign, _ in term.parts):
                    return term
                return next((d for _, p in term.parts if (d := self.doubtful(p))), None)
            case Mul():
                return next((d for p in term.parts if (d := self.doubtful(p))), None)
            case Pow():
                return self.doubtful(term.base)
            case Call():
                return None if primitives.by_name(term.name).sign == "+" else term
            case Total() | ProductOver():
                return self.doubtful(term.body)
        return term

    def _compare(self, term: Compare) -> sp.Expr:
        a, b = self.slot(term.a), self.slot(term.b)
        match term.relation:
            case "=":
                plain = isinstance(term.a, Letter) and isinstance(term.b, Letter)
                return delta(a, b) if plain else iverson(sp.Eq(a, b, evaluate=False))
            case "≤":
                return iverson(sp.Le(a, b, evaluate=False))
            case "<":
                return iverson(sp.Lt(a, b, evaluate=False))
            case "≥":
                return iverson(sp.Ge(a, b, evaluate=False))
            case ">":
                return iverson(sp.Gt(a, b, evaluate=False))
        return iverson(sp.Ne(a, b, evaluate=False))
