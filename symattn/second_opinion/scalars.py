"""Zeros of the second opinion: denominators cleared, angles taken apart, sums taken together."""

from __future__ import annotations

from fractions import Fraction

import mpmath

from .algebra import (
    F0,
    F1,
    HALF,
    ONE,
    PI,
    PLAINER,
    ZERO,
    Node,
    Poly,
    call,
    divided,
    free,
    lone,
    merged,
    poly,
    product,
    times,
    turned,
)
from .scopes import PLAIN, identified, opened

ANGLES = (("call", "sin"), ("call", "cos"))
ROOTS = ("abs", "softplus")  # are left as they stand
COSINES = {0: ONE, 1: poly(3) ** HALF * HALF, 2: poly(2) ** HALF * HALF, 3: poly(HALF), 6: ZERO}
TWELFTHS = {0: 0, 2: 1, 3: 2, 4: 3, 6: 6}  # multiples of π/12 with a cosine above


class Zeros:
    """Expressions that are 0, and what has been met inside of brackets."""

    def __init__(self) -> None:
        self.known: list[Poly] = []

    def vanish(self, p: Poly) -> bool:
        """p = 0: equal brackets as one, no denominators, sin and cos of single angles, then Σ."""
        p = angles(cleared(self.settled(p)))
        p = cleared(merged(t for m, c in p for t in identified(m) * c))
        for key in {a[1] for m, _ in p for a, e in m if a[0] == "sum" and e == 1}:
            terms = [(m, c, a) for m, c in p for a, e in m if a[:2] == ("sum", key) and e == 1]
            letters, _ = opened(terms[0][2])
            if self.vanish(merged(x for m, c, a in terms for x in inside(m, a, letters) * c)):
                p = Poly(t for t in p if t not in {(m, c) for m, c, _ in terms})
        return not p or number_is_zero(p)

    def settled(self, p: Poly) -> Poly:
        """Equal brackets as one, innermost first."""
        return merged(t for m, c in p for t in times(self.factor(a, e) for a, e in m) * c)

    def factor(self, atom: Node, e: Fraction) -> Poly:
        """A factor with what is in brackets replaced by what was met before and is equal to it."""
        match atom:
            case ("poly", x):
                return self.same(x) ** e
            case ("call", name, x):
                f = PLAINER.get(name) if name not in ROOTS else None
                y = self.same(x)
                return (f(y) if f else call(name, y)) ** e
            case ("sum", *_) if e != 1:
                return self.same(poly(atom)) ** e
        return product([(atom, e)])

    def same(self, p: Poly) -> Poly:
        """The first bracket met that is p or −p, with that sign."""
        p = self.settled(p)
        if p in self.known:
            return p
        for q in [q for q in self.known if free(p) == free(q)]:
            for side in (1, -1):
                if self.vanish(p - q * side):
                    return q * side
        self.known.append(p)
        return p


def inside(mono: Node, atom: Node, letters: list[Node]) -> Poly:
    """What stands below a sum with the factors beside it, its indices as these letters."""
    body: Poly = PLAIN.walk(atom[-1], dict(enumerate(map(lone, letters))))
    return body * Poly({(frozenset(f for f in mono if f != (atom, F1)), F1)})


def cleared(p: Poly) -> Poly:
    """p times what it is divided by, so that it is 0 just when that is."""
    for _ in range(4):
        worst: dict[Node, Fraction] = {}
        for a, e in (pair for m, _ in p for pair in m if pair[0][:2] != ("call", "exp")):
            worst[a] = min(e, worst.get(a, F0))
        below = [(a, e) for a, e in worst.items() if e < 0]
        if not below:
            break
        p = divided(p, F1, below)
    return p


def angles(p: Poly) -> Poly:
    """Sines and cosines of sums and multiples by those of single angles."""
    every = [t for m, _ in p for a, _ in m if a[:2] in ANGLES for t in a[2]]
    least = {m: min(abs(c) for n, c in every if n == m) for m, _ in every}
    units = merged((t, F1) for pair in least.items() for t, _ in call("cos", Poly({pair})))
    found = ZERO
    for m, c in p:
        parts = [turned(a[1], a[2], units) ** e if a[:2] in ANGLES else poly(a, e) for a, e in m]
        found = found + times(map(settled, parts)) * c
    return found


def settled(p: Poly) -> Poly:
    """Multiples of π by their sines and cosines."""
    return merged(t for m, c in p for t in times(constant(a, e) for a, e in m) * c)


def constant(atom: Node, e: Fraction) -> Poly:
    """cos(k π/12) and sin(k π/12) for k = 0, 2, 3, 4, 6, in all quadrants."""
    turn = (
        [c for m, c in atom[2] if m == frozenset({(("ref", PI, ()), F1)})] if len(atom) > 2 else []
    )
    if atom[:2] not in ANGLES or len(atom[2]) != 1 or not turn or (turn[0] * 12).denominator != 1:
        return poly(atom, e)
    k = int(turn[0] * 12) - (6 if atom[1] == "sin" else 0)
    k = abs(k) % 24
    k, side = (k if k <= 12 else 24 - k), 1
    k, side = (k, 1) if k <= 6 else (12 - k, -1)
    return (COSINES[TWELFTHS[k]] * side) ** e if k in TWELFTHS else poly(atom, e)


def number_is_zero(p: Poly) -> bool:
    """A + B √x = 0 for numbers: A² = B² x, and A and B have opposite signs."""
    roots = sorted((a for m, _ in p for a, _ in m), key=str)
    if not roots or any(a[0] not in ("num", "poly") or names(a) for a in roots):
        return False
    root = max(roots, key=lambda a: len(str(a)))
    b = Poly((m - {(root, HALF)}, c) for m, c in p if (root, HALF) in m)
    a = Poly((m, c) for m, c in p if (root, HALF) not in m)
    if not a or not b or any(root == x for m, _ in a + b for x, _ in m):
        return False
    under = poly(root[1])
    opposite = value(a) * value(b) < 0
    rest = a**2 - b**2 * under
    return opposite and (not rest or number_is_zero(rest))


def names(node: Node) -> bool:
    """Anything but numbers in a node."""
    if isinstance(node, tuple) and node and node[0] in ("ref", "call", "sum", "i", "max"):
        return True
    return isinstance(node, tuple | frozenset) and any(map(names, node))


def value(p: Poly) -> mpmath.mpf:
    """A number in the digits in force."""

    def atom(a: Node) -> mpmath.mpf:
        return mpmath.mpf(int(a[1])) if a[0] == "num" else value(a[1])

    def power(e: Fraction) -> mpmath.mpf:
        return mpmath.mpf(e.numerator) / e.denominator

    return mpmath.fsum(power(c) * mpmath.fprod(atom(a) ** power(e) for a, e in m) for m, c in p)
