"""Functions with kinks, conditions on values, indices as numbers: how they grow, laws, slips."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from .formulas import (
    ONE,
    ZERO,
    Compare,
    Fun,
    Largest,
    Mask,
    MaxOver,
    Mul,
    Node,
    Position,
    Pow,
    Ref,
    Sum,
    Winner,
    add,
    at,
    letters_in,
    mul,
    neg,
    number,
    over,
    power,
    put,
    slots_of,
    sub,
    total,
    with_slots,
)

BENT = ("relu", "sign", "step", "elu", "hard_tanh", "abs", "silu", "softplus")
FLIPPED = {">": "<", "<": ">", ">=": "<=", "<=": ">=", "=": "="}
OTHERWISE = {">": "<=", "<=": ">", ">=": "<", "<": ">="}


def grown(g: Any, scope: Any, depth: int) -> Node:
    """A formula with a case, a kink or a position in it."""
    rng = g.rng
    kind = rng.random()
    inside = g.formula(scope, depth - 1)
    if kind < 0.35:
        return Fun(rng.choice(BENT), inside)
    if kind < 0.55:
        return mul(condition(g, scope, depth), inside)
    if kind < 0.7:
        c, other = condition(g, scope, depth), g.formula(scope, depth - 1)
        return add(mul(c, inside), mul(sub(ONE, c), other))
    if kind < 0.85:
        parts = (inside, g.formula(scope, depth - 1), g.leaf(scope))
        largest = Largest(parts[: rng.choice((2, 3))])
        return largest if rng.random() < 0.6 else neg(Largest(tuple(map(neg, largest.args))))
    return mul(Position(at(rng.choice(scope))), inside) if scope else Fun("sign", inside)


def condition(g: Any, scope: Any, depth: int) -> Node:
    right = g.rng.choice((ZERO, ONE, g.leaf(scope)))
    return Compare(g.rng.choice((">", ">=", "<", "<=", "=")), g.formula(scope, depth - 1), right)


# ------------------------------------------------------------------------------------------ laws


def kinks(d: Any, node: Node, scope: Any) -> Node | None:
    """A function with a kink by others."""
    if not isinstance(node, Fun):
        return None
    x, half = node.arg, number(Fraction(1, 2))
    above = Compare(">", x, ZERO)
    forms: dict[str, list[Node]] = {
        "relu": [
            Largest((ZERO, x)),
            mul(x, d.rng.choice((above, Compare(">=", x, ZERO), Fun("step", x)))),
            mul(half, add(x, Fun("abs", x))),
            add(x, Fun("relu", neg(x))),
        ],
        "sign": [
            sub(above, Compare("<", x, ZERO)),
            sub(Fun("step", x), Fun("step", neg(x))),
            neg(Fun("sign", neg(x))),
            power(Fun("sign", x), 3),
        ],
        "step": [Compare(">=", x, ZERO), sub(ONE, Compare("<", x, ZERO)), power(node, 2)],
        "abs": [mul(x, Fun("sign", x)), add(Fun("relu", x), Fun("relu", neg(x)))],
        "elu": [
            add(Fun("relu", x), Fun("exp", neg(Fun("relu", neg(x)))), number(-1)),
            add(mul(x, above), mul(sub(Fun("exp", x), ONE), sub(ONE, above))),
        ],
        "hard_tanh": [
            Largest((number(-1), neg(Largest((number(-1), neg(x)))))),
            sub(Fun("relu", add(x, ONE)), add(ONE, Fun("relu", sub(x, ONE)))),
            neg(Fun("hard_tanh", neg(x))),
        ],
        "silu": [mul(x, Fun("sigmoid", x)), add(x, Fun("silu", neg(x)))],
    }
    return d.rng.choice(forms[node.name]) if node.name in forms else None


def conditions(d: Any, node: Node, scope: Any) -> Node | None:
    """A condition on values otherwise."""
    if not isinstance(node, Compare):
        return None
    op, a, b = node.op, node.a, node.b
    c = number(d.rng.choice((2, Fraction(1, 3))))
    forms = [
        Compare(FLIPPED[op], b, a),
        Compare(op, sub(a, b), ZERO),
        Compare(op, mul(c, a), mul(c, b)),
        power(node, 2),
    ]
    if op in OTHERWISE:
        forms.append(sub(ONE, Compare(OTHERWISE[op], a, b)))
    if op in (">=", "<="):
        forms.append(add(Compare(op[0], a, b), Compare("=", a, b)))
    if op == "=":
        forms.append(mul(Compare("<=", a, b), Compare(">=", a, b)))
    return d.rng.choice(forms)


def alternatives(d: Any, node: Node, scope: Any) -> Node | None:
    """max(a, b) by cases, by |a − b|, and one at a time."""
    match node:
        case Largest((a, b)):
            c = Compare(d.rng.choice((">", ">=")), a, b)
            return d.rng.choice(
                [
                    add(mul(c, a), mul(sub(ONE, c), b)),
                    mul(number(Fraction(1, 2)), add(a, b, Fun("abs", sub(a, b)))),
                    add(a, b, Largest((neg(a), neg(b)))),
                ]
            )
        case Largest((a, b, c)):
            return Largest((a, Largest((c, b))))
    return None


def both_cases(d: Any, node: Node, scope: Any) -> Node | None:
    """f = [x > y] f + [x ≤ y] f"""
    if d.rng.random() < 0.7:
        return None
    c = condition(d.grower, scope, 1)
    rest = sub(ONE, c)
    return add(mul(c, node), mul(rest, node))


def positions(d: Any, node: Node, scope: Any) -> Node | None:
    """i = Σ_j [j < i]"""
    if not isinstance(node, Position):
        return None
    ((letter, _),) = node.slot.parts
    j = d.new(letter.size, scope, node)
    if d.rng.random() < 0.5:
        return total(Mask("<", at(j), node.slot), j)
    return sub(total(Mask("<=", at(j), node.slot), j), ONE)


def turned(d: Any, node: Node, scope: Any) -> Node | None:
    """Σ_j x_j = Σ_j x_{j−1} = Σ_j x_{−j−1} for products of components."""
    if not isinstance(node, Sum) or len(node.letters) != 1:
        return None
    (j,) = node.letters
    parts = node.body.args if isinstance(node.body, Mul) else (node.body,)
    here = [p for p in parts if j.name in letters_in(p)]
    slots = [s for p in here for s in slots_of(p) if j in dict(s.parts)]
    refs = all(isinstance(p, Ref) for p in here)
    if not refs or any(s != at(j) for s in slots) or not d.plain_axes(parts, j):
        return None
    there = d.rng.choice((shifted(j, 1, -1), shifted(j, -1, -1)))
    moved = [with_slots(p, tuple(put(s, {j: there}) for s in slots_of(p))) for p in parts]
    return Sum((j,), mul(*moved))


def shifted(letter: Any, c: int, by: int) -> Any:
    from .formulas import Size, Slot

    return Slot(((letter, c),), Size((), by))


RISING = ("exp", "tanh", "sigmoid", "softplus")


def monotone(d: Any, node: Node, scope: Any) -> Node | None:
    """max f(x) = f(max x) and the argmax of f(x) is that of x, for an f that increases."""
    match node:
        case MaxOver(letters, Fun(name, arg)) if name in RISING:
            return Fun(name, MaxOver(letters, arg))
        case MaxOver(letters, Pow(base, e)) if e > 0 and e.denominator == 1 and e % 2:
            return Pow(MaxOver(letters, base), e)
        case Fun(name, MaxOver(letters, body)) if name in RISING:
            return MaxOver(letters, Fun(name, body))
        case Fun(name, Largest(args)) if name in RISING:
            return Largest(tuple(Fun(name, a) for a in args))
        case Pow(Largest(args), e) if e > 0 and e.denominator == 1 and e % 2:
            return Largest(tuple(power(a, e) for a in args))
        case Winner(slot, letter, body):
            form = d.rng.choice((Fun(d.rng.choice(RISING), body), power(body, 3)))
            return Winner(slot, letter, form)
        case MaxOver(letters, body):
            return Fun("log", MaxOver(letters, Fun("exp", body)))
    return None


CASE_LAWS = [kinks, conditions, alternatives, both_cases, positions, turned, monotone]


# ----------------------------------------------------------------------------------------- slips


def boundary(d: Any, node: Node, scope: Any) -> Node | None:
    """< taken for ≤, or turned round"""
    if not isinstance(node, Compare):
        return None
    near = {">": (">=", "<"), ">=": (">", "<="), "<": ("<=", ">"), "<=": ("<", ">="), "=": (">=",)}
    return Compare(d.rng.choice(near[node.op]), node.a, node.b)


def other_kink(d: Any, node: Node, scope: Any) -> Node | None:
    near = {"relu": "abs", "abs": "relu", "sign": "step", "step": "sign", "elu": "relu",
            "silu": "relu", "hard_tanh": "tanh"}  # fmt: skip
    if isinstance(node, Fun) and node.name in near:
        return Fun(d.rng.choice((near[node.name], node.name)), neg(node.arg))
    return None


def lost_alternative(d: Any, node: Node, scope: Any) -> Node | None:
    match node:
        case Largest((a, b, *rest)):
            return Largest((b, *rest)) if rest else d.rng.choice((a, b))
        case Pow(base, e) if e == -1:
            return over(ONE, Fun("abs", base))
    return None


def next_place(d: Any, node: Node, scope: Any) -> Node | None:
    return add(node, ONE) if isinstance(node, Position) else None


def other_order(d: Any, node: Node, scope: Any) -> Node | None:
    """max f(x) taken for f(max x), and the argmax likewise, for an f that does not increase"""
    match node:
        case MaxOver(letters, Pow(base, e)) if e.denominator > 1 or e % 2 == 0:
            return Pow(MaxOver(letters, base), e)
        case MaxOver(letters, body):
            return neg(MaxOver(letters, neg(body)))
        case Winner(slot, letter, body):
            return Winner(slot, letter, d.rng.choice((neg(body), power(body, 2))))
    return None


CASE_SLIPS = [other_order, boundary, boundary, other_kink, lost_alternative, next_place]
