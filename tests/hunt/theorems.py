"""Pages of sentences that suppose equations and conclude others: if A B = B A, then … .

What follows is found at random values of which what is supposed holds, in floating point.  Some
sentences suppose one of two things, or more behind what they conclude.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache, lru_cache
from random import Random
from typing import Any

import numpy as np

from .pages import Claim, Pages
from .qualities import MATRICES, NUMBERS, Values

EACH = 4  # questions of either kind a page
SENTENCES = (3, 4, 5)
DRAWS, SIZES = 3, (2, 3, 4)
Change = Callable[[Values], Values]


def _unit(v: Any) -> Any:
    return v / np.linalg.norm(v)


def _polynomial(a: Any) -> Any:
    return a @ a - 2 * a + 3 * np.eye(len(a))


def _off(x: Any, y: Any) -> Any:
    return y - (x @ y) / (x @ x) * x


# What is supposed, and values of which it holds; the first letter says of which of them.
SUPPOSED: tuple[tuple[str, str, Change], ...] = (
    ("A", r"A^\top = A", lambda v: {"A": v["A"] + v["A"].T}),
    ("A", r"A = -A^\top", lambda v: {"A": v["A"] - v["A"].T}),
    ("A", r"A^\top A = I", lambda v: {"A": np.linalg.qr(v["A"])[0]}),
    ("A", r"A^2 = A", lambda v: {"A": v["A"][:, :1] @ v["A"][:1] / (v["A"][:1] @ v["A"][:, :1])}),
    ("A", r"A^2 = I", lambda v: {"A": np.eye(len(v["A"])) - 2 * v["A"][:, :1] @ v["A"][:1]
                                 / (v["A"][:1] @ v["A"][:, :1])}),
    ("A", r"A B = B A", lambda v: {"A": _polynomial(v["B"])}),
    ("A", r"B = A^\top", lambda v: {"B": v["A"].T}),
    ("A", r"A = 2 B", lambda v: {"A": 2 * v["B"]}),
    ("A", r"A x = y", lambda v: {"y": v["A"] @ v["x"]}),
    ("x", r"x^\top y = 0", lambda v: {"y": _off(v["x"], v["y"])}),
    ("x", r"x^\top x = 1", lambda v: {"x": _unit(v["x"])}),
    ("x", r"\|x\| = 1", lambda v: {"x": _unit(v["x"])}),
    ("x", r"y = 3 x", lambda v: {"y": 3 * v["x"]}),
    ("x", r"\sum_i x_i = 1", lambda v: {"x": v["x"] / v["x"].sum()}),
    ("x", r"\sum_i x_i = \sum_i y_i", lambda v: {"x": v["x"] * v["y"].sum() / v["x"].sum()}),
    ("a", r"a = 2 b", lambda v: {"a": 2 * v["b"]}), ("a", r"a b = 1", lambda v: {"a": 1 / v["b"]}),
    ("a", r"a + b = 1", lambda v: {"a": 1 - v["b"]}), ("a", r"b = 0", lambda v: {"b": 0.0}),
    ("a", r"a = b c", lambda v: {"a": v["b"] * v["c"]}),
    ("a", r"a + b + c = 0", lambda v: {"c": -v["a"] - v["b"]}),
    ("a", r"a^2 + b^2 = 1", lambda v: {"a": np.sqrt(1 - np.tanh(v["b"]) ** 2),
                                       "b": np.tanh(v["b"])}),
    ("a", r"b = 3", lambda v: {"b": 3.0}),
)  # fmt: skip
IN_WORDS = {
    r"A^\top = A": ("$A$ is symmetric", "$A$ is a symmetric matrix"),
    r"A = -A^\top": ("$A$ is skew-symmetric", "the matrix $A$ is antisymmetric"),
    r"A^\top A = I": ("$A$ is orthogonal", "$A$ is an orthogonal matrix"),
    "A^2 = A": ("$A$ is idempotent", "$A$ is an idempotent matrix"),
    "A^2 = I": ("$A$ is an involution",),
    "A B = B A": ("$A$ and $B$ commute", "$A$ commutes with $B$"),
    r"x^\top y = 0": ("$x$ and $y$ are orthogonal", "$x$ is perpendicular to $y$"),
    r"x^\top x = 1": ("$x$ is a unit vector", "$x$ is of unit length"),
}
VECTORS: tuple[tuple[str, Callable[[Values], Any]], ...] = (
    (r"\|x + y\|^2", lambda v: ((v["x"] + v["y"]) ** 2).sum()),
    (r"\|x\|^2 + \|y\|^2", lambda v: (v["x"] ** 2).sum() + (v["y"] ** 2).sum()),
    (r"\|x - y\|^2", lambda v: ((v["x"] - v["y"]) ** 2).sum()),
    (r"\|x\|^2 - \|y\|^2", lambda v: (v["x"] ** 2).sum() - (v["y"] ** 2).sum()),
    (r"x^\top y", lambda v: v["x"] @ v["y"]), (r"y^\top y", lambda v: v["y"] @ v["y"]),
    (r"2 x^\top x", lambda v: 2 * v["x"] @ v["x"]), ("2", lambda v: 2.0), ("0", lambda v: 0.0),
    (r"3 x^\top x", lambda v: 3 * v["x"] @ v["x"]), (r"9 x^\top x", lambda v: 9 * v["x"] @ v["x"]),
    (r"\sum_i 2 x_i", lambda v: 2 * v["x"].sum()), (r"2 \sum_j y_j", lambda v: 2 * v["y"].sum()),
    (r"\sum_i (x_i - y_i)", lambda v: (v["x"] - v["y"]).sum()), ("1", lambda v: 1.0),
    (r"\sum_{i j} x_i x_j", lambda v: v["x"].sum() ** 2), ("4", lambda v: 4.0),
    (r"\sum_{i j} x_i y_j", lambda v: v["x"].sum() * v["y"].sum()),
    (r"x^\top A y", lambda v: v["x"] @ v["A"] @ v["y"]), (r"(A x)^\top y", lambda v:
                                                          (v["A"] @ v["x"]) @ v["y"]),
)  # fmt: skip
SCALARS: tuple[tuple[str, Callable[[Values], Any]], ...] = (
    ("a^2 + 2 a b + b^2", lambda v: (v["a"] + v["b"]) ** 2), ("1", lambda v: 1.0),
    ("(a + b)^2", lambda v: (v["a"] + v["b"]) ** 2), ("a^2 + b^2", lambda v: v["a"]**2 + v["b"]**2),
    ("a^2 - b^2", lambda v: v["a"]**2 - v["b"]**2), ("(a + b)(a - b)", lambda v: v["a"]**2
                                                     - v["b"]**2), ("9 b^2", lambda v: 9*v["b"]**2),
    ("a c", lambda v: v["a"] * v["c"]), ("2 b c", lambda v: 2 * v["b"] * v["c"]),
    ("b c", lambda v: v["b"] * v["c"]), ("a^2 b", lambda v: v["a"] ** 2 * v["b"]),
    ("a", lambda v: v["a"]), ("a - b", lambda v: v["a"] - v["b"]), ("0", lambda v: 0.0),
    (r"\frac{c}{a}", lambda v: v["c"] / v["a"]), ("a b c", lambda v: v["a"] * v["b"] * v["c"]),
    ("3 a b c", lambda v: 3 * v["a"] * v["b"] * v["c"]), ("3 a c", lambda v: 3 * v["a"] * v["c"]),
    ("a^3 + b^3 + c^3", lambda v: v["a"] ** 3 + v["b"] ** 3 + v["c"] ** 3),
    ("(a + b) c", lambda v: (v["a"] + v["b"]) * v["c"]), ("c", lambda v: v["c"]),
    ("-c^2", lambda v: -v["c"] ** 2), ("b^2 c", lambda v: v["b"] ** 2 * v["c"]),
)  # fmt: skip
REST = (
    r"Let $A, B \in \mathbb{R}^{n \times n}$ and $x, y \in \mathbb{R}^n$, and let $a$, $b$ and $c$ "
    "be real numbers."
)
ONE = (
    "If {p}, then ${c}$.", "If {p}, we have ${c}$.", "${c}$ whenever {p}.",
    "We have ${c}$ if {p}.", "If {p}, then\n\n$$ {c}. $$", "When {p}, ${c}$.",
    "As long as {p}, it follows that ${c}$.", "Moreover, if {p}, then ${c}$.",
    "If {p}, then clearly ${c}$.",
)  # fmt: skip
BOTH = (
    "If {p} and {q}, then ${c}$.", "If {p}, then ${c}$, where {q}.",
    "If {p}, then ${c}$ provided that {q}.",
    "If {p}, then ${c}$ for {q}.", "Whenever {p} and {q}, we have ${c}$.",
)  # fmt: skip
EITHER = (
    "If {p} or {q}, then ${c}$.", "We have ${c}$ if {p} or if {q}.",
    "If {p}, or if {q}, then ${c}$.", "${c}$ if {p}, and also if {q}.",
)  # fmt: skip


def _samples(some: tuple[int, ...]) -> list[Values]:
    rng = np.random.default_rng(some)
    found = []
    for n in SIZES:
        for _ in range(DRAWS):
            a, b = rng.normal(size=(2, n, n))
            x, y = rng.normal(size=(2, n))
            values: Values = {"A": a, "B": b, "x": x, "y": y}
            values |= dict(zip("abc", map(float, rng.uniform(0.3, 2.0, 3)), strict=True))
            for k in some:
                values = values | SUPPOSED[k][2](values)
            found.append(values)
    return found


@cache
def follows(some: tuple[int, ...]) -> frozenset[str]:
    """The equations that hold of all values of which these things are supposed."""
    samples, found = _samples(some), set[str]()
    for several in (MATRICES, NUMBERS, VECTORS, SCALARS):
        terms = [t for t in several if "^{-1}" not in t[0]]
        known = [(shown, [f(v) for v in samples]) for shown, f in terms]
        for k, (one, ones) in enumerate(known):
            for other, others in known[k + 1 :]:
                if all(np.allclose(a, b, atol=1e-8) for a, b in zip(ones, others, strict=True)):
                    found.add(f"{one} = {other}")
    return frozenset(found)


@cache
def _always() -> frozenset[str]:
    return follows(())


def _said(rng: Random, latex: str) -> str:
    """What is supposed, as an equation or in words."""
    return rng.choice(IN_WORDS[latex]) if latex in IN_WORDS and rng.random() < 0.5 else f"${latex}$"


def _sentence(rng: Random) -> tuple[str, str, bool]:
    """A sentence, what it concludes, and whether that follows."""
    first = rng.randrange(len(SUPPOSED))
    kind = SUPPOSED[first][0]
    alike = [k for k, (of, _, _) in enumerate(SUPPOSED) if k != first]
    other = rng.choice([k for k in alike if (SUPPOSED[k][0] == kind) == (rng.random() < 0.6)])
    way = rng.random()
    apart = not {r"A x = y"} & {SUPPOSED[k][1] for k in (first, other)}
    together = (first, other) if SUPPOSED[other][0] != kind and apart else (first,)
    if way < 0.55 or (way < 0.75 and len(together) < 2):
        form, known = rng.choice(ONE), follows((first,))
    elif way < 0.75:
        form, known = rng.choice(BOTH), follows(together)
    else:
        form, known = rng.choice(EITHER), follows((first,)) & follows((other,))
    beside = [k for k, (of, _, _) in enumerate(SUPPOSED) if of == kind]
    near = follows((first,)) | follows((other,)) | follows((rng.choice(beside),))
    so = rng.random() < 0.5
    right, wrong = sorted(known - _always()), sorted(near - known)
    right = right or sorted(known)
    chosen = rng.choice(right if (so and right) or not wrong else wrong)
    said = (_said(rng, SUPPOSED[k][1]) for k in (first, other))
    words = form.format(p=next(said), q=next(said), c=chosen)
    return words, chosen, chosen in known


@lru_cache(maxsize=64)
def page(seed: int) -> tuple[str, tuple[Claim, ...]]:
    """The text, and its claims that are so or are not."""
    rng = Random(seed)
    lines, claims = [REST, ""], list[Claim]()
    for _ in range(rng.choice(SENTENCES)):
        words, chosen, so = _sentence(rng)
        if chosen in {c.latex for c in claims}:
            continue
        at = next(k for k, line in enumerate(words.split("\n")) if chosen in line)
        claims.append(Claim(len(lines) + at + 1, chosen, so))
        lines += [*words.split("\n"), ""]
    return "\n".join(lines), tuple(claims)


asked_of = Pages(page, EACH)

__all__ = ["asked_of", "page"]
