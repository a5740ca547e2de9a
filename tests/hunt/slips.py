"""Slips that change the value of a formula, mostly."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from typing import Any

from .cases import CASE_SLIPS
from .formulas import (
    ONE,
    Add,
    Delta,
    Fun,
    Inverse,
    Largest,
    Length,
    Mask,
    MaxOver,
    Mul,
    Node,
    Pow,
    Ref,
    Scope,
    Size,
    Slope,
    Slot,
    Sum,
    Winner,
    at,
    letters_in,
    mul,
    neg,
    number,
    places,
    power,
    replaced,
    slots_of,
    substitute,
    total,
    with_slots,
)
from .grow import M, N


def sign(d: Any, node: Node, scope: Scope) -> Node | None:
    return neg(node) if d.rng.random() < 0.4 else None


def factor(d: Any, node: Node, scope: Scope) -> Node | None:
    c = d.rng.choice((number(2), number(Fraction(1, 2)), Length(N), power(Length(M), -1)))
    return mul(c, node) if d.rng.random() < 0.4 else None


def other_index(d: Any, node: Node, scope: Scope) -> Node | None:
    slots = list(slots_of(node))
    if not slots or isinstance(node, Winner):
        return None
    k = d.rng.randrange(len(slots))
    if not slots[k].parts:
        return None
    old = d.rng.choice(slots[k].parts)[0]
    others = [x for x in scope if x.size == old.size and x != old]
    if not others:
        return None
    new = d.rng.choice(others)
    slots[k] = Slot(tuple((new if x == old else x, c) for x, c in slots[k].parts), slots[k].const)
    if len({x for x, _ in slots[k].parts}) < len(slots[k].parts):
        return None
    return with_slots(node, tuple(slots))


def transposed(d: Any, node: Node, scope: Scope) -> Node | None:
    match node:
        case Ref(_, slots) | Slope(_, slots):
            equal = [(a, b) for a in range(len(slots)) for b in range(a)
                     if slots[a].plain and slots[b].plain
                     and slots[a].plain.size == slots[b].plain.size]  # fmt: skip
            if equal:
                a, b = d.rng.choice(equal)
                mixed = list(slots)
                mixed[a], mixed[b] = mixed[b], mixed[a]
                return replace(node, slots=tuple(mixed))
        case Inverse(name, row, column):
            return Inverse(name, column, row)
    return None


def dropped(d: Any, node: Node, scope: Scope) -> Node | None:
    if isinstance(node, Add | Mul | Largest) and len(node.args) > 1:
        k = d.rng.randrange(len(node.args))
        return type(node)(node.args[:k] + node.args[k + 1 :])
    return None


def other_power(d: Any, node: Node, scope: Scope) -> Node | None:
    if isinstance(node, Pow):
        e = d.rng.choice((node.exponent + 1, -node.exponent, node.exponent / 2))
        return power(node.base, e) if e != 0 else ONE
    return None


def off_by_one(d: Any, node: Node, scope: Scope) -> Node | None:
    match node:
        case Mask("<=", a, b):
            return d.rng.choice([Mask("<", a, b), Mask("<=", b, a)])
        case Mask("<", a, b):
            return d.rng.choice([Mask("<=", a, b), Mask("<", b, a)])
        case Mask("==", a, b):
            return Mask("<=", a, b)
        case Mask("!=", a, b):
            return Mask("<", a, b)
        case Delta(a, b, _):
            shifted = Slot(b.parts, Size(b.const.parts, b.const.const - 1))
            return d.rng.choice([Mask("<=", a, b), Delta(a, shifted)])
    return None


def other_offset(d: Any, node: Node, scope: Scope) -> Node | None:
    match node:
        case Ref(_, slots) if slots:
            k = d.rng.randrange(len(slots))
            s = slots[k]
            changed = list(slots)
            if s.plain:
                changed[k] = Slot(s.parts, Size((), -1))
            elif len(s.parts) == 1 and s.parts[0][1] == 1:
                changed[k] = at(s.parts[0][0])
            else:
                return None
            return replace(node, slots=tuple(changed))
    return None


def other_function(d: Any, node: Node, scope: Scope) -> Node | None:
    match node:
        case Fun(name, arg):
            near = {"sin": "cos", "cos": "sin", "tanh": "sigmoid", "sigmoid": "tanh"}
            if name in near:
                return Fun(near[name], arg)
            return Fun(name, neg(arg)) if name in ("exp", "softplus") else None
    return None


def other_tensor(d: Any, node: Node, scope: Scope) -> Node | None:
    if not isinstance(node, Ref):
        return None
    shape = d.case.shape(node.name)
    near = [x for x in (*d.case.inputs, *(f.name for f in d.case.defs))
            if x != node.name and d.case.shape(x) == shape]  # fmt: skip
    if near and all(d.grower.names.__contains__(x) or d.case.definition(x) for x in near):
        return replace(node, name=d.rng.choice(sorted(near)))
    return None


def sum_too_wide(d: Any, node: Node, scope: Scope) -> Node | None:
    """(Σ_j f) (Σ_j g) taken for Σ_j f g"""
    match node:
        case Sum((letter,), Mul(args)):
            k = d.rng.randrange(1, len(args)) if len(args) > 1 else 0
            if k:
                parts = [mul(*args[:k]), mul(*args[k:])]
                return mul(*(total(p, letter) for p in parts))
        case Mul(args):
            sums = [a for a in args if isinstance(a, Sum) and len(a.letters) == 1]
            if len(sums) > 1 and sums[0].letters[0].size == sums[1].letters[0].size:
                first, second = sums[:2]
                letter = d.new(first.letters[0].size, scope, first, second)
                bodies = [
                    substitute(s.body, {s.letters[0]: at(letter)}, d.other) for s in (first, second)
                ]
                rest = list(args)
                rest.remove(first)
                rest.remove(second)
                return mul(total(mul(*bodies), letter), *rest)
    return None


def sum_dropped(d: Any, node: Node, scope: Scope) -> Node | None:
    if not isinstance(node, Sum | MaxOver):
        return None
    letter = d.rng.choice(node.letters)
    near = [x for x in scope if x.size == letter.size and x not in node.letters]
    if not near:
        return None
    rest = tuple(x for x in node.letters if x != letter)
    body = substitute(node.body, {letter: at(d.rng.choice(near))}, d.other)
    return replace(node, letters=rest, body=body) if rest else body


def function_of_sum(d: Any, node: Node, scope: Scope) -> Node | None:
    """f(Σ x) taken for Σ f(x)"""
    match node:
        case Fun(name, Sum(letters, body)):
            return Sum(letters, Fun(name, body))
        case Sum(letters, Fun(name, arg)) if name != "log":
            return Fun(name, Sum(letters, arg))
        case Pow(Sum(letters, body), e) if e > 0:
            return Sum(letters, Pow(body, e))
        case Sum(letters, Pow(body, e)) if e > 0:
            return Pow(Sum(letters, body), e)
    return None


def factor_into_maximum(d: Any, node: Node, scope: Scope) -> Node | None:
    """c max(a, b) taken for max(c a, c b), and the argmax likewise, whatever the sign of c"""
    c = d.small(scope)
    if d.rng.random() < 0.5:
        c = power(c, 2)
    match node:
        case Largest(args):
            return mul(Largest(tuple(mul(c, a) for a in args)), power(c, -1))
        case MaxOver(letters, body) if not {x.name for x in letters} & letters_in(c):
            return mul(MaxOver(letters, mul(c, body)), power(c, -1))
        case Winner(slot, letter, body) if letter.name not in letters_in(c):
            return Winner(slot, letter, mul(c, body))
    return None


def root_of_square(d: Any, node: Node, scope: Scope) -> Node | None:
    """√(x²) taken for x"""
    return power(power(node, 2), Fraction(1, 2)) if d.rng.random() < 0.3 else None


def largest_or_sum(d: Any, node: Node, scope: Scope) -> Node | None:
    match node:
        case MaxOver(letters, body):
            return d.rng.choice([Sum(letters, body), neg(MaxOver(letters, neg(body)))])
        case Largest(args) if len(args) == 2:
            return d.rng.choice([args[0], neg(Largest(tuple(map(neg, args))))])
        case Winner(slot, letter, body):
            return Winner(slot, letter, neg(body))
    return None


SLIPS = [
    sign,
    factor,
    other_index,
    transposed,
    dropped,
    other_power,
    off_by_one,
    other_offset,
    other_function,
    other_tensor,
    sum_too_wide,
    sum_dropped,
    function_of_sum,
    factor_into_maximum,
    root_of_square,
    largest_or_sum,
]


def slipped(d: Any, node: Node, scope: Scope) -> tuple[Node, str] | None:
    """The formula with one slip."""
    found = list(places(node, scope))
    slips = d.rng.sample(SLIPS, len(SLIPS))
    for rule in d.rng.sample(CASE_SLIPS, len(CASE_SLIPS)) + slips if d.cased() else slips:
        for place, part, inner in d.rng.sample(found, min(len(found), 12)):
            new = rule(d, part, inner)
            if new is not None and new != part:
                return replaced(node, place, new), "slip: " + rule.__name__
    return None
