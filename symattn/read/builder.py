"""Terms → SymPy objects, once all equations have been read and all sizes united."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from itertools import count
from typing import Any
from zlib import crc32

import sympy as sp
from sympy.core.function import AppliedUndef

from .. import primitives
from ..errors import FormulaError
from ..functions import step
from ..objects import FunctionDerivative, Loss, Partial
from ..syntax import (
    Definition,
    argmax,
    delta,
    det,
    indices,
    inverse,
    iverson,
    logdet,
    maximum,
    tensor,
    total,
)
from .names import DISTRIBUTIONS, Names, size_name
from .ranges import of_term
from .sizes import Letter, Sizes
from .terms import (
    Add,
    Call,
    Compare,
    Derivative,
    Determinant,
    Largest,
    Limit,
    Mul,
    Number,
    OneHot,
    Place,
    Pow,
    ProductOver,
    Ref,
    Slope,
    Slot,
    Term,
    Total,
    Unknown,
    refs,
)

PRODUCT = "a product of factors that may be negative: "  # ties a name
UNNAMED = "pqrsuvwijkl"  # letters for axes that have none
MAX_EXPONENT = 1000
LARGEST = 60  # operations of what is written as a product
MAX_TERMS = 60_000  # parts of one statement, copies included


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
    _numbers: set[str] = field(default_factory=set)  # names without indices in this statement

    def statement(self, *terms: Term | None) -> None:
        """Forget the letters of the statement before; none is called as a number of this one."""
        self._letters, self._spoken, self._steps = {}, {}, 0
        inside = (r for t in terms if t is not None for r in refs(t))
        self._numbers = {r.name for r in inside if not r.slots}

    def letter(self, letter: Letter) -> sp.Idx:
        """The Idx of a letter; a prime is added where the name is in use for another letter."""
        letter = letter.real()
        if letter not in self._letters:
            size = self.sizes.value(letter.size)
            name = letter.name
            taken = {i.name for i in self._letters.values()}
            taken |= self._numbers
            if letter.unnamed and name in self.names.ranks:  # p and q of a text are no letters
                free = (x for x in UNNAMED if x not in taken and x not in self.names.ranks)
                name = next(free, name)
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

    def cell(self, cell: str | sp.Expr) -> Any:
        """The tensor, or the number, that is a block of a matrix."""
        return self.name(cell) if isinstance(cell, str) else cell

    def name(self, name: str) -> Any:
        """The tensor or scalar with that name."""
        if name in self.definitions:
            return self.definitions[name].tensor
        if name in self.names.inverses:
            return inverse(self.name(self.names.inverses[name]))
        if name in self.names.losses and not self.names.ranks.get(name):
            of = self.names.losses[name]
            plainly = name not in self.names.functions_of  # as it is declared, by its names
            return Loss(name, map(sp.Symbol if plainly else self.name, of))
        if name not in self._tensors:
            rank = self.names.ranks.get(name, 0)
            shape = [self.sizes.value(self.sizes.slot(name, k, 0)) for k in range(rank)]
            if not rank and name in self.sizes.names:
                self._tensors[name] = sp.Symbol(name, positive=True, integer=True)
            elif not rank and (stem := self.names.versions.number(name)) in self.sizes.names:
                size = sp.Symbol(stem, positive=True, integer=True)
                self._tensors[name] = self.sizes.called(size)  # the N of Σ_{n=1}^N beside N_k
            elif (sign := self.names.signs.get(name)) is not None:
                self._tensors[name] = tensor(name, *shape, **{sign: True})
            else:
                square = rank == 2 and len(set(shape)) == 1
                self._tensors[name] = tensor(
                    name,
                    *shape,
                    positive_definite=square and name in self.names.definite,
                    antisymmetric=square and name in self.names.antisymmetric,
                    symmetric=rank > 1
                    and name in self.names.symmetric
                    and (len(set(shape)) == 1 or not self.names.lenient),
                    positive=name in self.names.positive
                    or (not rank and size_name(name) and name not in self.names.declared),
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
            case Place():
                return self.letter(term.letter)
            case Ref():
                symbol = self.name(term.name)
                number = not term.slots and bool(self.names.ranks.get(term.name))
                if number or (term.slots and isinstance(symbol, sp.Symbol)):
                    ways = ("is a number", "has indices")[:: 1 if number else -1]
                    raise FormulaError(
                        f"{self.names.versions.base(term.name)} {ways[0]} here, and {ways[1]} "
                        "elsewhere in this text",
                        mend="give one of the two another name",
                    )
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
                known, argument = primitives.by_name(term.name), self(term.argument)
                if known.parity == 1 and isinstance(argument, sp.Add):
                    return _as_written(known.function, argument)
                return known.function(argument, *map(self, term.others))
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
            case Largest():
                return self._largest(term)
            case Determinant():
                matrix = self.name(term.matrix.name)
                return logdet(matrix) if term.log else det(matrix)
            case Unknown():
                return self._unknown(term)
            case Slope():
                return self._slope(term)
            case OneHot():
                at, letter = self.slot(term.at), self.letter(term.letter)
                hot = argmax(at, self(term.body), letter)
                self._letters.pop(term.letter.real(), None)
                return hot
        raise AssertionError(term)

    def _slope(self, term: Slope) -> sp.Expr:
        """f'(a): the body is one of numbers, so SymPy may differentiate it."""
        body, at = self(term.body), self(term.argument)
        number = self.name(term.by)
        if body.has(Partial):
            raise FormulaError(
                "a derivative by another name stands in what is taken at a point",
                mend="write the derivative as an equation of its own",
            )
        slope = sp.diff(body, number, term.order) if term.order else body
        if at == number:  # what is around it is differentiated as well
            return slope
        slope = slope.replace(sp.Subs, _inner).replace(sp.Derivative, _of_function)
        if slope.has(sp.Derivative, sp.Subs) or (slope.has(sp.Sum) and at.atoms(sp.Idx)):
            raise FormulaError(
                "the derivative of this function at a point is not known",
                mend="write the derivative as an equation of its own",
            )
        kinks = slope.atoms(sp.Heaviside, sp.sign, sp.DiracDelta, step)
        if any(kink.args[0].xreplace({number: at}).is_zero for kink in kinks):
            raise FormulaError(
                "a derivative at a kink",
                mend="say which of its values is meant, or take another point",
            )
        slope = slope.replace(sp.Heaviside, lambda x, *_: 1 - step(-x))  # of max(0, x)
        return slope.xreplace({number: at})

    def _unknown(self, term: Unknown) -> sp.Expr:
        arguments = [self(a) for a in term.arguments]
        if term.order:
            return FunctionDerivative(term.name, (term.order,), arguments)
        return sp.Function(term.name, real=True)(*arguments)

    def _largest(self, term: Largest) -> sp.Expr:
        letters = [self.letter(x) for x in term.letters]
        inside = [self(part) for part in term.parts]
        top = sp.Max(*inside, evaluate=False) if len(inside) > 1 else inside[0]
        for x in term.letters:
            self._letters.pop(x.real(), None)
        return maximum(top, *letters) if letters else top

    def _product(self, term: ProductOver) -> sp.Expr:
        """exp Σ log, where every factor is known to be positive.  Raises ReadError elsewhere."""
        letters = [self.letter(x) for x in term.letters]
        doubtful = self.doubtful(term.body)
        if doubtful is not None and self.names.lenient:
            return self._factor_by_factor(term, letters)
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

    def _factor_by_factor(self, term: ProductOver, letters: list[sp.Idx]) -> sp.Expr:
        """∏_i c x_i² e^{y_i} = c^n (∏_i x_i)² exp Σ_i y_i."""
        factors = term.body.parts if isinstance(term.body, Mul) else (term.body,)
        masks = sp.Mul(*(self(condition) for condition in term.conditions))
        often = total(masks, *letters)
        positive, found = [], []
        for f in factors:
            value = self(f)
            if not value.has(*letters) and not value.is_nonpositive:
                found.append(sp.Pow(value, often))
            elif self.doubtful(f) is None:
                positive.append(f)
            else:
                for base, power in _split(value):
                    if base.is_positive and not base.has(*letters):
                        found.append(sp.Pow(base, often))
                    elif power % 2 == 0:
                        found.append(sp.exp(total(masks * sp.log(base**power), *letters)))
                    else:
                        found.append(self._opaque(base, masks, term, letters) ** power)
        if positive:
            found.append(self._product(replace(term, body=Mul(tuple(positive)))))
        return sp.Mul(*found)

    def _opaque(
        self, factor: sp.Expr, masks: sp.Expr, term: ProductOver, letters: list[sp.Idx]
    ) -> sp.Expr:
        """A product of what may be negative, as a quantity of its own."""
        free = tuple(dict.fromkeys(x.real() for x in term.free))
        places = [self.letter(x) for x in free]
        called = {x: sp.Symbol(f"{name}{k}") for name, some in (("of", letters), ("at", places))
                  for k, x in enumerate(some)}  # fmt: skip
        said = (str(e.xreplace(called)) for e in (factor, masks))
        key = ("product", len(free), *said, *(str(x.upper) for x in letters))
        auxiliary = self.names.auxiliary
        taken = {*auxiliary.values()}
        numbers = count(crc32(repr(key).encode()) % 1000)  # the same in what is read by itself
        fresh = next(n for k in numbers if (n := f"product_{k}") not in taken)
        name = auxiliary.setdefault(key, fresh)
        made = ", ".join(sorted({r.name for r in refs(term.body)}))
        self.names.tied[name] = PRODUCT + made
        shape = [self.sizes.value(x.size) for x in free]
        symbol = self._tensors.setdefault(name, tensor(name, *shape))
        return symbol[tuple(places)] if places else symbol

    def doubtful(self, term: Term) -> Term | None:
        """A part of the term that keeps it from being known as positive; None where it is."""
        match term:
            case Number():
                return None if term.value.is_positive else term
            case Ref() if term.name in self.names.integrals:
                return self._area(term)
            case Ref():
                symbol = self.name(term.name)
                label = getattr(symbol, "label", symbol)
                density = "_given" in term.name and term.name.split("_")[0] in DISTRIBUTIONS
                above = (r := of_term(term, self.names.ranges)) is not None and r.low >= 0
                return None if label.is_positive or density or above else term
            case Add():
                if any(sign < 0 for sign, _ in term.parts):
                    known = of_term(term, self.names.ranges)
                    return None if known is not None and known.low >= 0 else term
                return next((d for _, p in term.parts if (d := self.doubtful(p))), None)
            case Mul():
                return next((d for p in term.parts if (d := self.doubtful(p))), None)
            case Pow(exponent=Number(value=power)) if power.is_negative and self._weakly(term.base):
                return None  # 1/σ², where that is a number
            case Pow(exponent=Number(value=power)) if power.is_even:
                return None  # x², but for x = 0, where both are 0
            case Pow(exponent=Number()) if self._weakly(term.base):
                return None
            case Pow(exponent=Number()):
                return self.doubtful(term.base)
            case Pow() if self.names.lenient and not self(term.base).is_nonpositive:
                return None  # p^x presupposes p > 0
            case Pow():
                return self.doubtful(term.base)
            case Call():
                return None if primitives.by_name(term.name).sign == "+" else term
            case Total() | ProductOver():
                return self.doubtful(term.body)
            case Unknown(order=0) if term.name.split("_")[0] in DISTRIBUTIONS:
                return None  # ∏ p(x_i) of a density
        return term

    def _area(self, term: Ref) -> Term | None:
        """None for an integral of what is positive, from a number to a larger one or over all."""
        written = self.names.integrals[term.name]
        for _, (low, high) in written.over:
            ends = (-sp.oo if low is None else low, sp.oo if high is None else high)
            low, high = (e.value if isinstance(e, Number) else e for e in ends)
            if not (isinstance(low, sp.Expr) and isinstance(high, sp.Expr) and low < high):
                return term
        return self.doubtful(written.body)

    def _weakly(self, term: Term) -> bool:
        """The term is known not to be negative: 2 π σ²."""
        match term:
            case Pow(exponent=Number(value=power)) if power.is_even:
                return True
            case Pow(exponent=Number()):
                return self._weakly(term.base)
            case Mul():
                return all(self._weakly(p) for p in term.parts)
            case Add():
                return all(sign > 0 and self._weakly(p) for sign, p in term.parts)
        return self.doubtful(term) is None

    def _compare(self, term: Compare) -> sp.Expr:
        a, b = self.slot(term.a), self.slot(term.b)
        if term.relation == "≤" and isinstance(term.a, Letter) and b == a.upper:
            return sp.S.One  # the letter runs no further
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


