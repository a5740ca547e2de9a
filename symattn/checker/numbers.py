"""Numeric claims: what is printed is compared to the digits that are printed.

A number with a decimal point may be rounded: 0.40 stands for everything from 0.395 to 0.405; and so
may a whole number by itself on the right, 6900 ≈ 3000 log 10.  A claim between numbers is proved
when its two sides agree to the last digit printed, and refuted when no choice within the rounding
of all numbers makes them agree.
"""

from __future__ import annotations

import operator
import re
from collections.abc import Callable, Collection, Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import mpmath
import numpy as np
import sympy as sp

from ..carriers import Carrier, fractions
from ..convert import lower_equation
from ..errors import SymattnError
from ..evaluate import Evaluator
from ..ir import Poly, Tensor, refs
from ..model import model
from ..syntax import System
from .inside import names
from .links import sides as chain
from .statements import Statement
from .versions import closure, functions
from .wholes import ROUNDS

_DECIMAL = re.compile(r"(?<![\w.\\])(\d{1,30})(?:\{,\}\d{3})*\.(\d{1,30})(?![\d.])")
_TENS = re.compile(  # behind a number
    r"\s*(?:(?:\\cdot|\\times|·|×)\s*10\s*\^\s*(?:\{\s*([-+]?\d{1,3})\s*\}|(\d))|[eE]([-+]?\d{1,3}))"
)
_WHOLE = re.compile(r"(?<![\w.\\^_{])\d{1,30}(?![\d.^_!])")
_DIGITS = re.compile(r"\d+")
_GREEK = ("zeta", "xi", "eta", "kappa", "rho", "tau", "chi", "psi", "omega", "nu")
_INTERVAL = frozenset({"exp", "log", "sqrt", "sin", "cos", "tan"})


@dataclass(frozen=True)
class Outcome:
    """Whether two printed numbers can be equal, and the right-hand side as computed."""

    verdict: str  # "proved", "refuted", "unproved"
    reason: str
    value: Any  # left side, an array
    other: Any  # right side
    entry: tuple[int, ...] = ()


def is_numeric(s: Statement, system: System) -> bool:
    """True when both sides are made of numbers only, definitions included."""
    if s.rhs is None:
        return False
    reached = closure(names(s.lhs) | names(s.rhs), system)
    unsaid = functions(s.lhs, system) | functions(s.rhs, system)
    return reached <= set(system.definitions) and not unsaid - ROUNDS.keys()


def decimals(latex: str) -> dict[Fraction, Fraction]:
    """Every number with a decimal point, with half a unit of its last digit."""
    found: dict[Fraction, Fraction] = {}
    for match in _DECIMAL.finditer(latex):
        value = Fraction(match[0].replace("{,}", ""))
        ulp = Fraction(1, 2 * 10 ** len(match[2]))
        tens = _tens(latex, match.end())
        for scale in (Fraction(1), *(() if tens is None else (Fraction(10) ** tens,))):
            found[value * scale] = max(ulp * scale, found.get(value * scale, ulp * scale))
    return found


def is_exact(x: Fraction, ulp: Fraction) -> bool:
    """A multiple of 0.05, or one digit: 0.07 is as exact as 0.7 is."""
    return (20 * x).denominator == 1 or len(str(x / (2 * ulp)).rstrip("0")) == 1


def _tens(latex: str, at: int) -> int | None:
    r"""The -4 of 7.92 \cdot 10^{-4}, behind 7.92; None where there is none."""
    found = _TENS.match(latex, at)
    return None if found is None else int(next(x for x in found.groups() if x is not None))


