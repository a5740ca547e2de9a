"""Laws of algebra and of functions that keep the value of a formula."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from typing import Any

from .formulas import (
    ONE,
    Add,
    Fun,
    Largest,
    Length,
    Mul,
    Node,
    Num,
    Pow,
    Ref,
    Scope,
    Sum,
    add,
    at,
    letters_in,
    mul,
    neg,
    number,
    over,
    power,
    rename,
    sub,
    substitute,
    total,
)
from .grow import M, N


def multiplied_out(d: Any, node: Node, scope: Scope) -> Node | None:
    match node:
        case Mul(args):
            for k, a in enumerate(args):
                if isinstance(a, Add):
                    rest = args[:k] + args[k + 1 :]
                    return add(*(mul(b, *rest) for b in a.args))
        case Pow(Add(args), e) if e == 2:
            return add(*(mul(a, b) for a in args for b in args))
        case Pow(Mul(args), e) if e.denominator == 1:
            return mul(*(power(a, e) for a in args))
    return None


def square_of_sum(d: Any, node: Node, scope: Scope) -> Node | None:
    match node:
        case Pow(Sum(letters, body) as inner, e) if e == 2 and len(letters) == 1:
            fresh = d.new(letters[0].size, scope, inner)
            other = substitute(body, {letters[0]: at(fresh)}, d.other)
            return total(mul(body, other), letters[0], fresh)
    return None


def factored(d: Any, node: Node, scope: Scope) -> Node | None:
    if not isinstance(node, Add):
        return None
    for k, a in enumerate(node.args):
        for b in node.args[k + 1 :]:
            left = list(a.args) if isinstance(a, Mul) else [a]
            right = list(b.args) if isinstance(b, Mul) else [b]
            common = [f for f in left if f in right]
            if common and common[0] != a:
                f = common[0]
                left.remove(f)
                right.remove(f)
                rest = list(node.args)
                rest.remove(a)
                rest.remove(b)
                return add(mul(f, add(mul(*left), mul(*right))), *rest)
    return None


def other_order(d: Any, node: Node, scope: Scope) -> Node | None:
    if isinstance(node, Add | Mul | Largest):
        return replace(node, args=tuple(d.rng.sample(node.args, len(node.args))))
    return None


def more_and_less(d: Any, node: Node, scope: Scope) -> Node | None:
    if d.rng.random() < 0.6:
        return None
    extra = d.small(scope)
    return add(node, extra, neg(extra)) if d.rng.random() < 0.5 else sub(add(node, extra), extra)


def times_and_over(d: Any, node: Node, scope: Scope) -> Node | None:
    if d.rng.random() < 0.6:
        return None
    extra = d.grower.positive(scope, 1)
    return mul(extra, node, power(extra, -1))


def halves(d: Any, node: Node, scope: Scope) -> Node | None:
    if d.rng.random() < 0.6:
        return None
    half = number(Fraction(1, 2))
    return d.rng.choice([add(mul(half, node), mul(half, node)), sub(mul(number(2), node), node)])


def weights_that_sum_to_one(d: Any, node: Node, scope: Scope) -> Node | None:
    if d.rng.random() < 0.7:
        return None
    letter = d.new(d.rng.choice((N, M)), scope, node)
    score = d.grower.formula((*scope, letter), 0)
    second = d.new(letter.size, (*scope, letter), node, score)
    below = total(Fun("exp", substitute(score, {letter: at(second)}, d.other)), second)
    weight = over(Fun("exp", score), below)
    return total(mul(weight, node), letter)


def exponentials(d: Any, node: Node, scope: Scope) -> Node | None:
    match node:
        case Fun("exp", Add(args)):
            return mul(*(Fun("exp", a) for a in args))
        case Fun("exp", Mul((Num(c), *rest))) if c < 0:
            return power(Fun("exp", mul(number(-c), *rest)), -1)
        case Mul(args):
            inside = [a for a in args if isinstance(a, Fun) and a.name == "exp"]
            if len(inside) > 1:
                rest = [a for a in args if a not in inside]
                return mul(Fun("exp", add(*(a.arg for a in inside))), *rest)
    return None


def softmax_shift(d: Any, node: Node, scope: Scope) -> Node | None:
    match node:
        case Mul(args):
            for above in args:
                for below in args:
                    match above, below:
                        case Fun("exp", e), Pow(Sum(letters, Fun("exp", f)), p) if p == -1:
                            shift = d.small(scope)
                            safe = Sum(letters, f)
                            for old in letters:
                                if old.name in letters_in(shift):
                                    safe = rename(
                                        safe, {old: d.new(old.size, scope, safe, shift)}, d.other
                                    )
                            rest = list(args)
                            rest.remove(above)
                            rest.remove(below)
                            shifted = Sum(safe.letters, Fun("exp", add(safe.body, shift)))
                            return mul(Fun("exp", add(e, shift)), power(shifted, -1), *rest)
        case Fun("log", Sum(letters, Fun("exp", f)) as inner):
            shift = d.small(scope)
            for old in letters:
                inner = rename(inner, {old: d.new(old.size, scope, inner, shift)}, d.other)
            body = Fun("exp", sub(inner.body.arg, shift))
            return add(shift, Fun("log", Sum(inner.letters, body)))
    return None


def known_functions(d: Any, node: Node, scope: Scope) -> Node | None:
    if not isinstance(node, Fun):
        return None
    x, two = node.arg, number(2)
    forms: dict[str, list[Node]] = {
        "tanh": [
            sub(mul(two, Fun("sigmoid", mul(two, x))), ONE),
            over(sub(Fun("exp", x), Fun("exp", neg(x))), add(Fun("exp", x), Fun("exp", neg(x)))),
            neg(Fun("tanh", neg(x))),
        ],
        "sigmoid": [
            sub(ONE, Fun("sigmoid", neg(x))),
            over(Fun("exp", x), add(ONE, Fun("exp", x))),
            power(add(ONE, Fun("exp", neg(x))), -1),
        ],
        "softplus": [Fun("log", add(ONE, Fun("exp", x))), add(x, Fun("softplus", neg(x)))],
        "sin": [neg(Fun("sin", neg(x)))],
        "cos": [Fun("cos", neg(x))],
        "abs": [
            Fun("abs", neg(x)),
            Largest((x, neg(x))),
            power(power(x, 2), Fraction(1, 2)),
        ],
    }
    return d.rng.choice(forms[node.name]) if node.name in forms else None


def logarithms(d: Any, node: Node, scope: Scope) -> Node | None:
    match node:
        case Fun("log", Fun("exp", x)):
            return x
        case Fun("log", Mul(args)) if all(map(surely_positive, args)):
            return add(*(Fun("log", a) for a in args))
        case Fun("log", Pow(base, e)) if surely_positive(base):
            return mul(number(e), Fun("log", base))
        case Ref(name, _) if positive_ref(name):
            return Fun("exp", Fun("log", node))
    return None


def powers(d: Any, node: Node, scope: Scope) -> Node | None:
    match node:
        case Pow(base, e) if surely_positive(base):
            part = d.rng.choice((Fraction(1, 2), Fraction(1), Fraction(-1)))
            return mul(power(base, part), power(base, e - part))
        case Pow(base, e) if e >= 2 and e.denominator == 1:
            return mul(base, power(base, e - 1))
    return None


def positive_ref(name: str) -> bool:
    from .grow import INPUTS

    return name in INPUTS and INPUTS[name].positive


def surely_positive(node: Node) -> bool:
    match node:
        case Ref(name, _):
            return positive_ref(name)
        case Fun(name, _):
            return name in ("exp", "sigmoid", "softplus", "cosh")
        case Sum(_, body) | Pow(body, _):
            return surely_positive(body)
        case Add(args) | Mul(args):
            return all(map(surely_positive, args))
        case Num(value):
            return value > 0
    return isinstance(node, Length)


def trigonometry(d: Any, node: Node, scope: Scope) -> Node | None:
    match node:
        case Pow(Fun("sin", x), e) if e == 2:
            return sub(ONE, power(Fun("cos", x), 2))
        case Pow(Fun("cos", x), e) if e == 2:
            return sub(ONE, power(Fun("sin", x), 2))
    if d.rng.random() < 0.3:  # wherever it says nothing, times one
        x = d.small(scope)
        return mul(add(power(Fun("sin", x), 2), power(Fun("cos", x), 2)), node)
    return None


ALGEBRA = [
    multiplied_out,
    square_of_sum,
    factored,
    other_order,
    more_and_less,
    times_and_over,
    halves,
    weights_that_sum_to_one,
    exponentials,
    softmax_shift,
    known_functions,
    logarithms,
    powers,
    trigonometry,
]
