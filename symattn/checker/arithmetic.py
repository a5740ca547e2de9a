"""Formulas of the columns of a table: numbers, vectors, + − · / ^ and a few functions.

A parser of its own: nothing of a document reaches Python.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from ..errors import FormulaError

MAX_CHARACTERS = 400
MAX_DEPTH = 20
_TOKEN = re.compile(r"\s*(\d+(?:\.\d+)?(?:e[+-]?\d+)?|[^\W\d]\w*|\*\*|[-+*/^()\[\],·])")

Numbers = Any  # a float or an array of one axis


def softmax(x: Numbers) -> Numbers:
    """exp(x_j) / Σ_k exp(x_k)."""
    e = np.exp(x - np.max(x))
    return e / e.sum()


def entropy(p: Numbers) -> Numbers:
    """−Σ p log p, with 0 log 0 = 0."""
    return -np.sum(np.where(p > 0, p * np.log(np.where(p > 0, p, 1.0)), 0.0))


def kl(p: Numbers, q: Numbers) -> Numbers:
    """Σ p log(p/q)."""
    return np.sum(np.where(p > 0, p * np.log(np.where(p > 0, p, 1.0) / q), 0.0))


def lse(x: Numbers) -> Numbers:
    """log Σ exp x."""
    return np.max(x) + np.log(np.sum(np.exp(x - np.max(x))))


FUNCTIONS: dict[str, tuple[int, Callable[..., Numbers]]] = {
    "softmax": (1, softmax),
    "entropy": (1, entropy),
    "kl": (2, kl),
    "lse": (1, lse),
    "logsumexp": (1, lse),
    "sigmoid": (1, lambda x: 1 / (1 + np.exp(-x))),
    "relu": (1, lambda x: np.maximum(x, 0.0)),
    "norm": (1, lambda x: np.sqrt(np.sum(x * x))),
    "dot": (2, lambda x, y: np.sum(x * y)),
    "var": (1, np.var),
    "ln": (1, np.log),
}
FUNCTIONS |= {
    name: (1, getattr(np, name))
    for name in ("exp", "log", "sqrt", "sum", "mean", "max", "min", "abs", "tanh", "sin", "cos")
}


def value(formula: str, known: Mapping[str, Numbers]) -> Numbers:
    """The value of a formula where names have these values.  Raises FormulaError."""
    reader = _Reader(formula, known)
    with np.errstate(all="ignore"):
        found = reader.sum(0)
    if reader.at < len(reader.tokens):
        raise reader.error(f"{reader.tokens[reader.at]} cannot stand here")
    return found


class _Reader:
    def __init__(self, formula: str, known: Mapping[str, Numbers]) -> None:
        self.formula, self.known, self.at = formula, known, 0
        if len(formula) > MAX_CHARACTERS:
            raise self.error(f"the formula is longer than {MAX_CHARACTERS} characters")
        self.tokens, place = [], 0
        for match in _TOKEN.finditer(formula):
            if match.start() != place:
                break
            self.tokens.append(match[1])
            place = match.end()
        if formula[place:].strip():
            raise self.error(f"{formula[place:].strip()[:10]!r} cannot stand here")

    def error(self, problem: str) -> FormulaError:
        return FormulaError(
            problem,
            formula=self.formula[:80],
            expected="numbers, names, [lists], + - * / ^ and " + ", ".join(sorted(FUNCTIONS)),
        )

    def _next(self, *wanted: str) -> str:
        token = self.tokens[self.at] if self.at < len(self.tokens) else ""
        if wanted and token not in wanted:
            return ""
        self.at += 1
        return token

    def sum(self, depth: int) -> Numbers:
        if depth > MAX_DEPTH:
            raise self.error(f"brackets nest deeper than {MAX_DEPTH}")
        negative = self._next("-")
        found = self.product(depth)
        found = -found if negative else found
        while sign := self._next("+", "-"):
            other = self.product(depth)
            found = found + other if sign == "+" else found - other
        return found

    def product(self, depth: int) -> Numbers:
        found = self.power(depth)
        while sign := self._next("*", "/", "·"):
            other = np.asarray(self.power(depth), dtype=float)
            found = found / other if sign == "/" else found * other
        return found

    def power(self, depth: int) -> Numbers:
        found = self.atom(depth)
        if self._next("^", "**"):
            negative = self._next("-")
            exponent = np.asarray(self.power(depth + 1), dtype=float)
            found = np.power(np.asarray(found, dtype=float), -exponent if negative else exponent)
        return found

    def atom(self, depth: int) -> Numbers:
        token = self._next()
        if token in ("(", "["):
            parts = self.listed(depth, ")" if token == "(" else "]")
            if token == "(" and len(parts) == 1:
                return parts[0]
            return np.array(parts, dtype=float)
        if token[:1].isdigit():
            return float(token)
        if token in FUNCTIONS and self._next("("):
            count, function = FUNCTIONS[token]
            arguments = self.listed(depth, ")")
            if len(arguments) != count:
                raise self.error(f"{token} takes {count} arguments and has {len(arguments)}")
            return function(*(np.asarray(a, dtype=float) for a in arguments))
        if token in self.known:
            return self.known[token]
        raise self.error(f"{token} is not known" if token else "the formula ends too early")

    def listed(self, depth: int, closing: str) -> list[Numbers]:
        found = [self.sum(depth + 1)]
        while self._next(","):
            found.append(self.sum(depth + 1))
        if not self._next(closing):
            raise self.error(f"{closing} is missing")
        return found


__all__ = ["FUNCTIONS", "value"]
