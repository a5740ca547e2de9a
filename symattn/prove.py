"""Equality for all sizes, in three values: proved, refuted with a counterexample, or unknown.

Two expressions are equal when their normal forms agree: as they stand, with facts applied, with
definitions inlined, with denominators cleared, or with functions written by exponentials.  Only
that proves; samples can only refute.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from fractions import Fraction
from functools import lru_cache
from itertools import combinations
from typing import TYPE_CHECKING, Any

import sympy as sp

from . import normalize as nf
from . import primitives, sums
from .convert import lower, lower_equation, raise_, text
from .derive import evaluate_partials, total_derivative
from .errors import LimitError, UndefinedError, UnsupportedError
from .ir import (
    ONE_TERM,
    Call,
    Index,
    Mask,
    Poly,
    Rational,
    Ref,
    Sum,
    Term,
    affine,
    parts,
    rational,
    refs,
    scalar,
    slot_items,
)
from .laws import sign_of
from .model import Model, match, model
from .syntax import Definition, System

if TYPE_CHECKING:
    from .refute import Counterexample

PROVED, REFUTED, UNKNOWN = "proved", "refuted", "unknown"
ROUNDS = 8  # how often denominators are cleared and facts applied before giving up


@dataclass(frozen=True)
class Verdict:
    """What is known about lhs = rhs.

    status          "proved" (for all sizes and values), "refuted" or "unknown"
    used            the definitions, facts and readings that the proof used
    conditions      where both sides are defined: what is divided by or rooted and not known to be
                    non-zero or positive
    counterexample  sizes, values and both sides, for "refuted"
    hints           how the sides differ, or when they agree
    residual        lhs − rhs as far as it was simplified, for "unknown"
    limit           the limit on work that was met, for "unknown"
    """

    status: str
    lhs: sp.Expr
    rhs: sp.Expr
    used: tuple[str, ...] = ()
    conditions: tuple[str, ...] = ()
    counterexample: Counterexample | None = None
    hints: tuple[str, ...] = ()
    residual: sp.Expr | None = None
    limit: str = ""
    normal: Poly | None = field(default=None, repr=False, compare=False)

    def __bool__(self) -> bool:
        return self.status == PROVED

    def __str__(self) -> str:
        rows = [f"{self.status}: {self.lhs} = {self.rhs}"]
        if self.used:
            rows.append("  used: " + "; ".join(self.used))
        if self.conditions:
            rows.append("  where " + ", ".join(self.conditions))
        if self.counterexample:
            rows.append("  " + str(self.counterexample).replace("\n", "\n  "))
        rows += [f"  {hint}" for hint in self.hints]
        if self.residual is not None:
            rows.append(f"  left over: {self.residual} = 0 ?")
        if self.limit:
            rows.append(f"  {self.limit}")
        return "\n".join(rows)


def prove(lhs: Any, rhs: Any, given: System | None = None, *, seed: int = 0) -> Verdict:
    """Whether lhs = rhs for all sizes and values, for the definitions and facts in `given`.

    A letter that occurs once on either side is free on both; the others are summed by the rule.
    "proved" rests on normal forms only; "refuted" comes with a counterexample that was confirmed
    exactly or to 50 digits.  Raises FormulaError for formulas that break the rules of indices.
    """
    lhs, rhs = (
        side.lhs if isinstance(side, Definition) else sp.sympify(side) for side in (lhs, rhs)
    )
    m = model(System() if given is None else given)
    sides = lower_equation(lhs, rhs, known=m.known)
    conditions = tuple(_conditions(sides, m))
    limit = ""
    difference: Poly | None = None
    try:
        for used, poly in _stages(sides, m):
            difference = poly
            if not poly.terms:
                return Verdict(PROVED, lhs, rhs, tuple(used), conditions, normal=poly)
    except (LimitError, UndefinedError) as error:
        limit = error.problem
    from .refute import refute

    found = None
    try:
        found = refute((_evaluated(sides[0], m), _evaluated(sides[1], m)), m, seed)
    except LimitError as error:
        limit = "; ".join(filter(None, (limit, error.problem)))
    if found is not None:
        example, hints = found
        return Verdict(REFUTED, lhs, rhs, (), conditions, example, hints)
    residual = raise_(difference) if difference is not None else None
    return Verdict(UNKNOWN, lhs, rhs, (), conditions, None, (), residual, limit)


def _evaluated(side: Poly, m: Model) -> Poly:
    """The side with its partial derivatives evaluated; as it stands where it has none."""
    if not any(r.tensor.parts for r in refs(side)):
        return side
    return evaluate_partials(nf.normalize(side), lambda of, wrt: total_derivative(m, of, wrt))


def decide(sides: tuple[Poly, Poly], m: Model) -> bool:
    """True when the normal forms of two raw expressions can be made to agree."""
    try:
        return any(not poly.terms for _, poly in _stages(sides, m))
    except (LimitError, UndefinedError):
        return False


# ----------------------------------------------------------------------------------------- stages


def _stages(sides: tuple[Poly, Poly], m: Model) -> Iterator[tuple[list[str], Poly]]:
    """lhs − rhs in ever simpler forms, each equal to zero just when the sides are equal."""
    used: list[str] = []
    if any(r.tensor.parts for side in sides for r in refs(side)):
        used.append("derivatives evaluated")
    difference = nf.subtract(*(nf.normalize(_evaluated(side, m)) for side in sides))
    yield used, difference
    facts = _Facts(m)
    difference = facts.apply(difference, used)
    yield used, difference
    difference = _clear_denominators(difference)
    yield used, difference
    inlined = m.inline(difference)
    if inlined is not difference:
        names = sorted({r.tensor.name for r in refs(difference)} & m.bodies.keys())
        reached = {*names, *(n for name in names for n in m.uses(name))}
        used.extend(f"definition of {n}" for n in m.bodies if n in reached)
        difference = facts.apply(inlined, used)
        yield used, difference
        difference = _clear_denominators(difference)
        yield used, difference
    for reading in (_by_definition, _masks_apart):
        other = reading(difference)
        if other is not difference:
            used = [*used, str(reading.__doc__).split(".")[0]]
            difference = _clear_denominators(facts.apply(other, used))
            yield used, difference


def _clear_denominators(poly: Poly) -> Poly:
    """The numerator over a common denominator of several-term bases."""
    for _ in range(ROUNDS):
        worst: dict[Poly, Rational] = {}
        for term, _c in poly:
            for atom, e in term:
                if isinstance(atom, Poly) and e < 0:
                    worst[atom] = min(e, worst.get(atom, 0))
        if not worst:
            return poly
        poly = nf.times(poly, {base: -e for base, e in worst.items()})
    return poly


def _by_definition(poly: Poly) -> Poly:
    """functions written by exponentials."""

    def rule(atom: Any) -> Poly | None:
        if isinstance(atom, Call) and primitives.by_name(atom.name).definition is not None:
            (x,) = (nf.rewrite(a, rule) for a in atom.args)
            return nf.rewrite(_template(atom.name), lambda a: x if a is _VARIABLE else None)
        return None

    return nf.rewrite(poly, rule)


_VARIABLE = scalar(primitives.X)


@lru_cache(maxsize=256)
def _template(name: str) -> Poly:
    definition = primitives.by_name(name).definition
    assert definition is not None
    return nf.normalize(lower(definition(primitives.X)))


def _masks_apart(poly: Poly) -> Poly:
    """[a ≤ b] as [a < b] + δ and [a > b] as 1 − [a ≤ b]."""

    def rule(atom: Any) -> Poly | None:
        if not isinstance(atom, Mask):
            return None
        items, const = slot_items(atom.slot)
        lead = min(items, key=lambda i: i.sort)
        if items[lead] > 0:
            back = affine({i: -c for i, c in items.items()}, -const - 1)
            return nf.subtract(nf.ONE, _strict(back))
        return _strict(atom.slot)

    return nf.rewrite(poly, rule)


def _strict(slot: Any) -> Poly:
    items, const = slot_items(slot)
    if const == 0 and sorted(items.values()) == [-1, 1]:
        a, b = items
        return nf.add(nf.mask(affine(items, sp.S.NegativeOne)), nf.delta(a, b))
    return nf.mask(slot)


# ------------------------------------------------------------------------------------------ facts


class _Facts:
    """The facts of a system as rewriting rules: a sum or a component, and what it is equal to."""

    def __init__(self, m: Model) -> None:
        self.rules: list[tuple[str, Any, Poly, tuple[Index, ...]]] = []
        for fact in m.system.facts:
            left, right = (
                nf.normalize(side) for side in lower_equation(fact.lhs, fact.rhs, known=m.known)
            )
            rule = _oriented(left, right) or _oriented(right, left)
            if rule is None:
                raise UnsupportedError(
                    "the fact cannot be used as a rule",
                    formula=f"{fact.lhs} = {fact.rhs}",
                    expected="a sum or a tensor component on one side",
                    mend="write it as total(…, j) = value",
                )
            atom, value = rule
            letters = tuple(sorted(atom.free, key=lambda i: i.sort))
            self.rules.append((f"fact {fact.lhs} = {fact.rhs}", atom, value, letters))

    def apply(self, poly: Poly, used: list[str]) -> Poly:
        """The expression with facts applied until none fits."""
        if not self.rules:
            return poly

        def rule(atom: Any) -> Poly | None:
            for name, pattern, value, letters in self.rules:
                result = _use(pattern, value, letters, atom)
                if result is not None:
                    if name not in used:
                        used.append(name)
                    return result
            return None

        for _ in range(ROUNDS):
            after = nf.rewrite(poly, rule)
            if after is poly:
                return poly
            poly = after
        return poly


def _oriented(left: Poly, right: Poly) -> tuple[Any, Poly] | None:
    """The atom of `left` that the fact determines, and its value."""
    only = left.single
    if only is None:
        return None
    term, c = only
    for kind in (Sum, Ref):
        atom = next((a for a, _ in term if isinstance(a, kind)), None)
        if atom is None or (kind is Ref and len(set(getattr(atom, "slots", ()))) < len(atom.free)):
            continue
        e = term.powers[atom]
        rest = Term({a: k for a, k in term if a is not atom})
        if rest.free - atom.free or right.free - atom.free:
            continue
        if rest is not ONE_TERM and sign_of(rest) != "+":
            continue  # y·Σ x = y says nothing about Σ x where y = 0
        if any(r.tensor is atom.tensor for r in refs(right)) if isinstance(atom, Ref) else False:
            continue
        quotient = nf.multiply(right, nf.power(Poly({rest: c}), -1))
        if e == 1:
            return atom, quotient
        if sign_of(atom) == "+":
            return atom, nf.power(quotient, rational(1 / Fraction(e)))
    return None


def _use(pattern: Any, value: Poly, letters: tuple[Index, ...], atom: Any) -> Poly | None:
    """The value of the atom if the pattern is the atom, or a sum inside it."""
    if type(atom) is not type(pattern):
        return None
    found = match(pattern, atom, letters)
    if found is not None:
        return nf.substitute(value, found)
    if not isinstance(atom, Sum) or len(pattern.bound) >= len(atom.bound):
        return None
    bound, body = sums.opened(atom, atom.free)
    ((term, c),) = body
    for inner in combinations(bound, len(pattern.bound)):
        split = sums.split_sum(inner, term)
        if split is None:
            continue
        partial, rest = split
        if partial.single is None:
            continue
        factor, d = partial.single
        for part, e in factor:
            found = match(pattern, part, letters) if isinstance(part, Sum) and e == 1 else None
            if found is not None:
                others = Term({a: k for a, k in factor if a is not part})
                inside = nf.multiply(
                    Poly({others: rational(c * d)}), Poly({rest: 1}), nf.substitute(value, found)
                )
                left = [b for b in bound if b not in inner]
                return nf.sum_over(left, inside)
    return None


# ------------------------------------------------------------------------------------- conditions


def _conditions(sides: tuple[Poly, Poly], m: Model) -> list[str]:
    """Where both sides are defined: divisors, arguments of roots and of logarithms."""
    found: dict[str, None] = {}

    def sign(node: Any) -> str:
        try:
            return sign_of(nf.normalize(node))
        except LimitError:
            return ""

    def visit(node: Any) -> None:
        match node:
            case Poly():
                for term, _ in node:
                    visit(term)
            case Term():
                for atom, e in node:
                    visit(atom)
                    if e < 0 and sign(atom) != "+":
                        found[f"{text(atom)} ≠ 0"] = None
                    if not isinstance(e, int) and not sign(atom):
                        found[f"{text(atom)} ≥ 0"] = None
            case _:
                for part in parts(node):
                    visit(part)
                if isinstance(node, Call) and node.name == "log" and sign(node.args[0]) != "+":
                    found[f"{text(node.args[0])} > 0"] = None

    for side in sides:
        visit(side)
    direct = {t.name for s in sides for r in refs(s) for t in r.tensor.parts or (r.tensor,)}
    reached = direct.union(*(m.uses(name) for name in direct))
    for name in sorted(reached & m.bodies.keys()):
        visit(m.bodies[name].raw)
    return list(found)


__all__ = ["Verdict", "decide", "prove"]
