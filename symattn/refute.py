"""Counterexamples: small sizes, small rational values, both sides compared beyond rounding.

A difference seen in float64 is only a suspicion.  It counts when exact rational arithmetic, or 50
and then 350 digits where functions or roots occur, show it again, and when it is still there
with derivatives taken by differences of the definitions in place of the rules of differentiation.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations, permutations
from typing import Any

import mpmath
import numpy as np

from . import normalize as nf
from .carriers import ROUNDED, fractions, multiprecision
from .errors import LimitError, SymattnError
from .problem import Problem
from .sample import pick_sizes

TRIES = 8  # draws of sizes and values before the search ends
SAMPLES, ENOUGH = 24, 12  # draws for a hint, and how many of them have to show it
TINY = 1e-9  # values are compared with each other below it, and else with 1
DIGITS = 50
WIDE = 96  # characters of a line
MORE_DIGITS = 350
VETO_SIZES = ((1,), (2, 3, 5, 4), (3, 2, 4, 5))  # for the size symbols in turn: one, m < n, n < m


@dataclass(frozen=True)
class Counterexample:
    """Sizes and values at which the two sides differ, at the entry where they differ most."""

    sizes: Mapping[str, int]
    values: Mapping[str, Any]  # tensor name → nested lists of numbers
    entry: Mapping[str, int]  # free index → its value
    lhs: float
    rhs: float
    seed: int

    def __str__(self) -> str:
        rows = []
        if self.sizes:
            rows.append("at " + ", ".join(f"{k} = {v}" for k, v in self.sizes.items()))
        rows += [f"{name} = {_plain(value)}" for name, value in self.values.items()]
        where = ", ".join(f"{k} = {v}" for k, v in self.entry.items())
        rows.append(
            f"left {self.lhs:.6g}, right {self.rhs:.6g}" + (f" for {where}" if where else "")
        )
        return "\n".join([*rows, f"(seed {self.seed})"])

    def in_short(self) -> list[str]:
        """The same in few lines: sizes and values in one where they fit."""
        *where, sides, seed = str(self).split("\n")
        joined = "; ".join(where)
        where = [joined] if 0 < len(joined) <= WIDE else where
        return [*where, f"{sides} {seed}"]


def _rounded(value: Any) -> Any:
    """Numbers to six digits: what solvers give differs behind them from machine to machine."""
    if isinstance(value, list):
        return [_rounded(x) for x in value]
    return float(f"{value:.6g}") if isinstance(value, float) else value


def _plain(value: Any) -> str:
    text = str(_rounded(value))
    return text if len(text) <= 200 else text[:200] + " …"


# ----------------------------------------------------------------------------------- the search


def refute(
    problem: Problem, seed: int = 0, brief: bool = False
) -> tuple[Counterexample, tuple[str, ...]] | None:
    """A confirmed counterexample to lhs = rhs with hints on the difference; None if none is found.

    A brief one is the first that is found, without hints.
    Raises LimitError when none is found and some sample was too large to evaluate.
    """
    met: LimitError | None = None
    for k in range(3 * TRIES if problem.rare else TRIES):  # cases may be rare where maxima are
        sizes = problem.fitted(pick_sizes(problem.size_names, seed=seed + k))
        try:
            zeros, wide = (problem.kinked and k % 3 == rest for rest in (2, 1))
            kinds = (k % 2 == 1, zeros, wide, k % 4 == 3)
            found = _try(problem, seed + k, sizes, *kinds)
        except LimitError as error:
            if met is not None:
                break
            met = error
            continue
        if found is not None and brief:
            return found, ()
        if found is not None:
            return _smallest(problem, found, seed + k, kinds), tuple(_hints(problem, seed))
    if met is not None:
        raise met
    return None


def contradiction(problem: Problem, seed: int) -> Counterexample | None:
    """A sample at which both sides differ beyond rounding, None where there is none: the veto."""
    for k, pool in enumerate(VETO_SIZES):
        sizes = problem.fitted({n: pool[p % len(pool)] for p, n in enumerate(problem.size_names)})
        wide = problem.kinked and k == 2
        try:
            arrays = problem.draw(seed + 50 + k, sizes, positive=k == 1, zeros=k == 2, wide=wide)
            if arrays is None:
                continue
            found = _compared(problem, arrays, sizes)
            if found is None and problem.derived and k == 1:
                found = _compared(problem, arrays, sizes, differences=True)
        except SymattnError:
            continue
        if found is not None:
            return _example(problem, arrays, sizes, found, seed + 50 + k)
    return None


def _example(
    problem: Problem,
    arrays: Mapping[str, Any],
    sizes: Mapping[str, int],
    found: tuple[tuple[int, ...], float, float],
    seed: int,
) -> Counterexample:
    entry, left, right = found
    shown = {n: np.asarray(a).tolist() for n, a in arrays.items()}
    where = {i.name: int(e) for i, e in zip(problem.axes, entry, strict=True)}
    return Counterexample(dict(sizes), shown, where, left, right, seed)


def _smallest(
    problem: Problem, example: Counterexample, seed: int, kinds: tuple[bool, ...]
) -> Counterexample:
    """A counterexample with every size as small as it may be beside the others."""
    for name in problem.size_names:
        for size in range(1, example.sizes[name]):
            try:
                found = _try(problem, seed, {**example.sizes, name: size}, *kinds)
            except LimitError:
                return example
            if found is not None:
                example = found
                break
    return example


def _try(
    problem: Problem, seed: int, sizes: Mapping[str, int], *kinds: bool
) -> Counterexample | None:
    """A counterexample among values that are positive, with zeros, wide or small."""
    try:
        arrays = problem.draw(seed, sizes, *kinds)
    except LimitError:
        raise
    except SymattnError:
        return None
    found = None if arrays is None else _compared(problem, arrays, sizes)
    if arrays is None or found is None:
        return None
    return _example(problem, arrays, sizes, found, seed)


def _compared(
    problem: Problem, arrays: Mapping[str, Any], sizes: Mapping[str, int], differences: bool = False
) -> tuple[tuple[int, ...], float, float] | None:
    """The entry where both sides differ most, confirmed, with both values there."""
    differences = differences or problem.measured
    try:
        try:
            left, right = problem.values(arrays, sizes, differences=differences)
        except OverflowError:  # numbers that no float holds
            left, right = problem.values(arrays, sizes, multiprecision(), differences)
    except LimitError:
        raise
    except (SymattnError, ArithmeticError, ValueError):
        return None
    with np.errstate(all="ignore"):
        sides = [np.nan_to_num(np.asarray(np.abs(x), float), posinf=0.0) for x in (left, right)]
        problem.largest = max(problem.largest, float(np.max(sides[0], initial=0.0)))
        tiny = max(float(np.max(x, initial=0.0)) for x in sides)
        unit = 1.0 if problem.facts or problem.derived or not 0 < tiny < TINY else tiny
        gap = np.abs(left - right) / (unit + np.abs(left) + np.abs(right))
        ratio = np.nan_to_num(np.asarray(gap, float), nan=0.0, posinf=0.0)
    if not ratio.size or np.max(ratio) < (1e-5 if differences else 1e-9):
        return None
    entry = tuple(int(e) for e in np.unravel_index(int(np.argmax(ratio)), ratio.shape))
    confirmed = _confirm(problem, arrays, sizes, entry, unit)
    return None if confirmed is None else (entry, *confirmed)


def _confirm(
    problem: Problem,
    arrays: Mapping[str, Any],
    sizes: Mapping[str, int],
    entry: tuple[int, ...],
    unit: float,
) -> tuple[float, float] | None:
    """Both values at an entry if they differ exactly, or by more than rounding at 50 digits.

    What rounding leaves is not the same with more digits: the difference must be the same with
    more of them than a float has before and behind its point, e^S (1 + e^{−S}) − e^S being 0
    with fewer.
    """
    exact = problem.exact and not problem.facts and not problem.derived
    rounded = ROUNDED if not problem.facts else 1e-9  # facts are met to float64 only
    # derivatives are those of differences
    loose = 8 if problem.facts or problem.derived else DIGITS // 2
    try:
        seen = None
        for digits in (DIGITS, MORE_DIGITS):
            with mpmath.workdps(digits):
                carrier = fractions() if exact else multiprecision(rounded)
                left, right = (
                    side[entry]
                    for side in problem.values(arrays, sizes, carrier, differences=problem.derived)
                )
                if exact:
                    return (_float(left), _float(right)) if left != right else None
                if not all(
                    mpmath.isfinite(x) and not isinstance(x, mpmath.mpc) for x in (left, right)
                ):
                    return None
                gap = left - right
                if abs(gap) <= mpmath.mpf(10) ** -loose * (unit + abs(left) + abs(right)):
                    return None
                if seen is not None and abs(gap - seen) <= abs(gap) / 100:
                    return _float(left), _float(right)
                seen = gap
    except (SymattnError, ArithmeticError, ValueError, TypeError):
        return None
    return None


def _float(value: Any) -> float:
    try:
        return float(value) + 0.0  # no -0
    except OverflowError:
        return float("inf") if value > 0 else float("-inf")


# ------------------------------------------------------------------------------------------ hints


def _agree(
    problem: Problem, seed: int, change: Any = None, fixed: Mapping[str, int] | None = None
) -> bool:
    """True when both sides agree at several samples, after a change of sizes or values.

    Numbers are drawn from a few, so what agrees once may do so by chance.
    """
    seen = 0
    for k in range(SAMPLES):
        sizes = problem.fitted(pick_sizes(problem.size_names, fixed, seed=seed + 100 + k))
        try:
            arrays = problem.draw(seed + 100 + k, sizes, positive=k % 2 == 1)
            if arrays is None:
                return False
            left, right = problem.values(change(arrays) if change else arrays, sizes)
        except (SymattnError, ArithmeticError, ValueError):
            return False
        finite = np.isfinite(left) & np.isfinite(right)
        if np.any(finite):
            seen += 1
            if not np.allclose(left[finite], right[finite], rtol=1e-9, atol=1e-9):
                return False
        if seen == ENOUGH:
            return True
    return False


def _hints(problem: Problem, seed: int) -> Iterator[str]:
    factor = _constant_factor(problem, seed)
    if factor:
        yield factor
        return
    yield from _transposed(problem, seed)
    if problem.facts:
        return
    for tensor in problem.scalars:
        if _agree(problem, seed, lambda a, n=tensor.name: {**a, n: 1.0}):
            yield f"both sides agree when {tensor.name} = 1"
    for name in problem.size_names:
        if _agree(problem, seed, fixed={name: 1}):
            yield f"both sides agree when {name} = 1"
    shaped = [t for t in problem.tensors.values() if t.shape]
    for a, b in combinations(shaped, 2):
        if a.shape == b.shape and _agree(
            problem, seed, lambda x, p=a.name, q=b.name: {**x, p: x[q]}
        ):
            yield f"both sides agree when {a.name} = {b.name}"


def _constant_factor(problem: Problem, seed: int) -> str:
    """left = c · right, c a rational number or a power of a scalar or a size."""
    ratios: list[float] = []
    factors: dict[str, list[float]] = {}
    for k in range(3):
        sizes = problem.fitted(pick_sizes(problem.size_names, seed=seed + 200 + k))
        try:
            arrays = problem.draw(seed + 200 + k, sizes, positive=k == 1)
            if arrays is None:
                return ""
            left, right = problem.values(arrays, sizes)
        except (SymattnError, ArithmeticError, ValueError):
            return ""
        with np.errstate(all="ignore"):
            ratio = left / right
        good = ratio[np.isfinite(ratio) & (np.abs(right) > 1e-9)]
        if not good.size or not np.allclose(good, good.flat[0], rtol=1e-9):
            return ""
        ratios.append(float(good.flat[0]))
        named = {
            **{n: float(v) for n, v in sizes.items()},
            **{t.name: float(arrays[t.name]) for t in problem.scalars},
        }
        for name, value in named.items():
            for power, label in (
                (1.0, name),
                (-1.0, f"1/{name}"),
                (0.5, f"sqrt({name})"),
                (-0.5, f"1/sqrt({name})"),
            ):
                if value > 0:
                    factors.setdefault(label, []).append(ratios[-1] / value**power)
    if np.allclose(ratios, 1.0, rtol=1e-9):
        return ""  # they agree at these samples, and differ elsewhere
    if np.allclose(ratios, ratios[0], rtol=1e-9):
        c = Fraction(ratios[0]).limit_denominator(1000)
        return f"left = {c} · right" if abs(float(c) - ratios[0]) < 1e-9 * abs(ratios[0]) else ""
    for label, values in factors.items():
        if len(values) == 3 and np.allclose(values, values[0], rtol=1e-9):
            c = Fraction(values[0]).limit_denominator(1000)
            if abs(float(c) - values[0]) < 1e-9 * abs(values[0]):
                return f"left = {'' if c == 1 else '-' if c == -1 else f'{c} · '}{label} · right"
    return ""


def _transposed(problem: Problem, seed: int) -> Iterator[str]:
    """The right side with free indices exchanged, where that makes the sides agree."""
    axes = problem.axes
    for order in permutations(range(len(axes))) if len(axes) <= 4 else ():
        swapped = {axes[k]: axes[p] for k, p in enumerate(order) if k != p}
        if not swapped or any(i.size != s.size for i, s in swapped.items()):
            continue
        other = nf.substitute(nf.normalize(problem.evaluated[1]), dict(swapped))
        sides = (problem.evaluated[0], other)
        if _agree(Problem(sides, sides, problem.model, problem.facts), seed):
            names = ", ".join(f"{i.name} → {s.name}" for i, s in swapped.items())
            yield f"both sides agree with the free indices of the right side exchanged: {names}"
            return


__all__ = ["Counterexample", "Problem", "contradiction", "refute"]
