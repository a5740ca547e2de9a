"""Losses of weights at large scores, in few digits, against ball arithmetic.

Scores of thousands, masks and weights of 0, mixtures, weights that are normalised in turn: a value
or gradient is right where it is off by no more than what moves of the inputs in their last digit
and rounding of what is added up make.
"""

from __future__ import annotations

import random
import warnings
from collections.abc import Callable
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

import numpy as np

import symattn as sa

from . import balls
from .derivatives import Derived, Task, failed
from .formulas import (
    ONE,
    Case,
    Def,
    Fun,
    Letter,
    Node,
    Statement,
    Tensor,
    add,
    mul,
    neg,
    number,
    over,
    power,
    ref,
    sub,
    total,
)
from .grow import size
from .judge import asked
from .shrink import shrunk
from .translate import Snippet, Sympy
from .values import NoValue

N, M, D = size("n"), size("m"), size("d")
SIZES = {"n": 2, "m": 3, "d": 2}
I, K, P = (Letter(x, N) for x in "ikp")
J, L, R = (Letter(x, M) for x in "jlr")
A = Letter("a", D)
INPUTS = {
    t.name: t
    for t in (
        Tensor("Z", (N, M)),
        Tensor("T", (N, M)),
        Tensor("X", (N, D)),
        Tensor("C", (M, D)),
        Tensor("u", (N,)),
        Tensor("v", (M,)),
        Tensor("Y", (N, M)),
        Tensor("H", (N,)),
        Tensor("B", (N, M)),
        Tensor("w", (M,)),
    )
}
SCORES = ("Z", "T", "u", "v")  # as large as the scale says
ROOTS = ("X", "C")  # as its root
BITS = ("B", "w")  # 0 or 1
WRT = (*SCORES, *ROOTS)
SCALES = {np.float32: (1, 30, 300, 3000), np.float16: (1, 10, 100)}
Of = Callable[[Letter, Letter], Node]


@dataclass(frozen=True)
class Way:
    """The digits, the scale of scores and whether they have an offset."""

    dtype: Any
    scale: float
    offset: float


# ---------------------------------------------------------------------------------------- growing


def exp(x: Node) -> Node:
    return Fun("exp", x)


def log(x: Node) -> Node:
    return Fun("log", x)


def root(x: Node) -> Node:
    return power(x, Fraction(1, 2))


def half(x: Node) -> Node:
    return mul(number(Fraction(1, 2)), x)


def other(letter: Letter) -> Letter:
    return {I: K, K: P, P: I, J: L, L: R, R: J}[letter]


def distance(x: Letter, y: Letter) -> Node:
    return neg(half(total(power(sub(ref("X", x, A), ref("C", y, A)), 2), A)))


FORMS: list[Of] = [
    lambda x, y: ref("Z", x, y),
    lambda x, y: total(mul(ref("X", x, A), ref("C", y, A)), A),
    distance,
    lambda x, y: add(ref("u", x), ref("v", y)),
    lambda x, y: sub(ref("Z", x, y), ref("v", y)),
    lambda x, y: add(mul(number(2), ref("Z", x, y)), ref("T", x, y)),
    lambda x, y: Fun("softplus", ref("Z", x, y)),
    lambda x, y: add(mul(number(3), Fun("tanh", over(ref("Z", x, y), number(3)))), ref("v", y)),
]
HELD: list[Of] = [
    lambda x, y: number(1),
    lambda x, y: number(1),
    lambda x, y: ref("B", x, y),
    lambda x, y: ref("w", y),
]


