r"""A small LaTeX read by itself: a side of an equation becomes a function of values.

Numbers, names with labels or letters below them, sums, products, powers, matrices with \top and -1,
functions, |x|, ‖x‖, maxima, roots, sums over listed numbers, masks, integrals and derivatives.
Vectors are columns; what is written side by side is multiplied as matrices are.  Derivatives are
differences of what the document defines, integrals are sums over nodes.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Mapping
from itertools import pairwise
from typing import Any

import numpy as np

from .values import NoValue

Env = Mapping[str, Any]
Reader = Callable[[Env], Any]

TOKEN = re.compile(r"\\[A-Za-z]+|\\[^A-Za-z]|\d+(?:\.\d+)?|[^\s]")
BLANK = re.compile(
    r"\\(?:left|right|[Bb]igg?[lr]?|quad|qquad|displaystyle|,|;|!|:| )(?![A-Za-z])|~|&"
)
GREEK = {rf"\{x}" for x in ("alpha", "beta", "gamma", "lambda", "mu", "rho", "sigma", "theta")}
ACCENTS = {r"\bar", r"\hat", r"\tilde", r"\dot", r"\mathbf", r"\boldsymbol", r"\mathrm", r"\bm"}
STEP = 1e-3
NODES, WEIGHTS = np.polynomial.legendre.leggauss(40)


class Unreadable(Exception):
    """Not of this small language."""


class Misfit(Exception):
    """Of shapes that do not go together."""


def scalar(x: Any) -> Any:
    """The number of a 1 × 1 matrix."""
    return x.reshape(())[()] if isinstance(x, np.ndarray) and x.size == 1 else x


def number(x: Any) -> Any:
    """What a function of one number is applied to."""
    if np.ndim(scalar(x)):
        raise Misfit("an array where a number should be")
    return scalar(x)


def times(a: Any, b: Any) -> Any:
    a, b = scalar(a), scalar(b)
    if np.ndim(a) and np.ndim(b):
        if a.shape[1] != b.shape[0]:
            raise Misfit(f"{a.shape} times {b.shape}")
        return scalar(a @ b)
    return a * b


def plus(a: Any, b: Any) -> Any:
    a, b = scalar(a), scalar(b)
    if np.shape(a) != np.shape(b):
        raise Misfit(f"{np.shape(a)} plus {np.shape(b)}")
    return a + b


def power(a: Any, n: Any) -> Any:
    a, n = scalar(a), scalar(n)
    if np.ndim(a):
        if np.ndim(n) or n != int(n) or a.shape[0] != a.shape[1]:
            raise Misfit("a matrix to a power that is none")
        return np.linalg.matrix_power(a, int(n))
    if a == 0 and n < 0:
        raise NoValue("division by zero")
    if a < 0 and n != int(n):
        raise NoValue("a root of what is negative")
    return float(a) ** float(n)


def _positive(f: Callable[[float], float], least: float) -> Callable[[Any], Any]:
    def of(x: Any) -> Any:
        if number(x) < least or (least == 0 and f is math.log and number(x) == 0):
            raise NoValue("outside of its domain")
        return f(number(x))

    return of


FUNCTIONS: dict[str, Callable[[Any], Any]] = {
    r"\exp": lambda x: math.exp(number(x)),
    r"\log": _positive(math.log, 0),
    r"\ln": _positive(math.log, 0),
    r"\cos": lambda x: math.cos(number(x)),
    r"\sin": lambda x: math.sin(number(x)),
    r"\tanh": lambda x: math.tanh(number(x)),
    r"\cosh": lambda x: math.cosh(number(x)),
    r"\sinh": lambda x: math.sinh(number(x)),
    r"\tr": lambda x: np.trace(np.atleast_2d(x)),
    r"\det": lambda x: np.linalg.det(np.atleast_2d(x)),
}
RELATIONS: dict[str, Callable[[Any, Any], Any]] = {
    "=": lambda a, b: a == b, "<": lambda a, b: a < b, ">": lambda a, b: a > b,
    r"\le": lambda a, b: a <= b, r"\leq": lambda a, b: a <= b, r"\ge": lambda a, b: a >= b,
    r"\geq": lambda a, b: a >= b, r"\neq": lambda a, b: a != b, r"\ne": lambda a, b: a != b,
}  # fmt: skip


def average(e: Env, body: Reader) -> Any:
    """The mean of a body over the outcomes of the law of a document."""
    return sum(w * scalar(body({**e, **outcome})) for w, outcome in e["law"])


def neville(f: Callable[[float], Any], step: float, points: int = 8) -> Any:
    """What f goes to at 0, by the polynomial through its values at multiples of a step."""
    hs = [step * k for k in range(1, points + 1)]
    row = [f(h) for h in hs]
    for k in range(1, points):
        row = [
            (hs[j + k] * row[j] - hs[j] * row[j + 1]) / (hs[j + k] - hs[j])
            for j in range(points - k)
        ]
    return row[0]


def tokens(text: str) -> list[str]:
    text = re.sub(r"\\operatorname\{(\w+)\}|\\text\{(tr)\}", r"\\\1\2 ", text)
    return TOKEN.findall(BLANK.sub(" ", text))


class Parser:
    """Recursive descent over the tokens of one side."""

    def __init__(self, text: str, letters: Mapping[str, str]) -> None:
        self.tokens, self.at, self.letters = tokens(text), 0, dict(letters)
        self.free: set[str] = set()
        self.bar = ""  # the bar that closes what stands here
        self.bound: list[str] = []

    def peek(self, k: int = 0) -> str:
        return self.tokens[self.at + k] if self.at + k < len(self.tokens) else ""

    def take(self, expected: str = "") -> str:
        token = self.peek()
        if not token or (expected and token != expected):
            raise Unreadable(f"{token!r} where {expected!r} should be")
        self.at += 1
        return token

    def group(self) -> list[str]:
        """The tokens of a braced group, or the one token there."""
        if self.peek() != "{":
            return [self.take()]
        self.take()
        found: list[str] = []
        depth = 1
        while depth:
            token = self.take()
            depth += (token == "{") - (token == "}")
            found.append(token)
        return found[:-1]

    def inner(self, found: list[str]) -> Reader:
        """A reader of some of the tokens, in the same scope."""
        kept = self.tokens, self.at, self.bar
        self.tokens, self.at, self.bar = found, 0, ""
        read = self.sum()
        if self.peek():
            raise Unreadable(f"{self.peek()!r} is left")
        self.tokens, self.at, self.bar = kept
        return read

    def sum(self) -> Reader:
        sign = -1 if self.peek() == "-" else 1
        if self.peek() in ("-", "+"):
            self.take()
        first = self.product()
        read: Reader = (lambda e, f=first: times(-1.0, f(e))) if sign < 0 else first
        while self.peek() in ("+", "-"):
            sign = 1.0 if self.take() == "+" else -1.0
            last, term = read, self.product()
            read = lambda e, a=last, b=term, s=sign: plus(a(e), times(s, b(e)))  # noqa: E731
        return read

    def product(self) -> Reader:
        read = self.power()
        while (token := self.peek()) and token not in "+-)]}," and token not in (
            r"\rfloor", r"\}", self.bar, *RELATIONS
        ):  # fmt: skip
            if token in (r"\cdot", r"\times"):
                self.take()
            elif token == "/":
                self.take()
                last, by = read, self.power()
                read = lambda e, a=last, b=by: times(a(e), power(b(e), -1))  # noqa: E731
                continue
            last, factor = read, self.power()
            read = lambda e, a=last, b=factor: times(a(e), b(e))  # noqa: E731
        return read

    def power(self) -> Reader:
        read = self.atom()
        while self.peek() == "^":
            self.take()
            raised = self.group()
            if raised in ([r"\top"], ["T"]):
                last = read
                read = lambda e, a=last: np.transpose(np.atleast_2d(a(e)))  # noqa: E731
            else:
                last, by = read, self.inner(raised)
                read = lambda e, a=last, b=by: power(a(e), b(e))  # noqa: E731
        return read

    def closed(self, end: str) -> Reader:
        kept, self.bar = self.bar, end if end in ("|", r"\|") else ""
        read = self.sum()
        self.bar = kept
        self.take(end)
        return read

    def atom(self) -> Reader:
        token = self.take()
        if re.fullmatch(r"\d+(\.\d+)?", token):
            return lambda e, v=float(token): v
        if token in ("(", "{"):
            return self.closed(")" if token == "(" else "}")
        if token == "[":
            return self.mask()
        if token == "|":
            return self.called(self.closed("|"), lambda x: abs(number(x)))
        if token == r"\|":
            return self.called(self.closed(r"\|"), lambda x: float(np.sqrt(np.sum(x * x))))
        if token == r"\lfloor":
            return self.called(self.closed(r"\rfloor"), lambda x: math.floor(number(x) + 1e-9))
        if token == r"\frac":
            return self.fraction()
        if token == r"\sqrt":
            return self.called(self.inner(self.group()), lambda x: power(x, 0.5))
        if token in (r"\max", r"\min"):
            return self.largest(max if token == r"\max" else min)
        if token in (r"\sum", r"\prod"):
            return self.range(token)
        if token == r"\lim":
            return self.limit()
        if token == r"\mathbb" and self.group() == ["E"]:
            self.take("[")
            body = self.closed("]")
            return lambda e: average(e, body)
        if token in (r"\Var", r"\Cov"):
            return self.spread(token)
        if token == r"\int":
            return self.integral()
        if token == r"\pi":
            return lambda e: math.pi
        if token in FUNCTIONS:
            return self.function(token)
        if token == "e" and self.peek() == "^":
            self.take()
            return self.called(self.inner(self.group()), lambda x: math.exp(scalar(x)))
        return self.name(token)

    @staticmethod
    def called(read: Reader, f: Callable[[Any], Any]) -> Reader:
        return lambda e: f(read(e))

    def mask(self) -> Reader:
        left = self.sum()
        relation = RELATIONS[self.take()]
        right = self.closed("]")
        return lambda e: float(relation(scalar(left(e)), scalar(right(e))))

    def function(self, token: str) -> Reader:
        f, raised = FUNCTIONS[token], None
        if self.peek() == "^":
            self.take()
            raised = self.inner(self.group())
        if self.peek() in ("(", "[", "{"):
            close = {"(": ")", "[": "]", "{": "}"}[self.take()]
            argument = self.closed(close)
        else:
            argument = self.power()
            while re.fullmatch(r"[A-Za-z]|\d+|\\[a-z]+", self.peek()) and (
                self.peek() not in FUNCTIONS and self.peek() not in (r"\cdot", r"\sum", r"\times")
                and self.peek() not in RELATIONS
            ):  # fmt: skip
                last, factor = argument, self.power()
                argument = lambda e, a=last, b=factor: times(a(e), b(e))  # noqa: E731
        if raised is None:
            return self.called(argument, f)
        return lambda e: power(f(argument(e)), raised(e))

    def largest(self, pick: Callable[..., Any]) -> Reader:
        if self.peek() == "_":
            self.take()
            (letter,) = self.group()
            body = self.under(letter, self.power)
            return lambda e: pick(
                scalar(body({**e, letter: k})) for k in range(1, e["sizes"][letter] + 1)
            )
        close = {"(": ")", "{": "}", r"\{": r"\}"}[self.take()]
        parts = [self.sum()]
        while self.peek() == ",":
            self.take()
            parts.append(self.sum())
        self.take(close)
        return lambda e: pick(scalar(p(e)) for p in parts)

    def under(self, letter: str, body: Callable[[], Reader]) -> Reader:
        self.bound.append(letter)
        read = body()
        self.bound.pop()
        return read

    def range(self, token: str) -> Reader:
        """Σ_i, Σ_{i=1}^n, Σ_{k ∈ {1, 2}}, Σ_{s = ±1}, Σ_{ij}."""
        self.take("_")
        below = self.group()
        above: Reader | None = None
        if self.peek() == "^":
            self.take()
            above = self.inner(self.group())
        letters = [x for x in below if x != ","]
        listed: list[float] | None = None
        first: Reader | None = None
        if len(below) > 1 and below[1] == "=" and above is not None:
            letters, first = below[:1], self.inner(below[2:])
        elif len(below) > 2 and (below[1] == "=" or below[1] == r"\in"):
            letters = below[:1]
            body = [x for x in below[2:] if x not in (r"\{", r"\}", ",")]
            listed, sign = [], 1.0
            for x in body:
                if x == r"\pm":
                    sign = 0.0
                elif x == "-":
                    sign = -1.0
                else:
                    listed += [-float(x), float(x)] if sign == 0 else [sign * float(x)]
                    sign = 1.0
        if not all(re.fullmatch(r"[A-Za-z]", x) for x in letters):
            raise Unreadable("".join(below))
        self.bound += letters
        read = self.product()
        del self.bound[-len(letters) :]
        join, empty = (plus, 0.0) if token == r"\sum" else (times, 1.0)

        def value(e: Env, todo: list[str] = letters) -> Any:
            if not todo:
                return read(e)
            letter = todo[0]
            if listed is not None:
                values: Any = listed
            elif first is not None and above is not None:
                values = range(round(scalar(first(e))), round(scalar(above(e))) + 1)
            else:
                values = range(1, e["sizes"][letter] + 1)
            total: Any = None
            for v in values:
                part = value({**e, letter: v}, todo[1:])
                total = part if total is None else join(total, part)
            return empty if total is None else total

        return value

    def spread(self, token: str) -> Reader:
        r"""\operatorname{Var}(X) and \operatorname{Cov}(X, Y), over the outcomes of a law."""
        self.take("(")
        one = other = self.sum()
        if token == r"\Cov":
            self.take(",")
            other = self.sum()
        self.take(")")

        def value(e: Env) -> Any:
            a, b = average(e, one), average(e, other)
            return average(e, lambda x: (scalar(one(x)) - a) * (scalar(other(x)) - b))

        return value

    def limit(self) -> Reader:
        r"""\lim_{t \to 0}: polynomials through points beside it, from either side, put at it."""
        self.take("_")
        letter, arrow, *to = self.group()
        if arrow != r"\to":
            raise Unreadable("a limit that goes nowhere")
        self.bound.append(letter)
        body = self.product()
        self.bound.pop()
        end = None if to == [r"\infty"] else self.inner(to)

        def value(e: Env) -> Any:
            def at(h: float) -> Any:
                x = 1 / h if end is None else scalar(end(e)) + h
                return scalar(body({**e, letter: x}))

            ways = [neville(at, s) for s in ((0.004,) if end is None else (0.02, -0.02))]
            if max(ways) - min(ways) > 1e-6 * (1 + abs(ways[0])):
                raise NoValue("from either side another one")
            return ways[0]

        return value

    def integral(self) -> Reader:
        self.take("_")
        low = self.inner(self.group())
        self.take("^")
        high = self.inner(self.group())
        rest = self.tokens[self.at :]
        pairs = enumerate(pairwise(rest))
        ends = [k for k, (x, y) in pairs if x == "d" and re.fullmatch("[a-z]", y)]
        if not ends:
            raise Unreadable("an integral without its d")
        k, name = ends[0], rest[ends[0] + 1]
        self.bound.append(name)
        body = self.inner(rest[:k])
        self.bound.pop()
        self.at += k + 2

        def value(e: Env) -> Any:
            a, b = scalar(low(e)), scalar(high(e))
            middle, half = (a + b) / 2, (b - a) / 2
            points = middle + half * NODES
            values = (scalar(body({**e, name: x})) for x in points)
            return half * sum(w * v for w, v in zip(WEIGHTS, values, strict=True))

        return value

    def fraction(self) -> Reader:
        above, below = self.group(), self.group()
        if above[:1] == [r"\partial"] or (above[:1] == ["d"] and below[:1] == ["d"]):
            return self.derivative(above[1:], below[1:])
        a, b = self.inner(above), self.inner(below)
        return lambda e: times(a(e), power(b(e), -1))

    def derivative(self, above: list[str], below: list[str]) -> Reader:
        r"""By differences of what the document defines; the shape is that of the name below."""
        top, slots = self.inner(above), ()
        name = "".join(below).split("_")[0]
        if "_" in below:
            slots = tuple(x for x in below[below.index("_") + 1 :] if x not in "{}")
            self.free |= {x for x in slots if x in self.letters and x not in self.bound}

        def value(e: Env) -> Any:
            x = np.array(e[name], dtype=float)

            def at(place: tuple[int, ...], step: float) -> Any:
                moved = x.copy()
                moved[place] += step
                return scalar(top({**e["again"](name, scalar(moved)), **e["here"](e)}))

            def slope(place: tuple[int, ...]) -> Any:
                a, b, c, d = (at(place, k * STEP) for k in (-2, -1, 1, 2))
                near, far = (c - b) / (2 * STEP), (d - a) / (4 * STEP)
                rounded = 1e-15 * abs(c) / STEP > 1e-8 * (1 + abs(near))
                if rounded or not abs(near - far) < 1e-2 * (1 + abs(near)):
                    raise NoValue("too steep")
                return (4 * near - far) / 3

            if slots:
                place = tuple(int(e[s]) - 1 for s in slots)
                return slope(place + (0,) * (x.ndim - len(place)))
            if not x.ndim:
                return slope(())
            found = np.zeros_like(x)
            for place in np.ndindex(*x.shape):
                found[place] = slope(place)
            return found

        return value

    def name(self, token: str) -> Reader:
        if token in ACCENTS:
            token += "".join(self.group())
        elif not re.fullmatch(r"[A-Za-z]", token) and token not in GREEK:
            raise Unreadable(token)
        sub: list[str] = []
        if self.peek() == "_":
            self.take()
            sub = [x for x in self.group() if x != ","]
        label = f"{token}_{''.join(sub)}" if sub else token
        here = [x for x in sub if x in self.letters or x in self.bound]
        self.free |= {x for x in here if x not in self.bound}
        function = self.letters.get(token) == "function"
        if token in self.letters and not sub and token not in self.bound and not function:
            self.free.add(token)
        parts = self.slots(sub) if sub else []
        argument = None
        if self.peek() == "(" and function:
            self.take()
            argument = self.closed(")")

        def value(e: Env) -> Any:
            if argument is not None:
                return e[token](scalar(argument(e)))
            if label in e:
                return e[label]
            if token not in e:
                raise Unreadable(f"nothing is called {label}")
            found = e[token]
            if not parts:
                return scalar(found)
            place = [round(scalar(p(e))) for p in parts]
            if isinstance(found, dict):
                if tuple(place) not in found:
                    raise NoValue("before the first")
                return found[tuple(place)]
            array = np.asarray(found)
            array = array[:, 0] if array.ndim == 2 and array.shape[1] == 1 else array
            if array.ndim != len(place):
                raise Misfit(label)
            if min(place) < 1 or any(p > n for p, n in zip(place, array.shape, strict=True)):
                raise NoValue("outside of its axis")
            return float(array[tuple(p - 1 for p in place)])

        return value

    def slots(self, sub: list[str]) -> list[Reader]:
        if "+" in sub or "-" in sub:
            return [self.inner(sub)]
        return [(lambda e, v=float(x): v) if x.isdigit() else (lambda e, x=x: e[x]) for x in sub]


def side(text: str, letters: Mapping[str, str]) -> tuple[Reader, set[str]]:
    """A side of an equation as a function of values, and the letters that are free in it."""
    parser = Parser(text, letters)
    read = parser.sum()
    if parser.peek():
        raise Unreadable(f"{parser.peek()!r} is left of {text!r}")
    return read, parser.free


__all__ = ["Env", "Misfit", "Reader", "Unreadable", "scalar", "side"]
