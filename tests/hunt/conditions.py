"""Pages that say when an equation holds: for i = j, if i ≠ j, where j ≤ i; for a < b; for even n.

What is so is found at all pairs of indices of small sizes, at many numbers, and at the first whole
numbers, in floating point.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from random import Random
from typing import Any

import numpy as np

from .pages import Claim, Pages

EACH = 3  # questions of either kind a page
CLAIMS = (2, 3, 4)
SIZES = (2, 3, 4)
Entry = Callable[[Any, Any, Any], Any]  # of vectors x and y at i and j; of c, a and b
Where = Callable[[Any, Any], bool]
Equal = tuple[str, Entry, tuple[tuple[str, Entry], ...]]  # a term, and what it may be said to be


def _softmax(s: Any) -> Any:
    e = np.exp(s - s.max())
    return e / e.sum()


# What a page defines, a component or a slope of it with its values, and what it may be said to be.
SIDES: tuple[tuple[str, Entry], ...] = (
    ("0", lambda v, i, j: 0.0), ("1", lambda v, i, j: 1.0), ("2", lambda v, i, j: 2.0),
    ("x_i", lambda v, i, j: v[0][i]), ("x_j", lambda v, i, j: v[0][j]),
    ("2 x_i", lambda v, i, j: 2 * v[0][i]), ("-2 x_j", lambda v, i, j: -2 * v[0][j]),
    ("x_i^2", lambda v, i, j: v[0][i] ** 2), ("x_i x_j", lambda v, i, j: v[0][i] * v[0][j]),
    ("3 x_j^2", lambda v, i, j: 3 * v[0][j] ** 2),
    ("x_i y_j", lambda v, i, j: v[0][i] * v[1][j]), ("x_j y_i", lambda v, i, j: v[0][j] * v[1][i]),
    ("1 + x_i y_i", lambda v, i, j: 1 + v[0][i] * v[1][i]), ("y_j", lambda v, i, j: v[1][j]),
    ("x_i - x_j", lambda v, i, j: v[0][i] - v[0][j]), ("-x_j", lambda v, i, j: -v[0][j]),
    ("2 x_i y_i", lambda v, i, j: 2 * v[0][i] * v[1][i]),
    ("x_j - x_i", lambda v, i, j: v[0][j] - v[0][i]),
)  # fmt: skip
SOFT: tuple[tuple[str, Entry], ...] = (
    ("p_i (1 - p_i)", lambda v, i, j: _softmax(v[0])[i] * (1 - _softmax(v[0])[i])),
    ("p_j (1 - p_i)", lambda v, i, j: _softmax(v[0])[j] * (1 - _softmax(v[0])[i])),
    ("p_i (1 + p_i)", lambda v, i, j: _softmax(v[0])[i] * (1 + _softmax(v[0])[i])),
    ("-p_i p_j", lambda v, i, j: -_softmax(v[0])[i] * _softmax(v[0])[j]),
    ("p_i p_j", lambda v, i, j: _softmax(v[0])[i] * _softmax(v[0])[j]),
    ("-p_j", lambda v, i, j: -_softmax(v[0])[j]),
    ("1 - p_j", lambda v, i, j: 1 - _softmax(v[0])[j]),
    ("1 - p_i", lambda v, i, j: 1 - _softmax(v[0])[i]), ("p_i - p_i^2", lambda v, i, j: (
        _softmax(v[0])[i] - _softmax(v[0])[i] ** 2)), ("0", lambda v, i, j: 0.0),
)  # fmt: skip
GIVEN: tuple[tuple[str, str, Entry, tuple[tuple[str, Entry], ...]], ...] = (
    (r"A_{ij} = \delta_{ij} x_i", "A_{ij}", lambda v, i, j: (i == j) * v[0][i], SIDES),
    (r"A_{ij} = x_i - x_j", "A_{ij}", lambda v, i, j: v[0][i] - v[0][j], SIDES),
    (r"A_{ij} = x_i y_j + \delta_{ij}", "A_{ij}",
     lambda v, i, j: v[0][i] * v[1][j] + (i == j), SIDES),
    (r"A_{ij} = (1 - \delta_{ij}) x_i y_j", "A_{ij}",
     lambda v, i, j: (i != j) * v[0][i] * v[1][j], SIDES),
    (r"A_{ij} = \begin{cases} x_j & j \le i \\ 0 & j > i \end{cases}", "A_{ij}",
     lambda v, i, j: (j <= i) * v[0][j], SIDES),
    (r"A_{ij} = \begin{cases} x_i^2 & i = j \\ x_i x_j & i < j \\ 1 & i > j \end{cases}", "A_{ij}",
     lambda v, i, j: 1.0 if i > j else v[0][i] * v[0][j], SIDES),
    ("z_i = x_i^2", r"\frac{\partial z_i}{\partial x_j}",
     lambda v, i, j: (i == j) * 2 * v[0][i], SIDES),
    ("z_i = x_i^3", r"\frac{\partial z_i}{\partial x_j}",
     lambda v, i, j: (i == j) * 3 * v[0][i] ** 2, SIDES),
    (r"z_i = \sum_{k=1}^{i} x_k", r"\frac{\partial z_i}{\partial x_j}",
     lambda v, i, j: 1.0 * (j <= i), SIDES),
    (r"z_i = x_i \sum_k x_k y_k", r"\frac{\partial z_i}{\partial x_j}",
     lambda v, i, j: (i == j) * (v[0] @ v[1]) + v[0][i] * v[1][j], SIDES),
    (r"E = \sum_k x_k^2", r"\frac{\partial^2 E}{\partial x_i \partial x_j}",
     lambda v, i, j: 2.0 * (i == j), SIDES),
    (r"E = \left(\sum_k x_k\right)^2", r"\frac{\partial^2 E}{\partial x_i \partial x_j}",
     lambda v, i, j: 2.0, SIDES),
    (r"p_i = \frac{e^{s_i}}{\sum_k e^{s_k}}", r"\frac{\partial p_i}{\partial s_j}",
     lambda v, i, j: _softmax(v[0])[i] * ((i == j) - _softmax(v[0])[j]), SOFT),
    (r"p_i = \frac{e^{s_i}}{\sum_k e^{s_k}}", r"\frac{\partial \log p_i}{\partial s_j}",
     lambda v, i, j: (i == j) - _softmax(v[0])[j], SOFT),
)  # fmt: skip
CONDITIONS: tuple[tuple[str, Where], ...] = (
    ("i = j", lambda i, j: i == j), (r"i \ne j", lambda i, j: i != j),
    (r"i \neq j", lambda i, j: i != j), ("i < j", lambda i, j: i < j),
    (r"j \le i", lambda i, j: j <= i), (r"i \ge j", lambda i, j: i >= j),
    ("j > i", lambda i, j: j > i), ("j < i", lambda i, j: j < i),
)  # fmt: skip
NUMBERS: tuple[tuple[str, Entry], ...] = (
    ("a", lambda c, a, b: a), ("b", lambda c, a, b: b), ("a - b", lambda c, a, b: a - b),
    ("b - a", lambda c, a, b: b - a), ("0", lambda c, a, b: 0.0), ("1", lambda c, a, b: 1.0),
    ("-1", lambda c, a, b: -1.0), ("a + b", lambda c, a, b: a + b),
    ("2 a - 2 b", lambda c, a, b: 2 * a - 2 * b), ("2 b - 2 a", lambda c, a, b: 2 * b - 2 * a),
    ("2 b", lambda c, a, b: 2 * b), ("2 a", lambda c, a, b: 2 * a),
    ("a + c", lambda c, a, b: a + c), ("b + c", lambda c, a, b: b + c),
    ("c a - c b", lambda c, a, b: c * (a - b)),
)  # fmt: skip
TERMS: tuple[Equal, ...] = tuple((term, value, NUMBERS) for term, value in (
    ("|a - b|", lambda c, a, b: abs(a - b)), (r"\max(a, b)", lambda c, a, b: max(a, b)),
    (r"\min(a, b)", lambda c, a, b: min(a, b)),
    (r"\sqrt{(a - b)^2}", lambda c, a, b: abs(a - b)),
    (r"\max(a - b, 0)", lambda c, a, b: max(a - b, 0)),
    (r"\frac{|a - b|}{a - b}", lambda c, a, b: np.sign(a - b)),
    (r"|a - b| + |b - a|", lambda c, a, b: 2 * abs(a - b)),
    (r"a + b + |a - b|", lambda c, a, b: 2 * max(a, b)),
    (r"\max(a + c, b + c)", lambda c, a, b: max(a, b) + c),
    (r"\min(a, b) + \max(a, b)", lambda c, a, b: a + b),
    (r"\sqrt{a^2 - 2 a b + b^2}", lambda c, a, b: abs(a - b)),
))  # fmt: skip
ORDERS: tuple[tuple[str, Where], ...] = (
    ("a < b", lambda a, b: a < b), ("a > b", lambda a, b: a > b),
    (r"a \le b", lambda a, b: a <= b), (r"a \ge b", lambda a, b: a >= b),
    ("b < a", lambda a, b: b < a), (r"b \ge a", lambda a, b: b >= a),
    ("0 < a < b", lambda a, b: 0 < a < b), ("b < a < 0", lambda a, b: b < a < 0),
)  # fmt: skip
WHOLE: tuple[tuple[str, Entry], ...] = (
    ("0", lambda c, n, m: 0.0), ("1", lambda c, n, m: 1.0), ("-1", lambda c, n, m: -1.0),
    ("(-1)^n", lambda c, n, m: (-1.0) ** n), ("(-1)^{n+1}", lambda c, n, m: -((-1.0) ** n)),
    (r"\frac{n}{2}", lambda c, n, m: n / 2), (r"\frac{n + 1}{2}", lambda c, n, m: (n + 1) / 2),
    (r"\frac{n - 1}{2}", lambda c, n, m: (n - 1) / 2), (r"-\frac{n}{2}", lambda c, n, m: -n / 2),
    (r"\frac{2}{n}", lambda c, n, m: 2 / n), (r"-\frac{n + 1}{2}", lambda c, n, m: -(n + 1) / 2),
    ("2", lambda c, n, m: 2.0), (r"\frac{1}{n}", lambda c, n, m: 1 / n),
)  # fmt: skip
SERIES: tuple[tuple[str, str, Entry], ...] = (
    ("", "(-1)^n", lambda c, n, m: (-1.0) ** n),
    ("", r"\cos(n \pi)", lambda c, n, m: (-1.0) ** n),
    ("", r"\cos(2 n \pi)", lambda c, n, m: 1.0),
    ("", r"(-1)^{n} (-1)^{n+1}", lambda c, n, m: -1.0),
    ("", r"\lfloor n/2 \rfloor", lambda c, n, m: float(n // 2)),
    ("", r"\lceil \frac{n}{2} \rceil", lambda c, n, m: float(-(-n // 2))),
    ("", r"\sum_{k=1}^n (-1)^k", lambda c, n, m: -float(n % 2)),
    ("", r"\cos^2\left(\frac{n \pi}{2}\right)", lambda c, n, m: float(n % 2 == 0)),
    (r"b_n = \frac{1 - (-1)^n}{n}", "b_n", lambda c, n, m: (1 - (-1.0) ** n) / n),
    (r"b_n = \frac{1 + \cos(n \pi)}{n}", "b_n", lambda c, n, m: (1 + (-1.0) ** n) / n),
    (r"S_n = \sum_{k=1}^n (-1)^k k", "S_n",
     lambda c, n, m: n / 2 if n % 2 == 0 else -(n + 1) / 2),
    (r"a_n = \frac{n}{2} + \frac{1 - (-1)^n}{4}", "a_n", lambda c, n, m: float(-(-n // 2))),
)  # fmt: skip
KINDS: tuple[tuple[str, Where], ...] = (
    ("even $n$", lambda n, m: n % 2 == 0), ("odd $n$", lambda n, m: n % 2 == 1),
    ("all even integers $n$", lambda n, m: n % 2 == 0), ("an odd $n$", lambda n, m: n % 2 == 1),
    ("$n$ is even", lambda n, m: n % 2 == 0), ("$n$ is odd", lambda n, m: n % 2 == 1),
    ("$n$ is a multiple of 4", lambda n, m: n % 4 == 0),
)  # fmt: skip
ALWAYS = ("", lambda i, j: True)
BEFORE = ("For {} we have ", "If {}, then ", "When {}, ", "In the case {} we get ",
          "For all {}, ", "Suppose that {}. Then ", "Now consider {}. We find ")  # fmt: skip
BEHIND = (" for {}", " if {}", " when {}", " whenever {}")
JOINS = (", and ", "; ", ", while ", " but ")


def holds(left: Entry, right: Entry, where: Where, family: str) -> bool:
    """Whether both sides agree at all indices, or numbers, for which the condition is met."""
    rng = np.random.default_rng(0)
    points: list[tuple[Any, Any, Any]] = []
    for n in SIZES:
        v = rng.normal(size=(2, n)) + 0.1
        points += [(v, i, j) for i in range(n) for j in range(n)]
    if family == "numbers":
        points = [(c, a, b) for c, a, b in rng.normal(size=(300, 3))]
    if family == "whole":
        points = [(0, n, 0) for n in range(1, 13)]
    return all(abs(left(*p) - right(*p)) <= 1e-9 for p in points if where(*p[1:]))


class Page:
    """A page under way: its lines, its claims, and whether a case was supposed before."""

    def __init__(self, seed: int) -> None:
        self.rng, self.lines, self.claims = Random(seed), list[str](), list[Claim]()
        self.supposed = False
        self.family = self.rng.choice(("indices", "indices", "numbers", "whole"))
        self.conditions, self.terms = {
            "indices": (CONDITIONS, ()), "numbers": (ORDERS, TERMS), "whole": (KINDS, ()),
        }[self.family]  # fmt: skip
        if self.family == "indices":
            self.lines += [r"Let $x, y, s \in \mathbb{R}^n$.", ""]
            given, *term = self.rng.choice(GIVEN)
            self.give(given, tuple(term))
        elif self.family == "whole":
            given, *term = self.rng.choice(SERIES)
            self.give(given, (*term, WHOLE))
        for _ in range(self.rng.choice(CLAIMS)):
            self.rng.choice((self.before, self.behind, self.both, self.always))()

    def give(self, given: str, term: Any) -> None:
        """What the page defines, and of what it claims something."""
        self.terms = (term,)
        if given:
            shown = self.rng.choice((f"Let ${given}$", f"Let $$ {given} $$"))
            self.lines += [f"{shown}.", ""]

    def words(self, form: str, condition: str) -> str | None:
        """A form of words with a condition; None where they do not go together."""
        if self.family != "whole":
            return form.replace("{}", f"${condition}$", 1)
        says = form.lower().startswith(("if", "when", "suppose")) or " if " in form
        says = says or " when" in form
        if says != condition.startswith("$") or "all {}" in form or "case" in form:
            return None
        return form.replace("{}", condition, 1)

    def drawn(self, condition: tuple[str, Where]) -> tuple[str, bool]:
        """An equation under a condition, and whether it is so there, in half of all cases."""
        term, entry, sides = self.rng.choice(self.terms)
        found = [(s, holds(entry, r, condition[1], self.family)) for s, r in sides]
        wanted = self.rng.random() < 0.5
        fitting = [(s, so) for s, so in found if so == wanted] or found
        side, so = self.rng.choice(fitting)
        return f"{term} = {side}", so

    def say(self, *parts: tuple[str, bool] | str) -> None:
        """A line of words and equations."""
        self.lines += ["".join(p if isinstance(p, str) else f"${p[0]}$" for p in parts), ""]
        at = len(self.lines) - 1
        found = [Claim(at, p[0], p[1]) for p in parts if not isinstance(p, str)]
        self.claims += found if len({c.latex for c in found}) == len(found) else []

    def before(self) -> None:
        condition = self.rng.choice(self.conditions)
        words = self.words(self.rng.choice(BEFORE), condition[0])
        if words is None:
            return
        self.supposed = self.supposed or words.startswith(("Suppose", "Now"))
        claim = self.drawn(condition)
        if self.rng.random() < 0.3:
            self.lines += [words.rstrip(" ,"), "", f"$$ {claim[0]}. $$", ""]
            self.claims.append(Claim(len(self.lines) - 1, *claim))
        else:
            self.say(words, claim, ".")

    def behind(self) -> None:
        condition = self.rng.choice(self.conditions)
        words = self.words(self.rng.choice(BEHIND), condition[0])
        if words is not None:
            self.say("We have ", self.drawn(condition), words, ".")

    def both(self) -> None:
        """Two cases in one sentence."""
        one, other = self.rng.sample(self.conditions, 2)
        first, second, join = self.drawn(one), self.drawn(other), self.rng.choice(JOINS)
        before = self.rng.random() < 0.5
        form = self.rng.choice(BEFORE[:3] if before else BEHIND[:3])
        words = [self.words(f, c) for f, c in ((form, one[0]), (form, other[0]))]
        if words[0] is None or words[1] is None:
            return
        if before:
            again = words[1][0].lower() + words[1][1:]
            self.say(words[0], first, join, again, second, ".")
        else:
            self.say("Then ", first, words[0], join, second, words[1], ".")

    def always(self) -> None:
        """What is said in general; of what a page defines it may be another definition."""
        if not (self.supposed or "_" in self.terms[0][0][:2]):
            self.say("In general ", self.drawn(ALWAYS), ".")


@lru_cache(maxsize=64)
def page(seed: int) -> tuple[str, tuple[Claim, ...]]:
    """The text, and its claims that are so or are not."""
    made = Page(seed)
    return "\n".join(made.lines), tuple(made.claims)


asked_of = Pages(page, EACH)

__all__ = ["asked_of", "page"]
