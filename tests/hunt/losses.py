"""Gradient formulas of an abstract loss, by a differentiator of the hunter's own; inverses.

L is any function of an output O: its derivatives by O are free numbers, those by everything else
follow by the chain rule.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import symattn as sa

from . import slopes as numeric
from .disguise import Disguise
from .formulas import (
    ONE,
    RESULT,
    ZERO,
    Add,
    Case,
    Def,
    Delta,
    Fun,
    Inverse,
    Length,
    Letter,
    Mask,
    Mul,
    Node,
    Num,
    OfMatrix,
    Pow,
    Ref,
    Slope,
    Statement,
    Sum,
    add,
    at,
    children,
    free,
    letters_in,
    mul,
    names_in,
    neg,
    number,
    over,
    places,
    power,
    ref,
    slots_of,
    sub,
    substitute,
    total,
)
from .grow import INPUTS, Grower, M, N, some_names
from .values import NoValue, Numbers, Table, entries

SMOOTH_INPUTS = ("x", "y", "p", "u", "A", "B", "Q", "K", "P", "W", "T", "w", "t")


def has_loss() -> bool:
    return hasattr(sa, "loss")


def has_inverse() -> bool:
    return hasattr(sa, "inverse")


# ---------------------------------------------------------------------------------- derivatives


class NotSmooth(Exception):
    """Nothing that the hunter differentiates: a maximum, an affine index of the name."""


def slope(node: Node, name: str, target: tuple[Letter, ...]) -> Node:
    """∂node/∂name[target]; the target letters occur nowhere in the node."""
    if name not in names_in(node):
        return ZERO
    match node:
        case Ref(_, slots):
            if any(s.plain is None for s in slots):
                raise NotSmooth
            return mul(*(Delta(s, at(t)) for s, t in zip(slots, target, strict=True)))
        case Add(args):
            parts = [slope(a, name, target) for a in args]
            return add(*(p for p in parts if p != ZERO)) if any(p != ZERO for p in parts) else ZERO
        case Mul(args):
            terms = []
            for k, a in enumerate(args):
                d = slope(a, name, target)
                if d != ZERO:
                    terms.append(mul(*args[:k], d, *args[k + 1 :]))
            return add(*terms) if terms else ZERO
        case Pow(base, e):
            return mul(number(e), power(base, e - 1), slope(base, name, target))
        case Sum(letters, body):
            return Sum(letters, slope(body, name, target))
        case Fun(f, x):
            return mul(_outer(f, x), slope(x, name, target))
        case Inverse(_, row, column):
            one, two = target
            return neg(mul(Inverse(name, row, at(one)), Inverse(name, at(two), column)))
        case OfMatrix(kind, _):
            one, two = target
            inverse = Inverse(name, at(two), at(one))
            forms = {"logdet": inverse, "det": mul(node, inverse), "trace": Delta(at(one), at(two))}
            return forms[kind]
    raise NotSmooth


def _outer(f: str, x: Node) -> Node:
    forms: dict[str, Callable[[], Node]] = {
        "exp": lambda: Fun("exp", x),
        "log": lambda: power(x, -1),
        "sin": lambda: Fun("cos", x),
        "cos": lambda: neg(Fun("sin", x)),
        "tanh": lambda: sub(ONE, power(Fun("tanh", x), 2)),
        "sigmoid": lambda: mul(Fun("sigmoid", x), sub(ONE, Fun("sigmoid", x))),
        "softplus": lambda: Fun("sigmoid", x),
    }
    if f not in forms:
        raise NotSmooth
    return forms[f]()


def without_deltas(node: Node, fresh: Any) -> Node:
    """Σ_k δ_kx f(k) = f(x), wherever the sum is over a product with such a δ."""
    parts = tuple(without_deltas(c, fresh) for c in children(node))
    from .formulas import with_children

    node = with_children(node, parts) if parts else node
    match node:
        case Sum(letters, Add(args)):
            return add(*(without_deltas(Sum(letters, a), fresh) for a in args))
        case Sum(letters, body):
            factors = body.args if isinstance(body, Mul) else (body,)
            for k, f in enumerate(factors):
                if not isinstance(f, Delta):
                    continue
                for one, two in ((f.a, f.b), (f.b, f.a)):
                    if one.plain in letters and two.plain and two.plain != one.plain:
                        rest = mul(*factors[:k], *factors[k + 1 :])
                        inner = substitute(rest, {one.plain: two}, fresh)
                        left = tuple(x for x in letters if x != one.plain)
                        return without_deltas(total(inner, *left), fresh)
    return node


# --------------------------------------------------------------------------------------- statements


def chain(case: Case, output: str, name: str, grower: Grower) -> tuple[tuple[Letter, ...], Node]:
    """Letters of a component of `name`, and ∂L/∂ of it by the definitions that use it."""
    taken: set[str] = set()
    for d in case.defs:
        taken |= letters_in(d.body) | {x.name for x in d.letters}

    def new(size: Any) -> Letter:
        letter = grower.fresh(size, frozenset(taken))
        taken.add(letter.name)
        return letter

    target = tuple(new(s) for s in case.shape(name))
    terms = []
    for d in case.defs:
        if name not in names_in(d.body) or not (d.name == output or reaches(case, d.name, output)):
            continue
        body = slope(d.body, name, target)
        upstream = Slope(d.name, tuple(map(at, d.letters)))
        terms.append(total(mul(upstream, body), *d.letters))
    return target, add(*terms) if terms else ZERO


def derivative(case: Case, of: str, wrt: str, grower: Grower) -> tuple[tuple[Letter, ...], Node]:
    """Letters of ∂of/∂wrt, and its value by the chain rule through the definitions."""
    taken: set[str] = set()
    for d in case.defs:
        taken |= letters_in(d.body) | {x.name for x in d.letters}

    def new(size: Any) -> Letter:
        letter = grower.fresh(size, frozenset(taken))
        taken.add(letter.name)
        return letter

    def other(letter: Letter, avoid: frozenset[str]) -> Letter:
        fresh = grower.fresh(letter.size, frozenset(taken | avoid))
        taken.add(fresh.name)
        return fresh

    target = tuple(new(s) for s in case.shape(wrt))

    def whole(name: str, at_: tuple[Letter, ...]) -> Node:
        d = case.definition(name)
        if d is None:
            return ZERO
        body = substitute(d.body, dict(zip(d.letters, map(at, at_), strict=True)), other)
        terms = [slope(body, wrt, target)]
        for inner in sorted(names_in(d.body)):
            if inner != wrt and case.definition(inner) and reaches(case, wrt, inner):
                letters = tuple(new(s) for s in case.shape(inner))
                part = mul(slope(body, inner, letters), whole(inner, letters))
                terms.append(total(part, *letters))
        terms = [t for t in terms if t != ZERO]
        return add(*terms) if terms else ZERO

    d = case.definition(of)
    assert d is not None
    own = tuple(new(x.size) for x in d.letters)
    return (*own, *target), without_deltas(whole(of, own), other)


def results(rng: random.Random) -> tuple[Statement, Disguise] | None:
    """A formula for a Jacobian that symattn derives."""
    names = some_names(rng, rng.choice((2, 3)), [*SMOOTH_INPUTS])
    grower = Grower(rng, names, kinks=False, affine=False)
    if has_inverse() and rng.random() < 0.2:
        grower.names, grower.matrices = [*names, rng.choice(("M", "C"))], True
    case = grower.system(rng.choice((1, 2, 2, 3)), depth=1, last=rng.choice((0, 1, 1, 2)))
    of = case.defs[-1].name
    inside = [
        n
        for n in sorted({*case.inputs, *(d.name for d in case.defs[:-1])})
        if reaches(case, n, of) and not (n in case.inputs and case.inputs[n].symmetry)
    ]
    if not inside:
        return None
    wrt = rng.choice(inside)
    case = replace(case, result=(of, wrt))
    try:
        letters, right = derivative(case, of, wrt, grower)
    except NotSmooth:
        return None
    disguise = Disguise(rng, case, grower)
    right, how = disguise(right, letters, rng.choice((0, 0, 1)))
    return Statement(case, letters, ref(RESULT, *letters), right, ("result", *how)), disguise


def reaches(case: Case, name: str, output: str) -> bool:
    """Whether the output is made of the name."""
    d = case.definition(output)
    return d is not None and any(
        other == name or reaches(case, name, other) for other in sorted(names_in(d.body))
    )


def abstract(rng: random.Random) -> tuple[Statement, Disguise] | None:
    """A gradient formula that holds through the abstract loss only."""
    pool = [*SMOOTH_INPUTS]
    names = some_names(rng, rng.choice((2, 3)), pool)
    grower = Grower(rng, names, kinks=False, affine=False)
    if has_inverse() and rng.random() < 0.4:
        grower.names, grower.matrices = [*names, rng.choice(("M", "C"))], True
    case = grower.system(rng.choice((2, 2, 3, 4)), depth=1, last=rng.choice((1, 2)))
    output = case.defs[-1].name
    case = replace(case, loss=output)
    inside = [
        n
        for n in sorted({*case.inputs, *(d.name for d in case.defs[:-1])})
        if reaches(case, n, output) and not (n in case.inputs and case.inputs[n].symmetry)
    ]
    if not inside:
        return None
    name = rng.choice(inside)
    try:
        target, right = chain(case, output, name, grower)
    except NotSmooth:
        return None
    disguise = Disguise(rng, case, grower)
    if rng.random() < 0.7:
        right = without_deltas(right, disguise.other)
    left: Node = Slope(name, tuple(map(at, target)))
    if rng.random() < 0.25 and target:  # contracted with something, as in Σ X ∂L/∂X
        factor = grower.formula(target, 0)
        left, right = (total(mul(factor, side), *target) for side in (left, right))
        target = ()
    right, how = disguise(right, target, rng.choice((0, 1, 2)))
    return Statement(case, target, left, right, ("chain rule", *how)), disguise


def inverses(rng: random.Random) -> tuple[Statement, Disguise] | None:
    """A statement with inverses, determinants and traces of matrices."""
    from .statements import plain

    return plain(rng, matrices=True)


def slopes(s: Statement, numbers: Numbers, rng: random.Random) -> dict[str, Table]:
    """The derivatives of L by every name in the statement, for free derivatives by the output."""
    case, output = s.case, s.case.loss
    inputs = {n: numbers.table(n) for n in case.inputs}
    upstream = {e: rng.uniform(-1, 1) for e in entries(numbers.shape(output))}
    names = {
        part.name
        for side in (s.left, s.right)
        for _, part, _ in places(side)
        if isinstance(part, Slope)
    }
    return {
        n: upstream
        if n == output
        else numeric.gradient(case, numbers.sizes, inputs, output, n, upstream)
        for n in sorted(names)
    }


__all__ = [
    "INPUTS",
    "Def",
    "Length",
    "M",
    "Mask",
    "N",
    "NoValue",
    "Num",
    "abstract",
    "free",
    "inverses",
    "over",
    "ref",
    "slots_of",
]
