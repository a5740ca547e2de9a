"""What a formula means, with every sum explicit, before the sizes are known; then as SymPy.

Letters are objects here, so scopes cannot mix; `symattn.read.builder` makes SymPy objects of terms.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import sympy as sp

from .sizes import Letter


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
class Place:
    """An index as a number, counted from 0."""

    letter: Letter


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
    others: tuple[Term, ...] = ()  # the arguments behind the first one


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
class Determinant:
    """The determinant of a matrix, or the logarithm of its magnitude."""

    matrix: Ref
    log: bool = False


@dataclass(frozen=True, slots=True)
class Unknown:
    """A function that nothing defines, or its derivative of some order, at its arguments."""

    name: str
    arguments: tuple[Term, ...]
    order: int = 0


@dataclass(frozen=True, slots=True)
class Slope:
    """The derivative of some order of a body by the number `by`, taken at an argument."""

    body: Term
    by: str
    order: int
    argument: Term


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
    free: tuple[Letter, ...] = ()


@dataclass(frozen=True, slots=True)
class Largest:
    """The largest of the parts, over the whole range of the letters."""

    letters: tuple[Letter, ...]
    parts: tuple[Term, ...]


@dataclass(frozen=True, slots=True)
class OneHot:
    """[at = argmax over the letter of the body]."""

    at: Slot
    letter: Letter
    body: Term


Term = (
    Number | Ref | Add | Mul | Pow | Call | Total | Compare | Derivative | Limit | ProductOver
    | Largest | OneHot | Determinant | Unknown | Place | Slope
)  # fmt: skip
MAX_COPIES = 5_000  # parts of a product or a determinant that is written out
ONE, ZERO, MINUS_ONE = Number(sp.S.One), Number(sp.S.Zero), Number(sp.S.NegativeOne)


def parts(term: Term) -> Iterator[Term]:
    """The terms directly inside a term."""
    match term:
        case Add():
            yield from (part for _, part in term.parts)
        case Mul() | Largest():
            yield from term.parts
        case Unknown():
            yield from term.arguments
        case Pow():
            yield from (term.base, term.exponent)
        case Call():
            yield from (term.argument, *term.others)
        case Total() | Limit() | OneHot():
            yield term.body
        case ProductOver():
            yield from (*term.conditions, term.body)
        case Slope():
            yield from (term.body, term.argument)


def amount(term: Term) -> sp.Expr | None:
    """The n − 1 of a term that is a sum of numbers and of names; None for anything else."""
    match term:
        case Number():
            return term.value
        case Ref(slots=()):
            return sp.Symbol(term.name, positive=True, integer=True)
        case Add():
            found = [amount(part) for _, part in term.parts]
            signs = [sign for sign, _ in term.parts]
            return None if None in found else sp.Add(*map(sp.Mul, signs, found))
    return None


def refs(term: Term) -> Iterator[Ref]:
    """All components in a term."""
    match term:
        case Ref():
            yield term
        case Derivative():
            yield from refs(term.top)
            yield term.bottom
        case Determinant():
            yield term.matrix
        case Slope():
            yield from (r for r in refs(term.body) if r.name != term.by or r == term.argument)
            yield from refs(term.argument)
            return
    for part in parts(term):
        yield from refs(part)


def outline(term: Term | tuple[Term, ...], axes: tuple[Letter, ...]) -> object:
    """The term with numbers for its letters, in order of appearance: equal for equal formulas."""
    seen: dict[Letter, int] = {x.real(): k for k, x in enumerate(axes)}

    def shown(value: Any) -> object:
        if isinstance(value, Letter):
            return seen.setdefault(value.real(), len(seen))
        if isinstance(value, tuple):
            return tuple(map(shown, value))
        if hasattr(value, "__dataclass_fields__"):
            inside = (getattr(value, f) for f in value.__dataclass_fields__ if f != "at")
            return type(value).__name__, *map(shown, inside)
        return value

    return shown(term)


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
        case Place() if term.letter.real() is letter:
            return Number(sp.Integer(number))
        case Add():
            added = tuple((sign, p) for sign, part in term.parts if (p := put(part)) != ZERO)
            return Add(added) if added else ZERO
        case Mul():
            factors = tuple(p for part in term.parts if (p := put(part)) != ONE)
            return ZERO if ZERO in factors else Mul(factors) if factors else ONE
        case Pow():
            return Pow(put(term.base), put(term.exponent))
        case Call():
            return Call(term.name, put(term.argument), tuple(map(put, term.others)))
        case Total():
            return Total(term.letters, put(term.body))
        case ProductOver():
            conditions = tuple(map(put, term.conditions))
            free = tuple(x for x in term.free if x.real() is not letter)
            return ProductOver(term.letters, conditions, put(term.body), term.at, free)
        case Largest():
            return Largest(term.letters, tuple(map(put, term.parts)))
        case OneHot():
            return OneHot(slot(term.at), term.letter, put(term.body))
        case Compare():
            a, b = slot(term.a), slot(term.b)
            match a, b:
                case Affine((), Number() as one), Affine((), Number() as two):
                    return ONE if _holds(term.relation, one.value, two.value) else ZERO
            return Compare(term.relation, a, b)
        case Derivative():
            return Derivative(put(term.top), put(term.bottom))
        case Unknown():
            return Unknown(term.name, tuple(map(put, term.arguments)), term.order)
        case Slope():
            return Slope(put(term.body), term.by, term.order, put(term.argument))
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
