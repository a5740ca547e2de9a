"""Inequalities: proved by signs and by lemmas, refuted by values that break them.

left ≤ right is proved when a normal form of right − left, or of that less one or two multiples of
lemmas N ≥ 0, has no negative term.  Samples only refute, and tell which lemmas are worth a try.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property
from itertools import islice, product
from typing import Any

import numpy as np
import sympy as sp

from ..budget import budget
from ..convert import lower
from ..errors import SymattnError
from ..evaluate import Evaluator
from ..facts import Rules, linked
from ..ir import ZERO, Index, Poly, refs
from ..laws import sign_of
from ..model import model
from ..refute import Problem
from ..sample import draw, pick_sizes, satisfying
from ..stages import differentiated, stages
from ..syntax import Definition, System
from .inside import names
from .lemmas import Vector, instances
from .second import Unable, compare
from .squares import squares
from .versions import closure

TURNED = {"≥": "≤", ">": "<", "⩾": "≤", "≫": "≪"}
RELATIONS = ("≤", "<", "≥", ">", "⩽", "⩾")
LEMMAS = 200  # instances that are tried
WORK = 40_000  # units of work for one of them
SCALES = (1.0, 0.1, 6.0)  # of the values at which a counterexample is sought
HALVES = (sp.Rational(1, 2), sp.S(2))  # what else squares are multiplied by
TRIES = 24
SAMPLES, ROUNDING = 9, 1e-9  # at which lemmas are looked at, and what may be rounding there
EXACT, TRIED = 24, 60  # combinations of lemmas that are tried
MARGIN = 1e-7  # by which an inequality must be broken


@dataclass(frozen=True)
class Broken:
    """Values at which left ≤ right does not hold."""

    sizes: Mapping[str, int]
    values: Mapping[str, Any]
    entry: Mapping[str, int]
    lhs: float
    rhs: float


def oriented(lhs: Any, rhs: Any, relation: str) -> tuple[Any, Any, bool]:
    """The sides so that the first is to be less, and whether equality is excluded."""
    less = TURNED.get(relation, relation)
    return (lhs, rhs, less == "<") if less == relation else (rhs, lhs, less == "<")


class Inequality:
    """left ≤ right, or left < right where `strict`, for the definitions of a system."""

    def __init__(
        self, left: Any, right: Any, strict: bool, letters: Sequence[sp.Idx], system: System
    ) -> None:
        self.left, self.right, self.strict = left, right, strict
        self.letters, self.system = tuple(letters), system
        self.gap = right - left
        self.model, facts = linked(model(system))
        self.rules, self.facts = Rules(facts), facts
        self._valued: dict[Any, Any] = {}

    # ---------------------------------------------------------------------------------- proofs

    def proof(self) -> str:
        """Why it holds; empty where no proof is found."""
        if isinstance(self.left, sp.Abs):  # |u| ≤ b is u ≤ b and −u ≤ b
            (u,) = self.left.args
            both = [
                Inequality(x, self.right, self.strict, self.letters, self.system).proof()
                for x in (u, -u)
            ]
            return both[0] if all(both) else ""
        if self._holds(self.gap):
            return "signs"
        if self._squared():
            return "squares"
        if self._definite():
            return "a quadratic form without negative values"
        if self.strict:  # the lemmas allow equality
            return ""
        return self._by_lemmas()

    def _by_lemmas(self) -> str:
        """The names of one or two lemmas that the gap is made of; empty where none are found.

        Samples say which multiples leave nothing, alone or two together, and which leave no
        negative value: the first are tried all, the others as many as there is time for.
        """
        lemmas = [*islice(self._lemmas(), LEMMAS)]
        made = [
            (name, factor, least)
            for factor in (sp.S.One, *self._scales, *HALVES)
            for name, least in lemmas
            if factor not in HALVES or name == "squares"
        ]
        left = self._values(self.gap)
        seen = np.isfinite(left)
        if not seen.any() or not made:
            tried = ((n, self.gap - factor * least) for n, factor, least in made[:TRIED])
            return next((n for n, rest in tried if self._holds(rest)), "")
        rounding = ROUNDING * (1 + np.abs(left[seen]))
        with np.errstate(invalid="ignore"):
            each = [self._values(factor) * self._values(least) for _, factor, least in made]
            values = np.array([value[seen] for value in each])
            rests = left[seen] - values
            zero = np.flatnonzero(np.all(np.abs(rests) < rounding, axis=1))
            nothing: list[tuple[int, ...]] = [(int(k),) for k in zero]
            for k, rest in enumerate(rests):
                both = np.flatnonzero(np.all(np.abs(rest - values[:k]) < rounding, axis=1))
                nothing += [(int(j), k) for j in both]
            some = [(int(k),) for k in np.flatnonzero(np.all(rests > -rounding, axis=1))]
        for chosen in (*nothing[:EXACT], *some[:TRIED]):
            if self._holds(self.gap - sum(made[k][1] * made[k][2] for k in chosen)):
                return " and ".join(dict.fromkeys(made[k][0] for k in chosen))
        return ""

    def _values(self, expr: Any) -> Any:
        """Values at a few samples, one for each entry; not a number where there is none."""
        if expr not in self._valued:
            found = []
            with (
                suppress(SymattnError, ArithmeticError, ValueError, TypeError, IndexError),
                np.errstate(all="ignore"),
            ):
                raw = differentiated(lower(expr, self.letters, known=self.model.known), self.model)
                for evaluator, axes in self._points:
                    found.append(np.ravel(np.asarray(evaluator(raw, axes), dtype=float)))
            whole = len(found) == len(self._points) > 0
            of_gap = self._valued.get(self.gap, np.zeros(0))
            self._valued[expr] = np.concatenate(found) if whole else of_gap * np.nan
        return self._valued[expr]

    @cached_property
    def _points(self) -> list[tuple[Evaluator, tuple[Index, ...]]]:
        """Evaluators at a few samples that satisfy the facts."""
        axes = tuple(Index(i.name, sp.sympify(i.upper) + 1) for i in self.letters)
        problem = self._problem()
        found = []
        for k in range(SAMPLES if problem is not None else 0):
            assert problem is not None
            drawn = self._drawn(problem, 0, k, SCALES[k % len(SCALES)])
            if drawn is not None:
                found.append((Evaluator(drawn[1], drawn[0], None, self.model), axes))
        return found

    @cached_property
    def _scales(self) -> list[Any]:
        """Positive scalars and their reciprocals, which an inequality may be multiplied by."""
        both = [self.left, self.right, *(d.expr for d in self._definitions)]
        named = {x for e in both for x in e.atoms(sp.Symbol) if x.is_positive and not x.is_integer}
        plain = self._reached - self._tensors.keys()
        known = sorted((x for x in named if x.name in plain), key=str)[:2]
        return [f for x in known for f in (x, 1 / x)]

    @cached_property
    def _definitions(self) -> list[Definition]:
        """Those that the statement rests on."""
        return [d for d in self.system if d.name in self._reached]

    def _forms(self, expr: Any) -> Iterator[Poly]:
        """The normal forms of an expression, one simpler than the other."""
        with budget(WORK):
            try:
                raw = differentiated(lower(expr, self.letters, known=self.model.known), self.model)
                for _, poly in stages((raw, ZERO), self.model, self.rules):
                    yield poly
            except SymattnError:
                return

    def sign(self, expr: Any) -> str:
        """ "+" where it is positive, "0+" where it is not negative, else empty."""
        best = ""
        for poly in self._forms(expr):
            sign = "0+" if not poly.terms else sign_of(poly) or ("0+" if squares(poly) else "")
            if sign == "+":
                return sign
            best = best or sign
        return best

    def _holds(self, gap: Any) -> bool:
        sign = self.sign(gap)
        return sign == "+" or (sign == "0+" and not self.strict)

    def _squared(self) -> bool:
        return not self.strict and any(map(squares, self._forms(self.gap)))

    def _definite(self) -> bool:
        """A quadratic in numbers: x² − 2xy + y² is its matrix, and no eigenvalue is negative."""
        numbers = sorted(self.gap.free_symbols, key=str)
        if not 0 < len(numbers) <= 5 or self.gap.atoms(sp.Indexed, sp.Sum) or self.strict:
            return False
        if closure(names(self.gap), self.system) & set(self.system.definitions):
            return False
        gap = sp.expand(self.gap)
        if not gap.is_polynomial(*numbers):
            return False
        poly = sp.Poly(gap, *numbers)
        if poly.total_degree() != 2 or not all(c.is_Rational for c in poly.coeffs()):
            return False
        ones = (*numbers, sp.Dummy("one"))
        homogeneous = poly.homogenize(ones[-1]).as_expr()
        return bool(sp.hessian(homogeneous, ones).is_positive_semidefinite)

    def _lemmas(self) -> Iterator[tuple[str, Any]]:
        return instances(self._vectors, self._numbers, self.letters)

    @cached_property
    def _reached(self) -> list[str]:
        return sorted(closure(names(self.left) | names(self.right), self.system))

    @cached_property
    def _tensors(self) -> dict[str, sp.IndexedBase]:
        found = {}
        parts = (
            self.left,
            self.right,
            *(d.expr for d in self.system),
            *(d.lhs for d in self.system),
        )
        for side in parts:
            for base in side.atoms(sp.IndexedBase):
                found[base.name] = base
        return {n: found[n] for n in self._reached if n in found}

    @cached_property
    def _vectors(self) -> list[Vector]:
        """Every axis of every tensor, the others at letters of the statement."""
        found = []
        for base in self._tensors.values():
            for axis, size in enumerate(base.shape):
                others = [n for k, n in enumerate(base.shape) if k != axis]
                free = [[i for i in self.letters if i.upper + 1 == n] for n in others]
                for chosen in product(*free):

                    def at(i: Any, b: Any = base, k: int = axis, c: Any = chosen) -> Any:
                        slots = (*c[:k], i, *c[k:])
                        return b[slots if len(slots) > 1 else slots[0]]

                    found.append(self._vector(at, size))
        return [*found, *self._exponents()]

    def _exponents(self) -> Iterator[Vector]:
        """The x of Σ_j exp(x_j), where x is more than a tensor, such as S_j/T."""
        sides = [self.left, self.right, *(d.expr for d in self._definitions)]
        known: set[Any] = set()
        for total in sorted({t for e in sides for t in e.atoms(sp.Sum)}, key=sp.default_sort_key):
            for inside in sorted(total.function.atoms(sp.exp), key=sp.default_sort_key):
                x, (letter, *_) = inside.args[0], total.limits[0]
                own = x.atoms(sp.Idx)
                plain = isinstance(x, sp.Indexed) or x.atoms(sp.Sum) or letter not in own
                if plain or not own - {letter} <= set(self.letters):
                    continue

                def at(i: Any, x: Any = x, j: Any = letter) -> Any:
                    return x.xreplace({j: i})

                if (shown := at(sp.Idx("u_", letter.upper + 1))) not in known:
                    known.add(shown)
                    yield Vector(at, letter.upper + 1)

    def _vector(self, at: Any, size: Any) -> Vector:
        i = sp.Idx("u_", size)
        inside = Inequality(sp.S.Zero, at(i), False, (*self.letters, i), self.system)
        sign = inside.sign(at(i))
        total = sp.Sum(at(i), (i, 0, size - 1)) - 1
        whole = bool(sign) and any(not p.terms for p in self._forms(total))
        return Vector(at, size, sign, whole)

    @cached_property
    def _numbers(self) -> list[Any]:
        """Scalars of the statement, and components at its letters."""
        both = (self.left, self.right)
        scalars = {x for e in both for x in e.atoms(sp.Symbol) if x.name in self._reached}
        scalars |= {
            x for e in both for x in e.atoms(sp.Indexed) if x.atoms(sp.Idx) <= set(self.letters)
        }
        logs = {a for e in both for f in e.atoms(sp.log) for a in f.args}
        exps = {a for e in both for f in e.atoms(sp.exp) for a in f.args}
        return sorted(
            (x for x in scalars | logs | exps if not x.is_number),
            key=sp.default_sort_key,
        )[:6]

    # ---------------------------------------------------------------------------- refutations

    def counterexample(self, seed: int = 0) -> Broken | None:
        """Values at which it does not hold, seen in two ways; None where none are found."""
        problem = self._problem()
        if problem is None:
            return None
        equal: Broken | None = None
        for k, scale in product(range(TRIES), SCALES):
            found = self._tried(problem, seed, k, scale)
            if found is not None and found.lhs != found.rhs:
                return found
            equal = equal or found
        return equal

    def _problem(self) -> Problem | None:
        """Both sides with the names and sizes that values are drawn for."""
        try:
            left, right = (
                lower(e, self.letters, known=self.model.known) for e in (self.left, self.right)
            )
            return Problem((left, right), (left, right), self.model, self._own_facts())
        except SymattnError:
            return None

    def _own_facts(self) -> list[Any]:
        """The facts that speak of what the statement rests on."""
        return [
            f
            for f in self.facts
            if {r.tensor.name for side in (f.left, f.right) for r in refs(side)}
            & set(self._reached)
        ]

    def _drawn(
        self, problem: Problem, seed: int, k: int, scale: float
    ) -> tuple[dict[str, int], dict[str, Any]] | None:
        """Sizes and values that satisfy the facts: zeros first, then random ones of a scale."""
        rng = np.random.default_rng([seed, k])
        sizes = pick_sizes(problem.size_names, seed=k)
        values = {}
        for name, tensor in problem.tensors.items():
            array = draw(tensor, sizes, rng)
            if not _whole(tensor):
                array = array * (0.0 if k == 0 and tensor.sign not in ("+", "-", "≠") else scale)
            values[name] = np.abs(array) if name in self._logged else array
        try:
            met = satisfying(problem.facts, problem.tensors, values, sizes, self.model)
        except (SymattnError, ArithmeticError, ValueError, TypeError):
            return None
        if met is None or any(np.any(np.asarray(met[n]) <= 0) for n in self._logged & met.keys()):
            return None
        return sizes, dict(met)

    def _tried(self, problem: Problem, seed: int, k: int, scale: float) -> Broken | None:
        """One sample, at which the inequality may be broken."""
        drawn = self._drawn(problem, seed, k, scale)
        if drawn is None:
            return None
        sizes, met = drawn
        try:
            with np.errstate(all="ignore"):
                evaluator = Evaluator(met, sizes, None, self.model)
                low, high = (
                    np.asarray(evaluator(p, problem.axes), dtype=float) for p in problem.sides
                )
        except (SymattnError, ArithmeticError, ValueError, TypeError):
            return None
        with np.errstate(all="ignore"):
            gap = (low - high) / (1 + np.abs(low) + np.abs(high))
        gap = np.where(np.isfinite(gap), gap, -1.0)
        if not gap.size:
            return None
        place = np.unravel_index(int(np.argmax(gap)), gap.shape) if gap.shape else ()
        if gap[place] < 0 or not (gap[place] > MARGIN or self.strict):
            return None
        entry = {i.name: int(n) for i, n in zip(problem.axes, place, strict=True)}
        return self._confirmed(sizes, met, entry, seed)

    @cached_property
    def _logged(self) -> frozenset[str]:
        """Names that a logarithm is taken of, which are taken for positive by whoever writes so."""
        exprs = [self.left, self.right, *(d.expr for d in self.system if d.name in self._reached)]
        inside = {a for e in exprs for f in e.atoms(sp.log) for a in f.args}
        plain = (x for a in inside for x in sp.Mul.make_args(a))
        bases = (x.base if isinstance(x, sp.Pow) else x for x in plain)
        whole = (x for x in bases if isinstance(x, sp.Indexed | sp.Symbol))
        return frozenset(n for x in whole for n in names(x))

    def _confirmed(
        self, sizes: Mapping[str, int], values: Mapping[str, Any], entry: dict[str, int], seed: int
    ) -> Broken | None:
        try:
            low, high = compare(self.left, self.right, self.system, values, sizes, entry, seed)
        except Unable:
            return None
        if not self.breaks(low, high):
            return None
        return Broken(sizes, values, entry, low, high)

    def breaks(self, low: float, high: float) -> bool:
        """Two numbers for which it does not hold, by more than they may be off."""
        return low - high > MARGIN * (1 + abs(low) + abs(high)) or (self.strict and low == high)


def _whole(tensor: Any) -> bool:
    return tensor.symbol is not None and bool(tensor.symbol.is_integer)


__all__ = ["RELATIONS", "Broken", "Inequality", "oriented"]
