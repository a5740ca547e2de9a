"""Limits of one scalar: T → 0⁺, T → ∞, T → a, and of scalar expressions n → ∞.

Four rules prove.  Each is a theorem with its conditions:

continuity      a normal form without a division by zero at T = 0 has there the value it tends to;
                T → ∞ is 1/T → 0⁺
concentration   softmax_j(x_j/T) → [j = argmax x] as T → 0⁺ where the largest x_j is unique, and a
                continuous function of it follows
quotient        g/h^m → g⁽ᵐ⁾(0)/m! where g and its derivatives below the m-th vanish at h = 0, as in
                (f(x + h) − f(x))/h; unknown functions are taken to be differentiable so often
envelope        log Σ_j exp(x_j/T + r_j) = max_j x_j / T + β with a bounded β, as T → 0⁺

What no rule reaches is compared by numbers, which only refute.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from math import factorial
from typing import Any

import mpmath
import numpy as np
import sympy as sp

from .. import normalize as nf
from ..budget import WORK, budget
from ..convert import lower
from ..derive.rules import component_derivative, differentiate
from ..errors import SymattnError
from ..facts import Rules, linked
from ..ir import (
    ZERO,
    Argmax,
    Call,
    Index,
    Mask,
    Max,
    Poly,
    Ref,
    Sum,
    Tensor,
    Term,
    fresh_indices,
    parts,
    rational,
    raw_atom,
    refs,
)
from ..laws import sign_of
from ..model import Body, model
from ..stages import stages
from ..syntax import System
from .inside import names
from .second import DIGITS, FAILURES, Second, Unable
from .versions import closure

UNIQUE = "the largest value is unique"
JUMPS = frozenset({"step", "sign", "floor", "ceiling", "heaviside"})
POLES = 4  # derivatives that are taken
NEAR = (3, 5, 7)  # powers of ten at which numbers are looked at
SETTLED, APART = 1e-3, 1e-2  # how near the last two values are, and how far the claim is


@dataclass(frozen=True)
class Settled:
    """What is known of a limit: the rule that proves it, its condition, or values against it."""

    rule: str = ""
    condition: str = ""
    sizes: dict[str, int] | None = None
    values: dict[str, Any] | None = None
    entry: dict[str, int] | None = None
    found: float = 0.0  # the value near the limit
    claimed: float = 0.0

    @property
    def refuted(self) -> bool:
        """The numbers settle elsewhere."""
        return self.values is not None


class Limiting:
    """lim_{T → to} body = claimed, for the definitions of a system."""

    def __init__(
        self, limit: sp.Limit, claimed: Any, letters: Sequence[sp.Idx], system: System
    ) -> None:
        self.body, self.variable, self.to, side = limit.args
        self.side = str(side).rstrip("-") or "-"
        self.both = str(side) == "+-" and not self.variable.is_positive
        self.claimed, self.letters, self.system = claimed, tuple(letters), system
        self.size = bool(self.variable.is_integer)  # a size may count what is summed, too
        if self.size and self._plain():
            plain = sp.Symbol(f"{self.variable}_", positive=True)
            self.body, self.variable = self.body.subs(self.variable, plain), plain
            self.size = False
        self.model, facts = linked(model(system))
        self.rules = Rules(facts)

    def _defined(self) -> set[Any]:
        reached = closure(names(self.body), self.system)
        return {x for d in self.system if d.name in reached for x in d.expr.atoms(sp.Symbol)}

    @property
    def depends(self) -> bool:
        """The variable occurs in what it is the limit of, definitions included."""
        name = str(self.variable)
        return any(str(x) == name for x in self.body.atoms(sp.Symbol) | self._defined())

    # ---------------------------------------------------------------------------------- proofs

    def proof(self) -> Settled | None:
        """The rule that proves it, with its condition; None where none does."""
        found = self._proof()
        if found is not None and not found.condition and not self._other_side():
            return replace(found, condition=f"{self.variable} > {self.to}")
        return found

    def _other_side(self) -> bool:
        """Numbers below the end agree as well, or cannot be had."""
        if not self.both:
            return True
        self.side = "-"
        try:
            below = self._scalar() if self._plain() else None
            return (below is None or not below.is_infinite) and self.near()
        finally:
            self.side = "+"

    def _proof(self) -> Settled | None:
        if self.size or names(self.claimed) & {str(self.variable)}:
            return None
        if self._plain():
            return self._by_sympy()
        for rule in (self._continuous, self._quotient, self._concentrated, self._enveloped):
            with budget(WORK):
                try:
                    found = rule()
                except (SymattnError, RecursionError):
                    continue
            if found is not None:
                return found
        return None

    def _plain(self) -> bool:
        return not (self.body.atoms(sp.Indexed, sp.Sum) | self.claimed.atoms(sp.Indexed)) and not (
            closure(names(self.body) | names(self.claimed), self.system)
            & set(self.system.definitions)
        )

    def _by_sympy(self) -> Settled | None:
        """The limit of a scalar expression, which SymPy knows and numbers agree with."""
        value = self._scalar()
        agree = value is not None and sp.simplify(value - self.claimed) == 0
        return Settled("the limit of a scalar function") if agree and self.near() else None

    def _scalar(self) -> Any:
        try:
            return sp.limit(self.body, self.variable, self.to, self.side)
        except (NotImplementedError, ValueError, TypeError, RecursionError):
            return None

    def number(self) -> sp.Expr | None:
        """The limit of a scalar expression where it is finite and numbers agree."""
        value = self._scalar() if self._plain() else None
        if value is None or value.has(sp.oo, -sp.oo, sp.zoo, sp.nan, sp.Limit, sp.AccumBounds):
            return None
        self.claimed = value
        return value if self.near() and self._other_side() else None

    def value(self) -> tuple[Poly, tuple[Index, ...]] | None:
        """The limit and its letters where continuity gives it."""
        variable = self._tensor()
        if variable is None:
            return None
        raw = nf.normalize(self._raw())
        for rule in (lambda: self._at_end(self.model.inline(raw), variable), self._envelope):
            try:
                with budget(WORK):
                    found = rule()
            except (SymattnError, Unable, RecursionError):
                continue
            if found is not None:
                return found, tuple(sorted(raw.free, key=lambda i: i.sort))
        return None

    def _tensor(self) -> Tensor | None:
        name = str(self.variable)
        known = self.model.known.get(name)
        if known is not None:
            return known
        return next((r.tensor for r in refs(self._raw()) if r.tensor.name == name), None)

    def _raw(self) -> Poly:
        return lower(self.body, self.letters, known=self.model.known)

    def _agrees(self, value: Poly) -> bool:
        claimed = lower(self.claimed, self.letters, known=self.model.known)
        return any(not p.terms for _, p in stages((value, claimed), self.model, self.rules))

    def _at_end(self, poly: Poly, variable: Tensor) -> Poly:
        """The normal form with the variable at its end.  Raises where it divides by zero there."""
        if self.to in (sp.oo, -sp.oo):
            inverse = Ref(variable)
            poly = _put(poly, variable, raw_atom(inverse, -1))  # u = 1/T, under the same name
        if self.to in (0, sp.oo, -sp.oo):
            return _at_zero(poly, variable)
        _smooth(poly, variable)
        return _put(poly, variable, lower(self.to, (), known=self.model.known))

    def _continuous(self) -> Settled | None:
        variable = self._tensor()
        if variable is None:
            return None
        poly = self.model.inline(nf.normalize(self._raw()))
        try:
            value = self._at_end(poly, variable)
        except Unable:
            return None
        return Settled("continuity") if self._agrees(value) and self.near() else None

    def _quotient(self) -> Settled | None:
        """De L'Hospital's rule over a power of the distance from the end."""
        variable = self._tensor()
        if variable is None or self.to in (sp.oo, -sp.oo):
            return None
        distance = raw_atom(Ref(variable))
        poly = self.model.inline(nf.normalize(self._raw()))
        if self.to != 0:
            poly = _put(
                poly, variable, nf.add(lower(self.to, (), known=self.model.known), distance)
            )
        powers = [dict(t.powers).get(Ref(variable), 0) for t, _ in poly]
        pole = next((k for k in range(1, POLES + 1) if -k == min(powers, default=0)), 0)
        if not pole or any(r.tensor.role not in ("", "place") for r in refs(poly)):
            return None
        top = nf.multiply(poly, raw_atom(Ref(variable), pole))
        for _ in range(pole):
            if not self._vanishes(_at_zero(top, variable)):
                return None
            top = differentiate(
                top, lambda r: component_derivative(r, Ref(variable)), frozenset(poly.free)
            )
        value = nf.scale(_at_zero(top, variable), rational(Fraction(1, factorial(pole))))
        found = "the derivatives of what is divided"
        return Settled(found) if self._agrees(value) and self.near() else None

    def _vanishes(self, value: Poly) -> bool:
        return any(not p.terms for _, p in stages((value, ZERO), self.model, self.rules))

    def _to_zero(self) -> Tensor | None:
        """The variable where it goes to 0 from above."""
        return self._tensor() if self.to == 0 and self.side == "+" else None

    def _concentrated(self) -> Settled | None:
        variable = self._to_zero()
        if variable is None:
            return None
        raw = nf.normalize(self._raw())
        found = [
            self._indicator(
                self.model.inline(raw), tuple(sorted(raw.free, key=lambda i: i.sort)), variable
            )
        ]
        for name, body in self.model.bodies.items():
            if name in closure(names(self.body), self.system):
                indicator = self._indicator(self.model.inline(body.normal), body.indices, variable)
                if indicator is not None:
                    found.append(self._through(raw, body, indicator, variable))
        if any(v is not None and self._agrees(v) for v in found) and self.near():
            return Settled("concentration", UNIQUE)
        return None

    def _indicator(self, poly: Poly, letters: Sequence[Index], variable: Tensor) -> Poly | None:
        """[j = argmax_k x_k] for exp(x_j/T)/Σ_k exp(x_k/T)."""
        energy = _energy(poly, letters, variable)
        if energy is None:
            return None
        j, x = energy
        (k,) = fresh_indices((j.size,), x.free)
        return nf.normalize(raw_atom(Argmax((j,), (k,), nf.substitute(x, {j: k}))))

    def _through(self, raw: Poly, body: Body, indicator: Poly, variable: Tensor) -> Poly | None:
        """A polynomial in a softmax, with its limit in its place; None for anything else."""
        kept = self.model.inline(raw, {body.tensor.name})
        if _roughly(kept, {body.tensor, variable}) or any(r.tensor is variable for r in refs(kept)):
            return None

        def rule(atom: Any) -> Poly | None:
            if isinstance(atom, Ref) and atom.tensor is body.tensor:
                return nf.substitute(indicator, dict(zip(body.indices, atom.slots, strict=True)))
            return None

        return nf.rewrite(kept, rule)

    def _enveloped(self) -> Settled | None:
        try:
            value = self._envelope()
        except Unable:
            return None
        if value is None:
            return None
        return Settled("envelope") if self._agrees(value) and self.near() else None

    def _envelope(self) -> Poly | None:
        """The limit where every log Σ exp(x_j/T) is max_j x_j / T and what stays bounded."""
        variable = self._to_zero()
        if variable is None:
            return None
        poly = self.model.inline(nf.normalize(self._raw()))
        bounded = Tensor("bounded_", (), symbol=sp.Symbol("bounded_", real=True))

        def rule(atom: Any) -> Poly | None:
            top = _log_sum(atom, variable)
            if top is None:
                return None
            high = nf.multiply(top, raw_atom(Ref(variable), -1))
            return nf.add(high, raw_atom(Ref(bounded)))

        after = nf.rewrite(poly, rule)
        if after is poly:
            return None
        value = self._at_end(after, variable)
        return None if any(r.tensor is bounded for r in refs(value)) else value

    # --------------------------------------------------------------------------------- numbers

    def near(self, seed: int = 0) -> bool:
        """Numbers near the end agree with what is claimed, or cannot be had."""
        found = self.sampled(seed)
        return found is None or not found.refuted

    def sampled(self, seed: int = 0) -> Settled | None:
        """The values near the end against what is claimed; None where numbers say nothing."""
        if self.size:
            return None
        known = str(self.variable)
        against: Settled | None = None
        for k in range(2):
            rng = np.random.default_rng([seed, k, 7])
            sizes: dict[str, int] = {}
            drawn: dict[str, Any] = {}
            values, claimed, entry = [], 0.0, {}
            try:
                with mpmath.workdps(DIGITS):
                    for power in NEAR:
                        way = Second(self.system, drawn, sizes, seed)
                        way.know(self.body, self.claimed)
                        self._draw(way, rng, drawn)
                        way.given = {n: _lifted(a) for n, a in drawn.items()}
                        way.given[known] = _lifted(self._point(power))
                        entry = way.place({}, self.body, self.claimed)
                        values.append(float(way.value(self.body, entry)))
                        claimed = float(way.value(self.claimed, entry))
                        sizes = dict(way.sizes)
            except (Unable, *FAILURES):
                return None
            last, before = values[-1], values[-2]
            if not np.isfinite([last, before, claimed]).all():
                return None
            scale = 1 + abs(claimed)
            if abs(last - claimed) < SETTLED * scale:
                continue
            if abs(last - before) > SETTLED * scale or abs(last - claimed) < APART * scale:
                return None
            against = Settled("", "", sizes, dict(drawn), entry, last, claimed)
        return against or Settled()

    def _draw(self, way: Second, rng: np.random.Generator, drawn: dict[str, Any]) -> None:
        """Values of any order, no two of them equal, for every input."""
        inputs = closure(names(self.body) | names(self.claimed), self.system)
        for name in sorted(inputs - set(self.system.definitions) - {str(self.variable)}):
            if name not in drawn:
                base = way.shapes.get(name)
                shape = tuple(way.length(n) for n in base.shape) if base is not None else ()
                array = rng.uniform(0.2, 2.0, shape)
                drawn[name] = array if shape else float(array)

    def _point(self, power: int) -> float:
        step = 10.0**-power
        if self.to in (sp.oo, -sp.oo):
            return (1 if self.to == sp.oo else -1) / step
        return float(self.to) + (-step if self.side == "-" else step)


def _put(poly: Poly, variable: Tensor, value: Poly) -> Poly:
    """An expression with a value for the variable."""

    def rule(atom: Any) -> Poly | None:
        return value if isinstance(atom, Ref) and atom.tensor is variable else None

    return nf.rewrite(poly, rule)


def _at_zero(poly: Poly, variable: Tensor) -> Poly:
    """An expression where the variable is 0.  Raises where it divides by it, or jumps."""
    _smooth(poly, variable)
    return _put(poly, variable, ZERO)


def _smooth(poly: Poly, variable: Tensor) -> None:
    if _jumps(poly, variable):
        raise Unable("a function that jumps")


def _energy(poly: Poly, letters: Sequence[Index], variable: Tensor) -> tuple[Index, Poly] | None:
    """The letter j and x_j where an expression is exp(x_j/T)/Σ_k exp(x_k/T)."""
    only = poly.single
    if only is None or only[1] != 1:
        return None
    exps = [(a, e) for a, e in only[0] if isinstance(a, Call) and a.name == "exp"]
    rest = [(a, e) for a, e in only[0] if not (isinstance(a, Call) and a.name == "exp")]
    if len(exps) != 1 or len(rest) != 1 or exps[0][1] != 1 or rest[0][1] != -1:
        return None
    x = nf.multiply(exps[0][0].args[0], raw_atom(Ref(variable)))
    if any(r.tensor is variable for r in refs(x)):
        return None
    for j in letters:
        total = nf.sum_over((j,), raw_atom(exps[0][0]))
        if nf.normalize(raw_atom(rest[0][0])) is total:
            return j, x
    return None


def _log_sum(atom: Any, variable: Tensor) -> Poly | None:
    """max_j x_j where an atom is log Σ_j g_j exp(x_j/T) with positive g free of T."""
    if not (isinstance(atom, Call) and atom.name == "log"):
        return None
    only = atom.args[0].single
    if only is None or only[1] <= 0 or len(list(only[0])) != 1:
        return None
    ((total, e),) = list(only[0])
    if not isinstance(total, Sum) or e != 1:
        return None
    body = total.body.single
    if body is None:
        return None
    factors = [(a, e) for a, e in body[0] if isinstance(a, Call) and a.name == "exp"]
    others = [(a, e) for a, e in body[0] if not (isinstance(a, Call) and a.name == "exp")]
    if len(factors) != 1 or factors[0][1] != 1 or body[1] <= 0:
        return None
    if any(sign_of(a) != "+" or any(r.tensor is variable for r in refs(a)) for a, _ in others):
        return None
    x = nf.multiply(factors[0][0].args[0], raw_atom(Ref(variable)))
    if any(r.tensor is variable for r in refs(x)):
        return None
    return nf.normalize(raw_atom(Max(total.bound, (x,))))


def _walk(node: Any) -> Iterator[Any]:
    yield node
    for part in parts(node):
        yield from _walk(part)


def _jumps(node: Any, variable: Tensor) -> bool:
    """A function that is not continuous bears the variable."""
    return any(
        isinstance(x, Mask | Argmax) or (isinstance(x, Call) and x.name in JUMPS)
        for x in _walk(node)
        if any(r.tensor is variable for r in refs(x))
    )


def _roughly(node: Any, tensors: set[Tensor]) -> bool:
    """Something other than a polynomial in these."""

    def bears(x: Any) -> bool:
        return any(r.tensor in tensors for r in refs(x))

    for x in _walk(node):
        if isinstance(x, Call | Max | Argmax) and bears(x):
            return True
        if isinstance(x, Term) and any(
            bears(a) and (e < 0 or not isinstance(e, int)) for a, e in x
        ):
            return True
    return False


def _lifted(array: Any) -> Any:
    lift = np.frompyfunc(lambda x: mpmath.mpf(float(x)), 1, 1)
    return np.asarray(lift(np.asarray(array, dtype=float)), dtype=object)


__all__ = ["Limiting", "Settled"]
