"""Counterexamples: small sizes, small rational values, both sides compared beyond rounding.

A difference seen in float64 is only a suspicion.  It counts when exact rational arithmetic, or 50
and then 350 digits where functions or roots occur, show it again, and when it is still there
with derivatives taken by differences of the definitions in place of the rules of differentiation.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations, permutations
from typing import Any

import mpmath
import numpy as np

from . import normalize as nf
from . import primitives
from .carriers import ROUNDED, Carrier, fractions, multiprecision
from .derive import outputs_of
from .differences import Differences
from .errors import LimitError, SymattnError
from .evaluate import Evaluator
from .facts import Fact
from .ir import (
    FACTOR,
    ZERO,
    Argmax,
    Call,
    Mask,
    Max,
    Poly,
    Ref,
    Tensor,
    Term,
    fresh_indices,
    inside,
    partial_tensor,
    ranges_of,
    raw_atom,
    refs,
    slot_items,
)
from .model import Model, is_size, made_of
from .resizing import least_sizes
from .sample import fits, mirrored, pick_sizes, satisfying, shape_of, size_symbols

TRIES = 8  # draws of sizes and values before the search ends
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


class Problem:
    """Both sides of an equation, ready to be evaluated at samples.

    `sides` are as they were written, `evaluated` has their derivatives by the rules; `derivative`
    says that a side is one already.
    """

    measured = False  # derivatives are taken by differences alone

    def __init__(
        self,
        sides: tuple[Poly, Poly],
        evaluated: Sequence[Poly],
        m: Model,
        facts: Sequence[Fact] = (),
        derivative: bool = False,
    ) -> None:
        self.sides, self.model, self.facts = sides, m, list(facts)
        self.evaluated = (evaluated[0], evaluated[1])
        self.axes = tuple(sorted(sides[0].free | sides[1].free, key=lambda i: i.sort))
        self.tensors = self._inputs()
        self.scalars = [t for t in self.tensors.values() if not t.shape]
        self.ranges = {i.size for i in self.axes}
        self.ranges |= {s for poly in self._all() for s in ranges_of(poly)}
        shapes = [s for t in self.tensors.values() for s in t.shape]
        shapes += [t.symbol for t in self._leaves() if is_size(t) and t.symbol is not None]
        compared = (slot_items(mask.slot)[1] for p in self._all() for mask in _masks(p))
        self.size_names = size_symbols([*shapes, *self.ranges, *compared])
        polys = list(self._all())
        self.least = {n.name: c for n, c in least_sizes(polys).items()}
        self.exact = not any(_any(p, _irrational) for p in polys)
        self.kinked = any(_any(p, _kinked) for p in polys)
        derivative = derivative or any(r.tensor.parts for side in sides for r in refs(side))
        self.generic = self.kinked and derivative
        self.rare = self.kinked or any(_any(p, _magnitude) for p in polys)
        # derivatives can be measured, but for those that nothing defines
        left = {r.tensor for p in self.evaluated for r in refs(p) if r.tensor.parts}
        self.derived = any(r.tensor.parts for side in sides for r in refs(side)) and all(
            t.named[0].role == "loss" for t in left
        )
        self.drawn = 0  # how many samples satisfied the facts
        self.largest = 0.0  # the left side has had this value

    @property
    def unsatisfied(self) -> bool:
        """There are facts, and no sample satisfied them."""
        return self.drawn == 0 and bool(
            self.facts or any(b.fact for b in self.model.bodies.values())
        )

    @property
    def silent(self) -> str:
        """Why no counterexample was sought, if none was."""
        return "no values were found that satisfy the facts" if self.unsatisfied else ""

    def _all(self) -> Iterator[Poly]:
        yield from self.sides
        yield from self.evaluated
        for name in self._reached():
            yield self.model.bodies[name].raw
        for fact in self.facts:
            yield fact.left
            yield fact.right

    def _reached(self) -> list[str]:
        nodes = [*self.sides, *self.evaluated, *(s for f in self.facts for s in (f.left, f.right))]
        direct = {t.name for s in nodes for r in refs(s) for t in made_of(r.tensor)}
        direct |= {t.name for t in self.model.outputs if self._lossy()}
        reached = self.model.mentions(direct)
        return [n for n in self.model.bodies if n in reached]

    def _lossy(self) -> bool:
        return any(t.role == "loss" for s in self.sides for r in refs(s) for t in r.tensor.named)

    def _leaves(self) -> list[Tensor]:
        found: dict[Tensor, None] = {}
        for poly in self._all():
            for r in refs(poly):
                for t in made_of(r.tensor):
                    found[t] = None
                if r.tensor.role == "loss":  # near a point it is Σ ∂L/∂O O
                    found |= {partial_tensor(r.tensor, t): None for t in r.tensor.of}
        for poly in self.evaluated:  # a derivative that is left is free
            for r in refs(poly):
                if r.tensor.parts:
                    found[r.tensor] = None
        return list(found)

    def _inputs(self) -> dict[str, Tensor]:
        return {
            t.name: t
            for t in sorted(self._leaves(), key=lambda t: t.name)
            if t.name not in self.model.bodies
            and t.role not in ("loss", "place")
            and not is_size(t)
            and (t.symbol is None or t.symbol.is_Symbol)
        }

    def draw(
        self,
        seed: int,
        sizes: Mapping[str, int],
        positive: bool,
        zeros: bool = False,
        wide: bool = False,
        small: bool = False,
    ) -> dict[str, Any] | None:
        """Small rationals for every input that satisfy the facts; None where that fails.

        Wide ones reach 8, past where functions such as min(max(x, 0), 6) bend; small ones stay
        within −1/2 and 1/2, where 1 − x and probabilities are positive.
        """
        if not fits(self.ranges, sizes):
            return None
        rng = np.random.default_rng(seed)
        arrays: dict[str, Any] = {}
        for name, tensor in self.tensors.items():
            shape = shape_of(tensor, sizes)
            halves = rng.integers(1, 16 if small else 5, shape)
            factor = FACTOR.get(tensor.sign, 1 if positive else 0)
            halves = halves * (factor or rng.choice([-1, 1], shape))
            whole = tensor.symbol is not None and tensor.symbol.is_integer
            array = halves * 1.0 if whole else halves * (1 / 32 if small else 2.0 if wide else 0.5)
            if self.generic and not whole:  # of any order, no two of them equal
                array = array * rng.choice([0.25, 1.0], shape)
                array = array + rng.integers(1, 1 << 20, shape) / float(1 << 23)
            elif zeros and tensor.sign not in ("+", "-", "≠"):
                array = array * (rng.random(shape) < 0.6)
            if tensor.definite:
                array = np.tril(array)
                array = array @ array.T + np.eye(len(array))
            arrays[name] = mirrored(tensor, array) if shape else float(array)
        found = satisfying(self.facts, self.tensors, arrays, sizes, self.model)
        self.drawn += found is not None
        return found

    def fitted(self, sizes: Mapping[str, int]) -> dict[str, int]:
        """Sizes that are long enough for the components with a number."""
        least = ((n, v, self.least.get(n, 1)) for n, v in sizes.items())
        return {n: v if v >= c else v + c - 1 for n, v, c in least}

    def values(
        self,
        arrays: Mapping[str, Any],
        sizes: Mapping[str, int],
        carrier: Carrier | None = None,
        differences: bool = False,
    ) -> tuple[Any, Any]:
        """Both sides as arrays over the free indices."""
        given = arrays if carrier is None else {n: _lift(carrier, a) for n, a in arrays.items()}
        differences = differences or self.measured
        kind = Differences if differences else Evaluator
        evaluator = kind(given, sizes, carrier, self.model)
        sides = self.sides if differences else self.evaluated
        with np.errstate(all="ignore"):
            left, right = (evaluator(side, self.axes) for side in sides)
        return np.asarray(left), np.asarray(right)

    # ----------------------------------------------------------------------------------- the veto

    def contradiction(self, seed: int) -> Counterexample | None:
        """A sample at which both sides differ beyond rounding, None where there is none."""
        for k, pool in enumerate(VETO_SIZES):
            sizes = self.fitted({n: pool[p % len(pool)] for p, n in enumerate(self.size_names)})
            try:
                arrays = self.draw(
                    seed + 50 + k, sizes, positive=k == 1, zeros=k == 2, wide=self.kinked and k == 2
                )
                if arrays is None:
                    continue
                found = _compared(self, arrays, sizes)
                if found is None and self.derived and k == 1:
                    found = _compared(self, arrays, sizes, differences=True)
            except SymattnError:
                continue
            if found is not None:
                return self.counterexample(arrays, sizes, found, seed + 50 + k)
        return None

    def counterexample(
        self,
        arrays: Mapping[str, Any],
        sizes: Mapping[str, int],
        found: tuple[tuple[int, ...], float, float],
        seed: int,
    ) -> Counterexample:
        entry, left, right = found
        shown = {n: np.asarray(a).tolist() for n, a in arrays.items()}
        where = {i.name: int(e) for i, e in zip(self.axes, entry, strict=True)}
        return Counterexample(dict(sizes), shown, where, left, right, seed)


class Measured(Problem):
    """The equation with its derivatives by differences, where the rules write out too much.

    All are of losses, whose derivatives by what they are functions of are free.
    """

    measured = True

    def __init__(self, sides: tuple[Poly, Poly], losses: Iterable[Tensor], m: Model) -> None:
        free = [partial_tensor(loss, t) for loss in losses for t in outputs_of(m, loss)]
        given = (raw_atom(Ref(t, fresh_indices(t.shape, ()))) for t in free)
        super().__init__(sides, (nf.add(*given), ZERO), m)


def _lift(carrier: Carrier, array: Any) -> Any:
    lifted = np.frompyfunc(lambda x: carrier.number(Fraction(float(x))), 1, 1)(np.asarray(array))
    return np.asarray(lifted, dtype=object)


def _masks(node: Any) -> Iterator[Mask]:
    return (part for part in inside(node) if isinstance(part, Mask))


def _any(node: Any, holds: Callable[[Any], bool]) -> bool:
    """True when it holds of the node or of anything inside."""
    return any(map(holds, inside(node)))


def _irrational(node: Any) -> bool:
    """A function, a root, or a number such as π."""
    match node:
        case Term():
            return any(not isinstance(e, int) for _, e in node)
        case Ref():
            symbol = node.tensor.symbol
            if node.tensor.role == "logdet" or (node.tensor.parts and node.tensor.named):
                return True
            return symbol is not None and not symbol.is_Symbol
    return isinstance(node, Call)


def _magnitude(node: Any) -> bool:
    """log |det M|, which says nothing of a sign."""
    return isinstance(node, Ref) and node.tensor.role == "logdet"


def _kinked(node: Any) -> bool:
    """What bends or jumps somewhere; at a bend the derivative is a matter of convention."""
    return isinstance(node, Max | Argmax) or (
        isinstance(node, Call) and isinstance(node.name, str) and primitives.kinked(node.name)
    )


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
    return problem.counterexample(arrays, sizes, found, seed)


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
    """True when both sides agree at several samples, after a change of sizes or values."""
    seen = 0
    for k in range(3):
        sizes = problem.fitted(pick_sizes(problem.size_names, fixed, seed=seed + 100 + k))
        try:
            arrays = problem.draw(seed + 100 + k, sizes, positive=k == 1)
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
    return seen > 0


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


__all__ = ["Counterexample", "Problem", "refute"]
