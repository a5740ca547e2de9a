"""Pages that say in words how two random variables hang together, and claim equations of averages.

What is so is found for random laws of that kind on finitely many values, in floating point.
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
DRAWS = 6
Law = tuple[Any, Any, Any]  # probabilities, and the values of X and of Y there


def _any(rng: Any) -> Law:
    p = rng.dirichlet(np.ones(12))
    return (p, *rng.normal(size=(2, 12)))


def _apart(rng: Any) -> Law:
    """Independent, of three and four values."""
    p, q = rng.dirichlet(np.ones(3)), rng.dirichlet(np.ones(4))
    x, y = np.meshgrid(rng.normal(size=3), rng.normal(size=4), indexing="ij")
    return np.outer(p, q).ravel(), x.ravel(), y.ravel()


def _alike(rng: Any) -> Law:
    """Independent, both of one law."""
    p, v = rng.dirichlet(np.ones(3)), rng.normal(size=3)
    x, y = np.meshgrid(v, v, indexing="ij")
    return np.outer(p, p).ravel(), x.ravel(), y.ravel()


def _uncorrelated(rng: Any) -> Law:
    p, x, y = _any(rng)
    gap = x - p @ x
    return p, x, y - (p @ (gap * y)) / (p @ gap**2) * x


def _centred(rng: Any) -> Law:
    p, x, y = _apart(rng)
    return p, x - p @ x, y - p @ y


KINDS: tuple[tuple[str, Callable[[Any], Law]], ...] = (
    ("Let $X$ and $Y$ be random variables.", _any),
    ("Let $X$ and $Y$ be independent random variables.", _apart),
    ("The random variables $X$ and $Y$ are independent.", _apart),
    ("Let $X$ and $Y$ be uncorrelated random variables.", _uncorrelated),
    ("Let $X$ and $Y$ be independent random variables with mean zero.", _centred),
    ("Let $X$ and $Y$ be independent and identically distributed random variables.", _alike),
)
TERMS: tuple[tuple[str, Callable[[Any, Any, Any], Any]], ...] = (
    ("0", lambda e, x, y: 0.0), ("E[X + Y]", lambda e, x, y: e(x + y)),
    ("E[X] + E[Y]", lambda e, x, y: e(x) + e(y)), ("E[X Y]", lambda e, x, y: e(x * y)),
    ("E[X] E[Y]", lambda e, x, y: e(x) * e(y)), ("E[X]", lambda e, x, y: e(x)),
    ("E[Y]", lambda e, x, y: e(y)), ("Var(X + Y)", lambda e, x, y: _cov(e, x + y, x + y)),
    ("Var(X) + Var(Y)", lambda e, x, y: _cov(e, x, x) + _cov(e, y, y)),
    ("Var(X - Y)", lambda e, x, y: _cov(e, x - y, x - y)),
    ("Var(X) - Var(Y)", lambda e, x, y: _cov(e, x, x) - _cov(e, y, y)),
    ("Var(X) + Var(Y) + 2 Cov(X, Y)", lambda e, x, y: _cov(e, x + y, x + y)),
    ("Var(X) + Var(Y) - 2 Cov(X, Y)", lambda e, x, y: _cov(e, x - y, x - y)),
    ("Cov(X, Y)", lambda e, x, y: _cov(e, x, y)), ("Cov(X, X)", lambda e, x, y: _cov(e, x, x)),
    ("Var(2 X)", lambda e, x, y: 4 * _cov(e, x, x)),
    ("4 Var(X)", lambda e, x, y: 4 * _cov(e, x, x)),
    ("2 Var(X)", lambda e, x, y: 2 * _cov(e, x, x)), ("Var(X)", lambda e, x, y: _cov(e, x, x)),
    ("Var(X + 3)", lambda e, x, y: _cov(e, x, x)), ("Var(Y)", lambda e, x, y: _cov(e, y, y)),
    ("E[X^2]", lambda e, x, y: e(x**2)), ("E[X^2] - E[X]^2", lambda e, x, y: _cov(e, x, x)),
    ("E[X]^2", lambda e, x, y: e(x) ** 2),
    ("Var(X) + E[X]^2", lambda e, x, y: e(x**2)), ("E[(X + Y)^2]", lambda e, x, y: e((x + y) ** 2)),
    ("E[X^2] + E[Y^2]", lambda e, x, y: e(x**2) + e(y**2)),
    ("E[X^2 Y]", lambda e, x, y: e(x**2 * y)), ("E[X^2] E[Y]", lambda e, x, y: e(x**2) * e(y)),
    ("Cov(X + Y, X - Y)", lambda e, x, y: _cov(e, x + y, x - y)),
    ("Cov(X, X + Y)", lambda e, x, y: _cov(e, x, x + y)),
    ("E[X Y] - E[X] E[Y]", lambda e, x, y: _cov(e, x, y)),
    ("E[X^2 Y^2]", lambda e, x, y: e(x**2 * y**2)),
    ("E[X^2] E[Y^2]", lambda e, x, y: e(x**2) * e(y**2)),
    ("E[3 X - 2 Y]", lambda e, x, y: e(3 * x - 2 * y)),
    ("E[(X - Y)^2]", lambda e, x, y: e((x - y) ** 2)),
    ("3 E[X] - 2 E[Y]", lambda e, x, y: 3 * e(x) - 2 * e(y)),
)  # fmt: skip
SHAPES = (
    (r"\mathbb{E}", r"\mathrm{Var}", r"\mathrm{Cov}"),
    ("E", r"\operatorname{Var}", r"\operatorname{Cov}"),
    (r"\mathbb{E}", r"\operatorname{Var}", r"\operatorname{Cov}"),
)  # fmt: skip


def _cov(e: Callable[[Any], Any], x: Any, y: Any) -> Any:
    return e(x * y) - e(x) * e(y)


@cache
def pairs(kind: int) -> tuple[list[str], list[str]]:
    """The equations that are so for every law of a kind, and those that are not."""
    rng = np.random.default_rng(kind)
    laws = [KINDS[kind][1](rng) for _ in range(DRAWS)]
    known = [(t, [f(lambda v, p=p: p @ v, x, y) for p, x, y in laws]) for t, f in TERMS]
    right, wrong = list[str](), list[str]()
    for k, (one, ones) in enumerate(known):
        for other, others in known[k + 1 :]:
            so = np.allclose(ones, others, atol=1e-8)
            left = one if one != "0" else other
            (right if so else wrong).append(f"{left} = {other if one != '0' else one}")
    return right, wrong


@lru_cache(maxsize=64)
def page(seed: int) -> tuple[str, tuple[Claim, ...]]:
    """The text, and its claims that are so or are not."""
    rng = Random(seed)
    kind, shapes = rng.randrange(len(KINDS)), rng.choice(SHAPES)

    def shown(latex: str) -> str:
        for word, shape in zip(("E[", "Var(", "Cov("), shapes, strict=True):
            latex = latex.replace(word, f"{shape}{word[-1]}")
        return latex

    right, others = pairs(kind)
    wrong = sorted({x for k in range(len(KINDS)) for x in pairs(k)[0]} & {*others})
    return claimed(rng, KINDS[kind][0], [*map(shown, right)], [*map(shown, wrong)], CLAIMS)


asked_of = Pages(page, EACH)

__all__ = ["asked_of", "page"]