class Losses:
    """Draws a loss of weights of scores."""

    def __init__(self, rng: random.Random) -> None:
        self.rng, self.defs = rng, list[Def]()

    def named(self, name: str, of: Of, chance: float = 0.5) -> Of:
        """The same, at times as a definition."""
        if self.rng.random() >= chance:
            return of
        self.defs.append(Def(name, (I, J), of(I, J)))
        return lambda x, y: ref(name, x, y)

    def weight(self, score: Of, held: Of) -> tuple[Of, bool]:
        """A weight of scores, and whether it is between 0 and 1 and never 0."""
        one = self.rng.random() < 0.25

        def softmax(x: Letter, y: Letter) -> Node:
            z = other(y)
            below = total(mul(held(x, z), exp(score(x, z))), z)
            return over(mul(held(x, y), exp(score(x, y))), add(below, number(1)) if one else below)

        def columns(x: Letter, y: Letter) -> Node:
            z = other(x)
            return over(exp(score(x, y)), total(exp(score(z, y)), z))

        def one_of_two(x: Letter, y: Letter) -> Node:
            return over(exp(score(x, y)), add(exp(score(x, y)), exp(ref("u", x))))

        def normed(x: Letter, y: Letter) -> Node:
            z = other(y)
            squares = total(exp(mul(number(2), score(x, z))), z)
            return over(exp(score(x, y)), root(squares))

        whole = held(I, J) == number(1)
        return self.rng.choice(
            [
                (softmax, whole),
                (softmax, whole),
                (columns, True),
                (one_of_two, True),
                (lambda x, y: Fun("sigmoid", score(x, y)), True),
                (lambda x, y: half(add(number(1), Fun("tanh", score(x, y)))), True),
                (normed, True),
            ]
        )

    def body(self) -> Node:
        """What is summed over i and j."""
        rng = self.rng
        score = self.named("S", rng.choice(FORMS))
        held, y = rng.choice(HELD), ref("Y", I, J)
        if rng.random() < 0.25:
            return mul(y, self.log_of_sum(score, held))
        first, safe = self.weight(score, held)
        first = self.named("P", first)
        kind = rng.randrange(4)
        if kind == 0 and safe:  # weights that are normalised along the other axis
            inner = first
            first = self.named(
                "G", lambda x, y: over(inner(x, y), total(inner(other(x), y), other(x)))
            )
        elif kind == 1:
            second = self.named("R", self.weight(rng.choice(FORMS), lambda x, y: number(1))[0])
            first, safe = self.mixed(first, second, safe)
        p = first(I, J)
        if not safe:
            return mul(y, rng.choice([p, power(p, 2), log(add(number(1), p)), exp(p)]))
        one = sub(number(1), p)
        return rng.choice(
            [
                mul(y, log(p)),
                mul(y, log(p)),
                mul(y, p),
                mul(p, log(p)),
                mul(y, root(p)),
                mul(y, log(add(number(1), p))),
                over(y, add(number(1), p)),
                mul(y, one, p),
                mul(y, power(log(p), 2)),
                mul(y, power(p, 2), log(p)),
                mul(y, power(one, 2), log(p)),
                mul(y, log(add(p, over(number(1), number(100))))),
                mul(y, p, ref("Z", I, J)),
            ]
        )

    def log_of_sum(self, score: Of, held: Of) -> Node:
        """log Σ w e^s, beside others at times, less a score."""
        rng, c = self.rng, number(self.rng.choice((1, 1, 2)))
        inside = total(mul(held(I, L), exp(over(score(I, L), c))), L)
        inside = rng.choice([inside, inside, add(number(1), inside), add(inside, exp(ref("u", I)))])
        value = mul(c, log(inside))
        value = rng.choice([value, sub(value, score(I, J)), power(value, 2)])
        return rng.choice([value, value, Fun("tanh", value), Fun("sigmoid", neg(value))])

    def mixed(self, p: Of, r: Of, safe: bool) -> tuple[Of, bool]:
        """Two weights together."""
        forms: list[tuple[Of, bool]] = [
            (lambda x, y: half(add(p(x, y), r(x, y))), True),
            (lambda x, y: mul(p(x, y), r(x, y)), safe),
            (lambda x, y: over(p(x, y), add(p(x, y), r(x, y))), safe),
            (lambda x, y: root(mul(p(x, y), r(x, y))), safe),
        ]
        form, good = self.rng.choice(forms)
        return self.named("F", form), good

    def loss(self) -> Case:
        body, kind = self.body(), self.rng.randrange(6)
        if kind < 4:
            last = total(body, I, J)
        elif kind == 4:
            self.defs.append(Def("E", (I,), total(body, J)))
            last = total(mul(ref("H", I), Fun("tanh", ref("E", I))), I)
        else:
            last = log(total(exp(Fun("tanh", body)), I, J))
        self.defs.append(Def("L", (), last))
        return Case(INPUTS, tuple(self.defs)).used(ref("L"))


# ---------------------------------------------------------------------------------------- judging

MOVES = 2  # of all inputs by one in their last digit
LOOSE = 60  # times what these moves make and what is added up is rounded by
ADDED = 200  # roundings of numbers as large as what is multiplied, where all of it cancels


def drawn_arrays(case: Case, way: Way, seed: int) -> dict[str, Any]:
    rng = np.random.default_rng(seed)
    arrays = {}
    for name, tensor in sorted(case.inputs.items()):
        x = rng.normal(size=tuple(s.value(SIZES) for s in tensor.shape))
        if name in SCORES:
            x = x * way.scale + way.offset * rng.normal()
        elif name in ROOTS:
            x = x * way.scale**0.5
        elif name in BITS:
            x = (rng.random(x.shape) < rng.choice((0.3, 0.7))) * 1.0
        arrays[name] = x.astype(way.dtype)
    return arrays


def compiled(case: Case, wrt: tuple[str, ...]) -> Any:
    system = Sympy(case).system()
    what = {"L": system["L"], "bars": sa.backward(system, output="L", wrt=wrt)}
    return sa.compile(what, given=system, target="numpy")