def _split(factor: sp.Expr) -> list[tuple[sp.Expr, sp.Expr]]:
    """The factors of a factor and their powers, a number above zero apart."""
    found = sp.factor(factor) if factor.count_ops() < LARGEST else factor
    number, rest = found.as_coeff_Mul()
    pairs = [p if p[1].is_Integer else (sp.Pow(*p), sp.S.One)
             for p in (part.as_base_exp() for part in sp.Mul.make_args(rest))]  # fmt: skip
    if number.is_negative:
        number, pairs[0] = -number, (-(pairs[0][0] ** pairs[0][1]), sp.S.One)
    return pairs if number == 1 else [(number, sp.S.One), *pairs]


def _of_function(function: sp.Expr, *orders: Any) -> sp.Expr:
    """g'(x) of a function that nothing defines; any other derivative as it is."""
    name = type(function).__name__
    if isinstance(function, AppliedUndef) and len(function.args) == 1 and len(orders) == 1:
        by, order = orders[0]
        if function.args[0] == by:
            return FunctionDerivative(name, (order,), function.args)
    return sp.Derivative(function, *orders)


def _inner(slope: sp.Expr, old: Any, new: Any) -> sp.Expr:
    """g'(u(x)) of what SymPy writes as g'(ξ) at ξ = u(x)."""
    found = _of_function(*slope.args) if isinstance(slope, sp.Derivative) else slope
    plainly = isinstance(found, FunctionDerivative)
    return found.xreplace(dict(zip(old, new, strict=True))) if plainly else sp.Subs(slope, old, new)


def _as_written(function: Any, argument: sp.Expr) -> sp.Expr:
    """f(y − x) of an even function, which SymPy would turn into f(x − y)."""
    value = function(argument)
    turned = isinstance(value, function) and value.args == (-argument,)
    return function(argument, evaluate=False) if turned else value
