"""Pages that say in words of which kind matrices and vectors are, and claim equations of them.

What is so is found at random matrices of that kind, in floating point.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache, lru_cache
from random import Random
from typing import Any

import numpy as np

from .pages import Claim, Pages, claimed

EACH = 3  # questions of either kind a page
CLAIMS = (2, 3, 4)
DRAWS, SIZES = 3, (2, 3, 4)
Values = dict[str, Any]


def _orthogonal(a: Any) -> Any:
    return np.linalg.qr(a)[0]


# Words, and the matrix A of that kind that is made of any one.
KINDS: tuple[tuple[str, Callable[[Any], Any]], ...] = (
    ("a square matrix", lambda a: a),
    ("a symmetric matrix", lambda a: a + a.T),
    ("an antisymmetric matrix", lambda a: a - a.T),
    ("a skew-symmetric matrix", lambda a: a - a.T),
    ("an orthogonal matrix", _orthogonal),
    ("an invertible matrix", lambda a: a + 3 * np.eye(len(a))),
    ("a diagonal matrix", lambda a: np.diag(np.diag(a))),
    ("a positive definite matrix", lambda a: a @ a.T + 0.1 * np.eye(len(a))),
    ("a symmetric positive definite matrix", lambda a: a @ a.T + 0.1 * np.eye(len(a))),
    ("an orthogonal projection", lambda a: a[:, :1] @ a[:, :1].T / (a[:, :1] ** 2).sum()),
    ("an idempotent matrix", lambda a: a[:, :1] @ a[:1] / (a[:1] @ a[:, :1])),
    ("an involution", lambda a: np.eye(len(a)) - 2 * a[:, :1] @ a[:1] / (a[:1] @ a[:, :1])),
    ("a symmetric orthogonal matrix",
     lambda a: np.eye(len(a)) - 2 * a[:, :1] @ a[:, :1].T / (a[:, :1] ** 2).sum()),
)  # fmt: skip
INVERTIBLE = frozenset((4, 5, 7, 8, 11, 12))
MATRICES: tuple[tuple[str, Callable[[Values], Any]], ...] = (
    ("A", lambda v: v["A"]), (r"A^\top", lambda v: v["A"].T), ("-A", lambda v: -v["A"]),
    ("A^2", lambda v: v["A"] @ v["A"]), (r"A^\top A", lambda v: v["A"].T @ v["A"]),
    (r"A A^\top", lambda v: v["A"] @ v["A"].T), ("I", lambda v: np.eye(len(v["A"]))),
    ("-A^2", lambda v: -v["A"] @ v["A"]), ("A^3", lambda v: v["A"] @ v["A"] @ v["A"]),
    ("A B", lambda v: v["A"] @ v["B"]), ("B A", lambda v: v["B"] @ v["A"]),
    (r"(A B)^\top", lambda v: (v["A"] @ v["B"]).T), (r"B^\top A", lambda v: v["B"].T @ v["A"]),
    (r"B^\top A^\top", lambda v: v["B"].T @ v["A"].T),
    (r"A^\top B^\top", lambda v: v["A"].T @ v["B"].T), ("A^{-1}", lambda v: np.linalg.inv(v["A"])),
    (r"-B^\top A", lambda v: -v["B"].T @ v["A"]), ("(I - A)^2", lambda v: _minus(v) @ _minus(v)),
    ("I - A", lambda v: _minus(v)), ("A (I - A)", lambda v: v["A"] @ _minus(v)),
    ("A - A^2", lambda v: v["A"] - v["A"] @ v["A"]), ("0", lambda v: 0 * v["A"]),
    ("(A B)^{-1} A", lambda v: np.linalg.inv(v["A"] @ v["B"]) @ v["A"]),
    ("B^{-1}", lambda v: np.linalg.inv(v["B"])), ("A^{-1} B A", lambda v: _turned(v)),
    (r"A^\top B A", lambda v: v["A"].T @ v["B"] @ v["A"]),
)  # fmt: skip
NUMBERS: tuple[tuple[str, Callable[[Values], Any]], ...] = (
    (r"x^\top A x", lambda v: v["x"] @ v["A"] @ v["x"]), (r"x^\top x", lambda v: v["x"] @ v["x"]),
    (r"x^\top A y", lambda v: v["x"] @ v["A"] @ v["y"]),
    (r"y^\top A x", lambda v: v["y"] @ v["A"] @ v["x"]),
    (r"-y^\top A x", lambda v: -v["y"] @ v["A"] @ v["x"]),
    (r"x^\top A^\top y", lambda v: v["y"] @ v["A"] @ v["x"]), ("0", lambda v: 0.0),
    (r"\|A x\|^2", lambda v: ((v["A"] @ v["x"]) ** 2).sum()),
    (r"x^\top A^2 x", lambda v: v["x"] @ v["A"] @ v["A"] @ v["x"]),
    (r"-x^\top A^2 x", lambda v: -v["x"] @ v["A"] @ v["A"] @ v["x"]),
    (r"\mathrm{tr}(A)", lambda v: np.trace(v["A"])),
    (r"\mathrm{tr}(A B)", lambda v: np.trace(v["A"] @ v["B"])),
    (r"\mathrm{tr}(B A)", lambda v: np.trace(v["A"] @ v["B"])),
    (r"\mathrm{tr}(A B^\top)", lambda v: np.trace(v["A"] @ v["B"].T)),
    (r"\mathrm{tr}(A^\top B)", lambda v: np.trace(v["A"].T @ v["B"])),
    (r"\mathrm{tr}(A^2)", lambda v: np.trace(v["A"] @ v["A"])),
    (r"\mathrm{tr}(A^\top A)", lambda v: np.trace(v["A"].T @ v["A"])),
    ("n", lambda v: float(len(v["x"]))), (r"(A x)^\top (A y)", lambda v: _both(v)),
    (r"x^\top y", lambda v: v["x"] @ v["y"]),
)  # fmt: skip
SAID = (
    "Let $A \\in \\mathbb{{R}}^{{n \\times n}}$ be {}.",
    "Let $A$ be {}.",
    "Suppose that $A$ is {}.",
    "Here $A$ is {}.",
)
ADJECTIVES = {1: "symmetric", 2: "antisymmetric", 4: "orthogonal", 6: "diagonal"}
BRIEFLY = (  # beside another matrix of no kind, or of one
    "We work with {} $A$.",
    "Take a matrix $A$ ({}).",
    "Let $M = A D$ with $A$ {} and $D$ diagonal.",
    "Let $M = A D$ with {} $A$ and a matrix $D$.",
    "Let $M = A D$, where $A$ and $D$ are {}.",
    "Here $A$ is a real {} $n \\times n$ matrix.",
)
DENIED = (  # of no A that is of the kind
    "Let $A$ be a matrix that is nearly {}.",
    "Here $A$ is a matrix that is not {}.",
    "Let $M = A D$ with $D$ {} and any square $A$.",
    "Let $M = A D$ with {} $D$ and $A$ square.",
    "The columns of $A$ are not {}.",
)
REST = r"Let $B \in \mathbb{R}^{n \times n}$ be an invertible matrix and $x, y \in \mathbb{R}^n$."


def _minus(v: Values) -> Any:
    return np.eye(len(v["A"])) - v["A"]


def _turned(v: Values) -> Any:
    return np.linalg.inv(v["A"]) @ v["B"] @ v["A"]


def _both(v: Values) -> Any:
    return (v["A"] @ v["x"]) @ (v["A"] @ v["y"])


@cache
def pairs(kind: int) -> tuple[list[str], list[str]]:
    """The equations that are so for every matrix of a kind, and those that are not."""
    rng = np.random.default_rng(kind)
    samples = []
    for n in SIZES:
        for _ in range(DRAWS):
            a, b = rng.normal(size=(2, n, n))
            x, y = rng.normal(size=(2, n))
            samples.append({"A": KINDS[kind][1](a), "B": b, "x": x, "y": y})
    right, wrong = list[str](), list[str]()
    for several in (MATRICES, NUMBERS):
        terms = [t for t in several if ("A^{-1}" not in t[0] and "(A B)^{-1}" not in t[0])
                 or kind in INVERTIBLE]  # fmt: skip
        known = [(shown, [f(v) for v in samples]) for shown, f in terms]
        for k, (one, ones) in enumerate(known):
            for other, others in known[k + 1 :]:
                so = all(np.allclose(a, b, atol=1e-8) for a, b in zip(ones, others, strict=True))
                (right if so else wrong).append(f"{one} = {other}")
    return right, wrong


@lru_cache(maxsize=64)
def page(seed: int) -> tuple[str, tuple[Claim, ...]]:
    """The text, and its claims that are so or are not."""
    rng = Random(seed)
    kind = rng.randrange(len(KINDS))
    said = rng.choice(SAID).format(KINDS[kind][0])
    if kind in ADJECTIVES and rng.random() < 0.7:
        short = rng.choice((*BRIEFLY, *DENIED))
        said, kind = short.format(ADJECTIVES[kind]), 0 if short in DENIED else kind
    right, others = pairs(kind)
    wrong = sorted({x for k in range(1, len(KINDS)) for x in pairs(k)[0]} & {*others})
    return claimed(rng, f"{said} {REST}", right, wrong, CLAIMS)


asked_of = Pages(page, EACH)

__all__ = ["asked_of", "page"]
