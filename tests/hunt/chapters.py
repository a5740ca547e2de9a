"""More parts of documents: sums with ends of their own, averages, limits.

Each kind says what is so by numbers: loops over ranges, differences along a curve, sums over
outcomes, roots that are solved for, points that go to a limit.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from fractions import Fraction
from itertools import product
from random import Random
from typing import Any

import numpy as np

from .by_names import chained, coordinates, reparametrised
from .documents import Definition, Part, Values
from .scenes import Scene
from .told import Pairs, number, said
from .values import NoValue

# ------------------------------------------------------------------------------------ ranges


def fitted(value: Callable[[int], int]) -> str | None:
    """The polynomial in n of a sum; None where it is none."""
    ns = range(1, 8)
    rows = [[Fraction(n) ** k for k in range(len(ns))] for n in ns]
    known = [Fraction(value(n)) for n in ns]
    for k, row in enumerate(rows):  # Gauss
        pivot = next(r for r in range(k, len(rows)) if rows[r][k])
        rows[k], rows[pivot], known[k], known[pivot] = rows[pivot], rows[k], known[pivot], known[k]
        row = rows[k]
        for r in range(len(rows)):
            if r != k:
                f = rows[r][k] / row[k]
                rows[r] = [a - f * b for a, b in zip(rows[r], row, strict=True)]
                known[r] -= f * known[k]
    found = [known[k] / rows[k][k] for k in range(len(rows))]
    if any(sum(c * n**k for k, c in enumerate(found)) != value(n) for n in (8, 9, 10)):
        return None
    terms = []
    for k, c in reversed([*enumerate(found)]):
        if c:
            top = str(abs(c.numerator)) if abs(c.numerator) != 1 or not k else ""
            power = "" if not k else "n" if k == 1 else f"n^{k}"
            shown = (
                f"{top} {power}".strip()
                if c.denominator == 1
                else rf"\frac{{{top} {power}}}{{{c.denominator}}}"
            )
            terms.append(("-" if c < 0 else "+", shown or "1"))
    text = " ".join(f"{sign} {term}" for sign, term in terms) or "+ 0"
    return text.replace("- ", "-", 1) if text.startswith("-") else text[2:]


def shifted(name: str, c: int) -> str:
    return name if not c else f"{name} {'+' if c > 0 else '-'} {abs(c)}"


BODIES: list[tuple[str, Callable[[int, int], int]]] = [
    ("1", lambda i, j: 1), ("j", lambda i, j: j), ("i", lambda i, j: i),
    ("(i + j)", lambda i, j: i + j), ("(i - j)", lambda i, j: i - j), ("i j", lambda i, j: i * j),
    ("(2 j + 1)", lambda i, j: 2 * j + 1), ("(j - 1)", lambda i, j: j - 1),
]  # fmt: skip


def ranges(rng: Random) -> Part:
    """Double sums with ends that are letters, from 0 and from 1 on, and what they are."""
    s = Scene(rng)
    s.part.say(rng.choice(("Let $n \\ge 1$ be a whole number.", "For every $n$ we count.")))
    for _ in range(3):
        low, high = rng.choice((0, 1)), rng.choice((0, -1, 1))
        below, above = (
            rng.choice((0, 1, "i", "i+1")),
            rng.choice(("n", "n-1", "i", "i-1", "i+1", "n-i")),
        )
        if isinstance(below, str) and above.startswith("i"):
            above = "n"
        body, f = rng.choice(BODIES)
        ends = {"n": lambda n, i: n, "n-1": lambda n, i: n - 1, "i": lambda n, i: i, "n-i": lambda n, i: n - i,
                "i-1": lambda n, i: i - 1, "i+1": lambda n, i: i + 1, 0: lambda n, i: 0, 1: lambda n, i: 1}  # fmt: skip

        def value(n: int, low=low, high=high, below=below, above=above, f=f, ends=ends) -> int:  # type: ignore[no-untyped-def]
            return sum(
                f(i, j)
                for i in range(low, n + high + 1)
                for j in range(ends[below](n, i), ends[above](n, i) + 1)
            )

        right = fitted(value)
        if right is None:
            continue
        left = rf"\sum_{{i={low}}}^{{{shifted('n', high)}}} \sum_{{j={below}}}^{{{above}}} {body}"
        if rng.random() < 0.45:
            right = s.slipped(right)
        s.then()
        s.part.show(left, right, tail=rng.choice(("", " .")))
    return s.part


SHIFTED: Pairs = [
    (r"\sum_{k=1}^{n} a^k", r"a \sum_{k=0}^{n-1} a^k"), (r"\sum_{k=0}^{n} a^k - \sum_{k=0}^{n-1} a^k", "a^n"),
    (r"\sum_{k=2}^{n} k b", r"\frac{b (n - 1) (n + 2)}{2}"), (r"\sum_{k=0}^{n-1} (a + k b)", r"n a + \frac{b n (n - 1)}{2}"),
    (r"\sum_{k=1}^{n} k a^k", r"a \sum_{k=0}^{n-1} (k + 1) a^k"), (r"\sum_{k=1}^{n} (k^2 - (k - 1)^2)", "n^2"),
    (r"\sum_{k=n}^{2 n} a", "(n + 1) a"), (r"\sum_{k=1}^{2 n} k", "n (2 n + 1)"), (r"\sum_{k=1}^{n} (2 k - 1)", "n^2"),
    (r"\sum_{k=n+1}^{n} a", "0"), (r"\sum_{k=1}^{n} \frac{1}{k (k + 1)}", r"\frac{n}{n + 1}"),
    (r"\sum_{k=0}^{n} (n - k)", r"\sum_{k=0}^{n} k"), (r"\sum_{k=1}^{n} (n - k)", r"\sum_{k=0}^{n-1} k"),
    (r"\sum_{k=0}^{n-1} (a b^k)", r"a \sum_{k=1}^{n} b^{k-1}"), (r"\sum_{k=1}^{n} (x_k - x_1)", r"\sum_{k=2}^{n} (x_k - x_1)"),
    (r"\sum_{k=1}^{n-1} (x_{k+1} - x_k)", "x_n - x_1"), (r"\sum_{k=2}^{n} x_k", r"\sum_{k=1}^{n} x_k - x_1"),
    (r"\sum_{k=1}^{n-1} x_k y_{k+1}", r"\sum_{k=2}^{n} x_{k-1} y_k"), (r"\sum_{k=1}^{n} x_{n+1-k}", r"\sum_{k=1}^{n} x_k"),
    (r"\sum_{k=1}^{n} \sum_{l=1}^{k} x_l", r"\sum_{l=1}^{n} (n - l + 1) x_l"),
    (r"\sum_{k=1}^{n} \sum_{l=k+1}^{n} x_k x_l", r"\sum_{l=2}^{n} \sum_{k=1}^{l-1} x_k x_l"),
    (r"\sum_{k=1}^{n} \sum_{l=k}^{n} x_k", r"\sum_{k=1}^{n} (n - k + 1) x_k"),
]  # fmt: skip


def shifts(rng: Random) -> Part:
    """Sums from other numbers on, and sums of nothing."""
    s = Scene(rng)
    number(s, "a", "b")
    if rng.random() < 0.5:
        s.part.inputs |= {"x": "vector", "y": "vector"}
        said(s, [p for p in SHIFTED if "x" in p[0]])
    else:
        said(s, [p for p in SHIFTED if "x" not in p[0]])
    s.introduce()
    return s.part


DATA: list[tuple[str, str, Pairs]] = [
    ("a x_i + b", r"\sum_i (y_i - c x_i)^2",
     [(r"\frac{\partial L}{\partial a}", r"2 \sum_i (y_i - c x_i) x_i"), (r"\frac{\partial L}{\partial b}", r"2 \sum_i (y_i - c x_i)"),
      (r"\frac{\partial L}{\partial c}", r"-2 \sum_i (y_i - c x_i) x_i"), (r"\frac{\partial L}{\partial a}", r"-\frac{\partial L}{\partial c}")]),
    ("a x_i^2", r"\sum_i (y_i - a x_i)^2",
     [(r"\frac{\partial L}{\partial a}", r"2 \sum_i (y_i - a x_i) (x_i^2 - x_i)"), (r"\frac{\partial L}{\partial x_j}", "2 (y_j - a x_j) (2 a x_j - a)")]),
    (r"e^{a x_i}", r"\sum_i b y_i",
     [(r"\frac{\partial L}{\partial a}", r"b \sum_i x_i y_i"), (r"\frac{\partial L}{\partial b}", r"\sum_i y_i"), (r"\frac{\partial L}{\partial x_j}", "a b y_j")]),
    (r"x_i - \frac{1}{n} \sum_j x_j", r"\frac{1}{n} \sum_i y_i^2",
     [(r"\frac{\partial L}{\partial x_j}", r"\frac{2}{n} y_j"), (r"\sum_i y_i", "0"), ("L", r"\frac{1}{n} \sum_i x_i^2 - (\frac{1}{n} \sum_i x_i)^2")]),
]  # fmt: skip


def data(rng: Random) -> Part:
    """Gradients where the data are made of the parameters."""
    s = Scene(rng)
    number(s, "a", "b", "c")
    s.part.inputs["x"] = "vector"
    y, body, pairs = rng.choice(DATA)
    s.part.definitions += [Definition("y", y, ("i",)), Definition("L", body)]
    shown = [f"$$ y_i = {y} . $$", f"$$ L = {body} . $$"]
    for text in shown if rng.random() < 0.6 else reversed(shown):
        s.part.say(text)
    said(s, pairs)
    s.introduce()
    return s.part


# ----------------------------------------------------------------------------------- matrices

WORDS: list[tuple[str, Callable[[Values, Random], None], Pairs]] = [
    ("$A$ is symmetric and $B$ is antisymmetric", lambda v, r: v.update(A=v["A"] + v["A"].T, B=v["B"] - v["B"].T),
     [(r"\operatorname{tr}(A B)", "0"), (r"x^\top B x", "0"), (r"(A B)^\top", "-B A"), (r"x^\top (A + B) x", r"x^\top A x"),
      (r"x^\top A B x", r"-x^\top B A x"), (r"(A + B)^\top", "A - B"), (r"\operatorname{tr}(A^2 B)", "0"), (r"\operatorname{tr}(B^3)", "0"),
      (r"\operatorname{tr}(A B^2)", r"\operatorname{tr}(B A B)"), (r"\frac{\partial}{\partial x} (x^\top A x)", "2 A x")]),
    ("$A$ and $B$ are symmetric", lambda v, r: v.update(A=v["A"] + v["A"].T, B=v["B"] + v["B"].T),
     [(r"(A B)^\top", "B A"), (r"x^\top A B y", r"y^\top B A x"), (r"(A B + B A)^\top", "A B + B A"), (r"(A B A)^\top", "A B A"),
      (r"\operatorname{tr}(A B A)", r"\operatorname{tr}(A^2 B)"), (r"(A - B)^\top", "A - B"), (r"(A B - B A)^\top", "B A - A B")]),
    ("$A$ is orthogonal", lambda v, r: v.update(A=np.linalg.qr(v["A"] + 0.1 * np.eye(len(v["A"])))[0]),
     [(r"A^\top A", "I"), (r"\|A x\|", r"\|x\|"), (r"(A x)^\top (A y)", r"x^\top y"), (r"(\det A)^2", "1"), (r"(A^2)^\top A^2", "I"),
      (r"A^{-1}", r"A^\top"), (r"\|A x - A y\|^2", r"\|x - y\|^2"), (r"\operatorname{tr}(A B A^\top)", r"\operatorname{tr}(B)"),
      (r"\|x - A^\top y\|^2", r"\|A x - y\|^2"), ("A^2", "I"), (r"\det A", "1")]),
    ("$A$ is symmetric and orthogonal", lambda v, r: v.update(A=np.eye(len(v["A"])) - 2 * v["x"] @ v["x"].T / (v["x"] ** 2).sum()),
     [("A^2", "I"), (r"A^{-1}", "A"), ("A^3 x", "A x"), (r"x^\top A^2 y", r"x^\top y"), (r"\|A y\|^2", r"\|y\|^2"), (r"A^\top", "A"), (r"A", "I")]),
    ("$A$ is invertible", lambda v, r: v.update(A=v["A"] + 3 * np.eye(len(v["A"]))),
     [(r"A^{-1} A x", "x"), (r"(A^\top)^{-1} A^\top y", "y"), (r"(A^{-1})^\top", r"(A^\top)^{-1}"), (r"\det(A^{-1}) \det A", "1"),
      (r"\operatorname{tr}(A B A^{-1})", r"\operatorname{tr}(B)"), (r"(2 A)^{-1}", r"\frac{1}{2} A^{-1}"), (r"A^{-1} B A", "B"), (r"A^{-1} B^2 A", "(A^{-1} B A)^2")]),
]  # fmt: skip


def matrices(rng: Random) -> Part:
    """What words say of matrices, and what follows."""
    s = Scene(rng)
    s.part.inputs = {"A": "square", "B": "square", "x": "vector", "y": "vector"}
    s.names = {n: n for n in s.part.inputs}
    words, impose, pairs = rng.choice(WORDS)
    s.part.imposed.append(impose)
    s.part.say(rng.choice(("Let us say that {}.", "Here {}.", "We assume that {}.")).format(words))
    pairs = [p for p in pairs if r"\partial}" not in p[0]]
    said(s, pairs)
    s.introduce()
    return s.part


# -------------------------------------------------------------------------------------- averages

AVERAGES: Pairs = [
    (r"\mathbb{E}[a X + b]", r"a \mathbb{E}[X] + b"), (r"\mathbb{E}[X + Y]", r"\mathbb{E}[X] + \mathbb{E}[Y]"),
    (r"\operatorname{Var}(a X + b)", r"a^2 \operatorname{Var}(X)"), (r"\operatorname{Var}(X)", r"\mathbb{E}[X^2] - \mathbb{E}[X]^2"),
    (r"\operatorname{Cov}(X, Y)", r"\mathbb{E}[X Y] - \mathbb{E}[X] \mathbb{E}[Y]"),
    (r"\operatorname{Var}(X + Y)", r"\operatorname{Var}(X) + \operatorname{Var}(Y) + 2 \operatorname{Cov}(X, Y)"),
    (r"\operatorname{Cov}(a X, b Y)", r"a b \operatorname{Cov}(X, Y)"), (r"\operatorname{Cov}(X + Y, X - Y)", r"\operatorname{Var}(X) - \operatorname{Var}(Y)"),
    (r"\mathbb{E}[(X - c)^2]", r"\operatorname{Var}(X) + (\mathbb{E}[X] - c)^2"), (r"\operatorname{Cov}(X, X)", r"\operatorname{Var}(X)"),
    (r"\operatorname{Var}(-X)", r"\operatorname{Var}(X)"), (r"\operatorname{Cov}(X + a, Y)", r"\operatorname{Cov}(X, Y)"),
]  # fmt: skip
INDEPENDENT: Pairs = [
    (r"\mathbb{E}[X Y]", r"\mathbb{E}[X] \mathbb{E}[Y]"), (r"\operatorname{Var}(X + Y)", r"\operatorname{Var}(X) + \operatorname{Var}(Y)"),
    (r"\operatorname{Var}(X - Y)", r"\operatorname{Var}(X) + \operatorname{Var}(Y)"), (r"\operatorname{Cov}(X, Y)", "0"),
    (r"\operatorname{Var}(a X + b Y)", r"a^2 \operatorname{Var}(X) + b^2 \operatorname{Var}(Y)"), (r"\operatorname{Cov}(X, X + Y)", r"\operatorname{Var}(X)"),
    (r"\mathbb{E}[X^2 Y]", r"\mathbb{E}[X^2] \mathbb{E}[Y]"), (r"\operatorname{Cov}(X + Y, X - Y)", r"\operatorname{Var}(X) - \operatorname{Var}(Y)"),
    (r"\operatorname{Var}(X Y)", r"\mathbb{E}[X^2] \mathbb{E}[Y^2] - \mathbb{E}[X]^2 \mathbb{E}[Y]^2"),
    (r"\mathbb{E}[(X - Y)^2]", r"\operatorname{Var}(X) + \operatorname{Var}(Y) + (\mathbb{E}[X] - \mathbb{E}[Y])^2"),
]  # fmt: skip
UNRELATED = (
    "Let $X$ and $Y$ be independent random variables.", "The random variables $X$ and $Y$ are independent.",
    "$X$ and $Y$ are random variables, and $Y$ is independent of $X$.",
)  # fmt: skip
RELATED = (
    "Let $X$ and $Y$ be random variables.", "The random variables $X$ and $Y$ need not be independent.",
    "Let $X$ and $Y$ be dependent random variables.", "We do not assume that the random variables $X$ and $Y$ are independent.",
)  # fmt: skip


def averages(rng: Random) -> Part:
    """E, Var and Cov of two random variables, which are independent or not."""
    s = Scene(rng)
    number(s, "a", "b", "c")
    apart = rng.random() < 0.5

    def law(v: Values, r: Random) -> None:
        xs, ys = ([r.gauss(0, 1) for _ in range(3)] for _ in "xy")
        p, q = ([r.random() + 0.1 for _ in range(3)] for _ in "pq")
        joint = {
            (i, j): p[i] * q[j] if apart else r.random() for i, j in product(range(3), repeat=2)
        }
        total = sum(joint.values())
        v["law"] = [(w / total, {"X": xs[i], "Y": ys[j]}) for (i, j), w in joint.items()]

    s.part.imposed.append(law)
    s.part.say(rng.choice(UNRELATED if apart else RELATED))
    pairs = AVERAGES + 2 * INDEPENDENT
    said(s, [*dict.fromkeys(rng.sample(pairs, 8))], wrong=0.35)
    s.introduce()
    return s.part


# ---------------------------------------------------------------------------------------- limits

LIMITS: Pairs = [
    (r"\lim_{t \to 0} \frac{\sin(a t)}{t}", "a"), (r"\lim_{t \to 0} \frac{e^{a t} - 1}{t}", "a"), (r"\lim_{t \to 0} \frac{1 - \cos(a t)}{t^2}", r"\frac{a^2}{2}"),
    (r"\lim_{t \to 0} \frac{(1 + t)^3 - 1}{t}", "3"), (r"\lim_{t \to 0} \frac{\log(1 + t)}{t}", "1"), (r"\lim_{t \to 0} \frac{\tanh(b t)}{t}", "b"),
    (r"\lim_{t \to \infty} \frac{a t + b}{t + 1}", "a"), (r"\lim_{t \to \infty} \frac{a}{1 + t^2}", "0"), (r"\lim_{t \to \infty} \frac{t^2 + a t}{2 t^2 + 1}", r"\frac{1}{2}"),
    (r"\lim_{t \to \infty} \left(1 + \frac{a}{t}\right)^t", "e^{a}"), (r"\lim_{t \to 0} \frac{(a + t)^2 - a^2}{t}", "2 a"), (r"\lim_{t \to \infty} e^{-t} t", "0"),
    (r"\lim_{t \to 0} \frac{\sin(a t)}{\sin(t)}", "a"), (r"\lim_{t \to \infty} (\sqrt{t^2 + a t} - t)", r"\frac{a}{2}"), (r"\lim_{t \to a} \frac{t^2 - a^2}{t - a}", "2 a"),
]  # fmt: skip


def limits(rng: Random) -> Part:
    s = Scene(rng)
    number(s, "a", "b", "c")
    said(s, LIMITS)
    s.introduce()
    return s.part


# ----------------------------------------------------------------------------------------- cases

PIECES: list[tuple[str, Callable[[float, float, float], float], Pairs]] = [
    (r"a t & t \ge 0 \\ b t & t < 0", lambda t, a, b: a * t if t >= 0 else b * t,
     [("f(0)", "0"), ("f(1)", "a"), ("f(-1)", "-b"), ("f(2) + f(-2)", "2 a - 2 b"), ("f(c^2)", "a c^2"), ("f(-c^2 - 1)", "-b (c^2 + 1)"), ("f(c)", "a c")]),
    (r"t^2 & t > 1 \\ 2 t - 1 & t \le 1", lambda t, a, b: t * t if t > 1 else 2 * t - 1,
     [("f(0)", "-1"), ("f(1)", "1"), ("f(3)", "9"), ("f(-1)", "-3"), ("f(2) - f(0)", "5"), ("f(c)", "c^2"), ("f(c^2 + 2)", "(c^2 + 2)^2")]),
    (r"a & 0 \le t < 1 \\ b & 1 \le t < 2 \\ 0 & \text{otherwise}", lambda t, a, b: a if 0 <= t < 1 else b if 1 <= t < 2 else 0,
     [("f(0)", "a"), ("f(1)", "b"), ("f(2)", "0"), ("f(-1)", "0"), ("f(0) + f(1)", "a + b"), ("f(3) f(0)", "0")]),
    (r"1 & t = 0 \\ t & \text{else}", lambda t, a, b: 1 if t == 0 else t,
     [("f(0)", "1"), ("f(2)", "2"), ("f(f(0))", "1"), ("f(c^2 + 1)", "c^2 + 1"), ("f(c - c)", "1"), ("f(1) - f(0)", "0")]),
]  # fmt: skip


def pieces(rng: Random) -> Part:
    """f(t) in cases, at numbers and elsewhere."""
    s = Scene(rng)
    number(s, "a", "b", "c")
    body, f, pairs = rng.choice(PIECES)
    s.part.letters = {**s.part.letters, "f": "function"}
    s.part.say(rf"$$ f(t) = \begin{{cases}} {body} \end{{cases}} $$")
    s.part.definitions.append(Definition("f", lambda e: lambda t: f(t, e["a"], e["b"])))
    said(s, pairs)
    s.introduce()
    return s.part


# ---------------------------------------------------------------------------------- steps, roots


def steps(rng: Random) -> Part:
    """Rules of two steps, of two sequences, and sums of a sequence."""
    s = Scene(rng)
    number(s, "a", "b", "c", "d")
    part = s.part
    part.letters = {"t": "t", "k": "n", "s": "n"}
    kind = rng.randrange(3)
    if kind == 0:
        part.say("$$ x_{t+2} = a x_{t+1} + b x_t , $$")
        part.say("with $x_0 = c$ and $x_1 = d$.")

        def state(e: Values) -> Any:
            found = {(0,): e["c"], (1,): e["d"]}
            for k in range(2, 9):
                found[k,] = e["a"] * found[k - 1,] + e["b"] * found[k - 2,]
            return found

        part.definitions.append(Definition("x", state))
        said(s, [("x_2", "a d + b c"), ("x_3", "a^2 d + a b c + b d"), ("x_{t+3}", "(a^2 + b) x_{t+1} + a b x_t"),
                 ("x_{t+2} - a x_{t+1}", "b x_t"), ("x_3 - a x_2", "b d"), ("x_1 + x_0", "c + d")])  # fmt: skip
    elif kind == 1:
        part.say(r"$$ x_{t+1} = a x_t + b y_t , \qquad y_{t+1} = x_t - y_t . $$")
        part.say("We start from $x_0 = c$ and $y_0 = d$.")

        def pair(which: int) -> Callable[[Values], Any]:
            def both(e: Values) -> Any:
                x, y, found = e["c"], e["d"], {}
                for k in range(8):
                    found[k,] = (x, y)[which]
                    x, y = e["a"] * x + e["b"] * y, x - y
                return found

            return both

        part.definitions += [Definition("x", pair(0)), Definition("y", pair(1))]
        said(s, [("x_1", "a c + b d"), ("y_1", "c - d"), ("y_2", "a c + b d - c + d"), ("x_2", "a^2 c + a b d + b c - b d"),
                 ("y_{t+2}", "(a - 1) x_t + (b + 1) y_t"), ("x_{t+1} + b y_{t+1}", "(a + b) x_t"), ("y_1 + y_0", "c")])  # fmt: skip
    else:
        part.say(r"$$ S_t = \sum_{k=1}^{t} a^k . $$")

        def sums(e: Values) -> Any:
            return {(t,): sum(e["a"] ** k for k in range(1, t + 1)) for t in range(8)}

        part.definitions.append(Definition("S", sums))
        said(s, [("S_0", "0"), ("S_1", "a"), ("S_2", "a + a^2"), ("S_{t+1} - S_t", "a^{t+1}"), ("S_{t+1}", "a + a S_t"),
                 ("S_{t+2}", "S_t + a^{t+1} + a^{t+2}"), ("(1 - a) S_t", "a - a^{t+1}")])  # fmt: skip
    s.introduce()
    return part


IMPLICIT: list[tuple[str, Callable[[float, float, float], float], Pairs]] = [
    (r"a \cos(x) + b", lambda x, a, b: a * math.cos(x) + b,
     [(r"\frac{\partial x}{\partial a}", r"\frac{\cos(x)}{1 + a \sin(x)}"), (r"\frac{\partial x}{\partial b}", r"\frac{1}{1 + a \sin(x)}"), (r"\frac{\partial x}{\partial b}", "1"), (r"\frac{\partial x}{\partial a}", r"\cos(x)")]),
    (r"\tanh(a x + b)", lambda x, a, b: math.tanh(a * x + b),
     [(r"\frac{\partial x}{\partial b}", r"\frac{1 - x^2}{1 - a (1 - x^2)}"), (r"\frac{\partial x}{\partial a}", r"\frac{x (1 - x^2)}{1 - a (1 - x^2)}"), (r"\frac{\partial x}{\partial b}", "1 - x^2")]),
    (r"b + a x", lambda x, a, b: b + a * x,
     [(r"\frac{\partial x}{\partial b}", r"\frac{1}{1 - a}"), (r"\frac{\partial x}{\partial a}", r"\frac{x}{1 - a}"), (r"\frac{\partial x}{\partial a}", "x"), ("x", r"\frac{b}{1 - a}")]),
    (r"b e^{-a x}", lambda x, a, b: b * math.exp(-a * x),
     [(r"\frac{\partial x}{\partial b}", r"\frac{e^{-a x}}{1 + a x}"), (r"\frac{\partial x}{\partial a}", r"-\frac{x^2}{1 + a x}"), (r"\frac{\partial x}{\partial b}", "e^{-a x}")]),
]  # fmt: skip
SOLVES = (
    "The state $x$ is the solution of",
    "Let $x$ solve the equation",
    "In equilibrium $x$ satisfies",
    "The fixed point obeys",
)


def implicit(rng: Random) -> Part:
    """x = f(x, a), and how x changes with a."""
    s = Scene(rng)
    number(s, "a", "b")
    body, f, pairs = rng.choice(IMPLICIT)
    s.part.imposed.append(
        lambda v, r: v.update(a=0.8 * math.tanh(v["a"]), b=0.5 * math.tanh(v["b"]))
    )

    def root(e: Values) -> float:
        x = 0.3
        for _ in range(60):  # Newton, whose slope is a difference
            gap, step = x - f(x, e["a"], e["b"]), 1e-6
            slope = (x + step - f(x + step, e["a"], e["b"]) - gap) / step
            x -= gap / (slope or 1)
        if abs(x - f(x, e["a"], e["b"])) > 1e-13:
            raise NoValue("no root")
        return x

    s.part.say(rng.choice(SOLVES))
    s.part.say(f"$$ x = {body} . $$")
    s.part.definitions.append(Definition("x", root))
    said(s, pairs, wrong=0.3)
    s.introduce()
    return s.part


# ------------------------------------------------------------------------------------ loose words

LOOSE = (
    ("Ignoring terms of order $a^2$,", "e^{a}", "1 + a"), ("To first order in $a$,", "(1 + a)^3", "1 + 3 a"), ("For small $a$,", r"\sin(a)", "a"),
    ("Up to a constant that does not depend on $a$,", "(a - b)^2", "a^2 - 2 a b"), ("Neglecting $b^2$,", "(a + b)^2", "a^2 + 2 a b"),
    ("Up to terms of higher order,", r"\frac{1}{1 - a}", "1 + a + a^2"), ("Dropping what does not depend on $b$,", "a^2 + a b", "a b"),
    ("Approximately,", r"\log(1 + a)", "a"), ("In the special case $a = b$,", "a^2 + b^2", "2 a b"), ("If we pretend that $b = 0$,", "a + b", "a"),
    ("Up to a sign,", "a - b", "b - a"), ("Were it the case that $a = 1$, we would have", "a b", "b"), ("Unless $a \\ne b$,", "a - b", "0"),
    ("Modulo multiples of $b$,", "a + 2 b", "a"), ("A common mistake is to write", "(a + b)^2", "a^2 + b^2"), ("It is wrong that", "|a + b|", "|a| + |b|"),
    ("One might hope that", r"\sqrt{a^2 + b^2}", "a + b"), ("For $b$ close to zero,", "a + b^2", "a"), ("In leading order,", "a^2 + a^3", "a^2"),
)  # fmt: skip


def loose(rng: Random) -> Part:
    """Equations that words make true, or call wrong: nothing is refuted there, nor proved."""
    s = Scene(rng)
    number(s, "a", "b", "c")
    for words, left, right in rng.sample(LOOSE, 3):
        s.part.say(words)
        s.part.show(left, right, tail=rng.choice(("", " .")), loose=True)
    s.introduce()
    return s.part


CHAPTERS = (ranges, ranges, shifts, reparametrised, reparametrised, coordinates, chained, data,
            matrices, averages, averages, limits, pieces, steps, implicit, loose)  # fmt: skip

__all__ = ["CHAPTERS"]
