"""Texts on matrices of kinds that words name: let $P$ be a permutation matrix.  Then … .

One side is drawn as a tree, the other is made of it by laws of the kinds, with a slip or without;
whether a claim is so is found at matrices that are drawn as the words say.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from random import Random
from typing import Any

import numpy as np

from .pages import Claim, Pages

Tree = tuple[
    Any, ...
]  # ("name", A), ("turned", x), ("inverse", x), ("times", …), ("plus", (c, x) …)
ONE: Tree = ("one",)
NAMES = ["A", "B", "C", "D", "G", "H", "M", "N", "P", "Q", "R", "S", "W", "X"]
SIZES = (2, 3, 4, 5)
DRAWS = 3
LONGEST = 70


@dataclass(frozen=True)
class Kind:
    """Words, how one is drawn, and which laws hold: of A⊤, of A A, of A⁻¹."""

    words: tuple[str, ...]
    draw: Callable[[Any, Any], Any]
    turned: str = ""
    square: str = ""
    invertible: bool = False


def _other(a: Any) -> Any:
    return a + 3 * np.eye(len(a))


def _turn(a: Any) -> Any:
    return np.linalg.qr(a)[0]


def _ones(a: Any, rest: float) -> Any:
    ones = np.full(len(a), rest)
    ones[: max(len(a) // 2, 1)] = 1.0
    return np.diag(ones)


def _house(a: Any) -> Any:
    u = a[:, 0] / np.linalg.norm(a[:, 0])
    return np.eye(len(a)) - 2 * np.outer(u, u)


def _null(a: Any) -> Any:
    u = a[:, 0]
    return np.outer(u, a[:, 1] - u * (u @ a[:, 1]) / (u @ u))


def _plain(a: Any, rest: float) -> Any:
    return _turn(a) @ _ones(a, rest) @ _turn(a).T


def _skewed(a: Any, rest: float) -> Any:
    return _other(a) @ _ones(a, rest) @ np.linalg.inv(_other(a))


KINDS = (
    Kind(("a square matrix", r"an $n \times n$ matrix"), lambda a, r: a),
    Kind(("symmetric", "a symmetric matrix", "a square matrix such that ${n}^\\top = {n}$"),
         lambda a, r: a + a.T, "same"),
    Kind(("skew-symmetric", "an antisymmetric matrix", "a square matrix with ${n}^\\top = -{n}$"),
         lambda a, r: a - a.T, "minus"),
    Kind(("orthogonal", "an orthogonal matrix", "a square matrix such that ${n}^\\top {n} = I$"),
         lambda a, r: _turn(a), "inverse", invertible=True),
    Kind(("diagonal", "a diagonal matrix"), lambda a, r: np.diag(np.diag(a)), "same"),
    Kind(("idempotent", "an idempotent matrix", "a square matrix such that ${n}^2 = {n}$"),
         lambda a, r: _skewed(a, 0.0), square="same"),
    Kind(("an orthogonal projection", "an orthogonal projector"),
         lambda a, r: _plain(a, 0.0), "same", "same"),
    Kind(("invertible", "an invertible matrix", "nonsingular"), lambda a, r: _other(a),
         invertible=True),
    Kind(("a symmetric positive definite matrix", "an SPD matrix"),
         lambda a, r: a @ a.T + np.eye(len(a)), "same", invertible=True),
    Kind(("an involution", "involutory", "a square matrix such that ${n}^2 = I$"),
         lambda a, r: _skewed(a, -1.0), square="one", invertible=True),
    Kind(("a square matrix such that ${n}^2 = 0$", "nilpotent of index two"),
         lambda a, r: _null(a), square="zero"),
    Kind(("upper triangular", "an upper triangular matrix"), lambda a, r: np.triu(a)),
    Kind(("a Householder reflection",), lambda a, r: _house(a), "same", "one", invertible=True),
    Kind(("a permutation matrix",), lambda a, r: np.eye(len(a))[r.permutation(len(a))],
         "inverse", invertible=True),
)  # fmt: skip


def value(tree: Tree, of: dict[str, Any], n: int) -> Any:
    """What a tree comes to."""
    head, *rest = tree
    if head == "name":
        return of[rest[0]]
    if head == "one":
        return np.eye(n)
    if head == "zero":
        return np.zeros((n, n))
    if head == "turned":
        return value(rest[0], of, n).T
    if head == "inverse":
        return np.linalg.inv(value(rest[0], of, n))
    if head == "trace":
        return np.trace(value(rest[0], of, n))
    if head == "plus":
        return sum(c * value(x, of, n) for c, x in rest)
    total = np.eye(n)
    for x in rest:
        total = total @ value(x, of, n)
    return total


def latex(tree: Tree, tight: bool = False) -> str:
    """A tree as it is written; `tight` where it is a factor or stands under a script."""
    head, *rest = tree
    if head in ("one", "zero"):
        return "I" if head == "one" else "0"
    if head == "name":
        return str(rest[0])
    if head in ("turned", "inverse"):
        inner, script = latex(rest[0], True), r"^\top" if head == "turned" else "^{-1}"
        bare = inner if "^" not in inner or inner.endswith(")") else f"({inner})"
        return bare + script
    if head == "trace":
        return rf"\operatorname{{tr}}({latex(rest[0])})"
    if head == "times":
        shown = " ".join(latex(x, x[0] == "plus") for x in rest)
        return f"({shown})" if tight else shown
    shown = ""
    for c, x in rest:
        sign = "-" if c < 0 else "+" if shown else ""
        number = "" if abs(c) == 1 else f"{abs(c)} "
        shown += f" {sign} {number}{latex(x)}"
    return f"({shown.strip()})" if tight else shown.strip()


def flat(tree: Tree) -> Tree:
    """Products of products and sums of sums written out."""
    head, *rest = tree
    if head == "times":
        parts = [y for x in map(flat, rest) for y in (x[1:] if x[0] == "times" else (x,))]
        parts = [x for x in parts if x != ONE]
        return ("times", *parts) if len(parts) > 1 else parts[0] if parts else ONE
    if head == "plus":
        terms = [(c, flat(x)) for c, x in rest]
        return (
            "plus",
            *(
                t
                for c, x in terms
                for t in ([(c * d, y) for d, y in x[1:]] if x[0] == "plus" else [(c, x)])
            ),
        )
    return (head, *map(flat, rest)) if head in ("turned", "inverse", "trace") else tree


def _drawn(rng: Random, kinds: dict[str, Kind], depth: int) -> Tree:
    way = rng.random()
    if depth == 0 or way < 0.2:
        name = rng.choice(sorted(kinds))
        own: Tree = ("name", name)
        ways = [own, own, ("turned", own)] + [("inverse", own)] * kinds[name].invertible
        return rng.choice(ways) if rng.random() < 0.92 else ONE
    several = range(rng.choice((2, 2, 3)))
    if way < 0.65:
        return ("times", *(_drawn(rng, kinds, depth - 1) for _ in several))
    if way < 0.88:
        signs = (1, rng.choice((1, 1, -1, 2)))
        return ("plus", *((c, _drawn(rng, kinds, depth - 1)) for c in signs))
    return ("turned", _drawn(rng, kinds, depth - 1))


def _law(name: Tree, law: str) -> Tree:
    return {"same": name, "minus": ("plus", (-1, name)), "inverse": ("inverse", name),
            "one": ONE, "zero": ("zero",)}.get(law, ("turned", name))  # fmt: skip


def rewritten(rng: Random, tree: Tree, kinds: dict[str, Kind]) -> Tree:
    """A tree with one law applied somewhere; itself where none fits."""
    head, *rest = tree
    if head in ("times", "plus") and rng.random() < 0.5:
        k = rng.randrange(len(rest))
        if head == "times":
            rest[k] = rewritten(rng, rest[k], kinds)
        else:
            rest[k] = rest[k][0], rewritten(rng, rest[k][1], kinds)
        return (head, *rest)
    if head == "trace":
        x = rest[0]
        if x[0] == "times" and rng.random() < 0.6:
            k = rng.randrange(2, len(x))
            return ("trace", ("times", *x[k:], *x[1:k]))
        return ("trace", rewritten(rng, x, kinds) if rng.random() < 0.5 else ("turned", x))
    if head == "turned":
        x = rest[0]
        if x[0] == "times":
            return ("times", *(("turned", y) for y in x[:0:-1]))
        if x[0] == "plus":
            return ("plus", *((c, ("turned", y)) for c, y in x[1:]))
        if x[0] == "turned":
            return x[1]
        return _law(x, kinds[x[1]].turned) if x[0] == "name" else tree
    if head == "times":
        for k, (a, b) in enumerate(itertools.pairwise(rest)):
            if a[0] == "plus" and rng.random() < 0.5:
                return ("plus", *((c, ("times", *rest[:k], x, *rest[k + 1 :])) for c, x in a[1:]))
            if a == b and a[0] == "name" and (law := kinds[a[1]].square):
                return ("times", *rest[:k], _law(a, law), *rest[k + 2 :])
            if ("inverse", b) == a or ("inverse", a) == b:
                return ("times", *rest[:k], *rest[k + 2 :]) if len(rest) > 2 else ONE
    return tree


def slipped(rng: Random, tree: Tree) -> Tree:
    """A tree with one slip of the pen."""
    head, *rest = tree
    if head == "trace":
        return ("trace", slipped(rng, rest[0]))
    if head == "times":
        k = rng.randrange(len(rest) - 1)
        way = rng.random()
        if way < 0.4:
            rest[k], rest[k + 1] = rest[k + 1], rest[k]
        elif way < 0.6:
            del rest[k]
        else:
            rest[k] = slipped(rng, rest[k])
        return ("times", *rest)
    if head == "plus":
        k = rng.randrange(len(rest))
        c, x = rest[k]
        rest[k] = (-c, x) if rng.random() < 0.5 else (c, slipped(rng, x))
        return ("plus", *rest)
    return rest[0] if head in ("turned", "inverse") else ("turned", tree)


def is_so(sides: tuple[Tree, Tree], kinds: dict[str, Kind]) -> bool:
    """Both sides are the same at all matrices that are drawn."""
    rng = np.random.default_rng(0)
    for n in SIZES:
        for _ in range(DRAWS):
            of = {name: kind.draw(rng.normal(size=(n, n)), rng) for name, kind in kinds.items()}
            one, other = (value(x, of, n) for x in sides)
            if not np.allclose(one, other, rtol=1e-7, atol=1e-7 * (1 + np.abs(one).max())):
                return False
    return True


def _words(rng: Random, kinds: dict[str, Kind]) -> str:
    said = [(n, rng.choice(k.words).replace("{n}", n)) for n, k in kinds.items()]
    way = rng.randrange(3)
    if way == 0:
        return "Let " + ", and let ".join(f"${n}$ be {w}" for n, w in said) + "."
    if way == 1:
        return " ".join(f"Suppose that ${n}$ is {w}." for n, w in said)
    return "Here " + ", ".join(f"${n}$ is {w}" for n, w in said) + "."


@lru_cache(maxsize=64)
def page(seed: int) -> tuple[str, tuple[Claim, ...]]:
    """The text, and its claim."""
    rng = Random(seed)
    while True:
        some = rng.sample(NAMES, rng.choice((1, 2, 2, 3)))
        kinds = {n: rng.choice(KINDS) for n in sorted(some)}
        left = flat(_drawn(rng, kinds, rng.choice((1, 2, 2))))
        if left[0] in ("name", "one") or (left[0] == "times" and rng.random() < 0.2):
            left = ("trace", left) if left[0] == "times" else ("turned", left)
        right = left
        for _ in range(rng.randint(1, 4)):
            right = flat(rewritten(rng, right, kinds))
        right = flat(slipped(rng, right)) if rng.random() < 0.5 else right
        claim = f"{latex(left)} = {latex(right)}"
        if right == left or len(claim) > LONGEST:
            continue
        lead = rng.choice(("Then", "It follows that", "Hence"))
        text = f"{_words(rng, kinds)} {lead}\n\n$$ {claim} $$\n"
        return text, (Claim(3, claim, is_so((left, right), kinds)),)


asked_of = Pages(page, 1)

__all__ = ["asked_of", "page"]
