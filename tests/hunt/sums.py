"""Laws of sums that keep the value of a formula."""

from __future__ import annotations

from typing import Any

from .formulas import (
    Add,
    Delta,
    Inverse,
    Length,
    Mask,
    MaxOver,
    Mul,
    Node,
    Ref,
    Scope,
    Size,
    Slope,
    Slot,
    Sum,
    Winner,
    add,
    at,
    bound_here,
    free,
    mul,
    neg,
    over,
    rename,
    slots_of,
    substitute,
    total,
    with_slots,
)
from .grow import M, N


def other_letters(d: Any, node: Node, scope: Scope) -> Node | None:
    if not isinstance(node, Sum | MaxOver | Winner):
        return None
    old = d.rng.choice(bound_here(node))
    return rename(node, {old: d.new(old.size, scope, node)}, d.other)


def sum_of_terms(d: Any, node: Node, scope: Scope) -> Node | None:
    match node:
        case Sum(letters, Add(args)):
            return add(*(Sum(letters, a) for a in args))
    return None


def terms_in_one_sum(d: Any, node: Node, scope: Scope) -> Node | None:
    if not isinstance(node, Add):
        return None
    sums = [a for a in node.args if isinstance(a, Sum) and len(a.letters) == 1]
    for a in sums:
        for b in sums:
            if a is not b and a.letters[0].size == b.letters[0].size:
                fresh = d.new(a.letters[0].size, scope, a, b)
                bodies = [substitute(s.body, {s.letters[0]: at(fresh)}, d.other) for s in (a, b)]
                rest = list(node.args)
                rest.remove(a)
                rest.remove(b)
                return add(Sum((fresh,), add(*bodies)), *rest)
    return None


def order_of_sums(d: Any, node: Node, scope: Scope) -> Node | None:
    match node:
        case Sum(letters, Sum(more, body)):
            return Sum((*more, *letters), body)
        case Sum(letters, body) if len(letters) > 1:
            mixed = d.rng.sample(letters, len(letters))
            return Sum(tuple(mixed[:1]), Sum(tuple(mixed[1:]), body))
    return None


def out_of_sum(d: Any, node: Node, scope: Scope) -> Node | None:
    match node:
        case Sum(letters, Mul(args)):
            apart = [a for a in args if not free(a) & set(letters)]
            inside = [a for a in args if free(a) & set(letters)]
            if apart and inside:
                return mul(*apart, Sum(letters, mul(*inside)))
    return None


def into_sum(d: Any, node: Node, scope: Scope) -> Node | None:
    if not isinstance(node, Mul):
        return None
    sums = [a for a in node.args if isinstance(a, Sum)]
    if not sums:
        return None
    inner = d.rng.choice(sums)
    rest = list(node.args)
    rest.remove(inner)
    for old in inner.letters:
        fresh = d.new(old.size, scope, inner, *rest)
        inner = rename(inner, {old: fresh}, d.other)
    return Sum(inner.letters, mul(*rest, inner.body))


def constant_sum(d: Any, node: Node, scope: Scope) -> Node | None:
    if isinstance(node, Sum) and not free(node.body) & set(node.letters):
        return mul(*(Length(x.size) for x in node.letters), node.body)
    if d.rng.random() < 0.1:
        letter = d.new(d.rng.choice((N, M)), scope, node)
        return over(total(node, letter), Length(letter.size))
    return None


def whole_and_rest(d: Any, node: Node, scope: Scope) -> Node | None:
    """Σ_j f = Σ_j [j ≤ i] f + Σ_j [j > i] f"""
    if not isinstance(node, Sum):
        return None
    pairs = [(j, i) for j in node.letters for i in scope if i.size == j.size and i != j]
    if not pairs:
        return None
    j, i = d.rng.choice(pairs)
    if i in node.letters:
        return None
    one, two = d.rng.choice([("<=", "<"), ("<", "<="), ("==", "!=")])
    sides = at(j), at(i)
    first = Mask(one, *sides)
    second = Mask(two, at(i), at(j)) if one != "==" else Mask(two, *sides)
    return add(*(Sum(node.letters, mul(c, node.body)) for c in (first, second)))


def split_by_condition(d: Any, node: Node, scope: Scope) -> Node | None:
    pairs = [(a, b) for a in scope for b in scope if a != b and a.size == b.size]
    if not pairs or d.rng.random() < 0.5:
        return None
    a, b = d.rng.choice(pairs)
    shift = Slot(((b, 1),), Size((), d.rng.choice((0, 0, -1, 1))))
    kind = d.rng.random()
    if kind < 0.5:
        return add(mul(Mask("<=", at(a), shift), node), mul(Mask("<", shift, at(a)), node))
    if kind < 0.75:
        return add(mul(Mask("==", at(a), shift), node), mul(Mask("!=", at(a), shift), node))
    both = mul(Mask("<=", at(a), shift), Mask("<=", shift, at(a)))
    return add(node, neg(mul(both, node)), mul(Delta(at(a), shift), node))


def delta_inserted(d: Any, node: Node, scope: Scope) -> Node | None:
    if not isinstance(node, Ref | Inverse | Delta | Mask | Slope):
        return None
    slots = list(slots_of(node))
    plain = [k for k, s in enumerate(slots) if s.plain]
    if not plain:
        return None
    k = d.rng.choice(plain)
    old = slots[k].plain
    assert old is not None
    fresh = d.new(old.size, scope, node)
    slots[k] = at(fresh)
    sides = d.rng.choice([(old, fresh), (fresh, old)])
    condition = d.rng.choice([Delta(*map(at, sides)), Mask("==", *map(at, sides))])
    return total(mul(condition, with_slots(node, tuple(slots))), fresh)


def delta_used(d: Any, node: Node, scope: Scope) -> Node | None:
    """δ_ij f(i) = δ_ij f(j)"""
    if not isinstance(node, Mul):
        return None
    for k, factor in enumerate(node.args):
        if isinstance(factor, Delta) and factor.a.plain and factor.b.plain:
            if factor.a.plain.size != factor.b.plain.size:
                continue
            to = {factor.a.plain: factor.b}
            rest = [substitute(a, to, d.other) for n, a in enumerate(node.args) if n != k]
            return mul(factor, *rest)
    return None


SUMS = [
    other_letters,
    sum_of_terms,
    terms_in_one_sum,
    order_of_sums,
    out_of_sum,
    into_sum,
    constant_sum,
    whole_and_rest,
    split_by_condition,
    delta_inserted,
    delta_used,
]
