"""SymPy ↔ IR: the summation rule, scopes and sizes are settled here, at the border.

The rule: a letter that is repeated in a product and is not on the left is summed; inside a
function's argument the letters repeated there are summed there first; letters on the left are free
however often they occur; `total` overrides.  A letter that occurs once, is not on the left and is
under no sum is an error.
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import sympy as sp
from sympy.core.function import AppliedUndef
from sympy.core.relational import Relational

from . import primitives
from .display import definition_letters, fresh_letter, ordered_terms, raise_, text, with_letters
from .distinct import two_sided
from .errors import (
    AmbiguousError,
    DefinitionError,
    FormulaError,
    UndefinedError,
    UnsupportedError,
)
from .ir import (
    ONE,
    ZERO,
    Argmax,
    Call,
    Index,
    Max,
    Poly,
    Rational,
    Ref,
    Sum,
    Tensor,
    Unknown,
    determinant_tensor,
    number,
    partial_tensor,
    place,
    rational,
    raw_add,
    raw_atom,
    raw_product,
    raw_sum,
    scalar,
)
from .letters import Counts, Formula, Letters, negative, tensor_of
from .objects import (
    Determinant,
    FunctionDerivative,
    Iverson,
    Loss,
    Maximum,
    OneHot,
    Partial,
)


def lower(
    expr: Any,
    left: Iterable[sp.Idx] = (),
    *,
    formula: Formula = "",
    known: Mapping[str, Tensor] | None = None,
    values: Container[str] = (),
) -> Poly:
    """The raw IR of a SymPy expression whose free letters are `left`.

    A name in `known` stands for that tensor, whatever was assumed of the symbol, and a scalar in
    `values` for a number, which is no abstract loss.  Raises FormulaError for letters and sizes
    that do not fit.
    """
    reader = _Reader(formula or (lambda: str(expr)), known=known or {})
    reader.values = values
    fixed = {letter.name: reader.index(letter) for letter in left}
    poly, counts = reader.read(sp.sympify(expr), frozenset(fixed))
    loose = [name for name in sorted(counts) if name not in fixed]
    if loose:
        name = loose[0]
        raise FormulaError(
            f"the index {name} occurs once, is not on the left and is under no sum",
            formula=reader.formula,
            expected=f"{name} twice in a product, on the left, or under a sum",
            mend=f"put {name} on the left, or write total(…, {name})",
        )
    return poly


@dataclass(frozen=True)
class Equation:
    """Both sides of an equation, and the letters that the rule sums on each."""

    left: Poly
    right: Poly
    summed: tuple[tuple[str, ...], tuple[str, ...]]


def lower_equation(
    lhs: Any, rhs: Any, *, formula: Formula = "", known: Mapping[str, Tensor] | None = None
) -> tuple[Poly, Poly]:
    """Both sides of an equation; a letter that occurs once on either side is free on both."""
    equation = read_equation(lhs, rhs, formula=formula, known=known)
    return equation.left, equation.right


def read_equation(
    lhs: Any,
    rhs: Any,
    *,
    own: Iterable[Index] = (),
    formula: Formula = "",
    known: Mapping[str, Tensor] | None = None,
) -> Equation:
    """The equation; a letter among `own`, or that occurs once on either side, is free on both."""
    lhs, rhs = sp.sympify(lhs), sp.sympify(rhs)
    formula = formula or (lambda: f"{lhs} = {rhs}")
    letters = {i.name for i in own}
    for side in (lhs, rhs):
        reader = _Reader(formula, lenient=True, known=known or {})
        _, counts = reader.read(side, frozenset(letters))
        letters |= counts.keys()
    reader = _Reader(formula, known=known or {})  # a free letter has one size on both sides
    reader.letters.update((i.name, i) for i in own)
    sides, summed = [], []
    for side in (lhs, rhs):
        reader.summed.clear()
        sides.append(reader.read(side, frozenset(letters))[0])
        summed.append(tuple(sorted(reader.summed)))
        for name in reader.letters.keys() - letters:  # of sums on this side
            del reader.letters[name]
    return Equation(sides[0], sides[1], (summed[0], summed[1]))


class _Reader(Letters):
    """Reads expressions: products, sums, functions."""

    values: Container[str] = ()

    def read(self, expr: Any, fixed: frozenset[str]) -> tuple[Poly, Counts]:
        """The raw expression and the letters that are still free in it and not `fixed`."""
        match expr:
            case sp.Rational():
                return number(rational(expr)), {}
            case sp.Float():
                near = sp.nsimplify(expr, rational=True)
                raise self.fail(
                    f"the number {expr} is not exact", mend=f"write sp.Rational('{near}')"
                )
            case sp.Idx():
                letter = self.index(expr)
                self.numbers.add(letter.name)
                return raw_atom(place(letter)), {letter.name: (1, 0)}
            case sp.Symbol():
                known = self.known.get(expr.name)
                return raw_atom(Ref(known) if known and not known.shape else scalar(expr)), {}
            case sp.Add():
                return self.read_add(expr, fixed)
            case sp.Mul():
                return self.read_product(expr.args, fixed)
            case sp.Pow() | sp.Indexed() | Partial() | sp.KroneckerDelta() | Iverson() | OneHot():
                return self.read_product((expr,), fixed)
            case sp.Sum():
                return self.read_sum(expr, fixed)
            case sp.Max():
                args, counts = self.read_alternatives(expr.args, fixed)
                return raw_atom(Max((), args)), counts
            case sp.Min():
                args, counts = self.read_alternatives(expr.args, fixed)
                return negative(raw_atom(Max((), map(negative, args)))), counts
            case sp.Piecewise():
                return self.read_cases(expr, fixed)
            case Maximum():
                atom, counts = self.read_maximum(expr, fixed)
                return raw_atom(atom), counts
            case Determinant():
                matrix = self.tensor(expr.args[0])
                return raw_atom(Ref(determinant_tensor(matrix, expr.kind))), {}
            case AppliedUndef():
                return self.read_unknown(
                    expr.func.__name__, (0,) * len(expr.args), expr.args, fixed
                )
            case FunctionDerivative():
                orders = tuple(int(k) for k in expr.args[1])
                return self.read_unknown(str(expr.args[0]), orders, expr.args[2], fixed)
            case Loss():
                if not expr.args[1]:
                    raise self.fail(
                        f"the value of the abstract loss {expr} is not known",
                        expected=f"what it is a function of: loss('{expr}', of='O')",
                        mend=f"use its derivatives only: partial({expr}, …)",
                    )
                tensor = self.read_loss(expr)
                assert tensor is not None
                return raw_atom(Ref(tensor)), {}
            case sp.Function():
                return self.read_call(expr, fixed)
            case sp.NumberSymbol():
                if expr is sp.E:
                    return raw_atom(Call("exp", (ONE,))), {}
                return raw_atom(scalar(expr)), {}
        if expr in (sp.zoo, sp.nan, sp.oo, -sp.oo):
            raise UndefinedError(
                "this has no finite value: a division by zero, or the logarithm of zero",
                formula=self.formula,
                mend="write a limit, or leave out where it is not defined",
            )
        if isinstance(expr, sp.IndexedBase):
            raise UnsupportedError(
                f"{expr} has axes and stands without indices here",
                formula=self.formula,
                mend=f"write its indices, or another name than {expr} for a number",
            )
        raise UnsupportedError(
            f"{type(expr).__name__} is not part of the index language",
            formula=self.formula,
            got=str(expr),
            mend="use sums, products, powers, registered functions, delta, iverson",
        )

    def read_factor(self, expr: Any, fixed: frozenset[str]) -> tuple[Poly, Counts]:
        """A factor, the letters that it repeats not summed yet."""
        match expr:
            case sp.Indexed():
                return self.read_ref(expr)
            case Partial():
                return self.read_partial(expr)
            case sp.KroneckerDelta():
                return self.read_delta(expr)
            case Iverson():
                return self.read_condition(expr.args[0], fixed)
            case OneHot():
                return self.read_one_hot(expr, fixed)
        return self.read(expr, fixed)

    def read_unknown(
        self, name: str, orders: tuple[int, ...], arguments: Sequence[Any], fixed: frozenset[str]
    ) -> tuple[Poly, Counts]:
        """An undefined function: in each argument what is repeated there is summed there."""
        if name in primitives.names():
            raise self.fail(
                f"{name} is a registered function and an undefined one",
                mend="use the registered function, or another name",
            )
        args, counts = self.read_each(arguments, fixed)
        return raw_atom(Call(Unknown(name, orders), args)), counts

    def read_loss(self, expr: Any) -> Tensor | None:
        """The abstract loss that stands above ∂: one that is declared, or an undefined scalar."""
        if isinstance(expr, Loss):
            name = str(expr.args[0])
            of = [self.known.get(str(t)) or self.argument(t) for t in expr.args[1]]
            missing = [t for t, known in zip(expr.args[1], of, strict=True) if known is None]
            if missing:
                raise DefinitionError(
                    f"the loss {name} is of {missing[0]}, which nothing defines",
                    formula=self.formula,
                    expected="one of " + ", ".join(self.known),
                    mend="name definitions of the system",
                )
            if name in self.known:
                raise DefinitionError(
                    f"{name} is a tensor of the system and an abstract loss",
                    formula=self.formula,
                    mend="give the loss another name",
                )
            return Tensor(name, role="loss", of=tuple(t for t in of if t is not None))
        number = isinstance(expr, sp.Symbol) and expr.name in self.values
        if isinstance(expr, sp.Symbol) and expr.name not in self.known and not number:
            return Tensor(expr.name, role="loss")
        return None

    def argument(self, of: Any) -> Tensor | None:
        """The input that a loss is a function of, where it comes with its shape."""
        if isinstance(of, sp.IndexedBase):
            return self.tensor(of)
        return scalar(of).tensor if of.is_real else None

    def read_partial(self, expr: Partial) -> tuple[Poly, Counts]:
        sides = []
        for part in expr.args:
            loss = self.read_loss(part) if part is expr.args[0] else None
            if loss is not None:
                sides.append(Ref(loss))
                continue
            poly, _ = self.read_factor(part, frozenset())
            only = poly.single
            atom = next(iter(only[0].powers)) if only and len(only[0].powers) == 1 else None
            if not isinstance(atom, Ref) or poly != raw_atom(atom):
                raise self.fail(
                    f"∂ of {part} is not the derivative of a component",
                    mend="give the expression a name with define()",
                )
            sides.append(atom)
        of, wrt = sides
        slots = (*of.slots, *wrt.slots)
        return raw_atom(Ref(partial_tensor(of.tensor, wrt.tensor), slots)), self.counted(slots)

    def read_alternatives(
        self, exprs: Iterable[Any], fixed: frozenset[str]
    ) -> tuple[list[Poly], Counts]:
        """The arguments of a maximum: each sums what is repeated in it, as in a function."""
        return self.read_each(_ordered(exprs), fixed)

    def read_each(self, exprs: Iterable[Any], fixed: frozenset[str]) -> tuple[list[Poly], Counts]:
        read = [self.read(e, fixed) for e in exprs]
        return [poly for poly, _ in read], _once(
            {n: c for _, counts in read for n, c in counts.items()}
        )

    def read_maximum(self, expr: Maximum, fixed: frozenset[str]) -> tuple[Max, Counts]:
        bound = list(dict.fromkeys(self.bound(expr)))  # SymPy merges max_j (max_j x_j) into one
        names = {b.name for b in bound}
        inside = expr.function
        exprs = inside.args if isinstance(inside, sp.Max) else (inside,)
        args, counts = self.read_alternatives(exprs, fixed | names)
        return Max(bound, args), {n: c for n, c in counts.items() if n not in names}

    def read_condition(self, condition: Any, fixed: frozenset[str]) -> tuple[Poly, Counts]:
        """[condition]: comparisons of indices are masks, those of values steps of differences."""
        if condition in (True, False):
            return (ONE if condition else ZERO), {}
        if isinstance(condition, sp.Not):
            poly, counts = self.read_condition(condition.args[0], fixed)
            return raw_add([ONE, negative(poly)]), counts
        if isinstance(condition, sp.ITE):  # a comparison of a value by cases
            given, here, elsewhere = condition.args
            condition = sp.Or(sp.And(given, here), sp.And(sp.Not(given), elsewhere))
        if isinstance(condition, sp.And | sp.Or):
            read = [self.read_condition(c, fixed) for c in _ordered(condition.args)]
            counts = _once({n: c for _, inner in read for n, c in inner.items()})
            if isinstance(condition, sp.And):
                return raw_product([poly for poly, _ in read]), counts
            others = [raw_add([ONE, negative(poly)]) for poly, _ in read]
            return raw_add([ONE, negative(raw_product(others))]), counts
        if not isinstance(condition, Relational) or self.compares_indices(condition):
            return self.read_mask(condition)
        gap, counts = self.read(condition.lhs - condition.rhs, fixed)
        return compared(condition.rel_op, gap), _once(counts)

    def read_cases(self, expr: sp.Piecewise, fixed: frozenset[str]) -> tuple[Poly, Counts]:
        """Σ value [condition], each where no condition before it holds."""
        counts: Counts = {}
        rest: list[Poly] = []
        found: list[Poly] = []
        for value, condition in expr.args:
            said, inner = self.read_condition(condition, fixed)
            poly, own = self.read(value, fixed)
            counts |= _once(inner) | _once(own)
            found.append(raw_product([poly, *rest, said]))
            rest.append(raw_add([ONE, negative(said)]))
        return raw_add(found), counts

    def read_one_hot(self, expr: OneHot, fixed: frozenset[str]) -> tuple[Poly, Counts]:
        at = [self.slot(s) for s in expr.args[0]]
        top, counts = self.read_maximum(expr.args[1], fixed)
        # SymPy merges argmax_k (max_l x) into one maximum, the innermost letter first: l may be k,
        # which then is the inner one in x
        bound = self.bound(expr.args[1])
        inner, own = list(dict.fromkeys(bound[: -len(at)])), bound[-len(at) :]
        for slot, letter in zip(at, own, strict=True):
            self.same_size(slot, letter)
        whole = inner or len(top.args) > 1
        body = raw_atom(Max(inner, top.args)) if whole else top.args[0]
        for name, (up, down) in self.counted(at).items():
            counts[name] = (counts.get(name, (0, 0))[0] + up, down)
        return raw_atom(Argmax(at, own, body)), counts

    def read_sum(self, expr: sp.Sum, fixed: frozenset[str]) -> tuple[Poly, Counts]:
        bound = self.bound(expr)
        inside = fixed | {b.name for b in bound}
        body, counts = self.read(expr.function, inside)
        group: list[Index] = []
        for letter in bound:  # SymPy merges Σ_j (Σ_j x_j) into one sum, the innermost letter first
            if letter in group:
                body, group = raw_atom(Sum(group, body)), []
            group.append(letter)
        return raw_sum(group, body), {
            name: c for name, c in counts.items() if name not in {b.name for b in bound}
        }

    def read_call(self, expr: sp.Function, fixed: frozenset[str]) -> tuple[Poly, Counts]:
        found = primitives.call_of(expr)
        if found is None and type(expr) in primitives.COMPOSED:
            return self.read(primitives.COMPOSED[type(expr)](*expr.args), fixed)
        if found is None:
            raise UnsupportedError(
                f"the function {expr.func} is not registered",
                formula=self.formula,
                expected=f"one of {', '.join(primitives.names())}",
                mend="register a Primitive record for it",
            )
        primitive, given = found
        args, counts = self.read_each(given, fixed)
        return raw_atom(Call(primitive.name, args)), counts

    def read_add(self, expr: sp.Add, fixed: frozenset[str]) -> tuple[Poly, Counts]:
        counts: Counts = {}
        parts = []
        for part in _ordered(expr.args):
            poly, inner = self.read(part, fixed)
            parts.append(poly)
            for name, (up, down) in inner.items():
                old = counts.get(name, (0, 0))
                counts[name] = (max(up, old[0]), max(down, old[1]))
        return raw_add(parts), counts

    def read_product(self, factors: Sequence[Any], fixed: frozenset[str]) -> tuple[Poly, Counts]:
        counts: Counts = {}
        polys: list[Poly] = []
        hidden: set[str] = set()
        for factor in _ordered(factors):
            power = isinstance(factor, sp.Pow) and not isinstance(factor, sp.exp)
            base, exponent = factor.args if power else (factor, 1)
            outer, self.summed = self.summed, set()
            poly, inner = self.read_factor(base, fixed)
            inside = self.summed
            self.summed = outer | inside
            exponent = sp.sympify(exponent)
            if not exponent.is_Rational:
                polys.append(self.symbolic_power(poly, exponent, fixed))
                inner = _once(inner)
            else:
                e = rational(exponent)
                polys.append(poly if e == 1 else _raw_power(poly, e))
                if isinstance(e, int):
                    inner = {
                        n: (up * abs(e), down * abs(e)) if e > 0 else (down * -e, up * -e)
                        for n, (up, down) in inner.items()
                    }
                else:
                    inner = _once(inner) if e > 0 else {n: (0, 1) for n in inner}
            if isinstance(base, sp.Add):
                hidden |= inside
            for name, (up, down) in inner.items():
                old = counts.get(name, (0, 0))
                counts[name] = (old[0] + up, old[1] + down)
        clash = sorted(hidden & counts.keys() - fixed)
        if clash and not self.lenient:
            raise self.fail(
                f"the index {clash[0]} is summed inside a bracket and occurs outside it too",
                mend=f"write total(…, {clash[0]}) where the sum belongs",
            )
        bound = []
        for name in sorted(counts):
            up, down = counts[name]
            if name in fixed or up + down < 2:
                continue
            if down > 1 and not self.lenient:
                raise self.fail(
                    f"the index {name} is repeated below a fraction bar: 1/Σ or Σ1/ ?",
                    mend=f"write 1/total(…, {name}) or total(1/…, {name})",
                )
            if not self.lenient and _powered(factors, name):
                raise AmbiguousError(
                    f"the index {name} is repeated in a product under a power: (Σ)^e or Σ( )^e ?",
                    formula=self.formula,
                    mend=f"write total(…, {name})**e or total((…)**e, {name})",
                )
            if not self.lenient and name in self.numbers:
                raise AmbiguousError(
                    f"the index {name} is a number here and repeated: is it summed?",
                    formula=self.formula,
                    mend=f"write total(…, {name}) for the sum, or put {name} on the left",
                )
            bound.append(self.letters[name])
            self.summed.add(name)
        product = raw_sum(bound, raw_product(two_sided(polys, self.known)))
        left = {
            n: (up, down) for n, (up, down) in counts.items() if n not in fixed and up + down == 1
        }
        return product, left

    def symbolic_power(self, base: Poly, exponent: sp.Expr, fixed: frozenset[str]) -> Poly:
        # x^y = exp(y log x), which presupposes x > 0
        argument, _ = self.read(exponent, fixed)
        log = raw_atom(Call("log", (base,)))
        return raw_atom(Call("exp", (raw_product([argument, log]),)))


def _powered(factors: Sequence[Any], name: str) -> bool:
    """The factors that carry a letter may be what SymPy made of a product under a power.

    (x_i y_i)² and x_i² y_i² are one object in SymPy, and so are √(p_i q_i) and √p_i √q_i of
    positive ones: all exponents are whole with a common divisor, or all are not, and the letter
    stands twice.
    """
    shares: list[sp.Rational] = []
    times = 0
    for factor in factors:
        base, exponent = factor.as_base_exp() if isinstance(factor, sp.Pow) else (factor, sp.S.One)
        slots = base.indices if isinstance(base, sp.Indexed) else ()
        count = sum(name in {i.name for i in slot.atoms(sp.Idx)} for slot in slots)
        if isinstance(base, sp.Mul) and any(i.name == name for i in base.atoms(sp.Idx)):
            count = 2
        if not count:
            if any(i.name == name for i in factor.atoms(sp.Idx)):
                shares.append(sp.S.One)
            continue
        shares.append(exponent if exponent.is_Rational else sp.S.One)
        times += count
    if times < 2 or not shares:
        return False
    if all(share.is_Integer for share in shares):
        return abs(sp.gcd_list([*shares, sp.S.Zero])) != 1
    return not any(share.is_Integer for share in shares)


def compared(relation: str, gap: Poly) -> Poly:
    """[gap ≥ 0] = step(gap), [gap > 0] = 1 − step(−gap), and the other comparisons with 0."""
    up, down = (raw_atom(Call("step", (p,))) for p in (gap, negative(gap)))
    if relation in ("==", "!="):
        both = raw_product([up, down])
        return both if relation == "==" else raw_add([ONE, negative(both)])
    if relation in (">=", "<="):
        return up if relation == ">=" else down
    return raw_add([ONE, negative(down if relation == ">" else up)])


def _ordered(parts: Iterable[Any]) -> list[Any]:
    return sorted(parts, key=sp.default_sort_key)


def _once(counts: Counts) -> Counts:
    return {name: (1, 0) for name in counts}


def _raw_power(poly: Poly, e: Rational) -> Poly:
    only = poly.single
    if only and only[1] == 1 and len(only[0].powers) == 1:
        ((atom, k),) = only[0]
        if isinstance(e, int) or k == 1:
            return raw_atom(atom, rational(k * e))
    return raw_atom(poly, e)


__all__ = [
    "Partial",
    "definition_letters",
    "fresh_letter",
    "lower",
    "lower_equation",
    "ordered_terms",
    "raise_",
    "tensor_of",
    "text",
    "with_letters",
]
