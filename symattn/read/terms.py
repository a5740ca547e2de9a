"""What a formula means, with every sum explicit, before the sizes are known; then as SymPy.

Letters are objects here, so scopes cannot mix.  `Builder` makes SymPy objects once all equations
have been read and all sizes united.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
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


Term = Number | Ref | Add | Mul | Pow | Call | Total | Compare | Derivative | Limit
MAX_EXPONENT = 1000
ONE, ZERO = Number(sp.S.One), Number(sp.S.Zero)


def refs(term: Term) -> Iterator[Ref]:
    """All components in a term."""
    match term:
        case Ref():
            yield term
        case Derivative():
            yield from refs(term.top)
            yield term.bottom
        case Add():
            for _, part in term.parts:
                yield from refs(part)
        case Mul():
            for part in term.parts:
                yield from refs(part)
        case Pow():
            yield from refs(term.base)
            yield from refs(term.exponent)
        case Call():
            yield from refs(term.argument)
        case Total() | Limit():
            yield from refs(term.body)


@dataclass
class Builder:
    """Makes the SymPy expression of a term; `definitions` gives the tensors that have one."""

    sizes: Sizes
    definitions: Mapping[str, Definition]
    names: Names
    _letters: dict[Letter, sp.Idx] = field(default_factory=dict)
    _spoken: dict[str, sp.Expr] = field(default_factory=dict)  # letter name → its size here
    _tensors: dict[str, Any] = field(default_factory=dict)

    def statement(self) -> None:
        """Forget the letters of the statement before."""
        self._letters, self._spoken = {}, {}

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
                    name, *shape, symmetric=rank > 1 and name in self.names.symmetric,
                    positive=name in self.names.positive or (not rank and size_name(name)))
        return self._tensors[name]

    def __call__(self, term: Term) -> sp.Expr:
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
                    raise FormulaError(f"an exponent is larger than {MAX_EXPONENT}",
                                       mend="give the number a name")
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
                return sp.Limit(self(term.body), self.name(term.variable), term.to)
        raise AssertionError(term)

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
