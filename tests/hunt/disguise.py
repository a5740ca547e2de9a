"""Laws that keep the value of a formula, each applied at a random place; and slips that do not."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from typing import Any

from .cases import CASE_LAWS, CASE_SLIPS
from .formulas import (
    ONE,
    Add,
    Case,
    Delta,
    Fun,
    Inverse,
    Largest,
    Length,
    Letter,
    Mask,
    MaxOver,
    Mul,
    Node,
    Num,
    OfMatrix,
    Pow,
    Ref,
    Size,
    Slope,
    Slot,
    Sum,
    Winner,
    add,
    at,
    bound_here,
    free,
    letters_in,
    mul,
    neg,
    number,
    over,
    places,
    power,
    rename,
    replaced,
    slots_of,
    sub,
    substitute,
    total,
    with_slots,
)
from .grow import Grower, M, N

Scope = tuple[Letter, ...]
Law = Callable[["Disguise", Node, Scope], "Node | None"]
LAWS: list[Law] = []
BIGGEST = 60  # nodes of a formula past which laws that make it longer are left alone


def law(function: Law) -> Law:
    LAWS.append(function)
    return function


class Disguise:
    """Applies laws at random places of a formula."""

    def __init__(self, rng: random.Random, case: Case, grower: Grower) -> None:
        self.rng, self.case, self.grower = rng, case, grower

    def __call__(self, node: Node, scope: Scope, steps: int) -> tuple[Node, list[str]]:
        how: list[str] = []
        for _ in range(steps):
            for _ in range(12):
                changed = self.once(node, scope)
                if changed is not None:
                    node, name = changed
                    how.append(name)
                    break
        return node, how

    def once(self, node: Node, scope: Scope) -> tuple[Node, str] | None:
        """A law drawn first, then a place where it says something: rare ones have their turn."""
        found = list(places(node, scope))
        if len(found) + 8 > BIGGEST:
            return None
        rule = self.rng.choice(CASE_LAWS if self.cased() else LAWS)
        for place, part, inner in self.rng.sample(found, min(len(found), 12)):
            new = rule(self, part, inner)
            if new is not None and new != part:
                return replaced(node, place, new), rule.__name__
        return None

    def cased(self) -> bool:
        return self.grower.cases and self.rng.random() < 0.6

    def plain_axes(self, parts: tuple[Node, ...], letter: Letter) -> bool:
        """Where the letter stands alone, the axis is as long as its range."""
        return all(
            n == letter.size
            for part in parts
            if isinstance(part, Ref)
            for s, n in zip(part.slots, self.case.shape(part.name), strict=True)
            if s == at(letter)
        )

    def other(self, letter: Letter, taken: frozenset[str]) -> Letter:
        return self.grower.fresh(letter.size, taken)

    def new(self, length: Size, scope: Scope, *nodes: Node) -> Letter:
        taken = {x.name for x in scope}.union(*map(letters_in, nodes))
        return self.grower.fresh(length, frozenset(taken))

    def small(self, scope: Scope) -> Node:
        """A short formula that may stand here, apart from bound letters that stand around."""
        grower = self.grower
        kinks, grower.kinks = grower.kinks, False
        try:
            return grower.formula(scope, self.rng.choice((0, 0, 1)))
        finally:
            grower.kinks = kinks


# ---------------------------------------------------------------------------------------- sums


@law
def other_letters(d: Disguise, node: Node, scope: Scope) -> Node | None:
    if not isinstance(node, Sum | MaxOver | Winner):
        return None
    old = d.rng.choice(bound_here(node))
    return rename(node, {old: d.new(old.size, scope, node)}, d.other)


@law
def sum_of_terms(d: Disguise, node: Node, scope: Scope) -> Node | None:
    match node:
        case Sum(letters, Add(args)):
            return add(*(Sum(letters, a) for a in args))
    return None


@law
def terms_in_one_sum(d: Disguise, node: Node, scope: Scope) -> Node | None:
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


@law
def order_of_sums(d: Disguise, node: Node, scope: Scope) -> Node | None:
    match node:
        case Sum(letters, Sum(more, body)):
            return Sum((*more, *letters), body)
        case Sum(letters, body) if len(letters) > 1:
            mixed = d.rng.sample(letters, len(letters))
            return Sum(tuple(mixed[:1]), Sum(tuple(mixed[1:]), body))
    return None


@law
def out_of_sum(d: Disguise, node: Node, scope: Scope) -> Node | None:
    match node:
        case Sum(letters, Mul(args)):
            apart = [a for a in args if not free(a) & set(letters)]
            inside = [a for a in args if free(a) & set(letters)]
            if apart and inside:
                return mul(*apart, Sum(letters, mul(*inside)))
    return None


@law
def into_sum(d: Disguise, node: Node, scope: Scope) -> Node | None:
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


@law
def constant_sum(d: Disguise, node: Node, scope: Scope) -> Node | None:
    if isinstance(node, Sum) and not free(node.body) & set(node.letters):
        return mul(*(Length(x.size) for x in node.letters), node.body)
    if d.rng.random() < 0.1:
        letter = d.new(d.rng.choice((N, M)), scope, node)
        return over(total(node, letter), Length(letter.size))
    return None


@law
def whole_and_rest(d: Disguise, node: Node, scope: Scope) -> Node | None:
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


@law
def split_by_condition(d: Disguise, node: Node, scope: Scope) -> Node | None:
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


@law
def delta_inserted(d: Disguise, node: Node, scope: Scope) -> Node | None:
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


@law
def delta_used(d: Disguise, node: Node, scope: Scope) -> Node | None:
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


# ------------------------------------------------------------------------------------- algebra


@law
def multiplied_out(d: Disguise, node: Node, scope: Scope) -> Node | None:
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


@law
def square_of_sum(d: Disguise, node: Node, scope: Scope) -> Node | None:
    match node:
        case Pow(Sum(letters, body) as inner, e) if e == 2 and len(letters) == 1:
            fresh = d.new(letters[0].size, scope, inner)
            other = substitute(body, {letters[0]: at(fresh)}, d.other)
            return total(mul(body, other), letters[0], fresh)
    return None


@law
def factored(d: Disguise, node: Node, scope: Scope) -> Node | None:
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


@law
def other_order(d: Disguise, node: Node, scope: Scope) -> Node | None:
    if isinstance(node, Add | Mul | Largest):
        return replace(node, args=tuple(d.rng.sample(node.args, len(node.args))))
    return None


@law
def more_and_less(d: Disguise, node: Node, scope: Scope) -> Node | None:
    if d.rng.random() < 0.6:
        return None
    extra = d.small(scope)
    return add(node, extra, neg(extra)) if d.rng.random() < 0.5 else sub(add(node, extra), extra)


@law
def times_and_over(d: Disguise, node: Node, scope: Scope) -> Node | None:
    if d.rng.random() < 0.6:
        return None
    extra = d.grower.positive(scope, 1)
    return mul(extra, node, power(extra, -1))


@law
def halves(d: Disguise, node: Node, scope: Scope) -> Node | None:
    if d.rng.random() < 0.6:
        return None
    half = number(Fraction(1, 2))
    return d.rng.choice([add(mul(half, node), mul(half, node)), sub(mul(number(2), node), node)])


@law
def weights_that_sum_to_one(d: Disguise, node: Node, scope: Scope) -> Node | None:
    if d.rng.random() < 0.7:
        return None
    letter = d.new(d.rng.choice((N, M)), scope, node)
    score = d.grower.formula((*scope, letter), 0)
    second = d.new(letter.size, (*scope, letter), node, score)
    below = total(Fun("exp", substitute(score, {letter: at(second)}, d.other)), second)
    weight = over(Fun("exp", score), below)
    return total(mul(weight, node), letter)


# ----------------------------------------------------------------------------------- functions


@law
def exponentials(d: Disguise, node: Node, scope: Scope) -> Node | None:
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


@law
def softmax_shift(d: Disguise, node: Node, scope: Scope) -> Node | None:
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


@law
def known_functions(d: Disguise, node: Node, scope: Scope) -> Node | None:
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


@law
def logarithms(d: Disguise, node: Node, scope: Scope) -> Node | None:
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


@law
def powers(d: Disguise, node: Node, scope: Scope) -> Node | None:
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


@law
def trigonometry(d: Disguise, node: Node, scope: Scope) -> Node | None:
    match node:
        case Pow(Fun("sin", x), e) if e == 2:
            return sub(ONE, power(Fun("cos", x), 2))
        case Pow(Fun("cos", x), e) if e == 2:
            return sub(ONE, power(Fun("sin", x), 2))
    if d.rng.random() < 0.3:  # wherever it says nothing, times one
        x = d.small(scope)
        return mul(add(power(Fun("sin", x), 2), power(Fun("cos", x), 2)), node)
    return None


# ------------------------------------------------------------------------------------- maxima


@law
def maxima(d: Disguise, node: Node, scope: Scope) -> Node | None:
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


# --------------------------------------------------------------------------- tensors and names


@law
def symmetric_slots(d: Disguise, node: Node, scope: Scope) -> Node | None:
    match node:
        case Ref("S" | "C" as name, (a, b)) if name in d.case.inputs:
            return Ref(name, (b, a))
        case Ref("F", (a, b)) if "F" in d.case.inputs:
            return neg(Ref("F", (b, a)))
    return None


@law
def written_out(d: Disguise, node: Node, scope: Scope) -> Node | None:
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


@law
def matrices(d: Disguise, node: Node, scope: Scope) -> Node | None:
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


# --------------------------------------------------------------------------------------- slips


Slip = Callable[[Disguise, Node, Scope], "Node | None"]
SLIPS: list[Slip] = []


def slip(function: Slip) -> Slip:
    SLIPS.append(function)
    return function


def slipped(d: Disguise, node: Node, scope: Scope) -> tuple[Node, str] | None:
    """The formula with one slip."""
    found = list(places(node, scope))
    slips = d.rng.sample(SLIPS, len(SLIPS))
    for rule in d.rng.sample(CASE_SLIPS, len(CASE_SLIPS)) + slips if d.cased() else slips:
        for place, part, inner in d.rng.sample(found, min(len(found), 12)):
            new = rule(d, part, inner)
            if new is not None and new != part:
                return replaced(node, place, new), "slip: " + rule.__name__
    return None


@slip
def sign(d: Disguise, node: Node, scope: Scope) -> Node | None:
    return neg(node) if d.rng.random() < 0.4 else None


@slip
def factor(d: Disguise, node: Node, scope: Scope) -> Node | None:
    c = d.rng.choice((number(2), number(Fraction(1, 2)), Length(N), power(Length(M), -1)))
    return mul(c, node) if d.rng.random() < 0.4 else None


@slip
def other_index(d: Disguise, node: Node, scope: Scope) -> Node | None:
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


@slip
def transposed(d: Disguise, node: Node, scope: Scope) -> Node | None:
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


@slip
def dropped(d: Disguise, node: Node, scope: Scope) -> Node | None:
    if isinstance(node, Add | Mul | Largest) and len(node.args) > 1:
        k = d.rng.randrange(len(node.args))
        return type(node)(node.args[:k] + node.args[k + 1 :])
    return None


@slip
def other_power(d: Disguise, node: Node, scope: Scope) -> Node | None:
    if isinstance(node, Pow):
        e = d.rng.choice((node.exponent + 1, -node.exponent, node.exponent / 2))
        return power(node.base, e) if e != 0 else ONE
    return None


@slip
def off_by_one(d: Disguise, node: Node, scope: Scope) -> Node | None:
    match node:
        case Mask("<=", a, b):
            return d.rng.choice([Mask("<", a, b), Mask("<=", b, a)])
        case Mask("<", a, b):
            return d.rng.choice([Mask("<=", a, b), Mask("<", b, a)])
        case Mask("==", a, b):
            return Mask("<=", a, b)
        case Mask("!=", a, b):
            return Mask("<", a, b)
        case Delta(a, b):
            shifted = Slot(b.parts, Size(b.const.parts, b.const.const - 1))
            return d.rng.choice([Mask("<=", a, b), Delta(a, shifted)])
    return None


@slip
def other_offset(d: Disguise, node: Node, scope: Scope) -> Node | None:
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


@slip
def other_function(d: Disguise, node: Node, scope: Scope) -> Node | None:
    match node:
        case Fun(name, arg):
            near = {"sin": "cos", "cos": "sin", "tanh": "sigmoid", "sigmoid": "tanh"}
            if name in near:
                return Fun(near[name], arg)
            return Fun(name, neg(arg)) if name in ("exp", "softplus") else None
    return None


@slip
def other_tensor(d: Disguise, node: Node, scope: Scope) -> Node | None:
    if not isinstance(node, Ref):
        return None
    shape = d.case.shape(node.name)
    near = [x for x in (*d.case.inputs, *(f.name for f in d.case.defs))
            if x != node.name and d.case.shape(x) == shape]  # fmt: skip
    if near and all(d.grower.names.__contains__(x) or d.case.definition(x) for x in near):
        return replace(node, name=d.rng.choice(sorted(near)))
    return None


@slip
def sum_too_wide(d: Disguise, node: Node, scope: Scope) -> Node | None:
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


@slip
def sum_dropped(d: Disguise, node: Node, scope: Scope) -> Node | None:
    if not isinstance(node, Sum | MaxOver):
        return None
    letter = d.rng.choice(node.letters)
    near = [x for x in scope if x.size == letter.size and x not in node.letters]
    if not near:
        return None
    rest = tuple(x for x in node.letters if x != letter)
    body = substitute(node.body, {letter: at(d.rng.choice(near))}, d.other)
    return replace(node, letters=rest, body=body) if rest else body


@slip
def function_of_sum(d: Disguise, node: Node, scope: Scope) -> Node | None:
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


@slip
def factor_into_maximum(d: Disguise, node: Node, scope: Scope) -> Node | None:
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


@slip
def root_of_square(d: Disguise, node: Node, scope: Scope) -> Node | None:
    """√(x²) taken for x"""
    return power(power(node, 2), Fraction(1, 2)) if d.rng.random() < 0.3 else None


@slip
def largest_or_sum(d: Disguise, node: Node, scope: Scope) -> Node | None:
    match node:
        case MaxOver(letters, body):
            return d.rng.choice([Sum(letters, body), neg(MaxOver(letters, neg(body)))])
        case Largest(args) if len(args) == 2:
            return d.rng.choice([args[0], neg(Largest(tuple(map(neg, args))))])
        case Winner(slot, letter, body):
            return Winner(slot, letter, neg(body))
    return None


Any_ = Any