def compare(case: Case, f: Any, way: Way, seed: int) -> str:
    """What is off; NoValue where the right numbers are none of this many digits."""
    arrays, info = drawn_arrays(case, way, seed), np.finfo(way.dtype)
    wrt = tuple(x for x in arrays if x in WRT)
    value, slopes = balls.gradients(case, SIZES, arrays, "L", wrt)
    if max(abs(value), *(abs(g).max() for g in slopes.values())) > float(info.max) / 100:
        raise NoValue("too large")
    rng, eps = np.random.default_rng(5), float(info.eps)
    right = {"L": np.asarray(value), **slopes}
    moved = {x: np.zeros(np.shape(v)) for x, v in right.items()}
    for _ in range(MOVES):
        near = {
            x: np.float64(v) * (1 + eps * rng.choice((-1, 1), v.shape)) for x, v in arrays.items()
        }
        there, steep = balls.gradients(case, SIZES, near, "L", wrt)
        for x, v in {"L": there, **steep}.items():
            moved[x] = np.maximum(moved[x], abs(v - right[x]))
    with np.errstate(all="ignore"), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        given = {**arrays, "L_bar": way.dtype(1)}
        made = f(**{x: v for x, v in given.items() if x in f.inputs})
    found = {"L": made["L"], **made["bars"]}
    for x, want in right.items():
        have = np.asarray(found[x], float)
        if not np.isfinite(have).all():
            return f"{x}: {have.ravel()}, right is {want.ravel()}"
        allowed = LOOSE * (moved[x] + eps * (abs(want) + abs(want).max()))
        allowed = allowed + 100 * float(info.tiny) + ADDED * eps * multiplied(x, arrays, way)
        if (abs(have - want) > allowed).any():
            place = np.unravel_index(np.argmax(abs(have - want) / allowed), want.shape)
            by = LOOSE * (abs(have - want) / allowed)[place]
            return f"{x}: {have[place]:.7g}, right is {want[place]:.7g}, {by:.2g} times a rounding"
    return ""


def multiplied(name: str, arrays: dict[str, Any], way: Way) -> float:
    """How large what is added up for a result is."""
    top = {x: max(1.0, float(abs(v).max())) for x, v in arrays.items()}
    each = top.get("Y", 1.0) * top.get("H", 1.0) * max(1.0, way.scale / 30)
    return each * ((top.get("X", 1.0) + top.get("C", 1.0)) if name in ROOTS else 1.0)


def check(case: Case, way: Way, seed: int) -> Derived:
    wrt = tuple(x for x in sorted(case.inputs) if x in WRT)
    t = Task(case, "backward", "L", wrt)
    made = asked(lambda: compiled(case, wrt))
    early = failed(made)
    if early:
        gone = "does not depend on" in early[1]  # as by the u of e^{u+z} / Σ e^{u+z}
        return Derived(t, "none") if gone else Derived(t, *early, made.seconds)
    try:
        answer = asked(lambda: compare(case, made.value, way, seed))
    except NoValue:
        return Derived(t, "none")
    late = failed(answer)
    if late:
        return Derived(t, f"call: {late[0]}", late[1], made.seconds)
    return Derived(t, "wrong value" if answer.value else "right", answer.value, made.seconds)


def drawn(seed: int) -> tuple[Derived, Way] | None:
    """What came of a random loss that has a value."""
    rng = random.Random(f"digits {seed}")
    for _ in range(8):
        case = Losses(rng).loss()
        dtype = rng.choice((np.float32, np.float32, np.float16))
        scale = rng.choice(SCALES[dtype])
        way = Way(dtype, scale, rng.choice((0, 0, 1)) * scale)
        if not any(x in WRT for x in case.inputs):
            continue
        found = check(case, way, seed)
        if found.said != "none":
            return found, way
    return None


def small(found: Derived, way: Way, seed: int) -> Derived:
    """The loss made short, with the same fault."""
    last = [found]

    def still(s: Statement) -> bool:
        if s.case.definition("L") is None or not any(x in WRT for x in s.case.inputs):
            return False
        new = check(s.case, way, seed)
        finite = ["nan" in d.detail or "inf" in d.detail for d in (found, new)]
        if new.said != found.said or finite[0] is not finite[1]:
            return False
        last[0] = new
        return True

    def kept(s: Statement) -> Statement:
        return replace(s, case=s.case.used(ref("L")))

    shrunk(Statement(found.task.case, (), ONE, ONE), still, kept)
    return last[0]


def snippet(found: Derived, way: Way, seed: int) -> str:
    wrt = ", ".join(f'"{x}"' for x in found.task.wrt)
    bars = f'sa.backward(system, output="L", wrt=({wrt},))'
    made = f"f = sa.compile({{'L': system['L'], 'bars': {bars}}}, given=system, target='numpy')"
    arrays = drawn_arrays(found.task.case, way, seed)
    return f"{Snippet(found.task.case).head()}\n{made}  # {way}\n# {arrays}"