def whole(s: Statement, system: System, left: Poly) -> tuple[Fraction, Fraction, Fraction] | None:
    """A whole number by itself on the right, how far it may be off, and how far it has to agree.

    Behind ≈ its zeros may be rounded; behind = three digits are, where the left side is irrational.
    """
    printed = chain(s.latex)[0][-1].replace("{,}", "")
    found = _WHOLE.search(printed)
    if found is None or len(_DIGITS.findall(printed)) != 1:
        return None
    digits = found[0].rstrip("0")
    unit = Fraction(10 ** (len(found[0]) - len(digits)) if digits else 1, 2)
    half = Fraction(1, 2)
    if s.relation not in ("=", ":="):
        return Fraction(found[0]), unit, unit if len(digits) > 1 else half
    with suppress(SymattnError, TypeError, ValueError):
        value = Evaluator({}, {}, fractions(), model(system))(left, ())
        if isinstance(np.asarray(value).item(), int | Fraction):
            return None
    return (Fraction(found[0]), half, Fraction(0)) if len(found[0]) > 2 else None


def numeric(
    s: Statement,
    system: System,
    printed: str,
    more: Mapping[Fraction, Fraction] | None = None,
    exact: Collection[Fraction] = (),
) -> Outcome | None:
    """The comparison of two sides made of numbers; None where they cannot be evaluated.

    `printed` is the text whose decimals may be rounded: the statement, and the definitions that it
    rests on; `more` are numbers that may be, each with how far it may be off, and those that are
    `exact` are not, but for the outcome.  A function that nothing defines has no values.
    """
    if functions(s.lhs, system) or functions(s.rhs, system):
        return None
    try:
        m = model(system)
        sides = lower_equation(s.lhs, s.rhs, known=m.known)
        axes = tuple(sorted(sides[0].free | sides[1].free, key=lambda i: i.sort))
        if len(axes) > 2 or any(not i.size.is_Integer for i in axes):
            return None  # what has no place on a page is left to the prover
        with mpmath.workdps(30):
            values = [np.asarray(_exact(system, p, axes)) for p in sides]
        nearly = whole(s, system, sides[0]) if not axes else None
        result = decimals(" ".join(chain(s.latex)[0][1:]))  # the outcome as printed
        result |= {nearly[0]: nearly[2]} if nearly and nearly[2] else {}
        rounded = {x: u for x, u in decimals(printed).items() if x not in exact} | {**(more or {})}
        slack = rounded, rounded | result | ({nearly[0]: nearly[1]} if nearly else {})
        left, right = (
            np.asarray(_interval(system, p, axes, u)) for p, u in zip(sides, slack, strict=True)
        )
        stated = np.asarray(_interval(system, sides[1], axes, result))
    except (SymattnError, ArithmeticError, ValueError, TypeError, AttributeError, KeyError):
        return None
    worst, verdict, entry = Fraction(0), "proved", ()
    for place in np.ndindex(left.shape):
        x, y = values[0][place], values[1][place]
        if not (mpmath.isfinite(x) and mpmath.isfinite(y)):
            return None
        gap = abs(Fraction(str(mpmath.nstr(x - y, 25))))
        size = min(mpmath.mpf(1), abs(x) or 1, abs(y) or 1)  # of 6.6e-34, not of 1
        if gap < Fraction(str(mpmath.nstr(size, 5))) / 10**20 or _within(x, stated[place]):
            continue
        apart = _apart(left[place], right[place]) and not _folded(s.latex, left)
        now = "refuted" if apart else "unproved"
        if (now == "refuted" and verdict != "refuted") or (verdict != "refuted" and gap > worst):
            worst, entry = gap, place
        verdict = now if verdict == "proved" or now == "refuted" else verdict
    reason = {
        "proved": "agrees to the digits printed" if result or rounded else "",
        "refuted": "the numbers differ by more than rounding",
        "unproved": "agrees only within the rounding of the numbers it starts from",
    }[verdict]
    return Outcome(verdict, reason, values[0], values[1], entry)


