"""Laws of maxima, tensors and names that keep the value of a formula."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from typing import Any

from .formulas import (
    Inverse,
    Largest,
    Letter,
    MaxOver,
    Node,
    OfMatrix,
    Ref,
    Scope,
    Winner,
    add,
    at,
    letters_in,
    mul,
    neg,
    number,
    rename,
    sub,
    substitute,
    total,
)
from .grow import N


def maxima(d: Any, node: Node, scope: Scope) -> Node | None:
    match node:
        case Largest((a, b)):
            forms = [
                add(a, Largest((number(0), sub(b, a)))),
                Largest((b, a)),
                sub(Largest((add(a, b), mul(number(2), b))), b),
                mul(number(Fraction(1, 2)), Largest((mul(number(2), a), mul(number(2), b)))),
            ]
            return d.rng.choice(forms)
        case MaxOver(letters, body):
            shift = d.small(scope)
            for old in letters:
                if old.name in letters_in(shift):
                    node = rename(node, {old: d.new(old.size, scope, node, shift)}, d.other)
            return sub(MaxOver(node.letters, add(node.body, shift)), shift)
        case Winner(slot, letter, body):
            return Winner(slot, letter, mul(number(2), body))
    return None


def symmetric_slots(d: Any, node: Node, scope: Scope) -> Node | None:
    match node:
        case Ref("S" | "C" as name, (a, b)) if name in d.case.inputs:
            return Ref(name, (b, a))
        case Ref("F", (a, b)) if "F" in d.case.inputs:
            return neg(Ref("F", (b, a)))
    return None


def written_out(d: Any, node: Node, scope: Scope) -> Node | None:
    if not isinstance(node, Ref):
        return None
    definition = d.case.definition(node.name)
    if definition is None or any(s.plain is None for s in node.slots):
        return None
    to = dict(zip(definition.letters, node.slots, strict=True))
    apart = definition.body
    renamed: dict[Letter, Letter] = {}
    near = {x.name for x in scope} | letters_in(node)
    taken: set[str] = set()
    for x in definition.letters:  # to letters that nothing uses first, then to the slots at once
        fresh = d.grower.fresh(x.size, frozenset(taken | near | letters_in(apart)))
        taken.add(fresh.name)
        renamed[x] = fresh
        apart = substitute(apart, {x: at(fresh)}, d.other)
    return substitute(apart, {renamed[x]: to[x] for x in definition.letters}, d.other)


def matrices(d: Any, node: Node, scope: Scope) -> Node | None:
    """M^{-1} M = 1 and M M^{-1} = 1 inserted; (M^{-1})^⊤ for a symmetric one"""
    names = [x for x in ("M", "C") if x in d.case.inputs and d.grower.matrices]
    if not names:
        return None
    name = d.rng.choice(names)
    match node:
        case Inverse(of, row, column) if of == "C" and d.rng.random() < 0.5:
            return Inverse(of, column, row)
        case OfMatrix("trace", of):
            letter = d.new(N, scope, node)
            return total(Ref(of, (at(letter), at(letter))), letter)
        case Ref(_, slots):
            plain = [k for k, s in enumerate(slots) if s.plain and s.plain.size == N]
            if plain:
                k = d.rng.choice(plain)
                one = d.new(N, scope, node)
                two = d.new(N, (*scope, one), node)
                pair = [Inverse(name, slots[k], at(two)), Ref(name, (at(two), at(one)))]
                if d.rng.random() < 0.5:
                    pair = [Ref(name, (slots[k], at(two))), Inverse(name, at(two), at(one))]
                changed = list(slots)
                changed[k] = at(one)
                return total(mul(*pair, replace(node, slots=tuple(changed))), two, one)
    return None


ARRAYS = [maxima, symmetric_slots, written_out, matrices]
