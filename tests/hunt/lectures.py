"""Pages of worked examples, each with a function of one name, and what is claimed of each.

What is so is found by differences of the function itself in floating point; SymPy draws the
functions, prints them and proposes their derivatives.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from random import Random

import numpy as np
import sympy as sp

from . import pages
from .tex import Misfit, Unreadable, scalar, side
from .values import NoValue

EXAMPLES = (2, 3, 4)
EACH = 5  # questions of either kind a page
POINTS = (0.4, 0.7, 1.3, 2.1)  # where functions with roots and logarithms have values
SAME, APART = 1e-5, 1e-3
TOLD = 0.4  # how many of the claims are meant to be one slip away

x, y, a, b, c = sp.symbols("x y a b c", positive=True)
PARAMETERS = {a: 1.7, b: 0.6, c: 2.3}
LEADS = ("Let", "Take", "Consider", "Now let", "Next consider", "As another example, let",
         "**Example {}.** Let", "**Example {}.** Consider", "Example {}: take",
         "Suppose that")  # fmt: skip
THEN = ("Then", "Its derivative is", "The derivative is", "Differentiating gives", "So",
        "By the chain rule,", "We find", "It follows that")  # fmt: skip
TWICE = ("The second derivative is", "Once more,", "Deriving again gives", "Its curvature is")
INVERSE = ("Its inverse is", "Solving for the argument gives", "The inverse function is")
BELOW = ("In particular,", "At this point", "At $x = {}$ we have", "So at $x = {}$,", "Thus")


OF: tuple[Callable[[sp.Expr], sp.Expr], ...] = (
    sp.exp, sp.log, sp.sin, sp.cos, sp.tanh, sp.atan, sp.sqrt,
    lambda u: 1 / (1 + sp.exp(-u)), lambda u: sp.exp(-u), lambda u: sp.exp(-(u**2) / 2),
    lambda u: sp.log(1 + sp.exp(u)),
)  # fmt: skip


@dataclass(frozen=True)
class Claim(pages.Claim):
    """An equation of a page, with the value of its left side."""

    left: Callable[[float], float]


def functions(rng: Random) -> sp.Expr:
    """A function of x as the examples of a calculus course have it."""
    k, n = rng.randint(2, 4), rng.randint(2, 5)
    p = rng.choice((sp.Integer(k), a, b))
    inner = rng.choice((p * x, x**2, x + p, p * x + 1, x**2 + 1, x))
    plain = [x**n, p * x**2, p * x, x**n - k * x, x**2 + p * x + c, sp.sqrt(x), 1 / x, 1 / x**2,
             (x + p) ** k, x / (x + p)]  # fmt: skip
    outer = rng.choice(OF)(inner)
    mixed = [rng.choice(plain), outer, outer, outer + rng.choice(plain), rng.choice(plain) * outer,
             p * outer, p**x, x**x, sp.sin(x) * sp.exp(-p * x), outer**2]  # fmt: skip
    return rng.choice(mixed)


def slipped(rng: Random, f: sp.Expr) -> sp.Expr:
    """One slip away, as a person makes it."""
    terms, factors = sp.Add.make_args(f), sp.Mul.make_args(f)
    ways = [-f, 2 * f, f + 1, f / 2, f * x]
    if len(terms) > 1:
        ways += [sp.Add(*terms[1:]), f - 2 * terms[0], f - 2 * terms[-1], sp.Add(*terms[:-1])]
    if len(factors) > 1:
        ways += [sp.Mul(*factors[1:]), sp.Mul(*factors[:-1])]
    powers = [p for p in f.atoms(sp.Pow) if p.exp.is_Integer and p.base.has(x)]
    ways += [f.xreplace({p: p.base ** (p.exp + 1)}) for p in powers[:2]]
    return rng.choice(ways)


def value(f: sp.Expr, at: float) -> float:
    found = f.subs({**PARAMETERS, x: sp.Float(at, 30), y: sp.Float(at, 30)}).evalf(25)
    return float(found) if found.is_real else math.nan


def slope(f: sp.Expr, at: float, step: float = 1e-4) -> float:
    """The derivative, by five values."""
    v = [value(f, at + k * step) for k in (-2, -1, 1, 2)]
    return (v[0] - 8 * v[1] + 8 * v[2] - v[3]) / (12 * step)


def bend(f: sp.Expr, at: float, step: float = 1e-3) -> float:
    """The second derivative, by five values."""
    v = [value(f, at + k * step) for k in (-2, -1, 0, 1, 2)]
    return (-v[0] + 16 * v[1] - 30 * v[2] + 16 * v[3] - v[4]) / (12 * step**2)


def agrees(left: Callable[[float], float], right: Callable[[float], float]) -> bool | None:
    """True where both are one, False where they are not, None where that is open."""
    gaps = []
    for at in POINTS:
        try:
            l, r = left(at), right(at)
        except (OverflowError, ValueError, TypeError, ZeroDivisionError):
            continue
        if math.isfinite(l) and math.isfinite(r):
            gaps.append(abs(l - r) / (1 + abs(l) + abs(r)))
    if len(gaps) < 2:
        return None
    return True if max(gaps) < SAME else False if max(gaps) > APART else None


def printed(f: sp.Expr) -> str:
    return str(sp.latex(f, ln_notation=False))


class Page:
    """Paragraphs, and the claims in them."""

    def __init__(self, seed: int) -> None:
        self.rng = Random(f"lecture {seed}")
        self.lines: list[str] = []
        self.claims: list[Claim] = []
        self.name = self.rng.choice("fghuF")
        self.shown = self.rng.choice(("always", "never", "either"))
        for k in range(self.rng.choice(EXAMPLES)):
            self.example(k + 1)

    def display(self) -> bool:
        return self.shown == "always" or (self.shown == "either" and self.rng.random() < 0.5)

    def say(self, words: str, latex: str, tail: str = ".") -> int:
        """Words with a formula in a sentence or in a display below; its line."""
        if not self.display():
            self.lines += [f"{words} ${latex}${tail}", ""]
            return len(self.lines) - 1
        self.lines += [words, "", f"$$ {latex}{tail} $$", ""]
        return len(self.lines) - 1

    def claim(
        self, words: str, left: str, right: sp.Expr, so: Callable[[float], float], at: sp.Expr = x
    ) -> None:
        """An equation that is so or is not; `so` is the value of its left side."""
        latex = f"{left} = {printed(right)}"
        line = self.say(words, latex)
        holds = agrees(so, lambda t: value(right.subs(y, at), t))
        if holds is not None:
            self.claims.append(Claim(line, latex, holds, so))

    def told(self, right: sp.Expr) -> sp.Expr:
        """One of its forms, or one slip away from it."""
        ways = (right, right, sp.simplify(right), sp.expand(right), sp.factor(right))
        found = self.rng.choice(ways)
        return slipped(self.rng, found) if self.rng.random() < TOLD else found

    def example(self, k: int) -> None:
        rng, name = self.rng, self.name
        f = functions(rng)
        plain = rng.random() < 0.2  # y = x^2, and no function of that name
        given = "y" if plain else f"{name}(x)"
        self.say(rng.choice(LEADS).format(k), f"{given} = {printed(f)}")
        made = sp.diff(f, x)
        if plain:
            left = rng.choice((r"\frac{dy}{dx}", "y'"))
            self.claim(rng.choice(THEN), left, self.told(made), lambda t: slope(f, t))
            return
        left = rng.choice((f"{name}'(x)", rf"\frac{{d{name}}}{{dx}}", f"{name}'"))
        self.claim(rng.choice(THEN), left, self.told(made), lambda t: slope(f, t))
        if rng.random() < 0.25:
            left = rng.choice((f"{name}''(x)", rf"\frac{{d^2 {name}}}{{dx^2}}"))
            self.claim(rng.choice(TWICE), left, self.told(sp.diff(made, x)), lambda t: bend(f, t))
        if rng.random() < 0.25:
            put = rng.choice((x + 1, 2 * x, x**2, -x, a * x, 1 / x))
            left = f"{name}({printed(put)})"
            right = self.told(f.subs(x, put))
            self.claim("Thus", left, right, lambda t: value(f, value(put, t)))
        if rng.random() < 0.5:
            at = rng.choice((1, 2))
            number = made.subs(x, at)
            if rng.random() < TOLD:
                number = rng.choice((2 * number, -number, number + 1))
            words = rng.choice(BELOW).format(at)
            self.claim(words, f"{name}'({at})", number, lambda t: slope(f, at))
        if rng.random() < 0.25:
            self.inverse(f)

    def inverse(self, f: sp.Expr) -> None:
        """Where there is one that SymPy writes with one formula."""
        try:
            found = [g for g in sp.solve(sp.Eq(f, y), x) if not g.has(sp.I, sp.LambertW)]
        except (NotImplementedError, ValueError, TypeError):
            return
        if len(found) != 1 or not monotone(f):
            return
        right = found[0]
        if self.rng.random() < TOLD:
            right = slipped(self.rng, right.subs(y, x)).subs(x, y)
        words = self.rng.choice(INVERSE)
        self.claim(words, f"{self.name}^{{-1}}(y)", right, lambda t: t, f)


def monotone(f: sp.Expr) -> bool:
    try:
        seen = [value(f, 0.1 + 0.2 * k) for k in range(20)]
    except (OverflowError, TypeError):
        return False
    return all(s < t for s, t in pairwise(seen)) or all(s > t for s, t in pairwise(seen))


@lru_cache(maxsize=64)
def page(seed: int) -> tuple[str, tuple[Claim, ...]]:
    """The text, and its claims that are so or are not."""
    made = Page(seed)
    return "\n".join(made.lines), tuple(made.claims)


def mended(latex: str, claim: Claim) -> bool | None:
    """Whether the left side is what a correction says; None where that is open."""
    if "(y)" in claim.latex.split("=")[0]:
        return None
    try:
        read, _ = side(latex, {})
    except Unreadable:
        return None
    named = {p.name: v for p, v in PARAMETERS.items()}

    def right(t: float) -> float:
        return float(np.squeeze(scalar(read({**named, "x": t, "n": 2.0, "sizes": {}}))))

    try:
        return agrees(claim.left, right)
    except (KeyError, NoValue, Misfit, Unreadable):  # in terms of f, say
        return None


asked_of = pages.Pages(page, EACH, lambda number: number % 2 == 0, mended)

__all__ = ["Claim", "asked_of", "page"]