def numbers_apart(s: Statement, exact: Collection[Fraction] = ()) -> bool | None:
    """Whether no choice within the rounding of the numbers in a statement makes it true.

    Those that are `exact` are what they are, but for the number at the end.

    Numbers that meet are one number once they are read, 0.33 + 0.33 is 0.66, so the statement is
    read again with a name for each.  None where that cannot be read.
    """
    found = _spread(s.latex, exact)
    return None if found is None else _apart(*found)


def _spread(latex: str, exact: Collection[Fraction] = ()) -> list[Any] | None:
    """Both sides of an equation of numbers, each decimal anything within its rounding.

    None for one without decimals, with names, with places, or that cannot be read.
    """
    from ..read import read

    found: dict[str, tuple[Fraction, Fraction]] = {}

    outcome = latex.rfind("=") if "=" in latex else latex.rfind("approx")

    def named(match: re.Match[str]) -> str:
        greek, capital = _GREEK[len(found) // 26 % len(_GREEK)], chr(65 + len(found) % 26)
        name, value = f"{greek}_{capital}", Fraction(match[0].replace("{,}", ""))
        known = value in exact and match.start() < outcome
        found[name] = value, Fraction(0 if known else 1, 2 * 10 ** len(match[2]))
        return rf" \{greek}_{capital} "

    latex = _DECIMAL.sub(named, latex)
    if not found or len(found) > 26 * len(_GREEK):
        return None
    try:
        document = read(
            f"<!-- symattn: scalars {' '.join(found)} -->\n\n$$ {latex} $$\n", strict=False
        )
        (e,) = [e for e in document.equations if e.rhs is not None]
        if not names(e.lhs) | names(e.rhs) <= set(found) or e.lhs.atoms(sp.Idx):
            return None
        m = model(System())
        given = {
            n: Interval(mpmath.iv.mpf([_exactly(x - u).a, _exactly(x + u).b]))
            for n, (x, u) in found.items()
        }
        sides = lower_equation(e.lhs, e.rhs, known=m.known)
        return [np.asarray(_interval(System(), p, (), {}, given)).item() for p in sides]
    except (SymattnError, ArithmeticError, ValueError, TypeError, AttributeError, KeyError):
        return None


def _folded(latex: str, left: Any) -> bool:
    """Where decimals of a right side meet, 1.62/(1 + 1.62), some of their numbers give the left."""
    side = chain(latex)[0][-1]
    if len(_WHOLE.findall(side)) + 2 * len(_DECIMAL.findall(side)) < 3 or left.shape:
        return False
    wide = _spread(f"0 = {side}")
    return wide is not None and not _apart(left.item(), wide[1])


def _exactly(x: Fraction) -> Any:
    return mpmath.iv.mpf(x.numerator) / x.denominator


def _within(x: Any, y: Any) -> bool:
    """A number lies in an interval, its ends included."""
    low, high = interval(y).value.a, interval(y).value.b
    size = abs(low) + abs(high)
    slack = mpmath.iv.mpf(10) ** -12 * (size if size.a > 0 else 1)
    return bool(low - slack <= mpmath.iv.mpf(x) <= high + slack)


def _exact(system: System, poly: Poly, axes: Any) -> Any:
    from ..carriers import multiprecision

    return Evaluator({}, {}, multiprecision(), model(system))(poly, axes)


def _interval(
    system: System,
    poly: Poly,
    axes: Any,
    rounded: dict[Fraction, Fraction],
    given: Mapping[str, Any] | None = None,
) -> Any:
    def number(q: Any) -> Any:
        value = Fraction(q)
        ulp = rounded.get(abs(value), Fraction(0))
        low, high = (interval(x.numerator) / x.denominator for x in (value - ulp, value + ulp))
        return Interval(mpmath.iv.mpf([low.value.a, high.value.b]))

    def function(name: str) -> Callable[[Any], Any]:
        if name not in _INTERVAL:
            raise ValueError(name)
        plain = getattr(mpmath.iv, name)
        return np.frompyfunc(lambda x: Interval(plain(interval(x).value)), 1, 1)

    known = {n: np.asarray(x, dtype=object) for n, x in (given or {}).items()}
    evaluator = Evaluator(known, {}, Carrier("interval", number, function, np), model(system))
    for tensor in _constants(poly, system):
        value = getattr(mpmath.iv, {"E": "e"}.get(str(tensor.symbol), str(tensor.symbol)))
        evaluator.arrays[tensor.name] = np.asarray(Interval(+value), dtype=object)
    return evaluator(poly, axes)


class Interval:
    """All numbers between two, in arrays too: what is no number is left to NumPy."""

    __slots__ = ("value",)

    def __init__(self, value: Any) -> None:
        self.value = value

    def __add__(self, other: Any) -> Any:
        return _joined(operator.add, self, other)

    def __mul__(self, other: Any) -> Any:
        return _joined(operator.mul, self, other)

    def __truediv__(self, other: Any) -> Any:
        return _joined(operator.truediv, self, other)

    def __rtruediv__(self, other: Any) -> Any:
        return _joined(lambda x, y: y / x, self, other)

    def __pow__(self, other: Any) -> Any:
        if isinstance(other, int) and other < 0:
            return interval(1) / self**-other
        return _joined(operator.pow, self, other)

    __radd__, __rmul__ = __add__, __mul__


def _joined(operation: Callable[[Any, Any], Any], x: Interval, y: Any) -> Any:
    if not isinstance(y, Interval | int):
        return NotImplemented
    return Interval(operation(x.value, y.value if isinstance(y, Interval) else y))


def interval(x: Any) -> Interval:
    """A number as an interval."""
    return x if isinstance(x, Interval) else Interval(mpmath.iv.mpf(x))


def _constants(poly: Poly, system: System) -> Iterable[Tensor]:
    """π and e where they occur."""
    m = model(system)
    polys = [poly, *(b.raw for b in m.bodies.values())]
    found = {r.tensor for p in polys for r in refs(p)}
    return [t for t in found if t.symbol is not None and t.symbol.is_number]


def _apart(x: Any, y: Any) -> bool:
    """Two intervals have no number in common."""
    a, b = interval(x).value, interval(y).value
    return bool(a.b < b.a or b.b < a.a)


def shown(value: Any, like: str) -> str:
    """A number or a matrix of numbers as LaTeX, with as many decimals as the text `like` has."""
    digits = [len(m[2]) for m in _DECIMAL.finditer(like)]
    places = max(digits, default=0)
    array = np.asarray(value, dtype=object)

    first = _DECIMAL.search(like)
    tens = _tens(like, first.end()) if first else None

    def one(x: Any) -> str:
        if tens is not None:
            power = f"10^{{{tens}}}"
            return rf"{float(x / mpmath.mpf(10) ** tens):.{places}f} \cdot {power}"
        exact = sp.nsimplify(sp.Float(str(mpmath.nstr(x, 25)), 25), rational=True)
        if not digits and exact.q < 1000:
            return sp.latex(exact)
        short = exact * 10 ** (places + 2)  # 0.05 where the text has 0.5
        more = (
            len(str(short.p)) - len(str(short.p).rstrip("0")) if short.is_Integer and exact else 2
        )
        return f"{float(x):.{max(places, places + 2 - more) or 4}f}"

    if array.ndim == 0:
        return one(array.item())
    found = re.search(r"\\begin\{([a-z]*matrix)\}", like)
    style = found[1] if found else "pmatrix"
    if array.ndim == 1:
        if "[" in like and not found:
            return "[" + ", ".join(map(one, array)) + "]"
        column = r" \\ ".join(map(one, array))
        return rf"\begin{{{style}}} {column} \end{{{style}}}"
    rows = r" \\ ".join(" & ".join(map(one, row)) for row in array)
    return rf"\begin{{{style}}} {rows} \end{{{style}}}"


__all__ = ["Outcome", "decimals", "is_numeric", "numeric", "shown"]
