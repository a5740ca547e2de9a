"""Expressions that are never negative, put together from the names of a statement.

Each lemma is one record: its name, what it asks of its arguments, and the expression N ≥ 0.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import product
from typing import Any

import sympy as sp

from ..objects import Maximum

At = Callable[[Any], Any]  # a component at a letter


@dataclass(frozen=True)
class Vector:
    """Components over one axis, the other letters of the tensor being free in the statement.

    `sign` is "+", "0+" or "", and `weights` says that the components sum to one.
    """

    at: At
    size: Any
    sign: str = ""
    weights: bool = False


@dataclass(frozen=True)
class Lemma:
    """N(arguments) ≥ 0 where `asks` holds of the arguments."""

    name: str
    of: Callable[..., Any]
    asks: Callable[..., bool] = lambda *arguments: True


def _letter(v: Vector) -> sp.Idx:
    """A letter of its own for each size: two lemmas may stand in one sum."""
    return sp.Idx("u_" + re.sub(r"\W+", "_", str(v.size)), v.size)


def _sum(v: Vector, of: Callable[[Any], Any]) -> Any:
    i = _letter(v)
    return sp.Sum(of(i), (i, 0, v.size - 1))


def _top(v: Vector) -> Any:
    i = _letter(v)
    return Maximum(v.at(i), (i, 0, v.size - 1))


def _dot(x: Vector, y: Vector) -> Any:
    return _sum(x, lambda i: x.at(i) * y.at(i))


def _lse(x: Vector) -> Any:
    return sp.log(_sum(x, lambda i: sp.exp(x.at(i))))


def _entropy(w: Vector) -> Any:
    return -_sum(w, lambda i: w.at(i) * sp.log(w.at(i)))


def _weights(w: Vector, *rest: Any) -> bool:
    return w.weights and w.sign != ""


def _positive_weights(w: Vector, *rest: Any) -> bool:
    return w.weights and w.sign == "+"


def _gibbs(w: Vector, v: Vector) -> Any:
    return _sum(
        w, lambda i: w.at(i) * sp.log(w.at(i)) - w.at(i) * sp.log(v.at(i)) - w.at(i) + v.at(i)
    )


def _variance(w: Vector, x: Vector) -> Any:
    return _sum(x, lambda i: w.at(i) * x.at(i) ** 2) - _dot(w, x) ** 2


ONE: tuple[Lemma, ...] = (
    Lemma("the entropy is not negative", _entropy, _positive_weights),
    Lemma(
        "the entropy is largest for equal weights",
        lambda w: sp.log(w.size) - _entropy(w),
        _positive_weights,
    ),
    Lemma("log Σ exp is at least the maximum", lambda x: _lse(x) - _top(x)),
    Lemma(
        "log Σ exp is at most the maximum and log n", lambda x: _top(x) + sp.log(x.size) - _lse(x)
    ),
    Lemma("the maximum is at least the mean", lambda x: _top(x) - _sum(x, x.at) / x.size),
    Lemma(
        "Cauchy–Schwarz",
        lambda x: x.size * _sum(x, lambda i: x.at(i) ** 2) - _sum(x, x.at) ** 2,
    ),
    Lemma(
        "Cauchy–Schwarz",
        lambda x: _sum(x, lambda i: x.at(i) ** 2) / x.size - (_sum(x, x.at) / x.size) ** 2,
    ),
    Lemma("Jensen", lambda x: _lse(x) - sp.log(x.size) - _sum(x, x.at) / x.size),
)

TWO: tuple[Lemma, ...] = (
    Lemma("Gibbs", _gibbs, lambda w, v: w.sign == v.sign == "+"),
    Lemma("Gibbs", lambda w, x: _lse(x) - _dot(w, x) - _entropy(w), _positive_weights),
    Lemma("a variance is not negative", _variance, _weights),
    Lemma("the maximum is at least the mean", lambda w, x: _top(x) - _dot(w, x), _weights),
    Lemma(
        "Jensen",
        lambda w, x: _sum(x, lambda i: w.at(i) * sp.exp(x.at(i))) - sp.exp(_dot(w, x)),
        _weights,
    ),
    Lemma(
        "Jensen",
        lambda w, x: sp.log(_dot(w, x)) - _sum(x, lambda i: w.at(i) * sp.log(x.at(i))),
        lambda w, x: _weights(w) and x.sign == "+",
    ),
    Lemma("Cauchy–Schwarz", lambda x, y: _dot(x, x) * _dot(y, y) - _dot(x, y) ** 2),
    Lemma("Cauchy–Schwarz", lambda x, y: sp.sqrt(_dot(x, x)) * sp.sqrt(_dot(y, y)) - _dot(x, y)),
    Lemma("Cauchy–Schwarz", lambda x, y: sp.sqrt(_dot(x, x)) * sp.sqrt(_dot(y, y)) + _dot(x, y)),
    Lemma(
        "the triangle inequality",
        lambda x, y: (
            sp.sqrt(_dot(x, x))
            + sp.sqrt(_dot(y, y))
            - sp.sqrt(_sum(x, lambda i: (x.at(i) + y.at(i)) ** 2))
        ),
    ),
    Lemma("squares", lambda x, y: _sum(x, lambda i: (x.at(i) - y.at(i)) ** 2)),
    Lemma("squares", lambda x, y: _sum(x, lambda i: (x.at(i) + y.at(i)) ** 2)),
)

# of components x_i of a vector at a letter of the statement
PART: tuple[Lemma, ...] = (
    Lemma("weights are at most one", lambda w, i: 1 - w.at(i), lambda w, i: _weights(w)),
    Lemma("the maximum is the largest", lambda x, i: _top(x) - x.at(i)),
    Lemma("log Σ exp is at least each", lambda x, i: _lse(x) - x.at(i)),
)

# of numbers, with the sign of each
NUMBERS: tuple[Lemma, ...] = (
    Lemma("the tangent of exp at 0", lambda x: sp.exp(x) - 1 - x),
    Lemma("the tangent of log at 1", lambda x: x - 1 - sp.log(x), lambda x: _is_positive(x)),
    Lemma("log(1 + x) ≤ x", lambda x: x - sp.log(1 + x), lambda x: _is_positive(x)),
)

PAIRS: tuple[Lemma, ...] = (
    Lemma("squares", lambda x, y: (x - y) ** 2),
    Lemma("squares", lambda x, y: (x + y) ** 2),
    Lemma(
        "means",
        lambda x, y: x + y - 2 * sp.sqrt(x) * sp.sqrt(y),
        lambda x, y: _is_positive(x) and _is_positive(y),
    ),
)


def _is_positive(x: Any) -> bool:
    return bool(x.is_positive)


def instances(
    vectors: Sequence[Vector], numbers: Sequence[Any], letters: Sequence[sp.Idx]
) -> Iterator[tuple[str, Any]]:
    """Every lemma at every choice of arguments that it allows: its name, and what is ≥ 0."""
    for lemma, x in product(NUMBERS, numbers):
        if lemma.asks(x):
            yield lemma.name, lemma.of(x)
    for k, x in enumerate(numbers):
        for y in (*numbers[k + 1 :], sp.S.One):
            yield from ((lemma.name, lemma.of(x, y)) for lemma in PAIRS if lemma.asks(x, y))
    for x in vectors:
        yield from ((lemma.name, lemma.of(x)) for lemma in ONE if lemma.asks(x))
        for i in letters:
            if i.upper + 1 == x.size:
                yield from ((lemma.name, lemma.of(x, i)) for lemma in PART if lemma.asks(x, i))
    for x, y in product(vectors, vectors):
        if x is not y and x.size == y.size:
            yield from ((lemma.name, lemma.of(x, y)) for lemma in TWO if lemma.asks(x, y))


__all__ = ["Lemma", "Vector", "instances"]
